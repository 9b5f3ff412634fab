"""Comparison for Eriantys.

- Islands are compared by their contents, because some protocols renumber tiles and some show a whole turn at once.
- Towers are compared by owner, because our client's colour may differ from the one on the foreign server.
- Professors follow from the dining rooms, and the remaining towers from those on islands; both are compared only when
  the server asks a question (`agrees`).
- No protocol shows the bag or the starting player; both are inferred.
- The original server of eriantys-objects has other rules for influence, professors, merges and towers. If they lead to
  a board that ours cannot reach, the position is built from the view (`corrected`, `eriantys_position.py`).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from typing import Final, TypeAlias

from msgspec.structs import replace

from boardwire.bridge import eriantys_position
from boardwire.bridge.comparison import Observation
from boardwire.dialects.dialect import Ask, Dialect
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
    PlaceMotherNature,
    Refill,
    Restock,
    StockCharacters,
    StockIslands,
)
from boardwire.games.eriantys.piles import Counts
from boardwire.games.eriantys.position import Position
from boardwire.games.eriantys.ring import TILES
from boardwire.games.eriantys.view import Island
from boardwire.games.game import Decision, Seat

INCOHERENT_DISTANCE: Final = 1000
"""Distance to a view that shows an action in part: more than that of any position."""
MERGE_DISTANCE: Final = 4
"""Distance for each island more or less."""
CLOSE_DISTANCE: Final = 8
"""Students that may move to or from islands between two observations, counted at both places."""


def seat_count(observation: Observation) -> int:
    view: View = observation.view
    return len(view.boards)


def options(observation: Observation, wish: Wish | None) -> Sequence[Options]:
    view: View = observation.view
    if len(view.islands) != TILES or not all(sum(board.entrance) for board in view.boards):
        return ()
    if view.mode is Mode.EXPERT and len(view.characters) != 3:
        return ()  # the characters have not been shown
    shown: Options | None = observation.players.options
    if (
        shown is None
        and len(view.boards) > 2
        and observation.ask is None
        and observation.dialect.name == "eriantys-objects"
    ):
        return ()  # the order of seats is known when our client is asked for its first card
    if shown is None:
        shown = Options(view.mode, view.cloud)
    return (replace(shown, towers=_towers(view, observation.seat, wish)),)


def _towers(view: View, seat: Seat | None, wish: Wish | None) -> tuple[Tower, ...]:
    """Return the tower colours by seat, with our client's wish granted by a swap with the seat that has it."""
    shown = [view.sides[board.side].tower for board in view.boards]
    wanted = None if wish is None else wish.tower
    if seat is None or wanted is None or shown[seat] is wanted:
        return tuple(shown)
    swapped = {shown[seat]: wanted, wanted: shown[seat]}
    return tuple(swapped.get(tower, tower) for tower in shown)


def is_proposing(position: Position) -> bool:
    return False


def local_wish(wish: Wish | None) -> Wish | None:
    """Remove the characters, because a protocol leaves out those it has no number for, and the tower: the options have
    the colours of all seats, and a wish for one would deal the others again, which changes the teams of four."""
    return None if wish is None else replace(wish, characters=(), tower=None)


def default_actions(position: Position, seat: Seat, near: Dialect, wish: Wish | None) -> Sequence[Action]:
    return ()


def undocumented(observation: Observation, wish: Wish | None) -> str:
    view: View = observation.view
    if wish is None or not wish.characters:
        return ""
    unknown = [card.character for card in view.characters if card.character not in wish.characters]
    names = ", ".join(character.value.capitalize() for character in unknown)
    return f"{names}, which its client is not shown" if names else ""


@lru_cache(4096)
def _seen(position: Position) -> View:
    return eriantys.view(position, None)


def _gap(one: Counts, other: Counts) -> int:
    if one == other:
        return 0
    return sum(abs(here - there) for here, there in zip(one, other, strict=True))


def distance(position: Position, observation: Observation) -> int:
    ours, theirs = _seen(position), observation.view
    # some clients collect the students of a turn, and their coins do not show before all are sent
    choosing = observation.ask is not None and observation.ask.decision.kind == Kind.STUDENT
    away = 0
    for seat, (one, other) in enumerate(zip(ours.boards, theirs.boards, strict=True)):
        away += _gap(one.entrance, other.entrance) + _gap(one.hall, other.hall)
        if other.card is not None and other.card in one.hand:
            away += 2  # a card that has not been played here
        if one.coins is not None and other.coins is not None and not (choosing and seat == observation.seat):
            away += abs(one.coins - other.coins)
        away += _early(ours, theirs, seat)
    away += _clouds_gap(ours, theirs)
    away += _ring_gap(ours, theirs)
    for card in theirs.characters:
        mine = next((one for one in ours.characters if one.character is card.character), None)
        if mine is not None:
            away += _gap(mine.students, card.students) + abs(mine.no_entry - card.no_entry)
            away += mine.price != card.price
    return away


def _clouds_gap(ours: View, theirs: View) -> int:
    """Return the distance of the clouds. Some protocols show only those that can be taken."""
    if len(ours.clouds) == len(theirs.clouds):
        return sum(_gap(one, other) for one, other in zip(ours.clouds, theirs.clouds, strict=True))
    mine, others = sorted(filter(any, ours.clouds)), sorted(filter(any, theirs.clouds))
    if len(mine) != len(others):
        return 3 * abs(len(mine) - len(others))
    return sum(_gap(one, other) for one, other in zip(mine, others, strict=True))


def _early(ours: View, theirs: View, seat: Seat) -> int:
    """Whether a card that was played here is not shown there, although others of the round are."""
    here, there = ours.boards[seat].card, theirs.boards[seat].card
    if here is None or here == there:
        return 0
    others = (board.card for place, board in enumerate(theirs.boards) if place != seat)
    return any(card is not None and card == ours.boards[place].card for place, card in enumerate(others))


def _ring_gap(ours: View, theirs: View) -> int:
    if sum(island.mother_nature for island in theirs.islands) != 1:
        return INCOHERENT_DISTANCE  # her move has been shown in part
    away = MERGE_DISTANCE * abs(len(ours.islands) - len(theirs.islands))
    for several, two in _aligned(ours, theirs):
        away += _gap(_together(several), two.students)
        away += abs(sum(one.no_entry for one in several) - two.no_entry)
        owners = {None if one.side is None else ours.sides[one.side].seats for one in several}
        holder = None if two.side is None else theirs.sides[two.side].seats
        away += 3 * (owners != {holder}) + abs(sum(one.towers for one in several) - two.towers)
        away += 2 * (any(one.mother_nature for one in several) != two.mother_nature)
    return away


def _together(islands: Sequence[Island]) -> Counts:
    if len(islands) == 1:
        return islands[0].students
    green, red, yellow, pink, blue = (sum(island.students[colour] for island in islands) for colour in Colour)
    return (green, red, yellow, pink, blue)


Aligned: TypeAlias = "list[tuple[list[Island], Island]]"


def _aligned(ours: View, theirs: View) -> Aligned:
    """Return the foreign islands, each with our islands that it consists of.

    Renumbered tiles start with our first island, or a later one if islands were merged across the first tile."""
    best: Aligned = []
    least = -1
    for turn in dict.fromkeys((0, *(island.tiles[0] for island in ours.islands))):
        found = _turned(ours, theirs, turn)
        away = sum(_gap(_together(several), two.students) for several, two in found)
        if found and (least < 0 or away < least):
            best, least = found, away
        if found and away <= CLOSE_DISTANCE:
            break
    if not best and len(ours.islands) == len(theirs.islands):  # the sizes of the groups are not shown
        best = [([one], two) for one, two in zip(ours.islands, theirs.islands, strict=True)]
    return best


def _turned(ours: View, theirs: View, turn: int) -> Aligned:
    """Return the alignment if their first tile is our tile `turn`, or an empty list if that is impossible."""
    found: Aligned = [([], island) for island in theirs.islands]
    group = {(tile + turn) % TILES: index for index, island in enumerate(theirs.islands) for tile in island.tiles}
    for island in ours.islands:
        groups = {group.get(tile, -1) for tile in island.tiles}
        if len(groups) != 1 or -1 in groups:
            return []
        found[groups.pop()][0].append(island)
    return found


def chance_actions(position: Position, decision: Decision[Action], observation: Observation) -> Iterator[Action]:
    view: View = observation.view
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
            yield from (DrawFirst(seat) for seat in _first(position.terms.seats, observation))
            return
        case Kind.REFILL:
            here = _seen(position).clouds
            coming = tuple(_less(there, held) for there, held in zip(view.clouds, here, strict=False))
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


def _first(count: int, observation: Observation) -> Iterable[Seat]:
    """Return the possible starting players: the first to have played a card, or to be asked for one."""
    view: View = observation.view
    if view.order:
        return (view.order[0],)
    played = [seat for seat, board in enumerate(view.boards) if board.card is not None]
    if len(played) == 1:
        return played
    if observation.ask is not None and observation.ask.decision.kind == Kind.ASSISTANT and not played:
        return (observation.ask.decision.seats[0],)
    return (view.first,) if observation.players.options is not None else ()


def eliminated(position: Position, observation: Observation) -> Iterable[Seat]:
    view: View = observation.view
    ours = _seen(position)
    return [seat for seat, board in enumerate(view.boards) if board.gone and not ours.boards[seat].gone]


def candidate_actions(
    position: Position, decision: Decision[Action], seat: Seat, observation: Observation, *, wide: bool
) -> Iterator[Action]:
    ours, view = _seen(position), observation.view
    wanted = {
        (head.tiles[0], colour)
        for several, two in _aligned(ours, view)
        for colour, there, here in zip(Colour, two.students, _together(several), strict=True)
        if there > here
        for head in several
    }
    mine, theirs = ours.boards[seat], view.boards[seat]
    for choice in decision.choices:
        match choice:
            case PlayAssistant(card):
                likely = theirs.card == card
            case ToHall(colour):
                seated = theirs.hall[colour] > mine.hall[colour]
                likely = seated or (wide and theirs.entrance[colour] < mine.entrance[colour])
            case ToIsland(colour, head):
                likely = (head, colour) in wanted
            case UseCharacter(character=character):
                likely = _was_used(ours, view, character, seat)
            case _:
                likely = True
        if likely:
            yield choice


def _was_used(ours: View, view: View, character: Character, seat: Seat) -> bool:
    """Whether a character costs more now, or its user has fewer coins."""
    mine = next((card for card in ours.characters if card.character is character), None)
    theirs = next((card for card in view.characters if card.character is character), None)
    if mine is None or theirs is None:
        return False
    here, there = ours.boards[seat].coins, view.boards[seat].coins
    poorer = here is not None and there is not None and there < here
    return poorer or mine.price != theirs.price or view.active is character


def _foreign_island(ours: View, theirs: View, head: int) -> int:
    """Return the foreign number of the island that ours is, or is a part of."""
    for several, two in _aligned(ours, theirs):
        if any(one.tiles[0] == head for one in several):
            return two.tiles[0]
    return head


def _foreign_cloud(ours: View, theirs: View, cloud: int) -> int:
    """Return the foreign number of a cloud. Of two equal clouds, the server may have seen the other taken."""
    wanted = ours.clouds[cloud]
    if cloud < len(theirs.clouds) and theirs.clouds[cloud] == wanted:
        return cloud
    if wanted in theirs.clouds:
        return theirs.clouds.index(wanted)
    return sum(any(one) for one in ours.clouds[:cloud])


def matches_question(position: Position, decision: Decision[Action], ask: Ask) -> bool:
    if ask.decision.kind == decision.kind:
        return True
    ours = _seen(position)
    return any(_translated(ours, choice, ask) in ask.decision.choices for choice in decision.choices)


def needs_next_action(position: Position, action: Action, ask: Ask) -> bool:
    return False


def translate(position: Position, actions: Sequence[Action], ask: Ask) -> Action | None:
    answer = _translated(_seen(position), actions[0], ask)
    return answer if answer in ask.decision.choices else None


def _translated(ours: View, action: Action, ask: Ask) -> Action:
    if isinstance(action, ToIsland | UseCharacter) and action.island is not None:
        return replace(action, island=_foreign_island(ours, ask.view, action.island))
    if isinstance(action, TakeCloud):
        return TakeCloud(_foreign_cloud(ours, ask.view, action.cloud))
    return action


def unplayable(observation: Observation, near: Dialect, wish: Wish | None) -> str:
    return ""


def after_declining(observation: Observation) -> Observation:
    return observation


def shows_every_step(position: Position) -> bool:
    return False


def retries_after_refusal(near: Dialect) -> bool:
    return True


def alternatives(action: Action) -> Sequence[Action]:
    return ()


def winners(view: View | None) -> Sequence[Seat]:
    return () if view is None or view.outcome is None else tuple(view.outcome.winners)


def agrees(position: Position, observation: Observation) -> bool:
    """Whether the professors and remaining towers agree with the view.

    True without a comparison if our client's seat is unknown, or its script has students that it has not sent.
    """
    view: View = observation.view
    return observation.seat is None or view.moved > 0 or eriantys_position.agrees(position, view, observation.seat)


def corrected(position: Position, observation: Observation) -> Position | None:
    if observation.ask is None or position.round == 0:
        return None
    found = eriantys_position.build(position, observation.view, observation.ask)
    decision = None if found is None else eriantys.pending(found)
    if (
        found is None
        or decision is None
        or not decision.choices
        or not matches_question(found, decision, observation.ask)
    ):
        return None
    return found


def describe(position: Position, seat: Seat, action: Action) -> str:
    return ""


def extra_wait_seconds(ask: Ask) -> float:
    return 0.0


def is_setup(position: Position) -> bool:
    return False


def swap_seats(view: View, one: Seat, other: Seat) -> View:
    return view


def implausibility(position: Position, seat: Seat) -> int:
    return 0
