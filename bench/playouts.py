"""Random whole matches on the rules alone, by case; `python -m bench.playouts` plays them for a process that asks.

A line on its input, `CASE SEED MATCHES`, is answered with a `Played` as JSON.  Two engines that offer the same choices
in the same order play the same matches from the same seed, and then have the same digest.
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


class Played(msgspec.Struct):
    """What some matches were: how many steps their players took, in how much CPU time, and what identifies them."""

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


def play_santorini(options: santorini.Options, luck: random.Random) -> int:
    """A match for two; how many steps were taken.  All legal steps are listed at each."""
    position = santorini.new(options, 2)
    uniform = luck.random
    pending, apply = santorini.pending, santorini.apply
    steps = 0
    while (decision := pending(position)) is not None:
        choices = decision.choices
        action = choices[int(uniform() * len(choices))]  # type: ignore[index]  # choices are sequences here
        position, _ = apply(position, decision.seats[0], action)
        steps += 1
    return steps


def play_eriantys(options: eriantys.Options, seats: int, luck: random.Random) -> int:
    """A match; how many actions the players made."""
    position = eriantys.new(options, seats)
    uniform = luck.random
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


def _pair(options: tuple[santorini.Options, ...], luck: random.Random) -> int:
    return play_santorini(luck.choice(options), luck)


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
"""By name, one whole match each; how many steps it had."""


def played(case: str, seed: int, matches: int) -> Played:
    """Some matches; the digest is of their lengths and of where the luck stands after them."""
    luck = random.Random(seed)
    play = CASES[case]
    start = time.process_time()
    lengths = [play(luck) for _ in range(matches)]
    cpu = time.process_time() - start
    return Played(matches, sum(lengths), cpu, sha256(repr((lengths, luck.random())).encode()).hexdigest())


def main() -> None:
    """Answer until nothing more is asked."""
    for line in sys.stdin:
        case, seed, matches = line.split()
        print(msgspec.json.encode(played(case, int(seed), int(matches))).decode(), flush=True)


if __name__ == "__main__":
    main()
