"""Pixies: every rule, the known answers, and the mistakes that other programs made."""

from __future__ import annotations

import random
from collections.abc import Iterable
from typing import Any

import pytest

from speeltafel.engine.chance import seeded
from speeltafel.engine.match import Match
from speeltafel.engine.records import SPECTATOR
from speeltafel.engine.refusals import Refusal
from speeltafel.games.pixies import GAME, board, data, moves, rules

NAMES = ("Anna", "Bram", "Cleo", "Daan", "Eva")
DECK = GAME.shipped("deck.csv")


def state(seats: int = 2, **options: Any) -> Any:
    """A table with the deck loaded and nothing dealt."""
    return GAME.set_up(seats, 0, options, {})


EMPTY: Any = state()
ALL = [data.name(EMPTY, card) for card in range(1, rules.CARDS + 1)]


def code(name: str) -> int:
    return moves.card_read(EMPTY, name)


def lay(text: str, round_: int = 1, s: Any = None, seat: int = 0) -> Any:
    """A grid in the notation of the known answers: `R1S* Y2+2 d7`."""
    s = s or state()
    s.done = round_ - 1
    spare = [card for card in ALL if card not in text.replace("*", "").split()]
    for part in text.split():
        s.filled[seat] += 1
        if part[0] == "d":
            s.under[seat][int(part[1:]) - 1] = code(spare.pop())
            continue
        card = code(part.rstrip("*"))
        space = s.number[card] - 1
        s.top[seat][space] = card
        if part.endswith("*"):
            s.under[seat][space] = code(spare.pop())
    return s


def deck(*first: str) -> list[str]:
    """A draw order that begins with the cards named."""
    return [*first, *(card for card in ALL if card not in first)]


def table(*first: str, seats: int = 2, start: int = 0, options: dict[str, Any] | None = None) -> Match:
    """A match whose first cards are the ones named."""
    shuffles = [deck(*first), deck(), deck()]
    return Match(GAME, NAMES[:seats], options, first=start, seed=1, shuffles=shuffles)


def now(match: Match) -> Any:
    """The whole state of a match."""
    return match.state


def market(match: Match) -> list[str]:
    return [data.name(EMPTY, card) for card in moves.in_market(now(match))]


def at(match: Match, seat: int, space: int) -> tuple[str, str]:
    """What lies face up and face down on a space."""
    top, under = now(match).top[seat][space - 1], now(match).under[seat][space - 1]
    return (data.name(EMPTY, top) if top else "", data.name(EMPTY, under) if under else "")


def play_all(match: Match, *texts: str) -> Match:
    for text in texts:
        match.play(text)
    return match


def at_random(seats: int, seed: int, options: dict[str, Any] | None = None) -> Match:
    """A finished match of random decisions."""
    match = Match(GAME, NAMES[:seats], options, seed=seed)
    chooser = random.Random(seed)
    while not match.over:
        match.play_move(chooser.choice(match.legal()))
    return match


def with_full_grid(seats: int = 2, **options: Any) -> Any:
    """Seat 0 will fill its grid by the blue 9; the market holds blue and green 9, then green and yellow 1."""
    s = state(seats, **options)
    rules.deal(s, seeded(1, "game"))
    lay("d1 d2 d3 d4 d5 d6 d7 d8", s=s)
    for i in range(rules.SEATS):
        s.market[i] = 0
    cards = ("B9-6", "G9-4", "G1+5", "Y1+4", "R1+3")
    for i in range(rules.market_size(s)):
        s.market[i] = sorted(map(code, cards[: rules.market_size(s)]))[i]
    s.turn = s.starter = s.picks = 0
    return s


def take(s: Any, name: str) -> None:
    rules.play(s, rules.M_TAKE + code(name), seeded(1, "game"))


# the known answers: round, grid, validated, spirals, crosses, cards in the zone, total
ANSWERS = [
    (1, "", 0, 0, 0, 0, 0),
    (1, "B9-6*", 9, 0, 6, 0, 3),
    (1, "R8-5", 0, 0, 5, 0, -5),
    (2, "R1S J2", 0, 2, 0, 2, 8),
    (1, "B2+4 d5 B8-3", 0, 4, 3, 0, 1),
    (3, "J3 J6-1", 0, 0, 1, 2, 7),
    (1, "B1+6 J2 R3+4", 0, 10, 0, 2, 14),
    (1, "Y2S J3 Y5S J6-1", 0, 8, 1, 4, 15),
    (3, "R1S* Y2+2 Y3+5 R4+2* Y5S* Y6* d7 B8-3 Y9-2*", 25, 16, 5, 5, 56),
]


@pytest.mark.rule("PX-20", "PX-21", "PX-22", "PX-23", "PX-24", "PX-25", "PX-26")
@pytest.mark.parametrize(("round_", "grid", "validated", "spirals", "crosses", "zone", "total"), ANSWERS)
def test_known_answers(
    round_: int, grid: str, validated: int, spirals: int, crosses: int, zone: int, total: int
) -> None:
    s = lay(grid, round_)
    parts = (rules.validated(s, 0), rules.spirals(s, 0), rules.crosses(s, 0), rules.zone(s, 0))
    assert parts == (validated, spirals, crosses, zone)
    assert rules.score(s, 0) == total
    assert sum(line.points for line in moves.breakdown(s, 0)) == total


@pytest.mark.rule("PX-0")
def test_the_deck_is_the_box() -> None:
    assert len(set(ALL)) == 70
    for index in range(4):
        assert [EMPTY.colour[card] for card in range(1, 71)].count(index) == 16
    assert sorted(name for name in ALL if name[0] == "J") == ["J2", "J3", "J4", "J6-1", "J7-1", "J8-1"]
    per_number = [[EMPTY.number[card] for card in range(1, 71)].count(number) for number in range(1, 10)]
    assert per_number == [5, 6, 8, 10, 12, 10, 8, 6, 5]
    assert sum(EMPTY.spirals) == 60
    assert sum(EMPTY.crosses) == 61
    assert sum(EMPTY.special) == 8
    plain = [c for c in range(1, 71) if not (EMPTY.spirals[c] or EMPTY.crosses[c] or EMPTY.special[c])]
    assert len(plain) == 15


@pytest.mark.rule("PX-1")
def test_the_start() -> None:
    firsts = {Match(GAME, NAMES[:4], seed=seed).first for seed in range(40)}
    assert firsts == {0, 1, 2, 3}
    match = Match(GAME, NAMES[:4], seed=5, first=2)
    assert match.turn == 2
    assert [len(shuffle) for shuffle in match.shuffles] == [70, 70, 70]
    assert all(sorted(shuffle) == sorted(ALL) for shuffle in match.shuffles)
    assert match.shuffles[0] != match.shuffles[1] != match.shuffles[2] != match.shuffles[0]
    for seat in range(4):
        assert moves.empty_spaces(now(match), seat) == list(range(9))


@pytest.mark.rule("PX-2")
def test_three_rounds() -> None:
    for seed in range(5):
        match = at_random(3, seed)
        assert now(match).done == 3
        ends = [m.values["round"] for entry in match.entries for m in entry.words if "round" in m.values]
        assert ends == [1, 2, 3]


@pytest.mark.rule("PX-3")
@pytest.mark.parametrize(
    ("seats", "choice", "size"), [(2, 2, 2), (2, 4, 4), (3, 2, 3), (3, 4, 3), (4, 4, 4), (5, 2, 5), (5, 4, 5)]
)
def test_market_has_a_card_for_each(seats: int, choice: int, size: int) -> None:
    match = Match(GAME, NAMES[:seats], {"market_of_two": choice}, seed=3)
    assert len(match.legal()) == size
    assert sorted(market(match)) == sorted(match.shuffles[0][:size])
    assert now(match).drawn == size


@pytest.mark.rule("PX-3", "PX-4")
def test_market_of_four_is_taken_in_turns() -> None:
    match = table("B1+6", "B2+4", "B3+3", "B4+1", options={"market_of_two": 4})
    turns = []
    for card in ("B1+6", "B2+4", "B3+3", "B4+1"):
        turns.append(match.turn)
        match.play(f"take {card}")
    assert turns == [0, 1, 0, 1]
    assert len(market(match)) == 4


@pytest.mark.rule("PX-4")
def test_take_in_order_even_the_last() -> None:
    match = table("B1+6", "B2+4", "B3+3", seats=3, start=2)
    assert match.turn == 2
    match.play("take B2+4")
    assert match.turn == 0
    assert match.legal_texts() == ["take B1+6", "take B3+3"]
    with pytest.raises(Refusal) as refusal:
        match.play("take B2+4")
    assert refusal.value.rule == "PX-4"
    match.play("take B3+3")
    assert match.turn == 1
    assert match.legal_texts() == ["take B1+6"]
    match.play("take B1+6")
    assert len(market(match)) == 3


@pytest.mark.rule("PX-5")
def test_empty_space_takes_the_card_face_up() -> None:
    match = table("B7-3", "B2+4")
    match.play("take B7-3")
    assert at(match, 0, 7) == ("B7-3", "")
    assert match.turn == 1


@pytest.mark.rule("PX-6")
def test_card_on_a_face_down_card_is_face_up() -> None:
    s = lay("d4", s=state())
    rules.deal(s, seeded(1, "game"))
    s.market[0], s.market[1] = code("B4"), code("B5")
    beneath = s.under[0][3]
    take(s, "B4")
    assert (s.top[0][3], s.under[0][3]) == (code("B4"), beneath)
    assert (s.turn, s.phase) == (1, rules.TAKE)


@pytest.mark.rule("PX-7")
@pytest.mark.parametrize(("choice", "result"), [("top new", ("G4+4", "B4")), ("top old", ("B4", "G4+4"))])
def test_second_card_on_a_face_up_card(choice: str, result: tuple[str, str]) -> None:
    match = table("B4", "R9", "G4+4", "R8", start=0, options={"start_player": "fixed"})
    play_all(match, "take B4", "take R9", "take G4+4")
    assert match.turn == 0
    assert match.legal_texts() == ["top new", "top old"]
    for wrong in ("take R8", "cover 1"):
        with pytest.raises(Refusal) as refusal:
            match.play(wrong)
        assert refusal.value.rule == "PX-7"
    match.play(choice)
    assert at(match, 0, 4) == result


def validated_four() -> Match:
    """Seat 0 has two cards on space 4 and has just taken a third."""
    match = table("B4", "R9", "G4+4", "R8", "R4", "R7-1", options={"start_player": "fixed"})
    return play_all(match, "take B4", "take R9", "take G4+4", "top new", "take R8", "take R4")


@pytest.mark.rule("PX-8")
def test_third_card_goes_face_down_elsewhere() -> None:
    match = validated_four()
    assert match.legal_texts() == [f"cover {space}" for space in (1, 2, 3, 5, 6, 7, 8, 9)]
    for wrong in ("cover 4", "top new", "take R7-1"):
        with pytest.raises(Refusal) as refusal:
            match.play(wrong)
        assert refusal.value.rule == "PX-8"
    match.play("cover 9")
    assert at(match, 0, 9) == ("", "R4")
    assert at(match, 0, 4) == ("G4+4", "B4")


@pytest.mark.rule("PX-8")
def test_one_empty_space_left_is_still_a_decision() -> None:
    s = lay("d1 d2 d3 B4* d5 d6 d7 d8", s=state())
    rules.deal(s, seeded(1, "game"))
    s.market[0], s.market[1] = code("R4"), code("R5")
    take(s, "R4")
    out = GAME.out()
    assert rules.legal(s, out) == 1
    assert moves.text(s, out[0]) == "cover 9"


@pytest.mark.rule("PX-9")
def test_never_more_than_two_and_validated_stays() -> None:
    for seed in range(6):
        match = Match(GAME, NAMES[: 2 + seed % 4], seed=seed)
        chooser = random.Random(seed)
        while not match.over:
            before = now(match).copy()
            match.play_move(chooser.choice(match.legal()))
            after = now(match)
            if after.done == before.done:
                for seat in range(after.seats):
                    for i in range(9):
                        old = (before.top[seat][i], before.under[seat][i])
                        if all(old):
                            assert (after.top[seat][i], after.under[seat][i]) == old
    spectator = validated_four().view(SPECTATOR)
    assert spectator.top[0][3] == code("G4+4")
    assert spectator.under[0][3] == code("B4")


@pytest.mark.rule("PX-10")
def test_the_turn_is_finished_before_the_round_ends() -> None:
    s = with_full_grid(3)
    take(s, "B9-6")
    assert s.filled[0] == 9
    assert (s.done, s.turn) == (0, 1)
    take(s, "G9-4")
    assert (s.done, s.turn) == (0, 2)
    take(s, "G1+5")
    assert s.done == 1
    assert s.total[2] == 5
    assert (s.total[0], s.total[1]) == (-6, -4)


@pytest.mark.rule("PX-10", "PX-11")
def test_market_of_four_is_checked_after_two_picks() -> None:
    s = with_full_grid(2, market_of_two=4)
    take(s, "B9-6")
    assert s.done == 0
    take(s, "G9-4")
    assert s.done == 1
    assert (s.starter, s.turn) == (1, 1)
    assert len(moves.in_market(s)) == 4
    assert s.drawn == 4
    s = with_full_grid(2, market_of_two=4)
    take(s, "G1+5")
    take(s, "B9-6")
    assert (s.done, s.turn) == (0, 0)
    take(s, "G9-4")
    assert (s.done, s.turn) == (0, 1)
    take(s, "Y1+4")
    assert (s.done, s.starter) == (1, 1)
    assert list(s.total)[:2] == [-4 + 5 + 1, -6 + 4]


@pytest.mark.rule("PX-11")
@pytest.mark.parametrize(("option", "starters"), [("last_taker", [1, 0, 2, 1]), ("fixed", [1, 1, 1, 1])])
def test_who_starts_each_turn(option: str, starters: list[int]) -> None:
    match = Match(GAME, NAMES[:3], {"start_player": option}, seed=9, first=1)
    seen = []
    for _ in range(4):
        seen.append(match.turn)
        drawn = now(match).drawn
        while now(match).drawn == drawn:
            match.play_move(match.legal()[-1])
    assert seen == starters


@pytest.mark.rule("PX-11")
@pytest.mark.parametrize(("option", "starter"), [("last_taker", 2), ("fixed", 0)])
def test_who_starts_the_next_round(option: str, starter: int) -> None:
    s = with_full_grid(3, start_player=option)
    for card in ("B9-6", "G9-4", "G1+5"):
        take(s, card)
    assert (s.done, s.turn) == (1, starter)


OUT_OF_CARDS = (  # the numbers that five players take, so that nobody fills nine spaces with all seventy cards
    (4, 4, 5, 5, 6, 6, 3, 3, 7, 7, 2, 2, 8, 8),
    (4, 4, 5, 5, 6, 6, 3, 3, 7, 7, 2, 2, 8, 8),
    (4, 4, 5, 5, 6, 6, 3, 3, 7, 7, 2, 2, 9, 9),
    (4, 4, 5, 5, 6, 6, 3, 3, 7, 7, 1, 1, 9, 5),
    (4, 4, 5, 5, 6, 6, 1, 1, 9, 9, 8, 8, 1, 5),
)


@pytest.mark.rule("PX-12")
def test_five_players_can_run_out_of_cards() -> None:
    stock: dict[int, list[str]] = {}
    for name in ALL:
        stock.setdefault(int(name[1]), []).append(name)
    order = [stock[numbers[turn]].pop() for turn in range(14) for numbers in OUT_OF_CARDS]
    match = table(*order, seats=5)
    for turn in range(14):
        assert now(match).done == 0
        for _ in range(5):
            wanted = OUT_OF_CARDS[match.turn][turn]
            match.play(next(f"take {card}" for card in market(match) if int(card[1]) == wanted))
            if now(match).phase == rules.TOP:
                match.play("top new")
            elif now(match).phase == rules.COVER:
                match.play(match.legal_texts()[0])
    assert now(match).done == 1
    assert max(sum(1 for i in range(9) if now(match).last_under[p][i]) for p in range(5)) < 9
    assert "Too few cards" in match.entries[-1].words[-1].text
    assert now(match).drawn == 5
    document = match.document()
    assert Match.replay(GAME, document, seed=1).document() == document


@pytest.mark.rule("PX-13")
def test_next_round_begins_with_all_cards_and_empty_grids() -> None:
    match = Match(GAME, NAMES[:3], seed=4)
    chooser = random.Random(4)
    while now(match).done == 0:
        match.play_move(chooser.choice(match.legal()))
    s = now(match)
    assert sorted(market(match)) == sorted(match.shuffles[1][:3])
    assert s.drawn == 3
    assert (s.picks, s.taken, s.phase) == (0, 0, rules.TAKE)
    for seat in range(3):
        assert moves.empty_spaces(s, seat) == list(range(9))
        assert s.filled[seat] == 0
        assert rules.score(s, seat) == s.total[seat]


@pytest.mark.rule("PX-20")
def test_rounds_add_up() -> None:
    match = at_random(4, 8)
    for seat in range(4):
        lines = match.breakdown(seat)
        assert sum(line.points for line in lines) == match.scores()[seat] == now(match).total[seat]
        sheet = [list(part) for part in now(match).sheet[seat]]
        assert [line.points for line in lines] == [
            sum(part[rules.VALIDATED] for part in sheet),
            sum(part[rules.SPIRALS] for part in sheet),
            -sum(part[rules.CROSSES] for part in sheet),
            sum(part[rules.ZONE] * worth for part, worth in zip(sheet, (2, 3, 4), strict=True)),
        ]


@pytest.mark.rule("PX-21")
def test_only_two_cards_score_the_number() -> None:
    assert rules.validated(lay("B9-6* d8 R7-1 G5*"), 0) == 14


@pytest.mark.rule("PX-22")
def test_face_down_shows_nothing() -> None:
    s = lay("")
    s.top[0][0], s.under[0][0] = code("B1+6"), code("G1+5")
    s.under[0][8] = code("B9-6")
    assert (rules.spirals(s, 0), rules.crosses(s, 0)) == (6, 0)


@pytest.mark.rule("PX-23")
@pytest.mark.parametrize(
    ("grid", "spirals"),
    [("Y5S", 1), ("Y5S J2 J3", 3), ("Y5S B4 R9", 1), ("Y2S Y5S Y6* d9", 6), ("R5S R1S R9 J2 B4", 8)],
)
def test_specials_count_their_colour_and_jokers(grid: str, spirals: int) -> None:
    assert rules.spirals(lay(grid), 0) == spirals


@pytest.mark.rule("PX-24")
@pytest.mark.parametrize(
    ("grid", "cards"),
    [
        ("R9", 0),
        ("R1+3 R5", 0),  # diagonal
        ("R3+4 R4", 0),  # end of a row and start of the next
        ("R6 R7-1", 0),
        ("R1+3 R2+5 R8 R9", 2),  # two equal groups: one counts
        ("R1+3 R2+5 R3+4 R6 R9 R8 R7-1 R4", 8),
        ("R2+5 B1+6 d5 R8", 0),
    ],
)
def test_zone(grid: str, cards: int) -> None:
    assert rules.zone(lay(grid), 0) == cards


@pytest.mark.rule("PX-24")
@pytest.mark.parametrize(("round_", "points"), [(1, 4), (2, 6), (3, 8)])
def test_zone_is_worth_more_each_round(round_: int, points: int) -> None:
    assert rules.score(lay("R8 R9", round_), 0) == points


@pytest.mark.rule("PX-25")
@pytest.mark.parametrize(
    ("grid", "cards"), [("B1+6 J2 R3+4", 2), ("J2 J3", 2), ("B1+6 J2 J3 R6", 3), ("B1+6 J4 B7-3", 3)]
)
def test_jokers_never_merge_colours(grid: str, cards: int) -> None:
    assert rules.zone(lay(grid), 0) == cards


def largest(colours: dict[int, int]) -> int:
    """The zone by a plain walk, to compare with."""
    best = 0
    for colour in range(4):
        cells = {space for space, c in colours.items() if c in (colour, rules.JOKER)}
        while cells:
            todo, size = [cells.pop()], 0
            while todo:
                space = todo.pop()
                size += 1
                for other in list(cells):
                    if abs(space // 3 - other // 3) + abs(space % 3 - other % 3) == 1:
                        cells.remove(other)
                        todo.append(other)
            best = max(best, size)
    return best if best > 1 else 0


@pytest.mark.rule("PX-24", "PX-25")
def test_zone_equals_a_plain_walk() -> None:
    chooser = random.Random(1)
    cards: dict[tuple[int, int], list[int]] = {}
    for card in range(1, 71):
        cards.setdefault((EMPTY.number[card] - 1, EMPTY.colour[card]), []).append(card)
    for _ in range(600):
        s, colours = state(), {}
        for space in range(9):
            colour = chooser.randrange(6)
            if (space, colour) in cards:
                s.top[0][space] = cards[space, colour][0]
                colours[space] = colour
        assert rules.zone(s, 0) == largest(colours)


@pytest.mark.rule("PX-26")
def test_a_round_may_be_negative() -> None:
    s = lay("B9-6 R8-5", s=lay("R2+5", seat=1))
    assert rules.score(s, 0) == -11
    rules.deal(s, seeded(1, "game"))
    rules.end_round(s)
    assert list(s.total)[:2] == [-11, 5]


@pytest.mark.rule("PX-30")
def test_most_points_win_and_ties_share() -> None:
    s = state(3)
    s.done, s.over = 3, 1
    s.total[0], s.total[1], s.total[2] = 40, 41, 41
    assert [rules.wins(s, seat) for seat in range(3)] == [0, 1, 1]
    match = at_random(5, 2)
    best = max(match.scores())
    assert match.result().winners == [seat for seat in range(5) if match.scores()[seat] == best]


def cards_in_play(s: Any) -> list[int]:
    places: list[Iterable[int]] = [moves.in_market(s), [s.taken], list(s.deck[min(s.done, 2)])[s.drawn :]]
    for seat in range(s.seats):
        places += [s.top[seat], s.under[seat]]
    return sorted(card for place in places for card in place if card)


@pytest.mark.parametrize("seats", [2, 3, 4, 5])
@pytest.mark.parametrize("options", [{}, {"market_of_two": 4}, {"start_player": "fixed"}])
def test_random_matches(seats: int, options: dict[str, Any]) -> None:
    chooser = random.Random(seats)
    for seed in range(2):
        match = Match(GAME, NAMES[:seats], options, seed=seed)
        while not match.over:
            s = now(match)
            assert cards_in_play(s) == list(range(1, 71))
            texts = match.legal_texts()
            assert len(set(texts)) == len(texts)
            assert [moves.read(s, text) for text in texts] == sorted(match.legal())
            assert moves.ask(s).text
            assert [sum(line.points for line in match.breakdown(p)) for p in range(seats)] == match.scores()
            for seat in (SPECTATOR, seed % seats):
                view: Any = match.view(seat)
                assert not any(card for row in view.deck for card in row)
                world = view.copy()
                rules.imagine(world, seat, seeded(seed, "imagine"))
                assert bytes(world.view(seat)) == bytes(view)
                assert cards_in_play(world) == list(range(1, 71))
            match.play(chooser.choice(texts))
        document = match.document()
        again = Match.replay(GAME, document)
        assert again.document() == document
        assert bytes(again.state) == bytes(match.state)


def test_only_a_new_market_is_a_horizon() -> None:
    for options in ({}, {"market_of_two": 4}):
        match = Match(GAME, NAMES[:2], options, seed=6)
        chooser = random.Random(6)
        while not match.over:
            before = now(match).copy()
            match.play_move(chooser.choice(match.legal()))
            after = now(match)
            new = (after.drawn, after.done) != (before.drawn, before.done) and not after.over
            assert after.reveals - before.reveals == new


def test_undo_before_the_choice_on_top() -> None:
    match = table("B4", "R9", "G4+4", "R8", options={"start_player": "fixed"})
    play_all(match, "take B4", "take R9")
    assert not match.can_undo(0)
    before = bytes(match.state)
    match.play("take G4+4")
    assert match.can_undo(0)
    match.undo(0)
    assert bytes(match.state) == before


@pytest.mark.parametrize(
    "text", ["take", "take X9", "take B1+5", "top", "top both", "cover", "cover 0", "cover 10", ""]
)
def test_what_is_no_move(text: str) -> None:
    match = table("B1+6", "B2+4")
    with pytest.raises(Refusal):
        match.play(text)
    assert match.entries == []


@pytest.mark.parametrize(("text", "rule"), [("cover 3", "PX-8"), ("top new", "PX-7"), ("take R9", "PX-4")])
def test_moves_out_of_place(text: str, rule: str) -> None:
    with pytest.raises(Refusal) as refusal:
        table("B1+6", "B2+4").play(text)
    assert refusal.value.rule == rule


def changed(old: str, new: str) -> str:
    assert old in DECK
    return DECK.replace(old, new)


@pytest.mark.parametrize(
    ("file", "words"),
    [
        (changed(",special\n", "\n"), "column special is missing"),
        (changed("crosses", "kisses"), "column crosses is missing"),
        (changed(",special\n", ",special,price\n"), "unknown or double column price"),
        (changed("7,blue,4,0,0,1", "7,purple,4,0,0,1"), "line 8, column colour: purple is not one of blue, green"),
        (changed("7,blue,4,0,0,1", "7,blue,10,0,0,1"), "line 8, column number: 10 is not between 1 and 9"),
        (changed("1,blue,1,6,0,0", "1,blue,1,7,0,0"), "line 2, column spirals: 7 is not between 0 and 6"),
        (changed("9,blue,5,0,2,0", "9,blue,5,0,-2,0"), "line 10, column crosses: -2 is not between 0 and 6"),
        (changed("9,blue,5,0,2,0", "9,blue,5,0,two,0"), "line 10, column crosses: a whole number is needed"),
        (changed("7,blue,4,0,0,1", "7,blue,4,0,0,2"), "line 8, column special: 2 is not between 0 and 1"),
        (changed("65,joker,2,0,0,0", "65,joker,2,0,0,1"), "line 66, column special: a joker has no colour"),
        (changed("9,blue,5,0,2,0", "9,blue,5,1,2,0"), "line 10, column crosses: a card has spirals or crosses"),
        (changed("9,blue,5,0,2,0", "9,blue,5,0,0,0"), "line 10, column number: B5 stands here for the second time"),
        (changed("9,blue,5,0,2,0", "8,blue,5,0,2,0"), "line 10, column card: 8 stands here for the second time"),
        (changed("9,blue,5,0,2,0\n", ""), "column card: 9 is missing"),
        (DECK + "71,red,9,1,0,0\n", "line 72, column card: 71 is not between 1 and 70"),
        (changed("9,blue,5,0,2,0", "9,blue,5,0,2"), "line 10: 5 columns instead of 6"),
    ],
)
def test_broken_decks(file: str, words: str) -> None:
    with pytest.raises(Refusal) as refusal:
        Match(GAME, NAMES[:2], data={"deck.csv": file})
    assert str(refusal.value).startswith("deck.csv")
    assert words in str(refusal.value)


def test_a_deck_of_ones_own() -> None:
    match = Match(GAME, NAMES[:2], seed=1, data={"deck.csv": changed("1,blue,1,6,0,0", "1,blue,1,2,0,0")})
    chooser = random.Random(1)
    while not match.over:
        match.play_move(chooser.choice(match.legal()))
    document = match.document()
    assert "B1+2" in document.shuffles[0]
    assert Match.replay(GAME, document).document() == document


def offered(values: Any) -> list[int]:
    """The decisions that a board has a button for."""
    moves_ = [m["move"] for m in values["market"] if m["move"]]
    if values["choice"]:
        moves_ = [option["move"] for option in values["choice"].get("cards", [])]
    if values["mine"]:
        moves_ += [spot["cover"] for spot in values["mine"]["spaces"] if spot["cover"]]
    return sorted(moves_)


@pytest.mark.parametrize("seats", [2, 3, 5])
def test_board_offers_each_decision_and_tells_its_gain(seats: int) -> None:
    match = Match(GAME, NAMES[:seats], seed=seats)
    chooser = random.Random(seats)
    while not match.over:
        seat, legal, s = match.turn, match.legal(), now(match)
        view: Any = match.view(seat)
        values = board.board(view, seat, legal, match.entries[-seats:])
        assert offered(values) == legal
        watched: Any = match.view(SPECTATOR)
        assert offered(board.board(watched, SPECTATOR, [], [])) == []
        assert values["notes"] == [board.signed(rules.score(s, p) - s.total[p]) for p in range(seats)]
        gains = {m["move"]: m["gains"] for m in values["market"] if m["move"]}
        if values["choice"]:
            gains = {option["move"]: [option["gain"]] for option in values["choice"].get("cards", [])}
        for grid in [values["mine"], *values["rivals"]]:
            assert sum(spot["zone"] for spot in grid["spaces"]) == rules.zone(s, grid["seat"])
        move = chooser.choice(legal)
        before, done = rules.score(s, seat), s.done
        match.play_move(move)
        if s is now(match) and s.done == done and s.phase == rules.TAKE and move in gains:
            assert gains[move] == [board.signed(rules.score(s, seat) - before)]


def test_board_looks_back_until_the_own_first_card() -> None:
    match = Match(GAME, NAMES[:3], seed=2)
    chooser = random.Random(2)
    while now(match).done == 0:
        match.play_move(chooser.choice(match.legal()))
    seat = match.turn
    view: Any = match.view(seat)
    values = board.board(view, seat, match.legal(), [])
    assert values["ended"] == 1
    assert [grid["parts"]["points"] for grid in values["look_back"]] == [
        values["rounds"][0]["rows"][grid["seat"]]["points"] for grid in values["look_back"]
    ]
    match.play_move(match.legal()[0])
    view = match.view(seat)
    assert board.board(view, seat, [], [])["ended"] == 0
