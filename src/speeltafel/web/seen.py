"""A table as one visitor sees it: waiting room, curtain, board or end, as finished HTML."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any
from urllib.parse import urlencode

import segno
from markupsafe import Markup

from speeltafel.engine.records import SPECTATOR
from speeltafel.engine.refusals import Message, Refusal, say
from speeltafel.tables import Pace, Table
from speeltafel.tables.refusals import Forbidden
from speeltafel.web import happened, hints, pages
from speeltafel.web.scene import hides, scene
from speeltafel.web.visitor import Visitor

PACE_NAMES: dict[Pace, Message] = {
    "slow": say("slow"),
    "normal": say("normal"),
    "fast": say("fast"),
    "instant": say("at once"),
}
CHOICES: dict[str, Any] = {"paces": PACE_NAMES}
"""What tables can be made with, for templates."""


@dataclass(frozen=True)
class Seen:
    """The changing part of a table's page."""

    title: str
    version: int
    idle: bool
    """Whether the next change comes from somebody else."""
    html: str


def seat_of(table: Table, user: str, chosen: int | None) -> int:
    """The seat from whose side the user looks.

    Who holds several seats of a game with hidden cards sees one only after lifting the curtain before it: `chosen`.
    """
    mine = table.seats_of(user)
    if not mine:
        return SPECTATOR
    if len(mine) == 1 or table.status != "running" or not hides(table.game):
        return table.facing(user)
    return chosen if chosen in mine and table.acting(user) in (None, chosen) else SPECTATOR


def curtain(table: Table, user: str, seat: int) -> int | None:
    """The seat of the same user that has to decide behind a curtain, while another one or nobody looks."""
    acting = table.acting(user)
    return acting if acting is not None and acting != seat else None


def look(table: Table, visitor: Visitor, chosen: int | None = None, refusal: Refusal | None = None) -> Seen:
    """What the visitor sees now. Raises `Forbidden` where nobody may look on."""
    user, language = visitor.user, visitor.language
    if not table.may_watch(user):
        raise Forbidden(say("At this table nobody looks on"))
    seat = seat_of(table, user, chosen)
    mine = table.seats_of(user)
    address = f"/tables/{table.id}"
    query = f"?{urlencode({'seat': chosen})}" if chosen is not None else ""
    values: dict[str, Any] = {
        "table": table,
        "visitor": visitor,
        "seat": seat,
        "mine": mine,
        "is_owner": table.owner == user,
        "address": address,
        "events": f"{address}/events{query}",
        "query": query,
        **CHOICES,
        "refusal": refusal,
        "away": any(table.seats[number].away for number in mine),
        "log": happened.lines(
            [(h.seat, h.name, h.words, h.kind == "move") for h in table.log],
            seat,
            [place.name for place in table.seats],
            language,
            say_you=len(mine) == 1,
        ),
    }
    title, idle = table.game.title, table.status in ("open", "running")
    if table.match is None:
        template = "waiting.html" if table.status == "open" else "closed.html"
        invitation = f"{visitor.origin}/join/{table.code}"
        values |= {"invitation": invitation, "qr": qr(invitation)}
    else:
        behind = curtain(table, user, seat)
        shown = scene(
            table.match,
            seat,
            language,
            names=[place.name for place in table.seats],
            bots={place.number: place.level for place in table.seats if place.played_by_bot},
            away=[place.number for place in table.seats if place.away],
            may_act=table.acting(user) == seat and table.status == "running",
            own=seat if len(mine) == 1 else SPECTATOR,
            tips=[tip.move for tip in table.tips] if table.acting(user) == seat else (),
        )
        values["hint"] = hints.hint(table, seat) if shown.acting else None
        values |= {"scene": shown, "behind": behind, "can_undo": table.can_undo(user) and shown.acting}
        if behind is not None:
            template = "curtain.html"
        elif table.status == "over":
            template = "over.html"
            order = sorted(
                range(len(table.seats)), key=lambda number: (number not in table.winners, -table.scores[number])
            )
            values["sheet_lines"] = [(shown.chairs[number], table.match.breakdown(number)) for number in order]
        else:
            template = "running.html"
        if shown.acting:
            idle = False
            title = f"● {visitor._('Your turn')} · {title}"
        elif table.turn is not None:
            title = f"{table.seats[table.turn].name} · {title}"
    return Seen(title, table.version, idle, pages.page(template, language, title=title, **values))


def qr(url: str) -> Markup:
    """A QR code as SVG without size of its own."""
    return Markup(
        segno.make(url, error="m").svg_inline(
            omitsize=True, border=3, dark="#33261b", light="#fffaf0", svgclass="qr", lineclass=None
        )
    )
