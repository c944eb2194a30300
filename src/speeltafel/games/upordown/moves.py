"""Up or Down?: decisions and cards as text, refusals, and everything in words."""

from __future__ import annotations

import re

from speeltafel.engine.game import Line
from speeltafel.engine.refusals import Message, Refusal, say, say_n
from speeltafel.games.upordown import rules
from speeltafel.games.upordown.rules import (
    CARDS,
    DRAW,
    M_DOWN,
    M_GIVE_UP,
    M_NEW,
    M_OPEN,
    M_PLACE,
    M_PLAY,
    M_TAKE,
    MAX_LEGAL,
    NO_LIMIT,
    PLACE,
    PLAY,
    ROWS,
    TAKE,
    State,
)

RULES = "UD"
STEPS = {PLAY: "UD-10", TAKE: "UD-12", PLACE: "UD-13", DRAW: "UD-18"}
"""The rule of each step of a turn."""
COLOURS = (say("yellow"), say("red"), say("blue"), say("pink"), say("purple"), say("green"))

_ROWS = {str(row): row for row in range(1, ROWS + 1)}
_PILES = {"down": M_DOWN, "open": M_OPEN}


def text(s: State, move: int) -> str:
    """The decision in the match notation."""
    if move in (M_DOWN, M_OPEN):
        return "draw down" if move == M_DOWN else "draw open"
    if move > M_GIVE_UP:
        return f"giveup {move - M_GIVE_UP}"
    if move == M_NEW:
        return "place new"
    if move > M_PLACE:
        return f"place {move - M_PLACE}"
    if move > M_TAKE:
        return f"take {move - M_TAKE}"
    return f"play {move - M_PLAY}"


def read(s: State, text: str) -> int:
    """The decision behind a text. Raises `Refusal` for what is not in the notation."""
    verb, _, what = text.partition(" ")
    if verb == "play":
        return M_PLAY + card_read(s, what)
    if verb == "take":
        return M_TAKE + card_read(s, what)
    if verb == "place" and what == "new":
        return M_NEW
    if verb == "place" and what in _ROWS:
        return M_PLACE + _ROWS[what]
    if verb == "giveup" and what in _ROWS:
        return M_GIVE_UP + _ROWS[what]
    if verb == "draw" and what in _PILES:
        return _PILES[what]
    if verb in ("place", "giveup"):
        raise Refusal(say("{text} names no row; rows are numbered 1 to {rows}", text=text, rows=ROWS), "UD-13")
    if verb == "draw":
        raise Refusal(say("{text} names no pile; there are two: down and open", text=text), "UD-18")
    raise Refusal(
        say(
            "{text} is no decision of this game; decisions look like {examples}",
            text=text,
            examples="play 17, take 10, place 1, place new, giveup 1, draw down, draw open",
        )
    )


def card_text(s: State, card: int) -> str:
    """The name of a card in the match file: its number."""
    return str(card)


def card_read(s: State, text: str) -> int:
    """The card of that number. Raises `Refusal` for a number that is not in play (UD-1)."""
    # a shuffle is read before the deal has settled which cards are in play
    highest = s.highest or CARDS
    if not re.fullmatch("[1-9][0-9]{0,2}", text) or int(text) > highest:
        raise Refusal(
            say("{text} is no card of this match; the cards run from 1 to {highest}", text=text, highest=highest),
            "UD-1",
        )
    return int(text)


def refuse(s: State, move: int) -> Refusal:
    """Why a readable decision is not legal now, and what is."""
    if s.over == 1:
        return Refusal(say("The match is over: both piles and all hands are empty"), "UD-20")
    if _step(move) != s.phase:
        return Refusal(
            say("{text} is not what is asked now: {question}", text=text(s, move), question=ask(s)), STEPS[s.phase]
        )
    if s.phase == PLAY:
        hand = [s.hand[s.turn][i] for i in range(s.hand_count[s.turn])]
        return Refusal(say("{card} is not in your hand; you hold {hand}", card=move - M_PLAY, hand=hand), "UD-10")
    if s.phase == TAKE:
        low, high = offers(s, s.played)
        why = say(
            "{card} does not lie next to {played}; take {low} or {high}",
            card=move - M_TAKE,
            played=s.played,
            low=low,
            high=high,
        )
        return Refusal(why, "UD-12")
    if s.phase == DRAW:
        if move == M_DOWN:
            return Refusal(say("The face-down pile is empty; draw from the face-up pile"), "UD-18")
        return Refusal(say("The face-up pile is empty; draw from the face-down pile"), "UD-18")
    return _refuse_row(s, move)


def _refuse_row(s: State, move: int) -> Refusal:
    """Why the taken card cannot be laid so."""
    choices = _choices(s)
    if move == M_NEW:
        return Refusal(
            say("You have {rows} rows, the most there may be; you can: {choices}", rows=ROWS, choices=choices), "UD-13"
        )
    if move > M_GIVE_UP:
        return Refusal(
            say(
                "With fewer than {rows} rows none is given up, for a new one is free; you can: {choices}",
                rows=ROWS,
                choices=choices,
            ),
            "UD-17",
        )
    row = move - M_PLACE - 1
    count = s.row_count[s.turn][row]
    if count == 0:
        return Refusal(say("You have no row {row} yet; you can: {choices}", row=row + 1, choices=choices), "UD-13")
    values = {"row": row + 1, "last": s.row[s.turn][row][count - 1], "card": s.taken, "choices": choices}
    if direction(s, s.turn, row) > 0:
        return Refusal(
            say("Row {row} goes up from {last}, so {card} is too low; you can: {choices}", **values), "UD-14"
        )
    return Refusal(say("Row {row} goes down from {last}, so {card} is too high; you can: {choices}", **values), "UD-14")


def _step(move: int) -> int:
    """The phase in which a decision may be taken."""
    if move >= M_DOWN:
        return DRAW
    if move > M_PLACE:
        return PLACE
    return TAKE if move > M_TAKE else PLAY


def _choices(s: State) -> list[Message]:
    """In words, what may be done with the taken card."""
    out = [0] * MAX_LEGAL
    count = rules.legal(s, out)
    words = []
    for move in out[:count]:
        if move == M_NEW:
            words.append(say("start a new row"))
        elif move > M_GIVE_UP:
            words.append(say("give up row {row}", row=move - M_GIVE_UP))
        else:
            words.append(say("add it to row {row}", row=move - M_PLACE))
    return words


def offers(s: State, card: int) -> tuple[int, int]:
    """The two market cards that a card laid into the circle lets its player choose from, lower number first (UD-12)."""
    place = rules.lower_neighbour(s, card)
    pair = s.market[place], s.market[(place + 1) % rules.MARKET]
    return min(pair), max(pair)


def direction(s: State, seat: int, row: int) -> int:
    """1 for a row that goes up, -1 for one that goes down, 0 while that is open (UD-14)."""
    if s.low[seat][row] > 0:
        return 1
    return -1 if 0 < s.high[seat][row] < NO_LIMIT else 0


def cost(s: State, seat: int, row: int) -> int:
    """Points lost by giving up a row: its worth less a point for each card (UD-30, UD-31)."""
    return rules.worth(s, seat, row) - s.row_count[seat][row]


def words(before: State, move: int, after: State) -> list[Message]:
    """What happened, for the log."""
    seat = before.turn
    if move == M_DOWN:
        return [say("{name} drew a card from the face-down pile"), *_piles_empty(after)]
    if move == M_OPEN:
        return [say("{name} drew {card} from the face-up pile", card=before.open_top), *_piles_empty(after)]
    if move > M_GIVE_UP:
        row = move - M_GIVE_UP - 1
        lost = cost(before, seat, row)
        values = {"row": row + 1, "card": before.taken}
        if lost == 0:
            return [say("{name} gave up row {row} at no cost and started it anew with {card}", **values)]
        return [
            say_n(
                "{name} gave up row {row} (−{count} point) and started it anew with {card}",
                "{name} gave up row {row} (−{count} points) and started it anew with {card}",
                count=lost,
                **values,
            )
        ]
    if move == M_NEW:
        return [say("{name} started row {row} with {card}", row=rules.rows(after, seat), card=before.taken)]
    if move > M_PLACE:
        return [say("{name} added {card} to row {row}", row=move - M_PLACE, card=before.taken)]
    if move > M_TAKE:
        return [say("{name} took {card}", card=move - M_TAKE)]
    return [say("{name} laid {card} in the circle", card=move - M_PLAY)]


def _piles_empty(s: State) -> list[Message]:
    if s.down_count + s.open_count > 0:
        return []
    return [say("Both piles are empty: everybody now plays the rest of their hand")]


def ask(s: State) -> Message:
    """The question that seat `s.turn` has to answer now."""
    if s.phase == PLAY:
        return say("Play a card into the circle")
    if s.phase == TAKE:
        low, high = offers(s, s.played)
        return say("{card} belongs here: take {low} or {high}", card=s.played, low=low, high=high)
    if s.phase == PLACE:
        fitting = any(rules.fits(s, s.turn, row, s.taken) for row in range(ROWS))
        if not fitting and rules.rows(s, s.turn) == ROWS:
            return say("{card} fits nowhere: give up a row", card=s.taken)
        return say("Where does {card} go?", card=s.taken)
    return say("Draw a card")


def hand(s: State, seat: int) -> list[Message | str]:
    """The cards in the hand of a seat, in words."""
    cards = [s.hand[seat][i] for i in range(s.hand_count[seat])]
    return [say("{colour} {card}", colour=COLOURS[s.colour[card]], card=card) for card in cards]


def advice(s: State, move: int) -> Message:
    """A legal decision as something to do."""
    if s.phase == PLAY:
        return say("Lay {card} in the circle", card=move - M_PLAY)
    if s.phase == TAKE:
        return say("Take {card}", card=move - M_TAKE)
    if s.phase == DRAW:
        return say("Draw from the face-down pile") if move == M_DOWN else say("Draw {card}", card=s.open_top)
    if move == M_NEW:
        return say("Start a new row with {card}", card=s.taken)
    if move > M_GIVE_UP:
        return say("Give up row {row} for {card}", row=move - M_GIVE_UP, card=s.taken)
    return say("Add {card} to row {row}", row=move - M_PLACE, card=s.taken)


def frequent(s: State, seat: int, row: int) -> list[Message]:
    """The most frequent colour of a row; several when they are level (UD-30)."""
    seen = [s.colour[s.row[seat][row][i]] for i in range(s.row_count[seat][row])]
    most = rules.most(s, seat, row)
    return [COLOURS[colour] for colour in sorted(set(seen), key=seen.index) if seen.count(colour) == most]


def breakdown(s: State, seat: int) -> list[Line]:
    """The score by rule: a line for each row and one for the discard pile."""
    lines = [
        Line(
            "UD-30",
            say_n(
                "Row {row}: {count} card × {most} ({colours})",
                "Row {row}: {count} cards × {most} ({colours})",
                row=row + 1,
                count=s.row_count[seat][row],
                most=rules.most(s, seat, row),
                colours=frequent(s, seat, row),
            ),
            rules.worth(s, seat, row),
        )
        for row in range(rules.rows(s, seat))
    ]
    discards = say_n("Discard pile: {count} card", "Discard pile: {count} cards", count=s.discards[seat])
    return [*lines, Line("UD-31", discards, s.discards[seat])]
