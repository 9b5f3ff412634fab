"""Views: the same for all seats and spectators, because nothing is hidden.

Boards and clouds are open, hands follow from the cards played, and the contents of the bag from counting; only future
draws are unknown. Unlike a position, a view is easy to read: counts by colour, islands as groups of tiles with the
influence of each side, current prices. `views` computes it from a position.
"""

from __future__ import annotations

import msgspec

from boardwire.errors import Illegal
from boardwire.games.eriantys.colours import Colour
from boardwire.games.eriantys.options import Character, CloudTime, Mode, Tower
from boardwire.games.eriantys.piles import Counts
from boardwire.games.eriantys.stages import Kind
from boardwire.games.game import Outcome, Seat


class Island(msgspec.Struct, frozen=True, gc=False):
    """A group of tiles, clockwise; the first one identifies it in actions and events. `towers` belong to `side`."""

    tiles: tuple[int, ...]
    students: Counts
    side: int | None
    towers: int
    no_entry: int
    influence: tuple[int, ...]
    """The influence of each side if the island were resolved now."""
    mother_nature: bool


class Board(msgspec.Struct, frozen=True, gc=False):
    """A player's board. `coins` is None in the simplified game; `card` is the assistant of this round."""

    side: int
    entrance: Counts
    hall: Counts
    professors: tuple[Colour, ...]
    hand: tuple[int, ...]
    card: int | None
    coins: int | None
    gone: bool


class Side(msgspec.Struct, frozen=True, gc=False):
    """A player or a team of two, with the number of towers it has not placed."""

    tower: Tower
    seats: tuple[Seat, ...]
    towers: int


class CharacterView(msgspec.Struct, frozen=True, gc=False):
    """A character on the table, with its current price."""

    character: Character
    price: int
    used: bool
    students: Counts
    no_entry: int


class View(msgspec.Struct, frozen=True, gc=False):
    """A match, as all seats see it."""

    mode: Mode
    cloud: CloudTime
    round: int
    asked: Kind | None
    """The kind of the open decision; None: the match is over."""
    turn: Seat | None
    """The seat to decide; None: chance, or the match is over."""
    first: Seat
    order: tuple[Seat, ...]
    """The seats that have played an assistant, in order; after the planning, the order of turns."""
    moved: int
    """Students moved in this turn, out of `moves`."""
    moves: int
    steps: int
    """Maximum number of mother nature's steps in this turn; 0 outside a turn."""
    took_cloud: bool
    islands: tuple[Island, ...]
    mother_nature: int
    """The tile of mother nature."""
    clouds: tuple[Counts, ...]
    bag: Counts
    professors: tuple[Seat | None, ...]
    """The holder of each colour's professor."""
    boards: tuple[Board, ...]
    sides: tuple[Side, ...]
    characters: tuple[CharacterView, ...]
    supply: int | None
    active: Character | None
    ignored: Colour | None
    last_round: str | None
    clouds_closed: bool
    """Whether no clouds are taken in this round, because the bag could not fill them."""
    outcome: Outcome | None


def head_at(view: View, index: int) -> int:
    """Return the first tile of the island at an index, clockwise from 0; raise `Illegal` if there is none.

    The first tile identifies the island in actions.
    """
    if not 0 <= index < len(view.islands):
        raise Illegal(f"there is no island {index}; islands are numbered 0 to {len(view.islands) - 1}")
    return view.islands[index].tiles[0]
