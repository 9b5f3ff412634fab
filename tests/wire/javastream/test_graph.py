"""References, graphs, values and collections."""

from __future__ import annotations

import struct

import msgspec
import pytest

from boardwire.wire.javastream import Writer

from .streams import (
    END,
    IMMUTABLE,
    INTEGER,
    LIST,
    MAP,
    NULL,
    POINT,
    SCHEMA,
    SET,
    SHADE,
    STRING,
    TEXT,
    Bag,
    Child,
    Node,
    Point,
    Shade,
    Text,
    bag,
    describe,
    holder,
    i32,
    names,
    number,
    points,
    read,
    refer,
    refused,
    shades,
    string,
    utf,
)


def test_references_may_stand_for_anything_sent_before() -> None:
    chain = b"s" + describe("t.Child", 7, [number("extra"), holder("more")], parent=describe(
        "t.Parent", 6, [number("number"), holder("label", refer(1))]
    ))  # fmt: skip
    assert read(chain + i32(1) + string("same") + i32(2) + refer(4)) == [Child(1, "same", 2, "same")]
    assert read(chain + i32(1) + refer(1) + i32(2) + NULL) == [Child(1, STRING, 2, None)]


@pytest.mark.parametrize("handle", [-1, -2, 2, 3, 1000, -0x7E0000])
def test_a_reference_to_nothing_is_malformed(handle: int) -> None:
    refused(b"s" + TEXT + refer(handle))


def test_a_reference_to_something_else_is_malformed() -> None:
    assert "class" in refused(b"s" + TEXT + refer(0))
    assert "field" in refused(b"s" + TEXT + refer(2))
    described = describe("t.Bag", 5, [holder("shade", "Lt/Shade;"), holder("thing", refer(0))])
    assert "string" in refused(b"s" + described)
    assert "string" in refused(bag("shade", "Lt/Shade;", b"~" + SHADE + refer(0)))
    assert "class" in refused(b"s" + describe("t.Node", 4, [holder("peer")]) + b"s" + refer(1))


def test_a_text_must_be_a_text() -> None:
    assert "string" in refused(bag("shade", "Lt/Shade;", b"~" + SHADE + NULL))
    assert "string" in refused(b"s" + b"r" + utf("t.Text") + struct.pack(">qBH", 2, 2, 1) + b"L" + utf("text") + NULL)


def test_a_graph_may_lead_back_into_itself() -> None:
    ring = Node(1)
    msgspec.structs.force_setattr(ring, "peer", Node(2, ring))
    msgspec.structs.force_setattr(ring, "peers", (ring, None, ring.peer))
    msgspec.structs.force_setattr(ring, "ranks", {"a": ring})
    (found,) = read(Writer(SCHEMA).encode(ring)[4:])
    assert found.value == 1
    assert found.peer.peer is found
    assert found.peers[1] is None
    assert found.peers[2] is found.peer
    assert found.peers[0] is found
    assert found.ranks["a"] is found


def test_a_list_that_contains_itself_at_some_depth_is_a_list() -> None:
    inner = Node(2)
    peers = (inner, None)
    msgspec.structs.force_setattr(inner, "peers", peers)
    (found,) = read(Writer(SCHEMA).encode(Node(1, None, peers))[4:])
    assert type(found.peers) is list
    assert found.peers[0].peers is found.peers
    assert len(found.peers) == 2


def test_a_map_may_contain_itself_at_some_depth() -> None:
    inner = Node(2)
    ranks = {"a": inner}
    msgspec.structs.force_setattr(inner, "ranks", ranks)
    (found,) = read(Writer(SCHEMA).encode(Node(1, None, None, ranks))[4:])
    assert found.ranks["a"].ranks is found.ranks


def test_a_list_inside_itself_is_still_checked() -> None:
    node = describe("t.Node", 4, [holder("peers", "Ljava/util/List;")])
    inner = b"s" + refer(0) + refer(4)
    data = b"s" + node + b"s" + LIST + i32(2) + b"w\x04" + i32(2) + inner + string("no node") + END
    assert "collection" in refused(data)


def test_a_list_inside_itself_is_checked_also_where_it_is_dropped() -> None:
    """The outer field is none of ours, so no one but the inner one looks at the elements, and it comes too early."""
    node = describe("t.Node", 4, [holder("junk", "Ljava/util/List;"), holder("peers", refer(1))])
    inner = b"s" + refer(0) + NULL + refer(4)

    def looped(last: bytes) -> bytes:
        return b"s" + node + b"s" + LIST + i32(2) + b"w\x04" + i32(2) + inner + last + END + NULL

    assert read(looped(NULL)) == [Node(0)]
    assert "collection" in refused(looped(string("no node")))


def test_an_empty_list_is_known_again_after_a_graph_had_to_be_read_twice() -> None:
    node = describe("t.Node", 4, [holder("peer", "Lt/Node;"), holder("peers", "Ljava/util/List;")])
    again, head = b"s" + refer(0), b"w\x04" + i32(1)
    empty = b"s" + LIST + i32(0) + b"w\x04" + i32(0) + END
    later = again + NULL + b"s" + refer(5) + i32(0) + b"w\x04" + i32(0) + END
    inner = again + again + NULL + refer(6) + b"s" + refer(5) + i32(2) + b"w\x04" + i32(2) + later + refer(3) + END
    data = b"s" + node + again + NULL + empty + b"s" + refer(5) + i32(1) + head + inner + END
    (root,) = read(data)
    assert root.peers[0].peer.peers == ()
    assert root.peers[0].peers[1] is root


def test_a_set_inside_itself_is_malformed() -> None:
    assert "itself" in refused(points(b"s" + SET + b"w\x0c" + struct.pack(">ifi", 16, 0.75, 1) + refer(4) + END))


def test_shared_objects_stay_shared() -> None:
    point = Point(1, 2)
    (found,) = read(Writer(SCHEMA).encode(Bag(points=frozenset([point]), thing=point))[4:])
    assert next(iter(found.points)) is found.thing


def test_numbers_of_every_size() -> None:
    full = Bag(big=-(2**63), is_open=True, ratio=0.1, small=-128, boxed=-7, shade=Shade.PALE, thing=Text("x"))
    assert read(Writer(SCHEMA).encode(full)[4:]) == [full]


def test_any_byte_but_zero_is_true() -> None:
    assert read(b"s" + describe("t.Bag", 5, [number("isOpen", "Z")]) + b"\x05") == [Bag(is_open=True)]


def test_long_strings_are_read() -> None:
    assert read(b"s" + TEXT + b"|" + struct.pack(">Q", 2) + b"hi") == [Text("hi")]


def test_a_text_in_standard_utf8_is_malformed() -> None:
    assert "UTF-8" in refused(b"s" + TEXT + b"t\0\x04" + "\U0001f600".encode())


def test_an_enum_constant_must_exist_and_be_one() -> None:
    assert read(bag("shade", "Lt/Shade;", b"~" + SHADE + string("DARK"))) == [Bag(shade=Shade.DARK)]
    assert "GREY" in refused(bag("shade", "Lt/Shade;", b"~" + SHADE + string("GREY")))
    assert "encoded as an object" in refused(bag("shade", "Lt/Shade;", b"s" + SHADE + string("DARK")))
    assert "not an enum" in refused(bag("shade", "Lt/Shade;", b"~" + POINT + string("DARK")))


@pytest.mark.parametrize("tag", [b"u", b"v", b"w\0", b"x", b"y", b"z\0\0\0\0", b"{", b"}", b"\0", b"\xff"])
def test_an_invalid_value_is_malformed(tag: bytes) -> None:
    refused(b"s" + TEXT + tag)


def test_a_message_must_be_an_object() -> None:
    for data in (NULL, string("hello"), b"~" + SHADE + string("DARK"), b"s" + INTEGER + i32(4)):
        assert "message" in refused(data)


def test_lists() -> None:
    data = names(b"s" + LIST + i32(3) + b"w\x04" + i32(10) + string("a") + NULL + refer(5) + END)
    assert read(data) == [Bag(names=("a", None, "a"))]


def test_data_after_the_elements_is_skipped_as_in_java() -> None:
    data = names(b"s" + LIST + i32(1) + b"w\x04" + i32(1) + string("a") + string("b") + b"w\x01z" + END)
    assert read(data) == [Bag(names=("a",))]


def test_data_before_the_elements_may_be_cut_into_blocks() -> None:
    for block in (b"z\0\0\0\x04" + i32(1), b"w\x01\0w\0w\x03\0\0\x01", b"w\x02\0\0z\0\0\0\x02\0\x01"):
        assert read(names(b"s" + LIST + i32(1) + block + string("a") + END)) == [Bag(names=("a",))]
    assert "data" in refused(names(b"s" + LIST + i32(1) + b"w\x05" + bytes(5)))
    assert "data" in refused(names(b"s" + LIST + i32(1) + string("a")))


def test_sets() -> None:
    block = b"w\x0c" + struct.pack(">ifi", 16, 0.75, 2)
    two = b"s" + POINT + i32(1, 2) + b"s" + refer(5) + i32(3, 4)
    assert read(points(b"s" + SET + block + two + END)) == [Bag(points=frozenset([Point(1, 2), Point(3, 4)]))]
    for capacity, load in ((-1, 0.75), (16, 0.0), (16, -1.0), (16, float("nan"))):
        assert "capacity" in refused(points(b"s" + SET + b"w\x0c" + struct.pack(">ifi", capacity, load, 0) + END))


def test_maps() -> None:
    entries = b"~" + SHADE + string("DARK") + b"s" + INTEGER + i32(3) + b"~" + refer(5) + string("PALE") + refer(11)
    data = b"s" + MAP + struct.pack(">fi", 0.75, 12) + b"w\x08" + i32(16, 2) + entries + END
    assert read(shades(data)) == [Bag(shades={Shade.DARK: 3, Shade.PALE: 3})]
    assert "load factor" in refused(shades(b"s" + MAP + struct.pack(">fi", 0.0, 12) + b"w\x08" + i32(16, 0) + END))


def test_immutable_collections() -> None:
    def immutable(tag: int, count: int, elements: bytes) -> bytes:
        return b"s" + IMMUTABLE + i32(tag) + b"w\x04" + i32(count) + elements + END

    assert read(names(immutable(1, 0, b""))) == [Bag(names=())]
    assert read(names(immutable(1, 1, string("a")))) == [Bag(names=("a",))]
    assert read(names(immutable(4, 2, string("a") + NULL))) == [Bag(names=("a", None))]
    assert read(points(immutable(2, 1, b"s" + POINT + i32(1, 2)))) == [Bag(points=frozenset([Point(1, 2)]))]
    pair = b"~" + SHADE + string("DARK") + b"s" + INTEGER + i32(3)
    assert read(shades(immutable(3, 2, pair))) == [Bag(shades={Shade.DARK: 3})]
    assert "collection" in refused(names(immutable(1, 1, NULL)))
    assert "unknown type" in refused(names(immutable(9, 0, b"")))
    assert "key without a value" in refused(shades(immutable(3, 1, string("a"))))


def test_a_collection_of_another_sort_or_of_other_things_is_malformed() -> None:
    empty_set = b"s" + SET + b"w\x0c" + struct.pack(">ifi", 16, 0.75, 0) + END
    empty_list = b"s" + LIST + i32(0) + b"w\x04" + i32(0) + END
    assert "field" in refused(names(empty_set))
    assert "field" in refused(points(empty_list))
    assert "collection" in refused(names(b"s" + LIST + i32(1) + b"w\x04" + i32(1) + b"s" + POINT + i32(1, 2) + END))
    block = b"w\x0c" + struct.pack(">ifi", 16, 0.75, 1)
    assert "collection" in refused(points(b"s" + SET + block + string("a") + END))
    assert "collection" in refused(points(b"s" + SET + block + NULL + END))
    wrong = b"s" + MAP + struct.pack(">fi", 0.75, 12) + b"w\x08" + i32(16, 1)
    assert "collection" in refused(shades(wrong + b"~" + SHADE + string("DARK") + string("three") + END))
    assert "collection" in refused(shades(wrong + string("dark") + b"s" + INTEGER + i32(3) + END))


def test_unhashable_values_are_not_elements_of_a_set() -> None:
    block = b"w\x0c" + struct.pack(">ifi", 16, 0.75, 1)
    assert "key" in refused(points(b"s" + SET + block + b"s" + LIST + i32(0) + b"w\x04" + i32(0) + END + END))
    ring = b"s" + describe("t.Node", 4, [holder("peer", "Lt/Node;")]) + refer(7)
    assert "key" in refused(points(b"s" + SET + block + ring + END))
