"""The composition root: the only file that wires adapters to ports, and runs them.

A node owns one event loop, one journal, one lobby and all listeners.  It stops in order: no new connections; matches
that cannot resume are closed as interrupted, and their players told; what is gathered is stored; connections end
politely.  It starts with open ports: the matches that the last process left are taken up while others play already.
"""

from __future__ import annotations

import asyncio
import gc
import os
import random
import resource
import secrets
import signal
import socket
import sys
import time
from collections.abc import Callable, Mapping
from functools import partial
from typing import Any, Final

import structlog

from boardwire import dialects
from boardwire.api.app import application
from boardwire.api.context import Desk
from boardwire.api.conversations import Conversations
from boardwire.bots.pool import NoAnswer, Pool
from boardwire.bots.server_bots import HouseBots
from boardwire.cluster.hosting.lobby import ClusterLobby
from boardwire.cluster.leases import JournalReader, PostgresLeases
from boardwire.cluster.member import TICK_SECONDS, Member
from boardwire.cluster.metrics import DEAF_SECONDS, Gauge
from boardwire.cluster.nodes import Roster
from boardwire.cluster.ports import LEASE_SECONDS, Membership
from boardwire.cluster.transport.authentication import Seal
from boardwire.cluster.transport.bus import NatsBus
from boardwire.config import Settings, parse_listen, parse_port
from boardwire.dialects.dialect import Dialect
from boardwire.errors import Refused
from boardwire.games.game import Decision
from boardwire.lobby.lobby import Lobby
from boardwire.logs import LogThrottle
from boardwire.net.connection import Connection
from boardwire.net.connections import Crowd
from boardwire.net.http import HttpServer
from boardwire.net.listener import Listener, address, listen
from boardwire.net.origins import site
from boardwire.net.scheduler import Turns
from boardwire.net.watched import WatchedConnection
from boardwire.proxy.stored_match import StoredTalk
from boardwire.proxy.tap import Tap
from boardwire.store.analyses import DatabaseShelf, FileShelf, MemoryShelf, Shelf
from boardwire.store.memory import MemoryJournal
from boardwire.store.postgres import PostgresJournal
from boardwire.store.sqlite import SqliteJournal
from boardwire.table.commands import Close
from boardwire.table.handover import Superseded
from boardwire.table.match import Status
from boardwire.table.ports import Journal
from boardwire.table.termination import Termination
from boardwire.wire.forwarded import trusted_proxies

log = structlog.get_logger("boardwire")

PATIENCE: Final = 5.0
"""Seconds that peers have to go when the server stops."""

DRAIN_SECONDS: Final = 1.0
"""Seconds that the tables of a node have to get to other nodes when it stops."""

ECHO_SECONDS: Final = 0.05
"""A signal to a group of processes reaches us twice where make passes it on; that is one wish to stop, not two."""

SLICE_SECONDS: Final = 0.002
"""How long the loop takes up unfinished matches before it looks at its sockets again: a move of somebody who plays
already waits for it several times, when it comes in, for its commit, and when it is shown."""
RESERVED_FILES: Final = 64
"""Files that no connection may take: listeners, the journal and its readers, the page, the loop's own."""
FEW_FILES: Final = 4096
"""With fewer a server is soon full."""

PROBE_SECONDS: Final = 1.0
"""How often a journal that cannot be written is tried again."""
JOURNAL_LOG_SECONDS: Final = 10.0
"""Interval in which one line says that the journal cannot be written."""

BOT_LOG_SECONDS: Final = 5.0
"""At most one line about bots without an answer in this time: a full queue fails hundreds of them a second."""

CODE_ALPHABET: Final = "ABCDEFGHJKMNPQRSTUVWXYZ23456789"
"""Letters and digits that nobody mistakes for another."""
CODE_LENGTH: Final = 12
"""59 bits: at the 600 guesses a minute that a table allows, a hit takes a billion years on average."""

SWITCH_SECONDS: Final = 0.0005
"""How long the loop may keep the interpreter when the journal's thread wants it; the default of 5 ms would make every
commit of a busy server wait that long, several times over."""


GC_THRESHOLD: Final = 50_000
"""New objects before the collector looks for cycles.  Matches and steps are free of them and are freed by themselves;
the default of 700 would walk through all live matches many times a second for nothing."""


class LoopClock:
    """The time as the machine told it when the process began, and what has passed since.

    Somebody may set the machine's clock while matches are played; that must cost nobody a second of thinking time, and
    give nobody one.  A restart reads it anew, and lets all time limits begin again.
    """

    def __init__(self, loop: asyncio.AbstractEventLoop) -> None:
        self._loop = loop
        self._epoch = time.time() - time.monotonic()

    def now(self) -> float:
        """Seconds since the epoch."""
        return self._epoch + time.monotonic()

    def later(self, seconds: float, call: Callable[[], None]) -> asyncio.TimerHandle:
        """Call `call` after so many seconds."""
        return self._loop.call_later(seconds, call)


class RandomDealer:
    """Real luck, from the operating system's entropy."""

    def __init__(self) -> None:
        self._below = random.SystemRandom().randrange

    def deal(self, decision: Decision[Any]) -> Any:
        """One of the choices."""
        choices = decision.choices
        draw = getattr(choices, "draw", None)  # as in `Draw`: asking whether it is one takes twenty times as long
        if draw is not None:
            return draw(self._below)
        listed = tuple(choices)
        return listed[self._below(len(listed))]


class SecretNames:
    """Names from the operating system's entropy."""

    def match(self) -> str:
        """The name of a match."""
        return secrets.token_hex(8)

    def token(self) -> str:
        """What a player shows to be known again."""
        return secrets.token_urlsafe(24)

    def code(self) -> str:
        """A code of a private table that a person can pass on."""
        return "".join(secrets.choice(CODE_ALPHABET) for _ in range(CODE_LENGTH))


_print: Final = partial(print, flush=True)


class Share:
    """A node's share in a cluster: its heartbeat, its place on the bus, and what it makes of the others."""

    def __init__(
        self,
        settings: Settings,
        lobby: ClusterLobby,
        clock: LoopClock,
        journal: Journal,
        post: Callable[..., object],
        loop: asyncio.AbstractEventLoop,
    ) -> None:
        name = settings.node or f"{socket.gethostname().partition('.')[0]}-{secrets.token_hex(2)}"
        self._loop = loop
        self._leases = PostgresLeases(settings.store, name, post, self._beat, self._usurped)
        self._reader = JournalReader(journal, post)
        self._seal = Seal(self._leases.key, name)
        self._bus = NatsBus(settings.bus, self._leases.cluster, self._seal, name, self._arrive, settings.bus_ca)
        self.member = Member(
            name, self._leases.generation, lobby, clock, self._bus.send, self._leases, self._reader, _cannot_recover
        )
        self.gauge = Gauge(self.member, Roster(settings.store), self._bus.send, self._seal)
        self._step: Callable[..., object] = lambda call, *arguments: call(*arguments)
        self._heard = 0.0
        self._ticking: asyncio.TimerHandle | None = None

    async def start(self, step: Callable[..., object]) -> None:
        """Be there for the others."""
        self._step = step
        await self._bus.connect()
        self._leases.start()
        self._tick()
        log.info("this node has joined its cluster", node=self.member.name)

    def why_not_ready(self) -> str:
        """Why this node cannot take players (empty: it can)."""
        if self._loop.time() - self._heard > LEASE_SECONDS:
            return "the database has not heard of this node for a while"
        if not self._bus.up:
            return "the bus cannot be reached"
        if self.gauge.deaf:
            return f"nothing that this node sends to itself over the bus has come back for {DEAF_SECONDS:g} s"
        if unheard := self.member.mail.unheard:
            return f"messages of {', '.join(unheard)} are refused: their generation is not the database's"
        return "" if self.member.lobby_node else "no node has the lobby yet"

    async def drain(self, step: Callable[..., object]) -> None:
        """Let the other nodes have what is hosted here."""
        step(self.member.drain)
        end = self._loop.time() + DRAIN_SECONDS
        while not self.member.drained and self._loop.time() < end:
            await asyncio.sleep(0.01)

    async def close(self) -> None:
        """Be there no more."""
        if self._ticking is not None:
            self._ticking.cancel()
        self._step(self.member.mail.flush)
        await self._bus.close()
        self._reader.close()
        await self._loop.run_in_executor(None, self._leases.close)

    def _beat(self, roll: Membership) -> None:
        self._heard = self._loop.time()
        before, presided = self.member.peers, self.member.lobby.presiding
        self.member.beat(roll)
        after = self.member.peers
        for node in sorted(before.keys() - after.keys()):
            log.warning("a node left the cluster: stopped, or no heartbeat", node=node, seconds=LEASE_SECONDS)
        for node in sorted(after.keys() & before.keys()):
            if before[node] != after[node]:
                log.warning("a node of the cluster was restarted", node=node)
        for node in sorted(after.keys() - before.keys()):
            log.info("a node joined the cluster", node=node)
        if self.member.lobby.presiding and not presided:
            log.info("the lobby of the cluster is on this node", node=self.member.name)

    def _usurped(self) -> None:
        log.error("another node has the name of this one; it stops", node=self.member.name)
        os.kill(os.getpid(), signal.SIGTERM)

    def _arrive(self, data: bytes) -> None:
        if not self.gauge.takes(data):
            self._step(self.member.arrive, data)

    def _tick(self) -> None:
        self._ticking = self._loop.call_later(TICK_SECONDS, self._tick)
        self._step(self.member.tick)
        self.gauge.tick()


class Node:
    """A running server."""

    def __init__(self, settings: Settings, loop: asyncio.AbstractEventLoop) -> None:
        self._settings = settings
        self._loop = loop
        self._stopping = False
        self._probing: asyncio.TimerHandle | None = None
        """Tries the journal again after a failure."""
        self._journal_log = LogThrottle(JOURNAL_LOG_SECONDS, loop.time)
        self.journal = self._open_journal(settings)
        self._pool = Pool(self._post, settings.thinkers)
        dealer = RandomDealer()
        below = random.SystemRandom().randrange
        clock = LoopClock(loop)
        turns = Turns(loop)
        bots = HouseBots(below, loop.call_soon, loop.call_later, _bot_failed, self._pool, settings.bot, turns.call)
        self.lobby: Lobby = (ClusterLobby if settings.bus else Lobby)(
            self.journal,
            clock,
            dealer,
            SecretNames(),
            bots,
            own_tables=settings.own_tables,
            fill=settings.fill,
            limit=settings.matches,
            report=_match_failed,
            policy=settings.policy,
            quotas=settings.quotas,
        )
        self.share: Share | None = None
        if isinstance(self.lobby, ClusterLobby):
            self.share = Share(settings, self.lobby, clock, self.journal, self._post, loop)
        member = None if self.share is None else self.share.member
        self.crowd = Crowd(member or self.lobby, settings.limits, loop, _most_connections(), turns)
        self._servers: list[Listener] = []
        self._http: HttpServer | None = None
        self._desk = Desk(
            self.lobby, self.journal, self._why_not_ready,
            crowd=self.crowd, thinkers=self._pool, shelf=_shelf(settings),
            cluster=None if self.share is None else self.share.gauge,
        )  # fmt: skip
        self._desk.conversations = Conversations(StoredTalk())
        self._tap = (
            Tap(settings.inspect_token or secrets.token_urlsafe(24), _cannot_watch) if settings.inspect else None
        )
        self._desk.tap = self._tap

    def _open_journal(self, settings: Settings) -> Journal:
        if settings.store:
            return PostgresJournal(
                settings.store, self._post, self._cannot_store, self._soon, shared=bool(settings.bus)
            )
        if settings.directory is None:
            return MemoryJournal(self._soon)
        return SqliteJournal(settings.directory, self._post, self._cannot_store, self._soon)

    def _post(self, call: Callable[..., object], *arguments: object) -> None:
        """Make a call of another thread (the journal's, a thinking bot's) on the loop, and send what it leads to."""
        self._loop.call_soon_threadsafe(self.crowd.step, call, *arguments)

    def _soon(self, call: Callable[..., object], *arguments: object) -> None:
        """The same for the journal's calls on the loop itself: when all sockets that were ready have been read."""
        self._loop.call_soon(self.crowd.step, call, *arguments)

    def _why_not_ready(self) -> str:
        if self._stopping:
            return "the server is stopping"
        if self.journal.failing:
            return "the journal cannot be written"
        return "" if self.share is None else self.share.why_not_ready()

    def _cannot_store(self, error: Exception) -> None:
        if (left_out := self._journal_log.admit("failed")) is not None:
            log.error("the journal cannot be written", error=str(error), left_out=left_out)
        if self._probing is None:
            self._probing = self._loop.call_later(PROBE_SECONDS, self._probe_journal)

    def _probe_journal(self) -> None:
        """Try to write until it succeeds: a server that is not ready has no players whose moves would try it."""
        self._probing = None
        if self._stopping:
            return
        if self.journal.failing:
            self.journal.probe()
            self._probing = self._loop.call_later(PROBE_SECONDS, self._probe_journal)
        else:
            log.info("the journal can be written again")

    @property
    def ports(self) -> Mapping[str, int]:
        """The port of every dialect that is listened for; that of `native` is the HTTP port."""
        return self._desk.ports

    async def start(self, say: Callable[[str], object] = _print) -> None:
        """Open all ports, say so line by line, and take up what was left unfinished while others play already."""
        if self.share is not None:
            await self.share.start(self.crowd.step)
        self.lobby.find_unfinished(_cannot_recover)
        if self._tap is not None:
            self._tap.prepare([dialect.name for dialect, _ in self._listeners()] + ["native"])
        if self._settings.http != "off":
            await self._listen_http(parse_port(self._settings.http), say)
        for dialect, port in self._listeners():
            server = await listen(self._door(dialect), dialect.name, self._settings.host, port, self._loop)
            self._servers.append(server)
            self._desk.ports[dialect.name] = address(server)[1]
            say(f"listening {dialect.name} {':'.join(map(str, address(server)))}")
        say("ready")
        self._loop.call_soon(self._recover)
        if self._http is not None:
            host = self._settings.host if self._settings.host not in ("0.0.0.0", "::") else "localhost"
            where = f"[{host}]" if ":" in host else host
            url = f"http://{where}:{self._desk.ports['native']}/"
            log.info("play in a browser", address=url)
            if self._tap is not None:
                made = {} if self._settings.inspect_token else {"token": self._tap.token}  # one that was given is known
                log.warning("inspection is on: the inspect token shows every message", address=url, **made)

    def _recover(self) -> None:
        """Take up unfinished matches for a moment, then let the loop do what else there is to do."""
        if self._stopping:
            return  # the rest is taken up by the next process
        end = self._loop.time() + SLICE_SECONDS
        while (unfinished := self.crowd.step(self.lobby.recover_next)) and self._loop.time() < end:
            pass
        if unfinished:
            self._loop.call_soon(self._recover)
        elif any(self.lobby.recovered):
            resumed, closed = self.lobby.recovered
            log.info("recovered matches", resumed=resumed, interrupted=closed)

    async def _listen_http(self, port: int, say: Callable[[str], object]) -> None:
        native = dialects.dialect("native")
        ours = site((*_own_names(self._settings.host), *self._settings.public_host))
        app = application(self._desk, limited=bool(self._settings.per_address), site=ours)
        proxies = trusted_proxies(self._settings.trusted_proxy, self._settings.proxy_header)
        self._http = HttpServer(app, self.crowd, self._door(native), ours, proxies)
        self._desk.http = self._http.__len__
        server = await listen(self._http.protocol, "http", self._settings.host, port, self._loop)
        self._servers.append(server)
        self._desk.ports[native.name] = address(server)[1]
        say(f"listening http {':'.join(map(str, address(server)))}")

    def _door(self, dialect: Dialect) -> Callable[..., Connection]:
        """What makes a connection of one who comes; only where it is inspected it is one that somebody looks at."""
        if self._tap is None:
            return partial(Connection, dialect, self.crowd)
        return partial(WatchedConnection, dialect, self.crowd, self._tap)

    def _listeners(self) -> list[tuple[Dialect, int]]:
        if self._settings.listen:
            wanted = [parse_listen(text) for text in self._settings.listen]
            return [(dialects.dialect(name), port) for name, port in wanted]
        usual = map(dialects.dialect, dialects.USUAL)
        return [(dialect, dialect.port) for dialect in usual]

    async def stop(self) -> None:
        """Stop in order; see the module."""
        self._stopping = True
        if self._probing is not None:
            self._probing.cancel()
        for server in self._servers:
            server.close()
        if self.share is not None:
            await self.share.drain(self.crowd.step)
        for table in tuple(self.lobby):
            if table.match.status is not Status.OVER and not table.match.setting.policy.resumes:
                table.do(None, Close(Termination.INTERRUPTED))
        end = self._loop.time() + PATIENCE  # matches that will be resumed are still being played
        while self.journal.busy and self._loop.time() < end:
            await asyncio.sleep(0.005)
        self.lobby.freeze()
        self._pool.close()
        if self._http is not None:
            self._http.close()
        self._desk.close()
        await self.crowd.disperse(PATIENCE)
        if self._tap is not None:
            self._tap.stop()
        if self.share is not None:
            await self.share.close()
        self.journal.close()


def run(settings: Settings) -> None:
    """Serve until a signal says to stop.  A second signal stops at once."""
    _raise_file_limit()
    sys.setswitchinterval(SWITCH_SECONDS)
    gc.freeze()
    gc.set_threshold(GC_THRESHOLD, 50, 100)
    with asyncio.Runner(loop_factory=_loop_factory()) as runner:
        runner.run(_serve(settings))


async def _serve(settings: Settings) -> None:
    loop = asyncio.get_running_loop()
    stopping = asyncio.Event()
    last = 0.0

    def on_signal(number: int) -> None:
        nonlocal last
        earlier, last = last, loop.time()
        if not stopping.is_set():
            stopping.set()
        elif last - earlier > ECHO_SECONDS:
            os._exit(128 + number)

    loop.set_exception_handler(_report)
    node = Node(settings, loop)
    for number in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(number, on_signal, number)  # before `ready`: whoever reads that may send one at once
    try:
        await node.start()
    except Exception:
        await node.stop()
        raise
    await stopping.wait()
    log.info("stopping")
    await node.stop()


def _shelf(settings: Settings) -> Shelf:
    if settings.store:
        return DatabaseShelf(settings.store)
    return MemoryShelf() if settings.directory is None else FileShelf(settings.directory)


def _own_names(host: str) -> tuple[str, ...]:
    """What this machine is called: by whoever started the server, by itself, and on its local network."""
    machine = socket.gethostname()
    short = machine.partition(".")[0]
    return host, machine, short, f"{short}.local"


def _cannot_recover(match: str, error: Exception) -> None:
    log.error("a match cannot be read, and stays as it is", match=match, error=str(error) or repr(error))


def _match_failed(match: str, error: Exception) -> None:
    if isinstance(error, Superseded):
        log.error("somebody else has written to a match; it is closed here", match=match)
    else:
        log.error("a fault in the rules; the match is broken off", match=match, exc_info=error)


_bot_log: Final = LogThrottle(BOT_LOG_SECONDS)


def _bot_failed(match: str, error: Exception) -> None:
    expected = isinstance(error, NoAnswer | Refused)
    if (left_out := _bot_log.admit("no answer" if expected else "fault")) is None:
        return
    if expected:
        log.warning(
            "a bot got no answer from its engine; the greedy bot chooses for it",
            match=match, error=str(error), left_out=left_out,
        )  # fmt: skip
    else:
        log.error("a fault in a bot; it plays the first legal choice", match=match, left_out=left_out, exc_info=error)


def _cannot_watch(text: str) -> None:
    log.warning("what passes is not all seen", reason=text)


def _report(loop: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
    """A fault that no conversation owns is a log line like any other."""
    log.error(context["message"], exc_info=context.get("exception"))


def _loop_factory() -> Callable[[], asyncio.AbstractEventLoop]:
    try:
        import uvloop
    except ImportError:  # not on every platform; everything works without it, more slowly
        return asyncio.new_event_loop
    return uvloop.new_event_loop


def _raise_file_limit() -> None:
    """A connection is a file; take as many as the system lets us, and say so if they are few."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if soft < hard:
        resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    if hard < FEW_FILES:
        log.warning("few files may be open, and so few connections", files=hard, connections=_most_connections(),
                    hint="raise the limit: ulimit -n 65536, or LimitNOFILE of a service")  # fmt: skip


def _most_connections() -> int:
    """How many connections there may be, so that some files are left for what serves them."""
    files, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    return max(1, files - min(RESERVED_FILES, files // 2))
