"""Engines of a server's listed bots, off its event loop (`bots.listed.ListedBots`).

- Each thinking engine has a thread, at most `workers` of them; the event loop never waits.
- One process plays several matches, one decision at a time: it receives `hello` whenever the match changes. The process
  that played a match last is preferred for it.
- The fault of an engine is passed to `done`; its process has been killed, and the next question starts another one.
  After `MAX_FAILURES` in a row, questions to that bot are refused for `PAUSE_SECONDS`, so that a broken engine does not
  delay every move.
- Questions are queued per client address, round robin; the queue is bounded in total and per address.
- Idle processes end after `IDLE_ENGINE_SECONDS`, the oldest first if there are too many, and all with the server.
"""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path
from time import monotonic
from typing import Any, Final

from msgspec.structs import replace

from boardwire import games
from boardwire.bots.engine import Past, SearchResult
from boardwire.bots.levels import Level
from boardwire.bots.listed import Answered, EngineQuestion
from boardwire.bots.pool import (
    MIN_SEARCH_SECONDS,
    WAITING_LIMIT,
    WAITING_PER_ADDRESS,
    Done,
    Post,
    Rank,
    Ticket,
    cores,
    count_competing,
    fair_seconds,
)
from boardwire.bots.server_bots import MAX_CLOCK_FRACTION
from boardwire.bots.worker import NICENESS
from boardwire.engines.listing import ListedBot, open_engine
from boardwire.engines.process import Choice, EngineFault, EngineProcess, FaultReason
from boardwire.errors import BoardwireError, Reason, Refused
from boardwire.games.game import Decision, Outcome, Seat
from boardwire.talk.fair_queue import FairQueue

IDLE_ENGINE_SECONDS: Final = 120.0
"""Time after which an idle engine is ended."""
MAX_FAILURES: Final = 3
"""Consecutive failures after which a bot is paused."""
PAUSE_SECONDS: Final = 30.0
JOIN_TIMEOUT_SECONDS: Final = 5.0


class _Job:
    """A question and its callback."""

    def __init__(self, bot: str, question: EngineQuestion, done: Answered, address: str) -> None:
        self.bot = bot
        self.question = question
        self.done: Answered | None = done
        self.address = address

    def cancel(self) -> None:
        """Cancel the question (`Ticket`); an engine that is already thinking goes on until its time limit."""
        self.done = None


class _Idle:
    """An idle engine, with the match and seat that it played last."""

    def __init__(self, bot: str, engine: EngineProcess, place: tuple[str, Seat]) -> None:
        self.bot = bot
        self.engine = engine
        self.place = place
        self.since = monotonic()
        self.ending: tuple[Outcome | None, ...] = ()
        """The outcome of that match if it is over, otherwise empty."""

    def wake(self) -> EngineProcess:
        """Send the engine the end of its last match, if that is over, and return the engine."""
        for outcome in self.ending:
            self.engine.over(outcome)
        return self.engine


class EngineService:
    """The engines of a server (`ListedBots`). With 0 `workers`, there is one for each core except the server's."""

    def __init__(
        self,
        post: Post,
        listing: Sequence[ListedBot],
        base: Path,
        workers: int = 0,
        *,
        idle: float = IDLE_ENGINE_SECONDS,
        waiting: int = WAITING_LIMIT,
        per_address: int = WAITING_PER_ADDRESS,
        niceness: int = NICENESS,
        clock: Callable[[], float] = monotonic,
    ) -> None:
        self._post = post
        self._bots = {bot.name: bot for bot in listing}
        self._base = base
        self._cores = cores()
        self._workers = workers or max(1, self._cores - 1)
        self._idle_seconds = idle
        self._niceness = niceness
        self._clock = clock
        self._changed = threading.Condition()
        self._queue: FairQueue[_Job] = FairQueue(per_key=per_address, total=waiting)
        self._idle_engines: list[_Idle] = []
        self._busy_engines: set[EngineProcess] = set()
        self._threads: set[threading.Thread] = set()
        self._waiting_threads = 0
        self._failures: Counter[str] = Counter()
        self._paused_until: dict[str, float] = {}
        """The times at which paused bots are tried again."""
        self._closed = False

    # --- on the event loop --------------------------------------------------------------------------------------------

    def names(self, game: str | None = None) -> tuple[str, ...]:
        """Return the names of the bots, or of those that play a game."""
        return tuple(bot.name for bot in self._bots.values() if game is None or game in bot.played)

    def ask(self, bot: str, question: EngineQuestion, done: Answered, address: str) -> Ticket:
        """Queue a question (`ListedBots.ask`)."""
        job = _Job(bot, question, done, address)
        with self._changed:
            if self._clock() < self._paused_until.get(bot, 0.0):
                raise Refused(
                    f"the bot {bot} has failed {MAX_FAILURES} times in a row; try again in {PAUSE_SECONDS:g} s",
                    reason=Reason.UNAVAILABLE,
                )
            refused = job if self._closed else self._queue.offer(address, job)
            if refused is job:
                raise Refused("the queue for bots is full; try again in a few seconds", reason=Reason.SERVER_FULL)
            if self._waiting_threads < len(self._queue) and len(self._threads) < self._workers:
                thread = threading.Thread(target=self._run_worker, name="engine", daemon=True)
                self._threads.add(thread)
                thread.start()
            self._changed.notify()
        if refused is not None:
            self._deliver_result(
                refused, Refused("the queue for bots is full; try again in a few seconds", reason=Reason.SERVER_FULL)
            )
        return job

    def over(self, bot: str, match: str, seat: Seat, outcome: Outcome | None) -> None:
        """Record the end of a match; its engine is sent it before the next question."""
        with self._changed:
            for idle in self._idle_engines:
                if idle.place == (match, seat):
                    idle.ending = (outcome,)

    def close(self) -> None:
        """Kill all engines; no callback runs afterwards."""
        with self._changed:
            self._closed = True
            self._queue.drain()
            busy, threads = tuple(self._busy_engines), tuple(self._threads)
            self._changed.notify_all()
        for engine in busy:
            engine.kill()
        for thread in threads:
            thread.join(JOIN_TIMEOUT_SECONDS)
        for idle in self._idle_engines:
            idle.engine.kill()
            idle.engine.close()
        self._idle_engines.clear()

    # --- in a thread --------------------------------------------------------------------------------------------------

    def _run_worker(self) -> None:
        """Answer questions until the thread is no longer needed; every failure becomes an answer."""
        while (job := self._next_job()) is not None:
            engine = self._take_engine(job)
            result: SearchResult | BoardwireError
            try:
                result = self._answer_job(engine, job)
                failed = False
            except BoardwireError as error:
                result, failed = error.without_frames(), isinstance(error, EngineFault)
            except Exception as error:  # noqa: BLE001 - the caller must get an answer
                result, failed = EngineFault(FaultReason.DIED, f"{type(error).__name__}: {error}"), True
            self._give_back(engine, job, failed)
            self._deliver_result(job, result)

    def _next_job(self) -> _Job | None:
        """Wait for the next question; return None if the thread is no longer needed."""
        with self._changed:
            self._waiting_threads += 1
            try:
                deadline = monotonic() + self._idle_seconds
                while not self._closed:
                    if (entry := self._queue.next()) is not None:
                        self._queue.done(entry[0])  # several questions of one address may run at the same time
                        if entry[1].done is not None:
                            return entry[1]
                        continue
                    remaining = deadline - monotonic()
                    if remaining <= 0:
                        break
                    self._changed.wait(remaining)
                self._threads.discard(threading.current_thread())
                expired = [idle for idle in self._idle_engines if monotonic() - idle.since >= self._idle_seconds]
                self._idle_engines = [idle for idle in self._idle_engines if idle not in expired]
            finally:
                self._waiting_threads -= 1
        for idle in expired:
            idle.wake().close()
        return None

    def _take_engine(self, job: _Job) -> EngineProcess:
        """Return an engine for a question: the one that played the match, another idle one of the bot, or a new one."""
        place = (job.question.match, job.question.seat)
        with self._changed:
            candidates = [idle for idle in self._idle_engines if idle.bot == job.bot]
            engine_to_wake = next(
                (idle for idle in candidates if idle.place == place), candidates[0] if candidates else None
            )
            if engine_to_wake is None:
                bot = self._bots[job.bot]
                limits = replace(bot.limits, niceness=max(bot.limits.niceness, self._niceness))
                engine = open_engine(replace(bot, limits=limits), self._base)
                self._busy_engines.add(engine)
                return engine
            self._idle_engines.remove(engine_to_wake)
            self._busy_engines.add(engine_to_wake.engine)
        return engine_to_wake.wake()

    def _answer_job(self, engine: EngineProcess, job: _Job) -> SearchResult:
        """Ask an engine, within its fair share of the time and of the player's clock."""
        bot, question = self._bots[job.bot], job.question
        if engine.match != (question.match, question.seat) or not engine.is_running:
            engine.start(question.game, question.seat, question.seats, question.options, seed=question.seed)
            engine.match = (question.match, question.seat)
        with self._changed:
            others = count_competing(self._queue, job.address)
        seconds = fair_seconds(bot.seconds, others, self._workers, self._cores)
        if question.remaining is not None:
            seconds = max(MIN_SEARCH_SECONDS, min(seconds, question.remaining * MAX_CLOCK_FRACTION))
        choice = engine.choose(
            question.view, question.decision, seconds=seconds, remaining=question.remaining, nodes=bot.nodes
        )
        return search_result(choice)

    def _give_back(self, engine: EngineProcess, job: _Job, failed: bool) -> None:
        """Keep an engine for its match; a bot whose engines have failed several times in a row is paused."""
        surplus: list[_Idle] = []
        with self._changed:
            self._busy_engines.discard(engine)
            self._failures[job.bot] = self._failures[job.bot] + 1 if failed else 0
            if self._failures[job.bot] >= MAX_FAILURES:
                self._paused_until[job.bot] = self._clock() + PAUSE_SECONDS
                self._failures[job.bot] = 0
            if not failed and not self._closed:
                self._idle_engines.append(_Idle(job.bot, engine, (job.question.match, job.question.seat)))
                while len(self._idle_engines) > 2 * self._workers:
                    surplus.append(self._idle_engines.pop(0))
        for idle in surplus:
            idle.wake().close()
        if failed or self._closed:
            engine.close()

    def _deliver_result(self, job: _Job, result: SearchResult | BoardwireError) -> None:
        if not self._closed and job.done is not None:
            self._post(self._call_back, job, result)

    def _call_back(self, job: _Job, result: SearchResult | BoardwireError) -> None:
        """Pass the result to the caller on the event loop, unless the question was cancelled meanwhile."""
        if not self._closed and (done := job.done) is not None:
            job.done = None
            done(result)


class EngineThinkers:
    """One engine as a `SearchService`, for a bot that plays one match after another on a remote server."""

    def __init__(self, service: EngineService, bot: str, seats: int) -> None:
        self._service = service
        self._bot = bot
        self._seats = seats
        self._match = 0

    def begin_match(self) -> None:
        """Make the next question the first one of another match."""
        self._match += 1

    def ask(
        self, game: str, view: Any, decision: Decision[Any], level: Level, seed: int, done: Done,
        rank: Rank = Rank.MOVE, address: str = "", past: Past = (),
    ) -> Ticket:  # fmt: skip
        """Ask the engine (`SearchService.ask`); its limits are those of the listed bot."""
        question = EngineQuestion(
            str(self._match), game, decision.seats[0], self._seats, games.game(game).Options(), view, decision, seed
        )
        return self._service.ask(self._bot, question, done, address)

    def close(self) -> None:
        """End the engine."""
        self._service.close()


def search_result(choice: Choice) -> SearchResult:
    """Return an engine's choice as the result of a search, with the last value that it reported."""
    value, depth, nodes = 0.0, 0, 0
    for info in choice.infos:
        value = value if info.value is None else info.value
        depth = depth if info.depth is None else info.depth
        nodes = nodes if info.nodes is None else info.nodes
    return SearchResult((choice.action,), value, depth, nodes)
