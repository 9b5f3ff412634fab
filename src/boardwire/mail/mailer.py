"""Mailer: sends confirmation codes at once, and the turns of absent players gathered into one message.

- A thread with its own event loop talks to the mail server, so that no move waits for it. It is a daemon: the process
  exits without waiting for a slow mail server.
- A turn waits `GATHER_SECONDS`, in which its player may come back. A player is sent at most one message per
  `MESSAGE_INTERVAL_SECONDS`; turns that arrive meanwhile are reported in one message, if they are still open.
- Messages about turns are sent one after the other, `PAUSE_SECONDS` apart; codes do not wait for them.
- A message that the mail server does not accept is sent again, up to `MAX_ATTEMPTS` times in all. An address is removed
  only if the mail server reports that it does not exist; other refusals, like "relay access denied", may be about this
  server.
- Neither addresses nor replies of a mail server, which may quote one, are logged.
"""

from __future__ import annotations

import asyncio
import re
import ssl
from collections.abc import Callable, Coroutine
from concurrent.futures import Future
from email.message import EmailMessage
from functools import cached_property
from importlib.util import find_spec
from threading import Lock, Thread
from typing import Any, Final, NamedTuple

import structlog

from boardwire.errors import BoardwireError, ConfigError, Malformed, Reason, Unavailable
from boardwire.mail.addresses import Addresses
from boardwire.mail.messages import code_message, turn_message
from boardwire.mail.server import MailServer, MailTls
from boardwire.push.notifier import Alert

log = structlog.get_logger("boardwire.mail")

GATHER_SECONDS: Final = 60.0
"""How long a turn waits before it is reported by e-mail: its player may be back by then."""
MESSAGE_INTERVAL_SECONDS: Final = 600.0
"""Shortest time between two messages to one player."""
PAUSE_SECONDS: Final = 1.0
"""Shortest time between two messages from the server about turns."""
SEND_SECONDS: Final = 30.0
"""Timeout for sending a message to the mail server."""
RETRY_SECONDS: Final = 120.0
"""Delay before the second attempt to send a message; it doubles with every further one."""
MAX_ATTEMPTS: Final = 5
"""Attempts to send a message about turns."""
MAX_WAITING_PLAYERS: Final = 1000
"""Players that may have turns waiting to be reported; turns of further players are dropped."""
_NO_MAILBOX: Final = frozenset({550, 551, 553})
"""SMTP replies that may mean that the recipient does not exist (RFC 5321)."""
_BAD_RECIPIENT: Final = re.compile(r"5\.1\.(?![078]\b)\d{1,3}\b")
"""Enhanced status of a bad recipient (RFC 3463); 5.1.0, 5.1.7 and 5.1.8 may be about the sender."""
_STOP_SECONDS: Final = 2.0
_CLOSE_SECONDS: Final = 0.1
"""Timeout of the closing handshake of encrypted connections."""


class _WaitingTurns:
    """Turns of one player that wait to be reported."""

    def __init__(self) -> None:
        self.turns: dict[str, Alert] = {}
        """The last turn by match."""
        self.attempts = 0
        """Failed attempts to report them since the last success."""
        self.due = 0.0
        """Time of the scheduled report."""
        self.timer: asyncio.TimerHandle | None = None
        self.is_reporting = False


class Delays(NamedTuple):
    """Delays of a mailer in seconds; tests use shorter ones."""

    gather: float = GATHER_SECONDS
    interval: float = MESSAGE_INTERVAL_SECONDS
    pause: float = PAUSE_SECONDS
    retry: float = RETRY_SECONDS


class Mailer:
    """E-mail of a server. `alert` and the coroutines run on the node's event loop."""

    def __init__(
        self,
        server: MailServer,
        addresses: Addresses,
        account_of: Callable[[str], int],
        is_turn: Callable[[str, int], bool],
        now: Callable[[], float],
        delays: Delays = Delays(),
    ) -> None:
        if find_spec("aiosmtplib") is None:
            raise ConfigError("e-mail needs aiosmtplib; install it with: pip install 'boardwire[mail]'")
        self.addresses = addresses
        self.server = server
        self._account_of = account_of
        """Returns the account of a player by the key of its seats, or 0 for a guest."""
        self._is_turn = is_turn
        """Returns whether a turn of a match is still open; called on the thread."""
        self._now = now
        self._delays = delays
        self._waiting_turns: dict[int, _WaitingTurns] = {}
        self._lock = Lock()
        self._report_lock = asyncio.Lock()
        """Held while the turns of a player are read and reported, and during the pause afterwards."""
        self._loop: asyncio.AbstractEventLoop | None = None
        self._closed = False
        self._tasks: set[asyncio.Task[None]] = set()
        self._ungathered = 0
        """Number of alerts that the thread has not taken yet."""

    @property
    def waiting(self) -> int:
        """Number of players whose turns wait or are being reported, plus alerts not yet gathered."""
        with self._lock:
            return self._ungathered + len(self._waiting_turns)

    @cached_property
    def _context(self) -> ssl.SSLContext:
        try:
            return ssl.create_default_context(cafile=self.server.ca or None)
        except (OSError, ssl.SSLError) as error:
            raise ConfigError(f"--mail-ca {self.server.ca}: {error}") from None

    def check(self) -> None:
        """Raise `ConfigError` if the certificate authorities cannot be read."""
        if self.server.tls is not MailTls.NONE:
            _ = self._context

    # --- the thread -------------------------------------------------------------------------------------------------

    def _thread_loop(self) -> asyncio.AbstractEventLoop | None:
        """Return the event loop of the thread, which starts with the first call; None after `close`."""
        with self._lock:
            if self._closed:
                return None
            if self._loop is None:
                self._loop = asyncio.new_event_loop()
                Thread(target=self._run, args=(self._loop,), name="mail", daemon=True).start()
            return self._loop

    def _run(self, loop: asyncio.AbstractEventLoop) -> None:
        asyncio.set_event_loop(loop)
        try:
            loop.run_forever()
        finally:
            loop.close()

    def close(self) -> None:
        """Discard waiting messages, and abort the one that is being sent."""
        with self._lock:
            self._closed = True
            loop, self._loop = self._loop, None
        if loop is not None:
            asyncio.run_coroutine_threadsafe(self._stop(loop), loop)

    async def _stop(self, loop: asyncio.AbstractEventLoop) -> None:
        for task in self._tasks:
            task.cancel()
        if self._tasks:
            await asyncio.wait(self._tasks, timeout=_STOP_SECONDS)
        await asyncio.sleep(_CLOSE_SECONDS)
        loop.stop()

    # --- codes --------------------------------------------------------------------------------------------------------

    async def send_code(self, recipient: str, language: str, code: str) -> None:
        """Send a confirmation code to an address.

        Raises `Malformed` if the address does not exist, `Unavailable` if the mail server does not accept the message.
        """
        loop = self._thread_loop()
        if loop is None:
            raise Unavailable("the server is stopping", reason=Reason.UNAVAILABLE)
        message = code_message(self.server.sender, recipient, language, code)
        future: Future[None] = asyncio.run_coroutine_threadsafe(self._send(message), loop)
        try:
            await asyncio.wrap_future(future)
        except Unavailable as error:
            log.warning("cannot send a confirmation code", error=str(error))
            raise

    # --- turns --------------------------------------------------------------------------------------------------------

    def alert(self, key: str, alert: Alert) -> None:
        """Queue an e-mail to a player about its turn; it is sent if the player has a confirmed address."""
        if alert.kind != "turn":
            return
        account = self._account_of(key)
        loop = self._thread_loop() if account else None
        if loop is not None:
            with self._lock:
                self._ungathered += 1
            loop.call_soon_threadsafe(self._gather, account, alert)

    def _gather(self, account: int, alert: Alert) -> None:
        with self._lock:
            self._ungathered -= 1
            self._queue_turn(account, alert)

    def _queue_turn(self, account: int, alert: Alert) -> None:
        player_turns = self._waiting_turns.get(account)
        if player_turns is None:
            if len(self._waiting_turns) >= MAX_WAITING_PLAYERS:
                log.warning("discarded an e-mail about a turn: too many players are waiting", limit=MAX_WAITING_PLAYERS)
                return
            player_turns = self._waiting_turns[account] = _WaitingTurns()
        player_turns.turns[alert.match] = alert
        self._schedule(account, player_turns, self._now() + self._delays.gather)

    def _schedule(self, account: int, player_turns: _WaitingTurns, due: float) -> None:
        """Schedule the report of a player's turns for `due`, unless an earlier one is scheduled."""
        now = self._now()
        if player_turns.is_reporting or (player_turns.timer is not None and now < player_turns.due <= due):
            return
        if player_turns.timer is not None:
            player_turns.timer.cancel()
        player_turns.due = due
        loop = asyncio.get_running_loop()
        player_turns.timer = loop.call_later(max(0.0, due - now), self._begin, account, player_turns)

    def _begin(self, account: int, player_turns: _WaitingTurns) -> None:
        player_turns.timer, player_turns.is_reporting = None, True
        task = asyncio.ensure_future(self._report(account, player_turns))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _report(self, account: int, player_turns: _WaitingTurns) -> None:
        """Send an account its turns by e-mail; after a failure, schedule another attempt with growing delays."""
        due: float | None = None
        try:
            due = await self._send_turns(account, player_turns)
        except (BoardwireError, OSError) as error:
            player_turns.attempts += 1
            if player_turns.attempts < MAX_ATTEMPTS:
                due = self._now() + self._delays.retry * 2 ** (player_turns.attempts - 1)
            log.warning("cannot send an e-mail", player=account, error=str(error), attempts=player_turns.attempts)
        except Exception:
            log.exception("cannot send an e-mail", player=account)
        finally:
            player_turns.is_reporting = False
            if due is not None:
                self._schedule(account, player_turns, due)
            else:
                del self._waiting_turns[account]

    async def _send_turns(self, account: int, player_turns: _WaitingTurns) -> float | None:
        """Send the waiting turns; return when to try again, or None if no turn is left."""
        async with self._report_lock:
            now = self._now()
            address = self.addresses.find(account, now)
            if address is None or address.confirmed is None:
                return None
            turns = dict(player_turns.turns)
            unreported, last_report = self.addresses.unreported(
                account, ((alert.match, alert.turn) for alert in turns.values())
            )
            if unreported and now < last_report + self._delays.interval:
                return last_report + self._delays.interval
            open_turns = [turns[match] for match in unreported if self._is_turn(match, turns[match].turn)]
            if open_turns:
                matches = [(alert.match, alert.game) for alert in open_turns]
                server = self.server
                message = turn_message(
                    server.sender, address.address, address.language, server.site, address.unsubscribe, matches
                )
                try:
                    await self._send(message)
                except Malformed:
                    log.info(
                        "removed an e-mail address: the mail server reports that it does not exist", player=account
                    )
                    self.addresses.discard(account, address.address)
                    return None
                self.addresses.mark_reported(account, ((alert.match, alert.turn) for alert in open_turns), self._now())
                await asyncio.sleep(self._delays.pause)
        player_turns.attempts = 0
        for match, alert in turns.items():
            if player_turns.turns.get(match) is alert:
                del player_turns.turns[match]
        return self._now() + self._delays.interval if player_turns.turns else None

    # --- SMTP ---------------------------------------------------------------------------------------------------------

    async def _send(self, message: EmailMessage) -> None:
        """Pass a message to the mail server; raise `Malformed` if the recipient does not exist."""
        import aiosmtplib  # optional, and imported here because that takes 20 ms

        server = self.server
        tls_arguments: dict[str, Any] = {} if server.tls is MailTls.NONE else {"tls_context": self._context}
        work: Coroutine[Any, Any, Any] = aiosmtplib.send(
            message, hostname=server.host, port=server.port, username=server.user or None,
            password=server.password or None, use_tls=server.tls is MailTls.TLS,
            start_tls=server.tls is MailTls.STARTTLS, timeout=SEND_SECONDS, **tls_arguments,
        )  # fmt: skip
        try:
            await asyncio.wait_for(work, SEND_SECONDS)
        except aiosmtplib.SMTPRecipientsRefused as error:
            if all(reply.code in _NO_MAILBOX and _BAD_RECIPIENT.match(reply.message) for reply in error.recipients):
                raise Malformed("the mail server reports that this address does not exist; check it") from None
            raise _unavailable(f"code {error.recipients[0].code}") from None
        except aiosmtplib.SMTPResponseException as error:
            raise _unavailable(f"{type(error).__name__}, code {error.code}") from None
        except (aiosmtplib.SMTPException, OSError, ssl.SSLError, TimeoutError) as error:
            raise _unavailable(type(error).__name__) from None


def _unavailable(cause: str) -> Unavailable:
    return Unavailable(
        f"the mail server did not accept the message ({cause}); try again later", reason=Reason.UNAVAILABLE
    )
