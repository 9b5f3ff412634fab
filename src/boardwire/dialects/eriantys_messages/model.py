"""Client-side model of the match, built from the server's displays.

- It returns a view of the game, texts about changes, and the choices of a question.
- The server shows neither the bag nor tile numbers, and the player to move only to that player; the view has zeros
  for them. Tiles are numbered clockwise from island 0.
- The Jester and the Minstrel are offered with a single swap of different colours.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import accumulate
from typing import Final

import msgspec

from boardwire.dialects.eriantys_messages import messages as wire
from boardwire.dialects.eriantys_messages.ask import ASK, STUDENTS_OR_CLOUD
from boardwire.games.eriantys import (
    Action,
    Character,
    CloudTime,
    Colour,
    Kind,
    Mode,
    TakeCloud,
    Tower,
    View,
)
from boardwire.games.eriantys import choices as options
from boardwire.games.eriantys.characters import SHEETS
from boardwire.games.eriantys.piles import Counts
from boardwire.games.eriantys.planning import POSTMAN_STEPS, assistant_steps
from boardwire.games.eriantys.ring import TILES
from boardwire.games.eriantys.view import Board, CharacterView, Island, Side
from boardwire.games.game import Seat


def count_by_colour(names: Sequence[str]) -> Counts:
    """Count students by colour."""
    numbers = [0] * 5
    for colour in map(wire.parse_colour, names):
        numbers[colour] += 1
    return (numbers[0], numbers[1], numbers[2], numbers[3], numbers[4])


class Turn(msgspec.Struct):
    """Actions of this player in its current turn, which the displays do not show."""

    moved: int = 0
    took_cloud: bool = False
    used_character: Character | None = None
    barred: bool = False
    """Whether characters are no longer offered in this turn, because the server refused one."""


class Model:
    """The table as displayed so far."""

    def __init__(self, nickname: str) -> None:
        self.me = nickname
        self.names: list[str] = []
        self.entrances: dict[str, tuple[str, ...]] = {}
        self.halls: dict[str, wire.DisplayHallMessage] = {}
        self.towers: dict[str, wire.TowerMessage] = {}
        self.decks: dict[str, tuple[int, ...]] = {}
        self.clouds: tuple[tuple[str, ...], ...] = ()
        self.islands: list[wire.IslandModel] = []
        self.cemetery: tuple[wire.PlayedCard, ...] = ()
        self.characters = wire.CharacterCardsMessage(characters=(), coins={})
        self.last_round = ""
        self.clouds_closed = False
        self.turn = Turn()

    @property
    def has_begun(self) -> bool:
        return bool(self.islands) and bool(self.names)

    @property
    def heads(self) -> list[int]:
        """The first tile of each island, which identifies it in the game."""
        return [0, *accumulate(model.tiles for model in self.islands[:-1])]

    @property
    def steps(self) -> int:
        """Maximum steps of mother nature in this player's turn."""
        card = next((card.value for card in self.cemetery if card.nickname == self.me), 0)
        return assistant_steps(card) + (POSTMAN_STEPS if self.turn.used_character is Character.POSTMAN else 0)

    @property
    def _round(self) -> int:
        """Number of the round: each round takes one card from every hand."""
        has_played = any(card.nickname == self.me for card in self.cemetery)
        return 10 - len(self.decks.get(self.me, ())) + (not has_played)

    def apply_display(self, reply: wire.Reply) -> str:
        """Store a display and return a text about the change, or ''."""
        match reply:
            case wire.DisplayEntranceMessage(nickname=name, entrance=entrance):
                if name not in self.names:
                    self.names.append(name)  # the first displays come in seat order
                self.entrances[name] = entrance
            case wire.DisplayHallMessage(nickname=name, professors=professors):
                old_hall, self.halls[name] = self.halls.get(name), reply
                if old_hall is not None and set(professors) - set(old_hall.professors):
                    return f"{name} has the professors of {', '.join(map(str.lower, professors))}."
            case wire.TowerMessage(nickname=name, towerNumber=count):
                old_towers, self.towers[name] = self.towers.get(name), reply
                if old_towers is not None and old_towers.towerNumber != count:
                    return f"{name} has {count} remaining towers."
            case wire.AssignPlayerDeckResponseMessage(nickname=name, assistantCardsModel=cards):
                self.decks[name] = tuple(card.value for card in cards)
            case wire.DisplayCloudsMessage(clouds=clouds):
                self.clouds = clouds
            case wire.DisplayCemeteryMessage(cemetery=cemetery):
                before, self.cemetery = self.cemetery, cemetery
                new_cards = [card for card in cemetery if card not in before and card.nickname != self.me]
                return " ".join(f"{card.nickname} plays assistant {card.value}." for card in new_cards)
            case wire.CharacterCardsMessage(coins=coins):
                old_coins, self.characters = self.characters.coins, reply
                payers = [name for name in coins if coins[name] < old_coins.get(name, 0) and name != self.me]
                return " ".join(f"{name} uses a character." for name in payers)
            case wire.DisplayIslandMessage(islandModel=island, islandIndex=index, numIslands=count) if (
                0 <= index < count <= TILES
            ):
                self.islands = (self.islands + [island] * count)[:count]
                old_island, self.islands[index] = self.islands[index], island
                if self.names and island.motherNature and not old_island.motherNature:
                    return f"Mother nature is on island {index}."
        return ""

    # --- as the game's view -----------------------------------------------------------------------------------------

    def view(self, kind: Kind | None) -> View:
        """Return the known part of the position as a view; `kind` is the open question of this player."""
        colours = list(dict.fromkeys(self.towers[name].colorTower for name in self.names))
        seats = {name: seat for seat, name in enumerate(self.names)}
        boards = tuple(self._board_view(name, colours) for name in self.names)
        holders = {colour: seat for seat, board in enumerate(boards) for colour in board.professors}
        expert = bool(self.characters.characters)
        return View(
            mode=Mode.EXPERT if expert else Mode.SIMPLIFIED,
            cloud=CloudTime.EITHER,
            round=self._round,
            asked=kind,
            turn=seats[self.me] if kind is not None else None,
            first=0,
            order=tuple(seats[card.nickname] for card in self.cemetery),
            moved=self.turn.moved,
            moves=4 if len(self.names) == 3 else 3,
            steps=self.steps,
            took_cloud=self.turn.took_cloud,
            islands=tuple(self._island_views(colours)),
            mother_nature=next(
                (head for head, model in zip(self.heads, self.islands, strict=True) if model.motherNature), 0
            ),
            clouds=tuple(map(count_by_colour, self.clouds)),
            bag=(0, 0, 0, 0, 0),
            professors=tuple(map(holders.get, Colour)),
            boards=boards,
            sides=tuple(self._side_of(colour) for colour in colours),
            characters=tuple(map(_character_view, self.characters.characters)),
            supply=0 if expert else None,
            active=self.turn.used_character,
            ignored=None,
            last_round=self.last_round or None,
            clouds_closed=self.clouds_closed,
            outcome=None,
        )

    def _side_of(self, colour: str) -> Side:
        seats = tuple(seat for seat, name in enumerate(self.names) if self.towers[name].colorTower == colour)
        return Side(Tower[colour], seats, self.towers[self.names[seats[0]]].towerNumber)

    def _island_views(self, colours: list[str]) -> Iterator[Island]:
        """Yield the islands; `colours` are the tower colours by side.

        A message gives the influence of every player; players of a side have the same, so its captain's is read.
        """
        captains = [next(name for name in self.names if self.towers[name].colorTower == colour) for colour in colours]
        for head, model in zip(self.heads, self.islands, strict=True):
            yield Island(
                tiles=tuple(range(head, head + model.tiles)),
                students=count_by_colour(model.students),
                side=None if model.tower is None else colours.index(model.tower),
                towers=model.towerNumber,
                no_entry=model.noEntry,
                influence=tuple(model.influence.get(name, 0) for name in captains),
                mother_nature=model.motherNature,
            )

    def _board_view(self, name: str, colours: list[str]) -> Board:
        """Return a player's board; `colours` are the tower colours by side."""
        hall = self.halls[name].hall
        green, red, yellow, pink, blue = (hall.get(colour.name, 0) for colour in Colour)
        return Board(
            side=colours.index(self.towers[name].colorTower),
            entrance=count_by_colour(self.entrances[name]),
            hall=(green, red, yellow, pink, blue),
            professors=tuple(map(wire.parse_colour, self.halls[name].professors)),
            hand=self.decks.get(name, ()),
            card=next((card.value for card in self.cemetery if card.nickname == name), None),
            coins=self.characters.coins.get(name) if self.characters.characters else None,
            gone=False,
        )


def _character_view(model: wire.CharacterModel) -> CharacterView:
    character = wire.CHARACTERS[model.name]
    is_used = model.cost > SHEETS[character].price
    return CharacterView(character, model.cost, is_used, count_by_colour(model.students), model.noEntry)


# --- choices --------------------------------------------------------------------------------------------------------

WORDS: Final = {**{word: kind for kind, (word, _) in ASK.items()}, STUDENTS_OR_CLOUD: Kind.STUDENT}
"""Decision kind of each question keyword."""


def choices(view: View, seat: Seat, word: str, barred: bool) -> tuple[Action, ...]:
    """Return the possible answers to a question; if `barred`, without characters."""
    uses = [] if barred else [use for use in options.uses(view, seat) if use.give is None or use.give != use.colour]
    match WORDS[word]:
        case Kind.ASSISTANT:
            return options.assistants(view, seat)
        case Kind.STUDENT:
            early = options.clouds(view) if word == STUDENTS_OR_CLOUD else ()
            return (*options.students(view, seat), *early, *uses)
        case Kind.STEPS:
            return (*options.steps(view), *uses)
        case _:  # in a round without clouds, choosing any cloud ends the turn [6.2]
            return (*(options.clouds(view) or map(TakeCloud, range(len(view.clouds)))), *uses)
