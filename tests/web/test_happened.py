"""The log in words."""

from __future__ import annotations

from speeltafel.engine.refusals import say
from speeltafel.web.happened import lines


def test_you_are_only_who_sits_there_now() -> None:
    happened = [(1, "Cas", (say("{name} sat down"),), False), (1, "Bram", (say("{name} sat down"),), False)]
    told = lines(happened, 1, ["Anna", "Bram"], "nl")
    assert [line.text for line in told] == ["Jij schoof aan", "Cas schoof aan"]


def test_a_turn_is_one_line() -> None:
    took, drew, lost = say("{name} took 20"), say("{name} drew a card"), say("A house fell")
    happened = [(0, "anna", (took,), True), (0, "anna", (drew,), True), (1, "Bram", (took, lost), True)]
    happened += [(1, "Bram", (drew,), True), (1, "Bram", (say("{name} left"),), False)]
    told = lines(happened, 1, ["anna", "Bram"], "en")
    assert [line.text for line in told] == [
        "You left",
        "You drew a card",
        "You took 20. A house fell",
        "Anna took 20 · drew a card",
    ]
