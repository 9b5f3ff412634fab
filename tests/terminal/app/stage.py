"""The terminal client against a real server, both in this process; textual's pilot presses the keys."""

from __future__ import annotations

import asyncio
import re
from collections.abc import AsyncIterator, Callable, Coroutine
from contextlib import asynccontextmanager, redirect_stdout
from io import StringIO
from typing import Any

from textual.pilot import Pilot

from boardwire.config import Settings
from boardwire.dialects.native import messages as wire
from boardwire.node import Node
from boardwire.terminal.app.app import TerminalApp
from boardwire.terminal.app.match_model import MatchModel
from boardwire.terminal.app.native_session import NativeSession
from boardwire.terminal.app.servers import Server
from boardwire.terminal.app.session import LinkState
from boardwire.terminal.app.table_screen import TableScreen

PATIENCE_SECONDS = 180.0


def run(scenario: Callable[[], Coroutine[Any, Any, None]]) -> None:
    """Carry out a test, or fail after `PATIENCE_SECONDS`."""
    asyncio.run(asyncio.wait_for(scenario(), PATIENCE_SECONDS))


class Place:
    """A server in this process; `ports` are those of its dialects and of `http`."""

    def __init__(self, node: Node, ports: dict[str, int]) -> None:
        self.node = node
        self.ports = ports

    @property
    def server(self) -> Server:
        return Server("127.0.0.1", self.ports["http"])


async def start(data: str = ":memory:", http: str = "0", listen: tuple[str, ...] = ()) -> Place:
    """Start a server."""
    lines = StringIO()
    node = Node(Settings(data=data, http=http, listen=listen or ("tris-lines=0",)), asyncio.get_running_loop())
    with redirect_stdout(lines):
        await node.start()
    found = re.findall(r"listening (\S+) 127\.0\.0\.1:(\d+)", lines.getvalue())
    return Place(node, {name: int(port) for name, port in found})


@asynccontextmanager
async def place(listen: tuple[str, ...] = ()) -> AsyncIterator[Place]:
    """A server for one test."""
    found = await start(listen=listen)
    try:
        yield found
    finally:
        await found.node.stop()


class Stage:
    """The client, and the hands of the person before it."""

    def __init__(self, app: TerminalApp, pilot: Pilot[None]) -> None:
        self.app = app
        self.pilot = pilot

    async def until(self, true: Callable[[], object], seconds: float = 60.0) -> None:
        """Wait until something is so."""
        for _ in range(int(seconds / 0.02)):
            if true():
                await self.pilot.pause()
                return
            await self.pilot.pause(0.02)
        raise AssertionError(f"it did not come about; the screen shows\n{self.text()}")

    @property
    def session(self) -> NativeSession:
        assert self.app.session is not None
        return self.app.session

    @property
    def table(self) -> TableScreen:
        screen = self.app.screen
        assert isinstance(screen, TableScreen), screen
        return screen

    @property
    def model(self) -> MatchModel:
        found = self.table.model
        assert found is not None
        return found

    def is_asked(self) -> bool:
        screen = self.app.screen
        return isinstance(screen, TableScreen) and screen.model is not None and screen.model.ask is not None

    def is_over(self) -> bool:
        screen = self.app.screen
        return isinstance(screen, TableScreen) and screen.model is not None and screen.model.over is not None

    async def open(self, game: str, **settings: Any) -> None:
        """Open a table and wait for the first question."""
        self.session.send(wire.Open(game=game, **settings))
        await self.until(self.is_asked)

    async def connected(self) -> None:
        await self.until(lambda: self.session.link is LinkState.CONNECTED)

    def text(self) -> str:
        """What the screen shows, without styles."""
        lines = self.app.screen._compositor.render_strips()
        return "\n".join(strip.text.rstrip() for strip in lines)

    async def choose_first(self) -> None:
        """Press Enter on whatever is offered first."""
        board = self.table.board
        assert board is not None
        drawn = board.canvas.centres(board.selection.targets)
        if drawn and self.app.focused is not board:
            board.focus()
        await self.pilot.pause()
        await self.pilot.press("enter")


@asynccontextmanager
async def stage(server: Server, size: tuple[int, int] = (80, 24), **settings: Any) -> AsyncIterator[Stage]:
    """The client, connected."""
    app = TerminalApp(server, **{"name": "Ada", **settings})
    async with app.run_test(size=size) as pilot:
        yield Stage(app, pilot)
