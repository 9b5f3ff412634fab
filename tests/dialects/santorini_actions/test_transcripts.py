"""The written conversations."""

from __future__ import annotations

from pathlib import Path

import pytest

from boardwire.testing.transcript import Transcript

from .players import ActionsHouse

FILES = sorted((Path(__file__).parent / "transcripts").glob("*.txt"))


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_the_conversation_goes_as_written(file: Path) -> None:
    Transcript(ActionsHouse(seed=0)).play_file(file)


def test_there_are_conversations() -> None:
    assert len(FILES) >= 9
