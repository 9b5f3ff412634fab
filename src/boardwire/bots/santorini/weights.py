"""The weights of the net that judges states without powers; `make train` made them (docs/bots/santorini.md)."""

from __future__ import annotations

from functools import lru_cache
from importlib.resources import files
from pathlib import Path

import msgspec

from boardwire.bots.santorini.core.net import Net


class Weights(msgspec.Struct, frozen=True):
    """A row for each thing on each square, what the sums start from, and how they are weighed."""

    rows: list[list[int]]
    bias: list[int]
    own: list[int]
    foe: list[int]
    base: int


@lru_cache(maxsize=1)
def net() -> Net:
    """The net with the weights of the package."""
    return net_of(files("boardwire.bots.santorini").joinpath("weights.json").read_bytes())


def net_of(text: bytes) -> Net:
    """The net with weights in JSON."""
    found = msgspec.json.decode(text, type=Weights)
    return Net(found.rows, found.bias, found.own, found.foe, found.base)


def read(path: Path) -> Net:
    """The net with the weights in a file."""
    return net_of(path.read_bytes())
