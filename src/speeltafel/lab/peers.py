"""Other engines, each playing card games of its own at random: what a decision costs there.

They are other games than ours, so only the order of magnitude says something: listing what is legal, choosing,
carrying it out, and whatever else the engine does on the way, such as the observations it makes.
"""

from __future__ import annotations

import contextlib
import io
import random
import warnings
from collections.abc import Callable, Iterator
from functools import partial
from importlib import import_module, util
from typing import Any

from speeltafel.lab.bench import Figure, Work, timed

OPEN_SPIEL = ("leduc_poker", "go_fish", "crazy_eights", "hearts", "gin_rummy")
RLCARD = ("leduc-holdem", "uno", "gin-rummy", "bridge")
PETTINGZOO = ("leduc_holdem_v4", "texas_holdem_v4", "hanabi_v5")
ROLLOUTS = 200
"""How many rollouts OpenSpiel does at a time, and how many matches tell how long one is."""


def measure(seconds: float) -> Iterator[tuple[str, Figure]]:
    """Decisions/s of every engine that is installed, each line with its name."""
    absent = missing()
    for title, (_, works) in ENGINES.items():
        if title not in absent:
            with warnings.catch_warnings(), contextlib.redirect_stdout(io.StringIO()):  # they greet and warn
                warnings.simplefilter("ignore")
                lines = [(f"{title} {name}", timed(work, seconds)) for name, work in works()]
            yield from lines


def missing() -> list[str]:
    """The engines that are not installed here."""
    return [title for title, (module, _) in ENGINES.items() if util.find_spec(module) is None]


def _step(state: Any) -> int:
    """Let chance or a player decide at random in a state of OpenSpiel; returns how many players did."""
    if state.is_chance_node():
        actions, weights = zip(*state.chance_outcomes(), strict=True)
        state.apply_action(random.choices(actions, weights)[0])
        return 0
    state.apply_action(random.choice(state.legal_actions()))
    return 1


def _match(game: Any) -> int:
    return _to_the_end(game.new_initial_state())


def _to_the_end(state: Any) -> int:
    decisions = 0
    while not state.is_terminal():
        decisions += _step(state)
    return decisions


def _open_spiel() -> Iterator[tuple[str, Work]]:
    pyspiel = import_module("pyspiel")
    for name in OPEN_SPIEL:
        game = pyspiel.load_game(name)
        yield f"{name}, C++ rollouts", _rollouts(pyspiel, game)
        yield f"{name}, Python loop", partial(_match, game)


def _rollouts(pyspiel: Any, game: Any) -> Work:
    """The rollouts of its own tree search: one simulation evaluates the position after the deal by many of them.

    They do not tell how many decisions they took, so that is what matches from the same position take on the average.
    """
    state = game.new_initial_state()
    while state.is_chance_node():
        _step(state)
    length = sum(_to_the_end(state.clone()) for _ in range(ROLLOUTS)) / ROLLOUTS
    bot = pyspiel.MCTSBot(game, pyspiel.RandomRolloutEvaluator(ROLLOUTS, 1), 2.0, 1, 10, False, 1, False)

    def work() -> float:
        bot.step(state)
        return ROLLOUTS * length

    return work


def _rlcard() -> Iterator[tuple[str, Work]]:
    rlcard = import_module("rlcard")
    for name in RLCARD:
        env = rlcard.make(name, config={"seed": 1})

        def work(env: Any = env) -> int:
            state, _ = env.reset()
            decisions = 0
            while not env.is_over():
                state, _ = env.step(random.choice(list(state["legal_actions"])))
                decisions += 1
            return decisions

        yield name, work


def _pettingzoo() -> Iterator[tuple[str, Work]]:
    for name in PETTINGZOO:
        env = import_module(f"pettingzoo.classic.{name}").env()

        def work(env: Any = env) -> int:
            env.reset()
            decisions = 0
            for _ in env.agent_iter():
                observation, _, terminated, truncated, _ = env.last()
                if terminated or truncated:
                    env.step(None)
                else:
                    env.step(int(random.choice(observation["action_mask"].nonzero()[0])))
                    decisions += 1
            return decisions

        yield name, work


ENGINES: dict[str, tuple[str, Callable[[], Iterator[tuple[str, Work]]]]] = {
    "OpenSpiel": ("pyspiel", _open_spiel),
    "RLCard": ("rlcard", _rlcard),
    "PettingZoo": ("pettingzoo", _pettingzoo),
}
"""The module of each engine, and what is measured of it."""
