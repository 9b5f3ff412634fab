"""Quotas of one player and one address, over all connections and tokens."""

from __future__ import annotations

from typing import Any

import pytest

from boardwire.games.game import Outcome
from boardwire.lobby.held_seats import token_hash
from boardwire.lobby.lobby import Lobby
from boardwire.lobby.quotas import Quotas
from boardwire.lobby.requests import Depart, Enter, Introduce, Open, Reclaim, Rematch, Resume, Seek, Watch
from boardwire.simulation.luck import ScriptedDealer
from boardwire.table import commands as cmd
from boardwire.table import events as ev
from boardwire.table.events import Player
from boardwire.table.match import MINUTE, Status, fold
from boardwire.table.policy import BOT_MATCH_HOLD_SECONDS, Leaving, Policy

from ..table.doubles import NotedBots, NotedGuest
from .hall import Hall as OpenHall

HOLDS = Policy(Leaving.HOLDS, grace=100.0)


class Hall(OpenHall):
    """Lobby with small limits."""

    def __init__(self, **quotas: int) -> None:
        self._quotas = Quotas(**quotas)
        super().__init__(bots=NotedBots())

    def new_lobby(self) -> Lobby:
        return Lobby(
            self.journal, self.clock, ScriptedDealer(seed=0), self.names, self.bots, limit=self._limit,
            quotas=self._quotas,
        )  # fmt: skip

    def player(self, token: str = "", address_key: str = "here") -> NotedGuest:
        """Return a new connection of a player."""
        guest = NotedGuest()
        guest.address_key = address_key
        self.do(guest, Introduce(token))
        return guest


def seek(guest: NotedGuest, **more: Any) -> Seek:
    bots = ((1, NotedBots.robot),)
    return Seek("tris", 2, Player("ann", key=guest.key), None, HOLDS, private=True, **{"bots": bots, **more})


def test_held_seats_are_limited_per_address_over_all_players() -> None:
    hall = Hall(held=3)
    for number in range(3):
        guest, other = hall.player(), hall.player(address_key="far")
        for one, name in ((guest, f"ann {number}"), (other, f"bob {number}")):
            hall.do(one, Seek("tris", 2, Player(name, key=one.key), None, HOLDS))
        hall.lobby.disconnected(guest)
        hall.journal.answer_all()
    guest = hall.player()
    (refusal,) = hall.do(guest, seek(guest))
    assert refusal.startswith("3 seats are held for absent players from your address; the limit is 3: one of them must")
    far = hall.player(address_key="far")
    assert hall.do(far, seek(far))[0] == "Seated", "others have bounds of their own"
    hall.clock.pass_time(HOLDS.grace)
    hall.journal.answer_all()
    assert hall.do(guest, seek(guest))[0] == "Seated", "nobody came back, and the seats are free"


def test_simultaneous_departures_respect_the_quota_of_held_seats() -> None:
    hall = Hall(held=3)
    guests = [hall.player() for _ in range(8)]
    for guest in guests:
        hall.do(guest, seek(guest))
    for guest in guests:
        hall.lobby.disconnected(guest)
    hall.journal.answer_all()
    matches = [fold(hall.journal.read(name)) for name in hall.journal.names()]
    assert [match.outcome for match in matches] == [None] * 3 + [Outcome("abandoned", (), 0)] * 5
    assert isinstance(hall.journal.read(matches[-1].id)[-2], ev.Left)


def test_a_player_at_the_limit_gives_up_the_oldest_match_against_bots_that_it_left() -> None:
    hall = Hall(seats=2)
    for _ in range(2):
        ann = hall.player("a" * 32)
        hall.do(ann, seek(ann))
        hall.lobby.disconnected(ann)
        hall.journal.answer_all()
    again = hall.player("a" * 32)
    assert hall.do(again, seek(again))[0] == "Seated"
    hall.journal.answer_all()
    first, second, third = (fold(hall.journal.read(name)) for name in hall.journal.names())
    assert first.outcome == Outcome("abandoned", (), 0)
    assert second.status is third.status is Status.PLAYING


def test_an_address_at_the_limit_gives_up_the_oldest_match_against_bots_that_was_left() -> None:
    hall = Hall(bot_matches=2)
    for _ in range(2):
        ann = hall.player()
        hall.do(ann, seek(ann))
        hall.lobby.disconnected(ann)
        hall.journal.answer_all()
    bob = hall.player()
    assert hall.do(bob, seek(bob))[0] == "Seated"
    hall.journal.answer_all()
    assert [fold(hall.journal.read(name)).status for name in hall.journal.names()] == ["over", "playing", "playing"]


def test_a_match_that_waits_for_its_only_person_does_not_count_toward_the_match_limit() -> None:
    hall = Hall()
    hall.lobby.context.limit = 1
    ann, bob = hall.player(), hall.player()
    hall.do(ann, seek(ann))
    assert "the server is full" in hall.do(bob, seek(bob))[0]
    hall.lobby.disconnected(ann)
    hall.journal.answer_all()
    assert hall.do(bob, seek(bob))[0] == "Seated"


def test_a_seat_whose_player_is_out_of_a_match_that_goes_on_is_held_no_longer() -> None:
    hall = Hall(held=1)
    guests = [hall.player(address_key=place) for place in ("here", "far", "away")]
    for name, guest in zip(("ann", "bob", "cid"), guests, strict=True):
        hall.do(guest, Seek("toy", 3, Player(name, key=guest.key), None, HOLDS))
    hall.lobby.disconnected(guests[0])
    hall.journal.answer_all()
    more = hall.player()
    assert "1 seats are held" in hall.do(more, seek(more))[0]
    hall.clock.pass_time(HOLDS.grace)
    hall.journal.answer_all()
    assert hall.lobby.table("match-1").match.status is Status.PLAYING, "the others play on"
    assert hall.do(more, seek(more))[0] == "Seated"


def test_a_return_releases_a_held_seat() -> None:
    hall = Hall(held=1)
    ann = hall.player("a" * 32)
    hall.do(ann, seek(ann))
    hall.lobby.disconnected(ann)
    hall.journal.answer_all()
    again = hall.player("a" * 32)
    assert hall.do(again, Resume("match-1", 0, token_hash("a" * 32)))[:1] == ["Seated"]
    bob = hall.player()
    assert hall.do(bob, seek(bob))[0] == "Seated"


def test_a_guest_without_an_address_has_no_quota() -> None:
    hall = Hall(held=1)
    for _ in range(3):
        guest = hall.player(address_key="")
        assert hall.do(guest, seek(guest))[0] == "Seated"
        hall.lobby.disconnected(guest)
        hall.journal.answer_all()


def test_matches_against_bots_are_counted_by_address_and_rematches_too() -> None:
    hall = Hall(bot_matches=2)
    one, other, third = hall.player(), hall.player(), hall.player()
    assert hall.do(one, seek(one))[0] == hall.do(other, seek(other))[0] == "Seated"
    words = "your address has 2 unfinished matches against bots; finish one first"
    assert hall.do(third, seek(third)) == [words]
    hall.do(one, cmd.Resign(0))
    assert hall.do(third, seek(third))[0] == "Seated"
    assert hall.do(one, Rematch()) == [words]
    hall.do(other, cmd.Resign(0))
    assert "Seated" in hall.do(one, Rematch())


def test_tables_are_counted_by_player_over_reconnects_and_rematches_too() -> None:
    hall = Hall(openings=2)
    first, ann = hall.player("a" * 32), hall.player("a" * 32)
    assert hall.do(first, seek(first))[0] == hall.do(ann, seek(ann))[0] == "Seated"
    words = "too many table requests: at most 2 per minute"
    hall.do(ann, cmd.Resign(0))
    assert hall.do(ann, Rematch()) == [words]
    assert hall.do(hall.player("a" * 32), seek(ann)) == [words]
    hall.clock.pass_time(MINUTE)
    assert "Seated" in hall.do(ann, Rematch())


def test_tables_and_joins_are_counted_by_address_over_tokens() -> None:
    hall = Hall(openings_from=3, comings_from=2)
    words = "too many requests from your address; try again in a minute"
    for guest in [hall.player() for _ in range(3)]:
        assert hall.do(guest, seek(guest))[0] == "Seated"
    late = hall.player()
    assert hall.do(late, seek(late)) == [words]
    for _ in range(2):
        assert hall.do(hall.player(), Watch("match-1", "CODE1")) == ["Watching"]
    for request in (Watch("match-1", "CODE1"), Enter("match-1", Player("eve"), "CODE1"), Resume("match-1", 0, "")):
        assert hall.do(hall.player(), request) == [words]


def test_the_number_of_seats_is_limited_per_player_over_all_connections() -> None:
    hall = Hall(seats=2)
    for ann in [hall.player("a" * 32) for _ in range(2)]:
        hall.do(ann, seek(ann))
    again = hall.player("a" * 32)
    (refusal,) = hall.do(again, seek(again))
    assert refusal == "you have seats in 2 unfinished matches: return to one of them and finish it"


def test_a_full_server_starts_no_rematch() -> None:
    hall = Hall()
    ann, bob = hall.player(), hall.player()
    hall.do(ann, seek(ann))
    hall.do(ann, cmd.Resign(0))
    hall.lobby.context.limit = 1
    hall.do(bob, seek(bob))
    assert hall.do(ann, Rematch()) == ["the server is full: at most 1 matches at the same time; try again later"]


@pytest.mark.parametrize("leave", [True, False])
def test_finished_matches_leave_no_counts(leave: bool) -> None:
    hall = Hall()
    guests = [hall.player() for _ in range(5)]
    for guest in guests:
        hall.do(guest, seek(guest))
        if leave:
            hall.do(guest, Depart())
            hall.clock.pass_time(BOT_MATCH_HOLD_SECONDS)
        else:
            hall.do(guest, cmd.Resign(0))
        hall.journal.answer_all()
    ledger = hall.lobby.context.quotas
    assert (ledger._held, ledger._away, ledger._bots, ledger._owner) == ({}, {}, {}, {})


def test_tables_opened_without_a_seat_are_counted() -> None:
    hall = Hall(openings_from=2)
    told_ = [hall.do(hall.player(), Open(Seek("tris", 2, Player("ann"), None, HOLDS)))[-1] for _ in range(3)]
    assert told_ == ["Watching", "Watching", "too many requests from your address; try again in a minute"]


def test_returns_by_name_are_counted() -> None:
    hall = Hall(comings_from=2)
    ann, bob = (Player(name, "old") for name in ("ann", "bob"))
    for player in (ann, bob):
        hall.guest(Seek("tris", 2, player, None, HOLDS))
    heard = []
    for _ in range(3):
        hall.lobby.disconnected(next(iter(hall.lobby.table("match-1").guests)))
        hall.journal.answer_all()
        guest = NotedGuest()
        guest.address_key = "here"
        heard.append(hall.do(guest, Reclaim(ann), Reclaim(bob))[0])
    assert heard[2] == "too many requests from your address; try again in a minute"


def test_spectators_of_one_address_at_a_table_are_limited_and_others_are_not() -> None:
    hall = Hall(spectators_from=2)
    host = hall.player(address_key="players")
    assert hall.do(host, Seek("tris", 2, Player("ann", key=host.key), None, HOLDS))[0] == "Seated"
    assert host.table is not None
    watch = Watch(host.table.match.id)
    crowd = [hall.player() for _ in range(3)]
    assert [hall.do(one, watch)[0] for one in crowd[:2]] == ["Watching", "Watching"]
    assert hall.do(crowd[2], watch) == ["2 spectators from your address already watch this table; the limit is 2"]
    assert hall.do(hall.player(address_key="far"), watch)[0] == "Watching"
    assert hall.do(crowd[0], Depart()) is not None
    assert hall.do(crowd[2], watch)[0] == "Watching", "one of them has left"
