"""Exchanges in a specification: transcripts as one of the clients sees them."""

from __future__ import annotations

import re
from pathlib import Path

from boardwire.testing.transcript import Transcript

PAGES = Path(__file__).parents[2] / "docs" / "dialects"


def exchanges(page: str) -> list[str]:
    """Return the exchanges of a specification, each a block of text that begins with a connection."""
    return re.findall(r"```text\n(\+ .*?)```", (PAGES / page).read_text(), re.DOTALL)


class OneSided(Transcript):
    """Play an exchange, ignoring messages to clients that it does not show."""

    def play(self, script: str) -> None:
        self._shown = set(re.findall(r"^< (\w+)", script, re.MULTILINE))
        super().play(script)

    def _collect(self, name: str) -> None:
        super()._collect(name)
        if name not in self._shown:
            self._received[name].clear()
