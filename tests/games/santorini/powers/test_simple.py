"""The ten simple gods: a case for every sentence about them and their rulings [2.1, 3]."""

from __future__ import annotations

from boardwire.games.santorini.events import Built, Forced, Moved, Termination, Won
from boardwire.games.santorini.line import Line
from boardwire.games.santorini.powers.catalogue import God
from boardwire.games.santorini.squares import parse_square as sq

FLAT = "00000 00000 00000 00000 00000"


def targets(line: Line, frm: str) -> set[str]:
    """Where the worker on a square may move."""
    return {step[3:] for step in line.steps if step.startswith(f"{frm}>")}


def builds(line: Line, by: str) -> set[str]:
    """What the worker on a square may build, and where."""
    return {step[3:] for step in line.steps if step.startswith(f"{by}^")}


# Apollo


def test_apollo_may_move_into_a_neighbouring_foe() -> None:
    line = Line(f"{FLAT}/1/apollo:B3,A1/mortal:C3,E5")
    assert line.can("B3>C3")
    assert not Line(f"{FLAT}/1/mortal:B3,A1/mortal:C3,E5").can("B3>C3")


def test_apollo_does_not_move_into_his_own_worker_or_a_distant_foe() -> None:
    line = Line(f"{FLAT}/1/apollo:B3,B2/mortal:C3,E5")
    assert not line.can("B3>B2")
    assert not line.can("B3>E5")


def test_the_foe_is_forced_to_the_square_apollo_left() -> None:
    line = Line(f"{FLAT}/1/apollo:B3,A1/mortal:C3,E5").play("B3>C3")
    assert line.position.workers == ((sq("C3"), sq("A1")), (sq("B3"), sq("E5")))
    assert line.events == (
        Moved(0, 0, 0, sq("B3"), sq("C3")),
        Forced(0, 1, 0, sq("C3"), sq("B3"), God.APOLLO),
    )


def test_apollos_own_height_limit_applies_to_a_swap() -> None:
    assert Line("00000 00000 00100 00000 00000/1/apollo:B3,A1/mortal:C3,E5").can("B3>C3")
    assert not Line("00000 00000 00200 00000 00000/1/apollo:B3,A1/mortal:C3,E5").can("B3>C3")


def test_apollo_cannot_build_on_the_square_he_left_in_a_swap() -> None:
    line = Line(f"{FLAT}/1/apollo:B3,A1/mortal:C3,E5").play("B3>C3")
    assert "B3" not in builds(line, "C3")
    assert "B4" in builds(line, "C3")


def test_a_swap_up_to_level_three_wins() -> None:
    line = Line("00000 00000 02300 00000 00000/1/apollo:B3,A1/mortal:C3,E5").play("B3>C3")
    assert line.winners == (0,)
    assert line.events[-1] == Won((0,), Termination.CLIMB)


def test_the_height_to_which_apollo_forces_is_free_and_never_wins() -> None:
    line = Line("00000 00000 03000 00000 00000/1/apollo:B3,A1/mortal:C3,E5").play("B3>C3")
    assert line.winners is None
    assert line.position.workers[1][0] == sq("B3")


def test_a_swap_that_leaves_nowhere_to_build_is_not_offered() -> None:
    # only A5 and B5 are open, and after a swap both are taken
    assert Line("00444 44444 44444 44444 44440/1/apollo:A5/mortal:B5,E1").winners == (1,)
    assert Line("00044 44444 44444 44444 44440/1/apollo:A5/mortal:B5,E1").steps == {"A5>B5"}


def test_a_winning_swap_needs_nowhere_to_build() -> None:
    walls = "23444 44444 44444 44444 44440"
    assert Line(f"{walls}/1/apollo:A5/mortal:B5,E1").play("A5>B5").winners == (0,)


# Artemis


def test_artemis_may_move_a_second_time_or_build_at_once() -> None:
    line = Line(f"{FLAT}/1/artemis:B3,A1/mortal:E5,E4").play("B3>C3")
    assert line.can("C3>D3")
    assert line.can("C3^D3")
    line.play("C3>D3")
    assert not targets(line, "D3")
    assert "C3" in builds(line, "D3")


def test_artemis_moves_the_same_worker_twice() -> None:
    line = Line(f"{FLAT}/1/artemis:B3,A1/mortal:E5,E4").play("B3>C3")
    assert not targets(line, "A1")


def test_artemis_does_not_go_back_to_where_she_started() -> None:
    line = Line(f"{FLAT}/1/artemis:B3,A1/mortal:E5,E4").play("B3>C3")
    assert "B3" not in targets(line, "C3")
    assert "B4" in targets(line, "C3")


def test_artemis_first_step_may_already_win() -> None:
    line = Line("00000 00000 02300 00000 00000/1/artemis:B3,A1/mortal:E5,E4").play("B3>C3")
    assert line.winners == (0,)


def test_artemis_obeys_the_height_limit_in_each_step_so_she_may_climb_two_levels() -> None:
    line = Line("00000 00000 01200 00000 00000/1/artemis:A3,A1/mortal:E5,E4")
    line.play("A3>B3")
    assert line.can("B3>C3")
    assert not Line("00000 00000 00200 00000 00000/1/artemis:A3,A1/mortal:E5,E4").play("A3>B3").can("B3>C3")


def test_artemis_wins_with_her_second_step() -> None:
    line = Line("00000 00000 12300 00000 00000/1/artemis:A3,A1/mortal:E5,E4").play("A3>B3 B3>C3")
    assert line.winners == (0,)


# Athena


def test_after_athena_moved_up_foes_cannot_move_up() -> None:
    line = Line("01000 00000 00000 00010 00000/1/athena:A5,A1/mortal:E1,E5").play("A5>B5 B5^A5")
    assert not line.can("E1>D2")
    assert line.can("E1>D1")


def test_after_athena_moved_level_or_down_foes_may_climb() -> None:
    level = Line("00000 00000 00000 00010 00000/1/athena:A5,A1/mortal:E1,E5").play("A5>B5 B5^A5")
    assert level.can("E1>D2")
    down = Line("10000 00000 00000 00010 00000/1/athena:A5,A1/mortal:E1,E5").play("A5>B5 B5^A4")
    assert down.can("E1>D2")


def test_athenas_ban_lasts_until_her_next_turn_only() -> None:
    line = Line("01000 00000 00000 00010 00000/1/athena:A5,A1/mortal:E1,E5").play("A5>B5 B5^A5 E5>E4 E4^E5")
    assert line.can("B5>A5")  # she is not bound herself
    line.play("B5>C5 C5^B5")
    assert line.can("E1>D2")


def test_athena_bans_moves_only_forcing_up_is_free() -> None:
    assert not Line("00000 00000 01000 00000 00000/2/athena[^]:A3,A1/minotaur:C3,E1").can("C3>B3")
    pushed = Line("00000 00000 10000 00000 00000/2/athena[^]:B3,A1/minotaur:C3,E1").play("C3>B3")
    assert pushed.position.workers[0][0] == sq("A3")


def test_a_player_whose_only_moves_go_up_loses_under_athenas_ban() -> None:
    walls = "01000 00000 00000 00011 00010"
    line = Line(f"{walls}/1/athena:A5,A1/mortal:E1").play("A5>B5 B5^A5")
    assert line.winners == (0,)
    assert line.position.outcome is not None
    assert line.position.outcome.termination == "stuck"


# Atlas


def test_atlas_may_build_a_dome_at_any_level() -> None:
    line = Line("00000 00000 01230 00000 00000/1/atlas:B2,A1/mortal:E5,E4").play("B2>C2")
    assert {"B3", "B3X", "C3", "C3X", "D3X"} <= builds(line, "C2")
    assert "D3" not in builds(line, "C2")


def test_atlas_low_dome_closes_the_square_and_is_no_complete_tower() -> None:
    line = Line(f"{FLAT}/1/atlas:B2,A1/mortal:C4,E4").play("B2>C2 C2^C3X")
    assert line.position.domes == 1 << sq("C3")
    assert not line.position.b1
    assert not line.can("C4>C3")
    assert line.events[1] == Built(0, sq("C2"), sq("C3"), 0, True)


# Demeter


def test_demeter_may_build_a_second_time_elsewhere() -> None:
    line = Line(f"{FLAT}/1/demeter:B2,A1/mortal:E5,E4").play("B2>C2 C2^C3")
    assert line.can(".")
    assert "C3" not in builds(line, "C2")
    line.play("C2^B2")
    assert line.position.seat == 1
    assert line.position.b1 == 1 << sq("C3") | 1 << sq("B2")


def test_demeter_may_decline_the_second_build() -> None:
    line = Line(f"{FLAT}/1/demeter:B2,A1/mortal:E5,E4").play("B2>C2 C2^C3 .")
    assert line.position.seat == 1


def test_demeters_turn_ends_when_no_second_square_is_open() -> None:
    line = Line("00444 44444 00000 00000 00000/1/demeter:A5/mortal:E1,D1").play("A5>B5 B5^A5")
    assert line.position.seat == 1


def test_demeters_second_build_may_be_a_dome() -> None:
    line = Line("00000 00000 00300 00000 00000/1/demeter:B2,A1/mortal:E5,E4").play("B2>C2 C2^D2 C2^C3X")
    assert line.position.domes == 1 << sq("C3")


# Hephaestus


def test_hephaestus_may_add_one_block_on_the_block_just_built() -> None:
    line = Line(f"{FLAT}/1/hephaestus:B2,A1/mortal:E5,E4").play("B2>C2 C2^C3")
    assert line.steps == {"C2^C3", "."}
    line.play("C2^C3")
    assert line.position.b2 == 1 << sq("C3")
    assert line.position.seat == 1


def test_hephaestus_builds_twice_only_where_the_square_was_level_zero_or_one() -> None:
    one = Line("00000 00000 00100 00000 00000/1/hephaestus:B2,A1/mortal:E5,E4").play("B2>C2 C2^C3")
    assert one.can("C2^C3")
    two = Line("00000 00000 00200 00000 00000/1/hephaestus:B2,A1/mortal:E5,E4").play("B2>C2 C2^C3")
    assert two.position.seat == 1  # a dome would be next


def test_hephaestus_never_adds_to_a_dome() -> None:
    line = Line("00000 00000 00300 00000 00000/1/hephaestus:B2,A1/mortal:E5,E4").play("B2>C2 C2^C3X")
    assert line.position.seat == 1


# Hermes


def test_hermes_may_take_a_normal_turn_up_or_down() -> None:
    line = Line("00000 00000 00100 00000 00000/1/hermes:B2,A1/mortal:E5,E4").play("B2>C3")
    assert not targets(line, "C3")
    assert not targets(line, "A1")
    assert not builds(line, "A1")
    assert builds(line, "C3")


def test_hermes_walks_with_both_workers_in_any_order_and_builds_with_either() -> None:
    line = Line(f"{FLAT}/1/hermes:B2,A1/mortal:E5,E4").play("B2>C2 A1>B1 C2>D2 D2>C2 B1>A1")
    assert builds(line, "C2")
    assert builds(line, "A1")
    line.play("A1^A2")
    assert line.position.seat == 1


def test_hermes_walks_only_on_the_level_once_he_walks() -> None:
    line = Line("00000 00000 00100 00000 00000/1/hermes:B2,A1/mortal:E5,E4").play("B2>C2")
    assert not line.can("C2>C3")
    assert line.can("C2>D3")


def test_hermes_may_build_without_moving_with_either_worker() -> None:
    line = Line(f"{FLAT}/1/hermes:B2,A1/mortal:E5,E4")
    assert builds(line, "B2")
    assert builds(line, "A1")
    line.play("A1^A2")
    assert line.position.seat == 1
    assert line.position.workers[0] == (sq("B2"), sq("A1"))


def test_hermes_is_not_stuck_when_no_move_exists_but_a_build_does() -> None:
    walls = "02444 22444 44400 00000 00000"
    assert Line(f"{walls}/1/hermes:A5/mortal:E1,D1").steps == {"A5^B5", "A5^A4", "A5^B4"}
    assert Line(f"{walls}/1/mortal:A5/mortal:E1,D1").winners == (1,)


def test_hermes_strolling_on_level_three_does_not_win() -> None:
    line = Line("33000 00000 00000 00000 00000/1/hermes:A5,A1/mortal:E5,E4").play("A5>B5")
    assert line.winners is None


def test_hermes_leaves_the_first_build_of_others_alone() -> None:
    line = Line(f"{FLAT}/2/hermes:B2,A1/prometheus:E5,E3").play("E5^E4")
    assert line.position.seat == 1
    assert line.can("E5>D5")


def test_hermes_wins_by_a_normal_move_up() -> None:
    assert Line("23000 00000 00000 00000 00000/1/hermes:A5,A1/mortal:E5,E4").play("A5>B5").winners == (0,)


def test_a_walk_of_hermes_is_long_but_not_endless() -> None:
    line = Line(f"{FLAT}/1/hermes:B2,A1/mortal:E5,E4").play("B2>C2 " + "C2>B2 B2>C2 " * 49)
    assert line.can("C2>B2")
    line.play("C2>B2")
    assert not targets(line, "B2")
    assert builds(line, "B2")


# Minotaur


def test_minotaur_pushes_a_foe_straight_on() -> None:
    line = Line(f"{FLAT}/1/minotaur:B2,A1/mortal:C3,E1").play("B2>C3")
    assert line.position.workers == ((sq("C3"), sq("A1")), (sq("D4"), sq("E1")))
    assert line.events[1] == Forced(0, 1, 0, sq("C3"), sq("D4"), God.MINOTAUR)


def test_minotaur_pushes_into_a_corner() -> None:
    assert Line(f"{FLAT}/1/minotaur:C3,A1/mortal:B4,E1").play("C3>B4").position.workers[1][0] == sq("A5")
    assert Line(f"{FLAT}/1/minotaur:C3,A5/mortal:B2,E1").play("C3>B2").position.workers[1][0] == sq("A1")
    assert Line(f"{FLAT}/1/minotaur:C5,A1/mortal:B5,E1").play("C5>B5").position.workers[1][0] == sq("A5")


def test_minotaur_pushes_to_any_level() -> None:
    line = Line("00000 00030 00000 00000 00000/1/minotaur:B2,A1/mortal:C3,E1").play("B2>C3")
    assert line.position.workers[1][0] == sq("D4")


def test_pushing_onto_level_three_wins_for_no_one() -> None:
    line = Line("00000 00030 00200 00000 00000/1/minotaur:B2,A1/mortal:C3,E1")
    assert not line.can("B2>C3")
    line = Line("00000 00030 00200 01000 00000/1/minotaur:B2,A1/mortal:C3,E1").play("B2>C3")
    assert line.winners is None


def test_minotaur_cannot_push_off_the_board_onto_a_dome_or_onto_a_worker() -> None:
    assert not Line(f"{FLAT}/1/minotaur:B3,D1/mortal:A3,E1").can("B3>A3")
    assert not Line("00000 00040 00000 00000 00000/1/minotaur:B2,A1/mortal:C3,E1").can("B2>C3")
    assert not Line("00000 000a0 00000 00000 00000/1/minotaur:B2,A1/mortal:C3,E1").can("B2>C3")
    assert not Line(f"{FLAT}/1/minotaur:B2,A1/mortal:C3,D4").can("B2>C3")
    assert not Line(f"{FLAT}/1/minotaur:B2,D4/mortal:C3,E1").can("B2>C3")


def test_minotaur_does_not_push_his_own_worker() -> None:
    assert not Line(f"{FLAT}/1/minotaur:B2,C3/mortal:E5,E1").can("B2>C3")


def test_minotaurs_own_height_limit_applies_to_a_push() -> None:
    assert not Line("00000 00000 00200 00000 00000/1/minotaur:B2,A1/mortal:C3,E1").can("B2>C3")


def test_a_push_up_to_level_three_wins() -> None:
    assert Line("00000 00000 00300 02000 00000/1/minotaur:B2,A1/mortal:C3,E1").play("B2>C3").winners == (0,)


def test_minotaur_may_build_on_the_square_he_left() -> None:
    assert "B2" in builds(Line(f"{FLAT}/1/minotaur:B2,A1/mortal:C3,E1").play("B2>C3"), "C3")


# Pan


def test_pan_wins_by_moving_down_two_levels_or_more() -> None:
    for heights in ("20000", "30000", "31000"):
        line = Line(f"{heights} 00000 00000 00000 00000/1/pan:A5,A1/mortal:E5,E4").play("A5>B5")
        assert line.winners == (0,)
        assert line.events[-1] == Won((0,), Termination.POWER, God.PAN)


def test_pan_does_not_win_by_moving_down_one_level() -> None:
    assert Line("21000 00000 00000 00000 00000/1/pan:A5,A1/mortal:E5,E4").play("A5>B5").winners is None
    assert Line("32000 00000 00000 00000 00000/1/pan:A5,A1/mortal:E5,E4").play("A5>B5").winners is None


def test_pan_still_wins_by_climbing() -> None:
    line = Line("23000 00000 00000 00000 00000/1/pan:A5,A1/mortal:E5,E4").play("A5>B5")
    assert line.events[-1] == Won((0,), Termination.CLIMB)


def test_being_forced_down_is_no_win_for_pan() -> None:
    line = Line("00000 00000 02000 00000 00000/2/pan:B3,A1/minotaur:C3,E1")
    assert not line.can("C3>B3")
    line = Line("00000 00000 02100 00000 00000/2/pan:B3,A1/minotaur:C3,E1").play("C3>B3")
    assert line.position.workers[0][0] == sq("A3")
    assert line.winners is None


def test_hera_vetoes_pans_win_on_the_perimeter_only() -> None:
    start = "00000 00200 00000 00000 00000/1/pan:C4,E1/hera:E5,E3"
    won = {to for to in targets(Line(start), "C4") if Line(start).play(f"C4>{to}").winners == (0,)}
    assert won == {"B4", "B3", "C3", "D3", "D4"}
    assert Line(start).play("C4>B5").can("B5^C4")


# Prometheus


def test_prometheus_may_build_before_and_after_moving() -> None:
    line = Line(f"{FLAT}/1/prometheus:B2,A1/mortal:E5,E4").play("B2^C3")
    assert line.position.seat == 0
    line.play("B2>B3 B3^C3")
    assert line.position.b2 == 1 << sq("C3")
    assert line.position.seat == 1


def test_the_worker_that_built_first_is_the_one_that_moves_and_builds() -> None:
    line = Line(f"{FLAT}/1/prometheus:B2,A1/mortal:E5,E4").play("B2^A2")
    assert not targets(line, "A1")
    assert not builds(line, "B2")
    assert not builds(line, "A1")
    line.play("B2>B3")
    assert not builds(line, "A1")


def test_prometheus_does_not_move_up_after_building_first() -> None:
    line = Line("00000 00000 01000 00000 00000/1/prometheus:B2,A1/mortal:E5,E4")
    assert line.can("B2>B3")
    line.play("B2^C3")
    assert not line.can("B2>B3")
    assert line.can("B2>A3")


def test_the_block_built_first_counts_for_the_height_test() -> None:
    line = Line(f"{FLAT}/1/prometheus:B2,A1/mortal:E5,E4").play("B2^C3")
    assert not line.can("B2>C3")
    down = Line("00000 00000 00000 01000 00000/1/prometheus:B2,A1/mortal:E5,E4").play("B2^C3")
    assert down.can("B2>C3")


def test_prometheus_may_take_a_normal_turn_and_climb() -> None:
    line = Line("00000 00000 01000 00000 00000/1/prometheus:B2,A1/mortal:E5,E4").play("B2>B3 B3^C3")
    assert line.position.seat == 1


def test_a_first_build_after_which_prometheus_could_not_move_is_not_offered() -> None:
    # A5 touches only B5, level 0 as he is: building there would close it
    line = Line("00444 44444 00000 00000 00000/1/prometheus:A5/mortal:E1,D1")
    assert line.steps == {"A5>B5"}


def test_against_persephone_prometheus_does_not_build_first_when_he_can_climb() -> None:
    climb = Line("00000 00000 01000 00000 00000/1/prometheus:B2,E1/persephone:E5,E4")
    assert climb.steps == {"B2>B3"}
    flat = Line(f"{FLAT}/1/prometheus:B2,E1/persephone:E5,E4")
    assert flat.can("B2^C3")
