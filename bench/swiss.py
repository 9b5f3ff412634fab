"""How long it takes to pair the rounds of a Swiss tournament with single matches: `python -m bench.swiss`."""

from __future__ import annotations

import argparse
import time
from random import Random

from msgspec.structs import replace

from boardwire.competition.pairings import SwissEntrant, dutch_round


def main() -> None:
    """Print CPU seconds and quality of every round."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--entrants", type=int, default=1000)
    parser.add_argument("--rounds", type=int, default=11)
    parser.add_argument("--draws", type=float, default=0.1, help="share of drawn matches")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    luck = Random(options.seed)
    field = {number: SwissEntrant(number) for number in range(options.entrants)}
    print(f"{'round':>5} {'CPU ms':>8} {'repeated':>9} {'other points':>13} {'seats apart':>12}")
    for number in range(1, options.rounds + 1):
        begin = time.process_time()
        pairs, bye = dutch_round(list(field.values()))
        seconds = time.process_time() - begin
        repeated = sum(other in field[one].opponents for one, other in pairs)
        uneven = sum(field[one].points != field[other].points for one, other in pairs)
        for one, other in pairs:
            got = 0.5 if luck.random() < options.draws else float(luck.random() < 0.5)
            for entrant, opponent, seat, points in ((one, other, 0, got), (other, one, 1, 1 - got)):
                old = field[entrant]
                field[entrant] = replace(
                    old, points=old.points + points, opponents=old.opponents | {opponent}, seats=(*old.seats, seat)
                )
        if bye is not None:
            field[bye] = replace(field[bye], points=field[bye].points + 1, had_bye=True)
        apart = max(abs(one.seats.count(0) - one.seats.count(1)) for one in field.values())
        print(f"{number:5} {seconds * 1000:8.1f} {repeated:9} {uneven:13} {apart:12}")


if __name__ == "__main__":
    main()
