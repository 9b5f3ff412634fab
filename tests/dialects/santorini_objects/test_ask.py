"""Every kind of decision is put in every edition, or answered by its default."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from boardwire.dialects.santorini_objects.ask import ASK, MESSAGE_NAMES
from boardwire.dialects.santorini_objects.editions import Edition
from boardwire.dialects.santorini_objects.messages import classes as wire
from boardwire.games.santorini.actions import (
    DONE,
    Build,
    ChooseStart,
    Move,
    NameStart,
    PickGod,
    PlaceToken,
    PlaceWorker,
    ProposeGod,
)
from boardwire.games.santorini.kinds import Kind
from boardwire.games.santorini.options import Draft, Options
from boardwire.games.santorini.powers.catalogue import God
from boardwire.table.commands import Act
from boardwire.table.events import Acted, Dealt

from .spoken import Caller, Hall, at_position, cell, kinds, login, position, seat

EMPTY = "0" * 25


def steps_of(server: Hall) -> list[Any]:
    """Return the actions of the match so far, including chance."""
    game = server.match().setting.game
    return [msgspec.convert(event.action, game.Action) for event in server.events() if isinstance(event, Acted | Dealt)]


def actions_of(server: Hall) -> list[Any]:
    game = server.match().setting.game
    return [msgspec.convert(event.action, game.Action) for event in server.events() if isinstance(event, Acted)]


def test_every_kind_of_decision_is_covered_in_every_edition() -> None:
    assert set(ASK) == set(Edition)
    for edition in Edition:
        assert set(ASK[edition]) == set(Kind)


def test_every_request_function_lists_its_messages_and_each_is_a_class() -> None:
    for request, answer in MESSAGE_NAMES.values():
        for name in f"{request}, {answer}".replace(" or ", ", ").split(", "):
            assert hasattr(wire, name)


# --- the set-ups of other dialects ----------------------------------------------------------------------------------


@pytest.mark.parametrize("doors", [("D", "D"), ("F", "F"), ("D1", "F")])
def test_a_table_without_gods_asks_only_for_workers(doors: tuple[str, str]) -> None:
    server = Hall(seed=0)
    server.open(Options(Draft.NONE))
    for caller, cells in zip(seat(server, *doors), ((cell(0, 0), cell(1, 1)), (cell(3, 3), cell(4, 4))), strict=True):
        request = caller.last()
        if caller.edition.is_shipped:
            assert isinstance(request, wire.RequestInitializeWorkerPositions)
            caller.say(wire.InitializeWorkerPositions(cells))
        else:
            assert request.god_powers == ("Mortal",)
            caller.say(wire.InitializeGame("Zeus", cells))  # not what was offered
            assert caller.told() == [request]
            caller.say(wire.InitializeGame("Mortal", cells))
    assert server.match().position.setup is None
    assert server.match().position.workers == ((20, 16), (8, 4))


@pytest.mark.parametrize("door", ["D", "F"])
@pytest.mark.parametrize("draft", [Draft.PRINTED, Draft.FIRST_PROPOSES, Draft.ONLINE, Draft.CHALLENGER])
def test_gods_are_proposed_by_lot(door: str, draft: Draft) -> None:
    server = Hall(seed=0)
    server.open(Options(draft))
    callers = seat(server, door, door)
    proposed = [action for action in actions_of(server) if isinstance(action, ProposeGod)]
    assert len(proposed) == 2
    assert server.match().pending is not None
    assert server.match().pending.kind == Kind.PICK_GOD
    assert sum(type(request).__name__.startswith("Request") for c in callers for request in c.told()) == 1


def test_the_lot_depends_on_the_match() -> None:
    server = Hall(seed=0)
    found = set()
    for _ in range(6):
        server.open(Options(Draft.PRINTED))
        seat(server, "D", "D")
    for name in server.journal.names():
        found.add(tuple(event.action["god"] for event in server.events(name) if isinstance(event, Acted)))
    assert len(found) > 1


@pytest.mark.parametrize("door", ["D", "F"])
def test_a_player_of_another_protocol_proposes_if_anyone_may(door: str) -> None:
    server = Hall(seed=0)
    server.open(Options(Draft.CHALLENGER))
    caller = Caller(server, door)
    caller.say(login(caller.edition, 2, "Anna"))
    guest, _ = server.guest()
    if door == "D":
        caller.say(wire.Message("Anna"))
    assert not actions_of(server)
    for god in (God.PAN, God.ATLAS):
        server.lobby.do(guest, Act(1, (ProposeGod(god),)))
    assert caller.last().god_powers == ("Atlas", "Pan")


@pytest.mark.parametrize("door", ["D", "F"])
def test_the_first_choice_begins(door: str) -> None:
    server = Hall(seed=0)
    server.open(Options(Draft.PRINTED))
    callers = seat(server, door, door)
    for caller in (callers[1], callers[0]):  # the proposer, seat 0, gets what is left
        for request in caller.told():
            if isinstance(request, wire.RequestInitializeGame):
                caller.say(wire.InitializeGame(request.god_powers[0], (cell(3, 3), cell(4, 4))))
            elif isinstance(request, wire.RequestInitializeGodPower):
                caller.say(wire.InitializeGodPower(request.god_powers[0]))
    assert ChooseStart(0) in actions_of(server)
    assert server.match().position.order == (0, 1)


@pytest.mark.parametrize("door", ["D", "F"])
def test_the_starting_god_is_the_first_that_may_be_named(door: str) -> None:
    server = Hall(seed=0)
    server.open(Options(Draft.ONLINE))
    seat(server, door, door)
    proposed = [action.god for action in actions_of(server) if isinstance(action, ProposeGod)]
    assert NameStart(proposed[0]) in actions_of(server)


def place_all(callers: list[Caller]) -> None:
    """Answer every question of the set-up, with workers in the corners and beside them."""
    cells = [(cell(0, 0), cell(0, 4)), (cell(4, 0), cell(4, 4)), (cell(2, 2), cell(2, 3))]
    for _ in range(4):
        for caller, mine in zip(callers, cells, strict=False):
            for request in caller.told():
                match request:
                    case wire.RequestInitializeGame(god_powers=gods):
                        caller.say(wire.InitializeGame(gods[0], mine))
                    case wire.RequestInitializeGodPower(god_powers=gods):
                        caller.say(wire.InitializeGodPower(gods[0]))
                    case wire.RequestInitializeWorkerPositions():
                        caller.say(wire.InitializeWorkerPositions(mine))


@pytest.mark.parametrize("draft", [draft for draft in Draft if draft not in (Draft.POSITION, Draft.FLEECE)])
@pytest.mark.parametrize("doors", [("D", "D", "D"), ("F", "F", "F"), ("D", "F", "D1"), ("F", "D", "F")], ids="".join)
def test_every_set_up_reaches_the_first_turn(draft: Draft, doors: tuple[str, ...]) -> None:
    server = Hall(seed=0)
    gods = (God.APOLLO, God.ATLAS, God.ZEUS) if draft is Draft.GIVEN else ()
    server.open(Options(draft, gods), 3)
    callers = seat(server, *doors)
    place_all(callers)
    assert server.match().position.setup is None
    assert all(len(workers) == 2 for workers in server.match().position.workers)


def test_the_ram_is_put_on_the_first_square() -> None:
    server = Hall(seed=0)
    server.open(Options(Draft.FLEECE, (God.APOLLO,)))
    callers = seat(server, "D", "F")
    place_all(callers)
    assert PlaceToken(1) in actions_of(server)
    assert server.match().position.setup is None


def test_a_third_worker_is_placed_on_the_first_square_and_has_no_number() -> None:
    server = Hall(seed=0)
    server.open(Options(Draft.GIVEN, (God.GRAEAE, God.GRAEAE), bans=False))
    callers = seat(server, "D", "F")
    place_all(callers)
    assert [len(workers) for workers in server.match().position.workers] == [3, 3]
    assert isinstance(callers[0].edition, Edition)


def test_a_gods_preparation_is_its_first_choice() -> None:
    server = Hall(seed=0)
    server.open(Options(Draft.GIVEN, (God.TARTARUS, God.PAN)))
    callers = seat(server, "D", "D")
    place_all(callers)
    assert isinstance(actions_of(server)[-1], PlaceToken)
    assert server.match().position.setup is None


# --- turns ----------------------------------------------------------------------------------------------------------


def test_an_early_answer_about_workers_is_kept() -> None:
    server = Hall(seed=0)
    anna, bruno = seat(server, "F", "D")
    anna.say(wire.InitializeGodPower(anna.last().god_powers[0]))
    bruno.say(wire.InitializeGame(bruno.last().god_powers[0], (cell(2, 2), cell(3, 3))))
    assert bruno.told() == []
    anna.say(wire.InitializeWorkerPositions((cell(0, 0), cell(1, 1))))
    assert actions_of(server)[-2:] == [PlaceWorker(12), PlaceWorker(8)]
    assert kinds(bruno.told()) == ["UpdateInitializeGame", "UpdateInitializeGame", "UpdateTurn"]


def optional(request: Any) -> tuple[bool, bool, bool]:
    assert isinstance(request, wire.RequestOptional)
    return request.can_decline, request.can_force_dome, request.is_move_optional


def test_prometheus_is_offered_a_build_before_the_move() -> None:
    server, (anna, _) = at_position(f"{EMPTY}/1/prometheus:A1,E5/pan:C3,C2", "D", "D")
    request = anna.last()
    assert optional(request) == (False, False, False)
    assert request.worker1_moves == request.worker1_builds == frozenset({cell(0, 1), cell(1, 0), cell(1, 1)})
    anna.say(wire.ConsolidateBuild(False, 1, cell(0, 1)))
    request = anna.last()
    assert isinstance(request, wire.RequestMove)
    assert request.worker1_moves == frozenset({cell(1, 0), cell(1, 1)})
    assert not request.worker2_moves
    assert actions_of(server) == [Build(20, 15)]


def test_artemis_may_move_again_and_demeter_may_build_again() -> None:
    server, (anna, bruno) = at_position(f"{EMPTY}/1/artemis:A1,E5/demeter:C3,C2", "D", "D")
    assert isinstance(anna.last(), wire.RequestMove)
    anna.say(wire.ConsolidateMove(1, cell(0, 1)))
    assert optional(anna.last()) == (False, False, True)
    anna.say(wire.ConsolidateMove(1, cell(0, 2)), wire.ConsolidateBuild(False, 1, cell(0, 3)))
    assert isinstance(bruno.last(), wire.RequestMove)
    bruno.say(wire.ConsolidateMove(1, cell(3, 3)), wire.ConsolidateBuild(False, 1, cell(4, 3)))
    request = bruno.last()
    assert optional(request) == (True, False, False)
    assert cell(4, 3, 1) not in request.worker1_builds
    assert not request.worker1_moves
    bruno.say(wire.DeclineLastOptional())
    assert actions_of(server)[-1] == DONE
    assert kinds(bruno.told()) == ["UpdateTurn"]


def test_only_the_active_player_gets_an_optional_request() -> None:
    _, (anna, bruno) = at_position(f"{EMPTY}/1/artemis:A1,E5/demeter:C3,C2", "D", "D")
    bruno.told()
    anna.say(wire.ConsolidateMove(1, cell(0, 1)))
    assert kinds(bruno.told()) == ["UpdateMove"]


def test_d1_is_never_asked_for_optional_steps() -> None:
    server, (anna, bruno) = at_position(f"{EMPTY}/1/artemis:A1,E5/demeter:C3,C2", "D1", "D1")
    assert isinstance(anna.last(), wire.RequestMove)
    anna.say(wire.ConsolidateMove(1, cell(0, 1)))
    request = anna.last()
    assert isinstance(request, wire.RequestBuild)
    assert anna.tell(wire.ConsolidateMove(1, cell(0, 2))) == [request]
    assert anna.tell(wire.DeclineLastOptional()) == [request]
    anna.say(wire.ConsolidateBuild(False, 1, cell(0, 2)))
    bruno.say(wire.ConsolidateMove(1, cell(3, 3)), wire.ConsolidateBuild(False, 1, cell(4, 3)))
    assert actions_of(server)[-1] == DONE
    assert isinstance(anna.last(), wire.RequestMove)


def test_d1_moves_although_prometheus_may_build_first() -> None:
    _, (anna, _) = at_position(f"{EMPTY}/1/prometheus:A1,E5/pan:C3,C2", "D1", "D1")
    request = anna.last()
    assert isinstance(request, wire.RequestMove)
    assert anna.tell(wire.ConsolidateBuild(False, 1, cell(0, 1))) == [request]


def test_d1_builds_if_nothing_else_is_possible() -> None:
    """Hermes may build without moving; here he cannot move."""
    server, (anna, _) = at_position(f"{'0' * 15}2200002000/1/hermes:A1/pan:C5,D5", "D1", "D1")
    request = anna.last()
    assert isinstance(request, wire.RequestBuild)
    anna.say(wire.ConsolidateBuild(False, 1, cell(1, 0, 2)))
    assert actions_of(server) == [Build(20, 21)]


@pytest.mark.parametrize("door", ["D", "D1", "F"])
def test_a_closing_step_without_a_message_is_declined(door: str) -> None:
    """Ares may remove a block at the end of his turn."""
    server, (anna, bruno) = at_position(f"{'0' * 20}00011/1/ares:A1,E2/pan:C3,C2", door, door)
    anna.say(wire.ConsolidateMove(1, cell(0, 1)), wire.ConsolidateBuild(False, 1, cell(0, 0)))
    assert actions_of(server)[-1] == DONE
    assert server.match().position.seat == 1
    assert kinds(bruno.told())[-1].startswith("Request")
    if door == "F":
        assert anna.last().can_decline  # he has not declined, so his turn is still to be closed


@pytest.mark.parametrize("door", ["D", "F"])
def test_a_closing_of_builds_is_an_optional_build(door: str) -> None:
    """Poseidon's other worker may build up to three times."""
    _, (anna, _) = at_position(f"{EMPTY}/1/poseidon:A1,E2/pan:C3,C2", door, door)
    anna.say(wire.ConsolidateMove(1, cell(0, 1)), wire.ConsolidateBuild(False, 1, cell(0, 0)))
    request = anna.last()
    assert request.can_decline
    assert request.worker2_builds
    assert not request.worker1_builds


def test_a_build_that_may_be_skipped_can_be_declined_but_not_in_d1() -> None:
    """Morpheus pays for each build and may build nothing."""
    for door, kind in (("D", wire.RequestOptional), ("D1", wire.RequestBuild), ("F", wire.RequestAction)):
        _, (anna, _) = at_position(f"{EMPTY}/1/morpheus:A1,E2/pan:C3,C2", door, door)
        anna.say(wire.ConsolidateMove(1, cell(0, 1)))
        request = anna.last()
        assert isinstance(request, kind)
        if isinstance(request, wire.RequestAction):
            assert request.is_build_optional
            assert request.can_decline
        elif isinstance(request, wire.RequestBuild):
            assert anna.tell(wire.DeclineLastOptional()) == [request]


def test_atlas_may_force_a_dome_and_f_always_says_so() -> None:
    for door in ("D", "F"):
        server, (anna, bruno) = at_position(f"{EMPTY}/1/atlas:A1,E2/pan:C3,C2", door, door)
        if door == "F":
            assert anna.last().can_force_dome
        anna.say(wire.ConsolidateMove(1, cell(0, 1)))
        assert anna.last().can_force_dome
        bruno.told()
        anna.say(wire.ConsolidateBuild(True, 1, cell(0, 0)))
        assert actions_of(server)[-1] == Build(15, 20, True)
        told = bruno.told()[0]
        block = told.update_build[0] if door == "F" else told
        assert block == wire.UpdateBuild(True, cell(0, 0))
        if door == "F":
            assert anna.last().can_force_dome
        else:
            bruno.say(wire.ConsolidateMove(1, cell(3, 3)))
            assert not bruno.last().can_force_dome


def test_a_dome_on_level_three_needs_no_force() -> None:
    for door in ("D", "F"):
        server, (anna, _) = at_position(f"{'0' * 15}3000000000/1/pan:B1,E2/atlas:C3,C4", door, door)
        anna.say(wire.ConsolidateMove(1, cell(0, 0)))
        request = anna.last()
        anna.say(wire.ConsolidateBuild(True, 1, cell(0, 1, 3)))
        assert anna.last() == request
        anna.say(wire.ConsolidateBuild(False, 1, cell(0, 1, 3)))
        assert actions_of(server)[-1] == Build(20, 15, True)


def test_atlas_may_set_force_dome_on_level_three() -> None:
    server, (anna, _) = at_position(f"{'0' * 15}3000000000/1/atlas:B1,E2/pan:C3,C4", "D", "D")
    anna.say(wire.ConsolidateMove(1, cell(0, 0)), wire.ConsolidateBuild(True, 1, cell(0, 1, 3)))
    assert actions_of(server)[-1] == Build(20, 15, True)


def test_only_a_dome_is_offered_where_an_opponent_forbids_blocks() -> None:
    """Limus: a cell is offered only for the dome, so a block there is rejected."""
    _, (anna, _) = at_position(f"{EMPTY}/1/atlas:A1,E5/limus:B3,E1", "D", "D")
    anna.say(wire.ConsolidateMove(1, cell(0, 1)))
    request = anna.last()
    assert cell(0, 2) in request.worker1_builds
    assert anna.tell(wire.ConsolidateBuild(False, 1, cell(0, 2))) == [request]
    assert kinds(anna.tell(wire.ConsolidateBuild(True, 1, cell(0, 2))))[0] == "UpdateBuild"


def test_zeus_builds_under_himself() -> None:
    for door in ("D", "F"):
        server, (anna, bruno) = at_position(f"{EMPTY}/1/zeus:A1,E2/pan:C3,C2", door, door)
        anna.say(wire.ConsolidateMove(1, cell(0, 1)))
        request = anna.last()
        assert cell(0, 1) in request.worker1_builds
        bruno.told()
        anna.say(wire.ConsolidateBuild(False, 1, cell(0, 1)))
        assert actions_of(server)[-1] == Build(15, 15)
        told = bruno.told()
        if door == "D":  # [6.9] the build alone
            assert told[0] == wire.UpdateBuild(False, cell(0, 1))
            assert kinds(told)[1:] == ["UpdateTurn", "RequestMove"]
        else:  # [7.7] one build and one move
            rise = wire.UpdateShippedMove(1, 1, cell(0, 1, 1), cell(0, 1))
            assert told[0] == wire.UpdateActions((wire.UpdateBuild(False, cell(0, 1)),), (rise,))


# --- which worker ---------------------------------------------------------------------------------------------------


def test_quirk_worker_0_is_the_worker_that_has_the_cell() -> None:
    server, (anna, _) = at_position(f"{EMPTY}/1/artemis:A1,E5/pan:C3,C2", "D", "D")
    anna.say(wire.ConsolidateMove(0, cell(0, 1)), wire.ConsolidateMove(0, cell(0, 2)))
    anna.say(wire.ConsolidateBuild(False, 0, cell(0, 3)))
    assert actions_of(server) == [Move(20, 15), Move(15, 10), Build(10, 5)]


def test_quirk_worker_0_is_the_first_if_both_have_the_cell() -> None:
    server, (anna, _) = at_position(f"{EMPTY}/1/artemis:A1,A3/pan:C3,C4", "D", "D")
    anna.say(wire.ConsolidateMove(0, cell(0, 1)))
    assert actions_of(server) == [Move(20, 15)]


def test_a_named_worker_acts_if_both_have_the_cell() -> None:
    server, (anna, _) = at_position(f"{EMPTY}/1/prometheus:A1,A3/pan:C3,C4", "D", "D")
    anna.say(wire.ConsolidateBuild(False, 2, cell(0, 1)))
    assert actions_of(server) == [Build(10, 15)]


@pytest.mark.parametrize("door", ["D", "F"])
def test_worker_0_is_accepted_for_every_cell_of_an_optional_first_build(door: str) -> None:
    start = f"{EMPTY}/1/prometheus:B3,D3/pan:A5,E1"
    _, (anna, _) = at_position(start, door, door)
    request = anna.last()
    cells = request.worker1_builds | request.worker2_builds
    assert request.worker1_builds & request.worker2_builds
    for one in cells:
        server, (anna, _) = at_position(start, door, door)
        anna.say(wire.ConsolidateBuild(False, 0, one))
        assert len(actions_of(server)) == 1, one


def test_a_cell_of_the_other_worker_is_rejected() -> None:
    server, (anna, _) = at_position(f"{EMPTY}/1/artemis:A1,E5/pan:C3,C2", "D", "D")
    request = anna.last()
    assert anna.tell(wire.ConsolidateMove(1, cell(4, 3))) == [request]
    assert not actions_of(server)


def test_the_third_worker_of_a_god_cannot_be_named() -> None:
    _, (anna, _) = at_position(f"{EMPTY}/1/graeae:A1,E5,A5/pan:C3,C2", "D", "D")
    request = anna.last()
    assert len(request.worker1_moves) == len(request.worker2_moves) == 3
    assert anna.tell(wire.ConsolidateMove(3, cell(0, 3))) == [request]


def test_a_request_is_not_repeated_after_another_player_picks() -> None:
    server = Hall(seed=0)
    server.open(Options(Draft.CHALLENGER), 3)
    callers = seat(server, "F", "F", "F")
    asked = [caller for caller in callers if kinds(caller.told())[-1] == "RequestInitializeGodPower"]
    assert len(asked) == 2
    god = next(iter(server.match().pending.choices))
    assert isinstance(god, PickGod)
    asked[0].say(wire.InitializeGodPower(god.god.value.capitalize()))
    (again,) = [message for message in asked[1].told() if isinstance(message, wire.RequestInitializeGodPower)]
    assert len(again.god_powers) == 2


def test_a_match_from_a_position_starts_with_the_board() -> None:
    assert position("x").draft is Draft.POSITION
    for door in ("D", "F"):
        _, (anna, _) = at_position("1300000000000000000000000/2/atlas:A1,E2/pan:B5,C2", door, door)
        told = anna.told()
        blocks = [m for m in told if isinstance(m, wire.UpdateBuild)]
        blocks += [b for m in told if isinstance(m, wire.UpdateActions) for b in m.update_build]
        wanted = [cell(0, 4), *(cell(1, 4, z) for z in range(3))]
        assert blocks == [wire.UpdateBuild(False, at) for at in wanted]
        assert told[-1].player_id == 2
