"""Whatever people do in whatever order, the log, the cache and a fresh replay say the same."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from speeltafel.engine.game import Game
from speeltafel.engine.refusals import Refusal
from speeltafel.games import games
from speeltafel.tables import Bot, Human, Open, Table, Tables

PEOPLE = ("ann", "bob", "cas")


def same(one: Table, other: Table) -> None:
    """Fails unless two snapshots of one table hold the same in every respect."""
    assert replace(one, match=None) == replace(other, match=None)
    assert (one.match is None) == (other.match is None)
    if one.match is not None and other.match is not None:
        assert bytes(one.match.state) == bytes(other.match.state)
        assert one.match.entries == other.match.entries
        assert one.match.shuffles == other.match.shuffles
        assert [bytes(state) for state in one.match._before] == [bytes(state) for state in other.match._before]


def act(tables: Tables, id: str, deed: str, who: str, choice: int) -> None:
    """One of the things people do, whether or not they may."""
    table = tables.table(id)
    if deed == "play":
        if table.match is not None and table.legal:
            text = table.match.game.moves.text(table.match.state, table.legal[choice % len(table.legal)])
            turn = table.turn
            holder = table.seats[turn].user if turn is not None else None
            tables.play(id, holder or who, None, table.version, text)
    elif deed == "undo":
        tables.undo(id, who, table.version)
    elif deed == "stale":
        tables.play(id, who, None, table.version - 1, "play 1")
    elif deed == "leave":
        tables.leave(id, who)
    elif deed == "back":
        tables.come_back(id, who)
    elif deed == "join":
        tables.join(table.code, who, who.title())
    elif deed == "start":
        tables.start(id, who)
    elif deed == "pace":
        tables.set_pace(id, who, "slow" if choice % 2 else "instant")
    else:
        tables.run_due(1e12)


DEEDS = st.tuples(
    st.sampled_from(
        ["play"] * 8 + ["undo"] * 3 + ["bots"] * 3 + ["leave", "back", "join", "join", "start", "pace", "stale"]
    ),
    st.sampled_from(PEOPLE),
    st.integers(0, 20),
)


@pytest.mark.parametrize("game", games().values(), ids=games())
@settings(max_examples=6, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(deeds=st.lists(DEEDS, min_size=5, max_size=40))
def test_log_and_cache_are_equal(another: Callable[[], Tables], game: Game, deeds: list[tuple[str, str, int]]) -> None:
    here, there = another(), another()
    id = here.create("ann", game.name, [Human("Ann"), Open(), Bot("first")], pace="instant", first=0)
    for number, (deed, who, choice) in enumerate(deeds):
        before = here.table(id)
        try:
            act(here, id, deed, who, choice)
        except Refusal:
            same(here.table(id), before)
        if number % 3 == 0:
            same(there.table(id), here.table(id))  # grown from what it knew
    same(there.table(id), here.table(id))
    same(another().table(id), here.table(id))  # from the log alone
