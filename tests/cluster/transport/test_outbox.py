"""Letters between nodes: gathered, numbered, missed."""

from __future__ import annotations

import pytest

from boardwire.cluster.ports import Peer
from boardwire.cluster.transport import messages
from boardwire.cluster.transport.messages import VERSION, Envelope, Gone, Letter, Presiding
from boardwire.cluster.transport.outbox import UNHEARD_PULSES, Mail

PEERS = (Peer("north", 1), Peer("south", 1))


class Post:
    """Two nodes; what they send is kept until it is carried."""

    def __init__(self) -> None:
        self.sent: list[tuple[str, bytes]] = []
        self.heard: list[tuple[str, Letter]] = []
        self.lost: list[str] = []
        self.north = self.node("north")
        self.south = self.node("south")

    def node(self, name: str, life: int = 1) -> Mail:
        mail = Mail(
            name, life, lambda node, data: self.sent.append((node, data)), lambda call: None,
            lambda node, letter: self.heard.append((node, letter)), self.lost.append,
        )  # fmt: skip
        mail.know(PEERS)
        return mail

    def carry(self) -> None:
        sent, self.sent = self.sent, []
        for node, data in sent:
            (self.north if node == "north" else self.south).arrive(data)


def test_what_is_put_in_one_turn_goes_in_one_envelope() -> None:
    post = Post()
    post.north.put("south", Gone(1))
    post.north.put("south", Gone(2))
    post.north.flush()
    assert len(post.sent) == 1
    post.carry()
    assert post.heard == [("north", Gone(1)), ("north", Gone(2))]
    assert post.lost == []


def test_an_envelope_that_is_lost_is_missed_by_the_next_one() -> None:
    post = Post()
    for number in range(3):
        post.north.put("south", Gone(number))
        post.north.flush()
        if number == 1:
            post.sent.clear()
        post.carry()
    assert [letter for _, letter in post.heard] == [Gone(0), Gone(2)]
    assert post.lost == ["north"]


def test_the_last_envelope_is_missed_by_a_pulse() -> None:
    post = Post()
    post.north.put("south", Gone(1))
    post.north.flush()
    post.sent.clear()
    post.north.pulse()
    post.carry()
    assert (post.heard, post.lost) == ([], ["north"])
    post.north.pulse()
    post.carry()
    assert post.lost == ["north"], "it is said once"


def test_what_comes_twice_is_read_once() -> None:
    post = Post()
    post.north.put("south", Gone(1))
    post.north.flush()
    post.sent *= 2
    post.carry()
    assert len(post.heard) == 1


def test_what_was_for_another_life_is_not_read() -> None:
    post = Post()
    post.north.put("south", Gone(1))
    post.north.flush()
    post.south = post.node("south", life=2)
    post.south.know((Peer("north", 1), Peer("south", 2)))
    post.carry()
    assert post.heard == []
    post.north.know((Peer("north", 1), Peer("south", 2)))
    post.north.put("south", Gone(2))
    post.north.flush()
    post.carry()
    assert [letter for _, letter in post.heard] == [Gone(2)]
    assert post.lost == []


def test_a_node_that_was_taken_to_be_dead_is_heard_when_it_is_back() -> None:
    post = Post()
    for number in range(3):
        post.north.put("south", Gone(number))
        post.north.flush()
        post.carry()
    post.north.know((Peer("north", 1),))
    post.north.know(PEERS)
    post.north.put("south", Gone(3))
    post.north.flush()
    post.carry()
    assert [letter for _, letter in post.heard] == [Gone(0), Gone(1), Gone(2), Gone(3)]
    assert post.lost == []


def test_nothing_is_written_to_a_node_that_is_not_there() -> None:
    post = Post()
    post.north.put("east", Presiding())
    post.north.flush()
    assert post.sent == []


def test_the_next_version_is_read_and_the_one_after_that_is_not() -> None:
    post = Post()
    for version in (VERSION + 1, VERSION + 2):
        post.south.arrive(messages.encode(Envelope(version, "north", 1, version, 1, [Gone(version)])))
    assert [letter for _, letter in post.heard] == [Gone(VERSION + 1)]
    assert post.south.strangers == {"north"}


@pytest.mark.parametrize("data", [b"hello", b"\x96\x01\xa5nor\x96h\x01\x01\x01\x90"])
def test_what_is_no_envelope_is_dropped(data: bytes) -> None:
    post = Post()
    post.south.arrive(data)
    assert post.heard == []


def test_a_generation_that_the_database_does_not_know_is_refused_and_harms_nothing() -> None:
    post = Post()
    forged = Envelope(VERSION, "north", 2**60, 1, 1, [Gone(99)])
    post.south.arrive(messages.encode(forged))
    post.north.put("south", Gone(1))
    post.north.flush()
    post.carry()
    assert [letter for _, letter in post.heard] == [Gone(1)], "the real node is heard after the forgery"
    assert post.lost == []


def test_a_node_that_is_no_member_is_not_heard() -> None:
    post = Post()
    post.south.arrive(messages.encode(Envelope(VERSION, "stranger", 1, 1, 1, [Gone(1)])))
    assert post.heard == []
    assert post.south.unheard == []


def test_a_restarted_node_is_heard_from_its_first_envelope_on() -> None:
    post = Post()
    post.north.put("south", Gone(1))
    post.north.flush()
    post.carry()
    peers = (Peer("north", 2), Peer("south", 1))
    post.north = post.node("north", life=2)
    post.north.know(peers)
    post.south.know(peers)
    post.north.put("south", Gone(2))
    post.north.flush()
    post.carry()
    assert [letter for _, letter in post.heard] == [Gone(1), Gone(2)]
    assert post.lost == []


def test_a_member_whose_messages_are_refused_for_seconds_is_named() -> None:
    post = Post()
    stale = messages.encode(Envelope(VERSION, "north", 7, 1, 1, [Gone(1)]))
    for _ in range(UNHEARD_PULSES):
        assert post.south.unheard == []
        post.south.arrive(stale)
        post.south.pulse()
    assert post.south.unheard == ["north"]
    post.north.put("south", Gone(1))
    post.north.flush()
    post.carry()
    assert post.south.unheard == []


def test_a_member_that_left_is_named_no_longer() -> None:
    post = Post()
    post.south.arrive(messages.encode(Envelope(VERSION, "north", 7, 1, 1, [Gone(1)])))
    for _ in range(UNHEARD_PULSES):
        post.south.pulse()
    post.south.know((Peer("south", 1),))
    assert post.south.unheard == []
