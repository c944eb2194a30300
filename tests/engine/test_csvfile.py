"""Data files with columns: every fault is named with file, line and column."""

from __future__ import annotations

import pytest

from speeltafel.engine.csvfile import CsvFile
from speeltafel.engine.refusals import Refusal

COLUMNS = ("card", "colour", "points")


def read(text: str) -> list[tuple[str, int, int]]:
    table = CsvFile("deck.csv", text, COLUMNS)
    seen: set[str] = set()
    found = []
    for line in table.lines:
        line.once("card", line.values["card"], seen)
        found.append((line.values["card"], line.choice("colour", ("red", "blue")), line.integer("points", 0, 9)))
    table.complete("card", ("A", "B"), seen)
    return found


def test_columns_in_any_order_and_empty_lines() -> None:
    text = "points, card ,colour\n3,A,red\n\n ,,\n9 , B, blue \n"
    for newline in ("\n", "\r\n", "\r"):
        assert read(text.replace("\n", newline)) == [("A", 0, 3), ("B", 1, 9)]


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("", "deck.csv: column card is missing"),
        ("card,colour\nA,red\n", "deck.csv: column points is missing"),
        ("card,colour,points,size\n", "deck.csv: unknown or double column size"),
        ("card,colour,points,card\n", "deck.csv: unknown or double column card"),
        ("card,colour,points\nA,red,٣\n", "deck.csv, line 2, column points: a whole number is needed"),
        ("card,colour,points\nA,red,1_0\n", "deck.csv, line 2, column points: a whole number is needed"),
        ("card,colour,points\nA,red\n", "deck.csv, line 2: 2 columns instead of 3"),
        ("card,colour,points\nA,red,1,2\n", "deck.csv, line 2: 4 columns instead of 3"),
        ("card,colour,points\nA,green,1\n", "deck.csv, line 2, column colour: green is not one of red, blue"),
        ("card,colour,points\nA,red,-1\n", "deck.csv, line 2, column points: -1 is not between 0 and 9"),
        ("card,colour,points\n\nA,red,one\n", "deck.csv, line 3, column points: a whole number is needed, not one"),
        ("card,colour,points\nA,red,1\nA,red,1\n", "deck.csv, line 3, column card: A stands here for the second time"),
        ("card,colour,points\nA,red,1\n", "deck.csv, column card: B is missing"),
        (f"card,colour,points\nA,red,{'9' * 5000}\n", "deck.csv, line 2, column points: a whole number is needed"),
        (f"card,colour,points\nA,{'r' * 5000},1\n", "deck.csv, line 2, column colour: rrr"),
        (f"card,colour,points,{'x' * 5000}\n", "deck.csv: unknown or double column xxx"),
        ('card,colour,points\n"' + "A" * 200_000, "deck.csv cannot be read: field larger than field limit"),
    ],
)
def test_faults(text: str, why: str) -> None:
    with pytest.raises(Refusal) as refused:
        read(text)
    assert str(refused.value).startswith(why)
    assert len(str(refused.value)) < 200
