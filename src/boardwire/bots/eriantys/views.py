"""Conversion of views to `slots`, and of actions to steps and back.

A view from another protocol may lack the bag, the hands, the first seat or the fact that the round is the last one:
missing values are computed from the others or set to their initial value. A view lacks the number of swaps left: one is
assumed.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from boardwire.bots.eriantys.core import slots
from boardwire.games.eriantys import (
    Action,
    Character,
    CloudTime,
    Colour,
    Done,
    Kind,
    Mode,
    MoveMotherNature,
    PlayAssistant,
    Swap,
    TakeCloud,
    ToHall,
    ToIsland,
    UseCharacter,
    View,
)
from boardwire.games.game import Seat

_COLOURS: Final = tuple(Colour)
_CHARACTERS: Final = tuple(Character)
_NUMBER: Final = {character: number for number, character in enumerate(_CHARACTERS)}
_OF_A_COLOUR: Final = 26
_ALL_CARDS: Final = 0b111_1111_1110
_STAGES: Final = {
    Kind.REFILL: slots.REFILL,
    Kind.RESTOCK: slots.RESTOCK,
    Kind.ASSISTANT: slots.PLAN,
    Kind.STUDENT: slots.STUDENTS,
    Kind.STEPS: slots.NATURE,
    Kind.SWAP: slots.SWAP,
    Kind.FINISH: slots.FINISH,
    None: slots.OVER,
}
_CLOUD_TIMES: Final = {CloudTime.LAST: 0, CloudTime.FIRST: 1, CloudTime.EITHER: 2}
_BEFORE_CLOUDS: Final = (slots.PLAN, slots.CLOUD_FIRST, slots.STUDENTS, slots.NATURE, slots.SWAP)
"""Stages in which at least one cloud can still be taken, unless the clouds are closed in this round."""
_ON_ISLAND: Final = (slots.HERALD, slots.GRANDMA, slots.MONK)


def state_of(view: View) -> list[int]:
    """Return the match of a view, which must be after the set-up."""
    state = [0] * slots.LENGTH
    for at in (slots.ACTIVE, slots.IGNORED, slots.USER):
        state[at] = -1
    state[slots.SEATS] = len(view.boards)
    state[slots.SIDES] = len(view.sides)
    state[slots.MOVES] = view.moves
    state[slots.ROUND] = view.round
    state[slots.CLOUD_TIME] = _CLOUD_TIMES[view.cloud]
    state[slots.EXPERT] = int(view.mode is Mode.EXPERT and len(view.characters) == 3)
    _read_schools(state, view)
    _read_islands(state, view)
    _read_characters(state, view)
    for at, cloud in enumerate(view.clouds):
        _store_counts(state, slots.CLOUD + 5 * at, cloud)
    _store_counts(state, slots.BAG, view.bag if any(view.bag) or view.last_round else _bag_counts(state))
    state[slots.LAST] = int(view.last_round is not None or _is_last(state))
    state[slots.BARREN] = int(view.clouds_closed)
    if view.outcome is not None:
        state[slots.WINNERS] = sum({1 << view.boards[seat].side for seat in view.outcome.winners})
    _read_turn(state, view)
    if state[slots.STAGE] in _BEFORE_CLOUDS and not view.took_cloud and not any(map(any, view.clouds)):
        state[slots.LAST] = state[slots.BARREN] = 1  # the bag could not fill them
    return state


def _is_last(state: list[int]) -> bool:
    """Return whether the round is the last one: the bag is empty, or a seat has played its last assistant."""
    seats = [seat for seat in range(state[slots.SEATS]) if not state[slots.GONE] >> seat & 1]
    has_last_card_out = any(state[slots.CARD + seat] and not state[slots.HAND + seat] for seat in seats)
    return has_last_card_out or not any(state[slots.BAG : slots.BAG + 5])


def _store_counts(state: list[int], at: int, counts: Sequence[int]) -> None:
    state[at : at + len(counts)] = counts


def _read_schools(state: list[int], view: View) -> None:
    """Store the boards; an unknown hand is taken for all cards except the one played."""
    most_cards = max((len(board.hand) + (board.card is not None) for board in view.boards if not board.gone), default=0)
    for seat, board in enumerate(view.boards):
        _store_counts(state, slots.ENTRANCE + 5 * seat, board.entrance)
        _store_counts(state, slots.HALL + 5 * seat, board.hall)
        state[slots.SIDE + seat] = board.side
        state[slots.HAND + seat] = sum(1 << card for card in board.hand)
        if not board.hand and not board.gone and (board.card is None or (most_cards > 1 and view.last_round is None)):
            # others still have cards, so the hand is unknown
            state[slots.HAND + seat] = _ALL_CARDS & ~(1 << (board.card or 0))
        state[slots.CARD + seat] = board.card or 0
        state[slots.COINS + seat] = board.coins or 0
        state[slots.GONE] |= board.gone << seat
    for colour, holder in enumerate(view.professors):
        state[slots.HOLDER + colour] = -1 if holder is None else holder
    for at, side in enumerate(view.sides):
        state[slots.TOWERS + at] = side.towers


def _read_islands(state: list[int], view: View) -> None:
    for island in view.islands:
        head = island.tiles[0] % 12
        _store_counts(state, slots.ISLAND + 5 * head, island.students)
        state[slots.SIZE + head] = len(island.tiles)
        state[slots.OWNER + head] = 0 if island.side is None else island.side + 1
        state[slots.NO_ENTRY + head] = island.no_entry
    state[slots.MOTHER] = view.mother_nature


def _read_characters(state: list[int], view: View) -> None:
    """Store the characters and the use of one in this turn."""
    for at, card in enumerate(view.characters[:3]):
        number = _NUMBER[card.character]
        state[slots.CHARACTER + at] = number
        state[slots.USED + at] = int(card.price > slots.PRICE[number])
        _store_counts(state, slots.STOCK + 5 * at, card.students)
        state[slots.TILES_LEFT + at] = card.no_entry
    state[slots.SUPPLY] = view.supply or 0
    if view.active is not None:
        state[slots.ACTIVE] = _NUMBER[view.active]
        state[slots.USER] = -1 if view.turn is None else view.turn
    if view.ignored is not None:
        state[slots.IGNORED] = int(view.ignored)


def _bag_counts(state: list[int]) -> list[int]:
    """Return the counts of the students that are not visible: the contents of the bag."""
    places = (
        *range(slots.ENTRANCE, slots.SIZE, 5),
        *range(slots.STOCK, slots.STOCK + 15, 5),
    )
    return [max(0, _OF_A_COLOUR - sum(state[at + colour] for at in places)) for colour in range(5)]


def _read_turn(state: list[int], view: View) -> None:
    """Store stage, seat and order of play."""
    seats = state[slots.SEATS]
    turn = -1 if view.turn is None else view.turn
    stage = _STAGES.get(view.asked, slots.CLOUDS)
    if view.asked is Kind.CLOUD and view.moved < view.moves:
        stage = slots.CLOUD_FIRST
    state[slots.STAGE] = stage
    state[slots.SEAT] = -2 if stage == slots.OVER else turn
    order = list(dict.fromkeys(view.order))
    if stage == slots.PLAN and turn in order:
        order.remove(turn)
        state[slots.CARD + turn] = 0  # a card of the previous round
    state[slots.FIRST] = view.first
    if stage in (slots.PLAN, slots.REFILL):
        state[slots.ASKED] = len(order)
        if stage == slots.PLAN and not state[slots.GONE]:
            state[slots.FIRST] = (turn - len(order)) % seats
        elif stage == slots.PLAN:
            state[slots.ASKED] = (turn - view.first) % seats
    else:
        state[slots.ASKED] = seats
        _read_acting(state, view, turn, stage)
        order += [turn] * (0 <= turn not in order)
        order.sort(key=lambda seat: state[slots.CARD + seat])
    _store_counts(state, slots.ORDER, order[:seats])
    state[slots.ORDERED] = len(order)


def _read_acting(state: list[int], view: View, turn: Seat, stage: int) -> None:
    """Store the rest of the turn in the action phase; a seat without a card gets the lowest with which it could act."""
    state[slots.LEFT] = view.moves - view.moved if turn >= 0 or stage == slots.RESTOCK else 0
    state[slots.TOOK] = int(view.took_cloud)
    if turn >= 0 and not state[slots.CARD + turn]:
        state[slots.CARD + turn] = 2 * max(1, view.steps - slots.POSTMAN_STEPS * (state[slots.ACTIVE] == slots.POSTMAN))
    if stage == slots.SWAP:
        state[slots.SWAPS] = 1
        _store_counts(state, slots.BEFORE, view.boards[turn].hall)
        is_cloud_first = state[slots.CLOUD_TIME] == 1 and not view.took_cloud and not view.clouds_closed
        student_stage = slots.CLOUD_FIRST if is_cloud_first else slots.STUDENTS
        state[slots.RESUME] = student_stage if view.moved < view.moves else slots.NATURE


def step_of(action: Action) -> int:
    """Return the number of a player's action."""
    match action:
        case PlayAssistant(card):
            return slots.step(slots.PLAY, card)
        case ToHall(colour):
            return slots.step(slots.TO_HALL, colour)
        case ToIsland(colour, island):
            return slots.step(slots.TO_ISLAND, colour, island)
        case MoveMotherNature(steps):
            return slots.step(slots.WALK, steps)
        case TakeCloud(cloud):
            return slots.step(slots.TAKE, cloud)
        case Swap(colour, give):
            return slots.step(slots.EXCHANGE, colour, give)
        case UseCharacter(character, colour, island, give):
            third = give if island is None else island
            return slots.step(
                slots.USE,
                _NUMBER[character],
                slots.NONE if colour is None else colour,
                slots.NONE if third is None else third,
            )
        case _:
            return slots.step(slots.DONE)


def action_of(step: int) -> Action:
    """Return the action of a step."""
    kind, first, second, third = step >> 12, step >> 8 & 15, step >> 4 & 15, step & 15
    match kind:
        case slots.PLAY:
            return PlayAssistant(first)
        case slots.TO_HALL:
            return ToHall(_COLOURS[first])
        case slots.TO_ISLAND:
            return ToIsland(_COLOURS[first], second)
        case slots.WALK:
            return MoveMotherNature(first)
        case slots.TAKE:
            return TakeCloud(first)
        case slots.EXCHANGE:
            return Swap(_COLOURS[first], _COLOURS[second])
        case slots.USE:
            colour = None if second == slots.NONE else _COLOURS[second]
            if third == slots.NONE:
                return UseCharacter(_CHARACTERS[first], colour)
            if first in _ON_ISLAND:
                return UseCharacter(_CHARACTERS[first], colour, island=third)
            return UseCharacter(_CHARACTERS[first], colour, give=_COLOURS[third])
        case _:
            return Done()
