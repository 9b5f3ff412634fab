"""Finding and opening tables, attending them, names, and what is left after a restart."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any
from weakref import ref

import pytest

from boardwire.bots.server_bots import HouseBots, bot_player
from boardwire.errors import Malformed, Refused
from boardwire.games.game import Outcome
from boardwire.lobby.held_seats import key_of
from boardwire.lobby.lobby import Lobby
from boardwire.lobby.requests import (
    Attend,
    Claim,
    Decline,
    Depart,
    Enter,
    Introduce,
    Open,
    Reclaim,
    Rematch,
    Resume,
    Seek,
    Survey,
    Unclaim,
    Watch,
)
from boardwire.simulation.clock import ManualClock
from boardwire.simulation.luck import CountedNames, ScriptedDealer
from boardwire.table import commands as ask
from boardwire.table import events as told
from boardwire.table.events import Player
from boardwire.table.guest import Claimed, Introduced, Refusal, RematchWanted, Seated, Surveyed, Tie, Watching
from boardwire.table.match import Status, fold
from boardwire.table.policy import Leaving, Policy
from boardwire.table.ports import Bots
from boardwire.table.table import RETRY_SECONDS

from ..table import toy  # noqa: TID252 - tests are no installed package
from ..table.doubles import HeldJournal, NotedBots, NotedGuest  # noqa: TID252 - tests are no installed package

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
        self.lobby = self._lobby()

    def _lobby(self) -> Lobby:
        tools = self.journal, self.clock, ScriptedDealer(seed=0), self.names, self.bots
        return Lobby(
            *tools,
            own_tables=self._own_tables,
            limit=self._limit,
            fill=self._fill,
            report=lambda match, error: self.faults.append((match, error)),
        )

    def restart(self) -> tuple[int, int]:
        """A new process on the same journal."""
        self.journal.held.clear()
        self.clock = ManualClock(self.clock.now())
        self.lobby = self._lobby()
        recovered = self.lobby.recover()
        self.journal.answer_all()
        return recovered

    def do(self, guest: NotedGuest, *requests: Any) -> list[Any]:
        """Ask; gives what the guest heard, in short."""
        guest.take()
        for request in requests:
            self.lobby.do(guest, request)
            if not self.slow:
                self.journal.answer_all()
        return guest.heard()

    def guest(self, *requests: Any) -> NotedGuest:
        """A guest that has asked for something."""
        guest = NotedGuest()
        self.do(guest, *requests)
        return guest


def seek(name: str = "", dialect: str = "d", **more: Any) -> Seek:
    return Seek("tris", 2, Player(name, dialect, key=name.upper()), **more)


def booked(hall: Hall, guest: NotedGuest) -> int | None:
    """How many seats are taken or promised at a guest's table."""
    listing = None if guest.table is None else hall.lobby.context.listings.get(guest.table.match.id)
    return None if listing is None else listing.booked


def table_of(guest: NotedGuest) -> str | None:
    return None if guest.table is None else guest.table.match.id


def seat_of(guest: NotedGuest) -> int | None:
    return None if guest.table is None else guest.table.seat_of(guest)


# --- finding and opening --------------------------------------------------------------------------------------------


def test_guests_are_paired_in_the_order_they_come() -> None:
    hall = Hall()
    guests = [hall.guest(seek()) for _ in range(5)]
    assert [table_of(guest) for guest in guests] == ["match-1", "match-1", "match-2", "match-2", "match-3"]
    assert [seat_of(guest) for guest in guests] == [0, 1, 0, 1, 0]
    assert len(hall.lobby) == 3
    assert [table.match.status for table in hall.lobby] == [Status.PLAYING, Status.PLAYING, Status.WAITING]


def test_a_table_whose_seats_are_all_promised_is_not_offered_again() -> None:
    hall = Hall(slow=True)
    guests = [hall.guest(seek()) for _ in range(3)]
    assert [table_of(guest) for guest in guests] == ["match-1", "match-1", "match-2"]


def test_only_guests_of_the_same_game_size_and_terms_meet() -> None:
    hall = Hall()
    guests = [
        hall.guest(seek()),
        hall.guest(seek(terms=("expert",))),
        hall.guest(Seek("toy", 2, Player())),
        hall.guest(Seek("toy", 3, Player())),
    ]
    assert [table_of(guest) for guest in guests] == ["match-1", "match-2", "match-3", "match-4"]
    assert table_of(hall.guest(Seek("toy", 3, Player()))) == "match-4"
    assert table_of(hall.guest(seek(terms=("expert",)))) == "match-2"


def test_dialects_meet_unless_they_are_kept_apart() -> None:
    for own_tables, tables in ((False, 1), (True, 2)):
        hall = Hall(own_tables=own_tables)
        hall.guest(seek(dialect="lines"))
        hall.guest(seek(dialect="objects"))
        assert len(hall.lobby) == tables


def test_a_table_keeps_the_options_and_the_policy_of_whoever_opened_it() -> None:
    hall = Hall()
    hall.guest(Seek("toy", 2, Player(), toy.Options(goal=3), HOLDS))
    guest = hall.guest(Seek("toy", 2, Player(), toy.Options(goal=5)))
    assert guest.table is not None
    assert guest.table.match.setting.options == toy.Options(goal=3)
    assert guest.table.match.setting.policy == HOLDS


@pytest.mark.parametrize(
    ("request_", "words"),
    [
        (Seek("go", 2, Player()), "no game called 'go'"),
        (Seek("tris", 3, Player()), "tris is for 2 players, not 3"),
        (Seek("toy", 4, Player()), "toy is for 2 or 3 players, not 4"),
        (Seek("toy", 2, Player(), toy.Options(goal=0)), "goal must be at least 1"),
        (Seek("toy", 2, Player(), {"goal": "far"}), "goal"),
    ],
)
def test_what_cannot_be_played_opens_no_table(request_: Seek, words: str) -> None:
    hall = Hall()
    guest = NotedGuest()
    for request in (request_, Open(request_)):
        (heard,) = hall.do(guest, request)
        assert words in heard
    assert (guest.table, len(hall.lobby), hall.journal.names()) == (None, 0, ())


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
        assert hall.do(ann, request) == ["you are at a table already"]
    assert table_of(ann) == "match-1"


def test_a_guest_whose_seat_is_on_its_way_takes_no_other() -> None:
    hall = Hall(slow=True)
    ann = hall.guest(seek("ann"))
    assert hall.do(ann, seek("ann", private=True)) == ["you are at a table already"]
    assert hall.do(ann, seek("ann")) == ["you are at a table already"]
    hall.journal.answer_all()
    assert ann.heard() == ["Seated", told.Joined(100.0, 0, Player("ann", "d", key="ANN"))]
    assert len(hall.lobby) == 1


def test_a_command_needs_a_table() -> None:
    assert Hall().do(NotedGuest(), ask.Act(0, (0,))) == ["you are not at a table"]


def test_a_command_goes_to_the_guests_table() -> None:
    hall = Hall()
    ann, bob = hall.guest(seek()), hall.guest(seek())
    assert hall.do(ann, ask.Act(0, (4,))) == [told.Acted(100.0, 0, 4)]
    assert told.Acted(100.0, 0, 4) in bob.heard()


def test_a_table_is_found_by_its_name() -> None:
    hall = Hall()
    hall.guest(seek())
    assert hall.lobby.table("match-1").match.id == "match-1"
    with pytest.raises(Refused, match="no open table 'match-2'"):
        hall.lobby.table("match-2")


def test_whoever_wants_a_fresh_table_gets_one_that_others_can_join() -> None:
    hall = Hall()
    own = seek(fresh=True, tie=Tie.TABLE)
    guests = [hall.guest(seek(tie=Tie.TABLE)), hall.guest(own), hall.guest(seek()), hall.guest(seek())]
    assert [table_of(guest) for guest in guests] == ["match-1", "match-2", "match-1", "match-2"]


def test_a_private_table_is_joined_by_its_code_alone() -> None:
    hall = Hall()
    ann = hall.guest(seek("ann", private=True))
    assert ann.table is not None
    assert ann.table.match.setting.code == "CODE1"
    assert table_of(hall.guest(seek())) == "match-2"
    bob = NotedGuest()
    for code in ("", "CODE2", "code1"):
        for request in (Enter("match-1", Player("bob"), code), Watch("match-1", code)):
            assert hall.do(bob, request) == ["this table is private; its code is needed"]
    assert hall.do(bob, Enter("match-1", Player("bob"), "CODE1"))[0] == "Seated"
    assert hall.do(NotedGuest(), Watch("match-1", "CODE1")) == ["Watching"]


def test_a_table_can_be_entered_by_its_name_and_a_seat_chosen() -> None:
    hall = Hall()
    hall.guest(Seek("toy", 3, Player("ann"), seat=1))
    bob = NotedGuest()
    wish = toy.Wish("red")
    assert hall.do(bob, Enter("match-1", Player("bob"), wish=wish, seat=2, ready=False)) == [
        "Seated",
        told.Joined(100.0, 2, Player("bob"), wish, False),
    ]
    assert hall.do(NotedGuest(), Enter("match-9", Player())) == ["there is no open table 'match-9'"]


def test_bots_sit_down_at_the_table_that_is_opened() -> None:
    bots = NotedBots()
    for slow in (False, True):
        hall = Hall(bots=bots, slow=slow)
        ann = hall.guest(seek("ann", bots=((0, bots.robot),)))
        hall.journal.answer_all()
        assert (seat_of(ann), table_of(ann)) == (1, "match-1")
        assert ann.table is not None
        assert ann.table.match.players[0] == bots.robot
        assert ann.table.match.status is Status.PLAYING
        assert booked(hall, ann) == 2
    assert bots.seated == [("match-1", 0, bots.robot)] * 2


def test_a_table_with_a_bot_that_there_is_none_of_is_not_opened() -> None:
    for bots in (NotedBots(), None):
        hall = Hall(bots=bots)
        ann = NotedGuest()
        assert hall.do(ann, seek("ann", bots=((1, Player("", "bot", "nobody")),))) == [
            "there is no bot called 'nobody'"
        ]
        assert (ann.table, len(hall.lobby), list(hall.journal.unfinished())) == (None, 0, [])


def test_a_bot_that_cannot_sit_down_leaves_the_table_as_it_is() -> None:
    bots = NotedBots()
    for slow in (False, True):
        hall = Hall(bots=bots, slow=slow)
        ann = hall.guest(seek("ann", bots=((7, bots.robot),)))
        hall.journal.answer_all()
        assert hall.lobby.table("match-1") is ann.table
        assert seat_of(ann) == 0
        assert table_of(hall.guest(seek("bob"))) == "match-1"


def test_a_table_opened_with_bots_and_nobody_else_is_offered() -> None:
    bots = NotedBots()
    hall = Hall(bots=bots)
    host = hall.guest(Open(Seek("toy", 3, Player(), bots=((1, bots.robot),))))
    assert table_of(host) == "match-1"
    guest = hall.guest(Seek("toy", 3, Player("ann")))
    assert (table_of(guest), seat_of(guest)) == ("match-1", 0)


# --- seats that are freed -------------------------------------------------------------------------------------------


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
    assert hall.do(watcher, ask.Join(Player("ann")))[0] == "Seated"
    assert booked(hall, watcher) == 1
    assert hall.do(watcher, ask.Join(Player("ann"))) == ["you sit at this table already"]
    assert booked(hall, watcher) == 1


def test_a_seat_that_is_freed_before_the_start_is_offered_again_in_its_old_place() -> None:
    hall = Hall()
    early = [hall.guest(Seek("toy", 2, Player(name), ready=False)) for name in ("ann", "bob")]
    late = hall.guest(Seek("toy", 2, Player("cyd"), ready=False, tie=Tie.TABLE))
    assert [table_of(guest) for guest in (*early, late)] == ["match-1", "match-1", "match-2"]
    early[1].tie = Tie.TABLE
    hall.lobby.goodbye(early[0])
    hall.journal.answer_all()
    newcomer = hall.guest(Seek("toy", 2, Player("dan"), ready=False))
    assert (table_of(newcomer), seat_of(newcomer)) == ("match-1", 0)


def test_a_table_that_its_only_player_leaves_is_forgotten_and_ended() -> None:
    hall = Hall()
    ann = hall.guest(seek())
    assert hall.do(ann, Depart()) == []
    assert (len(hall.lobby), ann.table) == (0, None)
    assert fold(hall.journal.read("match-1")).outcome == Outcome("abandoned")
    assert table_of(hall.guest(seek())) == "match-2"


def test_a_table_that_is_about_to_end_is_offered_to_nobody() -> None:
    hall = Hall()
    ann = hall.guest(seek())
    hall.slow = True
    hall.do(ann, Depart())
    bob = hall.guest(seek("bob"))
    zoe = hall.guest(Attend("tris", "d"))
    hall.journal.answer_all()
    assert [table_of(bob), table_of(zoe)] == ["match-2", "match-2"]
    assert bob.heard() == ["Seated", told.Joined(100.0, 0, Player("bob", "d", key="BOB"))]


def test_whoever_seeks_while_the_only_player_is_going_gets_its_seat() -> None:
    hall = Hall(slow=True)
    ann = hall.guest(seek("ann"))
    hall.lobby.goodbye(ann)
    bob = hall.guest(seek("bob"))
    hall.journal.answer_all()
    assert ann.news == []
    assert (table_of(bob), seat_of(bob)) == ("match-1", 0)
    assert hall.lobby.table("match-1").match.status is Status.WAITING


def test_a_table_nobody_came_to_after_all_is_ended() -> None:
    hall = Hall(slow=True)
    ann = hall.guest(seek("ann"))
    hall.lobby.goodbye(ann)
    hall.guest(seek("x" * 1000))
    hall.journal.answer_all()
    assert len(hall.lobby) == 0
    assert fold(hall.journal.read("match-1")).outcome == Outcome("abandoned")


def test_a_guest_that_departs_and_seeks_again_at_once_is_seated() -> None:
    for slow in (False, True):
        hall = Hall(slow=slow)
        ann = hall.guest(seek("ann"), Depart(), seek("ann"))
        hall.journal.answer_all()
        assert seat_of(ann) == 0
        assert ann.table is not None
        assert (booked(hall, ann), ann.table.match.players) == (1, (Player("ann", "d", key="ANN"), None))
        bob = hall.guest(seek("bob"))
        hall.journal.answer_all()
        assert table_of(bob) == table_of(ann)


def test_a_match_that_is_over_is_forgotten_when_its_last_guest_has_gone() -> None:
    hall = Hall()
    ann, bob = hall.guest(seek()), hall.guest(seek())
    zoe = hall.guest(Watch("match-1"))
    hall.do(ann, ask.Resign(0))
    for guest in (ann, bob, zoe):
        assert len(hall.lobby) == 1
        hall.lobby.goodbye(guest)
    assert len(hall.lobby) == 0


def test_a_match_whose_players_are_all_away_is_kept_until_it_ends() -> None:
    hall = Hall()
    guests = [hall.guest(seek(policy=HOLDS)), hall.guest(seek())]
    for guest in guests:
        hall.lobby.goodbye(guest)
        hall.journal.answer_all()
    assert len(hall.lobby) == 1
    hall.clock.pass_time(30.0)
    hall.journal.answer_all()
    assert len(hall.lobby) == 0
    assert fold(hall.journal.read("match-1")).outcome == Outcome("stayed away", (1,), 0)


# --- opening without sitting, attending, watching -------------------------------------------------------------------


def test_whoever_opens_a_table_watches_it_and_may_sit_down_there() -> None:
    hall = Hall()
    host = NotedGuest()
    assert hall.do(host, Open(seek())) == ["Watching"]
    assert (len(hall.lobby), hall.journal.names()) == (1, ())
    guest = hall.guest(seek("ann"))
    assert table_of(guest) == table_of(host) == "match-1"
    assert host.heard() == [told.Joined(100.0, 0, Player("ann", "d", key="ANN"))]
    assert hall.do(host, Enter("match-1", Player("bob")))[0] == "Seated"
    assert host.table is not None
    assert host.table.guests.count(host) == 1


def test_a_table_that_was_opened_and_left_is_forgotten_without_a_trace() -> None:
    hall = Hall()
    host = hall.guest(Open(seek()))
    hall.do(host, Depart())
    assert (len(hall.lobby), hall.journal.names()) == (0, ())
    assert table_of(hall.guest(seek())) == "match-2"


def test_a_table_that_was_only_talked_at_is_ended_when_it_is_left() -> None:
    hall = Hall()
    host = hall.guest(Open(seek()), ask.Chat(None, "anybody?"))
    hall.do(host, Depart())
    hall.journal.answer_all()
    assert len(hall.lobby) == 0
    assert fold(hall.journal.read("match-1")).outcome == Outcome("abandoned")


def test_a_guest_attends_the_oldest_table_that_waits_of_whatever_size() -> None:
    hall = Hall()
    hall.guest(Seek("toy", 3, Player()))
    hall.guest(Seek("toy", 2, Player()))
    hall.guest(seek())
    zoe = NotedGuest()
    assert hall.do(zoe, Attend("toy", "d")) == ["Watching"]
    assert table_of(zoe) == "match-1"


def test_a_guest_that_finds_no_table_watches_the_next_one_that_is_opened() -> None:
    hall = Hall()
    zoe = NotedGuest()
    assert hall.do(zoe, Attend("tris", "d")) == ["NoTable"]
    hall.guest(seek(private=True))
    hall.guest(Seek("toy", 2, Player()))
    assert zoe.news == []
    ann = hall.guest(seek("ann"))
    assert zoe.heard() == ["Watching", told.Joined(100.0, 0, Player("ann", "d", key="ANN"))]
    assert table_of(zoe) == table_of(ann)
    hall.guest(seek())
    hall.guest(seek())
    assert table_of(zoe) == table_of(ann)


def test_a_guest_attends_only_tables_of_a_size_it_knows() -> None:
    hall = Hall()
    hall.guest(Seek("toy", 3, Player()))
    zoe = NotedGuest()
    assert hall.do(zoe, Attend("toy", "d", (2,))) == ["NoTable"]
    hall.guest(Seek("toy", 3, Player(), fresh=True))
    assert zoe.take() == [], "nor is it brought to a new one that is too large"
    hall.guest(Seek("toy", 2, Player()))
    watching = zoe.take()[0]
    assert isinstance(watching, Watching)
    assert len(watching.match.chairs) == 2


def test_a_guest_is_not_brought_to_a_new_table_whose_seats_are_all_promised() -> None:
    bots = NotedBots()
    hall = Hall(bots=bots)
    zoe = hall.guest(Attend("tris", "d"))
    zoe.take()
    hall.guest(seek("ann", bots=((1, bots.robot),)))
    assert (zoe.take(), zoe.table) == ([], None)
    hall.guest(seek("bob", fresh=True))
    assert table_of(zoe) == "match-2"


def test_a_table_is_not_deserted_if_whoever_attends_it_goes_before_its_opener_sits_down() -> None:
    hall = Hall()
    zoe = NotedGuest()
    hall.lobby.do(zoe, Attend("tris", "d"))
    tell = zoe.tell
    zoe.tell = lambda news: hall.lobby.goodbye(zoe) if isinstance(news, Watching) else tell(news)
    hall.guest(seek("ann"))
    assert [table.match.id for table in hall.lobby] == ["match-1"]
    bob = hall.guest(seek("bob"))
    assert (table_of(bob), seat_of(bob)) == ("match-1", 1)


def test_a_full_house_seats_nobody_until_a_match_is_over() -> None:
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
    hall.do(ann, ask.Resign(0))
    assert hall.do(cleo, seek("cleo"))[0] == "Seated"
    assert not hall.lobby.full


def test_attending_keeps_dialects_apart_where_tables_do() -> None:
    hall = Hall(own_tables=True)
    hall.guest(seek(dialect="lines"))
    zoe = NotedGuest()
    assert hall.do(zoe, Attend("tris", "objects")) == ["NoTable"]
    assert hall.do(NotedGuest(), Attend("tris", "lines")) == ["Watching"]
    hall.guest(seek(dialect="objects"))
    assert table_of(zoe) == "match-2"


def test_whoever_waits_for_a_table_and_opens_it_hears_of_it_once() -> None:
    hall = Hall()
    host, zoe = hall.guest(Attend("tris", "d")), hall.guest(Attend("tris", "d"))
    zoe.take()
    assert hall.do(host, Open(seek())) == ["Watching"]
    assert zoe.heard() == ["Watching"]


def test_whoever_attends_one_table_and_opens_another_watches_that() -> None:
    hall = Hall()
    hall.guest(seek())
    host = hall.guest(Attend("tris", "d"))
    assert hall.do(host, Open(seek())) == ["Watching"]
    assert table_of(host) == "match-2"
    assert host not in hall.lobby.table("match-1").guests


def test_an_attending_guest_may_sit_down_at_its_table_or_at_another() -> None:
    hall = Hall()
    hall.guest(seek("ann"))
    hall.guest(seek("bob", private=True))
    near, far = hall.guest(Attend("tris", "d")), hall.guest(Attend("tris", "d"))
    assert hall.do(far, Enter("match-2", Player("cyd"), "CODE1"))[0] == "Seated"
    assert hall.do(near, seek("dan"))[0] == "Seated"
    assert (table_of(near), table_of(far)) == ("match-1", "match-2")
    far.take()
    hall.do(near, ask.Chat(1, "hello"))
    assert far.news == []


def test_an_attending_guest_that_watches_resumes_or_attends_elsewhere_hears_of_one_table_only() -> None:
    hall = Hall()
    ann, _ = hall.guest(seek("ann", policy=HOLDS)), hall.guest(seek("bob"))
    hall.lobby.goodbye(ann)
    hall.journal.answer_all()
    waiting = hall.guest(seek("cyd"))
    requests = (Watch("match-1"), Resume("match-1", 0, "ANN"), Attend("toy", "d"), Attend("tris", "d"))
    for request, table in zip(requests, ("match-1", "match-1", None, "match-2"), strict=True):
        guest = hall.guest(Attend("tris", "d"), request)
        assert table_of(guest) == table
        assert hall.lobby.table("match-2").guests.count(guest) == (table == "match-2")
        hall.lobby.goodbye(guest)
        hall.journal.answer_all()
    assert hall.lobby.table("match-2").guests == (waiting,)


def test_a_guest_that_waited_for_a_table_and_sat_down_elsewhere_is_left_in_peace() -> None:
    hall = Hall()
    ann = hall.guest(Attend("tris", "d"), seek("ann", private=True))
    assert table_of(ann) == "match-1"
    ann.take()
    hall.guest(seek("bob"))
    assert (table_of(ann), ann.news) == ("match-1", [])


def test_a_guest_that_is_gone_waits_for_no_table() -> None:
    hall = Hall()
    zoe = hall.guest(Attend("tris", "d"))
    hall.lobby.goodbye(zoe)
    zoe.take()
    hall.guest(seek())
    assert (zoe.news, zoe.table) == ([], None)


def test_a_watcher_sees_a_match_in_play() -> None:
    hall = Hall()
    ann, _ = hall.guest(seek()), hall.guest(seek())
    zoe = NotedGuest()
    hall.lobby.do(zoe, Watch("match-1"))
    (watching,) = zoe.take()
    assert isinstance(watching, Watching)
    assert watching.match is hall.lobby.table("match-1").match
    hall.do(ann, ask.Act(0, (4,)))
    assert zoe.heard() == [told.Acted(100.0, 0, 4)]
    assert hall.do(zoe, Watch("match-7")) == ["you are at a table already"]
    assert hall.do(NotedGuest(), Watch("match-7")) == ["there is no open table 'match-7'"]


# --- who is who -----------------------------------------------------------------------------------------------------


def test_a_name_is_claimed_by_one_guest_at_a_time_within_its_scope() -> None:
    hall = Hall()
    ann, bob = NotedGuest(), NotedGuest()
    hall.lobby.do(ann, Claim("Ann", "d"))
    assert ann.take() == [Claimed("Ann")]
    assert hall.do(bob, Claim("ANN", "d")) == ["the name 'ANN' is already taken"]
    assert hall.do(bob, Claim("ann", "other")) == ["Claimed"]
    assert hall.do(ann, Claim("ann", "d")) == ["Claimed"]


def test_a_claim_ends_when_it_is_given_up_changed_or_its_guest_goes() -> None:
    hall = Hall()
    ann = hall.guest(Claim("ann", "d"))
    assert hall.do(ann, Unclaim(), Unclaim()) == []
    assert hall.do(NotedGuest(), Claim("ann", "d")) == ["Claimed"]
    bob = hall.guest(Claim("bob", "d"), Claim("rob", "d"))
    assert hall.do(NotedGuest(), Claim("bob", "d")) == ["Claimed"]
    hall.lobby.goodbye(bob)
    assert hall.do(NotedGuest(), Claim("rob", "d")) == ["Claimed"]


def test_a_player_is_known_again_by_its_token_and_told_which_seats_are_kept() -> None:
    hall = Hall()
    ann = NotedGuest()
    hall.lobby.do(ann, Introduce())
    (introduced,) = ann.take()
    assert isinstance(introduced, Introduced)
    assert introduced.kept == ()
    assert introduced.key == key_of(introduced.token) != introduced.token
    player = Player("ann", key=introduced.key)
    hall.do(ann, Seek("tris", 2, player, policy=HOLDS))
    hall.guest(seek("bob"))
    other = NotedGuest()
    hall.lobby.do(other, Introduce(introduced.token))
    (again,) = other.take()
    assert isinstance(again, Introduced)
    assert (again.token, again.key) == (introduced.token, introduced.key)
    assert [(match.id, seat) for match, seat in again.kept] == [("match-1", 0)]
    hall.do(ann, ask.Resign(0))
    hall.lobby.do(other, Introduce(introduced.token))
    assert other.take() == [Introduced(introduced.token, introduced.key, ())]


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


def test_a_player_comes_back_to_its_seat_by_the_lobby() -> None:
    hall = Hall()
    ann, bob = hall.guest(seek("ann", policy=HOLDS)), hall.guest(seek("bob"))
    hall.lobby.goodbye(bob)
    hall.journal.answer_all()
    thief = NotedGuest()
    assert hall.do(thief, Resume("match-1", 1, "ANN")) == ["this seat belongs to another player"]
    assert hall.do(thief, Resume("match-1", 9, "BOB")) == ["there is no seat 9 at this table"]
    assert hall.do(thief, Resume("match-1", -1, "BOB")) == ["there is no seat -1 at this table"]
    assert thief.table is None
    again = NotedGuest()
    assert hall.do(again, Resume("match-1", 1, "BOB")) == ["Seated", told.Returned(100.0, 1)]
    ann.take()
    hall.do(ann, ask.Act(0, (4,)))
    assert again.heard() == [told.Acted(100.0, 0, 4)]


# --- once more ------------------------------------------------------------------------------------------------------


def test_a_rematch_begins_when_all_want_it_and_another_one_moves_first() -> None:
    hall = Hall()
    ann, bob = hall.guest(seek("ann", policy=HOLDS)), hall.guest(seek("bob"))
    hall.do(ann, ask.Resign(0))
    bob.take()
    hall.lobby.do(ann, Rematch())
    assert ann.take()[-1] == bob.take()[-1] == RematchWanted((0,))
    heard = hall.do(bob, Rematch())
    assert "Seated" in heard
    assert table_of(ann) == table_of(bob) == "match-2"
    assert (seat_of(ann), seat_of(bob)) == (1, 0)
    match = hall.lobby.table("match-2").match
    assert (match.status, match.setting.policy) == (Status.PLAYING, HOLDS)
    assert len(hall.lobby) == 1


def test_a_rematch_against_a_bot_begins_at_once() -> None:
    bots = NotedBots()
    hall = Hall(bots=bots)
    ann = hall.guest(seek("ann", bots=((1, bots.robot),)))
    hall.do(ann, ask.Resign(0), Rematch())
    assert (table_of(ann), seat_of(ann)) == ("match-2", 1)
    assert bots.seated[-1] == ("match-2", 0, bots.robot)


@pytest.mark.parametrize("slow", [False, True])
def test_whoever_watches_comes_along_to_the_rematch(slow: bool) -> None:
    hall = Hall()
    ann, bob = hall.guest(seek("ann", private=True)), hall.guest(Enter("match-1", Player("bob"), "CODE1"))
    zoe, joe = hall.guest(Watch("match-1", "CODE1")), hall.guest(Watch("match-1", "CODE1"))
    hall.do(ann, ask.Resign(0))
    hall.do(joe, Depart())
    hall.slow = slow
    hall.do(ann, Rematch())
    zoe.take()
    hall.do(bob, Rematch())
    assert (table_of(zoe), seat_of(zoe), table_of(joe)) == ("match-2", None, None)
    hall.journal.answer_all()
    told_of = zoe.take()
    assert isinstance(told_of[0], Watching)
    assert told_of[0].match.id == "match-2"
    assert (table_of(ann), table_of(bob)) == ("match-2", "match-2")
    assert [table.match.id for table in hall.lobby] == ["match-2"]
    hall.slow = False
    hall.do(bob, ask.Act(0, (4,)))
    assert told.Acted(100.0, 0, 4) in zoe.heard()


def test_there_is_no_rematch_without_the_other_player() -> None:
    hall = Hall()
    ann, bob = hall.guest(seek("ann")), hall.guest(seek("bob"))
    hall.do(ann, ask.Resign(0))
    hall.lobby.goodbye(bob)
    assert hall.do(ann, Rematch()) == ["RematchWanted"]
    assert len(hall.lobby) == 1


def test_there_is_no_rematch_of_a_match_that_goes_on_or_is_not_ones_own() -> None:
    hall = Hall()
    ann, _ = hall.guest(seek("ann")), hall.guest(seek("bob"))
    zoe = hall.guest(Watch("match-1"))
    for guest in (ann, zoe, NotedGuest()):
        assert hall.do(guest, Rematch()) == ["you have no finished match to rematch"]
    hall.do(ann, ask.Resign(0))
    assert hall.do(zoe, Rematch()) == ["you have no finished match to rematch"]


# --- stopping and starting again ------------------------------------------------------------------------------------


def test_in_a_frozen_house_nobody_is_said_to_have_left() -> None:
    hall = Hall()
    ann, bob = hall.guest(seek("ann", policy=HOLDS)), hall.guest(seek("bob"))
    hall.lobby.freeze()
    hall.lobby.goodbye(ann)
    hall.lobby.goodbye(bob)
    assert not any(isinstance(event, told.Left) for event in hall.journal.read("match-1"))


def test_after_a_restart_held_matches_are_open_for_their_players() -> None:
    hall = Hall()
    ann, _ = hall.guest(seek("ann", policy=HOLDS)), hall.guest(seek("bob"))
    hall.do(ann, ask.Act(0, (4,)))
    position = hall.lobby.table("match-1").match.position
    assert hall.restart() == (1, 0)
    assert hall.lobby.table("match-1").match.position == position
    bob = NotedGuest()
    assert hall.do(bob, Resume("match-1", 1, "BOB")) == ["Seated", told.Returned(100.0, 1)]
    assert hall.do(bob, ask.Act(1, (0,))) == [told.Acted(100.0, 1, 0)]


def test_after_a_restart_the_grace_of_every_seat_starts_anew_also_of_one_that_was_left_before() -> None:
    hall = Hall()
    guests = [hall.guest(seek("ann", policy=HOLDS)), hall.guest(seek("bob"))]
    for guest in guests:
        hall.lobby.goodbye(guest)
        hall.journal.answer_all()
    hall.clock = ManualClock(10_000.0)
    assert hall.restart() == (1, 0)
    hall.clock.pass_time(29.0)
    assert hall.lobby.table("match-1").match.status is Status.PLAYING
    assert hall.do(NotedGuest(), Resume("match-1", 1, "BOB"))[0] == "Seated"
    hall.clock.pass_time(0.9)
    assert hall.journal.held == []
    hall.clock.pass_time(0.1)
    hall.journal.answer_all()
    assert fold(hall.journal.read("match-1")).outcome == Outcome("stayed away", (1,), 0)


def test_a_match_that_nobody_comes_back_to_after_a_restart_ends() -> None:
    hall = Hall()
    guests = [hall.guest(seek("ann", policy=HOLDS)), hall.guest(seek("bob"))]
    for guest in guests:
        hall.lobby.goodbye(guest)
        hall.journal.answer_all()
    hall.restart()
    hall.clock.pass_time(30.0)
    hall.journal.answer_all()
    assert fold(hall.journal.read("match-1")).outcome == Outcome("stayed away", (1,), 0)
    assert len(hall.lobby) == 0


def test_after_a_restart_bots_sit_where_they_sat() -> None:
    bots = NotedBots()
    hall = Hall(bots=bots)
    hall.guest(seek("ann", policy=HOLDS, bots=((1, bots.robot),)))
    bots.seated.clear()
    assert hall.restart() == (1, 0)
    assert bots.seated == [("match-1", 1, bots.robot)]
    assert [chair.away for chair in hall.lobby.table("match-1").match.chairs] == [100.0, None]


def test_a_match_that_cannot_be_read_keeps_no_other_from_being_taken_up() -> None:
    hall = Hall()
    hall.guest(seek("ann", policy=HOLDS)), hall.guest(seek("bob"))
    for name, rules, event in (("newer", 999, told.Readied(0.0, 0, Player())), ("odd", 1, told.Acted(0.0, 7, "?"))):
        opening = told.Opened(0.0, name, f"tris@{rules}", 2, {}, HOLDS)
        hall.journal.store(name, opening, event)
    assert hall.restart() == (1, 0)
    found: list[tuple[str, str]] = []
    assert hall.lobby.recover(lambda match, error: found.append((match, type(error).__name__))) == (0, 0)
    assert found == [("newer", "Refused"), ("odd", "Malformed")]
    assert len(hall.journal.read("odd")) == 2  # it stays as it is


def test_after_a_restart_other_matches_are_closed_as_interrupted() -> None:
    hall = Hall()
    hall.guest(seek("ann")), hall.guest(seek("bob"))  # in mid-play, and ends when somebody leaves
    hall.guest(seek("cyd", policy=HOLDS))  # not begun
    over = hall.guest(Seek("toy", 2, Player("dan")))
    hall.guest(Seek("toy", 2, Player("eve")))
    hall.do(over, ask.Resign(0))
    assert hall.restart() == (0, 2)
    outcomes = [fold(hall.journal.read(f"match-{number}")).outcome for number in (1, 2, 3)]
    assert outcomes == [Outcome("interrupted"), Outcome("interrupted"), Outcome("resigned", (1,), 0)]
    assert (len(hall.lobby), hall.restart()) == (0, (0, 0))


def test_what_was_not_durable_is_not_there_after_a_restart() -> None:
    hall = Hall()
    ann, bob = hall.guest(seek("ann", policy=HOLDS)), hall.guest(seek("bob"))
    hall.slow = True
    bob.take()
    hall.do(ann, ask.Act(0, (4,)))
    assert bob.news == []
    hall.restart()
    assert hall.lobby.table("match-1").match.moves == 0


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


def test_unfinished_matches_are_taken_up_one_at_a_time_oldest_first() -> None:
    hall = Hall()
    for name in ("ann", "bob", "cleo"):
        hall.guest(seek(name, policy=HOLDS, private=True))
    pairs = [hall.guest(seek(name, policy=HOLDS)) for name in ("dan", "eve", "fay", "gus")]
    assert [table_of(guest) for guest in pairs] == ["match-4", "match-4", "match-5", "match-5"]
    lobby = hall.lobby = hall._lobby()
    lobby.find_unfinished()
    assert (len(lobby), lobby.recovered) == (0, (0, 0)), "nothing is read yet"
    done = []
    while lobby.recover_next():
        done.append(lobby.recovered)
    assert [*done, lobby.recovered] == [(0, 1), (0, 2), (0, 3), (1, 3), (2, 3)]
    hall.journal.answer_all()
    assert [table.match.id for table in lobby] == ["match-4", "match-5"]


def test_unfinished_matches_are_read_over_one_connection_which_is_closed_with_the_last(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    hall, seen = Hall(), list[str]()
    for name in ("ann", "bob", "cleo"):
        hall.guest(seek(name, policy=HOLDS, private=True))

    @contextmanager
    def reading() -> Iterator[Any]:
        seen.append("opened")
        yield hall.journal.read
        seen.append("closed")

    monkeypatch.setattr(hall.journal, "reading", reading)
    lobby = hall.lobby = hall._lobby()
    lobby.find_unfinished()
    while lobby.recover_next():
        seen.append("taken up")
    assert seen == ["opened", "taken up", "taken up", "closed"]


def test_matches_are_read_one_by_one_where_no_connection_can_be_had_for_all(monkeypatch: pytest.MonkeyPatch) -> None:
    hall = Hall()
    for name in ("ann", "bob"):
        hall.guest(seek(name, policy=HOLDS, private=True))

    def reading() -> Any:
        raise OSError("not now")

    monkeypatch.setattr(hall.journal, "reading", reading)
    lobby = hall.lobby = hall._lobby()
    assert lobby.recover() == (0, 2)


def test_whoever_names_a_match_that_is_still_to_be_taken_up_has_it_at_once_and_once() -> None:
    hall = Hall()
    for name in ("ann", "bob", "cleo", "dan"):
        hall.guest(seek(name, policy=HOLDS))
    lobby = hall.lobby = hall._lobby()
    lobby.find_unfinished()
    dan = NotedGuest()
    assert hall.do(dan, Resume("match-2", 1, "DAN"))[0] == "Seated"
    assert [table.match.id for table in lobby] == ["match-2"]
    table = lobby.table("match-2")
    while lobby.recover_next():
        pass
    hall.journal.answer_all()
    assert lobby.recovered == (2, 0)
    assert lobby.table("match-2") is table is dan.table
    assert fold(hall.journal.read("match-2")) == table.match


def test_whoever_shows_a_token_is_answered_when_its_seats_are_known() -> None:
    hall = Hall()
    token = "t" * 32
    seats = [Seek("tris", 2, Player(name, key=key), None, HOLDS) for name, key in (("ann", key_of(token)), ("bob", ""))]
    for one in seats:
        hall.guest(one)
    lobby = hall.lobby = hall._lobby()
    lobby.find_unfinished()
    ann, gone, new = NotedGuest(), NotedGuest(), NotedGuest()
    assert hall.do(ann, Introduce(token)) == hall.do(gone, Introduce(token)) == []
    assert hall.do(new, Introduce()) == ["Introduced"], "somebody new has no seats"
    lobby.goodbye(gone)
    assert not lobby.recover_next()
    (introduced,) = ann.take()
    assert isinstance(introduced, Introduced)
    assert [(match.id, seat) for match, seat in introduced.kept] == [("match-1", 0)]
    assert gone.take() == []


# --- what is declined -------------------------------------------------------------------------------------------------


def test_what_is_declined_leaves_nothing_for_the_collector(no_collector: None) -> None:
    """The server lets the collector run so seldom that a peer who is refused thousands of times would make it stop."""
    hall, guest = Hall(), NotedGuest()
    reason = Malformed("not that")
    kept = ref(reason)
    hall.lobby.do(guest, Decline(reason))
    guest.take()
    del reason
    assert kept() is None


def by_name(name: str, **more: Any) -> Seek:
    """Players of a dialect without keys."""
    return Seek("toy", more.pop("seats", 2), Player(name, "old"), policy=HOLDS, returns=True, **more)


@pytest.mark.parametrize("errand", [by_name("ann"), Reclaim(Player("ann", "old"))])
def test_whoever_comes_back_by_name_is_answered_when_its_seats_are_known(errand: Any) -> None:
    hall = Hall()
    for name in ("ann", "bob", "cleo", "dan"):
        hall.guest(by_name(name))
    lobby = hall.lobby = hall._lobby()
    lobby.find_unfinished()
    ann, gone, other = NotedGuest(), NotedGuest(), NotedGuest()
    assert hall.do(ann, errand) == hall.do(gone, errand, Depart()) == []
    assert hall.do(other, Depart()) == []
    assert lobby.recover_next()
    assert not lobby.recover_next()
    hall.journal.answer_all()
    assert (table_of(ann), seat_of(ann)) == ("match-1", 0)
    assert gone.take() == []
    assert len(lobby) == 2


def test_whoever_comes_back_by_name_before_its_leaving_is_stored_has_its_seat() -> None:
    hall = Hall()
    ann, _ = hall.guest(by_name("ann")), hall.guest(by_name("bob"))
    hall.lobby.goodbye(ann)
    again = NotedGuest()
    assert hall.do(again, by_name("ann"))[0] == "Seated"
    assert (table_of(again), seat_of(again)) == ("match-1", 0)
    assert hall.lobby.table("match-1").match.chairs[0].away is None


def test_nobody_is_brought_back_to_a_match_that_it_is_out_of() -> None:
    hall = Hall()
    ann, *_ = [hall.guest(by_name(name, seats=3)) for name in ("ann", "bob", "cleo")]
    hall.do(ann, ask.Act(0, (toy.DROP,)))
    hall.lobby.goodbye(ann)
    hall.journal.answer_all()
    again = hall.guest(by_name("ann", seats=3))
    assert table_of(again) == "match-2"
    assert hall.do(NotedGuest(), Reclaim(Player("ann", "old"))) == ["NotHeld"]


def test_whoever_is_back_before_its_absence_could_be_stored_is_not_away() -> None:
    hall = Hall()
    for name in ("ann", "bob"):
        hall.guest(seek(name, policy=HOLDS))
    hall.journal.held.clear()
    hall.lobby = hall._lobby()
    hall.lobby.recover()
    ann = NotedGuest()
    hall.lobby.do(ann, Resume("match-1", 0, "ANN"))
    hall.journal.fail()
    hall.journal.answer_all()
    assert seat_of(ann) == 0
    hall.clock.pass_time(RETRY_SECONDS)
    hall.journal.answer_all()
    match = hall.lobby.table("match-1").match
    assert [chair.away is None for chair in match.chairs] == [True, False]


@pytest.mark.parametrize("stored", [False, True])
def test_bots_do_not_wait_for_somebody_whose_seat_could_not_be_stored(stored: bool) -> None:
    soon: list[Any] = []
    hall = Hall()
    hall.bots = HouseBots(lambda below: 0, soon.append, hall.clock.later)
    hall.lobby = hall._lobby()
    ann = NotedGuest()
    hall.lobby.do(ann, Seek("toy", 3, Player("ann"), bots=((0, bot_player("random")),)))
    (hall.journal.answer if stored else hall.journal.fail)()
    hall.journal.fail()
    assert ann.table is None
    hall.clock.pass_time(RETRY_SECONDS)
    hall.journal.answer_all()
    assert len(hall.lobby) == 0
    assert list(hall.journal.unfinished()) == []


def test_whoever_comes_again_before_its_leaving_is_stored_hears_of_its_seat_first() -> None:
    hall = Hall()
    ann, _ = (hall.guest(Seek("toy", 3, Player(name))) for name in ("ann", "bob"))
    hall.lobby.do(ann, Depart())
    hall.lobby.do(ann, Enter("match-1", Player("ann")))
    ann.take()
    hall.journal.answer_all()
    assert ann.heard() == ["Seated", told.Joined(100.0, 0, Player("ann"))]


def test_a_match_that_somebody_else_has_is_forgotten_here() -> None:
    hall = Hall(limit=1)
    ann, bob = hall.guest(seek("ann", policy=Policy(Leaving.HOLDS, 60.0))), hall.guest(seek("bob"))
    cid, dee = NotedGuest(), NotedGuest()
    assert hall.do(cid, seek("cid")) == ["the server is full: at most 1 matches at the same time; try again later"]
    hall.lobby.do(ann, ask.Act(0, (4,)))
    hall.journal.store("match-1", told.Acted(100.0, 0, 0))
    hall.journal.answer_all()
    assert (ann.closed, bob.closed) == ([ELSEWHERE], [ELSEWHERE])
    assert (len(hall.lobby), hall.lobby.full, [match for match, _ in hall.faults]) == (0, False, ["match-1"])
    assert hall.do(ann, Resume("match-1", 0, "ANN")) == ["there is no open table 'match-1'"]
    assert hall.do(ann, Introduce("a token that is long enough")) == ["Introduced"]
    assert hall.do(cid, seek("cid"))[0] == hall.do(dee, seek("dee"))[0] == "Seated"


def test_nobody_is_brought_to_a_waiting_table_that_somebody_else_has() -> None:
    hall = Hall()
    ann = hall.guest(seek("ann"))
    bob = NotedGuest()
    hall.lobby.do(bob, seek("bob"))
    hall.journal.store("match-1", told.Ended(100.0, Outcome("interrupted")))
    hall.journal.answer_all()
    assert (bob.heard(), ann.closed, len(hall.lobby)) == ([ELSEWHERE], [ELSEWHERE], 0)
    assert hall.do(bob, seek("bob"))[0] == "Seated"
    assert table_of(bob) == "match-2"


def test_an_unfinished_match_that_somebody_else_has_is_left_to_them() -> None:
    hall = Hall()
    hall.guest(seek("ann"))
    hall.journal.held.clear()
    hall.lobby = hall._lobby()
    hall.lobby.recover()
    hall.journal.store("match-1", told.Ended(100.0, Outcome("abandoned")))
    hall.journal.answer_all()
    assert fold(hall.journal.read("match-1")).outcome == Outcome("abandoned")
    assert ([match for match, _ in hall.faults], len(hall.lobby)) == (["match-1"], 0)


@pytest.mark.parametrize(("policy", "room"), [(Policy(Leaving.HOLDS, 60.0), False), (Policy(), True)])
def test_what_a_former_process_left_counts_as_played_until_it_is_known_whether_it_is(
    policy: Policy, room: bool
) -> None:
    hall = Hall(limit=2)
    for name in ("a", "b", "c", "d"):
        hall.guest(seek(name, policy=policy))
    hall.lobby = hall._lobby()
    hall.lobby.find_unfinished()
    ann, bob = NotedGuest(), NotedGuest()
    for _ in range(2):
        assert hall.lobby.full
        assert "at most 2 matches" in hall.do(ann, seek("ann"))[0]
        hall.lobby.recover_next()
        hall.journal.answer_all()
        assert hall.lobby.full is not room
        if room:
            break
    assert (hall.do(ann, seek("ann"))[0] == "Seated") is room
    assert (hall.do(bob, seek("bob"))[0] == "Seated") is room


def test_those_who_could_not_meet_before_all_was_taken_up_meet_then() -> None:
    hall = Hall(limit=2)
    hall.guest(seek("a")), hall.guest(seek("b"))
    hall.lobby = hall._lobby()
    hall.lobby.find_unfinished()
    ann, ghost, bob = (hall.guest(seek(name, ready=name != "ghost")) for name in ("ann", "ghost", "bob"))
    cid, dee = hall.guest(seek("cid", private=True)), NotedGuest()
    code = hall.lobby.table(str(table_of(cid))).match.setting.code
    hall.do(dee, Enter(str(table_of(cid)), Player("dee"), code))
    assert hall.lobby.full, "one is played, one is to be taken up"
    hall.lobby.goodbye(ghost)
    hall.journal.answer_all()
    assert table_of(ann) != table_of(bob)
    hall.lobby.recover_next()
    hall.clock.pass_time(0.0)
    hall.journal.answer_all()
    assert table_of(ann) == table_of(bob)
