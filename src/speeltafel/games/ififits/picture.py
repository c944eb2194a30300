"""If It Fits: the table as lines of text."""

from __future__ import annotations

from collections.abc import Sequence

from speeltafel.engine.refusals import Message, Seat, say, say_n
from speeltafel.games.ififits.moves import card_text, letter
from speeltafel.games.ififits.rules import (
    ASLEEP,
    AWAKE,
    BED,
    DECK,
    OPEN,
    SIZE,
    T_PRINCESS,
    T_TOY,
    WIDTH,
    State,
    table_height,
    table_width,
    turn_round,
    value,
)

SIGNS = "bmf!*"
"""Ball, mouse, feather, water sprayer, special toy."""
BLOCK = 7
"""Letters to a card from west to east; it is four lines high."""


def picture(s: State, seat: int) -> Sequence[Message | str]:
    """The used part of the field with a cell around it, the boxes, the own hand."""
    lines: list[Message | str] = []
    cells = [s.laid[i] for i in range(s.laid_count)]
    columns = range(
        max(1, min(cell % WIDTH for cell in cells) - 1), min(table_width(s), max(c % WIDTH for c in cells) + 1) + 1
    )
    rows = range(
        max(1, min(cell // WIDTH for cell in cells) - 1), min(table_height(s), max(c // WIDTH for c in cells) + 1) + 1
    )
    lines.append("   " + "".join(chr(64 + column).center(BLOCK) for column in columns))
    for row in rows:
        parts = [on_table(s, row * WIDTH + column) for column in columns]
        for k in range(4):
            lines.append((f"{row:>2} " if k == 1 else "   ") + "".join(part[k] for part in parts))
    lines.append(say("b: ball, m: mouse, f: feather, !: water sprayer, *: special toy, P: Princess"))
    lines += [say("{sign}: cat of {seat}, with z asleep", sign=p + 1, seat=Seat(p)) for p in range(s.seats)]
    lines += [box(s, number) for number in range(1, s.boxes + 1) if s.sums[number][SIZE]]
    if seat >= 0:
        hand = [s.hand[seat][i] for i in range(s.hand_count[seat])]
        lines.append(say("Your hand: {cards}", cards=[card_text(s, kind) for kind in hand] or "-"))
        drawn = [block for kind in hand if kind <= DECK for block in both_ways(s, kind)]
        lines += ["   " + " ".join(block[k] for block in drawn) for k in range(4 if drawn else 0)]
    if 0 < s.laying <= DECK:
        lines += ["   " + " ".join(block[k] for block in both_ways(s, s.laying)) for k in range(4)]
    return lines


def on_table(s: State, cell: int) -> list[str]:
    """The four lines of a cell."""
    if s.card[cell] <= 0:
        return [" " * BLOCK, "·".center(BLOCK), " " * BLOCK, " " * BLOCK]
    top = s.top[cell]
    over = ""
    if top == T_PRINCESS:
        over = "P"
    elif top == T_TOY:
        over = "*"
    elif top > 0:
        over = f"z{top}" if s.card[cell] == BED else str(top)
    if s.half[cell] == 1:
        over = f"{over}>"
    elif s.half[cell] == 2:
        over = f"<{over}"
    return card(s, s.card[cell], s.sides[cell], f"{letter(s.box[cell])} {over}".strip())


def both_ways(s: State, kind: int) -> list[list[str]]:
    """A box card as it lies, and turned if that makes a difference."""
    sides = s.sides_of[kind]
    blocks = [card(s, kind, sides, card_text(s, kind))]
    if turn_round(sides) != sides:
        blocks.append(card(s, kind, turn_round(sides), f"{kind}↻"))
    return blocks


def card(s: State, kind: int, sides: int, below: str) -> list[str]:
    """The four lines of a card: its walls, what is on it, and a word below that."""
    toys = "".join(sign * s.content[kind][i] for i, sign in enumerate(SIGNS))
    north, south = ("     " if sides >> d & 1 else "─────" for d in (0, 2))
    west, east = (" " if sides >> d & 1 else "│" for d in (3, 1))
    return [
        f"┌{north}┐",
        f"{west}{toys[:5].center(5)}{east}",
        f"{west}{below[:5].center(5)}{east}",
        f"└{south}┘",
    ]


def box(s: State, number: int) -> Message:
    """A box with its value, its open sides and its cats."""
    sums = s.sums[number]
    cats: list[Message | str] = []
    for p in range(s.seats):
        if sums[AWAKE + p] + sums[ASLEEP + p]:
            cats.append(say("{seat} {awake} + {asleep}", seat=Seat(p), awake=sums[AWAKE + p], asleep=sums[ASLEEP + p]))
    return say_n(
        "Box {box}: worth {value}, {count} side open; cats awake + asleep: {cats}",
        "Box {box}: worth {value}, {count} sides open; cats awake + asleep: {cats}",
        count=sums[OPEN],
        box=letter(number),
        value=value(s, number),
        cats=cats or "-",
    )
