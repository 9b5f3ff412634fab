"""The server's end of forza-lines where a transcript is not enough: limits, the rest of the server, other guests."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from boardwire.dialects.forza_lines.messages import LINE_LIMIT, NAME_LIMIT
from boardwire.dialects.forza_lines.server import MAX_BAD_MESSAGES
from boardwire.dialects.forza_lines.tell import TELL
from boardwire.dialects.participant import Participant
from boardwire.lobby.lobby import Lobby
from boardwire.lobby.requests import Seek
from boardwire.simulation.luck import CountedNames, ScriptedDealer
from boardwire.simulation.server import SimulatedConnection, SimulatedServer
from boardwire.table.commands import Close
from boardwire.table.events import Player, UndoDeclined
from boardwire.table.guest import Guest, Seated, Step, Tie
from boardwire.table.match import moments
from boardwire.table.policy import Leaving, Policy
from boardwire.table.termination import Termination

from ...table.doubles import HeldJournal
from ..native.visitor import Visitor

EMPTY = "| . . . . . . . |\n" * 6 + "+-1-2-3-4-5-6-7-+\n"


def come(server: SimulatedServer, name: str) -> SimulatedConnection:
    peer = server.connect("forza-lines")
    peer.send(f"{name}\n".encode())
    return peer


def pair(server: SimulatedServer) -> tuple[SimulatedConnection, SimulatedConnection]:
    ann, bob = come(server, "Ann"), come(server, "Bob")
    ann.take()
    bob.take()
    return ann, bob


def words(peer: SimulatedConnection) -> list[str]:
    """Return the server's lines without the boards."""
    return [line for line in peer.take().decode().splitlines() if not line.startswith(("|", "+"))]


# --- lines and limits -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("end", [b"\n", b"\r\n", b"\r"])
def test_three_line_ends_are_accepted(end: bytes) -> None:
    ann, bob = pair(SimulatedServer())
    ann.send(b"  4 " + end)
    assert words(bob) == ["DROP RED 4", "TURN YELLOW"]


def test_a_line_that_is_too_long_ends_the_connection_even_if_incomplete() -> None:
    ann, bob = pair(SimulatedServer())
    ann.send(b" " * LINE_LIMIT)
    assert not ann.closed
    ann.send(b" ")
    assert ann.closed
    assert words(bob) == ["BROKEN_OFF abandoned"]


def test_too_many_refused_lines_in_a_row_end_the_connection() -> None:
    ann, bob = pair(SimulatedServer())
    ann.send(b"x\n" * (MAX_BAD_MESSAGES - 1))
    assert not ann.closed
    ann.send(b"8\n")
    assert len(words(ann)) == MAX_BAD_MESSAGES
    assert ann.closed
    assert words(bob) == ["BROKEN_OFF abandoned"]


def test_too_many_invalid_names_end_the_connection() -> None:
    peer = SimulatedServer().connect("forza-lines")
    peer.send(b"\n" * MAX_BAD_MESSAGES)
    assert peer.closed


def test_a_disc_resets_the_count_of_refused_lines() -> None:
    ann, bob = pair(SimulatedServer())
    ann.send(b"x\n" * (MAX_BAD_MESSAGES - 1) + b"4\n")
    bob.send(b"4\n")
    ann.send(b"x\n" * (MAX_BAD_MESSAGES - 1))
    assert not ann.closed


def test_a_name_may_have_the_full_length_and_any_letters() -> None:
    server = SimulatedServer()
    come(server, "Ł" * NAME_LIMIT)
    assert words(come(server, "Bob"))[2:] == [f"START YELLOW {'Ł' * NAME_LIMIT}", "TURN RED"]


# --- while the journal is slow --------------------------------------------------------------------------------------


class SlowServer(SimulatedServer):
    """Server with a journal that answers on demand."""

    def __init__(self) -> None:
        super().__init__()
        self.held = self.journal = HeldJournal()
        self.lobby = Lobby(self.journal, self.clock, ScriptedDealer(seed=0), CountedNames())


def slow_pair(server: SlowServer) -> tuple[SimulatedConnection, SimulatedConnection]:
    ann = come(server, "Ann")
    server.held.answer_all()
    bob = come(server, "Bob")
    server.held.answer_all()
    ann.take()
    bob.take()
    return ann, bob


def test_a_disc_is_not_reported_before_it_is_stored_and_later_lines_wait() -> None:
    """[7.1]"""
    server = SlowServer()
    ann, bob = slow_pair(server)
    ann.send(b"4\n5\n")
    assert (ann.take(), bob.take()) == (b"", b"")
    server.held.answer()
    assert words(ann) == ["DROP RED 4", "TURN YELLOW", "NO not-your-turn it is Bob's turn"]
    assert words(bob) == ["DROP RED 4", "TURN YELLOW"]


def test_a_chat_does_not_answer_a_pending_disc() -> None:
    server = SlowServer()
    ann, bob = slow_pair(server)
    bob.send(b"say well\n")
    ann.send(b"4\n5\n")
    server.held.answer()
    assert words(ann) == ["SAID YELLOW well"]
    server.held.answer()
    assert words(ann) == ["DROP RED 4", "TURN YELLOW", "NO not-your-turn it is Bob's turn"]


def test_a_disc_that_cannot_be_stored_may_be_dropped_again() -> None:
    server = SlowServer()
    ann, bob = slow_pair(server)
    ann.send(b"4\n")
    server.held.fail()
    assert words(ann) == ["NO unavailable the server cannot store this at the moment; try again"]
    ann.send(b"4\n")
    server.held.answer()
    assert words(bob) == ["DROP RED 4", "TURN YELLOW"]


def test_a_full_server_refuses_and_accepts_another_name() -> None:
    server = SimulatedServer(limit=1)
    pair(server)
    peer = come(server, "Cleo")
    assert words(peer)[1].startswith("NO server-full ")
    assert not peer.closed


# --- at a table with other guests -----------------------------------------------------------------------------------


def native(server: SimulatedServer, **settings: object) -> Visitor:
    """Connect a native client and open a table."""
    visitor = Visitor(server, "Nat")
    visitor.say("open", game="forza", **settings)
    return visitor


def act(server: SimulatedServer, visitor: Visitor, column: int) -> None:
    visitor.say("act", seq=server.match().seq, action=column)


def test_a_native_client_plays_at_the_same_table() -> None:
    server = SimulatedServer()
    nat = native(server)
    ann = come(server, "Ann")
    assert ann.take().decode() == (
        f"HELLO What is your name?\nWELCOME Wait for your opponent.\nSTART YELLOW Nat\n{EMPTY}TURN RED\n"
    )
    for column in (0, 1, 2):
        act(server, nat, column)
        ann.send(b"7\n")
    act(server, nat, 3)
    assert words(ann)[-2:] == ["DROP RED 4", "LOST line"]
    assert ann.closed


def test_a_bot_plays_at_the_same_table_and_is_called_by_its_name() -> None:
    server = SimulatedServer()
    guest = Guest(lambda notification: None)
    server.lobby.do(guest, Seek("forza", 2, Player("greedy", bot="greedy")))
    assert words(come(server, "Ann"))[2] == "START YELLOW greedy"


def test_an_unnamed_player_is_called_by_its_number() -> None:
    server = SimulatedServer()
    server.lobby.do(Guest(lambda notification: None), Seek("forza", 2, Player()))
    assert words(come(server, "Ann"))[2] == "START YELLOW player 1"


def test_a_player_out_of_time_has_lost() -> None:
    server = SimulatedServer()
    native(server, per_move=10.0)
    ann = come(server, "Ann")
    server.clock.pass_time(10.0)
    assert words(ann)[-1] == "WON timed out"
    assert ann.closed


def test_an_undo_is_declined_without_asking_the_client() -> None:
    """[6]"""
    server = SimulatedServer()
    nat = native(server, undo=True)
    ann = come(server, "Ann")
    act(server, nat, 3)
    ann.take()
    nat.say("undo")
    assert ann.take() == b""
    assert isinstance(server.events()[-1], UndoDeclined)


def test_an_undo_settled_by_a_disc_does_not_count_as_a_refused_line() -> None:
    """The other offers an undo and moves at once: that we decline comes too late, and no one has asked for it."""
    server = SlowServer()
    nat = Visitor(server, "Nat")
    nat.say("open", game="forza", undo=True)
    server.held.answer_all()
    ann = come(server, "Ann")
    server.held.answer_all()
    act(server, nat, 3)
    server.held.answer_all()
    ann.send(b"4\n")
    server.held.answer_all()
    ann.take()
    seq = server.match().seq
    nat.say("undo")
    nat.say("act", seq=seq, action=3)
    server.held.answer_all()
    assert words(ann) == ["DROP RED 4", "TURN YELLOW"]


def test_two_discs_in_one_step_are_reported_in_order() -> None:
    server = SimulatedServer()
    ann, bob = pair(server)
    ann.send(b"4\n")
    bob.send(b"4\n")
    said: list[bytes] = []
    talk: Any = SimpleNamespace(say=said.append, do=None)
    match = server.match()
    participant = Participant(talk, Seated(match, 0))
    participant.follow(Step(tuple(moments(server.events()))), TELL)
    assert b"".join(said).decode().endswith(ann.take().decode())


def test_a_spectators_chat_is_marked() -> None:
    server = SimulatedServer()
    ann, _ = pair(server)
    zoe = Visitor(server, "Zoe")
    zoe.say("watch", match="match-1")
    zoe.say("say", text="good\nluck")
    assert words(ann) == ["SAID WATCHER good\N{REPLACEMENT CHARACTER}luck"]


def test_a_held_seat_is_not_reported() -> None:
    server = SimulatedServer()
    nat = native(server, leaving="holds", grace=30.0)
    ann = come(server, "Ann")
    ann.take()
    nat.peer.drop()
    server.clock.pass_time(29.0)
    assert ann.take() == b""
    server.clock.pass_time(1.0)
    assert words(ann) == ["WON stayed away"]


def test_the_last_player_present_wins_where_turns_are_skipped() -> None:
    """[6]"""
    server = SimulatedServer(policy=Policy(leaving=Leaving.SKIPS, grace=30.0))
    ann, bob = pair(server)
    bob.drop()
    ann.send(b"4\n")
    assert words(ann) == ["DROP RED 4", "TURN YELLOW"]
    server.clock.pass_time(30.0)
    assert words(ann) == ["WON stayed away"]


def test_a_waiting_client_moved_to_another_table_gets_WELCOME_again() -> None:
    """[3]"""
    server = SimulatedServer()
    server.lobby.do(Guest(lambda notification: None), Seek("forza", 2, Player("nat"), seat=0, tie=Tie.TABLE))
    between = Guest(lambda notification: None)
    server.lobby.do(between, Seek("forza", 2, Player(), ready=False))
    ann = come(server, "Ann")
    assert words(ann) == ["HELLO What is your name?", "WELCOME Wait for your opponent."]
    server.lobby.disconnected(between)
    assert words(ann) == ["WELCOME Wait for your opponent.", "START YELLOW nat", "TURN RED"]


def test_a_match_closed_by_the_server_is_broken_off() -> None:
    server = SimulatedServer()
    ann, bob = pair(server)
    server.lobby.table("match-1").do(None, Close(Termination.INTERRUPTED))
    assert (words(ann), words(bob)) == (["BROKEN_OFF interrupted"], ["BROKEN_OFF interrupted"])
