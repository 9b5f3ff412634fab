"""Engine for Tris in Python: searches the whole game and reports its evaluation.

Run it with `boardwire bot tris ... --engine 'python3 tris_engine.py'`; docs/engines.md describes the messages.
"""

from __future__ import annotations

import json
import random
import sys
from functools import cache
from typing import Any

LINES = ((0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6))
Cells = tuple[int | None, ...]


@cache
def value(cells: Cells, mover: int) -> int:
    """Return the result of perfect play for the seat to move: 1, 0 or -1."""
    if any(cells[a] == cells[b] == cells[c] == 1 - mover for a, b, c in LINES):
        return -1
    free = [cell for cell in range(9) if cells[cell] is None]
    return max((-value(marked(cells, cell, mover), 1 - mover) for cell in free), default=0)


def marked(cells: Cells, cell: int, seat: int) -> Cells:
    """Return the board with one more mark."""
    return (*cells[:cell], seat, *cells[cell + 1 :])


def say(**message: Any) -> None:
    """Send a message; without the flush it would stay in the buffer."""
    print(json.dumps(message), flush=True)


def main() -> None:
    """Answer messages until standard input ends."""
    seat = 0
    for line in sys.stdin:
        message = json.loads(line)
        if message["type"] == "hello":
            if message["game"] != "tris":
                say(type="refuse", text="I play Tris only")
                continue
            seat = message["seat"]
            random.seed(message["seed"])
            say(type="ready", name="tris-python", version="1.0")
        elif message["type"] == "choose":
            cells = tuple(message["view"]["cells"])
            values = {cell: -value(marked(cells, cell, seat), 1 - seat) for cell in message["choices"]}
            best = random.choice([cell for cell in values if values[cell] == max(values.values())])
            say(type="info", value=values[best], depth=cells.count(None), line=[str(best)])
            say(type="choice", id=message["id"], action=best)


if __name__ == "__main__":
    main()
