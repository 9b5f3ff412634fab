"""A dialect's client end on a real socket."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from boardwire import dialects
from boardwire.dialects.dialect import Ask, ClientOptions, Dialect, Over, PlayerMessage, Result
from boardwire.errors import Malformed, Unavailable
from boardwire.net.client import ClientConnection, connect
from boardwire.talk import Gone, Talk, Woke
from boardwire.wire.lines import LineDecoder

from .harbour import harbour, run, speaks

TRIS = dialects.dialect("tris-lines")


class FirstChoice:
    """Takes the first choice it is offered."""

    def __init__(self) -> None:
        self.heard: list[PlayerMessage] = []

    def receive(self, connection: ClientConnection, notification: PlayerMessage) -> None:
        self.heard.append(notification)
        if isinstance(notification, Ask):
            connection.answer(next(iter(notification.decision.choices)))


def test_two_programs_play_a_match_on_our_server() -> None:
    async def scenario() -> None:
        async with harbour() as place:
            port = await place.open("tris-lines")
            players = FirstChoice(), FirstChoice()
            for connection in [await connect(TRIS, "127.0.0.1", port, ClientOptions(), player) for player in players]:
                await connection.finished
            ends = [player.heard[-1] for player in players]
            assert [end.result for end in ends if isinstance(end, Over)] == [Result.WON, Result.LOST]
            await place.settled(lambda: not place.connections.connections)

    run(scenario)


async def quiet(talk: Talk[Any]) -> None:
    while not isinstance(await talk.next_input(), Gone):
        pass


def client(script: Any, **fields: Any) -> Dialect:
    return speaks(script, **fields)


def test_hanging_up_ends_the_conversation_without_a_result() -> None:
    heard: list[Any] = []

    async def script(talk: Talk[Any]) -> None:
        while True:
            heard.append(await talk.next_input())

    async def scenario() -> None:
        async with harbour() as place:
            port = await place.open(speaks(quiet))
            connection = await connect(client(script), "127.0.0.1", port, ClientOptions(), FirstChoice())
            connection.hang_up()
            await connection.finished
            await place.settled(lambda: not place.connections.connections)
            assert heard == []

    run(scenario)


def test_a_greeting_is_sent_first_and_timers_ring() -> None:
    async def script(talk: Talk[Any]) -> None:
        talk.wake(10.0, "late")
        talk.wake(0.01, "soon")
        talk.wake(10.0, "never")
        talk.wake(0, "never")
        heard = await talk.next_input()
        talk.say(b"woke by %s\n" % (heard.name.encode() if isinstance(heard, Woke) else b"?"))
        await talk.next_input()

    async def scenario() -> None:
        got: asyncio.Future[bytes] = asyncio.get_running_loop().create_future()

        async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            got.set_result(await reader.readline() + await reader.readline())
            writer.close()

        server = await asyncio.start_server(serve, "127.0.0.1", 0)
        port = server.sockets[0].getsockname()[1]
        dialect = client(script, greeting=b"hello\n")
        connection = await connect(dialect, "127.0.0.1", port, ClientOptions(), FirstChoice())
        assert await got == b"hello\nwoke by soon\n"
        await connection.finished
        server.close()

    run(scenario)


def test_a_fault_in_the_client_is_raised_to_its_player() -> None:
    async def script(talk: Talk[Any]) -> None:
        await talk.next_input()
        raise ZeroDivisionError("a fault")

    async def scenario() -> None:
        async def farewell(talk: Talk[Any]) -> None:
            talk.say(b"bye\n")

        async with harbour() as place:
            port = await place.open(speaks(farewell))
            connection = await connect(client(script), "127.0.0.1", port, ClientOptions(), FirstChoice())
            with pytest.raises(ZeroDivisionError):
                await connection.finished

    run(scenario)


class Doubtful:
    """Reads one line, then nothing."""

    def __init__(self) -> None:
        self.fault: Malformed | None = None
        self.buffered = self.overhead = 0

    def feed(self, data: bytes) -> list[bytes]:
        self.fault = Malformed("no more")
        return [data.split(b"\n")[0]]


@pytest.mark.parametrize(
    ("decoder", "expected"),
    [(lambda: LineDecoder(5), ["a line is longer than 5 bytes"]), (Doubtful, ["good day", "no more"])],
    ids=["all of it", "a part"],
)
def test_unreadable_input_is_passed_to_the_script(decoder: Any, expected: list[str]) -> None:
    heard: list[str] = []

    async def script(talk: Talk[Any]) -> None:
        while not isinstance(notification := await talk.next_input(), Malformed):
            heard.append(notification.decode())
        heard.append(str(notification))

    async def polite(talk: Talk[Any]) -> None:
        talk.say(b"good day\nto you\n")
        await talk.next_input()

    async def scenario() -> None:
        async with harbour() as place:
            port = await place.open(speaks(polite))
            dialect = client(script, replies=decoder)
            connection = await connect(dialect, "127.0.0.1", port, ClientOptions(), FirstChoice())
            await connection.finished
            assert heard == expected

    run(scenario)


def test_an_unreachable_server_is_refused_with_the_reason() -> None:
    async def scenario() -> None:
        async with harbour() as place:
            port = await place.open(speaks(quiet))
            await place.close()
            with pytest.raises(Unavailable, match=rf"^cannot connect to 127\.0\.0\.1:{port}: Connection refused$"):
                await connect(TRIS, "127.0.0.1", port, ClientOptions(), FirstChoice())

    run(scenario)


def test_an_invalid_host_name_is_refused_in_words() -> None:
    async def scenario() -> None:
        with pytest.raises(Unavailable, match=r"^cannot connect to "):
            await connect(TRIS, "a" * 80, 80, ClientOptions(), FirstChoice())

    run(scenario)
