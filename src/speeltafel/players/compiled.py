"""The rules compiled by Numba, from the very same functions that run as plain Python.

Compiling takes seconds, so nothing here happens by itself: `load` is called by whoever has the
time (a simulation, a server's background thread), and until then `loaded` says None. The machine
code is kept on disk, in a folder named by a hash of all sources it was made from.
"""

from __future__ import annotations

import ctypes
import hashlib
import logging
import shutil
import subprocess
import sys
import types
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from importlib.metadata import version
from pathlib import Path
from threading import Lock, Timer
from time import time
from typing import Any

from platformdirs import user_cache_path

from speeltafel.engine import chance
from speeltafel.engine.chance import Dice
from speeltafel.engine.game import Game
from speeltafel.engine.refusals import Refusal, say
from speeltafel.players import beam, search

FORGET = 30 * 24 * 3600
"""How long machine code that nobody loads is kept, in seconds."""

_logger = logging.getLogger(__name__)
_loaded: dict[str, Compiled] = {}
_registered: set[Callable[..., Any]] = set()
_lock = Lock()


def _modules(game: Game) -> list[types.ModuleType]:
    """The rules and the judge of a game and all modules of ours whose functions they use, in a fixed order."""
    found: list[types.ModuleType] = [game.rules, game.judge]  # type: ignore[list-item]
    for current in found:
        for value in vars(current).values():
            if isinstance(value, types.FunctionType) and value.__module__.startswith("speeltafel."):
                home = sys.modules[value.__module__]
                if home not in found:
                    found.append(home)
    return found


@cache
def _processor() -> tuple[str, str]:
    """What machine code is made for."""
    from llvmlite import binding

    return binding.get_host_cpu_name(), binding.get_host_cpu_features().flatten()


def folder(game: Game) -> Path:
    """Where the machine code of a game is kept: a new folder when a source, Python, Numba or the processor changes."""
    digest = hashlib.sha256(repr((sys.version, version("numba"), *_processor())).encode())
    for module in [*_modules(game), chance, beam, search, sys.modules[__name__]]:
        source = Path(module.__file__ or "")
        digest.update(source.read_bytes())
        # Numba itself forgets what it kept when a file was written again, even with the same words
        digest.update(str(source.stat().st_mtime_ns).encode())
    return user_cache_path("speeltafel") / "compiled" / f"{game.name}-{digest.hexdigest()[:16]}"


@cache
def _dtype(kind: Any) -> Any:
    import numpy

    return numpy.dtype(kind)


def arrays(memory: Any) -> Any:
    """The NumPy array over the same memory as a record, or as an array of records or numbers; or a tuple of those."""
    import numpy

    if isinstance(memory, tuple):
        return tuple(arrays(part) for part in memory)
    kind = type(memory) if isinstance(memory, ctypes.Structure) else memory._type_
    return numpy.frombuffer(memory, dtype=_dtype(kind))


class Compiled:
    """The rules of one game as machine code. It is a `Rules` too: a match can be played by it.

    All of it works on the memory of the records themselves, without conversion, and lets go of
    Python's lock, so that two threads with their own arrays run side by side.
    """

    def __init__(self, game: Game, keep: bool) -> None:
        import numba
        import numpy
        from numba.extending import register_jitable

        for module in [*_modules(game), chance, search]:
            for function in vars(module).values():
                if isinstance(function, types.FunctionType) and function not in _registered:
                    register_jitable(function)
                    _registered.add(function)

        self.game = game
        self.State = game.rules.State
        self.MAX_LEGAL = game.rules.MAX_LEGAL
        self.dtype = numpy.dtype(self.State)
        """The records as NumPy sees them."""
        self.searches = False
        """Whether the search is ready too; it takes as long to compile as all the rest."""
        deal, legal, play, score = game.rules.deal, game.rules.legal, game.rules.play, game.rules.score
        wins, imagine = game.rules.wins, game.rules.imagine
        below = chance.below

        def compiled(function: Callable[..., Any]) -> Callable[..., Any]:
            made: Callable[..., Any] = numba.njit(nogil=True, cache=keep)(function)
            return made

        @compiled
        def one_deal(s: Any, dice: Any) -> None:
            deal(s[0], dice[0])

        @compiled
        def one_legal(s: Any, out: Any) -> int:
            return legal(s[0], out)

        @compiled
        def one_play(s: Any, move: int, dice: Any) -> None:
            play(s[0], move, dice[0])

        @compiled
        def one_score(s: Any, seat: int) -> int:
            return score(s[0], seat)

        @compiled
        def one_wins(s: Any, seat: int) -> int:
            return wins(s[0], seat)

        @compiled
        def one_imagine(s: Any, seat: int, dice: Any) -> None:
            imagine(s[0], seat, dice[0])

        @compiled
        def many_deal(states: Any, dice: Any) -> None:
            for i in range(len(states)):
                deal(states[i], dice[i])

        @compiled
        def many_legal(states: Any, out: Any, counts: Any) -> None:
            for i in range(len(states)):
                counts[i] = legal(states[i], out[i])

        @compiled
        def many_play(states: Any, moves: Any, dice: Any) -> None:
            for i in range(len(states)):
                if states[i].over == 0:
                    play(states[i], moves[i], dice[i])

        @compiled
        def many_finish(states: Any, out: Any, dice: Any) -> int:
            decisions = 0
            for i in range(len(states)):
                s = states[i]
                n = legal(s, out)
                while n > 0:
                    play(s, out[below(n, dice[i])], dice[i])
                    decisions += 1
                    n = legal(s, out)
            return decisions

        @compiled
        def many_score(states: Any, scores: Any) -> None:
            for i in range(len(states)):
                for seat in range(states[i].seats):
                    scores[i, seat] = score(states[i], seat)

        self._deal, self._legal, self._play, self._imagine = one_deal, one_legal, one_play, one_imagine
        self._score, self._wins, self._decide = one_score, one_wins, compiled(beam.build(game.rules))
        self._iterate = compiled(search.build(game.rules, game.judge, register_jitable))
        self._many_deal, self._many_legal, self._many_play = many_deal, many_legal, many_play
        self._many_finish, self._many_score = many_finish, many_score

    # one state, as `Rules`

    def deal(self, s: Any, dice: Dice, /) -> None:
        """As `Rules.deal`."""
        self._deal(arrays(s), arrays(dice))

    def legal(self, s: Any, out: Any, /) -> int:
        """As `Rules.legal`."""
        return int(self._legal(arrays(s), arrays(out)))

    def play(self, s: Any, move: int, dice: Dice, /) -> None:
        """As `Rules.play`."""
        self._play(arrays(s), move, arrays(dice))

    def score(self, s: Any, seat: int, /) -> int:
        """As `Rules.score`."""
        return int(self._score(arrays(s), seat))

    def wins(self, s: Any, seat: int, /) -> int:
        """As `Rules.wins`."""
        return int(self._wins(arrays(s), seat))

    def imagine(self, s: Any, seat: int, dice: Dice, /) -> None:
        """As `Rules.imagine`."""
        self._imagine(arrays(s), seat, arrays(dice))

    def decide(self, *rooms_and_dice: Any) -> int:
        """As `beam.build(rules)`."""
        *rooms, dice = (arrays(memory) for memory in rooms_and_dice)
        return int(self._decide(*rooms, dice[0]))

    def iterate(self, *rooms_dice_numbers: Any) -> int:
        """As `search.build(rules, judge)`."""
        *rooms, dice = (arrays(memory) for memory in rooms_dice_numbers[:-6])
        return int(self._iterate(*rooms, dice[0], *rooms_dice_numbers[-6:]))

    # many states at once: arrays of `dtype`, with a stream of chance for each

    def states(self, like: Any, count: int) -> Any:
        """An array of `count` copies of a state."""
        import numpy

        return numpy.repeat(arrays(like), count)

    def dice(self, seeds: Sequence[str | int], stream: str) -> Any:
        """An array of random streams, one for each seed."""
        import numpy

        return numpy.concatenate([arrays(chance.seeded(seed, stream)) for seed in seeds])

    def deal_all(self, states: Any, dice: Any) -> None:
        """Deal every state that was set up."""
        self._many_deal(states, dice)

    def legal_all(self, states: Any) -> tuple[Any, Any]:
        """The legal decisions of every state: an array (N, MAX_LEGAL), and how many of each row count (N)."""
        import numpy

        out = numpy.zeros((len(states), self.MAX_LEGAL), numpy.int32)
        counts = numpy.zeros(len(states), numpy.int32)
        self._many_legal(states, out, counts)
        return out, counts

    def play_all(self, states: Any, moves: Any, dice: Any) -> None:
        """Carry out one legal decision (int32) in every state; those that are over stay as they are."""
        self._many_play(states, moves, dice)

    def finish_all(self, states: Any, dice: Any) -> int:
        """Play every state to its end at random; returns how many decisions that took together."""
        import numpy

        return int(self._many_finish(states, numpy.zeros(self.MAX_LEGAL, numpy.int32), dice))

    def scores_all(self, states: Any) -> Any:
        """The scores of every state, an array (N, most seats of the game) of int32."""
        import numpy

        scores = numpy.zeros((len(states), self.game.seats[1]), numpy.int32)
        self._many_score(states, scores)
        return scores


def kept(game: Game, *, searching: bool = False) -> bool:
    """Whether the machine code lies on disk, so that `load` is quick."""
    return (folder(game) / ("searching" if searching else "ready")).exists()


def loaded(game: Game) -> Compiled | None:
    """The compiled rules of a game if `load` has made them ready in this process."""
    return _loaded.get(game.name)


def load(game: Game, *, searching: bool = False) -> Compiled:
    """Make the compiled rules ready, and the search if asked: from disk in under a second, or by compiling for many.

    Where the cache cannot be written they are compiled for this process alone.
    """
    import numba

    config: Any = numba.config

    with _lock:
        made = _loaded.get(game.name)
        if made is not None and made.searches >= searching:
            return made
        home = folder(game)
        if not home.exists():
            _forget(game)
        before = config.CACHE_DIR
        # what is damaged on disk is made anew; where nothing can be kept it is for this process alone
        for at in (home, home, None):
            try:
                if at is not None:
                    at.mkdir(parents=True, exist_ok=True)
                    config.CACHE_DIR = str(at)
                made = _made(game, at, made, searching)
                break
            except numba.core.errors.NumbaError:
                raise
            except Exception as error:
                if at is None:
                    raise
                _logger.warning("what is kept in %s cannot be used: %r", at, error)
                shutil.rmtree(at, ignore_errors=True)
                made = None
            finally:
                config.CACHE_DIR = before
        assert made is not None
        _loaded[game.name] = made
        return made


def _made(game: Game, home: Path | None, made: Compiled | None, searching: bool) -> Compiled:
    """The compiled rules, with the search if asked, going on from what was `made` before; kept in `home`."""
    if made is None:
        made = Compiled(game, home is not None)
        _exercise(made)
        if home is not None:
            (home / "ready").touch()
    if searching:
        _exercise_search(made)
        made.searches = True
        if home is not None:
            (home / "searching").touch()
    return made


def _forget(game: Game) -> None:
    """Remove machine code of the game that nobody has loaded for `FORGET` seconds."""
    for ready in folder(game).parent.glob(f"{game.name}-*/ready"):
        if ready.stat().st_mtime < time() - FORGET:
            shutil.rmtree(ready.parent, ignore_errors=True)


def _exercise(made: Compiled) -> None:
    """Call every entry point once, so that each is compiled, or read from disk, now."""
    import numpy

    state = made.game.set_up(made.game.seats[0], 0, {}, {})
    dice = chance.seeded(0, "warm")
    made.deal(state, dice)
    out = made.game.out()
    made.legal(state, out)
    rooms = beam.rooms(made.State, made.MAX_LEGAL)
    rooms[0][0] = state
    made.decide(*rooms, dice)
    made.play(state, out[0], dice)
    made.score(state, 0)
    made.wins(state, 0)
    made.imagine(state.view(0), 0, dice)
    many, streams = made.states(state, 1), made.dice([0], "warm")
    made.play_all(many, numpy.asarray(made.legal_all(many)[0][:, 0]), streams)
    made.scores_all(many)
    made.finish_all(many, streams)
    made.deal_all(made.states(made.game.set_up(made.game.seats[0], 0, {}, {}), 1), streams)


def _exercise_search(made: Compiled) -> None:
    """The same for the search."""
    state = made.game.set_up(made.game.seats[0], 0, {}, {})
    dice = chance.seeded(0, "warm")
    made.deal(state, dice)
    rooms = search.rooms(made.State, made.MAX_LEGAL, 200)
    rooms[0][0] = state.view(state.turn)
    made.iterate(*rooms, dice, state.turn, 0, 1, 2, 0, 1)


_WARM = """
import os, sys
from speeltafel.games import find
from speeltafel.players import compiled
getattr(os, "nice", lambda by: 0)(10)
compiled.load(find(sys.argv[1]), searching=True)
"""


def warm(games: Sequence[Game]) -> Iterator[Game]:
    """Fill the cache on disk for the games in a process of its own, one after the other.

    Yields each game that is done. Raises `Refusal` when one cannot be compiled.
    """
    for game in games:
        done = subprocess.run([sys.executable, "-c", _WARM, game.name], capture_output=True, text=True)
        if done.returncode:
            why = (done.stderr.strip().splitlines() or [str(done.returncode)])[-1]
            raise Refusal(say("{game} cannot be compiled: {why}", game=game.title, why=why))
        yield game


def warm_in_background(games: Sequence[Game], delay: float) -> None:
    """After some seconds, fill the cache and load the games one by one, while this process goes on.

    A game that cannot be compiled is played in plain mode, as it was.
    """

    def work() -> None:
        for game in games:
            try:
                if not kept(game, searching=True):
                    list(warm([game]))
                load(game, searching=True)
            except Exception as error:
                _logger.warning("%s: %s", game.name, error)

    timer = Timer(delay, work)
    timer.daemon = True
    timer.start()
