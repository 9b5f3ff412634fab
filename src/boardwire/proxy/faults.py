"""Trouble on purpose: what a network does to bytes on a bad day, the same again for the same seed.

`parse` reads what `--faults` says, for instance `latency=0.1,jitter=0.05,split,reset=40`:

| word | what it does |
|---|---|
| `latency=S`, `jitter=S` | every piece comes S seconds later, and up to so many more; order is kept |
| `throttle=N` | no more than N bytes a second, each way |
| `split` | every piece comes in pieces of 1 to 4 bytes |
| `merge=S` | what is sent within S seconds comes in one piece |
| `duplicate=P` | a piece comes twice, with probability P |
| `reset=N` | after N pieces the connection is reset, at both ends |
| `halfopen=N` | after N pieces nothing comes through any more, and nobody is told |

A shaper knows no socket: it is given pieces and times, and says what is to be written when.
"""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Final

import msgspec

from boardwire.errors import Malformed

LARGEST_PIECE: Final = 4


class Faults(msgspec.Struct, frozen=True):
    """Which trouble; nothing: none."""

    latency: float = 0.0
    jitter: float = 0.0
    throttle: float = 0.0
    split: bool = False
    merge: float = 0.0
    duplicate: float = 0.0
    reset: int = 0
    halfopen: int = 0


def parse(text: str) -> Faults:
    """What `--faults` says; `Malformed` names the word that is none."""
    found: dict[str, float | int | bool] = {}
    for part in filter(None, (part.strip() for part in text.split(","))):
        word, _, value = part.partition("=")
        if word not in Faults.__struct_fields__:
            raise Malformed(f"--faults {part}: there is no such fault; there are {', '.join(Faults.__struct_fields__)}")
        if word == "split":
            found[word] = True
            continue
        try:
            number = float(value)
        except ValueError:
            raise Malformed(f"--faults {part}: it is written {word}=NUMBER") from None
        whole = word in ("reset", "halfopen")
        if not 0 < number < 1e9 or (word == "duplicate" and number > 1) or (whole and number != int(number)):
            asked = "a probability up to 1" if word == "duplicate" else "a whole number" if whole else "some seconds"
            raise Malformed(f"--faults {part}: {asked if word != 'throttle' else 'bytes a second'}, more than 0")
        found[word] = int(number) if whole else number
    if not found:
        raise Malformed(f"--faults: name at least one of {', '.join(Faults.__struct_fields__)}")
    return Faults(**found)  # type: ignore[arg-type] # whole numbers where its fields are


class Shaper:
    """One direction of a connection."""

    def __init__(self, faults: Faults, luck: Random) -> None:
        self._faults = faults
        self._luck = luck
        self._free = 0.0
        """When the last byte so far is through."""

    def shape(self, data: bytes, now: float) -> Iterator[tuple[float, bytes]]:
        """What to write, and when, for a piece that came now."""
        faults, luck = self._faults, self._luck
        times = 2 if faults.duplicate and luck.random() < faults.duplicate else 1
        for _ in range(times):
            due = now + faults.latency + (luck.random() * faults.jitter if faults.jitter else 0.0)
            if faults.merge:
                due = (int(due / faults.merge) + 1) * faults.merge
            for piece in self._pieces(data):
                self._free = max(self._free, due)
                if faults.throttle:
                    self._free += len(piece) / faults.throttle
                yield self._free, piece

    def _pieces(self, data: bytes) -> Iterator[bytes]:
        if not self._faults.split:
            size = max(1, int(self._faults.throttle / 10)) if self._faults.throttle else len(data)
            yield from (data[at : at + size] for at in range(0, len(data), size))
            return
        at = 0
        while at < len(data):
            size = self._luck.randint(1, LARGEST_PIECE)
            yield data[at : at + size]
            at += size
