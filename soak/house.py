"""Where the servers of a soak are: fixed ports, the same after every restart, in a file that all processes read."""

from __future__ import annotations

import socket
import sys
from collections.abc import Iterator
from contextlib import ExitStack, suppress
from pathlib import Path
from random import SystemRandom

import msgspec

from boardwire.dialects import USUAL

DIALECTS = USUAL
"""What the server listens for, besides the native dialect on its HTTP port."""


class Place(msgspec.Struct, frozen=True):
    """Ports by dialect, of the server, and of the other nodes if it is one of several."""

    ports: dict[str, int]
    others: tuple[dict[str, int], ...] = ()
    bus: int = 0
    """The port of the cluster's bus; 0: there is none."""

    @property
    def nodes(self) -> int:
        """How many there are."""
        return 1 + len(self.others)

    def port(self, dialect: str, node: int) -> int:
        """A dialect's port at that node, counted from 0."""
        return (self.ports, *self.others)[node][dialect]

    def local(self, address: str) -> tuple[str, int] | None:
        """The address that a client comes from; only Linux has the whole of 127.0.0.0/8 by itself."""
        return (address, 0) if sys.platform == "linux" else None


def choose(echo: int, nodes: int = 1, bus: int = 0) -> Place:
    """The port of a bare echo, and ports that are free now: below those that the system gives to clients, because while
    the server is down nobody else may get one of them."""
    wanted = iter(SystemRandom().sample(range(20_000, 32_000), 1000))
    with ExitStack() as stack:
        first, *others = [{dialect: _free(wanted, stack) for dialect in (*DIALECTS, "native")} for _ in range(nodes)]
        return Place({"echo": echo, **first}, tuple(others), bus)


def _free(wanted: Iterator[int], stack: ExitStack) -> int:
    for port in wanted:
        door = stack.enter_context(socket.socket())
        with suppress(OSError):
            door.bind(("127.0.0.1", port))
            return port
    raise OSError("no port is free")


def place(directory: Path) -> Place:
    """The place that `run.py` wrote down."""
    return msgspec.json.decode((directory / "place.json").read_bytes(), type=Place)
