"""The advanced gods that bind their foes: a case for every sentence about them and their rulings [2.2, 3]."""

from __future__ import annotations

from boardwire.games import santorini
from boardwire.games.santorini.line import Line
from boardwire.games.santorini.notation import parse_position
from boardwire.games.santorini.perft import perft
from boardwire.games.santorini.squares import parse_square as sq

FLAT = "00000 00000 00000 00000 00000"


# Aphrodite


def test_a_foe_that_starts_beside_aphrodite_must_end_beside_her() -> None:
    line = Line(f"{FLAT}/1/mortal:B3,E1/aphrodite:C4,A1")
    assert {step for step in line.steps if step.startswith("B3")} == {"B3>B4", "B3>C3", "B3>A2", "B3>B2"}


def test_beside_any_of_her_workers_will_do() -> None:
    line = Line(f"{FLAT}/1/mortal:B3,E1/aphrodite:C4,A1")
    assert line.can("B3>B2")  # beside A1, away from C4
    assert not line.can("B3>A3")


def test_a_foe_that_starts_elsewhere_moves_freely() -> None:
    line = Line(f"{FLAT}/1/mortal:B3,E1/aphrodite:C4,A1")
    assert {step for step in line.steps if step.startswith("E1")} == {"E1>D1", "E1>D2", "E1>E2"}


def test_aphrodite_does_not_bind_her_own_workers() -> None:
    assert Line(f"{FLAT}/2/mortal:B3,E1/aphrodite:C4,D4").can("C4>C5")
    assert Line(f"{FLAT}/2/mortal:B3,E1/aphrodite:B4,D4").can("B4>B5")


def test_a_foe_that_cannot_obey_has_lost() -> None:
    # A4 can only go to B5, which is not beside A3
    line = Line("40000 04000 04000 00000 00000/1/mortal:A4/aphrodite:A3,E1")
    assert line.winners == (1,)
    assert Line("40000 04000 04000 00000 00000/1/mortal:A4/aphrodite:A3,C5").winners is None


def test_winning_moves_are_bound_too() -> None:
    line = Line("23000 00000 00000 00000 00000/1/mortal:A5,E1/aphrodite:A4,B3")
    assert line.can("A5>B5")
    line = Line("03000 20000 00000 00000 00000/1/mortal:A4,E1/aphrodite:A3,E3")
    assert not line.can("A4>B5")
    assert Line("03000 20000 00000 00000 00000/1/mortal:A4,E1/aphrodite:A3,C4").play("A4>B5").winners == (0,)


def test_steps_in_between_are_free_but_not_the_last() -> None:
    line = Line(f"{FLAT}/1/artemis:B3,E1/aphrodite:C4,E5").play("B3>A3")
    assert line.steps == {"A3>B4"}  # neither a build from A3 nor another way
    line = Line(f"{FLAT}/1/artemis:B3,E1/aphrodite:C4,E5").play("B3>B4")
    assert line.can("B4^A3")
    assert not line.can("B4>A3")


def test_only_the_worker_that_moves_is_checked() -> None:
    # B3 stays beside C4 or not, as it likes, while E1 moves
    assert Line(f"{FLAT}/1/mortal:B3,E1/aphrodite:C4,A1").play("E1>E2").can("E2^E1")
    # both of Hermes's workers start beside her; only those that walk must end there
    line = Line(f"{FLAT}/1/hermes:B3,D3/aphrodite:C4,A5")
    assert line.can("B3^A3")
    line.play("B3>A3")
    assert not line.can("D3^D2")
    line.play("D3>D2")
    assert not any("^" in step for step in line.steps)
    line.play("D2>D3")
    assert not any("^" in step for step in line.steps)
    line.play("A3>A4")
    assert line.can("A4^A3")
    assert line.can("D3^D2")


def test_a_worker_that_strays_and_comes_back_is_lawful_but_another_is_still_checked() -> None:
    line = Line(f"{FLAT}/1/hermes:B3,D3/aphrodite:C4,A5").play("B3>A3 A3>B3 D3>D2 D2>D3 B3>B2")
    assert not any("^" in step for step in line.steps)
    assert line.play("B2>B3").can("B3^B2")


def test_what_matters_is_where_she_stands_when_the_foe_has_moved() -> None:
    # a push takes her along; a swap too
    line = Line(f"{FLAT}/1/minotaur:B3,E1/aphrodite:C3,A5")
    assert line.can("B3>C3")
    line = Line(f"{FLAT}/1/apollo:B3,E1/aphrodite:C3,E5")
    assert line.can("B3>C3")


def test_a_move_beside_a_worker_that_it_removes_was_lawful() -> None:
    line = Line(f"{FLAT}/1/bia:A3,E1/aphrodite:C3,B2").play("A3>B3")
    assert line.position.workers[1] == (-1, sq("B2"))
    alone = Line(f"{FLAT}/1/bia:A3,E1/aphrodite:C3,A2")
    assert alone.can("A3>B3")
    assert Line(f"{FLAT}/1/bia:B3,E1/aphrodite:D3,C4").play("B3>C3").can("C3^B3")
    last = Line(f"{FLAT}/1/bia:B3,E1/aphrodite:D3").play("B3>C3")
    assert last.winners == (0,)


def test_what_matters_is_where_the_move_led_not_where_a_power_carries_on_to() -> None:
    # the mate's wind faults the foe from C3, beside C4, on to E3
    line = Line(f"{FLAT}/2/aphrodite:C4,E1/mortal:B3,A1/harpies/mortal")
    assert line.can("B3>C3")
    line.play("B3>C3")
    assert line.position.workers[1][0] == sq("E3")
    assert line.can("E3^D3")
    assert not line.can("B3>A3")


def test_aphrodite_remembers_nothing_in_her_own_turn_and_counts_only_workers_on_the_board() -> None:
    assert Line(f"{FLAT}/2/mortal:B3,E1/aphrodite:C4,D4").position.memos == ((), (), (), ())
    alone = Line(f"{FLAT}/1/selene[A3]:A3/aphrodite:A2,C3")
    assert alone.position.workers[0] == (-1, sq("A3"))
    assert {step[3:] for step in alone.steps} == {"B2", "B3", "B4"}


def test_hermes_may_not_walk_to_where_he_could_not_come_back_from() -> None:
    # behind the wall there is no square beside her on his level
    line = Line("00000 00000 00000 00000 00000/1/hermes:B3,E1/aphrodite:C4,A1")
    assert line.can("B3>A3")
    line = Line("00100 11100 01000 00000 00000/1/hermes:B3,E1/aphrodite:C4,D4")
    assert not line.can("B3>A2")


def test_triton_may_walk_round_and_must_come_back() -> None:
    line = Line(f"{FLAT}/1/triton:A4,E1/aphrodite:B3,E5").play("A4>A5")
    assert not line.can("A5^B5")
    assert line.can("A5>A4")
    assert line.can("A5>B5")
    assert not line.play("A5>B5").can("B5^A5")


def test_prometheus_builds_first_only_if_he_can_still_end_beside_her() -> None:
    # B3 is the only square beside A3 that A4 can go to, and after a block there it would be a climb
    line = Line("00000 04000 00000 00000 00000/1/prometheus:A4,E1/aphrodite:A3,E5")
    assert not line.can("A4^B3")
    assert line.can("A4^A5")
    assert line.play("A4^A5").steps == {"A4>B3"}
    assert Line("00000 00000 00000 00000 00000/1/prometheus:A4,E1/aphrodite:A3,E5").can("A4^B3")


def test_aphrodite_in_a_team_binds_both_foes_and_looks_at_the_teams_workers() -> None:
    for seat in (2, 4):
        line = Line(f"{FLAT}/{seat}/aphrodite:C4,A1/mortal:B3,E1/mortal/mortal")
        assert not line.can("B3>A3")
    mate = Line(f"{FLAT}/3/aphrodite:C4,A1/mortal:B3,E1/mortal/mortal")
    assert mate.can("C4>D5")


def test_a_mates_ban_and_aphrodites_call_together_can_lose_the_match() -> None:
    # beside C5 there is only higher ground
    start = "00000 01100 00000 00000 00000/2/aphrodite:C5,E1/mortal:B5/{}/mortal"
    assert Line(start.format("mortal")).steps == {"B5>B4", "B5>C4"}
    assert Line(start.format("athena[^]")).winners == (0, 2)


def test_the_same_end_of_a_turn_is_counted_once_however_it_came_about() -> None:
    # wherever Artemis goes here, it is beside her
    start = "40004 40004 40004 44444 44440/1/artemis:B5/{}:C4,E1"
    assert perft(parse_position(start.format("aphrodite")), 1) == perft(parse_position(start.format("mortal")), 1)


# Hera


def test_foes_cannot_win_by_moving_onto_the_perimeter() -> None:
    line = Line("23000 00000 00000 00000 00000/1/mortal:A5,A1/hera:E5,E4").play("A5>B5")
    assert line.winners is None
    assert line.can("B5^A5")  # the turn goes on with a build


def test_foes_of_hera_win_inside() -> None:
    assert Line("00000 02300 00000 00000 00000/1/mortal:B4,A1/hera:E5,E4").play("B4>C4").winners == (0,)


def test_hera_herself_wins_on_the_perimeter() -> None:
    assert Line("23000 00000 00000 00000 00000/1/hera:A5,A1/mortal:E5,E4").play("A5>B5").winners == (0,)


def test_hera_vetoes_every_way_to_win_by_moving_onto_the_border() -> None:
    # Pan drops two levels, to the border and inside
    assert Line("00000 02000 00000 00000 00000/1/pan:B4,A1/hera:E5,E4").play("B4>A5").winners is None
    line = Line("00000 02000 00000 00000 00000/1/pan:B4,A1/hera:E5,E4")
    wins = {step for step in line.steps if step.startswith("B4") and Line(str(line)).play(step).winners}
    assert wins == {"B4>C4", "B4>B3", "B4>C3"}


def test_hera_vetoes_the_wins_of_all_foes_but_not_of_her_mate() -> None:
    start = "23000 00000 00000 00000 00000/{}/{}/hera:E5,E4/{}"
    assert Line(start.format(1, "mortal:A5,A1", "mortal:C1,C2")).play("A5>B5").winners is None
    assert Line(start.format(3, "mortal:C1,C2", "mortal:A5,A1")).play("A5>B5").winners is None
    team = "23000 00000 00000 00000 00000/{}/mortal:A5,A1/mortal:E5,E4/hera/mortal"
    assert Line(team.format(1)).play("A5>B5").winners == (0, 2)


def test_hera_vetoes_nothing_once_she_is_out() -> None:
    line = Line("23000 00000 00000 00000 00000/1/mortal:A5,A1/hera:E5,E4/mortal:C1,C2")
    position, _ = santorini.forfeit(line.position, 1)
    assert Line(position).play("A5>B5").winners == (0,)


# Hypnus


def test_the_highest_worker_of_a_foe_cannot_move() -> None:
    line = Line("10000 00000 00000 00000 00000/1/mortal:A5,E1/hypnus:C3,C2")
    assert {step[:2] for step in line.steps} == {"E1"}
    line = Line("10000 00000 00000 00000 00002/1/mortal:A5,E1/hypnus:C3,C2")
    assert {step[:2] for step in line.steps} == {"A5"}


def test_it_must_be_higher_than_all_the_others() -> None:
    line = Line("10000 00000 00000 00000 00001/1/mortal:A5,E1/hypnus:C3,C2")
    assert {step[:2] for step in line.steps} == {"A5", "E1"}
    three = Line("10000 00000 00000 00000 00000/1/mortal:A5,E1,E5/hypnus:C3,C2")
    assert {step[:2] for step in three.steps} == {"E1", "E5"}


def test_a_lone_worker_is_always_blocked() -> None:
    assert Line(f"{FLAT}/1/mortal:A5/hypnus:C3,C2").winners == (1,)
    removed = Line("00000 00000 00000 01000 00000/1/medusa:B2,E1/hypnus:A4,A1").play("E1>E2 E2^E1")
    assert removed.winners is None


def test_a_side_without_workers_has_none_to_block() -> None:
    assert Line(f"{FLAT}/1/mortal:-,-/hypnus:C3,C2").winners == (1,)


def test_a_blocked_worker_may_still_build_where_a_power_allows() -> None:
    line = Line("10000 00000 00000 00000 00000/1/hermes:A5,E1/hypnus:C3,C2")
    assert line.can("A5^B5")
    assert not line.can("A5>B5")
    line = Line("00000 00000 00000 00000 00001/1/selene:A5,E1/hypnus:C3,C2").play("A5>B5")
    assert line.can("E1^E2X")
    alone = Line(f"{FLAT}/1/hermes:A5/hypnus:C3,C2")
    assert alone.steps == {"A5^B5", "A5^A4", "A5^B4"}


def test_what_counts_is_the_start_of_the_turn() -> None:
    # Artemis's worker becomes the highest with its first step and may take the second
    line = Line("01000 00000 00000 00000 00000/1/artemis:A5,E1/hypnus:C3,C2").play("A5>B5")
    assert line.can("B5>A5") is False
    assert line.can("B5>C5")


def test_prometheus_cannot_build_first_with_a_worker_that_cannot_move() -> None:
    line = Line("10000 00000 00000 00000 00000/1/prometheus:A5,E1/hypnus:C3,C2")
    assert not line.can("A5^B5")
    assert line.can("E1^E2")


def test_charon_cannot_throw_over_a_worker_that_cannot_move() -> None:
    line = Line("00000 00000 00100 00000 00000/1/charon:C3,E1/hypnus:D3,A1")
    assert not line.can("D3=>B3")


def test_hypnus_does_not_block_its_own_workers() -> None:
    assert Line("10000 00000 00000 00000 00000/1/hypnus:A5,E1/mortal:C3,C2").can("A5>B5")


def test_hypnus_blocks_each_foe_by_its_own_workers() -> None:
    start = "10000 00000 00000 00000 00002/{}/mortal:A5,E3/mortal:A1,E1/hypnus:C3,C2"
    assert {step[:2] for step in Line(start.format(1)).steps} == {"E3"}
    assert {step[:2] for step in Line(start.format(2)).steps} == {"A1"}
    assert {step[:2] for step in Line(start.format(3)).steps} == {"C3", "C2"}


def test_blocked_is_who_stands_higher_at_each_new_start() -> None:
    line = Line("01000 00000 00000 00000 00000/1/mortal:A5,E1/hypnus:C3,C2").play("A5>B5 B5^A5 C3>C4 C4^C3")
    assert {step[:2] for step in line.steps} == {"E1"}
    line.play("E1>E2 E2^E1 C4>D4 D4^C4 E2>E1 E1^E2 D4>D5 D5^D4")
    assert {step[:2] for step in line.steps} == {"B5", "E1"}


def test_memos_of_hypnus_and_aphrodite_are_hidden_from_all() -> None:
    # it may follow from where hidden workers stand
    one = Line("10000 00000 00000 00000 00000/1/hecate:A5,E1/hypnus:C3,C2").position
    other = Line("10000 00000 00000 00000 00000/1/hecate:B5,E1/hypnus:C3,C2").position
    assert one.memos != other.memos
    for seat in (1, None):
        assert santorini.view(one, seat) == santorini.view(other, seat)
    assert santorini.view(one, 0).memos == ((), ())
    one = Line(f"{FLAT}/1/hecate:C4,E1/aphrodite:C3,C2").position
    other = Line(f"{FLAT}/1/hecate:B5,E1/aphrodite:C3,C2").position
    assert one.memos != other.memos
    assert santorini.view(one, 1) == santorini.view(other, 1)


def test_what_is_remembered_of_a_turn_is_written_only_when_the_match_is_over() -> None:
    for start, data in (
        ("23000 00000 00000 00000 00002/1/mortal:A5,E1/hypnus:C3,C2", ""),
        ("23000 20000 00000 00000 00000/1/mortal:A5,E1/aphrodite:A4,C4", "[1,0,0]"),
    ):
        line = Line(start)
        assert "[" not in str(line)
        line.play("A5>B5")
        assert line.winners == (0,)
        assert ("[" in str(line)) == bool(data)
        assert data in str(line)
        assert str(Line(str(line))) == str(line)
    line = Line("23000 00000 00000 00000 00003/1/mortal:A5,E1/hypnus:C3,C2")
    assert line.position.memos[1] == (1,)
    assert "hypnus[1]" in str(line.play("A5>B5"))


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
    # after a block on A2 only A4 would be left to go to, and all squares around it are beside B4
    start = "00000 00000 04000 04000 00000/1/prometheus:A3/limus:{},E5"
    assert Line(start.format("B4")).steps == {"A3>A2"}
    assert Line(start.format("D4")).can("A3^A2")


def test_hermes_looks_for_a_place_to_build_beside_limus() -> None:
    line = Line(f"{FLAT}/1/hermes:A5,E1/limus:B4,D2")
    assert not any(step[2] == "^" for step in line.steps)  # neither can build where it stands
    line.play("A5>A4 A4>A3")
    assert builds(line) == {"A2", "B2"}


def test_a_second_move_after_which_nothing_can_be_built_is_not_offered() -> None:
    line = Line(f"{FLAT}/1/artemis:A2,E5/limus:B4,E1").play("A2>A3")
    assert not line.can("A3>A4")
    assert line.can("A3>B2")


def test_moves_after_which_no_other_worker_could_build_are_not_offered() -> None:
    # one that did not move must build, and around A5 and E5 everything is beside her
    line = Line(f"{FLAT}/1/graeae:C3,A5,E5/limus:B4,D4")
    assert {step[:2] for step in line.steps} == {"A5", "E5"}
    selene = f"{FLAT}/1/selene:A4,E5/limus:B4,D4"  # printed, her female worker can put no dome there either
    assert Line(selene).can("A4>A5")
    assert not Line(selene, printed=True).can("A4>A5")


def test_limus_is_not_dragged_to_where_the_dragger_could_build_nothing() -> None:
    start = "10000 00000 04000 00000 00000/1/scylla:B4,E5/{}:E2,A3"
    assert Line(start.format("mortal")).play("B4>A4").can("A3=>B4")
    line = Line(start.format("limus")).play("B4>A4")
    assert line.steps == {"A4^A5", "A4^B5"}
    assert Line(start.format("limus")).play("B4>C4").can("A3=>B4")  # there D3 to D5 are left


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


def test_persephones_wish_may_be_met_by_a_winning_move() -> None:
    line = Line("23000 00000 00000 00000 00000/1/mortal:A5,A1/persephone:E5,E4")
    assert line.steps == {"A5>B5"}
    assert line.play("A5>B5").winners == (0,)


def test_prometheus_does_not_build_first_when_he_can_climb() -> None:
    line = Line("01000 00000 00000 00000 00000/1/prometheus:A5,A1/persephone:E5,E4")
    assert line.steps == {"A5>B5"}
    assert Line(f"{FLAT}/1/prometheus:A5,A1/persephone:E5,E4").can("A5^B5")


def test_once_only_powers_need_not_be_spent_for_persephone() -> None:
    line = Line("02000 00000 00000 00000 00000/1/bellerophon:A5,A1/persephone:E5,E4")
    assert line.can("A5>A4")


def test_a_climb_that_is_forbidden_is_not_wished_for() -> None:
    line = Line("01000 00000 00000 00000 00000/2/persephone:E5,E4/mortal:A5,A1/athena[^]:C1,C2")
    assert line.can("A5>A4")
    assert not line.can("A5>B5")


def test_persephone_binds_every_foe_in_every_turn_until_she_is_out() -> None:
    start = "01000 00000 00000 00000 00000/{}/persephone:E5,E4/{}/{}"
    assert Line(start.format(2, "mortal:A5,A1", "mortal:C1,C2")).steps == {"A5>B5"}
    line = Line(start.format(3, "mortal:C1,C2", "mortal:A5,A1"))
    assert line.steps == {"A5>B5"}
    position, _ = santorini.forfeit(line.position, 0)
    assert Line(position).can("A5>A4")


def test_zeus_meets_the_wish_by_moving_not_by_rising() -> None:
    assert Line("01000 00000 00000 00000 00000/1/zeus:A5,A1/persephone:E5,E4").steps == {"A5>B5"}
    free = Line(f"{FLAT}/1/zeus:A5,A1/persephone:E5,E4").play("A5>B5")
    assert free.can("B5^A5")


def test_charon_must_throw_if_only_that_lets_him_climb() -> None:
    line = Line("00000 00000 00010 00000 00000/1/charon:C3,A1/persephone:D3,E5")
    assert line.steps == {"D3=>B3"}
    assert line.play("D3=>B3").steps == {"C3>D3"}


def test_hermes_must_climb_before_he_builds_if_he_can() -> None:
    assert Line("01000 00000 00000 00000 00000/1/hermes:A5,A1/persephone:E5,E4").steps == {"A5>B5"}
    assert Line(f"{FLAT}/1/hermes:A5,A1/persephone:E5,E4").can("A5^B5")
