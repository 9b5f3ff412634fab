"""How annotations become Java declarations."""

from __future__ import annotations

from typing import Annotated

import msgspec
import pytest

from boardwire.wire.javastream import Byte, Interface, Java, Schema

from .streams import SCHEMA, Bag, Child, Node, Point, Shade


class Keyed(msgspec.Struct, frozen=True):
    nodes: frozenset[Node]


class Renamed(msgspec.Struct, frozen=True):
    long_name: Byte
    can_force_dome: bool
    either: Annotated[Point | Node | None, Interface("t.Either")]


def declared(type_: type, schema: Schema = SCHEMA) -> list[tuple[str, str, str]]:
    return [(field.name, field.code, field.signature) for field in schema.by_type[type_].fields]


def test_fields_are_named_in_camel_case_and_ordered_as_java_orders_them() -> None:
    assert declared(Bag) == [
        ("big", "J", ""),
        ("isOpen", "Z", ""),
        ("ratio", "D", ""),
        ("small", "B", ""),
        ("boxed", "L", "Ljava/lang/Integer;"),
        ("names", "L", "Ljava/util/List;"),
        ("points", "L", "Ljava/util/Set;"),
        ("shade", "L", "Lt/Shade;"),
        ("shades", "L", "Ljava/util/Map;"),
        ("thing", "L", "Lt/Thing;"),
    ]


def test_a_child_declares_only_its_own_fields() -> None:
    assert [name for name, _, _ in declared(Child)] == ["extra", "more"]
    parent = SCHEMA.by_type[Child].parent
    assert parent is not None
    assert parent.name == "t.Parent"


def test_a_field_may_have_another_name() -> None:
    names = {"can_force_dome": "canForceMove"}
    schema = Schema({Renamed: Java("t.Renamed", 1, names=names), Point: Java("t.P", 1), Node: Java("t.N", 1)})
    assert declared(Renamed, schema) == [
        ("canForceMove", "Z", ""),
        ("longName", "B", ""),
        ("either", "L", "Lt/Either;"),
    ]


def test_values_that_reference_other_objects_cannot_be_hashed() -> None:
    with pytest.raises(TypeError, match="nodes"):
        Schema({Keyed: Java("t.Keyed", 1), Node: Java("t.Node", 1)})


def test_flat_types_are_those_without_objects() -> None:
    assert {Point, Shade, str, int} < SCHEMA.flat
    assert Node not in SCHEMA.flat
