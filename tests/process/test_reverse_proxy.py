"""The proxy examples of docs/operate.md before a server: a real nginx and a real Caddy, with TLS.

Clients come from other addresses of the loopback network (127.0.0.2 ...), the proxy from 127.0.0.1, as in the
documents.
"""

from __future__ import annotations

import base64
import json
import os
import re
import shutil
import signal
import socket
import ssl
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from http.client import HTTPResponse, HTTPSConnection
from pathlib import Path
from typing import Any

import pytest

from boardwire.api import guard
from boardwire.wire.websocket import encode_text

pytestmark = pytest.mark.proxy

SECONDS = 30
NAME = "games.example"
PAGE = (Path(__file__).parents[2] / "docs" / "operate.md").read_text()
PATHS = os.environ.get("PATH", "") + ":/usr/sbin:/sbin"
PROXIES = ("nginx", "caddy")


def example(language: str) -> str:
    (block,) = re.findall(rf"^```{language}\n(.*?)^```", PAGE, re.MULTILINE | re.DOTALL)
    return str(block)


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as server:
        return int(server.getsockname()[1])


class Server:
    """A server with the settings of the document."""

    def __init__(self, directory: Path, *flags: str) -> None:
        settings = directory / "boardwire.toml"
        settings.write_text(re.findall(r"^```toml\n(.*?)^```", PAGE, re.MULTILINE | re.DOTALL)[1])
        assert "trusted_proxy" in settings.read_text()
        self._log = directory / "log"
        with self._log.open("wb") as log:
            self.process = subprocess.Popen(
                [sys.executable, "-m", "boardwire", "serve", "--config", str(settings), "--data", ":memory:",
                 "--http", "0", "--listen", "tris-lines=0", *flags],
                stdout=subprocess.PIPE, stderr=log, text=True,
                env={key: value for key, value in os.environ.items() if not key.startswith("BOARDWIRE_")},
            )  # fmt: skip
        self.ports: dict[str, int] = {}
        assert self.process.stdout is not None
        for line in self.process.stdout:
            if line == "ready\n":
                break
            _, name, address = line.split()
            self.ports[name] = int(address.rpartition(":")[2])

    def log(self, words: str) -> dict[str, Any]:
        """The newest line of the log with these words; the log is written at once, but by another process."""
        end = time.monotonic() + SECONDS
        while time.monotonic() < end:
            found = [json.loads(line) for line in self._log.read_text().splitlines() if words in line]
            if found:
                return dict(found[-1])
            time.sleep(0.02)
        raise AssertionError(f"no line has {words!r}: {self._log.read_text()}")


def nginx(directory: Path, port: int, backend: int, certificate: tuple[Path, Path]) -> list[str]:
    """The command that runs the example of the document."""
    block = (
        example("nginx")
        .replace("listen 443", f"listen 127.0.0.1:{port}")
        .replace("127.0.0.1:7070", f"127.0.0.1:{backend}")
    )
    for kind, ours in zip(("pem", "key"), certificate, strict=True):
        block = block.replace(f"/etc/ssl/{NAME}.{kind}", str(ours))
    kinds = ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
    temporary = "".join(f"{kind}_temp_path {directory}/{kind};" for kind in kinds)
    user = "user root;" if os.getuid() == 0 else ""
    file = directory / "nginx.conf"
    file.write_text(
        f"{user} daemon off; pid {directory}/pid; error_log {directory}/error.log; events {{}}\n"
        f"http {{ access_log off; {temporary}\n{block}\n}}\n"
    )
    return ["nginx", "-e", f"{directory}/error.log", "-p", str(directory), "-c", str(file)]


def caddy(directory: Path, port: int, backend: int, certificate: tuple[Path, Path]) -> list[str]:
    """The command that runs the example of the document."""
    block = example("caddy").replace("127.0.0.1:7070", f"127.0.0.1:{backend}")
    tls = f"https://{NAME}:{port} {{\n    bind 127.0.0.1\n    tls {certificate[0]} {certificate[1]}\n"
    assert block.startswith(f"{NAME} {{\n")
    options = "{\n    admin off\n    auto_https disable_redirects\n    skip_install_trust\n}\n"
    file = directory / "Caddyfile"
    file.write_text(options + tls + block.removeprefix(f"{NAME} {{\n"))
    return ["caddy", "run", "--adapter", "caddyfile", "--config", str(file)]


class Place:
    """A proxy and the server behind it."""

    def __init__(self, server: Server, port: int, trusted: ssl.SSLContext) -> None:
        self.server = server
        self._port = port
        self._tls = trusted

    def socket(self, source: str) -> ssl.SSLSocket:
        plain = socket.create_connection(("127.0.0.1", self._port), SECONDS, (source, 0))
        return self._tls.wrap_socket(plain, server_hostname=NAME)

    def ask(self, path: str, source: str = "127.0.0.2", **headers: str) -> HTTPResponse:
        """The answer to a request of a client at `source`."""
        with closing(HTTPSConnection(NAME, timeout=SECONDS)) as connection:
            connection.sock = self.socket(source)
            fields = {"Host": NAME, **{name.replace("_", "-"): value for name, value in headers.items()}}
            connection.request("GET", path, headers=fields)
            answer = connection.getresponse()
            answer.read()
            return answer

    def upgrade(self, source: str, origin: str, *more: str) -> tuple[ssl.SSLSocket, str]:
        """A WebSocket, and the first line of the answer."""
        key = base64.b64encode(bytes(16)).decode()
        wire = self.socket(source)
        head = (
            "GET /ws HTTP/1.1", f"Host: {NAME}", f"Origin: {origin}", "Upgrade: websocket", "Connection: Upgrade",
            "Sec-WebSocket-Version: 13", f"Sec-WebSocket-Key: {key}", *more, "", "",
        )  # fmt: skip
        wire.sendall("\r\n".join(head).encode())
        answer = b""
        while b"\r\n\r\n" not in answer:
            answer += wire.recv(1)
        return wire, answer.partition(b"\r\n")[0].decode()


@pytest.fixture(scope="module")
def certificate(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    directory = tmp_path_factory.mktemp("tls")
    file, key = directory / "cert.pem", directory / "key.pem"
    subprocess.run(
        ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", f"/CN={NAME}",
         "-addext", f"subjectAltName=DNS:{NAME}", "-keyout", str(key), "-out", str(file)],
        check=True, capture_output=True,
    )  # fmt: skip
    return file, key


@contextmanager
def behind(which: str, directory: Path, certificate: tuple[Path, Path], *flags: str) -> Iterator[Place]:
    assert shutil.which(which, path=PATHS), f"there is no {which}; scripts/programs installs it"
    server = Server(directory, *flags)
    port = free_port()
    words = (nginx if which == "nginx" else caddy)(directory, port, server.ports["http"], certificate)
    environment = {**os.environ, "PATH": PATHS, "HOME": str(directory), "XDG_DATA_HOME": str(directory)}
    with (directory / "proxy.log").open("wb") as log:
        proxy = subprocess.Popen(words, stdout=log, stderr=log, env=environment)
    try:
        place = Place(server, port, ssl.create_default_context(cafile=str(certificate[0])))
        _wait(place, proxy, directory)
        yield place
    finally:
        proxy.send_signal(signal.SIGTERM)
        proxy.wait(SECONDS)
        server.process.kill()
        server.process.communicate()


def _wait(place: Place, proxy: subprocess.Popen[bytes], directory: Path) -> None:
    end = time.monotonic() + SECONDS
    while time.monotonic() < end and proxy.poll() is None:
        try:
            place.socket("127.0.0.9").close()
        except OSError:
            time.sleep(0.05)
        else:
            return
    raise AssertionError("".join(file.read_text() for file in directory.glob("*.log")))


@pytest.fixture(scope="module", params=PROXIES)
def place(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory, certificate: tuple[Path, Path]
) -> Iterator[Place]:
    with behind(request.param, tmp_path_factory.mktemp(request.param), certificate, "--inspect") as place:
        yield place


def match_of(server: Server) -> tuple[socket.socket, socket.socket, str]:
    """Two who play Tris, and the name of their match."""
    players = [socket.create_connection(("127.0.0.1", server.ports["tris-lines"]), SECONDS) for _ in range(2)]
    for player in players:
        assert player.recv(100)
    with closing(socket.create_connection(("127.0.0.1", server.ports["http"]), SECONDS)) as asked:
        asked.sendall(b"GET /api/tables HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
        body = b"".join(iter(lambda: asked.recv(65536), b"")).partition(b"\r\n\r\n")[2]
    (table,) = json.loads(body)["tables"]
    return players[0], players[1], table["match"]


def test_the_page_and_the_api_come_through_and_the_metrics_do_not(place: Place) -> None:
    assert place.ask("/healthz").status == 200
    assert place.ask("/api/games").status == 200
    assert place.ask("/metrics").status == 403


def test_no_host_and_no_header_shows_what_passes_without_the_token(place: Place) -> None:
    first, second, match = match_of(place.server)
    path = f"/api/wire?match={match}"
    with first, second:
        token = place.server.log("inspection is on")["token"]
        assert place.ask(path, Authorization=f"Bearer {token}").status == 200
        assert place.ask(path).status == 401
        for headers in ({"X_Forwarded_For": "127.0.0.1"}, {"Forwarded": "for=127.0.0.1"}, {"X_Real_IP": "::1"}):
            assert place.ask(path, **headers).status == 401
        for host in ("127.0.0.1", "localhost", "[::1]", "127.0.0.1:7070"):
            try:
                answer = place.ask(path, Host=host)
            except OSError:
                continue  # the proxy does not know the name and closes the connection
            assert answer.status != 200 or answer.getheader("Content-Length") == "0", host


def test_a_player_comes_through_by_the_websocket(place: Place) -> None:
    wire, answer = place.upgrade("127.0.0.2", f"https://{NAME}")
    with wire:
        assert answer.startswith("HTTP/1.1 101 ")
        wire.sendall(encode_text(b'{"type":"hello","name":"ann"}', bytes(4)))
        said = b""
        while b'"welcome"' not in said:
            data = wire.recv(4096)
            assert data, said
            said += data


@pytest.mark.parametrize(
    "spoofed", [(), ("X-Forwarded-For: 198.51.100.7",), ("Forwarded: for=198.51.100.7",), ("X-Forwarded-For: ::1, x",)]
)
def test_the_log_has_the_address_of_the_client_whatever_it_says_itself(place: Place, spoofed: tuple[str, ...]) -> None:
    origin = f"http://{len(spoofed)}-{hash(spoofed) & 0xFFFF:x}.elsewhere.example"
    wire, answer = place.upgrade("127.0.0.3", origin, *spoofed)
    wire.close()
    assert answer.startswith("HTTP/1.1 403 ")
    assert place.server.log(origin)["peer"] == "127.0.0.3"


def test_the_limit_of_an_address_is_that_of_the_client(place: Place) -> None:
    codes: list[int] = []
    end = time.monotonic() + SECONDS
    with closing(HTTPSConnection(NAME, timeout=SECONDS)) as connection:
        connection.sock = place.socket("127.0.0.4")
        while 429 not in codes and time.monotonic() < end:
            if connection.sock is None:
                connection.sock = place.socket("127.0.0.4")
            spoofed = f"198.51.100.{len(codes) % 250}"
            connection.request("HEAD", "/healthz", headers={"Host": NAME, "X-Forwarded-For": spoofed})
            answer = connection.getresponse()
            answer.read()
            codes.append(answer.status)
    assert codes[0] == 200
    assert codes[-1] == 429
    assert len(codes) > guard.REQUEST_BURST
    assert {place.ask("/healthz", "127.0.0.5").status for _ in range(20)} == {200}, "another client of the same proxy"
