"""The scenario format, on a game of one number."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from boardwire.errors import Illegal, Malformed
from boardwire.testing.scenario import Mismatch, ScenarioLine, load, parse, run


class Counting:
    """A game in which people add to a number, up to ten."""

    def start(self, statements: Sequence[tuple[str, str]]) -> int:
        values = dict(statements)
        if set(values) - {"number"}:
            raise Malformed("only the number can be given")
        return int(values.get("number", "0"))

    def do(self, position: int, who: str, what: str) -> tuple[int, Sequence[Any]]:
        if not what.isdigit():
            raise Malformed(f"{what!r} is no number")
        if position + int(what) > 10:
            raise Illegal("ten is the most")
        return position + int(what), (f"added who={who} count={what}",)

    def look(self, position: int, subject: str) -> str:
        if subject != "number":
            raise Malformed(f"there is no {subject}")
        return str(position)

    def tell(self, position: int, event: Any) -> str:
        return str(event)


def play(text: str) -> int:
    (scenario,) = parse("scenario: it\n" + text, "file")
    return run(scenario, Counting())


def test_a_scenario_is_parsed_into_its_lines() -> None:
    text = """
    # for readers
    scenario: two and two
      given number = 2
      do A: 2
      refuse B: 9 because ten
      saw added who=A
    scenario: nothing
    """
    first, second = parse(text, "sums")
    assert (first.title, first.file, second.title, second.lines) == ("two and two", "sums", "nothing", ())
    assert first.lines == (
        ScenarioLine(4, "given", "number", "2"),
        ScenarioLine(5, "do", "A", "2"),
        ScenarioLine(6, "refuse", "B", "9", "ten"),
        ScenarioLine(7, "saw", "added who=A"),
    )


def test_a_scenario_that_holds_gives_its_last_position() -> None:
    text = """
    given number = 3
    do A: 4
    saw added count=4 who=A
    not saw added count=5
    not saw removed
    refuse A: 4 because the most
    refuse A: 5
    expect number =   7
    """
    assert play(text) == 7


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("do A: 11", "file:2: it: do A ... 11\n  the action was refused: Illegal: ten is the most"),
        ("do A: x", "the action was refused: Malformed: 'x' is no number"),
        ("refuse A: 1", "was accepted"),
        ("refuse A: x", "the action cannot be parsed: 'x' is no number"),
        ("refuse A: 11 because it rains", "refused for another reason: ten is the most"),
        ("expect number = 5", "the value is: 0"),
        ("expect colour = red", "there is no colour"),
        ("saw added", "the events are:"),
        ("do A: 1\nsaw added count=2", "added who=A count=1"),
        ("do A: 1\nnot saw added", "there is such an event: added who=A count=1"),
        ("given colour = red", "cannot be set up: only the number can be given"),
    ],
)
def test_a_scenario_that_does_not_hold_says_where_and_why(text: str, reason: str) -> None:
    with pytest.raises(Mismatch) as caught:
        play(text)
    assert reason in str(caught.value)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("given number = 1", "s:1: a file must begin with 'scenario: TITLE'"),
        ("scenario: x\nperhaps so", "s:2: 'perhaps so' is not a given"),
        ("scenario: x\ndo A 1", "s:2: 'do A 1' is not"),
        ("scenario: x\nexpect number", "s:2: 'expect number' is not"),
        ("scenario: x\ndo A: 1\ngiven number = 1", "s:3: every 'given' must come before the first 'do'"),
    ],
)
def test_what_cannot_be_read_is_malformed(text: str, reason: str) -> None:
    with pytest.raises(Malformed, match=reason):
        parse(text, "s")


def test_scenarios_are_loaded_from_the_files_of_a_folder(tmp_path: Path) -> None:
    (tmp_path / "b.scenario").write_text("scenario: second\n", encoding="utf-8")
    (tmp_path / "a.scenario").write_text("scenario: first\n", encoding="utf-8")
    (tmp_path / "c.txt").write_text("not one", encoding="utf-8")
    assert [(scenario.file, scenario.title) for scenario in load(tmp_path)] == [
        ("a.scenario", "first"),
        ("b.scenario", "second"),
    ]
