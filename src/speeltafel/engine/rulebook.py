"""The rulebooks: Markdown in each game's folder, a heading per rule."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache

from speeltafel.engine.game import Game
from speeltafel.engine.refusals import Refusal, say

HEADING = re.compile(r"^### (?P<id>[A-Z]+-\d+) · (?P<title>.+?) \{(?P<source>publisher|ours)\}$")


@dataclass(frozen=True)
class Rule:
    """One rule in one language; `source` says whose it is: the `publisher`'s or `ours`."""

    id: str
    title: str
    source: str
    body: str
    """Markdown."""


@dataclass(frozen=True)
class Chapter:
    """A heading of the rulebook with its introduction and rules."""

    title: str
    intro: str
    rules: tuple[Rule, ...]


@cache
def rulebook(game: Game, language: str) -> tuple[Chapter, ...]:
    """The rulebook of a game, in order. Its form: `## chapter`, then `### UD-14 · title {publisher}`."""
    chapters: list[tuple[str, list[str], list[tuple[re.Match[str], list[str]]]]] = []
    for line in game.shipped(f"rulebook.{language}.md").splitlines():
        heading = HEADING.match(line)
        if line.startswith("## "):
            chapters.append((line[3:].strip(), [], []))
        elif heading:
            chapters[-1][2].append((heading, []))
        elif line.startswith("### "):
            raise ValueError(f"rulebook.{language}.md of {game.name}: malformed heading {line!r}")
        elif chapters:
            rules = chapters[-1][2]
            (rules[-1][1] if rules else chapters[-1][1]).append(line)
    return tuple(
        Chapter(
            title,
            "\n".join(intro).strip(),
            tuple(Rule(m["id"], m["title"], m["source"], "\n".join(body).strip()) for m, body in rules),
        )
        for title, intro, rules in chapters
    )


def rule(game: Game, identifier: str, language: str) -> Rule:
    """One rule. Raises `Refusal` when the game has no rule of that identifier."""
    known = [rule for chapter in rulebook(game, language) for rule in chapter.rules]
    for found in known:
        if found.id == identifier.upper():
            return found
    raise Refusal(
        say(
            "{game} has no rule {rule}; its rules run from {first} to {last}",
            game=game.title,
            rule=identifier,
            first=known[0].id,
            last=known[-1].id,
        )
    )
