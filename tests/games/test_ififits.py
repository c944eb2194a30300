"""If It Fits: a test for each rule, the known answers, and what always holds."""

from __future__ import annotations

import random
import re
from collections import Counter
from collections.abc import Iterator
from itertools import islice
from typing import Any, cast

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from speeltafel.engine import chance, rulebook
from speeltafel.engine.documents import loads
from speeltafel.engine.language import LANGUAGES
from speeltafel.engine.match import Match
from speeltafel.engine.records import SPECTATOR
from speeltafel.engine.refusals import Refusal
from speeltafel.games.ififits import GAME, board, moves, rules
from speeltafel.games.ififits.rules import (
    ASLEEP,
    AWAKE,
    BED,
    CARD,
    CAT,
    DECK,
    GIFT,
    LAY,
    OPEN,
    PRINCESS,
    SIZE,
    SPRAYER,
    START,
    STEP,
    T_PRINCESS,
    T_TOY,
    TOY,
    TURN,
    WIDTH,
    State,
)

DICE = chance.seeded(1, "tests")
OPTIONS: tuple[dict[str, Any], ...] = (
    {},
    {"table": "11x7"},
    {"occupancy": "present"},
    {"extra_cats": "scorers"},
    {"advanced": True},
    {"table": "11x7", "occupancy": "present", "extra_cats": "scorers", "advanced": True},
)
# cards of the shipped deck, by what they are
E_BALL, E_MICE, E_EMPTY, E_SPRAYER, ALL_BALL, ALL_EMPTY, EW_BALL, N_EMPTY = 59, 60, 64, 63, 1, 8, 25, 72


def set_up(seats: int, options: dict[str, Any], data: dict[str, str]) -> State:
    return cast(State, GAME.set_up(seats, 0, options, data))


def table(seats: int = 2, deck: dict[int, str] | None = None, **options: Any) -> State:
    """A match just dealt; `deck` replaces lines of the deck."""
    lines = GAME.shipped("deck.csv").splitlines()
    for card, values in (deck or {}).items():
        lines[card] = f"{card},{values}"
    s = set_up(seats, options, {"deck.csv": "\n".join(lines)})
    rules.deal(s, chance.seeded(7, "tests"))
    return s


def cell(text: str) -> int:
    return int(text[1:]) * WIDTH + ord(text[0]) - 64


def put(s: State, place: str, kind: int, turned: bool = False) -> int:
    """Lay a card; returns its box."""
    sides = s.sides_of[kind]
    rules.lay(s, cell(place), kind, rules.turn_round(sides) if turned else sides)
    return s.box[cell(place)]


def cat(s: State, west: str, seat: int) -> None:
    rules.spread(s, cell(west), seat + 1)
    s.sums[s.box[cell(west)]][AWAKE + seat] += 1
    rules.use_cat(s, seat)


def bed(s: State, place: str, seat: int) -> int:
    box = put(s, place, BED)
    s.top[cell(place)] = seat + 1
    s.sums[box][ASLEEP + seat] += 1
    rules.use_cat(s, seat)
    return box


def hold(s: State, *kinds: int, phase: int = CARD, seat: int = 0) -> None:
    """Give the seat these cards, with the turn at a phase."""
    for i in range(rules.HAND):
        s.hand[seat][i] = sorted(kinds)[i] if i < len(kinds) else 0
    s.hand_count[seat] = len(kinds)
    s.turn, s.phase = seat, phase


def texts(s: State) -> list[str]:
    out = GAME.out()
    return [moves.text(s, out[i]) for i in range(rules.legal(s, out))]


def do(s: State, *decisions: str) -> None:
    for text in decisions:
        assert text in texts(s), (text, texts(s))
        rules.play(s, moves.read(s, text), DICE)


def refused(s: State, text: str) -> str:
    """The rule by which a decision is refused."""
    seen = s.view(s.turn)
    with pytest.raises(Refusal) as refusal:
        raise moves.refuse(seen, _illegal(s, seen, text))
    assert str(refusal.value.message)
    return refusal.value.rule


def _illegal(s: State, seen: State, text: str) -> int:
    assert text not in texts(s)
    return moves.read(seen, text)


def pile(s: State) -> list[int]:
    at = 2 * s.seats + rules.pile_size(s) - s.pile_count
    return list(s.pile)[at : at + s.pile_count]


def stack(s: State, *top: int) -> None:
    """Bring cards to the top of the draw pile, in exchange for what lies there."""
    start = 2 * s.seats + rules.pile_size(s) - s.pile_count
    for i, kind in enumerate(top):
        j = next(j for j in range(start + i, start + s.pile_count) if s.pile[j] == kind)
        s.pile[start + i], s.pile[j] = s.pile[j], s.pile[start + i]


# the set-up


@pytest.mark.rule("IF-1", "IF-2")
@pytest.mark.parametrize("seats", [2, 3, 4, 5])
def test_everybody_has_five_cats_and_there_is_a_princess_a_player(seats: int) -> None:
    s = table(seats)
    assert list(s.cats) == [5] * seats + [0] * (5 - seats)
    assert pile(s).count(PRINCESS) == seats


@pytest.mark.rule("IF-3", "IF-4")
@pytest.mark.parametrize("seats", [2, 3, 4, 5])
def test_hands_hold_boxes_and_each_part_a_princess(seats: int) -> None:
    sizes = {2: [37, 36], 3: [24, 24, 24], 4: [18, 18, 18, 17], 5: [14] * 5}[seats]
    for seed in range(20):
        s = set_up(seats, {}, {})
        rules.deal(s, chance.seeded(seed, "deal"))
        hands = [kind for seat in range(seats) for kind in list(s.hand[seat])[:2]]
        cards = pile(s)
        assert all(1 <= kind <= DECK for kind in hands)
        assert Counter(hands + cards) == Counter([*range(1, DECK + 1), TOY, TOY, TOY, *[PRINCESS] * seats])
        for size in sizes:
            part, cards = cards[:size], cards[size:]
            assert part.count(PRINCESS) == 1
        assert not cards


@pytest.mark.rule("IF-3", "IF-4")
def test_princess_and_toys_lie_anywhere_in_their_parts() -> None:
    first: Counter[int] = Counter()
    toys = 0
    for seed in range(400):
        s = set_up(5, {}, {})
        rules.deal(s, chance.seeded(seed, "deal"))
        first[pile(s)[:14].index(PRINCESS)] += 1
        toys += pile(s)[:14].count(TOY)
    assert len(first) == 14
    assert max(first.values()) < 65
    assert 180 < toys < 300  # 3 toys over 5 parts: 240


@pytest.mark.rule("IF-3", "IF-4")
@pytest.mark.parametrize("change", ["toy", "princess", "part"])
def test_a_layout_that_could_not_be_dealt_is_refused(change: str) -> None:
    order = Match(GAME, ["a", "b"], seed=1).shuffles[0]
    assert Match(GAME, ["a", "b"], seed=2, shuffles=[order]).shuffles[0] == order
    if change == "part":
        i, j = order.index("princess"), next(j for j in range(41, 77) if order[j] not in ("toy", "princess"))
    else:
        i, j = 0, order.index(change)
    order[i], order[j] = order[j], order[i]
    with pytest.raises(Refusal, match="shuffles/0"):
        Match(GAME, ["a", "b"], shuffles=[order])


@pytest.mark.rule("IF-5")
@pytest.mark.parametrize(
    ("seats", "size", "places"),
    [
        (2, "21x11", "K5 K6"),
        (3, "21x11", "K5 K6 K7"),
        (4, "21x11", "K4 K5 K6 K7"),
        (5, "21x11", "K4 K5 K6 K7 K8"),
        (2, "11x7", "F3 F4"),
        (3, "11x7", "F3 F4 F5"),
        (5, "11x7", "F2 F3 F4 F5 F6"),
    ],
)
def test_the_start_boxes_stand_in_a_column_in_the_middle(seats: int, size: str, places: str) -> None:
    s = table(seats, table=size)
    assert [moves.cell_text(c) for c in list(s.laid)[: s.laid_count]] == places.split()
    assert all(s.card[cell(place)] == START for place in places.split())
    box = s.box[cell(places.split()[0])]
    assert (s.sums[box][SIZE], s.sums[box][OPEN]) == (seats, 2 * seats + 2)


# placing


@pytest.mark.rule("IF-10")
def test_a_card_touches_another_and_covers_none() -> None:
    s = table()
    hold(s, ALL_BALL, E_BALL)
    do(s, f"card {E_BALL}")
    free = {t.split()[1] for t in texts(s)}
    assert free == {"K4", "K7", "J5", "J6", "L5", "L6"}
    assert len(texts(s)) == 12  # either way round
    assert refused(s, "lay K5") == "IF-10"
    assert refused(s, "lay M5") == "IF-10"
    s.laying = ALL_BALL
    assert len(texts(s)) == 6
    assert refused(s, "lay L5 turned") == "IF-10"


@pytest.mark.rule("IF-11")
def test_the_edge_of_the_table_is_the_edge_of_the_field() -> None:
    s = table(2, table="11x7")
    for place in ("F2", "F1"):
        put(s, place, ALL_EMPTY)
    for place in "GHIJK":
        put(s, f"{place}4", ALL_EMPTY)
    hold(s, ALL_BALL)
    do(s, f"card {ALL_BALL}")
    assert {"lay K3", "lay K5", "lay E1"} <= set(texts(s))
    with pytest.raises(Refusal) as refusal:
        moves.read(s, "lay L4")
    assert refusal.value.rule == "IF-11"
    for text in ("lay F0", "lay F8", "lay f4", "lay F", "lay F44"):
        with pytest.raises(Refusal):
            moves.read(s, text)
    # an open side at the edge is still open
    assert s.sums[s.box[cell("F1")]][OPEN] == 20


@pytest.mark.rule("IF-12")
def test_walls_never_restrict_placing() -> None:
    s = table()
    put(s, "L5", E_EMPTY, turned=True)  # walls to north, east and south
    hold(s, E_EMPTY)
    do(s, f"card {E_EMPTY}")
    assert {"lay M5", "lay M5 turned", "lay L4"} <= set(texts(s))


# the turn


@pytest.mark.rule("IF-20")
def test_a_turn_is_a_drawn_and_a_played_card_or_a_sleeping_cat() -> None:
    s = table()
    assert texts(s) == ["draw", "sleep"]
    drawn = pile(s)[0]
    do(s, "draw")
    assert s.hand_count[0] == 3
    assert texts(s) == [f"card {kind}" for kind in list(s.hand[0])]
    assert refused(s, "draw") == "IF-20"
    do(s, f"card {drawn}", "lay L5", "no cat")
    assert (s.turn, s.phase, s.hand_count[0]) == (1, TURN, 2)
    count = s.pile_count
    do(s, "sleep", "lay K4")
    assert (s.turn, s.hand_count[1], s.pile_count, s.cats[1]) == (0, 2, count, 4)


@pytest.mark.rule("IF-21")
def test_one_cat_may_follow_a_box_card() -> None:
    s = table()
    hold(s, ALL_BALL, ALL_EMPTY)
    do(s, f"card {ALL_BALL}", "lay L5")
    assert texts(s) == ["no cat", "cat K5 L5"]
    do(s, "cat K5 L5")
    assert (s.turn, s.cats[0]) == (1, 4)
    hold(s, ALL_EMPTY)
    s.cats[0] = 0
    do(s, f"card {ALL_EMPTY}", "lay L6")
    assert texts(s) == ["no cat"]
    assert refused(s, "cat K6 L6") == "IF-21"


@pytest.mark.rule("IF-22")
def test_a_cat_lies_across_long_sides_and_not_across_a_wall() -> None:
    s = table()
    hold(s, E_EMPTY, ALL_BALL)
    do(s, f"card {E_EMPTY}", "lay L5")  # its wall to the west
    assert texts(s) == ["no cat"]
    assert refused(s, "cat K5 L5") == "IF-22"
    with pytest.raises(Refusal) as refusal:
        moves.read(s, "cat K5 K6")
    assert refusal.value.rule == "IF-22"
    do(s, "no cat")
    hold(s, ALL_BALL)
    do(s, f"card {ALL_BALL}", "lay K4")  # short side to short side
    assert texts(s) == ["no cat"]
    assert refused(s, "cat K4 L4") == "IF-22"


@pytest.mark.rule("IF-23")
def test_one_of_the_two_is_the_card_just_laid() -> None:
    s = table()
    put(s, "L5", ALL_EMPTY)
    hold(s, ALL_BALL)
    do(s, f"card {ALL_BALL}", "lay L6")
    assert texts(s) == ["no cat", "cat K6 L6"]
    assert refused(s, "cat K5 L5") == "IF-23"


@pytest.mark.rule("IF-24")
def test_no_cat_beside_a_foreign_cat() -> None:
    for kind, foreign in (("awake", True), ("asleep", True), ("princess", False)):
        s = table()
        if kind == "asleep":
            bed(s, "K7", 1)
        else:
            put(s, "J5", ALL_EMPTY)
            cat(s, "J5", 1)
        if kind == "princess":
            rules.send_home(s, cell("J5"), AWAKE)
            rules.spread(s, cell("J5"), T_PRINCESS)
        hold(s, ALL_BALL)
        do(s, f"card {ALL_BALL}", "lay L6")
        assert texts(s) == (["no cat"] if foreign else ["no cat", "cat K6 L6"])
        if foreign:
            assert refused(s, "cat K6 L6") == "IF-24"


@pytest.mark.rule("IF-24", "IF-25")
def test_an_own_cat_beside_a_foreign_one_makes_room_in_option_present_only() -> None:
    for option, allowed in (("document", False), ("present", True)):
        s = table(occupancy=option)
        bed(s, "K7", 1)
        bed(s, "K4", 0)
        hold(s, ALL_BALL)
        do(s, f"card {ALL_BALL}", "lay L6")
        assert ("cat K6 L6" in texts(s)) == allowed
        if not allowed:
            assert refused(s, "cat K6 L6") == "IF-24"
    s = table(occupancy="present")
    bed(s, "K7", 1)
    hold(s, ALL_BALL)
    do(s, f"card {ALL_BALL}", "lay L6")
    assert refused(s, "cat K6 L6") == "IF-25"


def neighbour(s: State) -> None:
    """A box of seat 1 at M5 and N5, open towards L5, which lies between it and the start boxes."""
    put(s, "L6", N_EMPTY, turned=True)
    put(s, "M6", N_EMPTY, turned=True)
    put(s, "M5", EW_BALL)
    put(s, "N5", EW_BALL)
    cat(s, "M5", 1)


@pytest.mark.rule("IF-25")
def test_joining_to_a_foreign_box_needs_an_own_cat_in_one_of_them() -> None:
    def joined(own: bool) -> State:
        s = table()
        # M5 and N5 are a box of their own beside L5, which will join it to the start boxes
        neighbour(s)
        if own:
            bed(s, "K4", 0)
        hold(s, EW_BALL)
        do(s, f"card {EW_BALL}", "lay L5")
        return s

    assert texts(joined(True)) == ["no cat", "cat K5 L5"]
    s = joined(False)
    assert texts(s) == ["no cat"]
    assert refused(s, "cat K5 L5") == "IF-25"
    assert refused(s, "cat L5 M5") == "IF-26"


@pytest.mark.rule("IF-26")
def test_a_card_lies_under_one_thing_and_a_bed_under_none() -> None:
    s = table()
    put(s, "L5", ALL_BALL)
    cat(s, "K5", 0)
    hold(s, ALL_EMPTY)
    do(s, f"card {ALL_EMPTY}", "lay M5")
    assert texts(s) == ["no cat"]
    assert refused(s, "cat L5 M5") == "IF-26"
    assert s.sums[s.box[cell("K5")]][0] == 1  # the covered ball still counts
    s = table()
    bed(s, "L5", 0)
    hold(s, ALL_EMPTY)
    do(s, f"card {ALL_EMPTY}", "lay M5")
    assert texts(s) == ["no cat"]
    assert refused(s, "cat L5 M5") == "IF-26"


@pytest.mark.rule("IF-30")
def test_a_sleeping_cat_is_a_card_with_open_sides() -> None:
    s = table()
    do(s, "sleep")
    assert set(texts(s)) == {f"lay {place}" for place in ("K4", "K7", "J5", "J6", "L5", "L6")}
    do(s, "lay L5")
    box = s.box[cell("L5")]
    assert box == s.box[cell("K5")]
    assert (s.sums[box][ASLEEP], s.sums[box][SIZE], s.cats[0], s.turn) == (1, 3, 4, 1)
    s.turn, s.cats[0] = 0, 0
    assert texts(s) == ["draw"]
    assert refused(s, "sleep") == "IF-30"


@pytest.mark.rule("IF-31")
def test_a_cat_does_not_sleep_with_strangers() -> None:
    s = table()
    put(s, "L5", E_BALL)
    put(s, "M5", E_MICE)
    bed(s, "K4", 1)  # the start boxes are of seat 1
    s.turn, s.phase = 0, TURN
    do(s, "sleep")
    places = {t.split()[1] for t in texts(s)}
    assert places == {"M4", "N5", "M6"}
    assert refused(s, "lay K7") == "IF-31"  # joins the box of seat 1
    assert refused(s, "lay L4") == "IF-31"  # joins it by the bed at K4
    bed(s, "J5", 0)
    assert "lay K7" in texts(s)
    s.phase, s.rim_count = TURN, 0
    assert refused(s, "sleep") == "IF-11"


@pytest.mark.rule("IF-31")
def test_each_box_a_sleeping_cat_joins_is_looked_at_by_itself() -> None:
    s = table()
    neighbour(s)
    bed(s, "K4", 0)
    s.turn, s.phase = 0, TURN
    do(s, "sleep")
    assert refused(s, "lay L5") == "IF-31"  # it would join an own box too, but also one of seat 1 alone
    assert {"lay K3", "lay M4"} <= set(texts(s))
    s.turn = 1
    assert refused(s, "lay L5") == refused(s, "lay K3") == "IF-31"
    assert "lay O5" in texts(s)


@pytest.mark.rule("IF-32")
def test_sleeping_cats_count_only_beside_one_awake() -> None:
    s = table()
    box = bed(s, "K4", 0)
    bed(s, "K7", 0)
    put(s, "L5", ALL_BALL)
    assert rules.counting(s, box, 0) == 0
    assert rules.points(s, box, 0) == 0
    cat(s, "K5", 0)
    assert rules.counting(s, box, 0) == 3
    assert rules.points(s, box, 0) == 1 + 2


# Princess


@pytest.mark.rule("IF-40")
def test_princess_goes_to_the_hand_and_may_be_played_at_once() -> None:
    s = table()
    bed(s, "K4", 1)
    stack(s, PRINCESS)
    shown = bytes(s.view(1))
    do(s, "draw")
    # nobody else learns what was drawn
    other = table()
    bed(other, "K4", 1)
    do(other, "draw")
    assert bytes(other.view(1)) == bytes(s.view(1)) != shown
    do(s, "card princess", "replace K4")
    assert (s.turn, s.phase) == (1, TURN)


@pytest.mark.rule("IF-41")
def test_princess_takes_the_place_of_any_cat() -> None:
    s = table()
    put(s, "L5", ALL_BALL)
    put(s, "L6", ALL_BALL)
    cat(s, "K5", 1)
    cat(s, "K6", 0)
    bed(s, "K4", 1)
    hold(s, PRINCESS, PRINCESS)
    do(s, "card princess")
    assert texts(s) == ["replace K5 L5", "replace K6 L6", "replace K4"]
    assert refused(s, "replace K6") == "IF-41"
    assert refused(s, "replace L5 M5") == "IF-41"
    do(s, "replace K5 L5")
    assert s.cats[1] == 4
    assert s.top[cell("K5")] == s.top[cell("L5")] == T_PRINCESS
    box = s.box[cell("K5")]
    assert (s.sums[box][AWAKE + 1], s.sums[box][ASLEEP + 1]) == (0, 1)
    s.turn, s.phase = 0, CARD
    do(s, "card princess")
    assert texts(s) == ["replace K6 L6", "replace K4"]
    assert refused(s, "replace K5 L5") == "IF-41"
    opened = s.sums[box][OPEN]
    do(s, "replace K4")
    assert (s.cats[1], s.card[cell("K4")], s.top[cell("K4")]) == (5, BED, T_PRINCESS)
    assert s.sums[box][OPEN] == opened
    # she belongs to nobody
    assert rules.alone(s, box, 0)
    assert rules.takes(s, box, 0)


@pytest.mark.rule("IF-42")
def test_princess_needs_a_cat_on_the_table() -> None:
    s = table()
    hold(s, ALL_BALL, PRINCESS)
    assert texts(s) == [f"card {ALL_BALL}"]
    assert refused(s, "card princess") == "IF-42"
    bed(s, "K4", 1)
    assert texts(s) == [f"card {ALL_BALL}", "card princess"]


# special toys


@pytest.mark.rule("IF-50", "IF-52")
def test_a_special_toy_is_laid_across_a_box_at_once() -> None:
    s = table()
    put(s, "L5", ALL_BALL)
    put(s, "L6", E_EMPTY)
    stack(s, TOY)
    do(s, "draw")
    assert s.phase == GIFT
    assert texts(s) == ["toy K5 L5"]
    assert refused(s, "toy K6 L6") == "IF-50"
    assert refused(s, "toy L5 M5") == "IF-50"
    do(s, "toy K5 L5")
    assert (s.turn, s.phase, s.hand_count[0], s.top[cell("L5")]) == (1, TURN, 2, T_TOY)
    assert rules.value(s, s.box[cell("K5")]) == 2
    # it covers both cards
    hold(s, ALL_EMPTY, seat=1)
    do(s, f"card {ALL_EMPTY}", "lay M5")
    assert texts(s) == ["no cat"]


@pytest.mark.rule("IF-50")
def test_a_special_toy_does_not_go_where_others_live() -> None:
    for occupancy, own, allowed in (
        ("document", False, False),
        ("document", True, False),
        ("present", False, False),
        ("present", True, True),
    ):
        s = table(occupancy=occupancy)
        put(s, "L5", ALL_BALL)
        bed(s, "K4", 1)
        if own:
            bed(s, "K7", 0)
        stack(s, TOY)
        s.turn, s.phase = 0, TURN
        do(s, "draw")
        assert (texts(s) == ["toy K5 L5"]) == allowed
        if not allowed:
            assert s.phase == LAY


@pytest.mark.rule("IF-51")
def test_without_a_place_on_a_box_a_special_toy_is_laid_like_one() -> None:
    s = table()
    stack(s, TOY)
    do(s, "draw")
    assert set(texts(s)) == {f"lay {place}" for place in ("K4", "K7", "J5", "J6", "L5", "L6")}
    do(s, "lay L5")
    assert (s.phase, s.hand_count[0]) == (CAT, 2)
    assert texts(s) == ["no cat", "cat K5 L5"]  # IF-21, IF-22
    assert rules.value(s, s.box[cell("L5")]) == 1
    assert rules.may_gift(s, cell("K5"), 0)  # IF-50
    do(s, "cat K5 L5")
    assert refused_cover(s) == "IF-26"


def refused_cover(s: State) -> str:
    hold(s, ALL_EMPTY)
    do(s, f"card {ALL_EMPTY}", "lay M5")
    return refused(s, "cat L5 M5")


def full(s: State) -> None:
    """Fill the small table with boxes without an open side."""
    while s.rim_count:
        rules.lay(s, s.rim[0], N_EMPTY, 0)


@pytest.mark.rule("IF-51")
def test_without_any_place_a_special_toy_is_discarded() -> None:
    s = table(2, table="11x7")
    full(s)
    stack(s, TOY)
    do(s, "draw")
    assert (s.turn, s.phase, s.discards, s.shown[TOY]) == (1, TURN, 1, 1)


@pytest.mark.rule("IF-52")
def test_a_special_toy_counts_with_the_most_frequent_kind() -> None:
    s = table(deck={E_BALL: "0,1,0,0,1,2,0,1"})
    box = put(s, "L5", E_BALL)
    put(s, "M5", E_EMPTY, turned=True)
    assert rules.value(s, box) == 2 * (2 - 1)
    rules.spread(s, cell("L5"), T_TOY)
    s.sums[box][4] += 1
    assert rules.value(s, box) == 2 * (2 + 1 - 1)


# the end


@pytest.mark.rule("IF-60")
def test_the_end_begins_with_the_fifth_cat_and_goes_on_till_hands_are_empty() -> None:
    s = table()
    s.cats[0] = 1
    do(s, "sleep", "lay K4")
    assert (s.ending, s.turn, s.phase) == (1, 1, CARD)
    assert refused(s, "draw") == refused(s, "sleep") == "IF-60"
    for _ in range(4):
        assert not s.over
        text = texts(s)[0]
        assert text.startswith("card")
        do(s, text)
        do(s, texts(s)[0], "no cat")
    assert s.over
    assert texts(s) == []
    assert list(s.hand_count)[:2] == [0, 0]


@pytest.mark.rule("IF-60")
def test_the_end_begins_with_the_last_card_and_cats_are_still_laid() -> None:
    s = table()
    at = 2 * s.seats + rules.pile_size(s) - 1
    s.pile_count = 1
    s.pile[at] = ALL_BALL
    do(s, "draw")
    assert (s.ending, s.phase) == (1, CARD)
    do(s, f"card {ALL_BALL}", "lay L5", "cat K5 L5")
    assert (s.turn, s.phase) == (1, CARD)
    hold(s, EW_BALL, ALL_EMPTY, seat=1)
    do(s, f"card {EW_BALL}", "lay J5")
    assert texts(s) == ["no cat"]


@pytest.mark.rule("IF-60")
def test_a_cat_sent_home_does_not_cancel_the_end() -> None:
    s = table()
    s.cats[0] = 1
    do(s, "sleep", "lay K4")
    hold(s, ALL_BALL, PRINCESS, seat=1)
    do(s, "card princess", "replace K4")
    assert (s.cats[0], s.ending, s.phase) == (1, 1, CARD)


@pytest.mark.rule("IF-61")
def test_a_playable_card_must_be_played_and_else_one_is_discarded() -> None:
    s = table(2, table="11x7")
    full(s)
    hold(s, ALL_BALL, PRINCESS, PRINCESS)
    assert texts(s) == [f"discard {ALL_BALL}", "discard princess"]
    s.cats[0] = 4
    s.top[cell("A1")] = 1
    s.card[cell("A1")] = BED
    s.sums[s.box[cell("A1")]][ASLEEP] = 1
    assert texts(s) == ["card princess"]
    assert refused(s, "discard princess") == "IF-61"
    assert refused(s, f"card {ALL_BALL}") == "IF-11"
    do(s, "card princess", "replace A1")
    hold(s, ALL_BALL, PRINCESS)
    do(s, "discard princess")
    assert (s.turn, s.discards, s.hand_count[0]) == (1, 1, 1)


# advanced


@pytest.mark.rule("IF-62")
def test_advanced_all_five_princesses_lie_anywhere() -> None:
    firsts = set()
    for seed in range(60):
        s = set_up(2, {"advanced": True}, {})
        rules.deal(s, chance.seeded(seed, "deal"))
        assert pile(s).count(PRINCESS) == 5
        assert all(1 <= kind <= DECK for seat in (0, 1) for kind in list(s.hand[seat])[:2])
        firsts.add(pile(s)[:38].count(PRINCESS))
    assert len(firsts) >= 4


@pytest.mark.rule("IF-62")
def test_advanced_no_wall_against_a_wall() -> None:
    s = table(advanced=True)
    put(s, "L5", E_EMPTY, turned=True)  # open to the west only
    hold(s, E_EMPTY)
    do(s, f"card {E_EMPTY}")
    legal = texts(s)
    assert "lay M5 turned" in legal
    assert refused(s, "lay M5") == "IF-62"
    assert refused(s, "lay L4") == refused(s, "lay L4 turned") == "IF-62"
    assert {"lay J5", "lay J5 turned"} <= set(legal)
    s = table(2, table="11x7", advanced=True)
    full(s)
    s.card[cell("A1")] = 0
    s.rim[0], s.rim_count = cell("A1"), 1
    hold(s, E_EMPTY, ALL_BALL)
    assert texts(s) == [f"card {ALL_BALL}"]
    assert refused(s, f"card {E_EMPTY}") == "IF-62"


# the score


def box_of(s: State, mice: bool = True) -> int:
    """A closed box at L5 and M5: one ball and two mice."""
    box = put(s, "L5", E_BALL)
    assert put(s, "M5", E_MICE if mice else E_EMPTY, turned=True) == box
    return box


@pytest.mark.rule("IF-70", "IF-71")
def test_known_answer_a_closed_box() -> None:
    s = table()
    box = box_of(s)
    cat(s, "L5", 0)
    assert s.sums[box][OPEN] == 0
    assert rules.value(s, box) == 4
    assert [rules.score(s, 0), rules.score(s, 1)] == [4, 0]


@pytest.mark.rule("IF-71")
@pytest.mark.parametrize(("sprayers", "closed", "points"), [(1, True, 2), (3, True, -2), (3, False, -1), (0, False, 2)])
def test_known_answers_sprayers(sprayers: int, closed: bool, points: int) -> None:
    s = table(deck={E_BALL: f"{0 if closed else 1},1,0,0,1,0,0,{sprayers}"})
    box = box_of(s)
    cat(s, "L5", 0)
    assert (s.sums[box][OPEN] == 0) == closed
    assert s.sums[box][SPRAYER] == sprayers
    assert rules.score(s, 0) == points


def crowd(awake: tuple[int, int], asleep: tuple[int, int], value: int, **options: Any) -> State:
    """A box with so many cats of both seats, worth `value` while open."""
    s = table(**options)
    box = s.box[cell("K5")]
    s.sums[box][0] = value
    for seat in (0, 1):
        s.sums[box][AWAKE + seat] = awake[seat]
        s.sums[box][ASLEEP + seat] = asleep[seat]
    return s


@pytest.mark.rule("IF-70", "IF-72", "IF-62")
def test_known_answer_a_tie_scores_in_full() -> None:
    s = crowd((3, 3), (0, 0), 5)
    assert [rules.score(s, 0), rules.score(s, 1)] == [7, 7]
    s = crowd((3, 3), (0, 0), 5, advanced=True)
    assert [rules.score(s, 0), rules.score(s, 1)] == [5, 5]


@pytest.mark.rule("IF-70", "IF-62")
def test_known_answer_a_sleeping_cat_is_half_a_cat_in_advanced() -> None:
    s = crowd((1, 2), (1, 0), 5)
    assert [rules.score(s, 0), rules.score(s, 1)] == [6, 6]
    s = crowd((1, 2), (1, 0), 5, advanced=True)
    assert [rules.score(s, 0), rules.score(s, 1)] == [0, 5]


@pytest.mark.rule("IF-32", "IF-70")
def test_known_answer_three_asleep_lose_to_one_awake() -> None:
    for advanced in (False, True):
        s = crowd((0, 1), (3, 0), 5, advanced=advanced)
        assert [rules.score(s, 0), rules.score(s, 1)] == [0, 5]


@pytest.mark.rule("IF-72")
def test_extra_cats_of_everyone_or_of_scorers() -> None:
    assert [rules.score(crowd((3, 2), (0, 1), 5), seat) for seat in (0, 1)] == [7, 7]
    assert [rules.score(crowd((4, 2), (0, 1), 5), seat) for seat in (0, 1)] == [8, 2]
    assert [rules.score(crowd((4, 2), (0, 1), 5, extra_cats="scorers"), seat) for seat in (0, 1)] == [8, 0]
    closed = crowd((2, 0), (0, 0), 5)
    closed.sums[closed.box[cell("K5")]][OPEN] = 0
    assert rules.score(closed, 0) == 11  # 5 doubled, the extra cat not


@pytest.mark.rule("IF-73")
def test_a_tie_goes_to_the_fewest_minus_points() -> None:
    s = crowd((1, 0), (0, 0), 5)
    assert [rules.wins(s, 0), rules.wins(s, 1)] == [1, 0]
    other = box_of(s)  # worth 4
    s.sums[other][AWAKE + 1] = 1
    s.sums[s.box[cell("K5")]][0] = 4
    assert [rules.wins(s, 0), rules.wins(s, 1)] == [1, 1]
    s.sums[other][1] += 1
    s.sums[other][SPRAYER] += 1
    assert rules.score(s, 0) == rules.score(s, 1) == 4
    assert [rules.minus(s, 0), rules.minus(s, 1)] == [0, 2]
    assert [rules.wins(s, 0), rules.wins(s, 1)] == [1, 0]


# the rulebook


def examples(rule: str, language: str) -> list[list[str]]:
    """The rows of the table of examples in a rule."""
    body = rulebook.rule(GAME, rule, language).body.splitlines()
    return [[field.strip() for field in line.strip("|").split("|")] for line in body if line.startswith("|")][2:]


@pytest.mark.parametrize("language", LANGUAGES)
def test_both_rulebooks_hold_the_same_rules_and_true_examples(language: str) -> None:
    wanted = [rule.id for chapter in rulebook.rulebook(GAME, "en") for rule in chapter.rules]
    assert [rule.id for chapter in rulebook.rulebook(GAME, language) for rule in chapter.rules] == wanted
    for identifier, advanced in (("IF-70", False), ("IF-62", True)):
        rows = examples(identifier, language)
        assert len(rows) >= 3
        for row in rows:
            a, b, value, *gets = [[int(n) for n in re.findall("-?[0-9]+", field)] for field in row]
            s = crowd((a[0], b[0]), ((*a, 0)[1], (*b, 0)[1]), value[0], advanced=advanced)
            assert [[rules.score(s, 0)], [rules.score(s, 1)]] == gets, row
    for toys, sprayers, state, worth in examples("IF-71", language):
        s = crowd((1, 0), (0, 0), int(toys))
        box = s.box[cell("K5")]
        s.sums[box][SPRAYER] = int(sprayers)
        if state in ("closed", "dicht"):
            s.sums[box][OPEN] = 0
        assert rules.value(s, box) == int(worth)


# data


@pytest.mark.parametrize(
    ("old", "new", "where"),
    [
        ("card,north", "card,nord", "north"),
        ("\n2,1,1,1,1,0,1,0,0", "\n1,1,1,1,1,0,1,0,0", "line 3, column card"),
        ("\n2,1,1,1,1,0,1,0,0", "\n2,1,2,1,1,0,1,0,0", "line 3, column east"),
        ("\n2,1,1,1,1,0,1,0,0", "\n2,1,1,1,1,0,-1,0,0", "line 3, column mouse"),
        ("\n2,1,1,1,1,0,1,0,0", "\n2,1,1,1,1,0,x,0,0", "line 3, column mouse"),
        ("\n2,1,1,1,1,0,1,0,0", "", "column card: 2"),
        ("\n2,1,1,1,1,0,1,0,0", "\n2,1,1", "line 3"),
        ("\n2,1,1,1,1,0,1,0,0", "\n73,1,1,1,1,0,1,0,0", "line 3, column card"),
    ],
)
def test_a_broken_deck_is_refused_by_file_line_and_column(old: str, new: str, where: str) -> None:
    text = GAME.shipped("deck.csv")
    assert old in text
    with pytest.raises(Refusal, match=rf"deck\.csv.*{where}"):
        set_up(2, {}, {"deck.csv": text.replace(old, new, 1)})


@pytest.mark.parametrize(
    "text", ["lay", "lay K5 round", "card toy", "card 73", "card 0", "cat K5", "catch", "", "toy K5"]
)
def test_what_is_no_decision_is_refused(text: str) -> None:
    with pytest.raises(Refusal):
        moves.read(table(), text)


# what always holds


def random_match(seats: int, options: dict[str, Any], seed: int) -> Iterator[Match]:
    match = Match(GAME, [f"seat {i}" for i in range(seats)], options, seed=seed)
    pick = random.Random(seed)
    yield match
    while not match.over:
        match.play_move(pick.choice(match.legal()))
        yield match


def check_boxes(s: State) -> None:
    """Every box worked out again from the cards alone equals what the rules kept."""
    seen: set[int] = set()
    cells = list(s.laid)[: s.laid_count]
    assert sorted(cells) == [c for c in range(rules.CELLS) if s.card[c] > 0]
    for start in cells:
        if start in seen:
            continue
        members = moves.reach(s, start)
        seen |= members
        box = s.box[start]
        assert {s.box[c] for c in members} == {box}
        sums = [0] * rules.SUMS
        for c in members:
            for k in range(rules.CONTENTS):
                sums[k] += s.content[s.card[c]][k]
            sums[SIZE] += 1
            sums[OPEN] += sum(1 for d in range(4) if s.sides[c] >> d & 1 and s.card[c + STEP[d]] <= 0)
            if 1 <= s.top[c] <= 5 and s.half[c] != 2:
                sums[(ASLEEP if s.half[c] == 0 else AWAKE) + s.top[c] - 1] += 1
            if s.top[c] == T_TOY and s.half[c] == 1:
                sums[4] += 1
        assert sums == list(s.sums[box])
    living = {s.box[c] for c in cells}
    assert all((s.sums[box][SIZE] > 0) == (box in living) for box in range(rules.BOXES))
    free = [c for c in range(rules.CELLS) if s.card[c] == 0 and any(s.card[c + step] > 0 for step in STEP)]
    assert list(s.rim)[: s.rim_count] == free


def check_position(s: State, last_cells: int) -> None:
    assert s.laid_count >= last_cells
    for c in range(rules.CELLS):
        if s.half[c] == 1:
            assert s.half[c + 1] == 2
            assert s.top[c] == s.top[c + 1]
            assert s.sides[c] >> 1 & 1
            assert s.sides[c + 1] >> 3 & 1
            assert s.card[c] != BED != s.card[c + 1]
        if s.half[c] == 2:
            assert s.half[c - 1] == 1
        if s.card[c] == BED:
            assert s.half[c] == 0
            assert s.top[c]
    # every card is somewhere, once
    cards: Counter[int] = Counter(pile(s))
    for seat in range(s.seats):
        cards.update(list(s.hand[seat])[: s.hand_count[seat]])
    cards.update({kind: s.shown[kind] for kind in range(1, PRINCESS + 1)})
    wanted = Counter([*range(1, DECK + 1), TOY, TOY, TOY, *[PRINCESS] * rules.princesses(s)])
    assert +cards == wanted
    lying = Counter(s.card[c] for c in range(rules.CELLS) if s.card[c] > 0)
    assert all(lying[kind] <= s.shown[kind] for kind in range(1, TOY + 1))
    for seat in range(s.seats):
        on_table = sum(1 for c in range(rules.CELLS) if s.top[c] == seat + 1 and s.half[c] != 2)
        assert s.cats[seat] + on_table == 5


@pytest.mark.parametrize("options", OPTIONS, ids=lambda o: "-".join(map(str, o.values())) or "default")
@pytest.mark.parametrize("seats", [2, 3, 4, 5])
def test_random_matches_keep_all_promises(seats: int, options: dict[str, Any]) -> None:
    for seed in range(2):
        laid = 0
        for match in random_match(seats, options, seed):
            s = cast(State, match.state)
            check_boxes(s)
            check_position(s, laid)
            laid = s.laid_count
            legal = match.legal()
            assert legal == sorted(set(legal))
            assert len(legal) <= rules.MAX_LEGAL
            seen = s.view(s.turn)
            for move in legal:
                assert moves.read(seen, moves.text(seen, move)) == move
            for seat in range(seats):
                assert sum(line.points for line in match.breakdown(seat)) == rules.score(s, seat)
            moves.ask(s.view(SPECTATOR))
        document = match.document()
        assert bytes(Match.replay(GAME, loads(document.text())).state) == bytes(s)
        assert 1 <= len(match.result().winners) <= seats


@settings(max_examples=25)
@given(seats=st.integers(2, 5), advanced=st.booleans(), seed=st.integers(0, 2**32), stop=st.integers(0, 150))
def test_what_is_imagined_fits_what_was_seen(seats: int, advanced: bool, seed: int, stop: int) -> None:
    positions = random_match(seats, {"advanced": advanced}, seed)
    s = cast(State, next(positions).state)
    for match in islice(positions, stop):
        s = cast(State, match.state)
    dice = chance.seeded(seed, "imagine")
    for seat in (SPECTATOR, *range(seats)):
        seen = s.view(seat)
        world = seen.copy()
        rules.imagine(world, seat, dice)
        assert bytes(world.view(seat)) == bytes(seen)
        check_position(world, 0)
        check_parts(world)
        for other in range(seats):
            nested = world.view(other)
            rules.imagine(nested, other, dice)
            assert bytes(nested.view(other)) == bytes(world.view(other))
            check_parts(nested)


def check_parts(s: State) -> None:
    """A part of the pile that is still whole holds one Princess, and no part more than one (IF-4)."""
    gone = rules.pile_size(s) - s.pile_count
    assert not any(kind == TOY for seat in range(s.seats) for kind in s.hand[seat])
    if s.advanced:
        return
    for part in range(s.seats):
        start, stop = rules.part_start(s, part), rules.part_start(s, part + 1)
        found = [s.pile[2 * s.seats + i] for i in range(max(start, gone), stop)].count(PRINCESS)
        assert found == 1 if start >= gone else found <= 1


@pytest.mark.rule("IF-4")
def test_who_knows_the_parts_knows_where_princess_is_not() -> None:
    """Seat 1 has drawn nothing and seat 0 found this part's Princess itself: to it she is not in the rest."""
    s = table()
    bed(s, "K4", 1)
    s.turn, s.phase = 0, TURN
    stack(s, PRINCESS)
    do(s, "draw", "card princess", "replace K4")
    for seed in range(10):
        world = s.view(1)
        rules.imagine(world, 1, chance.seeded(seed, "imagine"))
        assert pile(world).count(PRINCESS) == 1
        assert PRINCESS not in pile(world)[:36]


def test_refusals_of_every_illegal_decision_are_in_words() -> None:
    """Whatever can be written down and is not legal gets a sentence and a rule."""
    for match in random_match(3, {"advanced": True}, 5):
        if match.over:
            break
        seen = cast(State, match.view(match.turn))
        legal = set(match.legal_texts())
        for text in (
            *("draw", "sleep", "no cat", "card princess", "discard 17", "lay K6", "lay K6 turned", "lay A1"),
            *("cat K6 L6", "cat A1 B1", "toy K6 L6", "replace K6", "replace K6 L6"),
        ):
            if text not in legal:
                refusal = moves.refuse(seen, moves.read(seen, text))
                assert refusal.rule.startswith("IF-")
                assert str(refusal.message)


@settings(max_examples=20)
@given(seats=st.integers(2, 5), options=st.sampled_from(OPTIONS), seed=st.integers(0, 2**32))
def test_the_page_foretells_what_happens(seats: int, options: dict[str, Any], seed: int) -> None:
    """What pointing at a place shows is the box as it is after that decision."""
    pick = random.Random(seed)
    for match in random_match(seats, options, seed):
        legal = match.legal()
        if pick.random() < 0.7 or not legal:
            continue
        values = board.board(cast(State, match.view(match.turn)), match.turn, legal, match.entries[-9:])
        told = {place.code: place.outcome for place in values["places"]}
        told |= {p.code: p.outcome for box in values["boxes"] for p in box.pieces if p.code is not None}
        assert set(told) == {move for move in legal if move >= rules.M_CAT}
        for move, outcome in told.items():
            after = cast(State, match.state.copy())
            rules.play(after, move, DICE)
            there = (move - rules.M_LAY) // 2 if move >= rules.M_LAY else move % 1000
            assert values["outcomes"][outcome].worth == board.worth_of(after, after.box[there])


def test_undo_reaches_back_to_the_draw() -> None:
    match = Match(GAME, ["a", "b"], first=0, seed=4)
    match.play("draw")
    assert not match.can_undo(0)
    before = bytes(match.state)
    match.play(match.legal_texts()[0])
    match.play(match.legal_texts()[0])
    assert match.can_undo(0)
    match.undo(0)
    match.undo(0)
    assert bytes(match.state) == before
