"""Pixies: the table as lines of text."""

from __future__ import annotations

from collections.abc import Sequence

from speeltafel.engine.refusals import Message, Seat, say
from speeltafel.games.pixies.moves import card_text, in_market
from speeltafel.games.pixies.rules import SPACES, State

WIDTH = 8
"""Letters to a space."""


def picture(s: State, seat: int) -> Sequence[Message | str]:
    """The market and everybody's grid, in the notation of cards."""
    lines: list[Message | str] = [say("Market: {cards}", cards=[card_text(s, card) for card in in_market(s)])]
    for p in range(s.seats):
        lines.append(say("{seat}:", seat=Seat(p)))
        for start in range(0, SPACES, 3):
            lines.append("  " + "".join(space(s, p, i).ljust(WIDTH) for i in range(start, start + 3)).rstrip())
    lines.append(say("B, G, Y, R and J: blue, green, yellow, red, joker; + spirals, - crosses, S special"))
    lines.append(say("*: two cards, the space is validated; [7]: a card face down; 7: empty"))
    return lines


def space(s: State, seat: int, index: int) -> str:
    """What lies on a space."""
    top, under = s.top[seat][index], s.under[seat][index]
    if top:
        return card_text(s, top) + ("*" if under else "")
    return f"[{index + 1}]" if under else f"{index + 1}"
