"""Matches between bots: nobody learns from its seed what it may not see."""

from __future__ import annotations

import io
from collections.abc import Callable, Sequence

import pytest
from rich.console import Console

from speeltafel import players
from speeltafel.engine.game import Game
from speeltafel.engine.match import Match
from speeltafel.engine.records import Record
from speeltafel.engine.refusals import say
from speeltafel.games import find
from speeltafel.lab import ladder, simulate, terminal
from speeltafel.lab.ladder import Ladder
from speeltafel.lab.simulate import Plan

GAME = "upordown"


class Cheat:
    """Deals the match again from any part of the seed it is given; decides like anybody."""

    name = "cheat"
    label = say("Random")
    line = say("Random")

    def __init__(self) -> None:
        self.seeds: list[str] = []
        self.dealt: list[str] = []
        """Seeds that deal the very match that is played."""

    def choose(self, game: Game, view: Record, seat: int, legal: Sequence[int], seed: str, /) -> int:
        if not self.seeds:
            starts = [seed[:end] for end in range(len(seed) + 1)]
            for guess in [*starts, *(f"{start}/0" for start in starts)]:
                if bytes(Match(game, ["a", "b"], first=seat, seed=guess).view(seat)) == bytes(view):
                    self.dealt.append(guess)
        self.seeds.append(seed)
        return legal[-1]


def simulated(cheat: Cheat) -> None:
    simulate.play(Plan(GAME, ("cheat", "cheat"), 1, "secret"), 0)


def climbed(cheat: Cheat) -> None:
    ladder.play(Ladder(GAME, ("cheat", "cheat"), 2, 1, "secret"), 0)


def in_the_terminal(cheat: Cheat) -> None:
    match = Match(find(GAME), ["a", "b"], first=1 - terminal.ME, seed="secret")
    terminal.play(match, cheat, "en", Console(file=io.StringIO()))


@pytest.mark.parametrize("played", [simulated, climbed, in_the_terminal])
def test_a_seed_deals_no_cards(played: Callable[[Cheat], None], monkeypatch: pytest.MonkeyPatch) -> None:
    cheat = Cheat()
    monkeypatch.setitem(players.PLAYERS, cheat.name, cheat)
    monkeypatch.setattr("sys.stdin", io.StringIO(""))
    played(cheat)
    assert cheat.dealt == []
    assert not any("secret" in seed for seed in cheat.seeds)
    assert 0 < len(cheat.seeds) == len(set(cheat.seeds)), "one for each decision"


def test_a_seed_of_ones_own_repeats() -> None:
    one, other = (Match(find(GAME), ["a", "b"], seed=seed) for seed in ("s", "t"))
    assert one.own_seed() == Match(find(GAME), ["a", "b"], seed="s").own_seed() != other.own_seed()
