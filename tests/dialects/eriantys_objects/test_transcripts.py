"""Conversations written down."""

from __future__ import annotations

from pathlib import Path

import pytest

from boardwire.testing.transcript import Transcript

from .spoken import Hall, read, write

TRANSCRIPTS = sorted((Path(__file__).parent / "transcripts").glob("*.txt"))


@pytest.mark.parametrize("path", TRANSCRIPTS, ids=lambda path: path.stem)
def test_the_conversation_goes_as_written(path: Path) -> None:
    Transcript(Hall(seed=0), read, write).play_file(path)


def test_there_are_transcripts() -> None:
    assert len(TRANSCRIPTS) >= 3
