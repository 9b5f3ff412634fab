"""Weights of the evaluation net for states without powers, created by `make train` (docs/bots/santorini.md)."""

from __future__ import annotations

from functools import lru_cache
from importlib.resources import files
from pathlib import Path

from boardwire.bots.santorini.core.net import Net
from boardwire.bots.santorini.native import quicken


@lru_cache(maxsize=1)
def net() -> Net:
    """Return the net with the weights in the package."""
    return quicken(Net(files("boardwire.bots.santorini").joinpath("weights.bin").read_bytes()))


def read(path: Path) -> Net:
    """Return the net with weights from a file."""
    return quicken(Net(path.read_bytes()))
