"""Scenarios: rule tests as short texts.

A file has any number of scenarios. Each has a title, sets up a position, plays, and states what must hold:

    scenario: a tie leaves the professor with its holder
      given hall A = red 2
      given hall B = red 3
      given professor red = B
      do A: hall red
      expect professor red = B
      saw student-seated seat=A colour=red
      not saw professor-taken
      refuse A: cloud 0 because cannot be taken

- `given SUBJECT = VALUE` lines come first; the vocabulary chooses what they leave open.
- `do WHO: WHAT` must be accepted; `refuse WHO: WHAT` must be refused, with the text after `because` in the reason.
- `expect SUBJECT = VALUE` checks the position; spaces do not matter.
- `saw TAG FIELD=VALUE…` requires an event of the last `do` with that tag and these fields; `not saw` forbids one.
- Empty lines and lines that begin with `#` are ignored.

The `Vocabulary` of a game reads subjects, values and actions; this module knows no game.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, Final, Generic, Protocol, TypeVar

import msgspec

from boardwire.errors import BoardwireError, Malformed

P = TypeVar("P")


class Vocabulary(Protocol[P]):
    """Parser and formatter of a game's subjects, values and actions."""

    def start(self, statements: Sequence[tuple[str, str]], /) -> P:
        """Return the position that (subject, value) pairs describe; raise `Malformed` for unknown ones."""

    def do(self, position: P, who: str, what: str, /) -> tuple[P, Sequence[Any]]:
        """Play an action; return the new position and the events. Raise the errors of the game, or `Malformed`."""

    def look(self, position: P, subject: str, /) -> str:
        """Return the value of a subject."""

    def tell(self, position: P, event: Any, /) -> str:
        """Format an event as `tag field=value …`."""


class ScenarioLine(msgspec.Struct, frozen=True):
    """One line of a scenario: its number, verb, and the texts before and after the `=` or `:`."""

    number: int
    verb: str
    left: str
    right: str = ""
    because: str = ""


class Scenario(msgspec.Struct, frozen=True):
    """A title and its lines."""

    title: str
    file: str
    lines: tuple[ScenarioLine, ...]


class Mismatch(AssertionError):
    """Failure of a scenario, with the line and the actual value."""


_TITLE: Final = re.compile(r"scenario:\s*(?P<title>\S.*)")
_FORMS: Final = (
    re.compile(r"(?P<verb>given|expect)\s+(?P<left>[^=]+?)\s*=\s*(?P<right>.*)"),
    re.compile(r"(?P<verb>do)\s+(?P<left>[^:]+?)\s*:\s*(?P<right>\S.*)"),
    re.compile(r"(?P<verb>refuse)\s+(?P<left>[^:]+?)\s*:\s*(?P<right>\S.*?)(?:\s+because\s+(?P<because>\S.*))?"),
    re.compile(r"(?P<verb>saw|not saw)\s+(?P<left>\S.*)"),
)


def parse(text: str, file: str = "scenario") -> tuple[Scenario, ...]:
    """Parse the scenarios of a text; `Malformed` names the line that cannot be read."""
    scenarios: list[tuple[str, list[ScenarioLine]]] = []
    for number, raw in enumerate(text.splitlines(), 1):
        content = raw.strip()
        if not content or content.startswith("#"):
            continue
        title = _TITLE.fullmatch(content)
        if title:
            scenarios.append((title["title"], []))
        elif not scenarios:
            raise Malformed(f"{file}:{number}: a file must begin with 'scenario: TITLE', not with {content!r}")
        else:
            scenarios[-1][1].append(_parse_line(content, number, file, scenarios[-1][1]))
    return tuple(Scenario(title, file, tuple(lines)) for title, lines in scenarios)


def _parse_line(content: str, number: int, file: str, before: Sequence[ScenarioLine]) -> ScenarioLine:
    """Parse a line other than a title; `before` are the lines of its scenario so far."""
    for form in _FORMS:
        match = form.fullmatch(content)
        if match:
            line = ScenarioLine(
                number, **{name: words for name, words in match.groupdict().items() if words is not None}
            )
            if line.verb == "given" and before and before[-1].verb != "given":
                raise Malformed(f"{file}:{number}: every 'given' must come before the first 'do'")
            return line
    raise Malformed(f"{file}:{number}: {content!r} is not a given, do, refuse, expect, saw or not saw line")


def load(folder: Path) -> Iterator[Scenario]:
    """Yield the scenarios of the `*.scenario` files of a folder, by file name."""
    for path in sorted(folder.glob("*.scenario")):
        yield from parse(path.read_text(encoding="utf-8"), path.name)


def run(scenario: Scenario, words: Vocabulary[P]) -> P:
    """Play a scenario and return its last position; raise `Mismatch` at the first line that fails."""
    givens = [(line.left, line.right) for line in scenario.lines if line.verb == "given"]
    try:
        stage = _Stage(words, words.start(givens))
    except BoardwireError as error:
        raise Mismatch(f"{scenario.file}: {scenario.title}: cannot be set up: {error}") from error
    for line in scenario.lines:
        problem = _VERBS[line.verb](stage, line)
        if problem:
            statement = " ".join(part for part in (line.verb, line.left, line.right and f"... {line.right}") if part)
            raise Mismatch(f"{scenario.file}:{line.number}: {scenario.title}: {statement}\n  {problem}")
    return stage.position


class _Stage(Generic[P]):
    """State of a running scenario."""

    def __init__(self, words: Vocabulary[P], position: P) -> None:
        self.words = words
        self.position = position
        self.events: list[str] = []

    def given(self, line: ScenarioLine) -> str:
        return ""

    def do(self, line: ScenarioLine) -> str:
        try:
            self.position, events = self.words.do(self.position, line.left, line.right)
        except BoardwireError as error:
            return f"the action was refused: {type(error).__name__}: {error}"
        self.events = [self.words.tell(self.position, event) for event in events]
        return ""

    def refuse(self, line: ScenarioLine) -> str:
        try:
            self.words.do(self.position, line.left, line.right)
        except Malformed as error:
            return f"the action cannot be parsed: {error}"
        except BoardwireError as error:
            if line.because not in str(error):
                return f"the action was refused for another reason: {error}"
            return ""
        return "the action was accepted"

    def expect(self, line: ScenarioLine) -> str:
        try:
            value = self.words.look(self.position, line.left)
        except Malformed as error:
            return str(error)
        return "" if value.split() == line.right.split() else f"the value is: {value}"

    def saw(self, line: ScenarioLine) -> str:
        return "" if self._find_event(line.left) else "the events are:\n    " + "\n    ".join(self.events)

    def not_saw(self, line: ScenarioLine) -> str:
        return f"there is such an event: {self._find_event(line.left)}" if self._find_event(line.left) else ""

    def _find_event(self, pattern: str) -> str:
        """Return the first event of the last `do` with a tag and fields, or '' if there is none."""
        tag, *fields = pattern.split()
        for event in self.events:
            name, *parts = event.split()
            if name == tag and all(field in parts for field in fields):
                return event
        return ""


_VERBS: Final[dict[str, Any]] = {
    "given": _Stage.given,
    "do": _Stage.do,
    "refuse": _Stage.refuse,
    "expect": _Stage.expect,
    "saw": _Stage.saw,
    "not saw": _Stage.not_saw,
}
