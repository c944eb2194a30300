"""Up or Down? by Michael Kiesling and Wolfgang Kramer."""

from speeltafel.engine.game import Game, Option
from speeltafel.engine.refusals import say
from speeltafel.games.upordown import board, data, judge, moves, picture, rules

GAME = Game(
    name="upordown",
    title="Up or Down?",
    seats=(2, 6),
    minutes=30,
    age=8,
    year=2024,
    designer="Michael Kiesling, Wolfgang Kramer",
    publisher="HOT Games",
    line=say("Lay rows that climb or sink, and mind their colours."),
    options=(Option("length", ("full", "short"), say("Length"), (say("full game"), say("short game"))),),
    package=__name__,
    rules=rules,
    judge=judge,
    moves=moves,
    board=board,
    data=data,
    picture=picture,
)
