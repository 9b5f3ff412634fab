"""Boards of the full-screen client: the scene, the colours, and the interface of a board module."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final, Protocol

import msgspec
from rich.style import Style

from boardwire.dialects.dialect import Players
from boardwire.games.game import Seat
from boardwire.terminal.app.canvas import CellCanvas
from boardwire.terminal.app.selection import Path, Target

# Every style must also be readable without colours (NO_COLOR): a letter, a shape or a mark has the same meaning.
GRID: Final = Style(color="#7f8c98")
LABEL: Final = Style(color="#9fb0bf")
FAINT: Final = Style(color="#8a949e")
STRONG: Final = Style(bold=True)
SIDES: Final = (
    Style(color="#ffd75f", bold=True),
    Style(color="#5fd7ff", bold=True),
    Style(color="#ff87d7", bold=True),
    Style(color="#87ff87", bold=True),
)
LEGAL: Final = Style(color="#b8f5b0", bgcolor="#1f5a2b", bold=True)
CHOSEN: Final = Style(color="#1b1b1b", bgcolor="#ffd75f", bold=True)
CURSOR: Final = Style(reverse=True, bold=True)
CHANGED: Final = Style(underline=True, bold=True)
ADVISED: Final = Style(color="#1b1b1b", bgcolor="#87afff", bold=True)
LEGAL_PLAIN: Final = Style(bold=True, underline=True)
CHOSEN_PLAIN: Final = Style(bold=True, reverse=True)
ADVISED_PLAIN: Final = Style(bold=True, italic=True)


def fitting_cell(
    cells: Sequence[tuple[int, int]], whole: Callable[[int, int], tuple[int, int]], width: int, height: int
) -> tuple[int, int]:
    """Return the first cell size for which the whole board fits, or else the last one."""
    return next((cell for cell in cells if whole(*cell)[0] <= width and whole(*cell)[1] <= height), cells[-1])


class Scene(msgspec.Struct, frozen=True):
    """Everything that a board shows."""

    view: Any
    players: Players = Players()
    before: Any = None
    """The view before the last change, to mark the changes."""
    targets: tuple[Target, ...] = ()
    """Targets that can be chosen next."""
    chosen: Path = ()
    advised: Path = ()
    cursor: Target | None = None
    colour: bool = True

    def style(self, target: Target, base: Style) -> Style:
        """Return the style of a target: `base` with the marks of the target."""
        combined = base
        if target in self.advised:
            combined = combined + (ADVISED if self.colour else ADVISED_PLAIN)
        if target in self.targets:
            combined = combined + (LEGAL if self.colour else LEGAL_PLAIN)
        if target in self.chosen:
            combined = combined + (CHOSEN if self.colour else CHOSEN_PLAIN)
        if target == self.cursor:
            combined = combined + CURSOR
        return combined


class Board(Protocol):
    """Interface of a game's board module."""

    def size(self, view: Any, /) -> tuple[int, int]:
        """Return the smallest columns and rows of the board."""

    def draw(self, scene: Scene, width: int, height: int, /) -> CellCanvas:
        """Draw the board as large as `width` and `height` allow, but never smaller than `size`."""

    def path(self, view: Any, action: Any, /) -> Path:
        """Return the targets that lead to an action, first to last."""

    def cards(self, view: Any, /) -> Sequence[str]:
        """Return the names of the cards in play."""

    def seat_text(self, view: Any, seat: Seat, /) -> str:
        """Return the text beside a seat's name in the list of seats: its mark, its god."""

    def label(self, view: Any, target: Target, players: Players, /) -> str:
        """Return the text for a target that is not drawn."""
