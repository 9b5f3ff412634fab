"""The NATS server that tests and trials start: it answers, it comes back where it was, and it keeps to its settings."""

from __future__ import annotations

import socket
from urllib.parse import urlsplit

import pytest
from scripts.nats import Nats, nats

pytestmark = pytest.mark.cluster

SECONDS = 10


def hear(server: Nats, *said: str) -> list[str]:
    """What the server says to a client that sends this, up to its answer to a ping."""
    place = urlsplit(server.url)
    with socket.create_connection((place.hostname, place.port), SECONDS) as wire, wire.makefile("r") as lines:
        wire.sendall("".join(f"{line}\r\n" for line in (*said, "PING")).encode())
        heard = []
        for line in lines:
            heard.append(line.split()[0])
            if heard[-1] in ("PONG", "-ERR"):
                break
        return heard


def test_a_nats_server_answers_and_comes_back_on_the_port_it_had() -> None:
    with nats() as server:
        url = server.url
        assert hear(server, 'CONNECT {"verbose":false}') == ["INFO", "PONG"]
        server.stop()
        with pytest.raises(OSError):
            hear(server)
        server.start()
        assert server.url == url
        assert hear(server, 'CONNECT {"verbose":false}', "SUB a 1", "PUB a 2\r\nhi")[:2] == ["INFO", "MSG"]
    with pytest.raises(OSError):
        hear(server)


def test_a_nats_server_lets_in_whom_its_settings_name() -> None:
    with nats('authorization: {user: "ann", password: "secret"}') as server:
        assert hear(server, 'CONNECT {"verbose":false,"user":"ann","pass":"secret"}') == ["INFO", "PONG"]
        assert hear(server, 'CONNECT {"verbose":false,"user":"ann","pass":"wrong"}') == ["INFO", "-ERR"]


def test_a_nats_server_that_cannot_start_says_why() -> None:
    with pytest.raises(RuntimeError, match=r"nats-server failed: .*settings"), nats("port: no"):
        pass
