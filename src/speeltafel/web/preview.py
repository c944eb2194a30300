"""Look at a board while you draw it: `python -m speeltafel.web.preview upordown`, then open the address it prints.

The address takes `moves` (how many random decisions were played), `seat` (-1 looks on), `seats`, `seed`, `language`
and the game's options: `/?moves=40&seat=1&seats=4`. Every request reads the game's files anew.
"""

from __future__ import annotations

import sys

import uvicorn
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response
from starlette.routing import Route

from speeltafel.engine import chance
from speeltafel.engine.game import Game
from speeltafel.engine.match import Match
from speeltafel.games import find
from speeltafel.web import guard, happened, pages, sheets
from speeltafel.web.scene import scene


def position(game: Game, seats: int, moves: int, seed: str, options: dict[str, str]) -> Match:
    """A match after some random decisions."""
    chosen = {}
    for name, text in options.items():
        chosen[name] = next((c for c in game.option(name).choices if str(c).lower() == text.lower()), text)
    match = Match(game, ["Anna", "Bram", "Tijger", "Oma Riet", "Daan", "Eva"][:seats], chosen, seed=seed)
    dice = chance.seeded(seed, "preview")
    while not match.over and moves > 0:
        legal = match.legal()
        match.play_move(legal[chance.below(len(legal), dice)])
        moves -= 1
    return match


def application(game: Game) -> Starlette:
    """The preview as an application."""

    async def look(request: Request) -> Response:
        sheets.forget()
        asked = dict(request.query_params)
        moves, seats = int(asked.pop("moves", 30)), int(asked.pop("seats", 3))
        language, seed = asked.pop("language", "nl"), asked.pop("seed", "1")
        turn = asked.pop("seat", None)
        match = position(game, seats, moves, seed, asked)
        seat = match.turn if turn is None else int(turn)
        log = happened.lines(
            [(entry.seat, match.seats[entry.seat], entry.words, True) for entry in match.entries],
            seat,
            match.seats,
            language,
        )
        shown = pages.page(
            "preview.html",
            language,
            scene=scene(match, seat, language, bots={seats - 1: "tiger"}),
            log=log,
            refusal=None,
        )
        return HTMLResponse(shown, headers=guard.HEADERS)

    async def file(request: Request) -> Response:
        found = sheets.sheet(request.path_params["name"])
        assert found is not None
        return Response(found.content, media_type=found.kind)

    return Starlette(routes=[Route("/", look), Route("/static/{hash}/{name}", file)])


if __name__ == "__main__":
    port = int(sys.argv[2]) if len(sys.argv) > 2 else 8123
    uvicorn.run(application(find(sys.argv[1])), port=port, log_level="warning")
