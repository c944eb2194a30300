from __future__ import annotations

import sqlite3
from collections.abc import Callable
from pathlib import Path

import pytest
import sqlalchemy as sa
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext

from speeltafel.tables import Human, Store, Tables, default_database, store
from speeltafel.tables.refusals import Unusable


def refusal(database: str | Path) -> str:
    with pytest.raises(Unusable) as refused:
        Store(database)
    assert refused.value.kind == "unusable"
    return str(refused.value)


def test_migrations_make_the_schema_that_the_code_expects(opened: Callable[[], Store]) -> None:
    with opened().read() as connection:
        assert compare_metadata(MigrationContext.configure(connection), store.schema) == []


def test_a_database_is_safe_against_a_crash(tmp_path: Path) -> None:
    with Store(tmp_path / "a" / "b" / "new.sqlite").read() as connection:
        settings = [
            connection.exec_driver_sql(f"PRAGMA {pragma}").scalar()
            for pragma in ("journal_mode", "synchronous", "foreign_keys")
        ]
    assert settings == ["wal", 2, 1]


def test_what_was_kept_is_there_after_opening_again(opened: Callable[[], Store]) -> None:
    id = Tables(opened()).create("u", "upordown", [Human("Anna"), Human("Bram")])
    assert Tables(opened()).table(id).seats[1].name == "Bram"


def test_a_url_and_a_path_mean_the_same_file(tmp_path: Path) -> None:
    id = Tables(Store(f"sqlite:///{tmp_path / 'x.sqlite'}")).create("u", "upordown", [Human("A"), Human("B")])
    assert Tables(Store(tmp_path / "x.sqlite")).table(id).id == id


def test_what_is_kept_stays_out_of_error_messages(opened: Callable[[], Store]) -> None:
    with pytest.raises(sa.exc.IntegrityError) as failed, opened().write() as connection:
        connection.execute(sa.insert(store.jobs).values(table="a secret", version=1, due=0.0))
    assert "a secret" not in str(failed.value)


def test_a_folder_is_refused(tmp_path: Path) -> None:
    assert "folder" in refusal(tmp_path)


def test_a_path_through_a_file_is_refused(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    assert "cannot be used" in refusal(tmp_path / "file" / "x.sqlite")


def test_a_database_that_may_not_be_written_is_refused(tmp_path: Path) -> None:
    Store(tmp_path / "x.sqlite").close()
    assert "readonly" in refusal(f"sqlite:///file:{tmp_path / 'x.sqlite'}?mode=ro&uri=true")


def test_a_file_that_is_no_database_is_refused_and_left_alone(tmp_path: Path) -> None:
    file = tmp_path / "letter.txt"
    file.write_text("Dear all, " * 100)
    assert "not a database" in refusal(file)
    assert file.read_text() == "Dear all, " * 100


def test_a_database_of_something_else_is_refused_and_left_alone(tmp_path: Path) -> None:
    file = tmp_path / "other.sqlite"
    with sqlite3.connect(file) as connection:
        connection.execute("CREATE TABLE recipes (name)")
    assert "not ours" in refusal(file)
    with sqlite3.connect(file) as connection:
        assert connection.execute("SELECT name FROM sqlite_master").fetchall() == [("recipes",)]


def test_a_database_newer_than_the_code_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "x.sqlite"
    opened = Store(file)
    with opened.write() as connection:
        connection.exec_driver_sql("UPDATE alembic_version SET version_num = '9999'")
    opened.close()
    assert "newer version" in refusal(file)


@pytest.mark.parametrize("url", ["sqlite://", "sqlite:///:memory:", "nonsense://x", "://", "postgresql+none://x/y"])
def test_a_url_that_leads_nowhere_is_refused(url: str) -> None:
    assert refusal(url)


def test_a_password_is_not_shown() -> None:
    assert "secret" not in refusal("nonsense://me:secret@x/y")


def test_a_transaction_that_fails_leaves_nothing(opened: Callable[[], Store]) -> None:
    database = opened()
    row = {"table": "nowhere", "version": 1, "due": 0.0}
    with pytest.raises(sa.exc.IntegrityError), database.write() as connection:
        connection.execute(sa.insert(store.jobs).values(row))
    with database.read() as connection:
        assert connection.scalar(sa.select(sa.func.count()).select_from(store.jobs)) == 0


def test_a_database_that_others_hold_too_long_is_refused_and_nothing_is_lost(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(store, "BUSY_SECONDS", 0.01)
    tables = Tables(Store(tmp_path / "x.sqlite"))
    id = tables.create("u", "upordown", [Human("Anna"), Human("Bram")])
    table = tables.table(id)
    holder = sqlite3.connect(tmp_path / "x.sqlite", isolation_level=None)
    holder.execute("BEGIN IMMEDIATE")
    assert table.match is not None
    text = table.match.legal_texts()[0]
    with pytest.raises(Unusable, match="locked"):
        tables.play(id, "u", None, table.version, text)
    assert tables.table(id) is table, "looking goes on"
    holder.execute("ROLLBACK")
    assert tables.play(id, "u", None, table.version, text) == table.version + 1


def test_the_default_database_is_a_file_of_the_user() -> None:
    assert default_database().suffix == ".sqlite"
