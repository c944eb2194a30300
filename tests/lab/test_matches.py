"""Matches between bots: nobody learns from its seed what it may not see, and nobody plays on unheard."""

from __future__ import annotations

import io
import multiprocessing
import signal
from collections.abc import Callable, Generator, Iterator, Sequence
from functools import partial
from pathlib import Path

import pytest
from rich.console import Console

from speeltafel import cli, players
from speeltafel.engine.game import Game
from speeltafel.engine.match import Match
from speeltafel.engine.records import Record
from speeltafel.engine.refusals import say
from speeltafel.games import find
from speeltafel.lab import ladder, matches, simulate, terminal
from speeltafel.lab.ladder import Ladder
from speeltafel.lab.matches import Outcome, spread
from speeltafel.lab.simulate import Plan

GAME = "upordown"


class Cheat:
    """Deals the match again from any part of the seed it is given; decides like anybody."""

    name = "cheat"
    label = say("Random")
    line = say("Random")
    searches = False

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


def begun(folder: Path, number: int) -> Outcome:
    """A match that leaves a trace; the first is over at once, the others are not."""
    (folder / str(number)).touch()
    if number:
        signal.pause()
    return Outcome((), 0, (), (), number)


def test_nobody_plays_on_when_nobody_listens(tmp_path: Path) -> None:
    outcomes = spread(partial(begun, tmp_path), int, 40, 2)
    assert isinstance(outcomes, Generator)
    assert next(outcomes).decisions == 0
    outcomes.close()
    assert multiprocessing.active_children() == []
    assert len(list(tmp_path.iterdir())) <= 3


def test_an_interruption_is_not_for_those_who_play() -> None:
    before = signal.getsignal(signal.SIGINT)
    try:
        matches._begin(int)
        assert signal.getsignal(signal.SIGINT) is signal.SIG_IGN
    finally:
        signal.signal(signal.SIGINT, before)


@pytest.mark.parametrize("done", [0, 2])
def test_a_simulation_that_is_stopped_shows_what_was_played(
    done: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def stopped(plan: Plan, jobs: int) -> Iterator[Outcome]:
        yield from (simulate.play(plan, number) for number in range(done))
        raise KeyboardInterrupt

    monkeypatch.setattr(cli, "simulate", stopped)
    out = tmp_path / "out.jsonl"
    arguments = ["simulate", GAME, "--seats", "random,random", "--games", "8", "--seed", "s", "--out", str(out)]
    assert cli.run(["--language", "en", *arguments]) == 130
    printed = capsys.readouterr().out
    assert ("2 matches with seed s" in printed) == ("8 matches were asked for" in printed) == bool(done)
    assert len(out.read_text(encoding="utf-8").splitlines()) == done
