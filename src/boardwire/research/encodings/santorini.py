"""Santorini: the game without powers first, then powers and drafts.

Squares are in the order of the rules. Each side has a plane for its workers, whose numbers do not matter, because
actions name squares. A memo, the state of a power between turns, is encoded as the bits of its integers: some are sets
of squares.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import Final

from boardwire.games.game import Seat
from boardwire.games.santorini.actions import (
    DONE,
    USE,
    Action,
    Aim,
    Banish,
    Bind,
    ChooseStart,
    Force,
    NameStart,
    PickGod,
    PlaceToken,
    ProposeGod,
    Raze,
    Swap,
)
from boardwire.games.santorini.board import AROUND, DIRECTIONS, SIZE, SQUARES
from boardwire.games.santorini.interned import BLOCKS, DOMES, MOVES, PLACES
from boardwire.games.santorini.kinds import Kind
from boardwire.games.santorini.options import Draft, Options
from boardwire.games.santorini.powers.catalogue import God
from boardwire.games.santorini.view import View
from boardwire.research.encodings import Part, flags, one_hot

MAX_CHANCE_OUTCOMES: Final = len(God)
MAX_SEATS: Final = 4
MAX_SETUP_LENGTH: Final = 64
MAX_TURN_LENGTH: Final = 32
"""Actions in a turn; a few powers allow many moves or builds."""
MAX_LEVEL: Final = 3
MEMO_LENGTH: Final = 4
"""Number of integers of a memo that are encoded."""
MEMO_BITS: Final = 32
"""Bits of each integer, to which one is added, because -1 stands for a worker off the board."""
BOARD: Final = SIZE, SIZE
GODS: Final = tuple(God)
KINDS: Final = tuple(Kind)


def actions(options: Options) -> Sequence[Action]:
    """Return the actions of the game without powers, or all if the options have powers."""
    return _actions() if _has_powers(options) else _actions()[: _plain_count()]


def max_length(options: Options, seats: int) -> int:
    """Return the bound for the set-up and all turns."""
    return MAX_SETUP_LENGTH + MAX_TURN_LENGTH * options.ply_cap


def _has_powers(options: Options) -> bool:
    return options.draft is not Draft.NONE


@lru_cache(1)
def _plain_count() -> int:
    return len(SQUARES) + 3 * sum(map(len, AROUND))


@lru_cache(1)
def _actions() -> tuple[Action, ...]:
    near = [(start, end) for start in SQUARES for end in AROUND[start]]
    far = [(start, end) for start in SQUARES for end in SQUARES if end not in AROUND[start]]
    pairs = [(start, end) for start in SQUARES for end in SQUARES if end != start]
    actions: list[Action] = [*PLACES]
    for some in (near, far):
        for table in (MOVES, BLOCKS, DOMES):
            actions += [table[start][end] for start, end in some if table is not MOVES or start != end]
    actions += [DONE, USE]
    actions += [kind(start, end) for kind in (Force, Swap, Bind) for start, end in pairs]
    actions += [kind(at) for kind in (Raze, Banish, PlaceToken) for at in SQUARES]
    actions += [Aim(direction) for direction in (*range(len(DIRECTIONS)), None)]
    actions += [kind(god) for kind in (ProposeGod, PickGod, NameStart) for god in GODS]
    actions += [ChooseStart(seat) for seat in range(MAX_SEATS)]
    return tuple(actions)


def parts(view: View, seat: Seat, options: Options) -> Iterator[Part]:
    """Yield the board and the state of the turn, then gods, memos and the draft if the options have them."""
    seats, sides = len(view.order), len(view.workers)
    yield Part("levels", (MAX_LEVEL + 1, *BOARD), _planes(view.levels))
    yield Part("domes", BOARD, flags(len(SQUARES), view.domes))
    workers = [square for side in range(sides) for square in _squares(view.workers[(seat + side) % sides])]
    yield Part("workers", (sides, *BOARD), workers)
    yield Part("acting", BOARD, one_hot(len(SQUARES), view.acting))
    yield Part("built", BOARD, flags(len(SQUARES), view.built))
    yield Part("kind", (len(KINDS),), one_hot(len(KINDS), None if view.kind is None else KINDS.index(view.kind)))
    yield Part("waiting", (seats,), _seats(view.waiting, seat, seats))
    yield Part("out", (seats,), _seats(view.out, seat, seats))
    yield Part("turns", (1,), [min(1.0, view.ply / options.ply_cap)])
    if _has_powers(options):
        yield from _powers(view, seat, seats)


def _powers(view: View, seat: Seat, seats: int) -> Iterator[Part]:
    around = [(seat + step) % seats for step in range(seats)]
    yield Part("closed", BOARD, flags(len(SQUARES), view.closed))
    yield Part("ram", BOARD, one_hot(len(SQUARES), view.ram))
    yield Part("lent", (len(GODS),), _god(view.lent))
    yield Part("gods", (seats, len(GODS)), [value for other in around for value in _god(view.gods[other])])
    yield Part("powers", (seats, len(GODS)), [value for other in around for value in _god(view.powers[other])])
    for name, memos in (("memos", view.memos), ("kept", view.kept)):
        yield Part(name, (seats, MEMO_LENGTH, MEMO_BITS), [bit for other in around for bit in memo_bits(memos[other])])
    order = [value for other in around for value in one_hot(seats, view.order.index(other))]
    yield Part("order", (seats, seats), order)
    yield Part("offer", (len(GODS),), flags(len(GODS), map(GODS.index, view.offer)))
    yield Part("proposer", (seats,), _seats(() if view.proposer is None else (view.proposer,), seat, seats))


def _planes(levels: Sequence[int]) -> list[float]:
    return [float(level == plane) for plane in range(MAX_LEVEL + 1) for level in levels]


def _squares(squares: Sequence[int]) -> list[float]:
    return flags(len(SQUARES), squares)


def _seats(listed: Sequence[Seat], seat: Seat, seats: int) -> list[float]:
    return flags(seats, [(other - seat) % seats for other in listed if other >= 0])


@lru_cache(128)
def _god(god: God | None) -> list[float]:
    return one_hot(len(GODS), None if god is None else GODS.index(god))


@lru_cache(1024)
def memo_bits(memo: tuple[int, ...]) -> list[float]:
    """Return the bits of the first `MEMO_LENGTH` integers of a memo, each plus one."""
    stored = [*(number + 1 for number in memo[:MEMO_LENGTH]), *[0] * (MEMO_LENGTH - len(memo))]
    return [float(number >> bit & 1) for number in stored for bit in range(MEMO_BITS)]
