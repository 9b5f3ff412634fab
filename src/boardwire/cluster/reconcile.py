"""Reconcile unanswered requests with the journal.

If the host of a guest is gone, or an answer was lost, the guest's edge looks for the requests in the journal. Only the
guest at a seat acts for that seat, and its requests are carried out in order, so an event of the seat with the same
content is the result of the request. A request that is not found has not been carried out.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import groupby
from operator import attrgetter
from typing import Any, Final

from boardwire.games.game import Seat
from boardwire.table import commands
from boardwire.table import events as stored
from boardwire.table.events import Event, Joined, Returned
from boardwire.table.guest import Notification, Seated, Step, Watching
from boardwire.table.match import Match, fold, replay_events

_CARRIES_OUT: Final[dict[type, Callable[[Any, Any], bool]]] = {
    commands.Ready: lambda command, event: isinstance(event, stored.Readied) and event.player == command.player,
    commands.Resign: lambda command, event: isinstance(event, stored.Resigned),
    commands.OfferUndo: lambda command, event: isinstance(event, stored.UndoOffered),
    commands.AnswerUndo: lambda command, event: (
        isinstance(event, stored.UndoAgreed) if command.agree else isinstance(event, stored.UndoDeclined)
    ),
    commands.Draw: lambda command, event: (
        isinstance(event, stored.DrawOffered | stored.DrawAgreed)
        if command.agree
        else isinstance(event, stored.DrawDeclined)
    ),
    commands.Chat: lambda command, event: isinstance(event, stored.Chatted) and event.text == command.text.strip(),
    commands.Return: lambda command, event: isinstance(event, stored.Returned),
    commands.Join: lambda command, event: isinstance(event, stored.Joined) and event.player == command.player,
}


def carried_out(seat: Seat | None, pending: Mapping[int, Any], events: Iterable[Event]) -> list[int]:
    """Return the numbers of the requests of `seat` that these events carry out, in order."""
    seat_events = [event for event in events if isinstance(event, stored.Ended) or getattr(event, "seat", None) == seat]
    carried_out_numbers = []
    for number, command in pending.items():
        length = _events_consumed(command, seat_events)
        if length:
            del seat_events[:length]
            carried_out_numbers.append(number)
    return carried_out_numbers


def _events_consumed(command: Any, events: list[Event]) -> int:
    """Return the number of events up to the one that carries out the command, or 0 if none does."""
    if isinstance(command, commands.Act):
        actions = [(at, event.action) for at, event in enumerate(events) if isinstance(event, stored.Acted)]
        count = len(command.actions)
        if tuple(action for _, action in actions[:count]) == command.actions:
            return actions[count - 1][0] + 1
        return 0
    if isinstance(command, commands.Close):
        return next((at + 1 for at, event in enumerate(events) if isinstance(event, stored.Ended)), 0)
    carries_out = _CARRIES_OUT.get(type(command))
    if carries_out is None:
        return 0
    return next((at + 1 for at, event in enumerate(events) if carries_out(command, event)), 0)


def arrival(events: Sequence[Event], seat: Seat | None) -> tuple[Match, list[Notification]]:
    """Return the match before a guest took `seat`, and the notifications since; seat None: it watches."""
    arrivals = [at for at, event in enumerate(events) if isinstance(event, Joined | Returned) and event.seat == seat]
    match = fold(events[: arrivals[-1]] if arrivals else events)
    if not arrivals or seat is None:
        return match, [Watching(match) if seat is None else Seated(match, seat, False)]
    later_steps = list(steps(match, events[arrivals[-1] :]))
    return match, [Seated(later_steps[0].match, seat), *later_steps]


def steps(match: Match, events: Sequence[Event]) -> Iterator[Step]:
    """Group stored events into steps: events with the same time were one step."""
    for _, group in groupby(events, attrgetter("at")):
        moments = tuple(replay_events(match, group))
        match = moments[-1].match
        yield Step(moments)
