"""The bots by strength: from a kitten that plays by ear to a leopard that thinks for five seconds."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from threading import Lock
from time import monotonic

from speeltafel.engine import chance
from speeltafel.engine.game import Game
from speeltafel.engine.records import Record
from speeltafel.engine.refusals import Message, Refusal, say
from speeltafel.players.thought import NODES, PER_ITERATION, Thought

OVERLOOKS = 4
"""A kitten does not see one in so many of its possibilities."""
DISTRACTED = 6
"""And takes any of those it sees one time in so many."""
KEPT = 4
"""How many thoughts about a turn that goes on are kept by each level, for all tables together."""


class Kitten:
    """A beginner: plays by first impression, is unsure by how much, overlooks things and gets distracted."""

    name = "kitten"
    label = say("Kitten")
    line = say("plays by ear, overlooks things, gets distracted; plays at once")
    searches = False

    def choose(self, game: Game, view: Record, seat: int, legal: Sequence[int], seed: str, /) -> int:
        """The decision that looks best at a glance, among those noticed."""
        dice = chance.seeded(seed, self.name)
        noticed = [move for move in legal if chance.below(OVERLOOKS, dice) > 0] or list(legal)
        if chance.below(DISTRACTED, dice) == 0:
            return noticed[chance.below(len(noticed), dice)]
        world = view.copy()
        game.rules.imagine(world, seat, dice)
        unsure = game.judge.SCALE
        looks = [game.judge.worth(world, move) + chance.below(unsure, dice) for move in noticed]
        return noticed[looks.index(max(looks))]


class _Kept:
    """Thoughts that expect to be continued, the latest few."""

    def __init__(self) -> None:
        self._thoughts: OrderedDict[tuple[str, int, bytes], Thought] = OrderedDict()
        self._lock = Lock()

    def take(self, game: Game, view: Record, seat: int) -> Thought | None:
        """The thought that expects this view, turned to it."""
        with self._lock:
            thought = self._thoughts.pop((game.name, seat, bytes(view)), None)
        if thought:
            thought.about(view)
        return thought

    def keep(self, thought: Thought, move: int) -> None:
        """Keep a thought that ends in a decision, if it expects what comes next."""
        thought.decided(move)
        if (expects := thought.expects) is not None:
            with self._lock:
                self._thoughts[thought.game.name, thought.seat, expects] = thought
                while len(self._thoughts) > KEPT:
                    self._thoughts.popitem(last=False)


@dataclass
class Thinker:
    """Searches for some time, or for a number of playouts.

    With a number of playouts the same view and seed always give the same decision. With time they
    need not, and what was found for one decision of a turn is kept for the next.
    """

    name: str
    label: Message
    seconds: float
    playouts: int | None = None
    content: bool = False
    """Whether it stops at what the game's judge calls `PLENTY`, so that levels differ where time counts for little."""
    wary: bool = True
    """Whether it reckons with others who look further than greed, where a game's judge tells them apart."""
    clock: Callable[[], float] = monotonic
    line: Message = field(default_factory=lambda: Message(""))
    searches: bool = True
    _kept: _Kept = field(default_factory=_Kept, repr=False, compare=False)

    def __post_init__(self) -> None:
        if self.seconds <= 0 or (self.playouts is not None and self.playouts < 1):
            raise Refusal(say("A bot needs at least one playout, or some time, to think"))

    def choose(self, game: Game, view: Record, seat: int, legal: Sequence[int], seed: str, /) -> int:
        """The decision that the search returned to most often."""
        if len(legal) == 1:
            if going_on := self._kept.take(game, view, seat):
                self._kept.keep(going_on, legal[0])
            return legal[0]
        most = game.judge.PLENTY if self.content else None
        if self.playouts is not None:
            playouts = min(self.playouts, most or self.playouts)
            thought = Thought(game, view, seat, seed, wary=self.wary, nodes=min(NODES, PER_ITERATION * (playouts + 64)))
            thought.think(playouts=playouts)
            return thought.prospects(legal)[0].move
        thought = self._kept.take(game, view, seat) or Thought(game, view, seat, seed, wary=self.wary)
        thought.think(seconds=self.seconds, most=most, clock=self.clock)
        move = thought.prospects(legal)[0].move
        self._kept.keep(thought, move)
        return move

    def counting(self, rate: int) -> Thinker:
        """The same, with `rate` playouts for each second: repeatable, and as strong on every machine."""
        return replace(self, playouts=round(rate * self.seconds) or min(rate, 1))


LEVELS = (
    Thinker("lynx", say("Lynx"), 0.2, content=True, wary=False, line=say("looks ahead, quick as a wink; plays well")),
    Thinker("tiger", say("Tiger"), 1.0, line=say("thinks ahead, about a second each time; plays strongly")),
    Thinker("leopard", say("Leopard"), 5.0, line=say("thinks ahead, about five seconds each time; the strongest")),
)
"""The levels that search, by strength."""
