"""WebSocket echo servers on our implementation, picows and uvicorn.

`python -m bench.socket_echo ours|picows|uvicorn` serves on a free port until killed. The servers differ only in the
path from the socket to the message and back.
"""

from __future__ import annotations

import asyncio
import sys
from importlib import import_module
from typing import Any, cast

import uvloop

from boardwire.lobby.lobby import Lobby
from boardwire.net.connections import ConnectionLimits, Connections
from boardwire.net.http import HttpServer
from boardwire.node import LoopClock, RandomDealer, SecretNames
from boardwire.store.memory import MemoryJournal
from boardwire.wire.websocket import FrameDecoder, encode_text


def _ready(port: int) -> None:
    print(f"listening http 127.0.0.1:{port}\nready", flush=True)


class Ours(asyncio.Protocol):
    """Echo with our decoder and encoder directly on the transport."""

    def __init__(self) -> None:
        self.decoder = FrameDecoder()
        self.transport: asyncio.Transport

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self.transport = cast("asyncio.Transport", transport)

    def data_received(self, data: bytes) -> None:
        for message in self.decoder.feed(data):
            if isinstance(message, str):
                self.transport.write(encode_text(message.encode()))


async def _no_pages(scope: Any, receive: Any, send: Any) -> None:
    """ASGI application that never runs: clients request WebSockets only."""


async def ours() -> None:
    """Serve with our HTTP port and WebSocket handshake."""
    loop = asyncio.get_running_loop()
    lobby = Lobby(MemoryJournal(), LoopClock(loop), RandomDealer(), SecretNames())
    http = HttpServer(_no_pages, Connections(lobby, ConnectionLimits(), loop), lambda address: Ours())
    server = await loop.create_server(http.protocol, "127.0.0.1", 0, backlog=4096)
    _ready(server.sockets[0].getsockname()[1])
    await server.serve_forever()


async def picows() -> None:
    """Serve with picows, a WebSocket library in Cython."""
    library = import_module("picows")
    text, close = library.WSMsgType.TEXT, library.WSMsgType.CLOSE

    class Listener(library.WSListener):  # type: ignore[misc, name-defined]  # picows has no type annotations
        def on_ws_frame(self, transport: Any, frame: Any) -> None:
            if frame.msg_type == text:
                transport.send(text, frame.get_payload_as_utf8_text().encode())
            elif frame.msg_type == close:
                transport.disconnect()

    server = await library.ws_create_server(lambda request: Listener(), "127.0.0.1", 0, backlog=4096)
    _ready(server.sockets[0].getsockname()[1])
    await server.serve_forever()


async def uvicorn() -> None:
    """Serve an ASGI application with uvicorn and the `websockets` library."""
    server = import_module("uvicorn")

    async def application(scope: Any, receive: Any, send: Any) -> None:
        if scope["type"] != "websocket":
            return
        await receive()
        await send({"type": "websocket.accept"})
        while (message := await receive())["type"] == "websocket.receive":
            await send({"type": "websocket.send", "text": message["text"]})

    config = server.Config(
        application, host="127.0.0.1", port=0, log_level="critical", lifespan="off", ws="websockets-sansio",
        ws_per_message_deflate=False, backlog=4096,
    )  # fmt: skip
    running = server.Server(config)
    config.load()
    task = asyncio.get_running_loop().create_task(running.serve())
    while not running.started:
        await asyncio.sleep(0.01)
    _ready(running.servers[0].sockets[0].getsockname()[1])
    await task


if __name__ == "__main__":
    uvloop.run({"ours": ours, "picows": picows, "uvicorn": uvicorn}[sys.argv[1]]())
