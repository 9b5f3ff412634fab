"""Tables that skip absent players: skipped turns, countdown, end."""

from __future__ import annotations

from random import Random
from typing import Any, Final

import pytest

from boardwire.errors import Reason, Refused
from boardwire.games.game import CHANCE, Draw, Outcome
from boardwire.table import commands as cmd
from boardwire.table import events as ev
from boardwire.table.decide import call_due, countdown_end, deadline, decide, waiting_since
from boardwire.table.events import Opened, Player
from boardwire.table.match import Match, Status, fold, match_of_opening
from boardwire.table.policy import BOT_MATCH_HOLD_SECONDS, COUNTDOWN_SECONDS, Leaving, Policy
from boardwire.table.termination import Termination

from . import toy
from .scenes import START, Scene, playing

SKIPS: Final = Policy(Leaving.SKIPS, grace=30.0)


def three(**policy: Any) -> Scene:
    return playing("toy", Policy(Leaving.SKIPS, **{"grace": 30.0, **policy}), seats=3, options=toy.Options(goal=50))


def turn(scene: Scene) -> int:
    assert scene.match.pending is not None
    return scene.match.pending.seats[0]


# --- what passes ------------------------------------------------------------------------------------------------------


def test_a_player_who_leaves_on_its_turn_is_skipped_at_once() -> None:
    scene = three()
    assert scene.do(cmd.Leave(0)) == [ev.Left(START, 0), ev.Skipped(START, 0)]
    assert scene.act(toy.STEP) == [ev.Acted(START, 1, toy.STEP)]
    assert scene.act(toy.STEP) == [ev.Acted(START, 2, toy.STEP), ev.Skipped(START, 0)]
    assert turn(scene) == 1
    assert countdown_end(scene.match) is None


def test_a_returning_player_decides_again() -> None:
    scene = three()
    scene.do(cmd.Leave(0))
    assert scene.do(cmd.Return(0, "ANN")) == [ev.Returned(START, 0)]
    scene.act(toy.STEP, toy.STEP)
    assert turn(scene) == 0


def test_a_turn_is_also_skipped_after_a_deal_or_a_forfeit() -> None:
    scene = three()
    scene.do(cmd.Leave(2))
    scene.act(toy.STEP)
    scene.do(cmd.Act(1, (toy.LUCK,)))
    assert scene.do(cmd.Deal(11)) == [ev.Dealt(START, 11), ev.Skipped(START, 2)]
    four = playing("toy", SKIPS, seats=3, options=toy.Options(goal=50))
    four.do(cmd.Leave(1))
    assert four.do(cmd.Resign(0)) == [ev.Resigned(START, 0)]
    assert countdown_end(four.match) == START + 30.0


def test_an_action_that_has_not_seen_a_skipped_turn_is_stale() -> None:
    scene = three()
    seen = scene.match.seq
    scene.do(cmd.Leave(0))
    with pytest.raises(Refused, match="moved on"):
        scene.do(cmd.Act(1, (toy.STEP,), seen))


def test_a_skipped_turn_is_no_move_and_costs_only_the_time_that_was_thought() -> None:
    scene = three(bank=100.0)
    scene.now += 10
    scene.do(cmd.Leave(0))
    assert (scene.match.moves, scene.match.banks) == (0, (90.0, 100.0, 100.0))
    scene.act(toy.STEP, toy.STEP)
    assert scene.match.banks[0] == 90.0


def test_a_shared_decision_waits_only_for_players_present() -> None:
    scene = playing("santorini", SKIPS, seats=3, options={"draft": "challenger"})
    assert scene.match.pending is not None
    assert scene.match.pending.seats == (0, 1, 2)
    assert scene.do(cmd.Leave(0)) == [ev.Left(START, 0)]
    assert scene.match.pending.seats == (0, 1, 2)


def test_an_undo_needs_no_consent_of_absent_players() -> None:
    scene = three(undo=True)
    scene.act(toy.STEP)
    assert scene.do(cmd.OfferUndo(0)) == [ev.UndoOffered(START, 0)]
    assert scene.do(cmd.AnswerUndo(1, True)) == [ev.UndoAgreed(START, 1)]
    assert scene.do(cmd.Leave(2)) == [ev.Left(START, 2), ev.Undone(START, 0)]
    scene.act(toy.STEP)
    assert scene.do(cmd.OfferUndo(0), cmd.AnswerUndo(1, True))[-1] == ev.Undone(START, 0)


def test_a_step_and_the_turns_skipped_after_it_are_taken_back_together() -> None:
    scene = three(undo=True)
    scene.do(cmd.Leave(1))
    assert scene.act(toy.STEP)[-1] == ev.Skipped(START, 1)
    assert turn(scene) == 2
    scene.do(cmd.OfferUndo(0), cmd.AnswerUndo(2, True))
    assert (turn(scene), scene.match.moves) == (0, 0)


# --- one alone --------------------------------------------------------------------------------------------------------


def test_the_only_side_wins_at_the_end_of_the_countdown() -> None:
    scene = three()
    scene.do(cmd.Leave(0))
    scene.now += 5
    assert scene.do(cmd.Leave(1)) == [ev.Left(START + 5, 1)]  # no one is skipped while one is alone
    assert countdown_end(scene.match) == deadline(scene.match, 0) == deadline(scene.match, 1) == START + 35
    assert deadline(scene.match, 2) is None
    scene.now += 29
    with pytest.raises(Refused, match="not up"):
        scene.do(cmd.TimeOut(0))
    scene.now += 1
    ended = ev.Ended(scene.now, Outcome("stayed away", (2,), 1))
    assert scene.do(cmd.TimeOut(0)) == [ev.TimedOut(scene.now, 0), ev.TimedOut(scene.now, 1), ended]


def test_a_return_stops_the_countdown() -> None:
    scene = three()
    scene.do(cmd.Leave(0), cmd.Leave(1))
    scene.now += 20
    assert scene.do(cmd.Return(0, "ANN")) == [ev.Returned(scene.now, 0), ev.Skipped(scene.now, 1)]
    assert countdown_end(scene.match) is None
    assert turn(scene) == 2


def test_two_players_are_never_skipped_but_waited_for() -> None:
    scene = playing("tris", SKIPS)
    assert scene.do(cmd.Leave(0)) == [ev.Left(START, 0)]
    scene.now += 30
    assert scene.do(cmd.TimeOut(0))[-1] == ev.Ended(scene.now, Outcome("stayed away", (1,), 0))


def test_the_only_side_finishes_its_turn_and_then_waits() -> None:
    scene = playing("tris", SKIPS)
    scene.do(cmd.Leave(1))
    scene.now += 10
    assert scene.act(4) == [ev.Acted(scene.now, 0, 4)]
    assert turn(scene) == 1
    assert countdown_end(scene.match) == START + 30


def test_actions_of_the_only_side_do_not_restart_the_countdown() -> None:
    scene = three(undo=True)
    scene.do(cmd.Leave(1), cmd.Leave(2))
    for _ in range(5):
        scene.now += 5
        scene.act(toy.HOP)
        scene.do(cmd.OfferUndo(0), cmd.Chat(0, "hello?"))
        assert countdown_end(scene.match) == START + 30
    scene.now += 5
    assert scene.do(cmd.TimeOut(1))[-1] == ev.Ended(scene.now, Outcome("stayed away", (0,), 2))


def test_a_side_left_alone_by_a_move_waits_the_whole_countdown() -> None:
    scene = three()
    scene.do(cmd.Leave(1))
    scene.act(toy.STEP)
    scene.now += 100
    scene.act(toy.DROP)
    assert countdown_end(scene.match) == scene.now + 30


def test_the_last_player_to_leave_has_the_whole_countdown() -> None:
    scene = three()
    scene.do(cmd.Leave(1), cmd.Leave(2))
    scene.now += 20
    scene.do(cmd.Leave(0))
    assert countdown_end(scene.match) == scene.now + 30
    scene.do(cmd.Return(0, "ANN"))
    assert countdown_end(scene.match) == START + 30


def test_a_resignation_gives_the_others_no_new_time() -> None:
    scene = three(per_move=50.0)
    scene.do(cmd.Leave(1))
    scene.now += 40
    scene.do(cmd.Resign(2))
    assert deadline(scene.match, 0) == START + 50


def test_without_any_player_present_there_is_no_winner() -> None:
    scene = three()
    scene.do(cmd.Leave(0), cmd.Leave(1), cmd.Leave(2))
    scene.now += 30
    assert scene.do(cmd.TimeOut(1)) == [ev.Ended(scene.now, Outcome("abandoned"))]


def test_bots_count_as_present_only_beside_a_person() -> None:
    scene = playing("toy", SKIPS, seats=3, bot=2, options=toy.Options(goal=50))
    assert scene.do(cmd.Leave(0)) == [ev.Left(START, 0), ev.Skipped(START, 0)]
    assert countdown_end(scene.match) is None
    assert scene.do(cmd.Leave(1)) == [ev.Left(START, 1)]
    scene.now += 30
    assert scene.do(cmd.TimeOut(0)) == [ev.Ended(scene.now, Outcome("abandoned"))]


def test_a_policy_that_names_no_time_has_the_usual_countdown() -> None:
    scene = three(grace=0.0)
    scene.do(cmd.Leave(0), cmd.Leave(1))
    assert countdown_end(scene.match) == START + COUNTDOWN_SECONDS


def test_a_forfeit_may_start_the_countdown() -> None:
    scene = three()
    scene.do(cmd.Leave(1))
    scene.now += 100
    scene.do(cmd.Resign(2))
    assert turn(scene) == 0
    assert countdown_end(scene.match) == scene.now + 30


def test_the_clock_of_an_absent_player_stands_still() -> None:
    scene = playing("tris", Policy(Leaving.SKIPS, grace=30.0, per_move=5.0, bank=60.0))
    scene.do(cmd.Leave(0))
    scene.now += 20
    assert deadline(scene.match, 0) == START + 30
    scene.do(cmd.Return(0, "ANN"))
    assert deadline(scene.match, 0) == scene.now + 5
    scene.act(4)
    assert scene.match.banks == (60.0, 60.0)


def test_a_team_is_there_while_one_of_it_is() -> None:
    scene = Scene("eriantys", 4, SKIPS)
    for name in "abcd":
        scene.do(cmd.Join(Player(name, key=name.upper())))
    deal_all(scene)
    scene.do(cmd.Leave(0), cmd.Leave(1))
    assert countdown_end(scene.match) is None
    scene.do(cmd.Leave(2))
    assert countdown_end(scene.match) is not None


def deal_all(scene: Scene) -> None:
    luck = Random(1).randrange
    while (pending := scene.match.pending) is not None and CHANCE in pending.seats:
        scene.do(cmd.Deal(choose(pending, luck)))


def test_after_a_restart_no_turn_is_skipped_before_two_players_are_back() -> None:
    scene = three()
    scene.now += 1000
    assert scene.do(*(cmd.Leave(seat, restart=True) for seat in range(3))) == [
        ev.Left(scene.now, seat, restart=True) for seat in range(3)
    ]
    assert countdown_end(scene.match) == scene.now + 30
    assert scene.do(cmd.Return(2, "CYD")) == [ev.Returned(scene.now, 2)]
    assert scene.do(cmd.Return(1, "BOB")) == [ev.Returned(scene.now, 1), ev.Skipped(scene.now, 0)]


# --- coming back by name ----------------------------------------------------------------------------------------------


def nameless() -> Scene:
    """Return a match of two players of a dialect without keys."""
    scene = Scene("tris", 2, SKIPS)
    scene.do(cmd.Join(Player("ann", "old")), cmd.Join(Player("bob", "old")))
    return scene


def test_a_player_without_a_key_comes_back_by_its_name_while_it_is_away() -> None:
    scene = nameless()
    back = cmd.Return(0, "", Player("ann", "old"))
    with pytest.raises(Refused, match="another player"):
        scene.do(back)
    scene.do(cmd.Leave(0))
    for other in (Player("ann", "new"), Player("bob", "old"), Player("", "old"), None):
        with pytest.raises(Refused, match="another player"):
            scene.do(cmd.Return(0, "", other))
    assert scene.do(back) == [ev.Returned(START, 0)]


def test_a_player_with_a_key_is_never_known_by_its_name() -> None:
    scene = playing("tris", SKIPS)
    scene.do(cmd.Leave(0))
    with pytest.raises(Refused, match="another player"):
        scene.do(cmd.Return(0, "", Player("ann", "test")))


# --- whole matches ----------------------------------------------------------------------------------------------------

GAMES: Final[dict[str, tuple[dict[str, Any], ...]]] = {
    "eriantys": (
        {"mode": "simplified"},
        {"mode": "expert", "cloud": "last"},
        {"mode": "expert", "cloud": "first"},
        {"mode": "expert", "cloud": "either"},
    ),
    "santorini": tuple(
        {"draft": draft, "ply_cap": 40}
        for draft in ("none", "random", "challenger", "printed", "online", "together", "two_rounds")
    ),
}
MODES: Final = [
    pytest.param(name, seats, options, id=f"{name}-{seats}-{'-'.join(map(str, options.values()))}")
    for name, modes in GAMES.items()
    for seats in (2, 3, 4)
    for options in modes
]


def choose(pending: Any, below: Any) -> Any:
    if isinstance(pending.choices, Draw):
        return pending.choices.draw(below)
    listed = tuple(pending.choices)
    return listed[below(len(listed))]


def play(name: str, seats: int, options: dict[str, Any], seed: int, policy: Policy = SKIPS) -> Match:
    """Play a whole match at a table: people act, leave, return, resign, and run out of time."""
    luck = Random(seed)
    opening = Opened(START, "m", f"{name}@1", seats, options, policy)
    match, now = match_of_opening(opening), START
    events: list[ev.Event] = [opening]

    def do(command: cmd.Command) -> None:
        nonlocal match
        for moment in decide(match, command, now):
            events.append(moment.event)
            match = moment.match

    for seat in range(seats):
        do(cmd.Join(Player(f"p{seat}", key=str(seat))))
    for step in range(6000):
        if match.status is Status.OVER:
            assert fold(ev.decode(ev.encode(event)) for event in events) == match
            return match
        pending = match.pending
        assert pending is not None
        for reader in (*range(seats), None) if step % 7 == 0 else ():
            assert match.setting.game.view(match.position, reader)
        if CHANCE in pending.seats:
            do(cmd.Deal(choose(pending, luck.randrange)))
            continue
        assert pending.choices
        there = [seat for seat in range(seats) if match.chairs[seat].away is None]
        asked = [seat for seat in pending.seats if seat in there]
        if luck.random() < 0.1:
            seat = luck.randrange(seats)
            do(cmd.Leave(seat) if seat in there else cmd.Return(seat, str(seat)))
        elif luck.random() < 0.002 and (sides := match.setting.game.sides(match.position)):
            do(cmd.Resign(luck.choice([seat for side in sides for seat in side])))
        elif asked:
            now += 1
            do(cmd.Act(luck.choice(asked), (choose(pending, luck.randrange),)))
        else:
            call_due = countdown_end(match)
            assert call_due is not None, "nobody is asked who is there, and nobody is waited for"
            if luck.random() < 0.1:
                now = call_due
                do(cmd.TimeOut(next(seat for seat in range(seats) if seat not in there)))
            else:
                seat = luck.choice([seat for seat in range(seats) if seat not in there])
                do(cmd.Return(seat, str(seat)))
    raise AssertionError("the match does not end")


@pytest.mark.parametrize(("name", "seats", "options"), MODES)
def test_a_match_with_absent_players_comes_to_its_end(name: str, seats: int, options: dict[str, Any]) -> None:
    assert play(name, seats, options, 1).outcome is not None


@pytest.mark.slow
@pytest.mark.parametrize(("name", "seats", "options"), MODES)
def test_thousands_of_matches_with_absent_players_come_to_their_end(
    name: str, seats: int, options: dict[str, Any]
) -> None:
    for seed in range(100, 200):
        play(name, seats, options, seed)


# --- those who wait no longer -----------------------------------------------------------------------------------------


def test_a_player_away_longer_than_the_patience_forfeits_when_its_time_is_called() -> None:
    scene = playing("tris", Policy(Leaving.HOLDS, grace=120.0, patience=60.0))
    scene.do(cmd.Leave(0))
    assert call_due(scene.match, 0) == START + 60
    scene.now += 59
    with pytest.raises(Refused, match="wait 1 seconds more") as refused:
        scene.do(cmd.CallTime(1))
    assert refused.value.reason is Reason.NOT_DUE
    scene.now += 1
    ended = ev.Ended(scene.now, Outcome("stayed away", (1,), 0))
    assert scene.do(cmd.CallTime(1)) == [ev.TimedOut(scene.now, 0, called=1), ended]


def test_the_time_of_a_player_present_cannot_be_called() -> None:
    scene = playing("tris", Policy(Leaving.HOLDS, grace=120.0, patience=60.0))
    scene.now += 100
    with pytest.raises(Refused, match=r"long enough$"):
        scene.do(cmd.CallTime(1))
    scene.do(cmd.Leave(0), cmd.Return(0, "ANN"))
    scene.now += 100
    with pytest.raises(Refused, match=r"long enough$"):
        scene.do(cmd.CallTime(1))


@pytest.mark.parametrize(("patience", "grace"), [(0.0, 120.0), (120.0, 120.0), (60.0, 0.0)])
def test_a_table_without_its_own_timeout_holds_seats_for_their_whole_time(patience: float, grace: float) -> None:
    scene = playing("tris", Policy(Leaving.HOLDS, grace, patience=patience))
    scene.do(cmd.Leave(0))
    scene.now += 119
    assert call_due(scene.match, 0) is None
    with pytest.raises(Refused, match="long enough"):
        scene.do(cmd.CallTime(1))


def test_a_called_time_affects_only_players_away_long_enough() -> None:
    scene = playing("toy", Policy(Leaving.HOLDS, grace=120.0, patience=60.0), seats=3, options=toy.Options(goal=50))
    scene.do(cmd.Leave(0))
    scene.now += 30
    scene.do(cmd.Leave(1))
    scene.now += 30
    assert scene.do(cmd.CallTime(2)) == [ev.TimedOut(scene.now, 0, called=2)]
    assert scene.match.status is Status.PLAYING
    assert call_due(scene.match, 0) is None  # it is out


def test_an_eliminated_player_cannot_call_the_time() -> None:
    scene = playing("toy", Policy(Leaving.HOLDS, grace=120.0, patience=60.0), seats=3, options=toy.Options(goal=50))
    scene.do(cmd.Resign(2), cmd.Leave(0))
    scene.now += 60
    with pytest.raises(Refused, match="you are out"):
        scene.do(cmd.CallTime(2))


def test_with_skipping_only_the_side_left_alone_may_call_the_time() -> None:
    scene = three(patience=10.0)
    scene.do(cmd.Leave(0))
    scene.now += 20
    with pytest.raises(Refused, match="long enough"):
        scene.do(cmd.CallTime(1))
    scene.do(cmd.Leave(1))
    assert call_due(scene.match, 0) == call_due(scene.match, 1) == scene.now + 10
    scene.now += 10
    ended = ev.Ended(scene.now, Outcome("stayed away", (2,), 1))
    gone = [ev.TimedOut(scene.now, seat, called=2) for seat in (0, 1)]
    assert scene.do(cmd.CallTime(2)) == [*gone, ended]


def test_before_and_after_the_match_no_time_is_called() -> None:
    scene = playing("tris", Policy(Leaving.HOLDS, grace=120.0, patience=60.0))
    scene.do(cmd.Resign(0))
    with pytest.raises(Refused, match="over"):
        scene.do(cmd.CallTime(1))
    waiting = Scene("tris", 2, Policy(Leaving.HOLDS, 120.0, patience=60.0))
    waiting.do(cmd.Join(Player("ann")))
    with pytest.raises(Refused, match="not begun"):
        waiting.do(cmd.CallTime(0))


# --- against bots alone -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("leaving", [Leaving.HOLDS, Leaving.SKIPS])
def test_a_match_against_bots_alone_waits_and_then_ends_without_a_winner(leaving: Leaving) -> None:
    scene = playing(policy=Policy(leaving, grace=30.0, patience=10.0), bot=1)
    assert scene.do(cmd.Leave(0)) == [ev.Left(START, 0)]
    due = deadline(scene.match, 0)
    assert due == START + BOT_MATCH_HOLD_SECONDS
    assert waiting_since(scene.match, 0) is call_due(scene.match, 0) is None
    scene.now = due
    outcome = Outcome(Termination.ABANDONED, by=0)
    assert scene.do(cmd.TimeOut(0)) == [ev.Ended(due, outcome)]


def test_the_clock_stands_still_while_the_only_person_is_away() -> None:
    scene = playing(policy=Policy(Leaving.HOLDS, grace=30.0, bank=60.0, per_move=20.0), bot=1)
    scene.now += 5
    scene.do(cmd.Leave(0))
    scene.now += 3600
    scene.do(cmd.Return(0, "ANN"))
    assert deadline(scene.match, 0) == scene.now + 15
    scene.now += 2
    scene.act(0)
    assert scene.match.banks == (53.0, 60.0)


def test_a_person_among_the_others_is_waited_for_as_before() -> None:
    scene = playing("toy", Policy(Leaving.HOLDS, grace=30.0), seats=3, bot=2, options=toy.Options(goal=50))
    scene.do(cmd.Leave(0))
    assert deadline(scene.match, 0) == START + 30.0


def test_the_only_person_of_a_rated_match_forfeits_by_absence_and_its_clock_runs() -> None:
    policy = Policy(Leaving.HOLDS, grace=30.0, per_move=50.0, rated=True)
    scene = playing(policy=policy, bot=1)
    scene.do(cmd.Leave(0))
    scene.now += 20
    scene.do(cmd.Return(0, "ANN"))
    assert deadline(scene.match, 0) == START + 50.0
    scene.do(cmd.Leave(0))
    assert waiting_since(scene.match, 0) == scene.now
    scene.now = START + 50.0
    *_, ended = scene.do(cmd.TimeOut(0))
    assert ended == ev.Ended(scene.now, Outcome(Termination.STAYED_AWAY, (1,), by=0))
