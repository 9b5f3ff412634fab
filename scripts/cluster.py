"""A cluster on this machine, for trials: a real PostgreSQL, a real NATS and some nodes, all on free loopback ports.
NATS has TLS and a password, made anew at every start.

Run as `python -m scripts.cluster --nodes 3`, or `make cluster`.  It prints the lines of every node with the node's name
before them, then `ready`; flags that it does not know are every node's.  One Ctrl-C ends everything, and nothing stays.
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

from boardwire.dialects import USUAL

SECONDS: Final = 60
"""How long a node may take to start or to stop."""


class Node:
    """A running node."""

    def __init__(self, name: str, flags: Sequence[str], environment: Mapping[str, str]) -> None:
        self.name = name
        self._process = subprocess.Popen(
            [sys.executable, "-m", "boardwire", "serve", f"--node={name}", *flags],
            stdout=subprocess.PIPE,
            env=os.environ | environment,
            text=True,
            start_new_session=True,  # a Ctrl-C is for us: we end them in order
        )
        self._late = threading.Timer(SECONDS, self._process.kill)
        self._late.start()

    def lines(self) -> Iterator[str]:
        """What it says until it is ready."""
        assert self._process.stdout is not None
        for line in map(str.strip, self._process.stdout):
            if line == "ready":
                self._late.cancel()
                return
            yield line
        raise RuntimeError(f"{self.name} did not start")

    def ports(self) -> dict[str, int]:
        """Where it listens, by dialect, when it is ready; the page is `http`."""
        return {dialect: int(where.rpartition(":")[2]) for _, dialect, where in map(str.split, self.lines())}

    def kill(self) -> None:
        """End it as a crash does."""
        self._process.kill()
        self._process.wait()

    def stop(self) -> int:
        """End it politely, or else; gives its exit code."""
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
    """What runs."""

    nodes: list[Node]
    database: Postgres
    bus: SecureNats


@contextmanager
def cluster(count: int, flags: Sequence[str]) -> Iterator[Cluster]:
    """So many nodes that have a database and a bus in common; they are started at once, and ended one by one."""
    with postgres() as database, secure_nats() as bus, ExitStack() as stack:
        shared = (f"--store={database.url}", *flags)
        nodes = []
        for number in range(1, count + 1):
            nodes.append(Node(f"node{number}", shared, bus.environment))
            stack.callback(nodes[-1].stop)
        yield Cluster(nodes, database, bus)


def doors() -> Iterable[str]:
    """A free port for every dialect."""
    return ("--http=0", *(f"--listen={dialect}=0" for dialect in USUAL))


def main() -> None:
    """See the module."""
    parser = argparse.ArgumentParser(prog="python -m scripts.cluster", description=__doc__, allow_abbrev=False)
    parser.add_argument("--nodes", type=int, default=3)
    chosen, flags = parser.parse_known_args()
    stop = threading.Event()
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, lambda *_: stop.set())
    try:
        with cluster(chosen.nodes, (*doors(), *flags)) as found:
            for node in found.nodes:
                for line in node.lines():
                    print(f"{node.name} {line}", flush=True)
            print("ready", flush=True)
            stop.wait()
    except RuntimeError as problem:
        sys.exit(str(problem))


if __name__ == "__main__":
    main()
