"""The server under test: a process on a data directory that can be restarted on the same ports."""

from __future__ import annotations

import os
import resource
import shutil
import signal
import struct
import subprocess
import sys
import threading
import time
import urllib.error
import urllib.request
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import IO, Final, TypeAlias

from bench.machine import resident

from soak.ports import DIALECTS, Place
from soak.run_queue import PID_FILE, process_statistics

Sample: TypeAlias = tuple[float, int, int]
"""Time, number of the server process, and its memory in bytes."""

ProcessorSample: TypeAlias = tuple[float, int, float, float]
"""Time, number of the server process, and its seconds on a processor and in the run queue, of all threads."""

CONTROLS: Final = ("\x1b", "\x07", "\x9b", "\u202e")
"""Characters that a log must not contain unescaped: ESC, BEL, CSI and right-to-left override."""
START_SECONDS: Final = 60.0
"""Time in which the server must be ready."""
MAX_TRACEBACK_LENGTH: Final = 400
"""Kept characters at the end of a traceback."""


class Server:
    """One server over all its processes. Its log goes through a pipe, so that it works with a full disk."""

    def __init__(self, directory: Path, where: Place, node: int = 0, flags: Sequence[str] = ()) -> None:
        self._directory = directory
        self._where = where
        self._node = node
        self._flags = flags or (f"--data={self.data}",)
        self._process: subprocess.Popen[bytes] | None = None
        self._listener = threading.Thread()
        self._log = (directory / "log").open("ab")
        self._clock = directory / "clock"
        self._environment = dict(os.environ)
        self.lives = 0
        self.tracebacks: Counter[str] = Counter()
        self.controls: Counter[str] = Counter()
        """Unescaped control characters in the log, by the escaped line."""
        self.memory: list[Sample] = []
        self.processor: list[ProcessorSample] = []
        self.can_jump = self._prepare_clock()

    @property
    def data(self) -> Path:
        return self._directory / "data"

    @property
    def pid(self) -> int:
        assert self._process is not None
        return self._process.pid

    def is_alive(self) -> bool:
        return self._process is not None and self._process.poll() is None

    def start(self) -> None:
        """Start the server and wait until it is ready."""
        listeners = [f"--listen={dialect}={self._where.port(dialect, self._node)}" for dialect in DIALECTS]
        listeners.append(f"--http={self._where.port('native', self._node)}")
        self._process = subprocess.Popen(
            [sys.executable, "-m", "boardwire", "serve", *listeners, *self._flags, "--log=warning"],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env=self._environment,
            cwd=self._directory,
        )
        (self._directory / PID_FILE).write_text(str(self._process.pid))
        self.lives += 1
        assert self._process.stdout is not None
        assert self._process.stderr is not None
        self._listener = threading.Thread(target=self.keep_log, args=(self._process.stderr,), daemon=True)
        self._listener.start()
        timeout = threading.Timer(START_SECONDS, self._process.kill)
        timeout.start()
        try:
            for line in self._process.stdout:
                if line == b"ready\n":
                    return
        finally:
            timeout.cancel()
        raise RuntimeError(f"the server was not ready within {START_SECONDS:g} s; see {self._directory / 'log'}")

    def kill(self) -> None:
        """Kill the server with SIGKILL."""
        if self._process is not None:
            self._process.kill()
            self._process.wait()
            assert self._process.stdout is not None
            self._process.stdout.close()
            self._listener.join()

    def stop(self) -> int:
        """Stop the server with SIGTERM; return its exit code."""
        assert self._process is not None
        self._process.terminate()
        try:
            return self._process.wait(30)
        except subprocess.TimeoutExpired:
            self.kill()
            return -signal.SIGKILL

    def send(self, number: signal.Signals) -> None:
        assert self._process is not None
        self._process.send_signal(number)

    def ready(self) -> bool:
        """Return whether `/readyz` reports that the server is ready."""
        try:
            port = self._where.port("native", self._node)
            with urllib.request.urlopen(f"http://127.0.0.1:{port}/readyz", timeout=5) as answer:
                return bool(answer.status == 200)
        except (OSError, urllib.error.HTTPError):
            return False

    def metric(self, name: str) -> float:
        """Return the value of a metric without labels, or 0 if the server does not answer."""
        try:
            port = self._where.port("native", self._node)
            with urllib.request.urlopen(f"http://127.0.0.1:{port}/metrics", timeout=5) as answer:
                lines = answer.read().decode().splitlines()
        except (OSError, urllib.error.HTTPError):
            return 0.0
        return next((float(line.split()[1]) for line in lines if line.startswith(f"{name} ")), 0.0)

    def fill_disk(self, full: bool) -> None:
        """Make all writes of the server fail, or let them succeed again.

        With RLIMIT_FSIZE, writes fail like on a full disk, without privileges; a full file system would need a mount.
        """
        resource.prlimit(
            self.pid, resource.RLIMIT_FSIZE, (0 if full else resource.RLIM_INFINITY, resource.RLIM_INFINITY)
        )

    def jump_clock(self, seconds: float) -> None:
        """Set the offset of the server's wall clock, in a file of fixed size that the server has mapped."""
        with self._clock.open("r+b") as file:
            file.write(struct.pack("=q", int(seconds * 1e9)))

    def measure(self) -> None:
        """Record the server's memory, and its time on a processor and in the run queue."""
        if self.is_alive():
            try:
                self.memory.append((time.monotonic(), self.lives, resident(self.pid)))
                self.processor.append((time.monotonic(), self.lives, *process_statistics(self.pid)))
            except (OSError, IndexError, ValueError):
                return  # the process has just ended

    def close(self) -> None:
        self.kill()
        self._log.close()

    def _prepare_clock(self) -> bool:
        """Compile the library that shifts the clock; without a compiler there are no jumps, and the report says so."""
        compiler = shutil.which("gcc") or shutil.which("cc")
        if compiler is None or sys.platform != "linux":
            return False
        library = self._directory / "clock.so"
        source = Path(__file__).with_name("clock.c")
        subprocess.run([compiler, "-shared", "-fPIC", "-O2", "-o", str(library), str(source)], check=True)
        self._clock.write_bytes(struct.pack("=q", 0))
        self._environment |= {"LD_PRELOAD": str(library), "SOAK_CLOCK": str(self._clock)}
        return True

    def keep_log(self, stream: IO[bytes]) -> None:
        """Copy the log to a file, and count its tracebacks and unescaped control characters."""
        for line in stream:
            self._log.write(line)
            text = line.decode(errors="replace").strip()
            if any(control in text for control in CONTROLS):
                self.controls[ascii(text)[-MAX_TRACEBACK_LENGTH:]] += 1
            if b'"exception"' in line or b"Traceback" in line:
                self.tracebacks[text[-MAX_TRACEBACK_LENGTH:]] += 1  # the end is the same for equal exceptions
        stream.close()
        self._log.flush()
