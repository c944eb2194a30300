"""Pixies: what the board's template needs."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from speeltafel.engine.records import SPECTATOR
from speeltafel.engine.refusals import Message, say, say_n
from speeltafel.games.pixies.data import COLOURS
from speeltafel.games.pixies.moves import card, colour
from speeltafel.games.pixies.rules import (
    CARDS,
    COVER,
    CROSSES,
    JOKER,
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
    market_size,
    score,
    spirals,
    validated,
    wins,
    zone,
)


def board(s: State, seat: int, legal: Sequence[int], recent: Sequence[Any]) -> Mapping[str, Any]:
    """Values for `board.html`."""
    ended = s.done if s.done and s.drawn == market_size(s) and not s.over else 0
    if ended and seat != SPECTATOR and s.filled[seat]:
        ended = 0  # the look back at a round ends with one's own first card of the next
    last = last_places(s, recent)
    others = [(seat + 1 + k) % s.seats for k in range(s.seats - 1)] if seat != SPECTATOR else list(range(s.seats))
    market = [market_card(s, seat, i, legal) for i in range(market_size(s))]
    return {
        "progress": say("Round {round} of {rounds}", round=min(s.done + 1, ROUNDS), rounds=ROUNDS),
        "notes": ["" if s.over else signed(parts(s, p)["points"]) for p in range(s.seats)],
        "rule": {TAKE: "PX-4", TOP: "PX-7", COVER: "PX-8"}[s.phase],
        "market": market,
        "then": [(m["place"], points) for m in market for points in m.get("then", ())[:1]],
        "order": [
            {"seat": (s.starter + k) % s.seats, "done": k < s.picks, "now": k == s.picks and not s.over}
            for k in range(market_size(s))
        ],
        "pile": say_n("{count} card left", "{count} cards left", count=CARDS - s.drawn),
        "say_round": lambda number: say("Round {round}", round=number),
        "say_ended": lambda number: say("Round {round} is over", round=number),
        "say_cover": lambda number: say("Lay it face down on space {space}", space=number),
        "choice": choice(s, seat, legal),
        "mine": None if seat == SPECTATOR else grid(s, seat, last, legal),
        "rivals": [grid(s, p, last, ()) for p in others],
        "ended": ended,
        "over": bool(s.over),
        "look_back": [past_grid(s, p) for p in ([seat] if seat != SPECTATOR else []) + others] if ended else [],
        "rounds": [{"number": k + 1, "rows": [past(s, p, k) for p in range(s.seats)]} for k in range(s.done)],
        "totals": [s.total[p] for p in range(s.seats)],
        "winners": [bool(s.over and wins(s, p)) for p in range(s.seats)],
    }


def signed(points: int) -> str:
    """+3, −2, +0."""
    return f"−{-points}" if points < 0 else f"+{points}"


def face(s: State, c: int) -> dict[str, Any]:
    """How a card is drawn; sizes are those of the symbol sheet."""
    count = s.spirals[c] or s.crosses[c]
    width = min(19.0, 82 / count) if count else 0
    return {
        "id": c,
        "colour": COLOURS[s.colour[c]],
        "joker": s.colour[c] == JOKER,
        "number": s.number[c],
        "special": bool(s.special[c]),
        "symbol": "spiral" if s.spirals[c] else "cross" if s.crosses[c] else "",
        "count": count,
        "size": round(width - 1, 2),
        "y": round(102 - width, 2),
        "xs": [round(50 + (k - count / 2) * width + 0.5, 2) for k in range(count)],
        "label": card(s, c),
    }


def parts(s: State, seat: int) -> dict[str, Any]:
    """The points of the round being played, or of the last round when the match is over."""
    if s.done == ROUNDS:
        return past(s, seat, ROUNDS - 1)
    return sums([validated(s, seat), spirals(s, seat), crosses(s, seat), zone(s, seat)], s.done)


def past(s: State, seat: int, number: int) -> dict[str, Any]:
    """The points of a finished round."""
    return sums(list(s.sheet[seat][number]), number)


def sums(line: list[int], number: int) -> dict[str, Any]:
    """A round's score as a table row needs it."""
    worth = number + 2
    return {
        "validated": line[VALIDATED],
        "spirals": line[SPIRALS],
        "crosses": line[CROSSES],
        "cards": line[ZONE],
        "worth": worth,
        "zone": line[ZONE] * worth,
        "points": line[VALIDATED] + line[SPIRALS] - line[CROSSES] + line[ZONE] * worth,
    }


def zone_group(s: State, seat: int) -> tuple[str, set[int]]:
    """The colour of the zone that counts, empty when it is all jokers, and its spaces from 0."""
    size = zone(s, seat)
    for index in range(JOKER if size else 0):
        left = {i for i in range(SPACES) if s.top[seat][i] and s.colour[s.top[seat][i]] in (index, JOKER)}
        while left:
            group = grown = {left.pop()}
            while grown:
                grown = {i for i in left for j in grown if abs(i // 3 - j // 3) + abs(i % 3 - j % 3) == 1}
                left -= grown
                group = group | grown
            if len(group) == size:
                plain = any(s.colour[s.top[seat][i]] == index for i in group)
                return COLOURS[index] if plain else "", group
    return "", set()


def last_places(s: State, recent: Sequence[Any]) -> set[tuple[int, int]]:
    """The last space (seat, 1 to 9) that each seat laid a card on, and that is still in this round."""
    found: dict[int, int] = {}
    for entry in recent:
        if entry.move > M_COVER:
            found[entry.seat] = entry.move - M_COVER
        elif entry.move < M_NEW and entry.move != M_TAKE + s.taken:
            found[entry.seat] = s.number[entry.move - M_TAKE]
    return {(seat, space) for seat, space in found.items() if s.top[seat][space - 1] or s.under[seat][space - 1]}


def grid(s: State, seat: int, last: set[tuple[int, int]], legal: Sequence[int]) -> dict[str, Any]:
    """A seat's nine spaces and the points they make; `legal` puts previews and buttons on them."""
    covers = {move - M_COVER for move in legal if move > M_COVER}
    takes = list(takeable(s, legal))
    zone_colour, group = zone_group(s, seat)
    return {
        "seat": seat,
        "zone": zone_colour,
        "zone_name": colour(COLOURS.index(zone_colour)) if zone_colour else say("jokers"),
        "spaces": [
            space(s, s.top[seat][i], s.under[seat][i], i + 1)
            | {
                "last": (seat, i + 1) in last,
                "zone": i in group,
                "cover": M_COVER + i + 1 if i + 1 in covers else 0,
                "ghosts": [(place, ghost) for place, c in takes for ghost in ghosts(s, seat, i, c)],
            }
            for i in range(SPACES)
        ],
        "parts": parts(s, seat),
    }


def ghosts(s: State, seat: int, i: int, c: int) -> list[dict[str, Any] | None]:
    """What taking a card would put on a space: the card itself, perhaps a face-down one (None), or nothing."""
    own = s.number[c] - 1
    full = s.top[seat][own] and s.under[seat][own]
    if full:
        return [] if s.top[seat][i] or s.under[seat][i] else [None]
    return [face(s, c)] if i == own else []


def past_grid(s: State, seat: int) -> dict[str, Any]:
    """A seat's grid as the last finished round left it."""
    then = s.copy()
    then.done -= 1
    for i in range(SPACES):
        then.top[seat][i], then.under[seat][i] = s.last_top[seat][i], s.last_under[seat][i]
    return grid(then, seat, set(), ())


def space(s: State, top: int, under: int, number: int) -> dict[str, Any]:
    """One space: its cards, and what a screen reader says of it."""
    if top and under:
        label = say(
            "Space {space}, validated: {card} on {under}", space=number, card=card(s, top), under=card(s, under)
        )
    elif top:
        label = say("Space {space}: {card}", space=number, card=card(s, top))
    elif under:
        label = say("Space {space}: {card}, face down", space=number, card=card(s, under))
    else:
        label = say("Space {space}: empty", space=number)
    return {
        "number": number,
        "top": face(s, top) if top else None,
        "under": face(s, under) if under else None,
        "label": label,
    }


def takeable(s: State, legal: Sequence[int]) -> Iterator[tuple[int, int]]:
    """The places in the market, with their cards, that may be chosen now."""
    for place in range(market_size(s)):
        if s.phase == TAKE and M_TAKE + s.market[place] in legal:
            yield place, s.market[place]


def with_card(s: State, seat: int, c: int, on_top: bool) -> tuple[int, int]:
    """What a card on its own space would gain, and what the round would then be worth."""
    after = s.copy()
    i = s.number[c] - 1
    if on_top:
        after.under[seat][i] = after.under[seat][i] or after.top[seat][i]
        after.top[seat][i] = c
    else:
        after.under[seat][i] = c
    points = score(after, seat)
    return points - score(s, seat), points - s.total[seat]


def market_card(s: State, seat: int, place: int, legal: Sequence[int]) -> dict[str, Any]:
    """A card of the market: who took it, or where it would go and what it would gain."""
    c = s.market[place]
    made: dict[str, Any] = {
        "place": place,
        "card": face(s, c),
        "taker": s.taker[place] - 1,
        "move": 0,
        "seals": False,
        "gains": [],
    }
    if s.phase == TAKE and M_TAKE + c in legal:
        made["move"] = M_TAKE + c
        number = s.number[c]
        top, under = s.top[seat][number - 1], s.under[seat][number - 1]
        gains = [with_card(s, seat, c, True)]
        tag: Message | str
        if top and under:
            gains = []
            tag, label = "", say("space {space} is full: it goes face down elsewhere", space=number)
        elif top:
            gains.append(with_card(s, seat, c, False))
            tag = say("space {space}: choose", space=number)
            label = say(
                "on top of space {space} {gain}, beneath {other}",
                space=number,
                gain=signed(gains[0][0]),
                other=signed(gains[1][0]),
            )
        else:
            made["seals"] = bool(under)
            gain = signed(gains[0][0])
            tag = say("space {space}", space=number)
            label = say("space {space} {gain}", space=number, gain=gain)
            if under:
                label = say("validates space {space} {gain}", space=number, gain=gain)
        made |= {
            "tag": tag,
            "gains": [signed(gain) for gain, _ in gains],
            "then": [points for _, points in gains],
            "label": say("Take the {card}: {where}", card=face(s, c)["label"], where=label),
        }
    return made


def choice(s: State, seat: int, legal: Sequence[int]) -> dict[str, Any] | None:
    """The card that has been taken and the choice that it asks for, when it is this seat's."""
    if not legal or s.phase == TAKE:
        return None
    taken = s.taken
    if s.phase == COVER:
        return {"kind": "cover", "taken": face(s, taken)}
    old = s.top[seat][s.number[taken] - 1]
    return {
        "kind": "top",
        "taken": face(s, taken),
        "cards": [
            option(s, seat, M_NEW, taken, old, True, say("new on top")),
            option(s, seat, M_OLD, old, taken, False, say("old on top")),
        ],
    }


def option(s: State, seat: int, move: int, shown: int, hidden: int, on_top: bool, word: Message) -> dict[str, Any]:
    """One of the two cards that may lie on top."""
    gain = signed(with_card(s, seat, s.taken, on_top)[0])
    return {
        "move": move,
        "card": face(s, shown),
        "under": face(s, hidden),
        "word": word,
        "gain": gain,
        "label": say(
            "{word}, {gain}: {card} over {other}", word=word, gain=gain, card=card(s, shown), other=card(s, hidden)
        ),
    }
