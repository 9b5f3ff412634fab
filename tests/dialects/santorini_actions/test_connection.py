"""Heartbeat, disconnects, and table events that the protocol does not report."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import pytest

from boardwire.dialects.dialect import Dialect
from boardwire.games.santorini import Draft, Options
from boardwire.lobby.requests import Open, Seek
from boardwire.simulation.server import SimulatedServer
from boardwire.table.commands import Chat, Close, OfferUndo, Resign
from boardwire.table.events import Player
from boardwire.table.guest import Guest
from boardwire.table.policy import Leaving, Policy
from boardwire.table.ports import AppendResult
from boardwire.table.termination import Termination

from .players import DOCUMENT, SHIPPED, Raw, actions, open_table, start_from

FLAT = "00000 00000 00000 00000 00000/1/pan:A5,E1/pan:C3,D3"
LEFT = [{"action": "serverError", "data": {"error": "One Client Disconnected - Game Interrupted"}}]


def test_the_shipped_edition_pings_at_once_and_five_seconds_after_each_pong() -> None:
    server = SimulatedServer(seed=0)
    client = Raw(server, SHIPPED, "ann")
    assert client.take() == [{"action": "ping"}]
    server.clock.pass_time(9)
    assert client.say("pong") == []
    server.clock.pass_time(4.9)
    assert client.take() == []
    server.clock.pass_time(0.2)
    assert client.take() == [{"action": "ping"}]
    client.say("pong")
    server.clock.pass_time(5.1)
    assert client.take() == [{"action": "ping"}]


def test_a_client_that_stops_answering_pings_is_disconnected_after_ten_seconds() -> None:
    server = SimulatedServer(seed=0)
    client = Raw(server, SHIPPED, "ann")
    client.say("pong")
    client.join()
    server.clock.pass_time(5.1)
    client.take()
    server.clock.pass_time(10.1)
    assert client.peer.closed
    assert client.take() == [], "a waiting player is dropped without a message"


def test_a_client_that_never_answered_a_ping_gets_no_other_and_stays_connected() -> None:
    server, (ann, bill) = start_from(FLAT, SHIPPED)
    server.clock.pass_time(3600)
    assert ann.take() == bill.take() == []
    assert not ann.peer.closed
    assert actions(ann.start()) == ["setStartTurnResponse"]


def test_an_unanswered_ping_ends_the_match_for_all() -> None:
    server, (ann, bill) = start_from(FLAT, SHIPPED)
    bill.say("pong")
    server.clock.pass_time(5.1)
    ann.say("pong")
    server.clock.pass_time(5.1)
    ann.say("pong")
    server.clock.pass_time(5)
    assert bill.peer.closed
    assert [one for one in ann.take() if one["action"] != "ping"] == LEFT
    assert ann.peer.closed


def test_the_document_edition_never_pings_and_ignores_pongs() -> None:
    server, (ann, _) = start_from(FLAT)
    server.clock.pass_time(100)
    assert ann.say("pong") == []
    assert not ann.peer.closed


def test_pings_continue_between_matches() -> None:
    server = SimulatedServer(seed=0)
    client = Raw(server, SHIPPED, "ann")
    for _ in range(3):
        client.say("pong")
        server.clock.pass_time(5.1)
        assert client.take() == [{"action": "ping"}]
        client.join()


@pytest.mark.parametrize("edition", [DOCUMENT, SHIPPED])
def test_a_player_who_leaves_ends_the_match_and_all_its_connections(edition: Dialect) -> None:
    server, (ann, bill, cleo) = start_from(f"{FLAT}/pan:A1,B1", edition, 3)
    bill.peer.drop()
    for other in (ann, cleo):
        assert other.take() == LEFT
        assert other.peer.closed
    assert server.match().outcome.termination == "abandoned"


def test_a_player_who_leaves_during_set_up_ends_the_match() -> None:
    server = SimulatedServer(seed=0)
    ann, bill = Raw(server, DOCUMENT, "ann"), Raw(server, DOCUMENT, "bill")
    ann.join()
    bill.join()
    ann.take()
    bill.peer.drop()
    assert ann.take() == LEFT
    assert ann.peer.closed


def test_a_stopping_server_sends_an_error_and_closes() -> None:
    server, (ann, _) = start_from(FLAT)
    (table,) = server.lobby
    table.do(None, Close(Termination.INTERRUPTED))
    assert ann.take() == [{"action": "serverError", "data": {"error": "Game Interrupted"}}]
    assert ann.peer.closed


def test_a_stopping_server_closes_a_waiting_client_without_a_message() -> None:
    server = SimulatedServer(seed=0)
    client = Raw(server, DOCUMENT, "ann")
    client.join()
    (table,) = server.lobby
    table.do(None, Close(Termination.INTERRUPTED))
    assert client.take() == []
    assert client.peer.closed


def undoing() -> tuple[SimulatedServer, Raw, Callable[[Any], None]]:
    """Return a table with undo, one raw client and one guest of another dialect."""
    server = SimulatedServer(seed=0)
    other = Guest(lambda notification: None)
    options = Options(draft=Draft.POSITION, position=FLAT)
    seek = Seek("santorini", 2, Player("zed", "another"), options, Policy(Leaving.HOLDS, grace=60, undo=True))
    server.lobby.do(other, seek)
    client = Raw(server, DOCUMENT, "bill")
    client.join()
    client.take()
    return server, client, partial(server.lobby.do, other)


def test_chat_and_undo_offers_are_not_forwarded_and_undo_is_declined() -> None:
    server, client, do = undoing()
    from boardwire.games.santorini.actions import Move
    from boardwire.table.commands import Act

    do(Act(0, (Move(0, 1),)))
    client.take()
    do(Chat(0, "hello"))
    do(OfferUndo(0))
    assert client.take() == []
    assert server.match().agreed == ()
    assert server.match().moves == 1


def test_chat_during_a_turn_does_not_repeat_the_question() -> None:
    server = SimulatedServer(seed=0)
    options = Options(draft=Draft.POSITION, position=FLAT)
    watcher = Guest(lambda notification: None)
    server.lobby.do(watcher, Open(Seek("santorini", 2, Player(), options)))
    ann, bill = Raw(server, DOCUMENT, "ann"), Raw(server, DOCUMENT, "bill")
    ann.join()
    bill.join()
    ann.take()
    ann.start()
    ann.select(0, 0)
    server.lobby.do(watcher, Chat(None, "nice", "zed"))
    assert ann.take() == []
    assert actions(ann.step(0, 1))[0] == "battlefieldUpdate"


def test_a_player_who_resigns_loses_and_the_other_wins() -> None:
    _, client, do = undoing()
    do(Resign(0))
    assert actions(client.take()) == ["battlefieldUpdate", "youWin"]


def test_no_message_is_sent_while_a_seat_is_held() -> None:
    server, client, do = undoing()
    from boardwire.table.commands import Leave

    do(Leave(0))
    assert client.take() == []
    assert not client.peer.closed
    server.clock.pass_time(61)
    assert actions(client.take()) == ["battlefieldUpdate", "youWin"]


def test_a_draw_is_reported_as_a_loss_to_all() -> None:
    server = SimulatedServer(seed=0)
    open_table(server, Options(draft=Draft.POSITION, position=FLAT, ply_cap=1))
    ann, bill = Raw(server, DOCUMENT, "ann"), Raw(server, DOCUMENT, "bill")
    ann.join()
    bill.join()
    ann.take()
    ann.start()
    ann.select(0, 0)
    ann.step(0, 1)
    assert actions(ann.step(0, 0)) == ["battlefieldUpdate", "youLose"]
    assert actions(bill.take())[-1] == "youLose"
    assert not bill.peer.closed


def test_a_step_that_cannot_be_stored_is_retried_until_it_can(monkeypatch: pytest.MonkeyPatch) -> None:
    server, (ann, bill) = start_from(FLAT)
    ann.start()
    ann.select(0, 0)
    monkeypatch.setattr(server.journal, "append", lambda match, first, events, done: done(AppendResult.FAILED))
    assert actions(ann.step(0, 1)) == []
    server.clock.pass_time(3.0)
    assert ann.take() == bill.take() == []
    monkeypatch.undo()
    server.clock.pass_time(1.0)
    assert actions(ann.take()) == ["battlefieldUpdate", "workerViewUpdate", "playStepResponse"]
    assert actions(bill.take())[0] == "battlefieldUpdate"
