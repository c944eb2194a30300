"""If It Fits by Adrie Drent."""

from speeltafel.engine.game import Game, Option
from speeltafel.engine.refusals import say
from speeltafel.games.ififits import board, data, judge, moves, picture, rules

GAME = Game(
    name="ififits",
    title="If It Fits",
    seats=(2, 5),
    minutes=30,
    age=10,
    year=2021,
    designer="Adrie Drent",
    publisher="Jolly Dutch",
    line=say("Build boxes full of toys, and put your cats in the best ones."),
    options=(
        Option("table", ("21x11", "11x7"), say("Table"), (say("large (21 × 11 cards)"), say("small (11 × 7 cards)"))),
        Option(
            "occupancy",
            ("document", "present"),
            say("A cat may come into a box"),
            (say("with no cat or own cats only"), say("also beside others, if an own cat is there")),
        ),
        Option(
            "extra_cats",
            ("everyone", "scorers"),
            say("Points for extra cats"),
            (say("for everyone in the box"), say("for those who take the box")),
        ),
        Option("advanced", (False, True), say("Advanced rules"), (say("off"), say("on"))),
    ),
    package=__name__,
    rules=rules,
    judge=judge,
    moves=moves,
    board=board,
    data=data,
    picture=picture,
)
