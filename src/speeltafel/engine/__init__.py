"""The engine: records, chance, games, matches. It knows no game, no web and no bot."""
