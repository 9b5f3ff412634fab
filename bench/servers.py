"""Starts the servers under measurement as processes of their own, pinned to the server's core."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager

from bench.machine import SERVER_CORE, pin


@contextmanager
def boardwire(dialect: str, data: str, python: str = sys.executable) -> Iterator[tuple[int, int]]:
    """A boardwire server for one dialect: its process number and its port.  Another Python runs another boardwire."""
    where = ["--http", "off", "--listen", f"{dialect}=0", "--data", data]
    yield from _run(["-m", "boardwire", "serve", *where, "--log", "warning"], python=python)


@contextmanager
def echo() -> Iterator[tuple[int, int]]:
    """The bare uvloop line echo: what the machine can do at most."""
    yield from _run(["-m", "bench.echo"])


@contextmanager
def native(data: str, python: str = sys.executable) -> Iterator[tuple[int, int]]:
    """A boardwire server for browsers: its process number and its HTTP port."""
    where = ["--http", "0", "--listen", "tris-lines=0", "--data", data]
    yield from _run(["-m", "boardwire", "serve", *where, "--log", "warning"], "listening http", python)


@contextmanager
def program(*arguments: str) -> Iterator[tuple[int, int]]:
    """Any Python program that says where it listens, then `ready`."""
    yield from _run(list(arguments))


def _run(arguments: list[str], listener: str = "listening", python: str = sys.executable) -> Iterator[tuple[int, int]]:
    process = subprocess.Popen([python, *arguments], stdout=subprocess.PIPE, text=True)
    pin(SERVER_CORE, process.pid)
    assert process.stdout is not None
    port = 0
    for line in process.stdout:
        if line.startswith(listener):
            port = int(line.rsplit(":", 1)[1])
        if line.strip() == "ready":
            break
    try:
        yield process.pid, port
    finally:
        process.terminate()
        process.wait(10)
        process.stdout.close()
