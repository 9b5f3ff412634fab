"""Runs with real programs: their cells, what is kept, and what a kill leaves."""

from __future__ import annotations

import asyncio
import os
import shutil
import signal
import subprocess
import sys
import time
from collections import Counter
from datetime import UTC, datetime
from pathlib import Path

import msgspec
import pytest

from boardwire.conformance.server.check import Verdict
from boardwire.course import config
from boardwire.course.config import TEACHER, Course, Criterion
from boardwire.course.export import csv_text, html_page, json_bytes
from boardwire.course.hints import FindingKind
from boardwire.course.plan import plan
from boardwire.course.programs import ProgramFault
from boardwire.course.results import (
    Case,
    ResultsWriter,
    RunInfo,
    TaskEntry,
    read_results,
    read_run,
    run_directory,
    run_names,
    write_run,
)
from boardwire.course.runner import CourseRunner, run_course, unfinished_runs
from boardwire.course.tasks import MAX_SNAPSHOT_FILES, snapshot
from boardwire.engines.cage import CageTool, best_cage_tool
from boardwire.errors import Malformed, Refused
from boardwire.store.archive import Archive

EXAMPLE = Path(__file__).parents[2] / "src" / "boardwire" / "course" / "example"

needs_cages = pytest.mark.skipif(
    best_cage_tool() is not CageTool.BUBBLEWRAP, reason="programs of teams run in bubblewrap here"
)


def example(directory: Path, *teams: str) -> Course:
    """Return the example of a course with these teams only, and short times."""
    shutil.copytree(EXAMPLE, directory / "course")
    file = directory / "course" / "course.toml"
    text = file.read_text("utf-8").replace("lost = 10", "lost = 2").replace("move = 5 ", "move = 3 ")
    head, *blocks = text.split("[[team]]")
    file.write_text("[[team]]".join([head, *(one for one in blocks if one.split('"')[1] in teams)]), "utf-8")
    return config.load(directory / "course")


def run(course: Course, *criteria: Criterion, team: str = "") -> list[TaskEntry]:
    found: list[TaskEntry] = []

    def report(info: RunInfo, entry: TaskEntry, done: int, tasks: int) -> None:
        found.append(entry)

    asyncio.run(run_course(course, team, criteria, report=report))
    return found


def cases(course: Course, team: str, criterion: Criterion) -> dict[str, Case]:
    newest = read_results(course.directory)[-1]
    return {case.name: case for _, case in newest.cases(team, criterion)}


def test_the_plan_has_every_client_on_every_other_server_and_every_pair_of_clients() -> None:
    course = config.load(EXAMPLE)
    tasks = plan(course)
    assert [key for key in tasks if key.startswith("match/")] == [
        "match/rossi/verdi", "match/rossi/neri", "match/bianchi/verdi", "match/bianchi/neri",
    ]  # fmt: skip
    assert [key for key in tasks if key.startswith("tournament/")] == ["tournament/rossi/bianchi"]
    assert plan(course, "verdi", [Criterion.SERVER]) == ("build/verdi", "server/verdi")
    assert plan(course, "verdi", [Criterion.SERVER_MATCHES]) == (
        "build/rossi", "build/bianchi", "build/verdi", "match/rossi/verdi", "match/bianchi/verdi",
    )  # fmt: skip


@needs_cages
@pytest.mark.slow
def test_a_client_that_waits_forever_fails_where_its_connection_is_lost(tmp_path: Path) -> None:
    course = example(tmp_path, "bianchi")
    run(course, Criterion.CLIENT_RESILIENCE)
    found = cases(course, "bianchi", Criterion.CLIENT_RESILIENCE)
    assert {name: case.kind for name, case in found.items() if case.verdict is not Verdict.PASS} == {
        "disconnect": FindingKind.NOT_ENDED
    }
    lost = found["disconnect"]
    assert (run_directory(course.directory, run_names(course.directory)[0]) / "files" / lost.transcript).exists()
    assert lost.conversation
    assert lost.repeat == "boardwire course run --new --criterion client-resilience"


@needs_cages
def test_a_match_of_two_teams_is_kept_and_counts_for_both(tmp_path: Path) -> None:
    course = example(tmp_path, "rossi", "verdi")
    entries = run(course, Criterion.CLIENT_MATCHES)
    cells = {cell.criterion: cell for entry in entries for cell in entry.cells}
    assert set(cells) == {Criterion.CLIENT_MATCHES, Criterion.SERVER_MATCHES}
    for cell in cells.values():
        assert [case.verdict for case in cell.cases] == [Verdict.PASS]
    played = cells[Criterion.SERVER_MATCHES].cases[0]
    assert played.repeat == (
        "python3 server.py 7002 & sleep 2; "
        f"boardwire transcript replay {played.transcript} --connect 127.0.0.1:7002; kill $!"
    )
    replay = cells[Criterion.CLIENT_MATCHES].cases[0].replay
    directory = run_directory(course.directory, run_names(course.directory)[0])
    with Archive(directory / "matches") as archive:
        assert [type(event).__name__ for event in archive.events(replay)].count("Acted") >= 5
    assert not (directory / "work").exists()


@needs_cages
@pytest.mark.slow
def test_a_client_meets_a_server_of_another_protocol_that_its_team_runs(tmp_path: Path) -> None:
    course = example(tmp_path, "rossi")
    command = [sys.executable, "-m", "boardwire", "serve", "--data", ":memory:", "--http", "0"]
    command += ["--listen", "tris-lines=0"]
    server = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    try:
        assert server.stdout is not None
        lines = [server.stdout.readline() for _ in range(2)]
        port = next(line for line in lines if line.startswith("listening http")).rpartition(":")[2].strip()
        file = course.directory / "course.toml"
        other = f'[[team]]\nname = "natives"\nprotocol = "native"\nserver.address = "127.0.0.1:{port}"\n'
        file.write_text(file.read_text("utf-8") + other, "utf-8")
        course = config.load(course.directory)
        run(course, Criterion.CLIENT_MATCHES)
    finally:
        server.terminate()
        server.communicate(timeout=30)
    found = cases(course, "rossi", Criterion.CLIENT_MATCHES) | cases(course, "natives", Criterion.SERVER_MATCHES)
    assert {name: (case.verdict, case.detail) for name, case in found.items()} == {
        "on the server of natives": (Verdict.PASS, ""), "the client of rossi": (Verdict.PASS, ""),
    }  # fmt: skip


@needs_cages
def test_a_failed_build_prevents_the_rest_and_costs_only_its_team(tmp_path: Path) -> None:
    course = example(tmp_path, "rossi", "verdi")
    file = course.directory / "course.toml"
    text = file.read_text("utf-8")
    file.write_text(text.replace('# build = "make" ', 'build = "python3 -c 1/0" '), "utf-8")
    course = config.load(course.directory)
    run(course, Criterion.BUILD, Criterion.CLIENT_MATCHES)
    build = cases(course, "rossi", Criterion.BUILD)["builds"]
    assert (build.verdict, build.kind) == (Verdict.FAIL, FindingKind.BUILD)
    assert "ZeroDivisionError" in (
        run_directory(course.directory, run_names(course.directory)[0]) / "files" / build.log
    ).read_text("utf-8")
    blocked = cases(course, "rossi", Criterion.CLIENT_MATCHES)["match"]
    assert (blocked.verdict, blocked.because) == (Verdict.NOT_EXAMINED, "builds")
    assert cases(course, "verdi", Criterion.SERVER_MATCHES)["match"].verdict is Verdict.SKIPPED


@needs_cages
def test_a_run_of_one_team_gives_no_cells_to_others(tmp_path: Path) -> None:
    course = example(tmp_path, "rossi", "verdi")
    entries = run(course, Criterion.CLIENT_MATCHES, team="rossi")
    assert {cell.team for entry in entries for cell in entry.cells} == {"rossi"}


@needs_cages
@pytest.mark.slow
def test_kill_9_at_any_moment_loses_no_result_and_judges_nothing_twice(tmp_path: Path) -> None:
    course = example(tmp_path, "rossi", "verdi")
    command = [sys.executable, "-m", "boardwire", "course", "run", str(course.directory)]
    before: list[bytes] = []
    name = ""
    for seconds in (1.5, 3.0, 4.5, 6.0):
        process = subprocess.Popen(command, stdout=subprocess.DEVNULL, start_new_session=True)
        time.sleep(seconds)
        os.kill(process.pid, signal.SIGKILL)  # not its group: workers must end by themselves
        process.wait()
        name = run_names(course.directory)[0]
        file = run_directory(course.directory, name) / "results.jsonl"
        stored = file.read_bytes().split(b"\n")[:-1] if file.exists() else []
        assert stored[: len(before)] == before
        before = stored
    assert subprocess.run(command, stdout=subprocess.DEVNULL, check=False, timeout=300).returncode == 0
    assert run_names(course.directory) == [name]
    done = read_run(course.directory, name)
    assert done.is_complete
    lines = (run_directory(course.directory, name) / "results.jsonl").read_bytes().splitlines()
    assert lines[: len(before)] == before
    assert max(Counter(msgspec.json.decode(line)["task"] for line in lines).values()) == 1
    assert [case.name for entry in done.entries for cell in entry.cells for case in cell.cases
            if case.verdict not in (Verdict.PASS, Verdict.SKIPPED)] == []  # fmt: skip


@needs_cages
@pytest.mark.slow
def test_the_faults_of_the_example_are_in_their_cells_and_nowhere_else(tmp_path: Path) -> None:
    course = example(tmp_path, "rossi", "bianchi", "verdi", "neri")
    run(course)
    results = read_results(course.directory)
    found = {(cell.team, cell.criterion) for entry in results[0].entries for cell in entry.cells
             if any(case.verdict in (Verdict.FAIL, Verdict.NOT_EXAMINED) for case in cell.cases)}  # fmt: skip
    assert found == {
        ("bianchi", Criterion.CLIENT), ("bianchi", Criterion.CLIENT_RESILIENCE), ("neri", Criterion.SERVER),
    }  # fmt: skip
    assert csv_text(results, course) == csv_text(read_results(course.directory), course)
    assert json_bytes(results, course, TEACHER) == json_bytes(read_results(course.directory), course, TEACHER)
    assert "an occupied cell gets KO" in html_page(results, course, TEACHER)


@needs_cages
def test_a_report_that_fails_ends_the_run_and_its_workers(tmp_path: Path) -> None:
    course = example(tmp_path, "rossi", "verdi")

    def report(info: RunInfo, entry: TaskEntry, done: int, tasks: int) -> None:
        raise BrokenPipeError

    async def scenario() -> None:
        with pytest.raises(BrokenPipeError):
            await asyncio.wait_for(run_course(course, report=report), 60)

    asyncio.run(scenario())
    (stop_program,) = read_results(course.directory)
    assert len(stop_program.done) in (1, 2)


@needs_cages
def test_a_worker_that_is_stopped_while_it_starts_does_not_hang(tmp_path: Path) -> None:
    course = example(tmp_path, "rossi", "verdi")

    async def scenario() -> None:
        runner = CourseRunner(course)
        runner.begin()
        working = asyncio.ensure_future(runner.work(until_idle=True))
        for _ in range(3):  # turns of the loop, not time: the workers are being started
            await asyncio.sleep(0)
        working.cancel()
        await asyncio.wait_for(runner.close(), 30)

    asyncio.run(scenario())


def test_only_one_process_runs_a_course(tmp_path: Path) -> None:
    course = example(tmp_path, "rossi")

    async def scenario() -> None:
        first = CourseRunner(course)
        with pytest.raises(Refused, match="another `boardwire course run` is running"):
            CourseRunner(course)
        first.announce("http://127.0.0.1:7080")
        with pytest.raises(Refused, match=r"course serve` is running .* POST http://127.0.0.1:7080/api/course/runs"):
            CourseRunner(course)
        await first.close()
        await CourseRunner(course).close()

    asyncio.run(scenario())


def test_a_push_that_waits_for_a_team_which_leaves_the_course_does_not_stop_the_others(tmp_path: Path) -> None:
    course = example(tmp_path, "rossi", "bianchi")
    file = course.directory / "course.toml"

    async def scenario() -> None:
        runner = CourseRunner(course)
        assert runner.request("rossi") is not None
        assert runner.request("rossi") is None, "it waits"
        head, *blocks = file.read_text("utf-8").split("[[team]]")
        file.write_text("[[team]]".join([head, *(one for one in blocks if one.split('"')[1] != "rossi")]), "utf-8")
        with pytest.raises(Malformed):
            runner.request("rossi")
        working = asyncio.ensure_future(runner.work())
        for _ in range(1000):  # turns of the loop: the tasks of a team that has left start no worker
            await asyncio.sleep(0)
        assert runner.is_idle
        assert not working.done(), "the course is still served"
        working.cancel()
        await runner.close()

    asyncio.run(scenario())


def test_old_runs_lose_their_files_and_keep_their_results(tmp_path: Path) -> None:
    course = example(tmp_path, "rossi")
    file = course.directory / "course.toml"
    file.write_text(file.read_text("utf-8").replace("runs = 30", "runs = 1"), "utf-8")
    course = config.load(course.directory)
    for _ in range(2):
        run(course, Criterion.BUILD)
    kept = [(run_directory(course.directory, name) / "files").exists() for name in run_names(course.directory)]
    assert kept == [False, True]
    assert all(one.is_complete for one in read_results(course.directory))


def test_a_snapshot_follows_no_link_and_leaves_out_pipes_and_git(tmp_path: Path) -> None:
    source = tmp_path / "team"
    (source / ".git").mkdir(parents=True)
    (source / ".git" / "config").write_text("x")
    (source / "secret").symlink_to("/etc/passwd")
    os.mkfifo(source / "pipe")
    (source / "run.sh").write_text("true")
    (source / "run.sh").chmod(0o700)
    snapshot(source, tmp_path / "copy")
    assert sorted(path.name for path in (tmp_path / "copy").iterdir()) == ["run.sh", "secret"]
    assert (tmp_path / "copy" / "secret").is_symlink()
    assert (tmp_path / "copy" / "run.sh").stat().st_mode & 0o777 == 0o755


def test_a_directory_with_too_many_files_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("boardwire.course.tasks.MAX_SNAPSHOT_FILES", 3)
    assert MAX_SNAPSHOT_FILES > 3
    for number in range(5):
        (tmp_path / f"f{number}").write_text("")
    with pytest.raises(ProgramFault, match="more than 3 files"):
        snapshot(tmp_path, tmp_path.parent / f"{tmp_path.name}-copy")


def test_only_an_interrupted_run_of_the_same_kind_is_continued(tmp_path: Path) -> None:
    course = example(tmp_path, "rossi")
    at = datetime(2026, 11, 1, tzinfo=UTC)
    info = RunInfo("20261101-000000-abcd", at, criteria=(Criterion.BUILD,), tasks=("build/rossi",))
    write_run(course.directory, info)
    runner = CourseRunner(course)
    try:
        found = runner.unfinished("", (Criterion.BUILD,))
        assert found is not None
        assert found.info == info
        assert runner.unfinished("", (Criterion.SERVER,)) is None
        assert runner.unfinished("rossi", (Criterion.BUILD,)) is None
        assert [run.info for run in unfinished_runs(course)] == [info]
        writer = ResultsWriter(course.directory, info.id)
        writer.append(TaskEntry("build/rossi", at, ()))
        writer.close()
        assert runner.unfinished("", (Criterion.BUILD,)) is None
        assert unfinished_runs(course) == []
    finally:
        asyncio.run(runner.close())
