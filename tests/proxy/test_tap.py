"""What passes at a server's own tables is remembered, in few bytes, and what is not is counted."""

from __future__ import annotations

import asyncio
import gc
import math
import subprocess
import sys
import tracemalloc
from collections.abc import Callable
from functools import partial
from itertools import count
from typing import Any

import pytest

from boardwire.conformance.finding import Side
from boardwire.conformance.monitor import MessageRecord, Opened, Record
from boardwire.proxy import proxy
from boardwire.proxy import tap as tapping
from boardwire.proxy.history import History
from boardwire.proxy.proxy import MonitorQueue
from boardwire.proxy.tap import Tap, Tapped
from boardwire.table.guest import Guest
from boardwire.wire.websocket import encode_text

from ..net.harbour import run

KB = 1024
MB = 1024 * KB


def ear(tap: Tap, dialect: str = "tris-lines", match: str = "m", address: str = "127.0.0.1") -> Tapped:
    """A connection at a table."""
    found = tap.open(dialect, address, Guest(lambda notification: None))
    found.places[match] = 0
    return found


def test_of_very_much_the_oldest_is_forgotten_and_that_is_told() -> None:
    async def scenario() -> None:
        tap = Tap("", lambda text: None, History(total_bytes=64 * KB))
        ears = [ear(tap) for _ in range(3)]
        ears[0].note_server_data(b"WAIT\n")
        ears[0].client_left(reset=False)
        for _ in range(200):
            for one in ears[1:]:
                one.note_client_data(b"4\n")
        tap.stop()  # inspects what is queued
        live = tap.after("m", 0, 10_000)
        assert [one.connection for one in live.seats] == [2, 3], "the closed one is forgotten with its last entry"
        assert 10 < len(live.entries) < 200
        assert live.dropped > 200
        assert live.dropped_bytes > 100 * live.dropped
        assert tap.history.size <= 64 * KB

    run(scenario, asyncio.new_event_loop)


def test_pings_of_63_kilobytes_take_bounded_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tapping, "STOP_SECONDS", math.inf)  # inspect everything that is queued
    ping = encode_text(b'{"type":"ping"' + b" " * 63 * KB + b"}", bytes(4))

    async def scenario() -> None:
        tap = Tap("", lambda text: None, History(total_bytes=4 * MB))
        ears = [ear(tap, "native") for _ in range(8)]
        tracemalloc.start()
        try:
            for _ in range(50):
                for one in ears:
                    one.note_client_data(ping)
                tap.stop()  # inspects what is queued
            used = tracemalloc.get_traced_memory()[0]
        finally:
            tracemalloc.stop()
        live = tap.after("m", 0, 10_000)
        assert used < 1.2 * 4 * MB, used
        assert live.dropped > 0
        assert live.unseen == 0
        assert sum(len(bytes(entry)) for entry in live.entries) < 2 * MB

    run(scenario, asyncio.new_event_loop)


def test_one_connection_that_is_too_fast_is_no_longer_looked_at_and_others_are() -> None:
    complaints: list[str] = []

    async def scenario() -> None:
        tap = Tap("", complaints.append)
        flood, other = ear(tap, match="m"), ear(tap, match="n")
        for _ in range(5):
            flood.note_client_data(b"4" * (MB - 1) + b"\n")
        other.note_client_data(b"4\n")
        flood.note_client_data(b"5\n")
        assert tap.after("m", 0, 10).unseen >= MB + 2
        tap.stop()  # inspects what is queued
        assert b"4" in bytes(tap.after("n", 0, 10).entries[-1])

    run(scenario, asyncio.new_event_loop)
    assert complaints == ["inspection cannot keep up; some bytes are forwarded without inspection"]


def test_pieces_of_one_byte_are_bounded_like_large_ones() -> None:
    async def scenario() -> None:
        monitor_queue = MonitorQueue(lambda record: None, lambda text: None)
        monitor = monitor_queue.open("tris-lines", "127.0.0.1")
        tracemalloc.start()
        try:
            for _ in range(20_000):
                monitor_queue.receive(monitor, Side.CLIENT, b"4")
            used = tracemalloc.get_traced_memory()[0]
        finally:
            tracemalloc.stop()
        assert used < proxy.MAX_CONNECTION_BACKLOG_BYTES, used
        assert monitor_queue.unseen > 5_000
        monitor_queue.stop()
        assert monitor_queue.queued_bytes(monitor) == 0

    run(scenario, asyncio.new_event_loop)


def test_an_address_that_fills_the_backlog_hides_no_connection_of_another_address(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(tapping, "STOP_SECONDS", math.inf)  # inspect everything that is queued

    async def scenario() -> None:
        tap = Tap("", lambda text: None)
        early = ear(tap, match="early", address="192.0.2.1")
        early.note_client_data(b"4\n")
        floods = [
            ear(tap, match="flood", address="192.0.2.2")
            for _ in range(proxy.MAX_BACKLOG_BYTES // proxy.MAX_CONNECTION_BACKLOG_BYTES)
        ]
        for flood in floods:
            for _ in range(proxy.MAX_CONNECTION_BACKLOG_BYTES // (proxy.PIECE_BYTES + proxy.PIECE_OVERHEAD_BYTES)):
                flood.note_client_data(b"4" * proxy.PIECE_BYTES)
        filler = ear(tap, match="flood", address="192.0.2.2")
        for _ in range(3_000):
            filler.note_client_data(b"4")
        late = ear(tap, match="late", address="192.0.2.1")
        late.note_client_data(b"4\n")
        live = tap.after("late", 0, 10)
        assert 0 < live.unseen <= 4 * MB, "the flood lost the backlog of one connection"
        tap.stop()
        for match in ("early", "late"):
            assert any(b'"bytes":"340a"' in bytes(one) for one in tap.after(match, 0, 10).entries), match

    run(scenario, asyncio.new_event_loop)


def test_a_stop_inspects_for_a_bounded_time_and_counts_the_rest() -> None:
    async def scenario() -> None:
        ticks = count()
        queue = MonitorQueue(lambda record: None, lambda text: None, clock=lambda: float(next(ticks)))
        monitor = queue.open("tris-lines", "192.0.2.1")
        for _ in range(10):
            queue.receive(monitor, Side.CLIENT, b"4\n")
        queue.stop(4.0)
        assert queue.unseen == 8 * 2, "the first of three steps makes the monitor"
        assert queue.queued_bytes(monitor) == 0

    run(scenario, asyncio.new_event_loop)


def test_connections_that_come_faster_than_their_monitors_are_not_inspected() -> None:
    records: list[Record] = []
    warnings: list[str] = []

    async def scenario() -> None:
        queue = MonitorQueue(records.append, warnings.append)
        inspections = [queue.open("tris-lines", "192.0.2.1") for _ in range(proxy.MAX_UNSTARTED + 1)]
        for inspection in (inspections[0], inspections[-1]):
            queue.receive(inspection, Side.CLIENT, b"4\n")
            queue.close(inspection, Side.CLIENT, reset=False)
        queue.stop()
        assert queue.unseen == 2
        assert all(one.monitor is not None for one in inspections[:-1])
        assert inspections[-1].monitor is None

    run(scenario, asyncio.new_event_loop)
    assert sum(isinstance(one, Opened) for one in records) == proxy.MAX_UNSTARTED + 1
    assert sum(isinstance(one, MessageRecord) for one in records) == 1
    assert len(warnings) == 1


def test_a_large_read_is_inspected_in_many_steps_and_as_a_whole() -> None:
    records: list[Record] = []

    async def scenario() -> None:
        queue = MonitorQueue(records.append, lambda text: None, clock=lambda: 0.0)
        monitor = queue.open("tris-lines", "192.0.2.1")
        queue.receive(monitor, Side.CLIENT, b"4\n" * proxy.PIECE_BYTES)
        assert len(queue._steps) == 3, "the first makes the monitor"
        queue.stop()

    run(scenario, asyncio.new_event_loop)
    assert sum(isinstance(one, MessageRecord) for one in records) == proxy.PIECE_BYTES


def test_a_step_inspects_a_small_part_of_a_large_read() -> None:
    """The event loop waits for a step: it must not depend on what an attacker sends at once."""
    left: list[int] = []

    async def scenario() -> None:
        clock = slow_clock(proxy.SLICE_SECONDS)  # a slice is one step
        queue = MonitorQueue(lambda record: None, lambda text: None, clock=clock)
        monitor = queue.open("tris-lines", "192.0.2.1")
        queue.receive(monitor, Side.CLIENT, b"4\n" * proxy.STEP_BYTES)
        await asyncio.sleep(0)  # the first step makes the monitor
        for _ in range(2):
            left.append(queue.queued_bytes(monitor))
            await asyncio.sleep(0)
        queue.stop()

    run(scenario, asyncio.new_event_loop)
    full = 2 * proxy.STEP_BYTES + proxy.PIECE_OVERHEAD_BYTES
    assert left == [full, full - proxy.STEP_BYTES]


def test_a_connection_that_is_over_holds_no_monitor() -> None:
    async def scenario() -> None:
        tap = Tap("", lambda text: None)
        one = ear(tap)
        one.note_client_data(b"4")
        one.client_left(reset=False)
        assert one.inspection is None
        tap.stop()  # inspects what is queued
        assert any(b'"closed"' in bytes(entry) for entry in tap.after("m", 0, 10).entries)

    run(scenario, asyncio.new_event_loop)


def test_a_prepared_tap_imports_nothing_at_the_first_connection() -> None:
    script = """
import asyncio, sys
from boardwire.proxy.tap import Tap
from boardwire.table.guest import Guest

async def main():
    tap = Tap("", print)
    tap.prepare(["eriantys-objects", "native"])
    before = set(sys.modules)
    for dialect in ("eriantys-objects", "native"):
        tap.open(dialect, "127.0.0.1", Guest(lambda notification: None))
    tap.stop()
    print(sorted(name for name in set(sys.modules) - before if name.startswith("boardwire")))

asyncio.run(main())
"""
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, timeout=60)
    assert (done.stdout, done.stderr) == ("[]\n", "")


class PausingLoop(asyncio.SelectorEventLoop):
    """Event loop that notes the delays of short timers."""

    def __init__(self) -> None:
        super().__init__()
        self.delays: list[float] = []

    def call_later(self, delay: float, *arguments: Any, **options: Any) -> asyncio.TimerHandle:  # type: ignore[override]  # any callback
        if delay < 0.5:  # not the timer of overdue replies
            self.delays.append(delay)
        return super().call_later(delay, *arguments, **options)


def slow_clock(step_seconds: float) -> Callable[[], float]:
    """Clock by which everything between two readings takes some time."""
    return partial(next, count(0.0, step_seconds))


def test_inspection_in_a_server_uses_a_part_of_the_event_loop() -> None:
    loops: list[PausingLoop] = []

    def new_loop() -> PausingLoop:
        loops.append(PausingLoop())
        return loops[-1]

    async def scenario() -> None:
        clock = slow_clock(proxy.SLICE_SECONDS)  # a slice is one step
        monitor_queue = MonitorQueue(lambda record: None, lambda text: None, share=0.25, clock=clock)
        monitor = monitor_queue.open("tris-lines", "127.0.0.1")
        for _ in range(5):
            monitor_queue.receive(monitor, Side.CLIENT, b"4\n")
        while monitor_queue.queued_bytes(monitor):
            await asyncio.sleep(0)
        monitor_queue.stop()

    run(scenario, new_loop)
    assert loops[0].delays == [pytest.approx(3 * proxy.SLICE_SECONDS)] * 5, "the first step makes the monitor"


def test_a_slice_that_is_due_after_the_stop_finds_nothing_to_inspect() -> None:
    raised: list[dict[str, object]] = []

    async def scenario() -> None:
        loop = asyncio.get_running_loop()
        loop.set_exception_handler(lambda _, context: raised.append(context))
        clock = slow_clock(proxy.SLICE_SECONDS)  # a slice is one step
        monitor_queue = MonitorQueue(lambda record: None, lambda text: None, share=0.25, clock=clock)
        monitor = monitor_queue.open("tris-lines", "127.0.0.1")
        for _ in range(2):
            monitor_queue.receive(monitor, Side.CLIENT, b"4\n")
        await asyncio.sleep(0)  # the first slice, which schedules the second
        assert monitor_queue.queued_bytes(monitor) > 0
        monitor_queue.stop()
        assert monitor_queue.queued_bytes(monitor) == 0
        await asyncio.sleep(3 * proxy.SLICE_SECONDS)  # as long as the pause of the slice, and begun after it

    run(scenario, PausingLoop)
    assert raised == []


def test_a_connection_that_is_forgotten_has_no_queued_bytes() -> None:
    async def scenario() -> None:
        monitor_queue = MonitorQueue(lambda record: None, lambda text: None)
        monitor = monitor_queue.open("tris-lines", "127.0.0.1")
        monitor_queue.receive(monitor, Side.CLIENT, b"4\n")
        monitor_queue.forget(monitor)
        assert monitor_queue.queued_bytes(monitor) == len(b"4\n") + proxy.PIECE_OVERHEAD_BYTES
        monitor_queue.stop()
        assert monitor_queue.queued_bytes(monitor) == 0

    run(scenario, asyncio.new_event_loop)


@pytest.mark.parametrize("dialect", ["native", "tris-lines", "santorini-objects", "eriantys-objects"])
def test_a_connection_that_is_forgotten_leaves_no_cycle(dialect: str) -> None:
    """Otherwise a flood of connections would fill the memory until the garbage collector stops the server."""

    def inspect_one(monitor_queue: MonitorQueue) -> None:
        monitor = monitor_queue.open(dialect, "192.0.2.1")
        monitor_queue.receive(monitor, Side.CLIENT, b"\xac\xed\x00\x05\x73")  # a header, and half a message
        monitor_queue.forget(monitor)
        while monitor_queue._steps:
            monitor_queue._run_slice()

    async def scenario() -> int:
        monitor_queue = MonitorQueue(lambda record: None, lambda text: None)
        inspect_one(monitor_queue)  # the first one fills caches
        gc.collect()
        gc.disable()
        try:
            inspect_one(monitor_queue)
            return gc.collect()
        finally:
            gc.enable()
            monitor_queue.stop()

    assert asyncio.run(scenario()) == 0


def test_the_address_that_delays_the_inspection_loses_its_largest_backlog(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(proxy, "MAX_DELAY_SECONDS", -1.0)  # everything is late
    monkeypatch.setattr(proxy, "DISCARD_SECONDS", 3600.0)  # one backlog, however slow the machine is

    async def scenario() -> None:
        clock = slow_clock(proxy.SLICE_SECONDS)
        monitor_queue = MonitorQueue(lambda record: None, lambda text: None, share=0.25, clock=clock)
        flood, other = (monitor_queue.open("tris-lines", f"192.0.2.{number}") for number in (1, 2))
        for _ in range(100):
            monitor_queue.receive(flood, Side.CLIENT, b"4\n")
        monitor_queue.receive(other, Side.CLIENT, b"4\n")
        while monitor_queue.queued_bytes(flood):
            await asyncio.sleep(0)
        assert monitor_queue.unseen == 100 * len(b"4\n"), "all at once, before the first of it was inspected"
        assert monitor_queue.queued_bytes(other) > 0
        while monitor_queue.queued_bytes(other):
            await asyncio.sleep(0)
        assert monitor_queue.unseen == 100 * len(b"4\n")
        monitor_queue.stop()

    run(scenario, asyncio.new_event_loop)


def test_each_step_updates_the_time_of_a_part_of_the_monitors(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(proxy, "MONITORS_PER_STEP", 2)
    loops: list[PausingLoop] = []

    def new_loop() -> PausingLoop:
        loops.append(PausingLoop())
        return loops[-1]

    async def scenario() -> None:
        clock = slow_clock(proxy.SLICE_SECONDS)  # a slice is one step
        monitor_queue = MonitorQueue(lambda record: None, lambda text: None, 0.04, share=0.25, clock=clock)
        for _ in range(6):
            monitor_queue.open("tris-lines", "127.0.0.1")
        pauses = [3 * proxy.SLICE_SECONDS] * 2
        while [delay for delay in loops[0].delays if delay < 0.005] < pauses:
            await asyncio.sleep(0)
        monitor_queue.stop()

    run(scenario, new_loop)
