"""Starts the servers under measurement as processes of their own, on the server's core."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from bench.machine import SERVER_CORE, pinned


@contextmanager
def boardwire(dialect: str, data: str, python: str = sys.executable) -> Iterator[tuple[int, int]]:
    """A boardwire server for one dialect: its process number and its port.  Another Python runs another boardwire."""
    if dialect == "native":
        where = ["--http", "0", "--listen", "tris-lines=0", "--data", data]
    else:
        where = ["--http", "off", "--listen", f"{dialect}=0", "--data", data]
    listener = "listening http" if dialect == "native" else "listening"
    with program([python, "-m", "boardwire", "serve", *where, "--log", "warning"], listener) as found:
        yield found


@contextmanager
def module(*arguments: str) -> Iterator[tuple[int, int]]:
    """A Python module of ours that says where it listens, then `ready`."""
    with program([sys.executable, "-m", *arguments]) as found:
        yield found


@contextmanager
def program(command: Sequence[str], listener: str = "listening") -> Iterator[tuple[int, int]]:
    """Any program that says where it listens, then `ready`: its process number and its port."""
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
        raise RuntimeError(f"this server did not start: {' '.join(command)}")
    try:
        yield process.pid, port
    finally:
        process.terminate()
        process.wait(10)
        process.stdout.close()
