"""Java object streams: the wire format of `java.io.ObjectOutputStream`.

A dialect declares its classes in a `Schema`. A `Reader` decodes bytes into structs of these classes, a `Writer` encodes
them. `prefer_compiled` selects the compiled writer, if there is one, before `writer` is imported.
"""

from typing import Final

from boardwire.compiled import prefer_compiled

COMPILED: Final = prefer_compiled("wire/javastream", __path__)
"""Whether the writer runs compiled in this process."""

from boardwire.wire.javastream.grammar import HEADER, Framing, StreamLimits
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
    "Long",
    "Reader",
    "Schema",
    "StreamLimits",
    "Writer",
    "named",
    "objects_hash",
]
