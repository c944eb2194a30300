from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable
from typing import Any

import pytest
import sqlalchemy as sa

from speeltafel.engine.refusals import Refusal, say
from speeltafel.players.levels import Thinker
from speeltafel.tables import PACES, Bot, Human, Open, Pace, Tables, store
from speeltafel.tables.tables import LEASE, OVERDUE


def against(tables: Tables, *levels: str, **more: Any) -> str:
    """A match of bots, which begin, against ann."""
    return tables.create("ann", "upordown", [*(Bot(level) for level in levels), Human("Ann")], first=0, **more)


def moves(tables: Tables, id: str) -> list[int]:
    """The seats of the decisions so far."""
    return [line.seat for line in tables.table(id).log if line.kind == "move"]


@pytest.mark.parametrize("pace", PACES)
def test_a_bot_takes_its_time_and_its_turn_decision_by_decision(tables: Tables, clock: Any, pace: Pace) -> None:
    id = against(tables, "first", pace=pace)
    start = clock.now
    when = []
    while tables.table(id).turn == 0:
        assert tables.next_due() == clock.now, "it begins to think at once"
        if PACES[pace]:
            assert tables.run_due() == 0, "and waits with what it found"
        due = tables.next_due()
        assert due is not None
        if due > clock.now:
            assert tables.run_due(due - 0.001) == 0, "not before it is due"
        clock.now = due
        assert tables.run_due() == 1
        when.append(round(clock.now - start, 6))
    assert moves(tables, id) == [0, 0, 0, 0]
    assert when == [round(PACES[pace] * (1 + 0.6 * further), 6) for further in range(4)]
    assert tables.next_due() is None
    assert tables.run_due(clock.now + 1e6) == 0


def thinks(bots: dict[str, Any], clock: Any, seconds: float) -> list[float]:
    """Let the first bot take so long; returns the moments at which it began."""
    begun: list[float] = []

    def choose(*of: Any) -> int:
        begun.append(clock.now)
        clock.now += seconds
        return int(of[3][0])

    bots["first"].choose = choose
    return begun


@pytest.mark.parametrize(("seconds", "takes"), [(0.0, 1.2), (1.0, 1.2), (5.0, 5.0)])
def test_thinking_counts_within_the_pace(
    tables: Tables, bots: dict[str, Any], clock: Any, seconds: float, takes: float
) -> None:
    begun = thinks(bots, clock, seconds)
    start = clock.now
    id = against(tables, "first", pace="normal")
    while not moves(tables, id):
        due = tables.next_due()
        assert due is not None
        clock.now = max(clock.now, due)
        tables.run_due()
    assert begun == [start], "it thinks once, from the beginning"
    assert clock.now - start == pytest.approx(takes)


def test_what_needs_no_search_does_not_wait_for_those_that_think(
    tables: Tables, bots: dict[str, Any], clock: Any
) -> None:
    searching = Thinker("searching", say("Searching"), 1.0, playouts=2)
    bots["searching"] = searching
    slow, quick = (against(tables, level, pace="normal") for level in ("searching", "first"))
    assert tables.run_due(prompt=True) == 0
    assert list(tables._decided) == [quick], "the one that searches is left to others"
    assert tables.run_due() == 0, "it waits with what it found"
    clock.now += PACES["normal"]
    assert tables.run_due(prompt=True) == 2, "what is found needs no search any more"
    assert [len(moves(tables, id)) for id in (slow, quick)] == [1, 1]


def test_what_waits_for_an_older_version_is_forgotten(tables: Tables, clock: Any) -> None:
    id = against(tables, "first", pace="normal")
    assert tables.run_due() == 0
    assert tables._next_found() == clock.now + PACES["normal"]
    tables.leave(id, "ann")
    clock.now += PACES["normal"] + 2 * OVERDUE
    assert tables._next_found() is None


def test_a_decision_that_waits_is_for_its_version_only(tables: Tables, bots: dict[str, Any], clock: Any) -> None:
    begun = thinks(bots, clock, 0.5)
    id = against(tables, "first", pace="normal")
    assert tables.run_due() == 0
    tables.set_pace(id, "ann", "slow")
    assert tables.run_due() == 0
    assert len(begun) == 2
    assert tables.next_due() == begun[1] + PACES["slow"]


def test_a_decision_that_waits_is_found_again_by_another_process(
    another: Callable[[], Tables], bots: dict[str, Any], clock: Any
) -> None:
    one, other = another(), another()
    begun = thinks(bots, clock, 0.0)
    id = against(one, "first", pace="normal")
    assert one.run_due() == 0
    clock.now += PACES["normal"]
    assert other.run_due() == 1
    assert len(begun) == 2, "it thought for itself"
    assert one.run_due() == 0
    assert len(moves(one, id)) == 1


def test_a_bot_sees_its_view_and_nothing_of_the_seed(tables: Tables, bots: dict[str, Any], clock: Any) -> None:
    id = against(tables, "first", pace="instant", seed="the seed of the match")
    before = tables.table(id)
    assert before.match is not None
    assert tables.run_due() == 1
    ((view, seat, legal, seed),) = bots["first"].shown
    assert seat == 0
    assert bytes(view) == bytes(before.match.state.view(0))
    assert legal == list(before.legal)
    assert "the seed of the match" not in seed


def test_a_match_of_bots_only_plays_to_its_end(tables: Tables) -> None:
    id = tables.create("ann", "upordown", [Bot("first"), Bot("greedy")], {"length": "short"}, pace="instant")
    while tables.run_due():
        pass
    assert tables.table(id).status == "over"


def test_bots_of_all_tables_take_turns(tables: Tables) -> None:
    ids = [against(tables, "first", pace="instant") for _ in range(3)]
    assert tables.run_due() == 3
    assert [moves(tables, id) for id in ids] == [[0]] * 3


def test_a_changed_pace_holds_from_the_next_decision(tables: Tables, clock: Any) -> None:
    id = against(tables, "first", pace="slow")
    assert tables.run_due() == 0
    assert tables.next_due() == clock.now + PACES["slow"]
    version = tables.set_pace(id, "ann", "fast")
    assert tables.run_due() == 0
    assert tables.next_due() == clock.now + PACES["fast"]
    assert tables.table(id).pace == "fast"
    assert tables.set_pace(id, "ann", "fast") == version
    for user, pace in (("eve", "slow"), ("ann", "furious")):
        with pytest.raises(Refusal):
            tables.set_pace(id, user, pace)  # type: ignore[arg-type]
    assert tables.table(id).log == (), "no line in the log"


@pytest.mark.parametrize("level", ["raises", "cheats", "text", "float", "exits"])
def test_a_bot_that_fails_is_replaced_for_the_rest_of_the_match(
    tables: Tables, bots: dict[str, Any], level: str, caplog: pytest.LogCaptureFixture
) -> None:
    id = against(tables, level, "first", pace="instant")
    assert tables.run_due() == 1
    table = tables.table(id)
    assert table.seats[0].level == "greedy"
    assert [line.kind for line in table.log] == ["replaced", "move"]
    assert table.log[0].name == table.seats[0].name
    assert level in caplog.text
    while tables.run_due():
        pass
    assert moves(tables, id) == [0] * 4 + [1] * 4
    assert [line.kind for line in tables.table(id).log].count("replaced") == 1


def test_when_the_simple_bot_fails_too_chance_decides(tables: Tables, bots: dict[str, Any]) -> None:
    bots["greedy"] = bots["raises"]
    id = against(tables, "cheats", pace="instant")
    while tables.run_due():
        pass
    assert moves(tables, id) == [0] * 4
    assert tables.table(id).seats[0].level == "random"


def test_a_level_that_is_gone_after_a_restart_is_replaced(
    tables: Tables, bots: dict[str, Any], another: Callable[[], Tables]
) -> None:
    id = against(tables, "first", pace="instant")
    del bots["first"]
    assert another().run_due() == 1
    assert tables.table(id).seats[0].level == "greedy"


def test_a_job_for_an_old_version_does_nothing(tables: Tables, clock: Any) -> None:
    id = against(tables, "first", pace="instant")
    with tables.store.write() as connection:
        connection.execute(sa.update(store.jobs).values(version=store.jobs.c.version - 1))
    assert tables.run_due() == 0
    assert moves(tables, id) == []


def test_a_decision_is_taken_once_however_many_ask(another: Callable[[], Tables]) -> None:
    several = [another() for _ in range(4)]
    id = against(several[0], "first", pace="instant")
    made: list[int] = []

    def tend(tables: Tables) -> None:
        while tables.table(id).turn == 0:
            made.append(tables.run_due())

    threads = [threading.Thread(target=tend, args=(tables,)) for tables in several]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sum(made) == 4
    assert several[0].version(id) == 5, "the deal and four decisions: none twice"


def test_a_decision_that_was_begun_and_never_came_is_begun_again(tables: Tables, clock: Any) -> None:
    id = against(tables, "first", pace="instant")
    with tables.store.write() as connection:  # a process claims it and is killed
        connection.execute(sa.update(store.jobs).values(claimed=clock.now))
    assert tables.run_due() == 0
    assert tables.next_due() == clock.now + LEASE
    clock.now += LEASE + 1
    assert tables.run_due() == 1
    assert moves(tables, id) == [0]


def test_a_decision_that_comes_too_late_is_dropped(tables: Tables, bots: dict[str, Any], clock: Any) -> None:
    """The player takes the seat back while the stand-in thinks."""
    id = tables.create("ann", "upordown", [Human("Ann"), Open()], first=0, pace="instant")
    tables.join(tables.table(id).code, "bob", "Bob")
    tables.leave(id, "ann")

    def choose(*of: Any) -> int:
        tables.come_back(id, "ann")
        return int(of[3][0])

    bots["greedy"].choose = choose
    assert tables.run_due() == 0
    assert moves(tables, id) == []
    assert not tables.table(id).seats[0].away


def test_a_table_that_cannot_be_continued_does_not_stop_the_others(
    another: Callable[[], Tables], caplog: pytest.LogCaptureFixture
) -> None:
    broken, sound = (against(another(), "first", pace="instant") for _ in range(2))
    tables = another()
    with tables.store.write() as connection:
        connection.execute(sa.update(store.tables).where(store.tables.c.id == broken).values(rules=99))
    while tables.run_due():
        pass
    assert moves(tables, sound) == [0] * 4
    assert tables.next_due() is None
    assert broken in caplog.text


def test_a_decision_that_waits_is_not_begun_again(tables: Tables, bots: dict[str, Any], clock: Any) -> None:
    """Who has seen it due before it was told to wait, comes too early."""
    begun = thinks(bots, clock, 0.0)
    id = against(tables, "first", pace="normal")
    version = tables.version(id)
    assert tables.run_due() == 0
    assert not tables._decide(id, version, clock.now)
    assert len(begun) == 1


def test_who_stops_leaves_what_was_begun_to_the_next(
    another: Callable[[], Tables], bots: dict[str, Any], clock: Any
) -> None:
    stopping, after = another(), another()
    asked = 0

    def choose(*of: Any) -> int:
        nonlocal asked
        asked += 1
        stopping._stop()
        return int(of[3][0])

    bots["first"].choose = choose
    ids = [against(stopping, "first", pace="instant") for _ in range(3)]
    assert stopping.run_due() == 0
    assert asked == 1, "no other decision is begun"
    assert [moves(after, id) for id in ids] == [[], [], []]
    del bots["first"].choose
    assert after.run_due() == 3, "at once, without waiting for the lease"


def test_the_tender_plays_what_is_due_and_what_comes(tables: Tables, clock: Any) -> None:
    async def watch() -> None:
        tender = asyncio.create_task(tables.tend_bots())
        id = await asyncio.to_thread(against, tables, "first", pace="instant")
        version = 0
        async with asyncio.timeout(20):
            while tables.table(id).turn == 0:
                version = await tables.wait(id, version, 20)
        tender.cancel()
        assert moves(tables, id) == [0] * 4

    asyncio.run(watch())


def test_the_tender_survives_what_it_does_not_expect(
    tables: Tables, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    run_due, failures = tables.run_due, iter([RuntimeError("the disk is on fire")])

    def fails_once() -> int:
        for failure in failures:
            raise failure
        return run_due()

    monkeypatch.setattr(tables, "run_due", fails_once)

    async def watch() -> None:
        tender = asyncio.create_task(tables.tend_bots())
        id = await asyncio.to_thread(against, tables, "first", pace="instant")
        async with asyncio.timeout(20):
            assert await tables.wait(id, 1, 20) > 1
        tender.cancel()

    asyncio.run(watch())
    assert "on fire" in caplog.text


def test_no_table_has_a_second_decision_before_all_have_had_one(
    tables: Tables, bots: dict[str, Any], clock: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    thinks(bots, clock, 1.0)
    ids = [against(tables, "first", pace="instant") for _ in range(4)]
    choose, order = tables._choose, []

    def noted(table: Any, seat: Any) -> Any:
        order.append(table.id)
        return choose(table, seat)

    monkeypatch.setattr(tables, "_choose", noted)
    while tables.run_due():
        pass
    assert sorted(order) == sorted(ids * 4)
    for turn in range(4):
        assert set(order[4 * turn : 4 * turn + 4]) == set(ids)


def test_a_decision_that_had_to_wait_for_others_is_begun_once(
    another: Callable[[], Tables], bots: dict[str, Any], clock: Any
) -> None:
    one, other = another(), another()
    begun: list[str] = []

    def choose(*of: Any) -> int:
        begun.append(of[4])  # each decision has its own seed
        if len(begun) == 3:
            other.run_due()
        clock.now += LEASE * 0.75
        return int(of[3][0])

    bots["first"].choose = choose
    for _ in range(3):
        against(one, "first", pace="instant")
    one.run_due()
    assert len(begun) > 3
    assert len(set(begun)) == len(begun)
