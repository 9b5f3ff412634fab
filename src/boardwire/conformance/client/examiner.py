"""`boardwire check-client`: cases over real sockets, for a client that a person drives or that a command starts.

- Each connection takes the next case that is to do; with a command, it is started anew for each case.
- One cause, one finding: a case that fails only for causes of an earlier case is not examined because of that one.
- A client that falls silent after several messages in one piece gets the case again with every message by itself.
  If it plays then, it does not frame what it reads: the case for that fails, with the hint, and all others go on with
  messages sent one by one.
"""

from __future__ import annotations

import asyncio
import os
import shlex
import signal
import sys
from codecs import getincrementaldecoder
from collections import Counter
from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import partial
from pathlib import Path
from string import Formatter
from typing import Final, cast

import msgspec

from boardwire import dialects
from boardwire.conformance.client.cases import COALESCED, Case, Delivery, cases
from boardwire.conformance.client.habits import Habits
from boardwire.conformance.client.trial import Breach, Trial
from boardwire.conformance.server.check import Finding, Verdict
from boardwire.conformance.server.runner import as_json, named, report
from boardwire.errors import Malformed, Unavailable
from boardwire.net import upgrade
from boardwire.net.listener import address, listen
from boardwire.terminal.colours import for_terminal

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

CLIENT_NAME: Final = "client"
"""What `{name}` in a command stands for: valid in every protocol, and no other player's name."""

SIMPLIFIED: Final = "simplified"
"""What `{mode}` stands for unless the case wants another mode."""

PLACEHOLDERS: Final = ("host", "port", "players", "mode", "name")
"""What a command may have in braces."""

UNFRAMED: Final = (
    "the client answers only the first of two coalesced messages; it plays when each comes by itself: "
    "one read from the socket can hold several messages, or a part of one"
)
"""The hint for a client that takes what one read gives for one message."""
_UNFRAMED_CAUSE: Final = ("unframed",)


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
        self._causes: dict[tuple[str, ...], str] = {}
        """The case that has failed for each cause first."""
        self._repeats = Counter[str]()
        """How many cases were not examined because of each case."""
        self._suspects: dict[str, Trial] = {}
        """Cases in which the client fell silent after several messages in one piece."""
        self._framed = True
        self._habits = Habits()
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
            spaced=case.name in self._suspects or not self._framed,
            habits=self._habits,
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
                self._conclude(trial)
                self.changed.set()

    def _conclude(self, trial: Trial) -> None:
        """Judge a case by its trial, or have it tried again."""
        case = trial.case
        suspect = self._suspects.pop(case.name, None)
        if suspect is not None:
            if trial.stalled:  # framing is not the cause
                self._settle(suspect)
                return
            self._blame_framing(suspect)
        elif trial.stalled and trial.coalesced and self._framed and self._is_news(trial):
            self._suspects[case.name] = trial
            self._tries[case.name] -= 1  # the same match again
            return
        if not trial.missed or self._tries[case.name] >= case.tries:
            self._settle(trial)

    def _is_news(self, trial: Trial) -> bool:
        """Whether the silence is not one that was seen before; in the case for it framing is always tried."""
        news = any(breach.cause not in self._causes for breach in trial.breaches)
        return news or trial.case.name == COALESCED

    def _blame_framing(self, suspect: Trial) -> None:
        """The client plays when messages come one by one: say so once."""
        self._framed = False
        case = next((case for case in self.cases if case.name == COALESCED), suspect.case)
        self._causes[_UNFRAMED_CAUSE] = case.name
        if case.name not in self.found:
            finding = suspect.failure([Breach(_UNFRAMED_CAUSE, UNFRAMED)])
            self.judge(msgspec.structs.replace(finding, name=case.name, section=case.section))

    def _settle(self, trial: Trial) -> None:
        """Give a case its verdict."""
        found, case = trial.found, trial.case
        if found is None or case.name in self.found:
            return
        if found.verdict is Verdict.FAIL:
            found = self._once(trial, found)
        self.judge(found)

    def _once(self, trial: Trial, found: Finding) -> Finding:
        """The verdict of a case that failed, without causes that other cases have told."""
        name = trial.case.name
        if not self._framed and trial.stalled and trial.case.delivery is Delivery.BYTES:
            return self._because(found, self._causes[_UNFRAMED_CAUSE])
        news = [breach for breach in trial.breaches if breach.cause not in self._causes]
        if not news:
            return self._because(found, self._causes[trial.breaches[0].cause])
        for breach in news:
            self._causes[breach.cause] = name
        return trial.failure(news)

    def _because(self, found: Finding, name: str) -> Finding:
        self._repeats[name] += 1
        return msgspec.structs.replace(found, verdict=Verdict.NOT_EXAMINED, detail="", because=name)

    def verdicts(self) -> list[Finding]:
        """All verdicts, each cause with the number of cases that have shown it."""
        return [self._counted(self.found[case.name]) for case in self.cases]

    def _counted(self, finding: Finding) -> Finding:
        more = self._repeats[finding.name]
        if not more:
            return finding
        told = f"{finding.detail}\nthe same in {more} more case{'s' if more > 1 else ''}"
        return msgspec.structs.replace(finding, detail=told)

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
    check_command(run)
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
    found = examiner.verdicts()
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
    while (case := examiner.next) is not None:
        words = filled(command, host, port, case)
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
            raise Unavailable(f"cannot run {command!r}: {error.strerror}") from None
        finally:
            if keys is not None:
                os.close(keys)
        relaying = asyncio.ensure_future(_relay(process.stderr)) if process.stderr is not None else None
        try:
            if not await _connects(examiner, case, process):
                code = process.returncode
                how = f"it ended with exit code {code}" if code is not None else f"not in {CONNECTING:g} s"
                raise Unavailable(f"{command!r} has not connected to {host}:{port}: {how}")
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


def check_command(command: str) -> None:
    """Raise `Malformed` if a command cannot be split into words or has unknown placeholders."""
    try:
        fields = [field for word in shlex.split(command) for _, field, _, _ in Formatter().parse(word)]
    except ValueError as error:
        raise Malformed(f"--run {command!r}: {error}; write {{{{ and }}}} for braces") from None
    unknown = sorted({field for field in fields if field is not None and field not in PLACEHOLDERS})
    if unknown:
        names, known = (", ".join(f"{{{name}}}" for name in some) for some in (unknown, PLACEHOLDERS))
        raise Malformed(f"--run: unknown placeholder {names}; known: {known}; write {{{{ and }}}} for braces")


def filled(command: str, host: str, port: int, case: Case) -> list[str]:
    """The words of a command for a case."""
    values = {
        "host": host,
        "port": port,
        "players": case.others + 1,
        "mode": case.settings.get("mode", SIMPLIFIED),
        "name": CLIENT_NAME,
    }
    return [word.format_map(values) for word in shlex.split(command)]


def _opened(typed: Path) -> int:
    try:
        return os.open(typed, os.O_RDONLY)
    except OSError as error:
        raise Unavailable(f"cannot read {typed}: {error.strerror}") from None


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
