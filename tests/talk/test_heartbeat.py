from typing import Any

from boardwire.talk import Heartbeat, Talk, Woke
from boardwire.talk.heartbeat import BEAT_TIMER


class Line:
    """A host that remembers what was said and which timers run."""

    def __init__(self) -> None:
        self.said: list[bytes] = []
        self.timers: dict[str, float] = {}

    def write(self, data: bytes) -> None:
        self.said.append(data)

    def do(self, request: Any) -> None: ...

    def wake(self, seconds: float, name: str) -> None:
        self.timers[name] = seconds

    def hang_up(self) -> None: ...

    def fault(self, error: Exception) -> None:
        raise error


async def quiet(talk: Talk[Any]) -> None:
    await talk.next_input()


def heartbeat(line: Line, ping: bytes = b"ping") -> Heartbeat:
    talk: Talk[Any] = Talk(quiet, line)
    talk.start()
    return Heartbeat(talk, 5.0, 2, ping)


def test_every_beat_says_the_ping_and_sets_the_next_one() -> None:
    line = Line()
    heart = heartbeat(line)
    assert line.timers == {BEAT_TIMER: 5.0}
    line.timers.clear()
    assert heart.beat(Woke(BEAT_TIMER))
    assert line.said == [b"ping"]
    assert line.timers == {BEAT_TIMER: 5.0}


def test_the_beat_after_too_many_silent_ones_reports_a_lost_peer() -> None:
    line = Line()
    heart = heartbeat(line)
    assert [heart.beat(Woke(BEAT_TIMER)) for _ in range(3)] == [True, True, False]
    assert line.said == [b"ping"] * 2


def test_an_answer_restarts_the_count() -> None:
    heart = heartbeat(Line())
    for _ in range(5):
        assert heart.beat(Woke(BEAT_TIMER))
        assert heart.beat(Woke(BEAT_TIMER))
        heart.note_answer()


def test_another_timer_is_no_beat() -> None:
    line = Line()
    heart = heartbeat(line)
    assert all(heart.beat(Woke("other")) for _ in range(9))
    assert line.said == []


def test_without_a_ping_it_only_counts() -> None:
    line = Line()
    heart = heartbeat(line, b"")
    assert [heart.beat(Woke(BEAT_TIMER)) for _ in range(3)] == [True, True, False]
    assert line.said == []
