"""Checks of views of Eriantys."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import chain
from typing import Final

from boardwire.games.eriantys import Action, Colour, View
from boardwire.games.eriantys.ring import TILES
from boardwire.games.game import Decision

CARDS: Final = range(1, 11)
MOVES: Final = (3, 4)
MAX_STUDENTS: Final = 130
"""Number of students in the game."""
MAX_CHARACTERS: Final = 3


def flaw(view: View, decision: Decision[Action]) -> str:
    """Return the inconsistency of a view of Eriantys, or ""."""
    return _seats(view, decision) or _islands(view) or _counts(view) or _cards(view)


def _seats(view: View, decision: Decision[Action]) -> str:
    """Check numbers of boards and sides, and all references to seats."""
    seats, sides = len(view.boards), len(view.sides)
    if seats not in (2, 3, 4) or sides != (3 if seats == 3 else 2):
        return f"{seats} boards and {sides} sides"
    named_seats = (
        *view.order,
        view.first,
        *decision.seats,
        *_without_none(view.professors),
        *_without_none((view.turn,)),
    )
    if any(not 0 <= seat < seats for seat in named_seats):
        return "a seat that does not exist"
    if len(set(view.order)) != len(view.order):
        return "a seat that occurs twice in the order of play"
    if any(not 0 <= board.side < sides for board in view.boards):
        return "a board of a side that does not exist"
    most = 6 if sides == 3 else 8
    if any(not 0 <= side.towers <= most for side in view.sides):
        return f"a side with fewer than 0 or more than {most} towers"
    return ""


def _islands(view: View) -> str:
    """Check that the islands cover the ring."""
    tiles = [tile for island in view.islands for tile in island.tiles]
    if not all(island.tiles for island in view.islands) or len(tiles) != TILES:
        return f"islands of {len(tiles)} tiles; there are {TILES}"
    if any(not 0 <= tile < TILES or tile != (tiles[0] + at) % TILES for at, tile in enumerate(tiles)):
        return "tiles that are not in the order of the ring"
    if not 0 <= view.mother_nature < TILES:
        return "mother nature is not on a tile"
    if any(not 0 <= side < len(view.sides) for side in _without_none(island.side for island in view.islands)):
        return "towers of a side that does not exist"
    return ""


def _counts(view: View) -> str:
    """Check piles, clouds and moved students."""
    piles = [
        view.bag,
        *view.clouds,
        *(island.students for island in view.islands),
        *(card.students for card in view.characters),
        *chain.from_iterable((board.entrance, board.hall) for board in view.boards),
    ]
    if any(len(pile) != len(Colour) for pile in piles) or len(view.professors) != len(Colour):
        return f"a pile, or the professors, without {len(Colour)} colours"
    if any(not 0 <= count <= MAX_STUDENTS for pile in piles for count in pile):
        return "a pile with a negative or impossible number of students"
    if len(view.clouds) > len(view.boards):
        return f"{len(view.clouds)} clouds for {len(view.boards)} players"
    if view.moves not in MOVES or not 0 <= view.moved <= view.moves:
        return f"{view.moved} of {view.moves} students moved"
    numbers = [*(island.no_entry for island in view.islands), *(card.no_entry for card in view.characters), view.steps]
    return "a negative number" if min(numbers) < 0 else ""


def _cards(view: View) -> str:
    """Check assistants and characters."""
    held = chain.from_iterable((*board.hand, *_without_none((board.card,))) for board in view.boards)
    if any(card not in CARDS for card in held):
        return "an assistant outside 1 to 10"
    characters = [card.character for card in view.characters]
    if len(characters) > MAX_CHARACTERS:
        return f"{len(characters)} characters instead of at most {MAX_CHARACTERS}"
    if len(set(characters)) != len(characters):
        return "a repeated character"
    return ""


def _without_none(numbers: Iterable[int | None]) -> tuple[int, ...]:
    return tuple(number for number in numbers if number is not None)
