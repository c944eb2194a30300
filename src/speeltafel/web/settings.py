"""How the pages are served."""

from __future__ import annotations

import contextlib
import os
import secrets
import tempfile
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from speeltafel.engine.refusals import say
from speeltafel.players.player import Player
from speeltafel.tables import Store, default_database
from speeltafel.tables.refusals import Unusable


@dataclass(frozen=True)
class Limits:
    """How much one client may ask: (requests a second, how many at once), and how large."""

    pages: tuple[float, float] = (20, 200)
    changes: tuple[float, float] = (10, 120)
    tables: tuple[float, float] = (0.5, 30)
    """New tables, and files read."""
    codes: tuple[float, float] = (0.5, 20)
    """Invitations tried."""
    form: int = 64 * 1024
    upload: int = 1024 * 1024


@dataclass(frozen=True)
class Settings:
    """What `create_app` needs to know."""

    database: str | Path = field(default_factory=default_database)
    secret: str = ""
    """Signs the cookies; empty for the one kept beside the database."""
    url: str = ""
    """The address under which others reach this table, for invitations; empty for the one that a browser used."""
    hosts: tuple[str, ...] = ("*",)
    """The host names that browsers may use for this table."""
    reachable: bool = True
    """Whether other devices can reach it."""
    limits: Limits = Limits()
    bots: bool = True
    """Whether bots play by themselves; without it somebody calls `run_due`."""
    players: Mapping[str, Player] | None = None
    data: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    """Data files by game that take the place of the shipped ones at new tables."""
    clock: Callable[[], float] = time.time
    monotonic: Callable[[], float] = time.monotonic


def secret_of(store: Store) -> str:
    """The secret beside the database, made on first use and readable for its owner only. Raises `Unusable`."""
    file = Path(store.name) if store.url.get_backend_name() == "sqlite" else default_database()
    file = file.with_name(f"{file.name}.secret")
    try:
        if not file.exists():
            _make_secret(file)
        secret = file.read_text().strip()
    except OSError as error:
        raise _unusable(file, error) from None
    if not secret:
        raise Unusable(say("The file {file} is empty; remove it, then a new one is made", file=str(file)))
    return secret


def _make_secret(file: Path) -> None:
    """A new secret, unless another server makes one at the same time: nobody ever sees half a file."""
    file.parent.mkdir(parents=True, exist_ok=True)
    descriptor, draft = tempfile.mkstemp(prefix=f"{file.name}.", dir=file.parent)  # readable for its owner only
    try:
        with os.fdopen(descriptor, "w") as new:
            new.write(secrets.token_urlsafe(48))
        with contextlib.suppress(FileExistsError):
            os.link(draft, file)
    finally:
        os.unlink(draft)


def _unusable(file: Path, error: OSError) -> Unusable:
    return Unusable(say("{file} cannot be used: {why}", file=str(file), why=error.strerror or str(error)))
