"""The games, one folder each; a new folder is found by itself."""

from collections.abc import Mapping

from speeltafel.engine.game import Game, discover
from speeltafel.engine.refusals import Refusal, say


def games() -> Mapping[str, Game]:
    """All games by name."""
    return discover(__name__)


def find(name: str) -> Game:
    """The game of that name. Raises `Refusal` naming those that exist."""
    if name not in games():
        raise Refusal(say("There is no game {game}; there are: {known}", game=name, known=", ".join(games())))
    return games()[name]
