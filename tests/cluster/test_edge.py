"""An edge whose guests do what they like while they are told what happened."""

from __future__ import annotations

from boardwire.table.events import Chatted, encode
from boardwire.table.guest import News

from .test_member import hosts, opened, seats_with_keys


def test_whoever_leaves_on_reading_what_happened_leaves_no_replica_behind() -> None:
    world = opened()
    ann, bob, match, _ = seats_with_keys(world)
    number = len(world.journal(match)) + 1
    world.database.append(match, number, [encode(Chatted(world.now, 0, "farewell"))])
    ann.node.kill()  # before it could tell anybody

    def leave(news: News) -> None:
        bob.node.member.goodbye(bob.guest)

    bob.guest.tell = leave
    world.run(8)
    assert hosts(world, match) == [bob.node.name]
    assert match not in bob.node.member.edge.replicas
