"""The Golden Fleece gods: a case for every sentence of the rules page (1.7, numbers 31 to 45)."""

from __future__ import annotations

from boardwire.games import santorini
from boardwire.games.santorini.events import Cancelled, Eliminated, Forced, Secret, TokenPlaced, TokenTaken, show
from boardwire.games.santorini.kinds import Kind
from boardwire.games.santorini.line import Line
from boardwire.games.santorini.options import Draft, Options
from boardwire.games.santorini.powers.catalogue import God
from boardwire.games.santorini.squares import parse_square as sq

FLAT = "00000 00000 00000 00000 00000"


# Europa & Talus


def test_europa_may_put_talus_beside_the_worker_that_moved() -> None:
    line = Line(f"{FLAT}/1/europa:A5,E1/mortal:A1,A2").play("A5>B5 B5^A5")
    assert line.steps == {"*A5", "*C5", "*A4", "*B4", "*C4", "."}
    line.play("*B4")
    assert line.position.solid == 1 << sq("B4")
    assert line.position.seat == 1


def test_everybody_treats_talus_as_a_dome() -> None:
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


# Harpies


def test_a_foe_that_moved_is_blown_on_to_the_edge() -> None:
    line = Line(f"{FLAT}/1/mortal:A3,A1/harpies:E5,E1").play("A3>B3")
    assert line.position.workers[0][0] == sq("E3")
    assert line.events[1] == Forced(0, 0, 0, sq("B3"), sq("E3"), God.HARPIES)
    assert line.can("E3^D3")


def test_higher_ground_a_piece_or_a_dome_stops_the_wind() -> None:
    for heights, foe in (("00010", "E5"), ("00040", "E5"), ("00000", "D3")):
        line = Line(f"00000 00000 {heights} 00000 00000/1/mortal:A3,A1/harpies:{foe},E1").play("A3>B3")
        assert line.position.workers[0][0] == sq("C3")


def test_the_wind_carries_down_and_lets_the_next_level_stop_it() -> None:
    line = Line("00000 00000 01011 00000 00000/1/mortal:A3,A1/harpies:E5,E1").play("A3>B3")
    assert line.position.workers[0][0] == sq("C3")


def test_the_win_is_judged_before_the_slide() -> None:
    line = Line("00000 00000 23000 00000 00000/1/mortal:A3,A1/harpies:E5,E1").play("A3>B3")
    assert line.winners == (0,)
    assert line.position.workers[0][0] == sq("B3")


def test_harpies_do_not_blow_their_own_workers() -> None:
    line = Line(f"{FLAT}/1/harpies:A3,A1/mortal:E5,E1").play("A3>B3")
    assert line.position.workers[0][0] == sq("B3")


# Hecate


def test_hecate_places_last_and_in_secret() -> None:
    line = Line(santorini.new(Options(Draft.GIVEN, gods=(God.HECATE, God.MORTAL)), 2))
    assert line.position.order == (1, 0)
    line.play("+A1 +A2 +E5 +E4")
    secret = [event for event in line.events if isinstance(event, Secret)]
    assert len(secret) == 2
    assert show(secret[0], 0) == secret[0].event
    assert show(secret[0], 1) is None
    assert show(secret[0], None) is None
    assert santorini.view(line.position, 1).workers == ((-1, -1), (sq("A1"), sq("A2")))
    assert santorini.view(line.position, 0).workers == line.position.workers


def test_a_move_into_a_hidden_worker_is_offered_and_cancelled_with_the_turn() -> None:
    line = Line(f"{FLAT}/1/mortal:A1,A2/hecate:B2,E4")
    assert line.can("A1>B2")
    line.play("A1>B2")
    assert line.events[0] == Cancelled(0)
    assert line.position.seat == 1
    assert line.position.workers == ((sq("A1"), sq("A2")), (sq("B2"), sq("E4")))


def test_a_build_on_a_hidden_worker_is_cancelled_but_the_move_stands() -> None:
    line = Line(f"{FLAT}/1/mortal:A1,A3/hecate:B2,E4").play("A1>A2")
    assert line.can("A2^B2")
    line.play("A2^B2")
    assert line.events[0] == Cancelled(0)
    assert line.position.workers[0][0] == sq("A2")
    assert line.position.b1 == 0


def test_silent_powers_meet_hidden_workers_only_in_the_printed_wording() -> None:
    start = f"{FLAT}/1/minotaur:A1,A5/hecate:B2,E4"
    assert Line(start).play("A1>B2").events[0] == Cancelled(0)
    printed = Line(start, printed=True).play("A1>B2")
    assert printed.position.workers == ((sq("B2"), sq("A5")), (sq("C3"), sq("E4")))


def test_hecates_own_steps_do_not_tell_where_she_is() -> None:
    line = Line(f"{FLAT}/1/hecate:B2,E4/mortal:A1,A2").play("B2>B3")
    before = santorini.view(line.position, 1)
    other = Line(f"{FLAT}/1/hecate:B2,E4/mortal:A1,A2").play("E4>E5")
    assert before == santorini.view(other.position, 1)
    line.play("B3^C3")
    assert [event.by for event in line.events if hasattr(event, "by")] == [-1]


# Tartarus


def abyss(at: str, gods: str = "mortal", heights: str = FLAT) -> Line:
    return Line(f"{heights}/1/{gods}:A1,A5/tartarus[{sq(at)}]:E5,E1")


def test_tartarus_places_first_and_then_hides_an_abyss_on_a_free_square() -> None:
    line = Line(santorini.new(Options(Draft.GIVEN, gods=(God.MORTAL, God.TARTARUS)), 2))
    line.play("+E5 +E1 +A1 +A5")
    decision = santorini.pending(line.position)
    assert decision is not None
    assert (decision.kind, decision.seats) == (Kind.PREPARE, (1,))
    assert not line.can("*A1")
    line.play("*B2")
    assert show(line.events[0], 0) is None
    assert show(line.events[0], 1) == TokenPlaced(1, sq("B2"), God.TARTARUS)
    assert santorini.view(line.position, 0).memos == ((), ())
    assert santorini.view(line.position, 1).memos == ((), (sq("B2"),))
    assert line.position.seat == 1


def test_who_moves_into_the_abyss_loses() -> None:
    line = abyss("B2").play("A1>B2")
    assert line.winners == (1,)
    assert Eliminated(0, "abyss", God.TARTARUS) in line.events


def test_nobody_wins_in_the_abyss() -> None:
    line = abyss("B2", heights="00000 00000 00000 03000 20000").play("A1>B2")
    assert line.winners == (1,)


def test_tartarus_own_worker_falls_too() -> None:
    line = Line(f"{FLAT}/2/mortal:A1,A5/tartarus[{sq('E2')}]:E5,E1").play("E1>E2")
    assert line.winners == (0,)


def test_who_is_forced_into_the_abyss_loses_as_well() -> None:
    line = Line(f"{FLAT}/1/minotaur:C1,A5/tartarus[{sq('E1')}]:D1,E5").play("C1>D1")
    assert line.winners == (0,)


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
