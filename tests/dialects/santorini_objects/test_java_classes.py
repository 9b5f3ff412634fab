"""Every class of every edition matches the specification: name, serialVersionUID, fields, types.

`java_classes.json` is transcribed from the specification's catalogue; nothing in it comes from the tables under test.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from boardwire.dialects.santorini_objects.messages import classes
from boardwire.wire.javastream import Reader, Writer

from ..java_golden import HEADER, Catalogue, Cells, JavaObject

HERE = Path(__file__).parent
TABLE: dict[str, dict[str, Any]] = json.loads((HERE / "java_classes.json").read_text())
EDITIONS = {
    "D1": (classes.D1, {**TABLE["D"], **TABLE["D1"]}),
    "D2": (classes.D2, {**TABLE["D"], **TABLE["D2"]}),
    "F": (classes.F, TABLE["F"]),
}
VECTORS = json.loads((HERE.parents[1] / "wire/javastream/vectors/santorini-objects.json").read_text())
SHIPPED = {"SerializableUpdateTurn": classes.UpdateShippedTurn, "SerializableUpdateMove": classes.UpdateShippedMove}
MISNAMED = {
    ("SerializableRequestBuild", "canForceMove"): "can_force_dome",
    ("SerializableRequestOptional", "canForceMove"): "can_force_dome",
}


def struct_of(edition: str, name: str) -> type:
    bare = name.rpartition(".")[2]
    if edition == "F" and bare in SHIPPED:
        return SHIPPED[bare]
    found: type = getattr(classes, bare.removeprefix("Serializable"))
    return found


def catalogue(edition: str) -> Catalogue:
    table = EDITIONS[edition][1]
    return Catalogue(table, {name: struct_of(edition, name) for name in table}, names=MISNAMED)


EVERY = [pytest.param(edition, name, id=f"{edition}-{name}") for edition in EDITIONS for name in EDITIONS[edition][1]]


@pytest.mark.parametrize("edition", EDITIONS)
def test_an_edition_has_exactly_the_classes_of_the_specification(edition: str) -> None:
    schema, table = EDITIONS[edition]
    assert {java.name for java in schema.types.values()} == set(table)


@pytest.mark.parametrize(("edition", "name"), EVERY)
def test_a_class_is_encoded_as_its_program_encodes_it(edition: str, name: str) -> None:
    table = catalogue(edition)
    sample = table.sample(name)
    assert Writer(EDITIONS[edition][0]).encode(sample.python) == HEADER + table.golden(sample.java)


@pytest.mark.parametrize(("edition", "name"), EVERY)
def test_a_class_is_decoded_as_its_program_encodes_it(edition: str, name: str) -> None:
    table = catalogue(edition)
    sample = table.sample(name)
    assert Reader(EDITIONS[edition][0]).feed(HEADER + table.golden(sample.java)) == [sample.python]


# --- the writer of golden bytes itself --------------------------------------------------------------------------------


def java_value(table: Catalogue, kind: str, value: Any) -> Any:
    """Return a value of a recorded message for the writer of golden bytes."""
    bare, _, inner = kind.rstrip(">").partition("<")
    if bare == "List":
        return [java_value(table, inner, one) for one in value]
    if bare == "Set":
        return Cells([java_value(table, inner, one) for one in value])
    if bare == "Position":
        name = next(name for name in table.classes if name.endswith(".Position"))
        return JavaObject(table.java(name), {name: value})
    return java_object(table, bare, value) if isinstance(value, dict) else value


def java_object(table: Catalogue, bare: str, decoded: dict[str, Any]) -> JavaObject:
    name = next(name for name in table.classes if name.endswith(f".{bare}"))
    fields = table.classes[name]["fields"]
    return JavaObject(table.java(name), {name: [java_value(table, kind, decoded[field]) for field, kind in fields]})


def shares_objects(vector: dict[str, Any]) -> bool:
    """Return whether a cell occurs twice: the recorded program wrote it once and referred back to it."""
    cells = json.dumps(vector["decoded"]).count("[1, 2, 0]")
    return cells > 1


@pytest.mark.parametrize(
    "vector", [v for v in VECTORS if not shares_objects(v)], ids=lambda v: f"{v['dialect']}-{v['name']}"
)
def test_the_golden_bytes_are_those_of_recorded_java_programs(vector: dict[str, Any]) -> None:
    table = catalogue(vector["dialect"])
    assert HEADER + table.golden(java_object(table, vector["decoded"]["_"], vector["decoded"])) == bytes.fromhex(
        vector["hex"]
    )
