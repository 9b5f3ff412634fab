"""ANSWER: convert a client's messages to game actions, and refusals to messages.

A message is atomic: all or none of its students move [6.3], and all or none of a character's swaps take place [6.5].
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from typing import Any, Final

from boardwire.dialects.eriantys_messages import messages as wire
from boardwire.dialects.eriantys_messages.ask import cloud_is_open
from boardwire.errors import Illegal
from boardwire.games.eriantys import (
    Action,
    Character,
    Colour,
    Done,
    Kind,
    MoveMotherNature,
    PlayAssistant,
    Swap,
    TakeCloud,
    ToHall,
    ToIsland,
    UseCharacter,
    View,
)
from boardwire.games.eriantys.view import head_at
from boardwire.games.game import Seat

SWAPS: Final = {Character.JESTER: 3, Character.MINSTREL: 2}


def _read_assistant(request: wire.PlayAssistantCardMessage, view: View) -> tuple[Action, ...]:
    card = request.assistantCard
    return (PlayAssistant(card if isinstance(card, int) else card.value),)


def _read_island(request: wire.StudentToIslandMessage, view: View) -> tuple[Action, ...]:
    island = head_at(view, request.indexIsland)
    return tuple(ToIsland(colour, island) for colour in wire.parse_colours(request.students))


def _read_hall(request: wire.StudentToHallMessage, view: View) -> tuple[Action, ...]:
    return tuple(map(ToHall, wire.parse_colours(request.students)))


def _read_steps(request: wire.MoveMotherNatureMessage, view: View) -> tuple[Action, ...]:
    return (MoveMotherNature(request.movement),)


def _read_cloud(request: wire.AddStudentFromCloudToWaitingMessage, view: View) -> tuple[Action, ...]:
    return (Done() if view.asked is Kind.FINISH else TakeCloud(request.cloudIndex),)  # [6.2] any cloud ends that turn


def _read_character(request: wire.PlayCharacterCardMessage, view: View) -> tuple[Action, ...]:
    """Return the use of a character; the fields that it does not use must be empty."""
    character = wire.CHARACTERS.get(request.character.upper())
    if character is None:
        raise Illegal(f"there is no character {request.character[:20]!r}")
    if character in SWAPS and not request.student and request.indexIsland is None:
        return _read_swaps(request, character)
    if character in SWAPS or request.students or request.entrance:
        rule = "needs only" if character in SWAPS else "does not use"
        raise Illegal(f"the {character} {rule} the fields students and entrance")
    colour = wire.parse_colour(request.student) if request.student else None
    island = None if request.indexIsland is None else head_at(view, request.indexIsland)
    return (UseCharacter(character, colour, island),)


def _read_swaps(request: wire.PlayCharacterCardMessage, character: Character) -> tuple[Action, ...]:
    """Return the swaps of a message in order, with `Done` if more were possible."""
    taken, given = wire.parse_colours(request.students), wire.parse_colours(request.entrance)
    if len(taken) != len(given) or not 1 <= len(taken) <= SWAPS[character]:
        raise Illegal(
            f"the {character} swaps 1 to {SWAPS[character]} students for as many, not {len(taken)} for {len(given)}"
        )
    (colour, give), *others = _pair_students(taken, given)
    swaps: list[Action] = [UseCharacter(character, colour, give=give)]
    swaps += [Swap(colour, give) for colour, give in others]
    return tuple(swaps) if len(taken) == SWAPS[character] else (*swaps, Done())


def _pair_students(taken: Sequence[Colour], given: Sequence[Colour]) -> list[tuple[Colour, Colour]]:
    """Pair the students of a simultaneous exchange for consecutive swaps [6.5].

    A colour on both sides is swapped for itself, so that no swap needs a seat that a later one frees. So the sequence
    is legal exactly if the exchange is.
    """
    common = Counter(taken) & Counter(given)
    only_taken, only_given = Counter(taken) - common, Counter(given) - common
    equal_pairs = [(colour, colour) for colour in common.elements()]
    return equal_pairs + list(zip(only_taken.elements(), only_given.elements(), strict=True))


ANSWER: Final[dict[type, Callable[[Any, View], tuple[Action, ...]]]] = {
    wire.PlayAssistantCardMessage: _read_assistant,
    wire.StudentToIslandMessage: _read_island,
    wire.StudentToHallMessage: _read_hall,
    wire.MoveMotherNatureMessage: _read_steps,
    wire.AddStudentFromCloudToWaitingMessage: _read_cloud,
    wire.PlayCharacterCardMessage: _read_character,
}


def refusal(request: wire.Request, reason: object, view: View, seat: Seat, name: str) -> wire.Reply:
    """Return the document's message for a refused move of `seat`, or a text if there is none [6.3, 6.6]."""
    kind = view.asked if view.turn == seat and view.asked is not Kind.ASSISTANT else None
    match request:
        case wire.PlayCharacterCardMessage():
            return wire.InvalidCharacterCardMessage(nickname=name, reason=str(reason))
        case wire.StudentToIslandMessage(students=students) | wire.StudentToHallMessage(students=students):
            if kind is not None and not _can_be_moved(students, view):
                return wire.InvalidNumberStudentsMovedMessage(nickname=name)
        case wire.MoveMotherNatureMessage(movement=steps):
            if kind is Kind.STUDENT:
                return wire.InvalidNumberStudentsMovedMessage(nickname=name)
            if kind is Kind.STEPS:
                return wire.InvalidMovementMessage(nickname=name, movementAllowed=view.steps, movementInserted=steps)
        case wire.AddStudentFromCloudToWaitingMessage() if kind is Kind.STUDENT and not cloud_is_open(view):
            return wire.InvalidNumberStudentsMovedMessage(nickname=name)
    return wire.TextMessage(nickname=name, text=str(reason), ask=wire.REFUSED)


def _can_be_moved(students: tuple[str, ...], view: View) -> bool:
    """Return whether the player may still move this many students and has them in the entrance [6.3]."""
    if view.turn is None or not 1 <= len(students) <= view.moves - view.moved:
        return False
    entrance = Counter({colour: view.boards[view.turn].entrance[colour] for colour in Colour})
    return Counter(wire.parse_colours(students)) <= entrance
