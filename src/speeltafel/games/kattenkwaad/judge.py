"""Kattenkwaad: what a bot thinks of a position, in the subset that compiles unchanged."""

from __future__ import annotations

from speeltafel.engine.records import Row
from speeltafel.games.kattenkwaad.rules import (
    CARD,
    EMPTY,
    FIELDS,
    HOUSE,
    M_CARD,
    M_CAT,
    M_DONE,
    M_HOUSE,
    M_TURN,
    MISSING,
    PATH,
    ROW,
    STEP,
    TREE,
    TURN,
    WHICH,
    State,
    score,
    step,
    way_of,
)

MARGIN = 5
"""A lead of so many houses counts as certain."""
WINNING = 0.7
advance = None
SCALE = 50
"""A decision that looks worse by so much is about three times less likely to be a good one."""
EXPLORE = 1.5
PLENTY = 100_000
"""Every playout tells something here."""
FALL = 100
"""What a house that falls is worth."""
LONG = 60
"""How many decisions a playout goes on."""
NEVER = -1000000


def enough(view: State, s: State, decisions: int) -> bool:
    """Whether a playout of so many decisions may stop."""
    return decisions >= LONG


def estimate(s: State, seat: int) -> int:
    """The score as it stands tells how a playout went."""
    return score(s, seat)


def exposed(s: State, on: Row, field: int) -> int:
    """How near the edges a house on the field is: 12 at an edge, less further in, nothing behind a tree."""
    danger = 0
    for way in range(4):
        at = field + STEP[way]
        far = 0
        while s.ground[at] != MISSING and on[at] != TREE:
            at += STEP[way]
            far += 1
        if s.ground[at] == MISSING:
            if far == 0:
                danger += 12
            elif far == 1:
                danger += 5
    return danger


def outcome(s: State, seat: int, start: int, card: int, turn: int) -> int:
    """What the seat gains when the cat at `start` follows the card turned so; `NEVER` if it cannot."""
    on = s.land
    touched = False
    for i in range(FIELDS):
        on[i] = s.on[i]
    on[start] = EMPTY
    at = start
    points = 0
    for i in range(s.steps[card]):
        way = way_of(s, card, i, turn)
        to = at + STEP[way]
        house = on[to] if s.ground[to] != MISSING else 0
        if house > EMPTY and house < TREE:
            touched = True
        fell = step(s, on, at, way)
        if fell < 0:
            return NEVER
        if fell > 0:
            points += -FALL if fell == seat + 1 else FALL // (s.seats - 1)
        at = to
    if touched:
        for line in range(1, s.height + 1):
            for column in range(1, s.width + 1):
                field = ROW * line + column
                if on[field] != s.on[field]:
                    if s.on[field] > EMPTY and s.on[field] < TREE:
                        points += exposed(s, s.on, field) * (1 if s.on[field] == seat + 1 else -1)
                    if on[field] > EMPTY and on[field] < TREE:
                        points -= exposed(s, on, field) * (1 if on[field] == seat + 1 else -1)
    return points


def best_turn(s: State, seat: int, start: int, card: int) -> int:
    """The best outcome of a card for a cat."""
    best = NEVER
    for turn in range(4):
        best = max(best, outcome(s, seat, start, card, turn))
    return best


def worth(s: State, move: int) -> int:
    """How good a legal decision looks to the seat whose turn it is; higher is better."""
    seat = s.turn
    if s.phase == CARD:
        if move == M_DONE:
            return 15
        card = move - M_CARD
        if s.action[card] != PATH:
            return 0
        best = NEVER
        for i in range(s.cats):
            best = max(best, best_turn(s, seat, s.cat[i], card))
        return best
    if s.phase == WHICH and s.action[s.card] == PATH:
        return best_turn(s, seat, move - M_CAT, s.card)
    if s.phase == TURN:
        return outcome(s, seat, s.chosen, s.card, move - M_TURN)
    if s.phase == HOUSE:
        return -exposed(s, s.on, move - M_HOUSE)
    return 0
