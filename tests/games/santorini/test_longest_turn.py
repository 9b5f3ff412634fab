"""The longest turn: after so many moves a stroll ends, but never in a dead end."""

from __future__ import annotations

from msgspec.structs import replace

from boardwire.games.santorini.actions import Build, Move
from boardwire.games.santorini.line import Line
from boardwire.games.santorini.lookahead import choices
from boardwire.games.santorini.offers import LONGEST
from boardwire.games.santorini.position import Position


def weary(fen: str, walk: str) -> Position:
    """The position after a walk that was as long as a walk may be."""
    line = Line(fen)
    line.play(walk)
    p = line.position
    return replace(p, turn=replace(p.turn, moves=LONGEST))


def test_after_the_longest_walk_hermes_can_only_build() -> None:
    p = weary("0000000000000000000000000/1/hermes:A5,E1/mortal:C3,C2", "A5>B5")
    assert {type(action) for action in choices(p)} == {Build}


def test_hermes_may_walk_on_where_aphrodite_would_not_let_the_turn_end() -> None:
    p = weary("0000000000000000000000000/1/hermes:B4,E1/aphrodite:C3,C2", "B4>A5")
    assert {type(action) for action in choices(p)} == {Move}
