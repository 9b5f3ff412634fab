"""Compatibility with nodes of the previous version.

`envelopes_1.txt` was written by a program with message version 1: every type of message, request and notification.  Its
lines never change.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec
import pytest

from boardwire.cluster.ports import LiveNode
from boardwire.cluster.transport import messages
from boardwire.cluster.transport.messages import Ask, Message, Sent, Told
from boardwire.cluster.transport.outbox import MAX_VERSION_DIFFERENCE, Outbox
from boardwire.table.guest import Notification

WRITTEN = [
    (kind, bytes.fromhex(text))
    for kind, text in map(str.split, Path(__file__).with_name("envelopes_1.txt").read_text().splitlines())
]


def plain(message: Message) -> list[Any]:
    """Return the type and the fields of a message as they are encoded."""
    found: list[Any] = msgspec.msgpack.decode(msgspec.msgpack.encode(message))
    return found


def begins(new: Any, old: Any) -> bool:
    """Whether all old fields are in their places, and new ones only at the end."""
    if isinstance(old, list):
        return isinstance(new, list) and len(new) >= len(old) and all(map(begins, new, old))
    return bool(new == old)


def test_the_file_has_every_type_of_message() -> None:
    kinds = {kind.__name__ for kind in messages.Message.__args__}
    assert {kind for kind, _ in WRITTEN} == kinds


def inside() -> list[Message]:
    return [message for _, data in WRITTEN for message in messages.decode(data).messages if message is not None]


def test_the_file_has_every_type_of_request() -> None:
    written = {message.request.kind for message in inside() if isinstance(message, Ask | Sent)}
    later = {"Draw"}  # a node of that version does not know it, and offers no draws
    assert written == set(messages._REQUESTS) - later


def test_the_file_has_every_type_of_notification() -> None:
    written = {message.notice.kind for message in inside() if isinstance(message, Told) and message.notice is not None}
    never_sent = {"Step", "Advised", "Announced", "Challenged", "Corrected"}
    """Steps are sent as events; advice, announcements and challenges are given by the edge; only a bridge corrects."""
    assert written == {kind.__name__ for kind in Notification.__args__} - never_sent


@pytest.mark.parametrize(("kind", "data"), WRITTEN, ids=[f"{kind}-{at}" for at, (kind, _) in enumerate(WRITTEN)])
def test_an_envelope_of_the_previous_version_is_decoded(kind: str, data: bytes) -> None:
    heard: list[Message] = []
    outbox = Outbox(
        "b", 2, lambda node, data: None, lambda call: None, lambda node, message: heard.append(message), print
    )
    outbox.set_members((LiveNode("a", 3), LiveNode("b", 2)))
    outbox.receive(data)
    (message,) = heard
    assert type(message).__name__ == kind
    (old,) = msgspec.msgpack.decode(data)[-1]
    assert begins(plain(message), old)
    if isinstance(message, Ask | Sent):
        assert type(messages.decode_request(message.request, None)).__name__ == message.request.kind


def test_an_incompatible_version_is_dropped() -> None:
    (_, data), *_ = WRITTEN
    old = messages.decode(data)
    heard: list[Message] = []
    outbox = Outbox(
        "b", 2, lambda node, data: None, lambda call: None, lambda node, message: heard.append(message), print
    )
    outbox.receive(messages.encode(msgspec.structs.replace(old, version=messages.VERSION + MAX_VERSION_DIFFERENCE + 1)))
    assert heard == []
    assert outbox.incompatible == {"a"}
