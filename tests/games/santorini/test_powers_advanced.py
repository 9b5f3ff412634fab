"""The advanced gods: a case for every sentence of the rules page (1.7, numbers 11 to 30) and its bracketed cases."""

from __future__ import annotations

from boardwire.games import santorini
from boardwire.games.game import CHANCE
from boardwire.games.santorini.events import Banished, Built, PowerChanged, Won
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


# Chronus


FOUR = "44440 00300 00000 00000 00000"


def test_chronus_wins_when_the_fifth_tower_is_complete() -> None:
    line = Line(f"{FOUR}/1/chronus:B3,A1/mortal:E2,E1").play("B3>C3 C3^C4X")
    assert line.winners == (0,)
    assert line.events[-1] == Won((0,), "power", God.CHRONUS)


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
