"""Events of organiser's tables, and the outbox of their webhook deliveries.

- An event and its deliveries are written in one transaction, so either both or neither are stored.
- At most `MAX_EVENTS_PER_ORGANISER` events of an organiser are kept; the oldest are deleted.
- At most `MAX_WAITING_PER_ORGANISER` deliveries wait; further ones are recorded as `dropped`. The event itself stays,
  and can be read by polling.
"""

from __future__ import annotations

from enum import StrEnum
from typing import Any, Final

import msgspec

from boardwire.organise.table_record import TableRecord, TableState
from boardwire.records.records import Transaction

MAX_EVENTS_PER_ORGANISER: Final = 20_000
"""Stored events of an organiser."""
MAX_WAITING_PER_ORGANISER: Final = 1000
"""Waiting deliveries of an organiser."""
MAX_FINISHED_PER_ORGANISER: Final = 2000
"""Finished deliveries in the log of an organiser."""


class EventKind(StrEnum):
    """Kind of event at an organiser's table."""

    OPENED = "table.opened"
    JOINED = "player.joined"
    LEFT = "player.left"
    RETURNED = "player.returned"
    STARTED = "match.started"
    ENDED = "match.ended"
    CANCELLED = "table.cancelled"
    EXPIRED = "table.expired"


class OrganiserEvent(msgspec.Struct, frozen=True):
    """An event; `number` increases over all events of the server, `data` depends on the kind."""

    number: int
    kind: EventKind
    at: float
    match: str
    data: dict[str, Any]


class DeliveryState(StrEnum):
    """State of a delivery."""

    WAITING = "waiting"
    DELIVERED = "delivered"
    FAILED = "failed"
    """Every attempt failed."""
    DROPPED = "dropped"
    """Too many deliveries were waiting."""


def add_table(db: Transaction, owner: int, table: TableRecord) -> None:
    """Store a new table."""
    db.run(
        "INSERT INTO organisers_tables (match, owner, state, opened, body) VALUES (?, ?, ?, ?, ?)",
        table.match, owner, table.state, table.opened, msgspec.json.encode(table).decode(),
    )  # fmt: skip


def save_table(db: Transaction, table: TableRecord) -> None:
    """Store a changed table."""
    body = msgspec.json.encode(table).decode()
    db.run("UPDATE organisers_tables SET state = ?, body = ? WHERE match = ?", table.state, body, table.match)


def stored_state(db: Transaction, match: str) -> str:
    """Return the stored state of a table, or '' for an unknown one."""
    row = db.one("SELECT state FROM organisers_tables WHERE match = ?", match)
    return "" if row is None else str(row[0])


def add_event(db: Transaction, owner: int, kind: EventKind, at: float, match: str, data: dict[str, Any]) -> int:
    """Store an event and its deliveries; return its number."""
    row = db.one(
        "INSERT INTO organisers_events (owner, match, kind, at, body) VALUES (?, ?, ?, ?, ?) RETURNING number",
        owner, match, kind, at, msgspec.json.encode(data).decode(),
    )  # fmt: skip
    assert row is not None, "INSERT ... RETURNING returns its row"
    number = int(row[0])
    db.run(
        "DELETE FROM organisers_events WHERE owner = ? AND number <= (SELECT number FROM organisers_events WHERE"
        " owner = ? ORDER BY number DESC LIMIT 1 OFFSET ?)",
        owner, owner, MAX_EVENTS_PER_ORGANISER,
    )  # fmt: skip
    webhooks = db.all("SELECT number, kinds FROM organisers_webhooks WHERE owner = ? ORDER BY number", owner)
    receivers = [int(webhook) for webhook, kinds in webhooks if not kinds or kind in kinds.split()]
    if receivers:
        _enqueue(db, owner, kind, at, number, receivers)
    return number


def _enqueue(db: Transaction, owner: int, kind: EventKind, at: float, event: int, webhooks: list[int]) -> None:
    """Queue an event for webhooks; beyond `MAX_WAITING_PER_ORGANISER`, deliveries are stored as dropped."""
    row = db.one(
        "SELECT COUNT(*) FROM organisers_deliveries WHERE owner = ? AND state = ?", owner, DeliveryState.WAITING
    )
    waiting = 0 if row is None else int(row[0])
    for webhook in webhooks:
        state = DeliveryState.WAITING if waiting < MAX_WAITING_PER_ORGANISER else DeliveryState.DROPPED
        waiting += 1
        db.run(
            "INSERT INTO organisers_deliveries (webhook, owner, event, kind, state, attempts, due, at, status, error)"
            " VALUES (?, ?, ?, ?, ?, 0, ?, ?, 0, '')",
            webhook, owner, event, kind, state, at, at,
        )  # fmt: skip
    db.run(
        "DELETE FROM organisers_deliveries WHERE owner = ? AND state <> ? AND number <= (SELECT number FROM"
        " organisers_deliveries WHERE owner = ? AND state <> ? ORDER BY number DESC LIMIT 1 OFFSET ?)",
        owner, DeliveryState.WAITING, owner, DeliveryState.WAITING, MAX_FINISHED_PER_ORGANISER,
    )  # fmt: skip


def read_events(db: Transaction, owner: int, after: int, count: int, match: str = "") -> list[OrganiserEvent]:
    """Return up to `count` events of an organiser after a number, oldest first; of `match` only, if it is given."""
    rows = db.all(
        "SELECT number, kind, at, match, body FROM organisers_events WHERE owner = ? AND number > ?"
        " AND (? = '' OR match = ?) ORDER BY number LIMIT ?",
        owner, after, match, match, count,
    )  # fmt: skip
    return [
        OrganiserEvent(int(number), EventKind(kind), float(at), match_id, msgspec.json.decode(body))
        for number, kind, at, match_id, body in rows
    ]


def read_tables(
    db: Transaction, owner: int, before: int | None, count: int, state: TableState | None = None
) -> list[tuple[int, TableRecord]]:
    """Return up to `count` tables of an organiser before number `before`, with their numbers, newest first."""
    rows = db.all(
        "SELECT number, body FROM organisers_tables WHERE owner = ? AND number < ? AND (? = '' OR state = ?)"
        " ORDER BY number DESC LIMIT ?",
        owner, before if before is not None else 1 << 62, state or "", state or "", count,
    )  # fmt: skip
    return [(int(number), msgspec.json.decode(body, type=TableRecord)) for number, body in rows]


def read_table(db: Transaction, owner: int, match: str) -> TableRecord | None:
    """Return one table of an organiser, or None."""
    row = db.one("SELECT body FROM organisers_tables WHERE owner = ? AND match = ?", owner, match)
    return None if row is None else msgspec.json.decode(row[0], type=TableRecord)


def read_open_tables(db: Transaction) -> list[tuple[int, TableRecord]]:
    """Return all tables that were not over when the server stopped, with their owners, oldest first."""
    rows = db.all(
        "SELECT owner, body FROM organisers_tables WHERE state IN (?, ?) ORDER BY number",
        TableState.WAITING, TableState.PLAYING,
    )  # fmt: skip
    return [(int(owner), msgspec.json.decode(body, type=TableRecord)) for owner, body in rows]


def forget_organiser(db: Transaction, owner: int) -> None:
    """Remove the records of an organiser whose account is deleted, except for tables that are not over."""
    for table in ("organisers_webhooks", "organisers_deliveries", "organisers_events"):
        db.run(f"DELETE FROM {table} WHERE owner = ?", owner)
    live = (TableState.WAITING.value, TableState.PLAYING.value)
    db.run("DELETE FROM organisers_tables WHERE owner = ? AND state NOT IN (?, ?)", owner, *live)
