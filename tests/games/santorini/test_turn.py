"""The base rules: a turn, winning, losing, three players, teams, practice [1]."""

from __future__ import annotations

import pytest

from boardwire.errors import Illegal, Refused
from boardwire.games import santorini
from boardwire.games.game import Outcome
from boardwire.games.santorini.events import Banished, Built, Drawn, Eliminated, Moved, Termination, TurnStarted, Won
from boardwire.games.santorini.interned import MOVES
from boardwire.games.santorini.kinds import Kind
from boardwire.games.santorini.line import Line
from boardwire.games.santorini.notation import parse_position
from boardwire.games.santorini.options import Draft, Options
from boardwire.games.santorini.powers.catalogue import God
from boardwire.games.santorini.squares import parse_square as sq

FLAT = "00000 00000 00000 00000 00000"


def kind(line: Line) -> str | None:
    return line.position.decision.kind if line.position.decision else None


# A turn


def test_a_turn_is_a_move_and_then_a_build_with_that_worker() -> None:
    line = Line(f"{FLAT}/1/mortal:B3,D3/mortal:C4,C2")
    assert kind(line) == Kind.OPEN
    assert all(">" in step for step in line.steps)
    line.play("B3>B2")
    assert kind(line) == Kind.GO_ON
    assert all(step.startswith("B2^") for step in line.steps)
    line.play("B2^B3")
    assert line.position.seat == 1
    assert line.events == (Built(0, sq("B2"), sq("B3"), 1, False), TurnStarted(1, 1))


def test_a_worker_moves_to_free_neighbours_without_a_dome() -> None:
    line = Line("04000 0a000 00000 00000 00000/1/mortal:A5,A4/mortal:E1,E2")
    assert {step for step in line.steps if step.startswith("A5")} == set()
    assert {step for step in line.steps if step.startswith("A4")} == {"A4>A3", "A4>B3"}


def test_a_worker_climbs_one_level_at_most_and_descends_any_number() -> None:
    line = Line("13200 20000 00000 00000 00000/1/mortal:A5,E5/mortal:E1,E2")
    assert {step for step in line.steps if step.startswith("A5")} == {"A5>A4", "A5>B4"}
    line = Line("30000 00000 00000 00000 00000/1/mortal:A5,E5/mortal:E1,E2")
    assert line.can("A5>B5")


def test_a_build_goes_on_a_free_neighbour_of_the_new_square_the_one_just_left_too() -> None:
    line = Line("00000 00000 00400 00000 00000/1/mortal:B3,C2/mortal:A1,E2").play("B3>B2")
    assert line.steps == {f"B2^{at}" for at in ("A3", "B3", "A2", "B1", "C1")}


def test_level_three_gets_a_dome_and_lower_ones_a_block() -> None:
    line = Line("00000 01230 00000 00000 00000/1/mortal:C2,A1/mortal:E1,E2").play("C2>C3")
    assert {"C3^B4", "C3^C4", "C3^D4X"} <= line.steps
    assert not {"C3^B4X", "C3^D4"} & line.steps
    line.play("C3^D4X")
    assert line.position.domes == 1 << sq("D4")
    assert line.events[0] == Built(0, sq("C3"), sq("D4"), 3, True)


@pytest.mark.parametrize(("level", "plane"), [(0, "b1"), (1, "b2"), (2, "b3")])
def test_each_block_adds_one_level(level: int, plane: str) -> None:
    line = Line(f"00000 000{level}0 00000 00000 00000/1/mortal:C2,A1/mortal:E1,E2").play("C2>C3 C3^D4")
    assert getattr(line.position, plane) == 1 << sq("D4")


# Winning


def test_moving_up_onto_level_three_wins_at_once() -> None:
    line = Line("23000 00000 00000 00000 00000/1/mortal:A5,A1/mortal:E5,E4").play("A5>B5")
    assert line.winners == (0,)
    assert line.position.decision is None
    assert line.events == (Moved(0, 0, 0, sq("A5"), sq("B5")), Won((0,), Termination.CLIMB))


def test_moving_from_level_three_to_level_three_is_not_a_win() -> None:
    assert Line("33000 00000 00000 00000 00000/1/mortal:A5,A1/mortal:E5,E4").play("A5>B5").winners is None


def test_the_second_seat_can_win_too() -> None:
    assert Line("23000 00000 00000 00000 00000/2/mortal:E1,A1/mortal:A5,E4").play("A5>B5").winners == (1,)


# Losing


def test_a_player_who_can_do_nothing_at_the_start_of_the_turn_has_lost() -> None:
    line = Line("02400 22400 44400 00000 00000/2/mortal:A5/mortal:E1").play("E1>D1 D1^E1")
    assert line.winners == (1,)
    assert line.position.outcome == Outcome("stuck", (1,))
    assert line.events[-2:] == (Eliminated(0, Termination.STUCK), Won((1,), Termination.STUCK))


def test_after_the_ply_cap_the_match_is_a_draw() -> None:
    options = Options(Draft.POSITION, ply_cap=2)
    line = Line(parse_position(f"{FLAT}/1/mortal:B3,D3/mortal:C4,C2", options)).play("B3>B2 B2^B3 C4>C5 C5^C4")
    assert line.position.outcome == Outcome("ply cap")
    assert line.events[-1] == Drawn(Termination.PLY_CAP)
    assert line.position.decision is None


# Refusals


def test_only_a_choice_of_the_seat_to_choose_is_accepted() -> None:
    line = Line(f"{FLAT}/1/mortal:B3,D3/mortal:C4,C2")
    with pytest.raises(Refused, match="not your turn"):
        santorini.apply(line.position, 1, MOVES[sq("C4")][sq("C5")])
    with pytest.raises(Illegal, match="not among"):
        santorini.apply(line.position, 0, MOVES[sq("B3")][sq("B1")])


def test_nothing_can_be_done_when_the_match_is_over() -> None:
    line = Line("23000 00000 00000 00000 00000/1/mortal:A5,A1/mortal:E5,E4").play("A5>B5")
    assert santorini.pending(line.position) is None
    with pytest.raises(Refused, match="over"):
        santorini.apply(line.position, 0, MOVES[0][1])
    with pytest.raises(Refused, match="over"):
        santorini.forfeit(line.position, 0)


def test_a_player_who_forfeits_loses_on_any_turn() -> None:
    line = Line(f"{FLAT}/1/mortal:B3,D3/mortal:C4,C2")
    for seat in (0, 1):
        position, events = santorini.forfeit(line.position, seat)
        assert santorini.outcome(position) == Outcome("forfeit", (1 - seat,))
        assert santorini.pending(position) is None
        assert Eliminated(seat, Termination.FORFEIT) in events
    with pytest.raises(Refused, match="there is no seat 2 in this match"):
        santorini.forfeit(line.position, 2)


# Three players

THREE = f"{FLAT}/1/athena:A5,A1/pan:E5,E1/atlas:C3,C2"


def test_three_players_take_turns_in_order() -> None:
    line = Line(THREE).play("A5>B5 B5^A5 E5>D5 D5^E5 C3>C4 C4^C3")
    assert line.position.seat == 0
    assert line.position.ply == 3


def test_a_normal_win_ends_a_match_of_three() -> None:
    line = Line("23000 00000 00000 00000 00000/1/athena:A5,A1/pan:E5,E1/atlas:C3,C2").play("A5>B5")
    assert line.position.outcome == Outcome("climb", (0,))


def test_a_stuck_player_of_three_is_out_with_workers_and_god_and_play_goes_on() -> None:
    line = Line("02400 22400 44400 00000 00000/3/athena:A5/pan:E5,E1/atlas:D3,C2").play("C2>C1 C1^C2")
    assert line.events[3:5] == (Eliminated(0, Termination.STUCK), Banished(0, 0, sq("A5")))
    assert line.position.out == 0b001
    assert line.position.workers[0] == (-1,)
    assert line.position.lineup.gods == (God.MORTAL, God.PAN, God.ATLAS)
    assert line.position.seat == 1
    line.play("E5>D5 D5^E5 D3>D4 D4^D3")
    assert line.position.seat == 1  # seat 0 is passed over


def test_athenas_ban_disappears_the_moment_she_is_eliminated() -> None:
    line = Line("00000 00010 00000 00000 00000/2/athena[^]:A5,A1/mortal:E5,E1/mortal:C3,C2")
    assert not line.can("E5>D4")
    line.position, _ = santorini.forfeit(line.position, 0)
    assert line.can("E5>D4")


def test_athenas_ban_covers_both_opponents_turns() -> None:
    line = Line("01000 00010 00000 00000 00000/1/athena:A5,A1/mortal:E5,E1/mortal:C3,C2").play("A5>B5 B5^A5")
    assert not line.can("E5>D4")
    line.play("E5>E4 E4^E5")
    assert not line.can("C3>D4")


def test_the_last_one_standing_of_three_wins() -> None:
    position, _ = santorini.forfeit(parse_position(THREE), 1)
    assert santorini.outcome(position) is None
    with pytest.raises(Refused, match="already out"):
        santorini.forfeit(position, 1)
    position, _ = santorini.forfeit(position, 0)
    assert santorini.outcome(position) == Outcome("forfeit", (2,))


def test_the_turn_passes_on_when_the_acting_player_of_three_forfeits() -> None:
    position, _ = santorini.forfeit(Line(THREE).play("A5>B5").position, 0)
    assert position.seat == 1
    assert position.turn.moves == 0
    position, _ = santorini.forfeit(parse_position(THREE), 1)
    assert position.seat == 0


def test_the_last_survivor_is_not_asked_whether_it_can_move() -> None:
    # seat 0 is stuck, and so is seat 1: the first to be found stuck loses
    line = Line("02400 22400 44444 00422 00420/1/mortal:A5/mortal:E1")
    assert line.winners == (1,)


# Teams

TEAMS = f"{FLAT}/1/artemis:B3,D3/atlas:C4,C2/demeter/pan"


def test_team_mates_share_workers_but_not_powers() -> None:
    line = Line(TEAMS).play("B3>B2")
    assert line.can("B2>B1")  # Artemis
    line.play("B2^B3")
    assert line.position.seat == 1  # Demeter's second build is her own
    line.play("C4>C5 C5^C4X")
    assert line.position.seat == 2
    line.play("B2>B1 B1^B2")
    assert kind(line) == Kind.BUILD_MORE


def test_a_players_win_is_the_teams() -> None:
    line = Line("23000 00000 00000 00000 00000/3/artemis:A5,D3/atlas:C4,C2/demeter/pan").play("A5>B5")
    assert line.position.outcome == Outcome("climb", (0, 2))


def test_a_players_loss_is_the_teams() -> None:
    position, events = santorini.forfeit(parse_position(TEAMS), 3)
    assert santorini.outcome(position) == Outcome("forfeit", (0, 2))
    assert [event for event in events if isinstance(event, Eliminated)] == [
        Eliminated(1, Termination.FORFEIT),
        Eliminated(3, Termination.FORFEIT),
    ]


def test_athenas_last_turn_in_a_team_is_her_own() -> None:
    start = "01000 00000 00000 00000 00000/1/athena:A5,D3/atlas:C4,C2/demeter/pan"
    line = Line(start).play("A5>B5 B5^A5 C4>C5 C5^D5 B5>B4 B4^B3 .")
    assert line.position.seat == 3
    assert not line.can("C5>D5")  # her ban outlives her mate's turn


# Practice


def test_one_player_practises_until_a_win_or_a_dead_end() -> None:
    line = Line(f"{FLAT}/1/mortal:B3,D3").play("B3>B2 B2^B3")
    assert line.position.seat == 0
    assert Line("23000 00000 00000 00000 00000/1/mortal:A5").play("A5>B5").winners == (0,)
    assert Line("02444 22444 44444 44444 44444/1/mortal:A5").position.outcome == Outcome("stuck")


def test_no_one_wins_by_a_team_mates_power() -> None:
    start = "20000 00000 00000 00000 00000/{}/pan:A5,D3/mortal:C4,C2/demeter/mortal"
    assert Line(start.format(1)).play("A5>A4").winners == (0, 2)
    assert Line(start.format(3)).play("A5>A4").winners is None
