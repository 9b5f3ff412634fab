"""Evaluation of a match of Eriantys: features of each side, and its chance to win.

- All sides have the same features. The score of a side is their weighted sum; the weights depend on the rounds left.
- The chances of the sides are the softmax of their scores.
- Each feature is an integer with the packed numbers of all sides, because a search spends most of its time here.
"""

from __future__ import annotations

from math import exp
from typing import TYPE_CHECKING, Final

from boardwire.bots.eriantys.core.slots import (
    BAG,
    COINS,
    ENTRANCE,
    EXPERT,
    HALL,
    HAND,
    HOLDER,
    ISLAND,
    LAST,
    MOTHER,
    MOVES,
    NO_ENTRY,
    OVER,
    OWNER,
    REFILL,
    ROUND,
    SEATS,
    SIDE,
    SIDES,
    SIZE,
    STAGE,
    TOWERS,
    WINNERS,
    head_of,
)

if TYPE_CHECKING:
    from mypy_extensions import i64

TOWERS_PLACED: Final = 0
NEARLY: Final = 1
"""The square of the towers placed."""
PROFESSORS: Final = 2
"""Professors of the side."""
MARGINS: Final = 3
"""Lead in students for those professors, at most three each."""
CHASES: Final = 4
"""Closeness of the side to the professors of others, at most three each."""
HELD: Final = 5
"""Own tiles times the lead in influence there, at most three."""
SHAKY: Final = 6
"""Own tiles that another side would take."""
RIPE: Final = 7
"""Tiles of other sides or without towers that the side would take."""
LEAD: Final = 8
"""Lead in influence on those tiles, at most three each."""
NEAR: Final = 9
"""Gains minus losses within three steps of mother nature.

`SHAKY`, `RIPE`, `LEAD` and `NEAR` count tenfold, or threefold on an island with a no-entry tile.
"""
JOINED: Final = 10
"""Tiles of the side's largest island."""
SEATED: Final = 11
"""Students in dining rooms."""
USEFUL: Final = 12
"""Students in entrances whose professor the side has."""
WANTED: Final = 13
"""Colours in entrances that would take a professor."""
VARIETY: Final = 14
"""Colours in entrances."""
PURSE: Final = 15
"""Coins, at most six for each seat."""
CARDS: Final = 16
"""Steps of mother nature that the assistants in hand allow."""
INFLUENCE: Final = 17
"""Students on islands whose professor the side has."""
COUNT: Final = 18
ROUNDS: Final = 10
_WEIGHT_SCALE: Final = 1_000_000
"""Factor that makes weights integers."""
_MAX_LEAD: Final = 700.0
"""Lead beyond which a chance is practically zero and its exponential overflows."""
_STEPS: Final = 3
_REACH: Final[list[i64]] = [sum((card + 2) // 2 for card in range(10) if hand >> card & 1) for hand in range(1 << 10)]
"""Total steps of the assistants in a hand, by its bit mask; the lowest bit is assistant 1.

Steps as in `slots.reach`.
"""
_SIDE_BITS: Final = 16
"""Bits for the number of one side."""
_BITS: Final = 0xFFFF
_ONE: Final[list[i64]] = [1 << _SIDE_BITS * side for side in range(3)]
"""A one for each side: in compiled code a literal 1 is too narrow to be shifted that far."""


class Features:
    """All features of a state; each field holds the numbers of all sides."""

    placed: i64
    professors: i64
    margins: i64
    chases: i64
    held: i64
    shaky: i64
    ripe: i64
    lead: i64
    near: i64
    joined: i64
    seated: i64
    useful: i64
    wanted: i64
    variety: i64
    purse: i64
    cards: i64
    influence: i64
    threatened: i64
    """Losses to subtract from `near`."""
    owners: i64
    """The side that has each professor plus one, four bits for each colour; 0: no side."""

    def __init__(self) -> None:
        self._reset()

    def _reset(self) -> None:
        """Reset all sums to zero."""
        self.placed = 0
        self.professors = 0
        self.margins = 0
        self.chases = 0
        self.held = 0
        self.shaky = 0
        self.ripe = 0
        self.lead = 0
        self.near = 0
        self.joined = 0
        self.seated = 0
        self.useful = 0
        self.wanted = 0
        self.variety = 0
        self.purse = 0
        self.cards = 0
        self.influence = 0
        self.threatened = 0
        self.owners = 0

    def read(self, state: list[int]) -> None:
        """Compute the features of a state."""
        self._reset()
        sides: i64 = state[SIDES]
        start: i64 = 6 if sides == 3 else 8
        for side in range(sides):
            left: i64 = state[TOWERS + side]
            self.placed |= start - left << _SIDE_BITS * side
        self._count_professors(state)
        self._count_islands(state, sides)
        self._count_schools(state)

    def _count_professors(self, state: list[int]) -> None:
        """Add the professors of each side, and how safely they are held."""
        seats: i64 = state[SEATS]
        colours: i64 = 5
        for colour in range(colours):
            holder: i64 = state[HOLDER + colour]
            if holder < 0:
                continue
            own: i64 = state[SIDE + holder]
            self.owners |= own + 1 << 4 * colour
            count: i64 = state[HALL + 5 * holder + colour]
            closest: i64 = 3
            for seat in range(seats):
                side: i64 = state[SIDE + seat]
                if side != own:
                    seated: i64 = state[HALL + 5 * seat + colour]
                    behind: i64 = count - seated
                    if behind < 3:
                        if behind < 0:
                            behind = 0
                        self.chases += 3 - behind << _SIDE_BITS * side
                        if behind < closest:
                            closest = behind
            self.professors += _ONE[own]
            self.margins += closest << _SIDE_BITS * own

    def _count_islands(self, state: list[int], sides: i64) -> None:
        """Add all islands in the order in which mother nature reaches them."""
        first: i64 = head_of(state, state[MOTHER])
        head: i64 = first
        near: i64 = 0
        tiles: i64 = 12
        while near < tiles:  # bounded, because wrong sizes in a view might never lead back to the first island
            size: i64 = state[SIZE + head]
            self._count_island(state, head, size, sides, 0 < near <= _STEPS)
            near += 1
            head += size
            if head >= 12:
                head -= 12
            if head == first:
                return

    def _count_island(self, state: list[int], head: i64, size: i64, sides: i64, near: bool) -> None:
        """Add the influence and towers of one island; `near`: mother nature may stop there in this turn."""
        counts: i64 = 0
        owners: i64 = self.owners
        at: i64 = ISLAND + 5 * head
        colours: i64 = 5
        for colour in range(colours):
            students: i64 = state[at + colour]
            if students:
                side: i64 = owners >> 4 * colour & 15
                if side:
                    counts += students << _SIDE_BITS * (side - 1)
        self.influence += counts
        towers: i64 = state[OWNER + head]
        owner: i64 = towers - 1
        if owner >= 0:
            counts += size << _SIDE_BITS * owner
            joined: i64 = self.joined >> _SIDE_BITS * owner & _BITS
            if size > joined:
                self.joined += size - joined << _SIDE_BITS * owner
        best: i64 = -1
        most: i64 = -1
        next_most: i64 = -1
        for each in range(sides):
            count: i64 = counts >> _SIDE_BITS * each & _BITS
            if count > most:
                best, next_most, most = each, most, count
            elif count > next_most:
                next_most = count
        margin: i64 = most - next_most
        if margin > 3:
            margin = 3
        if margin and best == owner:
            self.held += margin * size << _SIDE_BITS * owner
        elif margin:
            no_entry: i64 = state[NO_ENTRY + head]
            self._count_contested(owner, best, size, margin, 3 if no_entry else 10, near)

    def _count_contested(self, owner: i64, best: i64, size: i64, margin: i64, weight: i64, near: bool) -> None:
        """Add an island that `best` would take."""
        self.ripe += size * weight << _SIDE_BITS * best
        self.lead += margin * weight << _SIDE_BITS * best
        if near:
            self.near += size * weight << _SIDE_BITS * best
        if owner >= 0:
            self.shaky += size * weight << _SIDE_BITS * owner
            if near:
                self.threatened += size * weight << _SIDE_BITS * owner

    def _count_schools(self, state: list[int]) -> None:
        """Add the students in dining rooms and entrances."""
        seats: i64 = state[SEATS]
        owners: i64 = self.owners
        colours: i64 = 5
        for seat in range(seats):
            side: i64 = state[SIDE + seat]
            shift: i64 = _SIDE_BITS * side
            for colour in range(colours):
                seated: i64 = state[HALL + 5 * seat + colour]
                self.seated += seated << shift
                waiting: i64 = state[ENTRANCE + 5 * seat + colour]
                if not waiting:
                    continue
                self.variety += _ONE[side]
                if (owners >> 4 * colour & 15) == side + 1:
                    self.useful += waiting << shift
                else:
                    holder: i64 = state[HOLDER + colour]
                    lack: i64 = 1
                    if holder >= 0:
                        theirs: i64 = state[HALL + 5 * holder + colour]
                        lack = theirs - seated + 1
                    if waiting >= lack:
                        self.wanted += _ONE[side]
            if state[EXPERT]:
                coins: i64 = state[COINS + seat]
                self.purse += (coins if coins < 6 else 6) << shift
            hand: i64 = state[HAND + seat]
            self.cards += _REACH[hand >> 1] << shift

    def numbers(self, side: int) -> list[int]:
        """Return the numbers of a side, in the order of the weights."""
        return [self.worth(side, [int(at == feature) for at in range(COUNT)]) for feature in range(COUNT)]

    def worth(self, side: i64, weights: list[i64]) -> i64:
        """Return the weighted sum of a side's numbers."""
        shift: i64 = _SIDE_BITS * side
        placed: i64 = self.placed >> shift & _BITS
        near: i64 = (self.near >> shift & _BITS) - (self.threatened >> shift & _BITS)
        return (
            weights[TOWERS_PLACED] * placed
            + weights[NEARLY] * placed * placed
            + weights[PROFESSORS] * (self.professors >> shift & _BITS)
            + weights[MARGINS] * (self.margins >> shift & _BITS)
            + weights[CHASES] * (self.chases >> shift & _BITS)
            + weights[HELD] * (self.held >> shift & _BITS)
            + weights[SHAKY] * (self.shaky >> shift & _BITS)
            + weights[RIPE] * (self.ripe >> shift & _BITS)
            + weights[LEAD] * (self.lead >> shift & _BITS)
            + weights[NEAR] * near
            + weights[JOINED] * (self.joined >> shift & _BITS)
            + weights[SEATED] * (self.seated >> shift & _BITS)
            + weights[USEFUL] * (self.useful >> shift & _BITS)
            + weights[WANTED] * (self.wanted >> shift & _BITS)
            + weights[VARIETY] * (self.variety >> shift & _BITS)
            + weights[PURSE] * (self.purse >> shift & _BITS)
            + weights[CARDS] * (self.cards >> shift & _BITS)
            + weights[INFLUENCE] * (self.influence >> shift & _BITS)
        )


def rounds_left(state: list[int]) -> int:
    """Return the maximum number of further rounds, limited by the assistants and by the students in the bag."""
    if state[LAST]:
        return 0
    bag = state[BAG] + state[BAG + 1] + state[BAG + 2] + state[BAG + 3] + state[BAG + 4]
    dealt = state[SEATS] * state[MOVES]
    if state[STAGE] == REFILL:
        bag -= dealt
    return max(0, min(ROUNDS - max(1, state[ROUND]), (bag + dealt - 1) // dealt))


def weights_for_round(weights: list[float], left: int) -> list[i64]:
    """Return the integer weights for a number of rounds left; the second half counts more near the end."""
    late = 1 / (1 + left)
    return [round(_WEIGHT_SCALE * (weights[at] + late * weights[COUNT + at])) for at in range(COUNT)]


def chances(state: list[int], weights: list[i64], features: Features) -> list[float]:
    """Return each side's chance to win: exact if the match is over, otherwise estimated."""
    return [chance(state, side, weights, features) for side in range(state[SIDES])]


def chance(state: list[int], side: i64, weights: list[i64], features: Features) -> float:
    """Return one side's chance to win; `features` is a scratch buffer."""
    sides: i64 = state[SIDES]
    if state[STAGE] == OVER:
        winners: i64 = state[WINNERS]
        if not winners >> side & 1:
            return 0.0
        alike: i64 = (winners & 1) + (winners >> 1 & 1) + (winners >> 2 & 1)
        return 1.0 / float(alike)
    features.read(state)
    own: i64 = features.worth(side, weights)
    whole = 1.0
    for other in range(sides):
        if other != side:
            ahead = float(features.worth(other, weights) - own) / _WEIGHT_SCALE
            whole += exp(ahead if ahead < _MAX_LEAD else _MAX_LEAD)
    return 1.0 / whole
