"""A clock that the test advances."""

from __future__ import annotations

from functools import partial

from boardwire.simulation.clock import ManualClock


def test_the_clock_stands_still_until_time_passes() -> None:
    clock = ManualClock(50.0)
    assert (clock.now(), clock.now()) == (50.0, 50.0)
    clock.pass_time(2.5)
    assert clock.now() == 52.5


def test_calls_come_in_the_order_of_their_time_each_at_its_own() -> None:
    clock = ManualClock(0.0)
    calls: list[tuple[str, float]] = []

    def note(name: str) -> None:
        calls.append((name, clock.now()))

    for seconds, name in ((3.0, "late"), (1.0, "early"), (1.0, "second"), (9.0, "too late")):
        clock.later(seconds, partial(note, name))
    clock.pass_time(0.9)
    assert calls == []
    clock.pass_time(4.0)
    assert calls == [("early", 1.0), ("second", 1.0), ("late", 3.0)]
    assert clock.now() == 4.9


def test_a_cancelled_call_does_not_come() -> None:
    clock = ManualClock()
    calls: list[int] = []
    timer = clock.later(1.0, lambda: calls.append(1))
    clock.later(1.0, lambda: calls.append(2))
    timer.cancel()
    timer.cancel()
    clock.pass_time(1.0)
    assert calls == [2]


def test_a_call_may_ask_for_another_that_falls_due_in_the_same_time() -> None:
    clock = ManualClock(0.0)
    calls: list[float] = []

    def again() -> None:
        calls.append(clock.now())
        clock.later(1.0, again)

    clock.later(1.0, again)
    clock.pass_time(3.5)
    assert calls == [1.0, 2.0, 3.0]


def test_what_is_due_now_comes_when_no_time_passes() -> None:
    clock = ManualClock()
    calls: list[int] = []
    clock.later(0.0, lambda: calls.append(1))
    clock.pass_time(0.0)
    assert calls == [1]
