"""The pages on a fresh database: by plain requests with clocks set by hand, and served to real browsers."""

from __future__ import annotations

import contextlib
import html
import random
import re
import shutil
import socket
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import httpx
import pytest
import uvicorn
from fastapi import FastAPI
from fastapi.testclient import TestClient

from speeltafel.tables import Tables
from speeltafel.web.app import create_app
from speeltafel.web.settings import Limits, Settings


class Clock:
    """A clock that is set by hand."""

    def __init__(self, now: float) -> None:
        self.now = now

    def __call__(self) -> float:
        return self.now


class Guest:
    """Somebody with a browser that runs no script."""

    def __init__(self, app: FastAPI, language: str = "en") -> None:
        self.client = TestClient(app, headers={"Accept": "text/html", "Accept-Language": language})
        self.tables: Tables = app.state.tables
        self.html = ""

    def get(self, path: str, **more: Any) -> httpx.Response:
        answer: httpx.Response = self.client.get(path, **more)
        self.html = answer.text
        return answer

    def post(self, path: str, **fields: Any) -> httpx.Response:
        """Send a form as our own pages do."""
        answer: httpx.Response = self.client.post(path, data=fields, headers={"Origin": "http://testserver"})
        self.html = answer.text
        return answer

    def make(self, game: str = "upordown", way: str = "bots", **fields: Any) -> str:
        """A new table; returns its identifier."""
        answer = self.post("/tables", game=game, way=way, **{"pace": "instant", **fields})
        assert answer.status_code == 200, answer.text
        return answer.url.path.split("/")[2]

    def moves(self) -> list[str]:
        """The decisions that the page offers."""
        return [html.unescape(text) for text in re.findall(r'name="move" value="([^"]*)"', self.html)]

    def field(self, name: str) -> str:
        """The value of a hidden field of the form with the board."""
        form = self.html[self.html.index('class="play"') :]
        found = re.search(rf'name="{name}" value="([^"]*)"', form)
        assert found, f"no field {name}"
        return found[1]

    def play(self, id: str, move: str | None = None, **fields: Any) -> httpx.Response:
        """Press a button of the page."""
        return self.post(
            f"/tables/{id}/play",
            **{
                "move": self.moves()[0] if move is None else move,
                "version": self.field("version"),
                "acting": self.field("acting"),
                **fields,
            },
        )

    def my_turn(self, id: str) -> None:
        """Let bots play until it is this guest's turn."""
        self.get(f"/tables/{id}")
        while not self.moves():
            assert self.tables.run_due()
            self.get(f"/tables/{id}")

    def finish(self, id: str, seed: int = 1) -> int:
        """Play to the end at random; returns how often a button was pressed."""
        chance, pressed = random.Random(seed), 0
        self.get(f"/tables/{id}")
        while self.tables.table(id).status == "running":
            offered = self.moves()
            if offered:
                assert self.play(id, chance.choice(offered)).status_code == 200
                pressed += 1
            else:
                assert self.tables.run_due()
                self.get(f"/tables/{id}")
        self.get(f"/tables/{id}")
        return pressed


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    return Settings(
        database=tmp_path / "tables.sqlite",
        bots=False,
        clock=Clock(1_800_000_000.0),
        monotonic=Clock(1000.0),
        limits=replace(Limits(), changes=(1, 1_000_000), pages=(1, 1_000_000), tables=(1, 1000)),
    )


@pytest.fixture
def app(settings: Settings) -> FastAPI:
    return create_app(settings)


@pytest.fixture
def guest(app: FastAPI) -> Guest:
    return Guest(app)


@pytest.fixture
def other(app: FastAPI) -> Guest:
    return Guest(app)


@dataclass
class Served:
    """The pages at a real address, in a thread."""

    url: str
    app: FastAPI
    stop: Callable[[], None]


@pytest.fixture
def served(settings: Settings) -> Iterator[Served]:
    """The pages at a free port, with bots that play at once."""
    app = create_app(replace(settings, bots=True, clock=time.time, monotonic=time.monotonic))
    listener = socket.create_server(("127.0.0.1", 0))
    server = uvicorn.Server(uvicorn.Config(app, log_level="error", timeout_graceful_shutdown=1))
    thread = threading.Thread(target=server.run, args=([listener],))
    thread.start()

    def stop() -> None:
        app.state.stopping.set()
        server.should_exit = True
        thread.join(10)

    yield Served(f"http://127.0.0.1:{listener.getsockname()[1]}", app, stop)
    stop()
    assert not thread.is_alive()


class Wire:
    """A connection to the pages that can be cut and mended."""

    def __init__(self, url: str) -> None:
        self._to = urlsplit(url)
        self._listener = socket.create_server(("127.0.0.1", 0))
        self._open: list[socket.socket] = []
        self._cut = False
        self.url = f"http://127.0.0.1:{self._listener.getsockname()[1]}"
        threading.Thread(target=self._accept, daemon=True).start()

    def _accept(self) -> None:
        with contextlib.suppress(OSError):
            while True:
                near, _ = self._listener.accept()
                if self._cut:
                    near.close()
                    continue
                far = socket.create_connection((self._to.hostname or "", self._to.port or 80))
                self._open += [near, far]
                for source, target in ((near, far), (far, near)):
                    threading.Thread(target=self._pass_on, args=(source, target), daemon=True).start()

    @staticmethod
    def _pass_on(source: socket.socket, target: socket.socket) -> None:
        with contextlib.suppress(OSError):
            while data := source.recv(65536):
                target.sendall(data)
        with contextlib.suppress(OSError):
            target.shutdown(socket.SHUT_RDWR)

    def cut(self) -> None:
        self._cut = True
        for end in self._open:
            with contextlib.suppress(OSError):
                end.shutdown(socket.SHUT_RDWR)
        self._open.clear()

    def mend(self) -> None:
        self._cut = False

    def close(self) -> None:
        self.cut()
        self._listener.close()


@pytest.fixture
def wire(served: Served) -> Iterator[Wire]:
    made = Wire(served.url)
    yield made
    made.close()


@pytest.fixture(scope="session")
def chromium() -> str:
    found = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
    if found is None:
        pytest.fail("browser tests need Chromium (on Debian: apt-get install chromium)")
    return found
