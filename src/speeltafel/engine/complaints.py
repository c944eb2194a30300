"""What checked data is refused for, in our own words: Pydantic and JSON speak English only."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from speeltafel.engine.refusals import Message, say

_KINDS = {
    "missing": say("it is missing"),
    "extra_forbidden": say("it is not known here"),
    "string_type": say("a text is needed"),
    "int_type": say("a whole number is needed"),
    "int_parsing": say("a whole number is needed"),
    "int_parsing_size": say("a whole number is needed"),
    "int_from_float": say("a whole number is needed"),
    "float_type": say("a number is needed"),
    "float_parsing": say("a number is needed"),
    "bool_type": say("true or false is needed"),
    "bool_parsing": say("true or false is needed"),
    "list_type": say("a list is needed"),
    "dict_type": say("an object is needed"),
    "model_type": say("an object is needed"),
    "model_attributes_type": say("an object is needed"),
    "json_invalid": say("this is not JSON"),
    "finite_number": say("a number is needed"),
    "value_error": say("needs a date, a time and a zone, like 2026-01-31T20:15:00Z"),  # we check nothing else ourselves
}
"""By Pydantic's name for what is wrong."""


def complaint(error: Mapping[str, Any]) -> Message | str:
    """Why a value is refused, from one of the errors that Pydantic lists."""
    kind, context = error["type"], error.get("ctx", {})
    if kind in _KINDS:
        return _KINDS[kind]
    if kind == "literal_error":
        return say("one of {known} is needed", known=str(context["expected"]).replace(" or ", ", ").replace("'", ""))
    if kind in ("string_too_long", "too_long"):
        return say("it is too long; at most {most}", most=context["max_length"])
    if kind in ("greater_than_equal", "less_than_equal"):
        return say("it is too small") if kind.startswith("greater") else say("it is too large")
    return str(error["msg"])


def not_json(error: Exception) -> Message:
    """Why a text is no JSON, from what reading it raised."""
    if isinstance(error, json.JSONDecodeError):
        return say("line {line}, column {column}", line=error.lineno, column=error.colno)
    if isinstance(error, RecursionError):
        return say("it is nested too deeply")
    if isinstance(error, UnicodeError):
        return say("it holds half a character")
    return say("a number in it is too long")
