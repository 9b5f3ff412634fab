"""The bot that plays Tris: every line of play is tried against it."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

import pytest

from boardwire.bots.greedy import tris as bot
from boardwire.games import tris
from boardwire.games.game import Decision
from boardwire.games.tris import Position, View


def best(position: Position, seat: int) -> set[int]:
    """All that the bot may choose, whatever its luck is."""
    decision = tris.pending(position)
    assert decision is not None
    view = tris.view(position, seat)
    counts: list[int] = []

    def first(count: int) -> int:
        counts.append(count)
        return 0

    found = {bot.choose(view, decision, first, 0)}
    for luck in range(1, counts[0]):
        found.add(bot.choose(view, decision, partial(min, luck), 0))
    return found


def ends(seat: int) -> Iterator[Position]:
    """Every end that the bot in `seat` can come to, against everything its opponent can do."""
    seen = set()
    todo = [tris.new(tris.Options(), 2)]
    while todo:
        position = todo.pop()
        if position in seen:
            continue
        seen.add(position)
        decision = tris.pending(position)
        if decision is None:
            yield position
            continue
        mover = decision.seats[0]
        cells = best(position, seat) if mover == seat else decision.choices
        todo += [tris.apply(position, mover, cell)[0] for cell in cells]


@pytest.mark.parametrize("seat", [0, 1])
def test_it_never_loses(seat: int) -> None:
    results = {outcome.winners for position in ends(seat) if (outcome := tris.outcome(position)) is not None}
    assert results == {(), (seat,)}, "it draws or wins, and both happen"


@pytest.mark.parametrize(
    ("cells", "cell"),
    [
        ((0, 0, None, 1, 1, None, None, None, None), 2),  # a win rather than a block
        ((0, None, None, 1, 1, None, None, None, 0), 5),  # a block
    ],
)
def test_it_wins_at_once_or_else_blocks(cells: tuple[int | None, ...], cell: int) -> None:
    marks = sum(1 << at for at in range(9) if cells[at] == 0), sum(1 << at for at in range(9) if cells[at] == 1)
    assert best(Position(marks), 0) == {cell}


def test_it_plays_on_a_board_that_no_play_leads_to() -> None:
    decision = Decision(tris.Kind.MARK, (1,), (6, 7, 8))
    view = View((0, 0, None, None, None, None, None, None, None), 1)
    assert bot.choose(view, decision, lambda count: 0, 0) in (6, 7, 8)
