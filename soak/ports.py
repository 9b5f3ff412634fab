"""Ports of the servers under test: fixed over restarts, in a file that all processes read."""

from __future__ import annotations

import socket
import sys
from collections.abc import Iterator
from contextlib import ExitStack, suppress
from pathlib import Path
from random import SystemRandom

import msgspec

from boardwire.dialects import DEFAULT_DIALECTS

DIALECTS = DEFAULT_DIALECTS
"""Dialects with a TCP listener; native is on the HTTP port."""


class Place(msgspec.Struct, frozen=True):
    """Ports by dialect, of the first server and of the other nodes of a cluster."""

    ports: dict[str, int]
    others: tuple[dict[str, int], ...] = ()
    bus: int = 0
    """Port of the cluster's bus; 0 without a cluster."""

    @property
    def nodes(self) -> int:
        """Number of nodes."""
        return 1 + len(self.others)

    def port(self, dialect: str, node: int) -> int:
        """Return a dialect's port at a node, counted from 0."""
        return (self.ports, *self.others)[node][dialect]

    def local(self, address: str) -> tuple[str, int] | None:
        """Return the local address for a client, or None unless on Linux, which routes 127.0.0.0/8 by default."""
        return (address, 0) if sys.platform == "linux" else None


def choose(echo: int, nodes: int = 1, bus: int = 0) -> Place:
    """Choose free ports below the ephemeral range, so that none is taken while a server is down."""
    wanted = iter(SystemRandom().sample(range(20_000, 32_000), 1000))
    with ExitStack() as stack:
        first, *others = [{dialect: _free(wanted, stack) for dialect in (*DIALECTS, "native")} for _ in range(nodes)]
        return Place({"echo": echo, **first}, tuple(others), bus)


def _free(wanted: Iterator[int], stack: ExitStack) -> int:
    for port in wanted:
        bound = stack.enter_context(socket.socket())
        with suppress(OSError):
            bound.bind(("127.0.0.1", port))
            return port
    raise OSError("no free port among 1000 from 20000 to 31999; stop other programs that listen there")


def place(directory: Path) -> Place:
    """Read the ports that `run.py` wrote."""
    return msgspec.json.decode((directory / "place.json").read_bytes(), type=Place)
