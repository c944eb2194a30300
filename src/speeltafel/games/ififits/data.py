"""If It Fits: the deck of box cards."""

from __future__ import annotations

from collections.abc import Mapping

from speeltafel.engine.csvfile import CsvFile
from speeltafel.games.ififits.rules import ALL_OPEN, BED, DECK, SPECIAL, START, TOY, State

FILES: tuple[str, ...] = ("deck.csv",)
SIDES = ("north", "east", "south", "west")
THINGS = ("ball", "mouse", "feather", "sprayer")
MOST = 4
"""The most of one thing that fit on the picture of a card."""


def load(s: State, files: Mapping[str, str]) -> None:
    """Read the box cards 1 to 72: 1 for an open side, 0 for a wall, and how many of each thing lie in it.

    Raises `Refusal` naming file, line and column.
    """
    table = CsvFile("deck.csv", files["deck.csv"], ("card", *SIDES, *THINGS))
    seen: set[int] = set()
    for line in table.lines:
        card = line.integer("card", 1, DECK)
        line.once("card", card, seen)
        s.sides_of[card] = sum(line.integer(side, 0, 1) << d for d, side in enumerate(SIDES))
        for k, thing in enumerate(THINGS):
            s.content[card][k] = line.integer(thing, 0, MOST)
    table.complete("card", range(1, DECK + 1), seen)
    # these cards are open on all sides (IF-5, IF-30, IF-51); the special toy is a toy in itself (IF-52)
    for kind in (TOY, START, BED):
        s.sides_of[kind] = ALL_OPEN
    s.content[TOY][SPECIAL] = 1
