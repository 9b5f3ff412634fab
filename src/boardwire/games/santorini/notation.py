"""Positions as text (rules page, 2.1), read and written.

    position = heights "/" player "/" section { "/" section } [ "/" extra ]
    heights  = 25 of 0..4 or a b c; 4 is a complete tower, a b c a dome on level 0 1 2; other characters are ignored
    player   = number of the seat to move, from 1
    section  = ["#"] ["-"] god ["+" power] ["[" data "]"] ["{" data "}"] [":" [square {"," square}]]   one per seat
    square   = file and rank ("B3"), any case, or index 0..24
    extra    = { "@" ply | "ram" square "=" god }, separated by blanks

What the common form cannot say is ours: low domes as letters, one to four sections, the power a god's owner has now if
it is another, what the card remembers beside it (in braces), and the extra part.  Four seats are two teams; the workers
of a team stand in its first section.  Only positions between turns, or at the end of a match, can be written.
"""

from __future__ import annotations

import re
from typing import Final

from msgspec.structs import replace

from boardwire.games.game import Malformed, Outcome, Refused
from boardwire.games.santorini.board import SQUARES
from boardwire.games.santorini.events import Event
from boardwire.games.santorini.lineup import in_effect, lineup
from boardwire.games.santorini.options import Draft, Options, Wording
from boardwire.games.santorini.position import FRESH, Position, level, on_board, with_level, with_memo
from boardwire.games.santorini.powers.catalogue import God
from boardwire.games.santorini.powers.registry import POWERS
from boardwire.games.santorini.squares import parse_square, square_name
from boardwire.games.santorini.turn import begin, settle

_SECTION: Final = re.compile(
    r"(?P<won>#)?(?P<low>-)?(?P<god>[a-z]+)(\+(?P<now>[a-z]+))?(\[(?P<data>[^\]]*)\])?(\{(?P<kept>[^}]*)\})?(:(?P<squares>[A-Ea-e0-9,]*))?"
)
_LOW_DOMES: Final = "abc"


def parse_position(text: str, options: Options | None = None) -> Position:
    """The position a text describes, with what may be done in it.

    A player to move who can do nothing has lost, as in a match."""
    options = options or Options(Draft.POSITION, position=text)
    parts = text.strip().split("/")
    extra = parts.pop() if len(parts) > 3 and re.match(r"@|ram", parts[-1]) else ""
    if not 3 <= len(parts) <= 6:
        raise Malformed("a position has heights, the player to move and a section for each seat")
    sections = [_SECTION.fullmatch(part.strip()) for part in parts[2:]]
    if not all(sections):
        raise Malformed("a section has a god, and squares after a colon")
    found = [section.groupdict() for section in sections if section]
    cards = tuple(_god(section["god"]) for section in found)
    gods = tuple(
        _god(section["now"]) if section["now"] else in_effect(card) for section, card in zip(found, cards, strict=True)
    )
    seats = len(cards)
    if not re.fullmatch(r"[1-4]", parts[1]) or int(parts[1]) > seats:
        raise Malformed(f"{parts[1]!r} is not the number of a player")
    cast = lineup(gods, options.wording is Wording.PRINTED, cards)
    p = Position(
        options, cast, ((),) * cast.sides, cast.fresh, tuple(range(seats)),
        seat=int(parts[1]) - 1,
    )  # fmt: skip
    p = _extra(_workers(_heights(p, parts[0]), [section["squares"] or "" for section in found]), extra)
    p = _data(p, found)
    won = [seat for seat, section in enumerate(found) if section["won"]]
    if won:
        return replace(p, outcome=Outcome("given", cast.seats_of(cast.side(won[0]))))
    log: list[Event] = []
    return settle(begin(p, log), log)


def _god(text: str) -> God:
    try:
        god = God(text)
    except ValueError:
        raise Malformed(f"there is no god {text!r}") from None
    if god not in POWERS:
        raise Malformed(f"{text} cannot be played yet")
    return god


def _heights(p: Position, text: str) -> Position:
    signs = [sign for sign in text if sign in "01234abc"]
    if not signs:
        return p
    if len(signs) != 25:
        raise Malformed(f"a board has 25 heights, not {len(signs)}")
    domes = 0
    for square, sign in enumerate(signs):
        height = _LOW_DOMES.find(sign) if sign in _LOW_DOMES else min(int(sign), 3)
        p = with_level(p, square, height)
        if sign in "4abc":
            domes |= 1 << square
    return replace(p, domes=domes)


def _workers(p: Position, sections: list[str]) -> Position:
    sides = p.lineup.sides
    if any(sections[sides:]):
        raise Malformed("the workers of a team stand in its first section")
    workers = tuple(
        tuple(parse_square(square) for square in section.split(",") if square) for section in sections[:sides]
    )
    squares = [square for side in workers for square in side]
    occupied = sum({1 << square for square in squares})
    if occupied.bit_count() != len(squares):
        raise Malformed("two workers stand on one square")
    if occupied & p.domes:
        raise Malformed("a worker stands on a dome")
    # with workers on the board, a side without any has been eliminated
    gone = [seat for seat in range(p.lineup.seats) if squares and not workers[p.lineup.side(seat)]]
    return replace(p, workers=workers, occupied=occupied, out=sum(1 << seat for seat in gone))


def _extra(p: Position, text: str) -> Position:
    for part in text.split():
        if re.fullmatch(r"@[0-9]{1,6}", part):
            p = replace(p, ply=int(part[1:]))
        elif ram := re.fullmatch(r"ram([^=]*)=([a-z]+)", part):
            at = parse_square(ram[1])
            if p.occupied >> at & 1:
                raise Malformed("a worker stands on the Ram")
            p = replace(p, ram=at, lent=_god(ram[2]), solid=p.solid | 1 << at)
        else:
            raise Malformed(f"{part!r} says nothing about a position")
    return p


def _data(p: Position, found: list[dict[str, str | None]]) -> Position:
    for seat, section in enumerate(found):
        p = _memo(p, seat, section["data"])
        p = _memo(p, p.lineup.seats + seat, section["kept"])
        if section["low"]:  # old style: this player may not climb, because of a foe's lasting ban
            p = _banned(p, seat)
    return p


def _memo(p: Position, slot: int, text: str | None) -> Position:
    if not text:
        return p
    try:
        power = p.lineup.slots.get(slot)
        return power.read(p, text) if power else with_memo(p, slot, tuple(map(int, text.split(","))))
    except (ValueError, IndexError, Malformed):
        raise Malformed(f"no power here can remember {text!r}") from None


def _banned(p: Position, seat: int) -> Position:
    for power in p.lineup.powers:
        if power.side != p.lineup.side(seat) and power.god is God.ATHENA:
            return power.remember(p, 1)
    raise Malformed("nobody here can keep a player from climbing")


def format_position(p: Position, extended: bool = True) -> str:
    """A position as text.  Not extended: any dome is 4, workers are sorted, and there is no extra part."""
    if p.setup is not None or (p.turn != FRESH and p.outcome is None):
        raise Refused("only a position between turns can be written")
    signs = "".join(_sign(p, square, extended) for square in SQUARES)
    sections = [_section(p, seat, extended) for seat in range(p.lineup.seats)]
    extra = [f"@{p.ply}"] if p.ply else []
    if p.ram >= 0:
        extra.append(f"ram{square_name(p.ram)}={p.lent}")
    tail = [" ".join(extra)] if extra and extended else []
    return "/".join([signs, str(p.seat + 1), *sections, *tail])


def _sign(p: Position, square: int, extended: bool) -> str:
    height = level(p, square)
    if not p.domes >> square & 1:
        return str(height)
    return "4" if height == 3 or not extended else _LOW_DOMES[height]


def _section(p: Position, seat: int, extended: bool) -> str:
    won = "#" if p.outcome and seat in p.outcome.winners else ""
    cast, kept = p.lineup, p.lineup.seats + seat
    now = "" if cast.gods[seat] is in_effect(cast.cards[seat]) else f"+{cast.gods[seat]}"
    data = cast.powers[seat].written(p)
    card = cast.slots[kept].written(p) if kept in cast.slots else ",".join(map(str, p.memos[kept]))
    squares = on_board(p, seat) if seat < p.lineup.sides else ()
    names = ",".join(map(square_name, squares if extended else sorted(squares)))
    memos = (f"[{data}]" if data else "") + (f"{{{card}}}" if card else "")
    return f"{won}{cast.cards[seat]}{now}{memos}{f':{names}' if names else ''}"
