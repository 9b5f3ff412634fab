"""Evaluation weights by number of seats and mode, with the results of the tuning runs.

They were set by hand; `python -m training.eriantys` tunes them and stores what new matches confirm.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, Final

WEIGHTS_FILE: Final = Path(__file__).with_name("weights.json")


def weights_key(seats: int, expert: bool) -> str:
    """Return the key of the weights for a number of seats and a mode."""
    return f"{seats} {'expert' if expert else 'simplified'}"


def read(file: Path = WEIGHTS_FILE) -> dict[str, Any]:
    """Return the contents of a weights file."""
    weights: dict[str, Any] = json.loads(file.read_text())
    return weights


WEIGHTS: Final[dict[str, list[float]]] = {key: entry["weights"] for key, entry in read().items()}
