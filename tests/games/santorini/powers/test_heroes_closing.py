"""The heroes that act at the end of a turn: a case for every sentence about them [2.4]."""

from __future__ import annotations

import pytest

from boardwire.errors import Illegal, Malformed
from boardwire.games.santorini.edits import with_worker
from boardwire.games.santorini.events import Banished, Bound, Built, PowerUsed, Razed, Termination, Won
from boardwire.games.santorini.kinds import Kind
from boardwire.games.santorini.line import Line
from boardwire.games.santorini.notation import parse_position
from boardwire.games.santorini.perft import perft
from boardwire.games.santorini.position import OFF
from boardwire.games.santorini.powers.catalogue import God
from boardwire.games.santorini.squares import parse_square as sq
from boardwire.games.santorini.steps import parse_action

FLAT = "00000 00000 00000 00000 00000"


def destinations(line: Line, frm: str) -> set[str]:
    """Where a worker may move."""
    return {step[3:] for step in line.steps if step.startswith(f"{frm}>")}


# Adonis


def test_adonis_may_tie_an_own_and_a_foes_worker_at_the_end_of_his_turn() -> None:
    line = Line(f"{FLAT}/1/adonis:A5,E1/mortal:C3,A1").play("A5>B5 B5^A5")
    assert line.steps == {"B5&C3", "B5&A1", "E1&C3", "E1&A1", "."}
    line.play("B5&C3")
    assert line.events[:2] == (PowerUsed(0, God.ADONIS), Bound(0, sq("B5"), sq("C3"), God.ADONIS))
    assert line.position.seat == 1


def test_the_tied_workers_must_be_neighbours_when_the_foes_next_turn_ends() -> None:
    line = Line(f"{FLAT}/1/adonis:A5,E1/mortal:C3,A1").play("A5>B5 B5^A5 B5&C3")
    assert destinations(line, "C3") == {"B4", "C4"}
    assert destinations(line, "A1") == set()  # C3 must come nearer, so the other cannot move
    line.play("C3>C4 C4^C3 B5>A5 A5^B5")
    assert "A1" in {step[:2] for step in line.steps}  # for one turn only
    assert line.position.memos[0] == (1,)


def test_a_tied_worker_that_is_beside_already_may_stay_while_another_moves() -> None:
    line = Line(f"{FLAT}/1/adonis:A5,E1/mortal:C4,A1").play("A5>B5 B5^A5 B5&C4")
    assert destinations(line, "A1")
    assert destinations(line, "C4") == {"B4", "C5"}


def test_only_the_named_worker_of_adonis_counts() -> None:
    line = Line(f"{FLAT}/1/adonis:A5,E1/mortal:D3,A1").play("A5>B5 B5^A5 E1&D3")
    assert destinations(line, "D3") == {"D2", "E2"}


def test_who_cannot_obey_adonis_is_free() -> None:
    line = Line(f"{FLAT}/1/adonis:A5,E1/mortal:D3,A1").play("A5>B5 B5^A5 B5&A1")
    assert len(destinations(line, "A1")) == 3
    assert len(destinations(line, "D3")) == 8


def test_a_winning_move_is_bound_by_adonis_too() -> None:
    board = "00000 00000 00230 00000 00000"
    line = Line(f"{board}/1/adonis:A5,E1/mortal:C3,A1").play("A5>B5 B5^A5 B5&C3")
    assert not line.can("C3>D3")
    line = Line(f"{board}/1/adonis:A5,E1/mortal:C3,A1").play("A5>B5 B5^A5 .")
    assert line.play("C3>D3").winners == (1,)


def test_adonis_looks_at_all_moves_and_closings_of_a_turn() -> None:
    line = Line(f"{FLAT}/1/adonis:A5,E1/artemis:C2,A1").play("A5>B5 B5^A5 B5&C2")
    assert destinations(line, "C2") == {"B3", "C3", "D3"}
    line.play("C2>C3")
    assert destinations(line, "C3") == {"B4", "C4"}
    assert not any("^" in step for step in line.steps)
    line = Line(f"{FLAT}/1/adonis:A5,E1/nemesis:C2,D2").play("A5>A4 A4^A5 E1&C2")
    assert "A3" not in destinations(line, "C2")


def test_adonis_may_do_so_once_and_declining_keeps_it() -> None:
    line = Line(f"{FLAT}/1/adonis:A5,E1/mortal:C3,A1").play("A5>B5 B5^A5 .")
    assert line.position.memos[0] == ()
    assert destinations(line, "A1")
    line = Line(f"{FLAT}/1/adonis[x]:A5,E1/mortal:C3,A1").play("A5>B5 B5^A5")
    assert line.position.seat == 1


def test_adonis_keeps_his_power_through_foes_turns() -> None:
    line = Line(f"{FLAT}/1/adonis:A5,E1/mortal:C3,A1").play("A5>B5 B5^A5 . C3>C4 C4^C3")
    assert line.position.memos[0] == ()


def test_adonis_sees_to_the_very_end_of_the_turn() -> None:
    # the tied worker is beside him when Hydra must remove one of hers
    line = Line(f"{FLAT}/1/adonis:A5,E1/hydra:C4,D3").play("A5>B5 B5^A5 B5&C4 D3>D4 D4^D3")
    assert line.steps == {"xD4"}


def test_workers_on_the_first_square_are_tied_like_others() -> None:
    line = Line(f"{FLAT}/1/adonis:A4,E1/mortal:C4,A1").play("A4>A5 A5^A4 A5&C4")
    assert destinations(line, "C4") == {"B5", "B4"}
    line = Line(f"{FLAT}/1/adonis:C3,E1/mortal:A5,A1").play("C3>C4 C4^C3 C4&A5")
    assert destinations(line, "A5") == {"B5", "B4"}
    line = Line(f"{FLAT}/1/adonis:B3,E1/mortal:B5,A1").play("B3>A4 A4^B3 A4&B5")
    assert "A5" in destinations(line, "B5")


def test_printed_adonis_names_a_foe_that_must_end_beside_any_of_his() -> None:
    line = Line(f"{FLAT}/1/adonis:A5,E1/mortal:C3,A1", printed=True).play("A5>B5 B5^A5")
    assert line.steps == {"*C3", "*A1", "."}
    line.play("*C3")
    assert line.events[:2] == (PowerUsed(0, God.ADONIS), Bound(0, -1, sq("C3"), God.ADONIS))
    assert destinations(line, "C3") == {"B4", "C4", "D2"}


def test_a_tie_is_written_with_its_squares() -> None:
    line = Line(f"{FLAT}/1/adonis:A5,E1/mortal:C3,A1").play("A5>B5 B5^A5 B5&C3")
    assert "/adonis[x|B5,C3]:B5,E1/" in str(line)
    assert parse_position(str(line)).decision == line.position.decision
    printed = Line(f"{FLAT}/1/adonis:A5,E1/mortal:C3,A1", printed=True).play("A5>B5 B5^A5 *C3")
    assert "/adonis[x|C3]:" in str(printed)
    again = Line(str(printed), printed=True)
    assert again.position.decision == printed.position.decision
    for bad in ("y", "x|B2,C3", "x|B5,B5", "x|Z9"):
        with pytest.raises(Malformed):
            parse_position(f"{FLAT}/2/adonis[{bad}]:B5,E1/mortal:C3,A1")


def test_a_tie_to_a_removed_worker_has_no_effect() -> None:
    line = Line(f"{FLAT}/2/adonis[x|B5,C3]:B5,E1/mortal:C3,A1")
    own, p = line.position.lineup.powers[0], line.position
    assert own.fate(p) is None
    for gone in (with_worker(p, 1, 0, OFF), with_worker(p, 0, 0, OFF)):
        assert own.fate(gone) is False
        assert own.written(gone) == "x"
        assert not own.wish(gone)


def test_adonis_targets_no_one_on_a_foes_coin() -> None:
    line = Line("00000 00000 00100 00000 00000/1/adonis:A5,E1/clio[2|C3]:C3,A1").play("A5>B5 B5^A5")
    assert line.steps == {"B5&A1", "E1&A1", "."}


def test_a_tie_ends_when_adonis_loses_his_power() -> None:
    # the dome makes one tower, so it is night, and Adonis is back when a second one stands
    board = "30000 00000 00000 00000 00003"
    line = Line(f"{board}/1/adonis:B4,B1/nyx{{pan}}:D2,A1").play("B4>B5 B5^A5X B5&D2")
    assert line.position.lineup.gods == (God.MORTAL, God.PAN)
    assert len(destinations(line, "A1")) == 2
    assert line.position.memos[2] == (1,)
    line.play("A1>A2 A2^A1 B5>B4 B4^B5 D2>D1 D1^E1X")
    assert line.position.lineup.gods == (God.ADONIS, God.MORTAL)
    assert line.position.memos[0] == (1,)
    second = Line(f"{board}/2/nyx{{pan}}:D2,A1/adonis:B4,B1").play("B4>B5 B5^A5X B5&D2")
    assert second.position.memos[3] == (1,)


def test_a_hero_need_not_be_spent_for_adonis() -> None:
    line = Line(f"{FLAT}/1/adonis:A5,E1/atalanta:C1,A1").play("A5>B5 B5^A5 B5&C1")
    assert len(destinations(line, "C1")) == 5
    assert destinations(line, "A1")


# Heracles

LOW = "00000 00000 00100 00000 00000"


def test_heracles_may_let_both_workers_build_domes_instead_of_the_build() -> None:
    line = Line(f"{LOW}/1/heracles:B5,E1/mortal:E5,A1").play("B5>B4")
    assert line.can("!")
    line.play("!")
    assert line.events == (PowerUsed(0, God.HERACLES),)
    assert line.can("B4^C3X")
    assert line.can("E1^D1X")
    assert not line.can("B4^C3")
    line.play("B4^C3X B4^B5X E1^D1X")
    assert line.position.domes == 1 << sq("C3") | 1 << sq("B5") | 1 << sq("D1")
    assert line.position.b1 == 1 << sq("C3")  # at any level, and no blocks
    assert line.position.seat == 0
    assert line.play(".").position.seat == 1


def test_heracles_may_also_put_no_dome_at_all() -> None:
    line = Line(f"{LOW}/1/heracles:B5,E1/mortal:E5,A1").play("B5>B4 ! .")
    assert line.position.seat == 1
    assert line.position.domes == 0
    assert line.position.memos[0] == (1,)


def test_heracles_turn_ends_by_itself_when_there_is_no_room_for_domes() -> None:
    line = Line("00440 04440 44440 44000 04000/1/heracles:A5/mortal:E5,A1").play("A5>A4 ! A4^A5X")
    assert line.can("A4^B5X")
    line.play("A4^B5X")
    assert line.position.seat == 1


def test_a_normal_build_does_not_spend_heracles_and_nothing_follows_it() -> None:
    line = Line("00000 00300 00000 00000 00000/1/heracles:B5,E1/mortal:E5,A1").play("B5>B4 B4^C4X")
    assert line.position.seat == 1
    assert line.position.memos[0] == ()


def test_heracles_may_do_so_once() -> None:
    line = Line(f"{LOW}/1/heracles[x]:B5,E1/mortal:E5,A1").play("B5>B4")
    assert not line.can("!")
    assert line.play("B4^B5").position.seat == 1


def test_printed_heracles_puts_domes_after_the_build_at_the_end_of_the_turn() -> None:
    line = Line(f"{LOW}/1/heracles:B5,E1/mortal:E5,A1", printed=True).play("B5>B4")
    assert not line.can("!")
    line.play("B4^B5")
    assert line.position.decision is not None
    assert line.position.decision.kind == Kind.CLOSE
    line.play("B4^B5X")
    assert line.events == (Built(0, sq("B4"), sq("B5"), 1, True), PowerUsed(0, God.HERACLES))
    line.play("E1^E2X .")
    assert line.position.seat == 1
    assert line.position.memos[0] == (1,)


def test_printed_heracles_may_decline_and_does_so_once() -> None:
    line = Line(f"{LOW}/1/heracles:B5,E1/mortal:E5,A1", printed=True).play("B5>B4 B4^B5 .")
    assert line.position.memos[0] == ()
    line = Line(f"{LOW}/1/heracles[x]:B5,E1/mortal:E5,A1", printed=True).play("B5>B4 B4^B5")
    assert line.position.seat == 1


def test_foes_closing_builds_do_not_spend_heracles() -> None:
    line = Line(f"{FLAT}/2/heracles:B5,E1/poseidon:E5,A1").play("E5>E4 E4^E5 A1^A2 .")
    assert line.position.memos[0] == ()


def test_limus_lets_heracles_put_domes_beside_her_but_printed_only_on_towers() -> None:
    board = "00000 00000 00130 00000 00000"
    line = Line(f"{board}/1/heracles:B5,E1/limus:C4,A1").play("B5>B4 !")
    assert line.can("B4^C3X")
    line = Line(f"{board}/1/heracles:C2,A5/limus:E4,E3", printed=True).play("C2>C3 C3^B3")
    assert line.can("C3^D3X")
    assert not line.can("C3^D2X")


def test_heracles_domes_are_counted_by_where_they_stand() -> None:
    count = perft(parse_position("00440 04440 44440 44000 04000/1/heracles:A5/mortal:E5,A1"), 1)
    assert count.actions is None
    # moves to A4 and B5, one of two squares built on, or any of the four sets of domes on them
    assert count.states == 2 * (2 + 4)


def test_heracles_against_aphrodite_is_looked_ahead_in_no_time() -> None:
    line = Line(f"{FLAT}/1/heracles:B4,D2/aphrodite:B5,A1")
    assert destinations(line, "B4") == {"A5", "A4", "C5", "C4"}
    assert len(destinations(line, "D2")) == 8
    assert line.play("B4>A4").can("!")


def test_persephone_makes_heracles_climb() -> None:
    assert Line("01000 00000 00000 00000 00000/1/heracles:A5,E1/persephone:E5,A1").steps == {"A5>B5"}


# Medea

HIGH = "00000 00000 00020 00000 00000"


def test_medea_may_take_all_blocks_from_under_a_worker_beside_hers() -> None:
    line = Line(f"{HIGH}/1/medea:B3,E1/mortal:D3,A5").play("B3>C3 C3^B3")
    assert line.steps == {"~D3", "."}
    line.play("~D3")
    assert line.position.b1 == 1 << sq("B3")
    assert line.events[:2] == (PowerUsed(0, God.MEDEA), Razed(0, sq("D3"), 0, God.MEDEA))
    assert line.position.seat == 1


def test_medea_may_do_so_once() -> None:
    line = Line(f"{HIGH}/1/medea[x]:B3,E1/mortal:D3,A5").play("B3>C3 C3^B3")
    assert line.position.seat == 1
    both = Line("00000 00000 00020 00020 00000/1/medea:B3,E1/mortal:D3,D2").play("B3>C3 C3^B3 ~D3")
    assert both.position.seat == 1


def test_medea_keeps_her_power_when_she_declines() -> None:
    line = Line(f"{HIGH}/1/medea:B3,E1/mortal:D3,A5").play("B3>C3 C3^B3 .")
    assert line.position.memos[0] == ()


def test_medea_may_lower_her_own_worker_too() -> None:
    line = Line(f"{HIGH}/1/medea:B3,D3/mortal:A1,A5").play("B3>C3 C3^B3")
    assert line.can("~D3")


def test_a_worker_on_the_ground_or_further_away_cannot_be_lowered() -> None:
    line = Line("00000 00000 00000 00000 00002/1/medea:B3,A1/mortal:D3,E1").play("B3>C3 C3^B3")
    assert line.position.seat == 1


def test_blocks_without_a_worker_are_left_alone() -> None:
    line = Line("00000 00000 00020 00000 00000/1/medea:B3,E1/mortal:A1,A5").play("B3>C3 C3^B3")
    assert line.position.seat == 1


def test_medea_lowers_no_one_on_a_foes_coin() -> None:
    line = Line(f"{HIGH}/1/medea:B3,E1/clio[2|D3]:D3,A5").play("B3>C3 C3^B3")
    assert line.position.seat == 1


def test_printed_medea_takes_one_block_under_any_workers_beside_her_resting_one() -> None:
    line = Line("00000 00000 00020 01000 00000/1/medea:B5,C3/mortal:D3,B2", printed=True).play("B5>A5 A5^B5")
    assert line.steps == {"~D3", "~B2", "."}
    line.play("~D3")
    assert line.position.b2 == 0
    assert line.steps == {"~B2", "."}
    line.play("~B2")
    assert line.position.b1 == 1 << sq("D3") | 1 << sq("B5")
    assert line.position.seat == 1


def test_printed_medea_lowers_no_one_beside_the_worker_that_moved_and_needs_a_resting_one() -> None:
    start = "00000 00000 00020 00000 00000/1/medea:{}/mortal:D3,B2"
    assert Line(start.format("B5,C3"), printed=True).play("C3>C4 C4^C5").position.seat == 1
    assert Line(start.format("C3"), printed=True).play("C3>C4 C4^C5").position.seat == 1
    assert Line(start.format("B5,C3"), printed=True).play("B5>B4 B4^B5 .").position.memos[0] == ()


def test_it_does_not_matter_which_of_printed_medeas_workers_rests_or_where() -> None:
    line = Line("00000 00000 00020 00000 00000/1/medea:C3,B5/mortal:D3,B2", printed=True).play("B5>B4 B4^B5")
    assert line.steps == {"~D3", "."}
    line = Line("01000 00000 00000 00000 00000/1/medea:A5,C3/mortal:B5,B2", printed=True).play("C3>C2 C2^C3")
    assert line.steps == {"~B5", "."}


def test_a_worker_of_printed_medea_that_is_gone_does_not_rest() -> None:
    board = "00000 00000 00020 00000 00010"
    line = Line(f"{board}/1/theseus:B3,D1/medea:D3,A4", printed=True).play("B3>C3 C3^B3 xD3 A4>A3 A3^A4")
    assert line.position.seat == 0
    alone = Line("10000 00000 00000 00000 00000/1/medea:C3/mortal:A5,E1", printed=True)
    assert alone.play("C3>B4 B4^C3").position.seat == 1


def test_printed_medea_may_do_so_once() -> None:
    line = Line("00000 00000 00020 00000 00000/1/medea[x]:B5,C3/mortal:D3,B2", printed=True)
    assert line.play("B5>B4 B4^B5").position.seat == 1


# Polyphemus


def test_polyphemus_may_put_up_to_two_domes_on_any_free_squares_at_the_end_of_his_turn() -> None:
    line = Line("00000 00000 00003 00000 00000/1/polyphemus:B5,E1/mortal:E5,A1").play("B5>B4 B4^B5")
    assert line.position.decision is not None
    assert line.position.decision.kind == Kind.CLOSE
    assert len(line.steps) == 25 - 4 + 1
    line.play("B4^E3X")
    assert line.events == (Built(0, sq("B4"), sq("E3"), 3, True), PowerUsed(0, God.POLYPHEMUS))
    assert len(line.steps) == 25 - 4 - 1 + 1
    line.play("B4^C1X")
    assert line.position.domes == 1 << sq("E3") | 1 << sq("C1")
    assert line.position.seat == 1


def test_polyphemus_may_put_one_or_none() -> None:
    line = Line(f"{FLAT}/1/polyphemus:B5,E1/mortal:E5,A1").play("B5>B4 B4^B5 B4^C1X .")
    assert line.position.seat == 1
    assert line.position.memos[0] == (1,)
    line = Line(f"{FLAT}/1/polyphemus:B5,E1/mortal:E5,A1").play("B5>B4 B4^B5 .")
    assert line.position.memos[0] == ()


def test_polyphemus_may_do_so_once() -> None:
    line = Line(f"{FLAT}/1/polyphemus[x]:B5,E1/mortal:E5,A1").play("B5>B4 B4^B5")
    assert line.position.seat == 1


def test_polyphemus_leaves_tokens_and_coins_alone() -> None:
    line = Line(f"{FLAT}/1/polyphemus:B5,E1/europa[C3]:E5,A1").play("B5>B4 B4^B5")
    assert not line.can("B4^C3X")
    line = Line(f"{FLAT}/1/polyphemus:B5,E1/clio[2|C3]:E5,A1").play("B5>B4 B4^B5")
    assert not line.can("B4^C3X")
    assert line.can("B4^C2X")


def test_limus_binds_polyphemus_as_she_binds_other_builders() -> None:
    board = "00030 00000 00000 00000 00000"
    line = Line(f"{board}/1/polyphemus:B5,E1/limus:E5,A1").play("B5>B4 B4^B5")
    assert line.can("B4^E4X")
    line = Line(f"{board}/1/polyphemus:B5,E1/limus:E5,A1", printed=True).play("B5>B4 B4^B5")
    assert not line.can("B4^E4X")
    assert line.can("B4^D5X")


def test_foes_closing_builds_do_not_spend_polyphemus() -> None:
    line = Line(f"{FLAT}/2/polyphemus:B5,E1/poseidon:E5,A1").play("E5>E4 E4^E5 A1^A2 .")
    assert line.position.memos[0] == ()


# Theseus


def test_theseus_may_remove_a_foe_exactly_two_levels_above_his_worker_beside_it() -> None:
    line = Line(f"{HIGH}/1/theseus:B3,E1/mortal:D3,A5").play("B3>C3 C3^B3")
    assert line.steps == {"xD3", "."}
    line.play("xD3")
    assert line.events[:2] == (PowerUsed(0, God.THESEUS), Banished(1, 0, sq("D3"), God.THESEUS))
    assert line.position.workers[1] == (-1, sq("A5"))
    assert line.position.seat == 1


@pytest.mark.parametrize("height", [0, 1, 3])
def test_theseus_removes_no_one_of_another_height(height: int) -> None:
    line = Line(f"00000 00000 000{height}0 00000 00000/1/theseus:B3,E1/mortal:D3,A5").play("B3>C3 C3^B3")
    assert line.position.seat == 1


def test_theseus_counts_from_the_level_he_stands_on_and_either_worker_will_do() -> None:
    line = Line("00000 00000 00130 00000 00000/1/theseus:B3,E1/mortal:D3,A5").play("B3>C3 C3^B3")
    assert line.can("xD3")
    line = Line(f"{HIGH}/1/theseus:B3,E2/mortal:D3,A5").play("B3>A3 A3^B3")
    assert line.can("xD3")
    line = Line("00000 00000 00220 00000 00000/1/theseus:C3,E1/mortal:D3,A5").play("E1>D1 D1^E1")
    assert line.position.seat == 1


def test_theseus_removes_no_one_further_away_and_none_of_his_own() -> None:
    assert Line(f"{HIGH}/1/theseus:A3,E1/mortal:D3,A5").play("A3>B3 B3^A3").position.seat == 1
    assert Line(f"{HIGH}/1/theseus:B3,D3/mortal:E1,A5").play("B3>C3 C3^B3").position.seat == 1


def test_theseus_wins_by_removing_the_last_worker() -> None:
    line = Line(f"{HIGH}/1/theseus:B3,E1/mortal:D3").play("B3>C3 C3^B3 xD3")
    assert line.events[-1] == Won((0,), Termination.NO_WORKERS, God.THESEUS)


def test_theseus_may_do_so_once_and_declining_keeps_it() -> None:
    assert Line(f"{HIGH}/1/theseus[x]:B3,E1/mortal:D3,A5").play("B3>C3 C3^B3").position.seat == 1
    assert Line(f"{HIGH}/1/theseus:B3,E1/mortal:D3,A5").play("B3>C3 C3^B3 .").position.memos[0] == ()
    two = Line("00000 00000 00020 00020 00000/1/theseus:B3,E1/mortal:D3,D2").play("B3>C3 C3^B3 xD3")
    assert two.position.seat == 1


def test_theseus_removes_no_one_on_a_foes_coin() -> None:
    assert Line(f"{HIGH}/1/theseus:B3,E1/clio[2|D3]:D3,A5").play("B3>C3 C3^B3").position.seat == 1


# What all share


@pytest.mark.parametrize("god", ["adonis", "heracles", "medea", "polyphemus", "theseus"])
def test_a_spent_hero_is_written_as_x(god: str) -> None:
    assert f"{god}[x]:" in str(Line(f"{FLAT}/1/{god}[x]:A5,E1/mortal:E5,A1"))
    assert f"{god}:" in str(Line(f"{FLAT}/1/{god}:A5,E1/mortal:E5,A1"))


@pytest.mark.parametrize("god", ["adonis", "heracles", "medea", "theseus"])
def test_steps_of_other_powers_are_not_theirs(god: str) -> None:
    line = Line(f"{FLAT}/1/{god}:A5,E1/mortal:E5,A1")
    with pytest.raises(Illegal):
        line.position.lineup.powers[0].act(line.position, parse_action("@n"), [])
