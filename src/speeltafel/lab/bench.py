"""How fast rules and search run on this machine, plain and compiled, and how soon a first decision comes.

Machines differ, so each figure is also given as a ratio to a calibration loop that is timed just before it: what
is done in the time of a thousand random words in plain Python. Machines are busy, so work in one thread is timed by
what it computes; only several threads, and processes that begin, are timed by the clock on the wall.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from math import ceil
from statistics import median
from threading import Thread
from time import perf_counter, process_time, time
from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from speeltafel.engine import chance
from speeltafel.engine.game import Game
from speeltafel.engine.match import Match
from speeltafel.engine.refusals import Refusal, say
from speeltafel.games import find
from speeltafel.players import compiled, search
from speeltafel.players.levels import LEVELS
from speeltafel.players.thought import PER_ITERATION

TOLERANCE = 0.7
"""A ratio below this part of the stored one counts as slower."""
SLICE = 0.1
"""Seconds of work between two calibrations: long enough for threads to begin and end without being seen."""
STATES = 1024
"""Matches of a batch: enough for threads to ask for Python's lock seldom."""
IDLE = 1.9
"""Two threads that had fewer cores than this were in each other's way, or in that of others."""
PARTS = ("plain", "compiled", "two threads", "search plain", "search", "search wary")
"""What is measured for each game and number of seats: decisions/s of the rules, then playouts/s of the search.

The search reckons with others as a Lynx does, `search wary` as a Tiger does; that differs in If It Fits alone.
"""
BEGINNINGS = ("cold", "warm")
"""First decisions of a fresh process for each game: without and with machine code on disk."""

Positive = Annotated[float, Field(gt=0, allow_inf_nan=False)]
Work = Callable[[], float]
"""Does something, and returns how much it did."""


class Figure(BaseModel):
    """One thing measured."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    rate: Positive
    """How often a second."""
    ratio: Positive
    """How often in the time of a thousand words of the calibration loop."""
    cores: Annotated[float, Field(ge=0, allow_inf_nan=False)]
    """How many cores the work really had, on the average: fewer than it could use on a busy machine."""


class Run(BaseModel):
    """All that was measured at once. As JSON it can be stored, for later runs to compare with."""

    model_config = ConfigDict(extra="forbid")

    bytes: dict[str, Annotated[int, Field(gt=0)]] = {}
    """The size of a state, by game."""
    figures: dict[str, Figure] = {}
    """`GAME/SEATS/PART` for each of `PARTS`, and `GAME/BEGINNING` for each of `BEGINNINGS`."""
    peers: dict[str, Figure] = {}
    """Decisions/s of other engines playing other games."""

    def slower(self, stored: Run) -> dict[str, float]:
        """What is more than 30 % slower than in a stored run, by ratio: for each such line the part of it that is left.

        Raises `Refusal` when the two have no line in common.
        """
        common = [key for key in self.figures if key in stored.figures]
        if not common:
            raise Refusal(say("The stored run has no line in common with this one"))
        parts = {key: self.figures[key].ratio / stored.figures[key].ratio for key in common}
        return {key: part for key, part in parts.items() if part < TOLERANCE}


def loads(text: str) -> Run:
    """A run from its JSON. Raises `Refusal` naming the place that is wrong."""
    try:
        return Run.model_validate_json(text)
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        where = "/".join(str(part) for part in first["loc"]) or "-"
        raise Refusal(say("This is no stored run: {where}: {why}", where=where, why=first["msg"])) from None


def calibration() -> float:
    """Thousands of random words per second in plain Python."""
    dice = chance.seeded(0, "calibration")
    begun = process_time()
    for _ in range(20_000):
        chance.word(dice)
    return 20 / (process_time() - begun)


def timed(work: Work, seconds: float, clock: Callable[[], float] = process_time) -> Figure:
    """The medians of many slices of work, each with its own calibration and timed by `clock`."""
    slices: list[tuple[float, float, float]] = []
    end = perf_counter() + seconds
    while not slices or perf_counter() < end:
        unit = calibration()
        begun, wall, used, done = clock(), perf_counter(), process_time(), 0.0
        # at least once, however long this process was kept waiting since
        while not done or perf_counter() - wall < min(SLICE, seconds):
            done += work()
        rate, cores = done / (clock() - begun), (process_time() - used) / (perf_counter() - wall)
        slices.append((rate, rate / unit, cores))
    rate, ratio, cores = (median(column) for column in zip(*slices, strict=True))
    return Figure(rate=rate, ratio=ratio, cores=cores)


def plain(game: Game, seats: int) -> Work:
    """Decisions, their listing included, of random matches in plain Python."""
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


def batch(game: Game, seats: int, threads: int, slice: float = SLICE) -> Work:
    """The same compiled, in threads that each have their own states, for about a `slice` of seconds at a time."""
    fast = compiled.load(game)
    start = game.set_up(seats, 0, {}, {})
    like = compiled.arrays(start)
    rooms = [
        (fast.states(start, STATES), fast.dice(range(number * STATES, (number + 1) * STATES), "speed"))
        for number in range(threads)
    ]

    def play(states: Any, dice: Any, rounds: int) -> int:
        decisions = 0
        for _ in range(rounds):
            states[:] = like
            fast.deal_all(states, dice)
            decisions += fast.finish_all(states, dice)
        return decisions

    for states, dice in rooms:  # the first time is slower
        play(states, dice, 1)
    begun = perf_counter()
    play(*rooms[0], 3)
    rounds = ceil(3 * slice / (perf_counter() - begun))

    def work() -> int:
        decisions: list[int] = []

        def part(states: Any, dice: Any) -> None:
            decisions.append(play(states, dice, rounds))

        running = [Thread(target=part, args=room) for room in rooms]
        for thread in running:
            thread.start()
        for thread in running:
            thread.join()
        return sum(decisions)

    return work


def opening(game: Game, seats: int) -> Match:
    """The first position with a choice."""
    match = Match(game, [str(seat) for seat in range(seats)], seed="search", first=0)
    while len(match.legal()) == 1:
        match.play_move(match.legal()[0])
    return match


def playouts(game: Game, seats: int, iterate: Callable[..., int], count: int, wary: int = 0) -> Work:
    """Playouts of the search, which thinks anew about the opening, `count` of them; `wary` as in `Judge.advance`."""
    match = opening(game, seats)
    view, seat = match.view(match.turn), match.turn
    dice = chance.seeded(seats, "search")
    rooms = search.rooms(type(view), game.rules.MAX_LEGAL, PER_ITERATION * count)
    rooms[0][0] = view

    def work() -> int:
        rooms[-1][1] = search.Node()
        iterate(*rooms, dice, seat, wary, 1, 2, 0, count)
        return count

    return work


def first_decision(name: str) -> None:
    """Load a game compiled, let a Lynx decide about its opening, and print when that was done."""
    game = find(name)
    compiled.load(game, searching=True)
    match = opening(game, game.seats[0])
    LEVELS[0].choose(game, match.view(match.turn), match.turn, match.legal(), "first")
    print(time())


_FIRST = "import sys; from speeltafel.lab.bench import first_decision; first_decision(sys.argv[1])"


def beginning(game: Game, cache: str | None = None) -> Figure:
    """First decisions a second of a fresh process, from its start: one divided by the seconds it takes.

    `cache` is the folder of its machine code, instead of the usual one. Raises `Refusal` when it fails.
    """
    environment = os.environ | ({"XDG_CACHE_HOME": cache} if cache else {})
    unit = median(calibration() for _ in range(5))
    begun, before = time(), os.times()
    done = subprocess.run([sys.executable, "-c", _FIRST, game.name], capture_output=True, text=True, env=environment)
    if done.returncode:
        why = (done.stderr.strip().splitlines() or [str(done.returncode)])[-1]
        raise Refusal(say("{game} cannot be compiled: {why}", game=game.title, why=why))
    seconds, after = float(done.stdout) - begun, os.times()
    used = after.children_user + after.children_system - before.children_user - before.children_system
    return Figure(rate=1 / seconds, ratio=1 / seconds / unit, cores=used / seconds)


def measure(names: Sequence[str], seconds: float, *, cold: bool = True) -> Iterator[tuple[str, int | Figure]]:
    """Everything of these games, each line with its name: of each game the size of its state first.

    Without `cold` the slow one is left out: the first decision of a process that has to compile.
    """
    for game in map(find, names):
        yield game.name, len(bytes(game.rules.State()))
        if cold:
            with tempfile.TemporaryDirectory() as cache:
                for part in BEGINNINGS:
                    yield f"{game.name}/{part}", beginning(game, cache)
        fast = compiled.load(game, searching=True)
        if not cold:
            yield f"{game.name}/warm", beginning(game)
        for seats in range(game.seats[0], game.seats[1] + 1):
            works = (
                (plain(game, seats), process_time),
                (batch(game, seats, 1, min(SLICE, seconds)), process_time),
                (batch(game, seats, 2, min(SLICE, seconds)), perf_counter),
                (playouts(game, seats, search.build(game.rules, game.judge), 4), process_time),
                (playouts(game, seats, fast.iterate, 1000), process_time),
                (playouts(game, seats, fast.iterate, 1000, wary=1), process_time),
            )
            for part, (work, clock) in zip(PARTS, works, strict=True):
                yield f"{game.name}/{seats}/{part}", timed(work, seconds, clock)
