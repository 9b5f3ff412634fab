"""Server-side state of one client at one table, shared by all dialects.

- One act is in flight at a time. Messages that arrive meanwhile wait until the table accepts or refuses it, and are
  then judged by the latest state.
- Names are fixed when the match begins, so they stay valid for the client if a bot takes over a seat.
- Each decision is put to the client once, even if other events (chat) occur while it is open.
- Protocols without messages for it decline every offer of an undo or a draw.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from typing import Any, Generic, Self, TypeAlias, TypeVar

from boardwire.errors import Malformed
from boardwire.games.game import Decision, Seat
from boardwire.table.commands import Act, AnswerUndo, Draw
from boardwire.table.events import Acted, DrawOffered, Started, UndoOffered
from boardwire.table.guest import Notification, Refusal, Seated, Step
from boardwire.table.match import Match, Moment
from boardwire.talk import Gone, Talk, Woke

ScriptInput: TypeAlias = Notification | Woke | Gone | Malformed
"""Inputs of a server script other than its protocol's messages."""

InputT = TypeVar("InputT")


class Participant(Generic[InputT]):
    """One client at one table."""

    __slots__ = ("_put", "acting", "before", "match", "names", "seat", "talk")

    def __init__(self, talk: Talk[InputT], seated: Seated) -> None:
        self.talk = talk
        self.names: tuple[str, ...] = ()
        """Player names by seat, once the match has begun."""
        self.acting: Act | None = None
        """The act in flight."""
        self._put = -1
        """`Match.moved` when the last decision was put: consecutive decisions may compare equal."""
        self.sit(seated)

    def sit(self, seated: Seated) -> None:
        """Take the seat, or move to another table while the client is waiting."""
        self.seat: Seat = seated.seat
        self.match: Match = seated.match
        self.before: Match = seated.match
        """The match before the event that is being reported."""
        if seated.match.position is not None:
            self.names = self.called(seated.match)  # a returning player

    def called(self, match: Match) -> tuple[str, ...]:
        """Return the player names by seat. Overridden by protocols that need unique names."""
        return player_names(match)

    def next_input(self) -> Awaitable[InputT]:
        """Wait for the next input. Messages are held back while an act is in flight."""
        return self.talk.next_input() if self.acting is None else self.talk.notification()

    def act(self, *actions: Any) -> None:
        """Send actions to the table, all or none. It answers with a step or a refusal."""
        self.acting = Act(self.seat, actions, self.match.seq)
        self.talk.do(self.acting)

    def follow(self, step: Step, tell: Mapping[type, Callable[[Self, Moment, Step], None]] | None = None) -> None:
        """Update the state from a step, and report each event with the function that `tell` lists for its type.

        The functions also get the step: its memo caches the bytes that are the same for all readers.
        """
        for moment in step.moments:
            event = moment.event
            kind = type(event)
            if kind is Acted:
                if event.seat == self.seat:  # type: ignore[union-attr] # `is` is faster than isinstance here
                    self.acting = None
            elif kind is Started:
                self.names = self.called(moment.match)
            elif kind is UndoOffered and self.seat not in moment.match.agreed:
                self.talk.do(AnswerUndo(self.seat, agree=False))
            elif kind is DrawOffered:
                self.talk.do(Draw(self.seat, agree=False))
            self.before, self.match = self.match, moment.match
            if tell is not None:
                tell[kind](self, moment, step)

    def was_refused(self, refusal: Refusal) -> bool:
        """Return whether the table refused the act in flight, and clear it.

        Other commands, sent on behalf of the client, may be refused because they come too late.
        """
        if refusal.command is not self.acting or self.acting is None:
            return False
        self.acting = None
        return True

    @property
    def is_asked(self) -> bool:
        """Whether this client must decide something and no act is in flight."""
        pending = self.match.pending
        return pending is not None and self.seat in pending.seats and self.acting is None

    def is_new(self) -> bool:
        """Return whether the pending decision, of any seat, differs from the last one that was put."""
        return self.match.moved != self._put

    def question(self) -> Decision[Any] | None:
        """Return the decision that this client must make now, unless it was put before."""
        if self.match.moved == self._put:
            return None
        self._put = self.match.moved
        pending = self.match.pending
        return pending if pending is not None and self.seat in pending.seats else None


def player_names(match: Match) -> tuple[str, ...]:
    """Return the player names by seat, "" for an empty seat or an unnamed player."""
    return tuple(player.name if player is not None else "" for player in match.players)
