"""Kattenkwaad: every rule by its identifier, the known answers, and what holds in every match."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from speeltafel.engine import chance, documents
from speeltafel.engine.match import Match
from speeltafel.engine.records import SPECTATOR
from speeltafel.engine.refusals import Refusal
from speeltafel.games.kattenkwaad import GAME, moves, rules
from speeltafel.games.kattenkwaad import board as table
from speeltafel.games.kattenkwaad.rules import ROW, State
from speeltafel.web.scene import scene

rule = pytest.mark.rule

DECK = GAME.shipped("deck.csv")
EMPTY_7 = "\n".join([". . . . . . ."] * 7)
CORNERED = """
a . . . . . b
. . . . . . .
. . . . . . .
. . . 1 . . .
. . . . . . .
. . . . . . .
. . . . . . .
"""


def new(seats: int = 2, first: int = 0, seed: int = 1, data: dict[str, str] | None = None, **options: Any) -> Any:
    return Match(GAME, ["Noor", "Bas", "Mees", "Saar"][:seats], options, first=first, seed=seed, data=data)


def at(name: str) -> int:
    return moves.field_read(_full, name)


_full: Any = State()
_full.width = _full.height = rules.SIDE


def position(text: str, hand: str = "", seats: int = 2, plays: int = 0, **options: Any) -> Any:
    """A match at the cards of the first seat's turn: a to d houses by seat, t trees, 1 to 4 cats, - missing fields."""
    rows = [line.split() for line in text.strip().splitlines()]
    m = new(seats, **options)
    s: Any = m.state
    s.width, s.height = len(rows[0]), len(rows)
    s.middle = at(f"{'abcdefghijk'[len(rows[0]) // 2]}{len(rows) // 2 + 1}")
    for field in range(rules.FIELDS):
        s.on[field], s.ground[field] = rules.EMPTY, rules.MISSING
    s.cats = 0
    for seat in range(seats):
        s.houses[seat] = 0
    for r, row in enumerate(rows, start=1):
        for c, sign in enumerate(row, start=1):
            field = r * ROW + c
            s.ground[field] = rules.MISSING if sign == "-" else rules.OPEN
            if sign in "abcd":
                s.on[field] = 1 + "abcd".index(sign)
                s.houses["abcd".index(sign)] += 1
            elif sign == "t":
                s.on[field] = rules.TREE
            elif sign in "1234":
                s.on[field] = rules.CAT + int(sign) - 1
                s.cat[int(sign) - 1] = field
                s.cats = max(s.cats, int(sign))
    deal_hand(m, 0, hand)
    s.phase, s.turn, s.plays = rules.CARD, 0, plays
    return m


def deal_hand(m: Match, seat: int, hand: str) -> None:
    """Give a seat these cards, taken from the pile; its own go under the pile."""
    s: Any = m.state
    pile = [s.pile[i] for i in range(s.pile_count)]
    pile = [s.hand[seat][i] for i in range(s.hand_count[seat])] + pile
    cards = sorted(moves.card_read(s, name) for name in hand.split())
    for card in cards:
        pile.remove(card)
    for i in range(rules.HAND):
        s.hand[seat][i] = cards[i] if i < len(cards) else 0
    s.hand_count[seat] = len(cards)
    for i in range(rules.KINDS):
        s.pile[i] = pile[i] if i < len(pile) else 0
    s.pile_count = len(pile)


def shrink_pile(m: Match, count: int) -> None:
    """Lay all but the top `count` cards of the pile on the discards."""
    s: Any = m.state
    for i in range(s.pile_count):
        if i < s.pile_count - count:
            s.discard[s.pile[i]] += 1
            s.discard_count += 1
    kept = [s.pile[i] for i in range(s.pile_count - count, s.pile_count)]
    for i in range(rules.KINDS):
        s.pile[i] = kept[i] if i < count else 0
    s.pile_count = count


def drawn(m: Match) -> str:
    """The board as `position` takes it."""
    s: Any = m.state
    signs = ".abcdt1234"
    return "\n".join(
        " ".join(
            "-" if s.ground[r * ROW + c] == rules.MISSING else signs[s.on[r * ROW + c]] for c in range(1, s.width + 1)
        )
        for r in range(1, s.height + 1)
    )


def board(m: Match) -> dict[str, str]:
    """What stands where, by field name."""
    return {
        f"{'abcdefghijk'[c]}{r + 1}": sign
        for r, line in enumerate(drawn(m).splitlines())
        for c, sign in enumerate(line.split())
        if sign not in ".-"
    }


def play(m: Any, *texts: str) -> Any:
    for text in texts:
        m.play(text)
    return m


def refused(m: Match, text: str) -> str:
    """The rule that forbids a decision; nothing has changed."""
    before = bytes(m.state)
    with pytest.raises(Refusal) as caught:
        m.play(text)
    assert bytes(m.state) == before
    assert str(caught.value.message)
    return caught.value.rule


def random_match(m: Any, seed: int = 0) -> Iterator[Any]:
    """Play at random to the end, stopping at every decision."""
    dice = chance.seeded(seed, "bot")
    while not m.over:
        yield m
        legal = m.legal()
        m.play_move(legal[chance.below(len(legal), dice)])


def build_all(m: Any) -> Any:
    """Place houses and trees at random."""
    for _ in random_match(m, 3):
        if m.state.phase not in (rules.HOUSE, rules.PLANT):
            break
    return m


def cards_of(s: Any) -> Counter[int]:
    """All cards, wherever they are."""
    found: Counter[int] = Counter()
    for seat in range(s.seats):
        found.update(s.hand[seat][i] for i in range(s.hand_count[seat]))
    found.update(s.pile[i] for i in range(s.pile_count))
    found.update({card: s.discard[card] for card in range(1, s.kinds + 1) if s.discard[card]})
    return found


# --- set-up ---


@rule("KK-1")
def test_one_cat_starts_on_the_paw_print() -> None:
    m = new()
    assert board(m) == {"d4": "1"}
    assert (m.state.cats, m.state.waiting) == (1, 0)


@rule("KK-2")
@pytest.mark.parametrize(("seats", "houses"), [(2, 10), (3, 7), (4, 6)])
def test_houses_each(seats: int, houses: int) -> None:
    m = build_all(new(seats))
    assert m.scores() == [houses] * seats


@rule("KK-3")
@pytest.mark.parametrize("seats", [2, 3, 4])
def test_houses_go_clockwise_on_numbered_fields(seats: int) -> None:
    m = new(seats, first=1)
    asked = []
    usable = {
        f"house {'abcdefg'[c]}{r + 1}"
        for r, line in enumerate(GAME.shipped("board.txt").splitlines())
        for c, sign in enumerate(line.split())
        if sign in "234"[: seats - 1]
    }
    assert set(m.legal_texts()) == usable
    while m.state.phase == rules.HOUSE:
        asked.append(m.turn)
        m.play_move(m.legal()[0])
    assert asked == [(1 + i) % seats for i in range(seats * {2: 10, 3: 7, 4: 6}[seats])]


@rule("KK-3")
def test_house_on_a_wrong_field_is_refused() -> None:
    m = play(new(2), "house c1")
    assert refused(m, "house c1") == "KK-3"  # taken
    assert refused(m, "house a1") == "KK-3"  # marked 3
    assert refused(m, "house d4") == "KK-3"  # the paw print
    assert refused(m, "tree b1") == "KK-3"
    assert "house a1" in new(3).legal_texts()
    assert "house g1" not in new(3).legal_texts()
    assert "house g1" in new(4).legal_texts()


@rule("KK-4")
@pytest.mark.parametrize(("seats", "trees"), [(2, 4), (3, 3), (4, 4)])
def test_trees_are_planted_counter_clockwise_from_the_last_house(seats: int, trees: int) -> None:
    m = new(seats, first=0)
    asked = []
    while m.state.phase in (rules.HOUSE, rules.PLANT):
        if m.state.phase == rules.PLANT:
            asked.append(m.turn)
        m.play_move(m.legal()[-1])
    assert asked == [(seats - 1 - i) % seats for i in range(trees)]
    assert list(board(m).values()).count("t") == trees


@rule("KK-4")
def test_tree_touches_no_tree_and_no_cat() -> None:
    m = new(2)
    while m.state.phase == rules.HOUSE:
        m.play_move(m.legal()[0])
    around = [f"{c}{r}" for c in "cde" for r in "345"]
    assert not {f"tree {field}" for field in around} & set(m.legal_texts())
    assert refused(m, "tree e5") == "KK-4"
    assert refused(m, "tree c1") == "KK-4"  # a house
    play(m, "tree f7")
    assert refused(m, "tree g6") == "KK-4"  # diagonal
    assert refused(m, "tree f7") == "KK-4"
    assert refused(m, "tree e7") == "KK-4"
    assert "tree d7" in m.legal_texts()
    assert refused(m, "house b1") == "KK-4"


@rule("KK-4")
def test_tree_without_a_field_is_left_out() -> None:
    # ten columns of houses around the cat: every other field touches it
    tight = "2 2 2 2 2\n2 2 . 2 2\n2 . P . 2\n2 2 . 2 2\n2 2 2 2 2"
    m = new(2, data={"board.txt": tight})
    outer = [m_ for m_ in m.legal_texts() if m_[6] in "ae" or m_[7] in "15"]
    for text in [*outer, *(t for t in m.legal_texts() if t not in outer)][:20]:
        m.play(text)
    assert m.state.phase == rules.CARD
    assert "t" not in board(m).values()
    assert m.turn == 0


@rule("KK-5")
def test_two_cards_each_and_the_rest_is_the_pile() -> None:
    order = [name for line in DECK.splitlines()[1:] for name in [line.split(",")[0]] * int(line.split(",")[2])]
    m = Match(GAME, ["Noor", "Bas", "Mees"], {}, first=2, shuffles=[order])
    s: Any = m.state
    hands = [[moves.card_text(s, s.hand[seat][i]) for i in range(s.hand_count[seat])] for seat in range(3)]
    assert hands == [order[0:2], order[2:4], order[4:6]]
    assert s.pile_count == len(order) - 6
    assert moves.card_text(s, s.pile[s.pile_count - 1]) == order[6]
    assert m.shuffles == [order]
    assert all(m.view(SPECTATOR).hand[seat][0] == 0 for seat in range(3))
    assert m.view(1).hand[1][0] > 0
    assert m.view(1).hand[0][0] == 0


@rule("KK-6", "KK-10")
@pytest.mark.parametrize(("version", "drawn_"), [("chill", 1), ("running", 2)])
def test_version_says_how_many_cards_are_drawn(version: str, drawn_: int) -> None:
    m = build_all(new(3, version=version))
    s: Any = m.state
    assert list(s.hand_count)[:3] == [2 + drawn_, 2, 2]
    m.play("done")
    assert list(m.state.hand_count)[:3] == [2 + drawn_, 2 + drawn_, 2]


@rule("KK-7")
def test_one_seat_begins_set_up_and_play() -> None:
    assert {Match(GAME, ["a", "b", "c"], seed=seed).first for seed in range(40)} == {0, 1, 2}
    m = new(3, first=2)
    assert m.turn == 2
    build_all(m)
    assert m.turn == 2
    m.play("done")
    assert m.turn == 0


# --- a turn ---


@rule("KK-10")
def test_at_most_four_cards_and_done_is_always_asked() -> None:
    m = position(CORNERED, "straight-2 straight-2 straight-3 corner-left corner-right")
    for text in ("card straight-2", "cat d4", "turn N", "card straight-2", "cat d2", "turn S", "card straight-3"):
        assert text in m.legal_texts()
        m.play(text)
    play(m, "cat d4", "turn E", "card corner-left", "cat g4")
    assert refused(m, "done") == "KK-11"
    m.play("turn N")
    # the fourth card ends the step by itself, and the hand is small enough
    assert m.turn == 1
    assert m.state.phase == rules.CARD

    five = position(CORNERED, "straight-2 teleport", plays=3)
    play(five, "card straight-2", "cat d4", "turn N")
    assert five.turn == 1
    stuck = position(CORNERED, "")
    assert stuck.legal_texts() == ["done"]


@rule("KK-10")
def test_fifth_card_is_refused() -> None:
    m = position(CORNERED, "straight-2 straight-3 straight-3 teleport corner-left corner-right", plays=3)
    play(m, "card straight-2", "cat d4", "turn N")
    assert m.state.phase == rules.DISCARD
    assert refused(m, "card teleport") == "KK-10"
    assert refused(m, "done") == "KK-17"
    assert refused(position(CORNERED, "straight-2"), "card straight-3") == "KK-10"


@rule("KK-11")
@pytest.mark.parametrize(("turn", "end"), [("N", "e2"), ("E", "f5"), ("S", "c6"), ("W", "b3")])
def test_path_is_turned_but_never_mirrored(turn: str, end: str) -> None:
    m = position(CORNERED, "long-short-right")
    play(m, "card long-short-right", "cat d4", f"turn {turn}")
    assert board(m) == {"a1": "a", "g1": "b", end: "1"}


@rule("KK-11")
def test_path_in_the_deck_may_start_any_way() -> None:
    deck = "card,path,copies\nback,SSW,12\nteleport,,12\n"
    m = new(data={"deck.csv": deck})
    s: Any = m.state
    assert [rules.way_of(s, 1, i, rules.NORTH) for i in range(3)] == [rules.NORTH, rules.NORTH, rules.EAST]
    assert [rules.way_of(s, 1, i, rules.SOUTH) for i in range(3)] == [rules.SOUTH, rules.SOUTH, rules.WEST]


@rule("KK-11", "KK-22")
def test_different_cards_may_move_different_cats() -> None:
    m = position(CORNERED.replace("1", "2").replace("a . .", "a . 1"), "straight-2 straight-2")
    play(m, "card straight-2")
    assert refused(m, "cat a1") == "KK-22"
    assert refused(m, "cat e5") == "KK-22"
    play(m, "cat d4", "turn S", "card straight-2", "cat c1", "turn S")
    assert board(m) == {"a1": "a", "g1": "b", "c3": "1", "d6": "2"}


@rule("KK-12", "KK-13")
def test_known_answer_a_row_is_pushed_over_the_edge() -> None:
    m = position(
        """
        . . . . . . a
        . . . b . . .
        . . . b . . .
        . . . 1 . . .
        . . . . . . .
        . . . . . . .
        . . . . . . b
        """,
        "straight-3",
    )
    s: Any = m.state
    on = s.on
    assert rules.step(s, on, at("d4"), rules.NORTH) == 0
    assert (on[at("d3")], on[at("d2")], on[at("d1")]) == (0, 2, 2)
    assert rules.step(s, on, at("d3"), rules.NORTH) == 2
    assert (on[at("d2")], on[at("d1")]) == (0, 2)
    assert rules.step(s, on, at("d2"), rules.NORTH) == 2

    m = position(
        CORNERED.replace(". . . . . . .", ". . . b . . .", 1).replace(". . . . . . .", ". . . b . . .", 1), "straight-3"
    )
    play(m, "card straight-3", "cat d4", "turn N")
    assert board(m) == {"a1": "a", "g1": "b", "d1": "1"}
    assert m.scores() == [1, 1]
    s = m.state
    assert [(s.fall_seat[i], s.fall_field[i], s.fall_way[i]) for i in range(s.falls)] == [(1, at("d1"), 0)] * 2


@rule("KK-14")
def test_cat_does_not_leave_the_board_or_bump() -> None:
    m = position(
        """
        a . . t . . b
        . . . . . . .
        . . . . . . .
        . 2 . 1 . . .
        . . . . . . .
        . . . . . . .
        . . . . . . .
        """,
        "straight-3",
    )
    play(m, "card straight-3", "cat d4")
    assert m.legal_texts() == ["turn E", "turn S"]
    assert refused(m, "turn N") == "KK-14"
    assert refused(m, "turn W") == "KK-14"
    m = position("a . b\n. 1 .\n. . .", "straight-2 teleport")
    assert m.legal_texts() == ["done", "card teleport"]
    assert refused(m, "card straight-2") == "KK-14"


@rule("KK-15")
def test_known_answer_a_tree_behind_houses() -> None:
    both = """
        a . . t . . b
        . . . a . . .
        . . . b . . .
        . . . 1 . . .
        . . . . . . .
        . . . . . . .
        . . . . . . .
        """
    for text in (both, both.replace(". . . a", ". . . .")):
        m = position(text, "straight-3")
        play(m, "card straight-3", "cat d4")
        assert refused(m, "turn N") == "KK-15"
        assert "turn S" in m.legal_texts()
    assert rules.trial(position(both).state, at("d4"), 2, rules.NORTH) == rules.HOUSE_INTO_TREE


@rule("KK-15")
def test_card_is_refused_when_trees_block_every_way() -> None:
    m = position("t t a t t\nt t b t t\na b 1 b a\nt t b t t\nt t a t t".replace("a", "t"), "straight-2 swap")
    m.state.houses[0] = 1
    assert refused(m, "card straight-2") == "KK-15"


@rule("KK-16")
def test_house_is_not_pushed_into_a_cat() -> None:
    m = position(CORNERED.replace("1 . . .", "1 b 2 ."), "straight-2")
    play(m, "card straight-2", "cat d4")
    assert refused(m, "turn E") == "KK-16"
    assert m.legal_texts() == ["turn N", "turn S", "turn W"]


@rule("KK-11", "KK-12")
def test_known_answer_a_corner_pushes_east_at_the_second_step() -> None:
    m = position(
        """
        a . . . . . .
        . . . . . . .
        . . . b b . .
        . . . 1 . . .
        . . . . . . .
        . . . . . . .
        . . . . . . b
        """,
        "corner-right",
    )
    play(m, "card corner-right", "cat d4", "turn N")
    assert board(m) == {"a1": "a", "d2": "b", "f3": "b", "e3": "1", "g7": "b"}


def test_cat_may_come_back_and_houses_may_stand_where_it_was() -> None:
    deck = "card,path,copies\nround,NESW,12\nback,NS,12\n"
    m = new(data={"deck.csv": deck})
    s: Any = m.state
    s.phase, s.houses[0], s.houses[1] = rules.CARD, 1, 1
    s.on[at("e5")] = 1
    s.on[at("g7")] = 2
    start = s.cat[0]
    assert rules.trial(s, start, 1, rules.NORTH) == 0
    s.card, s.chosen = 1, start
    rules.walk(s, rules.EAST)  # e4, e5 pushes its house south, d5, d4
    assert s.cat[0] == start
    assert s.on[start] == rules.CAT
    assert s.on[at("e6")] == 1


@rule("KK-17")
def test_discard_down_to_four() -> None:
    m = position(CORNERED, "straight-2 straight-2 straight-3 teleport swap catnip")
    m.play("done")
    assert m.turn == 0
    assert refused(m, "done") == "KK-17"
    assert refused(m, "discard zigzag-left") == "KK-17"
    with pytest.raises(Refusal, match="Zigzag left is not in your hand; you hold Two straight, Two straight, Three"):
        m.play("discard zigzag-left")
    assert m.legal_texts() == [
        "discard straight-2",
        "discard straight-3",
        "discard teleport",
        "discard catnip",
        "discard swap",
    ]
    play(m, "discard swap", "discard straight-2")
    assert m.turn == 1
    assert m.state.discard_count == 2


@rule("KK-17")
def test_played_card_lies_open_before_it_is_carried_out() -> None:
    m = position(CORNERED, "straight-2 straight-3")
    m.play("card straight-3")
    s: Any = m.view(SPECTATOR)
    assert (s.discard_count, s.discard[moves.card_read(s, "straight-3")], s.hand_count[0]) == (1, 1, 1)
    assert moves.card_text(s, s.discard_top) == "straight-3"


# --- cats come ---


@rule("KK-20")
def test_known_answer_the_last_card_reshuffles_at_once_and_a_cat_comes() -> None:
    m = position(CORNERED.replace("1", "."), "straight-2")
    s: Any = m.state
    s.on[at("a7")], s.cat[0], s.cats = rules.CAT, at("a7"), 1
    shrink_pile(m, 1)
    discards = s.discard_count
    m.play("done")
    s = m.state
    assert (s.reshuffles, s.discard_count) == (1, 0)
    assert s.pile_count == discards
    assert board(m)["d4"] == "2"
    assert len(m.shuffles) == 2
    assert m.shuffles[1] == [moves.card_text(s, s.pile[i]) for i in reversed(range(discards))]
    assert Counter(s.pile[:discards]) == Counter({k: s.fresh[k] for k in range(1, s.kinds + 1) if s.fresh[k]})


@rule("KK-20", "KK-6")
def test_reshuffle_in_the_middle_of_drawing() -> None:
    m = position(CORNERED, "straight-2", version="running")
    shrink_pile(m, 1)
    s: Any = m.state
    had = s.hand_count[1]
    discards = s.discard_count
    m.play("done")
    s = m.state
    assert s.hand_count[1] == had + 2
    assert (s.pile_count, s.reshuffles) == (discards - 1, 1)


@rule("KK-20")
def test_never_more_than_four_cats() -> None:
    m = position("a . . 3 . . b\n. . . . . . .\n. . . . . . .\n1 2 . . 4 . .\n" + EMPTY_7[:42].rstrip(), "straight-2")
    shrink_pile(m, 1)
    m.play("done")
    s: Any = m.state
    assert (s.reshuffles, s.cats, s.waiting) == (1, 4, 0)


@rule("KK-21")
def test_cat_waits_for_a_cat_and_enters_after_its_card() -> None:
    m = position(CORNERED, "straight-2")
    deal_hand(m, 1, "straight-2 straight-2")
    shrink_pile(m, 1)
    m.play("done")
    s: Any = m.state
    assert (s.cats, s.waiting) == (1, 1)
    play(m, "card straight-2", "cat d4", "turn S")
    s = m.state
    assert (s.cats, s.waiting) == (2, 0)
    assert board(m)["d4"] == "2"
    assert board(m)["d6"] == "1"
    m.play("card straight-2")
    assert "cat d4" in m.legal_texts()  # it may be moved in the same turn


@rule("KK-21")
def test_house_on_the_middle_makes_cats_wait_and_they_count() -> None:
    m = position(CORNERED.replace("1", "a").replace("b", "b", 1), "straight-2")
    s: Any = m.state
    s.on[at("g7")], s.cat[0], s.cats, s.waiting = rules.CAT, at("g7"), 1, 2
    shrink_pile(m, 1)
    m.play("done")
    s = m.state
    assert (s.cats, s.waiting) == (1, 3)
    shrink_pile(m, 1)
    m.play("done")
    s = m.state
    assert (s.cats, s.waiting, s.reshuffles) == (1, 3, 2)


@rule("KK-21")
def test_one_cat_enters_after_each_card() -> None:
    m = position(CORNERED, "straight-2 straight-3 straight-3")
    m.state.waiting = 2
    play(m, "card straight-2", "cat d4", "turn S")
    assert (m.state.cats, m.state.waiting) == (2, 1)
    play(m, "card straight-3", "cat d4", "turn E")
    assert (m.state.cats, m.state.waiting) == (3, 0)


# --- special cards ---


@rule("KK-30")
def test_teleport() -> None:
    m = position(CORNERED, "teleport straight-2", plays=3)
    play(m, "card teleport", "cat d4")
    assert len(m.legal()) == 49 - 3
    assert refused(m, "field a1") == "KK-30"
    assert refused(m, "field d4") == "KK-30"
    m.play("field g7")
    assert board(m) == {"a1": "a", "g1": "b", "g7": "1"}
    assert m.turn == 1  # it was the fourth card


@rule("KK-31")
def test_catnip() -> None:
    m = position(CORNERED, "catnip")
    assert m.legal_texts() == ["done"]
    assert refused(m, "card catnip") == "KK-31"
    m = position(CORNERED.replace("1", "."), "catnip")
    s: Any = m.state
    s.on[at("a7")], s.cat[0], s.cats = rules.CAT, at("a7"), 1
    play(m, "card catnip", "cat a7")
    assert board(m) == {"a1": "a", "g1": "b", "d4": "1"}


@rule("KK-32")
def test_swap_changes_two_houses_of_different_owners() -> None:
    m = position("a . . . . . b\n. . . . . . .\na . . . . . .\n. . . 1 . . .\n" + EMPTY_7[:42].rstrip(), "swap")
    m.play("card swap")
    assert m.legal_texts() == ["first a1", "first g1"]
    assert refused(m, "first d4") == "KK-32"
    assert refused(m, "first a3") == "KK-32"
    m.play("first a1")
    assert m.legal_texts() == ["second g1"]
    assert refused(m, "second a3") == "KK-32"
    m.play("second g1")
    assert board(m) == {"a1": "b", "g1": "a", "a3": "a", "d4": "1"}
    assert m.scores() == [2, 1]


# --- the end ---


@rule("KK-40")
def test_player_without_houses_is_out_and_the_hand_is_discarded() -> None:
    m = position(CORNERED.replace("a .", "c .").replace(". . . . . . .", "a . . b . . .", 1), "straight-3", seats=3)
    s: Any = m.state
    s.on[at("g1")], s.houses[1] = rules.EMPTY, 1
    s.on[at("d2")] = 2
    deal_hand(m, 1, "swap catnip teleport")
    reveals = s.reveals
    play(m, "card straight-3", "cat d4", "turn N")
    s = m.state
    assert not m.over
    assert (s.houses[1], s.hand_count[1], s.discard_count) == (0, 0, 4)
    assert s.reveals > reveals
    assert board(m)["d1"] == "1"
    m.play("done")
    assert m.turn == 2
    assert not rules.wins(m.state, 1)


@rule("KK-40", "KK-21")
def test_active_player_who_falls_out_ends_the_turn_after_the_card() -> None:
    m = position(
        """
        b . . . . . c
        . . . a . . .
        . . . . . . .
        . . . 1 . . .
        . . . . . . .
        . . . . . . .
        . . . . . . .
        """,
        "straight-3 teleport swap",
        seats=3,
    )
    m.state.waiting = 1
    play(m, "card straight-3", "cat d4", "turn N")
    assert not m.over
    assert m.turn == 1
    assert board(m) == {"a1": "b", "g1": "c", "d1": "1", "d4": "2"}
    assert m.state.hand_count[0] == 0


@rule("KK-41")
def test_match_ends_in_the_middle_of_a_path() -> None:
    m = position(
        """
        . . . - . . a
        . . . . . . .
        . . . b . . .
        . . . 1 . . .
        . . . . . . .
        . . . . . . .
        . . . . . . .
        """,
        "long-short-right",
    )
    m.state.waiting = 1
    play(m, "card long-short-right", "cat d4", "turn N")
    assert m.over
    assert m.result().winners == [0]
    assert m.result().scores == [1, 0]
    # the second step dropped the house: the third was not taken, and no cat enters any more
    assert board(m) == {"g1": "a", "d2": "1"}
    assert m.state.waiting == 1
    assert m.legal() == []


@rule("KK-41")
def test_own_last_house_may_be_the_one_that_ends_the_match() -> None:
    m = position(CORNERED.replace("a .", "b .").replace(". . . . . . .", ". . . a . . .", 1), "straight-3")
    play(m, "card straight-3", "cat d4", "turn N")
    assert m.result().winners == [1]


@rule("KK-50")
@pytest.mark.parametrize("stalemate", [False, True])
def test_third_quiet_reshuffle_ends_the_match(stalemate: bool) -> None:
    m = position(CORNERED + " ", "straight-2", seats=2, stalemate=stalemate, version="running")
    s: Any = m.state
    s.quiet = s.reshuffles = 2
    shrink_pile(m, 1)
    hand = s.hand_count[1]
    m.play("done")
    assert m.over is stalemate
    assert len(m.shuffles) == 2
    if stalemate:
        assert m.state.hand_count[1] == hand + 1
        assert m.result().winners == [0, 1]
        assert m.legal() == []


@rule("KK-50")
def test_a_fall_makes_the_count_start_anew_and_most_houses_win() -> None:
    text = CORNERED.replace(". . . . . . .", "a . . b . . .", 1)
    m = position(text, "straight-3", stalemate=True)
    s: Any = m.state
    s.quiet = s.reshuffles = 2
    play(m, "card straight-3", "cat d4", "turn N", "done")
    s = m.state
    assert s.quiet == 0
    s.quiet = 2
    shrink_pile(m, 1)
    m.play("done")
    assert m.over
    assert m.result().winners == [0]
    assert m.result().scores == [2, 1]


# --- decks and boards of one's own ---

HOLES = """
2 2 - 2 2 2
2 2 . 2 2 2
2 . P . 2 -
2 2 . 2 2 2
2 2 2 2 2 -
"""


def test_missing_field_is_beyond_the_edge() -> None:
    m = position(
        """
        a . . . -
        . . b . .
        . . 1 a -
        . . . . .
        . b . . .
        """,
        "straight-2",
    )
    play(m, "card straight-2", "cat c3")
    assert refused(m, "turn E") == "KK-14"  # the second step leaves the board
    play(m, "turn N")
    assert m.scores() == [2, 1]
    m = position("a . b -\n. 1 a -\n. . . .\n", "corner-left")
    play(m, "card corner-left", "cat b2", "turn E")
    assert m.scores() == [1, 0]
    assert board(m) == {"a1": "a", "c1": "1"}


def test_match_on_a_board_with_holes() -> None:
    m = new(2, data={"board.txt": HOLES})
    assert refused(m, "house c1") == "KK-3"
    assert refused(m, "house c6") == ""  # beyond the board
    for _ in random_match(m):
        pass
    assert len(m.result().winners) == 1
    again = Match.replay(GAME, documents.loads(m.document().text()))
    assert bytes(again.state) == bytes(m.state)


@pytest.mark.parametrize(
    ("change", "where"),
    [
        (lambda t: t.replace("teleport,,3", "teleport,,-1"), "deck.csv, line 14, column copies"),
        (lambda t: t.replace("teleport,,3", "teleport,,x"), "deck.csv, line 14, column copies"),
        (lambda t: t.replace("teleport,,3", "teleport,NN,3"), "deck.csv, line 14, column path"),
        (lambda t: t.replace("straight-2,NN,4", "straight-2,NX,4"), "deck.csv, line 2, column path"),
        (lambda t: t.replace("straight-2,NN,4", "straight-2,,4"), "deck.csv, line 2, column path"),
        (lambda t: t.replace("straight-2,NN,4", "straight-2,NNNNNNNNNNNNN,4"), "deck.csv, line 2, column path"),
        (lambda t: t.replace("straight-2,", ","), "deck.csv, line 2, column card"),
        (lambda t: t.replace("straight-2,", "x" * 33 + ","), "deck.csv, line 2, column card"),
        (lambda t: t.replace("straight-3", "straight-2"), "deck.csv, line 3, column card"),
        (lambda t: t.replace("catnip,,2", "catnip,,60"), "deck.csv, line 15, column copies"),
        (lambda t: t.replace("NN,4", "NN,0").replace("NNN,4", "NNN,0").replace(",3", ",2"), "line 16, column copies"),
        (lambda t: "card,path,copies\nteleport,,30\n", "deck.csv, line 2, column path"),
        (lambda t: "card,path,copies\n", "deck.csv, line 2, column card"),
        (lambda t: t.replace("copies", "number"), "deck.csv: column copies"),
        (lambda t: t.replace("swap,,3", "swap,3"), "deck.csv, line 16"),
        (lambda t: "card,path,copies\n" + "".join(f"k{i},N,1\n" for i in range(61)), "deck.csv, line 62, column card"),
    ],
)
def test_broken_deck_names_line_and_column(change: Callable[[str], str], where: str) -> None:
    with pytest.raises(Refusal) as caught:
        new(data={"deck.csv": change(DECK)})
    assert where in str(caught.value.message)


@pytest.mark.parametrize(
    ("change", "where"),
    [
        (lambda t: t.replace("P", "X"), "board.txt, line 4, column 4: X"),
        (lambda t: t.replace("P", "."), "board.txt, line 7, column 7: no P"),
        (lambda t: t.replace("4", "P", 1), "board.txt, line 4, column 4: a second P"),
        (lambda t: t.replace(". 2 . 2 . 2 .\n", ". 2 . 2 . 2\n", 1), "board.txt, line 2, column 7"),
        (lambda t: t + ". . . . . . .\n" * 5, "board.txt, line 12, column 1"),
        (lambda t: "\n".join(line + " ." * 5 for line in t.splitlines()), "board.txt, line 1, column 12"),
        (lambda t: t.replace("2", ".", 10), "their houses need 20"),
        (lambda t: " \n", "board.txt, line 1, column 1"),
    ],
)
def test_broken_board_names_line_and_column(change: Callable[[str], str], where: str) -> None:
    with pytest.raises(Refusal) as caught:
        new(data={"board.txt": change(GAME.shipped("board.txt"))})
    assert where in str(caught.value.message)


def test_board_needs_fields_for_this_many_players_only() -> None:
    two = "\n".join([" ".join("2" * 5)] * 5).replace("2 2 2", "2 P 2", 1)
    assert new(2, data={"board.txt": two}).legal()
    with pytest.raises(Refusal, match="their houses need 21"):
        new(3, data={"board.txt": two.replace("2", ".", 5)})


def test_names_of_cards_may_hold_any_letters() -> None:
    deck = "card,path,copies\nkrols één,NE,20\nswap,,4\n"
    m = new(data={"deck.csv": deck})
    assert m.shuffles[0].count("krols één") == 20
    build_all(m)
    assert "card krols één" in m.legal_texts()


# --- text ---


@pytest.mark.parametrize("text", ["", "jump a1", "house", "house z1", "house a8", "turn", "turn X", "card", "card x"])
def test_text_outside_the_notation_is_refused(text: str) -> None:
    with pytest.raises(Refusal):
        new().play(text)


def test_log_tells_falls_swaps_and_cats() -> None:
    text = CORNERED.replace(". . . . . . .", ". . . b . . .", 1)
    m = position(text, "straight-3 swap")
    entries = []
    for decision in ("card straight-3", "cat d4", "turn N", "card swap", "first a1", "second g1", "done"):
        m.play(decision)
        entries.append([str(words) for words in m.entries[-1].words])
    assert entries[0] == []
    assert entries[2] == ["? sent the ginger tom from d4 to d1 (Three straight)", "seat 1 lost a house over the edge"]
    assert entries[5] == ["? swapped houses of seat 0 (a1) and seat 1 (g1)"]
    assert entries[6] == []


def test_breakdown_adds_up() -> None:
    m = build_all(new(4))
    for seat in range(4):
        lines = m.breakdown(seat)
        assert sum(line.points for line in lines) == m.scores()[seat]
        assert [line.rule for line in lines] == ["KK-41"]


def test_every_question_has_words() -> None:
    asked = set()
    for seed in range(3):
        for m in random_match(new(4, seed=seed, version="running")):
            asked.add(m.state.phase)
            assert str(moves.ask(m.view(SPECTATOR)))
            assert str(moves.ask(m.view(m.turn)))
    assert asked == set(range(9))


# --- what holds in every match ---


@settings(max_examples=8)
@given(st.integers(0, 10**6), st.integers(2, 4), st.sampled_from(["chill", "running"]), st.booleans())
def test_promises_of_every_random_match(seed: int, seats: int, version: str, stalemate: bool) -> None:
    m = new(seats, first=seed % seats, seed=seed, version=version, stalemate=stalemate)
    s: Any = m.state
    cards = Counter({card: s.copies[card] for card in range(1, s.kinds + 1)})
    placed = {2: 10, 3: 7, 4: 6}[seats]
    before = None
    for number, _ in enumerate(random_match(m, seed)):
        s = m.state
        if before is not None and s.phase > rules.PLANT and before.phase > rules.PLANT:
            lost = sum(before.houses) - sum(s.houses)
            assert lost <= (s.steps[before.card] if before.phase == rules.TURN else 0)
        before = s.copy()
        if number % 10:
            continue
        legal = m.legal()
        assert legal == sorted(set(legal))
        assert 0 < len(legal) <= rules.MAX_LEGAL
        assert cards_of(s) == cards
        standing = Counter(board(m).values())
        assert [standing["abcd"[p]] for p in range(seats)] == m.scores()
        assert sum(standing[cat] for cat in "1234") == s.cats
        assert s.cats + s.waiting == min(4, 1 + s.reshuffles)
        assert all(s.on[s.cat[i]] == rules.CAT + i for i in range(s.cats))
        assert all(s.hand_count[p] <= 4 or p == m.turn for p in range(seats))
        if s.phase > rules.PLANT:
            assert all(s.houses[p] <= placed for p in range(seats))
            assert s.houses[m.turn] > 0
    result = m.result()
    s = m.state
    if not stalemate or s.quiet < rules.QUIET:
        assert len(result.winners) == 1
        assert [score > 0 for score in result.scores] == [p in result.winners for p in range(seats)]
    assert cards_of(s) == cards
    again = Match.replay(GAME, documents.loads(m.document().text()))
    assert bytes(again.state) == bytes(s)
    assert again.shuffles == m.shuffles
    assert len(m.shuffles) == 1 + s.reshuffles


@settings(max_examples=4)
@given(st.integers(0, 10**6), st.integers(2, 4))
def test_imagined_worlds_fit_the_view(seed: int, seats: int) -> None:
    m = new(seats, seed=seed, version="running")
    dice = chance.seeded(seed, "imagine")
    for number, _ in enumerate(random_match(m, seed)):
        if number % 50:
            continue
        for seat in range(SPECTATOR, seats):
            view: Any = m.view(seat)
            world = view.copy()
            rules.imagine(world, seat, dice)
            assert bytes(world.view(seat)) == bytes(view)
            assert cards_of(world) == cards_of(m.state)
            # the draw pile holds nothing but what everybody saw being shuffled
            assert not Counter(list(world.pile)[: world.pile_count]) - Counter(dict(enumerate(view.fresh)))


@rule("KK-20")
def test_after_a_reshuffle_a_lone_opponent_s_hand_is_known() -> None:
    m = position(CORNERED, "straight-2 swap")
    deal_hand(m, 1, "catnip u-turn-left teleport")
    shrink_pile(m, 1)
    m.play("done")
    dice = chance.seeded(1, "imagine")
    for _ in range(20):
        world: Any = m.view(0)
        rules.imagine(world, 0, dice)
        names = [moves.card_text(world, world.hand[1][i]) for i in range(4)]
        assert {"catnip", "u-turn-left", "teleport"} <= set(names)


@settings(max_examples=4)
@given(st.integers(0, 10**6))
def test_at_most_one_house_falls_per_step(seed: int) -> None:
    for m in random_match(new(2, seed=seed), seed):
        s: Any = m.state.copy()
        if s.phase == rules.TURN:
            for turn in range(4):
                walked = s.copy()
                before = sum(1 for f in range(rules.FIELDS) if rules.is_house(walked, f))
                walked.on[walked.chosen] = rules.EMPTY
                where = walked.chosen
                for i in range(walked.steps[walked.card]):
                    way = rules.way_of(walked, walked.card, i, turn)
                    fell = rules.step(walked, walked.on, where, way)
                    after = sum(1 for f in range(rules.FIELDS) if rules.is_house(walked, f))
                    assert before - after == (1 if fell > 0 else 0)
                    before = after
                    if fell < 0:
                        break
                    where += rules.STEP[way]


@settings(max_examples=4)
@given(st.integers(0, 10**6))
def test_what_the_board_shows_of_a_turn_is_what_happens(seed: int) -> None:
    for m in random_match(new(3, seed=seed), seed):
        if m.state.phase != rules.TURN:
            continue
        view = m.view(m.turn)
        shown = table.board(view, m.turn, m.legal(), [])["courses"]
        assert [course.move for course in shown if course.move is not None] == m.legal()
        for course in shown:
            if course.move is None:
                text = f"turn {'NESW'[course.turn]}"
                assert refused(m, text) == course.rule
                continue
            then: Any = m.state.copy()
            rules.walk(then, course.turn)
            falls = [(then.fall_seat[i], then.fall_way[i]) for i in range(then.falls)]
            drops = [(drop.seat, drop.way) for drop in course.drops]
            assert drops[: len(falls)] == falls
            if not then.over:
                assert drops == falls
                assert course.points[-1] == table.place(then, then.last_to)
                for ghost in course.ghosts:
                    assert then.on[ghost.row * ROW + ghost.column] == 1 + ghost.seat
                moved = {f for f in range(rules.FIELDS) if rules.is_house(view, f) and then.on[f] != view.on[f]}
                assert moved <= course.moved


def test_last_path_is_shown_as_it_was_walked() -> None:
    text = """
        . . . - . . a
        . . . . . . .
        . . . b . . .
        . . . 1 . . .
        . . . . . . .
        . . . . . . .
        . . . . . . .
        """
    m = position(text, "long-short-right")
    play(m, "card long-short-right", "cat d4", "turn N")
    assert m.over
    last = table.board(m.view(SPECTATOR), SPECTATOR, [], [])["last"]
    assert last.points[-1] == table.place(m.state, at("d2"))
    assert [drop.seat for drop in last.drops] == [1]


@pytest.mark.parametrize("language", ["nl", "en"])
@pytest.mark.parametrize("seats", [2, 3, 4])
def test_page_of_every_decision(seats: int, language: str) -> None:
    m = new(seats, seed=seats, version="running")
    drawn_phases = set()
    for _ in random_match(m, 5):
        if m.state.phase not in drawn_phases:
            drawn_phases.add(m.state.phase)
            for seat in range(SPECTATOR, seats):
                page = scene(m, seat, language).board
                assert page.count('name="move"') >= (len(m.legal()) if seat == m.turn else 0)
                assert " style=" not in page
                assert (seat == m.turn) == ('name="move"' in page)
    assert drawn_phases == set(range(9))
    assert "ending" in scene(m, 0, language).board


@pytest.mark.parametrize("text", [HOLES, "\n".join([". 2 " * 5 + "P"] * 1 + ["2 - 2 . 2 2 - 2 2 2 2"] * 10)])
def test_page_of_a_board_of_one_s_own(text: str) -> None:
    m = new(2, data={"board.txt": text})
    for number, _ in enumerate(random_match(m)):
        if number == 400:
            break
        if number % 80 == 0:
            page = scene(m, m.turn, "en").board
            assert page.count('class="tile') == sum(sign != "-" for sign in text.split())


def test_undo_ends_at_a_draw() -> None:
    m = position(CORNERED, "straight-2 straight-3")
    play(m, "card straight-2", "cat d4", "turn S")
    assert m.can_undo(0)
    m.undo(0)
    m.undo(0)
    m.undo(0)
    assert not m.can_undo(0)
    assert board(m)["d4"] == "1"
    m.play("done")
    assert not m.can_undo(0)
    assert not m.can_undo(1)
