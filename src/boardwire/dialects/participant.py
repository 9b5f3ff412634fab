"""Server-side state of one client at one table, shared by all dialects.

- One act is in flight at a time. Messages that arrive meanwhile wait until the table has accepted or refused it, and
  are then judged by the latest state.
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

    __slots__ = ("_asked_at", "before", "match", "names", "pending_act", "seat", "talk")

    def __init__(self, talk: Talk[InputT], seated: Seated) -> None:
        self.talk = talk
        self.names: tuple[str, ...] = ()
        """Player names by seat, once the match has begun."""
        self.pending_act: Act | None = None
        """The act in flight."""
        self._asked_at = -1
        """`Match.moved` at the last question; decisions are not compared, since consecutive ones may be equal."""
        self.sit(seated)

    def sit(self, seated: Seated) -> None:
        """Take the seat, or move to another table while the client is waiting."""
        self.seat: Seat = seated.seat
        self.match: Match = seated.match
        self.before: Match = seated.match
        """The match before the event that is being reported."""
        if seated.match.position is not None:
            self.names = self.read_names(seated.match)  # the player has returned to a match in progress

    def read_names(self, match: Match) -> tuple[str, ...]:
        """Return the player names by seat; overridden for protocols that require unique names."""
        return player_names(match)

    def next_input(self) -> Awaitable[InputT]:
        """Return an awaitable of the next input; while an act is in flight, of the next notification."""
        return self.talk.next_input() if self.pending_act is None else self.talk.notification()

    def act(self, *actions: Any) -> None:
        """Send actions to the table, which accepts all (with a step) or none (with a refusal)."""
        self.pending_act = Act(self.seat, actions, self.match.seq)
        self.talk.do(self.pending_act)

    def follow(self, step: Step, tell: Mapping[type, Callable[[Self, Moment, Step], None]] | None = None) -> None:
        """Update the state from a step, and report each event with the function of its type in `tell`.

        The functions also receive the step, whose memo caches the bytes that are the same for all readers.
        """
        for moment in step.moments:
            event = moment.event
            kind = type(event)
            if kind is Acted:
                if event.seat == self.seat:  # type: ignore[union-attr] # `is` is faster than isinstance here
                    self.pending_act = None
            elif kind is Started:
                self.names = self.read_names(moment.match)
            elif kind is UndoOffered and self.seat not in moment.match.agreed:  # these protocols have no undo
                self.talk.do(AnswerUndo(self.seat, agree=False))
            elif kind is DrawOffered:  # nor draws by agreement
                self.talk.do(Draw(self.seat, agree=False))
            self.before, self.match = self.match, moment.match
            if tell is not None:
                tell[kind](self, moment, step)

    def take_refusal(self, refusal: Refusal) -> bool:
        """If a refusal is for the act in flight, clear the act; return whether it is.

        Other refusals are for commands that were sent on behalf of the client, and came too late.
        """
        if refusal.command is not self.pending_act or self.pending_act is None:
            return False
        self.pending_act = None
        return True

    @property
    def must_decide(self) -> bool:
        """Whether this client has a decision to make and no act in flight."""
        pending = self.match.pending
        return pending is not None and self.seat in pending.seats and self.pending_act is None

    def is_new(self) -> bool:
        """Return whether the pending decision, of any seat, is newer than the last question."""
        return self.match.moved != self._asked_at

    def take_question(self) -> Decision[Any] | None:
        """Return the decision that this client must make, or None if there is none or it was returned before."""
        if self.match.moved == self._asked_at:
            return None
        self._asked_at = self.match.moved
        pending = self.match.pending
        return pending if pending is not None and self.seat in pending.seats else None


def player_names(match: Match) -> tuple[str, ...]:
    """Return the player names by seat, "" for an empty seat or an unnamed player."""
    return tuple(player.name if player is not None else "" for player in match.players)
