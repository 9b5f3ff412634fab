"""Organiser's tables: what they report, and what becomes of them after a restart."""

from __future__ import annotations

import asyncio
from typing import Any

import msgspec
import pytest

from boardwire import dialects
from boardwire.errors import BoardwireError, Refused
from boardwire.lobby.requests import Enter
from boardwire.organise import tables as service
from boardwire.organise.events import EventKind, OrganiserEvent, read_events, read_table
from boardwire.organise.table_record import SeatRequest, TableRecord, TableRequest, TableState
from boardwire.simulation.server import SimulatedConnection
from boardwire.table.commands import Resign
from boardwire.table.events import Player
from boardwire.table.guest import Guest
from boardwire.table.match import Status
from boardwire.table.policy import Leaving
from boardwire.table.termination import Termination

from .conftest import Organisation

ANN, EVE = 1, 2
LINKS = (SeatRequest("Rossi"), SeatRequest("Bianchi"))


def open_table(organisation: Organisation, *, owner: int = ANN, **fields: Any) -> TableRecord:
    wanted = TableRequest(**{"game": "tris", "seats": LINKS, **fields})
    return asyncio.run(organisation.tables.open(owner, wanted))


def sit(organisation: Organisation, table: TableRecord, seat: int) -> Guest:
    guest = Guest(lambda heard: None)
    code = table.seats[seat].code
    organisation.server.lobby.do(guest, Enter(table.match, Player("someone", "native", key=f"K{seat}"), code))
    assert guest.table is not None
    return guest


def events(organisation: Organisation, owner: int = ANN, after: int = 0) -> list[OrganiserEvent]:
    organisation.settle()
    return organisation.records.read(lambda db: read_events(db, owner, after, 100))


def kinds(organisation: Organisation) -> list[EventKind]:
    return [event.kind for event in events(organisation)]


def stored(organisation: Organisation, match: str) -> TableRecord:
    organisation.settle()
    found = organisation.records.read(lambda db: read_table(db, ANN, match))
    assert found is not None
    return found


def test_a_match_is_reported_from_its_opening_to_its_result(organisation: Organisation) -> None:
    table = open_table(organisation, label="exercise 1")
    sit(organisation, table, 1)
    first = sit(organisation, table, 0)
    organisation.server.lobby.do(first, Resign(0))
    told = events(organisation)
    assert [event.kind for event in told] == [
        EventKind.OPENED, EventKind.JOINED, EventKind.JOINED, EventKind.STARTED, EventKind.ENDED,
    ]  # fmt: skip
    assert told[1].data == {"seat": 1, "name": "Bianchi", "dialect": "native"}
    assert told[4].data["outcome"] == {"termination": "resigned", "winners": [1], "by": 0}
    assert told[4].data["seats"] == [
        {"seat": 0, "name": "Rossi", "won": False}, {"seat": 1, "name": "Bianchi", "won": True},
    ]  # fmt: skip
    after = stored(organisation, table.match)
    assert (after.state, [seat.player for seat in after.seats]) == (TableState.OVER, ["Rossi", "Bianchi"])
    assert len(organisation.tables) == 0
    assert organisation.notified >= 5


def test_players_who_sit_down_while_the_table_is_being_stored_are_reported(
    organisation: Organisation, monkeypatch: pytest.MonkeyPatch
) -> None:
    people: list[Guest] = []
    open_port = organisation.ports.open

    async def open_late(dialect: str, match: str, seat: int, port: int = 0) -> int:
        people.append(Guest(lambda heard: None))
        waiting = organisation.tables.current(match)
        assert waiting is not None
        player = Player("someone", "native", key="K")
        organisation.server.lobby.do(people[0], Enter(match, player, waiting.seats[0].code))
        return await open_port(dialect, match, seat, port)

    monkeypatch.setattr(organisation.ports, "open", open_late)
    seats = (SeatRequest("Rossi"), SeatRequest("o", "tris-lines", port=True))
    table = open_table(organisation, seats=seats)
    assert people[0].table is not None
    assert kinds(organisation) == [EventKind.OPENED, EventKind.JOINED]
    assert [seat.player for seat in stored(organisation, table.match).seats] == ["Rossi", None]
    SimulatedConnection(organisation.server, dialects.dialect("tris-lines"), (table.match, 1))
    assert kinds(organisation)[-1] is EventKind.STARTED


def test_events_of_other_organisers_are_not_shown(organisation: Organisation) -> None:
    table = open_table(organisation)
    assert events(organisation, EVE) == []
    assert organisation.records.read(lambda db: read_table(db, EVE, table.match)) is None


def test_events_are_read_on_from_a_number(organisation: Organisation) -> None:
    for _ in range(3):
        open_table(organisation)
    first, *rest = events(organisation)
    assert events(organisation, after=first.number) == rest


def test_a_table_leaves_the_lobby_when_its_players_do(organisation: Organisation) -> None:
    table = open_table(organisation)
    people = [sit(organisation, table, seat) for seat in (0, 1)]
    organisation.server.lobby.do(people[0], Resign(0))
    for guest in people:
        organisation.server.lobby.disconnected(guest)
    organisation.server.clock.pass_time(1.0)
    assert len(organisation.server.lobby) == 0


@pytest.mark.parametrize("players", [0, 1, 2])
def test_a_cancelled_table_ends_for_all(organisation: Organisation, players: int) -> None:
    table = open_table(organisation)
    for seat in range(players):
        sit(organisation, table, seat)
    shown = organisation.tables.cancel(table.match)
    assert shown is not None
    assert shown.state is TableState.CANCELLED
    assert organisation.server.match(table.match).status is Status.OVER
    last = events(organisation)[-1]
    assert (last.kind, last.data["missing"]) == (EventKind.CANCELLED, list(range(players, 2)))
    assert stored(organisation, table.match).outcome.termination == Termination.CLOSED
    assert organisation.tables.cancel(table.match) is None


def test_a_table_that_waits_too_long_expires_and_names_who_is_missing(organisation: Organisation) -> None:
    table = open_table(organisation, wait=60.0)
    sit(organisation, table, 1)
    organisation.server.clock.pass_time(59.0)
    assert stored(organisation, table.match).state is TableState.WAITING
    organisation.server.clock.pass_time(1.0)
    assert stored(organisation, table.match).state is TableState.EXPIRED
    assert events(organisation)[-1].data["missing"] == [0]


def test_a_match_in_play_does_not_expire(organisation: Organisation) -> None:
    table = open_table(organisation, wait=60.0)
    for seat in (0, 1):
        sit(organisation, table, seat)
    organisation.server.clock.pass_time(1000.0)
    assert stored(organisation, table.match).state is TableState.PLAYING


def test_a_program_without_a_name_gets_a_port_and_loses_by_the_clock(organisation: Organisation) -> None:
    seats = (SeatRequest("x", "tris-lines", port=True), SeatRequest("o", "tris-lines", port=True))
    table = open_table(organisation, seats=seats, per_move=30.0)
    assert [seat.port for seat in table.seats] == [20_000, 20_001]
    server = organisation.server
    for seat in (1, 0):
        SimulatedConnection(server, dialects.dialect("tris-lines"), (table.match, seat))
    assert kinds(organisation)[-1] is EventKind.STARTED
    server.clock.pass_time(30.0)
    assert events(organisation)[-1].data["outcome"] == {"termination": "timed out", "winners": [1], "by": 0}
    assert organisation.ports.ports == {}


def test_a_table_whose_port_cannot_be_opened_is_closed_again(organisation: Organisation) -> None:
    organisation.ports.free = 1
    seats = (SeatRequest("x", "tris-lines", port=True), SeatRequest("o", "tris-lines", port=True))
    with pytest.raises(BoardwireError, match="no port is free"):
        open_table(organisation, seats=seats)
    organisation.server.clock.pass_time(0.0)
    assert (len(organisation.tables), len(organisation.server.lobby), organisation.ports.ports) == (0, 0, {})


@pytest.mark.parametrize(
    ("fields", "words"),
    [
        ({"game": "chess"}, "chess"),
        ({"seats": (SeatRequest("a"),)}, "tris is for 2 players, not 1"),
        ({"seats": (SeatRequest("a"), SeatRequest("A"))}, "another seat has the name 'A'"),
        ({"seats": (SeatRequest("a"), SeatRequest("b", "forza-lines"))}, "tris cannot be played over 'forza-lines'"),
        ({"seats": (SeatRequest("a"), SeatRequest("b", "tris-lines"))}, "set port to true"),
        ({"seats": (SeatRequest("a"), SeatRequest("b", port=True))}, "native clients use the HTTP port"),
        ({"seats": (SeatRequest("a"), SeatRequest("b\x1b[2J"))}, "unprintable characters"),
        ({"seats": (SeatRequest("a"), SeatRequest(bot="nobody"))}, "nobody"),
        ({"seats": (SeatRequest(bot="greedy"), SeatRequest(bot="greedy"))}, "leave one for a player"),
        ({"game": "forza", "seats": (SeatRequest("a"), SeatRequest("", "forza-lines"))}, "the name with which"),
        ({"per_move": 0.5}, "at least 1 seconds"),
        ({"increment": 5.0}, "increment needs a time"),
        ({"game": "santorini", "options": {"draft": "nonsense"}}, "options: "),
    ],
)
def test_a_table_that_cannot_be_played_is_refused(
    organisation: Organisation, fields: dict[str, Any], words: str
) -> None:
    with pytest.raises(BoardwireError, match=words):
        open_table(organisation, **fields)
    assert (len(organisation.tables), len(organisation.server.lobby), events(organisation)) == (0, 0, [])


def test_an_organiser_has_a_bounded_number_of_open_tables(
    organisation: Organisation, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(service, "MAX_OPEN_TABLES_PER_ORGANISER", 2)
    for _ in range(2):
        open_table(organisation)
    with pytest.raises(Refused, match="the maximum"):
        open_table(organisation)
    open_table(organisation, owner=EVE)


# --- after a restart ----------------------------------------------------------------------------------------------


def restored(organisation: Organisation) -> Organisation:
    again = organisation.again()
    asyncio.run(again.tables.restore_waiting())
    again.server.lobby.find_unfinished()
    again.tables.restore_playing()
    while again.server.lobby.recover_next():
        pass
    return again


def test_a_waiting_table_keeps_its_links_and_ports(organisation: Organisation) -> None:
    seats = (SeatRequest("Rossi"), SeatRequest("o", "tris-lines", port=True))
    table = open_table(organisation, seats=seats)
    sit(organisation, table, 0)
    again = restored(organisation)
    assert again.ports.ports == {table.match: [20_000]}
    shown = again.tables.current(table.match)
    assert shown is not None
    assert [seat.player for seat in shown.seats] == [None, None]
    sit(again, table, 0)
    SimulatedConnection(again.server, dialects.dialect("tris-lines"), (table.match, 1))
    assert kinds(again)[-1] is EventKind.STARTED


def test_a_waiting_table_whose_time_is_over_expires_after_the_restart(organisation: Organisation) -> None:
    table = open_table(organisation, wait=10.0)
    again = organisation.again()
    again.server.clock.pass_time(60.0)
    asyncio.run(again.tables.restore_waiting())
    again.server.clock.pass_time(0.0)
    assert stored(again, table.match).state is TableState.EXPIRED


def test_a_match_that_resumes_is_followed_to_its_end(organisation: Organisation) -> None:
    table = open_table(organisation, leaving=Leaving.HOLDS, grace=60.0)
    for seat in (0, 1):
        sit(organisation, table, seat)
    again = restored(organisation)
    assert stored(again, table.match).state is TableState.PLAYING
    again.server.clock.pass_time(61.0)
    assert events(again)[-1].data["outcome"]["termination"] == "stayed away"


def test_a_match_that_cannot_be_recovered_does_not_stop_the_start(
    organisation: Organisation, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = open_table(organisation, leaving=Leaving.HOLDS)
    for seat in (0, 1):
        sit(organisation, table, seat)
    again = organisation.again()
    asyncio.run(again.tables.restore_waiting())
    again.server.lobby.find_unfinished()

    def refuse(match: str) -> None:
        raise Refused(f"there is no open table {match!r}")

    monkeypatch.setattr(again.server.lobby, "table", refuse)
    again.tables.restore_playing()
    assert stored(again, table.match).outcome.termination == Termination.INTERRUPTED


@pytest.mark.parametrize("times", [1, 2])
def test_a_match_that_cannot_resume_is_reported_once_as_interrupted(organisation: Organisation, times: int) -> None:
    table = open_table(organisation)
    for seat in (0, 1):
        sit(organisation, table, seat)
    again = organisation
    for _ in range(times):
        again = restored(again)
    assert kinds(again).count(EventKind.ENDED) == 1
    assert stored(again, table.match).outcome.termination == Termination.INTERRUPTED


def test_a_result_that_was_not_reported_before_the_kill_is_reported_once(organisation: Organisation) -> None:
    table = open_table(organisation)
    people = [sit(organisation, table, seat) for seat in (0, 1)]
    before = stored(organisation, table.match)
    count = len(events(organisation))
    organisation.server.lobby.do(people[0], Resign(0))
    organisation.settle()

    def forget(db: Any) -> None:
        body = msgspec.json.encode(before).decode()
        db.run("UPDATE organisers_tables SET state = ?, body = ? WHERE match = ?", before.state, body, table.match)
        db.run("DELETE FROM organisers_events WHERE number > ?", count)

    organisation.records.write_now(forget)
    again = restored(restored(organisation))
    assert kinds(again).count(EventKind.ENDED) == 1
    assert events(again)[-1].data["outcome"] == {"termination": "resigned", "winners": [1], "by": 0}
