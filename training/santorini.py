"""Trains the net that judges Santorini without powers: `make train`, or `python -m training.santorini`.

A round plays matches of the search against itself (`matches`), fits a net to what the search thought and how the
matches ended, and lets it play the best net so far, and the plain judgement, at equal processor time: that is the
ladder which is printed.  The new net stays if it does not lose.  Everything is kept in one folder, so that the next
call goes on where the last one stopped; luck comes from the seed and the number of the round.
"""

from __future__ import annotations

import argparse
import json
import shutil
import time
from pathlib import Path
from random import Random
from typing import Any, Final

import numpy as np

from boardwire.bots.santorini.core.net import FULL, HIDDEN, SHIFT, THINGS
from boardwire.bots.santorini.core.search import Search
from boardwire.bots.santorini.weights import read
from training.matches import Searcher, samples, versus

INPUTS: Final = 25 * THINGS
BATCH: Final = 2048
SCALES: Final = (60, 80, 100, 120, 150, 200, 250, 300, 400)
"""Candidates for the judgement that means e to 1."""


def things(data: Any) -> tuple[Any, Any]:
    """What stands on each square of each state, for the side to move and for the other (`core.net`)."""
    squares = np.arange(25)
    ones, twos, threes, domes = ((data[:, n : n + 1] >> squares) & 1 for n in range(4))
    heights = ones + twos + threes
    rows = np.arange(len(data))

    def codes(own: tuple[int, int], foe: tuple[int, int]) -> Any:
        found = np.where(domes == 1, 4, heights)
        for first, workers in ((5, own), (9, foe)):
            for worker in workers:
                at = data[:, worker]
                found[rows, at] = first + heights[rows, at]
        return found

    return codes((4, 5), (6, 7)), codes((6, 7), (4, 5))


def symmetries() -> list[Any]:
    """The eight ways to turn a board, as the square that comes to each square."""
    board = np.arange(25).reshape(5, 5)
    return [way.ravel() for turn in range(4) for way in (np.rot90(board, turn), np.fliplr(np.rot90(board, turn)))]


def inputs(codes: Any) -> Any:
    """The inputs of the net: for each square a one at what stands there."""
    made: Any = np.zeros((len(codes), INPUTS), np.float32)
    made[np.arange(len(codes))[:, None], np.arange(25) * THINGS + codes] = 1
    return made


class Fit:
    """A net of floating numbers that learns, by Adam."""

    def __init__(self, luck: Any) -> None:
        self.weights: dict[str, Any] = {
            "rows": luck.normal(0, 0.1, (INPUTS, HIDDEN)).astype(np.float32),
            "bias": np.full(HIDDEN, 0.3, np.float32),
            "own": luck.normal(0, 0.3, HIDDEN).astype(np.float32),
            "foe": luck.normal(0, 0.3, HIDDEN).astype(np.float32),
            "base": np.zeros(1, np.float32),
        }
        self._first = {name: np.zeros_like(value) for name, value in self.weights.items()}
        self._second = {name: np.zeros_like(value) for name, value in self.weights.items()}
        self._steps = 0

    def forward(self, mine: Any, theirs: Any) -> tuple[Any, Any, Any]:
        """The hidden layer of both sides before it is cut, and the judgement."""
        w = self.weights
        one, other = mine @ w["rows"] + w["bias"], theirs @ w["rows"] + w["bias"]
        return one, other, np.clip(one, 0, 1) @ w["own"] + np.clip(other, 0, 1) @ w["foe"] + w["base"][0]

    def learn(self, mine: Any, theirs: Any, targets: Any, rate: float) -> None:
        """One step."""
        w = self.weights
        one, other, judged = self.forward(mine, theirs)
        wrong = ((1 / (1 + np.exp(-judged)) - targets) / len(targets)).astype(np.float32)
        back = wrong[:, None] * w["own"] * ((one > 0) & (one < 1))
        back_other = wrong[:, None] * w["foe"] * ((other > 0) & (other < 1))
        slopes = {
            "rows": mine.T @ back + theirs.T @ back_other,
            "bias": back.sum(0) + back_other.sum(0),
            "own": np.clip(one, 0, 1).T @ wrong,
            "foe": np.clip(other, 0, 1).T @ wrong,
            "base": np.array([wrong.sum()], np.float32),
        }
        self._steps += 1
        for name, slope in slopes.items():
            self._first[name] = 0.9 * self._first[name] + 0.1 * slope
            self._second[name] = 0.999 * self._second[name] + 0.001 * slope**2
            first = self._first[name] / (1 - 0.9**self._steps)
            second = self._second[name] / (1 - 0.999**self._steps)
            w[name] -= rate * first / (np.sqrt(second) + 1e-8)
        np.clip(w["rows"] * (1 - 1e-4), -1.9, 1.9, out=w["rows"])  # so that no sum leaves its lane

    def loss(self, mine: Any, theirs: Any, targets: Any) -> float:
        """How far judgements are from targets."""
        judged = self.forward(mine, theirs)[2]
        return float(np.mean(np.logaddexp(0, judged) - targets * judged))

    def whole(self, scale: int) -> dict[str, Any]:
        """The weights as whole numbers."""
        w, wide = self.weights, scale * 2**SHIFT
        found = {name: np.rint(w[name] * FULL).astype(int).tolist() for name in ("rows", "bias")}
        found |= {name: np.rint(w[name] * wide / FULL).astype(int).tolist() for name in ("own", "foe")}
        return found | {"base": round(float(w["base"][0]) * wide)}


def fitted(data: Any, epochs: int, share: float, seed: int) -> dict[str, Any]:
    """A net for samples; `share` is how much of a target is what the search thought, the rest how the match ended."""
    luck = np.random.default_rng(seed)
    values, results = data[:, 9].astype(np.float64), (data[:, 10] + 1) / 2
    scale = min(SCALES, key=lambda s: float(np.mean(np.logaddexp(0, values / s) - results * values / s)))
    targets = (share / (1 + np.exp(-values / scale)) + (1 - share) * results).astype(np.float32)
    mine, theirs = things(data)
    order = luck.permutation(len(data))
    held, known = order[: len(order) // 20], order[len(order) // 20 :]
    fit, ways = Fit(luck), symmetries()
    for epoch in range(epochs):
        rate = 1e-3 * (1 + np.cos(np.pi * epoch / epochs)) + 2e-5
        shuffled = luck.permutation(known)
        for start in range(0, len(shuffled), BATCH):
            some, way = shuffled[start : start + BATCH], ways[luck.integers(8)]
            fit.learn(inputs(mine[some][:, way]), inputs(theirs[some][:, way]), targets[some], rate)
    loss = fit.loss(inputs(mine[held]), inputs(theirs[held]), results[held])
    print(f"  {len(data):,} samples, scale {scale}, loss against results of samples held back {loss:.4f}", flush=True)
    return fit.whole(scale)


def played(net: Path | None, nodes: int, seconds: float, seed: int) -> Any:
    """Samples of as many matches as there is time for."""
    search, luck, until = Search(16), Random(seed), time.process_time() + seconds
    search.net = read(net) if net is not None else None
    found: list[tuple[int, ...]] = []
    while time.process_time() < until:
        found.extend((*one.state, one.value, one.result) for one in samples(search, nodes, luck))
    return np.array(found, np.int32)


def main() -> None:
    """Train."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--folder", type=Path, default=Path("data/training"))
    parser.add_argument("--rounds", type=int, default=1)
    parser.add_argument("--seconds", type=float, default=600, help="of processor time for the matches of a round")
    parser.add_argument("--nodes", type=int, default=1500, help="of a turn in these matches")
    parser.add_argument("--epochs", type=int, default=80)
    parser.add_argument("--matches", type=int, default=60, help="of a comparison")
    parser.add_argument("--budget", type=float, default=0.05, help="seconds of processor time for a turn of it")
    parser.add_argument("--seed", type=int, default=1)
    asked = parser.parse_args()
    asked.folder.mkdir(parents=True, exist_ok=True)
    best = asked.folder / "best.json"
    for _ in range(asked.rounds):
        number = len(list(asked.folder.glob("samples-*.npy"))) + 1
        print(f"round {number}", flush=True)
        data = played(best if best.exists() else None, asked.nodes, asked.seconds, asked.seed * 1000 + number)
        np.save(asked.folder / f"samples-{number:03}.npy", data)
        recent = sorted(asked.folder.glob("samples-*.npy"))[-6:]
        every = np.concatenate([np.load(file) for file in recent])
        new = asked.folder / f"net-{number:03}.json"
        new.write_text(json.dumps(fitted(every, asked.epochs, 0.6, asked.seed), separators=(",", ":")))
        luck = Random(asked.seed * 1000 + number)
        mine = Searcher(read(new), seconds=asked.budget)
        rival = Searcher(read(best) if best.exists() else None, seconds=asked.budget)
        won = versus(mine, rival, asked.matches, luck)
        print(f"  {won} of {asked.matches} against {'the best net' if best.exists() else 'the plain judgement'}")
        if best.exists():
            plain = versus(mine, Searcher(None, seconds=asked.budget), asked.matches, luck)
            print(f"  {plain} of {asked.matches} against the plain judgement", flush=True)
        if 2 * won >= asked.matches:
            shutil.copy(new, best)
            print("  it stays", flush=True)


if __name__ == "__main__":
    main()
