"""Moves are counted by game, also those that are taken back."""

from __future__ import annotations

from boardwire.table.tally import tally_of
from boardwire.testing.house import House


def test_every_step_of_a_player_is_counted_and_nothing_else() -> None:
    before = tally_of("tris").moves
    house = House(1)
    ann, bob = house.connect("tris-lines"), house.connect("tris-lines")
    for peer, cell in ((ann, 0), (bob, 0), (bob, 3), (bob, 4), (ann, 1)):
        peer.send(b"%d\n" % cell)
    assert tally_of("tris").moves - before == 3
    assert tally_of("tris") is tally_of("tris")
