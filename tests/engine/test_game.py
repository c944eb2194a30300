"""Games: found by themselves, set up from options and data, refused what they do not have."""

from __future__ import annotations

from typing import Any

import pytest

from speeltafel.engine.game import Game
from speeltafel.engine.language import LANGUAGES, translate
from speeltafel.engine.match import Match
from speeltafel.engine.refusals import Refusal, say, say_n
from speeltafel.games import find, games


def test_the_four_games() -> None:
    assert {"pixies", "upordown", "ififits", "kattenkwaad"} <= set(games())
    assert find("pixies") is games()["pixies"]
    with pytest.raises(Refusal, match=r"no game chess; there are: .*pixies"):
        find("chess")


def test_every_option_is_a_field_and_has_labels(any_game: Game) -> None:
    fields = any_game.rules.State.fields
    for option in any_game.options:
        assert fields[option.name].audience == "public"
        assert len(option.labels) == len(option.choices)
        assert 0 <= option.default < len(option.choices)
        for index, choice in enumerate(option.choices):
            assert getattr(any_game.set_up(any_game.seats[1], 0, {option.name: choice}, {}), option.name) == index


@pytest.mark.parametrize("seats", [0, 1, 7, 100])
def test_a_number_of_seats_that_cannot_be(any_game: Game, seats: int) -> None:
    with pytest.raises(Refusal, match=f"takes .* players, not {seats}"):
        any_game.set_up(seats, 0, {}, {})


@pytest.mark.parametrize("first", [-1, 2])
def test_a_start_seat_that_cannot_be(any_game: Game, first: int) -> None:
    with pytest.raises(Refusal, match=f"one of 0 to 1, not {first}"):
        any_game.set_up(2, first, {}, {})


@pytest.mark.parametrize("value", ["", "nothing", 99, None, 1.5, [], "true"])
def test_a_choice_that_cannot_be(any_game: Game, value: Any) -> None:
    for option in any_game.options:
        with pytest.raises(Refusal, match=f"Option {option.name} is one of"):
            any_game.set_up(2, 0, {option.name: value}, {})


def test_an_option_or_file_that_it_has_not(any_game: Game) -> None:
    with pytest.raises(Refusal, match="no option speed"):
        any_game.set_up(2, 0, {"speed": 1}, {})
    with pytest.raises(Refusal, match=r"no data file secret\.csv"):
        any_game.set_up(2, 0, {}, {"secret.csv": ""})


def test_its_own_data_counts_as_shipped(any_game: Game) -> None:
    shipped = {name: any_game.shipped(name) for name in any_game.data.FILES}
    match = Match(any_game, ["a", "b"], seed=1, first=0, data=shipped)
    assert match.data == {}
    assert bytes(match.state) == bytes(Match(any_game, ["a", "b"], seed=1, first=0).state)


@pytest.mark.parametrize("text", ["", "\n", "a,b\n1,2\n", "\x00", "ø" * 1000])
def test_data_that_is_none(any_game: Game, text: str) -> None:
    for name in any_game.data.FILES:
        if text:
            with pytest.raises(Refusal, match=name):
                any_game.set_up(2, 0, {}, {name: text})


def test_seed_decides_everything(any_game: Game) -> None:
    one, same, other = (Match(any_game, ["a", "b"], seed=seed) for seed in ("x", "x", "y"))
    assert (bytes(one.state), one.first) == (bytes(same.state), same.first)
    assert one.shuffles == same.shuffles
    assert one.shuffles != other.shuffles


def test_a_running_match_tells_no_seed(any_game: Game) -> None:
    assert Match(any_game, ["a", "b"], seed="x").document().seed is None


def test_messages_become_sentences() -> None:
    assert translate(say("{file} cannot be read: {why}", file="a", why=say("it is not text in UTF-8")), "nl") == (
        "a is niet te lezen: het is geen tekst in UTF-8"
    )
    assert translate(say("{name} is here"), "en", name="Anna") == "Anna is here"
    assert translate([say("Total"), 3], "nl") == "Totaal, 3"
    assert str(say("{cards} are left", cards=[say("blue {number}", number=1), 3])) == "blue 1, 3 are left"
    for language in LANGUAGES:
        assert translate(say_n("one", "{count} of them", count=2), language) == "2 of them"
        assert translate(say_n("one", "{count} of them", count=1), language) == "one"
