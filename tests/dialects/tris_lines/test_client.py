"""Client script of tris-lines, against our server and every documented deviation."""

from collections.abc import Callable
from random import Random
from typing import Any

import pytest

from boardwire.dialects.dialect import Answer, Ask, Note, Over, ProtocolViolation, Result, Show
from boardwire.errors import Malformed
from boardwire.games.tris import View
from boardwire.simulation.server import SimulatedClient, SimulatedServer, play_together

FREE: tuple[None, ...] = (None,) * 9


class Table:
    """A client against a server that the test plays."""

    def __init__(self, *cells: int) -> None:
        self.heard: list[Any] = []
        self._cells = list(cells)
        self.client = SimulatedClient("tris-lines", self._receive)

    def _receive(self, client: SimulatedClient, notification: Any) -> None:
        self.heard.append(notification)
        if isinstance(notification, Ask) and self._cells:
            client.talk.tell(Answer(self._cells.pop(0)))

    def receive(self, *lines: str, end: str = "\n") -> bytes:
        """The server sends these lines; gives what the client sends."""
        self.client.receive("".join(line + end for line in lines).encode())
        return self.client.take()

    @property
    def over(self) -> Over | None:
        last = self.heard[-1] if self.heard else None
        return last if isinstance(last, Over) else None

    @property
    def result(self) -> Result | None:
        return self.over.result if self.over is not None else None

    def notes(self) -> list[str]:
        return [notification.text for notification in self.heard if isinstance(notification, Note | ProtocolViolation)]


def random_player(random: Random, results: list[Result]) -> Callable[[SimulatedClient, Any], None]:
    def receive(client: SimulatedClient, notification: Any) -> None:
        if isinstance(notification, Ask):
            client.talk.tell(Answer(random.choice(list(notification.decision.choices))))
        elif isinstance(notification, Over):
            results.append(notification.result)

    return receive


# --- against our server ---------------------------------------------------------------------------------------------


def test_it_plays_whole_matches_against_our_server() -> None:
    ends = set()
    for seed in range(60):
        random, server = Random(seed), SimulatedServer()
        results: list[Result] = []
        pairs = []
        for _ in range(2):
            client = SimulatedClient("tris-lines", random_player(random, results))
            pairs.append((client, server.connect("tris-lines")))
        play_together(server, pairs)
        assert all(client.closed and peer.closed for client, peer in pairs)
        assert sorted(results) in (["lost", "won"], ["drawn", "drawn"])
        outcome = server.match().outcome
        assert outcome is not None
        assert bool(outcome.winners) == (Result.WON in results)
        ends.add(sorted(results)[0])
    assert ends == {Result.LOST, Result.DRAWN}


def test_a_cell_that_our_server_refuses_is_asked_for_again() -> None:
    server = SimulatedServer()
    ann, bob = Table(4), Table(4, 0)
    play_together(server, [(table.client, server.connect("tris-lines")) for table in (ann, bob)])
    asked = [notification for notification in bob.heard if isinstance(notification, Ask)]
    assert [bool(ask.again) for ask in asked] == [False, True]
    assert [event.action for event in server.events() if hasattr(event, "action")] == [4, 0]


# --- a match, as the document tells it ------------------------------------------------------------------------------


def test_the_first_player_is_asked_at_once_and_tracks_its_own_board() -> None:
    table = Table(4)
    assert table.receive("WAIT") == b""
    assert table.receive("READY") == b"4\n"
    asked = table.heard[-1]
    assert isinstance(asked, Ask)
    assert asked.view == View(FREE, 0)
    assert asked.decision.choices == tuple(range(9))
    table.receive("OK")
    assert table.heard[-1] == Show(View((None,) * 4 + (0,) + (None,) * 4, 1), "Waiting for your opponent.")


def test_the_second_player_waits_for_the_first_board_and_adopts_it() -> None:
    table = Table()
    assert table.receive("READY") == b""
    assert not any(isinstance(notification, Ask) for notification in table.heard)
    table.receive("1,0,0,0,0,0,0,2,1,")
    asked = table.heard[-1]
    assert isinstance(asked, Ask)
    assert asked.view == View((0, None, None, None, None, None, None, 1, 0), 1)
    assert asked.decision.choices == (1, 2, 3, 4, 5, 6)


@pytest.mark.parametrize(
    ("verdict", "result"),
    [("W", Result.WON), ("P", Result.DRAWN), ("L", Result.WON), ("DISCONNECTED", Result.BROKEN_OFF)],
    ids=["win", "draw", "Quirk: one program tells the winner L", "left"],
)
def test_the_verdict_on_the_players_own_move_ends_the_match(verdict: str, result: Result) -> None:
    table = Table(4)
    table.receive("WAIT", "READY", verdict)
    assert table.result is result
    assert table.over is not None
    assert table.over.view.cells[4] == 0
    assert table.client.closed


@pytest.mark.parametrize(
    ("end", "result"),
    [
        ("1,1,1,2,2,0,0,0,0,L", Result.LOST),
        ("1,1,1,2,2,0,0,0,0,W", Result.LOST),  # Quirk: the program that tells the winner L
        ("1,2,1,1,2,2,2,1,1,P", Result.DRAWN),
        ("P", Result.DRAWN),  # Quirk: one program sends a bare P to both
        ("DISCONNECTED", Result.BROKEN_OFF),
        ("Disconnessione di un giocatore", Result.BROKEN_OFF),  # Quirk: one program's own words
    ],
)
def test_the_others_last_line_ends_the_match(end: str, result: Result) -> None:
    table = Table()
    table.receive("READY", end)
    assert table.result is result
    assert table.client.closed


# --- deviations -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r", "  \n"])
def test_line_ends_and_trailing_blanks_do_not_matter(end: str) -> None:
    table = Table(4)
    assert table.receive("WAIT", "READY", end=end) == b"4\n"
    table.receive("OK", "2,0,0,0,1,0,0,0,0,", end=end)
    assert isinstance(table.heard[-1], Ask)


@pytest.mark.parametrize(
    "board",
    ["null0,0,0,0,1,0,0,0,0, ", "[0, 0, 0, 0, 1, 0, 0, 0, 0,  ]", "0,0,0,0,1,0,0,0,0", " 0,0,0,0,1,0,0,0,0, "],
)
def test_board_variants_of_other_servers_are_parsed(board: str) -> None:
    table = Table()
    table.receive("READY", board)
    asked = table.heard[-1]
    assert isinstance(asked, Ask)
    assert asked.view.cells == (None,) * 4 + (0,) + (None,) * 4


def test_last_board_variants_of_other_servers_are_parsed() -> None:
    table = Table()
    table.receive("READY", "[1, 1, 1, 2, 2, 0, 0, 0, 0, W ]")
    assert table.result is Result.LOST


BEGINNINGS = {
    "before anything": [],
    "waiting": ["WAIT"],
    "asked": ["WAIT", "READY"],
    "after OK": ["WAIT", "READY", "OK"],
    "the other's turn": ["READY"],
    "asked as the second": ["READY", "1,0,0,0,0,0,0,0,0,"],
}


@pytest.mark.parametrize("lines", BEGINNINGS.values(), ids=BEGINNINGS)
@pytest.mark.parametrize("answers", [(), (4,)], ids=["thinking", "moved"])
@pytest.mark.parametrize("how", ["end of file", "DISCONNECTED", "Disconnessione di un giocatore"])
def test_an_end_at_any_time_means_that_the_opponent_has_left(lines: list[str], answers: list[int], how: str) -> None:
    table = Table(*answers)
    table.receive(*lines)
    if how == "end of file":
        table.client.lose()
    else:
        table.receive(how)
    assert table.result is Result.BROKEN_OFF
    assert table.client.closed


def test_a_line_that_cannot_be_read_ends_the_match() -> None:
    table = Table()
    table.receive("READY")
    table.client.talk.tell(Malformed("a line is longer than any board"))
    assert table.result is Result.BROKEN_OFF
    assert table.client.closed


UNKNOWN = ["HELLO", "", "1,2,3", "3,0,0,0,0,0,0,0,0,", "0,0,0,0,0,0,0,0,0,0,0", "perché?", "\x00\x01"]


@pytest.mark.parametrize("unknown", UNKNOWN)
def test_unknown_lines_are_shown_and_change_nothing_in_any_state(unknown: str) -> None:
    table = Table()
    table.receive(unknown)
    table.receive("WAIT", unknown)
    table.receive("READY", unknown)
    assert isinstance(table.heard[-1], Ask), "asked again, because something was printed under the question"
    table.client.talk.tell(Answer(4))
    assert table.client.take() == b"4\n"
    table.receive(unknown)
    assert table.over is None, "still waiting for the verdict on its move"
    table.receive("OK", unknown)
    table.receive("2,0,0,0,1,0,0,0,0,")
    asked = table.heard[-1]
    assert isinstance(asked, Ask)
    assert asked.view.cells == (1, None, None, None, 0, None, None, None, None)
    assert len([note for note in table.notes() if note.startswith("Message from the server")]) == 5


def test_a_full_board_without_an_outcome_asks_for_nothing() -> None:
    table = Table(4)
    table.receive("READY", "1,2,1,1,2,2,2,1,1,")
    assert not any(isinstance(notification, Ask) for notification in table.heard)
    table.receive("P")
    assert table.result is Result.DRAWN


def test_every_KO_asks_again_without_the_refused_cell() -> None:
    table = Table(4, 0, 8)
    assert table.receive("WAIT", "READY") == b"4\n"
    assert table.receive("KO") == b"0\n"
    assert table.receive("KO") == b"8\n"
    asked = table.heard[-1]
    assert isinstance(asked, Ask)
    assert asked.decision.choices == (1, 2, 3, 5, 6, 7, 8)
    assert "0" in asked.again
    table.receive("OK")
    assert isinstance(table.heard[-1], Show)


def test_KO_for_every_cell_keeps_offering_the_last_one() -> None:
    table = Table(8)
    table.receive("READY", "1,2,1,1,2,2,2,1,0,", "KO")
    asked = table.heard[-1]
    assert isinstance(asked, Ask)
    assert asked.decision.choices == (8,)


def test_an_unexpected_KO_is_only_shown() -> None:
    table = Table(4)
    assert table.receive("WAIT", "READY", "KO", "KO") == b"4\n"
    assert isinstance(table.heard[-1], Ask)
    assert table.client.take() == b""


# --- never early ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("lines", [[], ["WAIT"], ["READY"], ["WAIT", "READY", "OK"]])
def test_an_answer_that_was_not_asked_for_is_never_sent(lines: list[str]) -> None:
    table = Table(*([4] if "OK" in lines else []))
    table.receive(*lines)
    table.client.talk.tell(Answer(5))
    assert table.client.take() == b""


def test_a_second_answer_to_one_question_is_never_sent() -> None:
    table = Table(4)
    assert table.receive("WAIT", "READY") == b"4\n"
    table.client.talk.tell(Answer(5))
    assert table.client.take() == b""
    assert table.receive("OK", "2,0,0,0,1,0,0,0,0,") == b"", "nor kept for the next question"
