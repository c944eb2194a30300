"""Runs the migrations on the connection that the store has opened, inside its transaction."""

from alembic import context

context.configure(connection=context.config.attributes["connection"], target_metadata=None)
context.run_migrations()
