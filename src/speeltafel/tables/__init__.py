"""Tables: seats, invitations, undo, stand-ins, bots' turns, and the store that keeps it all."""

from speeltafel.tables.log import PACES
from speeltafel.tables.snapshot import Bot, Happening, Human, Open, Pace, Place, Seat, Status, Summary, Table
from speeltafel.tables.store import Store, default_database
from speeltafel.tables.tables import Tables

__all__ = [
    "PACES",
    "Bot",
    "Happening",
    "Human",
    "Open",
    "Pace",
    "Place",
    "Seat",
    "Status",
    "Store",
    "Summary",
    "Table",
    "Tables",
    "default_database",
]
