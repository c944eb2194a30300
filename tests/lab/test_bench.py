"""Measuring: what is measured, what is written, and what counts as slower. How fast it is, no test says."""

from __future__ import annotations

import json
from collections.abc import Generator
from pathlib import Path

import pytest

from speeltafel.cli import run
from speeltafel.engine.refusals import Refusal
from speeltafel.games import find, games
from speeltafel.lab import bench, peers
from speeltafel.lab.bench import BEGINNINGS, PARTS, Figure, Run
from speeltafel.players import compiled

GAME = "upordown"
ARGUMENTS = ["--language", "en", "bench", GAME, "--seconds", "0.001", "--no-cold"]


def figure(ratio: float = 1.0) -> Figure:
    return Figure(rate=1000, ratio=ratio, cores=1)


@pytest.fixture(scope="module")
def measured(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("bench") / "run.json"
    assert run([*ARGUMENTS, "--json", str(path)]) == 0
    return path


def test_every_line_of_a_game_is_written(measured: Path) -> None:
    found = json.loads(measured.read_text(encoding="utf-8"))
    low, high = find(GAME).seats
    lines = {f"{GAME}/{seats}/{part}" for seats in range(low, high + 1) for part in PARTS} | {f"{GAME}/warm"}
    assert set(found["figures"]) == lines
    assert found["bytes"] == {GAME: len(bytes(find(GAME).rules.State()))}
    assert found["peers"] == {}
    assert bench.loads(measured.read_text(encoding="utf-8")).figures.keys() == lines


@pytest.fixture
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """Processes that begin cost a second or more."""
    monkeypatch.setattr(bench, "beginning", lambda game: figure())


def slowed(measured: Path, line: str, factor: float) -> Path:
    found = json.loads(measured.read_text(encoding="utf-8"))
    for name, figure in found["figures"].items():
        figure["ratio"] = figure["ratio"] * factor if name == line else figure["ratio"] / 1000
    path = measured.with_name("stored.json")
    path.write_text(json.dumps(found), encoding="utf-8")
    return path


@pytest.mark.usefixtures("quick")
def test_slower_than_a_stored_run_is_named(measured: Path, capsys: pytest.CaptureFixture[str]) -> None:
    line = f"{GAME}/3/compiled"
    assert run([*ARGUMENTS, "--against", str(slowed(measured, line, 1000))]) == 1
    named = [text for text in capsys.readouterr().out.splitlines() if text.endswith("of the stored run")]
    assert len(named) == 1
    assert named[0].startswith(f"{line}: ")


@pytest.mark.usefixtures("quick")
def test_faster_than_a_stored_run_is_fine(measured: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    stored = slowed(measured, "none", 1)
    assert run([*ARGUMENTS, "--against", str(stored), "--json", str(stored)]) == 0
    assert "Nothing is more than 30 % slower" in capsys.readouterr().out


def test_thirty_percent_is_the_limit() -> None:
    stored = Run(figures={"a": figure(10), "b": figure(10), "c": figure(10), "gone": figure(10)})
    now = Run(figures={"a": figure(7.1), "b": figure(6.9), "c": figure(100), "new": figure(1)})
    assert now.slower(stored) == {"b": pytest.approx(0.69)}
    with pytest.raises(Refusal, match="no line in common"):
        Run(figures={"other": figure()}).slower(stored)


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ("", "-"),
        ("[]", "-"),
        ('{"figures": {"a": {"rate": 1, "ratio": 0, "cores": 1}}}', "figures/a/ratio"),
        ('{"figures": {"a": {"rate": 1, "cores": 1}}}', "figures/a/ratio"),
        ('{"figures": {"a": {"rate": NaN, "ratio": 1, "cores": 1}}}', "figures/a/rate"),
        ('{"speed": 1}', "speed"),
        ('{"bytes": {"pixies": "many"}}', "bytes/pixies"),
    ],
)
@pytest.mark.parametrize("language", ["nl", "en"])
def test_a_file_that_is_no_run(
    text: str, place: str, language: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "stored.json"
    path.write_text(text, encoding="utf-8")
    assert run(["--language", language, "bench", "--against", str(path)]) == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    assert captured.err.count("\n") == 1
    assert f"{place}: " in captured.err


@pytest.mark.usefixtures("quick")
def test_a_run_of_another_game_cannot_be_compared(
    measured: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "other.json"
    path.write_text(measured.read_text(encoding="utf-8").replace(GAME, "pixies"), encoding="utf-8")
    assert run([*ARGUMENTS, "--against", str(path)]) == 2
    assert "no line in common" in capsys.readouterr().err


@pytest.mark.usefixtures("quick")
def test_engines_that_are_not_here_are_named(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(peers, "ENGINES", {"Chess engine": ("no_such_module", lambda: iter(()))})
    assert run([*ARGUMENTS, "--peers"]) == 0
    assert "Chess engine is not installed" in capsys.readouterr().out


@pytest.mark.usefixtures("quick")
def test_engines_that_are_here_are_measured(
    monkeypatch: pytest.MonkeyPatch, measured: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(peers, "ENGINES", {"Dice": ("json", lambda: iter([("ludo", lambda: 1)]))})
    assert run([*ARGUMENTS, "--peers", "--json", str(measured.with_name("peers.json"))]) == 0
    assert "Dice ludo" in capsys.readouterr().out
    assert list(json.loads(measured.with_name("peers.json").read_text(encoding="utf-8"))["peers"]) == ["Dice ludo"]


class Clock:
    """Time passes only where it is told to; this process computes in half of it."""

    now = 0.0

    def wall(self) -> float:
        return self.now

    def used(self) -> float:
        return self.now / 2


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    """The clock of all that is measured: a calibration takes 1/8 s of it and does 4 (thousand words) a second."""
    clock = Clock()

    def calibration() -> float:
        clock.now += 1 / 8
        return 4

    monkeypatch.setattr(bench, "perf_counter", clock.wall)
    monkeypatch.setattr(bench, "process_time", clock.used)
    monkeypatch.setattr(bench, "calibration", calibration)
    monkeypatch.setattr(bench, "SLICE", 1 / 8)
    return clock


@pytest.mark.parametrize(
    ("each", "calls", "rate"),
    [
        (1 / 64, 4 * 8, 640),  # four slices of 1/8 s, and as many calibrations, fill the second
        (3 / 64, 4 * 3, 3 * 10 / (9 / 64)),  # a slice ends after its time, not within: four of 9/64 s
        (10, 1, 1),  # once at least
    ],
)
def test_a_slice_counts_all_that_was_done_in_it(clock: Clock, each: float, calls: int, rate: float) -> None:
    called = 0

    def work() -> int:
        nonlocal called
        called += 1
        clock.now += each
        return 10

    assert bench.timed(work, 1, clock.wall) == Figure(rate=rate, ratio=rate / 4, cores=0.5)
    assert called == calls


def test_work_is_timed_by_what_it_computes_unless_told_otherwise(clock: Clock) -> None:
    def work() -> int:
        clock.now += 1
        return 10

    assert bench.timed(work, 1, clock.used).rate == 2 * bench.timed(work, 1, clock.wall).rate == 20


def test_the_calibration_counts_thousands_of_words(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bench, "process_time", iter([1.0, 3.0]).__next__)
    assert bench.calibration() == 20 / 2


@pytest.mark.parametrize("game", list(games()))
def test_both_ways_of_playing_take_decisions(game: str) -> None:
    found = find(game)
    assert bench.plain(found, found.seats[0])() > 0
    one, two = (bench.batch(found, found.seats[0], threads, 0.001)() for threads in (1, 2))
    assert one > 0
    assert two > one


def test_a_process_that_fails_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bench, "_FIRST", "raise SystemExit('no compiler here')")
    with pytest.raises(Refusal, match="no compiler here"):
        bench.beginning(find(GAME))


def test_a_cold_process_compiles_in_a_folder_of_its_own(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    told = []

    def beginning(game: object, cache: str | None = None) -> Figure:
        assert cache is not None
        told.append((cache, list(Path(cache).iterdir())))
        (Path(cache) / "code").touch()
        return figure()

    monkeypatch.setattr(bench, "beginning", beginning)
    lines = bench.measure([GAME], 0.001)
    assert [next(lines)[0] for _ in range(3)] == [GAME, *(f"{GAME}/{part}" for part in BEGINNINGS)]
    (cold, empty), (warm, full) = told
    assert cold == warm
    assert (empty, [file.name for file in full]) == ([], ["code"])
    assert isinstance(lines, Generator)
    lines.close()
    assert not Path(cold).exists()


def test_the_cache_of_a_process_can_be_set(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    assert compiled.folder(find(GAME)).is_relative_to(tmp_path)
