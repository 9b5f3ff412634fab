"""Shared state of the HTTP API: the lobby, the journal, and reader threads.

- Work that reads the journal or replays a match runs on reader threads (`reader_threads.py`) with their own
  connections, so that no move waits for it. Addresses take turns, and the work of a request is limited.
- The lobby is used on the event loop only.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Callable, Hashable, Sequence
from typing import TYPE_CHECKING, Final, Protocol, TypeVar

import structlog

from boardwire.api.match_cache import MatchReader
from boardwire.api.metrics import ConnectionMetrics, MetricsCollector, NodeMetrics, registry
from boardwire.api.problem import Problem
from boardwire.api.rate_limit import TokenBuckets
from boardwire.api.reader_threads import BUDGET_SECONDS, OVER_BUDGET_SECONDS, Busy, OverBudget, Readers, Stopping
from boardwire.api.studies import Studies
from boardwire.bots.pool import SearchService
from boardwire.cluster.nodes import Node
from boardwire.errors import Refused, Unavailable
from boardwire.lobby.lobby import Lobby
from boardwire.store.analyses import AnalysisStore, MemoryAnalysisStore
from boardwire.table.ports import Journal

if TYPE_CHECKING:
    from boardwire.api.conversations import Conversations, Tap

log = structlog.get_logger("boardwire.api")

IMPORT_BURST: Final = 50
"""Matches that an address may import at once."""
IMPORTS_PER_SECOND: Final = 0.5
"""Matches that an address may import a second, after that."""

T = TypeVar("T")


def _always_ready() -> str:
    return ""


def _none() -> int:
    return 0


class Cluster(NodeMetrics, Protocol):
    """A cluster as seen by one of its nodes."""

    @property
    def name(self) -> str:
        """Name of this node."""

    def nodes(self) -> Sequence[Node]:
        """Return all nodes; waits for the database."""


class ApiContext:
    """State that handlers use.

    `ready` returns why the node takes no players, or ''. `ports` are the ports by dialect, with the HTTP port as
    `native`. `thinkers` analyse matches, and `shelf` stores the analyses.
    """

    def __init__(
        self,
        lobby: Lobby,
        journal: Journal,
        ready: Callable[[], str] = _always_ready,
        ports: dict[str, int] | None = None,
        crowd: ConnectionMetrics | None = None,
        thinkers: SearchService | None = None,
        shelf: AnalysisStore | None = None,
        cluster: Cluster | None = None,
    ) -> None:
        self.lobby = lobby
        self.journal = journal
        self.reader = MatchReader(journal)
        self.ready = ready
        self.cluster = cluster
        self.ports = {} if ports is None else ports
        self.served: Counter[int] = Counter()
        """Number of responses by status."""
        self.imports = TokenBuckets(IMPORT_BURST, IMPORTS_PER_SECOND)
        self.importing = asyncio.Lock()
        self.readers = Readers()
        self.studies = Studies(thinkers, shelf or MemoryAnalysisStore(), self.readers.aside)
        self.conversations: Conversations | None = None
        """Conversations of stored matches, if available."""
        self.tap: Tap | None = None
        """Live traffic, if inspection is on."""
        self.http: Callable[[], int] = _none
        """Returns the number of HTTP connections."""
        self.registry = registry(
            MetricsCollector(
                lobby, journal, self.served, ready, lambda: self.readers.waiting, lambda: self.http(), crowd, cluster
            )
        )

    async def read(
        self, work: Callable[[], T], address: str = "", key: Hashable | None = None, *, constant: bool = False
    ) -> T:
        """Run `work` on a reader thread for a client at `address` and return its result.

        Concurrent requests with the same `key` share one result; `constant` says that it never changes.
        """
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
            log.warning("cannot read the journal for a request", reason=str(error), cause=str(error.__cause__ or ""))
            raise Problem(503, str(error), {"Retry-After": "1"}, error.reason) from None

    def close(self) -> None:
        """Refuse waiting requests, without waiting for running ones."""
        self.readers.close()
