"""Alerts to absent players: it is their turn in a correspondence match, or their tournament match is ready.

- A guest without a name watches each correspondence table as a spectator does; tables do not know about alerts. A
  player who is at the table gets no alert.
- Messages are sent on separate threads. A failed one is not retried, because the page also shows whose turn it is. The
  push service keeps accepted messages for `MESSAGE_TTL_SECONDS`.
- The threads are daemons: the process exits without waiting for a slow push service.
- The address of a push service comes from a client: only public addresses are contacted (`organise/webhooks.py`).
"""

from __future__ import annotations

import http.client
from collections.abc import Callable, Sequence
from functools import partial
from queue import SimpleQueue
from threading import Lock, Thread
from typing import Final

import msgspec
import structlog

from boardwire.errors import BoardwireError, Malformed
from boardwire.lobby.lobby import Lobby
from boardwire.organise.delivery import Send, post
from boardwire.organise.webhooks import Target, parse_url, resolve
from boardwire.push.subscriptions import MAX_ENDPOINT_LENGTH, Subscription, Subscriptions
from boardwire.table.guest import Guest, Notification, Step, Watching
from boardwire.table.match import Match, Status
from boardwire.table.ports import ListedTable
from boardwire.table.table import Table

log = structlog.get_logger("boardwire.push")

SENDER_THREADS: Final = 2
"""Number of threads that send push messages."""
MAX_WAITING_ALERTS: Final = 1000
"""Maximum number of alerts that wait to be sent; further ones are dropped."""
MESSAGE_TTL_SECONDS: Final = 86_400
"""Time for which a push service keeps a message for a browser that is not running (TTL, RFC 8030)."""
GONE_STATUSES: Final = (404, 410)
"""Statuses with which a push service reports that a subscription has ended (RFC 8030)."""


class Alert(msgspec.Struct, frozen=True):
    """An alert to a player who is away: `kind` is `turn` or `ready`."""

    kind: str
    game: str
    match: str
    language: str = "en"
    turn: int = 0
    """Number of the position change that the player has to answer."""


def check_endpoint(url: str) -> None:
    """Raise `Malformed` if a URL cannot be that of a push service."""
    if len(url) > MAX_ENDPOINT_LENGTH or parse_url(url).scheme != "https":
        raise Malformed(f"the endpoint must be an https URL of at most {MAX_ENDPOINT_LENGTH} characters")


class Notifier:
    """Sends alerts to the absent players of a server."""

    def __init__(
        self,
        subscriptions: Subscriptions,
        lobby: Lobby,
        now: Callable[[], float],
        contact: str,
        send: Send = post,
        lookup: Callable[[Target], str] = lambda target: resolve(target, ()),
    ) -> None:
        self.subscriptions = subscriptions
        self._now = now
        self._contact = contact
        self._send = send
        self._lookup = lookup
        self._queue: SimpleQueue[tuple[str, Alert] | None] = SimpleQueue()
        self._threads: list[Thread] = []
        self._lock = Lock()
        self._waiting = 0
        self._closed = False
        self._followers: dict[str, _Follower] = {}
        self.channels: list[Callable[[str, Alert], None]] = []
        """Other channels to alert a player, given the key of its seats; e-mail, for example."""
        self.keys_of: Callable[[str], Sequence[str]] = lambda key: (key,)
        """Returns all keys of the player with a key: an account also has those from before its name was claimed."""
        lobby.change_observers.append(self._follow)

    @property
    def waiting(self) -> int:
        """Number of alerts that wait or are being sent."""
        return self._waiting

    def close(self) -> None:
        """Drop waiting and later alerts, and end the threads after the messages that they are sending."""
        with self._lock:
            self._closed = True
        for _ in self._threads:
            self._queue.put(None)

    # --- tables -------------------------------------------------------------------------------------------------------

    def _follow(self, table: ListedTable) -> None:
        """Watch a correspondence match that is hosted here, until it ends."""
        match = table.match
        if match.status is Status.OVER or table.superseded:
            self._followers.pop(match.id, None)
        elif (
            isinstance(table, Table)
            and match.status is Status.PLAYING
            and match.setting.policy.correspondence
            and match.id not in self._followers
        ):
            self._followers[match.id] = _Follower(self, table)

    def alert_match_ready(self, key: str, game: str, match: str) -> None:
        """Alert a participant of a tournament that its match is ready."""
        self.alert(key, Alert("ready", game, match))

    # --- sending ------------------------------------------------------------------------------------------------------

    def alert(self, key: str, alert: Alert) -> None:
        """Queue an alert to all browsers of the player with this key, and to the other channels."""
        if not key:
            return
        for channel in self.channels:
            channel(key, alert)
        with self._lock:
            if self._closed:  # tables are still played while the server stops
                return
            if self._waiting >= MAX_WAITING_ALERTS:
                log.warning("dropped an alert: too many are waiting", limit=MAX_WAITING_ALERTS, match=alert.match)
                return
            self._waiting += 1
            if not self._threads:
                self._threads = [Thread(target=self._run, name="push", daemon=True) for _ in range(SENDER_THREADS)]
                for thread in self._threads:
                    thread.start()
        self._queue.put((key, alert))

    def _run(self) -> None:
        """Deliver queued alerts until the notifier is closed; this is the main function of a thread."""
        while (entry := self._queue.get()) is not None:
            self._deliver(*entry)
            with self._lock:
                self._waiting -= 1

    def _deliver(self, key: str, alert: Alert) -> None:
        try:
            for subscription in () if self._closed else self.subscriptions.for_keys(*self.keys_of(key)):
                if not self._closed:
                    self._deliver_to(subscription, alert)
        except Exception as error:  # noqa: BLE001 - a failed alert must not end its thread
            log.warning("cannot alert a player", match=alert.match, error=str(error) or repr(error))

    def _deliver_to(self, subscription: Subscription, alert: Alert) -> None:
        """Encrypt an alert and send it to one browser; discard the subscription if it has ended."""
        from boardwire.push.encryption import decode64, encrypt  # here, because importing cryptography takes 50 ms

        try:
            target = parse_url(subscription.endpoint)
            address = self._lookup(target)
            text = msgspec.json.encode(msgspec.structs.replace(alert, language=subscription.language))
            body = encrypt(text, decode64(subscription.p256dh), decode64(subscription.auth))
            origin = f"https://{target.host_header}"
            headers = {
                "Authorization": self.subscriptions.key.authorization(origin, self._contact, self._now()),
                "Content-Encoding": "aes128gcm",
                "Content-Type": "application/octet-stream",
                "TTL": str(MESSAGE_TTL_SECONDS),
                "Urgency": "normal",
            }
            status = self._send(target, address, body, headers)
        except (BoardwireError, OSError, http.client.HTTPException) as error:
            log.info("cannot reach a push service", error=str(error) or repr(error))
            return
        if status in GONE_STATUSES:
            self.subscriptions.discard(subscription.endpoint)
        elif not 200 <= status < 300:
            log.info("a push service rejected a message", status=status)


class _Follower:
    """Spectator of one table that alerts absent players when it is their turn."""

    def __init__(self, notifier: Notifier, table: Table) -> None:
        self._notifier = notifier
        self._last_alerted = -1
        """Number of the last position change for which players were alerted."""
        self._table = table
        self._guest = Guest(self._handle_notification, bot=True)
        table.call_in_order(partial(table.watch, self._guest))  # after the change that the table is reporting

    def _handle_notification(self, notification: Notification) -> None:
        match = self._table.match
        if match.status is Status.OVER:
            self._table.leave(self._guest)
            return
        if isinstance(notification, Step | Watching):
            self._alert_absent(match)

    def _alert_absent(self, match: Match) -> None:
        """Alert the absent players whose turn it is, once for each position."""
        pending = match.pending
        if pending is None or match.moved == self._last_alerted:
            return
        absent = [seat for seat in pending.seats if seat >= 0 and match.chairs[seat].away is not None]
        if not absent:
            return
        self._last_alerted = match.moved
        for seat in absent:
            player = match.chairs[seat].player
            if player is not None and player.key:
                self._notifier.alert(player.key, Alert("turn", match.setting.game.name, match.id, turn=match.moved))
