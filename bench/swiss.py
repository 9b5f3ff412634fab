"""Time to pair the rounds of a Swiss tournament: `python -m bench.swiss`."""

from __future__ import annotations

import argparse
import time
from importlib import import_module
from random import Random

from msgspec.structs import replace

from boardwire.competition.pairings import SwissEntrant, dutch_round


def main() -> None:
    """Print CPU seconds and quality of every round."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--entrants", type=int, default=1000, help="entrants of the tournament")
    parser.add_argument("--rounds", type=int, default=11, help="rounds of the tournament")
    parser.add_argument("--draws", type=float, default=0.1, help="share of drawn matches")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument(
        "--py4swiss", action="store_true", help="time only py4swiss's first round (pip install py4swiss)"
    )
    options = parser.parse_args()
    if options.py4swiss:
        print(f"py4swiss, first round of {options.entrants}: {_py4swiss_seconds(options.entrants):.1f} s of CPU time")
        return
    rng = Random(options.seed)
    field = {number: SwissEntrant(number) for number in range(options.entrants)}
    print(f"{'round':>5} {'CPU ms':>8} {'repeated':>9} {'other points':>13} {'seats apart':>12}")
    for number in range(1, options.rounds + 1):
        begin = time.process_time()
        pairs, bye = dutch_round(list(field.values()))
        seconds = time.process_time() - begin
        repeated = sum(other in field[one].opponents for one, other in pairs)
        uneven = sum(field[one].points != field[other].points for one, other in pairs)
        for one, other in pairs:
            got = 0.5 if rng.random() < options.draws else float(rng.random() < 0.5)
            for entrant, opponent, seat, points in ((one, other, 0, got), (other, one, 1, 1 - got)):
                old = field[entrant]
                field[entrant] = replace(
                    old, points=old.points + points, opponents=old.opponents | {opponent}, seats=(*old.seats, seat)
                )
        if bye is not None:
            field[bye] = replace(field[bye], points=field[bye].points + 1, had_bye=True)
        apart = max(abs(entrant.seats.count(0) - entrant.seats.count(1)) for entrant in field.values())
        print(f"{number:5} {seconds * 1000:8.1f} {repeated:9} {uneven:13} {apart:12}")


def _py4swiss_seconds(entrants: int) -> float:
    """Return the CPU seconds that py4swiss takes to pair the first round."""
    engines, trf = import_module("py4swiss.engines"), import_module("py4swiss.trf")
    sections, codes = import_module("py4swiss.trf.sections"), import_module("py4swiss.trf.codes")
    players = [
        sections.PlayerSection(code=codes.PlayerCode.PLAYER, starting_number=number, points_times_ten=0, rank=number)
        for number in range(1, entrants + 1)
    ]
    tournament = trf.ParsedTrf(player_sections=players, x_section=sections.XSection(number_of_rounds=11))
    begin = time.process_time()
    engines.DutchEngine.generate_pairings(tournament)
    return time.process_time() - begin


if __name__ == "__main__":
    main()
