"""Tunes the weights of Eriantys by self-play: `make tune`, or `python -m training.eriantys --seats 2 --mode expert`.

A generation is a batch of matches between two sets of weights that differ from the best so far in every weight at
once, one way and the other, by signs that luck draws.  So each match tells something of every weight: the mean of its
sign times the result is the slope, and what is not more than noise is taken off.  The weights that go up the slope then
play the best ones, no longer than it takes to tell them apart; they become the best if they are stronger.

What was found is kept after every few matches, so that the same command goes on where it was stopped; all luck comes
from the seed and the number of the match.  `--confirm` lets the best play those of the package in matches that no one
has learned from, and writes them there if they got enough.
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
from boardwire.bots.eriantys.weights import WEIGHTS_FILE, key_of, read
from boardwire.games import eriantys
from boardwire.games.eriantys import Mode, Options
from boardwire.games.game import Draw

APART: Final = 0.35
"""How far a weight is moved in a batch, as a power of e; what it changes by until the last round, as a part of it."""
STEPS: Final = (1.0, 2.0)
"""How far candidates go: the weight with the steepest slope by this many times that."""
BETTER: Final = 0.06
"""What a candidate is tried for: to get so much more than its share."""
SURE: Final = log(9)
"""When it is decided: one of ten is decided wrongly."""
ENOUGH: Final = 0.05
"""What more than its share confirms weights."""
_OFTEN: Final = 20
"""Matches after which what was found is written."""


class Slope(msgspec.Struct):
    """What a batch told so far: the sum of sign times result for each weight, and of the squares of results."""

    sums: list[float]
    squares: float = 0.0
    matches: int = 0


class Trial(msgspec.Struct):
    """Weights on trial: what pairs of matches gave them, more than their share."""

    weights: list[float]
    pairs: list[float] = []


class Tuned(msgspec.Struct):
    """One kind of match: the best weights so far, what is under way, and the ladder."""

    best: list[float]
    generation: int = 0
    slope: Slope | None = None
    trials: list[Trial] = []
    ladder: list[str] = []


class Kind(msgspec.Struct, frozen=True):
    """What is tuned, and how."""

    seats: int
    mode: Mode
    nodes: int
    seed: int

    @property
    def key(self) -> str:
        """What its weights are kept under."""
        return key_of(self.seats, self.mode is Mode.EXPERT)

    @property
    def sides(self) -> int:
        """Four players are two teams."""
        return 2 if self.seats == 4 else self.seats


# --- matches ---------------------------------------------------------------------------------------------------------


def set_up(seats: int, mode: Mode, below: Callable[[int], int]) -> list[int]:
    """A match as luck sets it up."""
    position = eriantys.new(Options(mode), seats)
    while position.round == 0:
        decision = eriantys.pending(position)
        assert decision is not None
        choices = decision.choices
        dealt = choices.draw(below) if isinstance(choices, Draw) else tuple(choices)[below(len(choices))]
        position, _ = eriantys.apply(position, -1, dealt)
    return state_of(eriantys.view(position, None))


def match(kind: Kind, sides: list[list[float]], luck: Random) -> list[float]:
    """What each side got of a whole match, each with weights of its own."""
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
    """What the new weights got more than their share, on average: one match with each side, the luck being the same."""
    total = 0.0
    for own in range(kind.sides):
        each = [new if side == own else old for side in range(kind.sides)]
        total += match(kind, each, Random(f"{kind.seed} {kind.key} {name}"))[own]
    return (total - 1) / kind.sides


# --- tuning ----------------------------------------------------------------------------------------------------------


def moved(weights: list[float], steps: list[float]) -> list[float]:
    """Each weight moved this many times `APART`: first those of the first round, then what they change by."""
    early = [weight * exp(APART * step) for weight, step in zip(weights[:COUNT], steps[:COUNT], strict=True)]
    late = [
        change + APART * step * abs(weight)
        for weight, change, step in zip(weights[:COUNT], weights[COUNT:], steps[COUNT:], strict=True)
    ]
    return early + late


def climb(slope: Slope) -> list[float]:
    """The way up: the slope of each weight less what noise explains of it, the steepest being 1."""
    noise = slope.squares / slope.matches / slope.matches
    means = [total / slope.matches for total in slope.sums]
    found = [mean * max(0.0, 1 - noise / mean**2) if mean else 0.0 for mean in means]
    most = max(abs(one) for one in found) or 1.0
    return [one / most for one in found]


def verdict(pairs: list[float]) -> int:
    """1 if weights that got this more than their share are better, -1 if they are not, 0 if more matches must tell."""
    if len(pairs) < 10:
        return 0
    mean = sum(pairs) / len(pairs)
    spread = sum((one - mean) ** 2 for one in pairs) / len(pairs) + 1e-3
    told = len(pairs) * BETTER * (mean - BETTER / 2) / spread
    return 1 if told > SURE else -1 if told < -SURE else 0


def measure(kind: Kind, tuned: Tuned, batch: int, keep: Callable[[], None]) -> Slope:
    """Play the batch of a generation to its end."""
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
        if slope.matches % _OFTEN == 0:
            keep()
    return slope


def settle(kind: Kind, trial: Trial, best: list[float], name: str, most: int, keep: Callable[[], None]) -> bool:
    """Whether weights on trial are better than the best; within this many pairs that must show."""
    while (told := verdict(trial.pairs)) == 0 and len(trial.pairs) < most:
        trial.pairs.append(duel(kind, trial.weights, best, f"{name} {len(trial.pairs)}"))
        if len(trial.pairs) % _OFTEN == 0:
            keep()
    return told > 0


def share(kind: Kind, pairs: list[float]) -> str:
    """What weights got, in words."""
    count = len(pairs) * kind.sides
    return f"{sum(pairs) * kind.sides + len(pairs):g} of {count} ({len(pairs)} are fair)"


def tune(kind: Kind, tuned: Tuned, batch: int, pairs: int, keep: Callable[[], None]) -> None:
    """One generation, or what is left of it."""
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
    """Whether weights get enough of fresh matches against those of the package, and how much."""
    got = [duel(kind, new, old, f"confirmation {number}") for number in range(pairs)]
    return sum(got) / len(got) >= ENOUGH, f"{share(kind, got)}, {kind.nodes} nodes, seed {kind.seed}"


def main() -> None:
    """Tune one kind of match."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seats", type=int, choices=(2, 3, 4), default=2)
    parser.add_argument("--mode", type=Mode, choices=tuple(Mode), default=Mode.SIMPLIFIED)
    parser.add_argument("--generations", type=int, default=2, help="in all")
    parser.add_argument("--batch", type=int, default=600, help="pairs of matches that a slope is measured by")
    parser.add_argument("--pairs", type=int, default=150, help="that a candidate plays at most")
    parser.add_argument("--nodes", type=int, default=400, help="for each turn")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--folder", type=Path, default=Path("data/training"))
    parser.add_argument("--into", type=Path, default=WEIGHTS_FILE, help="the file of weights")
    parser.add_argument("--confirm", type=int, default=0, metavar="PAIRS", help="try what was found, do not tune")
    parser.add_argument("--of", default="", metavar="KIND", help="confirm what was found for another, as '2 expert'")
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
