"""A match again, as a spectator sees it: its events, and the native dialect's steps.

Rules:

- Nobody learns a key or the code of a private table.
- While a match is played, an action is shown unless the game conceals it, and options without the position to start
  from, which may tell what is hidden.  When it is over, everything is.
- A step is what one command led to, as the native dialect tells it.  The journal does not keep which command that was,
  but luck, a skipped turn, the end and what is undone never come alone.  The first step is all that led to the start.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, Final

import msgspec
from msgspec.structs import replace

from boardwire.dialects.native import tell
from boardwire.games.game import CHANCE
from boardwire.table import events as told
from boardwire.table import guest as news
from boardwire.table.events import Event
from boardwire.table.match import Match, Moment, Status, begun, further, moments

_FOLLOWS: Final = (told.Dealt, told.Ended, told.Undone, told.Substituted, told.Skipped)
"""What comes in the same step as the event before it."""


class Course(msgspec.Struct, frozen=True):
    """A match as spectators were told of it, so far: its steps, each with the number of its last event.

    A course goes on where it ended, so that a match that is watched by its steps is played once, not once for each
    reader.  The last step may grow: a server that stops ends matches with an event of its own.  When the match is over
    nothing is undone any more and no step grows, so the positions that led to the last one are forgotten.
    """

    match: Match
    steps: list[tuple[int, bytes]]
    last: tuple[Moment, ...] = ()
    """What the last step tells, while it may grow."""
    started: bool = False

    @property
    def size(self) -> int:
        """About how many bytes it takes: while it is played, a position behind each step is as large as that."""
        told = sum(len(step) for _, step in self.steps)
        return told if self.match.status is Status.OVER else 2 * told

    def then(self, events: Iterable[Event]) -> Course:
        """The course with what has happened since."""
        fixed = tell.Fixed()
        group = list(self.last)
        steps = self.steps[:-1] if group else list(self.steps)
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
        if match.status is Status.OVER:
            return Course(replace(match, past=None), steps, (), started)
        return Course(match, steps, tuple(group), started)


def course(events: Iterable[Event]) -> Course:
    """The course of a match from its opening."""
    match, rest = begun(events)
    return Course(match, []).then(rest)


def _step(group: list[Moment], fixed: tell.Fixed) -> tuple[int, bytes]:
    return group[-1].match.seq, tell.step(news.Step(tuple(group)), None, fixed)


def public_events(events: Sequence[Event], *, over: bool) -> list[dict[str, Any]]:
    """All events as plain data, numbered, without what a spectator may not know."""
    hidden = frozenset() if over else _hidden(events)
    public = [_public(seq, event, seq in hidden) for seq, event in enumerate(events, 1)]
    for one in () if over else public:
        if "options" in one:
            one["options"] = open_options(one["options"])
    return public


def open_options(options: dict[str, Any]) -> dict[str, Any]:
    """Options, as plain data, without the position to start from."""
    return {key: value for key, value in options.items() if key != "position"}


def _hidden(events: Sequence[Event]) -> frozenset[int]:
    """The numbers of the actions that a spectator may not know."""
    before: Match | None = None
    hidden: set[int] = set()
    for moment in moments(events):
        if before is not None and _is_hidden(before, moment.event):
            hidden.add(moment.match.seq)
        before = moment.match
    return frozenset(hidden)


def _is_hidden(before: Match, event: Event) -> bool:
    match event:
        case told.Acted(seat=seat, action=action):
            return before.setting.game.conceals(before.position, seat, action)
        case told.Dealt(action=action):
            return before.setting.game.conceals(before.position, CHANCE, action)
        case _:
            return False


def _public(seq: int, event: Event, hidden: bool) -> dict[str, Any]:
    fields = told.for_anybody(event)
    if hidden:
        del fields["action"]
        fields["hidden"] = True
    return {"seq": seq, **fields}
