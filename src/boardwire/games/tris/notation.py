"""Tris as text: an action is the number of its cell, 0 to 8."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from boardwire.errors import Malformed
from boardwire.games.game import Idle, Seat
from boardwire.games.tris.rules import CELLS, Action, Options


def format_action(action: Action) -> str:
    """A cell as text."""
    return str(action)


def parse_action(text: str) -> Action:
    """The cell that a text names."""
    if text not in map(str, CELLS):
        raise Malformed(f"{text!r} is no cell; cells are 0 to 8")
    return int(text)


def format_match(players: Sequence[str], options: Options, steps: Iterable[tuple[Seat, Action | Idle]]) -> None:
    """A line for each step says it all."""
    return
