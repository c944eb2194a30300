"""How often one player beats another: two-player matches in every game, everybody in each seat equally often."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from math import sqrt

from rich.console import Console
from rich.progress import track
from rich.table import Table

from speeltafel.games import games
from speeltafel.lab.simulate import Plan, Summary, simulate


def main(arguments: Sequence[str]) -> int:
    parser = argparse.ArgumentParser("benchmarks strength", description=__doc__)
    parser.add_argument("games", nargs="*", default=list(games()), help="names of games; without any, all")
    parser.add_argument("--players", nargs=2, default=["greedy", "random"], metavar="NAME")
    parser.add_argument("--matches", type=int, default=1000)
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--seed", default="strength")
    chosen = parser.parse_args(arguments)
    table = Table("game", "player", "wins", "shared", "rate", "± 95 %", "mean score")
    for name in chosen.games:
        plan = Plan(name, tuple(chosen.players), chosen.matches, chosen.seed, rotate=True)
        outcomes = track(simulate(plan, chosen.jobs), name, plan.games, console=Console(stderr=True), transient=True)
        for player, tally in Summary.of(plan, outcomes).bots.items():
            margin = 1.96 * sqrt(tally.rate * (1 - tally.rate) / tally.matches)
            figures = (f"{tally.wins}", f"{tally.shared}", f"{tally.rate:.1%}", f"{margin:.1%}", f"{tally.mean:.1f}")
            table.add_row(name, player, *figures)
    Console().print(table)
    return 0
