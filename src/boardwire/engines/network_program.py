"""A caged program that communicates over TCP instead of standard input and output.

- It has the network of the process that starts it (`cage.private_loopback` makes that private). With `served_port`, it
  has a separate loopback interface on which only that port accepts connections; `listening` is the socket for our
  server.
- Its standard output and standard error are read continuously, so that it never blocks on a full pipe; only the last
  `LOG_TAIL_BYTES` are kept.
- Its standard input is a file, or empty.
"""

from __future__ import annotations

import os
import selectors
import socket
import sys
import threading
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import Final

from boardwire.engines import listen_gate
from boardwire.engines.cage import CageLimits, CageTool, NetworkAccess, Protection, best_cage_tool, private_loopback
from boardwire.engines.caged_process import CagedProcess
from boardwire.engines.command import ResolvedCommand, find_unreadable, resolve
from boardwire.errors import Malformed, Unavailable

LOG_TAIL_BYTES: Final = 16 * 1024
READ_BYTES: Final = 1 << 16
GATE_SECONDS: Final = 20.0
"""Timeout for the creation of a network namespace."""
DRAIN_SECONDS: Final = 0.5
"""How long to wait for the last output after the program has ended."""


class NetworkProgram:
    """A running program. Raises `Malformed` if the program does not exist, `Unavailable` if it cannot be started."""

    def __init__(
        self,
        words: Sequence[str],
        limits: CageLimits,
        directory: Path,
        *,
        typed: Path | None = None,
        network: NetworkAccess = NetworkAccess.SHARED,
        writable: Path | None = None,
        served_port: int = 0,
    ) -> None:
        # Only the program is resolved: a later word that names a folder of the directory may be meant as a module.
        resolved = resolve(words[:1], directory=directory)
        program = ResolvedCommand((*resolved.argv, *words[1:]), resolved.directory, resolved.readable)
        if (path := find_unreadable(program)) is not None:
            raise Unavailable(f"other users cannot read {path}; run chmod -R o+rX on it")
        try:
            keys = b"" if typed is None else typed.read_bytes()
        except OSError as error:
            raise Malformed(f"cannot read {typed}: {error.strerror}") from None
        self.listening: socket.socket | None = None
        """Socket that listens on `served_port` for this program alone, or None if the system has no namespaces."""
        if served_port and best_cage_tool() is CageTool.BUBBLEWRAP:
            self._process = self._start_apart(program, limits, served_port)
        else:
            self._process = CagedProcess(program, limits, network=network, writable=writable)
        self._tail = bytearray()
        self._lock = threading.Lock()
        self._reading = threading.Thread(target=self._read_output, daemon=True)
        self._reading.start()
        if keys:
            threading.Thread(target=self._type_keys, args=(keys,), daemon=True).start()
        else:
            self._process.stdin.close()

    def _start_apart(self, program: ResolvedCommand, limits: CageLimits, port: int) -> CagedProcess:
        """Start the program in a separate network namespace, and receive the socket that listens there."""
        ours, theirs = socket.socketpair()
        with ours, theirs:
            gate = [sys.executable, "-I", "-S", listen_gate.__file__, str(theirs.fileno()), str(port), "--"]
            prefix, _ = private_loopback(gate)
            process = CagedProcess(
                program, limits, network=NetworkAccess.SHARED, prefix=prefix, descriptors=(theirs.fileno(),)
            )  # fmt: skip
            theirs.close()
            ours.settimeout(GATE_SECONDS)
            try:
                _, descriptors, _, _ = socket.recv_fds(ours, 1, 1)
            except OSError:
                descriptors = []
        if not descriptors:
            process.kill()
            process.close()
            raise Unavailable(f"cannot create a network namespace for {program.argv[0]} within {GATE_SECONDS:g} s")
        self.listening = socket.socket(fileno=descriptors[0])
        self.listening.setblocking(False)
        return process

    @property
    def protections(self) -> tuple[Protection, ...]:
        """The active protections."""
        return self._process.protections

    @property
    def has_ended(self) -> bool:
        return not self._process.is_running

    @property
    def exit_status(self) -> int | None:
        """Exit code, or minus the number of the signal that ended it; None while it runs."""
        return None if self._process.is_running else self._process.exit_status

    @property
    def excess(self) -> str:
        """The limit for which it was killed, or ''."""
        return str(self._process.excess or "")

    @property
    def cpu_seconds(self) -> float:
        """CPU time of its running processes."""
        return self._process.usage()[1]

    def wait(self, seconds: float) -> bool:
        """Wait at most `seconds` for the program to end; return whether it has ended."""
        return self._process.wait(seconds)

    def stop(self) -> None:
        """Kill the program and all its descendants; further calls have no effect."""
        self._process.kill()
        if self.listening is not None:
            self.listening.close()
        self._reading.join(DRAIN_SECONDS)
        self._process.close()

    def log(self) -> str:
        """Return the last `LOG_TAIL_BYTES` of the program's output."""
        with self._lock:
            return bytes(self._tail).decode("utf-8", "replace")

    def _read_output(self) -> None:
        """Read both outputs until they are closed; only the last bytes are kept."""
        with selectors.DefaultSelector() as selector:
            for stream in (self._process.stdout, self._process.stderr):
                selector.register(stream, selectors.EVENT_READ)
            while selector.get_map():
                for key, _ in selector.select():
                    try:
                        data = os.read(key.fd, READ_BYTES)
                    except OSError:
                        data = b""
                    if not data:
                        selector.unregister(key.fileobj)
                        continue
                    with self._lock:
                        self._tail += data
                        del self._tail[:-LOG_TAIL_BYTES]

    def _type_keys(self, keys: bytes) -> None:
        with suppress(OSError, ValueError):
            os.set_blocking(self._process.stdin.fileno(), True)
            while keys:
                keys = keys[self._process.stdin.write(keys) or 0 :]
            self._process.stdin.close()
