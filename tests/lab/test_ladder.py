"""Ladders: every seating equally often, the same deals for all, ratings that follow the results."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace

import pytest

from speeltafel import cli
from speeltafel.cli import run
from speeltafel.engine.match import Match
from speeltafel.engine.refusals import Refusal
from speeltafel.lab import ladder as lab
from speeltafel.lab.ladder import Ladder, Standing, climb, places, standings
from speeltafel.lab.matches import Outcome
from speeltafel.players.levels import Thinker

LADDER = Ladder("upordown", ("greedy", "random"), 2, 5, "s")


def test_every_seating_equally_often() -> None:
    ladder = replace(LADDER, bots=("greedy", "random", "kitten"), seats=3)
    assert ladder.matches == 6
    assert len(set(ladder.seatings)) == 6
    for seat in range(3):
        assert Counter(seating[seat] for seating in ladder.seatings) == {"greedy": 2, "random": 2, "kitten": 2}
    assert replace(LADDER, bots=("greedy", "random", "random", "random"), seats=4).seatings == (
        ("greedy", "random", "random", "random"),
        ("random", "greedy", "random", "random"),
        ("random", "random", "greedy", "random"),
        ("random", "random", "random", "greedy"),
    )
    assert len(replace(LADDER, bots=("greedy", "random", "kitten"), seats=2).seatings) == 6
    assert LADDER.matches == 6, "whole deals"


def test_the_same_deals_for_all(monkeypatch: pytest.MonkeyPatch) -> None:
    dealt: list[list[list[str]]] = []

    class Spy(Match):
        def __init__(self, *of: object, **more: object) -> None:
            super().__init__(*of, **more)  # type: ignore[arg-type]
            dealt.append([list(shuffle) for shuffle in self.shuffles])

    monkeypatch.setattr(lab, "Match", Spy)
    outcomes = list(climb(LADDER))
    assert [outcome.seats for outcome in outcomes] == [("greedy", "random"), ("random", "greedy")] * 3
    assert dealt[0] == dealt[1] != dealt[2] == dealt[3]
    assert [outcome.first for outcome in outcomes][::2] == [outcome.first for outcome in outcomes][1::2]


def test_it_repeats_with_playouts() -> None:
    ladder = replace(LADDER, bots=("lynx", "random"), games=2, playouts=10, options={"length": "short"})
    bot = ladder.player("lynx")
    assert isinstance(bot, Thinker)
    assert bot.playouts == 2
    assert list(climb(ladder)) == list(climb(ladder))


def test_places() -> None:
    def of(scores: tuple[int, ...], winners: tuple[int, ...]) -> list[float]:
        return places(Outcome(tuple("abc"[: len(scores)]), 0, scores, winners, 1))

    assert of((5, 9, 7), (1,)) == [3, 1, 2]
    assert of((9, 9, 7), (0,)) == [1, 2, 3], "a tie that was broken"
    assert of((9, 9, 7), (0, 1)) == [1, 1, 3]
    assert of((1, 3, 2), (0,)) == [1, 2, 3], "houses, not points, may win"


def test_standings_count_and_rate() -> None:
    outcomes = [
        Outcome(("greedy", "random"), 0, (10, 4), (0,), 20),
        Outcome(("random", "greedy"), 0, (6, 6), (0, 1), 22),
        Outcome(("greedy", "random"), 0, (8, 2), (0,), 24),
        Outcome(("random", "greedy"), 0, (7, 2), (0,), 24),
    ]
    best, other = standings(LADDER, outcomes)
    assert (best.name, other.name) == ("greedy", "random")
    assert best.rate == 2.5 / 4
    assert other.rate == 1.5 / 4
    assert (best.mean, other.mean) == (6.5, 4.75)
    assert (best.rate_in(0), best.rate_in(1), other.rate_in(0)) == (1, 0.25, 0.75)
    assert best.rating > other.rating
    assert 0 < best.sigma < 25 / 3, "every match says something"


def standing(*deals: list[float]) -> Standing:
    """Somebody with these results in each deal."""
    return Standing("lynx", 2, results=[result for deal in deals for result in deal], by_deal=dict(enumerate(deals)))


def wilson(won: int, count: int) -> tuple[float, float]:
    """The Wilson interval, as the books have it."""
    z, p = 1.96, won / count
    middle, half = p + z**2 / (2 * count), z * (p * (1 - p) / count + z**2 / (4 * count**2)) ** 0.5
    return (middle - half) / (1 + z**2 / count), (middle + half) / (1 + z**2 / count)


@pytest.mark.parametrize(("won", "count"), [(1, 1), (0, 1), (2, 2), (50, 100), (99, 100), (100, 100)])
def test_deals_that_are_won_or_lost_as_a_whole(won: int, count: int) -> None:
    """A pair of matches that always go alike says no more than one match, and a single one says little."""
    low, high = standing(*[[1.0, 1.0]] * won, *[[0.0, 0.0]] * (count - won)).interval
    least, most = wilson(won, count)
    assert 0 <= low <= least
    assert most <= high + 1e-9
    assert high <= 1
    assert high - low < 1.1 * (most - least) + 0.05


def test_what_the_seats_win_is_not_the_doing_of_a_bot() -> None:
    """Where who begins always wins, both matches of a deal together say: equal. Less so after a few deals."""
    few, many, apart = (
        standing(*deals).interval for deals in ([[1.0, 0.0]] * 4, [[1.0, 0.0]] * 100, [[1.0], [0.0]] * 100)
    )
    for low, high in (few, many, apart):
        assert low + high == pytest.approx(1)
    assert few[0] < 0.3
    assert apart[0] < 0.44 < 0.48 < many[0] < 0.499


def test_results_are_counted_by_deal() -> None:
    ladder = replace(LADDER, games=4)
    outcomes = [Outcome(seats, 0, (9, 4), (0,), 20) for seats in ladder.seatings * 2]
    for bot in standings(ladder, outcomes):
        assert sorted(map(sorted, bot.by_deal.values())) == [[0, 1], [0, 1]]


def test_a_bot_in_several_seats_is_one_bot() -> None:
    ladder = replace(LADDER, bots=("greedy", "random", "random"), seats=3)
    found = standings(ladder, [Outcome(("random", "greedy", "random"), 0, (3, 9, 5), (1,), 9)])
    assert [(bot.name, bot.results) for bot in found] == [("greedy", [1.0]), ("random", [0.0, 0.0])]


@pytest.mark.parametrize(
    "ladder",
    [
        replace(LADDER, bots=("greedy", "ocelot")),
        replace(LADDER, bots=("greedy",)),
        replace(LADDER, seats=9, bots=("greedy",) * 9),
        replace(LADDER, game="chess"),
        replace(LADDER, options={"length": "endless"}),
        replace(LADDER, data={"colours.csv": "number\n"}),
        replace(LADDER, bots=("tiger", "greedy"), playouts=0),
    ],
)
def test_what_cannot_be_played(ladder: Ladder) -> None:
    with pytest.raises(Refusal):
        list(climb(ladder))


def test_the_command(capsys: pytest.CaptureFixture[str]) -> None:
    arguments = [
        "ladder",
        "upordown",
        "--bots",
        "random,greedy",
        "--games",
        "4",
        "--seed",
        "s",
        "--option",
        "length=short",
    ]
    assert run(arguments) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[1].split()[0] == "greedy", "the best first"
    assert "2 deals in 2 seatings" in lines[-1]
    assert run([*arguments, "--language", "nl"]) == 0
    assert "zitvolgordes" in capsys.readouterr().out
    for wrong in (["--playouts", "0"], ["--players", "4"], ["--bots", "ocelot,greedy"]):
        assert run([*arguments, *wrong]) == 2
        assert capsys.readouterr().err.startswith("speeltafel: ")


@pytest.mark.parametrize(("done", "counted"), [(5, 4), (1, 0)])
def test_stopped_early(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, done: int, counted: int
) -> None:
    """Whole deals that were played are not lost."""

    def stopped(ladder: Ladder, jobs: int) -> Iterator[Outcome]:
        yield from (lab.play(ladder, number) for number in range(done))
        raise KeyboardInterrupt

    monkeypatch.setattr(cli, "climb", stopped)
    arguments = ["ladder", "upordown", "--bots", "random,greedy", "--games", "8", "--seed", "s"]
    assert run(arguments) == 130
    printed = capsys.readouterr().out
    assert (f"{counted} matches with seed s" in printed) == bool(counted)
    assert ("8 matches were asked for" in printed) == bool(counted)
