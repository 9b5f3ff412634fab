"""Counters of moves by game, and histograms of commits."""

from __future__ import annotations

from boardwire.simulation.server import SimulatedServer
from boardwire.table.counters import BUCKET_BOUNDS_SECONDS, CommitCounters, counters_of


def test_every_step_of_a_player_is_counted_and_nothing_else() -> None:
    before = counters_of("tris").moves
    server = SimulatedServer(1)
    ann, bob = server.connect("tris-lines"), server.connect("tris-lines")
    for peer, cell in ((ann, 0), (bob, 0), (bob, 3), (bob, 4), (ann, 1)):
        peer.send(b"%d\n" % cell)
    assert counters_of("tris").moves - before == 3
    assert counters_of("tris") is counters_of("tris")


def test_a_commit_belongs_to_the_class_of_its_time() -> None:
    tally = CommitCounters()
    for seconds in (0.0, *BUCKET_BOUNDS_SECONDS, 2.0):
        tally.add(seconds, 1)
    assert tally.buckets == [2, *[1] * (len(BUCKET_BOUNDS_SECONDS) - 1), 1]
    assert tally.events == len(BUCKET_BOUNDS_SECONDS) + 2
