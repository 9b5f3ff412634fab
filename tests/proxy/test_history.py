"""What an inspector remembers is bounded in bytes, whatever passes."""

from __future__ import annotations

import json
import tracemalloc

import pytest

from boardwire.conformance.finding import Side
from boardwire.conformance.monitor import Closed, MessageRecord, Opened
from boardwire.proxy.history import ANSWER_BYTES, SHOWN_BYTES, History

KB = 1024
MB = 1024 * KB


def said(connection: int, text: str = "4", data: bytes = b"4\n", number: int = 1) -> MessageRecord:
    return MessageRecord(
        connection=connection, number=number, at=0.0, side=Side.CLIENT, name="move", text=text, data=data
    )


def numbers(history: History, after: int = 0, connections: set[int] | None = None) -> list[tuple[int, int]]:
    """The records that are remembered: connection and number."""
    _, records = history.after(after, 10_000, connections)
    return [(one["connection"], one["number"]) for one in map(json.loads, map(bytes, records))]


def test_one_connection_keeps_its_newest_records_in_its_bytes_and_others_keep_theirs() -> None:
    history = History(connection_bytes=64 * KB, total_bytes=MB)
    history.add(said(2, number=0))
    for number in range(100):
        history.add(said(1, "x" * 4000, b"x" * 4000, number))
    kept = numbers(history, connections={1})
    assert kept == [(1, number) for number in range(100 - len(kept), 100)]
    assert 4 <= len(kept) <= 64 * KB // 12_000
    assert numbers(history, connections={2}) == [(2, 0)]
    dropped = history.dropped_of({1})
    assert dropped.records == 100 - len(kept)
    assert dropped.bytes > dropped.records * 12_000
    assert history.dropped_of({2}).records == 0
    assert history.dropped == dropped


def test_all_connections_together_keep_the_newest_records() -> None:
    history = History(connection_bytes=64 * KB, total_bytes=256 * KB)
    for number in range(100):
        for connection in range(1, 21):
            history.add(said(connection, "x" * 2000, number=number))
            assert history.size <= 256 * KB
    kept = numbers(history)
    assert kept == [(one, number) for number in range(100) for one in range(1, 21)][-len(kept) :]
    assert len(kept) + history.dropped.records == 2000


def test_a_closed_connection_is_forgotten_with_its_last_record_and_an_open_one_is_not() -> None:
    history = History(total_bytes=32 * KB)
    for connection in (1, 2):
        history.add(Opened(connection=connection, at=0.0, dialect="tris-lines"))
    history.close(1)
    forgotten = [name for number in range(100) for name in history.add(said(3, "x" * 1000, number=number))]
    assert forgotten == [1]
    assert (1 in history, 2 in history) == (False, True)


def test_of_a_large_message_a_part_is_kept() -> None:
    history = History()
    history.add(said(1, "ping", bytes(63 * KB)))
    (record,) = history.after(0, 1)[1]
    assert json.loads(bytes(record))["bytes"] == "00" * SHOWN_BYTES


def test_an_answer_has_few_bytes_and_the_next_one_goes_on() -> None:
    history = History(connection_bytes=8 * MB)
    for number in range(200):
        history.add(said(1, "x" * 20_000, number=number))
    found: list[bytes] = []
    after, rounds = 0, 0
    while after < history.count:
        after, records = history.after(after, 2000)
        assert sum(len(bytes(one)) for one in records) <= ANSWER_BYTES + 30_000
        found += map(bytes, records)
        rounds += 1
    assert [json.loads(one)["number"] for one in found] == list(range(200))
    assert rounds > 2
    assert history.after(after, 2000) == (after, ())
    assert len(history.after(after + 1, 2000)[1]) > 0, "a number of an earlier run means the beginning"


@pytest.mark.parametrize("size", [0, 63 * KB])
def test_the_memory_that_is_really_used_is_what_is_counted(size: int) -> None:
    tracemalloc.start()
    try:
        before = tracemalloc.get_traced_memory()[0]
        history = History(connection_bytes=MB, total_bytes=4 * MB)
        for number in range(2_000):
            for connection in range(1, 11):
                history.add(said(connection, "x" * min(size, 20_000), bytes(size), number))
                if size and number > 50:
                    break
        used = tracemalloc.get_traced_memory()[0] - before
    finally:
        tracemalloc.stop()
    assert history.dropped.records > 1000
    assert used < 1.2 * 4 * MB, used


def test_very_many_connections_that_say_nothing_are_bounded_too() -> None:
    history = History(total_bytes=MB)
    for connection in range(1, 5_001):
        history.add(Opened(connection=connection, at=0.0, dialect="tris-lines"))
        history.close(connection)
        history.add(Closed(connection=connection, at=0.0, side=Side.CLIENT))
        assert history.size <= MB
    assert 1 not in history
    assert 5_000 in history


def test_the_address_that_uses_most_loses_its_oldest_records_and_others_keep_all_of_theirs() -> None:
    history = History(connection_bytes=64 * KB, total_bytes=512 * KB)
    history.add(Opened(connection=1, at=0.0, dialect="tris-lines", address_key="192.0.2.1"))
    for number in range(20):
        history.add(said(1, number=number))
    for connection in range(2, 60):
        history.add(Opened(connection=connection, at=0.0, dialect="tris-lines", address_key="192.0.2.2"))
        for number in range(100):
            history.add(said(connection, "x" * 2000, number=number))
            assert history.size <= 512 * KB
    assert numbers(history, 1, {1}) == [(1, number) for number in range(20)]
    assert history.dropped_of({1}).records == 0
    newest = numbers(history, connections={58, 59})
    assert newest[-1] == (59, 99), "the flood keeps its newest records"
    assert history.dropped.records > 5_000


def test_addresses_that_all_send_much_keep_equal_shares_of_the_history() -> None:
    history = History(total_bytes=512 * KB)
    for connection in range(1, 5):
        history.add(Opened(connection=connection, at=0.0, dialect="tris-lines", address_key=f"192.0.2.{connection}"))
    for number in range(200):
        for connection, count in ((1, 1), (2, 2), (3, 4), (4, 8)):
            for _ in range(count):
                history.add(said(connection, "x" * 2000, number=number))
    kept = [len(numbers(history, connections={connection})) for connection in range(1, 5)]
    assert max(kept) - min(kept) <= 2, kept


def test_the_newest_record_stays_although_its_address_uses_most() -> None:
    history = History(total_bytes=64 * KB)
    history.add(Opened(connection=100, at=0.0, dialect="tris-lines", address_key="192.0.2.1"))
    for connection in range(1, 40):
        history.add(Opened(connection=connection, at=0.0, dialect="tris-lines", address_key="192.0.2.2"))
        assert numbers_of_connections(history)[-1] == connection


def numbers_of_connections(history: History) -> list[int]:
    return [json.loads(bytes(one))["connection"] for one in history.after(0, 10_000)[1]]
