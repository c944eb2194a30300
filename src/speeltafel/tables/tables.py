"""Everything that can be done at a table."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Protocol

from speeltafel.engine.documents import Document
from speeltafel.engine.game import Game
from speeltafel.engine.match import Match
from speeltafel.engine.records import Record
from speeltafel.tables.snapshot import Pace, Place, Summary, Table
from speeltafel.tables.store import Store

PACES: Mapping[Pace, float] = {"slow": 2.5, "normal": 1.2, "fast": 0.4, "instant": 0.0}
"""Seconds before a bot's first decision of a turn, so that people can follow."""


class Player(Protocol):
    """A bot: from a seat's view to a decision."""

    def choose(self, game: Game, view: Record, seat: int, legal: Sequence[int], seed: str, /) -> int:
        """One of the `legal` decisions of `seat`, which sees `view`; the same `seed` gives the same choice."""


class Tables:
    """All tables of one database. Every method may be called from any thread, and several processes may serve one.

    A user is an opaque text that the caller vouches for (a signed cookie). Everything refused is a
    `Refusal`: a `TableRefusal` with its kind, or the engine's own for options and data files that cannot be.
    Whatever a method returns or shows has been committed.
    """

    def __init__(
        self,
        store: Store,
        *,
        clock: Callable[[], float] = time.time,
        players: Mapping[str, Player] | None = None,
        poll: float = 2.0,
    ) -> None:
        """`players` are the bots by level; `poll` is how often, in seconds, other processes' changes are looked for."""

    # Making a table and filling it

    def create(
        self,
        user: str,
        game: str,
        seats: Sequence[Place],
        options: Mapping[str, Any] | None = None,
        *,
        data: Mapping[str, str] | None = None,
        language: str = "en",
        pace: Pace = "normal",
        hints: bool = True,
        watch: bool = True,
        first: int | None = None,
        seed: str | None = None,
    ) -> str:
        """Make a table, owned by `user`; returns its identifier. Without an `Open` seat the match begins at once.

        `first` is the start seat, random without. Raises `Refusal` for an unknown game, option, level, pace or
        data file, a wrong number of seats, or a name that cannot be.
        """
        raise NotImplementedError

    def invited(self, code: str) -> Table:
        """The table of an invitation. Raises `NotFound`."""
        raise NotImplementedError

    def join(self, code: str, user: str, name: str, seat: int | None = None) -> tuple[str, int]:
        """Take an open seat by invitation; returns table and seat. The match begins when none is left open.

        Who has a seat there already gets that one. Raises `NotFound` for a wrong code, `Conflict` for a
        table that is full or has begun, `TableRefusal` for a name.
        """
        raise NotImplementedError

    def start(self, id: str, user: str, level: str = "greedy") -> int:
        """Begin now, with bots of `level` on the open seats; returns the version. Only the owner may."""
        raise NotImplementedError

    # At the table

    def table(self, id: str) -> Table:
        """The table as it stands. Raises `NotFound`. Whether a user may see it: `Table.may_watch`."""
        raise NotImplementedError

    def version(self, id: str) -> int:
        """The version of a table, cheaply. Raises `NotFound`."""
        raise NotImplementedError

    def play(self, id: str, user: str, seat: int | None, version: int, text: str) -> int:
        """Take a decision, in the match notation, at the version the user saw; returns the new version.

        Without `seat` it is the seat whose turn it is. Raises `Stale` for an old version, `Illegal` with the
        rule, `Forbidden` without a seat or out of turn, `Conflict` when the match has not begun or is over.
        """
        raise NotImplementedError

    def undo(self, id: str, user: str, version: int) -> int:
        """Take the last decision back, up to the last thing anyone learned; returns the new version."""
        raise NotImplementedError

    def leave(self, id: str, user: str, seat: int | None = None) -> int:
        """Get up from all own seats; returns the version. The owner may name the `seat` of somebody who is away.

        Before the deal the seats are open again; an owner without a seat left hands the table on, or closes it
        when nobody else is there. Afterwards a stand-in plays until `come_back`.
        """
        raise NotImplementedError

    def come_back(self, id: str, user: str) -> int:
        """Take the own seats back from the stand-ins; returns the version."""
        raise NotImplementedError

    def set_pace(self, id: str, user: str, pace: Pace) -> int:
        """Let bots play slower or faster; returns the version. Anybody with a seat, and the owner, may."""
        raise NotImplementedError

    def rematch(self, id: str, user: str) -> str:
        """Play again: same seats and options, the next start seat. The same new table for everybody who asks."""
        raise NotImplementedError

    # Finished matches, and lists

    def tables_of(self, user: str, limit: int = 50) -> list[Summary]:
        """The tables where the user has a seat or that are theirs, the latest first; those waiting for them lead."""
        raise NotImplementedError

    def document(self, id: str) -> Document:
        """The match file of a match that is over. Raises `Forbidden` while it runs: it shows every card."""
        raise NotImplementedError

    def import_match(self, user: str, text: str, language: str = "en") -> str:
        """Keep a finished match from the text of a match file, to step through; returns the table's identifier."""
        raise NotImplementedError

    def match_at(self, id: str, moves: int) -> Match:
        """A finished match after its first `moves` decisions. Its `view(seat)` is what a seat saw, its `state` all."""
        raise NotImplementedError

    # Bots and change

    def run_due(self, now: float | None = None) -> int:
        """Take one decision for each bot that is due; returns how many were made. Call again until it is 0."""
        raise NotImplementedError

    def next_due(self) -> float | None:
        """When the next bot is due, in seconds since 1970; None if no bot is to move."""
        raise NotImplementedError

    async def tend_bots(self) -> None:
        """Let bots play whenever they are due, in threads, until cancelled. One such task a process."""

    async def wait(self, id: str, version: int, timeout: float) -> int:
        """Wait until the table is past `version`, or `timeout` seconds; returns the version it has then."""
        raise NotImplementedError
