"""Questions and results: repeated, early and late questions, and missing results.

A correct match is recorded, changed at one place, and judged again.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache
from typing import Final

import msgspec
import pytest
from tests.conformance.watch_matches import SIZES, WATCHED, Manner, Setup, play
from tests.conformance.watched_facts import facts

from boardwire import dialects
from boardwire.conformance.finding import Finding, Side
from boardwire.conformance.monitor import Closed, MessageRecord, Monitor, Record
from boardwire.conformance.watchers.watcher import WatcherGroup

SEED = 3
PATIENCE = 3.0
QUESTIONS: Final[dict[str, dict[str, str]]] = facts("QUESTIONS")
AFTER_END: Final[dict[str, str]] = facts("AFTER_END")
SUCCESSIVE: Final[dict[str, tuple[tuple[str, str], ...]]] = facts("SUCCESSIVE")

AFTERWARDS = ("EndGameMessage", "PingMessage", "PING", "pong")
"""Messages of clients after their last move."""

Event = MessageRecord | Closed


def setup(dialect: str) -> Setup:
    game = dialects.dialect(dialect).game
    return Setup(game, (dialect, dialect), (("mode", "simplified"),) if game == "eriantys" else ())


@cache
def recorded(dialect: str) -> tuple[Event, ...]:
    """Return the messages of a match between two greedy players."""
    records = play(SEED, setup(dialect), Manner("greedy")).records
    return tuple(one for one in records if isinstance(one, MessageRecord | Closed))


def judge(dialect: str, events: Sequence[Event]) -> list[Finding]:
    """Return the findings about the server."""
    records: list[Record] = []
    group, monitors = WatcherGroup(), dict[int, Monitor]()
    for event in events:
        if event.connection not in monitors:
            monitors[event.connection] = Monitor(dialect, group, event.connection, records.append)
            monitors[event.connection].start(event.at)
        monitor = monitors[event.connection]
        if isinstance(event, MessageRecord):
            monitor.receive(event.side, event.data, event.at)
        else:
            monitor.close(event.side, event.at)
    for monitor in monitors.values():
        monitor.pass_time(events[-1].at + PATIENCE, PATIENCE)
        assert not monitor.failed
    return [one for one in records if isinstance(one, Finding) and one.side is Side.SERVER]


def asked(dialect: str, name: str) -> Iterator[int]:
    """Yield the positions of the server's questions by the message `name`."""
    for at, event in enumerate(recorded(dialect)):
        ours = isinstance(event, MessageRecord) and event.side is Side.SERVER and event.name == name
        if ours and isinstance(event, MessageRecord) and event.expected.startswith("client"):
            yield at


def last_move(dialect: str) -> int:
    """Return the position of the move that ends the match."""
    return max(
        at
        for at, one in enumerate(recorded(dialect))
        if isinstance(one, MessageRecord) and one.side is Side.CLIENT and one.name not in AFTERWARDS
    )


ALL = [(dialect, name, code) for dialect, named in QUESTIONS.items() for name, code in named.items()]


@pytest.mark.parametrize("dialect", SIZES)
def test_the_unchanged_match_has_no_findings(dialect: str) -> None:
    assert judge(dialect, recorded(dialect)) == []


@pytest.mark.parametrize(("dialect", "name", "code"), ALL)
def test_a_question_repeated_before_its_answer_is_found(dialect: str, name: str, code: str) -> None:
    at = next(asked(dialect, name))
    events = recorded(dialect)
    assert [(one.code, one.message) for one in judge(dialect, [*events[: at + 1], events[at]])] == [(code, name)]


@pytest.mark.parametrize(
    ("dialect", "names"), [(dialect, names) for dialect, pairs in SUCCESSIVE.items() for names in pairs]
)
def test_a_second_question_while_one_is_open_is_found(dialect: str, names: tuple[str, str]) -> None:
    events = recorded(dialect)
    if dialect == "eriantys-messages":
        texts = [next(at for at in asked(dialect, "TextMessage") if f'"{name}"' in events[at].text) for name in names]
    else:
        texts = [next(asked(dialect, name)) for name in names]
    first, second = texts
    extra = msgspec.structs.replace(events[second], connection=events[first].connection)
    found = judge(dialect, [*events[: first + 1], extra])
    assert "any.one-question" in [one.code for one in found]


@pytest.mark.parametrize("dialect", WATCHED)
def test_a_question_after_the_end_is_found(dialect: str) -> None:
    """The last question is repeated after all players got the result."""
    events = recorded(dialect)
    at = max(at for name in QUESTIONS[dialect] for at in asked(dialect, name) if name != "workerViewUpdate")
    found = judge(dialect, [*[one for one in events if isinstance(one, MessageRecord)], events[at]])
    assert [one.code for one in found if one.message] == [AFTER_END.get(dialect, "any.question-after-end")]


@pytest.mark.parametrize("dialect", WATCHED)
def test_a_missing_result_is_found(dialect: str) -> None:
    """The player who did not make the last move gets none of the messages after it."""
    events, last = recorded(dialect), last_move(dialect)
    mover = events[last].connection
    cut = [one for at, one in enumerate(events) if at <= last or one.connection == mover]
    codes = {one.code for one in judge(dialect, cut) if one.connection != mover}
    assert "any.result-untold" in codes


@pytest.mark.parametrize("dialect", WATCHED)
def test_a_close_without_the_result_is_found(dialect: str) -> None:
    events, last = recorded(dialect), last_move(dialect)
    other = next(one.connection for one in events if one.connection != events[last].connection)
    cut = [one for at, one in enumerate(events) if at <= last or one.connection != other]
    close = Closed(connection=other, at=events[-1].at, side=Side.SERVER)
    assert {one.code for one in judge(dialect, [*cut, close]) if one.connection == other}
