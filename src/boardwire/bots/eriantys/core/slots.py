"""A match of Eriantys as a flat list of integers: cheap to copy, and fast in compiled code.

- Each name is the first slot of its field: `state[HALL + 5 * seat + colour]` is a number of students.
- An island's contents are stored at its head, the first tile of its group; `SIZE` of every other tile is 0.
- `OWNER` is the side whose towers stand there plus one. A missing seat, colour or character is -1.
- Stages, characters and colours are numbered as in the rules.
- Steps are integers too: a kind and up to three operands (`step`).
- Every loop of the core is bounded for any numbers, so that a state from an incomplete view may give a wrong result but
  never an endless search.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from mypy_extensions import i64

ENTRANCE: Final = 0
HALL: Final = 20
CLOUD: Final = 40
ISLAND: Final = 60
SIZE: Final = 120
OWNER: Final = 132
NO_ENTRY: Final = 144
BAG: Final = 156
HOLDER: Final = 161
"""The seat that has the professor of each colour."""
TOWERS: Final = 166
"""Towers that a side has not placed."""
COINS: Final = 169
HAND: Final = 173
"""The assistants of a seat: bit 1 to 10."""
CARD: Final = 177
"""The assistant that a seat has played in this round; 0: none."""
CHARACTER: Final = 181
USED: Final = 184
STOCK: Final = 187
"""Students on each of the three characters."""
TILES_LEFT: Final = 202
"""No-entry tiles on each character."""
SUPPLY: Final = 205
MOTHER: Final = 206
"""The tile of mother nature."""
STAGE: Final = 207
SEAT: Final = 208
"""The seat to act; -1: chance."""
LEFT: Final = 209
"""Students still to be moved in this turn."""
TOOK: Final = 210
ACTIVE: Final = 211
IGNORED: Final = 212
USER: Final = 213
RESUME: Final = 214
SWAPS: Final = 215
BEFORE: Final = 216
"""The dining room before the Minstrel's first swap."""
FIRST: Final = 221
ASKED: Final = 222
"""Number of seats, from the first on, that have been asked for an assistant."""
ORDER: Final = 223
ORDERED: Final = 227
"""Number of seats in `ORDER`."""
LAST: Final = 228
"""Whether this round is the last one."""
BARREN: Final = 229
"""Whether no clouds are taken in this round."""
GONE: Final = 230
"""Bit mask of the seats that gave up."""
WINNERS: Final = 231
"""Bit mask of the sides that won."""
ROUND: Final = 232
SEATS: Final = 233
SIDE: Final = 234
"""The side of each seat."""
SIDES: Final = 238
MOVES: Final = 239
CLOUD_TIME: Final = 240
"""0: last, 1: first, 2: either."""
EXPERT: Final = 241
LENGTH: Final = 242

REFILL: Final = 6
RESTOCK: Final = 7
PLAN: Final = 8
CLOUD_FIRST: Final = 9
STUDENTS: Final = 10
NATURE: Final = 11
CLOUDS: Final = 12
SWAP: Final = 13
FINISH: Final = 14
OVER: Final = 15
"""The stages, numbered as in `games.eriantys.stages.Stage`."""

MONK: Final = 0
FARMER: Final = 1
HERALD: Final = 2
POSTMAN: Final = 3
GRANDMA: Final = 4
CENTAUR: Final = 5
JESTER: Final = 6
KNIGHT: Final = 7
MUSHROOM: Final = 8
MINSTREL: Final = 9
PRINCESS: Final = 10
THIEF: Final = 11
PRICE: Final = [1, 2, 3, 1, 2, 3, 1, 2, 3, 1, 2, 3]
POSTMAN_STEPS: Final = 2  # as in `games.eriantys.planning`

PLAY: Final = 1
TO_HALL: Final = 2
TO_ISLAND: Final = 3
WALK: Final = 4
TAKE: Final = 5
USE: Final = 6
EXCHANGE: Final = 7
DONE: Final = 8
NONE: Final = 15
"""Operand of a step that has none."""


def step(kind: int, first: int = NONE, second: int = NONE, third: int = NONE) -> int:
    """Return the number of a step: its kind and up to three operands, of four bits each."""
    return kind << 12 | first << 8 | second << 4 | third


def heads_of(state: list[int]) -> list[int]:
    """Return the heads of all islands."""
    return [tile for tile in range(12) if state[SIZE + tile]]


def head_of(state: list[int], tile: i64) -> i64:
    """Return the head of the group that a tile belongs to."""
    left: i64 = 12
    while left > 0 and state[SIZE + tile] == 0:
        tile = tile - 1 if tile else 11
        left -= 1
    return tile


def next_head(state: list[int], head: i64) -> i64:
    """Return the head of the next group, clockwise."""
    size: i64 = state[SIZE + head]
    head += size
    return head - 12 if head >= 12 else head


def reach(state: list[int], seat: i64) -> i64:
    """Return the maximum number of mother nature's steps in the turn of a seat."""
    card: i64 = state[CARD + seat]
    steps: i64 = (card + 1) // 2  # `assistant_steps` of the rules, without a call into another compiled group
    return steps + POSTMAN_STEPS if state[ACTIVE] == POSTMAN else steps


def _packed_influence(state: list[int], head: i64) -> i64:
    """Return the influence of each side on an island, packed into eight bits each."""
    found: i64 = 0
    at: i64 = ISLAND + 5 * head
    ignored: i64 = state[IGNORED]
    colours: i64 = 5
    for colour in range(colours):
        count: i64 = state[at + colour]
        if count:
            holder: i64 = state[HOLDER + colour]
            if holder >= 0 and colour != ignored:
                side: i64 = state[SIDE + holder]
                found += count << 8 * side
    owner: i64 = state[OWNER + head]
    active: i64 = state[ACTIVE]
    if owner and active != CENTAUR:
        size: i64 = state[SIZE + head]
        found += size << 8 * (owner - 1)
    if active == KNIGHT:
        user: i64 = state[USER]
        own: i64 = state[SIDE + user]
        found += 2 << 8 * own
    return found


def sway(state: list[int], head: int) -> list[int]:
    """Return the influence of each side on an island."""
    found = _packed_influence(state, head)
    return [found >> 8 * side & 255 for side in range(state[SIDES])]


def taker(state: list[int], head: i64) -> i64:
    """Return the side with strictly the most influence on an island, or -1."""
    found: i64 = _packed_influence(state, head)
    sides: i64 = state[SIDES]
    best: i64 = -1
    most: i64 = -1
    for side in range(sides):
        count: i64 = found >> 8 * side & 255
        if count > most:
            most = count
            best = side
        elif count == most:
            best = -1
    return best
