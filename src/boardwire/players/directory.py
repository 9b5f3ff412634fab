"""Index of accounts in memory, by number, token and name.

It contains every account of the server, so that the lobby answers within the same iteration of the event loop. It is
changed on the event loop only; other threads may read it.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import islice
from typing import Final, NamedTuple

from boardwire.players.account import ALL_SCOPES, GUEST_SUFFIX, Account, Kind, Scope, fold_name
from boardwire.players.skeleton import skeleton
from boardwire.table.events import account_key, account_of


class TokenKind:
    """Kinds of tokens."""

    SESSION: Final = "session"
    API: Final = "api"
    GUEST: Final = "guest"


class Token(NamedTuple):
    """A stored token."""

    id: int
    hash: str
    kind: str
    label: str
    scopes: frozenset[Scope]
    created: float
    used: float


class Entry(NamedTuple):
    """An account with its tokens; `is_deleted` if only its matches remain. `revision` increases with each change."""

    account: Account
    tokens: tuple[Token, ...]
    is_deleted: bool = False
    revision: int = 0
    skeleton: str = ""
    """Skeleton of the name; '' for a deleted account or a bot."""


class Access(NamedTuple):
    """Account and scopes that a token grants access to."""

    account: int
    scopes: frozenset[Scope]
    token: int
    is_session: bool = False


class Directory:
    """Accounts by id, token hash and name."""

    def __init__(self, entries: Iterable[Entry] = ()) -> None:
        self._accounts: dict[int, Account] = {}
        self._names: dict[str, int] = {}
        self._by_skeleton: dict[str, int] = {}
        """Accounts by the skeleton of their names."""
        self._access: dict[str, Access] = {}
        """What a session or an API token grants, by the hash of the token."""
        self._guest_keys: dict[str, int] = {}
        """Accounts, deleted ones too, by the hash of a guest's token that they have claimed."""
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
                is_session = token.kind == TokenKind.SESSION
                self._access[token.hash] = Access(
                    account.id, ALL_SCOPES if is_session else token.scopes, token.id, is_session
                )
        self._hashes[account.id] = tuple(token.hash for token in entry.tokens)
        if entry.is_deleted:
            self._deleted.add(account.id)
        else:
            self._accounts[account.id] = account
            if account.kind is not Kind.BOT:
                self._names[fold_name(account.name)] = account.id
                self._by_skeleton[entry.skeleton] = account.id

    def _remove(self, account: int) -> None:
        for token_hash in self._hashes.pop(account, ()):
            self._access.pop(token_hash, None)
            self._guest_keys.pop(token_hash, None)
        removed_account = self._accounts.pop(account, None)
        if removed_account is not None and self._names.get(fold_name(removed_account.name)) == account:
            del self._names[fold_name(removed_account.name)]
            shape = skeleton(removed_account.name)
            if self._by_skeleton.get(shape) == account:
                del self._by_skeleton[shape]

    def access(self, token_hash: str) -> Access | None:
        """Return the access that the token with this hash grants, or None for a guest's token."""
        return self._access.get(token_hash)

    def account(self, number: int) -> Account | None:
        """Return an account, or None if there is none or it is deleted."""
        return self._accounts.get(number)

    def named(self, name: str) -> Account | None:
        """Return the account that owns a name, or None."""
        number = self._names.get(fold_name(name))
        return None if number is None else self._accounts[number]

    def owner_or_lookalike(self, name: str) -> Account | None:
        """Return the account that owns a name, or whose name looks like it in letters of another script, or None.

        ASCII names are compared exactly: a program may be called `player1` although there is a `playerl`.
        """
        number = None if name.isascii() else self._by_skeleton.get(skeleton(name))
        return self.named(name) if number is None else self._accounts[number]

    def guest_name(self, name: str) -> str:
        """Return the name of a guest who requests this one: suffixed if it belongs to an account or imitates one."""
        while self.owner_or_lookalike(name) is not None:
            name += GUEST_SUFFIX
        return name

    def search(self, part: str, count: int) -> list[Account]:
        """Return up to `count` accounts whose name contains `part`, newest first."""
        folded_part = fold_name(part)
        accounts = tuple(self._accounts.values())  # an atomic copy: this may run on another thread
        newest = sorted(accounts, key=lambda account: -account.id)
        return list(islice((account for account in newest if folded_part in fold_name(account.name)), count))

    def keys(self, account: int) -> Sequence[str]:
        """Return the keys under which the journal lists the matches of an account."""
        return (
            account_key(account),
            *(key for key in self._hashes.get(account, ()) if self._guest_keys.get(key) == account),
        )

    def owner(self, key: str) -> int:
        """Return the account that owns the seats with a key, including a key from before its name was claimed, or 0."""
        number = account_of(key) or self._guest_keys.get(key, 0)
        return number if number in self._accounts else 0

    def owned_keys(self, key: str) -> Sequence[str]:
        """Return all keys of the player with this key."""
        number = self.owner(key)
        return self.keys(number) if number else (key,)

    def is_deleted(self, account: int, key: str) -> bool:
        """Return whether a player of a stored match is a deleted account, by its number or the key of its seat."""
        if not self._deleted:
            return False
        return (account or account_of(key) or self._guest_keys.get(key, 0)) in self._deleted
