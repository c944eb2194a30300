"""Tables, seats, events and jobs."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None


def upgrade() -> None:
    """From an empty database."""
    op.create_table(
        "tables",
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
    op.create_table(
        "seats",
        sa.Column("table", sa.String(24), sa.ForeignKey("tables.id", ondelete="CASCADE"), primary_key=True),
        sa.Column("number", sa.Integer, primary_key=True),
        sa.Column("kind", sa.String(8), nullable=False),
        sa.Column("name", sa.String(24), nullable=False),
        sa.Column("user", sa.String(64), index=True),
        sa.Column("level", sa.String(24), nullable=False),
        sa.Column("away", sa.Boolean, nullable=False),
    )
    op.create_table(
        "events",
        sa.Column("table", sa.String(24), sa.ForeignKey("tables.id", ondelete="CASCADE"), primary_key=True),
        sa.Column("seq", sa.Integer, primary_key=True),
        sa.Column("kind", sa.String(12), nullable=False),
        sa.Column("seat", sa.Integer),
        sa.Column("user", sa.String(64)),
        sa.Column("at", sa.Double, nullable=False),
        sa.Column("data", sa.JSON, nullable=False),
    )
    op.create_table(
        "jobs",
        sa.Column("table", sa.String(24), sa.ForeignKey("tables.id", ondelete="CASCADE"), primary_key=True),
        sa.Column("version", sa.Integer, nullable=False),
        sa.Column("due", sa.Double, nullable=False, index=True),
        sa.Column("claimed", sa.Double),
    )
