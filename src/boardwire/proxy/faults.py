"""Fault injection: network faults, reproducible by their seed.

`parse` reads `--faults`, for instance `latency=0.1,jitter=0.05,split,reset=40`:

| fault | effect |
|---|---|
| `latency=S`, `jitter=S` | delay every piece by S seconds, and by a random time of up to S more; keep the order |
| `throttle=N` | at most N bytes a second in each direction |
| `split` | cut every piece into pieces of 1 to 4 bytes |
| `merge=S` | join the pieces sent within S seconds |
| `duplicate=P` | send a piece twice, with probability P |
| `reset=N` | reset both connections after N pieces |
| `halfopen=N` | drop everything after N pieces, without closing a connection |

A shaper has no socket: it gets pieces and times, and returns the pieces to write with their times.
"""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Final

import msgspec

from boardwire.errors import Malformed

MAX_SPLIT_BYTES: Final = 4


class Faults(msgspec.Struct, frozen=True):
    """Faults to inject; 0 or False is off."""

    latency: float = 0.0
    jitter: float = 0.0
    throttle: float = 0.0
    split: bool = False
    merge: float = 0.0
    duplicate: float = 0.0
    reset: int = 0
    halfopen: int = 0


def parse(text: str) -> Faults:
    """Parse `--faults`; raise `Malformed` with the invalid part."""
    values: dict[str, float | int | bool] = {}
    for part in filter(None, (part.strip() for part in text.split(","))):
        word, _, value = part.partition("=")
        if word not in Faults.__struct_fields__:
            raise Malformed(f"--faults {part}: unknown fault; the faults are {', '.join(Faults.__struct_fields__)}")
        if word == "split":
            values[word] = True
            continue
        try:
            number = float(value)
        except ValueError:
            raise Malformed(f"--faults {part}: expected {word}=NUMBER") from None
        whole = word in ("reset", "halfopen")
        if not 0 < number < 1e9 or (word == "duplicate" and number > 1) or (whole and number != int(number)):
            unit = "a probability up to 1" if word == "duplicate" else "a whole number" if whole else "seconds"
            raise Malformed(
                f"--faults {part}: expected {unit if word != 'throttle' else 'bytes a second'}, more than 0"
            )
        values[word] = int(number) if whole else number
    if not values:
        raise Malformed(f"--faults: name at least one of {', '.join(Faults.__struct_fields__)}")
    return Faults(**values)  # type: ignore[arg-type] # integers for the fields that are


class Shaper:
    """Fault injector for one direction of a connection."""

    def __init__(self, faults: Faults, random: Random) -> None:
        self._faults = faults
        self._random = random
        self._free_at = 0.0
        """Time at which the last piece is written."""

    def shape(self, data: bytes, now: float) -> Iterator[tuple[float, bytes]]:
        """Yield the pieces to write for a piece received at `now`, each with its time."""
        faults, random = self._faults, self._random
        times = 2 if faults.duplicate and random.random() < faults.duplicate else 1
        for _ in range(times):
            due = now + faults.latency + (random.random() * faults.jitter if faults.jitter else 0.0)
            if faults.merge:
                due = (int(due / faults.merge) + 1) * faults.merge
            for piece in self._pieces(data):
                self._free_at = max(self._free_at, due)
                if faults.throttle:
                    self._free_at += len(piece) / faults.throttle
                yield self._free_at, piece

    def _pieces(self, data: bytes) -> Iterator[bytes]:
        if not self._faults.split:
            size = max(1, int(self._faults.throttle / 10)) if self._faults.throttle else len(data)
            yield from (data[at : at + size] for at in range(0, len(data), size))
            return
        at = 0
        while at < len(data):
            size = self._random.randint(1, MAX_SPLIT_BYTES)
            yield data[at : at + size]
            at += size
