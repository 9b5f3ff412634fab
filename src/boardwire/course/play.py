"""Matches of teams' programs with ours and with each other, also under network faults.

- Every conversation of a team's program passes through our proxy, which records a transcript and judges both sides by
  the specification (`conformance.monitor`).
- In a match of a client on a server of two teams, our bot is the opponent. It reaches the server through a bridge,
  which records the match for a replay. If the protocols differ, the client reaches the server through an adapter.
- Blame: a side that breaks the specification, or whose program ends too early, fails. The other side's case then does
  not count, and neither does a match without a result in which neither side is to blame.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from contextlib import AsyncExitStack, suppress
from functools import partial
from pathlib import Path
from random import Random
from time import monotonic
from typing import Final

import msgspec

from boardwire import dialects
from boardwire.arena.network import MatchServer
from boardwire.bots.server_bots import BOTS
from boardwire.bridge.server import Adapter
from boardwire.conformance.finding import Finding, Side
from boardwire.conformance.monitor import Closed, MessageRecord, Opened, Record
from boardwire.conformance.server.check import ConversationLine, Verdict, fresh_names
from boardwire.course.config import Criterion, Team
from boardwire.course.hints import FindingKind
from boardwire.course.programs import (
    HOME_PORT,
    HOST,
    POLL_SECONDS,
    ProgramFault,
    Programs,
    RunningProgram,
    ServerProgram,
    ended_early,
    exit_description,
    home_command,
    stop_program,
)
from boardwire.course.results import Case
from boardwire.dialects.dialect import Ask, ClientOptions, Over, PlayerMessage, Result
from boardwire.errors import BoardwireError, Unavailable
from boardwire.net.client import ClientConnection, connect
from boardwire.proxy.faults import Faults
from boardwire.proxy.proxy import MonitorQueue, Proxy
from boardwire.proxy.transcript import Recorder
from boardwire.store.memory import MemoryJournal
from boardwire.table import events as table_events
from boardwire.table.events import Event
from boardwire.table.match import fold
from boardwire.table.termination import is_aborted
from boardwire.terminal.bot_player import Robot

CONVERSATION_LINES: Final = 60
"""Number of lines that are stored with a case, the last ones of the conversation, for its diagram."""
MAX_LINE_LENGTH: Final = 400
MAX_TRANSCRIPT_RECORDS: Final = 20_000
"""Limit of the records in a transcript file, because a hostile program may never stop sending."""
MAX_FINDINGS: Final = 100
SEAT_SECONDS: Final = 0.3
"""Time for a server to seat our bot before the next player connects."""
RESULT_SECONDS: Final = 2.0
"""Time for a client to read the result before it is stopped."""
STALLED_MOVES: Final = 3
"""Silence after which a match counts as stalled, as a multiple of the time limit of a move."""
FAULT_MESSAGES: Final = 4
"""Number of messages after which a fault is injected."""
FEW_ANSWERS: Final = 1
"""Number of answers of our bot in a match that a fault must interrupt before its end."""
MAX_ANSWERS: Final = 1_000_000
RUBBISH_BYTES: Final = 3000
SLOW: Final = Faults(latency=0.05, jitter=0.05, split=True)
DISCONNECT, RESET, SLOW_NETWORK, RUBBISH, PLAIN = "disconnect", "reset", "slow", "rubbish", "plain match"
RESILIENCE: Final = (PLAIN, DISCONNECT, RESET, SLOW_NETWORK, RUBBISH)
"""Cases of both resilience criteria, in order; without the first, the others are not examined."""


class ProxyRecording:
    """Recording of the conversations through one proxy: a transcript file, and the last lines in memory."""

    def __init__(self, path: Path, dialect: str) -> None:
        self.path = path
        self._file = path.open("w", encoding="utf-8")
        self._recorder = Recorder(self._file, dialect)
        self._written = 0
        """Number of records in the file."""
        self._lines: deque[ConversationLine] = deque(maxlen=CONVERSATION_LINES)
        self.findings: list[Finding] = []
        self.closed: list[Closed] = []
        self.connections = 0
        self.messages = 0

    def __call__(self, record: Record) -> None:
        """Record an event of the proxy."""
        if self._written < MAX_TRANSCRIPT_RECORDS:
            self._written += 1
            self._recorder.write(record)
        match record:
            case Opened():
                self.connections += 1
            case Closed():
                self.closed.append(record)
            case MessageRecord(connection=number, side=side, text=text):
                self.messages += 1
                self._lines.append(
                    ConversationLine(number, ">" if side is Side.CLIENT else "<", text[:MAX_LINE_LENGTH])
                )
            case Finding() if len(self.findings) < MAX_FINDINGS:
                self.findings.append(record)

    @property
    def conversation(self) -> tuple[ConversationLine, ...]:
        return tuple(self._lines)

    def close(self) -> None:
        """Close the file."""
        self._file.close()


class _SilentRobot(Robot):
    """A bot that stops answering after a number of questions, so that a match does not end."""

    def __init__(self, seed: int, answers: int) -> None:
        random = Random(seed)
        super().__init__(BOTS["random"], lambda count: random.randrange(count))
        self._answers = answers

    def receive(self, connection: ClientConnection, message: PlayerMessage) -> None:
        """Handle a message from the client script."""
        if isinstance(message, Ask):
            self._answers -= 1
            if self._answers < 0:
                return
        super().receive(connection, message)


class Bot:
    """A bot of ours at the client's end of a connection; it may stop answering."""

    def __init__(self, seed: int, answers: int = MAX_ANSWERS) -> None:
        self._robot = _SilentRobot(seed, answers)
        self._connection: ClientConnection | None = None

    async def sit(self, dialect: str, host: str, port: int, name: str, game: str) -> None:
        """Connect to a server and request a seat; raise `Unavailable` if that fails."""
        protocol = dialects.dialect(dialect)
        settings = {} if protocol.game else {"game": game}
        self._connection = await connect(protocol, host, port, ClientOptions(name, 2, settings), self._robot)

    @property
    def over(self) -> Over | None:
        """The end of the match as reported to the bot, or None."""
        return self._robot.over

    @property
    def has_finished(self) -> bool:
        """Whether the bot has received a result, and not the news that the match was broken off."""
        return self.over is not None and self.over.result is not Result.BROKEN_OFF

    def leave(self) -> None:
        """Close its connection."""
        if self._connection is not None:
            self._connection.hang_up()


async def until(condition: Callable[[], bool], seconds: float) -> bool:
    """Wait for a condition for at most `seconds`; return whether it holds."""
    deadline = monotonic() + seconds
    while not condition():
        if monotonic() > deadline:
            return False
        await asyncio.sleep(POLL_SECONDS)
    return True


async def _until_over(condition: Callable[[], bool], recording: ProxyRecording, programs: Programs) -> None:
    """Wait for the end of a match, at most until its time limit or until the conversation stalls."""
    deadline, stalled_seconds = monotonic() + programs.timing.match, STALLED_MOVES * programs.timing.move
    received, messages = monotonic(), recording.messages
    while not condition() and monotonic() < min(deadline, received + stalled_seconds):
        await asyncio.sleep(POLL_SECONDS)
        if recording.messages != messages:
            received, messages = monotonic(), recording.messages


async def _start_proxy(
    stack: AsyncExitStack, dialect: str, host: str, port: int, queue: MonitorQueue, faults: Faults | None = None
) -> tuple[Proxy, int]:
    """Start a proxy in front of `host`:`port`; return it and the port that it listens on."""
    proxy = Proxy(dialect, host, port, queue, lambda text: None, faults)
    _, proxy_port = await proxy.listen(HOST, 0)
    stack.push_async_callback(proxy.stop)
    return proxy, proxy_port


# --- resilience of a server -------------------------------------------------------------------------------------------


async def server_case(programs: Programs, name: str, path: Path) -> Case:
    """Start a team's server and run one resilience case."""
    team, timing = programs.team, programs.timing
    recording = ProxyRecording(path, team.protocol)
    log = ""
    try:
        server = await programs.start_server()
        try:
            await _SERVER_CASES[name](programs, server, recording)
        except ProgramFault as fault:
            raise ProgramFault(fault.kind, str(fault), fault.log or server.log()) from None
        finally:
            await server.stop()
            log = server.log()
        return Case(name, Verdict.PASS)
    except ProgramFault as fault:
        return Case(
            name, Verdict.FAIL, detail=str(fault), kind=fault.kind, conversation=recording.conversation,
            log=fault.log or log, repeat=repeat_at_home(Criterion.SERVER_RESILIENCE),
        )  # fmt: skip
    except TimeoutError:
        return Case(
            name, Verdict.FAIL, detail=f"the case did not end within {timing.match:g} s", kind=FindingKind.TIME,
            log=log, repeat=repeat_at_home(Criterion.SERVER_RESILIENCE),
        )  # fmt: skip
    finally:
        recording.close()


def repeat_at_home(criterion: Criterion) -> str:
    """Return the command that repeats the cases of a criterion in the directory of the team's `course.toml`.

    A fault needs our clients or our server around the program, so only a run can repeat it.
    """
    return f"boardwire course run --new --criterion {criterion}"


def _has_more(recording: ProxyRecording, before: int) -> bool:
    """Return whether more than `before` messages were recorded."""
    return recording.messages > before


async def _server_plays(
    programs: Programs, server: ServerProgram, recording: ProxyRecording, faults: Faults | None = None
) -> None:
    """Play a whole match of two bots; raise `ProgramFault` if it does not end with a result."""
    game = programs.course.game
    names = fresh_names(2)
    async with AsyncExitStack() as stack:
        queue = MonitorQueue(recording, lambda text: None)
        bots = [Bot(seed) for seed in (1, 2)]
        for bot, name, link_faults in zip(bots, names, (None, faults), strict=True):
            before = recording.messages
            _, port = await _start_proxy(stack, programs.team.protocol, server.host, server.port, queue, link_faults)
            stack.callback(bot.leave)
            await _connect_bot(bot, programs, port, name, game)
            await until(partial(_has_more, recording, before), SEAT_SECONDS)
        limit = programs.timing.match
        await _until_over(lambda: all(bot.over for bot in bots) or server.has_ended, recording, programs)
        await asyncio.sleep(POLL_SECONDS)
        if all(bot.has_finished for bot in bots):
            return
        if server.has_ended and server.program is not None:
            await server.stop()
            raise ended_early(server.program, "the match was over", FindingKind.CRASH)
        broken = next((bot.over for bot in bots if bot.over is not None and not bot.has_finished), None)
        if broken is not None:
            raise ProgramFault(FindingKind.SPECIFICATION, f"the match was broken off: {broken.text}")
        raise ProgramFault(
            FindingKind.TIME, f"a match of two of our clients stalled, or did not end within {limit:g} s"
        )


async def _connect_bot(bot: Bot, programs: Programs, port: int, name: str, game: str) -> None:
    try:
        await bot.sit(programs.team.protocol, HOST, port, name, game)
    except Unavailable as error:
        raise ProgramFault(FindingKind.NO_PORT, str(error)) from None


async def _interrupt_match(
    programs: Programs, server: ServerProgram, recording: ProxyRecording, faults: Faults | None
) -> None:
    """Begin a match in which the second player's connection is reset (`faults`) or closed."""
    async with AsyncExitStack() as stack:
        queue = MonitorQueue(recording, lambda text: None)
        bots = [Bot(3), Bot(4, FEW_ANSWERS)]
        for bot, name, link_faults in zip(bots, fresh_names(2), (None, faults), strict=True):
            before = recording.messages
            _, port = await _start_proxy(stack, programs.team.protocol, server.host, server.port, queue, link_faults)
            stack.callback(bot.leave)
            await _connect_bot(bot, programs, port, name, programs.course.game)
            await until(partial(_has_more, recording, before), SEAT_SECONDS)
        if faults is None:
            start = recording.messages
            await until(lambda: recording.messages > start + FAULT_MESSAGES or bots[0].over is not None, SEAT_SECONDS)
            bots[1].leave()
        await until(lambda: bots[0].over is not None, programs.timing.wait)


async def _check_recovery(
    programs: Programs, server: ServerProgram, recording: ProxyRecording, kind: FindingKind = FindingKind.NOT_RECOVERED
) -> None:
    """Play a whole match after a fault; raise `ProgramFault` if the server cannot."""
    try:
        await _server_plays(programs, server, recording)
    except ProgramFault as fault:
        if fault.kind is FindingKind.LIMIT:
            raise
        raise ProgramFault(kind, f"the server cannot host another match: {fault}", fault.log) from None


async def _server_disconnect(programs: Programs, server: ServerProgram, recording: ProxyRecording) -> None:
    await _interrupt_match(programs, server, recording, None)
    await _check_recovery(programs, server, recording)


async def _server_reset(programs: Programs, server: ServerProgram, recording: ProxyRecording) -> None:
    await _interrupt_match(programs, server, recording, Faults(reset=FAULT_MESSAGES))
    await _check_recovery(programs, server, recording)


async def _server_slow(programs: Programs, server: ServerProgram, recording: ProxyRecording) -> None:
    await _server_plays(programs, server, recording, SLOW)


async def _server_rubbish(programs: Programs, server: ServerProgram, recording: ProxyRecording) -> None:
    with suppress(OSError, TimeoutError):
        reader, writer = await asyncio.wait_for(asyncio.open_connection(server.host, server.port), programs.timing.wait)
        writer.write(rubbish())
        await asyncio.wait_for(reader.read(RUBBISH_BYTES), SEAT_SECONDS)
        writer.close()
    await asyncio.sleep(SEAT_SECONDS)
    await _check_recovery(programs, server, recording, FindingKind.RUBBISH)


def rubbish() -> bytes:
    """Return bytes that are not a message of any protocol; they are always the same."""
    return Random(32).randbytes(RUBBISH_BYTES) + b"\n"


_SERVER_CASES: Final = {
    PLAIN: _server_plays, DISCONNECT: _server_disconnect, RESET: _server_reset, SLOW_NETWORK: _server_slow,
    RUBBISH: _server_rubbish,
}  # fmt: skip


# --- resilience of a client -------------------------------------------------------------------------------------------


async def client_case(programs: Programs, name: str, path: Path) -> Case:
    """Start a team's client and run one resilience case on a server of ours."""
    team = programs.team
    recording = ProxyRecording(path, team.protocol)
    try:
        await _client_case(programs, name, recording)
        return Case(name, Verdict.PASS)
    except ProgramFault as fault:
        return Case(
            name, Verdict.FAIL, detail=str(fault), kind=fault.kind, conversation=recording.conversation, log=fault.log,
            repeat=repeat_at_home(Criterion.CLIENT_RESILIENCE),
        )  # fmt: skip
    finally:
        recording.close()


async def _client_case(programs: Programs, name: str, recording: ProxyRecording) -> None:
    """Play one case of a client's resilience against our bot; raise `ProgramFault` if the client fails it."""
    dialect = dialects.dialect(programs.team.protocol)
    async with AsyncExitStack() as stack:
        server = MatchServer(1)
        stack.push_async_callback(server.close)
        native_port = await server.listen(dialects.dialect("native"), 0)
        port = native_port if not dialect.game else await server.listen(dialect, 0)
        queue = MonitorQueue(recording, lambda text: None)
        proxy = Proxy(dialect.name, HOST, port, queue, lambda text: None, SLOW if name == SLOW_NETWORK else None)
        stack.push_async_callback(proxy.stop)
        bot = Bot(5, MAX_ANSWERS if name in (PLAIN, SLOW_NETWORK) else FEW_ANSWERS)
        await bot.sit("native", HOST, native_port, fresh_names(1)[0], programs.course.game)
        stack.callback(bot.leave)
        running = await programs.start_client(proxy)
        stack.push_async_callback(stop_program, running)
        await _wait_for_client(programs, running, lambda: recording.connections > 0)
        if name in (PLAIN, SLOW_NETWORK):
            await _client_plays(programs, running, bot, recording)
            return
        await until(lambda: recording.messages >= FAULT_MESSAGES or running.has_ended, programs.timing.wait)
        if running.has_ended:
            await stop_program(running)
            raise ended_early(running, "its match was over", FindingKind.CRASH)
        await _client_survives(programs, running, proxy, recording, name)


async def _wait_for_client(programs: Programs, running: RunningProgram, has_connected: Callable[[], bool]) -> None:
    """Wait until a client has connected; raise `ProgramFault` if it does not."""
    limit = programs.timing.start
    await until(lambda: has_connected() or running.has_ended, limit)
    if has_connected():
        return
    ended = running.has_ended
    await stop_program(running)
    if ended:
        raise ended_early(running, "it connected", FindingKind.START)
    raise ProgramFault(FindingKind.NO_CONNECTION, f"the client did not connect within {limit:g} s", running.log())


async def _client_plays(programs: Programs, running: RunningProgram, bot: Bot, recording: ProxyRecording) -> None:
    """Wait for the end of a client's match; raise `ProgramFault` if the client ends or the match stalls before."""
    limit = programs.timing.match
    await _until_over(lambda: bot.over is not None or running.has_ended, recording, programs)
    await until(lambda: bot.over is not None, RESULT_SECONDS)
    if bot.has_finished:
        return
    await stop_program(running)
    if bot.over is not None or (running.exit_status is not None and running.exit_status >= 0):
        raise ended_early(running, "its match was over", FindingKind.CRASH)
    message = f"a match on our server stalled, or did not end within {limit:g} s"
    raise ProgramFault(FindingKind.TIME, message, running.log())


async def _client_survives(
    programs: Programs, running: RunningProgram, proxy: Proxy, recording: ProxyRecording, name: str
) -> None:
    """Break a client's connection; raise `ProgramFault` unless it ends or connects again in time."""
    connections = recording.connections
    for link in list(proxy.links):
        end = link.ends.get(Side.CLIENT)
        if end is not None:
            if name == RUBBISH:
                end.write(rubbish())
                end.close()
            elif name == RESET:
                end.reset()
            else:
                end.close()
    limit = programs.timing.lost
    await until(lambda: running.has_ended or recording.connections > connections, limit)
    ended = running.has_ended
    if recording.connections > connections and not ended:
        return
    await stop_program(running)
    if not ended:
        message = f"the client neither exited nor reconnected within {limit:g} s after its connection was lost"
        raise ProgramFault(FindingKind.NOT_ENDED, message, running.log())
    if running.excess or (running.exit_status or 0) < 0:
        kind = FindingKind.LIMIT if running.excess else FindingKind.CRASH
        raise ProgramFault(kind, f"the client ended abnormally: {exit_description(running)}", running.log())


# --- a client on a server of two teams --------------------------------------------------------------------------------


class PlayedPair(msgspec.Struct, frozen=True):
    """A match of a client on a server: the case of each, and the match's events if they were recorded."""

    client: Case
    server: Case
    events: tuple[Event, ...] = ()
    is_decided: bool = True
    """Whether the match has a result, or a side is to blame."""


async def play_pair(client: Programs, server: Programs, path: Path, match: str) -> PlayedPair:
    """Play a match of one team's client on another team's server, against a bot of ours.

    A match without a result for which neither program is to blame is played once more.
    """
    first = await _attempt_pair(client, server, path, match, seed=6)
    if first.is_decided:
        return first
    return await _attempt_pair(client, server, path, match, seed=7)


async def _attempt_pair(client: Programs, server: Programs, path: Path, match: str, *, seed: int) -> PlayedPair:
    """Play a match of a client on another team's server; return the case of each, with the conversation as evidence.

    If one side is to blame, the other side's case is skipped; if neither is (`Undecided`), both are.
    """
    names = (f"on the server of {server.team.name}", f"the client of {client.team.name}")
    recordings = [ProxyRecording(path.with_suffix(".server.txt"), server.team.protocol)]
    if client.team.protocol != server.team.protocol:
        recordings.append(ProxyRecording(path.with_suffix(".client.txt"), client.team.protocol))
    journal = MemoryJournal()
    blamed: dict[Side, ProgramFault] = {}
    undecided = ""
    try:
        await _play_pair(client, server, recordings, journal, blamed, seed)
    except ProgramFault as fault:
        blamed.setdefault(Side.SERVER, fault)
    except Undecided as reason:
        undecided = str(reason)
    finally:
        for recording in recordings:
            recording.close()
    events = _recorded_events(journal, match, client.team.label)
    cases = {}
    for side, name, recording in zip((Side.CLIENT, Side.SERVER), names, (recordings[-1], recordings[0]), strict=True):
        file = recording.path.name
        passed = Case(
            name, Verdict.PASS, transcript=file, replay=match if events else "",
            repeat=_replay_command(server.team, file) if side is Side.SERVER else "",
        )  # fmt: skip
        cases[side] = _with_verdict(passed, side, blamed, undecided, recording.conversation)
    return PlayedPair(cases[Side.CLIENT], cases[Side.SERVER], events, not undecided)


def _with_verdict(
    passed: Case,
    side: Side,
    blamed: Mapping[Side, ProgramFault],
    undecided: str,
    conversation: tuple[ConversationLine, ...],
) -> Case:
    """Return the case of a side with its verdict; `undecided` is why neither side is to blame, or ''."""
    blame = blamed.get(side)
    if blame is not None:
        section = blame.section if isinstance(blame, _Breach) else ""
        return msgspec.structs.replace(
            passed, verdict=Verdict.FAIL, detail=str(blame), kind=blame.kind, log=blame.log, section=section,
            conversation=conversation,
        )  # fmt: skip
    if blamed:
        detail = str(next(iter(blamed.values())))
        return msgspec.structs.replace(passed, verdict=Verdict.SKIPPED, detail=detail, kind=FindingKind.OTHER)
    if undecided:
        return msgspec.structs.replace(
            passed, verdict=Verdict.SKIPPED, detail=undecided, kind=FindingKind.TIME, conversation=conversation
        )
    return passed


def _replay_command(server: Team, transcript: str) -> str:
    """Return the command that replays the clients of a transcript to a team's server.

    There is no such command for a client: it plays another match each time, and needs the other team's server.
    """
    program = server.server
    assert program is not None, "the match was planned for a team with a server"
    start = home_command(program)
    replay = f"boardwire transcript replay {transcript} --connect {program.address or f'{HOST}:{HOME_PORT}'}"
    # The server needs time to open its port, and a shell has no portable way to wait for it.
    return f"{start} & sleep 2; {replay}; kill $!" if start else replay


class _Breach(ProgramFault):
    """A breach of the specification in a monitored conversation."""

    def __init__(self, finding: Finding) -> None:
        super().__init__(FindingKind.SPECIFICATION, f"{finding.rule}: {finding.detail}")
        self.section = finding.section


async def _play_pair(
    client: Programs,
    server: Programs,
    recordings: Sequence[ProxyRecording],
    journal: MemoryJournal,
    blamed: dict[Side, ProgramFault],
    seed: int,
) -> None:
    """Start both programs, seat our bot at the server as the opponent, and wait for the end of the match.

    The client reaches the server through a proxy and, if the protocols differ, an adapter; `recordings` has the
    server's proxy first and the client's last. Faults are added to `blamed`; raise `Undecided` if neither side is to
    blame.
    """
    game, protocol = server.course.game, dialects.dialect(server.team.protocol)
    think = server.timing.move * 2  # twice the limit, so that a loaded machine is not held against a team
    async with AsyncExitStack() as stack:
        server_program = await server.start_server()
        stack.push_async_callback(server_program.stop)
        queue = MonitorQueue(recordings[0], lambda text: None, patience=think, think=think)
        _, port = await _start_proxy(stack, protocol.name, server_program.host, server_program.port, queue)
        bot = Bot(seed)
        stack.callback(bot.leave)
        await _sit_opponent(stack, bot, protocol.name, port, game, journal)
        await until(lambda: recordings[0].messages > 0, server.timing.wait)
        await asyncio.sleep(SEAT_SECONDS / 2)
        own_connections = recordings[0].connections
        proxy = Proxy(protocol.name, server_program.host, server_program.port, queue, lambda text: None)
        if len(recordings) > 1:
            adapter = Adapter(dialects.dialect(client.team.protocol), protocol, (HOST, port), lambda text: None)
            stack.push_async_callback(adapter.stop)
            _, adapter_port = await adapter.listen(HOST, 0)
            client_queue = MonitorQueue(recordings[1], lambda text: None, patience=think, think=think)
            proxy = Proxy(client.team.protocol, HOST, adapter_port, client_queue, lambda text: None)
        stack.push_async_callback(proxy.stop)
        before = recordings[-1].connections
        try:
            client_program = await client.start_client(proxy)
            stack.push_async_callback(stop_program, client_program)
            await _wait_for_client(client, client_program, lambda: recordings[-1].connections > before)
        except ProgramFault as fault:
            blamed[Side.CLIENT] = fault
            return
        await until(
            lambda: bot.over is not None or server_program.has_ended or client_program.has_ended, server.timing.match
        )
        await until(lambda: bot.over is not None, RESULT_SECONDS)
        is_finished, server_died, client_died = bot.has_finished, server_program.has_ended, client_program.has_ended
        if is_finished:
            await until(lambda: client_program.has_ended, RESULT_SECONDS / 4)
        await asyncio.sleep(SEAT_SECONDS / 2)  # the proxies judge the last messages
        _blame_breaches(recordings, own_connections, blamed)  # before we stop programs, which breaks off matches
        await stack.aclose()
        if is_finished or blamed:
            return
        if server_died and server_program.program is not None:
            blamed[Side.SERVER] = ended_early(server_program.program, "the match was over", FindingKind.CRASH)
        elif client_died and not _closed_by_server(recordings[-1]):
            blamed[Side.CLIENT] = ended_early(client_program, "the match was over", FindingKind.CRASH)
        else:
            end = "did not end in time" if bot.over is None else f"was broken off ({bot.over.text})"
            raise Undecided(f"the match {end}, and neither side broke a rule")


class Undecided(BoardwireError):
    """A match ended without a result, and neither side is to blame."""

    default_reason = ProgramFault.default_reason


async def _sit_opponent(
    stack: AsyncExitStack, bot: Bot, dialect: str, port: int, game: str, journal: MemoryJournal
) -> None:
    """Seat our bot at a team's server, through a bridge that records the match if the protocol needs one."""
    name = fresh_names(1)[0]
    try:
        if dialect == "native":
            await bot.sit(dialect, HOST, port, name, game)
            return
        native = dialects.dialect("native")
        adapter = Adapter(native, dialects.dialect(dialect), (HOST, port), lambda text: None, journal)
        stack.push_async_callback(adapter.stop)
        _, adapter_port = await adapter.listen(HOST, 0)
        await bot.sit("native", HOST, adapter_port, name, game)
    except Unavailable as error:
        raise ProgramFault(FindingKind.NO_PORT, str(error)) from None


def _blame_breaches(
    recordings: Sequence[ProxyRecording], own_connections: int, blamed: dict[Side, ProgramFault]
) -> None:
    """Blame the sides that broke their specifications; the first `own_connections` are those of our bot."""
    for finding in recordings[0].findings:
        if finding.side is Side.SERVER:
            blamed.setdefault(Side.SERVER, _Breach(finding))
        elif len(recordings) == 1 and finding.connection > own_connections:
            blamed.setdefault(Side.CLIENT, _Breach(finding))
    for finding in recordings[1].findings if len(recordings) > 1 else ():
        if finding.side is Side.CLIENT:
            blamed.setdefault(Side.CLIENT, _Breach(finding))


def _closed_by_server(recording: ProxyRecording) -> bool:
    """Return whether the server was the first to close a connection."""
    return bool(recording.closed) and recording.closed[0].side is Side.SERVER


def _recorded_events(journal: MemoryJournal, match: str, label: str) -> tuple[Event, ...]:
    """Return the events of the recorded match, with its new id and the team's name; empty if it has no result."""
    for _, name in journal.newest(None, 1):
        events = list(journal.read(name))
        outcome = fold(events).outcome
        if outcome is None or is_aborted(outcome):
            return ()
        renamed: list[Event] = []
        for event in events:
            if isinstance(event, table_events.Opened):
                renamed.append(msgspec.structs.replace(event, match=match, code=""))
            elif isinstance(event, table_events.Joined) and event.player.dialect != "native":
                renamed.append(msgspec.structs.replace(event, player=msgspec.structs.replace(event.player, name=label)))
            else:
                renamed.append(event)
        return tuple(renamed)
    return ()
