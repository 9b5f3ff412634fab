"""Delivery of webhooks: from the outbox in the records to their receivers, on separate threads.

- The oldest due delivery of each webhook is attempted, `SENDERS` at a time. A slow receiver delays its own webhook, and
  one batch of others for the duration of an attempt (`CONNECT_SECONDS`, then `ATTEMPT_SECONDS`).
- A 2xx response is success. Everything else is retried after `DELIVERY_RETRY_SECONDS`, and fails after the last retry.
  Redirects are not followed.
- The threads are daemons: the process exits without waiting for a slow receiver.
- A delivery whose success could not be stored is sent again with the same id: delivery is at least once.
"""

from __future__ import annotations

import http.client
import socket
import ssl
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import partial
from threading import Event, Lock, Thread, Timer
from typing import Final, TypeAlias

import msgspec
import structlog

from boardwire.errors import BoardwireError
from boardwire.organise.events import DeliveryState, EventKind, OrganiserEvent
from boardwire.organise.webhooks import Network, Target, parse_url, resolve, signature
from boardwire.records.records import Records, Transaction

log = structlog.get_logger("boardwire.organise")

DELIVERY_RETRY_SECONDS: Final = (5.0, 30.0, 120.0, 600.0, 3600.0, 21_600.0)
"""Pauses before the second and later attempts: about seven hours in all."""
ATTEMPT_SECONDS: Final = 15.0
"""Timeout of an attempt from the connection to the response."""
CONNECT_SECONDS: Final = 5.0
"""Timeout of a connection attempt."""
SENDERS: Final = 4
"""Number of concurrent attempts."""
MAX_ERROR_LENGTH: Final = 200
"""Characters of an error that the delivery log stores."""
IDLE_QUEUE_SECONDS: Final = 3600.0
"""Longest wait between checks for due deliveries."""

Send: TypeAlias = Callable[[Target, str, bytes, dict[str, str]], int]
"""Sends a body to a target at an address, and returns the status of the response."""


class Delivery(msgspec.Struct, frozen=True):
    """An entry of the delivery log.

    `status` is that of the last response, or 0 without one; `due` is the time of the next attempt.
    """

    number: int
    webhook: int
    event: int
    kind: EventKind
    state: DeliveryState
    attempts: int
    due: float
    at: float
    status: int
    error: str


class _DueDelivery(msgspec.Struct, frozen=True):
    """A delivery to attempt now; `event` is None if it has been deleted."""

    number: int
    webhook: int
    attempts: int
    url: str
    secret: str
    event: OrganiserEvent | None


class _Attempt(msgspec.Struct, frozen=True):
    """The result of an attempt: the status of the response, 0 without one, and the error; empty: success."""

    status: int
    error: str


class Deliverer:
    """Sends due deliveries. `allowed` are the private networks that the operator allows."""

    def __init__(
        self,
        records: Records,
        allowed: Sequence[Network] = (),
        *,
        now: Callable[[], float] = time.time,
        send: Send | None = None,
        lookup: Callable[[Target, Sequence[Network]], str] = resolve,
    ) -> None:
        self._records = records
        self._allowed_networks = allowed
        self._now = now
        self._send = send or post
        self._lookup = lookup
        self._wake = Event()
        self._is_stopping = False
        self._start_lock = Lock()
        self._thread: Thread | None = None

    def notify(self) -> None:
        """Wake the delivery thread to check for due deliveries; start it if necessary."""
        self._wake.set()
        with self._start_lock:
            if self._thread is None and not self._is_stopping:
                self._thread = Thread(target=self._run, name="webhooks", daemon=True)
                self._thread.start()

    def close(self) -> None:
        """Stop without waiting for running attempts; their deliveries are sent again by the next process."""
        self._is_stopping = True
        self._wake.set()

    def _run(self) -> None:
        """Deliver what is due until the server stops (the thread's main function)."""
        while not self._is_stopping:
            self._wake.clear()
            try:
                next_due = self.step()
            except Exception as error:  # if this thread ended, no webhook would be delivered until a restart
                if self._is_stopping:  # the records may be closed already
                    return
                fault = None if isinstance(error, BoardwireError) else error
                seconds = DELIVERY_RETRY_SECONDS[0]
                log.warning(f"cannot deliver webhooks (retrying in {seconds:g} s)", error=str(error), exc_info=fault)
                next_due = self._now() + seconds
            wait = IDLE_QUEUE_SECONDS if next_due is None else max(0.0, next_due - self._now())
            self._wake.wait(min(wait, IDLE_QUEUE_SECONDS))

    def step(self) -> float | None:
        """Attempt all due deliveries; return when the next one is due, or None if none is waiting."""
        while not self._is_stopping and (deliveries := self._records.read(lambda db: _due_deliveries(db, self._now()))):
            attempts = self._attempt_all(deliveries)
            if not self._is_stopping:
                self._records.write_now(
                    partial(_store_attempts, now=self._now(), deliveries=deliveries, attempts=attempts)
                )
        return self._records.read(_next_due)

    def _attempt_all(self, deliveries: Sequence[_DueDelivery]) -> list[_Attempt]:
        """Attempt deliveries concurrently, each on its own thread."""
        attempts = [_Attempt(0, "internal server error; see the server's log")] * len(deliveries)

        def work(index: int) -> None:
            attempts[index] = self._attempt(deliveries[index])

        # Not an executor: at exit the interpreter would wait for its threads, 20 seconds if a receiver hangs.
        threads = [Thread(target=work, args=(index,), name="webhook", daemon=True) for index in range(len(deliveries))]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        return attempts

    def _attempt(self, delivery: _DueDelivery) -> _Attempt:
        """Send an event to its webhook, signed, and return the result of the attempt."""
        if delivery.event is None:
            return _Attempt(0, "the event has been deleted")
        body = msgspec.json.encode(delivery.event)
        timestamp = int(self._now())
        name = f"evt_{delivery.event.number}_{delivery.webhook}"
        try:
            target = parse_url(delivery.url)
            address = self._lookup(target, self._allowed_networks)
            headers = {
                "Content-Type": "application/json",
                "User-Agent": "boardwire",
                "webhook-id": name,
                "webhook-timestamp": str(timestamp),
                "webhook-signature": signature(delivery.secret, name, timestamp, body),
            }
            status = self._send(target, address, body, headers)
        except BoardwireError as error:
            return _Attempt(0, str(error)[:MAX_ERROR_LENGTH])
        except (OSError, http.client.HTTPException) as error:
            return _Attempt(0, f"{type(error).__name__}: {error}"[:MAX_ERROR_LENGTH])
        return _Attempt(status, "" if 200 <= status < 300 else f"the receiver responded with status {status}")


def post(target: Target, address: str, body: bytes, headers: dict[str, str]) -> int:
    """Send a POST request for the target to `address`, and return the status of the response."""
    connection = http.client.HTTPConnection(target.host, target.port)
    connection.sock = socket.create_connection((address, target.port), CONNECT_SECONDS)
    deadline = Timer(ATTEMPT_SECONDS, _shut_down, [connection])  # each received byte restarts the socket's timeout
    deadline.daemon = True
    deadline.start()
    try:
        connection.sock.settimeout(ATTEMPT_SECONDS)
        if target.scheme == "https":
            tls_socket = ssl.create_default_context().wrap_socket(
                connection.sock, server_hostname=target.host, do_handshake_on_connect=False
            )
            connection.sock = tls_socket
            tls_socket.do_handshake()
        connection.request("POST", target.path, body, {"Host": target.host_header, "Connection": "close", **headers})
        return connection.getresponse().status
    finally:
        deadline.cancel()
        connection.close()


def _shut_down(connection: http.client.HTTPConnection) -> None:
    if connection.sock is not None:
        with suppress(OSError):  # closed already
            connection.sock.shutdown(socket.SHUT_RDWR)


# --- records ----------------------------------------------------------------------------------------------------------


def _due_deliveries(db: Transaction, now: float) -> list[_DueDelivery]:
    """Return the oldest due delivery of each webhook."""
    rows = db.all(
        "SELECT d.number, d.webhook, d.attempts, w.url, w.secret, e.number, e.kind, e.at, e.match, e.body"
        " FROM organisers_deliveries d JOIN organisers_webhooks w ON w.number = d.webhook"
        " LEFT JOIN organisers_events e ON e.number = d.event"
        " WHERE d.number IN (SELECT MIN(number) FROM organisers_deliveries WHERE state = ? AND due <= ?"
        " GROUP BY webhook ORDER BY MIN(due) LIMIT ?)",
        DeliveryState.WAITING, now, SENDERS,
    )  # fmt: skip
    return [
        _DueDelivery(
            int(number), int(webhook), int(attempts), url, secret,
            None if event is None else OrganiserEvent(
                int(event), EventKind(kind), float(at), match, msgspec.json.decode(body)
            ),
        )
        for number, webhook, attempts, url, secret, event, kind, at, match, body in rows
    ]  # fmt: skip


def _store_attempts(
    db: Transaction, now: float, deliveries: Sequence[_DueDelivery], attempts: Sequence[_Attempt]
) -> None:
    """Store the outcome of attempts; a failed event waits for its next attempt until no retry is left."""
    for delivery, attempt in zip(deliveries, attempts, strict=True):
        state, next_due = DeliveryState.DELIVERED, now
        if attempt.error:
            has_retry = delivery.event is not None and delivery.attempts < len(DELIVERY_RETRY_SECONDS)
            state = DeliveryState.WAITING if has_retry else DeliveryState.FAILED
            next_due = now + DELIVERY_RETRY_SECONDS[delivery.attempts] if has_retry else now
        db.run(
            "UPDATE organisers_deliveries SET state = ?, attempts = ?, due = ?, at = ?, status = ?, error = ?"
            " WHERE number = ? AND state = ?",
            state, delivery.attempts + 1, next_due, now, attempt.status, attempt.error, delivery.number,
            DeliveryState.WAITING,
        )  # fmt: skip


def _next_due(db: Transaction) -> float | None:
    row = db.one("SELECT MIN(due) FROM organisers_deliveries WHERE state = ?", DeliveryState.WAITING)
    return None if row is None or row[0] is None else float(row[0])


def read_deliveries(db: Transaction, owner: int, before: int | None, count: int) -> list[Delivery]:
    """Return up to `count` deliveries of an organiser before number `before`, newest first."""
    rows = db.all(
        "SELECT number, webhook, event, kind, state, attempts, due, at, status, error FROM organisers_deliveries"
        " WHERE owner = ? AND number < ? ORDER BY number DESC LIMIT ?",
        owner, before if before is not None else 1 << 62, count,
    )  # fmt: skip
    return [
        Delivery(
            int(number), int(webhook), int(event), EventKind(kind), DeliveryState(state), int(attempts), float(due),
            float(at), int(status), error,
        )
        for number, webhook, event, kind, state, attempts, due, at, status, error in rows
    ]  # fmt: skip
