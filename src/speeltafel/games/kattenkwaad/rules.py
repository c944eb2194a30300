"""Kattenkwaad: the state and the rules, in the subset that compiles unchanged."""

from __future__ import annotations

from speeltafel.engine.chance import Dice, mix, settle
from speeltafel.engine.hand import insert, remove
from speeltafel.engine.records import Grid, Record, Row, int8, int32, owner, public, secret

SEATS = 4
CATS = 4
SIDE = 11
"""The most fields from west to east, and from north to south."""
ROW = SIDE + 2
"""From a field to the one south of it: around the board lies a border of missing fields."""
FIELDS = ROW * ROW
KINDS = 60
"""The most kinds of cards, and of cards; a kind is a line of the deck file, from 1."""
STEPS = 12
NAME = 32
HAND = 6
KEEP = 4
"""The most cards in hand after a turn (KK-17)."""
PLAYS = 4
"""The most cards played in a turn (KK-10)."""
QUIET = 3
"""Reshuffles without a fall that end a match with the option `stalemate` (KK-50)."""
MAX_LEGAL = SIDE * SIDE

# ground: no field, an open one (the paw print too); 2, 3 and 4 are the numbers of KK-3
MISSING, OPEN = 0, 1

# what stands on a field: 1 + the seat of a house, a tree, or a cat (its number is added)
EMPTY, TREE, CAT = 0, 5, 6

# ways: where a step goes; turning a path adds to each of them
STEP = (-ROW, 1, ROW, -1)
NORTH, EAST, SOUTH, WEST = 0, 1, 2, 3

# what a card does
PATH, TELEPORT, CATNIP, SWAP = 0, 1, 2, 3

# why a step is impossible
OFF_BOARD, INTO_TREE, INTO_CAT, HOUSE_INTO_TREE, HOUSE_INTO_CAT = -1, -2, -3, -4, -5

# phases: which decision is asked
HOUSE, PLANT, CARD, WHICH, TURN, WHERE, FIRST, SECOND, DISCARD = 0, 1, 2, 3, 4, 5, 6, 7, 8

# decisions: a field, a kind of card or a way is added
M_HOUSE, M_TREE, M_DONE, M_CARD, M_CAT, M_TURN, M_FIELD = 0, 200, 400, 400, 500, 700, 800
M_FIRST, M_SECOND, M_DISCARD = 1000, 1200, 1400


class State(Record):
    """A match of Kattenkwaad. Cards are kinds, 0 is no card; fields are `ROW * row + column`, both from 1."""

    version: int = public(of=int8)
    """Option: 0 chill, 1 running."""
    stalemate: int = public(of=int8)
    """Option: 1 when quiet matches end."""
    width: int = public(of=int8)
    height: int = public(of=int8)
    ground: Row = public(FIELDS, of=int8)
    middle: int = public()
    """The field with the paw print."""
    kinds: int = public(of=int8)
    name: Grid = public(KINDS + 1, NAME, of=int8)
    """The name of each kind in UTF-8, 0 behind it."""
    action: Row = public(KINDS + 1, of=int8)
    """What the card does: follow its path, or one of the specials."""
    path: Row = public(KINDS + 1, of=int32)
    """Two bits a step, the first step lowest: its way when the first one goes north."""
    steps: Row = public(KINDS + 1, of=int8)
    copies: Row = public(KINDS + 1, of=int8)

    on: Row = public(FIELDS, of=int8)
    """What stands on each field."""
    cat: Row = public(CATS)
    """Where each cat stands; the first `cats` are on the board."""
    cats: int = public(of=int8)
    waiting: int = public(of=int8)
    """Cats that are to enter as soon as the middle is empty (KK-21)."""
    houses: Row = public(SEATS, of=int8)
    """How many houses each seat has on the board."""
    trees: int = public(of=int8)

    card: int = public(of=int8)
    """The card being played, until it has been carried out."""
    chosen: int = public()
    """The field of the cat to be moved, or of the first house to be swapped."""
    plays: int = public(of=int8)
    """Cards played this turn."""
    hand: Grid = owner(SEATS, HAND, of=int8)
    """Ascending; the first `hand_count` are cards."""
    hand_count: Row = public(SEATS, of=int8)
    pile_count: int = public(of=int8)
    discard: Row = public(KINDS + 1, of=int8)
    """How many of each kind lie on the discard pile."""
    discard_count: int = public(of=int8)
    discard_top: int = public(of=int8)
    fresh: Row = public(KINDS + 1, of=int8)
    """What the draw pile held when it was made: everybody saw those cards (KK-20)."""
    since: Grid = owner(SEATS, KINDS + 1, of=int8)
    """Own cards in hand when the draw pile was made, less those laid off since: may be negative."""
    reshuffles: int = public()
    quiet: int = public()
    """Reshuffles since the last fall, or since the start (KK-50)."""

    last_card: int = public(of=int8)
    """The last card carried out, with what it did; 0 during the set-up."""
    last_seat: int = public(of=int8)
    last_from: int = public()
    last_to: int = public()
    last_turn: int = public(of=int8)
    falls: int = public(of=int8)
    """How many houses the last card dropped, in order: whose, from which field and which way."""
    fall_seat: Row = public(STEPS, of=int8)
    fall_field: Row = public(STEPS)
    fall_way: Row = public(STEPS, of=int8)
    was: Row = public(FIELDS, of=int8)
    """The board before the last path was followed."""
    news: int = public(of=int8)
    """1 when the very last decision put or moved something on the board."""

    pile: Row = secret(KINDS, of=int8)
    """The draw pile, top card last."""
    deck: Row = secret(KINDS, of=int8)
    """Cards being shuffled; scratch space of `imagine`."""
    land: Row = secret(FIELDS, of=int8)
    """The board on which a path is tried."""


def deal(s: State, dice: Dice) -> None:
    """Put the first cat on its field and deal two cards each (KK-1, KK-5)."""
    n = 0
    for kind in range(1, s.kinds + 1):
        s.fresh[kind] = s.copies[kind]
        for _ in range(s.copies[kind]):
            s.deck[n] = kind
            n += 1
    mix(s.deck, 0, n, dice)
    settle(s.deck, 0, n, dice)
    at = 0
    for seat in range(s.seats):
        for i in range(2):
            insert(s.hand[seat], i, s.deck[at])
            at += 1
        s.hand_count[seat] = 2
    pile(s, at, n)
    s.on[s.middle] = CAT
    s.cat[0] = s.middle
    s.cats = 1
    s.turn = s.first
    s.phase = HOUSE
    s.reveals = 1


def pile(s: State, start: int, stop: int) -> None:
    """Make `deck[start:stop]`, top card first, the draw pile."""
    s.pile_count = stop - start
    for i in range(s.pile_count):
        s.pile[s.pile_count - 1 - i] = s.deck[start + i]


def houses_each(s: State) -> int:
    """How many houses every seat has (KK-2)."""
    return 10 if s.seats == 2 else 7 if s.seats == 3 else 6


def trees_all(s: State) -> int:
    """How many trees are planted: two a seat for two players, else one (KK-4)."""
    return 3 if s.seats == 3 else 4


def can_build(s: State, field: int) -> bool:
    """Whether a house may be placed there (KK-3)."""
    return s.on[field] == EMPTY and 2 <= s.ground[field] and s.ground[field] <= s.seats


def can_plant(s: State, field: int) -> bool:
    """Whether a tree may be planted there: empty, and no tree or cat next to it (KK-4)."""
    if s.ground[field] == MISSING or s.on[field] != EMPTY:
        return False
    for line in range(-ROW, ROW + 1, ROW):
        for side in range(-1, 2):
            if s.on[field + line + side] >= TREE:
                return False
    return True


def is_empty(s: State, field: int) -> bool:
    """Whether a cat could be put there (KK-30)."""
    return s.ground[field] != MISSING and s.on[field] == EMPTY


def step(s: State, on: Row, at: int, way: int) -> int:
    """Let the cat at `at` take a step, pushing what stands in its way (KK-12 to KK-16).

    Returns 0, 1 + the seat of the house that fell, or (changing nothing) why the step is impossible.
    The cat itself is not on `on` while it walks.
    """
    ahead = STEP[way]
    to = at + ahead
    if s.ground[to] == MISSING:
        return OFF_BOARD
    if on[to] == EMPTY:
        return 0
    if on[to] == TREE:
        return INTO_TREE
    if on[to] >= CAT:
        return INTO_CAT
    end = row_end(s, on, to, way)
    fell = 0
    if s.ground[end] == MISSING:
        end -= ahead
        fell = int(on[end])
    elif on[end] == TREE:
        return HOUSE_INTO_TREE
    elif on[end] >= CAT:
        return HOUSE_INTO_CAT
    while end != to:
        on[end] = on[end - ahead]
        end -= ahead
    on[to] = EMPTY
    return fell


def row_end(s: State, on: Row, field: int, way: int) -> int:
    """The field behind the row of houses that begins at `field`, seen that way: `field` if there is none (KK-12)."""
    while s.ground[field] != MISSING and EMPTY < on[field] and on[field] < TREE:
        field += STEP[way]
    return field


def way_of(s: State, card: int, i: int, turn: int) -> int:
    """Where step `i` of a card goes when its first step goes to `turn` (KK-11)."""
    return ((s.path[card] >> (2 * i)) + turn) & 3


def trial(s: State, start: int, card: int, turn: int) -> int:
    """0 if the cat at `start` can follow the card turned so in full (KK-11), else why not."""
    ground, on = s.ground, s.on
    path = int(s.path[card])
    at = start
    # most paths meet nothing: only one that meets a house is walked on a board of its own
    met = False
    for _ in range(s.steps[card]):
        at += STEP[(path + turn) & 3]
        path >>= 2
        if ground[at] == MISSING:
            return OFF_BOARD
        if on[at] != EMPTY and at != start:
            if on[at] == TREE:
                return INTO_TREE
            if on[at] >= CAT:
                return INTO_CAT
            met = True
            break
    result = 0
    if met:
        land = s.land
        for i in range(FIELDS):
            land[i] = on[i]
        land[start] = EMPTY
        at = start
        for i in range(s.steps[card]):
            way = way_of(s, card, i, turn)
            result = min(0, step(s, land, at, way))
            if result < 0:
                break
            at += STEP[way]
        for i in range(FIELDS):
            land[i] = EMPTY
    return result


def can_follow(s: State, start: int, card: int) -> bool:
    """Whether the cat at `start` can follow the card at all."""
    for turn in range(4):
        if trial(s, start, card, turn) == 0:
            return True
    return False


def any_empty(s: State) -> bool:
    """Whether the board has an empty field."""
    for field in range(ROW + 1, ROW * (s.height + 1)):
        if is_empty(s, field):
            return True
    return False


def can_use(s: State, card: int) -> bool:
    """Whether the card can be played in some way."""
    if s.action[card] == TELEPORT:
        return any_empty(s)
    if s.action[card] == CATNIP:
        return s.on[s.middle] == EMPTY
    if s.action[card] == PATH:
        for i in range(s.cats):
            if can_follow(s, s.cat[i], card):
                return True
        return False
    # two seats have houses as long as the match goes on
    return True


def is_house(s: State, field: int) -> bool:
    """Whether a house stands there."""
    return EMPTY < s.on[field] and s.on[field] < TREE


def swap_after(s: State, field: int) -> bool:
    """Whether a later house, in board order, has another owner (KK-32)."""
    for other in range(field + 1, ROW * (s.height + 1)):
        if is_house(s, other) and s.on[other] != s.on[field]:
            return True
    return False


def legal(s: State, out: Row) -> int:
    """Write the legal decisions into `out`, ascending; returns how many."""
    n = 0
    if s.over == 1:
        return 0
    hand = s.hand[s.turn]
    start, stop = ROW + 1, ROW * (s.height + 1)
    if s.phase == CARD:
        out[0] = M_DONE
        n = 1
        for i in range(s.hand_count[s.turn]):
            card = int(hand[i])
            if (i == 0 or hand[i - 1] != card) and can_use(s, card):
                out[n] = M_CARD + card
                n += 1
    elif s.phase == WHICH:
        for field in range(start, stop):
            if s.on[field] >= CAT and (s.action[s.card] != PATH or can_follow(s, field, s.card)):
                out[n] = M_CAT + field
                n += 1
    elif s.phase == TURN:
        for turn in range(4):
            if trial(s, s.chosen, s.card, turn) == 0:
                out[n] = M_TURN + turn
                n += 1
    elif s.phase == DISCARD:
        for i in range(s.hand_count[s.turn]):
            if i == 0 or hand[i - 1] != hand[i]:
                out[n] = M_DISCARD + hand[i]
                n += 1
    elif s.phase == HOUSE:
        for field in range(start, stop):
            if can_build(s, field):
                out[n] = M_HOUSE + field
                n += 1
    elif s.phase == PLANT:
        for field in range(start, stop):
            if can_plant(s, field):
                out[n] = M_TREE + field
                n += 1
    elif s.phase == WHERE:
        for field in range(start, stop):
            if is_empty(s, field):
                out[n] = M_FIELD + field
                n += 1
    elif s.phase == FIRST:
        for field in range(start, stop):
            if is_house(s, field) and swap_after(s, field):
                out[n] = M_FIRST + field
                n += 1
    else:
        for field in range(s.chosen + 1, stop):
            if is_house(s, field) and s.on[field] != s.on[s.chosen]:
                out[n] = M_SECOND + field
                n += 1
    return n


def play(s: State, move: int, dice: Dice) -> None:
    """Carry out a legal decision."""
    s.news = 0
    if s.phase == HOUSE:
        build(s, move - M_HOUSE, dice)
    elif s.phase == PLANT:
        s.on[move - M_TREE] = TREE
        s.trees += 1
        note(s, 0, 0, move - M_TREE)
        s.turn = (s.turn + s.seats - 1) % s.seats
        plant_or_begin(s, dice)
    elif s.phase == CARD:
        if move == M_DONE:
            check_hand(s, dice)
        else:
            s.card = move - M_CARD
            lay_off(s, s.turn, s.card)
            s.plays += 1
            s.phase = FIRST if s.action[s.card] == SWAP else WHICH
    elif s.phase == WHICH:
        s.chosen = move - M_CAT
        if s.action[s.card] == PATH:
            s.phase = TURN
        elif s.action[s.card] == TELEPORT:
            s.phase = WHERE
        else:
            jump(s, s.middle)
            carried_out(s, dice)
    elif s.phase == TURN:
        walk(s, move - M_TURN)
        carried_out(s, dice)
    elif s.phase == WHERE:
        jump(s, move - M_FIELD)
        carried_out(s, dice)
    elif s.phase == FIRST:
        s.chosen = move - M_FIRST
        s.phase = SECOND
    elif s.phase == SECOND:
        note(s, s.card, s.chosen, move - M_SECOND)
        house = s.on[s.last_from]
        s.on[s.last_from] = s.on[s.last_to]
        s.on[s.last_to] = house
        carried_out(s, dice)
    else:
        lay_off(s, s.turn, move - M_DISCARD)
        check_hand(s, dice)


def note(s: State, card: int, start: int, end: int) -> None:
    """Keep what was done last, for everybody to see."""
    s.news = 1
    s.last_card = card
    s.last_seat = s.turn
    s.last_from = start
    s.last_to = end
    s.last_turn = 0
    s.falls = 0


def build(s: State, field: int, dice: Dice) -> None:
    """Place a house; after the last one its owner begins with the trees (KK-3, KK-4)."""
    s.on[field] = 1 + s.turn
    s.houses[s.turn] += 1
    note(s, 0, 0, field)
    after = (s.turn + 1) % s.seats
    if s.houses[after] < houses_each(s):
        s.turn = after
    else:
        s.phase = PLANT
        plant_or_begin(s, dice)


def plant_or_begin(s: State, dice: Dice) -> None:
    """Go on with the trees, or begin to play when all are planted or none fits any more (KK-4, KK-7)."""
    if s.trees < trees_all(s):
        for field in range(ROW + 1, ROW * (s.height + 1)):
            if can_plant(s, field):
                return
    s.turn = s.first
    begin_turn(s, dice)


def begin_turn(s: State, dice: Dice) -> None:
    """Draw, the first step of a turn (KK-6, KK-10)."""
    s.phase = CARD
    s.plays = 0
    for _ in range(1 + s.version):
        if s.over == 0:
            draw(s, dice)


def draw(s: State, dice: Dice) -> None:
    """Draw a card; an empty pile is made anew at once (KK-20)."""
    s.pile_count -= 1
    insert(s.hand[s.turn], s.hand_count[s.turn], s.pile[s.pile_count])
    s.pile[s.pile_count] = 0
    s.hand_count[s.turn] += 1
    s.reveals += 1
    if s.pile_count == 0:
        reshuffle(s, dice)


def reshuffle(s: State, dice: Dice) -> None:
    """Shuffle the discards to a new pile and let another cat come (KK-20), or end a quiet match (KK-50)."""
    n = 0
    for kind in range(1, s.kinds + 1):
        s.fresh[kind] = s.discard[kind]
        for _ in range(s.discard[kind]):
            s.deck[n] = kind
            n += 1
        s.discard[kind] = 0
    s.discard_count = 0
    s.discard_top = 0
    mix(s.deck, 0, n, dice)
    settle(s.deck, 0, n, dice)
    pile(s, 0, n)
    for seat in range(s.seats):
        since = s.since[seat]
        for kind in range(1, s.kinds + 1):
            since[kind] = 0
        for i in range(s.hand_count[seat]):
            since[s.hand[seat][i]] += 1
    s.reshuffles += 1
    s.quiet += 1
    if s.stalemate == 1 and s.quiet == QUIET:
        s.over = 1
    else:
        if s.cats + s.waiting < CATS:
            s.waiting += 1
        enter(s)


def enter(s: State) -> None:
    """Let a waiting cat enter if the middle is empty (KK-21)."""
    if s.waiting > 0 and s.on[s.middle] == EMPTY:
        s.on[s.middle] = CAT + s.cats
        s.cat[s.cats] = s.middle
        s.cats += 1
        s.waiting -= 1


def lay_off(s: State, seat: int, card: int) -> None:
    """Move a card from a hand to the discard pile (KK-17)."""
    remove(s.hand[seat], s.hand_count[seat], card)
    s.hand_count[seat] -= 1
    s.since[seat][card] -= 1
    s.discard[card] += 1
    s.discard_count += 1
    s.discard_top = card


def jump(s: State, field: int) -> None:
    """Move the chosen cat to an empty field (KK-30, KK-31)."""
    note(s, s.card, s.chosen, field)
    cat = s.on[s.chosen]
    s.on[s.chosen] = EMPTY
    s.on[field] = cat
    s.cat[cat - CAT] = field


def walk(s: State, turn: int) -> None:
    """Let the chosen cat follow the card, until its end or the end of the match (KK-11 to KK-13, KK-41)."""
    at = int(s.chosen)
    cat = s.on[at]
    note(s, s.card, at, at)
    s.last_turn = turn
    for field in range(FIELDS):
        s.was[field] = s.on[field]
    s.on[at] = EMPTY
    for i in range(s.steps[s.card]):
        way = way_of(s, s.card, i, turn)
        fell = step(s, s.on, at, way)
        at += STEP[way]
        if fell > 0:
            fall(s, fell - 1, edge(s, at, way), way)
            if s.over == 1:
                break
    s.on[at] = cat
    s.cat[cat - CAT] = at
    s.last_to = at


def edge(s: State, at: int, way: int) -> int:
    """The last field from `at` that way."""
    while s.ground[at + STEP[way]] != MISSING:
        at += STEP[way]
    return at


def fall(s: State, seat: int, field: int, way: int) -> None:
    """Take a house that fell out of the game, and perhaps its owner (KK-13, KK-40, KK-41)."""
    s.fall_seat[s.falls] = seat
    s.fall_field[s.falls] = field
    s.fall_way[s.falls] = way
    s.falls += 1
    s.quiet = 0
    s.houses[seat] -= 1
    if s.houses[seat] == 0:
        if s.hand_count[seat] > 0:
            s.reveals += 1
        while s.hand_count[seat] > 0:
            lay_off(s, seat, s.hand[seat][0])
        left = 0
        for other in range(s.seats):
            if s.houses[other] > 0:
                left += 1
        if left == 1:
            s.over = 1


def carried_out(s: State, dice: Dice) -> None:
    """Go on after a card: a waiting cat, then the next card or the end of the turn (KK-10, KK-21, KK-40)."""
    s.card = 0
    s.chosen = 0
    if s.over == 0:
        enter(s)
        if s.houses[s.turn] == 0:
            next_turn(s, dice)
        elif s.plays == PLAYS:
            check_hand(s, dice)
        else:
            s.phase = CARD


def check_hand(s: State, dice: Dice) -> None:
    """The third step of a turn: discard down to four (KK-17)."""
    if s.hand_count[s.turn] > KEEP:
        s.phase = DISCARD
    else:
        next_turn(s, dice)


def next_turn(s: State, dice: Dice) -> None:
    """Pass the turn clockwise to a player who still has houses (KK-7, KK-40)."""
    s.turn = (s.turn + 1) % s.seats
    while s.houses[s.turn] == 0:
        s.turn = (s.turn + 1) % s.seats
    begin_turn(s, dice)


def score(s: State, seat: int) -> int:
    """How many houses the seat has on the board (KK-41)."""
    return int(s.houses[seat])


def wins(s: State, seat: int) -> int:
    """1 if nobody has more houses: the only one who has any, or by KK-50 all who have most (KK-41)."""
    for other in range(s.seats):
        if s.houses[other] > s.houses[seat]:
            return 0
    return 1


def imagine(s: State, seat: int, dice: Dice) -> None:
    """Deal the cards that `seat` cannot see to the other hands and the pile.

    Cards that were in hands when the pile was made cannot be in the pile: as far as nobody has
    laid them off since, they are in the other hands. All else may be anywhere.
    """
    held = 0
    for kind in range(1, s.kinds + 1):
        mine = s.since[seat][kind] if seat >= 0 else 0
        for _ in range(s.copies[kind] - s.discard[kind] - s.fresh[kind] - mine):
            s.deck[held] = kind
            held += 1
    n = held
    at = 0
    for kind in range(1, s.kinds + 1):
        unseen = s.copies[kind] - s.discard[kind]
        if seat >= 0:
            for i in range(s.hand_count[seat]):
                if s.hand[seat][i] == kind:
                    unseen -= 1
        while at < held and s.deck[at] == kind:
            unseen -= 1
            at += 1
        for _ in range(unseen):
            s.deck[n] = kind
            n += 1
    mix(s.deck, held, n, dice)
    others = 0
    for p in range(s.seats):
        if p != seat:
            others += s.hand_count[p]
    # the first `held` of them are old cards: which of the hands holds which is open
    for kind in range(1, s.kinds + 1):
        s.land[kind] = 0
    for i in range(held):
        s.land[s.deck[i]] += 1
    mix(s.deck, 0, others, dice)
    at = 0
    for p in range(s.seats):
        if p != seat:
            for kind in range(1, s.kinds + 1):
                s.since[p][kind] = 0
            for i in range(s.hand_count[p]):
                card = s.deck[at]
                at += 1
                insert(s.hand[p], i, card)
                if s.land[card] > 0:
                    s.land[card] -= 1
                    s.since[p][card] += 1
    pile(s, others, n)
