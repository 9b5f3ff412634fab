"""Matches thought through again."""

from __future__ import annotations

from typing import Any

import msgspec

from boardwire.bots.engine import SearchResult
from boardwire.bots.match_analysis import Mark, study_of, turns_of
from boardwire.games import tris
from boardwire.lobby.requests import Enter, Seek
from boardwire.simulation.server import SimulatedServer
from boardwire.table.commands import Act, AnswerUndo, OfferUndo, Resign
from boardwire.table.events import Event, Player
from boardwire.table.guest import Guest
from boardwire.table.policy import Leaving, Policy


def played(*cells: int | str) -> list[Event]:
    """A match of Tris: cells that are marked, `undo` by the last player, `resign` by the next player."""
    server = SimulatedServer(seed=1)
    guests = [Guest(lambda notification: None), Guest(lambda notification: None)]
    server.lobby.do(guests[0], Seek("tris", 2, Player("ann"), None, Policy(Leaving.HOLDS, undo=True)))
    server.lobby.do(guests[1], Enter("match-1", Player("bob")))
    seat = 0
    for cell in cells:
        if cell == "undo":
            seat = 1 - seat
            server.lobby.do(guests[seat], OfferUndo(seat))
            server.lobby.do(guests[1 - seat], AnswerUndo(1 - seat, agree=True))
        elif cell == "resign":
            server.lobby.do(guests[seat], Resign(seat))
        else:
            server.lobby.do(guests[seat], Act(seat, (cell,)))
            seat = 1 - seat
    return server.events()


def thought(value: float, *turn: Any, proved: int = 0) -> SearchResult:
    return SearchResult(turn, value, 3, 10, (), proved)


def test_a_match_is_studied_turn_by_turn_with_what_each_seat_saw_and_was_asked() -> None:
    match, turns = turns_of(played(4, 0, 8, "resign"))
    assert match is not None
    assert [(turn.seat, turn.played) for turn in turns] == [(0, (4,)), (1, (0,)), (0, (8,))]
    assert turns[1].decision.seats == (1,)
    assert turns[1].view.cells[4] == 0
    assert turns[1].view.cells[0] is None
    assert len(turns[1].decision.choices) == 8


def test_a_turn_says_how_a_new_match_begins_there() -> None:
    _, turns = turns_of(played(4, 0, 8, "resign"))
    options = [msgspec.convert(turn.options, tris.Options) for turn in turns]
    assert [tris.view(tris.new(one, 2), 0) for one in options] == [turn.view for turn in turns]


def test_what_was_taken_back_is_not_studied() -> None:
    _, turns = turns_of(played(4, 0, "undo", 2, "resign"))
    assert [turn.played for turn in turns] == [(4,), (2,)]


def test_a_turn_is_judged_by_what_the_next_one_is_worth_to_the_other_side() -> None:
    match, turns = turns_of(played(4, 1, 0, "resign"))
    assert match is not None
    study = study_of(match, turns, [thought(0.0, 4), thought(0.0, 8), thought(1.0, 0, proved=2)], "some")
    first, second, third = study.remarks
    assert (first.mark, first.after) == (None, 0.0), "it played what was thought best"
    assert (second.mark, second.value, second.after) == (Mark.LOST, 0.0, -1.0)
    assert [move.text for move in second.best] == [tris.format_action(8)]
    assert third.mark is None
    assert study.sides == ((0,), (1,))


def test_how_much_a_turn_gives_away_says_what_it_is() -> None:
    match, turns = turns_of(played(4, 1, 0, 8, "resign"))
    assert match is not None
    given = [thought(0.1, 3), thought(0.3, 8), thought(0.5, 2), thought(0.9, 5)]
    marks = [remark.mark for remark in study_of(match, turns, given, "some").remarks]
    assert marks == [Mark.MISTAKE, Mark.BLUNDER, Mark.BLUNDER, None]


def test_the_last_turn_is_judged_by_how_the_match_ended() -> None:
    match, turns = turns_of(played(0, 3, 1, 4, 2))
    assert match is not None
    assert match.outcome is not None
    last = study_of(match, turns, [thought(0.0, 8)] * 5, "some").remarks[-1]
    assert (last.value, last.after) == (0.0, 1.0)


def test_one_turn_decided_the_match_and_it_was_not_the_winner_s() -> None:
    match, turns = turns_of(played(4, 1, 0, 8, 2, 6, "resign"))  # seat 0 resigns, and seat 1 wins
    assert match is not None
    won = [thought(0.5, 3, proved=1) for _ in turns]
    marks = [remark.mark for remark in study_of(match, turns, won, "some").remarks]
    assert marks.count(Mark.LOST) == 1
    decisive = marks.index(Mark.LOST)
    assert turns[decisive].seat == 0
    assert decisive == max(number for number, turn in enumerate(turns) if turn.seat == 0)
    assert set(marks) <= {Mark.LOST, Mark.BLUNDER, None}
