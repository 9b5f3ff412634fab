"""Sizes of island groups, inferred from the displays of a match.

The wire shows a group of islands as one island with a flag, without its size [7.9]. There are always twelve tiles, so
the sizes can be inferred:

- `follow`: from the previous display. Every new island is a run of neighbouring old ones, so its size is the sum of
  theirs. Runs are found by the students, the towers and the flags of the islands.
- `guess`: without a previous display, as after a reconnect. A group has at least two tiles; the first group gets the
  remaining ones.

Both return sizes that sum to twelve if there are at most twelve islands. Sizes in text messages are not used here.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

from boardwire.dialects.eriantys_objects import messages as wire
from boardwire.dialects.eriantys_objects import pieces
from boardwire.games.eriantys.ring import TILES

_LOST_STUDENT: Final = 100
"""Cost of a student of an old island that the new one lacks: students never leave an island."""
_WRONG_FLAG: Final = 100
"""Cost of a new island of several tiles that is not flagged as a group, or of one tile that is."""
_NEW_STUDENT: Final = 10
"""Cost of a student that the new island has beside those of the old ones."""
_OTHER_TOWER: Final = 2
"""Cost of an old island whose tower was of another colour."""
_ROTATED: Final = 1
"""Cost of a list that starts at another island: it does so only if the first and the last island joined."""


def follow(
    before: Sequence[wire.IslandModel], sizes: Sequence[int], after: Sequence[wire.IslandModel]
) -> tuple[int, ...] | None:
    """Return the sizes of `after`, given those of `before`; None if `after` is empty or has more islands."""
    count, run_count = len(before), len(after)
    if not 0 < run_count <= count:
        return None
    old_counts = [pieces.count_by_colour(island.students) for island in before]
    new_counts = [pieces.count_by_colour(island.students) for island in after]

    def cost_of(run: Sequence[int], index: int) -> int:
        """Return the cost of explaining the new island at `index` as the merge of these old ones."""
        joined = [sum(old_counts[number][colour] for number in run) for colour in range(5)]
        lost_students = sum(max(0, had - has) for had, has in zip(joined, new_counts[index], strict=True))
        added_students = sum(max(0, has - had) for had, has in zip(joined, new_counts[index], strict=True))
        size = sum(sizes[number] for number in run)
        other_towers = sum(before[number].color_tower != after[index].color_tower for number in run)
        flag = (size > 1) is not after[index].is_joined
        return (
            _LOST_STUDENT * lost_students
            + _NEW_STUDENT * added_students
            + _OTHER_TOWER * other_towers
            + _WRONG_FLAG * flag
        )

    best: tuple[int, tuple[int, ...]] | None = None
    for first in range(count):
        rotated = [(first + step) % count for step in range(count)]
        cost, ends = _split_list(rotated, run_count, cost_of)
        cost += _ROTATED * (first > 0)
        if best is None or cost < best[0]:
            starts = (0, *ends[:-1])
            runs = [rotated[start:end] for start, end in zip(starts, ends, strict=True)]
            best = cost, tuple(sum(sizes[number] for number in run) for run in runs)
    return None if best is None else best[1]


def _split_list(
    numbers: Sequence[int], run_count: int, cost_of: Callable[[Sequence[int], int], int]
) -> tuple[int, tuple[int, ...]]:
    """Return the cheapest way to cut a list into `run_count` non-empty runs: its cost and the end of each run."""
    count = len(numbers)
    cheapest: dict[int, tuple[int, tuple[int, ...]]] = {0: (0, ())}
    for index in range(run_count):
        is_last = index == run_count - 1
        longer: dict[int, tuple[int, tuple[int, ...]]] = {}
        for start, (cost, ends) in cheapest.items():
            for end in [count] if is_last else range(start + 1, count - (run_count - index - 1) + 1):
                total = cost + cost_of(numbers[start:end], index)
                if end not in longer or total < longer[end][0]:
                    longer[end] = total, (*ends, end)
        cheapest = longer
    return cheapest[count]


def guess(islands: Sequence[wire.IslandModel]) -> tuple[int, ...]:
    """Return plausible sizes for islands without an earlier display."""
    sizes = [2 if island.is_joined else 1 for island in islands]
    groups = [number for number, island in enumerate(islands) if island.is_joined] or list(range(len(sizes)))
    if groups:
        sizes[groups[0]] += max(0, TILES - sum(sizes))
    for number in groups:
        sizes[number] -= max(0, min(sizes[number] - 1, sum(sizes) - TILES))
    return tuple(sizes)
