"""Tune the weights of Eriantys by self-play: `make tune`, or `python -m training.eriantys --seats 2 --mode expert`.

A generation is a batch of matches between two sets of weights that differ from the best so far in every weight, in
opposite directions with random signs (SPSA). So each match gives information on every weight: the mean of its sign
times the result is the slope, less the part that noise explains. Candidates, moved up the slope, then
play the best weights in a sequential test, and replace them if they are stronger.

The state is saved after every few matches, so that the same command continues an interrupted run; all randomness comes
from the seed and the number of the match. With `--confirm`, the best weights play those of the package in new matches,
and replace them if they are clearly stronger.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Callable
from math import exp, log
from pathlib import Path
from random import Random
from typing import Final

import msgspec

from boardwire.bots.eriantys.core.evaluation import COUNT, PURSE
from boardwire.bots.eriantys.core.search import Search
from boardwire.bots.eriantys.core.slots import OVER, PLAN, SEAT, SIDE, SIDES, STAGE, WINNERS
from boardwire.bots.eriantys.core.steps import legal, play
from boardwire.bots.eriantys.views import state_of
from boardwire.bots.eriantys.weights import WEIGHTS_FILE, read, weights_key
from boardwire.games import eriantys
from boardwire.games.eriantys import Mode, Options
from boardwire.games.game import Draw

APART: Final = 0.35
"""Change of a weight in a batch: early part as an exponent of e, late part as a share of the early one."""
STEPS: Final = (1.0, 2.0)
"""Step sizes of the candidates: the change of the weight with the steepest slope, in units of `APART`."""
BETTER: Final = 0.06
"""Score above its share for which a candidate is tested."""
SURE: Final = log(9)
"""Log-likelihood ratio at which a test ends: the error probability is 10 %."""
ENOUGH: Final = 0.05
"""Score above their share that confirms weights."""
_SAVE_INTERVAL: Final = 20
"""Matches after which the state is saved."""


class Slope(msgspec.Struct):
    """State of a batch: the sum of sign times result for each weight, and the sum of the squared results."""

    sums: list[float]
    squares: float = 0.0
    matches: int = 0


class Trial(msgspec.Struct):
    """A candidate, and its scores above its share in pairs of matches."""

    weights: list[float]
    pairs: list[float] = []


class Tuned(msgspec.Struct):
    """State of the tuning for one kind of match: the best weights, the current generation, and the results so far."""

    best: list[float]
    generation: int = 0
    slope: Slope | None = None
    trials: list[Trial] = []
    ladder: list[str] = []


class Kind(msgspec.Struct, frozen=True):
    """A kind of match, with the nodes per turn and the seed of its tuning."""

    seats: int
    mode: Mode
    nodes: int
    seed: int

    @property
    def key(self) -> str:
        """Key of its weights in the file."""
        return weights_key(self.seats, self.mode is Mode.EXPERT)

    @property
    def sides(self) -> int:
        """Number of sides; four players are two teams."""
        return 2 if self.seats == 4 else self.seats


# --- matches ---------------------------------------------------------------------------------------------------------


def set_up(seats: int, mode: Mode, below: Callable[[int], int]) -> list[int]:
    """Return the state of a match after a random set-up."""
    position = eriantys.new(Options(mode), seats)
    while position.round == 0:
        decision = eriantys.pending(position)
        assert decision is not None
        choices = decision.choices
        dealt = choices.draw(below) if isinstance(choices, Draw) else tuple(choices)[below(len(choices))]
        position, _ = eriantys.apply(position, -1, dealt)
    return state_of(eriantys.view(position, None))


def match(kind: Kind, sides: list[list[float]], luck: Random) -> list[float]:
    """Play a match in which each side has its weights; return the score of each side."""
    state = set_up(kind.seats, kind.mode, luck.randrange)
    while state[STAGE] != OVER:
        if state[STAGE] < PLAN:
            Search(sides[0], 1, 1, bool, luck.randrange).play_on(state, 0, 0, False)
            continue
        search = Search(sides[state[SIDE + state[SEAT]]], kind.nodes, 0, bool, luck.randrange)
        if state[STAGE] == PLAN:
            play(state, search.best_card(state, legal(state)).steps[0])
        else:
            state = search.best_turn(state, legal(state)).state
    winners = [state[WINNERS] >> side & 1 for side in range(state[SIDES])]
    return [won / sum(winners) for won in winners]


def duel(kind: Kind, new: list[float], old: list[float], name: str) -> float:
    """Return the mean score of the new weights above their share, in one match from each side with the same seed."""
    total = 0.0
    for own in range(kind.sides):
        each = [new if side == own else old for side in range(kind.sides)]
        total += match(kind, each, Random(f"{kind.seed} {kind.key} {name}"))[own]
    return (total - 1) / kind.sides


# --- tuning ----------------------------------------------------------------------------------------------------------


def moved(weights: list[float], steps: list[float]) -> list[float]:
    """Return the weights moved by steps in units of `APART`: first the early parts, then the changes."""
    early = [weight * exp(APART * step) for weight, step in zip(weights[:COUNT], steps[:COUNT], strict=True)]
    late = [
        change + APART * step * abs(weight)
        for weight, change, step in zip(weights[:COUNT], weights[COUNT:], steps[COUNT:], strict=True)
    ]
    return early + late


def climb(slope: Slope) -> list[float]:
    """Return the slope of each weight, reduced by the part that noise explains; the steepest is scaled to 1."""
    noise = slope.squares / slope.matches / slope.matches
    means = [total / slope.matches for total in slope.sums]
    found = [mean * max(0.0, 1 - noise / mean**2) if mean else 0.0 for mean in means]
    most = max(abs(one) for one in found) or 1.0
    return [one / most for one in found]


def verdict(pairs: list[float]) -> int:
    """Return 1 if a candidate with these scores is better, -1 if it is not, or 0 if it needs more matches."""
    if len(pairs) < 10:
        return 0
    mean = sum(pairs) / len(pairs)
    spread = sum((one - mean) ** 2 for one in pairs) / len(pairs) + 1e-3
    ratio = len(pairs) * BETTER * (mean - BETTER / 2) / spread
    return 1 if ratio > SURE else -1 if ratio < -SURE else 0


def measure(kind: Kind, tuned: Tuned, batch: int, keep: Callable[[], None]) -> Slope:
    """Play the rest of a generation's batch; return its slope."""
    slope = tuned.slope = tuned.slope or Slope([0.0] * (2 * COUNT))
    idle = (PURSE, COUNT + PURSE) if kind.mode is Mode.SIMPLIFIED else ()
    while slope.matches < batch:
        name = f"batch {tuned.generation} {slope.matches}"
        luck = Random(f"{kind.seed} signs {name}")
        signs = [0 if at in idle else luck.choice((-1, 1)) for at in range(2 * COUNT)]
        one, other = (moved(tuned.best, [way * sign for sign in signs]) for way in (1.0, -1.0))
        result = duel(kind, one, other, name)
        for at, sign in enumerate(signs):
            slope.sums[at] += sign * result
        slope.squares += result * result
        slope.matches += 1
        if slope.matches % _SAVE_INTERVAL == 0:
            keep()
    return slope


def settle(kind: Kind, trial: Trial, best: list[float], name: str, most: int, keep: Callable[[], None]) -> bool:
    """Return whether a candidate is better than the best weights, within `most` pairs of matches."""
    while (told := verdict(trial.pairs)) == 0 and len(trial.pairs) < most:
        trial.pairs.append(duel(kind, trial.weights, best, f"{name} {len(trial.pairs)}"))
        if len(trial.pairs) % _SAVE_INTERVAL == 0:
            keep()
    return told > 0


def share(kind: Kind, pairs: list[float]) -> str:
    """Return the score of weights as a phrase."""
    count = len(pairs) * kind.sides
    return f"{sum(pairs) * kind.sides + len(pairs):g} of {count} ({len(pairs)} are fair)"


def tune(kind: Kind, tuned: Tuned, batch: int, pairs: int, keep: Callable[[], None]) -> None:
    """Run a generation, or the rest of an interrupted one."""
    if not tuned.trials:
        slope = measure(kind, tuned, batch, keep)
        way = climb(slope)
        tuned.trials = [Trial([round(one, 5) for one in moved(tuned.best, [by * one for one in way])]) for by in STEPS]
        keep()
    better, ladder = tuned.best, []
    for number, trial in enumerate(tuned.trials):
        kept = settle(kind, trial, better, f"trial {tuned.generation} {number}", pairs, keep)
        line = f"generation {tuned.generation + 1}, step {STEPS[number]:g}: {share(kind, trial.pairs)}"
        ladder.append(f"{line}, {'better' if kept else 'not better'}, {kind.nodes} nodes")
        print(kind.key, ladder[-1], flush=True)
        if kept:
            better = trial.weights
    tuned.best, tuned.slope, tuned.trials = better, None, []
    tuned.ladder += ladder
    tuned.generation += 1
    keep()


def confirm(kind: Kind, new: list[float], old: list[float], pairs: int) -> tuple[bool, str]:
    """Return whether weights are confirmed in new matches against those of the package, and their score."""
    got = [duel(kind, new, old, f"confirmation {number}") for number in range(pairs)]
    return sum(got) / len(got) >= ENOUGH, f"{share(kind, got)}, {kind.nodes} nodes, seed {kind.seed}"


def main() -> None:
    """Tune one kind of match."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seats", type=int, choices=(2, 3, 4), default=2)
    parser.add_argument("--mode", type=Mode, choices=tuple(Mode), default=Mode.SIMPLIFIED)
    parser.add_argument("--generations", type=int, default=2, help="total number of generations")
    parser.add_argument("--batch", type=int, default=600, help="pairs of matches for the slope")
    parser.add_argument("--pairs", type=int, default=150, help="maximum pairs of matches per candidate")
    parser.add_argument("--nodes", type=int, default=400, help="nodes per turn")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--folder", type=Path, default=Path("data/training"))
    parser.add_argument("--into", type=Path, default=WEIGHTS_FILE, help="the file of weights")
    parser.add_argument(
        "--confirm", type=int, default=0, metavar="PAIRS", help="confirm the best weights instead of tuning"
    )
    parser.add_argument(
        "--of", default="", metavar="KIND", help="confirm the weights of another kind, such as '2 expert'"
    )
    given = parser.parse_args()
    kind = Kind(given.seats, given.mode, given.nodes, given.seed)
    table = read(given.into)
    old = table[kind.key]["weights"]
    file = given.folder / f"eriantys {given.of or kind.key}.json"
    tuned = msgspec.json.decode(file.read_bytes(), type=Tuned) if file.exists() else Tuned(old)
    if given.confirm:
        better, told = confirm(kind, tuned.best, old, given.confirm)
        print(kind.key, f"confirmation: {told}, {'kept' if better else 'not kept'}", flush=True)
        if better:
            figures = [*table[kind.key]["figures"], *tuned.ladder, told]
            table[kind.key] = {"weights": tuned.best, "figures": figures}
            given.into.write_text(json.dumps(table, indent=1) + "\n")
        return

    def keep() -> None:
        given.folder.mkdir(parents=True, exist_ok=True)
        file.write_bytes(msgspec.json.encode(tuned))

    while tuned.generation < given.generations:
        tune(kind, tuned, given.batch, given.pairs, keep)


if __name__ == "__main__":
    main()
