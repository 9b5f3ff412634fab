"""One santorini-objects client at one table: its open question, its answer in flight, and the messages held back.

- A rejected message changes nothing: D receives the same request again, F receives `RequestError` first [9].
- A message that answers no question is dropped; F receives `RequestError`.
- Too many rejected messages in a row end the connection.
"""

from __future__ import annotations

from typing import Final, TypeAlias

import msgspec

from boardwire.dialects import participant
from boardwire.dialects.participant import ScriptInput
from boardwire.dialects.santorini_objects.ask import Question, QuestionContext, ask, is_joint_setup
from boardwire.dialects.santorini_objects.editions import Edition
from boardwire.dialects.santorini_objects.messages import classes as wire
from boardwire.dialects.santorini_objects.messages.texts import decline_request, texts
from boardwire.dialects.santorini_objects.tell import tell
from boardwire.games.santorini.actions import DONE_ONLY, PlaceWorker
from boardwire.games.santorini.powers.catalogue import God
from boardwire.table.commands import Act
from boardwire.table.events import Acted
from boardwire.table.guest import Refusal, Seated, Step
from boardwire.table.match import Match
from boardwire.talk import BadMessageCount, Talk

ServerInput: TypeAlias = msgspec.Struct | Edition | ScriptInput
"""Inputs of the server script: the edition first, then messages and notifications."""

MAX_BAD_MESSAGES: Final = 100
"""Number of consecutive rejected messages that ends the connection."""


class Participant(participant.Participant[ServerInput]):
    """One client at one table."""

    __slots__ = (
        "_answered_question",
        "_bad_messages",
        "_decline_request",
        "_has_declined",
        "_held_output",
        "_open_question",
        "_plan",
        "edition",
    )

    def __init__(self, talk: Talk[ServerInput], edition: Edition, seated: Seated) -> None:
        super().__init__(talk, seated)
        self.edition = edition
        self._plan: tuple[int, ...] = ()
        """Squares for the workers that came with the god, until the table asks for them."""
        self._open_question: Question | None = None
        """The open question, until the table accepts an answer."""
        self._answered_question: Question | None = None
        """The question whose answer is in flight."""
        self._decline_request = b""
        """F's request that the client must decline before the next turn is reported."""
        self._has_declined = False
        """Whether the last answer declined further actions, which ends the turn."""
        self._held_output: list[bytes] = []
        """Messages held back until F's client declines."""
        self._bad_messages = BadMessageCount(MAX_BAD_MESSAGES)

    def is_over(self) -> bool:
        """Return whether the client has received the last message of the match."""
        return self.match.outcome is not None and not self._decline_request

    def count_bad_message(self) -> bool:
        """Count a rejected message; return False once the limit is reached."""
        return not self._bad_messages.add()

    # --- events ---------------------------------------------------------------------------------------------------

    def handle_step(self, step: Step) -> None:
        """Report a step, then ask the pending decision."""
        before = self.match
        self._bad_messages.count = 0
        running, after = tell(step, before.position, self.edition, self.seat)
        self.follow(step)
        if self.match.outcome is not None and self.match.position.outcome is None:  # the match was interrupted
            self.talk.say(b"".join((*self._held_output, running, after)))
            self._decline_request = b""
            return
        if self._decline_request:
            self._held_output += (running, after)
            return
        if after and self.edition.is_shipped and self._ended_own_turn(step, before):
            self.talk.say(running)
            self._decline_and_hold(after)
            return
        if running or after:
            self.talk.say(running + after)
        self._has_declined = False
        self._ask_question()

    def _ended_own_turn(self, step: Step, before: Match) -> bool:
        """Return whether the client's own action, other than declining, ended its turn."""
        event = step.moments[0].event
        return (
            type(event) is Acted
            and event.seat == self.seat
            and before.position.setup is None
            and not self._has_declined
        )

    def _decline_and_hold(self, after: bytes) -> None:
        """Send F a request that can only be declined, and hold back all messages until it is [7.8].

        Every turn of F ends with such a request. The table does not wait for the answer, which only delays the client's
        own messages.
        """
        self._decline_request = decline_request(
            self.edition, self.seat, self.match.position.lineup.gods[self.seat] is God.ATLAS
        )
        self._held_output = [after]
        self.talk.say(self._decline_request)

    def _ask_question(self) -> None:
        """Ask the open decision if it is new, or act for the player where the edition has no question."""
        if self._decline_request or not self.is_new():
            return
        self._open_question = None
        decision = self.take_question()
        if decision is None:
            return
        question = ask(QuestionContext(self.edition, self.seat, self.match, decision, self._plan))
        if isinstance(question, Question):
            self._open_question = question
            self.talk.say(question.request)
        elif question is not None:
            self.act(*question)  # the actions of a default

    # --- the client's messages ------------------------------------------------------------------------------------

    def handle_message(self, message: msgspec.Struct) -> bool:
        """Accept or reject a message. Return False if the connection must end."""
        if self._decline_request and isinstance(message, wire.DeclineLastAction):
            self._decline_request = b""
            self.talk.say(b"".join(self._held_output))
            self._held_output = []
            self._ask_question()
            return True
        question = self._open_question
        actions = None if question is None or question is self._answered_question else question.read(message)
        if actions is None:
            return self._report_rejection(message)
        self._answered_question = question
        self._has_declined = actions is DONE_ONLY
        if len(actions) == 3 and not is_joint_setup(self.match):  # a god and two cells, which are due only later
            self._plan = tuple(place.at for place in actions[1:] if isinstance(place, PlaceWorker))
            actions = actions[:1]
        self.act(*actions)
        return True

    def _report_rejection(self, message: msgspec.Struct | None) -> bool:
        """Report the rejection if the edition can, and repeat the open request [9]."""
        if not self.count_bad_message():
            return False
        if self.edition.is_shipped:
            if type(message) in _IGNORED:
                return True
            self.talk.say(texts(self.edition).rejected[self.seat] + self._decline_request)
        if self._open_question is not None and self._open_question is not self._answered_question:
            self.talk.say(self._open_question.request)
        return True

    def handle_refusal(self, refusal: Refusal) -> bool:
        """Handle a refused answer, unless the match has changed and the next question has been asked already."""
        if type(refusal.command) is not Act or self.is_new():
            return True
        self._answered_question = None
        return self._open_question is not None and self._report_rejection(None)


_IGNORED: Final = frozenset({wire.Message, *wire.F.types}) - {
    wire.ConsolidateMove, wire.ConsolidateBuild, wire.DeclineLastAction, wire.InitializeGodPower,
    wire.InitializeWorkerPositions, type(None),
}  # fmt: skip
"""Messages that F's server ignores without an error: texts, a second login, and the server's own messages [9]."""
