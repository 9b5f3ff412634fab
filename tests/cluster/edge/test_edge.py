"""The edge side of a node."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import pytest

from boardwire.cluster.edge.edge import PLACE_ATTEMPTS
from boardwire.cluster.transport.messages import Placed
from boardwire.lobby.requests import Watch
from boardwire.table.events import Chatted, Event, encode
from boardwire.table.guest import Notification, Refusal

from ..test_member import Caller, hosts, opened, seats_with_keys


def test_a_guest_that_leaves_during_a_read_leaves_no_replica_behind() -> None:
    world = opened()
    ann, bob, match, _ = seats_with_keys(world)
    number = len(world.journal(match)) + 1
    world.database.append(match, number, [encode(Chatted(world.now, 0, "farewell"))])
    ann.node.kill()  # before it could tell anyone

    def leave(notification: Notification) -> None:
        bob.node.member.disconnected(bob.guest)

    bob.guest.tell = leave
    world.run(8)
    assert hosts(world, match) == [bob.node.name]
    assert match not in bob.node.member.edge.replicas


def test_a_guest_whose_match_cannot_be_read_to_its_end_is_refused_after_a_few_attempts(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    world = opened()
    _, bob, match, _ = seats_with_keys(world)
    edge, carl = bob.node.member.edge, Caller(bob.node)
    told: list[Notification] = []
    carl.guest.tell = told.append
    bob.node.member.do(carl.guest, Watch(match))
    record = bob.node.record_of(carl.guest)
    lagging = world.journal(match)[:-1]
    reads: list[str] = []

    def fetch(match: str, after: int, done: Callable[[Sequence[Event] | None], None]) -> None:
        reads.append(match)
        done(lagging)

    monkeypatch.setattr(edge._reader, "fetch", fetch)
    edge.handle_placement(bob.node.name, Placed(record.number, record.epoch, match, None, "elsewhere"))
    assert len(reads) == PLACE_ATTEMPTS
    (refusal,) = told
    assert isinstance(refusal, Refusal)
    assert str(refusal.reason) == "the match changes too fast to join it; try again in a moment"
    assert not record.pending
