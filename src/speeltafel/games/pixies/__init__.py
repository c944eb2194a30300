"""Pixies by Johannes Goupy."""

from speeltafel.engine.game import Game, Option
from speeltafel.engine.refusals import say
from speeltafel.games.pixies import board, data, judge, moves, picture, rules

GAME = Game(
    name="pixies",
    title="Pixies",
    seats=(2, 5),
    minutes=30,
    age=8,
    year=2024,
    designer="Johannes Goupy",
    publisher="Bombyx",
    line=say("Fill a forest of nine spaces with woodland folk: two to a space, and side by side in one colour."),
    options=(
        Option(
            "market_of_two",
            (2, 4),
            say("Market for two players"),
            (say("two cards"), say("four cards")),
            seats=(2,),
        ),
        Option(
            "start_player",
            ("last_taker", "fixed"),
            say("Who starts each turn"),
            (say("whoever took last"), say("always the same player")),
        ),
    ),
    package=__name__,
    rules=rules,
    judge=judge,
    moves=moves,
    board=board,
    data=data,
    picture=picture,
)
