"""Studies of matches that are over: those that are being made, turn by turn behind everybody's moves, and those that
are kept."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final

import msgspec
import structlog

from boardwire.api.rate_limit import Allowances
from boardwire.bots.engine import Thought
from boardwire.bots.engines import has_engine
from boardwire.bots.match_analysis import LEVEL, Turn, study_of
from boardwire.bots.pool import Rank, Thinkers
from boardwire.errors import BoardwireError
from boardwire.store.analyses import Shelf
from boardwire.table.match import Match

log = structlog.get_logger("boardwire.api")

STUDIES: Final = 16
"""Matches that are studied at once."""
STUDIES_OF_ONE: Final = 2
"""Those of them that one address asked for."""
STUDIES_AT_ONCE: Final = 20
"""Studies an address may ask for at once."""
STUDIES_PER_SECOND: Final = 0.1
"""Studies an address may ask for a second, after that."""


class Progress(msgspec.Struct, frozen=True, tag_field="state", tag="running"):
    """A study that is being made: how many of the match's turns have been thought about."""

    match: str
    done: int
    turns: int


class Studies:
    """See the module.  `aside` does what may wait for a disk."""

    def __init__(self, thinkers: Thinkers | None, shelf: Shelf, aside: Callable[[Callable[[], None]], Any]) -> None:
        self.shelf = shelf
        self._aside = aside
        self.allowances = Allowances(STUDIES_AT_ONCE, STUDIES_PER_SECOND)
        self._thinkers = thinkers
        self._running: dict[str, _Running] = {}

    def progress(self, match: str) -> Progress | None:
        """How far a study is; None: nobody makes it."""
        found = self._running.get(match)
        return None if found is None else Progress(match, len(found.thoughts), len(found.turns))

    @property
    def has_thinkers(self) -> bool:
        """Whether somebody is there to make any."""
        return self._thinkers is not None

    def why_not(self, address: str) -> str:
        """Why an address cannot have another one begun now; empty: it can."""
        if len(self._running) >= STUDIES:
            return "too many matches are being analysed; try again in a moment"
        if sum(running.address == address for running in self._running.values()) >= STUDIES_OF_ONE:
            return f"{STUDIES_OF_ONE} matches are being analysed for your address; try again when one is done"
        return ""

    def begin(self, match: Match, turns: Sequence[Turn], address: str) -> None:
        """Study a match, which an address asked for."""
        self._running[match.id] = _Running(match, turns, address)
        self._go_on(match.id)

    def _go_on(self, name: str) -> None:
        running = self._running[name]
        number = len(running.thoughts)
        if number == len(running.turns):
            self._aside(lambda: self._keep(running))
            return
        turn = running.turns[number]
        assert self._thinkers is not None, "whoever has none begins nothing"
        try:
            game = running.match.setting.game.name
            self._thinkers.ask(
                game, turn.view, turn.decision, LEVEL, turn.seq, lambda found: self._found(name, found), Rank.STUDY,
                running.address,
            )  # fmt: skip
        except BoardwireError as error:
            self._found(name, error)

    def _keep(self, running: _Running) -> None:
        game = running.match.setting.game.name
        try:
            study = study_of(running.match, running.turns, running.thoughts, game if has_engine(game) else "greedy")
            self.shelf.put(study.match, msgspec.json.encode(study))
        except Exception as error:  # one that stayed among the running would be in the way for ever
            log.error("a fault in an analysis", match=running.match.id, exc_info=error)
        finally:
            del self._running[running.match.id]  # not before: whoever asks meanwhile would begin it again

    def _found(self, name: str, found: Thought | BoardwireError) -> None:
        if isinstance(found, BoardwireError):
            del self._running[name]
            log.warning("a match could not be analysed", match=name, error=str(found))
            return
        self._running[name].thoughts.append(found)
        self._go_on(name)


class _Running:
    """A study that is being made."""

    def __init__(self, match: Match, turns: Sequence[Turn], address: str) -> None:
        self.match = match
        self.address = address
        self.turns = turns
        self.thoughts: list[Thought] = []
