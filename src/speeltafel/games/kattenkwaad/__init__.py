"""Kattenkwaad by Gareth Edwards."""

from speeltafel.engine.game import Game, Option
from speeltafel.engine.refusals import say, say_n
from speeltafel.games.kattenkwaad import board, data, judge, moves, picture, rules

GAME = Game(
    name="kattenkwaad",
    title="Kattenkwaad",
    seats=(2, 4),
    minutes=30,
    age=0,
    year=0,
    designer="Gareth Edwards",
    publisher="999 Games",
    line=say("Giant cats stroll over a flat earth. Keep your houses on it, and theirs off."),
    options=(
        Option(
            "version",
            ("chill", "running"),
            say("Version"),
            (say("the chill cats: draw one card a turn"), say("the running cats: draw two cards a turn")),
        ),
        Option(
            "stalemate",
            (False, True),
            say("End of a quiet match"),
            (
                say("play until one player has houses left"),
                say("after three reshuffles without a fall, most houses win"),
            ),
        ),
    ),
    package=__name__,
    rules=rules,
    judge=judge,
    moves=moves,
    board=board,
    data=data,
    picture=picture,
    scored=lambda count: say_n("{count} house", "{count} houses", count=count),
)
