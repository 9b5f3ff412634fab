"""Classes of santorini-objects; their bytes are tested with the codec, on recorded messages."""

from __future__ import annotations

import pytest

from boardwire.dialects.santorini_objects.messages.classes import (
    D1,
    D2,
    Connection,
    ConsolidateMove,
    F,
    InitializeWorkerPositions,
    Message,
    Position,
    RequestBuild,
    RequestOptional,
)
from boardwire.errors import Malformed
from boardwire.wire.javastream import Reader, Schema, Writer


def java_fields(schema: Schema, type_: type) -> list[str]:
    return [field.name for field in schema.by_type[type_].fields]


def test_the_editions_have_all_their_classes() -> None:
    assert len(D1.types) == len(D2.types) == 18
    assert len(F.types) == 22
    assert not {java.name for java in D2.types.values()} & {java.name for java in F.types.values()}


def test_d1_and_d2_differ_in_one_class() -> None:
    other = [type_ for type_ in D2.types if D1.types[type_] != D2.types[type_]]
    assert other == [RequestOptional]
    assert "canForceMove" in java_fields(D1, RequestOptional)
    assert "canForceDome" in java_fields(D2, RequestOptional)


def test_quirk_the_permission_for_a_dome_is_called_can_force_move() -> None:
    for schema in (D1, D2):
        assert java_fields(schema, RequestBuild)[0] == "canForceMove"


@pytest.mark.parametrize(
    ("message", "schema"), [(Message("2 players"), D2), (Connection(2, "Anna"), F)], ids=["document", "shipped"]
)
def test_the_first_object_tells_the_edition(message: Message | Connection, schema: Schema) -> None:
    reader = Reader(D2, F)
    assert reader.feed(Writer(schema).encode(message)) == [message]
    assert reader.schema is schema


def test_a_client_in_between_the_editions_is_refused() -> None:
    """A `SerializableConnection` in the document's package [1]."""
    raw = Writer(F).encode(Connection(2, "Anna"))
    name = b"it.polimi.ingsw.server.serializable.SerializableConnection"
    between = raw[:6] + len(name).to_bytes(2, "big") + name + raw[8 + 0x45 :]
    with pytest.raises(Malformed, match="unknown class"):
        Reader(D2, F).feed(between)


def test_the_other_form_of_request_optional_is_another_version() -> None:
    none: frozenset[Position] = frozenset()
    message = RequestOptional(True, False, True, 1, none, none, none, none)
    with pytest.raises(Malformed, match="serialVersionUID"):
        Reader(D1).feed(Writer(D2).encode(message))


def test_missing_client_values_are_none() -> None:
    for message in (ConsolidateMove(1, None), InitializeWorkerPositions(None), InitializeWorkerPositions((None,))):
        assert Reader(F).feed(Writer(F).encode(message)) == [message]
