"""The bytes of scripted matches equal those of the original Java classes."""

from __future__ import annotations

import io
import json
from pathlib import Path
from typing import Any

import pytest
from javaobj.v2.main import load

from boardwire.dialects.santorini_objects.editions import Edition, EditionDecoder
from boardwire.dialects.santorini_objects.messages.classes import (
    Connection,
    ConsolidateBuild,
    ConsolidateMove,
    InitializeGodPower,
    Message,
    Position,
)
from boardwire.games.santorini.actions import DealGod
from boardwire.games.santorini.powers.catalogue import God

from .spoken import BY_NAME, EDITION, Caller, Hall, at_position

VECTORS = json.loads((Path(__file__).parents[2] / "wire/javastream/vectors/santorini-objects.json").read_text())


def golden(name: str, vector: str) -> bytes:
    dialect = {"D": "D2", "D1": "D1", "F": "F"}[name]
    (found,) = [v["hex"] for v in VECTORS if v["dialect"] == dialect and v["name"] == vector]
    return bytes.fromhex(found)


def pan_and_zeus() -> Hall:
    return Hall(deals=[DealGod(God.ZEUS), DealGod(God.PAN)])


@pytest.mark.parametrize("name", ["D", "D1"])
def test_the_documents_handshake_is_byte_for_byte_the_original(name: str) -> None:
    server = pan_and_zeus()
    anna, bruno = server.connect(BY_NAME[name]), server.connect(BY_NAME[name])
    anna.send(golden(name, "Message_2players"))
    bruno.send(golden(name, "Message_2players"))
    assert anna.take() == bruno.take() == golden(name, "Message_name_req")
    encode = EDITION[name].encode
    anna.send(encode(Message("Anna")))
    bruno.send(encode(Message("Bruno")))
    assert anna.take() == b"".join(
        golden(name, vector)
        for vector in ("Message_id", "SerializableUpdateInitializeNames", "SerializableRequestInitializeGame")
    )
    bruno.drop()
    assert anna.take() == golden(name, "SerializableUpdateDisconnection")


def test_the_shipped_handshake_is_byte_for_byte_the_original() -> None:
    server = pan_and_zeus()
    anna, bruno = server.connect(BY_NAME["F"]), Caller(server, "F")
    anna.send(golden("F", "SerializableConnection"))
    bruno.say(Connection(2, "Bruno"))
    assert anna.take() == b"".join(
        golden("F", vector)
        for vector in (
            "Message_PLAYER_1",
            "SerializableUpdateInitializeNames",
            "SerializableRequestInitializeGodPower",
        )
    )
    anna.send(Edition.F.encode(InitializeGodPower("Pan")))
    assert anna.take() == golden("F", "SerializableUpdateInitializeGodPower")
    bruno.peer.drop()
    assert anna.take() == golden("F", "SerializableUpdateDisconnection")


@pytest.mark.parametrize("name", ["D", "D1"])
def test_a_turn_of_the_document_is_byte_for_byte_the_original(name: str) -> None:
    _, (anna, bruno) = at_position("0001000000000000000000000/1/mortal:C4,D4/mortal:E1,E2", name, name)
    start = bruno.peer.take()
    assert golden(name, "SerializableUpdateTurn") in start
    anna.say(ConsolidateMove(2, Position(3, 4, 1)))
    assert bruno.peer.take() == golden(name, "SerializableUpdateMove")
    _, (anna, bruno) = at_position("0000000000000000000000000/1/mortal:A1,A2/mortal:E1,E2", name, name)
    bruno.peer.take()
    anna.say(ConsolidateMove(2, Position(0, 2, 0)), ConsolidateBuild(False, 2, Position(1, 2, 0)))
    assert golden(name, "SerializableUpdateBuild") in bruno.peer.take()


@pytest.mark.parametrize("name", ["D", "F"])
def test_moves_that_the_original_client_sends_are_understood(name: str) -> None:
    """The recorded move is worker 2 to (1,2,0)."""
    server, (anna, bruno) = at_position("0000000000000000000000000/1/mortal:A1,A3/mortal:E1,E2", name, name)
    bruno.peer.take()
    anna.peer.send(golden(name, "SerializableConsolidateMove"))
    assert server.match().position.workers[0] == (20, 11)


@pytest.mark.parametrize(("name", "vector"), [("D", "SerializableUpdateWinner"), ("F", "SerializableUpdateWinner")])
def test_the_end_is_byte_for_byte_the_original(name: str, vector: str) -> None:
    _, (anna, bruno) = at_position("2300000000000000000000000/1/mortal:A5,A1/mortal:E1,E2", name, name)
    anna.say(ConsolidateMove(1, Position(1, 4, 3)))
    assert bruno.peer.take().endswith(golden(name, vector))
    assert anna.peer.closed
    assert bruno.peer.closed


@pytest.mark.parametrize("name", ["D", "F"])
def test_an_independent_java_stream_reader_reads_all_messages(name: str) -> None:
    """Each message is a separate stream, so each is read alone."""
    _, callers = at_position("0000000000000000000000000/1/mortal:A1,A3/mortal:E1,E2", name, name)
    raw = callers[0].peer.take()
    header = b"\xac\xed\x00\x05"
    parts = [header + part for part in raw.split(header)[1:]]
    ours: list[Any] = [heard for heard in EditionDecoder(EDITION[name]).feed(raw) if not isinstance(heard, Edition)]
    theirs = [load(io.BytesIO(part)).classdesc.name.rpartition(".")[2] for part in parts]
    assert theirs == [EDITION[name].schema.types[type(message)].name.rpartition(".")[2] for message in ours]
