"""Up or Down?: the table of colours."""

from __future__ import annotations

from collections.abc import Mapping

from speeltafel.engine.csvfile import CsvFile
from speeltafel.games.upordown.rules import CARDS, State

FILES: tuple[str, ...] = ("colours.csv",)
COLOURS = ("yellow", "red", "blue", "pink", "purple", "green")


def load(s: State, files: Mapping[str, str]) -> None:
    """Read the colour of each number 1 to 126 (UD-2). Raises `Refusal` naming file, line and column."""
    table = CsvFile("colours.csv", files["colours.csv"], ("number", "colour"))
    seen: set[int] = set()
    for line in table.lines:
        number = line.integer("number", 1, CARDS)
        line.once("number", number, seen)
        s.colour[number] = line.choice("colour", COLOURS)
    table.complete("number", range(1, CARDS + 1), seen)
