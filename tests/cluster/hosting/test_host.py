"""The node that hosts tables: guests that did not hear of their seats."""

from __future__ import annotations

from boardwire.lobby.requests import Seek
from boardwire.table.events import Player
from boardwire.table.guest import Seated

from ..test_member import Caller, opened, others


def test_a_guest_that_sits_at_another_table_by_now_is_not_seated_again() -> None:
    world = opened()
    (seated, _) = Caller(others(world)[0]).ask(Seek("tris", 2, Player("ann", "test")))
    assert isinstance(seated, Seated)
    host = next(node for node in world.nodes.values() if node.lobby.hosted(seated.match.id) is not None)
    lost = host.lobby.hosted(seated.match.id)
    assert lost is not None
    bob = Caller(host)
    assert isinstance(bob.ask(Seek("forza", 2, Player("bob", "test")))[0], Seated)
    own = bob.guest.table
    assert own is not None
    bob.notifications.clear()
    host.member.host.seat_again(bob.guest, lost, 1)
    world.run(2)
    assert bob.guest.table is own
    assert bob.notifications == []
