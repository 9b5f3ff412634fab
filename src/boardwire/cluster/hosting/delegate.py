"""A guest that stands at a table, or in the lobby, for one whose connection another node has.

It tells its news to the edge by letters.  A step goes to an edge once, for all of its guests there; that a guest sits
down goes with the step in which it did.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from typing import Any, Final, cast

import msgspec

from boardwire.cluster.transport.messages import Letter, Notice, Told, card, excuse, written
from boardwire.errors import BoardwireError
from boardwire.games.game import Seat
from boardwire.lobby.requests import Decline
from boardwire.table.events import encode
from boardwire.table.guest import (
    Audience,
    Claimed,
    Guest,
    Introduced,
    News,
    Refusal,
    RematchWanted,
    Seated,
    Step,
    Surveyed,
    Watching,
)

REMEMBERED: Final = 64
"""How many of a guest's last requests are remembered, to say which of them was refused."""


_CARDS: Final = "cards"
"""Where a survey keeps what is written of it."""


class Post:
    """Letters for one edge: `put` adds one, `last` is what was added last and is not sent yet."""

    __slots__ = ("_last", "_letter", "_step", "put")

    def __init__(self, put: Callable[[Letter], None], last: Callable[[], Letter | None]) -> None:
        self.put = put
        self._last = last
        self._step: Step | None = None
        self._letter: Told | None = None

    def step(self, step: Step, guest: int, seat: Seat | None, answers: int) -> None:
        """Tell a guest of a step: in the same letter as others who are told of it."""
        letter = self._letter
        if step is not self._step or letter is None or self._last() is not letter:
            first = step.moments[0].match
            events = [encode(moment.event) for moment in step.moments]
            letter = Told([], first.setting.id, first.seq, events, {}, {})
            self._step, self._letter = step, letter
            self.put(letter)
        letter.guests.append(guest)
        if seat is not None:
            letter.seats[guest] = seat
        if answers:
            letter.answers[guest] = answers


class Delegate(Guest):
    """See the module."""

    __slots__ = ("_answers", "_asked", "_post", "_seat", "asking", "edge", "fence", "heard", "number", "place")

    def __init__(self, edge: str, number: int, post: Post) -> None:
        super().__init__(self._tell, close=self._closed)
        self.answered = self._answered
        self.edge = edge
        self.number = number
        self.fence = 0
        """What was asked with a smaller number is no longer wanted."""
        self.asking = 0
        """The number of the errand that is being run."""
        self.place: tuple[str, Seat | None] | None = None
        """Where it was when its table was placed at another node: it may not know yet that it is there."""
        self.heard = 0.0
        """When its edge last spoke of it."""
        self._post = post
        self._asked: deque[tuple[int, object]] = deque(maxlen=REMEMBERED)
        self._seat: Seat | None = None
        self._answers = 0

    def ask(self, number: int, request: Any) -> None:
        """It asks for this."""
        self._asked.append((number, request))

    def _answered(self, command: Any) -> None:
        """The next step is what came of this command."""
        self._answers = self._number(command)

    def go(self) -> None:
        """It has left the house."""
        self.tell, self.answered = _nothing, None  # they hold the delegate: only the collector would free such a ring

    def _number(self, request: Any) -> int:
        for number, one in reversed(self._asked):  # it is nearly always the last
            if one is request:
                return number
        return 0

    def _tell(self, news: News) -> None:
        if isinstance(news, Step):
            self._post.step(news, self.number, self._seat, self._answers)
            self._seat, self._answers = None, 0
        elif isinstance(news, Seated) and news.follows:
            self._seat = news.seat
        else:
            match = self.table.match.id if self.table is not None else ""
            self._post.put(Told([self.number], match, news=self._notice(news)))

    def _notice(self, news: News) -> Notice:
        kind = type(news).__name__
        match news:
            case Seated(match=match, seat=seat):
                return Notice(kind, seat, match.seq, self.asking)
            case Watching(match=match):
                return Notice(kind, None, match.seq, self.asking)
            case Refusal(command=command, reason=reason):
                number = self._number(command)
                known = number or isinstance(command, Decline)
                return Notice(kind, number=number, excuse=excuse(reason), request=None if known else _written(command))
            case Claimed(name=name):
                return Notice(kind, number=self.asking, text=name)
            case Introduced(token=token, key=key, kept=kept):
                cards, seats = [card(match) for match, _ in kept], [seat for _, seat in kept]
                return Notice(kind, number=self.asking, text=token, key=key, cards=cards, seats=seats)
            case Surveyed(matches=matches, full=full, audiences=audiences):
                if _CARDS not in news.memo:
                    news.memo[_CARDS] = [card(match, audience=audiences.get(match.id, 0)) for match in matches]
                return Notice(kind, number=self.asking, cards=news.memo[_CARDS], full=full)
            case Audience(count=count, names=names):
                return Notice(kind, seq=count, names=list(names))
            case RematchWanted(seats=seats, gone=gone):
                return Notice(kind, seats=list(seats), gone=list(gone))
            case _:
                return Notice(kind, number=self.asking)

    def _closed(self, reason: BoardwireError) -> None:
        """A table of a cluster sends nobody away: its guests look for it elsewhere."""


def _written(command: Any) -> Any:
    return written(cast("Any", command)) if isinstance(command, msgspec.Struct) else None


def _nothing(news: News) -> None:
    """Whoever has left is told nothing more."""
