"""If It Fits: the state and the rules, in the subset that compiles unchanged."""

from __future__ import annotations

from speeltafel.engine.chance import Dice, below, mix, settle
from speeltafel.engine.hand import insert, remove
from speeltafel.engine.records import Grid, Record, Row, int8, owner, public, secret

SEATS = 5
CATS = 5
HAND = 3
"""Two cards, and a third between drawing and playing."""

# the table lies in a frame of cells that are off it, so every cell of it has four neighbours
WIDTH, HEIGHT = 23, 13
CELLS = WIDTH * HEIGHT
RIM = 154
"""The most free cells that can touch laid cards: n cards have at most 2n + 2, and 231 - n are free."""
LAID = 105
"""The most cards on the table: 72 boxes, 3 special toys, 5 start boxes, 25 sleeping cats."""
BOXES = LAID + 1

# kinds of card: 1 to 72 are the box cards of the deck
DECK, TOY, PRINCESS, START, BED = 72, 73, 74, 75, 76
KINDS = 77
TOYS = 3
PILE = DECK + TOYS + 5
OFF = -1
"""In `card`: a cell that is not on the table."""

# what lies across cards, in `top`: 1 to 5 are the cats of seats 0 to 4
T_PRINCESS, T_TOY = 6, 7

# sides, clockwise; side d is bit d of a mask of open sides
STEP = (-WIDTH, 1, WIDTH, -1)
BACK = (2, 3, 0, 1)
ALL_OPEN = 15

# the sums kept of each box; the first five are also the contents of a card
BALL, MOUSE, FEATHER, SPRAYER, SPECIAL, OPEN, SIZE, AWAKE, ASLEEP = 0, 1, 2, 3, 4, 5, 6, 7, 12
CONTENTS = 5
SUMS = 17

# phases: which decision is asked
TURN, CARD, LAY, CAT, REPLACE, GIFT = 0, 1, 2, 3, 4, 5

# decisions: a kind of card is added to the next two, the (western) cell to the others, twice the cell to M_LAY
M_DRAW, M_SLEEP, M_CARD, M_DISCARD, M_NO_CAT = 0, 1, 100, 200, 300
M_CAT, M_TOY, M_REPLACE, M_WAKE, M_LAY = 1000, 2000, 3000, 4000, 5000
MAX_LEGAL = 2 * RIM


Boxes = tuple[int, int, int, int]
"""The numbers of the boxes at the four sides of a cell, each or 0."""


class State(Record):
    """A match of If It Fits. A cell is `row * 23 + column`, both from 1; a box is its number, from 1."""

    table: int = public(of=int8)
    """Option: 0 is 21 x 11 cells, 1 is 11 x 7."""
    occupancy: int = public(of=int8)
    """Option: 0 document (IF-24 and IF-25), 1 present (IF-25 alone)."""
    extra_cats: int = public(of=int8)
    """Option: 0 everyone, 1 scorers (IF-72)."""
    advanced: int = public(of=int8)
    """Option: 1 with the four rules of IF-62."""
    sides_of: Row = public(KINDS, of=int8)
    """The open sides of each kind of card, unturned."""
    content: Grid = public(KINDS, CONTENTS, of=int8)
    """Balls, mice, feathers, sprayers and special toys on each kind of card."""
    card: Row = public(CELLS, of=int8)
    """The kind of card in each cell, 0 where it is free, OFF beside the table."""
    sides: Row = public(CELLS, of=int8)
    """Its open sides as it lies."""
    top: Row = public(CELLS, of=int8)
    """What lies on the card: 1 + seat for a cat, T_PRINCESS, T_TOY, or 0."""
    half: Row = public(CELLS, of=int8)
    """1 and 2 for the western and eastern half of what lies across two cards, else 0."""
    box: Row = public(CELLS, of=int8)
    """The box that the card belongs to."""
    sums: Grid = public(BOXES, SUMS)
    """What is in each box; a box of SIZE 0 does not exist. Row 0 is for `gather`."""
    boxes: int = public(of=int8)
    """The highest number that a box has had."""
    laid: Row = public(LAID)
    """Cells in the order in which they were filled."""
    laid_count: int = public(of=int8)
    rim: Row = public(RIM)
    """The free cells that touch a card, ascending."""
    rim_count: int = public()
    cats: Row = public(SEATS, of=int8)
    """Cats still in front of each seat."""
    hand: Grid = owner(SEATS, HAND, of=int8)
    """Ascending; the first `hand_count` are cards."""
    hand_count: Row = public(SEATS, of=int8)
    laying: int = public(of=int8)
    """The kind of card being laid or played."""
    placed: int = public()
    """The cell of the box card laid this turn, while a cat may follow."""
    across: int = public(of=int8)
    """Where that cat may lie: bit 0 with the western neighbour, bit 1 with the eastern one."""
    shown: Row = public(KINDS, of=int8)
    """How many cards of each kind everybody has seen."""
    drawn: Row = public(SEATS, of=int8)
    """How many cards each seat has drawn into its hand."""
    drawn_here: Row = public(SEATS, of=int8)
    """How many of those came from the part of the pile that is on top now (IF-4)."""
    sent: Row = public(SEATS, of=int8)
    """How many Princess cards each seat has played or discarded."""
    met: Row = owner(SEATS)
    """The parts of the draw pile in which the seat itself found Princess, as a mask."""
    discards: int = public(of=int8)
    pile_count: int = public(of=int8)
    ending: int = public(of=int8)
    """1 once the end has begun (IF-60)."""
    pile: Row = secret(2 * SEATS + PILE, of=int8)
    """The shuffle: two cards a seat, then the draw pile, top first. Dealt and drawn cards are 0."""
    pool: Row = secret(PILE, of=int8)
    """Scratch space of `imagine`."""


def deal(s: State, dice: Dice) -> None:
    """Mark out the table, lay the start boxes, deal two cards each and build the pile (IF-1 to IF-5, IF-62)."""
    width, height = table_width(s), table_height(s)
    for cell in range(CELLS):
        s.card[cell] = OFF
    for row in range(1, height + 1):
        for column in range(1, width + 1):
            s.card[row * WIDTH + column] = 0
    start = ((height - s.seats) // 2 + 1) * WIDTH + (width + 1) // 2
    for i in range(s.seats):
        lay(s, start + i * WIDTH, START, ALL_OPEN)
    shuffle(s, dice)
    for seat in range(s.seats):
        s.cats[seat] = CATS
        for i in range(2):
            insert(s.hand[seat], i, s.pile[2 * seat + i])
            s.pile[2 * seat + i] = 0
        s.hand_count[seat] = 2
    s.pile_count = pile_size(s)
    s.turn = s.first
    s.phase = TURN
    s.reveals = 1


def table_width(s: State) -> int:
    """Cells from west to east (IF-11)."""
    return 11 if s.table == 1 else 21


def table_height(s: State) -> int:
    """Cells from north to south (IF-11)."""
    return 7 if s.table == 1 else 11


def princesses(s: State) -> int:
    """How many Princess cards are in the match (IF-2, IF-62)."""
    return 5 if s.advanced == 1 else s.seats


def pile_size(s: State) -> int:
    """Cards in the draw pile at the start."""
    return DECK + TOYS - 2 * s.seats + princesses(s)


def part_start(s: State, part: int) -> int:
    """How many cards of the draw pile lie above a part of it; the first parts get the odd cards (IF-4)."""
    cards = DECK + TOYS - 2 * s.seats
    return part * (cards // s.seats + 1) + min(part, cards % s.seats)


def shuffle(s: State, dice: Dice) -> None:
    """Put hands and draw pile in order: box cards only in the hands, a Princess in each part (IF-3, IF-4, IF-62).

    A loaded order that breaks this sets `dice.bad`.
    """
    hands = 2 * s.seats
    for i in range(DECK):
        s.pile[i] = i + 1
    mix(s.pile, 0, DECK, dice)
    for i in range(TOYS):
        s.pile[DECK + i] = TOY
    mix(s.pile, hands, DECK + TOYS, dice)
    total = hands + pile_size(s)
    if s.advanced == 1:
        for i in range(DECK + TOYS, total):
            s.pile[i] = PRINCESS
        mix(s.pile, hands, total, dice)
    else:
        # from the last part to the first: move the part down, put Princess at its head, shuffle it
        end = DECK + TOYS
        for part in range(s.seats - 1, -1, -1):
            start = hands + part_start(s, part)
            stop = hands + part_start(s, part + 1)
            for i in range(stop - 1, start, -1):
                end -= 1
                s.pile[i] = s.pile[end]
            s.pile[start] = PRINCESS
            mix(s.pile, start, stop, dice)
    settle(s.pile, 0, total, dice)
    for i in range(hands):
        if s.pile[i] > DECK:
            dice.bad = 1
    if s.advanced == 0:
        for part in range(s.seats):
            found = 0
            for i in range(hands + part_start(s, part), hands + part_start(s, part + 1)):
                if s.pile[i] == PRINCESS:
                    found += 1
            if found != 1:
                dice.bad = 1


# boxes: the one place where they are found, joined and valued


def turn_round(sides: int) -> int:
    """Open sides after a turn by 180 degrees."""
    return ((sides << 2) | (sides >> 2)) & ALL_OPEN


def facing(s: State, cell: int, d: int) -> int:
    """The number of the box whose card beyond side `d` of a cell is open towards it, or 0."""
    beyond = cell + STEP[d]
    if s.card[beyond] > 0 and (s.sides[beyond] >> BACK[d]) & 1 == 1:
        return s.box[beyond]
    return 0


def around(s: State, cell: int) -> Boxes:
    """The boxes that are open towards a cell, at its four sides, as `facing`."""
    return facing(s, cell, 0), facing(s, cell, 1), facing(s, cell, 2), facing(s, cell, 3)


def joins(boxes: Boxes, sides: int, d: int) -> int:
    """Which of the boxes around its cell a card with these open sides joins at its side `d`, or 0."""
    return boxes[d] if (sides >> d) & 1 == 1 else 0


def joins_box(boxes: Boxes, sides: int, box: int, stop: int) -> bool:
    """Whether a card joins a box, of those around its cell, at one of its first `stop` sides."""
    for d in range(stop):
        if joins(boxes, sides, d) == box:
            return True
    return False


def gather(s: State, cell: int, boxes: Boxes, kind: int, sides: int) -> None:
    """Work out, in row 0 of `sums`, the box that a card would belong to in a free cell with these boxes around it."""
    whole = s.sums[0]
    for k in range(SUMS):
        whole[k] = s.content[kind][k] if k < CONTENTS else 0
    whole[SIZE] = 1
    for d in range(4):
        box = joins(boxes, sides, d)
        if box > 0 and not joins_box(boxes, sides, box, d):
            part = s.sums[box]
            for k in range(SUMS):
                whole[k] += part[k]
    for d in range(4):
        if s.card[cell + STEP[d]] <= 0:
            whole[OPEN] += (sides >> d) & 1
        elif boxes[d] > 0 and joins_box(boxes, sides, boxes[d], 4):
            whole[OPEN] -= 1


def lay(s: State, cell: int, kind: int, sides: int) -> None:
    """Lay a card; boxes that it joins become one, under the lowest of their numbers."""
    boxes = around(s, cell)
    gather(s, cell, boxes, kind, sides)
    box = BOXES
    for d in range(4):
        joined = joins(boxes, sides, d)
        if joined > 0:
            box = min(box, joined)
        elif boxes[d] > 0:
            s.sums[boxes[d]][OPEN] -= 1
    if box == BOXES:
        box = 1
        while s.sums[box][SIZE] > 0:
            box += 1
        s.boxes = max(s.boxes, box)
    for d in range(4):
        joined = joins(boxes, sides, d)
        if joined > 0 and joined != box and not joins_box(boxes, sides, joined, d):
            for i in range(s.laid_count):
                if s.box[s.laid[i]] == joined:
                    s.box[s.laid[i]] = box
            for k in range(SUMS):
                s.sums[joined][k] = 0
    for k in range(SUMS):
        s.sums[box][k] = s.sums[0][k]
        s.sums[0][k] = 0
    if s.card[cell] == 0 and s.rim_count > 0:
        remove(s.rim, s.rim_count, cell)
        s.rim_count -= 1
    s.card[cell] = kind
    s.sides[cell] = sides
    s.box[cell] = box
    s.laid[s.laid_count] = cell
    s.laid_count += 1
    for d in range(4):
        beyond = cell + STEP[d]
        if s.card[beyond] == 0 and touches(s, beyond) == 1:
            insert(s.rim, s.rim_count, beyond)
            s.rim_count += 1


def touches(s: State, cell: int) -> int:
    """How many cards a cell touches."""
    n = 0
    for d in range(4):
        if s.card[cell + STEP[d]] > 0:
            n += 1
    return n


def value(s: State, box: int) -> int:
    """What a box is worth: its most frequent toy less its sprayers, doubled when closed (IF-52, IF-71)."""
    sums = s.sums[box]
    points = max(sums[BALL], sums[MOUSE], sums[FEATHER]) + sums[SPECIAL] - sums[SPRAYER]
    return 2 * points if sums[OPEN] == 0 else points


def counting(s: State, box: int, seat: int) -> int:
    """The seat's cats that count in a box: sleeping ones only beside one awake (IF-32)."""
    awake = s.sums[box][AWAKE + seat]
    return awake + s.sums[box][ASLEEP + seat] if awake > 0 else 0


def weight(s: State, box: int, seat: int) -> int:
    """The seat's cats in half cats, for the majority; a sleeping one is worth one half in IF-62."""
    cats = 2 * counting(s, box, seat)
    return cats - s.sums[box][ASLEEP + seat] if s.advanced == 1 and cats > 0 else cats


def takes(s: State, box: int, seat: int) -> bool:
    """Whether the seat has most cats in a box, alone or with others (IF-70)."""
    mine = weight(s, box, seat)
    for other in range(s.seats):
        if weight(s, box, other) > mine:
            return False
    return mine > 0


def extra(s: State, box: int, seat: int) -> int:
    """Points for the seat's cats in a box after the first (IF-72)."""
    if s.advanced == 1 or (s.extra_cats == 1 and not takes(s, box, seat)):
        return 0
    return max(0, counting(s, box, seat) - 1)


def points(s: State, box: int, seat: int) -> int:
    """All that the seat gets for a box as it lies: nothing with no cat awake in it."""
    if s.sums[box][AWAKE + seat] == 0:
        return 0
    return extra(s, box, seat) + (value(s, box) if takes(s, box, seat) else 0)


def minus(s: State, seat: int) -> int:
    """Points lost to sprayers in the boxes that the seat takes (IF-73)."""
    lost = 0
    for box in range(1, s.boxes + 1):
        if s.sums[box][SPRAYER] > 0 and takes(s, box, seat):
            lost += s.sums[box][SPRAYER] * (2 if s.sums[box][OPEN] == 0 else 1)
    return lost


def score(s: State, seat: int) -> int:
    """Points of all boxes as if the match ended now (IF-70 to IF-72)."""
    total = 0
    for box in range(1, s.boxes + 1):
        total += points(s, box, seat)
    return total


def wins(s: State, seat: int) -> int:
    """1 if nobody has more points, or as many with fewer minus points (IF-73)."""
    mine = score(s, seat)
    for other in range(s.seats):
        theirs = score(s, other)
        if theirs > mine or (theirs == mine and minus(s, other) < minus(s, seat)):
            return 0
    return 1


# places


def alone(s: State, box: int, seat: int) -> bool:
    """Whether no other seat has a cat in the box; cats asleep count, Princess does not (IF-24)."""
    sums = s.sums[box]
    for other in range(s.seats):
        if other != seat and sums[AWAKE + other] + sums[ASLEEP + other] > 0:
            return False
    return True


def lives(s: State, box: int, seat: int) -> bool:
    """Whether the seat has a cat in the box, awake or asleep."""
    return s.sums[box][AWAKE + seat] + s.sums[box][ASLEEP + seat] > 0


def walls_apart(s: State, cell: int, sides: int) -> bool:
    """Whether no wall would stand against a wall, which IF-62 asks; without it always true (IF-12)."""
    if s.advanced == 0:
        return True
    for d in range(4):
        if (sides >> d) & 1 == 0 and s.card[cell + STEP[d]] > 0 and facing(s, cell, d) == 0:
            return False
    return True


def may_sleep(s: State, boxes: Boxes, seat: int) -> bool:
    """Whether the seat's sleeping cat may lie in a cell of the rim with these boxes around it (IF-31)."""
    for d in range(4):
        box = boxes[d]
        if box > 0 and not alone(s, box, seat) and not lives(s, box, seat):
            return False
    return True


def may_live(s: State, boxes: Boxes, sides: int, seat: int) -> bool:
    """Whether what a card would join of the boxes around a free cell, taken together, takes in a cat (IF-25)."""
    mine = False
    others = False
    for d in range(4):
        box = joins(boxes, sides, d)
        if box > 0:
            mine = mine or lives(s, box, seat)
            others = others or not alone(s, box, seat)
    return mine or not others


def bare(s: State, cell: int) -> bool:
    """Whether a box card without anything on it lies in a cell (IF-26)."""
    return s.card[cell] > 0 and s.card[cell] != BED and s.top[cell] == 0


def span(s: State, west: int) -> bool:
    """Whether something may lie across a cell and its eastern neighbour: two bare cards, joined (IF-22, IF-26)."""
    return bare(s, west) and bare(s, west + 1) and (s.sides[west] >> 1) & 1 == 1 and (s.sides[west + 1] >> 3) & 1 == 1


def may_gift(s: State, west: int, seat: int) -> bool:
    """Whether the seat's special toy may lie across a cell and its eastern neighbour (IF-50)."""
    box = s.box[west]
    return span(s, west) and (alone(s, box, seat) or (s.occupancy == 1 and lives(s, box, seat)))


def gifts(s: State, seat: int) -> bool:
    """Whether a special toy has a place on a box (IF-51)."""
    for i in range(s.laid_count):
        if may_gift(s, s.laid[i], seat):
            return True
    return False


def beds(s: State, seat: int) -> bool:
    """Whether the seat has a sleeping cat to play and a place for it."""
    if s.cats[seat] > 0:
        for i in range(s.rim_count):
            if may_sleep(s, around(s, s.rim[i]), seat):
                return True
    return False


def roaming(s: State) -> int:
    """How many cats are on the table."""
    n = 0
    for seat in range(s.seats):
        n += CATS - s.cats[seat]
    return n


def playable(s: State, kind: int) -> bool:
    """Whether a hand card can be played (IF-42, IF-61)."""
    if kind == PRINCESS:
        return roaming(s) > 0
    sides = s.sides_of[kind]
    for i in range(s.rim_count):
        if walls_apart(s, s.rim[i], sides) or walls_apart(s, s.rim[i], turn_round(sides)):
            return True
    return False


def legal(s: State, out: Row) -> int:
    """Write the legal decisions into `out`, ascending; returns how many."""
    if s.over == 1:
        return 0
    n = 0
    seat = s.turn
    if s.phase == TURN:
        out[0] = M_DRAW
        n = 1
        if beds(s, seat):
            out[1] = M_SLEEP
            n = 2
    elif s.phase == CARD:
        hand = s.hand[seat]
        for i in range(s.hand_count[seat]):
            if (i == 0 or hand[i] != hand[i - 1]) and playable(s, hand[i]):
                out[n] = M_CARD + hand[i]
                n += 1
        if n == 0:
            for i in range(s.hand_count[seat]):
                if i == 0 or hand[i] != hand[i - 1]:
                    out[n] = M_DISCARD + hand[i]
                    n += 1
    elif s.phase == LAY:
        sides = s.sides_of[s.laying]
        turned = turn_round(sides)
        rim = s.rim
        for i in range(s.rim_count):
            cell = rim[i]
            if s.laying == BED and not may_sleep(s, around(s, cell), seat):
                continue
            if walls_apart(s, cell, sides):
                out[n] = M_LAY + 2 * cell
                n += 1
            if turned != sides and walls_apart(s, cell, turned):
                out[n] = M_LAY + 2 * cell + 1
                n += 1
    elif s.phase == CAT:
        out[0] = M_NO_CAT
        n = 1
        for i in range(2):
            if (s.across >> i) & 1 == 1:
                out[n] = M_CAT + s.placed - 1 + i
                n += 1
    elif s.phase == REPLACE:
        for cell in range(CELLS):
            if 0 < s.top[cell] and s.top[cell] <= SEATS and s.half[cell] == 1:
                out[n] = M_REPLACE + cell
                n += 1
        for cell in range(CELLS):
            if 0 < s.top[cell] and s.top[cell] <= SEATS and s.half[cell] == 0:
                out[n] = M_WAKE + cell
                n += 1
    else:
        for cell in range(CELLS):
            if s.card[cell] > 0 and may_gift(s, cell, seat):
                out[n] = M_TOY + cell
                n += 1
    return n


# the turn


def play(s: State, move: int, dice: Dice) -> None:
    """Carry out a legal decision."""
    seat = s.turn
    if s.phase == TURN:
        if move == M_SLEEP:
            s.laying = BED
            s.phase = LAY
        else:
            draw(s, seat)
    elif s.phase == CARD:
        if move >= M_DISCARD:
            leave_hand(s, seat, move - M_DISCARD)
            s.discards += 1
            end_turn(s)
        else:
            s.laying = move - M_CARD
            leave_hand(s, seat, s.laying)
            s.phase = REPLACE if s.laying == PRINCESS else LAY
    elif s.phase == LAY:
        lay_down(s, seat, (move - M_LAY) // 2, (move - M_LAY) % 2)
    elif s.phase == CAT:
        if move != M_NO_CAT:
            spread(s, move - M_CAT, seat + 1)
            s.sums[s.box[s.placed]][AWAKE + seat] += 1
            use_cat(s, seat)
        end_turn(s)
    elif s.phase == REPLACE:
        if move >= M_WAKE:
            send_home(s, move - M_WAKE, ASLEEP)
            s.top[move - M_WAKE] = T_PRINCESS
        else:
            send_home(s, move - M_REPLACE, AWAKE)
            spread(s, move - M_REPLACE, T_PRINCESS)
        end_turn(s)
    else:
        spread(s, move - M_TOY, T_TOY)
        s.sums[s.box[move - M_TOY]][SPECIAL] += 1
        end_turn(s)


def draw(s: State, seat: int) -> None:
    """Draw the top card; a special toy is laid at once, the rest goes into the hand (IF-20, IF-40, IF-50, IF-51)."""
    at = pile_size(s) - s.pile_count
    part = 0
    while part_start(s, part + 1) <= at:
        part += 1
    card = s.pile[2 * s.seats + at]
    s.pile[2 * s.seats + at] = 0
    s.pile_count -= 1
    s.reveals += 1
    if s.pile_count == 0:
        s.ending = 1
    if card == TOY:
        s.shown[TOY] += 1
        if gifts(s, seat):
            s.laying = TOY
            s.phase = GIFT
        elif s.rim_count > 0:
            s.laying = TOY
            s.phase = LAY
        else:
            s.discards += 1
            end_turn(s)
    else:
        insert(s.hand[seat], s.hand_count[seat], card)
        s.hand_count[seat] += 1
        s.drawn[seat] += 1
        s.drawn_here[seat] += 1
        s.phase = CARD
        if card == PRINCESS and s.advanced == 0:
            s.met[seat] |= 1 << part
    if part_start(s, part + 1) == at + 1:
        for p in range(s.seats):
            s.drawn_here[p] = 0


def leave_hand(s: State, seat: int, kind: int) -> None:
    """Take a card out of the hand, for everybody to see."""
    remove(s.hand[seat], s.hand_count[seat], kind)
    s.hand_count[seat] -= 1
    s.shown[kind] += 1
    if kind == PRINCESS:
        s.sent[seat] += 1


def lay_down(s: State, seat: int, cell: int, turned: int) -> None:
    """Lay the card in question; after a box card see where a cat may follow (IF-21 to IF-25)."""
    sides = s.sides_of[s.laying]
    if turned == 1:
        sides = turn_round(sides)
    boxes = around(s, cell)
    welcome = may_live(s, boxes, sides, seat)
    # IF-24 looks at the neighbour's box before the card came
    west = joins(boxes, sides, 3)
    east = joins(boxes, sides, 1)
    west_free = west > 0 and (s.occupancy == 1 or alone(s, west, seat))
    east_free = east > 0 and (s.occupancy == 1 or alone(s, east, seat))
    lay(s, cell, s.laying, sides)
    if s.laying == BED:
        s.top[cell] = seat + 1
        s.sums[s.box[cell]][ASLEEP + seat] += 1
        use_cat(s, seat)
        end_turn(s)
        return
    s.placed = cell
    s.across = 0
    if s.cats[seat] > 0 and welcome:
        if west_free and span(s, cell - 1):
            s.across |= 1
        if east_free and span(s, cell):
            s.across |= 2
    s.phase = CAT


def spread(s: State, west: int, what: int) -> None:
    """Lay something across a cell and its eastern neighbour."""
    s.top[west] = what
    s.top[west + 1] = what
    s.half[west] = 1
    s.half[west + 1] = 2


def use_cat(s: State, seat: int) -> None:
    """Take a cat from in front of the seat; the fifth begins the end (IF-60)."""
    s.cats[seat] -= 1
    if s.cats[seat] == 0:
        s.ending = 1


def send_home(s: State, cell: int, column: int) -> None:
    """Give the cat in a cell back to its owner (IF-41)."""
    owner_seat = s.top[cell] - 1
    s.sums[s.box[cell]][column + owner_seat] -= 1
    s.cats[owner_seat] += 1


def end_turn(s: State) -> None:
    """Pass the turn, or end the match when all hands are empty (IF-60)."""
    s.laying = 0
    s.placed = 0
    s.across = 0
    s.turn = (s.turn + 1) % s.seats
    s.phase = TURN
    if s.ending == 1:
        s.phase = CARD
        if s.hand_count[s.turn] == 0:
            s.over = 1


# what a seat cannot see


def room(s: State, seat: int) -> int:
    """The most Princess cards a hand can hold: those drawn, not those dealt (IF-3)."""
    n = 0
    for i in range(s.hand_count[seat]):
        if s.hand[seat][i] == PRINCESS:
            n += 1
    return min(s.hand_count[seat], s.drawn[seat] - s.sent[seat]) - n


def imagine(s: State, seat: int, dice: Dice) -> None:
    """Deal what `seat` cannot see to the other hands and the pile, a Princess in each part (IF-4)."""
    hands = 2 * s.seats
    gone = pile_size(s) - s.pile_count
    places = 0
    for p in range(s.seats):
        if p != seat:
            places += max(0, room(s, p))
    in_hands = 0
    if s.advanced == 1:
        hidden = 5 - s.shown[PRINCESS]
        if seat >= 0:
            for i in range(s.hand_count[seat]):
                if s.hand[seat][i] == PRINCESS:
                    hidden -= 1
        free = places
        left = s.pile_count
        for _ in range(hidden):
            if below(free + left, dice) < free:
                in_hands += 1
                free -= 1
            else:
                left -= 1
        for i in range(hidden - in_hands):
            s.pile[hands + gone + i] = PRINCESS
        mix(s.pile, hands + gone, hands + pile_size(s), dice)
    else:
        mine = s.met[seat] if seat >= 0 else 0
        here = 0
        for p in range(s.seats):
            if p != seat:
                in_hands -= s.sent[p]
                here += s.drawn_here[p]
        for part in range(s.seats):
            start = part_start(s, part)
            stop = part_start(s, part + 1)
            if start >= gone:
                s.pile[hands + start + below(stop - start, dice)] = PRINCESS
            elif (mine >> part) & 1 == 0:
                if stop <= gone:
                    in_hands += 1
                elif in_hands >= 0 and (in_hands == places or below(stop - gone + here, dice) >= here):
                    s.pile[hands + gone + below(stop - gone, dice)] = PRINCESS
                else:
                    in_hands += 1
    deal_princesses(s, seat, in_hands, dice)
    if s.advanced == 0:
        remember(s, seat)
    pool = 0
    for kind in range(1, DECK + 1):
        s.pool[kind - 1] = 1 - s.shown[kind]
    if seat >= 0:
        for i in range(s.hand_count[seat]):
            if s.hand[seat][i] <= DECK:
                s.pool[s.hand[seat][i] - 1] = 0
    for kind in range(1, DECK + 1):
        if s.pool[kind - 1] == 1:
            s.pool[pool] = kind
            pool += 1
    mix(s.pool, 0, pool, dice)
    for p in range(s.seats):
        if p != seat:
            count = 0
            while count < s.hand_count[p] and s.hand[p][count] > 0:
                count += 1
            while count < s.hand_count[p]:
                pool -= 1
                insert(s.hand[p], count, s.pool[pool])
                count += 1
    for _ in range(TOYS - s.shown[TOY]):
        s.pool[pool] = TOY
        pool += 1
    mix(s.pool, 0, pool, dice)
    for i in range(gone, pile_size(s)):
        if s.pile[hands + i] == 0:
            pool -= 1
            s.pile[hands + i] = s.pool[pool]


def deal_princesses(s: State, seat: int, count: int, dice: Dice) -> None:
    """Put hidden Princess cards into the other hands, which are empty so far, each place equally likely."""
    for _ in range(count):
        places = 0
        for p in range(s.seats):
            if p != seat:
                places += max(0, room(s, p))
        at = below(places, dice)
        for p in range(s.seats):
            if p != seat and at >= 0:
                free = max(0, room(s, p))
                if at < free:
                    i = 0
                    while s.hand[p][i] > 0:
                        i += 1
                    s.hand[p][i] = PRINCESS
                at -= free


def remember(s: State, seat: int) -> None:
    """Say from which parts the others had their Princess cards: any that are no longer in the pile."""
    hands = 2 * s.seats
    gone = pile_size(s) - s.pile_count
    part = 0
    mine = s.met[seat] if seat >= 0 else 0
    for p in range(s.seats):
        if p != seat:
            count = int(s.sent[p])
            for i in range(s.hand_count[p]):
                if s.hand[p][i] == PRINCESS:
                    count += 1
            while count > 0 and part < s.seats:
                lies = (mine >> part) & 1
                for i in range(max(gone, part_start(s, part)), part_start(s, part + 1)):
                    if s.pile[hands + i] == PRINCESS:
                        lies = 1
                if lies == 0:
                    s.met[p] |= 1 << part
                    count -= 1
                part += 1
