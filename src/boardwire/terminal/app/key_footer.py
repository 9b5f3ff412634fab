"""Footer that lists the keys of a screen."""

from __future__ import annotations

from textual.screen import Screen
from textual.widgets import Footer


class KeyFooter(Footer):
    """Compact footer that is composed again only when its keys change.

    textual composes its footer at each change of focus, with a widget for each key: 3 of 4 widgets that the client
    created, and a sixth of the CPU time of a short session.
    """

    def __init__(self) -> None:
        super().__init__(compact=True, show_command_palette=False)
        self._keys: list[tuple[str, str, bool]] | None = None

    def bindings_changed(self, screen: Screen[object]) -> None:
        """Compose the footer for the keys of its screen, if they differ from those that it shows."""
        if screen is not self.screen or not screen.app.app_focus:
            return
        keys = [
            (binding.key, binding.description, enabled)
            for _, binding, enabled, _ in screen.active_bindings.values()
            if binding.show
        ]
        if keys != self._keys:
            self._keys = keys
            super().bindings_changed(screen)
