"""Lists of tables are shared between readers."""

from __future__ import annotations

from boardwire.lobby.requests import Survey
from boardwire.lobby.table_lists import REBUILD_BURST, REBUILDS_PER_SECOND, TableLists
from boardwire.simulation.server import SimulatedServer
from boardwire.table.events import Opened
from boardwire.table.guest import Guest, Surveyed
from boardwire.table.match import match_of_opening
from boardwire.table.policy import Policy


class Hall:
    """Counts how often the list is rebuilt."""

    def __init__(self) -> None:
        self.now = 1000.0
        self.looks = 0
        self.matches = tuple(
            match_of_opening(Opened(0.0, name, game, 2, {}, Policy()))
            for name, game in (("one", "tris"), ("two", "santorini"))
        )
        self.surveys = TableLists(self._look, lambda: self.now)

    def _look(self) -> Surveyed:
        self.looks += 1
        return Surveyed(self.matches)


def test_rare_requests_get_a_fresh_list() -> None:
    hall = Hall()
    told = []
    for _ in range(20):
        told.append(hall.surveys.of(""))
        hall.now += 1 / REBUILDS_PER_SECOND
    assert hall.looks == 20
    assert len({id(one) for one in told}) == 20


def test_many_requests_share_few_rebuilds() -> None:
    hall = Hall()
    for _ in range(10_000):
        hall.surveys.of("")
        hall.now += 0.0001
    assert hall.looks <= REBUILD_BURST + REBUILDS_PER_SECOND + 1


def test_one_rebuild_serves_every_game_and_unknown_ones() -> None:
    hall = Hall()
    for _ in range(int(REBUILD_BURST) - 1):
        hall.surveys.of("")
    hall.looks = 0
    names = {game: [match.id for match in hall.surveys.of(game).matches] for game in ("", "tris", "santorini", "chess")}
    assert names == {"": ["one", "two"], "tris": ["one"], "santorini": ["two"], "chess": []}
    assert hall.looks == 1


def test_a_clock_that_goes_back_does_not_stop_rebuilding() -> None:
    hall = Hall()
    for _ in range(100):
        hall.surveys.of("")
    hall.now -= 3600
    hall.surveys.of("")
    hall.now += 1
    looks = hall.looks
    hall.surveys.of("")
    assert hall.looks == looks + 1


def test_unshared_lists_are_always_fresh() -> None:
    server = SimulatedServer()
    told: list[Surveyed] = []
    guest = Guest(lambda notification: told.append(notification) if isinstance(notification, Surveyed) else None)
    for shared in (True, False):
        for _ in range(20):
            server.lobby.do(guest, Survey(shared=shared))
    assert len({id(one) for one in told[:20]}) <= REBUILD_BURST
    assert len({id(one) for one in told[20:]}) == 20
