"""Notation of positions [6.1], parsed and formatted.

    position = heights "/" player "/" section { "/" section } [ "/" extra ]
    heights  = 25 of 0..4 or a b c; 4 is a complete tower, a b c a dome on level 0 1 2; other characters are ignored
    player   = number of the seat to move, from 1
    section  = ["#"] ["-"] god ["+" power] ["[" data "]"] ["{" data "}"] [":" [worker {"," worker}]]   one per seat
    worker   = square | "-"
    square   = file and rank ("B3"), any case, or index 0..24
    extra    = item { " " item }
    item     = "@" ply | "ram" square "=" god | "order=" seats | "out=" seats | "extra=" n | "owed=" n {"," n}
             | "end=" reason

- Our extensions of the common form: low domes as letters, one to four sections, the power in effect if it is not the
  god's own, the card's memo (in braces), workers that left the board (a minus, because the others keep their numbers),
  and the extra part.
- Four seats are two teams; the workers of a team are in its first section.
- Until a match with two sides is over, a side without squares has its workers still to place. With three sides, all
  workers are still to place if no side has squares; otherwise a side without squares is out.
- The notation can express only positions between turns, before a side's first worker, or at the end of a match. Any
  other position is expressed by one of these and the steps after it (`line.Line`).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Final

from msgspec.structs import replace

from boardwire.errors import Malformed, Refused
from boardwire.games.game import Outcome, Seat
from boardwire.games.santorini.board import SQUARES, squares_of
from boardwire.games.santorini.edits import level, on_board, with_level, with_memo
from boardwire.games.santorini.ending import standing
from boardwire.games.santorini.events import Event, Termination
from boardwire.games.santorini.lineup import in_effect, lineup
from boardwire.games.santorini.lookahead import Effort
from boardwire.games.santorini.options import Draft, Options, Wording
from boardwire.games.santorini.position import FRESH, OFF, Position, Setup
from boardwire.games.santorini.powers.catalogue import God
from boardwire.games.santorini.setup import resume
from boardwire.games.santorini.squares import parse_square, square_name
from boardwire.games.santorini.stages import Place, Prepare, placers
from boardwire.games.santorini.turn import begin, settle

_SECTION: Final = re.compile(
    r"(?P<sign>#-?|-#?)?(?P<god>[A-Za-z]+)(\+(?P<now>[A-Za-z]+))?(\[(?P<data>[^\]]*)\])?(\{(?P<kept>[^}]*)\})?(:(?P<squares>[A-Ea-e0-9,-]*))?"
)
_EXTRA: Final = re.compile(r"@|ram|[a-z]+=")
_LOW_DOMES: Final = "abc"
_ITEMS: Final = "@PLY, ramSQUARE=GOD, order=PLAYERS, out=PLAYERS, extra=N, owed=N,N and end=REASON"


def parse_position(text: str, options: Options | None = None, effort: Effort | None = None) -> Position:
    """Parse a position and compute its choices; raise `Illegal` if that exceeds the `effort`.

    A player to move without a legal step has lost, as in a match.
    """
    options = options or Options(Draft.POSITION, position=text)
    parts = text.strip().split("/")
    extra = parts.pop() if len(parts) > 3 and _EXTRA.match(parts[-1]) else ""
    if not 3 <= len(parts) <= 6:
        raise Malformed(
            f"a position has the heights, the player to move and one to four sections, separated by '/'; this has"
            f" {len(parts)} parts"
        )
    sections = [_SECTION.fullmatch(part.replace(" ", "")) for part in parts[2:]]
    if None in sections:
        faulty = parts[2 + sections.index(None)].strip()
        raise Malformed(f"{faulty!r} is not a section; an example is 'pan:B3,D3'")
    groups = [section.groupdict() for section in sections if section]
    cards = tuple(_parse_god(section["god"]) for section in groups)
    gods = tuple(
        _parse_god(section["now"]) if section["now"] else in_effect(card)
        for section, card in zip(groups, cards, strict=True)
    )
    seats = len(cards)
    if not re.fullmatch(r" *[1-4] *", parts[1]) or int(parts[1]) > seats:
        raise Malformed(f"{parts[1].strip()!r} is not the number of a player; players are 1 to {seats}")
    line_up = lineup(gods, options.wording is Wording.PRINTED, cards)
    p = Position(
        options, line_up, ((),) * line_up.sides, line_up.fresh, tuple(range(seats)),
        seat=int(parts[1]) - 1,
    )  # fmt: skip
    p = _read_workers(_read_heights(p, parts[0]), [section["squares"] or "" for section in groups])
    for item in extra.split():
        p = _read_extra(p, item)
    p = _read_memos(p, groups)
    if closed := p.occupied & p.solid:
        raise Malformed(f"a worker stands on {square_name(next(squares_of(closed)))}, which is closed")
    winners = tuple(seat for seat, section in enumerate(groups) if "#" in (section["sign"] or ""))
    if winners or p.outcome is not None:
        return _with_end(p, winners)
    return _with_placement(p) if _has_unplaced_workers(p) else _going_on(p, effort)


def parse_termination(text: str) -> Termination:
    """Parse the termination of a match; an unknown word means `GIVEN`."""
    try:
        return Termination(text)
    except ValueError:
        return Termination.GIVEN


def _with_end(p: Position, winners: tuple[int, ...]) -> Position:
    """Return the position of a match that is over; a team has won if one of its seats is marked."""
    sides = {p.lineup.side(seat) for seat in winners}
    if len(sides) > 1:
        raise Malformed("two sides are marked as winners; only one can have won")
    how = p.outcome.termination if p.outcome is not None else Termination.GIVEN
    return replace(p, outcome=Outcome(how, p.lineup.seats_of(sides.pop()) if sides else ()))


def _going_on(p: Position, effort: Effort | None) -> Position:
    """Return the position at the start of a turn, with its choices."""
    if p.lineup.sides > 1 and len(standing(p)) == 1:
        return replace(p, outcome=Outcome(Termination.NO_WORKERS, p.lineup.seats_of(standing(p)[0])))
    if p.out >> p.seat & 1:
        raise Malformed("the player to move has no workers")
    log: list[Event] = []
    return settle(begin(p, log), log, effort)


def _has_unplaced_workers(p: Position) -> bool:
    """Return whether workers are still to be placed."""
    return not all(p.workers) and (p.lineup.sides < 3 or not any(p.workers))


def _with_placement(p: Position) -> Position:
    """Return the position of a match in which workers are still to be placed, in the order of the placers [6.1]."""
    has_workers = [bool(p.workers[p.lineup.side(seat)]) for seat in placers(p)]
    if has_workers != sorted(has_workers, reverse=True):
        raise Malformed("a seat that places later already has workers")
    p = resume(replace(p, out=0, setup=Setup((Place(), Prepare()), p.lineup.cards, starter=p.order[0])), [])
    assert p.decision is not None
    if p.decision.seats != (p.seat,):
        raise Malformed(f"player {p.decision.seats[0] + 1} must place workers first")
    return p


def _parse_god(text: str) -> God:
    try:
        return God(text.lower())
    except ValueError:
        raise Malformed(f"there is no god {text!r}") from None


def _read_heights(p: Position, text: str) -> Position:
    """Apply the heights and domes."""
    codes = [char for char in text if char in "01234abc"]
    if not codes:
        return p
    if len(codes) != 25:
        raise Malformed(f"a board has 25 heights, not {len(codes)}")
    domes = 0
    for square, code in enumerate(codes):
        height = _LOW_DOMES.find(code) if code in _LOW_DOMES else min(int(code), 3)
        p = with_level(p, square, height)
        if code in "4abc":
            domes |= 1 << square
    return replace(p, domes=domes)


def _read_workers(p: Position, sections: list[str]) -> Position:
    """Apply the workers of all sections, and eliminate sides without workers."""
    sides = p.lineup.sides
    for seat in range(sides, len(sections)):
        if sections[seat]:
            raise Malformed(
                f"the section of player {seat + 1} has workers; write a team's workers in its first section"
            )
    workers = tuple(
        tuple(OFF if name == "-" else parse_square(name) for name in section.split(",") if name)
        for section in sections[:sides]
    )
    squares = [square for side in workers for square in side if square >= 0]
    occupied = sum({1 << square for square in squares})
    if occupied.bit_count() != len(squares):
        shared = next(square for square in squares if squares.count(square) > 1)
        raise Malformed(f"two workers stand on {square_name(shared)}")
    if domed := occupied & p.domes:
        raise Malformed(f"a worker stands on the dome on {square_name(next(squares_of(domed)))}")
    # If any worker is on the board, a side without one has been eliminated.
    out = [seat for seat in range(p.lineup.seats) if squares and max(workers[p.lineup.side(seat)], default=OFF) < 0]
    return replace(p, workers=workers, occupied=occupied, out=sum(1 << seat for seat in out))


def _read_extra(p: Position, item: str) -> Position:
    """Apply one item of the extra part."""
    if re.fullmatch(r"@[0-9]{1,6}", item):
        return replace(p, ply=int(item[1:]))
    if ram := re.fullmatch(r"ram([^=]*)=([a-z]+)", item):
        at = parse_square(ram[1])
        if (p.occupied | p.domes) >> at & 1:
            raise Malformed(f"the Ram is on {square_name(at)}, where a worker or a dome stands")
        return replace(p, ram=at, lent=_parse_god(ram[2]), solid=p.solid | 1 << at)
    if order := re.fullmatch(r"order=([1-4]+)", item):
        seats = tuple(int(number) - 1 for number in order[1])
        if sorted(seats) != list(range(p.lineup.seats)):
            raise Malformed(
                f"{item!r} is not an order of players 1 to {p.lineup.seats}: an order has every player once"
            )
        return replace(p, order=seats)
    if out := re.fullmatch(r"out=([1-4]+)", item):
        return _with_losers(p, {int(number) - 1 for number in out[1]})
    if extra := re.fullmatch(r"extra=([1-9])", item):
        return replace(p, turn=replace(p.turn, extra=int(extra[1])))
    if re.fullmatch(r"owed=[1-9](,[1-9]){,24}", item):
        return replace(p, owed=tuple(map(int, item[5:].split(","))))
    if end := re.fullmatch(r"end=([a-z]+(_[a-z]+)*)", item):
        return replace(p, outcome=Outcome(parse_termination(end[1].replace("_", " "))))
    raise Malformed(f"{item!r} is not an item of a position; the items are {_ITEMS}")


def _with_losers(p: Position, seats: set[int]) -> Position:
    """Mark seats that have lost although they have workers, which occurs only at the end of a match."""
    if p.outcome is None:
        raise Malformed("out= needs end= before it: a player who has lost has no workers while others play")
    if max(seats) >= p.lineup.seats:
        raise Malformed(f"player {max(seats) + 1} is not in the match; the players are 1 to {p.lineup.seats}")
    return replace(p, out=p.out | sum(1 << seat for seat in seats))


def _read_memos(p: Position, groups: list[dict[str, str | None]]) -> Position:
    """Apply the memos of the sections."""
    for seat, section in enumerate(groups):
        p = _read_memo(p, seat, section["data"])
        p = _read_memo(p, p.lineup.seats + seat, section["kept"])
        if "-" in (section["sign"] or ""):  # the older form of Athena's memo: this player may not climb
            p = _forbid_climbing(p, seat)
    return p


def _read_memo(p: Position, slot: int, text: str | None) -> Position:
    """Apply the memo in a slot: a power in play parses it, otherwise it must be numbers."""
    if not text:
        return p
    try:
        power = p.lineup.slots.get(slot)
        return power.read(p, text) if power else with_memo(p, slot, tuple(map(int, text.split(","))))
    except (ValueError, IndexError, Malformed):
        raise Malformed(f"{text!r} is not a valid memo of a power in play") from None


def _forbid_climbing(p: Position, seat: int) -> Position:
    """Apply the mark of a player that may not climb: Athena, a foe, has moved up."""
    for power in p.lineup.powers:
        if power.side != p.lineup.side(seat) and power.god is God.ATHENA:
            return power.remember(p, 1)
    raise Malformed("'-' says that a player may not climb, but no foe has Athena")


def begin_at(p: Position) -> Options:
    """Return the options of a match that starts from this position; raise `Refused` if notation cannot express it."""
    return replace(p.options, draft=Draft.POSITION, gods=(), pool=(), position=format_position(p))


def format_position(p: Position, extended: bool = True) -> str:
    """Format a position. Unless `extended`, any dome is 4, workers are sorted, and there is no extra part."""
    seat = p.seat
    if p.setup is not None and p.outcome is None:
        seat = _next_placer(p)
    elif p.outcome is None and replace(p.turn, extra=0) != FRESH:
        raise Refused("notation cannot express a position within a turn; write the steps since its start")
    heights = "".join(_format_height(p, square, extended) for square in SQUARES)
    sections = [_format_section(p, seat, extended) for seat in range(p.lineup.seats)]
    extra = " ".join(_extra_items(p)) if extended else ""
    return "/".join([heights, str(seat + 1), *sections, *([extra] if extra else [])])


def _next_placer(p: Position) -> Seat:
    """Return the seat that places next; raise `Refused` unless the first worker of a side is next."""
    assert p.setup is not None
    assert p.decision is not None
    if not isinstance(p.setup.stages[0], Place) or not _has_unplaced_workers(p):
        raise Refused("notation cannot express the set-up before workers are placed")
    return p.decision.seats[0]


def _extra_items(p: Position) -> Iterator[str]:
    """Yield the items of the extra part, in the order in which `parse_position` needs them."""
    if p.ply:
        yield f"@{p.ply}"
    if p.ram >= 0:
        yield f"ram{square_name(p.ram)}={p.lent}"
    if p.order != tuple(sorted(p.order)):
        yield f"order={_player_numbers(p.order)}"
    if p.turn.extra:
        yield f"extra={p.turn.extra}"
    if p.owed:
        yield f"owed={','.join(map(str, p.owed))}"
    if p.outcome is not None:
        if p.outcome.termination != Termination.GIVEN or not p.outcome.winners:
            yield f"end={p.outcome.termination.replace(' ', '_')}"
        lost = [seat for seat in range(p.lineup.seats) if p.out >> seat & 1 and on_board(p, p.lineup.side(seat))]
        if lost:
            yield f"out={_player_numbers(lost)}"


def _player_numbers(seats: Iterable[Seat]) -> str:
    return "".join(str(seat + 1) for seat in seats)


def _format_height(p: Position, square: int, extended: bool) -> str:
    """Return the character of a square's height; a letter for a low dome if `extended`."""
    height = level(p, square)
    if not p.domes >> square & 1:
        return str(height)
    return "4" if height == 3 or not extended else _LOW_DOMES[height]


def _format_section(p: Position, seat: int, extended: bool) -> str:
    """Return the section of a seat: cards, memos and workers."""
    won = "#" if p.outcome and seat in p.outcome.winners else ""
    line_up, card_slot = p.lineup, p.lineup.seats + seat
    now = "" if line_up.gods[seat] is in_effect(line_up.cards[seat]) else f"+{line_up.gods[seat]}"
    data = line_up.powers[seat].written(p)
    card = line_up.slots[card_slot].written(p) if card_slot in line_up.slots else ",".join(map(str, p.memos[card_slot]))
    names = _format_workers(p, seat, extended) if seat < p.lineup.sides else ""
    memos = (f"[{data}]" if data else "") + (f"{{{card}}}" if card else "")
    return f"{won}{line_up.cards[seat]}{now}{memos}{f':{names}' if names else ''}"


def _format_workers(p: Position, side: int, extended: bool) -> str:
    """Return the squares of a side's workers; if `extended`, in the order of their numbers, `-` for a removed one."""
    if not extended:
        return ",".join(map(square_name, sorted(on_board(p, side))))
    return ",".join("-" if square < 0 else square_name(square) for square in p.workers[side])
