"""Tables on a fresh database with a clock that stands still."""

from __future__ import annotations

import shutil
import sys
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa

from speeltafel.engine.game import Game
from speeltafel.engine.records import Record
from speeltafel.engine.refusals import say
from speeltafel.tables import Store, Tables


class Clock:
    """A clock that is set by hand."""

    def __init__(self) -> None:
        self.now = 1_800_000_000.0

    def __call__(self) -> float:
        return self.now


class First:
    """A bot that takes the first legal decision, and remembers what it was shown."""

    name = "first"
    label = say("First")
    line = say("First")
    searches = False

    def __init__(self) -> None:
        self.shown: list[tuple[Record, int, list[int], str]] = []

    def choose(self, game: Game, view: Record, seat: int, legal: Sequence[int], seed: str, /) -> int:
        self.shown.append((view, seat, list(legal), seed))
        return legal[0]


class Broken:
    """A bot that raises, or takes what it was made with."""

    name = "broken"
    label = say("Broken")
    line = say("Broken")
    searches = False

    def __init__(self, move: Any = None) -> None:
        self.move = move

    def choose(self, game: Game, view: Record, seat: int, legal: Sequence[int], seed: str, /) -> Any:
        if self.move is None:
            raise RuntimeError("no idea")
        return self.move(legal[0]) if callable(self.move) else self.move


@pytest.fixture
def clock() -> Clock:
    return Clock()


def hasty(store: Store) -> Store:
    """The store, without waiting for the disk: no test here pulls the plug of the machine."""
    store.close()
    sa.event.listen(store._engine, "connect", lambda connection, _: connection.execute("PRAGMA synchronous=OFF"))
    return store


@pytest.fixture(scope="session")
def empty(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A database without tables, to be copied: the migrations need to run only once."""
    file = tmp_path_factory.mktemp("empty") / "tables.sqlite"
    Store(file).close()
    return file


@pytest.fixture
def opened(tmp_path: Path, empty: Path) -> Iterator[Callable[[], Store]]:
    """Opens the test's one database, each time as another process would."""
    stores: list[Store] = []
    shutil.copy(empty, tmp_path)

    def open() -> Store:
        stores.append(hasty(Store(tmp_path / "tables.sqlite")))
        return stores[-1]

    yield open
    for store in stores:
        store.close()


@pytest.fixture
def bots() -> dict[str, Any]:
    return {
        "greedy": First(),
        "first": First(),
        "raises": Broken(),
        "cheats": Broken(-1),
        "text": Broken("play 1"),
        "float": Broken(float),
        "exits": Broken(sys.exit),
    }


@pytest.fixture
def another(opened: Callable[[], Store], clock: Clock, bots: dict[str, Any]) -> Callable[[], Tables]:
    """Makes tables on the test's database as another process would: nothing shared but the file."""
    return lambda: Tables(opened(), clock=clock, players=bots, poll=0.01)


@pytest.fixture
def tables(another: Callable[[], Tables]) -> Tables:
    return another()
