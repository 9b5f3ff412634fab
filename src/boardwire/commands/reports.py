"""Reports of the commands that examine programs: `check`, `check-client` and `proxy`."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from cyclopts import Parameter

if TYPE_CHECKING:
    from boardwire.conformance.server.check import CheckResult

Reports = Annotated[list[tuple[str, Path]] | None, Parameter(name="--report", negative="")]
"""Type of the repeatable flag `--report FORMAT FILE`."""


@contextmanager
def reporting(
    kind: str,
    dialect: str,
    subject: str,
    command: tuple[str, ...],
    requested: list[tuple[str, Path]] | None,
    language: str,
) -> Iterator[list[CheckResult]]:
    """Yield a list for the findings and, when the block ends without an error, write the requested reports."""
    from boardwire.conformance import language as findings_language
    from boardwire.conformance import report

    report.check(requested or (), language)
    findings_language.set_language(language)
    findings: list[CheckResult] = []
    started = time.time()
    yield findings
    examination = report.Examination(
        kind=kind,
        dialect=dialect,
        subject=subject,
        command=("boardwire", *command),
        at=time.strftime("%Y-%m-%dT%H:%M:%S", time.localtime(started)),
        seconds=time.time() - started,
        findings=tuple(findings),
    )
    report.write(examination, requested or (), language)
