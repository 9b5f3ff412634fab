"""The engine that knows how every board of Tris ends."""

from __future__ import annotations

import pytest

from boardwire.bots.engine import SearchLimits, SearchResult
from boardwire.bots.tris import ENGINE
from boardwire.games import tris


def think(cells: str) -> SearchResult:
    """What it thinks after these marks, with the first of its lucks."""
    position = tris.new(tris.Options(), 2)
    for number, cell in enumerate(cells):
        position, _ = tris.apply(position, number % 2, int(cell))
    decision = tris.pending(position)
    assert decision is not None
    return ENGINE.think(
        tris.view(position, decision.seats[0]), decision, lambda count: 0, SearchLimits(0), lambda: False
    )


@pytest.mark.parametrize(
    ("cells", "value", "proved"),
    [
        ("", 0, 0),
        ("0481", 0, 0),  # it has to prevent a line, and can
        ("0314", 1, 1),
        ("0312", 1, 2),
        ("01", 1, 3),
        ("031", -1, -2),  # whatever it prevents, another line follows
    ],
)
def test_it_knows_who_wins_and_in_how_many_turns(cells: str, value: int, proved: int) -> None:
    thought = think(cells)
    assert (thought.value, thought.proved) == (value, proved)


def test_its_line_is_played_to_the_end_that_it_claims() -> None:
    position = tris.new(tris.Options(), 2)
    for number, cell in enumerate((0, 1)):
        position, _ = tris.apply(position, number % 2, cell)
    thought = think("01")
    for number, cell in enumerate((*thought.turn, *thought.line)):
        position, _ = tris.apply(position, number % 2, cell)
    outcome = tris.outcome(position)
    assert outcome is not None
    assert outcome.winners == (0,)
    assert (len(thought.line) + 2) // 2 == thought.proved
