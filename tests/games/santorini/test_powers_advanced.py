"""The advanced gods: a case for every sentence of the rules page (1.7, numbers 11 to 30) and its bracketed cases."""

from __future__ import annotations

from boardwire.games import santorini
from boardwire.games.game import CHANCE
from boardwire.games.santorini.events import Banished, Built, PowerChanged
from boardwire.games.santorini.line import Line
from boardwire.games.santorini.options import Draft, Options
from boardwire.games.santorini.powers.catalogue import God
from boardwire.games.santorini.squares import parse_square as sq

FLAT = "00000 00000 00000 00000 00000"


# Chaos


def test_chaos_begins_with_a_simple_god_by_lot_that_nobody_else_has() -> None:
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


# Hera


def test_foes_cannot_win_by_moving_onto_the_perimeter() -> None:
    line = Line("23000 00000 00000 00000 00000/1/mortal:A5,A1/hera:E5,E4").play("A5>B5")
    assert line.winners is None
    assert line.can("B5^A5")  # the turn goes on with a build


def test_foes_of_hera_win_inside() -> None:
    assert Line("00000 02300 00000 00000 00000/1/mortal:B4,A1/hera:E5,E4").play("B4>C4").winners == (0,)


def test_hera_herself_wins_on_the_perimeter() -> None:
    assert Line("23000 00000 00000 00000 00000/1/hera:A5,A1/mortal:E5,E4").play("A5>B5").winners == (0,)


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


def test_a_foe_left_without_workers_has_lost() -> None:
    line = Line("00000 00000 01000 00000 00000/1/medusa:B3,E1/mortal:A4").play("E1>D1 D1^E1")
    assert line.winners == (0,)
    assert line.position.b1 >> sq("A4") & 1


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


# Poseidon


def test_the_resting_worker_on_the_ground_may_build_up_to_three_times() -> None:
    line = Line(f"{FLAT}/1/poseidon:A5,E1/mortal:A1,A2").play("A5>B5 B5^A5")
    assert line.steps == {"E1^E2", "E1^D1", "E1^D2", "."}
    line.play("E1^E2 E1^E2 E1^D1")
    assert line.position.seat == 1
    assert Line(f"{FLAT}/1/poseidon:A5,E1/mortal:A1,A2").play("A5>B5 B5^A5 E1^E2 .").position.seat == 1


def test_the_resting_worker_does_not_build_from_higher_up() -> None:
    line = Line("00000 00000 00000 00000 00001/1/poseidon:A5,E1/mortal:A1,A2").play("A5>B5 B5^A5")
    assert line.position.seat == 1


def test_poseidon_needs_exactly_two_workers() -> None:
    assert Line(f"{FLAT}/1/poseidon:A5/mortal:A1,A2").play("A5>B5 B5^A5").position.seat == 1
    assert Line(f"{FLAT}/1/poseidon:A5,E1,E5/mortal:A1,A2").play("A5>B5 B5^A5").position.seat == 1
