"""Conversion of views to models."""

from __future__ import annotations

from msgspec.structs import replace

from boardwire.dialects.eriantys_objects import messages as wire
from boardwire.dialects.eriantys_objects import pieces
from boardwire.games import eriantys
from boardwire.games.eriantys import Options, Tower, View
from boardwire.games.eriantys.view import Island


def shown(*islands: Island, towers: tuple[Tower, Tower] = (Tower.WHITE, Tower.BLACK)) -> View:
    view = eriantys.view(eriantys.new(Options(), 2), None)
    sides = tuple(replace(side, tower=tower) for side, tower in zip(view.sides, towers, strict=True))
    return replace(view, islands=islands, sides=sides)


ISLAND = Island((0,), (1, 0, 2, 0, 0), 1, 1, 0, (0, 1), mother_nature=True)


def test_an_island_has_the_tower_of_the_match_it_is_in() -> None:
    (white,), (black,) = (
        pieces.islands(shown(ISLAND, towers=towers))
        for towers in ((Tower.BLACK, Tower.WHITE), (Tower.WHITE, Tower.BLACK))
    )
    assert (white.color_tower, black.color_tower) == (wire.ColorTower.WHITE, wire.ColorTower.BLACK)
    assert white.students == (wire.ColorPawns.GREEN, wire.ColorPawns.YELLOW, wire.ColorPawns.YELLOW)


def test_equal_islands_have_the_same_model() -> None:
    before = shown(ISLAND, replace(ISLAND, tiles=(1,)), replace(ISLAND, tiles=(2,)))
    known = pieces.islands(before)
    assert pieces.islands(replace(before, islands=tuple(map(replace, before.islands))), before, known) is known
    first, second, third = pieces.islands(
        replace(before, islands=(ISLAND, replace(before.islands[1], no_entry=1), before.islands[2])), before, known
    )
    assert (first, third) == (known[0], known[2])
    assert first is known[0]
    assert third is known[2]
    assert second.prohibition
    fewer = replace(before, islands=(replace(ISLAND, tiles=(0, 1)), before.islands[2]))
    assert [model.is_joined for model in pieces.islands(fewer, before, known)] == [True, False]


def test_islands_of_one_message_are_different_objects() -> None:
    """What is one object here is one in a Java client, too."""
    one, other = pieces.islands(shown(ISLAND, replace(ISLAND)))
    assert one == other
    assert one is not other
    assert one.students is not other.students
