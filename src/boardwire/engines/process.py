"""An engine as a process: blocking calls around one conversation over its pipes.

- Every failure is an `EngineFault` with a reason. It leaves no process: the engine is killed with all its descendants,
  and the next `start` starts another process.
- Time is measured at the pipe, from the write of the question until the answer can be read. An answer that can be read
  when the deadline is noticed counts as in time, however late this process was scheduled. The deadline is
  `MARGIN_SECONDS` after the time limit, because the engine may be scheduled late, too.
- Standard error is read continuously and its tail kept, so that it never blocks the engine during a decision.
- A call blocks its thread, so an event loop must call from another one (`service.py`).
"""

from __future__ import annotations

import os
import select
import signal
from collections import deque
from collections.abc import Callable, Sequence
from contextlib import suppress
from enum import StrEnum
from pathlib import Path
from random import Random
from time import monotonic
from types import TracebackType
from typing import Any, Final, Self, TypeAlias

import msgspec

from boardwire import games
from boardwire.engines.cage import CageLimits, CageTool, Protection
from boardwire.engines.caged_process import EXIT_SECONDS, HAS_CAGES, MEMORY_BLAME_FRACTION, CagedProcess, Excess
from boardwire.engines.command import ResolvedCommand, find_unreadable, resolve
from boardwire.engines.protocol import (
    MAX_LINE_BYTES,
    Budget,
    ChoiceMessage,
    EngineProtocol,
    FromEngine,
    IllegalChoice,
    Info,
    JsonLines,
    Ready,
    Refuse,
    quote,
)
from boardwire.engines.text_mode import GAMES, TextLines
from boardwire.errors import BoardwireError, Malformed, Reason, Unavailable
from boardwire.games.game import AnyGame, Decision, Outcome, Seat
from boardwire.wire.text import escaped

START_SECONDS: Final = 10.0
"""Time limit for the answer to `hello`; a Java program that is compiled at the start takes 1 to 3 s."""
DEFAULT_SECONDS: Final = 60.0
"""Default time limit of a decision."""
MARGIN_SECONDS: Final = 0.1
"""How late an answer may be after the limit: on a loaded machine, an engine is scheduled late."""
STDERR_TAIL_BYTES: Final = 16 * 1024
KEPT_INFOS: Final = 100
"""Number of `info` lines of a decision that are kept, the last ones."""
READ_BYTES: Final = 64 * 1024


class FaultReason(StrEnum):
    """Why an engine failed."""

    START_FAILED = "start failed"
    REFUSED = "refused"
    DIED = "died"
    TIMED_OUT = "timed out"
    TOO_MUCH_OUTPUT = "too much output"
    MALFORMED = "malformed answer"
    ILLEGAL = "illegal choice"
    MEMORY = "memory limit"
    CPU = "CPU limit"


class EngineFault(BoardwireError):
    """An engine failed: `fault` is the reason, `detail` explains it, `stderr` is the tail of its standard error."""

    default_reason = Reason.FAULT

    def __init__(self, fault: FaultReason, detail: str, stderr: str = "", engine: str = "") -> None:
        super().__init__(f"{fault}: {detail}")
        self.fault = fault
        self.detail = detail
        self.stderr = stderr
        self.engine = engine


Trace: TypeAlias = Callable[[str, bytes], None]
"""Called with a line and its direction: `>` to the engine, `<` from it."""


class Mode(StrEnum):
    """The protocol that an engine speaks."""

    JSON = "json"
    TEXT = "text"


class Choice(msgspec.Struct, frozen=True):
    """An engine's answer: the action, the `info` messages before it, and the seconds since the question."""

    action: Any
    infos: tuple[Info, ...] = ()
    elapsed: float = 0.0


class EngineProcess:
    """An engine that plays matches one after the other, in a process that is started on first use.

    `command` is a command line or a list of words, relative to `base` (`command.resolve`). The methods block and must
    not be called from several threads at once, except for `kill`.
    """

    def __init__(
        self,
        name: str,
        command: str | Sequence[str],
        limits: CageLimits | None = None,
        *,
        mode: Mode = Mode.JSON,
        base: Path | None = None,
        directory: Path | None = None,
        readable: Sequence[Path] = (),
        start_seconds: float = START_SECONDS,
        margin_seconds: float = MARGIN_SECONDS,
        cage_tool: CageTool | None = None,
    ) -> None:
        if not HAS_CAGES:
            raise Unavailable("this system cannot run programs as engines; use Linux or macOS")
        self.name = name
        self.program: ResolvedCommand = resolve(command, base, directory, readable)
        self.limits = limits or CageLimits()
        self.mode = mode
        self.ready = Ready()
        """The engine's answer to `hello`."""
        self.starts = 0
        """Number of processes started so far."""
        self.trace: Trace | None = None
        """Called with every line, for reports."""
        self.add_unknown = False
        """Whether to add an unknown field, or in the text mode an unknown line, to messages; for examinations."""
        self.match: object = None
        """Key of the match that the engine plays, set by callers that share the engine between matches."""
        self._start_seconds = start_seconds
        self._margin_seconds = margin_seconds
        self._cage_tool = cage_tool
        self._process: CagedProcess | None = None
        self._conversation: EngineProtocol = JsonLines()
        self._game: AnyGame | None = None
        self._unread = bytearray()
        self._lines: deque[bytes] = deque()
        self._stderr = bytearray()
        self._output_bytes = 0
        """Bytes of output for the current decision."""
        self._protections: tuple[Protection, ...] = ()
        self._poll = select.poll()

    # --- the match ----------------------------------------------------------------------------------------------------

    def start(self, game: str, seat: Seat, seats: int, options: Any = None, *, seed: int | None = None) -> Ready:
        """Begin a match: start the process if none is running, and send `hello`. Returns the engine's answer.

        `options` are the game's, by default its default ones. Without `seed`, a random one is sent. Raises `Malformed`
        for a game that the engine's protocol does not support.
        """
        if self.mode is Mode.TEXT and game not in GAMES:
            raise Malformed(f"the text mode supports {' and '.join(GAMES)}, not {game}; use JSON lines")
        self._game = games.game(game)
        options = self._game.Options() if options is None else options
        seed = Random().getrandbits(32) if seed is None else seed
        if self._process is not None and self._is_spent(self._process):
            self.close()
        try:
            if self._process is None:
                self._start_process()
            lines = self._conversation.hello(self._game, seat, seats, options, seed)
            answer = self._request_answer(lines, self._start_seconds, f"hello within {self._start_seconds:g} s")
        except EngineFault as fault:
            if fault.fault in (FaultReason.MEMORY, FaultReason.CPU, FaultReason.TOO_MUCH_OUTPUT):
                raise
            detail = fault.detail
            if (private := find_unreadable(self.program)) is not None:
                detail += f"; root's engines run as another user, who cannot read {private}: run chmod -R o+rX on it"
            raise EngineFault(FaultReason.START_FAILED, detail, fault.stderr, self.name) from fault
        if isinstance(answer, Refuse):
            self.close()
            raise EngineFault(FaultReason.REFUSED, f"it does not play {game}: {answer.text}", self.stderr, self.name)
        if not isinstance(answer, Ready):
            raise self._fault_of(FaultReason.START_FAILED, "its first line is not `ready`")
        self.ready = answer
        return answer

    def choose(
        self,
        view: Any,
        decision: Decision[Any],
        *,
        seconds: float | None = None,
        remaining: float | None = None,
        nodes: int | None = None,
    ) -> Choice:
        """Ask for a decision. `seconds` is the time limit, `remaining` the time left on the seat's clock.

        Without `seconds`, the limit is the remaining time or `DEFAULT_SECONDS`.
        """
        if self._process is None:
            raise EngineFault(FaultReason.DIED, "the engine is not running; call start first", engine=self.name)
        planned = self._conversation.take_planned(view, decision)
        if planned is not None:
            return Choice(planned)
        infos: deque[Info] = deque(maxlen=KEPT_INFOS)
        lines = self._conversation.choose(view, decision, Budget(seconds, remaining, nodes))
        limit = seconds if seconds is not None else remaining if remaining is not None else DEFAULT_SECONDS
        start = monotonic()
        deadline = start + limit + self._margin_seconds
        if self.mode is Mode.TEXT:
            self._lines.clear()  # late lines of the last decision; in JSON lines, ids identify them
        answer = self._converse(lines, deadline, f"within {limit:g} s", infos)
        elapsed = monotonic() - start
        if not isinstance(answer, ChoiceMessage):
            raise self._fault_of(FaultReason.MALFORMED, "it answered `choose` with an answer to `hello`")
        try:
            action = self._conversation.action(answer, view, decision)
        except IllegalChoice as error:
            raise self._fault_of(FaultReason.ILLEGAL, str(error)) from None
        except BoardwireError as error:
            raise self._fault_of(FaultReason.MALFORMED, str(error)) from None
        return Choice(action, tuple(infos), elapsed)

    def over(self, outcome: Outcome | None) -> None:
        """End a match; `outcome` is None if it was broken off. The process stays for the next match. Never fails."""
        if self._process is not None:
            with suppress(EngineFault):
                self._write_all(self._conversation.over(outcome), monotonic() + EXIT_SECONDS)

    def close(self) -> None:
        """End the process: close its input, wait `EXIT_SECONDS` for its exit, then kill it with all its descendants."""
        process, self._process = self._process, None
        if process is not None:
            with suppress(OSError, ValueError):  # it has ended, or its input is closed already
                os.write(process.stdin.fileno(), self._conversation.end())
            with suppress(OSError):
                process.stdin.close()
            process.wait(EXIT_SECONDS)
            self._kill_process(process)

    def kill(self) -> None:
        """Kill the process at once; may be called from another thread, and makes a blocked call fail."""
        if (process := self._process) is not None:
            process.kill()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    # --- for examinations ---------------------------------------------------------------------------------------------

    def unsolicited_output(self, seconds: float) -> bytes:
        """Return output that the engine writes within `seconds` without being asked; b"" if there is none."""
        process, deadline = self._running_process(), monotonic() + seconds
        poll = select.poll()
        poll.register(process.stdout.fileno(), select.POLLIN)
        output = b"".join(self._lines) + bytes(self._unread)
        while (remaining := deadline - monotonic()) > 0 and not output:
            if poll.poll(remaining * 1000):
                data = os.read(process.stdout.fileno(), READ_BYTES)
                if not data:
                    break
                output += data
        return output

    def end_input(self) -> None:
        """Close the standard input of the engine."""
        with suppress(OSError):
            self._running_process().stdin.close()

    def wait(self, seconds: float) -> bool:
        """Wait until the process has ended, for at most `seconds`; return whether it has."""
        return self._running_process().wait(seconds)

    # --- properties of the process ------------------------------------------------------------------------------------

    @property
    def is_running(self) -> bool:
        """Whether a process is running."""
        return self._process is not None and self._process.is_running

    @property
    def pid(self) -> int | None:
        """Process id of the cage, or None."""
        return None if self._process is None else self._process.pid

    @property
    def protections(self) -> tuple[Protection, ...]:
        """The protections of the last process started."""
        return self._protections

    @property
    def stderr(self) -> str:
        """The last `STDERR_TAIL_BYTES` of the engine's standard error, with control characters escaped."""
        if self._process is not None:
            with suppress(OSError, ValueError):
                self._drain_stderr(self._process)
        return escaped(self._stderr.decode("utf-8", "replace"), "\n\t")

    # --- the process --------------------------------------------------------------------------------------------------

    def _start_process(self) -> None:
        """Start the engine with empty buffers and a new conversation."""
        self._unread.clear()
        self._lines.clear()
        self._stderr.clear()
        self._conversation = self._new_conversation()
        try:
            self._process = CagedProcess(self.program, self.limits, self._cage_tool)
        except Unavailable as error:
            raise EngineFault(FaultReason.START_FAILED, str(error), engine=self.name) from error
        self._poll = select.poll()  # select() is limited to file descriptors below 1,024
        for descriptor in (self._process.stdout.fileno(), self._process.stderr.fileno()):
            os.set_blocking(descriptor, False)
            self._poll.register(descriptor, select.POLLIN)
        if self._process.exit_descriptor >= 0:
            self._poll.register(self._process.exit_descriptor, select.POLLIN)
        self._protections = self._process.protections
        self.starts += 1

    def _new_conversation(self) -> EngineProtocol:
        return TextLines(self.add_unknown) if self.mode is Mode.TEXT else JsonLines(self.add_unknown)

    def _is_spent(self, process: CagedProcess) -> bool:
        """Return whether a process has ended, or has used half of its CPU time and should not begin another match."""
        return not process.is_running or process.usage()[1] > self.limits.cpu_seconds / 2

    def _kill_process(self, process: CagedProcess) -> None:
        process.kill()
        with suppress(OSError, ValueError):
            self._drain_stderr(process)
        process.close()

    def _fault_of(self, fault: FaultReason, detail: str) -> EngineFault:
        """Kill the process and return the fault; a limit of the cage that caused it replaces the given reason."""
        process, self._process = self._process, None
        if process is not None:
            self._kill_process(process)
            fault, detail = _with_cause(process, fault, detail)
        return EngineFault(fault, detail, self.stderr, self.name)

    # --- the pipes ----------------------------------------------------------------------------------------------------

    def _request_answer(self, lines: bytes, seconds: float, task: str) -> FromEngine:
        return self._converse(lines, monotonic() + seconds, task, deque(maxlen=0))

    def _converse(self, lines: bytes, deadline: float, task: str, infos: deque[Info]) -> Ready | Refuse | ChoiceMessage:
        """Write lines and read until an answer other than `info`."""
        self._output_bytes = 0
        if self.trace is not None:
            for line in lines.splitlines():
                self.trace(">", line)
        self._write_all(lines, deadline)
        while True:
            while self._lines:
                line = self._lines.popleft()
                if self.trace is not None:
                    self.trace("<", line)
                try:
                    message = self._conversation.read(line)
                except BoardwireError as error:
                    raise self._fault_of(FaultReason.MALFORMED, str(error)) from None
                if isinstance(message, Info):
                    infos.append(message)
                elif message is not None:
                    return message
            self._wait_for_output(deadline, task)

    def _write_all(self, data: bytes, deadline: float) -> None:
        """Write all of `data`, and read meanwhile, so that an engine that writes first is not blocked."""
        process = self._running_process()
        while True:
            try:
                sent = os.write(process.stdin.fileno(), data)
            except BlockingIOError:
                sent = 0
            except (BrokenPipeError, ValueError, OSError):
                raise self._death_fault(process) from None
            data = data[sent:]
            if not data:
                return
            self._wait_for_process(
                process, deadline, "its input pipe is full, because it does not read", is_writing=True
            )

    def _wait_for_output(self, deadline: float, task: str) -> None:
        self._wait_for_process(self._running_process(), deadline, f"it did not answer {task}", is_writing=False)

    def _wait_for_process(self, process: CagedProcess, deadline: float, complaint: str, *, is_writing: bool) -> None:
        """Wait until the engine's output has been read or, if `is_writing`, its input can be written.

        Raise a fault with the text `complaint` at the deadline, or if the process has ended.
        """
        poll = self._poll
        out, err, into = process.stdout.fileno(), process.stderr.fileno(), process.stdin.fileno()
        if is_writing:
            poll.register(into, select.POLLOUT)
        try:
            while True:
                ready = dict(poll.poll(max(0.0, deadline - monotonic()) * 1000))
                if not ready:
                    raise self._fault_of(FaultReason.TIMED_OUT, complaint)
                if err in ready and not self._drain_stderr(process):
                    poll.unregister(err)
                if out in ready:
                    self._read_lines(process)
                    return
                if into in ready:
                    return
                if process.exit_descriptor in ready:  # not only the end of the pipe: a descendant may hold it open
                    raise self._death_fault(process)
        finally:
            if is_writing:
                poll.unregister(into)

    def _read_lines(self, process: CagedProcess) -> None:
        """Read available output into lines; raise `EngineFault` if it ended or exceeds a limit."""
        try:
            data = os.read(process.stdout.fileno(), READ_BYTES)
        except OSError:
            raise self._death_fault(process) from None
        if not data:
            raise self._death_fault(process)
        self._count_output(len(data))
        self._unread += data
        if b"\n" in data:
            *lines, self._unread = self._unread.split(b"\n")
            self._lines.extend(map(bytes, lines))
        if len(self._unread) > MAX_LINE_BYTES or any(len(line) > MAX_LINE_BYTES for line in self._lines):
            raise self._fault_of(FaultReason.TOO_MUCH_OUTPUT, f"a line is longer than {MAX_LINE_BYTES:,} bytes")

    def _drain_stderr(self, process: CagedProcess) -> bool:
        """Read the available standard error without blocking; return whether it is still open."""
        while True:
            try:
                data = os.read(process.stderr.fileno(), READ_BYTES)
            except BlockingIOError:
                return True
            if not data:
                return False
            self._stderr += data
            del self._stderr[:-STDERR_TAIL_BYTES]
            if self._process is not None:
                self._count_output(len(data))

    def _count_output(self, size: int) -> None:
        self._output_bytes += size
        if self._output_bytes > self.limits.output_bytes:
            limit = f"{self.limits.output_bytes:,}"
            raise self._fault_of(FaultReason.TOO_MUCH_OUTPUT, f"it wrote more than {limit} bytes for one decision")

    def _running_process(self) -> CagedProcess:
        if self._process is None:
            raise EngineFault(FaultReason.DIED, "the engine is not running", engine=self.name)
        return self._process

    def _death_fault(self, process: CagedProcess) -> EngineFault:
        """Return the fault of an engine that has ended, with its exit status and its last line of standard error."""
        has_ended = process.wait(EXIT_SECONDS)
        with suppress(EngineFault, OSError, ValueError):
            self._drain_stderr(process)
        detail = _describe_exit(process.exit_status) if has_ended else "it closed its standard output"
        last_line = self._stderr.decode("utf-8", "replace").strip().rpartition("\n")[2]
        return self._fault_of(FaultReason.DIED, f"{detail}; {quote(last_line.encode())}" if last_line else detail)


def _describe_exit(status: int | None) -> str:
    if status is None or status >= 0:
        return f"it exited with code {status}"
    return f"it was killed by signal {-status}"


def _with_cause(process: CagedProcess, fault: FaultReason, detail: str) -> tuple[FaultReason, str]:
    """Return reason and detail of a fault, replaced by the limit of the cage that caused it, if one did."""
    limits = process.limits
    if process.excess is Excess.CPU or process.exit_status == -signal.SIGXCPU:
        return FaultReason.CPU, f"it used more than {limits.cpu_seconds} s of CPU time"
    suspicious = limits.memory_bytes * MEMORY_BLAME_FRACTION
    if process.excess is Excess.MEMORY or (fault is FaultReason.DIED and process.peak_memory_bytes >= suspicious):
        return FaultReason.MEMORY, f"it used more than {limits.memory_bytes >> 20} MiB of memory; {detail}"
    return fault, detail
