"""The laboratory: matches between bots, counted by simulations and rated by ladders; matches in the terminal; speed.

`matches` plays, side by side if asked; `simulate` and `ladder` say what is played and what it shows; `terminal` seats
whoever types against bots; `bench` measures rules and search, and `peers` other engines beside them.
"""
