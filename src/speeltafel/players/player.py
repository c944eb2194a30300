"""What a player is."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from speeltafel.engine.game import Game
from speeltafel.engine.records import Record
from speeltafel.engine.refusals import Message


class Player(Protocol):
    """Somebody who can sit at a table of any game."""

    name: str
    """As the command line and stored tables know it."""
    label: Message
    """As people know it."""
    line: Message
    """How it plays, and how long it thinks, in one line for who chooses it."""
    searches: bool
    """Whether it may take long over a decision, as a search does; it then thinks apart from those that do not."""

    def choose(self, game: Game, view: Record, seat: int, legal: Sequence[int], seed: str, /) -> int:
        """One of the `legal` decisions of `seat`, from its view alone.

        `seed` feeds the player's own chance; from it the match's seed does not follow. The same view and seed
        give the same decision, unless the player thinks by the clock.
        """
