"""How the writer takes the instances of a class apart: made once per schema.

A plan also has the message's beginning ready: the descriptor of a message's own class is always the same bytes,
because nothing before it has a handle.
"""

from __future__ import annotations

import struct
from collections.abc import Callable, Collection
from enum import Enum
from functools import lru_cache
from operator import attrgetter
from typing import Any, Final, TypeAlias

import msgspec

from boardwire.wire.javastream.grammar import BASE_HANDLE, NULL, OBJECT, PRIMITIVES, REFERENCE
from boardwire.wire.javastream.layout import JavaClass, Kind
from boardwire.wire.javastream.library import string_hash
from boardwire.wire.javastream.schema import Schema

_REFER: Final = struct.Struct(">BI")
NULL_BYTE: Final = bytes([NULL])


class _References(dict[int, bytes]):
    """The bytes that refer to each handle, made once for the first few thousand."""

    def __missing__(self, handle: int) -> bytes:
        made = _REFER.pack(REFERENCE, BASE_HANDLE + handle)
        if handle < 4096:
            self[handle] = made
        return made


REFERENCES: Final = _References()


class Handles:
    """The numbers given out while a message is written, and the references to what has one."""

    __slots__ = ("classes", "next", "seen", "signatures")

    def __init__(self, after: Handles | None = None) -> None:
        self.next: int = after.next if after else 0
        self.classes: dict[JavaClass, bytes] = after.classes.copy() if after else {}
        self.signatures: dict[str, bytes] = after.signatures.copy() if after else {}
        self.seen: dict[int, bytes] = after.seen.copy() if after else {id(None): NULL_BYTE}
        """By `id`: everything in it is part of the message, so it lives as long as the writing."""

    def describe(self, java: JavaClass) -> bytes:
        """The descriptor of a class: in full the first time, then a reference."""
        known = self.classes.get(java)
        if known is not None:
            return known
        self.classes[java] = REFERENCES[self.next]
        self.next += 1
        parts = [java.head]
        for full, signature, after in java.joints:
            known = self.signatures.get(signature)
            if known is None:
                self.signatures[signature] = REFERENCES[self.next]
                self.next += 1
                known = full
            parts += (known, after)
        parts.append(self.describe(java.parent) if java.parent else NULL_BYTE)
        return b"".join(parts)


Level: TypeAlias = tuple[
    Callable[..., bytes] | None, Callable[[Any], tuple[Any, ...]], Callable[[Any], tuple[Any, ...]]
]
"""The fields that one class of a chain declares: how to pack the primitives if there are any, how to get them, and how
to get the objects."""


def _level(java: JavaClass, skip: int = 0) -> Level:
    primitives = [field for field in java.fields if not field.is_object]
    form = struct.Struct(">" + "".join(PRIMITIVES[field.code] for field in primitives))
    objects = [field.attribute for field in java.fields if field.is_object][skip:]
    return form.pack if primitives else None, _getter([field.attribute for field in primitives]), _getter(objects)


class Plan:
    """How to write the instances of one struct."""

    def __init__(self, java: JavaClass) -> None:
        self.java: Final = java
        self.levels: Final = [_level(one) for one in java.lineage]
        self.handles: Final = Handles()
        self.opening: Final = bytes([OBJECT]) + self.handles.describe(java)
        self.first, self.rest = _first(java)
        self.starts: Final[dict[int, tuple[bytes, Handles]]] = {}
        """The opening and the constant that follows it, and what has a handle then, by the `id` of the constant."""
        self.is_flat: Final = len(self.levels) == 1 and not any(field.is_object for field in java.fields)
        self.places: Final = Places(java.hash_code) if java.hash_code else None


def _first(java: JavaClass) -> tuple[Callable[[Any], Any] | None, list[Level]]:
    """The field that comes first of all, if it holds a constant, and the levels without it.  Messages of many
    protocols begin with their own type."""
    top = java.lineage[0]
    if not top.fields or top.fields[0].slot is None:
        return None, []
    if not any(issubclass(type_, Enum) for type_ in top.fields[0].slot.types):
        return None, []
    return attrgetter(top.fields[0].attribute), [_level(top, 1), *map(_level, java.lineage[1:])]


class Places(dict[Any, Any]):
    """Where the elements of a class stand in a HashSet of 16 buckets, found once for each of the first few thousand."""

    def __init__(self, hash_code: Callable[[Any], int]) -> None:
        super().__init__()
        self.hash_code: Final = hash_code

    def __missing__(self, element: Any) -> Any:
        place = self.of(element, 16)
        if len(self) < 4096:
            self[element] = place
        return place

    def of(self, element: Any, capacity: int) -> Any:
        """The bucket (`java.util.HashMap.hash`), and the element's natural order inside it."""
        code = self.hash_code(element) & 0xFFFFFFFF
        return (code ^ code >> 16) & capacity - 1, _natural(element)


TEXTS: Final = Places(string_hash)
NUMBERS: Final = Places(lambda number: number)


def set_capacity(length: int) -> int:
    """The buckets of a HashSet that was made empty and then filled."""
    capacity = 16
    while length * 4 > capacity * 3:
        capacity *= 2
    return capacity


def in_java_order(elements: Collection[Any], capacity: int, places: Places | None) -> list[Any]:
    """The elements as a HashSet of that capacity would give them; where their hash is chance in Java, as of enum
    constants, in their natural order."""
    if places is None:
        return sorted(elements, key=_natural)
    if capacity == 16:
        return sorted(elements, key=places.__getitem__)
    return sorted(elements, key=lambda element: places.of(element, capacity))


def _natural(element: Any) -> Any:
    if isinstance(element, Enum):
        return [*type(element)].index(element)
    return msgspec.structs.astuple(element) if isinstance(element, msgspec.Struct) else element


@lru_cache(maxsize=32)
def plans_of(schema: Schema) -> dict[type, Plan]:
    """The plans of all structs of a schema."""
    return {type_: Plan(java) for type_, java in schema.by_type.items() if java.kind is Kind.PLAIN}


def places_of(type_: type, plans: dict[type, Plan]) -> Places | None:
    """The hash order of that type of element, where it has one."""
    if type_ is str:
        return TEXTS
    if type_ is int:
        return NUMBERS
    return plans[type_].places if type_ in plans else None


def _getter(names: list[str]) -> Callable[[Any], tuple[Any, ...]]:
    if not names:
        return lambda _: ()
    get = attrgetter(*names)
    return get if len(names) > 1 else lambda value: (get(value),)
