"""Summaries of matches."""

from __future__ import annotations

import pytest

from boardwire.errors import Unavailable
from boardwire.games.game import Outcome
from boardwire.table import events as ev
from boardwire.table.events import Event, Player
from boardwire.table.match import Status
from boardwire.table.policy import Policy
from boardwire.table.summary import summarize

ANN, BOB, BOT = Player("Ann", "native", key="k"), Player("Bob", "tris-lines"), Player("greedy bot", "bot", "greedy")
OPENED = ev.Opened(1.0, "m1", "tris@1", 2, {}, Policy(undo=True), "native", "CODE")
WAITING: list[Event] = [OPENED, ev.Joined(2.0, 0, ANN)]
PLAYING: list[Event] = [*WAITING, ev.Joined(3.0, 1, Player()), ev.Readied(3.5, 1, BOB), ev.Started(3.5, {})]


def test_a_match_that_waits() -> None:
    found = summarize(WAITING)
    assert (found.id, found.game, found.rules, found.dialect, found.private) == ("m1", "tris", 1, "native", True)
    assert (found.chairs, found.status, found.moves) == ([ANN, None], Status.WAITING, 0)
    assert (found.at, found.changed, found.seq) == (1.0, 2.0, 2)


def test_a_seat_that_is_left_is_free_before_the_start_and_kept_after_it() -> None:
    assert summarize([*WAITING, ev.Left(3.0, 0)]).chairs == [None, None]
    assert summarize([*PLAYING, ev.Left(4.0, 0)]).chairs == [ANN, BOB]
    assert summarize([*PLAYING, ev.Left(4.0, 0), ev.Substituted(4.0, 0, BOT)]).chairs == [BOT, BOB]


def test_moves_that_were_taken_back_are_not_counted() -> None:
    played: list[Event] = [*PLAYING, ev.Acted(4.0, 0, 4), ev.Acted(5.0, 1, 0), ev.Acted(6.0, 0, 8)]
    assert summarize(played).moves == 3
    assert summarize([*played, ev.UndoOffered(7.0, 1), ev.Undone(8.0, 1)]).moves == 1


def test_a_finished_match_stays_finished() -> None:
    ended: list[Event] = [*PLAYING, ev.Ended(9.0, Outcome("line", (0,))), ev.Chatted(10.0, 0, "well played")]
    found = summarize(ended)
    assert (found.status, found.outcome, found.changed) == (Status.OVER, Outcome("line", (0,)), 10.0)


def test_events_without_an_opening_are_not_a_match() -> None:
    for events in ([], WAITING[1:]):
        with pytest.raises(Unavailable, match="a match must begin with Opened, but it"):
            summarize(events)
