"""Encoding plans: how the writer encodes the instances of a class, computed once per schema.

A plan includes the first bytes of a message, the descriptor of its class: they are constant, because nothing before
them has a handle.
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

_REFERENCE_FORMAT: Final = struct.Struct(">BI")
NULL_BYTE: Final = bytes([NULL])
MAX_CACHED: Final = 4096
"""Entries of the caches of references and of hash orders."""


class _References(dict[int, bytes]):
    """Encoded references to handles, cached for the first `MAX_CACHED`."""

    def __missing__(self, handle: int) -> bytes:
        reference = _REFERENCE_FORMAT.pack(REFERENCE, BASE_HANDLE + handle)
        if handle < MAX_CACHED:
            self[handle] = reference
        return reference


REFERENCES: Final = _References()


class Vocabulary:
    """Classes and signatures that have a handle, with the references to them.

    It is immutable: describing another class gives a new vocabulary. Messages that have described the same classes in
    the same order, at the same handles, share one.
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
"""Cache by vocabulary, class and next handle: most messages describe the same classes in the same order.

It is cleared when it is full. Its keys keep the classes alive, so that no other class can get the same `id`.
"""


def describe(vocabulary: Vocabulary, java: JavaClass, handle: int) -> Described:
    """Encode the descriptor of a class: in full the first time, then as a reference."""
    known = vocabulary.classes.get(id(java))
    if known is not None:
        return Described(known, vocabulary, handle)
    key = vocabulary, java, handle
    described = _DESCRIBED.get(key)
    if described is None:
        if len(_DESCRIBED) >= MAX_DESCRIBED:
            _DESCRIBED.clear()
        described = _DESCRIBED[key] = _describe(vocabulary, java, handle)
    return described


def _describe(vocabulary: Vocabulary, java: JavaClass, handle: int) -> Described:
    """Encode the descriptor of a class that has no handle yet, with its parents."""
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
    """References to everything that has a handle at that point, by `id`."""


def opened(java: JavaClass) -> Start:
    """Encode the class of a message: the message gets the next handle."""
    data, vocabulary, handle = describe(EMPTY, java, 0)
    return Start(bytes([OBJECT]) + data, vocabulary, handle, {id(None): NULL_BYTE, **vocabulary.classes})


Level: TypeAlias = tuple[
    Callable[..., bytes] | None, Callable[[Any], tuple[Any, ...]], Callable[[Any], tuple[Any, ...]]
]
"""Functions for the fields that one class of a chain declares: pack its primitives (None if there are none), get them,
and get its objects."""


def _level(java: JavaClass, skip: int = 0) -> Level:
    primitives = [field for field in java.fields if not field.is_object]
    form = struct.Struct(">" + "".join(PRIMITIVES[field.code] for field in primitives))
    objects = [field.attribute for field in java.fields if field.is_object][skip:]
    return form.pack if primitives else None, _getter([field.attribute for field in primitives]), _getter(objects)


class EncodingPlan:
    """How to encode the instances of a struct."""

    def __init__(self, java: JavaClass) -> None:
        self.java: Final = java
        self.levels: Final = [_level(level) for level in java.lineage]
        self.opening: Final = opened(java)
        self.first, self.rest = _first(java)
        self.starts: Final[dict[int, Start]] = {}
        """The opening with the constant after it, by `id` of the constant."""
        self.is_flat: Final = len(self.levels) == 1 and not any(field.is_object for field in java.fields)
        self.places: Final = Places(java.hash_code) if java.hash_code else None


def _first(java: JavaClass) -> tuple[Callable[[Any], Any] | None, list[Level]]:
    """Return a getter of the first field if that is an enum, and the levels without it.

    Messages of many protocols begin with their type, so that the encoded constant can be cached with the opening.
    """
    top = java.lineage[0]
    if not top.fields or top.fields[0].slot is None:
        return None, []
    if not any(issubclass(type_, Enum) for type_ in top.fields[0].slot.types):
        return None, []
    return attrgetter(top.fields[0].attribute), [_level(top, 1), *map(_level, java.lineage[1:])]


class Places(dict[Any, Any]):
    """Places of elements in a HashSet of 16 buckets, cached for the first `MAX_CACHED`."""

    def __init__(self, hash_code: Callable[[Any], int]) -> None:
        super().__init__()
        self.hash_code: Final = hash_code

    def __missing__(self, element: Any) -> Any:
        place = self.place(element, 16)
        if len(self) < MAX_CACHED:
            self[element] = place
        return place

    def place(self, element: Any, capacity: int) -> Any:
        """Return the bucket (`java.util.HashMap.hash`) and the sort key inside the bucket."""
        code = self.hash_code(element) & 0xFFFFFFFF
        return (code ^ code >> 16) & capacity - 1, _natural(element)


TEXTS: Final = Places(string_hash)
NUMBERS: Final = Places(lambda number: number)


def set_capacity(length: int) -> int:
    """Return the number of buckets of a HashSet with `length` elements, at Java's load factor of 0.75."""
    capacity = 16
    while length * 4 > capacity * 3:
        capacity *= 2
    return capacity


def in_java_order(elements: Collection[Any], capacity: int, places: Places | None) -> list[Any]:
    """Sort elements as a HashSet with `capacity` buckets iterates over them.

    Without `places`, the order is the natural one: the hash of a Java enum differs between runs.
    """
    if places is None:
        return sorted(elements, key=_natural)
    if capacity == 16:
        return sorted(elements, key=places.__getitem__)
    return sorted(elements, key=lambda element: places.place(element, capacity))


def _natural(element: Any) -> Any:
    if isinstance(element, Enum):
        return [*type(element)].index(element)
    return structs.astuple(element) if isinstance(element, Struct) else element


@lru_cache(maxsize=32)
def plans_of(schema: Schema) -> dict[type, EncodingPlan]:
    """Return the plans of all structs of a schema."""
    return {type_: EncodingPlan(java) for type_, java in schema.by_type.items() if java.kind is Kind.PLAIN}


def places_of(type_: type, plans: dict[type, EncodingPlan]) -> Places | None:
    """Return the HashSet places of elements of a type, or None if their hash is random."""
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
