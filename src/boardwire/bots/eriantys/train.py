"""Learns the weights of `worth` by self-play: `python -m boardwire.bots.eriantys.train --seats 2 --mode expert`.

A generation plays matches against itself with the weights there are, fits weights to how they ended, and lets both play
each other; the new ones are kept if they won more than their share.  All luck comes from the seed and the number of the
match, and what was learned is written after every generation, so that the same command goes on where it was stopped.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Callable
from math import exp, log
from pathlib import Path
from random import Random
from typing import Final, TypeAlias

from boardwire.bots.eriantys.core.search import Search
from boardwire.bots.eriantys.core.slots import CLOUD_FIRST, OVER, PLAN, REFILL, ROUND, SEAT, SIDE, SIDES, STAGE, WINNERS
from boardwire.bots.eriantys.core.steps import legal, play
from boardwire.bots.eriantys.core.worth import COUNT, ROUNDS, features, mixed
from boardwire.bots.eriantys.reading import state_of
from boardwire.bots.eriantys.weights import FILE, key_of, read
from boardwire.games import eriantys
from boardwire.games.eriantys import Mode, Options
from boardwire.games.game import Draw

Sample: TypeAlias = tuple[int, list[list[int]], list[float]]
"""The round, the features of each side, and what each got in the end."""

RATE: Final = 0.08
PASSES: Final = 40
PULL: Final = 0.1
"""How strongly weights are held at what they were, in the measure of what their features differ by."""
SCALES: Final = (0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.8, 1.0, 1.25)
"""What all weights are tried to be multiplied by."""
SEEN: Final = 10
"""Positions that are learned from a match at most: they all end alike, so more of them tell little more."""
_NO_LIMIT: Final = 1 << 40


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


def match(
    seats: int, mode: Mode, sides: list[list[float]], nodes: int, random: Random
) -> tuple[list[float], list[Sample]]:
    """A whole match, each side with weights of its own: what each got, and what was seen after every turn.

    With 0 nodes the search's quick players play, and assistants are drawn: poor play, but a hundred matches a second of
    thought, so that much is seen.
    """
    state = set_up(seats, mode, random.randrange)
    seen: list[tuple[int, list[list[int]]]] = []
    while state[STAGE] != OVER:
        if state[STAGE] < PLAN:
            luck = Search(sides[0], 1, 1, lambda: False, random.randrange)
            luck.play_on(state, 0, 0, False)
            continue
        weights = sides[state[SIDE + state[SEAT]]]
        search = Search(weights, nodes or _NO_LIMIT, 0, lambda: False, random.randrange)
        if state[STAGE] == PLAN:
            allowed = legal(state)
            play(state, search.best_card(state, allowed).steps[0] if nodes else random.choice(allowed))
            continue
        if nodes:
            state = search.best_turn(state, legal(state)).state
        else:
            search.quick_turn(state, True)
        if state[STAGE] in (REFILL, PLAN) or state[STAGE] >= CLOUD_FIRST:
            seen.append((state[ROUND], _by_side(features(state))))
    winners = [state[WINNERS] >> side & 1 for side in range(state[SIDES])]
    got = [won / sum(winners) for won in winners]
    return got, [(number, found, got) for number, found in random.sample(seen, min(SEEN, len(seen)))]


def loss(samples: list[Sample], weights: list[float]) -> float:
    """How surprised the weights are by how the matches ended, on average."""
    total = 0.0
    for number, sides, got in samples:
        chances = _chances(number, sides, weights)
        total -= sum(share * log(max(1e-9, chance)) for share, chance in zip(got, chances, strict=True))
    return total / max(1, len(samples))


def _by_side(found: list[int]) -> list[list[int]]:
    return [found[at : at + COUNT] for at in range(0, len(found), COUNT)]


def _chances(number: int, sides: list[list[int]], weights: list[float]) -> list[float]:
    now = mixed(weights, number)
    worth = [sum(one * weight for one, weight in zip(numbers, now, strict=True)) for numbers in sides]
    most = max(worth)
    grown = [exp(one - most) for one in worth]
    return [one / sum(grown) for one in grown]


def fit(samples: list[Sample], start: list[float]) -> list[float]:
    """The weights that the samples speak for, held at what they were.

    First all are scaled alike, then each goes its own way, by steps down the slope that get smaller where it was steep.
    """
    scale = min(SCALES, key=lambda scale: loss(samples, [scale * weight for weight in start]))
    start = [scale * weight for weight in start]
    weights = list(start)
    pull = [PULL * spread for spread in _spread(samples)]
    steep = [1e-9] * len(weights)
    for _ in range(PASSES):
        slope = [held * (weight - before) for held, weight, before in zip(pull, weights, start, strict=True)]
        for number, sides, got in samples:
            late = min(number, ROUNDS) / ROUNDS
            for numbers, share, chance in zip(sides, got, _chances(number, sides, weights), strict=True):
                off = (chance - share) / len(samples)
                for at, one in enumerate(numbers):
                    if one:
                        slope[at] += off * one
                        slope[COUNT + at] += off * one * late
        for at, down in enumerate(slope):
            steep[at] += down * down
            weights[at] -= RATE * down / (steep[at] * (1e-6 + pull[at]) / PULL) ** 0.5
    return weights


def _spread(samples: list[Sample]) -> list[float]:
    """How much each feature, and each as it counts late, differs between sides: the mean square."""
    found = [0.0] * (2 * COUNT)
    for number, sides, _ in samples:
        late = min(number, ROUNDS) / ROUNDS
        for at in range(COUNT):
            mean = sum(numbers[at] for numbers in sides) / len(sides)
            apart = sum((numbers[at] - mean) ** 2 for numbers in sides) / len(sides) / len(samples)
            found[at] += apart
            found[COUNT + at] += apart * late * late
    return found


def duel(seats: int, mode: Mode, new: list[float], old: list[float], nodes: int, matches: int, seed: int) -> float:
    """What the new weights got of so many matches against the old ones, all sides being taken in turn."""
    total = 0.0
    sides = 2 if seats == 4 else seats
    for number in range(matches):
        own = number % sides
        each = [new if side == own else old for side in range(sides)]
        total += match(seats, mode, each, nodes, Random(f"{seed} duel {number // sides}"))[0][own]
    return total


def main() -> None:
    """Learn for one kind of match."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seats", type=int, choices=(2, 3, 4), default=2)
    parser.add_argument("--mode", type=Mode, choices=tuple(Mode), default=Mode.SIMPLIFIED)
    parser.add_argument("--generations", type=int, default=2)
    parser.add_argument("--matches", type=int, default=300, help="matches of a generation")
    parser.add_argument("--duels", type=int, default=36, help="matches of the new weights against the old ones")
    parser.add_argument("--play", type=int, default=0, help="nodes for each turn of those matches; 0: quick players")
    parser.add_argument("--nodes", type=int, default=400, help="nodes for each turn in the duels")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--into", type=Path, default=FILE, help="the file of weights")
    given = parser.parse_args()
    key = key_of(given.seats, given.mode is Mode.EXPERT)
    while (table := read(given.into))[key]["generation"] < given.generations:
        entry = table[key]
        generation = entry["generation"] + 1
        old = entry["weights"]
        sides = 2 if given.seats == 4 else given.seats
        samples: list[Sample] = []
        for number in range(given.matches):
            random = Random(f"{given.seed} {key} {generation} {number}")
            samples += match(given.seats, given.mode, [old] * sides, given.play, random)[1]
        new = [round(weight, 4) for weight in fit(samples, old)]
        won = duel(given.seats, given.mode, new, old, given.nodes, given.duels, given.seed + generation)
        kept = won * sides > given.duels
        figures = {
            "matches": given.matches,
            "positions": len(samples),
            "play": given.play,
            "nodes": given.nodes,
            "seed": given.seed,
            "loss before": round(loss(samples, old), 4),
            "loss after": round(loss(samples, new), 4),
            "won": round(won, 1),
            "of": given.duels,
            "kept": kept,
        }
        print(key, "generation", generation, figures, flush=True)
        table = read(given.into)
        table[key] = {
            "generation": generation,
            "weights": new if kept else old,
            "figures": [*entry["figures"], figures],
        }
        given.into.write_text(json.dumps(table, indent=1) + "\n")


if __name__ == "__main__":
    main()
