"""No dialect reveals hidden information: a client gets the same bytes in twin matches."""

from __future__ import annotations

from itertools import groupby
from random import Random
from typing import Final

import pytest

from boardwire import dialects
from boardwire.dialects.dialect import ClientOptions
from boardwire.games import santorini
from boardwire.games.santorini import Draft, God, Options, Wording
from boardwire.lobby.requests import Open, Seek
from boardwire.simulation.server import SimulatedClient, SimulatedServer, play_together
from boardwire.table.commands import Act
from boardwire.table.events import Player
from boardwire.table.guest import Guest
from boardwire.testing import twins
from boardwire.testing.laws import Ply

# santorini-lobby leaves tables whose gods it has no words for, and that is all who hide something
DOORS: Final = tuple(name for name in dialects.of_game("santorini") if name != "santorini-lobby")
SECRETS: Final = ((God.PAN, God.HECATE), (God.APOLLO, God.TARTARUS), (God.MINOTAUR, God.HECATE))


def heard(door: str, options: Options, plies: list[Ply]) -> bytes:
    """Return the bytes that a client of a dialect in seat 0 gets during a match."""
    server = SimulatedServer()
    opener = Guest(lambda notification: None)
    server.lobby.do(opener, Open(Seek("santorini", 2, Player(dialect="native"), options)))
    peer = server.connect(door)
    client = SimulatedClient(
        door, lambda client, notification: None, ClientOptions("Ann", 2, {"game": "santorini"}), server.clock
    )
    play_together(server, [(client, peer)])
    table = server.lobby.table("match-1")
    assert table.match.chairs[0].player is not None
    other = Guest(lambda notification: None)
    server.lobby.do(other, Seek("santorini", 2, Player("Bob", "native")))
    play_together(server, [(client, peer)])
    told = b""
    for seat, row in groupby(plies, key=lambda ply: ply.seat):  # some protocols place both workers at once
        table.do(None, Act(seat, tuple(ply.action for ply in row)))
        told += peer.take()
    assert table.match.moves == len(plies)
    return told


@pytest.mark.parametrize("door", DOORS)
@pytest.mark.parametrize("gods", SECRETS, ids=lambda gods: "-".join(gods))
def test_no_dialect_reveals_hidden_information(door: str, gods: tuple[God, ...]) -> None:
    differ = 0
    for seed in range(3):
        options = Options(Draft.GIVEN, gods, wording=Wording.PRINTED if seed == 1 else Wording.REVISED)
        pairs = list(twins.pairs(santorini, options, options, 2, 0, Random(seed).randrange, 20))
        one, two = (heard(door, options, [pair[which] for pair in pairs]) for which in (0, 1))
        assert one == two
        assert one
        differ += any(first.after != second.after for first, second in pairs)
    assert differ
