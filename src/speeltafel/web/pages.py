"""Templates into pages, in the reader's language."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Any

from jinja2 import ChoiceLoader, Environment, PackageLoader, PrefixLoader, StrictUndefined
from markupsafe import Markup

from speeltafel.engine.language import LANGUAGES, catalog, translate
from speeltafel.games import games
from speeltafel.players import PLAYERS
from speeltafel.web import sheets

NAMES = {"nl": "Nederlands", "en": "English"}
"""What the languages call themselves."""


@cache
def environment(language: str) -> Environment:
    """Templates of the pages, and `<game>/board.html` of each game, speaking one language."""
    made = Environment(
        loader=ChoiceLoader(
            [
                PackageLoader("speeltafel.web"),
                PrefixLoader({game.name: PackageLoader(game.package, "") for game in games().values()}),
            ]
        ),
        autoescape=True,
        trim_blocks=True,
        lstrip_blocks=True,
        undefined=StrictUndefined,
        extensions=["jinja2.ext.i18n", "jinja2.ext.do"],
    )
    known = catalog(language)
    made.install_gettext_callables(known.gettext, known.ngettext, newstyle=True)  # type: ignore[attr-defined]

    def say_text(message: object, name: str = "?", names: Sequence[str] = ()) -> str:
        return translate(message, language, name, names)

    made.globals |= {
        "language": language,
        "languages": {code: NAMES[code] for code in LANGUAGES},
        "say_text": say_text,
        "players": PLAYERS,
        "sheet": sheets.address,
        "common": lambda: Markup(sheets.common()),
        "art": lambda game: Markup(sheets.art(game)),
    }
    return made


def page(template: str, language: str, **values: Any) -> str:
    """A template filled in."""
    return environment(language).get_template(template).render(**values)
