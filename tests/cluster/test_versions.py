"""Nodes of two adjacent versions side by side: what version 1 wrote, to the byte, is read for as long as it may be met.

`envelopes_1.txt` was written once by a program whose letters have version 1, and no line of it is written again: every
kind of letter, of request and of news.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec
import pytest

from boardwire.cluster.ports import Peer
from boardwire.cluster.transport import messages
from boardwire.cluster.transport.messages import Ask, Letter, Sent, Told
from boardwire.cluster.transport.outbox import COMPATIBLE, Mail
from boardwire.table.guest import News

WRITTEN = [
    (kind, bytes.fromhex(text))
    for kind, text in map(str.split, Path(__file__).with_name("envelopes_1.txt").read_text().splitlines())
]


def plain(letter: Letter) -> list[Any]:
    """A letter as it travels: its kind, and its fields in order."""
    found: list[Any] = msgspec.msgpack.decode(msgspec.msgpack.encode(letter))
    return found


def begins(new: Any, old: Any) -> bool:
    """Whether what is written now says all that was written then, in the same places, and new things only after it."""
    if isinstance(old, list):
        return isinstance(new, list) and len(new) >= len(old) and all(map(begins, new, old))
    return bool(new == old)


def test_every_kind_of_letter_was_written() -> None:
    kinds = {kind.__name__ for kind in messages.Letter.__args__}
    assert {kind for kind, _ in WRITTEN} == kinds


def inside() -> list[Letter]:
    return [letter for _, data in WRITTEN for letter in messages.decode(data).letters if letter is not None]


def test_every_kind_of_request_was_written() -> None:
    written = {letter.request.kind for letter in inside() if isinstance(letter, Ask | Sent)}
    assert written == set(messages._REQUESTS)


def test_every_kind_of_news_was_written() -> None:
    written = {letter.news.kind for letter in inside() if isinstance(letter, Told) and letter.news is not None}
    at_the_edge = {"Step", "Advised", "Corrected"}  # sent as events; given at the edge; sent by a bridge alone
    assert written == {kind.__name__ for kind in News.__args__} - at_the_edge


@pytest.mark.parametrize(("kind", "data"), WRITTEN, ids=[f"{kind}-{at}" for at, (kind, _) in enumerate(WRITTEN)])
def test_what_the_last_version_wrote_is_read(kind: str, data: bytes) -> None:
    heard: list[Letter] = []
    mail = Mail("b", 2, lambda node, data: None, lambda call: None, lambda node, letter: heard.append(letter), print)
    mail.know((Peer("a", 3), Peer("b", 2)))
    mail.arrive(data)
    (letter,) = heard
    assert type(letter).__name__ == kind
    (old,) = msgspec.msgpack.decode(data)[-1]
    assert begins(plain(letter), old)
    if isinstance(letter, Ask | Sent):
        assert type(messages.read(letter.request, None)).__name__ == letter.request.kind


def test_a_version_too_far_away_is_not_read() -> None:
    (_, data), *_ = WRITTEN
    old = messages.decode(data)
    heard: list[Letter] = []
    mail = Mail("b", 2, lambda node, data: None, lambda call: None, lambda node, letter: heard.append(letter), print)
    mail.arrive(messages.encode(msgspec.structs.replace(old, version=messages.VERSION + COMPATIBLE + 1)))
    assert heard == []
    assert mail.strangers == {"a"}
