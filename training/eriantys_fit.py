"""Fit the weights of Eriantys to results of the search against itself: `python -m training.eriantys_fit`.

The weights that predict the results of samples (`eriantys_samples`) best are saved as those of `training.eriantys`,
whose `--confirm` lets them play those of the package. Requires numpy.
"""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any, Final, TypeAlias

import msgspec
import numpy as np

from boardwire.bots.eriantys.core.evaluation import COUNT
from boardwire.bots.eriantys.weights import WEIGHTS
from boardwire.games.eriantys import Mode
from training.eriantys import Kind, Tuned
from training.eriantys_samples import Played, collect

PULLS: Final = (1e-4, 1e-3, 1e-2, 1e-1)
"""Regularisation strengths towards the initial weights; the one with the lowest validation loss is used."""
HELD_BACK: Final = 5
"""One of this many matches is held back for validation."""
_STRIDES: Final = 800

Numbers: TypeAlias = Any
"""A numpy array; untyped, because numpy may not be installed."""


class Results:
    """Training data: for each sample, the early and late features of all sides, and each side's share of the win."""

    def __init__(self, matches: list[Played]) -> None:
        samples = [(one, match.won) for match in matches for one in match.samples]
        late = np.array([1 / (1 + sample.left) for sample, _ in samples])
        early = np.array([sample.sides for sample, _ in samples], dtype=np.float64)
        won = np.array([won for _, won in samples], dtype=np.float64)
        self.features: Numbers = np.concatenate([early, early * late[:, None, None]], axis=2)
        self.shares: Numbers = won / won.sum(axis=1, keepdims=True)

    def loss(self, weights: Numbers) -> tuple[float, Numbers]:
        """Return the cross-entropy loss of weights, and its gradient."""
        worth = self.features @ weights
        grown = np.exp(worth - worth.max(axis=1, keepdims=True))
        chances = grown / grown.sum(axis=1, keepdims=True)
        loss = -(self.shares * np.log(chances + 1e-12)).sum(axis=1).mean()
        slope = np.einsum("ns,nsk->k", chances - self.shares, self.features) / len(worth)
        return float(loss), slope


def fit(results: Results, start: Numbers, pull: float) -> Numbers:
    """Return the weights that minimise the loss, with a penalty for the distance from the initial ones (Adam)."""
    scale = results.features.reshape(-1, 2 * COUNT).std(axis=0) + 1e-9
    weights, mean, square = start * scale, np.zeros(2 * COUNT), np.zeros(2 * COUNT)
    for stride in range(1, _STRIDES):
        slope = results.loss(weights / scale)[1] / scale + pull * (weights - start * scale)
        mean = 0.9 * mean + 0.1 * slope
        square = 0.999 * square + 0.001 * slope**2
        far = 0.02 if stride < _STRIDES * 5 // 8 else 0.004
        weights = weights - far * mean / (1 - 0.9**stride) / (np.sqrt(square / (1 - 0.999**stride)) + 1e-8)
    found: Numbers = weights / scale
    return found


def best_fit(matches: list[Played], start: list[float]) -> tuple[list[float], str]:
    """Return the weights fitted to all matches with the best regularisation, and a summary of the fit."""
    first = np.array(start)
    back = Results(matches[::HELD_BACK])
    rest = Results([match for number, match in enumerate(matches) if number % HELD_BACK])
    losses = {pull: back.loss(fit(rest, first, pull))[0] for pull in PULLS}
    pull = min(losses, key=lambda one: losses[one])
    found = fit(Results(matches), first, pull)
    told = (
        f"fitted to {len(matches)} matches: loss {losses[pull]:.4f} instead of {back.loss(first)[0]:.4f}, pull {pull:g}"
    )
    return [round(float(one), 5) for one in found], told


def main() -> None:
    """Fit the weights of one kind of match."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seats", type=int, choices=(2, 3, 4), default=2)
    parser.add_argument("--mode", type=Mode, choices=tuple(Mode), default=Mode.SIMPLIFIED)
    parser.add_argument("--matches", type=int, default=1500)
    parser.add_argument("--nodes", type=int, default=400, help="nodes per turn")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--folder", type=Path, default=Path("data/training"))
    given = parser.parse_args()
    kind = Kind(given.seats, given.mode, given.nodes, given.seed)
    matches = collect(kind, given.matches, given.folder / f"eriantys {kind.key} matches.jsonl")
    weights, told = best_fit(matches, WEIGHTS[kind.key])
    told += f", {kind.nodes} nodes, seed {kind.seed}"
    print(kind.key, told, flush=True)
    (given.folder / f"eriantys {kind.key}.json").write_bytes(msgspec.json.encode(Tuned(weights, ladder=[told])))


if __name__ == "__main__":
    main()
