"""The weights by number of seats and mode, with the figures of the runs that tried to better them.

They were set by hand; `python -m training.eriantys` tunes them, and writes here what fresh matches confirm.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, Final

FILE: Final = Path(__file__).with_name("weights.json")


def key_of(seats: int, expert: bool) -> str:
    """What the weights of a kind of match are kept under."""
    return f"{seats} {'expert' if expert else 'simplified'}"


def read(file: Path = FILE) -> dict[str, Any]:
    """All of it."""
    found: dict[str, Any] = json.loads(file.read_text())
    return found


WEIGHTS: Final[dict[str, list[float]]] = {key: entry["weights"] for key, entry in read().items()}
