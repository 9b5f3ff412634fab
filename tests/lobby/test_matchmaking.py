"""Seeks find a waiting table or open one."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from boardwire.bots.server_bots import ServerBots, bot_player
from boardwire.lobby.requests import (
    Attend,
    Depart,
    Open,
    Seek,
)
from boardwire.table import events as ev
from boardwire.table.events import Player
from boardwire.table.guest import Tie
from boardwire.table.match import Status
from boardwire.table.policy import Leaving, Policy
from boardwire.table.table import APPEND_RETRY_SECONDS

from ..table import toy
from ..table.doubles import NotedBots, NotedGuest
from .hall import HOLDS, Hall, booked, seat_of, seek, table_of


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


def test_a_table_keeps_the_options_and_the_policy_of_its_opener() -> None:
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
def test_an_unplayable_request_opens_no_table(request_: Seek, words: str) -> None:
    hall = Hall()
    guest = NotedGuest()
    for request in (request_, Open(request_)):
        (heard,) = hall.do(guest, request)
        assert words in heard
    assert (guest.table, len(hall.lobby), hall.journal.names()) == (None, 0, ())


def test_a_fresh_seek_opens_a_table_that_others_can_join() -> None:
    hall = Hall()
    own = seek(fresh=True, tie=Tie.TABLE)
    guests = [hall.guest(seek(tie=Tie.TABLE)), hall.guest(own), hall.guest(seek()), hall.guest(seek())]
    assert [table_of(guest) for guest in guests] == ["match-1", "match-2", "match-1", "match-2"]


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


def test_an_unknown_bot_opens_no_table() -> None:
    for bots in (NotedBots(), None):
        hall = Hall(bots=bots)
        ann = NotedGuest()
        assert hall.do(ann, seek("ann", bots=((1, Player("", "bot", "nobody")),))) == [
            "there is no bot 'nobody' for tris; GET /api/bots lists the bots"
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


def test_a_table_opened_with_bots_is_offered() -> None:
    bots = NotedBots()
    hall = Hall(bots=bots)
    host = hall.guest(Open(Seek("toy", 3, Player(), bots=((1, bots.robot),))))
    assert table_of(host) == "match-1"
    guest = hall.guest(Seek("toy", 3, Player("ann")))
    assert (table_of(guest), seat_of(guest)) == ("match-1", 0)


def test_a_seat_that_is_freed_before_the_start_is_offered_again_in_its_old_place() -> None:
    hall = Hall()
    early = [hall.guest(Seek("toy", 2, Player(name), ready=False)) for name in ("ann", "bob")]
    late = hall.guest(Seek("toy", 2, Player("cyd"), ready=False, tie=Tie.TABLE))
    assert [table_of(guest) for guest in (*early, late)] == ["match-1", "match-1", "match-2"]
    early[1].tie = Tie.TABLE
    hall.lobby.disconnected(early[0])
    hall.journal.answer_all()
    newcomer = hall.guest(Seek("toy", 2, Player("dan"), ready=False))
    assert (table_of(newcomer), seat_of(newcomer)) == ("match-1", 0)


def test_a_table_that_is_about_to_end_is_not_offered() -> None:
    hall = Hall()
    ann = hall.guest(seek())
    hall.slow = True
    hall.do(ann, Depart())
    bob = hall.guest(seek("bob"))
    zoe = hall.guest(Attend("tris", "d"))
    hall.journal.answer_all()
    assert [table_of(bob), table_of(zoe)] == ["match-2", "match-2"]
    assert bob.heard() == ["Seated", ev.Joined(100.0, 0, Player("bob", "d", key="BOB"))]


def test_a_seek_gets_the_seat_of_a_player_who_is_leaving() -> None:
    hall = Hall(slow=True)
    ann = hall.guest(seek("ann"))
    hall.lobby.disconnected(ann)
    bob = hall.guest(seek("bob"))
    hall.journal.answer_all()
    assert ann.notification == []
    assert (table_of(bob), seat_of(bob)) == ("match-1", 0)
    assert hall.lobby.table("match-1").match.status is Status.WAITING


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


@pytest.mark.parametrize("stored", [False, True])
def test_bots_do_not_keep_a_table_open_after_a_failed_join(stored: bool) -> None:
    soon: list[Any] = []
    hall = Hall()
    hall.bots = ServerBots(lambda below: 0, soon.append, hall.clock.later)
    hall.lobby = hall.new_lobby()
    ann = NotedGuest()
    hall.lobby.do(ann, Seek("toy", 3, Player("ann"), bots=((0, bot_player("random")),)))
    (hall.journal.answer if stored else hall.journal.fail)()
    hall.journal.fail()
    assert ann.table is None
    hall.clock.pass_time(APPEND_RETRY_SECONDS)
    hall.journal.answer_all()
    assert len(hall.lobby) == 0
    assert list(hall.journal.unfinished()) == []


# --- pairing by options and clock -----------------------------------------------------------------------------------


def paired(name: str, **clock: Any) -> Seek:
    return Seek(
        "tris", 2, Player(name, "d", key=name.upper()), policy=Policy(Leaving.HOLDS, 120.0, **clock), tie=Tie.TERMS
    )


def test_fifty_simultaneous_pairings_make_twenty_five_full_tables() -> None:
    hall = Hall(slow=True)  # no seat is stored before all have asked
    guests = [hall.guest(paired(f"p{number}", bank=180.0, increment=2.0)) for number in range(50)]
    hall.journal.answer_all()
    assert len(hall.lobby) == 25
    assert all(table.match.status is Status.PLAYING for table in hall.lobby)
    assert [table_of(one) for one in guests[::2]] == [table_of(one) for one in guests[1::2]]


def test_a_pairing_leads_only_to_a_table_with_its_clock() -> None:
    hall = Hall()
    slow, fast = (
        hall.guest(paired("ann", bank=600.0, increment=5.0)),
        hall.guest(paired("bob", bank=180.0, increment=2.0)),
    )
    untimed, moves = hall.guest(paired("cyd")), hall.guest(paired("dan", per_move=60.0))
    assert len({table_of(one) for one in (slow, fast, untimed, moves)}) == 4
    assert table_of(hall.guest(paired("eve", bank=180.0, increment=2.0))) == table_of(fast)
    assert table_of(hall.guest(paired("fay"))) == table_of(untimed)


def test_a_pairing_leads_only_to_a_table_with_its_options() -> None:
    hall = Hall()

    def with_options(name: str, options: toy.Options | None) -> Seek:
        return Seek("toy", 2, Player(name), options, HOLDS, tie=Tie.TERMS)

    long = hall.guest(with_options("ann", toy.Options(8)))
    usual = hall.guest(with_options("bob", None))
    assert table_of(long) != table_of(usual)
    assert table_of(hall.guest(with_options("cyd", toy.Options(8)))) == table_of(long)
    assert table_of(hall.guest(with_options("dan", toy.Options()))) == table_of(usual)


def test_a_pairing_passes_a_table_where_its_name_is_taken() -> None:
    hall = Hall()
    first, again = hall.guest(paired("ann")), hall.guest(paired("ann"))
    assert table_of(first) != table_of(again)
    assert table_of(hall.guest(paired("bob"))) == table_of(first)  # the oldest


def test_a_pairing_joins_a_table_that_was_opened_by_hand() -> None:
    hall = Hall()
    ann = hall.guest(replace(paired("ann", per_move=60.0), fresh=True, tie=Tie.TABLE))
    assert table_of(hall.guest(paired("bob", per_move=60.0))) == table_of(ann)
