"""Kattenkwaad: decisions and cards as text, refusals, and everything in words."""

from __future__ import annotations

from speeltafel.engine.game import Line
from speeltafel.engine.refusals import Message, Refusal, Seat, say, say_n
from speeltafel.games.kattenkwaad.rules import (
    CARD,
    CAT,
    CATNIP,
    DISCARD,
    EMPTY,
    FIRST,
    HOUSE,
    HOUSE_INTO_CAT,
    HOUSE_INTO_TREE,
    INTO_CAT,
    INTO_TREE,
    KEEP,
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
    OFF_BOARD,
    PLANT,
    PLAYS,
    ROW,
    SECOND,
    TELEPORT,
    TREE,
    TURN,
    WHERE,
    WHICH,
    State,
    can_use,
    houses_each,
    is_empty,
    is_house,
    trees_all,
    trial,
)

RULES = "KK"
WAYS = "NESW"
VERBS = (
    ("house", M_HOUSE, HOUSE),
    ("tree", M_TREE, PLANT),
    ("card", M_CARD, CARD),
    ("cat", M_CAT, WHICH),
    ("turn", M_TURN, TURN),
    ("field", M_FIELD, WHERE),
    ("first", M_FIRST, FIRST),
    ("second", M_SECOND, SECOND),
    ("discard", M_DISCARD, DISCARD),
)
"""The word, the base of its codes, and the phase in which it is asked; ascending by code."""
CAT_NAMES = (say("the ginger tom"), say("the tuxedo cat"), say("the patchwork cat"), say("the Siamese"))
WAY_NAMES = (say("north"), say("east"), say("south"), say("west"))
CARD_NAMES = {
    "straight-2": say("Two straight"),
    "straight-3": say("Three straight"),
    "corner-right": say("Corner right"),
    "corner-left": say("Corner left"),
    "long-short-right": say("Long hook right"),
    "long-short-left": say("Long hook left"),
    "short-long-right": say("Wide bend right"),
    "short-long-left": say("Wide bend left"),
    "zigzag-right": say("Zigzag right"),
    "zigzag-left": say("Zigzag left"),
    "u-turn-right": say("U-turn right"),
    "u-turn-left": say("U-turn left"),
    "teleport": say("Teleport"),
    "catnip": say("Catnip"),
    "swap": say("Swap houses"),
}
"""The shipped cards in words; a card of another deck goes by its own name."""


def _split(move: int) -> tuple[str, int, int]:
    """The word of a decision, the phase in which it is asked, and what it says."""
    if move == M_DONE:
        return "done", CARD, 0
    word, base, phase = next(verb for verb in reversed(VERBS) if move >= verb[1])
    return word, phase, move - base


def text(s: State, move: int) -> str:
    """The decision in the match notation."""
    word, phase, what = _split(move)
    if move == M_DONE:
        return word
    if phase in (CARD, DISCARD):
        return f"{word} {card_text(s, what)}"
    return f"{word} {WAYS[what]}" if phase == TURN else f"{word} {field_text(what)}"


def read(s: State, text: str) -> int:
    """The decision behind a text. Raises `Refusal` for what is not in the notation."""
    if text == "done":
        return M_DONE
    word, _, what = text.partition(" ")
    for verb, base, phase in VERBS:
        if verb == word:
            if phase in (CARD, DISCARD):
                return base + card_read(s, what)
            if phase != TURN:
                return base + field_read(s, what)
            if len(what) == 1 and what in WAYS:
                return base + WAYS.index(what)
            raise Refusal(say("{way} is no way to turn a card; the ways are N, E, S and W", way=what or "-"), "KK-11")
    raise Refusal(
        say(
            "{text} is no decision of this game; decisions look like {examples}",
            text=text,
            examples="house a1, tree b3, card straight-3, cat d4, turn N, field c3, first d2, second e5, done, "
            "discard zigzag-left",
        )
    )


def field_text(field: int) -> str:
    """The name of a field: its column from the west as a letter, its row from the north as a number."""
    return f"{chr(ord('a') + field % ROW - 1)}{field // ROW}"


def field_read(s: State, text: str) -> int:
    """The field of that name. Raises `Refusal` for one beyond this board."""
    for row in range(1, s.height + 1):
        for column in range(1, s.width + 1):
            if field_text(row * ROW + column) == text:
                return row * ROW + column
    last = field_text(s.height * ROW + s.width)
    raise Refusal(
        say("{text} is no field of this board; its fields run from a1 to {last}", text=text or "-", last=last)
    )


def card_text(s: State, card: int) -> str:
    """The name of a card in the deck file."""
    return bytes(byte & 255 for byte in s.name[card] if byte).decode()


def card_read(s: State, text: str) -> int:
    """The card of that name. Raises `Refusal` for no card of this deck."""
    known = [card_text(s, card) for card in range(1, s.kinds + 1)]
    if text not in known:
        raise Refusal(
            say("{card} is no card of this deck; its cards are {known}", card=text or "-", known=", ".join(known))
        )
    return 1 + known.index(text)


def card_name(s: State, card: int) -> Message | str:
    """The name of a card in words."""
    name = card_text(s, card)
    return CARD_NAMES.get(name, name)


def thing(s: State, field: int) -> Message:
    """What is on a field, in words."""
    what = s.on[field]
    if s.ground[field] == MISSING:
        return say("no field at all")
    if what == EMPTY:
        return say("an empty field")
    if what == TREE:
        return say("a tree")
    if what >= CAT:
        return CAT_NAMES[what - CAT]
    return say("a house of {owner}", owner=Seat(what - 1))


def blocked(reason: int) -> tuple[str, Message]:
    """The rule and the words for a reason of `rules.step`."""
    return {
        OFF_BOARD: ("KK-14", say("over the edge")),
        INTO_TREE: ("KK-14", say("tree in the way")),
        INTO_CAT: ("KK-14", say("other cat in the way")),
        HOUSE_INTO_TREE: ("KK-15", say("house pinned by a tree")),
        HOUSE_INTO_CAT: ("KK-16", say("house pinned by a cat")),
    }[reason]


def refuse(s: State, move: int) -> Refusal:
    """Why a readable decision is not legal now."""
    if s.over:
        return Refusal(say("The match is over"), "KK-41")
    _, phase, what = _split(move)
    if phase != s.phase:
        if phase == CARD and move != M_DONE and s.plays == PLAYS:
            return Refusal(say("Four cards a turn is the most"), "KK-10")
        why = say("{move} is not what is asked now: {question}", move=text(s, move), question=ask(s))
        return Refusal(why, asked(s))
    if phase in (CARD, DISCARD):
        hand = [s.hand[s.turn][i] for i in range(s.hand_count[s.turn])]
        if what not in hand:
            held = [card_name(s, card) for card in hand] or "-"
            return Refusal(
                say("{card} is not in your hand; you hold {hand}", card=card_name(s, what), hand=held),
                "KK-10" if phase == CARD else "KK-17",
            )
        return useless(s, what)
    if phase == TURN:
        rule, why = blocked(trial(s, s.chosen, s.card, what))
        return Refusal(say("Turned {way} this card cannot be followed: {why}", way=WAY_NAMES[what], why=why), rule)
    return _refuse_field(s, phase, what)


def useless(s: State, card: int) -> Refusal:
    """Why a card in hand cannot be played in any way."""
    if s.action[card] == TELEPORT:
        return Refusal(say("There is no empty field to go to"), "KK-30")
    if s.action[card] == CATNIP:
        return Refusal(say("The field with the paw print is not empty"), "KK-31")
    return Refusal(say("No cat can follow this card, whichever way it is turned"), _all_blocked(s, card))


def _all_blocked(s: State, card: int) -> str:
    """The rule that forbids every way of playing a path card; of several the first."""
    return min(blocked(trial(s, s.cat[i], card, turn))[0] for i in range(s.cats) for turn in range(4))


def _refuse_field(s: State, phase: int, field: int) -> Refusal:
    there = {"field": field_text(field), "thing": thing(s, field)}
    if phase == HOUSE:
        if s.on[field] != EMPTY:
            return Refusal(say("{field} is taken: there is {thing}", **there), "KK-3")
        numbers = [str(number) for number in range(2, s.seats + 1)]
        why = say("{field} has no number for this many players; houses go on {numbers}", **there, numbers=numbers)
        return Refusal(why, "KK-3")
    if phase == PLANT:
        if not is_empty(s, field):
            return Refusal(say("{field} is not free: there is {thing}", **there), "KK-4")
        return Refusal(say("{field} touches a tree or the cat; corners count too", **there), "KK-4")
    if phase == WHERE:
        return Refusal(say("{field} is not free: there is {thing}", **there), "KK-30")
    if phase in (FIRST, SECOND):
        if not is_house(s, field):
            return Refusal(say("No house stands on {field}: there is {thing}", **there), "KK-32")
        if phase == SECOND and field >= s.chosen:
            return Refusal(say("Both houses have the same owner, so nothing would change"), "KK-32")
        return Refusal(say("Name the house that comes first, row by row from the north, as the first one"), "KK-32")
    if s.on[field] < CAT:
        return Refusal(say("No cat stands on {field}: there is {thing}", **there), "KK-22")
    rule = min(blocked(trial(s, field, s.card, turn))[0] for turn in range(4))
    return Refusal(say("This cat cannot follow the card, whichever way it is turned"), rule)


def words(before: State, move: int, after: State) -> list[Message]:
    """What happened, for the log; the card, the cat and the first house are told with what they lead to."""
    _, phase, what = _split(move)
    lines = []
    if phase == HOUSE:
        lines.append(say("{name} placed a house on {field}", field=field_text(what)))
    elif phase == PLANT:
        lines.append(say("{name} planted a tree on {field}", field=field_text(what)))
    elif move == M_DONE and before.plays == 0:
        lines.append(say("{name} played no card"))
    elif phase == DISCARD:
        lines.append(say("{name} discarded {card}", card=card_name(before, what)))
    elif phase == TURN:
        cat = CAT_NAMES[before.on[before.chosen] - CAT]
        start, end = field_text(after.last_from), field_text(after.last_to)
        card = card_name(before, before.card)
        lines.append(say("{name} sent {cat} from {start} to {end} ({card})", cat=cat, start=start, end=end, card=card))
    elif phase == WHERE or (phase == WHICH and before.action[before.card] == CATNIP):
        cat = CAT_NAMES[before.on[after.last_from] - CAT]
        card = card_name(before, before.card)
        lines.append(say("{name} moved {cat} to {end} ({card})", cat=cat, end=field_text(after.last_to), card=card))
    elif phase == SECOND:
        a, b = after.last_from, after.last_to
        owners = {"one": Seat(before.on[a] - 1), "other": Seat(before.on[b] - 1)}
        fields = {"first": field_text(a), "second": field_text(b)}
        lines.append(say("{name} swapped houses of {one} ({first}) and {other} ({second})", **fields, **owners))
    return lines + _falls(before, after) + _events(before, after)


def _falls(before: State, after: State) -> list[Message]:
    lines = []
    for seat in range(before.seats):
        lost = before.houses[seat] - after.houses[seat]
        if lost > 0:
            owner = Seat(seat)
            lines.append(
                say_n(
                    "{owner} lost a house over the edge",
                    "{owner} lost {count} houses over the edge",
                    count=lost,
                    owner=owner,
                )
            )
            if after.houses[seat] == 0 and not after.over:
                lines.append(say("No house is left, so it is all over for {owner}", owner=owner))
    return lines


def _events(before: State, after: State) -> list[Message]:
    lines = []
    if after.reshuffles > before.reshuffles:
        lines.append(say("The draw pile was empty: the discards were shuffled into a new one"))
        if after.over:
            lines.append(say("That was the third time without a fall: the match ends here"))
    for cat in range(before.cats, after.cats):
        lines.append(say("A new cat entered on the middle field: {cat}", cat=CAT_NAMES[cat]))
    for cat in range(after.cats, after.cats + after.waiting):
        if cat >= before.cats + before.waiting:
            lines.append(say("A new cat waits until the middle field is empty: {cat}", cat=CAT_NAMES[cat]))
    return lines


def ask(s: State) -> Message:
    """The question that seat `s.turn` has to answer now."""
    if s.phase == HOUSE:
        left = houses_each(s) - s.houses[s.turn]
        return say_n("Place your last house", "Place a house; {count} to go", count=left)
    if s.phase == PLANT:
        return say_n("Plant the last tree", "Plant a tree; {count} to go", count=trees_all(s) - s.trees)
    if s.phase == CARD:
        hand = [s.hand[s.turn][i] for i in range(s.hand_count[s.turn])]
        # a view of another seat holds zeros here
        if hand and hand[0] and not any(can_use(s, card) for card in hand):
            return say("None of your cards can be played now")
        left = PLAYS - s.plays
        return say_n("Play a last card or stop", "Play a card or stop; {count} to go", count=left)
    if s.phase == WHICH:
        return say("Which cat does {card} move?", card=card_name(s, s.card))
    if s.phase == TURN:
        return say("Which way does {card} turn?", card=card_name(s, s.card))
    if s.phase == WHERE:
        return say("To which empty field does the cat go?")
    if s.phase == FIRST:
        return say("Which house is swapped?")
    if s.phase == SECOND:
        return say("With which house of another player?")
    over = s.hand_count[s.turn] - KEEP
    return say_n("Discard a card: four may stay", "Discard {count} cards: four may stay", count=over)


def hand(s: State, seat: int) -> list[Message | str]:
    """The cards in the hand of a seat, in words."""
    return [card_name(s, s.hand[seat][i]) for i in range(s.hand_count[seat])]


def advice(s: State, move: int) -> Message:
    """A legal decision as something to do."""
    _, phase, what = _split(move)
    if move == M_DONE:
        return say("Stop here") if s.plays else say("Play no card")
    if phase in (CARD, DISCARD):
        card = card_name(s, what)
        return say("Play {card}", card=card) if phase == CARD else say("Discard {card}", card=card)
    if phase == TURN:
        return say("Turn the card to the {way}", way=WAY_NAMES[what])
    field = field_text(what)
    if phase == HOUSE:
        return say("Place a house on {field}", field=field)
    if phase == PLANT:
        return say("Plant a tree on {field}", field=field)
    if phase == WHICH:
        return say("Choose {cat}", cat=CAT_NAMES[s.on[what] - CAT])
    if phase == WHERE:
        return say("To {field}", field=field)
    return say("The house of {owner} on {field}", owner=Seat(s.on[what] - 1), field=field)


def asked(s: State) -> str:
    """The rule behind the question."""
    if s.phase == WHICH:
        return {TELEPORT: "KK-30", CATNIP: "KK-31"}.get(s.action[s.card], "KK-11")
    return {
        HOUSE: "KK-3",
        PLANT: "KK-4",
        TURN: "KK-11",
        WHERE: "KK-30",
        FIRST: "KK-32",
        SECOND: "KK-32",
        DISCARD: "KK-17",
    }.get(s.phase, "KK-10")


def breakdown(s: State, seat: int) -> list[Line]:
    """The score by rule: the houses on the board."""
    return [
        Line(
            "KK-41",
            say_n("{count} house on the board", "{count} houses on the board", count=s.houses[seat]),
            s.houses[seat],
        )
    ]
