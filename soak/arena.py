"""An arena tournament of 64 native players that runs as long as the soak, and its audit.

Run as `python -m soak.arena DIRECTORY SEED UNTIL TIMES SLOWER`. The players return to their matches after every kill
of the server; they request their current match over HTTP. If a jump of the clock ends the tournament, another one is
announced. `broken_guarantees` compares the stored tournaments with the journal when the server has stopped.
"""

from __future__ import annotations

import asyncio
import contextlib
import secrets
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from random import Random
from time import monotonic
from typing import Any, Final

import msgspec
import uvloop

from boardwire.records.sqlite import SqliteRecords
from boardwire.table.events import Event as MatchEvent
from boardwire.table.match import fold as fold_match
from boardwire.tournaments import events as ev
from boardwire.tournaments.decide import NO_SHOW, points_of
from boardwire.tournaments.events import Event
from boardwire.tournaments.standings import standings
from boardwire.tournaments.store import TournamentStore
from boardwire.tournaments.tournament import fold
from soak.ports import Place, place
from soak.records import Book, Count
from soak.visitors import Gone, Visit
from soak.web import fetch

PLAYERS: Final = 64
THINK_SECONDS: Final = (0.5, 1.5)
"""Shortest and longest thinking time."""
POLL_SECONDS: Final = (1.0, 2.0)
"""Shortest and longest pause between two requests for the next match."""
LAST_SECONDS: Final = 30.0
"""Time before the end of the soak at which pairing stops, so that the last matches are finished."""
MIN_SECONDS: Final = 5.0
"""Shortest arena that is announced."""
ORGANISER: Final = "127.1.4.254"


class Arena:
    """The tournament and its players."""

    def __init__(self, where: Place, book: Book, seed: int, until: float) -> None:
        self._where = where
        self._book = book
        self._seed = seed
        self._until = until
        self._id = ""
        self._token = secrets.token_urlsafe(24)

    async def run(self) -> None:
        """Run the tournament until the time is up."""
        async with asyncio.TaskGroup() as group:
            group.create_task(self._organise())
            for number in range(PLAYERS):
                group.create_task(self._take_part(number))

    async def _ask(self, address: str, token: str, path: str, body: Any = None, method: str = "GET") -> Any:
        """Return the decoded response to a request; raise `Gone` if it failed or was refused."""
        data = b"" if body is None else msgspec.json.encode(body)
        headers = {"Authorization": f"Bearer {token}"}
        reply = await fetch(self._where, address, f"/api/tournaments{path}", method, headers, data)
        if reply.status not in (200, 201):
            raise Gone(f"{path}: {reply.status}")
        try:
            return msgspec.json.decode(reply.body)
        except msgspec.DecodeError:
            raise Gone(f"{path}: the connection closed before the whole response") from None

    async def _organise(self) -> None:
        """Announce the tournament, start it when all have entered, and announce another one if it ends early."""
        while (left := self._until - monotonic() - LAST_SECONDS) > MIN_SECONDS:
            with contextlib.suppress(Gone):
                if not self._id:
                    setup = {"name": "soak", "game": "tris", "format": "arena", "minutes": left / 60, "bank": 900,
                             "grace": 600}  # fmt: skip
                    made = await self._ask(ORGANISER, self._token, "", {"setup": setup, "name": "organiser"}, "POST")
                    self._id = made["id"]
                    self._book.write(Count("arenas"))
                response = await self._ask(ORGANISER, self._token, f"/{self._id}?limit=1")
                if response["status"] == "open" and response["entrants"] >= PLAYERS:
                    await self._ask(ORGANISER, self._token, f"/{self._id}/start", method="POST")
                elif response["status"] in ("over", "cancelled"):
                    self._id = ""
            await asyncio.sleep(1.0)

    async def _take_part(self, number: int) -> None:
        address, luck = f"127.1.4.{number % 253 + 1}", Random(f"{self._seed} arena {number}")
        token, entered = secrets.token_urlsafe(24), ""
        while monotonic() < self._until:
            await asyncio.sleep(luck.uniform(*POLL_SECONDS))
            last = self._until + LAST_SECONDS - monotonic()
            with contextlib.suppress(Gone, OSError):
                current = self._id
                if current and current != entered:
                    name = f"arena {number}"
                    await self._ask(address, token, f"/{current}/enter", {"name": name}, "POST")
                    entered = current
                if entered:
                    me = (await self._ask(address, token, f"/{entered}?limit=1"))["me"]
                    if me["match"]:
                        async with asyncio.timeout(last):  # the server's pings keep an idle connection alive
                            await self._play(address, token, luck, me["match"], me["seat"])

    async def _play(self, address: str, token: str, luck: Random, match: str, seat: int) -> None:
        """Play a match until it is over or the connection ends; the next call of `_play` resumes it."""
        visit = await Visit.open(self._where, address, luck)
        try:
            await visit.ask("hello", "welcome", name="arena", token=token)
            reply = await visit.ask("resume", "seated", "refused", match=match, seat=seat)
            if reply["type"] == "refused":
                return
            while True:
                state = reply.get("state", {})
                if state.get("status") == "over":
                    self._book.write(Count("arena seats played"))
                    return
                asked = state.get("asked") or {}
                if seat in asked.get("seats", ()) and asked.get("choices"):
                    await asyncio.sleep(luck.uniform(*THINK_SECONDS))
                    visit.send("act", seq=state["seq"], action=luck.choice(asked["choices"]))
                reply = await visit.receive_reply()
                while reply["type"] not in ("step", "state", "gone"):
                    if reply["type"] == "refused":
                        await asyncio.sleep(0.3)
                        visit.send("sync")
                    reply = await visit.receive_reply()
        finally:
            visit.close()


# --- audit ------------------------------------------------------------------------------------------------------------


def broken_guarantees(events: Sequence[Event], journal: Callable[[str], Sequence[MatchEvent]]) -> list[str]:
    """Return the broken guarantees of a tournament, from its events and the journal of its matches."""
    violations = []
    tournament = fold(events)
    name = tournament.id
    playing: dict[int, tuple[int, int]] = {}
    boards: dict[tuple[int, int], tuple[int, int]] = {}
    results: dict[tuple[int, int], list[ev.ResultReported]] = {}
    sizes: dict[int, int] = {}
    for event in events:
        if isinstance(event, ev.RoundPaired):
            for pair in event.boards:
                at = event.round, sizes.get(event.round, 0)
                sizes[event.round] = at[1] + 1
                boards[at] = pair
                violations += [
                    f"{name}: entrant {entrant} has two open boards" for entrant in pair if entrant in playing
                ]
                playing |= dict.fromkeys(pair, at)
        elif isinstance(event, ev.ResultReported):
            at = event.round, event.board
            results.setdefault(at, []).append(event)
            for entrant in boards.get(at, ()):
                playing.pop(entrant, None)
    for at, pair in boards.items():
        got = results.get(at, [])
        if len(got) > 1 or (not got and tournament.ended_at):
            violations.append(f"{name}: board {at} of {pair} has {len(got)} results")
    violations += [f"{name}: a result for board {at}, which was not paired" for at in results.keys() - boards.keys()]
    return [*violations, *_wrong_results(tournament, journal), *_wrong_standings(tournament)]


def _wrong_results(tournament: Any, journal: Callable[[str], Sequence[MatchEvent]]) -> list[str]:
    """Return the boards whose points differ from the outcome of their match in the journal."""
    violations, matches = [], set()
    for played_round in tournament.rounds:
        for board in played_round.boards:
            if not board.match or board.points is None:
                continue
            if board.match in matches:
                violations.append(f"{tournament.id}: match {board.match} belongs to two boards")
            matches.add(board.match)
            events = journal(board.match)
            outcome = fold_match(events).outcome if events else None
            if outcome is None or (board.termination != NO_SHOW and points_of(outcome) != board.points):
                violations.append(
                    f"{tournament.id}: match {board.match} has {outcome}, but its board has {board.points}"
                )
    return violations


def _wrong_standings(tournament: Any) -> list[str]:
    """Return the differences between the standings and the sums of the boards' points."""
    points: dict[int, float] = {}
    played: dict[int, int] = {}
    for played_round in tournament.rounds:
        for board in played_round.boards:
            for entrant, got in zip(board.entrants, board.points or (), strict=False):
                points[entrant] = points.get(entrant, 0.0) + got
                played[entrant] = played.get(entrant, 0) + bool(board.match)
    rows = standings(tournament)
    violations = [
        f"{tournament.id}: entrant {row.number} has {row.points} points from {row.played} matches, expected"
        f" {points.get(row.number, 0.0)} from {played.get(row.number, 0)}"
        for row in rows
        if (row.points, row.played) != (points.get(row.number, 0.0), played.get(row.number, 0))
    ]
    order = [row.points for row in rows]
    if order != sorted(order, reverse=True):
        violations.append(f"{tournament.id}: the standings are not ordered by points")
    return violations


def audit(data: Path, journal: Callable[[str], Sequence[MatchEvent]]) -> tuple[list[str], int]:
    """Return the broken guarantees of all tournaments in a data directory, and the number of results."""
    records = SqliteRecords(data)
    try:
        store = TournamentStore(records)
        violations, count = list[str](), 0
        for row in store.newest(None, 1000):
            events = store.read(row.id)
            violations += broken_guarantees(events, journal)
            count += sum(isinstance(event, ev.ResultReported) for event in events)
        return violations, count
    finally:
        records.close()


def main() -> None:
    """Run this process."""
    directory, seed, until = Path(sys.argv[1]), int(sys.argv[2]), float(sys.argv[3])
    with contextlib.suppress(KeyboardInterrupt):
        uvloop.run(Arena(place(directory), Book(directory / "arena.told"), seed, until).run())


if __name__ == "__main__":
    main()
