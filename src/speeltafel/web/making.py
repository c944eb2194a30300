"""A new table from a form, and a match file to look back at."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from typing import Annotated, Any

from fastapi import APIRouter, Depends, Request
from fastapi.concurrency import run_in_threadpool
from starlette.datastructures import FormData, UploadFile
from starlette.responses import Response

from speeltafel.engine.game import Game, Option
from speeltafel.engine.refusals import Refusal, say
from speeltafel.tables import Bot, Human, Open, Place
from speeltafel.tables.tables import LARGEST_FILE
from speeltafel.web.errors import status_of
from speeltafel.web.home import find, usual
from speeltafel.web.seen import CHOICES
from speeltafel.web.table import House
from speeltafel.web.visitor import Asking, Visitor

router = APIRouter(include_in_schema=False)


@dataclass(frozen=True)
class Wish:
    """The table that a form asks for."""

    seats: list[Place]
    options: dict[str, Any]
    data: dict[str, str]
    pace: Any
    hints: bool
    name: str
    level: str


async def form_of(request: Request) -> FormData:
    """The fields of the form."""
    return await request.form(max_files=8, max_fields=100)


async def texts_of(form: FormData, game: Game) -> dict[str, str]:
    """The data files that were sent along. Raises `Refusal` for one that is no text."""
    found = {}
    for file in game.data.FILES:
        sent = form.get(f"data-{file}")
        if isinstance(sent, UploadFile) and sent.filename:
            content = await sent.read(4 * LARGEST_FILE + 1)
            try:
                found[file] = content.decode("utf-8-sig")
            except UnicodeDecodeError:
                raise Refusal(say("{file} is not a text in UTF-8", file=file)) from None
    return found


def option_value(option: Option, text: str) -> Any:
    """The choice whose text a form or an address has; the text itself if there is none, to be refused later."""
    return next((choice for choice in option.choices if str(choice).lower() == text.strip().lower()), text[:40])


def wish(form: FormData, game: Game, visitor: Visitor, data: dict[str, str]) -> Wish:
    """What the form asks for: `way` and the number of `players` say who sits where, each `seat-<n>` may differ.

    What was filled in for a seat beyond them, which the page hides, does not count.
    Raises `Refusal` for a number that is none.
    """

    def field(name: str, default: str = "") -> str:
        value = form.get(name, default)
        return value.strip() if isinstance(value, str) else default

    way = field("way", "bots")
    if way not in ("bots", "friends", "device"):
        raise Refusal(say("{value} is not one of {known}", value=way[:40], known="bots, friends, device"))
    players = field("players") or str(game.seats[1] if way == "friends" else usual(game))
    if not players.isdecimal() or len(players) > 3:
        raise Refusal(say("a whole number is needed, not {text}", text=players[:40]))
    level = field("level") or visitor.level
    name = field("name") or visitor.name or visitor._("Player") + (" 1" if way == "device" else "")
    seats: list[Place] = []
    for number in range(max(int(players), 0) if int(players) <= game.seats[1] else game.seats[1] + 1):
        kind = "device" if number == 0 else {"bots": "bot", "friends": "open", "device": "device"}[way]
        kind = field(f"seat-{number}") or kind
        called = field(f"name-{number}")
        if kind == "open":
            seats.append(Open())
        elif kind == "device":
            seats.append(Human(called or (name if number == 0 else f"{visitor._('Player')} {number + 1}")))
        elif kind == "bot" or kind.startswith("bot:"):
            seats.append(Bot(kind[4:] or level, called))
        else:
            raise Refusal(say("{value} is not one of {known}", value=kind[:40], known="device, open, bot"))
    hints = field("hints", "yes")
    if hints not in ("yes", "no"):
        raise Refusal(say("{value} is not one of {known}", value=hints[:40], known="yes, no"))
    options = {
        option.name: option_value(option, field(f"option-{option.name}"))
        for option in game.options
        if field(f"option-{option.name}")
    }
    return Wish(seats, options, data, field("pace", "normal"), hints == "yes", name, level)


@router.post("/tables")
async def create(
    request: Request, visitor: Asking, house: House, form: Annotated[FormData, Depends(form_of)]
) -> Response:
    """A new table; then to it."""
    asked = form.get("game") or request.query_params.get("game", "")
    game = find(asked if isinstance(asked, str) else "")
    request.app.state.buckets.take("tables", request.client.host if request.client else "")
    try:
        wanted = wish(form, game, visitor, await texts_of(form, game))
        id = await run_in_threadpool(
            house.create,
            visitor.user,
            game.name,
            wanted.seats,
            wanted.options,
            data=wanted.data or None,
            language=visitor.language,
            pace=wanted.pace,
            hints=wanted.hints,
        )
    except Refusal as refusal:
        given = defaultdict(str, ((key, value) for key, value in form.items() if isinstance(value, str)))
        return visitor.page(
            "game.html",
            status_of(refusal),
            game=game,
            usual=usual(game),
            refusal=refusal,
            given=given,
            **CHOICES,
        )
    visitor.keep(wanted.name if form.get("name") else "", wanted.level)
    return visitor.go(f"/tables/{id}")


@router.post("/files")
async def read_file(
    request: Request, visitor: Asking, house: House, form: Annotated[FormData, Depends(form_of)]
) -> Response:
    """A match file, to step through."""
    request.app.state.buckets.take("tables", request.client.host if request.client else "")
    sent = form.get("file")
    if not isinstance(sent, UploadFile) or not sent.filename:
        raise Refusal(say("Choose a match file first"))
    content = await sent.read()
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise Refusal(say("{file} is not a text in UTF-8", file=sent.filename[:60])) from None
    id = await run_in_threadpool(house.import_match, visitor.user, text, visitor.language)
    visitor.keep()
    return visitor.go(f"/tables/{id}/replay")
