"""The command line: what it does, and that every mistake is one line and exit code 2."""

from __future__ import annotations

import io
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from speeltafel import __main__
from speeltafel.cli import run
from speeltafel.engine import documents
from speeltafel.engine.match import Match
from speeltafel.games import games

GAME = "upordown"


@pytest.fixture(autouse=True)
def _english(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("LANGUAGE", "LC_ALL", "LC_MESSAGES", "LANG"):
        monkeypatch.delenv(name, raising=False)


@pytest.fixture
def matches(tmp_path: Path) -> Path:
    path = tmp_path / "matches.jsonl"
    assert run(["simulate", GAME, "--seats", "random,random", "--games", "2", "--seed", "1", "--out", str(path)]) == 0
    return path


def test_without_a_command_it_explains_itself(capsys: pytest.CaptureFixture[str]) -> None:
    assert run([]) == 0
    out = capsys.readouterr().out
    for command in ("bench", "check", "games", "ladder", "play", "rules", "serve", "simulate", "warm"):
        assert f"\n  {command} " in out


@pytest.mark.parametrize("command", ["bench", "check", "games", "ladder", "play", "rules", "serve", "simulate", "warm"])
def test_every_command_explains_itself(command: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run([command, "--help"]) == 0
    assert f"Usage: speeltafel {command} " in capsys.readouterr().out
    assert run([command, "--help", "--language", "nl"]) == 0
    assert f"Gebruik: speeltafel {command} " in capsys.readouterr().out


@pytest.mark.parametrize(
    ("environment", "word"), [({"LANG": "nl_NL.UTF-8"}, "Spelers"), ({"LC_ALL": "C", "LANG": "nl_NL"}, "Players")]
)
def test_the_language_of_the_environment(
    environment: dict[str, str], word: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    assert run(["games"]) == 0
    assert word in capsys.readouterr().out


def test_games(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["games"]) == 0
    out = capsys.readouterr().out
    for game in games().values():
        assert f"{game.name} " in out
        assert game.title in out
        for option in game.options:
            assert f"{option.name}={str(option.choices[option.default]).lower()}|" in out


def test_rules(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["rules", GAME]) == 0
    assert "UD-14" in capsys.readouterr().out
    assert run(["rules", GAME, "ud-14", "--language=nl"]) == 0
    out = capsys.readouterr().out
    assert "UD-14" in out
    assert "UD-15" not in out


def test_simulate(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "out.jsonl"
    arguments = ["simulate", GAME, "--seats", "greedy,random,random", "--games", "3", "--seed", "x", "--rotate"]
    assert run([*arguments, "--option", "length=short", "--legal", "--out", str(path)]) == 0
    shown = capsys.readouterr().out
    assert "greedy" in shown
    assert "3 matches with seed x" in shown
    lines = path.read_text(encoding="utf-8").splitlines()
    assert len(lines) == 3
    for number, line in enumerate(lines):
        document = documents.loads(line)
        assert document.seed == f"x/{number}"
        assert document.options == {"length": "short"}
        assert document.legal is not None
        assert all(move in legal for move, legal in zip(document.moves, document.legal, strict=True))
        Match.replay(games()[GAME], document)
    assert [json.loads(line)["seats"].index("greedy") for line in lines] == [0, 2, 1]


def test_another_deck_is_played_and_written(tmp_path: Path) -> None:
    deck, out = tmp_path / "mine.csv", tmp_path / "out.jsonl"
    shipped = games()[GAME].shipped("colours.csv")
    deck.write_text(shipped.replace("1,yellow", "1,red", 1), encoding="utf-8")
    assert run(["simulate", GAME, "--games", "1", "--deck", str(deck), "--out", str(out)]) == 0
    data = json.loads(out.read_text(encoding="utf-8")).get("data")
    assert data == ({"colours.csv": deck.read_text(encoding="utf-8")} if "1,yellow" in shipped else None)


def test_check(matches: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["check", str(matches), str(matches)]) == 0
    assert "Good matches: 4." in capsys.readouterr().out


def test_check_names_file_match_and_move(matches: Path, capsys: pytest.CaptureFixture[str]) -> None:
    first, second = matches.read_text(encoding="utf-8").splitlines()
    document = json.loads(second)
    document["moves"][8] = "draw sideways"
    matches.write_text(f"{first}\n{json.dumps(document)}\n", encoding="utf-8")
    assert run(["check", str(matches)]) == 1
    captured = capsys.readouterr()
    assert f"{matches}, match 2: moves/8 (draw sideways): " in captured.err
    assert captured.err.count("\n") == 1
    assert "Good matches: 1. Bad ones: 1." in captured.out


@pytest.mark.parametrize("text", ["", "\n", "no match", "{}", "[]", "{\n}", '{"format": "chess/1"}', "[" * 100_000])
def test_check_of_what_is_no_match(text: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "bad.jsonl"
    path.write_text(text, encoding="utf-8")
    assert run(["check", str(path)]) == 1
    error = capsys.readouterr().err
    assert error.startswith(str(path))
    assert error.count("\n") == 1


MISTAKES = {
    "a command": ["fly"],
    "an option": ["games", "--fast"],
    "no game": ["simulate"],
    "too much": ["games", "too", "many"],
    "a game": ["simulate", "chess"],
    "a game to play": ["play", "chess"],
    "a game to warm": ["warm", "chess"],
    "a rulebook": ["rules", "chess"],
    "a rule": ["rules", GAME, "UD-999"],
    "a player": ["simulate", GAME, "--seats", "greedy,ocelot"],
    "an opponent": ["play", GAME, "--against", "ocelot"],
    "one seat": ["simulate", GAME, "--seats", "greedy"],
    "seven seats": ["simulate", GAME, "--seats", ",".join(["random"] * 7)],
    "no seats": ["simulate", GAME, "--seats", ""],
    "seven players": ["play", GAME, "--players", "7"],
    "no matches": ["simulate", GAME, "--games", "0"],
    "half a match": ["simulate", GAME, "--games", "0.5"],
    "no jobs": ["simulate", GAME, "--jobs", "0"],
    "an option of the game": ["simulate", GAME, "--option", "speed=high"],
    "a choice": ["simulate", GAME, "--option", "length=endless"],
    "half an option": ["simulate", GAME, "--option", "length"],
    "a value": ["simulate", GAME, "--games"],
    "a deck that is not there": ["simulate", GAME, "--deck", "/no/such/deck.csv"],
    "a folder as deck": ["simulate", GAME, "--deck", "/"],
    "a board for a game without": ["simulate", GAME, "--board", __file__],
    "a deck that is none": ["simulate", GAME, "--deck", __file__],
    "a deck that is none in a ladder": ["ladder", GAME, "--deck", __file__],
    "a match that could not be written": ["play", GAME, "--out", "/no/such/folder/out.json"],
    "a file that cannot be written": ["simulate", GAME, "--games", "1", "--out", "/no/such/folder/out.jsonl"],
    "legal without a file": ["simulate", GAME, "--legal"],
    "a file to check": ["check", "/no/such/file.jsonl"],
    "nothing to check": ["check"],
    "a language": ["games", "--language", "fr"],
    "no language": ["games", "--language"],
    "a port": ["serve", "--port", "65536"],
    "a deck to serve": ["serve", "--deck", __file__],
    "a board to serve": ["serve", "--board", __file__],
    "a game to measure": ["bench", "chess"],
    "no time": ["bench", "--seconds", "0"],
    "endless time": ["bench", "--seconds", "inf"],
    "time in words": ["bench", "--seconds", "long"],
    "a run to compare with": ["bench", "--against", "/no/such/file.json"],
    "a run that is none": ["bench", "--against", __file__],
    "a run that cannot be written": ["bench", "--json", "/no/such/folder/run.json"],
}


@pytest.mark.parametrize("mistake", MISTAKES)
@pytest.mark.parametrize("language", ["nl", "en"])
def test_mistakes(mistake: str, language: str, capsys: pytest.CaptureFixture[str]) -> None:
    arguments = MISTAKES[mistake]
    if "--language" not in arguments:
        arguments = ["--language", language, *arguments]
    assert run(arguments) == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    assert captured.err.startswith("speeltafel: ")
    assert captured.err.count("\n") == 1


def test_a_house_with_its_own_decks(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    served: dict[str, object] = {}
    monkeypatch.setattr("speeltafel.web.server.serve", lambda **given: served.update(given))
    monkeypatch.setattr("speeltafel.players.compiled.warm_in_background", lambda *_, **__: None)
    arguments = ["serve", "--no-browser"]
    texts: dict[str, dict[str, str]] = {}
    for game in games().values():
        for name in game.data.FILES:
            file = tmp_path / f"{game.name}-{name}"
            texts.setdefault(game.name, {})[name] = game.shipped(name)
            file.write_text(texts[game.name][name], encoding="utf-8")
            arguments += ["--deck" if name.endswith(".csv") else "--board", str(file)]
    assert run(arguments) == 0
    assert served["data"] == texts


def test_a_mistake_leaves_the_file_alone(tmp_path: Path) -> None:
    path = tmp_path / "kept.jsonl"
    path.write_text("precious", encoding="utf-8")
    assert run(["simulate", GAME, "--seats", "ocelot,random", "--out", str(path)]) == 2
    assert path.read_text(encoding="utf-8") == "precious"


def test_a_full_disk(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["simulate", GAME, "--seats", "random,random", "--games", "1", "--out", "/dev/full"]) == 2
    assert "/dev/full cannot be written" in capsys.readouterr().err


def test_binary_is_not_text(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "picture.png"
    path.write_bytes(b"\x89PNG\xff\xfe")
    assert run(["check", str(path)]) == 2
    assert "UTF-8" in capsys.readouterr().err


def typed(monkeypatch: pytest.MonkeyPatch, *lines: str) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO("".join(f"{line}\n" for line in lines)))


def test_play_a_whole_match(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "mine.json"
    typed(monkeypatch, *["1"] * 300)
    arguments = ["play", GAME, "--against", "random", "--seed", "7", "--name", "Anna", "--option", "length=short"]
    assert run([*arguments, "--out", str(path)]) == 0
    out = capsys.readouterr().out
    assert "Won by: " in out
    assert "Anna laid " in out
    match = Match.replay(games()[GAME], documents.loads(path.read_text(encoding="utf-8")))
    assert match.over
    assert match.seats == ("Anna", "Random 1")


def test_play_undo_rules_and_leave(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    typed(monkeypatch, "?", "1", "undo", "undo", "99", "fly", "rule", "rule UD-10", "rule XX-1", "score", "quit")
    assert run(["play", GAME, "--seed", "7", "--against", "random"]) == 0
    out = capsys.readouterr().out
    assert out.count("Play a card into the circle") == 2
    assert "nothing to take back" in out
    assert "The numbers run from 1 to 3" in out
    assert "fly is no decision" in out
    assert "UD-10" in out
    assert "no rule XX-1" in out
    assert "Until next time!" in out


@pytest.mark.parametrize("language", ["nl", "en"])
@pytest.mark.parametrize("game", list(games()))
def test_play_some_of_every_game(
    game: str, language: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    typed(monkeypatch, *["1", "2"] * 4, "score", "quit")
    assert run(["play", game, "--players", "3", "--seed", "3", "--name", "Anna", "--language", language]) == 0
    captured = capsys.readouterr()
    assert captured.err == ""
    assert "Anna" in captured.out
    assert ("Tot de volgende keer!" if language == "nl" else "Until next time!") in captured.out


def test_a_name_is_no_markup(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    typed(monkeypatch, "1", "score", "quit")
    assert run(["play", GAME, "--seed", "7", "--name", "[/red] [bold]Eve"]) == 0
    assert capsys.readouterr().out.count("[/red] [bold]Eve") >= 3


def test_play_until_the_input_ends(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    typed(monkeypatch, "1")
    assert run(["play", GAME, "--language", "nl"]) == 0
    assert "Tot de volgende keer!" in capsys.readouterr().out


@pytest.mark.parametrize("arguments", [["simulate", GAME, "--seed", "\udcff"], ["play", GAME, "--name", "\udcff"]])
def test_bytes_that_are_no_text(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert run(arguments) == 2
    assert capsys.readouterr().err == f"speeltafel: {arguments[2]} is not a text in UTF-8\n"


def _process(redirected: str, **environment: str) -> subprocess.CompletedProcess[str]:
    command = f'"{sys.executable}" -m speeltafel {redirected}'
    env = {**os.environ, "LANGUAGE": "en", **environment}
    return subprocess.run(command, shell=True, capture_output=True, text=True, env=env, check=False)


@pytest.mark.skipif(sys.platform != "linux", reason="needs /dev/full")
def test_output_that_cannot_be_written() -> None:
    full = _process("rules pixies PX-1 > /dev/full")
    assert (full.returncode, full.stderr) == (2, "speeltafel: This cannot be done: No space left on device\n")


@pytest.mark.skipif(sys.platform == "win32", reason="needs a POSIX shell")
def test_streams_that_are_closed_or_know_few_signs() -> None:
    assert _process("games >&-").returncode == 0
    assert _process("nope 2>&-").returncode == 2
    assert "Traceback" not in _process(f"play {GAME} <&-").stderr
    poor = _process("rules kattenkwaad --language nl", PYTHONIOENCODING="ascii")
    assert (poor.returncode, poor.stderr) == (0, "")


def test_an_interruption_while_it_loads_is_quiet(monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted() -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("speeltafel.cli.main", interrupted)
    with pytest.raises(SystemExit) as ended:
        __main__.main()
    assert ended.value.code == 130
