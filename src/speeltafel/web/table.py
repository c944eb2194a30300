"""The page of a table and what is done there: play, undo, leave, come back, pace, rematch."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from typing import Annotated, Any, cast

from fastapi import APIRouter, Depends, Form, Query, Request
from fastapi.concurrency import run_in_threadpool
from starlette.responses import HTMLResponse, Response, StreamingResponse

from speeltafel.engine.refusals import Refusal
from speeltafel.tables import Pace, Tables
from speeltafel.web.errors import answer, status_of, wants_json
from speeltafel.web.seen import Seen, look
from speeltafel.web.visitor import Asking, Visitor

router = APIRouter(prefix="/tables/{id}", include_in_schema=False)

HEARTBEAT = 15.0
"""Seconds after which an open page hears that the table is still there."""


def tables_of(request: Request) -> Tables:
    """The tables of this application."""
    return cast(Tables, request.app.state.tables)


House = Annotated[Tables, Depends(tables_of)]
Chosen = Annotated[int | None, Query(alias="seat")]


@router.get("")
def show(id: str, visitor: Asking, house: House, seat: Chosen = None) -> Response:
    """The page."""
    table = house.table(id)
    seen = look(table, visitor, seat)
    return visitor.page("table.html", seen=seen, game=table.game)


@router.get("/events")
async def events(
    request: Request, id: str, visitor: Asking, house: House, seat: Chosen = None, since: int = -1
) -> Response:
    """Every change of the table, as finished HTML for this visitor, from what they have on."""

    def seen() -> Seen:
        return look(house.table(id), visitor, seat)

    await run_in_threadpool(seen)  # refuses before the stream begins
    again = request.headers.get("last-event-id") is not None
    stopping: asyncio.Event = request.app.state.stopping

    async def stream() -> AsyncIterator[str]:
        have = -1 if again else since
        yield "retry: 1000\n\n"
        stop = asyncio.ensure_future(stopping.wait())
        waiting: asyncio.Future[int] | None = None
        try:
            while not stopping.is_set():
                waiting = asyncio.ensure_future(house.wait(id, have, HEARTBEAT))
                await asyncio.wait({waiting, stop}, return_when=asyncio.FIRST_COMPLETED)
                if not waiting.done():
                    break
                if waiting.result() > have:
                    now = await run_in_threadpool(seen)
                    have = now.version
                    yield (
                        f"id: {now.version}\nevent: table\n"
                        + "".join(f"data: {line}\n" for line in now.html.splitlines())
                        + "\n"
                    )
                else:
                    yield "event: here\ndata: here\n\n"
        finally:  # also when the page is closed
            stop.cancel()
            if waiting is not None:
                waiting.cancel()

    return StreamingResponse(stream(), media_type="text/event-stream", headers={"Cache-Control": "no-store"})


def _after(request: Request, visitor: Visitor, house: Tables, id: str, seat: int | None) -> Response:
    """The table as it is after something was done: the changed part for our script, a redirect for others."""
    path = f"/tables/{id}" + (f"?seat={seat}" if seat is not None else "")
    if request.headers.get("x-part") == "live":
        return HTMLResponse(look(house.table(id), visitor, seat).html)
    return visitor.go(path)


def _refused(
    request: Request, visitor: Visitor, house: Tables, id: str, seat: int | None, refusal: Refusal
) -> Response:
    """The table as it stands, with what was wrong."""
    if wants_json(request):
        return answer(request, refusal)
    table = house.table(id)
    seen = look(table, visitor, seat, refusal)
    if request.headers.get("x-part") == "live":
        return HTMLResponse(seen.html, status_of(refusal))
    return visitor.page("table.html", status_of(refusal), seen=seen, game=table.game)


def _do(request: Request, visitor: Visitor, house: Tables, id: str, seat: int | None, what: Any) -> Response:
    try:
        what()
    except Refusal as refusal:
        house.table(id)  # an unknown table has no page to show it on
        return _refused(request, visitor, house, id, seat, refusal)
    return _after(request, visitor, house, id, seat)


@router.post("/play")
def play(
    request: Request,
    id: str,
    visitor: Asking,
    house: House,
    move: Annotated[str, Form(max_length=100)],
    version: Annotated[int, Form()],
    acting: Annotated[int | None, Form()] = None,
    seat: Chosen = None,
) -> Response:
    """Take a decision."""
    return _do(request, visitor, house, id, seat, lambda: house.play(id, visitor.user, acting, version, move))


@router.post("/undo")
def undo(
    request: Request, id: str, visitor: Asking, house: House, version: Annotated[int, Form()], seat: Chosen = None
) -> Response:
    """Take the last decision back."""
    return _do(request, visitor, house, id, seat, lambda: house.undo(id, visitor.user, version))


@router.post("/hint")
def hint(
    request: Request, id: str, visitor: Asking, house: House, version: Annotated[int, Form()], seat: Chosen = None
) -> Response:
    """Think along: what the search would do."""
    return _do(request, visitor, house, id, seat, lambda: house.hint(id, visitor.user, version))


@router.post("/start")
def start(
    request: Request, id: str, visitor: Asking, house: House, level: Annotated[str, Form(max_length=40)] = ""
) -> Response:
    """Begin with bots on the seats still open, or for the level `nobody` without those seats."""
    bot = None if level == "nobody" else level or visitor.level
    return _do(request, visitor, house, id, None, lambda: house.start(id, visitor.user, bot))


@router.post("/leave")
def leave(
    request: Request, id: str, visitor: Asking, house: House, other: Annotated[int | None, Form()] = None
) -> Response:
    """Get up; a stand-in plays on. The owner may let one in for `other`, who is away."""
    try:
        house.leave(id, visitor.user, other)
    except Refusal as refusal:
        return _refused(request, visitor, house, id, None, refusal)
    return _after(request, visitor, house, id, None) if other is not None else visitor.go("/")


@router.post("/back")
def back(request: Request, id: str, visitor: Asking, house: House) -> Response:
    """Take the own seat back."""
    return _do(request, visitor, house, id, None, lambda: house.come_back(id, visitor.user))


@router.post("/pace")
def pace(
    request: Request,
    id: str,
    visitor: Asking,
    house: House,
    pace: Annotated[str, Form(max_length=20)],
    seat: Chosen = None,
) -> Response:
    """Let bots play slower or faster."""
    return _do(request, visitor, house, id, seat, lambda: house.set_pace(id, visitor.user, cast(Pace, pace)))


@router.post("/rematch")
def rematch(request: Request, id: str, visitor: Asking, house: House) -> Response:
    """Play again."""
    try:
        again = house.rematch(id, visitor.user)
    except Refusal as refusal:
        return _refused(request, visitor, house, id, None, refusal)
    return visitor.go(f"/tables/{again}")


@router.get("/file")
def file(id: str, visitor: Asking, house: House) -> Response:
    """The match file of a finished match."""
    table = house.table(id)
    look(table, visitor)  # refuses whom the table does not want
    name = f"{table.game.name}-{id}.json"
    text = house.document(id).text()
    return Response(
        text + "\n", media_type="application/json", headers={"Content-Disposition": f'attachment; filename="{name}"'}
    )
