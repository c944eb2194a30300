"""The start: the games, the visitor's tables, joining by code, the language, about."""

from __future__ import annotations

from collections import defaultdict
from typing import Annotated

from fastapi import APIRouter, Form, Query, Request
from starlette.responses import Response

from speeltafel import games
from speeltafel.engine.game import Game
from speeltafel.engine.language import LANGUAGES
from speeltafel.engine.refusals import Refusal, say
from speeltafel.tables import Summary, Tables
from speeltafel.tables.refusals import NotFound
from speeltafel.web.seen import CHOICES
from speeltafel.web.table import House
from speeltafel.web.visitor import Asking, Visitor

router = APIRouter(include_in_schema=False)


def find(name: str) -> Game:
    """The game of that name. Raises `NotFound`."""
    if name not in games.games():
        raise NotFound(
            say("There is no game {game}; there are: {known}", game=name[:40], known=", ".join(games.games()))
        )
    return games.games()[name]


def usual(game: Game) -> int:
    """How many play where nobody says so."""
    return min(3, game.seats[1])


def my_tables(house: Tables, visitor: Visitor) -> list[Summary]:
    """The visitor's tables; nobody new has any."""
    return house.tables_of(visitor.user) if visitor.known else []


@router.get("/")
def home(visitor: Asking, house: House) -> Response:
    """The first page."""
    mine = my_tables(house, visitor)
    running = [table for table in mine if table.status in ("open", "running")]
    finished = [table for table in mine if table.status == "over"]
    return visitor.page("home.html", games=games.games().values(), running=running, finished=finished)


@router.get("/games/{name}")
def game(name: str, visitor: Asking, house: House, way: Annotated[str, Query(max_length=20)] = "") -> Response:
    """One game: what it is, and a table of it with every choice; `way=device` asks who plays on this device."""
    found, given = find(name), defaultdict(str, way=way)
    return visitor.page("game.html", game=found, usual=usual(found), refusal=None, given=given, **CHOICES)


@router.get("/join")
def join_by_code(request: Request, visitor: Asking, code: str = "") -> Response:
    """From a table code to its invitation."""
    code = code.strip().lower()
    if not code.isalnum():
        raise NotFound(say("This invitation is not known; ask for the link again"))
    return visitor.go(f"/join/{code}")


@router.post("/language")
def speak(
    request: Request, visitor: Asking, language: Annotated[str, Form()], to: Annotated[str, Form(max_length=500)] = "/"
) -> Response:
    """Go on in another language."""
    if language not in LANGUAGES:
        raise Refusal(
            say(
                "There is no language {language}; there are: {known}",
                language=language[:20],
                known=", ".join(LANGUAGES),
            )
        )
    visitor.speak(language)
    local = to.startswith("/") and not to.startswith(("//", "/\\")) and "\r" not in to and "\n" not in to
    return visitor.go(to if local else "/")


@router.get("/about")
def about(visitor: Asking) -> Response:
    """Whose games these are, and what is kept."""
    return visitor.page("about.html", games=games.games().values())
