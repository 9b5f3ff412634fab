"""Java's modified UTF-8.

NUL is encoded as the two bytes C0 80, a character above U+FFFF as a surrogate pair of three bytes each. As in Java, a
plain NUL byte is accepted and the four-byte form is not. A lone surrogate is rejected, because Python could not encode
it as UTF-8 later.
"""

from __future__ import annotations

import struct
from functools import lru_cache
from typing import Final

from boardwire.errors import Malformed
from boardwire.wire.javastream.grammar import LONG_STRING, STRING

_SHORT: Final = struct.Struct(">BH")
_LONG: Final = struct.Struct(">BQ")


def encode_text(text: str) -> bytes:
    """Encode `text` in modified UTF-8, without its length."""
    if text.isascii() and "\0" not in text:
        return text.encode("ascii")
    data = text.encode("utf-16-be", "surrogatepass")
    units = struct.unpack(f">{len(data) // 2}H", data)
    return "".join(map(chr, units)).encode("utf-8", "surrogatepass").replace(b"\0", b"\xc0\x80")


def decode_text(data: bytes) -> str:
    """Decode modified UTF-8; raise `Malformed`."""
    if data.isascii():
        return data.decode("ascii")
    try:
        # C0 never occurs inside another character, so every C0 80 is an encoded NUL.
        units = data.replace(b"\xc0\x80", b"\0").decode("utf-8", "surrogatepass")
        text = units.encode("utf-16-le", "surrogatepass").decode("utf-16-le")
    except UnicodeDecodeError as error:
        raise Malformed("a string is not valid modified UTF-8") from error
    if max(data) >= 0xF0:
        raise Malformed("a string is in standard UTF-8, not in Java's modified UTF-8")
    return text


def string_object(text: str) -> bytes:
    """Encode a string object in full. Short strings are cached, because most of them are names."""
    return _cached_string_object(text) if len(text) <= _MAX_CACHED_LENGTH else _string_object(text)


def _string_object(text: str) -> bytes:
    data = encode_text(text)
    size = len(data)
    return (_SHORT.pack(STRING, size) if size <= 0xFFFF else _LONG.pack(LONG_STRING, size)) + data


_MAX_CACHED_LENGTH: Final = 32
_cached_string_object: Final = lru_cache(4096)(_string_object)
