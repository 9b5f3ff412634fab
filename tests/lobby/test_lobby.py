"""Requests to the lobby, and the tables it keeps."""

from __future__ import annotations

from weakref import ref

import pytest

from boardwire.errors import Malformed, Refused
from boardwire.games.game import Outcome
from boardwire.lobby.lobby import Lobby
from boardwire.lobby.requests import (
    Attend,
    Decline,
    Depart,
    Enter,
    Introduce,
    Open,
    Resume,
    Seek,
    Survey,
    Watch,
)
from boardwire.table import commands as cmd
from boardwire.table import events as ev
from boardwire.table.events import Player
from boardwire.table.guest import Refusal, Seated, Surveyed, Watching
from boardwire.table.match import fold
from boardwire.table.policy import Leaving, Policy

from ..table import toy
from ..table.doubles import NotedGuest
from .hall import ELSEWHERE, HOLDS, Hall, booked, seat_of, seek, table_of


def test_a_guest_at_a_table_takes_no_other() -> None:
    hall = Hall()
    ann, _ = hall.guest(seek("ann")), hall.guest(seek("bob"))
    other = hall.guest(seek(private=True))
    for request in (
        seek(),
        Enter(str(table_of(other)), Player(), "CODE1"),
        Watch("match-1"),
        Resume("match-1", 0, "ANN"),
        Open(seek()),
        Attend("tris", "d"),
    ):
        assert hall.do(ann, request) == ["you are already at a table; leave it first"]
    assert table_of(ann) == "match-1"


def test_a_guest_whose_seat_is_on_its_way_takes_no_other() -> None:
    hall = Hall(slow=True)
    ann = hall.guest(seek("ann"))
    assert hall.do(ann, seek("ann", private=True)) == ["you are already at a table; leave it first"]
    assert hall.do(ann, seek("ann")) == ["you are already at a table; leave it first"]
    hall.journal.answer_all()
    assert ann.heard() == ["Seated", ev.Joined(100.0, 0, Player("ann", "d", key="ANN"))]
    assert len(hall.lobby) == 1


def test_a_command_needs_a_table() -> None:
    assert Hall().do(NotedGuest(), cmd.Act(0, (0,))) == ["you are not at a table"]


def test_a_command_goes_to_the_guests_table() -> None:
    hall = Hall()
    ann, bob = hall.guest(seek()), hall.guest(seek())
    assert hall.do(ann, cmd.Act(0, (4,))) == [ev.Acted(100.0, 0, 4)]
    assert ev.Acted(100.0, 0, 4) in bob.heard()


def test_a_table_is_found_by_its_id() -> None:
    hall = Hall()
    hall.guest(seek())
    assert hall.lobby.table("match-1").match.id == "match-1"
    with pytest.raises(Refused, match="no open table 'match-2'"):
        hall.lobby.table("match-2")


def test_a_table_can_be_entered_by_its_name_and_a_seat_chosen() -> None:
    hall = Hall()
    hall.guest(Seek("toy", 3, Player("ann"), seat=1))
    bob = NotedGuest()
    wish = toy.Wish("red")
    assert hall.do(bob, Enter("match-1", Player("bob"), wish=wish, seat=2, ready=False)) == [
        "Seated",
        ev.Joined(100.0, 2, Player("bob"), wish, False),
    ]
    assert hall.do(NotedGuest(), Enter("match-9", Player())) == ["there is no open table 'match-9'"]


def test_a_refused_join_frees_the_booking() -> None:
    hall = Hall()
    hall.guest(seek("ann"))
    namesake = NotedGuest()
    assert hall.do(namesake, seek("ann")) == ["a player called 'ann' already sits at this table"]
    assert namesake.table is None
    bob = hall.guest(seek("bob"))
    assert (table_of(bob), seat_of(bob)) == ("match-1", 1)


def test_a_join_that_is_a_plain_command_is_booked_like_any_other() -> None:
    hall = Hall()
    watcher = hall.guest(Open(seek()))
    assert watcher.table is not None
    assert hall.do(watcher, cmd.Join(Player("ann")))[0] == "Seated"
    assert booked(hall, watcher) == 1
    assert hall.do(watcher, cmd.Join(Player("ann"))) == ["you already sit at this table"]
    assert booked(hall, watcher) == 1


def test_a_table_that_its_only_player_leaves_is_forgotten_and_ended() -> None:
    hall = Hall()
    ann = hall.guest(seek())
    assert hall.do(ann, Depart()) == []
    assert (len(hall.lobby), ann.table) == (0, None)
    assert fold(hall.journal.read("match-1")).outcome == Outcome("abandoned")
    assert table_of(hall.guest(seek())) == "match-2"


def test_a_table_whose_pending_join_is_withdrawn_ends() -> None:
    hall = Hall(slow=True)
    ann = hall.guest(seek("ann"))
    hall.lobby.disconnected(ann)
    hall.guest(seek("x" * 1000))
    hall.journal.answer_all()
    assert len(hall.lobby) == 0
    assert fold(hall.journal.read("match-1")).outcome == Outcome("abandoned")


def test_a_match_that_is_over_is_forgotten_when_its_last_guest_has_gone() -> None:
    hall = Hall()
    ann, bob = hall.guest(seek()), hall.guest(seek())
    zoe = hall.guest(Watch("match-1"))
    hall.do(ann, cmd.Resign(0))
    for guest in (ann, bob, zoe):
        assert len(hall.lobby) == 1
        hall.lobby.disconnected(guest)
    assert len(hall.lobby) == 0


def test_a_match_whose_players_are_all_away_is_kept_until_it_ends() -> None:
    hall = Hall()
    guests = [hall.guest(seek(policy=HOLDS)), hall.guest(seek())]
    for guest in guests:
        hall.lobby.disconnected(guest)
        hall.journal.answer_all()
    assert len(hall.lobby) == 1
    hall.clock.pass_time(30.0)
    hall.journal.answer_all()
    assert len(hall.lobby) == 0
    assert fold(hall.journal.read("match-1")).outcome == Outcome("stayed away", (1,), 0)


def test_the_opener_of_a_table_watches_it_and_may_take_a_seat() -> None:
    hall = Hall()
    host = NotedGuest()
    assert hall.do(host, Open(seek())) == ["Watching"]
    assert (len(hall.lobby), hall.journal.names()) == (1, ())
    guest = hall.guest(seek("ann"))
    assert table_of(guest) == table_of(host) == "match-1"
    assert host.heard() == [ev.Joined(100.0, 0, Player("ann", "d", key="ANN"))]
    assert hall.do(host, Enter("match-1", Player("bob")))[0] == "Seated"
    assert host.table is not None
    assert host.table.guests.count(host) == 1


def test_a_table_that_was_opened_and_left_is_forgotten_without_a_trace() -> None:
    hall = Hall()
    host = hall.guest(Open(seek()))
    hall.do(host, Depart())
    assert (len(hall.lobby), hall.journal.names()) == (0, ())
    assert table_of(hall.guest(seek())) == "match-2"


def test_a_table_with_only_chat_ends_when_it_is_left() -> None:
    hall = Hall()
    host = hall.guest(Open(seek()), cmd.Chat(None, "anybody?"))
    hall.do(host, Depart())
    hall.journal.answer_all()
    assert len(hall.lobby) == 0
    assert fold(hall.journal.read("match-1")).outcome == Outcome("abandoned")


def test_a_full_server_seats_no_guest_until_a_match_is_over() -> None:
    hall = Hall(limit=1)
    ann = hall.guest(seek("ann"))
    hall.guest(seek("bob"))
    cleo = NotedGuest()
    for request in (seek("cleo"), seek("cleo", private=True), Enter("match-1", Player("cleo")), Open(seek("cleo"))):
        (refusal,) = hall.do(cleo, request)
        assert refusal == "the server is full: at most 1 matches at the same time; try again later"
    assert hall.lobby.full
    hall.lobby.do(cleo, Survey())
    assert cleo.take() == [Surveyed(hall.lobby.survey(), full=True)]
    hall.do(ann, cmd.Resign(0))
    assert hall.do(cleo, seek("cleo"))[0] == "Seated"
    assert not hall.lobby.full


def test_a_spectator_sees_a_match_in_play() -> None:
    hall = Hall()
    ann, _ = hall.guest(seek()), hall.guest(seek())
    zoe = NotedGuest()
    hall.lobby.do(zoe, Watch("match-1"))
    (watching,) = zoe.take()
    assert isinstance(watching, Watching)
    assert watching.match is hall.lobby.table("match-1").match
    hall.do(ann, cmd.Act(0, (4,)))
    assert zoe.heard() == [ev.Acted(100.0, 0, 4)]
    assert hall.do(zoe, Watch("match-7")) == ["you are already at a table; leave it first"]
    assert hall.do(NotedGuest(), Watch("match-7")) == ["there is no open table 'match-7'"]


def test_a_survey_lists_the_public_tables_of_a_game() -> None:
    hall = Hall()
    hall.guest(seek())
    hall.guest(seek(private=True))
    hall.guest(Seek("toy", 3, Player()))
    guest = NotedGuest()
    for game, names in (("", ["match-1", "match-3"]), ("toy", ["match-3"]), ("go", [])):
        hall.lobby.do(guest, Survey(game))
        (surveyed,) = guest.take()
        assert isinstance(surveyed, Surveyed)
        assert [match.id for match in surveyed.matches] == names


def test_a_survey_of_waiting_tables_walks_over_no_others(monkeypatch: pytest.MonkeyPatch) -> None:
    hall = Hall()
    for _ in range(4):
        hall.guest(seek())
    waiting = hall.guest(seek())
    hall.guest(seek(private=True))
    hall.guest(Seek("toy", 3, Player()))
    guest = NotedGuest()

    def names(game: str) -> list[str]:
        hall.lobby.do(guest, Survey(game, waiting=True))
        (surveyed,) = guest.take()
        assert isinstance(surveyed, Surveyed)
        return [match.id for match in surveyed.matches]

    monkeypatch.setattr(Lobby, "__iter__", None)
    assert names("") == ["match-3", "match-5"]
    assert names("toy") == ["match-5"]
    hall.lobby.disconnected(waiting)
    hall.journal.answer_all()
    assert names("") == ["match-5"]
    for _ in range(2):
        hall.guest(Seek("toy", 3, Player()))
    assert names("") == []


def test_a_frozen_lobby_stores_no_departures() -> None:
    hall = Hall()
    ann, bob = hall.guest(seek("ann", policy=HOLDS)), hall.guest(seek("bob"))
    hall.lobby.freeze()
    hall.lobby.disconnected(ann)
    hall.lobby.disconnected(bob)
    assert not any(isinstance(event, ev.Left) for event in hall.journal.read("match-1"))


def test_a_refusal_carries_the_request_it_answers() -> None:
    hall = Hall()
    guest = NotedGuest()
    request = Enter("match-9", Player())
    hall.lobby.do(guest, request)
    (refusal,) = guest.take()
    assert isinstance(refusal, Refusal)
    assert refusal.command is request


def test_seated_tells_the_match_as_it_stands() -> None:
    hall = Hall()
    hall.guest(seek("ann"))
    bob = NotedGuest()
    hall.lobby.do(bob, seek("bob"))
    hall.journal.answer_all()
    seated = bob.take()[0]
    assert isinstance(seated, Seated)
    assert seated.match is hall.lobby.table("match-1").match


def test_a_declined_request_leaves_no_garbage(no_collector: None) -> None:
    """The server lets the collector run so seldom that a peer who is refused thousands of times would make it stop."""
    hall, guest = Hall(), NotedGuest()
    reason = Malformed("not that")
    kept = ref(reason)
    hall.lobby.do(guest, Decline(reason))
    guest.take()
    del reason
    assert kept() is None


def test_a_match_taken_over_by_another_process_is_removed() -> None:
    hall = Hall(limit=1)
    ann, bob = hall.guest(seek("ann", policy=Policy(Leaving.HOLDS, 60.0))), hall.guest(seek("bob"))
    cid, dee = NotedGuest(), NotedGuest()
    assert hall.do(cid, seek("cid")) == ["the server is full: at most 1 matches at the same time; try again later"]
    hall.lobby.do(ann, cmd.Act(0, (4,)))
    hall.journal.store("match-1", ev.Acted(100.0, 0, 0))
    hall.journal.answer_all()
    assert (ann.closed, bob.closed) == ([ELSEWHERE], [ELSEWHERE])
    assert (len(hall.lobby), hall.lobby.full, [match for match, _ in hall.faults]) == (0, False, ["match-1"])
    assert hall.do(ann, Resume("match-1", 0, "ANN")) == ["there is no open table 'match-1'"]
    assert hall.do(ann, Introduce("a token that is long enough")) == ["Introduced"]
    assert hall.do(cid, seek("cid"))[0] == hall.do(dee, seek("dee"))[0] == "Seated"


def test_a_waiting_table_taken_over_by_another_process_is_not_offered() -> None:
    hall = Hall()
    ann = hall.guest(seek("ann"))
    bob = NotedGuest()
    hall.lobby.do(bob, seek("bob"))
    hall.journal.store("match-1", ev.Ended(100.0, Outcome("interrupted")))
    hall.journal.answer_all()
    assert (bob.heard(), ann.closed, len(hall.lobby)) == ([ELSEWHERE], [ELSEWHERE], 0)
    assert hall.do(bob, seek("bob"))[0] == "Seated"
    assert table_of(bob) == "match-2"
