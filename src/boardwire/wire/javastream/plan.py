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
from typing import Any, Final

import msgspec

from boardwire.wire.javastream.grammar import BASE_HANDLE, NULL, OBJECT, PRIMITIVES, REFERENCE
from boardwire.wire.javastream.layout import JavaClass, Kind
from boardwire.wire.javastream.library import string_hash
from boardwire.wire.javastream.schema import Schema

REFER: Final = struct.Struct(">BI")


class Handles:
    """The numbers given out while a message is written."""

    __slots__ = ("classes", "next", "seen", "signatures")

    def __init__(self, after: Handles | None = None) -> None:
        self.next: int = after.next if after else BASE_HANDLE
        self.classes: dict[JavaClass, int] = dict(after.classes) if after else {}
        self.signatures: dict[str, int] = dict(after.signatures) if after else {}
        self.seen: dict[int, int] = {}
        """By `id`: everything in it is part of the message, so it lives as long as the writing."""

    def describe(self, java: JavaClass) -> bytes:
        """The descriptor of a class: in full the first time, then a reference."""
        if java in self.classes:
            return REFER.pack(REFERENCE, self.classes[java])
        self.classes[java] = self._take()
        parts = [java.head]
        for full, signature, after in java.joints:
            if signature in self.signatures:
                parts.append(REFER.pack(REFERENCE, self.signatures[signature]))
            else:
                parts.append(full)
                self.signatures[signature] = self._take()
            parts.append(after)
        parts.append(self.describe(java.parent) if java.parent else bytes([NULL]))
        return b"".join(parts)

    def _take(self) -> int:
        self.next += 1
        return self.next - 1


class Level:
    """The fields that one class of a chain declares: how to get and pack the primitives, how to get each object."""

    __slots__ = ("form", "numbers", "objects")

    def __init__(self, java: JavaClass) -> None:
        primitives = [field for field in java.fields if not field.is_object]
        self.form: Final = struct.Struct(">" + "".join(PRIMITIVES[field.code] for field in primitives))
        self.numbers: Final = _getter([field.attribute for field in primitives])
        self.objects: Final = [attrgetter(field.attribute) for field in java.fields if field.is_object]


class Plan:
    """How to write the instances of one struct."""

    def __init__(self, java: JavaClass) -> None:
        self.java: Final = java
        self.levels: Final = [Level(level) for level in java.lineage]
        self.handles: Final = Handles()
        self.opening: Final = bytes([OBJECT]) + self.handles.describe(java)
        level = self.levels[0]
        self.is_flat: Final = len(self.levels) == 1 and not level.objects
        self.again: Final = struct.Struct(">BBI" + level.form.format[1:])
        """All of a flat instance whose class was described before."""
        self.numbers: Final = level.numbers
        self.places: Final = Places(java.hash_code) if java.hash_code else None


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
