"""Notation of Tris [5.3]: an action is the number of its cell, 0 to 8.

    position = row "/" row "/" row " " player [ " -" player ]
    row      = 3 of "x" "o" "."
    player   = "x" | "o"

Rows go from top to bottom, `x` is the first player. The player after the board moves next; the player after the minus
has given up. Example: `x.o/.x./..o x`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Final

from boardwire.errors import Malformed
from boardwire.games.game import Idle, Seat
from boardwire.games.tris.rules import CELLS, Action, Options, Position, View, has_line, turn_of


def format_action(action: Action) -> str:
    """Format a cell."""
    return str(action)


def parse_action(text: str) -> Action:
    """Parse a cell."""
    if text not in map(str, CELLS):
        raise Malformed(f"{text!r} is not a cell; cells are 0 to 8")
    return int(text)


_PLAYERS: Final = "xo"
_FREE: Final = "."
_POSITION: Final = re.compile(
    r"(?P<board>[xo.]{3}(?:/[xo.]{3}){2}) +(?P<turn>[xo])(?: +-(?P<resigned>[xo]))?", re.IGNORECASE
)


def format_position(position: Position) -> str:
    """Format a position."""
    first, second = position.marks
    owners = [0 if first & bit else 1 if second & bit else None for bit in (1 << cell for cell in CELLS)]
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
        raise Malformed(f"{text[:80]!r} is not a position of Tris; an example is 'x.o/.x./..o x'")
    cells = match["board"].lower().replace("/", "")
    taken = [sum(1 << cell for cell in CELLS if cells[cell] == player) for player in _PLAYERS]
    if has_line(taken[0]) and has_line(taken[1]):
        raise Malformed("both players have three in a row; a match ends with the first row")
    turn = _PLAYERS.index(match["turn"].lower())
    resigned = None if match["resigned"] is None else _PLAYERS.index(match["resigned"].lower())
    passed = (taken[0] | taken[1]).bit_count() % 2 != turn
    return Position((taken[0], taken[1]), resigned, passed)


def _format_board(owners: Sequence[Seat | None]) -> str:
    cells = "".join(_FREE if owner is None else _PLAYERS[owner] for owner in owners)
    return "/".join(cells[start : start + 3] for start in range(0, len(cells), 3))


def format_match(players: Sequence[str], options: Options, steps: Iterable[tuple[Seat, Action | Idle]]) -> None:
    """Return None: Tris has no record format."""
    return
