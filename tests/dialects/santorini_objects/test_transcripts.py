"""Every transcript of this folder holds.  A line `# deals:` in it names the gods that luck draws, a line
`# table: SEATS OPTIONS` opens a table of another set-up, which waits for the players."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest

from boardwire.games.santorini.actions import DealGod
from boardwire.games.santorini.options import Options
from boardwire.games.santorini.powers.catalogue import God
from boardwire.testing.transcript import Transcript

from .spoken import Hall, read, write

FILES = sorted((Path(__file__).parent / "transcripts").glob("*.txt"))


def house_of(script: str) -> Hall:
    deals = [line.split()[2:] for line in script.splitlines() if line.startswith("# deals:")]
    hall = Hall(deals=[DealGod(God(name)) for names in deals for name in names])
    for line in script.splitlines():
        if line.startswith("# table:"):
            seats, _, options = line.removeprefix("# table:").strip().partition(" ")
            hall.open(msgspec.json.decode(options, type=Options), int(seats))
    return hall


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_the_conversation_goes_as_written(file: Path) -> None:
    script = file.read_text()
    Transcript(house_of(script), read, write).play(script)


def test_there_are_transcripts() -> None:
    assert len(FILES) >= 13
