"""Matches between bots, one or many side by side: what simulations and ladders share."""

from __future__ import annotations

import multiprocessing
import signal
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, replace
from itertools import islice

from speeltafel import games, players
from speeltafel.engine.game import Game
from speeltafel.engine.match import Entry, Match
from speeltafel.players import compiled
from speeltafel.players.player import Player

WORTH_COMPILING = 200
"""From this many matches on, compiling the rules takes less time than it saves."""


@dataclass(frozen=True)
class Outcome:
    """How one match went."""

    seats: tuple[str, ...]
    first: int
    scores: tuple[int, ...]
    winners: tuple[int, ...]
    decisions: int
    document: str | None = None
    """The match file, one line of JSON, if it was asked for."""


def fastest(name: str) -> Game:
    """The game of that name, compiled if `prepare` found that worth the time; the matches stay the same."""
    game = games.find(name)
    fast = compiled.loaded(game)
    return replace(game, rules=fast) if fast else game


def decide(match: Match, bot: Player) -> Entry:
    """Let a bot decide for the seat whose turn it is, from what that seat sees and a seed of its own."""
    seat = match.turn
    return match.play_move(bot.choose(match.game, match.view(seat), seat, match.legal(), match.own_seed()))


def finish(match: Match, bots: Sequence[Player], *, document: bool = False, legal: bool = False) -> Outcome:
    """Let bots, by seat, play a match to its end; its `document` may list the `legal` decisions of each move."""
    legal_texts = []
    while not match.over:
        if legal:
            legal_texts.append(match.legal_texts())
        decide(match, bots[match.turn])
    result = match.result()
    return Outcome(
        match.seats,
        match.first,
        tuple(result.scores),
        tuple(result.winners),
        len(match.entries),
        match.document(legal=legal_texts if legal else None).text() if document else None,
    )


def prepare(game: str, bots: Iterable[str], matches: int) -> None:
    """Make the compiled rules ready in this process if so many matches are worth the time, or a bot searches."""
    found = games.find(game)
    searching = any(players.find(name).searches for name in bots)
    if searching or matches >= WORTH_COMPILING or compiled.kept(found):
        compiled.load(found, searching=searching)


def spread(play: Callable[[int], Outcome], ready: Callable[[], object], count: int, jobs: int) -> Iterator[Outcome]:
    """Yield `play(0)` to `play(count - 1)` in order, `jobs` processes side by side, each made `ready` first.

    Whoever stops listening, or is interrupted, has no process left that plays on.
    """
    ready()
    if jobs == 1:
        yield from map(play, range(count))
        return
    spawn = multiprocessing.get_context("spawn")
    others = multiprocessing.active_children()
    with ProcessPoolExecutor(jobs, mp_context=spawn, initializer=_begin, initargs=(ready,)) as pool:
        numbers = iter(range(count))
        # a window, so that a long plan does not pile up in memory
        waiting = [pool.submit(play, number) for number in islice(numbers, 8 * jobs)]
        try:
            while waiting:
                yield waiting.pop(0).result()
                waiting += [pool.submit(play, number) for number in islice(numbers, 1)]
        except BaseException:
            # the pool itself would have them play what waits, and wait for it
            for process in multiprocessing.active_children():
                if process not in others:
                    process.terminate()
            raise


def _begin(ready: Callable[[], object]) -> None:
    """In a process that plays: Ctrl+C is for the one that listens to act on."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    ready()
