"""What all tests share: every table that can be laid, and the rules that tests name."""

from __future__ import annotations

import os
from collections.abc import Iterator
from itertools import product
from typing import Any

import pytest
from hypothesis import HealthCheck, settings

from speeltafel.engine.game import Game
from speeltafel.games import games

# no test depends on how fast a machine is; what lands is decided by the same examples each time
settings.register_profile("own", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.register_profile("ci", settings.get_profile("own"), derandomize=True)
settings.load_profile("ci" if os.environ.get("CI") else "own")


def tables() -> Iterator[tuple[Game, int, dict[str, Any]]]:
    """Every game with every number of seats and every combination of options that matters for it."""
    for game in games().values():
        for seats in range(game.seats[0], game.seats[1] + 1):
            options = [option for option in game.options if not option.seats or seats in option.seats]
            for choices in product(*(option.choices for option in options)):
                yield game, seats, dict(zip((option.name for option in options), choices, strict=True))


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """A test with `any_table` runs for each (a game, a number of seats, options), one with `any_game` for each game."""
    if "any_table" in metafunc.fixturenames:
        found = list(tables())
        ids = ["-".join([game.name, str(seats), *(str(c) for c in options.values())]) for game, seats, options in found]
        metafunc.parametrize("any_table", found, ids=ids)
    elif "any_game" in metafunc.fixturenames:
        metafunc.parametrize("any_game", list(games().values()), ids=list(games()))
