"""Constants of Java Object Serialization, stream protocol version 2.

The tags and flags are from the "Java Object Serialization Specification", section 6.4. A dialect defines the framing of
messages (`Framing`), the limits of what a peer may send (`StreamLimits`) and the classes (`schema`).

Everything that a later reference can target has a handle. On the wire handles start at `BASE_HANDLE`; inside this
package a handle is a 0-based index into the handle table.
"""

from __future__ import annotations

from enum import Enum
from typing import Final

import msgspec

HEADER: Final = b"\xac\xed\x00\x05"
"""STREAM_MAGIC and STREAM_VERSION: the first bytes of every stream."""

BASE_HANDLE: Final = 0x7E0000

NULL: Final = 0x70
REFERENCE: Final = 0x71
CLASS_DESCRIPTOR: Final = 0x72
OBJECT: Final = 0x73
STRING: Final = 0x74
BLOCK: Final = 0x77
END_BLOCK: Final = 0x78
RESET: Final = 0x79
LONG_BLOCK: Final = 0x7A
LONG_STRING: Final = 0x7C
ENUM: Final = 0x7E

WRITE_METHOD: Final = 0x01
SERIALIZABLE: Final = 0x02
ENUM_CLASS: Final = 0x10

PRIMITIVES: Final = {"B": "b", "C": "H", "D": "d", "F": "f", "I": "i", "J": "q", "S": "h", "Z": "?"}
"""Type codes of primitives, each with its `struct` code."""


class Framing(Enum):
    """How messages follow each other on a connection."""

    EACH = "each"
    """Every message is a separate stream: a header and one object."""

    ONCE = "once"
    """One header when the connection opens, then objects, each followed by a reset that empties the handle table.

    Peers that do not reset, so that later messages refer to earlier ones, are supported too.
    """


class StreamLimits(msgspec.Struct, frozen=True):
    """Limits on what a peer may send. Each is checked before memory is allocated."""

    size: int = 65_536
    """Bytes of one message, including its header."""

    depth: int = 48
    """Nesting of objects."""

    handles: int = 16_384
    """Entries of the handle table; in a stream without resets, over its whole life."""

    elements: int = 1_024
    """Elements of one collection, entries of one map."""

    text: int = 16_384
    """Bytes of one string."""

    fields: int = 64
    """Fields of one class descriptor."""
