"""The gods of the Golden Fleece that bar the way: every sentence about them and their rulings [2.3, 3]."""

from __future__ import annotations

import pytest

from boardwire.errors import Malformed
from boardwire.games import santorini
from boardwire.games.santorini.events import Aimed, TokenPlaced, TokenTaken
from boardwire.games.santorini.kinds import Kind
from boardwire.games.santorini.line import Line
from boardwire.games.santorini.options import Draft, Options, Wording
from boardwire.games.santorini.powers.catalogue import God
from boardwire.games.santorini.squares import parse_square as sq

FLAT = "00000 00000 00000 00000 00000"
WINDS = {"@n", "@ne", "@e", "@se", "@s", "@sw", "@w", "@nw"}


def targets(line: Line, frm: str) -> set[str]:
    """Where the worker on a square may move."""
    return {step[3:] for step in line.steps if step.startswith(f"{frm}>")}


def builds(line: Line, by: str) -> set[str]:
    """What the worker on a square may build, and where."""
    return {step[3:] for step in line.steps if step.startswith(f"{by}^")}


# Aeolus


def test_aeolus_may_set_the_wind_at_the_end_of_his_turn() -> None:
    line = Line(f"{FLAT}/1/aeolus:B3,A1/mortal:E5,E1").play("B3>C3 C3^B3")
    assert line.steps == WINDS | {"."}
    line.play("@ne")
    assert Aimed(0, 1, God.AEOLUS) in line.events
    assert str(line).split("/")[2] == "aeolus[ne]:C3,A1"
    assert line.position.seat == 1
    assert str(Line(f"{FLAT}/1/aeolus:B3,A1/mortal:E5,E1").play("B3>C3 C3^B3 .")).split("/")[2] == "aeolus:C3,A1"


def test_aeolus_may_only_take_back_a_wind_that_blows() -> None:
    line = Line(f"{FLAT}/1/aeolus[ne]:B3,A1/mortal:E5,E1").play("B3>B4 B4^B3")
    assert line.steps == {"@-", "."}
    line.play("@-")
    assert Aimed(0, None, God.AEOLUS) in line.events
    assert "[" not in str(line)


def test_no_one_moves_straight_against_the_wind() -> None:
    every = {"B4", "C4", "D4", "B3", "D3", "B2", "C2", "D2"}
    for wind, barred in (("n", "C4"), ("ne", "D4"), ("e", "D3"), ("se", "D2"), ("s", "C2"), ("sw", "B2"), ("w", "B3"),
                         ("nw", "B4")):  # fmt: skip
        assert targets(Line(f"{FLAT}/2/aeolus[{wind}]:A5,A1/mortal:C3,E1"), "C3") == every - {barred}
        assert targets(Line(f"{FLAT}/1/aeolus[{wind}]:C3,A1/mortal:E5,E1"), "C3") == every - {barred}


def test_the_wind_bars_moves_but_neither_builds_nor_force() -> None:
    line = Line(f"{FLAT}/2/aeolus[e]:C3,A1/minotaur:B2,E1").play("B2>B3")
    assert "C3" not in targets(line, "B3")
    assert "C4" in builds(line, "B3")
    line = Line(f"{FLAT}/2/aeolus[ne]:C3,A1/minotaur:C2,E1").play("C2>C3")  # pushed north
    assert line.position.workers[0][0] == sq("C4")


def test_a_way_over_the_edge_can_be_against_the_wind_too() -> None:
    assert "A3" not in targets(Line(f"{FLAT}/2/aeolus[e]:C3,A1/urania:E3,D1"), "E3")
    assert "A3" in targets(Line(f"{FLAT}/2/aeolus[w]:C3,A1/urania:E3,D1"), "E3")
    assert "A1" not in targets(Line(f"{FLAT}/2/aeolus[ne]:C3,B1/urania:E5,D1"), "E5")


def test_who_can_only_go_against_the_wind_has_lost() -> None:
    assert Line("00222 22222 00000 00000 00000/2/aeolus[e]:C3,C1/mortal:A5").winners == (0,)
    assert Line("00222 22222 00000 00000 00000/2/aeolus[w]:C3,C1/mortal:A5").winners is None


def test_the_wind_blows_for_all_of_three_and_for_teams_and_leaves_with_aeolus() -> None:
    fen = f"{FLAT}/{{}}/aeolus[e]:A5,A1/mortal:B5,B1/mortal:C3,C1"
    assert "D3" not in targets(Line(fen.format(3)), "C3")
    position, _ = santorini.forfeit(Line(fen.format(3)).position, 0)
    assert "D3" in targets(Line(position), "C3")
    teams = f"{FLAT}/{{}}/mortal:A5,A1/mortal:C3,C1/aeolus[e]/mortal"
    assert "B5" not in targets(Line(teams.format(1)), "A5")
    assert "D3" not in targets(Line(teams.format(4)), "C3")


def test_printed_aeolus_sets_the_wind_in_the_set_up_and_turns_it_every_turn() -> None:
    options = Options(Draft.GIVEN, gods=(God.AEOLUS, God.MORTAL), wording=Wording.PRINTED)
    line = Line(santorini.new(options, 2)).play("+C3 +C2 +A1 +E1")
    decision = line.position.decision
    assert decision is not None
    assert (decision.kind, decision.seats) == (Kind.PREPARE, (0,))
    assert line.steps == WINDS
    line.play("@w")
    assert Aimed(0, 6, God.AEOLUS) in line.events
    assert "B3" not in targets(line, "C3")
    line.play("C3>D3 D3^C3")
    assert line.steps == WINDS - {"@w"} | {"."}
    line.play("@n")
    assert not line.can("A1>A2")


def test_revised_aeolus_has_no_wind_in_the_set_up() -> None:
    line = Line(santorini.new(Options(Draft.GIVEN, gods=(God.AEOLUS, God.MORTAL)), 2)).play("+C3 +C2 +A1 +E1")
    assert "B3" in targets(line, "C3")


@pytest.mark.parametrize("data", ["x", "nn", "1"])
def test_only_a_direction_is_a_wind(data: str) -> None:
    with pytest.raises(Malformed):
        Line(f"{FLAT}/1/aeolus[{data}]:B3,A1/mortal:E5,E1")


# Clio


def test_each_of_clios_first_three_blocks_gets_a_coin() -> None:
    line = Line(f"{FLAT}/1/clio:B3,A1/mortal:E5,E1").play("B3>C3 C3^B3")
    assert TokenPlaced(0, sq("B3"), God.CLIO) in line.events
    assert str(line).split("/")[2] == "clio[2|B3]:C3,A1"
    line = Line(f"{FLAT}/1/clio[1|B3,B4]:C3,A1/mortal:E5,E1").play("C3>C2 C2^C3")
    assert str(line).split("/")[2] == "clio[0|B4,B3,C3]:C2,A1"
    line.play("E5>E4 E4^E5 C2>D2 D2^C2")
    assert str(line).split("/")[2] == "clio[0|B4,B3,C3]:D2,A1"


def test_a_block_on_a_coin_uses_up_another_coin() -> None:
    line = Line("00000 00000 01000 00000 00000/1/clio[2|B3]:C3,A1/mortal:E5,E1").play("C3>C2 C2^B3")
    assert str(line).split("/")[2] == "clio[1|B3]:C2,A1"


def test_a_dome_is_no_block_and_a_foes_block_is_not_hers() -> None:
    line = Line("00000 00000 03000 00000 00000/1/clio:C3,A1/mortal:E5,E1").play("C3>C2 C2^B3X")
    assert "[" not in str(line)
    line.play("E5>E4 E4^E5")
    assert "[" not in str(line)


def test_foes_treat_coins_as_domes() -> None:
    line = Line("00000 01000 00000 00000 00000/2/clio[2|B4]:E5,A1/mortal:B3,E1")
    assert "B4" not in targets(line, "B3")
    line.play("B3>C3")
    assert "B4" not in builds(line, "C3")
    assert "B3" in builds(line, "C3")


def test_clio_herself_moves_onto_coins_and_builds_on_them() -> None:
    line = Line("00000 01000 00000 00000 00000/1/clio[2|B4]:B3,A1/mortal:E5,E1")
    assert "B4" in targets(line, "B3")
    assert "B4" in builds(line.play("B3>C3"), "C3")


def test_clios_workers_on_a_coin_cannot_be_targeted() -> None:
    board = "00000 01000 00000 00000 00000"
    assert not Line(f"{board}/2/clio[2|B4]:B4,A1/apollo:B3,E1").can("B3>B4")
    assert not Line(f"{board}/2/clio[2|B4]:B4,A1/minotaur:B3,E1").can("B3>B4")
    assert Line(f"{board}/2/clio[2|C4]:B4,A1/minotaur:B3,E1").can("B3>B4")
    siren = Line(f"{board}/2/clio[2|B4]:B4,A1/siren[e]:B2,E1")
    assert not siren.can("B4=>C4")
    assert siren.can("A1=>B1")


def test_no_one_is_forced_onto_a_coin() -> None:
    line = Line("01000 00000 00000 00000 00000/2/clio[2|B5]:B4,A1/minotaur:B3,E1")
    assert not line.can("B3>B4")


def test_what_does_not_target_her_workers_still_reaches_them_on_coins() -> None:
    board = "00000 01000 00000 00000 00000"
    line = Line(f"{board}/1/clio[2|B4]:A4,A1/harpies:E5,E1").play("A4>B4")
    assert line.position.workers[0][0] == sq("E4")
    line = Line(f"{board}/2/clio[2|B4]:B4,A1/hades:E5,E1").play("E5>D5 D5^E5")
    assert targets(line, "B4") == set()


def test_binding_powers_bind_her_workers_on_coins_as_well() -> None:
    board = "00000 01000 00000 00000 00000"
    assert targets(Line(f"{board}/1/clio[2|B4]:B4,A1/hypnus:E5,E1"), "B4") == set()
    hera = Line("02300 00000 00000 00000 00000/1/clio[1|B5,C5]:B5,A1/hera:E5,E1").play("B5>C5")
    assert hera.winners is None
    limus = Line(f"{board}/1/clio[2|B4]:A4,A1/limus:C3,E1").play("A4>B4")
    assert builds(limus, "B4") == {"A5", "B5", "C5", "A4", "A3"}
    persephone = Line("02000 01000 00000 00000 00000/1/clio[2|B4]:A5,A1/persephone:E5,E1")
    assert persephone.steps == {"A5>B4"}
    aphrodite = Line(f"{board}/1/clio[2|B4]:B4,A1/aphrodite:C3,E1")
    assert targets(aphrodite, "B4") == {"C4", "B3"}


def test_a_foe_blown_by_harpies_stops_before_a_coin_and_clio_does_not() -> None:
    line = Line(f"{FLAT}/2/clio[2|D4]:E5,A1/mortal:A4,E1/harpies:C1,C2").play("A4>B4")
    assert line.position.workers[1][0] == sq("C4")
    line = Line(f"{FLAT}/1/clio[2|D4]:A4,A1/mortal:A5,E1/harpies:C1,C2").play("A4>B4")
    assert line.position.workers[0][0] == sq("E4")


def test_coins_bind_every_foe_and_leave_with_an_eliminated_clio() -> None:
    line = Line("00000 01000 00000 00000 00000/3/clio[2|B4]:E5,A1/mortal:A5,E1/mortal:B3,E3")
    assert not line.can("B3>B4")
    position, _ = santorini.forfeit(line.position, 0)
    assert Line(position).can("B3>B4")


@pytest.mark.parametrize("data", ["4|", "3", "x|B3", "1|Z9", "-1|B3", "1|B3|C3"])
def test_only_coins_left_and_squares_describe_clio(data: str) -> None:
    with pytest.raises(Malformed):
        Line(f"{FLAT}/1/clio[{data}]:B3,A1/mortal:E5,E1")


def test_a_position_of_the_rules_page_reads_and_writes_the_same() -> None:
    fen = "0000011000001000000000100/1/aeolus[w]:B3,C2/clio[1|B4,C3]:C3,D3"
    assert str(Line(fen)) == fen
    assert not Line(fen).can("B3>A3")
    assert not Line(fen).can("B3>B4")


# Europa & Talus


def test_europa_may_put_talus_beside_the_worker_that_moved() -> None:
    line = Line(f"{FLAT}/1/europa:A5,E1/mortal:A1,A2").play("A5>B5 B5^A5")
    assert line.steps == {"*A5", "*C5", "*A4", "*B4", "*C4", "."}
    line.play("*B4")
    assert line.position.solid == 1 << sq("B4")
    assert line.position.seat == 1


def test_all_players_treat_talus_as_a_dome() -> None:
    line = Line(f"{FLAT}/2/europa[B4]:B5,E1/mortal:A4,A1")
    assert not line.can("A4>B4")
    line.play("A4>A3")
    assert not line.can("A3^B4")
    line.play("A3^A4")
    assert not line.can("B5>B4")


def test_talus_moves_from_square_to_square() -> None:
    line = Line(f"{FLAT}/1/europa[B4]:A5,E1/mortal:A1,A2").play("A5>B5 B5^A5 *C4")
    assert line.position.solid == 1 << sq("C4")
    assert line.events[-3:-1] == (TokenTaken(0, sq("B4"), God.EUROPA), TokenPlaced(0, sq("C4"), God.EUROPA))


def test_talus_leaves_with_an_eliminated_europa() -> None:
    line = Line(f"{FLAT}/2/europa[B4]:A5,E1/mortal:A1,A2/mortal:C1,C2")
    position, _ = santorini.forfeit(line.position, 0)
    assert position.solid == 0


def test_talus_may_stand_beside_a_worker_in_the_corner() -> None:
    line = Line(f"{FLAT}/1/europa:B5,E1/mortal:A1,A2").play("B5>A5 A5^B5")
    assert line.steps == {"*B5", "*A4", "*B4", "."}


def test_talus_does_not_stand_on_foes_coins_or_beside_a_worker_that_rested() -> None:
    line = Line(f"{FLAT}/1/europa:A5,E1/clio[1|B4,C4]:A1,A2").play("A5>B5 B5^A5")
    assert line.steps == {"*A5", "*C5", "*A4", "."}


def test_europa_may_leave_talus_where_he_is() -> None:
    line = Line(f"{FLAT}/1/europa[B4]:A5,E1/mortal:A1,A2").play("A5>B5 B5^A5")
    assert not line.can("*B4")
    line.play(".")
    assert line.position.solid == 1 << sq("B4")


def test_talus_stops_the_wind_of_harpies_and_a_push() -> None:
    line = Line(f"{FLAT}/2/harpies:E5,E1/europa[D4]:A4,A1").play("A4>B4")
    assert line.position.workers[1][0] == sq("C4")
    assert not Line(f"{FLAT}/2/europa[D4]:C4,A1/minotaur:B4,E1").can("B4>C4")


def test_only_a_square_can_hold_talus() -> None:
    with pytest.raises(Malformed):
        Line(f"{FLAT}/1/europa[Q]:A5,E1/mortal:A1,A2")


# Hades


def test_foes_of_hades_cannot_move_down() -> None:
    line = Line("00000 00000 12100 00000 00000/1/mortal:B3,E1/hades:E5,D5")
    assert line.steps == {"E1>D1", "E1>D2", "E1>E2"}  # all around B3 is lower
    line = Line("00000 11000 11100 00000 00000/1/mortal:B3,E1/hades:E5,D5")
    assert {step for step in line.steps if step.startswith("B3")} == {"B3>A4", "B3>B4", "B3>A3", "B3>C3"}


def test_foes_of_hades_may_climb_and_stay_level_from_every_height() -> None:
    line = Line("00000 00000 02300 20000 00000/1/mortal:B3,E1/hades:E5,D5")
    assert {step for step in line.steps if step.startswith("B3")} == {"B3>C3", "B3>A2"}
    line = Line("00000 00000 03300 20000 00000/1/mortal:B3,E1/hades:E5,D5")
    assert {step for step in line.steps if step.startswith("B3")} == {"B3>C3"}


def test_a_foe_of_hades_whose_every_way_leads_down_has_lost() -> None:
    assert Line("00000 00000 01000 00000 00000/1/mortal:B3/hades:E5,D5").winners == (1,)


def test_hades_himself_moves_down() -> None:
    assert Line("00000 00000 01000 00000 00000/1/hades:B3/mortal:E5,D5").can("B3>A3")


def test_being_forced_down_by_hades_foe_is_no_move() -> None:
    line = Line("00000 00000 11000 00000 00000/1/minotaur:A3,A1/hades:B3,E5").play("A3>B3")
    assert line.position.workers[1][0] == sq("C3")


def test_a_foe_that_moves_hades_worker_may_move_it_down() -> None:
    line = Line("00000 00000 01000 00000 00000/1/eris:A1,A2/hades:B3,E5")
    assert line.can("B3>C3")


def test_hades_covers_every_foe_of_three_but_goes_when_he_is_eliminated() -> None:
    fen = "10000 00000 00000 00000 10000/{}/hades:E5,D5/mortal:A5,E1/mortal:A1,D1"
    assert not Line(fen.format(2)).can("A5>A4")
    line = Line(fen.format(3))
    assert not line.can("A1>A2")
    position, _ = santorini.forfeit(line.position, 0)
    assert Line(position).can("A1>A2")


def test_hades_team_mate_moves_down() -> None:
    fen = "10000 00000 00000 00000 10000/{}/mortal:A5,E1/mortal:A1,D1/hades/mortal"
    assert Line(fen.format(1)).can("A5>A4")
    assert not Line(fen.format(2)).can("A1>A2")
    assert Line(fen.format(3)).can("A5>A4")
    assert not Line(fen.format(4)).can("A1>A2")
