"""Everything that can be done at a table."""

from __future__ import annotations

import asyncio
import logging
import os
import secrets
import sys
import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import replace
from datetime import UTC, datetime
from functools import partial
from operator import index
from typing import Any, NamedTuple

import sqlalchemy as sa

from speeltafel import games
from speeltafel.engine import documents
from speeltafel.engine.documents import Document
from speeltafel.engine.game import Game
from speeltafel.engine.match import Match
from speeltafel.engine.records import Record
from speeltafel.engine.refusals import Refusal, say
from speeltafel.players import PLAYERS
from speeltafel.players.chance import Chance
from speeltafel.players.player import Player
from speeltafel.players.thought import Prospect, Thought
from speeltafel.tables import log, names, store
from speeltafel.tables.feed import Feed, heard
from speeltafel.tables.log import PACES, Change, Event, earliest
from speeltafel.tables.refusals import Busy, Conflict, Forbidden, Illegal, NotFound, Stale, TableRefusal, unknown_table
from speeltafel.tables.snapshot import Bot, Human, Open, Pace, Place, Seat, Summary, Table
from speeltafel.tables.store import Store

STAND_IN = "greedy"
"""The level that plays for people who are away and instead of bots that fail."""
LEASE = 20.0
"""Seconds after which a bot's decision that was begun and never came is begun again."""
OVERDUE = 1.0
"""Seconds after which a decision that waited and was not taken is forgotten."""
THINKERS = os.cpu_count() or 1
"""How many bots think at once in a process, in threads of their own."""
CACHED, REPLAYS = 200, 8
"""How many tables and decisions that wait, and how many finished matches with every step, are kept in memory."""
HINT, HINTS = 1.0, 4 * THINKERS
"""Seconds of thought for a hint, and how many hints a process thinks about or lets wait; more are refused."""
LARGEST_FILE = 200_000
"""Characters in the largest data file for a table."""
_SIGNS = "23456789abcdefghjkmnpqrstuvwxyz"  # none that look alike
_JOBS = ""  # the topic of the bots' own bell

_logger = logging.getLogger(__name__)


class _Decided(NamedTuple):
    """A decision of a bot that waits until the pace allows it."""

    version: int
    level: str
    move: int
    due: float


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
        data: Mapping[str, Mapping[str, str]] | None = None,
    ) -> None:
        """`players` are the bots by level; `data` the data files by game for tables made without their own.

        `poll` is how often, in seconds, other processes' changes are looked for.
        """
        self.store = store
        self.players = PLAYERS if players is None else players
        self._clock = clock
        self._poll = poll
        self._data = data or {}
        self._advising: set[str] = set()
        self._advisers = ThreadPoolExecutor(THINKERS, "hints", initializer=_people_first)
        self._claimed: set[tuple[str, int]] = set()
        self._stopped = threading.Event()
        self._decided: OrderedDict[str, _Decided] = OrderedDict()
        self._feed = Feed()
        self._lock = threading.Lock()
        self._cache: OrderedDict[str, Table] = OrderedDict()
        self._replays: OrderedDict[str, list[Match]] = OrderedDict()

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
        self._check_pace(pace)
        data = self._data.get(game, {}) if data is None else data
        for name, text in data.items():
            if len(text) > LARGEST_FILE:
                raise TableRefusal(say("{file} has at most {largest} characters", file=name[:40], largest=LARGEST_FILE))
        found = games.find(game)
        found.set_up(len(seats), first or 0, options or {}, data)  # refuses what cannot be, before it is kept
        with self.store.write() as connection:
            change = self._insert(
                connection,
                user,
                found,
                self._seats(user, seats),
                options=dict(options or {}),
                data=dict(data),
                language=language,
                pace=pace,
                hints=hints,
                watch=watch,
                first=first,
                seed=seed,
            )
            if not any(isinstance(place, Open) for place in seats):
                self._deal(change)
        self._feed.ring(_JOBS)
        return change.table.id

    def _check_pace(self, pace: str) -> None:
        if pace not in PACES:
            raise TableRefusal(say("There is no pace {pace}; there are: {known}", pace=pace, known=", ".join(PACES)))

    def _check_level(self, level: str) -> None:
        if level not in self.players:
            known = ", ".join(self.players)
            raise TableRefusal(say("There is no bot {level}; there are: {known}", level=level[:24], known=known))

    def _seats(self, user: str, places: Sequence[Place]) -> list[Seat]:
        """The seats as wanted, people's names before bots', all distinct."""
        called: dict[int, str] = {}
        for number, place in enumerate(places):
            if not isinstance(place, Open) and place.name:
                called[number] = names.distinct(names.clean(place.name), called.values())
        seats = []
        for number, place in enumerate(places):
            if isinstance(place, Human):
                if number not in called:
                    names.clean(place.name)  # refuses it
                seats.append(Seat(number, "human", called[number], user))
            elif isinstance(place, Bot):
                self._check_level(place.level)
                if number not in called:
                    called[number] = names.for_bot(called.values())
                seats.append(Seat(number, "bot", called[number], level=place.level))
            else:
                seats.append(Seat(number, "open", ""))
        return seats

    def _insert(
        self, connection: sa.Connection, owner: str, game: Game, seats: Sequence[Seat], **columns: Any
    ) -> Change:
        """A new table in the database, still without events."""
        now = self._clock()
        row = {
            "id": _secret(12),
            "code": _secret(16),
            "version": 0,
            "status": "open",
            "game": game.name,
            "rules": game.version,
            "owner": owner,
            "created": now,
            "updated": now,
            "imported": False,
            **columns,
        }
        row["seed"] = secrets.token_hex(16) if row.get("seed") is None else row["seed"]
        connection.execute(sa.insert(store.tables).values(row))
        connection.execute(sa.insert(store.seats), [{"table": row["id"], **vars(seat)} for seat in seats])
        return Change(connection, log.read(connection, row["id"]), now)

    def _deal(self, change: Change, *before: Event, seats: Sequence[Seat] | None = None) -> int:
        """Begin the match, after the events that lead to it."""
        table = change.table
        row = change.connection.execute(
            sa.select(store.tables.c.seed, store.tables.c.first).where(store.tables.c.id == table.id)
        ).one()
        sitting = [seat.name for seat in seats or table.seats]
        first = None if row.first is None else row.first % len(sitting)
        match = Match(table.game, sitting, table.options, first=first, seed=row.seed, data=table.data)
        deal = Event("deal", data={"seats": sitting, "first": match.first, "shuffles": match.shuffles})
        return change.write(*before, deal, match=match, seats=seats, status="running")

    def invited(self, code: str) -> Table:
        """The table of an invitation. Raises `NotFound`."""
        code, id = code[:40].strip().lower(), None
        if _could_be(code):
            with self.store.read() as connection:
                id = connection.scalar(sa.select(store.tables.c.id).where(store.tables.c.code == code))
        if id is None:
            raise NotFound(say("This invitation is not known; ask for the link again"))
        return self.table(id)

    def join(self, code: str, user: str, name: str, seat: int | None = None) -> tuple[str, int]:
        """Take an open seat by invitation; returns table and seat. The match begins when none is left open.

        Who has a seat there already gets that one. Raises `NotFound` for a wrong code, `Conflict` for a
        table that is full or has begun, `TableRefusal` for a name.
        """
        id = self.invited(code).id
        with self._changing(id) as change:
            table = change.table
            if mine := table.seats_of(user):
                return id, mine[0]
            name = names.clean(name)
            if table.status != "open":
                raise Conflict(say("This match has begun already; you can still look on"))
            free = [place.number for place in table.seats if place.kind == "open"]
            if not free:
                raise Conflict(say("This table is full"))
            if seat is not None and seat not in free:
                raise Conflict(say("This seat is taken; choose another one"))
            taken = free[0] if seat is None else seat
            called = names.distinct(name, [place.name for place in table.seats])
            seats = _with(table.seats, Seat(taken, "human", called, user))
            join = Event("join", taken, user, {"name": called})
            if len(free) == 1:
                self._deal(change, join, seats=seats)
            else:
                change.write(join, seats=seats)
        return id, taken

    def start(self, id: str, user: str, level: str | None = STAND_IN) -> int:
        """Begin now, with bots of `level` on the open seats, or without those seats; returns the version.

        Only the owner may. Raises `TableRefusal` when too few seats would be left.
        """
        if level is not None:
            self._check_level(level)
        with self._changing(id) as change:
            table = change.table
            if user != table.owner:
                raise Forbidden(say("Only the person who made this table can begin"))
            if table.status != "open":
                raise Conflict(say("This match has begun already"))
            seats = list(table.seats)
            if level is None:
                taken = [seat for seat in seats if seat.kind != "open"]
                seats = [replace(seat, number=number) for number, seat in enumerate(taken)]
                if len(seats) < table.game.seats[0]:
                    raise TableRefusal(
                        say("{game} needs {low} players or more", game=table.game.title, low=table.game.seats[0])
                    )
            for seat in seats:
                if seat.kind == "open":
                    name = names.for_bot([other.name for other in seats])
                    seats[seat.number] = Seat(seat.number, "bot", name, level=level or STAND_IN)
            return self._deal(change, seats=seats)

    # At the table

    def table(self, id: str) -> Table:
        """The table as it stands. Raises `NotFound`. Whether a user may see it: `Table.may_watch`."""
        if not _could_be(id):
            raise unknown_table(id)
        with self.store.read() as connection:
            table = log.read(connection, id, self._known(id))
        with self._lock:
            known = self._cache.get(id)
            if known is None or known.version < table.version:
                self._cache[id] = table
            self._cache.move_to_end(id)
            while len(self._cache) > CACHED:
                self._cache.popitem(last=False)
        return table

    def _known(self, id: str) -> Table | None:
        with self._lock:
            return self._cache.get(id)

    def version(self, id: str) -> int:
        """The version of a table, cheaply. Raises `NotFound`."""
        if not _could_be(id):
            raise unknown_table(id)
        with self.store.read() as connection:
            version: int | None = connection.scalar(sa.select(store.tables.c.version).where(store.tables.c.id == id))
        if version is None:
            raise unknown_table(id)
        return version

    @contextmanager
    def _changing(self, id: str) -> Iterator[Change]:
        """A transaction on a table; bells ring once it is committed."""
        self.table(id)  # a long log is replayed before the database is held
        with self.store.write() as connection:
            yield Change(connection, log.read(connection, id, self._known(id), lock=True), self._clock())
        self._feed.ring(id)
        self._feed.ring(_JOBS)

    def play(self, id: str, user: str, seat: int | None, version: int, text: str) -> int:
        """Take a decision, in the match notation, at the version the user saw; returns the new version.

        Without `seat` it is the seat whose turn it is. Raises `Stale` for an old version, `Illegal` with the
        rule, `Forbidden` without a seat or out of turn, `Conflict` when the match has not begun or is over.
        """
        with self._changing(id) as change:
            match, turn = _acting(change.table, user, seat, version)
            made = len(match.shuffles)
            try:
                match.play(text)
            except Refusal as refusal:
                raise Illegal(refusal) from None
            return change.write(_move(match, turn, made, user), match=match)

    def undo(self, id: str, user: str, version: int) -> int:
        """Take the last decision back, up to the last thing anyone learned; returns the new version."""
        with self._changing(id) as change:
            match, turn = _acting(change.table, user, None, version)
            try:
                match.undo(turn)
            except Refusal as refusal:
                raise Conflict(refusal.message) from None
            return change.write(Event("undo", turn, user), match=match)

    def hint(self, id: str, user: str, version: int, playouts: int | None = None) -> int:
        """Let the search think about the decision that the user has to take; returns the new version.

        The result is `Table.tips`, for that seat alone; the log says that it was asked for. `playouts` makes it
        repeatable, without it the search takes `HINT` seconds. Raises as `play`, `Forbidden` without hints, and
        `Busy` where `HINTS` others are waited for.
        """
        table = self.table(id)
        match, turn = _acting(table, user, None, version)
        if not table.hints:
            raise Forbidden(say("At this table there are no hints"))
        game, legal = table.game, table.legal
        with self._lock:
            if id in self._advising:
                raise Conflict(say("The search is thinking about a hint already"))
            if len(self._advising) >= HINTS:
                raise Busy(say("Many others want a hint just now; ask again in a moment"))
            self._advising.add(id)
        try:
            seed = f"{id} {version}"
            found = self._advisers.submit(
                self._think_along, game, match.view(turn), turn, legal, seed, playouts
            ).result()
        finally:
            with self._lock:
                self._advising.discard(id)
        prospects = [
            {
                "move": game.moves.text(match.state, best.move),
                "chance": best.chance,
                "lead": best.lead,
                "visits": best.visits,
            }
            for best in found
        ]
        with self._changing(id) as change:
            _acting(change.table, user, None, version)
            return change.write(Event("hint", turn, user, {"prospects": prospects}))

    def _think_along(
        self, game: Game, view: Record, seat: int, legal: Sequence[int], seed: str, playouts: int | None
    ) -> list[Prospect]:
        """What the search expects of the best three decisions, after `playouts` or `HINT` seconds."""
        if len(legal) == 1:  # the search does not look at what there is no choice in
            return [Prospect(legal[0], 0, 0.0, 0.0)]
        thought = Thought(game, view, seat, seed)
        thought.think(playouts=playouts, seconds=HINT)
        return thought.prospects(legal)[:3]

    def leave(self, id: str, user: str, seat: int | None = None) -> int:
        """Get up from all own seats; returns the version. The owner may name the `seat` of somebody who is away.

        Before the deal the seats are open again; an owner without a seat left hands the table on, or closes it
        when nobody else is there. Afterwards a stand-in plays until `come_back`. When all its people have left
        a running table waits, bots too.
        """
        with self._changing(id) as change:
            table = change.table
            leaving = table.seats_of(user) if seat is None else (seat,)
            if seat is not None and seat not in table.seats_of(user) and user != table.owner:
                raise Forbidden(say("This seat is not yours"))
            if not leaving and user != table.owner:
                raise Forbidden(say("You have no seat at this table"))
            if table.status in ("over", "closed"):
                return table.version
            going = [
                place for place in table.seats if place.number in leaving and place.kind == "human" and not place.away
            ]
            events = [
                Event("leave", place.number, place.user, {"name": place.name, "running": table.status == "running"})
                for place in going
            ]
            seats = table.seats
            for place in going:
                if table.status == "running":
                    seats = _with(seats, replace(place, away=True, level=STAND_IN))
                else:
                    seats = _with(seats, Seat(place.number, "open", ""))
            columns: dict[str, Any] = {}
            gone = seat is None or seat in table.seats_of(user)
            if table.status == "open" and gone and user == table.owner and not any(p.user == user for p in seats):
                others = [place.user for place in seats if place.user is not None]
                if others:
                    columns["owner"] = others[0]
                    events.append(Event("owner"))
                else:
                    columns["status"] = "closed"
                    events.append(Event("close"))
            return change.write(*events, seats=seats, **columns) if events else table.version

    def come_back(self, id: str, user: str) -> int:
        """Take the own seats back from the stand-ins; returns the version."""
        with self._changing(id) as change:
            table = change.table
            if not table.seats_of(user):
                raise Forbidden(say("You have no seat at this table"))
            seats, events = table.seats, []
            for place in table.seats:
                if place.user == user and place.away:
                    seats = _with(seats, replace(place, away=False, level=""))
                    events.append(Event("back", place.number, user))
            return change.write(*events, seats=seats) if events and table.status == "running" else table.version

    def set_pace(self, id: str, user: str, pace: Pace) -> int:
        """Let bots play slower or faster; returns the version. Anybody with a seat, and the owner, may."""
        self._check_pace(pace)
        with self._changing(id) as change:
            table = change.table
            if not table.seats_of(user) and user != table.owner:
                raise Forbidden(say("You have no seat at this table"))
            return table.version if pace == table.pace else change.write(Event("pace", user=user), pace=pace)

    def rematch(self, id: str, user: str) -> str:
        """Play again: same seats and options, the next start seat. The same new table for everybody who asks."""
        with self._changing(id) as change:
            table = change.table
            if table.rematch is not None:
                return table.rematch
            if not table.seats_of(user) and (user != table.owner or table.imported):
                raise Forbidden(say("Only those who played here can ask for a rematch"))
            if table.status != "over" or table.match is None:
                raise Conflict(say("The match is not over yet"))
            again = self._insert(
                change.connection,
                user,
                table.game,
                [replace(seat, away=False, level="") if seat.user == user else seat for seat in table.seats],
                options=table.options,
                data=table.data,
                language=table.language,
                pace=table.pace,
                hints=table.hints,
                watch=table.watch,
                first=(table.match.first + 1) % len(table.seats),
                rematch_of=id,
            )
            self._deal(again)
            change.write(Event("rematch", user=user, data={"table": again.table.id}))
        return again.table.id

    # Finished matches, and lists

    def tables_of(self, user: str, limit: int = 50) -> list[Summary]:
        """The tables where the user has a seat or that are theirs, the latest first; those waiting for them lead."""
        t, s = store.tables.c, store.seats.c
        with self.store.read() as connection:
            rows = (
                connection.execute(
                    sa.select(store.tables)
                    .where(
                        sa.or_(t.owner == user, t.id.in_(sa.select(s.table).where(s.user == user))),
                        t.status != "closed",
                    )
                    .order_by(t.updated.desc(), t.id)
                    .limit(limit)
                )
                .mappings()
                .all()
            )
            ids = [row["id"] for row in rows]
            seats: dict[str, list[Seat]] = {id: [] for id in ids}
            for seat in connection.execute(
                sa.select(store.seats).where(s.table.in_(ids)).order_by(s.table, s.number)
            ).mappings():
                seats[seat["table"]].append(log.seat(seat))
            again = {
                row.rematch_of: row.id
                for row in connection.execute(sa.select(t.rematch_of, t.id).where(t.rematch_of.in_(ids)))
            }
        summaries = [
            _summary(row, tuple(seats[row["id"]]), user, again.get(row["id"]))
            for row in rows
            if row["game"] in games.games()
        ]
        return sorted(summaries, key=lambda summary: not summary.your_turn)

    def document(self, id: str) -> Document:
        """The match file of a match that is over. Raises `Forbidden` while it runs: it shows every card."""
        table = self.table(id)
        match = self._finished(table)
        if table.origin is not None:
            return match.document().model_copy(update={"seed": None, "rules": None, **table.origin})
        return match.document(
            id=id,
            started=_rfc3339(table.started or table.created),
            ended=_rfc3339(table.asked),
            times=[round(happening.seconds, 3) for happening in table.log if happening.kind == "move"],
        )

    def _finished(self, table: Table) -> Match:
        if table.match is None or not table.match.over:
            raise Forbidden(say("The match is not over yet: its file would show hidden cards"))
        return table.match

    def import_match(self, user: str, text: str, language: str = "en") -> str:
        """Keep a finished match from the text of a match file, to step through; returns the table's identifier.

        Raises `Refusal` naming the place in the file that is wrong.
        """
        document = documents.loads(text)
        game = games.find(document.game)
        if not Match.replay(game, document).over:
            raise TableRefusal(say("Only a finished match can be stepped through; this one is not over"))
        called: list[str] = []
        for name in document.seats:
            called.append(names.distinct(names.clean(name), called))
        now = self._clock()
        at = documents.seconds(document.started) if document.started else now
        match = Match.replay(game, document, moves=0)
        first, shuffles = match.first, match.shuffles.copy()
        origin = document.model_dump(
            exclude_none=True,
            include={"seats", "options", "id", "seed", "rules", "started", "ended", "times", "notes", "data"},
        )
        events = [
            Event("deal", None, user, {"seats": called, "first": first, "shuffles": shuffles, "origin": origin}, at)
        ]
        for number, move in enumerate(document.moves):
            made = len(match.shuffles)
            entry = match.play(move, document.shuffles[made : made + 1])
            at += document.times[number] if document.times else 0
            events.append(_move(match, entry.seat, made, None, at))
        with self.store.write() as connection:
            change = self._insert(
                connection,
                user,
                game,
                [Seat(number, "human", name) for number, name in enumerate(called)],
                options=document.options,
                data=document.data or {},
                language=language,
                pace="normal",
                hints=False,
                watch=True,
                imported=True,
            )
            change.write(*events, match=match, status="running")
        return change.table.id

    def match_at(self, id: str, moves: int) -> Match:
        """A finished match after its first `moves` decisions (fewer than 0: none, more than there are: all).

        Its `view(seat)` is what a seat saw, its `state` everything. Raises `Forbidden` while the match runs.
        """
        match = self._finished(self.table(id))
        with self._lock:
            steps = self._replays.get(id)
        if steps is None:
            document = match.document()
            at = Match.replay(match.game, document, moves=0)
            steps = [at.copy()]
            for move in document.moves:
                at.play(move, document.shuffles[len(at.shuffles) : len(at.shuffles) + 1])
                steps.append(at.copy())
        with self._lock:
            self._replays[id] = steps
            self._replays.move_to_end(id)
            while len(self._replays) > REPLAYS:
                self._replays.popitem(last=False)
        return steps[min(max(moves, 0), len(steps) - 1)].copy()

    # Bots and change

    def run_due(self, now: float | None = None, *, prompt: bool = False) -> int:
        """Take one decision for each bot that is due; returns how many were made. Call again until it is 0.

        A bot thinks as soon as it is its turn; a decision that is there before the pace allows it waits until then.
        With `prompt` only those that keep no thread long: found already, or of a bot that does not search.
        """
        now = self._clock() if now is None else now
        with self.store.read() as connection:
            due = connection.execute(
                sa.select(store.jobs.c.table, store.jobs.c.version)
                .where(store.jobs.c.due <= now, _unclaimed(now))
                .order_by(store.jobs.c.due)
                .limit(None if prompt else 50)
            ).all()
        if prompt:
            due = [job for job in due if self._is_prompt(job.table, job.version)]
        return sum(self._decide(id, version, now) for id, version in due if not self._stopped.is_set())

    def _is_prompt(self, id: str, version: int) -> bool:
        """Whether the decision at `version` is found already, or needs no search."""
        with self._lock:
            decided = self._decided.get(id)
        if decided is not None and decided.version == version:
            return True
        try:
            table = self.table(id)
        except Refusal:
            return False
        bot = self.players.get(table.seats[table.turn].level) if table.turn is not None else None
        return bot is not None and not bot.searches

    def _decide(self, id: str, version: int, now: float) -> bool:
        """Take the decision of the bot whose turn it is at `version`; nothing if the table has moved on."""
        now = max(now, self._clock())  # other tables' bots may have thought since it was found
        job = sa.and_(store.jobs.c.table == id, store.jobs.c.version == version)
        free = sa.and_(job, store.jobs.c.due <= now, _unclaimed(now))
        with self.store.write() as connection:
            if connection.execute(sa.update(store.jobs).where(free).values(claimed=now)).rowcount != 1:
                return False
        with self._lock:
            self._claimed.add((id, version))
        try:
            return self._carry_on(id, version, now, job)
        finally:
            with self._lock:
                self._claimed.discard((id, version))

    def _carry_on(self, id: str, version: int, now: float, job: sa.ColumnElement[bool]) -> bool:
        """Take the decision that was claimed."""
        try:
            table = self.table(id)
        except Refusal:
            _logger.exception("table %s cannot be continued", id)
            with self.store.write() as connection:
                connection.execute(sa.delete(store.jobs).where(job))
            return False
        if table.version != version or table.turn is None or table.match is None:
            return False
        seat = table.seats[table.turn]
        with self._lock:
            waiting = self._decided.pop(id, None)
        if waiting is not None and waiting.version == version:
            level, move = waiting.level, waiting.move
        else:
            level, move = self._choose(table, seat)
        if self._stopped.is_set():  # whoever opens the database next decides anew
            return False
        if max(now, self._clock()) < (due := earliest(table)):
            with self._lock:
                self._decided[id] = _Decided(version, level, move, due)
                while len(self._decided) > CACHED:
                    self._decided.popitem(last=False)
            with self.store.write() as connection:
                connection.execute(sa.update(store.jobs).where(job).values(claimed=None, due=due))
            self._feed.ring(_JOBS)
            return False
        with self._changing(id) as change:
            if change.table.version != version:
                return False
            match, events, seats = table.match.copy(), [], table.seats
            made = len(match.shuffles)
            if level != seat.level:
                events.append(Event("replaced", seat.number, data={"level": level, "of": seat.level}))
                seats = _with(seats, replace(seat, level=level))
            match.play_move(move)
            change.write(*events, _move(match, seat.number, made, None), match=match, seats=seats)
        return True

    def _choose(self, table: Table, seat: Seat) -> tuple[str, int]:
        """The decision of the bot on a seat, and the level that took it: a simpler one where a bot fails."""
        assert table.match is not None
        seed = table.match.own_seed()
        for level in dict.fromkeys((seat.level, STAND_IN)):
            try:
                chosen = self.players[level].choose(
                    table.game, table.match.view(seat.number), seat.number, list(table.legal), seed
                )
                move = index(chosen)  # what only equals a number is none
                if move in table.legal:
                    return level, move
                _logger.error("bot %s at table %s chose %r, which is not legal", level, table.id, move)
            except BaseException:  # whatever a bot raises, `SystemExit` too, is no reason to stop
                _logger.exception("bot %s at table %s failed", level, table.id)
        chance = Chance()
        return chance.name, chance.choose(table.game, table.match.view(seat.number), seat.number, table.legal, seed)

    def next_due(self) -> float | None:
        """When the next bot is due, in seconds since 1970; None if no bot is to move."""
        jobs = store.jobs.c
        free = sa.case((jobs.claimed.is_(None), jobs.due), else_=jobs.claimed + LEASE)
        with self.store.read() as connection:
            due: float | None = connection.scalar(sa.select(sa.func.min(free)))
        return due

    async def tend_bots(self) -> None:
        """Let bots play whenever they are due, `THINKERS` at a time, until cancelled; who waits longest comes first.

        One thread more is for what needs no search, so that it does not wait for those that think.
        """
        threads = ThreadPoolExecutor(THINKERS + 1, "bots", initializer=_people_first)
        self._stopped.clear()
        try:
            await asyncio.gather(
                *(self._tend(threads, self.run_due, self.next_due) for _ in range(THINKERS)),
                self._tend(threads, partial(self.run_due, prompt=True), self._next_found),
            )
        finally:
            threads.shutdown(wait=False)
            self._stop()

    def _stop(self) -> None:
        """Let no bot of this process decide any more; what they were thinking about is free for others at once."""
        self._stopped.set()
        with self._lock:
            claimed = list(self._claimed)
        jobs = store.jobs.c
        with self.store.write() as connection:
            for id, version in claimed:
                job = jobs.table == id, jobs.version == version
                connection.execute(sa.update(store.jobs).where(*job).values(claimed=None))

    def _next_found(self) -> float | None:
        """When the next decision that waits may be taken; those of tables that have moved on are forgotten."""
        now = self._clock()
        with self._lock:
            for id, decided in list(self._decided.items()):
                if decided.due < now - OVERDUE:
                    del self._decided[id]
            return min((decided.due for decided in self._decided.values()), default=None)

    async def _tend(
        self, threads: ThreadPoolExecutor, run: Callable[[], int], next_due: Callable[[], float | None]
    ) -> None:
        loop = asyncio.get_running_loop()
        with self._feed.listen(_JOBS) as bell:
            while True:
                bell.clear()
                pause = self._poll
                try:
                    if await loop.run_in_executor(threads, run):
                        continue
                    due = await loop.run_in_executor(threads, next_due)
                    if due is not None:
                        pause = min(pause, max(0.02, due - self._clock()))
                except Exception:  # whatever it was, the other tables' bots go on
                    _logger.exception("the bots stopped and begin again")
                await heard(bell, pause)

    async def wait(self, id: str, version: int, timeout: float) -> int:
        """Wait until the table is past `version`, or `timeout` seconds; returns the version it has then.

        Changes made in this process wake it at once, those of others after `poll` seconds at most.
        """
        loop = asyncio.get_running_loop()
        end = loop.time() + timeout
        with self._feed.listen(id) as bell:
            while True:
                bell.clear()
                current = await asyncio.to_thread(self.version, id)
                if current > version or loop.time() >= end:
                    return current
                await heard(bell, min(self._poll, end - loop.time()))


def _people_first() -> None:
    """Make this thread less urgent than those that answer people, where a thread can be."""
    if sys.platform == "linux":
        os.nice(10)


def _secret(length: int) -> str:
    return "".join(secrets.choice(_SIGNS) for _ in range(length))


def _could_be(text: str) -> bool:
    """Whether the text could be an identifier or an invitation; anything else stays away from the database."""
    return text.isascii() and text.isalnum() and len(text) <= 24


def _with(seats: Sequence[Seat], seat: Seat) -> tuple[Seat, ...]:
    """The seats, with one of them as given."""
    return tuple(seat if other.number == seat.number else other for other in seats)


def _acting(table: Table, user: str, seat: int | None, version: int) -> tuple[Match, int]:
    """A copy of the match to play on, and the seat for which the user decides. Raises `TableRefusal`."""
    if table.status == "over":
        raise Conflict(say("The match is over"))
    if table.match is None or table.turn is None:
        raise Conflict(say("The match has not begun yet"))
    mine = table.seats_of(user)
    if not mine:
        raise Forbidden(say("You have no seat at this table"))
    if seat is not None and seat not in mine:
        raise Forbidden(say("This seat is not yours"))
    if version != table.version:
        raise Stale(table.version)
    if table.turn not in (mine if seat is None else (seat,)):
        raise Forbidden(say("It is the turn of {player}, not yours", player=table.seats[table.turn].name))
    if table.seats[table.turn].away:
        raise Conflict(say("A stand-in plays for you; take your seat back first"))
    return table.match.copy(), table.turn


def _move(match: Match, seat: int, made: int, user: str | None, at: float | None = None) -> Event:
    """The event of the decision just taken; `made` is how many shuffles there were before it."""
    data: dict[str, Any] = {"text": match.entries[-1].text}
    if len(match.shuffles) > made:
        data["shuffles"] = match.shuffles[made:]
    return Event("move", seat, user, data, at)


def _unclaimed(now: float) -> sa.ColumnElement[bool]:
    return sa.or_(store.jobs.c.claimed.is_(None), store.jobs.c.claimed < now - LEASE)


def _summary(row: sa.RowMapping, seats: tuple[Seat, ...], user: str, rematch: str | None) -> Summary:
    turn, result = row["turn"], row["result"] or {"scores": [], "winners": []}
    return Summary(
        id=row["id"],
        game=games.find(row["game"]),
        status=row["status"],
        created=row["created"],
        updated=row["updated"],
        seats=seats,
        yours=tuple(seat.number for seat in seats if seat.user == user),
        turn=turn,
        your_turn=turn is not None and seats[turn].user == user and not seats[turn].away,
        scores=tuple(result["scores"]),
        winners=tuple(result["winners"]),
        imported=row["imported"],
        rematch=rematch,
    )


def _rfc3339(seconds: float) -> str:
    return datetime.fromtimestamp(seconds, UTC).isoformat(timespec="seconds")
