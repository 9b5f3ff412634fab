"""The heroes that act before or while they move: a case for every sentence about them [2.4]."""

from __future__ import annotations

import pytest

from boardwire.errors import Illegal, Malformed
from boardwire.games import santorini
from boardwire.games.santorini.events import Built, Forced, Moved, PowerUsed, Won, WorkerPlaced
from boardwire.games.santorini.line import Line
from boardwire.games.santorini.notation import parse_position
from boardwire.games.santorini.perft import perft
from boardwire.games.santorini.position import MOVED
from boardwire.games.santorini.powers.catalogue import God
from boardwire.games.santorini.squares import parse_square as sq
from boardwire.games.santorini.steps import parse_action

FLAT = "00000 00000 00000 00000 00000"


# Achilles


def test_achilles_may_build_before_and_after_moving() -> None:
    line = Line(f"{FLAT}/1/achilles:C3,A1/mortal:E5,E1").play("C3^C4")
    assert line.events == (Built(0, sq("C3"), sq("C4"), 1, False), PowerUsed(0, God.ACHILLES))
    assert {step[:3] for step in line.steps} == {"C3>"}  # the same worker moves, and does not build again first
    line.play("C3>D3")
    assert {step[:3] for step in line.steps} == {"D3^"}
    line.play("D3^C3")
    assert line.position.b1 == 1 << sq("C4") | 1 << sq("C3")
    assert line.position.seat == 1


def test_achilles_may_climb_what_he_just_built_and_win_so() -> None:
    assert Line(f"{FLAT}/1/achilles:C3,A1/mortal:E5,E1").play("C3^C4").can("C3>C4")
    line = Line("00000 00200 00200 00000 00000/1/achilles:C3,A1/mortal:E5,E1").play("C3^C4 C3>C4")
    assert line.winners == (0,)


def test_achilles_may_build_first_with_either_worker_and_also_a_dome() -> None:
    line = Line("00000 00300 00000 00000 00000/1/achilles:C3,A1/mortal:E5,E1")
    assert line.can("A1^A2")
    assert line.can("C3^C4X")


def test_achilles_may_do_so_once() -> None:
    line = Line(f"{FLAT}/1/achilles:C3,A1/mortal:E5,E1").play("C3^C4 C3>D3 D3^C3 E5>D5 D5^E5")
    assert not any("^" in step for step in line.steps)
    assert not any("^" in step for step in Line(f"{FLAT}/1/achilles[x]:C3,A1/mortal:E5,E1").steps)


def test_a_normal_turn_does_not_spend_achilles() -> None:
    line = Line(f"{FLAT}/1/achilles:C3,A1/mortal:E5,E1").play("C3>D3 D3^C3")
    assert line.position.memos[0] == ()


def test_foes_building_does_not_spend_achilles() -> None:
    line = Line(f"{FLAT}/2/achilles:C3,A1/prometheus:E5,E1").play("E5^E4")
    assert line.position.memos[0] == ()


def test_achilles_may_not_build_first_what_walls_him_in() -> None:
    # B5 is the only way out, and one more block makes it too high
    line = Line("01000 44000 00000 00000 00000/1/achilles:A5,E1/mortal:E5,E3")
    assert line.can("A5>B5")
    assert not line.can("A5^B5")
    line = Line("00000 44000 00000 00000 00000/1/achilles:A5,E1/mortal:E5,E3")
    assert line.can("A5^B5")  # he can still climb it


def test_what_a_foe_carries_off_is_tried_out_before_achilles_builds() -> None:
    # the only way leads into a whirlpool, and beside the other one there is nothing to build on
    board = "00000 24000 00000 00044 00000"
    assert not Line(f"{board}/1/achilles:A5/charybdis[B5,E1]:D1,C1").can("A5^A4")
    assert Line(f"{board}/1/achilles:A5/charybdis[B5]:D1,C1").can("A5^A4")
    assert Line(f"{board}/1/achilles:A5/charybdis[B5,E1]:D1,C1").can("A5^B5")  # that whirlpool is built away


# Atalanta


def test_atalanta_may_move_any_number_of_extra_times() -> None:
    line = Line(f"{FLAT}/1/atalanta:A5,E1/mortal:E5,A1").play("A5>B5 B5>C5")
    assert line.events[-1] == PowerUsed(0, God.ATALANTA)
    line.play("C5>C4 C4>C5 C5>B5 B5>A5")
    assert {step[:3] for step in line.steps} == {"A5>", "A5^"}  # the same worker
    assert line.play("A5^B5").position.seat == 1


def test_each_of_atalantas_moves_obeys_the_height_and_any_of_them_may_win() -> None:
    line = Line("01230 00000 00000 00000 00000/1/atalanta:A5,E1/mortal:E5,A1").play("A5>B5")
    assert not line.can("B5>D5")
    assert line.play("B5>C5 C5>D5").winners == (0,)


def test_atalanta_may_do_so_once() -> None:
    line = Line(f"{FLAT}/1/atalanta:A5,E1/mortal:E5,A1").play("A5>B5 B5>C5 C5^B5 E5>E4 E4^E5 C5>C4")
    assert {step[:3] for step in line.steps} == {"C4^"}
    line = Line(f"{FLAT}/1/atalanta[x]:A5,E1/mortal:E5,A1").play("A5>B5")
    assert {step[:3] for step in line.steps} == {"B5^"}


def test_one_move_does_not_spend_atalanta() -> None:
    line = Line(f"{FLAT}/1/atalanta:A5,E1/mortal:E5,A1").play("A5>B5 B5^A5")
    assert line.position.memos[0] == ()
    assert line.position.seat == 1


def test_the_way_through_whirlpools_does_not_spend_atalanta() -> None:
    line = Line(f"{FLAT}/1/atalanta:A5,E1/charybdis[B5,D3]:E5,A1", printed=True).play("A5>B5")
    assert line.position.turn.moves == 2
    assert line.position.memos[0] == ()
    assert line.can("D3>C3")
    assert line.play("D3>C3").position.memos[0] == (1,)


def test_it_does_not_matter_which_way_the_whirlpool_was_entered() -> None:
    north = Line(f"{FLAT}/1/atalanta:A4,E1/charybdis[A5,D3]:E5,A1", printed=True).play("A4>A5")
    assert north.position.turn.moves == 2
    assert north.position.memos[0] == ()
    board = "00000 00000 00020 00000 00000"
    north = Line(f"{board}/1/bellerophon:A4,E1/charybdis[A5,D3]:E5,A1", printed=True).play("A4>A5")
    assert north.position.memos[0] == ()


def test_a_foes_second_move_does_not_spend_atalanta() -> None:
    line = Line(f"{FLAT}/2/atalanta:A5,E1/artemis:E5,A1").play("E5>E4 E4>E3 E3^E4")
    assert line.position.memos[0] == ()


def test_atalantas_walks_are_counted_without_end() -> None:
    count = perft(parse_position(f"{FLAT}/1/atalanta:A5/mortal:E5,A1"), 1)
    assert count.actions is None
    assert count.states > 100


def test_persephone_does_not_make_atalanta_spend_her_power() -> None:
    line = Line("00000 00000 00100 00000 00000/1/atalanta:A5,E1/persephone:E5,A1")
    assert line.can("A5>A4")
    assert line.play("A5>A4").can("A4^A5")  # C3 could be climbed, but only with the extra moves


def test_atalanta_who_can_climb_at_once_may_not_evade_it_by_starting_elsewhere() -> None:
    line = Line("01100 00000 00000 00000 00000/1/atalanta:A5,E1/persephone:E5,A1")
    assert line.steps == {"A5>B5", "!"}


def test_atalanta_may_climb_for_persephone_with_her_extra_moves_if_she_says_so_first() -> None:
    line = Line("01100 00000 00000 00000 00000/1/atalanta:A5,E1/persephone:E5,A1").play("!")
    assert line.events == (PowerUsed(0, God.ATALANTA),)
    assert line.can("A5>A4")
    line.play("A5>A4")
    assert not any("^" in step for step in line.steps)
    line.play("A4>B5")
    assert line.can("B5^A5")
    assert not Line(f"{FLAT}/1/atalanta:A5,E1/pan:E5,A1").can("!")
    assert not Line("01100 00000 00000 00000 00000/1/atalanta[x]:A5,E1/persephone:E5,A1").can("!")


def test_persephone_makes_atalanta_climb_whose_power_is_spent() -> None:
    line = Line("01000 00000 00000 00000 00000/1/atalanta[x]:A5,E1/persephone:E5,A1")
    assert line.steps == {"A5>B5"}


def test_atalanta_whose_power_is_spent_can_climb_no_more_once_she_moved() -> None:
    line = Line("00000 00000 00100 00000 00000/1/atalanta[x]:A5,E1/persephone:E5,A1").play("A5>A4")
    own = line.position.lineup.powers[0]
    assert not own.may_climb(line.position)
    unspent = Line("00000 00000 00100 00000 00000/1/atalanta:A5,E1/persephone:E5,A1")
    assert unspent.position.lineup.powers[0].may_climb(unspent.position)
    unspent.play("A5>A4")
    assert unspent.position.lineup.powers[0].may_climb(unspent.position)


# Bellerophon


def test_bellerophon_may_climb_two_levels_once() -> None:
    line = Line("02000 20000 00000 00000 00000/1/bellerophon:A5,E1/mortal:E5,A1").play("A5>B5")
    assert line.events == (Moved(0, 0, 0, sq("A5"), sq("B5")), PowerUsed(0, God.BELLEROPHON))
    line.play("B5^A5 E5>E4 E4^E5")
    assert not Line("02000 20000 00000 00000 00000/1/bellerophon[x]:A5,E1/mortal:E5,A1").can("A5>B5")


def test_bellerophon_never_climbs_three_levels() -> None:
    line = Line("03000 12000 00000 00000 00000/1/bellerophon:A5,E1/mortal:E5,A1")
    assert not line.can("A5>B5")
    assert line.can("A5>B4")


def test_from_level_one_to_three_bellerophon_wins() -> None:
    line = Line("13000 00000 00000 00000 00000/1/bellerophon:A5,E1/mortal:E5,A1").play("A5>B5")
    assert line.winners == (0,)


def test_an_ordinary_move_does_not_spend_bellerophon() -> None:
    line = Line("01000 00000 00000 00000 00002/1/bellerophon:A5,E1/mortal:E5,A1").play("A5>B5 B5^A5")
    assert line.position.memos[0] == ()
    line = Line("01000 00000 00000 00000 00002/1/bellerophon:A5,E1/mortal:E5,A1").play("E1>E2 E2^E1")
    assert line.position.memos[0] == ()


def test_bellerophon_moves_onto_no_worker_dome_or_closed_square() -> None:
    line = Line("0a000 00000 00000 00000 00000/1/bellerophon:A5,E1/europa[A4]:B4,A1")
    assert not any(step.startswith("A5>") for step in line.steps)


def test_athena_keeps_bellerophon_from_climbing() -> None:
    assert not Line("02000 00000 00000 00000 00000/1/bellerophon:A5,E1/athena[^]:E5,A1").can("A5>B5")


def test_hera_vetoes_bellerophons_win_and_his_power_is_spent() -> None:
    line = Line("13000 00000 00000 00000 00000/1/bellerophon:A5,E1/hera:E5,A1").play("A5>B5")
    assert line.winners is None
    assert line.position.memos[0] == (1,)


def test_a_whirlpool_two_levels_up_does_not_spend_bellerophon() -> None:
    line = Line("00000 00000 00020 00000 00000/1/bellerophon:A5,E1/charybdis[B5,D3]:E5,A1", printed=True)
    assert line.play("A5>B5").position.memos[0] == ()


def test_a_foe_two_levels_up_does_not_spend_bellerophon() -> None:
    line = Line("00002 00000 00000 00000 00000/2/bellerophon:A5,E1/pegasus:D5,A1").play("D5>E5 E5^D5")
    assert line.position.memos[0] == ()


def test_persephone_does_not_make_bellerophon_spend_his_power() -> None:
    line = Line("02000 00000 00000 00000 00000/1/bellerophon:A5,E1/persephone:E5,A1")
    assert line.can("A5>A4")
    line = Line("02000 10000 00000 00000 00000/1/bellerophon:A5,E1/persephone:E5,A1")
    assert line.steps == {"A5>A4", "A5>B5"}  # he can climb without it, so he must climb, either way


# Jason


def test_jason_may_place_his_spare_worker_on_the_ground_at_the_border() -> None:
    line = Line("01000 00000 00000 00000 0000a/1/jason:B3,D3/mortal:C4,C1")
    places = {step for step in line.steps if step.startswith("+")}
    assert len(places) == 16 - 3  # B5 is high, E1 domed, C1 taken
    assert "+B4" not in places


def test_the_spare_worker_moves_and_builds_instead_of_the_turn() -> None:
    line = Line(f"{FLAT}/1/jason:B3,D3/mortal:C4,C1").play("+A5")
    assert line.events == (PowerUsed(0, God.JASON), WorkerPlaced(0, 0, 2, sq("A5"), God.JASON))
    assert {step[:3] for step in line.steps} == {"A5>"}
    line.play("A5>A4")
    assert {step[:3] for step in line.steps} == {"A4^"}
    line.play("A4^A5")
    assert line.position.seat == 1
    assert line.position.workers[0] == (sq("B3"), sq("D3"), sq("A4"))


def test_the_spare_worker_plays_on_like_the_others_and_there_is_only_one() -> None:
    line = Line(f"{FLAT}/1/jason:B3,D3/mortal:C4,C1").play("+A5 A5>A4 A4^A5 C4>C5 C5^C4")
    assert {step[:2] for step in line.steps} == {"B3", "D3", "A4"}


def test_jasons_normal_turn_spends_nothing() -> None:
    assert Line(f"{FLAT}/1/jason:B3,D3/mortal:C4,C1").play("B3>B4 B4^B3").position.memos[0] == ()


def test_printed_jason_places_and_only_builds() -> None:
    line = Line(f"{FLAT}/1/jason:B3,D3/mortal:C4,C1", printed=True).play("+A5")
    assert line.steps == {"A5^B5", "A5^A4", "A5^B4"}
    line.play("A5^B5")
    assert line.position.seat == 1
    assert line.position.workers[0] == (sq("B3"), sq("D3"), sq("A5"))


def test_jason_does_not_place_a_worker_that_could_not_move_or_build() -> None:
    walled = "02000 22000 00000 00000 00000"
    assert not Line(f"{walled}/1/jason:B2,D3/mortal:D4,C1").can("+A5")
    assert Line(f"{walled}/1/jason:B2,D3/mortal:D4,C1", printed=True).can("+A5")
    domed = "04000 44000 00000 00000 00000"
    assert not Line(f"{domed}/1/jason:B2,D3/mortal:D4,C1", printed=True).can("+A5")


def test_jason_does_not_place_a_worker_whom_a_whirlpool_would_carry_where_nothing_can_be_built() -> None:
    board = "01000 44000 00000 00044 00000"
    assert not Line(f"{board}/1/jason:B2,D3/charybdis[B5,E1]:D1,C1").can("+A5")
    assert Line(f"{board}/1/jason:B2,D3/charybdis[B5]:D1,C1").can("+A5")


def test_jasons_spare_worker_saves_him_who_is_stuck() -> None:
    line = Line("04000 44000 00000 00000 00000/1/jason:A5/mortal:D4,C1")
    assert line.winners is None
    assert all(step.startswith("+") for step in line.steps)


def test_jason_places_no_worker_on_a_foes_coin() -> None:
    board = "00000 00000 00000 00000 00000"
    assert not Line(f"{board}/1/jason:B2,D3/clio[2|A5]:D4,C1").can("+A5")
    assert not Line(f"{board}/1/jason:B2,D3/europa[A5]:D4,C1").can("+A5")


# Odysseus


def test_odysseus_may_force_neighbouring_foes_to_free_corners() -> None:
    line = Line(f"{FLAT}/1/odysseus:C3,A1/mortal:D3,B3")
    assert {step for step in line.steps if "=>" in step} == {
        f"{foe}=>{to}" for foe in ("D3", "B3") for to in ("A5", "E5", "E1")
    }
    line.play("D3=>E5")
    assert line.events == (PowerUsed(0, God.ODYSSEUS), Forced(0, 1, 0, sq("D3"), sq("E5"), God.ODYSSEUS))
    assert {step for step in line.steps if "=>" in step} == {"B3=>A5", "B3=>E1"}
    line.play("B3=>A5")
    assert not any("=>" in step for step in line.steps)
    assert line.can("C3>D3")
    assert line.can("A1>A2")
    assert line.play("C3>D3 D3^C3").position.seat == 1


def test_odysseus_may_leave_some_where_they_are() -> None:
    line = Line(f"{FLAT}/1/odysseus:C3,A1/mortal:D3,B3").play("D3=>E5 C3>D3")
    assert line.position.workers[1] == (sq("E5"), sq("B3"))
    assert not any("=>" in step for step in line.steps)


def test_a_foe_sent_to_a_corner_beside_odysseus_is_not_sent_again() -> None:
    line = Line(f"{FLAT}/1/odysseus:B4,D4/mortal:C4,E1").play("C4=>A5")
    assert not any(step.startswith("A5=>") for step in line.steps)


def test_odysseus_may_do_so_once() -> None:
    line = Line(f"{FLAT}/1/odysseus:C3,A1/mortal:D3,B3").play("D3=>E5 C3>D3 D3^C3 B3>B4 B4^B3")
    assert not any("=>" in step for step in line.steps)
    assert not any("=>" in step for step in Line(f"{FLAT}/1/odysseus[x]:C3,A1/mortal:D3,B3").steps)


def test_odysseus_may_not_do_so_after_moving_nor_to_foes_further_away() -> None:
    assert not any("=>" in step for step in Line(f"{FLAT}/1/odysseus:C3,A1/mortal:E3,E1").steps)
    assert not any("=>" in step for step in Line(f"{FLAT}/1/odysseus:C3,A1/mortal:D3,B3").play("C3>C4").steps)


def test_corners_of_any_level_will_do_and_no_one_wins_there_but_domes_and_tokens_close_them() -> None:
    line = Line("30002 00000 00000 00000 0000a/1/odysseus:C3,B1/europa[A1]:D3,B3")
    assert {step for step in line.steps if step.startswith("D3=>")} == {"D3=>A5", "D3=>E5"}
    assert line.play("D3=>A5").winners is None


def test_odysseus_may_not_wall_himself_in() -> None:
    # the only square he can move to is the corner A1; what A3 leaves is too high for him
    line = Line("00000 00000 22000 04000 04000/1/odysseus:A2/mortal:A3,B3")
    assert {step for step in line.steps if ">" in step and "=" not in step} == {"A2>A1"}
    assert not line.can("A3=>A1")
    assert line.can("A3=>A5")


def test_odysseus_can_send_a_foe_into_the_abyss() -> None:
    line = Line(f"{FLAT}/1/odysseus:C3,A1/tartarus[E5]:D3,B3").play("D3=>E5")
    assert isinstance(line.events[-1], Won)
    assert line.winners == (0,)


def test_odysseus_targets_no_one_on_a_foes_coin() -> None:
    line = Line("00000 00000 00010 00000 00000/1/odysseus:C3,A1/clio[2|D3]:D3,B3")
    assert {step[:2] for step in line.steps if "=>" in step} == {"B3"}


# What all share


@pytest.mark.parametrize("god", ["achilles", "atalanta", "bellerophon", "jason", "odysseus"])
def test_a_spent_hero_is_written_as_x_and_nothing_else_is_read(god: str) -> None:
    line = Line(f"{FLAT}/1/{god}[x]:A5,E1/mortal:E5,A1")
    assert f"{god}[x]:" in str(line)
    with pytest.raises(Malformed):
        parse_position(f"{FLAT}/1/{god}[y]:A5,E1/mortal:E5,A1")


@pytest.mark.parametrize("god", ["atalanta", "jason", "odysseus"])
def test_steps_of_other_powers_are_not_theirs(god: str) -> None:
    line = Line(f"{FLAT}/1/{god}:A5,E1/mortal:E5,A1")
    power = line.position.lineup.powers[0]
    with pytest.raises(Illegal):
        power.act(line.position, parse_action("~A1"), [])
    assert line.position.turn.stage < MOVED
    assert santorini.pending(line.position) is not None


def test_atalanta_who_cannot_move_has_lost_and_cannot_say_that_she_will_move_on() -> None:
    assert Line("02444 22444 44444 00000 00000/1/atalanta:A5/persephone:E1,D1").winners == (1,)
