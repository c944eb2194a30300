"""Information-set Monte Carlo tree search over atomic decisions, written once for all games.

Each iteration imagines the hidden cards anew from the seat's view, walks down a tree that all
imagined worlds share, adds to it, plays on by what looks best to the judge and credits every seat with
what came of it. Whoever is to move is taken to want the best for itself;
where the judge can `advance` by the others' turns the tree holds the own decisions only. The functions are in
the subset that compiles; the room they work in comes from the caller.
"""

from __future__ import annotations

import ctypes
import math
from collections.abc import Callable
from mmap import mmap
from typing import Any

from speeltafel.engine.chance import below
from speeltafel.engine.game import Judge, Rules
from speeltafel.engine.records import int32, int64

SEATS = 6
DEEP = 512
"""The longest path down the tree."""
WIDTH = 12
"""How many decisions of a node are looked at from the start; the square root of its visits is added."""
TAKEN = -(2**62)
EVEN = 0.1
"""The part of its curiosity that every decision has, whatever the judge thinks."""
STRAY = 16
"""In a playout one decision in so many is any, whatever it looks like."""
STEEP = 500.0
"""The most that the judge's opinion counts, in its own `SCALE`: a number that `exp` can bear."""


class Node(ctypes.Structure):
    """A decision in the tree. Node 0 is not used: 0 means none."""

    _fields_ = [
        ("move", int32),
        ("child", int32),
        ("sibling", int32),
        ("visits", int32),
        ("available", int32),
        ("mark", int32),
        ("prior", ctypes.c_double),
        ("lead", ctypes.c_double),
        ("won", ctypes.c_double),
        ("credit", ctypes.c_double * SEATS),
    ]
    move: int
    child: int
    """The first decision after this one; they are linked by `sibling`, ascending by `move`."""
    sibling: int
    visits: int
    available: int
    """How often it could have been chosen."""
    mark: int
    """The iteration in which it was legal last."""
    prior: float
    """How likely it is by the judge's opinion, next to its siblings'."""
    lead: float
    """The thinking seat's points less its best opponent's, summed over the visits."""
    won: float
    """The thinking seat's chance of winning, summed over the visits."""
    credit: Any
    """What each seat got, between 0 and 1, summed over the visits."""


def insert(tree: Any, parent: int, new: int, move: int, prior: float) -> None:
    """Make node `new` a child of `parent`, in its place among the others."""
    tree[new].move = move
    tree[new].child = 0
    tree[new].visits = 0
    tree[new].available = 0
    tree[new].mark = 0
    tree[new].prior = prior
    tree[new].lead = 0.0
    tree[new].won = 0.0
    for p in range(SEATS):
        tree[new].credit[p] = 0.0
    before = 0
    after = tree[parent].child
    while after != 0 and tree[after].move < move:
        before = after
        after = tree[after].sibling
    tree[new].sibling = after
    if before == 0:
        tree[parent].child = new
    else:
        tree[before].sibling = new


def select(tree: Any, node: int, seat: int, mark: int, explore: float) -> int:
    """The child to try, of those legal in this world: good so far, promising or little known; 0 if there is none.

    The bound of PUCT, with the judge's opinion as the policy and the visits that each child was available for.
    What was never tried is taken to be as good as its parent.
    """
    all_of_them = 0.0
    child = tree[node].child
    while child != 0:
        if tree[child].mark == mark:
            all_of_them += tree[child].prior
        child = tree[child].sibling
    chosen = 0
    high = -1.0e18
    child = tree[node].child
    while child != 0:
        if tree[child].mark == mark:
            visits = tree[child].visits
            if visits > 0:
                rate = tree[child].credit[seat] / visits
            else:
                rate = tree[node].credit[seat] / max(1, tree[node].visits)
            policy = (1.0 - EVEN) * tree[child].prior / all_of_them + EVEN
            rate += explore * policy * math.sqrt(tree[child].available) / (visits + 1.0)
            if rate > high:
                high = rate
                chosen = child
        child = tree[child].sibling
    return chosen


def as_it_is(part: Any) -> Any:
    """What stands in for the compiler in plain mode."""
    return part


def build(rules: Rules, judge: Judge, part: Callable[[Any], Any] = as_it_is) -> Callable[..., int]:
    """The search of one game: runs as it is, and compiles when `part` makes the inner functions known."""
    legal, play, wins, imagine = rules.legal, rules.play, rules.wins, rules.imagine
    score = rules.score
    worth, enough, estimate = judge.worth, judge.enough, judge.estimate
    margin, scale = float(judge.MARGIN), float(judge.SCALE)
    explore, winning = float(judge.EXPLORE), float(judge.WINNING)
    advance = judge.advance

    @part
    def guided(s: Any, seat: int, wary: int, out: Any, dice: Any) -> None:
        """Play on by one decision: the best looking, now and then another."""
        n = legal(s, out)
        move = out[0]
        if n > 1 and below(STRAY, dice) == 0:
            move = out[below(n, dice)]
        elif n > 1:
            high = TAKEN
            for i in range(n):
                looks = 4 * worth(s, out[i]) + below(4, dice)
                if looks > high:
                    high = looks
                    move = out[i]
        play(s, move, dice)

    alone = advance is not None
    go_on = advance if advance is not None else guided

    @part
    def expand(s: Any, tree: Any, node: int, size: int, mark: int, out: Any, n: int, keys: Any) -> int:
        """Mark the children that are legal in this world and add the most promising missing ones.

        Returns how many nodes the tree has then.
        """
        child = tree[node].child
        missing = min(n, WIDTH + int(math.sqrt(tree[node].visits)))
        for i in range(n):
            while child != 0 and tree[child].move < out[i]:
                child = tree[child].sibling
            keys[i] = 0
            if child != 0 and tree[child].move == out[i]:
                tree[child].available += 1
                tree[child].mark = mark
                keys[i] = TAKEN
                missing -= 1
        if missing <= 0 or size >= len(tree):
            return size
        for i in range(n):
            if keys[i] != TAKEN:
                keys[i] = worth(s, out[i])
        while missing > 0 and size < len(tree):
            best = 0
            for i in range(1, n):
                if keys[i] > keys[best]:
                    best = i
            looks = max(-STEEP, min(STEEP, keys[best] / scale))
            insert(tree, node, size, out[best], math.exp(looks))
            tree[size].available = 1
            tree[size].mark = mark
            keys[best] = TAKEN
            size += 1
            missing -= 1
        return size

    @part
    def ahead(s: Any, seat: int) -> int:
        """The seat's points less its best opponent's: those of the end, or hopes."""
        rival = -(2**31)
        for other in range(s.seats):
            if other != seat:
                rival = max(rival, score(s, other) if s.over == 1 else estimate(s, other))
        return (score(s, seat) if s.over == 1 else estimate(s, seat)) - rival

    @part
    def settle(s: Any, tree: Any, path: Any, steps: int, seat: int) -> None:
        """Credit every node of the path with how the world ended, or how it stands."""
        winners = 0
        if s.over == 1:
            for p in range(s.seats):
                winners += wins(s, p)
        for p in range(s.seats):
            lead = ahead(s, p)
            credit = 0.5 + 0.5 * max(-1.0, min(1.0, lead / margin))
            chance = credit
            if winners > 0:
                chance = wins(s, p) / winners
                credit = (1.0 - winning) * credit + winning * chance
            for k in range(steps + 1):
                tree[path[k]].credit[p] += credit
                if p == seat:
                    tree[path[k]].lead += lead
                    tree[path[k]].won += chance
        for k in range(steps + 1):
            tree[path[k]].visits += 1

    def iterate(
        view: Any,
        world: Any,
        out: Any,
        keys: Any,
        path: Any,
        tree: Any,
        dice: Any,
        seat: int,
        wary: int,
        root: int,
        size: int,
        done: int,
        count: int,
    ) -> int:
        """Run `count` iterations after `done` earlier ones; returns how many nodes the tree has then.

        `view[0]` is what `seat` sees at node `root`, `world` has room for one state, `out` and `keys`
        for the legal decisions, `path` for `DEEP` nodes; `wary` as in `Judge.advance`.
        """
        for i in range(count):
            mark = done + i + 1
            world[0] = view[0]
            s = world[0]
            imagine(s, seat, dice)
            node = root
            steps = 0
            path[0] = root
            while s.over == 0 and steps < DEEP - 1:
                if alone and s.turn != seat:
                    go_on(s, seat, wary, out, dice)
                    continue
                n = legal(s, out)
                if n == 1:
                    play(s, out[0], dice)
                    continue
                size = expand(s, tree, node, size, mark, out, n, keys)
                node = select(tree, node, s.turn, mark, explore)
                if node == 0:
                    break
                play(s, tree[node].move, dice)
                steps += 1
                path[steps] = node
                if tree[node].visits == 0:
                    break
            decisions = 0
            while s.over == 0 and not enough(view[0], s, decisions):
                go_on(s, seat, wary, out, dice)
                decisions += 1
            settle(s, tree, path, steps, seat)
        return size

    return iterate


def rooms(state: Any, max_legal: int, nodes: int) -> tuple[Any, ...]:
    """The room that `iterate` works in, before its `dice`, for states of a type and a tree of so many nodes."""
    return (
        (state * 1)(),
        (state * 1)(),
        (int32 * max_legal)(),
        (int64 * max_legal)(),
        (int32 * DEEP)(),
        # straight from the system, which fills it with nothing page by page as it is used
        (Node * nodes).from_buffer(mmap(-1, nodes * ctypes.sizeof(Node))),
    )
