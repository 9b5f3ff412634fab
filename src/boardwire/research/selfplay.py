"""Vectorised self-play: many matches in lock step, with one call of a policy for all matches that wait for it.

A policy maps a batch of observations and masks (one row per match) to one action index per row. Each match has its own
random generator, so that it depends only on its seed and the policy's actions, not on the other matches.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from random import Random
from typing import TypeAlias

import msgspec
import numpy as np

from boardwire.errors import Illegal, Malformed
from boardwire.games.game import Outcome, Seat
from boardwire.research.space import Array, Episode, Space

Policy: TypeAlias = Callable[[Array, Array], Array]


class Sample(msgspec.Struct, frozen=True):
    """One choice: the observation of the seat, the mask of legal actions, and the index of the chosen one."""

    seat: Seat
    observation: Array
    mask: Array
    action: int


class Trajectory(msgspec.Struct, frozen=True):
    """A match: its choices (empty unless they were kept), the return of each seat, and the outcome.

    `outcome` is None if the match was truncated.
    """

    turns: Sequence[Sample]
    returns: Sequence[float]
    outcome: Outcome | None


def self_play(
    space: Space,
    policies: Policy | Sequence[Policy],
    matches: int,
    *,
    seed: int = 0,
    keep: bool = True,
    max_steps: int | None = None,
) -> list[Trajectory]:
    """Play matches in lock step and return them in order.

    - `policies`: one policy for all seats, or one for each.
    - `seed`: match `n` draws from a generator seeded by `seed` and `n`.
    - `keep`: whether trajectories contain their turns; evaluation does not need them.
    - `max_steps`: truncates a match after this number of actions, with a return of 0 for all.
    """
    by_seat = [policies] * space.seats if callable(policies) else list(policies)
    if len(by_seat) != space.seats:
        raise Malformed(
            f"{len(by_seat)} policies were given for {space.seats} seats; give one policy, or one for each seat"
        )
    episodes = [Episode(space, Random(f"{seed}/{number}").randrange) for number in range(matches)]
    turns: list[list[Sample]] = [[] for _ in episodes]
    running = [number for number, episode in enumerate(episodes) if episode.seat is not None]
    while running:
        for policy, waiting in _group_by_policy(by_seat, episodes, running):
            observations = np.stack([episodes[number].observe() for number in waiting])
            masks = np.stack([episodes[number].mask() for number in waiting])
            actions = np.asarray(policy(observations, masks))
            _check(actions, masks)
            for row, number in enumerate(waiting):
                episode = episodes[number]
                if keep:
                    turns[number].append(Sample(episode.seat or 0, observations[row], masks[row], int(actions[row])))
                episode.step(int(actions[row]))
        running = [
            number
            for number in running
            if episodes[number].seat is not None and (max_steps is None or episodes[number].steps < max_steps)
        ]
    return [
        Trajectory(choices, space.returns(episode.outcome), episode.outcome)
        for choices, episode in zip(turns, episodes, strict=True)
    ]


def _group_by_policy(
    by_seat: Sequence[Policy], episodes: Sequence[Episode], running: Sequence[int]
) -> list[tuple[Policy, list[int]]]:
    """Return the matches that wait for each policy."""
    groups: dict[int, tuple[Policy, list[int]]] = {}
    for number in running:
        policy = by_seat[episodes[number].seat or 0]
        groups.setdefault(id(policy), (policy, []))[1].append(number)
    return list(groups.values())


def _check(actions: Array, masks: Array) -> None:
    """Raise `Malformed` or `Illegal` unless a policy has returned one legal action per row."""
    rows, size = masks.shape
    if actions.shape != (rows,):
        raise Malformed(f"a policy must return one action index per row: shape ({rows},), not {actions.shape}")
    if not np.issubdtype(actions.dtype, np.integer):
        raise Malformed(f"a policy must return integers, not {actions.dtype}")
    inside = (actions >= 0) & (actions < size)
    legal = inside & masks[np.arange(rows), np.where(inside, actions, 0)].astype(bool)
    if not legal.all():
        row = int(np.argmin(legal))
        raise Illegal(f"the policy chose action {int(actions[row])} in row {row}; its mask does not allow it")


def random_policy(seed: int = 0) -> Policy:
    """Return a policy that picks legal actions uniformly at random."""
    generator = np.random.default_rng(seed)

    def choose(observations: Array, masks: Array) -> Array:
        return np.argmax(generator.random(masks.shape) * masks, axis=1)

    return choose


def epsilon_greedy(values: Array, masks: Array, epsilon: float, generator: np.random.Generator) -> Array:
    """Return the legal action with the highest value in each row, or a random one with probability `epsilon`."""
    best = np.argmax(np.where(masks, values, -np.inf), axis=1)
    other = np.argmax(generator.random(masks.shape) * masks, axis=1)
    return np.where(generator.random(len(masks)) < epsilon, other, best)
