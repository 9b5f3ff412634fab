"""Arrays as PostgreSQL takes them in its binary format.

An array is the number of its dimensions, whether something in it is null, the kind of its items, its length and the
number of its first item; then each item behind its length.  An empty one has no dimension.  What is packed here goes to
the database as it is: nothing asks item by item how it is to be written.
"""

from __future__ import annotations

import struct
from collections.abc import Iterable, Sequence
from enum import IntEnum
from typing import Final


class Kind(IntEnum):
    """What an array is of, by PostgreSQL's number for that."""

    BOOLEAN = 16
    BYTES = 17
    INTEGER = 23
    TEXT = 25


OF: Final = {Kind.BOOLEAN: 1000, Kind.BYTES: 1001, Kind.INTEGER: 1007, Kind.TEXT: 1009}
"""PostgreSQL's numbers for arrays of these."""

_HEAD: Final = struct.Struct("!iiiii").pack
_NONE: Final = struct.Struct("!iii").pack
_LENGTH: Final = struct.Struct("!i").pack
_INTEGER: Final = struct.Struct("!ii").pack


def packed(kind: Kind, items: Sequence[bytes]) -> bytes:
    """An array of items that are written as the kind is: text in UTF-8."""
    if not items:
        return _NONE(0, 0, kind)
    parts = [_HEAD(1, 0, kind, len(items), 1)]
    for item in items:
        parts += (_LENGTH(len(item)), item)
    return b"".join(parts)


def texts(items: Iterable[str]) -> bytes:
    """An array of texts."""
    return packed(Kind.TEXT, [item.encode() for item in items])


def integers(items: Sequence[int]) -> bytes:
    """An array of integers."""
    if not items:
        return _NONE(0, 0, Kind.INTEGER)
    return _HEAD(1, 0, Kind.INTEGER, len(items), 1) + b"".join([_INTEGER(4, item) for item in items])


def booleans(items: Iterable[bool]) -> bytes:
    """An array of booleans."""
    return packed(Kind.BOOLEAN, [b"\1" if item else b"\0" for item in items])
