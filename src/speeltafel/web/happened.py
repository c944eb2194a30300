"""The log of a table in words."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from speeltafel.engine.language import catalog, translate
from speeltafel.engine.refusals import Message


@dataclass(frozen=True)
class LogLine:
    """One line: whose, the sentence, and how it is shown."""

    seat: int | None
    text: str
    new: bool
    """Part of what happened since the reader's own last turn."""
    quiet: bool
    """No decision, but somebody who came, left or took something back."""


def _goes_on(later: LogLine, who: int, start: str) -> bool:
    """Whether the line tells of a decision of the same seat: what it did just before joins it."""
    return later.seat == who and not later.quiet and later.text.startswith(start)


def lines(
    happened: Iterable[tuple[int, str, Sequence[Message], bool]],
    seat: int,
    names: Sequence[str],
    language: str,
    limit: int = 100,
    say_you: bool = True,
) -> list[LogLine]:
    """The latest first, a turn in one line where its sentences allow it.

    Each of `happened`, oldest first: seat, name at the time, what happened, whether a decision.
    """
    you = catalog(language).gettext("You")
    mine = names[seat] if say_you and 0 <= seat < len(names) else None
    if mine is not None:
        names = [*names[:seat], catalog(language).gettext("you"), *names[seat + 1 :]]
    made: list[LogLine] = []
    new = True
    for who, name, words, move in reversed(list(happened)[-limit:]):
        new = new and who != seat
        # before the deal somebody else may have sat on the seat
        called = you if who == seat and name == mine else name
        told = [translate(message, language, called, names) for message in words]
        text = ". ".join(sentence[:1].upper() + sentence[1:] for sentence in told)
        if not text:
            continue
        start = f"{called[:1].upper()}{called[1:]} "
        if made and move and _goes_on(made[-1], who, start) and text.startswith(start) and ". " not in text:
            made[-1] = LogLine(who, f"{text} · {made[-1].text[len(start) :]}", made[-1].new, False)
        else:
            made.append(LogLine(who, text, new and move, not move))
    return made
