"""The client's end of forza-lines, against our server and by itself."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from boardwire.dialects.dialect import Answer, Ask, ClientOptions, Note, Over, Players, ProtocolViolation, Result, Show
from boardwire.games.forza import View
from boardwire.simulation.server import SimulatedClient, SimulatedServer, play_together

FREE: tuple[None, ...] = (None,) * 42
BOARD = ("| . . . . . . . |",) * 5 + ("| . . . R . . . |", "+-1-2-3-4-5-6-7-+")


class Player:
    """A client with its player, which answers with these columns, or at random."""

    def __init__(self, name: str, *columns: int, luck: Random | None = None) -> None:
        self.heard: list[Any] = []
        self._columns = list(columns)
        self._luck = luck
        self.client = SimulatedClient("forza-lines", self._receive, ClientOptions(name))

    def _receive(self, client: SimulatedClient, notification: Any) -> None:
        self.heard.append(notification)
        if isinstance(notification, Ask) and (self._columns or self._luck):
            choices = list(notification.decision.choices)
            client.talk.tell(Answer(self._luck.choice(choices) if self._luck else self._columns.pop(0)))

    def receive(self, *lines: str) -> bytes:
        """Deliver lines of the server; return the client's."""
        self.client.receive("".join(f"{line}\n" for line in lines).encode())
        return self.client.take()

    def told(self, kind: type) -> list[Any]:
        return [notification for notification in self.heard if isinstance(notification, kind)]


def test_it_plays_whole_matches_against_our_server() -> None:
    for seed in range(8):
        server, luck = SimulatedServer(), Random(seed)
        people = [Player(name, luck=luck) for name in ("Ann", "Bob")]
        play_together(server, [(one.client, server.connect("forza-lines")) for one in people])
        results = sorted(one.heard[-1].result for one in people)
        assert results in (["lost", "won"], ["drawn", "drawn"])
        outcome = server.match().outcome
        assert outcome is not None
        assert bool(outcome.winners) == (Result.WON in results)
        position = server.match().position
        assert all(one.heard[-1].view == server.match().setting.game.view(position, None) for one in people)


def test_players_are_announced_before_the_first_question() -> None:
    server = SimulatedServer()
    ann, bob = Player("Ann", 3), Player("Bob")
    play_together(server, [(one.client, server.connect("forza-lines")) for one in (ann, bob)])
    assert ann.told(Players) == [Players(("Ann", "Bob"), 0)]
    assert bob.told(Players) == [Players(("Ann", "Bob"), 1)]
    assert bob.told(Show)[0] == Show(View(FREE, 0), "Waiting for Ann.")
    (asked,) = bob.told(Ask)
    assert asked.view == View((None,) * 38 + (0,) + (None,) * 3, 1)
    assert asked.decision.choices == tuple(range(7))


def test_two_clients_with_the_same_name_can_play() -> None:
    """[3]"""
    server = SimulatedServer()
    ann, other = Player("Ann"), Player("Ann")
    play_together(server, [(one.client, server.connect("forza-lines")) for one in (ann, other)])
    assert ann.told(Players) == [Players(("Ann", "Ann+"), 0)]


def test_a_taken_name_of_full_length_ends_the_client() -> None:
    one = Player("n" * 19)
    one.client.take()
    assert one.receive("HELLO", "NO name-taken somebody has it") == b"n" * 19 + b"+\n"
    assert one.receive("NO name-taken somebody has it") == b""
    assert one.heard[-1].result is Result.BROKEN_OFF


def test_a_refused_column_is_asked_again_with_the_servers_reason() -> None:
    one = Player("Ann", 3, 4)
    one.receive("HELLO", "WELCOME", "START RED Bob", "TURN RED")
    assert one.receive("NO illegal column 4 is full") == b"5\n"
    assert one.told(Ask)[-1].again == "column 4 is full"


def test_a_full_column_is_not_offered() -> None:
    one = Player("Ann")
    one.receive("START YELLOW Bob", "| R . . . . . . |", *BOARD[1:], "TURN YELLOW")
    assert one.told(Ask)[-1].decision.choices == (1, 2, 3, 4, 5, 6)


@pytest.mark.parametrize(
    ("line", "result"),
    [
        ("WON line", "won"),
        ("LOST resigned", "lost"),
        ("DRAWN full board", "drawn"),
        ("BROKEN_OFF abandoned", "broken off"),
    ],
)
def test_the_last_line_ends_the_match(line: str, result: str) -> None:
    one = Player("Ann")
    one.receive("START RED Bob", *BOARD, line)
    over = one.heard[-1]
    assert isinstance(over, Over)
    assert (over.result, over.text) == (result, f"Over: {result} ({line.partition(' ')[2]}).")
    assert over.view == View((None,) * 38 + (0,) + (None,) * 3, None)
    assert one.client.closed


def test_a_refusal_in_the_opponents_turn_does_not_end_the_match() -> None:
    one = Player("Ann", 3)
    one.receive("HELLO", "WELCOME", "START RED Bob", "TURN RED", "DROP RED 3", "TURN YELLOW")
    one.receive("NO stale the match has moved on")
    assert one.heard[-1] == Note("the match has moved on")
    assert not one.client.closed


@pytest.mark.parametrize("line", ["NO server-full try again later", "NO malformed that is no name"])
def test_a_client_without_a_seat_reports_the_reason(line: str) -> None:
    one = Player("Ann")
    one.receive("HELLO", line)
    over = one.heard[-1]
    assert (over.view, over.result) == (None, Result.BROKEN_OFF)
    assert line.removeprefix("NO ") in over.text


def test_a_lost_connection_breaks_off_the_match() -> None:
    one = Player("Ann")
    one.receive("START RED Bob")
    one.client.lose()
    assert one.heard[-1].result is Result.BROKEN_OFF


def test_chat_is_shown_and_an_answered_question_is_not_repeated() -> None:
    one = Player("Ann")
    one.receive("HELLO What is your name?", "WELCOME Wait.", "SAID YELLOW hi")
    assert one.heard == [Note("Wait."), Note("YELLOW hi")]


@pytest.mark.parametrize("line", ["| . . |", "| . . . x . . . |", "START BLUE Bob", "TURN BLUE", "READY", "", "won"])
def test_unknown_lines_are_shown_and_ignored(line: str) -> None:
    one = Player("Ann", 3)
    one.receive(line)
    assert one.heard == [ProtocolViolation(f"Message from the server: {line}")]
    assert one.receive("START RED Bob", *BOARD, "TURN RED") == b"4\n"
