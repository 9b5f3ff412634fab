"""Worker processes for searches, so that the event loop never waits for one.

Rules:

- A process is started when a question waits and no process is idle, up to the limit of workers; it ends after
  `IDLE_WORKER_SECONDS` without work, and with the server.
- `post` delivers exactly one result or error per question, and none after a cancellation. A process that dies or hangs
  is replaced.
- Questions are queued per client address and served round robin between addresses, so that one address delays the
  others by one question each. Moves and hints for people come first, then analyses, then tables where only bots play.
- The queue is bounded, in total and per address. If it is full, the address with the longest queue loses a question.
- A process is replaced before its next question if packages have been compiled since its start (`compiled.py`).
- Time limits shrink if an address has many questions waiting, if many addresses wait, or if the machine has no free
  core. Node limits do not, so that a search that ends in time has the same result on every machine.

Each process has two threads that block on its pipes, one for writing and one for reading, because Windows has no other
way to wait for a pipe. The event loop never blocks.
"""

from __future__ import annotations

import io
import os
import queue
import subprocess
import sys
import threading
from collections.abc import Callable, Sequence
from contextlib import suppress
from enum import IntEnum
from time import monotonic
from typing import Any, Final, Protocol, TypeAlias, cast

import msgspec
from msgspec.structs import replace

from boardwire.bots.engine import Past, SearchResult
from boardwire.bots.levels import Level
from boardwire.bots.worker import DEFAULT_SEARCH_SECONDS, HANG_GRACE_SECONDS
from boardwire.bots.worker_messages import Halt, Question, Reply, decode_result, encode_question, frame, read_reply
from boardwire.errors import BoardwireError, Reason, Refused
from boardwire.games.game import Decision
from boardwire.talk.fair_queue import FairQueue

WAITING_LIMIT: Final = 256
"""Maximum number of waiting questions of one rank."""
WAITING_PER_ADDRESS: Final = 64
"""Maximum number of waiting questions of one rank and one address: enough for a class behind one address."""
IDLE_WORKER_SECONDS: Final = 120.0
"""Time after which an idle process ends."""
START_SECONDS: Final = 30.0
"""Time limit for the start of a process."""
MIN_SEARCH_SECONDS: Final = 0.05
"""Minimum time limit of a search under load."""
COMMAND: Final = (sys.executable, "-P", "-m", "boardwire.bots.worker")


class Rank(IntEnum):
    """Purpose of a question; the lowest is served first."""

    MOVE = 0
    """A person waits: a bot's move at a person's table, or a hint."""
    STUDY = 1
    """The analysis of a finished match."""
    BOTS_ONLY = 2
    """A bot's move at a table where only bots play."""


SHARES: Final = {Rank.MOVE: 1, Rank.STUDY: 4, Rank.BOTS_ONLY: 16}
"""Every Nth question is of this rank if one is waiting, so that no rank starves."""


class NoAnswer(Refused):
    """A worker process died or hung, or its engine failed."""


Done: TypeAlias = Callable[[SearchResult | BoardwireError], None]
Post: TypeAlias = Callable[..., object]
"""Schedules a call on the caller's event loop."""


class Ticket(Protocol):
    """A pending question."""

    def cancel(self) -> None:
        """Cancel the question: `done` will not be called."""


class SearchService(Protocol):
    """Runs searches for the server."""

    def ask(
        self, game: str, view: Any, decision: Decision[Any], level: Level, seed: int, done: Done,
        rank: Rank = Rank.MOVE, address: str = "", past: Past = (),
    ) -> Ticket:  # fmt: skip
        """Search a decision on behalf of a client address; raise `Refused` if the queue is full."""


def cores() -> int:
    """Return the number of cores that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def fair_seconds(seconds: float, waiting: int, workers: int, cores: int) -> float:
    """Return the time limit of one of `waiting + 1` competing questions on `workers` processes and `cores` cores."""
    shared = seconds / (1 + waiting / workers) * min(1.0, cores / (workers + 1))
    return min(seconds, max(MIN_SEARCH_SECONDS, shared))


def count_competing(queue: FairQueue[Any], address: str) -> int:
    """Return the number of waiting questions that compete with one of `address`: its own, and one per other one."""
    own = queue.waiting(address)
    return own + queue.keys() - (own > 0)


class _Job:
    """A question and its callback."""

    def __init__(
        self, question: Question, done: Done, rank: Rank, address: str, cancel: Callable[[_Job], None]
    ) -> None:
        self.question = question
        self.rank = rank
        self.address = address
        self.done: Done | None = done
        self.process: _Process | None = None
        """The process that searches it."""
        self._cancel = cancel

    def cancel(self) -> None:
        """Cancel the question (`Ticket`)."""
        self._cancel(self)


class Pool:
    """A pool of worker processes (`SearchService`). `workers` 0: one for each core except the server's."""

    def __init__(
        self, post: Post, workers: int = 0, *, command: Sequence[str] = COMMAND, grace: float = HANG_GRACE_SECONDS,
        idle: float = IDLE_WORKER_SECONDS, waiting: int = WAITING_LIMIT, per_address: int = WAITING_PER_ADDRESS,
        compiled: Callable[[], int] = lambda: 0,
    ) -> None:  # fmt: skip
        self._post = post
        self._compiled = compiled
        """Returns a number that grows when packages of the workers have been compiled."""
        self._cores = cores()
        self._workers = workers or max(1, self._cores - 1)
        self._command = tuple(command)
        self._grace = grace
        self._idle_seconds = idle
        self._changed = threading.Condition()
        self._queues: dict[Rank, FairQueue[_Job]] = {
            rank: FairQueue(per_key=per_address, total=waiting) for rank in Rank
        }
        self._number = 0
        self._served = 0
        self._idle = 0
        self._serving = 0
        """Threads that will take a question; ending threads are still in `_threads`."""
        self._threads: set[threading.Thread] = set()
        self._processes: set[_Process] = set()
        self._closed = False

    @property
    def waiting(self) -> int:
        """Number of questions without a process."""
        return sum(map(len, self._queues.values()))

    @property
    def workers(self) -> tuple[int, ...]:
        """Process ids of the workers."""
        with self._changed:
            return tuple(process.pid for process in self._processes)

    def ask(
        self, game: str, view: Any, decision: Decision[Any], level: Level, seed: int, done: Done,
        rank: Rank = Rank.MOVE, address: str = "", past: Past = (),
    ) -> Ticket:  # fmt: skip
        """Queue a question (`SearchService.ask`)."""
        with self._changed:
            self._number += 1
            job = _Job(
                encode_question(self._number, game, view, decision, level, seed, past), done, rank, address,
                self._cancel,
            )  # fmt: skip
            refused = job if self._closed else self._queues[rank].offer(address, job)
            if refused is job:
                raise Refused(self._full_message(rank, address), reason=Reason.SERVER_FULL)
            if self._idle < self.waiting and self._serving < self._workers:
                self._serving += 1
                thread = threading.Thread(target=self._serve, name="thinker", daemon=True)
                self._threads.add(thread)
                thread.start()
            self._changed.notify()
        if refused is not None:
            self._deliver(refused, Refused(self._full_message(rank, refused.address), reason=Reason.SERVER_FULL))
        return job

    def _full_message(self, rank: Rank, address: str) -> str:
        own = self._queues[rank].waiting(address)
        return f"the queue for bots is full ({own} waiting questions from your address); try again in a few seconds"

    def _cancel(self, job: _Job) -> None:
        with self._changed:
            job.done = None
            self._queues[job.rank].withdraw(job.address, job)
            process = job.process
        if process is not None:
            process.halt(job.question.number)

    def close(self) -> None:
        """End all processes; no callback runs after that."""
        with self._changed:
            self._closed = True
            for queue in self._queues.values():
                queue.drain()
            processes = tuple(self._processes)
            threads = tuple(self._threads)
            self._changed.notify_all()
        for process in processes:
            process.kill()
        for thread in threads:
            thread.join(HANG_GRACE_SECONDS)

    # --- in the thread of a process -----------------------------------------------------------------------------------

    def _serve(self) -> None:
        """Answer questions with one process, which is replaced after a fault; run by a thread of the pool."""
        process: _Process | None = None
        try:
            while (job := self._next_job()) is not None:
                try:
                    if process is not None and (process.is_gone or process.compiled != self._compiled()):
                        self._end_process(process)
                        process = None
                    process = process or self._start()
                    result = self._answer_job(process, job)
                except Exception as error:  # noqa: BLE001 - the caller must get an answer
                    result = error if isinstance(error, NoAnswer) else NoAnswer(f"{type(error).__name__}: {error}")
                    if process is not None:
                        self._end_process(process)
                        process = None
                self._deliver(job, result)
        finally:
            if process is not None:
                self._end_process(process)
            with self._changed:
                self._threads.discard(threading.current_thread())

    def _next_job(self) -> _Job | None:
        """Wait for the next question; None after `idle` seconds without one."""
        with self._changed:
            self._idle += 1
            try:
                end = monotonic() + self._idle_seconds
                while not self._closed:
                    if (job := self._dequeue()) is not None:
                        return job
                    if not self._changed.wait(max(0.0, end - monotonic())) and monotonic() >= end:
                        break
                self._serving -= 1  # under the lock: a question from now on needs another thread
                return None
            finally:
                self._idle -= 1

    def _dequeue(self) -> _Job | None:
        """Remove the next question. The lowest rank goes first, but every rank has a share (`SHARES`)."""
        self._served += 1
        order = sorted(Rank, key=lambda rank: (self._served % SHARES[rank] != 0, rank))
        for rank in order:
            queue = self._queues[rank]
            if (entry := queue.next()) is not None:
                queue.done(entry[0])  # several questions of one address may run at the same time
                return entry[1]
        return None

    def _start(self) -> _Process:
        """Start a process and wait until it is ready."""
        process = _Process(self._command, self._compiled())
        with self._changed:
            self._processes.add(process)
            closed = self._closed
        if closed:
            process.kill()
        try:
            process.reply(START_SECONDS)
        except BaseException:
            self._end_process(process)
            raise
        return process

    def _end_process(self, process: _Process) -> None:
        process.end()
        with self._changed:
            self._processes.discard(process)

    def _answer_job(self, process: _Process, job: _Job) -> SearchResult | BoardwireError:
        """Send a question to a process and wait for its reply."""
        question = job.question
        with self._changed:
            others = count_competing(self._queues[job.rank], job.address)
        seconds = fair_seconds(question.level.seconds or DEFAULT_SEARCH_SECONDS, others, self._workers, self._cores)
        process.ask(replace(question, level=replace(question.level, seconds=seconds)))
        with self._changed:
            job.process = process
            cancelled = job.done is None
        if cancelled:
            process.halt(question.number)
        try:
            reply = process.reply(seconds + self._grace)
        finally:
            job.process = None
        if reply.fault:
            return NoAnswer(f"the engine of {question.game} failed: {reply.fault}")
        return decode_result(reply, question.game)

    def _deliver(self, job: _Job, result: SearchResult | BoardwireError) -> None:
        with self._changed:
            if self._closed or job.done is None:
                return
        self._post(self._call_back, job, result)

    def _call_back(self, job: _Job, result: SearchResult | BoardwireError) -> None:
        """Call back on the event loop, unless the question was cancelled in the meantime."""
        if not self._closed and (done := job.done) is not None:
            job.done = None
            done(result)


class _Process:
    """A worker process with its pipes."""

    def __init__(self, command: Sequence[str], compiled: int) -> None:
        self._process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, bufsize=0)
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._into = self._process.stdin
        self._out = io.BufferedReader(cast("io.FileIO", self._process.stdout))
        self._writing = threading.Lock()
        self._replies: queue.SimpleQueue[Reply | BoardwireError | None] = queue.SimpleQueue()
        """None: the process has closed its output."""
        self._reader = threading.Thread(target=self._read, name="thinker replies", daemon=True)
        self._reader.start()
        self.pid = self._process.pid
        self.compiled = compiled
        """Result of `Pool._compiled` before the process was started."""

    @property
    def is_gone(self) -> bool:
        """Whether the process has ended."""
        return self._process.poll() is not None

    def ask(self, question: Question) -> None:
        """Send a question."""
        self._write(frame(question))

    def halt(self, number: int) -> None:
        """Stop the search of a question; the process replies with its best result so far."""
        with suppress(OSError, ValueError):
            self._write(frame(Halt(number)))

    def _write(self, data: bytes) -> None:
        with self._writing:
            while data:
                data = data[self._into.write(data) or 0 :]

    def _read(self) -> None:
        """Read replies until the process closes its output."""
        result: Reply | BoardwireError | None = None
        try:
            while (result := read_reply(self._out.read)) is not None:
                self._replies.put(result)
        except (OSError, msgspec.MsgspecError) as error:
            result = NoAnswer(f"a bot worker sent an invalid reply: {error}")
        except BoardwireError as error:
            result = error
        self._replies.put(result)

    def reply(self, seconds: float) -> Reply:
        """Read a reply; raise `NoAnswer` after `seconds` without one."""
        try:
            reply = self._replies.get(timeout=seconds)
        except queue.Empty:
            raise NoAnswer(f"a bot worker did not answer within {seconds:.1f} s") from None
        if isinstance(reply, BoardwireError):
            raise reply
        if reply is None:
            raise NoAnswer("a bot worker exited unexpectedly")
        return reply

    def kill(self) -> None:
        """Kill the process; its threads end by themselves."""
        self._process.kill()

    def end(self) -> None:
        """Kill the process and release its resources."""
        self._process.kill()
        self._process.wait()
        with self._writing:
            self._into.close()
        self._reader.join()  # it ends, because the process has closed its output
        self._out.close()
