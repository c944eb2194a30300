"""Simulations: repeatable, countable, written as match files."""

from __future__ import annotations

from dataclasses import replace

import pytest

from speeltafel.engine import documents
from speeltafel.engine.match import Match
from speeltafel.engine.refusals import Refusal
from speeltafel.games import games
from speeltafel.lab.matches import Outcome
from speeltafel.lab.simulate import Plan, Summary, play, simulate
from speeltafel.players import compiled

PLAN = Plan("upordown", ("random", "random"), 3, "s", document=True, legal=True)


@pytest.mark.parametrize("name", list(games()))
def test_the_matches_are_files_that_replay(name: str) -> None:
    for outcome in simulate(replace(PLAN, game=name)):
        assert outcome.document is not None
        document = documents.loads(outcome.document)
        assert document.legal is not None
        match = Match.replay(games()[name], document)
        assert match.over
        assert tuple(match.scores()) == outcome.scores
        assert len(match.entries) == outcome.decisions


def test_same_seed_same_matches_in_any_number_of_processes() -> None:
    alone = list(simulate(PLAN))
    assert alone == list(simulate(PLAN, jobs=2))
    assert alone != list(simulate(replace(PLAN, seed="t")))
    assert alone[2] == play(PLAN, 2)


def test_compiled_or_not_the_matches_are_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    plan = replace(PLAN, seats=("greedy", "random"), games=1)
    compiled.load(games()["upordown"])
    fast = list(simulate(plan))
    monkeypatch.setattr(compiled, "_loaded", {})
    monkeypatch.setattr(compiled, "kept", lambda game: False)
    assert list(simulate(plan)) == fast


def test_rotation() -> None:
    plan = replace(PLAN, seats=("greedy", "random", "random"), rotate=True)
    assert [plan.seating(i).index("greedy") for i in range(4)] == [0, 2, 1, 0]
    assert replace(plan, rotate=False).seating(1) == plan.seats


def test_the_summary_counts() -> None:
    plan = replace(PLAN, seats=("greedy", "random"))
    summary = Summary.of(
        plan,
        [
            Outcome(("greedy", "random"), 0, (10, 4), (0,), 20),
            Outcome(("greedy", "random"), 1, (6, 6), (0, 1), 22),
            Outcome(("random", "greedy"), 1, (2, 8), (1,), 24),
        ],
    )
    assert (summary.matches, summary.decisions) == (3, 66)
    greedy, random = summary.bots["greedy"], summary.bots["random"]
    assert (greedy.wins, greedy.shared, greedy.mean) == (3, 1, 8)
    assert (random.wins, random.shared, random.mean) == (1, 1, 4)
    assert [tally.wins for tally in summary.seats] == [2, 2]
    assert summary.start.rate == 1
    assert summary.average == pytest.approx(2 / 3)


@pytest.mark.parametrize(
    "plan",
    [
        replace(PLAN, seats=("random", "ocelot")),
        replace(PLAN, seats=("random",)),
        replace(PLAN, game="chess"),
        replace(PLAN, options={"length": "endless"}),
        replace(PLAN, data={"colours.csv": "number\n"}),
    ],
)
def test_what_cannot_be_played(plan: Plan) -> None:
    with pytest.raises(Refusal):
        list(simulate(plan))
