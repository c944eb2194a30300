"""The log in words."""

from __future__ import annotations

from speeltafel.engine.refusals import say
from speeltafel.web.happened import lines


def test_you_are_only_who_sits_there_now() -> None:
    happened = [(1, "Cas", (say("{name} sat down"),), False), (1, "Bram", (say("{name} sat down"),), False)]
    told = lines(happened, 1, ["Anna", "Bram"], "nl")
    assert [line.text for line in told] == ["Jij schoof aan", "Cas schoof aan"]
