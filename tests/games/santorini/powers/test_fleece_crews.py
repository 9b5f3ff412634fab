"""The gods of the Golden Fleece about who takes part: every sentence about them and their rulings [2.3, 3]."""

from __future__ import annotations

from boardwire.games import santorini
from boardwire.games.santorini.events import Cancelled, Declined, WorkerPlaced, show
from boardwire.games.santorini.kinds import Kind
from boardwire.games.santorini.line import Line
from boardwire.games.santorini.options import Draft, Options
from boardwire.games.santorini.powers.catalogue import God
from boardwire.games.santorini.squares import parse_square as sq

FLAT = "00000 00000 00000 00000 00000"


def targets(line: Line, frm: str) -> set[str]:
    """Where the worker on a square may move."""
    return {step[3:] for step in line.steps if step.startswith(f"{frm}>")}


def builders(line: Line) -> set[str]:
    """Who may build."""
    return {step[:2] for step in line.steps if "^" in step}


# Gaea

TOWER = "00000 00000 00300 00000 00000"


def test_gaea_may_at_once_place_a_spare_worker_beside_a_dome_she_built() -> None:
    line = Line(f"{TOWER}/1/gaea:A3,A1/mortal:E5,E1").play("A3>B3 B3^C3X")
    decision = line.position.decision
    assert decision is not None
    assert (decision.kind, decision.seats) == (Kind.REPLY, (0,))
    assert line.steps == {"+B4", "+C4", "+D4", "+D3", "+B2", "+C2", "+D2", "."}
    line.play("+D4")
    assert line.events[0] == WorkerPlaced(0, 0, 2, sq("D4"), God.GAEA)
    assert line.position.workers[0] == (sq("B3"), sq("A1"), sq("D4"))
    assert line.position.seat == 1
    assert str(line).split("/")[2] == "gaea[1]:B3,A1,D4"


def test_gaea_places_when_a_foe_builds_a_dome_and_the_turn_goes_on() -> None:
    line = Line(f"{TOWER}/2/gaea:A3,A1/demeter:B4,E1").play("B4>B3 B3^C3X")
    assert line.position.decision is not None
    assert line.position.decision.seats == (0,)
    line.play("+B4")
    assert line.position.workers[0] == (sq("A3"), sq("A1"), sq("B4"))
    assert line.can("B3^B2")  # Demeter's second build
    assert not line.can("B3^B4")


def test_gaea_may_decline() -> None:
    line = Line(f"{TOWER}/2/gaea:A3,A1/mortal:B4,E1").play("B4>B3 B3^C3X .")
    assert line.events[-2] == Declined(0)
    assert line.position.seat == 0
    assert "[" not in str(line)


def test_gaea_has_two_spare_workers() -> None:
    line = Line(f"{TOWER}/2/gaea[1]:A3,A1,A5/mortal:B4,E1").play("B4>B3 B3^C3X +C4")
    assert str(line).split("/")[2] == "gaea[0]:A3,A1,A5,C4"
    line = Line(f"{TOWER}/2/gaea[0]:A3,A1,A5,A4/mortal:B4,E1").play("B4>B3 B3^C3X")
    assert line.position.seat == 0


def test_gaeas_new_worker_stands_on_free_ground_beside_the_dome() -> None:
    board = "00000 01000 01310 00040 00000"
    line = Line(f"{board}/1/gaea:C4,A1/mortal:C2,E1").play("C4>D4 D4^C3X")
    assert line.steps == {"+C4", "+B2", "."}
    full = Line("00000 01110 01310 01110 00000/1/gaea:B4,A1/mortal:E5,E1").play("B4>B3 B3^C3X")
    assert full.position.seat == 1


def test_a_block_brings_no_worker_and_a_low_dome_does() -> None:
    assert Line(f"{FLAT}/1/gaea:A3,A1/mortal:E5,E1").play("A3>B3 B3^C3").position.seat == 1
    assert Line(f"{FLAT}/2/gaea:A3,A1/atlas:D5,E1").play("D5>D4 D4^C3X").can("+C4")


def test_gaea_treats_foes_coins_as_domes_when_she_places() -> None:
    line = Line(f"{TOWER}/2/gaea:A3,A1/clio[1|B4,C4]:D5,E1").play("D5>D4 D4^C3X")
    assert line.steps == {"+B3", "+D3", "+B2", "+C2", "+D2", "."}


def test_gaea_places_in_the_turn_of_each_foe_of_three() -> None:
    line = Line(f"{TOWER}/2/mortal:E3,E1/mortal:B4,B1/gaea:A3,A1").play("B4>B3 B3^C3X +C4 A3>A4")
    assert line.position.seat == 2
    gone = Line(f"{TOWER}/2/mortal:E3,E1/mortal:B4,B1/gaea:A3,A1").play("B4>B3 B3^C3X")
    position, _ = santorini.forfeit(gone.position, 2)
    assert position.seat == 0
    assert position.decision is not None
    assert position.decision.seats == (0,)


def test_gaea_is_not_told_where_hidden_workers_stand_and_runs_into_them() -> None:
    one = Line(f"{TOWER}/2/gaea:A3,A1/hecate:B4,C4").play("B4>B3 B3^C3X")
    other = Line(f"{TOWER}/2/gaea:A3,A1/hecate:B4,E5").play("B4>B3 B3^C3X")
    assert one.steps == other.steps >= {"+C4", "+B3"}
    assert santorini.view(one.position, 0) == santorini.view(other.position, 0)
    one.play("+C4")
    assert one.events[0] == Cancelled(0)
    assert str(one).split("/")[2] == "gaea:A3,A1"
    assert one.position.seat == 0
    other.play("+C4")
    assert other.position.workers[0][2] == sq("C4")
    assert show(other.events[0], 0) == other.events[0]


def test_gaea_is_also_asked_where_only_a_hidden_worker_stands_on_the_ground() -> None:
    board = "00000 00110 01310 01110 00000"
    line = Line(f"{board}/2/gaea:A3,A1/hecate:D4,B4").play("D4>D3 D3^C3X")
    assert line.steps == {"+B4", "."}


# Graeae


def test_graeae_have_three_workers() -> None:
    line = Line(santorini.new(Options(Draft.GIVEN, gods=(God.GRAEAE, God.MORTAL)), 2)).play("+A1 +A3 +A5")
    decision = line.position.decision
    assert decision is not None
    assert decision.seats == (1,)
    line.play("+E1 +E5")
    assert line.position.workers[0] == (sq("A1"), sq("A3"), sq("A5"))
    assert line.position.setup is None


def test_one_of_graeae_that_did_not_move_must_build() -> None:
    line = Line(f"{FLAT}/1/graeae:A1,A3,A5/mortal:E5,E1").play("A3>B3")
    assert builders(line) == {"A1", "A5"}
    assert line.play("A5^A4").position.seat == 1


def test_graeae_that_were_removed_neither_move_nor_build() -> None:
    line = Line("00000 00000 01000 00000 00000/2/graeae:A4,A1,D1/medusa:B3,E5").play("E5>D5 D5^E5 A1>B1")
    assert line.position.workers[0] == (-1, sq("B1"), sq("D1"))
    assert builders(line) == {"D1"}


def test_printed_graeae_choose_freely_who_builds() -> None:
    line = Line(f"{FLAT}/1/graeae:A1,A3,A5/mortal:E5,E1", printed=True).play("A3>B3")
    assert builders(line) == {"A1", "B3", "A5"}


def test_graeae_do_not_move_where_no_resting_worker_could_build() -> None:
    board = "00444 44444 44444 44400 44404"
    line = Line(f"{board}/1/graeae:A5,E2/mortal:D1")
    assert targets(line, "A5") == {"B5"}  # E2 builds on D2
    assert targets(line, "E2") == {"D2"}  # A5 builds on B5
    assert Line(f"{board}/1/graeae:A5/mortal:E2").winners == (1,)  # no one rests
    assert Line(f"{board}/1/graeae:A5/mortal:E2", printed=True).winners is None


def test_a_site_taken_by_the_mover_does_not_count() -> None:
    # the resting worker on C5 has only B5 and D5; the mover may take neither of them if the other is taken
    board = "00044 44444 44444 44444 44440"
    line = Line(f"{board}/1/graeae:A5,C5/mortal:E1")
    assert line.winners == (1,)
    board = "00004 44444 44444 44444 44440"
    line = Line(f"{board}/1/graeae:A5,C5/mortal:E1")
    assert targets(line, "A5") == {"B5"}
    assert targets(line, "C5") == {"D5"}  # from B5 there would be no site left for A5


def test_graeae_do_not_move_where_harpies_would_blow_them_onto_the_last_site() -> None:
    fen = "00000 44444 44444 44444 44440/1/graeae:B5,E5/{}:E1"
    assert "C5" not in targets(Line(fen.format("harpies")), "B5")  # on to D5, the only site of E5
    assert "C5" in targets(Line(fen.format("mortal")), "B5")


# Terpsichore


def test_all_workers_of_terpsichore_must_move_and_then_all_must_build() -> None:
    line = Line(f"{FLAT}/1/terpsichore:A5,E1/mortal:A1,E5").play("A5>B5")
    assert builders(line) == set()
    assert line.steps == {"E1>D1", "E1>D2", "E1>E2"}
    line.play("E1>D1")
    assert builders(line) == {"B5", "D1"}
    assert not any(">" in step for step in line.steps)
    line.play("D1^E1")
    assert builders(line) == {"B5"}
    assert "." not in line.steps
    line.play("B5^A5")
    assert line.position.seat == 1
    assert line.position.b1 == 1 << sq("E1") | 1 << sq("A5")


def test_both_may_build_on_the_same_square() -> None:
    line = Line(f"{FLAT}/1/terpsichore:A5,C5/mortal:A1,E5").play("A5>A4 C5>C4 A4^B4 C4^B4")
    assert line.position.b2 == 1 << sq("B4")


def test_either_worker_may_begin_and_the_first_may_win_at_once() -> None:
    line = Line("00000 00000 00000 00000 00023/1/terpsichore:A5,D1/mortal:A1,E5").play("D1>E1")
    assert line.winners == (0,)
    second = Line("00000 00000 00000 00000 00023/1/terpsichore:A5,D1/mortal:A1,E5").play("A5>A4 D1>E1")
    assert second.winners == (0,)


def test_a_single_worker_moves_and_builds() -> None:
    line = Line(f"{FLAT}/1/terpsichore:A5/mortal:A1,E5").play("A5>B5 B5^A5")
    assert line.position.seat == 1


def test_a_removed_worker_need_neither_move_nor_build() -> None:
    line = Line("00000 00000 01000 00000 00000/2/terpsichore:A4,D1/medusa:B3,E5").play("E5>D5 D5^E5 D1>C1 C1^D1")
    assert line.position.workers[0] == (-1, sq("C1"))
    assert line.position.seat == 1


def test_terpsichore_loses_when_one_of_her_workers_cannot_move() -> None:
    board = "04000 44000 00000 00000 00000"
    assert Line(f"{board}/1/terpsichore:A5,E1/mortal:A1,E5").winners == (1,)


def test_a_step_after_which_the_other_could_not_move_is_not_offered() -> None:
    # A5 can only go to B4
    board = "04000 40000 00000 00000 00000"
    line = Line(f"{board}/1/terpsichore:A5,C3/mortal:A1,E5")
    assert "B4" not in targets(line, "C3")
    assert targets(line, "A5") == {"B4"}


def test_a_worker_may_first_make_room_for_the_other() -> None:
    line = Line("00004 44444 44444 44444 44440/1/terpsichore:A5,B5/mortal:E1")
    assert line.steps == {"B5>C5"}
    line.play("B5>C5 A5>B5 C5^D5 B5^A5")
    assert line.position.seat == 1


def test_moves_after_which_not_both_could_build_are_not_offered() -> None:
    assert Line("00044 44444 44444 44444 44440/1/terpsichore:A5,B5/mortal:E1").winners == (1,)
    line = Line("00044 04444 44444 44444 44440/1/terpsichore:A5,B5/mortal:E1").play("B5>C5")
    assert line.steps == {"A5>A4"}  # from B5 it would take the only site of C5


def test_a_dome_on_the_others_last_site_is_not_offered() -> None:
    line = Line("00004 34444 44444 44444 44440/1/terpsichore:B5,C5/mortal:E1").play("B5>A5 C5>B5")
    assert line.steps == {"A5^A4X", "B5^C5"}
    line.play("B5^C5 A5^A4X")
    assert line.position.seat == 1


def test_limits_and_winds_of_foes_are_looked_ahead_too() -> None:
    assert Line(f"{FLAT}/2/limus:B4,E5/terpsichore:A5,E1").winners == (0,)  # nothing can be built around A5
    fen = "00000 44444 44444 44444 44440/1/terpsichore:B5,E5/{}:E1"
    assert "C5" not in targets(Line(fen.format("harpies")), "B5")  # blown on to D5, it would shut in E5
    assert "C5" in targets(Line(fen.format("mortal")), "B5")


def test_foes_of_terpsichore_move_and_build_with_one_worker() -> None:
    line = Line(f"{FLAT}/2/terpsichore:A5,E1/mortal:A1,E5").play("A1>B1 B1^A1")
    assert line.position.seat == 0


def test_persephone_makes_one_of_the_workers_climb() -> None:
    line = Line("01000 00000 00000 00000 00000/1/terpsichore:A5,E1/persephone:A1,E5")
    assert line.can("E1>D1")  # the other can still climb
    line.play("E1>D1")
    assert line.steps == {"A5>B5"}
    line = Line("01000 00000 00000 00000 00000/1/terpsichore:A5,E1/persephone:A1,E5")
    assert targets(line, "A5") == {"B5"}
    assert len(targets(line.play("A5>B5"), "E1")) == 3


def test_terpsichore_obeys_what_binds_moves() -> None:
    line = Line("01000 00000 00000 00000 00010/2/athena[^]:A1,E5/terpsichore:A5,E1")
    assert "B5" not in targets(line, "A5")
    line.play("A5>A4")
    assert "D1" not in targets(line, "E1")
    assert Line("00000 00000 00000 00000 00001/2/hades:A1,E5/terpsichore:A5,E1").winners == (0,)


def test_a_team_dances_with_its_shared_workers() -> None:
    line = Line(f"{FLAT}/3/mortal:A5,E1/mortal:A1,E5/terpsichore/mortal").play("A5>B5 E1>D1 B5^A5 D1^E1")
    assert line.position.seat == 3


def test_gaea_may_interrupt_the_builds() -> None:
    line = Line("30000 00000 00000 00000 00000/1/terpsichore:B5,E1/gaea:A1,E5").play("B5>B4 E1>D1 B4^A5X +A4")
    assert line.position.decision is not None
    assert line.position.decision.seats == (0,)
    assert builders(line) == {"D1"}


# Urania


def test_uranias_workers_move_over_edges_and_corners() -> None:
    line = Line(f"{FLAT}/1/urania:A5,C3/mortal:D2,D3")
    assert {step[3:] for step in line.steps if step.startswith("A5")} == {
        "B5", "A4", "B4", "E5", "E4", "A1", "B1", "E1",
    }  # fmt: skip
    line = Line(f"{FLAT}/1/urania:C1,C3/mortal:D2,D3")
    assert {step[3:] for step in line.steps if step.startswith("C1")} == {
        "B1", "D1", "B2", "C2", "B5", "C5", "D5",
    }  # fmt: skip


def test_urania_builds_over_edges_and_corners() -> None:
    line = Line(f"{FLAT}/1/urania:B5,C3/mortal:E1,D3").play("B5>A5")
    assert {step[3:] for step in line.steps} == {"B5", "A4", "B4", "E5", "E4", "A1", "B1"}


def test_uranias_way_over_the_edge_keeps_the_height_limit_and_wins() -> None:
    heights = "20000 00000 00000 00000 00003"
    assert Line(f"{heights}/1/urania:A5,C3/mortal:D2,D3").play("A5>E1").winners == (0,)
    assert not Line("10000 00000 00000 00000 00003/1/urania:A5,C3/mortal:D2,D3").can("A5>E1")
    assert not Line("30000 00000 00000 00000 00004/1/urania:A5,C3/mortal:D2,D3").can("A5>E1")


def test_edges_touch_in_uranias_own_turn_only() -> None:
    line = Line(f"{FLAT}/2/urania:A5,C3/mortal:E5,D3")
    assert {step[3:] for step in line.steps if step.startswith("E5")} == {"D5", "D4", "E4"}


def test_uranias_build_over_the_edge_may_be_a_dome() -> None:
    line = Line("00000 00000 00000 00000 00003/1/urania:B5,C3/mortal:C1,D3").play("B5>A5")
    assert line.can("A5^E1X")


def test_terpsichore_builds_first_only_so_that_the_other_can_build_or_the_match_ends() -> None:
    """After A1>A2 her worker on A3 can build nowhere; only the fifth tower, on B1, ends the turn."""
    line = Line("00044 04000 11000 14000 13000/1/terpsichore:A2,A1/chronus:A4,B3").play("A2>A3 A1>A2")
    assert line.steps == {"A2^B1X"}
    assert line.play("A2^B1X").winners == (1,)
