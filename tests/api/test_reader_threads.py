"""Reader threads: turns between addresses, budgets, merged requests, and an end that waits for nothing."""

from __future__ import annotations

import asyncio
import contextlib
import threading
import weakref
from collections.abc import Callable, Coroutine, Iterator
from functools import partial, wraps
from typing import Any, ParamSpec

import pytest

from boardwire.api import reader_threads as module
from boardwire.api.reader_threads import Busy, OverBudget, Readers, Stopping, check, with_checks

SECONDS = 20.0
"""What happens at all happens within this time."""


P = ParamSpec("P")


def on_a_loop(test: Callable[P, Coroutine[Any, Any, None]]) -> Callable[P, None]:
    """Run a test on a new event loop."""

    @wraps(test)
    def runs(*args: P.args, **fields: P.kwargs) -> None:
        asyncio.run(test(*args, **fields))

    return runs


class Clock:
    """CPU clock that a test advances."""

    def __init__(self) -> None:
        self.time = 0.0

    def __call__(self) -> float:
        return self.time


class Work:
    """Work of several parts with a duration, which records its completion."""

    def __init__(self, done: list[str], name: str, clock: Clock, parts: int = 1, seconds: float = 0.0) -> None:
        self._done, self._name, self._clock, self._parts, self._seconds = done, name, clock, parts, seconds

    def __call__(self) -> str:
        for _ in with_checks(range(self._parts)):
            self._clock.time += self._seconds
        self._done.append(self._name)
        return self._name


class Held:
    """Work that continues on demand."""

    def __init__(self) -> None:
        self.begun, self.free, self.ended = threading.Event(), threading.Event(), threading.Event()
        self.calls = 0

    def __call__(self) -> str:
        self.calls += 1
        self.begun.set()
        assert self.free.wait(SECONDS)
        try:
            check()
        finally:
            self.ended.set()
        return "held"


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def readers(clock: Clock, monkeypatch: pytest.MonkeyPatch) -> Iterator[Readers]:
    monkeypatch.setattr(module, "MAX_RUNNING", 1)
    found = Readers(clock, clock)
    yield found
    found.close()


async def soon(is_so: Callable[[], bool]) -> None:
    """Wait until a condition holds."""
    async with asyncio.timeout(SECONDS):
        while not is_so():
            await asyncio.sleep(0.001)


def is_longer(readers: Readers, before: int) -> bool:
    """Whether the queue has become longer."""
    return readers.waiting > before


async def queued(readers: Readers, *works: Coroutine[Any, Any, Any]) -> list[asyncio.Task[Any]]:
    """Queue several works in order while a reader is busy."""
    tasks = []
    for work in works:
        before = readers.waiting
        tasks.append(asyncio.create_task(work))
        await soon(partial(is_longer, readers, before))
    return tasks


@on_a_loop
async def test_addresses_take_turns(readers: Readers, clock: Clock) -> None:
    done: list[str] = []
    held = Held()
    first = asyncio.create_task(readers.read(held, "a"))
    await soon(held.begun.is_set)
    names = ["a1", "a2", "a3", "b1", "c1", "b2"]
    tasks = await queued(readers, *(readers.read(Work(done, name, clock), name[0]) for name in names))
    held.free.set()
    assert await asyncio.gather(first, *tasks) == ["held", *names]
    assert done == ["b1", "c1", "a1", "b2", "a2", "a3"]


@on_a_loop
async def test_long_work_pauses_for_other_addresses(readers: Readers, clock: Clock) -> None:
    done: list[str] = []
    held = Held()
    first = asyncio.create_task(readers.read(held, "x"))
    await soon(held.begun.is_set)
    long, short = Work(done, "long", clock, 20, module.SLICE_SECONDS), Work(done, "short", clock)
    tasks = await queued(readers, readers.read(long, "a"), readers.read(Work(done, "next", clock), "a"),
                         readers.read(short, "b"))  # fmt: skip
    held.free.set()
    await asyncio.gather(first, *tasks)
    assert done == ["short", "next", "long"]


@on_a_loop
async def test_an_address_with_much_long_work_ends_some_of_it_before_it_begins_more(
    readers: Readers, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "ADDRESS_STARTED_LIMIT", 2)
    done: list[str] = []
    held = Held()
    first = asyncio.create_task(readers.read(held, "x"))
    await soon(held.begun.is_set)
    works = [Work(done, f"long{number}", clock, 20, module.SLICE_SECONDS) for number in range(2)]
    tasks = await queued(readers, *(readers.read(work, "a") for work in (*works, Work(done, "short", clock))))
    held.free.set()
    await asyncio.gather(first, *tasks)
    assert done[0] == "long1", "the second was resumed until it was done"
    assert sorted(done[1:]) == ["long0", "short"]


@on_a_loop
async def test_work_over_its_budget_ends_and_is_refused_at_once_for_a_while(readers: Readers, clock: Clock) -> None:
    done: list[str] = []
    endless = Work(done, "endless", clock, 10**9, module.BUDGET_SECONDS / 10)
    with pytest.raises(OverBudget):
        await readers.read(endless, "a", "key")
    took = clock.time
    assert took <= module.BUDGET_SECONDS * 1.2
    with pytest.raises(OverBudget):
        await readers.read(endless, "b", "key")
    assert clock.time == took, "nothing was done for it"
    clock.time += module.OVER_BUDGET_SECONDS
    assert await readers.read(Work(done, "short", clock), "a", "key") == "short"


@on_a_loop
async def test_requests_with_the_same_key_share_one_result(readers: Readers, clock: Clock) -> None:
    held, other = Held(), Held()
    blocking = asyncio.create_task(readers.read(other, "x"))
    await soon(other.begun.is_set)
    tasks = await queued(readers, *(readers.read(held, address, "key", constant=True) for address in ("a", "a", "b")))
    other.free.set()
    await soon(held.begun.is_set)
    late = asyncio.create_task(readers.read(held, "c", "key", constant=True))
    apart = asyncio.create_task(readers.read(Work([], "apart", clock), "c", "other key"))
    await asyncio.sleep(0)
    held.free.set()
    assert await asyncio.gather(*tasks, late, apart, blocking) == ["held"] * 4 + ["apart", "held"]
    assert held.calls == 1
    await soon(lambda: readers.waiting == 0)
    assert await readers.read(Work([], "anew", clock), "a", "key") == "anew"


@on_a_loop
async def test_a_request_does_not_get_what_was_read_before_it_came(readers: Readers) -> None:
    held = Held()
    early = asyncio.create_task(readers.read(held, "a", "key"))
    await soon(held.begun.is_set)
    late = await queued(readers, *(readers.read(lambda: "new", address, "key") for address in ("b", "c")))
    held.free.set()
    assert await asyncio.gather(early, *late) == ["held", "new", "new"]


@on_a_loop
async def test_work_is_cancelled_when_every_client_is_gone(readers: Readers) -> None:
    held = Held()
    one = asyncio.create_task(readers.read(held, "a", "key"))
    await soon(held.begun.is_set)
    other = asyncio.create_task(readers.read(held, "b", "key", constant=True))
    await asyncio.sleep(0)
    one.cancel()
    other.cancel()
    await asyncio.gather(one, other, return_exceptions=True)
    again = asyncio.create_task(readers.read(lambda: "again", "a", "key"))
    held.free.set()
    assert await again == "again", "nobody gets the result of work that was cancelled"


@on_a_loop
async def test_work_goes_on_for_those_who_stay(readers: Readers) -> None:
    held = Held()
    one = asyncio.create_task(readers.read(held, "a", "key"))
    await soon(held.begun.is_set)
    other = asyncio.create_task(readers.read(held, "b", "key", constant=True))
    await asyncio.sleep(0)
    one.cancel()
    await asyncio.gather(one, return_exceptions=True)
    held.free.set()
    assert await other == "held"


@on_a_loop
async def test_a_client_that_goes_while_it_waits_costs_nothing(readers: Readers, clock: Clock) -> None:
    held, done = Held(), list[str]()
    first = asyncio.create_task(readers.read(held, "a"))
    await soon(held.begun.is_set)
    (gone,) = await queued(readers, readers.read(Work(done, "gone", clock), "b"))
    gone.cancel()
    await soon(lambda: readers.waiting == 1)
    held.free.set()
    assert await first == "held"
    assert done == []


@on_a_loop
async def test_a_full_queue_refuses_the_address_that_fills_it(readers: Readers, clock: Clock) -> None:
    held = Held()
    first = asyncio.create_task(readers.read(held, "a"))
    await soon(held.begun.is_set)
    asked = [asyncio.create_task(readers.read(Work([], "", clock), "a")) for _ in range(module.ADDRESS_LIMIT + 5)]
    await soon(lambda: sum(task.done() for task in asked) == 5)
    others = [asyncio.create_task(readers.read(Work([], "b", clock), f"b{number}")) for number in range(10)]
    held.free.set()
    assert await asyncio.gather(*others) == ["b"] * 10
    results = await asyncio.gather(first, *asked, return_exceptions=True)
    assert sum(isinstance(result, Busy) for result in results) == 5


@on_a_loop
async def test_closing_does_not_wait_for_running_work(readers: Readers, clock: Clock) -> None:
    held = Held()
    running = asyncio.create_task(readers.read(held, "a"))
    await soon(held.begun.is_set)
    (waiting,) = await queued(readers, readers.read(Work([], "", clock), "b"))
    readers.close()
    results = await asyncio.gather(running, waiting, return_exceptions=True)
    assert [type(result) for result in results] == [Stopping, Stopping]
    assert not held.ended.is_set(), "it is still running, and nobody waits for it"
    held.free.set()
    assert held.ended.wait(SECONDS)
    with pytest.raises(Stopping):
        await readers.read(lambda: None)


@on_a_loop
async def test_work_that_is_paused_ends_when_readers_close(readers: Readers, clock: Clock) -> None:
    first, held = Held(), Held()
    blocking = asyncio.create_task(readers.read(first, "x"))
    await soon(first.begun.is_set)
    work = Work([], "", clock, 10**9, module.SLICE_SECONDS)
    long, other = await queued(readers, readers.read(work, "a"), readers.read(held, "b"))
    first.free.set()
    assert await blocking == "held"
    await soon(held.begun.is_set)
    threads = threading.active_count()
    readers.close()
    held.free.set()
    results = await asyncio.gather(long, other, return_exceptions=True)
    assert [type(result) for result in results] == [Stopping, Stopping]
    await soon(lambda: threading.active_count() <= threads - 2)


@on_a_loop
async def test_the_work_of_the_server_itself_comes_before_requests(readers: Readers, clock: Clock) -> None:
    done: list[str] = []
    held = Held()
    first = asyncio.create_task(readers.read(held, "a"))
    await soon(held.begun.is_set)
    tasks = await queued(readers, readers.read(Work(done, "b1", clock), "b"))
    readers.run_internal(lambda: done.append("own"))
    held.free.set()
    await asyncio.gather(first, *tasks)
    assert done == ["own", "b1"]


@on_a_loop
async def test_a_fault_is_reported_to_the_caller_and_the_next_request_is_served(readers: Readers) -> None:
    with pytest.raises(ZeroDivisionError):
        await readers.read(lambda: 1 / 0)
    assert await readers.read(lambda: 1) == 1


def test_a_check_elsewhere_than_on_a_reader_does_nothing() -> None:
    check()
    assert list(with_checks("ab")) == ["a", "b"]


@pytest.mark.parametrize("fails", [False, True])
@on_a_loop
async def test_a_result_is_freed_without_the_collector(no_collector: None, readers: Readers, fails: bool) -> None:
    """The server lets the collector run so seldom that 390 responses of half a megabyte stayed in memory."""

    class Large:
        pass

    def work() -> Large:
        large = Large()
        found.append(weakref.ref(large))
        if fails:
            raise ZeroDivisionError
        return large

    found: list[weakref.ref[Large]] = []
    for key in (None, "key"):
        with contextlib.suppress(ZeroDivisionError):
            await readers.read(work, "a", key)
    assert len(found) == 2
    await soon(lambda: not any(large() for large in found))
