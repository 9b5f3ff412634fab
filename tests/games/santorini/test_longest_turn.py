"""The longest turn: after this many moves a stroll ends, but never in a dead end."""

from __future__ import annotations

from msgspec.structs import replace

from boardwire.games.santorini.actions import Build, Move
from boardwire.games.santorini.line import Line
from boardwire.games.santorini.lookahead import choices
from boardwire.games.santorini.offers import MAX_MOVES_PER_TURN
from boardwire.games.santorini.position import Position
from boardwire.games.santorini.turn import settle


def weary(fen: str, walk: str) -> Position:
    """The position after a walk that was as long as a walk may be."""
    line = Line(fen)
    line.play(walk)
    p = line.position
    return replace(p, turn=replace(p.turn, moves=MAX_MOVES_PER_TURN))


def test_after_the_longest_walk_hermes_can_only_build() -> None:
    p = weary("0000000000000000000000000/1/hermes:A5,E1/mortal:C3,C2", "A5>B5")
    assert {type(action) for action in choices(p)} == {Build}


def test_hermes_may_walk_on_where_aphrodite_would_not_let_the_turn_end() -> None:
    p = weary("0000000000000000000000000/1/hermes:B4,E1/aphrodite:C3,C2", "B4>A5")
    assert {type(action) for action in choices(p)} == {Move}


def test_triton_may_walk_on_where_the_moves_left_do_not_take_him_back_to_aphrodite() -> None:
    line = Line("0000000000000000000000000/1/triton:D4,A1/aphrodite:E3,E2").play("D4>D5 D5>C5 C5>B5 B5>A5")
    p = replace(line.position, turn=replace(line.position.turn, moves=MAX_MOVES_PER_TURN - 2))
    assert {type(action) for action in choices(p)} == {Move}
    # and beyond, where his moves are odd in number
    q = Line(settle(p, [])).play("A5>B5 B5>A5 A5>B5")
    assert q.position.turn.moves == MAX_MOVES_PER_TURN + 1
    assert q.play("B5>C5 C5>D4").steps == {f"D4^{at}" for at in ("C5", "D5", "E5", "C4", "E4", "C3", "D3")}
