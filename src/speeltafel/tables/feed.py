"""Bells that ring in asyncio loops when something changed, wherever in this process it was changed."""

from __future__ import annotations

import asyncio
import threading
from collections import defaultdict
from collections.abc import Iterator
from contextlib import contextmanager, suppress


class Feed:
    """Who listens to what. A ring is only a wake-up: listeners look for themselves what changed."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._bells: dict[str, set[tuple[asyncio.AbstractEventLoop, asyncio.Event]]] = defaultdict(set)

    @contextmanager
    def listen(self, topic: str) -> Iterator[asyncio.Event]:
        """A bell for the running loop, until the end of the block."""
        bell = (asyncio.get_running_loop(), asyncio.Event())
        with self._lock:
            self._bells[topic].add(bell)
        try:
            yield bell[1]
        finally:
            with self._lock:
                self._bells[topic].discard(bell)
                if not self._bells[topic]:
                    del self._bells[topic]

    def ring(self, topic: str) -> None:
        """Ring all bells of a topic, from any thread."""
        with self._lock:
            bells = list(self._bells.get(topic, ()))
        for loop, bell in bells:
            with suppress(RuntimeError):  # the loop was closed
                loop.call_soon_threadsafe(bell.set)


async def heard(bell: asyncio.Event, seconds: float) -> None:
    """Wait for a bell, or until the time has passed; the bell is silent again afterwards."""
    with suppress(TimeoutError):
        async with asyncio.timeout(max(0.0, seconds)):
            await bell.wait()
    bell.clear()
