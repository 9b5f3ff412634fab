"""WebSocket frames: RFC 6455's examples, every split of a stream, and what must be refused."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from boardwire.errors import Malformed
from boardwire.wire.websocket import (
    MAX_FRAGMENTS,
    Close,
    FrameDecoder,
    Message,
    Ping,
    Pong,
    accept_key,
    encode_close,
    encode_ping,
    encode_pong,
    encode_text,
)

MASK = bytes.fromhex("37fa213d")


def decode(*parts: bytes, masked: bool = True, limit: int = 65536) -> list[Message]:
    decoder = FrameDecoder(masked=masked, limit=limit)
    return [message for part in parts for message in decoder.feed(part)]


def test_the_key_of_the_rfc_is_accepted_as_the_rfc_says() -> None:
    assert accept_key(b"dGhlIHNhbXBsZSBub25jZQ==") == b"s3pPLMBiTxaQ9kYGzzhZRbK+xOo="


def test_the_examples_of_the_rfc_are_read() -> None:
    assert decode(bytes.fromhex("810548656c6c6f"), masked=False) == ["Hello"]
    assert decode(bytes.fromhex("818537fa213d7f9f4d5158")) == ["Hello"]
    assert decode(bytes.fromhex("010348656c80026c6f"), masked=False) == ["Hello"]
    assert decode(bytes.fromhex("890548656c6c6f"), masked=False) == [Ping(b"Hello")]
    assert decode(bytes.fromhex("8a8537fa213d7f9f4d5158")) == [Pong(b"Hello")]


def test_the_examples_of_the_rfc_are_written() -> None:
    assert encode_text(b"Hello").hex() == "810548656c6c6f"
    assert encode_text(b"Hello", MASK).hex() == "818537fa213d7f9f4d5158"
    assert encode_pong(b"Hello", MASK).hex() == "8a8537fa213d7f9f4d5158"
    assert encode_ping().hex() == "8900"


@given(st.lists(st.text(max_size=200), max_size=5), st.booleans(), st.data())
def test_any_split_of_a_stream_gives_the_same_messages(texts: list[str], masked: bool, data: st.DataObject) -> None:
    stream = b"".join(encode_text(text.encode(), MASK if masked else b"") for text in texts)
    cuts = sorted(data.draw(st.lists(st.integers(0, len(stream)), max_size=6)))
    parts = [stream[start:end] for start, end in zip([0, *cuts], [*cuts, len(stream)], strict=True)]
    assert decode(*parts, masked=masked) == texts


@pytest.mark.parametrize("size", [0, 125, 126, 65535, 65536])
@pytest.mark.parametrize("mask", [b"", MASK])
def test_every_width_of_the_length_is_read_and_written(size: int, mask: bytes) -> None:
    text = "x" * size
    frame = encode_text(text.encode(), mask)
    assert decode(frame, masked=bool(mask), limit=70000) == [text]
    assert decode(*(frame[at : at + 1] for at in range(min(len(frame), 40))), frame[40:], masked=bool(mask),
                  limit=70000) == [text]  # fmt: skip


def test_binary_messages_and_closes_come_out_as_such() -> None:
    assert decode(bytes.fromhex("8202cafe"), masked=False) == [b"\xca\xfe"]
    assert decode(encode_close(1001, "bye", MASK)) == [Close(1001, "bye")]
    assert decode(bytes.fromhex("8800"), masked=False) == [Close(1005)]


def test_a_close_says_no_half_characters() -> None:
    (close,) = decode(encode_close(1008, "è" * 100, MASK))
    assert close == Close(1008, "è" * 61)
    assert decode(encode_close(4999, "", MASK)) == [Close(4999)]


def test_a_text_that_is_no_text_is_refused_also_where_it_comes_alone_and_whole() -> None:
    decoder = FrameDecoder()
    with pytest.raises(Malformed, match="UTF-8"):
        decoder.feed(encode_text(b"\xff", MASK))
    with pytest.raises(Malformed, match="UTF-8"):
        decoder.feed(encode_text(b"fine", MASK))


def test_a_whole_text_within_a_message_in_pieces_does_not_continue_it() -> None:
    decoder = FrameDecoder()
    first = bytearray(encode_text(b"Hel", MASK))
    first[0] = 0x01
    assert decoder.feed(bytes(first)) == []
    with pytest.raises(Malformed, match="does not continue"):
        decoder.feed(encode_text(b"lo", MASK))


def test_a_server_does_not_take_a_client_for_a_server() -> None:
    with pytest.raises(Malformed, match="must be masked"):
        FrameDecoder(masked=False).feed(encode_text(b"Hello", MASK))


def test_the_number_of_fragments_of_a_message_is_limited() -> None:
    begin, more, end = b"\x01\x81\0\0\0\0a", b"\x00\x81\0\0\0\0b", b"\x80\x81\0\0\0\0c"
    assert decode(begin, more * (MAX_FRAGMENTS - 2), end) == ["a" + "b" * (MAX_FRAGMENTS - 2) + "c"]
    assert decode(*2 * (begin, more * (MAX_FRAGMENTS - 2), end)) != [], "it counts from the beginning for each message"
    with pytest.raises(Malformed, match="more than 64 fragments"):
        decode(begin, more * MAX_FRAGMENTS)


def test_a_control_frame_between_two_fragments_comes_out_at_once() -> None:
    decoder = FrameDecoder(masked=False)
    assert decoder.feed(bytes.fromhex("010348656c")) == []
    assert decoder.buffered == 3
    assert decoder.feed(bytes.fromhex("890178")) == [Ping(b"x")]
    assert decoder.feed(bytes.fromhex("80026c6f")) == ["Hello"]
    assert decoder.buffered == 0


@pytest.mark.parametrize(
    ("frame", "words"),
    [
        ("810548656c6c6f", "must be masked"),
        ("c18037fa213d", "extension"),
        ("838037fa213d", "unknown"),
        ("8b8037fa213d", "control frame"),
        ("098037fa213d", "control frame"),
        ("89fe0080", "control frame"),
        ("808037fa213d", "does not continue"),
        ("018037fa213d818037fa213d", "does not continue"),
        ("888137fa213d34", "a close code has 2"),
        ("818137fa213dc8", "UTF-8"),
        ("888237fa213d3417", "code 1005"),
        ("888237fa213d37fa", "code 0"),
        ("888237fa213d2472", "code 5000"),
    ],
)
def test_violations_of_the_rfc_are_refused_with_a_reason(frame: str, words: str) -> None:
    with pytest.raises(Malformed, match=words):
        decode(bytes.fromhex(frame))


def test_messages_before_a_fault_are_returned_and_none_after_it() -> None:
    decoder = FrameDecoder()
    unmasked = encode_text(b"bad")
    assert decoder.feed(encode_text(b"good", MASK) + unmasked + encode_text(b"late", MASK)) == ["good"]
    assert decoder.fault is not None
    assert decoder.buffered == 0
    with pytest.raises(Malformed, match="must be masked"):
        decoder.feed(encode_text(b"later", MASK))
    with pytest.raises(Malformed, match="must be masked"):
        FrameDecoder().feed(unmasked)


def test_a_message_above_the_limit_is_refused_before_it_is_read() -> None:
    with pytest.raises(Malformed, match="longer than 100"):
        decode(encode_text(b"x" * 101, MASK)[:8], limit=100)
    first, second = bytearray(encode_text(b"x" * 60, MASK)), bytearray(encode_text(b"x" * 60, MASK))
    first[0], second[0] = 0x01, 0x80
    with pytest.raises(Malformed, match="longer than 100"):
        decode(bytes(first), bytes(second), limit=100)


@given(st.binary(max_size=200))
def test_noise_gives_messages_or_malformed_and_nothing_else(noise: bytes) -> None:
    decoder = FrameDecoder()
    try:
        decoder.feed(noise)
    except Malformed:
        return
    assert decoder.buffered <= len(noise)


@pytest.mark.parametrize("frame", ["81fe007d", "81ff000000000000007e", "81ff000000000000ffff"])
def test_a_length_that_a_shorter_form_could_say_is_refused(frame: str) -> None:
    """RFC 6455, 5.2: the minimal number of bytes must be used."""
    with pytest.raises(Malformed, match="shortest form"):
        decode(bytes.fromhex(frame))


def test_fragments_are_counted_beside_the_messages() -> None:
    begin, more, end = b"\x01\x81\0\0\0\0a", b"\x00\x81\0\0\0\0b", b"\x80\x81\0\0\0\0c"
    decoder = FrameDecoder()
    assert decoder.feed(begin + more * 5 + end) == ["abbbbbc"]
    assert decoder.overhead == 6
