"""Accounts of a server: claimed, changed and deleted in the records, looked up in the directory.

- A name is claimed with a passkey, or with a recovery code, which is shown once. Either signs a player in on another
  device; each device has its own session.
- Sessions, API tokens and recovery codes are random and stored as hashes: 144 bits and 98 bits need no slow hash.
- A deleted account keeps its number and the keys of its guest time, so that its matches can be shown without its name.

All coroutines run on the event loop; what they store is written by the records' thread.
"""

from __future__ import annotations

import asyncio
import hmac
import secrets
import time
from collections.abc import Callable, Iterable, Sequence
from typing import Any, Final, NamedTuple

import msgspec

from boardwire.errors import Reason, Refused
from boardwire.lobby.held_seats import token_hash
from boardwire.players.account import Account, Kind, Role, Scope, checked_name, claimable_name, fold_name
from boardwire.players.directory import Directory, Entry, Token, TokenKind
from boardwire.players.passkeys import Passkey
from boardwire.players.schema import COMPONENT, MIGRATIONS
from boardwire.players.skeleton import VERSION as SKELETON_VERSION
from boardwire.players.skeleton import skeleton
from boardwire.records.records import Records, Row, Transaction
from boardwire.table.events import account_key

MAX_SESSIONS: Final = 20
"""Devices that may be signed in to one account; one more ends the oldest session."""
MAX_API_TOKENS: Final = 20
"""API tokens of one account."""
MAX_PASSKEYS: Final = 20
"""Passkeys of one account."""
MAX_LABEL_LENGTH: Final = 60
"""Longest name of a device, token or passkey, in characters."""
CHALLENGE_SECONDS: Final = 300.0
"""Seconds in which a challenge must be answered."""
RECOVERY_ALPHABET: Final = "ABCDEFGHJKMNPQRSTUVWXYZ23456789"
"""Letters and digits that cannot be confused with each other."""
RECOVERY_LENGTH: Final = 20
"""Characters of a recovery code: 20 of 31 are 99 bits."""

_ACCOUNT: Final = "id, name, kind, role, created, deleted, revision, coalesce(skeleton, '')"
_TOKEN: Final = "id, hash, kind, label, scopes, created, used"
_NEXT_REVISION: Final = "(SELECT coalesce(max(revision), 0) + 1 FROM players)"
_WRONG_RECOVERY: Final = "the name or the recovery code is wrong"


class Session(NamedTuple):
    """A new session: the account, the token, and the recovery code if one was made. Both are shown once."""

    account: Account
    token: str
    recovery: str = ""


class Keys(msgspec.Struct, frozen=True):
    """Credentials of an account: sessions, API tokens, passkeys, and whether it has a recovery code."""

    tokens: tuple[Token, ...]
    passkeys: tuple[tuple[str, str, float], ...]
    """Id, label and time of each passkey."""
    has_recovery: bool


class Accounts:
    """Accounts of a server."""

    def __init__(self, records: Records, now: Callable[[], float] = time.time) -> None:
        self.records = records
        self._now = now
        self._revision = 0
        self._revisions: dict[int, int] = {}
        """Revision of each account in the directory."""
        self.forget: Callable[[Transaction, int, str, Sequence[str]], None] = _forget_nothing
        """Deletes what other components store about an account, given its number, name and seat keys, in the
        transaction that deletes the account."""
        self.on_deleted: list[Callable[[int], None]] = []
        """Called on the event loop with the number of a deleted account."""
        records.migrate(COMPONENT, MIGRATIONS)
        if records.read(_without_skeleton):
            records.write_now(_add_skeletons)
        self.directory = Directory()
        self._apply(records.read(self._read_changes))

    # --- changes ------------------------------------------------------------------------------------------------------

    async def refresh(self) -> None:
        """Apply the changes that other processes have made; the node calls this regularly."""
        self._apply(await asyncio.to_thread(self.records.read, self._read_changes))

    def _read_changes(self, db: Transaction) -> tuple[int, list[Entry]]:
        """Return the last revision and the accounts that changed since the one in the directory."""
        (last,) = db.one("SELECT coalesce(max(revision), 0) FROM players") or (0,)
        if last == self._revision:
            return last, []
        rows = db.all(f"SELECT {_ACCOUNT} FROM players WHERE revision > ?", self._revision)
        tokens: dict[int, list[Token]] = {}
        columns = ", ".join(f"player_tokens.{column}" for column in _TOKEN.split(", "))
        for player, *fields in db.all(
            f"SELECT player, {columns} FROM player_tokens JOIN players ON players.id = player WHERE revision > ?",
            self._revision,
        ):
            tokens.setdefault(player, []).append(_token(fields))
        return last, [_entry(row, tokens.get(row[0], ())) for row in rows]

    def _apply(self, changed: tuple[int, list[Entry]]) -> None:
        self._revision = max(self._revision, changed[0])
        for entry in changed[1]:
            self._put(entry)

    def _put(self, entry: Entry) -> None:
        if entry.revision < self._revisions.get(entry.account.id, 0):
            return  # `refresh` has read it before a change of this process that is already in the directory
        self._revisions[entry.account.id] = entry.revision
        was_known = self.directory.account(entry.account.id) is not None
        self.directory.put(entry)
        if entry.is_deleted and was_known:
            for call in self.on_deleted:
                call(entry.account.id)

    async def _change(self, account: int, work: Callable[[Transaction], object]) -> Account:
        """Change an account in a transaction and return the changed account."""

        def change(db: Transaction) -> Entry:
            if load(db, account).is_deleted:
                raise Refused("no such player", reason=Reason.NO_SUCH_PLAYER)
            work(db)
            db.run(f"UPDATE players SET revision = {_NEXT_REVISION} WHERE id = ?", account)
            return load(db, account)

        entry = await self.records.write(change)
        self._put(entry)
        return entry.account

    # --- claiming, signing in and out ---------------------------------------------------------------------------------

    async def claim(
        self,
        name: str,
        guest_key: str = "",
        *,
        passkey: Passkey | None = None,
        label: str = "",
        kind: Kind = Kind.PERSON,
        role: Role = Role.PLAYER,
    ) -> Session:
        """Create an account with a new session, and give it the matches of the guest with `guest_key`.

        The session has a new token, so that an attacker who planted the guest's token has no access (session fixation).
        Without a passkey, a recovery code is created. Reserved names are only for roles other than `Role.PLAYER`.
        """
        name = claimable_name(name) if role is Role.PLAYER else checked_name(name)
        token, now = new_token(), self._now()
        recovery = "" if passkey is not None else new_recovery_code()

        def work(db: Transaction) -> Entry:
            _refuse_lookalike(db, name)
            row = db.one(
                "INSERT INTO players (name, folded, skeleton, kind, role, created, recovery, revision)"
                f" VALUES (?, ?, ?, ?, ?, ?, ?, {_NEXT_REVISION}) ON CONFLICT (folded) DO NOTHING RETURNING id",
                name, fold_name(name), skeleton(name), kind.value, role.value, now, _recovery_hash(recovery),
            )  # fmt: skip
            if row is None:
                raise Refused(f"the name {name!r} is already taken", reason=Reason.NAME_TAKEN)
            if guest_key:
                _add_token(db, row[0], guest_key, TokenKind.GUEST, "", (), now)
            if passkey is not None:
                _add_passkey(db, row[0], passkey, label, now)
            _add_session(db, row[0], token, label, now)
            return load(db, row[0])

        entry = await self.records.write(work)
        self._put(entry)
        return Session(entry.account, token, recovery)

    async def recover(self, name: str, code: str, label: str = "") -> Session:
        """Sign in with a recovery code. The refusal does not say whether the name or the code is wrong."""
        expected_hash = _recovery_hash(code)

        def find(db: Transaction) -> int:
            row = db.one("SELECT id, recovery FROM players WHERE folded = ?", fold_name(name)) or (0, "")
            if not hmac.compare_digest(row[1] or "-", expected_hash) or not row[0]:
                raise Refused(_WRONG_RECOVERY, reason=Reason.BAD_TOKEN)
            return int(row[0])

        return await self._sign_in(find, label)

    async def sign_in(self, passkey: str, sign_count: int, label: str = "") -> Session:
        """Sign in with a passkey that was verified (`passkeys.py`)."""

        def find(db: Transaction) -> int:
            row = db.one("SELECT player FROM player_passkeys WHERE id = ?", passkey)
            if row is None:
                raise Refused("this passkey is not registered with any account", reason=Reason.BAD_TOKEN)
            db.run("UPDATE player_passkeys SET sign_count = ?, used = ? WHERE id = ?", sign_count, self._now(), passkey)
            return int(row[0])

        return await self._sign_in(find, label)

    async def _sign_in(self, find: Callable[[Transaction], int], label: str) -> Session:
        """Start a session for the account that `find` returns."""
        token, now = new_token(), self._now()

        def work(db: Transaction) -> Entry:
            account = find(db)
            _add_session(db, account, token, label, now)
            db.run(f"UPDATE players SET revision = {_NEXT_REVISION} WHERE id = ?", account)
            return load(db, account)

        entry = await self.records.write(work)
        self._put(entry)
        return Session(entry.account, token)

    async def remove_token(self, account: int, number: int) -> None:
        """End a session or revoke an API token."""

        def work(db: Transaction) -> None:
            remove = "DELETE FROM player_tokens WHERE id = ? AND player = ? AND kind <> 'guest'"
            if not db.run(remove, number, account):
                raise Refused(f"this account has no token {number}", reason=Reason.REFUSED)

        await self._change(account, work)

    # --- challenges and passkeys --------------------------------------------------------------------------------------

    async def challenge(self) -> bytes:
        """Return a new challenge, which can be answered once and on any node."""
        challenge, now = secrets.token_bytes(32), self._now()

        def work(db: Transaction) -> None:
            db.run("DELETE FROM player_challenges WHERE until < ?", now)
            db.run("INSERT INTO player_challenges VALUES (?, ?)", challenge.hex(), now + CHALLENGE_SECONDS)

        await self.records.write(work)
        return challenge

    async def use_challenge(self, challenge: bytes) -> None:
        """Consume a challenge; raise `Refused` if it is unknown, already used or expired."""
        now = self._now()
        remove = "DELETE FROM player_challenges WHERE challenge = ? AND until >= ?"
        if not await self.records.write(lambda db: db.run(remove, challenge.hex(), now)):
            raise Refused("this challenge has been used or has expired; try again", reason=Reason.BAD_TOKEN)

    async def passkey(self, credential: str) -> tuple[bytes, int] | None:
        """Return the public key and the signature counter of a passkey, or None."""
        find = "SELECT public_key, sign_count FROM player_passkeys WHERE id = ?"
        row = await asyncio.to_thread(self.records.read, lambda db: db.one(find, credential))
        return None if row is None else (bytes(row[0]), int(row[1]))

    async def add_passkey(self, account: int, passkey: Passkey, label: str) -> None:
        """Add a passkey to an account."""
        await self._change(account, lambda db: _add_passkey(db, account, passkey, label, self._now()))

    async def remove_passkey(self, account: int, credential: str) -> None:
        """Remove a passkey; raise `Refused` if it is the only way to sign in."""

        def work(db: Transaction) -> None:
            if not db.run("DELETE FROM player_passkeys WHERE id = ? AND player = ?", credential, account):
                raise Refused("this account has no such passkey")
            remaining = db.one(
                "SELECT count(player_passkeys.id), recovery FROM players LEFT JOIN player_passkeys"
                " ON player = players.id WHERE players.id = ? GROUP BY recovery",
                account,
            )
            if remaining is not None and not remaining[0] and not remaining[1]:
                raise Refused("this passkey is the only way to sign in; create a recovery code first")

        await self._change(account, work)

    # --- the account --------------------------------------------------------------------------------------------------

    def keys(self, account: int) -> Keys:
        """Return the credentials of an account; on a reader thread."""

        def work(db: Transaction) -> Keys:
            entry = load(db, account)
            passkeys = db.all(
                "SELECT id, label, created FROM player_passkeys WHERE player = ? ORDER BY created", account
            )
            (recovery,) = db.one("SELECT recovery FROM players WHERE id = ?", account) or ("",)
            tokens = tuple(token for token in entry.tokens if token.kind != TokenKind.GUEST)
            return Keys(tokens, tuple((passkey, label, at) for passkey, label, at in passkeys), bool(recovery))

        return self.records.read(work)

    async def rename(self, account: int, name: str) -> Account:
        """Give an account another name, which must be free; its past matches still show the former name."""
        name = claimable_name(name)

        def work(db: Transaction) -> None:
            owner = db.one("SELECT id FROM players WHERE folded = ?", fold_name(name))
            if owner is not None and owner[0] != account:
                raise Refused(f"the name {name!r} is already taken", reason=Reason.NAME_TAKEN)
            _refuse_lookalike(db, name, account)
            db.run(
                "UPDATE players SET name = ?, folded = ?, skeleton = ? WHERE id = ?",
                name, fold_name(name), skeleton(name), account,
            )  # fmt: skip

        return await self._change(account, work)

    async def set_role(self, account: int, role: Role) -> Account:
        """Give an account a role."""
        return await self._change(
            account, lambda db: db.run("UPDATE players SET role = ? WHERE id = ?", role.value, account)
        )

    async def renew_recovery(self, account: int) -> str:
        """Replace the recovery code of an account and return the new one."""
        code = new_recovery_code()
        await self._change(
            account,
            lambda db: db.run("UPDATE players SET recovery = ? WHERE id = ?", _recovery_hash(code), account),
        )
        return code

    async def add_api_token(self, account: int, label: str, scopes: Iterable[Scope]) -> str:
        """Create an API token with scopes and return it; it is not stored and cannot be shown again."""
        token, now, granted_scopes = new_token(), self._now(), tuple(scopes)

        def work(db: Transaction) -> None:
            (count,) = db.one("SELECT count(*) FROM player_tokens WHERE player = ? AND kind = 'api'", account) or (0,)
            if count >= MAX_API_TOKENS:
                raise Refused(
                    f"you can have at most {MAX_API_TOKENS} API tokens; revoke one first", reason=Reason.LIMIT
                )
            _add_token(db, account, token_hash(token), TokenKind.API, label, granted_scopes, now)

        await self._change(account, work)
        return token

    async def delete(self, account: int) -> None:
        """Delete an account permanently: its name becomes free, and its matches are shown without the name."""

        def work(db: Transaction) -> None:
            entry = load(db, account)
            guest = [token.hash for token in entry.tokens if token.kind == TokenKind.GUEST]
            self.forget(db, account, entry.account.name, (account_key(account), *guest))
            db.run(
                "UPDATE players SET name = '', folded = NULL, skeleton = NULL, recovery = '', deleted = ? WHERE id = ?",
                self._now(), account,
            )  # fmt: skip
            db.run("DELETE FROM player_tokens WHERE player = ? AND kind <> 'guest'", account)
            db.run("DELETE FROM player_passkeys WHERE player = ?", account)
            db.run("UPDATE ratings SET standing = 0 WHERE player = ?", account)
            db.run("DELETE FROM player_relations WHERE player = ? OR other = ?", account, account)
            db.run("DELETE FROM player_invitations WHERE player = ? OR challenger = ?", account, account)

        await self._change(account, work)

    def ensure_programs(self, names: Iterable[str]) -> None:
        """Create the accounts of programs that the operator has listed; not on the event loop."""
        now = self._now()

        def work(db: Transaction) -> list[Entry]:
            entries = []
            for name in dict.fromkeys(map(checked_name, names)):
                db.run(
                    "INSERT INTO players (name, folded, skeleton, kind, role, created, revision)"
                    f" VALUES (?, ?, ?, 'program', 'player', ?, {_NEXT_REVISION}) ON CONFLICT (folded) DO NOTHING",
                    name, fold_name(name), skeleton(name), now,
                )  # fmt: skip
                row = db.one("SELECT id, kind FROM players WHERE folded = ?", fold_name(name))
                if row is not None and row[1] != Kind.PROGRAM:
                    raise Refused(f"the name {name!r} belongs to a person; choose another name for the program")
                if row is not None:
                    entries.append(load(db, row[0]))
            return entries

        for entry in self.records.write_now(work):
            self._put(entry)


def _refuse_lookalike(db: Transaction, name: str, account: int = 0) -> None:
    """Raise `Refused` if a name looks like that of another account."""
    find = "SELECT name FROM players WHERE skeleton = ? AND folded <> ? AND id <> ?"
    row = db.one(find, skeleton(name), fold_name(name), account)
    if row is not None:
        raise Refused(f"the name {name!r} looks like {row[0]!r}, which is already taken", reason=Reason.NAME_TAKEN)


def _without_skeleton(db: Transaction) -> list[Row]:
    """Return number and name of the accounts whose skeleton is missing or has another version."""
    return db.all(
        "SELECT id, name FROM players WHERE deleted IS NULL AND kind <> 'bot'"
        " AND (skeleton IS NULL OR skeleton NOT LIKE ?)",
        f"{SKELETON_VERSION}:%",
    )


def _add_skeletons(db: Transaction) -> None:
    rows = [(skeleton(name), number) for number, name in _without_skeleton(db)]
    db.many("UPDATE players SET skeleton = ? WHERE id = ?", rows)


def _forget_nothing(db: Transaction, account: int, name: str, keys: Sequence[str]) -> None:
    """Delete nothing: the default of `Accounts.forget` if no other component stores anything."""


def new_token() -> str:
    """Return a new token for a session or a program; it never begins with '-', so that `--token TOKEN` accepts it."""
    while (token := secrets.token_urlsafe(24)).startswith("-"):
        pass
    return token


def new_recovery_code() -> str:
    """Return a new recovery code, in groups of five."""
    characters = [secrets.choice(RECOVERY_ALPHABET) for _ in range(RECOVERY_LENGTH)]
    return "-".join("".join(characters[at : at + 5]) for at in range(0, RECOVERY_LENGTH, 5))


def _recovery_hash(code: str) -> str:
    """Return the hash of a recovery code, ignoring case and separators, or '' for an empty one."""
    plain = "".join(filter(str.isalnum, code.upper()))
    return token_hash(f"recovery {plain}") if plain else ""


def _add_session(db: Transaction, account: int, token: str, label: str, now: float) -> None:
    """Sign in a device of an account by its session token; beyond `MAX_SESSIONS`, the oldest session is signed out."""
    db.run(
        "DELETE FROM player_tokens WHERE player = ? AND kind = 'session' AND id NOT IN"
        " (SELECT id FROM player_tokens WHERE player = ? AND kind = 'session' ORDER BY id DESC LIMIT ?)",
        account, account, MAX_SESSIONS - 1,
    )  # fmt: skip
    _add_token(db, account, token_hash(token), TokenKind.SESSION, label, (), now)


def _add_token(
    db: Transaction, account: int, token: str, kind: str, label: str, scopes: Iterable[Scope], now: float
) -> None:
    """Store the hash of a token, unless an account already has it."""
    db.run(
        "INSERT INTO player_tokens (player, hash, kind, label, scopes, created, used) VALUES (?, ?, ?, ?, ?, ?, ?)"
        " ON CONFLICT (hash) DO NOTHING",
        account, token, kind, label[:MAX_LABEL_LENGTH], " ".join(sorted(scopes)), now, now,
    )  # fmt: skip


def _add_passkey(db: Transaction, account: int, passkey: Passkey, label: str, now: float) -> None:
    (count,) = db.one("SELECT count(*) FROM player_passkeys WHERE player = ?", account) or (0,)
    if count >= MAX_PASSKEYS:
        raise Refused(f"you can have at most {MAX_PASSKEYS} passkeys; remove one first", reason=Reason.LIMIT)
    if not db.run(
        "INSERT INTO player_passkeys VALUES (?, ?, ?, ?, ?, ?, ?) ON CONFLICT (id) DO NOTHING",
        passkey.id, account, passkey.public_key, passkey.sign_count, label[:MAX_LABEL_LENGTH], now, now,
    ):  # fmt: skip
        raise Refused("this passkey is already registered with an account")


def load(db: Transaction, account: int) -> Entry:
    """Return an account with its tokens; raise `Refused` if there is none."""
    row = db.one(f"SELECT {_ACCOUNT} FROM players WHERE id = ?", account)
    if row is None:
        raise Refused("no such player", reason=Reason.NO_SUCH_PLAYER)
    return _entry(row, map(_token, db.all(f"SELECT {_TOKEN} FROM player_tokens WHERE player = ? ORDER BY id", account)))


def _entry(row: Row, tokens: Iterable[Token]) -> Entry:
    number, name, kind, role, created, deleted, revision, shape = row
    account = Account(number, name, Kind(kind), Role(role), created)
    return Entry(account, tuple(tokens), deleted is not None, revision, shape)


def _token(row: Iterable[Any]) -> Token:
    number, digest, kind, label, scopes, created, used = row
    return Token(number, digest, kind, label, frozenset(map(Scope, str(scopes).split())), created, used)
