"""Every transcript of this folder holds."""

from pathlib import Path

import pytest

from boardwire.testing.transcript import Transcript

FILES = sorted((Path(__file__).parent / "transcripts").glob("*.txt"))


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_the_server_reproduces_the_transcript(file: Path) -> None:
    Transcript().play_file(file)


def test_there_are_transcripts() -> None:
    assert len(FILES) >= 12
