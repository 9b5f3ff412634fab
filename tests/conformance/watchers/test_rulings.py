"""Rulings: other servers are judged by them only on request."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path

import msgspec
import pytest
from tests.conformance.test_language import rules

from boardwire.conformance.finding import Finding, Side
from boardwire.conformance.monitor import MessageRecord, Monitor, Record
from boardwire.conformance.watchers.santorini_states import Board, PositionTracker
from boardwire.conformance.watchers.watcher import WatcherGroup
from boardwire.games.santorini.actions import Build, Move
from boardwire.games.santorini.powers.catalogue import God

from .test_questions import Event, last_move, recorded

C, S = Side.CLIENT, Side.SERVER


def judge(dialect: str, events: Sequence[Event], *, rulings: bool) -> list[str]:
    """Return the codes of the findings about the server."""
    records: list[Record] = []
    group, monitors = WatcherGroup(), dict[int, Monitor]()
    for event in events:
        if event.connection not in monitors:
            monitors[event.connection] = Monitor(dialect, group, event.connection, records.append, rulings=rulings)
        if isinstance(event, MessageRecord):
            monitors[event.connection].receive(event.side, event.data, event.at)
    for monitor in monitors.values():
        assert not monitor.failed
    return [one.code for one in records if isinstance(one, Finding) and one.side is S]


def said(side: Side, data: bytes, connection: int = 1) -> MessageRecord:
    return MessageRecord(connection=connection, number=0, at=0.0, side=side, name="", text="", data=data)


def a_dome_is_listed() -> tuple[str, list[Event]]:
    """List a kind of action without a cell for the first build."""
    events = list(recorded("santorini-lobby"))
    wanted = b'[{"description":"Build_Block"}]'
    at = next(at for at, one in enumerate(events) if isinstance(one, MessageRecord) and wanted in one.data)
    listed = b'[{"description":"Build_Block"},{"description":"Build_Dome"}]'
    events[at] = said(S, events[at].data.replace(wanted, listed), events[at].connection)
    return "santorini-lobby", events


def the_last_step_is_answered(dialect: str) -> tuple[str, list[Event]]:
    events = list(recorded(dialect))
    mover = events[last_move(dialect)].connection
    answer = b'{"action":"playStepResponse","data":{"x":0,"y":0,"nextStep":"END"}}\n'
    return dialect, [*[one for one in events if isinstance(one, MessageRecord)], said(S, answer, mover)]


def a_result_comes_before_its_event() -> tuple[str, list[Event]]:
    return "santorini-lobby", [
        said(C, b'{"type":"SELECT_PLAYER_NUMBER","content":{"size":2}}\n'),
        said(S, b'{"type":"RESULT","content":{"value":true}}\n'),
        said(S, b'{"type":"SIZE_SELECTED","content":{"size":2}}\n'),
    ]


def what_is_no_message_is_granted() -> tuple[str, list[Event]]:
    return "santorini-lobby", [said(C, b"nonsense\n"), said(S, b'{"type":"RESULT","content":{"value":true}}\n')]


def a_long_name_is_taken() -> tuple[str, list[Event]]:
    name = "x" * 65
    return "santorini-actions", [
        said(C, f'{{"action":"addPlayer","data":{{"playerNickname":"{name}","lobbySize":2}}}}\n'.encode()),
        said(
            S,
            f'{{"action":"addPlayerResponse","data":{{"playerNickname":"{name}","lobbySize":2,"lobbyState":true,'
            f'"validNick":true,"fullLobby":false}}}}\n'.encode(),
        ),
    ]


def a_line_out_of_turn_gets_ko() -> tuple[str, list[Event]]:
    return "tris-lines", [said(S, b"READY\n"), said(C, b"4\n"), said(S, b"KO\n")]


def blanks_are_refused() -> tuple[str, list[Event]]:
    return "tris-lines", [said(S, b"WAIT\nREADY\n"), said(C, b" 4\n"), said(S, b"KO\n")]


RULINGS: list[tuple[Callable[[], tuple[str, list[Event]]], str]] = [
    (a_dome_is_listed, "santorini-lobby.listed"),
    (a_result_comes_before_its_event, "santorini-lobby.joined"),
    (what_is_no_message_is_granted, "santorini-lobby.unread"),
    (partial(the_last_step_is_answered, "santorini-actions"), "santorini-actions.last-step"),
    (partial(the_last_step_is_answered, "santorini-actions/shipped"), "santorini-actions.last-step"),
    (a_long_name_is_taken, "santorini-actions.naming"),
    (a_line_out_of_turn_gets_ko, "tris-lines.dropped"),
    (blanks_are_refused, "tris-lines.spelled"),
]


@pytest.mark.parametrize(("conversation", "code"), RULINGS)
def test_rulings_are_judged_only_on_request(conversation: Callable[[], tuple[str, list[Event]]], code: str) -> None:
    dialect, events = conversation()
    assert judge(dialect, events, rulings=True) == [code]
    assert judge(dialect, events, rulings=False) == []


def test_other_servers_need_not_answer_unreadable_messages() -> None:
    for rulings, wanted in ((False, []), (True, ["eriantys-messages.unread"])):
        records: list[Record] = []
        monitor = Monitor("eriantys-messages", WatcherGroup(), 1, records.append, rulings=rulings)
        monitor.receive(C, b"nonsense\n", 0.0)
        monitor.pass_time(9.0, 3.0)
        assert [one.code for one in records if isinstance(one, Finding) and one.side is S] == wanted


def test_a_missing_kind_of_action_is_a_breach_and_not_of_a_ruling() -> None:
    dialect, events = a_dome_is_listed()
    at = next(at for at, one in enumerate(events) if isinstance(one, MessageRecord) and b'"Build_Dome"' in one.data)
    data = b'{"type":"ACTION_READY","content":%s}\n' % msgspec.json.encode(
        {"user": msgspec.json.decode(events[at].data)["content"]["user"], "actionIdentifiers": []}
    )
    events[at] = said(S, data, events[at].connection)
    assert "santorini-lobby.ready" in judge(dialect, events, rulings=False)


def test_the_manual_lists_every_ruling() -> None:
    manual = (Path(__file__).parents[3] / "docs" / "protocol-tools.md").read_text("utf-8")
    listed = {
        code
        for line in manual.splitlines()
        if line.startswith("| `")
        for code in re.findall(r"`([a-z-]+\.[a-z-]+)`", line)
    }
    assert listed == {rule.code for rule in rules() if rule.ruling}


# --- dead ends ------------------------------------------------------------------------------------------------------

CORNER = Board(
    levels=(0, 0, 0, 0, 0, 0, 2, *[0] * 18),
    domes=frozenset({5, 18, 19, 23}),
    workers=(frozenset({0, 24}), frozenset({12, 14})),
)
"""Prometheus in a corner: he can move to one square, and build there or on the high one beside it."""


def corner() -> PositionTracker:
    tracker = PositionTracker([God.PROMETHEUS, God.MORTAL], [[0, 24], [12, 14]], CORNER, 0)
    assert tracker.is_known
    return tracker


def test_a_build_that_leaves_no_move_is_offered_by_the_stage_and_not_legal() -> None:
    tracker = corner()
    dead = Build(by=0, at=1)
    assert dead not in tracker.choices
    assert dead in tracker.offered
    assert {Move(0, 1), Build(by=0, at=6)} <= tracker.choices


def test_a_board_after_a_dead_end_is_recognized() -> None:
    def built(square: int) -> Board:
        levels = [level + (at == square) for at, level in enumerate(CORNER.levels)]
        return msgspec.structs.replace(CORNER, levels=tuple(levels))

    tracker = corner()
    assert tracker.is_dead_end(built(1))
    assert not tracker.is_dead_end(built(10))
    assert tracker.see(built(6))


def test_only_players_without_plain_moves_or_with_lookahead_are_disputed() -> None:
    assert corner().is_disputed(0)  # Prometheus looks ahead
    plain = PositionTracker([God.MORTAL, God.PAN], [[0, 24], [12, 14]], CORNER, 0)
    assert not plain.is_disputed(0)
    walled = msgspec.structs.replace(CORNER, domes=CORNER.domes | {1, 6})
    assert PositionTracker([God.PAN, God.MORTAL], [[0, 24], [12, 14]], walled, 1).is_disputed(0)


def test_an_unannounced_loser_is_recognized() -> None:
    walled = msgspec.structs.replace(CORNER, domes=CORNER.domes | {1})
    tracker = PositionTracker([God.PAN, God.MORTAL], [[0, 24], [12, 14]], walled, 1)
    assert not tracker.has_unannounced_loser(())
    moved = msgspec.structs.replace(walled, workers=(walled.workers[0], frozenset({12, 13})))
    assert tracker.see(moved)
    built = msgspec.structs.replace(moved, levels=(*moved.levels[:14], 1, *moved.levels[15:]))
    assert tracker.see(built)
    assert tracker.has_unannounced_loser(())
    assert not tracker.has_unannounced_loser({0})


# --- Ferry ----------------------------------------------------------------------------------------------------------


def event(kind: str, **content: object) -> MessageRecord:
    return said(S, msgspec.json.encode({"type": kind, "content": content}) + b"\n")


def ferry(x: int, y: int) -> list[Event]:
    """Return a refused check: Ann, who has Charon, asks whether her pawn on 1,1 may throw the one on 1,2."""
    ann, bob = {"username": "ann"}, {"username": "bob"}
    request = {"user": ann, "id": 0, "actionIdentifier": {"description": "Ferry"}, "coordinate": {"x": x, "y": y}}
    placed = [(ann, 0, 1, 1), (ann, 1, 4, 4), (bob, 0, 1, 2), (bob, 1, 4, 0)]
    return [
        event("SIZE_SELECTED", size=2),
        said(C, b'{"type":"ADD_USER","content":{"user":{"username":"ann"}}}\n'),
        event("USER_JOINED", user=ann),
        event("RESULT", value=True),
        event("USER_JOINED", user=bob),
        event("GOD_CHOSEN", user=bob, godIdentifier={"name": "Pan", "description": ""}),
        event("GOD_CHOSEN", user=ann, godIdentifier={"name": "Charon", "description": ""}),
        *[event("PAWN_PLACED", owner=one, pawnId=pawn, coordinate={"x": a, "y": b}) for one, pawn, a, b in placed],
        event("TURN_CHANGE", user=ann, turn=0),
        event("ACTION_READY", user=ann, actionIdentifiers=[{"description": "Move"}, {"description": "Ferry"}]),
        said(C, msgspec.json.encode({"type": "CHECK_ACTION", "content": request}) + b"\n"),
        event("RESULT", value=False),
    ]


def test_the_cell_where_a_ferried_pawn_lands_may_be_refused() -> None:
    assert judge("santorini-lobby", ferry(1, 0), rulings=False) == []
    assert judge("santorini-lobby", ferry(1, 0), rulings=True) == ["santorini-lobby.ferry"]


def test_the_cell_of_the_pawn_that_is_ferried_may_not_be_refused() -> None:
    assert judge("santorini-lobby", ferry(1, 2), rulings=False) == ["santorini-lobby.actions"]
