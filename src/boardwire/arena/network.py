"""Matches with network programs: clients that connect to us, and servers to which we connect.

- **A client** (`listen`) connects to a server for one match, with the same lobby, tables and dialects as
  `boardwire serve`. Seats are taken in order: each port opens when the seats before it are taken. Other participants
  join the table over the native dialect.
- **A server** (`connect`) plays with whatever it seats against our client. The other participant reaches it through
  a bridge, which follows the match by our rules and so records it. The server assigns the seats.
- A client that exceeds its budget, or leaves, forfeits. Its standard error is kept like an engine's.
- The stored match has the names of the participants, even if the protocol uses others.
"""

from __future__ import annotations

import asyncio
import shlex
import socket
import tempfile
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import AsyncExitStack, suppress
from functools import partial
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any, Final, Protocol

import msgspec

from boardwire import dialects, games
from boardwire.arena.config import ArenaTournament, Participant
from boardwire.arena.match import (
    Allowance,
    Budget,
    Cause,
    Chosen,
    MatchPlayer,
    PlayedMatch,
    PlayerFault,
    SeatFacts,
    play_match,
)
from boardwire.arena.results import ARENA
from boardwire.bridge.server import Adapter, LoopClock
from boardwire.dialects.dialect import Ask, ClientOptions, Dialect, Over, PlayerMessage
from boardwire.engines import CageLimits
from boardwire.engines.cage import CageTool, best_cage_tool
from boardwire.engines.network_program import NetworkProgram
from boardwire.errors import BoardwireError, Malformed, Reason, Unavailable
from boardwire.games.game import Decision, Outcome, Seat
from boardwire.lobby.lobby import Lobby
from boardwire.net.asgi import Message, Scope
from boardwire.net.client import ClientConnection, connect
from boardwire.net.connection import Connection
from boardwire.net.connections import ConnectionLimits, Connections
from boardwire.net.http import HttpServer
from boardwire.net.listener import Listener, address, listen
from boardwire.simulation.luck import CountedNames, ScriptedDealer
from boardwire.store.memory import MemoryJournal
from boardwire.table import commands as cmd
from boardwire.table import events as ev
from boardwire.table.events import Event
from boardwire.table.match import Match, Status, fold
from boardwire.table.policy import Leaving, Policy
from boardwire.table.table import Table
from boardwire.table.termination import is_aborted

if TYPE_CHECKING:
    from boardwire.arena.schedule import Job
    from boardwire.arena.worker import Players

HOST: Final = "127.0.0.1"
START_SECONDS: Final = 30.0
"""Timeout for a client that the arena starts to take its seat."""
WAIT_SECONDS: Final = 600.0
"""Timeout for a client that is started elsewhere to take its seat."""
MARGIN_SECONDS: Final = 0.5
"""How late a network program's answer may be after the limit."""
SILENT_SECONDS: Final = 120.0
"""Timeout for a server to begin a match, or to continue it if the server has no budget."""
SERVER_MARGIN_SECONDS: Final = 5.0
"""How late a server's answer may be after the limit: its messages may wait for a search of the bridge."""
AWAY_SECONDS: Final = 1.0
"""Time after which a client that has left forfeits."""
END_SECONDS: Final = 1.0
"""Time for programs to read the result before their connections are closed."""
POLL_SECONDS: Final = 0.005
ISOLATED_PORT: Final = 40_000
"""Port of our server for a client that is alone on its network."""
MAX_REPEATS: Final = 3
"""Refused answers to one question after which a player forfeits."""
LOG_TAIL_BYTES: Final = 16 * 1024


class NoResult(BoardwireError):
    """The match has no result through the fault of one seat, which forfeits it."""

    default_reason = Reason.FAULT

    def __init__(self, seat: Seat, cause: Cause, detail: str) -> None:
        super().__init__(detail)
        self.seat = seat
        self.fault = PlayerFault(cause, detail)


def play_network_match(tournament: ArenaTournament, players: Players, job: Job) -> PlayedMatch:
    """Play a match in which at least one participant is a network program."""
    participants = [tournament.participants[number] for number in job.participants]
    local = [number for number in job.participants if not tournament.participants[number].dialect]
    local_players = iter(players.seat(tuple(local)))
    seated_players = [None if participant.dialect else next(local_players) for participant in participants]
    play = _on_server if any(participant.connect for participant in participants) else _as_server
    try:
        return asyncio.run(play(tournament, job, participants, seated_players))
    except NoResult as error:
        return _forfeit(tournament, job, error)


def _forfeit(tournament: ArenaTournament, job: Job, error: NoResult) -> PlayedMatch:
    """Return a match that a seat forfeits before the first action."""
    stubs = [_Absent(error.fault if seat == error.seat else None) for seat in range(len(job.participants))]
    game = games.game(tournament.game)
    return play_match(game, tournament.options, stubs, job.names, match=job.match, deal_seed=job.deal_seed)


class _Absent:
    """A player in a match that is forfeited at its beginning: the one that fails, or an opponent, who never chooses."""

    budget = Budget()

    def __init__(self, fault: PlayerFault | None) -> None:
        self._fault = fault

    def begin(self, game: str, seat: Seat, seats: int, options: Any, seed: int) -> None:
        if self._fault is not None:
            raise self._fault

    def choose(self, view: Any, decision: Decision[Any], allowance: Allowance) -> Chosen:
        return Chosen(next(iter(decision.choices)), 0.0)

    def end(self, outcome: Outcome | None) -> None: ...

    def log(self) -> str:
        return ""

    def close(self) -> None: ...


# --- players at connections -------------------------------------------------------------------------------------------


class LocalClient:
    """A player of the arena at the client's end of a connection. It chooses in a thread; faults go to `on_fault`."""

    def __init__(self, player: MatchPlayer, record: SeatFacts, on_fault: Callable[[PlayerFault], None]) -> None:
        self._player = player
        self._record = record
        self._on_fault = on_fault
        self._remaining = player.budget.match_seconds
        self._executor = ThreadPoolExecutor(1)
        self._tasks: set[asyncio.Task[None]] = set()
        self._open_ask: Ask | None = None
        self._repeats = 0
        self.is_asked = False
        """Whether the player has been asked a question."""
        self.last_activity = asyncio.get_running_loop().time()
        """Time of the last message, or of the player's last answer."""
        self.over: Over | None = None

    async def begin(self, game: str, seat: Seat, seats: int, options: Any, seed: int) -> None:
        """Begin the match for the player."""
        loop = asyncio.get_running_loop()
        await loop.run_in_executor(self._executor, partial(self._player.begin, game, seat, seats, options, seed))

    def receive(self, connection: ClientConnection, message: PlayerMessage) -> None:
        """Answer a question, or record the end of the match."""
        self.last_activity = asyncio.get_running_loop().time()
        if isinstance(message, Ask):
            self._open_ask, self.is_asked = message, True
            task = asyncio.get_running_loop().create_task(self._answer(connection, message))
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)
        elif isinstance(message, Over):
            self.over = message

    async def _answer(self, connection: ClientConnection, question: Ask) -> None:
        """Let the player choose in a thread and send its choice, if the question is still open."""
        # If a decision is open to several seats, another one may have made the choice meanwhile: choose again.
        self._repeats = self._repeats + 1 if question.again else 0
        if self._repeats > MAX_REPEATS:
            self._on_fault(PlayerFault(Cause.ILLEGAL, question.again))
            return
        allowance = self._player.budget.allowance(self._remaining)
        choose = partial(self._player.choose, question.view, question.decision, allowance)
        try:
            choice = await asyncio.get_running_loop().run_in_executor(self._executor, choose)
        except PlayerFault as fault:
            self._on_fault(fault)
            return
        self.last_activity = asyncio.get_running_loop().time()
        self._record.seconds += choice.seconds
        self._record.choices += 1
        if allowance.remaining is not None:
            self._remaining = max(0.0, allowance.remaining - choice.seconds) + self._player.budget.increment
        if self._open_ask is question:
            connection.answer(choice.action)

    @property
    def is_thinking(self) -> bool:
        """Whether the player is choosing."""
        return bool(self._tasks)

    async def end(self, outcome: Outcome | None) -> None:
        """End the match for the player."""
        for task in tuple(self._tasks):
            with suppress(asyncio.CancelledError):
                await task
        self._executor.shutdown()
        self._player.end(outcome)
        self._record.log = self._player.log()


class _Client(Protocol):
    """A client program that the arena starts."""

    @property
    def has_ended(self) -> bool: ...

    async def end(self) -> str:
        """Kill the program and return the end of its output."""


class _UncagedClient:
    """A client without a cage, with its standard error in a temporary file."""

    def __init__(self, process: asyncio.subprocess.Process, errors: IO[bytes]) -> None:
        self._process = process
        self._errors = errors
        self._log: str | None = None

    @classmethod
    async def start(cls, words: Sequence[str], directory: str) -> _UncagedClient:
        """Start a command."""
        errors = tempfile.TemporaryFile()  # noqa: SIM115 - closed by `end`
        try:
            process = await asyncio.create_subprocess_exec(
                *words, cwd=directory, stdin=asyncio.subprocess.DEVNULL, stdout=asyncio.subprocess.DEVNULL,
                stderr=errors, start_new_session=True,
            )  # fmt: skip
        except (OSError, IndexError) as error:
            errors.close()
            raise Unavailable(f"cannot start {shlex.join(words)!r}: {error}") from None
        return cls(process, errors)

    @property
    def has_ended(self) -> bool:
        return self._process.returncode is not None

    async def end(self) -> str:
        """Kill the program and return the end of its standard error."""
        if self._log is not None:
            return self._log
        if not self.has_ended:
            with suppress(ProcessLookupError):
                self._process.kill()
        await self._process.wait()
        size = self._errors.seek(0, 2)
        self._errors.seek(max(0, size - LOG_TAIL_BYTES))
        self._log = self._errors.read().decode("utf-8", "replace")
        self._errors.close()
        return self._log


class _CagedClient:
    """A client in a cage, for a participant with `limits`.

    If the system supports that, it is alone on its network, and can reach only our port.
    """

    def __init__(self, words: Sequence[str], limits: CageLimits, directory: Path, port: int) -> None:
        try:
            self._program = NetworkProgram(words, limits, directory, served_port=port)
        except Malformed as error:
            raise Unavailable(f"cannot start {shlex.join(words)!r}: {error}") from None

    @property
    def listening(self) -> socket.socket | None:
        """The socket of our server on the client's network."""
        return self._program.listening

    @property
    def has_ended(self) -> bool:
        return self._program.has_ended

    async def end(self) -> str:
        """Kill the program and return the end of its output."""
        await asyncio.get_running_loop().run_in_executor(None, self._program.stop)
        return self._program.log()


def _words(participant: Participant, port: int, seats: int) -> list[str]:
    """Return the words of a participant's command, with the placeholders replaced."""
    values = {"host": HOST, "port": str(port), "name": participant.name, "players": str(seats)}
    return [_replace_placeholders(word, values) for word in shlex.split(participant.run)]


def _replace_placeholders(word: str, values: dict[str, str]) -> str:
    for key, value in values.items():
        word = word.replace("{" + key + "}", value)
    return word


# --- clients that connect to us ---------------------------------------------------------------------------------


class MatchServer:
    """A server for one match."""

    def __init__(self, deal_seed: int) -> None:
        self._loop = asyncio.get_running_loop()
        self.journal = MemoryJournal()
        self.clock = LoopClock(self._loop)
        policy = Policy(Leaving.HOLDS, WAIT_SECONDS)
        dealer = ScriptedDealer(seed=deal_seed)
        self.lobby = Lobby(self.journal, self.clock, dealer, CountedNames(), policy=policy)
        self.connections = Connections(self.lobby, ConnectionLimits(), self._loop)
        self._listeners: list[Listener] = []
        self._http: HttpServer | None = None
        self._table: Table | None = None

    async def listen(self, dialect: Dialect, port: int, listening: socket.socket | None = None) -> int:
        """Open a port for a dialect and return its number; `listening` is a socket that is already listening."""
        protocol: Callable[..., asyncio.Protocol] = partial(Connection, dialect, self.connections)
        if not dialect.game:
            self._http = HttpServer(_not_found, self.connections, protocol)
            protocol = self._http.protocol
        if listening is not None:
            listener = Listener([listening], protocol, self._loop)
        else:
            listener = await listen(protocol, dialect.name, HOST, port, self._loop)
        self._listeners.append(listener)
        return address(listener)[1]

    @property
    def match(self) -> Match | None:
        """The match, once a player is seated, or None."""
        if self._table is None or self._table.match.status is Status.WAITING:
            tables = [table for table in self.lobby if isinstance(table, Table)]
            self._table = max(tables, key=lambda table: _count_seated(table.match), default=None)
        return None if self._table is None else self._table.match

    def do(self, command: cmd.Command) -> None:
        """Carry out a command of the arena itself at the table."""
        if self._table is not None:
            with suppress(BoardwireError):
                self.connections.step(self._table.do, None, command)

    async def close(self) -> None:
        """Close all ports and connections."""
        for listener in self._listeners:
            listener.close()
        if self._http is not None:
            self._http.close()
        await self.connections.close_all(END_SECONDS)


def _count_seated(match: Match) -> int:
    return sum(chair.player is not None for chair in match.chairs)


async def _not_found(scope: Scope, receive: Callable[[], Any], send: Callable[[Message], Any]) -> None:
    await send({"type": "http.response.start", "status": 404, "headers": []})
    await send({"type": "http.response.body", "body": b"this port serves only the WebSocket at /ws\n"})


async def _as_server(
    tournament: ArenaTournament, job: Job, participants: Sequence[Participant], players: Sequence[MatchPlayer | None]
) -> PlayedMatch:
    """Play a match at a table of our server."""
    server = MatchServer(job.deal_seed)
    records = [SeatFacts() for _ in participants]
    async with AsyncExitStack() as stack:
        stack.push_async_callback(server.close)
        native_port = await server.listen(dialects.dialect("native"), 0)
        local_clients: dict[Seat, LocalClient] = {}
        programs: dict[Seat, _Client] = {}

        def fail(seat: Seat, fault: PlayerFault) -> None:
            records[seat].fault = f"{fault.cause}: {fault.detail}"
            server.do(cmd.Forfeit(seat, fault.cause))

        try:
            for seat, (participant, player) in enumerate(zip(participants, players, strict=True)):
                if player is not None:
                    client = local_clients[seat] = LocalClient(player, records[seat], partial(fail, seat))
                    await _sit_down(client, tournament, job, seat, native_port)
                else:
                    await _open_port(server, participant, tournament, seat, programs)
                await _wait_for_seat(server, seat, participant, programs.get(seat))
            await _referee(server, participants, fail)
        finally:
            match = server.match
            for client in local_clients.values():
                await client.end(None if match is None else match.outcome)
            await asyncio.sleep(min(END_SECONDS, 0.05) if programs else 0)
            for seat, program in programs.items():
                records[seat].log = await program.end()
        assert match is not None, "the referee has seen its end"
        _check_outcome(match)
        bots = [participant.kind for participant in participants]
        return PlayedMatch(job.match, _rename(server.journal.read(match.id), job, job.names, bots), records)


async def _open_port(
    server: MatchServer,
    participant: Participant,
    tournament: ArenaTournament,
    seat: Seat,
    programs: dict[Seat, _Client],
) -> None:
    """Open a port for a client; start the client and add it to `programs`, unless it is started elsewhere."""
    dialect = dialects.dialect(participant.dialect)
    can_isolate = best_cage_tool() is CageTool.BUBBLEWRAP and participant.limits is not None
    if participant.run and not participant.listen and can_isolate:
        client = programs[seat] = await _start_isolated(participant, tournament, seat)
        await server.listen(dialect, ISOLATED_PORT, client.listening)
    else:
        port = await server.listen(dialect, participant.listen or 0)
        if participant.run:
            programs[seat] = await _start_client(participant, port, tournament, seat)


async def _sit_down(client: LocalClient, tournament: ArenaTournament, job: Job, seat: Seat, port: int) -> None:
    try:
        await client.begin(tournament.game, seat, tournament.seats, tournament.options, job.seed + seat)
    except PlayerFault as fault:
        raise NoResult(seat, fault.cause, fault.detail) from fault
    options = ClientOptions(job.names[seat], tournament.seats, {"game": tournament.game})
    await connect(dialects.dialect("native"), HOST, port, options, client)


async def _start_client(participant: Participant, port: int, tournament: ArenaTournament, seat: Seat) -> _Client:
    try:
        words = _words(participant, port, tournament.seats)
        if participant.limits is not None:
            return _CagedClient(words, participant.limits, tournament.base / participant.directory, 0)
        return await _UncagedClient.start(words, str(tournament.base / participant.directory))
    except Unavailable as error:
        raise NoResult(seat, Cause.START, str(error)) from error


async def _start_isolated(participant: Participant, tournament: ArenaTournament, seat: Seat) -> _CagedClient:
    """Start a client that is alone on its network."""
    assert participant.limits is not None, "the caller has checked it"
    words = _words(participant, ISOLATED_PORT, tournament.seats)
    start = partial(_CagedClient, words, participant.limits, tournament.base / participant.directory, ISOLATED_PORT)
    try:
        return await asyncio.get_running_loop().run_in_executor(None, start)
    except Unavailable as error:
        raise NoResult(seat, Cause.START, str(error)) from error


async def _wait_for_seat(server: MatchServer, seat: Seat, participant: Participant, program: _Client | None) -> None:
    """Wait until a participant is seated; its program may be slow to start."""
    limit = WAIT_SECONDS if participant.dialect and not participant.run else START_SECONDS
    deadline = asyncio.get_running_loop().time() + limit
    while (match := server.match) is None or (_count_seated(match) <= seat and match.status is Status.WAITING):
        if program is not None and program.has_ended:
            log = (await program.end()).strip()
            detail = "its program ended before it took a seat" + (f": {log.splitlines()[-1]}" if log else "")
            raise NoResult(seat, Cause.START, detail)
        if asyncio.get_running_loop().time() > deadline:
            raise NoResult(seat, Cause.START, f"it took no seat within {limit:g} s")
        await asyncio.sleep(POLL_SECONDS)


async def _referee(
    server: MatchServer, participants: Sequence[Participant], fail: Callable[[Seat, PlayerFault], None]
) -> None:  # fmt: skip
    """Watch clocks and connections until the match is over."""
    used = [0.0] * len(participants)  # seconds of each seat before the current turn
    turn: tuple[Seat, int] | None = None  # its seat, and the `moved` of the match
    turn_start = 0.0
    while (match := server.match) is not None and match.status is not Status.OVER:
        now = server.clock.now()
        for seat, chair in enumerate(match.chairs):
            if chair.away is not None and now - chair.away > AWAY_SECONDS:
                fail(seat, PlayerFault(Cause.DIED, "it left the table"))
        if match.status is Status.PLAYING and match.pending is not None and match.pending.seats[0] >= 0:
            seat = match.pending.seats[0]
            if turn != (seat, match.moved):
                if turn is not None:
                    used[turn[0]] += now - turn_start
                turn, turn_start = (seat, match.moved), now
            budget = participants[seat].budget or Budget()
            if participants[seat].dialect and _is_late(
                budget, now - turn_start, used[seat] + now - turn_start, match.moves
            ):
                fail(seat, PlayerFault(Cause.TIME, f"it did not answer within its budget ({now - turn_start:.1f} s)"))
        await asyncio.sleep(POLL_SECONDS)


def _is_late(budget: Budget, seconds: float, used: float, moves: int) -> bool:
    """Return whether a choice that has taken `seconds` exceeds its limit, or the `used` seconds that of the match."""
    if budget.seconds and seconds > budget.seconds + MARGIN_SECONDS:
        return True
    total = budget.match_seconds + budget.increment * moves
    return bool(budget.match_seconds) and used > total + MARGIN_SECONDS


def _check_outcome(match: Match) -> None:
    """Raise `NoResult` for a match that a seat has broken off."""
    outcome = match.outcome
    if outcome is not None and is_aborted(outcome):
        if outcome.by is None:
            raise Unavailable(f"the match ended without a result: {outcome.termination}")
        raise NoResult(outcome.by, Cause.DIED, f"the match was broken off: {outcome.termination}")


def _rename(events: Sequence[Event], job: Job, names: Sequence[str], bots: Sequence[str]) -> list[Event]:
    """Return the events with the id of the job's match, and by seat the names and programs of the participants."""
    renamed: list[Event] = []
    for event in events:
        match event:
            case ev.Opened():
                renamed.append(msgspec.structs.replace(event, match=job.match, dialect=ARENA, code=""))
            case ev.Joined() | ev.Readied():
                player = msgspec.structs.replace(
                    event.player, name=names[event.seat], bot=bots[event.seat], key="", mark=""
                )
                renamed.append(msgspec.structs.replace(event, player=player))
            case _:
                renamed.append(event)
    return renamed


# --- servers to which we connect --------------------------------------------------------------------------------


async def _on_server(
    tournament: ArenaTournament, job: Job, participants: Sequence[Participant], players: Sequence[MatchPlayer | None]
) -> PlayedMatch:
    """Play a match on the server of a participant."""
    host_seat = next(seat for seat, participant in enumerate(participants) if participant.connect)
    host, guest_seat = participants[host_seat], 1 - host_seat
    player = players[guest_seat]
    if len(participants) != 2 or player is None:
        raise Unavailable(f"{host.name} is a server; its opponent must be one bot or engine")
    server_host, _, port = host.connect.rpartition(":")
    journal, reports = MemoryJournal(), list[str]()
    dialect = dialects.dialect(host.dialect)
    adapter = Adapter(dialects.dialect("native"), dialect, (server_host or HOST, int(port)), reports.append, journal)
    records = [SeatFacts() for _ in participants]
    faults: list[PlayerFault] = []
    client = LocalClient(player, records[guest_seat], faults.append)
    budget = host.budget or Budget()
    limit = (budget.match_seconds or budget.seconds or SILENT_SECONDS) + SERVER_MARGIN_SECONDS
    try:
        _, native_port = await adapter.listen(HOST, 0)
        await _sit_down(client, tournament, job, guest_seat, native_port)
        while client.over is None and not faults:
            silent_seconds = asyncio.get_running_loop().time() - client.last_activity
            if not client.is_asked and silent_seconds > SILENT_SECONDS:
                raise NoResult(host_seat, Cause.START, f"the server began no match within {SILENT_SECONDS:g} s")
            if client.is_asked and not client.is_thinking and silent_seconds > limit:
                raise NoResult(host_seat, Cause.TIME, f"the server was silent for {limit:g} s")
            await asyncio.sleep(POLL_SECONDS)
    finally:
        await client.end(None)
        await adapter.stop()
    if faults:
        raise NoResult(guest_seat, faults[0].cause, faults[0].detail)
    text = reports[-1] if reports else "" if client.over is None else client.over.text
    events = _read_result(journal, job, participants[guest_seat].kind, host_seat)
    if events is None:
        raise NoResult(host_seat, Cause.DIED if client.is_asked else Cause.START, f"the match was broken off: {text}")
    return PlayedMatch(job.match, events, records)


def _read_result(journal: MemoryJournal, job: Job, kind: str, host_seat: Seat) -> list[Event] | None:
    """Return the match recorded by the bridge, with the participants in the seats that the server gave them.

    Return None if no match has a result.
    """
    for _, name in journal.newest(None, 10):
        events = list(journal.read(name))
        match = fold(events)
        if match.outcome is not None and not is_aborted(match.outcome):
            seats = [
                seat for seat, player in enumerate(match.players) if player is not None and player.dialect == "native"
            ]
            guest = seats[0] if seats else 1 - host_seat
            names = [job.names[1 - host_seat] if seat == guest else job.names[host_seat] for seat in range(2)]
            return _rename(events, job, names, [kind if seat == guest else "" for seat in range(2)])
    return None
