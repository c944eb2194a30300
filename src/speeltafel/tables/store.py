"""The store: one database that holds every table as a log of events."""

from __future__ import annotations

from pathlib import Path


class Store:
    """An open database. Migrations run when it is opened."""

    def __init__(self, database: str | Path) -> None:
        """Open a SQLite file (a path) or any database (a URL). Raises `Unusable` where that cannot be."""

    def close(self) -> None:
        """Close all connections."""


def default_database() -> Path:
    """The SQLite file in the platform's folder for the user's data."""
    import platformdirs

    return Path(platformdirs.user_data_dir("speeltafel", appauthor=False)) / "tables.sqlite"
