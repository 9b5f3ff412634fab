"""Findings: fields that programs compare, and counts of repetitions."""

from __future__ import annotations

from typing import Any

import pytest

from boardwire.conformance import finding as findings
from boardwire.conformance.finding import Finding, FindingCounter, Phrase, Rule, Side
from boardwire.conformance.monitor import Monitor, Record
from boardwire.conformance.watchers.watcher import WatcherGroup

C, S = Side.CLIENT, Side.SERVER


def found(*pieces: tuple[Side, bytes], rulings: bool = False) -> list[Finding]:
    records: list[Record] = []
    monitor = Monitor("tris-lines", WatcherGroup(), 1, records.append, rulings=rulings)
    for side, data in pieces:
        monitor.receive(side, data, 0.0)
    return [one for one in records if isinstance(one, Finding)]


def test_a_finding_has_the_code_of_its_rule_and_the_name_of_the_message() -> None:
    (one,) = found((S, b"WAIT\nREADY\n"), (C, b"9\n"))
    assert (one.code, one.side, one.message) == ("tris-lines.free", C, "cell")
    fields = one.fields()
    assert (fields["code"], fields["message"], fields["ruling"], fields["count"]) == (one.code, "cell", False, 1)


def test_a_finding_after_a_timeout_names_no_message() -> None:
    records: list[Record] = []
    monitor = Monitor("tris-lines", WatcherGroup(), 1, records.append)
    monitor.receive(S, b"WAIT\nREADY\n", 0.0)
    monitor.receive(C, b"4\n", 0.0)
    monitor.pass_time(9.0, 3.0)
    (one,) = [one for one in records if isinstance(one, Finding)]
    assert (one.code, one.message) == ("tris-lines.answer", "")


def test_repeated_findings_are_counted_over_all_connections() -> None:
    group, records = WatcherGroup(), list[Record]()
    for connection in (1, 2):
        monitor = Monitor("tris-lines", group, connection, records.append)
        monitor.receive(S, b"WAIT\nREADY\n", 0.0)
        for wrong in (b"9\n", b"9\n"):
            monitor.receive(C, wrong, 0.0)
            monitor.receive(S, b"KO\n", 0.0)
    assert [one.count for one in records if isinstance(one, Finding)] == [1, 2, 3, 4]


def test_other_rules_sides_messages_and_details_are_counted_separately() -> None:
    counter, base = FindingCounter(), dict[str, Any](section="1", rule="r", detail="d")
    kinds: list[dict[str, Any]] = [
        {"side": C, "code": "a"},
        {"side": S, "code": "a"},
        {"side": C, "code": "b"},
        {"side": C, "code": "a", "message": "m"},
        {"side": C, "code": "a", "phrase": Phrase("got {}", ("x",))},
    ]
    assert [counter.add(Finding(**base, **kind)).count for kind in kinds] == [1] * 5
    again = Finding(**base, side=C, code="a", phrase=Phrase("got {}", ("y",)))
    assert counter.add(again).count == 2


def test_reasons_inside_a_detail_are_counted_separately_but_not_their_values() -> None:
    counter, base = FindingCounter(), dict[str, Any](section="1", rule="r", detail="d", side=C, code="a")
    full, far = Phrase("the column is full"), Phrase("at most {1} of {0}", ("x", 3))
    other = Phrase("at most {1} of {0}", ("y", 4))
    phrases = [Phrase("got {}, but {}", (name, why)) for name, why in (("a", full), ("b", far), ("c", other))]
    assert [counter.add(Finding(**base, phrase=one)).count for one in phrases] == [1, 1, 2]


def test_a_counter_distinguishes_a_bounded_number_of_kinds(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(findings, "MAX_KINDS", 2)
    counter = FindingCounter()
    added = [counter.add(Finding(side=S, section="1", rule="r", detail="d", message=str(at))) for at in range(5)]
    assert [one.count for one in added] == [1, 1, 1, 2, 3]


def test_a_phrase_formats_its_values_and_keeps_braces_of_plain_text() -> None:
    assert str(Phrase("got {}; expected {}", ("{x}", Phrase("one of {}", (3,))))) == "got {x}; expected one of 3"
    assert str(Phrase("{as it is}")) == "{as it is}"


def test_breaches_of_rulings_are_reported_only_on_request() -> None:
    records: list[Record] = []
    for rulings in (False, True):
        monitor = Monitor("tris-lines", WatcherGroup(), 1, records.append, rulings=rulings)
        monitor.watcher.now = 1.0
        monitor.watcher.blame(S, Rule("x", "1", "ours", ruling=True), "got it")
        monitor.pass_time(2.0, 3.0)
    (one,) = [one for one in records if isinstance(one, Finding)]
    assert one.ruling
    assert one.fields()["ruling"] is True
