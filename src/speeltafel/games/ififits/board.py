"""If It Fits: what the board's template needs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

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
    MOUSE,
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
    boxes: tuple[int, ...]
    """The boxes on the table that it touches."""


@dataclass(frozen=True)
class Place:
    """A place on the field that may be chosen."""

    code: int
    x: int
    y: int
    name: str
    turned: int
    """0 or 1 for the two ways round of a card, 2 where there is only one."""
    outcome: int
    """Index of what would happen."""


@dataclass(frozen=True)
class Cell:
    """A card on the table."""

    x: int
    y: int
    name: str
    symbol: str
    things: tuple[Thing, ...]
    runs: str
    """The sides that are still open."""
    edges: str
    """The sides where its box ends."""
    about: Message
    index: int
    """How many cards were laid before it."""
    last: bool


@dataclass(frozen=True)
class Piece:
    """Something that lies on one or two cards."""

    x: int
    y: int
    symbol: str
    seat: int
    """Whose cat, or -1."""
    wide: bool
    glide: str
    last: bool
    code: int | None
    """The decision to let Princess take its place."""
    outcome: int | None
    about: Message


@dataclass(frozen=True)
class Box:
    """A box on the table."""

    number: int
    letter: str
    worth: Worth
    princesses: int
    cells: tuple[Cell, ...]
    pieces: tuple[Piece, ...]
    x: int
    y: int
    news: str
    """`closed` or `joined` when that happened since the own last turn."""


@dataclass(frozen=True)
class Held:
    """A card in the own hand."""

    kind: int
    symbol: str
    things: tuple[Thing, ...]
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
    outcomes: list[Outcome] = []
    places = _places(s, seat, legal, outcomes, left - 1, top - 1)
    news = _news(recent)
    boxes = _boxes(s, legal, outcomes, news, left - 1, top - 1)
    ways = {place.turned for place in places}
    sides = s.sides_of[s.laying]
    return {
        "progress": _progress(s),
        "columns": right - left + 1,
        "rows": bottom - top + 1,
        "edge": "".join(
            side
            for side, reached in (
                ("n", top == 1),
                ("e", right == rules.table_width(s)),
                ("s", bottom == rules.table_height(s)),
                ("w", left == 1),
            )
            if reached
        ),
        "boxes": boxes,
        "places": places,
        "across": [place for place in places if place.code < M_LAY],
        "outcomes": outcomes,
        "faces": [_face(s, s.laying, sides), _face(s, s.laying, rules.turn_round(sides))] if s.phase == LAY else [],
        "turns": 1 in ways,
        "turned_first": 1 in ways and 0 not in ways,
        "asleep": s.phase == LAY and s.laying == BED,
        "draw": M_DRAW if M_DRAW in legal else None,
        "sleep": M_SLEEP if M_SLEEP in legal else None,
        "no_cat": M_NO_CAT if M_NO_CAT in legal else None,
        "hand": _hand(s, seat, legal),
        "chosen": _chosen(s),
        "coats": COATS,
        "home": news.home,
        "phase": s.phase,
        "TOY": T_TOY,
        "hint": _hint(s, seat, legal),
        "say": _sayings(s),
    }


def _progress(s: State) -> Message:
    if s.over:
        return say("The boxes are counted")
    if s.ending:
        return say("The end has begun: last cards")
    return say_n("{count} card in the pile", "{count} cards in the pile", count=s.pile_count)


def _sayings(s: State) -> Mapping[str, Any]:
    """Messages whose numbers the template fills in."""
    return {
        "open": lambda n: (
            say_n("{count} side open", "{count} sides open", count=n) if n else say("closed, counts double")
        ),
        "cats": lambda n: say_n("{count} cat at home", "{count} cats at home", count=n),
        "cards": lambda n: say_n("{count} card in hand", "{count} cards in hand", count=n),
        "points": lambda n: say_n("{count} point", "{count} points", count=n),
        "toys": lambda worth: moves.things(_contents(worth)),
        "box": lambda box: say("Box {box}", box=box),
        "who": _who,
        "laying": say("{name} plays {card}", card=moves.name(s, s.laying)),
    }


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
    return say("{owner}: {cats}, {points}", owner=Seat(resident.seat), cats=cats, points=_signed(resident.points))


def _signed(points: int) -> str:
    return f"+{points}" if points >= 0 else f"−{-points}"


def _hint(s: State, seat: int, legal: Sequence[int]) -> Message:
    """A word under the field."""
    if not legal:
        return say("Point at a box to see what it brings, and whom")
    if s.phase in (LAY, GIFT):
        return say("Point at a place to see what would happen there")
    if s.phase == REPLACE:
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
    princess: int
    """Where the last Princess came down, if that is the latest news."""


def _news(recent: Sequence[Entry]) -> News:
    cells, joined = set(), set()
    home = []
    princess = 0
    for entry in recent:
        move = entry.move
        latest = entry is recent[-1]
        if move >= M_LAY:
            cells.add((move - M_LAY) // 2)
            if any("boxes" in words.values for words in entry.words):
                joined.add((move - M_LAY) // 2)
        elif move >= M_REPLACE:
            cell = move - (M_WAKE if move >= M_WAKE else M_REPLACE)
            cells.add(cell)
            owners = [w.values["owner"] for w in entry.words if "owner" in w.values]
            home += [(owner.number, cell, latest) for owner in owners if isinstance(owner, Seat)]
            princess = cell if latest else 0
        elif move >= M_CAT:
            cells.add(move - (M_TOY if move >= M_TOY else M_CAT))
    return News(frozenset(cells), frozenset(joined), tuple(home), princess)


# boxes


def _worth(s: State, box: int) -> Worth:
    """A box in numbers, or the one worked out in row 0 of the sums."""
    sums = s.sums[box]
    counts = [sums[BALL], sums[MOUSE], sums[FEATHER]]
    most = max(counts)
    return Worth(
        toy=TOYS[counts.index(most)] if most else "special" if sums[SPECIAL] else "",
        count=most + sums[SPECIAL],
        special=sums[SPECIAL],
        sprayers=sums[SPRAYER],
        open=sums[OPEN],
        value=rules.value(s, box),
        residents=tuple(
            sorted(
                (Resident(p, awake, asleep, rules.points(s, box, p)) for p, awake, asleep in moves.residents(s, box)),
                key=lambda resident: -resident.points,
            )
        ),
    )


def _boxes(s: State, legal: Sequence[int], outcomes: list[Outcome], news: News, left: int, top: int) -> list[Box]:
    members: dict[int, list[int]] = {}
    for cell in sorted(list(s.laid)[: s.laid_count]):
        members.setdefault(s.box[cell], []).append(cell)
    order = {cell: index for index, cell in enumerate(list(s.laid)[: s.laid_count])}
    replace = {move - (M_WAKE if move >= M_WAKE else M_REPLACE): move for move in legal if M_REPLACE <= move < M_LAY}
    boxes = []
    for number in sorted(members):
        cells = [_cell(s, cell, order[cell], cell in news.cells, left, top) for cell in members[number]]
        pieces = [
            _piece(s, cell, replace.get(cell), outcomes, news, left, top)
            for cell in members[number]
            if s.top[cell] and s.half[cell] != 2
        ]
        fresh = news.cells & set(members[number])
        happened = ""
        if s.sums[number][OPEN] == 0 and (fresh or any(_shut_by(s, cell, number) for cell in news.cells)):
            happened = "closed"
        elif news.joined & fresh:
            happened = "joined"
        boxes.append(
            Box(
                number=number,
                letter=letter(number),
                worth=_worth(s, number),
                princesses=sum(1 for c in members[number] if s.top[c] == T_PRINCESS and s.half[c] != 2),
                cells=tuple(cells),
                pieces=tuple(pieces),
                x=cells[0].x,
                y=cells[0].y,
                news=happened,
            )
        )
    return boxes


def _shut_by(s: State, cell: int, box: int) -> bool:
    """Whether the card in a cell stands before an open side of a box."""
    return any(rules.facing(s, cell, d) == box for d in range(4))


def _cell(s: State, cell: int, index: int, last: bool, left: int, top: int) -> Cell:
    kind, sides = s.card[cell], s.sides[cell]
    runs, edges = "", ""
    for d, side in enumerate("nesw"):
        beyond = cell + STEP[d]
        if sides >> d & 1 and s.card[beyond] <= 0:
            runs += side
        if s.card[beyond] <= 0 or s.box[beyond] != s.box[cell]:
            edges += side
    return Cell(
        x=cell % WIDTH - left,
        y=cell // WIDTH - top,
        name=cell_text(cell),
        symbol=_symbol(sides),
        things=_things(kind, tuple(s.content[kind])[:SPECIAL], bool(s.top[cell])),
        runs=runs,
        edges=edges,
        about=say("a start box") if kind == START else moves.name(s, kind),
        index=index,
        last=last,
    )


def _piece(s: State, cell: int, code: int | None, outcomes: list[Outcome], news: News, left: int, top: int) -> Piece:
    what, wide = s.top[cell], s.half[cell] == 1
    pose = "awake" if wide else "asleep"
    seat = what - 1 if what <= rules.SEATS else -1
    if what == T_TOY:
        symbol, about = "toy-special", say("special toy")
    elif what == T_PRINCESS:
        symbol, about = f"cat-princess-{pose}", say("Princess")
    else:
        symbol = f"cat-{COATS[seat]}-{pose}"
        about = say("cat of {owner}", owner=Seat(seat)) if wide else say("sleeping cat of {owner}", owner=Seat(seat))
    outcome = None
    if code is not None:
        box = s.box[cell]
        _copy(s, box)
        s.sums[0][(AWAKE if wide else ASLEEP) + seat] -= 1
        head = say(
            "The {cat} of {owner} goes home from box {box}", cat=moves.COATS[seat], owner=Seat(seat), box=letter(box)
        )
        outcome = _note(outcomes, Outcome((head,), _worth(s, 0), (box,)))
    return Piece(
        x=cell % WIDTH - left,
        y=cell // WIDTH - top,
        symbol=symbol,
        seat=seat,
        wide=wide,
        glide=f"princess-{sum(s.sent)}" if news.princess == cell else f"on-{what}-{cell}",
        last=cell in news.cells,
        code=code,
        outcome=outcome,
        about=about,
    )


def _copy(s: State, box: int) -> None:
    """Bring a box to row 0 of the sums, to work out what it would be."""
    for k in range(SUMS):
        s.sums[0][k] = s.sums[box][k]


def _note(outcomes: list[Outcome], outcome: Outcome) -> int:
    """The index of an outcome among all."""
    if outcome in outcomes:
        return outcomes.index(outcome)
    outcomes.append(outcome)
    return len(outcomes) - 1


# places


def _places(s: State, seat: int, legal: Sequence[int], outcomes: list[Outcome], left: int, top: int) -> list[Place]:
    """The legal places for a card, a cat or a toy, each with what would happen."""
    places = []
    known: dict[tuple[int, ...], int] = {}
    for move in legal:
        if move >= M_LAY:
            cell, turned = divmod(move - M_LAY, 2)
            sides = s.sides_of[s.laying]
            other = rules.turn_round(sides)
            if turned:
                sides, other = other, sides
            # what a card does is settled by its sides and what stands around it
            around = tuple(rules.facing(s, cell, d) or min(s.card[cell + STEP[d]], 1) - 1 for d in range(4))
            if (sides, *around) not in known:
                known[(sides, *around)] = _note(outcomes, _lay(s, seat, cell, sides))
            places.append(_place(move, cell, left, top, turned if sides != other else 2, known[(sides, *around)]))
        elif M_CAT <= move < M_REPLACE:
            gift = move >= M_TOY
            cell = move - (M_TOY if gift else M_CAT)
            box = s.box[cell]
            _copy(s, box)
            s.sums[0][SPECIAL if gift else AWAKE + seat] += 1
            head = (
                say("The special toy in box {box}", box=letter(box))
                if gift
                else say("A cat in box {box}", box=letter(box))
            )
            places.append(_place(move, cell, left, top, 2, _note(outcomes, Outcome((head,), _worth(s, 0), (box,)))))
    return places


def _place(code: int, cell: int, left: int, top: int, turned: int, outcome: int) -> Place:
    name = cell_text(cell) if code >= M_LAY else f"{cell_text(cell)} {cell_text(cell + 1)}"
    return Place(code, cell % WIDTH - left, cell // WIDTH - top, name, turned, outcome)


def _lay(s: State, seat: int, cell: int, sides: int) -> Outcome:
    """What the card being laid would make of the boxes around a cell."""
    joined, shut = [], []
    for d in range(4):
        box = rules.facing(s, cell, d)
        if box and rules.joins_box(s, cell, sides, box, 4):
            if box not in joined:
                joined.append(box)
        elif box and box not in shut and s.sums[box][OPEN] == sum(rules.facing(s, cell, e) == box for e in range(4)):
            shut.append(box)
    rules.gather(s, cell, s.laying, sides)
    if s.laying == BED:
        s.sums[0][ASLEEP + seat] += 1
    names = [letter(box) for box in sorted(joined)]
    closed = s.sums[0][OPEN] == 0
    if not joined:
        head = [say("A new box, closed at once") if closed else say("A new box")]
    elif len(joined) == 1:
        head = [say("Closes box {box}", box=names[0]) if closed else say("Joins box {box}", box=names[0])]
    else:
        head = [
            say("Joins boxes {boxes} and closes them", boxes=names)
            if closed
            else say("Joins boxes {boxes}", boxes=names)
        ]
    for box in shut:
        points = 2 * rules.value(s, box)
        head.append(say("Shuts box {box}, then worth {points}", box=letter(box), points=points))
    return Outcome(tuple(head), _worth(s, 0), tuple(joined + shut))


# cards


def _symbol(sides: int) -> str:
    """The floor with these open sides."""
    return "box-" + ("".join(side for d, side in enumerate("nesw") if sides >> d & 1) or "none")


@lru_cache(maxsize=1024)
def _things(kind: int, contents: tuple[int, ...], covered: bool) -> tuple[Thing, ...]:
    """Where the things on a card are drawn; small and at its head when something lies on it."""
    if kind == START:
        return (("stamp-start", 46, 16, 36) if covered else ("stamp-start", 24, 44, 52),)
    symbols = [THINGS[k] for k, count in enumerate(contents) for _ in range(count)]
    n = len(symbols)
    if covered and n <= 2:
        spots = [(46, 18)] if n == 1 else [(19, 18), (55, 18)]
        return tuple((symbol, x, y, 33) for symbol, (x, y) in zip(symbols, spots, strict=False))
    columns = 1 if n <= 2 else 2 if n <= 6 else 3 if n <= 9 else 4
    rows = max(1, -(-n // columns))
    height = 44 if covered else 112
    size = min(52 if n == 1 else 44, 76 // columns, height // rows)
    return tuple(
        (
            symbol,
            50 + (2 * (i % columns) - columns) * size // 2,
            (38 if covered else 72) + (2 * (i // columns) - rows) * size // 2,
            size,
        )
        for i, symbol in enumerate(symbols)
    )


def _face(s: State, kind: int, sides: int) -> tuple[str, tuple[Thing, ...]]:
    """Floor and things of a card to be laid."""
    if kind == rules.TOY:
        return _symbol(sides), (("toy-special", 8, 40, 84),)
    return _symbol(sides), _things(kind, tuple(s.content[kind])[:SPECIAL], False)


def _hand(s: State, seat: int, legal: Sequence[int]) -> list[Held]:
    """The own hand; every card with its decision, two Princess cards with the same."""
    if seat == SPECTATOR:
        return []
    held = []
    for kind in list(s.hand[seat])[: s.hand_count[seat]]:
        codes = [code for code in (M_CARD + kind, M_DISCARD + kind) if code in legal]
        symbol, things = _face(s, kind, s.sides_of[kind])
        about = moves.name(s, kind)
        if kind != PRINCESS:
            about = say("{card}, {sides}", card=about, sides=moves.open_to(s.sides_of[kind]))
        code = codes[0] if codes else None
        held.append(Held(kind, symbol, things, code, code is not None and code > M_DISCARD, about))
    return held


def _chosen(s: State) -> Held | None:
    """The card that is being laid or played, for everybody to see."""
    if s.over or not s.laying or s.phase not in (LAY, REPLACE, GIFT):
        return None
    symbol, things = _face(s, s.laying, s.sides_of[s.laying])
    return Held(s.laying, symbol, things, None, False, moves.name(s, s.laying))
