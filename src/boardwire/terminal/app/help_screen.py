"""Help screen with keys, commands and the rules of the game."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar, Final

from rich.text import Text
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import VerticalScroll
from textual.screen import ModalScreen
from textual.widgets import Static

from boardwire.terminal import rulebook
from boardwire.terminal.app.table_screen import COMMANDS

_KEYS: Final = (
    ("arrows, Enter", "move the cursor over the choices, and choose"),
    ("mouse", "click a marked piece, then its place"),
    ("typing", "a move in notation, then Enter"),
    ("Tab", "board, choices, input line"),
    ("Esc", "take back a chosen piece; else leave"),
)


class HelpScreen(ModalScreen[None]):
    """Help for a table."""

    CSS = """
    HelpScreen { align: center middle; }
    #help { width: 76; max-width: 100%; height: 90%; border: round $accent; padding: 0 1; background: $surface;
            scrollbar-size-vertical: 1; }
    """
    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape,f1,q,enter", "close", "Close")]

    def __init__(self, game: str = "", cards: Sequence[str] = ()) -> None:
        super().__init__()
        self._game = game
        self._cards = cards

    def compose(self) -> ComposeResult:
        """Show everything in one scrolling text."""
        with VerticalScroll(id="help"):
            yield Static(self._text(), markup=False)

    def _text(self) -> Text:
        """Return the help: keys, commands, cards in this match and the rules of the game."""
        text = Text()
        text.append("Keys\n", style="bold")
        for key, meaning in _KEYS:
            text.append(f"  {key:<15}", style="bold")
            text.append(f"{meaning}\n")
        text.append("\nCommands\n", style="bold")
        for word, meaning in COMMANDS.items():
            text.append(f"  {word:<15}", style="bold")
            text.append(f"{meaning}\n")
        if self._cards:
            text.append("\nCards in this match\n", style="bold")
            for card in self._cards:
                text.append(f"  {' '.join(rulebook.rules(self._game, card))}\n")
        if self._game:
            text.append(f"\nRules of {self._game.capitalize()}\n", style="bold")
            for sentence in rulebook.rules(self._game):
                text.append(f"  {sentence}\n")
        text.append("\nEsc closes this help.", style="dim")
        return text

    def action_close(self) -> None:
        """Close."""
        self.dismiss()
