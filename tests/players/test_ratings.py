"""Ratings: what counts, in which order, and that the journal alone determines them."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from functools import partial
from random import Random
from typing import Any

import pytest
from openskill.models import PlackettLuce

from boardwire.lobby.requests import Enter, Seek
from boardwire.players.account import Kind
from boardwire.players.accounts import Accounts
from boardwire.players.ratings import (
    MAX_REPEATS,
    PROVISIONAL_MATCHES,
    Pool,
    Ratings,
    all_matches,
    rated_match,
    recompute,
)
from boardwire.players.speed import Speed, speed_of
from boardwire.records.records import Transaction
from boardwire.simulation.server import SimulatedServer
from boardwire.table.commands import Act, Close, Resign
from boardwire.table.events import Ended, Event, Player, account_key
from boardwire.table.guest import Guest, Refusal
from boardwire.table.policy import Leaving, Policy
from boardwire.table.table import Table
from boardwire.table.termination import Termination

RATED = Policy(Leaving.HOLDS, 60.0, rated=True)


class Place:
    """A server whose rated matches are rated."""

    def __init__(self, accounts: Accounts) -> None:
        self.accounts = accounts
        self.records = accounts.records
        self.server = SimulatedServer(1)
        self.ratings = Ratings(self.records, self.server.journal)
        self.server.lobby.change_observers.append(self.ratings.observe)
        self.numbers: dict[str, int] = {}
        self.refused: list[str] = []

    def account(self, name: str, kind: Kind = Kind.PERSON) -> int:
        if name not in self.numbers:
            self.numbers[name] = asyncio.run(self.accounts.claim(name, kind=kind)).account.id
        return self.numbers[name]

    def player(self, name: str) -> Player:
        number = self.account(name)
        return Player(name, "native", key=account_key(number), account=number)

    def open(self, *names: str, game: str = "tris", policy: Policy = RATED, options: Any = None) -> Table:
        guests = [Guest(self._receive) for _ in names]
        seek = Seek(game, len(names), self.player(names[0]), options, policy, fresh=True)
        self.server.lobby.do(guests[0], seek)
        table = guests[0].table
        assert isinstance(table, Table), self.refused
        for guest, name in zip(guests[1:], names[1:], strict=True):
            self.server.lobby.do(guest, Enter(table.match.id, self.player(name)))
        assert self.refused == []
        return table

    def _receive(self, told: Any) -> None:
        if isinstance(told, Refusal):
            self.refused.append(str(told.reason))

    def play(self, *names: str, cells: Sequence[int] = (0, 3, 1, 4, 2), **fields: Any) -> Table:
        """The first name wins at Tris, unless the cells say otherwise."""
        table = self.open(*names, **fields)
        for number, cell in enumerate(cells):
            table.do(table.guests[number % 2], Act(number % 2, (cell,)))
        self.server.clock.pass_time(1.0)
        return table

    def rows(self, pool: Pool = Pool.PEOPLE) -> dict[str, tuple[float, float, int, int, int, int]]:
        """Mu, sigma, played, won, drawn, lost by name."""
        self.records.write_now(lambda db: None)
        found = self.records.read(
            lambda db: db.all(
                "SELECT name, mu, sigma, played, won, drawn, lost FROM ratings JOIN players ON players.id = player"
                " JOIN rating_categories ON rating_categories.id = category WHERE pool = ? ORDER BY name",
                pool.value,
            )
        )
        return {name: tuple(rest) for name, *rest in found}

    def dump(self) -> dict[str, list[Any]]:
        """Everything that is stored about ratings."""
        self.records.write_now(lambda db: None)
        tables = {"ratings": "player, category", "rating_results": "player, category, ended, match",
                  "rating_matches": "category, ended, match"}  # fmt: skip
        found = {}
        for name, key in tables.items():
            query = f"SELECT * FROM {name} ORDER BY {key}"
            found[name] = self.records.read(partial(_all, query))
        return found

    def recompute(self) -> int:
        names = [name for _, name in reversed(self.server.journal.newest(None, 10_000))]
        return recompute(self.records, all_matches(names, self.server.journal.read))


def _all(query: str, db: Transaction) -> list[Any]:
    return db.all(query)


@pytest.fixture
def place(accounts: Accounts) -> Place:
    return Place(accounts)


def test_ratings_equal_openskills_own_computation(place: Place) -> None:
    model = PlackettLuce()
    names = ("Ann", "Bob", "Cid", "Dee")
    reference = {name: model.rating() for name in names}
    random = Random(3)
    for _ in range(40):
        one, other = random.sample(names, 2)
        drawn = random.random() < 0.3
        place.play(one, other, cells=(0, 1, 2, 4, 3, 5, 7, 6, 8) if drawn else (0, 3, 1, 4, 2))
        ranks = [0.0, 0.0] if drawn else [0.0, 1.0]
        after = model.rate([[reference[one]], [reference[other]]], ranks=ranks)
        (reference[one],), (reference[other],) = after
    found = place.rows()
    for name in names:
        assert found[name][:2] == pytest.approx((reference[name].mu, reference[name].sigma), abs=1e-9)
        assert found[name][2] == sum(found[name][3:])


def test_the_journal_alone_gives_the_same_ratings(place: Place) -> None:
    random, names = Random(5), ("Ann", "Bob", "Cid")
    for _ in range(30):
        place.play(*random.sample(names, 2))
    before = place.dump()
    assert place.recompute() == 30
    after = place.dump()
    assert before == after


def test_a_match_that_is_stored_late_is_put_into_its_place(place: Place) -> None:
    for _ in range(3):
        place.play("Ann", "Bob")
    place.play("Bob", "Cid")
    expected = place.dump()
    place.records.write_now(lambda db: _forget(db, "match-2"))
    place.records.write_now(lambda db: db.run("INSERT INTO rating_pending VALUES ('match-2')"))
    assert place.records.write_now(place.ratings.settle_pending) == 1
    assert place.dump() == expected


def _forget(db: Any, match: str) -> None:
    """Take a match out as if it had never been rated."""
    import msgspec

    from boardwire.players.ratings import CategoryMatch, SideRow, _rate_last, _rewind

    for (category,) in db.all("SELECT category FROM rating_matches WHERE match = ?", match):
        rows = db.all(
            "SELECT ended, match, players, sides FROM rating_matches WHERE category = ? AND match >= ?"
            " ORDER BY ended, match", category, match,
        )  # fmt: skip
        later = [
            CategoryMatch(ended, name, players, msgspec.json.decode(sides, type=tuple[SideRow, ...]))
            for ended, name, players, sides in rows
        ]
        _rewind(db, category, later)
        for one in later[1:]:
            _rate_last(db, category, one)


def test_a_match_is_rated_once(place: Place) -> None:
    table = place.play("Ann", "Bob")
    before = place.dump()
    again = Ratings(place.records, place.server.journal)
    again.observe(table)
    place.records.write_now(again.settle_pending)
    assert place.dump() == before


def test_a_match_that_ended_just_before_a_crash_is_rated_after_the_restart(place: Place) -> None:
    table = place.open("Ann", "Bob")
    place.records.write_now(lambda db: None)
    place.server.lobby.change_observers.clear()
    for number, cell in enumerate((0, 3, 1, 4, 2)):
        table.do(table.guests[number % 2], Act(number % 2, (cell,)))
    assert place.rows() == {}
    again = Ratings(place.records, place.server.journal)
    assert place.records.write_now(again.settle_pending) == 1
    assert place.rows()["Ann"][2:] == (1, 1, 0, 0)
    assert place.records.write_now(again.settle_pending) == 0


# --- what counts ------------------------------------------------------------------------------------------------------


def events_of(place: Place, table: Table) -> Sequence[Event]:
    return place.server.journal.read(table.match.id)


def test_unrated_tables_do_not_count(place: Place) -> None:
    place.play("Ann", "Bob", policy=Policy(Leaving.HOLDS, 60.0))
    assert place.rows() == {}


def test_a_match_without_a_move_of_each_side_does_not_count(place: Place) -> None:
    table = place.open("Ann", "Bob")
    table.do(table.guests[0], Act(0, (4,)))
    table.do(table.guests[1], Resign(1))
    assert rated_match(events_of(place, table)) is None


def test_an_aborted_match_does_not_count(place: Place) -> None:
    table = place.open("Ann", "Bob")
    table.do(table.guests[0], Act(0, (4,)))
    table.do(table.guests[1], Act(1, (0,)))
    table.do(None, Close(Termination.INTERRUPTED))
    assert rated_match(events_of(place, table)) is None


def test_a_player_who_leaves_and_does_not_return_loses(place: Place) -> None:
    table = place.open("Ann", "Bob")
    table.do(table.guests[0], Act(0, (4,)))
    table.do(table.guests[1], Act(1, (0,)))
    place.server.lobby.leave(table.guests[0])
    place.server.clock.pass_time(61.0)
    assert place.rows()["Bob"][3] == 1
    assert place.rows()["Ann"][5] == 1


def test_the_same_players_count_only_so_often_in_a_day(place: Place) -> None:
    for _ in range(MAX_REPEATS + 3):
        place.play("Ann", "Bob")
    place.play("Ann", "Cid")
    assert place.rows()["Bob"][2] == MAX_REPEATS
    assert place.rows()["Ann"][2] == MAX_REPEATS + 1
    place.server.clock.pass_time(90_000.0)
    place.play("Bob", "Ann")
    assert place.rows()["Bob"][2] == MAX_REPEATS + 1
    before = place.dump()
    place.recompute()
    assert place.dump() == before


def test_a_guest_cannot_sit_down_at_a_rated_table(place: Place) -> None:
    heard: list[Any] = []
    guest = Guest(heard.append)
    place.server.lobby.do(guest, Seek("tris", 2, place.player("Ann"), None, RATED, fresh=True))
    stranger: list[Any] = []
    place.server.lobby.do(Guest(stranger.append), Enter("match-1", Player("Bob", "native", key="x")))
    assert [str(one.reason) for one in stranger if isinstance(one, Refusal)] == [
        "this table is rated: claim a name first"
    ]


@pytest.mark.parametrize(
    "policy",
    [Policy(rated=True), Policy(Leaving.HOLDS, 60.0, undo=True, rated=True), Policy(Leaving.BOT, 60.0, rated=True)],
)
def test_a_rated_table_has_no_undo_and_holds_seats(place: Place, policy: Policy) -> None:
    heard: list[Any] = []
    place.server.lobby.do(Guest(heard.append), Seek("tris", 2, place.player("Ann"), None, policy, fresh=True))
    assert isinstance(heard[0], Refusal)


# --- categories -------------------------------------------------------------------------------------------------------


def test_people_and_programs_are_rated_apart_and_together(place: Place) -> None:
    place.account("Deep", Kind.PROGRAM)
    place.account("Blue", Kind.PROGRAM)
    place.play("Ann", "Bob")
    place.play("Deep", "Blue")
    place.play("Ann", "Deep")
    assert set(place.rows(Pool.PEOPLE)) == {"Ann", "Bob"}
    assert set(place.rows(Pool.PROGRAMS)) == {"Deep", "Blue"}
    together = place.rows(Pool.ALL)
    assert {name: row[2] for name, row in together.items()} == {"Ann": 2, "Bob": 1, "Blue": 1, "Deep": 2}


def test_games_and_speeds_have_their_own_ratings(place: Place) -> None:
    place.play("Ann", "Bob")
    place.play("Ann", "Bob", policy=Policy(Leaving.HOLDS, 60.0, 60.0, rated=True))
    place.records.write_now(lambda db: None)
    found = place.records.read(lambda db: db.all("SELECT speed FROM rating_categories WHERE pool = 'people'"))
    assert sorted(found) == [("bullet",), ("unlimited",)]


@pytest.mark.parametrize(
    ("policy", "speed"),
    [
        (Policy(), Speed.UNLIMITED), (Policy(bank=60.0), Speed.BULLET), (Policy(bank=179.0), Speed.BULLET),
        (Policy(bank=180.0), Speed.BLITZ), (Policy(bank=180.0, increment=2.0), Speed.BLITZ),
        (Policy(bank=600.0), Speed.RAPID), (Policy(bank=1500.0), Speed.CLASSICAL), (Policy(per_move=3.0), Speed.BULLET),
        (Policy(per_move=30.0), Speed.RAPID), (Policy(per_move=86_400.0), Speed.CORRESPONDENCE),
        (Policy(bank=3600.0, per_move=10.0), Speed.BLITZ),
    ],
)  # fmt: skip
def test_the_speed_follows_from_the_clock(policy: Policy, speed: Speed) -> None:
    assert speed_of(policy) is speed


def test_a_rating_is_ranked_after_some_matches(place: Place) -> None:
    for number in range(PROVISIONAL_MATCHES):
        assert number == 0 or standings(place) == {1}
        place.play("Ann", "Bob")
    assert standings(place) == {2}


def standings(place: Place) -> set[int]:
    place.records.write_now(lambda db: None)
    return {one for (one,) in place.records.read(lambda db: db.all("SELECT standing FROM ratings"))}


def test_the_ratings_of_a_deleted_account_are_hidden_also_after_a_recomputation(place: Place) -> None:
    place.play("Ann", "Bob")
    place.records.write_now(lambda db: None)
    asyncio.run(place.accounts.delete(place.numbers["Ann"]))
    assert standings(place) == {0, 1}
    place.recompute()
    assert standings(place) == {0, 1}


@pytest.mark.parametrize(("game", "seats"), [("santorini", 3), ("eriantys", 4)])
def test_three_players_and_teams_are_rated_like_openskill_does(place: Place, game: str, seats: int) -> None:
    names = ("Ann", "Bob", "Cid", "Dee")[:seats]
    table, random = place.open(*names, game=game), Random(7)
    while (pending := table.match.pending) is not None and table.match.moves < 40:
        choices = tuple(pending.choices)
        seat = pending.seats[0]
        table.do(table.guests[seat], Act(seat, (choices[random.randrange(len(choices))],)))
    for seat in range(1, seats):
        if table.match.outcome is None:
            table.do(table.guests[seat], Resign(seat))
    events = events_of(place, table)
    assert any(isinstance(one, Ended) for one in events)
    found = rated_match(events)
    assert found is not None
    model = PlackettLuce()
    after = model.rate([[model.rating() for _ in side] for side in found.sides], ranks=[float(r) for r in found.ranks])
    rows = place.rows()
    by_number = {number: name for name, number in place.numbers.items()}
    for side, team in zip(found.sides, after, strict=True):
        for seat_, one in zip(side, team, strict=True):
            assert rows[by_number[seat_.account]][:2] == pytest.approx((one.mu, one.sigma), abs=1e-9)
    assert len(found.sides) == (2 if game == "eriantys" else 3)
