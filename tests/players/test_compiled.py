"""The compiled rules do byte for byte what the plain ones do."""

from __future__ import annotations

import os
import pickle
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from time import time
from typing import Any

import numpy
import pytest

from speeltafel.engine import chance
from speeltafel.engine.game import Game
from speeltafel.engine.records import Record
from speeltafel.engine.refusals import Refusal
from speeltafel.games import find
from speeltafel.players import beam, compiled

Table = tuple[Game, int, dict[str, Any]]
GAMES = int(os.environ.get("SPEELTAFEL_EQUAL_GAMES", "2"))
"""How many games are compared for each number of seats and each choice of options; 1000 before a release."""
LONGEST = 1000
"""How many decisions of a game are compared: Kattenkwaad by chance goes on for thousands."""


def play_out(game: Game, rules: Any, state: Record, dice: chance.Dice, seen: list[bytes]) -> None:
    """Deal and play at random; every position goes into `seen` with its legal decisions, scores and worlds."""
    rules.deal(state, dice)
    out = game.out()
    decisions = 0
    while True:
        n = rules.legal(state, out)
        seat = decisions % state.seats
        world = state.view(seat)
        rules.imagine(world, seat, dice)
        points = [rules.score(state, p) for p in range(state.seats)]
        seen.append(bytes(state) + bytes(world) + bytes(dice) + repr((list(out)[:n], points)).encode())
        if n == 0 or decisions == LONGEST:
            return
        rules.play(state, out[chance.below(n, dice)], dice)
        decisions += 1


def test_plain_equals_compiled(any_table: Table) -> None:
    game, seats, options = any_table
    fast = compiled.load(game)
    for number in range(GAMES):
        ends = []
        for rules in (game.rules, fast):
            state = game.set_up(seats, number % seats, options, {})
            seen: list[bytes] = []
            play_out(game, rules, state, chance.seeded(number, "game"), seen)
            ends.append((seen, [rules.wins(state, seat) for seat in range(seats)]))
        assert ends[0] == ends[1], f"game {number}"


def test_greedy_decides_alike(any_game: Game) -> None:
    game = any_game
    fast = compiled.load(game)
    state = game.set_up(game.seats[1], 0, {}, {})
    dice = chance.seeded(0, "game")
    game.rules.deal(state, dice)
    out = game.out()
    for step in range(16):
        n = game.rules.legal(state, out)
        if n == 0:
            break
        chosen = []
        for decide in (beam.build(game.rules), fast.decide):
            own = chance.seeded(step, "own")
            rooms = beam.rooms(type(state), game.rules.MAX_LEGAL)
            rooms[0][0] = state
            chosen.append((decide(*rooms, own), bytes(own), bytes(rooms[-1])))
        assert chosen[0] == chosen[1]
        assert chosen[0][0] in list(out)[:n]
        game.rules.play(state, out[chance.below(n, dice)], dice)


def test_many_states_at_once(any_game: Game) -> None:
    """A batch ends as its games do one by one."""
    game = any_game
    fast = compiled.load(game)
    seats = game.seats[1]
    states = fast.states(game.set_up(seats, 0, {}, {}), 5)
    dice = fast.dice(range(5), "game")
    fast.deal_all(states, dice)
    singles = []
    for number in range(5):
        state, own = game.set_up(seats, 0, {}, {}), chance.seeded(number, "game")
        game.rules.deal(state, own)
        singles.append((state, own))
    assert states.tobytes() == b"".join(bytes(state) for state, _ in singles)

    moves, counts = fast.legal_all(states)
    out = game.out()
    for number, (state, own) in enumerate(singles):
        n = game.rules.legal(state, out)
        assert moves[number, : counts[number]].tolist() == list(out)[:n]
        game.rules.play(state, out[0], own)
    fast.play_all(states, numpy.ascontiguousarray(moves[:, 0]), dice)
    assert states.tobytes() == b"".join(bytes(state) for state, _ in singles)

    decisions = 0
    for state, own in singles:
        while n := game.rules.legal(state, out):
            game.rules.play(state, out[chance.below(n, own)], own)
            decisions += 1
    assert fast.finish_all(states, dice) == decisions
    assert states.tobytes() == b"".join(bytes(state) for state, _ in singles)
    assert fast.scores_all(states).tolist() == [
        [game.rules.score(state, seat) if seat < seats else 0 for seat in range(seats)] for state, _ in singles
    ]


def test_the_cache_belongs_to_the_sources(any_game: Game, monkeypatch: pytest.MonkeyPatch, tmp_path: Any) -> None:
    game = any_game
    before = compiled.folder(game)
    assert compiled.folder(game) == before
    changed = tmp_path / "rules.py"
    changed.write_bytes(b"# another ruling\n")
    monkeypatch.setattr(game.rules, "__file__", str(changed))
    assert compiled.folder(game) != before


def test_warming_fills_the_cache() -> None:
    """In a process of its own; this one then finds it done."""
    game = find("pixies")
    assert list(compiled.warm([game])) == [game]
    assert compiled.kept(game)


class AtOnce:
    """A timer that does not wait."""

    def __init__(self, delay: float, work: Callable[[], None]) -> None:
        self.start = work
        self.daemon = False


@pytest.mark.parametrize("filled", [True, False])
def test_a_server_compiles_in_another_process_what_is_not_on_disk(
    monkeypatch: pytest.MonkeyPatch, filled: bool
) -> None:
    done: list[tuple[str, object]] = []
    game = find("pixies")
    monkeypatch.setattr(compiled, "Timer", AtOnce)
    monkeypatch.setattr(compiled, "kept", lambda game, searching: filled)

    def warm(games: Sequence[Game]) -> Iterator[Game]:
        for game in games:
            done.append(("warm", game))
            yield game

    monkeypatch.setattr(compiled, "warm", warm)
    monkeypatch.setattr(compiled, "load", lambda game, searching: done.append(("load", game)))
    compiled.warm_in_background([game], delay=5)
    assert done == ([("load", game)] if filled else [("warm", game), ("load", game)])


def test_a_game_that_does_not_compile_leaves_the_others_alone(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    made: list[str] = []

    def load(game: Game, searching: bool) -> None:
        if game.name == "pixies":
            raise TypeError("a word that no compiler knows")
        made.append(game.name)

    monkeypatch.setattr(compiled, "Timer", AtOnce)
    monkeypatch.setattr(compiled, "kept", lambda game, searching: True)
    monkeypatch.setattr(compiled, "load", load)
    compiled.warm_in_background([find("pixies"), find("upordown")], delay=5)
    assert made == ["upordown"]
    assert "pixies: a word that no compiler knows" in caplog.text


def test_machine_code_is_for_one_processor_and_compiler(monkeypatch: pytest.MonkeyPatch) -> None:
    game = find("pixies")
    here = compiled.folder(game)
    assert compiled.folder(game) == here
    monkeypatch.setattr(compiled, "_processor", lambda: ("another", "+with"))
    there = compiled.folder(game)
    monkeypatch.setattr(compiled, "version", lambda package: "0.1")
    assert len({here, there, compiled.folder(game)}) == 3


def test_machine_code_that_nobody_loads_is_forgotten(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    monkeypatch.setattr(compiled, "_loaded", {})
    monkeypatch.setattr(compiled, "_exercise", lambda made: None)
    game = find("pixies")
    home = compiled.folder(game).parent
    now = time()
    for name, days in (("pixies-old", 40), ("pixies-new", 20), ("upordown-old", 40)):
        (home / name).mkdir(parents=True)
        (home / name / "ready").touch()
        os.utime(home / name / "ready", (now, now - days * 24 * 3600))
    compiled.load(game)
    assert {path.name for path in home.iterdir()} == {"pixies-new", "upordown-old", compiled.folder(game).name}


def test_machine_code_that_is_damaged_is_made_anew(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """A file cut off by a power failure, say; the second try finds a folder without it."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    monkeypatch.setattr(compiled, "_loaded", {})
    game = find("pixies")
    home = compiled.folder(game)
    home.mkdir(parents=True)
    (home / "damaged").touch()
    monkeypatch.setattr(compiled, "_exercise", lambda made: (home / "damaged").exists() and pickle.loads(b""))
    fast = compiled.load(game)
    assert compiled.loaded(game) is fast
    assert compiled.kept(game)
    assert not (home / "damaged").exists()


def test_where_nothing_can_be_kept_it_is_for_this_process(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """A disk that is full."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    monkeypatch.setattr(compiled, "_loaded", {})
    game = find("pixies")

    def full(made: compiled.Compiled) -> None:
        if compiled.folder(game).exists():
            raise OSError(28, "No space left on device")

    monkeypatch.setattr(compiled, "_exercise", full)
    assert compiled.load(game) is compiled.loaded(game)
    assert not compiled.kept(game)


def test_what_cannot_be_compiled_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(compiled, "_WARM", "raise SystemExit('no compiler here')")
    with pytest.raises(Refusal, match="Pixies cannot be compiled: no compiler here"):
        list(compiled.warm([find("pixies")]))


def test_a_cache_that_cannot_be_written(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Then the rules are compiled for this process alone."""
    (tmp_path / "file").write_text("in the way")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "file"))
    monkeypatch.setattr(compiled, "_loaded", {})
    monkeypatch.setattr(compiled, "_exercise", lambda made: None)
    game = find("pixies")
    fast = compiled.load(game)
    assert compiled.loaded(game) is fast
    assert not compiled.kept(game)
