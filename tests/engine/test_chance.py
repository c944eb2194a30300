"""Chance: repeatable streams, and shuffles that are written down and repeated."""

from __future__ import annotations

from collections import Counter
from ctypes import c_int16

import pytest

from speeltafel.engine import chance
from speeltafel.engine.chance import LISTS, SCRIPT, Dice, below, load, mix, seeded, settle, unload, word
from speeltafel.engine.records import Row


def cards(n: int) -> Row:
    row: Row = (c_int16 * n)(*range(1, n + 1))
    return row


def test_a_seed_and_a_stream_always_give_the_same() -> None:
    def numbers(seed: str | int, stream: str) -> list[int]:
        dice = seeded(seed, stream)
        return [word(dice) for _ in range(20)]

    assert numbers("a", "game") == numbers("a", "game")
    assert numbers(7, "game") == numbers("7", "game")
    different = [numbers("a", "game"), numbers("b", "game"), numbers("a", "bot"), numbers("", "")]
    assert len({tuple(some) for some in different}) == 4


def test_sfc32_is_that_generator() -> None:
    """The published algorithm, step by step, from the same state."""
    dice = seeded("sfc", "test")
    a, b, c, counter = dice.a, dice.b, dice.c, dice.counter
    for _ in range(1000):
        t = (a + b + counter) % 2**32
        counter = (counter + 1) % 2**32
        a = b ^ (b >> 9)
        b = (c + (c << 3)) % 2**32
        c = (((c << 21) | (c >> 11)) + t) % 2**32
        assert word(dice) == t


@pytest.mark.parametrize("n", [1, 2, 6, 70, 126])
def test_below_stays_below_and_is_even(n: int) -> None:
    dice = seeded(1, "test")
    counts = Counter(below(n, dice) for _ in range(400 * n))
    assert set(counts) == set(range(n))
    # six standard deviations of a count with mean 400
    assert all(abs(count - 400) < 6 * 400**0.5 for count in counts.values())


def test_mix_keeps_the_cards_and_the_rest() -> None:
    row = cards(10)
    mix(row, 2, 8, seeded(1, "test"))
    assert sorted(row) == list(range(1, 11))
    assert list(row)[:2] + list(row)[8:] == [1, 2, 9, 10]


def test_mix_gives_every_order() -> None:
    dice = seeded(1, "test")
    orders: Counter[tuple[int, ...]] = Counter()
    for _ in range(2400):
        row = cards(4)
        mix(row, 0, 4, dice)
        orders[tuple(row)] += 1
    assert len(orders) == 24
    assert all(40 < count < 160 for count in orders.values())


def shuffled(dice: Dice, n: int = 5) -> list[int]:
    row = cards(n)
    mix(row, 0, n, dice)
    settle(row, 0, n, dice)
    return list(row)


def test_kept_shuffles_are_repeated_when_loaded() -> None:
    dice = seeded(1, "test")
    dice.keep = 1
    made = [shuffled(dice), shuffled(dice)]
    assert unload(dice) == made
    assert unload(dice) == []
    other = seeded(2, "test")
    assert load(other, made) == 2
    assert [shuffled(other), shuffled(other)] == made
    assert (other.loaded, other.bad) == (0, 0)
    assert shuffled(other) != made[0]


@pytest.mark.parametrize("wrong", [[1, 2, 3, 4], [1, 2, 3, 4, 5, 5], [1, 2, 3, 4, 4], [1, 2, 3, 4, 6]])
def test_a_loaded_shuffle_of_other_cards_is_bad(wrong: list[int]) -> None:
    dice = seeded(1, "test")
    load(dice, [wrong])
    assert sorted(shuffled(dice)) == [1, 2, 3, 4, 5]
    assert dice.bad == 1


def test_no_more_is_loaded_than_there_is_room_for() -> None:
    assert load(Dice(), [[1]] * (LISTS + 3)) == LISTS
    assert load(Dice(), [[1] * SCRIPT, [1]]) == 1
    assert load(Dice(), [[1] * (SCRIPT + 1)]) == 0
    assert chance.below(1, seeded(0, "")) == 0
