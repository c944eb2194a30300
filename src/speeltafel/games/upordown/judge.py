"""Up or Down?: what a bot thinks of a position, in the subset that compiles unchanged."""

from __future__ import annotations

from speeltafel.games.upordown.rules import (
    M_GIVE_UP,
    M_NEW,
    M_PLACE,
    M_PLAY,
    M_TAKE,
    MARKET,
    PLACE,
    PLAY,
    ROWS,
    TAKE,
    State,
    fits,
    joined,
    lower_neighbour,
    most,
    rows,
    score,
)

MARGIN = 40
"""A lead of so many points counts as certain."""
WINNING = 0.7
advance = None
SCALE = 50
"""A decision that looks worse by so much is about three times less likely to be a good one."""
EXPLORE = 1.0
PLENTY = 100_000
"""Every playout tells something here."""
GAP = 20
"""What skipping the whole range of cards costs, in tenths of a point per turn left, halved at the end."""


def enough(view: State, s: State, decisions: int) -> bool:
    """Whether a playout of so many decisions may stop: here it goes on to the end."""
    return False


def estimate(s: State, seat: int) -> int:
    """The score as it stands tells how a playout went."""
    return score(s, seat)


def turns_left(s: State, seat: int) -> int:
    """Turns the seat still has, this one included."""
    left = s.down_count + s.open_count + s.hand_count[seat] * s.seats
    return left // s.seats


def place_worth(s: State, seat: int, move: int, card: int, left: int) -> int:
    """What a placement of the card is worth, in tenths of a point: points now, and the room it leaves."""
    if move == M_NEW:
        return 10 + 2 * left
    if move > M_GIVE_UP:
        row = move - M_GIVE_UP - 1
        count = s.row_count[seat][row]
        room = min(s.high[seat][row], s.highest + 1) - 1 - s.low[seat][row]
        if count == 1:
            room = s.highest // 2
        lost = 10 * (count * most(s, seat, row) - count) - 10
        return -lost - GAP * left * room // (s.highest * 2) + left
    row = move - M_PLACE - 1
    count = s.row_count[seat][row]
    last = s.row[seat][row][count - 1]
    gap = abs(card - last) - 1
    if count == 1:
        up = 1 if card > last else 0
        room = s.highest - card if up == 1 else card - 1
        gap = s.highest // 2 - room if room < s.highest // 2 else 0
        gap += abs(card - last) // 2
    gain = (count + 1) * joined(s, seat, row, card) - count * most(s, seat, row)
    return 10 * gain + 3 * left - GAP * left * gap // s.highest


def best_place(s: State, seat: int, card: int, left: int) -> int:
    """The worth of the best placement of a card for the seat."""
    best = -100000
    full = rows(s, seat) == ROWS
    for row in range(ROWS):
        if fits(s, seat, row, card):
            best = max(best, place_worth(s, seat, M_PLACE + row + 1, card, left))
        if full:
            best = max(best, place_worth(s, seat, M_GIVE_UP + row + 1, card, left))
    if not full:
        best = max(best, place_worth(s, seat, M_NEW, card, left))
    return best


def worth(s: State, move: int) -> int:
    """How good a legal decision looks to the seat whose turn it is; higher is better, in tenths of a point."""
    seat = s.turn
    left = turns_left(s, seat)
    if s.phase == PLAY:
        card = move - M_PLAY
        place = lower_neighbour(s, card)
        return max(
            best_place(s, seat, s.market[place], left),
            best_place(s, seat, s.market[(place + 1) % MARKET], left),
        )
    if s.phase == TAKE:
        return best_place(s, seat, move - M_TAKE, left)
    if s.phase == PLACE:
        return place_worth(s, seat, move, s.taken, left)
    return 0
