"""The written conversations.  A line `# table: SEATS OPTIONS` opens a table of another set-up, which waits for them."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest

from boardwire.games.santorini import Options
from boardwire.testing.transcript import Transcript

from .players import ActionsHouse, open_table

FILES = sorted((Path(__file__).parent / "transcripts").glob("*.txt"))


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_the_conversation_goes_as_written(file: Path) -> None:
    house, script = ActionsHouse(seed=0), file.read_text()
    for line in script.splitlines():
        if line.startswith("# table:"):
            seats, _, options = line.removeprefix("# table:").strip().partition(" ")
            open_table(house, msgspec.json.decode(options, type=Options), int(seats))
    Transcript(house).play(script)


def test_there_are_conversations() -> None:
    assert len(FILES) >= 9
