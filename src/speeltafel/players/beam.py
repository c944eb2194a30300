"""Looking through the rest of one's own turn, written once for all games, in the subset that compiles."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from speeltafel.engine.chance import below, mix
from speeltafel.engine.game import Rules
from speeltafel.engine.records import int32, int64

WIDTH = 48
"""How many unfinished turns are followed at once."""
SHARE = 1200
"""How many positions are looked at for each decision of the turn; of more, a random sample is."""
DEPTH = 20
"""The most decisions of one turn that are looked at."""
LOWEST = -(2**62)
TIE = 2**16


def build(rules: Rules) -> Callable[..., int]:
    """The search for one game's rules: runs as it is, and compiles."""
    legal, play, score = rules.legal, rules.play, rules.score

    def decide(now: Any, then: Any, out: Any, keys: Any, heads: Any, next_heads: Any, end: Any, dice: Any) -> int:
        """The first decision of the best way to end the turn of the seat to move in the world `now[0]`.

        A turn is followed until it passes or the match ends; there it is worth the seat's score minus
        that of its best opponent. Cards drawn on the way are those of the imagined world: a guess.
        Equals differ by chance.
        `now` and `then` have room for one world more than `WIDTH`; `end[0]` becomes the world after that turn.
        """
        seat = int(now[0].turn)
        best = LOWEST
        choice = -1
        count = 1
        for depth in range(DEPTH):
            kept = 0
            for i in range(count):
                n = legal(now[i], out)
                if n > max(1, SHARE // count):
                    mix(out, 0, n, dice)
                    n = max(1, SHARE // count)
                for j in range(n):
                    move = int(out[j])
                    then[kept] = now[i]
                    s = then[kept]
                    play(s, move, dice)
                    rival = LOWEST
                    for other in range(s.seats):
                        if other != seat:
                            rival = max(rival, score(s, other))
                    key = (score(s, seat) - rival) * TIE + below(TIE, dice)
                    head = move if depth == 0 else int(heads[i])
                    if s.over == 1 or s.turn != seat or depth == DEPTH - 1:
                        if key > best:
                            best = key
                            choice = head
                            end[0] = s
                        continue
                    slot = kept
                    if kept < WIDTH:
                        kept += 1
                    else:
                        slot = 0
                        for k in range(1, WIDTH):
                            if keys[k] < keys[slot]:
                                slot = k
                        if keys[slot] >= key:
                            continue
                        then[slot] = s
                    keys[slot] = key
                    next_heads[slot] = head
            spare = now
            now = then
            then = spare
            spare_heads = heads
            heads = next_heads
            next_heads = spare_heads
            count = kept
            if count == 0:
                break
        return choice

    return decide


def rooms(state: Any, max_legal: int) -> tuple[Any, ...]:
    """The room that `decide` works in, before its `dice`, for states of a type."""
    return (
        (state * (WIDTH + 1))(),
        (state * (WIDTH + 1))(),
        (int32 * max_legal)(),
        (int64 * WIDTH)(),
        (int32 * WIDTH)(),
        (int32 * WIDTH)(),
        (state * 1)(),
    )
