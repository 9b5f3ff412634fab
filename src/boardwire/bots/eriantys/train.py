"""Learns the weights of `worth` by self-play: `python -m boardwire.bots.eriantys.train --seats 2 --mode expert`.

A generation plays matches against itself with the weights there are, fits weights to how they ended, and lets both play
each other; the new ones are kept if they do not lose.  All luck comes from the seed and the number of the match, and
what was learned is written after every generation, so that the same command goes on where it was stopped.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Callable
from math import exp, log
from pathlib import Path
from random import Random
from typing import Final, TypeAlias

from boardwire.bots.eriantys.reading import state_of
from boardwire.bots.eriantys.search import Search
from boardwire.bots.eriantys.slots import CLOUD_FIRST, OVER, PLAN, REFILL, ROUND, SEAT, SIDE, SIDES, STAGE, WINNERS
from boardwire.bots.eriantys.steps import legal, play
from boardwire.bots.eriantys.weights import FILE, key_of, read
from boardwire.bots.eriantys.worth import COUNT, ROUNDS, features
from boardwire.games import eriantys
from boardwire.games.eriantys import Mode, Options
from boardwire.games.game import Draw

Sample: TypeAlias = tuple[float, list[list[float]], list[float]]
"""How late it was, the features of each side, and what each got in the end."""

RATE: Final = 0.08
PASSES: Final = 40
PULL: Final = 0.01
"""How strongly weights are held at what they were."""
WANDERS: Final = 5
"""One of so many turns, and two of so many assistants, is not the best, so that more is seen."""


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
    seats: int, mode: Mode, sides: list[list[float]], nodes: int, random: Random, wander: bool
) -> tuple[list[float], list[Sample]]:
    """A whole match, each side with weights of its own: what each got, and what was seen after every turn."""
    state = set_up(seats, mode, random.randrange)
    seen: list[tuple[float, list[list[float]]]] = []
    while state[STAGE] != OVER:
        if state[STAGE] < PLAN:
            luck = Search(sides[0], 1, 1, lambda: False, random.randrange)
            luck.play_on(state, 0, 0, False)
            continue
        weights = sides[state[SIDE + state[SEAT]]]
        search = Search(weights, nodes, 0, lambda: False, random.randrange)
        strays = wander and random.randrange(WANDERS) < (2 if state[STAGE] == PLAN else 1)
        if state[STAGE] == PLAN:
            allowed = legal(state)
            play(state, random.choice(allowed) if strays else search.best_card(state, allowed).steps[0])
            continue
        if strays:
            turns = search.turns(state, 3, legal(state))
            state = random.choice(turns[:5]).state
        else:
            state = search.best_turn(state, legal(state)).state
        if state[STAGE] in (REFILL, PLAN) or state[STAGE] >= CLOUD_FIRST:
            seen.append((min(state[ROUND], ROUNDS) / ROUNDS, features(state)))
    winners = [state[WINNERS] >> side & 1 for side in range(state[SIDES])]
    got = [won / sum(winners) for won in winners]
    return got, [(late, found, got) for late, found in seen]


def loss(samples: list[Sample], weights: list[float]) -> float:
    """How surprised the weights are by how the matches ended, on average."""
    total = 0.0
    for late, sides, got in samples:
        chances = _chances(late, sides, weights)
        total -= sum(share * log(max(1e-9, chance)) for share, chance in zip(got, chances, strict=True))
    return total / max(1, len(samples))


def _chances(late: float, sides: list[list[float]], weights: list[float]) -> list[float]:
    mixed = [weights[at] + late * weights[COUNT + at] for at in range(COUNT)]
    worth = [sum(number * weight for number, weight in zip(numbers, mixed, strict=True)) for numbers in sides]
    most = max(worth)
    grown = [exp(one - most) for one in worth]
    return [one / sum(grown) for one in grown]


def fit(samples: list[Sample], start: list[float]) -> list[float]:
    """The weights that the samples speak for, held at what they were: steps down the slope, smaller where it was steep
    before."""
    weights = list(start)
    steep = [1e-6] * len(weights)
    for _ in range(PASSES):
        slope = [PULL * (weight - before) for weight, before in zip(weights, start, strict=True)]
        for late, sides, got in samples:
            for numbers, share, chance in zip(sides, got, _chances(late, sides, weights), strict=True):
                off = (chance - share) / len(samples)
                for at, number in enumerate(numbers):
                    if number:
                        slope[at] += off * number
                        slope[COUNT + at] += off * number * late
        for at, down in enumerate(slope):
            steep[at] += down * down
            weights[at] -= RATE * down / steep[at] ** 0.5
    return weights


def duel(seats: int, mode: Mode, new: list[float], old: list[float], nodes: int, matches: int, seed: int) -> float:
    """What the new weights got of so many matches against the old ones, all sides being taken in turn."""
    total = 0.0
    sides = 2 if seats == 4 else seats
    for number in range(matches):
        own = number % sides
        each = [new if side == own else old for side in range(sides)]
        total += match(seats, mode, each, nodes, Random(f"{seed} duel {number // sides}"), False)[0][own]
    return total


def main() -> None:
    """Learn for one kind of match."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seats", type=int, choices=(2, 3, 4), default=2)
    parser.add_argument("--mode", type=Mode, choices=tuple(Mode), default=Mode.SIMPLIFIED)
    parser.add_argument("--generations", type=int, default=2)
    parser.add_argument("--matches", type=int, default=400, help="matches of a generation")
    parser.add_argument("--duels", type=int, default=40, help="matches of the new weights against the old ones")
    parser.add_argument("--nodes", type=int, default=300, help="nodes for each turn")
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
            samples += match(given.seats, given.mode, [old] * sides, given.nodes, random, True)[1]
        new = [round(weight, 4) for weight in fit(samples, old)]
        won = duel(given.seats, given.mode, new, old, given.nodes, given.duels, given.seed + generation)
        kept = won * sides >= given.duels
        figures = {
            "matches": given.matches,
            "positions": len(samples),
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
