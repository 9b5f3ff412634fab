"""Envelopes: batched, numbered, and missed when lost."""

from __future__ import annotations

import pytest

from boardwire.cluster.ports import LiveNode
from boardwire.cluster.transport import messages
from boardwire.cluster.transport.messages import VERSION, Envelope, Gone, Message, Presiding
from boardwire.cluster.transport.outbox import REFUSED_PULSES, Outbox

PEERS = (LiveNode("north", 1), LiveNode("south", 1))


class Pair:
    """Two nodes; what they send is kept until `carry` delivers it."""

    def __init__(self) -> None:
        self.sent: list[tuple[str, bytes]] = []
        self.heard: list[tuple[str, Message]] = []
        self.lost: list[str] = []
        self.north = self.node("north")
        self.south = self.node("south")

    def node(self, name: str, generation: int = 1) -> Outbox:
        outbox = Outbox(
            name, generation, lambda node, data: self.sent.append((node, data)), lambda call: None,
            lambda node, message: self.heard.append((node, message)), self.lost.append,
        )  # fmt: skip
        outbox.set_members(PEERS)
        return outbox

    def carry(self) -> None:
        sent, self.sent = self.sent, []
        for node, data in sent:
            (self.north if node == "north" else self.south).receive(data)


def test_messages_of_one_loop_iteration_share_an_envelope() -> None:
    pair = Pair()
    pair.north.put("south", Gone(1))
    pair.north.put("south", Gone(2))
    pair.north.flush()
    assert len(pair.sent) == 1
    pair.carry()
    assert pair.heard == [("north", Gone(1)), ("north", Gone(2))]
    assert pair.lost == []


def test_a_lost_envelope_is_noticed_by_the_next_one() -> None:
    pair = Pair()
    for number in range(3):
        pair.north.put("south", Gone(number))
        pair.north.flush()
        if number == 1:
            pair.sent.clear()
        pair.carry()
    assert [message for _, message in pair.heard] == [Gone(0), Gone(2)]
    assert pair.lost == ["north"]


def test_loss_of_the_last_envelope_is_noticed_by_a_pulse() -> None:
    pair = Pair()
    pair.north.put("south", Gone(1))
    pair.north.flush()
    pair.sent.clear()
    pair.north.pulse()
    pair.carry()
    assert (pair.heard, pair.lost) == ([], ["north"])
    pair.north.pulse()
    pair.carry()
    assert pair.lost == ["north"], "it is said once"


def test_a_duplicate_is_dropped() -> None:
    pair = Pair()
    pair.north.put("south", Gone(1))
    pair.north.flush()
    pair.sent *= 2
    pair.carry()
    assert len(pair.heard) == 1


def test_an_envelope_for_an_earlier_generation_is_dropped() -> None:
    pair = Pair()
    pair.north.put("south", Gone(1))
    pair.north.flush()
    pair.south = pair.node("south", generation=2)
    pair.south.set_members((LiveNode("north", 1), LiveNode("south", 2)))
    pair.carry()
    assert pair.heard == []
    pair.north.set_members((LiveNode("north", 1), LiveNode("south", 2)))
    pair.north.put("south", Gone(2))
    pair.north.flush()
    pair.carry()
    assert [message for _, message in pair.heard] == [Gone(2)]
    assert pair.lost == []


def test_a_node_that_counted_as_dead_is_heard_when_it_returns() -> None:
    pair = Pair()
    for number in range(3):
        pair.north.put("south", Gone(number))
        pair.north.flush()
        pair.carry()
    pair.north.set_members((LiveNode("north", 1),))
    pair.north.set_members(PEERS)
    pair.north.put("south", Gone(3))
    pair.north.flush()
    pair.carry()
    assert [message for _, message in pair.heard] == [Gone(0), Gone(1), Gone(2), Gone(3)]
    assert pair.lost == []


def test_nothing_is_sent_to_a_node_that_is_not_live() -> None:
    pair = Pair()
    pair.north.put("east", Presiding())
    pair.north.flush()
    assert pair.sent == []


def test_the_next_version_is_read_and_the_one_after_that_is_not() -> None:
    pair = Pair()
    for version in (VERSION + 1, VERSION + 2):
        pair.south.receive(messages.encode(Envelope(version, "north", 1, version, 1, [Gone(version)])))
    assert [message for _, message in pair.heard] == [Gone(VERSION + 1)]
    assert pair.south.incompatible == {"north"}


@pytest.mark.parametrize("data", [b"hello", b"\x96\x01\xa5nor\x96h\x01\x01\x01\x90"])
def test_data_that_is_not_an_envelope_is_dropped(data: bytes) -> None:
    pair = Pair()
    pair.south.receive(data)
    assert pair.heard == []


def test_a_generation_that_the_database_does_not_know_is_refused_and_harms_nothing() -> None:
    pair = Pair()
    forged = Envelope(VERSION, "north", 2**60, 1, 1, [Gone(99)])
    pair.south.receive(messages.encode(forged))
    pair.north.put("south", Gone(1))
    pair.north.flush()
    pair.carry()
    assert [message for _, message in pair.heard] == [Gone(1)], "the real node is heard after the forgery"
    assert pair.lost == []


def test_a_node_that_is_not_a_member_is_not_heard() -> None:
    pair = Pair()
    pair.south.receive(messages.encode(Envelope(VERSION, "stranger", 1, 1, 1, [Gone(1)])))
    assert pair.heard == []
    assert pair.south.refused_members == []


def test_a_restarted_node_is_heard_from_its_first_envelope_on() -> None:
    pair = Pair()
    pair.north.put("south", Gone(1))
    pair.north.flush()
    pair.carry()
    peers = (LiveNode("north", 2), LiveNode("south", 1))
    pair.north = pair.node("north", generation=2)
    pair.north.set_members(peers)
    pair.south.set_members(peers)
    pair.north.put("south", Gone(2))
    pair.north.flush()
    pair.carry()
    assert [message for _, message in pair.heard] == [Gone(1), Gone(2)]
    assert pair.lost == []


def test_a_member_whose_messages_are_refused_for_seconds_is_reported() -> None:
    pair = Pair()
    stale = messages.encode(Envelope(VERSION, "north", 7, 1, 1, [Gone(1)]))
    for _ in range(REFUSED_PULSES):
        assert pair.south.refused_members == []
        pair.south.receive(stale)
        pair.south.pulse()
    assert pair.south.refused_members == ["north"]
    pair.north.put("south", Gone(1))
    pair.north.flush()
    pair.carry()
    assert pair.south.refused_members == []


def test_a_member_that_left_is_no_longer_reported() -> None:
    pair = Pair()
    pair.south.receive(messages.encode(Envelope(VERSION, "north", 7, 1, 1, [Gone(1)])))
    for _ in range(REFUSED_PULSES):
        pair.south.pulse()
    pair.south.set_members((LiveNode("south", 1),))
    assert pair.south.refused_members == []
