r"""NATS: as much of its client protocol as it takes to log in, to hear one subject, and to say something to others.

Rules:

- The server speaks first: ``INFO`` tells what it wants, now and whenever that changes.  ``CONNECT`` answers it, ``SUB``
  asks for what is said to a subject, ``PUB`` says something, and each side answers ``PING`` by ``PONG``.
- A line ends with ``\r\n``.  What was said follows the line of its ``MSG``, as long as that tells, and ends with
  another ``\r\n``.
- Commands are upper-case, as every server writes them; fields of INFO that are not named here are not read.
- ``-ERR`` is a complaint.  After some the server ends the connection; which ones is its business.
- A line that is none of these, or longer than the limit, is `Malformed`.
"""

from __future__ import annotations

from enum import Enum, auto
from typing import Final, NamedTuple, TypeAlias

import msgspec

from boardwire.errors import Malformed

LIMIT: Final = 1024 * 1024
"""Of a line, in bytes: that of INFO names all servers."""
MOST: Final = 64 * 1024 * 1024
"""Of what is said; no server may be told to carry more."""

PING: Final = b"PING\r\n"
PONG: Final = b"PONG\r\n"


class Info(msgspec.Struct, frozen=True):
    """What a server is."""

    max_payload: int = 1024 * 1024
    tls_required: bool = False
    tls_available: bool = False
    connect_urls: list[str] = []
    """All servers of its cluster, as HOST:PORT."""


class Beat(Enum):
    """Whether somebody is there, and the answer."""

    PING = auto()
    PONG = auto()


class Complaint(NamedTuple):
    """What the server has against something."""

    words: str


class Login(NamedTuple):
    """Who connects; by a user and a password, by a token, or by neither."""

    name: str
    user: str = ""
    password: str = ""
    token: str = ""


Heard: TypeAlias = bytes | Info | Beat | Complaint
"""What comes from a server; bytes are what somebody has said to the subject."""

_info: Final = msgspec.json.Decoder(Info)
_BEATS: Final = {b"PING": Beat.PING, b"PONG": Beat.PONG}


class NatsDecoder:
    """Takes bytes as they come, gives what the server says."""

    __slots__ = ("_rest",)

    def __init__(self) -> None:
        self._rest = b""

    def feed(self, data: bytes) -> list[Heard]:
        """What `data` completes."""
        if self._rest:
            data = self._rest + data
        heard: list[Heard] = []
        at = 0
        while (end := data.find(b"\r\n", at)) >= 0:
            begin = end + 2
            if data.startswith(b"MSG ", at):
                stop = begin + _size(data[at:end])
                if len(data) < stop + 2:
                    break
                heard.append(data[begin:stop])
                at = stop + 2
            else:
                said = _line(data[at:end])
                if said is not None:
                    heard.append(said)
                at = begin
        self._rest = data[at:]
        if end < 0 and len(self._rest) > LIMIT:
            raise Malformed(f"a line of the bus is longer than {LIMIT} bytes")
        return heard


def _size(line: bytes) -> int:
    """How much was said: the last word of ``MSG SUBJECT NUMBER [REPLY] SIZE``."""
    word = line.rpartition(b" ")[2]
    if not word.isdigit() or int(word) > MOST:
        raise Malformed(f"the bus says something of {word[:20]!r} bytes")
    return int(word)


def _line(line: bytes) -> Heard | None:
    word, _, rest = line.partition(b" ")
    if word in _BEATS:
        return _BEATS[word]
    if word == b"INFO":
        try:
            return _info.decode(rest)
        except (msgspec.DecodeError, UnicodeDecodeError) as error:
            raise Malformed(f"the bus does not say what it is: {error}") from error
    if word == b"-ERR":
        return Complaint(rest.decode("utf-8", "replace").strip("' "))
    if word == b"+OK":
        return None
    raise Malformed(f"unexpected NATS command: {line[:40]!r}")


def connect(login: Login) -> bytes:
    """Who is there, and how the server is to speak: without an answer to every command, and with INFO also later."""
    fields = {"name": login.name, "lang": "python", "version": "1", "protocol": 1, "verbose": False, "pedantic": False}
    if login.user:
        fields |= {"user": login.user, "pass": login.password}
    elif login.token:
        fields |= {"auth_token": login.token}
    return b"CONNECT " + msgspec.json.encode(fields) + b"\r\n"


def subscribe(subject: bytes) -> bytes:
    """Let me hear what is said to this subject."""
    return b"SUB %b 1\r\n" % subject


def publish(subject: bytes, data: bytes) -> bytes:
    """Say something to whoever hears this subject."""
    return b"PUB %b %d\r\n%b\r\n" % (subject, len(data), data)
