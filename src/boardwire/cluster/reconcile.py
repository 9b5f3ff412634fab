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
    ours = [event for event in events if isinstance(event, stored.Ended) or getattr(event, "seat", None) == seat]
    done = []
    for number, command in pending.items():
        length = _events_consumed(command, ours)
        if length:
            del ours[:length]
            done.append(number)
    return done


def _events_consumed(command: Any, events: list[Event]) -> int:
    """Return the number of events up to the one that carries out the command, or 0 if none does."""
    if isinstance(command, commands.Act):
        acted = [(at, event.action) for at, event in enumerate(events) if isinstance(event, stored.Acted)]
        count = len(command.actions)
        if tuple(action for _, action in acted[:count]) == command.actions:
            return acted[count - 1][0] + 1
        return 0
    if isinstance(command, commands.Close):
        return next((at + 1 for at, event in enumerate(events) if isinstance(event, stored.Ended)), 0)
    carries_out = _CARRIES_OUT.get(type(command))
    if carries_out is None:
        return 0
    return next((at + 1 for at, event in enumerate(events) if carries_out(command, event)), 0)


def arrival(events: Sequence[Event], seat: Seat | None) -> tuple[Match, list[Notification]]:
    """Return the match before a guest took its seat, and the notifications since."""
    taken = [at for at, event in enumerate(events) if isinstance(event, Joined | Returned) and event.seat == seat]
    match = fold(events[: taken[-1]] if taken else events)
    if not taken or seat is None:
        return match, [Watching(match) if seat is None else Seated(match, seat, False)]
    since = list(steps(match, events[taken[-1] :]))
    return match, [Seated(since[0].match, seat), *since]


def steps(match: Match, events: Sequence[Event]) -> Iterator[Step]:
    """Group stored events into steps: events with the same time were one step."""
    for _, group in groupby(events, attrgetter("at")):
        moments = tuple(replay_events(match, group))
        match = moments[-1].match
        yield Step(moments)
