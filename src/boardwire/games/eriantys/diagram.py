"""Notation of positions of Eriantys: subjects and their values.

`build_position` makes a position from some subjects, `value_of` returns the value of any subject. Defaults: two
players, simplified game, A's turn, students to be moved, mother nature on tile 0, empty islands and dining rooms, a
mixed bag. A position need not have all 130 students. With `asked = mother-nature` it is the one before the set-up.

To set and to query: `players`, `mode`, `cloud-time`, `towers`, `characters`, `round`, `first`, `order`, `turn`,
`asked`, `moved`, `took`, `mother-nature`, `bag`, `last-round`, `clouds-closed`, `effect`, `ignored`, `supply`; by seat
`entrance A`, `hall A`, `hand A`, `card A`, `coins A`, `gone A`; by colour `professor red`; by island `island 3`,
`group 3`, `owner 3`, `no-entry 3`; `cloud 0`; by character `on monk`, `used monk`. To query only: `steps`, `groups`,
`left white` (towers not placed), `standing 3` (towers), `influence 3`, `price monk`, `outcome`, `choices`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any, Final

from boardwire.errors import Malformed, Refused
from boardwire.games.eriantys.characters import SHEETS, lowest_price
from boardwire.games.eriantys.colours import Colour
from boardwire.games.eriantys.events import Termination
from boardwire.games.eriantys.notation import (
    SEATS,
    character_of,
    colour_name,
    colour_of,
    counts_of,
    format_action,
    parse_number,
    parse_number_within,
    seat_of,
    write_counts,
)
from boardwire.games.eriantys.options import COINS, Character, CloudTime, Mode, Options, Tower
from boardwire.games.eriantys.parts import Card, Ending, Expert
from boardwire.games.eriantys.phases import phase_of
from boardwire.games.eriantys.piles import pile
from boardwire.games.eriantys.places import AT, BAG, CLOUD, ENTRANCE, HALL, ISLAND
from boardwire.games.eriantys.plans import HAND_SHIFT, NOBODY, plan_of
from boardwire.games.eriantys.position import Position, changed
from boardwire.games.eriantys.professors import professors_of
from boardwire.games.eriantys.ring import TILES, ring_of
from boardwire.games.eriantys.rules import new, pending
from boardwire.games.eriantys.stages import Stage
from boardwire.games.eriantys.view import Board, CharacterView, Island, View
from boardwire.games.eriantys.views import view
from boardwire.games.game import CHANCE

_ENTRANCE: Final = {7: "green 2 red 2 yellow 1 pink 1 blue 1", 9: "green 2 red 2 yellow 2 pink 2 blue 1"}
_CLOUD: Final = {3: "green 1 red 1 blue 1", 4: "green 1 red 1 yellow 1 blue 1"}
_BAG: Final = "green 10 red 10 yellow 10 pink 10 blue 10"
_SETUP: Final = "mother-nature"
_ASKED: Final = {
    "refill": Stage.REFILL,
    "assistant": Stage.PLAN,
    "cloud-first": Stage.CLOUD_FIRST,
    "student": Stage.STUDENTS,
    "steps": Stage.NATURE,
    "cloud": Stage.CLOUD,
}


class _Statements:
    """The given statements; each is removed when it is used, so that unknown ones remain."""

    def __init__(self, statements: Iterable[tuple[str, str]]) -> None:
        self.values = {" ".join(subject.split()): value.strip() for subject, value in statements}

    def take(self, subject: str, default: str) -> str:
        return self.values.pop(subject, default)

    def take_each(self, subject: str, keys: Iterable[Any], default: Callable[[Any], str]) -> list[str]:
        return [self.take(f"{subject} {key}", default(key)) for key in keys]

    def take_flag(self, subject: str) -> bool:
        return self.take(subject, "no") == "yes"


def parse_position(text: str) -> Position:
    """Parse a line of subjects and values, such as `hall A = red 2; professor red = A`."""
    statements = []
    for part in filter(None, map(str.strip, text.split(";"))):
        subject, equals, value = part.partition("=")
        if not equals:
            raise Malformed(f"{part!r} is not SUBJECT = VALUE; separate several by semicolons")
        statements.append((subject.strip(), value.strip()))
    return build_position(statements)


def build_position(statements: Iterable[tuple[str, str]]) -> Position:
    """Return the position described by subjects and values; raise `Malformed` if a statement is invalid or unknown."""
    given = _Statements(statements)
    position = new(_read_options(given), parse_number(given.take("players", "2")))
    if given.values.get("asked") == _SETUP:
        given.values.pop("asked")
        if given.values:
            others = ", ".join(given.values)
            raise Malformed(f"with asked = {_SETUP} only players, mode and options can be set, not {others}")
        return position
    position = _read_boards(given, _read_islands(given, position))
    position = _read_turn(given, _read_expert(given, position))
    if given.values:
        raise Malformed(f"unknown or superfluous subjects: {', '.join(given.values)}")
    return position


def _read_options(given: _Statements) -> Options:
    """Return the options that the statements describe."""
    characters = given.take("characters", "").split()
    towers = given.take("towers", "").split()
    return Options(
        mode=Mode(given.take("mode", "expert" if characters else "simplified")),
        cloud=CloudTime(given.take("cloud-time", "last")),
        towers=tuple(map(Tower, towers)) or None,
        characters=tuple(map(character_of, characters)) or None,
    )


def _read_islands(given: _Statements, position: Position) -> Position:
    """Apply the statements about groups, islands, towers and mother nature."""
    bits = position.ring.bits
    for text in given.take_each("group", range(TILES), lambda tile: ""):
        for joined in text.split()[1:]:
            bits &= ~(1 << parse_number_within(joined, 0, TILES - 1))
    ring = ring_of(bits)
    students = 0
    for tile, text in enumerate(given.take_each("island", range(TILES), lambda tile: "-")):
        students += pile(counts_of(text)) * AT[ISLAND + tile]
    owners = 0
    towers = list(position.towers)
    for tile, text in enumerate(given.take_each("owner", range(TILES), lambda tile: "")):
        if text:
            side = position.terms.colours.index(Tower(text))
            owners |= (side + 1) * ring.pairs[ring.groups[tile]]
            towers[side] -= len(ring.tiles[ring.groups[tile]])
    mother = parse_number_within(given.take("mother-nature", "0"), 0, TILES - 1)
    return changed(position, ring=ring, students=students, owners=owners, towers=tuple(towers), mother=mother)


def _read_boards(given: _Statements, position: Position) -> Position:
    """Apply the statements about boards, professors, clouds and the bag."""
    terms = position.terms
    seats = SEATS[: terms.seats]
    students = position.students
    for seat, text in enumerate(given.take_each("entrance", seats, lambda seat: _ENTRANCE[terms.entrance])):
        students += pile(counts_of(text)) * AT[ENTRANCE[seat]]
    for seat, text in enumerate(given.take_each("hall", seats, lambda seat: "-")):
        students += pile(counts_of(text)) * AT[HALL[seat]]
    holders = given.take_each("professor", map(colour_name, Colour), lambda colour: "")
    for cloud, text in enumerate(given.take_each("cloud", range(terms.seats), lambda cloud: _CLOUD[terms.moves])):
        students += pile(counts_of(text)) * AT[CLOUD + cloud]
    students += pile(counts_of(given.take("bag", _BAG))) * AT[BAG]
    return changed(
        position,
        students=students,
        professors=professors_of(tuple(seat_of(holder) if holder else NOBODY for holder in holders), terms.sides),
    )


def _read_expert(given: _Statements, position: Position) -> Position:
    """Apply the statements about coins and characters."""
    characters = position.terms.options.characters
    if characters is None:
        return position
    cards = tuple(
        Card(
            character,
            students=pile(counts_of(given.take(f"on {character}", _initial_contents(character))))
            if sheet.students
            else 0,
            no_entry=parse_number(given.take(f"on {character}", _initial_contents(character))) if sheet.no_entry else 0,
            used=given.take_flag(f"used {character}"),
        )
        for character in characters
        for sheet in (SHEETS[character],)
    )
    coins = tuple(
        parse_number(text) for text in given.take_each("coins", SEATS[: position.terms.seats], lambda seat: "1")
    )
    effect = given.take("effect", "")
    ignored = given.take("ignored", "")
    expert = Expert(
        coins=coins,
        supply=parse_number(given.take("supply", str(COINS - sum(coins) - sum(card.used for card in cards)))),
        cards=cards,
        lowest_price=lowest_price(cards),
        no_entry=tuple(parse_number(text) for text in given.take_each("no-entry", range(TILES), lambda tile: "0")),
        active=character_of(effect) if effect else None,
        ignored=colour_of(ignored) if ignored else None,
    )
    return changed(position, expert=expert)


def _initial_contents(character: Character) -> str:
    """Return the default contents of a character."""
    sheet = SHEETS[character]
    return f"green {sheet.students - 2} red 1 blue 1" if sheet.students else str(sheet.no_entry)


def _read_turn(given: _Statements, position: Position) -> Position:
    """Apply the statements about the round, the cards, the turn and the end of the match."""
    seats, moves = position.terms.seats, position.terms.moves
    names = SEATS[:seats]
    asked = given.take("asked", "student")
    if asked not in _ASKED:
        raise Malformed(f"asked is {asked!r}; it must be one of {', '.join(_ASKED)}")
    stage = _ASKED[asked]
    planning = stage in (Stage.PLAN, Stage.REFILL)
    played = {
        seat: parse_number_within(given.take(f"card {seat}", "0" if planning else str(names.index(seat) + 1)), 0, 10)
        for seat in names
    }
    cards = tuple(played.values())
    hands = given.take_each(
        "hand", names, lambda seat: " ".join(str(card) for card in range(1, 11) if card != played[seat])
    )
    first = seat_of(given.take("first", "A"))
    clockwise = [(first + step) % seats for step in range(seats)]
    acted = [seat for seat in clockwise if cards[seat]]
    default_order = "".join(SEATS[seat] for seat in (acted if planning else sorted(acted, key=cards.__getitem__)))
    order = tuple(seat_of(letter) for letter in given.take("order", default_order).replace(" ", ""))
    ending = Ending(
        gone=sum(
            1 << seat for seat, text in enumerate(given.take_each("gone", names, lambda seat: "no")) if text == "yes"
        ),
        last=_read_last_round(given.take("last-round", "")),
        clouds_closed=given.take_flag("clouds-closed"),
    )
    moved = parse_number(given.take("moved", "0" if planning or stage in _EARLY else str(moves)))
    if not 0 <= moved <= moves:
        raise Malformed(f"0 to {moves} students are moved in a turn, not {moved}")
    turn = given.take("turn", SEATS[(first + len(order)) % seats] if planning else "A")
    return changed(
        position,
        round=parse_number_within(given.take("round", "1"), 0, 10),
        plan=plan_of(first, len(order) if planning else seats, cards, order),
        hands=sum(
            1 << parse_number_within(card, 1, 10) << HAND_SHIFT[seat]
            for seat, hand in enumerate(hands)
            for card in hand.split()
        ),
        phase=phase_of(
            stage, CHANCE if stage is Stage.REFILL else seat_of(turn), moves - moved, given.take_flag("took")
        ),
        ending=ending,
    )


_EARLY: Final = (Stage.CLOUD_FIRST, Stage.STUDENTS)


def _read_last_round(text: str) -> Termination | None:
    try:
        return Termination(text) if text else None
    except ValueError:
        raise Malformed(f"{text!r} is not a termination; the terminations are {', '.join(Termination)}") from None


def format_position(position: Position) -> str:
    """Format a position, without subjects that have their default.

    Raise `Refused` in a set-up, during swaps, while a character is restocked, and when the match is over.
    """
    seen = view(position, None)
    if seen.asked is not None and seen.asked not in _ASKED:
        raise Refused(f"notation cannot express a position in the stage {str(seen.asked)!r}")
    if seen.asked is None:
        raise Refused("notation cannot express the position of a match that is over")
    subjects = ["players", "mode", *_SUBJECTS]
    if position.terms.options.cloud is not CloudTime.LAST:
        subjects.append("cloud-time")
    if position.terms.options.towers is not None:
        subjects.append("towers")
    heads = [island.tiles[0] for island in seen.islands]
    subjects += [f"{word} {head}" for head in heads for word in ("island", "owner")]
    subjects += [f"group {island.tiles[0]}" for island in seen.islands if len(island.tiles) > 1]
    subjects += [f"cloud {cloud}" for cloud in range(len(seen.clouds))]
    subjects += [f"professor {colour_name(colour)}" for colour in Colour]
    seats = SEATS[: len(seen.boards)]
    subjects += [f"{word} {seat}" for seat in seats for word in ("entrance", "hall", "hand", "card", "gone")]
    if position.expert is not None:
        subjects += ["characters", "effect", "ignored", "supply"]
        subjects += [f"coins {seat}" for seat in seats] + [f"no-entry {head}" for head in heads]
        for card in seen.characters:
            holds = SHEETS[card.character].students or SHEETS[card.character].no_entry
            subjects += [f"used {card.character}", *([f"on {card.character}"] if holds else [])]
    values = ((subject, _without_default(subject, value_of(position, subject))) for subject in subjects)
    return "; ".join(f"{subject} = {value}".rstrip() for subject, value in values if value is not None)


_SUBJECTS: Final = (
    "round", "first", "order", "turn", "asked", "moved", "took", "mother-nature", "bag", "last-round", "clouds-closed",
)  # fmt: skip
_FLAGS: Final = frozenset(("took", "clouds-closed", "gone", "used"))
"""Subjects with the default `no`."""
_NO_DEFAULT: Final = {"card": "0", "hand": "", "hall": None, "island": None}
"""How an empty value of these subjects is written; None: not at all, as for all other subjects."""
_PILES: Final = frozenset(("entrance", "cloud", "bag", "on"))
"""Subjects whose empty pile differs from their default."""


def _without_default(subject: str, value: str) -> str | None:
    """Return the value that `build_position` needs for a subject, or None if it is the default."""
    word = subject.partition(" ")[0]
    if value == "-":
        return "-" if word in _PILES else _NO_DEFAULT.get(word)
    is_default = (word in _FLAGS and value == "no") or (word == "no-entry" and value == "0")
    return None if is_default else value


def value_of(position: Position, subject: str) -> str:
    """Return the value of a subject; raise `Malformed` for an unknown subject."""
    word, _, key = subject.partition(" ")
    if subject == "choices":
        decision = pending(position)
        return "-" if decision is None else ", ".join(format_action(action) for action in decision.choices)
    seen = view(position, None)
    if word in _BY_NAME and not key:
        return _BY_NAME[word](seen)
    if word in _BY_SEAT and key:
        return _BY_SEAT[word](seen.boards[seat_of(key)])
    if word in _BY_ISLAND and key:
        return _BY_ISLAND[word](seen, _island_of(seen, parse_number(key)))
    if word in _BY_CHARACTER and key:
        return _BY_CHARACTER[word](_character_of(seen, character_of(key)))
    if word == "professor":
        return _format_seat(seen.professors[colour_of(key)])
    if word == "cloud" and key:
        return write_counts(seen.clouds[parse_number(key)])
    if word == "left":
        return next((str(side.towers) for side in seen.sides if side.tower == key), "-")
    raise Malformed(f"unknown subject {subject!r}; see the notation of positions")


def _format_seat(seat: int | None) -> str:
    return "-" if seat is None else SEATS[seat]


def _format_seats(seats: Sequence[int]) -> str:
    return " ".join(SEATS[seat] for seat in seats) or "-"


def _format_bool(value: bool) -> str:
    return "yes" if value else "no"


def _island_of(seen: View, tile: int) -> Island:
    return next(island for island in seen.islands if tile in island.tiles)


def _character_of(seen: View, character: Character) -> CharacterView:
    """Return the view of a character; raise `Malformed` if it is not in the match."""
    for card in seen.characters:
        if card.character is character:
            return card
    raise Malformed(f"the {character} is not one of the characters of this match")


_BY_NAME: Final[dict[str, Callable[[View], str]]] = {
    "players": lambda seen: str(len(seen.boards)),
    "mode": lambda seen: seen.mode,
    "cloud-time": lambda seen: seen.cloud,
    "towers": lambda seen: " ".join(seen.sides[board.side].tower for board in seen.boards),
    "characters": lambda seen: " ".join(card.character for card in seen.characters) or "-",
    "round": lambda seen: str(seen.round),
    "first": lambda seen: SEATS[seen.first],
    "order": lambda seen: _format_seats(seen.order),
    "turn": lambda seen: _format_seat(seen.turn),
    "asked": lambda seen: seen.asked or "-",
    "moved": lambda seen: str(seen.moved),
    "took": lambda seen: _format_bool(seen.took_cloud),
    "steps": lambda seen: str(seen.steps),
    "mother-nature": lambda seen: str(seen.mother_nature),
    "bag": lambda seen: write_counts(seen.bag),
    "last-round": lambda seen: seen.last_round or "-",
    "clouds-closed": lambda seen: _format_bool(seen.clouds_closed),
    "effect": lambda seen: seen.active or "-",
    "ignored": lambda seen: "-" if seen.ignored is None else colour_name(seen.ignored),
    "supply": lambda seen: str(seen.supply),
    "groups": lambda seen: " ".join("+".join(map(str, island.tiles)) for island in seen.islands),
    "outcome": lambda seen: (
        f"{seen.outcome.termination} {_format_seats(seen.outcome.winners)}" if seen.outcome else "-"
    ),
}
_BY_SEAT: Final[dict[str, Callable[[Board], str]]] = {
    "entrance": lambda board: write_counts(board.entrance),
    "hall": lambda board: write_counts(board.hall),
    "hand": lambda board: " ".join(map(str, board.hand)) or "-",
    "card": lambda board: str(board.card or "-"),
    "coins": lambda board: str(board.coins),
    "gone": lambda board: _format_bool(board.gone),
}
_BY_ISLAND: Final[dict[str, Callable[[View, Island], str]]] = {
    "island": lambda seen, island: write_counts(island.students),
    "group": lambda seen, island: " ".join(map(str, island.tiles)),
    "owner": lambda seen, island: "-" if island.side is None else seen.sides[island.side].tower,
    "standing": lambda seen, island: str(island.towers),
    "no-entry": lambda seen, island: str(island.no_entry),
    "influence": lambda seen, island: " ".join(
        f"{side.tower} {count}" for side, count in zip(seen.sides, island.influence, strict=True)
    ),
}
_BY_CHARACTER: Final[dict[str, Callable[[CharacterView], str]]] = {
    "on": lambda card: str(card.no_entry) if card.character is Character.GRANDMA else write_counts(card.students),
    "used": lambda card: _format_bool(card.used),
    "price": lambda card: str(card.price),
}
