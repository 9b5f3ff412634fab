"""A lobby for tests, with its guests."""

from __future__ import annotations

from typing import Any

from boardwire.lobby.lobby import Lobby
from boardwire.lobby.requests import (
    Seek,
)
from boardwire.simulation.clock import ManualClock
from boardwire.simulation.luck import CountedNames, ScriptedDealer
from boardwire.table.events import Player
from boardwire.table.policy import Leaving, Policy
from boardwire.table.ports import Bots

from ..table.doubles import HeldJournal, NotedGuest

ELSEWHERE = "this match continues on another server and is closed here"


HOLDS = Policy(Leaving.HOLDS, grace=30.0)


class Hall:
    """A lobby; its journal answers at once unless `slow`."""

    def __init__(
        self,
        *,
        own_tables: bool = False,
        slow: bool = False,
        bots: Bots | None = None,
        limit: int = 0,
        fill: float = 0.0,
    ) -> None:
        self.faults: list[tuple[str, Exception]] = []
        self.journal = HeldJournal()
        self.clock = ManualClock(100.0)
        self.names = CountedNames()
        self.bots = bots
        self._own_tables = own_tables
        self._limit = limit
        self._fill = fill
        self.slow = slow
        self.lobby = self.new_lobby()

    def new_lobby(self) -> Lobby:
        """Return a lobby on the same journal before its recovery."""
        tools = self.journal, self.clock, ScriptedDealer(seed=0), self.names, self.bots
        return Lobby(
            *tools,
            own_tables=self._own_tables,
            limit=self._limit,
            fill=self._fill,
            report=lambda match, error: self.faults.append((match, error)),
        )

    def restart(self) -> tuple[int, int]:
        """Start a new process on the same journal."""
        self.journal.held.clear()
        self.clock = ManualClock(self.clock.now())
        self.lobby = self.new_lobby()
        recovered = self.lobby.recover()
        self.journal.answer_all()
        return recovered

    def do(self, guest: NotedGuest, *requests: Any) -> list[Any]:
        """Send a request; return the guest's notifications, abbreviated."""
        guest.take()
        for request in requests:
            self.lobby.do(guest, request)
            if not self.slow:
                self.journal.answer_all()
        return guest.heard()

    def guest(self, *requests: Any) -> NotedGuest:
        """Return a guest that has sent requests."""
        guest = NotedGuest()
        self.do(guest, *requests)
        return guest


def seek(name: str = "", dialect: str = "d", **more: Any) -> Seek:
    return Seek("tris", 2, Player(name, dialect, key=name.upper()), **more)


def booked(hall: Hall, guest: NotedGuest) -> int | None:
    """Return the number of seats taken or reserved at a guest's table."""
    listing = None if guest.table is None else hall.lobby.context.listings.get(guest.table.match.id)
    return None if listing is None else listing.booked


def table_of(guest: NotedGuest) -> str | None:
    return None if guest.table is None else guest.table.match.id


def seat_of(guest: NotedGuest) -> int | None:
    return None if guest.table is None else guest.table.seat_of(guest)


def by_name(name: str, **more: Any) -> Seek:
    """Return players of a dialect without keys."""
    return Seek("toy", more.pop("seats", 2), Player(name, "old"), policy=HOLDS, returns=True, **more)
