"""Free ports, for servers that tests and trials start."""

from __future__ import annotations

import socket


def free_port() -> int:
    """Return a free loopback port; a server keeps it across restarts."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port
