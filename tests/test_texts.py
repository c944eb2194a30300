"""Words: everything is said in Dutch too, the rulebooks agree, and every rule has a test."""

from __future__ import annotations

import ast
import io
import re
from functools import cache
from importlib import resources
from pathlib import Path

import pytest
from babel.messages.catalog import Catalog
from babel.messages.extract import extract
from babel.messages.pofile import read_po

from speeltafel.engine.game import Game
from speeltafel.engine.language import LANGUAGES
from speeltafel.engine.rulebook import rulebook

HOUSE = Path(str(resources.files("speeltafel")))
TESTS = Path(__file__).parent
KEYWORDS = {"say": 1, "say_n": 2, "_": 1, "gettext": 1, "ngettext": 2}
"""What texts are said with, and how many of its first arguments are texts."""
PLACEHOLDER = re.compile(r"\{(\w+)\}|%\((\w+)\)[sd]")
IDENTIFIER = re.compile(r"[A-Z]{2}-\d+")

Text = str | tuple[str, ...]


@cache
def spoken() -> dict[Text, str]:
    """Every text in the sources that is to be translated, with a place where it stands."""
    found: dict[Text, str] = {}
    for path in sorted(HOUSE.rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and called(node) in KEYWORDS:
                wanted = KEYWORDS[called(node)]
                texts = [
                    arg.value
                    for arg in node.args[:wanted]
                    if isinstance(arg, ast.Constant) and isinstance(arg.value, str)
                ]
                if len(texts) == wanted:
                    found.setdefault(
                        texts[0] if wanted == 1 else tuple(texts), f"{path.relative_to(HOUSE)}:{node.lineno}"
                    )
    for path in sorted(HOUSE.rglob("*.html")):
        keywords = {word: None if count == 1 else (1, 2) for word, count in KEYWORDS.items()}
        with path.open("rb") as file:
            for line, text, _comments, _context in extract("jinja2.ext:babel_extract", file, keywords=keywords):
                found.setdefault(text, f"{path.relative_to(HOUSE)}:{line}")
    return found


def called(node: ast.Call) -> str:
    """The name of what is called, whoever it belongs to."""
    return node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")


@cache
def catalogs() -> dict[str, Catalog]:
    """The Dutch catalogs by their place."""
    return {
        str(path.relative_to(HOUSE)): read_po(io.BytesIO(path.read_bytes()), locale="nl")
        for path in sorted(HOUSE.rglob("nl.po"))
    }


def placeholders(text: str) -> set[str]:
    return {brace or percent for brace, percent in PLACEHOLDER.findall(text)}


def test_everything_said_is_said_in_dutch() -> None:
    known = {message.id for catalog in catalogs().values() for message in catalog if message.id}
    missing = [f"{place}: {text!r}" for text, place in spoken().items() if text not in known]
    assert not missing, "\n".join(missing)


def test_nothing_is_translated_that_is_not_said() -> None:
    unused = [
        f"{place}: {message.id!r}"
        for place, catalog in catalogs().items()
        for message in catalog
        if message.id and message.id not in spoken()
    ]
    assert not unused, "\n".join(unused)


def test_a_translation_is_whole() -> None:
    """It is there, not marked as doubtful, and has the places of the English text."""
    wrong = []
    for place, catalog in catalogs().items():
        for message in catalog:
            if not message.id:
                continue
            english = [message.id] if isinstance(message.id, str) else list(message.id)
            dutch = [message.string] if isinstance(message.string, str) else list(message.string or ())
            wanted = placeholders(" ".join(english))
            if len(english) != len(dutch) or not all(dutch) or message.fuzzy:
                wrong.append(f"{place}: {message.id!r} is not translated")
            elif placeholders(" ".join(dutch)) != wanted:
                wrong.append(f"{place}: {message.id!r} has other places than {message.string!r}")
    assert not wrong, "\n".join(wrong)


def test_one_text_one_translation() -> None:
    """The catalogs become one, so they must not contradict each other."""
    first: dict[object, tuple[str, object]] = {}
    different = []
    for place, catalog in catalogs().items():
        for message in catalog:
            if message.id:
                other, string = first.setdefault(message.id, (place, message.string))
                if string != message.string:
                    different.append(f"{message.id!r}: {string!r} in {other}, {message.string!r} in {place}")
    assert not different, "\n".join(different)


def identifiers(game: Game, language: str) -> list[str]:
    return [rule.id for chapter in rulebook(game, language) for rule in chapter.rules]


def test_the_rulebooks_hold_the_same_rules(any_game: Game) -> None:
    books = [rulebook(any_game, language) for language in LANGUAGES]
    shape = [[[(rule.id, rule.source) for rule in chapter.rules] for chapter in book] for book in books]
    assert shape[0] == shape[1]
    ids = identifiers(any_game, "en")
    assert len(set(ids)) == len(ids)
    assert all(id.startswith(f"{any_game.moves.RULES}-") for id in ids)
    for book in books:
        for chapter in book:
            assert chapter.title
            assert all(rule.title and rule.body for rule in chapter.rules)
    titles = [{rule.title for chapter in book for rule in chapter.rules} for book in books]
    assert len(titles[0] & titles[1]) < len(ids) / 4, "the Dutch rulebook is not in Dutch"


def test_rulebooks_and_sources_name_rules_that_exist(any_game: Game) -> None:
    known = set(identifiers(any_game, "en"))
    folder = HOUSE / "games" / any_game.name
    for path in [*folder.glob("*.py"), *folder.glob("*.html"), *folder.glob("*.md"), *folder.glob("*.po")]:
        named = {
            id for id in IDENTIFIER.findall(path.read_text(encoding="utf-8")) if id.startswith(any_game.moves.RULES)
        }
        assert named <= known, f"{path.name}: {sorted(named - known)}"


@cache
def named_in_tests() -> set[str]:
    """The identifiers that tests of games name in a `rule` mark."""
    found: set[str] = set()
    for path in sorted((TESTS / "games").glob("test_*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and ast.unparse(node.func) in ("pytest.mark.rule", "rule"):
                found |= {str(argument.value) for argument in node.args if isinstance(argument, ast.Constant)}
    return found


def test_every_rule_has_a_test(any_game: Game) -> None:
    assert sorted(set(identifiers(any_game, "en")) - named_in_tests()) == []


def test_tests_name_rules_that_exist(any_game: Game) -> None:
    mine = {id for id in named_in_tests() if id.startswith(f"{any_game.moves.RULES}-")}
    assert mine <= set(identifiers(any_game, "en"))


@pytest.mark.parametrize("language", LANGUAGES)
def test_games_say_whose_they_are(any_game: Game, language: str) -> None:
    assert any_game.designer
    assert any_game.publisher
    assert any_game.title
    assert str(any_game.line)
