"""How long pages take while nobody thinks, while four Tigers think, and while they do and a new server still compiles.

The server is the real one, in a process of its own with a temporary database. Exit code 1 if the slowest
hundredth of any kind of request took 50 ms or more once everything was compiled. On a machine that is busy with
other things the figures while nobody thinks say how much of it is their doing.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from http.client import HTTPConnection, RemoteDisconnected
from pathlib import Path
from threading import Event, Thread
from time import perf_counter, sleep
from typing import Any
from urllib.parse import urlencode, urlsplit

from rich.console import Console
from rich.table import Table

from speeltafel.games import games
from speeltafel.players import compiled

DEMAND = 0.05
"""Seconds within which 99 of 100 answers have to be there."""
EVERY = 0.25
"""Seconds between two requests of a kind: as fast as the house lets one client ask."""
JSON = {"Content-Type": "application/json"}
FORM = {"Content-Type": "application/x-www-form-urlencoded", "X-Part": "live"}


class Client:
    """Somebody with a browser."""

    def __init__(self, url: str, token: str = "") -> None:
        self.connection = HTTPConnection(urlsplit(url).netloc, timeout=60)
        self.token = token

    def ask(self, method: str, path: str, body: str | None = None, headers: dict[str, str] | None = None) -> bytes:
        """The answer. Ends the benchmark when it is a refusal."""
        sent = {"Authorization": f"Bearer {self.token}"} if self.token else {}
        try:
            self.connection.request(method, path, body, sent | (headers or {}))
            response = self.connection.getresponse()
        except RemoteDisconnected:  # after a pause; a browser connects again too
            return self.ask(method, path, body, headers)
        content = response.read()
        if response.status >= 400:
            sys.exit(f"{method} {path}: {response.status} {content[:200]!r}")
        return content

    def table(self, game: str, *seats: dict[str, str]) -> str:
        """A new table at which bots do not wait for people; returns its identifier."""
        body = json.dumps({"game": game, "seats": seats, "pace": "instant"})
        made = json.loads(self.ask("POST", "/api/tables", body, JSON))
        self.token = made["token"]
        return str(made["table"]["id"])

    def look(self, id: str) -> Any:
        """The table as JSON."""
        return json.loads(self.ask("GET", f"/api/tables/{id}"))


@contextmanager
def server(folder: Path, cache: Path | None) -> Iterator[str]:
    """A server of our own until the end of the block; its address."""
    command = [sys.executable, "-m", "speeltafel", "serve", "--no-browser", "--port", "0"]
    environment = os.environ | {"LANGUAGE": "en"} | ({"XDG_CACHE_HOME": str(cache)} if cache else {})
    with subprocess.Popen(
        [*command, "--database", str(folder / "tables.sqlite")], stdout=subprocess.PIPE, text=True, env=environment
    ) as process:
        assert process.stdout is not None
        try:
            yield process.stdout.readline().split()[-1]
        finally:
            process.terminate()


def stream(client: Client, id: str) -> None:
    """An open page, which hears of every change."""
    client.connection.request("GET", f"/tables/{id}/events", headers={"Authorization": f"Bearer {client.token}"})
    response = client.connection.getresponse()
    try:
        while response.read1(65536):
            pass
    except (OSError, ValueError, AttributeError):  # the server has stopped
        pass


class Player(Client):
    """Somebody who plays Up or Down? on both seats of a table, a new one when the match is over."""

    id = ""
    legal: Sequence[str] = ()
    version = 0

    def see(self) -> None:
        """Look at the table, and go to another one when this match is over."""
        seen = self.look(self.id) if self.id else {"legal": []}
        if not seen["legal"]:
            self.id = self.table("upordown", {"kind": "human", "name": "A"}, {"kind": "human", "name": "B"})
            seen = self.look(self.id)
        self.legal, self.version = seen["legal"], seen["version"]

    def play(self) -> None:
        """Take the first decision, as the page does it."""
        form = urlencode({"move": self.legal[0], "version": self.version})
        self.ask("POST", f"/tables/{self.id}/play", form, FORM)


def repeated(what: Callable[[], object], before: Callable[[], object], times: list[float], stop: Event) -> None:
    """Do it again and again, and note how long each time took but the first."""
    before()
    what()
    while not stop.is_set():
        before()
        begun = perf_counter()
        what()
        times.append(perf_counter() - begun)
        stop.wait(max(0.0, EVERY - (perf_counter() - begun)))


def measure(url: str, seconds: float, settle: float, level: str = "tiger") -> tuple[dict[str, list[float]], int]:
    """Seconds of each request by its kind, and how many decisions the bots of the `level` took meanwhile.

    Without a level people sit there. The first request of each kind does not count: it makes its template ready.
    """
    owner = Client(url)
    thinking = []
    for name, game in games().items():
        seat = {"kind": "bot", "level": level} if level else {"kind": "human"}
        seats = [seat] * game.seats[1]
        thinking.append(owner.table(name, *seats))
    player = Player(url)
    player.see()
    for id in thinking:
        Thread(target=stream, args=(Client(url, owner.token), id), daemon=True).start()
    Thread(target=stream, args=(Client(url, player.token), player.id), daemon=True).start()
    sleep(settle)
    before = [owner.look(id)["version"] for id in thinking]
    times: dict[str, list[float]] = defaultdict(list)
    stop = Event()
    running = []
    for kind, path in (("home", "/"), ("game", "/games/upordown"), ("table", f"/tables/{thinking[0]}")):
        client = Client(url, owner.token)
        work = (lambda client=client, path=path: client.ask("GET", path), lambda: None)
        running.append(Thread(target=repeated, args=(*work, times[kind], stop), daemon=True))
    running.append(Thread(target=repeated, args=(player.play, player.see, times["decision"], stop), daemon=True))
    for thread in running:
        thread.start()
    sleep(seconds)
    stop.set()
    for thread in running:
        thread.join()
    now = [owner.look(id) for id in thinking]
    for name, table in zip(games(), now, strict=True):
        if table["status"] != "running":
            print(f"The match of {name} was over before the end.")
    return times, sum(table["version"] for table in now) - sum(before)


def part(times: Sequence[float], share: float) -> float:
    """The milliseconds within which this share of the times lies."""
    return 1000 * sorted(times)[min(len(times) - 1, int(share * len(times)))]


def main(arguments: Sequence[str]) -> int:
    parser = argparse.ArgumentParser("benchmarks serve", description=__doc__)
    parser.add_argument("--seconds", type=float, default=60, help="how long to ask for pages, each time")
    parser.add_argument("--settle", type=float, default=20, help="time for the server to load what is compiled")
    parser.add_argument("--no-cold", action="store_true", help="leave out the server that still compiles")
    chosen = parser.parse_args(arguments)
    table = Table("server", "request", "times", "p50 ms", "p99 ms", "max ms", "decisions of bots")
    late = False
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for _ in compiled.warm(list(games().values())):
            pass
        for state in ("nobody thinks", "warm") if chosen.no_cold else ("nobody thinks", "warm", "compiling"):
            home = folder / state
            home.mkdir()
            new = state == "compiling"
            with server(home, home if new else None) as url:
                level = "" if state == "nobody thinks" else "tiger"
                times, decisions = measure(url, chosen.seconds, 5 if new else chosen.settle, level)
            for kind, taken in times.items():
                figures = (f"{part(taken, 0.5):.1f}", f"{part(taken, 0.99):.1f}", f"{1000 * max(taken):.1f}")
                table.add_row(state, kind, str(len(taken)), *figures, str(decisions))
                late |= state == "warm" and part(taken, 0.99) >= 1000 * DEMAND
    Console().print(table)
    return 1 if late else 0
