"""The actor around a match: durable before published, one command at a time, time-outs, bots."""

from __future__ import annotations

from typing import Any
from weakref import ref

import pytest

from boardwire.games.game import Outcome
from boardwire.simulation.clock import ManualClock
from boardwire.simulation.luck import ScriptedDealer
from boardwire.table import commands as cmd
from boardwire.table import events as ev
from boardwire.table.events import Opened, Player
from boardwire.table.guest import Displaced, Refusal, Seated, Step, Watching
from boardwire.table.handover import Superseded
from boardwire.table.match import Status, fold, match_of_opening
from boardwire.table.policy import Leaving, Policy
from boardwire.table.ports import Bots, ListedTable, NoBots, NoObserver
from boardwire.table.table import APPEND_RETRY_SECONDS, Table
from boardwire.table.termination import Termination

from . import toy
from .doubles import HeldJournal, NotedBots, NotedGuest

ANN, BOB = Player("ann", key="A"), Player("bob", key="B")
HOLDS = Policy(Leaving.HOLDS, grace=30.0)
CANNOT_STORE = "the server cannot store this at the moment; try again"
ELSEWHERE = "this match continues on another server and is closed here"


class Place(NoObserver):
    """A table whose environment the test controls."""

    def __init__(
        self, policy: Policy | None = None, game: str = "tris", seats: int = 2, bots: Bots | None = None
    ) -> None:
        self.journal = HeldJournal()
        self.clock = ManualClock(100.0)
        self.dealer = ScriptedDealer(seed=0)
        self.changes = self.booked = 0
        self.reported: list[tuple[str, Exception]] = []
        opening = Opened(100.0, "m", f"{game}@1", seats, {}, policy or Policy())
        tools = self.journal, self.clock, self.dealer, bots or NoBots()
        self.table = Table(match_of_opening(opening), *tools, opening=opening, observer=self, report=self._report)

    def _report(self, match: str, error: Exception) -> None:
        self.reported.append((match, error))

    def changed(self, table: ListedTable) -> None:
        """As its observer."""
        self.changes += 1

    def freed(self, table: ListedTable) -> None:
        """As its observer."""
        self.booked -= 1

    def expects(self, table: ListedTable) -> bool:
        """As its observer."""
        return self.booked > sum(player is not None for player in table.match.players)

    def join(self, guest: NotedGuest, player: Player, **more: Any) -> None:
        """Join as the lobby does."""
        self.booked += 1
        guest.table = self.table
        self.table.do(guest, cmd.Join(player, **more))

    def seat(self, *players: Player) -> list[NotedGuest]:
        """Return seated guests with their notifications drained."""
        guests = [NotedGuest() for _ in players]
        for guest, player in zip(guests, players, strict=True):
            self.join(guest, player)
            self.journal.answer_all()
        for guest in guests:
            guest.take()
        return guests

    def stored(self) -> list[Any]:
        """Return the journal without the opening."""
        return list(self.journal.read("m"))[1:]


# --- nothing is told before it is stored ----------------------------------------------------------------------------


def test_nothing_is_published_before_it_is_durable() -> None:
    place = Place()
    ann, bob = place.seat(ANN, BOB)
    before = place.table.match
    place.table.do(ann, cmd.Act(0, (4,)))
    assert (ann.notification, bob.notification) == ([], [])
    assert place.table.match is before
    place.journal.answer()
    assert ann.heard() == bob.heard() == [ev.Acted(100.0, 0, 4)]
    assert place.table.match.moves == 1


def test_a_join_sends_seated_and_then_its_step() -> None:
    place = Place()
    ann = NotedGuest()
    place.join(ann, ANN)
    assert ann.notification == []
    place.journal.answer()
    seated, step = ann.take()
    assert seated == Seated(place.table.match, 0)
    assert isinstance(step, Step)
    assert [moment.event for moment in step.moments] == [ev.Joined(100.0, 0, ANN)]
    assert step.match is place.table.match
    assert place.table.seat_of(ann) == 0
    assert place.table.guests == (ann,)


def test_the_opening_is_stored_with_the_first_event() -> None:
    place = Place()
    place.join(NotedGuest(), ANN)
    ((match, first, events, _),) = place.journal.held
    assert (match, first, [type(event) for event in events]) == ("m", 1, [Opened, ev.Joined])
    place.journal.answer()
    place.join(NotedGuest(), BOB)
    assert place.journal.held[0][1] == 3


def test_a_second_command_waits_until_the_first_is_durable() -> None:
    place = Place()
    ann, bob = place.seat(ANN, BOB)
    place.table.do(ann, cmd.Act(0, (4,)))
    place.table.do(bob, cmd.Act(1, (4,)))
    place.table.do(bob, cmd.Act(1, (5,)))
    assert len(place.journal.held) == 1
    place.journal.answer()
    assert bob.heard() == [ev.Acted(100.0, 0, 4), "cell 4 is taken"]
    assert ann.heard() == [ev.Acted(100.0, 0, 4)]
    assert len(place.journal.held) == 1
    place.journal.answer()
    assert ann.heard() == bob.heard() == [ev.Acted(100.0, 1, 5)]


def test_the_guest_that_acted_is_notified_first() -> None:
    place = Place()
    order: list[str] = []
    guests = place.seat(ANN, BOB)
    guests[0].tell = lambda notification: order.append("ann")
    guests[1].tell = lambda notification: order.append("bob")
    for number, cell in enumerate((4, 0)):
        place.table.do(guests[number], cmd.Act(number, (cell,)))
        place.journal.answer()
    assert order == ["ann", "bob", "bob", "ann"]


def test_a_refusal_goes_to_its_sender_alone_and_nothing_is_stored() -> None:
    place = Place()
    ann, bob = place.seat(ANN, BOB)
    command = cmd.Act(1, (4,))
    place.table.do(bob, command)
    (refusal,) = bob.take()
    assert isinstance(refusal, Refusal)
    assert (refusal.command, str(refusal.reason)) == (command, "it is ann's turn")
    assert (ann.notification, place.journal.held) == ([], [])


def test_a_refusal_is_freed_without_the_collector(no_collector: None) -> None:
    """The guest is in one of the frames that the reason was raised in."""
    place = Place()
    _, bob = place.seat(ANN, BOB)

    def ask_for_too_much() -> ref[Any]:
        place.table.do(bob, cmd.Join(BOB))
        (refusal,) = bob.take()
        assert isinstance(refusal, Refusal)
        return ref(refusal.reason)

    assert ask_for_too_much()() is None


def test_a_command_that_changes_nothing_is_silent() -> None:
    place = Place(HOLDS)
    ann, bob = place.seat(ANN, BOB)
    place.table.do(None, cmd.Leave(0))
    place.journal.answer()
    assert ann.heard() == bob.heard() == [ev.Left(100.0, 0)]
    place.table.do(None, cmd.Leave(0))
    assert (ann.notification, bob.notification, place.journal.held) == ([], [], [])


# --- when the journal fails -----------------------------------------------------------------------------------------


def test_a_failed_append_refuses_the_sender_alone_and_the_table_goes_on() -> None:
    place = Place()
    ann, bob = place.seat(ANN, BOB)
    before = place.table.match
    place.table.do(ann, cmd.Act(0, (4,)))
    place.journal.fail()
    assert ann.heard() == [CANNOT_STORE]
    assert bob.notification == []
    assert place.table.match is before
    place.table.do(ann, cmd.Act(0, (4,), before.seq))
    place.journal.answer()
    assert ann.heard() == bob.heard() == [ev.Acted(100.0, 0, 4)]
    assert fold(place.journal.read("m")) == place.table.match


def test_a_journal_that_raises_has_not_stored_and_the_table_goes_on(monkeypatch: pytest.MonkeyPatch) -> None:
    place = Place()
    ann, _ = place.seat(ANN, BOB)

    def broken(*_: object) -> None:
        raise OSError("no such journal")

    with monkeypatch.context() as patch:
        patch.setattr(place.journal, "append", broken)
        with pytest.raises(OSError, match="no such journal"):
            place.table.do(ann, cmd.Act(0, (4,)))
    assert ann.heard() == [CANNOT_STORE]
    place.table.do(ann, cmd.Act(0, (4,)))
    place.journal.answer()
    assert ann.heard() == [ev.Acted(100.0, 0, 4)]


def test_a_failed_join_frees_the_booking_and_the_opening_is_stored_with_the_next() -> None:
    place = Place()
    ann, bob = NotedGuest(), NotedGuest()
    place.join(ann, ANN)
    place.join(bob, BOB)
    place.journal.fail()
    assert ann.heard() == [CANNOT_STORE]
    assert (ann.table, place.booked) == (None, 1)
    place.journal.answer()
    assert bob.heard() == ["Seated", ev.Joined(100.0, 0, BOB)]
    assert isinstance(place.journal.read("m")[0], Opened)


def test_a_departure_that_cannot_be_stored_is_retried() -> None:
    place = Place()
    ann, bob = place.seat(ANN, BOB)
    place.table.leave(bob)
    place.journal.fail()
    assert ann.notification == []
    assert place.table.match.status is Status.PLAYING
    place.clock.pass_time(APPEND_RETRY_SECONDS)
    place.journal.fail()
    place.clock.pass_time(APPEND_RETRY_SECONDS)
    place.journal.answer()
    at = 100.0 + 2 * APPEND_RETRY_SECONDS
    assert ann.heard() == [ev.Left(at, 1), ev.Ended(at, Outcome("abandoned", by=1))]
    assert bob.notification == []


def test_a_time_out_that_cannot_be_stored_is_tried_again() -> None:
    place = Place(Policy(per_move=10.0))
    ann, _ = place.seat(ANN, BOB)
    place.clock.pass_time(10.0)
    place.journal.fail()
    assert ann.notification == []
    place.clock.pass_time(APPEND_RETRY_SECONDS)
    place.journal.answer()
    assert ann.heard()[0] == ev.TimedOut(110.0 + APPEND_RETRY_SECONDS, 0)


def test_a_table_steps_down_after_a_takeover() -> None:
    place = Place(Policy(per_move=10.0))
    ann, bob = place.seat(ANN, BOB)
    zoe = NotedGuest()
    place.table.watch(zoe)
    zoe.take()
    theirs = ev.Acted(100.0, 0, 0)
    place.table.do(ann, cmd.Act(0, (4,)))
    place.table.do(bob, cmd.Chat(1, "hello"))
    place.table.do(None, cmd.TimeOut(0))
    changes = place.changes
    place.journal.store("m", theirs)
    place.journal.answer()
    assert (ann.heard(), bob.heard(), zoe.heard()) == ([ELSEWHERE], [ELSEWHERE], [])
    assert [(guest.table, guest.closed) for guest in (ann, bob, zoe)] == [(None, [ELSEWHERE])] * 3
    assert (place.table.superseded, place.table.ends, place.table.guests, place.table.idle) == (True, True, (), True)
    assert place.changes > changes
    assert [(match, type(error)) for match, error in place.reported] == [("m", Superseded)]
    assert place.stored()[-1] == theirs
    place.clock.pass_time(3600.0)
    assert (place.journal.held, len(place.reported)) == ([], 1), "no time runs any more"


def test_a_table_that_has_stepped_down_ignores_commands() -> None:
    place = Place()
    (ann,) = place.seat(ANN)
    bob = NotedGuest()
    place.join(bob, BOB)
    place.journal.store("m", ev.Ended(100.0, Outcome("abandoned")))
    place.journal.answer()
    assert (bob.heard(), bob.table, ann.closed) == ([ELSEWHERE], None, [ELSEWHERE])
    place.join(bob, BOB)
    assert (bob.heard(), bob.table, place.journal.held) == ([ELSEWHERE], None, [])
    place.table.leave(ann)
    place.table.do(None, cmd.Close(Termination.INTERRUPTED))
    assert (place.journal.held, ann.notification) == ([], [])


def test_a_departure_is_not_retried_after_a_takeover() -> None:
    place = Place()
    _, bob = place.seat(ANN, BOB)
    place.table.leave(bob)
    place.journal.store("m", ev.Left(100.0, 1))
    place.journal.answer()
    place.clock.pass_time(10 * APPEND_RETRY_SECONDS)
    assert place.journal.held == []


def test_a_player_who_is_back_before_its_leaving_could_be_stored_keeps_its_seat() -> None:
    place = Place(HOLDS)
    ann, bob = place.seat(ANN, BOB)
    place.table.leave(bob)
    place.journal.fail()
    again = NotedGuest()
    again.table = place.table
    place.table.do(again, cmd.Return(1, "B"))
    assert again.heard() == ["Seated"]
    place.clock.pass_time(APPEND_RETRY_SECONDS)
    assert place.journal.held == []
    assert place.table.seat_of(again) == 1
    assert (ann.notification, bob.notification) == ([], [])


# --- coming and going -----------------------------------------------------------------------------------------------


def test_a_guest_that_leaves_while_its_join_is_stored_receives_nothing_and_frees_its_seat() -> None:
    place = Place(None, "toy", 3)
    (ann,) = place.seat(ANN)
    bob = NotedGuest()
    place.join(bob, BOB)
    place.table.leave(bob)
    assert place.table.expects(bob)
    place.journal.answer()
    assert ann.heard() == [ev.Joined(100.0, 1, BOB)]
    place.journal.answer()
    assert ann.heard() == [ev.Left(100.0, 1)]
    assert (bob.notification, bob.table, place.table.seat_of(bob), place.booked) == ([], None, None, 1)
    assert place.table.guests == (ann,)


def test_a_guest_that_leaves_before_its_join_fails_receives_nothing() -> None:
    place = Place()
    ann = NotedGuest()
    place.join(ann, ANN)
    place.table.leave(ann)
    place.journal.fail()
    assert (ann.notification, place.booked, place.journal.held) == ([], 0, [])


def test_an_empty_table_stays_open_for_a_pending_join() -> None:
    place = Place()
    (ann,) = place.seat(ANN)
    place.table.do(ann, cmd.Chat(0, "bye"))
    place.table.leave(ann)
    bob = NotedGuest()
    place.join(bob, BOB)
    place.journal.answer_all()
    assert place.stored()[-2:] == [ev.Left(100.0, 0), ev.Joined(100.0, 0, BOB)]
    assert place.table.match.status is Status.WAITING
    assert bob.heard() == ["Seated", ev.Joined(100.0, 0, BOB)]


def test_a_table_announces_its_end_before_that_is_durable() -> None:
    place = Place()
    (ann,) = place.seat(ANN)
    assert not place.table.ends
    place.table.leave(ann)
    assert place.table.ends
    assert place.table.match.status is Status.WAITING
    place.journal.answer()
    assert place.table.ends


def test_a_spectator_receives_every_later_step() -> None:
    place = Place()
    ann, bob = place.seat(ANN, BOB)
    zoe = NotedGuest()
    place.table.watch(zoe)
    assert zoe.take() == [Watching(place.table.match)]
    place.table.do(zoe, cmd.Chat(None, "hello", "zoe"))
    place.journal.answer()
    hello = ev.Chatted(100.0, None, "hello", "zoe")
    assert zoe.heard() == ann.heard() == bob.heard() == [hello]
    place.table.leave(zoe)
    place.table.do(ann, cmd.Act(0, (4,)))
    place.journal.answer()
    assert zoe.notification == []
    assert zoe.table is None


def test_watching_twice_notifies_once() -> None:
    place = Place()
    ann, _ = place.seat(ANN, BOB)
    zoe = NotedGuest()
    place.table.watch(zoe)
    place.table.watch(zoe)
    zoe.take()
    place.table.do(ann, cmd.Act(0, (4,)))
    place.journal.answer()
    assert zoe.heard() == [ev.Acted(100.0, 0, 4)]


def test_a_guest_removed_during_a_notification_receives_nothing_more() -> None:
    place = Place()
    ann, bob = place.seat(ANN, BOB)
    zoe = NotedGuest()
    place.table.watch(zoe)
    zoe.take()
    bob.tell = lambda notification: place.table.leave(zoe)
    place.table.do(ann, cmd.Act(0, (4,)))
    place.journal.answer()
    assert zoe.notification == []


def test_a_command_sent_during_a_notification_waits_for_its_turn() -> None:
    place = Place()
    ann, bob = place.seat(ANN, BOB)
    note = bob.tell

    def answer(notification: Any) -> None:
        note(notification)
        if isinstance(notification, Step) and notification.match.moves == 1:
            place.table.do(bob, cmd.Act(1, (0,)))

    bob.tell = answer
    place.table.do(ann, cmd.Act(0, (4,)))
    place.journal.answer()
    assert ann.heard() == bob.heard() == [ev.Acted(100.0, 0, 4)]
    place.journal.answer()
    assert ann.heard() == bob.heard() == [ev.Acted(100.0, 1, 0)]


def test_a_seated_guest_takes_no_second_seat() -> None:
    place = Place(None, "toy", 3)
    ann, bob = place.seat(ANN, BOB)
    place.join(ann, Player("again"))
    assert ann.heard() == ["you already sit at this table"]
    assert place.booked == 2
    place.table.do(bob, cmd.Return(0, "A"))
    assert bob.heard() == ["you already sit at this table"]
    assert (place.table.seat_of(ann), place.table.seat_of(bob)) == (0, 1)


def test_a_player_comes_back_to_a_held_seat() -> None:
    place = Place(HOLDS)
    ann, bob = place.seat(ANN, BOB)
    place.table.leave(bob)
    place.journal.answer()
    assert ann.heard() == [ev.Left(100.0, 1)]
    again = NotedGuest()
    again.table = place.table
    place.table.do(again, cmd.Return(1, "B"))
    place.journal.answer()
    assert again.heard() == ["Seated", ev.Returned(100.0, 1)]
    assert ann.heard() == [ev.Returned(100.0, 1)]
    assert place.table.seat_of(again) == 1


def test_a_wrong_key_seats_no_guest() -> None:
    place = Place(HOLDS)
    place.seat(ANN, BOB)
    thief = NotedGuest()
    thief.table = place.table
    place.table.do(thief, cmd.Return(1, "A"))
    assert thief.heard() == ["this seat belongs to another player"]
    assert thief.table is None


def test_a_returning_player_displaces_its_old_connection() -> None:
    place = Place(HOLDS)
    ann, bob = place.seat(ANN, BOB)
    again = NotedGuest()
    again.table = place.table
    place.table.do(again, cmd.Return(1, "B"))
    assert again.take() == [Seated(place.table.match, 1, follows=False)]
    assert bob.take() == [Displaced()]
    assert bob.table is None
    assert (place.table.guests, place.journal.held) == ((ann, again), [])
    place.table.leave(bob)
    assert place.journal.held == []
    assert place.table.seat_of(again) == 1


def test_a_player_returns_while_the_departure_of_its_old_connection_is_pending() -> None:
    place = Place(HOLDS)
    ann, bob = place.seat(ANN, BOB)
    place.table.do(ann, cmd.Act(0, (4,)))
    again = NotedGuest()
    again.table = place.table
    place.table.do(again, cmd.Return(1, "B"))
    place.table.leave(bob)
    place.journal.answer_all()
    assert bob.notification == []
    assert again.heard() == ["Seated"]
    assert place.table.match.chairs[1].away is None
    place.table.do(again, cmd.Act(1, (0,)))
    place.journal.answer()
    assert again.heard() == [ev.Acted(100.0, 1, 0)]


# --- luck, bots, time -----------------------------------------------------------------------------------------------


def test_chance_is_part_of_the_step_that_needs_it() -> None:
    place = Place(None, "toy", 2)
    place.dealer = place.table._dealer = ScriptedDealer([13])
    ann, bob = place.seat(ANN, BOB)
    place.table.do(ann, cmd.Act(0, (toy.LUCK,)))
    place.journal.answer()
    assert ann.heard() == bob.heard() == [ev.Acted(100.0, 0, toy.LUCK), ev.Dealt(100.0, 13)]
    assert place.table.match.position.total == 3


def test_a_bot_takes_a_seat_that_was_left() -> None:
    bots = NotedBots()
    place = Place(Policy(Leaving.BOT), bots=bots)
    ann, bob = place.seat(ANN, BOB)
    place.table.leave(bob)
    place.journal.answer()
    assert ann.heard() == [ev.Left(100.0, 1), ev.Substituted(100.0, 1, bots.robot)]
    assert bots.seated == [("m", 1, bots.robot)]


def test_a_bot_that_joins_is_seated() -> None:
    bots = NotedBots()
    place = Place(bots=bots)
    place.table.do(None, cmd.Join(bots.robot))
    assert bots.seated == []
    place.journal.answer()
    assert bots.seated == [("m", 0, bots.robot)]


def test_a_server_without_bots_holds_the_seat() -> None:
    place = Place(Policy(Leaving.BOT, grace=30.0))
    ann, bob = place.seat(ANN, BOB)
    place.table.leave(bob)
    place.journal.answer()
    assert ann.heard() == [ev.Left(100.0, 1)]
    place.clock.pass_time(30.0)
    place.journal.answer()
    assert ann.heard()[0] == ev.TimedOut(130.0, 1)
    NoBots().sit(place.table, 1, BOB)


def test_a_slow_player_is_timed_out() -> None:
    place = Place(Policy(per_move=10.0))
    ann, bob = place.seat(ANN, BOB)
    place.clock.pass_time(6.0)
    place.table.do(ann, cmd.Act(0, (4,)))
    place.journal.answer()
    place.clock.pass_time(9.9)
    assert place.journal.held == []
    place.clock.pass_time(0.1)
    place.journal.answer()
    assert bob.heard()[1:] == [ev.TimedOut(116.0, 1), ev.Ended(116.0, Outcome("timed out", (0,), 1))]
    assert ann.heard()[1:] == [ev.TimedOut(116.0, 1), ev.Ended(116.0, Outcome("timed out", (0,), 1))]


def test_a_move_that_is_on_its_way_when_the_time_is_up_counts() -> None:
    place = Place(Policy(per_move=10.0))
    ann, bob = place.seat(ANN, BOB)
    place.clock.pass_time(9.0)
    place.table.do(ann, cmd.Act(0, (4,)))
    place.clock.pass_time(5.0)
    place.journal.answer()
    assert ann.heard() == bob.heard() == [ev.Acted(109.0, 0, 4)]
    assert place.journal.held == []
    place.clock.pass_time(4.9)
    assert place.journal.held == []
    place.clock.pass_time(0.1)
    place.journal.answer()
    assert bob.heard()[0] == ev.TimedOut(119.0, 1)


def test_a_move_that_fails_when_its_time_is_up_is_timed_out() -> None:
    place = Place(Policy(per_move=10.0))
    ann, _ = place.seat(ANN, BOB)
    place.table.do(ann, cmd.Act(0, (4,)))
    place.clock.pass_time(10.0)
    place.journal.fail()
    place.journal.answer()
    assert ann.heard() == [CANNOT_STORE, ev.TimedOut(110.0, 0), ev.Ended(110.0, Outcome("timed out", (1,), 0))]


def test_a_timer_that_rings_too_early_is_set_again() -> None:
    place = Place(Policy(per_move=10.0))
    ann, _ = place.seat(ANN, BOB)
    place.table.do(None, cmd.TimeOut(0))
    assert place.journal.held == []
    place.clock.pass_time(10.0)
    place.journal.answer()
    assert ann.heard()[0] == ev.TimedOut(110.0, 0)


def test_a_held_seat_is_timed_out_unless_its_player_comes_back() -> None:
    place = Place(HOLDS)
    ann, bob = place.seat(ANN, BOB)
    place.table.leave(bob)
    place.journal.answer()
    place.clock.pass_time(20.0)
    again = NotedGuest()
    again.table = place.table
    place.table.do(again, cmd.Return(1, "B"))
    place.journal.answer()
    place.clock.pass_time(60.0)
    assert place.journal.held == []
    place.table.leave(again)
    place.journal.answer()
    place.clock.pass_time(30.0)
    place.journal.answer()
    assert ann.heard()[-2:] == [ev.TimedOut(210.0, 1), ev.Ended(210.0, Outcome("stayed away", (0,), 1))]


def test_an_untimed_table_sets_no_timer() -> None:
    place = Place()
    place.seat(ANN, BOB)
    assert place.clock._schedule == []


def test_the_observer_is_called_for_seats_and_status_but_not_for_moves() -> None:
    place = Place()
    ann, bob = place.seat(ANN, BOB)
    changes = place.changes
    assert changes == 2
    for number, cell in enumerate((0, 3, 1, 4)):
        place.table.do((ann, bob)[number % 2], cmd.Act(number % 2, (cell,)))
        place.journal.answer()
    assert place.changes == changes
    place.table.do(ann, cmd.Act(0, (2,)))
    place.journal.answer()
    assert place.changes == changes + 1
    place.table.leave(ann)
    assert place.changes == changes + 2


def test_a_table_works_without_an_observer() -> None:
    opening = Opened(100.0, "m", "tris@1", 2, {}, Policy())
    journal = HeldJournal()
    table = Table(match_of_opening(opening), journal, ManualClock(), ScriptedDealer(), NoBots(), opening=opening)
    guest = NotedGuest()
    guest.table = table
    table.do(guest, cmd.Join(ANN))
    journal.answer()
    assert guest.heard() == ["Seated", ev.Joined(1000.0, 0, ANN)]


def test_a_fault_of_a_listener_leaves_the_table_usable() -> None:
    place = Place()
    ann, bob = place.seat(ANN, BOB)
    good = bob.tell

    def broken(notification: Any) -> None:
        raise ZeroDivisionError

    bob.tell = broken
    place.table.do(ann, cmd.Act(0, (4,)))
    with pytest.raises(ZeroDivisionError):
        place.journal.answer()
    bob.tell = good
    place.table.do(bob, cmd.Act(1, (0,)))
    place.journal.answer()
    assert bob.heard() == [ev.Acted(100.0, 1, 0)]


def test_a_move_without_time_limits_computes_no_deadline(monkeypatch: pytest.MonkeyPatch) -> None:
    place = Place(HOLDS)
    ann, _ = place.seat(ANN, BOB)
    asked: list[int] = []
    monkeypatch.setattr("boardwire.table.table.deadline", lambda match, seat: asked.append(seat))
    place.table.do(ann, cmd.Act(0, (4,)))
    place.journal.answer_all()
    assert (place.table.match.moves, asked) == (1, [])


def test_a_move_that_leaves_one_alone_starts_its_countdown() -> None:
    place = Place(Policy(Leaving.SKIPS, grace=30.0), "toy", 3)
    ann, bob, cyd = place.seat(ANN, BOB, Player("cyd"))
    place.table.leave(bob)
    place.table.do(ann, cmd.Act(0, (toy.STEP,)))
    place.journal.answer_all()
    place.clock.pass_time(100.0)
    place.table.do(cyd, cmd.Act(2, (toy.DROP,)))
    place.journal.answer_all()
    place.clock.pass_time(29.0)
    assert place.table.match.status is Status.PLAYING
    place.clock.pass_time(1.0)
    place.journal.answer_all()
    assert place.table.match.outcome == Outcome("stayed away", (0,), 1)


def test_only_present_people_without_a_guest_are_unattended() -> None:
    def unattended(place: Place) -> list[int]:
        """Return the unattended seats of another table with the same match, before any guest has followed."""
        return Table(place.table.match, HeldJournal(), place.clock, place.dealer, NoBots()).unattended()

    place = Place(HOLDS)
    place.seat(ANN)
    assert unattended(place) == [0], "a free seat belongs to no one"
    place.seat(BOB)
    assert place.table.unattended() == []
    assert unattended(place) == [0, 1]
    place.table.do(None, cmd.Leave(1, Player("stand-in", bot="greedy")))
    place.journal.answer_all()
    assert unattended(place) == [0], "an absent player is expected later"
    against_a_bot = Place(bots=NotedBots())
    against_a_bot.seat(ANN)
    against_a_bot.join(NotedGuest(), Player("bot", bot="greedy"))
    against_a_bot.journal.answer_all()
    assert unattended(against_a_bot) == [0]
