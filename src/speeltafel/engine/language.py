"""Dutch and English: messages become sentences by gettext catalogs, one beside each part that speaks."""

from __future__ import annotations

import io
from collections.abc import Sequence
from functools import cache
from gettext import NullTranslations
from importlib import resources

from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po
from babel.support import Translations

from speeltafel.engine.refusals import Message, Seat

LANGUAGES = ("nl", "en")


@cache
def catalog(language: str) -> NullTranslations:
    """All catalogs of a language as one: `locale/nl.po` and each game's own `nl.po`. English is the text itself."""
    merged = Translations()
    home = resources.files("speeltafel")
    places = [home / "locale", *sorted((home / "games").iterdir(), key=lambda place: place.name)]
    for place in places:
        file = place / f"{language}.po"
        if place.is_dir() and file.is_file():
            compiled = io.BytesIO()
            write_mo(compiled, read_po(io.BytesIO(file.read_bytes()), locale=language))
            compiled.seek(0)
            merged.merge(Translations(compiled))
    return merged


def translate(message: object, language: str, name: str = "?", names: Sequence[str] = ()) -> str:
    """A message as a sentence; `name` is put where it speaks of the seat, `names` (by seat) where it names others.

    Anything else becomes text as it is.
    """
    if isinstance(message, (list, tuple)):
        return ", ".join(translate(item, language, name, names) for item in message)
    if isinstance(message, Seat) and message.number < len(names):
        return names[message.number]
    if not isinstance(message, Message):
        return str(message)
    known = catalog(language)
    if message.plural:
        count = message.values["count"]
        text = known.ngettext(message.text, message.plural, count if isinstance(count, int) else 2)
    else:
        text = known.gettext(message.text)
    values = {key: translate(value, language, name, names) for key, value in message.values.items()}
    return text.format_map({"name": name, **values})
