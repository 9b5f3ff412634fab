"""`boardwire check-client`: runs cases over real sockets, with a client that a person drives or a command starts.

- Each connection gets the next case; a command is started again for each case.
- One cause, one result: a case that fails only for causes of an earlier case is not examined because of that one.
- If a client falls silent after several messages in one piece, the case is repeated with every message sent separately.
  If the client then continues, it does not split its input into messages: the case `COALESCED` fails with a hint, and
  later cases send messages separately.
"""

from __future__ import annotations

import asyncio
import os
import shlex
import signal
import sys
from codecs import getincrementaldecoder
from collections import Counter
from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress
from functools import partial
from pathlib import Path
from string import Formatter
from typing import Final, Protocol, cast

import msgspec

from boardwire import dialects
from boardwire.conformance import verdicts
from boardwire.conformance.client.case_run import Breach, CaseRun
from boardwire.conformance.client.cases import COALESCED, ByteDelivery, Case, cases
from boardwire.conformance.client.habits import Habits
from boardwire.conformance.server.check import CheckResult, Verdict
from boardwire.errors import Malformed, Unavailable
from boardwire.net import upgrade
from boardwire.net.listener import address, listen
from boardwire.net.signals import on_ending
from boardwire.terminal.colours import for_terminal

TICK_SECONDS: Final = 0.005
"""Interval of clock updates."""

READ_BYTES: Final = 4096
"""Chunk size for a command's standard error."""

CONNECT_SECONDS: Final = 20.0
"""Time limit for a command to connect."""

MAX_HEAD_BYTES: Final = 16 * 1024
"""Maximum size of a WebSocket upgrade request."""

EXIT_SECONDS: Final = 1.0
"""Time limit for a command to exit after a signal."""

CLIENT_NAME: Final = "client"
"""Value of `{name}` in a command: valid in every protocol, and used by no other player."""

SIMPLIFIED: Final = "simplified"
"""Value of `{mode}` in a command, unless the case needs another mode."""

PLACEHOLDERS: Final = ("host", "port", "players", "mode", "name")
"""Placeholders of a command."""

UNFRAMED: Final = (
    "the client answers only the first of several messages that arrive together, but all that arrive separately: "
    "one read from the socket can return several messages, or a part of one"
)
"""Hint for a client that treats the result of each read as one message."""
_UNFRAMED_CAUSE: Final = ("unframed",)


class ClientConnection(asyncio.Protocol):
    """The connection of a client."""

    def __init__(self, examiner: Examiner) -> None:
        self._examiner = examiner
        self.case_run: CaseRun | None = None
        self._transport: asyncio.Transport

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = cast("asyncio.Transport", transport)
        self.case_run = self._examiner.begin(self)
        if self.case_run is None:
            transport.close()

    def data_received(self, data: bytes) -> None:
        if self.case_run is not None:
            self.case_run.receive(data)

    def eof_received(self) -> bool:
        return False

    def connection_lost(self, error: Exception | None) -> None:
        if self.case_run is not None:
            self.case_run.client_closed()

    def send(self, data: bytes) -> None:
        """Send bytes to the client."""
        if not self._transport.is_closing():
            self._transport.write(data)

    def end(self) -> None:
        """Half-close; the client's data is still read."""
        if not self._transport.is_closing():
            with suppress(OSError):
                self._transport.write_eof()

    def drop(self) -> None:
        """Abort the connection."""
        self._transport.abort()


class WebSocketConnection(ClientConnection):
    """The connection of a client that begins with a WebSocket upgrade."""

    def __init__(self, examiner: Examiner) -> None:
        super().__init__(examiner)
        self._head = b""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = cast("asyncio.Transport", transport)

    def data_received(self, data: bytes) -> None:
        if self.case_run is not None:
            super().data_received(data)
            return
        self._head += data
        head, end, rest = self._head.partition(b"\r\n\r\n")
        if not end and len(head) <= MAX_HEAD_BYTES:
            return
        if b"sec-websocket-key:" not in head.lower():
            self._transport.write(upgrade.head(400, []))
            self._transport.close()
            return
        self._transport.write(upgrade.switch(head))
        super().connection_made(self._transport)
        if rest:
            super().data_received(rest)


class Examiner:
    """Assigns cases to connections and collects the results."""

    def __init__(
        self, dialect: str, selected_cases: Sequence[Case], wait: float, think: float, *, json: bool, game: str = ""
    ) -> None:
        self._dialect = dialect
        self._game = game
        self.cases = list(selected_cases)
        self._wait = wait
        self._think = think
        self._json = json
        self._paint = for_terminal()
        self._tries = dict.fromkeys((case.name for case in selected_cases), 0)
        self._runs: dict[ClientConnection, CaseRun] = {}
        self.result_by_name: dict[str, CheckResult] = {}
        """Result of each settled case by its name."""
        self._causes: dict[tuple[str, ...], str] = {}
        """The first case that failed for each cause."""
        self._repeats = Counter[str]()
        """Number of cases not examined because of each case."""
        self._suspects: dict[str, CaseRun] = {}
        """Runs in which the client fell silent after several messages in one piece."""
        self._reads_coalesced = True
        """False once the client has failed to read several messages in one piece: then each is sent separately."""
        self._habits = Habits()
        self.changed = asyncio.Event()

    @property
    def next_case(self) -> Case | None:
        """The next case without a result or a connection."""
        busy = {case_run.case.name for case_run in self._runs.values()}
        return next(
            (case for case in self.cases if case.name not in self.result_by_name and case.name not in busy), None
        )

    @property
    def is_done(self) -> bool:
        """Whether every case has its result."""
        return len(self.result_by_name) == len(self.cases)

    def begin(self, connection: ClientConnection) -> CaseRun | None:
        """Start the next case for a new connection; return None if there is none."""
        case = self.next_case
        if case is None:
            return None
        self._tries[case.name] += 1
        case_run = CaseRun(
            self._dialect,
            case,
            connection.send,
            connection.end,
            wait=self._wait,
            think=self._think,
            seed=self._tries[case.name],
            game=self._game,
            spaced=case.name in self._suspects or not self._reads_coalesced,
            habits=self._habits,
        )
        self._runs[connection] = case_run
        return case_run

    def pass_time(self, seconds: float) -> None:
        """Advance all clocks."""
        for connection, case_run in list(self._runs.items()):
            case_run.pass_time(seconds)
            if case_run.result is not None:
                connection.drop()
                del self._runs[connection]
                self._conclude(case_run)
                self.changed.set()

    def _conclude(self, case_run: CaseRun) -> None:
        """Record the result of a finished run, or leave the case open so that it is repeated."""
        case = case_run.case
        suspect = self._suspects.pop(case.name, None)
        if suspect is not None:
            if case_run.stalled:  # framing is not the cause
                self._settle(suspect)
                return
            self._blame_framing(suspect)
        elif case_run.stalled and case_run.coalesced and self._reads_coalesced and self._has_new_cause(case_run):
            self._suspects[case.name] = case_run
            self._tries[case.name] -= 1  # the same match again
            return
        if not case_run.missed or self._tries[case.name] >= case.tries:
            self._settle(case_run)

    def _has_new_cause(self, case_run: CaseRun) -> bool:
        """Return whether a breach has a cause that no earlier case had; true for `COALESCED`, which tests framing."""
        has_new_cause = any(breach.cause not in self._causes for breach in case_run.breaches)
        return has_new_cause or case_run.case.name == COALESCED

    def _blame_framing(self, suspect: CaseRun) -> None:
        """Record, once, that the client answers only messages that are sent separately."""
        self._reads_coalesced = False
        case = next((case for case in self.cases if case.name == COALESCED), suspect.case)
        self._causes[_UNFRAMED_CAUSE] = case.name
        if case.name not in self.result_by_name:
            finding = suspect.failure([Breach(_UNFRAMED_CAUSE, UNFRAMED)])
            self.record(msgspec.structs.replace(finding, name=case.name, section=case.section))

    def _settle(self, case_run: CaseRun) -> None:
        """Record the result of a case."""
        result, case = case_run.result, case_run.case
        if result is None or case.name in self.result_by_name:
            return
        if result.verdict is Verdict.FAIL:
            result = self._without_known_causes(case_run, result)
        self.record(result)

    def _without_known_causes(self, case_run: CaseRun, result: CheckResult) -> CheckResult:
        """Return the result of a failed case with the causes that no earlier case had.

        Without any, the case is not examined because of the earlier one.
        """
        name = case_run.case.name
        if not self._reads_coalesced and case_run.stalled and case_run.case.delivery is ByteDelivery.BYTES:
            return self._mark_not_examined(result, self._causes[_UNFRAMED_CAUSE])
        new_breaches = [breach for breach in case_run.breaches if breach.cause not in self._causes]
        if not new_breaches:
            return self._mark_not_examined(result, self._causes[case_run.breaches[0].cause])
        for breach in new_breaches:
            self._causes[breach.cause] = name
        return case_run.failure(new_breaches)

    def _mark_not_examined(self, result: CheckResult, name: str) -> CheckResult:
        """Return the result of a case that was not examined because of the case `name`."""
        self._repeats[name] += 1
        return msgspec.structs.replace(result, verdict=Verdict.NOT_EXAMINED, detail="", because=name)

    def results(self) -> list[CheckResult]:
        """Return all results; each failure has the number of further cases with the same cause."""
        return [self._with_repeats(self.result_by_name[case.name]) for case in self.cases]

    def _with_repeats(self, finding: CheckResult) -> CheckResult:
        more = self._repeats[finding.name]
        if not more:
            return finding
        detail = f"{finding.detail}\nthe same in {more} more case{'s' if more > 1 else ''}"
        return msgspec.structs.replace(finding, detail=detail)

    def record(self, finding: CheckResult) -> None:
        """Record and print a result."""
        self.result_by_name[finding.name] = finding
        self.changed.set()
        if self._json:
            print(verdicts.as_json(finding), flush=True)
        else:
            verdict = self._paint(finding.verdict, verdicts.COLOURS[finding.verdict])
            print(f"{verdict}  {finding.name}; {len(self.cases) - len(self.result_by_name)} left", flush=True)

    def print_next(self) -> None:
        """Print the next case for the person who drives the client."""
        case = self.next_case
        if case is not None and not self._json:
            print(f"next: {case.name} ({case.section}): {case.does}; connect your client", flush=True)


def check(
    dialect: str,
    host: str,
    port: int,
    *,
    run: str,
    typed: Path | None,
    json: bool,
    wait: float,
    think: float,
    only: str = "",
    game: str = "",
    start: Start | None = None,
) -> list[CheckResult]:
    """Examine a client in all cases with `only` in their names; print and return the results.

    `start` starts the client, as a process of this user by default.
    """
    check_command(run)
    make_examiner = partial(
        Examiner, dialect, verdicts.select(cases(dialect, game), only), wait, think, json=json, game=game
    )
    return asyncio.run(_check(make_examiner, dialect, host, port, run, typed, json, start or _start_command))


async def _check(
    make_examiner: Callable[[], Examiner],
    dialect: str,
    host: str,
    port: int,
    run: str,
    typed: Path | None,
    json: bool,
    start: Start,
) -> list[CheckResult]:
    """Examine the clients that connect until all cases are settled or a signal arrives; return the results."""
    loop = asyncio.get_running_loop()
    examiner = make_examiner()
    connection = ClientConnection if dialects.dialect(dialect).game else WebSocketConnection
    server = await listen(lambda: connection(examiner), dialect, host, port, loop)
    bound_host, bound_port = address(server)
    if not json:
        print(f"listening {dialect} {bound_host}:{bound_port}", flush=True)
    clock_task = loop.create_task(_tick(examiner))
    stop = asyncio.Event()
    on_ending(loop, lambda number: stop.set())
    work = loop.create_task(
        _run(examiner, run, typed, bound_host, bound_port, start) if run else _wait_for_clients(examiner)
    )
    stop_task = loop.create_task(stop.wait())
    try:
        await asyncio.wait({work, stop_task}, return_when=asyncio.FIRST_COMPLETED)
        if work.done():
            work.result()
    finally:
        for task in (work, stop_task, clock_task):
            task.cancel()
        await asyncio.gather(work, stop_task, clock_task, return_exceptions=True)
        server.close()
    for case in examiner.cases:
        if case.name not in examiner.result_by_name:
            examiner.record(CheckResult(case.name, case.section, Verdict.NOT_EXAMINED, "no client connected"))
    results = examiner.results()
    if not json:
        for line in verdicts.lines(results, for_terminal()):
            print(line)
    return results


async def _tick(examiner: Examiner) -> None:
    loop = asyncio.get_running_loop()
    last = loop.time()
    while True:
        await asyncio.sleep(TICK_SECONDS)
        now = loop.time()
        examiner.pass_time(now - last)
        last = now


async def _wait_for_clients(examiner: Examiner) -> None:
    """Wait until every case has its result; a person starts the clients."""
    while not examiner.is_done:
        examiner.changed.clear()
        examiner.print_next()
        await examiner.changed.wait()


class ClientProgram(Protocol):
    """A running client that a command started."""

    @property
    def returncode(self) -> int | None:
        """Exit code, or the negative number of the signal that ended it; None while it runs."""

    async def stop(self) -> None:
        """End the program with all its descendants."""


Start = Callable[[list[str], Path | None], Awaitable[ClientProgram]]
"""Function that starts a command, with a file as its standard input if one is given; raises `OSError`."""


class _Command:
    """A client in a process group; its standard error is printed if ours is a terminal."""

    def __init__(self, process: asyncio.subprocess.Process) -> None:
        self._process = process
        errors = process.stderr
        self._relay_task = asyncio.ensure_future(_relay(errors)) if errors is not None else None

    @property
    def returncode(self) -> int | None:
        return self._process.returncode

    async def stop(self) -> None:
        await _terminate(self._process)
        if self._relay_task is not None:
            with suppress(TimeoutError):
                await asyncio.wait_for(self._relay_task, EXIT_SECONDS)


async def _start_command(words: list[str], typed: Path | None) -> ClientProgram:
    """Start a command as a process of this user, with the content of a file as its input if one is given."""
    keys = None if typed is None else _open_input(typed)
    try:
        process = await asyncio.create_subprocess_exec(
            *words,
            stdin=keys if keys is not None else asyncio.subprocess.DEVNULL,
            stdout=asyncio.subprocess.DEVNULL,
            # The client's errors are for a person at a terminal; elsewhere, ours must not be mixed with them.
            stderr=asyncio.subprocess.PIPE if sys.stderr.isatty() else asyncio.subprocess.DEVNULL,
            start_new_session=True,
        )
    finally:
        if keys is not None:
            os.close(keys)
    return _Command(process)


async def _run(examiner: Examiner, command: str, typed: Path | None, host: str, port: int, start: Start) -> None:
    """Start the command for each case and each repetition."""
    while (case := examiner.next_case) is not None:
        words = fill_command(command, host, port, case)
        examiner.changed.clear()
        try:
            program = await start(words, typed)
        except OSError as error:
            raise Unavailable(f"cannot run {command!r}: {error.strerror}") from None
        try:
            if not await _connects(examiner, case, program):
                code = program.returncode
                how = f"it ended with exit code {code}" if code is not None else f"not within {CONNECT_SECONDS:g} s"
                raise Unavailable(f"{command!r} has not connected to {host}:{port}: {how}")
            await examiner.changed.wait()
        finally:
            await program.stop()


async def _relay(errors: asyncio.StreamReader) -> None:
    """Copy the command's standard error to ours, which escapes it: the client may print what it received."""
    decoder = getincrementaldecoder("utf-8")("replace")
    while data := await errors.read(READ_BYTES):
        print(decoder.decode(data), end="", file=sys.stderr, flush=True)


def check_command(command: str) -> None:
    """Raise `Malformed` if a command cannot be split into words or has unknown placeholders."""
    try:
        fields = [field for word in shlex.split(command) for _, field, _, _ in Formatter().parse(word)]
    except ValueError as error:
        hint = "; write {{ and }} for braces" if "{" in command or "}" in command else ""
        raise Malformed(f"--run {command!r}: {error}{hint}") from None
    unknown = sorted({field for field in fields if field is not None and field not in PLACEHOLDERS})
    if unknown:
        unknown_names, valid_names = (", ".join(f"{{{name}}}" for name in some) for some in (unknown, PLACEHOLDERS))
        raise Malformed(
            f"--run: unknown placeholder {unknown_names}; known: {valid_names}; write {{{{ and }}}} for braces"
        )


def fill_command(command: str, host: str, port: int, case: Case) -> list[str]:
    """Return the words of a command for a case."""
    values = {
        "host": host,
        "port": port,
        "players": case.others + 1,
        "mode": case.settings.get("mode", SIMPLIFIED),
        "name": CLIENT_NAME,
    }
    return [word.format_map(values) for word in shlex.split(command)]


def _open_input(typed: Path) -> int:
    try:
        return os.open(typed, os.O_RDONLY)
    except OSError as error:
        raise Unavailable(f"cannot read {typed}: {error.strerror}") from None


async def _connects(examiner: Examiner, case: Case, program: ClientProgram) -> bool:
    """Wait until the command has connected; return whether it did before its end and the time limit."""
    loop = asyncio.get_running_loop()
    deadline = loop.time() + CONNECT_SECONDS
    while loop.time() < deadline:
        if examiner.changed.is_set() or examiner.next_case is not case:
            return True
        if program.returncode is not None:
            return False
        await asyncio.sleep(0.02)
    return False


async def _terminate(process: asyncio.subprocess.Process) -> None:
    """End the process and its process group, where the system has process groups."""
    for name in ("SIGTERM", "SIGKILL"):
        if process.returncode is None:
            with suppress(ProcessLookupError):
                if hasattr(os, "killpg"):
                    os.killpg(process.pid, getattr(signal, name))
                else:
                    process.kill()
            with suppress(TimeoutError):
                await asyncio.wait_for(process.wait(), EXIT_SECONDS)
