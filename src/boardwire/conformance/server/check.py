"""Checks and the probe that runs them against a server.

- A check passes, fails or is not examined. A check that was not examined has not passed.
- **One cause, one result.**  Checks share stages (log in, fill a table, play a turn). A stage that failed in one check
  is not run again; later checks that need it are not examined because of the first. So a silent server costs one
  timeout.
- **Attempts are isolated.**  After an attempt all connections are closed; the next one starts when the server has
  closed them too. Until a table is full of our own players (`fills_table`), others may have caused a failure, so the
  check is attempted again. A server that exits with its match is waited for, or restarted by a command.
- **Other players are not disturbed.**  An attempt that joins a queue takes the seat opposite a waiting player and ends
  that player's match. Unless `Probe.alone` is set, such an attempt is skipped: `Probe.other_player` turns evidence of
  another player into `OtherPlayers`. If only joining reveals players, the first attempt encounters one, and later
  attempts do not join the queue.
"""

from __future__ import annotations

import asyncio
import socket
import struct
from collections import deque
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager
from enum import Enum, StrEnum
from functools import wraps
from inspect import signature
from random import uniform
from secrets import token_hex
from typing import Any, Final, ParamSpec, TypeAlias, TypeVar

import msgspec

from boardwire.conformance.display import show
from boardwire.errors import Malformed, Unavailable
from boardwire.net.client import connection_error
from boardwire.wire.codec import Decoder
from boardwire.wire.text import escaped

MAX_CHECK_ATTEMPTS: Final = 100
"""Attempts of a check that other players may have disturbed."""

RETRY_DIVISOR: Final = 3
"""Divisor of the reply timeout in repeated attempts, until our own players fill a table."""

MAX_ATTEMPTS_FACTOR: Final = 10
"""Time limit of all attempts of a check, as a multiple of the reply timeout."""

MAX_SILENT_CHECKS: Final = 2
"""Number of checks after which a server that has never sent anything counts as dead."""

RECONNECT_SECONDS: Final = 10.0
"""Seconds for a server that stopped accepting connections to accept them again."""

QUIET_SECONDS: Final = 0.3
"""Seconds without messages that show that the first player of a queue is alone."""

DEAD_LOBBY_LOOKS: Final = 3
"""Consecutive inspections that must find the lobby dead."""

CLOSE_SECONDS: Final = 0.5
"""Seconds for the server to close a connection that we closed."""

CONNECT_STAGE: Final = "connect"
"""The first stage of every check."""

RESTART_SECONDS: Final = 60.0
"""Time limit of the command that restarts the server."""

EXCERPT_LINES: Final = 10
"""Lines of the conversation in a result's detail."""

MAX_KEPT_LINES: Final = 200
"""Lines of the conversation kept for reports."""


class Failed(Exception):
    """The server broke the specification. The message says what was received and what was expected."""


FAILURES: Final = (Failed, LookupError, TypeError, AttributeError, ValueError)
"""Exceptions that fail a check; Python's own mean that a message had another structure."""


class NoBaseline(Failed):
    """The control of a check failed too, so the check cannot show a difference."""


class OtherPlayers(Exception):
    """Another player uses the server, and the attempt would take the seat opposite.

    `harmless`: the player was detected before a seat was taken, so the attempt may wait and inspect the lobby again.
    """

    def __init__(self, evidence: str, *, harmless: bool) -> None:
        super().__init__(
            f"{evidence}: another player uses this server, and the check would end that match.\n"
            "If no one else uses the server, run the check with --alone."
        )
        self.harmless = harmless


class NotExamined(Exception):
    """The check cannot be judged, for the reason in the message."""


class DeadLobby(NotExamined):
    """The lobby accepts connections but answers no request."""


class Blocked(NotExamined):
    """The check cannot be judged because of the check named in the message."""


class Verdict(StrEnum):
    """Result of a check."""

    PASS = "pass"
    FAIL = "fail"
    NOT_EXAMINED = "not examined"
    SKIPPED = "skipped"


class Check(msgspec.Struct, frozen=True):
    """One rule of a specification, its section, and the conversation that tests it."""

    name: str
    section: str
    run: Callable[[Probe], Awaitable[None]]


class ConversationLine(msgspec.Struct, frozen=True):
    """One message of a conversation, from the client (`>`) or the server (`<`)."""

    connection: int
    way: str
    text: str


class CheckResult(msgspec.Struct, frozen=True, omit_defaults=False):
    """Result of one check. `because` names the check that prevented it; `conversation` is that of a failure."""

    name: str
    section: str
    verdict: Verdict
    detail: str = ""
    because: str = ""
    conversation: tuple[ConversationLine, ...] = ()
    ruling: bool = False
    """Whether the rule is our ruling and not the published document's."""
    count: int = 1
    """Number of occurrences."""

    @property
    def words(self) -> str:
        """The detail, or the check that prevented this one."""
        return f'because of "{self.because}"' if self.because else self.detail


def unexpected(received: Any, expected: Any) -> Failed:
    """Return the failure for a message other than the expected one."""
    return Failed(f"got {show(received)}; expected {show(expected)}")


Answering: TypeAlias = Callable[[Any], bytes | None]


def no_answer(message: Any) -> bytes | None:
    """Return no reply, for protocols without pings."""
    return None


class Wire:
    """One connection to the server under test.

    A task reads it continuously, so that `answering` can reply to pings while no check is receiving. Messages answered
    this way are heartbeats and are not delivered to the check.
    """

    def __init__(
        self,
        reader: asyncio.StreamReader,
        writer: asyncio.StreamWriter,
        decoder: Decoder,
        probe: Probe,
        number: int,
    ) -> None:
        self._reader = reader
        self._writer = writer
        self._decoder = decoder
        self._number = number
        self.probe = probe
        self._messages: deque[Any] = deque()
        self._beats = 0
        """Number of answered heartbeats that no check has awaited yet."""
        self._changed = asyncio.Event()
        self._end: Exception | None = None
        """`EOFError` after the end of the connection, or the fault that made the input unreadable."""
        self._read_task = asyncio.create_task(self._read())

    async def _read(self) -> None:
        over: Exception = EOFError()
        try:
            while data := await self._reader.read(65536):
                for message in self._decoder.feed(data):
                    self._handle(message)
                if self._decoder.fault is not None:
                    raise self._decoder.fault
        except Malformed as reason:
            over = reason
        except (OSError, RuntimeError):  # uvloop raises RuntimeError on a closed transport
            pass
        self._end = over
        self._changed.set()

    def _handle(self, message: Any) -> None:
        """Answer a heartbeat at once; queue any other message for `receive`."""
        reply = self.probe.answering(message)
        if reply is None:
            self.probe.note(self._number, "<", message)
            self._messages.append(message)
        else:
            self._beats += 1
            self._writer.write(reply)
        self._changed.set()

    async def send(self, data: bytes, shown: str = "") -> None:
        """Send bytes; raise `Failed` if the connection is closed. `shown` is the text for the recorded conversation."""
        self.probe.note(self._number, ">", shown or data)
        try:
            await self.ping(data)
        except EOFError:
            raise Failed(f"the server closed the connection; expected it to accept {shown or show(data)}") from None

    async def ping(self, data: bytes) -> None:
        """Send a heartbeat, which is not recorded; raise `EOFError` if the connection is closed."""
        try:
            self._writer.write(data)
            await self._writer.drain()
        except (OSError, RuntimeError):
            raise EOFError from None

    async def receive(self, what: str = "a message", wait: float | None = None) -> Any:
        """Return the next message; raise `Failed` on a timeout, a close or a malformed message."""
        wait = self.probe.wait if wait is None else wait
        try:
            return await self._next_message(wait)
        except TimeoutError:
            raise Failed(f"nothing arrived for {round(wait, 2):g} s; expected {what}") from None
        except EOFError:
            raise Failed(f"the server closed the connection; expected {what}") from None
        except Malformed as error:
            raise Failed(f"got data that cannot be decoded ({error}); expected {what}") from None

    async def next_within(self, wait: float) -> Any | None:
        """Return the next message, or None if nothing arrives within `wait` seconds."""
        try:
            return await self._next_message(wait)
        except TimeoutError:
            return None
        except EOFError:
            raise Failed("the server closed the connection; expected it to stay open") from None
        except Malformed as error:
            raise Failed(f"got data that cannot be decoded ({error}); expected a message or silence") from None

    async def expect_no_opponent(self) -> None:
        """Raise `Probe.other_player` if the first player of a queue receives a message.

        With `Probe.alone` this is not checked: if another player interferes, the attempt fails and is repeated.
        """
        if self.probe.alone:
            return
        try:
            message = await self._next_message(QUIET_SECONDS)
        except (TimeoutError, EOFError, Malformed):
            return
        self.put_back([message])
        raise self.probe.other_player(f"a player who should wait got {show(message)}")

    def put_back(self, messages: Sequence[Any]) -> None:
        """Return received messages to the front of the queue."""
        self._messages.extendleft(reversed(messages))

    async def _next_message(self, wait: float) -> Any:
        await self._until(wait, lambda: bool(self._messages))
        return self._messages.popleft()

    async def _until(self, wait: float, condition: Callable[[], bool]) -> None:
        async with asyncio.timeout(wait):
            while not condition():
                if self._end is not None:
                    raise self._end
                self._changed.clear()
                await self._changed.wait()

    async def expect_heartbeat(self, what: str, wait: float | None = None) -> None:
        """Wait for the next heartbeat; raise `Failed` on a timeout or a close."""
        wait = self.probe.wait if wait is None else wait
        try:
            await self._until(wait, lambda: self._beats > 0)
        except TimeoutError:
            raise Failed(f"nothing arrived for {round(wait, 2):g} s; expected {what}") from None
        except (EOFError, Malformed):
            raise Failed(f"the server closed the connection; expected {what}") from None
        self._beats -= 1

    async def expect_silence(self, wait: float = 0.3) -> None:
        """Raise `Failed` if a message arrives within `wait` seconds."""
        try:
            message = await self._next_message(wait)
        except TimeoutError:
            return
        except (EOFError, Malformed):
            raise Failed("the server closed the connection; expected silence") from None
        raise unexpected(message, "silence")

    async def expect_close(self, wait: float | None = None) -> None:
        """Raise `Failed` unless the server closes the connection without another message."""
        try:
            message = await self._next_message(self.probe.wait if wait is None else wait)
        except TimeoutError:
            raise Failed("the connection stays open; expected the server to close it") from None
        except (EOFError, Malformed):
            return
        raise unexpected(message, "the end of the connection")

    def close(self, *, reset: bool = False) -> None:
        """Close the connection with a FIN, or with an RST.

        `transport.abort()` alone sends an RST only if unread data is left. A linger time of zero makes the kernel
        discard the connection and send an RST in any case.
        """
        self.probe.note(self._number, ">", "(a reset)" if reset else "(the end of the connection)")
        if reset:
            connection: socket.socket = self._writer.get_extra_info("socket")
            connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
            self._writer.transport.abort()
        else:
            self._writer.close()
        self.probe.note_close()

    @property
    def is_left(self) -> bool:
        """Whether either side has closed the connection."""
        return self._writer.is_closing() or self._read_task.done()

    async def leave(self) -> None:
        """Half-close, wait up to `CLOSE_SECONDS` for the server to close, then abort."""
        try:
            if self._writer.can_write_eof() and not self._writer.is_closing():
                self._writer.write_eof()
            await asyncio.wait({self._read_task}, timeout=CLOSE_SECONDS)
        except (OSError, RuntimeError):  # uvloop raises RuntimeError on a closed transport
            pass
        self._read_task.cancel()
        self._writer.transport.abort()
        self.probe.note_close()


class Probe:
    """Connections to the server under test, failed stages, and cleanup after an attempt."""

    def __init__(
        self,
        host: str,
        port: int,
        decoder: Callable[[], Decoder],
        wait: float = 3.0,
        *,
        answering: Answering = no_answer,
        restart: str = "",
        alone: bool = False,
        pace: float = 0.0,
        look: Look | None = None,
    ) -> None:
        self.host = host
        self.port = port
        self._decoder = decoder
        self.patience = wait
        """Seconds to wait for a reply in a first attempt."""
        self._is_retry = False
        """Whether the attempt repeats a failed one."""
        self.tries = MAX_CHECK_ATTEMPTS
        self.answering = answering
        """Function that returns the automatic reply to a message, `b""` to hide it from checks, or None."""
        self._restart = restart
        """Command that restarts the server before each attempt but the first; empty: none."""
        self.alone = alone
        """Whether no other players use the server, so that attempts may join any queue."""
        self._interference: OtherPlayers | None = None
        """Raised by `enter_queue` since another player joined the match of an attempt."""
        self.crowded = False
        """Whether a check was skipped because other players were in the lobby."""
        self._pace = pace
        """Seconds between two closes: some servers break when connections close together."""
        self._closed_at = 0.0
        self._look = look
        """Inspects the lobby; None if the protocol cannot show it."""
        self._was_reached = False
        """Whether a connection to the server was ever opened."""
        self._attempts = 0
        """Attempts of all checks so far."""
        self._wires: list[Wire] = []
        self._lines: deque[tuple[int, str, Any]] = deque(maxlen=MAX_KEPT_LINES)
        self._passed_stages: set[object] = set()
        """Stages that have succeeded, by their names alone and by name and values."""
        self._suspect_stages: dict[object, str] = {}
        """Stages that failed once after a success, and the check that reported it."""
        self._blocked_stages: dict[object, str] = {}
        """Stages that have failed, keyed like `_passed_stages`, and the check that reported it."""
        self._failed_stages: list[tuple[object, object]] = []
        """Stages that failed in this attempt."""
        self._silent_checks: list[str] = []
        """Checks before the server's first message."""
        self.alive = False
        """Whether the server has ever sent a message: only then can other players be the cause of a failure."""
        self.ours = False
        """Whether our own players fill a table, so that others cannot interfere."""

    @property
    def wait(self) -> float:
        """Seconds to wait for a reply."""
        return self.patience / RETRY_DIVISOR if self._is_retry and not self.ours else self.patience

    async def connect(self, decoder: Callable[[], Decoder] | None = None) -> Wire:
        """Open a connection.

        Raise `Unavailable` if the server was never reachable; if it was, wait up to `RECONNECT_SECONDS` for it.
        """
        return await self.run_stage(CONNECT_STAGE, (), lambda: self._connect(decoder or self._decoder))

    async def _connect(self, decoder: Callable[[], Decoder]) -> Wire:
        """Connect to the server; one that was reached before may be restarting, so try for `RECONNECT_SECONDS`."""
        loop = asyncio.get_running_loop()
        deadline = loop.time() + RECONNECT_SECONDS
        while True:
            try:
                streams = await asyncio.wait_for(asyncio.open_connection(self.host, self.port), self.wait)
            except (OSError, UnicodeError) as error:  # a timeout is an OSError too
                if not self._was_reached:
                    raise connection_error(self.host, self.port, error) from None
                if loop.time() > deadline:
                    raise Failed(
                        f"{self.host}:{self.port} accepts no connection for {RECONNECT_SECONDS:.0f} s; expected one"
                    ) from None
                await asyncio.sleep(0.1)
            else:
                if not self._was_reached:
                    self.note_close()  # another run may have closed a connection just now
                self._was_reached = True
                self._wires.append(Wire(*streams, decoder(), self, len(self._wires) + 1))
                return self._wires[-1]

    # --- others on the server -----------------------------------------------------------------------------------------

    def enter_queue(self) -> None:
        """Must be called before joining a public queue; raises `OtherPlayers` after another player joined its match."""
        if self._interference is not None and not self.alone:
            raise self._interference

    def other_player(self, evidence: str, *, harmless: bool = False) -> Exception:
        """Return the exception to raise when `evidence` shows that another player uses the server."""
        if self.alone:
            return Failed(f"{evidence}; expected an empty lobby")
        others = OtherPlayers(evidence, harmless=harmless)
        if not harmless:
            self._interference = others
        return others

    async def wait_for_empty_lobby(self) -> None:
        """Wait until the lobby is empty before an attempt.

        With `alone` the attempt starts after the time limit in any case, since it may displace a stale player.
        """
        if self._look is None:
            return
        loop = asyncio.get_running_loop()
        deadline = loop.time() + (0.0 if self.crowded else self.wait)
        dead_inspections = 0
        while True:
            evidence = ""
            try:
                evidence = await self._look(self)
                dead_inspections = 0
            except DeadLobby as error:  # or its players have just left
                dead_inspections += 1
                if dead_inspections >= DEAD_LOBBY_LOOKS and loop.time() >= deadline:
                    self.crowded = True
                    raise error from None
            finally:
                await self._forget_inspection()
            if not evidence and not dead_inspections:
                return
            if not dead_inspections and loop.time() >= deadline:
                self.crowded = True
                if not self.alone:
                    raise OtherPlayers(evidence, harmless=True)
                return
            await asyncio.sleep(max(self._pace, 0.05))

    async def _forget_inspection(self) -> None:
        """Close the connections of an inspection and drop its records."""
        await self.leave()
        await self._until_next_close()  # the attempt may close a connection at once
        self._lines.clear()
        self._failed_stages.clear()

    def note_close(self) -> None:
        """Note that a connection was closed now."""
        self._closed_at = asyncio.get_running_loop().time()

    async def _until_next_close(self) -> None:
        """Wait until the server tolerates another close."""
        await asyncio.sleep(self._closed_at + self._pace - asyncio.get_running_loop().time())

    # --- the conversation ---------------------------------------------------------------------------------------------

    def note(self, number: int, way: str, message: Any) -> None:
        """Record a message of the conversation."""
        self.alive = self.alive or way == "<"
        self._lines.append((number, way, message))

    def conversation(self) -> str:
        """Return the excerpt for a result: the last message sent, all after it, and a few before.

        `1 >` marks a message sent on the first connection, `2 <` one received on the second.
        """
        lines = list(self._lines)
        last_sent = max((index for index, (_, way, _) in enumerate(lines) if way == ">"), default=0)
        last = lines[max(0, min(last_sent, len(lines) - EXCERPT_LINES)) :]
        more = [f"... {len(last) - EXCERPT_LINES} more ..."] if len(last) > EXCERPT_LINES else []
        head, tail = (last[:2], last[2 - EXCERPT_LINES :]) if more else (last, [])
        return "\n".join([*map(_line_text, head), *more, *map(_line_text, tail)])

    @property
    def recorded_lines(self) -> tuple[ConversationLine, ...]:
        """The recorded conversation of this attempt."""
        return tuple(ConversationLine(number, way, show(message)) for number, way, message in self._lines)

    # --- stages -------------------------------------------------------------------------------------------------------

    async def run_stage(self, name: object, values: tuple[object, ...], way: Callable[[], Awaitable[Result]]) -> Result:
        """Run a stage; raise `Blocked` if it has failed with these values, or with any and never succeeded."""
        exact = (name, values)
        for key in [exact] if name in self._passed_stages else [exact, name]:
            if key in self._blocked_stages:
                raise Blocked(self._blocked_stages[key])
        try:
            result = await way()
        except FAILURES:
            self._failed_stages.append((name, exact))
            raise
        self._passed_stages |= {name, exact}
        self._suspect_stages.pop(exact, None)
        return result

    def block(self, check: str) -> None:
        """Block the stages that failed in this attempt, on behalf of a check.

        A stage that has succeeded before is blocked only at its second failure if other players may have interfered.
        """
        if not self.alive:
            self._silent_checks.append(check)
        for name, exact in self._failed_stages:
            if (
                not self.ours
                and exact in self._passed_stages
                and exact not in self._suspect_stages
                and name != CONNECT_STAGE
            ):
                self._suspect_stages[exact] = check
            else:
                for key in (name, exact):
                    self._blocked_stages.setdefault(key, self._suspect_stages.get(exact, check))

    async def begin(self, is_retry: bool = False) -> None:
        """Start an attempt; `is_retry`: it repeats a failed one."""
        self._is_retry = is_retry
        if len(self._silent_checks) >= MAX_SILENT_CHECKS and not self.alive:
            raise Blocked(self._silent_checks[0])
        if self._attempts and self._restart:
            await self._restart_server()
        self._attempts += 1
        self._lines.clear()
        self._failed_stages.clear()
        self.ours = False

    async def _restart_server(self) -> None:
        """Run the restart command; raise `Unavailable` if it fails."""
        process = await asyncio.create_subprocess_shell(self._restart, stdin=asyncio.subprocess.DEVNULL)
        try:
            code = await asyncio.wait_for(process.wait(), RESTART_SECONDS)
        except TimeoutError:
            process.kill()
            raise Unavailable(
                f"the restart command {self._restart!r} has not exited after {RESTART_SECONDS:.0f} s; "
                "it must start the server in the background and exit"
            ) from None
        if code:
            raise Unavailable(f"the restart command {self._restart!r} failed with exit code {code}")

    async def leave(self) -> None:
        """Close all connections and wait until the server has closed them."""
        if self._pace:
            for wire in self._wires:
                if not wire.is_left:
                    await self._until_next_close()
                await wire.leave()
        else:
            await asyncio.gather(*(wire.leave() for wire in self._wires))
        self._wires.clear()


Look: TypeAlias = Callable[[Probe], Awaitable[str]]
"""Function that returns evidence that another player is in the lobby, or '' if it is empty."""


def _line_text(line: tuple[int, str, Any]) -> str:
    number, way, message = line
    return f"{number} {way} {show(message)}"


Params = ParamSpec("Params")
Result = TypeVar("Result")
Stage: TypeAlias = Callable[Params, Awaitable[Result]]


def stage(way: Stage[Params, Result]) -> Stage[Params, Result]:
    """Decorator of a stage that checks share.

    The first argument is the probe or has a `probe`. Calls with different values, apart from players, are different
    stages.
    """
    form = signature(way)

    @wraps(way)
    async def staged(*arguments: Params.args, **keywords: Params.kwargs) -> Result:
        bound = form.bind(*arguments, **keywords)
        bound.apply_defaults()
        values = tuple(map(_hashable, filter(_is_plain, bound.arguments.values())))
        return await _probe(arguments[0]).run_stage(way, values, lambda: way(*arguments, **keywords))

    return staged


def fills_table(way: Stage[Params, Result]) -> Stage[Params, Result]:
    """Decorator of a stage that fills a table with our own players; others may disturb it until it has succeeded."""
    stage_way = stage(way)

    @wraps(way)
    async def staged(*arguments: Params.args, **keywords: Params.kwargs) -> Result:
        probe = _probe(arguments[0])
        probe.ours = False
        result = await stage_way(*arguments, **keywords)
        probe.ours = True
        return result

    return staged


@asynccontextmanager
async def baseline(what: str) -> AsyncIterator[None]:
    """Context manager for the control of a check: if the control fails, the check is reported as not examined."""
    try:
        yield
    except FAILURES as error:
        raise NoBaseline(f"{what} does not work either: {_reason(error)}") from None


def _probe(argument: Any) -> Probe:
    """Return the probe that is, or belongs to, the first argument of a stage."""
    probe: Probe = argument if isinstance(argument, Probe) else argument.probe
    return probe


def _is_plain(value: object) -> bool:
    """Return whether an argument of a stage is data, rather than a probe, a player or a connection."""
    if isinstance(value, tuple):
        return all(map(_is_plain, value))
    return value is None or isinstance(value, str | int | float | dict | Enum | msgspec.Struct)


def _hashable(value: object) -> object:
    return tuple(value.items()) if isinstance(value, dict) else value


def fresh_names(count: int) -> list[str]:
    """Return lower-case names with a random suffix, so that they are unused on the server."""
    suffix = token_hex(2)
    return [f"{name}{suffix}" for name in ("ann", "bob", "cleo", "dan")[:count]]


async def run(checks: Sequence[Check], probe: Probe) -> AsyncIterator[CheckResult]:
    """Run checks in order; raise `Unavailable` if the server is unreachable."""
    for check in checks:
        yield await _run_check(check, probe)


async def _run_check(check: Check, probe: Probe) -> CheckResult:
    """Attempt a check until it is judged, or other players can no longer be the cause of its failure."""
    loop = asyncio.get_running_loop()
    deadline = loop.time() + MAX_ATTEMPTS_FACTOR * probe.patience
    lobby_deadline = loop.time() + (0.0 if probe.crowded else probe.patience)
    attempt, failure = 0, ""
    while True:
        attempt += 1
        try:
            await probe.begin(is_retry=attempt > 1)
            await probe.wait_for_empty_lobby()
            await check.run(probe)
            return CheckResult(check.name, check.section, Verdict.PASS, _repeat_note(attempt, failure, probe))
        except Blocked as error:
            return CheckResult(check.name, check.section, Verdict.NOT_EXAMINED, because=str(error))
        except NotExamined as error:
            return CheckResult(check.name, check.section, Verdict.NOT_EXAMINED, str(error))
        except OtherPlayers as error:
            if not error.harmless or loop.time() >= lobby_deadline:
                probe.crowded = True
                return CheckResult(check.name, check.section, Verdict.SKIPPED, str(error))
        except FAILURES as error:
            if probe.ours or not probe.alive or attempt == probe.tries or loop.time() > deadline:
                if isinstance(error, NoBaseline):
                    return CheckResult(
                        check.name, check.section, Verdict.NOT_EXAMINED, str(error), conversation=probe.recorded_lines
                    )
                probe.block(check.name)
                return CheckResult(
                    check.name, check.section, Verdict.FAIL, _detail(error, probe), conversation=probe.recorded_lines
                )
            failure = escaped(_reason(error))
        finally:
            await probe.leave()
        await asyncio.sleep(uniform(0.0, 0.06))  # so that two runs of the checks do not stay in step


def _repeat_note(attempt: int, failure: str, probe: Probe) -> str:
    """Return the detail of a pass: '' at the first attempt, otherwise the number of attempts and the last failure."""
    if attempt == 1:
        return ""
    cause = "" if probe.alone else "; other players on the server may have interfered"
    before = f"; the previous attempt: {failure}" if failure else ""
    return f"passed at attempt {attempt} of at most {probe.tries}{cause}{before}"


def _reason(error: Exception) -> str:
    """Return the reason of a failure; Python's own exceptions mean that a message had another structure."""
    return str(error) if isinstance(error, Failed) else "a message does not have the structure of the specification"


def _detail(error: Exception, probe: Probe) -> str:
    """Return the failure and an excerpt of the conversation."""
    return f"{escaped(_reason(error))}\n{probe.conversation()}".rstrip()
