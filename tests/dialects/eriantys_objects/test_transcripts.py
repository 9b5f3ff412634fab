"""Replay every transcript of this folder."""

from __future__ import annotations

from pathlib import Path

import pytest

from boardwire.dialects.dialect import Dialect
from boardwire.dialects.eriantys_objects import messages as wire
from boardwire.simulation.server import SimulatedConnection
from boardwire.testing.transcript import Transcript

from .spoken import OBJECTS, Hall, read, write

TRANSCRIPTS = sorted((Path(__file__).parent / "transcripts").glob("*.txt"))


class GreetedHall(Hall):
    """A server that reads the stream's header when a client connects; transcripts have no line for it."""

    def connect(self, dialect: str | Dialect) -> SimulatedConnection:
        peer = super().connect(OBJECTS if dialect == "objects" else dialect)
        peer.send(wire.GREETING)
        return peer


@pytest.mark.parametrize("path", TRANSCRIPTS, ids=lambda path: path.stem)
def test_the_server_reproduces_the_transcript(path: Path) -> None:
    Transcript(GreetedHall(seed=0), read, write).play_file(path)


def test_there_are_transcripts() -> None:
    assert len(TRANSCRIPTS) >= 3
