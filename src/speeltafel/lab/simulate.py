"""Matches between players, by the hundred: the same plan and seed always give the same matches."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import partial
from statistics import fmean
from typing import Any

from speeltafel import games, players
from speeltafel.engine.match import Match
from speeltafel.lab.matches import Outcome, fastest, finish, prepare, spread


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


def play(plan: Plan, number: int) -> Outcome:
    """Play one match of the plan. Raises `Refusal` for a plan that cannot be played."""
    seats = plan.seating(number)
    match = Match(fastest(plan.game), seats, plan.options, seed=f"{plan.seed}/{number}", data=plan.data)
    return finish(match, [players.find(name) for name in seats], document=plan.document, legal=plan.legal)


def simulate(plan: Plan, jobs: int = 1) -> Iterator[Outcome]:
    """Play the whole plan and yield its matches in order, `jobs` processes side by side.

    Raises `Refusal` for a plan that cannot be played, before anything is yielded.
    """
    plan.check()
    yield from spread(partial(play, plan), partial(prepare, plan.game, plan.seats, plan.games), plan.games, jobs)


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
