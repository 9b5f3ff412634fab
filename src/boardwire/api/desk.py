"""What the HTTP API knows of its node: the lobby, the journal's reading side, and readers off the event loop.

Rules:

- Whatever reads the journal or replays a match runs on a reader thread, which has a connection of its own; a move never
  waits for it.  There are few readers, and a bounded line of those who wait.
- The lobby is looked at on the loop only.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Final, Protocol, TypeVar

import structlog

from boardwire.api.allowance import Allowances
from boardwire.api.metrics import Crowd, Meter, Share, registry
from boardwire.api.problem import Problem
from boardwire.api.reader import Reader
from boardwire.api.studies import Studies
from boardwire.bots.pool import Thinkers
from boardwire.cluster.roster import Node
from boardwire.errors import Refused
from boardwire.store.shelf import MemoryShelf, Shelf
from boardwire.table.lobby import Lobby
from boardwire.table.ports import Journal

if TYPE_CHECKING:
    from boardwire.api.wire import Conversations, Tap

log = structlog.get_logger("boardwire.api")

READERS: Final = 2
WAITING_LIMIT: Final = 128
"""How many requests may wait for a reader; further ones are told to come back."""

IMPORTS_AT_ONCE: Final = 50
"""Matches an address may import at once."""
IMPORTS_PER_SECOND: Final = 0.5
"""Matches an address may import a second, after that."""

T = TypeVar("T")


def _always() -> str:
    return ""


def _none() -> int:
    return 0


class Cluster(Share, Protocol):
    """The nodes that serve together, as one of them has it."""

    @property
    def name(self) -> str:
        """Of this node."""

    def nodes(self) -> Sequence[Node]:
        """All of them; it waits for the database."""


class Desk:
    """What handlers are given.  `ready` says why the node takes no players (empty: it does); `ports` are the listeners'
    ports by dialect, the HTTP port under `native`; `crowd` is measured; `thinkers` study matches, and `shelf` keeps
    what came of that; `cluster` is the one that the node is in."""

    def __init__(
        self,
        lobby: Lobby,
        journal: Journal,
        ready: Callable[[], str] = _always,
        ports: dict[str, int] | None = None,
        crowd: Crowd | None = None,
        thinkers: Thinkers | None = None,
        shelf: Shelf | None = None,
        cluster: Cluster | None = None,
    ) -> None:
        self.lobby = lobby
        self.journal = journal
        self.reader = Reader(journal)
        self.ready = ready
        self.cluster = cluster
        self.ports = {} if ports is None else ports
        self.served: Counter[int] = Counter()
        """Answers, by status."""
        self.imports = Allowances(IMPORTS_AT_ONCE, IMPORTS_PER_SECOND)
        self.importing = asyncio.Lock()
        self._readers = ThreadPoolExecutor(READERS, "reader")
        self.studies = Studies(thinkers, shelf or MemoryShelf(), self._readers.submit)
        self._waiting = 0
        self._closed = False
        self.conversations: Conversations | None = None
        """What tells the conversations of matches; None: nobody does."""
        self.tap: Tap | None = None
        """What knows the conversations of now; None: nobody looks at them."""
        self.http: Callable[[], int] = _none
        """How many HTTP connections there are."""
        self.registry = registry(
            Meter(lobby, journal, self.served, ready, lambda: self._waiting, lambda: self.http(), crowd, cluster)
        )

    async def read(self, work: Callable[[], T]) -> T:
        """Do `work` on a reader thread."""
        if self._waiting >= WAITING_LIMIT:
            raise Problem(503, "too many requests are waiting; try again in a moment", {"Retry-After": "1"})
        self._waiting += 1
        try:
            return await asyncio.wrap_future(self._readers.submit(work))
        except Refused as error:  # the journal's: what is wrong with a request is told by whoever reads it
            log.warning("a request could not be read for", reason=str(error), cause=str(error.__cause__ or ""))
            raise Problem(503, str(error), {"Retry-After": "1"}, error.reason) from None
        except RuntimeError:
            if not self._closed:
                raise
            raise Problem(503, "the server is stopping") from None
        finally:
            self._waiting -= 1

    def close(self) -> None:
        """Read nothing more; what was asked for is finished."""
        self._closed = True
        self._readers.shutdown(wait=False)
