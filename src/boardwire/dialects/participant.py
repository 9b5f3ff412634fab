"""One client at one table, as the script of any dialect keeps it.

Rules:

- One act is under way at a time.  What the client says meanwhile waits until the table has taken or refused it, and is
  then judged by the newest state.
- The players are called what they were called when the match began: what a client was told stays true if a bot plays
  on in somebody's seat.
- A decision is put once, however often somebody chats while it is open.
- Where the protocol has no words for an undo, none is ever agreed to.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from typing import Any, Generic, Self, TypeAlias, TypeVar

from boardwire.errors import Malformed
from boardwire.games.game import Decision, Seat
from boardwire.table.commands import Act, AnswerUndo
from boardwire.table.events import Acted, Started, UndoOffered
from boardwire.table.guest import News, Refusal, Seated, Step
from boardwire.table.match import Match, Moment
from boardwire.talk import Gone, Talk, Woke

Told: TypeAlias = News | Woke | Gone | Malformed
"""What a server's script hears beside its protocol's messages."""

Heard = TypeVar("Heard")


class Participant(Generic[Heard]):
    """See the module."""

    __slots__ = ("_put", "acting", "before", "match", "names", "seat", "talk")

    def __init__(self, talk: Talk[Heard], seated: Seated) -> None:
        self.talk = talk
        self.names: tuple[str, ...] = ()
        """By seat, when the match has begun."""
        self.acting: Act | None = None
        """What is under way."""
        self._put = -1
        """How far the play was when the last decision was put: two decisions in a row may be one value."""
        self.sit(seated)

    def sit(self, seated: Seated) -> None:
        """Take the seat; or, while the client waits, another one at another table."""
        self.seat: Seat = seated.seat
        self.match: Match = seated.match
        self.before: Match = seated.match
        """The match before the event that is being told."""
        if seated.match.position is not None:
            self.names = self.called(seated.match)  # it comes back

    def called(self, match: Match) -> tuple[str, ...]:
        """What the players are called, by seat; a protocol that tells them apart by their names says how."""
        return names_of(match)

    def hear(self) -> Awaitable[Heard]:
        """The next input; messages wait while an act is under way."""
        return self.talk.hear() if self.acting is None else self.talk.news()

    def act(self, *actions: Any) -> None:
        """Take steps at the table, all or none.  The step that follows, or a refusal, is the answer."""
        self.acting = Act(self.seat, actions, self.match.seq)
        self.talk.do(self.acting)

    def follow(self, step: Step, tell: Mapping[type, Callable[[Self, Moment, Step], None]] | None = None) -> None:
        """Note what happened, and say each event by the table of the dialect, if it has one by event.  Its functions
        also get the step, whose memo has what was encoded for all readers alike."""
        for moment in step.moments:
            event = moment.event
            kind = type(event)
            if kind is Acted:
                if event.seat == self.seat:  # type: ignore[union-attr] # its kind is known, and `is` is quicker than isinstance
                    self.acting = None
            elif kind is Started:
                self.names = self.called(moment.match)
            elif kind is UndoOffered and self.seat not in moment.match.agreed:
                self.talk.do(AnswerUndo(self.seat, agree=False))
            self.before, self.match = self.match, moment.match
            if tell is not None:
                tell[kind](self, moment, step)

    def was_refused(self, refusal: Refusal) -> bool:
        """Whether it is the act under way that the table has not taken; others were said for the client, too late."""
        if refusal.command is not self.acting or self.acting is None:
            return False
        self.acting = None
        return True

    @property
    def is_asked(self) -> bool:
        """Whether this client must decide something, and nothing is under way."""
        pending = self.match.pending
        return pending is not None and self.seat in pending.seats and self.acting is None

    def is_new(self) -> bool:
        """Whether what is to be decided now, by whomever, is another decision than the last that was put."""
        return self.match.moved != self._put

    def question(self) -> Decision[Any] | None:
        """What this client must decide now, if that has not been put to it."""
        if self.match.moved == self._put:
            return None
        self._put = self.match.moved
        pending = self.match.pending
        return pending if pending is not None and self.seat in pending.seats else None


def names_of(match: Match) -> tuple[str, ...]:
    """What the players are called, by seat; empty where nobody sits or the player came without a name."""
    return tuple(player.name if player is not None else "" for player in match.players)
