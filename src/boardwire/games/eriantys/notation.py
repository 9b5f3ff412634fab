"""Notation of actions and events of Eriantys.

Seats are letters, A to D; colours, characters and towers are names; students are written as `red 2 blue 1`, or `-` for
none; several piles are separated by `|`. An action is a word and its operands:

    assistant 3 · hall red · island red 5 · steps 2 · cloud 1 · swap red for blue · done
    monk red 5 · herald 5 · grandma 5 · mushroom red · thief red · princess red · jester red for blue · knight …

and of chance

    mother-nature 3 · stock-islands red blue … · deal-entrances … | … · characters monk thief knight
    stock-characters … | … | … · first A · refill … | … · restock red

`parse_action` and `format_action` are inverse. Neither checks whether an action is legal.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any, Final

import msgspec

from boardwire.errors import Malformed
from boardwire.games.eriantys.actions import (
    Action,
    DealEntrances,
    Done,
    DrawCharacters,
    DrawFirst,
    MoveMotherNature,
    PlaceMotherNature,
    PlayAssistant,
    Refill,
    Restock,
    StockCharacters,
    StockIslands,
    Swap,
    TakeCloud,
    ToHall,
    ToIsland,
    UseCharacter,
)
from boardwire.games.eriantys.colours import Colour
from boardwire.games.eriantys.events import Event
from boardwire.games.eriantys.options import Character, Options
from boardwire.games.eriantys.piles import Counts
from boardwire.games.eriantys.terms import Terms
from boardwire.games.game import Idle, Seat

SEATS: Final = "ABCD"


def seat_of(text: str) -> Seat:
    """Parse the letter of a seat."""
    if len(text) == 1 and text in SEATS:
        return SEATS.index(text)
    raise Malformed(f"{text!r} is not a seat; seats are A, B, C, D")


def colour_of(text: str) -> Colour:
    """Parse the name of a colour."""
    try:
        return Colour[text.upper()]
    except KeyError:
        raise Malformed(f"{text!r} is not a colour; colours are {', '.join(map(colour_name, Colour))}") from None


def colour_name(colour: int) -> str:
    """Return the name of a colour."""
    return Colour(colour).name.lower()


def parse_number(text: str) -> int:
    """Parse an integer."""
    try:
        return int(text)
    except ValueError:
        raise Malformed(f"{text!r} is not a number") from None


STUDENTS_PER_COLOUR: Final = 26
"""Number of students of each colour."""


def parse_number_within(text: str, minimum: int, maximum: int) -> int:
    """Parse an integer; raise `Malformed` outside the limits, which are inclusive."""
    value = parse_number(text)
    if not minimum <= value <= maximum:
        raise Malformed(f"{text!r} must be a number from {minimum} to {maximum}")
    return value


def character_of(text: str) -> Character:
    """Parse the name of a character."""
    try:
        return Character(text)
    except ValueError:
        raise Malformed(f"{text!r} is not a character; characters are {', '.join(Character)}") from None


def counts_of(text: str) -> Counts:
    """Parse counts such as `red 2 blue 1`."""
    words = [] if text.strip() == "-" else text.split()
    if len(words) % 2:
        raise Malformed(f"{text!r} is not a list of colours and numbers, such as 'red 2 blue 1'")
    counts = [0] * 5
    for name, count in zip(words[::2], words[1::2], strict=True):
        counts[colour_of(name)] += parse_number_within(count, 0, STUDENTS_PER_COLOUR)
    return (counts[0], counts[1], counts[2], counts[3], counts[4])


def write_counts(counts: Sequence[int]) -> str:
    """Format counts as `red 2 blue 1`."""
    return " ".join(f"{colour_name(colour)} {count}" for colour, count in enumerate(counts) if count) or "-"


def _parse_piles(text: str) -> tuple[Counts, ...]:
    return tuple(counts_of(part) for part in text.split("|"))


def _write_piles(piles: Sequence[Counts]) -> str:
    return " | ".join(write_counts(counts) for counts in piles)


_READ: Final[dict[str, Callable[[str], Action]]] = {
    "assistant": lambda rest: PlayAssistant(parse_number(rest)),
    "hall": lambda rest: ToHall(colour_of(rest)),
    "island": lambda rest: ToIsland(*_colour_and_island(rest)),
    "steps": lambda rest: MoveMotherNature(parse_number(rest)),
    "cloud": lambda rest: TakeCloud(parse_number(rest)),
    "swap": lambda rest: Swap(*_parse_swap(rest)),
    "mother-nature": lambda rest: PlaceMotherNature(parse_number(rest)),
    "stock-islands": lambda rest: StockIslands(tuple(colour_of(name) for name in rest.split())),
    "deal-entrances": lambda rest: DealEntrances(_parse_piles(rest)),
    "characters": lambda rest: DrawCharacters(tuple(character_of(name) for name in rest.split())),
    "stock-characters": lambda rest: StockCharacters(_parse_piles(rest)),
    "first": lambda rest: DrawFirst(seat_of(rest)),
    "refill": lambda rest: Refill(_parse_piles(rest)),
    "restock": lambda rest: Restock(colour_of(rest)),
}


def _colour_and_island(text: str) -> tuple[Colour, int]:
    colour, _, island = text.partition(" ")
    return colour_of(colour), parse_number(island)


def _parse_swap(text: str) -> tuple[Colour, Colour]:
    colour, _, give = text.partition(" for ")
    return colour_of(colour), colour_of(give)


def parse_action(text: str) -> Action:
    """Parse an action; raise `Malformed` for any other text."""
    word, _, rest = text.strip().partition(" ")
    rest = rest.strip()
    if word == "done" and not rest:
        return Done()
    if word in _READ:
        return _READ[word](rest)
    return _parse_character(character_of(word), rest)


def _parse_character(character: Character, rest: str) -> UseCharacter:
    """Parse the operands of a character: colour, island, `COLOUR island` or `COLOUR for COLOUR`."""
    if not rest:
        return UseCharacter(character)
    if " for " in rest:
        colour, give = _parse_swap(rest)
        return UseCharacter(character, colour, give=give)
    first, _, second = rest.partition(" ")
    if first.lstrip("-").isdigit():
        return UseCharacter(character, island=parse_number(rest))
    return UseCharacter(character, colour_of(first), parse_number(second) if second else None)


def format_action(action: Action) -> str:
    """Format an action."""
    match action:
        case PlayAssistant(card):
            return f"assistant {card}"
        case ToHall(colour):
            return f"hall {colour_name(colour)}"
        case ToIsland(colour, island):
            return f"island {colour_name(colour)} {island}"
        case MoveMotherNature(steps):
            return f"steps {steps}"
        case TakeCloud(cloud):
            return f"cloud {cloud}"
        case Swap(colour, give):
            return f"swap {colour_name(colour)} for {colour_name(give)}"
        case Done():
            return "done"
        case UseCharacter():
            return _write_character(action)
        case _:
            return _write_luck(action)


def _write_character(action: UseCharacter) -> str:
    words: list[str] = [action.character]
    if action.colour is not None:
        words.append(colour_name(action.colour))
    if action.island is not None:
        words.append(str(action.island))
    if action.give is not None:
        words += ["for", colour_name(action.give)]
    return " ".join(words)


def _write_luck(action: Any) -> str:
    """Format an action of chance."""
    match action:
        case PlaceMotherNature(island):
            return f"mother-nature {island}"
        case StockIslands(colours):
            return " ".join(["stock-islands", *map(colour_name, colours)])
        case DealEntrances(entrances):
            return f"deal-entrances {_write_piles(entrances)}"
        case DrawCharacters(characters):
            return " ".join(["characters", *characters])
        case StockCharacters(students):
            return f"stock-characters {_write_piles(students)}"
        case DrawFirst(seat):
            return f"first {SEATS[seat]}"
        case Refill(clouds):
            return f"refill {_write_piles(clouds)}"
        case Restock(colour):
            return f"restock {colour_name(colour)}"
        case _:
            raise Malformed(f"{action!r} is not an action")


def format_match(players: Sequence[str], options: Options, steps: Iterable[tuple[Seat, Action | Idle]]) -> None:
    """Return None: Eriantys has no record format."""
    return


_SEAT_FIELDS: Final = ("seat", "previous", "first")
_COLOUR_FIELDS: Final = ("colour", "give")
_SIDE_FIELDS: Final = ("side", "before", "after")


def format_event(terms: Terms, event: Event) -> str:
    """Format an event as `tag field=value …`, without spaces in values."""
    fields = msgspec.structs.asdict(event)
    return " ".join(
        [_event_tag(event), *(f"{name}={_format_value(terms, name, value)}" for name, value in fields.items())]
    )


def _event_tag(event: Event) -> str:
    return str(event.__struct_config__.tag)


def _format_value(terms: Terms, name: str, value: Any) -> str:
    """Format the value of a field of an event."""
    if value is None:
        return "-"
    if name in _SEAT_FIELDS:
        return SEATS[value]
    if name in _COLOUR_FIELDS:
        return colour_name(value)
    if name in _SIDE_FIELDS:
        return str(terms.colours[value])
    if name in ("winners", "order"):
        return ",".join(SEATS[seat] for seat in value) or "-"
    if isinstance(value, tuple):
        return ",".join(_format_value(terms, "", item) for item in value)
    return str(value)
