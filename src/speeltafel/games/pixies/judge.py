"""Pixies: what a bot thinks of a position, in the subset that compiles unchanged."""

from __future__ import annotations

from speeltafel.games.pixies.rules import (
    JOKER,
    M_COVER,
    M_NEW,
    M_TAKE,
    SPACES,
    TAKE,
    TOP,
    State,
    crosses,
    market_size,
    score,
    spirals,
    validated,
    zone,
)

MARGIN = 60
"""A lead of so many points counts as certain."""
WINNING = 0.7
advance = None
SCALE = 50
"""A decision that looks worse by so much is about three times less likely to be a good one."""
EXPLORE = 0.3
PLENTY = 40
"""So many playouts tell most: who takes what is soon clear, what is drawn next is not."""
NOTHING = -1000000
OPEN_TOP = 18
"""What a face-up card that can still be covered or kept by choice is worth early in a round, in tenths."""
OPEN_SPECIAL = 12
"""The same for a special, beside that."""
OPEN_JOKER = 27
"""The same for a joker."""


def enough(view: State, s: State, decisions: int) -> bool:
    """Whether a playout of so many decisions may stop: after the round, since the next ones begin anew."""
    return s.done != view.done


def estimate(s: State, seat: int) -> int:
    """The score as it stands tells how a playout went."""
    return score(s, seat)


def standing(s: State, seat: int) -> int:
    """What the grid is worth to the seat: the round's points as they are, and what may yet come, in tenths."""
    left = SPACES
    for p in range(s.seats):
        left = min(left, SPACES - s.filled[p])
    # a zone grows of itself: what it has early in the round says little
    tenths = 10 * (SPACES - left) * zone(s, seat) * (s.done + 2)
    for i in range(SPACES):
        card = s.top[seat][i]
        if (card > 0) != (s.under[seat][i] > 0):
            # high numbers are rare
            tenths += left * (i + 1) * (13 - i)
            if card > 0:
                tenths += left * (OPEN_TOP + OPEN_SPECIAL * s.special[card])
                if s.colour[card] == JOKER:
                    tenths += left * OPEN_JOKER
    return 10 * (validated(s, seat) + spirals(s, seat) - crosses(s, seat)) + tenths // SPACES


def with_grid(s: State, seat: int, space: int, top: int, under: int) -> int:
    """What the grid would be worth if these two cards lay on the space."""
    tops, unders = s.top[seat], s.under[seat]
    old_top, old_under = tops[space], unders[space]
    fills = 1 if old_top == 0 and old_under == 0 else 0
    tops[space] = top
    unders[space] = under
    s.filled[seat] += fills
    tenths = standing(s, seat)
    s.filled[seat] -= fills
    tops[space] = old_top
    unders[space] = old_under
    return tenths


def placed(s: State, seat: int, card: int) -> int:
    """What the grid would be worth if the seat took the card and placed it as well as it can."""
    space = s.number[card] - 1
    top = s.top[seat][space]
    under = s.under[seat][space]
    if top == 0:
        return with_grid(s, seat, space, card, under)
    if under == 0:
        return max(with_grid(s, seat, space, card, top), with_grid(s, seat, space, top, card))
    best = NOTHING
    for i in range(SPACES):
        if s.top[seat][i] == 0 and s.under[seat][i] == 0:
            best = max(best, with_grid(s, seat, i, 0, card))
    return best


def left_behind(s: State, card: int) -> int:
    """What the best of the other market cards brings the next seat, shared by all opponents."""
    rival = (s.turn + 1) % s.seats
    best = NOTHING
    for i in range(market_size(s)):
        if s.taker[i] == 0 and s.market[i] != card:
            best = max(best, placed(s, rival, s.market[i]))
    return 0 if best == NOTHING else (best - standing(s, rival)) // (s.seats - 1)


def worth(s: State, move: int) -> int:
    """How good a legal decision looks to the seat whose turn it is; higher is better, in tenths of a point."""
    seat = s.turn
    if s.phase == TAKE:
        return placed(s, seat, move - M_TAKE) - left_behind(s, move - M_TAKE)
    if s.phase == TOP:
        space = s.number[s.taken] - 1
        old = s.top[seat][space]
        if move == M_NEW:
            return with_grid(s, seat, space, s.taken, old)
        return with_grid(s, seat, space, old, s.taken)
    return with_grid(s, seat, move - M_COVER - 1, 0, s.taken)
