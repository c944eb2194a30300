"""Kattenkwaad: the table as lines of text."""

from __future__ import annotations

from collections.abc import Sequence

from speeltafel.engine.refusals import Message, Seat, say, say_n
from speeltafel.games.kattenkwaad.moves import card_text
from speeltafel.games.kattenkwaad.rules import CAT, EMPTY, MISSING, ROW, TREE, State

HOUSES = "ABCD"


def picture(s: State, seat: int) -> Sequence[Message | str]:
    """The board with its fields by name, what the signs mean, the own hand."""
    lines: list[Message | str] = ["    " + " ".join(chr(ord("a") + column) for column in range(s.width))]
    for row in range(1, s.height + 1):
        signs = " ".join(sign(s, row * ROW + column) for column in range(1, s.width + 1))
        lines.append(f"{row:>3} {signs}")
    lines += [say("{sign}: house of {seat}", sign=HOUSES[p], seat=Seat(p)) for p in range(s.seats)]
    lines.append(say("T: tree; 1 to 4: cats; o: the paw print"))
    if s.waiting:
        lines.append(say_n("{count} cat waits to come in", "{count} cats wait to come in", count=s.waiting))
    if seat >= 0:
        hand = [card_text(s, s.hand[seat][i]) for i in range(s.hand_count[seat])]
        lines.append(say("Your hand: {cards}", cards=hand or "-"))
    return lines


def sign(s: State, field: int) -> str:
    """One letter for a field."""
    if s.ground[field] == MISSING:
        return " "
    if s.on[field] >= CAT:
        return str(s.on[field] - CAT + 1)
    if s.on[field] == TREE:
        return "T"
    if s.on[field] != EMPTY:
        return HOUSES[s.on[field] - 1]
    return "o" if field == s.middle else "."
