"""Widget of a board: draws it, and converts clicks and keys to choices.

- The cursor is always on a target that can be chosen; an arrow key moves it to the nearest one in that direction.
- Enter, space or a click select a target. Escape and backspace deselect the last one.
"""

from __future__ import annotations

from typing import Any, ClassVar, Final

from msgspec.structs import replace
from rich.segment import Segment
from textual import events
from textual.binding import Binding, BindingType
from textual.geometry import Size
from textual.message import Message
from textual.strip import Strip
from textual.widget import Widget

from boardwire.dialects.dialect import Ask, Players
from boardwire.terminal.app.boards import board
from boardwire.terminal.app.boards.board import Scene
from boardwire.terminal.app.canvas import CellCanvas
from boardwire.terminal.app.selection import CHOICE, Selection, Target
from boardwire.terminal.choices import Choice
from boardwire.terminal.screens import screen

_SIDEWAYS: Final = 2.0
"""Weight of a distance across the arrow's direction, relative to one along it."""
_ROW_HEIGHT: Final = 2.0
"""Height of a terminal row, in columns."""


class BoardWidget(Widget):
    """A game's board."""

    can_focus = True

    DEFAULT_CSS = """
    BoardWidget { width: auto; height: auto; }
    """

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("left", "move(-1, 0)", "Left", show=False),
        Binding("right", "move(1, 0)", "Right", show=False),
        Binding("up", "move(0, -1)", "Up", show=False),
        Binding("down", "move(0, 1)", "Down", show=False),
        Binding("enter,space", "choose", "Choose", show=False),
        Binding("backspace", "back", "Take back", show=False),
    ]

    class Chosen(Message):
        """The player has chosen an action."""

        def __init__(self, action: Any) -> None:
            super().__init__()
            self.action = action

    class Narrowed(Message):
        """The targets that can be chosen have changed."""

    def __init__(self, game: str, *, id: str | None = None) -> None:  # noqa: A002 - textual's name
        super().__init__(id=id)
        self._game = game
        self._board = board(game)
        self._notation = screen(game)
        self._scene: Scene | None = None
        self._ask: Ask | None = None
        self._selection = Selection(())
        self._cursor: Target | None = None
        self._advised: Any = None
        """The action that a hint suggests; its path is marked on the board."""
        self._canvas = CellCanvas(1, 1)
        self._room = (0, 0)

    # --- content ----------------------------------------------------------------------------------------------------

    def show(self, view: Any, before: Any, players: Players, ask: Ask | None = None, advised: Any = None) -> None:
        """Show a view, with the open question if there is one."""
        if ask is not self._ask:
            self._ask = ask
            self._selection = Selection(
                () if ask is None else ((self._board.path(ask.view, action), action) for action in ask.decision.choices)
            )
            self._cursor = None
        self._advised = advised
        self._scene = Scene(view, players, before)
        self._redraw()

    def fit(self, width: int, height: int) -> None:
        """Draw the board as large as this size allows."""
        if (width, height) != self._room:
            self._room = width, height
            self._redraw()

    def _redraw(self) -> None:
        """Draw the board again; the cursor moves to a target that is drawn."""
        if self._scene is None or self._scene.view is None:
            self._canvas = CellCanvas(1, 1)
            self.refresh(layout=True)
            return
        targets = self._selection.targets
        advised = () if self._advised is None else self._selection.path_of(self._advised)
        scene = replace(
            self._scene,
            targets=targets,
            chosen=self._selection.prefix,
            advised=advised,
            colour=not self.app.no_color,
        )
        canvas = self._board.draw(scene, *self._room)
        drawn = canvas.centres(targets)
        if self._cursor not in drawn:
            self._cursor = next((target for target in targets if target in drawn), None)
        if self._cursor is not None and self.has_focus:
            canvas = self._board.draw(replace(scene, cursor=self._cursor), *self._room)
        grown = (canvas.width, canvas.height) != (self._canvas.width, self._canvas.height)
        self._canvas = canvas
        self.refresh(layout=grown)

    @property
    def canvas(self) -> CellCanvas:
        """The drawn board."""
        return self._canvas

    @property
    def selection(self) -> Selection:
        """The choices, narrowed by the targets chosen so far."""
        return self._selection

    def undrawn(self) -> list[tuple[Target, str]]:
        """Return the targets that are not drawn on the board, with their labels."""
        ask = self._ask
        if ask is None or self._scene is None:
            return []
        targets = self._selection.targets
        drawn = self._canvas.centres(targets)
        return [(target, self._words(ask, target)) for target in targets if target not in drawn]

    def _words(self, ask: Ask, target: Target) -> str:
        players = self._scene.players if self._scene is not None else Players()
        if target.kind == CHOICE:
            choice: Choice = self._notation.choice_list(ask.view, ask.decision, players)[target.key]
            return choice.typed
        return self._board.label(ask.view, target, players)

    # --- choosing ---------------------------------------------------------------------------------------------------

    def choose(self, target: Target) -> None:
        """Choose a target, which need not be drawn."""
        if self._ask is None:
            return
        chosen = self._selection.choose(target)
        if chosen is not None:
            self.post_message(self.Chosen(chosen[0]))
        else:
            self._redraw()
            self.post_message(self.Narrowed())

    def action_choose(self) -> None:
        """Choose the target under the cursor."""
        if self._cursor is not None:
            self.choose(self._cursor)

    def back(self) -> bool:
        """Deselect the last target; return whether there was one."""
        done = self._selection.back()
        if done:
            self._redraw()
            self.post_message(self.Narrowed())
        return done

    def action_back(self) -> None:
        """Deselect the last target."""
        self.back()

    def action_move(self, dx: int, dy: int) -> None:
        """Move the cursor to the nearest target in a direction."""
        centres = self._canvas.centres(self._selection.targets)
        if self._cursor not in centres:
            self._cursor = next(iter(centres), None)
            self._redraw()
            return
        x, y = centres[self._cursor]
        best: tuple[float, Target] | None = None
        for target, (column, row) in centres.items():
            along = (column - x) * dx + (row - y) * dy * _ROW_HEIGHT
            across = abs((column - x) * dy) + abs((row - y) * dx) * _ROW_HEIGHT
            if along > 0 and (best is None or along + across * _SIDEWAYS < best[0]):
                best = along + across * _SIDEWAYS, target
        if best is not None:
            self._cursor = best[1]
            self._redraw()

    def on_click(self, event: events.Click) -> None:
        """Choose the clicked target."""
        target = self._canvas.target_at(event.x - self._offset_x, event.y)
        if target is not None:
            self.choose(target)

    def watch_has_focus(self, has_focus: bool) -> None:
        """Show or hide the cursor."""
        super().watch_has_focus(has_focus)
        self._redraw()

    # --- drawing ----------------------------------------------------------------------------------------------------

    @property
    def _offset_x(self) -> int:
        return max(0, (self.size.width - self._canvas.width) // 2)

    def get_content_width(self, container: Size, viewport: Size) -> int:
        """Return the board's width."""
        return self._canvas.width

    def get_content_height(self, container: Size, viewport: Size, width: int) -> int:
        """Return the board's height."""
        return self._canvas.height

    def render_line(self, y: int) -> Strip:
        """Return a row of the board, centred in the widget."""
        base = self.rich_style
        if y >= self._canvas.height:
            return Strip.blank(self.size.width, base)
        left = Segment(" " * self._offset_x, base)
        return Strip([left, *self._canvas.line(y)]).apply_style(base).adjust_cell_length(self.size.width, base)
