from __future__ import annotations

import asyncio
from collections.abc import Callable

import pytest

from speeltafel.tables import Human, Tables
from speeltafel.tables.refusals import NotFound


def begin(tables: Tables) -> str:
    return tables.create("ann", "upordown", [Human("Ann"), Human("Bob")])


def step(tables: Tables, id: str) -> int:
    table = tables.table(id)
    assert table.match is not None
    return tables.play(id, "ann", None, table.version, table.match.legal_texts()[0])


def test_what_has_changed_already_is_known_at_once(tables: Tables) -> None:
    id = begin(tables)
    assert asyncio.run(tables.wait(id, 0, 60)) == 1


def test_without_change_the_time_passes(tables: Tables) -> None:
    id = begin(tables)
    assert asyncio.run(tables.wait(id, 1, 0)) == 1
    assert asyncio.run(tables.wait(id, 1, 0.02)) == 1


def test_an_unknown_table_cannot_be_waited_for(tables: Tables) -> None:
    with pytest.raises(NotFound):
        asyncio.run(tables.wait("nowhere", 0, 60))


def test_everybody_who_waits_is_woken_from_another_thread(another: Callable[[], Tables]) -> None:
    tables = another()
    tables._poll = 60  # so that only the bell can wake them

    async def watch() -> list[int]:
        id = begin(tables)
        waiting = [asyncio.create_task(tables.wait(id, 1, 60)) for _ in range(5)]
        while len(tables._feed._bells.get(id, ())) < 5:
            await asyncio.sleep(0)
        await asyncio.to_thread(step, tables, id)
        async with asyncio.timeout(20):
            return await asyncio.gather(*waiting)

    assert asyncio.run(watch()) == [2] * 5
    assert tables._feed._bells == {}


def test_another_process_is_heard_by_looking(another: Callable[[], Tables]) -> None:
    here, there = another(), another()

    async def watch() -> int:
        id = begin(here)
        waiting = asyncio.create_task(here.wait(id, 1, 60))
        await asyncio.to_thread(step, there, id)
        async with asyncio.timeout(20):
            return await waiting

    assert asyncio.run(watch()) == 2


def test_a_page_that_went_away_listens_no_more(tables: Tables) -> None:
    async def watch() -> None:
        id = begin(tables)
        waiting = asyncio.create_task(tables.wait(id, 1, 60))
        while not tables._feed._bells:
            await asyncio.sleep(0)
        waiting.cancel()
        await asyncio.gather(waiting, return_exceptions=True)

    asyncio.run(watch())
    assert tables._feed._bells == {}
    step(tables, tables.tables_of("ann")[0].id)
