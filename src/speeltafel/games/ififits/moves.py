"""If It Fits: decisions and cards as text, refusals, and everything in words."""

from __future__ import annotations

import re

from speeltafel.engine.game import Line
from speeltafel.engine.refusals import Message, Refusal, Seat, say, say_n
from speeltafel.games.ififits import rules
from speeltafel.games.ififits.rules import (
    ASLEEP,
    AWAKE,
    BALL,
    BED,
    CARD,
    CAT,
    DECK,
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
    SIZE,
    SPECIAL,
    SPRAYER,
    STEP,
    T_PRINCESS,
    TOY,
    TURN,
    WIDTH,
    State,
)

RULES = "IF"
COATS = (say("ginger cat"), say("Siamese cat"), say("white cat"), say("patched cat"), say("grey cat"))
"""The five cats, by seat (IF-1)."""
SIDES = (say("north"), say("east"), say("south"), say("west"))
PLAIN = {M_DRAW: "draw", M_SLEEP: "sleep", M_NO_CAT: "no cat"}
ACROSS = {"cat": M_CAT, "toy": M_TOY, "replace": M_REPLACE}


def cell_text(cell: int) -> str:
    """A cell as in `K6`: a letter for the column from west, the row from north."""
    return f"{chr(64 + cell % WIDTH)}{cell // WIDTH}"


def letter(box: int) -> str:
    """The name of a box on the page and in the log: A to Z, then AA and so on."""
    return letter((box - 1) // 26) + chr(65 + (box - 1) % 26) if box > 0 else ""


def text(s: State, move: int) -> str:
    """The decision in the match notation."""
    if move in PLAIN:
        return PLAIN[move]
    if move >= M_LAY:
        return f"lay {cell_text((move - M_LAY) // 2)}" + (" turned" if (move - M_LAY) % 2 else "")
    if move >= M_WAKE:
        return f"replace {cell_text(move - M_WAKE)}"
    for word, base in reversed(ACROSS.items()):
        if move >= base:
            return f"{word} {cell_text(move - base)} {cell_text(move - base + 1)}"
    if move > M_DISCARD:
        return f"discard {card_text(s, move - M_DISCARD)}"
    return f"card {card_text(s, move - M_CARD)}"


def read(s: State, text: str) -> int:
    """The decision behind a text. Raises `Refusal` for what is not in the notation."""
    for move, plain in PLAIN.items():
        if text == plain:
            return move
    word, *rest = text.split(" ")
    if word in ("card", "discard") and len(rest) == 1:
        kind = card_read(s, rest[0])
        if kind != TOY:
            return kind + (M_CARD if word == "card" else M_DISCARD)
    elif word == "lay" and (len(rest) == 1 or rest[1:] == ["turned"]):
        return M_LAY + 2 * _cell(s, rest[0]) + len(rest) - 1
    elif word == "replace" and len(rest) == 1:
        return M_WAKE + _cell(s, rest[0])
    elif word in ACROSS and len(rest) == 2:
        west, east = _cell(s, rest[0]), _cell(s, rest[1])
        if east != west + 1:
            raise Refusal(
                say("{a} and {b} are not two neighbours side by side, the western one first", a=rest[0], b=rest[1]),
                "IF-22",
            )
        return ACROSS[word] + west
    raise Refusal(
        say(
            "{text} is no decision of this game; they look like {examples}",
            text=text,
            examples="draw, sleep, card 17, card princess, discard 17, lay K6, lay K6 turned, cat K6 L6, no cat, "
            "replace K6 L6, replace K6, toy K6 L6",
        )
    )


def _cell(s: State, text: str) -> int:
    """The cell of that name. Raises `Refusal` when it is not on the table (IF-11)."""
    found = re.fullmatch(r"([A-Z])([1-9][0-9]?)", text)
    column, row = (ord(found[1]) - 64, int(found[2])) if found else (0, 0)
    width, height = rules.table_width(s), rules.table_height(s)
    if not (1 <= column <= width and 1 <= row <= height):
        raise Refusal(
            say(
                "{cell} is not on the table, which runs from A1 to {last}", cell=text, last=f"{chr(64 + width)}{height}"
            ),
            "IF-11",
        )
    return row * WIDTH + column


def card_text(s: State, card: int) -> str:
    """The name of a card in the match file."""
    return {TOY: "toy", PRINCESS: "princess"}.get(card, str(card))


def card_read(s: State, text: str) -> int:
    """The card of that name. Raises `Refusal` for no card of this deck."""
    if text in ("toy", "princess"):
        return TOY if text == "toy" else PRINCESS
    if re.fullmatch("[1-9][0-9]?", text) and int(text) <= DECK:
        return int(text)
    raise Refusal(say("{card} is no card of this deck: 1 to {last}, toy or princess", card=text, last=DECK))


# refusals


def refuse(s: State, move: int) -> Refusal:
    """Why a readable decision is not legal now; `s` may be the view of the seat to move."""
    if move in (M_DRAW, M_SLEEP) and s.ending:
        return Refusal(say("The end has begun: nothing is drawn and no cat is laid to sleep any more"), "IF-60")
    phase = _phase(move)
    if s.phase != phase:
        return Refusal(say("That is not asked now. {question}", question=ask(s)), asked(s))
    if phase == TURN:
        if s.cats[s.turn] == 0:
            return Refusal(say("You have no cat left in front of you"), "IF-30")
        if s.rim_count == 0:
            return Refusal(say("There is no free place left on the table"), "IF-11")
        return Refusal(say("There is no place where your cat may sleep: each touches a box of others only"), "IF-31")
    if phase == CARD:
        return _refuse_card(s, move)
    if phase == LAY:
        return _refuse_lay(s, (move - M_LAY) // 2, (move - M_LAY) % 2)
    if phase == CAT:
        return _refuse_cat(s, move - M_CAT)
    if phase == REPLACE:
        cell = move - (M_WAKE if move >= M_WAKE else M_REPLACE)
        what = s.top[cell]
        if what == T_PRINCESS:
            return Refusal(say("Princess herself is never replaced"), "IF-41")
        return Refusal(say("No such cat lies at {cell}", cell=text(s, move).removeprefix("replace ")), "IF-41")
    west = move - M_TOY
    return _refuse_span(s, west, "IF-50") or Refusal(
        say("In the box at {cell} lies a cat of somebody else", cell=cell_text(west)), "IF-50"
    )


def _phase(move: int) -> int:
    """The phase in which a decision is asked."""
    for base, phase in (
        (M_LAY, LAY),
        (M_REPLACE, REPLACE),
        (M_TOY, GIFT),
        (M_NO_CAT, CAT),
        (M_CARD, CARD),
    ):
        if move >= base:
            return phase
    return TURN


def _refuse_card(s: State, move: int) -> Refusal:
    kind = move - (M_DISCARD if move > M_DISCARD else M_CARD)
    hand = list(s.hand[s.turn])[: s.hand_count[s.turn]]
    if kind not in hand:
        names = ", ".join(card_text(s, card) for card in sorted(set(hand)))
        return Refusal(say("{card} is not in your hand; you hold {hand}", card=card_text(s, kind), hand=names), "IF-20")
    if move > M_DISCARD:
        return Refusal(say("A card is only discarded when none can be played"), "IF-61")
    if kind == PRINCESS:
        return Refusal(say("There is no cat on the table whose place Princess could take"), "IF-42")
    if s.rim_count == 0:
        return Refusal(say("There is no free place left on the table"), "IF-11")
    return Refusal(say("Wherever it is laid, a wall of this card would stand against a wall"), "IF-62")


def _refuse_lay(s: State, cell: int, turned: int) -> Refusal:
    name = cell_text(cell)
    sides = s.sides_of[s.laying]
    if s.card[cell] > 0:
        return Refusal(say("At {cell} lies a card already, and cards never overlap", cell=name), "IF-10")
    if rules.touches(s, cell) == 0:
        return Refusal(say("{cell} touches no card that was laid before", cell=name), "IF-10")
    if turned and rules.turn_round(sides) == sides:
        return Refusal(
            say("This card has the same walls either way: it is laid as {move}", move=f"lay {name}"), "IF-10"
        )
    if s.laying == BED:
        return Refusal(say("{cell} joins a box where others have a cat and you have none", cell=name), "IF-31")
    return Refusal(say("At {cell} a wall would stand against a wall", cell=name), "IF-62")


def _refuse_span(s: State, west: int, rule: str) -> Refusal | None:
    """Why nothing may lie across two cells, if that is so (IF-22, IF-26)."""
    for cell in (west, west + 1):
        if s.card[cell] <= 0:
            return Refusal(say("At {cell} lies no card", cell=cell_text(cell)), rule)
        if s.card[cell] == BED:
            return Refusal(say("At {cell} lies a sleeping cat, not a box card", cell=cell_text(cell)), "IF-26")
        if s.top[cell]:
            return Refusal(say("The card at {cell} is covered already", cell=cell_text(cell)), "IF-26")
    if not rules.span(s, west):
        names = {"a": cell_text(west), "b": cell_text(west + 1)}
        return Refusal(say("Between {a} and {b} stands a wall", **names), rule)
    return None


def _refuse_cat(s: State, west: int) -> Refusal:
    if s.cats[s.turn] == 0:
        return Refusal(say("You have no cat left in front of you"), "IF-21")
    if s.placed not in (west, west + 1):
        return Refusal(
            say("One of the two cards must be the one just laid at {cell}", cell=cell_text(s.placed)), "IF-23"
        )
    refusal = _refuse_span(s, west, "IF-22")
    if refusal:
        return refusal
    other = west + 1 if s.placed == west else west
    owners = {s.top[cell] for cell in reach(s, other, s.placed)}
    if s.occupancy == 0 and any(1 <= o <= s.seats and o != s.turn + 1 for o in owners):
        return Refusal(say("In the box at {cell} lies a cat of somebody else", cell=cell_text(other)), "IF-24")
    return Refusal(say("This card joins a box where others have a cat and you have none"), "IF-25")


def reach(s: State, start: int, without: int = 0) -> set[int]:
    """The cells of the box of a cell, as they would be without a certain card."""
    found, waiting = {start}, [start]
    while waiting:
        cell = waiting.pop()
        boxes = rules.around(s, cell)
        for d in range(4):
            beyond = cell + STEP[d]
            if beyond not in found and beyond != without and rules.joins(boxes, s.sides[cell], d):
                found.add(beyond)
                waiting.append(beyond)
    return found


# words


def things(contents: list[int]) -> list[Message]:
    """Toys and sprayers in words; counts in the order of the sums of a box."""
    words = []
    if contents[BALL]:
        words.append(say_n("{count} ball", "{count} balls", count=contents[BALL]))
    if contents[MOUSE]:
        words.append(say_n("{count} mouse", "{count} mice", count=contents[MOUSE]))
    if contents[FEATHER]:
        words.append(say_n("{count} feather", "{count} feathers", count=contents[FEATHER]))
    if contents[SPRAYER]:
        words.append(say_n("{count} water sprayer", "{count} water sprayers", count=contents[SPRAYER]))
    if contents[SPECIAL]:
        words.append(say_n("{count} special toy", "{count} special toys", count=contents[SPECIAL]))
    return words


def name(s: State, kind: int) -> Message:
    """A card in a few words."""
    if kind == PRINCESS:
        return say("Princess")
    if kind == TOY:
        return say("the special toy")
    if kind == BED:
        return say("a sleeping cat")
    inside = things(list(s.content[kind]))
    return say("a box with {things}", things=inside) if inside else say("an empty box")


def open_to(sides: int) -> Message:
    """The open sides in words."""
    named = [side for d, side in enumerate(SIDES) if sides >> d & 1]
    if len(named) == 4:
        return say("open on all sides")
    return say("open to the {sides}", sides=named) if named else say("closed all round")


def words(before: State, move: int, after: State) -> list[Message]:
    """What happened, for the log, from what a spectator saw before and after."""
    said = _words(before, move, after)
    if after.ending > before.ending:
        if after.pile_count == 0:
            said.append(say("The draw pile is empty: the end has begun"))
        else:
            said.append(say("{name} has no cat left: the end has begun"))
    return said


def _words(before: State, move: int, after: State) -> list[Message]:
    if move == M_DRAW:
        if after.shown[TOY] == before.shown[TOY]:
            return [say("{name} drew a card")]
        if after.discards > before.discards:
            return [say("{name} drew a special toy, but nowhere is there room for it")]
        return [say("{name} drew a special toy")]
    if before.phase == LAY:
        return _words_lay(before, (move - M_LAY) // 2, after)
    if before.phase == CAT and move != M_NO_CAT:
        return [say("{name} put a cat in box {box}", box=letter(after.box[move - M_CAT]))]
    if before.phase == REPLACE:
        cell = move - (M_WAKE if move >= M_WAKE else M_REPLACE)
        owner = before.top[cell] - 1
        return [
            say(
                "{name} played Princess in box {box}: the {cat} went home to {owner}",
                box=letter(after.box[cell]),
                cat=COATS[owner],
                owner=Seat(owner),
            )
        ]
    if before.phase == GIFT:
        return [say("{name} laid the special toy in box {box}", box=letter(after.box[move - M_TOY]))]
    if before.phase == CARD and move > M_DISCARD:
        return [say("{name} could play no card and discarded {card}", card=name(before, move - M_DISCARD))]
    return []


def _words_lay(before: State, cell: int, after: State) -> list[Message]:
    place = cell_text(cell)
    said = [say("{name} laid {card} at {cell}", card=name(before, before.laying), cell=place)]
    if before.laying == BED:
        said = [say("{name} let a cat sleep at {cell}, in box {box}", cell=place, box=letter(after.box[cell]))]
    gone = [box for box in range(1, before.boxes + 1) if before.sums[box][SIZE] and not after.sums[box][SIZE]]
    if gone:
        names = [letter(box) for box in sorted([after.box[cell], *gone])]
        said.append(say("Boxes {boxes} became one: {box}", boxes=names, box=letter(after.box[cell])))
    for box in range(1, after.boxes + 1):
        new = after.sums[box][SIZE] and not after.sums[box][OPEN]
        if new and (not before.sums[box][SIZE] or before.sums[box][OPEN]):
            said.append(
                say("Box {box} is closed: it is worth {points}", box=letter(box), points=rules.value(after, box))
            )
    return said


def ask(s: State) -> Message:
    """The question that seat `s.turn` has to answer now."""
    seat = s.turn
    if s.phase == TURN:
        return say("Draw, or let a cat sleep?") if rules.beds(s, seat) else say("Draw a card")
    if s.phase == CARD:
        hand = list(s.hand[seat])[: s.hand_count[seat]]
        if all(kind == 0 or rules.playable(s, kind) for kind in hand) or any(rules.playable(s, k) for k in hand if k):
            return say("Which card do you play?")
        return say("No card can be played: which one do you discard?")
    if s.phase == LAY:
        if s.laying == BED:
            return say("Where does your cat sleep?")
        if s.laying == TOY:
            return say("No box has room for the toy: lay it as a card")
        return say("Where does the box go?")
    if s.phase == CAT:
        if s.across:
            return say("Does a cat move in?")
        return say("No cat can lie on this box now")
    if s.phase == REPLACE:
        return say("Which cat does Princess send home?")
    return say("Where does the special toy go?")


def asked(s: State) -> str:
    """The rule behind the question."""
    if s.phase == LAY:
        return {BED: "IF-30", TOY: "IF-51"}.get(s.laying, "IF-10")
    if s.phase == CARD and s.ending:
        return "IF-60"
    return {CAT: "IF-21", REPLACE: "IF-41", GIFT: "IF-50"}.get(s.phase, "IF-20")


def _in_full(s: State, kind: int) -> Message:
    """A card in hand: what is in it and where it is open."""
    if kind == PRINCESS:
        return name(s, kind)
    return say("{card}, {sides}", card=name(s, kind), sides=open_to(s.sides_of[kind]))


def hand(s: State, seat: int) -> list[Message | str]:
    """The cards in the hand of a seat, in words."""
    return [_in_full(s, s.hand[seat][i]) for i in range(s.hand_count[seat])]


def advice(s: State, move: int) -> Message:
    """A legal decision as something to do."""
    if s.phase == TURN:
        return say("Draw a card") if move == M_DRAW else say("Let a cat sleep")
    if s.phase == CARD:
        card = _in_full(s, move - (M_DISCARD if move > M_DISCARD else M_CARD))
        return say("Discard {card}", card=card) if move > M_DISCARD else say("Play {card}", card=card)
    if s.phase == LAY:
        place = cell_text((move - M_LAY) // 2)
        if (move - M_LAY) % 2:
            return say("Lay it turned round at {cell}", cell=place)
        return say("Lay it at {cell}", cell=place)
    if s.phase == CAT:
        if move == M_NO_CAT:
            return say("Keep your cat at home")
        return say("Put a cat in box {box}, at {cell}", box=letter(s.box[move - M_CAT]), cell=cell_text(move - M_CAT))
    if s.phase == REPLACE:
        cell = move - (M_WAKE if move >= M_WAKE else M_REPLACE)
        owner = s.top[cell] - 1
        return say(
            "Send the {cat} of {owner} home from box {box}, at {cell}",
            cat=COATS[owner],
            owner=Seat(owner),
            box=letter(s.box[cell]),
            cell=cell_text(cell),
        )
    return say(
        "Lay the special toy in box {box}, at {cell}", box=letter(s.box[move - M_TOY]), cell=cell_text(move - M_TOY)
    )


def breakdown(s: State, seat: int) -> list[Line]:
    """The score by rule: what each box with cats of the seat brings, or why nothing; the points add up to `score`."""
    lines = []
    for box in range(1, s.boxes + 1):
        if s.sums[box][SIZE] == 0:
            continue
        if rules.takes(s, box, seat):
            closed = s.sums[box][OPEN] == 0
            label = say("Closed box {box}, doubled", box=letter(box)) if closed else say("Box {box}", box=letter(box))
            lines.append(Line("IF-71", label, rules.value(s, box)))
        elif s.sums[box][AWAKE + seat]:
            lines.append(Line("IF-70", say("Box {box}: others have more cats", box=letter(box)), 0))
        elif s.sums[box][ASLEEP + seat]:
            lines.append(Line("IF-32", say("Box {box}: no cat awake", box=letter(box)), 0))
        more = rules.extra(s, box, seat)
        if more:
            lines.append(
                Line(
                    "IF-72",
                    say_n("Box {box}: {count} more cat", "Box {box}: {count} more cats", count=more, box=letter(box)),
                    more,
                )
            )
    return lines


def residents(s: State, box: int) -> list[tuple[int, int, int]]:
    """Seat, cats awake and cats asleep of everybody in a box."""
    sums = s.sums[box]
    return [(p, sums[AWAKE + p], sums[ASLEEP + p]) for p in range(s.seats) if sums[AWAKE + p] + sums[ASLEEP + p]]
