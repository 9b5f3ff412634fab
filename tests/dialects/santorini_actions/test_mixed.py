"""Tables shared with other dialects of the game."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from boardwire.dialects import santorini_lobby, santorini_objects
from boardwire.dialects.dialect import Dialect
from boardwire.games.santorini import view

from .players import DOCUMENT, SHIPPED, play_match

pytestmark = pytest.mark.slow  # tests/dialects/test_mixed_tables.py plays these pairs, with fewer seeds

OTHERS = [*santorini_lobby.DIALECTS.values(), *santorini_objects.DIALECTS.values()]
TABLES: list[Callable[[Dialect], list[Dialect]]] = [
    lambda other: [DOCUMENT, other],
    lambda other: [other, SHIPPED],
    lambda other: [other, DOCUMENT, SHIPPED],
    lambda other: [SHIPPED, other, other],
]


@pytest.mark.parametrize("other", OTHERS, ids=lambda other: other.name)
@pytest.mark.parametrize("table", range(len(TABLES)))
def test_a_mixed_table_plays_to_the_end_and_all_see_the_same_board(other: Dialect, table: int) -> None:
    seats = TABLES[table](other)
    server, players = play_match(seats, table)
    match = server.match()
    assert match.outcome is not None
    assert match.outcome.winners
    final = view(match.position, None)
    (winner,) = match.outcome.winners
    for seat, player in enumerate(players):
        assert player.over, f"{seats[seat].name} was not told the end"
        if seat == winner:
            assert player.over[0].view.levels == final.levels
