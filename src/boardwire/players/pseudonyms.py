"""Matches of deleted accounts, shown without their names.

Stored events never change, so every reader that shows a match to people replaces the players of deleted accounts:
`MaskedJournal` for the HTTP interface, `mask_deleted` with `load_deleted` for the command line.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from typing import TypeAlias

from msgspec.structs import replace

from boardwire.players.account import DELETED_NAME
from boardwire.players.directory import Directory
from boardwire.players.schema import COMPONENT
from boardwire.records.backends import Place, durable_backend
from boardwire.records.records import Transaction
from boardwire.store.decoding import PART_EVENTS
from boardwire.table.counters import CommitCounters
from boardwire.table.events import Event, Joined, Player, Readied, Substituted, account_key
from boardwire.table.ports import Appended, Check, Journal, MatchFilter, ReadEvents, never_stop

IsDeleted: TypeAlias = Callable[[Player], bool]
"""Whether a player of a stored match is a deleted account."""

_DELETED = (
    "SELECT players.id, coalesce(hash, '') FROM players LEFT JOIN player_tokens"
    " ON player = players.id AND player_tokens.kind = 'guest' WHERE deleted IS NOT NULL"
)


def mask_deleted(events: Sequence[Event], is_deleted: IsDeleted, check: Check = never_stop) -> Sequence[Event]:
    """Return the events of a match with the players of deleted accounts replaced."""
    changed: list[Event] | None = None
    for number, event in enumerate(events):
        if number % PART_EVENTS == 0:
            check()
        if isinstance(event, Joined | Readied | Substituted) and is_deleted(event.player):
            changed = changed or list(events)
            changed[number] = replace(event, player=replace(event.player, name=f"{DELETED_NAME} {event.seat + 1}"))
    return events if changed is None else changed


def of_directory(directory: Directory) -> IsDeleted:
    """Return a test for the deleted accounts of a running server."""
    return lambda player: directory.is_deleted(player.account, player.key)


def load_deleted(place: Place) -> IsDeleted:
    """Return a test for the deleted accounts of a data directory or a database."""
    rows = durable_backend(place).record_rows("players", _DELETED)
    accounts = {number for number, _ in rows}
    keys = {key for number, guest in rows for key in (guest, account_key(number)) if key}
    return lambda player: player.account in accounts or player.key in keys


def deleted_keys(db: Transaction) -> frozenset[str]:
    """Return the seat keys of deleted accounts, including those from before their names were claimed."""
    if db.one("SELECT 1 FROM record_components WHERE name = ?", COMPONENT) is None:
        return frozenset()
    rows = db.all(_DELETED)
    return frozenset(key for number, guest in rows for key in (guest, account_key(number)) if key)


class MaskedJournal:
    """A journal whose readers see no names of deleted accounts."""

    def __init__(self, journal: Journal, is_deleted: IsDeleted) -> None:
        self._journal = journal
        self._is_deleted = is_deleted

    def append(self, match: str, first: int, events: Sequence[Event], done: Appended, /) -> None:
        self._journal.append(match, first, events, done)

    def newest(self, before: int | None, count: int, /) -> list[tuple[int, str]]:
        return self._journal.newest(before, count)

    def of_player(self, key: str, before: int | None, count: int, /) -> list[tuple[int, str]]:
        return self._journal.of_player(key, before, count)

    def list_public(self, criteria: MatchFilter, before: int | None, count: int, /) -> list[tuple[int, str]]:
        return self._journal.list_public(criteria, before, count)

    def unfinished(self) -> Iterable[str]:
        return self._journal.unfinished()

    def probe(self) -> None:
        self._journal.probe()

    def close(self) -> None:
        self._journal.close()

    def read(self, match: str, after: int = 0, check: Check = never_stop, /) -> Sequence[Event]:
        """Return the events of a match after number `after`."""
        return mask_deleted(self._journal.read(match, after, check), self._is_deleted, check)

    def reading(self) -> AbstractContextManager[ReadEvents]:
        """Return a reader that is cheaper than `read` for several matches."""
        return self._reading()

    @contextmanager
    def _reading(self) -> Iterator[ReadEvents]:
        with self._journal.reading() as read:

            def read_masked(match: str, after: int = 0, check: Check = never_stop, /) -> Sequence[Event]:
                return mask_deleted(read(match, after, check), self._is_deleted, check)

            yield read_masked

    @property
    def busy(self) -> bool:
        return self._journal.busy

    @property
    def waiting(self) -> int:
        return self._journal.waiting

    @property
    def tally(self) -> CommitCounters:
        return self._journal.tally

    @property
    def failing(self) -> bool:
        return self._journal.failing
