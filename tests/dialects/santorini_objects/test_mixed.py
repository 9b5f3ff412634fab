"""Tables shared with other dialects: all clients reach the end and see the board as it is."""

from __future__ import annotations

from importlib import import_module
from random import Random

import pytest

from boardwire.dialects.dialect import ClientOptions, Dialect, Over, Result
from boardwire.simulation.server import SimulatedClient, play_together
from boardwire.table.match import Match

from .spoken import BY_NAME, Hall, random_player

pytestmark = pytest.mark.slow  # tests/dialects/test_mixed_tables.py plays these pairs, with fewer seeds

OTHERS: dict[str, Dialect] = {
    **import_module("boardwire.dialects.santorini_actions").DIALECTS,
    **import_module("boardwire.dialects.santorini_lobby").DIALECTS,
}
ALL = {**BY_NAME, **OTHERS}
TABLES = [
    tables
    for name in OTHERS
    for tables in ((name, "D"), ("D", name), (name, "F"), ("F", name), (name, "D1", "F"), ("F", "D", name))
]


@pytest.mark.parametrize("doors", TABLES, ids=" ".join)
def test_a_mixed_table_plays_to_the_end(doors: tuple[str, ...]) -> None:
    server, random = Hall(seed=1), Random(1)
    ends: list[list[Over]] = [[] for _ in doors]
    pairs = [
        (
            SimulatedClient(ALL[door], random_player(random, end), ClientOptions(f"name{n}", len(doors))),
            server.connect(ALL[door]),
        )
        for n, (door, end) in enumerate(zip(doors, ends, strict=True))
    ]
    play_together(server, pairs)
    match = server.match()
    assert match.outcome is not None
    assert match.outcome.winners
    truth = match.setting.game.view(match.position, None)
    for seat, (door, end) in enumerate(zip(doors, ends, strict=True)):
        if door in BY_NAME:
            assert end[0].result is (Result.WON if _name(match, seat) in match.outcome.winners else Result.LOST)
            assert (end[0].view.levels, end[0].view.domes) == (truth.levels, truth.domes)


def _name(match: Match, number: int) -> int:
    """Return the seat of the client that joined as `number`; some dialects send no names."""
    names = [player.name for player in match.players if player is not None]
    return names.index(f"name{number}") if f"name{number}" in names else number
