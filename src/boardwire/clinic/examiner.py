"""`boardwire check-client`: cases over real sockets, for a client that a person drives or that a command starts.

Each connection takes the next case that is to do; with a command, it is started anew for each case.
"""

from __future__ import annotations

import asyncio
import os
import shlex
import signal
import sys
from codecs import getincrementaldecoder
from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Final, cast

from boardwire import dialects
from boardwire.clients.checker import as_json, named, report
from boardwire.clients.checks.check import Finding, Verdict
from boardwire.clients.paint import for_terminal
from boardwire.clinic.cases import Case, cases
from boardwire.clinic.trial import Trial
from boardwire.errors import Refused
from boardwire.net import upgrade
from boardwire.net.listener import address, listen

TICK: Final = 0.005
"""Seconds between two looks at the clock."""

READ_BYTES: Final = 4096
"""Bytes of a command's complaints that are read at a time."""

CONNECTING: Final = 20.0
"""Seconds that a command has to connect."""

HEAD_LIMIT: Final = 16 * 1024
"""Bytes of a request for a WebSocket."""

LEAVING: Final = 1.0
"""Seconds that a command has to end when it is told to."""


class Door(asyncio.Protocol):
    """The socket of a client."""

    def __init__(self, examiner: Examiner) -> None:
        self._examiner = examiner
        self.trial: Trial | None = None
        self._transport: asyncio.Transport

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = cast("asyncio.Transport", transport)
        self.trial = self._examiner.begin(self)
        if self.trial is None:
            transport.close()

    def data_received(self, data: bytes) -> None:
        if self.trial is not None:
            self.trial.hear(data)

    def eof_received(self) -> bool:
        return False

    def connection_lost(self, error: Exception | None) -> None:
        if self.trial is not None:
            self.trial.left()

    def send(self, data: bytes) -> None:
        """Send bytes to the client."""
        if not self._transport.is_closing():
            self._transport.write(data)

    def end(self) -> None:
        """Nothing more is sent; what the client does is still heard."""
        if not self._transport.is_closing():
            with suppress(OSError):
                self._transport.write_eof()

    def drop(self) -> None:
        """Let go."""
        self._transport.abort()


class UpgradingDoor(Door):
    """The socket of a client that asks over HTTP for a WebSocket first."""

    def __init__(self, examiner: Examiner) -> None:
        super().__init__(examiner)
        self._head = b""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = cast("asyncio.Transport", transport)

    def data_received(self, data: bytes) -> None:
        if self.trial is not None:
            super().data_received(data)
            return
        self._head += data
        head, end, rest = self._head.partition(b"\r\n\r\n")
        if not end and len(head) <= HEAD_LIMIT:
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
    """Hands out cases, and gathers verdicts.  `told` hears each."""

    def __init__(
        self, dialect: str, trials: Sequence[Case], wait: float, think: float, *, json: bool, game: str = ""
    ) -> None:
        self._dialect = dialect
        self._game = game
        self.cases = list(trials)
        self._wait = wait
        self._think = think
        self._json = json
        self._paint = for_terminal()
        self._tries = dict.fromkeys((case.name for case in trials), 0)
        self._open: dict[Door, Trial] = {}
        self.found: dict[str, Finding] = {}
        self.changed = asyncio.Event()

    @property
    def next(self) -> Case | None:
        """The next case that nobody is at."""
        busy = {trial.case.name for trial in self._open.values()}
        return next((case for case in self.cases if case.name not in self.found and case.name not in busy), None)

    @property
    def done(self) -> bool:
        """Whether every case has its verdict."""
        return len(self.found) == len(self.cases)

    def begin(self, door: Door) -> Trial | None:
        """A client has come."""
        case = self.next
        if case is None:
            return None
        self._tries[case.name] += 1
        trial = Trial(
            self._dialect,
            case,
            door.send,
            door.end,
            wait=self._wait,
            think=self._think,
            seed=self._tries[case.name],
            game=self._game,
        )
        self._open[door] = trial
        return trial

    def pass_time(self, seconds: float) -> None:
        """So many seconds have passed."""
        for door, trial in list(self._open.items()):
            trial.pass_time(seconds)
            if trial.found is not None:
                door.drop()
                del self._open[door]
                if not trial.missed or self._tries[trial.case.name] >= trial.case.tries:
                    self.judge(trial.found)
                self.changed.set()

    def judge(self, finding: Finding) -> None:
        """A case has its verdict."""
        self.found[finding.name] = finding
        self.changed.set()
        if self._json:
            print(as_json(finding), flush=True)
        else:
            colour = {Verdict.PASS: "green", Verdict.FAIL: "red"}.get(finding.verdict, "yellow")
            rest = len(self.cases) - len(self.found)
            print(f"{self._paint(finding.verdict, colour)}  {finding.name}; {rest} still to do", flush=True)

    def say_next(self) -> None:
        """Tell a person what comes next."""
        case = self.next
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
) -> list[Finding]:
    """Examine a client in all cases whose name has `only` in it, tell of each, and give what was found."""
    examiner = partial(Examiner, dialect, named(cases(dialect, game), only), wait, think, json=json, game=game)
    return asyncio.run(_check(examiner, dialect, host, port, run, typed, json))


async def _check(
    begin: Callable[[], Examiner],
    dialect: str,
    host: str,
    port: int,
    run: str,
    typed: Path | None,
    json: bool,
) -> list[Finding]:
    loop = asyncio.get_running_loop()
    examiner = begin()
    door = Door if dialects.dialect(dialect).game else UpgradingDoor
    server = await listen(lambda: door(examiner), dialect, host, port, loop)
    where, number = address(server)
    if not json:
        print(f"listening {dialect} {where}:{number}", flush=True)
    ticking = loop.create_task(_tick(examiner))
    stopped = asyncio.Event()
    for one in (signal.SIGINT, signal.SIGTERM):
        loop.add_signal_handler(one, stopped.set)
    work = loop.create_task(_run(examiner, run, typed, where, number) if run else _attend(examiner))
    stopping = loop.create_task(stopped.wait())
    try:
        await asyncio.wait({work, stopping}, return_when=asyncio.FIRST_COMPLETED)
        if work.done():
            work.result()
    finally:
        for task in (work, stopping, ticking):
            task.cancel()
        await asyncio.gather(work, stopping, ticking, return_exceptions=True)
        server.close()
    for case in examiner.cases:
        if case.name not in examiner.found:
            examiner.judge(Finding(case.name, case.section, Verdict.NOT_EXAMINED, "no client came for it"))
    found = [examiner.found[case.name] for case in examiner.cases]
    if not json:
        for line in report(found, for_terminal()):
            print(line)
    return found


async def _tick(examiner: Examiner) -> None:
    loop = asyncio.get_running_loop()
    last = loop.time()
    while True:
        await asyncio.sleep(TICK)
        now = loop.time()
        examiner.pass_time(now - last)
        last = now


async def _attend(examiner: Examiner) -> None:
    """Wait for whoever connects."""
    while not examiner.done:
        examiner.changed.clear()
        examiner.say_next()
        await examiner.changed.wait()


async def _run(examiner: Examiner, command: str, typed: Path | None, host: str, port: int) -> None:
    """Start the command for each case, as often as it is to be tried."""
    words = [word.format(host=host, port=port) for word in shlex.split(command)]
    while (case := examiner.next) is not None:
        examiner.changed.clear()
        keys = None if typed is None else _opened(typed)
        try:
            process = await asyncio.create_subprocess_exec(
                *words,
                stdin=keys if keys is not None else asyncio.subprocess.DEVNULL,
                stdout=asyncio.subprocess.DEVNULL,
                stderr=asyncio.subprocess.PIPE if sys.stderr.isatty() else asyncio.subprocess.DEVNULL,
                start_new_session=True,
            )
        except OSError as error:
            raise Refused(f"cannot run {command!r}: {error.strerror}") from None
        finally:
            if keys is not None:
                os.close(keys)
        relaying = asyncio.ensure_future(_relay(process.stderr)) if process.stderr is not None else None
        try:
            if not await _connects(examiner, case, process):
                code = process.returncode
                how = f"it ended with exit code {code}" if code is not None else f"not in {CONNECTING:g} s"
                raise Refused(f"{command!r} has not connected to {host}:{port}: {how}")
            await examiner.changed.wait()
        finally:
            await _ended(process)
            if relaying is not None:
                with suppress(TimeoutError):
                    await asyncio.wait_for(relaying, LEAVING)


async def _relay(errors: asyncio.StreamReader) -> None:
    """Print what the command complains about; not by its own hand, since it repeats what it was told."""
    decoder = getincrementaldecoder("utf-8")("replace")
    while data := await errors.read(READ_BYTES):
        print(decoder.decode(data), end="", file=sys.stderr, flush=True)


def _opened(typed: Path) -> int:
    try:
        return os.open(typed, os.O_RDONLY)
    except OSError as error:
        raise Refused(f"cannot read {typed}: {error.strerror}") from None


async def _connects(examiner: Examiner, case: Case, process: asyncio.subprocess.Process) -> bool:
    """Whether the command takes its case."""
    loop = asyncio.get_running_loop()
    late = loop.time() + CONNECTING
    while loop.time() < late:
        if examiner.changed.is_set() or examiner.next is not case:
            return True
        if process.returncode is not None:
            return False
        await asyncio.sleep(0.02)
    return False


async def _ended(process: asyncio.subprocess.Process) -> None:
    """End the command, with all that it has started."""
    for how in (signal.SIGTERM, signal.SIGKILL):
        if process.returncode is None:
            with suppress(ProcessLookupError):
                os.killpg(process.pid, how)
            with suppress(TimeoutError):
                await asyncio.wait_for(process.wait(), LEAVING)
