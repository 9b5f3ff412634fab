"""`boardwire serve` as a real process: what it prints, how it stops, and what it says when it cannot begin."""

from __future__ import annotations

import json
import os
import re
import signal
import socket
import sqlite3
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import IO, Any

import pytest

from boardwire.store.entry import write_part
from boardwire.store.sqlite import SqliteJournal

from .. import fork_server
from ..endless import endless

SECONDS = 60
COMMAND = [sys.executable, "-m", "boardwire"]


def clean() -> dict[str, str]:
    """The environment without what would change what is tested."""
    ours = ("BOARDWIRE_", "PYTHONUNBUFFERED")
    return {key: value for key, value in os.environ.items() if not key.startswith(ours)}


class Server:
    """A running server, its ports by dialect."""

    def __init__(self, process: subprocess.Popen[str] | fork_server.Process) -> None:
        self.process = process
        self.ports: dict[str, int] = {}
        self.printed: list[str] = []
        assert process.stdout is not None
        for line in process.stdout:
            self.printed.append(line.removesuffix("\n"))
            if line == "ready\n":
                return
            word, name, address = line.split()
            assert word == "listening"
            self.ports[name] = int(address.rpartition(":")[2])
        raise AssertionError(f"it ended before it was ready: {process.communicate(timeout=SECONDS)}")

    def connect(self, source: str = "127.0.0.1") -> Player:
        return Player(self.ports["tris-lines"], source)

    def stop(self, number: signal.Signals = signal.SIGTERM) -> tuple[int, str, str]:
        """Its exit code, what it printed after `ready`, and its log."""
        self.process.send_signal(number)
        out, log = self.process.communicate(timeout=SECONDS)
        return self.process.wait(), out, log


class Player:
    """A Tris client made of a blocking socket."""

    def __init__(self, port: int, source: str = "127.0.0.1") -> None:
        self.socket = socket.create_connection(("127.0.0.1", port), SECONDS, (source, 0))
        self._file: IO[bytes] = self.socket.makefile("rb")

    def send(self, line: str) -> None:
        self.socket.sendall(line.encode() + b"\n")

    def line(self) -> str:
        return self._file.readline().decode().removesuffix("\n")

    def close(self) -> None:
        self._file.close()
        self.socket.close()


@contextmanager
def serving(*arguments: str, **environment: str) -> Iterator[Server]:
    pipe = subprocess.PIPE
    with fork_server.Process(
        "serve", *arguments, stdout=pipe, stderr=pipe, environment={**clean(), **environment}
    ) as process:
        try:
            yield Server(process)
        finally:
            process.kill()


@contextmanager
def interpreting(*arguments: str) -> Iterator[Server]:
    """Start a server as a user does, with a new interpreter."""
    process = subprocess.Popen(
        [*COMMAND, "serve", *arguments],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=clean(),
    )
    with process:
        try:
            yield Server(process)
        finally:
            process.kill()


def boardwire(*arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
    return fork_server.boardwire_text(*arguments, environment={**clean(), **environment}, seconds=SECONDS)


def tris(data: Path | str = ":memory:") -> tuple[str, ...]:
    return "--http", "off", "--listen", "tris-lines=0", "--data", str(data)


@contextmanager
def pair(server: Server) -> Iterator[tuple[Player, Player]]:
    with closing(server.connect()) as first:
        assert first.line() == "WAIT"
        with closing(server.connect()) as second:
            assert (first.line(), second.line()) == ("READY", "READY")
            yield first, second


# --- from the first line to the last --------------------------------------------------------------------------------


def test_it_prints_its_listeners_then_ready_plays_and_stops_politely(tmp_path: Path) -> None:
    with interpreting(*tris(tmp_path)) as server:
        assert server.printed == [f"listening tris-lines 127.0.0.1:{server.ports['tris-lines']}", "ready"]
        with pair(server) as (first, second):
            first.send("4")
            assert (first.line(), second.line()) == ("OK", "0,0,0,0,1,0,0,0,0,")
            server.process.send_signal(signal.SIGTERM)
            assert [first.line(), first.line()] == ["DISCONNECTED", ""]
            assert [second.line(), second.line()] == ["DISCONNECTED", ""]
        out, log = server.process.communicate(timeout=SECONDS)
    assert (server.process.returncode, out) == (0, "")
    assert [json.loads(line)["event"] for line in log.splitlines()] == ["stopping"], "JSON, where it is no terminal"


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_signal_right_after_ready_stops_it_in_order(number: signal.Signals) -> None:
    with interpreting(*tris()) as server:
        code, out, log = server.stop(number)
    assert (code, out) == (0, "")
    assert "Traceback" not in log


def test_a_second_signal_stops_it_at_once() -> None:
    with serving(*tris()) as server, closing(server.connect()) as player:
        assert player.line() == "WAIT"
        server.process.send_signal(signal.SIGTERM)
        assert player.line() == "", "it waits for this player to close, too"
        time.sleep(0.1)
        code, _, _ = server.stop(signal.SIGTERM)
        assert code == 128 + signal.SIGTERM


def test_a_signal_that_comes_twice_in_the_same_moment_is_one_wish_to_stop() -> None:
    with serving(*tris()) as server, closing(server.connect()) as player:
        assert player.line() == "WAIT"
        server.process.send_signal(signal.SIGTERM)
        server.process.send_signal(signal.SIGTERM)
        player.close()
        assert server.process.wait(10) == 0


def test_any_listen_replaces_the_default_set_and_one_dialect_may_have_several_ports() -> None:
    with serving(
        "--data", ":memory:", "--http", "off", "--listen", "tris-lines=0", "--listen", "tris-lines=0"
    ) as server:
        assert len(server.printed) == 3
        assert server.stop()[0] == 0


@pytest.mark.slow
def test_a_flag_beats_the_environment_and_that_beats_the_file(tmp_path: Path) -> None:
    file = tmp_path / "settings.toml"
    file.write_text('host = "127.0.0.3"\ndata = ":memory:"\nlisten = ["tris-lines=0"]\nhttp = "off"\n')
    settings = {"BOARDWIRE_CONFIG": str(file)}
    with serving(**settings) as server:
        assert re.fullmatch(r"listening tris-lines 127\.0\.0\.3:\d+", server.printed[0])
    with serving(BOARDWIRE_HOST="127.0.0.2", **settings) as server:
        assert re.fullmatch(r"listening tris-lines 127\.0\.0\.2:\d+", server.printed[0])
    with serving("--host", "127.0.0.1", "--config", str(file), BOARDWIRE_HOST="127.0.0.2") as server:
        assert re.fullmatch(r"listening tris-lines 127\.0\.0\.1:\d+", server.printed[0])


@pytest.mark.slow
def test_without_a_word_the_journal_is_in_the_users_data_directory(tmp_path: Path) -> None:
    with serving("--http", "off", "--listen", "tris-lines=0", XDG_DATA_HOME=str(tmp_path)) as server:
        assert (tmp_path / "boardwire" / "boardwire.sqlite").exists()
        assert server.stop()[0] == 0


# --- what cannot be -------------------------------------------------------------------------------------------------


def complains(done: subprocess.CompletedProcess[str], code: int, words: str) -> None:
    assert done.returncode == code, done.stderr
    assert re.search(words, done.stderr), done.stderr
    assert "Traceback" not in done.stderr
    assert "ready" not in done.stdout
    assert len(done.stderr.strip().splitlines()) == 1, done.stderr


def test_a_port_in_use_is_said_and_the_exit_code_is_1(tmp_path: Path) -> None:
    with closing(socket.create_server(("127.0.0.1", 0))) as taken:
        port = taken.getsockname()[1]
        arguments = ("--http", "off", "--listen", f"tris-lines={port}", "--data", str(tmp_path))
        complains(boardwire("serve", *arguments), 1, rf"^boardwire: cannot listen on 127\.0\.0\.1:{port} .*in use")


def test_the_server_cannot_listen_on_an_address_of_another_machine() -> None:
    complains(boardwire("serve", *tris(), "--host", "192.0.2.1"), 1, "cannot listen on 192.0.2.1:0")


def test_a_data_directory_that_another_server_has_open_is_refused(tmp_path: Path) -> None:
    with serving(*tris(tmp_path)):
        complains(boardwire("serve", *tris(tmp_path)), 1, "another boardwire process has .* open")


def test_a_data_directory_that_cannot_be_written_is_said(tmp_path: Path) -> None:
    file = tmp_path / "file"
    file.touch()
    complains(boardwire("serve", *tris(file)), 1, f"cannot store matches in {file}: it is a file")
    complains(boardwire("serve", *tris(file / "below")), 1, f"cannot store matches in {file}/below: .*Not a directory")


def test_a_match_that_cannot_be_read_keeps_the_server_from_nothing(tmp_path: Path) -> None:
    with serving(*tris(tmp_path)) as server:
        server.stop()
    with closing(sqlite3.connect(tmp_path / "boardwire.sqlite")) as store:
        store.execute("INSERT INTO matches (key, id, last) VALUES (1, 'odd', 1)")
        store.execute("INSERT INTO log VALUES (1, ?)", (write_part(1, 1, 0, [b'{"event":"unheard of","at":0}']),))
        store.commit()
    with serving(*tris(tmp_path)) as server:
        code, _, log = server.stop()
    assert code == 0
    assert [entry["match"] for entry in map(json.loads, log.splitlines()) if entry["level"] == "error"] == ["odd"]


def test_data_that_is_no_journal_is_said(tmp_path: Path) -> None:
    (tmp_path / "boardwire.sqlite").write_bytes(b"this is no database, whatever its name says" * 100)
    complains(boardwire("serve", *tris(tmp_path)), 1, "cannot store matches in .*not a database")
    complains(boardwire("matches", "--data", str(tmp_path)), 1, "cannot read the matches in .*not a database")
    complains(boardwire("replay", "x", "--data", str(tmp_path)), 1, "cannot read the matches in .*not a database")


# --- reading the journal --------------------------------------------------------------------------------------------


def rows(done: subprocess.CompletedProcess[str]) -> list[dict[str, Any]]:
    assert (done.returncode, done.stderr) == (0, "")
    return [json.loads(line) for line in done.stdout.splitlines()]


def test_matches_and_replay_read_the_journal_while_the_server_has_it_open(tmp_path: Path) -> None:
    data = ("--data", str(tmp_path))
    with serving(*tris(tmp_path)) as server, pair(server) as (first, second):
        for mover, cell in ((first, 4), (second, 0), (first, 8)):
            mover.send(str(cell))
            first.line()
            second.line()
        (match,) = rows(boardwire("matches", *data, "--json"))
        assert list(match) == ["id", "game", "rules", "dialects", "players", "status", "outcome", "moves"]
        name = match.pop("id")
        assert match == {
            "game": "tris",
            "rules": 1,
            "dialects": ["tris-lines", "tris-lines"],
            "players": ["", ""],
            "status": "playing",
            "outcome": None,
            "moves": 3,
        }
        events = rows(boardwire("replay", name, *data, "--json"))
        assert [event["seq"] for event in events] == list(range(1, len(events) + 1))
        acted = [(event["seat"], event["action"]) for event in events if event["event"] == "acted"]
        assert acted == [(0, 4), (1, 0), (0, 8)]
        server.process.send_signal(signal.SIGTERM)
        assert (first.line(), second.line()) == ("DISCONNECTED", "DISCONNECTED")
    (match,) = rows(boardwire("matches", *data, "--json"))
    assert match["outcome"] == {"termination": "interrupted", "winners": []}
    text = boardwire("matches", *data).stdout
    assert text == f"{name}  tris       over        3 moves  player 1 - player 2  interrupted\n"


def test_a_reader_that_closes_the_pipe_gets_no_message_and_no_success(tmp_path: Path) -> None:
    with serving(*tris(tmp_path)) as server:
        for _ in range(2):
            with pair(server):
                pass
        assert server.stop()[0] == 0
    for arguments in (["matches"], ["matches", "--json"]):
        read, write = os.pipe()
        os.close(read)
        done = subprocess.run(
            [*COMMAND, *arguments, "--data", str(tmp_path)],
            stdout=write,
            stderr=subprocess.PIPE,
            text=True,
            timeout=SECONDS,
            env=clean(),
            check=False,
        )
        os.close(write)
        assert (done.returncode, done.stderr) == (1, "")


def test_a_server_out_of_files_says_so_refuses_politely_and_still_answers_who_is_inside(tmp_path: Path) -> None:
    few = ["sh", "-c", 'ulimit -n 150 && exec "$@"', "sh", *COMMAND, "serve", "--data", str(tmp_path)]
    with subprocess.Popen(
        [*few, "--http", "0", "--listen", "tris-lines=0"],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=clean(),
    ) as process:  # fmt: skip
        try:
            server = Server(process)

            def ask(peer: socket.socket) -> bytes:
                peer.sendall(b"GET /api/matches HTTP/1.1\r\nHost: x\r\n\r\n")
                return peer.recv(12)

            where = "127.0.0.1", server.ports["http"]
            with closing(socket.create_connection(where, SECONDS)) as inside:
                assert ask(inside) == b"HTTP/1.1 200"
                crowd = [server.connect(f"127.0.1.{number}") for number in range(1, 201)]
                assert crowd[-1].line() == "", "the server closes it at once"
                with closing(socket.create_connection(where, SECONDS, ("127.0.2.1", 0))) as outside:
                    assert outside.recv(12) == b"HTTP/1.1 503"
                assert inside.recv(100_000)
                assert ask(inside) == b"HTTP/1.1 200", "there are files left to read the journal with"
                for player in crowd:
                    player.close()
            code, _, log = server.stop()
        finally:
            process.kill()
    lines = [json.loads(line)["event"] for line in log.splitlines()]
    assert code == 0
    assert "Traceback" not in log
    assert lines.count("the limit on open files (RLIMIT_NOFILE) is low") == 1
    assert lines.count("too many connections on this server") == 1


STUCK = """
import sys
from boardwire.cli import main
from boardwire.proxy.stored_match import StoredConversations

def reconstruct(*arguments):
    while True:
        pass

StoredConversations.reconstruct = reconstruct
sys.argv[0] = "boardwire"
main()
"""


def test_a_server_stops_in_seconds_while_a_reader_is_stuck(tmp_path: Path) -> None:
    journal = SqliteJournal(tmp_path, lambda call, *arguments: None)
    journal.append("endless", 1, endless("tris", 20), lambda result: None)
    journal.close()
    arguments = ("serve", "--data", str(tmp_path), "--http", "0", "--listen", "tris-lines=0")
    pipe = subprocess.PIPE
    command = [sys.executable, "-c", STUCK, *arguments]
    with subprocess.Popen(command, stdout=pipe, stderr=pipe, text=True, env=clean()) as process:
        try:
            server = Server(process)
            port = server.ports["http"]
            with closing(socket.create_connection(("127.0.0.1", port), timeout=SECONDS)) as asking:
                asking.sendall(b"GET /api/matches/endless/wire?seat=0 HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n")
                while metric(port, "boardwire_readers_waiting") < 1:
                    pass
                assert server.stop()[0] == 0
        finally:
            process.kill()


def metric(port: int, name: str) -> float:
    """The value of a metric of a server."""
    with closing(socket.create_connection(("127.0.0.1", port), timeout=SECONDS)) as asking:
        asking.sendall(b"GET /metrics HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n")
        text = asking.makefile("rb").read().decode()
    (value,) = re.findall(rf"^{name} (\S+)$", text, re.MULTILINE)
    return float(value)
