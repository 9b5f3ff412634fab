"""Mutators of recorded messages, one for each encoding: lines, JSON, Java object streams, WebSocket frames, HTTP.

A mutator takes a random generator and a message and returns bytes; equal generators give equal bytes. Where a decoder
stops at the first error, some mutators keep the stream readable and change its content; others break it.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from random import Random
from typing import Any, Final, TypeAlias

import msgspec

from boardwire.wire.javastream import HEADER
from boardwire.wire.websocket import FrameDecoder, encode_text

Mutator: TypeAlias = Callable[[Random, bytes], bytes]

ODD_TEXTS: Final = (
    "", " ", "\x00", "\u202e", "é" * 40, "\U0001f600", "null", "-1", "0", "1e999", "..", "%s%n", "'\"<b>&", "a" * 300,
    "A\r\nB", "PING", "ann", "__proto__", "𝟛", "\ud7ff",
)  # fmt: skip
ODD_NUMBERS: Final = (0, 1, -1, 2, 3, 9, 24, 25, 127, 255, 65536, 2**31 - 1, -(2**31), 2**63, 10**30, 0.5, -0.0, 1e308)

_MASK: Final = b"fuzz"


# --- any bytes --------------------------------------------------------------------------------------------------------


def bytes_of(luck: Random, message: bytes) -> bytes:
    """Change, delete, duplicate or insert a few bytes."""
    data = bytearray(message)
    for _ in range(luck.randrange(1, 4)):
        at = luck.randrange(len(data) + 1)
        match luck.randrange(6):
            case 0 if at < len(data):
                data[at] = luck.randrange(256)
            case 1 if at < len(data):
                data[at] ^= 1 << luck.randrange(8)
            case 2:
                del data[at : at + luck.randrange(1, 6)]
            case 3:
                data[at:at] = luck.randbytes(luck.randrange(1, 6))
            case 4:
                data[at:at] = data[at : at + luck.randrange(1, 20)]
            case _:
                data[at : at + 1] = luck.choice((b"\n", b"\x00", b"\xff", b"{", b'"', b"\r\n", b"9"))
    return bytes(data)


# --- lines ------------------------------------------------------------------------------------------------------------


def line(luck: Random, message: bytes) -> bytes:
    """Replace the text of a line, or change any bytes."""
    if luck.random() < 0.3:
        return bytes_of(luck, message)
    word = luck.choice((*ODD_TEXTS, *map(str, ODD_NUMBERS), message.decode("latin-1").strip() * luck.randrange(1, 4)))
    return word.encode("utf-8", "replace") + luck.choice((b"\n", b"\r\n", b"\n\n"))


# --- JSON -------------------------------------------------------------------------------------------------------------


def json_line(luck: Random, message: bytes) -> bytes:
    """Change a JSON text and keep its line end, or change any bytes."""
    if luck.random() < 0.15:
        return bytes_of(luck, message)
    body = message.rstrip()
    return json_tree(luck, body) + message[len(body) :]


def json_tree(luck: Random, body: bytes) -> bytes:
    """Change values of a JSON text."""
    tree = json.loads(body)
    for _ in range(luck.randrange(1, 3)):
        tree = json_value(luck, tree)
    return json.dumps(tree, ensure_ascii=luck.random() < 0.5).encode("utf-8", "replace")


def json_value(luck: Random, value: Any) -> Any:
    """Return a JSON value with one part changed."""
    if isinstance(value, dict) and value and luck.random() < 0.85:
        key = luck.choice(list(value))
        match luck.randrange(8):
            case 0:
                return {name: part for name, part in value.items() if name != key}
            case 1:
                return {**value, luck.choice(ODD_TEXTS): value[key]}
            case 2:
                return {**{name: part for name, part in value.items() if name != key}, key.swapcase(): value[key]}
            case 3:
                other = luck.choice(list(value))
                return {**value, key: value[other]}
            case _:
                return {**value, key: json_value(luck, value[key])}
    if isinstance(value, list) and value and luck.random() < 0.8:
        at = luck.randrange(len(value))
        match luck.randrange(4):
            case 0:
                return value[:at] + value[at + 1 :]
            case 1:
                return value * luck.randrange(2, 12)
            case 2:
                return value[::-1]
            case _:
                return [*value[:at], json_value(luck, value[at]), *value[at + 1 :]]
    return odd_value(luck, value)


def odd_value(luck: Random, value: Any) -> Any:
    """Return a replacement for a value, often of the same type."""
    if luck.random() < 0.6:
        if isinstance(value, bool):
            return not value
        if isinstance(value, int | float):
            return luck.choice((value + 1, value - 1, luck.randrange(-3, 30), luck.choice(ODD_NUMBERS)))
        if isinstance(value, str):
            return luck.choice((value * 2, value[:-1], value.upper(), luck.choice(ODD_TEXTS)))
    deep: Any = 0
    for _ in range(luck.choice((1, 3, 40))):
        deep = [deep] if luck.random() < 0.5 else {"a": deep}
    return luck.choice((None, True, [], {}, "", 0, luck.choice(ODD_NUMBERS), luck.choice(ODD_TEXTS), deep))


# --- Java object streams ----------------------------------------------------------------------------------------------

_TOKENS: Final = tuple(bytes([token]) for token in range(0x70, 0x7F))
_PIECES: Final = (
    b"\x79" * 3,  # resets
    b"\x70",  # null
    b"\x77\x04abcd",  # block data
    b"\x71\x00\x7e\x00\x00",  # a handle
    b"\x71\x00\x7e\x00\xff",
    b"\x74\x00\x03ann",  # a string
    b"\x74\xff\xff",  # a string that never ends
    b"\x73\x72\x00\x11java.lang.Runtime",
    b"\x73\x72\x00\x13java.util.ArrayList",
    b"\x73\x72\x00\x11java.util.HashMap",
    b"\x75\x72\x00\x02[I",
    b"\x7d\x00\x00\x00\x01",  # a proxy class
    b"\x7b",  # an exception
    HEADER,
)


def java(encode: Callable[[Any], bytes], decoder: Callable[[], Any], greeting: bytes) -> Mutator:
    """Return a mutator for one schema: it changes a field and keeps the stream valid."""

    def mutate(luck: Random, message: bytes) -> bytes:
        try:
            (value,) = decoder().feed(message if message.startswith(HEADER) else greeting + message)
            return encode(other_fields(luck, value))
        except Exception:  # noqa: BLE001 - a change that cannot be encoded is skipped
            return message

    return mutate


def other_fields(luck: Random, value: Any) -> Any:
    """Return a message with another value of the same type in one field."""
    if isinstance(value, msgspec.Struct):
        fields = msgspec.structs.fields(value)
        if not fields:
            return value
        name = luck.choice(fields).name
        return msgspec.structs.replace(value, **{name: other_fields(luck, getattr(value, name))})
    if isinstance(value, bool):
        return not value
    if isinstance(value, int):
        return luck.choice((value + 1, value - 1, luck.randrange(-3, 30), 2**31 - 1, -(2**31)))
    if isinstance(value, str):
        return luck.choice((value * 2, value[:-1], None, luck.choice(ODD_TEXTS)))
    if isinstance(value, tuple) and value:
        at = luck.randrange(len(value))
        other = (*value[:at], other_fields(luck, value[at]), *value[at + 1 :])
        return luck.choice((value[:at], value * 2, value[::-1], other))
    return luck.choice((None, value))


def java_tokens(luck: Random, message: bytes) -> bytes:
    """Change tokens, lengths and handles of a Java stream, or any bytes."""
    if luck.random() < 0.2:
        return bytes_of(luck, message)
    data = bytearray(message)
    places = [at for at, byte in enumerate(data) if 0x70 <= byte <= 0x7E] or [0]
    at = luck.choice(places)
    match luck.randrange(5):
        case 0:
            data[at : at + 1] = luck.choice(_TOKENS)
        case 1:
            data[at:at] = luck.choice(_PIECES)
        case 2:
            data[at + 1 : at + 3] = luck.randrange(65536).to_bytes(2)
        case 3:
            data[at:at] = luck.choice(_TOKENS) * luck.randrange(1, 50)
        case _:
            del data[at : at + luck.randrange(1, 12)]
    return bytes(data)


# --- WebSocket --------------------------------------------------------------------------------------------------------


def request(luck: Random, message: bytes) -> bytes:
    """Change a native request and send it in valid frames, whole or in fragments."""
    body = json_tree(luck, _text(message))
    match luck.randrange(8):
        case 0 if len(body) < 6000:
            return pieces(luck, body)
        case 1:
            return raw_frame(0x89, body[:120], 7) + encode_text(body, _MASK)
        case _:
            return encode_text(body, _MASK)


def frame(luck: Random, message: bytes) -> bytes:
    """Return invalid or unusual frames."""
    body = _text(message)
    match luck.randrange(7):
        case 0:
            return encode_text(body)  # without a mask
        case 1:
            return raw_frame(0x80 | luck.randrange(16), body, luck.choice((7, 16, 64)))
        case 2:
            return raw_frame(0x81 | luck.choice((0x10, 0x20, 0x40)), body, 7)
        case 3:
            return raw_frame(0x89, body * 4, 16)  # a ping that is too long
        case 4:
            return raw_frame(0x81, body, luck.choice((16, 64)))  # a length that is not minimal
        case 5:
            return raw_frame(0x81, b"\xff" + body, 7)  # invalid UTF-8
        case _:
            return bytes_of(luck, message)


def _text(message: bytes) -> bytes:
    """Return the payload of a text frame."""
    (text,) = FrameDecoder(masked=True).feed(message)
    return str(text).encode()


def raw_frame(first: int, body: bytes, width: int) -> bytes:
    """Return a masked frame with this first byte and a length field of `width` bits."""
    if width == 7 and len(body) < 126:
        head = bytes([first, 0x80 | len(body)])
    elif width < 64 and len(body) < 65536:
        head = bytes([first, 0x80 | 126]) + len(body).to_bytes(2)
    else:
        head = bytes([first, 0x80 | 127]) + len(body).to_bytes(8)
    return head + _MASK + bytes(byte ^ _MASK[at & 3] for at, byte in enumerate(body))


def pieces(luck: Random, body: bytes) -> bytes:
    """Return a message in fragments, possibly with a ping between them."""
    size = max(1, len(body) // luck.choice((2, 3, 10, 70)))
    parts = [body[at : at + size] for at in range(0, len(body), size)] or [b""]
    out = b""
    for number, part in enumerate(parts):
        first = (0x01 if number == 0 else 0x00) | (0x80 if number == len(parts) - 1 else 0x00)
        out += raw_frame(first, part, 7)
        if luck.random() < 0.2:
            out += raw_frame(0x89, b"p", 7)
    return out


# --- HTTP -------------------------------------------------------------------------------------------------------------


def http(luck: Random, message: bytes) -> bytes:
    """Change the head or body of an HTTP request."""
    match luck.randrange(6):
        case 0:
            return message.replace(b"\r\n\r\n", b"\r\nTransfer-Encoding: chunked\r\n\r\n", 1) + luck.choice(
                (b"ZZ\r\n", b"5\r\nabc")
            )
        case 1:
            return message.replace(b"\r\n\r\n", b"\r\nContent-Length: 5\r\nContent-Length: 7\r\n\r\nabcde", 1)
        case 2:
            return message.replace(b"\r\n\r\n", b"\r\nX: " + b"a" * luck.choice((100, 9000, 40_000)) + b"\r\n\r\n", 1)
        case 3:
            return message.replace(b"HTTP/1.1", luck.choice((b"HTTP/1.0", b"HTTP/9.9", b"", b"HTTP/1.1 x")), 1)
        case _:
            return bytes_of(luck, message)
