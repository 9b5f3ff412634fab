"""The codec of eriantys-messages."""

from __future__ import annotations

import sys

from boardwire.dialects.eriantys_messages import messages as say


def test_messages_are_lines_in_their_order() -> None:
    lines = say.encode(say.TextMessage(nickname="ann", text="one"), say.TextMessage(nickname="ann", text="two"))
    assert [say.decode_reply(line) for line in lines.splitlines()] == [
        say.TextMessage(nickname="ann", text="one"),
        say.TextMessage(nickname="ann", text="two"),
    ]


def test_encoding_leaves_nothing_in_memory(no_collector: None) -> None:
    message = say.TextMessage(nickname="ann", text="hello")
    say.encode(message)
    before = sys.getallocatedblocks()
    for _ in range(1000):
        say.encode(message, message)
    assert sys.getallocatedblocks() - before < 100
