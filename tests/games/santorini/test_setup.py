"""Set-ups: each draft from the first question to the first turn."""

from __future__ import annotations

import pytest

from boardwire.errors import Illegal, Refused
from boardwire.games import santorini
from boardwire.games.game import CHANCE
from boardwire.games.santorini.events import GodPicked, GodProposed, OrderSet, WorkerPlaced
from boardwire.games.santorini.kinds import Kind
from boardwire.games.santorini.line import Line
from boardwire.games.santorini.options import Draft, Options, Wording
from boardwire.games.santorini.powers.catalogue import BANS, God
from boardwire.games.santorini.squares import parse_square as sq
from boardwire.games.santorini.steps import parse_action

PAN, ATLAS, APOLLO, HECATE, TARTARUS = God.PAN, God.ATLAS, God.APOLLO, God.HECATE, God.TARTARUS


def start(draft: Draft, seats: int = 2, gods: tuple[God, ...] = (), pool: tuple[God, ...] = ()) -> Line:
    return Line(santorini.new(Options(draft, gods=gods, pool=pool), seats))


def asked(line: Line) -> tuple[str, tuple[int, ...]]:
    decision = santorini.pending(line.position)
    assert decision is not None
    return decision.kind, decision.seats


def answer(line: Line, seat: int, step: str) -> None:
    line.position, line.events = santorini.apply(line.position, seat, parse_action(step))


def test_without_gods_each_seat_places_both_workers_in_turn() -> None:
    line = start(Draft.NONE)
    assert asked(line) == (Kind.PLACE_WORKER, (0,))
    assert len(line.steps) == 25
    line.play("+B3 +D3")
    assert asked(line) == (Kind.PLACE_WORKER, (1,))
    assert not line.can("+B3")
    line.play("+C4 +C2")
    assert line.events[-2] == WorkerPlaced(1, 1, 1, sq("C2"))
    assert asked(line) == (Kind.OPEN, (0,))
    assert line.position.workers == ((sq("B3"), sq("D3")), (sq("C4"), sq("C2")))


def test_given_gods_are_in_play_from_the_start() -> None:
    line = start(Draft.GIVEN, gods=(PAN, ATLAS))
    assert line.position.lineup.gods == (PAN, ATLAS)
    assert asked(line) == (Kind.PLACE_WORKER, (0,))


def test_random_gods_are_dealt_by_luck_one_by_one() -> None:
    line = start(Draft.RANDOM, pool=(PAN, ATLAS, APOLLO))
    assert asked(line) == (Kind.CHANCE, (CHANCE,))
    assert line.steps == {"luck=pan", "luck=atlas", "luck=apollo"}
    line.play("luck=atlas")
    assert line.steps == {"luck=pan", "luck=apollo"}
    line.play("luck=pan")
    assert line.events[:3] == (GodProposed(None, PAN), GodPicked(0, ATLAS), GodPicked(1, PAN))
    assert asked(line) == (Kind.PLACE_WORKER, (0,))


def test_the_first_to_propose_is_the_challenger() -> None:
    line = start(Draft.CHALLENGER, 3, pool=(PAN, ATLAS, APOLLO, God.ATHENA))
    assert asked(line) == (Kind.PROPOSE_GOD, (0, 1, 2))
    answer(line, 1, "?pan")
    assert asked(line) == (Kind.PROPOSE_GOD, (1,))
    with pytest.raises(Refused):
        answer(line, 0, "?atlas")
    with pytest.raises(Illegal):
        answer(line, 1, "?pan")
    answer(line, 1, "?atlas")
    answer(line, 1, "?apollo")
    assert asked(line) == (Kind.PICK_GOD, (2, 0))


def test_others_pick_in_any_order_and_the_challenger_gets_the_last_by_itself() -> None:
    line = start(Draft.CHALLENGER, 3, pool=(PAN, ATLAS, APOLLO))
    for step in ("?pan", "?atlas", "?apollo"):
        answer(line, 1, step)
    answer(line, 0, "=atlas")
    assert line.steps == {"=pan", "=apollo"}
    answer(line, 2, "=pan")
    assert line.events == (GodPicked(2, PAN), GodPicked(1, APOLLO))
    assert asked(line) == (Kind.CHOOSE_START, (1,))
    assert line.steps == {"1st=1", "1st=3"}  # not the challenger


def test_the_challengers_order_of_play_is_the_order_of_picking_from_the_starter() -> None:
    line = start(Draft.CHALLENGER, 3, pool=(PAN, ATLAS, APOLLO))
    for step in ("?pan", "?atlas", "?apollo"):
        answer(line, 0, step)
    answer(line, 2, "=atlas")
    answer(line, 1, "=pan")
    answer(line, 0, "1st=2")
    assert line.events == (OrderSet((1, 0, 2)),)
    line.play("+A1 +A2 +B1 +B2 +C1 +C2")
    assert [line.position.workers[seat][0] for seat in (1, 0, 2)] == [sq("A1"), sq("B1"), sq("C1")]
    assert asked(line) == (Kind.OPEN, (1,))
    line.play("A2>A3 A3^A4")
    assert line.position.seat == 0


def test_a_challenger_alone_picks_and_starts() -> None:
    line = start(Draft.CHALLENGER, 1, pool=(PAN, ATLAS))
    line.play("?pan =pan 1st=1 +A1 +A2")
    assert asked(line) == (Kind.OPEN, (0,))
    assert line.position.lineup.gods == (PAN,)


def test_in_the_printed_draft_the_challenger_may_start_himself() -> None:
    line = start(Draft.PRINTED, pool=(PAN, ATLAS))
    line.play("?pan ?atlas")
    assert asked(line) == (Kind.PICK_GOD, (1,))
    line.play("=atlas")
    assert line.steps == {"1st=1", "1st=2"}
    line.play("1st=2")
    assert asked(line) == (Kind.PLACE_WORKER, (1,))


def test_where_the_first_player_proposes_he_picks_last_places_first_and_begins() -> None:
    line = start(Draft.FIRST_PROPOSES, 3, pool=(PAN, ATLAS, APOLLO))
    assert asked(line) == (Kind.PROPOSE_GOD, (0,))
    line.play("?pan ?atlas ?apollo")
    assert asked(line) == (Kind.PICK_GOD, (1,))
    line.play("=pan")
    assert asked(line) == (Kind.PICK_GOD, (2,))
    line.play("=apollo")
    assert asked(line) == (Kind.PICK_GOD, (0,))
    assert line.steps == {"=atlas"}
    line.play("=atlas")
    assert asked(line) == (Kind.PLACE_WORKER, (0,))
    line.play("+A1 +A2 +B1 +B2 +C1 +C2")
    assert asked(line) == (Kind.OPEN, (0,))


def test_god_and_workers_can_be_chosen_together_seat_by_seat() -> None:
    line = start(Draft.TOGETHER, pool=(PAN, ATLAS, APOLLO))
    line.play("luck=pan luck=apollo")
    assert asked(line) == (Kind.PICK_GOD, (0,))
    line.play("=apollo")
    assert asked(line) == (Kind.PLACE_WORKER, (0,))
    line.play("+A1 +A2")
    assert asked(line) == (Kind.PICK_GOD, (1,))
    assert line.steps == {"=pan"}
    line.play("=pan +B1 +B2")
    assert asked(line) == (Kind.OPEN, (0,))


def test_or_all_gods_first_and_then_all_workers() -> None:
    line = start(Draft.TWO_ROUNDS, pool=(PAN, ATLAS, APOLLO))
    line.play("luck=pan luck=apollo =apollo =pan")
    assert asked(line) == (Kind.PLACE_WORKER, (0,))
    line.play("+A1 +A2 +B1 +B2")
    assert asked(line) == (Kind.OPEN, (0,))


def test_online_the_starting_power_is_named_before_anyone_picks() -> None:
    line = start(Draft.ONLINE, pool=(PAN, ATLAS))
    line.play("?pan ?atlas")
    assert asked(line) == (Kind.NAME_START, (0,))
    line.play("1st=pan")
    assert asked(line) == (Kind.PICK_GOD, (1,))
    line.play("=pan")
    assert line.position.order == (1, 0)
    assert asked(line) == (Kind.PLACE_WORKER, (1,))


def test_with_the_fleece_the_ram_is_placed_after_the_workers_and_the_second_player_begins() -> None:
    line = start(Draft.FLEECE, gods=(APOLLO,))
    line.play("+A1 +A2 +E4 +E5")
    assert asked(line) == (Kind.PLACE_RAM, (0,))
    assert not line.can("*A1")
    line.play("*B3")
    assert asked(line) == (Kind.OPEN, (1,))
    assert line.position.lineup.gods == (APOLLO, God.MORTAL)  # A2 is beside the Ram
    line.play("E4>D4 D4^E4")
    assert not line.can("A2>B3")  # the Ram blocks like a dome


def test_the_fleeces_power_is_lent_anew_at_the_start_of_every_turn() -> None:
    line = start(Draft.FLEECE, gods=(APOLLO,)).play("+A1 +C2 +D4 +E5 *B3")
    assert line.position.lineup.gods == (APOLLO, God.MORTAL)
    line.play("D4>C4 C4^D4")
    assert line.position.lineup.gods == (APOLLO, APOLLO)
    line.play("C2>D1 D1^C1")
    assert line.position.lineup.gods == (God.MORTAL, APOLLO)


def test_the_fleece_is_for_two_and_an_eligible_god() -> None:
    for gods, seats in (((APOLLO,), 3), ((), 2), ((God.ATHENA,), 2), ((God.MORTAL,), 2)):
        with pytest.raises(Illegal):
            start(Draft.FLEECE, seats, gods=gods)


def test_the_first_player_of_each_team_places_and_the_second_takes_the_first_turn() -> None:
    line = start(Draft.GIVEN, 4, gods=(PAN, ATLAS, APOLLO, God.ARTEMIS))
    assert asked(line) == (Kind.PLACE_WORKER, (0,))
    line.play("+A1 +A2")
    assert asked(line) == (Kind.PLACE_WORKER, (1,))
    line.play("+B1 +B2")
    assert asked(line) == (Kind.OPEN, (2,))
    assert len(line.position.workers) == 2


def test_a_given_position_starts_there() -> None:
    options = Options(Draft.POSITION, position="00000 00000 00000 00000 00001/2/pan:B3,D3/atlas:C4,C2")
    position = santorini.new(options, 2)
    assert position.seat == 1
    with pytest.raises(Illegal, match="2 players"):
        santorini.new(options, 3)


# Who must, and who must not, begin [4.1]


def test_a_power_that_places_first_begins() -> None:
    line = start(Draft.GIVEN, gods=(PAN, TARTARUS))
    assert line.position.order == (1, 0)
    assert asked(line) == (Kind.PLACE_WORKER, (1,))


def test_a_power_that_places_last_does_not_begin() -> None:
    assert start(Draft.GIVEN, gods=(HECATE, PAN)).position.order == (1, 0)
    online = start(Draft.ONLINE, pool=(HECATE, PAN)).play("?pan ?hecate")
    assert online.steps == {"1st=pan"}
    printed = start(Draft.PRINTED, pool=(HECATE, PAN)).play("?pan ?hecate =hecate")
    assert printed.steps == {"1st=1"}


def test_gods_that_mind_the_order_are_not_drawn_where_it_is_settled_before() -> None:
    assert start(Draft.TOGETHER, pool=(PAN, ATLAS, TARTARUS, HECATE)).steps == {"luck=pan", "luck=atlas"}


# What can be in an offer [1.2, 2.6]


def test_banned_pairs_are_never_in_one_offer() -> None:
    line = start(Draft.PRINTED, pool=(HECATE, TARTARUS, PAN)).play("?hecate")
    assert line.steps == {"?pan"}
    free = Line(santorini.new(Options(Draft.PRINTED, pool=(HECATE, TARTARUS), bans=False), 2)).play("?hecate")
    assert free.steps == {"?tartarus"}


def test_a_god_after_which_the_offer_could_not_be_filled_is_not_offered() -> None:
    pool = (PAN, ATLAS, God.HARPIES, HECATE)
    assert start(Draft.PRINTED, 2, pool=(PAN, HECATE, TARTARUS)).play("?tartarus").steps == {"?pan"}
    with pytest.raises(Illegal, match="the pool has too few compatible gods"):
        start(Draft.PRINTED, 2, pool=(HECATE, TARTARUS))
    assert start(Draft.PRINTED, 3, pool=pool).steps == {"?pan", "?atlas", "?harpies"}


def test_gods_not_meant_for_the_number_of_players_are_not_offered() -> None:
    line = start(Draft.PRINTED, 3, pool=(PAN, ATLAS, APOLLO, God.ERIS, TARTARUS))
    assert line.steps == {"?pan", "?atlas", "?apollo"}


def test_given_gods_are_checked_too() -> None:
    with pytest.raises(Illegal, match="are incompatible"):
        start(Draft.GIVEN, gods=(HECATE, TARTARUS))
    with pytest.raises(Illegal, match="is not allowed with 3"):
        start(Draft.GIVEN, 3, gods=(PAN, ATLAS, God.ERIS))
    with pytest.raises(Illegal, match="2 gods"):
        start(Draft.GIVEN, gods=(PAN,))
    assert frozenset((HECATE, TARTARUS)) in BANS


def test_too_small_a_pool_is_refused() -> None:
    with pytest.raises(Illegal, match="the pool has too few compatible gods"):
        start(Draft.PRINTED, pool=(PAN,))
    with pytest.raises(Illegal, match="the pool has too few compatible gods"):
        start(Draft.RANDOM, pool=(PAN,))


def test_only_one_to_four_can_play() -> None:
    for seats in (0, 5):
        with pytest.raises(Illegal, match="1 to 4"):
            start(Draft.NONE, seats)


# Leaving during the set-up


def test_two_players_one_forfeit_ends_it_also_in_the_set_up() -> None:
    position, _ = santorini.forfeit(start(Draft.PRINTED).position, 0)
    assert position.outcome is not None
    assert position.outcome.winners == (1,)


def test_of_three_the_others_go_on_setting_up() -> None:
    line = start(Draft.FIRST_PROPOSES, 3, pool=(PAN, ATLAS, APOLLO)).play("?pan ?atlas")
    line.position, _ = santorini.forfeit(line.position, 0)
    assert asked(line) == (Kind.PROPOSE_GOD, (1,))
    line.play("?apollo =pan =apollo")
    assert asked(line) == (Kind.PLACE_WORKER, (1,))
    line.play("+A1 +A2 +B1 +B2")
    assert asked(line) == (Kind.OPEN, (1,))


def test_the_printed_wording_reaches_the_powers() -> None:
    options = Options(Draft.GIVEN, gods=(PAN, ATLAS), wording=Wording.PRINTED)
    assert all(power.printed for power in santorini.new(options, 2).lineup.powers)


def test_a_given_position_has_only_gods_for_that_many_players() -> None:
    position = f"{'0' * 25}/1/adonis:A1,A2/pan:B1,B2{{}}"
    assert santorini.new(Options(Draft.POSITION, position=position.format("")), 2).outcome is None
    with pytest.raises(Illegal, match="adonis is not allowed with 3"):
        santorini.new(Options(Draft.POSITION, position=position.format("/atlas:C1,C2")), 3)
