"""Weights of the evaluation net for states without powers; `make train` creates them (docs/bots/santorini.md)."""

from __future__ import annotations

from functools import lru_cache
from importlib.resources import files
from pathlib import Path

import msgspec

from boardwire.bots.santorini.core.net import Net


class Weights(msgspec.Struct, frozen=True):
    """The weights: a row for each content of each square, the initial sums, and the output weights."""

    rows: list[list[int]]
    bias: list[int]
    own: list[int]
    foe: list[int]
    base: int


@lru_cache(maxsize=1)
def net() -> Net:
    """Return the net with the weights in the package."""
    return net_of(files("boardwire.bots.santorini").joinpath("weights.json").read_bytes())


def net_of(text: bytes) -> Net:
    """Return the net with weights from JSON."""
    found = msgspec.json.decode(text, type=Weights)
    return Net(found.rows, found.bias, found.own, found.foe, found.base)


def read(path: Path) -> Net:
    """Return the net with weights from a file."""
    return net_of(path.read_bytes())
