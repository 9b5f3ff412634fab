"""What the HTTP API knows of its node: the lobby, the journal's reading side, and readers off the event loop.

Rules:

- Whatever reads the journal or replays a match runs on a reader thread (`readers.py`), which has a connection of its
  own; a move never waits for it.  Addresses take turns, and what a request may take is bounded.
- The lobby is looked at on the loop only.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Callable, Hashable, Sequence
from typing import TYPE_CHECKING, Final, Protocol, TypeVar

import structlog

from boardwire.api.match_cache import Reader
from boardwire.api.metrics import Crowd, Meter, Share, registry
from boardwire.api.problem import Problem
from boardwire.api.rate_limit import Allowances
from boardwire.api.reader_threads import BUDGET_SECONDS, OVER_BUDGET_SECONDS, Busy, OverBudget, Readers, Stopping
from boardwire.api.studies import Studies
from boardwire.bots.pool import Thinkers
from boardwire.cluster.nodes import Node
from boardwire.errors import Refused, Unavailable
from boardwire.lobby.lobby import Lobby
from boardwire.store.analyses import MemoryShelf, Shelf
from boardwire.table.ports import Journal

if TYPE_CHECKING:
    from boardwire.api.conversations import Conversations, Tap

log = structlog.get_logger("boardwire.api")

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
        self.readers = Readers()
        self.studies = Studies(thinkers, shelf or MemoryShelf(), self.readers.aside)
        self.conversations: Conversations | None = None
        """What tells the conversations of matches; None: nobody does."""
        self.tap: Tap | None = None
        """What knows the conversations of now; None: nobody looks at them."""
        self.http: Callable[[], int] = _none
        """How many HTTP connections there are."""
        self.registry = registry(
            Meter(lobby, journal, self.served, ready, lambda: self.readers.waiting, lambda: self.http(), crowd, cluster)
        )

    async def read(
        self, work: Callable[[], T], address: str = "", key: Hashable | None = None, *, constant: bool = False
    ) -> T:
        """Return what `work` returns on a reader thread, for a client at `address`.  Requests that have the same `key`
        at the same time share one result; `constant` says that it never changes."""
        try:
            return await self.readers.read(work, address, key, constant=constant)
        except Busy:
            words = "too many requests are waiting; try again in a moment"
            raise Problem(503, words, {"Retry-After": "1"}) from None
        except OverBudget:
            words = f"this takes more than {BUDGET_SECONDS:g} seconds of processor time; ask for less"
            raise Problem(503, words, {"Retry-After": f"{OVER_BUDGET_SECONDS:.0f}"}) from None
        except Stopping:
            raise Problem(503, "the server is stopping") from None
        except (Refused, Unavailable) as error:  # from the journal: request errors are `Problem`s already
            log.warning("a request could not be read for", reason=str(error), cause=str(error.__cause__ or ""))
            raise Problem(503, str(error), {"Retry-After": "1"}, error.reason) from None

    def close(self) -> None:
        """Read nothing more.  Requests that wait are refused; what runs is not waited for."""
        self.readers.close()
