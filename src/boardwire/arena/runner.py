"""The tournament runner: matches in parallel worker processes, results in a store, progress to a callback.

Theory of operation:

- The runner owns a data directory with an ordinary journal (`store/sqlite.py`). A match is stored in one commit when
  it is over, and counts only from then on. So `kill -9` loses at most the matches in progress, and no stored match is
  played again.
- `arena.json` in the directory is the tournament's manifest. A tournament with another manifest is refused.
- Every worker plays the next free job, so cores stay busy although matches differ in length. A second job waits in a
  worker's pipe while enough are left.
- A worker that dies is replaced, and its jobs are played again; a job that kills its worker twice stops the tournament.
- Standard error of engines is stored in `logs/MATCH-SEAT.txt`, with the reason for a forfeit.
"""

from __future__ import annotations

import os
import selectors
import subprocess
import sys
from collections import Counter, deque
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from functools import partial
from pathlib import Path
from queue import SimpleQueue
from types import TracebackType
from typing import Any, Final, Self

import msgspec

from boardwire.arena.config import ArenaTournament
from boardwire.arena.match import MatchPlayer, PlayerFault
from boardwire.arena.results import Result, Standings, read_results, result_of, table_of
from boardwire.arena.schedule import Job, Schedule
from boardwire.arena.worker import Reply, Start, make_player
from boardwire.errors import Malformed, Unavailable
from boardwire.store.archive import DATABASE_FILE, Archive
from boardwire.store.sqlite import SqliteJournal
from boardwire.table.events import Event, decode
from boardwire.table.ports import AppendResult

MANIFEST_FILE: Final = "arena.json"
LOG_DIRECTORY: Final = "logs"
MAX_MATCH_ATTEMPTS: Final = 2
EXIT_SECONDS: Final = 5.0
"""Time in which a worker must exit after its input is closed; then it is killed."""
MAX_CONCURRENT_CHECKS: Final = 4
"""Engines that are checked at the same time before a tournament; a Java program takes a second to start."""
_WORKER_PROGRAM: Final = "from boardwire.arena.worker import main; main()"
"""Not `-m boardwire.arena.worker`, which would import the module twice."""
_READ_BYTES: Final = 1 << 20


class Progress(msgspec.Struct, frozen=True):
    """State of a running tournament."""

    schedule: Schedule
    new: tuple[Result, ...]
    running: tuple[Job, ...]


ReportProgress = Callable[[Progress], None]


class MatchStore:
    """The journal of a data directory, written synchronously."""

    def __init__(self, directory: Path) -> None:
        self._directory = directory
        self._calls: SimpleQueue[tuple[Callable[..., object], tuple[object, ...]]] = SimpleQueue()
        self._error = ""
        self._journal = SqliteJournal(directory, self._post, self._record_failure)

    def _post(self, call: Callable[..., object], *arguments: object) -> None:
        self._calls.put((call, arguments))

    def _record_failure(self, error: Exception) -> None:
        self._error = str(error)

    def add(self, matches: Sequence[tuple[str, Sequence[Event]]]) -> None:
        """Store whole matches and return when they are durable; raise `Unavailable` if they cannot be stored."""
        outcomes: list[AppendResult] = []
        for match, events in matches:
            self._journal.append(match, 1, events, outcomes.append)
        while len(outcomes) < len(matches) or self._journal.busy:  # an unfinished commit would soon count as overdue
            call, arguments = self._calls.get()
            call(*arguments)
        if AppendResult.FAILED in outcomes:
            raise Unavailable(f"cannot store matches in {self._directory}: {self._error}")
        if AppendResult.SUPERSEDED in outcomes:
            raise Unavailable(f"another process has written to {self._directory}")

    def close(self) -> None:
        """Release the directory."""
        self._journal.close()


def stored_results(directory: Path, tag: str = "") -> list[Result]:
    """Return the results of the matches in a data directory whose ids begin with `tag`, oldest first."""
    if not (directory / DATABASE_FILE).exists():
        return []
    with Archive(directory) as archive:
        return read_results(archive.events(name) for name in archive.names() if name.startswith(tag))


class Runner:
    """A tournament in a data directory; `run` plays its missing matches."""

    def __init__(self, tournament: ArenaTournament) -> None:
        self._tournament = tournament
        self._new_results: tuple[Result, ...] = ()
        self._stopping = False
        self._store = MatchStore(tournament.data)
        try:
            _check_manifest(tournament)
            self.schedule = Schedule(tournament, stored_results(tournament.data, tournament.fingerprint))
        except BaseException:
            self._store.close()
            raise
        self.resumed = len(self.schedule.results)
        """Number of matches that an earlier run has played."""

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._store.close()

    @property
    def table(self) -> Standings:
        """The table of all results so far."""
        return table_of(self.schedule.results, self._tournament.names, self._tournament.anchor)

    def stop(self) -> None:
        """Make `run` return after it has stored the results received so far; may be called by a signal handler."""
        self._stopping = True

    def run(self, report: ReportProgress = lambda progress: None) -> bool:
        """Play all missing matches; return whether the tournament is over."""
        if self.schedule.is_over:
            return True
        pool = _WorkerPool(self._tournament)
        try:
            pool.add(self.schedule.missing())
            report(Progress(self.schedule, (), ()))
            while not self.schedule.is_over and not self._stopping:
                replies = pool.wait()
                if replies:
                    pool.add(self._store_replies(replies))
                    report(Progress(self.schedule, self._new_results, pool.running))
        finally:
            pool.close()
        return self.schedule.is_over

    def _store_replies(self, replies: Iterable[Reply]) -> list[Job]:
        """Store played matches and add their results to the schedule; return the jobs that become playable."""
        matches = []
        for reply in replies:
            if reply.error:
                raise Unavailable(f"cannot play match {reply.match}: {reply.error}")
            self._write_logs(reply)
            matches.append((reply.match, [decode(event) for event in reply.events]))
        self._store.add(matches)
        results = []
        for match, events in matches:
            result = result_of(events)
            if result is None:
                raise Unavailable(f"match {match} was aborted and has no result")
            results.append(result)
        self._new_results = tuple(results)
        return self.schedule.add_all(results)

    def _write_logs(self, reply: Reply) -> None:
        """Write a file for each player of a match that had a fault or wrote output."""
        for seat, record in enumerate(reply.seats):
            if record.fault or record.log:
                directory = self._tournament.data / LOG_DIRECTORY
                directory.mkdir(exist_ok=True)
                text = f"{record.fault}\n\n{record.log}" if record.fault else record.log
                (directory / f"{reply.match}-{seat}.txt").write_text(text, "utf-8", errors="replace")


def run(tournament: ArenaTournament, report: ReportProgress = lambda progress: None) -> Standings:
    """Play the missing matches of a tournament and return its standings."""
    with Runner(tournament) as runner:
        runner.run(report)
        return runner.table


def check_players(tournament: ArenaTournament) -> None:
    """Start every engine once; raise `Unavailable` or `Malformed` for one that does not begin a match."""
    engines = [
        number for number, participant in enumerate(tournament.participants) if participant.engine or participant.python
    ]
    with ThreadPoolExecutor(MAX_CONCURRENT_CHECKS) as executor:
        list(executor.map(partial(_check_player, tournament), engines))


def _check_player(tournament: ArenaTournament, number: int) -> None:
    """Begin and end a match with one participant; raise `Unavailable` or `Malformed`, with its name, if that fails."""
    name = tournament.participants[number].name
    try:
        player: MatchPlayer = make_player(tournament, number)
    except Malformed as error:
        raise Malformed(f"participant {name}: {error}") from None
    try:
        player.begin(tournament.game, 0, tournament.seats, tournament.options, 0)
        player.end(None)
    except PlayerFault as fault:
        raise Unavailable(f"participant {name}: {fault.detail}") from None
    finally:
        player.close()


def _check_manifest(tournament: ArenaTournament) -> None:
    """Write the manifest of a new data directory; raise `Unavailable` if an existing one differs."""
    path = tournament.data / MANIFEST_FILE
    if not path.exists():
        _write_durably(path, msgspec.json.format(msgspec.json.encode(tournament.manifest)))
        return
    try:
        before = msgspec.json.decode(path.read_bytes(), type=dict[str, Any])
    except (OSError, msgspec.DecodeError) as error:
        raise Unavailable(f"cannot read {path}: {error}") from None
    changed = [key for key, value in tournament.manifest.items() if before.get(key) != value]
    if changed:
        raise Unavailable(
            f"{tournament.data} has the results of another tournament (different keys: {', '.join(changed)}); "
            "restore the tournament's file, or choose another directory with --data"
        )


def _write_durably(path: Path, text: bytes) -> None:
    temporary = path.with_suffix(".new")
    with temporary.open("wb") as file:
        file.write(text)
        file.flush()
        os.fsync(file.fileno())
    temporary.replace(path)


# --- worker processes -----------------------------------------------------------------------------------------------


class _Worker:
    """A worker process and its assigned jobs, the running one first."""

    def __init__(self, start: bytes) -> None:
        self.process = subprocess.Popen(
            [sys.executable, "-c", _WORKER_PROGRAM],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, start_new_session=True,
        )  # fmt: skip
        self.jobs: deque[Job] = deque()
        self._unread = bytearray()
        self._send(start)

    def assign(self, job: Job) -> None:
        """Send the worker a job."""
        self.jobs.append(job)
        self._send(msgspec.json.encode(job))

    def _send(self, line: bytes) -> None:
        assert self.process.stdin is not None
        with suppress(BrokenPipeError):  # `receive` detects the end of the worker
            self.process.stdin.write(line + b"\n")
            self.process.stdin.flush()

    @property
    def output(self) -> int:
        assert self.process.stdout is not None
        return self.process.stdout.fileno()

    def receive(self) -> list[Reply] | None:
        """Return the available replies, or None if the worker has ended."""
        data = os.read(self.output, _READ_BYTES)
        if not data:
            return None
        self._unread += data
        *lines, rest = self._unread.split(b"\n")
        self._unread = bytearray(rest)
        replies = [msgspec.json.decode(line, type=Reply) for line in lines]
        for _ in replies:
            self.jobs.popleft()
        return replies

    def release(self) -> None:
        """Close the worker's input, which makes it exit."""
        assert self.process.stdin is not None
        with suppress(BrokenPipeError):
            self.process.stdin.close()

    def end(self) -> None:
        """End the process and wait for it."""
        assert self.process.stdout is not None
        self.release()
        try:
            self.process.wait(EXIT_SECONDS)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        self.process.stdout.close()


def _cores() -> int:
    """Return the number of cores that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


class _WorkerPool:
    """The worker processes and the jobs that wait for them."""

    def __init__(self, tournament: ArenaTournament) -> None:
        self._tournament = tournament
        self._start = msgspec.json.encode(Start(tournament.raw, str(tournament.base), str(tournament.data)))
        self._waiting: deque[Job] = deque()
        self._attempts: Counter[str] = Counter()
        self._exclusive = frozenset(
            number
            for number, participant in enumerate(tournament.participants)
            if participant.listen or participant.connect
        )
        """Participants that play one match at a time, because their address is fixed."""
        self._selector = selectors.DefaultSelector()
        self._workers: list[_Worker] = []

    @property
    def running(self) -> tuple[Job, ...]:
        """The jobs that are being played."""
        return tuple(worker.jobs[0] for worker in self._workers if worker.jobs)

    def add(self, jobs: Iterable[Job]) -> None:
        """Queue jobs and assign them to workers."""
        self._waiting.extend(jobs)
        max_workers = self._tournament.concurrency or _cores()
        while len(self._workers) < min(max_workers, len(self._waiting) + len(self.running)):
            self._start_worker()
        self._assign()

    def _start_worker(self) -> None:
        worker = _Worker(self._start)
        self._workers.append(worker)
        self._selector.register(worker.output, selectors.EVENT_READ, worker)

    def _assign(self) -> None:
        """Assign a job to each idle worker, and a second one to each busy worker while enough are left."""
        for depth in (1, 2):
            if depth == 2 and (len(self._waiting) < 2 * len(self._workers) or self._exclusive):
                return  # near the end, a job should not wait in a pipe while another worker is idle
            for worker in self._workers:
                if len(worker.jobs) < depth and (job := self._take_next()) is not None:
                    worker.assign(job)

    def _take_next(self) -> Job | None:
        """Take the next job whose participants are free."""
        busy = {number for job in self.running for number in job.participants} & self._exclusive
        for index, job in enumerate(self._waiting):
            if not busy.intersection(job.participants):
                del self._waiting[index]
                return job
        return None

    def wait(self, seconds: float = 1.0) -> list[Reply]:
        """Return the matches played meanwhile; wait for one for at most `seconds`."""
        all_replies = []
        for key, _ in self._selector.select(seconds):
            worker: _Worker = key.data
            replies = worker.receive()
            if replies is None:
                self._replace(worker)
            else:
                all_replies += replies
        self._assign()
        return all_replies

    def _replace(self, worker: _Worker) -> None:
        """Replace a worker that has died."""
        self._selector.unregister(worker.output)
        self._workers.remove(worker)
        worker.end()
        if worker.jobs:
            first = worker.jobs[0]
            self._attempts[first.match] += 1
            if self._attempts[first.match] >= MAX_MATCH_ATTEMPTS:
                raise Unavailable(
                    f"match {first.match} ({' - '.join(first.names)}) killed its worker process "
                    f"{MAX_MATCH_ATTEMPTS} times (exit code {worker.process.returncode})"
                )
        self._waiting.extendleft(reversed(worker.jobs))
        self._start_worker()

    def close(self) -> None:
        """End all workers."""
        for worker in self._workers:
            worker.release()
        for worker in self._workers:
            worker.end()
        self._selector.close()
