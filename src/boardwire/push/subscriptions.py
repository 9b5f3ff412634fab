"""Subscriptions of browsers to push messages, and the server's key, in the records.

A subscription belongs to the key of a player's seats, which all devices of an account share.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Final

import msgspec

from boardwire.records.records import Records, Transaction

if TYPE_CHECKING:
    from boardwire.push.encryption import ServerKey

COMPONENT: Final = "push"
MIGRATIONS: Final = (
    # 1: the server's key, and subscriptions
    """
    CREATE TABLE push_key (number TEXT NOT NULL);
    CREATE TABLE push_subscriptions (
        endpoint TEXT PRIMARY KEY, player TEXT NOT NULL, p256dh TEXT NOT NULL, auth TEXT NOT NULL,
        language TEXT NOT NULL, created DOUBLE PRECISION NOT NULL
    );
    CREATE INDEX push_subscriptions_by_player ON push_subscriptions (player, created);
    """,
)
"""Released migrations never change; new ones are appended."""

MAX_SUBSCRIPTIONS_PER_PLAYER: Final = 10
"""Subscribed browsers of one player; a new one replaces the oldest."""
MAX_ENDPOINT_LENGTH: Final = 500
"""Longest URL of a subscription in characters."""


class Subscription(msgspec.Struct, frozen=True):
    """A browser that receives alerts: the endpoint of its push service, and its keys."""

    endpoint: str
    p256dh: str
    auth: str
    language: str = "en"


class Subscriptions:
    """Subscriptions in the records. `add` and `remove` run on the event loop, the rest on threads."""

    def __init__(self, records: Records) -> None:
        self._records = records
        records.migrate(COMPONENT, MIGRATIONS)

    @cached_property
    def key(self) -> ServerKey:
        """The server's key, created on first use."""
        from boardwire.push.encryption import ServerKey  # here, because importing cryptography takes 50 ms

        return ServerKey(self._records.write_now(_load_or_create_key_number))

    async def add(self, player: str, subscription: Subscription, now: float) -> None:
        """Store a subscription of the player with this key."""

        def work(db: Transaction) -> None:
            db.run("DELETE FROM push_subscriptions WHERE endpoint = ?", subscription.endpoint)
            db.run(
                "INSERT INTO push_subscriptions (endpoint, player, p256dh, auth, language, created)"
                " VALUES (?, ?, ?, ?, ?, ?)",
                subscription.endpoint, player, subscription.p256dh, subscription.auth, subscription.language, now,
            )  # fmt: skip
            rows = db.all("SELECT endpoint FROM push_subscriptions WHERE player = ? ORDER BY created DESC", player)
            for (endpoint,) in rows[MAX_SUBSCRIPTIONS_PER_PLAYER:]:
                db.run("DELETE FROM push_subscriptions WHERE endpoint = ?", endpoint)

        await self._records.write(work)

    async def remove(self, player: str, endpoint: str) -> None:
        """Remove a subscription of a player."""
        sql = "DELETE FROM push_subscriptions WHERE endpoint = ? AND player = ?"
        await self._records.write(lambda db: db.run(sql, endpoint, player))

    def for_keys(self, *players: str) -> list[Subscription]:
        """Return the subscriptions under the keys of a player."""
        sql = "SELECT endpoint, p256dh, auth, language FROM push_subscriptions WHERE player = ?"
        rows = self._records.read(lambda db: [row for player in players for row in db.all(sql, player)])
        return [Subscription(*row) for row in rows]

    def discard(self, endpoint: str) -> None:
        """Remove a subscription that its push service no longer knows."""
        self._records.write_now(lambda db: db.run("DELETE FROM push_subscriptions WHERE endpoint = ?", endpoint))


def forget(db: Transaction, players: Sequence[str]) -> None:
    """Remove all subscriptions under the keys of a player."""
    db.many("DELETE FROM push_subscriptions WHERE player = ?", [(player,) for player in players])


def _load_or_create_key_number(db: Transaction) -> int:
    """Return the private number of the server's key; create and store it the first time."""
    row = db.one("SELECT number FROM push_key")
    if row is not None:
        return int(row[0])
    from boardwire.push.encryption import ServerKey

    number = ServerKey.new_number()
    db.run("INSERT INTO push_key (number) VALUES (?)", str(number))
    return number
