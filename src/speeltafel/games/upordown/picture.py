"""Up or Down?: the table as lines of text."""

from __future__ import annotations

from collections.abc import Sequence

from speeltafel.engine.refusals import Message, Seat, say, say_n
from speeltafel.games.upordown.moves import COLOURS, direction
from speeltafel.games.upordown.rules import MARKET, ROWS, State

ARROWS = {1: "↑", 0: "↕", -1: "↓"}


def picture(s: State, seat: int) -> Sequence[Message | str]:
    """The circle, the piles, everybody's rows, the own hand."""
    lines: list[Message | str] = [say("Circle: {cards}", cards=[card(s, s.market[i]) for i in range(MARKET)])]
    if s.open_count:
        lines.append(
            say_n(
                "Face-up pile: {count} card, on top {card}",
                "Face-up pile: {count} cards, on top {card}",
                count=s.open_count,
                card=card(s, s.open_top),
            )
        )
    lines.append(say_n("Face-down pile: {count} card", "Face-down pile: {count} cards", count=s.down_count))
    for p in range(s.seats):
        for row in range(ROWS):
            if s.row_count[p][row]:
                lines.append(
                    say(
                        "{seat}, row {row} {arrow} {cards}",
                        seat=Seat(p),
                        row=row + 1,
                        arrow=ARROWS[direction(s, p, row)],
                        cards=[card(s, s.row[p][row][i]) for i in range(s.row_count[p][row])],
                    )
                )
    if seat >= 0:
        lines.append(say("Your hand: {cards}", cards=[card(s, s.hand[seat][i]) for i in range(s.hand_count[seat])]))
    return lines


def card(s: State, number: int) -> Message:
    """A card with its colour; an empty place in the circle is the card being taken."""
    if number == 0:
        return say("empty")
    return say("{number} {colour}", number=number, colour=COLOURS[s.colour[number]])
