from enum import Enum

import pytest

from boardwire.dialects.dispatch import exhaustive


class One: ...


class Two: ...


class Letter(Enum):
    A = "a"
    B = "b"


def test_a_table_has_every_key_and_the_default_for_unlisted_ones() -> None:
    said: dict[type, str] = {One: "said"}
    assert exhaustive(said, One | Two, "nothing", Two) == {One: "said", Two: "nothing"}
    assert exhaustive({Letter.A: 1, Letter.B: 2}, Letter, 0) == {Letter.A: 1, Letter.B: 2}


def test_a_missing_key_is_an_error() -> None:
    with pytest.raises(TypeError, match=r"missing: .*Two"):
        exhaustive({One: "said"}, One | Two, "nothing")


def test_a_key_named_twice_is_an_error() -> None:
    with pytest.raises(TypeError, match=r"twice: .*One"):
        exhaustive({One: "said", Two: "said"}, One | Two, "nothing", One)


def test_an_unknown_key_is_an_error() -> None:
    with pytest.raises(TypeError, match=r"unknown: .*Two"):
        exhaustive({Letter.A: 1, Letter.B: 2, Two: 3}, Letter, 0)
