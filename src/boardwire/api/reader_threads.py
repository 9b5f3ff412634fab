"""Reader threads, which read the journal and replay matches for HTTP, so that no move waits for this.

- Requests queue by client address (`FairQueue`): addresses take turns, and each has a share of the queue. A request
  that exceeds it gets 503 with Retry-After before anything is read for it.
- Long work runs in slices. It calls `check` regularly; after `SLICE_SECONDS` it pauses if other requests wait, and its
  address gets its next turn after all others. So a short request waits for slices, not for matches.
- At most `ADDRESS_STARTED_LIMIT` requests of one address are started and unfinished; they take turns too.
- `check` also ends work: after `BUDGET_SECONDS`, when all its clients have disconnected, and when the server stops.
  Work over budget gets 503, and so does the same request for `OVER_BUDGET_SECONDS`.
- Requests with the same key are merged and share one result. Running work may have read outdated data, so a request
  joins it only if its result never changes.
- At most `MAX_RUNNING` jobs run at the same time, and about `STARTED_LIMIT` are started and unfinished, because a
  paused job keeps its thread and its data.
- The threads are daemons: the process exits without waiting for them.

Times are CPU time of the thread, so a slow machine does not shorten the budget.
"""

from __future__ import annotations

import asyncio
import threading
import time
from collections import Counter, deque
from collections.abc import Callable, Hashable, Iterable, Iterator
from contextlib import suppress
from queue import SimpleQueue
from typing import Any, Final, TypeVar

import structlog

from boardwire.talk import FairQueue

log = structlog.get_logger("boardwire.api")

MAX_RUNNING: Final = 2
"""Requests that run at the same time."""
STARTED_LIMIT: Final = 32
"""Started and unfinished requests; above that, no work pauses for others."""
ADDRESS_STARTED_LIMIT: Final = 8
"""Started and unfinished requests of one address; above that, one must finish before another one starts."""
ADDRESS_LIMIT: Final = 64
"""Requests of one address that may wait for a reader; further ones get 503."""
WAITING_LIMIT: Final = 512
"""Requests that may wait for a reader; above that, the address with the most gets 503."""
BUDGET_SECONDS: Final = 10.0
"""CPU time that a request may use; beyond that, it gets 503."""
SLICE_SECONDS: Final = 0.02
"""CPU time after which a request pauses if others wait for a reader."""
OVER_BUDGET_SECONDS: Final = 30.0
"""Time for which a repeated request over budget is refused at once."""
OVER_BUDGET_LIMIT: Final = 1000
"""Remembered requests over budget."""

T = TypeVar("T")


class Busy(Exception):
    """The queue is full."""


class OverBudget(Exception):
    """The request exceeds its CPU budget."""


class Cancelled(Exception):
    """All clients have disconnected, or the server stops."""


class Stopping(Exception):
    """The server is stopping."""


_current: Final = threading.local()


def check() -> None:
    """Pause if the slice is over, and raise if the current work must end; does nothing on other threads."""
    job: _Job | None = getattr(_current, "job", None)
    if job is not None:
        job.check()


def with_checks(items: Iterable[T]) -> Iterator[T]:
    """Yield the items, with a `check` before each."""
    for item in items:
        check()
        yield item


class _Job:
    """A job, and the requests that wait for its result."""

    __slots__ = ("_readers", "budget_end", "call", "cancelled", "key", "resume_signal", "slice_end", "tickets", "turn")

    def __init__(self, readers: Readers, call: Callable[[], Any], key: Hashable | None) -> None:
        self._readers = readers
        self.call = call
        self.key = key
        self.tickets: set[_Ticket] = set()
        self.turn: _Ticket | None = None
        """Ticket that started it, or None if it is not started."""
        self.cancelled = False
        self.budget_end = 0.0
        """CPU time of its thread at which its budget is used up."""
        self.slice_end = 0.0
        """CPU time at which it pauses if others wait."""
        self.resume_signal = threading.Semaphore(0)

    def check(self) -> None:
        if self.cancelled:
            raise Cancelled
        now = self._readers.clock()
        if now >= self.budget_end:
            raise OverBudget
        if now >= self.slice_end:
            self._readers.pause(self)
            self.slice_end = self._readers.clock() + SLICE_SECONDS
            if self.cancelled:
                raise Cancelled


class _Ticket:
    """A waiting request, and the future of its result on the event loop.

    Not a `concurrent.futures.Future`: its callbacks make a reference cycle, so that a response of half a megabyte would
    stay in memory until the garbage collector runs, which is seldom (`node.GC_THRESHOLDS`).
    """

    __slots__ = ("_loop", "address", "future", "job")

    def __init__(self, address: str, job: _Job, loop: asyncio.AbstractEventLoop) -> None:
        self.address = address
        self.job = job
        self._loop = loop
        self.future: asyncio.Future[Any] = loop.create_future()

    def succeed(self, result: object) -> None:
        """Set the result; from any thread."""
        self._settle(result, None)

    def fail(self, error: BaseException) -> None:
        """Set an exception; from any thread."""
        self._settle(None, error)

    def _settle(self, result: object, error: BaseException | None) -> None:
        with suppress(RuntimeError):  # the loop is closed: the request is gone
            self._loop.call_soon_threadsafe(_settle, self.future, result, error)


class Readers:
    """Pool of reader threads. `clock` returns the CPU time of the calling thread, `now` the time."""

    def __init__(
        self,
        clock: Callable[[], float] = time.thread_time,
        now: Callable[[], float] = time.monotonic,
        per_address: int = ADDRESS_LIMIT,
    ) -> None:
        self.clock = clock
        self._now = now
        self._lock = threading.Lock()
        self._queue: FairQueue[_Ticket] = FairQueue(per_key=per_address, total=WAITING_LIMIT, active_per_key=1)
        self._internal_jobs: deque[Callable[[], None]] = deque()
        """Internal jobs, for which no request waits."""
        self._jobs: dict[Hashable, _Job] = {}
        """Unfinished jobs by key."""
        self._over_budget: dict[Hashable, float] = {}
        """Keys that are refused at once, and until when."""
        self._inbox: SimpleQueue[_Job | Callable[[], None] | None] = SimpleQueue()
        self._idle = 0
        """Number of threads that wait for a job."""
        self._running = 0
        """Number of threads that run a job."""
        self._started: set[_Job] = set()
        """Started and unfinished jobs, paused ones included."""
        self._started_by_address: Counter[str] = Counter()
        self._closed = False

    @property
    def waiting(self) -> int:
        """Number of requests that wait for a reader or have one."""
        return len(self._queue) + self._running

    async def read(
        self, call: Callable[[], T], address: str = "", key: Hashable | None = None, *, constant: bool = False
    ) -> T:
        """Run `call` on a reader thread for a client at `address` and return its result.

        Requests with the same `key` share a result; `constant` says that it never changes for this key. Raises `Busy`,
        `OverBudget` or `Stopping`, besides the exceptions of `call`.
        """
        ticket = self._enqueue(call, address, key, constant=constant)
        try:
            result: T = await ticket.future
        except asyncio.CancelledError:
            self._abandon_request(ticket)
            raise
        finally:
            del ticket  # the traceback of its exception refers to this frame
        return result

    def run_internal(self, call: Callable[[], None]) -> None:
        """Run an internal job on a reader thread, ahead of waiting requests."""
        with self._lock:
            if self._closed:
                return
            self._internal_jobs.append(call)
            self._dispatch_jobs()

    def close(self) -> None:
        """Refuse waiting requests and end running ones at their next `check`, without waiting."""
        with self._lock:
            self._closed = True
            refused_tickets = set(self._queue.drain())
            for job in self._started:
                job.cancelled = True
                refused_tickets |= job.tickets
                job.tickets.clear()
                job.resume_signal.release()
            for _ in range(self._idle):
                self._inbox.put(None)
            self._idle = 0
            self._jobs.clear()
        for ticket in refused_tickets:
            ticket.fail(Stopping())

    # --- on the caller's thread ---------------------------------------------------------------------------------------

    def _enqueue(self, call: Callable[[], Any], address: str, key: Hashable | None, *, constant: bool) -> _Ticket:
        """Queue a call, or join an equal one that waits; `constant`: also one that runs."""
        with self._lock:
            if self._closed:
                raise Stopping
            if key is not None and self._is_over_budget(key):
                raise OverBudget
            job = self._jobs.get(key) if key is not None else None
            is_new = job is None or (job.turn is not None and not constant)
            if job is None or is_new:
                job = _Job(self, call, key)
            ticket = _Ticket(address, job, asyncio.get_running_loop())
            if job.turn is None:
                refused = self._queue.offer(address, ticket)
                if refused is ticket:
                    raise Busy
            else:
                refused = None
            if is_new and key is not None:
                self._jobs[key] = job
            job.tickets.add(ticket)
            if refused is not None:
                self._forget_ticket(refused)
            self._dispatch_jobs()
        if refused is not None:
            refused.fail(Busy())
        return ticket

    def _is_over_budget(self, key: Hashable) -> bool:
        """Return whether the last request with this key used up its budget a short time ago."""
        until = self._over_budget.get(key)
        if until is None:
            return False
        if until > self._now():
            return True
        del self._over_budget[key]
        return False

    def _abandon_request(self, ticket: _Ticket) -> None:
        """Drop the request of a client that has disconnected."""
        with self._lock:
            if ticket.job.turn is not ticket:
                self._queue.withdraw(ticket.address, ticket)
            self._forget_ticket(ticket)

    def _forget_ticket(self, ticket: _Ticket) -> None:
        job = ticket.job
        job.tickets.discard(ticket)
        if not job.tickets:
            job.cancelled = True
            self._drop_key(job)

    def _drop_key(self, job: _Job) -> None:
        if job.key is not None and self._jobs.get(job.key) is job:
            del self._jobs[job.key]

    def _dispatch_jobs(self) -> None:
        """Start waiting jobs, in turn. The lock must be held."""
        while self._running < MAX_RUNNING:
            if self._internal_jobs:
                self._running += 1
                self._hand_over(self._internal_jobs.popleft())
                continue
            entry = self._queue.next()
            if entry is None:
                return
            address, ticket = entry
            job = ticket.job
            if job.turn is ticket:  # it was paused
                self._running += 1
                job.resume_signal.release()
            elif job.turn is not None or job.cancelled:  # started by another address, or cancelled
                self._queue.done(address)
            else:
                job.turn = ticket
                self._running += 1
                self._started.add(job)
                self._started_by_address[address] += 1
                self._hand_over(job)

    def _hand_over(self, work: _Job | Callable[[], None]) -> None:
        self._inbox.put(work)
        if self._idle:
            self._idle -= 1
        else:
            threading.Thread(target=self._run_thread, name="reader", daemon=True).start()

    # --- on reader threads --------------------------------------------------------------------------------------------

    def _run_thread(self) -> None:
        """Run jobs until the queue is closed; this is the main function of a reader thread."""
        while (work := self._inbox.get()) is not None:
            if isinstance(work, _Job):
                self._run_job(work)
            else:
                try:
                    work()
                except Exception as error:  # an exception must not end the reader thread
                    log.error("exception in an internal job of a reader thread", exc_info=error)
            del work  # free its data: the thread may be idle for a long time
            with self._lock:
                self._running -= 1
                if self._closed:
                    return
                self._idle += 1
                self._dispatch_jobs()
                if self._idle > MAX_RUNNING:
                    self._idle -= 1
                    return

    def _run_job(self, job: _Job) -> None:
        """Run a job within its budget and give the result to all requests that wait for it."""
        result: Any = None
        fault: BaseException | None = None
        now = self.clock()
        job.budget_end, job.slice_end = now + BUDGET_SECONDS, now + SLICE_SECONDS
        _current.job = job
        try:
            job.check()
            result = job.call()
        except BaseException as error:  # noqa: BLE001 - passed on to the request
            fault = error
        finally:
            _current.job = None
        self._settle(self._finish_job(job, fault), result, fault)
        fault = None  # break the reference cycle: its traceback refers to this frame

    def _finish_job(self, job: _Job, fault: BaseException | None) -> tuple[_Ticket, ...]:
        """Remove a job; return the requests that wait for its result."""
        with self._lock:
            self._started.discard(job)
            self._drop_key(job)
            assert job.turn is not None, "running work has been started"
            self._started_by_address -= Counter([job.turn.address])
            if not self._closed:
                self._queue.done(job.turn.address)
            if isinstance(fault, OverBudget) and job.key is not None:
                self._remember_over_budget(job.key)
            tickets = tuple(job.tickets)
            for ticket in tickets:
                self._queue.withdraw(ticket.address, ticket)
            job.tickets.clear()  # tickets refer to their job
            job.turn, job.cancelled = None, True
            return tickets

    @staticmethod
    def _settle(tickets: tuple[_Ticket, ...], result: Any, fault: BaseException | None) -> None:
        for ticket in tickets:
            if fault is None:
                ticket.succeed(result)
            else:
                ticket.fail(Stopping() if isinstance(fault, Cancelled) else fault)

    def _remember_over_budget(self, key: Hashable) -> None:
        self._over_budget.pop(key, None)
        self._over_budget[key] = self._now() + OVER_BUDGET_SECONDS
        while len(self._over_budget) > OVER_BUDGET_LIMIT:
            del self._over_budget[next(iter(self._over_budget))]

    def pause(self, job: _Job) -> None:
        """Pause until the next turn of this job's address; return at once if no other job waits."""
        with self._lock:
            if self._closed or not (self._queue or self._internal_jobs) or len(self._started) >= STARTED_LIMIT:
                return
            assert job.turn is not None, "running work has been started"
            self._running -= 1
            address = job.turn.address
            finishes = self._started_by_address[address] >= ADDRESS_STARTED_LIMIT
            self._queue.put_back(address, job.turn, first=finishes)
            self._dispatch_jobs()
        job.resume_signal.acquire()


def _settle(future: asyncio.Future[Any], result: object, error: BaseException | None) -> None:
    if future.done():  # cancelled: the client is gone
        return
    if error is None:
        future.set_result(result)
    else:
        future.set_exception(error)
