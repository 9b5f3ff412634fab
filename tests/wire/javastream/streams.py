"""Streams made by hand, for a small schema of the tests' own.

`read` reads a stream whole and byte by byte and insists that both agree; `refused` gives the reason why not.
"""

from __future__ import annotations

import struct
from collections.abc import Mapping, Sequence
from enum import Enum, auto
from typing import Annotated, Any

import msgspec
import pytest

from boardwire.errors import Malformed
from boardwire.wire.javastream import HEADER, Byte, Framing, Interface, Java, Long, Reader, Schema, StreamLimits


class Shade(Enum):
    DARK = auto()
    PALE = auto()


class Point(msgspec.Struct, frozen=True):
    x: int
    y: int


class Text(msgspec.Struct, frozen=True):
    text: str | None


class Named(msgspec.Struct, frozen=True):
    name: str


class Node(msgspec.Struct, frozen=True):
    value: int
    peer: Node | None = None
    peers: Sequence[Node | None] | None = None
    ranks: Mapping[str, Node] | None = None


class Bag(msgspec.Struct, frozen=True, kw_only=True):
    big: Long = 0
    is_open: bool = False
    ratio: float = 0.0
    small: Byte = 0
    boxed: int | None = None
    names: tuple[str | None, ...] | None = None
    points: frozenset[Point] | None = None
    shade: Shade | None = None
    shades: Mapping[Shade, int] | None = None
    thing: Annotated[Point | Text | None, Interface("t.Thing")] = None


class Parent(msgspec.Struct, frozen=True):
    number: int
    label: str | None


class Child(Parent, frozen=True):
    extra: int
    more: str | None


class Ghost(msgspec.Struct, frozen=True):
    number: int


NAMES: dict[type[msgspec.Struct], Java] = {
    Point: Java("t.Point", 1),
    Text: Java("t.Text", 2),
    Named: Java("t.Named", 3),
    Node: Java("t.Node", 4),
    Bag: Java("t.Bag", 5),
    Parent: Java("t.Parent", 6),
    Child: Java("t.Child", 7),
    Ghost: Java("t.Ghost", 8, abstract=True),
}
SCHEMA = Schema(NAMES, {Shade: "t.Shade"})
OTHER = Schema({Text: Java("o.Text", 2)})

STRING = "Ljava/lang/String;"
END, NULL = b"x", b"p"


def utf(text: str) -> bytes:
    return struct.pack(">H", len(text)) + text.encode()


def string(text: str) -> bytes:
    return b"t" + utf(text)


def refer(handle: int) -> bytes:
    return b"q" + struct.pack(">I", 0x7E0000 + handle)


def describe(name: str, suid: int, fields: Sequence[bytes] = (), *, flags: int = 2, parent: bytes = NULL) -> bytes:
    head = b"r" + utf(name) + struct.pack(">qBH", suid, flags, len(fields))
    return head + b"".join(fields) + END + parent


def number(name: str, code: str = "I") -> bytes:
    return code.encode() + utf(name)


def holder(name: str, signature: bytes | str = STRING) -> bytes:
    return b"L" + utf(name) + (string(signature) if isinstance(signature, str) else signature)


def i32(*numbers: int) -> bytes:
    return struct.pack(f">{len(numbers)}i", *numbers)


POINT = describe("t.Point", 1, [number("x"), number("y")])
TEXT = describe("t.Text", 2, [holder("text")])
LIST = describe("java.util.ArrayList", 0x7881D21D99C7619D, [number("size")], flags=3)
SET = describe("java.util.HashSet", -0x45BB7A6A694748CC, flags=3)
MAP = describe("java.util.HashMap", 362498820763181265, [number("loadFactor", "F"), number("threshold")], flags=3)
IMMUTABLE = describe("java.util.CollSer", 6309168927139932177, [number("tag")], flags=3)
NUMBER = describe("java.lang.Number", -8742448824652078965)
INTEGER = describe("java.lang.Integer", 1360826667806852920, [number("value")], parent=NUMBER)
ENUM_PARENT = describe("java.lang.Enum", 0, flags=18)
SHADE = describe("t.Shade", 0, flags=18, parent=ENUM_PARENT)


def bag(field: str, signature: str, value: bytes) -> bytes:
    """A bag of which only one field is sent."""
    return b"s" + describe("t.Bag", 5, [holder(field, signature)]) + value


def names(value: bytes) -> bytes:
    return bag("names", "Ljava/util/List;", value)


def points(value: bytes) -> bytes:
    return bag("points", "Ljava/util/Set;", value)


def shades(value: bytes) -> bytes:
    return bag("shades", "Ljava/util/Map;", value)


def read(*objects: bytes, limits: StreamLimits | None = None, framing: Framing = Framing.EACH) -> list[Any]:
    """The messages of a stream, read whole and byte by byte."""
    stream = b"".join(HEADER + data for data in objects) if framing is Framing.EACH else HEADER + b"".join(objects)
    drops, found = Reader(SCHEMA, framing=framing, limits=limits), []
    fault = None
    try:
        for at in range(len(stream)):
            found += drops.feed(stream[at : at + 1])
    except Malformed as error:
        fault = error
    whole = Reader(SCHEMA, framing=framing, limits=limits)
    if fault is not None and not found:
        with pytest.raises(Malformed):
            whole.feed(stream)
        raise fault
    messages = whole.feed(stream)
    assert [repr(message) for message in messages] == [repr(message) for message in found]
    assert (whole.fault is None) == (fault is None)
    return messages


def refused(data: bytes, **settings: Any) -> str:
    with pytest.raises(Malformed) as caught:
        read(data, **settings)
    return str(caught.value)
