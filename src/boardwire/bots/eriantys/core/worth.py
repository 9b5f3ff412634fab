"""What a match looks like to each side, in numbers: features, and the chance to win that weights make of them.

`features` has the same numbers for every side.  What a side's numbers are worth is a weighted sum, with weights that go
from those of the first round to those of the last; the chances of the sides are in the ratio of its exponentials.

This module does not know where weights come from.
"""

from __future__ import annotations

from math import exp
from typing import Final

from boardwire.bots.eriantys.core.slots import (
    COINS,
    ENTRANCE,
    EXPERT,
    HALL,
    HAND,
    HOLDER,
    ISLAND,
    MOTHER,
    NO_ENTRY,
    OVER,
    OWNER,
    SEATS,
    SIDE,
    SIDES,
    SIZE,
    STAGE,
    TOWERS,
    WINNERS,
    head_of,
)

TOWERS_PLACED: Final = 0
NEARLY: Final = 1
"""The square of that."""
PROFESSORS: Final = 2
"""Those that the side has."""
MARGINS: Final = 3
"""By how many students it has them, up to three each."""
CHASES: Final = 4
"""How near it is to the professors of others, up to three each."""
HELD: Final = 5
"""Tiles of its own, times its lead there, up to three."""
SHAKY: Final = 6
"""Tiles of its own that another would take."""
RIPE: Final = 7
"""Tiles of others or nobody that it would take."""
LEAD: Final = 8
"""By how much, up to three each."""
NEAR: Final = 9
"""What it would gain within three steps of mother nature, less what it would lose there.  These four count ten for one,
and three where a no-entry tile lies."""
JOINED: Final = 10
"""Tiles of its largest island."""
SEATED: Final = 11
"""Students in dining rooms."""
USEFUL: Final = 12
"""Students in entrances whose professor it has."""
WANTED: Final = 13
"""Colours in entrances that would take a professor."""
VARIETY: Final = 14
"""Colours in entrances."""
PURSE: Final = 15
"""Coins, up to six for each seat."""
CARDS: Final = 16
"""The steps that the assistants in hand allow."""
INFLUENCE: Final = 17
"""Students on islands whose professor it has."""
COUNT: Final = 18
ROUNDS: Final = 10
_STEPS: Final = 3
_REACH: Final = [sum((card + 2) // 2 for card in range(10) if hand >> card & 1) for hand in range(1 << 10)]
"""The steps that all assistants of a hand allow, the lowest bit being that of assistant 1."""


def features(state: list[int]) -> list[int]:
    """The numbers of each side, one side after the other."""
    sides = state[SIDES]
    found = [0] * (COUNT * sides)
    side_of = [state[SIDE + seat] for seat in range(state[SEATS])]
    owners = [-1 if state[HOLDER + colour] < 0 else side_of[state[HOLDER + colour]] for colour in range(5)]
    _islands(state, sides, owners, found)
    _professors(state, side_of, owners, found)
    _schools(state, side_of, owners, found)
    start = 6 if sides == 3 else 8
    for side in range(sides):
        placed = start - state[TOWERS + side]
        found[COUNT * side + TOWERS_PLACED] = placed
        found[COUNT * side + NEARLY] = placed * placed
    return found


def _professors(state: list[int], side_of: list[int], owners: list[int], found: list[int]) -> None:
    for colour in range(5):
        holder = state[HOLDER + colour]
        if holder < 0:
            continue
        own = owners[colour]
        count = state[HALL + 5 * holder + colour]
        closest = 3
        for seat, side in enumerate(side_of):
            if side != own:
                behind = count - state[HALL + 5 * seat + colour]
                if behind < 3:
                    if behind < 0:
                        behind = 0
                    found[COUNT * side + CHASES] += 3 - behind
                    if behind < closest:
                        closest = behind
        found[COUNT * own + PROFESSORS] += 1
        found[COUNT * own + MARGINS] += closest


def _islands(state: list[int], sides: int, owners: list[int], found: list[int]) -> None:
    start = head_of(state, state[MOTHER])
    head = start
    for near in range(12):
        size = state[SIZE + head]
        at = ISLAND + 5 * head
        owner = state[OWNER + head] - 1
        counts = [0, 0, 0]
        for colour in range(5):
            students = state[at + colour]
            if students:
                side = owners[colour]
                if side >= 0:
                    counts[side] += students
                    found[COUNT * side + INFLUENCE] += students
        if owner >= 0:
            counts[owner] += size
            if size > found[COUNT * owner + JOINED]:
                found[COUNT * owner + JOINED] = size
        best, most, next_most = -1, -1, -1
        for side in range(sides):
            count = counts[side]
            if count > most:
                best, next_most, most = side, most, count
            elif count > next_most:
                next_most = count
        margin = min(3, most - next_most)
        if margin and best == owner:
            found[COUNT * owner + HELD] += margin * size
        elif margin:
            _contested(state[NO_ENTRY + head], owner, best, size, margin, 0 < near <= _STEPS, found)
        head += size
        if head >= 12:
            head -= 12
        if head == start:
            return


def _contested(no_entry: int, owner: int, best: int, size: int, margin: int, near: bool, found: list[int]) -> None:
    """An island that `best` would take."""
    weight = 3 if no_entry else 10
    found[COUNT * best + RIPE] += size * weight
    found[COUNT * best + LEAD] += margin * weight
    if near:
        found[COUNT * best + NEAR] += size * weight
    if owner >= 0:
        found[COUNT * owner + SHAKY] += size * weight
        if near:
            found[COUNT * owner + NEAR] -= size * weight


def _schools(state: list[int], side_of: list[int], owners: list[int], found: list[int]) -> None:
    for seat, side in enumerate(side_of):
        mine = COUNT * side
        for colour in range(5):
            seated = state[HALL + 5 * seat + colour]
            found[mine + SEATED] += seated
            waiting = state[ENTRANCE + 5 * seat + colour]
            if not waiting:
                continue
            found[mine + VARIETY] += 1
            if owners[colour] == side:
                found[mine + USEFUL] += waiting
            else:
                holder = state[HOLDER + colour]
                lack = 1 if holder < 0 else state[HALL + 5 * holder + colour] - seated + 1
                if waiting >= lack:
                    found[mine + WANTED] += 1
        if state[EXPERT]:
            found[mine + PURSE] += min(6, state[COINS + seat])
        found[mine + CARDS] += _REACH[state[HAND + seat] >> 1]


def mixed(weights: list[float], number: int) -> list[float]:
    """The weights as they are in a round."""
    late = min(number, ROUNDS) / ROUNDS
    return [weights[at] + late * weights[COUNT + at] for at in range(COUNT)]


def chances(state: list[int], weights: list[float]) -> list[float]:
    """The chance of each side to win: what is certain, if the match is over, or else what the weights of the round make
    of it."""
    sides = state[SIDES]
    if state[STAGE] == OVER:
        winners = state[WINNERS]
        share = 1.0 / max(1, winners.bit_count())
        return [share if winners >> side & 1 else 0.0 for side in range(sides)]
    found = features(state)
    worth: list[float] = []
    at = 0
    for _ in range(sides):
        total = 0.0
        for weight in weights:
            number = found[at]
            at += 1
            if number:
                total += number * weight
        worth.append(total)
    most = max(worth)
    grown = [exp(one - most) for one in worth]
    whole = sum(grown)
    return [one / whole for one in grown]
