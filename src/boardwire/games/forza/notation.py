"""Notation of Forza Quattro [5.3]: an action is the number of its column, counted from 1 to 7.

    position = row "/" row "/" row "/" row "/" row "/" row " " player [ " -" player ]
    row      = 7 of "x" "o" "."
    player   = "x" | "o"

Rows go from top to bottom, `x` is the first player. The player after the board moves next; the player after the minus
has given up. Example: `......./......./......./......./...o.../..xx... o`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Final

from boardwire.errors import Malformed
from boardwire.games.forza.rules import (
    BITS,
    COLUMNS,
    ROWS,
    Action,
    Options,
    Position,
    View,
    is_stacked,
    turn_of,
    wins,
)
from boardwire.games.game import Idle, Seat


def format_action(action: Action) -> str:
    """Format a column."""
    return str(action + 1)


def parse_action(text: str) -> Action:
    """Parse a column."""
    if text not in map(format_action, range(COLUMNS)):
        raise Malformed(f"{text!r} is not a column; columns are 1 to {COLUMNS}")
    return int(text) - 1


_PLAYERS: Final = "xo"
_FREE: Final = "."
_EXAMPLE: Final = "......./......./......./......./...o.../..xx... o"
_POSITION: Final = re.compile(
    r"(?P<board>[xo.]{7}(?:/[xo.]{7}){5}) +(?P<turn>[xo])(?: +-(?P<resigned>[xo]))?", re.IGNORECASE
)


def format_position(position: Position) -> str:
    """Format a position."""
    first, second = position.discs
    owners = [0 if first & bit else 1 if second & bit else None for bit in BITS]
    resigned = "" if position.forfeited is None else f" -{_PLAYERS[position.forfeited]}"
    return f"{_format_board(owners)} {_PLAYERS[turn_of(position)]}{resigned}"


def format_view(view: View) -> str:
    """Format the position of a view; raise `Malformed` if the match is over."""
    if view.turn is None:
        raise Malformed("the match is over, so the view has no player to move")
    return f"{_format_board(view.cells)} {_PLAYERS[view.turn]}"


def parse_position(text: str) -> Position:
    """Parse a position; raise `Malformed` for any other text, and for a board that no match can have."""
    match = _POSITION.fullmatch(text.strip())
    if match is None:
        raise Malformed(f"{text[:80]!r} is not a position of Forza Quattro; an example is '{_EXAMPLE}'")
    cells = match["board"].lower().replace("/", "")
    taken = [sum(BITS[cell] for cell in range(COLUMNS * ROWS) if cells[cell] == player) for player in _PLAYERS]
    if wins(taken[0]) and wins(taken[1]):
        raise Malformed("both players have four in a row; a match ends with the first four")
    if not is_stacked(taken[0] | taken[1]):
        raise Malformed("a disc has a free cell below it; it must lie on another disc or on the bottom row")
    turn = _PLAYERS.index(match["turn"].lower())
    resigned = None if match["resigned"] is None else _PLAYERS.index(match["resigned"].lower())
    passed = (taken[0] | taken[1]).bit_count() % 2 != turn
    return Position((taken[0], taken[1]), resigned, passed)


def _format_board(owners: Sequence[Seat | None]) -> str:
    cells = "".join(_FREE if owner is None else _PLAYERS[owner] for owner in owners)
    return "/".join(cells[start : start + COLUMNS] for start in range(0, len(cells), COLUMNS))


def format_match(players: Sequence[str], options: Options, steps: Iterable[tuple[Seat, Action | Idle]]) -> None:
    """Return None: Forza Quattro has no record format."""
    return
