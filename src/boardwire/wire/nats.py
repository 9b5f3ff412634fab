r"""Codec for the part of the NATS client protocol that a node needs: authenticate, subscribe to one subject, publish.

- The server sends ``INFO`` first, and again when it changes. The client answers with ``CONNECT``, subscribes with
  ``SUB`` and publishes with ``PUB``; each side answers ``PING`` with ``PONG``.
- A line ends with ``\r\n``. The line of a ``MSG`` gives the size of its payload, which follows with another ``\r\n``.
- Commands are upper-case, as every server writes them. Unknown fields of INFO are ignored.
- ``-ERR`` is an error of the server, after which it may close the connection.
- Any other command, and a line over the limit, is `Malformed`.
"""

from __future__ import annotations

from enum import Enum, auto
from typing import Final, NamedTuple, TypeAlias

import msgspec

from boardwire.errors import Malformed

MAX_LINE_BYTES: Final = 1024 * 1024
"""Maximum size of a line; the line of INFO lists all servers."""
MAX_PAYLOAD_BYTES: Final = 64 * 1024 * 1024
"""Maximum size of a payload: the upper limit of `max_payload` in the configuration of a NATS server."""

PING: Final = b"PING\r\n"
PONG: Final = b"PONG\r\n"


class Info(msgspec.Struct, frozen=True):
    """Server information (``INFO``)."""

    max_payload: int = 1024 * 1024
    tls_required: bool = False
    tls_available: bool = False
    connect_urls: list[str] = []
    """Servers of the NATS cluster, as HOST:PORT."""


class NatsHeartbeat(Enum):
    """A heartbeat request or its answer."""

    PING = auto()
    PONG = auto()


class NatsError(NamedTuple):
    """An error reported by the server (``-ERR``)."""

    words: str


class Login(NamedTuple):
    """Credentials of a client: user and password, a token, or none."""

    name: str
    user: str = ""
    password: str = ""
    token: str = ""


ServerMessage: TypeAlias = bytes | Info | NatsHeartbeat | NatsError
"""A decoded command of the server; bytes are a published payload."""

_info: Final = msgspec.json.Decoder(Info)
_BEATS: Final = {b"PING": NatsHeartbeat.PING, b"PONG": NatsHeartbeat.PONG}


class NatsDecoder:
    """Decodes the commands of a server."""

    __slots__ = ("_rest",)

    def __init__(self) -> None:
        self._rest = b""

    def feed(self, data: bytes) -> list[ServerMessage]:
        """Return the commands that `data` completes."""
        if self._rest:
            data = self._rest + data
        messages: list[ServerMessage] = []
        position = 0
        while (end := data.find(b"\r\n", position)) >= 0:
            start = end + 2
            if data.startswith(b"MSG ", position):
                end_of_payload = start + _payload_size(data[position:end])
                if len(data) < end_of_payload + 2:
                    break
                messages.append(data[start:end_of_payload])
                position = end_of_payload + 2
            else:
                message = _parse_command(data[position:end])
                if message is not None:
                    messages.append(message)
                position = start
        self._rest = data[position:]
        if end < 0 and len(self._rest) > MAX_LINE_BYTES:
            raise Malformed(f"a NATS line is longer than {MAX_LINE_BYTES} bytes")
        return messages


def _payload_size(line: bytes) -> int:
    """Return the payload size, the last word of ``MSG SUBJECT NUMBER [REPLY] SIZE``."""
    word = line.rpartition(b" ")[2]
    if not word.isdigit() or int(word) > MAX_PAYLOAD_BYTES:
        raise Malformed(f"invalid NATS payload size {word[:20]!r}: at most {MAX_PAYLOAD_BYTES} bytes are allowed")
    return int(word)


def _parse_command(line: bytes) -> ServerMessage | None:
    """Parse the line of any command but ``MSG``; None for ``+OK``."""
    word, _, rest = line.partition(b" ")
    if word in _BEATS:
        return _BEATS[word]
    if word == b"INFO":
        try:
            return _info.decode(rest)
        except (msgspec.DecodeError, UnicodeDecodeError) as error:
            raise Malformed(f"invalid NATS INFO: {error}") from error
    if word == b"-ERR":
        return NatsError(rest.decode("utf-8", "replace").strip("' "))
    if word == b"+OK":
        return None
    raise Malformed(f"unexpected NATS command: {line[:40]!r}")


def connect(login: Login) -> bytes:
    """Encode ``CONNECT``: without acknowledgements, and with INFO updates."""
    fields = {"name": login.name, "lang": "python", "version": "1", "protocol": 1, "verbose": False, "pedantic": False}
    if login.user:
        fields |= {"user": login.user, "pass": login.password}
    elif login.token:
        fields |= {"auth_token": login.token}
    return b"CONNECT " + msgspec.json.encode(fields) + b"\r\n"


def subscribe(subject: bytes) -> bytes:
    """Encode ``SUB``."""
    return b"SUB %b 1\r\n" % subject


def publish(subject: bytes, data: bytes) -> bytes:
    """Encode ``PUB``."""
    return b"PUB %b %d\r\n%b\r\n" % (subject, len(data), data)
