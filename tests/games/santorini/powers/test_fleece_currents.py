"""The gods of the Golden Fleece that carry workers off: every sentence about them and their rulings [2.3, 3]."""

from __future__ import annotations

import pytest

from boardwire.errors import Malformed
from boardwire.games import santorini
from boardwire.games.santorini.events import Aimed, Forced, Moved, Termination, TokenPlaced, TokenTaken, Won
from boardwire.games.santorini.kinds import Kind
from boardwire.games.santorini.line import Line
from boardwire.games.santorini.options import Draft, Options
from boardwire.games.santorini.powers.catalogue import God
from boardwire.games.santorini.squares import parse_square as sq

FLAT = "00000 00000 00000 00000 00000"


def targets(line: Line, frm: str) -> set[str]:
    """Where the worker on a square may move."""
    return {step[3:] for step in line.steps if step.startswith(f"{frm}>")}


# Charybdis


def test_charybdis_may_place_a_whirlpool_on_any_free_square_at_the_end_of_her_turn() -> None:
    line = Line("00004 00000 00000 00000 00000/1/charybdis:A5,A1/mortal:E1,D1").play("A5>B5 B5^A5")
    assert len(line.steps) == 25 - 4 - 1 + 1
    assert not {"*B5", "*A1", "*E1", "*D1", "*E5"} & line.steps
    line.play("*C3")
    assert line.events[-2] == TokenPlaced(0, sq("C3"), God.CHARYBDIS)
    assert str(line).split("/")[2] == "charybdis[C3]:B5,A1"
    assert line.position.seat == 1
    assert str(Line(f"{FLAT}/1/charybdis:A5,A1/mortal:E1").play("A5>B5 B5^A5 .")).split("/")[2] == "charybdis:B5,A1"


def test_there_are_two_whirlpools_on_two_squares() -> None:
    line = Line(f"{FLAT}/1/charybdis[C3]:A5,A1/mortal:E1,D1").play("A5>B5 B5^A5")
    assert not line.can("*C3")
    line.play("*E5")
    assert str(line).split("/")[2] == "charybdis[C3,E5]:B5,A1"
    line.play("D1>C1 C1^D1 B5>B4 B4^B5")
    assert line.position.seat == 1


def test_whirlpools_do_not_lie_on_foes_coins() -> None:
    line = Line(f"{FLAT}/1/charybdis:A5,A1/clio[2|C3]:E1,D1").play("A5>B5 B5^A5")
    assert not line.can("*C3")


def test_a_worker_that_moves_onto_a_whirlpool_is_forced_to_the_other() -> None:
    for fen, side in (
        (f"{FLAT}/2/charybdis[B3,E5]:A1,C1/mortal:A3,E1", 1),
        (f"{FLAT}/1/charybdis[B3,E5]:A3,C1/pan:E1", 0),
    ):
        line = Line(fen).play("A3>B3")
        assert line.position.workers[side][0] == sq("E5")
        assert line.events == (
            Moved(side, side, 0, sq("A3"), sq("B3")),
            Forced(side, side, 0, sq("B3"), sq("E5"), God.CHARYBDIS),
        )
        assert line.can("E5^D5")
        assert not line.can("B3^A3")


def test_it_works_both_ways() -> None:
    line = Line(f"{FLAT}/2/charybdis[B3,E5]:A1,C1/mortal:D5,E1").play("D5>E5")
    assert line.position.workers[1][0] == sq("B3")


def test_a_worker_stays_where_the_other_whirlpool_is_missing_or_not_free() -> None:
    for fen in (
        f"{FLAT}/2/charybdis[B3]:A1,C1/mortal:A3,E1",
        f"{FLAT}/2/charybdis[B3,E5]:A1,E5/mortal:A3,E1",
        f"{FLAT}/2/charybdis[B3,E5]:A1,C1/mortal:A3,E5",
        "00004 00000 00000 00000 00000/2/charybdis[B3,E5]:A1,C1/mortal:A3,E1",
    ):
        assert Line(fen).play("A3>B3").position.workers[1][0] == sq("B3")
    talus = Line(f"{FLAT}/2/charybdis[B3,E5]:A1,C1/europa[E5]:A3,E1").play("A3>B3")
    assert talus.position.workers[1][0] == sq("B3")


def test_a_foes_coin_is_not_free_for_who_must_treat_it_as_a_dome() -> None:
    fen = f"{FLAT}/{{}}/charybdis[B3,E5]:A1,C1/clio[2|E5]:A3,E1/mortal:A4,E2"
    assert Line(fen.format(2)).play("A3>B3").position.workers[1][0] == sq("E5")
    assert Line(fen.format(3)).play("A4>B3").position.workers[2][0] == sq("B3")


def test_the_first_square_cannot_win() -> None:
    line = Line("00000 00000 23000 00000 00000/2/charybdis[B3,E5]:A1,C1/mortal:A3,E1").play("A3>B3")
    assert line.winners is None
    assert line.position.workers[1][0] == sq("E5")
    pan = Line("00000 00000 20000 00000 00000/2/charybdis[B3,E5]:A1,C1/pan:A3,E1").play("A3>B3")
    assert pan.winners is None
    lone = Line("00000 00000 23000 00000 00000/2/charybdis[B3]:A1,C1/mortal:A3,E1").play("A3>B3")
    assert lone.winners == (1,)


def test_the_second_square_wins_as_if_it_had_been_climbed() -> None:
    for start in "012":
        line = Line(f"00003 00000 {start}0000 00000 00000/2/charybdis[B3,E5]:A1,C1/mortal:A3,E1").play("A3>B3")
        assert line.winners == (1,)
        assert line.events[-1] == Won((1,), Termination.CLIMB)
        assert line.position.workers[1][0] == sq("E5")
    own = Line("00003 00000 00000 00000 00000/1/charybdis[B3,E5]:A3,C1/mortal:A1,E1").play("A3>B3")
    assert own.winners == (0,)


def test_the_direction_and_the_corner_of_a_whirlpool_do_not_matter() -> None:
    for heights, pools, move in (
        ("00003 00000 00000 00000 00000", "A3,E5", "A2>A3"),  # north
        ("00000 00000 00000 00000 00003", "A3,E1", "A4>A3"),  # south
        ("30000 00000 00000 00000 00000", "C3,A5", "D4>C3"),
    ):
        for printed in (False, True):
            fen = f"{heights}/2/charybdis[{pools}]:B1,C1/mortal:{move[:2]},D1"
            assert Line(fen, printed).play(move).winners == (1,)
    line = Line("00000 00000 03000 20000 00000/2/charybdis[B3,A5]:B1,C1/mortal:A2,D1").play("A2>B3")
    assert line.winners is None
    assert line.position.workers[1][0] == sq("A5")


def test_who_was_on_level_three_already_does_not_win_on_the_second() -> None:
    assert Line("00003 00000 30000 00000 00000/2/charybdis[B3,E5]:A1,C1/mortal:A3,E1").play("A3>B3").winners is None


def test_the_second_square_wins_only_by_height_and_foes_may_veto() -> None:
    pan = Line("00000 00000 22000 00000 00000/2/charybdis[B3,E5]:A1,C1/pan:A3,E1").play("A3>B3")
    assert pan.winners is None  # two levels down, but by force
    hera = "00003 00000 00000 00030 00000/1/mortal:A3,A1/hera:C1,D1/charybdis[B3,{}]:A5,A4"
    assert Line(hera.format("E5")).play("A3>B3").winners is None
    assert Line(hera.format("D2")).play("A3>B3").winners == (0,)


def test_drawn_through_is_no_climb() -> None:
    line = Line("00002 00000 00000 00000 00000/1/athena:A3,A1/charybdis[B3,E5]:C1,D1").play("A3>B3 E5^D5")
    assert "[^]" not in str(line)


def test_who_is_forced_onto_a_whirlpool_stays() -> None:
    line = Line(f"{FLAT}/2/charybdis[C3,E5]:B3,C1/minotaur:A3,E1").play("A3>B3")
    assert line.position.workers[0][0] == sq("C3")


def test_who_swaps_onto_a_whirlpool_is_drawn() -> None:
    line = Line(f"{FLAT}/2/charybdis[B3,E5]:B3,C1/apollo:A3,E1").play("A3>B3")
    assert line.position.workers == ((sq("A3"), sq("C1")), (sq("E5"), sq("E1")))


def test_a_whirlpool_that_is_built_on_returns_to_the_card() -> None:
    line = Line(f"{FLAT}/2/charybdis[B3,E5]:A1,C1/mortal:A4,E1").play("A4>A3 A3^B3")
    assert TokenTaken(0, sq("B3"), God.CHARYBDIS) in line.events
    assert str(line).split("/")[2] == "charybdis[E5]:A1,C1"
    other = Line(f"{FLAT}/2/charybdis[B3,E5]:A1,C1/mortal:D4,E1").play("D4>D5 D5^E5")
    assert str(other).split("/")[2] == "charybdis[B3]:A1,C1"
    line = Line("00000 00000 03000 00000 00000/1/charybdis[B3,E5]:A4,C1/mortal:A1").play("A4>A3 A3^B3X")
    assert line.can("*B2")


def test_a_whirlpool_that_is_razed_with_its_block_returns_too() -> None:
    line = Line("00000 00000 01000 00000 00000/2/charybdis[B3,E5]:A1,C1/ares:A4,E1").play("E1>E2 E2^E1 ~B3")
    assert str(line).split("/")[2] == "charybdis[E5]:A1,C1"
    line = Line("00000 00000 01100 00000 00000/2/charybdis[B3,E5]:A1,C1/ares:B4,E1").play("E1>E2 E2^E1 ~C3")
    assert str(line).split("/")[2] == "charybdis[B3,E5]:A1,C1"


def test_a_way_through_to_where_nothing_can_be_built_is_not_offered() -> None:
    board = "00040 00044 00000 00000 00000"
    for fen in (
        f"{board}/1/charybdis[B3,E5]:A3,C1/mortal:A1,E1",
        f"{board}/1/mortal:A3,E1/charybdis[B3,E5]:A1,C1",
        f"{board}/1/mortal:A3,E1/mortal:A1,C1/charybdis[B3,E5]/mortal",
    ):
        assert "B3" not in targets(Line(fen), "A3")
        assert "B3" in targets(Line(fen.replace("00040 00044", "00040 00004")), "A3")
    won = Line("00043 00044 00000 00000 00000/1/mortal:A3,E1/charybdis[B3,E5]:A1,C1").play("A3>B3")
    assert won.winners == (0,)


def test_harpies_blow_on_who_came_through_the_whirlpools() -> None:
    line = Line(f"{FLAT}/1/charybdis[B3,B5]:A3,C1/harpies:A1,E1").play("A3>B3")
    assert line.position.workers[0][0] == sq("E5")


def test_a_worker_blown_off_a_whirlpool_is_not_drawn() -> None:
    line = Line(f"{FLAT}/1/mortal:A3,E1/harpies:A1,D1/charybdis[B3,E5]:C1,C2").play("A3>B3")
    assert line.position.workers[0][0] == sq("E3")


def test_a_worker_that_fell_into_an_abyss_is_carried_no_further() -> None:
    line = Line(f"{FLAT}/1/mortal:A3,E1/tartarus[B3]:A1,D1/harpies:C1,C2").play("A3>B3")
    assert line.position.workers[0] == (-1, -1)
    line = Line(f"{FLAT}/1/mortal:A3,E1/tartarus[B3]:A1,D1/charybdis[B3,E5]:C1,C2").play("A3>B3")
    assert line.position.workers[0] == (-1, -1)


def test_whirlpools_leave_with_an_eliminated_charybdis() -> None:
    line = Line(f"{FLAT}/2/charybdis[B3,E5]:A1,C1/mortal:A3,E1/mortal:E2,E3")
    position, _ = santorini.forfeit(line.position, 0)
    assert Line(position).play("A3>B3").position.workers[1][0] == sq("B3")


def test_printed_the_way_through_is_a_second_move() -> None:
    line = Line("00002 00000 00000 00000 00000/1/athena:A3,A1/charybdis[B3,E5]:C1,D1", printed=True).play("A3>B3")
    assert line.events == (Moved(0, 0, 0, sq("A3"), sq("B3")), Moved(0, 0, 0, sq("B3"), sq("E5")))
    assert line.position.turn.moves == 2
    north = Line(f"{FLAT}/1/mortal:B2,A1/charybdis[B3,E5]:C1,D1", printed=True).play("B2>B3")
    assert len(north.events) == 2
    assert north.position.workers[0][0] == sq("E5")
    line.play("E5^D5")
    assert "[^]" in str(line)


def test_printed_both_moves_are_judged_by_themselves() -> None:
    fen = "{} 00000 {} 00000 00000/1/{}:A3,A1/charybdis[B3,E5]:C1,D1"
    first = Line(fen.format("00000", "23000", "mortal"), printed=True).play("A3>B3")
    assert first.winners == (0,)
    assert first.position.workers[0][0] == sq("B3")
    assert Line(fen.format("00003", "00000", "mortal"), printed=True).play("A3>B3").winners == (0,)
    assert Line(fen.format("00000", "22000", "pan"), printed=True).play("A3>B3").winners == (0,)
    assert Line(fen.format("00003", "33000", "mortal"), printed=True).play("A3>B3").winners is None
    down = Line(fen.format("00000", "11000", "mortal"), printed=True).play("A3>B3")
    assert (down.position.turn.climbed, down.position.turn.descended) == (False, True)


def test_printed_the_second_move_goes_in_the_same_direction() -> None:
    fen = f"{FLAT}/1/charybdis[B3,B5]:A3,C1/harpies:A1,E1"
    assert Line(fen, printed=True).play("A3>B3").position.workers[0][0] == sq("E5")
    fen = f"{FLAT}/1/charybdis[B3,E5]:A3,C1/harpies:A1,E1"
    assert Line(fen, printed=True).play("A3>B3").position.workers[0][0] == sq("E5")


@pytest.mark.parametrize("data", ["B3,B3", "B3,C3,D3", "Z1", "B3;C3"])
def test_at_most_two_squares_are_whirlpools(data: str) -> None:
    with pytest.raises(Malformed):
        Line(f"{FLAT}/1/charybdis[{data}]:A3,C1/mortal:A1,E1")


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


def test_the_wind_blows_diagonally_too() -> None:
    assert Line(f"{FLAT}/1/mortal:A1,A5/harpies:E1,D1").play("A1>B2").position.workers[0][0] == sq("E5")


def test_the_wind_blows_after_each_move_of_a_turn() -> None:
    line = Line(f"{FLAT}/1/artemis:A3,A1/harpies:D5,E1").play("A3>B3 E3>E4")
    assert line.position.workers[0][0] == sq("E5")


def test_being_blown_up_to_no_higher_level_never_wins() -> None:
    line = Line("00000 00000 33300 00000 00000/1/mortal:A3,A1/harpies:E5,E1").play("A3>B3")
    assert line.winners is None
    assert line.position.workers[0][0] == sq("E3")


def test_the_wind_follows_a_way_over_the_edge_and_stops_at_the_next() -> None:
    assert Line(f"{FLAT}/1/urania:A3,A1/harpies:B3,E1").play("A3>E3").position.workers[0][0] == sq("C3")
    assert Line(f"{FLAT}/1/urania:A5,A1/harpies:B4,C1").play("A5>E1").position.workers[0][0] == sq("C3")
    assert Line(f"{FLAT}/1/urania:E5,A1/harpies:B4,C1").play("E5>A5").position.workers[0][0] == sq("E5")


def test_a_foe_that_moves_the_harpies_worker_does_not_set_off_the_wind() -> None:
    line = Line(f"{FLAT}/1/eris:A1,A2/harpies:B3,E5").play("B3>C3")
    assert line.position.workers[1][0] == sq("C3")


def test_a_team_mate_of_the_harpies_sets_off_no_wind() -> None:
    line = Line(f"{FLAT}/1/mortal:A3,A1/mortal:E5,E1/harpies/mortal").play("A3>B3")
    assert line.position.workers[0][0] == sq("B3")
    line = Line(f"{FLAT}/1/eris:A1,A2/mortal:B3,E5/harpies/mortal").play("B3>C3")
    assert line.position.workers[1][0] == sq("C3")
    line = Line(f"{FLAT}/2/mortal:E3,A1/mortal:A3,E1/harpies/mortal").play("A3>B3")
    assert line.position.workers[1][0] == sq("D3")


def test_who_would_be_blown_where_nothing_can_be_built_does_not_go_there() -> None:
    # blown to E5, all around would be beside Limus
    fen = "00000 00000 00000 00000 00000/1/mortal:B5,A1/limus:D4,E1/mortal/harpies"
    assert "C5" not in targets(Line(fen), "B5")
    assert "C5" in targets(Line(fen.replace("harpies", "mortal").replace("D4", "E3")), "B5")


# Nemesis


def test_nemesis_may_swap_both_workers_with_two_foes_if_none_is_beside_hers() -> None:
    line = Line(f"{FLAT}/1/nemesis:A5,A1/mortal:E5,E1").play("A5>B5 B5^A5")
    assert line.steps == {"B5<>E5", "B5<>E1", "A1<>E5", "A1<>E1", "."}
    line.play("B5<>E1")
    assert line.steps == {"A1<>E5"}  # both, or none
    line.play("A1<>E5")
    assert line.position.workers == ((sq("E1"), sq("E5")), (sq("A1"), sq("B5")))
    assert [event for event in line.events if isinstance(event, Forced)] == [
        Forced(0, 0, 1, sq("A1"), sq("E5"), God.NEMESIS),
        Forced(0, 1, 0, sq("E5"), sq("A1"), God.NEMESIS),
    ]
    assert line.position.seat == 1


def test_nemesis_may_let_it_be() -> None:
    line = Line(f"{FLAT}/1/nemesis:A5,A1/mortal:E5,E1").play("A5>B5 B5^A5 .")
    assert line.position.workers == ((sq("B5"), sq("A1")), (sq("E5"), sq("E1")))


def test_nemesis_does_not_swap_while_a_foe_is_beside_one_of_hers() -> None:
    assert Line(f"{FLAT}/1/nemesis:A5,A1/mortal:E5,B2").play("A5>B5 B5^A5").position.seat == 1
    assert Line(f"{FLAT}/1/nemesis:A5,A1/mortal:C4,E1").play("A5>B5 B5^A5").position.seat == 1
    assert Line(f"{FLAT}/1/nemesis:A5,A1/mortal:B4,E1").play("A5>A4 A4^A5").position.seat == 1


def test_a_swap_is_forced_so_it_never_wins() -> None:
    line = Line("00003 00000 00000 00000 00003/1/nemesis:A5,A1/mortal:E5,E1").play("A5>B5 B5^A5 B5<>E5 A1<>E1")
    assert line.winners is None
    assert line.position.workers == ((sq("E5"), sq("E1")), (sq("B5"), sq("A1")))


def test_nemesis_chooses_two_of_three_foes() -> None:
    line = Line(f"{FLAT}/1/nemesis:A5,A1/mortal:E5,E1,E3").play("A5>B5 B5^A5 B5<>E3")
    assert line.steps == {"A1<>E5", "A1<>E1"}
    line.play("A1<>E1")
    assert line.position.workers == ((sq("E3"), sq("E1")), (sq("E5"), sq("A1"), sq("B5")))
    assert line.position.seat == 1


def test_revised_both_are_needed_printed_as_many_as_there_are() -> None:
    for own, foes, swaps in (("A5,A1", "E5", {"B5<>E5", "A1<>E5"}), ("A5", "E5,E1", {"B5<>E5", "B5<>E1"})):
        fen = f"{FLAT}/1/nemesis:{own}/mortal:{foes}"
        assert Line(fen).play("A5>B5 B5^A5").position.seat == 1
        line = Line(fen, printed=True).play("A5>B5 B5^A5")
        assert line.steps == swaps | {"."}
        assert line.play("B5<>E5").position.seat == 1
        assert line.position.workers[0][0] == sq("E5")
    line = Line(f"{FLAT}/1/nemesis:A5,A1/mortal:E5,E1", printed=True).play("A5>B5 B5^A5 B5<>E5")
    assert line.steps == {"A1<>E1"}
    assert line.play("A1<>E1").position.seat == 1
    line = Line(f"{FLAT}/1/nemesis:A5,A1,A3/mortal:E5,E1,E3", printed=True).play("A5>B5 B5^A5 B5<>E5 A1<>E1")
    assert line.steps == {"A3<>E3"}


def test_of_three_players_the_swap_is_with_one_that_does_not_touch_her() -> None:
    line = Line(f"{FLAT}/1/nemesis:A5,A1/mortal:E5,E1/mortal:B2,C3").play("A5>B5 B5^A5")
    assert line.steps == {"B5<>E5", "B5<>E1", "A1<>E5", "A1<>E1", "."}
    line = Line(f"{FLAT}/1/nemesis:A5,A1/mortal:E5,E1/mortal:E3,D3").play("A5>B5 B5^A5 B5<>D3")
    assert line.steps == {"A1<>E3"}
    position, _ = santorini.forfeit(Line(f"{FLAT}/1/nemesis:A5,A1/mortal:E5,E1/mortal:E3,D3").position, 2)
    assert len(Line(position).play("A5>B5 B5^A5").steps) == 5


def test_foes_on_coins_cannot_be_swapped() -> None:
    fen = f"{FLAT}/1/nemesis:A5,A1/clio[2|E5]:E5,E1{{}}"
    assert Line(fen.format("")).play("A5>B5 B5^A5").position.seat == 1
    line = Line(fen.format(",E3")).play("A5>B5 B5^A5")
    assert line.steps == {"B5<>E3", "B5<>E1", "A1<>E3", "A1<>E1", "."}
    assert line.play("B5<>E3").steps == {"A1<>E1"}


def test_a_swap_into_an_abyss_loses() -> None:
    line = Line(f"{FLAT}/1/nemesis:A5,A1/tartarus[B5]:E5,E1").play("A5>A4 A4^A5 A4<>E5")
    assert line.winners is None
    assert Line(f"{FLAT}/1/nemesis:A5,A1/tartarus[E5]:E5,E1").play("A5>A4 A4^A5 A4<>E5").winners == (1,)


# Siren


def test_siren_sets_her_direction_in_the_set_up() -> None:
    line = Line(santorini.new(Options(Draft.GIVEN, gods=(God.SIREN, God.MORTAL)), 2)).play("+A5 +A1 +C3 +E1")
    decision = line.position.decision
    assert decision is not None
    assert (decision.kind, decision.seats) == (Kind.PREPARE, (0,))
    assert len(line.steps) == 8
    line.play("@ne")
    assert Aimed(0, 1, God.SIREN) in line.events
    assert line.can("C3=>D4")
    assert str(line).split("/")[2] == "siren[ne]:A5,A1"


def test_siren_may_draw_foes_one_square_that_way_and_build_with_any_worker() -> None:
    line = Line(f"{FLAT}/1/siren[n]:A5,A1/mortal:C3,E1")
    assert {step for step in line.steps if "=>" in step} == {"C3=>C4", "E1=>E2"}
    line.play("C3=>C4")
    assert line.events[0] == Forced(0, 1, 0, sq("C3"), sq("C4"), God.SIREN)
    assert line.steps == {"E1=>E2", "A5^B5", "A5^A4", "A5^B4", "A1^A2", "A1^B1", "A1^B2"}
    line.play("E1=>E2")  # one or more, but one square each
    assert line.steps == {"A5^B5", "A5^A4", "A5^B4", "A1^A2", "A1^B1", "A1^B2"}
    line.play("A1^A2")
    assert line.position.seat == 1
    assert line.position.workers == ((sq("A5"), sq("A1")), (sq("C4"), sq("E2")))


def test_siren_may_take_a_normal_turn() -> None:
    line = Line(f"{FLAT}/1/siren[n]:A5,A1/mortal:C3,E1").play("A5>B5")
    assert all(step.startswith("B5^") for step in line.steps)


def test_foes_are_drawn_to_free_squares_of_any_level_and_do_not_win() -> None:
    line = Line("00000 00300 00000 00000 00000/1/siren[n]:A5,A1/mortal:C3,E1").play("C3=>C4")
    assert line.winners is None
    for board, foes in (("00000 00400 00000 00000 00000", "C3,E5"), (FLAT, "C5,E5")):
        assert not any("=>" in step for step in Line(f"{board}/1/siren[n]:A5,A1/mortal:{foes}").steps)
    assert not Line(f"{FLAT}/1/siren[n]:A5,C4/mortal:C3,E1").can("C3=>C4")
    line = Line(f"{FLAT}/1/siren[n]:A5,A1/mortal:C3,C2")
    assert not line.can("C2=>C3")
    assert line.play("C3=>C4").can("C2=>C3")  # now it is free


def test_foes_are_drawn_into_the_corner_but_not_off_the_board() -> None:
    line = Line(f"{FLAT}/1/siren[nw]:C1,D1/mortal:B4,A2")
    assert {step for step in line.steps if "=>" in step} == {"B4=>A5"}


def test_siren_draws_no_worker_of_her_own_and_every_foe_of_three() -> None:
    line = Line(f"{FLAT}/1/siren[n]:C1,A1/mortal:C3,E1/mortal:D3,D1")
    assert {step for step in line.steps if "=>" in step} == {"C3=>C4", "E1=>E2", "D3=>D4", "D1=>D2"}


def test_printed_siren_does_not_build_after_drawing() -> None:
    line = Line(f"{FLAT}/1/siren[n]:A5,A1/mortal:C3,E1", printed=True).play("C3=>C4")
    assert line.steps == {"E1=>E2", "."}
    line.play(".")
    assert line.position.seat == 1
    assert line.position.b1 == 0
    normal = Line(f"{FLAT}/1/siren[n]:A5,A1/mortal:C3,E1", printed=True).play("A5>B5")
    assert "." not in normal.steps


def test_siren_draws_no_one_where_she_could_then_not_build() -> None:
    board = "44044 44444 44444 44444 44404"
    assert Line(f"{board}/1/siren[w]:C5/mortal:D1").winners == (1,)
    board = "04444 04444 04444 44444 44444"
    fen = f"{board}/1/siren[n]:A4/mortal:A3"
    assert not Line(fen.replace("A4/mortal:A3", "A5/mortal:A3")).can("A3=>A4")
    assert Line(fen.replace("A4/mortal:A3", "A5/mortal:A3"), printed=True).can("A3=>A4")


def test_siren_drawing_into_an_abyss_makes_the_foe_lose() -> None:
    assert Line(f"{FLAT}/1/siren[n]:A5,A1/tartarus[C4]:C3,E1").play("C3=>C4").winners == (0,)


def test_persephone_does_not_let_siren_draw_when_she_can_climb() -> None:
    line = Line("01000 00000 00000 00000 00000/1/siren[n]:A5,A1/persephone:C3,E1")
    assert line.steps == {"A5>B5"}
    assert Line(f"{FLAT}/1/siren[n]:A5,A1/persephone:C3,E1").can("C3=>C4")


def test_siren_without_a_direction_settles_it_by_the_first_use() -> None:
    line = Line(f"{FLAT}/1/siren:A5,A1/mortal:C3,E2")
    assert {"C3=>C4", "C3=>D2", "E2=>E1"} <= line.steps
    line.play("C3=>C4")
    assert {step for step in line.steps if "=>" in step} == {"E2=>E3"}
    line.play("A5^B5")
    assert str(line).split("/")[2] == "siren[n]:A5,A1"


def test_circe_sings_in_the_direction_that_was_set() -> None:
    line = Line(f"{FLAT}/1/circe:A5,A1/siren[n]:C3,E1")
    assert {step for step in line.steps if "=>" in step} == {"C3=>C4", "E1=>E2"}


def test_only_a_direction_is_sirens() -> None:
    with pytest.raises(Malformed):
        Line(f"{FLAT}/1/siren[up]:A5,A1/mortal:C3,E1")
