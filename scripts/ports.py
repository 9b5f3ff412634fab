"""Ports of this machine, for the servers that tests and trials start."""

from __future__ import annotations

import socket


def free_port() -> int:
    """A port of the loopback address that nobody listens on; a server that is stopped and started keeps it."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port
