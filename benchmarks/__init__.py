"""How fast the rules run and how well the players play: `python -m benchmarks speed` or `strength`."""
