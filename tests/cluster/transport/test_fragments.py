"""Messages in fragments."""

from __future__ import annotations

from itertools import count

import pytest

from boardwire.cluster.transport import fragments
from boardwire.cluster.transport.fragments import EXPIRY_SECONDS, MARK, Reassembly, split

MAX_BYTES = 1000


class Clock:
    """Clock that a test sets."""

    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        return self.now


def reassembly() -> Reassembly:
    return Reassembly(Clock())


def message(size: int) -> bytes:
    return bytes(number % 251 for number in range(size))


_NUMBERS = count(1)


def pieces(sender: str, data: bytes, max_bytes: int) -> list[bytes]:
    """Return the fragments of a sender's next message."""
    return split(sender, next(_NUMBERS), data, max_bytes)


def test_a_message_that_fits_is_sent_as_it_is() -> None:
    assert pieces("a", message(MAX_BYTES), MAX_BYTES) == [message(MAX_BYTES)]
    assert reassembly().feed(message(MAX_BYTES)) == message(MAX_BYTES)


@pytest.mark.parametrize("size", [MAX_BYTES + 1, 5 * MAX_BYTES, 5 * MAX_BYTES + 7])
def test_a_larger_message_is_reassembled_and_no_fragment_is_too_long(size: int) -> None:
    payloads = pieces("node-b", message(size), MAX_BYTES)
    assert len(payloads) > 1
    assert max(map(len, payloads)) <= MAX_BYTES
    found = reassembly()
    assert [found.feed(payload) for payload in payloads] == [*[None] * (len(payloads) - 1), message(size)]
    assert len(found) == 0


def test_fragments_of_two_senders_may_interleave() -> None:
    found = reassembly()
    one, other = pieces("a", message(1500), MAX_BYTES), pieces("b", message(1600), MAX_BYTES)
    messages = [found.feed(payload) for pair in zip(one, other, strict=True) for payload in pair]
    assert messages[-2:] == [message(1500), message(1600)]


def test_a_message_with_a_missing_fragment_is_discarded_and_the_next_one_is_complete() -> None:
    found = reassembly()
    first, _, *rest = pieces("a", message(3 * MAX_BYTES), MAX_BYTES)
    assert [found.feed(payload) for payload in (first, *rest)] == [None] * (1 + len(rest))
    assert len(found) == 0
    again = pieces("a", message(2 * MAX_BYTES), MAX_BYTES)
    assert [found.feed(payload) for payload in again][-1] == message(2 * MAX_BYTES)


def test_an_incomplete_message_is_freed_when_it_expires() -> None:
    clock = Clock()
    found = Reassembly(clock)
    found.feed(pieces("a", message(3000), MAX_BYTES)[0])
    found.expire()
    assert len(found) > 0
    clock.now += EXPIRY_SECONDS + 1
    found.expire()
    assert len(found) == 0


def test_a_fragment_that_continues_an_expired_message_is_dropped() -> None:
    clock = Clock()
    found = Reassembly(clock)
    first, second, *_ = pieces("a", message(3000), MAX_BYTES)
    found.feed(first)
    clock.now += EXPIRY_SECONDS + 1
    assert found.feed(second) is None
    assert len(found) == 0


def test_a_message_that_grows_too_large_is_dropped(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(fragments, "MAX_MESSAGE_BYTES", 2000)
    found = reassembly()
    for payload in pieces("a", message(5000), MAX_BYTES):
        assert found.feed(payload) is None
        assert len(found) <= 2000
    assert [found.feed(payload) for payload in pieces("b", message(1900), MAX_BYTES)][-1] == message(1900)


@pytest.mark.parametrize(
    "head",
    [b"", b"a", b"a 1 0", b"a 1 x 2", b"a 1 0 y", b"a 1 -1 2", b"a 1 0 2 3", b"a" * 300 + b" 1 0 2", b"a 1 \xb2 2"],
)
def test_a_malformed_header_is_dropped(head: bytes) -> None:
    found = reassembly()
    assert found.feed(MARK + head + b"\ndata") is None
    assert len(found) == 0


def test_a_replayed_fragment_neither_discards_the_message_in_progress_nor_repeats_one() -> None:
    found = reassembly()
    former = pieces("a", message(1500), MAX_BYTES)
    assert [found.feed(payload) for payload in former][-1] == message(1500)
    first, *rest = pieces("a", message(2500), MAX_BYTES)
    found.feed(first)
    assert [found.feed(payload) for payload in (first, *former)] == [None] * (1 + len(former))
    assert [found.feed(payload) for payload in rest][-1] == message(2500)
