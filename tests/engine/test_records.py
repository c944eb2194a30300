"""Records: every field says who may see it, and a view holds nothing else."""

from __future__ import annotations

from typing import Any

import pytest

from speeltafel.engine.records import SPECTATOR, Cube, Grid, Record, Row, int8, int32, owner, public, secret


class Small(Record):
    shown: int = public()
    hidden: Row = secret(3)
    hand: Grid = owner(4, 3)
    row: Cube = public(2, 2, 2, of=int8)
    wish: Row = owner(4, of=int32)
    last: int = public(of=int8)


def filled() -> Small:
    s = Small()
    s.seats, s.turn, s.shown, s.last, s.reveals = 4, 2, 300, -1, 70_000
    for i in range(3):
        s.hidden[i] = 1 + i
    for seat in range(4):
        s.wish[seat] = 100_000 + seat
        for i in range(3):
            s.hand[seat][i] = 10 * (seat + 1) + i
    s.row[1][0][1] = 7
    return s


@pytest.mark.parametrize("value", [5, None, (3,)])
def test_a_field_without_an_audience_cannot_be_declared(value: object) -> None:
    layout: Any = type(Record)
    for space in ({"__annotations__": {"market": "Row"}, "market": value}, {"__annotations__": {"market": "Row"}}):
        with pytest.raises(TypeError, match="market does not say who may see it"):
            layout("Leaky", (Record,), space)


def test_a_new_record_is_zero() -> None:
    assert not any(bytes(Small()))


def test_a_copy_has_memory_of_its_own() -> None:
    s = filled()
    twin = s.copy()
    assert bytes(twin) == bytes(s)
    twin.hand[1][1] = 99
    assert s.hand[1][1] == 21


@pytest.mark.parametrize("seat", [SPECTATOR, 0, 1, 2, 3])
def test_a_view_is_what_the_seat_may_see(seat: int) -> None:
    view = filled().view(seat)
    assert (view.seats, view.turn, view.shown, view.last, view.reveals) == (4, 2, 300, -1, 70_000)
    assert view.row[1][0][1] == 7
    assert list(view.hidden) == [0, 0, 0]
    for other in range(4):
        mine = other == seat
        assert list(view.hand[other]) == ([10 * (other + 1) + i for i in range(3)] if mine else [0, 0, 0])
        assert view.wish[other] == (100_000 + other if mine else 0)


@pytest.mark.parametrize("seat", [SPECTATOR, 0, 3])
def test_a_view_of_a_view_is_that_view(seat: int) -> None:
    view = filled().view(seat)
    assert bytes(view.view(seat)) == bytes(view)


@pytest.mark.parametrize("seat", [SPECTATOR, 0, 1])
def test_what_a_seat_cannot_see_changes_no_byte_of_its_view(seat: int) -> None:
    one, other = filled(), filled()
    other.hidden[0] = 1000
    other.hand[2][0] = 1000
    other.wish[3] = -5
    assert bytes(one.view(seat)) == bytes(other.view(seat))


def test_a_view_shares_no_memory() -> None:
    s = filled()
    view = s.view(0)
    view.hand[0][0] = 0
    view.row[1][0][1] = 0
    assert s.hand[0][0] == 10
    assert s.row[1][0][1] == 7
