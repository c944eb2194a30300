"""A hint in words: what to do, and what the search expects of it."""

from __future__ import annotations

from dataclasses import dataclass

from speeltafel.engine.game import Game
from speeltafel.engine.refusals import Message, say
from speeltafel.tables import Table

ROUGH = 60
"""With fewer playouts for all its decisions together a hint is no more than a first glance."""


@dataclass(frozen=True)
class Line:
    """A decision, and what the search expects of it."""

    advice: Message
    chance: Message
    lead: Message


@dataclass(frozen=True)
class Hint:
    """What the search would do."""

    lines: tuple[Line, ...]
    """The best decision first."""
    caution: Message | None
    """Why the figures say nothing, where they do not."""


def chance(part: float, first: bool) -> Message:
    """A chance of winning: of the `first` decision in a sentence, of the others in short."""
    percent = round(100 * part)
    if percent >= 99:
        return say("wins nearly always")
    if percent <= 1:
        return say("hardly ever wins")
    if first:
        return say("wins about {percent} games in 100", percent=percent)
    return say("{percent} in 100", percent=percent)


def lead(game: Game, points: float, first: bool) -> Message:
    """How far ahead of the best opponent, or behind: of the `first` decision in a sentence."""
    whole = round(points)
    if whole > 0:
        words = say("{amount} ahead", amount=game.scored(whole))
    elif whole < 0:
        words = say("{amount} behind", amount=game.scored(-whole))
    else:
        words = say("level")
    return say("on average {lead}", lead=words) if first else words


def hint(table: Table, seat: int) -> Hint | None:
    """The hint that was given for the decision that `seat` is asked now, if any."""
    if not table.tips:
        return None
    view, moves = table.view(seat), table.game.moves
    lines = [
        Line(
            moves.advice(view, moves.read(view, tip.move)), chance(tip.chance, not n), lead(table.game, tip.lead, not n)
        )
        for n, tip in enumerate(table.tips)
    ]
    caution = None
    if len(table.legal) == 1:
        caution = say("There is no choice now:")
    elif sum(tip.visits for tip in table.tips) < ROUGH:
        caution = say("There was little time to think; at a first glance this looks good:")
    return Hint(tuple(lines), caution)
