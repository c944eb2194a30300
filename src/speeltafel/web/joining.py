"""Taking a seat by invitation."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Form, Request
from starlette.responses import Response

from speeltafel.engine.refusals import Refusal
from speeltafel.tables import Table
from speeltafel.tables.refusals import NotFound
from speeltafel.web.errors import status_of
from speeltafel.web.table import House
from speeltafel.web.visitor import Asking, Visitor

router = APIRouter(prefix="/join/{code}", include_in_schema=False)


def _invited(request: Request, house: House, code: str) -> Table:
    """The table; wrong codes use up tries. Raises `NotFound`, or `Blocked` after too many of them."""
    try:
        return house.invited(code)
    except NotFound:
        request.app.state.buckets.take("codes", request.client.host if request.client else "")
        raise


def _page(visitor: Visitor, table: Table, refusal: Refusal | None = None) -> Response:
    return visitor.page("join.html", status_of(refusal) if refusal else 200, table=table, refusal=refusal)


@router.get("")
def invitation(request: Request, code: str, visitor: Asking, house: House) -> Response:
    """Who is there, and which seats are free; who sits there already goes to the table."""
    table = _invited(request, house, code)
    if table.seats_of(visitor.user) or (table.status != "open" and table.may_watch(visitor.user)):
        return visitor.go(f"/tables/{table.id}")
    return _page(visitor, table)


@router.post("")
def join(
    request: Request,
    code: str,
    visitor: Asking,
    house: House,
    name: Annotated[str, Form()] = "",
    seat: Annotated[int | None, Form()] = None,
) -> Response:
    """Sit down."""
    table = _invited(request, house, code)
    try:
        house.join(code, visitor.user, name, seat)
    except Refusal as refusal:
        return _page(visitor, house.invited(code), refusal)
    visitor.keep(name.strip()[:24])
    return visitor.go(f"/tables/{table.id}")
