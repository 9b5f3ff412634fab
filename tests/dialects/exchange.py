"""The exchanges that a dialect's page shows: transcripts, as one of the clients sees them."""

from __future__ import annotations

import re
from pathlib import Path

from boardwire.testing.transcript import Transcript

PAGES = Path(__file__).parents[2] / "docs" / "dialects"


def exchanges(page: str) -> list[str]:
    """The exchanges on a page, each a block of text that begins with a connection."""
    return re.findall(r"```text\n(\+ .*?)```", (PAGES / page).read_text(), re.DOTALL)


class OneSided(Transcript):
    """Plays an exchange; what clients are told of whom it shows no line is not looked at."""

    def play(self, script: str) -> None:
        self._shown = set(re.findall(r"^< (\w+)", script, re.MULTILINE))
        super().play(script)

    def _gather(self, name: str) -> None:
        super()._gather(name)
        if name not in self._shown:
            self._said[name].clear()
