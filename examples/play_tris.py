"""Play a match of Tris with the rules alone: `python play_tris.py [SEED]`.

The loop is the same for every game: get the pending decision and apply one of its choices, until nothing is pending.
"""

from random import Random
from sys import argv

from boardwire.games import Seat, tris

rng = Random(int(argv[1]) if len(argv) > 1 else None)


def drawing(cells: tuple[Seat | None, ...]) -> str:
    marks = ["." if owner is None else "XO"[owner] for owner in cells]
    return "\n".join(" ".join(marks[row : row + 3]) for row in (0, 3, 6))


position = tris.new(tris.Options(), 2)
while (decision := tris.pending(position)) is not None:
    seat = decision.seats[0]
    cell = rng.choice(list(decision.choices))
    position, events = tris.apply(position, seat, cell)
    print(f"{'XO'[seat]} marks cell {cell}")

print(drawing(tris.view(position, None).cells))
print(tris.outcome(position))
