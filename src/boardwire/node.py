"""Composition root: builds and runs a server from its settings.

- A node owns one event loop, one journal, one lobby and all listeners.
- It opens its ports first and recovers the unfinished matches of the last process in the background.
- It stops in order: close the listeners; close matches that cannot be resumed and notify their players; commit pending
  events; close the connections.
"""

from __future__ import annotations

import asyncio
import gc
import os
import random
import secrets
import socket
import sys
import time
from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from typing import Any, Final

import structlog

from boardwire import dialects
from boardwire.api.app import application
from boardwire.api.context import ApiContext
from boardwire.api.conversations import Conversations
from boardwire.bots.levels import parse_bot
from boardwire.bots.pool import Pool
from boardwire.bots.server_bots import BOTS, ServerBots
from boardwire.cluster.hosting.lobby import ClusterLobby
from boardwire.cluster.runtime import ClusterRuntime, ClusterSettings
from boardwire.compiled import PendingBuilds
from boardwire.components import forget_account, migrate_all, remove_old
from boardwire.config import Settings, parse_listen, parse_port, parse_port_range
from boardwire.dialects.dialect import Dialect
from boardwire.engines.cage import best_cage_tool
from boardwire.engines.listing import load_listing
from boardwire.engines.process import EngineFault
from boardwire.engines.service import EngineService
from boardwire.errors import Malformed, Refused, Unavailable
from boardwire.games.game import Decision
from boardwire.lobby.lobby import Lobby
from boardwire.logs import LogThrottle
from boardwire.mail.addresses import Addresses
from boardwire.mail.mailer import Mailer
from boardwire.moderation.acts import Act
from boardwire.moderation.moderation import Moderation
from boardwire.net.connection import Connection
from boardwire.net.connections import Connections
from boardwire.net.http import HttpServer
from boardwire.net.listener import Listener, address, listen
from boardwire.net.origins import site
from boardwire.net.scheduler import Scheduler
from boardwire.net.seat_ports import SeatPorts
from boardwire.net.signals import on_ending
from boardwire.net.watched import WatchedConnection
from boardwire.organise.delivery import Deliverer
from boardwire.organise.tables import OrganisedTables
from boardwire.players.accounts import Accounts
from boardwire.players.entrance import Entrance
from boardwire.players.programs import load_programs
from boardwire.players.ratings import Ratings
from boardwire.players.relations import Challenge, challenges_since, last_challenge
from boardwire.proxy.stored_match import StoredConversations
from boardwire.proxy.tap import Tap
from boardwire.push.notifier import Notifier
from boardwire.push.subscriptions import Subscriptions
from boardwire.records.backends import Backend, backend
from boardwire.store.analyses import AnalysisStore
from boardwire.table.commands import Close
from boardwire.table.events import account_key
from boardwire.table.guest import Challenged
from boardwire.table.handover import Superseded
from boardwire.table.match import Status, fold
from boardwire.table.ports import Journal, ListedTable
from boardwire.table.termination import Termination
from boardwire.tournaments.runner import Tournaments
from boardwire.tournaments.store import TournamentStore
from boardwire.wire.forwarded import parse_network, trusted_proxies

try:
    import resource
except ImportError:  # Windows
    resource = None  # type: ignore[assignment]  # a module or None, tested below

log = structlog.get_logger("boardwire")

STOP_SECONDS: Final = 5.0
"""Time that clients have to disconnect when the server stops."""

SIGNAL_ECHO_SECONDS: Final = 0.05
"""Two signals within this time count as one: make forwards a signal that the whole process group has received."""

RECOVERY_SLICE_SECONDS: Final = 0.002
"""Longest time that recovery blocks the event loop. A move may wait for it three times: when it is received, when it is
committed and when it is sent."""
RESERVED_FILES: Final = 64
"""File descriptors kept for listeners, the journal and its readers, the web page and the event loop."""
LOW_FILE_LIMIT: Final = 4096
"""Below this RLIMIT_NOFILE the server logs a warning at start."""
MAX_CONNECTIONS_WITHOUT_LIMIT: Final = 4096
"""Limit of connections on a system without RLIMIT_NOFILE (Windows)."""

PROBE_SECONDS: Final = 1.0
"""Interval between attempts to write to a failing journal."""
JOURNAL_LOG_SECONDS: Final = 10.0
"""Interval in which a failing journal is logged at most once."""

REFRESH_SECONDS: Final = 1.0
"""Interval between checks for accounts that other processes have changed."""

DRAIN_CHECK_SECONDS: Final = 0.5
"""Interval between checks whether a draining node still has matches in progress."""

BOT_LOG_SECONDS: Final = 5.0
"""Interval in which failed bots are logged at most once: a full queue fails hundreds of them a second."""

MAX_LOGGED_STDERR: Final = 2000
"""Number of characters of an engine's standard error, the last ones, that are logged with its failure."""

CODE_ALPHABET: Final = "ABCDEFGHJKMNPQRSTUVWXYZ23456789"
"""Letters and digits that cannot be confused with each other."""
CODE_LENGTH: Final = 12
"""12 characters are 59 bits: at 600 guesses a minute, the limit per table, it takes a billion years to find a code."""

SWITCH_SECONDS: Final = 0.0001
"""Interpreter switch interval. With the default of 5 ms, each commit of a busy server would wait that long several
times for the journal thread to run."""

GC_THRESHOLDS: Final = (2_000, 10, 10_000)
"""Thresholds of the three generations (`gc.set_threshold`). Matches, steps and closed connections contain no cycles:
the default (700, 10, 10) would traverse all live matches many times a second and free nothing. The first two numbers
bound the pauses, in which every move waits: 50,000 new objects took 10 to 100 ms, and 1,000 young generations, two
million objects, a whole second."""


class LoopClock:
    """Wall-clock time at process start plus monotonic time since.

    Setting the system clock must not change a player's remaining time. A restart reads the system clock again and
    restarts all time limits.
    """

    def __init__(self, loop: asyncio.AbstractEventLoop) -> None:
        self._loop = loop
        self._epoch = time.time() - time.monotonic()

    def now(self) -> float:
        """Return the seconds since the epoch."""
        return self._epoch + time.monotonic()

    def later(self, seconds: float, call: Callable[[], None]) -> asyncio.TimerHandle:
        """Call `call` after `seconds`."""
        return self._loop.call_later(seconds, call)


class RandomDealer:
    """Deals at random, from the operating system's entropy."""

    def __init__(self) -> None:
        self._random_below = random.SystemRandom().randrange

    def deal(self, decision: Decision[Any]) -> Any:
        """Return one of the choices."""
        choices = decision.choices
        draw = getattr(choices, "draw", None)  # `isinstance` with the protocol `Draw` takes twenty times as long
        if draw is not None:
            return draw(self._random_below)
        all_choices = tuple(choices)
        return all_choices[self._random_below(len(all_choices))]


class SecretNames:
    """Random match names, tokens and table codes, from the operating system's entropy."""

    def match(self) -> str:
        """Return a new match name."""
        return secrets.token_hex(8)

    def token(self) -> str:
        """Return a new player token."""
        return secrets.token_urlsafe(24)

    def code(self) -> str:
        """Return a code for a private table, short enough to pass on by hand."""
        return "".join(secrets.choice(CODE_ALPHABET) for _ in range(CODE_LENGTH))


_print: Final = partial(print, flush=True)


class Node:
    """A running server: one event loop, one journal, one lobby and its listeners."""

    def __init__(self, settings: Settings, loop: asyncio.AbstractEventLoop) -> None:
        self._settings = settings
        self._loop = loop
        self._stopping = False
        self._probe_timer: asyncio.TimerHandle | None = None
        """Timer of the next attempt to write to a failing journal."""
        self._journal_log = LogThrottle(JOURNAL_LOG_SECONDS, loop.time)
        store = backend(settings.store or settings.directory)
        self.journal = self._open_journal(store)
        self.records = store.records()
        migrate_all(self.records)
        self.accounts = Accounts(self.records)
        clock = LoopClock(loop)
        self.moderation = Moderation(self.records, clock.now)
        self._draining_until = 0.0
        """When a draining node stops even if matches are in progress."""
        self.on_drained: Callable[[], object] = lambda: None
        """Called when a draining node can stop."""
        self._refresh_timer: asyncio.TimerHandle | None = None
        """Timer of the next check for accounts that other processes have changed."""
        self._pool = Pool(self._post, settings.thinkers, compiled=PendingBuilds().finished)
        scheduler = Scheduler(loop)
        self._engines = _load_engines(settings, self._post)
        self.lobby: Lobby = self._make_lobby(clock, scheduler)
        self.cluster = self._make_cluster(clock)
        member = None if self.cluster is None else self.cluster.member
        programs = load_programs(Path(settings.programs).expanduser()) if settings.programs else ()
        self.accounts.ensure_programs(program.player for program in programs)
        self._gate = self.moderation.guard(member or self.lobby)
        entrance = Entrance(self._gate, self.accounts.directory, programs)
        self.connections = Connections(entrance, settings.limits, loop, _max_connections(), scheduler)
        self.connections.is_banned = self.moderation.is_banned
        self.moderation.control(self.connections, self._find_table, self._drain)
        self.tournaments = self._make_tournaments(clock)
        self.ratings = Ratings(self.records, self.journal)
        self.lobby.change_observers.append(self.ratings.observe)
        self._last_challenge_seen = self.records.read(last_challenge)
        self._servers: list[Listener] = []
        self._http: HttpServer | None = None
        self._notifier = self._make_notifier(clock)
        self._mailer = self._make_mailer(clock)
        self.accounts.forget = forget_account
        self.moderation.remove_old = remove_old
        self._tap = (
            Tap(settings.inspect_token or secrets.token_urlsafe(24), _log_inspector_gap) if settings.inspect else None
        )
        self._deliverer = Deliverer(self.records, tuple(map(parse_network, settings.webhook_network)))
        self._seat_ports = SeatPorts(
            lambda name: self._protocol_factory(dialects.dialect(name)),
            settings.host,
            parse_port_range(settings.seat_ports) if settings.seat_ports else range(0),
            loop,
        )
        self._api = self._make_api(store.analyses())

    # --- parts of a node, for `__init__` ------------------------------------------------------------------------------

    def _make_lobby(self, clock: LoopClock, scheduler: Scheduler) -> Lobby:
        """Return the lobby with its bots, in a cluster the lobby of this member."""
        settings, loop = self._settings, self._loop
        random_below = random.SystemRandom().randrange
        bots = ServerBots(
            random_below, loop.call_soon, loop.call_later, _log_bot_failure, self._pool, settings.bot, scheduler.call,
            self._engines,
        )  # fmt: skip
        return (ClusterLobby if settings.bus else Lobby)(
            self.journal,
            clock,
            RandomDealer(),
            SecretNames(),
            bots,
            own_tables=settings.own_tables,
            fill=settings.fill,
            limit=settings.matches,
            report=_log_match_failure,
            policy=settings.policy,
            quotas=settings.quotas,
        )

    def _make_cluster(self, clock: LoopClock) -> ClusterRuntime | None:
        if not isinstance(self.lobby, ClusterLobby):
            return None
        settings = self._settings
        return ClusterRuntime(
            ClusterSettings(settings.store, settings.bus, settings.bus_ca, settings.node),
            self.lobby, clock, self.journal, self._post, self._loop, _log_unrecoverable_match,
        )  # fmt: skip

    def _make_tournaments(self, clock: LoopClock) -> Tournaments:
        lobby = self.lobby
        return Tournaments(
            TournamentStore(self.records), lobby, self.journal, clock, SecretNames(), self.connections.step,
            leads=lambda: lobby.presiding if isinstance(lobby, ClusterLobby) else True,
            shared=bool(self._settings.bus),
        )  # fmt: skip

    def _make_notifier(self, clock: LoopClock) -> Notifier:
        hosts = self._settings.public_host
        contact = f"https://{hosts[0]}/" if hosts else "https://boardwire.invalid/"
        notifier = Notifier(Subscriptions(self.records), self.lobby, clock.now, contact)
        notifier.keys_of = self.accounts.directory.owned_keys
        self.tournaments.match_ready = notifier.alert_match_ready
        return notifier

    def _make_mailer(self, clock: LoopClock) -> Mailer | None:
        if self._settings.mail is None:
            return None
        owner = self.accounts.directory.owner
        mailer = Mailer(self._settings.mail, Addresses(self.records), owner, self._is_turn, clock.now)
        mailer.check()
        self._notifier.channels.append(mailer.alert)
        return mailer

    def _make_api(self, analyses: AnalysisStore) -> ApiContext:
        """Return the context of the HTTP API."""
        api = ApiContext(
            self.lobby, self.journal, self._why_not_ready,
            connections=self.connections, thinkers=self._pool, analyses=analyses,
            cluster=None if self.cluster is None else self.cluster.metrics, listed=self._engines,
            accounts=self.accounts, moderation=self.moderation, tournaments=self.tournaments,
        )  # fmt: skip
        api.tournament_creation = self._settings.tournaments
        api.notifier, api.mailer, api.tap = self._notifier, self._mailer, self._tap
        api.conversations = Conversations(StoredConversations())
        if self.cluster is None:
            # In a cluster, challenges are read from the records, because the player may be connected to any node.
            api.on_challenge = self._notify_challenge
            # Not in a cluster: a table can be watched only where it is hosted, and a seat port is open on one node.
            api.organised = OrganisedTables(
                self.lobby, self.journal, self.records, self._seat_ports, self._deliverer.notify
            )
        return api

    def _is_turn(self, match: str, turn: int) -> bool:
        """Return whether a position change is still the last one of a match; not on the event loop."""
        events = self.journal.read(match)
        return bool(events) and fold(events).moved == turn

    def _open_journal(self, store: Backend) -> Journal:
        return store.journal(self._post, self._handle_store_failure, self._soon, shared=bool(self._settings.bus))

    def _post(self, call: Callable[..., object], *arguments: object) -> None:
        """Make a call on the loop from another thread (the journal, a bot worker) and flush the connections."""
        self._loop.call_soon_threadsafe(self.connections.step, call, *arguments)

    def _soon(self, call: Callable[..., object], *arguments: object) -> None:
        """Make a call of the journal on the loop after all ready sockets have been read, and flush the connections."""
        self._loop.call_soon(self.connections.step, call, *arguments)

    def _why_not_ready(self) -> str:
        if self._stopping:
            return "the server is stopping"
        if self._gate.drain_reason:
            return self._gate.drain_reason
        if self.journal.failing:
            return "the journal cannot be written"
        return "" if self.cluster is None else self.cluster.why_not_ready()

    def _handle_store_failure(self, error: Exception) -> None:
        if (suppressed := self._journal_log.admit("failed")) is not None:
            log.error(
                f"cannot write the journal (retrying every {PROBE_SECONDS:g} s)",
                error=str(error),
                suppressed=suppressed,
            )
        if self._probe_timer is None:
            self._probe_timer = self._loop.call_later(PROBE_SECONDS, self._probe_journal)

    def _probe_journal(self) -> None:
        """Retry until a write succeeds: while the server is not ready, no player's move would retry it."""
        self._probe_timer = None
        if self._stopping:
            return
        if self.journal.failing:
            self.journal.probe()
            self._probe_timer = self._loop.call_later(PROBE_SECONDS, self._probe_journal)
        else:
            log.info("the journal can be written again")

    @property
    def ports(self) -> Mapping[str, int]:
        """Port of every dialect that has a listener; `native` is the HTTP port."""
        return self._api.ports

    async def start(self, say: Callable[[str], object] = _print) -> None:
        """Open all ports, print a line for each, and recover unfinished matches in the background."""
        if self.cluster is not None:
            await self.cluster.start(self.connections.step)
        if self._api.organised is not None:
            await self._api.organised.restore_waiting()
        self.records.submit(self.ratings.settle_pending)
        self.lobby.find_unfinished(_log_unrecoverable_match)
        if self._api.organised is not None:
            self._api.organised.restore_playing()
            self._deliverer.notify()
        if self._tap is not None:
            self._tap.prepare([dialect.name for dialect, _ in self._listeners()] + ["native"])
        if self._settings.http != "off":
            await self._listen_http(parse_port(self._settings.http), say)
        for dialect, port in self._listeners():
            server = await listen(self._protocol_factory(dialect), dialect.name, self._settings.host, port, self._loop)
            self._servers.append(server)
            self._api.ports[dialect.name] = address(server)[1]
            say(f"listening {dialect.name} {':'.join(map(str, address(server)))}")
        say("ready")
        self._loop.call_soon(self._recover)
        self.tournaments.start()
        self._refresh_later()
        if self._http is not None:
            host = self._settings.host if self._settings.host not in ("0.0.0.0", "::") else "localhost"
            url_host = f"[{host}]" if ":" in host else host
            url = f"http://{url_host}:{self._api.ports['native']}/"
            log.info("open this address in a browser to play", address=url)
            if self._tap is not None:
                # a configured token is never logged
                token_field = {} if self._settings.inspect_token else {"token": self._tap.token}
                log.warning(
                    "inspection is on: the inspect token gives access to all messages", address=url, **token_field
                )

    def _recover(self) -> None:
        """Recover matches for `RECOVERY_SLICE_SECONDS`, then yield to the loop."""
        if self._stopping:
            return  # the next process recovers the rest
        deadline = self._loop.time() + RECOVERY_SLICE_SECONDS
        while (has_more := self.connections.step(self.lobby.recover_next)) and self._loop.time() < deadline:
            pass
        if has_more:
            self._loop.call_soon(self._recover)
        elif any(self.lobby.recovery_counts):
            resumed, interrupted = self.lobby.recovery_counts
            log.info("recovered matches", resumed=resumed, interrupted=interrupted)

    def _refresh_later(self) -> None:
        """Check periodically for accounts that other nodes or `boardwire admin` have changed."""
        if self._settings.directory is not None or self._settings.store:
            self._refresh_timer = self._loop.call_later(REFRESH_SECONDS, self._refresh_accounts)

    def _refresh_accounts(self) -> None:
        task = self._loop.create_task(self._follow_records())
        task.add_done_callback(self._finish_refresh)

    async def _follow_records(self) -> None:
        """Apply the changes of accounts and sanctions that others have stored, and notify challenged players."""
        await self.accounts.refresh()
        await self.moderation.follow()
        if self.cluster is not None:  # the challenged player may be connected to this node
            last_seen = self._last_challenge_seen
            for challenge in await asyncio.to_thread(self.records.read, lambda db: challenges_since(db, last_seen)):
                self._last_challenge_seen = challenge.number
                self._notify_challenge(challenge)

    def _notify_challenge(self, challenge: Challenge) -> None:
        """Notify the clients of a player that are connected here."""
        notification = Challenged(
            challenge.number, challenge.name, challenge.challenger, challenge.game, challenge.match, challenge.code,
            challenge.rated, challenge.until,
        )  # fmt: skip
        self.connections.step(self.connections.challenge, account_key(challenge.player), notification)

    def _finish_refresh(self, task: asyncio.Task[None]) -> None:
        error = None if task.cancelled() else task.exception()
        if error is not None and (suppressed := self._journal_log.admit("records")) is not None:
            log.error(
                f"cannot read the records (retrying in {REFRESH_SECONDS:g} s)", error=str(error), suppressed=suppressed
            )
        if not self._stopping:
            self._refresh_later()

    def _find_table(self, match: str) -> ListedTable | None:
        """Return the table of a match, the stub of one that another node hosts, or None."""
        if match in self.lobby.recovery.unfinished:
            self.lobby.recovery.recover(match)
        return self.lobby.find_table(match)

    def _drain(self, act: Act) -> None:
        """Accept no new players, and stop when no match is in progress, at the latest at the end of the act."""
        if act.target not in ("", "" if self.cluster is None else self.cluster.member.name):
            return
        self._draining_until = act.until or act.at
        if not self._gate.drain_reason:
            self._gate.drain_reason = "this server is about to stop and accepts no new players; try again later"
            self._check_drained()

    def _check_drained(self) -> None:
        if self._stopping:
            return
        playing_count = len(self.lobby.context.playing)
        if playing_count and self.moderation.now() < self._draining_until:
            self._loop.call_later(DRAIN_CHECK_SECONDS, self._check_drained)
        else:
            log.info("draining is complete; stopping", matches_in_progress=playing_count)
            self.on_drained()

    async def _listen_http(self, port: int, say: Callable[[str], object]) -> None:
        """Listen for HTTP and WebSockets, and print the address."""
        native = dialects.dialect("native")
        own_site = site((*own_names(self._settings.host), *self._settings.public_host))
        app = application(self._api, limited=bool(self._settings.per_address), site=own_site)
        proxies = trusted_proxies(self._settings.trusted_proxy, self._settings.proxy_header)
        self._http = HttpServer(app, self.connections, self._protocol_factory(native), own_site, proxies)
        self._api.http = self._http.__len__
        server = await listen(self._http.protocol, "http", self._settings.host, port, self._loop)
        self._servers.append(server)
        self._api.ports[native.name] = address(server)[1]
        say(f"listening http {':'.join(map(str, address(server)))}")

    def _protocol_factory(self, dialect: Dialect) -> Callable[..., Connection]:
        """Return the protocol factory of a dialect; connections are watched only if inspection is on."""
        if self._tap is None:
            return partial(Connection, dialect, self.connections)
        return partial(WatchedConnection, dialect, self.connections, self._tap)

    def _listeners(self) -> list[tuple[Dialect, int]]:
        if self._settings.listen:
            listeners = [parse_listen(text) for text in self._settings.listen]
            return [(dialects.dialect(name), port) for name, port in listeners]
        return [(dialect, dialect.port) for dialect in map(dialects.dialect, dialects.DEFAULT_DIALECTS)]

    async def stop(self) -> None:
        """Stop in the order that the module describes."""
        self._stopping = True
        for timer in (self._probe_timer, self._refresh_timer):
            if timer is not None:
                timer.cancel()
        for server in self._servers:
            server.close()
        self._seat_ports.close_all()
        self._deliverer.close()
        await self.tournaments.stop()
        self._notifier.close()
        if self._mailer is not None:
            self._mailer.close()
        if self.cluster is not None:
            await self.cluster.drain(self.connections.step)
        for table in tuple(self.lobby):
            if table.match.status is not Status.OVER and not table.match.setting.policy.resumes:
                table.do(None, Close(Termination.INTERRUPTED))
        deadline = self._loop.time() + STOP_SECONDS  # resumable matches are still being played
        while self.journal.busy and self._loop.time() < deadline:
            await asyncio.sleep(0.005)
        self.lobby.freeze()
        self._pool.close()
        if self._engines is not None:
            self._engines.close()
        if self._http is not None:
            self._http.close()
        self._api.close()
        await self.connections.close_all(STOP_SECONDS)
        if self._tap is not None:
            self._tap.stop()
        if self.cluster is not None:
            await self.cluster.close()
        self.journal.close()
        self.records.close()


def run(settings: Settings) -> None:
    """Serve until SIGTERM or SIGINT. A second signal exits at once."""
    _raise_file_limit()
    sys.setswitchinterval(SWITCH_SECONDS)
    gc.freeze()
    gc.set_threshold(*GC_THRESHOLDS)
    with asyncio.Runner(loop_factory=_loop_factory()) as runner:
        runner.run(_serve(settings))


async def _serve(settings: Settings) -> None:
    """Run a node until the first signal or the end of a drain; a later second signal ends the process at once."""
    loop = asyncio.get_running_loop()
    stopping = asyncio.Event()
    last = 0.0

    def on_signal(number: int) -> None:
        nonlocal last
        earlier, last = last, loop.time()
        if not stopping.is_set():
            stopping.set()
        elif last - earlier > SIGNAL_ECHO_SECONDS:
            os._exit(128 + number)

    loop.set_exception_handler(_log_exception)
    node = Node(settings, loop)
    on_ending(loop, on_signal)  # before `ready` is printed
    node.on_drained = stopping.set
    try:
        await node.start()
    except Exception:
        await node.stop()
        raise
    await stopping.wait()
    log.info("stopping")
    await node.stop()


def _load_engines(settings: Settings, post: Callable[..., object]) -> EngineService | None:
    """Return the engines in the file of bots; raise `Malformed` for an invalid file or an unknown default bot."""
    file = Path(settings.bots).expanduser() if settings.bots else None
    listing = () if file is None else load_listing(file)
    names = (*BOTS, *(bot.name for bot in listing))
    try:
        parse_bot(settings.bot, names)
    except Malformed as error:
        raise Malformed(f"--bot {error}; add others with --bots FILE") from None
    if file is None:
        return None
    bot_names = " ".join(bot.name for bot in listing)
    log.info("loaded the file of bots", file=str(file), bots=bot_names, cage=str(best_cage_tool()))
    return EngineService(post, listing, file.absolute().parent, settings.thinkers)


def own_names(host: str) -> tuple[str, ...]:
    """Return the names of this machine: the configured host, its host name, and its mDNS name."""
    machine = socket.gethostname()
    short = machine.partition(".")[0]
    return host, machine, short, f"{short}.local"


def _log_unrecoverable_match(match: str, error: Exception) -> None:
    log.error("cannot recover a match; it stays in the journal", match=match, error=str(error) or repr(error))


def _log_match_failure(match: str, error: Exception) -> None:
    if isinstance(error, Superseded):
        log.error("closed a table: another process has written to its match", match=match)
    else:
        log.error("aborted a match: its rules raised an exception", match=match, exc_info=error)


_bot_log: Final = LogThrottle(BOT_LOG_SECONDS)


def _log_bot_failure(match: str, error: Exception) -> None:
    """Log a failure of a bot, at most once in `BOT_LOG_SECONDS` for each cause."""
    if isinstance(error, EngineFault):
        if (suppressed := _bot_log.admit(f"engine {error.engine}")) is not None:
            log.warning(
                "an engine failed; the greedy bot chooses instead",
                match=match, bot=error.engine, reason=str(error.fault), error=error.detail,
                stderr=error.stderr[-MAX_LOGGED_STDERR:], suppressed=suppressed,
            )  # fmt: skip
        return
    expected = isinstance(error, Refused | Unavailable)
    if (suppressed := _bot_log.admit("no answer" if expected else "fault")) is None:
        return
    if expected:
        log.warning(
            "a bot got no result from its engine; the greedy bot chooses instead",
            match=match, error=str(error), suppressed=suppressed,
        )  # fmt: skip
    else:
        log.error(
            "a bot raised an exception; it plays the first legal choice",
            match=match, suppressed=suppressed, exc_info=error,
        )  # fmt: skip


def _log_inspector_gap(text: str) -> None:
    log.warning("the inspector missed messages", reason=text)


def _log_exception(loop: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
    """Log exceptions that no connection handles."""
    log.error(context["message"], exc_info=context.get("exception"))


def _loop_factory() -> Callable[[], asyncio.AbstractEventLoop]:
    try:
        import uvloop
    except ImportError:  # not available on every platform; asyncio is slower
        return asyncio.new_event_loop
    return uvloop.new_event_loop


def _raise_file_limit() -> None:
    """Raise RLIMIT_NOFILE to its hard limit, and warn if that is low: every connection is a file descriptor."""
    if resource is None:
        return
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if soft < hard:
        resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    if hard < LOW_FILE_LIMIT:
        log.warning(
            "the limit on open files (RLIMIT_NOFILE) is low", limit=hard, connections=_max_connections(),
            hint="raise it with ulimit -n 65536, or LimitNOFILE of a systemd service",
        )  # fmt: skip


def _max_connections() -> int:
    """Return the number of connections that leaves `RESERVED_FILES` descriptors free."""
    if resource is None:
        return MAX_CONNECTIONS_WITHOUT_LIMIT
    files, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    return max(1, files - min(RESERVED_FILES, files // 2))
