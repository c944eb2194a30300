"""The players: from what a seat sees to a decision. They never get a state."""

from speeltafel.engine.refusals import Refusal, say
from speeltafel.players.chance import Chance
from speeltafel.players.greedy import Greedy
from speeltafel.players.levels import LEVELS, Kitten
from speeltafel.players.player import Player

PLAYERS: dict[str, Player] = {player.name: player for player in (Chance(), Kitten(), Greedy(), *LEVELS)}
"""All players by name, the weakest first."""


def find(name: str) -> Player:
    """The player of that name. Raises `Refusal` naming those that exist."""
    if name not in PLAYERS:
        raise Refusal(say("There is no player {player}; there are: {known}", player=name, known=", ".join(PLAYERS)))
    return PLAYERS[name]
