"""Java object streams: the wire of programs that send objects with `java.io.ObjectOutputStream`.

A dialect declares its classes in a `Schema`; a `Reader` turns bytes into those structs, a `Writer` the reverse.

The writer runs compiled where that was possible (`compiled.py`), so that is settled before it is imported.
"""

from typing import Final

from boardwire.compiled import prefer_compiled

COMPILED: Final = prefer_compiled("wire/javastream", __path__)
"""Whether the writer runs compiled in this process."""

from boardwire.wire.javastream.grammar import HEADER, Framing, Limits
from boardwire.wire.javastream.library import objects_hash
from boardwire.wire.javastream.reader import Reader
from boardwire.wire.javastream.schema import Byte, Interface, Java, Long, Schema, named
from boardwire.wire.javastream.writer import Writer

__all__ = [
    "HEADER",
    "Byte",
    "Framing",
    "Interface",
    "Java",
    "Limits",
    "Long",
    "Reader",
    "Schema",
    "Writer",
    "named",
    "objects_hash",
]
