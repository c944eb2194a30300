"""What a seat has thought about: the tree of the search, grown as long as there is time."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from time import monotonic
from typing import Any

from speeltafel.engine import chance
from speeltafel.engine.game import Game
from speeltafel.engine.records import Record
from speeltafel.engine.refusals import Refusal, say
from speeltafel.players import compiled, search

NODES = 300_000
"""The most nodes of a tree, about 30 MB."""
PER_ITERATION = 16
"""About how many nodes an iteration adds at most."""
CHUNK = 32
"""Compiled iterations between two looks at the clock: from one millisecond to some tens of them, by game and seats."""
FEW = 8
"""The least iterations of a decision, however slow the machine."""


@dataclass(frozen=True)
class Prospect:
    """What the search expects of a decision."""

    move: int
    visits: int
    """How many iterations looked at it."""
    chance: float
    """Of winning, between 0 and 1 (a share of it, where several would win)."""
    lead: float
    """Expected points more than the best opponent."""


@cache
def _plain(game: Game) -> Callable[..., int]:
    return search.build(game.rules, game.judge)


class Thought:
    """The thinking of one seat about one position, and about what its own decision leads to.

    Whoever keeps it from one decision to the next saves what was already known: `about` goes on with the
    part of the tree that follows from the decision, where the new view is just what was expected.
    """

    def __init__(
        self, game: Game, view: Record, seat: int, seed: str, *, wary: bool = True, nodes: int = NODES
    ) -> None:
        """About what `seat` sees when it is to move; `seed` is its own chance, never the match's alone.

        `wary` as in `Judge.advance`.
        """
        self.game, self.seat, self.wary = game, seat, wary
        self._rooms = search.rooms(type(view), game.rules.MAX_LEGAL, nodes)
        self._tree = self._rooms[-1]
        self._dice = chance.seeded(seed, "search")
        self._expected: Record | None = None
        self._begin(view)

    def _begin(self, view: Record) -> None:
        self._rooms[0][0] = view
        self._root, self._size, self._done = 1, 2, 0
        search.insert(self._tree, 0, 1, 0, 0.0)
        self._tree[0].child = 0

    @property
    def iterations(self) -> int:
        """How many iterations the present position has had."""
        return int(self._tree[self._root].visits)

    @property
    def expects(self) -> bytes | None:
        """The view of the seat's next decision, if that follows from its last one alone."""
        return None if self._expected is None else bytes(self._expected.view(self.seat))

    def about(self, view: Record) -> None:
        """Turn to the seat's next decision, keeping what fits it."""
        if self.expects != bytes(view) or self._size > len(self._tree) // 2:
            self._begin(view)
        self._rooms[0][0] = view

    def decided(self, move: int) -> None:
        """Take the seat's own decision as made."""
        view = self._rooms[0][0]
        world = view.copy()
        self.game.rules.imagine(world, self.seat, self._dice)
        self.game.rules.play(world, move, self._dice)
        forced = self.game.rules.legal(view, self._rooms[2]) == 1
        node = self._root if forced else self._child(move)
        self._expected = None
        # what was turned up differs from world to world, and the tree does not tell them apart
        if node and world.reveals == view.reveals and world.turn == self.seat and world.over == 0:
            self._expected, self._root = world, node

    def _child(self, move: int) -> int:
        node = int(self._tree[self._root].child)
        while node and self._tree[node].move != move:
            node = int(self._tree[node].sibling)
        return node

    def think(
        self,
        *,
        playouts: int | None = None,
        seconds: float = 0.0,
        most: int | None = None,
        clock: Callable[[], float] = monotonic,
    ) -> None:
        """Add `playouts` iterations, or as many as take so many seconds: `FEW` at least, and `most` at most.

        With `playouts` the result depends on the view and the seed alone, compiled or not.
        Raises `Refusal` for a budget of nothing.
        """
        if (playouts is not None and playouts < 1) or (playouts is None and seconds <= 0):
            raise Refusal(say("A bot needs at least one playout, or some time, to think"))
        if playouts is not None:
            self._iterate(playouts)
            return
        end = clock() + seconds
        added = 0
        while (added < FEW or clock() < end) and (most is None or added < most):
            fast = compiled.loaded(self.game)
            chunk = CHUNK if fast and fast.searches else 1
            if most is not None:
                chunk = min(chunk, most - added)
            self._iterate(chunk)
            added += chunk

    def _iterate(self, count: int) -> None:
        fast = compiled.loaded(self.game)
        iterate = fast.iterate if fast and fast.searches else _plain(self.game)
        numbers = self.seat, int(self.wary), self._root, self._size, self._done, count
        self._size = iterate(*self._rooms, self._dice, *numbers)
        self._done += count

    def prospects(self, legal: Sequence[int]) -> list[Prospect]:
        """What is expected of the legal decisions that were looked at, the best first."""
        found = []
        allowed = set(legal)
        at = int(self._tree[self._root].child)
        while at:
            node: Any = self._tree[at]
            if node.visits and node.move in allowed:
                visits = node.visits
                found.append(Prospect(node.move, visits, node.won / visits, node.lead / visits))
            at = int(node.sibling)
        return sorted(found, key=lambda prospect: (-prospect.visits, prospect.move))
