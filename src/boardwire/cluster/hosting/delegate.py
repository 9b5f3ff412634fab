"""Delegates: guests at a table or in the lobby that stand for guests connected to other nodes.

- A delegate's notifications become messages to its edge.
- A step is sent to an edge once for all of its guests. That a guest has taken a seat travels with the step.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from typing import Any, Final, cast

import msgspec

from boardwire.cluster.transport.messages import Message, Notice, Told, encode_error, encode_request, summarize
from boardwire.errors import BoardwireError
from boardwire.games.game import Seat
from boardwire.lobby.requests import Decline
from boardwire.table.events import encode
from boardwire.table.guest import (
    Audience,
    Claimed,
    Guest,
    Introduced,
    Notification,
    Refusal,
    RematchWanted,
    Seated,
    Step,
    Surveyed,
    Watching,
)

MAX_REMEMBERED_REQUESTS: Final = 64
"""Requests of a guest that are remembered, to tell its edge which one was refused."""

_SUMMARIES: Final = "summaries"
"""Key of the encoded summaries in the memo of a table list."""


class EdgeSender:
    """Messages to one edge: `put` queues one; `last` returns the newest that is still queued."""

    __slots__ = ("_last", "_message", "_step", "put")

    def __init__(self, put: Callable[[Message], None], last: Callable[[], Message | None]) -> None:
        self.put = put
        self._last = last
        self._step: Step | None = None
        self._message: Told | None = None

    def step(self, step: Step, guest: int, seat: Seat | None, answers: int) -> None:
        """Send a step to a guest, in one message with all guests of the edge that see it."""
        message = self._message
        if step is not self._step or message is None or self._last() is not message:
            first = step.moments[0].match
            events = [encode(moment.event) for moment in step.moments]
            message = Told([], first.setting.id, first.seq, events, {}, {})
            self._step, self._message = step, message
            self.put(message)
        message.guests.append(guest)
        if seat is not None:
            message.seats[guest] = seat
        if answers:
            message.answers[guest] = answers


class Delegate(Guest):
    """A guest that stands for one connected to another node."""

    __slots__ = (
        "_answers",
        "_requests",
        "_seat",
        "_sender",
        "edge",
        "epoch",
        "last_place",
        "last_seen",
        "number",
        "request_number",
    )  # fmt: skip

    def __init__(self, edge: str, number: int, sender: EdgeSender) -> None:
        super().__init__(self._tell, close=self._ignore_close)
        self.on_answer = self._mark_answer
        self.edge = edge
        self.number = number
        self.epoch = 0
        """Requests of an earlier epoch are dropped."""
        self.request_number = 0
        """The number of the lobby request in progress."""
        self.last_place: tuple[str, Seat | None] | None = None
        """Match and seat when its table moved to another node; its edge may not know them yet."""
        self.last_seen = 0.0
        """When its edge last mentioned it."""
        self._sender = sender
        self._requests: deque[tuple[int, object]] = deque(maxlen=MAX_REMEMBERED_REQUESTS)
        self._seat: Seat | None = None
        """Seat of a `Seated` that the next step completes."""
        self._answers = 0
        """Number of the request that the next step answers, or 0."""

    def remember_request(self, number: int, request: Any) -> None:
        """Remember the number of a request until its answer."""
        self._requests.append((number, request))

    def _mark_answer(self, command: Any) -> None:
        """Mark the next step as the answer to this command."""
        self._answers = self._number_of(command)

    def detach(self) -> None:
        """Stop all notifications: the guest has disconnected."""
        self.tell, self.on_answer = _discard, None  # bound methods form a cycle that only the collector would free

    def _number_of(self, request: Any) -> int:
        """Return the number of a remembered request, or 0."""
        for number, remembered in reversed(self._requests):  # it is nearly always the last
            if remembered is request:
                return number
        return 0

    def _tell(self, notification: Notification) -> None:
        if isinstance(notification, Step):
            self._sender.step(notification, self.number, self._seat, self._answers)
            self._seat, self._answers = None, 0
        elif isinstance(notification, Seated) and notification.follows:
            self._seat = notification.seat
        else:
            match = self.table.match.id if self.table is not None else ""
            self._sender.put(Told([self.number], match, notice=self._notice(notification)))

    def _notice(self, notification: Notification) -> Notice:
        """Return the encoded form of a notification other than a step."""
        kind = type(notification).__name__
        match notification:
            case Seated(match=match, seat=seat):
                return Notice(kind, seat, match.seq, self.request_number)
            case Watching(match=match):
                return Notice(kind, None, match.seq, self.request_number)
            case Refusal(command=command, reason=reason):
                number = self._number_of(command)
                is_known = number or isinstance(command, Decline)  # `Decline` is never sent between nodes
                request = None if is_known else _encode_request(command)
                return Notice(kind, number=number, error=encode_error(reason), request=request)
            case Claimed(name=name):
                return Notice(kind, number=self.request_number, text=name)
            case Introduced(token=token, key=key, held_seats=held_seats):
                summaries, seats = [summarize(match) for match, _ in held_seats], [seat for _, seat in held_seats]
                return Notice(kind, number=self.request_number, text=token, key=key, summaries=summaries, seats=seats)
            case Surveyed(matches=matches, full=full, audiences=audiences):
                if _SUMMARIES not in notification.memo:
                    notification.memo[_SUMMARIES] = [
                        summarize(match, audience=audiences.get(match.id, 0)) for match in matches
                    ]
                summaries = notification.memo[_SUMMARIES]
                return Notice(kind, number=self.request_number, summaries=summaries, full=full)
            case Audience(count=count, names=names):
                return Notice(kind, seq=count, names=list(names))
            case RematchWanted(seats=seats, gone=gone):
                return Notice(kind, seats=list(seats), gone=list(gone))
            case _:
                return Notice(kind, number=self.request_number)

    def _ignore_close(self, reason: BoardwireError) -> None:
        """Do nothing: a table of a cluster closes no connection, its guests follow it to its new host."""


def _encode_request(command: Any) -> Any:
    return encode_request(cast("Any", command)) if isinstance(command, msgspec.Struct) else None


def _discard(notification: Notification) -> None:
    """Discard a notification."""
