"""Index of accounts in memory, by number, token and name.

Every account of the server is in it, so that the lobby answers in the same turn of the event loop. It is changed on
the event loop only; other threads may look up.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import islice
from typing import Final, NamedTuple

from boardwire.players.account import ALL_SCOPES, GUEST_SUFFIX, Account, Kind, Scope, folded
from boardwire.players.skeleton import skeleton
from boardwire.table.events import account_key, account_of


class TokenKind:
    """Kinds of tokens."""

    SESSION: Final = "session"
    API: Final = "api"
    GUEST: Final = "guest"


class Token(NamedTuple):
    """A token as it is stored."""

    id: int
    hash: str
    kind: str
    label: str
    scopes: frozenset[Scope]
    created: float
    used: float


class Entry(NamedTuple):
    """An account with its tokens; `is_deleted` if only its matches are left. `revision` grows with each change."""

    account: Account
    tokens: tuple[Token, ...]
    is_deleted: bool = False
    revision: int = 0
    looks: str = ""
    """Skeleton of the name; '' for a deleted account or a bot."""


class Access(NamedTuple):
    """What a token gives access to."""

    account: int
    scopes: frozenset[Scope]
    token: int
    is_session: bool = False


class Directory:
    """Accounts by id, token hash and name."""

    def __init__(self, entries: Iterable[Entry] = ()) -> None:
        self._accounts: dict[int, Account] = {}
        self._names: dict[str, int] = {}
        self._looks: dict[str, int] = {}
        """Accounts by the skeleton of their names."""
        self._access: dict[str, Access] = {}
        self._guest_keys: dict[str, int] = {}
        self._hashes: dict[int, tuple[str, ...]] = {}
        """Hashes of all tokens by account."""
        self._deleted: set[int] = set()
        for entry in entries:
            self.put(entry)

    def __len__(self) -> int:
        return len(self._accounts)

    def put(self, entry: Entry) -> None:
        """Add or replace an account."""
        account = entry.account
        self._remove(account.id)
        for token in entry.tokens:
            if token.kind == TokenKind.GUEST:
                self._guest_keys[token.hash] = account.id
            elif not entry.is_deleted:
                session = token.kind == TokenKind.SESSION
                self._access[token.hash] = Access(
                    account.id, ALL_SCOPES if session else token.scopes, token.id, session
                )
        self._hashes[account.id] = tuple(token.hash for token in entry.tokens)
        if entry.is_deleted:
            self._deleted.add(account.id)
        else:
            self._accounts[account.id] = account
            if account.kind is not Kind.BOT:
                self._names[folded(account.name)] = account.id
                self._looks[entry.looks] = account.id

    def _remove(self, account: int) -> None:
        for one in self._hashes.pop(account, ()):
            self._access.pop(one, None)
            self._guest_keys.pop(one, None)
        known = self._accounts.pop(account, None)
        if known is not None and self._names.get(folded(known.name)) == account:
            del self._names[folded(known.name)]
            looks = skeleton(known.name)
            if self._looks.get(looks) == account:
                del self._looks[looks]

    def access(self, token_hash: str) -> Access | None:
        """Return what the token with this hash gives access to, or None for a guest's."""
        return self._access.get(token_hash)

    def account(self, number: int) -> Account | None:
        """Return an account, or None if there is none or it is deleted."""
        return self._accounts.get(number)

    def named(self, name: str) -> Account | None:
        """Return the account that owns a name, or None."""
        number = self._names.get(folded(name))
        return None if number is None else self._accounts[number]

    def owner_or_lookalike(self, name: str) -> Account | None:
        """Return the account that owns a name, or one that looks like it in other letters; None: there is none.

        Names in ASCII are compared as they are: a program may be called `player1` beside a `playerl`.
        """
        number = None if name.isascii() else self._looks.get(skeleton(name))
        return self.named(name) if number is None else self._accounts[number]

    def guest_name(self, name: str) -> str:
        """Return the name for a guest who wants this one: with a suffix if it belongs to an account or imitates one."""
        while self.owner_or_lookalike(name) is not None:
            name += GUEST_SUFFIX
        return name

    def search(self, part: str, count: int) -> list[Account]:
        """Return up to `count` accounts with this part in their name, newest first."""
        wanted = folded(part)
        accounts = tuple(self._accounts.values())  # at once: this may run on another thread
        newest = sorted(accounts, key=lambda account: -account.id)
        return list(islice((account for account in newest if wanted in folded(account.name)), count))

    def keys(self, account: int) -> Sequence[str]:
        """Return the keys under which the journal has the matches of an account."""
        return (
            account_key(account),
            *(one for one in self._hashes.get(account, ()) if self._guest_keys.get(one) == account),
        )

    def owner(self, key: str) -> int:
        """Return the account to which the seats with a key belong, also those of its guest time; 0: none."""
        number = account_of(key) or self._guest_keys.get(key, 0)
        return number if number in self._accounts else 0

    def owned_keys(self, key: str) -> Sequence[str]:
        """Return all keys of the player who has this one."""
        number = self.owner(key)
        return self.keys(number) if number else (key,)

    def is_deleted(self, account: int, key: str) -> bool:
        """Whether a player of a stored match is a deleted account, by its number or the key of its seat."""
        if not self._deleted:
            return False
        return (account or account_of(key) or self._guest_keys.get(key, 0)) in self._deleted
