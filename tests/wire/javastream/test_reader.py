"""How messages follow each other, and what a fault does."""

from __future__ import annotations

import gc
import struct
import weakref

import pytest

from boardwire.errors import Malformed
from boardwire.wire.javastream import HEADER, Framing, Reader, StreamLimits, Writer
from boardwire.wire.javastream.memory import MAX_MESSAGE_BYTES, MAX_MESSAGES

from .streams import (
    END,
    NULL,
    OTHER,
    POINT,
    SCHEMA,
    TEXT,
    Bag,
    Point,
    Shade,
    Text,
    describe,
    holder,
    i32,
    read,
    refer,
    refused,
    string,
    utf,
)


def test_a_large_set_may_be_cut_anywhere() -> None:
    message = Bag(points=frozenset(Point(x, x) for x in range(12)), names=("a", "b"), shades={Shade.DARK: 1})
    raw = Writer(SCHEMA).encode(message)
    for at in range(len(raw)):
        reader = Reader(SCHEMA)
        assert reader.feed(raw[:at]) == []
        assert reader.feed(raw[at:]) == [message]


@pytest.mark.parametrize("framing", Framing)
def test_a_reader_with_half_a_message_is_freed_at_once(framing: Framing) -> None:
    reader = Reader(SCHEMA, framing=framing)
    reader.feed(HEADER + b"s")
    freed = weakref.ref(reader)
    gc.disable()
    try:
        del reader
        assert freed() is None
    finally:
        gc.enable()


def test_each_message_needs_its_own_header() -> None:
    point = b"s" + POINT + i32(1, 2)
    assert read(point, point) == [Point(1, 2), Point(1, 2)]
    reader = Reader(SCHEMA)
    assert reader.feed(HEADER + point + point) == [Point(1, 2)]
    assert reader.fault is not None
    with pytest.raises(Malformed, match="Java object stream"):
        reader.feed(b"")


@pytest.mark.parametrize("start", [b"\0", b"\xac\0", b"\xac\xed\0\4", b"GET / HTTP/1.1\r\n"])
def test_data_that_is_not_an_object_stream_is_refused_at_the_first_wrong_byte(start: bytes) -> None:
    for framing in Framing:
        with pytest.raises(Malformed):
            Reader(SCHEMA, framing=framing).feed(start)


def test_a_reset_may_stand_before_an_object() -> None:
    assert read(b"y" + b"s" + POINT + i32(1, 2)) == [Point(1, 2)]


def test_with_one_header_objects_follow_each_other_and_resets_clear_the_handles() -> None:
    point = b"s" + POINT + i32(1, 2)
    assert read(point + b"y", point + b"y", b"yy" + point, framing=Framing.ONCE) == [Point(1, 2)] * 3
    reader = Reader(SCHEMA, framing=Framing.ONCE)
    assert reader.feed(HEADER) == []
    assert reader.feed(point + b"y") == [Point(1, 2)]
    assert reader.buffered == 0
    with pytest.raises(Malformed, match="reference"):
        reader.feed(b"s" + refer(0))


def test_without_resets_handles_go_on_from_message_to_message() -> None:
    first, second = b"s" + TEXT + string("hi"), b"s" + refer(0) + refer(3)
    third = b"s" + describe("t.Bag", 5, [holder("thing", "Lt/Thing;")]) + refer(2)
    assert read(first, second, third, framing=Framing.ONCE) == [Text("hi"), Text("hi"), Bag(thing=Text("hi"))]
    reader = Reader(SCHEMA, framing=Framing.ONCE, limits=StreamLimits(handles=10))
    assert reader.feed(HEADER + first) == [Text("hi")]
    assert len([message for _ in range(6) for message in reader.feed(second)]) == 6
    with pytest.raises(Malformed, match="too many objects"):
        reader.feed(second)


def test_resets_do_not_count_as_part_of_a_message() -> None:
    reader = Reader(SCHEMA, framing=Framing.ONCE, limits=StreamLimits(size=100))
    assert reader.feed(HEADER + b"y" * 1000) == []
    assert reader.feed(b"s" + POINT + i32(1, 2)) == [Point(1, 2)]


def test_a_reset_inside_an_object_is_malformed() -> None:
    refused(b"s" + TEXT + b"y", framing=Framing.ONCE)


def test_messages_before_a_fault_are_given_and_the_fault_stays() -> None:
    reader = Reader(SCHEMA)
    good = HEADER + b"s" + POINT + i32(1, 2)
    assert reader.feed(good + b"nonsense") == [Point(1, 2)]
    assert isinstance(reader.fault, Malformed)
    for _ in range(2):
        with pytest.raises(Malformed):
            reader.feed(good)


def test_the_first_object_tells_the_schema() -> None:
    text = b"r" + utf("o.Text") + struct.pack(">qBH", 2, 2, 1) + holder("text") + END + NULL
    raw = HEADER + b"s" + text + string("a")
    reader = Reader(SCHEMA, OTHER)
    assert reader.schema is None
    assert reader.feed(raw) == [Text("a")]
    assert reader.schema is OTHER
    with pytest.raises(Malformed, match="unknown class"):
        reader.feed(HEADER + b"s" + POINT + i32(1, 2))
    assert Reader(SCHEMA).schema is SCHEMA
    with pytest.raises(Malformed, match="unknown class"):
        Reader(SCHEMA, OTHER).feed(HEADER + b"s" + describe("no.Class", 1))


def test_a_repeated_message_is_returned_from_the_cache() -> None:
    data = b"s" + TEXT + string("said again") + b"y"
    one, other = (Reader(SCHEMA, framing=Framing.ONCE) for _ in range(2))
    for reader in (one, other):
        reader.feed(HEADER + b"s" + POINT + i32(1, 2) + b"y")
    (first,) = one.feed(data)
    assert one.feed(data)[0] is first
    assert other.feed(data)[0] is first
    assert one.feed(data[:5]) == []
    assert one.feed(data[5:]) == [first], "what comes in pieces is read"
    assert one.buffered == 0


def test_a_repeated_message_is_read_after_other_messages() -> None:
    named, again = b"s" + TEXT + string("said once"), b"s" + TEXT + string("said twice") + b"y"
    reader = Reader(SCHEMA, framing=Framing.ONCE)
    reader.feed(HEADER)
    assert reader.feed(again) == reader.feed(again) == [Text("said twice")]
    assert reader.feed(named) == [Text("said once")]
    referring = b"s" + refer(0) + refer(3) + b"y"  # without a reset the first is still known
    assert reader.feed(referring) == [Text("said once")]
    with pytest.raises(Malformed):
        reader.feed(referring)


def test_every_framing_every_schema_and_every_limit_remembers_for_itself() -> None:
    data = HEADER + b"s" + TEXT + string("a text of some length")
    generous = Reader(SCHEMA)
    assert generous.feed(data) == generous.feed(data) == [Text("a text of some length")]
    strict = Reader(SCHEMA, limits=StreamLimits(text=20))
    with pytest.raises(Malformed, match="at most 20 are allowed"):
        strict.feed(data)
    with pytest.raises(Malformed):
        Reader(OTHER).feed(data)


def test_no_more_is_remembered_than_some_short_messages() -> None:
    reader = Reader(SCHEMA)
    reader.feed(HEADER + b"s" + POINT + i32(0, 0))
    for number in range(MAX_MESSAGES + 10):
        reader.feed(HEADER + b"s" + POINT + i32(number, 77))
    long = HEADER + b"s" + TEXT + string("x" * MAX_MESSAGE_BYTES)
    (first,), (second,) = reader.feed(long), reader.feed(long)
    assert first == second
    assert first is not second
    cache = reader._cache
    assert cache is not None
    assert 0 < len(cache) <= MAX_MESSAGES


def test_tokens_that_are_no_part_of_a_message_are_counted() -> None:
    point = b"s" + POINT + i32(1, 2)
    reader = Reader(SCHEMA, framing=Framing.ONCE)
    reader.feed(HEADER + (point + b"y") * 3)
    assert reader.overhead == 0, "a message ends with a reset"
    reader.feed(b"y" * 7)
    reader.feed(b"y" * 3)
    assert reader.overhead == 10


@pytest.mark.parametrize("token", [b"w\0", b"z\0\0\0\0", b"p"], ids=["block", "long block", "null"])
def test_data_that_is_passed_over_is_counted(token: bytes) -> None:
    described = b"r" + utf("t.Point") + struct.pack(">qBH", 1, 2, 2) + b"I" + utf("x") + b"I" + utf("y")
    reader = Reader(SCHEMA, framing=Framing.ONCE)
    assert reader.feed(HEADER + b"s" + described + token * 9 + END + NULL + i32(1, 2)) == [Point(1, 2)]
    assert reader.overhead == 9
