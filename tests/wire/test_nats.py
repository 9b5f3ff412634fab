"""NATS as a client hears and speaks it."""

from __future__ import annotations

import msgspec
import pytest

from boardwire.errors import Malformed
from boardwire.wire import nats
from boardwire.wire.nats import Info, Login, NatsDecoder, NatsError, NatsHeartbeat, ServerMessage

SAID = (
    b'INFO {"server_id":"N","max_payload":2048,"tls_required":true,"connect_urls":["10.0.0.1:4222"]}\r\n'
    b"+OK\r\n"
    b"PING\r\nPONG\r\n"
    b"MSG boardwire.c.one 1 5\r\nhello\r\n"
    b"MSG boardwire.c.one 1 reply.to 6\r\n\r\nMSG \r\n"
    b"MSG boardwire.c.one 1 0\r\n\r\n"
    b"-ERR 'Authorization Violation'\r\n"
)
HEARD: list[ServerMessage] = [
    Info(2048, tls_required=True, connect_urls=["10.0.0.1:4222"]),
    NatsHeartbeat.PING,
    NatsHeartbeat.PONG,
    b"hello",
    b"\r\nMSG ",
    b"",
    NatsError("Authorization Violation"),
]


@pytest.mark.parametrize("size", [1, 2, 7, 64, len(SAID)])
def test_server_messages_are_read_in_any_fragmentation(size: int) -> None:
    decoder = NatsDecoder()
    heard = [one for at in range(0, len(SAID), size) for one in decoder.feed(SAID[at : at + size])]
    assert heard == HEARD


@pytest.mark.parametrize(
    "said",
    [
        b"HELO\r\n",
        b"msg a 1 2\r\nhi\r\n",
        b"MSG a 1 -2\r\n",
        b"MSG a 1 two\r\n",
        b"MSG a 1 99999999999\r\n",
        b"INFO nothing\r\n",
        b'INFO {"max_payload":"much"}\r\n',
        b'INFO {"connect_urls":["127.0.0\xd61:4222"]}\r\n',
        b"x" * (nats.MAX_LINE_BYTES + 1),
    ],
)
def test_an_unknown_nats_command_is_malformed(said: bytes) -> None:
    with pytest.raises(Malformed):
        NatsDecoder().feed(said)


def test_a_server_without_a_word_of_what_it_is_has_the_usual_limits() -> None:
    assert NatsDecoder().feed(b"INFO {}\r\n") == [Info(1024 * 1024)]


@pytest.mark.parametrize(
    ("login", "credentials"),
    [
        (Login("n"), {}),
        (Login("n", "ann", 'se"cret'), {"user": "ann", "pass": 'se"cret'}),
        (Login("n", token="open"), {"auth_token": "open"}),
    ],
)
def test_a_client_identifies_itself_when_it_connects(login: Login, credentials: dict[str, str]) -> None:
    line = nats.connect(login)
    assert line.startswith(b"CONNECT {")
    assert line.endswith(b"}\r\n")
    fields = msgspec.json.decode(line[len(b"CONNECT ") :])
    assert fields["name"] == "n"
    assert not fields["verbose"]
    assert {name: fields[name] for name in fields.keys() & {"user", "pass", "auth_token"}} == credentials


def test_a_payload_is_sent_with_its_subject_and_length() -> None:
    assert nats.subscribe(b"a.b") == b"SUB a.b 1\r\n"
    assert nats.publish(b"a.b", b"h\r\ni") == b"PUB a.b 4\r\nh\r\ni\r\n"
