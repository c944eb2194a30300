"""Pixies: the deck."""

from __future__ import annotations

from collections.abc import Mapping

from speeltafel.engine.csvfile import CsvFile
from speeltafel.engine.refusals import say
from speeltafel.games.pixies.rules import CARDS, JOKER, SPACES, State

FILES: tuple[str, ...] = ("deck.csv",)
COLOURS = ("blue", "green", "yellow", "red", "joker")
COLUMNS = ("card", "colour", "number", "spirals", "crosses", "special")
SYMBOLS = 6
"""The most spirals or crosses that a card has room for."""


def load(s: State, files: Mapping[str, str]) -> None:
    """Read the 70 cards (PX-0). Raises `Refusal` naming file, line and column."""
    table = CsvFile("deck.csv", files["deck.csv"], COLUMNS)
    seen: set[int] = set()
    names: set[str] = set()
    for line in table.lines:
        card = line.integer("card", 1, CARDS)
        line.once("card", card, seen)
        s.colour[card] = line.choice("colour", COLOURS)
        s.number[card] = line.integer("number", 1, SPACES)
        s.spirals[card] = line.integer("spirals", 0, SYMBOLS)
        s.crosses[card] = line.integer("crosses", 0, SYMBOLS)
        s.special[card] = line.integer("special", 0, 1)
        if s.special[card] and s.colour[card] == JOKER:
            raise line.refuse("special", say("a joker has no colour to count"))
        if (s.spirals[card] > 0) + (s.crosses[card] > 0) + s.special[card] > 1:
            raise line.refuse("crosses", say("a card has spirals or crosses or is special, not two of these"))
        line.once("number", name(s, card), names)
    table.complete("card", range(1, CARDS + 1), seen)


def name(s: State, card: int) -> str:
    """The card in the match notation: `B1+6`, `G9-4`, `R1S`, `J2`."""
    symbol = ""
    if s.special[card]:
        symbol = "S"
    elif s.spirals[card]:
        symbol = f"+{s.spirals[card]}"
    elif s.crosses[card]:
        symbol = f"-{s.crosses[card]}"
    return f"{COLOURS[s.colour[card]][0].upper()}{s.number[card]}{symbol}"
