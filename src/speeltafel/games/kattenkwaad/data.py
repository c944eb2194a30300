"""Kattenkwaad: the deck and the board."""

from __future__ import annotations

from collections.abc import Mapping

from speeltafel.engine.csvfile import CsvFile
from speeltafel.engine.refusals import Message, Refusal, say
from speeltafel.games.kattenkwaad.rules import KINDS, NAME, OPEN, PATH, ROW, SIDE, STEPS, State, houses_each

FILES: tuple[str, ...] = ("deck.csv", "board.txt")
SPECIALS = ("", "teleport", "catnip", "swap")
"""The names of the cards without a path, by what they do."""
WAYS = "NESW"
SIGNS = ("-", ".", "2", "3", "4", "P")
FEWEST = 24
"""So that the discard pile is never empty when the draw pile is (KK-20)."""


def load(s: State, files: Mapping[str, str]) -> None:
    """Read the cards and the fields. Raises `Refusal` naming file, line and column."""
    _deck(s, files["deck.csv"])
    _board(s, files["board.txt"])


def _deck(s: State, text: str) -> None:
    table = CsvFile("deck.csv", text, ("card", "path", "copies"))
    seen: set[str] = set()
    total = 0
    paths = False
    for kind, line in enumerate(table.lines, start=1):
        if kind > KINDS:
            raise line.refuse("card", say("at most {count} kinds of cards", count=KINDS))
        name = line.values["card"]
        code = name.encode()
        if not name or len(code) > NAME or not name.isprintable():
            raise line.refuse(
                "card", say("a name of 1 to {count} characters is needed, not {text}", count=NAME, text=name)
            )
        line.once("card", name, seen)
        for i, byte in enumerate(code):
            s.name[kind][i] = byte
        path = line.values["path"]
        if name in SPECIALS:
            if path:
                raise line.refuse("path", say("{card} has no path, so this stays empty", card=name))
            s.action[kind] = SPECIALS.index(name)
        else:
            if not 1 <= len(path) <= STEPS or set(path) - set(WAYS):
                raise line.refuse(
                    "path",
                    say(
                        "1 to {count} of the letters {ways} are needed, not {text}; only {specials} have none",
                        count=STEPS,
                        ways=" ".join(WAYS),
                        text=path or "-",
                        specials=", ".join(SPECIALS[1:]),
                    ),
                )
            s.action[kind] = PATH
            s.steps[kind] = len(path)
            # as though the first step went north, so that a turn is where it goes
            s.path[kind] = sum(((WAYS.index(way) - WAYS.index(path[0])) & 3) << (2 * i) for i, way in enumerate(path))
        copies = line.integer("copies", 0, KINDS)
        s.copies[kind] = copies
        total += copies
        paths = paths or bool(path and copies)
        if total > KINDS:
            raise line.refuse("copies", say("{count} cards up to here; at most {most}", count=total, most=KINDS))
    s.kinds = len(table.lines)
    if total < FEWEST:
        where = say("{count} cards; at least {least} are needed", count=total, least=FEWEST)
        raise table.lines[-1].refuse("copies", where) if table.lines else Refusal(_place("deck.csv", 2, "card", where))
    if not paths:
        raise table.lines[-1].refuse("path", say("at least one card needs a path"))


def _place(file: str, line: int, column: object, why: Message) -> Message:
    return say("{file}, line {line}, column {column}: {why}", file=file, line=line, column=column, why=why)


def _board(s: State, text: str) -> None:
    file = "board.txt"
    rows = [(number, line.split()) for number, line in enumerate(text.splitlines(), start=1) if line.strip()]
    if not rows:
        raise Refusal(_place(file, 1, 1, say("a row of fields is needed")))
    width = len(rows[0][1])
    usable = 0
    for row, (number, signs) in enumerate(rows, start=1):
        if row > SIDE:
            raise Refusal(_place(file, number, 1, say("at most {count} rows", count=SIDE)))
        if len(signs) > SIDE:
            raise Refusal(_place(file, number, SIDE + 1, say("at most {count} fields in a row", count=SIDE)))
        if len(signs) != width:
            where = min(len(signs), width) + 1
            why = say("{count} fields instead of {wanted} as in the first row", count=len(signs), wanted=width)
            raise Refusal(_place(file, number, where, why))
        for column, sign in enumerate(signs, start=1):
            if sign not in SIGNS:
                why = say("{text} is not one of {allowed}", text=sign, allowed=" ".join(SIGNS))
                raise Refusal(_place(file, number, column, why))
            field = row * ROW + column
            if sign == "P":
                if s.middle:
                    raise Refusal(_place(file, number, column, say("a second P; the first cat has one field")))
                s.middle = field
            s.ground[field] = OPEN if sign == "P" else SIGNS.index(sign)
            usable += 2 <= s.ground[field] <= s.seats
    if not s.middle:
        raise Refusal(_place(file, rows[-1][0], width, say("no P up to here; the first cat needs its field")))
    if usable < s.seats * houses_each(s):
        why = say(
            "{count} numbered fields for {seats} players up to here; their houses need {wanted}",
            count=usable,
            seats=s.seats,
            wanted=s.seats * houses_each(s),
        )
        raise Refusal(_place(file, rows[-1][0], width, why))
    s.width, s.height = width, len(rows)
