"""Playouts per second of the search from the opening, plain and compiled, and the time to load."""

from __future__ import annotations

import argparse
import json
from collections.abc import Callable, Sequence
from pathlib import Path
from time import perf_counter

from rich.console import Console
from rich.table import Table

from benchmarks.speed import rate, slower
from speeltafel.engine import chance
from speeltafel.engine.game import Game
from speeltafel.engine.match import Match
from speeltafel.games import find, games
from speeltafel.players import compiled, search
from speeltafel.players.thought import NODES

COLUMNS = ("plain", "compiled")


def opening(game: Game, seats: int) -> Match:
    """The first position with a choice."""
    match = Match(game, [str(seat) for seat in range(seats)], seed="search", first=0)
    while len(match.legal()) == 1:
        match.play_move(match.legal()[0])
    return match


def playouts(game: Game, seats: int, iterate: Callable[..., int], count: int) -> Callable[[], int]:
    """Think anew about the opening."""
    match = opening(game, seats)
    view, seat = match.view(match.turn), match.turn
    dice = chance.seeded(seats, "search")
    rooms = search.rooms(type(view), game.rules.MAX_LEGAL, NODES)
    rooms[0][0] = view

    def work() -> int:
        rooms[-1][1] = search.Node()
        iterate(*rooms, dice, seat, 1, 2, 0, count)
        return count

    return work


def measure(names: Sequence[str], seconds: float) -> dict[str, dict[str, float]]:
    """For each game and number of seats: playouts/s with their ratios, and seconds to load the machine code."""
    found = {}
    for game in map(find, names):
        begun = perf_counter()
        fast = compiled.load(game, searching=True)
        load = perf_counter() - begun
        for seats in range(game.seats[0], game.seats[1] + 1):
            line = {"load": load}
            works = (
                playouts(game, seats, search.build(game.rules, game.judge), 20),
                playouts(game, seats, fast.iterate, 1000),
            )
            for column, work in zip(COLUMNS, works, strict=True):
                line[column], line[f"{column} ratio"] = rate(work, seconds)
            found[f"{game.name}/{seats}"] = line
    return found


def main(arguments: Sequence[str]) -> int:
    parser = argparse.ArgumentParser("benchmarks search", description=__doc__)
    parser.add_argument("games", nargs="*", default=list(games()), help="names of games; without any, all")
    parser.add_argument("--seconds", type=float, default=2, help="time for each figure")
    parser.add_argument("--json", type=Path, help="write the figures to this file")
    parser.add_argument("--against", type=Path, help="compare with figures of an earlier run; exit code 1 if slower")
    chosen = parser.parse_args(arguments)
    found = measure(chosen.games, chosen.seconds)
    table = Table("game", "seats", "load s", *(f"{column}/s" for column in COLUMNS))
    for key, line in found.items():
        table.add_row(*key.split("/"), f"{line['load']:.1f}", *(f"{line[column]:,.0f}" for column in COLUMNS))
    Console().print(table)
    if chosen.json:
        chosen.json.write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")
    stored = json.loads(chosen.against.read_text(encoding="utf-8")) if chosen.against else {}
    worse = slower(found, stored, COLUMNS)
    print("\n".join(worse))
    return 1 if worse else 0
