"""Tables: seats, invitations, undo, stand-ins, bots' turns, and the store that keeps it all."""

from speeltafel.tables.snapshot import Bot, Happening, Human, Open, Pace, Place, Seat, Status, Summary, Table
from speeltafel.tables.tables import PACES, Player, Tables

__all__ = [
    "PACES",
    "Bot",
    "Happening",
    "Human",
    "Open",
    "Pace",
    "Place",
    "Player",
    "Seat",
    "Status",
    "Summary",
    "Table",
    "Tables",
]
