"""Interface of a store, which keeps the matches of a server and their analyses.

- `Store` is the part that a running server needs.
- `DurableStore` outlives the process: commands read it, and `transfer.py` copies it to another store.
- `records/backends.py` registers the stores, and adds the records to them.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager
from typing import Any, Protocol, TypeAlias

from boardwire.store.analyses import AnalysisStore, DurableAnalysisStore
from boardwire.store.group_commit import Archive, Post, StoredMatch
from boardwire.table.ports import Journal

ReportFailure: TypeAlias = Callable[[Exception], None]
"""Called with the error if the journal cannot be written."""
Insert: TypeAlias = Callable[[list[StoredMatch]], object]
"""Inserts a batch of matches."""


class Store(Protocol):
    """Storage of a server's matches and analyses."""

    @property
    def label(self) -> str:
        """Description of the store for messages, without the password that its address may contain."""

    def journal(self, post: Post, report_failure: ReportFailure, soon: Post, /, *, shared: bool) -> Journal:
        """Open the journal, exclusively or `shared` with the other nodes of a cluster."""

    def analyses(self) -> AnalysisStore:
        """Return the cache of analyses."""


class DurableStore(Store, Protocol):
    """A store that outlives the process."""

    def archive(self) -> AbstractContextManager[Archive]:
        """Open the matches for reading, also while a server writes; raise `ConfigError` if there are none."""

    def analyses(self) -> DurableAnalysisStore:
        """Return the cache of analyses."""

    def reading(self) -> AbstractContextManager[Archive]:
        """Open the matches for a copy, and lock the store."""

    def writing(self) -> AbstractContextManager[tuple[Insert, Any]]:
        """Lock the empty store and open it for a copy; raise `ConfigError` if it has matches.

        The second value is the argument `opened` of `writing_records`. The matches are committed on exit unless an
        exception was raised.
        """
