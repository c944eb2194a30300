"""Information-set Monte Carlo tree search over atomic decisions, written once for all games.

Each iteration imagines the hidden cards anew from the seat's view, walks down a tree that all
imagined worlds share, adds one node, plays out with the game's `guide` and credits every seat.
The functions are in the compilable subset; arrays come from the caller.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from types import ModuleType
from typing import Any

SEATS = 6
DEEP = 512
"""The longest path down the tree."""

# columns of the tree's whole numbers
MOVE, CHILD, SIBLING, SEAT, VISITS, AVAILABLE, MARK = range(7)
COLUMNS = 7


def searcher(rules: ModuleType, judge: ModuleType) -> Callable[..., int]:
    """The search of one game: a plain function `iterate` that also compiles."""
    legal, play, score, wins, imagine = rules.legal, rules.play, rules.score, rules.wins, rules.imagine
    guide, worth = judge.guide, judge.worth
    margin = judge.MARGIN
    scale = float(judge.SCALE)
    enough = judge.enough

    def iterate(
        view: Any,
        world: Any,
        seat: int,
        count: int,
        out: Any,
        path: Any,
        tree: Any,
        prior: Any,
        value: Any,
        size: int,
        room: int,
        explore: float,
        bias: float,
        dice: Any,
    ) -> int:
        """Run `count` iterations from `view[0]`; returns how many nodes the tree has now.

        `tree[node]` holds the columns above, `prior[node]` a number, `value[node]` a credit per
        seat; node 0 is the root and exists. `path` has room for `DEEP` nodes.
        """
        for _ in range(count):
            world[0] = view[0]
            s = world[0]
            imagine(s, seat, dice)
            node = 0
            steps = 0
            path[0] = 0
            grow = 1
            while grow == 1 and s.over == 0 and steps < DEEP - 1:
                n = legal(s, out)
                if n == 1:
                    play(s, out[0], dice)
                    continue
                # make the children that are missing, so that each has its prior
                mark = tree[0][VISITS] + 1
                known = 0
                child = tree[node][CHILD]
                last = 0
                at = 0
                # children are kept ascending by move, as the legal decisions are
                missing = 0
                while at < n:
                    if child != 0 and tree[child][MOVE] < out[at]:
                        last = child
                        child = tree[child][SIBLING]
                    elif child != 0 and tree[child][MOVE] == out[at]:
                        tree[child][AVAILABLE] += 1
                        tree[child][MARK] = mark
                        known += 1
                        last = child
                        child = tree[child][SIBLING]
                        at += 1
                    elif size < room:
                        new = size
                        size += 1
                        tree[new][MOVE] = out[at]
                        tree[new][CHILD] = 0
                        tree[new][SEAT] = s.turn
                        tree[new][VISITS] = 0
                        tree[new][AVAILABLE] = 1
                        tree[new][MARK] = mark
                        tree[new][SIBLING] = child
                        for p in range(SEATS):
                            value[new][p] = 0.0
                        prior[new] = worth(s, out[at]) / scale
                        if last == 0:
                            tree[node][CHILD] = new
                        else:
                            tree[last][SIBLING] = new
                        last = new
                        missing += 1
                        at += 1
                    else:
                        at += 1
                        missing += 1
                if known == 0 and missing > 0 and size >= room:
                    break
                # priors are relative to the best of these
                top = -1.0e18
                child = tree[node][CHILD]
                while child != 0:
                    if tree[child][MARK] == mark and prior[child] > top:
                        top = prior[child]
                    child = tree[child][SIBLING]
                chosen = 0
                high = -1.0e18
                child = tree[node][CHILD]
                while child != 0:
                    if tree[child][MARK] == mark:
                        visits = tree[child][VISITS]
                        hunch = bias * (prior[child] - top) / (visits + 1.0)
                        if visits == 0:
                            rate = 1.0 + hunch
                        else:
                            rate = value[child][s.turn] / visits + hunch
                            rate += explore * math.sqrt(math.log(tree[child][AVAILABLE] + 1.0) / visits)
                        if rate > high:
                            high = rate
                            chosen = child
                    child = tree[child][SIBLING]
                if chosen == 0:
                    break
                play(s, tree[chosen][MOVE], dice)
                if tree[chosen][VISITS] == 0:
                    grow = 0
                node = chosen
                steps += 1
                path[steps] = node
            decisions = 0
            while s.over == 0 and not enough(view[0], s, decisions):
                n = legal(s, out)
                play(s, guide(s, out, n, dice), dice)
                decisions += 1
            won = 0
            if s.over == 1:
                for p in range(s.seats):
                    won += wins(s, p)
            for k in range(steps + 1):
                tree[path[k]][VISITS] += 1
            for p in range(s.seats):
                best = -1000000
                for q in range(s.seats):
                    if q != p:
                        best = max(best, score(s, q))
                lead = (score(s, p) - best) / margin
                lead = 0.5 + 0.5 * max(-1.0, min(1.0, lead))
                credit = lead
                if won > 0:
                    credit = 0.3 * lead + 0.7 * wins(s, p) / won
                for k in range(steps + 1):
                    value[path[k]][p] += credit
        return size

    return iterate
