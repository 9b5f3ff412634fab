"""A dialect that consists of its package and one line in the registry works with every tool."""

from __future__ import annotations

import sys
from types import ModuleType

import pytest
from msgspec.structs import replace

from boardwire import dialects
from boardwire.conformance.client import cases
from boardwire.conformance.client.case_run import CaseRun
from boardwire.conformance.finding import Finding, Side
from boardwire.conformance.monitor import MessageRecord, Monitor, Record
from boardwire.conformance.server import checks
from boardwire.conformance.server.check import Verdict
from boardwire.conformance.watchers.watcher import WatcherGroup
from boardwire.dialects.dialect import Answer, Ask, ClientOptions
from boardwire.errors import Refused
from boardwire.simulation.server import SimulatedClient
from scripts import specifications

NAME = "copy-lines"


@pytest.fixture(autouse=True)
def copy(monkeypatch: pytest.MonkeyPatch) -> None:
    """Register forza-lines under another name, without a watcher and checks."""
    package, declared = (
        ModuleType("boardwire.dialects.copy_lines"),
        ModuleType("boardwire.dialects.copy_lines.protocol"),
    )
    vars(package)["DIALECTS"] = {NAME: replace(dialects.dialect("forza-lines"), name=NAME)}
    vars(declared)["PROTOCOLS"] = {NAME: dialects.protocol("forza-lines")}
    for module in (package, declared):
        monkeypatch.setitem(sys.modules, module.__name__, module)
    monkeypatch.setitem(dialects.DIALECT_PACKAGES, NAME, "copy_lines")


def choose_first(client: SimulatedClient, notification: object) -> None:
    if isinstance(notification, Ask):
        client.talk.tell(Answer(next(iter(notification.decision.choices))))


def test_its_messages_are_shown_with_their_names_and_sections() -> None:
    records: list[Record] = []
    monitor = Monitor(NAME, WatcherGroup(), 1, records.append)
    monitor.receive(Side.SERVER, b"HELLO you\nWELCOME Ann\nTURN RED\n", 0.0)
    said = [(one.name, one.section) for one in records if isinstance(one, MessageRecord)]
    page = "docs/dialects/copy-lines.md"
    assert said == [("HELLO", f"{page}, 3"), ("WELCOME", f"{page}, 3"), ("TURN", f"{page}, 2.2")]
    assert not monitor.failed


def test_a_connection_that_ends_within_a_message_is_a_finding() -> None:
    records: list[Record] = []
    monitor = Monitor(NAME, WatcherGroup(), 1, records.append)
    monitor.receive(Side.CLIENT, b"An", 0.0)
    monitor.close(Side.CLIENT, 1.0)
    assert [one.code for one in records if isinstance(one, Finding)] == ["any.framing"]


@pytest.mark.parametrize("name", ["comes first", "comes last", "plays to the end", "survives an unknown message"])
def test_its_clients_are_examined(name: str) -> None:
    case = next(case for case in cases.cases(NAME) if case.name == name)
    pieces: list[bytes] = []
    run = CaseRun(NAME, case, pieces.append, lambda: None, wait=5.0, think=20.0)
    client = SimulatedClient(NAME, choose_first, ClientOptions("ann"))
    for _ in range(3000):
        if run.result is not None:
            break
        if said := client.take():
            run.receive(said)
        while pieces and not client.closed:
            client.receive(pieces.pop(0))
        if client.closed:
            run.client_closed()
        run.pass_time(0.1)
    assert run.result is not None
    assert run.result.verdict is Verdict.PASS, run.result.detail


def test_its_servers_have_no_checks_and_the_refusal_says_what_there_is() -> None:
    with pytest.raises(Refused, match="there are no checks of copy-lines servers; `boardwire proxy` judges"):
        checks(NAME)


def test_its_specification_needs_a_place_for_its_diagram() -> None:
    with pytest.raises(FileNotFoundError, match=r"copy-lines\.md"):
        list(specifications.tables())
