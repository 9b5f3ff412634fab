"""The server's end of santorini-objects, all editions.

The conversation, with the sections of the protocol page in brackets:

1. The client's first object tells its edition [9.1]: D says "2 players" [3.1.1], F sends a `Connection` [3.2.1].
2. It sits down.  D is asked its name when the table is full [3.1.2]; F has said it, and is refused if it is taken
   [3.2.4].
3. When all are ready, each is told its number and all names [3.1.3, 3.2.5], and the set-up begins.
4. Decisions are put as `ask` says, and what happens is told as `tell` says, until somebody wins or leaves.
5. Then the connection is closed [9.15].

What cannot be taken changes nothing: D gets the same request again, F first `RequestError` [9.5].  What comes while
nothing is asked is dropped; F is told that too.  Too many such messages in a row end the connection.
"""

from __future__ import annotations

from typing import Any, Final

import msgspec

from boardwire.dialects.santorini_objects import classes as wire
from boardwire.dialects.santorini_objects.ask import Asking, Question, ask, is_together
from boardwire.dialects.santorini_objects.cells import GODS
from boardwire.dialects.santorini_objects.editions import Edition
from boardwire.dialects.santorini_objects.handshake import NAME_SECONDS, Visitor, greet, name_with, nothing_left, texts
from boardwire.dialects.santorini_objects.tell import tell
from boardwire.errors import Malformed
from boardwire.games.game import Decision, Seat
from boardwire.games.santorini.actions import DONE_ONLY, Action, Actions, PlaceWorker
from boardwire.games.santorini.options import Draft, Options
from boardwire.games.santorini.powers.catalogue import God
from boardwire.games.santorini.wish import Wish
from boardwire.table.commands import Act, AnswerUndo, Ready
from boardwire.table.errands import Seek
from boardwire.table.events import Acted, Player, Started, UndoOffered
from boardwire.table.guest import Refusal, Seated, Step
from boardwire.table.match import Match, Status
from boardwire.talk import Gone, Talk, Woke

DIALECT: Final = "santorini-objects"

PATIENCE: Final = 100
"""How many messages in a row that cannot be taken end the connection."""

ATTEMPTS: Final = 8
"""How many names are tried for a D client; a table has three seats, so another reason than a name ends it."""

_WISH: Final = Wish(GODS)
_NOBODY: Final = Player(dialect=DIALECT)


async def serve(talk: Talk[Any]) -> None:
    """Play one match with one client."""
    edition = await talk.hear()
    if not isinstance(edition, Edition):
        return
    visitor = greet(edition, await talk.hear())
    if isinstance(visitor, bytes):
        talk.say(visitor)
        return
    seated = await _sit(talk, edition, visitor)
    if seated is None:
        return
    sitting = Sitting(talk, edition, visitor, seated)
    step = await sitting.begin()
    if step is not None:
        await sitting.play(step)


async def _sit(talk: Talk[Any], edition: Edition, visitor: Visitor) -> Seated | None:
    """Take a seat, without a name yet; at a table of our own if the one that waits knows too few of our gods."""
    options = Options(Draft.TWO_ROUNDS if edition.is_shipped else Draft.TOGETHER)
    for fresh in (False, True):
        talk.do(Seek("santorini", visitor.seats, _NOBODY, options, wish=_WISH, ready=False, fresh=fresh))
        match await talk.news():
            case Seated() as seated:
                return seated
            case Refusal():
                continue
            case _:
                break
    return None


class Sitting:
    """One seat's conversation."""

    __slots__ = (
        "_acted", "_asked_name", "_attempt", "_closing", "_declined", "_edition", "_held", "_match", "_name", "_plan",
        "_put", "_question", "_seat", "_strikes", "_talk",
    )  # fmt: skip

    def __init__(self, talk: Talk[Any], edition: Edition, visitor: Visitor, seated: Seated) -> None:
        self._talk = talk
        self._edition = edition
        self._seat: Seat = seated.seat
        self._match: Match = seated.match
        self._name = visitor.name
        self._attempt = 0
        self._asked_name = False
        self._plan: tuple[int, ...] = ()
        self._question: Question | None = None
        """What the client is asked, until the table has taken an answer."""
        self._put: Decision[Action] | None = None
        """The decision that was last dealt with, so that it is not put again when somebody chats."""
        self._acted: Question | None = None
        """The question whose answer is on its way to the table."""
        self._closing = b""
        """F's request that must be declined before the next turn is told."""
        self._declined = False
        self._held: list[bytes] = []
        self._strikes = 0

    # --- until the match starts -----------------------------------------------------------------------------------

    async def begin(self) -> Step | None:
        """Settle the name and wait; the step in which the match starts, None if this conversation is over."""
        if self._edition.is_shipped:
            self._ready()
        while True:
            heard = await self._talk.hear()
            if isinstance(heard, Step):
                if heard.match.status is not Status.WAITING:
                    self._talk.wake(0, "name")
                    return heard if any(type(moment.event) is Started for moment in heard.moments) else None
                self._match = heard.match
                self._ask_name()
            elif isinstance(heard, Seated):  # at another table where somebody waits; the client knows neither
                self._seat, self._match = heard.seat, heard.match
            elif isinstance(heard, Refusal):
                if self._edition.is_shipped:
                    self._talk.say(texts(self._edition).name_refused)  # [3.2.4]
                if self._edition.is_shipped or self._attempt > ATTEMPTS:
                    return None
                self._ready()
            elif isinstance(heard, wire.Message) and self._is_asked_name:
                self._talk.wake(0, "name")
                self._name = heard.message or ""
                self._ready()
            elif isinstance(heard, Gone | Woke | Malformed) or not self._bears():
                return None
            elif self._is_asked_name:
                self._talk.say(texts(self._edition).ask_name)

    @property
    def _is_asked_name(self) -> bool:
        return self._asked_name and not self._attempt

    def _ask_name(self) -> None:
        """D is asked when the table is full [3.1.2]; all at once, so that nobody waits for another's slow client."""
        if not self._asked_name and not self._edition.is_shipped and all(self._match.players):
            self._asked_name = True
            self._talk.say(texts(self._edition).ask_name)
            self._talk.wake(NAME_SECONDS, "name")

    def _ready(self) -> None:
        self._attempt += 1
        name = name_with(self._name, self._seat, self._attempt)
        self._talk.do(Ready(self._seat, Player(name, DIALECT)))

    # --- play -----------------------------------------------------------------------------------------------------

    async def play(self, step: Step) -> None:
        """The match, from the step that starts it to its end."""
        self._talk.say(texts(self._edition).number[self._seat])
        self._hear_step(step)
        messages = self._edition.schema.types
        while self._match.outcome is None or self._closing:
            heard = await self._talk.hear()
            kind = type(heard)
            if kind is Step:
                self._hear_step(heard)
            elif kind in messages:
                if not self._hear_message(heard):
                    return
            elif kind is Refusal:
                if not self._hear_refusal(heard):
                    return
            else:
                return  # the peer is gone, or sent what cannot be read

    def _hear_step(self, step: Step) -> None:
        before = self._match
        self._match = step.match
        self._strikes = 0
        running, after = tell(step, before.position, self._edition, self._seat)
        for moment in step.moments:
            if type(moment.event) is UndoOffered and self._seat not in moment.match.agreed:
                self._talk.do(AnswerUndo(self._seat, agree=False))  # the protocol has no words for it
        if self._match.outcome is not None and self._match.position.outcome is None:  # it was broken off
            self._talk.say(b"".join((*self._held, running, after)))
            self._closing = b""
            return
        if self._closing:
            self._held += (running, after)
            return
        if after and self._edition.is_shipped and self._ended_own_turn(step, before):
            self._talk.say(running)
            self._close(after)
            return
        if running or after:
            self._talk.say(running + after)
        self._declined = False
        self._put_question()

    def _ended_own_turn(self, step: Step, before: Match) -> bool:
        """Whether a step that the client took has ended its turn, and not by declining."""
        event = step.moments[0].event
        return (
            type(event) is Acted and event.seat == self._seat and before.position.setup is None and not self._declined
        )

    def _close(self, after: bytes) -> None:
        """F ends every turn by declining, the last one too: ask for it with nothing on offer, and keep what follows
        until then [9.11].

        The table has gone on: nobody waits for a client that is slow to decline, it just hears the rest later."""
        self._closing = nothing_left(
            self._edition, self._seat, self._match.position.lineup.gods[self._seat] is God.ATLAS
        )
        self._held = [after]
        self._talk.say(self._closing)

    def _put_question(self) -> None:
        decision = self._match.pending
        if decision is self._put or self._closing:
            return
        self._put = decision
        self._question = None
        if decision is None or self._seat not in decision.seats:
            return
        asked = ask(Asking(self._edition, self._seat, self._match, decision, self._plan))
        if isinstance(asked, Question):
            self._question = asked
            self._talk.say(asked.request)
        elif asked is not None:
            self._act(asked)

    def _act(self, actions: Actions) -> None:
        self._talk.do(Act(self._seat, actions, self._match.seq))

    # --- what the client says -------------------------------------------------------------------------------------

    def _hear_message(self, message: msgspec.Struct) -> bool:
        """Take an answer, or what is none; False if that was one too many."""
        if self._closing and isinstance(message, wire.DeclineLastAction):
            self._closing = b""
            self._talk.say(b"".join(self._held))
            self._held = []
            self._put_question()
            return True
        question = self._question
        if question is None or question is self._acted:
            return self._reject(message)
        actions = question.read(message)
        if actions is None:
            return self._reject(message)
        self._acted = question
        self._declined = actions is DONE_ONLY
        if len(actions) == 3 and not is_together(self._match):
            self._plan = tuple(place.at for place in actions[1:] if isinstance(place, PlaceWorker))
            actions = actions[:1]
        self._act(actions)
        return True

    def _reject(self, message: msgspec.Struct | None) -> bool:
        """Say that it was not taken, as far as the edition can, and repeat what is asked [9.5]."""
        if not self._bears():
            return False
        if self._edition.is_shipped:
            if type(message) in _IGNORED:
                return True
            self._talk.say(texts(self._edition).rejected[self._seat] + self._closing)
        if self._question is not None and self._question is not self._acted:
            self._talk.say(self._question.request)
        return True

    def _hear_refusal(self, refusal: Refusal) -> bool:
        """The table did not take an answer.  If the match has moved on, what is to be answered now is asked already."""
        if type(refusal.command) is not Act or self._match.pending is not self._put:
            return True
        self._acted = None
        return self._question is not None and self._reject(None)

    def _bears(self) -> bool:
        """Count what cannot be taken; False if it was too much."""
        self._strikes += 1
        return self._strikes < PATIENCE


_IGNORED: Final = frozenset({wire.Message, *wire.F.types}) - {
    wire.ConsolidateMove, wire.ConsolidateBuild, wire.DeclineLastAction, wire.InitializeGodPower,
    wire.InitializeWorkerPositions, type(None),
}  # fmt: skip
"""[3.2.11] What F's server passes over in silence: texts, a second login, and the server's own messages."""

ANSWER: Final[dict[type, bytes]] = {}
"""The protocol has nothing that a client may ask unbidden."""
