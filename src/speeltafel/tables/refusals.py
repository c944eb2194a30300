"""What a table refuses, sorted by what the asker can do about it."""

from __future__ import annotations

from typing import ClassVar, Literal

from speeltafel.engine.refusals import Refusal, say

Kind = Literal["invalid", "not found", "forbidden", "conflict", "illegal", "busy", "unusable"]


class TableRefusal(Refusal):
    """A refusal with its `kind`: over HTTP 422, 404, 403, 409, 422, 503 and 503, in the order of `Kind`."""

    kind: ClassVar[Kind] = "invalid"


class NotFound(TableRefusal):
    """There is no such table, or no table of this invitation."""

    kind = "not found"


class Forbidden(TableRefusal):
    """The user may not do that here."""

    kind = "forbidden"


class Conflict(TableRefusal):
    """The table is not in a state in which this can be done: full, not started, over."""

    kind = "conflict"


class Stale(Conflict):
    """The table has changed since the asker saw it; `current` is the version that it has now."""

    def __init__(self, current: int) -> None:
        super().__init__(say("The table has moved on since you saw it; here it is as it stands now"))
        self.current = current


class Illegal(TableRefusal):
    """The rules do not allow the decision; `rule` is the identifier of the rule behind it."""

    kind = "illegal"

    def __init__(self, refusal: Refusal) -> None:
        super().__init__(refusal.message, refusal.rule)


class Busy(TableRefusal):
    """Too much of this is being done already; a moment later it may work."""

    kind = "busy"


class Unusable(TableRefusal):
    """The database cannot be used: a folder, unwritable, not ours, made by a newer version."""

    kind = "unusable"


def unknown_table(id: str) -> NotFound:
    """The refusal for a table that does not exist; a long identifier is cut."""
    return NotFound(say("There is no table {table}", table=id[:24]))
