"""Feeding decoders, and conversion of plain data to types."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from boardwire import games
from boardwire.wire.codec import convert, feed
from boardwire.wire.lines import LineDecoder


def test_complete_messages_are_received_in_order() -> None:
    heard: list[bytes] = []
    decoder = LineDecoder()
    assert feed(decoder, b"one\ntwo\nth", heard.append) is None
    assert feed(decoder, b"ree\n", heard.append) is None
    assert heard == [b"one", b"two", b"three"]


def test_a_fault_is_returned_after_the_messages_before_it_and_by_every_later_call() -> None:
    heard: list[bytes] = []
    decoder = LineDecoder(limit=4)
    assert feed(decoder, b"one\n", heard.append) is None
    reason = feed(decoder, b"two\nmuch too long\n", heard.append)
    assert reason is decoder.fault is not None
    assert feed(decoder, b"three\n", heard.append) is not None
    assert heard == [b"one", b"two"]


@pytest.mark.parametrize("name", games.NAMES)
def test_actions_convert_as_with_msgspec(name: str) -> None:
    game = games.game(name)
    pending = game.pending(game.new(game.Options(), 2))
    assert pending is not None
    for choice in tuple(pending.choices)[:20]:
        raw = msgspec.to_builtins(choice)
        assert convert(raw, game.Action) == msgspec.convert(raw, game.Action) == choice
        assert convert(choice, game.Action) == choice, "a typed value stays as it is"


@pytest.mark.parametrize(("raw", "kind"), [({"x": 1}, dict[str, str]), ("x", int), (None, int | str)])
def test_errors_have_the_path_that_msgspec_gives(raw: Any, kind: Any) -> None:
    with pytest.raises(msgspec.ValidationError) as expected:
        msgspec.convert(raw, kind)
    with pytest.raises(msgspec.ValidationError) as found:
        convert(raw, kind)
    assert str(found.value) == str(expected.value)
