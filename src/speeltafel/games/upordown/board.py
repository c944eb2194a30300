"""Up or Down?: what the board's template needs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass
from typing import Any

from speeltafel.engine.match import Entry
from speeltafel.engine.refusals import Message, say
from speeltafel.games.upordown import moves, rules
from speeltafel.games.upordown.data import COLOURS
from speeltafel.games.upordown.rules import (
    CARDS,
    HAND,
    M_DOWN,
    M_GIVE_UP,
    M_NEW,
    M_OPEN,
    M_PLACE,
    M_PLAY,
    M_TAKE,
    MARKET,
    PLAY,
    ROWS,
    TAKE,
    State,
)

Offers = Sequence[tuple[int | None, int, int]]
"""The place of a hand card, or None for the card already played, and the two cards it lets one choose from."""

WORLD = 488
"""How far the window of a card can travel up the tall world of `art.svg`."""


@dataclass(frozen=True)
class Spot:
    """A card of the circle, clockwise from the lowest."""

    card: int
    move: int | None
    """Code for taking it now."""
    offered: tuple[int, ...]
    """The places of the own hand cards that would offer it."""
    would: tuple[int | None, ...]
    """For each own row: its worth with this card, or None where it does not fit."""
    nowhere: bool
    """Whether taking it means giving up a row."""
    last: bool


@dataclass(frozen=True)
class Held:
    """An own hand card."""

    card: int
    move: int | None
    low: int
    high: int
    gap: int
    """Its place in the circle: behind the card at this place."""
    seen: bool
    """Whether everybody saw it being drawn."""


@dataclass(frozen=True)
class Tag:
    """What a card of the circle would make of a row."""

    card: int
    worth: int
    place: int | None
    """The own hand card that offers it, by its place, or None for the card already played."""


@dataclass(frozen=True)
class Lane:
    """A row of cards on the table."""

    number: int
    cards: tuple[int, ...]
    way: int
    """1 up, -1 down, 0 still open."""
    most: int
    colours: list[Message]
    worth: int
    cost: int
    """Points lost by giving it up."""
    tags: tuple[Tag, ...] = ()
    add: int | None = None
    give_up: int | None = None
    """Codes for the taken card."""
    would: int | None = None
    """Worth with the taken card."""


@dataclass(frozen=True)
class Side:
    """What lies before one seat."""

    seat: int
    lanes: list[Lane]
    known: tuple[int, ...]
    """Hand cards that everybody saw."""
    unseen: int
    """Hand cards that only their owner knows."""
    discards: int
    score: int


def board(s: State, seat: int, legal: Sequence[int], recent: Sequence[Entry]) -> Mapping[str, Any]:
    """The circle, the own rows and hand with what each card would do, and what lies before the others."""
    may = set(legal)
    peek = seat >= 0 and not s.played and (s.phase == PLAY or not may)
    hand = _hand(s, seat, may) if seat >= 0 else []
    offers: Offers = [(i, held.low, held.high) for i, held in enumerate(hand)] if peek else []
    if may and s.phase == TAKE:
        offers = [(None, *moves.offers(s, s.played))]
    sides = [_side(s, other, may, offers) if other == seat else _side(s, other) for other in range(s.seats)]
    after = seat + 1 if seat >= 0 else s.first
    order = [(after + i) % s.seats for i in range(s.seats)]
    laid, placed = _last(s, seat, recent)
    return {
        "progress": _progress(s),
        "rule": moves.STEPS[s.phase],
        "colours": [COLOURS[s.colour[card]] for card in range(CARDS + 1)],
        "heights": [round((1 - (card - 1) / (s.highest - 1)) * WORLD, 1) for card in range(CARDS + 1)],
        "market": [_spot(s, seat, place, may, hand if peek else [], laid) for place in range(MARKET)],
        "gap": rules.lower_neighbour(s, s.played) if s.played else None,
        "hand": hand,
        "peek": peek,
        "mine": sides[seat] if seat >= 0 else None,
        "new": M_NEW if M_NEW in may else None,
        "room": seat >= 0 and rules.rows(s, seat) < ROWS and s.over == 0,
        "others": [sides[other] for other in order if other != seat],
        "placed": placed,
        "lately": _lately(seat, recent),
        "down": M_DOWN if M_DOWN in may else None,
        "open": M_OPEN if M_OPEN in may else None,
    }


def _progress(s: State) -> Message:
    """Whose how-manieth turn it is; a card placed is a turn past its third step."""
    turns = (s.highest - MARKET) // s.seats
    placed = s.discards[s.turn] + sum(s.row_count[s.turn])
    turn = placed if s.over == 1 or s.phase == rules.DRAW else placed + 1
    return say("Turn {turn} of {turns}", turn=turn, turns=turns)


def _spot(s: State, seat: int, place: int, may: Set[int], hand: Sequence[Held], laid: Sequence[int]) -> Spot:
    card = s.market[place]
    would = tuple(_would(s, seat, row, card) for row in range(ROWS)) if seat >= 0 else ()
    return Spot(
        card=card,
        move=M_TAKE + card if M_TAKE + card in may else None,
        offered=tuple(i for i, held in enumerate(hand) if card in (held.low, held.high)),
        would=would,
        nowhere=seat >= 0 and rules.rows(s, seat) == ROWS and not any(would),
        last=card in laid,
    )


def _hand(s: State, seat: int, may: Set[int]) -> list[Held]:
    held = []
    for i in range(s.hand_count[seat]):
        card = s.hand[seat][i]
        low, high = moves.offers(s, card)
        held.append(
            Held(
                card=card,
                move=M_PLAY + card if M_PLAY + card in may else None,
                low=low,
                high=high,
                gap=rules.lower_neighbour(s, card),
                seen=card in list(s.known[seat]),
            )
        )
    return held


def _side(s: State, seat: int, may: Set[int] = frozenset(), offers: Offers = ()) -> Side:
    known = tuple(s.known[seat][i] for i in range(HAND) if s.known[seat][i] > 0)
    return Side(
        seat=seat,
        lanes=[_lane(s, seat, row, may, offers) for row in range(rules.rows(s, seat))],
        known=known,
        unseen=s.hand_count[seat] - len(known),
        discards=s.discards[seat],
        score=rules.score(s, seat),
    )


def _lane(s: State, seat: int, row: int, may: Set[int], offers: Offers) -> Lane:
    add, give_up = M_PLACE + row + 1, M_GIVE_UP + row + 1
    cards = [(card, place) for place, low, high in offers for card in (low, high)]
    tags = [Tag(card, worth, place) for card, place in cards if (worth := _would(s, seat, row, card))]
    return Lane(
        number=row + 1,
        cards=tuple(s.row[seat][row][i] for i in range(s.row_count[seat][row])),
        way=moves.direction(s, seat, row),
        most=rules.most(s, seat, row),
        colours=moves.frequent(s, seat, row),
        worth=rules.worth(s, seat, row),
        cost=moves.cost(s, seat, row),
        tags=tuple(tags),
        add=add if add in may else None,
        give_up=give_up if give_up in may else None,
        would=_would(s, seat, row, s.taken) if add in may else None,
    )


def _would(s: State, seat: int, row: int, card: int) -> int | None:
    """What the seat's row would be worth with the card, or None where it does not fit."""
    if not rules.fits(s, seat, row, card):
        return None
    then = s.copy()
    then.taken = card
    rules.add(then, seat, row)
    return rules.worth(then, seat, row)


def _lately(seat: int, recent: Sequence[Entry]) -> list[tuple[int, Message]]:
    """What each of the others did since the seat's own last turn, in short: for a phone, where the log is far below."""
    found: dict[int, Message] = {}
    laid = taken = 0
    for entry in recent:
        move = entry.move
        if entry.seat == seat or move >= M_DOWN:
            continue
        if move < M_TAKE:
            laid = move - M_PLAY
            found[entry.seat] = say("laid {card}", card=laid)
            continue
        if move < M_PLACE:
            taken = move - M_TAKE
        values = {"card": laid, "taken": taken}
        if move < M_PLACE:
            found[entry.seat] = say("laid {card}, took {taken}", **values)
        elif move == M_NEW:
            found[entry.seat] = say("laid {card}, took {taken} (new row)", **values)
        elif move > M_GIVE_UP:
            found[entry.seat] = say("laid {card}, took {taken} (row {row} anew)", row=move - M_GIVE_UP, **values)
        else:
            found[entry.seat] = say("laid {card}, took {taken} (row {row})", row=move - M_PLACE, **values)
    return list(found.items())


def _last(s: State, seat: int, recent: Sequence[Entry]) -> tuple[list[int], list[int]]:
    """The cards that others laid in the circle, and in their rows, since the seat's own last turn; the latest first."""
    laid, placed, taken = [], [], 0
    for entry in recent:
        if entry.seat == seat:
            continue
        if M_PLAY < entry.move < M_TAKE:
            laid.append(entry.move - M_PLAY)
        elif M_TAKE < entry.move < M_PLACE:
            taken = entry.move - M_TAKE
        elif M_PLACE < entry.move < M_DOWN and taken:
            placed.append(taken)
    return laid[::-1], placed[::-1]
