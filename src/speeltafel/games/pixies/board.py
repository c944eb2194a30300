"""Pixies: what the board's template needs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from speeltafel.engine.refusals import say
from speeltafel.games.pixies.rules import ROUNDS, State


def board(s: State, seat: int, legal: Sequence[int], recent: Sequence[Any]) -> Mapping[str, Any]:
    """Values for `board.html`."""
    return {"progress": say("Round {round} of {rounds}", round=min(s.done + 1, ROUNDS), rounds=ROUNDS)}
