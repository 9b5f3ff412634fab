"""Named timers of a conversation."""

from __future__ import annotations

from collections.abc import Callable

from boardwire.simulation.clock import ManualClock, ManualTimer
from boardwire.talk.timers import Timers


class Bench:
    """Timers on a clock that the test moves, and the names that rang."""

    def __init__(self) -> None:
        self.clock = ManualClock()
        self.rang: list[str] = []
        self.timers = Timers(self.clock.now, self.clock.later, self.rang.append)


def test_a_timer_rings_once_when_its_time_is_over() -> None:
    bench = Bench()
    bench.timers.set(2.0, "a")
    bench.timers.set(3.0, "b")
    bench.clock.pass_time(1.9)
    assert bench.rang == []
    bench.clock.pass_time(0.1)
    assert bench.rang == ["a"]
    bench.clock.pass_time(10.0)
    assert bench.rang == ["a", "b"]


def test_a_timer_that_is_set_again_begins_anew_and_with_no_time_it_never_rings() -> None:
    bench = Bench()
    bench.timers.set(2.0, "a")
    bench.timers.set(2.0, "b")
    bench.clock.pass_time(1.0)
    bench.timers.set(2.0, "a")
    bench.timers.set(0.0, "b")
    bench.clock.pass_time(1.5)
    assert bench.rang == []
    bench.clock.pass_time(0.5)
    assert bench.rang == ["a"]


def test_a_timer_can_be_set_again_when_it_rings() -> None:
    bench = Bench()

    def ring(name: str) -> None:
        bench.rang.append(name)
        timers.set(1.0, name)

    timers = Timers(bench.clock.now, bench.clock.later, ring)
    timers.set(1.0, "again")
    for _ in range(3):
        bench.clock.pass_time(1.0)
    assert bench.rang == ["again"] * 3


def test_stopped_timers_do_not_fire_and_cannot_be_set() -> None:
    bench = Bench()
    bench.timers.set(1.0, "a")
    bench.timers.stop()
    bench.timers.stop()
    bench.timers.set(1.0, "b")
    bench.clock.pass_time(5.0)
    assert bench.rang == []


def test_a_call_that_comes_after_its_cancellation_fires_nothing() -> None:
    calls: list[Callable[[], None]] = []
    cancelled: list[object] = []

    class Deaf:
        def cancel(self) -> None:
            """Too late."""
            cancelled.append(self)

    def later(seconds: float, call: Callable[[], None]) -> Deaf:
        calls.append(call)
        return Deaf()

    rang: list[str] = []
    timers = Timers(lambda: 0.0, later, rang.append)
    timers.set(1.0, "a")
    timers.stop()
    calls[0]()
    assert (rang, len(cancelled)) == ([], 1)


def test_a_timer_that_is_put_off_again_and_again_makes_one_call_and_then_one_for_the_rest() -> None:
    clock = ManualClock()
    made: list[float] = []
    rang: list[float] = []

    def later(seconds: float, call: Callable[[], None]) -> ManualTimer:
        made.append(seconds)
        return clock.later(seconds, call)

    timers = Timers(clock.now, later, lambda name: rang.append(clock.now()))
    for _ in range(10):
        timers.set(15.0, "silence")
        clock.pass_time(1.0)
    assert made == [15.0]
    clock.pass_time(20.0)
    assert (made, rang) == ([15.0, 9.0], [1024.0])


def test_a_timer_that_is_set_to_an_earlier_time_rings_then() -> None:
    bench = Bench()
    bench.timers.set(5.0, "a")
    bench.timers.set(1.0, "a")
    bench.clock.pass_time(1.0)
    assert bench.rang == ["a"]
    bench.clock.pass_time(10.0)
    assert bench.rang == ["a"]
