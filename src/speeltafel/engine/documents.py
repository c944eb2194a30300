"""The match file `speeltafel-match/1`: its form, and clear errors that say where it is broken."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from datetime import datetime
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, ValidationError

from speeltafel.engine.complaints import complaint, not_json
from speeltafel.engine.refusals import Refusal, say

FORMAT: Literal["speeltafel-match/1"] = "speeltafel-match/1"


RFC_3339 = re.compile(r"\d{4}-\d\d-\d\d[Tt ]\d\d:\d\d:\d\d(\.\d+)?([Zz]|[+-]\d\d:\d\d)")


def seconds(timestamp: str) -> float:
    """A time of the format as seconds since 1970. Raises `ValueError` for one that is not in it."""
    if not RFC_3339.fullmatch(timestamp):
        raise ValueError("needs a date, a time and a zone (RFC 3339)")
    return datetime.fromisoformat(timestamp.upper().replace(" ", "T")).timestamp()


def _timestamp(text: str) -> str:
    seconds(text)
    return text


Timestamp = Annotated[str, AfterValidator(_timestamp)]
SECONDS = Field(ge=0, le=1e9)  # thirty years for one decision: what is longer is no time


class _Part(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True)


class Result(_Part):
    """How a match ended."""

    scores: list[int]
    winners: list[int]


class Document(_Part):
    """A match file as it stands, before its game has looked at it."""

    format: Literal["speeltafel-match/1"]
    game: str
    seats: list[str]
    options: dict[str, str | bool | int]
    first: int
    shuffles: list[list[str]]
    moves: list[str]
    result: Result | None = None
    id: str | None = None
    seed: int | str | None = None
    rules: int | None = None
    started: Timestamp | None = None
    ended: Timestamp | None = None
    times: list[Annotated[float, SECONDS] | Annotated[int, SECONDS]] | None = None
    notes: str | None = None
    legal: list[list[str]] | None = None
    data: dict[str, str] | None = None

    def text(self) -> str:
        """The document as one line of JSON, without what is absent."""
        return json.dumps(self.model_dump(exclude_none=True), ensure_ascii=False, separators=(",", ":"))


def parse(value: Any) -> Document:
    """A document from parsed JSON. Raises `Refusal` that says where it is not in the format."""
    try:
        document = Document.model_validate(value)
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        where = "/".join(str(part) for part in first["loc"]) or "-"
        if first["type"] == "extra_forbidden":
            raise Refusal(say("Unknown key {where}", where=where)) from None
        if first["type"] == "missing":
            raise Refusal(say("Missing key {where}", where=where)) from None
        raise Refusal(say("{where} is not in the match format: {why}", where=where, why=complaint(first))) from None
    if isinstance(value, dict):
        for key, item in value.items():
            if item is None:
                raise Refusal(say("{where} is not in the match format: {why}", where=key, why="null"))
    check_lengths(document)
    return document


def check_lengths(document: Document) -> None:
    """Refuse a document whose lists per move do not have an entry for each move."""
    for key in ("times", "legal"):
        entries = getattr(document, key)
        if entries is not None and len(entries) != len(document.moves):
            raise Refusal(say("{where} needs one entry per move", where=key))


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """An object whose keys must differ: a key written twice would hide one of its values."""
    found: dict[str, Any] = {}
    for key, value in pairs:
        if key in found:
            raise Refusal(say("Key {where} is written twice", where=key))
        found[key] = value
    return found


def _constant(name: str) -> None:
    """NaN and Infinity, which Python would read, are not JSON."""
    raise Refusal(say("This is not JSON: {why}", why=name))


def loads(text: str) -> Document:
    """A document from the text of one match. Raises `Refusal`."""
    try:
        value = json.loads(text, object_pairs_hook=_once, parse_constant=_constant)
        if "\\u" in text:
            json.dumps(value, ensure_ascii=False).encode()  # half a character cannot be shown, kept or hashed
    except (ValueError, RecursionError) as error:
        raise Refusal(say("This is not JSON: {why}", why=not_json(error))) from None
    return parse(value)


def read_lines(text: str) -> Iterator[str]:
    """The matches in the text of a file: one document, or one a line."""
    lines = [line for line in text.split("\n") if line.strip()]  # a text in JSON may hold the other ends of lines
    try:
        for line in lines:
            json.loads(line)
    except (ValueError, RecursionError):
        yield text
    else:
        yield from lines
