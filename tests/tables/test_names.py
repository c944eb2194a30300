from __future__ import annotations

import pytest

from speeltafel.tables import names
from speeltafel.tables.refusals import TableRefusal


@pytest.mark.parametrize(
    "name", ["Anna", "x", "a" * 24, "<script>alert(1)</script>"[:24], "Zoë", "李娜", "👩‍👩‍👧", "O'Brien & co"]
)
def test_names_of_all_kinds_stay_as_they_are(name: str) -> None:
    assert names.clean(f"  {name}\t") == name


@pytest.mark.parametrize(
    "name", ["", "   ", "\n", "\u200b", "a" * 25, "x" * 500_000, "a\x00b", "a\nb", "\x1b[31mred", "a\u202eb", "\ud800"]
)
def test_a_name_that_cannot_be_is_refused(name: str) -> None:
    with pytest.raises(TableRefusal) as refused:
        names.clean(name)
    assert refused.value.kind == "invalid"
    assert len(str(refused.value)) < 100


def test_letters_of_two_characters_are_one() -> None:
    assert names.clean("Zoe\u0308") == "Zoë"


def test_the_same_name_gets_a_number() -> None:
    assert names.distinct("Anna", []) == "Anna"
    assert names.distinct("anna", ["Anna"]) == "anna 2"
    assert names.distinct("Anna", ["Anna", "anna 2"]) == "Anna 3"
    longest = "a" * names.LONGEST
    assert names.distinct(longest, [longest]) == "a" * (names.LONGEST - 2) + " 2"


def test_bots_names_differ() -> None:
    taken: list[str] = []
    for _ in range(15):
        taken.append(names.for_bot(taken))
    assert len(set(taken)) == 15
    assert all(names.clean(name) == name for name in taken)
