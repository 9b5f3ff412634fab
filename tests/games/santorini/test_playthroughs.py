"""Golden playthroughs: whole matches written out, so that the diff of a file shows what a change of the rules does.

A file is a record (`record.parse_record` reads it) in which each line is followed, as comments, by how many choices
there were for each step and of which kind, what happened, and the position that came of it.  The test plays the steps
again and writes the file anew.  After a change that is meant, write the files again and look at the diff::

    python tests/games/santorini/test_playthroughs.py

Matches whose steps can no longer be taken are then played anew by their seed.
"""

from __future__ import annotations

import random
from collections import deque
from collections.abc import Iterator
from itertools import groupby
from pathlib import Path
from typing import Any

import msgspec
import pytest

from boardwire.errors import BoardwireError
from boardwire.games import santorini
from boardwire.games.santorini.notation import format_position
from boardwire.games.santorini.options import Draft, Options, Wording
from boardwire.games.santorini.position import FRESH
from boardwire.games.santorini.powers.catalogue import God
from boardwire.games.santorini.record import Played, Record, format_record, parse_record, record_match, replay

FOLDER = Path(__file__).parent / "playthroughs"
MATCHES: dict[str, tuple[Options, int, int]] = {
    # what is played, by how many, and the seed
    "base": (Options(Draft.NONE), 2, 1),
    "simple-printed-draft": (Options(Draft.PRINTED, pool=(God.APOLLO, God.MINOTAUR, God.HERMES)), 2, 2),
    "athena-pan-prometheus": (Options(Draft.GIVEN, gods=(God.ATHENA, God.PAN, God.PROMETHEUS)), 3, 3),
    "teams-online-draft": (Options(Draft.ONLINE), 4, 4),
    "luck": (Options(Draft.GIVEN, gods=(God.TYCHE, God.CHAOS), ply_cap=50), 2, 5),
    "hidden-workers": (Options(Draft.GIVEN, gods=(God.HECATE, God.ARTEMIS)), 2, 6),
    "secret-squares": (Options(Draft.GIVEN, gods=(God.MOERAE, God.GAEA, God.MEDUSA)), 3, 7),
    "heroes-printed": (Options(Draft.GIVEN, gods=(God.MEDEA, God.ODYSSEUS), wording=Wording.PRINTED), 2, 8),
    "fleece": (Options(Draft.FLEECE, gods=(God.TRITON,)), 2, 9),
    "tokens": (Options(Draft.GIVEN, gods=(God.CHARYBDIS, God.EUROPA, God.AEOLUS)), 3, 10),
    "powers-change-hands": (Options(Draft.GIVEN, gods=(God.CIRCE, God.NEMESIS), ply_cap=50), 2, 11),
    "night": (Options(Draft.GIVEN, gods=(God.NYX, God.ARES), ply_cap=50), 2, 12),
}


def play(options: Options, seats: int, seed: int) -> Record:
    rng, p, steps = random.Random(seed), santorini.new(options, seats), []
    while (decision := p.decision) is not None:
        steps.append((rng.choice(decision.seats), rng.choice(tuple(decision.choices))))
        p, _ = santorini.apply(p, *steps[-1])
    return record_match([f"player {seat + 1}" for seat in range(seats)], options, steps)


def written(record: Record) -> str:
    """A record with its details."""
    played = list(replay(record))
    groups = deque(
        list(steps)
        for _, steps in groupby(
            played,
            key=lambda step: (
                step.before.setup is None,
                step.taken.seat if step.before.setup is not None else step.before.ply,
            ),
        )
    )
    lines: list[str] = []
    begun = False
    for line in format_record(record).split("\n"):
        lines.append(line)
        begun = begun or line == "set-up"
        if begun and ": " in line and not line.startswith("result"):
            lines += details(groups.popleft())
    assert not groups
    return "\n".join(lines)


def details(steps: list[Played]) -> Iterator[str]:
    for step in steps:
        decision = step.before.decision
        assert decision is not None
        yield f"     ; one of {len(decision.choices)} to {decision.kind}"
        for event in step.events:
            yield f"     ;   {told(msgspec.to_builtins(event))}"
    after = steps[-1].after
    if after.setup is None and (after.outcome is not None or after.turn == FRESH):
        yield f"     ; {format_position(after)}"


def told(event: dict[str, Any]) -> str:
    """An event in words: its name, then what it says."""
    parts = [f"({told(value)})" if isinstance(value, dict) else f"{key}={value}" for key, value in event.items()]
    return " ".join([event["type"], *(part for part in parts if not part.startswith("type="))])


@pytest.mark.parametrize("name", MATCHES)
def test_a_playthrough_is_as_it_was(name: str) -> None:
    text = (FOLDER / f"{name}.txt").read_text(encoding="utf-8")
    record = parse_record(text)
    assert record.options == MATCHES[name][0]
    assert record.outcome is not None
    assert written(record) == text


def test_there_is_no_other_playthrough() -> None:
    assert {file.stem for file in FOLDER.iterdir()} == set(MATCHES)


def write() -> None:
    """Write all files again."""
    for name, (options, seats, seed) in MATCHES.items():
        file = FOLDER / f"{name}.txt"
        try:
            record = parse_record(file.read_text(encoding="utf-8"))
            if record.options != options:
                raise FileNotFoundError
        except (FileNotFoundError, BoardwireError):
            print(f"{name}: played anew")
            record = play(options, seats, seed)
        file.write_text(written(record), encoding="utf-8")


if __name__ == "__main__":
    write()
