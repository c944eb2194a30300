"""Decisions per second of the rules, plain and compiled, the listing of legal decisions included.

Machines differ and are busy, so each figure is also given as a ratio to a calibration loop that is
timed just before it: how many decisions are taken in the time of a thousand random words in plain Python.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Callable, Sequence
from pathlib import Path
from statistics import median
from threading import Thread
from time import perf_counter
from typing import Any

from rich.console import Console
from rich.table import Table

from speeltafel.engine import chance
from speeltafel.engine.game import Game
from speeltafel.games import find, games
from speeltafel.players import compiled

TOLERANCE = 0.7
"""A ratio below this part of the stored one counts as slower."""
COLUMNS = ("plain", "compiled", "two threads")


def calibration() -> float:
    """Thousands of random words per second in plain Python."""
    dice = chance.seeded(0, "calibration")
    begun = perf_counter()
    for _ in range(20_000):
        chance.word(dice)
    return 20 / (perf_counter() - begun)


def rate(work: Callable[[], int], seconds: float) -> tuple[float, float]:
    """Decisions per second of `work`, which returns how many it took, and their ratio to the calibration."""
    rates: list[float] = []
    ratios: list[float] = []
    end = perf_counter() + seconds
    while not rates or perf_counter() < end:
        unit = calibration()
        begun = perf_counter()
        decisions = work()
        rates.append(decisions / (perf_counter() - begun))
        ratios.append(rates[-1] / unit)
    return median(rates), median(ratios)


def plain(game: Game, seats: int) -> Callable[[], int]:
    """Play one random match in plain Python."""
    rules, start, out = game.rules, game.set_up(seats, 0, {}, {}), game.out()
    dice = chance.seeded(seats, "speed")

    def work() -> int:
        state = start.copy()
        rules.deal(state, dice)
        decisions = 0
        while n := rules.legal(state, out):
            rules.play(state, out[chance.below(n, dice)], dice)
            decisions += 1
        return decisions

    return work


def batch(game: Game, seats: int, threads: int, matches: int = 500) -> Callable[[], int]:
    """Play many random matches compiled, shared by some threads."""
    fast = compiled.load(game)
    start = game.set_up(seats, 0, {}, {})
    streams = [fast.dice(range(number * matches, (number + 1) * matches), "speed") for number in range(threads)]

    def part(dice: Any, decisions: list[int]) -> None:
        states = fast.states(start, matches)
        fast.deal_all(states, dice)
        decisions.append(fast.finish_all(states, dice))

    def work() -> int:
        decisions: list[int] = []
        running = [Thread(target=part, args=(dice, decisions)) for dice in streams]
        for thread in running:
            thread.start()
        for thread in running:
            thread.join()
        return sum(decisions)

    return work


def measure(names: Sequence[str], seconds: float) -> dict[str, dict[str, float]]:
    """All figures by `game/seats`: bytes of a state, and for each column its rate and its ratio."""
    found: dict[str, dict[str, float]] = {}
    for game in map(find, names):
        for seats in range(game.seats[0], game.seats[1] + 1):
            line: dict[str, float] = {"bytes": len(bytes(game.rules.State()))}
            works = (plain(game, seats), batch(game, seats, 1), batch(game, seats, 2))
            for column, work in zip(COLUMNS, works, strict=True):
                line[column], line[f"{column} ratio"] = rate(work, seconds)
            found[f"{game.name}/{seats}"] = line
    return found


def slower(
    now: dict[str, dict[str, float]], stored: dict[str, dict[str, float]], columns: Sequence[str] = COLUMNS
) -> list[str]:
    """What runs more than 30 % slower than in a stored run, by ratio."""
    return [
        f"{key}, {column}: {line[f'{column} ratio'] / stored[key][f'{column} ratio']:.0%} of the stored run"
        for key, line in now.items()
        if key in stored
        for column in columns
        if line[f"{column} ratio"] < TOLERANCE * stored[key][f"{column} ratio"]
    ]


def main(arguments: Sequence[str]) -> int:
    parser = argparse.ArgumentParser("benchmarks speed", description=__doc__)
    parser.add_argument("games", nargs="*", default=list(games()), help="names of games; without any, all")
    parser.add_argument("--seconds", type=float, default=2, help="time for each figure")
    parser.add_argument("--json", type=Path, help="write the figures to this file")
    parser.add_argument("--against", type=Path, help="compare with figures of an earlier run; exit code 1 if slower")
    chosen = parser.parse_args(arguments)
    found = measure(chosen.games, chosen.seconds)
    table = Table("game", "seats", "bytes", *(f"{column}/s" for column in COLUMNS), *(f"{c} ratio" for c in COLUMNS))
    for key, line in found.items():
        rates = (f"{line[column]:,.0f}" for column in COLUMNS)
        ratios = (f"{line[f'{column} ratio']:,.1f}" for column in COLUMNS)
        table.add_row(*key.split("/"), f"{line['bytes']:,.0f}", *rates, *ratios)
    Console(width=140).print(table)
    if chosen.json:
        chosen.json.write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")
    worse = slower(found, json.loads(chosen.against.read_text(encoding="utf-8"))) if chosen.against else []
    print("\n".join(worse))
    return 1 if worse else 0
