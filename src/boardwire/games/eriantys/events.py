"""Events: what happened, and why.

A seat is a player, a side a player or a team; an island is identified by the head of its group at that moment. Nothing
is hidden in Eriantys, so all seats see every event. Frequent events are built once and shared.
"""

from __future__ import annotations

from enum import StrEnum
from typing import Final, TypeAlias

import msgspec

from boardwire.games.eriantys.colours import Colour
from boardwire.games.eriantys.options import Character
from boardwire.games.eriantys.piles import Counts
from boardwire.games.eriantys.ring import TILES
from boardwire.games.game import Seat


class Termination(StrEnum):
    """How a match can end. An empty bag or hand makes the current round the last one."""

    TOWERS = "towers"
    ISLANDS = "islands"
    BAG = "bag"
    ASSISTANTS = "assistants"
    FORFEIT = "forfeit"


class MotherNaturePlaced(msgspec.Struct, frozen=True, gc=False, tag="mother-nature-placed"):
    """Mother nature starts on `island`."""

    island: int


class IslandsStocked(msgspec.Struct, frozen=True, gc=False, tag="islands-stocked"):
    """The first student of each tile, by tile; None for mother nature's and the opposite one."""

    students: tuple[Colour | None, ...]


class EntrancesDealt(msgspec.Struct, frozen=True, gc=False, tag="entrances-dealt"):
    """The first students of every entrance, by seat."""

    entrances: tuple[Counts, ...]


class CharactersDrawn(msgspec.Struct, frozen=True, gc=False, tag="characters-drawn"):
    """The characters of this match."""

    characters: tuple[Character, ...]


class CharactersStocked(msgspec.Struct, frozen=True, gc=False, tag="characters-stocked"):
    """The first students on each character."""

    students: tuple[Counts, ...]


class FirstDrawn(msgspec.Struct, frozen=True, gc=False, tag="first-drawn"):
    """`seat` plays the first assistant."""

    seat: Seat


class RoundBegan(msgspec.Struct, frozen=True, gc=False, tag="round-began"):
    """A round begins; `first` plays the first assistant."""

    round: int
    first: Seat


class Refilled(msgspec.Struct, frozen=True, gc=False, tag="refilled"):
    """Students were put onto the clouds."""

    clouds: tuple[Counts, ...]


class LastRound(msgspec.Struct, frozen=True, gc=False, tag="last-round"):
    """This round is the last one, because of `reason`; `clouds`: whether clouds are still taken."""

    reason: Termination
    clouds: bool = True


class AssistantPlayed(msgspec.Struct, frozen=True, gc=False, tag="assistant-played"):
    """`seat` played `card`."""

    seat: Seat
    card: int


class OrderSet(msgspec.Struct, frozen=True, gc=False, tag="order-set"):
    """All assistants are played; the turns follow in this order."""

    order: tuple[Seat, ...]


class TurnBegan(msgspec.Struct, frozen=True, gc=False, tag="turn-began"):
    """It is the turn of `seat`."""

    seat: Seat


class TurnEnded(msgspec.Struct, frozen=True, gc=False, tag="turn-ended"):
    """The turn of `seat` is over."""

    seat: Seat


class StudentPlaced(msgspec.Struct, frozen=True, gc=False, tag="student-placed"):
    """`seat` put a student on `island`, from the entrance or from the card of `by`."""

    seat: Seat
    colour: Colour
    island: int
    by: Character | None = None


class StudentSeated(msgspec.Struct, frozen=True, gc=False, tag="student-seated"):
    """`seat` seated a student in the dining room, from the entrance or from the card of `by`."""

    seat: Seat
    colour: Colour
    by: Character | None = None


class ProfessorTaken(msgspec.Struct, frozen=True, gc=False, tag="professor-taken"):
    """`seat` took the professor of `colour`: from another seat, or a free one (None)."""

    seat: Seat
    colour: Colour
    previous: Seat | None = None


class CoinTaken(msgspec.Struct, frozen=True, gc=False, tag="coin-taken"):
    """`seat` took a coin for a student of `colour` on seat 3, 6 or 9."""

    seat: Seat
    colour: Colour


class MotherNatureMoved(msgspec.Struct, frozen=True, gc=False, tag="mother-nature-moved"):
    """`seat` walked mother nature from the group of `start` to the group of `island`."""

    seat: Seat
    steps: int
    start: int
    island: int


class EntryDenied(msgspec.Struct, frozen=True, gc=False, tag="entry-denied"):
    """A no-entry tile of `island` was returned to Grandma's card; the island was not resolved."""

    island: int


class IslandResolved(msgspec.Struct, frozen=True, gc=False, tag="island-resolved"):
    """The influence of each side on `island`, and its owner before and after."""

    island: int
    influence: tuple[int, ...]
    before: int | None
    after: int | None


class TowersReturned(msgspec.Struct, frozen=True, gc=False, tag="towers-returned"):
    """`side` took its towers back from `island`."""

    side: int
    island: int
    count: int


class TowersPlaced(msgspec.Struct, frozen=True, gc=False, tag="towers-placed"):
    """`side` put towers on `island`; `left` are still to be placed."""

    side: int
    island: int
    count: int
    left: int


class IslandsUnified(msgspec.Struct, frozen=True, gc=False, tag="islands-unified"):
    """The group of `joined` became part of the group of `island`, which now has `tiles`."""

    island: int
    joined: int
    tiles: tuple[int, ...]


class CloudTaken(msgspec.Struct, frozen=True, gc=False, tag="cloud-taken"):
    """`seat` took these students from `cloud`."""

    seat: Seat
    cloud: int
    students: Counts


class CharacterUsed(msgspec.Struct, frozen=True, gc=False, tag="character-used"):
    """`seat` paid `price` for `character`."""

    seat: Seat
    character: Character
    price: int
    colour: Colour | None = None
    island: int | None = None


class NoEntryPlaced(msgspec.Struct, frozen=True, gc=False, tag="no-entry-placed"):
    """`seat` put a no-entry tile on `island`."""

    seat: Seat
    island: int


class StudentsSwapped(msgspec.Struct, frozen=True, gc=False, tag="students-swapped"):
    """`seat` took `colour` (from the card, or the dining room) into the entrance and gave `give` for it."""

    seat: Seat
    character: Character
    colour: Colour
    give: Colour


class StudentsReturned(msgspec.Struct, frozen=True, gc=False, tag="students-returned"):
    """Students of `colour` were returned from the dining rooms to the bag; `counts` by seat."""

    colour: Colour
    counts: tuple[int, ...]


class CharacterRestocked(msgspec.Struct, frozen=True, gc=False, tag="character-restocked"):
    """A student from the bag was put on the card of `character`."""

    character: Character
    colour: Colour


class TurnSkipped(msgspec.Struct, frozen=True, gc=False, tag="turn-skipped"):
    """`seat` is absent: it plays no assistant in this round, or its turn ends."""

    seat: Seat


class Forfeited(msgspec.Struct, frozen=True, gc=False, tag="forfeited"):
    """`seat` gave up."""

    seat: Seat


class Ended(msgspec.Struct, frozen=True, gc=False, tag="ended"):
    """The match is over."""

    termination: Termination
    winners: tuple[Seat, ...]


Event: TypeAlias = (
    MotherNaturePlaced
    | IslandsStocked
    | EntrancesDealt
    | CharactersDrawn
    | CharactersStocked
    | FirstDrawn
    | RoundBegan
    | Refilled
    | LastRound
    | AssistantPlayed
    | OrderSet
    | TurnBegan
    | TurnEnded
    | StudentPlaced
    | StudentSeated
    | ProfessorTaken
    | CoinTaken
    | MotherNatureMoved
    | EntryDenied
    | IslandResolved
    | TowersReturned
    | TowersPlaced
    | IslandsUnified
    | CloudTaken
    | CharacterUsed
    | NoEntryPlaced
    | StudentsSwapped
    | StudentsReturned
    | CharacterRestocked
    | TurnSkipped
    | Forfeited
    | Ended
)

Events: TypeAlias = tuple[Event, ...]

_SEATS: Final = range(4)

PLACED: Final[tuple[tuple[tuple[Events, ...], ...], ...]] = tuple(
    tuple(tuple((StudentPlaced(seat, colour, tile),) for tile in range(TILES)) for colour in Colour) for seat in _SEATS
)
"""Events of a student put on an island: `PLACED[seat][colour][island]`."""

SEATED: Final[tuple[tuple[Events, ...], ...]] = tuple(
    tuple((StudentSeated(seat, colour),) for colour in Colour) for seat in _SEATS
)
"""Events of a seated student: `SEATED[seat][colour]`."""

TURN_BEGAN: Final = tuple(TurnBegan(seat) for seat in _SEATS)
TURN_ENDED: Final = tuple(TurnEnded(seat) for seat in _SEATS)
TURN_PASSED: Final = tuple(tuple((ended, began) for began in TURN_BEGAN) for ended in TURN_ENDED)
"""Events of a change of turn: `TURN_PASSED[seat][next_seat]`."""
