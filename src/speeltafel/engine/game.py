"""What a game is, as data, and how games are found."""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib import resources
from typing import Any, Protocol

from speeltafel.engine.chance import Dice
from speeltafel.engine.records import Record, Row
from speeltafel.engine.refusals import Message, Refusal, say, say_n


@dataclass(frozen=True)
class Option:
    """A choice made before the match. The state has a field of the same name: the index in `choices`."""

    name: str
    choices: tuple[str | int | bool, ...]
    label: Message
    labels: tuple[Message, ...]
    default: int = 0
    """Index of the default in `choices`."""
    seats: tuple[int, ...] = ()
    """The numbers of seats for which the option matters; empty for all."""


@dataclass(frozen=True)
class Line:
    """One line of a score sheet: the rule it comes from, words, and points."""

    rule: str
    label: Message
    points: int


class Rules(Protocol):
    """`rules.py` of a game: plain functions over its `State`, in the subset that compiles."""

    State: Any
    MAX_LEGAL: int
    """The most decisions that are ever legal at once."""

    def deal(self, s: Any, dice: Dice, /) -> None:
        """Set the table up. Seats, first, options and data are already in the state."""

    def legal(self, s: Any, out: Any, /) -> int:
        """Write the legal decisions of seat `s.turn` into `out`, ascending; returns how many (0 only when over).

        Reads only what that seat may see.
        """

    def play(self, s: Any, move: int, dice: Dice, /) -> None:
        """Carry out a legal decision and go on to the next one."""

    def score(self, s: Any, seat: int, /) -> int:
        """The seat's score as it stands, from public fields only."""

    def wins(self, s: Any, seat: int, /) -> int:
        """1 if the seat wins the match that is over (several may)."""

    def imagine(self, s: Any, seat: int, dice: Dice, /) -> None:
        """Fill what is hidden in the view `s` of `seat` with a random possibility that fits it."""


class Judge(Protocol):
    """`judge.py` of a game: what a bot thinks of a position, in the subset that compiles.

    All of it is from the side of the seat to move, which may look at its own cards.
    """

    MARGIN: int
    """A lead of so many points is as good as a win."""
    WINNING: float
    """What winning counts, of 1, when a playout is judged; the rest is for the lead in points."""
    SCALE: int
    """A decision whose `worth` is less by so much is about three times less likely to be a good one."""
    EXPLORE: float
    """How much the search tries what it knows little of, where `worth` speaks for it."""
    PLENTY: int
    """So many playouts tell most of what thinking can tell; the rest is chance, or takes far longer."""

    def worth(self, s: Any, move: int, /) -> int:
        """How good a legal decision looks at a glance; higher is better."""

    def enough(self, view: Any, s: Any, decisions: int, /) -> bool:
        """Whether playing on from `view` may stop at `s`, after so many decisions."""

    def estimate(self, s: Any, seat: int, /) -> int:
        """The score that the seat may expect in the end, where playing on has stopped."""

    @property
    def advance(self) -> Callable[[Any, int, int, Any, Dice], None] | None:
        """Plays on for the seat, or by up to a whole turn of somebody else, with room for the legal decisions.

        The number after the seat is 1 for a seat that is wary: it reckons with others who look further than greed.
        Where there is none, everybody mostly takes what looks best by `worth`; with it the tree of the search
        holds the own decisions only.
        """


class Moves(Protocol):
    """`moves.py` of a game: decisions and cards as text, and everything in words."""

    RULES: str
    """Prefix of the rule identifiers, `PX`."""

    def text(self, s: Any, move: int, /) -> str:
        """The decision in the match notation."""

    def read(self, s: Any, text: str, /) -> int:
        """The decision behind a text. Raises `Refusal` for what is not in the notation."""

    def refuse(self, s: Any, move: int, /) -> Refusal:
        """Why a readable decision is not legal now; `s` may be the view of the seat to move."""

    def card_text(self, s: Any, card: int, /) -> str:
        """The name of a card in the match file."""

    def card_read(self, s: Any, text: str, /) -> int:
        """The card of that name. Raises `Refusal` for no card of this deck."""

    def words(self, before: Any, move: int, after: Any, /) -> list[Message]:
        """What happened, for the log, from what a spectator saw before and after. Past tense, `{name}` for the seat."""

    def ask(self, s: Any, /) -> Message:
        """The question that seat `s.turn` has to answer now."""

    def hand(self, s: Any, seat: int, /) -> list[Message | str]:
        """The cards in the hand of a seat, in words, from its own view; empty in a game without hands."""

    def advice(self, s: Any, move: int, /) -> Message:
        """A legal decision as something to do, "Take the 7", from the view `s` of the seat to move."""

    def breakdown(self, s: Any, seat: int, /) -> list[Line]:
        """The score by rule; the points add up to `score`."""


class Board(Protocol):
    """`board.py` of a game: what its template needs."""

    def board(self, s: Any, seat: int, legal: Sequence[int], recent: Sequence[Any], /) -> Mapping[str, Any]:
        """Values for `board.html` from the view `s` of `seat`.

        `legal` holds the decisions the seat may take now (empty when it is not its turn),
        `recent` the entries of the log since the seat's own last turn, oldest first.
        """


class Data(Protocol):
    """`data.py` of a game: its data files."""

    FILES: tuple[str, ...]

    def load(self, s: Any, files: Mapping[str, str], /) -> None:
        """Put decks and boards into the state. Raises `Refusal` naming file, line and column."""


class Picture(Protocol):
    """`picture.py` of a game: the table as text, for the terminal."""

    def picture(self, s: Any, seat: int, /) -> Sequence[Message | str]:
        """The lines that show the view `s` of `seat`; seats are named by `Seat`."""


def points(count: int) -> Message:
    """So many points."""
    return say_n("{count} point", "{count} points", count=count)


@dataclass(frozen=True, eq=False)
class Game:
    """A game as the lobby knows it, with the modules in its folder."""

    name: str
    title: str
    seats: tuple[int, int]
    minutes: int
    age: int
    year: int
    """Age and year are 0 where no public source tells them."""
    designer: str
    publisher: str
    line: Message
    """One line that says what the game is."""
    options: tuple[Option, ...]
    package: str
    rules: Rules
    judge: Judge
    moves: Moves
    board: Board
    data: Data
    picture: Picture
    scored: Callable[[int], Message] = points
    """So many of what the score counts, in words."""
    version: int = 1
    """Version of the rules, for match files."""

    def option(self, name: str) -> Option:
        """The option of that name. Raises `Refusal` naming those that exist."""
        for option in self.options:
            if option.name == name:
                return option
        known = ", ".join(o.name for o in self.options) or "-"
        raise Refusal(say("{game} has no option {option}; it has: {known}", game=self.title, option=name, known=known))

    def shipped(self, file: str) -> str:
        """The text of a file in the game's folder."""
        return resources.files(self.package).joinpath(file).read_text(encoding="utf-8")

    def set_up(self, seats: int, first: int, options: Mapping[str, Any], data: Mapping[str, str]) -> Record:
        """A state with seats, options and data, ready to deal. Raises `Refusal` for what does not exist."""
        low, high = self.seats
        if not low <= seats <= high:
            raise Refusal(
                say(
                    "{game} takes {low} to {high} players, not {seats}",
                    game=self.title,
                    low=low,
                    high=high,
                    seats=seats,
                )
            )
        if not 0 <= first < seats:
            raise Refusal(say("The start seat is one of 0 to {last}, not {first}", last=seats - 1, first=first))
        state: Record = self.rules.State()
        state.seats, state.first = seats, first
        for option in self.options:
            setattr(state, option.name, option.default)
        for name, value in options.items():
            option = self.option(name)
            index = [i for i, c in enumerate(option.choices) if type(c) is type(value) and c == value]
            if not index:
                known = ", ".join(str(c).lower() if isinstance(c, bool) else str(c) for c in option.choices)
                raise Refusal(
                    say("Option {option} is one of {known}, not {value}", option=name, known=known, value=value)
                )
            setattr(state, name, index[0])
        for name in data:
            if name not in self.data.FILES:
                known = ", ".join(self.data.FILES)
                raise Refusal(
                    say("{game} has no data file {file}; it has: {known}", game=self.title, file=name, known=known)
                )
        self.data.load(state, {name: data[name] if name in data else self.shipped(name) for name in self.data.FILES})
        return state

    def out(self) -> Row:
        """Room for the legal decisions of one position, for `rules.legal`."""
        from ctypes import c_int32

        room: Row = (c_int32 * self.rules.MAX_LEGAL)()
        return room


@cache
def discover(package: str) -> Mapping[str, Game]:
    """The games whose folders lie in `package`, by name: each folder's `GAME`."""
    home = importlib.import_module(package)
    found = {}
    for module in pkgutil.iter_modules(home.__path__):
        if module.ispkg:
            game = importlib.import_module(f"{package}.{module.name}").GAME
            found[game.name] = game
    return found
