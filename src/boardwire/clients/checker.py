"""`boardwire check`: a conformance run against any server of a protocol, ours or somebody else's.

A server passes if every check of its page was judged and passed: what could not be examined has not passed.  What is to
be mended first stands at the top.
"""

from __future__ import annotations

import asyncio
import sys
from collections import Counter
from collections.abc import Iterator, Sequence

import msgspec

from boardwire.clients.checks import checks, probe
from boardwire.clients.checks.check import Finding, Verdict, run
from boardwire.clients.paint import Paint, for_terminal

_COLOUR = {Verdict.FAIL: "red", Verdict.NOT_EXAMINED: "yellow", Verdict.PASS: "green"}
"""In the order in which findings are printed."""


def check(dialect: str, host: str, port: int, *, json: bool, wait: float, restart: str = "") -> bool:
    """Run all checks of `dialect`, print what they find, and tell whether all were judged and passed."""
    return asyncio.run(_check(dialect, host, port, json, wait, restart))


async def _check(dialect: str, host: str, port: int, json: bool, wait: float, restart: str = "") -> bool:
    trials = checks(dialect)
    found: list[Finding] = []
    async for finding in run(trials, probe(dialect, host, port, wait, restart)):
        found.append(finding)
        if json:
            print(_object(finding), flush=True)
        elif sys.stderr.isatty():
            print(f"\r{len(found)} of {len(trials)} checks", end="", file=sys.stderr, flush=True)
    if not json:
        if sys.stderr.isatty():
            print("\r\033[K", end="", file=sys.stderr, flush=True)
        for line in report(found, for_terminal()):
            print(line)
    return all(finding.verdict is Verdict.PASS for finding in found)


def _object(finding: Finding) -> str:
    """A finding as one line of JSON."""
    fields = {"name": finding.name, "section": finding.section, "verdict": finding.verdict, "detail": _detail(finding)}
    return msgspec.json.encode(fields).decode()


def report(found: Sequence[Finding], paint: Paint) -> Iterator[str]:
    """Findings for people: what failed, what was not examined, what passed, and the sum."""
    for verdict, colour in _COLOUR.items():
        for finding in found:
            if finding.verdict is verdict:
                yield f"{paint(verdict.value, colour)}  {finding.name} ({finding.section})"
                yield from (f"      {line}" for line in _detail(finding).splitlines())
    yield _sum(found)


def _detail(finding: Finding) -> str:
    return f'because of "{finding.because}"' if finding.because else finding.detail


def _sum(found: Sequence[Finding]) -> str:
    """How many passed, failed and were not examined, and because of what."""
    count = Counter(finding.verdict for finding in found)
    causes = Counter(finding.because for finding in found if finding.verdict is Verdict.NOT_EXAMINED)
    lost = [f"{many} not examined" + (f' because of "{name}"' if name else "") for name, many in causes.items()]
    return ", ".join([f"{count[Verdict.PASS]} passed", f"{count[Verdict.FAIL]} failed", *(lost or ["0 not examined"])])
