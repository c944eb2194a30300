"""Matches between players, by the hundred: the same plan and seed always give the same matches."""

from __future__ import annotations

import multiprocessing
from collections.abc import Callable, Iterable, Iterator, Mapping
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field, replace
from itertools import islice
from statistics import fmean
from typing import Any, TypeVar

from speeltafel import games, players
from speeltafel.engine.match import Match
from speeltafel.players import compiled
from speeltafel.players.levels import Thinker

P = TypeVar("P")

WORTH_COMPILING = 200
"""From this many matches on, compiling the rules takes less time than it saves."""


@dataclass(frozen=True)
class Plan:
    """What is to be played: match `i` of the plan has the seed `{seed}/{i}`."""

    game: str
    seats: tuple[str, ...]
    """Names of players, by seat."""
    games: int
    seed: str
    options: Mapping[str, Any] = field(default_factory=dict)
    data: Mapping[str, str] = field(default_factory=dict)
    rotate: bool = False
    """Whether everybody moves one seat on after every match."""
    document: bool = False
    """Whether matches are written as documents."""
    legal: bool = False
    """Whether documents list the legal decisions of each move."""

    def check(self) -> None:
        """Raise `Refusal` for a plan that cannot be played: who, how many, which options and data."""
        for name in self.seats:
            players.find(name)
        games.find(self.game).set_up(len(self.seats), 0, self.options, self.data)

    def seating(self, number: int) -> tuple[str, ...]:
        """Who sits where in a match."""
        shift = number % len(self.seats) if self.rotate else 0
        return self.seats[shift:] + self.seats[:shift]


@dataclass(frozen=True)
class Outcome:
    """How one match of a plan went."""

    seats: tuple[str, ...]
    first: int
    scores: tuple[int, ...]
    winners: tuple[int, ...]
    decisions: int
    document: str | None = None
    """The match file, one line of JSON, if the plan asks for it."""


def prepare(plan: Plan) -> None:
    """Make the compiled rules ready in this process if that is worth the time; the matches stay the same."""
    game = games.find(plan.game)
    searching = any(isinstance(players.find(name), Thinker) for name in plan.seats)
    if searching or plan.games >= WORTH_COMPILING or compiled.kept(game):
        compiled.load(game, searching=searching)


def play(plan: Plan, number: int) -> Outcome:
    """Play one match of the plan. Raises `Refusal` for a plan that cannot be played."""
    game = games.find(plan.game)
    fast = compiled.loaded(game)
    if fast:
        game = replace(game, rules=fast)
    seats = plan.seating(number)
    bots = [players.find(name) for name in seats]
    seed = f"{plan.seed}/{number}"
    match = Match(game, seats, plan.options, seed=seed, data=plan.data)
    legal_texts = []
    while not match.over:
        seat, legal = match.turn, match.legal()
        if plan.legal:
            legal_texts.append([game.moves.text(match.state, move) for move in legal])
        match.play_move(bots[seat].choose(game, match.view(seat), seat, legal, f"{seed}/{len(match.entries)}"))
    result = match.result()
    return Outcome(
        seats,
        match.first,
        tuple(result.scores),
        tuple(result.winners),
        len(match.entries),
        match.document(legal=legal_texts if plan.legal else None).text() if plan.document else None,
    )


def simulate(plan: Plan, jobs: int = 1) -> Iterator[Outcome]:
    """Play the whole plan and yield its matches in order, `jobs` processes side by side.

    Raises `Refusal` for a plan that cannot be played, before anything is yielded.
    """
    plan.check()
    yield from spread(play, prepare, plan, plan.games, jobs)


def spread(
    work: Callable[[P, int], Outcome], prepare: Callable[[P], None], plan: P, count: int, jobs: int
) -> Iterator[Outcome]:
    """Yield `work(plan, 0)` to `work(plan, count - 1)` in order, `jobs` processes side by side, each prepared."""
    prepare(plan)
    if jobs == 1:
        yield from (work(plan, number) for number in range(count))
        return
    spawn = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(jobs, mp_context=spawn, initializer=prepare, initargs=(plan,)) as pool:
        numbers = iter(range(count))
        # a window, so that a long plan does not pile up in memory
        waiting = [pool.submit(work, plan, number) for number in islice(numbers, 8 * jobs)]
        while waiting:
            yield waiting.pop(0).result()
            waiting += [pool.submit(work, plan, number) for number in islice(numbers, 1)]


@dataclass
class Tally:
    """Wins and points of somebody over many matches."""

    matches: int = 0
    wins: int = 0
    """Matches won, alone or together."""
    shared: int = 0
    """Of these, won together with others."""
    points: int = 0

    def add(self, outcome: Outcome, seat: int) -> None:
        """Count a match in which they had this seat."""
        self.matches += 1
        self.points += outcome.scores[seat]
        if seat in outcome.winners:
            self.wins += 1
            self.shared += len(outcome.winners) > 1

    @property
    def rate(self) -> float:
        """Part of the matches won."""
        return self.wins / self.matches if self.matches else 0.0

    @property
    def mean(self) -> float:
        """Mean score."""
        return self.points / self.matches if self.matches else 0.0


@dataclass
class Summary:
    """What a simulation has shown so far."""

    seats: list[Tally]
    bots: dict[str, Tally]
    start: Tally
    """The seat that began, whichever it was."""
    matches: int = 0
    decisions: int = 0

    @classmethod
    def of(cls, plan: Plan, outcomes: Iterable[Outcome] = ()) -> Summary:
        """The summary of some matches of a plan."""
        made = cls([Tally() for _ in plan.seats], {name: Tally() for name in plan.seats}, Tally())
        for outcome in outcomes:
            made.add(outcome)
        return made

    def add(self, outcome: Outcome) -> None:
        """Count one match more."""
        self.matches += 1
        self.decisions += outcome.decisions
        self.start.add(outcome, outcome.first)
        for seat, name in enumerate(outcome.seats):
            self.seats[seat].add(outcome, seat)
            self.bots[name].add(outcome, seat)

    @property
    def average(self) -> float:
        """How often the average seat wins; set against the start seat it shows what starting is worth."""
        return fmean(tally.rate for tally in self.seats)
