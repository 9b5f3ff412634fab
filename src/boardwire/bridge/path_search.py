"""What has happened in a foreign match: the shortest path of our own rules that leads to what is seen of it.

A search in layers, one action deeper each, of which only the positions nearest to what is seen are kept.  Rules:

- Luck is not searched: what was dealt is read off the foreign view.
- All paths of the shortest length are given, one for each position they lead to: where there are several, whoever can
  wait sees more before one is believed.
- A search is as large as its `Effort`: a `quick` one follows every message; a `thorough` one, where an answer is needed
  now, keeps more positions, because several players may have moved since the last complete view and many orders of
  their steps look alike; a `wide` one also keeps positions that look no nearer.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any, Final, TypeAlias

import msgspec

from boardwire.bridge.comparison import Comparison, Observation
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

SeatAction: TypeAlias = tuple[Seat, Any]
"""Who did what; `Idle.RESIGNS` is what nobody chose."""


class ActionPath(msgspec.Struct, frozen=True):
    """Deeds, and the position they lead to."""

    position: Any
    seat_actions: tuple[SeatAction, ...] = ()


def extend(
    observation: Observation, comparison: Comparison, start: ActionPath, seat: Seat, actions: Sequence[Any]
) -> list[ActionPath]:
    """The paths that go on with these actions of a seat."""
    paths = list(_dealt(observation, comparison, start))
    for action in actions:
        paths = [
            dealt
            for path in paths
            if (after := _after(observation, path, seat, action)) is not None
            for dealt in _dealt(observation, comparison, after)
        ]
    return paths


def find_paths(
    observation: Observation,
    comparison: Comparison,
    starts: Sequence[ActionPath],
    reached: Callable[[Any], bool],
    effort: Effort = QUICK,
) -> list[ActionPath]:
    """The shortest paths to a position that looks like what is seen, and that `reached` takes."""
    layer = [dealt for start in starts for dealt in _dealt(observation, comparison, start)]
    known: set[Any] = set()
    looked = 0
    for _ in range(DEEPEST):
        ranked = [(comparison.distance(path.position, observation), path) for path in layer]
        found = [path for away, path in ranked if away == 0 and reached(path.position)]
        if found:
            return found
        ranked.sort(key=lambda one: one[0])
        layer = []
        for away, path in ranked[: effort.kept]:
            for after in _children(observation, comparison, path, wide=effort.wide):
                if after.position in known:
                    continue
                known.add(after.position)
                looked += 1
                if looked > effort.most:
                    return []
                if effort.wide or comparison.distance(after.position, observation) <= away:
                    layer.append(after)
        if not layer:
            return []
    return []


def _children(
    observation: Observation, comparison: Comparison, path: ActionPath, *, wide: bool
) -> Iterator[ActionPath]:
    decision = observation.game.pending(path.position)
    if decision is None:
        return
    for seat in decision.seats:
        for action in comparison.candidate_actions(path.position, decision, seat, observation, wide=wide):
            after = _after(observation, path, seat, action)
            if after is not None:
                yield from _dealt(observation, comparison, after)
    for seat in comparison.eliminated(path.position, observation):
        after = _after(observation, path, seat, Idle.RESIGNS)
        if after is not None:
            yield from _dealt(observation, comparison, after)


def _after(observation: Observation, path: ActionPath, seat: Seat, action: Any) -> ActionPath | None:
    game = observation.game
    try:
        if action is Idle.RESIGNS:
            position, _ = game.forfeit(path.position, seat)
        else:
            position, _ = game.apply(path.position, seat, action)
    except BoardwireError:
        return None
    return ActionPath(position, (*path.seat_actions, (seat, action)))


def _dealt(observation: Observation, comparison: Comparison, path: ActionPath) -> Iterator[ActionPath]:
    """The path with all luck that comes after it."""
    decision = observation.game.pending(path.position)
    if decision is None or CHANCE not in decision.seats:
        yield path
        return
    for action in comparison.chance_actions(path.position, decision, observation):
        after = _after(observation, path, CHANCE, action)
        if after is not None:
            yield from _dealt(observation, comparison, after)
