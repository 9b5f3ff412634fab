"""The guests whose connections this node has, as other nodes know them, and what they have asked without an answer.

A guest has a number here.  What it asks is noted until its answer has come, whoever gives it: so whatever is in doubt
can be asked again (`edge.py`, `replicas.py`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import count
from typing import Final

from boardwire.cluster.transport.messages import Ask, Letter, written
from boardwire.lobby import requests as errand
from boardwire.lobby.requests import Errand
from boardwire.table.commands import Command, Join, Return
from boardwire.table.guest import Guest
from boardwire.table.ports import Clock

COMING: Final = (
    errand.Seek, errand.Enter, errand.Resume, errand.Reclaim, errand.Watch, errand.Open, errand.Attend,
    errand.Rematch, Join, Return,
)  # fmt: skip
"""What brings a guest to a table, or to another one."""


class Asked:
    """A request without an answer."""

    __slots__ = ("fence", "match", "request", "silent", "since")

    def __init__(
        self, request: Errand | Command, match: str, since: float, fence: int, *, silent: bool = False
    ) -> None:
        self.request = request
        self.fence = fence
        """The guest's fence when it was asked: an answer to an `Enroll` says nothing of what was asked after that."""
        self.silent = silent
        """The guest knows nothing of it: its edge reminds a new lobby of what the former one knew."""
        self.match = match
        """The table that it is for; empty: the lobby."""
        self.since = since


class Visit:
    """A guest of this node, as other nodes know it."""

    __slots__ = ("arrived", "asked", "attending", "fence", "guest", "left", "number", "seek", "sought")

    def __init__(self, guest: Guest, number: int) -> None:
        self.guest = guest
        self.number = number
        self.fence = 0
        self.asked: dict[int, Asked] = {}
        self.sought: Errand | None = None
        """How it came to its table, or wants to."""
        self.seek: errand.Seek | None = None
        """By what its table is found, if that was opened for it, or could have been."""
        self.attending: errand.Attend | None = None
        """It waits for the next table that is opened."""
        self.arrived = 0
        """Which of the news brought it to where it is."""
        self.left = ""
        """The match whose table it left last, though the lobby may not know."""

    def want(self, request: Errand) -> None:
        """It seeks another table from now on."""
        at = "" if self.guest.table is None else self.guest.table.match.id
        if isinstance(request, errand.Seek | errand.Open):
            self.seek = request.seek if isinstance(request, errand.Open) else request
        elif not isinstance(request, errand.Enter) or request.match != at:
            self.seek = None
        self.sought, self.attending = request, None

    def waits_for(self, kinds: tuple[type, ...]) -> bool:
        """Whether it has asked for something of these kinds."""
        return any(isinstance(one.request, kinds) for one in self.asked.values())

    def asked_of(self, match: str) -> list[Errand | Command]:
        """What it has asked of a table itself; empty: of the lobby."""
        return [one.request for one in self.asked.values() if one.match == match and not one.silent]

    def answer(self, kinds: tuple[type, ...]) -> None:
        """Requests of these kinds have their answer."""
        for number in [number for number, one in self.asked.items() if isinstance(one.request, kinds)]:
            del self.asked[number]

    def forget(self, match: str) -> None:
        """What it asked of this table (empty: of the lobby) is no longer waited for."""
        for number in [number for number, one in self.asked.items() if one.match == match]:
            del self.asked[number]


class Visits:
    """All of them.  `put` writes to another node."""

    def __init__(self, life: int, clock: Clock, put: Callable[[str, Letter], None]) -> None:
        self._clock = clock
        self._put = put
        self._numbers = count(life << 20)
        self._requests = count(1)
        self._by_number: dict[int, Visit] = {}
        self._by_guest: dict[Guest, Visit] = {}

    def __iter__(self) -> Iterator[Visit]:
        return iter(tuple(self._by_number.values()))

    def __contains__(self, visit: Visit) -> bool:
        return visit.number in self._by_number

    def of(self, guest: Guest) -> Visit:
        """That of a guest, which may be new."""
        visit = self._by_guest.get(guest)
        if visit is None:
            visit = self._by_guest[guest] = Visit(guest, next(self._numbers))
            self._by_number[visit.number] = visit
        return visit

    def known(self, guest: Guest) -> Visit | None:
        """That of a guest, if other nodes may know it."""
        return self._by_guest.get(guest)

    def get(self, number: int) -> Visit | None:
        """That of a number, if it is not over."""
        return self._by_number.get(number)

    def end(self, guest: Guest) -> Visit | None:
        """A guest has left the house."""
        visit = self._by_guest.pop(guest, None)
        if visit is not None:
            del self._by_number[visit.number]
        return visit

    def note(self, visit: Visit, request: Errand | Command, match: str, *, silent: bool = False) -> int:
        """Remember that a guest waits for an answer; gives the number of the request."""
        number = next(self._requests)
        visit.asked[number] = Asked(request, match, self._clock.now(), visit.fence, silent=silent)
        return number

    def send(
        self, visit: Visit, request: Errand | Command, match: str, node: str, *, again: bool = False, seq: int = 0
    ) -> None:
        """Let a guest ask for something at a node, or, if nobody knows at which, keep it until somebody does."""
        number = self.note(visit, request, match)
        if node:
            self._put(node, letter(visit, number, request, match, again=again, seq=seq))

    def remind(self, visit: Visit, request: Errand, node: str) -> None:
        """Let a new lobby know what a guest had from the former one; whatever it answers is not told."""
        number = self.note(visit, request, "", silent=True)
        self._put(node, letter(visit, number, request, "", again=True))

    def mention(self, visit: Visit, request: Errand, node: str) -> None:
        """Say something to the lobby, at that node (empty: nobody knows where), that it does not answer."""
        if node:
            self._put(node, letter(visit, next(self._requests), request, ""))


def letter(
    visit: Visit, number: int, request: Errand | Command, match: str, *, again: bool = False, seq: int = 0
) -> Ask:
    """A guest's request as it travels."""
    guest = visit.guest
    return Ask(
        visit.number, visit.fence, number, written(request), match, guest.household, guest.key, again, seq, guest.name
    )
