"""How eriantys-objects is written and read (protocol page, 1.2): one header, then objects, a reset after each.

Displays go to everybody alike but for the addressee's name in each, so they are written once, with a mark in its place
(`ADDRESSEE`), and `address` puts a reader's name there.  No name or text has the mark's signs in it.
"""

from __future__ import annotations

from typing import Final

from boardwire.dialects.eriantys_objects.classes import SHIPPED
from boardwire.wire.javastream import Framing, Limits, Reader, Writer
from boardwire.wire.javastream.text import encode_text

_WRITER: Final = Writer(SHIPPED, Framing.ONCE)
_STRING: Final = b"\x74"

encode: Final = _WRITER.encode
"""A message as bytes, its reset included."""

GREETING: Final = _WRITER.opening
"""What either end sends at once [9.1]."""

REQUEST_LIMITS: Final = Limits(size=32_768, depth=32, handles=4_096, elements=256, text=4_096, fields=32)
"""What a client may make us read: an echoed card of ours has a few hundred bytes."""

REPLY_LIMITS: Final = Limits(size=1 << 20, depth=128)
"""What a server may: the shipped one's cards carry its whole game along [3]."""

ADDRESSEE: Final = "\x01addressee\x01"
"""Stands for the reader's name."""


def _written(text: str) -> bytes:
    data = encode_text(text)
    return _STRING + len(data).to_bytes(2, "big") + data


_MARK: Final = _written(ADDRESSEE)


def address(data: bytes, name: str) -> bytes:
    """Messages that were written for `ADDRESSEE`, for the reader called `name`."""
    return data.replace(_MARK, _written(name)) if _MARK in data else data


def requests() -> Reader:
    """The server's decoder."""
    return Reader(SHIPPED, framing=Framing.ONCE, limits=REQUEST_LIMITS)


def replies() -> Reader:
    """The client's decoder."""
    return Reader(SHIPPED, framing=Framing.ONCE, limits=REPLY_LIMITS)
