"""Recovery of unfinished matches after a restart.

- Matches are recovered one at a time, oldest first, so that the server stays responsive. A match that a guest requests
  is recovered at once.
- A match whose policy lets it resume waits for its players. Any other match is closed as interrupted.
- A match that cannot be read is reported and left unchanged; the others are still recovered.
- Requests that depend on all held seats (a token, a return by name) wait until every match is recovered.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack
from typing import TypeAlias

from boardwire.lobby.context import LobbyContext
from boardwire.lobby.merge import Merging
from boardwire.lobby.requests import LobbyRequest
from boardwire.table.commands import Close, Leave
from boardwire.table.events import Event
from boardwire.table.guest import Guest
from boardwire.table.match import Status, fold
from boardwire.table.ports import Journal
from boardwire.table.table import Table
from boardwire.table.termination import Termination

Unreadable: TypeAlias = Callable[[str, Exception], None]
"""Called with the id of a match that cannot be read, and the error."""


def ignore_unreadable(match: str, error: Exception) -> None:
    """Ignore a match that cannot be read."""


class Recovery:
    """Unfinished matches of an earlier process, and the guests that wait for them."""

    def __init__(self, journal: Journal, context: LobbyContext, merging: Merging) -> None:
        self.unfinished: dict[str, None] = {}
        """Ids of the matches still to recover, oldest first."""
        self.deferred: dict[Guest, LobbyRequest] = {}
        """Requests that wait for the end of the recovery."""
        self.counts = 0, 0
        """Number of matches resumed and of matches closed."""
        self._journal = journal
        self._context = context
        self._merging = merging
        self._unreadable: Unreadable = ignore_unreadable
        self._steps: Iterator[None] = iter(())

    def begin(self, unreadable: Unreadable) -> None:
        """Find the unfinished matches."""
        listings = self._context.listings
        self.unfinished = {name: None for name in self._journal.unfinished() if name not in listings}
        self._unreadable = unreadable
        self._steps = self._recover_each()
        self.counts = 0, 0

    def step(self) -> bool:
        """Recover the oldest unfinished match; return whether any are left."""
        next(self._steps, None)
        return bool(self.unfinished)

    def take_deferred(self) -> dict[Guest, LobbyRequest]:
        """Return the deferred requests and clear them."""
        deferred, self.deferred = self.deferred, {}
        return deferred

    def recover(self, match: str, read: Callable[[str], Sequence[Event]] | None = None) -> None:
        """Recover one unfinished match."""
        was_full = self._context.is_full()
        del self.unfinished[match]
        try:
            table = self._context.make_table(fold((read or self._journal.read)(match)), None)
        except Exception as error:  # noqa: BLE001 - an unreadable match must not stop the recovery of the others
            self._unreadable(match, error)
        else:
            self._resume_or_close(table)
        self._merging.resume(was_full)

    def _recover_each(self) -> Iterator[None]:
        """Recover one match per step, over one connection: opening one takes longer than reading a match."""
        with ExitStack() as reading:
            try:
                read = reading.enter_context(self._journal.reading())
            except Exception:  # noqa: BLE001 - `read` raises the same error for each match, and that is reported
                read = self._journal.read
            while self.unfinished:
                self.recover(next(iter(self.unfinished)), read)
                if self.unfinished:  # after the last match, close the connection in this step
                    yield

    def _resume_or_close(self, table: Table) -> None:
        """Resume a recovered match and let its bots sit down, or close it as interrupted."""
        resumed_count, closed_count = self.counts
        if table.match.status is Status.PLAYING and table.match.setting.policy.resumes:
            self.counts = resumed_count + 1, closed_count
            self._context.listings.add(table)
            self._context.note(table)
            for seat, chair in enumerate(table.match.chairs):
                if chair.player is not None and chair.player.bot:
                    self._context.bots.sit(table, seat, chair.player)
                else:
                    table.do(None, Leave(seat, restart=True))
        else:
            self.counts = resumed_count, closed_count + 1
            table.do(None, Close(Termination.INTERRUPTED))
