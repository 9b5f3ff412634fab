"""Widget of a match's log: wraps its lines again when its width changes."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable
from typing import Final

from rich.text import Text
from textual import events
from textual.widgets import RichLog

from boardwire.terminal.app.match_model import MAX_LOG_LINES, LineKind, LogLine

_STYLES: Final = {
    LineKind.NEWS: "bold",
    LineKind.CHAT: "",
    LineKind.NOTE: "dim",
    LineKind.ERROR: "#ff8787",
    LineKind.ADVICE: "#87afff",
    LineKind.RESULT: "bold reverse",
}


class LogView(RichLog):
    """Lines of a log, scrolled to the newest."""

    can_focus = False

    def __init__(self, *, id: str | None = None) -> None:  # noqa: A002 - textual's name
        super().__init__(id=id, wrap=True, markup=False, highlight=False, min_width=1, auto_scroll=True)
        self._entries: deque[LogLine] = deque(maxlen=MAX_LOG_LINES)
        self._wrapped_width = 0

    def add(self, lines: Iterable[LogLine]) -> None:
        """Append lines."""
        for line in lines:
            self._entries.append(line)
            self.write(_text(line))

    def forget(self) -> None:
        """Remove all lines."""
        self._entries.clear()
        self.clear()

    def on_resize(self, event: events.Resize) -> None:
        """Wrap all lines for the new width."""
        width = self.scrollable_content_region.width
        if width != self._wrapped_width:
            self._wrapped_width = width
            self.clear()
            for line in self._entries:
                self.write(_text(line))


def _text(line: LogLine) -> Text:
    if line.kind is LineKind.CHAT:
        return Text.assemble((f"{line.name}: ", "bold #5fd7ff"), line.text)
    return Text(line.text, style=_STYLES[line.kind])
