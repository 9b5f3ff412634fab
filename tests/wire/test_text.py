"""Text from anywhere is shown without steering whatever shows it."""

from __future__ import annotations

import json
import unicodedata

import msgspec
import pytest

from boardwire.wire.text import decode_header, escaped, printable


@pytest.mark.parametrize("text", ["", "ann", "Ann Ørsted", "安", "🙂 (she)", "a\N{REPLACEMENT CHARACTER}b"])
def test_printable_text_is_unchanged(text: str) -> None:
    assert printable(text) == text


@pytest.mark.parametrize(
    "sign", ["\x1b", "\n", "\r", "\t", "\x00", "\x7f", "\x9b", "\u202e", "\u200b", "\u2028", "\ud800", "\xa0"]
)
def test_a_sign_that_would_steer_a_terminal_is_one_replacement_character(sign: str) -> None:
    assert printable(f"a{sign}{sign}b") == "a\N{REPLACEMENT CHARACTER}\N{REPLACEMENT CHARACTER}b"


@pytest.mark.parametrize(
    "text", ["", "ann", "Ann Ørsted", "安", "🙂 (she)", "back\\slash", "a\N{REPLACEMENT CHARACTER}b"]
)
def test_visible_text_needs_no_escape(text: str) -> None:
    assert escaped(text) == text


@pytest.mark.parametrize(
    ("sign", "shown"),
    [
        ("\x00", r"\x00"),
        ("\x1b", r"\x1b"),
        ("\n", r"\x0a"),
        ("\x7f", r"\u007f"),
        ("\x9b", r"\u009b"),
        ("\u200e", r"\u200e"),
        ("\u202e", r"\u202e"),
        ("\u2028", r"\u2028"),
        ("\u3164", r"\u3164"),
        ("\ud800", r"\ud800"),
        ("\U000e0001", r"\udb40\udc01"),
    ],
)
def test_a_control_or_invisible_character_is_shown_as_its_escape(sign: str, shown: str) -> None:
    assert escaped(f"a{sign}b") == f"a{shown}b"


def test_a_stream_may_keep_its_own_newlines_and_tabs() -> None:
    assert escaped("a\n\tb\r", keep="\n\t") == "a\n\tb\\x0d"


def test_no_control_format_or_separator_character_is_left() -> None:
    hostile = [chr(code) for code in range(0x110000) if unicodedata.category(chr(code)) in ("Cc", "Cf", "Zl", "Zp")]
    assert escaped("".join(hostile)).isascii()


def test_an_escaped_json_document_is_the_same_document() -> None:
    hostile = "".join(chr(code) for code in (*range(0x100), *range(0x2000, 0x2100), 0xE0001, 0x1F600)) + '\\"\\'
    document = msgspec.json.encode({hostile: [hostile]}).decode()
    assert json.loads(escaped(document)) == {hostile: [hostile]}


@pytest.mark.parametrize(
    ("sent", "quoted"),
    [(b"http://a.example", "http://a.example"), ("\u202e".encode(), "\u202e"), (b"\x9b1m", "\\x9b1m")],
)
def test_a_header_is_quoted_as_the_utf_8_text_that_it_probably_is(sent: bytes, quoted: str) -> None:
    assert decode_header(sent.decode("latin-1")) == quoted
