"""Legal choices computed from a view, for clients that have no position.

The rules compute the same choices faster from a position (`planning`, `students`, `characters`); a test compares both.
"""

from __future__ import annotations

from collections.abc import Iterator

from boardwire.games.eriantys.actions import MoveMotherNature, PlayAssistant, TakeCloud, ToHall, ToIsland, UseCharacter
from boardwire.games.eriantys.colours import Colour
from boardwire.games.eriantys.options import Character
from boardwire.games.eriantys.places import TABLE
from boardwire.games.eriantys.view import CharacterView, View
from boardwire.games.game import Seat


def assistants(view: View, seat: Seat) -> tuple[PlayAssistant, ...]:
    """Return the cards of the hand that have not been played in this round or, if there are none, all of the hand."""
    hand, played = view.boards[seat].hand, {board.card for board in view.boards}
    return tuple(map(PlayAssistant, [card for card in hand if card not in played] or hand))


def students(view: View, seat: Seat) -> tuple[ToHall | ToIsland, ...]:
    """Return the moves of a student from the entrance."""
    mine, heads = _entrance_colours(view, seat), _island_heads(view)
    return (
        *(ToHall(colour) for colour in mine if _has_seat(view, seat, colour)),
        *(ToIsland(colour, head) for colour in mine for head in heads),
    )


def steps(view: View) -> tuple[MoveMotherNature, ...]:
    """Return the walks of mother nature."""
    return tuple(map(MoveMotherNature, range(1, view.steps + 1)))


def clouds(view: View) -> tuple[TakeCloud, ...]:
    """Return the clouds that have not been taken."""
    return tuple(TakeCloud(index) for index, cloud in enumerate(view.clouds) if any(cloud))


def uses(view: View, seat: Seat) -> tuple[UseCharacter, ...]:
    """Return the uses of characters that the seat can pay."""
    if view.active is not None:
        return ()
    payable = [card for card in view.characters if card.price <= (view.boards[seat].coins or 0)]
    return tuple(use for card in payable for use in uses_of(view, seat, card))


def uses_of(view: View, seat: Seat, card: CharacterView) -> Iterator[UseCharacter]:
    """Yield the uses of one character, regardless of its price."""
    character, heads = card.character, _island_heads(view)
    on_card = [colour for colour in Colour if card.students[colour]]
    match character:
        case Character.MONK:
            yield from (UseCharacter(character, colour, head) for colour in on_card for head in heads)
        case Character.PRINCESS:
            yield from (UseCharacter(character, colour) for colour in on_card if _has_seat(view, seat, colour))
        case Character.JESTER:
            for colour in on_card:
                yield from (UseCharacter(character, colour, give=give) for give in _entrance_colours(view, seat))
        case Character.MINSTREL:
            for colour in (seated for seated in Colour if view.boards[seat].hall[seated]):
                for give in _entrance_colours(view, seat):
                    if give == colour or _has_seat(view, seat, give):
                        yield UseCharacter(character, colour, give=give)
        case Character.MUSHROOM | Character.THIEF:
            yield from (UseCharacter(character, colour) for colour in Colour)
        case Character.HERALD | Character.GRANDMA:
            if character is Character.HERALD or card.no_entry:
                yield from (UseCharacter(character, island=head) for head in heads)
        case _:
            yield UseCharacter(character)


def _island_heads(view: View) -> list[int]:
    """Return the first tile of each island, which identifies it in actions."""
    return [island.tiles[0] for island in view.islands]


def _entrance_colours(view: View, seat: Seat) -> list[Colour]:
    """Return the colours in a seat's entrance."""
    return [colour for colour in Colour if view.boards[seat].entrance[colour]]


def _has_seat(view: View, seat: Seat, colour: Colour) -> bool:
    return view.boards[seat].hall[colour] < TABLE
