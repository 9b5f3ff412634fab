"""Replay every transcript of this folder."""

from __future__ import annotations

from pathlib import Path

import pytest

from .transcript import run

FILES = sorted((Path(__file__).parent / "transcripts").glob("*.txt"))


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_the_server_reproduces_the_transcript(file: Path) -> None:
    assert run(file.read_text()) == file.read_text()


def test_there_are_transcripts() -> None:
    assert len(FILES) >= 5
