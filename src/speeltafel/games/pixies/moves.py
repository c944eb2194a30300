"""Pixies: decisions and cards as text, refusals, and everything in words."""

from __future__ import annotations

from speeltafel.engine.game import Line
from speeltafel.engine.refusals import Message, Refusal, Seat, say, say_n
from speeltafel.games.pixies.data import name
from speeltafel.games.pixies.rules import (
    CARDS,
    COVER,
    CROSSES,
    M_COVER,
    M_NEW,
    M_OLD,
    M_TAKE,
    ROUNDS,
    SPACES,
    SPIRALS,
    TAKE,
    TOP,
    VALIDATED,
    ZONE,
    State,
    crosses,
    spirals,
    validated,
    zone,
)

RULES = "PX"


def text(s: State, move: int) -> str:
    """`take B1+6`, `top new`, `top old` or `cover 7`."""
    if move > M_COVER:
        return f"cover {move - M_COVER}"
    if move == M_NEW:
        return "top new"
    if move == M_OLD:
        return "top old"
    return f"take {name(s, move - M_TAKE)}"


def read(s: State, text: str) -> int:
    """The decision behind a text."""
    verb, _, object_ = text.partition(" ")
    if verb == "take":
        return M_TAKE + card_read(s, object_)
    if text == "top new":
        return M_NEW
    if text == "top old":
        return M_OLD
    if verb == "cover" and len(object_) == 1 and object_ in "123456789":
        return M_COVER + int(object_)
    raise Refusal(
        say("{move} is not a move of Pixies; the moves are take CARD, top new, top old and cover 1 to 9", move=text)
    )


def refuse(s: State, move: int) -> Refusal:
    """Why a decision is not legal now."""
    if s.phase == TOP:
        return Refusal(say("First choose which of the two cards lies face up on top: top new or top old"), "PX-7")
    if s.phase == COVER:
        if move > M_COVER:
            return Refusal(
                say(
                    "Space {space} is not empty; the empty spaces are {spaces}",
                    space=move - M_COVER,
                    spaces=", ".join(str(i + 1) for i in empty_spaces(s, s.turn)),
                ),
                "PX-8",
            )
        return Refusal(say("First lay the {card} face down on an empty space", card=brief(s, s.taken)), "PX-8")
    if move > M_COVER:
        return Refusal(say("Only a card whose own space holds two cards is laid face down elsewhere"), "PX-8")
    if move in (M_NEW, M_OLD):
        return Refusal(say("This is chosen only after taking a card whose space holds one face-up card"), "PX-7")
    return Refusal(
        say(
            "The {card} is not in the market, which holds: {cards}",
            card=brief(s, move - M_TAKE),
            cards=[brief(s, c) for c in in_market(s)],
        ),
        "PX-4",
    )


def in_market(s: State) -> list[int]:
    """The cards that may still be taken."""
    return [card for card, taker in zip(s.market, s.taker, strict=True) if card and not taker]


def empty_spaces(s: State, seat: int) -> list[int]:
    """The spaces, from 0, on which the seat has no card."""
    return [i for i in range(SPACES) if not s.top[seat][i] and not s.under[seat][i]]


def card_text(s: State, card: int) -> str:
    """The name of a card in the match file."""
    return name(s, card)


def card_read(s: State, text: str) -> int:
    """The card of that name."""
    for card in range(1, CARDS + 1):
        if str(s.number[card]) == text[1:2] and name(s, card) == text:
            return card
    raise Refusal(say("{card} is not a card of this deck; cards are written like B1+6, G9-4, R1S and J2", card=text))


def colour(index: int) -> Message:
    """The name of a colour."""
    return (say("blue"), say("green"), say("yellow"), say("red"), say("joker"))[index]


def plain(s: State, card: int) -> Message:
    """A card by colour and number: "blue 1"."""
    number = s.number[card]
    return (
        say("blue {number}", number=number),
        say("green {number}", number=number),
        say("yellow {number}", number=number),
        say("red {number}", number=number),
        say("joker {number}", number=number),
    )[s.colour[card]]


def card(s: State, card: int) -> Message:
    """A card in full, as it is read aloud: "blue 1 with 6 spirals"."""
    name = plain(s, card)
    if s.special[card]:
        return say("special {card}", card=name)
    if s.spirals[card]:
        return say_n("{card} with {count} spiral", "{card} with {count} spirals", count=s.spirals[card], card=name)
    if s.crosses[card]:
        return say_n("{card} with {count} cross", "{card} with {count} crosses", count=s.crosses[card], card=name)
    return name


def brief(s: State, card: int) -> Message:
    """A card for the log: "blue 1 (+6)"."""
    name = plain(s, card)
    if s.special[card]:
        return say("special {card}", card=name)
    symbol = f"+{s.spirals[card]}" if s.spirals[card] else f"−{s.crosses[card]}" if s.crosses[card] else ""
    return say("{card} ({symbol})", card=name, symbol=symbol) if symbol else name


def words(before: State, move: int, after: State) -> list[Message]:
    """What happened, for the log."""
    seat = before.turn
    moved = brief(before, move - M_TAKE if before.phase == TAKE else before.taken)
    if before.phase == TAKE:
        space = before.number[move - M_TAKE]
        if before.top[seat][space - 1]:
            lines = []  # which of the two cards is on top comes next, and tells of both
        elif before.under[seat][space - 1]:
            lines = [say("{name} took the {card} and validated space {space}", card=moved, space=space)]
        else:
            lines = [say("{name} took the {card} for space {space}", card=moved, space=space)]
    elif before.phase == TOP:
        old = brief(before, before.top[seat][before.number[before.taken] - 1])
        if move == M_NEW:
            lines = [say("{name} turned the {old} face down and laid the {card} on it", old=old, card=moved)]
        else:
            lines = [say("{name} kept the {old} on top and the {card} face down beneath", old=old, card=moved)]
    else:
        lines = [say("{name} laid the {card} face down on space {space}", card=moved, space=move - M_COVER)]
    if after.done > before.done:
        points = [
            say("{points} for {seat}", seat=Seat(p), points=after.total[p] - before.total[p])
            for p in range(after.seats)
        ]
        full = any(
            all(a or b for a, b in zip(after.last_top[p], after.last_under[p], strict=True)) for p in range(after.seats)
        )
        if full:
            lines.append(say("A forest was full: round {round} ended. {points}", round=after.done, points=points))
        else:
            lines.append(
                say(
                    "Too few cards were left for a market: round {round} ended. {points}",
                    round=after.done,
                    points=points,
                )
            )
    return lines


def ask(s: State) -> Message:
    """The question that seat `s.turn` has to answer."""
    if s.phase == TAKE:
        if s.picks == 0:
            return say("A new market, and you choose first")
        return say("Take a card from the market")
    if s.phase == TOP:
        return say("Space {space}: which card lies on top?", space=s.number[s.taken])
    return say("Space {space} is full: choose an empty space", space=s.number[s.taken])


def hand(s: State, seat: int) -> list[Message | str]:
    """Nobody holds cards."""
    return []


def advice(s: State, move: int) -> Message:
    """A legal decision as something to do."""
    if s.phase == TAKE:
        return say("Take the {card}", card=brief(s, move - M_TAKE))
    if s.phase == COVER:
        return say("Lay it face down on space {space}", space=move - M_COVER)
    if move == M_NEW:
        return say("Lay the {card} on top", card=brief(s, s.taken))
    return say("Keep the {card} on top", card=brief(s, s.top[s.turn][s.number[s.taken] - 1]))


def breakdown(s: State, seat: int) -> list[Line]:
    """The score by rule, the rounds together; the one being played as it would score now."""
    rounds = [list(s.sheet[seat][k]) for k in range(s.done)]
    if s.done < ROUNDS:
        rounds.append([validated(s, seat), spirals(s, seat), crosses(s, seat), zone(s, seat)])
    numbers, plus, minus, zones = (
        [line[VALIDATED] for line in rounds],
        [line[SPIRALS] for line in rounds],
        [line[CROSSES] for line in rounds],
        [line[ZONE] * (k + 2) for k, line in enumerate(rounds)],
    )
    return [
        Line("PX-21", say("Validated spaces: {rounds}", rounds=_sum(numbers)), sum(numbers)),
        Line("PX-22", say("Spirals: {rounds}", rounds=_sum(plus)), sum(plus)),
        Line("PX-22", say("Crosses: {rounds}", rounds=_sum(minus)), -sum(minus)),
        Line("PX-24", say("Colour zone: {rounds}", rounds=_sum(zones)), sum(zones)),
    ]


def _sum(points: list[int]) -> str:
    return " + ".join(map(str, points))
