"""Contract of a store: where a server keeps its matches, and the analyses of them.

- `Store` is all that a running server needs; one in memory has no more.
- `DurableStore` outlives the process: commands read it, and `transfer.py` copies it to another one.
- The records beside the journal are added by `records/backends.py`, where all stores are registered.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager
from typing import Any, Protocol, TypeAlias

from boardwire.store.analyses import AnalysisStore, DurableAnalysisStore
from boardwire.store.group_commit import Archive, Post, Stored
from boardwire.table.ports import Journal

Failed: TypeAlias = Callable[[Exception], None]
"""Is told that the journal cannot be written."""
Insert: TypeAlias = Callable[[list[Stored]], object]
"""Inserts some matches."""


class Store(Protocol):
    """Where the matches of a server are."""

    @property
    def label(self) -> str:
        """The store in a sentence, without the password that its address may have."""

    def journal(self, post: Post, failed: Failed, soon: Post, /, *, shared: bool) -> Journal:
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

        The second value is what `writing_records` needs of the open store. The matches are committed on exit unless an
        exception was raised.
        """
