"""Where the server of a soak is: fixed ports, the same after every restart, in a file that all processes read."""

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
    """Ports by dialect."""

    ports: dict[str, int]

    def local(self, address: str) -> tuple[str, int] | None:
        """The address that a client comes from; only Linux has the whole of 127.0.0.0/8 by itself."""
        return (address, 0) if sys.platform == "linux" else None


def choose(echo: int) -> Place:
    """The port of a bare echo, and ports that are free now: below those that the system gives to clients, because while
    the server is down nobody else may get one of them."""
    wanted = iter(SystemRandom().sample(range(20_000, 32_000), 1000))
    with ExitStack() as stack:
        return Place({"echo": echo, **{dialect: _free(wanted, stack) for dialect in (*DIALECTS, "native")}})


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
