"""Data files with columns, and errors that name file, line and column."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterable, Sequence
from typing import Any

from speeltafel.engine.refusals import Message, Refusal, say

SHOWN = 40
"""Characters shown of a text that cannot be."""
WHOLE = re.compile(r"[+-]?[0-9]{1,9}")


class CsvLine:
    """One line of a data file; its readers raise `Refusal` where a value is not what it must be."""

    def __init__(self, file: str, number: int, values: dict[str, str]) -> None:
        self.file, self.number, self.values = file, number, values

    def refuse(self, column: str, why: Message) -> Refusal:
        """A refusal that names this line and the column."""
        return Refusal(
            say("{file}, line {line}, column {column}: {why}", file=self.file, line=self.number, column=column, why=why)
        )

    def integer(self, column: str, low: int, high: int) -> int:
        """A whole number from `low` to `high`."""
        text = self.values[column]
        if not WHOLE.fullmatch(text):
            raise self.refuse(column, say("a whole number is needed, not {text}", text=text[:SHOWN]))
        value = int(text)
        if not low <= value <= high:
            raise self.refuse(column, say("{value} is not between {low} and {high}", value=value, low=low, high=high))
        return value

    def choice(self, column: str, allowed: Sequence[str]) -> int:
        """The index of a word in `allowed`."""
        text = self.values[column]
        if text not in allowed:
            raise self.refuse(
                column, say("{text} is not one of {allowed}", text=text[:SHOWN], allowed=", ".join(allowed))
            )
        return allowed.index(text)

    def once(self, column: str, value: object, seen: set[Any]) -> None:
        """Refuse a value that an earlier line has too; else remember it."""
        if value in seen:
            raise self.refuse(column, say("{value} stands here for the second time", value=value))
        seen.add(value)


class CsvFile:
    """A data file with a head of column names. Raises `Refusal` for a missing or unknown column."""

    def __init__(self, file: str, text: str, columns: Sequence[str]) -> None:
        self.file = file
        try:
            rows = list(csv.reader(io.StringIO(text, newline="")))
        except csv.Error as error:
            raise Refusal(say("{file} cannot be read: {why}", file=file, why=str(error))) from None
        head = [name.strip() for name in rows[0]] if rows else []
        for column in columns:
            if column not in head:
                raise Refusal(say("{file}: column {column} is missing", file=file, column=column))
        for column in head:
            if column not in columns or head.count(column) > 1:
                raise Refusal(
                    say(
                        "{file}: unknown or double column {column}; the columns are {columns}",
                        file=file,
                        column=column[:SHOWN],
                        columns=", ".join(columns),
                    )
                )
        self.lines = []
        for number, row in enumerate(rows[1:], start=2):
            if not any(cell.strip() for cell in row):
                continue
            if len(row) != len(head):
                raise Refusal(
                    say(
                        "{file}, line {line}: {count} columns instead of {wanted}",
                        file=file,
                        line=number,
                        count=len(row),
                        wanted=len(head),
                    )
                )
            self.lines.append(CsvLine(file, number, dict(zip(head, (cell.strip() for cell in row), strict=True))))

    def complete(self, column: str, wanted: Iterable[object], seen: set[Any]) -> None:
        """Refuse a file in which a wanted value stands nowhere."""
        for value in wanted:
            if value not in seen:
                raise Refusal(
                    say("{file}, column {column}: {value} is missing", file=self.file, column=column, value=value)
                )
