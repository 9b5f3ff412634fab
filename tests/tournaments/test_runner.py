"""The runner opens tables for its boards, takes their results, and continues after a restart."""

import asyncio
from collections.abc import Callable, Coroutine
from pathlib import Path
from random import Random
from typing import Any

import pytest

from boardwire.bots.server_bots import ServerBots
from boardwire.errors import Refused
from boardwire.lobby.lobby import Lobby
from boardwire.lobby.requests import Resume
from boardwire.players.accounts import Accounts
from boardwire.players.ratings import Ratings
from boardwire.records.sqlite import SqliteRecords
from boardwire.simulation.clock import ManualClock
from boardwire.simulation.luck import CountedNames, ScriptedDealer
from boardwire.store.memory import MemoryJournal
from boardwire.table.commands import Act
from boardwire.table.guest import Guest, Notification, Seated
from boardwire.table.match import Status
from boardwire.table.match import fold as fold_match
from boardwire.tournaments import decide
from boardwire.tournaments.events import Entrant
from boardwire.tournaments.runner import MAX_LIVE_PER_ORGANISER, Tournaments
from boardwire.tournaments.setup import TournamentFormat, TournamentSetup
from boardwire.tournaments.standings import standings
from boardwire.tournaments.store import TournamentStore
from boardwire.tournaments.tournament import Tournament, TournamentStatus, fold

BOTS = [Entrant(f"bot {number}", bot="random") for number in range(6)]
SWISS = TournamentSetup("Cup", "tris", TournamentFormat.SWISS, pause=0.0)


class House:
    """A lobby with its tournaments, over a journal and records that outlive it."""

    def __init__(self, journal: MemoryJournal, directory: Path, clock: ManualClock | None = None) -> None:
        loop = asyncio.get_running_loop()
        self.clock = clock or ManualClock()
        self.names = NAMES
        bots = ServerBots(Random(1).randrange, loop.call_soon, loop.call_later)
        self.lobby = Lobby(journal, self.clock, ScriptedDealer(seed=1), self.names, bots)
        self.journal = journal
        self.records = SqliteRecords(directory)
        self.tournaments = Tournaments(
            TournamentStore(self.records), self.lobby, journal, self.clock, self.names, lambda call, *rest: call(*rest)
        )

    async def until(self, wanted: Callable[[Tournament], bool], name: str) -> Tournament:
        """Look again and again until a tournament is as wanted."""
        for _ in range(2000):
            if wanted(state := await self.tournaments.get(name)):
                return state
            await self.tournaments.run_due()
            await asyncio.sleep(0.001)
        raise AssertionError("the tournament does not go on")

    async def close(self) -> None:
        await self.tournaments.stop()
        self.records.close()


NAMES = CountedNames()


def run(work: Callable[[], Coroutine[Any, Any, None]]) -> None:
    asyncio.run(asyncio.wait_for(work(), 60))


def is_over(state: Tournament) -> bool:
    return state.status is TournamentStatus.OVER


def test_bots_play_a_whole_swiss_tournament(tmp_path: Path) -> None:
    async def work() -> None:
        house = House(MemoryJournal(), tmp_path)
        name = (await house.tournaments.create(SWISS, "boss", "Boss", BOTS)).id
        await house.tournaments.change(name, decide.start)
        state = await house.until(is_over, name)
        assert len(state.rounds) == 3
        assert sum(row.points for row in standings(state)) == 9
        assert len(house.lobby) == 0, "finished tables are removed"
        assert fold(house.tournaments.store.read(name)) == state
        await house.close()

    run(work)


def test_a_tournament_continues_after_every_restart_without_a_second_match(tmp_path: Path) -> None:
    async def work() -> None:
        journal = MemoryJournal()
        house = House(journal, tmp_path)
        name = (await house.tournaments.create(SWISS, "boss", "Boss", BOTS)).id
        await house.tournaments.change(name, decide.start)
        luck, seq = Random(3), 0
        for _ in range(12):
            for _ in range(luck.randrange(4)):
                await asyncio.sleep(0)
            house.lobby.freeze()  # the process is gone: its tables do nothing more
            await house.close()
            house = House(journal, tmp_path, house.clock)
            house.lobby.recover()
            state = await house.tournaments.get(name)
            assert state.seq >= seq, "nothing that was stored is lost"
            seq = state.seq
            await house.tournaments.run_due()
        state = await house.until(is_over, name)
        boards = [board for one in state.rounds for board in one.boards]
        assert len(boards) == 9
        assert len({frozenset(board.entrants) for board in boards}) == 9, "nobody met twice"
        assert all(journal.read(board.match) for board in boards)
        await house.close()

    run(work)


def test_a_person_comes_to_the_seat_of_its_match_and_its_win_counts(tmp_path: Path) -> None:
    async def work() -> None:
        house = House(MemoryJournal(), tmp_path)
        people = [Entrant(name, key=f"key of {name}") for name in ("ann", "bob")]
        name = (await house.tournaments.create(SWISS, "boss", "Boss")).id
        for one in people:
            await house.tournaments.enter(name, one)
        state = await house.tournaments.change(name, decide.start)
        board = state.rounds[0].boards[0]
        table = house.lobby.table(board.match)
        assert table.match.status is Status.PLAYING
        assert house.tournaments.of_match(board.match) == name
        seats = []
        for seat in (0, 1):
            heard: list[Notification] = []
            guest = Guest(heard.append)
            guest.key = f"key of {state.entrants[board.entrants[seat]].entrant.name}"
            house.lobby.do(guest, Resume(board.match, seat, guest.key))
            assert any(isinstance(one, Seated) for one in heard)
            seats.append(guest)
        for seat, cell in ((0, 0), (1, 3), (0, 1), (1, 4), (0, 2)):
            house.lobby.do(seats[seat], Act(seat, (cell,)))
        state = await house.until(is_over, name)
        assert state.rounds[0].boards[0].points == (1.0, 0.0)
        await house.close()

    run(work)


def test_people_who_stay_away_lose_and_are_withdrawn(tmp_path: Path) -> None:
    async def work() -> None:
        house = House(MemoryJournal(), tmp_path)
        entrants = [Entrant("ann", key="ann's key"), Entrant("bot", bot="random")]
        name = (await house.tournaments.create(SWISS, "boss", "Boss", entrants)).id
        await house.tournaments.change(name, decide.start)
        await house.tournaments.run_due()
        house.clock.pass_time(SWISS.grace + 1)
        state = await house.until(is_over, name)
        assert state.rounds[0].boards[0].termination == decide.NO_SHOW
        assert [row.name for row in standings(state)] == ["bot", "ann"]
        assert state.entrants[0].withdrawn
        await house.close()

    run(work)


def test_a_match_whose_players_were_not_all_seated_is_completed(tmp_path: Path) -> None:
    """The node died between two commits, and another one has adopted the waiting table."""

    async def work() -> None:
        journal = MemoryJournal()
        house = House(journal, tmp_path)
        name = (await house.tournaments.create(SWISS, "boss", "Boss", BOTS[:2])).id
        state = await house.tournaments.change(name, decide.start)
        match = state.rounds[0].boards[0].match
        half = journal.read(match)[:2]
        house.lobby.freeze()
        await house.close()
        torn = MemoryJournal()
        torn.append(match, 1, half, lambda result: None)
        other = House(torn, tmp_path, house.clock)
        table = other.lobby.make_table(fold_match(half))
        other.lobby.enlist(table, 1)
        table.resume()
        assert table.match.status is Status.WAITING
        state = await other.until(is_over, name)
        assert state.rounds[0].boards[0].match == match
        assert len(torn.read(match)) > 5
        await other.close()

    run(work)


def test_two_nodes_continue_one_tournament_alike(tmp_path: Path) -> None:
    """Both nodes take requests, and the one that leads pairs."""

    async def work() -> None:
        journal, clock = MemoryJournal(), ManualClock()
        house = House(journal, tmp_path, clock)
        records = SqliteRecords(tmp_path)
        other = Tournaments(
            TournamentStore(records), Lobby(journal, clock, ScriptedDealer(seed=1), NAMES), journal, clock, NAMES,
            lambda call, *rest: call(*rest), leads=lambda: False, shared=True,
        )  # fmt: skip
        name = (await house.tournaments.create(SWISS, "boss", "Boss")).id
        await asyncio.gather(
            *(node.enter(name, Entrant(f"{place} {number}", key=f"{place} {number}"))
              for place, node in enumerate((house.tournaments, other)) for number in range(10))
        )  # fmt: skip
        state = await other.change(name, decide.start)
        assert len(state.order) == 20
        assert not any(board.match for board in state.rounds[0].boards), "it does not lead"
        await house.tournaments.enter(name, Entrant("late", key="late"))
        assert all(board.match for board in (await house.tournaments.get(name)).rounds[0].boards)
        assert len(house.lobby) == 10
        await house.tournaments.change(name, decide.cancel)
        await other.run_due()
        assert (await other.get(name)).status is TournamentStatus.CANCELLED, "also if it is over before the other looks"
        await other.stop()
        records.close()
        await house.close()

    run(work)


def test_an_unknown_tournament_or_bot_is_refused(tmp_path: Path) -> None:
    async def work() -> None:
        house = House(MemoryJournal(), tmp_path)
        with pytest.raises(Refused, match="there is no tournament 'x'"):
            await house.tournaments.get("x")
        with pytest.raises(Refused, match="no bot 'nobody'"):
            await house.tournaments.create(SWISS, "boss", "Boss", [Entrant("n", bot="nobody")])
        names = [(await house.tournaments.create(SWISS, "boss", "Boss")).id for _ in range(5)]
        with pytest.raises(Refused, match="the maximum"):
            await house.tournaments.create(SWISS, "boss", "Boss")
        await house.tournaments.change(names[0], decide.cancel)
        await house.tournaments.create(SWISS, "boss", "Boss")
        await house.close()

    run(work)


def test_tournaments_that_are_created_at_the_same_time_count_for_the_limit(tmp_path: Path) -> None:
    async def work() -> None:
        house = House(MemoryJournal(), tmp_path)
        wanted = [house.tournaments.create(SWISS, "ann", "Ann") for _ in range(MAX_LIVE_PER_ORGANISER + 3)]
        made = await asyncio.gather(*wanted, return_exceptions=True)
        assert sum(isinstance(one, Refused) for one in made) == 3
        assert len(house.tournaments) == MAX_LIVE_PER_ORGANISER
        with pytest.raises(Refused):
            await house.tournaments.create(SWISS, "ann", "Ann")
        await house.tournaments.create(SWISS, "bob", "Bob")
        await house.close()

    run(work)


def test_matches_of_a_rated_tournament_count_but_for_those_between_the_same_bot(tmp_path: Path) -> None:
    async def work() -> None:
        house = House(MemoryJournal(), tmp_path)
        accounts = Accounts(house.records)
        ratings = Ratings(house.records, house.journal)
        house.lobby.change_observers.append(ratings.observe)
        bots = [Entrant("random #1", bot="random"), Entrant("random #2", bot="random"), Entrant("greedy", bot="greedy")]
        setup = TournamentSetup("Cup", "tris", TournamentFormat.ROUND_ROBIN, pause=0.0, rated=True)
        name = (await house.tournaments.create(setup, "boss", "Boss", bots)).id
        await house.tournaments.change(name, decide.start)
        state = await house.until(is_over, name)
        await house.records.write(lambda db: None)  # after the ratings
        played = {board.match for one in state.rounds for board in one.boards if board.match}
        assert len(played) == 3
        rows = house.records.read(lambda db: db.all("SELECT DISTINCT match, players FROM rating_matches"))
        assert len(rows) == 2
        assert {match for match, _ in rows} < played
        assert house.records.read(lambda db: db.all("SELECT match FROM rating_pending")) == []
        (entry,) = house.records.read(
            lambda db: db.all("SELECT played FROM ratings JOIN players ON id = player WHERE name LIKE '%reedy%'"
                              " AND category = (SELECT id FROM rating_categories WHERE pool = 'all')")
        )  # fmt: skip
        assert entry == (2,)
        assert len(accounts.directory) == 0
        await house.close()

    run(work)
