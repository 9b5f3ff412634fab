"""Text from anywhere is shown without steering whatever shows it."""

from __future__ import annotations

import pytest

from boardwire.wire.text import printable


@pytest.mark.parametrize("text", ["", "ann", "Ann Ørsted", "安", "🙂 (she)", "a\N{REPLACEMENT CHARACTER}b"])
def test_what_can_be_printed_stays_as_it_is(text: str) -> None:
    assert printable(text) == text


@pytest.mark.parametrize(
    "sign", ["\x1b", "\n", "\r", "\t", "\x00", "\x7f", "\x9b", "\u202e", "\u200b", "\u2028", "\ud800", "\xa0"]
)
def test_a_sign_that_would_steer_a_terminal_is_one_replacement_character(sign: str) -> None:
    assert printable(f"a{sign}{sign}b") == "a\N{REPLACEMENT CHARACTER}\N{REPLACEMENT CHARACTER}b"
