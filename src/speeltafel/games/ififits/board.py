"""If It Fits: what the board's template needs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from markupsafe import Markup, escape

from speeltafel.engine.match import Entry
from speeltafel.engine.records import SPECTATOR
from speeltafel.engine.refusals import Message, Seat, say, say_n
from speeltafel.games.ififits import moves, rules
from speeltafel.games.ififits.moves import cell_text, letter
from speeltafel.games.ififits.rules import (
    ASLEEP,
    AWAKE,
    BALL,
    BED,
    CAT,
    CONTENTS,
    FEATHER,
    GIFT,
    LAY,
    M_CARD,
    M_CAT,
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
    START,
    STEP,
    SUMS,
    T_PRINCESS,
    T_TOY,
    TOY,
    WIDTH,
    State,
)

COATS = ("ginger", "siam", "cloud", "patch", "mist")
"""The symbols of the cats, by seat."""
TOYS = ("ball", "mouse", "feather")
THINGS = ("toy-ball", "toy-mouse", "toy-feather", "sprayer")

Thing = tuple[str, int, int, int]
"""A symbol on a card, and where: x, y and size."""


@dataclass(frozen=True)
class Resident:
    """Somebody's cats in a box and what the box brings them now."""

    seat: int
    awake: int
    asleep: int
    points: int


@dataclass(frozen=True)
class Worth:
    """A box in numbers, as it is or as it would be."""

    toy: str
    """The kind that it has most of; empty without toys."""
    count: int
    """How many of these, special toys included."""
    special: int
    sprayers: int
    open: int
    value: int
    residents: tuple[Resident, ...]


@dataclass(frozen=True)
class Outcome:
    """What a decision would make of a box."""

    head: tuple[Message, ...]
    worth: Worth
    pointed: str
    """Classes that mark the boxes it touches."""


@dataclass(frozen=True)
class Place:
    """A place on the field that may be chosen."""

    code: int
    at: str
    """Classes of its position, and `t0` or `t1` for one of two ways round."""
    name: str
    turned: int
    """1 when the card would lie turned."""
    across: bool
    """Whether something would lie across two cards."""
    outcome: int
    """Index of what would happen."""


@dataclass(frozen=True)
class Cell:
    """A card on the table."""

    at: str
    """Classes of its position, of the sides where its box ends, and `last` when it was laid lately."""
    name: str
    about: str
    """Key of what it is in `words`."""
    drawn: Markup
    index: int
    """How many cards were laid before it."""


@dataclass(frozen=True)
class Piece:
    """Something that lies on one or two cards."""

    at: str
    symbol: str
    seat: int
    """Whose cat, or -1."""
    wide: bool
    glide: str
    code: int | None
    """The decision to let Princess take its place."""
    outcome: int
    about: str
    """Key of what it is in `words`."""


@dataclass(frozen=True)
class Box:
    """A box on the table."""

    number: int
    letter: str
    worth: Worth
    drawn: Markup
    princesses: int
    cells: list[Cell]
    pieces: list[Piece]
    at: str
    news: str
    """`closed` or `joined` when that happened since the own last turn."""
    now: bool
    """Whether the last decision did it."""


@dataclass(frozen=True)
class Held:
    """A card in the own hand."""

    kind: int
    drawn: Markup
    code: int | None
    discard: bool
    about: Message


def board(s: State, seat: int, legal: Sequence[int], recent: Sequence[Entry]) -> Mapping[str, Any]:
    """Values for `board.html`."""
    s = s.copy()  # row 0 of the sums is used to work out what boxes would become
    laid = list(s.laid)[: s.laid_count]
    left = max(1, min(cell % WIDTH for cell in laid) - 1)
    right = min(rules.table_width(s), max(cell % WIDTH for cell in laid) + 1)
    top = max(1, min(cell // WIDTH for cell in laid) - 1)
    bottom = min(rules.table_height(s), max(cell // WIDTH for cell in laid) + 1)
    reached = (top == 1, right == rules.table_width(s), bottom == rules.table_height(s), left == 1)
    outcomes: list[Outcome] = []
    places = _places(s, seat, legal, outcomes, left - 1, top - 1)
    news = _news(recent)
    boxes = _boxes(s, legal, outcomes, news, left - 1, top - 1)
    words = _words(s, [*(box.worth for box in boxes), *(outcome.worth for outcome in outcomes)])
    ways = {place.at[-2:] for place in places}
    sides = s.sides_of[s.laying]
    return {
        "progress": _progress(s),
        "columns": right - left + 1,
        "rows": bottom - top + 1,
        "letters": [cell_text(column)[0] for column in range(left, right + 1)],
        "numbers": list(range(top, bottom + 1)),
        "edge": [side for side, there in zip("nesw", reached, strict=True) if there],
        "boxes": boxes,
        "places": places,
        "across": any(place.across for place in places),
        "outcomes": outcomes,
        "faces": [_ghost(s, sides), _ghost(s, rules.turn_round(sides))] if s.phase == LAY else [],
        "turns": "t1" in ways,
        "turned_first": "t1" in ways and "t0" not in ways,
        "draw": M_DRAW if M_DRAW in legal else None,
        "sleep": M_SLEEP if M_SLEEP in legal else None,
        "no_cat": M_NO_CAT if M_NO_CAT in legal else None,
        "gift": s.phase == GIFT,
        "hand": _hand(s, seat, legal),
        "chosen": _chosen(s),
        "coats": COATS,
        "home": news.home,
        "hint": _hint(s, legal),
        "words": words,
        "settled": settled,
        "tip": tip,
        "told": told,
        "cats": lambda n: say_n("{count} cat at home", "{count} cats at home", count=n),
        "cards": lambda n: say_n("{count} card in hand", "{count} cards in hand", count=n),
        "laying": say("{name} plays {card}", card=moves.name(s, s.laying)),
        "rule": moves.asked(s),
    }


def _progress(s: State) -> Message:
    if s.over:
        return say("The boxes are counted")
    if s.ending:
        return say("The end: last cards")
    return say_n("{count} card in the pile", "{count} cards in the pile", count=s.pile_count)


def _words(s: State, worths: Sequence[Worth]) -> dict[object, object]:
    """The messages that many boxes, cards and places share, each once: the template translates them into `said`."""
    words: dict[object, object] = {}
    for worth in worths:
        words[worth.toy, worth.count, worth.sprayers] = moves.things(_contents(worth))
        words["open", worth.open] = (
            say_n("{count} side open", "{count} sides open", count=worth.open)
            if worth.open
            else say("closed, counts double")
        )
        words["ajar", worth.open] = (
            say_n("{count} open", "{count} open", count=worth.open) if worth.open else say("closed ×2")
        )
        words["worth", worth.value] = say("worth {points}", points=signed(worth.value))
        for resident in worth.residents:
            if resident not in words:
                words[resident] = _who(resident)
    for kind in set(s.card):
        if kind > 0:
            words[f"card-{kind}"] = say("a start box") if kind == START else moves.name(s, kind)
    for seat in range(s.seats):
        words[f"piece-{seat + 1}-1"] = say("cat of {owner}", owner=Seat(seat))
        words[f"piece-{seat + 1}-0"] = say("sleeping cat of {owner}", owner=Seat(seat))
    words[f"piece-{T_TOY}-1"] = say("special toy")
    words[f"piece-{T_PRINCESS}-0"] = words[f"piece-{T_PRINCESS}-1"] = say("Princess")
    return words


def _contents(worth: Worth) -> list[int]:
    """The leading toy and the sprayers of a box, in the order of its sums."""
    contents = [0] * CONTENTS
    if worth.toy:
        contents[SPECIAL if worth.toy == "special" else TOYS.index(worth.toy)] = worth.count
    contents[SPRAYER] = worth.sprayers
    return contents


def _who(resident: Resident) -> Message:
    cats = [say_n("{count} cat", "{count} cats", count=resident.awake)] if resident.awake else []
    if resident.asleep:
        cats.append(say_n("{count} asleep", "{count} asleep", count=resident.asleep))
    if not resident.awake:
        return say("{owner}: {cats}, nothing without a cat awake", owner=Seat(resident.seat), cats=cats)
    points = signed(resident.points)
    return say("{owner}: {cats}, good for {points}", owner=Seat(resident.seat), cats=cats, points=points)


def told(said: Mapping[object, str], worth: Worth) -> str:
    """A box in words, from messages already translated."""
    toys = said[worth.toy, worth.count, worth.sprayers]
    parts = [f"{toys}, " if toys else "", said["open", worth.open], f", {said['worth', worth.value]}"]
    return "".join(parts + [f"; {said[resident]}" for resident in worth.residents])


def tip(said: Mapping[object, str], names: Sequence[str], head: str, thing: Outcome | Box) -> Markup:
    """What is shown when a place or a box is pointed at."""
    worth = thing.worth
    return Markup(
        f'<span class="if-tip" aria-hidden="true"><span class="if-head">{escape(head)}</span>'
        f'<span class="if-state">{escape(said["open", worth.open])}</span>{summed(worth)}'
        f'<b class="if-worth">{escape(said["worth", worth.value])}</b>{settled(worth.residents, tuple(names))}</span>'
    )


def _hint(s: State, legal: Sequence[int]) -> Message:
    """A word under the field."""
    if legal and s.phase in (LAY, GIFT):
        return say("Point at a place to see what would happen there")
    if legal and s.phase == REPLACE:
        return say("Point at a cat to see what its box would be without it")
    if s.phase == CAT and len(legal) > 1:
        return say("A cat can lie across the new card and its neighbour")
    return say("Point at a box to see what it brings, and whom")


# what happened lately


@dataclass(frozen=True)
class News:
    """What changed since the own last turn."""

    cells: frozenset[int]
    """Where something was laid."""
    joined: frozenset[int]
    """The cards that joined boxes."""
    home: tuple[tuple[int, int, bool], ...]
    """Cats that went home: whose, from which cell, and whether it is the latest news."""
    latest: int
    """Where the last decision laid something, else 0."""
    princess: bool
    """Whether that was Princess."""


def _news(recent: Sequence[Entry]) -> News:
    cells, joined = set(), set()
    home = []
    cell = 0
    for entry in recent:
        move, cell = entry.move, 0
        if move >= M_LAY:
            cell = (move - M_LAY) // 2
            if any("boxes" in words.values for words in entry.words):
                joined.add(cell)
        elif move >= M_REPLACE:
            cell = move - (M_WAKE if move >= M_WAKE else M_REPLACE)
            owners = [words.values["owner"] for words in entry.words if "owner" in words.values]
            home += [(owner.number, cell, entry is recent[-1]) for owner in owners if isinstance(owner, Seat)]
        elif move >= M_CAT:
            cell = move - (M_TOY if move >= M_TOY else M_CAT)
        cells.add(cell)
    princess = bool(home) and home[-1][2]
    return News(frozenset(cells - {0}), frozenset(joined), tuple(home), cell, princess)


# boxes


def worth_of(s: State, box: int) -> Worth:
    """A box in numbers, or the one worked out in row 0 of the sums."""
    sums = list(s.sums[box])
    counts = sums[BALL : FEATHER + 1]
    most = max(counts)
    residents = [
        Resident(p, sums[AWAKE + p], sums[ASLEEP + p], rules.points(s, box, p) if sums[AWAKE + p] else 0)
        for p in range(s.seats)
        if sums[AWAKE + p] or sums[ASLEEP + p]
    ]
    return Worth(
        toy=TOYS[counts.index(most)] if most else "special" if sums[SPECIAL] else "",
        count=most + sums[SPECIAL],
        special=sums[SPECIAL],
        sprayers=sums[SPRAYER],
        open=sums[OPEN],
        value=rules.value(s, box),
        residents=tuple(sorted(residents, key=lambda resident: -resident.points)),
    )


def _boxes(s: State, legal: Sequence[int], outcomes: list[Outcome], news: News, left: int, top: int) -> list[Box]:
    cards, sides, box_of, tops, halves = (list(row) for row in (s.card, s.sides, s.box, s.top, s.half))
    laid = list(s.laid)[: s.laid_count]
    replace = {move - (M_WAKE if move >= M_WAKE else M_REPLACE): move for move in legal if M_REPLACE <= move < M_LAY}
    members: dict[int, list[Cell]] = {}
    pieces: dict[int, list[Piece]] = {}
    corner: dict[int, str] = {}
    for cell, index in sorted((cell, index) for index, cell in enumerate(laid)):
        number, kind, mask = box_of[cell], cards[cell], sides[cell]
        at = f"x{cell % WIDTH - left} y{cell // WIDTH - top}"
        classes, runs = at, ""
        for d, side in enumerate("nesw"):
            beyond = cell + STEP[d]
            if cards[beyond] <= 0 or box_of[beyond] != number:
                classes += " e" + side
                if mask >> d & 1 and cards[beyond] <= 0:
                    runs += side
        if cell in news.cells:
            classes += " last"
        picture = drawn(_symbol(mask), _inside(s, kind, tops[cell] > 0), runs)
        members.setdefault(number, []).append(Cell(classes, cell_text(cell), f"card-{kind}", picture, index))
        pieces.setdefault(number, [])
        corner.setdefault(number, at)
        if tops[cell] and halves[cell] != 2:
            pieces[number].append(_piece(s, cell, replace.get(cell), outcomes, news, at))
    boxes = []
    for number, cells in sorted(members.items()):
        fresh = {cell for cell in news.cells if box_of[cell] == number}
        happened = ""
        if s.sums[number][OPEN] == 0 and (fresh or any(_shut_by(s, cell, number) for cell in news.cells)):
            happened = "closed"
        elif news.joined & fresh:
            happened = "joined"
        worth = worth_of(s, number)
        boxes.append(
            Box(
                number=number,
                letter=letter(number),
                worth=worth,
                drawn=valued(worth),
                princesses=sum(1 for piece in pieces[number] if "princess" in piece.symbol),
                cells=cells,
                pieces=pieces[number],
                at=corner[number],
                news=happened,
                now=news.latest > 0 and (box_of[news.latest] == number or _shut_by(s, news.latest, number)),
            )
        )
    return boxes


def _shut_by(s: State, cell: int, box: int) -> bool:
    """Whether the card in a cell stands before an open side of a box."""
    return any(rules.facing(s, cell, d) == box for d in range(4))


def _piece(s: State, cell: int, code: int | None, outcomes: list[Outcome], news: News, at: str) -> Piece:
    what, wide = s.top[cell], s.half[cell] == 1
    pose = "awake" if wide else "asleep"
    seat = what - 1 if what <= rules.SEATS else -1
    if what == T_TOY:
        symbol = "toy-special"
    elif what == T_PRINCESS:
        symbol = f"cat-princess-{pose}"
    else:
        symbol = f"cat-{COATS[seat]}-{pose}"
        at += f" seat-{what}"
    if code is not None:
        box = s.box[cell]
        _copy(s, box)
        s.sums[0][(AWAKE if wide else ASLEEP) + seat] -= 1
        coat, owner, name = moves.COATS[seat], Seat(seat), letter(box)
        head = say("The {cat} of {owner} goes home from box {box}", cat=coat, owner=owner, box=name)
        _note(s, outcomes, [head], [box])
    return Piece(
        at=at + (" if-wide" if wide else "") + (" if-fresh" if cell in news.cells else ""),
        symbol=symbol,
        seat=seat,
        wide=wide,
        glide=f"princess-{sum(s.sent)}" if news.princess and news.latest == cell else f"on-{what}-{cell}",
        code=code,
        outcome=len(outcomes) - 1,
        about=f"piece-{what}-{int(wide)}",
    )


def _copy(s: State, box: int) -> None:
    """Bring a box to row 0 of the sums, to work out what it would be."""
    for k in range(SUMS):
        s.sums[0][k] = s.sums[box][k]


def _note(s: State, outcomes: list[Outcome], head: list[Message], boxes: list[int]) -> int:
    """Add what row 0 of the sums says would happen; returns its index."""
    worth = worth_of(s, 0)
    outcomes.append(Outcome(tuple(head), worth, "".join(f" j{box}" for box in boxes)))
    return len(outcomes) - 1


# places


def _places(s: State, seat: int, legal: Sequence[int], outcomes: list[Outcome], left: int, top: int) -> list[Place]:
    """The legal places for a card, a cat or a toy, each with what would happen."""
    places = []
    known: dict[tuple[int, ...], int] = {}
    unturned = s.sides_of[s.laying]
    turned = rules.turn_round(unturned)
    for move in legal:
        if move >= M_LAY:
            cell, way = divmod(move - M_LAY, 2)
            sides = turned if way else unturned
            # what a card does is settled by its sides and what stands around it
            key = (sides, *(box or min(s.card[cell + STEP[d]], 1) - 1 for d, box in enumerate(rules.around(s, cell))))
            if key not in known:
                known[key] = _lay(s, seat, cell, sides, outcomes)
            at = f"x{cell % WIDTH - left} y{cell // WIDTH - top}" + (f" t{way}" if turned != unturned else "")
            places.append(Place(move, at, cell_text(cell), way, False, known[key]))
        elif M_CAT <= move < M_REPLACE:
            gift = move >= M_TOY
            cell = move - (M_TOY if gift else M_CAT)
            box = s.box[cell]
            _copy(s, box)
            s.sums[0][SPECIAL if gift else AWAKE + seat] += 1
            name = letter(box)
            head = say("The special toy in box {box}", box=name) if gift else say("A cat in box {box}", box=name)
            at = f"x{cell % WIDTH - left} y{cell // WIDTH - top}"
            outcome = _note(s, outcomes, [head], [box])
            places.append(Place(move, at, f"{cell_text(cell)} {cell_text(cell + 1)}", 0, True, outcome))
    return places


def _lay(s: State, seat: int, cell: int, sides: int, outcomes: list[Outcome]) -> int:
    """Add what the card being laid would make of the boxes around a cell; returns its index."""
    joined: list[int] = []
    shut: list[int] = []
    boxes = rules.around(s, cell)
    for box in boxes:
        if box and rules.joins_box(boxes, sides, box, 4):
            if box not in joined:
                joined.append(box)
        elif box and box not in shut and s.sums[box][OPEN] == boxes.count(box):
            shut.append(box)
    rules.gather(s, cell, boxes, s.laying, sides)
    if s.laying == BED:
        s.sums[0][ASLEEP + seat] += 1
    names = [letter(box) for box in sorted(joined)]
    closed = s.sums[0][OPEN] == 0
    if not joined:
        head = [say("A new box, closed at once") if closed else say("A new box")]
    elif len(joined) == 1:
        head = [say("Closes box {box}", box=names[0]) if closed else say("Joins box {box}", box=names[0])]
    elif closed:
        head = [say("Joins boxes {boxes} and closes them", boxes=names)]
    else:
        head = [say("Joins boxes {boxes}", boxes=names)]
    for box in shut:
        points = 2 * rules.value(s, box)
        head.append(say("Shuts box {box}, then worth {points}", box=letter(box), points=signed(points)))
    return _note(s, outcomes, head, joined + shut)


# drawings; as strings that are kept, since a full table has hundreds and is drawn anew for everybody


@lru_cache(maxsize=4096)
def drawn(symbol: str, things: tuple[Thing, ...] = (), runs: str = "") -> Markup:
    """A floor, the things on it, and arrows at the sides still open."""
    uses = [f'<use href="#{symbol}"/>'] if symbol else []
    uses += [f'<use href="#{name}" x="{x}" y="{y}" width="{size}" height="{size}"/>' for name, x, y, size in things]
    return Markup("".join(uses + [f'<use href="#run-{run}"/>' for run in runs]))


def _picture(symbol: str) -> str:
    return f'<svg aria-hidden="true"><use href="#{symbol}"/></svg>'


@lru_cache(maxsize=4096)
def summed(worth: Worth) -> Markup:
    """What makes a box worth something, in pictures: leading toy and sprayers."""
    if not worth.toy and not worth.sprayers:
        return Markup("")
    parts = ['<span class="if-sum">']
    if worth.toy:
        parts.append(f"<span>{worth.count}</span>{_picture(f'toy-{worth.toy}')}")
        if worth.special and worth.toy != "special":
            parts.append("<i>★</i>")
    if worth.sprayers:
        parts.append(f'<span class="if-minus">−{worth.sprayers}</span>{_picture("sprayer")}')
    parts.append("</span>")
    return Markup("".join(parts))


@lru_cache(maxsize=4096)
def valued(worth: Worth) -> Markup:
    """A box in pictures, and its value."""
    return Markup(f'{summed(worth)}<b class="if-value">{signed(worth.value)}</b>')


@lru_cache(maxsize=4096)
def settled(residents: tuple[Resident, ...], names: tuple[str, ...] = ()) -> Markup:
    """The cats of a box by seat, under these names, and what they get."""
    parts = []
    for who in residents:
        seat, coat = who.seat + 1, COATS[who.seat]
        parts.append(f'<span class="if-cats seat-{seat}"><svg class="mark seat-{seat}" aria-hidden="true">')
        parts.append(f'<use href="#i-seat-{seat}"/></svg>')
        if names:
            parts.append(f'<span class="if-whose">{escape(names[who.seat])}</span>')
        parts += [_picture(f"cat-{coat}-face")] * who.awake + [_picture(f"cat-{coat}-asleep")] * who.asleep
        gets = f"<b>+{who.points}</b>" if who.points > 0 else f'<b class="none">{signed(who.points)}</b>'
        parts.append(f"{gets}</span>")
    return Markup("".join(parts))


def signed(points: int) -> str:
    """A number with a true minus."""
    return f"−{-points}" if points < 0 else str(points)


# cards


def _symbol(sides: int) -> str:
    """The floor with these open sides."""
    return "box-" + ("".join(side for d, side in enumerate("nesw") if sides >> d & 1) or "none")


def _inside(s: State, kind: int, covered: bool = False) -> tuple[Thing, ...]:
    """The things on a kind of card."""
    return _things(kind, tuple(s.content[kind])[:SPECIAL], covered)


@lru_cache(maxsize=1024)
def _things(kind: int, contents: tuple[int, ...], covered: bool) -> tuple[Thing, ...]:
    """Where the things on a card are drawn; small and at its head when something lies on it."""
    if kind == START:
        return (("stamp-start", 46, 16, 36) if covered else ("stamp-start", 24, 44, 52),)
    if kind == TOY:
        return (("toy-special", 30, 12, 40) if covered else ("toy-special", 8, 40, 84),)
    symbols = [THINGS[k] for k, count in enumerate(contents) for _ in range(count)]
    n = len(symbols)
    if covered and n <= 2:
        spots = [(46, 18)] if n == 1 else [(19, 18), (55, 18)]
        return tuple((symbol, x, y, 33) for symbol, (x, y) in zip(symbols, spots, strict=False))
    columns = 1 if n <= 2 else 2 if n <= 6 else 3 if n <= 9 else 4
    rows = max(1, -(-n // columns))
    size = min(52 if n == 1 else 44, 76 // columns, (44 if covered else 112) // rows)
    middle = 38 if covered else 72
    return tuple(
        (
            symbol,
            50 + (2 * (i % columns) - columns) * size // 2,
            middle + (2 * (i // columns) - rows) * size // 2,
            size,
        )
        for i, symbol in enumerate(symbols)
    )


def _card(s: State, kind: int, seat: int) -> Markup:
    """A card as it is held."""
    if kind == PRINCESS:
        return drawn("princess-card")
    if kind == TOY:
        return drawn("special-card")
    if kind == BED:
        return drawn(_symbol(rules.ALL_OPEN), ((f"cat-{COATS[seat]}-asleep", 10, 30, 80),))
    return drawn(_symbol(s.sides_of[kind]), _inside(s, kind))


def _ghost(s: State, sides: int) -> tuple[Markup, Markup]:
    """Floor and contents of the card being laid, for the places where it might lie."""
    things = _inside(s, s.laying)
    if s.laying == BED:
        things = ((f"cat-{COATS[s.turn]}-asleep", 6, 26, 88),)
    return drawn(_symbol(sides)), drawn("", things)


def _hand(s: State, seat: int, legal: Sequence[int]) -> list[Held]:
    """The own hand; every card with its decision, two Princess cards with the same."""
    if seat == SPECTATOR:
        return []
    held = []
    for kind in list(s.hand[seat])[: s.hand_count[seat]]:
        codes = [code for code in (M_CARD + kind, M_DISCARD + kind) if code in legal]
        about = moves.name(s, kind)
        if kind != PRINCESS:
            about = say("{card}, {sides}", card=about, sides=moves.open_to(s.sides_of[kind]))
        code = codes[0] if codes else None
        held.append(Held(kind, _card(s, kind, seat), code, code is not None and code > M_DISCARD, about))
    return held


def _chosen(s: State) -> Held | None:
    """The card that is being laid or played, for everybody to see."""
    if s.over or not s.laying or s.phase not in (LAY, REPLACE, GIFT):
        return None
    return Held(s.laying, _card(s, s.laying, s.turn), None, False, moves.name(s, s.laying))
