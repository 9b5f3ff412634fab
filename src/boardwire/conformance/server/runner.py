"""`boardwire check`: a conformance run against any server of a protocol, ours or somebody else's.

A server passes if every check of its page was judged and passed: what could not be examined has not passed.  What is to
be mended first stands at the top.
"""

from __future__ import annotations

import asyncio
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from difflib import SequenceMatcher
from typing import Final, Protocol, TypeVar

import msgspec

from boardwire.conformance.server import checks, probe
from boardwire.conformance.server.check import Finding, Verdict, run
from boardwire.errors import Malformed
from boardwire.output import sequence
from boardwire.terminal.colours import Paint, for_terminal
from boardwire.wire.text import escaped

CLOSEST: Final = 5
"""Names that are suggested for one that is unknown."""

_COLOUR = {Verdict.FAIL: "red", Verdict.NOT_EXAMINED: "yellow", Verdict.SKIPPED: "yellow", Verdict.PASS: "green"}
"""In the order in which findings are printed."""


def check(
    dialect: str,
    host: str,
    port: int,
    *,
    json: bool,
    wait: float,
    restart: str = "",
    only: str = "",
    alone: bool = False,
) -> list[Finding]:
    """Run the checks of `dialect` whose name has `only` in it, print what they find, and give it."""
    return asyncio.run(_check(dialect, host, port, json, wait, restart, only, alone=alone))


async def _check(
    dialect: str,
    host: str,
    port: int,
    json: bool,
    wait: float,
    restart: str = "",
    only: str = "",
    *,
    alone: bool = False,
) -> list[Finding]:
    trials = named(checks(dialect), only)
    found: list[Finding] = []
    async for finding in run(trials, probe(dialect, host, port, wait, restart, alone=alone)):
        found.append(finding)
        if json:
            print(as_json(finding), flush=True)
        elif sys.stderr.isatty():
            back = sequence("\r", sys.stderr)
            print(f"{back}{len(found)} of {len(trials)} checks", end="", file=sys.stderr, flush=True)
    if not json:
        if sys.stderr.isatty():
            print(sequence("\r", sys.stderr) + sequence("[K", sys.stderr), end="", file=sys.stderr, flush=True)
        for line in report(found, for_terminal()):
            print(line)
    return found


def passed(found: Sequence[Finding]) -> bool:
    """Whether everything was judged and passed."""
    return all(finding.verdict is Verdict.PASS for finding in found)


class Titled(Protocol):
    """Whatever has a name: a check."""

    @property
    def name(self) -> str: ...


Named = TypeVar("Named", bound=Titled)


def named(some: Sequence[Named], only: str) -> tuple[Named, ...]:
    """Return those with `only` in their names; `Malformed` with the closest names if there are none."""
    found = tuple(one for one in some if only in one.name)
    if not found:
        close = "; ".join(closest(only, [one.name for one in some]))
        raise Malformed(f"--only {only!r}: no check has that in its name; the closest are: {close}")
    return found


def closest(text: str, names: Sequence[str]) -> list[str]:
    """Return the `CLOSEST` names most similar to a text, the best first; words of a name count as much as the whole."""

    def likeness(name: str) -> float:
        matcher = SequenceMatcher(b=text.lower())
        ratios = []
        for part in (name, *name.split()):
            matcher.set_seq1(part.lower())
            ratios.append(matcher.ratio())
        return max(ratios)

    return sorted(names, key=likeness, reverse=True)[:CLOSEST]


def as_json(finding: Finding) -> str:
    """A finding as one line of JSON."""
    fields = {"name": finding.name, "section": finding.section, "verdict": finding.verdict, "detail": finding.words}
    return msgspec.json.encode(fields).decode()


def report(found: Sequence[Finding], paint: Paint) -> Iterator[str]:
    """Findings for people: what failed, what was not examined or skipped, what passed, and the sum.

    All skipped checks have the same reason, which is printed once.
    """
    told: set[str] = set()
    for verdict, colour in _COLOUR.items():
        for finding in found:
            if finding.verdict is verdict:
                yield f"{paint(verdict.value, colour)}  {finding.name} ({finding.section})"
                if verdict is not Verdict.SKIPPED or finding.words not in told:
                    yield from (f"      {escaped(line)}" for line in finding.words.split("\n") if line)
                told.add(finding.words)
    yield _sum(found)


def _sum(found: Sequence[Finding]) -> str:
    """How many passed, failed and were not examined, and because of what."""
    count = Counter(finding.verdict for finding in found)
    causes = Counter(finding.because for finding in found if finding.verdict is Verdict.NOT_EXAMINED)
    lost = [f"{many} not examined" + (f' because of "{name}"' if name else "") for name, many in causes.items()]
    skipped = [f"{count[Verdict.SKIPPED]} skipped"] if count[Verdict.SKIPPED] else []
    judged = [f"{count[Verdict.PASS]} passed", f"{count[Verdict.FAIL]} failed"]
    return ", ".join([*judged, *(lost or ["0 not examined"]), *skipped])
