"""Encoding plans: how the writer takes apart the instances of a class, computed once per schema.

A plan also has the beginning of a message: the descriptor of its class is always the same bytes, because nothing before
it has a handle.
"""

from __future__ import annotations

import struct
from collections.abc import Callable, Collection
from enum import Enum
from functools import lru_cache
from operator import attrgetter
from typing import Any, Final, NamedTuple, TypeAlias

from msgspec import Struct, structs

from boardwire.wire.javastream.grammar import BASE_HANDLE, NULL, OBJECT, PRIMITIVES, REFERENCE
from boardwire.wire.javastream.layout import JavaClass, Kind
from boardwire.wire.javastream.library import string_hash
from boardwire.wire.javastream.schema import Schema

_REFER: Final = struct.Struct(">BI")
NULL_BYTE: Final = bytes([NULL])


class _References(dict[int, bytes]):
    """Encoded references to handles, cached for the first few thousand."""

    def __missing__(self, handle: int) -> bytes:
        made = _REFER.pack(REFERENCE, BASE_HANDLE + handle)
        if handle < 4096:
            self[handle] = made
        return made


REFERENCES: Final = _References()


class Vocabulary:
    """Classes and signatures that have a handle, and the references to them.

    It is immutable: describing one more class leads to another vocabulary. Messages that have described the same
    classes in the same order, with as many handles in between, share one.
    """

    __slots__ = ("classes", "signatures")

    def __init__(self, classes: dict[int, bytes], signatures: dict[str, bytes]) -> None:
        self.classes: Final = classes
        """By `id`: classes live as long as the schema."""
        self.signatures: Final = signatures


EMPTY: Final = Vocabulary({}, {})


class Described(NamedTuple):
    """Bytes of a descriptor, the vocabulary after it, and the next handle."""

    data: bytes
    vocabulary: Vocabulary
    next: int


MAX_DESCRIBED: Final = 16_384
_DESCRIBED: Final[dict[tuple[Vocabulary, JavaClass, int], Described]] = {}
"""Cache by vocabulary, class and next handle: the same classes are described in the same order again and again.

It is cleared when it is full. While it has a class, no other class can have the same `id`.
"""


def describe(vocabulary: Vocabulary, java: JavaClass, handle: int) -> Described:
    """Encode the descriptor of a class: in full the first time, then as a reference."""
    known = vocabulary.classes.get(id(java))
    if known is not None:
        return Described(known, vocabulary, handle)
    key = vocabulary, java, handle
    found = _DESCRIBED.get(key)
    if found is None:
        if len(_DESCRIBED) >= MAX_DESCRIBED:
            _DESCRIBED.clear()
        found = _DESCRIBED[key] = _describe(vocabulary, java, handle)
    return found


def _describe(vocabulary: Vocabulary, java: JavaClass, handle: int) -> Described:
    classes, signatures = {**vocabulary.classes, id(java): REFERENCES[handle]}, vocabulary.signatures.copy()
    handle += 1
    parts = [java.head]
    for full, signature, after in java.joints:
        known = signatures.get(signature)
        if known is None:
            signatures[signature] = REFERENCES[handle]
            handle += 1
            known = full
        parts += (known, after)
    vocabulary = Vocabulary(classes, signatures)
    if java.parent is None:
        return Described(b"".join((*parts, NULL_BYTE)), vocabulary, handle)
    parent = describe(vocabulary, java.parent, handle)
    return Described(b"".join((*parts, parent.data)), parent.vocabulary, parent.next)


class Start(NamedTuple):
    """The constant beginning of a message."""

    data: bytes
    vocabulary: Vocabulary
    next: int
    seen: dict[int, bytes]
    """References to everything that has a handle by then, by `id`."""


def opened(java: JavaClass) -> Start:
    """Encode the class of a message, before the message itself has a handle."""
    data, vocabulary, handle = describe(EMPTY, java, 0)
    return Start(bytes([OBJECT]) + data, vocabulary, handle, {id(None): NULL_BYTE, **vocabulary.classes})


Level: TypeAlias = tuple[
    Callable[..., bytes] | None, Callable[[Any], tuple[Any, ...]], Callable[[Any], tuple[Any, ...]]
]
"""Fields that one class of a chain declares: how to pack the primitives, if any, how to get them, and how to get the
objects."""


def _level(java: JavaClass, skip: int = 0) -> Level:
    primitives = [field for field in java.fields if not field.is_object]
    form = struct.Struct(">" + "".join(PRIMITIVES[field.code] for field in primitives))
    objects = [field.attribute for field in java.fields if field.is_object][skip:]
    return form.pack if primitives else None, _getter([field.attribute for field in primitives]), _getter(objects)


class EncodingPlan:
    """How to encode the instances of a struct."""

    def __init__(self, java: JavaClass) -> None:
        self.java: Final = java
        self.levels: Final = [_level(one) for one in java.lineage]
        self.opening: Final = opened(java)
        self.first, self.rest = _first(java)
        self.starts: Final[dict[int, Start]] = {}
        """Opening and following constant, by `id` of the constant."""
        self.is_flat: Final = len(self.levels) == 1 and not any(field.is_object for field in java.fields)
        self.places: Final = Places(java.hash_code) if java.hash_code else None


def _first(java: JavaClass) -> tuple[Callable[[Any], Any] | None, list[Level]]:
    """Return the first field if it holds a constant, and the levels without it. Messages of many protocols begin with a
    type."""
    top = java.lineage[0]
    if not top.fields or top.fields[0].slot is None:
        return None, []
    if not any(issubclass(type_, Enum) for type_ in top.fields[0].slot.types):
        return None, []
    return attrgetter(top.fields[0].attribute), [_level(top, 1), *map(_level, java.lineage[1:])]


class Places(dict[Any, Any]):
    """Places of elements in a HashSet of 16 buckets, cached for the first few thousand."""

    def __init__(self, hash_code: Callable[[Any], int]) -> None:
        super().__init__()
        self.hash_code: Final = hash_code

    def __missing__(self, element: Any) -> Any:
        place = self.of(element, 16)
        if len(self) < 4096:
            self[element] = place
        return place

    def of(self, element: Any, capacity: int) -> Any:
        """Return the bucket (`java.util.HashMap.hash`) and the natural order inside it."""
        code = self.hash_code(element) & 0xFFFFFFFF
        return (code ^ code >> 16) & capacity - 1, _natural(element)


TEXTS: Final = Places(string_hash)
NUMBERS: Final = Places(lambda number: number)


def set_capacity(length: int) -> int:
    """Return the number of buckets of a HashSet of that many elements, at Java's load factor of 0.75."""
    capacity = 16
    while length * 4 > capacity * 3:
        capacity *= 2
    return capacity


def in_java_order(elements: Collection[Any], capacity: int, places: Places | None) -> list[Any]:
    """Sort elements as a HashSet of that capacity iterates them; in natural order if the hash is random in Java
    (enums)."""
    if places is None:
        return sorted(elements, key=_natural)
    if capacity == 16:
        return sorted(elements, key=places.__getitem__)
    return sorted(elements, key=lambda element: places.of(element, capacity))


def _natural(element: Any) -> Any:
    if isinstance(element, Enum):
        return [*type(element)].index(element)
    return structs.astuple(element) if isinstance(element, Struct) else element


@lru_cache(maxsize=32)
def plans_of(schema: Schema) -> dict[type, EncodingPlan]:
    """Return the plans of all structs of a schema."""
    return {type_: EncodingPlan(java) for type_, java in schema.by_type.items() if java.kind is Kind.PLAIN}


def places_of(type_: type, plans: dict[type, EncodingPlan]) -> Places | None:
    """Return the hash order of a type of element, if it has one."""
    if type_ is str:
        return TEXTS
    if type_ is int:
        return NUMBERS
    return plans[type_].places if type_ in plans else None


def _getter(names: list[str]) -> Callable[[Any], tuple[Any, ...]]:
    if not names:
        return lambda _: ()
    get: Any = attrgetter(*names)
    return get if len(names) > 1 else lambda value: (get(value),)
