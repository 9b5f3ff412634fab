"""A tenth of a class of fifty: planted faults are in their cells, others find nothing, and the time is enough."""

from __future__ import annotations

import asyncio
import time
from collections import defaultdict
from pathlib import Path

import pytest

from boardwire.conformance.server.check import Verdict
from boardwire.course import config
from boardwire.course.config import Criterion
from boardwire.course.plan import plan
from boardwire.course.results import RunResults, read_results
from boardwire.course.runner import run_course
from boardwire.engines.cage import CageTool, best_cage_tool

from .generated import FIFTY, KINDS, write_course

NIGHT_SECONDS = 6 * 3600.0
TENTH = ("correct", "correct", "occupied-cells", "client-crashes", "fork-bomb")
EXECUTED_SECONDS = 0.1
"""A task that takes less was not executed: an earlier one prevented it."""


def findings(run: RunResults, team: str) -> set[Criterion]:
    """Return the criteria in which a team has a case that was not passed."""
    return {
        criterion for criterion in Criterion for _, case in run.cases(team, criterion)
        if case.verdict in (Verdict.FAIL, Verdict.NOT_EXAMINED)
    }  # fmt: skip


def night_seconds(run: RunResults, directory: Path, concurrency: int) -> float:
    """Return the time for a class of fifty, if each of its tasks takes as long as one of this run that was executed."""
    taken = defaultdict[str, list[float]](list)
    for entry in run.entries:
        if entry.seconds > EXECUTED_SECONDS:
            taken[entry.task.partition("/")[0]].append(entry.seconds)
    write_course(directory, FIFTY)
    tasks = [key.partition("/")[0] for key in plan(config.load(directory))]
    return sum(sum(taken[kind]) / len(taken[kind]) for kind in tasks) / concurrency


@pytest.mark.skipif(best_cage_tool() is not CageTool.BUBBLEWRAP, reason="programs of teams run in bubblewrap here")
@pytest.mark.slow
def test_a_tenth_of_fifty_teams_is_judged_rightly_in_a_tenth_of_a_night(tmp_path: Path) -> None:
    kinds = write_course(tmp_path / "tenth", TENTH)
    course = config.load(tmp_path / "tenth")
    begun = time.monotonic()
    asyncio.run(run_course(course))
    assert time.monotonic() - begun < NIGHT_SECONDS / 10
    (run,) = read_results(course.directory)
    assert run.is_complete
    for team, kind in kinds.items():
        found = findings(run, team)
        assert found >= KINDS[kind].shows, team
        assert found <= KINDS[kind].shows | KINDS[kind].may_show, team
    night = night_seconds(run, tmp_path / "fifty", course.file.concurrency)
    print(f"fifty teams: {night / 3600:.1f} h")
    assert night < NIGHT_SECONDS
