"""Find the shortest sequence of legal actions that leads to an observation of a foreign match.

A beam search: each layer is one action deeper and keeps only the positions closest to the observed view. Rules:

- Chance is not searched: chance actions are taken from the foreign view.
- The result has all paths of the shortest length, one for each position. If there are several, a caller that can wait
  for the next message should do so.
- `PathLimits` limits a search. `QUICK` is for every message. `THOROUGH` is for a question that must be answered: it
  keeps more positions, because several players may have moved since the last complete view, in many possible orders.
  `WIDE` also keeps positions that do not come closer.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any, Final, TypeAlias

import msgspec

from boardwire.bridge.comparison import Comparison, Observation
from boardwire.errors import BoardwireError
from boardwire.games.game import CHANCE, Idle, Seat

MAX_PATH_LENGTH: Final = 24
"""Limit of the actions between two observations: three whole turns of Eriantys."""


class PathLimits(msgspec.Struct, frozen=True):
    """Limits of one search."""

    beam_width: int
    """Number of positions of a layer that are expanded."""
    max_positions: int
    """Limit of the positions visited."""
    wide: bool = False
    """Whether to include actions and positions that do not come closer to the view."""


QUICK: Final = PathLimits(6, 3000)
THOROUGH: Final = PathLimits(60, 12_000)
WIDE: Final = PathLimits(60, 3000, wide=True)

SeatAction: TypeAlias = tuple[Seat, Any]
"""A seat and its action, or `Idle.RESIGNS` if the seat leaves the match."""


class ActionPath(msgspec.Struct, frozen=True):
    """A sequence of actions and the position it leads to."""

    position: Any
    seat_actions: tuple[SeatAction, ...] = ()


def extend(
    observation: Observation, comparison: Comparison, start: ActionPath, seat: Seat, actions: Sequence[Any]
) -> list[ActionPath]:
    """Return the paths that continue `start` with these actions of a seat."""
    paths = list(_with_chance(observation, comparison, start))
    for action in actions:
        paths = [
            dealt
            for path in paths
            if (after := _extend(observation, path, seat, action)) is not None
            for dealt in _with_chance(observation, comparison, after)
        ]
    return paths


def find_paths(
    observation: Observation,
    comparison: Comparison,
    starts: Sequence[ActionPath],
    is_reached: Callable[[Any], bool],
    effort: PathLimits = QUICK,
) -> list[ActionPath]:
    """Return the shortest paths to positions that match the view and that `is_reached` accepts."""
    layer = [dealt for start in starts for dealt in _with_chance(observation, comparison, start)]
    positions: set[Any] = set()
    """Positions that were reached, each by a shortest path."""
    for _ in range(MAX_PATH_LENGTH):
        by_distance = [(comparison.distance(path.position, observation), path) for path in layer]
        exact = [path for distance, path in by_distance if distance == 0 and is_reached(path.position)]
        if exact:
            return exact
        by_distance.sort(key=lambda entry: entry[0])
        layer = []
        for distance, path in by_distance[: effort.beam_width]:
            for after in _successors(observation, comparison, path, wide=effort.wide):
                if after.position in positions:
                    continue
                positions.add(after.position)
                if len(positions) > effort.max_positions:
                    return []
                if effort.wide or comparison.distance(after.position, observation) <= distance:
                    layer.append(after)
        if not layer:
            return []
    return []


def _successors(
    observation: Observation, comparison: Comparison, path: ActionPath, *, wide: bool
) -> Iterator[ActionPath]:
    """Yield the paths with one more action that may lead to the view."""
    decision = observation.game.pending(path.position)
    if decision is None:
        return
    for seat in decision.seats:
        for action in comparison.candidate_actions(path.position, decision, seat, observation, wide=wide):
            after = _extend(observation, path, seat, action)
            if after is not None:
                yield from _with_chance(observation, comparison, after)
    for seat in comparison.eliminated(path.position, observation):
        after = _extend(observation, path, seat, Idle.RESIGNS)
        if after is not None:
            yield from _with_chance(observation, comparison, after)


def _extend(observation: Observation, path: ActionPath, seat: Seat, action: Any) -> ActionPath | None:
    """Return the path with one more action, or None if it is illegal."""
    game = observation.game
    try:
        if action is Idle.RESIGNS:
            position, _ = game.forfeit(path.position, seat)
        else:
            position, _ = game.apply(path.position, seat, action)
    except BoardwireError:
        return None
    return ActionPath(position, (*path.seat_actions, (seat, action)))


def _with_chance(observation: Observation, comparison: Comparison, path: ActionPath) -> Iterator[ActionPath]:
    """Yield the path, continued by the chance actions that the view allows."""
    decision = observation.game.pending(path.position)
    if decision is None or CHANCE not in decision.seats:
        yield path
        return
    for action in comparison.chance_actions(path.position, decision, observation):
        after = _extend(observation, path, CHANCE, action)
        if after is not None:
            yield from _with_chance(observation, comparison, after)
