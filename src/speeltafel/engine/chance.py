"""Chance: a small random generator and the shuffles that a match writes down.

All of it is written in the subset that compiles unchanged: whole numbers, records, arrays.
The generator is sfc32, four 32-bit words held in 64-bit fields. A match has one stream for the
game and every bot has its own, so that bots never disturb the cards.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence

from speeltafel.engine.records import Record, Row, int16, int32, int64, secret

WORD = 0xFFFFFFFF
SCRIPT = 256
"""How many cards the shuffles of one deal may have together."""
LISTS = 4
"""How many shuffles one deal may have."""


class Dice(Record):
    """A random stream. It can be loaded with shuffles to repeat, and keeps those it made."""

    a: int = secret(of=int64)
    b: int = secret(of=int64)
    c: int = secret(of=int64)
    counter: int = secret(of=int64)
    loaded: int = secret(of=int32)
    """How many loaded shuffles are still to be used."""
    bad: int = secret(of=int32)
    """1 when a loaded shuffle did not fit the cards that were to be shuffled."""
    script: Row = secret(SCRIPT, of=int16)
    script_at: int = secret(of=int32)
    script_length: Row = secret(LISTS, of=int32)
    script_list: int = secret(of=int32)
    keep: int = secret(of=int32)
    """1 when shuffles are to be kept for writing down."""
    kept: Row = secret(SCRIPT, of=int16)
    kept_at: int = secret(of=int32)
    kept_length: Row = secret(LISTS, of=int32)
    kept_list: int = secret(of=int32)


def seeded(seed: str | int, stream: str) -> Dice:
    """A new stream: the same seed and name of the stream always give the same numbers."""
    digest = hashlib.sha256(f"{stream}\n{seed}".encode()).digest()
    dice = Dice()
    dice.a, dice.b, dice.c = (int.from_bytes(digest[i : i + 4], "little") for i in (0, 4, 8))
    dice.counter = 1
    for _ in range(12):
        word(dice)
    return dice


def word(dice: Dice) -> int:
    """The next 32 random bits."""
    t = (dice.a + dice.b + dice.counter) & WORD
    dice.counter = (dice.counter + 1) & WORD
    dice.a = dice.b ^ (dice.b >> 9)
    dice.b = (dice.c + (dice.c << 3)) & WORD
    dice.c = ((((dice.c << 21) | (dice.c >> 11)) & WORD) + t) & WORD
    return t


def below(n: int, dice: Dice) -> int:
    """A random whole number from 0 to n - 1 (n below 2**16, so the bias is under 2**-16)."""
    return (word(dice) * n) >> 32


def mix(cards: Row, start: int, stop: int, dice: Dice) -> None:
    """Put `cards[start:stop]` in random order."""
    for i in range(stop - 1, start, -1):
        j = start + below(i - start + 1, dice)
        card = cards[i]
        cards[i] = cards[j]
        cards[j] = card


def settle(cards: Row, start: int, stop: int, dice: Dice) -> None:
    """Say that `cards[start:stop]` now lies in its final order: a shuffle of the match.

    A loaded shuffle takes the place of that order, if it holds the same cards; otherwise
    `dice.bad` is set. When shuffles are kept, the order is added to them.
    """
    n = stop - start
    if dice.loaded > 0:
        dice.loaded -= 1
        length = dice.script_length[dice.script_list]
        at = dice.script_at
        dice.script_list += 1
        dice.script_at += length
        if length != n:
            dice.bad = 1
        else:
            for i in range(n):
                found = 0
                wanted = 0
                for j in range(n):
                    if cards[start + j] == dice.script[at + i]:
                        found += 1
                    if dice.script[at + j] == dice.script[at + i]:
                        wanted += 1
                if found != wanted:
                    dice.bad = 1
            if dice.bad == 0:
                for i in range(n):
                    cards[start + i] = dice.script[at + i]
    if dice.keep == 1:
        for i in range(n):
            dice.kept[dice.kept_at + i] = cards[start + i]
        dice.kept_at += n
        dice.kept_length[dice.kept_list] = n
        dice.kept_list += 1


def load(dice: Dice, shuffles: Sequence[Sequence[int]]) -> int:
    """Load up to `LISTS` shuffles to be used instead of chance; returns how many fitted."""
    dice.loaded = dice.script_at = dice.script_list = dice.bad = 0
    at = 0
    for shuffle in shuffles[:LISTS]:
        if at + len(shuffle) > SCRIPT:
            break
        for card in shuffle:
            dice.script[at] = card
            at += 1
        dice.script_length[dice.loaded] = len(shuffle)
        dice.loaded += 1
    return dice.loaded


def unload(dice: Dice) -> list[list[int]]:
    """Take the kept shuffles out, and drop loaded ones that were not used."""
    lists = []
    at = 0
    for k in range(dice.kept_list):
        lists.append([dice.kept[at + i] for i in range(dice.kept_length[k])])
        at += dice.kept_length[k]
    dice.kept_at = dice.kept_list = dice.loaded = 0
    return lists
