"""What a match looks like to each side, in numbers: features, and the chance to win that learned weights make of them.

`features` has the same numbers for every side.  What a side's numbers are worth is a weighted sum, with weights that go
from those of the first round to those of the last; the chances of the sides are in the ratio of its exponentials.

This module does not know where weights come from.
"""

from __future__ import annotations

from math import exp
from typing import Final

from boardwire.bots.eriantys.slots import (
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

NAMES: Final = (
    "towers",
    "nearly",
    "professors",
    "margins",
    "chases",
    "held",
    "shaky",
    "ripe",
    "lead",
    "near",
    "joined",
    "seated",
    "useful",
    "wanted",
    "variety",
    "coins",
    "cards",
    "influence",
)
"""The features:

- towers: towers placed; nearly: the square of that, in parts of all.
- professors: those of the side; margins: by how many students it has them, up to three each; chases: how near it is to
  the others', up to three each.
- held: tiles of its own that it leads on, by up to three; shaky: tiles of its own that another would take; ripe: tiles
  of others or nobody that it would take; lead: islands that it would take, by up to three; near: what it would gain
  within three steps of mother nature, less what it would lose there.
- joined: tiles of its largest island.
- seated: students in dining rooms; useful: students in entrances whose professor it has; wanted: those that would take
  a professor; variety: colours in entrances.
- coins: up to six; cards: what the assistants in hand allow; influence: all its students on islands.
"""
COUNT: Final = len(NAMES)
ROUNDS: Final = 10
_STEPS: Final = 3


def features(state: list[int]) -> list[list[float]]:
    """The numbers of each side."""
    sides = state[SIDES]
    found = [[0.0] * COUNT for _ in range(sides)]
    side_of = [state[SIDE + seat] for seat in range(state[SEATS])]
    owners = [-1 if state[HOLDER + colour] < 0 else side_of[state[HOLDER + colour]] for colour in range(5)]
    _islands(state, sides, owners, found)
    _professors(state, side_of, owners, found)
    _schools(state, side_of, owners, found)
    start = 6.0 if sides == 3 else 8.0
    for side in range(sides):
        placed = start - state[TOWERS + side]
        found[side][0] = placed
        found[side][1] = placed * placed / start
    return found


def _professors(state: list[int], side_of: list[int], owners: list[int], found: list[list[float]]) -> None:
    seats = len(side_of)
    for colour in range(5):
        holder = state[HOLDER + colour]
        if holder < 0:
            continue
        own = owners[colour]
        count = state[HALL + 5 * holder + colour]
        closest = 3
        for seat in range(seats):
            if side_of[seat] != own:
                behind = count - state[HALL + 5 * seat + colour]
                if behind < 3:
                    found[side_of[seat]][4] += 3 - (behind if behind > 0 else 0)
                    if behind < closest:
                        closest = behind
        found[own][2] += 1
        found[own][3] += closest if closest > 0 else 0


def _islands(state: list[int], sides: int, owners: list[int], found: list[list[float]]) -> None:
    start = head_of(state, state[MOTHER])
    head = start
    for near in range(12):
        size = state[SIZE + head]
        at = ISLAND + 5 * head
        owner = state[OWNER + head] - 1
        counts = [0, 0, 0]
        for colour in range(5):
            students = state[at + colour]
            if students and owners[colour] >= 0:
                counts[owners[colour]] += students
        for side in range(sides):
            if counts[side]:
                found[side][17] += counts[side]
        if owner >= 0:
            counts[owner] += size
            if size > found[owner][10]:
                found[owner][10] = size
        best, most, next_most = -1, -1, -1
        for side in range(sides):
            count = counts[side]
            if count > most:
                best, next_most, most = side, most, count
            elif count > next_most:
                next_most = count
        margin = most - next_most
        if margin:
            if margin > 3:
                margin = 3
            if best == owner:
                found[owner][5] += margin * size
            else:
                shield = 1.0 if state[NO_ENTRY + head] == 0 else 0.3
                found[best][7] += size * shield
                found[best][8] += margin * shield
                if owner >= 0:
                    found[owner][6] += size * shield
                if 0 < near <= _STEPS:
                    found[best][9] += size * shield
                    if owner >= 0:
                        found[owner][9] -= size * shield
        head += size
        if head >= 12:
            head -= 12
        if head == start:
            return


def _schools(state: list[int], side_of: list[int], owners: list[int], found: list[list[float]]) -> None:
    for seat, side in enumerate(side_of):
        mine = found[side]
        for colour in range(5):
            mine[11] += state[HALL + 5 * seat + colour]
            waiting = state[ENTRANCE + 5 * seat + colour]
            if not waiting:
                continue
            mine[14] += 1
            if owners[colour] == side:
                mine[12] += waiting
            else:
                holder = state[HOLDER + colour]
                lack = 1 if holder < 0 else state[HALL + 5 * holder + colour] - state[HALL + 5 * seat + colour] + 1
                if waiting >= lack:
                    mine[13] += 1
        if state[EXPERT]:
            mine[15] += state[COINS + seat] if state[COINS + seat] < 6 else 6
        hand = state[HAND + seat]
        for card in range(1, 11):
            if hand >> card & 1:
                mine[16] += (card + 1) // 2


def chances(state: list[int], weights: list[float]) -> list[float]:
    """The chance of each side to win: what is certain, if the match is over, or else what the weights make of it."""
    sides = state[SIDES]
    if state[STAGE] == OVER:
        won = [float(state[WINNERS] >> side & 1) for side in range(sides)]
        total = sum(won)
        return [one / total for one in won] if total else [1.0 / sides] * sides
    late = min(state[ROUND], ROUNDS) / ROUNDS
    found = features(state)
    worth = []
    for numbers in found:
        total = 0.0
        for at in range(COUNT):
            number = numbers[at]
            if number:
                total += number * (weights[at] + late * weights[COUNT + at])
        worth.append(total)
    most = max(worth)
    grown = [exp(one - most) for one in worth]
    total = sum(grown)
    return [one / total for one in grown]
