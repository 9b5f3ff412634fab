"""The table as a client knows it from the displays, and what can be chosen on it.

The wire names islands by index and says nothing of the bag, of tiles or of whose turn it is unless it is the reader's:
the view made here has zeros there.  Tiles are numbered afresh, clockwise from island 0.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from boardwire.dialects.eriantys_messages import messages as say
from boardwire.dialects.eriantys_messages.play import SWAPS
from boardwire.games.eriantys import (
    Action,
    Character,
    CloudTime,
    Colour,
    Kind,
    Mode,
    MoveMotherNature,
    PlayAssistant,
    TakeCloud,
    ToHall,
    ToIsland,
    Tower,
    UseCharacter,
    View,
)
from boardwire.games.eriantys.piles import Counts
from boardwire.games.eriantys.view import Board, CharacterView, Island, Side

WORDS: Final = {
    "assistant": Kind.ASSISTANT, "students": Kind.STUDENT, "motherNature": Kind.STEPS, "cloud": Kind.CLOUD,
}  # fmt: skip

_WITH_ISLAND: Final = (Character.HERALD, Character.GRANDMA)
_WITH_COLOUR: Final = (Character.MUSHROOM, Character.THIEF)
_FULL: Final = 10


def counted(names: Sequence[str]) -> Counts:
    """Students by colour."""
    found = [0] * 5
    for colour in map(say.parse_colour, names):
        found[colour] += 1
    return (found[0], found[1], found[2], found[3], found[4])


class Table:
    """Everything that was displayed so far."""

    def __init__(self, nickname: str) -> None:
        self.me = nickname
        self.names: list[str] = []
        self.entrances: dict[str, tuple[str, ...]] = {}
        self.halls: dict[str, say.DisplayHallMessage] = {}
        self.towers: dict[str, say.TowerMessage] = {}
        self.decks: dict[str, tuple[int, ...]] = {}
        self.clouds: tuple[tuple[str, ...], ...] = ()
        self.islands: list[say.IslandModel] = []
        self.cemetery: tuple[say.PlayedCard, ...] = ()
        self.characters = say.CharacterCardsMessage(characters=(), coins={})
        self.moved = 0
        self.used = False
        """Whether a character was used in this turn."""

    @property
    def begun(self) -> bool:
        return bool(self.islands) and bool(self.names)

    def show(self, reply: say.Reply) -> None:
        """Take a display in."""
        match reply:
            case say.DisplayEntranceMessage(nickname=name, entrance=entrance):
                if name not in self.names:
                    self.names.append(name)  # at the start all are displayed in the order of the seats
                self.entrances[name] = entrance
            case say.DisplayHallMessage(nickname=name):
                self.halls[name] = reply
            case say.TowerMessage(nickname=name):
                self.towers[name] = reply
            case say.AssignPlayerDeckResponseMessage(nickname=name, assistantCardsModel=cards):
                self.decks[name] = tuple(card.value for card in cards)
            case say.DisplayCloudsMessage(clouds=clouds):
                self.clouds = clouds
            case say.DisplayCemeteryMessage(cemetery=cemetery):
                self.cemetery = cemetery
            case say.CharacterCardsMessage():
                self.characters = reply
            case say.DisplayIslandMessage(islandModel=island, islandIndex=index, numIslands=count):
                self.islands = (self.islands + [island] * count)[:count]
                self.islands[index] = island

    # --- as the game's view -----------------------------------------------------------------------------------------

    def view(self, kind: Kind | None) -> View:
        """The table as far as it is known; `kind` is what this player is asked."""
        colours = list(dict.fromkeys(self.towers[name].colorTower for name in self.names))
        sides = tuple(self._side(colour) for colour in colours)
        seats = {name: seat for seat, name in enumerate(self.names)}
        professors: list[int | None] = [None] * 5
        for name in self.names:
            for colour in self.halls[name].professors if name in self.halls else ():
                professors[say.parse_colour(colour)] = seats[name]
        card = next((card.value for card in self.cemetery if card.nickname == self.me), None)
        expert = bool(self.characters.characters)
        return View(
            mode=Mode.EXPERT if expert else Mode.SIMPLIFIED,
            cloud=CloudTime.EITHER,
            round=0,
            asked=kind,
            turn=seats[self.me] if kind is not None else None,
            first=0,
            order=tuple(seats[card.nickname] for card in self.cemetery),
            moved=self.moved,
            moves=4 if len(self.names) == 3 else 3,
            steps=say.movement(card) if card is not None else 0,
            took_cloud=False,
            islands=tuple(self._islands(colours)),
            mother_nature=self._mother_nature(),
            clouds=tuple(map(counted, self.clouds)),
            bag=(0, 0, 0, 0, 0),
            professors=tuple(professors),
            boards=tuple(self._board(name, colours) for name in self.names),
            sides=sides,
            characters=tuple(self._character(model) for model in self.characters.characters),
            supply=0 if expert else None,
            active=None,
            ignored=None,
            last_round=None,
            clouds_closed=False,
            outcome=None,
        )

    def _side(self, colour: str) -> Side:
        seats = tuple(seat for seat, name in enumerate(self.names) if self.towers[name].colorTower == colour)
        return Side(Tower[colour], seats, self.towers[self.names[seats[0]]].towerNumber)

    def _islands(self, colours: list[str]) -> Iterator[Island]:
        start = 0
        for model in self.islands:
            tiles = tuple(range(start, start + model.tiles))
            start += model.tiles
            influence = tuple(
                next((model.influence.get(name, 0) for name in self.names if self.towers[name].colorTower == one), 0)
                for one in colours
            )
            side = None if model.tower is None else colours.index(model.tower)
            yield Island(
                tiles, counted(model.students), side, model.towerNumber, model.noEntry, influence, model.motherNature
            )

    def _mother_nature(self) -> int:
        start = 0
        for model in self.islands:
            if model.motherNature:
                return start
            start += model.tiles
        return 0

    def _board(self, name: str, colours: list[str]) -> Board:
        hall = self.halls[name].hall if name in self.halls else {}
        green, red, yellow, pink, blue = (hall.get(colour.name, 0) for colour in Colour)
        taught = self.halls[name].professors if name in self.halls else ()
        return Board(
            side=colours.index(self.towers[name].colorTower),
            entrance=counted(self.entrances[name]),
            hall=(green, red, yellow, pink, blue),
            professors=tuple(map(say.parse_colour, taught)),
            hand=self.decks.get(name, ()),
            card=next((card.value for card in self.cemetery if card.nickname == name), None),
            coins=self.characters.coins.get(name) if self.characters.characters else None,
            gone=False,
        )

    def _character(self, model: say.CharacterModel) -> CharacterView:
        return CharacterView(say.CHARACTERS[model.name], model.cost, False, counted(model.students), model.noEntry)

    # --- what can be chosen -----------------------------------------------------------------------------------------

    def choices(self, kind: Kind) -> tuple[Action, ...]:
        """What this player may answer, as far as the displays tell."""
        match kind:
            case Kind.ASSISTANT:
                return self._assistants()
            case Kind.STUDENT:
                early = self._taking() if self.moved == 0 else ()
                return (*self._students(), *early, *self._characters())
            case Kind.STEPS:
                steps = self.view(kind).steps + (2 if self.used and self._has(Character.POSTMAN) else 0)
                return (*map(MoveMotherNature, range(1, steps + 1)), *self._characters())
            case _:
                return (*self._taking(), *self._characters())

    def _has(self, character: Character) -> bool:
        return any(model.name == character.name for model in self.characters.characters)

    def _assistants(self) -> tuple[Action, ...]:
        played = {card.value for card in self.cemetery}
        hand = self.decks[self.me]
        return tuple(PlayAssistant(card) for card in [card for card in hand if card not in played] or hand)

    def _students(self) -> tuple[Action, ...]:
        hall = self.halls[self.me].hall
        mine = [colour for colour in Colour if colour.name in self.entrances[self.me]]
        heads = [island.tiles[0] for island in self.view(None).islands]
        seats = [ToHall(colour) for colour in mine if hall.get(colour.name, 0) < _FULL]
        return (*seats, *(ToIsland(colour, head) for colour in mine for head in heads))

    def _taking(self) -> tuple[Action, ...]:
        return tuple(TakeCloud(index) for index, cloud in enumerate(self.clouds) if cloud)

    def _characters(self) -> tuple[Action, ...]:
        coins = self.characters.coins.get(self.me, 0)
        if self.used:
            return ()
        models = [model for model in self.characters.characters if model.cost <= coins]
        return tuple(use for model in models for use in self._uses(model))

    def _uses(self, model: say.CharacterModel) -> Iterator[Action]:
        """The ways to use a character; of the swapping ones, the single swaps."""
        character = say.CHARACTERS[model.name]
        heads = [island.tiles[0] for island in self.view(None).islands]
        on_card = [colour for colour in Colour if colour.name in model.students]
        hall = self.halls[self.me].hall
        if character is Character.MONK:
            yield from (UseCharacter(character, colour, head) for colour in on_card for head in heads)
        elif character is Character.PRINCESS:
            yield from (UseCharacter(character, colour) for colour in on_card if hall.get(colour.name, 0) < _FULL)
        elif character in SWAPS:
            source = on_card if character is Character.JESTER else [one for one in Colour if hall.get(one.name, 0)]
            mine = [colour for colour in Colour if colour.name in self.entrances[self.me]]
            yield from (UseCharacter(character, take, give=give) for take in source for give in mine if take != give)
        elif character in _WITH_COLOUR:
            yield from (UseCharacter(character, colour) for colour in Colour)
        elif character in _WITH_ISLAND:
            if character is not Character.GRANDMA or model.noEntry:
                yield from (UseCharacter(character, island=head) for head in heads)
        else:
            yield UseCharacter(character)
