"""What has happened in a foreign match: the shortest course of our own rules that leads to what is seen of it.

A search in layers, one action deeper each, of which only the positions nearest to what is seen are kept.  Rules:

- Luck is not searched: what was dealt is read off the foreign view.
- All courses of the shortest length are given, one for each position they lead to: where there are several, whoever can
  wait sees more before one is believed.
- A search is as large as its `Effort`: a `quick` one follows every message; a `thorough` one, where an answer is needed
  now, keeps more positions, because several players may have moved since the last complete view and many orders of
  their steps look alike; a `wide` one also keeps positions that look no nearer.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any, Final, TypeAlias

import msgspec

from boardwire.bridge.comparison import Likeness, Sight
from boardwire.errors import BoardwireError
from boardwire.games.game import CHANCE, Idle, Seat

DEEPEST: Final = 24
"""Actions between two sights of a match; three whole turns of Eriantys."""


class Effort(msgspec.Struct, frozen=True):
    """Limits of one search."""

    kept: int
    """Positions of a layer that are expanded."""
    most: int
    """Positions that are visited."""
    wide: bool = False
    """Whether steps and positions that look no nearer to the view count too."""


QUICK: Final = Effort(6, 3000)
THOROUGH: Final = Effort(60, 12_000)
WIDE: Final = Effort(60, 3000, wide=True)

Deed: TypeAlias = tuple[Seat, Any]
"""Who did what; `Idle.RESIGNS` is what nobody chose."""


class Course(msgspec.Struct, frozen=True):
    """Deeds, and the position they lead to."""

    position: Any
    deeds: tuple[Deed, ...] = ()


def begin(sight: Sight, like: Likeness, start: Course, seat: Seat, actions: Sequence[Any]) -> list[Course]:
    """The courses that go on with these actions of a seat."""
    courses = list(_dealt(sight, like, start))
    for action in actions:
        courses = [
            dealt
            for course in courses
            if (after := _after(sight, course, seat, action)) is not None
            for dealt in _dealt(sight, like, after)
        ]
    return courses


def pursue(
    sight: Sight, like: Likeness, starts: Sequence[Course], reached: Callable[[Any], bool], effort: Effort = QUICK
) -> list[Course]:
    """The shortest courses to a position that looks like what is seen, and that `reached` takes."""
    layer = [dealt for start in starts for dealt in _dealt(sight, like, start)]
    known: set[Any] = set()
    looked = 0
    for _ in range(DEEPEST):
        ranked = [(like.distance(course.position, sight), course) for course in layer]
        found = [course for away, course in ranked if away == 0 and reached(course.position)]
        if found:
            return found
        ranked.sort(key=lambda one: one[0])
        layer = []
        for away, course in ranked[: effort.kept]:
            for after in _children(sight, like, course, wide=effort.wide):
                if after.position in known:
                    continue
                known.add(after.position)
                looked += 1
                if looked > effort.most:
                    return []
                if effort.wide or like.distance(after.position, sight) <= away:
                    layer.append(after)
        if not layer:
            return []
    return []


def _children(sight: Sight, like: Likeness, course: Course, *, wide: bool) -> Iterator[Course]:
    decision = sight.game.pending(course.position)
    if decision is None:
        return
    for seat in decision.seats:
        for action in like.steps(course.position, decision, seat, sight, wide=wide):
            after = _after(sight, course, seat, action)
            if after is not None:
                yield from _dealt(sight, like, after)
    for seat in like.lost(course.position, sight):
        after = _after(sight, course, seat, Idle.RESIGNS)
        if after is not None:
            yield from _dealt(sight, like, after)


def _after(sight: Sight, course: Course, seat: Seat, action: Any) -> Course | None:
    game = sight.game
    try:
        if action is Idle.RESIGNS:
            position, _ = game.forfeit(course.position, seat)
        else:
            position, _ = game.apply(course.position, seat, action)
    except BoardwireError:
        return None
    return Course(position, (*course.deeds, (seat, action)))


def _dealt(sight: Sight, like: Likeness, course: Course) -> Iterator[Course]:
    """The course with all luck that comes after it."""
    decision = sight.game.pending(course.position)
    if decision is None or CHANCE not in decision.seats:
        yield course
        return
    for action in like.luck(course.position, decision, sight):
        after = _after(sight, course, CHANCE, action)
        if after is not None:
            yield from _dealt(sight, like, after)
