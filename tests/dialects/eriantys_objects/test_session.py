"""The peer: silence, and notifications that wait."""

from __future__ import annotations

from typing import Any

from boardwire.dialects.eriantys_objects.session import SILENCE_SECONDS, ClientSession
from boardwire.table.guest import Claimed, NoTable
from boardwire.talk import Gone, Talk, Woke
from boardwire.talk.heartbeat import BEAT_TIMER


class Quiet:
    """Host that does nothing."""

    def write(self, data: bytes) -> None: ...
    def do(self, request: Any) -> None: ...
    def wake(self, seconds: float, name: str) -> None: ...
    def hang_up(self) -> None: ...
    def fault(self, error: Exception) -> None:
        raise error


def listening(heard: list[Any], *, outcome: bool) -> Talk[Any]:
    async def script(talk: Talk[Any]) -> None:
        peer = ClientSession(talk)
        heard.append(await peer.next_notification(Claimed) if outcome else await peer.next_input())
        heard.append(await peer.next_input())

    talk: Talk[Any] = Talk(script, Quiet())
    talk.start()
    return talk


def test_silence_does_not_count_while_messages_wait_for_an_outcome() -> None:
    heard: list[Any] = []
    talk = listening(heard, outcome=True)
    for _ in range(3 * SILENCE_SECONDS):
        talk.tell(Woke(BEAT_TIMER))
    talk.tell(Claimed("ann"))
    assert heard == [Claimed("ann")]


def test_other_notifications_are_returned_after_the_outcome() -> None:
    heard: list[Any] = []
    talk = listening(heard, outcome=True)
    talk.tell(NoTable())
    talk.tell(Claimed("ann"))
    assert heard == [Claimed("ann"), NoTable()]


def test_a_connection_that_is_over_stays_so() -> None:
    heard: list[Any] = []
    listening(heard, outcome=True).tell(Gone())
    assert heard == [None, None]
