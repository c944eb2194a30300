"""The random player."""

from __future__ import annotations

from collections.abc import Sequence

from speeltafel.engine import chance
from speeltafel.engine.game import Game
from speeltafel.engine.records import Record
from speeltafel.engine.refusals import say


class Chance:
    """Takes any legal decision, each equally likely."""

    name = "random"
    label = say("Random")
    line = say("does anything that the rules allow")
    searches = False

    def choose(self, game: Game, view: Record, seat: int, legal: Sequence[int], seed: str, /) -> int:
        """Any of the legal decisions."""
        return legal[chance.below(len(legal), chance.seeded(seed, self.name))]
