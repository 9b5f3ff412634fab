"""Arrays in PostgreSQL's binary format.

An array consists of the number of dimensions, a null flag, the item type, the length and the lower bound, then each
item, preceded by its length. An empty array has no dimensions. Arrays encoded here are sent unchanged, without
psycopg's per-item adaptation.
"""

from __future__ import annotations

import struct
from collections.abc import Iterable, Sequence
from enum import IntEnum
from typing import Final


class Kind(IntEnum):
    """Item types, by their OID in PostgreSQL."""

    BOOLEAN = 16
    BYTES = 17
    INTEGER = 23
    TEXT = 25


ARRAY_OIDS: Final = {Kind.BOOLEAN: 1000, Kind.BYTES: 1001, Kind.INTEGER: 1007, Kind.TEXT: 1009}
"""OIDs of the array types."""

_HEADER: Final = struct.Struct("!iiiii").pack
_EMPTY: Final = struct.Struct("!iii").pack
_LENGTH: Final = struct.Struct("!i").pack
_INTEGER: Final = struct.Struct("!ii").pack


def pack_array(kind: Kind, items: Sequence[bytes]) -> bytes:
    """Return an array of encoded items; text is UTF-8."""
    if not items:
        return _EMPTY(0, 0, kind)
    parts = [_HEADER(1, 0, kind, len(items), 1)]
    for item in items:
        parts += (_LENGTH(len(item)), item)
    return b"".join(parts)


def texts(items: Iterable[str]) -> bytes:
    """Return an array of texts."""
    return pack_array(Kind.TEXT, [item.encode() for item in items])


def integers(items: Sequence[int]) -> bytes:
    """Return an array of integers."""
    if not items:
        return _EMPTY(0, 0, Kind.INTEGER)
    return _HEADER(1, 0, Kind.INTEGER, len(items), 1) + b"".join([_INTEGER(4, item) for item in items])


def booleans(items: Iterable[bool]) -> bytes:
    """Return an array of booleans."""
    return pack_array(Kind.BOOLEAN, [b"\1" if item else b"\0" for item in items])
