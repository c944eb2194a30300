"""Records: fixed-size states of small integers in which every field says who may see it.

A record is a C structure. Copying it is copying bytes, an array of records is a batch, and
compiled code works on the same memory. Rules index it as `s.row[seat][row][place]`.
"""

from __future__ import annotations

import ctypes
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar, Literal, Protocol, Self

if TYPE_CHECKING:
    from _ctypes import _PyCStructType as _StructType
else:
    _StructType = type(ctypes.Structure)

int8 = ctypes.c_int8
int16 = ctypes.c_int16
int32 = ctypes.c_int32
int64 = ctypes.c_int64

Audience = Literal["public", "owner", "secret"]
SPECTATOR = -1
"""The seat number of somebody who only watches."""


class Row(Protocol):
    """One axis of integers."""

    def __getitem__(self, index: int, /) -> int: ...
    def __setitem__(self, index: int, value: int, /) -> None: ...
    def __len__(self) -> int: ...
    def __iter__(self) -> Iterator[int]: ...


class Grid(Protocol):
    """Two axes of integers."""

    def __getitem__(self, index: int, /) -> Row: ...
    def __len__(self) -> int: ...
    def __iter__(self) -> Iterator[Row]: ...


class Cube(Protocol):
    """Three axes of integers."""

    def __getitem__(self, index: int, /) -> Grid: ...
    def __len__(self) -> int: ...
    def __iter__(self) -> Iterator[Grid]: ...


@dataclass(frozen=True)
class Field:
    """What a record says of one of its fields."""

    audience: Audience
    shape: tuple[int, ...]
    of: Any


def public(*shape: int, of: Any = int16) -> Any:
    """A field that everybody sees: all seats and spectators."""
    return Field("public", shape, of)


def owner(seats: int, *shape: int, of: Any = int16) -> Any:
    """A field whose first axis is the seat; a seat sees its own part only."""
    return Field("owner", (seats, *shape), of)


def secret(*shape: int, of: Any = int16) -> Any:
    """A field that nobody sees: the order of a draw pile, scratch space."""
    return Field("secret", shape, of)


class _Layout(_StructType):
    """Turns the annotated fields of a class into the layout of a C structure."""

    plan: tuple[list[tuple[int, int]], list[tuple[int, int]]]

    def __new__(mcs, name: str, bases: tuple[type, ...], space: dict[str, Any]) -> Any:
        header = bases[0] is ctypes.Structure
        fields: dict[str, Field] = {} if header else dict(bases[0].header)  # type: ignore[attr-defined]
        for key, annotation in space.get("__annotations__", {}).items():
            if "ClassVar" in str(annotation):
                continue
            field = space.pop(key, None)
            if not isinstance(field, Field):
                raise TypeError(f"{name}.{key} does not say who may see it: public, owner or secret")
            fields[key] = field
        if header:
            return super().__new__(mcs, name, bases, {**space, "header": fields})
        layout = []
        for key, field in fields.items():
            kind = field.of
            for length in reversed(field.shape):
                kind = kind * length
            layout.append((key, kind))
        made = super().__new__(mcs, name, bases, {**space, "_fields_": layout, "fields": fields})
        shared: list[tuple[int, int]] = []
        owned: list[tuple[int, int]] = []
        for key, field in fields.items():
            place = getattr(made, key)
            if field.audience == "public":
                if shared and sum(shared[-1]) == place.offset:
                    shared[-1] = (shared[-1][0], shared[-1][1] + place.size)
                else:
                    shared.append((place.offset, place.size))
            elif field.audience == "owner":
                owned.append((place.offset, place.size // field.shape[0]))
        made.plan = (shared, owned)
        return made


class Record(ctypes.Structure, metaclass=_Layout):
    """The base of every game's state. It brings the header fields below to each of them.

    A subclass annotates its fields and gives each an audience; one that does not say who may
    see it raises `TypeError` when it is imported.
    """

    header: ClassVar[dict[str, Field]]
    fields: ClassVar[dict[str, Field]]
    plan: ClassVar[tuple[list[tuple[int, int]], list[tuple[int, int]]]]
    """Where the bytes lie that a view copies: (offset, size) for all, (offset, stride) for owners."""

    seats: int = public(of=int8)
    """Number of seats."""
    first: int = public(of=int8)
    """The start seat."""
    turn: int = public(of=int8)
    """The seat whose decision it is."""
    phase: int = public(of=int8)
    """Which decision is asked; each game names its own."""
    over: int = public(of=int8)
    """1 when the match has ended."""
    reveals: int = public(of=int32)
    """How often something hidden was turned up or drawn: the horizon of undo."""

    def copy(self) -> Self:
        """An equal record in memory of its own."""
        twin: Self = type(self).from_buffer_copy(self)
        return twin

    def view(self, seat: int) -> Self:
        """What `seat` (0.., or `SPECTATOR`) may see, made by copying just that; all else is zero."""
        seen = type(self)()
        source, target = ctypes.addressof(self), ctypes.addressof(seen)
        shared, owned = self.plan
        for offset, size in shared:
            ctypes.memmove(target + offset, source + offset, size)
        if seat != SPECTATOR:
            for offset, stride in owned:
                ctypes.memmove(target + offset + seat * stride, source + offset + seat * stride, stride)
        return seen
