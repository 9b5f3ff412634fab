"""The conversation kernel, with short scripts and a recording host."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from boardwire.talk import Gone, Script, Talk, Woke


class Host:
    """Writes down what it is asked; `answer` may speak back from inside `do`."""

    def __init__(self) -> None:
        self.log: list[Any] = []
        self.answer: Callable[[Any], None] = lambda request: None

    def write(self, data: bytes) -> None:
        self.log.append(data)

    def do(self, request: Any) -> None:
        self.log.append(("do", request))
        self.answer(request)

    def wake(self, seconds: float, name: str) -> None:
        self.log.append(("wake", seconds, name))

    def hang_up(self) -> None:
        self.log.append("hang up")

    def fault(self, error: Exception) -> None:
        self.log.append(error)

    def take(self) -> list[Any]:
        log, self.log = self.log, []
        return log


def begin(script: Script) -> tuple[Talk[Any], Host]:
    host = Host()
    talk: Talk[Any] = Talk(script, host)
    talk.start()
    return talk, host


async def echo(talk: Talk[Any]) -> None:
    """Records each input until b"end"."""
    while (heard := await talk.next_input()) != b"end":
        talk.do(heard)


async def patient(talk: Talk[Any]) -> None:
    """Waits for a notification after each message."""
    while True:
        talk.do(("heard", await talk.next_input()))
        talk.do(("notification", await talk.notification()))


def test_a_script_runs_up_to_its_first_wait_when_it_is_started() -> None:
    async def script(talk: Talk[Any]) -> None:
        talk.say(b"hello")
        await talk.next_input()
        talk.say(b"never")

    host = Host()
    talk: Talk[Any] = Talk(script, host)
    assert host.log == []
    talk.start()
    assert host.log == [b"hello"]
    talk.close()


def test_every_kind_of_input_is_heard() -> None:
    talk, host = begin(echo)
    talk.receive(b"message")
    talk.tell("notification")
    talk.tell(Woke("timer"))
    talk.tell(Gone("why"))
    assert host.log == [("do", b"message"), ("do", "notification"), ("do", Woke("timer")), ("do", Gone("why"))]
    talk.close()


def test_timers_are_the_hosts() -> None:
    async def script(talk: Talk[Any]) -> None:
        talk.wake(5.0, "slow")
        talk.wake(0)

    _, host = begin(script)
    assert host.log == [("wake", 5.0, "slow"), ("wake", 0, ""), "hang up"]


def test_messages_before_the_start_wait_for_it() -> None:
    host = Host()
    talk: Talk[Any] = Talk(echo, host)
    talk.receive(b"early")
    talk.tell("early notification")
    talk.start()
    assert host.log == [("do", "early notification"), ("do", b"early")]
    talk.close()


def test_a_script_that_waits_for_notifications_leaves_messages_queued_in_order() -> None:
    talk, host = begin(patient)
    talk.receive(b"1")
    talk.receive(b"2")
    talk.receive(b"3")
    assert (host.take(), talk.waiting) == ([("do", ("heard", b"1"))], 2)
    talk.tell("a")
    assert (host.take(), talk.waiting) == ([("do", ("notification", "a")), ("do", ("heard", b"2"))], 1)
    talk.tell("b")
    assert (host.take(), talk.waiting) == ([("do", ("notification", "b")), ("do", ("heard", b"3"))], 0)
    talk.close()


def test_notifications_come_before_queued_messages() -> None:
    async def script(talk: Talk[Any]) -> None:
        await talk.notification()
        while True:
            talk.do(await talk.next_input())

    talk, host = begin(script)

    def answer(request: Any) -> None:
        if request == b"1":
            talk.tell("fresh")

    host.answer = answer
    talk.receive(b"1")
    talk.receive(b"2")
    talk.tell("go")
    assert host.log == [("do", b"1"), ("do", "fresh"), ("do", b"2")]
    talk.close()


def test_input_during_a_step_of_the_script_is_queued_until_it_waits_again() -> None:
    async def script(talk: Talk[Any]) -> None:
        talk.do("question")
        talk.say(b"asked")
        talk.do(("got", await talk.next_input()))
        talk.do(("got", await talk.next_input()))
        await talk.next_input()

    host = Host()
    talk: Talk[Any] = Talk(script, host)

    def answer(request: Any) -> None:
        if request == "question":
            talk.receive(b"message")
            talk.tell("answer")

    host.answer = answer
    talk.start()
    assert host.log == [("do", "question"), b"asked", ("do", ("got", "answer")), ("do", ("got", b"message"))]
    talk.close()


def test_an_answer_from_inside_do_reaches_a_script_that_waits_for_notifications() -> None:
    async def script(talk: Talk[Any]) -> None:
        talk.do("seek")
        talk.say(str(await talk.notification()).encode())

    host = Host()
    talk: Talk[Any] = Talk(script, host)
    host.answer = lambda request: talk.tell("seated")
    talk.start()
    assert host.log == [("do", "seek"), b"seated", "hang up"]


def test_a_script_that_returns_has_hung_up_and_hears_nothing_more() -> None:
    talk, host = begin(echo)
    talk.receive(b"end")
    assert talk.over
    assert host.take() == ["hang up"]
    talk.receive(b"more")
    talk.tell("more")
    talk.say(b"more")
    talk.close()
    assert (host.log, talk.waiting) == ([], 0)


def test_queued_input_is_dropped_when_a_script_returns() -> None:
    async def script(talk: Talk[Any]) -> None:
        talk.do(await talk.notification())

    talk, host = begin(script)
    talk.receive(b"unheard")
    talk.tell("done")
    assert (host.log, talk.waiting) == ([("do", "done"), "hang up"], 0)


def test_a_fault_is_reported_to_the_host_and_ends_the_talk() -> None:
    async def script(talk: Talk[Any]) -> None:
        await talk.next_input()
        raise ZeroDivisionError("oh")

    talk, host = begin(script)
    talk.receive(b"x")
    (error,) = host.take()
    assert isinstance(error, ZeroDivisionError)
    assert talk.over
    talk.receive(b"y")
    talk.tell("z")
    assert host.log == []


def test_a_fault_in_what_the_host_does_is_the_scripts_fault() -> None:
    async def script(talk: Talk[Any]) -> None:
        talk.do("break")

    host = Host()
    talk: Talk[Any] = Talk(script, host)

    def answer(request: Any) -> None:
        raise KeyError(request)

    host.answer = answer
    talk.start()
    assert isinstance(host.log[-1], KeyError)
    assert talk.over


def test_the_host_may_close_a_talk_without_a_word() -> None:
    cleaned = []

    async def script(talk: Talk[Any]) -> None:
        try:
            await talk.next_input()
        finally:
            cleaned.append(True)

    talk, host = begin(script)
    talk.close()
    talk.close()
    talk.receive(b"x")
    assert (talk.over, cleaned, host.log) == (True, [True], [])


def test_a_talk_that_never_began_can_be_closed() -> None:
    host = Host()
    talk: Talk[Any] = Talk(echo, host)
    talk.close()
    assert (talk.over, host.log) == (True, [])


def test_a_running_script_cannot_be_closed() -> None:
    async def script(talk: Talk[Any]) -> None:
        talk.do("close me")
        talk.say(b"still here")
        await talk.next_input()

    host = Host()
    talk: Talk[Any] = Talk(script, host)
    host.answer = lambda request: talk.close()
    talk.start()
    assert not talk.over
    assert host.log == [("do", "close me"), b"still here"]
    talk.close()


def test_an_interrupt_passes_through_the_kernel() -> None:
    async def script(talk: Talk[Any]) -> None:
        raise KeyboardInterrupt

    host = Host()
    talk: Talk[Any] = Talk(script, host)
    with pytest.raises(KeyboardInterrupt):
        talk.start()
    assert host.log == []
