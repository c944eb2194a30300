"""What people and bots at a table are called."""

from __future__ import annotations

import secrets
import unicodedata
from collections.abc import Collection

from speeltafel.engine.refusals import say
from speeltafel.tables.refusals import TableRefusal

LONGEST = 24
"""Characters in the longest name."""
BOT_NAMES = ("Snor", "Pluis", "Moos", "Saar", "Karel", "Noor", "Poekie", "Binky", "Toos", "Mia")
_TURNING = "\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069"  # they change reading direction


def clean(text: str) -> str:
    """A name without space around it. Raises `TableRefusal` if it is empty, too long or has control characters."""
    if len(text) > 100 * LONGEST:  # not worth normalising
        raise TableRefusal(
            say("A name has at most {longest} characters, not {count}", longest=LONGEST, count=len(text))
        )
    name = unicodedata.normalize("NFC", text).strip()
    if len(name) > LONGEST:
        raise TableRefusal(
            say("A name has at most {longest} characters, not {count}", longest=LONGEST, count=len(name))
        )
    if any(unicodedata.category(sign) in ("Cc", "Cs", "Zl", "Zp") or sign in _TURNING for sign in name):
        raise TableRefusal(say("A name may not have control characters in it"))
    if all(unicodedata.category(sign) in ("Cf", "Zs", "Mn") for sign in name):
        raise TableRefusal(say("A name needs at least one character"))
    return name


def distinct(name: str, taken: Collection[str]) -> str:
    """The name, with a number behind it when somebody at the table is called that already."""
    used = {other.casefold() for other in taken}
    number, unique = 1, name
    while unique.casefold() in used:
        number += 1
        unique = f"{name[: LONGEST - len(str(number)) - 1].rstrip()} {number}"
    return unique


def for_bot(taken: Collection[str]) -> str:
    """A name for a bot that nobody at the table has."""
    free = [name for name in BOT_NAMES if name not in taken]
    return distinct(secrets.choice(free or BOT_NAMES), taken)
