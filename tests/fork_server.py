"""`python -m boardwire` in a fork of a process that has imported the package.

For tests of what a command prints and of its exit code; those of starting, signals and kills start an interpreter.

- One server per test process, started with the first command; it is single-threaded and runs one command at a time.
- A command has its own arguments, environment, directory and standard streams; settings that are read at import are
  those of the server.
"""

from __future__ import annotations

import atexit
import json
import os
import socket
import subprocess
import sys
import tempfile
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Final

SERVER: Final = """
import gc, importlib, json, os, pkgutil, socket, sys
import boardwire.cli, boardwire.commands, boardwire.node
for module in pkgutil.iter_modules(boardwire.commands.__path__, "boardwire.commands."):
    importlib.import_module(module.name)

gc.freeze()
requests = socket.socket(fileno=int(sys.argv[1]))
while True:
    request, streams, _, _ = socket.recv_fds(requests, 1 << 20, 3)
    if not request:
        break
    pid = os.fork()
    if pid == 0:
        requests.close()
        for number, stream in enumerate(streams):
            os.dup2(stream, number)
            os.close(stream)
        arguments, environment, directory = json.loads(request)
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
    for stream in streams:
        os.close(stream)
    requests.send(b"%d" % pid)
    requests.send(b"%d" % os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]))
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


def boardwire(
    *arguments: str | bytes,
    environment: Mapping[str, str] | None = None,
    directory: Path | str = ".",
    typed: bytes = b"",
    seconds: float = 60.0,
) -> subprocess.CompletedProcess[bytes]:
    """Run a command to its end; return what it printed and its exit code, as `subprocess.run` does."""
    words = [os.fsdecode(word) for word in arguments]
    request = json.dumps(
        [words, dict(os.environ if environment is None else environment), str(Path(directory).resolve())]
    )
    server = _server()
    with tempfile.TemporaryFile() as stdin, tempfile.TemporaryFile() as stdout, tempfile.TemporaryFile() as stderr:
        stdin.write(typed)
        stdin.seek(0)
        socket.send_fds(server, [request.encode()], [one.fileno() for one in (stdin, stdout, stderr)])
        server.settimeout(None)
        pid = int(server.recv(100))
        server.settimeout(seconds)
        try:
            code = int(server.recv(100))
        except TimeoutError:
            os.kill(pid, 9)
            server.settimeout(None)
            server.recv(100)
            raise subprocess.TimeoutExpired(words, seconds) from None
        stdout.seek(0)
        stderr.seek(0)
        return subprocess.CompletedProcess(words, code, stdout.read(), stderr.read())


def boardwire_text(
    *arguments: str | bytes,
    environment: Mapping[str, str] | None = None,
    directory: Path | str = ".",
    seconds: float = 60.0,
) -> subprocess.CompletedProcess[str]:
    """Do as `boardwire`, and decode what was printed."""
    done = boardwire(*arguments, environment=environment, directory=directory, seconds=seconds)
    return subprocess.CompletedProcess(done.args, done.returncode, done.stdout.decode(), done.stderr.decode())
