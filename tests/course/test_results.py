"""Stored results, grades and the scoreboard."""

from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import msgspec
import pytest

from boardwire.conformance.server.check import ConversationLine, Verdict
from boardwire.course import results
from boardwire.course.config import PUBLIC, TEACHER, Course, Criterion, Role, Viewer, check
from boardwire.course.export import csv_text, html_page
from boardwire.course.plan import judged_teams
from boardwire.course.results import (
    Case,
    Cell,
    ResultsWriter,
    RunInfo,
    RunResults,
    TaskEntry,
    grade,
    read_results,
    read_run,
    scoreboard,
    write_run,
)

START = datetime(2026, 11, 1, 2, 0, tzinfo=UTC)
PASS, FAIL, SKIPPED = Verdict.PASS, Verdict.FAIL, Verdict.SKIPPED


def course(**changes: Any) -> Course:
    raw: dict[str, Any] = {
        "name": "c", "game": "tris", "protocol": "tris-lines",
        "criterion": [{"name": "server", "weight": 10}, {"name": "tournament", "weight": 2}],
        "level": [{"name": "good", "at": 0.8}, {"name": "sufficient", "at": 0.5}],
        "team": [
            {"name": name, "directory": "course", "server": {"address": "h:1"}, "client": {"run": "client {port}"}}
            for name in ("rossi", "verdi")
        ],
    }  # fmt: skip
    return check({**raw, **changes}, Path(__file__).parents[1])


def run(name: str, days: int, verdicts: dict[str, list[Verdict]], tasks: tuple[str, ...] = ()) -> RunResults:
    entries = tuple(
        TaskEntry(f"server/{team}", START, (Cell(team, Criterion.SERVER, _cases(found)),))
        for team, found in verdicts.items()
    )
    info = RunInfo(name, START + timedelta(days=days), tasks=tasks or tuple(entry.task for entry in entries))
    return RunResults(info, entries)


def _cases(verdicts: list[Verdict]) -> tuple[Case, ...]:
    return tuple(Case(f"case {number}", one, "docs, 1", "it is so") for number, one in enumerate(verdicts))


def server_points(results: list[RunResults], one: Course, team: str = "rossi") -> tuple[str, float]:
    found = next(each for each in grade(results, one) if each.team == team).criteria[0]
    return found.run, found.points


def test_the_best_run_counts_or_the_last_one() -> None:
    runs = [run("a", 0, {"rossi": [PASS, PASS]}), run("b", 1, {"rossi": [PASS, FAIL]})]
    assert server_points(runs, course()) == ("a", 10.0)
    assert server_points(runs, course(pick="last")) == ("b", 5.0)


def test_a_run_after_the_deadline_does_not_count() -> None:
    late = [{"name": "server", "weight": 10, "deadline": START + timedelta(hours=12)}]
    runs = [run("a", 0, {"rossi": [PASS, FAIL]}), run("b", 1, {"rossi": [PASS, PASS]})]
    assert server_points(runs, course(criterion=late)) == ("a", 5.0)


def test_a_part_that_is_not_finished_does_not_count() -> None:
    unfinished = run("b", 1, {}, tasks=("server/rossi",))
    assert server_points([run("a", 0, {"rossi": [FAIL]}), unfinished], course()) == ("a", 0.0)


def test_cases_that_another_team_spoiled_do_not_count() -> None:
    assert server_points([run("a", 0, {"rossi": [PASS, SKIPPED]})], course()) == ("a", 10.0)
    only_spoiled = grade([run("a", 0, {"rossi": [SKIPPED]})], course())[0]
    assert [(one.points, one.weight) for one in only_spoiled.criteria] == [(0.0, 0.0), (0.0, 2.0)]


def test_a_criterion_without_an_opponent_does_not_count() -> None:
    alone = course(team=[{"name": "rossi", "directory": "course", "server": {"address": "h:1"},
                          "client": {"run": "client {port}"}}])  # fmt: skip
    results = [run("a", 0, {"rossi": [PASS]})]
    (found,) = grade(results, alone)
    assert [one.criterion for one in found.criteria] == [Criterion.SERVER]
    assert (found.points, found.weight, found.share) == (10.0, 10.0, 1.0)
    assert csv_text(results, alone).splitlines()[1] == "rossi,,10,10,1.0000,good,1.0000,10,,"
    assert [cell.applies for cell in scoreboard(results, alone, TEACHER).rows[0].cells] == [True, False]


def test_a_team_keeps_the_points_of_matches_with_a_team_that_has_left() -> None:
    cells = tuple(Cell(team, Criterion.TOURNAMENT, (Case("match 1", PASS, points=1.0),)) for team in ("rossi", "neri"))
    entry = TaskEntry("tournament/rossi/neri", START, cells)
    alone = course(team=[{"name": "rossi", "directory": "course", "client": {"run": "client {port}"}}])
    (found,) = grade([RunResults(RunInfo("a", START, tasks=(entry.task,)), (entry,))], alone)
    assert (found.points, found.weight) == (2.0, 2.0)


def test_points_are_between_the_limits_of_the_rubric() -> None:
    limits = [{"name": "server", "weight": 10, "none": 0.5, "full": 0.75}]
    for passed, points in ((1, 0.0), (2, 0.0), (3, 10.0), (4, 10.0)):
        verdicts = [PASS] * passed + [FAIL] * (4 - passed)
        assert server_points([run("a", 0, {"rossi": verdicts})], course(criterion=limits))[1] == points


def test_a_level_is_given_by_the_share_of_all_points() -> None:
    found = grade([run("a", 0, {"rossi": [PASS], "verdi": [FAIL]})], course())
    assert [(one.team, one.level) for one in found] == [("rossi", "good"), ("verdi", "")]


def test_grading_is_repeatable_to_the_byte(tmp_path: Path) -> None:
    stored = run("a", 0, {"rossi": [PASS, FAIL], "verdi": [PASS]})
    write_run(tmp_path, stored.info)
    writer = ResultsWriter(tmp_path, "a")
    for entry in stored.entries:
        writer.append(entry)
    writer.close()
    first, second = (msgspec.json.encode(grade(read_results(tmp_path), course())) for _ in range(2))
    assert first == second == msgspec.json.encode(grade([stored], course()))


def test_a_torn_line_is_no_result_and_the_next_one_is_whole(tmp_path: Path) -> None:
    stored = run("a", 0, {"rossi": [PASS], "verdi": [FAIL]})
    write_run(tmp_path, stored.info)
    writer = ResultsWriter(tmp_path, "a")
    writer.append(stored.entries[0])
    writer.close()
    with (tmp_path / "runs" / "a" / "results.jsonl").open("ab") as file:
        file.write(b'{"task": "server/ver')
    assert read_run(tmp_path, "a").done == {"server/rossi"}
    writer = ResultsWriter(tmp_path, "a")
    writer.append(stored.entries[1])
    writer.close()
    assert read_run(tmp_path, "a").entries == stored.entries


def test_only_the_first_result_of_a_task_counts(tmp_path: Path) -> None:
    stored = run("a", 0, {"rossi": [PASS]})
    write_run(tmp_path, stored.info)
    writer = ResultsWriter(tmp_path, "a")
    writer.append(stored.entries[0])
    writer.append(run("a", 0, {"rossi": [FAIL]}).entries[0])
    writer.close()
    assert read_run(tmp_path, "a").entries == stored.entries


@pytest.mark.parametrize(
    ("visibility", "viewer", "seen", "opened"),
    [
        ("private", PUBLIC, [], []),
        ("private", Viewer(Role.TEAM, "rossi"), ["rossi"], ["rossi"]),
        ("scores", PUBLIC, ["rossi", "verdi"], []),
        ("scores", Viewer(Role.TEAM, "verdi"), ["rossi", "verdi"], ["verdi"]),
        ("open", PUBLIC, ["rossi", "verdi"], ["rossi", "verdi"]),
        ("private", TEACHER, ["rossi", "verdi"], ["rossi", "verdi"]),
    ],
)
def test_a_viewer_sees_what_the_teacher_opened(
    visibility: str, viewer: Viewer, seen: list[str], opened: list[str]
) -> None:
    results = [run("a", 0, {"rossi": [PASS, FAIL], "verdi": [FAIL]})]
    board = scoreboard(results, course(visibility=visibility), viewer)
    assert sorted(row.team for row in board.rows) == seen
    assert sorted(row.team for row in board.rows if row.cells[0].findings) == opened


def test_a_finding_has_hints_in_both_languages() -> None:
    board = scoreboard([run("a", 0, {"rossi": [FAIL]})], course(), TEACHER)
    found = next(row for row in board.rows if row.team == "rossi").cells[0].findings[0]
    assert "section" in found.hint["en"]
    assert "sezione" in found.hint["it"]
    assert (found.name, found.section, found.detail) == ("case 0", "docs, 1", "it is so")


def test_the_history_has_every_finished_run() -> None:
    runs = [run("a", 0, {"rossi": [FAIL, FAIL]}), run("b", 1, {"rossi": [PASS, FAIL]})]
    board = scoreboard(runs, course(), TEACHER)
    assert [(point.run, point.score) for point in board.rows[0].cells[0].history] == [("a", 0.0), ("b", 0.5)]


def test_the_tournament_has_points_and_a_table() -> None:
    games = [("rossi", 1.0), ("verdi", 0.0)]
    cells = tuple(Cell(team, Criterion.TOURNAMENT, (Case("game 1", PASS, points=points),)) for team, points in games)
    entry = TaskEntry("tournament/rossi/verdi", START, cells)
    runs = [RunResults(RunInfo("a", START, tasks=(entry.task,)), (entry,))]
    assert [one.criteria[1].points for one in grade(runs, course())] == [2.0, 0.0]
    board = scoreboard(runs, course(), PUBLIC)
    assert [(row.team, row.won, row.lost) for row in board.tournament] == [("rossi", 1, 0), ("verdi", 0, 1)]


def test_a_run_is_indexed_once_however_often_the_scoreboard_is_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    looked: list[str] = []

    def look(task: str) -> list[tuple[str, Criterion]]:
        looked.append(task)
        return judged_teams(task)

    monkeypatch.setattr(results, "judged_teams", look)
    runs = [run(f"{number:02}", number, {"rossi": [PASS], "verdi": [FAIL]}) for number in range(20)]
    for viewer in (TEACHER, PUBLIC, Viewer(Role.TEAM, "rossi")):
        scoreboard(runs, course(), viewer)
    assert len(looked) == sum(len(one.info.tasks) for one in runs)


def test_an_exported_page_has_each_conversation_once() -> None:
    said = (ConversationLine(1, "<", "WAIT"), ConversationLine(1, ">", "9\x1b"))
    case = Case("cells", FAIL, "docs, 1", "KO was expected\n1 < WAIT\n1 > 9\\x1b", conversation=said)
    entry = TaskEntry("server/rossi", START, (Cell("rossi", Criterion.SERVER, (case,)),))
    page = html_page([RunResults(RunInfo("a", START, tasks=(entry.task,)), (entry,))], course(), TEACHER)
    assert "KO was expected" in page
    assert page.count("1 &lt; WAIT") == 1
    assert page.count("1 &gt; 9") == 1
