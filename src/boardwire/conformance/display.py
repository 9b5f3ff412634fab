"""Messages as text for results: JSON as JSON, lines unchanged, Java objects by class and fields.

Names and values are those of the wire, never Python's notation.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Set
from enum import Enum
from typing import Any, Final

import msgspec

from boardwire.wire.text import escaped

MAX_TEXT_LENGTH: Final = 400
"""Longest text of one message."""

MAX_DEPTH: Final = 5
"""Nesting limit: references can be cyclic, as a player has cards and each card has its owner."""

_encode: Final = json.JSONEncoder(
    ensure_ascii=False, default=str
).encode  # `json.dumps` would make an encoder in every call


def show(value: Any) -> str:
    """Return the text of a message or of a part of one."""
    text = escaped(_message(value))
    return text if len(text) <= MAX_TEXT_LENGTH else f"{text[:MAX_TEXT_LENGTH]} ..."


def _message(value: Any) -> str:
    if isinstance(value, bytes | bytearray):
        return _line(bytes(value))
    if isinstance(value, str):
        return value if value.isprintable() and value.strip() else _quote(value)
    return _part(value, MAX_DEPTH)


def _line(data: bytes) -> str:
    """Return a line without its end, or hexadecimal digits if it is not text."""
    try:
        text = data.decode().rstrip("\r\n")
    except UnicodeDecodeError:
        return data.hex(" ")
    return text if text.isprintable() and text else _quote(data.decode())


def _quote(text: str) -> str:
    return _encode(text)


def _part(value: Any, levels: int) -> str:
    """Return the text of a value within a message, with at most `levels` levels of nesting."""
    match value:
        case Enum():
            return value.name
        case msgspec.Struct():
            return _object(value, levels)
        case Mapping():
            parts = [f"{_key(key)}:{_part(part, levels - 1)}" for key, part in value.items()] if levels else ["..."]
            return f"{{{','.join(parts)}}}"
        case Set():
            return f"[{','.join(sorted(_part(part, levels - 1) for part in value))}]" if levels else "[...]"
        case list() | tuple():
            return f"[{','.join(_part(part, levels - 1) for part in value)}]" if levels else "[...]"
        case bytes():
            return _line(value)
        case _:
            return _encode(value)


def _key(key: Any) -> str:
    return _quote(key) if isinstance(key, str) else _part(key, 1)


def _object(value: msgspec.Struct, levels: int) -> str:
    """Return the text of a Java object, without unset fields."""
    fields = {name: getattr(value, name) for name in value.__struct_fields__ if levels}
    return java(type(value), levels - 1, **{name: part for name, part in fields.items() if part is not None})


def java(kind: type, levels: int = MAX_DEPTH, **fields: Any) -> str:
    """Return the text of an object of this class with these fields, named as on the wire."""
    text = ", ".join(f"{_camel(name)}: {_part(part, levels)}" for name, part in fields.items())
    return f"{kind.__name__} {{{text}}}"


def _camel(name: str) -> str:
    first, *rest = name.split("_")
    return first + "".join(word.capitalize() for word in rest)
