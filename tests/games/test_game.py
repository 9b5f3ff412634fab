"""The errors of a game: what they say, and of whom."""

from __future__ import annotations

import pytest

from boardwire.errors import BoardwireError, Illegal, Malformed, Refused

NAMES = ["ann", "", "{}"]


@pytest.mark.parametrize(
    ("seat", "without", "words"),
    [
        (0, "it is player 1's turn", "it is ann's turn"),
        (1, "it is player 2's turn", "it is player 2's turn"),
        (2, "it is player 3's turn", "it is {}'s turn"),
    ],
)
def test_a_reason_that_speaks_of_a_player_takes_the_name(seat: int, without: str, words: str) -> None:
    reason = Refused("it is {}'s turn", seat)
    assert (str(reason), str(reason.naming(NAMES))) == (without, words)
    assert isinstance(reason.naming(NAMES), Refused)


@pytest.mark.parametrize("kind", [Malformed, Illegal, Refused])
def test_a_reason_without_a_name_is_unchanged(kind: type[BoardwireError]) -> None:
    reason = kind("'{}' is no cell")
    assert reason.naming(NAMES) is reason
    assert str(reason) == "'{}' is no cell"
