"""Shared state of the HTTP API: the lobby, the journal and the reader threads.

- Work that reads the journal or replays a match runs on reader threads (`reader_threads.py`) with separate database
  connections, so that no move waits for it. Addresses take turns, and the work of a request is limited.
- The lobby is used only on the event loop.
"""

from __future__ import annotations

import asyncio
import time
from collections import Counter
from collections.abc import Callable, Hashable, Sequence
from typing import TYPE_CHECKING, Final, Protocol, TypeVar

import structlog

from boardwire.api.match_cache import MatchReader, WeightedCache
from boardwire.api.metrics import ConnectionMetrics, MetricsCollector, NodeMetrics, registry
from boardwire.api.problem import Problem
from boardwire.api.rate_limit import TokenBuckets
from boardwire.api.reader_threads import BUDGET_SECONDS, OVER_BUDGET_SECONDS, Busy, OverBudget, Readers, Stopping
from boardwire.api.studies import Studies
from boardwire.bots.listed import ListedBots, NoListedBots
from boardwire.bots.pool import SearchService
from boardwire.cluster.nodes import Node
from boardwire.errors import Refused, Unavailable
from boardwire.lobby.lobby import Lobby
from boardwire.mail.mailer import Mailer
from boardwire.moderation.moderation import Moderation
from boardwire.organise.tables import OrganisedTables
from boardwire.players.accounts import Accounts
from boardwire.players.profiles import CategoryCounts
from boardwire.players.pseudonyms import MaskedJournal
from boardwire.players.relations import Challenge
from boardwire.push.notifier import Notifier
from boardwire.records.sqlite import SqliteRecords
from boardwire.store.analyses import AnalysisStore, MemoryAnalysisStore
from boardwire.table.events import Player
from boardwire.table.ports import Journal
from boardwire.tournaments.runner import Tournaments
from boardwire.tournaments.store import TournamentStore

if TYPE_CHECKING:
    from boardwire.api.conversations import Conversations, Tap

log = structlog.get_logger("boardwire.api")

PICTURE_BYTES: Final = 8 * 1024 * 1024
"""Size of the cache of pictures: about 300 of them."""
IMPORT_BURST: Final = 50
"""Matches that an address may import at once."""
IMPORTS_PER_SECOND: Final = 0.5
"""Matches that an address may import a second, after that."""

REPORT_BURST: Final = 5
"""Reports that an address may send at once."""
REPORTS_PER_SECOND: Final = 0.02
"""Reports that an address may send a second, after that."""

TOURNAMENT_BURST: Final = 5
"""Tournaments that an address may create at once: otherwise one address could use up the limit of the server."""
TOURNAMENTS_PER_SECOND: Final = 1 / 600
"""Tournaments that an address may create a second, after that."""

ENTRY_BURST: Final = 100
"""Entries, withdrawals and check-ins that an address may send at once: a class may share an address."""
ENTRIES_PER_SECOND: Final = 0.5
"""Entries, withdrawals and check-ins that an address may send a second, after that."""

CLAIM_BURST: Final = 10
"""Names that an address may claim at once."""
CLAIMS_PER_SECOND: Final = 0.02
"""Names that an address may claim a second, after that."""
CLAIM_ATTEMPT_BURST: Final = 100
"""Attempts to claim a name, including failed ones, that an address may make at once: a class may share an address."""
CLAIM_ATTEMPTS_PER_SECOND: Final = 0.2
"""Attempts to claim a name that an address may make a second, after that."""
SIGN_IN_BURST: Final = 20
"""Attempts to sign in that an address may make at once."""
SIGN_INS_PER_SECOND: Final = 0.2
"""Attempts to sign in that an address may make a second, after that."""
CHANGE_BURST: Final = 60
"""Changes of accounts and challenges that an address may request at once."""
CHANGES_PER_SECOND: Final = 0.5
"""Changes of accounts and challenges that an address may request a second, after that."""

MAIL_CODE_BURST: Final = 5
"""Confirmation codes by e-mail that an address may request at once."""
MAIL_CODES_PER_SECOND: Final = 1 / 120
"""Confirmation codes by e-mail that an address may request a second, after that."""

T = TypeVar("T")


def _always_ready() -> str:
    return ""


def _zero() -> int:
    return 0


class Cluster(NodeMetrics, Protocol):
    """A cluster, as seen by one of its nodes."""

    @property
    def name(self) -> str:
        """Name of this node."""

    def nodes(self) -> Sequence[Node]:
        """Return all nodes; blocks while the database is read."""


class ApiContext:
    """Shared state of the request handlers.

    `ready` returns the reason why the node accepts no players, or ''. `ports` are the ports by dialect, with the HTTP
    port as `native`. `thinkers` analyse matches, and `analyses` stores the analyses.
    """

    def __init__(
        self,
        lobby: Lobby,
        journal: Journal,
        ready: Callable[[], str] = _always_ready,
        ports: dict[str, int] | None = None,
        connections: ConnectionMetrics | None = None,
        thinkers: SearchService | None = None,
        analyses: AnalysisStore | None = None,
        cluster: Cluster | None = None,
        listed: ListedBots | None = None,
        accounts: Accounts | None = None,
        moderation: Moderation | None = None,
        tournaments: Tournaments | None = None,
    ) -> None:
        self.lobby = lobby
        self.journal: Journal = MaskedJournal(journal, self._is_deleted)
        self.reader = MatchReader(self.journal)
        self.pictures: WeightedCache[bytes] = WeightedCache(PICTURE_BYTES)
        """Pictures by match and number of the last event."""
        self.ready = ready
        self.cluster = cluster
        self.listed = listed or NoListedBots()
        self._accounts = accounts
        if accounts is not None:
            accounts.on_deleted.append(self._forget_names)
        self._moderation = moderation
        self.connections = connections
        self.reports = TokenBuckets(REPORT_BURST, REPORTS_PER_SECOND)
        self._tournaments = tournaments
        self.new_tournaments = TokenBuckets(TOURNAMENT_BURST, TOURNAMENTS_PER_SECOND)
        self.entries = TokenBuckets(ENTRY_BURST, ENTRIES_PER_SECOND)
        self.notifier: Notifier | None = None
        """Sends push messages to absent players; None if this server sends none."""
        self.mailer: Mailer | None = None
        """Sends e-mail; None if this server sends none."""
        self.tournament_creation = "anyone"
        """Who may create tournaments: `anyone`, `players` (with a claimed name) or `organisers` (with that role)."""
        self.ports = {} if ports is None else ports
        self.served: Counter[int] = Counter()
        """Number of responses by status."""
        self.imports = TokenBuckets(IMPORT_BURST, IMPORTS_PER_SECOND)
        self.importing = asyncio.Lock()
        self.counts = CategoryCounts(time.monotonic)
        self.on_challenge: Callable[[Challenge], None] = lambda challenge: None
        """Called with a challenge that was sent over HTTP, to notify the challenged player."""
        self.claims = TokenBuckets(CLAIM_BURST, CLAIMS_PER_SECOND)
        self.claim_attempts = TokenBuckets(CLAIM_ATTEMPT_BURST, CLAIM_ATTEMPTS_PER_SECOND)
        self.sign_ins = TokenBuckets(SIGN_IN_BURST, SIGN_INS_PER_SECOND)
        self.changes = TokenBuckets(CHANGE_BURST, CHANGES_PER_SECOND)
        self.mail_codes = TokenBuckets(MAIL_CODE_BURST, MAIL_CODES_PER_SECOND)
        self.readers = Readers()
        self.studies = Studies(thinkers, analyses or MemoryAnalysisStore(), self.readers.run_internal)
        self.conversations: Conversations | None = None
        """Conversations of stored matches; None if they are not available."""
        self.organised: OrganisedTables | None = None
        """Organiser's tables; None on the nodes of a cluster."""
        self.tap: Tap | None = None
        """Live traffic; None if inspection is off."""
        self.http: Callable[[], int] = _zero
        """Returns the number of HTTP connections."""
        self.registry = registry(
            MetricsCollector(
                lobby,
                journal,
                self.served,
                ready,
                lambda: self.readers.waiting,
                lambda: self.http(),
                connections,
                cluster,
            )
        )

    @property
    def accounts(self) -> Accounts:
        """Accounts of the players; in memory if none were given."""
        if self._accounts is None:
            self._accounts = Accounts(SqliteRecords(None))
        return self._accounts

    @property
    def moderation(self) -> Moderation:
        """Acts and reports; stored with the accounts if none were given."""
        if self._moderation is None:
            self._moderation = Moderation(self.accounts.records)
        return self._moderation

    @property
    def tournaments(self) -> Tournaments:
        """Tournaments; stored with the accounts if none were given."""
        if self._tournaments is None:
            self._tournaments = Tournaments(
                TournamentStore(self.accounts.records), self.lobby, self.journal, self.lobby.clock,
                self.lobby.context.names, lambda call, *rest: call(*rest),
            )  # fmt: skip
        return self._tournaments

    def _forget_names(self, account: int) -> None:
        """Drop cached matches, because they may contain the name of a deleted account."""
        self.reader.clear()
        if self.conversations is not None:
            self.conversations.cache.clear()

    def _is_deleted(self, player: Player) -> bool:
        """Return whether a player of a stored match has deleted its account."""
        accounts = self._accounts
        return accounts is not None and accounts.directory.is_deleted(player.account, player.key)

    async def read(
        self, work: Callable[[], T], address: str = "", key: Hashable | None = None, *, constant: bool = False
    ) -> T:
        """Run `work` on a reader thread for a client at `address` and return its result.

        Concurrent requests with the same `key` share one result; `constant` says that it never changes.
        """
        try:
            return await self.readers.read(work, address, key, constant=constant)
        except Busy:
            detail = "too many requests are waiting; try again in a moment"
            raise Problem(503, detail, {"Retry-After": "1"}) from None
        except OverBudget:
            detail = f"the request takes more than {BUDGET_SECONDS:g} seconds of CPU time; request less"
            raise Problem(503, detail, {"Retry-After": f"{OVER_BUDGET_SECONDS:.0f}"}) from None
        except Stopping:
            raise Problem(503, "the server is stopping") from None
        except (Refused, Unavailable) as error:  # raised by the journal; errors of the request are `Problem`s
            log.warning("cannot read the journal for a request", reason=str(error), cause=str(error.__cause__ or ""))
            raise Problem(503, str(error), {"Retry-After": "1"}, error.reason) from None

    def close(self) -> None:
        """Refuse waiting requests, without waiting for running ones."""
        self.readers.close()
