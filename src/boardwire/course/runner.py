"""Execution of runs: tasks in worker processes, durable results, and recovery after a crash.

Theory of operation:

- One process at a time runs tasks of a course (`lock`). It begins runs, resumes interrupted ones, and assigns the next
  task to each free worker (`scheduler.py`).
- A finished task is stored in this order: its matches, then its line of results. A task without a line is executed
  again, so `kill -9` at any moment loses only tasks in progress, and nothing is judged twice.
- A worker that exceeds `timing.task`, or dies, affects only its task: the team of a check fails it, and a match of two
  teams does not count for either.
- If an earlier task has shown that a program cannot play, its later tasks are not executed: they fail for its team, and
  do not count for the other one.
- At the end of a run the copies of teams' directories are removed, and the files of old runs (`retention`).
"""

from __future__ import annotations

import asyncio
import os
import shutil
import signal
import sys
from collections.abc import Callable, Iterable
from contextlib import suppress
from pathlib import Path
from secrets import token_hex
from time import monotonic
from typing import IO, Final

import msgspec

from boardwire.arena.runner import MatchStore
from boardwire.conformance.server.check import Verdict
from boardwire.course import config
from boardwire.course.config import Course, Criterion
from boardwire.course.hints import FindingKind
from boardwire.course.plan import plan
from boardwire.course.play import PLAIN
from boardwire.course.results import (
    FILES_DIRECTORY,
    MATCHES_DIRECTORY,
    RUNS_DIRECTORY,
    WORK_DIRECTORY,
    Case,
    Cell,
    ResultsWriter,
    RunCause,
    RunInfo,
    RunResults,
    TaskEntry,
    now,
    read_results,
    read_run,
    run_directory,
    run_names,
    write_run,
)
from boardwire.course.scheduler import ActiveRun, RunScheduler
from boardwire.course.tasks import BUILDS, cells_of, needs_host_network, teams_of, without_result
from boardwire.course.worker import TaskOrder, TaskReply
from boardwire.engines.cage import private_loopback
from boardwire.errors import Malformed, Refused
from boardwire.store.lock import lock
from boardwire.table.events import decode

LOCK_FILE: Final = "lock"
MARGIN_SECONDS: Final = 10.0
"""How much longer than its task's time limit a worker may take to report."""
MAX_REPLY_BYTES: Final = 64 << 20
_WORKER_PROGRAM: Final = "from boardwire.course.worker import main; main()"

ReportTask = Callable[[RunInfo, TaskEntry, int, int], None]
"""Called for each finished task, with the numbers of finished tasks and of all tasks of its run."""


def no_report(info: RunInfo, entry: TaskEntry, done: int, tasks: int) -> None:
    """Do nothing: the default `ReportTask`."""


class _OpenRun:
    """Open resources of a run in progress; its entries are kept for the tasks that depend on them."""

    def __init__(self, course: Path, run: ActiveRun, entries: Iterable[TaskEntry]) -> None:
        self.run = run
        self.entries = {entry.task: entry for entry in entries}
        directory = run_directory(course, run.info.id)
        for name in (FILES_DIRECTORY, WORK_DIRECTORY):
            (directory / name).mkdir(exist_ok=True)
        self.writer = ResultsWriter(course, run.info.id)
        self._matches = directory / MATCHES_DIRECTORY
        self._store: MatchStore | None = None

    def store(self, reply: TaskReply) -> None:
        """Store the matches of a task."""
        if not reply.matches:
            return
        if self._store is None:
            self._matches.mkdir(exist_ok=True)
            self._store = MatchStore(self._matches)
        self._store.add([(name, [decode(event) for event in events]) for name, events in reply.matches])

    def close(self) -> None:
        """Close the files of the run."""
        self.writer.close()
        if self._store is not None:
            self._store.close()


class CourseRunner:
    """Runs tasks of a course on this process's event loop until it is closed; one process per course can have one."""

    def __init__(self, course: Course, report: ReportTask = no_report) -> None:
        self.course = course
        self._report = report
        self._scheduler = RunScheduler()
        self._open: dict[str, _OpenRun] = {}
        self._changed = asyncio.Event()
        self._workers: set[asyncio.Task[None]] = set()
        self._failure: Exception | None = None
        self._lock = self._acquire_lock()

    def _acquire_lock(self) -> IO[str]:
        """Lock the course for this process; raise `Refused` if another process runs it."""
        if not hasattr(os, "killpg"):
            raise Refused("this system cannot run a course, because it has no process groups; use Linux or macOS")
        directory = self.course.directory / RUNS_DIRECTORY
        directory.mkdir(exist_ok=True)
        file = (directory / LOCK_FILE).open("a", encoding="utf-8")
        try:
            lock(file)
        except OSError:
            file.close()
            raise Refused(_lock_error(directory / LOCK_FILE, self.course.directory)) from None
        file.truncate(0)
        return file

    def announce(self, address: str) -> None:
        """Write the address at which this process serves the course to the lock file."""
        self._lock.write(address)
        self._lock.flush()

    # --- runs ---------------------------------------------------------------------------------------------------------

    def begin(self, team: str = "", criteria: Iterable[Criterion] = (), cause: RunCause = RunCause.DEMAND) -> RunInfo:
        """Begin a run of all teams or one, in all criteria or some; raise `Malformed` if it has no task."""
        self._reload()
        if team:
            self.course.team(team)
        selected = tuple(criteria)
        tasks = plan(self.course, team, selected)
        if not tasks:
            raise Malformed("there is nothing to run; no team delivers a program that these criteria judge")
        at = now()
        info = RunInfo(f"{at:%Y%m%d-%H%M%S}-{token_hex(2)}", at, cause, team, selected, tasks)
        write_run(self.course.directory, info)
        self._activate(info, ())
        return info

    def request(self, team: str, cause: RunCause = RunCause.PUSH) -> RunInfo | None:
        """Begin a run requested by a team, or queue it behind the team's current run and return None.

        Raises `Refused` if the course does not allow such requests.
        """
        self._reload()
        if not self.course.file.schedule.push:
            raise Refused("teams cannot request runs in this course; the teacher starts them")
        self.course.team(team)
        if self._scheduler.request(team, cause):
            return self.begin(team, self.course.file.schedule.push, cause)
        return None

    def _reload(self) -> None:
        """Read the course's file again; an invalid file is ignored."""
        with suppress(Malformed):
            self.course = config.load(self.course.directory)

    def resume(self, run: RunResults) -> None:
        """Continue an interrupted run; builds whose directories are gone are repeated, without a new result."""
        self._activate(run.info, run.entries)

    def unfinished(self, team: str = "", criteria: Iterable[Criterion] = ()) -> RunResults | None:
        """Return the newest run with this scope if it was interrupted, or None."""
        for name in reversed(run_names(self.course.directory)):
            run = read_run(self.course.directory, name)
            if run.info.team == team and run.info.criteria == tuple(criteria):
                return None if run.is_complete else run
        return None

    def _activate(self, info: RunInfo, entries: Iterable[TaskEntry]) -> None:
        """Schedule the unfinished tasks of a run; builds that passed but whose files are gone are repeated."""
        entries = tuple(entries)
        work = run_directory(self.course.directory, info.id) / WORK_DIRECTORY
        done = {entry.task for entry in entries}
        builds = [entry for entry in entries if entry.task.startswith(f"{Criterion.BUILD}/")]
        failed = {
            entry.task for entry in builds if any(cell.cases[0].verdict is not Verdict.PASS for cell in entry.cells)
        }
        lost = {entry.task for entry in builds if not (work / teams_of(entry.task)[0]).exists()} - failed
        run = ActiveRun(info, done - lost)
        self._open[info.id] = _OpenRun(self.course.directory, run, entries)
        self._scheduler.add(run)
        if run.is_over:
            self._end(run)
        self._changed.set()

    @property
    def is_idle(self) -> bool:
        """Whether no run is in progress."""
        return not self._scheduler.runs

    @property
    def active_runs(self) -> list[ActiveRun]:
        """The runs in progress."""
        return list(self._scheduler.runs)

    @property
    def running_tasks(self) -> list[tuple[str, str]]:
        """Run and key of every task in progress."""
        return [(run.info.id, key) for run in self._scheduler.runs for key in sorted(run.running_tasks)]

    # --- the loop -----------------------------------------------------------------------------------------------------

    async def work(self, *, until_idle: bool = False) -> None:
        """Execute tasks, forever or until all runs are over; raise `Unavailable` if results cannot be stored."""
        while not (until_idle and self.is_idle):
            self._changed.clear()
            if self._failure is not None:
                raise self._failure
            while (
                len(self._workers) < self.course.file.concurrency and (next_task := self._scheduler.take()) is not None
            ):
                worker = asyncio.get_running_loop().create_task(self._work(*next_task))
                self._workers.add(worker)
                worker.add_done_callback(self._on_worker_end)
            if not (until_idle and self.is_idle):
                await self._changed.wait()

    def _on_worker_end(self, worker: asyncio.Task[None]) -> None:
        self._workers.discard(worker)
        if not worker.cancelled() and isinstance(error := worker.exception(), Exception):
            self._failure = error
        self._changed.set()

    async def _work(self, run: ActiveRun, key: str) -> None:
        """Execute a task, store and report its result, and begin the run that has waited for it, if any."""
        open_run = self._open[run.info.id]
        start = monotonic()
        reply = self._reply_if_prevented(open_run, key)
        if reply is None:
            reply = await self._execute(run.info, key)
        open_run.store(reply)
        cells = tuple(cell for cell in reply.cells if not run.info.team or cell.team == run.info.team)
        entry = TaskEntry(key, now(), cells, round(monotonic() - start, 3))
        if key not in open_run.entries:  # a build that was repeated after a crash has one already
            open_run.writer.append(entry)
            open_run.entries[key] = msgspec.structs.replace(entry, cells=reply.cells)
            self._report(run.info, entry, len(open_run.entries), len(run.info.tasks))
        request = self._scheduler.finish(run, key)
        if run.is_over:
            self._end(run)
        if request is not None:
            with suppress(Malformed):  # the team has left the course, or no longer delivers a program
                self.begin(request.team, self.course.file.schedule.push, request.cause)

    def _end(self, run: ActiveRun) -> None:
        """Close a run that is over, and remove the files that retention does not keep."""
        self._scheduler.close(run)
        open_run = self._open.pop(run.info.id, None)
        if open_run is not None:
            open_run.close()
        shutil.rmtree(run_directory(self.course.directory, run.info.id) / WORK_DIRECTORY, ignore_errors=True)
        retain(self.course)

    def _reply_if_prevented(self, open_run: _OpenRun, key: str) -> TaskReply | None:
        """Return the reply for a task that a failure of an earlier task prevents, or None if it can be executed."""
        team_names = {team.name for team in self.course.teams}
        if not team_names.issuperset(teams_of(key)):
            return TaskReply()  # the team has left the course
        obstacles = {
            name: cause for name, criterion, _ in cells_of(key) if (cause := _obstacle(open_run, name, criterion))
        }
        if not obstacles:
            return None
        cells = []
        for name, criterion, against in cells_of(key):
            if name in obstacles:
                case = Case(
                    key.partition("/")[0], Verdict.NOT_EXAMINED, because=obstacles[name], kind=FindingKind.BLOCKED
                )
            else:
                detail = f"the program of {against} cannot play: {obstacles[against]}"
                case = Case(key.partition("/")[0], Verdict.SKIPPED, detail=detail, kind=FindingKind.OTHER)
            cells.append(Cell(name, criterion, (case,), against))
        return TaskReply(tuple(cells))

    async def _execute(self, info: RunInfo, key: str) -> TaskReply:
        """Execute a task in a worker and return its reply, or a reply without results if the worker fails."""
        directory = run_directory(self.course.directory, info.id)
        order = TaskOrder(
            str(self.course.directory), key, info.id, str(directory / WORK_DIRECTORY), str(directory / FILES_DIRECTORY)
        )
        argv = [sys.executable, "-c", _WORKER_PROGRAM]
        if not needs_host_network(self.course, key):
            argv, _ = private_loopback(argv)
        starting = asyncio.ensure_future(asyncio.create_subprocess_exec(
            *argv, stdin=asyncio.subprocess.PIPE, stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.DEVNULL,
            start_new_session=True, limit=MAX_REPLY_BYTES,
        ))  # fmt: skip
        try:
            process = await asyncio.shield(starting)
        except asyncio.CancelledError:  # asyncio would kill only bubblewrap, and wait for the program inside
            await _kill_worker(await starting)
            raise
        assert process.stdin is not None
        assert process.stdout is not None
        limit = self.course.file.timing.task
        try:
            process.stdin.write(msgspec.json.encode(order) + b"\n")
            data = await asyncio.wait_for(process.stdout.read(), limit + MARGIN_SECONDS)
            reply = msgspec.json.decode(data, type=TaskReply) if data else TaskReply(error="the worker process died")
        except TimeoutError:
            return TaskReply(_overdue(key, limit))
        except (OSError, msgspec.MsgspecError) as error:
            reply = TaskReply(error=str(error))
        finally:
            await _kill_worker(process)
        if reply.error:
            return TaskReply(without_result(key, "", Verdict.SKIPPED, FindingKind.INTERNAL, reply.error))
        return reply

    async def close(self) -> None:
        """Stop all workers; tasks in progress are executed again when their run is resumed."""
        for worker in tuple(self._workers):
            worker.cancel()
        await asyncio.gather(*self._workers, return_exceptions=True)
        for open_run in self._open.values():
            open_run.close()
        self._lock.close()


def _lock_error(lock_file: Path, course: Path) -> str:
    """Return the error message if another process runs the course, with the address at which it may serve it."""
    try:
        address = lock_file.read_text("utf-8").strip()
    except (OSError, UnicodeDecodeError):
        address = ""
    if address:
        return (
            f"`boardwire course serve` is running for {course}; start the run there with the teacher's token: "
            f"with the button at {address}, or with POST {address}/api/course/runs"
        )
    return f"another `boardwire course run` is running for {course}; wait for it, or stop it"


async def _kill_worker(process: asyncio.subprocess.Process) -> None:
    """Kill a worker with its process group, and wait for its end."""
    with suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)
    await process.wait()


def _obstacle(open_run: _OpenRun, team: str, criterion: Criterion) -> str:
    """Return the failed case that prevents a team's part of a task, or ''."""
    if criterion is Criterion.BUILD:
        return ""
    if _has_failed(open_run, f"{Criterion.BUILD}/{team}", BUILDS):
        return BUILDS
    if criterion is Criterion.SERVER_MATCHES:
        return PLAIN if _has_failed(open_run, f"{Criterion.SERVER_RESILIENCE}/{team}", PLAIN) else ""
    if criterion in (Criterion.CLIENT_MATCHES, Criterion.TOURNAMENT):
        return PLAIN if _has_failed(open_run, f"{Criterion.CLIENT_RESILIENCE}/{team}", PLAIN) else ""
    return ""


def _has_failed(open_run: _OpenRun, key: str, name: str) -> bool:
    """Return whether a finished task failed the case of this name or, if it has no such case, any case."""
    entry = open_run.entries.get(key)
    cases = [case for cell in entry.cells for case in cell.cases] if entry is not None else []
    relevant = [case for case in cases if case.name == name] or cases
    return any(case.verdict in (Verdict.FAIL, Verdict.NOT_EXAMINED) for case in relevant)


def _overdue(key: str, limit: float) -> tuple[Cell, ...]:
    """Return the cells of a task that took too long: one team fails, while a task of two teams does not count."""
    detail = f"not finished within {limit:g} s"
    verdict = Verdict.FAIL if len(teams_of(key)) == 1 else Verdict.SKIPPED
    return without_result(key, "", verdict, FindingKind.TIME, detail)


def retain(course: Course) -> None:
    """Remove transcripts, logs and replays of all but the newest runs; results are kept."""
    for name in run_names(course.directory)[: -course.file.retention.runs]:
        for part in (FILES_DIRECTORY, MATCHES_DIRECTORY, WORK_DIRECTORY):
            shutil.rmtree(run_directory(course.directory, name) / part, ignore_errors=True)


def unfinished_runs(course: Course) -> list[RunResults]:
    """Return all interrupted runs, oldest first."""
    return [run for run in read_results(course.directory) if not run.is_complete]


async def run_course(
    course: Course,
    team: str = "",
    criteria: Iterable[Criterion] = (),
    *,
    report: ReportTask = no_report,
    new: bool = False,
) -> RunInfo:
    """Finish an interrupted run, or begin and finish a new one if there is none or with `new`."""
    criteria = tuple(criteria)
    runner = CourseRunner(course, report)
    try:
        interrupted = None if new else runner.unfinished(team, criteria)
        if interrupted is not None:
            runner.resume(interrupted)
            info = interrupted.info
        else:
            info = runner.begin(team, criteria)
        await runner.work(until_idle=True)
        return info
    finally:
        await runner.close()
