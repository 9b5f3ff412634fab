"""Local cluster for trials: PostgreSQL, NATS (with TLS and a password) and nodes, on free loopback ports.

Run `python -m scripts.cluster --nodes 3`, or `make cluster`. It prints the output of each node after its name, then
`ready`. Unknown flags are passed to every node. Ctrl-C stops and removes everything.
"""

from __future__ import annotations

import argparse
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from typing import Final, NamedTuple

from scripts.nats import SecureNats, secure_nats
from scripts.postgres import Postgres, postgres

from boardwire.dialects import DEFAULT_DIALECTS

SECONDS: Final = 60
"""Timeout for starting or stopping a node."""


class Node:
    """A running node."""

    def __init__(self, name: str, flags: Sequence[str], environment: Mapping[str, str]) -> None:
        self.name = name
        self._process = subprocess.Popen(
            [sys.executable, "-m", "boardwire", "serve", f"--node={name}", *flags],
            stdout=subprocess.PIPE,
            env=os.environ | environment,
            text=True,
            start_new_session=True,  # Ctrl-C reaches only this process, which stops the nodes in order
        )
        self._late = threading.Timer(SECONDS, self._process.kill)
        self._late.start()

    def lines(self) -> Iterator[str]:
        """Yield the node's output until it is ready."""
        assert self._process.stdout is not None
        for line in map(str.strip, self._process.stdout):
            if line == "ready":
                self._late.cancel()
                return
            yield line
        raise RuntimeError(f"{self.name} exited before it was ready; its log is above")

    def ports(self) -> dict[str, int]:
        """Return the node's ports by dialect; `http` is that of the web page."""
        return {dialect: int(where.rpartition(":")[2]) for _, dialect, where in map(str.split, self.lines())}

    def kill(self) -> None:
        """Kill the node."""
        self._process.kill()
        self._process.wait()

    def stop(self) -> int:
        """Stop the node, by force if necessary, and return its exit code."""
        self._late.cancel()
        self._process.terminate()
        try:
            return self._process.wait(SECONDS)
        except subprocess.TimeoutExpired:
            self._process.kill()
            return self._process.wait()
        finally:
            if self._process.stdout is not None:
                self._process.stdout.close()


class Cluster(NamedTuple):
    """A running cluster."""

    nodes: list[Node]
    database: Postgres
    bus: SecureNats


@contextmanager
def cluster(count: int, flags: Sequence[str]) -> Iterator[Cluster]:
    """Start nodes that share a database and a bus; stop them one by one on exit."""
    with postgres() as database, secure_nats() as bus, ExitStack() as stack:
        shared = (f"--store={database.url}", *flags)
        nodes = []
        for number in range(1, count + 1):
            nodes.append(Node(f"node{number}", shared, bus.environment))
            stack.callback(nodes[-1].stop)
        yield Cluster(nodes, database, bus)


def port_flags() -> Iterable[str]:
    """Return the flags that open every dialect on a free port."""
    return ("--http=0", *(f"--listen={dialect}=0" for dialect in DEFAULT_DIALECTS))


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m scripts.cluster", description=__doc__, allow_abbrev=False)
    parser.add_argument("--nodes", type=int, default=3)
    chosen, flags = parser.parse_known_args()
    stop = threading.Event()
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, lambda *_: stop.set())
    try:
        with cluster(chosen.nodes, (*port_flags(), *flags)) as running:
            for node in running.nodes:
                for line in node.lines():
                    print(f"{node.name} {line}", flush=True)
            print("ready", flush=True)
            stop.wait()
    except RuntimeError as problem:
        sys.exit(str(problem))


if __name__ == "__main__":
    main()
