"""Transcripts of conversations.

A line `# deals:` names the gods that chance draws, a line `# table: SEATS OPTIONS` opens a waiting table with another
set-up.
"""

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
def test_the_transcript_matches_the_server(file: Path) -> None:
    script = file.read_text()
    Transcript(house_of(script), read, write).play(script)


def test_transcripts_exist() -> None:
    assert len(FILES) >= 13
