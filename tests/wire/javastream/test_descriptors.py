"""What the reader makes of class descriptors: Java tolerates much (specification, 5.6.2), and so do we."""

from __future__ import annotations

import struct

from boardwire.wire.javastream import Writer

from .streams import (
    END,
    LIST,
    NULL,
    POINT,
    SCHEMA,
    Bag,
    Child,
    Point,
    Text,
    describe,
    holder,
    i32,
    number,
    points,
    read,
    refer,
    refused,
    string,
    utf,
)


def test_primitives_in_another_order_are_taken() -> None:
    data = b"s" + describe("t.Point", 1, [number("y"), number("x")]) + i32(7, 3)
    assert read(data) == [Point(3, 7)]


def test_a_missing_field_takes_its_default() -> None:
    assert read(b"s" + describe("t.Point", 1, [number("y")]) + i32(7)) == [Point(0, 7)]
    assert read(b"s" + describe("t.Text", 2)) == [Text(None)]
    assert read(b"s" + describe("t.Bag", 5)) == [Bag()]


def test_a_missing_field_that_cannot_be_null_is_malformed() -> None:
    assert "name" in refused(b"s" + describe("t.Named", 3))
    assert "field" in refused(b"s" + describe("t.Named", 3, [holder("name")]) + NULL)


def test_extra_fields_are_read_and_dropped() -> None:
    extra = [number("x"), number("y"), number("z", "J"), holder("note"), holder("spot", "Lt/Point;")]
    spot = b"s" + refer(0) + i32(5, 6) + bytes(8) + NULL + NULL
    data = b"s" + describe("t.Point", 1, extra) + i32(1, 2) + bytes(8) + string("hm") + spot
    assert read(data) == [Point(1, 2)]


def test_an_object_field_before_a_primitive_one_is_malformed() -> None:
    data = b"s" + describe("t.Parent", 6, [holder("label"), number("number")]) + NULL + i32(1)
    assert "follows an object field" in refused(data)


def test_another_version_of_a_class_is_malformed() -> None:
    assert "serialVersionUID" in refused(b"s" + describe("t.Point", 9, [number("x"), number("y")]) + i32(1, 2))


def test_an_unknown_class_is_malformed_also_in_a_field_that_would_be_dropped() -> None:
    assert "evil.Gadget" in refused(b"s" + describe("evil.Gadget", 1))
    field = holder("note", "Levil/Gadget;")
    data = b"s" + describe("t.Point", 1, [number("x"), number("y"), field]) + i32(1, 2)
    assert "evil.Gadget" in refused(data + b"s" + describe("evil.Gadget", 1))


def test_a_primitive_of_another_type_is_malformed() -> None:
    assert "type" in refused(b"s" + describe("t.Point", 1, [number("x", "J"), number("y")]))
    assert "type" in refused(b"s" + describe("t.Point", 1, [number("x"), holder("y")]))
    assert "type" in refused(b"s" + describe("t.Text", 2, [number("text")]))


def test_the_signature_of_an_object_field_does_not_matter_but_its_value_does() -> None:
    described = describe("t.Text", 2, [holder("text", "Ljava/lang/Object;")])
    assert read(b"s" + described + string("hi")) == [Text("hi")]
    assert "field" in refused(b"s" + described + b"s" + POINT + i32(1, 2))


def test_extra_data_of_a_class_with_its_own_writer_is_skipped() -> None:
    described = describe("t.Point", 1, [number("x"), number("y")], flags=3)
    added = b"w\x02ab" + string("note") + b"z\0\0\0\x01c" + NULL + END
    assert read(b"s" + described + i32(1, 2) + added) == [Point(1, 2)]


def test_notes_on_a_class_are_passed_over() -> None:
    head = b"r" + utf("t.Point") + struct.pack(">qBH", 1, 2, 2) + number("x") + number("y")
    assert read(b"s" + head + b"w\x01a" + string("note") + END + NULL + i32(1, 2)) == [Point(1, 2)]


def test_parents_come_first() -> None:
    child = Child(1, "a", 2, "b")
    raw = Writer(SCHEMA).encode(child)
    assert read(raw[4:]) == [child]
    assert raw.endswith(i32(1) + string("a") + i32(2) + string("b"))


def test_a_signature_must_be_a_text_and_any_text_will_do() -> None:
    parent = describe("t.Parent", 6, [number("number"), holder("label", refer(0))])
    own = [number("extra"), holder("more")]
    values = i32(1) + NULL + i32(2) + NULL
    assert "string" in refused(b"s" + describe("t.Child", 7, own, parent=parent) + values)
    odd = describe("t.Parent", 6, [number("number"), holder("label", refer(1))])
    assert read(b"s" + describe("t.Child", 7, own, parent=odd) + values) == [Child(1, None, 2, None)]


def test_a_missing_parent_gives_defaults_and_a_strange_one_is_dropped() -> None:
    own = [number("extra"), holder("more")]
    assert read(b"s" + describe("t.Child", 7, own) + i32(2) + string("b")) == [Child(0, None, 2, "b")]
    data = b"s" + describe("t.Child", 7, own, parent=POINT) + i32(8, 9) + i32(2) + string("b")
    assert read(data) == [Child(0, None, 2, "b")]


def test_a_class_cannot_be_its_own_parent() -> None:
    assert "superclass" in refused(b"s" + describe("t.Point", 1, parent=POINT))
    assert "class" in refused(b"s" + describe("t.Point", 1, parent=refer(0)))
    deep = NULL
    for _ in range(200):
        deep = describe("t.Point", 1, parent=deep)
    assert "too many superclasses" in refused(b"s" + deep)


def test_a_parent_of_another_sort_is_malformed() -> None:
    assert "superclass" in refused(b"s" + describe("t.Point", 1, parent=LIST))


def test_flags_of_another_sort_of_class_are_malformed() -> None:
    for flags in (0, 1, 4, 12, 18):
        assert "flags" in refused(b"s" + describe("t.Point", 1, flags=flags))
    assert "flags" in refused(b"~" + describe("t.Shade", 0, flags=2))


def test_an_abstract_class_has_no_instances() -> None:
    assert "abstract" in refused(b"s" + describe("t.Ghost", 8, [number("number")]) + i32(1))
    assert "abstract" in refused(b"s" + describe("java.lang.Number", -8742448824652078965))


def test_a_class_described_oddly_is_malformed() -> None:
    assert "twice" in refused(b"s" + describe("t.Point", 1, [number("x"), number("x")]))
    assert "type code" in refused(b"s" + describe("t.Point", 1, [number("x", "V")]))
    assert "class" in refused(b"s" + NULL)
    assert "class" in refused(b"s" + string("t.Point"))
    assert "unexpected fields" in refused(
        points(b"s" + describe("java.util.HashSet", -0x45BB7A6A694748CC, [number("x")], flags=3))
    )
    assert "unexpected fields" in refused(points(b"s" + describe("java.util.HashSet", -0x45BB7A6A694748CC, flags=2)))
