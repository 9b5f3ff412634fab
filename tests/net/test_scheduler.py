"""Turns: a small job does not wait long for the jobs of others."""

from __future__ import annotations

import asyncio
from functools import partial
from itertools import chain

import pytest

from boardwire.net.scheduler import PAUSE_SECONDS, PAUSES, SLICE_SECONDS, TURN_SECONDS, InlineTime, Scheduler

from .harbour import run


class Time:
    """Clock that advances only with work."""

    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now


class Digger:
    """Worker with a number of jobs of half a slice each."""

    def __init__(self, name: str, address_key: str, things: int, time: Time, done: list[str]) -> None:
        self.name, self.address_key, self.things, self._time, self._done = name, address_key, things, time, done

    def work(self, until: float) -> bool:
        while self.things:
            self.things -= 1
            self._time.now += SLICE_SECONDS / 2
            self._done.append(self.name)
            if self._time.now >= until:
                break
        return self.things > 0


def dig(*gangs: tuple[str, str, int]) -> list[list[str]]:
    """Return the workers that were active in each iteration of the loop."""
    turns: list[list[str]] = []

    async def scenario() -> None:
        time, done = Time(), list[str]()
        line = Scheduler(asyncio.get_running_loop(), time)
        diggers = [Digger(name, address_key, things, time, done) for name, address_key, things in gangs]
        for digger in diggers:
            line.join(digger)
        while any(digger.things for digger in diggers):
            await asyncio.sleep(0)
            turns.append(done.copy())
            done.clear()

    run(scenario, asyncio.new_event_loop)
    return turns


def test_the_work_of_one_loop_iteration_is_bounded() -> None:
    turns = dig(("a", "x", 100))
    assert {len(turn) for turn in turns[:-1]} == {round(2 * TURN_SECONDS / SLICE_SECONDS)}
    assert sum(map(len, turns)) == 100


def test_connections_of_a_client_address_work_in_turn() -> None:
    assert "".join(map("".join, dig(("a", "x", 6), ("b", "x", 3), ("c", "x", 4)))) == "aabbccaabccaa"


def test_a_client_address_with_one_connection_waits_for_one_slice_of_each_other_client_address() -> None:
    connections = [(f"a{number}", "x", 1000) for number in range(40)]
    turns = dig(*connections, ("b", "y", 2))
    assert turns[0][:4] == ["a0", "a0", "b", "b"]


def test_work_that_joins_during_a_turn_comes_last_and_the_loop_rests_afterwards() -> None:
    async def scenario() -> None:
        time, done = Time(), list[str]()
        line = Scheduler(asyncio.get_running_loop(), time)
        line.join(Digger("a", "x", 3, time, done))
        await asyncio.sleep(0)
        assert done == ["a", "a", "a"]
        await asyncio.sleep(0)
        assert not line._is_scheduled
        line.join(Digger("b", "x", 1, time, done))
        line.join(Digger("c", "y", 1, time, done))
        await asyncio.sleep(0)
        assert done[3:] == ["b", "c"]

    run(scenario, asyncio.new_event_loop)


def test_a_fault_in_a_job_does_not_stop_the_others() -> None:
    class Faulty(Digger):
        def work(self, until: float) -> bool:
            raise ZeroDivisionError

    async def scenario() -> None:
        time, done = Time(), list[str]()
        loop = asyncio.get_running_loop()
        faults: list[object] = []
        loop.set_exception_handler(lambda _, context: faults.append(context["exception"]))
        line = Scheduler(loop, time)
        line.join(Faulty("a", "x", 1, time, done))
        line.join(Digger("b", "y", 1, time, done))
        await asyncio.sleep(0)
        await asyncio.sleep(0)
        assert done == ["b"]
        line.join(Faulty("a", "x", 1, time, done))
        await asyncio.sleep(0)
        line.join(Digger("c", "x", 1, time, done))
        await asyncio.sleep(0)
        assert done == ["b", "c"]
        assert [type(fault) for fault in faults] == [ZeroDivisionError] * 2

    run(scenario, asyncio.new_event_loop)


def test_calls_take_turns_with_other_client_addresses_and_leave_time_to_the_loop() -> None:
    rounds: list[list[str]] = []

    async def scenario() -> None:
        time, done = Time(), list[str]()
        line = Scheduler(asyncio.get_running_loop(), time)

        def think(name: str) -> None:
            time.now += 2 * SLICE_SECONDS
            done.append(name)

        for name in ("farm",) * 10 + ("person",):
            line.call(name, partial(think, name))
        while sum(map(len, rounds)) < 11:
            await asyncio.sleep(0)
            rounds.append(done.copy())
            done.clear()

    run(scenario, asyncio.new_event_loop)
    assert list(chain.from_iterable(rounds))[:2] == ["farm", "person"], (
        "the person's call does not wait for ten of the farm"
    )
    assert {len(one) for one in rounds[:-1]} == {round(TURN_SECONDS / (2 * SLICE_SECONDS))}


@pytest.mark.parametrize(("active", "pauses"), [("person", True), ("farm", False)])
def test_turns_pause_while_an_address_without_turns_is_active(active: str, pauses: bool) -> None:
    async def scenario() -> None:
        time, done = Time(), list[str]()
        loop = asyncio.get_running_loop()
        line = Scheduler(loop, time)
        line.join(Digger("a", "farm", 10**7, time, done))
        InlineTime(line, active).spend(0.0001)
        await asyncio.sleep(0)
        assert done, "the first turns wait for nothing"
        begun, before = loop.time(), len(done)
        for _ in range(5):
            await asyncio.sleep(0)
        if loop.time() - begun < PAUSE_SECONDS:  # the machine did not stop us for the length of a pause
            assert (len(done) == before) == pauses
        for _ in range(PAUSES):
            await asyncio.sleep(PAUSE_SECONDS)
        await asyncio.sleep(0.01)
        before = len(done)
        await asyncio.sleep(0)
        await asyncio.sleep(0)
        assert len(done) > before, "the pauses end when the person has left"

    run(scenario, asyncio.new_event_loop)
