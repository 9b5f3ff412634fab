"""Classes of the Java library that may occur in a message.

A list is decoded as a tuple (as a list only if it contains itself), a set as a frozenset, a map as a dict, an `Integer`
as an int. All schemas share these tables; no other class of the library is supported.
"""

from __future__ import annotations

from typing import Final

from boardwire.wire.javastream.layout import ENUM_FLAGS, WRITING_FLAGS, Field, JavaClass, Kind

ARRAY_LIST: Final = JavaClass(
    "java.util.ArrayList", 0x7881D21D99C7619D, Kind.LIST, [Field("size", "I")], flags=WRITING_FLAGS
)
HASH_SET: Final = JavaClass("java.util.HashSet", -0x45BB7A6A694748CC, Kind.SET, flags=WRITING_FLAGS)
HASH_MAP: Final = JavaClass(
    "java.util.HashMap",
    362498820763181265,
    Kind.MAP,
    [Field("loadFactor", "F"), Field("threshold", "I")],
    flags=WRITING_FLAGS,
)
COLL_SER: Final = JavaClass(
    "java.util.CollSer", 6309168927139932177, Kind.IMMUTABLE, [Field("tag", "I")], flags=WRITING_FLAGS
)
NUMBER: Final = JavaClass("java.lang.Number", -8742448824652078965, Kind.ABSTRACT)
INTEGER: Final = JavaClass("java.lang.Integer", 1360826667806852920, Kind.INTEGER, [Field("value", "I")], parent=NUMBER)
ENUM_PARENT: Final = JavaClass("java.lang.Enum", 0, Kind.ABSTRACT, flags=ENUM_FLAGS)

LIBRARY: Final = (ARRAY_LIST, HASH_SET, HASH_MAP, COLL_SER, NUMBER, INTEGER, ENUM_PARENT)

IMMUTABLE_LIST_WITH_NULLS: Final = 4
IMMUTABLE_SORTS: Final = {1: Kind.LIST, 2: Kind.SET, 3: Kind.MAP, IMMUTABLE_LIST_WITH_NULLS: Kind.LIST}
"""Kinds by `CollSer.tag`, the serialized form of `List.of`, `Set.of`, `Map.of` (JDK 9) and `Stream.toList` (JDK 16)."""


def objects_hash(*values: int) -> int:
    """Return `java.util.Objects.hash` of integers, as a signed 32-bit number."""
    total = 1
    for value in values:
        total = total * 31 + value
    return (total + 0x80000000 & 0xFFFFFFFF) - 0x80000000


def string_hash(text: str) -> int:
    """Return `String.hashCode`, over UTF-16 units, as a signed 32-bit number."""
    total = 0
    data = text.encode("utf-16-be", "surrogatepass")
    for at in range(0, len(data), 2):
        total = total * 31 + (data[at] << 8 | data[at + 1])
    return (total + 0x80000000 & 0xFFFFFFFF) - 0x80000000
