"""Appends to a journal in a new directory, and says how many appends are known to be stored.

Run by `test_power.py` under `trace.c`: `power_work.py DIRECTORY ROUNDS PAGES`.  It ends without closing anything.
"""

from __future__ import annotations

import ctypes
import os
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from queue import SimpleQueue
from random import Random
from typing import Any

from boardwire.games.game import Outcome
from boardwire.store import sqlite
from boardwire.store.sqlite import SqliteJournal
from boardwire.table.events import Chatted, Ended, Event, Opened
from boardwire.table.policy import Policy
from boardwire.table.ports import AppendResult


def appends(rounds: int) -> Iterator[list[tuple[str, int, list[Event]]]]:
    """What is appended, by rounds: those of one round are gathered by one commit, or nearly."""
    luck = Random(7)
    lengths: dict[str, int] = {}
    for number in range(rounds):
        batch = []
        for name in luck.sample(("ann", "bob", "cyd", "dan"), 1 + number % 3):
            match = f"{name} {number // 25}"
            first = lengths.get(match, 0) + 1
            events: list[Event] = [Opened(1.0, match, "tris@1", 2, {}, Policy())] if first == 1 else []
            events += [
                Chatted(float(number), 0, luck.choice("xyz") * luck.choice((1, 40, 900, 6000)))
                for _ in range(luck.randrange(1, 4))
            ]
            if first > 1 and number % 25 == 24:
                events.append(Ended(2.0, Outcome("abandoned")))
            lengths[match] = first + len(events) - 1
            batch.append((match, first, events))
        yield batch


def work(directory: Path, rounds: int, stored: Callable[[int], object]) -> None:
    """Do all of it; `stored` is told how many appends are stored so far, as soon as that is known."""
    calls: SimpleQueue[tuple[Callable[..., object], tuple[Any, ...]]] = SimpleQueue()
    journal = SqliteJournal(directory, lambda call, *arguments: calls.put((call, arguments)))
    count = 0
    stored(count)

    def done(result: AppendResult) -> None:
        nonlocal count
        assert result is AppendResult.STORED, "the journal cannot be written"
        count += 1
        stored(count)

    for batch in appends(rounds):
        for match, first, events in batch:
            journal.append(match, first, events, done)
        while journal.busy:
            call, arguments = calls.get(timeout=30)
            call(*arguments)


if __name__ == "__main__":
    sqlite.RESERVED_PAGES = int(sys.argv[3])  # type: ignore[misc]  # a constant, but for this process
    work(Path(sys.argv[1]), int(sys.argv[2]), ctypes.CDLL(None).trace_done)
    os._exit(0)
