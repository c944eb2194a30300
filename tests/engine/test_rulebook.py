"""Rulebooks: chapters and rules out of Markdown."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from speeltafel.engine.game import Game
from speeltafel.engine.refusals import Refusal
from speeltafel.engine.rulebook import rule, rulebook
from speeltafel.games import games

BOOK = """# A game

## Aim
Win the match.

In style.

## Play
### AB-1 · First: one · two {publisher}
Do *this*.

- or that

### AB-20 · Last {ours}
And this.
"""


@pytest.fixture
def written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Game:
    """A game with a rulebook of our own."""
    game = replace(next(iter(games().values())), title="A game")
    (tmp_path / "rulebook.en.md").write_text(BOOK, encoding="utf-8")
    monkeypatch.setattr(Game, "shipped", lambda self, file: (tmp_path / file).read_text(encoding="utf-8"))
    return game


def test_chapters_and_rules(written: Game) -> None:
    aim, play = rulebook(written, "en")
    assert (aim.title, aim.intro, aim.rules) == ("Aim", "Win the match.\n\nIn style.", ())
    assert (play.title, play.intro) == ("Play", "")
    assert [(r.id, r.title, r.source, r.body) for r in play.rules] == [
        ("AB-1", "First: one · two", "publisher", "Do *this*.\n\n- or that"),
        ("AB-20", "Last", "ours", "And this."),
    ]


def test_one_rule(written: Game) -> None:
    assert rule(written, "ab-20", "en").title == "Last"
    with pytest.raises(Refusal, match="A game has no rule AB-2; its rules run from AB-1 to AB-20"):
        rule(written, "AB-2", "en")


@pytest.mark.parametrize("heading", ["### AB-2 Title {ours}", "### AB-2 · Title", "### AB-2 · Title {theirs}"])
def test_a_malformed_heading(heading: str, written: Game, tmp_path: Path) -> None:
    (tmp_path / "rulebook.en.md").write_text(f"{BOOK}\n{heading}\n", encoding="utf-8")
    with pytest.raises(ValueError, match="malformed heading"):
        rulebook(written, "en")
