"""The tutorial of docs/protocol-tools.md: the three faults of the toy client are found, with their sections."""

from __future__ import annotations

import asyncio
import sys
from pathlib import Path

from tests.net.harbour import harbour, run
from tests.proxy.test_proxy import until

from boardwire.bots.server_bots import BOTS
from boardwire.conformance.finding import Finding, Side
from boardwire.conformance.monitor import Closed, Record
from boardwire.dialects import dialect
from boardwire.dialects.dialect import ClientOptions
from boardwire.net.client import connect
from boardwire.proxy.proxy import MonitorQueue, Proxy
from boardwire.terminal.bot_player import Robot

TOY = Path(__file__).parents[2] / "docs" / "examples" / "toy.py"


def test_the_three_faults_of_the_toy_client_are_found() -> None:
    records: list[Record] = []

    async def scenario() -> None:
        async with harbour() as place:
            server = await place.open("tris-lines")
            proxy = Proxy(
                "tris-lines", "127.0.0.1", server, MonitorQueue(records.append, lambda text: None), lambda text: None
            )
            _, port = await proxy.listen("127.0.0.1", 0)
            robot = Robot(BOTS["random"], lambda count: 0)
            await connect(dialect("tris-lines"), "127.0.0.1", server, ClientOptions(), robot)
            await until(lambda: len(place.connections.connections) == 1)
            toy = await asyncio.create_subprocess_exec(
                sys.executable, TOY, "127.0.0.1", str(port), stdout=asyncio.subprocess.DEVNULL
            )
            assert await toy.wait() == 0
            await until(lambda: any(isinstance(one, Closed) and one.side is Side.CLIENT for one in records))
            await proxy.stop()

    run(scenario, asyncio.new_event_loop)
    found = [one for one in records if isinstance(one, Finding)]
    page = "docs/dialects/tris-lines.md"
    assert [(one.side, one.section) for one in found] == [
        (Side.CLIENT, f"{page}, {section}") for section in ("2", "5", "1")
    ]
