"""E-mail addresses of players, in the records.

- An account has at most one address. It is used only after its player has confirmed it with a code sent to it, and is
  removed if it is not confirmed in time.
- A new address replaces the former one once its code is sent; if sending fails, the former one stays.
- Codes are limited per address, so that the server cannot be used to flood a mailbox. For this limit, the hash of the
  address is stored for a day; if the account is deleted meanwhile, without the number of the account.
- The token of the unsubscribe link is stored in plain text: it can end the e-mail and nothing else.
- `mail_turns` has the last turn of each match that was reported to a player: no message is sent twice, and turns not
  yet reported are reported after a restart.
"""

from __future__ import annotations

import hmac
import re
import secrets
from collections.abc import Awaitable, Callable, Iterable
from typing import Final, NamedTuple

from boardwire.errors import Malformed, Reason, Refused
from boardwire.lobby.held_seats import token_hash
from boardwire.records.records import Records, Transaction

COMPONENT: Final = "mail"
MIGRATIONS: Final = (
    # 1: addresses, codes that were sent, turns that were reported
    """
    CREATE TABLE mail_addresses (
        player BIGINT PRIMARY KEY, address TEXT NOT NULL, language TEXT NOT NULL, code TEXT NOT NULL,
        attempts BIGINT NOT NULL, expires DOUBLE PRECISION NOT NULL, confirmed DOUBLE PRECISION,
        unsubscribe TEXT NOT NULL UNIQUE, created DOUBLE PRECISION NOT NULL
    );
    CREATE TABLE mail_codes (player BIGINT NOT NULL, address TEXT NOT NULL, sent DOUBLE PRECISION NOT NULL);
    CREATE TABLE mail_turns (
        player BIGINT NOT NULL, match TEXT NOT NULL, turn BIGINT NOT NULL, sent DOUBLE PRECISION NOT NULL,
        PRIMARY KEY (player, match)
    );
    """,
)
"""Released migrations never change; new ones are appended."""

MAX_ADDRESS_LENGTH: Final = 254
"""Longest e-mail address in characters (RFC 5321)."""
CODE_LENGTH: Final = 8
"""Characters of a confirmation code: 8 of 31 are 39 bits, for `MAX_CODE_ATTEMPTS` attempts."""
CODE_VALID_SECONDS: Final = 3600.0
"""Time in which an address must be confirmed; then it is removed."""
MAX_CODE_ATTEMPTS: Final = 5
"""Wrong codes after which a new one must be requested."""
MAX_CODES_PER_DAY: Final = 5
"""Codes that one account may request, and that may be sent to one e-mail address, within a day."""
TURN_KEPT_SECONDS: Final = 15 * 86_400.0
"""How long a reported turn is stored: a day more than the longest time per move."""

_ALPHABET: Final = "ABCDEFGHJKMNPQRSTUVWXYZ23456789"
_DAY: Final = 86_400.0
_ADDRESS: Final = re.compile(
    r"[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+(?:\.[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+)*"
    r"@(?:[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?\.)+[A-Za-z][A-Za-z0-9-]{0,61}[A-Za-z0-9]"
)
"""`dot-atom@domain` in ASCII (RFC 5321): no quotes, comments, literals or line breaks."""


class MailAddress(NamedTuple):
    """The address of an account; `confirmed` is the time of its confirmation, or None."""

    address: str
    language: str
    confirmed: float | None
    unsubscribe: str
    created: float


def checked_address(text: str) -> str:
    """Return the stored form of an address; raise `Malformed` if it is invalid."""
    address = text.strip()
    if len(address) > MAX_ADDRESS_LENGTH or len(address.partition("@")[0]) > 64 or not _ADDRESS.fullmatch(address):
        raise Malformed("invalid e-mail address; write it like ann@example.org")
    return address


def new_code() -> str:
    """Return a new confirmation code."""
    return "".join(secrets.choice(_ALPHABET) for _ in range(CODE_LENGTH))


def _code_hash(code: str) -> str:
    return token_hash("mail " + "".join(filter(str.isalnum, code.upper())))


class Addresses:
    """E-mail addresses in the records. Coroutines run on the event loop, all other methods on threads."""

    def __init__(self, records: Records) -> None:
        self._records = records
        records.migrate(COMPONENT, MIGRATIONS)

    async def begin(
        self, player: int, address: str, language: str, now: float, send: Callable[[str], Awaitable[None]] | None = None
    ) -> str:
        """Send a code with `send`, then store the unconfirmed address in place of the former one; return the code.

        If `send` raises, the code counts for the limits, and the former address stays.
        """
        code = new_code()
        address_hash = token_hash(f"mail {address.lower()}")

        def count(db: Transaction) -> None:
            remove_old(db, now)
            for column, value in (("player", player), ("address", address_hash)):
                (sent,) = db.one(f"SELECT count(*) FROM mail_codes WHERE {column} = ?", value) or (0,)
                if sent >= MAX_CODES_PER_DAY:
                    message = f"{MAX_CODES_PER_DAY} codes were sent within a day; try again tomorrow"
                    raise Refused(message, reason=Reason.LIMIT)
            db.run("INSERT INTO mail_codes (player, address, sent) VALUES (?, ?, ?)", player, address_hash, now)

        def store(db: Transaction) -> None:
            db.run("DELETE FROM mail_addresses WHERE player = ?", player)
            db.run(
                "INSERT INTO mail_addresses"
                " (player, address, language, code, attempts, expires, confirmed, unsubscribe, created)"
                " VALUES (?, ?, ?, ?, 0, ?, NULL, ?, ?)",
                player, address, language, _code_hash(code), now + CODE_VALID_SECONDS, secrets.token_urlsafe(24), now,
            )  # fmt: skip

        await self._records.write(count)
        if send is not None:
            await send(code)
        await self._records.write(store)
        return code

    async def confirm(self, player: int, code: str, now: float) -> None:
        """Confirm the address of an account with the code that was sent to it."""

        def work(db: Transaction) -> bool:
            row = db.one("SELECT code, attempts, expires, confirmed FROM mail_addresses WHERE player = ?", player)
            if row is None or (row[3] is None and row[2] < now):
                raise Refused("no address awaits confirmation, or its code has expired; request a new code")
            if row[3] is not None:
                return True
            if row[1] >= MAX_CODE_ATTEMPTS:
                message = f"{MAX_CODE_ATTEMPTS} wrong codes were entered; request a new code"
                raise Refused(message, reason=Reason.LIMIT)
            if not hmac.compare_digest(row[0], _code_hash(code)):
                db.run("UPDATE mail_addresses SET attempts = attempts + 1 WHERE player = ?", player)
                return False
            db.run("UPDATE mail_addresses SET confirmed = ?, code = '' WHERE player = ?", now, player)
            return True

        if not await self._records.write(work):  # not raised inside: the attempt must be stored
            raise Refused("the code is wrong; check it, or request a new one")

    async def remove(self, player: int) -> None:
        """Remove the address of an account, and its reported turns."""
        await self._records.write(lambda db: forget(db, player))

    async def unsubscribe(self, token: str) -> bool:
        """Remove the address with this token; return whether there was one."""

        def work(db: Transaction) -> bool:
            row = db.one("SELECT player FROM mail_addresses WHERE unsubscribe = ?", token)
            if row is not None:
                forget(db, row[0])
            return row is not None

        return await self._records.write(work)

    def discard(self, player: int, address: str) -> None:
        """Remove an address that does not exist according to its mail server."""
        remove = "DELETE FROM mail_addresses WHERE player = ? AND address = ?"
        self._records.write_now(lambda db: db.run(remove, player, address))

    def find(self, player: int, now: float) -> MailAddress | None:
        """Return the address of an account, or None if it has none or has not confirmed it in time."""
        return self._records.read(lambda db: address_of(db, player, now))

    def unreported(self, player: int, turns: Iterable[tuple[str, int]]) -> tuple[list[str], float]:
        """Return the matches whose turns were not reported yet, and the time of the last report to the player, or 0."""
        turn_by_match = dict(turns)

        def work(db: Transaction) -> tuple[list[str], float]:
            rows = db.all("SELECT match, turn, sent FROM mail_turns WHERE player = ?", player)
            reported = {match: turn for match, turn, _ in rows}
            unreported = [match for match, turn in turn_by_match.items() if reported.get(match) != turn]
            return unreported, max((sent for _, _, sent in rows), default=0.0)

        return self._records.read(work)

    def mark_reported(self, player: int, turns: Iterable[tuple[str, int]], now: float) -> None:
        """Record that these turns were reported to a player."""
        rows = [(player, match, turn, now) for match, turn in turns]

        def work(db: Transaction) -> None:
            db.many(
                "INSERT INTO mail_turns (player, match, turn, sent) VALUES (?, ?, ?, ?)"
                " ON CONFLICT (player, match) DO UPDATE SET turn = excluded.turn, sent = excluded.sent",
                rows,
            )

        self._records.write_now(work)


def address_of(db: Transaction, player: int, now: float) -> MailAddress | None:
    """Return the address of an account, or None if it has none or has not confirmed it in time."""
    row = db.one(
        "SELECT address, language, confirmed, unsubscribe, created FROM mail_addresses"
        " WHERE player = ? AND (confirmed IS NOT NULL OR expires >= ?)",
        player, now,
    )  # fmt: skip
    return None if row is None else MailAddress(*row)


def remove_old(db: Transaction, now: float) -> None:
    """Remove addresses that were not confirmed in time, codes that no longer count, and old turns."""
    db.run("DELETE FROM mail_addresses WHERE confirmed IS NULL AND expires < ?", now)
    db.run("DELETE FROM mail_codes WHERE sent < ?", now - _DAY)
    db.run("DELETE FROM mail_turns WHERE sent < ?", now - TURN_KEPT_SECONDS)


def forget(db: Transaction, player: int) -> None:
    """Remove the address of an account and its reported turns; sent codes still count for the limits."""
    db.run("DELETE FROM mail_addresses WHERE player = ?", player)
    db.run("DELETE FROM mail_turns WHERE player = ?", player)


def forget_account(db: Transaction, player: int) -> None:
    """Remove everything stored about an account; codes sent to its mailbox still count for the limit of the mailbox."""
    forget(db, player)
    db.run("UPDATE mail_codes SET player = 0 WHERE player = ?", player)
