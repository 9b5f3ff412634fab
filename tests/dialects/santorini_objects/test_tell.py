"""Every event is reported in every edition, or declared to have no message."""

from __future__ import annotations

import pytest

from boardwire.dialects.santorini_objects.editions import Edition
from boardwire.dialects.santorini_objects.messages import classes as wire
from boardwire.dialects.santorini_objects.tell import tell
from boardwire.games.santorini.options import Draft, Options
from boardwire.games.santorini.powers.catalogue import God
from boardwire.table.commands import Chat, Close, OfferUndo, Resign, TimeOut
from boardwire.table.guest import Step
from boardwire.table.policy import Leaving, Policy
from boardwire.table.termination import Termination

from .spoken import Hall, at_position, cell, kinds, position, seat

EMPTY = "0" * 25
doors = pytest.mark.parametrize("door", ["D", "F"])


def test_a_step_is_encoded_once_for_all() -> None:
    server = Hall(seed=0)
    seat(server, "D", "D")
    _, notification = server.guest()
    step = next(one for one in notification if isinstance(one, Step))
    first = tell(step, None, Edition.D2, 0)
    assert tell(step, None, Edition.D2, 1) is first
    assert tell(step, None, Edition.F, 1) is not first


@doors
def test_displaced_workers_are_reported(door: str) -> None:
    _, (anna, bruno) = at_position(f"{EMPTY}/1/apollo:A1,E5/minotaur:A2,E1", door, door)
    bruno.told()
    anna.say(wire.ConsolidateMove(1, cell(0, 1)))
    told = bruno.told()
    if door == "D":
        assert told == [wire.UpdateMove(1, 1, cell(0, 1)), wire.UpdateMove(2, 1, cell(0, 0))]
    else:
        own = wire.UpdateShippedMove(1, 1, cell(0, 1), cell(0, 0))
        other = wire.UpdateShippedMove(2, 1, cell(0, 0), cell(0, 1))
        assert told == [wire.UpdateActions((), (own, other))]


@doors
def test_a_stuck_player_of_two_loses(door: str) -> None:
    """After player 1 has built, player 2, in the corner behind level 2, cannot move."""
    _, (anna, bruno) = at_position("0200022000000000000000000/1/pan:C4,E1/atlas:A5", door, door)
    # A5 is (0,4): its neighbours are two high, and C4 moves away
    told = bruno.told()
    assert kinds(told)[-1].startswith("Update")
    anna.say(wire.ConsolidateMove(2, cell(4, 1)), wire.ConsolidateBuild(False, 2, cell(4, 0)))
    ending = kinds(bruno.told())[-4:]
    if door == "D":
        assert ending == ["UpdateBuild", "UpdateTurn", "UpdateLoser", "UpdateWinner"]
    else:  # [7] Loser, Turn, Winner
        assert ending == ["UpdateShippedTurn", "UpdateLoser", "UpdateShippedTurn", "UpdateWinner"]
    assert bruno.peer.closed
    if door == "F":  # every turn ends by declining, also the last
        assert not anna.peer.closed
        anna.say(wire.DeclineLastAction())
    assert anna.last() == wire.UpdateWinner(1)
    assert anna.peer.closed


@doors
def test_a_stuck_player_of_three_is_eliminated_and_the_others_continue(door: str) -> None:
    server, (anna, bruno, carla) = at_position("0200022000000000000000000/1/pan:C4,E1/atlas:A5/zeus:C2,C1", *[door] * 3)
    anna.say(wire.ConsolidateMove(2, cell(4, 1)), wire.ConsolidateBuild(False, 2, cell(4, 0)))
    told = bruno.told()
    assert kinds(told)[-2:] == ["UpdateLoser", "UpdateTurn" if door == "D" else "UpdateShippedTurn"]
    assert told[-2:][0].player_id == 2
    assert told[-1].player_id == 3
    assert kinds(carla.told())[-1].startswith("Request")
    # [12.12] a loser who leaves is not a disconnection, one who stays sees what happens
    bruno.peer.drop()
    assert server.match().outcome is None
    carla.say(wire.ConsolidateMove(1, cell(2, 2)))
    assert kinds(carla.told())[0] in ("UpdateMove", "UpdateActions")
    carla.peer.drop()
    assert anna.last() == wire.UpdateDisconnection(3)


@doors
def test_a_loser_who_stays_gets_all_updates_and_cannot_act(door: str) -> None:
    _, (anna, bruno, carla) = at_position("0200022000000000000000000/1/pan:C4,E1/atlas:A5/zeus:C2,C1", *[door] * 3)
    anna.say(wire.ConsolidateMove(2, cell(4, 1)), wire.ConsolidateBuild(False, 2, cell(4, 0)))
    bruno.told()
    carla.say(wire.ConsolidateMove(1, cell(2, 2)))
    assert kinds(bruno.told()) == ["UpdateMove" if door == "D" else "UpdateActions"]
    assert kinds(bruno.tell(wire.ConsolidateMove(1, cell(2, 3)))) == ([] if door == "D" else ["RequestError"])


@doors
def test_a_player_of_another_dialect_who_resigns_loses(door: str) -> None:
    server, (anna, bruno) = at_position(f"{EMPTY}/1/pan:A1,E5/atlas:C3,C4", door, door)
    anna.told()
    next(iter(server.lobby)).do(None, Resign(1))
    ending = ["UpdateLoser", "UpdateWinner"] if door == "D" else ["UpdateLoser", "UpdateShippedTurn", "UpdateWinner"]
    assert kinds(anna.told()) == ending
    assert bruno.peer.closed


@doors
def test_a_draw_closes_the_connection(door: str) -> None:
    server = Hall(seed=0)
    server.open(Options(Draft.POSITION, position=f"{EMPTY}/1/pan:A1,E5/atlas:C3,C4", ply_cap=1))
    anna, bruno = seat(server, door, door)
    anna.told()
    anna.say(wire.ConsolidateMove(1, cell(0, 1)), wire.ConsolidateBuild(False, 1, cell(0, 0)))
    assert server.match().outcome is not None
    assert not {"UpdateWinner", "UpdateLoser", "UpdateDisconnection"} & set(kinds(anna.told()))
    assert anna.peer.closed
    assert bruno.peer.closed


@doors
def test_a_stopping_server_sends_nothing(door: str) -> None:
    server, (anna, _) = at_position(f"{EMPTY}/1/pan:A1,E5/atlas:C3,C4", door, door)
    anna.told()
    next(iter(server.lobby)).do(None, Close(Termination.INTERRUPTED))
    assert anna.told() == []
    assert anna.peer.closed


@doors
def test_a_held_seat_is_reported_as_disconnected_only_on_forfeit(door: str) -> None:
    server = Hall(seed=0)
    server.open(position(f"{EMPTY}/1/pan:A1,E5/atlas:C3,C4"), policy=Policy(Leaving.HOLDS, grace=60))
    anna, bruno = seat(server, door, door)
    anna.told()
    bruno.peer.drop()
    assert anna.told() == []
    assert not anna.peer.closed
    server.clock.pass_time(61)
    assert kinds(anna.told())[0] == "UpdateLoser"
    assert anna.peer.closed


@doors
def test_a_player_who_runs_out_of_time_loses(door: str) -> None:
    server = Hall(seed=0)
    server.open(position(f"{EMPTY}/1/pan:A1,E5/atlas:C3,C4"), policy=Policy(per_move=300))
    anna, bruno = seat(server, door, door)
    bruno.told()
    next(iter(server.lobby)).do(None, TimeOut(0))
    assert bruno.told() == []  # it is not up
    server.clock.pass_time(301)
    assert kinds(bruno.told())[0] == "UpdateLoser"
    assert anna.peer.closed


@doors
def test_chat_and_undo_offers_of_other_dialects_change_nothing(door: str) -> None:
    server = Hall(seed=0)
    server.open(position(f"{EMPTY}/1/pan:A1,E5/atlas:C3,C4"), policy=Policy(undo=True))
    anna, bruno = seat(server, door, door)
    anna.told()
    anna.say(wire.ConsolidateMove(1, cell(0, 1)))
    anna.told()
    bruno.told()
    table_ = next(iter(server.lobby))
    table_.do(None, Chat(None, "good luck"))
    table_.do(None, OfferUndo(0))
    assert anna.told() == bruno.told() == []
    assert server.match().agreed == ()  # bruno's program has no words for it, so it declined for him
    anna.say(wire.ConsolidateBuild(False, 1, cell(0, 0)))
    assert kinds(anna.told())[0] in ("UpdateBuild", "UpdateActions")


@doors
def test_hidden_workers_are_not_sent_to_opponents(door: str) -> None:
    """Only Hecate's owner is told where her workers are."""
    server = Hall(seed=0)
    server.open(Options(Draft.GIVEN, (God.PAN, God.HECATE)))
    anna, bruno = seat(server, door, door)
    cells = {anna: (cell(0, 0), cell(1, 1)), bruno: (cell(3, 3), cell(4, 4))}
    for caller, mine in cells.items():
        request = caller.last()
        caller.say(
            wire.InitializeWorkerPositions(mine) if door == "F" else wire.InitializeGame(request.god_powers[0], mine)
        )
    kind = wire.UpdateInitializeWorkerPositions if door == "F" else wire.UpdateInitializeGame
    (theirs,) = [m for m in anna.told() if isinstance(m, kind) and m.player_id == 2]
    (own,) = [m for m in bruno.told() if isinstance(m, kind) and m.player_id == 2]
    assert theirs.worker_positions == ()
    assert own.worker_positions == cells[bruno]


def test_f_reports_gods_in_the_order_of_player_numbers() -> None:
    """The shipped client opens its board at the update of the last player [10]."""
    server = Hall(seed=0)
    server.open(Options(Draft.PRINTED), 3)  # seat 0 proposes and picks last
    callers = seat(server, "F", "F", "F")
    for number in (1, 2):
        callers[number].say(wire.InitializeGodPower(callers[number].last().god_powers[0]))
    told = callers[0].told()
    gods = [message.player_id for message in told if isinstance(message, wire.UpdateInitializeGodPower)]
    assert gods == [1, 2, 3]


def test_a_player_who_resigns_during_set_up_does_not_block_the_others() -> None:
    server = Hall(seed=0)
    anna, bruno, carla = seat(server, "F", "F", "F")
    anna.say(wire.InitializeGodPower(anna.last().god_powers[0]))
    next(iter(server.lobby)).do(None, Resign(1))
    assert kinds(bruno.told())[-1] == "UpdateLoser"
    carla.say(wire.InitializeGodPower(carla.last().god_powers[0]))
    gods = [message.player_id for message in anna.told() if isinstance(message, wire.UpdateInitializeGodPower)]
    assert gods == [1, 3]
