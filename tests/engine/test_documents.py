"""Match files: what is not in the format, or not a match by the rules, is refused with its place."""

from __future__ import annotations

import copy
import json
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import cache
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from speeltafel.engine import documents
from speeltafel.engine.language import translate
from speeltafel.engine.match import Match
from speeltafel.engine.refusals import Message, Refusal
from speeltafel.games import find, games
from speeltafel.lab.simulate import Plan, play

OPTIONAL = {
    "id": "t1",
    "seed": 7,
    "rules": 1,
    "started": "2026-11-29T20:00:00Z",
    "ended": "2026-11-29T20:30:00+01:00",
    "notes": "a good one",
}
GAMES = list(games())


@cache
def written(game: str) -> str:
    """A whole match, with its legal decisions."""
    text = play(Plan(game, ("random", "random"), 1, "documents", document=True, legal=True), 0).document
    assert text is not None
    return text


def good(game: str = "upordown", **changes: Any) -> dict[str, Any]:
    """A good document, as parsed JSON, with everything that is optional."""
    document: dict[str, Any] = json.loads(written(game))
    times = [0.5, 1] * (len(document["moves"]) // 2) + [2] * (len(document["moves"]) % 2)
    return {**document, **OPTIONAL, "times": times, **changes}


def replay(value: Any) -> Match:
    document = documents.loads(json.dumps(value))
    return Match.replay(find(document.game), document)


@pytest.mark.parametrize("game", GAMES)
def test_a_good_one(game: str) -> None:
    document = good(game)
    match = replay(document)
    assert match.over
    assert json.loads(match.document(legal=document["legal"]).text())["moves"] == document["moves"]
    assert json.loads(documents.parse(document).text()) == document


def test_what_is_optional() -> None:
    document = good()
    for key in [*OPTIONAL, "times", "legal", "seed"]:
        document.pop(key, None)
    assert replay(document).over
    del document["moves"][20:]
    del document["result"]
    assert not replay(document).over


FAULTS: dict[str, tuple[Callable[[dict[str, Any]], object], str]] = {
    "another format": (lambda d: d.update(format="speeltafel-match/2"), "format"),
    "an unknown key": (lambda d: d.update(winner=1), "Unknown key winner"),
    "an unknown key within": (lambda d: d["result"].update(loser=1), "Unknown key result/loser"),
    "no game": (lambda d: d.pop("game"), "Missing key game"),
    "no options": (lambda d: d.pop("options"), "Missing key options"),
    "no seats": (lambda d: d.pop("seats"), "Missing key seats"),
    "no moves": (lambda d: d.pop("moves"), "Missing key moves"),
    "no shuffles": (lambda d: d.pop("shuffles"), "Missing key shuffles"),
    "no first": (lambda d: d.pop("first"), "Missing key first"),
    "no format": (lambda d: d.pop("format"), "Missing key format"),
    "null": (lambda d: d.update(notes=None), "notes"),
    "another game": (lambda d: d.update(game="chess"), "no game chess"),
    "a number as a card": (lambda d: d["shuffles"][0].__setitem__(0, 17), "shuffles/0/0"),
    "a number as a move": (lambda d: d["moves"].__setitem__(3, 17), "moves/3"),
    "a number as a name": (lambda d: d["seats"].__setitem__(1, 17), "seats/1"),
    "text as the start seat": (lambda d: d.update(first="0"), "first"),
    "a float as the start seat": (lambda d: d.update(first=0.0), "first"),
    "true as the start seat": (lambda d: d.update(first=True), "first"),
    "a start seat that is none": (lambda d: d.update(first=2), "start seat"),
    "one seat": (lambda d: d["seats"].pop(), "2 to 6 players, not 1"),
    "an unknown option": (lambda d: d["options"].update(speed="high"), "no option speed"),
    "an unknown choice": (lambda d: d["options"].update(length="endless"), "Option length is one of full, short"),
    "a float as an option": (lambda d: d["options"].update(length=1.5), "options/length"),
    "a card too few": (lambda d: d["shuffles"][0].pop(), "shuffles/0"),
    "a card twice": (lambda d: d["shuffles"][0].__setitem__(0, d["shuffles"][0][1]), "shuffles/0"),
    "far too many cards": (lambda d: d["shuffles"][0].extend(d["shuffles"][0] * 9), "shuffles/0"),
    "a card that is none": (lambda d: d["shuffles"][0].__setitem__(0, "999"), "shuffles/0"),
    "no shuffle": (lambda d: d["shuffles"].clear(), ""),
    "a shuffle too many": (lambda d: d["shuffles"].append(["1"]), "shuffles/1 was never made"),
    "a move that is none": (lambda d: d["moves"].__setitem__(4, "fly"), "moves/4 (fly)"),
    "an illegal move": (lambda d: d["moves"].__setitem__(0, "draw down"), "moves/0 (draw down)"),
    "a move too many": (
        lambda d: (d["moves"].append("draw down"), d.pop("times"), d.pop("legal")),
        "The match is over",
    ),
    "a move too few": (lambda d: (d["moves"].pop(), d["times"].pop(), d["legal"].pop()), "result: the match is not"),
    "no result": (lambda d: d.pop("result"), "result: the match is over"),
    "another result": (lambda d: d["result"]["scores"].__setitem__(0, 999), "result: the match is over"),
    "another winner": (lambda d: d["result"].update(winners=[]), "result: the match is over"),
    "a day without time": (lambda d: d.update(started="2026-11-29"), "started"),
    "a time without zone": (lambda d: d.update(ended="2026-11-29T20:00:00"), "ended"),
    "no time": (lambda d: d.update(ended="yesterday"), "ended"),
    "times too few": (lambda d: d["times"].pop(), "times needs one entry per move"),
    "a time below zero": (lambda d: d["times"].__setitem__(2, -1), "times/2"),
    "a time without end": (lambda d: d["times"].__setitem__(2, 1e9 + 1), "times/2"),
    "half a character": (lambda d: d.update(seed="\ud800"), "not JSON"),
    "a date that is none": (lambda d: d.update(started="0000-01-01T00:00:00Z"), "started"),
    "legal too short": (lambda d: d["legal"].pop(), "legal needs one entry per move"),
    "legal with too much": (lambda d: d["legal"][5].append("fly"), "legal/5"),
    "legal with too little": (lambda d: d["legal"][5].pop(), "legal/5"),
    "legal twice": (lambda d: d["legal"][5].append(d["legal"][5][0]), "legal/5"),
    "rules of another version": (lambda d: d.update(rules=99), "version 99"),
    "an unknown data file": (lambda d: d.update(data={"cards.csv": ""}), "no data file cards.csv"),
    "a data file that is none": (lambda d: d.update(data={"colours.csv": "no columns"}), "colours.csv: column number"),
    "a number as data": (lambda d: d.update(data={"colours.csv": 1}), "data/colours.csv"),
}


@pytest.mark.parametrize("fault", FAULTS)
def test_faults(fault: str) -> None:
    document = good()
    spoil, place = FAULTS[fault]
    spoil(document)
    with pytest.raises(Refusal) as refused:
        replay(document)
    assert place in str(refused.value)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "{",
        "[]",
        "null",
        "7",
        '"match"',
        "{}",
        "[" * 100_000,
        '{"format": NaN}',
        '{"times": [1e400]}',
        "9" * 5000,
        "\x00",
        '{"game": "a", "game": "b"}',
    ],
)
def test_what_is_no_document(text: str) -> None:
    with pytest.raises(Refusal):
        documents.loads(text)


def test_a_key_within_written_twice() -> None:
    text = json.dumps(good()).replace('"options": {', '"options": {"length": "short", "length": "full"', 1)
    with pytest.raises(Refusal, match="Key length is written twice"):
        documents.loads(text)


def test_one_match_a_line_or_one_over_many() -> None:
    one = json.dumps(good())
    assert list(documents.read_lines(f"{one}\n\n{one}\n")) == [one, one]
    many = json.dumps(good(), indent=1)
    assert list(documents.read_lines(many)) == [many]
    assert list(documents.read_lines(" \n")) == []
    noted = json.dumps(good(notes="two\u2028lines"), ensure_ascii=False)
    assert list(documents.read_lines(f"{noted}\r\n{noted}")) == [f"{noted}\r", noted]
    assert list(documents.read_lines("9" * 5000)) == ["9" * 5000]


def test_constants_that_are_not_json() -> None:
    for name in ("NaN", "Infinity", "-Infinity"):
        with pytest.raises(Refusal, match=f"This is not JSON: {name}"):
            documents.loads(json.dumps(good()).replace('"seed": 7', f'"seed": {name}'))


@pytest.mark.parametrize("value", [None, True, 5, -1, 0.5, 1e99, "x", [], ["x"], [5], [[5]], {}, {"x": []}, {"x": "x"}])
def test_refusals_are_in_our_own_words(value: Any) -> None:
    """Whatever stands in whichever place, no word of the library that checks it comes out."""
    for key in good():
        try:
            documents.parse({**good(), key: value})
        except Refusal as refusal:
            why = refusal.message.values.get("why", "null")
            assert why == "null" or isinstance(why, Message), f"{key}: {why}"


def test_text_that_is_no_json() -> None:
    for text, dutch in (
        ('{"a":\n!', "Dit is geen JSON: regel 2, kolom 1"),
        ("[" * 100_000, "Dit is geen JSON: het is te diep genest"),
        ("1" * 5000, "Dit is geen JSON: er staat een te lang getal in"),
    ):
        with pytest.raises(Refusal) as refused:
            documents.loads(text)
        assert translate(refused.value.message, "nl") == dutch


def test_a_shuffle_is_read_once() -> None:
    """However many decisions come before it."""
    game = find("kattenkwaad")
    document = documents.loads(written("kattenkwaad"))
    read = []

    class Counting:
        def __getattr__(self, name: str) -> Any:
            return getattr(game.moves, name)

        def card_read(self, state: Any, card: str) -> int:
            read.append(card)
            return game.moves.card_read(state, card)

    Match.replay(replace(game, moves=Counting()), document)
    assert len(document.shuffles) > 1
    assert len(read) < 4 * sum(map(len, document.shuffles))


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=6), inner, max_size=3),
    max_leaves=6,
)


def places(value: Any, at: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """The path of everything within a document."""
    if at:
        yield at
    if isinstance(value, dict):
        for key in value:
            yield from places(value[key], (*at, key))
    elif isinstance(value, list):
        for index in range(len(value)):
            yield from places(value[index], (*at, index))


@pytest.mark.parametrize("game", GAMES)
@given(data=st.data())
@settings(max_examples=60)
def test_a_spoiled_file_is_refused_or_still_good(game: str, data: st.DataObject) -> None:
    """Whatever stands where: an answer, never a crash; and what is accepted says what it plays."""
    document = good(game)
    # the beginning will do, and is quick
    del document["legal"], document["times"], document["result"], document["moves"][40:]
    for _ in range(data.draw(st.integers(1, 2))):
        path = data.draw(st.sampled_from(list(places(document))))
        inside: Any = document
        for step in path[:-1]:
            inside = inside[step]
        how = data.draw(st.sampled_from(("replace", "delete", "double")))
        if how == "replace":
            inside[path[-1]] = data.draw(JSON)
        elif how == "delete":
            del inside[path[-1]]
        elif isinstance(inside, list):
            inside.insert(path[-1], copy.deepcopy(inside[path[-1]]))
    try:
        match = replay(document)
    except Refusal:
        return
    assert match.document().moves == document["moves"]
    assert match.over == ("result" in document)


@given(JSON)
def test_any_json(value: Any) -> None:
    with pytest.raises(Refusal):
        documents.loads(json.dumps(value))
