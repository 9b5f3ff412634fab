"""The codec of eriantys-messages."""

from __future__ import annotations

import sys

from boardwire.dialects.eriantys_messages import messages as wire


def test_messages_are_lines_in_their_order() -> None:
    lines = wire.encode(wire.TextMessage(nickname="ann", text="one"), wire.TextMessage(nickname="ann", text="two"))
    assert [wire.decode_reply(line) for line in lines.splitlines()] == [
        wire.TextMessage(nickname="ann", text="one"),
        wire.TextMessage(nickname="ann", text="two"),
    ]


def test_encoding_leaves_nothing_in_memory(no_collector: None) -> None:
    message = wire.TextMessage(nickname="ann", text="hello")
    wire.encode(message)
    before = sys.getallocatedblocks()
    for _ in range(1000):
        wire.encode(message, message)
    assert sys.getallocatedblocks() - before < 100
