"""Bad input of every kind in every phase: only the sender gets an error, and the journal does not change."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from boardwire.dialects.dialect import Dialect
from boardwire.dialects.santorini_actions.session import MAX_BAD_MESSAGES
from boardwire.simulation.server import SimulatedServer

from .players import DOCUMENT, SHIPPED, Raw, actions, start_from

EDITIONS = [DOCUMENT, SHIPPED]

GARBAGE = [
    "",
    "garbage",
    "quit",
    "[]",
    "7",
    "null",
    "{}",
    '{"action":7}',
    '{"action":"playStep"}',
    '{"action":"playStep","data":7}',
    '{"action":"playStep","data":{"x":5,"y":0}}',
    '{"action":"playStep","data":{"x":-1,"y":0}}',
    '{"action":"playStep","data":{"x":1.5,"y":0}}',
    '{"action":"playStep","data":{"x":100000000000000000000000,"y":0}}',
    '{"action":"playStep","data":{"x":true,"y":0}}',
    '{"action":"selectWorker","data":{"x":0,"y":0}}',
    '{"action":"selectWorker","data":{"playerNickname":null,"x":0,"y":0}}',
    '{"action":"setStartTurn","data":{"playerNickname":"ann","basicTurn":"maybe"}}',
    '{"action":"setPickedCards","data":{"cards":"PAN"}}',
    '{"action":"setPickedCards","data":{"cards":[1,2]}}',
    '{"action":"setWorkersPosition","data":{"playerNickname":"ann","workersPosition":[{"x":9,"y":9}]}}',
    '{"action":"addPlayer"}',
    '{"action":"addPlayer","data":{"playerNickname":"x","lobbySize":"many"}}',
    '{"action":"skipStep"} and more',
    '{"action":"skipStep","data":' + "[" * 5000,
    "[" * 5000,
    '{"action":"playStep","data":{"x":1,"y":2}',
]


def requests(me: str, other: str) -> Iterator[tuple[str, dict[str, Any]]]:
    """Return every request that is a choice, valid and invalid."""
    for name in (me, other, "nobody"):
        yield "setPlayerCard", {"playerNickname": name, "card": "PAN"}
        yield "setPlayerCard", {"playerNickname": name, "card": "HERMES"}
        yield "setPlayerCard", {"playerNickname": name, "card": "nonsense"}
        for cell in ((0, 0), (4, 4), (2, 2)):
            positions = [{"workerID": 0, "x": cell[0], "y": cell[1]}, {"workerID": 1, "x": 3, "y": 1}]
            yield "setWorkersPosition", {"playerNickname": name, "workersPosition": positions}
            yield "selectWorker", {"playerNickname": name, "x": cell[0], "y": cell[1]}
        yield "setWorkersPosition", {"playerNickname": name, "workersPosition": []}
        yield "setStartTurn", {"playerNickname": name, "basicTurn": True}
        yield "setStartTurn", {"playerNickname": name, "basicTurn": False}
        yield "addPlayer", {"playerNickname": name, "lobbySize": 2}
    for cards in ([], ["PAN"], ["PAN", "PAN"], ["PAN", "HERMES"], ["PAN", "x"], ["PAN", "ATLAS"], ["PAN"] * 3):
        yield "setPickedCards", {"cards": cards}
    for cell in ((0, 0), (0, 1), (4, 4), (2, 2)):
        yield "playStep", {"x": cell[0], "y": cell[1]}
    yield "skipStep", {}


def assault(server: SimulatedServer, attacker: Raw, other: Raw, error: str, allowed: str) -> None:
    """Send everything that `attacker` may not request now, and every kind of malformed line."""
    for client in (attacker, other):
        client.take()
    before = server.events()
    for action, data in requests(attacker.name, other.name):
        if action not in allowed.split():
            said = attacker.say(action, **data)
            assert actions(said) == [error], (action, data, said)
            assert attacker.say("getPlayers"), "and it is still served"
    for line in GARBAGE:
        assert actions(attacker.line(line)) == [error], line
    assert attacker.say("getPlayers")
    assert attacker.line('{"action":"dance","data":{"to":"music"}}') == [], "an unknown action is passed over"
    assert server.events() == before
    assert other.take() == []


@pytest.mark.parametrize("edition", EDITIONS)
def test_a_wrong_request_changes_nothing_in_any_phase(edition: Dialect) -> None:
    server = SimulatedServer(seed=0)
    error = "serverError" if edition is DOCUMENT else "invalidRequest"
    ann, bill = Raw(server, edition, "ann"), Raw(server, edition, "bill")
    ann.join()
    bill.join()

    def attack(anns: str = "", bills: str = "") -> None:
        assault(server, ann, bill, error, anns)
        assault(server, bill, ann, error, bills)

    def wrong(client: Raw, action: str, **data: Any) -> None:
        before = server.events()
        assert actions(client.say(action, **data)) == [error], (action, data)
        assert server.events() == before

    attack(anns="setPickedCards")
    for cards in ([], ["PAN"], ["PAN"] * 3, ["PAN", "PAN"], ["PAN", "HERMES"], ["PAN", "pan"], ["PAN", ""]):
        wrong(ann, "setPickedCards", cards=cards)
    ann.say("setPickedCards", cards=["PAN", "ARTEMIS"])
    attack(bills="setPlayerCard")
    for card in ("ATLAS", "HERMES", "", "artemis"):
        wrong(bill, "setPlayerCard", playerNickname="bill", card=card)
    wrong(bill, "setPlayerCard", playerNickname="ann", card="PAN")
    bill.say("setPlayerCard", playerNickname="bill", card="PAN")
    attack(anns="setPlayerCard")
    wrong(ann, "setPlayerCard", playerNickname="ann", card="PAN")
    ann.say("setPlayerCard", playerNickname="ann", card="ARTEMIS")
    attack(anns="setWorkersPosition")
    place(ann, wrong, [(0, 0), (0, 0)])
    place(ann, wrong, [(0, 0)])
    place(ann, wrong, [(0, 0), (1, 1), (2, 2)])
    place(ann, None, [(0, 0), (4, 4)])
    attack(bills="setWorkersPosition")
    place(bill, wrong, [(0, 0), (1, 1)])
    place(bill, wrong, [(2, 2), (4, 4)])
    place(bill, None, [(2, 2), (2, 3)])
    attack(anns="setStartTurn")
    wrong(ann, "setStartTurn", playerNickname="bill", basicTurn=False)
    ann.start()
    attack(anns="setStartTurn selectWorker")
    wrong(ann, "selectWorker", playerNickname="ann", x=2, y=2)
    wrong(ann, "selectWorker", playerNickname="ann", x=1, y=1)
    wrong(ann, "selectWorker", playerNickname="bill", x=0, y=0)
    ann.select(0, 0)
    attack(anns="setStartTurn selectWorker playStep")
    wrong(ann, "playStep", x=2, y=2)
    wrong(ann, "playStep", x=0, y=0)
    ann.step(0, 1)
    attack(anns="playStep skipStep")
    wrong(ann, "playStep", x=0, y=0)
    ann.say("skipStep")
    wrong(ann, "skipStep")
    wrong(ann, "playStep", x=4, y=4)
    attack(anns="playStep skipStep")
    assert actions(ann.step(0, 0))[:2] == ["battlefieldUpdate", "playStepResponse"]
    attack(bills="setStartTurn")
    assert server.match().moves == 10


def place(client: Raw, wrong: Any, cells: list[tuple[int, int]]) -> None:
    """Place workers, validly or not."""
    positions = [{"workerID": number, "x": x, "y": y} for number, (x, y) in enumerate(cells)]
    send = client.say if wrong is None else lambda action, **data: wrong(client, action, **data)
    send("setWorkersPosition", playerNickname=client.name, workersPosition=positions)


@pytest.mark.parametrize("edition", EDITIONS)
def test_too_many_bad_messages_in_a_row_end_the_connection(edition: Dialect) -> None:
    _, (ann, bill) = start_from("00000 00000 00000 00000 00000/1/pan:A5,E1/pan:C3,D3", edition)
    for _ in range(MAX_BAD_MESSAGES - 1):
        ann.line("garbage")
    ann.say("getPlayers")
    for _ in range(MAX_BAD_MESSAGES - 1):
        ann.line("garbage")
    assert not ann.peer.closed
    assert bill.take() == []
    ann.line("garbage")
    assert ann.peer.closed
    assert actions(bill.take()) == ["serverError"]
    assert bill.peer.closed


def test_a_line_that_is_too_long_ends_the_connection() -> None:
    _, (ann, bill) = start_from("00000 00000 00000 00000 00000/1/pan:A5,E1/pan:C3,D3")
    ann.peer.send(b"x" * 70_000)
    assert ann.peer.closed
    assert actions(bill.take()) == ["serverError"]


@settings(max_examples=60, deadline=None, derandomize=True)
@given(st.binary(max_size=80).filter(lambda line: b"\n" not in line and b"\r" not in line))
def test_random_bytes_change_nothing(line: bytes) -> None:
    server, (ann, bill) = start_from("00000 00000 00000 00000 00000/1/pan:A5,E1/pan:C3,D3")
    before = server.events()
    ann.peer.send(line + b"\n")
    assert server.events() == before
    assert bill.take() == []
    assert not ann.peer.closed


MESSAGE = json.dumps({"action": "setStartTurn", "data": {"playerNickname": "ann", "basicTurn": False}}).encode()


@pytest.mark.parametrize("end", [b"\n", b"\r\n", b"\r"])
def test_a_message_may_arrive_whole_or_byte_by_byte_with_any_line_ending(end: bytes) -> None:
    for whole in (True, False):
        _, (ann, _) = start_from("00000 00000 00000 00000 00000/1/pan:A5,E1/pan:C3,D3")
        for piece in [MESSAGE + end] if whole else [bytes([byte]) for byte in MESSAGE + end]:
            ann.peer.send(piece)
        assert actions(ann.take()) == ["setStartTurnResponse"]


def test_an_unterminated_message_is_not_processed() -> None:
    for cut in range(0, len(MESSAGE) + 1, 7):
        _, (ann, _) = start_from("00000 00000 00000 00000 00000/1/pan:A5,E1/pan:C3,D3")
        ann.peer.send(MESSAGE[:cut])
        assert ann.take() == []


def test_several_messages_in_one_segment_are_processed_in_order() -> None:
    server, (ann, _) = start_from("00000 00000 00000 00000 00000/1/pan:A5,E1/pan:C3,D3")
    turn = [
        {"action": "setStartTurn", "data": {"playerNickname": "ann", "basicTurn": False}},
        {"action": "selectWorker", "data": {"playerNickname": "ann", "x": 0, "y": 0}},
        {"action": "playStep", "data": {"x": 0, "y": 1}},
        {"action": "playStep", "data": {"x": 0, "y": 0}},
        {"action": "playStep", "data": {"x": 0, "y": 0}},
    ]
    ann.peer.send(b"".join(json.dumps(one).encode() + b"\n" for one in turn))
    assert actions(ann.take())[-1] == "serverError"
    assert server.match().moves == 2
