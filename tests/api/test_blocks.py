"""Compressed lists of encoded messages."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from boardwire.api.blocks import BLOCK_BYTES, Blocks

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
