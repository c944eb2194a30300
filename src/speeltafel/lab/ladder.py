"""Ladders: bots play the same deals in every seating, and are rated by who beat whom."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property, partial
from itertools import permutations
from math import sqrt
from statistics import fmean
from typing import Any

from openskill.models import PlackettLuce

from speeltafel import games, players
from speeltafel.engine.match import Match
from speeltafel.engine.refusals import Refusal, say
from speeltafel.lab.matches import Outcome, fastest, finish, prepare, spread
from speeltafel.players.levels import Thinker
from speeltafel.players.player import Player

CONFIDENCE = 1.96
"""Standard deviations on both sides that hold 95 %."""


@dataclass(frozen=True)
class Ladder:
    """What is to be played: every deal once in each seating."""

    game: str
    bots: tuple[str, ...]
    """Names of players; one may stand there several times."""
    seats: int
    games: int
    """How many matches at least; they are rounded up to whole deals."""
    seed: str
    playouts: int | None = None
    """Playouts for each second of a bot's time, instead of the clock."""
    options: Mapping[str, Any] = field(default_factory=dict)
    data: Mapping[str, str] = field(default_factory=dict)

    @cached_property
    def seatings(self) -> tuple[tuple[str, ...], ...]:
        """Every way to seat as many of the bots as there are seats."""
        return tuple(dict.fromkeys(permutations(self.bots, self.seats)))

    @property
    def matches(self) -> int:
        """How many matches are played."""
        return -(-self.games // len(self.seatings)) * len(self.seatings)

    def player(self, name: str) -> Player:
        """The bot of that name with its budget. Raises `Refusal` for none, or for a budget of nothing."""
        found = players.find(name)
        return found.counting(self.playouts) if isinstance(found, Thinker) and self.playouts is not None else found

    def check(self) -> None:
        """Raise `Refusal` for a ladder that cannot be played."""
        for name in self.bots:
            self.player(name)
        games.find(self.game).set_up(self.seats, 0, self.options, self.data)
        if len(self.bots) < self.seats:
            raise Refusal(
                say(
                    "{seats} seats need at least as many bots, not {bots}; one may be named several times",
                    seats=self.seats,
                    bots=len(self.bots),
                )
            )


def play(ladder: Ladder, number: int) -> Outcome:
    """Play one match of the ladder."""
    deal, seating = divmod(number, len(ladder.seatings))
    seats = ladder.seatings[seating]
    match = Match(fastest(ladder.game), seats, ladder.options, seed=f"{ladder.seed}/{deal}", data=ladder.data)
    return finish(match, [ladder.player(name) for name in seats])


def climb(ladder: Ladder, jobs: int = 1) -> Iterator[Outcome]:
    """Play the whole ladder and yield its matches in order. Raises `Refusal` for one that cannot be played."""
    ladder.check()
    ready = partial(prepare, ladder.game, ladder.bots, ladder.matches)
    yield from spread(partial(play, ladder), ready, ladder.matches, jobs)


@dataclass
class Standing:
    """How a bot did."""

    name: str
    seats: int
    rating: float = 0.0
    sigma: float = 0.0
    """Standard deviation of the rating, by a model that takes all matches for independent."""
    results: list[float] = field(default_factory=list)
    """For each match and seat of the bot: the share of the win it had, 0 to 1."""
    by_deal: dict[int, list[float]] = field(default_factory=lambda: defaultdict(list))
    """The results by the number of the deal."""
    points: list[int] = field(default_factory=list)
    in_seat: list[list[float]] = field(init=False)
    """The results by seat."""

    def __post_init__(self) -> None:
        self.in_seat = [[] for _ in range(self.seats)]

    @property
    def rate(self) -> float:
        """Part of the matches won; a shared win counts in parts."""
        return fmean(self.results) if self.results else 0.0

    @property
    def interval(self) -> tuple[float, float]:
        """The 95 % confidence interval of `rate`: its low and its high end, 0 to 1.

        Matches of one deal depend on each other, so the mean result of each deal is one sample. Half the square of
        1.96 deals won and as many lost are added to them (Agresti and Coull), so that neither few deals nor deals
        that all went alike look certain; where each deal is won or lost as a whole this holds the Wilson interval.
        """
        shares = [fmean(results) for results in self.by_deal.values()]
        added = CONFIDENCE**2 / 2
        count = len(shares) + 2 * added
        mean = (sum(shares) + added) / count
        variance = (sum(share**2 for share in shares) + added) / count - mean**2
        margin = CONFIDENCE * sqrt(variance / count)
        return max(0.0, mean - margin), min(1.0, mean + margin)

    @property
    def mean(self) -> float:
        """Mean score."""
        return fmean(self.points) if self.points else 0.0

    def rate_in(self, seat: int) -> float:
        """Part of the matches won in a seat."""
        return fmean(self.in_seat[seat]) if self.in_seat[seat] else 0.0


def standings(ladder: Ladder, outcomes: Iterable[Outcome]) -> list[Standing]:
    """The bots with their ratings (Plackett-Luce), the best first, from its first matches in order."""
    found = {name: Standing(name, ladder.seats) for name in ladder.bots}
    model = PlackettLuce()
    ratings = {name: model.rating(name=name) for name in found}
    for number, outcome in enumerate(outcomes):
        for seat, name in enumerate(outcome.seats):
            result = 1 / len(outcome.winners) if seat in outcome.winners else 0.0
            found[name].results.append(result)
            found[name].by_deal[number // len(ladder.seatings)].append(result)
            found[name].in_seat[seat].append(result)
            found[name].points.append(outcome.scores[seat])
        rated = model.rate([[ratings[name]] for name in outcome.seats], ranks=places(outcome))
        for name in set(outcome.seats):
            # a bot in several seats learns the mean of what happened to it
            own = [team[0] for team, other in zip(rated, outcome.seats, strict=True) if other == name]
            ratings[name] = model.rating(name=name, mu=fmean(r.mu for r in own), sigma=fmean(r.sigma for r in own))
    for name, standing in found.items():
        standing.rating, standing.sigma = ratings[name].mu, ratings[name].sigma
    return sorted(found.values(), key=lambda standing: -standing.rating)


def places(outcome: Outcome) -> list[float]:
    """The place of each seat, from 1: winners first, then by score; equals share one."""
    keys = [(seat in outcome.winners, score) for seat, score in enumerate(outcome.scores)]
    won = [(True, 0) if key[0] else key for key in keys]
    return [1.0 + sum(other > key for other in won) for key in won]
