"""Registry of backends: what a place that stores matches and records can do.

A backend is a store (`store/store.py`) with its records. The place is a data directory, the address of a database, or
None for a server that keeps nothing.
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
from boardwire.records.transfer import RecordsSource, RecordsTarget, Side
from boardwire.store.memory import MemoryStore
from boardwire.store.store import DurableStore, Store

Place: TypeAlias = Path | str
"""A data directory, or the address of a database."""

DATABASES: Final = (DatabaseBackend,)
"""Backends that have an address: the one place where a new one is registered."""


class Backend(Store, Protocol):
    """A store with its records."""

    def records(self) -> Records:
        """Open the records, and make them if there are none."""


class DurableBackend(Backend, DurableStore, RecordsSource, RecordsTarget, Protocol):
    """A backend that outlives the process."""

    def require_records(self) -> None:
        """Raise `Refused` if no server has made records here and a new place is probably a mistake."""

    def record_rows(self, table: str, query: str, /) -> Sequence[Row]:
        """Return the rows of a query, without making records; none if the table does not exist."""

    def reading_records(self) -> AbstractContextManager[Side | None]:
        """Open the records for a copy; None: there are none."""

    def finish_records(self) -> None:
        """Put copied records into their place, after the matches are committed."""

    def discard_records(self) -> None:
        """Remove copied records of a copy that has failed; does nothing after `finish_records`."""


class MemoryBackend(MemoryStore):
    """The store and the records of a server that keeps nothing."""

    def records(self) -> SqliteRecords:
        """Return empty records."""
        return SqliteRecords(None)


def is_address(text: str) -> bool:
    """Whether this is the address of a database that some backend knows."""
    return any(database.accepts(text) for database in DATABASES)


EXAMPLES: Final = either(database.example for database in DATABASES)
"""How addresses look."""


def durable_backend(place: Place) -> DurableBackend:
    """Return the backend of a data directory or of the database at an address; raise `ConfigError` for other text."""
    if isinstance(place, Path):
        return DirectoryBackend(place)
    for database in DATABASES:
        if database.accepts(place):
            return database(place)
    raise ConfigError(f"this is not an address of a database like {EXAMPLES}")  # never quoted: it may have a password


def backend(place: Place | None) -> Backend:
    """Return the backend of a server; None: it keeps nothing."""
    return MemoryBackend() if place is None else durable_backend(place)
