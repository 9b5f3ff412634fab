"""What the writer shares, orders and refuses."""

from __future__ import annotations

from collections.abc import Sequence
from enum import Enum
from itertools import product
from random import Random
from typing import Any

import msgspec
import pytest

from boardwire.dialects.santorini_objects.messages.classes import F, Position, RequestAction
from boardwire.wire.javastream import HEADER, Framing, Java, Reader, Schema, Writer, objects_hash, plan
from boardwire.wire.javastream.library import string_hash

from .streams import SCHEMA, Bag, Node, Point, Shade, Text


class Sets(msgspec.Struct, frozen=True):
    numbers: frozenset[int] | None = None
    points: frozenset[Point] | None = None
    shades: frozenset[Shade] | None = None
    texts: frozenset[str] | None = None


SETS = Schema({Sets: Java("t.Sets", 1), Point: Java("t.Point", 1)}, {Shade: "t.Shade"})


def order(raw: bytes, marks: Sequence[bytes]) -> list[bytes]:
    return sorted(marks, key=raw.index)


def test_one_header_and_resets_or_a_header_each() -> None:
    each, once = Writer(SCHEMA), Writer(SCHEMA, Framing.ONCE)
    assert each.opening == b""
    assert once.opening == HEADER
    assert each.encode(Point(1, 2))[4:] == once.encode(Point(1, 2))[:-1]
    assert each.encode(Point(1, 2)).startswith(HEADER)
    assert once.encode(Point(1, 2)).endswith(b"y")


def test_the_same_object_is_written_once_and_an_equal_one_again() -> None:
    one, other = Point(1, 2), Point(1, 2)
    shared = Writer(SCHEMA).encode(Bag(points=frozenset([one]), thing=one))
    copied = Writer(SCHEMA).encode(Bag(points=frozenset([one]), thing=other))
    assert len(copied) > len(shared)
    for raw in (shared, copied):
        assert Reader(SCHEMA).feed(raw) == [Bag(points=frozenset([one]), thing=one)]


def test_collections_that_are_the_same_are_shared_unless_empty() -> None:
    def twins(peers: tuple[Node, ...]) -> Any:
        (found,) = Reader(SCHEMA).feed(Writer(SCHEMA).encode(Node(1, Node(2, None, peers), peers)))
        return found

    raw = Writer(SCHEMA).encode(Node(1, Node(2, None, ()), ()))
    assert raw.count(b"\0\0\0\0w\x04\0\0\0\0x") == 2
    found = twins((Node(3),))
    assert found.peers is found.peer.peers


def test_small_integers_are_shared_as_java_shares_them() -> None:
    small = Writer(SCHEMA).encode(Bag(shades={Shade.DARK: 127, Shade.PALE: 127}))
    large = Writer(SCHEMA).encode(Bag(shades={Shade.DARK: 128, Shade.PALE: 128}))
    assert len(large) == len(small) + 5


def test_long_texts_have_a_long_length() -> None:
    raw = Writer(SCHEMA).encode(Text("x" * 65_536))
    assert b"|\0\0\0\0\0\x01\0\0xxx" in raw
    assert b"t\xff\xffxxx" in Writer(SCHEMA).encode(Text("x" * 65_535))


def test_cells_are_in_the_order_of_the_recorded_program() -> None:
    """[santorini-objects 2] bucket (x - y + z - 1) mod 16, ties in board order."""
    cells = [Position(x, y, (x + 2 * y) % 4) for x in (2, 3, 4) for y in (1, 2, 3)]
    empty: frozenset[Position] = frozenset()
    raw = Writer(F).encode(RequestAction(False, False, False, False, 1, frozenset(cells), empty, empty, empty))
    ranked = sorted(cells, key=lambda cell: ((cell.x - cell.y + cell.z - 1) % 16, cell.x, cell.y))
    marks = [b"".join(part.to_bytes(4, "big") for part in (cell.x, cell.y, cell.z)) for cell in ranked]
    body = raw[raw.index(b"\0\1z") :]
    assert order(body, marks) == marks
    assert b"\0\0\0\x10?@\0\0\0\0\0\x09" in raw


def test_a_larger_set_has_more_buckets() -> None:
    def capacity(size: int) -> int:
        raw = Writer(SETS).encode(Sets(numbers=frozenset(range(1000, 1000 + size))))
        return int.from_bytes(raw[raw.index(b"w\x0c") + 2 :][:4], "big")

    assert [capacity(size) for size in (0, 12, 13, 24, 25, 49)] == [16, 16, 32, 32, 64, 128]


def test_sets_of_texts_numbers_and_constants_have_an_order() -> None:
    sets = Sets(frozenset([17, 1, 0, -1]), frozenset([Point(2, 1), Point(1, 2)]), frozenset(Shade), frozenset("BaA"))
    raw = Writer(SETS).encode(sets)
    assert order(raw, [b"t\0\1A", b"t\0\1B", b"t\0\1a"]) == [b"t\0\1A", b"t\0\1a", b"t\0\1B"]
    assert order(raw, [b"\0\0\0\x11", b"\xff\xff\xff\xff"]) == [b"\xff\xff\xff\xff", b"\0\0\0\x11"]
    assert order(raw, [b"DARK", b"PALE"]) == [b"DARK", b"PALE"]
    assert order(raw, [b"\0\0\0\1\0\0\0\2", b"\0\0\0\2\0\0\0\1"]) == [b"\0\0\0\1\0\0\0\2", b"\0\0\0\2\0\0\0\1"]
    assert Reader(SETS).feed(raw) == [sets]


def test_hash_codes_are_those_of_java() -> None:
    assert string_hash("Hello") == 69609650
    assert string_hash("the quick brown fox") == 1302335171
    assert string_hash("caffè\U0001f600") == 544812525
    assert objects_hash(1, 2, 3) == 30817
    assert objects_hash(2**31 - 1, 0, -5) == -2147454823


def test_a_type_without_a_form_is_a_fault_of_the_program() -> None:
    class Strange(Enum):
        ODD = 1

    class Unbound(msgspec.Struct, frozen=True):
        pass

    wrong: Any
    for wrong in (Unbound(), 3, None, "text"):
        with pytest.raises(TypeError):
            Writer(SCHEMA).encode(wrong)
    for wrong in (Unbound(), Strange.ODD, 1.5, True, b"bytes", {1}):
        with pytest.raises(TypeError):
            Writer(SCHEMA).encode(Text(wrong))


def test_values_stay_as_they_are_for_thousands_of_cells() -> None:
    """The order of cells is remembered, but never for more than a few thousand."""
    writer = Writer(F)
    empty: frozenset[Position] = frozenset()
    for x in range(600):
        cells = frozenset(Position(x, y, 0) for y in range(8))
        message = RequestAction(False, False, False, False, 1, cells, empty, empty, empty)
        assert Reader(F).feed(writer.encode(message)) == [message]


class Isle(msgspec.Struct, frozen=True):
    joined: bool
    shade: Shade | None = None
    shades: tuple[Shade, ...] | None = None


class Isles(msgspec.Struct, frozen=True):
    first: Shade
    isles: tuple[Isle, ...]
    aside: tuple[Shade, ...] = ()  # written before the isles


ISLES = Schema({Isles: Java("t.Isles", 1), Isle: Java("t.Isle", 1)}, {Shade: "t.Shade"})


def isles(luck: Random) -> Isles:
    """Some of them twice, which is a reference."""
    shades = tuple(Shade)
    known = [
        Isle(luck.random() < 0.5, luck.choice([None, *shades]), tuple(luck.choices(shades, k=luck.randrange(4))))
        for _ in range(12)
    ]
    chosen = tuple(luck.choices(known, k=6))
    shared = chosen[0].shades if luck.random() < 0.5 else chosen[-1].shades
    return Isles(luck.choice(shades), chosen, shared or ())


def test_repeated_values_in_a_message_are_one_object() -> None:
    luck = Random(5)
    for _ in range(300):
        message = isles(luck)
        (read,) = Reader(ISLES).feed(Writer(ISLES).encode(message))
        assert read == message
        assert isinstance(read, Isles)
        for one, other in product(range(6), repeat=2):
            assert (read.isles[one] is read.isles[other]) == (message.isles[one] is message.isles[other])


def test_how_classes_were_described_may_be_forgotten() -> None:
    luck = Random(6)
    messages = [isles(luck) for _ in range(30)]
    before = [*map(Writer(ISLES).encode, messages)]
    plan._DESCRIBED.clear()
    assert [*map(Writer(ISLES).encode, messages)] == before


def test_a_class_that_is_forgotten_lends_its_words_to_no_other_one() -> None:
    for number in range(400):  # more than are remembered
        named = Schema({Isle: Java(f"t.Isle{number}", 1)}, {Shade: "t.Shade"})
        assert f"t.Isle{number}".encode() in Writer(named).encode(Isle(False, Shade.DARK, ()))
