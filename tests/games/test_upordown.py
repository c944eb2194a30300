"""Up or Down?: every rule by its identifier, the known answers, and whole matches."""

from __future__ import annotations

import random
import re
from collections import Counter

import pytest

from speeltafel.engine import language
from speeltafel.engine.chance import Dice, seeded
from speeltafel.engine.documents import loads
from speeltafel.engine.match import Entry, Match
from speeltafel.engine.records import SPECTATOR
from speeltafel.engine.refusals import Refusal
from speeltafel.engine.rulebook import rulebook
from speeltafel.games.upordown import GAME, moves, rules
from speeltafel.games.upordown.board import board
from speeltafel.games.upordown.rules import State
from speeltafel.web.scene import scene

TABLES = [(seats, length) for seats in range(2, 7) for length in ("full", "short")]
HIGHEST = {"full": (54, 78, 102, 126, 126), "short": (42, 60, 78, 96, 96)}
TURNS = {"full": (24, 24, 24, 24, 20), "short": (18, 18, 18, 18, 15)}
YELLOW, RED, BLUE, PINK, PURPLE, GREEN = range(6)


def new_match(seats: int = 2, length: str = "full", seed: int = 1, first: int | None = None) -> Match:
    names = ["Anna", "Bram", "Cas", "Dina", "Ella", "Finn"][:seats]
    return Match(GAME, names, {"length": length}, seed=seed, first=first)


def state_of(match: Match) -> State:
    assert isinstance(match.state, State)
    return match.state


def seen(match: Match, seat: int) -> State:
    return state_of(match).view(seat)


def play_on(match: Match, seed: int, decisions: int = 10**6) -> Match:
    """Random decisions until the end, or so many."""
    chooser = random.Random(seed)
    while not match.over and decisions > 0:
        match.play_move(chooser.choice(match.legal()))
        decisions -= 1
    return match


def table(**fields: object) -> State:
    """A state with colours, two seats and 126 cards; `row`, `hand`, `market` are given as plain lists."""
    state = GAME.set_up(2, 0, {}, {})
    assert isinstance(state, State)
    state.highest = 126
    for i, card in enumerate((10, 24, 45, 70, 91, 102)):
        state.market[i] = card
    for name, value in fields.items():
        setattr(state, name, value)
    return state


def lay(state: State, seat: int, *rows: list[int]) -> State:
    """Give a seat these rows, each card laid by the rules."""
    for cards in rows:
        row = rules.rows(state, seat)
        for i, card in enumerate(cards):
            state.taken = card
            if i == 0:
                rules.start_row(state, seat, row)
            else:
                assert rules.fits(state, seat, row, card)
                rules.add(state, seat, row)
    state.taken = 0
    return state


def hold(state: State, *cards: int) -> State:
    """Put these cards in the hand of the seat to move."""
    for i, card in enumerate(sorted(cards)):
        state.hand[state.turn][i] = card
    state.hand_count[state.turn] = len(cards)
    return state


def legal(state: State) -> list[str]:
    out = GAME.out()
    return [moves.text(state, out[i]) for i in range(rules.legal(state, out))]


def do(state: State, text: str) -> State:
    assert text in legal(state)
    rules.play(state, moves.read(state, text), Dice())
    return state


def refusal(state: State, text: str) -> Refusal:
    """What a player who asks for this is told."""
    try:
        move = moves.read(state, text)
    except Refusal as told:
        return told
    assert text not in legal(state)
    return moves.refuse(state, move)


def cards_of(state: State) -> Counter[int]:
    """Where every card lies, all places together; unused places hold 0."""
    found = [*state.market, *state.down, *state.open, state.played, state.taken]
    for seat in range(state.seats):
        found += [*state.hand[seat], *(card for row in state.row[seat] for card in row)]
    found += [card for card in range(1, rules.CARDS + 1) if state.gone[card]]
    return Counter(card for card in found if card)


# set-up


@pytest.mark.rule("UD-1")
@pytest.mark.parametrize(("seats", "length"), TABLES)
def test_cards_in_play_depend_on_players_and_length(seats: int, length: str) -> None:
    match = new_match(seats, length)
    highest = HIGHEST[length][seats - 2]
    assert sorted(int(card) for card in match.shuffles[0]) == list(range(1, highest + 1))
    with pytest.raises(Refusal, match=f"1 to {highest}") as refused:
        match.play(f"play {highest + 1}")
    assert refused.value.rule == "UD-1"


@pytest.mark.rule("UD-2")
def test_colours_repeat_by_number() -> None:
    state = table()
    assert [state.colour[n] for n in (1, 2, 3, 4, 5, 6)] == [YELLOW, RED, BLUE, PINK, PURPLE, GREEN]
    assert all(state.colour[n] == (n - 1) % 6 for n in range(1, 127))


@pytest.mark.rule("UD-2")
@pytest.mark.parametrize(
    ("change", "complaint"),
    [
        (("number,colour", "number,paint"), "column colour is missing"),
        (("\n17,purple", ""), "17 is missing"),
        (("\n17,purple", "\n16,purple"), "line 18, column number: 16 stands here for the second time"),
        (("\n17,purple", "\n17,orange"), "line 18, column colour: orange is not one of yellow, red"),
        (("\n17,purple", "\nx,purple"), "line 18, column number: a whole number is needed, not x"),
        (("\n126,green", "\n127,green"), "line 127, column number: 127 is not between 1 and 126"),
    ],
)
def test_a_broken_table_of_colours_is_refused(change: tuple[str, str], complaint: str) -> None:
    broken = GAME.shipped("colours.csv").replace(*change)
    with pytest.raises(Refusal) as refused:
        Match(GAME, ["Anna", "Bram"], data={"colours.csv": broken})
    assert complaint in str(refused.value)


@pytest.mark.rule("UD-2")
def test_another_table_of_colours_is_played_and_written_down() -> None:
    recoloured = GAME.shipped("colours.csv").replace("\n1,yellow", "\n1,green")
    match = play_on(Match(GAME, ["Anna", "Bram"], seed=3, data={"colours.csv": recoloured}), seed=3)
    document = match.document()
    assert document.data == {"colours.csv": recoloured}
    assert Match.replay(GAME, loads(document.text())).document() == document


@pytest.mark.rule("UD-3", "UD-4", "UD-5")
@pytest.mark.parametrize(("seats", "length"), TABLES)
def test_the_deal(seats: int, length: str) -> None:
    match = new_match(seats, length)
    state = state_of(match)
    order = [int(card) for card in match.shuffles[0]]
    assert list(state.market) == sorted(order[:6])
    for seat in range(seats):
        at = 6 + 3 * seat
        assert list(state.hand[seat]) == sorted(order[at : at + 3])
    rest = order[6 + 3 * seats :]
    assert (state.down_count, state.open_count) == ((len(rest) + 1) // 2, len(rest) // 2)
    assert state.down[state.down_count - 1] == rest[0]
    assert state.open_top == state.open[state.open_count - 1] == rest[state.down_count]


@pytest.mark.rule("UD-4")
def test_hands_are_secret() -> None:
    state = state_of(new_match(3))
    for seat in (0, 1, 2, SPECTATOR):
        view = state.view(seat)
        for other in range(3):
            assert (view.hand[other][0] > 0) == (other == seat)
        assert not any(view.down)
        assert not any(view.open)
        assert not any(view.deck)


@pytest.mark.rule("UD-6")
def test_the_start_seat_is_drawn_and_play_goes_clockwise() -> None:
    assert {new_match(4, seed=seed).first for seed in range(40)} == {0, 1, 2, 3}
    match = new_match(3, first=2)
    order = [match.turn]
    while len(order) < 7:
        match.play_move(match.legal()[0])
        if match.turn != order[-1]:
            order.append(match.turn)
    assert order == [2, 0, 1, 2, 0, 1, 2]


# a turn


@pytest.mark.rule("UD-10", "UD-11", "UD-12")
@pytest.mark.parametrize(
    ("card", "offered"),
    [(68, {45, 70}), (105, {102, 10}), (2, {102, 10}), (11, {10, 24}), (101, {91, 102})],
)
def test_the_two_neighbours_of_a_played_card(card: int, offered: set[int]) -> None:
    state = do(hold(table(), card), f"play {card}")
    assert legal(state) == [f"take {number}" for number in sorted(offered)]
    assert moves.offers(state, card) == (min(offered), max(offered))


@pytest.mark.rule("UD-10")
def test_only_a_hand_card_is_played() -> None:
    state = hold(table(), 3, 68, 105)
    assert legal(state) == ["play 3", "play 68", "play 105"]
    told = refusal(state, "play 24")
    assert told.rule == "UD-10"
    assert "3, 68, 105" in language.translate(told.message, "en")


@pytest.mark.rule("UD-12")
def test_the_played_card_stays_and_the_circle_is_six_again() -> None:
    state = do(do(hold(table(), 68), "play 68"), "take 45")
    assert list(state.market) == [10, 24, 68, 70, 91, 102]
    assert (state.taken, state.played, state.hand_count[0]) == (45, 0, 0)


@pytest.mark.rule("UD-12")
def test_only_a_neighbour_is_taken() -> None:
    told = refusal(do(hold(table(), 68), "play 68"), "take 91")
    assert told.rule == "UD-12"
    assert "take 45 or 70" in str(told)


@pytest.mark.rule("UD-13")
def test_up_to_three_rows() -> None:
    state = table(phase=rules.PLACE, taken=50)
    assert legal(state) == ["place new"]
    lay(state, 0, [5], [9])
    state.taken = 50
    assert legal(state) == ["place 1", "place 2", "place new"]
    lay(state, 0, [30])
    state.taken = 50
    assert "place new" not in legal(state)
    told = refusal(state, "place new")
    assert (told.rule, "give up row 2" in language.translate(told.message, "en")) == ("UD-13", True)
    assert refusal(lay(table(phase=rules.PLACE), 0, [5]), "place 3").rule == "UD-13"
    assert refusal(state, "place 4").rule == "UD-13"


@pytest.mark.rule("UD-14")
def test_the_second_card_fixes_the_direction() -> None:
    state = lay(table(phase=rules.PLACE), 0, [5, 11], [80, 60], [40])
    assert [moves.direction(state, 0, row) for row in range(3)] == [1, -1, 0]
    for card, rows in ((12, [1, 2, 3]), (10, [2, 3]), (61, [1, 3]), (59, [1, 2, 3])):
        state.taken = card
        assert [row for row in (1, 2, 3) if f"place {row}" in legal(state)] == rows
    state.taken = 10
    told = refusal(state, "place 1")
    assert (told.rule, "up from 11" in str(told)) == ("UD-14", True)
    state.taken = 61
    told = refusal(state, "place 2")
    assert (told.rule, "down from 60" in str(told)) == ("UD-14", True)


@pytest.mark.rule("UD-15")
def test_cards_only_go_to_the_end_of_a_row() -> None:
    state = lay(table(phase=rules.PLACE), 0, [5, 20, 30])
    state.taken = 25
    assert legal(state) == ["place new"]
    state.taken = 31
    do(state, "place 1")
    assert list(state.row[0][0])[:5] == [5, 20, 30, 31, 0]


@pytest.mark.rule("UD-16")
def test_giving_up_a_row_starts_a_new_one_in_its_place() -> None:
    state = lay(table(phase=rules.PLACE), 0, [5, 11], [80, 60, 41], [40])
    state.taken = 70
    assert legal(state) == ["place 1", "place 3", "giveup 1", "giveup 2", "giveup 3"]
    before = state.view(SPECTATOR)
    do(state, "giveup 2")
    assert [list(state.row[0][row])[:3] for row in range(3)] == [[5, 11, 0], [70, 0, 0], [40, 0, 0]]
    assert moves.direction(state, 0, 1) == 0
    assert state.discards[0] == 3
    assert [card for card in range(127) if state.gone[card] == 1] == [41, 60, 80]
    # 80 red, 60 green, 41 purple: 3 cards x 1 on the table, 3 points when given up
    (words,) = moves.words(before, moves.read(state, "giveup 2"), state.view(SPECTATOR))
    assert str(words) == "? gave up row 2 at no cost and started it anew with 70"


@pytest.mark.rule("UD-16")
def test_what_giving_up_costs() -> None:
    # n x (m - 1): 6 cards, four of them blue
    state = lay(table(), 0, [4, 21, 27, 33, 40, 45])
    assert moves.cost(state, 0, 0) == 18
    before = rules.score(state, 0)
    rules.give_up(state, 0, 0)
    state.taken = 50
    rules.start_row(state, 0, 0)
    assert before - (rules.score(state, 0) - 1) == 18


@pytest.mark.rule("UD-17")
def test_with_fewer_than_three_rows_none_is_given_up() -> None:
    state = lay(table(phase=rules.PLACE), 0, [5, 11], [80, 60])
    state.taken = 70
    assert legal(state) == ["place 1", "place new"]
    assert refusal(state, "giveup 1").rule == "UD-17"
    assert refusal(state, "giveup 3").rule == "UD-17"


@pytest.mark.rule("UD-18")
def test_drawing_from_either_pile() -> None:
    match = new_match(2)
    for _ in range(3):
        match.play_move(match.legal()[0])
    state = state_of(match)
    assert match.legal_texts() == ["draw down", "draw open"]
    seat, top, count = state.turn, state.open_top, state.open_count
    match.play("draw open")
    assert top in list(state.hand[seat])
    assert (state.open_count, state.hand_count[seat]) == (count - 1, 3)
    assert state.open_top == state.open[count - 2] != top


@pytest.mark.rule("UD-18")
@pytest.mark.parametrize(
    ("down", "open_", "left", "refused"),
    [(2, 0, "draw down", "draw open"), (0, 2, "draw open", "draw down")],
)
def test_an_empty_pile_leaves_the_other(down: int, open_: int, left: str, refused: str) -> None:
    state = table(phase=rules.DRAW, down_count=down, open_count=open_)
    assert legal(state) == [left]
    assert refusal(state, refused).rule == "UD-18"
    assert refusal(state, "draw up").rule == "UD-18"


@pytest.mark.rule("UD-18")
def test_a_card_drawn_openly_stays_known_until_it_is_played() -> None:
    match = new_match(2)
    for _ in range(3):
        match.play_move(match.legal()[0])
    seat, top = match.turn, seen(match, SPECTATOR).open_top
    match.play("draw open")
    view = seen(match, 1 - seat)
    assert list(view.known[seat]) == [top, 0, 0]
    assert not any(view.hand[seat])
    for _ in range(4):
        match.play_move(match.legal()[0])
    match.play(f"play {top}")
    view = seen(match, 1 - seat)
    assert not any(view.known[seat])


@pytest.mark.rule("UD-19", "UD-20")
@pytest.mark.parametrize(("seats", "length"), TABLES)
def test_the_last_three_turns_and_the_end(seats: int, length: str) -> None:
    match = play_on(new_match(seats, length, seed=seats), seed=seats)
    turns = TURNS[length][seats - 2]
    draws = [entry for entry in match.entries if entry.text.startswith("draw")]
    for seat in range(seats):
        mine = [entry.text.split()[0] for entry in match.entries if entry.seat == seat]
        assert mine.count("play") == mine.count("take") == turns
        assert mine.count("draw") == turns - 3
        assert "draw" not in mine[-9:]
        state = state_of(match)
        # every taken card lies in a row or on the discard pile
        assert sum(state.row_count[seat]) + state.discards[seat] == turns
        assert state.hand_count[seat] == 0
    assert any("Both piles are empty" in str(words) for words in draws[-1].words)
    assert match.legal() == []
    with pytest.raises(Refusal):
        match.play("play 1")
    assert moves.refuse(state_of(match), rules.M_DOWN).rule == "UD-20"


# the score


def row_of(count: int, most: int) -> list[int]:
    """A rising row of so many cards, so many of them yellow and fewer of any other colour."""
    others = [n for n in range(1, 127) if n % 6 != 1]
    return sorted([1 + 6 * i for i in range(most)] + others[: count - most])


@pytest.mark.rule("UD-30", "UD-31")
def test_the_example_of_seventy_five_points() -> None:
    state = lay(table(), 0, row_of(5, 3), row_of(7, 3), row_of(9, 4))
    state.discards[0] = 3
    assert [rules.worth(state, 0, row) for row in range(3)] == [15, 21, 36]
    assert rules.score(state, 0) == 75
    lines = moves.breakdown(state, 0)
    assert [(line.rule, line.points) for line in lines] == [("UD-30", 15), ("UD-30", 21), ("UD-30", 36), ("UD-31", 3)]


@pytest.mark.rule("UD-30")
@pytest.mark.parametrize(
    ("cards", "points"),
    [
        (row_of(8, 3), 24),
        ([1, 2], 2),
        (row_of(8, 5), 40),
        ([17], 1),
        ([1, 2, 7, 8], 8),  # two yellow, two red: level
        ([1 + 5 * i for i in range(24)], 96),  # the longest row there can be
        ([1 + 6 * i for i in range(21)], 441),  # every yellow card
    ],
)
def test_a_row_is_its_cards_times_its_most_frequent_colour(cards: list[int], points: int) -> None:
    state = lay(table(), 0, cards)
    assert rules.score(state, 0) == points
    (row, _) = moves.breakdown(state, 0)
    assert row.points == points


@pytest.mark.rule("UD-30")
def test_level_colours_are_both_named() -> None:
    state = lay(table(), 0, [1, 2, 7, 8])
    assert [str(colour) for colour in moves.frequent(state, 0, 0)] == ["yellow", "red"]


@pytest.mark.rule("UD-32")
def test_most_points_wins_and_a_tie_is_shared() -> None:
    state = lay(lay(table(), 0, row_of(8, 3)), 1, row_of(8, 5))
    assert [rules.wins(state, seat) for seat in (0, 1)] == [0, 1]
    state.discards[0] = 16
    assert [rules.wins(state, seat) for seat in (0, 1)] == [1, 1]


# notation and words


def test_notation_goes_both_ways() -> None:
    state = table()
    for text in ("play 17", "take 126", "place 1", "place 3", "place new", "giveup 2", "draw down", "draw open"):
        assert moves.text(state, moves.read(state, text)) == text


@pytest.mark.parametrize(
    "text",
    [
        "", "play", "play 0", "play 017", "play +7", "play 127", "play 1000", "play ١", "play 17 ", " play 17",
        "Play 17", "take x", "place", "place 0", "place 4", "place New", "giveup new", "giveup 4", "draw", "draw both",
        "pass", "play\n17", "play  17",
    ],
)  # fmt: skip
def test_what_is_not_in_the_notation_is_refused(text: str) -> None:
    with pytest.raises(Refusal) as refused:
        moves.read(table(), text)
    for tongue in language.LANGUAGES:
        assert "{" not in language.translate(refused.value.message, tongue)


@pytest.mark.rule("UD-10", "UD-12", "UD-13", "UD-18")
def test_a_step_out_of_order_names_the_step_that_is_asked() -> None:
    match = new_match(2)
    for rule in ("UD-10", "UD-12", "UD-13", "UD-18"):
        for text in ("play 7", "take 7", "place new", "draw open"):
            if text.split()[0] != {"UD-10": "play", "UD-12": "take", "UD-13": "place", "UD-18": "draw"}[rule]:
                before = bytes(match.state)
                with pytest.raises(Refusal) as refused:
                    match.play(text)
                assert refused.value.rule == rule
                assert bytes(match.state) == before
        match.play_move(match.legal()[0])


@pytest.mark.parametrize("seats", range(2, 7))
def test_every_sentence_is_filled_in_and_translated(seats: int) -> None:
    match = new_match(seats, seed=seats)
    chooser = random.Random(seats)
    known = language.catalog("nl")
    while not match.over:
        view = seen(match, match.turn)
        possible = set(match.legal())
        others = [*range(1, 127), *range(201, 327), *range(401, 405), *range(411, 414), 420, 421]
        wrong = chooser.choice([move for move in others if move not in possible])
        told = moves.refuse(view, wrong)
        assert told.rule.startswith("UD-")
        sentences = [told.message, moves.ask(view)]
        sentences += match.play_move(chooser.choice(match.legal())).words
        sentences += [line.label for line in match.breakdown(match.turn)]
        for sentence in sentences:
            assert "?" not in language.translate(sentence, "en", "Anna").replace("go?", "")
            assert known.gettext(sentence.text) != sentence.text
        for seat in range(seats):
            assert sum(line.points for line in match.breakdown(seat)) == match.scores()[seat]


# the board


@pytest.mark.rule("UD-12")
def test_the_board_shows_what_each_hand_card_would_do() -> None:
    state = lay(hold(table(), 2, 68), 0, [5, 11], [80, 60], [50])
    shown = board(state.view(0), 0, [2, 68], [])
    assert [(held.move, held.low, held.high, held.gap) for held in shown["hand"]] == [(2, 10, 102, 5), (68, 45, 70, 2)]
    assert [spot.offered for spot in shown["market"]] == [(0,), (), (1,), (1,), (), (0,)]
    tags = [[(tag.place, tag.card, tag.worth) for tag in lane.tags] for lane in shown["mine"].lanes]
    # 5 purple, 11 purple; 80 red, 60 green; 50 red; 10 pink, 45 blue, 70 pink, 102 green
    assert tags == [
        [(0, 102, 6), (1, 45, 6), (1, 70, 6)],
        [(0, 10, 3), (1, 45, 3)],
        [(0, 10, 2), (0, 102, 2), (1, 45, 2), (1, 70, 2)],
    ]
    assert [lane.cost for lane in shown["mine"].lanes] == [2, 0, 0]
    assert not any(spot.nowhere for spot in shown["market"])


@pytest.mark.rule("UD-16")
def test_the_board_says_when_a_card_fits_nowhere() -> None:
    state = do(hold(lay(table(), 0, [50, 99], [105, 110], [7, 5]), 68), "play 68")
    shown = board(state.view(0), 0, [245, 270], [])
    assert [(spot.card, spot.nowhere) for spot in shown["market"] if spot.move] == [(45, True), (70, True)]
    do(state, "take 45")
    shown = board(state.view(0), 0, [411, 412, 413], [])
    assert [(lane.add, lane.give_up) for lane in shown["mine"].lanes] == [(None, 411), (None, 412), (None, 413)]


def test_the_board_tells_in_short_what_the_others_just_did() -> None:
    turns = {1: "play 68, take 70, place 2, draw down", 2: "play 2, take 10, place new", 3: "play 3, take 5, giveup 1"}
    view = table().view(0)
    done = [(seat, moves.read(view, text)) for seat, turn in turns.items() for text in turn.split(", ")]
    recent = [Entry(seat, move, "", ()) for seat, move in [*done, (4, moves.read(view, "play 99")), (0, 7)]]
    assert [(seat, str(said)) for seat, said in board(view, 0, [], recent)["lately"]] == [
        (1, "laid 68, took 70 (row 2)"),
        (2, "laid 2, took 10 (new row)"),
        (3, "laid 3, took 5 (row 1 anew)"),
        (4, "laid 99"),
    ]


@pytest.mark.parametrize("seats", range(2, 7))
def test_the_board_reads_nothing_hidden(seats: int) -> None:
    match = new_match(seats, seed=seats)
    dice = seeded(seats, "board")
    while not match.over:
        play_on(match, seed=len(match.entries), decisions=5)
        for seat in (*range(seats), SPECTATOR):
            may = match.legal() if match.turn == seat else []
            world = seen(match, seat)
            rules.imagine(world, seat, dice)
            shown = [board(view, seat, may, match.entries[-9:]) for view in (seen(match, seat), world)]
            assert shown[0] == shown[1]
            assert (shown[0]["mine"] is None) == (seat == SPECTATOR)
            assert str(shown[0]["progress"]).endswith(f"of {TURNS['full'][seats - 2]}")


@pytest.mark.parametrize("seats", range(2, 7))
def test_the_page_offers_each_legal_decision_once(seats: int) -> None:
    match = new_match(seats, seed=seats)
    while not match.over:
        play_on(match, seed=len(match.entries), decisions=3)
        for seat in {match.turn, (match.turn + 1) % seats, SPECTATOR}:
            page = str(scene(match, seat, "nl").board)
            offered = re.findall(r'name="move" value="([^"]*)"', page)
            assert sorted(offered) == (sorted(match.legal_texts()) if seat == match.turn else [])
            glides = re.findall(r'data-glide="([^"]*)"', page)
            assert len(glides) == len(set(glides))


# whole matches


@pytest.mark.parametrize(("seats", "length"), TABLES)
def test_cards_are_conserved_and_the_match_replays(seats: int, length: str) -> None:
    match = new_match(seats, length, seed=17)
    state = state_of(match)
    everything = Counter(range(1, state.highest + 1))
    chooser = random.Random(17)
    while not match.over:
        match.play_move(chooser.choice(match.legal()))
        assert cards_of(state) == everything
        assert list(state.market) == sorted(state.market)
    document = match.document()
    assert Match.replay(GAME, loads(document.text())).document() == document


@pytest.mark.parametrize("seats", range(2, 7))
def test_imagining_gives_back_the_same_view(seats: int) -> None:
    match = new_match(seats, seed=seats)
    dice = seeded(seats, "imagine")
    while not match.over:
        play_on(match, seed=len(match.entries), decisions=7)
        state = state_of(match)
        for seat in (*range(seats), SPECTATOR):
            view = state.view(seat)
            world = view.copy()
            rules.imagine(world, seat, dice)
            assert bytes(world.view(seat)) == bytes(view)
            assert cards_of(world) == cards_of(state)


@pytest.mark.rule("UD-18")
def test_imagined_worlds_differ_where_a_seat_cannot_look() -> None:
    match = play_on(new_match(3), seed=1, decisions=40)
    dice = seeded(1, "imagine")
    hands = set()
    for _ in range(30):
        world = seen(match, 0)
        rules.imagine(world, 0, dice)
        hands.add(tuple(world.hand[1]))
    assert len(hands) > 10


def test_both_rulebooks_hold_the_same_rules_in_the_same_order() -> None:
    books = [
        [(rule.id, rule.source) for chapter in rulebook(GAME, tongue) for rule in chapter.rules]
        for tongue in language.LANGUAGES
    ]
    assert books[0] == books[1]
    assert [rule for rule, _ in books[0]] == [
        f"UD-{n}" for n in (1, 2, 3, 4, 5, 6, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 30, 31, 32)
    ]
