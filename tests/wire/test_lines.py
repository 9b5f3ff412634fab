"""Text lines, however they come in."""

from __future__ import annotations

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from boardwire.errors import Malformed
from boardwire.wire.lines import MAX_LINE_BYTES, LineDecoder, encode


def feed(*segments: bytes, limit: int = MAX_LINE_BYTES) -> list[bytes]:
    """All lines of these segments."""
    decoder = LineDecoder(limit)
    return [line for segment in segments for line in decoder.feed(segment)]


def one_by_one(data: bytes) -> list[bytes]:
    return [data[index : index + 1] for index in range(len(data))]


@pytest.mark.parametrize("end", [b"\n", b"\r\n", b"\r"])
def test_a_line_ends_with_any_of_three_ends(end: bytes) -> None:
    data = b"hello" + end
    assert feed(data) == [b"hello"]
    assert feed(*one_by_one(data)) == [b"hello"]


@pytest.mark.parametrize("end", [b"\n", b"\r\n", b"\r"])
def test_several_lines_in_one_segment_come_in_order_empty_ones_too(end: bytes) -> None:
    data = end.join([b"a", b"", b"bc", b"", b"", b"d", b""])
    assert feed(data) == [b"a", b"", b"bc", b"", b"", b"d"]
    assert feed(*one_by_one(data)) == [b"a", b"", b"bc", b"", b"", b"d"]


def test_a_lone_carriage_return_ends_its_line_at_once() -> None:
    decoder = LineDecoder()
    assert decoder.feed(b"4\r") == [b"4"]
    assert decoder.buffered == 0


def test_a_line_feed_in_the_next_segment_belongs_to_the_carriage_return_before_it() -> None:
    decoder = LineDecoder()
    assert decoder.feed(b"4\r") == [b"4"]
    assert decoder.feed(b"") == []
    assert decoder.feed(b"\n") == []
    assert decoder.feed(b"\n") == [b""]


def test_a_line_feed_apart_from_its_carriage_return_ends_another_line() -> None:
    decoder = LineDecoder()
    assert decoder.feed(b"4\r") == [b"4"]
    assert decoder.feed(b"5") == []
    assert decoder.feed(b"\n") == [b"5"]


def test_two_carriage_returns_are_two_ends() -> None:
    assert feed(b"a\r", b"\r", b"\nb\r\r\n") == [b"a", b"", b"b", b""]


def test_an_unfinished_line_waits_and_is_counted() -> None:
    decoder = LineDecoder()
    assert decoder.feed(b"one\ntw") == [b"one"]
    assert decoder.buffered == 2
    assert decoder.feed(b"o") == []
    assert decoder.buffered == 3
    assert decoder.feed(b"\n") == [b"two"]
    assert decoder.buffered == 0


def test_bytes_that_are_no_text_are_the_dialects_business() -> None:
    assert feed(b"\xff\x00\xfe\n") == [b"\xff\x00\xfe"]


def test_a_line_of_just_the_limit_passes() -> None:
    for end in (b"\n", b"\r\n", b"\r"):
        assert feed(b"12345678" + end, b"x" + end, limit=8) == [b"12345678", b"x"]
    assert feed(*one_by_one(b"12345678\r\n"), limit=8) == [b"12345678"]


@pytest.mark.parametrize(
    "segments",
    [
        (b"123456789\n",),
        (b"123456789",),
        (b"12345", b"6789"),
        (b"12345", b"6789\n"),
        tuple(one_by_one(b"123456789")),
    ],
    ids=["finished", "unfinished", "in two", "in two, finished", "byte by byte"],
)
def test_a_longer_line_is_malformed_finished_or_not(segments: tuple[bytes, ...]) -> None:
    with pytest.raises(Malformed, match="longer than 8 bytes"):
        feed(*segments, limit=8)


@pytest.mark.parametrize("rest", [b"123456789\nok\n", b"123456789"])
def test_the_lines_before_an_oversized_one_are_given_first(rest: bytes) -> None:
    decoder = LineDecoder(8)
    assert decoder.fault is None
    assert decoder.feed(b"one\ntwo\n" + rest) == [b"one", b"two"]
    assert decoder.fault is not None
    with pytest.raises(Malformed, match="longer than 8 bytes"):
        decoder.feed(b"three\n")


def test_nothing_after_an_oversized_line_is_read() -> None:
    decoder = LineDecoder(8)
    with pytest.raises(Malformed):
        decoder.feed(b"123456789")
    assert decoder.buffered == 0
    for more in (b"\n4\n", b"4\n", b"4", b"\n"):
        with pytest.raises(Malformed, match="longer than 8 bytes"):
            decoder.feed(more)


def test_a_megabyte_without_an_end_is_not_kept() -> None:
    decoder = LineDecoder()
    for _ in range(MAX_LINE_BYTES // 4096):
        assert decoder.feed(b"x" * 4096) == []
    with pytest.raises(Malformed):
        decoder.feed(b"x")
    assert decoder.buffered == 0


@settings(max_examples=120, deadline=None)
@given(st.lists(st.sampled_from([b"a", b"bb", b"\r", b"\n", b"\r\n"]), max_size=25), st.data())
def test_any_split_gives_the_same_lines_as_a_text_reader_would(parts: list[bytes], data: st.DataObject) -> None:
    text = b"".join(parts)
    wanted = re.split(rb"\r\n|\r|\n", text)
    rest = wanted.pop()
    cuts = sorted(data.draw(st.lists(st.integers(0, len(text)), max_size=8)))
    segments = [text[start:end] for start, end in zip([0, *cuts], [*cuts, len(text)], strict=True)]
    decoder = LineDecoder()
    assert [line for segment in segments for line in decoder.feed(segment)] == wanted
    assert decoder.buffered == len(rest)


@settings(max_examples=80, deadline=None)
@given(st.lists(st.sampled_from([b"a", b"bb", b"ccc", b"\r", b"\n", b"\r\n"]), max_size=25), st.data())
def test_any_split_gives_the_same_lines_up_to_one_that_is_too_long(parts: list[bytes], data: st.DataObject) -> None:
    text = b"".join(parts)
    cuts = sorted(data.draw(st.lists(st.integers(0, len(text)), max_size=8)))
    segments = [text[start:end] for start, end in zip([0, *cuts], [*cuts, len(text)], strict=True)]

    def read(*pieces: bytes) -> tuple[list[bytes], bool]:
        decoder = LineDecoder(4)
        lines: list[bytes] = []
        for piece in pieces:
            try:
                lines += decoder.feed(piece)
            except Malformed:
                break
        return lines, decoder.fault is not None

    assert read(*segments) == read(text) == read(*one_by_one(text))


def test_a_line_is_written_with_its_end() -> None:
    assert encode("perché") == "perché\n".encode()
    assert feed(encode("a"), encode("b")) == [b"a", b"b"]
