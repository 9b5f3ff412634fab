"""A dialog with labelled fields, compact enough for 24 rows."""

from __future__ import annotations

from collections.abc import Iterable
from typing import ClassVar, TypeVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical
from textual.screen import ModalScreen
from textual.widget import Widget
from textual.widgets import Button, Label

R = TypeVar("R")


class Form(ModalScreen[R | None]):
    """Fields above an OK and a cancel button; `result` reads them."""

    CSS = """
    #form { width: 66; max-width: 100%; height: auto; max-height: 100%; border: round $accent; padding: 0 1;
            background: $surface; overflow-y: auto; }
    #form-title { text-style: bold; width: 1fr; }
    .row { height: 1; }
    .row Label { width: 18; }
    .row Select, .row Input { width: 1fr; }
    #problem { color: $error; height: auto; }
    #buttons { height: 1; margin-top: 1; }
    #hint { color: $text-muted; }
    #buttons Button { margin-right: 2; }
    """

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape", "cancel", "Cancel"),
        Binding("ctrl+s", "accept", "OK", show=False),
    ]

    heading = ""
    accept = "OK"

    def fields(self) -> Iterable[tuple[str, Widget]]:
        """Return the labels and fields."""
        return ()

    def result(self) -> R:
        """Return the result of the fields; raise `BoardwireError` or `ValueError` if they are invalid."""
        raise NotImplementedError

    def compose(self) -> ComposeResult:
        """Lay the fields out in rows."""
        with Vertical(id="form"):
            yield Label(self.heading, id="form-title", markup=False)
            for text, field in self.fields():
                with Horizontal(classes="row"):
                    yield Label(text, markup=False)
                    yield field
            yield Label("", id="problem", markup=False)
            with Horizontal(id="buttons"):
                yield Button(self.accept, id="accept", variant="primary", compact=True)
                yield Button("Cancel", id="cancel", compact=True)
                yield Label("Ctrl+S accepts", id="hint", markup=False)

    def on_mount(self) -> None:
        """Centre the dialog."""
        self.styles.align = ("center", "middle")

    def on_button_pressed(self, event: Button.Pressed) -> None:
        """Accept or cancel."""
        if event.button.id == "accept":
            self.action_accept()
        elif event.button.id == "cancel":
            self.dismiss(None)

    def on_input_submitted(self) -> None:
        """Accept when Enter is pressed in a field."""
        self.action_accept()

    def action_accept(self) -> None:
        """Close with the result, or show what is invalid."""
        from boardwire.errors import BoardwireError

        try:
            result = self.result()
        except (BoardwireError, ValueError) as error:
            self.query_one("#problem", Label).update(str(error))
        else:
            self.dismiss(result)

    def action_cancel(self) -> None:
        """Close without a result."""
        self.dismiss(None)
