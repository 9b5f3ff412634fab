"""Engines of a server: questions of several matches, faults, and the end."""

from __future__ import annotations

import queue
from pathlib import Path
from typing import Any

import pytest

from boardwire import games
from boardwire.bots.engine import SearchResult
from boardwire.bots.listed import EngineQuestion
from boardwire.engines import CageLimits, EngineFault, FaultReason
from boardwire.engines.listing import ListedBot
from boardwire.engines.service import MAX_FAILURES, EngineService
from boardwire.errors import BoardwireError, Refused
from boardwire.games.game import Outcome

from .scripts import FIRST, write

TRIS = games.game("tris")
HEARD = """
for line in sys.stdin:
    message = json.loads(line)
    heard.append(message["type"]) if "heard" in globals() else globals().update(heard=[message["type"]])
    if message["type"] == "hello":
        say(type="ready")
    elif message["type"] == "choose":
        say(type="info", text=" ".join(heard), value=0.5, depth=len(heard))
        say(type="choice", id=message["id"], number=0)
"""


class Loop:
    """Answers that come from other threads."""

    def __init__(self) -> None:
        self._posted: queue.SimpleQueue[tuple[Any, tuple[Any, ...]]] = queue.SimpleQueue()
        self.told: list[SearchResult | BoardwireError] = []

    def post(self, call: Any, *arguments: Any) -> None:
        self._posted.put((call, arguments))

    def wait(self, count: int = 1) -> SearchResult | BoardwireError:
        """Run posted calls until there are that many answers; the last one."""
        while len(self.told) < count:
            call, arguments = self._posted.get(timeout=20)
            call(*arguments)
        return self.told[-1]


def question(match: str = "m", seat: int = 0, remaining: float | None = None) -> EngineQuestion:
    position = TRIS.new(TRIS.Options(), 2)
    decision = TRIS.pending(position)
    assert decision is not None
    view = TRIS.view(position, seat)
    return EngineQuestion(match, "tris", seat, 2, TRIS.Options(), view, decision, 7, remaining)


def service(loop: Loop, tmp_path: Path, body: str, **settings: Any) -> EngineService:
    command = write(tmp_path / "e", body)
    limits = CageLimits(processes=16, memory_bytes=96 << 20)
    bot = ListedBot(name="bot", command=command, games=("tris",), seconds=settings.pop("seconds", 2.0), limits=limits)
    return EngineService(loop.post, [bot], tmp_path, 1, **settings)


def test_a_bot_is_known_for_its_games(tmp_path: Path) -> None:
    found = service(Loop(), tmp_path, FIRST)
    assert found.names() == found.names("tris") == ("bot",)
    assert found.names("forza") == ()


def test_answers_come_through_the_loop_with_what_the_engine_said(tmp_path: Path) -> None:
    loop = Loop()
    found = service(loop, tmp_path, HEARD)
    found.ask("bot", question(), loop.told.append, "a")
    assert loop.wait() == SearchResult((0,), 0.5, 2, 0)
    found.close()


def test_one_process_plays_for_several_matches_and_hears_how_they_end(tmp_path: Path) -> None:
    loop = Loop()
    found = service(loop, tmp_path, HEARD)
    depths = []
    for count, (match, over) in enumerate((("m", False), ("m", True), ("n", False)), 1):
        found.ask("bot", question(match), loop.told.append, "a")
        told = loop.wait(count)
        assert isinstance(told, SearchResult)
        depths.append(told.depth)
        if over:
            found.over("bot", match, 0, Outcome("line", (0,)))
    assert depths == [2, 3, 6]  # hello choose - choose - over hello choose
    found.close()


def test_a_cancelled_question_is_not_answered(tmp_path: Path) -> None:
    loop = Loop()
    found = service(loop, tmp_path, FIRST)
    cancelled: list[object] = []
    found.ask("bot", question(), cancelled.append, "a").cancel()
    found.ask("bot", question(), loop.told.append, "a")
    loop.wait()
    assert cancelled == []
    found.close()


def test_a_fault_is_reported_and_the_next_question_has_another_process(tmp_path: Path) -> None:
    body = """
    for question in asked():
        if question["view"]["turn"] == 0 and question["id"] == 1 and question["seconds"] < 1: exit(4)
        say(type="choice", id=question["id"], number=0)
    """
    loop = Loop()
    found = service(loop, tmp_path, body)
    found.ask("bot", question(remaining=1.0), loop.told.append, "a")
    fault = loop.wait()
    assert isinstance(fault, EngineFault)
    assert (fault.fault, fault.engine) == (FaultReason.DIED, "bot")
    found.ask("bot", question(), loop.told.append, "a")
    assert isinstance(loop.wait(2), SearchResult)
    found.close()


def test_a_bot_that_fails_again_and_again_rests(tmp_path: Path) -> None:
    loop, now = Loop(), [100.0]
    found = service(loop, tmp_path, "exit(1)", clock=lambda: now[0])
    for count in range(1, MAX_FAILURES + 1):
        found.ask("bot", question(), loop.told.append, "a")
        assert isinstance(loop.wait(count), EngineFault)
    with pytest.raises(Refused, match="in a row"):
        found.ask("bot", question(), loop.told.append, "a")
    now[0] += 60
    found.ask("bot", question(), loop.told.append, "a")
    assert isinstance(loop.wait(MAX_FAILURES + 1), EngineFault)
    found.close()


def test_the_queue_is_bounded(tmp_path: Path) -> None:
    loop = Loop()
    found = service(loop, tmp_path, "for question in asked(): time.sleep(9)", waiting=2, per_address=2, seconds=5.0)
    asked = 0
    while asked < 5:
        try:
            found.ask("bot", question(), loop.told.append, "a")
        except Refused:
            break
        asked += 1
    assert 2 <= asked <= 3  # one may be taken at once
    found.close()
    assert loop.told == []


def test_a_clock_shortens_the_time_of_a_decision(tmp_path: Path) -> None:
    loop = Loop()
    found = service(loop, tmp_path, "for question in asked(): time.sleep(9)", seconds=60.0)
    found.ask("bot", question(remaining=0.8), loop.told.append, "a")
    fault = loop.wait()
    assert isinstance(fault, EngineFault)
    assert "within 0.2 s" in fault.detail
    found.close()
