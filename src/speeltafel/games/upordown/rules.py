"""Up or Down?: the state and the rules, in the subset that compiles unchanged."""

from __future__ import annotations

from speeltafel.engine.chance import Dice, mix, settle
from speeltafel.engine.hand import insert, remove
from speeltafel.engine.records import Cube, Grid, Record, Row, int8, int32, owner, public, secret

SEATS = 6
CARDS = 126
MARKET = 6
HAND = 3
ROWS = 3
TURNS = 24
"""The most turns, and so cards in a row, that anybody has."""
NO_LIMIT = 999
MAX_LEGAL = 8

# phases: which step of the turn is asked
PLAY, TAKE, PLACE, DRAW = 0, 1, 2, 3

# decisions: a card is added to the first two, a row from 1 to the next two
M_PLAY, M_TAKE, M_PLACE, M_GIVE_UP = 0, 200, 400, 410
M_NEW, M_DOWN, M_OPEN = 404, 420, 421


class State(Record):
    """A match of Up or Down?. Cards are their numbers; 0 is no card."""

    length: int = public(of=int8)
    """Option: 0 full, 1 short."""
    colour: Row = public(CARDS + 1, of=int8)
    """Colour 0..5 of each number."""
    highest: int = public()
    """The highest card in play."""
    market: Row = public(MARKET)
    """The circle, ascending."""
    played: int = public()
    """The hand card just laid into the circle, until a neighbour of it is taken."""
    taken: int = public()
    """The card just taken, until it lies in a row."""
    hand: Grid = owner(SEATS, HAND)
    """Ascending; the first `hand_count` are cards."""
    hand_count: Row = public(SEATS, of=int8)
    known: Grid = public(SEATS, HAND)
    """Cards in hand that everybody saw being drawn, ascending, 0 behind them."""
    row: Cube = public(SEATS, ROWS, TURNS)
    row_count: Grid = public(SEATS, ROWS, of=int8)
    tally: Grid = public(SEATS, ROWS, of=int32)
    """How many cards of each colour a row has, five bits a colour."""
    best: Grid = public(SEATS, ROWS, of=int8)
    """How many cards of its most frequent colour a row has."""
    low: Grid = public(SEATS, ROWS)
    high: Grid = public(SEATS, ROWS)
    """A row takes a card that lies between its `low` and its `high`."""
    gone: Row = public(CARDS + 1, of=int8)
    """1 + the seat on whose discard pile the card lies, or 0."""
    discards: Row = public(SEATS, of=int8)
    down_count: int = public(of=int8)
    open_count: int = public(of=int8)
    open_top: int = public()
    deck: Row = secret(CARDS)
    """All cards as dealt; scratch space of `imagine` later."""
    down: Row = secret(CARDS)
    open: Row = secret(CARDS)
    """The piles, top card last."""


def deal(s: State, dice: Dice) -> None:
    """Lay the market, deal three cards each and make two piles (UD-1 to UD-6)."""
    if s.seats == 2:
        s.highest = 42 if s.length == 1 else 54
    elif s.seats == 3:
        s.highest = 60 if s.length == 1 else 78
    elif s.seats == 4:
        s.highest = 78 if s.length == 1 else 102
    else:
        s.highest = 96 if s.length == 1 else 126
    for i in range(s.highest):
        s.deck[i] = i + 1
    mix(s.deck, 0, s.highest, dice)
    settle(s.deck, 0, s.highest, dice)
    at = 0
    for i in range(MARKET):
        insert(s.market, i, s.deck[at])
        at += 1
    for seat in range(s.seats):
        for i in range(HAND):
            insert(s.hand[seat], i, s.deck[at])
            at += 1
        s.hand_count[seat] = HAND
    rest = s.highest - at
    s.open_count = rest // 2
    s.down_count = rest - s.open_count
    for i in range(s.down_count):
        s.down[s.down_count - 1 - i] = s.deck[at + i]
    at += s.down_count
    for i in range(s.open_count):
        s.open[s.open_count - 1 - i] = s.deck[at + i]
    s.open_top = s.open[s.open_count - 1]
    s.turn = s.first
    s.phase = PLAY
    s.reveals = 1


def lower_neighbour(s: State, card: int) -> int:
    """The place in the market of the card before `card` on the circle (UD-10, UD-11)."""
    place = MARKET - 1
    for i in range(MARKET):
        if s.market[i] < card:
            place = i
    return place


def fits(s: State, seat: int, row: int, card: int) -> bool:
    """Whether the seat's row may be continued with the card (UD-14, UD-15)."""
    return s.row_count[seat][row] > 0 and s.low[seat][row] < card and card < s.high[seat][row]


def rows(s: State, seat: int) -> int:
    """How many rows the seat has started."""
    n = 0
    for i in range(ROWS):
        if s.row_count[seat][i] > 0:
            n += 1
    return n


def legal(s: State, out: Row) -> int:
    """Write the legal decisions into `out`, ascending; returns how many."""
    n = 0
    if s.over == 1:
        return 0
    seat = s.turn
    if s.phase == PLAY:
        for i in range(s.hand_count[seat]):
            out[n] = M_PLAY + s.hand[seat][i]
            n += 1
    elif s.phase == TAKE:
        place = lower_neighbour(s, s.played)
        before = s.market[place]
        after = s.market[(place + 1) % MARKET]
        out[0] = M_TAKE + min(before, after)
        out[1] = M_TAKE + max(before, after)
        n = 2
    elif s.phase == PLACE:
        started = rows(s, seat)
        for i in range(ROWS):
            if fits(s, seat, i, s.taken):
                out[n] = M_PLACE + i + 1
                n += 1
        if started < ROWS:
            out[n] = M_NEW
            n += 1
        else:
            for i in range(ROWS):
                out[n] = M_GIVE_UP + i + 1
                n += 1
    else:
        if s.down_count > 0:
            out[n] = M_DOWN
            n += 1
        if s.open_count > 0:
            out[n] = M_OPEN
            n += 1
    return n


def play(s: State, move: int, dice: Dice) -> None:
    """Carry out a legal decision."""
    seat = s.turn
    if s.phase == PLAY:
        card = move - M_PLAY
        remove(s.hand[seat], s.hand_count[seat], card)
        remove(s.known[seat], HAND, card)
        s.hand_count[seat] -= 1
        s.played = card
        s.phase = TAKE
    elif s.phase == TAKE:
        card = move - M_TAKE
        remove(s.market, MARKET, card)
        insert(s.market, MARKET - 1, s.played)
        s.played = 0
        s.taken = card
        s.phase = PLACE
    elif s.phase == PLACE:
        if move == M_NEW:
            start_row(s, seat, rows(s, seat))
        elif move > M_GIVE_UP:
            give_up(s, seat, move - M_GIVE_UP - 1)
            start_row(s, seat, move - M_GIVE_UP - 1)
        else:
            add(s, seat, move - M_PLACE - 1)
        s.taken = 0
        if s.down_count > 0 or s.open_count > 0:
            s.phase = DRAW
        else:
            end_turn(s)
    else:
        if move == M_DOWN:
            s.down_count -= 1
            card = s.down[s.down_count]
            s.down[s.down_count] = 0
        else:
            s.open_count -= 1
            card = s.open[s.open_count]
            s.open[s.open_count] = 0
            s.open_top = s.open[s.open_count - 1] if s.open_count > 0 else 0
            known = 0
            while known < HAND and s.known[seat][known] > 0:
                known += 1
            insert(s.known[seat], known, card)
        insert(s.hand[seat], s.hand_count[seat], card)
        s.hand_count[seat] += 1
        s.reveals += 1
        end_turn(s)


def start_row(s: State, seat: int, row: int) -> None:
    """Start a row with the taken card (UD-13)."""
    s.row[seat][row][0] = s.taken
    s.row_count[seat][row] = 1
    s.tally[seat][row] = 1 << (5 * s.colour[s.taken])
    s.best[seat][row] = 1
    s.low[seat][row] = 0
    s.high[seat][row] = NO_LIMIT


def add(s: State, seat: int, row: int) -> None:
    """Lay the taken card at the end of a row; the second one fixes its direction (UD-14)."""
    count = s.row_count[seat][row]
    if s.taken > s.row[seat][row][count - 1]:
        s.low[seat][row] = s.taken
    else:
        s.high[seat][row] = s.taken
    s.best[seat][row] = joined(s, seat, row, s.taken)
    s.tally[seat][row] += 1 << (5 * s.colour[s.taken])
    s.row[seat][row][count] = s.taken
    s.row_count[seat][row] = count + 1


def give_up(s: State, seat: int, row: int) -> None:
    """Turn a row face down onto the seat's discard pile (UD-16)."""
    for i in range(s.row_count[seat][row]):
        s.gone[s.row[seat][row][i]] = seat + 1
        s.row[seat][row][i] = 0
    s.discards[seat] += s.row_count[seat][row]


def end_turn(s: State) -> None:
    """Pass the turn, or end the match when the piles and all hands are empty (UD-19, UD-20)."""
    s.turn = (s.turn + 1) % s.seats
    s.phase = PLAY
    if s.hand_count[s.turn] == 0:
        s.over = 1


def most(s: State, seat: int, row: int) -> int:
    """How many cards of its most frequent colour a row has (UD-30)."""
    return s.best[seat][row]


def joined(s: State, seat: int, row: int, card: int) -> int:
    """How many cards of its most frequent colour a row has once the card lies in it."""
    same = ((s.tally[seat][row] >> (5 * s.colour[card])) & 31) + 1
    return max(same, s.best[seat][row])


def worth(s: State, seat: int, row: int) -> int:
    """Points for a row: its cards times those of its most frequent colour (UD-30)."""
    return s.row_count[seat][row] * most(s, seat, row)


def score(s: State, seat: int) -> int:
    """Points for the rows and the discard pile (UD-30, UD-31)."""
    points = int(s.discards[seat])
    for row in range(ROWS):
        points += worth(s, seat, row)
    return points


def wins(s: State, seat: int) -> int:
    """1 if nobody has more points (UD-32)."""
    mine = score(s, seat)
    for other in range(s.seats):
        if score(s, other) > mine:
            return 0
    return 1


def imagine(s: State, seat: int, dice: Dice) -> None:
    """Deal the cards that `seat` cannot see to the other hands and the piles."""
    for i in range(s.highest):
        s.deck[i] = 1
    mark(s, s.market, MARKET)
    if s.played > 0:
        s.deck[s.played - 1] = 0
    if s.taken > 0:
        s.deck[s.taken - 1] = 0
    if s.open_top > 0:
        s.deck[s.open_top - 1] = 0
    for p in range(s.seats):
        mark(s, s.known[p], HAND)
        if p == seat:
            mark(s, s.hand[p], s.hand_count[p])
        for r in range(ROWS):
            mark(s, s.row[p][r], s.row_count[p][r])
    pool = 0
    for i in range(s.highest):
        if s.deck[i] == 1 and s.gone[i + 1] == 0:
            s.deck[pool] = i + 1
            pool += 1
    mix(s.deck, 0, pool, dice)
    for p in range(s.seats):
        if p != seat:
            count = 0
            for i in range(HAND):
                if s.known[p][i] > 0:
                    insert(s.hand[p], count, s.known[p][i])
                    count += 1
            while count < s.hand_count[p]:
                pool -= 1
                insert(s.hand[p], count, s.deck[pool])
                count += 1
    for i in range(s.open_count - 1):
        pool -= 1
        s.open[i] = s.deck[pool]
    if s.open_count > 0:
        s.open[s.open_count - 1] = s.open_top
    for i in range(s.down_count):
        pool -= 1
        s.down[i] = s.deck[pool]


def mark(s: State, cards: Row, count: int) -> None:
    """Take cards that can be seen out of the marks in `deck`."""
    for i in range(count):
        if cards[i] > 0:
            s.deck[cards[i] - 1] = 0
