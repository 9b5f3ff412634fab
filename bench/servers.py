"""Start servers as separate processes on the server core.

Each function yields the server's process ID and port, and terminates it at the end.
"""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from bench.machine import SERVER_CORE, pinned


@contextmanager
def boardwire(dialect: str, data: str, python: str = sys.executable) -> Iterator[tuple[int, int]]:
    """Run a boardwire server for one dialect; `python` selects another environment's boardwire."""
    if dialect == "native":
        flags = ["--http", "0", "--listen", "tris-lines=0", "--data", data]
    else:
        flags = ["--http", "off", "--listen", f"{dialect}=0", "--data", data]
    listener = "listening http" if dialect == "native" else "listening"
    with program([python, "-m", "boardwire", "serve", *flags, "--log", "warning"], listener) as address:
        yield address


@contextmanager
def module(*arguments: str) -> Iterator[tuple[int, int]]:
    """Run a module of this package as a server."""
    with program([sys.executable, "-m", *arguments]) as address:
        yield address


@contextmanager
def program(command: Sequence[str], listener: str = "listening") -> Iterator[tuple[int, int]]:
    """Run a program that prints the line `LISTENER ...:PORT`, then `ready`."""
    with pinned(SERVER_CORE):
        process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    port = 0
    for line in process.stdout:
        if line.startswith(listener):
            port = int(line.rsplit(":", 1)[1])
        if line.strip() == "ready":
            break
    else:
        raise RuntimeError(f"server exited before it was ready: {' '.join(command)}")
    try:
        yield process.pid, port
    finally:
        process.terminate()
        process.wait(10)
        process.stdout.close()
