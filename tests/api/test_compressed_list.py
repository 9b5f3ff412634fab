"""Compressed lists of encoded messages."""

from __future__ import annotations

import tracemalloc
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from boardwire.api.compressed_list import BLOCK_BYTES, Blocks
from boardwire.api.match_cache import SUMMARY_BYTES
from boardwire.table.events import decode, encode
from boardwire.table.summary import digest

from ..endless import endless

SIZES = st.lists(st.sampled_from([1, 100, BLOCK_BYTES // 3, BLOCK_BYTES + 1]), max_size=12)


def messages(sizes: list[int], first: int = 0) -> list[tuple[int, bytes]]:
    """Messages of these lengths that can be told apart."""
    return [(first + at, bytes([65 + (first + at) % 26]) * size) for at, size in enumerate(sizes)]


@given(SIZES, SIZES, st.integers(0, 25), st.integers(1, 25), st.sampled_from([0, 150, 10**9]))
def test_any_part_is_as_in_a_plain_list(one: list[int], two: list[int], start: int, limit: int, most: int) -> None:
    both = [*messages(one), *messages(two, len(one))]
    blocks = Blocks().extended(messages(one)).extended(messages(two, len(one)))
    assert len(blocks) == len(both)
    plain: list[bytes] = []
    for _, message in both[start : start + limit]:
        plain.append(message)
        if sum(map(len, plain)) > most:
            break
    assert blocks.part(start, limit, most) == plain
    assert [blocks.number(at) for at in range(len(both))] == [number for number, _ in both]
    assert blocks.count_to(start) == sum(number <= start for number, _ in both)


@given(SIZES, SIZES)
def test_the_last_message_can_be_replaced(one: list[int], two: list[int]) -> None:
    before = Blocks().extended(messages([*one, 5]))
    after = before.without_last().extended(messages([7, *two], len(one)))
    assert after.part(0, 100, 10**9) == [message for _, message in messages([*one, 7, *two])]
    assert before.part(0, 100, 10**9) == [message for _, message in messages([*one, 5])], "a list is a value"
    assert after.size == Blocks().extended(messages([*one, 7, *two])).size


def test_messages_that_are_alike_take_a_tenth_of_their_length() -> None:
    told = [(number, b'{"step":%d,"view":{"board":[%b]}}' % (number, b"0," * 700)) for number in range(2000)]
    assert Blocks().extended(told).size < sum(len(message) for _, message in told) / 10


def test_reading_one_message_unpacks_one_block() -> None:
    blocks = Blocks().extended((number, b"x" * 1000) for number in range(5000))
    assert blocks.part(4000, 1, 10**9) == [b"x" * 1000]
    assert max(len(block.ends) for block in blocks._blocks) * 1000 < BLOCK_BYTES * 1.1


@pytest.mark.parametrize(("count", "length"), [(1, 10), (200, 100), (20_000, 30), (2_000, 3_000)])
def test_the_size_of_a_list_is_at_least_the_memory_that_it_takes(count: int, length: int) -> None:
    rng = Random(1)
    tracemalloc.start()
    try:
        before = tracemalloc.get_traced_memory()[0]
        blocks = Blocks().extended((number + 1000, rng.randbytes(length)) for number in range(count))
        used = tracemalloc.get_traced_memory()[0] - before
    finally:
        tracemalloc.stop()
    assert used <= blocks.size <= 2 * used + 1000, (used, blocks.size)


@pytest.mark.parametrize("game", ["tris", "santorini", "eriantys"])
def test_the_weight_of_a_summary_is_at_least_the_memory_that_it_takes(game: str) -> None:
    bodies = [encode(event) for event in endless(game, 20)]
    tracemalloc.start()
    try:
        before = tracemalloc.get_traced_memory()[0]
        digests = [digest([decode(body) for body in bodies]) for _ in range(100)]
        used = (tracemalloc.get_traced_memory()[0] - before) / len(digests)
    finally:
        tracemalloc.stop()
    assert used <= SUMMARY_BYTES
