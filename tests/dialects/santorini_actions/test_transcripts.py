"""Transcripts of conversations. A line `# table: SEATS OPTIONS` opens a waiting table with another set-up."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest

from boardwire.games.santorini import Options
from boardwire.testing.transcript import Transcript

from .players import ActionsServer, open_table

FILES = sorted((Path(__file__).parent / "transcripts").glob("*.txt"))


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_the_transcript_matches_the_server(file: Path) -> None:
    server, script = ActionsServer(seed=0), file.read_text()
    for line in script.splitlines():
        if line.startswith("# table:"):
            seats, _, options = line.removeprefix("# table:").strip().partition(" ")
            open_table(server, msgspec.json.decode(options, type=Options), int(seats))
    Transcript(server).play(script)


def test_transcripts_exist() -> None:
    assert len(FILES) >= 9
