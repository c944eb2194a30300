"""What every game promises, tried on random matches of every game, number of seats and option."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from speeltafel.engine import chance, documents
from speeltafel.engine.game import Game
from speeltafel.engine.language import LANGUAGES, translate
from speeltafel.engine.match import Match
from speeltafel.engine.records import SPECTATOR, Record
from speeltafel.engine.refusals import Message, Refusal
from speeltafel.engine.rulebook import rulebook
from speeltafel.games import games

Table = tuple[Game, int, dict[str, Any]]
GOLDEN = sorted((Path(__file__).parent / "golden").glob("*.jsonl"))
MOST = 10_000
"""No match takes as many decisions."""
POSITIONS = 10
"""How many positions of each match are looked at closely."""
WORLDS = 2
DECISIONS = 6
"""How many decisions of each of these positions are tried."""


@dataclass
class Walk:
    """A random match, and the states before some of its decisions."""

    match: Match
    states: list[Record]


def walk(table: Table) -> Walk:
    """The random match of a table; the same every time."""
    game, seats, options = table
    return _walk(game, seats, tuple(options.items()))


@cache
def _walk(game: Game, seats: int, options: tuple[tuple[str, Any], ...]) -> Walk:
    match = Match(game, [f"p{i}" for i in range(seats)], dict(options), seed=f"{seats}{options}")
    dice = chance.seeded(f"{seats}{options}", "walk")
    states = []
    while not match.over:
        assert len(match.entries) < MOST, "the match does not end"
        states.append(match.state.copy())
        legal = match.legal()
        match.play_move(legal[chance.below(len(legal), dice)])
    # the first ones, the last ones, and any of those between
    while len(states) > POSITIONS:
        del states[3 + chance.below(len(states) - 6, dice)]
    return Walk(match, states)


def legal(game: Game, s: Record) -> list[int]:
    out = game.out()
    n = game.rules.legal(s, out)
    return list(out)[:n]


def some(game: Game, s: Record) -> list[int]:
    """Some of the legal decisions, spread over all of them."""
    found = legal(game, s)
    return found[:: max(1, len(found) // DECISIONS)]


def worlds(game: Game, view: Record, seat: int) -> list[Record]:
    """What might be, for all that a seat knows."""
    made = []
    for number in range(WORLDS):
        world = view.copy()
        game.rules.imagine(world, seat, chance.seeded(number, "worlds"))
        made.append(world)
    return made


def after(game: Game, s: Record, move: int) -> Record:
    world = s.copy()
    game.rules.play(world, move, chance.seeded("after", "worlds"))
    return world


def everybody(s: Record) -> Sequence[int]:
    return [SPECTATOR, *range(s.seats)]


def test_a_world_that_fits_a_view_looks_like_it(any_table: Table) -> None:
    """No leak: what a seat sees tells it nothing that the view does not hold."""
    game = any_table[0]
    for state in [*walk(any_table).states, walk(any_table).match.state]:
        for seat in everybody(state):
            view = state.view(seat)
            assert bytes(view.view(seat)) == bytes(view)
            for world in worlds(game, view, seat):
                assert bytes(world.view(seat)) == bytes(view), f"seat {seat}, phase {state.phase}"


def test_worlds_differ(any_table: Table) -> None:
    """Imagined worlds are not the true one: in most matches they differ from it and from each other."""
    game = any_table[0]
    state = walk(any_table).states[0]
    different = {bytes(world) for seat in range(state.seats) for world in worlds(game, state.view(seat), seat)}
    assert len(different) > 1


def test_what_is_said_and_legal_follows_from_the_view(any_table: Table) -> None:
    game = any_table[0]
    for state in walk(any_table).states:
        seat = state.turn
        view = state.view(seat)
        decisions = legal(game, state)
        assert legal(game, view) == decisions
        texts = [game.moves.text(state, move) for move in decisions]
        assert texts == [game.moves.text(view, move) for move in decisions]
        for world in worlds(game, view, seat):
            assert legal(game, world) == decisions
        for any_seat in everybody(state):
            seen = state.view(any_seat)
            assert str(game.moves.ask(seen)) == str(game.moves.ask(state))
            for p in range(state.seats):
                assert game.rules.score(seen, p) == game.rules.score(state, p)


def test_undo_gives_nothing_away(any_table: Table) -> None:
    """A decision that may be taken back has taught its seat nothing: it went alike in every world."""
    game = any_table[0]
    for state in walk(any_table).states:
        seat = state.turn
        for move in some(game, state):
            true = after(game, state, move)
            if true.reveals != state.reveals or true.turn != seat or true.over:
                continue
            for world in worlds(game, state.view(seat), seat):
                assert bytes(after(game, world, move).view(seat)) == bytes(true.view(seat)), game.moves.text(
                    state, move
                )


def test_the_log_is_the_same_in_every_world(any_table: Table) -> None:
    """Two worlds that a watcher cannot tell apart before and after a decision give the same words."""
    game = any_table[0]
    for state in walk(any_table).states:
        for move in some(game, state):
            then = after(game, state, move)
            told = said(game, state.view(SPECTATOR), move, then.view(SPECTATOR))
            for world in worlds(game, state.view(SPECTATOR), SPECTATOR):
                if move in legal(game, world):
                    changed = after(game, world, move)
                    if bytes(changed.view(SPECTATOR)) == bytes(then.view(SPECTATOR)):
                        assert said(game, world.view(SPECTATOR), move, changed.view(SPECTATOR)) == told


def said(game: Game, before: Record, move: int, then: Record) -> list[str]:
    words = game.moves.words(before, move, then)
    assert all(isinstance(sentence, Message) for sentence in words)
    return [str(sentence) for sentence in words]


def test_everything_is_said_in_both_languages(any_table: Table) -> None:
    """The question, the log, the score sheet and the picture of the table become sentences for everybody."""
    game = any_table[0]
    names = [f"Player {seat}" for seat in range(any_table[1])]
    match = walk(any_table).match
    spoken: list[Message | str] = [words for entry in match.entries for words in entry.words]
    for state in [*walk(any_table).states, match.state]:
        for seat in everybody(state):
            view = state.view(seat)
            spoken += [*game.picture.picture(view, seat), game.moves.ask(view)]
            spoken += game.moves.hand(view, seat) if seat != SPECTATOR else []
        spoken += [line.label for seat in range(state.seats) for line in game.moves.breakdown(state, seat)]
    for language in LANGUAGES:
        for message in spoken:
            sentence = translate(message, language, names[0], names)
            assert "{" not in sentence


def test_advice_follows_from_the_view_and_tells_decisions_apart(any_table: Table) -> None:
    game = any_table[0]
    for state in walk(any_table).states:
        view, decisions = state.view(state.turn), legal(game, state)
        names = [f"p{i}" for i in range(state.seats)]
        for language in LANGUAGES:
            said = [translate(game.moves.advice(view, move), language, names=names) for move in decisions]
            assert said == [translate(game.moves.advice(state, move), language, names=names) for move in decisions]
            assert all(text[0].isupper() and "{" not in text for text in said)
            # cards that look alike are called alike
            assert len(set(said)) > len(said) // 2, said


def test_the_rules_button_opens_a_rule(any_table: Table) -> None:
    """At every decision the page names the rule behind the question."""
    game, _, _ = any_table
    known = {rule.id for chapter in rulebook(game, "en") for rule in chapter.rules}
    for s in walk(any_table).states:
        assert game.board.board(s.view(s.turn), s.turn, legal(game, s), ())["rule"] in known


def test_a_picture_shows_the_own_hand_alone(any_table: Table) -> None:
    """It is drawn from the view, so worlds that a seat cannot tell apart look the same."""
    game = any_table[0]
    for state in walk(any_table).states:
        for seat in everybody(state):
            view = state.view(seat)
            drawn = [str(line) for line in game.picture.picture(view, seat)]
            for world in worlds(game, view, seat):
                assert [str(line) for line in game.picture.picture(world.view(seat), seat)] == drawn


def test_taking_back_and_playing_again(any_table: Table) -> None:
    walked = walk(any_table).match
    match = Match.replay(walked.game, walked.document(), moves=0)
    taken_back = 0
    for entry in walked.entries:
        before = match.state.copy()
        used = len(match.shuffles)
        match.play_move(entry.move, walked.shuffles[used : used + 1])
        if match.can_undo(entry.seat) and taken_back < 30:
            taken_back += 1
            match.undo(entry.seat)
            assert bytes(match.state) == bytes(before)
            match.play_move(entry.move)
        assert not any(match.can_undo(seat) for seat in range(len(match.seats)) if seat != match.turn)
    assert bytes(match.state) == bytes(walked.state)


def test_the_document_is_the_match(any_table: Table) -> None:
    match = walk(any_table).match
    text = match.document().text()
    document = documents.loads(text)
    again = Match.replay(match.game, document)
    assert again.document().text() == text
    assert again.entries == match.entries
    assert bytes(again.state) == bytes(match.state)
    assert document.result is not None
    assert document.result.winners
    assert document.result.scores == match.scores()


def test_decisions_are_ascending_and_have_a_text(any_table: Table) -> None:
    game = any_table[0]
    for state in walk(any_table).states:
        decisions = legal(game, state)
        assert decisions
        assert decisions == sorted(set(decisions))
        assert len(decisions) <= game.rules.MAX_LEGAL
        texts = [game.moves.text(state, move) for move in decisions]
        assert len(set(texts)) == len(texts)
        assert [game.moves.read(state.view(state.turn), text) for text in texts] == decisions
        assert str(game.moves.ask(state.view(state.turn)))
    assert legal(game, walk(any_table).match.state) == []


def test_illegal_decisions_are_refused_by_a_rule(any_table: Table) -> None:
    game = any_table[0]
    known = {rule.id for chapter in rulebook(game, "en") for rule in chapter.rules}
    match = walk(any_table).match
    # a decision of each verb, and some more
    entries = {entry.text.split()[0]: entry for entry in match.entries}
    tried = [*entries.values(), *match.entries[:: max(1, len(match.entries) // 8)]]
    for state in walk(any_table).states:
        for entry in tried:
            if entry.move in legal(game, state):
                continue
            refusal = game.moves.refuse(state.view(state.turn), entry.move)
            assert isinstance(refusal, Refusal)
            assert refusal.rule in known, f"{entry.text} in phase {state.phase}: {refusal}"


def test_a_refused_decision_changes_nothing(any_table: Table) -> None:
    walked = walk(any_table).match
    match = Match.replay(walked.game, walked.document(), moves=len(walked.entries) // 2)
    before = bytes(match.state)
    legal_texts = match.legal_texts()
    for text in ("", "fly", "\0", "play", "take 9999", " ".join(["lay"] * 50), *{e.text for e in walked.entries[::5]}):
        if text not in legal_texts:
            with pytest.raises(Refusal):
                match.play(text)
    assert bytes(match.state) == before
    assert len(match.entries) == len(walked.entries) // 2


def test_the_score_sheet_adds_up(any_table: Table) -> None:
    match = walk(any_table).match
    known = {rule.id for chapter in rulebook(any_table[0], "en") for rule in chapter.rules}
    for state in [*walk(any_table).states, match.state]:
        for seat in range(state.seats):
            lines = any_table[0].moves.breakdown(state.view(SPECTATOR), seat)
            assert sum(line.points for line in lines) == any_table[0].rules.score(state, seat)
            assert {line.rule for line in lines} <= known


def test_every_card_is_there_once(any_table: Table) -> None:
    """A shuffle that lacks a card, or has one twice, is refused; so is one too few or too many."""
    whole_match = walk(any_table).match
    match = Match.replay(whole_match.game, whole_match.document(), moves=20)
    whole = match.document().model_dump(exclude_none=True)
    for spoil in (_double, _shorten, _lengthen, _drop_list):
        document = json.loads(json.dumps(whole))
        spoil(document["shuffles"])
        with pytest.raises(Refusal, match=r"shuffle|moves"):
            Match.replay(match.game, documents.parse(document))


def _double(shuffles: list[list[str]]) -> None:
    cards = shuffles[0]
    other = next(i for i, card in enumerate(cards) if card != cards[0])
    cards[other] = cards[0]


def _shorten(shuffles: list[list[str]]) -> None:
    shuffles[0].pop()


def _lengthen(shuffles: list[list[str]]) -> None:
    shuffles[0].append(shuffles[0][0])


def _drop_list(shuffles: list[list[str]]) -> None:
    shuffles.append(shuffles[0])


@pytest.mark.parametrize("path", GOLDEN, ids=[path.stem for path in GOLDEN])
def test_golden_matches_replay_for_ever(path: Path) -> None:
    for line in documents.read_lines(path.read_text(encoding="utf-8")):
        document = documents.loads(line)
        match = Match.replay(games()[document.game], document)
        assert match.over
        assert match.document().moves == document.moves


def test_there_are_golden_matches(any_game: Game) -> None:
    """Of every number of seats, and of every choice of every option."""
    found = [
        documents.loads(line)
        for path in GOLDEN
        for line in documents.read_lines(path.read_text(encoding="utf-8"))
        if re.search(f'"game": ?"{any_game.name}"', line)
    ]
    assert {len(document.seats) for document in found} == set(range(any_game.seats[0], any_game.seats[1] + 1))
    for option in any_game.options:
        shown = {document.options.get(option.name, option.choices[option.default]) for document in found}
        assert shown == set(option.choices)
    assert any(document.legal for document in found)
