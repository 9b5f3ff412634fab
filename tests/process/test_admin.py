"""`boardwire admin` and a running server: an operator's acts reach it, hold after kill -9, and need a token."""

from __future__ import annotations

import http.client
import json
import os
import signal
import socket
import subprocess
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

from .. import fork_server

SECONDS = 20
ENVIRONMENT = {key: value for key, value in os.environ.items() if not key.startswith("BOARDWIRE_")}


@contextmanager
def server(directory: Path, *flags: str) -> Iterator[tuple[fork_server.Process, dict[str, int]]]:
    """A running server and its ports by dialect."""
    process = fork_server.Process(
        "serve", "--data", str(directory), "--http", "0", "--listen", "tris-lines=0", *flags,
        stderr=subprocess.DEVNULL, environment=ENVIRONMENT,
    )  # fmt: skip
    try:
        assert process.stdout is not None
        ports = {}
        for line in process.stdout:
            if line == "ready\n":
                break
            _, name, address = line.split()
            ports[name] = int(address.rpartition(":")[2])
        yield process, ports
    finally:
        if process.poll() is None:
            process.send_signal(signal.SIGTERM)
        process.wait(SECONDS)
        assert process.stdout is not None
        process.stdout.close()


def admin(*arguments: str) -> subprocess.CompletedProcess[str]:
    return fork_server.boardwire_text("admin", *arguments, environment=ENVIRONMENT, seconds=SECONDS)


def until(true: Any) -> None:
    """Wait until something is true."""
    end = time.monotonic() + SECONDS
    while not true():
        assert time.monotonic() < end, "it did not come true"
        time.sleep(0.05)


def status(port: int, path: str, source: str = "127.0.0.1", **headers: str) -> int:
    """The status of a GET request from an address of the loopback network; 0: refused without an answer."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=SECONDS, source_address=(source, 0))
    with closing(connection):
        try:
            connection.request("GET", path, headers={name.replace("_", "-"): text for name, text in headers.items()})
            return connection.getresponse().status
        except ConnectionError:
            return 403  # refused before the request was sent


def test_an_operator_bans_closes_and_drains_and_a_killed_server_remembers(tmp_path: Path) -> None:
    with server(tmp_path) as (process, ports):
        token = admin("token", "--data", str(tmp_path)).stdout.strip()
        url = f"http://127.0.0.1:{ports['http']}"
        until(lambda: admin("bans", "--url", url, "--token", token).returncode == 0)
        denied = admin("bans", "--url", url, "--token", "not-the-token-that-was-printed")
        assert denied.returncode == 1
        assert "boardwire admin token --data DIR" in denied.stderr
        assert "welcome" not in denied.stderr
        short = admin("tables", "--url", url, "--token", "short")
        assert "boardwire admin token --data DIR" in short.stderr
        assert "token player:1 (admin)" in admin("audit", "--url", url, "--token", token).stdout

        players = [socket.create_connection(("127.0.0.1", ports["tris-lines"]), SECONDS) for _ in range(2)]
        files = [player.makefile("rb") for player in players]
        assert [files[0].readline(), files[0].readline(), files[1].readline()] == [b"WAIT\n", b"READY\n", b"READY\n"]
        (table,) = [
            json.loads(line) for line in admin("tables", "--json", "--url", url, "--token", token).stdout.splitlines()
        ]
        assert admin("close", table["match"], "--url", url, "--token", token).returncode == 0
        assert [file.read() for file in files] == [b"DISCONNECTED\n"] * 2
        for file, player in zip(files, players, strict=True):
            file.close()
            player.close()

        banned = admin("ban", "127.0.0.9", "--for", "1h", "--reason", "floods", "--url", url, "--token", token)
        assert banned.returncode == 0, banned.stderr
        assert status(ports["http"], "/healthz", "127.0.0.9") == 403
        assert status(ports["http"], "/healthz", "127.0.0.9", X_Forwarded_For="127.0.0.1") == 403
        assert status(ports["http"], "/healthz", "127.0.0.1", X_Forwarded_For="127.0.0.9") == 200
        process.kill()
        process.wait(SECONDS)
    matches = fork_server.boardwire_text("matches", "--json", "--data", str(tmp_path), environment=ENVIRONMENT)
    assert json.loads(matches.stdout)["outcome"]["termination"] == "closed"

    with server(tmp_path, "--trusted-proxy", "127.0.0.1") as (process, ports):
        url = f"http://127.0.0.1:{ports['http']}"
        assert status(ports["http"], "/healthz", "127.0.0.9") == 403
        assert status(ports["http"], "/healthz", "127.0.0.1", X_Forwarded_For="127.0.0.1, 127.0.0.9") == 403
        assert status(ports["http"], "/healthz", "127.0.0.1", X_Forwarded_For="127.0.0.9, 127.0.0.8") == 200
        for path in ("sanctions", "tables", "audit"):
            forged = {"X_Forwarded_For": "127.0.0.1", "X_Forwarded_User": "admin", "Forwarded": "for=127.0.0.1"}
            assert status(ports["http"], f"/api/admin/{path}", **forged) == 401
        assert admin("unban", "127.0.0.9", "--data", str(tmp_path)).returncode == 0
        until(lambda: status(ports["http"], "/healthz", "127.0.0.9") == 200)
        assert admin("drain", "--url", url, "--token", token).returncode == 0
        assert process.wait(SECONDS) == 0
