"""Changes of views, and their folding."""

from __future__ import annotations

from itertools import pairwise
from random import Random
from typing import Any, cast

import msgspec
import pytest

from boardwire import games
from boardwire.dialects.native import replies, tell
from boardwire.dialects.native.fold import changes, fold
from boardwire.testing.laws import playthrough

from .test_tell import options, steps


def plain(value: Any) -> Any:
    """Return a view as a client has it."""
    return msgspec.json.decode(msgspec.json.encode(value))


@pytest.mark.parametrize("game", games.NAMES)
def test_a_view_with_its_changes_is_the_next_view(game: str) -> None:
    rules = games.game(game)
    chosen = msgspec.convert(options(game), rules.Options)
    views = [rules.view(ply.position, None) for ply in playthrough(rules, chosen, 2, Random(7).randrange, 400)]
    for old, new in pairwise(views):
        change = plain(changes(old, new))
        assert fold(plain(old), change) == plain(new)
        assert fold(plain(new), change) == plain(new), "to fold it twice is to fold it once"


class Part(msgspec.Struct, frozen=True):
    number: int
    words: tuple[str, ...] = ()


class Whole(msgspec.Struct, frozen=True):
    part: Part | None = None
    parts: tuple[Part, ...] = ()
    numbers: tuple[int, ...] = ()


@pytest.mark.parametrize(
    ("old", "new", "change"),
    [
        (Whole(), Whole(), {}),
        (Whole(Part(1)), Whole(Part(2)), {"part": {"number": 2}}),
        (Whole(Part(1)), Whole(None), {"part": None}),
        (Whole(None), Whole(Part(1, ("a",))), {"part": {"number": 1, "words": ["a"]}}),
        (Whole(numbers=(1, 2)), Whole(numbers=(1, 3)), {"numbers": [1, 3]}),
        (Whole(parts=(Part(1), Part(2))), Whole(parts=(Part(1), Part(3))), {"parts": {"1": {"number": 3}}}),
        (Whole(parts=(Part(1), Part(2))), Whole(parts=(Part(1),)), {"parts": [{"number": 1, "words": []}]}),
        (Whole(parts=(Part(1, ("a", "b")),)), Whole(parts=(Part(1),)), {"parts": {"0": {"words": []}}}),
    ],
)
def test_only_differences_are_sent(old: Whole, new: Whole, change: Any) -> None:
    assert plain(changes(old, new)) == change
    assert fold(plain(old), change) == plain(new)


@pytest.mark.parametrize("game", games.NAMES)
def test_a_large_view_is_sent_as_changes_that_fold_to_the_whole(game: str) -> None:
    fixed, view, folded = tell.FixedFields(), None, 0
    for step in steps(game):
        (text,) = replies().feed(tell.frame(step, 0, fixed))
        state = msgspec.json.decode(cast("str", text))["state"]
        if "changes" in state:
            assert "view" not in state
            folded += 1
        view = fold(view, state["changes"]) if "changes" in state else state.get("view")
        assert view == plain(tell.state(step.match, 0)).get("view")
    assert bool(folded) is (game == "eriantys")


def test_a_client_that_joins_between_steps_gets_the_whole_view() -> None:
    """The first reader of a step was not there before it, so what all others know is not known to it."""
    here, played = tell.FixedFields(), list(steps("eriantys"))
    for step in played[:10]:
        tell.frame(step, 0, here)
    assert b'"view":' in tell.frame(played[11], 0, here), "one step was not told here"
    assert b'"view":' in tell.frame(played[12], 0, tell.FixedFields())
    tell.frame(played[13], 0, here)
    assert b'"changes":' in tell.frame(played[14], 0, here)
