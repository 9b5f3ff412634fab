"""The advanced gods that move and build otherwise: a case for every sentence about them [2.2]."""

from __future__ import annotations

import pytest

from boardwire.errors import Illegal, Malformed
from boardwire.games import santorini
from boardwire.games.santorini.actions import Aim
from boardwire.games.santorini.events import Built, CoinsChanged, Forced, Moved, Razed, TokenTaken
from boardwire.games.santorini.line import Line
from boardwire.games.santorini.notation import format_position
from boardwire.games.santorini.options import Draft, Options
from boardwire.games.santorini.perft import perft
from boardwire.games.santorini.powers.catalogue import God
from boardwire.games.santorini.squares import parse_square as sq

FLAT = "00000 00000 00000 00000 00000"


# Ares


def test_ares_may_take_a_free_top_block_beside_the_worker_that_did_not_move() -> None:
    line = Line("00000 00000 00000 00002 00000/1/ares:A5,E1/mortal:A1,A2").play("A5>B5 B5^A5")
    assert line.steps == {"~E2", "."}
    line.play("~E2")
    assert Razed(0, sq("E2"), 1, God.ARES) in line.events
    assert line.position.b2 == 0
    assert line.position.b1 == 1 << sq("E2") | 1 << sq("A5")
    assert line.position.seat == 1


def test_ares_may_decline() -> None:
    line = Line("00000 00000 00000 00002 00000/1/ares:A5,E1/mortal:A1,A2").play("A5>B5 B5^A5 .")
    assert line.position.seat == 1
    assert line.position.b2 == 1 << sq("E2")


def test_ares_takes_one_block_only_and_nothing_from_the_ground() -> None:
    assert Line(f"{FLAT}/1/ares:A5,E1/mortal:A1,A2").play("A5>B5 B5^A5").position.seat == 1
    line = Line("00000 00000 00000 00012 00010/1/ares:A5,E1/mortal:A1,A2").play("A5>B5 B5^A5")
    assert line.steps == {"~E2", "~D2", "~D1", "."}
    assert line.play("~D1").position.seat == 1


def test_ares_takes_no_dome_and_nothing_under_a_worker() -> None:
    line = Line("00000 00000 00000 0001a 00040/1/ares:A5,E1/mortal:D2,A2").play("A5>B5 B5^A5")
    assert line.position.seat == 1
    assert Line("00000 00000 00000 00003 00000/1/ares:A5,E1/mortal:D2,A2").play("A5>B5 B5^A5").steps == {"~E2", "."}


def test_ares_takes_a_block_just_built_but_not_beside_the_worker_that_moved() -> None:
    line = Line("00000 00000 00000 00000 00000/1/ares:C1,E1/mortal:A1,A2").play("C1>C2 C2^D2")
    assert line.steps == {"~D2", "."}
    line = Line("10000 00000 00000 00000 00000/1/ares:B5,E1/mortal:A1,A2").play("B5>B4 B4^C4")
    assert line.position.seat == 1


def test_ares_needs_a_second_worker() -> None:
    assert Line("11111 11111 11111 00000 00000/1/ares:A4/mortal:A1,A2").play("A4>B4 B4^A4").position.seat == 1


def test_ares_leaves_squares_that_are_closed_alone() -> None:
    line = Line("00000 00000 00000 00010 00010/1/ares:A5,E1/europa[D2]:A1,A2").play("A5>B5 B5^A5")
    assert line.steps == {"~D1", "."}


def test_tokens_go_with_the_block_they_lie_on() -> None:
    line = Line("00000 00000 00000 00001 00000/1/ares:A5,E1/charybdis[E2,C3]:A1,A2").play("A5>B5 B5^A5 ~E2")
    assert line.position.memos[1] == (sq("C3"),)
    assert TokenTaken(1, sq("E2"), God.CHARYBDIS) in line.events


def test_ares_cannot_take_a_block_with_a_coin_on_it() -> None:
    line = Line("00000 00000 00000 00011 00000/1/ares:A5,E1/clio[2|E2]:A1,A2").play("A5>B5 B5^A5")
    assert line.steps == {"~D2", "."}


# Charon


def test_charon_may_throw_a_neighbouring_foe_over_the_mover() -> None:
    line = Line(f"{FLAT}/1/charon:C3,A1/mortal:D3,E1")
    assert line.can("D3=>B3")
    line.play("D3=>B3")
    assert line.events == (Forced(0, 1, 0, sq("D3"), sq("B3"), God.CHARON),)
    assert line.position.workers[1][0] == sq("B3")


def test_charon_may_also_not_throw() -> None:
    line = Line(f"{FLAT}/1/charon:C3,A1/mortal:D3,E1").play("C3>C4 C4^C3")
    assert line.position.seat == 1


def test_the_worker_over_which_charon_threw_must_move() -> None:
    line = Line(f"{FLAT}/1/charon:C3,A1/mortal:D3,E1").play("D3=>B3")
    assert {step[:2] for step in line.steps} == {"C3"}
    assert line.can("C3>D3")
    assert not line.can("C3>B3")
    line.play("C3>D3")
    assert {step[:3] for step in line.steps} == {"D3^"}
    assert line.play("D3^C3").position.seat == 1


def test_charon_throws_once_in_a_turn_and_only_before_moving() -> None:
    line = Line(f"{FLAT}/1/charon:C3,A1/mortal:D3,C4").play("D3=>B3")
    assert not any("=>" in step for step in line.steps)
    line = Line(f"{FLAT}/1/charon:C3,A1/mortal:D3,C4").play("C3>C2")
    assert not any("=>" in step for step in line.steps)


def test_charon_throws_to_any_level_and_no_one_wins() -> None:
    line = Line("00000 00000 03020 00000 00000/1/charon:C3,A1/mortal:D3,E1").play("D3=>B3")
    assert line.winners is None
    assert line.position.workers[1][0] == sq("B3")


def test_charon_throws_only_to_free_squares_of_the_board() -> None:
    for heights, mine, foes in (
        ("04000", "C3,A1", "D3,E1"),
        ("0a000", "C3,A1", "D3,E1"),
        ("00000", "C3,B3", "D3,E1"),
        ("00000", "C3,A1", "D3,B3"),
    ):
        line = Line(f"00000 00000 {heights} 00000 00000/1/charon:{mine}/mortal:{foes}")
        assert not line.can("D3=>B3")
    assert not any("=>" in step for step in Line(f"{FLAT}/1/charon:A3,E5/mortal:B3,C1").steps)


def test_charon_throws_neither_his_own_worker_nor_a_distant_foe() -> None:
    line = Line(f"{FLAT}/1/charon:C3,C4/mortal:E3,A1")
    assert not any("=>" in step for step in line.steps)


def test_charon_does_not_throw_if_the_worker_could_then_not_move_and_build() -> None:
    # only the square the foe leaves would be open to A4, and it is two levels up
    walls = "24044 04444 04444 44444 44400"
    line = Line(f"{walls}/1/charon:A4,D1/mortal:A5,C5")
    assert not line.can("A5=>A3")
    assert Line(f"{walls.replace('24044', '14044')}/1/charon:A4,D1/mortal:A5,C5").can("A5=>A3")


def test_charon_may_climb_to_where_the_foe_stood() -> None:
    line = Line("00000 00000 00230 00000 00000/1/charon:C3,A1/mortal:D3,E1").play("D3=>B3 C3>D3")
    assert line.winners == (0,)


def test_each_of_charons_workers_may_throw() -> None:
    line = Line(f"{FLAT}/1/charon:C3,D2/mortal:D3,E5")
    assert {step for step in line.steps if "=>" in step} == {"D3=>B3", "D3=>D1"}


def test_charon_throws_foes_of_any_seat() -> None:
    line = Line(f"{FLAT}/1/charon:C3,A1/mortal:D3,E1/mortal:C4,E2")
    assert {step for step in line.steps if "=>" in step} == {"D3=>B3", "C4=>C2"}


def test_charon_throws_no_one_off_a_coin_nor_onto_one() -> None:
    assert not Line("00000 00000 00010 00000 00000/1/charon:C3,A1/clio[2|D3]:D3,E1").can("D3=>B3")
    assert not Line("00000 00000 01000 00000 00000/1/charon:C3,A1/clio[2|B3]:D3,E1").can("D3=>B3")
    assert Line("00000 01000 00000 00000 00000/1/charon:C3,A1/clio[2|B4]:D3,E1").can("D3=>B3")


def test_who_is_thrown_into_the_abyss_has_lost() -> None:
    line = Line(f"{FLAT}/1/charon:C3,A1/tartarus[{sq('B3')}]:D3,E1").play("D3=>B3")
    assert line.winners == (0,)


# Hestia


def test_hestia_may_build_a_second_time_inside() -> None:
    line = Line(f"{FLAT}/1/hestia:A3,A1/mortal:E5,E4").play("A3>B3 B3^A3")
    assert line.steps == {"B3^B4", "B3^C4", "B3^C3", "B3^B2", "B3^C2", "."}
    assert line.play("B3^C4").position.seat == 1


def test_hestia_may_decline_the_second_build() -> None:
    assert Line(f"{FLAT}/1/hestia:A3,A1/mortal:E5,E4").play("A3>B3 B3^A3 .").position.seat == 1


def test_hestia_may_build_on_the_same_square_and_put_a_dome_there() -> None:
    line = Line("00000 00200 00000 00000 00000/1/hestia:A3,A1/mortal:E5,E4").play("A3>B3 B3^C4 B3^C4X")
    assert line.position.domes == 1 << sq("C4")


def test_hestias_first_build_may_be_on_the_border_the_second_not_even_a_dome() -> None:
    line = Line("00000 30000 00000 00000 00000/1/hestia:A3,A1/mortal:E5,E4").play("A3>B3 B3^B4")
    assert not line.can("B3^A4X")


def test_hestias_turn_ends_when_nothing_inside_is_open() -> None:
    line = Line("00000 44000 00000 00000 00000/1/hestia:A5,E1/mortal:E5,E4").play("A5>B5 B5^A5 B5^C4")
    assert line.position.seat == 1
    line = Line("00440 44440 00000 00000 00000/1/hestia:A5,E1/mortal:E5,E4").play("A5>B5 B5^A5")
    assert line.position.seat == 1


# Morpheus


def coins(line: Line, seat: int = 0) -> int:
    return line.position.memos[seat][0]


def test_morpheus_earns_a_coin_at_the_start_of_each_of_his_turns() -> None:
    line = Line(f"{FLAT}/1/morpheus:A5,C3/mortal:E5,E1")
    assert coins(line) == 1
    line.play("A5>B5 . E5>E4")
    assert coins(line) == 1  # a foe's turn earns him nothing
    line.play("E4^E5")
    assert coins(line) == 2
    assert CoinsChanged(0, 2, God.MORPHEUS) in line.events


def test_morpheus_pays_for_each_build_and_needs_not_build_at_all() -> None:
    line = Line(f"{FLAT}/1/morpheus[2]:A5,C3/mortal:E5,E1").play("A5>B5")
    assert coins(line) == 3
    assert line.can(".")
    line.play("B5^A5")
    assert line.events[1] == CoinsChanged(0, 2, God.MORPHEUS)
    line.play("B5^A5 B5^A5")
    assert coins(line) == 0
    assert line.position.b3 == 1 << sq("A5")
    assert line.position.seat == 1


def test_morpheus_may_stop_after_any_build_and_saves_the_rest() -> None:
    line = Line(f"{FLAT}/1/morpheus[2]:A5,C3/mortal:E5,E1").play("A5>B5 B5^A5 .")
    assert line.position.seat == 1
    assert coins(line) == 2
    assert Line(f"{FLAT}/1/morpheus[2]:A5,C3/mortal:E5,E1").play("A5>B5 .").position.seat == 1


def test_morpheus_builds_with_the_worker_that_moved() -> None:
    line = Line(f"{FLAT}/1/morpheus[2]:A5,C3/mortal:E5,E1").play("A5>B5 B5^A5")
    assert {step[:2] for step in line.steps} == {"B5", "."}


def test_morpheus_with_one_coin_builds_once() -> None:
    assert Line(f"{FLAT}/1/morpheus:A5,C3/mortal:E5,E1").play("A5>B5 B5^A5").position.seat == 1


def test_morpheus_may_complete_a_tower_in_one_turn() -> None:
    line = Line(f"{FLAT}/1/morpheus[3]:A5,C3/mortal:E5,E1").play("A5>B5 B5^A5 B5^A5 B5^A5 B5^A5X")
    assert line.position.domes == 1 << sq("A5")


def test_morpheus_loses_when_he_cannot_move_though_he_needs_not_build() -> None:
    assert Line("02444 22444 44000 00000 00000/1/morpheus[3]:A5/mortal:E3,E1").winners == (1,)


def test_morpheus_needs_no_place_to_build() -> None:
    # under Limus a foe could not build from A3 nor A5, but Morpheus may just move
    assert Line(f"{FLAT}/1/morpheus:A4,E1/limus:B4,C3").can("A4>A5")


def test_the_notation_gives_the_coins_saved_from_earlier_turns() -> None:
    own = Line(f"{FLAT}/1/morpheus[2]:A5,C3/mortal:E5,E1")
    assert "morpheus[2]" in str(own)
    own.play("A5>B5 .")
    assert "morpheus[3]" in str(own)
    assert coins(Line(str(own))) == 3
    assert "[" not in str(Line(f"{FLAT}/1/morpheus:A5,C3/mortal:E5,E1"))
    won = Line("23000 00000 00000 00000 00000/1/morpheus[2]:A5,C3/mortal:E5,E1").play("A5>B5")
    assert "morpheus[3]" in str(won)


@pytest.mark.parametrize("text", ["-1", "x", "1,2"])
def test_coins_are_a_number(text: str) -> None:
    with pytest.raises(Malformed):
        Line(f"{FLAT}/1/morpheus[{text}]:A5,C3/mortal:E5,E1")


# Poseidon


def test_the_resting_worker_on_the_ground_may_build_up_to_three_times() -> None:
    line = Line(f"{FLAT}/1/poseidon:A5,E1/mortal:A1,A2").play("A5>B5 B5^A5")
    assert line.steps == {"E1^E2", "E1^D1", "E1^D2", "."}
    line.play("E1^E2 E1^E2 E1^D1")
    assert line.position.seat == 1
    assert Line(f"{FLAT}/1/poseidon:A5,E1/mortal:A1,A2").play("A5>B5 B5^A5 E1^E2 .").position.seat == 1


def test_either_of_poseidons_workers_may_be_the_resting_one() -> None:
    line = Line(f"{FLAT}/1/poseidon:A5,E1/mortal:A1,A2").play("E1>E2 E2^E1")
    assert line.steps == {"A5^B5", "A5^A4", "A5^B4", "."}


def test_the_resting_worker_builds_on_the_same_square_up_to_a_dome() -> None:
    line = Line("00000 00000 00000 00000 00010/1/poseidon:A5,E1/mortal:A1,A2").play("A5>B5 B5^A5")
    line.play("E1^D1 E1^D1 E1^D1X")
    assert line.position.domes == 1 << sq("D1")
    assert line.position.seat == 1


def test_the_resting_worker_does_not_build_from_higher_up() -> None:
    line = Line("00000 00000 00000 00000 00001/1/poseidon:A5,E1/mortal:A1,A2").play("A5>B5 B5^A5")
    assert line.position.seat == 1


def test_it_does_not_matter_how_high_the_worker_that_moved_is() -> None:
    line = Line("11000 00000 00000 00000 00000/1/poseidon:A5,E1/mortal:A1,A2").play("A5>B5 B5^A5")
    assert line.can("E1^E2")


def test_poseidon_needs_exactly_two_workers() -> None:
    assert Line(f"{FLAT}/1/poseidon:A5/mortal:A1,A2").play("A5>B5 B5^A5").position.seat == 1
    assert Line(f"{FLAT}/1/poseidon:A5,E1,E5/mortal:A1,A2").play("A5>B5 B5^A5").position.seat == 1


def test_limus_lets_poseidons_resting_worker_build_only_elsewhere() -> None:
    line = Line(f"{FLAT}/1/poseidon:A5,E1/limus:C2,A1").play("A5>B5 B5^A5")
    assert line.steps == {"E1^E2", "."}


# Selene


def test_the_female_worker_may_put_a_dome_on_any_level() -> None:
    line = Line("00123 00000 00000 00000 00000/1/selene:A1,C3/mortal:E1,E2").play("C3>D4")
    assert {"D4^C3", "D4^C3X", "D4^C5", "D4^C5X", "D4^D5", "D4^D5X", "D4^E5X"} <= line.steps
    assert not line.can("D4^E5")
    line.play("D4^C5X")
    assert line.position.domes == 1 << sq("C5")
    assert line.position.seat == 1


def test_the_female_worker_may_put_the_dome_also_when_the_other_moved() -> None:
    line = Line(f"{FLAT}/1/selene:A1,E5/mortal:E1,E2").play("A1>A2")
    assert {step for step in line.steps if step.startswith("E5")} == {"E5^D5X", "E5^D4X", "E5^E4X"}
    assert {step for step in line.steps if step.startswith("A2")} == {"A2^A3", "A2^B3", "A2^B2", "A2^A1", "A2^B1"}
    line.play("E5^D5X")
    assert line.events[0] == Built(0, sq("E5"), sq("D5"), 0, True)
    assert line.position.seat == 1  # it was instead of the normal build


def test_the_other_worker_builds_as_anyone() -> None:
    line = Line("00000 00000 00000 03000 00000/1/selene:A1,E5/mortal:E1,E2").play("A1>A2")
    assert line.can("A2^B2X")
    assert not line.can("A2^B3X")


def test_when_the_female_moved_only_she_builds() -> None:
    line = Line(f"{FLAT}/1/selene:A1,E5/mortal:E1,E2").play("E5>E4")
    assert {step[:2] for step in line.steps} == {"E4"}


def test_the_female_is_the_worker_placed_second() -> None:
    line = Line(santorini.new(Options(Draft.GIVEN, gods=(God.SELENE, God.MORTAL)), 2))
    line.play("+A1 +E5 +E1 +E2 A1>A2")
    assert line.can("E5^E4X")


def test_the_notation_names_the_square_of_the_female() -> None:
    line = Line(f"{FLAT}/1/selene[A1]:A1,E5/mortal:E1,E2")
    assert line.position.workers[0] == (sq("E5"), sq("A1"))
    assert "selene[A1]:E5,A1" in str(line)
    assert "selene[A1]:E5,A1" in format_position(line.position, extended=False)
    assert Line(f"{FLAT}/1/selene[E5]:A1,E5/mortal:E1,E2").position.workers[0] == (sq("A1"), sq("E5"))


def test_a_selene_with_one_worker_left_has_the_female_or_not() -> None:
    her = Line(f"{FLAT}/1/selene[A1]:A1/mortal:E1,E2")
    assert her.position.workers[0] == (-1, sq("A1"))
    assert her.play("A1>A2").can("A2^A3X")
    him = Line(f"{FLAT}/1/selene:A1/mortal:E1,E2").play("A1>A2")
    assert not him.can("A2^A3X")
    assert "selene:" in str(him.play("A2^A1"))
    removed = Line("00000 00000 00000 01000 00000/1/medusa:B2,E1/selene:A4,A1").play("E1>E2 E2^E1")
    assert removed.position.workers[1] == (sq("A4"), -1)
    assert {step[:2] for step in removed.play("A4>A5").steps} == {"A5"}


@pytest.mark.parametrize("text", ["B1", "Z9", "x"])
def test_the_female_stands_on_a_square_of_a_worker(text: str) -> None:
    with pytest.raises(Malformed):
        Line(f"{FLAT}/1/selene[{text}]:A1,E5/mortal:E1,E2")


def test_in_a_team_the_female_is_one_of_the_shared_workers() -> None:
    line = Line(f"{FLAT}/3/mortal:A1,E5/mortal:E1,E2/selene[A1]/mortal").play("E5>E4")
    assert line.position.workers[0] == (sq("E4"), sq("A1"))
    assert line.can("A1^A2X")
    mate = Line(f"{FLAT}/1/mortal:A1,E5/mortal:E1,E2/selene[A1]/mortal").play("E5>E4")
    assert not mate.can("A1^A2X")


def test_limus_lets_the_female_dome_beside_her_unless_printed() -> None:
    start = f"{FLAT}/1/selene:A1,E5/limus:D3,C2"
    assert Line(start).play("A1>A2").can("E5^D4X")
    assert not Line(start, printed=True).play("A1>A2").can("E5^D4X")


# Triton


def test_triton_may_move_on_from_the_border_as_often_as_he_likes() -> None:
    line = Line(f"{FLAT}/1/triton:A5,C3/mortal:E5,E1").play("A5>B5")
    assert line.can("B5>C5")
    assert line.can("B5^C5")
    line.play("B5>C5 C5>D5")
    assert line.can("D5>D4")


def test_triton_may_revisit_squares_even_where_he_started() -> None:
    line = Line(f"{FLAT}/1/triton:A5,C3/mortal:E5,E1").play("A5>B5 B5>A5 A5>B5")
    assert line.can("B5>A5")
    assert line.play("B5^A5").position.seat == 1


def test_triton_does_not_move_on_from_inside() -> None:
    line = Line(f"{FLAT}/1/triton:A5,C3/mortal:E5,E1").play("A5>B4")
    assert not any(">" in step for step in line.steps)
    line = Line(f"{FLAT}/1/triton:A5,C3/mortal:E5,E1").play("A5>B5 B5>B4")
    assert not any(">" in step for step in line.steps)


def test_triton_moves_on_with_the_same_worker() -> None:
    line = Line(f"{FLAT}/1/triton:A5,C3/mortal:E5,E1").play("A5>B5")
    assert not any(step.startswith("C3") for step in line.steps)


def test_triton_climbs_level_by_level_and_wins_on_the_way() -> None:
    line = Line("01230 00000 00000 00000 00000/1/triton:A5,C3/mortal:E5,E1").play("A5>B5 B5>C5 C5>D5")
    assert line.winners == (0,)


def test_triton_moves_on_only_from_a_border_square_he_moved_to() -> None:
    # blown to the border is not moved to it; blown along the border from one he moved to is
    start = f"{FLAT}/1/triton:B3,E5/harpies:E1,E2"
    line = Line(start).play("B3>C3")
    assert line.position.workers[0][0] == sq("E3")
    assert not any(">" in step for step in line.steps)


def test_tritons_sequences_have_no_end() -> None:
    assert perft(Line(f"{FLAT}/1/triton:A5/mortal:E1").position, 1).actions is None


def test_persephone_makes_triton_walk_to_where_he_can_climb() -> None:
    line = Line("00001 00000 00000 00000 00000/1/triton:A5/persephone:A1,B1")
    assert line.steps == {"A5>B5", "A5>A4"}  # from B4 he could not go on
    line.play("A5>B5 B5>C5")
    assert not line.can("C5^B5")
    line.play("C5>D5")
    assert not line.can("D5>D4")
    line.play("D5>E5")
    assert line.can("E5^D5")
    assert line.can("E5>D5")


# Zeus


def test_zeus_may_build_under_himself_and_so_rises() -> None:
    line = Line(f"{FLAT}/1/zeus:A5,C3/mortal:E5,E1").play("A5>B5")
    assert line.can("B5^B5")
    line.play("B5^B5")
    assert line.events[0] == Built(0, sq("B5"), sq("B5"), 1, False)
    assert line.position.b1 == 1 << sq("B5")
    assert line.position.workers[0][0] == sq("B5")
    assert line.position.seat == 1


def test_zeus_may_build_elsewhere_but_not_under_others() -> None:
    line = Line(f"{FLAT}/1/zeus:A5,C4/mortal:A4,E1").play("A5>B5")
    assert line.can("B5^A5")
    assert not line.can("B5^C4")
    assert not line.can("B5^A4")


def test_rising_to_level_three_never_wins() -> None:
    line = Line("12000 00000 00000 00000 00000/1/zeus:A5,C3/mortal:E5,E1").play("A5>B5 B5^B5")
    assert line.winners is None
    assert line.position.b3 == 1 << sq("B5")
    assert line.position.seat == 1


def test_zeus_puts_no_dome_under_himself() -> None:
    line = Line("33000 00000 00000 00000 00000/1/zeus:A5,C3/mortal:E5,E1").play("A5>B5")
    assert not line.can("B5^B5")
    assert not line.can("B5^B5X")


def test_zeus_moves_on_from_the_level_he_rose_to() -> None:
    line = Line("02000 00000 00000 00000 00000/1/zeus:A5,C3/mortal:E5,E1")
    assert not line.can("A5>B5")
    line.play("A5>A4 A4^A4 E5>E4 E4^E5")
    assert line.can("A4>B5")


# All


@pytest.mark.parametrize("god", ["ares", "charon", "athena"])
def test_a_power_refuses_what_it_does_not_offer(god: str) -> None:
    position = Line(f"{FLAT}/1/{god}:A5,C3/mortal:E5,E1").position
    with pytest.raises(Illegal):
        position.lineup.powers[0].act(position, Aim(1), [])
    with pytest.raises(Illegal):
        santorini.apply(position, 0, Aim(1))


def test_moves_are_told_as_moves_and_throws_as_forced() -> None:
    line = Line(f"{FLAT}/1/charon:C3,A1/mortal:D3,E1").play("D3=>B3 C3>D3")
    assert line.events == (
        Forced(0, 1, 0, sq("D3"), sq("B3"), God.CHARON),
        Moved(0, 0, 0, sq("C3"), sq("D3")),
    )
