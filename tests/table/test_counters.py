"""Counters of moves by game, and histograms of commits."""

from __future__ import annotations

from boardwire.simulation.server import House
from boardwire.table.counters import BOUNDS, CommitTally, tally_of


def test_every_step_of_a_player_is_counted_and_nothing_else() -> None:
    before = tally_of("tris").moves
    house = House(1)
    ann, bob = house.connect("tris-lines"), house.connect("tris-lines")
    for peer, cell in ((ann, 0), (bob, 0), (bob, 3), (bob, 4), (ann, 1)):
        peer.send(b"%d\n" % cell)
    assert tally_of("tris").moves - before == 3
    assert tally_of("tris") is tally_of("tris")


def test_a_commit_belongs_to_the_class_of_its_time() -> None:
    tally = CommitTally()
    for seconds in (0.0, *BOUNDS, 2.0):
        tally.add(seconds, 1)
    assert tally.classes == [2, *[1] * (len(BOUNDS) - 1), 1]
    assert tally.events == len(BOUNDS) + 2
