"""The store: one database in which every table is a log of events.

`events` is the truth; the other columns of `tables` are what lists and checks need without replaying a log.
"""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from pathlib import Path
from typing import Any

import platformdirs
import sqlalchemy as sa
from alembic import command
from alembic.config import Config
from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy.engine import URL, make_url
from sqlalchemy.exc import ArgumentError, DBAPIError, NoSuchModuleError, OperationalError
from sqlalchemy.pool import ConnectionPoolEntry

from speeltafel.engine.refusals import say
from speeltafel.tables.refusals import Unusable

BUSY_SECONDS = 15
"""How long a writer waits for a writer of another process."""

schema = sa.MetaData()

tables = sa.Table(
    "tables",
    schema,
    sa.Column("id", sa.String(24), primary_key=True),
    sa.Column("version", sa.Integer, nullable=False),
    sa.Column("status", sa.String(8), nullable=False),
    sa.Column("game", sa.String(40), nullable=False),
    sa.Column("options", sa.JSON, nullable=False),
    sa.Column("data", sa.JSON, nullable=False),
    sa.Column("seed", sa.JSON, nullable=False),
    sa.Column("first", sa.Integer),
    sa.Column("rules", sa.Integer, nullable=False),
    sa.Column("language", sa.String(8), nullable=False),
    sa.Column("owner", sa.String(64), nullable=False, index=True),
    sa.Column("code", sa.String(24), nullable=False, unique=True),
    sa.Column("pace", sa.String(8), nullable=False),
    sa.Column("hints", sa.Boolean, nullable=False),
    sa.Column("watch", sa.Boolean, nullable=False),
    sa.Column("imported", sa.Boolean, nullable=False),
    sa.Column("created", sa.Double, nullable=False),
    sa.Column("updated", sa.Double, nullable=False),
    sa.Column("turn", sa.Integer),
    sa.Column("result", sa.JSON),
    sa.Column("rematch_of", sa.String(24), unique=True),
)

seats = sa.Table(
    "seats",
    schema,
    sa.Column("table", sa.String(24), sa.ForeignKey("tables.id", ondelete="CASCADE"), primary_key=True),
    sa.Column("number", sa.Integer, primary_key=True),
    sa.Column("kind", sa.String(8), nullable=False),
    sa.Column("name", sa.String(24), nullable=False),
    sa.Column("user", sa.String(64), index=True),
    sa.Column("level", sa.String(24), nullable=False),
    sa.Column("away", sa.Boolean, nullable=False),
)

events = sa.Table(
    "events",
    schema,
    sa.Column("table", sa.String(24), sa.ForeignKey("tables.id", ondelete="CASCADE"), primary_key=True),
    sa.Column("seq", sa.Integer, primary_key=True),
    sa.Column("kind", sa.String(12), nullable=False),
    sa.Column("seat", sa.Integer),
    sa.Column("user", sa.String(64)),
    sa.Column("at", sa.Double, nullable=False),
    sa.Column("data", sa.JSON, nullable=False),
)

jobs = sa.Table(
    "jobs",
    schema,
    sa.Column("table", sa.String(24), sa.ForeignKey("tables.id", ondelete="CASCADE"), primary_key=True),
    sa.Column("version", sa.Integer, nullable=False),
    sa.Column("due", sa.Double, nullable=False, index=True),
    sa.Column("claimed", sa.Double),
)
"""The next decision of a bot: at most one a table, and only for the version that it names."""


def default_database() -> Path:
    """The SQLite file in the platform's folder for the user's data."""
    return Path(platformdirs.user_data_dir("speeltafel", appauthor=False)) / "tables.sqlite"


class Store:
    """An open database. Migrations run when it is opened."""

    def __init__(self, database: str | Path) -> None:
        """Open a SQLite file (a path, made with its folders if absent) or any database (a URL).

        Raises `Unusable` for one that cannot be opened, read or written, is not ours, or is newer than this program.
        """
        self.url = _url(database)
        self.name = self.url.database or self.url.render_as_string()
        self._sqlite = self.url.get_backend_name() == "sqlite"
        self._writer = threading.Lock()
        if self._sqlite and not self.name.startswith("file:"):
            _prepare_file(Path(self.name))
        try:
            if self._sqlite:  # seeds and invitations stay out of the server's log
                self._engine = sa.create_engine(self.url, connect_args={"timeout": BUSY_SECONDS}, hide_parameters=True)
                sa.event.listen(self._engine, "connect", _connected)
                sa.event.listen(self._engine, "begin", _begin)
            else:
                self._engine = sa.create_engine(self.url, pool_pre_ping=True, hide_parameters=True)
        except (ArgumentError, ImportError) as error:
            raise self._unusable(str(error)) from None
        try:
            with self.write() as connection:
                self._migrate(connection)
        except DBAPIError as error:
            self.close()
            raise self._unusable(str(error.orig)) from None
        except Unusable:
            self.close()
            raise

    def _unusable(self, why: str) -> Unusable:
        return Unusable(say("The database {database} cannot be used: {why}", database=self.name, why=why))

    def _migrate(self, connection: sa.Connection) -> None:
        config = Config()
        config.set_main_option("script_location", str(Path(__file__).parent / "migrations").replace("%", "%%"))
        config.attributes["connection"] = connection
        known = {script.revision for script in ScriptDirectory.from_config(config).walk_revisions()}
        current = MigrationContext.configure(connection).get_current_revision()
        if current is not None and current not in known:
            raise Unusable(say("The database {database} was made by a newer version of speeltafel", database=self.name))
        if current is None and sa.inspect(connection).get_table_names():
            raise Unusable(say("The database {database} holds something that is not ours", database=self.name))
        command.upgrade(config, "head")
        connection.exec_driver_sql("UPDATE alembic_version SET version_num = version_num")  # fails if read-only

    @contextmanager
    def read(self) -> Iterator[sa.Connection]:
        """A transaction that sees the database as it is at one moment."""
        with self._transaction(isolation_level=None if self._sqlite else "REPEATABLE READ") as connection:
            yield connection

    @contextmanager
    def write(self) -> Iterator[sa.Connection]:
        """A transaction that changes the database, whole or not at all; one at a time on SQLite."""
        with self._writer if self._sqlite else nullcontext(), self._transaction(write=True) as connection:
            yield connection

    @contextmanager
    def _transaction(self, **options: Any) -> Iterator[sa.Connection]:
        options = {key: value for key, value in options.items() if value is not None}
        try:
            with self._engine.connect() as connection, connection.execution_options(**options).begin():
                yield connection
        except OperationalError as error:
            raise self._unusable(str(error.orig)) from error

    def close(self) -> None:
        """Close all connections."""
        self._engine.dispose()


def _url(database: str | Path) -> URL:
    text = str(database)
    if "://" not in text:
        return URL.create("sqlite", database=str(Path(text).expanduser().absolute()))
    try:
        url = make_url(text)
        url.get_dialect()
    except (ArgumentError, NoSuchModuleError, ImportError) as error:
        raise Unusable(
            say("The database {database} cannot be used: {why}", database=text.split("@")[-1][:200], why=str(error))
        ) from None
    if url.get_backend_name() == "sqlite" and url.database in (None, "", ":memory:"):
        raise Unusable(say("A SQLite database needs a file: {example}", example="sqlite:///tables.sqlite"))
    return url


def _prepare_file(file: Path) -> None:
    if file.is_dir():
        raise Unusable(say("The database {database} is a folder; give a file", database=str(file)))
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise Unusable(
            say("The database {database} cannot be used: {why}", database=str(file), why=error.strerror or str(error))
        ) from None


def _connected(connection: Any, _: ConnectionPoolEntry) -> None:
    connection.isolation_level = None  # transactions begin where `_begin` says, not where the driver guesses
    cursor = connection.cursor()
    for pragma in ("journal_mode=WAL", "synchronous=FULL", "foreign_keys=ON"):
        cursor.execute(f"PRAGMA {pragma}")
    cursor.close()


def _begin(connection: sa.Connection) -> None:
    connection.exec_driver_sql("BEGIN IMMEDIATE" if connection.get_execution_options().get("write") else "BEGIN")
