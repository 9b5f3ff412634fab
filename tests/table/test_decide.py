"""Every command by example: its events, and when it is refused."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import pytest

from boardwire.errors import Illegal, Malformed, Refused
from boardwire.games.game import Outcome
from boardwire.games.tris import Options as TrisOptions
from boardwire.table import commands as cmd
from boardwire.table import events as ev
from boardwire.table.commands import Command
from boardwire.table.decide import CHAT_LIMIT, DRAW_OFFERS, DRAW_PAUSE_MOVES, NAME_LIMIT, TALK_LIMIT, deadline
from boardwire.table.events import Player
from boardwire.table.match import Status, evolve
from boardwire.table.policy import Leaving, Policy
from boardwire.table.termination import Termination

from . import toy
from .scenes import START, Scene, playing

ANN, BOB, CYD = Player("ann", "test"), Player("bob", "test"), Player("cyd", "test")
HOLDS = Policy(Leaving.HOLDS, grace=30.0)
UNDO = Policy(undo=True)


# --- seats ----------------------------------------------------------------------------------------------------------


def test_a_join_takes_the_first_free_seat_and_the_last_one_starts_the_match() -> None:
    scene = Scene()
    assert scene.do(cmd.Join(ANN)) == [ev.Joined(START, 0, ANN)]
    assert not scene.begun()
    assert scene.do(cmd.Join(BOB)) == [ev.Joined(START, 1, BOB), ev.Started(START, TrisOptions())]
    assert scene.match.status is Status.PLAYING
    assert scene.match.players == (ANN, BOB)
    assert scene.match.pending is not None
    assert scene.match.pending.seats == (0,)


def test_a_seat_can_be_chosen() -> None:
    scene = Scene("toy", 3)
    assert scene.do(cmd.Join(ANN, seat=2)) == [ev.Joined(START, 2, ANN)]
    with pytest.raises(Refused, match="seat 2 is taken; free seats: 0, 1"):
        scene.do(cmd.Join(BOB, seat=2))
    assert scene.do(cmd.Join(BOB), cmd.Join(CYD))[:2] == [ev.Joined(START, 0, BOB), ev.Joined(START, 1, CYD)]


def test_joining_is_refused_after_the_start() -> None:
    scene = playing()
    with pytest.raises(Refused, match="already begun"):
        scene.do(cmd.Join(CYD))
    scene.do(cmd.Resign(0))
    with pytest.raises(Refused, match="over"):
        scene.do(cmd.Join(CYD))


def test_a_full_table_whose_players_are_not_ready_is_full() -> None:
    scene = Scene()
    scene.do(cmd.Join(ANN, ready=False), cmd.Join(BOB))
    with pytest.raises(Refused, match="full"):
        scene.do(cmd.Join(CYD))


def test_the_match_starts_when_the_last_player_has_said_who_it_is() -> None:
    scene = Scene()
    nobody = Player(dialect="test")
    scene.do(cmd.Join(nobody, ready=False), cmd.Join(nobody, ready=False))
    assert scene.match.status is Status.WAITING
    assert scene.do(cmd.Ready(1, BOB)) == [ev.Readied(START, 1, BOB)]
    assert scene.do(cmd.Ready(0, ANN)) == [ev.Readied(START, 0, ANN), ev.Started(START, TrisOptions())]
    assert scene.match.players == (ANN, BOB)


def test_ready_is_refused_at_an_empty_seat_and_in_mid_play() -> None:
    scene = Scene()
    with pytest.raises(Refused, match="only a seated player can be ready"):
        scene.do(cmd.Ready(0, ANN))
    with pytest.raises(Refused, match="only a seated player can be ready"):
        playing().do(cmd.Ready(0, ANN))


def test_two_players_of_one_name_do_not_sit_at_one_table() -> None:
    scene = Scene()
    scene.do(cmd.Join(ANN))
    with pytest.raises(Refused, match="'ann' already sits"):
        scene.do(cmd.Join(ANN))
    scene.do(cmd.Join(Player(), ready=False))
    with pytest.raises(Refused, match="'ann' already sits"):
        scene.do(cmd.Ready(1, ANN))


def test_players_without_names_are_not_namesakes() -> None:
    scene = Scene()
    scene.do(cmd.Join(Player()), cmd.Join(Player()))
    assert scene.match.status is Status.PLAYING


def test_a_name_has_a_limit() -> None:
    scene = Scene()
    with pytest.raises(Refused, match=f"at most {NAME_LIMIT}"):
        scene.do(cmd.Join(Player("x" * (NAME_LIMIT + 1))))
    scene.do(cmd.Join(Player("x" * NAME_LIMIT)))


def test_wishes_are_settled_when_the_match_starts() -> None:
    scene = Scene("toy")
    scene.do(cmd.Join(ANN, wish=toy.Wish("red")))
    events = scene.do(cmd.Join(BOB, wish=toy.Wish("blue")))
    assert events[-1] == ev.Started(START, toy.Options(colours=("red", "blue")))
    assert scene.match.setting.options == toy.Options(colours=("red", "blue"))
    assert scene.match.setting.initial_options == toy.Options()


def test_a_wish_that_clashes_is_refused_at_once_and_changes_nothing() -> None:
    scene = Scene("toy", 3)
    scene.do(cmd.Join(ANN, wish=toy.Wish("red")))
    before = scene.match
    with pytest.raises(Refused, match="same colour"):
        scene.do(cmd.Join(BOB, wish=toy.Wish("red")))
    assert scene.match == before


def test_an_unreadable_wish_is_malformed() -> None:
    with pytest.raises(Malformed, match="colour"):
        Scene("toy").do(cmd.Join(ANN, wish={"color": "red"}))


@pytest.mark.parametrize("seat", [-1, 2, 99])
@pytest.mark.parametrize(
    "command",
    [
        lambda seat: cmd.Join(CYD, seat),
        lambda seat: cmd.Ready(seat, CYD),
        lambda seat: cmd.Leave(seat),
        lambda seat: cmd.Return(seat, "BOB"),
        lambda seat: cmd.Act(seat, (0,)),
        lambda seat: cmd.Resign(seat),
        lambda seat: cmd.OfferUndo(seat),
        lambda seat: cmd.AnswerUndo(seat, True),
        lambda seat: cmd.Chat(seat, "hello"),
        lambda seat: cmd.TimeOut(seat),
    ],
)
def test_an_unknown_seat_is_refused(command: Any, seat: int) -> None:
    scene = playing(policy=Policy(Leaving.HOLDS, 30.0, undo=True))
    scene.act(0)
    with pytest.raises(Refused):
        scene.do(command(seat))


# --- leaving --------------------------------------------------------------------------------------------------------


def test_a_seat_that_is_left_before_the_start_is_free_at_once() -> None:
    scene = Scene("toy", 3)
    scene.do(cmd.Join(ANN), cmd.Join(BOB))
    assert scene.do(cmd.Leave(0)) == [ev.Left(START, 0)]
    assert scene.match.players == (None, BOB, None)
    assert scene.do(cmd.Join(CYD)) == [ev.Joined(START, 0, CYD)]


def test_a_table_that_all_have_left_ends() -> None:
    scene = Scene()
    scene.do(cmd.Join(ANN))
    assert scene.do(cmd.Leave(0)) == [ev.Left(START, 0), ev.Ended(START, Outcome("abandoned"))]
    assert scene.match.status is Status.OVER


def test_a_table_where_only_bots_are_left_ends() -> None:
    scene = Scene("toy", 3)
    scene.do(cmd.Join(ANN), cmd.Join(Player("robot", bot="random")))
    assert scene.do(cmd.Leave(0))[-1] == ev.Ended(START, Outcome("abandoned"))


def test_a_table_with_a_reserved_seat_does_not_end() -> None:
    scene = Scene()
    scene.do(cmd.Join(ANN))
    assert scene.do(cmd.Leave(0, awaited=True)) == [ev.Left(START, 0)]
    assert scene.match.status is Status.WAITING


def test_leaving_an_empty_seat_or_a_match_that_is_over_changes_nothing() -> None:
    assert Scene().do(cmd.Leave(0)) == []
    scene = playing()
    scene.do(cmd.Resign(0))
    assert scene.do(cmd.Leave(1)) == []


def test_a_departure_ends_the_match_if_the_policy_says_so() -> None:
    scene = playing()
    scene.act(4)
    assert scene.do(cmd.Leave(1)) == [ev.Left(START, 1), ev.Ended(START, Outcome("abandoned", (), 1))]
    assert scene.match.outcome == Outcome("abandoned", by=1)


def test_a_seat_is_held_where_the_policy_says_so() -> None:
    scene = playing(policy=HOLDS)
    scene.now += 5
    assert scene.do(cmd.Leave(1)) == [ev.Left(START + 5, 1)]
    assert scene.match.status is Status.PLAYING
    assert scene.match.chairs[1].away == START + 5
    assert scene.do(cmd.Leave(1)) == []
    assert deadline(scene.match, 1) == START + 35
    assert deadline(scene.match, 0) is None


def test_a_seat_held_without_a_limit_is_held_forever() -> None:
    scene = playing(policy=Policy(Leaving.HOLDS))
    scene.do(cmd.Leave(1))
    assert deadline(scene.match, 1) is None
    scene.now += 1e9
    with pytest.raises(Refused, match="not up"):
        scene.do(cmd.TimeOut(1))


def test_a_bot_takes_the_seat_where_the_policy_says_so() -> None:
    robot = Player("robot", "bot", "random")
    scene = playing(policy=Policy(Leaving.BOT, grace=30.0))
    assert scene.do(cmd.Leave(1, robot)) == [ev.Left(START, 1), ev.Substituted(START, 1, robot)]
    assert scene.match.players[1] == robot
    assert scene.match.chairs[1].away is None
    with pytest.raises(Refused, match="another player"):
        scene.do(cmd.Return(1, "BOB"))


def test_a_seat_is_held_where_a_bot_should_take_it_and_there_is_none() -> None:
    scene = playing(policy=Policy(Leaving.BOT, grace=30.0))
    assert scene.do(cmd.Leave(1)) == [ev.Left(START, 1)]
    assert deadline(scene.match, 1) == START + 30
    assert scene.do(cmd.Return(1, "BOB")) == [ev.Returned(START, 1)]


@pytest.mark.parametrize("policy", [Policy(), HOLDS, Policy(Leaving.BOT, 30.0)])
def test_an_eliminated_player_leaves_without_any_effect(policy: Policy) -> None:
    scene = playing("toy", policy, seats=3)
    scene.act(toy.DROP)
    assert scene.do(cmd.Leave(0, Player("robot", bot="random"))) == [ev.Left(START, 0)]
    assert scene.match.status is Status.PLAYING
    assert deadline(scene.match, 0) is None
    assert scene.act(toy.STEP) == [ev.Acted(START, 1, toy.STEP)]


def test_a_player_comes_back_with_its_key() -> None:
    scene = playing(policy=HOLDS)
    scene.do(cmd.Leave(1))
    for key in ("", "ANN", "bob"):
        with pytest.raises(Refused, match="another player"):
            scene.do(cmd.Return(1, key))
    assert scene.do(cmd.Return(1, "BOB")) == [ev.Returned(START, 1)]
    assert scene.match.chairs[1].away is None
    assert scene.do(cmd.Return(1, "BOB")) == []


def test_a_seat_without_a_key_or_a_player_cannot_be_resumed() -> None:
    scene = Scene(policy=HOLDS)
    scene.do(cmd.Join(ANN))
    for seat in (0, 1):
        with pytest.raises(Refused, match="another player"):
            scene.do(cmd.Return(seat, ""))


def test_returning_to_a_finished_match_is_refused() -> None:
    scene = playing(policy=HOLDS)
    scene.do(cmd.Leave(1), cmd.Resign(0))
    with pytest.raises(Refused, match="over"):
        scene.do(cmd.Return(1, "BOB"))


def test_a_restart_holds_all_seats_again_and_restarts_their_time() -> None:
    scene = playing(policy=Policy(Leaving.HOLDS, 30.0, per_move=20.0))
    scene.do(cmd.Leave(1))
    scene.now += 1000
    assert scene.do(cmd.Leave(0, restart=True), cmd.Leave(1, restart=True)) == [
        ev.Left(START + 1000, 0, restart=True),
        ev.Left(START + 1000, 1, restart=True),
    ]
    assert deadline(scene.match, 0) == START + 1020
    assert deadline(scene.match, 1) == START + 1030


def test_a_restart_seats_no_bot() -> None:
    scene = playing(policy=Policy(Leaving.BOT, 30.0))
    assert scene.do(cmd.Leave(0, Player("robot", bot="random"), restart=True)) == [ev.Left(START, 0, restart=True)]


# --- play -----------------------------------------------------------------------------------------------------------


def test_a_step_is_an_event_and_the_last_one_ends_the_match_in_the_same_breath() -> None:
    scene = playing()
    assert scene.act(0, 3, 1, 4) == [ev.Acted(START, seat % 2, cell) for seat, cell in enumerate((0, 3, 1, 4))]
    assert scene.match.moves == 4
    assert scene.act(2) == [ev.Acted(START, 0, 2), ev.Ended(START, Outcome("line", (0,)))]
    assert scene.match.status is Status.OVER
    assert scene.match.pending is None
    assert scene.match.moves == 5


def test_actions_are_refused_before_the_start_and_after_the_end() -> None:
    with pytest.raises(Refused, match="not begun"):
        Scene().do(cmd.Act(0, (0,)))
    scene = playing()
    scene.do(cmd.Resign(0))
    with pytest.raises(Refused, match="over"):
        scene.do(cmd.Act(1, (0,)))


def test_the_game_judges_an_action() -> None:
    scene = playing()
    scene.act(4)
    with pytest.raises(Illegal, match="taken"):
        scene.do(cmd.Act(1, (4,)))
    with pytest.raises(Refused, match=r"it is player .'s turn"):
        scene.do(cmd.Act(0, (5,)))
    with pytest.raises(Refused, match="no action"):
        scene.do(cmd.Act(1, ()))
    assert scene.match.moves == 1


def test_a_stale_action_is_refused_and_says_what_it_has_seen() -> None:
    scene = playing()
    seen = scene.match.seq
    scene.act(4)
    with pytest.raises(Refused, match=f"you saw event {seen}, it is now at {seen + 1}"):
        scene.do(cmd.Act(1, (5,), seen))
    with pytest.raises(Refused, match="moved on"):
        scene.do(cmd.Act(1, (5,), scene.match.seq + 1))
    assert scene.do(cmd.Act(1, (5,), scene.match.seq)) == [ev.Acted(START, 1, 5)]


def test_events_that_do_not_change_the_play_make_no_action_stale() -> None:
    """Otherwise a spectator could block a player by chatting all the time."""
    scene = playing(policy=Policy(Leaving.HOLDS, 30.0, undo=True))
    scene.act(4)
    seen = scene.match.seq
    scene.do(cmd.Chat(None, "hurry up"), cmd.Leave(0), cmd.Return(0, "ANN"), cmd.OfferUndo(0))
    assert scene.do(cmd.Act(1, (5,), seen)) == [ev.Acted(START, 1, 5)]


def test_an_action_that_has_not_seen_a_step_taken_back_is_stale() -> None:
    scene = playing(policy=UNDO)
    scene.act(4)
    seen = scene.match.seq
    scene.do(cmd.OfferUndo(0), cmd.AnswerUndo(1, True))
    with pytest.raises(Refused, match="moved on"):
        scene.do(cmd.Act(0, (5,), seen))


def test_an_action_that_has_not_seen_a_resignation_is_stale() -> None:
    scene = playing("toy", seats=3)
    seen = scene.match.seq
    scene.do(cmd.Resign(1))
    with pytest.raises(Refused, match="moved on"):
        scene.do(cmd.Act(0, (toy.STEP,), seen))


def test_several_actions_are_done_all_or_none() -> None:
    scene = playing("toy")
    before = scene.match
    with pytest.raises(Refused, match="somebody else's turn"):
        scene.do(cmd.Act(0, (toy.HOP, toy.STEP, toy.STEP)))
    with pytest.raises(Illegal):
        scene.do(cmd.Act(0, (toy.HOP, 99)))
    assert scene.match == before
    assert scene.do(cmd.Act(0, (toy.HOP, toy.HOP, toy.STEP))) == [
        ev.Acted(START, 0, action) for action in (toy.HOP, toy.HOP, toy.STEP)
    ]
    assert (scene.match.moves, scene.match.position.total, scene.match.position.turn) == (3, 3, 1)


def test_several_actions_end_with_the_match() -> None:
    scene = playing("toy", seats=3, options=toy.Options(goal=1))
    with pytest.raises(Refused, match="over"):
        scene.do(cmd.Act(0, (toy.STEP, toy.STEP)))
    assert scene.do(cmd.Act(0, (toy.STEP,)))[-1] == ev.Ended(START, Outcome("goal", (0,)))


def test_chance_is_dealt_only_where_it_decides() -> None:
    scene = playing("toy")
    with pytest.raises(Refused, match="no chance decision is pending"):
        scene.do(cmd.Deal(11))
    scene.act(toy.LUCK)
    with pytest.raises(Illegal):
        scene.do(cmd.Deal(99))
    assert scene.do(cmd.Deal(13)) == [ev.Dealt(START, 13)]
    assert scene.match.position.total == 3
    assert scene.match.moves == 1


def test_luck_can_end_a_match() -> None:
    scene = playing("toy", options=toy.Options(goal=2))
    scene.act(toy.LUCK)
    assert scene.do(cmd.Deal(12)) == [ev.Dealt(START, 12), ev.Ended(START, Outcome("goal", (0,)))]


def test_luck_is_not_dealt_before_the_start() -> None:
    with pytest.raises(Refused, match="no chance decision is pending"):
        Scene("toy").do(cmd.Deal(11))


def test_a_player_may_resign_out_of_turn() -> None:
    scene = playing()
    assert scene.do(cmd.Resign(1)) == [ev.Resigned(START, 1), ev.Ended(START, Outcome("resigned", (0,), 1))]
    with pytest.raises(Refused, match="the match is over"):
        scene.do(cmd.Resign(0))


def test_three_players_play_on_when_one_resigns() -> None:
    scene = playing("toy", seats=3)
    assert scene.do(cmd.Resign(0)) == [ev.Resigned(START, 0)]
    assert scene.match.pending is not None
    assert scene.match.pending.seats == (1,)
    with pytest.raises(Refused, match="out already"):
        scene.do(cmd.Resign(0))
    assert scene.do(cmd.Resign(2))[-1] == ev.Ended(START, Outcome("resigned", (1,), 2))


def test_a_program_that_failed_forfeits_with_the_cause() -> None:
    ended = ev.Ended(START, Outcome("resigned", (0,), 1))
    assert playing().do(cmd.Forfeit(1, "illegal")) == [ev.Resigned(START, 1, "illegal"), ended]


def test_a_program_that_is_late_by_the_organisers_clock_runs_out_of_time() -> None:
    ended = ev.Ended(START, Outcome("timed out", (0,), 1))
    assert playing().do(cmd.Forfeit(1, "time")) == [ev.TimedOut(START, 1), ended]


def test_resigning_is_refused_before_the_start() -> None:
    with pytest.raises(Refused, match="the match has not begun"):
        Scene().do(cmd.Resign(0))


def test_a_match_is_closed_once_and_says_why() -> None:
    for scene in (Scene(), playing()):
        assert scene.do(cmd.Close(Termination.INTERRUPTED)) == [ev.Ended(START, Outcome("interrupted"))]
        assert scene.do(cmd.Close(Termination.ABANDONED)) == []
        assert scene.match.outcome == Outcome("interrupted")


# --- clocks ---------------------------------------------------------------------------------------------------------


def test_without_a_limit_no_time_is_up() -> None:
    scene = playing()
    assert deadline(scene.match, 0) is None
    with pytest.raises(Refused, match="not up"):
        scene.do(cmd.TimeOut(0))
    assert deadline(Scene(policy=Policy(per_move=1.0)).match, 0) is None


def test_each_decision_has_its_time_and_only_its_seat_is_pressed() -> None:
    scene = playing(policy=Policy(per_move=10.0))
    assert [deadline(scene.match, seat) for seat in (0, 1)] == [START + 10, None]
    scene.now += 4
    scene.act(0)
    assert [deadline(scene.match, seat) for seat in (0, 1)] == [None, START + 14]
    scene.now = START + 13.9
    with pytest.raises(Refused, match="not up"):
        scene.do(cmd.TimeOut(1))
    scene.now = START + 14
    assert scene.do(cmd.TimeOut(1)) == [
        ev.TimedOut(START + 14, 1),
        ev.Ended(START + 14, Outcome("timed out", (0,), 1)),
    ]
    assert deadline(scene.match, 1) is None


def test_a_bank_is_charged_by_the_time_its_seat_took() -> None:
    scene = playing(policy=Policy(bank=60.0))
    assert scene.match.banks == (60.0, 60.0)
    scene.now += 10
    scene.act(0)
    scene.now += 25
    scene.act(1)
    assert scene.match.banks == (50.0, 35.0)
    assert [deadline(scene.match, seat) for seat in (0, 1)] == [START + 85, None]
    scene.now = START + 85
    assert scene.do(cmd.TimeOut(0))[0] == ev.TimedOut(START + 85, 0)


def test_a_bank_is_never_overdrawn() -> None:
    scene = playing(policy=Policy(bank=5.0))
    scene.now += 7
    scene.act(0)
    assert scene.match.banks == (0.0, 5.0)


def test_the_shorter_of_two_limits_counts() -> None:
    scene = playing(policy=Policy(Leaving.HOLDS, grace=3.0, bank=60.0, per_move=10.0))
    assert deadline(scene.match, 0) == START + 10
    scene.do(cmd.Leave(0))
    assert deadline(scene.match, 0) == START + 3


def test_a_forfeit_gives_the_deciding_player_no_new_time() -> None:
    scene = playing("toy", Policy(per_move=10.0), seats=3)
    scene.now += 6
    scene.do(cmd.Resign(1))
    assert deadline(scene.match, 0) == START + 10


def test_a_new_decision_after_a_forfeit_has_its_whole_time() -> None:
    scene = playing("toy", Policy(per_move=10.0), seats=3)
    scene.now += 6
    scene.do(cmd.Resign(0))
    assert [deadline(scene.match, seat) for seat in range(3)] == [None, START + 16, None]


def test_a_player_who_does_not_come_back_in_time_forfeits() -> None:
    scene = playing("toy", HOLDS, seats=3)
    scene.do(cmd.Leave(2))
    scene.now += 30
    assert scene.do(cmd.TimeOut(2)) == [ev.TimedOut(START + 30, 2)]
    assert deadline(scene.match, 2) is None
    with pytest.raises(Refused, match="not up"):
        scene.do(cmd.TimeOut(2))


# --- undo -----------------------------------------------------------------------------------------------------------


def test_a_step_is_taken_back_when_the_other_agrees() -> None:
    scene = playing(policy=UNDO)
    scene.act(4)
    before = scene.match
    scene.act(0, 8)
    assert scene.do(cmd.OfferUndo(1)) == [ev.UndoOffered(START, 1)]
    assert 1 in scene.match.agreed
    assert scene.do(cmd.AnswerUndo(0, True)) == [ev.UndoAgreed(START, 0), ev.Undone(START, 1)]
    assert (scene.match.position, scene.match.pending, scene.match.moves) == (before.position, before.pending, 1)
    assert scene.match.agreed == ()
    assert scene.act(3) == [ev.Acted(START, 1, 3)]


def test_steps_are_taken_back_one_after_the_other_to_the_first() -> None:
    scene = playing(policy=UNDO)
    first = scene.match.position
    scene.act(4, 0)
    for seat in (1, 0):
        scene.do(cmd.OfferUndo(seat), cmd.AnswerUndo(1 - seat, True))
    assert (scene.match.position, scene.match.moves) == (first, 0)
    with pytest.raises(Refused, match="no action to undo"):
        scene.do(cmd.OfferUndo(0))


def test_a_declined_undo_is_withdrawn() -> None:
    scene = playing(policy=UNDO)
    scene.act(4)
    scene.do(cmd.OfferUndo(0))
    assert scene.do(cmd.AnswerUndo(1, False)) == [ev.UndoDeclined(START, 1)]
    assert scene.match.agreed == ()
    assert scene.match.moves == 1
    with pytest.raises(Refused, match="no undo is offered"):
        scene.do(cmd.AnswerUndo(1, True))


def test_a_declined_undo_can_be_offered_again_only_after_the_next_step() -> None:
    scene = playing(policy=UNDO)
    scene.act(4, 0)
    scene.do(cmd.OfferUndo(0), cmd.AnswerUndo(1, False))
    with pytest.raises(Refused, match="after the next step"):
        scene.do(cmd.OfferUndo(0))
    scene.do(cmd.OfferUndo(1), cmd.AnswerUndo(0, False))
    with pytest.raises(Refused, match="after the next step"):
        scene.do(cmd.OfferUndo(0))
    scene.act(8)
    assert scene.do(cmd.OfferUndo(0)) == [ev.UndoOffered(START, 0)]


def test_an_undo_may_be_asked_for_again_after_another_was_granted() -> None:
    scene = playing(policy=UNDO)
    scene.act(4, 0)
    scene.do(cmd.OfferUndo(0), cmd.AnswerUndo(1, False), cmd.OfferUndo(1), cmd.AnswerUndo(0, True))
    assert scene.do(cmd.OfferUndo(0)) == [ev.UndoOffered(START, 0)]


def test_an_action_ends_an_offered_undo() -> None:
    scene = playing(policy=UNDO)
    scene.act(4)
    scene.do(cmd.OfferUndo(0))
    scene.act(0)
    with pytest.raises(Refused, match="no undo is offered"):
        scene.do(cmd.AnswerUndo(1, True))


def test_three_players_must_all_agree() -> None:
    scene = playing("toy", UNDO, seats=3)
    scene.act(toy.STEP, toy.STEP)
    scene.do(cmd.OfferUndo(0))
    assert scene.do(cmd.AnswerUndo(2, True)) == [ev.UndoAgreed(START, 2)]
    for seat in (0, 2):
        with pytest.raises(Refused, match="already accepted"):
            scene.do(cmd.AnswerUndo(seat, True))
    with pytest.raises(Refused, match="already"):
        scene.do(cmd.OfferUndo(1))
    assert scene.do(cmd.AnswerUndo(1, True)) == [ev.UndoAgreed(START, 1), ev.Undone(START, 0)]
    assert scene.match.position.total == 0


def test_a_bot_never_objects_to_an_undo() -> None:
    scene = playing(policy=UNDO, bot=1)
    scene.act(4, 0)
    assert scene.do(cmd.OfferUndo(0)) == [ev.UndoOffered(START, 0), ev.Undone(START, 0)]
    assert scene.match.moves == 0


def test_luck_is_drawn_again_after_an_undo() -> None:
    scene = playing("toy", UNDO, bot=1)
    scene.act(toy.LUCK)
    scene.do(cmd.Deal(12), cmd.OfferUndo(0))
    assert scene.match.position.total == 0
    scene.act(toy.LUCK)
    scene.do(cmd.Deal(11))
    assert scene.match.position.total == 1


def test_without_undo_in_the_policy_none_is_offered() -> None:
    scene = playing()
    scene.act(4)
    with pytest.raises(Refused, match="undo is not allowed"):
        scene.do(cmd.OfferUndo(0))
    assert scene.match.past is None


def test_nothing_is_taken_back_before_ones_own_step_or_after_the_end() -> None:
    scene = playing(policy=UNDO)
    scene.act(4)
    with pytest.raises(Refused, match="no action to undo"):
        scene.do(cmd.OfferUndo(1))
    scene.do(cmd.OfferUndo(0), cmd.Resign(1))
    with pytest.raises(Refused, match="no undo is offered"):
        scene.do(cmd.AnswerUndo(1, True))
    with pytest.raises(Refused, match="no action to undo"):
        scene.do(cmd.OfferUndo(0))


# --- talk -----------------------------------------------------------------------------------------------------------


def test_players_and_spectators_chat_before_during_and_after_a_match() -> None:
    scene = Scene()
    assert scene.do(cmd.Chat(None, "anybody?", "zoe")) == [ev.Chatted(START, None, "anybody?", "zoe")]
    scene = playing()
    assert scene.do(cmd.Chat(1, "  hello \n")) == [ev.Chatted(START, 1, "hello")]
    scene.do(cmd.Resign(0))
    assert scene.do(cmd.Chat(0, "well played")) == [ev.Chatted(START, 0, "well played")]
    assert scene.match.status is Status.OVER


@pytest.mark.parametrize(
    ("command", "words"),
    [
        (cmd.Chat(0, " \n\t "), "chat message must not be empty"),
        (cmd.Chat(0, "x" * (CHAT_LIMIT + 1)), f"at most {CHAT_LIMIT} characters"),
        (cmd.Chat(None, "hello", "x" * (NAME_LIMIT + 1)), f"at most {NAME_LIMIT}"),
    ],
)
def test_chat_lines_are_limited_in_length(command: Command, words: str) -> None:
    with pytest.raises(Refused, match=words):
        playing().do(command)
    playing().do(cmd.Chat(0, "x" * CHAT_LIMIT))


def test_chat_is_limited_per_minute_and_half_is_reserved_for_players() -> None:
    scene = playing()
    for _ in range(TALK_LIMIT // 2):
        scene.do(cmd.Chat(None, "boo", "zoe"))
    with pytest.raises(Refused, match=f"at most {TALK_LIMIT // 2} per minute"):
        scene.do(cmd.Chat(None, "boo", "yan"))
    scene.act(4)  # a move gives no new lines
    for _ in range(TALK_LIMIT // 2):
        scene.do(cmd.Chat(0, "quiet, please"))
    with pytest.raises(Refused, match=f"at most {TALK_LIMIT} per minute"):
        scene.do(cmd.Chat(1, "yes"))
    scene.do(cmd.Resign(0))
    with pytest.raises(Refused, match=f"at most {TALK_LIMIT} per minute"):
        scene.do(cmd.Chat(1, "yes"))
    scene.now += 60.0
    assert scene.do(cmd.Chat(1, "yes")) == [ev.Chatted(scene.now, 1, "yes")]


def test_the_chat_limit_survives_a_clock_that_goes_back() -> None:
    scene = playing()
    for _ in range(TALK_LIMIT):
        scene.do(cmd.Chat(0, "la"))
    scene.now -= 3600.0
    assert scene.do(cmd.Chat(0, "la")) == [ev.Chatted(scene.now, 0, "la")]


# --- length ---------------------------------------------------------------------------------------------------------


def test_a_match_that_has_become_too_long_accepts_only_moves(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("boardwire.table.decide.LENGTH_LIMIT", 12)
    scene = playing(policy=UNDO)
    scene.act(4)
    while scene.match.seq < 12:
        scene.do(cmd.Chat(0, "la la la"))
    for command in (cmd.Chat(0, "la"), cmd.Chat(None, "la", "zoe"), cmd.OfferUndo(0)):
        with pytest.raises(Refused, match="only moves"):
            scene.do(command)
    scene.act(0, 8, 1, 2, 3, 6)
    assert scene.match.status is Status.OVER


def test_the_number_of_returns_to_a_seat_is_limited(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("boardwire.table.decide.RETURN_LIMIT", 3)
    scene = playing(policy=Policy(Leaving.HOLDS, 30.0))
    for _ in range(3):
        scene.do(cmd.Leave(1), cmd.Return(1, "BOB"))
    scene.do(cmd.Leave(1), cmd.Leave(0), cmd.Return(0, "ANN"))
    with pytest.raises(Refused, match="the maximum"):
        scene.do(cmd.Return(1, "BOB"))


def test_a_seat_that_no_bot_can_take_is_held_only_if_it_may_be() -> None:
    scene = playing("tris", Policy(Leaving.BOT, grace=30.0))
    ended = ev.Ended(START, Outcome("stayed away", (1,), 0))
    assert scene.do(cmd.Leave(0, forfeit=True)) == [ev.Left(START, 0), ev.TimedOut(START, 0), ended]


def test_an_increment_is_added_at_the_end_of_a_turn_and_not_of_a_half_step() -> None:
    scene = playing(policy=Policy(bank=60.0, increment=5.0))
    scene.now += 10
    scene.act(0)
    assert scene.match.banks == (55.0, 60.0)
    half = playing("santorini", Policy(bank=60.0, increment=5.0), options={"draft": "none"})
    seats, banks = [], []
    for _ in range(12):
        pending = half.match.pending
        assert pending is not None
        seats.append(pending.seats[0])
        banks.append(half.match.banks)
        half.act(next(iter(pending.choices)))
    for now, (seat, after) in enumerate(pairwise(seats)):
        added = banks[now + 1][seat] - banks[now][seat]
        assert added == (0.0 if seat == after else 5.0)
    assert seats.count(0) > len([1 for one, other in pairwise(seats) if one == 0 != other])


def test_a_clock_that_ran_out_is_charged_to_its_end() -> None:
    scene = playing(policy=Policy(bank=60.0, per_move=20.0))
    scene.now += 20
    scene.do(cmd.TimeOut(0))
    assert scene.match.banks == (40.0, 60.0)


def test_a_policy_without_an_increment_is_stored_as_before() -> None:
    assert b"increment" not in ev.encode(ev.Opened(START, "m", "tris@1", 2, {}, Policy(bank=60.0)))


# --- draws ----------------------------------------------------------------------------------------------------------


def test_a_draw_that_both_want_ends_the_match_without_a_winner() -> None:
    scene = playing()
    scene.act(4, 0)
    assert scene.do(cmd.Draw(0)) == [ev.DrawOffered(START, 0)]
    assert scene.match.drawing == 0
    agreed = Outcome(Termination.AGREED)
    assert scene.do(cmd.Draw(1)) == [ev.DrawAgreed(START, 1), ev.Ended(START, agreed)]
    assert (scene.match.status, scene.match.outcome) == (Status.OVER, agreed)
    with pytest.raises(Refused, match="the match is over"):
        scene.do(cmd.Draw(0))


def test_a_declined_draw_is_withdrawn() -> None:
    scene = playing()
    scene.act(4, 0)
    scene.do(cmd.Draw(0))
    assert scene.do(cmd.Draw(1, agree=False)) == [ev.DrawDeclined(START, 1)]
    with pytest.raises(Refused, match="no draw is offered to you"):
        scene.do(cmd.Draw(1, agree=False))
    assert scene.do(cmd.Draw(1)) == [ev.DrawOffered(START, 1)]  # an offer of its own


def test_an_offered_draw_stands_after_the_own_move_and_ends_with_the_other_one() -> None:
    scene = playing()
    scene.act(4, 0)
    scene.do(cmd.Draw(0))
    with pytest.raises(Refused, match="already offered"):
        scene.do(cmd.Draw(0))
    scene.act(8)
    assert scene.match.drawing == 0
    scene.act(1)
    assert scene.match.drawing is None
    with pytest.raises(Refused, match="no draw is offered to you"):
        scene.do(cmd.Draw(1, agree=False))


def test_the_draw_offer_of_a_player_whose_seat_a_bot_takes_ends() -> None:
    scene = playing()
    scene.act(4, 0)
    scene.do(cmd.Draw(0))
    after = evolve(scene.match, ev.Substituted(START, 0, ev.Player("greedy bot 1", "", bot="greedy"))).match
    assert after.drawing is None


def test_an_undo_ends_an_offered_draw() -> None:
    scene = playing(policy=UNDO)
    scene.act(4, 0)
    scene.do(cmd.Draw(0), cmd.OfferUndo(0), cmd.AnswerUndo(1, True))
    assert scene.match.drawing is None


def test_draw_offers_are_limited() -> None:
    scene = playing("forza")
    scene.act(0, 1)
    for offer in range(DRAW_OFFERS):
        scene.do(cmd.Draw(0), cmd.Draw(1, agree=False))
        if offer < DRAW_OFFERS - 1:
            scene.act(*(2 + offer, 3 + offer) * ((DRAW_PAUSE_MOVES - 1) // 2))
            with pytest.raises(Refused, match="offer again after 2 moves"):
                scene.do(cmd.Draw(0))
            scene.act(4 + offer, 5 + offer)
    scene.act(0, 1, 0, 1)
    with pytest.raises(Refused, match=f"{DRAW_OFFERS} times, the maximum"):
        scene.do(cmd.Draw(0))
    assert scene.do(cmd.Draw(1)) == [ev.DrawOffered(START, 1)]  # the other may still offer


def test_a_draw_is_offered_only_where_the_rules_know_one_and_two_people_have_moved() -> None:
    scene = playing()
    scene.act(4)
    with pytest.raises(Refused, match="only after each player's first move"):
        scene.do(cmd.Draw(0))
    for other, words in (
        (playing(bot=1), "agreed only between two people"),
        (playing("toy", seats=3), "agreed only between two people"),
        (playing("santorini"), "santorini does not allow draws by agreement"),
        (playing("eriantys"), "eriantys does not allow draws by agreement"),
    ):
        with pytest.raises(Refused, match=words):
            other.do(cmd.Draw(0))
    with pytest.raises(Refused, match="has not begun"):
        Scene().do(cmd.Draw(0))
