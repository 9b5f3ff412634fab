"""Random whole matches on the rules alone, without a server.

`python -m bench.playouts` reads lines `CASE SEED MATCHES` from standard input and answers each with a `PlayoutResult`
as JSON. Two engines that offer the same choices in the same order play the same matches from a seed and return the
same digest.
"""

from __future__ import annotations

import random
import sys
import time
from collections.abc import Callable
from functools import partial
from hashlib import sha256
from typing import Any, Final

import msgspec

from boardwire.games import eriantys, santorini
from boardwire.games.santorini.powers.catalogue import compatible


class PlayoutResult(msgspec.Struct):
    """Result of some matches: steps, CPU seconds, and a digest that identifies the matches."""

    matches: int
    steps: int
    cpu: float
    digest: str


PAIRS: Final = tuple(
    santorini.Options(santorini.Draft.GIVEN, gods=(one, other))
    for one in santorini.CATALOGUE for other in santorini.CATALOGUE
    if one is not other and compatible((one, other))
)  # fmt: skip
SIMPLE: Final = tuple(
    options for options in PAIRS if all(list(santorini.CATALOGUE).index(god) < 10 for god in options.gods)
)


def play_santorini(options: santorini.Options, rng: random.Random) -> int:
    """Play a match for two and return its number of steps. All legal steps are listed at every step."""
    position = santorini.new(options, 2)
    uniform = rng.random
    pending, apply = santorini.pending, santorini.apply
    steps = 0
    while (decision := pending(position)) is not None:
        choices = decision.choices
        action = choices[int(uniform() * len(choices))]  # type: ignore[index]  # choices are sequences here
        position, _ = apply(position, decision.seats[0], action)
        steps += 1
    return steps


def play_eriantys(options: eriantys.Options, seats: int, rng: random.Random) -> int:
    """Play a match and return the number of the players' actions."""
    position = eriantys.new(options, seats)
    uniform = rng.random
    pending, apply = eriantys.pending, eriantys.apply

    def below(count: int) -> int:
        return int(uniform() * count)

    actions = 0
    while (decision := pending(position)) is not None:
        choices = decision.choices
        seat = decision.seats[0]
        action: Any
        if seat >= 0:
            actions += 1
            action = choices[int(uniform() * len(choices))]  # type: ignore[index]  # players' choices are sequences
        elif hasattr(choices, "draw"):
            action = choices.draw(below)
        else:
            action = tuple(choices)[below(len(choices))]
        position, _ = apply(position, seat, action)
    return actions


def _pair(options: tuple[santorini.Options, ...], rng: random.Random) -> int:
    return play_santorini(rng.choice(options), rng)


CASES: Final[dict[str, Callable[[random.Random], int]]] = {
    "santorini-no-gods": partial(play_santorini, santorini.Options(santorini.Draft.NONE)),
    "santorini-simple-pairs": partial(_pair, SIMPLE),
    "santorini-all-pairs": partial(_pair, PAIRS),
    **{
        f"eriantys-{mode.name.lower()}-{seats}": partial(play_eriantys, eriantys.Options(mode=mode), seats)
        for mode in eriantys.Mode
        for seats in (2, 3, 4)
    },
}
"""Functions by case that play one match and return its number of steps."""


def run_playouts(case: str, seed: int, matches: int) -> PlayoutResult:
    """Play matches of a case; the digest covers their lengths and the state of the generator after them."""
    rng = random.Random(seed)
    play = CASES[case]
    start = time.process_time()
    lengths = [play(rng) for _ in range(matches)]
    cpu = time.process_time() - start
    return PlayoutResult(matches, sum(lengths), cpu, sha256(repr((lengths, rng.random())).encode()).hexdigest())


def main() -> None:
    """Answer requests until standard input ends."""
    for line in sys.stdin:
        case, seed, matches = line.split()
        print(msgspec.json.encode(run_playouts(case, int(seed), int(matches))).decode(), flush=True)


if __name__ == "__main__":
    main()
