from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from boardwire.errors import Malformed
from boardwire.wire.javastream.text import decode_text, encode_text


@pytest.mark.parametrize(
    ("text", "data"),
    [
        ("", ""),
        ("Anna", "416e6e61"),
        ("\0", "c080"),
        ("a\0b", "61c08062"),
        ("è", "c3a8"),
        ("€", "e282ac"),
        ("\U0001f600", "eda0bdedb880"),
    ],
)
def test_text_is_in_modified_utf8(text: str, data: str) -> None:
    assert encode_text(text) == bytes.fromhex(data)
    assert decode_text(bytes.fromhex(data)) == text


def test_a_plain_nul_byte_is_read_as_java_reads_it() -> None:
    assert decode_text(b"a\0") == "a\0"
    assert decode_text(b"\0\xc3\xa8") == "\0è"


@pytest.mark.parametrize("data", ["f09f9880", "c3", "ff", "80", "e282", "eda0bd", "edb880", "edb880eda0bd", "c181"])
def test_invalid_text_is_malformed(data: str) -> None:
    with pytest.raises(Malformed):
        decode_text(bytes.fromhex(data))


@given(st.text(st.sampled_from("a\0\x7f\x80è\u07ff\u0800€\ud7ff\ue000\uffff\U00010000\U0001f600\U0010ffff")))
@settings(max_examples=100, deadline=None, derandomize=True)
def test_every_text_comes_back(text: str) -> None:
    assert decode_text(encode_text(text)) == text


@given(st.binary())
@settings(max_examples=200, deadline=None, derandomize=True)
def test_random_bytes_are_a_text_that_can_be_stored_or_malformed(data: bytes) -> None:
    try:
        text = decode_text(data)
    except Malformed:
        return
    text.encode("utf-8")
