"""Declaration of a protocol: its messages, its conversation, and the sections of its specification.

A dialect package declares its protocol once, in `protocol.py`; `boardwire.dialects.protocol` returns it. Derived from
it are the tables of messages and the state diagram of the specification (`make specifications`), the names, sections
and codecs that watchers use, the sections of a client's cases, and the fuzzer's dictionary.

- A message with fields is a struct. The union that it belongs to says who sends it, its docstring what it means; the
  first section that the docstring cites is the message's section.
- Line protocols list their lines.
- Arcs describe a conversation; they do not drive it. A test walks the server's script along them.
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
    """Transition: in `source`, `trigger` occurs; the server sends `reply` (empty: nothing) and enters `target`."""

    source: str
    trigger: str
    reply: str
    target: str


def mermaid(arcs: Iterable[Arc]) -> str:
    """Return the arcs as a Mermaid state diagram, one line per arc."""
    lines = ["stateDiagram-v2"]
    for arc in arcs:
        label = _label(arc.trigger) + (f" / {_label(arc.reply)}" if arc.reply else "")
        lines.append(f"    {arc.source} --> {arc.target}: {label}")
    return "\n".join(lines) + "\n"


def _label(text: str) -> str:
    """Return text that a Mermaid label can hold: no semicolon and no line break."""
    return " ".join(text.replace(";", ",").split())


class MessageType(msgspec.Struct, frozen=True):
    """One type of message: its name on the wire, its meaning, its section, and the struct of its fields."""

    name: str
    meaning: str
    section: str = ""
    """Empty: the section that lists the messages."""
    struct: type[msgspec.Struct] | None = None
    form: str = ""
    """A line as the specification writes it, if it is more than the name."""


def name_of(struct: type) -> str:
    """Return the tag of a struct, or the name of its class."""
    tag = struct.__struct_config__.tag if issubclass(struct, msgspec.Struct) else None
    return str(tag or struct.__name__)


def message_types(union: Any, name: Callable[[type], str] = name_of, numbered: str = "") -> tuple[MessageType, ...]:
    """Return the message types of structs, given as a union or one by one.

    `numbered`: the specification describes each in a subsection of this section, in the order of the union.
    """
    found = []
    for number, struct in enumerate(get_args(union) or union, 1):
        meaning = " ".join((struct.__doc__ or "").split())
        cited = _CITATION.search(meaning)
        section = f"{numbered}.{number}" if numbered else cited[1] if cited else ""
        found.append(MessageType(name(struct), meaning, section, struct))
    return tuple(found)


class Sections(msgspec.Struct, frozen=True, kw_only=True):
    """Sections of a specification by subject; empty: the protocol has no such feature.

    Watchers cite them, and a client is examined in each feature that the protocol has.
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
    """What happens when a player leaves."""
    unknown: str
    """What a client does with an unknown message."""
    extra: str = ""
    """That unknown members of a message are ignored."""
    pings: str = ""
    three: str = ""
    out: str = ""
    """What happens to a player who is out before the end."""
    expert: str = ""


class Protocol(msgspec.Struct, frozen=True, kw_only=True):
    """A protocol, as the module docstring describes it."""

    client: tuple[MessageType, ...]
    """Messages of the client."""
    server: tuple[MessageType, ...]
    """Messages of the server."""
    arcs: tuple[Arc, ...]
    sections: Sections
    heartbeats: frozenset[str] = frozenset()
    """Heartbeats: messages that may come at any time and show that a side is alive."""
    queries: frozenset[str] = frozenset()
    """Messages by which a client asks something and that answer no question."""
    farewells: frozenset[str] | None = None
    """Messages that a client may send after the end, besides heartbeats and queries. None: the conversation goes
    on."""
    decode_request: Callable[[Any], Any] | None = None
    """Decode a client's message, or raise `Malformed`. None: the dialect's decoder does it."""
    decode_reply: Callable[[Any], Any] | None = None
    encode_request: Callable[[Any], bytes] | None = None
    """Encode a client's message. None: messages are lines."""
    encode_reply: Callable[[Any], bytes] | None = None
    java: Schema | None = None
    """Java classes of the messages, if they are Java objects."""
    tag_field: str = "type"
    """Member of a JSON message that names its type."""
    heartbeat_seconds: float = 0.0
    """A waiting client sends a heartbeat at least this often; 0: it need not."""
    pings_unasked: bool = False
    """Whether a client's heartbeats answer nothing; otherwise they answer the server's pings."""
