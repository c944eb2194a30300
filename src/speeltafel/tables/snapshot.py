"""A table as it stands at one version. A snapshot never changes; every change makes a new one."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

from speeltafel.engine.game import Game
from speeltafel.engine.match import Entry, Match
from speeltafel.engine.records import SPECTATOR, Record
from speeltafel.engine.refusals import Message

Status = Literal["open", "running", "over", "closed"]
"""Open: waits for players. Closed: given up before the match began."""
Pace = Literal["slow", "normal", "fast", "instant"]


@dataclass(frozen=True)
class Human:
    """A seat wanted for the user who makes the table, who may hold several (one device passed around)."""

    name: str


@dataclass(frozen=True)
class Open:
    """A seat wanted for somebody who comes by the invitation."""


@dataclass(frozen=True)
class Bot:
    """A seat wanted for a bot of a level; without a name it gets one."""

    level: str = "greedy"
    name: str = ""


Place = Human | Open | Bot
"""What a seat of a new table is to be."""


@dataclass(frozen=True)
class Seat:
    """Who sits where. `number` counts from 0, clockwise."""

    number: int
    kind: Literal["human", "open", "bot"]
    name: str
    """Empty on an open seat."""
    user: str | None = None
    """Whose seat it is; bots and the people of imported matches have none."""
    level: str = ""
    """Level of the bot, or of the stand-in while its human is away."""
    away: bool = False
    """The human has left and a stand-in plays for it."""

    @property
    def played_by_bot(self) -> bool:
        """Whether a bot decides for this seat now."""
        return self.kind == "bot" or self.away


@dataclass(frozen=True)
class Tip:
    """One decision of a hint, in the match notation, and what the search expects of it."""

    move: str
    chance: float
    """Of winning, between 0 and 1."""
    lead: float
    """Expected points more than the best opponent."""
    visits: int = 0
    """How many playouts looked at it."""


@dataclass(frozen=True)
class Happening:
    """One line of the table's log: a decision, or somebody who came, left or took something back."""

    kind: Literal["move", "undo", "join", "leave", "back", "replaced", "hint"]
    seat: int
    name: str
    """Who sat there at the time; for the place `{name}` in the words."""
    at: float
    """Seconds since 1970."""
    words: tuple[Message, ...]
    """What happened."""
    entry: Entry | None = None
    """The decision, where it is one."""
    seconds: float = 0.0
    """How long the decision took."""


@dataclass(frozen=True)
class Table:
    """One table at one version.

    It knows everything, hidden cards too: show people `view`, `legal_for` and the log, nothing else.
    """

    id: str
    version: int
    """How many events the table has had; every change makes it larger."""
    status: Status
    game: Game
    options: Mapping[str, Any]
    data: Mapping[str, str]
    """Data files that differ from the shipped ones."""
    language: str
    owner: str
    code: str
    """The invitation."""
    pace: Pace
    hints: bool
    """Whether hints may be asked for."""
    watch: bool
    """Whether people without a seat may look on."""
    created: float
    updated: float
    seats: tuple[Seat, ...]
    match: Match | None
    """None before the deal. Shared between threads: never change it, take a `copy` to play on."""
    legal: tuple[int, ...]
    """The legal decisions of the seat whose turn it is, ascending."""
    scores: tuple[int, ...]
    """As they stand, by seat; empty before the deal."""
    winners: tuple[int, ...]
    """The seats that won, ascending; empty until the match is over."""
    log: tuple[Happening, ...]
    started: float | None = None
    """When the cards were dealt."""
    asked: float = 0.0
    """Since when the decision that is asked now is asked; when it ended, once it is over."""
    imported: bool = False
    """Whether it came from a match file."""
    origin: Mapping[str, Any] | None = None
    """The optional keys of the match file it came from."""
    tips: tuple[Tip, ...] = ()
    """The hint that was given for the decision that is asked now, the best first; for its seat alone."""
    rematch_of: str | None = None
    rematch: str | None = None
    """The table where they play again."""

    @property
    def turn(self) -> int | None:
        """The seat whose decision it is, while the match runs."""
        return self.match.turn if self.match is not None and self.status == "running" else None

    @property
    def paused(self) -> bool:
        """Whether all its people have left: then the bots wait until somebody is back."""
        humans = [seat for seat in self.seats if seat.kind == "human"]
        return bool(humans) and all(seat.away for seat in humans)

    def seats_of(self, user: str) -> tuple[int, ...]:
        """The seats that the user holds, also while away."""
        return tuple(seat.number for seat in self.seats if seat.user == user)

    def acting(self, user: str) -> int | None:
        """The seat for which the user has to decide now, if any."""
        turn = self.turn
        if turn is None or self.seats[turn].user != user or self.seats[turn].played_by_bot:
            return None
        return turn

    def facing(self, user: str) -> int:
        """The seat from which the user sees the table: the one to decide for, else their first, else `SPECTATOR`.

        Who holds several seats on one device is shown the latest of them to decide, until the next one has to.
        """
        acting = self.acting(user)
        if acting is not None:
            return acting
        mine = self.seats_of(user)
        for happening in reversed(self.log):
            if happening.seat in mine and happening.kind == "move":
                return happening.seat
        return mine[0] if mine else SPECTATOR

    def may_watch(self, user: str) -> bool:
        """Whether the user may see this table at all: with a seat or as owner always, else if watching is allowed."""
        return self.watch or user == self.owner or bool(self.seats_of(user))

    def can_undo(self, user: str) -> bool:
        """Whether the user may take the last decision back."""
        seat = self.acting(user)
        return seat is not None and self.match is not None and self.match.can_undo(seat)

    def view(self, seat: int) -> Record | None:
        """What a seat, or `SPECTATOR`, may see; None before the deal."""
        return None if self.match is None else self.match.view(seat)

    def legal_for(self, user: str) -> tuple[int, ...]:
        """The decisions the user may take now; empty when it is not their turn."""
        return self.legal if self.acting(user) is not None else ()


@dataclass(frozen=True)
class Summary:
    """One of a user's tables, as the home page lists it."""

    id: str
    game: Game
    status: Status
    created: float
    updated: float
    seats: tuple[Seat, ...]
    yours: tuple[int, ...]
    """The seats of the user who asked."""
    turn: int | None
    your_turn: bool
    scores: tuple[int, ...]
    """Final scores, once over."""
    winners: tuple[int, ...]
    imported: bool
    rematch: str | None
