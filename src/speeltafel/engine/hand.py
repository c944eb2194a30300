"""Rows of numbers kept in ascending order, such as hands: where a card lies then tells nothing.

In the subset that compiles unchanged.
"""

from __future__ import annotations

from speeltafel.engine.records import Row


def insert(cards: Row, count: int, card: int) -> None:
    """Put a card in its place among the first `count`, which ascend."""
    i = count
    while i > 0 and cards[i - 1] > card:
        cards[i] = cards[i - 1]
        i -= 1
    cards[i] = card


def remove(cards: Row, count: int, card: int) -> int:
    """Take a card out of the first `count` and close the gap; returns 1 if it was there, else 0."""
    i = 0
    while i < count and cards[i] != card:
        i += 1
    if i == count:
        return 0
    for j in range(i, count - 1):
        cards[j] = cards[j + 1]
    cards[count - 1] = 0
    return 1
