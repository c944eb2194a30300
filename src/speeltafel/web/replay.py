"""Looking back at a finished match, step by step."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Query
from starlette.responses import Response

from speeltafel.engine.records import SPECTATOR
from speeltafel.engine.refusals import say
from speeltafel.tables.refusals import NotFound
from speeltafel.web import happened
from speeltafel.web.scene import hides, scene
from speeltafel.web.seen import look
from speeltafel.web.table import House
from speeltafel.web.visitor import Asking

router = APIRouter(prefix="/tables/{id}/replay", include_in_schema=False)


@router.get("")
def replay(
    id: str,
    visitor: Asking,
    house: House,
    at: int = 0,
    seat: Annotated[str, Query(max_length=8)] = "turn",
) -> Response:
    """The table after the first `at` decisions, as a `seat` saw it, as watchers did, or as whoever's `turn` it was."""
    table = house.table(id)
    look(table, visitor)  # refuses whom the table does not want
    last = len(house.match_at(id, 1 << 30).entries)
    at = min(max(at, 0), last)
    match = house.match_at(id, at)
    if seat == "turn":
        side = match.entries[-1].seat if match.over else match.turn
    elif seat == "watch":
        side = SPECTATOR
    elif seat.isdecimal() and int(seat) < len(match.seats):
        side = int(seat)
    else:
        raise NotFound(say("There is no seat {seat} at this table", seat=seat))
    mine = table.seats_of(visitor.user)
    own = mine[0] if len(mine) == 1 else SPECTATOR
    names = [place.name for place in table.seats]
    bots = {place.number: place.level for place in table.seats if place.played_by_bot}
    entries = match.entries[:at]
    shown = scene(match, side, visitor.language, names=names, bots=bots, may_act=False, own=own)
    happenings = [(entry.seat, names[entry.seat], entry.words, True) for entry in entries]
    log = happened.lines(happenings, own, names, visitor.language, 400)
    told = happened.lines(happenings[-1:], own, names, visitor.language)
    steps = [0]
    whole = house.match_at(id, last).entries
    for number, entry in enumerate(whole):
        if number and entry.seat != whole[number - 1].seat:
            steps.append(number)
    steps.append(last)
    turns = sorted(set(steps))
    return visitor.page(
        "replay.html",
        table=table,
        game=table.game,
        scene=shown,
        log=log,
        refusal=None,
        at=at,
        last=last,
        seat=seat,
        turn_before=max((step for step in turns if step < at), default=0),
        turn_after=min((step for step in turns if step > at), default=last),
        sides=hides(table.game),
        hands=[table.game.moves.hand(match.view(number), number) for number in range(len(names))],
        marks=sorted({round(last * part / 20) for part in range(21)}),
        names_by_seat=[(str(chair.number), chair.name) for chair in shown.chairs] + [("watch", visitor._("watchers"))],
        told=told[0].text if told else "",
    )
