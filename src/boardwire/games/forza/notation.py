"""Notation of Forza Quattro: an action is the number of its column, counted from 1 to 7."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from boardwire.errors import Malformed
from boardwire.games.forza.rules import COLUMNS, Action, Options
from boardwire.games.game import Idle, Seat


def format_action(action: Action) -> str:
    """Return the text of a column."""
    return str(action + 1)


def parse_action(text: str) -> Action:
    """Parse a column."""
    if text not in map(format_action, range(COLUMNS)):
        raise Malformed(f"{text!r} is no column; columns are 1 to {COLUMNS}")
    return int(text) - 1


def format_match(players: Sequence[str], options: Options, steps: Iterable[tuple[Seat, Action | Idle]]) -> None:
    """Return None: there is no own record format."""
    return
