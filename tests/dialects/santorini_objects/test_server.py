"""Conversation of one seat: ends of turns, void questions, the end of the match."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from boardwire.dialects.santorini_objects.messages import classes as wire
from boardwire.games.santorini.actions import Build, Move
from boardwire.table.commands import Act
from boardwire.table.events import Event
from boardwire.table.ports import Appended, AppendResult

from .spoken import Caller, Hall, at_position, cell, kinds, login, position

EMPTY = "0" * 25
START = f"{EMPTY}/1/pan:A1,E5/atlas:C3,C4"


def test_f_learns_of_the_next_turn_after_declining() -> None:
    _, (anna, bruno) = at_position(START, "F", "F")
    anna.say(wire.ConsolidateMove(1, cell(0, 1)), wire.ConsolidateBuild(False, 1, cell(0, 0)))
    last = anna.last()
    assert last == wire.RequestAction(True, False, False, False, 1, *[frozenset()] * 4)
    assert kinds(bruno.told())[-2:] == ["UpdateShippedTurn", "RequestAction"]
    assert anna.tell(wire.DeclineLastAction()) == [wire.UpdateShippedTurn(False, 2)]


def test_a_slow_decline_delays_no_other_player_and_loses_nothing() -> None:
    server, (anna, bruno) = at_position(START, "F", "F")
    anna.say(wire.ConsolidateMove(1, cell(0, 1)), wire.ConsolidateBuild(False, 1, cell(0, 0)))
    anna.told()
    bruno.say(wire.ConsolidateMove(1, cell(3, 3)), wire.ConsolidateBuild(False, 1, cell(3, 2)))
    assert anna.told() == []
    assert server.match().position.seat == 0
    told = anna.tell(wire.DeclineLastAction())
    assert kinds(told) == ["UpdateShippedTurn", "UpdateActions", "UpdateActions", "UpdateShippedTurn", "RequestAction"]
    assert anna.tell(wire.DeclineLastAction())[0] == wire.RequestError(1, "REJECTED")


def test_a_win_by_the_next_player_is_reported_after_the_decline() -> None:
    _, (anna, bruno) = at_position("00023 00000 00000 00000 00000/1/pan:A1,E1/atlas:D5,C3", "F", "F")
    anna.say(wire.ConsolidateMove(1, cell(0, 1)), wire.ConsolidateBuild(False, 1, cell(0, 0)))
    anna.told()
    bruno.say(wire.ConsolidateMove(1, cell(4, 4, 3)))
    assert kinds(bruno.told())[-1] == "UpdateWinner"
    assert bruno.peer.closed
    assert anna.told() == []
    told = anna.tell(wire.DeclineLastAction())
    assert kinds(told) == ["UpdateShippedTurn", "UpdateActions", "UpdateWinner"]
    assert anna.peer.closed


def test_a_win_by_the_step_itself_needs_no_decline() -> None:
    """Chronus wins when the fifth tower stands, as by a move to the third level."""
    _, (anna, _) = at_position("44443 00000 00000 00000 00000/1/chronus:E3,A1/pan:C3,B1", "F", "F")
    anna.say(wire.ConsolidateMove(1, cell(4, 3)))
    anna.told()
    assert kinds(anna.tell(wire.ConsolidateBuild(False, 1, cell(4, 4, 3)))) == ["UpdateActions", "UpdateWinner"]
    assert anna.peer.closed


def test_an_interrupted_match_does_not_wait_for_a_decline() -> None:
    server, (anna, bruno) = at_position(START, "F", "F")
    anna.say(wire.ConsolidateMove(1, cell(0, 1)), wire.ConsolidateBuild(False, 1, cell(0, 0)))
    anna.told()
    bruno.peer.drop()
    assert anna.told() == [wire.UpdateShippedTurn(False, 2), wire.UpdateDisconnection(2)]
    assert anna.peer.closed
    assert server.match().outcome is not None


def test_a_declined_option_ends_the_turn_without_another_question() -> None:
    _, (anna, _) = at_position(f"{EMPTY}/1/demeter:A1,E5/atlas:C3,C4", "F", "F")
    anna.say(wire.ConsolidateMove(1, cell(0, 1)), wire.ConsolidateBuild(False, 1, cell(0, 0)))
    request = anna.last()
    assert request.can_decline
    assert request.is_build_optional
    assert anna.tell(wire.DeclineLastAction()) == [wire.UpdateShippedTurn(False, 2)]


def test_an_option_taken_needs_a_decline_too() -> None:
    _, (anna, _) = at_position(f"{EMPTY}/1/demeter:A1,E5/atlas:C3,C4", "F", "F")
    anna.say(wire.ConsolidateMove(1, cell(0, 1)), wire.ConsolidateBuild(False, 1, cell(0, 0)))
    anna.told()
    told = anna.tell(wire.ConsolidateBuild(False, 1, cell(0, 2)))
    assert kinds(told) == ["UpdateActions", "RequestAction"]
    assert not told[-1].worker1_builds


@pytest.mark.parametrize("door", ["D", "F"])
def test_unrequested_messages_are_dropped(door: str) -> None:
    server, (anna, bruno) = at_position(START, door, door)
    bruno.say(wire.ConsolidateMove(1, cell(3, 3)))
    anna.say(wire.ConsolidateMove(1, cell(0, 1)), wire.ConsolidateBuild(False, 1, cell(0, 0)))
    assert server.match().position.workers[1] == (12, 7)


@pytest.mark.parametrize("door", ["D", "F"])
def test_another_dialect_can_play_at_the_table(door: str) -> None:
    server = Hall(seed=0)
    server.open(position(START))
    guest, _ = server.guest()
    caller = Caller(server, door)
    caller.say(login(caller.edition, 2, "Anna"))
    if door == "D":
        caller.say(wire.Message("Anna"))
    assert kinds(caller.told())[-1] in ("UpdateTurn", "UpdateShippedTurn")
    server.lobby.do(guest, Act(0, (Move(20, 15), Build(15, 20))))
    told = caller.told()
    assert kinds(told)[-1].startswith("Request")
    assert server.match().players[0].name == "native"


@pytest.mark.parametrize("door", ["D", "F"])
def test_an_answer_that_cannot_be_stored_is_asked_for_again(door: str, monkeypatch: pytest.MonkeyPatch) -> None:
    server, (anna, _) = at_position(START, door, door)
    request = anna.last()
    with monkeypatch.context() as patch:
        patch.setattr(server.journal, "append", lambda match, first, events, done: done(AppendResult.FAILED))
        told = anna.tell(wire.ConsolidateMove(1, cell(0, 1)))
    assert told[-1] == request
    assert kinds(anna.tell(wire.ConsolidateMove(1, cell(0, 1))))[0].startswith("Update")


def test_a_default_that_cannot_be_stored_ends_the_conversation(monkeypatch: pytest.MonkeyPatch) -> None:
    server, (anna, bruno) = at_position(f"{'0' * 20}00011/1/ares:A1,E2/pan:C3,C2", "D", "D")
    anna.say(wire.ConsolidateMove(1, cell(0, 1)))
    append = server.journal.append
    calls = []

    def fails(match: str, first: int, events: Sequence[Event], done: Appended) -> None:
        calls.append(events)
        if len(calls) == 2:
            done(AppendResult.FAILED)
        else:
            append(match, first, events, done)

    monkeypatch.setattr(server.journal, "append", fails)
    anna.say(wire.ConsolidateBuild(False, 1, cell(0, 0)))
    assert anna.peer.closed
    assert kinds(bruno.told())[-1] == "UpdateDisconnection"


@pytest.mark.parametrize("door", ["D", "F"])
def test_a_hundred_bad_messages_in_a_row_end_the_connection(door: str) -> None:
    server, (anna, bruno) = at_position(START, door, door)
    useless = wire.ConsolidateMove(1, None)
    anna.say(*[useless] * 99)
    assert not anna.peer.closed
    anna.say(wire.ConsolidateMove(1, cell(0, 1)))  # a good one makes up for them
    anna.say(*[useless] * 99)
    assert not anna.peer.closed
    bruno.told()
    anna.say(useless)
    assert anna.peer.closed
    assert bruno.told() == [wire.UpdateDisconnection(1)]
    assert server.match().outcome is not None


@pytest.mark.parametrize("door", ["D", "F"])
def test_ignored_messages_count_as_bad_ones(door: str) -> None:
    _, (anna, _) = at_position(START, door, door)
    anna.say(*[wire.Message("HELLO")] * 100)
    assert anna.peer.closed
