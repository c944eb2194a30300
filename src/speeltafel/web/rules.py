"""The rulebooks as pages: every rule has its own address, `/rules/upordown#UD-14`."""

from __future__ import annotations

import re
from functools import cache
from typing import Annotated

from fastapi import APIRouter, Query
from markdown_it import MarkdownIt
from markupsafe import Markup
from starlette.responses import Response

from speeltafel import games
from speeltafel.engine.game import Game
from speeltafel.engine.rulebook import Chapter, rulebook
from speeltafel.web.home import find
from speeltafel.web.visitor import Asking

router = APIRouter(prefix="/rules", include_in_schema=False)

_IDENTIFIER = re.compile(r"\b[A-Z]{2,3}-\d+\b")


@cache
def _markdown() -> MarkdownIt:
    return MarkdownIt("commonmark", {"html": False}).enable("table")


def html(markdown: str, known: frozenset[str]) -> Markup:
    """Markdown of a rulebook as HTML; identifiers of rules become links."""
    made = _markdown().render(markdown)
    return Markup(_IDENTIFIER.sub(lambda m: f'<a href="#{m[0]}">{m[0]}</a>' if m[0] in known else m[0], made))


@cache
def _book(game: Game, language: str) -> tuple[tuple[Chapter, Markup, tuple[tuple[object, Markup], ...]], ...]:
    chapters = rulebook(game, language)
    known = frozenset(rule.id for chapter in chapters for rule in chapter.rules)
    return tuple(
        (chapter, html(chapter.intro, known), tuple((rule, html(rule.body, known)) for rule in chapter.rules))
        for chapter in chapters
    )


@router.get("")
def look_up(visitor: Asking, q: Annotated[str, Query(max_length=100)] = "") -> Response:
    """Rules of all games that have the words, or the identifier, in them."""
    words = q.casefold().split()
    found = []
    for game in games.games().values():
        for _, _, rules in _book(game, visitor.language) if words else ():
            for rule, body in rules:
                text = f"{rule.id} {rule.title} {Markup(body).striptags()}".casefold()  # type: ignore[attr-defined]
                if all(word in text for word in words):
                    found.append((game, rule, body))
    return visitor.page("rules.html", games=games.games().values(), q=q, found=found[:60])


@router.get("/{name}")
def book(name: str, visitor: Asking) -> Response:
    """The rulebook of one game."""
    game = find(name)
    return visitor.page("rulebook.html", game=game, chapters=_book(game, visitor.language))
