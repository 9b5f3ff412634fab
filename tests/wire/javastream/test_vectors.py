"""The recorded messages of real Java programs: encoded byte for byte, decoded to their values, cut in every way."""

from __future__ import annotations

import io
import json
from pathlib import Path
from typing import Any

import msgspec
import pytest
from javaobj.v2.main import load

from boardwire.dialects.santorini_objects.messages.classes import D1, D2, F, Position
from boardwire.errors import Malformed
from boardwire.wire.javastream import Reader, Schema, StreamLimits, Writer

SCHEMAS = {"D1": D1, "D2": D2, "F": F}
VECTORS = json.loads((Path(__file__).parent / "vectors/santorini-objects.json").read_text())
IDS = [f"{vector['dialect']}-{vector['name']}" for vector in VECTORS]
every_vector = pytest.mark.parametrize("vector", VECTORS, ids=IDS)


def as_json(value: object, schema: Schema) -> Any:
    """A value as the vectors spell it, with Java's names."""
    if isinstance(value, Position):
        return [value.x, value.y, value.z]
    if isinstance(value, msgspec.Struct):
        java = schema.by_type[type(value)]
        fields = {field.name: as_json(getattr(value, field.attribute), schema) for field in java.fields}
        return {"_": java.name.rpartition(".")[2], **fields}
    if isinstance(value, tuple):
        return [as_json(element, schema) for element in value]
    if isinstance(value, frozenset):
        return sorted(as_json(element, schema) for element in value)
    return value


def from_json(value: Any, schema: Schema, cells: dict[tuple[int, ...], Position]) -> Any:
    """The reverse; equal positions become one object, as in the recorded programs."""
    if isinstance(value, dict):
        java = next(java for java in schema.by_type.values() if java.name.endswith("." + value["_"]))
        return java.type(**{field.attribute: _field(value[field.name], field, schema, cells) for field in java.fields})
    return value


def _field(value: Any, field: Any, schema: Schema, cells: dict[tuple[int, ...], Position]) -> Any:
    if not isinstance(value, list):
        return from_json(value, schema, cells)
    if "Position" in field.signature:
        return cells.setdefault(tuple(value), Position(*value))
    elements = [_field(part, field, schema, cells) if isinstance(part, dict) else _cell(part, cells) for part in value]
    elements = [from_json(part, schema, cells) for part in elements]
    return frozenset(elements) if field.signature == "Ljava/util/Set;" else tuple(elements)


def _cell(part: Any, cells: dict[tuple[int, ...], Position]) -> Any:
    return cells.setdefault(tuple(part), Position(*part)) if isinstance(part, list) else part


def drip(reader: Reader, raw: bytes) -> None:
    for at in range(len(raw)):
        reader.feed(raw[at : at + 1])


@every_vector
def test_a_recorded_message_decodes_to_its_values(vector: dict[str, Any]) -> None:
    schema = SCHEMAS[vector["dialect"]]
    (message,) = Reader(schema).feed(bytes.fromhex(vector["hex"]))
    assert as_json(message, schema) == vector["decoded"]


@every_vector
def test_the_values_of_a_recorded_message_encode_byte_for_byte(vector: dict[str, Any]) -> None:
    schema = SCHEMAS[vector["dialect"]]
    message = from_json(vector["decoded"], schema, {})
    assert Writer(schema).encode(message).hex() == vector["hex"]


@every_vector
def test_every_prefix_of_a_message_asks_for_more(vector: dict[str, Any]) -> None:
    schema, raw = SCHEMAS[vector["dialect"]], bytes.fromhex(vector["hex"])
    (whole,) = Reader(schema).feed(raw)
    for cut in range(len(raw)):
        reader = Reader(schema)
        assert reader.feed(raw[:cut]) == []
        assert reader.buffered == cut
        assert reader.feed(raw[cut:]) == [whole]
        assert reader.buffered == 0


@every_vector
def test_a_message_arrives_byte_by_byte(vector: dict[str, Any]) -> None:
    schema, raw = SCHEMAS[vector["dialect"]], bytes.fromhex(vector["hex"])
    reader = Reader(schema)
    given = [reader.feed(raw[at : at + 1]) for at in range(len(raw))]
    assert not any(given[:-1])
    assert as_json(given[-1][0], schema) == vector["decoded"]


@pytest.mark.parametrize("dialect", SCHEMAS)
def test_all_messages_arrive_in_one_segment(dialect: str) -> None:
    schema = SCHEMAS[dialect]
    vectors = [vector for vector in VECTORS if vector["dialect"] == dialect]
    stream = b"".join(bytes.fromhex(vector["hex"]) for vector in vectors)
    messages = Reader(schema).feed(stream)
    assert [as_json(message, schema) for message in messages] == [vector["decoded"] for vector in vectors]
    reader, cut = Reader(schema), []
    for at in range(0, len(stream), 97):
        cut += reader.feed(stream[at : at + 97])
    assert cut == messages


@every_vector
def test_a_message_one_byte_over_the_limit_is_malformed_however_it_comes(vector: dict[str, Any]) -> None:
    schema, raw = SCHEMAS[vector["dialect"]], bytes.fromhex(vector["hex"])
    assert Reader(schema, limits=StreamLimits(size=len(raw))).feed(raw)
    limits = StreamLimits(size=len(raw) - 1)
    with pytest.raises(Malformed, match="longer than"):
        Reader(schema, limits=limits).feed(raw)
    reader = Reader(schema, limits=limits)
    with pytest.raises(Malformed, match="longer than"):
        drip(reader, raw)


@every_vector
def test_another_reader_finds_the_same_values(vector: dict[str, Any]) -> None:
    schema, raw = SCHEMAS[vector["dialect"]], bytes.fromhex(vector["hex"])
    (message,) = Reader(schema).feed(raw)
    theirs = load(io.BytesIO(Writer(schema).encode(message)))
    java = schema.by_type[type(message)]
    assert theirs.classdesc.name == java.name
    for field in java.fields:
        ours = getattr(message, field.attribute)
        if isinstance(ours, bool | int | str):
            assert getattr(theirs, field.name) == ours
        elif isinstance(ours, tuple | frozenset):
            assert len(getattr(theirs, field.name)) == len(ours)
