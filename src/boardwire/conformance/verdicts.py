"""Selection and output of check results, shared by `boardwire check` and `boardwire check-client`.

- Results are printed failures first, so that the first thing to fix is at the top.
- An examination succeeds if every check was judged and passed; a check that was not examined has not passed.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from difflib import SequenceMatcher
from typing import Final, Protocol, TypeVar

import msgspec

from boardwire.conformance.server.check import CheckResult, Verdict
from boardwire.errors import Malformed
from boardwire.terminal.colours import Paint
from boardwire.wire.text import escaped

MAX_SUGGESTIONS: Final = 5
"""Number of names suggested for an unknown one."""

COLOURS: Final = {
    Verdict.FAIL: "red",
    Verdict.NOT_EXAMINED: "yellow",
    Verdict.SKIPPED: "yellow",
    Verdict.PASS: "green",
}
"""Colour of each verdict, in the order of printing."""


class _HasName(Protocol):
    @property
    def name(self) -> str: ...


_Named = TypeVar("_Named", bound=_HasName)


def all_passed(results: Sequence[CheckResult]) -> bool:
    """Return whether every check was judged and passed."""
    return all(result.verdict is Verdict.PASS for result in results)


def select(checks: Sequence[_Named], only: str) -> tuple[_Named, ...]:
    """Return the checks with `only` in their names; raise `Malformed` with suggestions if there are none."""
    selected = tuple(check for check in checks if only in check.name)
    if not selected:
        close = "; ".join(_closest(only, [check.name for check in checks]))
        raise Malformed(f"--only {only!r}: no check has this in its name; the closest are: {close}")
    return selected


def _closest(text: str, names: Sequence[str]) -> list[str]:
    """Return the names most similar to a text, compared with each whole name and with each of its words."""

    def similarity(name: str) -> float:
        matcher = SequenceMatcher(b=text.lower())
        ratios = []
        for part in (name, *name.split()):
            matcher.set_seq1(part.lower())
            ratios.append(matcher.ratio())
        return max(ratios)

    return sorted(names, key=similarity, reverse=True)[:MAX_SUGGESTIONS]


def as_json(result: CheckResult) -> str:
    """Return a result as one line of JSON."""
    fields = {"name": result.name, "section": result.section, "verdict": result.verdict, "detail": result.words}
    return msgspec.json.encode(fields).decode()


def lines(results: Sequence[CheckResult], paint: Paint) -> Iterator[str]:
    """Yield the printed form of results: failed, not examined, skipped, passed, and the totals.

    All skipped checks have the same reason, which is printed once.
    """
    printed: set[str] = set()
    for verdict, colour in COLOURS.items():
        for result in results:
            if result.verdict is verdict:
                yield f"{paint(verdict.value, colour)}  {result.name} ({result.section})"
                if verdict is not Verdict.SKIPPED or result.words not in printed:
                    yield from (f"      {escaped(line)}" for line in result.words.split("\n") if line)
                printed.add(result.words)
    yield _totals(results)


def _totals(results: Sequence[CheckResult]) -> str:
    """Return the number of results of each verdict, with the checks that prevented others."""
    count = Counter(result.verdict for result in results)
    causes = Counter(result.because for result in results if result.verdict is Verdict.NOT_EXAMINED)
    prevented = [
        f"{number} not examined" + (f' because of "{name}"' if name else "") for name, number in causes.items()
    ]
    skipped = [f"{count[Verdict.SKIPPED]} skipped"] if count[Verdict.SKIPPED] else []
    judged = [f"{count[Verdict.PASS]} passed", f"{count[Verdict.FAIL]} failed"]
    return ", ".join([*judged, *(prevented or ["0 not examined"]), *skipped])
