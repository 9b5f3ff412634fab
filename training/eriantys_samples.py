"""Samples of Eriantys: states between turns in matches of the search against itself, and the results of the matches.

Players sometimes choose carelessly, at a random rate per match, so that the samples include other than best play.

Matches are saved as they are played, and later runs add to them; all randomness comes from the seed and the number of
the match.
"""

from __future__ import annotations

from pathlib import Path
from random import Random
from typing import Final

import msgspec

from boardwire.bots.eriantys.core.evaluation import Features, rounds_left
from boardwire.bots.eriantys.core.search import Search
from boardwire.bots.eriantys.core.slots import OVER, PLAN, SIDES, STAGE, WINNERS
from boardwire.bots.eriantys.core.steps import legal, play
from boardwire.bots.eriantys.weights import WEIGHTS
from training.eriantys import Kind, set_up

SLIPS: Final = 0.15
"""Largest share of careless choices in a match."""
HASTY: Final = 20
"""Nodes of a careless turn."""


class Sample(msgspec.Struct, frozen=True, array_like=True):
    """A state between two turns: the rounds left, and the numbers of each side."""

    left: int
    sides: list[list[int]]


class Played(msgspec.Struct, frozen=True, array_like=True):
    """A match: 1 for each side that won, 0 for the others, and its samples."""

    won: list[int]
    samples: list[Sample]


def played(kind: Kind, number: int) -> Played:
    """Play the match with a number; return its samples and result."""
    luck = Random(f"{kind.seed} {kind.key} fit {number}")
    weights = WEIGHTS[kind.key]
    slips = SLIPS * luck.random()
    state = set_up(kind.seats, kind.mode, luck.randrange)
    samples: list[Sample] = []
    features = Features()
    while state[STAGE] != OVER:
        nodes = HASTY if luck.random() < slips else kind.nodes
        search = Search(weights, nodes, 0, bool, luck.randrange)
        if state[STAGE] < PLAN:
            search.play_on(state, 0, 0, False)
        elif state[STAGE] == PLAN:
            cards = legal(state)
            play(state, luck.choice(cards) if nodes == HASTY else search.best_card(state, cards).steps[0])
        else:
            state = search.best_turn(state, legal(state)).state
            if state[STAGE] != OVER:
                features.read(state)
                sides = [features.numbers(side) for side in range(state[SIDES])]
                samples.append(Sample(rounds_left(state), sides))
    return Played([state[WINNERS] >> side & 1 for side in range(state[SIDES])], samples)


def collect(kind: Kind, matches: int, file: Path) -> list[Played]:
    """Return a number of matches: those in the file first, then new ones, which are added to it."""
    file.parent.mkdir(parents=True, exist_ok=True)
    found = [msgspec.json.decode(line, type=Played) for line in file.read_bytes().splitlines()] if file.exists() else []
    with file.open("ab", buffering=0) as kept:
        while len(found) < matches:
            found.append(played(kind, len(found)))
            kept.write(msgspec.json.encode(found[-1]) + b"\n")
    return found[:matches]
