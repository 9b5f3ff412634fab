"""check-engine: a planted fault fails the check of its section, and a good engine passes all."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from tests.engines.scripts import FIRST, share, write
from tests.pages import PAGES, sections

from boardwire import cli
from boardwire.conformance import engine as examination
from boardwire.conformance.server.check import Verdict
from boardwire.engines import Mode

PLANTED = {
    "exit(1)": "the engine starts and answers",
    "for question in asked(): say(type='choice', id=question['id'], number=99)": "in the first seat",
    "for question in asked(): say(type='choice', id=question['id'], number=0); exit()": "in the first seat",
    """
    for question in asked():
        say(type='choice', id=question['id'], number=0)
        print('chatter', flush=True)
    """: "silent when it is not asked",
    """
    for question in asked():
        say(type='info', nodes=10_000)
        say(type='choice', id=question['id'], number=0)
    """: "small node budget",
    """
    for question in asked():
        say(type='info', line=['8'])
        say(type='choice', id=question['id'], number=0)
    """: "lines are in notation",
    """
    for question in asked():
        time.sleep(0.4)
        say(type='choice', id=question['id'], number=0)
    """: "short time limit",
    """
    for question in asked(): say(type='choice', id=question['id'], number=0)
    time.sleep(9)
    """: "exits when its input ends",
    """
    for question in asked():
        assert 'future' not in question
        say(type='choice', id=question['id'], number=0)
    """: "ignores unknown messages",
    """
    for question in asked():
        if question['id'] == 1: assert question['view']['cells'].count(None) > 7
        say(type='choice', id=question['id'], number=0)
    """: "joins a match in the middle",
}


@pytest.fixture
def tmp_path(readable_path: Path) -> Path:
    """A directory that engines, which run as another user, can read."""
    return readable_path


def verdicts_of(command: str, only: str = "") -> dict[str, Verdict]:
    probe = examination.EngineProbe(command, Mode.JSON, 1.0)
    selected = [one for one in examination.checks(("tris",), Mode.JSON) if only in one[1].name]
    return {one.name: one.verdict for one in examination.examine(probe, selected)}


def test_the_engine_of_the_specification_passes(tmp_path: Path) -> None:
    [code] = re.findall(r"^```python\n(.*?)^```", PAGES["engines"].read_text(), re.MULTILINE | re.DOTALL)
    (tmp_path / "e").mkdir()
    (tmp_path / "e" / "first.py").write_text(code)
    share(tmp_path / "e")
    assert set(verdicts_of(f"/usr/bin/python3 {tmp_path / 'e' / 'first.py'}").values()) == {Verdict.PASS}


def test_a_good_engine_passes(tmp_path: Path) -> None:
    assert set(verdicts_of(write(tmp_path / "e", FIRST)).values()) == {Verdict.PASS}


@pytest.mark.parametrize("body", PLANTED, ids=PLANTED.get)
def test_a_planted_fault_is_found(body: str, tmp_path: Path) -> None:
    assert list(verdicts_of(write(tmp_path / "e", body), PLANTED[body]).values()) == [Verdict.FAIL]


def test_an_engine_that_does_not_start_has_one_failure(tmp_path: Path) -> None:
    found = list(verdicts_of(write(tmp_path / "e", "exit(1)")).values())
    assert found == [Verdict.FAIL, *[Verdict.NOT_EXAMINED] * (len(found) - 1)]


@pytest.mark.parametrize("mode", Mode)
def test_every_check_cites_a_section_of_the_specification(mode: Mode) -> None:
    there = sections(PAGES["engines"].read_text())
    for _, check in examination.checks(("forza",), mode):
        assert check.section.partition(", ")[2] in there, check.name


def run(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[object, str, str]:
    with pytest.raises(SystemExit) as end:
        cli.main(["check-engine", *arguments])
    return (end.value.code, *capsys.readouterr())


def test_results_are_printed_as_lines_of_json(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    code, out, _ = run(capsys, write(tmp_path / "e", FIRST), "--game", "tris", "--json")
    assert code == 0
    for line in out.splitlines():
        assert json.loads(line).keys() == {"name", "section", "verdict", "detail"}
    assert len(out.splitlines()) == 12


def test_a_failure_has_its_reason_and_conversation_and_a_report(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    body = "for question in asked(): say(type='choice', id=question['id'], number=99)"
    report = tmp_path / "report.html"
    code, out, _ = run(
        capsys, write(tmp_path / "e", body), "--game", "tris", "--only", "first seat", "--report", "html", str(report)
    )
    assert code == 1
    assert "illegal choice: choice 99 does not exist; the choices are 0 to 8" in out
    assert '< {"type": "choice", "id": 1, "number": 99}' in out
    assert "Check of an engine" in report.read_text()


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ((), "give the engine's command"),
        (("no-such-program-here",), "there is no program"),
        (("true", "--game", "chess"), "no game called 'chess'"),
        (("true", "--game", "tris", "--text"), "not tris"),
        (("true", "--seconds", "0"), "must be more than 0"),
        (("true", "--only", "nonsense"), "no check has this in its name"),
    ],
)
def test_a_wrong_argument_is_named(arguments: tuple[str, ...], words: str, capsys: pytest.CaptureFixture[str]) -> None:
    code, _, err = run(capsys, *arguments)
    assert code in (1, 2)
    assert words in err


def test_the_schema_of_a_game_is_printed(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = run(capsys, "--schema", "tris")
    assert code == 0
    assert {"Hello", "ChoiceMessage", "GameView", "GameAction"} <= json.loads(out)["$defs"].keys()
