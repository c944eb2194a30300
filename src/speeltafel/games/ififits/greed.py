"""If It Fits: the turn that brings most at once, found on the table as it lies, without playing it.

The search plays such turns for the other seats by the hundred thousand. In the subset that compiles unchanged.
"""

from __future__ import annotations

from speeltafel.engine.chance import Dice, below
from speeltafel.engine.records import Row
from speeltafel.games.ififits.rules import (
    ALL_OPEN,
    ASLEEP,
    AWAKE,
    BED,
    CARD,
    CAT,
    GIFT,
    LAY,
    M_CARD,
    M_DRAW,
    M_LAY,
    M_NO_CAT,
    M_REPLACE,
    M_SLEEP,
    M_TOY,
    M_WAKE,
    OPEN,
    PRINCESS,
    REPLACE,
    SPECIAL,
    SUMS,
    TOY,
    TURN,
    Boxes,
    State,
    alone,
    around,
    bare,
    gather,
    joins,
    joins_box,
    legal,
    may_gift,
    may_live,
    may_sleep,
    pile_size,
    play,
    points,
    score,
    turn_round,
    walls_apart,
)

NEVER = -1000000
TIE = 2**12
"""Equals differ by a random number below this."""

Scores = tuple[int, int, int, int, int]
NOTHING: Scores = (0, 0, 0, 0, 0)


def scores(s: State) -> Scores:
    """What every seat has as the table lies; 0 for seats that are not there."""
    n = s.seats
    third = score(s, 2) if n > 2 else 0
    fourth = score(s, 3) if n > 3 else 0
    fifth = score(s, 4) if n > 4 else 0
    return score(s, 0), score(s, 1), third, fourth, fifth


def shut(boxes: Boxes, sides: int, d: int) -> int:
    """How many openings a card shuts with its walls in the box beyond side `d`: 0 but at the first such side."""
    box = boxes[d]
    if (sides >> d) & 1 == 1 or joins_box(boxes, sides, box, 4):
        return 0
    count = 0
    for k in range(4):
        if (sides >> k) & 1 == 0 and boxes[k] == box:
            if k < d:
                return 0
            count += 1
    return count


def all_points(s: State, box: int) -> Scores:
    """What every seat gets for a box."""
    return points(s, box, 0), points(s, box, 1), points(s, box, 2), points(s, box, 3), points(s, box, 4)


def changed(had: Scores, before: Scores, after: Scores) -> Scores:
    """The scores when a box counts as `after` instead of `before`."""
    return (
        had[0] + after[0] - before[0],
        had[1] + after[1] - before[1],
        had[2] + after[2] - before[2],
        had[3] + after[3] - before[3],
        had[4] + after[4] - before[4],
    )


def ahead(s: State, seat: int, had: Scores) -> int:
    """The lead of a seat."""
    rival = NEVER
    for p in range(s.seats):
        if p != seat:
            rival = max(rival, had[p])
    return had[seat] - rival


def counts(s: State, boxes: Boxes, sides: int) -> bool:
    """Whether a card with these sides would join a box with a cat awake; no other box has points."""
    for d in range(4):
        box = joins(boxes, sides, d)
        if box > 0:
            for p in range(s.seats):
                if s.sums[box][AWAKE + p] > 0:
                    return True
    return False


def without_joined(s: State, boxes: Boxes, sides: int, had: Scores) -> Scores:
    """The scores without the boxes that a card joins."""
    for d in range(4):
        box = joins(boxes, sides, d)
        if box > 0 and not joins_box(boxes, sides, box, d):
            had = changed(had, all_points(s, box), NOTHING)
    return had


def shut_beside(s: State, boxes: Boxes, sides: int, had: Scores) -> Scores:
    """The scores after a card has closed, with its walls, boxes that it does not join."""
    for d in range(4):
        box = boxes[d]
        if box == 0 or s.sums[box][OPEN] > 4:
            continue
        openings = shut(boxes, sides, d)
        # no more than that was open: the box is closed
        if s.sums[box][OPEN] == openings:
            before = all_points(s, box)
            s.sums[box][OPEN] = 0
            had = changed(had, before, all_points(s, box))
            s.sums[box][OPEN] = openings
    return had


def lead_laid(s: State, seat: int, kind: int, cell: int, boxes: Boxes, sides: int, had: Scores) -> int:
    """The lead of the seat after laying a card in a free cell between boxes, with the cat that may follow."""
    cat = False
    if kind != BED and s.cats[seat] > 0:
        west = joins(boxes, sides, 3) if bare(s, cell - 1) else 0
        east = joins(boxes, sides, 1) if bare(s, cell + 1) else 0
        cat = (west > 0 and (s.occupancy == 1 or alone(s, west, seat))) or (
            east > 0 and (s.occupancy == 1 or alone(s, east, seat))
        )
        cat = cat and may_live(s, boxes, sides, seat)
    if not cat and not counts(s, boxes, ALL_OPEN):
        return ahead(s, seat, had)
    had = shut_beside(s, boxes, sides, had)
    if not cat and not counts(s, boxes, sides):
        return ahead(s, seat, had)
    gather(s, cell, boxes, kind, sides)
    whole = s.sums[0]
    if kind == BED:
        whole[ASLEEP + seat] += 1
    rest = without_joined(s, boxes, sides, had)
    lead = ahead(s, seat, changed(rest, NOTHING, all_points(s, 0)))
    if cat:
        whole[AWAKE + seat] += 1
        lead = max(lead, ahead(s, seat, changed(rest, NOTHING, all_points(s, 0))))
    for k in range(SUMS):
        whole[k] = 0
    return lead


def best_laid(s: State, seat: int, kind: int, had: Scores, dice: Dice) -> tuple[int, int]:
    """The best lead that a card can bring, as lead times `TIE` and a bit of chance, and where it lies then."""
    sides = s.sides_of[kind]
    turned = turn_round(sides)
    best = NEVER * TIE
    move = 0
    for i in range(s.rim_count):
        cell = s.rim[i]
        boxes = around(s, cell)
        if kind == BED and not may_sleep(s, boxes, seat):
            continue
        for way in range(1 if turned == sides else 2):
            lies = turned if way == 1 else sides
            if walls_apart(s, cell, lies):
                key = lead_laid(s, seat, kind, cell, boxes, lies, had) * TIE + below(TIE, dice)
                if key > best:
                    best = key
                    move = M_LAY + 2 * cell + way
    return best, move


def lead_changed(s: State, seat: int, box: int, k: int, by: int, had: Scores) -> int:
    """The lead of a seat with one of the sums of a box changed."""
    before = all_points(s, box)
    s.sums[box][k] += by
    had = changed(had, before, all_points(s, box))
    s.sums[box][k] -= by
    return ahead(s, seat, had)


def best_replaced(s: State, seat: int, had: Scores, dice: Dice) -> tuple[int, int]:
    """The best lead that Princess can bring, as `best_laid`, and whom she replaces."""
    best = NEVER * TIE
    move = 0
    for i in range(s.laid_count):
        cell = s.laid[i]
        whose = s.top[cell] - 1
        if whose >= 0 and whose < s.seats and s.half[cell] < 2:
            asleep = s.half[cell] == 0
            lead = lead_changed(s, seat, s.box[cell], (ASLEEP if asleep else AWAKE) + whose, -1, had)
            key = lead * TIE + below(TIE, dice)
            if key > best:
                best = key
                move = (M_WAKE if asleep else M_REPLACE) + cell
    return best, move


def best_given(s: State, seat: int, had: Scores, dice: Dice) -> tuple[int, int]:
    """The best lead that a special toy can bring, as `best_laid`, and where it lies then."""
    best = NEVER * TIE
    move = 0
    for i in range(s.laid_count):
        cell = s.laid[i]
        if may_gift(s, cell, seat):
            key = lead_changed(s, seat, s.box[cell], SPECIAL, 1, had) * TIE + below(TIE, dice)
            if key > best:
                best = key
                move = M_TOY + cell
    if move == 0:
        return best_laid(s, seat, TOY, had, dice)
    return best, move


def best_played(s: State, seat: int, kind: int, had: Scores, dice: Dice) -> tuple[int, int]:
    """The best lead that a card can bring, as `best_laid`, and the decision after choosing it."""
    if kind == PRINCESS:
        return best_replaced(s, seat, had, dice)
    return best_laid(s, seat, kind, had, dice)


def answer(s: State, out: Row, dice: Dice) -> None:
    """Play the whole turn of the seat to move so that its lead is best after it; equals differ by chance.

    As `players.beam` finds it, with the card that will be drawn known, but no turn is left out and none is tried.
    """
    seat = s.turn
    had = scores(s)
    best = NEVER * TIE
    move = 0
    kind = 0
    drawn = 0
    if s.phase == TURN:
        drawn = s.pile[2 * s.seats + pile_size(s) - s.pile_count]
        if s.cats[seat] > 0:
            best, move = best_laid(s, seat, BED, had, dice)
            kind = BED if move > 0 else 0
        if drawn == TOY:
            key, there = best_given(s, seat, had, dice)
            if there == 0:
                key = ahead(s, seat, had) * TIE
            if key > best:
                best, move, kind = key, there, TOY
    if drawn != TOY:
        for i in range(s.hand_count[seat] + (1 if drawn > 0 else 0)):
            card = s.hand[seat][i] if i < s.hand_count[seat] else drawn
            key, there = best_played(s, seat, card, had, dice)
            if key > best:
                best, move, kind = key, there, card
    if s.phase == TURN:
        play(s, M_SLEEP if kind == BED else M_DRAW, dice)
    if s.phase == CARD and s.turn == seat:
        n = legal(s, out)
        play(s, M_CARD + kind if move > 0 else out[below(n, dice)], dice)
    if s.phase == LAY or s.phase == GIFT or s.phase == REPLACE:
        play(s, move, dice)
    if s.phase == CAT:
        n = legal(s, out)
        had = scores(s)
        stays = ahead(s, seat, had) * TIE + below(TIE, dice)
        comes = lead_changed(s, seat, s.box[s.placed], AWAKE + seat, 1, had) * TIE + below(TIE, dice)
        play(s, out[1 + below(n - 1, dice)] if n > 1 and comes > stays else M_NO_CAT, dice)
