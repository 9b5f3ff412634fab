"""Conversion of plain data to a type."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from boardwire import games
from boardwire.wire.convert import convert


@pytest.mark.parametrize("name", games.NAMES)
def test_actions_convert_as_with_msgspec(name: str) -> None:
    game = games.game(name)
    pending = game.pending(game.new(game.Options(), 2))
    assert pending is not None
    for choice in tuple(pending.choices)[:20]:
        raw = msgspec.to_builtins(choice)
        assert convert(raw, game.Action) == msgspec.convert(raw, game.Action) == choice
        if isinstance(choice, msgspec.Struct):
            assert convert(choice, game.Action) is choice, "a typed value stays as it is"


@pytest.mark.parametrize(("raw", "kind"), [({"x": 1}, dict[str, str]), ("x", int), (None, int | str)])
def test_errors_have_the_path_that_msgspec_gives(raw: Any, kind: Any) -> None:
    with pytest.raises(msgspec.ValidationError) as expected:
        msgspec.convert(raw, kind)
    with pytest.raises(msgspec.ValidationError) as found:
        convert(raw, kind)
    assert str(found.value) == str(expected.value)
