"""Eriantys: what a client of one of its protocols sees of a match, compared with a position of ours.

Islands are compared in the order in which mother nature meets them, since some protocols number them afresh; towers by
whose they are, since our client may have another colour than the foreign server knows.  What no protocol tells (the
bag, who began) follows from what it does.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import lru_cache
from typing import Any

from msgspec.structs import replace

from boardwire.clinic.adapting.likeness import Sight
from boardwire.dialects.dialect import Ask
from boardwire.games import eriantys
from boardwire.games.eriantys import (
    Character,
    Colour,
    Kind,
    Mode,
    Options,
    PlayAssistant,
    TakeCloud,
    ToHall,
    ToIsland,
    Tower,
    UseCharacter,
    View,
    Wish,
)
from boardwire.games.eriantys.actions import (
    Action,
    DealEntrances,
    DrawCharacters,
    DrawFirst,
    MoveMotherNature,
    PlaceMotherNature,
    Refill,
    Restock,
    StockCharacters,
    StockIslands,
)
from boardwire.games.eriantys.piles import Counts
from boardwire.games.eriantys.position import Position, Stage
from boardwire.games.eriantys.ring import TILES
from boardwire.games.game import Decision, Seat


def seats(sight: Sight) -> int:
    view: View = sight.view
    return len(view.boards)


def options(sight: Sight, wish: Wish | None) -> Options | None:
    view: View = sight.view
    if len(view.islands) != TILES or not all(sum(board.entrance) for board in view.boards):
        return None
    told: Options | None = sight.players.options
    if told is None:
        told = Options(view.mode, view.cloud)
    if view.mode is Mode.EXPERT and len(view.characters) != 3:
        return None
    return replace(told, towers=_towers(view, sight.seat, wish))


def _towers(view: View, seat: Seat | None, wish: Wish | None) -> tuple[Tower, ...]:
    """The colours by seat; our client's is the one it was promised, and who had that has the other."""
    told = [view.sides[board.side].tower for board in view.boards]
    wanted = None if wish is None else wish.tower
    if seat is None or wanted is None or told[seat] is wanted:
        return tuple(told)
    exchanged = {told[seat]: wanted, wanted: told[seat]}
    return tuple(exchanged.get(tower, tower) for tower in told)


def strange(sight: Sight, wish: Wish | None) -> str:
    return ""


def bring(wish: Wish | None) -> Wish | None:
    return wish


def missing(sight: Sight, wish: Wish | None) -> str:
    view: View = sight.view
    if wish is None or not wish.characters:
        return ""
    unknown = [card.character for card in view.characters if card.character not in wish.characters]
    return ", ".join(character.value.capitalize() for character in unknown)


@lru_cache(4096)
def _seen(position: Position) -> View:
    return eriantys.view(position, None)


def _gap(one: Counts, other: Counts) -> int:
    return sum(abs(here - there) for here, there in zip(one, other, strict=True))


def _ring(view: View) -> list[Any]:
    """The islands, from the one of mother nature on."""
    at = next((index for index, island in enumerate(view.islands) if island.mother_nature), 0)
    return [*view.islands[at:], *view.islands[:at]]


def distance(position: Position, sight: Sight) -> int:
    ours, theirs = _seen(position), sight.view
    away = 0
    for seat, (one, other) in enumerate(zip(ours.boards, theirs.boards, strict=True)):
        away += _gap(one.entrance, other.entrance) + _gap(one.hall, other.hall)
        away += len(set(one.professors) ^ set(other.professors))
        if other.card is not None and other.card in one.hand:
            away += 2  # a card that has not been played here
        if one.coins is not None and other.coins is not None:
            away += abs(one.coins - other.coins)
        away += abs(ours.sides[one.side].towers - theirs.sides[other.side].towers)
        away += _early(ours, theirs, seat)
    away += sum(_gap(one, other) for one, other in zip(ours.clouds, theirs.clouds, strict=False))
    away += _ring_gap(ours, theirs)
    for card in theirs.characters:
        mine = next((one for one in ours.characters if one.character is card.character), None)
        if mine is not None:
            away += _gap(mine.students, card.students) + abs(mine.no_entry - card.no_entry)
            away += mine.price != card.price
    return away


def _early(ours: View, theirs: View, seat: Seat) -> int:
    """Whether a card that lies here is not seen there, though others of the round are."""
    here, there = ours.boards[seat].card, theirs.boards[seat].card
    if here is None or here == there:
        return 0
    others = (board.card for place, board in enumerate(theirs.boards) if place != seat)
    return any(card is not None and card == ours.boards[place].card for place, card in enumerate(others))


def _ring_gap(ours: View, theirs: View) -> int:
    if len(ours.islands) != len(theirs.islands):
        return 30 * abs(len(ours.islands) - len(theirs.islands)) + _walk_gap(ours, theirs)
    away = _walk_gap(ours, theirs)
    mine, other = _aligned(ours, theirs)
    for one, two in zip(mine, other, strict=True):
        away += _gap(one.students, two.students) + abs(one.no_entry - two.no_entry)
        owner = None if one.side is None else ours.sides[one.side].seats
        holder = None if two.side is None else theirs.sides[two.side].seats
        away += 3 * (owner != holder) + abs(one.towers - two.towers)
    return away


def _aligned(ours: View, theirs: View) -> tuple[list[Any], list[Any]]:
    """The islands of both, so turned that they match best."""
    mine, other = list(ours.islands), _ring(theirs)
    best = min(
        range(len(mine)),
        key=lambda turn: sum(
            _gap(one.students, two.students) + (one.side is None) ^ (two.side is None)
            for one, two in zip(mine[turn:] + mine[:turn], other, strict=True)
        ),
    )
    return mine[best:] + mine[:best], other


def _walk_gap(ours: View, theirs: View) -> int:
    """Whether mother nature is elsewhere."""
    if len(ours.islands) != len(theirs.islands):
        return 0
    mine, _ = _aligned(ours, theirs)
    return 0 if mine[0].mother_nature else 4


def luck(position: Position, decision: Decision[Action], sight: Sight) -> Iterator[Action]:
    view: View = sight.view
    match decision.kind:
        case Kind.MOTHER_NATURE:
            found = next((tile for tile, island in enumerate(view.islands) if island.mother_nature), None)
            made: Action | None = None if found is None else PlaceMotherNature(found)
        case Kind.ISLANDS:
            made = _islands(position.mother, view)
        case Kind.ENTRANCES:
            made = DealEntrances(tuple(board.entrance for board in view.boards))
        case Kind.CHARACTERS:
            chosen = {card.character for card in view.characters}
            made = next(
                (one for one in decision.choices if isinstance(one, DrawCharacters) and set(one.characters) == chosen),
                None,
            )
        case Kind.STOCK:
            made = _stock(position, view)
        case Kind.FIRST:
            yield from (DrawFirst(seat) for seat in _first(position.terms.seats, sight))
            return
        case Kind.REFILL:
            here = _seen(position).clouds
            coming = tuple(
                _less(there, held) for there, held in zip(view.clouds, here, strict=False)
            )
            made = Refill(coming) if len(coming) == len(here) else None
        case Kind.RESTOCK:
            made = _restock(position, view)
        case _:
            made = None
    if made is not None and made in decision.choices:
        yield made


def _less(one: Counts, other: Counts) -> Counts:
    green, red, yellow, pink, blue = (max(0, here - there) for here, there in zip(one, other, strict=True))
    return (green, red, yellow, pink, blue)


def _islands(mother: int, view: View) -> Action | None:
    colours = []
    for step in range(1, TILES):
        if step == TILES // 2:
            continue
        students = view.islands[(mother + step) % TILES].students
        if sum(students) != 1:
            return None
        colours.append(Colour(students.index(1)))
    return StockIslands(tuple(colours))


def _stock(position: Position, view: View) -> Action | None:
    assert position.expert is not None, "characters are stocked in the expert game"
    lying = {card.character: card.students for card in view.characters}
    empty: Counts = (0, 0, 0, 0, 0)
    return StockCharacters(tuple(lying.get(card.character, empty) for card in position.expert.cards))


def _restock(position: Position, view: View) -> Action | None:
    expert = position.expert
    if expert is None or expert.active is None:
        return None
    ours = next(card.students for card in _seen(position).characters if card.character is expert.active)
    theirs = next((card.students for card in view.characters if card.character is expert.active), ours)
    more = [colour for colour in Colour if theirs[colour] > ours[colour]]
    return Restock(more[0]) if len(more) == 1 else None


def _first(count: int, sight: Sight) -> Iterable[Seat]:
    """Who may have been drawn to begin: whoever has played a card, or is asked for one while nobody has."""
    view: View = sight.view
    if view.order:
        return (view.order[0],)
    played = [seat for seat, board in enumerate(view.boards) if board.card is not None]
    if len(played) == 1:
        return played
    if sight.ask is not None and sight.ask.decision.kind == Kind.ASSISTANT and not played:
        return (sight.ask.decision.seats[0],)
    return (view.first,) if sight.players.options is not None else ()


def lost(position: Position, sight: Sight) -> Iterable[Seat]:
    view: View = sight.view
    ours = _seen(position)
    return [seat for seat, board in enumerate(view.boards) if board.gone and not ours.boards[seat].gone]


def steps(position: Position, decision: Decision[Action], seat: Seat, sight: Sight, *, wide: bool) -> Iterator[Action]:
    ours, view = _seen(position), sight.view
    for choice in decision.choices:
        if _likely(choice, ours, view, seat, wide=wide):
            yield choice


def _likely(choice: Action, ours: View, view: View, seat: Seat, *, wide: bool) -> bool:
    mine, theirs = ours.boards[seat], view.boards[seat]
    match choice:
        case PlayAssistant(card):
            return theirs.card == card
        case ToHall(colour):
            return theirs.hall[colour] > mine.hall[colour] or (wide and theirs.entrance[colour] < mine.entrance[colour])
        case ToIsland(colour, head):
            if len(ours.islands) != len(view.islands):
                return theirs.hall[colour] <= mine.hall[colour]
            return _island_there(ours, view, head).students[colour] > _island_here(ours, head).students[colour]
        case UseCharacter(character=character):
            return _was_used(ours, view, character, seat)
        case _:
            return True


def _was_used(ours: View, view: View, character: Character, seat: Seat) -> bool:
    """Whether a character costs more now, or its user has less to pay with than before."""
    mine = next((card for card in ours.characters if card.character is character), None)
    theirs = next((card for card in view.characters if card.character is character), None)
    if mine is None or theirs is None:
        return False
    here, there = ours.boards[seat].coins, view.boards[seat].coins
    poorer = here is not None and there is not None and there < here
    return poorer or mine.price != theirs.price or view.active is character


def _island_here(view: View, head: int) -> Any:
    return next(island for island in view.islands if island.tiles[0] == head)


def _island_there(ours: View, theirs: View, head: int) -> Any:
    """The foreign island that ours of this name is."""
    mine, other = _aligned(ours, theirs)
    at = next(index for index, island in enumerate(mine) if island.tiles[0] == head)
    return other[at]


def fits(position: Position, decision: Decision[Action], ask: Ask) -> bool:
    if ask.decision.kind == decision.kind:
        return True
    ours = _seen(position)
    return any(_translated(ours, choice, ask) in ask.decision.choices for choice in decision.choices)


def there(position: Position, action: Action, ask: Ask) -> Action | None:
    answer = _translated(_seen(position), action, ask)
    return answer if answer in ask.decision.choices else None


def _translated(ours: View, action: Action, ask: Ask) -> Action:
    if isinstance(action, ToIsland | UseCharacter) and action.island is not None:
        return replace(action, island=_island_there(ours, ask.view, action.island).tiles[0])
    return action
