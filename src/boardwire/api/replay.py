"""A match again, as a spectator sees it: its events, and the native dialect's steps.

Rules:

- Nobody learns a key or the code of a private table.
- While a match is played, an action is shown unless the game conceals it, and options without the position to start
  from, which may tell what is hidden.  When it is over, everything is.
- A step is what one command led to, as the native dialect tells it.  The journal does not keep which command that was,
  but luck, a skipped turn, the end and what is undone never come alone.  The first step is all that led to the start.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Sequence
from typing import Any, Final

import msgspec
from msgspec.structs import replace

from boardwire.api.compressed_list import Blocks
from boardwire.dialects.native import tell
from boardwire.games.game import CHANCE
from boardwire.table import events as told
from boardwire.table import guest as news
from boardwire.table.events import Event
from boardwire.table.match import Match, Moment, Status, begun, further

_FOLLOWS: Final = (told.Dealt, told.Ended, told.Undone, told.Substituted, told.Skipped)
"""What comes in the same step as the event before it."""
POSITION_BYTES: Final = 2048
"""About how many bytes a position takes."""

encode: Final = msgspec.json.Encoder().encode


class Course(msgspec.Struct, frozen=True):
    """A match as spectators were told of it, so far: its steps, each with the number of its last event.

    A course goes on where it ended, so that a match that is watched by its steps is played once, not once for each
    reader.  The last step may grow: a server that stops ends matches with an event of its own.  When the match is over
    nothing is undone any more and no step grows, so the positions that led to the last one are forgotten.
    """

    match: Match
    steps: Blocks
    last: tuple[Moment, ...] = ()
    """What the last step tells, while it may grow."""
    started: bool = False

    @property
    def size(self) -> int:
        """About how many bytes it takes.  While it is played, there is a position behind each move that stands, and
        each is about as large as the last step."""
        if self.match.status is Status.OVER or not self.steps:
            return self.steps.size
        (last,) = self.steps.part(len(self.steps) - 1, 1, 0)
        return self.steps.size + (self.match.moves + 1) * len(last)

    def then(self, events: Iterable[Event]) -> Course:
        """The course with what has happened since."""
        fixed = tell.Fixed()
        group = list(self.last)
        steps: list[tuple[int, bytes]] = []
        started = self.started
        match = self.match
        for moment in further(match, events):
            match = moment.match
            if group and started and not isinstance(moment.event, _FOLLOWS):
                steps.append(_step(group, fixed))
                group = []
            group.append(moment)
            started = started or isinstance(moment.event, told.Started)
        if group:
            steps.append(_step(group, fixed))
        known = (self.steps.without_last() if self.last else self.steps).extended(steps)
        if match.status is Status.OVER:
            return Course(replace(match, past=None), known, (), started)
        return Course(match, known, tuple(group), started)


def course(events: Iterable[Event]) -> Course:
    """The course of a match from its opening."""
    match, rest = begun(events)
    return Course(match, Blocks()).then(rest)


def _step(group: list[Moment], fixed: tell.Fixed) -> tuple[int, bytes]:
    return group[-1].match.seq, tell.step(news.Step(tuple(group)), None, fixed)


class Account(msgspec.Struct, frozen=True):
    """The events of a match so far, as anybody may read them when it is over.

    While it is played, `match` is how it stands, and `hidden` has the numbers of the actions that a spectator may not
    know.  An account goes on where it ended, as a course does.
    """

    events: Blocks
    match: Match | None = None
    hidden: frozenset[int] = frozenset()

    @property
    def size(self) -> int:
        """About how many bytes it takes; see `Course.size`."""
        positions = 0 if self.match is None else POSITION_BYTES * (self.match.moves + 1)
        return self.events.size + positions + 64 * len(self.hidden)

    def then(self, events: Sequence[Event], *, over: bool) -> Account:
        """The account with what has happened since; `over` says how the match stands then."""
        match, hidden = self.match, set(self.hidden)
        if not over:
            match = self._follow(events, hidden)
        first = len(self.events) + 1
        public = ((seq, encode({"seq": seq, **told.for_anybody(event)})) for seq, event in enumerate(events, first))
        return Account(
            self.events.extended(public), None if over else match, frozenset() if over else frozenset(hidden)
        )

    def _follow(self, events: Iterable[Event], hidden: set[int]) -> Match:
        """How the match stands after these events; adds the numbers of those that a spectator may not know."""
        before = self.match
        if before is None:
            before, events = begun(events)
        for moment in further(before, events):
            if _is_hidden(before, moment.event):
                hidden.add(moment.match.seq)
            before = moment.match
        return before

    def part(self, after: int, limit: int, *, over: bool) -> list[msgspec.Raw]:
        """At most so many events after a number, as anybody may read them now."""
        part = self.events.part(after, limit, sys.maxsize)
        if over:
            return list(map(msgspec.Raw, part))
        return [msgspec.Raw(self._open(seq, body)) for seq, body in enumerate(part, after + 1)]

    def _open(self, seq: int, body: bytes) -> bytes:
        if seq not in self.hidden and b'"options"' not in body:
            return body
        fields = msgspec.json.decode(body)
        if seq in self.hidden:
            del fields["action"]
            fields["hidden"] = True
        elif "options" in fields:
            fields["options"] = open_options(fields["options"])
        return encode(fields)


def open_options(options: dict[str, Any]) -> dict[str, Any]:
    """Options, as plain data, without the position to start from."""
    return {key: value for key, value in options.items() if key != "position"}


def _is_hidden(before: Match, event: Event) -> bool:
    match event:
        case told.Acted(seat=seat, action=action):
            return before.setting.game.conceals(before.position, seat, action)
        case told.Dealt(action=action):
            return before.setting.game.conceals(before.position, CHANCE, action)
        case _:
            return False
