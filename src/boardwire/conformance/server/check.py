"""What a check is, and how checks are run.

A check is judged, passed or failed, or it is not examined; and what was not examined has not passed.

**One cause, one finding.**  What a check tries lies behind stretches that it shares with others: to log in, to fill a
table, to play a turn.  A stretch that has failed under one check is not tried again under the next, which is then not
examined because of the first.  So a server that is silent is waited for once.

**Trials are isolated.**  After a trial all its connections are left, and the next begins when the server has closed
them.  Others may be on the server: until a table is full of our own players (`gathers`) whatever goes wrong may be
their doing, and the trial is begun again.  A server that ends with its match is waited for, or restarted by a command.

**Players of other people are not disturbed.**  A trial that joins a queue where somebody else waits takes the seat
opposite, and ends that player's match when it leaves.  Unless nobody else uses the server (`Probe.alone`), such a trial
is skipped: `stranger` turns what shows that somebody is there into `Others`.  Where only joining shows it, one player
is met, and no trial joins a queue after that.
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
from boardwire.net.client import unreachable
from boardwire.wire.codec import Decoder
from boardwire.wire.text import escaped

TRIES: Final = 100
"""How often a trial is begun that others may have disturbed."""

HURRY: Final = 3
"""So many times shorter is the patience for one answer when a trial is begun again, until a table is our own."""

TRYING: Final = 10
"""After so many times the patience for one answer it is not begun again."""

MUTE: Final = 2
"""After so many checks a server that has never said a word is taken for dead."""

PATIENCE: Final = 10.0
"""Seconds in which a server that has gone must be there again."""

QUIET: Final = 0.3
"""Seconds in which the first player of a queue must hear nothing; what comes shows that somebody else waited."""

LOOKS: Final = 3
"""A lobby that looks dead so many times in a row is dead."""

LEAVING: Final = 0.5
"""Seconds a server has to close a connection that we have ended."""

CONNECTING: Final = "connect"
"""The stretch that every way begins with."""

RESTARTING: Final = 60.0
"""Seconds that the command which restarts a server may take."""

TOLD: Final = 10
"""Lines of the conversation that a finding shows."""

KEPT: Final = 200
"""Lines that are kept meanwhile."""


class Failed(Exception):
    """The server did not do what the page says.  The words say what came instead, and what should have come."""


WRONG: Final = (Failed, LookupError, TypeError, AttributeError, ValueError)
"""What a check runs into that expects what the page says; the errors of Python are answers of another form."""


class NoBaseline(Failed):
    """What the check compares with does not work either, so the difference that it looks for cannot be seen."""


class Others(Exception):
    """Somebody else uses the server, and the trial would take that player's seat.

    `harmless` is whether the trial saw it before it took a seat.  Then the same or another trial may look again.
    """

    def __init__(self, sign: str, *, harmless: bool) -> None:
        super().__init__(
            f"{sign}: somebody else uses this server, and the check would end that player's match.\n"
            "If nobody else uses it, run the check with --alone."
        )
        self.harmless = harmless


class NotExamined(Exception):
    """The check cannot be judged, for a reason of its own."""


class DeadLobby(NotExamined):
    """The place where players come to takes connections, and nothing can be done there."""


class Blocked(NotExamined):
    """The check cannot be judged, because of what the check of this name has found."""


class Verdict(StrEnum):
    """How a check went."""

    PASS = "pass"
    FAIL = "fail"
    NOT_EXAMINED = "not examined"
    SKIPPED = "skipped"


class Check(msgspec.Struct, frozen=True):
    """One sentence of a page, the section it is in, and the conversation that tries it."""

    name: str
    section: str
    run: Callable[[Probe], Awaitable[None]]


class Line(msgspec.Struct, frozen=True):
    """Something that was said: on which connection, by the client (`>`) or the server (`<`), and what."""

    connection: int
    way: str
    text: str


class Finding(msgspec.Struct, frozen=True, omit_defaults=False):
    """What a check found.  `because` is the check that it was not examined for, if there is one; `said` is the
    conversation in which it was found."""

    name: str
    section: str
    verdict: Verdict
    detail: str = ""
    because: str = ""
    said: tuple[Line, ...] = ()
    ruling: bool = False
    """Whether the rule is ours, and not the published document's."""
    count: int = 1
    """How often it was found."""

    @property
    def words(self) -> str:
        """What there is to say of it."""
        return f'because of "{self.because}"' if self.because else self.detail


def unexpected(came: Any, wanted: Any) -> Failed:
    """What came is not what should have come."""
    return Failed(f"{show(came)} came; expected {show(wanted)}")


Answering: TypeAlias = Callable[[Any], bytes | None]


def no_answer(message: Any) -> bytes | None:
    """For protocols in which nothing wants a reply at once."""
    return None


class Wire:
    """One connection to the server under test.  It is read all the time, so that `answering` can reply to what wants a
    reply at once (is anybody there?), also on a connection to which a check is not listening; such questions are beats,
    and no messages to a check."""

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
        self._news = asyncio.Event()
        self._over: Exception | None = None
        self._reading = asyncio.create_task(self._read())

    async def _read(self) -> None:
        over: Exception = EOFError()
        try:
            while data := await self._reader.read(65536):
                for message in self._decoder.feed(data):
                    self._take(message)
                if self._decoder.fault is not None:
                    raise self._decoder.fault
        except Malformed as reason:
            over = reason
        except (OSError, RuntimeError):  # the latter is how uvloop says that it is closed
            pass
        self._over = over
        self._news.set()

    def _take(self, message: Any) -> None:
        reply = self.probe.answering(message)
        if reply is None:
            self.probe.note(self._number, "<", message)
            self._messages.append(message)
        else:
            self._beats += 1
            self._writer.write(reply)
        self._news.set()

    async def send(self, data: bytes, shown: str = "") -> None:
        """Send bytes as they are."""
        self.probe.note(self._number, ">", shown or data)
        try:
            await self.ping(data)
        except EOFError:
            raise Failed(f"the server closed the connection; expected that it takes {shown or show(data)}") from None

    async def ping(self, data: bytes) -> None:
        """Send a sign of life, which is no part of the conversation; `EOFError` if nobody is there any more."""
        try:
            self._writer.write(data)
            await self._writer.drain()
        except (OSError, RuntimeError):
            raise EOFError from None

    async def receive(self, what: str = "a message", wait: float | None = None) -> Any:
        """The next message; `Failed` if the connection ends or nothing comes in time."""
        try:
            return await self._next(self.probe.wait if wait is None else wait)
        except TimeoutError:
            raise Failed(f"nothing came; expected {what}") from None
        except EOFError:
            raise Failed(f"the server closed the connection; expected {what}") from None
        except Malformed as error:
            raise Failed(f"what came cannot be read ({error}); expected {what}") from None

    async def next_within(self, wait: float) -> Any | None:
        """Return the next message, or None if the server says nothing for `wait` seconds."""
        try:
            return await self._next(wait)
        except TimeoutError:
            return None
        except EOFError:
            raise Failed("the server closed the connection; expected that it stays open") from None
        except Malformed as error:
            raise Failed(f"what came cannot be read ({error})") from None

    async def waits_alone(self) -> None:
        """The first player of a queue hears nothing; raise what `Probe.stranger` says if it does.

        With `Probe.alone` this takes no time: the trial itself finds out, and is begun again.
        """
        if self.probe.alone:
            return
        try:
            message = await self._next(QUIET)
        except (TimeoutError, EOFError, Malformed):
            return
        self.put_back([message])
        raise self.probe.stranger(f"{show(message)} came to a player who should wait")

    def put_back(self, messages: Sequence[Any]) -> None:
        """Messages that were received are still to be heard."""
        self._messages.extendleft(reversed(messages))

    async def _next(self, wait: float) -> Any:
        await self._until(wait, lambda: bool(self._messages))
        return self._messages.popleft()

    async def _until(self, wait: float, true: Callable[[], bool]) -> None:
        async with asyncio.timeout(wait):
            while not true():
                if self._over is not None:
                    raise self._over
                self._news.clear()
                await self._news.wait()

    async def beat(self, what: str, wait: float | None = None) -> None:
        """Wait for the next question that is answered by the way; `Failed` if there is none in time."""
        try:
            await self._until(self.probe.wait if wait is None else wait, lambda: self._beats > 0)
        except (TimeoutError, EOFError, Malformed):
            raise Failed(f"nothing came; expected {what}") from None
        self._beats -= 1

    async def silent(self, wait: float = 0.3) -> None:
        """`Failed` if anything comes within a moment."""
        try:
            message = await self._next(wait)
        except TimeoutError:
            return
        except (EOFError, Malformed):
            raise Failed("the server closed the connection; expected silence") from None
        raise unexpected(message, "silence")

    async def ends(self, wait: float | None = None) -> None:
        """`Failed` unless the server closes the connection, without another word."""
        try:
            message = await self._next(self.probe.wait if wait is None else wait)
        except TimeoutError:
            raise Failed("the connection stays open; expected its end") from None
        except (EOFError, Malformed):
            return
        raise unexpected(message, "the end of the connection")

    def close(self, *, reset: bool = False) -> None:
        """Close the connection with a FIN, or with an RST.

        `transport.abort()` alone sends an RST only if unread data is left.  A linger time of zero makes the kernel
        discard the connection and send an RST in any case.
        """
        self.probe.note(self._number, ">", "(a reset)" if reset else "(the end of the connection)")
        if reset:
            connection: socket.socket = self._writer.get_extra_info("socket")
            connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
            self._writer.transport.abort()
        else:
            self._writer.close()
        self.probe.closed()

    @property
    def is_left(self) -> bool:
        """Whether this side or the server has closed the connection."""
        return self._writer.is_closing() or self._reading.done()

    async def leave(self) -> None:
        """Say that nothing more comes, and wait a moment for the server to close."""
        try:
            if self._writer.can_write_eof() and not self._writer.is_closing():
                self._writer.write_eof()
            await asyncio.wait({self._reading}, timeout=LEAVING)
        except (OSError, RuntimeError):
            pass
        self._reading.cancel()
        self._writer.transport.abort()
        self.probe.closed()


class Probe:
    """Connects to the server under test, knows what blocks the way, and tidies up after a trial."""

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
        self._again = False
        self.tries = TRIES
        self.answering = answering
        """What is replied at once to a message; nothing (`b""`) to what no check is to see, None to all others."""
        self._restart = restart
        self.alone = alone
        """Whether nobody else uses the server, so that trials may meet whoever waits there."""
        self._met: Others | None = None
        """Whom a trial has met by taking a seat."""
        self.crowded = False
        """Whether a check was skipped because of players that could be seen without harm."""
        self._pace = pace
        """Seconds between two closes: some servers break when connections close together."""
        self._closed_at = 0.0
        self._look = look
        self._reached = False
        self._trials = 0
        self._wires: list[Wire] = []
        self._told: deque[tuple[int, str, Any]] = deque(maxlen=KEPT)
        self._gone: set[object] = set()
        """The stretches that were gone to their end: with certain values, and with any."""
        self._doubted: dict[object, str] = {}
        """Stretches that have failed once after they had gone well, and the check that tells of it."""
        self._blocked: dict[object, str] = {}
        """Stretches, and stretches with values, that have failed; and the check that tells of it."""
        self._fallen: list[tuple[object, object]] = []
        """The stretches, with and without values, that have failed in this trial."""
        self._mute: list[str] = []
        """The checks in which a server said nothing that has not said anything yet."""
        self.alive = False
        """Whether the server has ever said anything: one that has not is not disturbed by others."""
        self.ours = False
        """Whether a table is full of our own players, whom nobody else can disturb."""

    @property
    def wait(self) -> float:
        """Seconds to wait for an answer."""
        return self.patience / HURRY if self._again and not self.ours else self.patience

    async def connect(self, decoder: Callable[[], Decoder] | None = None) -> Wire:
        """A new connection.  A server that was there before is waited for; one that never was is `Unavailable`."""
        return await self.go(CONNECTING, (), lambda: self._connect(decoder or self._decoder))

    async def _connect(self, decoder: Callable[[], Decoder]) -> Wire:
        loop = asyncio.get_running_loop()
        late = loop.time() + PATIENCE
        while True:
            try:
                streams = await asyncio.wait_for(asyncio.open_connection(self.host, self.port), self.wait)
            except (OSError, UnicodeError) as error:  # a timeout is an OSError too
                if not self._reached:
                    raise unreachable(self.host, self.port, error) from None
                if loop.time() > late:
                    raise Failed(f"{self.host}:{self.port} takes no connections any more; expected one") from None
                await asyncio.sleep(0.1)
            else:
                if not self._reached:
                    self.closed()  # another run may have closed its last connection just now
                self._reached = True
                self._wires.append(Wire(*streams, decoder(), self, len(self._wires) + 1))
                return self._wires[-1]

    # --- others on the server ---------------------------------------------------------------------------------------

    def enter_queue(self) -> None:
        """A trial is about to join a queue that other people use; `Others` if somebody was met there before."""
        if self._met is not None and not self.alone:
            raise self._met

    def stranger(self, sign: str, *, harmless: bool = False) -> Exception:
        """Return what to raise where `sign` shows that somebody else is on the server."""
        if self.alone:
            return Failed(f"{sign}; expected an empty lobby")
        others = Others(sign, harmless=harmless)
        if not harmless:
            self._met = others
        return others

    async def survey(self) -> None:
        """Before a trial: wait until the place where its players come to is empty.

        With `alone` the trial begins in any case after a while, since it may drive a forgotten player out.
        """
        if self._look is None:
            return
        loop = asyncio.get_running_loop()
        late = loop.time() + (0.0 if self.crowded else self.wait)
        deaths = 0
        while True:
            sign = ""
            try:
                sign = await self._look(self)
                deaths = 0
            except DeadLobby as error:  # or its players have just left
                deaths += 1
                if deaths >= LOOKS and loop.time() >= late:
                    self.crowded = True
                    raise error from None
            finally:
                await self._forget_survey()
            if not sign and not deaths:
                return
            if not deaths and loop.time() >= late:
                self.crowded = True
                if not self.alone:
                    raise Others(sign, harmless=True)
                return
            await asyncio.sleep(max(self._pace, 0.05))

    async def _forget_survey(self) -> None:
        await self.leave()
        await self._until_next_close()  # the trial may close a connection at once
        self._told.clear()
        self._fallen.clear()

    def closed(self) -> None:
        """A connection was closed just now."""
        self._closed_at = asyncio.get_running_loop().time()

    async def _until_next_close(self) -> None:
        await asyncio.sleep(self._closed_at + self._pace - asyncio.get_running_loop().time())

    # --- what was said ----------------------------------------------------------------------------------------------

    def note(self, number: int, way: str, message: Any) -> None:
        """A line of the conversation."""
        self.alive = self.alive or way == "<"
        self._told.append((number, way, message))

    def conversation(self) -> str:
        """The last that was sent, what came after it, and a little of what was before: `1 >` is what we sent on the
        first connection, `2 <` what came on the second."""
        told = list(self._told)
        sent = max((at for at, (_, way, _) in enumerate(told) if way == ">"), default=0)
        last = told[max(0, min(sent, len(told) - TOLD)) :]
        more = [f"... {len(last) - TOLD} more ..."] if len(last) > TOLD else []
        head, tail = (last[:2], last[2 - TOLD :]) if more else (last, [])
        return "\n".join([*map(_said, head), *more, *map(_said, tail)])

    @property
    def said(self) -> tuple[Line, ...]:
        """All that is kept of this trial's conversation."""
        return tuple(Line(number, way, show(message)) for number, way, message in self._told)

    # --- the way ----------------------------------------------------------------------------------------------------

    async def go(self, name: object, values: tuple[object, ...], way: Callable[[], Awaitable[Walked]]) -> Walked:
        """Go a stretch, unless it is known to be blocked: with these values, or with any if nobody has come through."""
        exact = (name, values)
        for key in [exact] if name in self._gone else [exact, name]:
            if key in self._blocked:
                raise Blocked(self._blocked[key])
        try:
            found = await way()
        except WRONG:
            self._fallen.append((name, exact))
            raise
        self._gone |= {name, exact}
        self._doubted.pop(exact, None)
        return found

    def block(self, check: str) -> None:
        """What failed in this trial is not tried again: this check has told it.  But where others may have been in the
        way of what had gone well before, a second check has to fail there too.  A server that has said nothing in a few
        checks is not asked anything else."""
        if not self.alive:
            self._mute.append(check)
        for name, exact in self._fallen:
            if not self.ours and exact in self._gone and exact not in self._doubted and name != CONNECTING:
                self._doubted[exact] = check
            else:
                for key in (name, exact):
                    self._blocked.setdefault(key, self._doubted.get(exact, check))

    async def begin(self, again: bool = False) -> None:
        """A new trial, or the same again."""
        self._again = again
        if len(self._mute) >= MUTE and not self.alive:
            raise Blocked(self._mute[0])
        if self._trials and self._restart:
            await self._restarted()
        self._trials += 1
        self._told.clear()
        self._fallen.clear()
        self.ours = False

    async def _restarted(self) -> None:
        process = await asyncio.create_subprocess_shell(self._restart, stdin=asyncio.subprocess.DEVNULL)
        try:
            code = await asyncio.wait_for(process.wait(), RESTARTING)
        except TimeoutError:
            process.kill()
            raise Unavailable(
                f"{self._restart!r} has not ended after {RESTARTING:.0f} seconds; it must start the server and end"
            ) from None
        if code:
            raise Unavailable(f"{self._restart!r} ended with exit code {code}")

    async def leave(self) -> None:
        """Leave all connections, and wait until the server has closed them."""
        if self._pace:
            for wire in self._wires:
                if not wire.is_left:
                    await self._until_next_close()
                await wire.leave()
        else:
            await asyncio.gather(*(wire.leave() for wire in self._wires))
        self._wires.clear()


Look: TypeAlias = Callable[[Probe], Awaitable[str]]
"""Connects, and returns what shows that somebody else is in the lobby; nothing if it is empty."""


def _said(line: tuple[int, str, Any]) -> str:
    number, way, message = line
    return f"{number} {way} {show(message)}"


Steps = ParamSpec("Steps")
Walked = TypeVar("Walked")
Way: TypeAlias = Callable[Steps, Awaitable[Walked]]


def stretch(way: Way[Steps, Walked]) -> Way[Steps, Walked]:
    """A part of the way that checks share; it takes the probe, or a player that has one, first.  Gone with other values
    (not players) it is another stretch."""
    form = signature(way)

    @wraps(way)
    async def gone(*given: Steps.args, **named: Steps.kwargs) -> Walked:
        bound = form.bind(*given, **named)
        bound.apply_defaults()
        values = tuple(map(_frozen, filter(_is_plain, bound.arguments.values())))
        return await _probe(given[0]).go(way, values, lambda: way(*given, **named))

    return gone


def gathers(way: Way[Steps, Walked]) -> Way[Steps, Walked]:
    """A stretch at whose end a table is full of our own players; others may have been in its way."""
    tried = stretch(way)

    @wraps(way)
    async def gone(*given: Steps.args, **named: Steps.kwargs) -> Walked:
        probe = _probe(given[0])
        probe.ours = False
        found = await tried(*given, **named)
        probe.ours = True
        return found

    return gone


@asynccontextmanager
async def baseline(what: str) -> AsyncIterator[None]:
    """Run the control of a check: if it fails, the check is not examined, whatever its own difference is."""
    try:
        yield
    except WRONG as error:
        why = str(error) if isinstance(error, Failed) else "what came has not the form that the page gives it"
        raise NoBaseline(f"{what} does not work either: {why}") from None


def _probe(walker: Any) -> Probe:
    found: Probe = walker if isinstance(walker, Probe) else walker.probe
    return found


def _is_plain(value: object) -> bool:
    if isinstance(value, tuple):
        return all(map(_is_plain, value))
    return value is None or isinstance(value, str | int | float | dict | Enum | msgspec.Struct)


def _frozen(value: object) -> object:
    return tuple(value.items()) if isinstance(value, dict) else value


def fresh_names(count: int) -> list[str]:
    """Names that nobody on the server has, in lower case."""
    mark = token_hex(2)
    return [f"{name}{mark}" for name in ("ann", "bob", "cleo", "dan")[:count]]


async def run(checks: Sequence[Check], probe: Probe) -> AsyncIterator[Finding]:
    """Run checks one after the other.  `Unavailable` if the server cannot be reached at all."""
    for check in checks:
        yield await _judge(check, probe)


async def _judge(check: Check, probe: Probe) -> Finding:
    loop = asyncio.get_running_loop()
    late = loop.time() + TRYING * probe.patience
    crowded = loop.time() + (0.0 if probe.crowded else probe.patience)
    tried, failure = 0, ""
    while True:
        tried += 1
        try:
            await probe.begin(again=tried > 1)
            await probe.survey()
            await check.run(probe)
            return Finding(check.name, check.section, Verdict.PASS, _later_try(tried, failure, probe))
        except Blocked as error:
            return Finding(check.name, check.section, Verdict.NOT_EXAMINED, because=str(error))
        except NotExamined as error:
            return Finding(check.name, check.section, Verdict.NOT_EXAMINED, str(error))
        except Others as error:
            if not error.harmless or loop.time() >= crowded:
                probe.crowded = True
                return Finding(check.name, check.section, Verdict.SKIPPED, str(error))
        except WRONG as error:
            if probe.ours or not probe.alive or tried == probe.tries or loop.time() > late:
                if isinstance(error, NoBaseline):
                    return Finding(check.name, check.section, Verdict.NOT_EXAMINED, str(error), said=probe.said)
                probe.block(check.name)
                return Finding(check.name, check.section, Verdict.FAIL, _detail(error, probe), said=probe.said)
            failure = _why(error)
        finally:
            await probe.leave()
        await asyncio.sleep(uniform(0.0, 0.06))


def _later_try(tried: int, failure: str, probe: Probe) -> str:
    """Return the note on a pass at a later try than the first, with what was wrong at the try before."""
    if tried == 1:
        return ""
    cause = "" if probe.alone else "; others on the server may have been in the way"
    before = f"; the try before: {failure}" if failure else ""
    return f"passed at try {tried} of at most {probe.tries}{cause}{before}"


def _why(error: Exception) -> str:
    why = str(error) if isinstance(error, Failed) else "what came has not the form that the page gives it"
    return escaped(why)


def _detail(error: Exception, probe: Probe) -> str:
    """What was wrong, in words, and the end of the conversation."""
    return f"{_why(error)}\n{probe.conversation()}".rstrip()
