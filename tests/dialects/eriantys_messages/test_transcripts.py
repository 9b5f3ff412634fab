"""Replay every transcript of this folder.

A line `= SUBJECT = VALUE; ...` continues the match from that position, and drops the earlier messages.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from boardwire.simulation.server import SimulatedServer
from boardwire.testing.transcript import Transcript

from .players import put

FILES = sorted((Path(__file__).parent / "transcripts").glob("*.txt"))


class Staged(Transcript):
    """A transcript that may begin in the middle of a match."""

    def _step(self, mark: str, rest: str) -> None:
        if mark == "=":
            put(self.server, self.peers.values(), rest)
            self._received = {name: [] for name in self.peers}
        else:
            super()._step(mark, rest)


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_the_server_reproduces_the_transcript(file: Path) -> None:
    Staged(SimulatedServer(seed=7)).play_file(file)


def test_there_are_transcripts() -> None:
    assert len(FILES) >= 25
