"""An original Java server beside ours, under the same driver.

`python -m bench java --jar PATH --dialect DIALECT [--port PORT] [--arguments "..."]`

- The server is started with `java -jar PATH ARGUMENTS` and is ready when it listens on its port.
- `{port}` in its arguments is replaced by the port, a free one without `--port`.
- Our server is measured in memory and durable.
"""

from __future__ import annotations

import shlex
import shutil
import socket
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from functools import partial
from pathlib import Path
from typing import Final

from bench import servers
from bench.against import DRIVERS
from bench.config import RunConfig
from bench.contenders import Contender, measure, print_table
from bench.machine import SERVER_CORE, pinned

ORIGINAL: Final = "original"
START_SECONDS: Final = 30.0
"""Time limit for the server to listen on its port."""


def run(config: RunConfig) -> None:
    """Print a table for each number of games, or what is missing to measure an original server."""
    if problem := _problem(config):
        print(f"original server skipped: {problem}\n")
        return
    for games in config.games:
        with tempfile.TemporaryDirectory() as data:
            driver = DRIVERS[config.dialect]
            found = {
                ORIGINAL: Contender(partial(original, config.jar, config.port, config.arguments), driver),
                "ours in memory": Contender(partial(servers.boardwire, config.dialect, ":memory:"), driver),
                "ours durable": Contender(partial(servers.boardwire, config.dialect, data), driver),
            }
            print(f"{config.jar} and ours, {config.dialect}, concurrent games: {games}, rounds: {config.rounds}\n")
            print_table(measure(found, games, config.moves_of(games), config.rounds), ORIGINAL)


def _problem(config: RunConfig) -> str:
    if not config.jar:
        return "give its jar with --jar PATH"
    if not Path(config.jar).is_file():
        return f"no such file: {config.jar}"
    if config.dialect not in DRIVERS:
        return f"no driver for {config.dialect}; choose from {', '.join(DRIVERS)}"
    if not config.port and "{port}" not in config.arguments:
        return "give its port with --port PORT, or put {port} into --arguments"
    return "" if shutil.which("java") else "java is not installed"


@contextmanager
def original(jar: str, port: int, arguments: str) -> Iterator[tuple[int, int]]:
    """Run the server of a jar; yield its process ID and its port."""
    port = port or free_port()
    words = [word.replace("{port}", str(port)) for word in shlex.split(arguments)]
    quiet = subprocess.DEVNULL
    with pinned(SERVER_CORE):
        process = subprocess.Popen(["java", "-jar", jar, *words], stdin=subprocess.PIPE, stdout=quiet, stderr=quiet)
    try:
        _wait(process, port)
        yield process.pid, port
    finally:
        process.terminate()
        process.communicate(timeout=10)


def free_port() -> int:
    """Return a port on which no process listens."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        port: int = server.getsockname()[1]
        return port


def _wait(process: subprocess.Popen[bytes], port: int) -> None:
    """Wait until the server listens, without connecting: it might seat a client that disconnects immediately."""
    end = time.monotonic() + START_SECONDS
    while time.monotonic() < end:
        if process.poll() is not None:
            raise SystemExit(
                f"the original server ended with exit code {process.returncode}; try its command by hand first"
            )
        if port in listening():
            return
        time.sleep(0.1)
    raise SystemExit(f"the original server does not listen on port {port} after {START_SECONDS:.0f} s")


def listening() -> set[int]:
    """Return the TCP ports on which a process of this machine listens."""
    found = set()
    for table_of in ("/proc/net/tcp", "/proc/net/tcp6"):
        with suppress(OSError):
            for line in Path(table_of).read_text().splitlines()[1:]:
                _, local, _, state = line.split()[:4]
                if state == "0A":  # TCP_LISTEN
                    found.add(int(local.rpartition(":")[2], 16))
    return found
