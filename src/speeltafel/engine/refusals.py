"""Refusals: what is wrong, what is allowed, and which rule says so, in words that translate."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True)
class Seat:
    """A seat as a value of a message; whoever shows it knows the name."""

    number: int

    def __str__(self) -> str:
        return f"seat {self.number}"


@dataclass(frozen=True)
class Message:
    """A sentence in English with `{named}` places, which catalogs translate, and their values.

    A value may itself be a message, a seat, or a list of messages and words. The place `{name}` is filled
    by whoever shows it, with the name of the seat concerned. With a `plural`, the value `count`
    chooses between the two.
    """

    text: str
    values: Mapping[str, object] = field(default_factory=dict)
    plural: str = ""

    def __str__(self) -> str:
        text = self.plural if self.plural and self.values["count"] != 1 else self.text
        return text.format_map({"name": "?", **{k: _plain(v) for k, v in self.values.items()}})


def _plain(value: object) -> str:
    """A value of a message in English."""
    return ", ".join(map(str, value)) if isinstance(value, (list, tuple)) else str(value)


def say(text: str, /, **values: object) -> Message:
    """A message; the extractor of translations looks for this name."""
    return Message(text, values)


def say_n(text: str, plural: str, /, *, count: int, **values: object) -> Message:
    """A message with a singular and a plural form, chosen by `count`."""
    return Message(text, {"count": count, **values}, plural)


class Refusal(Exception):
    """Something that was asked cannot be done. Nothing has changed.

    `rule` is the identifier of the rule behind it (`UD-14`), or empty when no rule of a game is
    concerned; `message` says what is wrong and what is allowed.
    """

    def __init__(self, message: Message, rule: str = "") -> None:
        super().__init__(f"{rule}: {message}" if rule else str(message))
        self.message = message
        self.rule = rule
