"""The promo gods that move otherwise: a case for every sentence about them [2.5]."""

from __future__ import annotations

import pytest

from boardwire.errors import Illegal, Malformed
from boardwire.games import santorini
from boardwire.games.santorini.edits import with_worker
from boardwire.games.santorini.events import Forced, Moved, Termination, Won, WorkerPlaced
from boardwire.games.santorini.line import Line
from boardwire.games.santorini.notation import parse_position
from boardwire.games.santorini.options import Draft, Options
from boardwire.games.santorini.perft import Turns
from boardwire.games.santorini.position import OFF
from boardwire.games.santorini.powers.catalogue import God
from boardwire.games.santorini.squares import parse_square as sq
from boardwire.games.santorini.steps import parse_action

FLAT = "00000 00000 00000 00000 00000"


def destinations(line: Line, frm: str) -> set[str]:
    """Where a worker may move."""
    return {step[3:] for step in line.steps if step.startswith(f"{frm}>")}


# Castor


def test_castor_may_play_a_normal_turn() -> None:
    line = Line(f"{FLAT}/1/castor:A5,E1/mortal:E5,A1").play("A5>B5 B5^A5")
    assert line.position.seat == 1


def test_castor_may_move_all_workers_and_not_build() -> None:
    line = Line(f"{FLAT}/1/castor:A5,E1/mortal:E5,A1").play("A5>B5")
    assert {step[:3] for step in line.steps} == {"B5^", "E1>"}
    line.play("E1>D1")
    assert line.position.seat == 1
    assert line.position.b1 == 0


def test_castor_may_build_with_all_workers_and_not_move() -> None:
    line = Line(f"{FLAT}/1/castor:A5,E1/mortal:E5,A1").play("A5^B5")
    assert {step[:3] for step in line.steps} == {"E1^"}
    line.play("E1^D1")
    assert line.position.seat == 1
    assert line.position.b1 == 1 << sq("B5") | 1 << sq("D1")


def test_castor_may_build_twice_on_one_square_also_a_dome() -> None:
    line = Line("00000 00000 00200 00000 00000/1/castor:B3,D3/mortal:E5,A1").play("B3^C3")
    assert line.play("D3^C3X").position.domes == 1 << sq("C3")


def test_both_moves_of_castor_obey_the_height_and_may_win() -> None:
    line = Line("00000 00000 00000 00000 00032/1/castor:A5,E1/mortal:E5,A1").play("A5>B5")
    assert line.can("E1>D1")
    assert line.play("E1>D1").winners == (0,)
    assert not Line("00000 00000 00000 00000 00020/1/castor:A5,E1/mortal:E5,A1").play("A5>B5").can("E1>D1")


def test_castor_may_go_where_his_other_worker_stood() -> None:
    line = Line(f"{FLAT}/1/castor:A5,B5/mortal:E5,A1").play("A5>A4")
    assert line.can("B5>A5")


def test_castor_builds_nothing_first_that_leaves_the_other_nowhere_to_build() -> None:
    # B4 is all that the worker on A5 can build on
    line = Line("04000 03000 00000 00000 00000/1/castor:A5,A4/mortal:E5,A1")
    assert line.can("A5^B4X")
    assert line.can("A4^A3")
    assert not line.can("A4^B4X")
    line.play("A4^A3")
    assert line.steps == {"A5^B4X"}
    low = Line("04000 01000 00000 00000 00000/1/castor:A5,A4/mortal:E5,A1")
    assert low.can("A4^B4")


def test_castor_with_one_worker_left_may_move_or_build_with_it_alone() -> None:
    line = Line(f"{FLAT}/1/castor:A5/mortal:E5,A1").play("A5>B5")
    assert line.can(".")
    assert line.can("B5^A5")
    assert line.play(".").position.seat == 1
    assert Line(f"{FLAT}/1/castor:A5/mortal:E5,A1").play("A5^B5").position.seat == 1


def test_a_worker_that_is_gone_neither_moves_nor_builds_for_castor() -> None:
    board = "00000 00000 00020 00000 00000"
    line = Line(f"{board}/1/theseus:B3,E1/castor:D3,A5").play("B3>C3 C3^B3 xD3")
    assert {step[:2] for step in line.steps} == {"A5"}
    assert line.play("A5>B5").can(".")


def test_castor_with_two_workers_may_not_stop_after_one_move() -> None:
    assert not Line(f"{FLAT}/1/castor:A5,E1/mortal:E5,A1").play("A5>B5").can(".")


def test_castor_who_cannot_move_may_still_build() -> None:
    line = Line("02000 22000 00000 00022 00020/1/castor:A5,E1/mortal:E5,A1")
    assert line.winners is None
    assert not any(">" in step for step in line.steps)


def test_foes_building_first_does_not_end_their_turn() -> None:
    line = Line(f"{FLAT}/2/castor:A5/prometheus:E5,E1").play("E5^E4")
    assert all(step.startswith("E5>") for step in line.steps)


def test_foes_moving_all_their_workers_must_still_build() -> None:
    line = Line(f"{FLAT}/2/castor:A5,A1/terpsichore:E5,E1").play("E5>E4 E1>E2")
    assert line.position.seat == 1
    assert any("^" in step for step in line.steps)


def test_persephone_looks_at_both_moves_of_castor() -> None:
    board = "01000 00000 00000 00000 00000"
    line = Line(f"{board}/1/castor:A5,E1/persephone:E5,A1")
    assert not any("^" in step for step in line.steps)
    line.play("E1>D1")
    assert line.steps == {"A5>B5"}
    assert line.play("A5>B5").position.seat == 1
    flat = Line(f"{FLAT}/1/castor:A5,E1/persephone:E5,A1")
    assert flat.can("A5^B5")


def test_castor_in_a_team_plays_with_the_workers_of_the_team() -> None:
    line = Line(f"{FLAT}/3/mortal:A5,E1/mortal:E5,A1/castor/mortal").play("A5>B5 E1>D1")
    assert line.position.seat == 3


# Eris


def test_eris_may_move_and_build_with_a_foes_worker() -> None:
    line = Line(f"{FLAT}/1/eris:A5,E1/mortal:A1,C3").play("C3>C4")
    assert all(step.startswith("C4^") for step in line.steps)
    line.play("C4^C3")
    assert line.position.seat == 1
    assert line.position.workers == ((sq("A5"), sq("E1")), (sq("A1"), sq("C4")))


def test_eris_may_not_use_the_worker_its_owner_moved_last() -> None:
    line = Line(f"{FLAT}/2/eris:A5,E1/mortal:A1,C3").play("C3>C4 C4^C3")
    assert line.can("A1>A2")
    assert not line.can("C4>C5")


def test_what_eris_moves_does_not_count_as_moved_by_its_owner() -> None:
    line = Line(f"{FLAT}/2/eris:A5,E1/mortal:A1,C3").play("C3>C4 C4^C3 A1>A2 A2^A1")
    line.play("C4>C5 C5^C4")
    assert line.can("A2>A3")


def test_who_moves_no_one_moved_last_whom_he_moved_before() -> None:
    line = Line(f"{FLAT}/2/eris:A5,E5/castor:A1,C3").play("C3>C4 C4^C3 A1>A2 A2^A1 A2^B2 C4^B4")
    assert line.can("A2>A3")
    assert not line.can("C4>C5")


def test_a_foes_worker_moved_up_to_level_three_by_eris_wins_for_no_one() -> None:
    line = Line("00000 00000 00230 00000 00000/1/eris:A5,E1/mortal:A1,C3").play("C3>D3")
    assert line.winners is None


def test_if_eris_moves_pans_worker_down_pan_wins() -> None:
    line = Line("00000 00000 00200 00000 00000/1/eris:A5,E1/pan:A1,C3").play("C3>D3")
    assert line.events[-1] == Won((1,), Termination.POWER, God.PAN)


def test_eris_may_also_play_a_normal_turn_and_win() -> None:
    line = Line("23000 00000 00000 00000 00000/1/eris:A5,E1/mortal:A1,C3").play("A5>B5")
    assert line.winners == (0,)


def test_eris_remembers_the_last_of_several_workers_a_foe_moved() -> None:
    line = Line(f"{FLAT}/2/eris:A5,E1/castor:A1,C3").play("C3>C4 A1>A2")
    assert line.can("C4>C5")
    assert not line.can("A2>A3")


def test_eris_sees_workers_on_the_first_square_too() -> None:
    line = Line(f"{FLAT}/1/eris:C3,E1/mortal:A5,A1")
    assert line.can("A5>B5")
    line = Line(f"{FLAT}/2/eris:C3,E1/mortal:A4,A1").play("A4>A5 A5^A4")
    assert "/eris[A5]:" in str(line)


def test_a_foe_that_moves_eris_own_worker_did_not_move_one_of_its_own() -> None:
    line = Line("00003 00000 00000 00000 00000/2/eris:A5,C3/dionysus:E3,A1").play("E3>E4 E4^E5X")
    assert line.position.turn.extra
    line.play("C3>C4 C4^C3")
    assert line.position.memos[0] == (0,)
    assert not line.can("E4>E3")


def test_eris_does_not_mind_workers_that_are_gone() -> None:
    line = Line(f"{FLAT}/2/eris:A5,E1/hydra:C3,C4").play("C3>D3 D3^C3 xD3")
    assert line.can("C4>C5")
    assert line.can("A5>B5")


def test_eris_uses_no_one_on_a_foes_coin() -> None:
    line = Line("00000 00000 00100 00000 00000/1/eris:A5,E1/clio[2|C3]:A1,C3")
    assert {step[:2] for step in line.steps} == {"A5", "E1", "A1"}


def test_the_worker_moved_last_is_written_by_its_square() -> None:
    line = Line(f"{FLAT}/2/eris:A5,E1/mortal:A1,C3").play("C3>C4 C4^C3")
    assert "/eris[C4]:A5,E1/" in str(line)
    assert parse_position(str(line)).decision == line.position.decision
    assert "/eris:A5,E1/" in str(Line(f"{FLAT}/1/eris:A5,E1/mortal:A1,C3"))
    power, p = line.position.lineup.powers[0], line.position
    assert power.written(with_worker(p, 1, 1, OFF)) == ""
    with pytest.raises(Malformed):
        parse_position(f"{FLAT}/1/eris[B2]:A5,E1/mortal:A1,C3")


def test_in_teams_eris_may_not_use_the_worker_the_other_team_moved_last() -> None:
    line = Line(f"{FLAT}/2/eris:A5,E1/mortal:A1,C3/mortal/mortal").play("C3>C4 C4^C3 A5>A4 A4^A5 A1>B1 B1^A1")
    assert line.position.seat == 0
    assert line.can("C4>C5")
    assert not line.can("B1>B2")


def test_a_team_mates_moves_are_not_the_foes() -> None:
    line = Line(f"{FLAT}/3/eris:A5,E1/mortal:A1,C3/mortal/mortal").play("A5>A4 A4^A5")
    assert line.position.memos[0] == ()


def test_eris_lent_by_the_ram_knows_whom_the_foe_moved_last() -> None:
    line = Line(f"{FLAT}/2/mortal:A5,A4/mortal:C4,E1/ramC3=eris")
    assert line.position.lineup.gods == (God.MORTAL, God.ERIS)
    line = Line(f"{FLAT}/1/mortal:A5,A4/mortal:D4,E1/ramC3=eris").play("A4>B4 B4^A4")
    line.play("D4>C4 C4^D4")
    assert line.can("E1>E2")
    assert not line.can("C4>C5")


def test_positions_that_differ_only_in_which_worker_is_where_are_counted_apart_for_eris() -> None:
    ends = [end for end, _ in Turns(parse_position(f"{FLAT}/1/castor:A5,B5/eris:E5,E1")).ends.values()]
    crossed = {end.workers[0] for end in ends if end.memos[1] == (1,) and not end.b1}
    assert {(sq("A4"), sq("B4")), (sq("B4"), sq("A4"))} <= crossed


def test_eris_lent_after_an_own_move_holds_that_against_no_foe() -> None:
    line = Line(f"{FLAT}/1/mortal:A5,A4/mortal:D4,E1/ramC3=eris").play("A4>B4 B4^A4 A5>B5 B5^A5")
    assert line.position.seat == 0
    assert line.can("D4>D5")
    assert line.can("E1>E2")


# Hippolyta


def test_every_worker_moves_only_diagonally() -> None:
    line = Line(f"{FLAT}/2/hippolyta:A5,E5/mortal:C3,A1")
    assert destinations(line, "C3") == {"B4", "D4", "B2", "D2"}
    assert destinations(line, "A1") == {"B2"}


def test_hippolytas_female_worker_moves_everywhere_and_her_other_one_does_not() -> None:
    line = Line(f"{FLAT}/1/hippolyta:C3,E1/mortal:A5,A1")
    assert destinations(line, "C3") == {"B4", "D4", "B2", "D2"}
    assert destinations(line, "E1") == {"D1", "D2", "E2"}


def test_hippolyta_minds_moves_not_builds_or_forcing() -> None:
    line = Line(f"{FLAT}/2/hippolyta:A5,E5/mortal:C3,A1").play("C3>D4")
    assert line.can("D4^D5")
    line = Line(f"{FLAT}/2/hippolyta:A5,D2/minotaur:C3,A1").play("C3>D2")
    assert line.events[1] == Forced(1, 0, 1, sq("D2"), sq("E1"), God.MINOTAUR)


def test_jumps_and_ways_over_the_edge_must_be_diagonal_too() -> None:
    line = Line(f"{FLAT}/2/hippolyta:B3,D4/iris:C3,A1")
    assert destinations(line, "C3") == {"B4", "B2", "D2", "E5"}
    line = Line(f"{FLAT}/2/hippolyta:B3,C4/urania:A5,C1")
    assert destinations(line, "A5") == {"B4", "B1", "E1", "E4"}


def test_her_female_worker_stays_free_in_a_foes_hand() -> None:
    line = Line(f"{FLAT}/2/hippolyta:B3,D4/eris:E1,A1")
    assert len(destinations(line, "D4")) == 8
    assert len(destinations(line, "B3")) == 4


def test_without_her_female_worker_all_hippolytas_move_diagonally() -> None:
    line = Line(f"{FLAT}/1/hippolyta:C3/mortal:A5,A1")
    assert destinations(line, "C3") == {"B4", "D4", "B2", "D2"}


def test_the_notation_names_her_female_worker() -> None:
    line = Line(f"{FLAT}/1/hippolyta[C3]:C3,E1/mortal:A5,A1")
    assert line.position.workers[0] == (sq("E1"), sq("C3"))
    assert "/hippolyta[C3]:E1,C3/" in str(line)
    corner = Line(f"{FLAT}/1/mortal:C3,E1/hippolyta[A5]:A5,A1")
    assert corner.position.workers == ((sq("C3"), sq("E1")), (sq("A1"), sq("A5")))
    assert "/hippolyta[A5]:A1,A5" in str(corner)
    alone = Line(f"{FLAT}/1/hippolyta[C3]:C3/mortal:A5,A1")
    assert alone.position.workers[0] == (OFF, sq("C3"))
    assert len(destinations(alone, "C3")) == 8
    with pytest.raises(Malformed):
        parse_position(f"{FLAT}/1/hippolyta[B2]:C3,E1/mortal:A5,A1")


def test_who_cannot_move_diagonally_has_lost() -> None:
    assert Line("00000 40000 00000 00000 00000/2/hippolyta:B4,E5/mortal:A5").winners == (0,)


def test_hippolyta_binds_her_team_mate_but_not_the_teams_female_worker() -> None:
    line = Line(f"{FLAT}/3/hippolyta:C3,E1/mortal:A5,A1/mortal/mortal")
    assert len(destinations(line, "C3")) == 4
    assert len(destinations(line, "E1")) == 3


# Iris


def test_iris_may_jump_over_any_neighbouring_worker() -> None:
    line = Line(f"{FLAT}/1/iris:A3,A4/mortal:B3,E1")
    assert line.can("A3>C3")
    assert line.can("A3>A5")
    line.play("A3>C3")
    assert line.events == (Moved(0, 0, 0, sq("A3"), sq("C3")),)
    assert {step[:3] for step in line.steps} == {"C3^"}
    assert line.position.workers[1] == (sq("B3"), sq("E1"))


def test_iris_jumps_only_to_a_free_square_on_the_board() -> None:
    assert not Line(f"{FLAT}/1/iris:A3,A1/mortal:B3,C3").can("A3>C3")
    assert not Line("00000 00000 00a00 00000 00000/1/iris:A3,A1/mortal:B3,E1").can("A3>C3")
    assert not Line(f"{FLAT}/1/iris:A3,A1/europa[C3]:B3,E1").can("A3>C3")
    assert not Line(f"{FLAT}/1/iris:A3,A1/clio[2|C3]:B3,E1").can("A3>C3")
    assert destinations(Line(f"{FLAT}/1/iris:B3,A1/mortal:A3,E1"), "B3") == {"A4", "B4", "C4", "C3", "A2", "B2", "C2"}


def test_iris_jumps_over_nothing_but_a_worker() -> None:
    assert not Line(f"{FLAT}/1/iris:A3,A1/mortal:E3,E1").can("A3>C3")
    assert not Line("00000 00000 04000 00000 00000/1/iris:A3,A1/mortal:E3,E1").can("A3>C3")


def test_iris_jumps_to_any_level_and_up_to_three_she_wins() -> None:
    assert Line("00000 00000 00300 00000 00000/1/iris:A3,A1/mortal:B3,E1").play("A3>C3").winners == (0,)
    line = Line("00000 00000 03200 00000 00000/1/iris:A3,A1/mortal:B3,E1").play("A3>C3")
    assert line.winners is None
    assert line.position.turn.climbed
    from_three = Line("00000 00000 30300 00000 00000/1/iris:A3,A1/mortal:B3,E1").play("A3>C3")
    assert from_three.winners is None


def test_iris_climbs_only_one_level_without_jumping() -> None:
    assert not Line("00000 20000 00000 00000 00000/1/iris:A3,A1/mortal:B3,E1").can("A3>A4")


def test_a_jump_up_is_a_move_up() -> None:
    assert not Line("00000 00000 00100 00000 00000/1/iris:A3,A1/athena[^]:B3,E1").can("A3>C3")


def test_hera_vetoes_a_jump_onto_the_border() -> None:
    line = Line("00300 00000 00000 00000 00000/1/iris:C3,A1/hera:C4,E1").play("C3>C5")
    assert line.winners is None


def test_iris_does_not_jump_where_she_could_not_build() -> None:
    walled, open_ = "00000 00000 00000 44000 00000", "00000 00000 00000 04000 00000"
    assert not Line(f"{walled}/1/iris:C1,E5/mortal:B1,E1").can("C1>A1")
    assert Line(f"{open_}/1/iris:C1,E5/mortal:B1,E1").can("C1>A1")


def test_a_winning_jump_needs_no_build() -> None:
    line = Line("00000 00000 00000 44000 30000/1/iris:C1,E5/mortal:B1,E1")
    assert line.play("C1>A1").winners == (0,)


def test_limus_may_leave_a_jump_nowhere_to_build() -> None:
    line = Line("00000 00000 00000 00000 00000/1/iris:C1,E5/limus:B1,A3")
    assert not line.can("C1>A1")


def test_the_harpies_blow_on_who_jumped() -> None:
    line = Line(f"{FLAT}/1/iris:A3,A1/harpies:B3,E1").play("A3>C3")
    assert line.position.workers[0][0] == sq("E3")


# Pegasus


def test_pegasus_may_move_up_more_than_one_level() -> None:
    line = Line("02000 30000 00000 00000 00000/1/pegasus:A5,E1/mortal:E5,A1")
    assert line.can("A5>B5")
    assert line.can("A5>A4")


@pytest.mark.parametrize("level", [0, 1])
def test_flying_up_to_level_three_does_not_win(level: int) -> None:
    line = Line(f"{level}3000 00000 00000 00000 00000/1/pegasus:A5,E1/mortal:E5,A1").play("A5>B5")
    assert line.winners is None
    assert line.play("B5^A5").position.seat == 1


def test_an_ordinary_climb_still_wins_for_pegasus() -> None:
    assert Line("23000 00000 00000 00000 00000/1/pegasus:A5,E1/mortal:E5,A1").play("A5>B5").winners == (0,)


def test_pegasus_moves_onto_no_worker_dome_or_closed_square() -> None:
    line = Line("0a000 00000 00000 00000 00000/1/pegasus:A5,E1/europa[A4]:B4,A1")
    assert destinations(line, "A5") == set()


def test_athena_keeps_pegasus_down() -> None:
    assert not Line("02000 00000 00000 00000 00000/1/pegasus:A5,E1/athena[^]:E5,A1").can("A5>B5")


def test_pegasus_vetoes_only_his_own_flights() -> None:
    line = Line("00000 00000 00000 00000 00013/2/pegasus:A5,E5/bellerophon:D1,A1").play("D1>E1")
    assert line.winners == (1,)
    line = Line("00000 00000 00030 00000 00000/1/pegasus:A5,E1/charybdis[B5,D3]:E5,A1", printed=True).play("A5>B5")
    assert line.winners == (0,)  # the whirlpool carries him up, not his wings
    north = Line("00000 00000 00030 00000 00000/1/pegasus:A4,E1/charybdis[A5,D3]:E5,A1", printed=True).play("A4>A5")
    assert north.winners == (0,)


# Proteus


def test_proteus_has_three_workers() -> None:
    p = santorini.new(Options(Draft.GIVEN, gods=(God.PROTEUS, God.PAN)), 2)
    events: tuple[santorini.Event, ...] = ()
    for at in ("+A5", "+B5", "+C5", "+A1"):
        decision = santorini.pending(p)
        assert decision is not None
        p, events = santorini.apply(p, decision.seats[0], parse_action(at))
    assert events == (WorkerPlaced(1, 1, 0, sq("A1")),)


def test_another_of_proteus_workers_must_be_forced_into_the_square_left() -> None:
    line = Line(f"{FLAT}/1/proteus:A5,C3,E1/mortal:E5,A1").play("C3>C4")
    assert line.steps == {"A5=>C3", "E1=>C3"}
    line.play("A5=>C3")
    assert line.events == (Forced(0, 0, 0, sq("A5"), sq("C3"), God.PROTEUS),)
    assert {step[:3] for step in line.steps} == {"C4^"}  # the one that moved builds
    assert not line.can("C4^C3")
    assert line.play("C4^C5").position.seat == 1


def test_forcing_is_to_any_level_and_never_wins() -> None:
    line = Line("00000 00000 00300 00000 00000/1/proteus:A5,C3,E1/mortal:E5,A1").play("C3>C4 A5=>C3")
    assert line.winners is None
    assert not line.position.turn.climbed


def test_proteus_alone_just_moves_and_builds() -> None:
    line = Line(f"{FLAT}/1/proteus:C3/mortal:E5,A1").play("C3>C4")
    assert {step[:3] for step in line.steps} == {"C4^"}


def test_no_one_is_forced_when_the_square_left_is_taken_again() -> None:
    # the whirlpool on C4 leads back to the one on C3 that the mover just left
    line = Line(f"{FLAT}/1/proteus:A5,C3,E1/charybdis[C3,C4]:E5,A1").play("C3>C4")
    assert line.position.workers[0][1] == sq("C3")
    assert {step[:3] for step in line.steps} == {"C3^"}


def test_proteus_does_not_move_where_he_could_not_build_once_the_square_is_filled() -> None:
    board = "00440 04400 44400 00000 00000"
    line = Line(f"{board}/1/proteus:B5,E1,E2/mortal:E5,A1")
    assert line.can("B5>A5")
    tight = Line("00440 44400 44400 00000 00000/1/proteus:B5,E1,E2/mortal:E5,A1")
    assert not tight.can("B5>A5")


def test_only_the_force_that_leaves_room_for_a_build_is_offered() -> None:
    # from A5 the mover could build only where B4 stood, or on B5, which is filled
    line = Line("00440 40400 00400 00000 00000/1/proteus:B5,B4,E2/mortal:E5,A1")
    assert line.can("B5>A5")
    line.play("B5>A5")
    assert line.steps == {"B4=>B5"}
    assert line.play("B4=>B5").steps == {"A5^B4"}


def test_a_whirlpool_is_looked_through_before_proteus_moves() -> None:
    board = "00000 00000 00000 00044 00000"
    line = Line(f"{board}/1/proteus:A5,A4,C1/charybdis[B5,E1]:D1,A1")
    assert not line.can("A5>B5")


def test_persephone_asks_no_climb_of_a_forced_worker() -> None:
    line = Line("01000 00000 00000 00000 00000/1/proteus:A5,E1,E3/persephone:E5,A1")
    assert {step for step in line.steps if ">" in step} == {"A5>B5"}
    assert not line.play("A5>B5").position.lineup.powers[0].may_climb(line.position)


def test_proteus_plays_with_three_players() -> None:
    line = Line(f"{FLAT}/1/proteus:A5,C3,E1/mortal:E5,A1/mortal:B1,D1").play("C3>C4 E1=>C3 C4^C5")
    assert line.position.seat == 1


# Scylla


def test_scylla_may_drag_a_foe_beside_the_square_she_left_into_it() -> None:
    line = Line(f"{FLAT}/1/scylla:C3,A1/mortal:D3,B2").play("C3>C4")
    assert {step for step in line.steps if "=>" in step} == {"D3=>C3", "B2=>C3"}
    line.play("D3=>C3")
    assert line.events == (Forced(0, 1, 0, sq("D3"), sq("C3"), God.SCYLLA),)
    assert {step[:3] for step in line.steps} == {"C4^"}  # one, and the mover builds
    assert not line.can("C4^C3")
    assert line.can("C4^D3")
    assert line.play("C4^D3").position.seat == 1


def test_scylla_need_not_drag() -> None:
    assert Line(f"{FLAT}/1/scylla:C3,A1/mortal:D3,B2").play("C3>C4 C4^C3").position.seat == 1


def test_scylla_drags_no_one_further_away_and_none_of_her_own() -> None:
    line = Line(f"{FLAT}/1/scylla:C3,B3/mortal:E3,E1").play("C3>C4")
    assert not any("=>" in step for step in line.steps)


def test_scylla_drags_to_any_level_and_no_one_wins() -> None:
    line = Line("00000 00300 00300 00000 00000/1/scylla:C3,A1/mortal:D3,B1").play("C3>C4 D3=>C3")
    assert line.winners is None


def test_scyllas_winning_move_ends_the_match_before_any_dragging() -> None:
    assert Line("00000 00300 00200 00000 00000/1/scylla:C3,A1/mortal:D3,B1").play("C3>C4").winners == (0,)


def test_scylla_does_not_drag_when_she_could_not_build_after_it() -> None:
    walled = "00000 44000 00000 00000 00000"
    line = Line(f"{walled}/1/scylla:B5,E1/mortal:C4,A1").play("B5>A5")
    assert line.steps == {"A5^B5"}
    near = Line("00000 40000 00000 00000 00000/1/scylla:B5,E1/mortal:B4,A1").play("B5>A5")
    assert near.can("B4=>B5")  # what the foe leaves can be built on


def test_scylla_drags_no_one_from_or_onto_a_coin() -> None:
    line = Line("00000 00000 00010 00000 00000/1/scylla:C3,A1/clio[2|D3]:D3,B2").play("C3>C4")
    assert {step for step in line.steps if "=>" in step} == {"B2=>C3"}


def test_no_one_is_dragged_when_the_square_left_is_taken_again() -> None:
    line = Line(f"{FLAT}/1/scylla:C3,A1/charybdis[C3,C4]:D3,A5").play("C3>C4")
    assert not any("=>" in step for step in line.steps)


def test_scylla_climbs_no_more_once_she_moved() -> None:
    line = Line("00000 00000 00000 00000 01000/1/scylla:C3,A2/persephone:D3,B4")
    assert line.steps == {"A2>B1"}
    assert not line.play("A2>B1").position.lineup.powers[0].may_climb(line.position)


def test_scylla_in_a_team_drags_workers_of_the_other_team() -> None:
    line = Line(f"{FLAT}/3/mortal:C3,A1/mortal:D3,B2/scylla/mortal").play("C3>C4")
    assert {step for step in line.steps if "=>" in step} == {"D3=>C3", "B2=>C3"}


@pytest.mark.parametrize("god", ["proteus", "scylla"])
def test_steps_of_other_powers_are_not_theirs(god: str) -> None:
    line = Line(f"{FLAT}/1/{god}:A5,E1/mortal:E5,A1")
    with pytest.raises(Illegal):
        line.position.lineup.powers[0].act(line.position, parse_action("@n"), [])
