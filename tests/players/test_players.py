"""The players: legal, repeatable, blind to what they may not see."""

from __future__ import annotations

import pytest

from speeltafel.engine import chance
from speeltafel.engine.game import Game
from speeltafel.engine.match import Match
from speeltafel.engine.records import Record
from speeltafel.engine.refusals import Refusal
from speeltafel.games import games
from speeltafel.players import PLAYERS, beam, find
from speeltafel.players.levels import Thinker
from speeltafel.players.player import Player

CASES = [(game, player) for game in games() for player in PLAYERS]


def quick(name: str) -> Player:
    """The player of that name; one that searches counts a few playouts instead of looking at the clock."""
    player = find(name)
    return player.counting(2) if isinstance(player, Thinker) else player


@pytest.mark.parametrize(("name", "player"), CASES)
def test_a_match_is_played_and_repeats(name: str, player: str) -> None:
    game, bot = games()[name], quick(player)
    logs = []
    for _ in range(2):
        match = Match(game, ["a", "b"], seed="m", first=0)
        while not match.over and len(match.entries) < 40:
            legal = match.legal()
            seat = match.turn
            move = bot.choose(game, match.view(seat), seat, legal, f"bot/{len(match.entries)}")
            assert move in legal
            match.play_move(move)
        logs.append([entry.text for entry in match.entries])
    assert logs[0] == logs[1]


@pytest.mark.parametrize(("name", "player"), CASES)
def test_nothing_is_done_to_the_view(name: str, player: str) -> None:
    game = games()[name]
    match = Match(game, ["a", "b"], seed="m", first=0)
    view = match.view(match.turn)
    before = bytes(view)
    quick(player).choose(game, view, match.turn, match.legal(), "bot")
    assert bytes(view) == before


@pytest.mark.parametrize("name", list(games()))
def test_random_takes_each_decision_sometimes(name: str) -> None:
    game = games()[name]
    match = Match(game, ["a", "b"], seed="m", first=0)
    while len(match.legal()) == 1:
        match.play_move(match.legal()[0])
    legal = match.legal()[:4]
    chosen = {find("random").choose(game, match.view(match.turn), match.turn, legal, str(i)) for i in range(80)}
    assert chosen == set(legal)


def test_the_end_of_a_greedy_turn_is_where_its_decisions_lead(any_game: Game) -> None:
    """To the lead in points that it was after."""
    rules = any_game.rules
    state = any_game.set_up(2, 0, {}, {})
    dice = chance.seeded("m", "game")
    rules.deal(state, dice)
    seat = state.turn

    def lead(s: Record) -> int:
        return rules.score(s, seat) - rules.score(s, 1 - seat)

    promised = set()
    while not state.over and state.turn == seat:
        rooms = beam.rooms(type(state), rules.MAX_LEGAL)
        rooms[0][0] = state
        move = beam.build(rules)(*rooms, dice)
        end = rooms[-1][0]
        assert end.over or end.turn != seat
        promised.add(lead(end))
        rules.play(state, move, dice)
    assert promised == {lead(state)}


def test_unknown_player() -> None:
    with pytest.raises(Refusal, match="no player ocelot"):
        find("ocelot")
