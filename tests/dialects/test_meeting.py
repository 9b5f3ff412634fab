"""Players waiting at different tables meet when a seat becomes free, in every dialect, and play to the end."""

from __future__ import annotations

from random import Random
from typing import Any

import msgspec
import pytest

from boardwire import dialects
from boardwire.dialects.dialect import Answer, Ask, ClientOptions, Over, Result
from boardwire.lobby.requests import Seek
from boardwire.simulation.server import SimulatedClient, SimulatedConnection, SimulatedServer, play_together
from boardwire.table.events import Player
from boardwire.table.guest import Guest, Tie

from .native.visitor import Visitor

SANTORINI = dialects.of_game("santorini")
ERIANTYS = dialects.of_game("eriantys")
TOWERS = ("WHITE", "BLACK", "GREY")


class Waiting:
    """A client of any dialect that plays at random and records the result."""

    def __init__(self, server: SimulatedServer, door: str, game: str, number: int, seats: int = 2) -> None:
        settings = {"game": game, "mode": "simplified", "tower": TOWERS[number]}
        self.name = f"name{number}"
        self.overs: list[Over] = []
        self._luck = Random(number)
        self._server = server
        self.peer: SimulatedConnection = server.connect(door)
        self.client = SimulatedClient(door, self._receive, ClientOptions(self.name, seats, settings), server.clock)
        self.carry(self)

    def carry(self, *others: Waiting) -> None:
        """Let every client send its pending messages."""
        play_together(self._server, [(one.client, one.peer) for one in others])

    def _receive(self, client: SimulatedClient, notification: Any) -> None:
        if isinstance(notification, Ask):
            client.talk.tell(Answer(self._luck.choice(tuple(notification.decision.choices))))
        elif isinstance(notification, Over):
            self.overs.append(notification)


def ghost(server: SimulatedServer, game: str, seats: int = 2) -> Guest:
    """Seat a guest that never becomes ready."""
    guest = Guest(lambda notification: None)
    terms = ("simplified",) if game == "eriantys" else ()
    server.lobby.do(guest, Seek(game, seats, Player(), terms=terms, ready=False))
    return guest


def meet(server: SimulatedServer, game: str, first: str, second: str) -> list[Waiting]:
    """Let one player wait beside an unready guest and another one elsewhere; then free the guest's seat."""
    ann = Waiting(server, first, game, 0)
    between = ghost(server, game)
    bob = Waiting(server, second, game, 1)
    assert len(server.lobby) == 2
    server.lobby.disconnected(between)
    ann.carry(ann, bob)
    return [ann, bob]


def ended_well(server: SimulatedServer, people: list[Waiting]) -> None:
    (match,) = (one for name in server.journal.names() if (one := server.match(name)).position is not None)
    assert match.outcome is not None
    assert {player.name for player in match.players if player is not None} == {one.name for one in people}
    results = [one.overs[-1].result for one in people if one.overs]
    assert len(results) == 2
    assert set(results) in ({Result.WON, Result.LOST}, {Result.DRAWN})
    others = [server.match(name) for name in server.journal.names() if name != match.id]
    assert [one.outcome.termination for one in others if one.outcome] == ["abandoned"] * len(others)


@pytest.mark.parametrize("door", SANTORINI)
def test_players_waiting_at_different_santorini_tables_meet(door: str) -> None:
    server = SimulatedServer(seed=1)
    ended_well(server, meet(server, "santorini", door, door))


@pytest.mark.slow
@pytest.mark.parametrize(("first", "second"), [*zip(SANTORINI, SANTORINI[1:] + SANTORINI[:1], strict=True)])
def test_players_of_different_protocols_meet(first: str, second: str) -> None:
    server = SimulatedServer(seed=2)
    ended_well(server, meet(server, "santorini", first, second))


@pytest.mark.parametrize(("first", "second"), [ERIANTYS[:2], ERIANTYS[1:], ERIANTYS[::-2]])
def test_players_waiting_at_different_eriantys_tables_meet(first: str, second: str) -> None:
    server = SimulatedServer(seed=1)
    ended_well(server, meet(server, "eriantys", first, second))


def test_a_waiting_tris_lines_client_keeps_its_side() -> None:
    server = SimulatedServer()
    nat = Guest(lambda notification: None)
    server.lobby.do(nat, Seek("tris", 2, Player("nat"), seat=1, tie=Tie.TABLE))
    between = ghost(server, "tris")
    ann = server.connect("tris-lines")
    assert ann.take() == b"WAIT\n"
    server.lobby.disconnected(between)
    assert ann.take() == b"READY\n"
    ann.send(b"4\n")
    assert ann.take() == b"OK\n"
    assert server.match("match-1").moves == 1


def test_two_waiting_tris_lines_clients_are_not_merged() -> None:
    server = SimulatedServer()
    ann, between, bob = server.connect("tris-lines"), ghost(server, "tris"), server.connect("tris-lines")
    server.lobby.disconnected(between)
    assert (ann.take(), bob.take()) == (b"WAIT\n", b"WAIT\n")
    cleo = server.connect("tris-lines")
    assert (cleo.take(), ann.take(), bob.take()) == (b"READY\n", b"READY\n", b"")


def test_users_of_merged_lobbies_are_announced_once() -> None:
    server = SimulatedServer(seed=1)

    def line(kind: str, **content: Any) -> bytes:
        return msgspec.json.encode({"type": kind, "content": content}) + b"\n"

    def heard(peer: SimulatedConnection) -> list[Any]:
        said = [msgspec.json.decode(one) for one in peer.take().splitlines()]
        named = [(one["type"], one["content"].get("user", {}).get("username")) for one in said if one["type"] != "PING"]
        return [kind if name is None else f"{kind} {name}" for kind, name in named]

    ann = server.connect("santorini-lobby")
    ann.send(line("SELECT_PLAYER_NUMBER", size=3) + line("ADD_USER", user={"username": "ann"}))
    between = [ghost(server, "santorini", 3), ghost(server, "santorini", 3)]
    bob, cleo, zoe = (server.connect("santorini-lobby") for _ in range(3))
    bob.send(line("SELECT_PLAYER_NUMBER", size=3) + line("ADD_USER", user={"username": "bob"}))
    cleo.send(line("ADD_USER", user={"username": "cleo"}))
    assert heard(zoe) == ["SIZE_SELECTED", "USER_JOINED bob", "USER_JOINED cleo"]
    for peer in (ann, bob, cleo):
        heard(peer)
    server.lobby.disconnected(between[0])
    assert [heard(peer) for peer in (ann, bob, cleo, zoe)] == [[], [], [], []], "there is room for one of two"
    server.lobby.disconnected(between[1])
    assert heard(ann) == ["USER_JOINED bob", "USER_JOINED cleo", "GODS_AVAILABLE"]
    assert [heard(peer) for peer in (bob, cleo, zoe)] == [["USER_JOINED ann", "GODS_AVAILABLE"]] * 3


def test_a_native_client_learns_its_new_seat() -> None:
    server = SimulatedServer()
    ann, between, bob = Visitor(server), None, Visitor(server)
    for visitor, name in ((ann, "ann"), (bob, "bob")):
        visitor.say("hello", name=name)
        visitor.say("find", game="tris")
        between = between or ghost(server, "tris")
    ann.take()
    assert between is not None
    server.lobby.disconnected(between)
    seated, step = bob.take()
    assert (seated["type"], seated["seat"], seated["state"]["match"]) == ("seated", 1, "match-1")
    assert [event["event"] for event in step["events"]] == ["joined", "started"]
    assert ann.take()[-1]["state"]["status"] == "playing"


def test_an_eriantys_messages_player_learns_its_tower_once() -> None:
    server = SimulatedServer(seed=1)

    def come(name: str, tower: str) -> SimulatedConnection:
        peer = server.connect("eriantys-messages")
        wanted = {"numPlayers": 2, "gameMode": "simplified", "colorTower": tower}
        for kind, fields in (("LoginRequest", {}), ("PlayerNicknameMessage", wanted)):
            peer.send(msgspec.json.encode({"type": kind, "nickname": name, **fields}) + b"\n")
        return peer

    come("ann", "WHITE")
    between = ghost(server, "eriantys")
    bob = come("bob", "BLACK")
    assert bob.take().count(b"TowerMessage") == 1
    server.lobby.disconnected(between)
    assert bob.take().count(b"TowerMessage") == 2, "only those that are displayed at the start, one for each player"
