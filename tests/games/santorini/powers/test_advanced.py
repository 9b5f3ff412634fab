"""The advanced gods: a case for every sentence about them and their rulings [2.2, 3]."""

from __future__ import annotations

from boardwire.games import santorini
from boardwire.games.game import CHANCE
from boardwire.games.santorini.board import PERIMETER
from boardwire.games.santorini.effects import build
from boardwire.games.santorini.events import Banished, Built, Eliminated, PowerChanged, Termination, TurnStarted, Won
from boardwire.games.santorini.line import Line
from boardwire.games.santorini.lineup import lineup
from boardwire.games.santorini.notation import parse_position
from boardwire.games.santorini.options import Draft, Options, Wording
from boardwire.games.santorini.powers.catalogue import God
from boardwire.games.santorini.squares import parse_square as sq

FLAT = "00000 00000 00000 00000 00000"


# Bia


def test_bia_places_first_and_on_the_border() -> None:
    line = Line(santorini.new(Options(Draft.GIVEN, gods=(God.MORTAL, God.BIA)), 2))
    decision = santorini.pending(line.position)
    assert decision is not None
    assert decision.seats == (1,)
    assert len(line.steps) == 16
    assert not line.can("+B2")
    line.play("+A1 +A2")
    assert line.can("+B2")  # the border is for her own workers
    line.play("+B2 +C3")
    assert line.position.seat == 1


def test_printed_bia_places_first_anywhere() -> None:
    options = Options(Draft.GIVEN, gods=(God.MORTAL, God.BIA), wording=Wording.PRINTED)
    line = Line(santorini.new(options, 2))
    decision = santorini.pending(line.position)
    assert decision is not None
    assert decision.seats == (1,)
    assert len(line.steps) == 25


def test_a_foe_on_the_next_square_of_bias_line_is_removed() -> None:
    line = Line(f"{FLAT}/1/bia:A3,E1/mortal:C3,E5").play("A3>B3")
    assert line.position.workers[1] == (-1, sq("E5"))
    assert Banished(1, 0, sq("C3"), God.BIA) in line.events
    assert line.can("B3^C3")


def test_bia_removes_a_foe_in_any_corner() -> None:
    for frm, to, corner in (("C5", "B5", "A5"), ("C3", "D4", "E5"), ("A3", "A2", "A1"), ("C3", "D2", "E1")):
        line = Line(f"{FLAT}/1/bia:{frm},C1/mortal:{corner},B3").play(f"{frm}>{to}")
        assert line.position.workers[1] == (-1, sq("B3"))


def test_bia_removes_only_straight_ahead_and_only_the_next() -> None:
    for foe in ("C4", "C2", "B4", "A4", "D3"):
        line = Line(f"{FLAT}/1/bia:A3,E1/mortal:{foe},E5").play("A3>B3")
        assert line.position.workers[1][0] == sq(foe)


def test_bia_looks_ahead_from_where_a_whirlpool_moved_her_to() -> None:
    # printed, the way through is a second move in the same direction
    line = Line(f"{FLAT}/1/bia:A3,E1/charybdis[B3,C2]:D2,E5", printed=True).play("A3>B3")
    assert line.position.workers == ((sq("C2"), sq("E1")), (-1, sq("E5")))


def test_the_level_of_the_removed_foe_does_not_matter() -> None:
    line = Line("00000 00000 00300 00000 00000/1/bia:A3,E1/mortal:C3,E5").play("A3>B3")
    assert line.position.workers[1][0] == -1


def test_bia_removes_neither_her_own_worker_nor_beyond_the_board() -> None:
    assert Line(f"{FLAT}/1/bia:A3,C3/mortal:E1,E5").play("A3>B3").position.workers[0] == (sq("B3"), sq("C3"))
    assert Line(f"{FLAT}/1/bia:B5,C3/mortal:E1,E4").play("B5>A5").position.workers[1] == (sq("E1"), sq("E4"))


def test_foes_moving_towards_each_other_remove_no_one() -> None:
    line = Line(f"{FLAT}/2/bia:C3,E1/mortal:A3,E5").play("A3>B3")
    assert line.position.workers[0] == (sq("C3"), sq("E1"))


def test_who_has_lost_all_workers_to_bia_has_lost() -> None:
    line = Line(f"{FLAT}/1/bia:A3,E1/mortal:C3").play("A3>B3")
    assert line.winners == (0,)
    three = Line(f"{FLAT}/1/bia:A3,E1/mortal:C3/mortal:E5,E4").play("A3>B3")
    assert three.winners is None
    assert Eliminated(1, Termination.NO_WORKERS, God.BIA) in three.events
    assert three.play("B3^C3").position.seat == 2


def test_a_power_eliminated_by_bias_move_no_longer_hears_of_it() -> None:
    line = Line(f"{FLAT}/1/bia:A3,E1/harpies:C3/mortal:E5,A1").play("A3>B3")
    assert line.position.workers[0][0] == sq("B3")
    assert Line(f"{FLAT}/1/bia:A3,E1/harpies:C3,C1/mortal:E5,A1").play("A3>B3").position.workers[0][0] == sq("E3")


def test_bia_removes_no_one_who_stands_on_a_coin() -> None:
    line = Line("00000 00000 00100 00000 00000/1/bia:A3,E1/clio[2|C3]:C3,E5").play("A3>B3")
    assert line.position.workers[1] == (sq("C3"), sq("E5"))


# Chaos


def test_chaos_begins_with_a_random_simple_god_that_is_not_in_play() -> None:
    line = Line(santorini.new(Options(Draft.GIVEN, gods=(God.CHAOS, God.PAN)), 2)).play("+A1 +A2 +E1 +E2")
    decision = line.position.decision
    assert decision is not None
    assert decision.seats == (CHANCE,)
    assert len(line.steps) == 9
    assert "luck=pan" not in line.steps
    line.play("luck=atlas")
    assert PowerChanged(0, God.ATLAS) in line.events
    assert line.position.lineup.gods == (God.ATLAS, God.PAN)
    assert line.position.lineup.cards == (God.CHAOS, God.PAN)


def test_chaos_has_the_power_it_drew_and_draws_the_next_after_a_dome() -> None:
    line = Line(f"{FLAT}/1/chaos+atlas{{8}}:B3,A1/mortal:E5,E1").play("B3>C3 C3^B3")
    assert line.position.seat == 1  # no dome, no draw
    line.play("E5>D5 D5^E5 C3>B2 B2^C3X")
    assert "luck=atlas" not in line.steps
    line.play("luck=pan")
    assert line.position.lineup.gods == (God.PAN, God.MORTAL)
    assert line.position.seat == 1


def test_chaos_draws_no_god_again_before_all_are_drawn() -> None:
    line = Line(f"{FLAT}/1/chaos+atlas{{8}}:B3,A1/mortal:E5,E1").play("B3>C3 C3^B3X luck=artemis")
    line = Line(str(line)).play("E5>E4 E4^E5 C3>C4 C4^C3")
    assert line.position.seat == 1
    drawn = line.position.memos[2][0]
    again = Line(f"{FLAT}/1/chaos+atlas{{{drawn}}}:B3,A1/mortal:E5,E1").play("B3>C3 C3^B3X")
    assert len(again.steps) == 8
    assert not {"luck=atlas", "luck=artemis"} & again.steps


def test_chaos_draws_also_after_a_foes_dome() -> None:
    line = Line("00000 00000 00300 00000 00000/2/chaos+pan{256}:A5,A1/mortal:B3,E1").play("B3>B2 B2^C3X")
    assert line.can("luck=atlas")


def test_an_eliminated_chaos_draws_no_more() -> None:
    line = Line("00000 00000 00300 00000 00000/1/mortal:B3,E1/chaos+pan{256}:A5,A1/mortal:E5,E4").play("B3>B2 B2^C3X")
    position, _ = santorini.forfeit(line.position, 1)
    assert position.seat == 2
    assert position.decision is not None
    assert position.decision.seats == (2,)


def test_chaos_shuffles_when_all_are_drawn() -> None:
    line = Line(f"{FLAT}/1/chaos+atlas{{1023}}:B3,A1/mortal:E5,E1").play("B3>C3 C3^B3X")
    assert len(line.steps) == 10
    line.play("luck=pan")
    assert (
        len(Line(f"{FLAT}/1/chaos+atlas{{{line.position.memos[2][0]}}}:B3,A1/mortal:E5").play("B3>C3 C3^B3X").steps)
        == 9
    )


def test_athenas_ban_ends_when_chaos_changes_the_power() -> None:
    line = Line("01000 00000 00300 00010 00000/2/chaos+athena[^]{4}:A5,A1/mortal:B3,E1")
    assert not line.can("E1>D2")
    line.play("B3>B2 B2^C3X luck=pan A5>A4 A4^A5")
    assert line.can("E1>D2")


# Chronus


FOUR = "44440 00300 00000 00000 00000"


def test_chronus_wins_when_the_fifth_tower_is_complete() -> None:
    line = Line(f"{FOUR}/1/chronus:B3,A1/mortal:E2,E1").play("B3>C3 C3^C4X")
    assert line.winners == (0,)
    assert line.events[-1] == Won((0,), Termination.POWER, God.CHRONUS)


def test_chronus_wins_at_once_also_when_a_foe_completes_it() -> None:
    line = Line(f"{FOUR}/1/demeter:B3,A1/chronus:E2,E1").play("B3>C3 C3^C4X")
    assert line.winners == (1,)
    assert line.position.decision is None


def test_four_towers_are_not_enough_and_low_domes_are_no_towers() -> None:
    assert Line("4440a 00300 0000b 0000c 00000/1/chronus:B3,A1/mortal:D1,E1").play("B3>C3 C3^C4X").winners is None
    assert Line("44440 0000b 0000c 00000 00000/1/atlas:B3,A1/chronus:D1,E1").play("B3>C3 C3^C4X").winners is None


def test_five_towers_without_chronus_are_nothing() -> None:
    assert Line(f"{FOUR}/1/mortal:B3,A1/mortal:E2,E1").play("B3>C3 C3^C4X").winners is None


def test_more_towers_than_five_count_too() -> None:
    assert Line("44444 40000 00000 00000 00000/1/mortal:B3,A1/chronus:E2,E1").winners == (1,)


def test_a_block_completes_no_tower() -> None:
    assert Line("44440 00200 00000 00000 00000/1/chronus:B3,A1/mortal:E2,E1").play("B3>C3 C3^C4").winners is None


# Circe


def test_circe_alone_has_the_power_of_foes_that_stand_apart() -> None:
    line = Line(f"{FLAT}/2/circe:A5,A4/atlas:E1,C3").play("E1>E2 E2^E1")
    assert line.position.lineup.gods == (God.ATLAS, God.MORTAL)
    assert line.position.lineup.cards == (God.CIRCE, God.ATLAS)
    assert line.events[-2:] == (PowerChanged(1, God.MORTAL), PowerChanged(0, God.ATLAS))
    assert line.play("A5>B5").can("B5^A5X")
    line.play("B5^A5 E2>E1")
    assert not line.can("E1^E2X")


def test_circe_has_nothing_while_the_foes_touch() -> None:
    line = Line(f"{FLAT}/2/circe:A5,A4/atlas:E1,D3").play("E1>E2 E2^E1X")
    assert line.position.lineup.gods == (God.MORTAL, God.ATLAS)
    assert not line.play("A5>B5").can("B5^A5X")


def test_circe_keeps_the_power_until_her_next_turn_and_then_looks_again() -> None:
    line = Line(f"{FLAT}/1/circe:A5,A4/atlas:E1,C3")
    assert line.position.lineup.gods == (God.ATLAS, God.MORTAL)
    line.play("A5>B5 B5^A5 C3>D2")
    assert line.position.lineup.gods == (God.ATLAS, God.MORTAL)  # together again, but it is not her turn yet
    line.play("D2^C3")
    assert line.position.lineup.gods == (God.MORTAL, God.ATLAS)
    assert line.events[-2:] == (PowerChanged(0, God.MORTAL), PowerChanged(1, God.ATLAS))


def test_a_single_worker_is_not_together() -> None:
    assert Line(f"{FLAT}/1/circe:A5,A4/atlas:E1").position.lineup.gods == (God.ATLAS, God.MORTAL)


def test_all_of_three_workers_must_touch_one_another() -> None:
    assert Line(f"{FLAT}/1/circe:A5,A4/atlas:E1,E2,D1").position.lineup.gods == (God.MORTAL, God.ATLAS)
    assert Line(f"{FLAT}/1/circe:A5,A4/atlas:E1,E2,E3").position.lineup.gods == (God.ATLAS, God.MORTAL)


def test_athenas_ban_ends_when_circe_takes_her_power_but_hers_lasts_while_she_has_it() -> None:
    line = Line("01000 00000 00000 00010 00000/1/circe:A5,A4/athena[^]:E1,C3")
    assert line.can("A5>B5")
    line.play("A5>B5 B5^A5")
    assert not line.can("E1>D2")
    line.play("E1>E2 E2^E1 B5>B4 B4^B5")
    assert line.can("E2>D2")


def test_what_lasts_goes_with_the_power() -> None:
    line = Line(f"{FLAT}/2/circe:A5,A4/morpheus[3]:E1,C3").play("E1>E2 .")
    assert line.position.memos[0] == (5,)  # four saved, one earned
    line.play("A5>B5 B5^A5 B5^A5 . C3>D3 D3^C3")
    assert line.position.lineup.gods == (God.MORTAL, God.MORPHEUS)
    line.play("A4>A3 A3^A4")
    assert line.position.memos[1] == (4,)


def test_circe_can_be_written_and_read_with_what_she_took() -> None:
    line = Line(f"{FLAT}/1/circe:A5,A4/atlas:E1,C3")
    assert str(line) == "0000000000000000000000000/1/circe+atlas{1}:A5,A4/atlas+mortal:E1,C3"
    again = Line(str(line))
    assert str(again) == str(line)
    assert again.position.decision == line.position.decision


def test_what_chaos_draws_goes_to_circe_while_she_has_its_power() -> None:
    line = Line("00000 30000 00000 00000 00000/1/circe:A5,B5/chaos+pan{256}:E1,C3")
    assert line.position.lineup.gods == (God.PAN, God.MORTAL)
    line.play("A5>B4 B4^A4X luck=atlas")
    assert line.position.lineup.gods == (God.ATLAS, God.MORTAL)
    line.play("C3>D2 D2^C3")
    assert line.position.lineup.gods == (God.MORTAL, God.ATLAS)
    line.play("B5>C5 C5^B5 D2>D3")
    assert line.can("D3^D2X")


def test_what_chaos_draws_is_its_own_while_circe_has_nothing() -> None:
    line = Line("00000 30000 00000 00000 00000/1/circe:A5,B5/chaos+pan{256}:E1,D1").play("A5>B4 B4^A4X luck=atlas")
    assert line.position.lineup.gods == (God.MORTAL, God.ATLAS)


def test_circe_against_no_or_several_foes_is_a_mortal() -> None:
    assert Line(f"{FLAT}/1/circe:A5,A4").can("A5>B5")
    assert Line(f"{FLAT}/1/circe:A5,A4/atlas:E1,C3/pan:E4,C1").position.lineup.gods[1] is God.ATLAS


def test_circe_plays_the_turns_a_power_gave_her_with_that_power() -> None:
    line = Line("00003 00000 00300 00000 00000/1/circe:B3,A1/dionysus:D5,E3").play("B3>B2 B2^C3X D5>D4 D4^E5X")
    # the foes touch now, but they stood apart when her own turn began
    assert {step[:2] for step in line.steps} == {"D4", "E3", "."}
    line.play(".")
    assert line.position.lineup.gods == (God.DIONYSUS, God.MORTAL)
    line.play("D4>E4 E4^D4")
    assert line.position.lineup.gods == (God.MORTAL, God.DIONYSUS)


# Dionysus


TOWER = "00000 00000 00300 00000 00000"


def test_who_completes_a_tower_may_take_another_turn_with_a_foes_worker() -> None:
    line = Line(f"{TOWER}/1/dionysus:B3,A1/mortal:E5,E1").play("B3>B2 B2^C3X")
    assert TurnStarted(0, 1, True) in line.events
    assert line.position.seat == 0
    assert {step[:2] for step in line.steps} == {"E5", "E1", "."}
    line.play("E5>E4")
    assert {step[:3] for step in line.steps} == {"E4^"}
    line.play("E4^E5")
    assert line.position.seat == 1
    assert line.position.workers[1] == (sq("E4"), sq("E1"))


def test_the_other_turn_may_be_declined() -> None:
    line = Line(f"{TOWER}/1/dionysus:B3,A1/mortal:E5,E1").play("B3>B2 B2^C3X .")
    assert line.position.seat == 1


def test_dionysus_can_decline_only_the_turns_he_is_given() -> None:
    assert not Line(f"{TOWER}/1/dionysus:B3,A1/mortal:E5,E1").can(".")


def test_additional_turns_of_others_can_be_won() -> None:
    board = "00000 00000 23000 00000 00000"
    line = Line(f"{board}/1/tyche:A3,A1/dionysus:E5,E1").play("A1>B1 B1^A1 luck=0")
    assert line.position.turn.extra
    assert line.play("A3>B3").winners == (0,)


def test_a_low_dome_or_a_block_gives_no_other_turn() -> None:
    assert Line(f"{TOWER}/1/dionysus:B3,A1/mortal:E5,E1").play("B3>B2 B2^B3").position.seat == 1
    third = Line("00000 00000 00200 00000 00000/1/dionysus:B3,A1/mortal:E5,E1").play("B3>B2 B2^C3")
    assert third.position.seat == 1
    start = parse_position(f"{TOWER}/1/dionysus:B3,A1/mortal:E5,E1")
    assert build(start, sq("B3"), sq("B4"), True, []).owed == ()
    assert build(start, sq("B3"), sq("C3"), True, []).owed == (1,)


def test_a_foes_tower_gives_dionysus_nothing() -> None:
    line = Line(f"{TOWER}/2/dionysus:E5,E1/mortal:B3,A1").play("B3>B2 B2^C3X")
    assert line.position.seat == 0
    assert line.can("E5>E4")
    assert not line.can("B2>B3")


def test_a_tower_that_a_foes_worker_completes_in_such_a_turn_gives_one_more() -> None:
    line = Line("00003 00000 00300 00000 00000/1/dionysus:B3,A1/mortal:E3,E1").play("B3>B2 B2^C3X E3>E4 E4^E5X")
    assert line.position.seat == 0
    assert {step[:2] for step in line.steps} == {"E4", "E1", "."}
    assert line.play(".").position.seat == 1


def test_no_one_can_win_in_such_a_turn() -> None:
    # neither the foe, whose worker climbs, nor Pan, whose worker drops
    line = Line("00023 00000 00300 00000 00000/1/dionysus:B3,A1/mortal:D5,E1").play("B3>B2 B2^C3X D5>E5")
    assert line.winners is None
    assert line.can("E5^D5")
    pan = Line("00020 00000 00300 00000 00000/1/dionysus:B3,A1/pan:D5,E1").play("B3>B2 B2^C3X D5>E5")
    assert pan.winners is None


def test_a_fifth_tower_in_such_a_turn_wins_only_after_it() -> None:
    board = "44403 00000 00300 00000 00000"
    line = Line(f"{board}/1/dionysus:B3,A1/chronus:E3,E1").play("B3>B2 B2^C3X E3>E4 E4^E5X")
    assert line.winners is None
    assert line.play(".").winners == (1,)


def test_dionysus_himself_wins_in_his_own_turn() -> None:
    assert Line("00000 00000 23000 00000 00000/1/dionysus:A3,A1/mortal:E5,E1").play("A3>B3").winners == (0,)


def test_the_power_of_the_foe_does_not_come_with_its_worker() -> None:
    line = Line(f"{TOWER}/1/dionysus:B3,A1/artemis:E5,E1").play("B3>B2 B2^C3X E5>E4")
    assert not any(">" in step for step in line.steps)


def test_foes_limits_do_not_bind_their_own_workers_in_his_hand() -> None:
    athena = Line("00010 00000 00300 00000 00000/1/dionysus:B3,A1/athena[^]:E5,E1").play("B3>B2 B2^C3X")
    assert athena.can("E5>D5")
    limus = Line(f"{TOWER}/1/dionysus:B3,A1/limus:E5,E1").play("B3>B2 B2^C3X E5>E4")
    assert limus.can("E4^E5")
    aphrodite = Line(f"{TOWER}/1/dionysus:B3,A1/aphrodite:E5,E4").play("B3>B2 B2^C3X E4>E3")
    assert aphrodite.can("E3^E2")
    hypnus = Line("00001 00000 00300 00000 00000/1/dionysus:B3,A1/hypnus:E5,E1").play("B3>B2 B2^C3X")
    assert hypnus.can("E5>D5")


def test_persephone_binds_neither_her_own_worker_in_his_hand_nor_his_choice_to_decline() -> None:
    board = "00010 00000 00300 00000 00000"
    line = Line(f"{board}/1/dionysus:B3,A1/persephone:E5,E1").play("B3>B2 B2^C3X")
    assert {"E5>D5", "E5>E4", "E1>E2", "."} <= line.steps
    three = Line(f"{board}/1/dionysus:B3,A1/persephone:B5,E1/mortal:E5,E2").play("B3>B2 B2^C3X")
    assert "E5>D5" in three.steps
    assert "E5>E4" not in three.steps  # a worker that is not hers must climb if it can
    assert {".", "B5>A5", "E1>D1"} <= three.steps


def test_dionysus_takes_any_foes_worker_with_three_players() -> None:
    line = Line(f"{TOWER}/1/dionysus:B3,A1/mortal:E5,E1/mortal:A5,E3").play("B3>B2 B2^C3X")
    assert {step[:2] for step in line.steps} == {"E5", "E1", "A5", "E3", "."}
    assert line.play(".").position.seat == 1


def test_a_player_beside_the_ram_keeps_the_power_for_the_turn_it_gave() -> None:
    line = Line(f"{TOWER}/1/mortal:B4,A1/mortal:E5,E1/ramA5=dionysus").play("B4>C4 C4^C3X")
    assert {step[:2] for step in line.steps} == {"E5", "E1", "."}
    assert line.play("E5>E4 E4^E5").position.lineup.gods == (God.MORTAL, God.MORTAL)


def test_dionysus_takes_no_one_who_stands_on_a_coin() -> None:
    line = Line("00001 00000 00300 00000 00000/1/dionysus:B3,A1/clio[2|E5]:E5,E1").play("B3>B2 B2^C3X")
    assert {step[:2] for step in line.steps} == {"E1", "."}


def test_a_team_takes_such_a_turn_with_the_other_teams_workers() -> None:
    line = Line(f"{TOWER}/3/mortal:B3,A1/mortal:E5,E1/dionysus/mortal").play("B3>B2 B2^C3X")
    assert {step[:2] for step in line.steps} == {"E5", "E1", "."}
    assert line.play("E5>E4 E4^E5").position.seat == 3


# Eros


def test_eros_workers_start_on_opposite_edges() -> None:
    line = Line(santorini.new(Options(Draft.GIVEN, gods=(God.EROS, God.MORTAL)), 2))
    assert len(line.steps) == 16
    assert not line.can("+B2")
    line.play("+B5")
    assert line.steps == {"+A1", "+B1", "+C1", "+D1", "+E1"}
    corner = Line(santorini.new(Options(Draft.GIVEN, gods=(God.EROS, God.MORTAL)), 2)).play("+A5")
    assert corner.steps == {"+A1", "+B1", "+C1", "+D1", "+E1", "+E2", "+E3", "+E4", "+E5"}


def test_eros_places_nowhere_without_a_free_square_across() -> None:
    power = lineup((God.MORTAL, God.EROS)).powers[1]
    full = parse_position("00000 00000 00000 00000 44444/2/mortal:C3,C2/eros")
    assert power.squares(full) == PERIMETER & ~sum(1 << sq(at) for at in ("B5", "C5", "D5"))


def test_eros_wins_by_moving_beside_his_other_worker_both_on_level_one() -> None:
    line = Line("00000 00000 01010 00000 00000/1/eros:A3,D3/mortal:E5,E1").play("A3>B3")
    assert line.winners is None  # not beside it yet
    line = Line("00000 00000 00110 00000 00000/1/eros:B3,D3/mortal:E5,E1").play("B3>C3")
    assert line.winners == (0,)
    assert line.events[-1] == Won((0,), Termination.POWER, God.EROS)


def test_eros_wins_also_by_stepping_down_or_staying_beside() -> None:
    assert Line("00000 00000 02110 00000 00000/1/eros:B3,D3/mortal:E5,E1").play("B3>C3").winners == (0,)
    assert Line("00000 00010 00110 00000 00000/1/eros:C3,D3/mortal:E5,E1").play("C3>D4").winners == (0,)


def test_both_must_be_on_level_one_with_two_players_and_on_one_level_with_three() -> None:
    for heights, two, three in (("00000", None, (0,)), ("01220", None, (0,)), ("00120", None, None)):
        start = f"00000 00000 {heights} 00000 00000/1/eros:B3,D3/mortal:E5,E1"
        assert Line(start).play("B3>C3").winners == two
        assert Line(f"{start}/mortal:A1,A5").play("B3>C3").winners == three
    assert Line("00000 00000 00110 00000 00000/1/eros:B3,D3/mortal:E5,E1/mortal:A1,A5").play("B3>C3").winners == (0,)


def test_eros_needs_exactly_two_workers() -> None:
    assert Line("00000 00000 00110 00000 00000/1/eros:B3,D3,A1/mortal:E5,E1").play("B3>C3").winners is None
    assert Line("00000 00000 00110 00000 00000/1/eros:B3/mortal:E5,E1").play("B3>C3").winners is None


def test_being_forced_together_does_not_win() -> None:
    line = Line("00000 00000 00011 00000 00000/2/eros:C3,E3/minotaur:B3,E1").play("B3>C3")
    assert line.winners is None
    assert line.position.workers[0] == (sq("D3"), sq("E3"))


def test_a_foes_move_beside_him_does_not_win_for_eros() -> None:
    assert Line("00000 00000 00110 00000 00000/2/eros:D3,A1/mortal:B3,E1").play("B3>C3").winners is None


def test_eros_is_judged_where_he_moved_to_before_the_harpies_blow() -> None:
    line = Line("00000 00000 01000 01000 00000/1/eros:A4,B2/harpies:E5,E1").play("A4>B3")
    assert line.winners == (0,)


def test_hera_vetoes_eros_on_the_border_only() -> None:
    assert Line("00000 00000 11000 00000 00000/1/eros:A4,B3/hera:E5,E1").play("A4>A3").winners is None
    assert Line("00000 00000 11000 00000 00000/1/eros:B4,A3/hera:E5,E1").play("B4>B3").winners == (0,)


def test_eros_wins_only_in_his_own_turn_not_his_mates() -> None:
    start = "00000 00000 00110 00000 00000/{}/eros:B3,D3/mortal:E5,E1/mortal/mortal"
    assert Line(start.format(1)).play("B3>C3").winners == (0, 2)
    assert Line(start.format(3)).play("B3>C3").winners is None


# Medusa


def test_medusa_turns_lower_neighbouring_foes_into_blocks() -> None:
    line = Line("00000 00000 01000 00000 00000/1/medusa:B3,E1/mortal:A4,E5").play("E1>D1 D1^E1")
    assert line.position.workers[1] == (-1, sq("E5"))
    assert line.position.b1 == 1 << sq("A4") | 1 << sq("B3") | 1 << sq("E1")
    assert Banished(1, 0, sq("A4"), God.MEDUSA) in line.events
    assert Built(0, -1, sq("A4"), 1, False, God.MEDUSA) in line.events


def test_medusa_spares_foes_of_the_same_level_or_higher() -> None:
    line = Line("00000 10000 01000 00000 00000/1/medusa:B3,E1/mortal:A4,E5").play("E1>D1 D1^E1")
    assert line.position.workers[1][0] == sq("A4")


def test_medusa_acts_at_the_end_of_her_own_turn_only() -> None:
    line = Line("00000 00000 01000 00000 00000/2/medusa:B3,E1/mortal:A5,E5").play("A5>A4 A4^A5")
    assert line.position.workers[1][0] == sq("A4")


def test_medusa_acts_in_no_foes_turn_against_a_third() -> None:
    line = Line("00000 00000 01000 00000 00000/2/medusa:B3,E1/mortal:E5,D5/mortal:A4,C5").play("E5>E4 E4^E5")
    assert line.position.workers[2] == (sq("A4"), sq("C5"))


def test_a_foe_left_without_workers_has_lost() -> None:
    line = Line("00000 00000 01000 00000 00000/1/medusa:B3,E1/mortal:A4").play("E1>D1 D1^E1")
    assert line.winners == (0,)
    assert line.position.b1 >> sq("A4") & 1


def test_medusa_turns_all_of_them_beside_any_of_her_workers_in_both_wordings() -> None:
    for printed in (False, True):
        line = Line("00000 00000 01000 00000 00001/1/medusa:B3,E1/mortal:A4,D1", printed=printed)
        line.play("B3>B2 B2^B1")
        assert line.position.workers[1] == (sq("A4"), -1)  # she stepped down from beside A4
        assert line.position.b1 >> sq("D1") & 1


def test_medusas_blocks_may_rise_to_the_level_she_stands_on() -> None:
    line = Line("00000 20000 03000 00000 00000/1/medusa:B3,E1/mortal:A4,E5").play("E1>D1 D1^E1")
    assert line.position.b3 == 1 << sq("A4") | 1 << sq("B3")


def test_medusa_takes_the_workers_of_every_foe() -> None:
    line = Line("00000 00000 01000 00000 00000/1/medusa:B3,E1/mortal:A4,E5/mortal:A2,E4").play("E1>D1 D1^E1")
    assert line.position.workers[1:] == ((-1, sq("E5")), (-1, sq("E4")))
    gone = Line("00000 00000 01000 00000 00000/1/medusa:B3,E1/mortal:A4,A3/mortal:A2,E4").play("E1>D1 D1^E1")
    assert gone.winners is None
    assert gone.position.seat == 2
    assert gone.position.b1 >> sq("A4") & gone.position.b1 >> sq("A3") & gone.position.b1 >> sq("A2") & 1


def test_a_card_that_medusa_eliminated_draws_no_more() -> None:
    start = "00000 00000 01300 00000 00000/1/medusa:B3,D2/chaos+pan{256}:A4/mortal:E5,E4"
    line = Line(start).play("D2>D3 D3^C3X")
    assert line.position.seat == 2


def test_medusa_does_not_touch_who_stands_where_she_may_not_target() -> None:
    start = "00000 20000 03000 00000 00000/1/medusa:B3,E1/clio[2|A4]:A4,E5"
    assert Line(start).play("E1>D1 D1^E1").position.workers[1] == (sq("A4"), sq("E5"))
