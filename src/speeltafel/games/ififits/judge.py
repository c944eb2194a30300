"""If It Fits: what a bot thinks of a position, in the subset that compiles unchanged."""

from __future__ import annotations

from speeltafel.engine.chance import Dice, below
from speeltafel.engine.records import Row
from speeltafel.games.ififits.greed import NEVER, answer
from speeltafel.games.ififits.rules import (
    ALL_OPEN,
    ASLEEP,
    AWAKE,
    BACK,
    BED,
    CARD,
    CAT,
    CATS,
    LAY,
    M_CARD,
    M_DISCARD,
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
    SPRAYER,
    STEP,
    SUMS,
    TOY,
    TURN,
    Boxes,
    State,
    alone,
    around,
    bare,
    facing,
    gather,
    joins,
    joins_box,
    legal,
    lives,
    may_sleep,
    play,
    points,
    takes,
    turn_round,
    value,
    walls_apart,
)

MARGIN = 8
"""A lead of so many points counts as certain."""
WINNING = 0.3
SCALE = 18
"""A decision that looks worse by so much is about three times less likely to be a good one."""
EXPLORE = 0.6
PLENTY = 100_000
"""Every playout tells something here."""
LONG = 90
"""How many own decisions and turns of others a playout takes, mostly to the end; then it stops between two turns."""
DRAW = (0, 32, 55, -5, -24, 2)
"""What a turn that begins with a drawn card brings, by the cats still to lay, in tenths of a point, as are the next
four: three cats sleep where they can, the last two are kept for a card."""
EAGER = 5
"""What one cat less to lay is worth: the match ends with the fifth."""
ROOM = 1
"""What an opening of a box of one's own is worth, up to six: more cats can come."""
HOPE = 7
"""What a toy is worth beyond itself when one opening is left to close; when there are more, less."""
HOME = 10
"""What the first cat on the table is worth beyond itself: a box that the others must leave alone."""
CLAIM = 10
"""How much of what a box with sleeping cats only would bring counts at once, in percent: one awake may still come."""
UNION = 60
"""How much of what joining two boxes would bring counts as soon as one card can do it, in percent."""
BERTH = 8
"""What a card is worth, of those in one's own box, that a cat may lie on with the next one beside it."""
THEIRS = 2
"""What such a card in a box of somebody else's is worth less."""
HELD = 12
"""What a sprayer is worth as long as it is in the hand: it can be laid into a box of somebody else's later."""
WARY = 6
"""A seat that is wary takes somebody else for greedy one time in so many, at the turn and again at the card."""


def enough(view: State, s: State, decisions: int) -> bool:
    """Whether a playout of so many decisions may stop: between two turns, before the end begins."""
    return decisions >= LONG and s.phase == TURN


def promise(s: State, box: int, seat: int) -> int:
    """What a box is worth to the seat, with what may still come of it, in tenths of a point."""
    sums = s.sums[box]
    awake, asleep = sums[AWAKE + seat], sums[ASLEEP + seat]
    if awake + asleep == 0:
        return 0
    hope = 10 * points(s, box, seat) if awake > 0 else 0
    openings = sums[OPEN]
    if openings > 0:
        if s.cats[seat] == CATS:
            hope += HOME
        if alone(s, box, seat):
            hope += ROOM * min(openings, 6)
        if awake > 0:
            if takes(s, box, seat):
                hope += HOPE * value(s, box) // (openings * openings)
        elif s.cats[seat] > 0:
            sums[AWAKE + seat] = 1
            hope += CLAIM * (10 * points(s, box, seat) + HOPE * value(s, box) // (openings * openings)) // 100
            sums[AWAKE + seat] = 0
    return hope


def berth(s: State, box: int, seat: int) -> int:
    """What it is worth to the seat that a cat may soon lie in a box: nothing where nobody lives, or several do."""
    sums = s.sums[box]
    tenant = -1
    for p in range(s.seats):
        if sums[AWAKE + p] + sums[ASLEEP + p] > 0:
            if tenant >= 0:
                return 0
            tenant = p
    if tenant < 0 or s.cats[tenant] == 0:
        return 0
    return BERTH if tenant == seat else -THEIRS


def estimate(s: State, seat: int) -> int:
    """The points the seat may hope for."""
    hope = 0
    for box in range(1, s.boxes + 1):
        hope += promise(s, box, seat)
    return (hope + 5) // 10


def stake(s: State, box: int, seat: int) -> int:
    """What a box is worth to the seat, less what it is worth to an average other one."""
    others = 0
    for p in range(s.seats):
        if p != seat:
            others += promise(s, box, p)
    return promise(s, box, seat) - others // (s.seats - 1)


def changed(s: State, box: int, seat: int, k: int, by: int) -> int:
    """What it brings the seat that one of the sums of a box changes."""
    before = stake(s, box, seat)
    s.sums[box][k] += by
    after = stake(s, box, seat)
    s.sums[box][k] -= by
    return after - before


def union(s: State, a: int, b: int, seat: int) -> int:
    """What it is worth to the seat that a card can join two boxes; row 0 of `sums` counts as a box too."""
    whole = s.sums[0]
    before = stake(s, a, seat) + stake(s, b, seat)
    for k in range(SUMS):
        whole[k] += s.sums[b][k] + (s.sums[a][k] if a > 0 else 0)
    whole[OPEN] -= 2
    gain = stake(s, 0, seat) - before
    whole[OPEN] += 2
    for k in range(SUMS):
        whole[k] -= s.sums[b][k] + (s.sums[a][k] if a > 0 else 0)
    return UNION * max(0, gain) // 100


def parted(s: State, boxes: Boxes, sides: int, seat: int) -> int:
    """What it was worth that boxes could be joined in the free cell between them, where a card will not join them."""
    lost = 0
    for d in range(3):
        a = boxes[d]
        if a == 0 or joins_box(boxes, ALL_OPEN, a, d):
            continue
        for k in range(d + 1, 4):
            b = boxes[k]
            if b == 0 or b == a or joins_box(boxes, ALL_OPEN, b, k):
                continue
            if not joins_box(boxes, sides, a, 4) or not joins_box(boxes, sides, b, 4):
                lost += union(s, a, b, seat)
    return lost


def unions(s: State, cell: int, boxes: Boxes, sides: int, seat: int) -> int:
    """What it is worth that the box of a card, which lies in row 0 of `sums`, can be joined to another beyond it."""
    high = 0
    for d in range(4):
        beyond = cell + STEP[d]
        if (sides >> d) & 1 == 0 or s.card[beyond] != 0:
            continue
        for k in range(4):
            box = facing(s, beyond, k) if k != BACK[d] else 0
            if box > 0 and not joins_box(boxes, sides, box, 4):
                high = max(high, union(s, 0, box, seat))
    return high


def laid_so(s: State, seat: int, kind: int, cell: int, boxes: Boxes, sides: int) -> int:
    """What laying a card in a cell changes for the seat, with the cat that may follow."""
    before = 0
    gain = 0
    count = 0
    lived_in = kind == BED
    for d in range(4):
        box = boxes[d]
        if box == 0:
            continue
        count += 1
        if (sides >> d) & 1 == 0:
            # its opening is shut by our wall
            gain += changed(s, box, seat, OPEN, -1)
        elif not joins_box(boxes, sides, box, d):
            before += stake(s, box, seat)
            for p in range(s.seats):
                lived_in = lived_in or lives(s, box, p)
        if d % 2 == 1 and bare(s, cell + STEP[d]):
            gain -= berth(s, box, seat)
    if count > 1:
        gain -= parted(s, boxes, sides, seat)
    cat = False
    if kind < TOY and s.cats[seat] > 0:
        west = joins(boxes, sides, 3) > 0 and bare(s, cell - 1)
        east = joins(boxes, sides, 1) > 0 and bare(s, cell + 1)
        cat = west or east
    if not lived_in and not cat:
        return gain
    gather(s, cell, boxes, kind, sides)
    whole = s.sums[0]
    if kind == BED:
        whole[ASLEEP + seat] += 1
        gain += EAGER
    without_cat = stake(s, 0, seat)
    gain += without_cat - before
    if kind != BED:
        for d in (1, 3):
            if s.card[cell + STEP[d]] == 0 and (sides >> d) & 1 == 1:
                gain += berth(s, 0, seat)
    if cat and (lives(s, 0, seat) or alone(s, 0, seat)):
        whole[AWAKE + seat] += 1
        comes = stake(s, 0, seat) - without_cat + EAGER
        if comes > 0:
            gain += comes
        else:
            whole[AWAKE + seat] -= 1
    gain += unions(s, cell, boxes, sides, seat)
    for k in range(SUMS):
        whole[k] = 0
    return gain


def best_lay(s: State, seat: int, kind: int, first: int) -> tuple[int, int]:
    """The worth of the best place for a card, and the decision to lay it there; of equals the next from `first` on."""
    sides = s.sides_of[kind]
    turned = turn_round(sides)
    best = NEVER
    move = 0
    for i in range(s.rim_count):
        cell = s.rim[(first + i) % s.rim_count]
        boxes = around(s, cell)
        if kind == BED and not may_sleep(s, boxes, seat):
            continue
        for way in range(1 if turned == sides else 2):
            lies = turned if way == 1 else sides
            if walls_apart(s, cell, lies):
                looks = laid_so(s, seat, kind, cell, boxes, lies)
                if looks > best:
                    best = looks
                    move = M_LAY + 2 * cell + way
    return best, move


def sent_home(s: State, seat: int, cell: int, column: int) -> int:
    """What it changes for the seat when the cat in a cell goes back to its owner."""
    whose = s.top[cell] - 1
    leaves = -EAGER if whose == seat else EAGER // (s.seats - 1)
    return changed(s, s.box[cell], seat, column + whose, -1) + leaves


def best_princess(s: State, seat: int) -> int:
    """The worth of the best cat to send home."""
    best = NEVER
    for i in range(s.laid_count):
        cell = s.laid[i]
        if 0 < s.top[cell] and s.top[cell] <= s.seats and s.half[cell] < 2:
            best = max(best, sent_home(s, seat, cell, AWAKE if s.half[cell] == 1 else ASLEEP))
    return best


def best_card(s: State, seat: int, kind: int, first: int) -> tuple[int, int]:
    """What a hand card is worth, and as `best_lay` where it would lie; 0 for a Princess."""
    if kind == PRINCESS:
        return best_princess(s, seat), 0
    best, move = best_lay(s, seat, kind, first)
    return best - HELD * s.content[kind][SPRAYER], move


def worth(s: State, move: int) -> int:
    """How good a legal decision looks to the seat whose turn it is; higher is better, in tenths of a point."""
    seat = s.turn
    if s.phase == TURN:
        return best_lay(s, seat, BED, 0)[0] if move == M_SLEEP else DRAW[s.cats[seat]]
    if s.phase == CARD:
        return 0 if move >= M_DISCARD else best_card(s, seat, move - M_CARD, 0)[0]
    if s.phase == LAY:
        sides = s.sides_of[s.laying]
        if (move - M_LAY) % 2 == 1:
            sides = turn_round(sides)
        cell = (move - M_LAY) // 2
        return laid_so(s, seat, s.laying, cell, around(s, cell), sides)
    if s.phase == CAT:
        return 0 if move == M_NO_CAT else changed(s, s.box[s.placed], seat, AWAKE + seat, 1) + EAGER
    if s.phase == REPLACE:
        if move >= M_WAKE:
            return sent_home(s, seat, move - M_WAKE, ASLEEP)
        return sent_home(s, seat, move - M_REPLACE, AWAKE)
    return changed(s, s.box[move - M_TOY], seat, SPECIAL, 1)


def guide(s: State, out: Row, n: int, dice: Dice) -> int:
    """The decision of a playout among the `n` legal ones in `out`: the best by its looks."""
    if n == 1:
        return out[0]
    best = out[0]
    high = 8 * NEVER
    for i in range(n):
        looks = 4 * worth(s, out[i]) + below(4, dice)
        if looks > high:
            high = looks
            best = out[i]
    return best


def follow(s: State, out: Row, dice: Dice) -> None:
    """Play on by `guide`: by one decision, or by a card and its place, so that no place is looked at twice."""
    seat = s.turn
    n = legal(s, out)
    if n == 1 or (s.phase != TURN and s.phase != CARD) or out[0] >= M_DISCARD:
        play(s, guide(s, out, n, dice), dice)
        return
    best = 8 * NEVER
    move = 0
    place = 0
    for i in range(n):
        looks = DRAW[s.cats[seat]]
        there = 0
        if out[i] != M_DRAW:
            first = below(s.rim_count, dice)
            if out[i] == M_SLEEP:
                looks, there = best_lay(s, seat, BED, first)
            else:
                looks, there = best_card(s, seat, out[i] - M_CARD, first)
        looks = 4 * looks + below(4, dice)
        if looks > best:
            best, move, place = looks, out[i], there
    play(s, move, dice)
    if place > 0:
        play(s, place, dice)


def advance(s: State, seat: int, wary: int, out: Row, dice: Dice) -> None:
    """Play on: as the seat would by `follow`, or by a whole turn of somebody else.

    Somebody else is greedy; to a seat that is wary, mostly as clever as itself.
    """
    # greed can take over before a card is chosen, not when it is being laid
    begun = s.phase != TURN and s.phase != CARD
    if s.turn == seat or begun or (wary == 1 and below(WARY, dice) > 0):
        follow(s, out, dice)
    else:
        answer(s, out, dice)
