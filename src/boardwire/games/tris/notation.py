"""Notation of Tris: an action is the number of its cell, 0 to 8."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from boardwire.errors import Malformed
from boardwire.games.game import Idle, Seat
from boardwire.games.tris.rules import CELLS, Action, Options


def format_action(action: Action) -> str:
    """Return the text of a cell."""
    return str(action)


def parse_action(text: str) -> Action:
    """Parse a cell."""
    if text not in map(str, CELLS):
        raise Malformed(f"{text!r} is not a cell; cells are 0 to 8")
    return int(text)


def format_match(players: Sequence[str], options: Options, steps: Iterable[tuple[Seat, Action | Idle]]) -> None:
    """Return None: there is no own record format."""
    return
