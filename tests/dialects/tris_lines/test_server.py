"""Server script of tris-lines beyond the transcripts: limits, segments, slow journals, other guests."""

from collections.abc import Sequence
from typing import Any

import pytest

from boardwire.dialects.tris_lines import messages as line
from boardwire.dialects.tris_lines.server import MAX_BAD_MESSAGES
from boardwire.games.game import Outcome
from boardwire.lobby.lobby import Lobby
from boardwire.lobby.requests import Seek
from boardwire.simulation.luck import CountedNames, ScriptedDealer
from boardwire.simulation.server import SimulatedConnection, SimulatedServer
from boardwire.store.memory import MemoryJournal
from boardwire.table import events as ev
from boardwire.table.commands import Act, Chat, Close, OfferUndo, Resign
from boardwire.table.events import Event, Player
from boardwire.table.guest import Guest, Refusal, Seated
from boardwire.table.policy import Leaving, Policy
from boardwire.table.ports import Appended, AppendResult
from boardwire.table.termination import Termination


class HeldJournal(MemoryJournal):
    """Stores nothing until it is told to."""

    def __init__(self) -> None:
        super().__init__()
        self._held: list[tuple[str, int, Sequence[Event], Appended]] = []
        self.holding = False

    def append(self, match: str, first: int, events: Sequence[Event], done: Appended) -> None:
        if self.holding:
            self._held.append((match, first, events, done))
        else:
            super().append(match, first, events, done)

    def release(self, stored: bool = True) -> None:
        """Store what has come so far, and what comes of that; or say that it cannot be."""
        held, self._held = self._held, []
        for match, first, events, done in held:
            if stored:
                super().append(match, first, events, done)
            else:
                done(AppendResult.FAILED)


class HeldServer(SimulatedServer):
    """A server whose journal can be held."""

    def __init__(self) -> None:
        super().__init__(seed=0)
        self.held = self.journal = HeldJournal()
        self.lobby = Lobby(self.journal, self.clock, ScriptedDealer(seed=0), CountedNames())


class Native:
    """A guest that is no line client: it can do whatever a table knows."""

    def __init__(self, server: SimulatedServer, policy: Policy | None = None, seat: int | None = None) -> None:
        self.notification: list[Any] = []
        self.server = server
        self.guest = Guest(self.notification.append)
        self.do(Seek("tris", 2, Player("nat", "native"), policy=policy or Policy(), seat=seat))
        self.seat = next(notification.seat for notification in self.notification if isinstance(notification, Seated))

    def do(self, request: Any) -> None:
        self.server.lobby.do(self.guest, request)

    def act(self, cell: int) -> None:
        self.do(Act(self.seat, (cell,)))

    def refusals(self) -> list[str]:
        return [str(notification.reason) for notification in self.notification if isinstance(notification, Refusal)]


def pair(server: SimulatedServer) -> tuple[SimulatedConnection, SimulatedConnection]:
    first, second = server.connect("tris-lines"), server.connect("tris-lines")
    assert first.take() == b"WAIT\nREADY\n"
    assert second.take() == b"READY\n"
    return first, second


def acted(server: SimulatedServer) -> list[int]:
    return [event.action for event in server.events() if isinstance(event, ev.Acted)]


# --- lines and limits -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("end", [b"\n", b"\r\n", b"\r"])
def test_three_line_ends_are_accepted(end: bytes) -> None:
    server = SimulatedServer()
    ann, bob = pair(server)
    ann.send(b"4" + end)
    assert ann.take() == b"OK\n"
    bob.send(b"4" + end)
    bob.send(b"0" + end)
    assert bob.take() == b"0,0,0,0,1,0,0,0,0,\nKO\nOK\n"
    ann.send(end)
    assert ann.take() == b"2,0,0,0,1,0,0,0,0,\nKO\n", "an end by itself is an empty line"


def test_a_line_end_split_over_two_segments_counts_once() -> None:
    ann, bob = pair(SimulatedServer())
    ann.send(b"4\r")
    bob.send(b"0\r")
    assert ann.take() == b"OK\n2,0,0,0,1,0,0,0,0,\n", "a lone \\r ends the line at once"
    ann.send(b"\n")
    assert ann.take() == b"", "the \\n belongs to the \\r before it; alone it would be an empty line and get KO"


def test_a_move_may_come_byte_by_byte() -> None:
    ann, _ = pair(SimulatedServer())
    for byte in b"+0004":
        ann.send(bytes([byte]))
        assert ann.take() == b""
    ann.send(b"\n")
    assert ann.take() == b"OK\n"


def test_a_line_that_is_too_long_ends_the_connection_even_if_incomplete() -> None:
    server = SimulatedServer()
    ann, bob = pair(server)
    ann.send(b" " * line.LINE_LIMIT)
    assert not ann.closed
    ann.send(b" ")
    assert ann.closed
    assert ann.take() == b""
    assert bob.take() == b"DISCONNECTED\n"
    assert bob.closed


def test_a_line_at_the_limit_is_only_a_bad_move() -> None:
    ann, bob = pair(SimulatedServer())
    ann.send(b"x" * line.LINE_LIMIT + b"\n")
    assert ann.take() == b"KO\n"
    assert bob.take() == b""


def test_too_many_refused_lines_in_a_row_end_the_connection() -> None:
    server = SimulatedServer()
    ann, bob = pair(server)
    ann.send(b"x\n" * (MAX_BAD_MESSAGES - 1))
    assert ann.take() == b"KO\n" * (MAX_BAD_MESSAGES - 1)
    assert not ann.closed
    ann.send(b"9\n")
    assert ann.take() == b"KO\n"
    assert ann.closed
    assert bob.take() == b"DISCONNECTED\n"


def test_an_accepted_move_resets_the_count_of_refused_lines() -> None:
    ann, bob = pair(SimulatedServer())
    ann.send(b"x\n" * (MAX_BAD_MESSAGES - 1) + b"4\n")
    bob.send(b"0\n")
    ann.send(b"x\n" * (MAX_BAD_MESSAGES - 1))
    assert not ann.closed


def test_dropped_lines_do_not_count_as_refused() -> None:
    ann, bob = pair(SimulatedServer())
    bob.send(b"x\n" * 10 * MAX_BAD_MESSAGES)
    assert not bob.closed
    ann.send(b"4\n")
    assert bob.take() == b"0,0,0,0,1,0,0,0,0,\n"


# --- while the journal is slow --------------------------------------------------------------------------------------


def test_a_move_is_not_reported_before_it_is_stored() -> None:
    server = HeldServer()
    ann, bob = pair(server)
    server.held.holding = True
    ann.send(b"4\n")
    assert (ann.take(), bob.take()) == (b"", b"")
    server.held.release()
    assert (ann.take(), bob.take()) == (b"OK\n", b"0,0,0,0,1,0,0,0,0,\n")


def test_a_line_sent_while_a_move_is_being_stored_is_dropped() -> None:
    server = HeldServer()
    ann, bob = pair(server)
    server.held.holding = True
    ann.send(b"4\n")
    ann.send(b"5\nx\n")
    bob.send(b"0\n")
    server.held.release()
    server.held.holding = False
    assert ann.take() == b"OK\n"
    assert bob.take() == b"0,0,0,0,1,0,0,0,0,\n"
    assert acted(server) == [4]


def test_a_move_that_cannot_be_stored_gets_KO_and_may_be_tried_again() -> None:
    server = HeldServer()
    ann, bob = pair(server)
    server.held.holding = True
    ann.send(b"4\n")
    server.held.release(stored=False)
    assert (ann.take(), bob.take()) == (b"KO\n", b"")
    ann.send(b"4\n")
    server.held.release()
    assert (ann.take(), bob.take()) == (b"OK\n", b"0,0,0,0,1,0,0,0,0,\n")


def test_a_client_whose_seat_cannot_be_stored_is_closed() -> None:
    server = HeldServer()
    server.held.holding = True
    ann = server.connect("tris-lines")
    assert ann.take() == b""
    server.held.release(stored=False)
    assert ann.take() == b""
    assert ann.closed


def test_leaving_while_the_seat_is_being_stored_frees_it() -> None:
    server = HeldServer()
    server.held.holding = True
    server.connect("tris-lines").drop()
    server.held.release()
    server.held.release()
    server.held.holding = False
    bob = server.connect("tris-lines")
    assert bob.take() == b"WAIT\n"


def test_leaving_while_a_move_is_being_stored_ends_the_match_after_it() -> None:
    server = HeldServer()
    ann, bob = pair(server)
    server.held.holding = True
    ann.send(b"4\n")
    ann.drop()
    server.held.release()
    server.held.release()
    assert bob.take() == b"0,0,0,0,1,0,0,0,0,\nDISCONNECTED\n"
    assert bob.closed


# --- at a table with other guests -----------------------------------------------------------------------------------


def test_a_resignation_is_reported_as_a_disconnect() -> None:
    server = SimulatedServer()
    ann = server.connect("tris-lines")
    nat = Native(server)
    nat.do(Resign(nat.seat))
    assert ann.take() == b"WAIT\nREADY\nDISCONNECTED\n"
    assert ann.closed


def test_a_player_out_of_time_gets_DISCONNECTED_and_is_closed() -> None:
    """[6.10], [7]"""
    server = SimulatedServer()
    nat = Native(server, Policy(per_move=10.0))
    ann = server.connect("tris-lines")
    nat.act(4)
    assert ann.take() == b"READY\n0,0,0,0,1,0,0,0,0,\n"
    server.clock.pass_time(10.0)
    assert ann.take() == b"DISCONNECTED\n"
    assert ann.closed
    assert server.match().outcome == Outcome("timed out", (0,), 1)


def test_the_winner_by_time_gets_DISCONNECTED() -> None:
    server = SimulatedServer()
    Native(server, Policy(per_move=10.0))
    ann = server.connect("tris-lines")
    server.clock.pass_time(10.0)
    assert ann.take() == b"READY\nDISCONNECTED\n"
    assert ann.closed


def test_an_undo_is_declined_without_asking_the_client() -> None:
    server = SimulatedServer()
    nat = Native(server, Policy(undo=True))
    ann = server.connect("tris-lines")
    nat.act(4)
    ann.take()
    nat.do(OfferUndo(nat.seat))
    assert ann.take() == b""
    assert [type(event) for event in server.events()][-2:] == [ev.UndoOffered, ev.UndoDeclined]
    ann.send(b"0\n")
    assert ann.take() == b"OK\n"


def test_an_undo_settled_by_a_move_does_not_count_as_a_refused_line() -> None:
    """The other offers an undo and moves at once: our decline comes too late, which is nothing to KO anyone for."""
    server = HeldServer()
    nat = Native(server, Policy(undo=True))
    ann = server.connect("tris-lines")
    nat.act(4)
    ann.send(b"0\n")
    ann.take()
    server.held.holding = True
    nat.do(OfferUndo(nat.seat))
    nat.act(8)
    server.held.release()
    server.held.release()
    assert ann.take() == b"2,0,0,0,1,0,0,0,1,\n"


def test_a_chat_between_the_question_and_the_move_does_not_refuse_the_move() -> None:
    """(3) KO means an occupied cell or no cell; that someone talked meanwhile is no reason."""
    server = HeldServer()
    ann = server.connect("tris-lines")
    nat = Native(server)
    ann.take()
    server.held.holding = True
    nat.do(Chat(nat.seat, "good luck"))
    ann.send(b"4\n")
    server.held.release()
    server.held.release()
    assert ann.take() == b"OK\n"


def test_a_chat_while_a_move_is_being_stored_does_not_reopen_the_question() -> None:
    server = HeldServer()
    ann = server.connect("tris-lines")
    nat = Native(server)
    ann.take()
    server.held.holding = True
    nat.do(Chat(nat.seat, "good luck"))
    ann.send(b"4\n")
    server.held.release()  # the chat; the move is next
    ann.send(b"5\nx\n")
    server.held.release()
    server.held.release()
    assert ann.take() == b"OK\n"
    assert acted(server) == [4]


def test_chats_and_held_seats_are_not_reported() -> None:
    server = SimulatedServer()
    nat = Native(server, Policy(leaving=Leaving.HOLDS, grace=30.0))
    ann = server.connect("tris-lines")
    nat.do(Chat(nat.seat, "good luck"))
    server.lobby.disconnected(nat.guest)
    assert ann.take() == b"READY\n"
    server.clock.pass_time(29.0)
    assert ann.take() == b""
    server.clock.pass_time(1.0)
    assert ann.take() == b"DISCONNECTED\n"


def test_a_client_at_the_first_seat_gets_WAIT_even_if_the_second_is_taken() -> None:
    """(1) It is how a client knows its side."""
    server = SimulatedServer()
    nat = Native(server, seat=1)
    ann = server.connect("tris-lines")
    assert ann.take() == b"WAIT\nREADY\n"
    ann.send(b"4\n")
    nat.act(0)
    assert ann.take() == b"OK\n2,0,0,0,1,0,0,0,0,\n"
    assert not nat.refusals()


def test_a_match_closed_by_the_server_is_reported_as_a_disconnect() -> None:
    server = SimulatedServer()
    ann, bob = pair(server)
    server.lobby.table("match-1").do(None, Close(Termination.INTERRUPTED))
    assert (ann.take(), bob.take()) == (b"DISCONNECTED\n", b"DISCONNECTED\n")
    assert ann.closed
    assert bob.closed


def test_a_match_closed_before_it_began_ends_without_a_line() -> None:
    server = SimulatedServer()
    ann = server.connect("tris-lines")
    server.lobby.table("match-1").do(None, Close(Termination.INTERRUPTED))
    assert ann.take() == b"WAIT\n"
    assert ann.closed
