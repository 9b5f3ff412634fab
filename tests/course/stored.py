"""A course directory with one stored run of two teams, each with a finding, a transcript and a match."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

from tests.api.api_fixture import Sitting

from boardwire.conformance.server.check import ConversationLine, Verdict
from boardwire.course import config
from boardwire.course.config import Criterion
from boardwire.course.results import Case, Cell, ResultsWriter, RunInfo, TaskEntry, write_run
from boardwire.lobby.held_seats import token_hash
from boardwire.simulation.server import SimulatedServer
from boardwire.store.sqlite import SqliteJournal

START = datetime(2026, 11, 1, 2, 0, tzinfo=UTC)
RUN = "20261101-020000-abcd"
MATCH = f"{RUN}-match-rossi-verdi-0000"
TOKENS = {"teacher": "teacher-" + "t" * 24, "rossi": "rossi-" + "r" * 24, "verdi": "verdi-" + "v" * 24}
COURSE = """
name = "Programming"
game = "tris"
protocol = "tris-lines"
visibility = "{visibility}"
teacher_token_hash = "{teacher}"
criterion = [{{name = "server", weight = 10}}, {{name = "tournament", weight = 2}}]
[[team]]
name = "rossi"
title = "Rossi <b>"
server.address = "h:1"
client.listen = 7001
token_hash = "{rossi}"
[[team]]
name = "verdi"
server.address = "h:2"
client.listen = 7002
token_hash = "{verdi}"
"""


def write_course(directory: Path, visibility: str) -> None:
    """Write the course's file; its size changes with the visibility."""
    hashes = {name: token_hash(token) for name, token in TOKENS.items()}
    text = COURSE.format(visibility=visibility, **hashes)
    (directory / config.COURSE_FILE).write_text(text + "# changed" * len(visibility), "utf-8")


def store_run(directory: Path) -> None:
    """Store a run with its files and a match."""
    cases = {
        "rossi": (Case("wait", Verdict.PASS), _finding("rossi")),
        "verdi": (Case("wait", Verdict.PASS), _finding("verdi")),
    }
    entries = [
        TaskEntry(f"server/{team}", START, (Cell(team, Criterion.SERVER, found),)) for team, found in cases.items()
    ]
    entries.append(
        TaskEntry(
            "tournament/rossi/verdi",
            START,
            (
                Cell("rossi", Criterion.TOURNAMENT, (Case("match 1", Verdict.PASS, points=1.0),), "verdi"),
                Cell("verdi", Criterion.TOURNAMENT, (Case("match 1", Verdict.PASS, points=0.0),), "rossi"),
            ),
        )
    )
    write_run(directory, RunInfo(RUN, START, tasks=tuple(entry.task for entry in entries)))
    writer = ResultsWriter(directory, RUN)
    for entry in entries:
        writer.append(entry)
    writer.close()
    place = directory / "runs" / RUN
    for team in cases:
        (place / "files" / f"{team}.jsonl").write_text(f"transcript of {team}\n")
    (place / "files" / "secret.txt").write_text("of nobody\n")
    (directory / "outside.txt").write_text("outside\n")
    server = SimulatedServer(seed=1)
    Sitting(server, "tris").act(0, 3, 1, 4, 2)
    (place / "matches").mkdir()
    journal = SqliteJournal(place / "matches", lambda call, *given: call(*given), print)
    journal.append(MATCH, 1, server.events(), lambda result: None)
    journal.close()


def _finding(team: str) -> Case:
    said = (ConversationLine(1, "<", "WAIT"), ConversationLine(1, ">", "9"))
    return Case(
        "cells", Verdict.FAIL, "docs/dialects/tris-lines.md, 5", "got OK", conversation=said,
        transcript=f"{team}.jsonl", replay=MATCH, repeat="boardwire check tris-lines",
    )  # fmt: skip
