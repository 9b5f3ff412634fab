"""`boardwire serve --store postgresql://...` as a real process: what a player was told is in the database."""

from __future__ import annotations

import json
import os
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from scripts.postgres import Postgres

pytestmark = pytest.mark.cluster

COMMAND = [sys.executable, "-m", "boardwire"]
SECONDS = 30


@contextmanager
def serve(secret: Path) -> Iterator[tuple[subprocess.Popen[str], int]]:
    """A server on the database whose address is in this file, and its port for tris-lines; beside it is the log."""
    command = [*COMMAND, "serve", "--http", "off", "--listen", "tris-lines=0", "--log", "debug"]
    environment = {**os.environ, "BOARDWIRE_STORE_FILE": str(secret)}
    with (
        secret.with_name("log").open("a") as log,
        subprocess.Popen(command, stdout=subprocess.PIPE, stderr=log, text=True, env=environment) as process,
    ):
        try:
            assert process.stdout is not None
            listening = process.stdout.readline()
            assert process.stdout.readline() == "ready\n"
            yield process, int(listening.rpartition(":")[2])
        finally:
            process.kill()


def told(url: str, *command: str) -> list[dict[str, Any]]:
    """What a command prints, one JSON object a line."""
    done = subprocess.run(
        [*COMMAND, *command, "--store", url, "--json"], capture_output=True, text=True, check=True, timeout=SECONDS
    )
    return [json.loads(line) for line in done.stdout.splitlines()]


def hear(player: socket.socket, part: bytes) -> None:
    """Wait for a line with `part`; a comma is the other's move."""
    heard = b""
    while part not in heard or not heard.endswith(b"\n"):
        more = player.recv(4096)
        assert more, heard
        heard += more


def test_published_events_survive_a_kill_and_the_password_is_not_logged(tmp_path: Path, database: Postgres) -> None:
    secret = tmp_path / "secret"
    secret.write_text(database.url.replace("boardwire@", "boardwire:hush@"))
    with serve(secret) as (process, port):
        ann = socket.create_connection(("127.0.0.1", port), SECONDS)
        bob = socket.create_connection(("127.0.0.1", port), SECONDS)
        with ann, bob:
            for player in (ann, bob):
                hear(player, b"READY")
            cells = (4, 0, 8)
            for number, cell in enumerate(cells):
                player, other = (ann, bob) if number % 2 == 0 else (bob, ann)
                player.sendall(f"{cell}\n".encode())
                hear(other, b",")
            process.kill()
            process.wait(SECONDS)
    (match,) = told(database.url, "matches")
    assert (match["game"], match["moves"]) == ("tris", len(cells))
    events = told(database.url, "replay", match["id"])
    assert [event["action"] for event in events if event["event"] == "acted"] == list(cells)
    with serve(secret) as (process, _):
        process.terminate()
        assert process.wait(SECONDS) == 0
    assert [one["status"] for one in told(database.url, "matches")] == ["over"], "it was closed as interrupted"
    log = (tmp_path / "log").read_text()
    assert "stopping" in log
    assert "hush" not in log
