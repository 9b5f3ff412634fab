"""Actions of players and of chance.

- An action is the smallest step that any dialect needs: one card, one student, one walk of mother nature, one cloud,
  one use of a character.
- The Jester and the Minstrel swap several students: `UseCharacter` makes the first swap, `Swap` each further one,
  `Done` stops.
- Islands are identified by the head of their group (see `ring`), students by colour.
- Chance has one action for each logical draw; the refill of all clouds is one draw.
- Actions are values: other modules decide which are legal.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, TypeAlias

import msgspec

from boardwire.games.eriantys.colours import Colour
from boardwire.games.eriantys.options import Character
from boardwire.games.eriantys.piles import Counts
from boardwire.games.eriantys.ring import TILES
from boardwire.games.game import Seat


class PlayAssistant(msgspec.Struct, frozen=True, gc=False, tag="assistant"):
    """Play an assistant, 1 to 10."""

    card: int


class ToHall(msgspec.Struct, frozen=True, gc=False, tag="hall"):
    """Move a student from the entrance to the player's dining room."""

    colour: Colour


class ToIsland(msgspec.Struct, frozen=True, gc=False, tag="island"):
    """Move a student from the entrance to an island."""

    colour: Colour
    island: int


class MoveMotherNature(msgspec.Struct, frozen=True, gc=False, tag="steps"):
    """Walk mother nature clockwise."""

    steps: int


class TakeCloud(msgspec.Struct, frozen=True, gc=False, tag="cloud"):
    """Take the students of a cloud into the entrance."""

    cloud: int


class UseCharacter(msgspec.Struct, frozen=True, gc=False, tag="character"):
    """Pay a character and use it.

    - `colour`: the student taken from the card (Monk, Princess, Jester) or from the dining room (Minstrel), or the
      chosen colour (Mushroom, Thief).
    - `give`: the student of the entrance given in exchange (Jester, Minstrel).
    - `island`: the chosen island (Monk, Herald, Grandma).
    """

    character: Character
    colour: Colour | None = None
    island: int | None = None
    give: Colour | None = None


class Swap(msgspec.Struct, frozen=True, gc=False, tag="swap"):
    """Swap again: take `colour` from the Jester's card or the dining room, give `give` from the entrance."""

    colour: Colour
    give: Colour


class Done(msgspec.Struct, frozen=True, gc=False, tag="done"):
    """Stop swapping or, in a round without clouds, end the turn."""


class PlaceMotherNature(msgspec.Struct, frozen=True, gc=False, tag="place-mother-nature"):
    """Chance: the tile on which mother nature starts."""

    island: int


class StockIslands(msgspec.Struct, frozen=True, gc=False, tag="stock-islands"):
    """Chance: the first students of the ten islands, clockwise from mother nature, without the one opposite her."""

    colours: tuple[Colour, ...]


class DealEntrances(msgspec.Struct, frozen=True, gc=False, tag="deal-entrances"):
    """Chance: the first students of every entrance, by seat."""

    entrances: tuple[Counts, ...]


class DrawCharacters(msgspec.Struct, frozen=True, gc=False, tag="draw-characters"):
    """Chance: the three characters of an expert game."""

    characters: tuple[Character, ...]


class StockCharacters(msgspec.Struct, frozen=True, gc=False, tag="stock-characters"):
    """Chance: the first students on each of the three characters."""

    students: tuple[Counts, ...]


class DrawFirst(msgspec.Struct, frozen=True, gc=False, tag="draw-first"):
    """Chance: the seat that plays the first assistant."""

    seat: Seat


class Refill(msgspec.Struct, frozen=True, gc=False, tag="refill"):
    """Chance: the students drawn for each cloud."""

    clouds: tuple[Counts, ...]


class Restock(msgspec.Struct, frozen=True, gc=False, tag="restock"):
    """Chance: the student that replaces one taken from a character."""

    colour: Colour


Action: TypeAlias = (
    PlayAssistant
    | ToHall
    | ToIsland
    | MoveMotherNature
    | TakeCloud
    | UseCharacter
    | Swap
    | Done
    | PlaceMotherNature
    | StockIslands
    | DealEntrances
    | DrawCharacters
    | StockCharacters
    | DrawFirst
    | Refill
    | Restock
)

ActionRow: TypeAlias = tuple[Action, ...]
ActionTable: TypeAlias = tuple[ActionRow, ...]

TO_HALL: Final = tuple(ToHall(colour) for colour in Colour)
TO_ISLAND: Final[ActionTable] = tuple(tuple(ToIsland(colour, tile) for tile in range(TILES)) for colour in Colour)


class Choices(msgspec.Struct, frozen=True, gc=False):
    """Lazy sequence of legal actions: a list, then a grid, then more choices.

    A turn has about forty legal student moves but only one is made, so the list of all is rarely needed. The grid is
    `table[row][column]`, row by row.
    """

    listed: ActionRow = ()
    rows: tuple[int, ...] = ()
    columns: tuple[int, ...] = ()
    table: ActionTable = ()
    more: Choices | None = None

    def __len__(self) -> int:
        count = len(self.listed) + len(self.rows) * len(self.columns)
        return count if self.more is None else count + len(self.more)

    def __getitem__(self, index: int) -> Action:
        listed = len(self.listed)
        if 0 <= index < listed:
            return self.listed[index]
        if index < 0:
            index += len(self)
            if index < 0:
                raise IndexError("no such choice")
            return self[index]
        row, column = divmod(index - listed, len(self.columns) or 1)
        if row < len(self.rows) and self.columns:
            return self.table[self.rows[row]][self.columns[column]]
        if self.more is None:
            raise IndexError("no such choice")
        return self.more[index - listed - len(self.rows) * len(self.columns)]

    def __iter__(self) -> Iterator[Action]:
        yield from self.listed
        for row in self.rows:
            actions = self.table[row]
            for column in self.columns:
                yield actions[column]
        if self.more is not None:
            yield from self.more

    def __contains__(self, action: object) -> bool:
        return any(action == choice for choice in self)
