"""Pixies: the state and the rules, in the subset that compiles unchanged."""

from __future__ import annotations

from speeltafel.engine.chance import Dice, mix, settle
from speeltafel.engine.records import Cube, Grid, Record, Row, int8, public, secret

SEATS = 5
CARDS = 70
SPACES = 9
ROUNDS = 3
JOKER = 4
"""The colour after blue, green, yellow and red."""
MAX_LEGAL = 8

# phases: take a market card, choose the one on top (PX-7), choose an empty space (PX-8)
TAKE, TOP, COVER = 0, 1, 2

# decisions: a card is added to the first, a space from 1 to the last
M_TAKE, M_NEW, M_OLD, M_COVER = 0, 80, 81, 90

# parts of a round's score on the sheet; the zone is written in cards, not in points
VALIDATED, SPIRALS, CROSSES, ZONE = 0, 1, 2, 3

# the nine spaces as bits: those with a neighbour to the right, and to the left
HAS_RIGHT, HAS_LEFT = 0b011_011_011, 0b110_110_110


class State(Record):
    """A match of Pixies. Cards are their lines in the deck, 1 to 70; 0 is no card. Spaces count from 0."""

    market_of_two: int = public(of=int8)
    """Option: 0 two cards in the market of two players, 1 four."""
    start_player: int = public(of=int8)
    """Option: 0 the last taker starts the next turn, 1 always the first start player."""
    colour: Row = public(CARDS + 1, of=int8)
    """0 blue, 1 green, 2 yellow, 3 red, 4 joker."""
    number: Row = public(CARDS + 1, of=int8)
    spirals: Row = public(CARDS + 1, of=int8)
    """Printed spirals, without the one of a special."""
    crosses: Row = public(CARDS + 1, of=int8)
    special: Row = public(CARDS + 1, of=int8)
    done: int = public(of=int8)
    """Rounds finished, 0 to 3."""
    starter: int = public(of=int8)
    """Who takes first in this turn."""
    market: Row = public(SEATS, of=int8)
    """As revealed, ascending, 0 behind them."""
    taker: Row = public(SEATS, of=int8)
    """1 + the seat that took the market card in this place, or 0 while it lies there."""
    picks: int = public(of=int8)
    """Cards taken in this turn."""
    taken: int = public(of=int8)
    """The card just taken, while its place is being chosen."""
    drawn: int = public(of=int8)
    """Cards that left the draw pile in this round."""
    top: Grid = public(SEATS, SPACES, of=int8)
    """The face-up card of each space."""
    under: Grid = public(SEATS, SPACES, of=int8)
    """The face-down card of each space."""
    filled: Row = public(SEATS, of=int8)
    """Spaces with a card."""
    sheet: Cube = public(SEATS, ROUNDS, 4)
    """Finished rounds: validated numbers, spirals, crosses, cards in the zone."""
    total: Row = public(SEATS)
    """Points of finished rounds."""
    last_top: Grid = public(SEATS, SPACES, of=int8)
    last_under: Grid = public(SEATS, SPACES, of=int8)
    """The grids as the last finished round left them, to look back at."""
    deck: Grid = secret(ROUNDS, CARDS, of=int8)
    """All cards of each round in the order in which they are drawn."""


def deal(s: State, dice: Dice) -> None:
    """Shuffle the cards of all three rounds and reveal the first market (PX-1, PX-13)."""
    for k in range(ROUNDS):
        cards = s.deck[k]
        for i in range(CARDS):
            cards[i] = i + 1
        mix(cards, 0, CARDS, dice)
        settle(cards, 0, CARDS, dice)
    s.starter = s.first
    reveal(s)


def market_size(s: State) -> int:
    """How many cards a full market has (PX-3)."""
    if s.seats == 2 and s.market_of_two == 1:
        return 4
    return s.seats


def reveal(s: State) -> None:
    """Fill the market (PX-3)."""
    size = market_size(s)
    cards = s.deck[s.done]
    for k in range(size):
        card = cards[s.drawn + k]
        i = k
        while i > 0 and s.market[i - 1] > card:
            s.market[i] = s.market[i - 1]
            i -= 1
        s.market[i] = card
        s.taker[k] = 0
    s.drawn += size
    s.picks = 0
    s.turn = s.starter
    s.phase = TAKE
    s.reveals += 1


def legal(s: State, out: Row) -> int:
    """Write the legal decisions into `out`, ascending; returns how many."""
    n = 0
    if s.over == 1:
        return 0
    if s.phase == TAKE:
        for i in range(market_size(s)):
            if s.taker[i] == 0:
                out[n] = M_TAKE + s.market[i]
                n += 1
    elif s.phase == TOP:
        out[0] = M_NEW
        out[1] = M_OLD
        n = 2
    else:
        top = s.top[s.turn]
        under = s.under[s.turn]
        for i in range(SPACES):
            if top[i] == 0 and under[i] == 0:
                out[n] = M_COVER + i + 1
                n += 1
    return n


def play(s: State, move: int, dice: Dice) -> None:
    """Carry out a legal decision."""
    seat = s.turn
    if s.phase == TAKE:
        card = move - M_TAKE
        for i in range(SEATS):
            if s.market[i] == card:
                s.taker[i] = seat + 1
        s.picks += 1
        space = s.number[card] - 1
        if s.top[seat][space] == 0:
            if s.under[seat][space] == 0:
                s.filled[seat] += 1
            s.top[seat][space] = card
            next_pick(s)
        else:
            s.taken = card
            s.phase = TOP if s.under[seat][space] == 0 else COVER
    else:
        card = s.taken
        if s.phase == COVER:
            s.under[seat][move - M_COVER - 1] = card
            s.filled[seat] += 1
        else:
            space = s.number[card] - 1
            if move == M_OLD:
                s.under[seat][space] = card
            else:
                s.under[seat][space] = s.top[seat][space]
                s.top[seat][space] = card
        s.taken = 0
        next_pick(s)


def next_pick(s: State) -> None:
    """After a card is placed: the next seat, the check of a finished turn, or the end of the round (PX-10 to PX-12)."""
    seat = s.turn
    size = market_size(s)
    finished = s.picks == size
    if finished or s.picks == s.seats:
        full = finished and s.drawn + size > CARDS
        for p in range(s.seats):
            if s.filled[p] == SPACES:
                full = True
        if s.start_player == 0 and (finished or full):
            s.starter = seat
        if full:
            end_round(s)
            return
    if finished:
        reveal(s)
    else:
        s.turn = (seat + 1) % s.seats
        s.phase = TAKE


def end_round(s: State) -> None:
    """Score the round and begin the next, or end the match (PX-2, PX-13, PX-20)."""
    for p in range(s.seats):
        line = s.sheet[p][s.done]
        line[VALIDATED] = validated(s, p)
        line[SPIRALS] = spirals(s, p)
        line[CROSSES] = crosses(s, p)
        line[ZONE] = zone(s, p)
        s.total[p] += line[VALIDATED] + line[SPIRALS] - line[CROSSES] + line[ZONE] * (s.done + 2)
        for i in range(SPACES):
            s.last_top[p][i] = s.top[p][i]
            s.last_under[p][i] = s.under[p][i]
    s.done += 1
    s.phase = TAKE
    if s.done == ROUNDS:
        s.over = 1
        return
    for p in range(s.seats):
        s.filled[p] = 0
        for i in range(SPACES):
            s.top[p][i] = 0
            s.under[p][i] = 0
    s.drawn = 0
    reveal(s)


def validated(s: State, seat: int) -> int:
    """The sum of the numbers of spaces with two cards (PX-21)."""
    top = s.top[seat]
    under = s.under[seat]
    points = 0
    for i in range(SPACES):
        if top[i] > 0 and under[i] > 0:
            points += i + 1
    return points


def spirals(s: State, seat: int) -> int:
    """Spirals in sight, those of the colour specials included (PX-22, PX-23)."""
    points = 0
    # five counters of five bits each in one number
    counts = 0
    for card in s.top[seat]:
        if card > 0:
            points += s.spirals[card]
            counts += 1 << (5 * s.colour[card])
    jokers = counts >> (5 * JOKER)
    for card in s.top[seat]:
        if card > 0 and s.special[card] == 1:
            points += ((counts >> (5 * s.colour[card])) & 31) + jokers
    return points


def crosses(s: State, seat: int) -> int:
    """Crosses in sight (PX-22)."""
    points = 0
    for card in s.top[seat]:
        points += s.crosses[card]
    return points


def zone(s: State, seat: int) -> int:
    """How many cards the largest colour zone has; a lone card is none (PX-24, PX-25)."""
    top = s.top[seat]
    # five sets of nine spaces each in one number
    sets = 0
    for i in range(SPACES):
        if top[i] > 0:
            sets |= 1 << (SPACES * s.colour[top[i]] + i)
    jokers = sets >> (SPACES * JOKER)
    best = 1
    for colour in range(JOKER):
        rest = ((sets >> (SPACES * colour)) & 511) | jokers
        while rest > 0:
            group = rest & -rest
            before = 0
            while group != before:
                before = group
                group |= (group << 3) | (group >> 3) | ((group & HAS_RIGHT) << 1) | ((group & HAS_LEFT) >> 1)
                group &= rest
            rest ^= group
            size = 0
            while group > 0:
                group &= group - 1
                size += 1
            best = max(best, size)
    return best if best > 1 else 0


def score(s: State, seat: int) -> int:
    """Finished rounds and the current one as it would score now (PX-20)."""
    points = int(s.total[seat])
    if s.done < ROUNDS:
        points += validated(s, seat) + spirals(s, seat) - crosses(s, seat) + zone(s, seat) * (s.done + 2)
    return points


def wins(s: State, seat: int) -> int:
    """1 if nobody has more points (PX-30)."""
    mine = score(s, seat)
    for other in range(s.seats):
        if score(s, other) > mine:
            return 0
    return 1


def imagine(s: State, seat: int, dice: Dice) -> None:
    """Put the cards not yet drawn in random order, in this round and in those to come."""
    for k in range(s.done, ROUNDS):
        cards = s.deck[k]
        for i in range(CARDS):
            cards[i] = i + 1
        at = 0
        if k == s.done:
            for i in range(SEATS):
                if s.taker[i] == 0:
                    at = bring(cards, at, s.market[i])
            at = bring(cards, at, s.taken)
            for p in range(s.seats):
                for card in s.top[p]:
                    at = bring(cards, at, card)
                for card in s.under[p]:
                    at = bring(cards, at, card)
        mix(cards, at, CARDS, dice)


def bring(cards: Row, at: int, card: int) -> int:
    """Bring a card that was drawn forward to place `at`; returns the next place, or `at` for no card."""
    if card == 0:
        return at
    i = at
    while cards[i] != card:
        i += 1
    cards[i] = cards[at]
    cards[at] = card
    return at + 1
