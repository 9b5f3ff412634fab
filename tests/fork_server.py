"""`python -m boardwire` in a fork of a process that has imported the package.

A test runs a command to its end with `boardwire`, or starts one with `Process`. An interpreter takes 0.4 s of CPU to
start; only tests of the start itself need one.

- One server per test process, started with the first command. It is single-threaded; commands run side by side.
- A command has its own arguments, environment, directory, process group and standard streams; settings that are read
  at import are those of the server.
"""

from __future__ import annotations

import atexit
import json
import os
import select
import signal
import socket
import subprocess
import sys
import tempfile
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from pathlib import Path
from typing import IO, Any, Final

SERVER: Final = """
import gc, importlib, json, os, pkgutil, socket, sys
import boardwire.cli, boardwire.commands, boardwire.node
for module in pkgutil.iter_modules(boardwire.commands.__path__, "boardwire.commands."):
    importlib.import_module(module.name)

def run(arguments, environment, directory, streams):
    for number, stream in enumerate(streams):
        os.dup2(stream, number)
        os.close(stream)
    os.environ.clear()
    os.environ.update(environment)
    os.chdir(directory)
    os.setpgid(0, 0)
    sys.argv = ["boardwire", *arguments]
    try:
        boardwire.cli.main()
    except SystemExit as ended:
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(ended.code)  # without freeing the modules one by one, which takes 0.1 s

def supervise(status, streams, request):
    requests.close()
    pid = os.fork()
    if pid == 0:
        os.close(status)
        run(*json.loads(request), streams)
    for stream in (0, 1, 2, *streams):
        os.close(stream)
    os.write(status, b"%d\\n" % pid)
    os.write(status, b"%d\\n" % os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]))
    os._exit(0)

def reap():
    try:
        while os.waitpid(-1, os.WNOHANG)[0]:
            pass
    except ChildProcessError:
        pass

gc.freeze()
requests = socket.socket(fileno=int(sys.argv[1]))
while True:
    request, descriptors, _, _ = socket.recv_fds(requests, 1 << 20, 4)
    reap()
    if not request:
        break
    if os.fork() == 0:
        supervise(descriptors[0], descriptors[1:], request)
    for descriptor in descriptors:
        os.close(descriptor)
"""


@cache
def _server() -> socket.socket:
    ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    environment = {key: value for key, value in os.environ.items() if not key.startswith(("BOARDWIRE_", "PYTHONUTF8"))}
    with theirs:
        process = subprocess.Popen(
            [sys.executable, "-c", SERVER, str(theirs.fileno())], pass_fds=[theirs.fileno()], env=environment
        )

    def close() -> None:
        ours.close()
        process.wait(10)

    atexit.register(close)
    return ours


class Process:
    """A running command, with the part of `subprocess.Popen` that tests use.

    `stdout` and `stderr` are open files, or `PIPE` or `DEVNULL` of `subprocess`; standard error is that of the test
    by default. Standard input is empty, unless it is an open file.
    """

    def __init__(
        self,
        *arguments: str | bytes,
        stdin: IO[Any] | int = subprocess.DEVNULL,
        stdout: IO[Any] | int = subprocess.PIPE,
        stderr: IO[Any] | int = 2,
        environment: Mapping[str, str] | None = None,
        directory: Path | str = ".",
        text: bool = True,
    ) -> None:
        self.args = [os.fsdecode(word) for word in arguments]
        self.returncode: int | None = None
        self.stdout: IO[Any] | None = None
        self.stderr: IO[Any] | None = None
        variables = dict(os.environ if environment is None else environment)
        request = json.dumps([self.args, variables, str(Path(directory).resolve())]).encode()
        status, theirs = os.pipe()
        opened = [theirs]

        def descriptor(stream: IO[Any] | int, name: str) -> int:
            if not isinstance(stream, int):
                return stream.fileno()
            if stream >= 0:
                return stream
            if stream == subprocess.PIPE:
                reading, writing = os.pipe()
                setattr(self, name, open(reading, "r" if text else "rb"))  # noqa: SIM115 - the caller closes it
            else:
                writing = os.open(os.devnull, os.O_RDWR)
            opened.append(writing)
            return writing

        streams = [descriptor(stdin, "stdin"), descriptor(stdout, "stdout"), descriptor(stderr, "stderr")]
        socket.send_fds(_server(), [request], [theirs, *streams])
        for number in opened:
            os.close(number)
        self._status = open(status, "rb", buffering=0)  # noqa: SIM115 - closed when the exit code is known
        self.pid = int(self._status.readline())

    def __enter__(self) -> Process:
        return self

    def __exit__(self, *_: object) -> None:
        for stream in filter(None, (self.stdout, self.stderr)):
            stream.close()
        self.wait()

    def wait(self, timeout: float | None = None) -> int:
        """Wait for the end and return the exit code; a signal is negative."""
        if self.returncode is None:
            if not select.select([self._status], [], [], timeout)[0]:
                raise subprocess.TimeoutExpired(self.args, timeout or 0.0)
            with self._status:
                self.returncode = int(self._status.readline())
        return self.returncode

    def poll(self) -> int | None:
        """Return the exit code if the command is over."""
        try:
            return self.wait(0.0)
        except subprocess.TimeoutExpired:
            return None

    def send_signal(self, number: int) -> None:
        """Send a signal, unless the command is over."""
        if self.poll() is None:
            os.kill(self.pid, number)

    def terminate(self) -> None:
        """Send SIGTERM."""
        self.send_signal(signal.SIGTERM)

    def kill(self) -> None:
        """Send SIGKILL."""
        self.send_signal(signal.SIGKILL)

    def communicate(self, timeout: float | None = None) -> tuple[Any, Any]:
        """Wait for the end, kill the command at the timeout, and return what is in the pipes."""
        with ThreadPoolExecutor(2) as readers:
            reads = [readers.submit(stream.read) if stream else None for stream in (self.stdout, self.stderr)]
            try:
                self.wait(timeout)
            except subprocess.TimeoutExpired:
                self.kill()
                raise
        out, errors = (read and read.result() for read in reads)
        for stream in filter(None, (self.stdout, self.stderr)):
            stream.close()
        return out, errors


def boardwire(
    *arguments: str | bytes,
    environment: Mapping[str, str] | None = None,
    directory: Path | str = ".",
    typed: bytes = b"",
    seconds: float = 60.0,
) -> subprocess.CompletedProcess[bytes]:
    """Run a command to its end; return what it printed and its exit code, as `subprocess.run` does."""
    with tempfile.TemporaryFile() as stdin, tempfile.TemporaryFile() as stdout, tempfile.TemporaryFile() as stderr:
        stdin.write(typed)
        stdin.seek(0)
        process = Process(
            *arguments, stdin=stdin, stdout=stdout, stderr=stderr, environment=environment, directory=directory
        )
        try:
            code = process.wait(seconds)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
            raise
        stdout.seek(0)
        stderr.seek(0)
        return subprocess.CompletedProcess(process.args, code, stdout.read(), stderr.read())


def boardwire_text(
    *arguments: str | bytes,
    environment: Mapping[str, str] | None = None,
    directory: Path | str = ".",
    seconds: float = 60.0,
) -> subprocess.CompletedProcess[str]:
    """Do as `boardwire`, and decode what was printed."""
    done = boardwire(*arguments, environment=environment, directory=directory, seconds=seconds)
    return subprocess.CompletedProcess(done.args, done.returncode, done.stdout.decode(), done.stderr.decode())
