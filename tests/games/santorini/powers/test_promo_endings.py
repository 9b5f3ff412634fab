"""The promo gods that act when a turn ends: a case for every sentence about them [2.5]."""

from __future__ import annotations

import pytest

from boardwire.errors import Illegal, Malformed
from boardwire.games import santorini
from boardwire.games.game import CHANCE
from boardwire.games.santorini.actions import ProposeGod
from boardwire.games.santorini.events import (
    Banished,
    Built,
    CardDealt,
    Eliminated,
    GodProposed,
    PowerChanged,
    Termination,
    TurnStarted,
    Won,
    WorkerPlaced,
)
from boardwire.games.santorini.kinds import Kind
from boardwire.games.santorini.line import Line
from boardwire.games.santorini.notation import parse_position
from boardwire.games.santorini.options import Draft, Options
from boardwire.games.santorini.position import Position
from boardwire.games.santorini.powers.catalogue import CATALOGUE, God
from boardwire.games.santorini.squares import parse_square as sq
from boardwire.games.santorini.steps import parse_action

FLAT = "00000 00000 00000 00000 00000"


# Asteria

STEP_DOWN = "10000 00000 00000 00000 00003"


def test_asteria_may_also_put_a_dome_on_any_free_square_if_her_worker_moved_down() -> None:
    line = Line(f"{STEP_DOWN}/1/asteria:A5,E2/mortal:E5,A1").play("A5>B5 B5^A5")
    assert line.position.decision is not None
    assert line.position.decision.kind == Kind.CLOSE
    assert len(line.steps) == 25 - 4 + 1
    line.play("B5^C3X")
    assert line.events[0] == Built(0, sq("B5"), sq("C3"), 0, True)
    assert line.position.domes == 1 << sq("C3")
    assert line.position.seat == 1


def test_asteria_may_dome_what_she_just_built_or_complete_a_tower() -> None:
    line = Line(f"{STEP_DOWN}/1/asteria:A5,E2/mortal:E5,A1").play("A5>B5 B5^A5")
    assert line.can("B5^A5X")
    assert line.can("B5^E1X")


def test_asteria_may_decline() -> None:
    line = Line(f"{STEP_DOWN}/1/asteria:A5,E2/mortal:E5,A1").play("A5>B5 B5^A5 .")
    assert line.position.seat == 1
    assert line.position.domes == 0


def test_asteria_puts_no_dome_if_no_worker_moved_down() -> None:
    assert Line(f"{FLAT}/1/asteria:A5,E2/mortal:E5,A1").play("A5>B5 B5^A5").position.seat == 1
    climbing = Line("01000 00000 00000 00000 00000/1/asteria:A5,E2/mortal:E5,A1")
    assert climbing.play("A5>B5 B5^A5").position.seat == 1
    resting = Line("00000 00000 00000 00000 00001/1/asteria:A5,E1/mortal:E5,A1")
    assert resting.play("A5>B5 B5^A5").position.seat == 1


def test_being_forced_down_in_a_foes_turn_gives_asteria_nothing() -> None:
    line = Line("00000 00000 00010 00000 00000/2/asteria:D3,A1/minotaur:C3,E1").play("C3>D3 D3^C3")
    assert line.play("E3>E4 E4^E3").position.seat == 1


def test_asteria_leaves_tokens_and_coins_alone_and_limus_binds_her() -> None:
    assert not Line(f"{STEP_DOWN}/1/asteria:A5,E2/europa[C3]:E5,A1").play("A5>B5 B5^A5").can("B5^C3X")
    assert not Line(f"{STEP_DOWN}/1/asteria:A5,E2/clio[2|C3]:E5,A1").play("A5>B5 B5^A5").can("B5^C3X")
    limus = Line(f"{STEP_DOWN}/1/asteria:A5,E2/limus:E5,D1", printed=True).play("A5>B5 B5^A5")
    assert limus.can("B5^E1X")
    assert not limus.can("B5^D2X")
    assert Line(f"{STEP_DOWN}/1/asteria:A5,E2/limus:E5,D1").play("A5>B5 B5^A5").can("B5^D2X")


def test_a_foes_closing_build_is_not_asterias() -> None:
    line = Line(f"{FLAT}/2/asteria:A5,E2/poseidon:E5,A1").play("E5>E4 E4^E5 A1^A2")
    assert line.position.seat == 1
    assert line.can("A1^A2")


def test_asteria_in_a_team_and_beside_the_ram() -> None:
    line = Line(f"{STEP_DOWN}/3/mortal:A5,E2/mortal:E5,A1/asteria/mortal").play("A5>B5 B5^A5")
    assert line.can("B5^C3X")
    line = Line("00000 01000 00000 00000 00000/1/mortal:B4,E2/mortal:E5,A1/ramC3=asteria").play("B4>B5 B5^A5")
    assert line.can("B5^D3X")


# Hydra


def test_hydra_grows_a_worker_on_a_lowest_free_square_beside_the_one_that_moved() -> None:
    line = Line("11000 10000 00000 00000 00000/1/hydra:A5,E1/mortal:B4,A1").play("A5>B5 B5^C4")
    assert line.steps == {"+C5"}  # A4 is too far, C4 and A5 are higher; it must grow
    line.play("+C5")
    assert line.events[0] == WorkerPlaced(0, 0, 2, sq("C5"), God.HYDRA)
    assert line.position.workers[0] == (sq("B5"), sq("E1"), sq("C5"))
    assert line.position.seat == 1


def test_hydra_grows_on_higher_ground_if_there_is_no_lower() -> None:
    line = Line("00200 33300 00000 00000 00000/1/hydra:A5,E1/mortal:E5,A1").play("A5>B5 B5^A5")
    assert line.steps == {"+A5"}
    line = Line("44200 34300 00000 00000 00000/1/hydra:C5,E1/mortal:E5,A1")
    assert line.play("C5>D5 D5^C5").steps == {"+D4", "+E4"}


def test_hydra_counts_three_levels_up() -> None:
    line = Line("03400 44400 00000 00000 00000/1/hydra:A5,E1/mortal:E5,A1")
    assert {step for step in line.steps if step.startswith("A5>")} == set()
    line = Line("32400 44400 00000 00000 00000/1/hydra:B5,E1/mortal:E5,A1")
    assert line.play("E1>E2 E2^E1").can("+D1")


def test_if_there_is_no_free_square_hydra_grows_nothing() -> None:
    # the mover's only open neighbour is the square it left, which it must dome
    line = Line("30440 44440 00000 00000 00000/1/hydra:A5,E1/mortal:E5,A1").play("A5>B5 B5^A5X")
    assert line.position.seat == 1
    assert len(line.position.workers[0]) == 2


def test_hydra_must_remove_a_worker_if_some_of_hers_touch() -> None:
    line = Line(f"{FLAT}/1/hydra:A5,C5/mortal:E5,A1").play("A5>B5 B5^A5")
    assert line.steps == {"xB5", "xC5"}
    line.play("xC5")
    assert line.events[0] == Banished(0, 1, sq("C5"), God.HYDRA)
    assert line.position.workers[0] == (sq("B5"), -1)
    assert line.position.seat == 1


def test_any_of_hydras_workers_may_be_the_one_removed() -> None:
    line = Line(f"{FLAT}/1/hydra:A5,C5,E1/mortal:E5,A1").play("A5>B5 B5^A5")
    assert line.steps == {"xB5", "xC5", "xE1"}
    far = Line(f"{FLAT}/1/hydra:A5,D1,E1/mortal:E5,A1").play("A5>B5 B5^A5")
    assert far.steps == {"xB5", "xD1", "xE1"}


def test_a_worker_that_grows_takes_the_number_of_one_that_is_gone() -> None:
    line = Line(f"{FLAT}/1/hydra:A5,C5/mortal:E5,A1").play("A5>B5 B5^A5 xB5 E5>E4 E4^E5 C5>C4 C4^C5 +B3")
    assert line.position.workers[0] == (sq("B3"), sq("C4"))


def test_hydra_grows_on_no_token_or_coin() -> None:
    line = Line(f"{FLAT}/1/hydra:A4,E1/europa[B5]:E5,A1").play("A4>A5 A5^A4")
    assert line.steps == {"+B4"}
    line = Line(f"{FLAT}/1/hydra:A4,E1/clio[2|B5]:E5,A1").play("A4>A5 A5^A4")
    assert line.steps == {"+B4"}


def test_hydra_does_nothing_at_the_end_of_foes_turns_and_plays_with_three() -> None:
    line = Line(f"{FLAT}/2/hydra:A5,C5/mortal:E5,A1/mortal:E1,C1").play("E5>E4 E4^E5")
    assert line.position.seat == 2
    line = Line(f"{FLAT}/1/hydra:A4,C3/mortal:E5,A1/mortal:E1,C1").play("A4>A5 A5^A4")
    assert line.steps == {"+B5", "+B4"}


def test_steps_of_other_powers_are_not_hydras() -> None:
    line = Line(f"{FLAT}/1/hydra:A5,E1/mortal:E5,A1")
    with pytest.raises(Illegal):
        line.position.lineup.powers[0].act(line.position, parse_action("@n"), [])


# Maenads


@pytest.mark.parametrize(
    ("own", "foe", "move"),
    [
        ("A4,C3", "B3", "A4>A3"),  # along a rank
        ("A4,B2", "B3", "A4>B4"),  # along a file
        ("A5,C2", "B3", "A5>A4"),  # the two diagonals
        ("B1,C4", "B3", "B1>A2"),
    ],
)
def test_a_foe_between_two_maenads_loses(own: str, foe: str, move: str) -> None:
    line = Line(f"{FLAT}/1/maenads:{own}/mortal:{foe},E1").play(move)
    assert line.winners is None  # at the end of the turn, not before
    line.play(next(step for step in sorted(line.steps)))
    assert line.events[-2:] == (
        Eliminated(1, Termination.POWER, God.MAENADS),
        Won((0,), Termination.POWER, God.MAENADS),
    )


def test_exactly_opposite_sides_means_in_line_and_beside() -> None:
    for own in ("A4,C3", "A3,D3", "A2,C2"):
        line = Line(f"{FLAT}/1/maenads:{own},E5/mortal:B3,E1").play("E5>E4 E4^E5")
        assert line.winners is None


def test_at_the_edge_no_worker_is_between() -> None:
    line = Line(f"{FLAT}/1/maenads:B5,E5,A4/mortal:A5,E1").play("E5>E4 E4^E5")
    assert line.winners is None


def test_a_maenad_in_the_corner_counts_and_one_that_is_gone_does_not() -> None:
    assert Line(f"{FLAT}/1/maenads:A4,C5/mortal:B5,E1").play("A4>A5 A5^A4").winners == (0,)
    board = "00000 00000 00020 00000 00000"
    line = Line(f"{board}/1/theseus:B3,A3/maenads:D3,B4").play("B3>C3 C3^C2 xD3 B4>B3 B3^B4")
    assert line.winners is None


def test_levels_do_not_matter_to_maenads() -> None:
    line = Line("00000 00000 13000 00000 00000/1/maenads:A4,C3/mortal:B3,E1").play("A4>A3 A3^A4")
    assert line.winners == (0,)


def test_who_steps_between_maenads_loses_only_at_the_end_of_their_turn() -> None:
    line = Line(f"{FLAT}/2/maenads:A3,C3/mortal:B4,E1").play("B4>B3 B3^B4")
    assert line.winners is None
    line = Line(f"{FLAT}/2/maenads:A3,C3,E5/mortal:B4,E1").play("B4>B3 B3^B4 E5>E4 E4^E5")
    assert line.winners == (0,)


def test_with_three_players_only_the_one_between_loses() -> None:
    line = Line(f"{FLAT}/1/maenads:A4,C3/mortal:B3,E1/mortal:E5,D5").play("A4>A3 A3^A4")
    assert line.winners is None
    assert line.position.out == 0b010
    assert line.position.seat == 2


def test_two_foes_between_maenads_both_lose() -> None:
    line = Line(f"{FLAT}/1/maenads:B4,C3,A1/mortal:B3,E1/mortal:B2,E5").play("B4>A3 A3^A4")
    assert line.winners == (0,)
    assert [event.seat for event in line.events if isinstance(event, Eliminated)] == [1, 2]


def test_in_teams_the_workers_of_the_team_count() -> None:
    line = Line(f"{FLAT}/3/mortal:A4,C3/mortal:B3,E1/maenads/mortal").play("A4>A3 A3^A4")
    assert line.winners == (0, 2)
    line = Line(f"{FLAT}/1/mortal:A4,C3/mortal:B3,E1/maenads/mortal").play("A4>A3 A3^A4")
    assert line.winners is None  # not at the end of the mate's turn


# Nyx


def night(board: str, seat: int = 1, power: str = "{atlas}") -> Line:
    return Line(f"{board}/{seat}/nyx{power}:A5,C3/pan:E5,A1")


def test_with_an_odd_number_of_towers_nyx_has_the_night_power_and_the_foe_none() -> None:
    line = night("00030 00000 00000 00000 00000", seat=2).play("E5>E4 E4^D5X")
    assert PowerChanged(0, God.ATLAS) in line.events
    assert PowerChanged(1, God.MORTAL) in line.events
    assert line.position.lineup.gods == (God.ATLAS, God.MORTAL)
    assert line.play("C3>C4").can("C4^C3X")


def test_with_an_even_number_it_is_reversed() -> None:
    line = Line("00430 00000 00000 00000 00000/2/nyx{atlas}:A5,C3/pan:E4,A1").play("E4>E5 E5^D5X")
    assert PowerChanged(0, God.MORTAL) in line.events
    assert PowerChanged(1, God.PAN) in line.events
    assert line.position.lineup.gods == (God.MORTAL, God.PAN)


def test_it_also_changes_at_the_end_of_her_own_turn_and_nothing_changes_without_a_tower() -> None:
    line = night("03000 00000 00000 00000 00000").play("A5>A4 A4^B5X")
    assert line.position.lineup.gods == (God.ATLAS, God.MORTAL)
    line = night("02000 00000 00000 00000 00000").play("A5>A4 A4^B5")
    assert not any(isinstance(event, PowerChanged) for event in line.events)


def test_a_dome_on_low_ground_is_no_tower() -> None:
    assert night("0ab00 00000 00000 0000c 00000").position.lineup.gods == (God.MORTAL, God.PAN)
    assert night("0a400 00000 00000 0000c 00000").position.lineup.gods == (God.ATLAS, God.MORTAL)


def test_a_foe_without_power_does_not_win_by_it() -> None:
    line = Line("00400 00000 00000 00000 02000/2/nyx{atlas}:A5,C3/pan:E5,B1")
    assert line.play("B1>A1").winners is None
    line = Line("00000 00000 00000 00000 02000/2/nyx{atlas}:A5,C3/pan:E5,B1")
    assert line.play("B1>A1").winners == (1,)


def test_without_a_night_power_nyx_still_takes_the_foes() -> None:
    line = night("00400 00000 00000 00000 00000", power="")
    assert line.position.lineup.gods == (God.MORTAL, God.MORTAL)


def test_the_night_power_is_chosen_before_the_first_turn_among_those_that_can_come_and_go() -> None:
    p = santorini.new(Options(Draft.GIVEN, gods=(God.NYX, God.HADES)), 2)
    for at in ("+A5", "+C3", "+E5", "+A1"):
        decision = santorini.pending(p)
        assert decision is not None
        p, _ = santorini.apply(p, decision.seats[0], parse_action(at))
    decision = santorini.pending(p)
    assert decision is not None
    assert (decision.kind, decision.seats) == (Kind.PREPARE, (0,))
    offered = [action.god for action in decision.choices if isinstance(action, ProposeGod)]
    assert len(offered) == len(tuple(decision.choices))
    assert God.ATLAS in offered
    assert all(CATALOGUE[god].fleece for god in offered)
    # not in play, and not one that may not meet a god in play
    assert not {God.HADES, God.DIONYSUS, God.PAN, God.ASTERIA, God.ATHENA, God.JASON} & set(offered)
    p, events = santorini.apply(p, 0, ProposeGod(God.ATLAS))
    assert events[0] == GodProposed(0, God.ATLAS)
    assert isinstance(events[1], TurnStarted)
    assert p.lineup.gods == (God.MORTAL, God.HADES)


def test_the_night_power_comes_from_the_pool_and_bans_can_be_off() -> None:
    def ready(options: Options) -> Position:
        p = santorini.new(options, 2)
        for at in ("+A5", "+C3", "+E5", "+A1"):
            decision = santorini.pending(p)
            assert decision is not None
            p, _ = santorini.apply(p, decision.seats[0], parse_action(at))
        return p

    gods = (God.NYX, God.HADES)
    few = santorini.pending(ready(Options(Draft.GIVEN, gods=gods, pool=(*gods, God.ATLAS))))
    assert few is not None
    assert tuple(few.choices) == (ProposeGod(God.ATLAS),)
    none = santorini.pending(ready(Options(Draft.GIVEN, gods=gods, pool=gods)))
    assert none is not None
    assert none.kind == Kind.OPEN
    free = santorini.pending(ready(Options(Draft.GIVEN, gods=gods, bans=False)))
    assert free is not None
    assert ProposeGod(God.PAN) in free.choices


def test_the_night_power_is_written_beside_the_card() -> None:
    line = night("00400 00000 00000 00000 00000")
    assert "/nyx+atlas{atlas}:A5,C3/pan+mortal:E5,A1" in str(line)
    assert str(Line(str(line))) == str(line)
    for bad in ("nobody", "mortal"):
        with pytest.raises(Malformed):
            night(FLAT, power=f"{{{bad}}}")


def test_a_hero_stays_spent_through_the_night() -> None:
    line = Line("00030 00000 00000 00003 00000/2/nyx{atlas}:A5,C3/jason[x]:E5,E1").play("E5>E4 E4^D5X")
    assert line.position.lineup.gods == (God.ATLAS, God.MORTAL)
    line.play("A5>B5 B5^A5 E1>D1 D1^E2X")
    assert line.position.lineup.gods == (God.MORTAL, God.JASON)
    assert line.position.memos[1] == (1,)


def test_what_a_foe_hides_outlasts_the_night_and_stays_hidden() -> None:
    board = "00030 00000 00000 00003 00000"
    first, second = (
        Line(f"{board}/2/nyx{{atlas}}:A5,C3/tartarus[{abyss}]:E5,E1").play("E5>E4 E4^D5X") for abyss in ("B2", "C1")
    )
    for line in (first, second):
        assert line.position.lineup.gods == (God.ATLAS, God.MORTAL)
    assert first.position != second.position
    for seat in (0, None):
        assert santorini.view(first.position, seat) == santorini.view(second.position, seat)
    assert santorini.view(first.position, 1).kept[1] == (sq("B2"),)
    assert first.play("C3>B2").winners is None  # by night the abyss is closed
    first.play("B2^B3 E1>D1 D1^E2X")
    assert first.position.lineup.gods == (God.MORTAL, God.TARTARUS)
    assert first.position.memos[1] == (sq("B2"),)
    second.play("C3>C2 C2^C3 E1>D1 D1^E2X")
    assert second.position.memos[1] == (sq("C1"),)
    assert second.play("C2>C1").winners == (1,)


def test_coins_and_spare_workers_outlast_the_night() -> None:
    for god, memo in (("clio[1|B3]", (1, 1 << sq("B3"))), ("gaea[1]", (1,))):
        line = Line(f"00030 00000 01000 00003 00000/2/nyx{{atlas}}:A5,C3/{god}:E5,E1").play("E5>E4 E4^D5X")
        if line.can("."):
            line.play(".")
        assert line.position.lineup.gods == (God.ATLAS, God.MORTAL)
        line.play("A5>B5 B5^A5 E1>D1 D1^E2X")
        if line.can("."):
            line.play(".")
        assert line.position.memos[1] == memo


def test_nyx_leaves_a_card_that_gives_powers_alone() -> None:
    line = Line("00400 00000 00000 00000 00000/2/nyx{atlas}:A5,C3/chaos+pan:E5,A1")
    assert line.position.lineup.gods == (God.ATLAS, God.PAN)


def test_a_card_drawn_at_nightfall_is_still_dealt() -> None:
    line = Line("00030 00000 00000 00000 00000/2/nyx{atlas}:A5,C3/tyche:E5,A1").play("E5>E4 E4^D5X")
    assert line.steps == {f"luck={card}" for card in range(6)}
    line.play("luck=2")
    assert line.position.lineup.gods == (God.ATLAS, God.MORTAL)
    assert line.position.memos[3] == (5,)


# Tyche


def test_tyche_draws_one_of_six_cards_at_the_end_of_her_turn() -> None:
    line = Line(f"{FLAT}/1/tyche:A5,E1/mortal:A1,C3").play("A5>B5 B5^A5")
    decision = santorini.pending(line.position)
    assert decision is not None
    assert (decision.kind, decision.seats) == (Kind.CHANCE, (CHANCE,))
    assert line.steps == {f"luck={card}" for card in range(6)}
    line.play("luck=3")
    assert line.events[0] == CardDealt(0, 3, God.TYCHE)
    assert line.position.seat == 1
    assert line.position.memos[0] == (5,)


def test_the_lucky_card_gives_another_turn_and_a_new_deck_and_no_draw_after_it() -> None:
    line = Line(f"{FLAT}/1/tyche[2]:A5,E1/mortal:A1,C3").play("A5>B5 B5^A5")
    assert line.steps == {"luck=0", "luck=1"}
    line.play("luck=0")
    assert line.position.memos[0] == (6,)
    assert line.events[-1] == TurnStarted(0, 1, extra=True)
    line.play("B5>C5 C5^B5")
    assert line.position.seat == 1


def test_the_last_card_left_is_the_lucky_one() -> None:
    assert Line(f"{FLAT}/1/tyche[1]:A5,E1/mortal:A1,C3").play("A5>B5 B5^A5").steps == {"luck=0"}


def test_foes_draw_nothing() -> None:
    assert Line(f"{FLAT}/2/tyche:A5,E1/mortal:A1,C3").play("A1>A2 A2^A1").position.seat == 0


def test_with_three_players_and_in_teams_the_extra_turn_comes_before_the_next_players() -> None:
    line = Line(f"{FLAT}/1/tyche:A5,E1/mortal:A1,C3/mortal:E5,E4").play("A5>B5 B5^A5 luck=0")
    assert line.position.seat == 0
    assert line.play("B5>C5 C5^B5").position.seat == 1
    line = Line(f"{FLAT}/3/mortal:A5,E1/mortal:A1,C3/tyche/mortal").play("A5>B5 B5^A5 luck=0")
    assert line.position.seat == 2
    assert line.play("B5>C5 C5^B5").position.seat == 3


def test_the_cards_left_are_written() -> None:
    assert "/tyche[2]:" in str(Line(f"{FLAT}/1/tyche[2]:A5,E1/mortal:A1,C3"))
    for bad in ("0", "7", "x"):
        with pytest.raises(Malformed):
            parse_position(f"{FLAT}/1/tyche[{bad}]:A5,E1/mortal:A1,C3")
