"""Declaration of a protocol: its messages, its conversation, and the sections of its specification.

A dialect package declares its protocol once, in `protocol.py`; `boardwire.dialects.protocol` returns the declaration.
From it are derived: the tables of messages and the state diagram of the specification (`make specifications`), the
names, sections and codecs for watchers, the cases of a client examination, and the fuzzer's dictionary.

- A message with fields is a struct. Its union determines the sender, its docstring the meaning; the first section that
  the docstring cites is the message's section.
- Line protocols list their lines.
- Arcs describe a conversation; they do not drive it. A test runs the server's script along them.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from typing import Any, Final, get_args

import msgspec

from boardwire.wire.javastream import Schema

START: Final = "[*]"
"""State before the connection opens and after it closes."""

END: Final = START

_CITATION: Final = re.compile(r"\[(\d+(?:\.\d+)*)\]")


class Arc(msgspec.Struct, frozen=True):
    """Transition: when `trigger` occurs in `source`, the server sends `reply`, if any, and the state is `target`."""

    source: str
    trigger: str
    reply: str
    target: str


def mermaid(arcs: Iterable[Arc]) -> str:
    """Return the arcs as a Mermaid state diagram, one line per arc."""
    lines = ["stateDiagram-v2"]
    for arc in arcs:
        label = _mermaid_label(arc.trigger) + (f" / {_mermaid_label(arc.reply)}" if arc.reply else "")
        lines.append(f"    {arc.source} --> {arc.target}: {label}")
    return "\n".join(lines) + "\n"


def _mermaid_label(text: str) -> str:
    """Return text without semicolons and line breaks, which a Mermaid label cannot contain."""
    return " ".join(text.replace(";", ",").split())


class MessageType(msgspec.Struct, frozen=True):
    """One type of message: its name on the wire, its meaning, its section, and the struct of its fields."""

    name: str
    meaning: str
    section: str = ""
    """Section about this message; empty for the section that lists all messages."""
    struct: type[msgspec.Struct] | None = None
    form: str = ""
    """The form of the line in the specification, if it differs from the name."""


def name_of(struct: type) -> str:
    """Return the tag of a struct, or the name of its class."""
    tag = struct.__struct_config__.tag if issubclass(struct, msgspec.Struct) else None
    return str(tag or struct.__name__)


def message_types(union: Any, name: Callable[[type], str] = name_of, numbered: str = "") -> tuple[MessageType, ...]:
    """Return the message types of structs, given as a union or as a sequence.

    `numbered` is a section whose subsections describe the messages in the order of the union.
    """
    types = []
    for number, struct in enumerate(get_args(union) or union, 1):
        meaning = " ".join((struct.__doc__ or "").split())
        citation = _CITATION.search(meaning)
        section = f"{numbered}.{number}" if numbered else citation[1] if citation else ""
        types.append(MessageType(name(struct), meaning, section, struct))
    return tuple(types)


class Sections(msgspec.Struct, frozen=True, kw_only=True):
    """Sections of a specification by subject, empty for a feature that the protocol lacks.

    Watchers cite them, and a client examination has a case for each feature.
    """

    framing: str
    messages: str
    first: str
    """How the first player of a table gets its seat."""
    second: str
    turns: str
    refused: str
    won: str
    lost: str
    drawn: str = ""
    left: str
    """The consequences when a player leaves."""
    unknown: str
    """The client's behaviour after an unknown message."""
    extra: str = ""
    """The rule that unknown members of a message are ignored."""
    pings: str = ""
    three: str = ""
    out: str = ""
    """The role of a player who is out before the end."""
    expert: str = ""


class Protocol(msgspec.Struct, frozen=True, kw_only=True):
    """The declaration of a protocol."""

    client: tuple[MessageType, ...]
    """Messages from the client."""
    server: tuple[MessageType, ...]
    """Messages from the server."""
    arcs: tuple[Arc, ...]
    sections: Sections
    heartbeats: frozenset[str] = frozenset()
    """Heartbeats of both sides, which may be sent at any time."""
    queries: frozenset[str] = frozenset()
    """Requests that answer no question of the server, such as chat and requests for information."""
    farewells: frozenset[str] | None = None
    """Messages that a client may send after the end of a match, besides heartbeats and queries.

    None: the conversation continues after the end.
    """
    decode_request: Callable[[Any], Any] | None = None
    """Decodes a client's message or raises `Malformed`; None if the dialect's decoder does this."""
    decode_reply: Callable[[Any], Any] | None = None
    encode_request: Callable[[Any], bytes] | None = None
    """Encodes a client's message; None for line protocols."""
    encode_reply: Callable[[Any], bytes] | None = None
    java: Schema | None = None
    """Java classes of the messages, if they are Java objects."""
    tag_field: str = "type"
    """Member of a JSON message that names its type."""
    heartbeat_seconds: float = 0.0
    """Maximum interval between heartbeats of a waiting client; 0: it need not send any."""
    pings_unasked: bool = False
    """Whether a client sends heartbeats on its own; otherwise they answer the server's pings."""
