"""No text of a peer controls the terminal, the log or the report of a command: its raw output is looked at, byte by
byte, for every control, format and invisible character."""

from __future__ import annotations

import json
import os
import pty
import signal
import socket
import subprocess
import sys
import threading
import unicodedata
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from xml.etree import ElementTree

import pytest

from boardwire.store.sqlite import SqliteJournal
from boardwire.table import events as ev
from boardwire.table.events import Event, Player
from boardwire.table.policy import Policy

from .. import fork_server

SECONDS = 30
CONTROLS = "".join(chr(code) for code in range(0x110000) if unicodedata.category(chr(code)) in ("Cc", "Cf", "Zl", "Zp"))
SENT = "\u202e\x1b\x07\x9b" + "".join(
    map(chr, (*range(0x20), *range(0x7F, 0xA0), 0xAD, 0x61C, *range(0x200B, 0x2010), *range(0x2028, 0x202F),
              *range(0x2060, 0x2070), 0xFEFF, *range(0xFFF9, 0xFFFC), 0xE0001))
)  # fmt: skip
"""Every control and bidi character, and the other invisible ones that people have used; the worst come first, because
commands shorten long texts."""
FORGED = "FORGED"
"""Stands behind a newline; no line of an output may begin with it."""
HOSTILE = f"<{SENT}\x1b[31m\x1b]0;owned\x07\n{FORGED}>"
ONE_LINE = HOSTILE.replace("\n", "").replace("\r", "").encode()
"""The same for protocols whose messages are lines, and for arguments and headers."""
PIECES = tuple(f"{sign}<{sign}>".encode() for sign in SENT if sign not in "\r\n")
"""Each character in a line of its own."""
QUOTED = json.dumps(HOSTILE, ensure_ascii=False).encode()
"""The same as JSON, with as little escaped as JSON allows."""


def assert_harmless(raw: bytes) -> None:
    """Look at what a terminal would be sent."""
    text = raw.decode()
    found = sorted(set(CONTROLS) - {"\n"} & set(text))
    assert found == [], f"{[hex(ord(sign)) for sign in found]} in {text[:2000]!r}"
    assert not [line for line in text.split("\n") if line.lstrip().startswith(FORGED)]


def environment() -> dict[str, str]:
    return {key: value for key, value in os.environ.items() if not key.startswith(("BOARDWIRE_", "PYTHONUTF8"))}


def start(*arguments: str | bytes) -> subprocess.Popen[bytes]:
    return subprocess.Popen(
        [sys.executable, "-m", "boardwire", *arguments],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=environment(),
    )


def harmless(*arguments: str | bytes, typed: bytes = b"", shows: str = "") -> bytes:
    """Run a command; what it prints is harmless, and `shows` is in it, so that something was printed at all."""
    done = fork_server.boardwire(*arguments, environment=environment(), typed=typed, seconds=SECONDS)
    out, err = done.stdout, done.stderr
    assert_harmless(out)
    assert_harmless(err)
    assert b"Traceback" not in err, err.decode()
    assert shows in (out + err).decode(), (out + err).decode()
    return out


@contextmanager
def listening(serve: Callable[[socket.socket], None]) -> Iterator[int]:
    """A peer in a thread: `serve` talks to each client that comes."""

    def accept() -> None:
        with suppress(OSError):
            while True:
                client, _ = server.accept()
                threading.Thread(target=talk, args=(client,), daemon=True).start()

    def talk(client: socket.socket) -> None:
        with client, suppress(OSError):
            client.settimeout(SECONDS)
            serve(client)

    with socket.create_server(("127.0.0.1", 0)) as server:
        threading.Thread(target=accept, daemon=True).start()
        yield int(server.getsockname()[1])


def say(*messages: bytes, ends: bool = False) -> Callable[[socket.socket], None]:
    """A server that says this to every client, and then reads until the end, or `ends` it itself."""

    def serve(client: socket.socket) -> None:
        for message in messages:
            client.sendall(message + b"\n")
        while not ends and client.recv(4096):
            pass

    return serve


# --- what is stored ---------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A directory with a match of two whose names and chat are hostile."""
    directory = tmp_path_factory.mktemp("data")
    journal = SqliteJournal(directory, lambda *_: None)
    events: list[Event] = [
        ev.Opened(1.0, "m1", "tris@1", 2, {}, Policy(), "native"),
        ev.Joined(2.0, 0, Player(HOSTILE, dialect=HOSTILE)),
        ev.Joined(2.5, 1, Player(HOSTILE)),
        ev.Chatted(3.0, 0, HOSTILE),
    ]
    journal.append("m1", 1, events, lambda stored: None)
    journal.close()
    return directory


def test_names_and_chat_in_lists_and_replays(data: Path) -> None:
    harmless("matches", "--data", str(data), shows=r"\x1b[31m")
    harmless("replay", "m1", "--data", str(data), shows=r"\u202e")


def test_names_and_chat_as_json_are_the_same_text_in_escapes(data: Path) -> None:
    (line,) = harmless("matches", "--data", str(data), "--json", shows=r"\u202e").decode().splitlines()
    assert json.loads(line)["players"] == [HOSTILE, HOSTILE]
    lines = harmless("replay", "m1", "--data", str(data), "--json", shows=r"\u009b").decode().splitlines()
    assert json.loads(lines[-1])["text"] == HOSTILE


def test_a_replayed_conversation_and_an_analysis_are_escaped(data: Path) -> None:
    harmless("replay", "m1", "--as", "native", "--seat", "1", "--data", str(data), shows="# boardwire transcript")
    harmless("replay", "m1", "--as", "native", "--seat", "1", "--json", "--data", str(data), shows=r"\u202e")
    harmless("analyse", "m1", "--data", str(data), shows="boardwire: ")


# --- what was typed ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "arguments",
    [
        (),
        ("rules",),
        ("replay", "--data", "{data}"),
        ("analyse", "--data", "{data}"),
        ("perft", "1"),
        ("transcript", "show"),
        ("check", "tris-lines"),
        ("play", "tris", "--dialect", "tris-lines", "--connect"),
        ("bot", "tris", "--connect", "127.0.0.1:1", "--dialect"),
        ("serve", "--listen"),
        ("adapt", "--from", "native", "--to", "tris-lines", "--listen", "0"),
        ("migrate", "--to", "{data}", "--from"),
    ],
)
def test_a_complaint_quotes_an_argument_harmlessly(arguments: tuple[str, ...], data: Path) -> None:
    words = [word.format(data=data) for word in arguments]
    wrong = ONE_LINE.replace(b"\0", b"")
    harmless(*words[:1], wrong, *words[1:]) if words[:1] == ["perft"] else harmless(*words, wrong)


def test_positions_that_are_read_from_the_input() -> None:
    harmless("analyse", "santorini", "--lines", typed=ONE_LINE + b"\n", shows='"error"')


# --- what passes ------------------------------------------------------------------------------------------------------

LOGIN = b'{"type":"LoginRequest","nickname":%s}' % QUOTED


def transcript(directory: Path, name: str = "hostile.txt") -> Path:
    """A transcript with hostile messages: as text, as bytes, of known and of unknown form."""
    lines = [
        b"# boardwire transcript: eriantys-messages",
        b"+ 1 eriantys-messages",
        b"> 1 " + ONE_LINE,
        b"> 1 login",
        b"= " + (LOGIN + b"\n").hex(" ").encode(),
        b"< 1 " + QUOTED.replace(b"\n", b""),
        b"< " + ONE_LINE.replace(b" ", b"") + b" hello",
    ]
    path = directory / name
    path.write_bytes(b"\n".join(lines) + b"\n")
    return path


def test_transcripts(tmp_path: Path) -> None:
    path = str(transcript(tmp_path))
    harmless("transcript", "show", path, shows=r"\u202e")
    for line in harmless("transcript", "show", path, "--json", shows=r"\u202e").decode().splitlines():
        json.loads(line)
    harmless("transcript", "diagram", path, shows="sequenceDiagram")
    harmless("transcript", "replay", path, "--shrink", shows="# boardwire transcript")
    other = tmp_path / "other.txt"
    other.write_text("# boardwire transcript: eriantys-messages\n+ 1 eriantys-messages\n> 1 hello\n+ 2\n")
    harmless("transcript", "diff", path, str(other), shows=r"\u202e")


@pytest.mark.parametrize("json_lines", [False, True])
@pytest.mark.parametrize(
    ("dialect", "from_server", "from_client"),
    [("tris-lines", ONE_LINE, ONE_LINE), ("eriantys-messages", QUOTED, LOGIN), ("forza-lines", ONE_LINE, ONE_LINE)],
)
def test_a_proxy_shows_and_records(
    dialect: str, from_server: bytes, from_client: bytes, json_lines: bool, tmp_path: Path
) -> None:
    record = tmp_path / "record.txt"
    flags = ["--json"] if json_lines else []
    with listening(say(from_server, *PIECES)) as port:
        proxy = start(
            "proxy", dialect, "--listen", "0", "--connect", f"127.0.0.1:{port}", "--record", str(record), *flags
        )
        with proxy:
            assert proxy.stdout is not None
            first = proxy.stdout.readline()
            where = json.loads(first)["address"] if json_lines else first.split()[2].decode()
            while b"ready" not in proxy.stdout.readline():
                pass
            with socket.create_connection(("127.0.0.1", int(where.rpartition(":")[2])), SECONDS) as client:
                assert client.recv(4096)
                client.sendall(b"\n".join((from_client, *PIECES, b"")))
                client.shutdown(socket.SHUT_WR)
                while client.recv(4096):
                    pass
            proxy.send_signal(signal.SIGTERM)
            out, err = proxy.communicate(timeout=SECONDS)
    assert_harmless(out)
    assert_harmless(err)
    assert_harmless(record.read_bytes())
    assert r"\u202e" in out.decode()
    for line in out.decode().splitlines() if json_lines else []:
        json.loads(line)


def test_clients_show_what_a_server_says() -> None:
    with listening(say(ONE_LINE, *PIECES, b"READY", b"0", ends=True)) as port:
        connect = ("--dialect", "tris-lines", "--connect", f"127.0.0.1:{port}")
        harmless("bot", "tris", *connect, shows="boardwire: Message from the server")
    with listening(say(ONE_LINE, *PIECES, b"READY", ONE_LINE)) as port:
        harmless("play", "tris", "--dialect", "tris-lines", "--connect", f"127.0.0.1:{port}", typed=ONE_LINE + b"\nq\n")
    with listening(say(b"ERROR " + ONE_LINE, b"SAID " + ONE_LINE)) as port:
        connect = ("--dialect", "forza-lines", "--connect", f"127.0.0.1:{port}")
        harmless("play", "forza", *connect, typed=b"q\n", shows="Type q to leave")


def test_a_check_of_a_server_prints_and_reports(tmp_path: Path) -> None:
    forms = ("html", "junit", "json", "md")
    reports = [word for form in forms for word in ("--report", form, str(tmp_path / form))]
    with listening(say(ONE_LINE, *PIECES)) as port:
        where = f"127.0.0.1:{port}"
        harmless("check", "tris-lines", where, "--wait", "0.2", *reports, shows=r"\u202e")
        for line in harmless("check", "tris-lines", where, "--wait", "0.2", "--json", shows=r"\u202e").splitlines():
            json.loads(line)
    for form in forms:
        assert_harmless((tmp_path / form).read_bytes())
    json.loads((tmp_path / "json").read_text())
    ElementTree.fromstring((tmp_path / "junit").read_text())


@pytest.mark.parametrize("flags", [(), ("--json",)])
def test_a_check_of_a_client_prints(flags: tuple[str, ...], tmp_path: Path) -> None:
    hostile = tmp_path / "client.py"
    hostile.write_text(
        "import socket, sys\n"
        "with socket.create_connection(('127.0.0.1', int(sys.argv[1]))) as server:\n"
        f"    server.sendall({ONE_LINE!r} + b'\\n')\n"
        "    server.shutdown(socket.SHUT_WR)\n"
        "    while server.recv(4096): pass\n"
    )
    report = tmp_path / "report.md"
    run = f"{sys.executable} {hostile} {{port}}"
    told = ("--listen", "0", "--run", run, "--wait", "0.3", "--only", "win", "--report", "md", str(report))
    harmless("check-client", "tris-lines", *told, *flags, shows=r"\u202e")
    assert_harmless(report.read_bytes())


def test_an_adapter_says_what_it_could_not_translate() -> None:
    with listening(say(ONE_LINE, QUOTED)) as port:
        adapter = start(
            "adapt", f"127.0.0.1:{port}", "--from", "santorini-lobby", "--to", "santorini-actions", "--listen", "0"
        )
        with adapter:
            assert adapter.stdout is not None
            where = adapter.stdout.readline().split()[2].decode()
            assert adapter.stdout.readline() == b"ready\n"
            with socket.create_connection(("127.0.0.1", int(where.rpartition(":")[2])), SECONDS) as client:
                client.sendall(b'{"action":"login","name":"ann","players":2}\n' + ONE_LINE + b"\n")
                client.shutdown(socket.SHUT_WR)
                while client.recv(4096):
                    pass
            adapter.send_signal(signal.SIGTERM)
            out, err = adapter.communicate(timeout=SECONDS)
    assert_harmless(out)
    assert_harmless(err)


HEADER = bytes(byte for byte in ONE_LINE if byte == 9 or (byte >= 32 and byte != 127))
"""What HTTP lets a field value contain; bytes above 127 become C1 controls."""


def upgrade(port: int) -> None:
    """Try to open a WebSocket from a page of another site."""
    head = (
        b"GET /ws HTTP/1.1\r\nHost: 127.0.0.1\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
        b"Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n"
        b"Origin: http://" + HEADER + b"\r\n\r\n"
    )
    with socket.create_connection(("127.0.0.1", port), SECONDS) as client:
        client.sendall(head)
        assert client.recv(4096).startswith(b"HTTP/1.1 403 ")


def test_the_log_of_a_server_quotes_an_origin() -> None:
    with start("serve", "--data", ":memory:", "--http", "0", "--listen", "tris-lines=0") as server:
        assert server.stdout is not None
        port = int(server.stdout.readline().rpartition(b":")[2])
        while server.stdout.readline() != b"ready\n":
            pass
        upgrade(port)
        server.send_signal(signal.SIGTERM)
        out, err = server.communicate(timeout=SECONDS)
    assert out == b""
    assert_harmless(err)
    (line,) = [one for one in err.decode().splitlines() if "another site" in one]
    assert "\u202e" in json.loads(line)["origin"]


def test_on_a_terminal_only_the_programs_own_colours_are_sequences(tmp_path: Path) -> None:
    reading, writing = pty.openpty()
    path = transcript(tmp_path)
    process = subprocess.Popen(
        [sys.executable, "-m", "boardwire", "transcript", "show", str(path)],
        stdout=writing,
        stderr=writing,
        env={**environment(), "TERM": "xterm"},
    )
    os.close(writing)
    raw = b""
    with suppress(OSError):
        while data := os.read(reading, 65536):
            raw += data
    os.close(reading)
    assert process.wait(SECONDS) == 0
    assert b"\x1b[31m" in raw, "findings are red"
    for sequence in (b"\x1b[31m", b"\x1b[2m", b"\x1b[0m"):
        raw = raw.replace(sequence, b"")
    assert_harmless(raw.replace(b"\r\n", b"\n"))
