"""How a decoder is fed: messages in order, and then why nothing more can be read."""

from __future__ import annotations

from boardwire.wire.codec import feed
from boardwire.wire.lines import LineDecoder


def test_every_message_that_is_complete_is_received_in_order() -> None:
    heard: list[bytes] = []
    decoder = LineDecoder()
    assert feed(decoder, b"one\ntwo\nth", heard.append) is None
    assert feed(decoder, b"ree\n", heard.append) is None
    assert heard == [b"one", b"two", b"three"]


def test_what_cannot_be_read_is_told_after_all_that_came_before_it_and_ever_after() -> None:
    heard: list[bytes] = []
    decoder = LineDecoder(limit=4)
    assert feed(decoder, b"one\n", heard.append) is None
    reason = feed(decoder, b"two\nmuch too long\n", heard.append)
    assert reason is decoder.fault is not None
    assert feed(decoder, b"three\n", heard.append) is not None
    assert heard == [b"one", b"two"]
