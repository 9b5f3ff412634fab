"""The processes in which bots think; all of them real."""

from __future__ import annotations

import os
import queue
import signal
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random
from typing import Any

import pytest

from boardwire import games
from boardwire.bots.bot import decision_for
from boardwire.bots.engine import SearchResult
from boardwire.bots.engines import engine
from boardwire.bots.levels import Level, consider
from boardwire.bots.pool import COMMAND, MIN_SEARCH_SECONDS, NoAnswer, Pool, Rank, count_competing, fair_seconds
from boardwire.bots.worker_messages import decode_question, decode_result, encode_question, encode_result, read_request
from boardwire.errors import Refused
from boardwire.games import tris
from boardwire.games.game import CHANCE, Draw
from boardwire.talk.fair_queue import FairQueue

PATIENCE = 60.0
"""Seconds that a loaded machine may take for anything here."""


class Post:
    """Calls that another thread asked for; the test makes them."""

    def __init__(self) -> None:
        self._calls: queue.SimpleQueue[tuple[Callable[..., Any], tuple[Any, ...]]] = queue.SimpleQueue()

    def __call__(self, call: Callable[..., Any], *arguments: Any) -> None:
        self._calls.put((call, arguments))

    def run(self) -> None:
        """The next call, when it comes."""
        call, arguments = self._calls.get(timeout=PATIENCE)
        call(*arguments)

    def __len__(self) -> int:
        return self._calls.qsize()


class Place:
    """A pool, and what came back from it."""

    def __init__(self, how: str = "", **given: Any) -> None:
        odd = Path(__file__).parent / "oddworker.py"
        self.post = Post()
        self.pool = Pool(self.post, command=(sys.executable, "-P", str(odd), how) if how else COMMAND, **given)
        self.found: list[Any] = []

    def ask(
        self,
        seconds: float = PATIENCE,
        rank: Rank = Rank.MOVE,
        into: Callable[[Any], None] | None = None,
        address: str = "",
    ) -> Any:
        position = tris.new(tris.Options(), 2)
        decision = tris.pending(position)
        assert decision is not None
        level = Level(100, seconds=seconds)
        told = into or self.found.append
        return self.pool.ask("tris", tris.view(position, 0), decision, level, 1, told, rank, address)


@pytest.fixture
def place() -> Iterator[Callable[..., Place]]:
    places: list[Place] = []

    def make(*how: str, **given: Any) -> Place:
        places.append(Place(*how, **given))
        return places[-1]

    yield make
    for one in places:
        pids = one.pool.workers
        one.pool.close()
        assert all(is_gone(pid) for pid in pids), "a process outlived its pool"


def is_gone(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return True
    return False


def wait_for(what: Callable[[], object]) -> None:
    end = time.monotonic() + PATIENCE
    while not what():
        assert time.monotonic() < end
        time.sleep(0.005)


def test_no_process_is_started_before_there_is_a_question_and_one_that_is_idle_is_asked_again(
    place: Callable[..., Place],
) -> None:
    here = place(workers=2)
    assert here.pool.workers == ()
    for _ in range(3):
        here.ask()
        here.post.run()
    assert [type(found) for found in here.found] == [SearchResult] * 3
    assert here.found[0] == here.found[1], "the same luck, the same thought"
    assert len(here.pool.workers) == 1


def test_a_process_that_has_nothing_to_do_ends_and_comes_back_for_the_next_question(
    place: Callable[..., Place],
) -> None:
    here = place(workers=1, idle=0.0)
    here.ask()
    here.post.run()
    wait_for(lambda: not here.pool.workers)
    here.ask()
    here.post.run()
    assert [type(found) for found in here.found] == [SearchResult] * 2


def test_a_process_is_replaced_when_packages_were_compiled_since_its_start(place: Callable[..., Place]) -> None:
    compiled = [0]
    here = place(workers=1, compiled=lambda: compiled[0])
    workers: list[int] = []
    for now in (0, 0, 2, 2):
        compiled[0] = now
        here.ask()
        here.post.run()
        workers += here.pool.workers
    assert [type(found) for found in here.found] == [SearchResult] * 4
    assert workers[0] == workers[1] != workers[2] == workers[3]


@pytest.mark.parametrize(("how", "words"), [("fails", "KeyError: 'a cell'"), ("dies", "exited unexpectedly")])
def test_an_engine_that_fails_and_a_process_that_dies_are_told_and_the_next_is_asked_like_any_other(
    place: Callable[..., Place], how: str, words: str
) -> None:
    here = place(how, workers=1)
    for _ in range(2):
        here.ask()
        here.post.run()
    assert all(isinstance(found, NoAnswer) and words in str(found) for found in here.found)
    assert len(here.found) == 2


def test_a_process_that_hangs_is_ended_and_that_is_told(place: Callable[..., Place]) -> None:
    here = place("hangs", workers=1, grace=0.3)
    here.ask(seconds=0.1)
    wait_for(lambda: here.pool.workers)
    (pid,) = here.pool.workers
    here.post.run()
    assert isinstance(here.found[0], NoAnswer)
    wait_for(lambda: is_gone(pid))


def test_a_process_that_is_killed_in_the_middle_of_a_thought_is_told_of_and_replaced(
    place: Callable[..., Place],
) -> None:
    here = place("slow", workers=1)
    here.ask()
    wait_for(lambda: here.pool.workers)
    os.kill(here.pool.workers[0], signal.SIGKILL)
    here.post.run()
    assert isinstance(here.found[0], NoAnswer)
    here.ask(seconds=0.01)
    here.post.run()
    assert isinstance(here.found[1], SearchResult)


def test_the_seconds_of_a_question_are_its_limit(place: Callable[..., Place]) -> None:
    here = place("slow", workers=1)
    here.ask(seconds=0.05)
    here.post.run()
    assert isinstance(here.found[0], SearchResult)


def test_a_cancelled_question_gets_no_callback_and_frees_its_process(place: Callable[..., Place]) -> None:
    here = place("slow", workers=1, grace=PATIENCE)
    asked = here.ask()
    wait_for(lambda: here.pool.workers)
    waiting = here.ask()
    here.ask(seconds=0.01)
    waiting.cancel()
    assert here.pool.waiting == 1
    asked.cancel()
    here.post.run()
    assert len(here.found) == 1
    assert len(here.post) == 0


def test_a_question_cancelled_after_its_reply_gets_no_callback(place: Callable[..., Place]) -> None:
    here = place(workers=1)
    asked = here.ask()
    wait_for(lambda: len(here.post))
    asked.cancel()
    here.post.run()
    assert here.found == []


def occupied(place: Callable[..., Place], **given: Any) -> tuple[Place, Any]:
    """A pool whose one process is busy until the ticket is cancelled."""
    here = place("slow", workers=1, **given)
    first = here.ask(address="somebody")
    wait_for(lambda: here.pool.workers and not here.pool.waiting)
    return here, first


def note(order: list[str], word: str) -> Callable[[Any], None]:
    return lambda found: order.append(word if isinstance(found, SearchResult) else f"{word} refused")


def test_people_come_before_studies_and_studies_before_tables_of_bots(place: Callable[..., Place]) -> None:
    here, first = occupied(place)
    order: list[str] = []
    for rank in (Rank.BOTS_ONLY, Rank.STUDY, Rank.MOVE):
        here.ask(0.01, rank, note(order, rank.name))
    first.cancel()
    for _ in range(3):
        here.post.run()
    assert order == ["MOVE", "STUDY", "BOTS_ONLY"]


def test_an_address_with_many_questions_delays_another_by_one(place: Callable[..., Place]) -> None:
    here, first = occupied(place)
    order: list[str] = []
    for _ in range(24):
        here.ask(0.01, into=note(order, "farm"), address="farm")
    for _ in range(2):
        here.ask(0.01, into=note(order, "person"), address="person")
    first.cancel()
    for _ in range(26):
        here.post.run()
    assert order[:4] == ["farm", "person", "farm", "person"]
    assert order.count("farm") == 24


def test_the_queue_of_an_address_is_bounded_and_another_still_gets_in(place: Callable[..., Place]) -> None:
    here, first = occupied(place, per_address=2)
    order: list[str] = []
    for _ in range(2):
        here.ask(0.01, into=note(order, "farm"), address="farm")
    with pytest.raises(Refused, match=r"queue for bots is full \(2 waiting questions from your address\)"):
        here.ask(address="farm")
    here.ask(0.01, into=note(order, "person"), address="person")
    first.cancel()
    for _ in range(3):
        here.post.run()
    assert order == ["farm", "person", "farm"]


def test_a_full_queue_makes_room_by_refusing_the_address_that_waits_most(place: Callable[..., Place]) -> None:
    here, first = occupied(place, waiting=3)
    order: list[str] = []
    for number in range(3):
        here.ask(0.01, into=note(order, f"farm {number}"), address="farm")
    here.ask(0.01, into=note(order, "person"), address="person")
    here.post.run()
    assert order == ["farm 2 refused"]
    first.cancel()
    for _ in range(3):
        here.post.run()
    assert order == ["farm 2 refused", "farm 0", "person", "farm 1"]


def test_a_question_of_a_full_queue_is_refused_if_no_address_waits_more(place: Callable[..., Place]) -> None:
    here, first = occupied(place, waiting=1)
    here.ask(0.01, address="a")
    with pytest.raises(Refused, match="queue for bots is full"):
        here.ask(0.01, address="b")
    first.cancel()
    here.post.run()


def test_an_address_competes_with_its_own_queue_and_with_one_question_of_every_other() -> None:
    queue = FairQueue[int](per_key=10, total=100)
    assert count_competing(queue, "farm") == 0
    for number in range(9):
        queue.offer("farm", number)
    assert count_competing(queue, "farm") == 9
    assert count_competing(queue, "person") == 1
    queue.offer("person", 0)
    queue.offer("other", 0)
    assert count_competing(queue, "farm") == 11
    assert count_competing(queue, "person") == 3


def test_a_closed_pool_refuses_questions(place: Callable[..., Place]) -> None:
    here = place("slow", workers=1)
    here.ask()
    wait_for(lambda: here.pool.workers)
    here.pool.close()
    assert len(here.post) == 0
    with pytest.raises(Refused):
        here.ask()


def test_seconds_are_shared_when_many_wait_and_when_there_is_no_core_to_spare() -> None:
    assert fair_seconds(2.0, waiting=0, workers=1, cores=2) == 2.0
    assert fair_seconds(2.0, waiting=3, workers=1, cores=2) == 0.5
    assert fair_seconds(2.0, waiting=2, workers=2, cores=8) == 1.0
    assert fair_seconds(2.0, waiting=0, workers=1, cores=1) == 1.0
    assert fair_seconds(2.0, waiting=1000, workers=1, cores=2) == MIN_SEARCH_SECONDS
    assert fair_seconds(0.01, waiting=1000, workers=1, cores=2) == 0.01


@pytest.mark.parametrize("name", games.NAMES)
def test_a_question_holds_the_view_and_the_choices_of_every_game_and_a_reply_the_thought(name: str) -> None:
    game, below = games.game(name), Random(3).randrange
    position = game.new(game.Options(), 2)
    for number in range(60):
        decision = game.pending(position)
        if decision is None:
            break
        seat, choices = decision.seats[0], decision.choices
        if seat == CHANCE:
            dealt = choices.draw(below) if isinstance(choices, Draw) else tuple(choices)[below(len(choices))]
            position, _ = game.apply(position, seat, dealt)
            continue
        view, asked = game.view(position, seat), decision_for(decision, seat)
        question = encode_question(number, name, view, asked, Level(10), 5)
        seen, understood = decode_question(question)
        assert seen == view
        assert understood == type(asked)(asked.kind, asked.seats, tuple(asked.choices))
        thought = consider(engine(name), seen, understood, below, Level(10, 1, slips=100), lambda: False)
        assert decode_result(encode_result(number, thought), name) == thought
        position, _ = game.apply(position, seat, thought.turn[0])


def test_a_truncated_frame_ends_the_input_and_an_oversized_one_is_rejected() -> None:
    def reader(data: bytes) -> Callable[[int], bytes]:
        left = bytearray(data)

        def read(count: int) -> bytes:
            part = bytes(left[:count])
            del left[:count]
            return part

        return read

    assert read_request(reader(b"")) is None
    assert read_request(reader(b"\0\0\0\5ab")) is None
    with pytest.raises(Exception, match="at most 16777216 bytes"):
        read_request(reader(b"\xff\xff\xff\xff"))
