"""Every class on the wire is the class of the protocol page: name, serialVersionUID, superclass, fields, types.

`java_classes.json` is transcribed from the catalogue of the page; nothing in it comes from the tables under test.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from boardwire.dialects.eriantys_objects import messages
from boardwire.dialects.eriantys_objects.messages import SHIPPED
from boardwire.wire.javastream import Framing, Reader, Writer

from ..java_golden import HEADER, Catalogue, Constant, JavaObject
from .test_messages import LOGIN, PING

TABLE: dict[str, dict[str, Any]] = json.loads((Path(__file__).parent / "java_classes.json").read_text())
CLASSES, ENUMS = TABLE["classes"], TABLE["enums"]
MESSAGE = "it.polimi.ingsw.network.message."
RESET = b"\x79"
CONCRETE = [name for name in CLASSES if name not in (f"{MESSAGE}Message", f"{MESSAGE}DisplayMessage")]


def struct_of(name: str) -> Any:
    return getattr(messages, name.rpartition(".")[2])


def catalogue() -> Catalogue:
    return Catalogue(
        CLASSES,
        {name: struct_of(name) for name in CLASSES},
        {name: struct_of(name) for name in ENUMS},
        names={("DisplayMessage", "objectDisplay"): "parent_display"},
        interfaces={"Effect": "it.polimi.ingsw.model.effects.Effect"},
        depth=2,
    )


def test_the_schema_has_exactly_the_classes_of_the_specification() -> None:
    assert {java.name for java in SHIPPED.types.values()} == set(CLASSES)
    assert set(SHIPPED.enums.values()) == set(ENUMS)


@pytest.mark.parametrize("name", ENUMS)
def test_an_enum_has_the_constants_of_the_specification_in_order(name: str) -> None:
    assert list(struct_of(name).__members__) == ENUMS[name]


@pytest.mark.parametrize("name", CONCRETE)
def test_a_class_is_written_as_its_program_writes_it(name: str) -> None:
    table = catalogue()
    sample = table.sample(name)
    assert Writer(SHIPPED, Framing.ONCE).encode(sample.python) == table.golden(sample.java) + RESET


@pytest.mark.parametrize("name", CONCRETE)
def test_a_class_is_read_as_its_program_writes_it(name: str) -> None:
    table = catalogue()
    sample = table.sample(name)
    stream = HEADER + table.golden(sample.java) + RESET
    assert Reader(SHIPPED, framing=Framing.ONCE).feed(stream) == [sample.python]


@pytest.mark.parametrize("name", [name for name in CONCRETE if name.startswith(MESSAGE)])
def test_a_message_has_the_type_of_its_class_by_default(name: str) -> None:
    entry, struct = CLASSES[name], struct_of(name)
    defaults = {field: struct.__struct_defaults__[-at] for at, field in enumerate(reversed(_defaulted(struct)), 1)}
    assert defaults["message_type"].name == entry["type"]
    if "display" in entry:
        assert defaults["object_display"].name == entry["display"]


def _defaulted(struct: Any) -> list[str]:
    fields: tuple[str, ...] = struct.__struct_fields__
    return list(fields[len(fields) - len(struct.__struct_defaults__) :])


def test_the_golden_bytes_are_those_of_recorded_java_programs() -> None:
    table = catalogue()
    for bare, kind, nickname, recorded in (
        ("PingMessage", "PING", None, PING),
        ("LoginRequest", "LOGIN_REQUEST", "p1", LOGIN),
    ):
        values = {f"{MESSAGE}{bare}": [], f"{MESSAGE}Message": [Constant(f"{MESSAGE}MessageType", kind), nickname]}
        assert table.golden(JavaObject(table.java(MESSAGE + bare), values)).hex() == recorded
