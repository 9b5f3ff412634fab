"""A real server process with the page, on free ports; it can be killed and started again on the same ones."""

from __future__ import annotations

import signal
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final

DIALECTS: Final = ("tris-lines", "santorini-actions", "santorini-objects", "eriantys-messages")


class Site:
    """A server that the browsers of a test connect to."""

    def __init__(
        self,
        data: Path,
        command: Sequence[str] = (sys.executable, "-m", "boardwire"),
        environment: Mapping[str, str] | None = None,
    ) -> None:
        self._data = data
        self._command = command
        self._environment = environment
        self.flags: list[str] = []
        """What else the process is started with."""
        self._process: subprocess.Popen[str] | None = None
        self.ports = dict.fromkeys(("http", *DIALECTS), 0)
        self.start()

    @property
    def address(self) -> str:
        """Where the page is."""
        return f"http://127.0.0.1:{self.ports['http']}"

    def start(self) -> None:
        """Start a process; the second time on the ports of the first."""
        listen = [word for name in DIALECTS for word in ("--listen", f"{name}={self.ports[name]}")]
        command = [*self._command, "serve", "--http", str(self.ports["http"]), *listen]
        with (self._data.parent / "log").open("a") as log:
            self._process = subprocess.Popen(
                [*command, "--data", str(self._data), "--log", "warning", *self.flags],
                stdout=subprocess.PIPE,
                stderr=log,
                text=True,
                env=self._environment,
            )
        assert self._process.stdout is not None
        for line in self._process.stdout:
            match line.split():
                case ["listening", name, where]:
                    self.ports[name] = int(where.rpartition(":")[2])
                case ["ready"]:
                    return
        raise AssertionError((self._data.parent / "log").read_text())

    def admin(self, *arguments: str) -> str:
        """Run `boardwire admin` on the data of the server; gives what it prints."""
        command = [*self._command, "admin", *arguments, "--data", str(self._data)]
        return subprocess.run(command, capture_output=True, text=True, check=True, env=self._environment).stdout

    def kill(self) -> None:
        """As a power cut would."""
        if self._process is not None and self._process.stdout is not None:
            self._process.kill()
            self._process.wait(10)
            self._process.stdout.close()

    def pause(self) -> None:
        """Let it stand still, with its connections open."""
        assert self._process is not None
        self._process.send_signal(signal.SIGSTOP)

    def go_on(self) -> None:
        """Let it go on."""
        assert self._process is not None
        self._process.send_signal(signal.SIGCONT)

    def complaints(self) -> str:
        """What the server logged as wrong."""
        return (self._data.parent / "log").read_text()
