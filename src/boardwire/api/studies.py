"""Analyses of finished matches, and searches of single positions; both run at lower priority than moves."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Callable, Sequence
from typing import Any, Final

import msgspec
import structlog

from boardwire.api.rate_limit import TokenBuckets
from boardwire.bots.engine import SearchResult
from boardwire.bots.engines import has_engine
from boardwire.bots.levels import Level
from boardwire.bots.match_analysis import LEVEL, MatchTurn, study_of
from boardwire.bots.pool import Rank, SearchService
from boardwire.errors import BoardwireError, Refused
from boardwire.games.game import Decision
from boardwire.store.analyses import AnalysisStore
from boardwire.table.match import Match

log = structlog.get_logger("boardwire.api")

MAX_ANALYSES: Final = 16
"""Analyses that may run at the same time."""
MAX_ANALYSES_PER_ADDRESS: Final = 2
"""Analyses of one address that may run at the same time."""
ANALYSIS_BURST: Final = 20
"""Analyses that an address may request at once."""
ANALYSES_PER_SECOND: Final = 0.1
"""Analyses that an address may request a second, after that."""

MAX_SEARCHES_PER_ADDRESS: Final = 4
"""Searches of positions of one address that may wait or run at the same time."""
SEARCH_BURST: Final = 60
"""Searches of positions that an address may request at once."""
SEARCHES_PER_SECOND: Final = 2.0
"""Searches of positions that an address may request a second, after that."""


class Progress(msgspec.Struct, frozen=True, tag_field="state", tag="running"):
    """Progress of a running analysis: the number of analysed turns (`done`), and of all turns."""

    match: str
    done: int
    turns: int


class Studies:
    """Running and stored analyses. `run_internal` runs blocking work on another thread."""

    def __init__(
        self, thinkers: SearchService | None, analyses: AnalysisStore, run_internal: Callable[[Callable[[], None]], Any]
    ) -> None:
        self.analyses = analyses
        self._run_internal = run_internal
        self.allowances = TokenBuckets(ANALYSIS_BURST, ANALYSES_PER_SECOND)
        self._thinkers = thinkers
        self._running_studies: dict[str, _RunningStudy] = {}
        self.search_allowances = TokenBuckets(SEARCH_BURST, SEARCHES_PER_SECOND)
        self._open_searches: Counter[str] = Counter()
        """Searches that wait or run, by address."""

    def progress(self, match: str) -> Progress | None:
        """Return the progress of an analysis, or None if it is not running."""
        study = self._running_studies.get(match)
        return None if study is None else Progress(match, len(study.results), len(study.turns))

    @property
    def has_thinkers(self) -> bool:
        """Whether the server can analyse matches."""
        return self._thinkers is not None

    def refusal(self, address: str) -> str:
        """Return the reason why an address cannot start another analysis now, or ''."""
        if len(self._running_studies) >= MAX_ANALYSES:
            return "too many matches are being analysed; try again in a moment"
        if sum(running.address == address for running in self._running_studies.values()) >= MAX_ANALYSES_PER_ADDRESS:
            return f"{MAX_ANALYSES_PER_ADDRESS} matches are being analysed for your address; try again when one is done"
        return ""

    def begin(self, match: Match, turns: Sequence[MatchTurn], address: str) -> None:
        """Analyse a match for an address."""
        self._running_studies[match.id] = _RunningStudy(match, turns, address)
        self._analyse_next(match.id)

    async def search(
        self, game: str, view: Any, decision: Decision[Any], level: Level, address: str
    ) -> SearchResult:  # fmt: skip
        """Search a position for an address; raise `Refused` if the queue is full or too many are running."""
        assert self._thinkers is not None, "the caller has checked `has_thinkers`"
        if self._open_searches[address] >= MAX_SEARCHES_PER_ADDRESS:
            raise Refused(f"{MAX_SEARCHES_PER_ADDRESS} positions are being searched for your address; try again later")
        future: asyncio.Future[SearchResult | BoardwireError] = asyncio.get_running_loop().create_future()

        def done(outcome: SearchResult | BoardwireError) -> None:
            if not future.done():
                future.set_result(outcome)

        self._open_searches[address] += 1
        ticket = None
        try:
            ticket = self._thinkers.ask(game, view, decision, level, 0, done, Rank.STUDY, address)
            outcome = await future
        except asyncio.CancelledError:
            if ticket is not None:
                ticket.cancel()
            raise
        finally:
            self._open_searches -= Counter([address])
        if isinstance(outcome, BoardwireError):
            raise outcome
        return outcome

    def _analyse_next(self, name: str) -> None:
        """Search the next turn of an analysis; after the last one, store it."""
        running = self._running_studies[name]
        number = len(running.results)
        if number == len(running.turns):
            self._run_internal(lambda: self._store_study(running))
            return
        turn = running.turns[number]
        assert self._thinkers is not None, "analyses start only with a pool"
        try:
            game = running.match.setting.game.name
            self._thinkers.ask(
                game, turn.view, turn.decision, LEVEL, turn.seq, lambda outcome: self._add_result(name, outcome),
                Rank.STUDY, running.address,
            )  # fmt: skip
        except BoardwireError as error:
            self._add_result(name, error)

    def _store_study(self, running: _RunningStudy) -> None:
        """Store a finished analysis, and only then forget that it runs."""
        game = running.match.setting.game.name
        try:
            study = study_of(running.match, running.turns, running.results, game if has_engine(game) else "greedy")
            self.analyses.put(study.match, msgspec.json.encode(study))
        except Exception as error:  # a failed analysis must not occupy its slot forever
            log.error("exception in an analysis", match=running.match.id, exc_info=error)
        finally:
            del self._running_studies[running.match.id]  # not earlier: a request in between would start it again

    def _add_result(self, name: str, outcome: SearchResult | BoardwireError) -> None:
        """Add the result of a turn and search the next one; an error ends the analysis."""
        if isinstance(outcome, BoardwireError):
            del self._running_studies[name]
            log.warning("cannot analyse a match", match=name, error=str(outcome))
            return
        self._running_studies[name].results.append(outcome)
        self._analyse_next(name)


class _RunningStudy:
    """A running analysis."""

    def __init__(self, match: Match, turns: Sequence[MatchTurn], address: str) -> None:
        self.match = match
        self.address = address
        self.turns = turns
        self.results: list[SearchResult] = []
