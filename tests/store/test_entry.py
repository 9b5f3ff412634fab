"""Entries of the log: what is written is read again, whatever else is in the same entry."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from boardwire.store.entry import Part, parts, parts_of, write_part
from boardwire.table.events import Chatted, encode

bodies = st.lists(st.text(max_size=30).map(lambda text: encode(Chatted(1.0, 0, text))), min_size=1, max_size=4)
several = st.lists(
    st.builds(Part, st.integers(1, 12), st.integers(1, 2000), st.integers(0, 2**40), bodies), min_size=1, max_size=9
)


def entry(written: list[Part]) -> bytes:
    return b"".join(write_part(*part) for part in written)


@given(several)
def test_parts_are_read_as_they_were_written(written: list[Part]) -> None:
    assert list(parts(entry(written))) == written


@given(several, st.integers(1, 12))
def test_the_parts_of_a_match_are_found_among_others(written: list[Part], key: int) -> None:
    assert parts_of(entry(written), key) == [part for part in written if part.key == key]


def test_chat_in_a_match_is_not_taken_for_a_part() -> None:
    part = Part(3, 1, 0, [encode(Chatted(1.0, 0, "a\n7 1 0\n{}"))])
    assert parts_of(write_part(*part), 7) == []
    assert list(parts(write_part(*part))) == [part]


def test_a_part_knows_its_last_event() -> None:
    assert Part(1, 5, 0, [b"{}", b"{}"]).last == 6
