"""A match again, as a spectator sees it: its events, and the native dialect's steps.

Rules:

- Nobody learns a key or the code of a private table.
- While a match is played, an action is shown only if the game shows a spectator all of what came of it, and options
  without the position to start from, which may tell what is hidden.  When it is over, everything is.
- A step is what one command led to, as the native dialect tells it.  The journal does not keep which command that was,
  but luck, the end and what is undone never come alone.  The first step is all that led to the start.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any, Final

import msgspec

from boardwire.dialects.native import state
from boardwire.games.game import Refused
from boardwire.table import events as told
from boardwire.table import guest as news
from boardwire.table.events import Event
from boardwire.table.match import Moment, evolve, opened, restore

_FOLLOWS: Final = (told.Dealt, told.Ended, told.Undone, told.Substituted)
"""What comes in the same step as the event before it."""


def moments(events: Iterable[Event]) -> Iterator[Moment]:
    """Every event but the opening, with the match after it."""
    stream = iter(events)
    first = next(stream, None)
    if not isinstance(first, told.Opened):
        raise Refused("a match begins with its opening")
    match = opened(first)
    for event in stream:
        moment = evolve(match, restore(match, event))
        yield moment
        match = moment.match


def steps(events: Iterable[Event]) -> Iterator[tuple[int, bytes]]:
    """The steps of a match as spectators get them, each with the number of its last event."""
    fixed = state.Fixed()
    for group in _grouped(moments(events)):
        yield group[-1].match.seq, state.step(news.Step(tuple(group)), None, fixed)


def _grouped(stream: Iterable[Moment]) -> Iterator[list[Moment]]:
    group: list[Moment] = []
    started = False
    for moment in stream:
        if started and group and not isinstance(moment.event, _FOLLOWS):
            yield group
            group = []
        group.append(moment)
        started = started or isinstance(moment.event, told.Started)
    if group:
        yield group


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
    return frozenset(
        moment.match.seq
        for moment in moments(events)
        if isinstance(moment.event, told.Acted | told.Dealt) and not _is_open(moment)
    )


def _is_open(moment: Moment) -> bool:
    show = moment.match.setting.game.show
    return bool(moment.happened) and all(show(part, None) == part for part in moment.happened)


def _public(seq: int, event: Event, hidden: bool) -> dict[str, Any]:
    fields: dict[str, Any] = msgspec.to_builtins(event)
    fields.pop("code", None)
    if isinstance(fields.get("player"), dict):
        fields["player"].pop("key", None)
    if hidden:
        del fields["action"]
        fields["hidden"] = True
    return {"seq": seq, **fields}
