"""One client at one table: what it is asked, which answer is on its way, and what is held back from it.

What cannot be taken changes nothing: D gets the same request again, F first `RequestError` [9].  What comes while
nothing is asked is dropped; F is told that too.  Too many such messages in a row end the connection.
"""

from __future__ import annotations

from typing import Final, TypeAlias

import msgspec

from boardwire.dialects import participant
from boardwire.dialects.participant import Told
from boardwire.dialects.santorini_objects.ask import Asking, Question, ask, is_together
from boardwire.dialects.santorini_objects.editions import Edition
from boardwire.dialects.santorini_objects.messages import classes as wire
from boardwire.dialects.santorini_objects.messages.texts import nothing_left, texts
from boardwire.dialects.santorini_objects.tell import tell
from boardwire.games.santorini.actions import DONE_ONLY, PlaceWorker
from boardwire.games.santorini.powers.catalogue import God
from boardwire.table.commands import Act
from boardwire.table.events import Acted
from boardwire.table.guest import Refusal, Seated, Step
from boardwire.table.match import Match
from boardwire.talk import Strikes, Talk

Heard: TypeAlias = msgspec.Struct | Edition | Told
"""The edition comes first, then messages and news."""

STRIKE_LIMIT: Final = 100
"""How many messages in a row that cannot be taken end the connection."""


class Participant(participant.Participant[Heard]):
    """See the module."""

    __slots__ = ("_answered", "_asked", "_closing", "_declined", "_held", "_plan", "_strikes", "edition")

    def __init__(self, talk: Talk[Heard], edition: Edition, seated: Seated) -> None:
        super().__init__(talk, seated)
        self.edition = edition
        self._plan: tuple[int, ...] = ()
        self._asked: Question | None = None
        """What the client is asked, until the table has taken an answer."""
        self._answered: Question | None = None
        """The question whose answer is on its way to the table."""
        self._closing = b""
        """F's request that must be declined before the next turn is told."""
        self._declined = False
        self._held: list[bytes] = []
        self._strikes = Strikes(STRIKE_LIMIT)

    def is_over(self) -> bool:
        """Whether the client has heard the last word."""
        return self.match.outcome is not None and not self._closing

    def bears(self) -> bool:
        """Count what cannot be taken; False if it was too much."""
        return not self._strikes.add()

    # --- what happened --------------------------------------------------------------------------------------------

    def hear_step(self, step: Step) -> None:
        """Tell what happened, and put what is to be decided."""
        before = self.match
        self._strikes.count = 0
        running, after = tell(step, before.position, self.edition, self.seat)
        self.follow(step)
        if self.match.outcome is not None and self.match.position.outcome is None:  # it was broken off
            self.talk.say(b"".join((*self._held, running, after)))
            self._closing = b""
            return
        if self._closing:
            self._held += (running, after)
            return
        if after and self.edition.is_shipped and self._ended_own_turn(step, before):
            self.talk.say(running)
            self._close(after)
            return
        if running or after:
            self.talk.say(running + after)
        self._declined = False
        self._put_question()

    def _ended_own_turn(self, step: Step, before: Match) -> bool:
        """Whether a step that the client took has ended its turn, and not by declining."""
        event = step.moments[0].event
        return type(event) is Acted and event.seat == self.seat and before.position.setup is None and not self._declined

    def _close(self, after: bytes) -> None:
        """F ends every turn by declining, the last one too: ask for it with nothing on offer, and keep what follows
        until then [7.8].

        The table has gone on: nobody waits for a client that is slow to decline, it just hears the rest later."""
        self._closing = nothing_left(self.edition, self.seat, self.match.position.lineup.gods[self.seat] is God.ATLAS)
        self._held = [after]
        self.talk.say(self._closing)

    def _put_question(self) -> None:
        if self._closing or not self.is_new():
            return
        self._asked = None
        decision = self.question()
        if decision is None:
            return
        asked = ask(Asking(self.edition, self.seat, self.match, decision, self._plan))
        if isinstance(asked, Question):
            self._asked = asked
            self.talk.say(asked.request)
        elif asked is not None:
            self.act(*asked)

    # --- what the client says -------------------------------------------------------------------------------------

    def hear_message(self, message: msgspec.Struct) -> bool:
        """Take an answer, or what is none; False if that was one too many."""
        if self._closing and isinstance(message, wire.DeclineLastAction):
            self._closing = b""
            self.talk.say(b"".join(self._held))
            self._held = []
            self._put_question()
            return True
        asked = self._asked
        actions = None if asked is None or asked is self._answered else asked.read(message)
        if actions is None:
            return self._reject(message)
        self._answered = asked
        self._declined = actions is DONE_ONLY
        if len(actions) == 3 and not is_together(self.match):
            self._plan = tuple(place.at for place in actions[1:] if isinstance(place, PlaceWorker))
            actions = actions[:1]
        self.act(*actions)
        return True

    def _reject(self, message: msgspec.Struct | None) -> bool:
        """Say that it was not taken, as far as the edition can, and repeat what is asked [9]."""
        if not self.bears():
            return False
        if self.edition.is_shipped:
            if type(message) in _IGNORED:
                return True
            self.talk.say(texts(self.edition).rejected[self.seat] + self._closing)
        if self._asked is not None and self._asked is not self._answered:
            self.talk.say(self._asked.request)
        return True

    def hear_refusal(self, refusal: Refusal) -> bool:
        """The table did not take an answer.  If the match has moved on, what is to be answered now is asked already."""
        if type(refusal.command) is not Act or self.is_new():
            return True
        self._answered = None
        return self._asked is not None and self._reject(None)


_IGNORED: Final = frozenset({wire.Message, *wire.F.types}) - {
    wire.ConsolidateMove, wire.ConsolidateBuild, wire.DeclineLastAction, wire.InitializeGodPower,
    wire.InitializeWorkerPositions, type(None),
}  # fmt: skip
"""[9] What F's server passes over in silence: texts, a second login, and the server's own messages."""
