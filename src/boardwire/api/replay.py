"""Replay of a match as a spectator sees it: its events, and steps of the native dialect.

- Token hashes and table codes are never shown.
- During a match, actions that the game conceals are hidden, and options are shown without a starting position, which
  may reveal hidden cards. When the match is over, everything is shown.
- A step is the result of one command, as in the native dialect. The journal does not store commands, so steps are
  derived from the events: deals, skipped turns, substitutions, undos and the end never begin a step. The first step has
  all events up to the start.
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
from boardwire.table import events as ev
from boardwire.table import guest as notifications
from boardwire.table.events import Event
from boardwire.table.match import Match, Moment, Status, replay_events, split_opening

_FOLLOWS: Final = (ev.Dealt, ev.Ended, ev.Undone, ev.Substituted, ev.Skipped)
"""Events that belong to the step of the event before them."""
POSITION_BYTES: Final = 2048
"""Approximate memory of a position, in bytes."""

encode: Final = msgspec.json.Encoder().encode


class MatchSteps(msgspec.Struct, frozen=True):
    """The steps of a match so far, each with the number of its last event.

    It is extended incrementally, so that a match is replayed once, not once per reader. The last step may grow, for
    example by the event of a server that stops. When the match is over, nothing can be undone and no step grows, so
    earlier positions are dropped.
    """

    match: Match
    steps: Blocks
    last: tuple[Moment, ...] = ()
    """Content of the last step while it may grow."""
    started: bool = False

    @property
    def size(self) -> int:
        """Approximate memory, in bytes. During a match, it has a position for each move, about as large as the last
        step."""
        if self.match.status is Status.OVER or not self.steps:
            return self.steps.size
        (last,) = self.steps.part(len(self.steps) - 1, 1, 0)
        return self.steps.size + (self.match.moves + 1) * len(last)

    def extended(self, events: Iterable[Event]) -> MatchSteps:
        """Return these steps, extended by further events."""
        fixed = tell.FixedFields()
        group = list(self.last)
        steps: list[tuple[int, bytes]] = []
        started = self.started
        match = self.match
        for moment in replay_events(match, events):
            match = moment.match
            if group and started and not isinstance(moment.event, _FOLLOWS):
                steps.append(_encode_step(group, fixed))
                group = []
            group.append(moment)
            started = started or isinstance(moment.event, ev.Started)
        if group:
            steps.append(_encode_step(group, fixed))
        all_steps = (self.steps.without_last() if self.last else self.steps).extended(steps)
        if match.status is Status.OVER:
            return MatchSteps(replace(match, past=None), all_steps, (), started)
        return MatchSteps(match, all_steps, tuple(group), started)


def steps_of(events: Iterable[Event]) -> MatchSteps:
    """Return the steps of a match from its opening."""
    match, rest = split_opening(events)
    return MatchSteps(match, Blocks()).extended(rest)


def _encode_step(group: list[Moment], fixed: tell.FixedFields) -> tuple[int, bytes]:
    return group[-1].match.seq, tell.step(notifications.Step(tuple(group)), None, fixed)


class MatchEvents(msgspec.Struct, frozen=True):
    """The events of a match so far.

    During the match, `match` is its state, and `hidden` has the numbers of actions that spectators may not see. It is
    extended incrementally.
    """

    events: Blocks
    match: Match | None = None
    hidden: frozenset[int] = frozenset()

    @property
    def size(self) -> int:
        """Approximate memory, in bytes (see `MatchSteps.size`)."""
        positions = 0 if self.match is None else POSITION_BYTES * (self.match.moves + 1)
        return self.events.size + positions + 64 * len(self.hidden)

    def extended(self, events: Sequence[Event], *, over: bool) -> MatchEvents:
        """Return the events with further ones; `over` says whether the match is over after them."""
        match, hidden = self.match, set(self.hidden)
        if not over:
            match = self._replay_on(events, hidden)
        first = len(self.events) + 1
        public = ((seq, encode({"seq": seq, **ev.public_fields(event)})) for seq, event in enumerate(events, first))
        return MatchEvents(
            self.events.extended(public), None if over else match, frozenset() if over else frozenset(hidden)
        )

    def _replay_on(self, events: Iterable[Event], hidden: set[int]) -> Match:
        """Return the match after these events, and add the numbers of hidden ones to `hidden`."""
        before = self.match
        if before is None:
            before, events = split_opening(events)
        for moment in replay_events(before, events):
            if _is_hidden(before, moment.event):
                hidden.add(moment.match.seq)
            before = moment.match
        return before

    def part(self, after: int, limit: int, *, over: bool) -> list[msgspec.Raw]:
        """Return up to `limit` events after number `after`, as spectators may see them now."""
        part = self.events.part(after, limit, sys.maxsize)
        if over:
            return list(map(msgspec.Raw, part))
        return [msgspec.Raw(self._without_hidden(seq, body)) for seq, body in enumerate(part, after + 1)]

    def _without_hidden(self, seq: int, body: bytes) -> bytes:
        """Return an event without what spectators may not know: a hidden action, secret options."""
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
    """Return options as plain data, without a starting position."""
    return {key: value for key, value in options.items() if key != "position"}


def _is_hidden(before: Match, event: Event) -> bool:
    match event:
        case ev.Acted(seat=seat, action=action):
            return before.setting.game.conceals(before.position, seat, action)
        case ev.Dealt(action=action):
            return before.setting.game.conceals(before.position, CHANCE, action)
        case _:
            return False
