"""Notation of Tris [5.3]: an action is the number of its cell, 0 to 8.

    position = row "/" row "/" row " " player [ " -" player ]
    row      = 3 of "x" "o" "."
    player   = "x" | "o"

Rows go from top to bottom, `x` is the first player. The player after the board moves next; the one after the minus has
given up. Example: `x.o/.x./..o x`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Final

from boardwire.errors import Malformed
from boardwire.games.game import Idle, Seat
from boardwire.games.tris.rules import CELLS, Action, Options, Position, View, has_line, turn_of


def format_action(action: Action) -> str:
    """Return the text of a cell."""
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
    """Return the text of a position; `parse_position` reads it."""
    first, second = position.marks
    owners = [0 if first & bit else 1 if second & bit else None for bit in (1 << cell for cell in CELLS)]
    resigned = "" if position.forfeited is None else f" -{_PLAYERS[position.forfeited]}"
    return f"{_board(owners)} {_PLAYERS[turn_of(position)]}{resigned}"


def format_view(view: View) -> str:
    """Return the text of the position that a view shows; raise `Malformed` if the match is over."""
    if view.turn is None:
        raise Malformed("the match is over: its view does not tell whose turn it is")
    return f"{_board(view.cells)} {_PLAYERS[view.turn]}"


def parse_position(text: str) -> Position:
    """Parse a position; raise `Malformed` for any other text, and for a board that no match can have."""
    found = _POSITION.fullmatch(text.strip())
    if found is None:
        raise Malformed(f"{text[:80]!r} is not a position of Tris; one is 'x.o/.x./..o x'")
    cells = found["board"].lower().replace("/", "")
    taken = [sum(1 << cell for cell in CELLS if cells[cell] == player) for player in _PLAYERS]
    if has_line(taken[0]) and has_line(taken[1]):
        raise Malformed("both players have three in a row; a match ends with the first")
    turn = _PLAYERS.index(found["turn"].lower())
    resigned = None if found["resigned"] is None else _PLAYERS.index(found["resigned"].lower())
    passed = (taken[0] | taken[1]).bit_count() % 2 != turn
    return Position((taken[0], taken[1]), resigned, passed)


def _board(owners: Sequence[Seat | None]) -> str:
    signs = "".join(_FREE if owner is None else _PLAYERS[owner] for owner in owners)
    return "/".join(signs[first : first + 3] for first in range(0, len(signs), 3))


def format_match(players: Sequence[str], options: Options, steps: Iterable[tuple[Seat, Action | Idle]]) -> None:
    """Return None: the game has no record format of its own."""
    return
