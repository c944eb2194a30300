"""Kattenkwaad: what the board's template needs."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from speeltafel.engine.match import Entry
from speeltafel.engine.records import Row
from speeltafel.engine.refusals import Message, Seat, say, say_n
from speeltafel.games.kattenkwaad import moves, rules
from speeltafel.games.kattenkwaad.rules import (
    CARD,
    CAT,
    CATS,
    DISCARD,
    EMPTY,
    FIRST,
    HOUSE,
    M_CARD,
    M_CAT,
    M_DISCARD,
    M_DONE,
    M_FIELD,
    M_FIRST,
    M_HOUSE,
    M_SECOND,
    M_TREE,
    M_TURN,
    MISSING,
    PATH,
    PLANT,
    PLAYS,
    ROW,
    SECOND,
    STEP,
    TREE,
    TURN,
    WHERE,
    WHICH,
    State,
)

CAT_ART = ("tiger", "tux", "patch", "siam")
ACTIONS = ("path", "teleport", "catnip", "swap")
FIELD = 100
"""The side of a field in the drawing, whose middle is 0, 0."""
SHORE, SKY, ROOTS = 86, 96, 144
"""What the earth adds to the fields on each side, and what the picture shows above and below them."""
ROUND = 3.2
"""Exponent of the superellipse that the earth is; 2 would be an ellipse."""

Point = tuple[float, float]


@dataclass(frozen=True)
class Tile:
    """A field of the ground."""

    x: float
    y: float
    light: bool
    number: int
    usable: bool
    """Whether houses of this many players go there (KK-3)."""
    tuft: Point | None


@dataclass(frozen=True)
class Spot:
    """A field with something on it, or that may be chosen."""

    row: int
    column: int
    kind: str
    """`house`, `tree`, `cat` or empty."""
    which: int
    """The seat of a house, the number of a cat, the kind of a tree."""
    label: Message
    """What stands where."""
    move: int | None
    action: Message | None
    """What choosing it does."""
    moves_when: tuple[int, ...]
    """The turns of the card that would push this house."""
    classes: str
    """How it came here (`new`, `dx1 dy-2`), and whether it is the chosen one or the last one."""


@dataclass(frozen=True)
class Drop:
    """A house over the edge."""

    seat: int
    row: int
    column: int
    """Where it is seen falling: beyond the edge."""
    way: int


@dataclass(frozen=True)
class Ghost:
    """Where a house would be pushed to."""

    seat: int
    row: int
    column: int
    x: float
    y: float


@dataclass(frozen=True)
class Course:
    """A cat on a card turned one way: where it goes, what it pushes and drops, or why it cannot."""

    turn: int
    way: Message
    start: Point
    points: tuple[Point, ...]
    """The middles of the fields it walks on, its own first."""
    bump: Point | None
    """Where an impossible path ends."""
    bump_at: tuple[int, int]
    rule: str
    why: Message | None
    pushed: Mapping[int, int]
    """Where each pushed house was, by where it is then."""
    moved: frozenset[int]
    """The fields whose house is pushed or dropped."""
    gone: tuple[Point, ...]
    """Fields that houses would leave."""
    ghosts: tuple[Ghost, ...]
    drops: tuple[Drop, ...]
    losses: tuple[tuple[int, int], ...]
    """How many houses each seat loses, by seat."""
    label: Message
    move: int | None = None
    line: str = ""
    head: str = ""
    """The path and the head of its arrow, as SVG path data."""


@dataclass(frozen=True)
class Walker:
    """A cat that a card could move, and all it could do with it."""

    cat: int
    name: Message
    place: str
    courses: tuple[Course, ...]
    move: int | None


@dataclass(frozen=True)
class Face:
    """A card as it is drawn."""

    kind: int
    name: Message | str
    action: str
    tiles: tuple[Point, ...] = ()
    size: float = 0
    line: str = ""
    head: str = ""


@dataclass(frozen=True)
class Held:
    """A card in the own hand."""

    face: Face
    move: int | None
    discard: bool
    why: Message | None
    """Why it cannot be played now."""
    rule: str


@dataclass(frozen=True)
class Count:
    """Where the copies of a card are known to be."""

    face: Face
    copies: int
    discarded: int
    piled: int
    """How many the draw pile held when it was made."""


def board(s: State, seat: int, legal: Sequence[int], recent: Sequence[Entry]) -> Mapping[str, Any]:
    """The earth with all that stands on it, the hand, and what every choice would do."""
    may = frozenset(legal)
    walkers = _walkers(s, may) if s.card and s.action[s.card] == PATH and s.phase == WHICH else []
    courses = _courses(s, s.chosen, s.card, may) if s.card and s.phase == TURN else []
    last = _last(s)
    playing = s.phase not in (HOUSE, PLANT)
    return {
        "progress": _progress(s),
        "rule": moves.asked(s),
        "notes": _notes(s),
        "shape": _shape(s),
        "tiles": [_tile(s, f) for f in fields(s)],
        "pits": _pits(s),
        "middle": place(s, s.middle),
        "spots": _spots(s, may, courses, last),
        "last": last if not s.card else None,
        "swapped": [place(s, f) for f in (s.last_from, s.last_to)] if _swapped(s) and not s.card else [],
        "landed": (*_grid(s.last_to), place(s, s.last_to)) if s.last_to else None,
        "walkers": walkers,
        "courses": courses,
        "asked": moves.ask(s),
        "choosing": bool(may) and s.phase in (HOUSE, PLANT, WHERE, FIRST, SECOND),
        "playing": playing,
        "card": face(s, s.card) if s.card else None,
        "hand": _hand(s, seat, may) if seat >= 0 else [],
        "done": M_DONE if M_DONE in may else None,
        "left": PLAYS - s.plays,
        "houses_left": rules.houses_each(s) - s.houses[seat] if seat >= 0 and s.phase == HOUSE else 0,
        "trees_left": rules.trees_all(s) - s.trees if s.phase == PLANT else 0,
        "queue": [(CAT_ART[cat], cat, cat < s.cats + s.waiting) for cat in range(s.cats, CATS)],
        "top": face(s, s.discard_top) if s.discard_top else None,
        "counts": [_count(s, kind) for kind in range(1, s.kinds + 1) if s.copies[kind]],
        "out": seat >= 0 and playing and s.houses[seat] == 0,
        "houses_each": rules.houses_each(s),
        "winners": [p for p in range(s.seats) if rules.wins(s, p)] if s.over else [],
        "ranking": sorted(range(s.seats), key=lambda p: -s.houses[p]) if s.over else [],
        "cat_art": CAT_ART,
        "cat_names": moves.CAT_NAMES,
    }


def fields(s: State) -> list[int]:
    """The fields of the board, in board order."""
    rectangle = [r * ROW + c for r in range(1, s.height + 1) for c in range(1, s.width + 1)]
    return [f for f in rectangle if s.ground[f] != MISSING]


def place(s: State, f: int) -> Point:
    """The middle of a field in the drawing."""
    return FIELD * (f % ROW - (s.width + 1) / 2), FIELD * (f // ROW - (s.height + 1) / 2)


def _grid(f: int) -> tuple[int, int]:
    """Row and column of a field, or of a place beyond the edge."""
    return f // ROW, f % ROW


def _progress(s: State) -> Message | str:
    if s.over:
        return ""
    if s.phase == HOUSE:
        return say("Placing houses")
    if s.phase == PLANT:
        return say("Planting trees")
    if s.phase == DISCARD:
        return say("Checking the hand")
    number = s.plays + (s.phase == CARD)
    return say("Card {number} of {most}", number=min(number, PLAYS), most=PLAYS)


def _notes(s: State) -> list[Message | str]:
    notes: list[Message | str] = []
    for seat in range(s.seats):
        if s.houses[seat] == 0 and s.phase not in (HOUSE, PLANT):
            notes.append(say("out"))
        else:
            notes.append(say_n("{count} card", "{count} cards", count=s.hand_count[seat]))
    return notes


# --- the earth ---


def _shape(s: State) -> Mapping[str, Any]:
    """The outline of the earth around the fields, and the waterfalls over its rim."""
    a, b = FIELD / 2 * s.width + SHORE, FIELD / 2 * s.height + SHORE
    k = 0.813  # the cubic that comes closest to the superellipse
    falls = []
    for i in range(9):
        x = a * (-0.57 + i * 0.145)
        y = b * (1 - abs(x / a) ** ROUND) ** (1 / ROUND)
        falls.append((round(x), round(y) - 5, 28 + i * 17 % 29))
    return {
        "outline": f"M{a:g} 0C{a:g} {k * b:.0f} {k * a:.0f} {b:g} 0 {b:g}S{-a:g} {k * b:.0f} {-a:g} 0"
        f" {-k * a:.0f} {-b:g} 0 {-b:g}S{a:g} {-k * b:.0f} {a:g} 0z",
        "box": f"{-a - 4:g} {-FIELD / 2 * s.height - SKY:g} {2 * a + 8:g} {FIELD * s.height + SKY + ROOTS:g}",
        "land": "".join(f"M{x - 50:g} {y - 50:g}h100v100h-100z" for x, y in (place(s, f) for f in fields(s))),
        "falls": falls,
        "columns": [(chr(ord("a") + c), FIELD * (c + 0.5 - s.width / 2)) for c in range(s.width)],
        "rows": [(r + 1, FIELD * (r + 0.5 - s.height / 2)) for r in range(s.height)],
        "left": -FIELD / 2 * s.width,
        "bottom": FIELD / 2 * s.height,
    }


def _tile(s: State, f: int) -> Tile:
    r, c = _grid(f)
    x, y = place(s, f)
    number = s.ground[f] if s.ground[f] >= 2 else 0
    seed = (r * 37 + c * 61 + r * c * 17) % 97
    tuft = (x - 30 + seed % 46, y + 8 + seed % 29) if seed % 7 > 2 and f != s.middle else None
    return Tile(x, y, (r + c) % 2 == 0, number, number <= s.seats, tuft)


def _pits(s: State) -> list[Point]:
    """The middles of missing fields inside the land: holes through the earth. Others are bays of the sea."""
    open_sea, reached = [0], {0}
    while open_sea:
        f = open_sea.pop()
        for ahead in STEP:
            to = f + ahead
            r, c = divmod(to, ROW)
            inside = to >= 0 and r <= s.height + 1 and c <= s.width + 1 and abs(c - f % ROW) <= 1
            if inside and to not in reached and s.ground[to] == MISSING:
                reached.add(to)
                open_sea.append(to)
    rectangle = [r * ROW + c for r in range(1, s.height + 1) for c in range(1, s.width + 1)]
    return [place(s, f) for f in rectangle if s.ground[f] == MISSING and f not in reached]


# --- what stands on it ---


def _spots(s: State, may: Collection[int], courses: Sequence[Course], last: Course | None) -> list[Spot]:
    spots = []
    for f in fields(s):
        move = _choice(s, f, may)
        if s.on[f] == EMPTY and move is None:
            continue
        r, c = _grid(f)
        kind, which = _thing(s, f)
        here = {"thing": moves.thing(s, f), "field": moves.field_text(f)}
        spots.append(
            Spot(
                row=r,
                column=c,
                kind=kind,
                which=which,
                label=say("{field}: {thing}", **here),
                move=move,
                action=_action(s, f, move),
                moves_when=tuple(course.turn for course in courses if f in course.moved),
                classes=_classes(s, f, last),
            )
        )
    return spots


def _thing(s: State, f: int) -> tuple[str, int]:
    what = s.on[f]
    if what == EMPTY:
        return "", 0
    if what == TREE:
        return "tree", 1 + (f // ROW + f) % 2
    return ("cat", what - CAT) if what >= CAT else ("house", what - 1)


def _choice(s: State, f: int, may: Collection[int]) -> int | None:
    """The decision that names this field, if it is legal now."""
    base = {HOUSE: M_HOUSE, PLANT: M_TREE, WHICH: M_CAT, WHERE: M_FIELD, FIRST: M_FIRST, SECOND: M_SECOND}
    move = base.get(s.phase, -ROW * ROW) + f
    return move if move in may else None


def _action(s: State, f: int, move: int | None) -> Message | None:
    if move is None:
        return None
    name = moves.field_text(f)
    if s.phase == HOUSE:
        return say("Place a house on {field}", field=name)
    if s.phase == PLANT:
        return say("Plant a tree on {field}", field=name)
    if s.phase == WHERE:
        return say("To {field}", field=name)
    if s.phase == WHICH:
        return say("{cat} on {field}", cat=moves.CAT_NAMES[s.on[f] - CAT], field=name)
    return say("House of {owner} on {field}", owner=Seat(s.on[f] - 1), field=name)


def _classes(s: State, f: int, last: Course | None) -> str:
    classes = []
    if f == s.chosen:
        classes.append("chosen")
    if not s.card and s.last_to and f in (s.last_to, s.last_from if _swapped(s) else 0):
        classes.append("last")
        if s.news and not s.last_card:
            classes.append("new")
    if s.news and last and f in last.pushed:
        was = last.pushed[f]
        classes.append(f"slid dx{was % ROW - f % ROW} dy{was // ROW - f // ROW}")
    return " ".join(classes)


def _swapped(s: State) -> bool:
    return bool(s.last_card) and s.action[s.last_card] == rules.SWAP


# --- what a card does ---


def course(s: State, before: Row, start: int, card: int, turn: int, falls: int = rules.STEPS) -> Course:
    """Follow a card from `start` on the board `before`, by the rules' own steps; at most so many `falls`."""
    on: Any = list(before)
    on[start] = EMPTY
    at, points, drops = start, [place(s, start)], list[Drop]()
    pushed, dropped = dict[int, int](), set[int]()
    reason, stopped = 0, 0
    for i in range(s.steps[card]):
        way = rules.way_of(s, card, i, turn)
        to = at + STEP[way]
        end = rules.row_end(s, on, to, way)
        houses = range(to, end, STEP[way])
        owners = [on[f] - 1 for f in houses]
        result = rules.step(s, on, at, way)
        if result < 0:
            reason, stopped = result, to if result >= rules.INTO_CAT else end
            break
        for f in reversed(houses):
            origin = pushed.pop(f, f)
            if result > 0 and f + STEP[way] == end:
                drops.append(Drop(owners[-1], *_grid(end), way))
                dropped.add(origin)
            else:
                pushed[f + STEP[way]] = origin
        at = to
        points.append(place(s, at))
        if len(drops) == falls:
            break
    rule, why = moves.blocked(reason) if reason else ("", None)
    losses = [(seat, sum(drop.seat == seat for drop in drops)) for seat in range(s.seats)]
    drawn = [*points, place(s, stopped)] if reason else points
    return Course(
        turn=turn,
        way=moves.WAY_NAMES[turn],
        start=points[0],
        points=tuple(points),
        bump=place(s, stopped) if reason else None,
        bump_at=_grid(stopped),
        rule=rule,
        why=why,
        pushed=pushed,
        moved=frozenset(pushed.values()) | dropped,
        gone=tuple(place(s, f) for f in sorted(dropped.union(pushed.values()) - {*pushed})),
        ghosts=tuple(Ghost(on[f] - 1, *_grid(f), *place(s, f)) for f in sorted(pushed)),
        drops=tuple(drops),
        losses=tuple((seat, count) for seat, count in losses if count),
        label=_course_label(turn, why, drops, pushed),
        line=_line(drawn, 0 if reason else 14),
        head="" if reason else _head(points[-1], way, 39),
    )


def _course_label(turn: int, why: Message | None, drops: Sequence[Drop], pushed: Collection[int]) -> Message:
    way = moves.WAY_NAMES[turn]
    if why:
        return say("{way}: cannot be, {why}", way=way, why=why)
    if drops:
        owners = [say("a house of {owner} falls", owner=Seat(drop.seat)) for drop in drops]
        return say("{way}: {falls}", way=way, falls=owners)
    if pushed:
        moved = say_n("{count} house is pushed", "{count} houses are pushed", count=len(pushed))
        return say("{way}: {falls}", way=way, falls=moved)
    return say("{way}: pushes nothing", way=way)


def _line(points: Sequence[Point], short: float) -> str:
    """A line along the points that ends a little earlier, so that an arrow's head fits on it."""
    (x0, y0), (x1, y1) = points[-2:]
    size = max(abs(x1 - x0), abs(y1 - y0)) or 1
    end = x1 - (x1 - x0) / size * short, y1 - (y1 - y0) / size * short
    return "M" + "L".join(f"{x:g} {y:g}" for x, y in [*points[:-1], end])


def _head(point: Point, way: int, size: float) -> str:
    """The head of an arrow around a point."""
    x, y = point
    dx, dy = ((0, -1), (1, 0), (0, 1), (-1, 0))[way]
    tip, back, half = size * 0.64, size * 0.16, size * 0.64
    return (
        f"M{x + dx * tip:.4g} {y + dy * tip:.4g}"
        f"L{x - dx * back - dy * half:.4g} {y - dy * back + dx * half:.4g}"
        f"L{x - dx * back + dy * half:.4g} {y - dy * back - dx * half:.4g}z"
    )


def _courses(s: State, start: int, card: int, may: Collection[int]) -> list[Course]:
    found = []
    for turn in range(4):
        walked = course(s, s.on, start, card, turn)
        move = M_TURN + turn if M_TURN + turn in may else None
        found.append(replace(walked, move=move))
    return found


def _walkers(s: State, may: Collection[int]) -> list[Walker]:
    return [
        Walker(
            cat=cat,
            name=moves.CAT_NAMES[cat],
            place=moves.field_text(s.cat[cat]),
            courses=tuple(_courses(s, s.cat[cat], s.card, ())),
            move=M_CAT + s.cat[cat] if M_CAT + s.cat[cat] in may else None,
        )
        for cat in range(s.cats)
    ]


def _last(s: State) -> Course | None:
    """The last path that was followed, as it was walked: to the fall that ended the match, if one did."""
    if not s.last_card or s.action[s.last_card] != PATH:
        return None
    ended = sum(s.houses[seat] > 0 for seat in range(s.seats)) == 1
    return course(s, s.was, s.last_from, s.last_card, s.last_turn, s.falls if ended else rules.STEPS)


# --- cards ---


def face(s: State, card: int) -> Face:
    """A card as it is drawn: its path as it stands when the first step goes north, in a square of 100."""
    name, action = moves.card_name(s, card), ACTIONS[s.action[card]]
    if s.action[card] != PATH:
        return Face(card, name, action)
    x = y = 0
    cells = [(0, 0)]
    way = 0
    for i in range(s.steps[card]):
        way = rules.way_of(s, card, i, rules.NORTH)
        x, y = x + (0, 1, 0, -1)[way], y + (-1, 0, 1, 0)[way]
        cells.append((x, y))
    columns, rows = [c for c, _ in cells], [r for _, r in cells]
    size = min(30.0, 96 / (max(columns) - min(columns) + 1), 96 / (max(rows) - min(rows) + 1))
    middle = (max(columns) + min(columns)) / 2, (max(rows) + min(rows)) / 2
    points = [(round(50 + (c - middle[0]) * size, 1), round(50 + (r - middle[1]) * size, 1)) for c, r in cells]
    return Face(card, name, action, tuple(points), size, _line(points, size * 0.1), _head(points[-1], way, size * 0.6))


def _hand(s: State, seat: int, may: Collection[int]) -> list[Held]:
    held = []
    mine = s.turn == seat and s.phase == CARD and not s.over
    for i in range(s.hand_count[seat]):
        card = s.hand[seat][i]
        play, discard = M_CARD + card, M_DISCARD + card
        refusal = None if play in may or not mine or rules.can_use(s, card) else moves.useless(s, card)
        held.append(
            Held(
                face=face(s, card),
                move=play if play in may else discard if discard in may else None,
                discard=discard in may,
                why=refusal.message if refusal else None,
                rule=refusal.rule if refusal else "",
            )
        )
    return held


def _count(s: State, kind: int) -> Count:
    return Count(face(s, kind), s.copies[kind], s.discard[kind], s.fresh[kind])
