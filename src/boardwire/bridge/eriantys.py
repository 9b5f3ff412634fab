"""`Comparison` for Eriantys.

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
"""Distance to a view that shows only a part of an action; larger than all other distances."""
MERGE_DISTANCE: Final = 4
"""Distance per island that one side has more."""
CLOSE_DISTANCE: Final = 8
"""Distance up to which two alignments of islands are not compared further: students moved between two views."""


def seat_count(observation: Observation) -> int:
    view: View = observation.view
    return len(view.boards)


def options(observation: Observation, wish: Wish | None) -> Sequence[Options]:
    view: View = observation.view
    if len(view.islands) != TILES or not all(sum(board.entrance) for board in view.boards):
        return ()
    if view.mode is Mode.EXPERT and len(view.characters) != 3:
        return ()  # not all characters have been shown
    options: Options | None = observation.players.options
    if (
        options is None
        and len(view.boards) > 2
        and observation.ask is None
        and observation.dialect.name == "eriantys-objects"
    ):
        return ()  # the order of seats is unknown until our client is asked for its first card
    if options is None:
        options = Options(view.mode, view.cloud)
    return (replace(options, towers=_tower_colours(view, observation.seat, wish)),)


def _tower_colours(view: View, seat: Seat | None, wish: Wish | None) -> tuple[Tower, ...]:
    """Return the tower colours by seat; our client gets the colour that it wished by a swap."""
    towers = [view.sides[board.side].tower for board in view.boards]
    wished = None if wish is None else wish.tower
    if seat is None or wished is None or towers[seat] is wished:
        return tuple(towers)
    swapped = {towers[seat]: wished, wished: towers[seat]}
    return tuple(swapped.get(tower, tower) for tower in towers)


def is_proposing(position: Position) -> bool:
    return False


def local_wish(wish: Wish | None) -> Wish | None:
    """Return the wish without characters and tower.

    - A protocol omits the characters for which it has no number, so all can be in the match.
    - The options have the colours of all seats. A wish for one would assign the others again, and so change the teams
      of four players.
    """
    return None if wish is None else replace(wish, characters=(), tower=None)


def default_actions(position: Position, seat: Seat, client_dialect: Dialect, wish: Wish | None) -> Sequence[Action]:
    return ()


def undocumented(observation: Observation, wish: Wish | None) -> str:
    view: View = observation.view
    if wish is None or not wish.characters:
        return ""
    unknown = [card.character for card in view.characters if card.character not in wish.characters]
    names = ", ".join(character.value.capitalize() for character in unknown)
    return f"{names}, which its client is not shown" if names else ""


@lru_cache(4096)
def _public_view(position: Position) -> View:
    return eriantys.view(position, None)


def _students_between(first: Counts, second: Counts) -> int:
    """Return the number of students by which two piles differ."""
    if first == second:
        return 0
    return sum(abs(count - other_count) for count, other_count in zip(first, second, strict=True))


def distance(position: Position, observation: Observation) -> int:
    ours, theirs = _public_view(position), observation.view
    # some clients send the students of a turn together, and show their coins only then
    is_choosing = observation.ask is not None and observation.ask.decision.kind == Kind.STUDENT
    differences = 0
    for seat, (own_board, shown_board) in enumerate(zip(ours.boards, theirs.boards, strict=True)):
        differences += _students_between(own_board.entrance, shown_board.entrance) + _students_between(
            own_board.hall, shown_board.hall
        )
        if shown_board.card is not None and shown_board.card in own_board.hand:
            differences += 2  # a card that has not been played here
        if (
            own_board.coins is not None
            and shown_board.coins is not None
            and not (is_choosing and seat == observation.seat)
        ):
            differences += abs(own_board.coins - shown_board.coins)
        differences += _is_card_missing(ours, theirs, seat)
    differences += _clouds_gap(ours, theirs)
    differences += _ring_gap(ours, theirs)
    for card in theirs.characters:
        own_card = next((candidate for candidate in ours.characters if candidate.character is card.character), None)
        if own_card is not None:
            differences += _students_between(own_card.students, card.students) + abs(own_card.no_entry - card.no_entry)
            differences += own_card.price != card.price
    return differences


def _clouds_gap(ours: View, theirs: View) -> int:
    """Return the distance between the clouds; some protocols show only the clouds that can be taken."""
    if len(ours.clouds) == len(theirs.clouds):
        return sum(_students_between(own, shown) for own, shown in zip(ours.clouds, theirs.clouds, strict=True))
    own_clouds, shown_clouds = sorted(filter(any, ours.clouds)), sorted(filter(any, theirs.clouds))
    if len(own_clouds) != len(shown_clouds):
        return 3 * abs(len(own_clouds) - len(shown_clouds))
    return sum(_students_between(own, shown) for own, shown in zip(own_clouds, shown_clouds, strict=True))


def _is_card_missing(ours: View, theirs: View, seat: Seat) -> bool:
    """Return whether their view lacks a card that was played in ours, although it has others of the round."""
    our_card, their_card = ours.boards[seat].card, theirs.boards[seat].card
    if our_card is None or our_card == their_card:
        return False
    others = (board.card for place, board in enumerate(theirs.boards) if place != seat)
    return any(card is not None and card == ours.boards[place].card for place, card in enumerate(others))


def _ring_gap(ours: View, theirs: View) -> int:
    """Return the distance between the islands."""
    if sum(island.mother_nature for island in theirs.islands) != 1:
        return INCOHERENT_DISTANCE  # only a part of her move has been shown
    differences = MERGE_DISTANCE * abs(len(ours.islands) - len(theirs.islands))
    for own_islands, their_island in _align_islands(ours, theirs):
        differences += _students_between(_total_students(own_islands), their_island.students)
        differences += abs(sum(island.no_entry for island in own_islands) - their_island.no_entry)
        owners = {None if island.side is None else ours.sides[island.side].seats for island in own_islands}
        holder = None if their_island.side is None else theirs.sides[their_island.side].seats
        differences += 3 * (owners != {holder}) + abs(
            sum(island.towers for island in own_islands) - their_island.towers
        )
        differences += 2 * (any(island.mother_nature for island in own_islands) != their_island.mother_nature)
    return differences


def _total_students(islands: Sequence[Island]) -> Counts:
    if len(islands) == 1:
        return islands[0].students
    green, red, yellow, pink, blue = (sum(island.students[colour] for island in islands) for colour in Colour)
    return (green, red, yellow, pink, blue)


Alignment: TypeAlias = "list[tuple[list[Island], Island]]"
"""The foreign islands, each with those of our islands that form it."""


def _align_islands(ours: View, theirs: View) -> Alignment:
    """Return the foreign islands, each with those of our islands that form it.

    Renumbered tiles start at our first island, or at a later one if islands were merged across the first tile.
    """
    best: Alignment = []
    fewest = -1
    for offset in dict.fromkeys((0, *(island.tiles[0] for island in ours.islands))):
        aligned = _align_from(ours, theirs, offset)
        differences = sum(
            _students_between(_total_students(own_islands), their_island.students)
            for own_islands, their_island in aligned
        )
        if aligned and (fewest < 0 or differences < fewest):
            best, fewest = aligned, differences
        if aligned and differences <= CLOSE_DISTANCE:
            break
    if not best and len(ours.islands) == len(theirs.islands):  # the sizes of the groups are not shown
        best = [
            ([own_island], their_island) for own_island, their_island in zip(ours.islands, theirs.islands, strict=True)
        ]
    return best


def _align_from(ours: View, theirs: View, offset: int) -> Alignment:
    """Return the alignment in which their first tile is our tile `offset`, or an empty list if it is impossible."""
    aligned: Alignment = [([], island) for island in theirs.islands]
    group = {(tile + offset) % TILES: index for index, island in enumerate(theirs.islands) for tile in island.tiles}
    for island in ours.islands:
        groups = {group.get(tile, -1) for tile in island.tiles}
        if len(groups) != 1 or -1 in groups:
            return []
        aligned[groups.pop()][0].append(island)
    return aligned


def chance_actions(position: Position, decision: Decision[Action], observation: Observation) -> Iterator[Action]:
    view: View = observation.view
    match decision.kind:
        case Kind.MOTHER_NATURE:
            start = next((tile for tile, island in enumerate(view.islands) if island.mother_nature), None)
            action: Action | None = None if start is None else PlaceMotherNature(start)
        case Kind.ISLANDS:
            action = _stock_islands(position.mother, view)
        case Kind.ENTRANCES:
            action = DealEntrances(tuple(board.entrance for board in view.boards))
        case Kind.CHARACTERS:
            characters = {card.character for card in view.characters}
            action = next(
                (
                    choice
                    for choice in decision.choices
                    if isinstance(choice, DrawCharacters) and set(choice.characters) == characters
                ),
                None,
            )
        case Kind.STOCK:
            action = _stock_action(position, view)
        case Kind.FIRST:
            yield from (DrawFirst(seat) for seat in _starting_players(position.terms.seats, observation))
            return
        case Kind.REFILL:
            clouds = _public_view(position).clouds
            new_students = tuple(_surplus(theirs, ours) for theirs, ours in zip(view.clouds, clouds, strict=False))
            action = Refill(new_students) if len(new_students) == len(clouds) else None
        case Kind.RESTOCK:
            action = _restock_action(position, view)
        case _:
            action = None
    if action is not None and action in decision.choices:
        yield action


def _surplus(first: Counts, second: Counts) -> Counts:
    """Return the students that the first pile has more than the second."""
    green, red, yellow, pink, blue = (max(0, count - less) for count, less in zip(first, second, strict=True))
    return (green, red, yellow, pink, blue)


def _stock_islands(mother: int, view: View) -> Action | None:
    """Return the deal of students to the islands that the view shows, or None if they have been moved since."""
    colours = []
    for step in range(1, TILES):
        if step == TILES // 2:
            continue
        students = view.islands[(mother + step) % TILES].students
        if sum(students) != 1:
            return None
        colours.append(Colour(students.index(1)))
    return StockIslands(tuple(colours))


def _stock_action(position: Position, view: View) -> Action | None:
    """Return the chance action that stocks the characters as the view shows them."""
    assert position.expert is not None, "characters are stocked in the expert game"
    students = {card.character: card.students for card in view.characters}
    empty: Counts = (0, 0, 0, 0, 0)
    return StockCharacters(tuple(students.get(card.character, empty) for card in position.expert.cards))


def _restock_action(position: Position, view: View) -> Action | None:
    """Return the chance action that restocks the active character, or None unless exactly one student was added."""
    expert = position.expert
    if expert is None or expert.active is None:
        return None
    ours = next(card.students for card in _public_view(position).characters if card.character is expert.active)
    theirs = next((card.students for card in view.characters if card.character is expert.active), ours)
    added = [colour for colour in Colour if theirs[colour] > ours[colour]]
    return Restock(added[0]) if len(added) == 1 else None


def _starting_players(count: int, observation: Observation) -> Iterable[Seat]:
    """Return the possible starting players: the first who played a card or was asked for one."""
    view: View = observation.view
    if view.order:
        return (view.order[0],)
    seats_with_card = [seat for seat, board in enumerate(view.boards) if board.card is not None]
    if len(seats_with_card) == 1:
        return seats_with_card
    if observation.ask is not None and observation.ask.decision.kind == Kind.ASSISTANT and not seats_with_card:
        return (observation.ask.decision.seats[0],)
    return (view.first,) if observation.players.options is not None else ()


def eliminated(position: Position, observation: Observation) -> Iterable[Seat]:
    view: View = observation.view
    ours = _public_view(position)
    return [seat for seat, board in enumerate(view.boards) if board.gone and not ours.boards[seat].gone]


def candidate_actions(
    position: Position, decision: Decision[Action], seat: Seat, observation: Observation, *, wide: bool
) -> Iterator[Action]:
    ours, view = _public_view(position), observation.view
    additions = {
        (head.tiles[0], colour)
        for own_islands, their_island in _align_islands(ours, view)
        for colour, shown_count, own_count in zip(
            Colour, their_island.students, _total_students(own_islands), strict=True
        )
        if shown_count > own_count
        for head in own_islands
    }
    own_board, shown_board = ours.boards[seat], view.boards[seat]
    for choice in decision.choices:
        match choice:
            case PlayAssistant(card):
                likely = shown_board.card == card
            case ToHall(colour):
                seated = shown_board.hall[colour] > own_board.hall[colour]
                likely = seated or (wide and shown_board.entrance[colour] < own_board.entrance[colour])
            case ToIsland(colour, head):
                likely = (head, colour) in additions
            case UseCharacter(character=character):
                likely = _was_used(ours, view, character, seat)
            case _:
                likely = True
        if likely:
            yield choice


def _was_used(ours: View, view: View, character: Character, seat: Seat) -> bool:
    """Return whether the view shows the use of a character: it is active or costs more, or the player lost coins."""
    own_card = next((card for card in ours.characters if card.character is character), None)
    shown_card = next((card for card in view.characters if card.character is character), None)
    if own_card is None or shown_card is None:
        return False
    own_coins, shown_coins = ours.boards[seat].coins, view.boards[seat].coins
    has_paid = own_coins is not None and shown_coins is not None and shown_coins < own_coins
    return has_paid or own_card.price != shown_card.price or view.active is character


def _foreign_island(ours: View, theirs: View, head: int) -> int:
    """Return the foreign number of the island that contains ours."""
    for own_islands, their_island in _align_islands(ours, theirs):
        if any(island.tiles[0] == head for island in own_islands):
            return their_island.tiles[0]
    return head


def _foreign_cloud(ours: View, theirs: View, cloud: int) -> int:
    """Return the foreign number of a cloud with the same students; of two such clouds, one may have been taken."""
    students = ours.clouds[cloud]
    if cloud < len(theirs.clouds) and theirs.clouds[cloud] == students:
        return cloud
    if students in theirs.clouds:
        return theirs.clouds.index(students)
    return sum(any(students) for students in ours.clouds[:cloud])


def matches_question(position: Position, decision: Decision[Action], ask: Ask) -> bool:
    if ask.decision.kind == decision.kind:
        return True
    ours = _public_view(position)
    return any(_foreign_action(ours, choice, ask) in ask.decision.choices for choice in decision.choices)


def needs_next_action(position: Position, action: Action, ask: Ask) -> bool:
    return False


def translate(position: Position, actions: Sequence[Action], ask: Ask) -> Action | None:
    answer = _foreign_action(_public_view(position), actions[0], ask)
    return answer if answer in ask.decision.choices else None


def _foreign_action(ours: View, action: Action, ask: Ask) -> Action:
    """Return an action with the island and cloud numbers of the server."""
    if isinstance(action, ToIsland | UseCharacter) and action.island is not None:
        return replace(action, island=_foreign_island(ours, ask.view, action.island))
    if isinstance(action, TakeCloud):
        return TakeCloud(_foreign_cloud(ours, ask.view, action.cloud))
    return action


def unplayable(observation: Observation, client_dialect: Dialect, wish: Wish | None) -> str:
    return ""


def after_declining(observation: Observation) -> Observation:
    return observation


def shows_every_step(position: Position) -> bool:
    return False


def retries_after_refusal(client_dialect: Dialect) -> bool:
    return True


def alternatives(action: Action) -> Sequence[Action]:
    return ()


def winners(view: View | None) -> Sequence[Seat]:
    return () if view is None or view.outcome is None else tuple(view.outcome.winners)


def agrees(position: Position, observation: Observation) -> bool:
    """Return whether the professors and remaining towers agree with the view.

    True without a comparison if our client's seat is unknown, or its script has students that it has not sent.
    """
    view: View = observation.view
    return observation.seat is None or view.moved > 0 or eriantys_position.agrees(position, view, observation.seat)


def corrected(position: Position, observation: Observation) -> Position | None:
    if observation.ask is None or position.round == 0:
        return None
    rebuilt = eriantys_position.build(position, observation.view, observation.ask)
    decision = None if rebuilt is None else eriantys.pending(rebuilt)
    if (
        rebuilt is None
        or decision is None
        or not decision.choices
        or not matches_question(rebuilt, decision, observation.ask)
    ):
        return None
    return rebuilt


def describe(position: Position, seat: Seat, action: Action) -> str:
    return ""


def extra_wait_seconds(ask: Ask) -> float:
    return 0.0


def is_setup(position: Position) -> bool:
    return False


def swap_seats(view: View, first: Seat, second: Seat) -> View:
    return view


def implausibility(position: Position, seat: Seat) -> int:
    return 0
