"""The advanced gods that bind their foes: a case for every sentence of the rules page (1.7) and its bracketed cases."""

from __future__ import annotations

from boardwire.games.santorini.line import Line
from boardwire.games.santorini.squares import parse_square as sq

FLAT = "00000 00000 00000 00000 00000"


# Hera


def test_foes_cannot_win_by_moving_onto_the_perimeter() -> None:
    line = Line("23000 00000 00000 00000 00000/1/mortal:A5,A1/hera:E5,E4").play("A5>B5")
    assert line.winners is None
    assert line.can("B5^A5")  # the turn goes on with a build


def test_foes_of_hera_win_inside() -> None:
    assert Line("00000 02300 00000 00000 00000/1/mortal:B4,A1/hera:E5,E4").play("B4>C4").winners == (0,)


def test_hera_herself_wins_on_the_perimeter() -> None:
    assert Line("23000 00000 00000 00000 00000/1/hera:A5,A1/mortal:E5,E4").play("A5>B5").winners == (0,)


# Limus


def builds(line: Line) -> set[str]:
    return {step[3:] for step in line.steps if step[2] == "^"}


def test_foes_cannot_build_beside_the_workers_of_limus() -> None:
    line = Line(f"{FLAT}/1/mortal:A3,E1/limus:C3,E5").play("A3>A2")
    assert builds(line) == {"A3", "A1", "B1"}


def test_foes_of_limus_may_put_domes_beside_her_workers() -> None:
    line = Line("00000 00000 00000 03000 00000/1/mortal:A3,E1/limus:C3,E5").play("A3>A2")
    assert builds(line) == {"A3", "A1", "B1", "B2X"}
    assert line.play("A2^B2X").position.domes == 1 << sq("B2")


def test_a_low_dome_beside_limus_is_allowed_revised_but_not_printed() -> None:
    start = "00000 00000 00000 01000 00000/1/atlas:A3,E1/limus:C3,E5"
    assert builds(Line(start).play("A3>A2")) == {"A3", "A3X", "A1", "A1X", "B1", "B1X", "B2X", "B3X"}
    assert builds(Line(start, printed=True).play("A3>A2")) == {"A3", "A3X", "A1", "A1X", "B1", "B1X"}


def test_the_dome_of_a_complete_tower_is_allowed_in_the_printed_wording_too() -> None:
    line = Line("00000 00000 00000 03000 00000/1/mortal:A3,E1/limus:C3,E5", printed=True).play("A3>A2")
    assert line.can("A2^B2X")


def test_limus_herself_builds_beside_her_workers() -> None:
    assert Line(f"{FLAT}/1/limus:C3,D3/mortal:A1,E1").play("C3>C4").can("C4^C3")


def test_a_move_after_which_nothing_can_be_built_is_not_offered() -> None:
    # from A5 every square of A4, B4 and B5 is beside the worker of Limus on B3 or C5
    line = Line("00000 00000 00000 00000 00000/1/mortal:A4,E1/limus:B4,C3")
    assert not line.can("A4>A5")
    assert line.can("A4>A3")
    assert builds(line.play("A4>A3")) == {"A2"}


def test_who_can_build_nowhere_has_lost() -> None:
    line = Line("04000 44000 00000 00000 00000/1/mortal:A5,E1/limus:D2,D1")
    assert line.winners == (1,)
    assert line.position.outcome is not None
    assert line.position.outcome.termination == "stuck"


def test_a_winning_move_needs_no_build() -> None:
    line = Line("00000 00000 00000 00000 00023/1/mortal:D1,A5/limus:D2,C3")
    assert line.play("D1>E1").winners == (0,)


def test_a_square_left_at_level_three_takes_a_dome() -> None:
    line = Line("30000 00000 00000 00000 00000/1/mortal:A5,E1/limus:B4,C3")
    assert line.can("A5>B5")
    assert builds(line.play("A5>B5")) == {"A5X"}


def test_zeus_cannot_build_under_himself_beside_limus() -> None:
    assert not Line(f"{FLAT}/1/zeus:A3,E1/limus:C3,E5").play("A3>B3").can("B3^B3")
    assert Line(f"{FLAT}/1/zeus:A3,E1/limus:C3,E5").play("A3>A2").can("A2^A2")


def test_limus_binds_builds_before_the_move_and_second_builds_too() -> None:
    assert not Line(f"{FLAT}/1/prometheus:A3,E1/limus:C3,E5").can("A3^B3")
    assert Line(f"{FLAT}/1/prometheus:A3,E1/limus:C3,E5").can("A3^A4")
    assert not Line(f"{FLAT}/1/demeter:A3,E1/limus:C3,E5").play("A3>A2 A2^A3").can("A2^B2")


def test_a_build_before_the_move_that_leaves_no_other_is_not_offered() -> None:
    # A3 could build on A2 first, but then A4 would be the only way, with nothing to build from there but A3 itself
    start = "44000 00000 01000 00000 00000/1/{}:A3,E1/limus:C3,E5"
    line = Line(start.format("prometheus"))
    for step in line.steps:
        if "^" in step:
            line = Line(start.format("prometheus")).play(step)
            for move in line.steps:
                assert builds(Line(start.format("prometheus")).play(f"{step} {move}"))


def test_hermes_looks_for_a_place_to_build_beside_limus() -> None:
    line = Line(f"{FLAT}/1/hermes:A5,E1/limus:B4,D2")
    assert not any(step[2] == "^" for step in line.steps)  # neither can build where it stands
    line.play("A5>A4 A4>A3")
    assert builds(line) == {"A2", "B2"}


def test_limus_binds_every_foe_while_she_is_in_the_match() -> None:
    line = Line(f"{FLAT}/1/mortal:A3,E1/limus:C3,E5/mortal:A5,C1")
    assert not line.play("A3>A2").can("A2^B2")
    line.play("A2^A3 C3>C4 C4^C5 C1>D1")
    assert line.can("D1^D2")


# Persephone


def test_foes_of_persephone_must_climb_if_they_can() -> None:
    line = Line("01000 00000 00000 00000 00000/1/mortal:A5,A1/persephone:E5,E4")
    assert line.steps == {"A5>B5"}


def test_any_worker_may_be_the_one_that_climbs() -> None:
    line = Line("01000 00000 00000 01000 00000/1/mortal:A5,A1/persephone:E5,E4")
    assert line.steps == {"A5>B5", "A1>B2"}


def test_who_cannot_climb_moves_freely() -> None:
    line = Line(f"{FLAT}/1/mortal:A5,A1/persephone:E5,E4")
    assert len(line.steps) == 6


def test_persephone_looks_ahead_over_several_moves() -> None:
    # from A5 the step up at C5 is reached with Artemis's second move
    line = Line("00100 00000 00000 00000 00000/1/artemis:A5,A1/persephone:E5,E4")
    assert line.steps == {"A5>B5", "A5>B4"}
    line.play("A5>B5")
    assert line.steps == {"B5>C5"}


def test_persephone_herself_need_not_climb() -> None:
    assert Line("01000 00000 00000 00000 00000/1/persephone:A5,A1/mortal:E5,E4").can("A5>A4")
