"""A match: options, shuffles and decisions, from which everything else follows."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from copy import copy
from dataclasses import dataclass
from secrets import token_hex
from typing import Any

from speeltafel.engine import chance
from speeltafel.engine.chance import Dice
from speeltafel.engine.documents import FORMAT, Document, Result, check_lengths
from speeltafel.engine.game import Game, Line
from speeltafel.engine.records import SPECTATOR, Record
from speeltafel.engine.refusals import Message, Refusal, say


@dataclass(frozen=True)
class Entry:
    """One decision in the log: who took it, its code, its text, and what happened in words."""

    seat: int
    move: int
    text: str
    words: tuple[Message, ...]


class Match:
    """One match in memory. Every change either happens whole or raises `Refusal` and changes nothing."""

    def __init__(
        self,
        game: Game,
        seats: Sequence[str],
        options: Mapping[str, Any] | None = None,
        *,
        first: int | None = None,
        seed: str | int | None = None,
        data: Mapping[str, str] | None = None,
        shuffles: Sequence[Sequence[str]] = (),
    ) -> None:
        """Deal a match. Without `first` and `seed` both are random; given `shuffles` are used as they stand.

        Raises `Refusal` for a number of seats, an option, a data file or a shuffle that cannot be.
        """
        self.game = game
        self.seats = tuple(seats)
        self.options = dict(options or {})
        self.seed = token_hex(16) if seed is None else seed
        self.data = {
            name: text
            for name, text in (data or {}).items()
            if name not in game.data.FILES or text != game.shipped(name)
        }
        if first is None:
            first = chance.below(max(1, len(self.seats)), chance.seeded(self.seed, "first"))
        self.first = first
        self.state: Record = game.set_up(len(self.seats), first, self.options, self.data)
        self.entries: list[Entry] = []
        self.shuffles: list[list[str]] = []
        self._out = game.out()
        self._before: list[Record] = []
        """The states before the decisions that may still be taken back."""
        self._read: tuple[Sequence[str], list[int]] = ((), [])
        """The shuffle read last: a replay offers the next one to every decision until it is made."""
        self._dice = self._stream()
        waiting = self._load(shuffles)
        game.rules.deal(self.state, self._dice)
        self._keep(waiting)

    def _stream(self) -> Dice:
        dice = chance.seeded(self.seed, f"game {len(self.shuffles)}")
        dice.keep = 1
        return dice

    def _load(self, shuffles: Sequence[Sequence[str]]) -> int:
        """Load the shuffles that come next; returns how many."""
        codes = []
        for number, shuffle in enumerate(shuffles[: chance.LISTS]):
            try:
                if shuffle is not self._read[0]:
                    self._read = shuffle, [self.game.moves.card_read(self.state, card) for card in shuffle]
                codes.append(self._read[1])
            except Refusal as refusal:
                where = f"shuffles/{len(self.shuffles) + number}"
                raise Refusal(say("{where}: {why}", where=where, why=refusal.message), refusal.rule) from None
        return chance.load(self._dice, codes)

    def _keep(self, loaded: int) -> int:
        """Write down the shuffles that were just made; returns how many."""
        used = loaded - self._dice.loaded
        if self._dice.bad:
            self._dice.bad = 0
            raise Refusal(
                say(
                    "A shuffle does not hold the cards that were shuffled: {where}",
                    where=f"shuffles/{len(self.shuffles)}",
                )
            )
        made = chance.unload(self._dice)
        self.shuffles += [[self.game.moves.card_text(self.state, card) for card in cards] for cards in made]
        return used

    @property
    def over(self) -> bool:
        """Whether the match has ended."""
        return bool(self.state.over)

    @property
    def turn(self) -> int:
        """The seat whose decision it is."""
        return self.state.turn

    def legal(self) -> list[int]:
        """The legal decisions, ascending; none when the match is over."""
        return [self._out[i] for i in range(self.game.rules.legal(self.state, self._out))]

    def legal_texts(self) -> list[str]:
        """The legal decisions in the match notation."""
        return [self.game.moves.text(self.state, move) for move in self.legal()]

    def play(self, text: str, shuffles: Sequence[Sequence[str]] = ()) -> Entry:
        """Carry out a decision given in the match notation. Raises `Refusal` with the rule behind it."""
        if self.over:
            raise Refusal(say("The match is over"))
        seen = self.state.view(self.turn)
        move = self.game.moves.read(seen, text)
        if move not in self.legal():
            raise self.game.moves.refuse(seen, move)
        return self.play_move(move, shuffles)

    def play_move(self, move: int, shuffles: Sequence[Sequence[str]] = ()) -> Entry:
        """Carry out a decision that is known to be legal; `shuffles` replace chance, as in a replay."""
        before, seat = self.state.copy(), self.turn
        text = self.game.moves.text(self.state, move)
        loaded = self._load(shuffles)
        try:
            self.game.rules.play(self.state, move, self._dice)
            self._keep(loaded)
        except Refusal:
            self.state = before
            chance.unload(self._dice)
            raise
        words = self.game.moves.words(before.view(SPECTATOR), move, self.state.view(SPECTATOR))
        entry = Entry(seat, move, text, tuple(words))
        self.entries.append(entry)
        if self.state.reveals == before.reveals and self.turn == seat and not self.over:
            self._before.append(before)
        else:
            self._before.clear()
        return entry

    def can_undo(self, seat: int) -> bool:
        """Whether `seat` may take its last decision back: nothing was learned and nobody else came to move since."""
        return bool(self._before) and self.turn == seat

    def undo(self, seat: int) -> Entry:
        """Take the last decision back. Raises `Refusal` past the horizon."""
        if not self.can_undo(seat):
            raise Refusal(say("There is nothing to take back: a card was turned up or the turn has passed"))
        self.state = self._before.pop()
        return self.entries.pop()

    def copy(self) -> Match:
        """An equal match of its own: playing on in one leaves the other as it is."""
        twin = copy(self)
        twin.state, twin._dice, twin._out = self.state.copy(), self._dice.copy(), self.game.out()
        twin.entries, twin.shuffles, twin._before = self.entries.copy(), self.shuffles.copy(), self._before.copy()
        return twin

    def view(self, seat: int) -> Record:
        """What `seat`, or `SPECTATOR`, may see."""
        return self.state.view(seat)

    def own_seed(self) -> str:
        """A seed for the own chance of whoever is to move, from which the match's seed and its cards do not follow."""
        return hashlib.sha256(f"{self.seed} {self.turn} {len(self.entries)}".encode()).hexdigest()

    def scores(self) -> list[int]:
        """Everybody's score as it stands, by seat."""
        return [self.game.rules.score(self.state, seat) for seat in range(len(self.seats))]

    def breakdown(self, seat: int) -> list[Line]:
        """The seat's score by rule."""
        return self.game.moves.breakdown(self.state.view(SPECTATOR), seat)

    def result(self) -> Result:
        """Scores and winners of a match that is over."""
        winners = [seat for seat in range(len(self.seats)) if self.game.rules.wins(self.state, seat)]
        return Result(scores=self.scores(), winners=winners)

    def document(self, **extra: Any) -> Document:
        """The match as a file; `extra` are the optional keys of the format (id, started, times, ...)."""
        return Document(
            format=FORMAT,
            game=self.game.name,
            seats=list(self.seats),
            options=self.options,
            first=self.first,
            shuffles=self.shuffles,
            moves=[entry.text for entry in self.entries],
            result=self.result() if self.over else None,
            seed=self.seed if self.over else None,
            rules=self.game.version,
            data=self.data or None,
            **extra,
        )

    @classmethod
    def replay(cls, game: Game, document: Document, moves: int | None = None, seed: str | int | None = None) -> Match:
        """Play a document again, every move checked; the first `moves` only, if given.

        `seed` serves the shuffles still to come. Raises `Refusal` naming the place in the document.
        """
        check_lengths(document)
        if document.rules is not None and document.rules != game.version:
            raise Refusal(
                say("rules: version {version} of {game} is not known", version=document.rules, game=game.title)
            )
        match = cls(
            game,
            document.seats,
            document.options,
            first=document.first,
            seed=document.seed if seed is None else seed,
            data=document.data,
            shuffles=document.shuffles,
        )
        match._check_shuffles(document)
        match._dice = match._stream()
        count = len(document.moves) if moves is None else moves
        for number, text in enumerate(document.moves[:count]):
            if document.legal is not None and sorted(document.legal[number]) != sorted(match.legal_texts()):
                raise Refusal(
                    say("{where}: {why}", where=f"legal/{number}", why=say("not the legal decisions of this position"))
                )
            try:
                match.play(text, document.shuffles[len(match.shuffles) : len(match.shuffles) + 1])
                match._check_shuffles(document)
            except Refusal as refusal:
                raise Refusal(
                    say("{where}: {why}", where=f"moves/{number} ({text})", why=refusal.message), refusal.rule
                ) from None
        if moves is None:
            match._check_end(document)
        return match

    def _check_shuffles(self, document: Document) -> None:
        """Refuse a document that lacks a shuffle which was made, or has another: it would not replay without chance."""
        if len(self.shuffles) > len(document.shuffles):
            raise Refusal(say("Missing key {where}", where=f"shuffles/{len(document.shuffles)}"))
        for number, (made, written) in enumerate(zip(self.shuffles, document.shuffles, strict=False)):
            if made != written:
                where = f"shuffles/{number}"
                raise Refusal(say("A shuffle does not hold the cards that were shuffled: {where}", where=where))

    def _check_end(self, document: Document) -> None:
        if len(document.shuffles) > len(self.shuffles):
            raise Refusal(say("{where} was never made", where=f"shuffles/{len(self.shuffles)}"))
        if self.over and document.result != self.result():
            raise Refusal(say("result: the match is over with {result}", result=self.result().model_dump_json()))
        if not self.over and document.result is not None:
            raise Refusal(say("result: the match is not over"))
