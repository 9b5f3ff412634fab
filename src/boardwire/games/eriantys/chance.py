"""What luck decides: the set-up, the refills, and the students that come onto characters.

One decision for each logical draw.  Draws of students are `Deal`s: all hands, clouds or cards of one draw at once, each
student as likely as any other in the bag.  Nothing here makes a random choice; a `Deal` is told how by whoever draws.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache
from itertools import combinations, product
from math import comb, prod
from typing import Final

import msgspec
from msgspec.structs import replace

from boardwire.games.eriantys.actions import (
    Action,
    DealEntrances,
    DrawCharacters,
    DrawFirst,
    PlaceMotherNature,
    Refill,
    Restock,
    StockCharacters,
    StockIslands,
)
from boardwire.games.eriantys.characters import SHEETS, card_of
from boardwire.games.eriantys.events import (
    CharacterRestocked,
    CharactersDrawn,
    CharactersStocked,
    EntrancesDealt,
    Events,
    FirstDrawn,
    IslandsStocked,
    MotherNaturePlaced,
    Refilled,
)
from boardwire.games.eriantys.options import COINS, Character
from boardwire.games.eriantys.piles import ONE, WIDTH, Colour, Counts, Pile, counts, pile
from boardwire.games.eriantys.position import Card, Expert, Kind, Position, Stage, is_gone
from boardwire.games.eriantys.ring import TILES
from boardwire.games.eriantys.turns import BAG, begin_round, end_turn, last_round, missing, plan_next
from boardwire.games.game import CHANCE, Below, Decision, Illegal, Seat

LUCK: Final = (CHANCE,)
FIRST_BAG: Final = 24
"""Students of each colour in the bag once the islands have theirs."""

_PLACES: Final = tuple(PlaceMotherNature(tile) for tile in range(TILES))
_PAIRS: Final = tuple(colour for colour in Colour for _ in range(2))
_CHIPS: Final = tuple(tuple(bytes([colour]) * count for count in range(27)) for colour in range(5))


class Deal(msgspec.Struct, frozen=True):
    """Students drawn from a bag into places of given sizes; `make` builds the action of what each place gets."""

    make: Callable[[tuple[Counts, ...]], Action]
    read: Callable[[object], tuple[Counts, ...] | None]
    bag: Pile
    sizes: tuple[int, ...]

    def draw(self, below: Below) -> Action:
        """One outcome: each student of the bag is as likely as any other to come next."""
        left = bytearray(b"".join(_CHIPS[colour][count] for colour, count in enumerate(counts(self.bag))))
        dealt = []
        for wanted in self.sizes:
            got = 0
            for _ in range(wanted):
                index = below(len(left))
                got += ONE[0][left[index]]
                last = left.pop()
                if index < len(left):
                    left[index] = last
            dealt.append(counts(got))
        return self.make(tuple(dealt))

    def __contains__(self, action: object) -> bool:
        dealt = self.read(action)
        if dealt is None or len(dealt) != len(self.sizes):
            return False
        if any(sum(place) != wanted for place, wanted in zip(dealt, self.sizes, strict=True)):
            return False
        columns = zip(*dealt, strict=True)
        bag = counts(self.bag)
        return all(min(column) >= 0 and sum(column) <= there for column, there in zip(columns, bag, strict=True))

    def __iter__(self) -> Iterator[Action]:
        for dealt in _deals(counts(self.bag), self.sizes):
            yield self.make(dealt)

    def __len__(self) -> int:
        wanted = sum(self.sizes)
        if min(counts(self.bag)) >= wanted:
            return prod(comb(count + 4, 4) for count in self.sizes)
        return sum(1 for _ in _deals(counts(self.bag), self.sizes))


@cache
def _hands(count: int) -> tuple[Counts, ...]:
    """All ways to have `count` students."""
    return tuple(
        (a, b, c, d, count - a - b - c - d)
        for a, b, c, d in product(range(count + 1), repeat=4)
        if a + b + c + d <= count
    )


def _deals(bag: Counts, sizes: tuple[int, ...]) -> Iterator[tuple[Counts, ...]]:
    if not sizes:
        yield ()
        return
    for hand in _hands(sizes[0]):
        if all(taken <= there for taken, there in zip(hand, bag, strict=True)):
            left = tuple(there - taken for taken, there in zip(hand, bag, strict=True))
            for rest in _deals(left, sizes[1:]):  # type: ignore[arg-type]  # five numbers again
                yield (hand, *rest)


class Scatter(msgspec.Struct, frozen=True):
    """The first ten students, two of each colour, in any order."""

    def draw(self, below: Below) -> Action:
        """One order, each as likely as any other."""
        left = list(_PAIRS)
        return StockIslands(tuple(left.pop(below(len(left))) for _ in _PAIRS))

    def __contains__(self, action: object) -> bool:
        return isinstance(action, StockIslands) and tuple(sorted(action.colours)) == _PAIRS

    def __iter__(self) -> Iterator[Action]:
        for colours in _orders((2,) * 5):
            yield StockIslands(colours)

    def __len__(self) -> int:
        return 113_400  # 10! / 2!^5


def _orders(left: tuple[int, ...]) -> Iterator[tuple[Colour, ...]]:
    if not any(left):
        yield ()
    for colour in Colour:
        if left[colour]:
            for rest in _orders((*left[:colour], left[colour] - 1, *left[colour + 1 :])):
                yield (colour, *rest)


def _deal(kind: Kind, position: Position, sizes: tuple[int, ...]) -> Decision[Action]:
    make, read = _SHAPES[kind]
    return Decision(kind, LUCK, Deal(make, read, position.bag, sizes))


_SHAPES: Final[
    dict[Kind, tuple[Callable[[tuple[Counts, ...]], Action], Callable[[object], tuple[Counts, ...] | None]]]
] = {
    Kind.ENTRANCES: (DealEntrances, lambda action: action.entrances if isinstance(action, DealEntrances) else None),
    Kind.STOCK: (StockCharacters, lambda action: action.students if isinstance(action, StockCharacters) else None),
    Kind.REFILL: (Refill, lambda action: action.clouds if isinstance(action, Refill) else None),
    Kind.RESTOCK: (
        lambda dealt: Restock(Colour(dealt[0].index(1))),
        lambda action: (counts(ONE[0][action.colour]),) if isinstance(action, Restock) else None,
    ),
}


def ask(position: Position) -> Decision[Action]:
    """What luck is asked at this stage."""
    seats = position.terms.seats
    match position.stage:
        case Stage.REFILL:
            return _deal(Kind.REFILL, position, missing(position))
        case Stage.RESTOCK:
            return _deal(Kind.RESTOCK, position, (1,))
        case Stage.MOTHER_NATURE:
            return Decision(Kind.MOTHER_NATURE, LUCK, _PLACES)
        case Stage.ISLANDS:
            return Decision(Kind.ISLANDS, LUCK, Scatter())
        case Stage.ENTRANCES:
            return _deal(Kind.ENTRANCES, position, (position.terms.entrance,) * seats)
        case Stage.CHARACTERS:
            return Decision(Kind.CHARACTERS, LUCK, _threes(position.terms.options.catalogue))
        case Stage.STOCK:
            return _deal(Kind.STOCK, position, _stock(position))
        case _:
            return Decision(Kind.FIRST, LUCK, tuple(DrawFirst(seat) for seat in range(seats)))


@cache
def _threes(catalogue: tuple[Character, ...]) -> tuple[DrawCharacters, ...]:
    return tuple(DrawCharacters(three) for three in combinations(catalogue, 3))


def _stock(position: Position) -> tuple[int, ...]:
    assert position.expert is not None
    return tuple(SHEETS[card.character].students for card in position.expert.cards)


def deal(position: Position, seat: Seat, action: Action) -> tuple[Position, Events]:
    """What luck decided happens."""
    if action not in ask(position).choices:
        raise Illegal("luck cannot do that now")
    match action:
        case Refill():
            return _refill(position, action)
        case Restock():
            return _restock(position, action)
        case PlaceMotherNature():
            placed = replace(position, mother=action.island, stage=Stage.ISLANDS)
            return placed, (MotherNaturePlaced(action.island),)
        case StockIslands():
            return _stock_islands(position, action)
        case DealEntrances():
            return _deal_entrances(position, action)
        case DrawCharacters():
            return lay_out(position, action.characters)
        case StockCharacters():
            return _stock_characters(position, action)
        case DrawFirst():
            position, events = begin_round(position, action.seat)
            return position, (FirstDrawn(action.seat), *events)
        case _:
            raise AssertionError(action)


def _stock_islands(position: Position, action: StockIslands) -> tuple[Position, Events]:
    """Clockwise from mother nature, past her own island and the opposite one (rules 1.1)."""
    tiles = [(position.mother + step) % TILES for step in range(1, TILES) if step != TILES // 2]
    students: list[Colour | None] = [None] * TILES
    islands = 0
    for tile, colour in zip(tiles, action.colours, strict=True):
        students[tile] = colour
        islands += ONE[tile][colour]
    stocked = replace(position, islands=islands, bag=pile((FIRST_BAG,) * 5), stage=Stage.ENTRANCES)
    return stocked, (IslandsStocked(tuple(students)),)


def _deal_entrances(position: Position, action: DealEntrances) -> tuple[Position, Events]:
    entrances = 0
    bag = position.bag
    for seat, dealt in enumerate(action.entrances):
        entrances |= pile(dealt) << WIDTH * seat
        bag -= pile(dealt)
    position = replace(position, entrances=entrances, bag=bag, stage=Stage.FIRST)
    events: Events = (EntrancesDealt(action.entrances),)
    if not position.terms.expert:
        return position, events
    given = position.terms.options.characters
    if given is None:
        return replace(position, stage=Stage.CHARACTERS), events
    position, told = lay_out(position, given)
    return position, events + told


def lay_out(position: Position, characters: tuple[Character, ...]) -> tuple[Position, Events]:
    """Put the three characters on the table, and give every player a coin."""
    seats = position.terms.seats
    cards = tuple(Card(character, no_entry=SHEETS[character].no_entry) for character in characters)
    expert = Expert(coins=(1,) * seats, supply=COINS - seats, cards=cards, no_entry=(0,) * TILES)
    position = replace(position, expert=expert)
    stage = Stage.STOCK if any(_stock(position)) else Stage.FIRST
    return replace(position, stage=stage), (CharactersDrawn(characters),)


def _stock_characters(position: Position, action: StockCharacters) -> tuple[Position, Events]:
    assert position.expert is not None
    piles = [pile(students) for students in action.students]
    cards = tuple(replace(card, students=students) for card, students in zip(position.expert.cards, piles, strict=True))
    expert = replace(position.expert, cards=cards)
    stocked = replace(position, expert=expert, bag=position.bag - sum(piles), stage=Stage.FIRST)
    return stocked, (CharactersStocked(action.students),)


def _refill(position: Position, action: Refill) -> tuple[Position, Events]:
    piles = [pile(students) for students in action.clouds]
    bag = position.bag - sum(piles)
    clouds = tuple(cloud + more for cloud, more in zip(position.clouds, piles, strict=True))
    ending = position.ending
    events: Events = (Refilled(action.clouds),)
    if not bag:
        ending, told = last_round(ending, BAG)
        events += told
    return plan_next(replace(position, bag=bag, clouds=clouds, ending=ending), events)


def _restock(position: Position, action: Restock) -> tuple[Position, Events]:
    """The card gets its student, and the turn goes on; it ends, if whose turn it was gave up meanwhile."""
    expert = position.expert
    assert expert is not None
    assert expert.active is not None
    card = card_of(position, expert.active)
    assert card is not None
    student = ONE[0][action.colour]
    cards = tuple(replace(card, students=card.students + student) if other is card else other for other in expert.cards)
    ending = position.ending
    events: Events = (CharacterRestocked(card.character, action.colour),)
    bag = position.bag - student
    if not bag:
        ending, told = last_round(ending, BAG)
        events += told
    position = replace(
        position,
        bag=bag,
        ending=ending,
        stage=expert.resume,
        seat=expert.user,
        expert=replace(expert, cards=cards),
    )
    if not is_gone(position, expert.user):
        return position, events
    position, told = end_turn(position)
    return position, events + told
