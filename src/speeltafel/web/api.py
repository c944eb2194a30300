"""The JSON interface: games, tables, moves. Its description is at `/api/docs.json`."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from fastapi import APIRouter, Query, Request
from pydantic import BaseModel, ConfigDict, Field
from starlette.responses import JSONResponse, Response

from speeltafel import games
from speeltafel.engine.game import Game
from speeltafel.engine.language import translate
from speeltafel.engine.records import SPECTATOR, Record
from speeltafel.engine.refusals import Refusal, say
from speeltafel.tables import Bot, Human, Open, Pace, Place, Table
from speeltafel.tables.refusals import Forbidden
from speeltafel.web.home import find
from speeltafel.web.seen import seat_of
from speeltafel.web.table import House
from speeltafel.web.visitor import Asking, Visitor

router = APIRouter(prefix="/api", tags=["tables"])


class SeatIn(BaseModel):
    """A seat of a new table."""

    model_config = ConfigDict(extra="forbid")
    kind: Literal["human", "open", "bot"]
    name: str = ""
    level: str = "greedy"


class TableIn(BaseModel):
    """A new table."""

    model_config = ConfigDict(extra="forbid")
    game: str
    seats: list[SeatIn] = Field(max_length=12)
    options: dict[str, str | bool | int] = {}
    pace: Pace = "instant"
    hints: bool = True
    """Whether people at the table may ask for hints."""
    watch: bool = True


class MoveIn(BaseModel):
    """A decision, at the version that was seen."""

    model_config = ConfigDict(extra="forbid")
    move: str = Field(max_length=100)
    version: int
    seat: int | None = None


class UndoIn(BaseModel):
    """Take the last decision back, at the version that was seen."""

    model_config = ConfigDict(extra="forbid")
    version: int


class OptionOut(BaseModel):
    """A choice before the match."""

    name: str
    label: str
    choices: list[str | int | bool]
    labels: list[str]
    default: str | int | bool


class GameOut(BaseModel):
    """A game."""

    name: str
    title: str
    line: str
    min_seats: int
    max_seats: int
    minutes: int
    age: int
    designer: str
    publisher: str
    year: int
    version: int
    options: list[OptionOut]


class SeatOut(BaseModel):
    """Who sits where."""

    number: int
    kind: Literal["human", "open", "bot"]
    name: str
    level: str
    away: bool
    yours: bool


class LogOut(BaseModel):
    """One line of the log."""

    kind: str
    seat: int
    name: str
    move: str | None
    words: str


class TableOut(BaseModel):
    """A table as its asker may see it."""

    id: str
    version: int
    status: str
    game: str
    options: dict[str, str | int | bool]
    seats: list[SeatOut]
    seat: int | None
    """The seat from which it is seen; null for a watcher."""
    turn: int | None
    view: dict[str, Any] | None
    """The fields of the view; what cannot be seen is zero."""
    legal: list[str]
    can_undo: bool
    question: str | None
    scores: list[int]
    winners: list[int]
    log: list[LogOut]
    invitation: str | None
    """For people at the table."""


class MadeOut(BaseModel):
    """A table that was made: `token` is for `Authorization: Bearer`, instead of the cookie."""

    table: TableOut
    token: str


def _game(game: Game, language: str) -> GameOut:
    return GameOut(
        name=game.name,
        title=game.title,
        line=translate(game.line, language),
        min_seats=game.seats[0],
        max_seats=game.seats[1],
        minutes=game.minutes,
        age=game.age,
        designer=game.designer,
        publisher=game.publisher,
        year=game.year,
        version=game.version,
        options=[
            OptionOut(
                name=option.name,
                label=translate(option.label, language),
                choices=list(option.choices),
                labels=[translate(label, language) for label in option.labels],
                default=option.choices[option.default],
            )
            for option in game.options
        ],
    )


def _plain(value: Any) -> Any:
    """Numbers and arrays of a record as JSON has them."""
    return value if isinstance(value, int) else [_plain(item) for item in value]


def fields(view: Record) -> dict[str, Any]:
    """The fields of a view that somebody may see, by name."""
    return {name: _plain(getattr(view, name)) for name, field in view.fields.items() if field.audience != "secret"}


def _table(table: Table, visitor: Visitor, seat: int | None = None) -> TableOut:
    user = visitor.user
    if not table.may_watch(user):
        raise Forbidden(say("At this table nobody looks on"))
    mine = table.seats_of(user)
    if seat is not None and seat not in mine:
        raise Forbidden(say("This seat is not yours"))
    side = table.facing(user) if seat is None else seat
    acting = table.acting(user)
    view = table.view(side)
    legal = table.legal if acting is not None and acting == side else ()
    names = [place.name for place in table.seats]
    return TableOut(
        id=table.id,
        version=table.version,
        status=table.status,
        game=table.game.name,
        options=dict(table.options),
        seats=[
            SeatOut(
                number=place.number,
                kind=place.kind,
                name=place.name,
                level=place.level,
                away=place.away,
                yours=place.number in mine,
            )
            for place in table.seats
        ],
        seat=None if side == SPECTATOR else side,
        turn=table.turn,
        view=None if view is None else fields(view),
        legal=[table.game.moves.text(view, move) for move in legal],
        can_undo=table.can_undo(user),
        question=translate(table.game.moves.ask(view), visitor.language) if table.turn is not None else None,
        scores=list(table.scores),
        winners=list(table.winners),
        log=[
            LogOut(
                kind=line.kind,
                seat=line.seat,
                name=line.name,
                move=line.entry.text if line.entry is not None else None,
                words=". ".join(translate(message, visitor.language, line.name, names) for message in line.words),
            )
            for line in table.log
        ],
        invitation=table.code if mine or table.owner == user else None,
    )


@router.get("/games")
def list_games(visitor: Asking) -> list[GameOut]:
    """All games with their options."""
    return [_game(game, visitor.language) for game in games.games().values()]


@router.post("/tables", status_code=201)
def create(request: Request, wanted: TableIn, visitor: Asking, house: House) -> Response:
    """Make a table. Without an open seat the match begins at once."""
    find(wanted.game)
    request.app.state.buckets.take("tables", request.client.host if request.client else "")
    seats: list[Place] = []
    for place in wanted.seats:
        seats.append(
            Human(place.name or visitor._("Player"))
            if place.kind == "human"
            else Open()
            if place.kind == "open"
            else Bot(place.level, place.name)
        )
    id = house.create(
        visitor.user,
        wanted.game,
        seats,
        wanted.options,
        language=visitor.language,
        pace=wanted.pace,
        hints=wanted.hints,
        watch=wanted.watch,
    )
    visitor.keep()
    made = MadeOut(table=_table(house.table(id), visitor), token=visitor.token)
    return visitor.dress(JSONResponse(made.model_dump(), 201))


@router.get("/tables/{id}")
def show(id: str, visitor: Asking, house: House, seat: Annotated[int | None, Query()] = None) -> TableOut:
    """A table as the asker sees it, from their `seat` if they have several."""
    return _table(house.table(id), visitor, seat)


@router.post("/tables/{id}/moves")
def play(id: str, wanted: MoveIn, visitor: Asking, house: House) -> TableOut:
    """Take a decision."""
    house.play(id, visitor.user, wanted.seat, wanted.version, wanted.move)
    return _table(house.table(id), visitor, wanted.seat)


@router.post("/tables/{id}/undo")
def undo(id: str, wanted: UndoIn, visitor: Asking, house: House) -> TableOut:
    """Take the last decision back."""
    house.undo(id, visitor.user, wanted.version)
    return _table(house.table(id), visitor)


__all__ = ["Refusal", "fields", "router", "seat_of"]
