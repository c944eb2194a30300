"""The greedy player."""

from __future__ import annotations

from collections.abc import Sequence

from speeltafel.engine import chance
from speeltafel.engine.game import Game
from speeltafel.engine.records import Record
from speeltafel.engine.refusals import say
from speeltafel.players import beam, compiled


class Greedy:
    """Ends its turn where its score is best against its best opponent's; looks no further."""

    name = "greedy"
    label = say("Tomcat")
    line = say("makes the most of its own turn and looks no further; plays at once")
    searches = False

    def choose(self, game: Game, view: Record, seat: int, legal: Sequence[int], seed: str, /) -> int:
        """The first decision of that way to end the turn, in a world that fits the view."""
        if len(legal) == 1:
            return legal[0]
        dice = chance.seeded(seed, self.name)
        world = view.copy()
        game.rules.imagine(world, seat, dice)
        rooms = beam.rooms(type(world), game.rules.MAX_LEGAL)
        rooms[0][0] = world
        fast = compiled.loaded(game)
        return fast.decide(*rooms, dice) if fast else beam.build(game.rules)(*rooms, dice)
