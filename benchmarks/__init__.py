"""How quick the pages are and how well the players play; `speeltafel bench` says how fast rules and search run."""
