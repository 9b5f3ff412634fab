"""The in-memory server and its clients."""

from __future__ import annotations

import random
from typing import Any

import pytest

from boardwire.dialects.dialect import Answer, Ask, ClientOptions, Dialect, Over, Result
from boardwire.errors import Malformed
from boardwire.simulation.server import SimulatedClient, SimulatedConnection, SimulatedServer, play_together
from boardwire.table.events import Acted, Left
from boardwire.table.match import Status
from boardwire.talk import Gone, Script, Talk, Woke
from boardwire.wire.lines import LineDecoder


def test_the_example_of_the_module_holds() -> None:
    server = SimulatedServer(seed=1)
    ann, bob = server.connect("tris-lines"), server.connect("tris-lines")
    ann.send(b"4\n")
    assert bob.take() == b"READY\n0,0,0,0,1,0,0,0,0,\n"
    assert ann.take() == b"WAIT\nREADY\nOK\n"
    assert ann.take() == b""


def test_a_server_shows_its_journal_and_its_matches() -> None:
    server = SimulatedServer(seed=1)
    ann, _ = server.connect("tris-lines"), server.connect("tris-lines")
    ann.send(b"4\n")
    assert isinstance(server.events()[-1], Acted)
    assert server.match().moves == 1
    assert server.match() == server.lobby.table("match-1").match


def test_a_connection_that_is_lost_leaves_its_table() -> None:
    server = SimulatedServer(seed=1)
    ann, bob = server.connect("tris-lines"), server.connect("tris-lines")
    bob.take()
    ann.drop()
    ann.drop()
    ann.send(b"4\n")
    assert bob.take() == b"DISCONNECTED\n"
    assert (ann.closed, bob.closed) == (True, True)
    assert any(isinstance(event, Left) for event in server.events())
    assert server.match().status is Status.OVER


def test_unreadable_input_is_reported_to_the_script() -> None:
    server = SimulatedServer(seed=1)
    ann = server.connect("tris-lines")
    ann.send(b"x" * 100_000)
    assert ann.closed


def scripted(script: Script, greeting: bytes = b"") -> Dialect:
    return Dialect("test", "tris", 0, LineDecoder, script, lambda seating: script, greeting=greeting)


def test_timers_fire_when_the_clock_advances() -> None:
    async def script(talk: Talk[Any]) -> None:
        talk.wake(5.0, "a")
        talk.wake(7.0, "b")
        talk.wake(6.0, "a")
        talk.wake(0.0, "b")
        talk.wake(0.0, "never set")
        while True:
            match await talk.next_input():
                case Woke(name=name):
                    talk.say(name.encode())
                case _:
                    talk.wake(5.0, "last")
                    return

    server = SimulatedServer()
    peer = server.connect(scripted(script, b"hello "))
    assert peer.take() == b"hello "
    server.clock.pass_time(5.9)
    assert peer.take() == b""
    server.clock.pass_time(0.1)
    assert peer.take() == b"a"
    server.clock.pass_time(100.0)
    assert peer.take() == b""
    peer.send(b"end\n")
    assert peer.closed
    peer.write(b"too late")
    peer.do("too late")
    peer.hang_up()
    server.clock.pass_time(10.0)
    assert peer.take() == b""


def test_a_timer_of_a_lost_connection_does_not_fire() -> None:
    heard: list[Any] = []

    async def script(talk: Talk[Any]) -> None:
        talk.wake(5.0, "a")
        while True:
            heard.append(await talk.next_input())

    server = SimulatedServer()
    peer = server.connect(scripted(script))
    peer.drop()
    server.clock.pass_time(10.0)
    assert heard == [Gone()]


def test_a_fault_in_a_script_fails_the_test() -> None:
    async def script(talk: Talk[Any]) -> None:
        await talk.next_input()
        raise ZeroDivisionError

    peer = SimulatedServer().connect(scripted(script))
    with pytest.raises(ZeroDivisionError):
        peer.send(b"x\n")
    assert isinstance(peer.faults[0], ZeroDivisionError)


def player(luck: random.Random, results: list[Result]) -> Any:
    """Answers at random, and notes how it ended."""

    def answer(client: SimulatedClient, notification: Any) -> None:
        match notification:
            case Ask(decision=decision):
                client.talk.tell(Answer(luck.choice(tuple(decision.choices))))
            case Over(result=result):
                results.append(result)

    return answer


@pytest.mark.parametrize("seed", range(10))
def test_clients_and_server_play_together_to_the_end(seed: int) -> None:
    server = SimulatedServer(seed=seed)
    results: list[Result] = []
    luck = random.Random(seed)
    pairs: list[tuple[SimulatedClient, SimulatedConnection]] = []
    for _ in range(2):
        peer = server.connect("tris-lines")
        pairs.append((SimulatedClient("tris-lines", player(luck, results), ClientOptions("x")), peer))
    play_together(server, pairs)
    assert sorted(results) in ([Result.LOST, Result.WON], [Result.DRAWN, Result.DRAWN])
    assert server.match().status is Status.OVER
    assert all(client.closed and peer.closed for client, peer in pairs)


def test_a_client_hears_that_its_server_is_gone() -> None:
    results: list[Result] = []
    client = SimulatedClient("tris-lines", player(random.Random(1), results))
    client.receive(b"WAIT\nREADY\n")
    client.lose()
    client.lose()
    assert results == [Result.BROKEN_OFF]
    assert client.closed


def test_a_client_that_hangs_up_is_dropped_by_its_peer() -> None:
    async def hangs_up(talk: Talk[Any]) -> None:
        await talk.next_input()

    server = SimulatedServer()
    peer = server.connect("tris-lines")
    client = SimulatedClient(scripted(hangs_up), lambda client, notification: None)
    play_together(server, [(client, peer)])
    assert (client.closed, peer.closed) == (True, True)


def test_peers_that_never_stop_talking_fail_the_test() -> None:
    async def echo(talk: Talk[Any]) -> None:
        talk.say(b"x\n")
        while True:
            await talk.next_input()
            talk.say(b"x\n")

    server = SimulatedServer()
    dialect = scripted(echo)
    pair = (SimulatedClient(dialect, lambda client, notification: None), server.connect(dialect))
    with pytest.raises(AssertionError, match="has not come to rest after 50 rounds"):
        play_together(server, [pair], steps=50)


def test_an_unreadable_message_reaches_the_script_as_an_error() -> None:
    heard: list[Any] = []

    async def script(talk: Talk[Any]) -> None:
        heard.append(await talk.notification())

    peer = SimulatedServer().connect(scripted(script))
    peer.send(b"x" * 100_000)
    assert isinstance(heard[0], Malformed)


def test_a_client_sends_the_greeting_of_its_dialect_first() -> None:
    async def script(talk: Talk[Any]) -> None:
        talk.say(b"I am here")
        await talk.next_input()

    client = SimulatedClient(scripted(script, b"hello "), lambda client, notification: None)
    assert client.take() == b"hello I am here"


def test_connections_at_a_match_taken_over_are_dropped() -> None:
    server = SimulatedServer(seed=0)
    ann, bob = server.connect("tris-lines"), server.connect("tris-lines")
    server.journal.append("match-1", 5, [Acted(1.0, 0, 8)], lambda result: None)
    ann.send(b"4\n")
    assert (ann.closed, bob.closed, len(server.lobby)) == (True, True, 0)
