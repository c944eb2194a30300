"""The log of a table: what each event means, how a table is rebuilt from them, and how more are added."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import sqlalchemy as sa

from speeltafel import games
from speeltafel.engine.match import Match
from speeltafel.engine.refusals import Refusal, say
from speeltafel.tables import store
from speeltafel.tables.refusals import Conflict, Stale, unknown_table
from speeltafel.tables.snapshot import Happening, Pace, Seat, Table, Tip

PACES: Mapping[Pace, float] = {"slow": 2.5, "normal": 1.2, "fast": 0.4, "instant": 0.0}
"""The least seconds before a bot's first decision of a turn, so that people can follow; it thinks meanwhile."""
FOLLOWS = 0.6
"""The part of that time before each further decision of the same turn."""


def earliest(table: Table) -> float:
    """The moment before which a bot does not decide: the pace, from the last change of the table."""
    assert table.match is not None
    entries = table.match.entries
    follows = bool(entries) and entries[-1].seat == table.turn
    return table.updated + PACES[table.pace] * (FOLLOWS if follows else 1)


@dataclass(frozen=True)
class Event:
    """Something that happens to a table.

    kind      seat  data
    join      whose name
    deal      -     seats (names), first, shuffles; of an imported match also origin (keys of its file)
    move      whose text, and shuffles if it made any
    undo      whose -
    leave     whose name; running: whether the match had begun
    back      whose -
    hint      whose prospects: move, chance, lead and visits of the best decisions
    replaced  whose level, instead of: the level that failed
    pace, rematch, close, owner: no line in the log
    """

    kind: str
    seat: int | None = None
    user: str | None = None
    data: Mapping[str, Any] = field(default_factory=dict)
    at: float | None = None
    """When it happened; None for now."""


def read(connection: sa.Connection, id: str, known: Table | None = None, lock: bool = False) -> Table:
    """The table as the database has it, grown from the snapshot `known` where that is possible.

    With `lock` nobody else changes it before the transaction ends. Raises `NotFound`.
    """
    query = sa.select(store.tables).where(store.tables.c.id == id)
    row = connection.execute(query.with_for_update() if lock else query).mappings().one_or_none()
    if row is None:
        raise unknown_table(id)
    if known is not None and known.version == row["version"]:
        return known
    seats = connection.execute(sa.select(store.seats).where(store.seats.c.table == id).order_by(store.seats.c.number))
    since = known.version if known is not None and known.version < row["version"] else 0
    events = connection.execute(
        sa.select(store.events)
        .where(store.events.c.table == id, store.events.c.seq > since)
        .order_by(store.events.c.seq)
    )
    game = games.find(row["game"])
    table = Table(
        match=None,
        legal=(),
        scores=(),
        winners=(),
        log=(),
        started=None,
        asked=row["created"],
        origin=None,
        game=game,
        seats=tuple(seat(place) for place in seats.mappings()),
        rematch=connection.scalar(sa.select(store.tables.c.id).where(store.tables.c.rematch_of == id)),
        **{key: row[key] for key in _COLUMNS},
    )
    grown = _Grown(known if since else None)
    try:
        for event in events.mappings():
            grown.add(table, row, event)
    except Refusal as refusal:
        raise Conflict(
            say("Table {table} cannot be continued by these rules: {why}", table=id, why=refusal.message), refusal.rule
        ) from refusal
    match = grown.match
    return replace(
        table,
        match=match,
        legal=tuple(match.legal()) if match is not None else (),
        scores=tuple(match.scores()) if match is not None else (),
        winners=tuple(match.result().winners) if match is not None and match.over else (),
        log=tuple(grown.log),
        started=grown.started,
        asked=grown.asked or table.created,
        origin=grown.origin,
        tips=grown.tips,
    )


_COLUMNS = (
    "id", "version", "status", "options", "data", "language", "owner", "code", "pace", "hints", "watch", "created",
    "updated", "imported", "rematch_of",
)  # fmt: skip


def seat(row: sa.RowMapping) -> Seat:
    """The seat of a row of `seats`."""
    return Seat(row["number"], row["kind"], row["name"], row["user"], row["level"], row["away"])


class _Grown:
    """What the events up to now make of a table; begins at what is known of it."""

    def __init__(self, known: Table | None) -> None:
        self.match = known.match.copy() if known is not None and known.match is not None else None
        self.log = list(known.log) if known is not None else []
        self.started = known.started if known is not None else None
        self.asked = known.asked if known is not None else 0.0
        self.origin = known.origin if known is not None else None
        self.tips = known.tips if known is not None else ()

    def add(self, table: Table, row: sa.RowMapping, event: sa.RowMapping) -> None:
        """Take the next event in. Raises `Refusal` when the rules do not allow it."""
        kind, seat, at, data = event["kind"], event["seat"], event["at"], event["data"]
        name = data.get("name") or (table.seats[seat].name if seat is not None else "")
        if kind == "deal":
            if row["rules"] != table.game.version:
                raise Refusal(
                    say("rules: version {version} of {game} is not known", version=row["rules"], game=table.game.title)
                )
            self.match = Match(
                table.game,
                data["seats"],
                table.options,
                first=data["first"],
                seed=row["seed"],
                data=table.data,
                shuffles=data["shuffles"],
            )
            self.started, self.asked, self.origin = at, at, data.get("origin")
        elif kind == "move":
            assert self.match is not None
            entry = self.match.play(data["text"], data.get("shuffles", ()))
            self.tips = ()
            self.log.append(Happening("move", seat, name, at, entry.words, entry, at - self.asked))
            self.asked = at
        elif kind == "undo":
            assert self.match is not None
            self.match.undo(seat)
            self.tips = ()
            del self.log[max(i for i, happening in enumerate(self.log) if happening.kind == "move")]
            if not (self.log and self.log[-1].kind == "undo" and self.log[-1].seat == seat):
                self.log.append(Happening("undo", seat, name, at, (say("{name} took a decision back"),)))
            self.asked = at
        elif kind == "hint":
            self.tips = tuple(Tip(**prospect) for prospect in data["prospects"])
            self.log.append(Happening("hint", seat, name, at, (say("{name} asked for a hint"),)))
        elif kind == "join":
            self.log.append(Happening("join", seat, name, at, (say("{name} sat down"),)))
        elif kind == "leave":
            words = say("{name} left; a stand-in plays on") if data["running"] else say("{name} left")
            self.log.append(Happening("leave", seat, name, at, (words,)))
        elif kind == "back":
            self.log.append(Happening("back", seat, name, at, (say("{name} is back"),)))
        elif kind == "replaced":
            self.log.append(Happening("replaced", seat, name, at, (_REPLACED,)))


_REPLACED = say("{name} lost the thread; a simpler bot decides from here on")


class Change:
    """A transaction on one table that nobody else can change meanwhile."""

    def __init__(self, connection: sa.Connection, table: Table, now: float) -> None:
        self.connection, self.table, self.now = connection, table, now

    def write(
        self, *events: Event, match: Match | None = None, seats: Sequence[Seat] | None = None, **columns: Any
    ) -> int:
        """Add events, with the match, seats and columns that they lead to; returns the new version."""
        match = self.table.match if match is None else match
        version = self.table.version + len(events)
        after = replace(self.table, match=match, seats=tuple(seats or self.table.seats), **_known(columns))
        if after.status == "running" and match is not None and match.over:
            after = replace(after, status="over")
            columns["result"] = match.result().model_dump()
        columns |= {"version": version, "updated": self.now, "status": after.status, "turn": after.turn}
        written = self.connection.execute(
            sa.update(store.tables)
            .where(store.tables.c.id == self.table.id, store.tables.c.version == self.table.version)
            .values(columns)
        )
        if written.rowcount != 1:
            raise Stale(self.table.version)
        self.connection.execute(
            sa.insert(store.events),
            [
                {**vars(event), "table": self.table.id, "seq": seq, "at": self.now if event.at is None else event.at}
                for seq, event in enumerate(events, start=self.table.version + 1)
            ],
        )
        place = store.seats.c
        self.connection.execute(
            sa.delete(store.seats).where(place.table == self.table.id, place.number >= len(after.seats))
        )
        for seat in after.seats:
            if seat != self.table.seats[seat.number]:
                self.connection.execute(
                    sa.update(store.seats)
                    .where(place.table == self.table.id, place.number == seat.number)
                    .values(**vars(seat))
                )
        self._next_job(after, version)
        return version

    def _next_job(self, after: Table, version: int) -> None:
        """Replace the table's job by the one that is due now: that a bot thinks about its next decision, or none."""
        self.connection.execute(sa.delete(store.jobs).where(store.jobs.c.table == after.id))
        if after.turn is None or after.match is None or after.paused or not after.seats[after.turn].played_by_bot:
            return
        self.connection.execute(sa.insert(store.jobs).values(table=after.id, version=version, due=self.now))


def _known(columns: Mapping[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in columns.items() if key in _COLUMNS}
