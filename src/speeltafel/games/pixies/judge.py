"""Pixies: what a bot thinks of a position, in the subset that compiles unchanged."""

from __future__ import annotations

from speeltafel.engine.chance import Dice, below
from speeltafel.engine.records import Row
from speeltafel.games.pixies.rules import (
    M_COVER,
    M_NEW,
    M_TAKE,
    SPACES,
    TAKE,
    TOP,
    State,
    crosses,
    score,
    spirals,
    validated,
    zone,
)

MARGIN = 60
"""A lead of so many points counts as certain."""
SCALE = 100
"""A decision that looks worse by so much is a bad one."""
EXPLORE = 1.5
BIAS = 0.3
HOPE = 6
"""What a number not yet validated is worth, in tenths."""


def enough(view: State, s: State, decisions: int) -> bool:
    """Whether a playout of so many decisions may stop: after the round, since the next ones begin anew."""
    return s.done != view.done


def estimate(s: State, seat: int) -> int:
    """The score as it stands tells how a playout went."""
    return score(s, seat)


def with_grid(s: State, seat: int, space: int, top: int, under: int) -> int:
    """The round's points, in tenths and with hopes, if these two cards lay on the space."""
    tops, unders = s.top[seat], s.under[seat]
    old_top, old_under = tops[space], unders[space]
    tops[space] = top
    unders[space] = under
    points = 10 * (validated(s, seat) + spirals(s, seat) - crosses(s, seat) + zone(s, seat) * (s.done + 2))
    for i in range(SPACES):
        if (tops[i] > 0) != (unders[i] > 0):
            points += HOPE * (i + 1)
    tops[space] = old_top
    unders[space] = old_under
    return points


def placed(s: State, seat: int, card: int) -> int:
    """The round's points, with hopes, if the seat took the card and placed it as well as it can."""
    space = s.number[card] - 1
    top = s.top[seat][space]
    under = s.under[seat][space]
    if top == 0:
        return with_grid(s, seat, space, card, under)
    if under == 0:
        return max(with_grid(s, seat, space, card, top), with_grid(s, seat, space, top, card))
    best = -100000
    for i in range(SPACES):
        if s.top[seat][i] == 0 and s.under[seat][i] == 0:
            best = max(best, with_grid(s, seat, i, 0, card))
    return best


def worth(s: State, move: int) -> int:
    """How good a legal decision looks to the seat whose turn it is; higher is better, in tenths of a point."""
    seat = s.turn
    if s.phase == TAKE:
        return placed(s, seat, move - M_TAKE)
    if s.phase == TOP:
        space = s.number[s.taken] - 1
        old = s.top[seat][space]
        if move == M_NEW:
            return with_grid(s, seat, space, s.taken, old)
        return with_grid(s, seat, space, old, s.taken)
    return with_grid(s, seat, move - M_COVER - 1, 0, s.taken)


def guide(s: State, out: Row, n: int, dice: Dice) -> int:
    """The decision of a playout among the `n` legal ones in `out`: the best looking, now and then another."""
    if n == 1:
        return out[0]
    if below(16, dice) == 0:
        return out[below(n, dice)]
    best = out[0]
    high = -1000000
    for i in range(n):
        value = 4 * worth(s, out[i]) + below(4, dice)
        if value > high:
            high = value
            best = out[i]
    return best
