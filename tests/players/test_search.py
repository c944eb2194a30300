"""The search: blind to hidden cards, repeatable, the same compiled or not, and better the longer it thinks."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from speeltafel.engine import chance
from speeltafel.engine.game import Game
from speeltafel.engine.match import Match
from speeltafel.engine.records import Record
from speeltafel.engine.refusals import Refusal, say
from speeltafel.games import find
from speeltafel.games.ififits import greed, judge, rules
from speeltafel.players import beam, compiled, search
from speeltafel.players.levels import LEVELS, Kitten, Thinker
from speeltafel.players.thought import FEW, Prospect, Thought


def bot(playouts: int) -> Thinker:
    return Thinker("bot", say("Bot"), 1.0, playouts)


def positions(game: Game, count: int, apart: int = 5, seats: int = 0) -> list[Match]:
    """Positions with a choice from one match, some decisions apart."""
    found: list[Match] = []
    match = Match(game, [str(seat) for seat in range(seats or game.seats[0])], seed="positions", first=0)
    dice = chance.seeded("positions", "test")
    while not match.over and len(found) < count:
        legal = match.legal()
        if len(legal) > 1 and len(match.entries) >= apart * len(found):
            found.append(match.copy())
        match.play_move(legal[chance.below(len(legal), dice)])
    return found


def another_world(game: Game, match: Match, number: int) -> Record:
    """A true state that looks the same to the seat to move."""
    world = match.view(match.turn)
    game.rules.imagine(world, match.turn, chance.seeded(number, "another"))
    return world


def test_it_never_reads_a_hidden_card(any_game: Game) -> None:
    for match in positions(any_game, 3):
        seat, legal = match.turn, match.legal()
        worlds, choices = set(), set()
        for number in range(3):
            world = another_world(any_game, match, number)
            assert bytes(world) != bytes(match.view(seat)), "something is hidden"
            worlds.add(bytes(world))
            choices.add(bot(6).choose(any_game, world.view(seat), seat, legal, "seed"))
        assert len(worlds) == 3
        assert choices == {bot(6).choose(any_game, match.view(seat), seat, legal, "seed")}


def test_decisions_are_legal_and_repeat(any_game: Game) -> None:
    for match in positions(any_game, 3):
        seat, legal = match.turn, match.legal()
        for seed in ("one", "two"):
            first, again = (bot(8).choose(any_game, match.view(seat), seat, legal, seed) for _ in range(2))
            assert first == again
            assert first in legal


@pytest.mark.parametrize(("wary", "most"), [(0, False), (1, True)])
def test_plain_equals_compiled(any_game: Game, wary: int, most: bool) -> None:
    """The same tree, node by node."""
    fast = compiled.load(any_game, searching=True)
    for match in positions(any_game, 2, apart=9, seats=any_game.seats[most]):
        view, trees = match.view(match.turn), []
        for iterate in (search.build(any_game.rules, any_game.judge), fast.iterate):
            rooms = search.rooms(type(view), any_game.rules.MAX_LEGAL, 400)
            rooms[0][0] = view
            size = iterate(*rooms, chance.seeded("own", "search"), match.turn, wary, 1, 2, 0, 12)
            trees.append((size, [contents(node) for node in rooms[-1][:size]]))
        assert trees[0] == trees[1]
        assert trees[0][0] > 3


NUMBERS = ("move", "child", "sibling", "visits", "available", "mark", "prior", "lead", "won")


def contents(node: Any) -> tuple[Any, ...]:
    numbers = tuple(getattr(node, name) for name in NUMBERS)
    return (*numbers, *node.credit)


def test_a_full_tree_is_no_obstacle() -> None:
    game = find("upordown")
    match = positions(game, 1)[0]
    thought = Thought(game, match.view(match.turn), match.turn, "seed", nodes=6)
    thought.think(playouts=20)
    assert thought.iterations == 20
    assert thought.prospects(match.legal())


def test_nothing_to_choose_needs_no_thought() -> None:
    game = find("pixies")
    match = positions(game, 1)[0]
    assert bot(10**9).choose(game, match.view(match.turn), match.turn, match.legal()[:1], "seed") == match.legal()[0]


class Clock:
    """A second passes with every look at it, or so many."""

    def __init__(self, step: float = 1.0) -> None:
        self.now, self.step = 0.0, step

    def __call__(self) -> float:
        self.now += self.step
        return self.now


def test_it_thinks_as_long_as_it_may(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(compiled, "_loaded", {})
    game = find("upordown")
    match = positions(game, 1)[0]
    for seconds, expected in ((0.5, FEW), (1.5, FEW + 1), (9.5, FEW + 9)):
        thought = Thought(game, match.view(match.turn), match.turn, "seed")
        thought.think(seconds=seconds, clock=Clock())
        assert thought.iterations == expected


@pytest.fixture
def thoughts(monkeypatch: pytest.MonkeyPatch) -> list[Thought]:
    """Every thought, each time somebody asks what it expects; all in plain mode."""
    monkeypatch.setattr(compiled, "_loaded", {})
    asked: list[Thought] = []
    prospects = Thought.prospects

    def noted(thought: Thought, legal: list[int]) -> list[Prospect]:
        asked.append(thought)
        return prospects(thought, legal)

    monkeypatch.setattr(Thought, "prospects", noted)
    return asked


def test_a_content_bot_stops_at_plenty(thoughts: list[Thought]) -> None:
    """By count and by the clock, one that is content decides as one with that many playouts."""
    game = find("pixies")
    plenty = game.judge.PLENTY
    match = positions(game, 1)[0]
    for budget in ({"playouts": 10 * plenty}, {"playouts": plenty // 2}, {"clock": Clock(0.0)}):
        for content in (True, False) if "playouts" in budget else (True,):
            thinker = replace(Thinker("bot", say("Bot"), 1.0, content=content), **budget)
            thinker.choose(game, match.view(match.turn), match.turn, match.legal(), "seed")
    assert [thought.iterations for thought in thoughts] == [plenty, 10 * plenty, plenty // 2, plenty // 2, plenty]


def test_a_turn_is_thought_through_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """What was found for a decision is there for the next one of the turn, and only where the view is as expected."""
    monkeypatch.setattr(compiled, "_loaded", {})
    game = find("upordown")
    match = positions(game, 1)[0]
    seat = match.turn
    thought = Thought(game, match.view(seat), seat, "seed")
    thought.think(playouts=40)
    best = thought.prospects(match.legal())[0]
    thought.decided(best.move)
    match.play_move(best.move)
    assert thought.expects == bytes(match.view(seat))
    thought.about(match.view(seat))
    assert thought.iterations == best.visits
    other = positions(game, 2)[1]
    thought.about(other.view(other.turn))
    assert thought.iterations == 0


def test_a_decision_without_a_choice_loses_no_thought(thoughts: list[Thought]) -> None:
    """What was found before it is there after it, as long as nothing is turned up."""
    game = find("kattenkwaad")
    thinker = Thinker("bot", say("Bot"), 0.5, clock=Clock(0.1))
    match = Match(game, ["a", "b"], seed="kept", first=0)
    kept = forced = 0
    for _ in range(60):
        seat, legal = match.turn, match.legal()
        asked = len(thoughts)
        move = thinker.choose(game, match.view(seat), seat, legal, "seed")
        if len(legal) == 1:
            assert len(thoughts) == asked
            forced += 1
        elif asked and forced:
            kept += thoughts[-1] is thoughts[-2]
            forced = 0
        match.play_move(move)
        if match.over or match.turn != seat:
            forced = 0
    assert kept


def test_every_seat_has_its_credit(any_game: Game) -> None:
    assert any_game.seats[1] <= search.SEATS


def test_prospects_name_the_best_first(any_game: Game) -> None:
    match = positions(any_game, 1)[0]
    thought = Thought(any_game, match.view(match.turn), match.turn, "seed")
    thought.think(playouts=16)
    hints = thought.prospects(match.legal())
    assert hints
    assert [hint.visits for hint in hints] == sorted((hint.visits for hint in hints), reverse=True)
    for hint in hints:
        assert hint.move in match.legal()
        assert 0 <= hint.chance <= 1
    assert hints[0].move == bot(16).choose(any_game, match.view(match.turn), match.turn, match.legal(), "seed")


def test_a_budget_of_nothing_is_refused() -> None:
    game = find("pixies")
    match = positions(game, 1)[0]
    for refused in (
        lambda: bot(0),
        lambda: bot(20).counting(0),
        lambda: Thinker("bot", say("Bot"), 0.0),
        lambda: Thought(game, match.view(match.turn), match.turn, "s").think(playouts=0),
        lambda: Thought(game, match.view(match.turn), match.turn, "s").think(seconds=0),
    ):
        with pytest.raises(Refusal, match="at least one playout"):
            refused()


def test_it_beats_chance() -> None:
    """In a short game, with few playouts, clearly."""
    game = find("pixies")
    won = 0
    for number in range(4):
        match = Match(game, ["a", "b"], seed=f"{number}", first=0)
        own = number % 2
        dice = chance.seeded(number, "other")
        while not match.over:
            legal, seat = match.legal(), match.turn
            if seat == own:
                match.play_move(bot(12).choose(game, match.view(seat), seat, legal, f"{len(match.entries)}"))
            else:
                match.play_move(legal[chance.below(len(legal), dice)])
        won += own in match.result().winners
    assert won >= 3


def test_a_kitten_makes_mistakes() -> None:
    game = find("pixies")
    match = positions(game, 1)[0]
    seat, legal = match.turn, match.legal()
    looks = {move: game.judge.worth(match.view(seat), move) for move in legal}
    chosen = [Kitten().choose(game, match.view(seat), seat, legal, f"{number}") for number in range(60)]
    best = max(looks, key=lambda move: looks[move])
    assert 20 <= chosen.count(best) < 60


def test_the_last_cats_are_kept_for_a_card() -> None:
    """If It Fits: with all cats in front of it a seat would rather put one to sleep, with one it would rather draw."""
    game = find("ififits")
    match = Match(game, ["a", "b"], seed="m", first=0)
    view = match.view(match.turn)
    rather = []
    for cats in (5, 1):
        view.cats[match.turn] = cats
        rather.append(max(match.legal(), key=lambda move: game.judge.worth(view, move)))
    assert rather == [rules.M_SLEEP, rules.M_DRAW]


def leads(game: Game, world: Any) -> list[int]:
    """What every seat has more than its best opponent."""
    points = [game.rules.score(world, seat) for seat in range(world.seats)]
    return [mine - max(points[:seat] + points[seat + 1 :]) for seat, mine in enumerate(points)]


@pytest.mark.parametrize("seats", [2, 3, 5])
@pytest.mark.parametrize(
    "options", [{}, {"occupancy": "present", "extra_cats": "scorers"}, {"advanced": True, "table": "11x7"}]
)
def test_the_answer_makes_the_most_of_a_turn(seats: int, options: dict[str, Any]) -> None:
    """If It Fits: an answer ends one turn, and no worse than the best that looking through that turn finds."""
    game = find("ififits")
    decide = beam.build(game.rules)
    dice = chance.seeded(seats, "answer")
    world: Any = game.set_up(seats, 0, options, {})
    game.rules.deal(world, dice)
    out, rooms = game.out(), beam.rooms(type(world), game.rules.MAX_LEGAL)
    turns = equal = 0
    while not world.over:
        seat = world.turn
        after = world.copy()
        greed.answer(after, out, dice)
        assert after.over or after.turn == (seat + 1) % seats
        if turns % 4 == 0:
            rooms[0][0] = world
            decide(*rooms, dice)
            # the look through a turn leaves some out where there are many
            most, found = leads(game, after)[seat], leads(game, rooms[-1][0])[seat]
            assert most >= found
            equal += most == found
        turns += 1
        world = after
    assert turns > 4 * seats
    assert equal > turns // 8


@pytest.mark.parametrize("seats", [2, 4])
@pytest.mark.parametrize("options", [{}, {"advanced": True, "table": "11x7"}])
def test_a_card_and_its_place_are_those_that_look_best(seats: int, options: dict[str, Any]) -> None:
    """If It Fits: what a playout takes in one step is what it would take one by one, but for equals."""
    game = find("ififits")
    dice = chance.seeded(seats, "follow")
    world: Any = game.set_up(seats, 0, options, {})
    game.rules.deal(world, dice)
    out = game.out()
    laid = slept = 0
    while not world.over:
        seat, before = world.turn, world.copy()
        judge.follow(world, out, dice)
        if before.phase == rules.TURN and world.phase != rules.TURN:
            continue
        if before.phase not in (rules.TURN, rules.CARD) or world.laid_count == before.laid_count:
            continue
        cell = world.laid[world.laid_count - 1]
        kind = world.card[cell]
        first = rules.M_SLEEP if before.phase == rules.TURN else rules.M_CARD + kind
        looks = {out[i]: judge.worth(before, out[i]) for i in range(game.rules.legal(before, out))}
        assert looks[first] == max(looks.values())
        game.rules.play(before, first, dice)
        looks = {out[i]: judge.worth(before, out[i]) for i in range(game.rules.legal(before, out))}
        ways = [move for move in looks if (move - rules.M_LAY) // 2 == cell]
        assert max(looks[move] for move in ways) == max(looks.values())
        laid += first != rules.M_SLEEP
        slept += first == rules.M_SLEEP
        assert world.turn != seat or world.phase == rules.CAT or world.over
    assert laid > 2 * seats
    assert slept


def test_a_wary_seat_reckons_with_clever_others() -> None:
    """If It Fits: the others are greedy, or to a wary seat mostly as clever as itself."""
    game = find("ififits")
    opening: Any = game.set_up(2, 0, {}, {})
    game.rules.deal(opening, chance.seeded(1, "wary"))
    out = game.out()

    def after(wary: int, seed: int) -> bytes:
        world = opening.copy()
        judge.advance(world, 1, wary, out, chance.seeded(seed, "advance"))
        return bytes(world)

    clever = greedy = 0
    for seed in range(60):
        world, dice = opening.copy(), chance.seeded(seed, "advance")
        greed.answer(world, out, dice)
        assert after(0, seed) == bytes(world)
        world, dice = opening.copy(), chance.seeded(seed, "advance")
        if chance.below(judge.WARY, dice) > 0:
            judge.follow(world, out, dice)
            clever += 1
        else:
            greed.answer(world, out, dice)
            greedy += 1
        assert after(1, seed) == bytes(world)
    assert clever > greedy > 3
    assert [level.wary for level in LEVELS] == [False, True, True]


@pytest.mark.parametrize("seats", [2, 3, 5])
@pytest.mark.parametrize("options", [{}, {"advanced": True, "table": "11x7"}])
def test_playing_on_ends_every_match(seats: int, options: dict[str, Any], monkeypatch: pytest.MonkeyPatch) -> None:
    """If It Fits: greedy and clever turns mixed take legal decisions only, until the match is over."""
    game = find("ififits")
    out, own = game.out(), game.out()
    taken = 0

    def checked(s: Any, move: int, dice: Any) -> None:
        nonlocal taken
        assert move in [own[i] for i in range(game.rules.legal(s, own))]
        taken += 1
        rules_play(s, move, dice)

    rules_play = game.rules.play
    monkeypatch.setattr(judge, "play", checked)
    monkeypatch.setattr(greed, "play", checked)
    for seed in range(4):
        dice = chance.seeded(seed, "on")
        world: Any = game.set_up(seats, 0, options, {})
        game.rules.deal(world, dice)
        for _ in range(1000):
            if world.over:
                break
            judge.advance(world, 0, seed % 2, out, dice)
        assert world.over
    assert taken > 4 * 10 * seats


def test_a_bot_thinks_as_wary_as_it_is(thoughts: list[Thought]) -> None:
    """With a count and with the clock the level says whether its thought is wary."""
    game = find("upordown")
    match = positions(game, 1)[0]
    for wary in (True, False):
        for budget in ({"playouts": 4}, {"clock": Clock(0.1)}):
            thinker = replace(Thinker("bot", say("Bot"), 0.5, wary=wary), **budget)
            thinker.choose(game, match.view(match.turn), match.turn, match.legal(), "seed")
    assert [thought.wary for thought in thoughts] == [True, True, False, False]
