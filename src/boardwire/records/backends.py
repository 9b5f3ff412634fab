"""Registry of backends: a store (`store/store.py`) together with its records.

The place of a backend is a data directory, the address of a database, or None for a server that stores nothing.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Final, Protocol, TypeAlias

from boardwire.errors import ConfigError, either
from boardwire.records.database import DatabaseBackend
from boardwire.records.directory import DirectoryBackend
from boardwire.records.records import Records, Row
from boardwire.records.sqlite import SqliteRecords
from boardwire.records.transfer import Endpoint, RecordsSource, RecordsTarget
from boardwire.store.memory import MemoryStore
from boardwire.store.store import DurableStore, Store

Place: TypeAlias = Path | str
"""A data directory, or the address of a database."""

DATABASES: Final = (DatabaseBackend,)
"""Backends that have an address: the one place where a new one is registered."""


class Backend(Store, Protocol):
    """A store with its records."""

    def records(self) -> Records:
        """Open the records; create them if there are none."""


class DurableBackend(Backend, DurableStore, RecordsSource, RecordsTarget, Protocol):
    """A backend that outlives the process."""

    def require_records(self) -> None:
        """Raise `Refused` if there are no records here, which probably means that the place is wrong."""

    def record_rows(self, table: str, query: str, /) -> Sequence[Row]:
        """Return the rows of a query, without creating records; none if the table does not exist."""

    def reading_records(self) -> AbstractContextManager[Endpoint | None]:
        """Open the records for a copy, or yield None if there are none."""


class MemoryBackend(MemoryStore):
    """The store and the records of a server that keeps everything in memory."""

    def records(self) -> SqliteRecords:
        """Return empty records."""
        return SqliteRecords(None)


def is_address(text: str) -> bool:
    """Return whether this is a database address that a registered backend accepts."""
    return any(database.accepts(text) for database in DATABASES)


ADDRESS_EXAMPLES: Final = either(database.example for database in DATABASES)
"""Example addresses of all database backends, for messages."""


def durable_backend(place: Place) -> DurableBackend:
    """Return the backend of a data directory or of the database at an address; raise `ConfigError` for other text."""
    if isinstance(place, Path):
        return DirectoryBackend(place)
    for database in DATABASES:
        if database.accepts(place):
            return database(place)
    # the text is not quoted: it may contain a password
    raise ConfigError(f"invalid database address; expected one like {ADDRESS_EXAMPLES}")


def backend(place: Place | None) -> Backend:
    """Return the backend of a place, or one in memory for None."""
    return MemoryBackend() if place is None else durable_backend(place)
