"""Every transcript of this folder holds, and so does the exchange that the page shows."""

from pathlib import Path

import pytest

from boardwire.testing.transcript import Transcript

from ..exchange import OneSided, exchanges

FILES = sorted((Path(__file__).parent / "transcripts").glob("*.txt"))
EXCHANGES = exchanges("forza-lines.md")


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_the_server_reproduces_the_transcript(file: Path) -> None:
    Transcript().play_file(file)


def test_the_conversation_in_the_specification_is_real() -> None:
    (exchange,) = EXCHANGES
    OneSided().play(exchange)


def test_there_are_transcripts() -> None:
    assert len(FILES) >= 4
