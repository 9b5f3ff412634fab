"""What a peer may not make us read."""

from __future__ import annotations

import struct

import pytest

from boardwire.errors import Malformed
from boardwire.wire.javastream import HEADER, Reader, StreamLimits, Writer

from .streams import (
    END,
    IMMUTABLE,
    LIST,
    MAP,
    NULL,
    POINT,
    SCHEMA,
    SET,
    TEXT,
    Bag,
    Node,
    Point,
    Shade,
    i32,
    names,
    points,
    read,
    refer,
    refused,
    shades,
    string,
    utf,
)


def test_a_declared_size_is_refused_before_anything_is_read_for_it() -> None:
    limits = StreamLimits(elements=3)
    four = [
        names(b"s" + LIST + i32(4) + b"w\x04" + i32(4)),
        names(b"s" + LIST + i32(-1) + b"w\x04" + i32(0)),
        points(b"s" + SET + b"w\x0c" + struct.pack(">ifi", 16, 0.75, 4)),
        points(b"s" + SET + b"w\x0c" + struct.pack(">ifi", 16, 0.75, -4)),
        shades(b"s" + MAP + struct.pack(">fi", 0.75, 12) + b"w\x08" + i32(16, 4)),
        names(b"s" + IMMUTABLE + i32(1) + b"w\x04" + i32(2**31 - 1)),
    ]
    for data in four:
        assert "elements are allowed" in refused(data, limits=limits)
    for count, is_whole in ((3, True), (4, False)):
        elements = b"".join(b"s" + refer(5) + i32(at, 0) for at in range(1, count))
        block = b"w\x0c" + struct.pack(">ifi", 16, 0.75, count)
        data = points(b"s" + SET + block + b"s" + POINT + i32(0, 0) + elements + END)
        assert read(data, limits=limits) if is_whole else refused(data, limits=limits)
    three = string("a") + NULL + NULL
    assert read(names(b"s" + LIST + i32(3) + b"w\x04" + i32(3) + three + END), limits=limits)


def test_a_long_text_is_refused_before_it_is_read() -> None:
    assert read(b"s" + TEXT + string("x" * 20), limits=StreamLimits(text=20))
    assert "string" in refused(b"s" + TEXT + b"t\0\x15", limits=StreamLimits(text=20))
    assert "string" in refused(b"s" + TEXT + string("x" * 21), limits=StreamLimits(text=20))
    assert "string" in refused(b"s" + TEXT + b"|" + b"\xff" * 8)
    assert "string" in refused(b"s" + b"r" + utf("t" * 21), limits=StreamLimits(text=20))


def test_a_class_of_many_fields_is_refused() -> None:
    assert "at most 64 are allowed" in refused(b"s" + b"r" + utf("t.Point") + struct.pack(">qBH", 1, 2, 65535))


def chain(length: int) -> bytes:
    node = Node(0)
    for value in range(1, length):
        node = Node(value, node)
    return Writer(SCHEMA).encode(node)[4:]


def test_objects_inside_objects_are_counted() -> None:
    assert read(chain(10), limits=StreamLimits(depth=10))
    assert "deep" in refused(chain(11), limits=StreamLimits(depth=10))
    assert read(chain(48))
    assert "deep" in refused(chain(200))


def test_collections_count_as_depth_and_flat_objects_do_not() -> None:
    raw = Writer(SCHEMA).encode(Bag(points=frozenset([Point(1, 2), Point(3, 4)]), thing=Point(5, 6)))[4:]
    assert read(raw, limits=StreamLimits(depth=2))
    assert "deep" in refused(raw, limits=StreamLimits(depth=1))


def test_notes_on_classes_count_as_depth() -> None:
    note = NULL
    for _ in range(900):
        head = b"r" + utf("t.Point") + struct.pack(">qBH", 1, 2, 0)
        note = b"s" + head + note + END + NULL
    assert "deep" in refused(note)


def test_handles_are_counted() -> None:
    message = Bag(names=("a", "b"), points=frozenset([Point(1, 2), Point(3, 4)]), shade=Shade.DARK, boxed=5)
    raw = Writer(SCHEMA).encode(message)[4:]
    enough = next(n for n in range(200) if _reads(raw, n))
    assert enough == 24  # 8 for the bag, 3 for the number, 4 for names, 5 for points, 4 for the constant
    for fewer in range(enough):
        assert "too many objects" in refused(raw, limits=StreamLimits(handles=fewer))
    assert read(raw, limits=StreamLimits(handles=enough)) == [message]


def test_every_element_of_a_set_counts_as_a_handle() -> None:
    message = Bag(points=frozenset(Point(x, 0) for x in range(20)))
    raw = Writer(SCHEMA).encode(message)[4:]
    assert read(raw, limits=StreamLimits(handles=31)) == [message]
    for fewer in range(31):
        assert "too many objects" in refused(raw, limits=StreamLimits(handles=fewer))


def _reads(raw: bytes, handles: int) -> bool:
    reader = Reader(SCHEMA, limits=StreamLimits(handles=handles))
    try:
        return bool(reader.feed(HEADER + raw))
    except Malformed:
        return False


def test_a_message_is_refused_when_it_is_over_size_though_unfinished() -> None:
    reader = Reader(SCHEMA, limits=StreamLimits(size=100))
    assert reader.feed(HEADER + b"s" + TEXT) == []
    assert reader.feed(b"t\0\xff" + b"x" * (100 - 8 - len(TEXT) - 1)) == []
    with pytest.raises(Malformed, match="longer than 100 bytes"):
        reader.feed(b"x")
