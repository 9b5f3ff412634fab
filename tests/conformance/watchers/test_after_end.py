"""Messages of a client after the end of its match, if the document ends the conversation with the match."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec
import pytest
from tests.conformance.examined import examine
from tests.conformance.faulty import Flawless
from tests.conformance.watch_matches import WATCHED

from boardwire import dialects
from boardwire.conformance.client.cases import cases
from boardwire.conformance.finding import Finding, Side
from boardwire.conformance.monitor import Closed, MessageRecord, Monitor, Record
from boardwire.conformance.server.check import Verdict
from boardwire.conformance.watchers.watcher import CROSSING_SECONDS, WatcherGroup

from .test_questions import Event, last_move, recorded

CODE = "any.client-after-end"
GOES_ON = {name for name in WATCHED if dialects.protocol(name).farewells is None}
"""Dialects in which the conversation continues after a match."""


def client_findings(dialect: str, events: Sequence[Event]) -> list[str]:
    """Return the codes of the findings about clients."""
    records: list[Record] = []
    group, monitors = WatcherGroup(), dict[int, Monitor]()
    for event in events:
        if event.connection not in monitors:
            monitors[event.connection] = Monitor(dialect, group, event.connection, records.append)
        if isinstance(event, MessageRecord):
            monitors[event.connection].receive(event.side, event.data, event.at)
        elif event.side is Side.SERVER:
            monitors[event.connection].close(event.side, event.at)
    assert not any(monitor.failed for monitor in monitors.values())
    return [one.code for one in records if isinstance(one, Finding) and one.side is Side.CLIENT]


@pytest.mark.parametrize("dialect", WATCHED)
def test_a_move_after_the_end_is_found_if_the_document_ends_the_conversation(dialect: str) -> None:
    events = recorded(dialect)
    move = events[last_move(dialect)]
    late = msgspec.structs.replace(move, at=events[-1].at)
    assert client_findings(dialect, events) == []
    assert client_findings(dialect, [*events, late]) == ([] if dialect in GOES_ON else [CODE])


def lines(*said: str, times: Sequence[float] = ()) -> list[Event]:
    """Return a tris-lines conversation; `times` are those of the last lines."""
    found: list[Event] = []
    for number, text in enumerate(said):
        at = 0.0 if number < len(said) - len(times) else times[number - len(said)]
        side = Side.CLIENT if text.startswith("> ") else Side.SERVER
        data = text[2:].encode() + b"\n"
        found.append(
            MessageRecord(connection=1, number=number, at=at, side=side, name="", text=text, data=data)
            if text[2:]
            else Closed(connection=1, at=at, side=side)
        )
    return found


@pytest.mark.parametrize(
    "end",
    [
        ("< 1,0,0,0,0,0,0,0,0,", "> 3", "< OK", "< 1,1,0,2,0,0,0,0,0,", "> 4", "< OK", "< 1,1,1,2,2,0,0,0,0,L"),
        ("< DISCONNECTED",),
    ],
)
def test_a_line_after_the_last_one_is_found_before_and_after_the_server_closes(end: tuple[str, ...]) -> None:
    assert client_findings("tris-lines", lines("< READY", *end, "> 8")) == [CODE]
    assert client_findings("tris-lines", lines("< READY", *end, "< ", "> 8")) == [CODE]


def test_a_reply_that_crosses_the_end_is_no_breach() -> None:
    start = ("< WAIT", "< READY", "< DISCONNECTED", "> 8")
    assert client_findings("tris-lines", lines(*start, times=(CROSSING_SECONDS / 2,))) == []
    assert client_findings("tris-lines", lines(*start, times=(CROSSING_SECONDS,))) == [CODE]


class SpeaksOn(Flawless):
    """Sends a cell after the match is over."""

    spoke = False

    def says(self, data: bytes) -> bytes:
        if self.over is None or self.spoke:
            return data
        self.spoke = True
        return data + b"0\n"


@pytest.mark.parametrize("name", ["draws", "draws, coming last", "wins", "loses", "learns that the other has left"])
def test_check_client_finds_a_line_after_the_end(name: str) -> None:
    case = next(one for one in cases("tris-lines") if one.name == name)
    examined = examine("tris-lines", case, fault=SpeaksOn("tris-lines"))
    assert examined.verdict.verdict is Verdict.FAIL
    assert "nothing after the end of its match" in examined.verdict.detail
    assert [one.code for one in examined.findings] == [CODE]
