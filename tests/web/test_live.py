"""Live updates: finished HTML for each open page, over a real connection."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Any

import httpx
import pytest
from fastapi import FastAPI
from starlette.requests import Request

from speeltafel.web.table import events
from speeltafel.web.visitor import visitor_of


class Listener:
    """An open event stream, read event by event."""

    def __init__(self, answer: httpx.Response) -> None:
        self.answer = answer
        self.lines = answer.iter_lines()

    def next(self) -> dict[str, str]:
        """The next event."""
        event: dict[str, str] = {}
        for line in self.lines:
            if not line and "event" in event:
                return event
            name, _, value = line.partition(": ")
            if name in ("id", "event", "data"):
                event[name] = f"{event[name]}\n{value}" if name in event else value
        return event


@contextmanager
def listening(client: httpx.Client, id: str, since: int = -1, **headers: str) -> Iterator[Listener]:
    with client.stream("GET", f"/tables/{id}/events?since={since}", headers=headers) as answer:
        assert answer.status_code == 200
        assert answer.headers["content-type"].startswith("text/event-stream")
        assert "content-encoding" not in answer.headers
        yield Listener(answer)


def client(served: Any) -> httpx.Client:
    return httpx.Client(base_url=served.url, follow_redirects=True, timeout=30, headers={"Accept-Language": "en"})


def seated(served: Any) -> tuple[str, httpx.Client, httpx.Client]:
    """Two people at one table."""
    anna, bram = client(served), client(served)
    made = anna.post("/tables", data={"game": "upordown", "way": "friends", "players": 2, "name": "Anna"})
    id = made.url.path.split("/")[2]
    found = re.search(r"/join/([a-z0-9]+)", made.text)
    assert found
    bram.post(f"/join/{found[1]}", data={"name": "Bram"})
    return id, anna, bram


def test_everybody_hears_their_own_view(served: Any) -> None:
    id, anna, bram = seated(served)
    watcher = client(served)
    tables = served.app.state.tables
    table = tables.table(id)
    acting = (anna, bram)[table.turn]
    with (
        listening(anna, id, table.version) as for_anna,
        listening(bram, id, table.version) as for_bram,
        listening(watcher, id, table.version) as for_watcher,
    ):
        text = table.game.moves.text(table.match.state, table.legal[0])
        acting.post(f"/tables/{id}/play", data={"move": text, "version": table.version})
        hands = tables.table(id).match.state.hand
        for who, listener in ((0, for_anna), (1, for_bram), (-1, for_watcher)):
            event = listener.next()
            assert event["event"] == "table"
            assert event["id"] == str(table.version + 1)
            assert event["data"].startswith('<div id="live"')
            for seat in (0, 1):
                for card in hands[seat]:
                    assert not card or (f'data-glide="card-{card}"' in event["data"]) == (seat == who)


def test_a_page_that_has_it_all_hears_nothing_old(served: Any) -> None:
    id, anna, bram = seated(served)
    table = served.app.state.tables.table(id)
    with listening(anna, id, table.version - 1) as listener:
        assert listener.next()["id"] == str(table.version)
    with listening(anna, id, table.version, **{"Last-Event-ID": str(table.version)}) as listener:
        assert listener.next()["id"] == str(table.version)  # after a break: the whole truth, at once
    with listening(anna, id, 10**9, **{"Last-Event-ID": "nonsense"}) as listener:
        assert listener.next()["id"] == str(table.version)
    assert bram.get(f"/tables/{id}/events?since=x").status_code == 422


def test_the_table_says_that_it_is_still_there(served: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("speeltafel.web.table.HEARTBEAT", 0.05)
    id, anna, _ = seated(served)
    with listening(anna, id, 10**9) as listener:
        assert [listener.next() for _ in range(2)] == [{"event": "here", "data": "here"}] * 2  # what table.js waits for


def test_the_waiting_room_fills(served: Any) -> None:
    anna, bram = client(served), client(served)
    made = anna.post("/tables", data={"game": "pixies", "way": "friends", "players": 3, "name": "Anna"})
    id = made.url.path.split("/")[2]
    table = served.app.state.tables.table(id)
    with listening(anna, id, table.version) as listener:
        bram.post(f"/join/{table.code}", data={"name": "Bram"})
        event = listener.next()
        assert "Bram" in event["data"]
        assert "free seat" in event["data"]


def test_streams_end_when_the_server_stops(served: Any) -> None:
    id, anna, _ = seated(served)
    with listening(anna, id) as listener:
        listener.next()
        served.stop()
        assert listener.next() == {}


def test_an_unknown_table(served: Any) -> None:
    assert client(served).get("/tables/nope/events").status_code == 404


def test_a_closed_page_leaves_nothing_behind(app: FastAPI, guest: Any) -> None:
    id = guest.make()

    async def visit() -> set[Any]:
        request = Request({
            "type": "http", "method": "GET", "scheme": "http", "path": "/", "query_string": b"", "headers": [],
            "server": ("testserver", 80), "app": app,
        })  # fmt: skip
        answer = await events(request, id, visitor_of(request), app.state.tables, since=1 << 30)
        stream: Any = answer.body_iterator  # type: ignore[attr-defined]
        assert "retry" in await anext(stream)
        listening = asyncio.ensure_future(anext(stream))
        await asyncio.sleep(0)
        assert not listening.done()
        listening.cancel()
        with suppress(asyncio.CancelledError):
            await listening
        for _ in range(5):  # what was told to stop stops
            await asyncio.sleep(0)
        return asyncio.all_tasks() - {asyncio.current_task()}

    assert not asyncio.run(visit())
