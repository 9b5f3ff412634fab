"""A grid of styled characters with clickable regions, each mapped to a target.

Boards draw on it; the board widget shows it and looks up clicked targets. Wide characters take two cells, and
zero-width characters are left out, so that a name cannot shift the text to its right.
"""

from __future__ import annotations

from collections.abc import Iterable

from rich.cells import get_character_cell_size
from rich.segment import Segment
from rich.style import Style

from boardwire.terminal.app.selection import Target

PLAIN = Style()


class CellCanvas:
    """Characters, styles and targets by cell."""

    def __init__(self, width: int, height: int) -> None:
        self.width = width
        self.height = height
        self._characters = [[" "] * width for _ in range(height)]
        self._styles = [[PLAIN] * width for _ in range(height)]
        self._targets: dict[tuple[int, int], Target] = {}

    def put(self, x: int, y: int, text: str, style: Style = PLAIN) -> int:
        """Write `text`, truncated at the right edge; return the column after it."""
        if not 0 <= y < self.height:
            return x
        for character in text:
            width = get_character_cell_size(character)
            if width == 0:
                continue
            if x + width > self.width:
                break
            if x >= 0:
                self._characters[y][x] = character
                self._styles[y][x] = self._styles[y][x] + style
                if width == 2:
                    self._characters[y][x + 1] = ""
                    self._styles[y][x + 1] = self._styles[y][x]
            x += width
        return x

    def tint(self, x: int, y: int, width: int, height: int, style: Style) -> None:
        """Add a style to a region."""
        for row in range(max(y, 0), min(y + height, self.height)):
            for column in range(max(x, 0), min(x + width, self.width)):
                self._styles[row][column] = self._styles[row][column] + style

    def claim(self, x: int, y: int, width: int, height: int, target: Target) -> None:
        """Map a region to `target`."""
        for row in range(max(y, 0), min(y + height, self.height)):
            for column in range(max(x, 0), min(x + width, self.width)):
                self._targets[column, row] = target

    def target_at(self, x: int, y: int) -> Target | None:
        """Return the target of a cell, or None."""
        return self._targets.get((x, y))

    def centres(self, targets: Iterable[Target]) -> dict[Target, tuple[float, float]]:
        """Return the centre of the region of each target that has one."""
        wanted_targets = set(targets)
        cells: dict[Target, list[tuple[int, int]]] = {}
        for cell, target in self._targets.items():
            if target in wanted_targets:
                cells.setdefault(target, []).append(cell)
        return {
            target: (sum(x for x, _ in covered) / len(covered), sum(y for _, y in covered) / len(covered))
            for target, covered in cells.items()
        }

    def region(self, target: Target) -> tuple[int, int, int, int] | None:
        """Return column, row, width and height of a target's region, or None if it has none."""
        cells = [cell for cell, other in self._targets.items() if other == target]
        if not cells:
            return None
        left, top = min(x for x, _ in cells), min(y for _, y in cells)
        return left, top, max(x for x, _ in cells) - left + 1, max(y for _, y in cells) - top + 1

    def line(self, y: int) -> list[Segment]:
        """Return a row as segments of equal style."""
        segments: list[Segment] = []
        start = 0
        characters, styles = self._characters[y], self._styles[y]
        for x in range(1, self.width + 1):
            if x == self.width or styles[x] != styles[start]:
                segments.append(Segment("".join(characters[start:x]), styles[start]))
                start = x
        return segments

    def text(self) -> str:
        """Return all rows without styles."""
        return "\n".join("".join(row).rstrip() for row in self._characters)
