"""Base class of watchers: findings, expectations, and replies that the server owes.

- `client` and `server` get a message after it was forwarded; an unreadable one arrives as `Unreadable`.
- No false findings: what a specification leaves open is not a finding.
- A fault is reported once: a watcher that has lost track of the match (`lost`) judges only framing and fields.
- Watchers of one proxy share a `WatcherGroup`, where the ends of one table find each other by player name.
- The server has one question open at a time and repeats it only after a refusal. It asks nothing after the end, and
  sends the result to every player of the table.
- If the document ends the conversation with the match (`farewells`), the client sends nothing after it. A reply to a
  question that the end has withdrawn may cross it.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator
from typing import Any, ClassVar, Final

import msgspec

from boardwire import dialects
from boardwire.conformance.finding import FindingCounter, Phrase, Rule, Side
from boardwire.conformance.framing import Framer, LineFramer

CROSSING_SECONDS: Final = 1.0
"""Seconds after the withdrawal of a question in which a reply to it may still arrive."""

MAX_PENDING_REPLIES: Final = 1000
"""Limit of pending replies; further requests are not followed."""

ONE_QUESTION: Final = Rule("any.one-question", "", "a client has one question to answer at a time")
REPEATED: Final = Rule("any.question-again", "", "a question is asked again only after a refusal")
AFTER_END: Final = Rule("any.question-after-end", "", "nothing is asked after the end of a match")
RESULT_MISSING: Final = Rule("any.result-untold", "", "every player is told the result")
AFTER_END_CLIENT: Final = Rule("any.client-after-end", "", "a client sends nothing after the end of its match")
"""Rules of every dialect; each watcher adds the sections of its specification."""


class Unreadable(msgspec.Struct, frozen=True):
    """A message that the protocol does not have: its bytes, and the reason."""

    data: bytes
    why: str


class PendingReply(msgspec.Struct):
    """A reply that the server owes since the time `since`; `tag` identifies the request."""

    rule: Rule
    answer: Phrase
    since: float
    tag: Any = None


class Expected(msgspec.Struct, frozen=True):
    """The side that has to send next, and a description of what it may send."""

    side: Side
    words: Phrase

    @property
    def phrase(self) -> Phrase:
        """Side and words as one phrase."""
        return Phrase("{}: {}", (self.side.value, self.words))

    def __str__(self) -> str:
        return str(self.phrase)


class WatcherGroup:
    """Watchers of all connections of one proxy."""

    def __init__(self) -> None:
        self.watchers: dict[str, Watcher] = {}
        """Watchers of open connections by player name."""
        self.counter = FindingCounter()
        """Counts the findings of all connections together."""
        self.present: list[Watcher] = []
        """Watchers of all open connections."""

    def enter(self, name: str, watcher: Watcher) -> None:
        """Register the player name of a watcher."""
        self.watchers[name] = watcher

    def leave(self, watcher: Watcher) -> None:
        """Remove the watcher of a closed connection."""
        for name in [name for name, other in self.watchers.items() if other is watcher]:
            del self.watchers[name]
        if watcher in self.present:
            self.present.remove(watcher)

    def others(self, watcher: Watcher) -> Iterator[Watcher]:
        """Return the watchers that have a player name, except this one."""
        return (other for other in self.watchers.values() if other is not watcher)


class Watcher:
    """Watcher of one connection. The subclass of a dialect is called `DialectWatcher`."""

    framer: ClassVar[Callable[[], Framer]] = LineFramer
    """Returns a new framer of the protocol."""
    framing: ClassVar[Rule] = Rule("any.framing", "1", "a message has the form of the specification")
    """The rule broken by bytes that are not a message."""
    unknown: ClassVar[Rule] = Rule("any.unknown", "3", "a message is one of the specification's, with its fields")
    """The rule broken by an unknown message."""

    def __init__(self, group: WatcherGroup, dialect: str) -> None:
        self.group = group
        group.present.append(self)
        self.edition = dialect.partition("/")[2]
        self.protocol = protocol = dialects.protocol(dialect)
        self._specification = dialects.specification_path(dialect)
        self._non_answers = protocol.heartbeats | protocol.queries
        """Messages of a client that answer no question."""
        messages = (*protocol.client, *protocol.server)
        self._message_names = {message.struct: message.name for message in messages if message.struct is not None}
        self._sections = {message.name: message.section for message in messages if message.section}
        self._sections["header"] = protocol.sections.framing
        self.now = 0.0
        self.lost = False
        """Whether the state of the match is unknown after a breach (`lose`)."""
        self.pending_replies: deque[PendingReply] = deque()
        self.over = False
        """Whether the match is over for this player, or there is none."""
        self.may_leave = False
        """Whether the client may leave before the end: it is out, or got data that it could take for the end."""
        self.expected: Expected | None = None
        self.awaited: float | None = None
        """Since when the client owes a reply."""
        self._last_asked: Phrase | None = None
        self._withdrawn_at: float | None = None
        """When a question was withdrawn before the client answered."""
        self._open_question: tuple[str, Any] | None = None
        """The unanswered question: the name of its message, and its subject."""
        self._may_repeat = False
        """Whether a reply was refused since, so that the question may be repeated."""
        self._ended_at: float | None = None
        """When the match ended."""
        self._asked_at_end = False
        """Whether the client had a question to answer when the match ended."""
        self.result_due: float | None = None
        """Since when another player of the table knows the result while this one does not."""
        self.report: Callable[[Side, Rule, Phrase], None] = lambda side, rule, detail: None

    # --- declared by a dialect ----------------------------------------------------------------------------------------

    def read(self, side: Side, message: Any) -> Any:
        """Return the content of a decoded message; raise `Malformed` if `side` cannot send it."""
        decode = self.protocol.decode_request if side is Side.CLIENT else self.protocol.decode_reply
        return message if decode is None else decode(message)

    def name(self, side: Side, message: Any) -> str:
        """Return the specification's name of a message."""
        if isinstance(message, bytes):
            return message.decode("utf-8", "replace").partition(" ")[0]
        return self._message_names.get(type(message), type(message).__name__)

    def section_of(self, name: str) -> str:
        """Return the section about a message, or about the header of a stream."""
        return self._sections.get(name, self.protocol.sections.messages)

    def cite(self, section: str) -> str:
        """Return a section with the path of its specification."""
        return f"{self._specification}, {section}"

    def start(self) -> None:
        """Start watching an open connection."""

    def overhead(self, side: Side) -> None:
        """Note a piece that is not a message: the header of a stream, the head of an upgrade."""

    def client(self, message: Any) -> None:
        """Check a message from the client against the rules of the dialect."""

    def server(self, message: Any) -> None:
        """Check a message from the server against the rules of the dialect."""

    def client_left(self) -> None:
        """Note that the client has closed the connection; the server owes nothing more."""

    def server_left(self) -> None:
        """Note that the server has closed the connection before the client."""

    def table(self) -> Iterator[Watcher]:
        """Yield the watchers of the other players of the match, as far as they are known."""
        return iter(())

    def is_answer(self, name: str) -> bool:
        """Return whether a message from the client may answer a question."""
        return name not in self._non_answers

    # --- used by watchers ---------------------------------------------------------------------------------------------

    def expect(self, side: Side, words: str, *values: Any, required: bool = True) -> None:
        """Expect a message of `side`, described by `words` with a `{}` for each value.

        `required` is False if a client may, but need not send it.
        """
        self._expect(side, Phrase(words, values), required)

    def _expect(self, side: Side, words: Phrase, required: bool) -> None:
        self.expected = Expected(side, words)
        owed_by_client = side is Side.CLIENT and required
        if not owed_by_client:
            self._note_withdrawal()
        self.awaited = self.now if owed_by_client else None
        self._last_asked = words if owed_by_client else self._last_asked

    def ask(self, name: str, words: str, *values: Any, about: Any = None) -> None:
        """Expect a reply to the question `name` of the server, and report the question if it is not allowed now.

        `about` distinguishes questions with the same name.
        """
        if self.over:
            self.blame(Side.SERVER, _with_section(AFTER_END, self.protocol.sections.lost), "got {} after the end", name)
            return
        turns = self.protocol.sections.turns
        if self._open_question is not None and not self._may_repeat and not self.lost:
            if self._open_question == (name, about):
                self.blame(Side.SERVER, _with_section(REPEATED, turns), "got {} again before it was answered", name)
            else:
                form = "got {} while {} was not answered"
                self.blame(Side.SERVER, _with_section(ONE_QUESTION, turns), form, name, self._open_question[0])
        self._open_question, self._may_repeat = (name, about), False
        self.expect(Side.CLIENT, words, *values)

    def dispatch(self, message: Any) -> bool:
        """Call the method named `_` and the class of a message in lower case; return whether there is one."""
        handle = getattr(self, f"_{type(message).__name__.lower()}", None)
        if handle is not None:
            handle(message)
        return handle is not None

    def note_answer(self) -> None:
        """Note that the client has sent a message that may answer its question."""
        self.awaited = self._open_question = None

    def server_message(self, message: Any) -> None:
        """Check a message from the server against the rules, and note the time if it ends the match."""
        was_over, had_question = self.over, self.awaited is not None
        self.server(message)
        if self.over and not was_over:
            self._ended_at, self._asked_at_end = self.now, had_question

    def client_message(self, name: str, message: Any) -> None:
        """Check whether a message from the client is allowed now, and check it against the rules of the dialect."""
        self._judge_after_end(name)
        if self.is_answer(name):
            self.note_answer()
        self.client(message)

    def _judge_after_end(self, name: str) -> None:
        """Report a message of the client after the end of the match, unless it may have crossed the result."""
        protocol = self.protocol
        if not self.over or self.lost or self._ended_at is None or protocol.farewells is None:
            return
        crosses = self._asked_at_end and self.now - self._ended_at < CROSSING_SECONDS
        if not crosses and name not in self._non_answers | protocol.farewells:
            self.blame(
                Side.CLIENT,
                _with_section(AFTER_END_CLIENT, self.protocol.sections.lost),
                "got {} after the end of the match",
                name,
            )

    def withdraw(self) -> None:
        """Withdraw the open question."""
        self._open_question = None

    def note_result(self) -> None:
        """Note that this player got the result: the other players of the match must get it too."""
        for other in self.table():
            if other.result_due is None and not (other.over or other.may_leave):
                other.result_due = self.now

    def expect_again(self) -> None:
        """Expect a reply to the last question again: the client's message was not a reply, or was refused."""
        self._may_repeat = True
        if self._last_asked is not None and not self.over:
            self._expect(Side.CLIENT, self._last_asked, True)

    def expect_nothing(self) -> None:
        """Expect no message from the client: it is not its turn."""
        self._note_withdrawal()
        self.expected = self.awaited = self._last_asked = self._open_question = None

    def _note_withdrawal(self) -> None:
        """Note the time if the client has not answered: its reply may have been sent already."""
        if self.awaited is not None:
            self._withdrawn_at = self.now

    @property
    def crosses(self) -> bool:
        """Whether a message from the client may be a reply to a question that was withdrawn within `CROSSING_SECONDS`.

        A question is withdrawn when the player's clock has run out or another player has answered.
        """
        return self._withdrawn_at is not None and self.now - self._withdrawn_at < CROSSING_SECONDS

    def blame(self, side: Side, rule: Rule, detail: str, *values: Any) -> None:
        """Report a breach; `detail` has a `{}` for each value."""
        self.report(side, rule, Phrase(detail, values))

    def lose(self, side: Side, rule: Rule, detail: str, *values: Any) -> None:
        """Report a breach after which the state of the match is unknown."""
        if not self.lost:
            self.blame(side, rule, detail, *values)
        self.lost = True
        self.pending_replies.clear()

    def expect_reply(self, rule: Rule, answer: str, tag: Any = None) -> None:
        """Expect a reply of the server; `tag` identifies it for `settle_reply`."""
        if len(self.pending_replies) < MAX_PENDING_REPLIES:
            self.pending_replies.append(PendingReply(rule, Phrase(answer), self.now, tag))

    def settle_reply(self, *tags: Any) -> PendingReply | None:
        """Remove and return the oldest pending reply with one of these tags, or return None."""
        return self.settle_reply_where(lambda tag: tag in tags)

    def settle_reply_where(self, is_wanted: Callable[[Any], bool]) -> PendingReply | None:
        """Remove and return the oldest pending reply with a wanted tag, or return None."""
        reply = next((reply for reply in self.pending_replies if is_wanted(reply.tag)), None)
        if reply is not None:
            self.pending_replies.remove(reply)
        return reply

    def expects_reply(self, tag: Any) -> bool:
        """Return whether a reply with this tag is pending."""
        return any(reply.tag == tag for reply in self.pending_replies)

    def report_overdue(self, patience: float) -> None:
        """Report, once, replies that have been pending for `patience` seconds or longer."""
        if self.result_due is not None and self.now - self.result_due >= patience:
            self.report_missing_result()
        for reply in [reply for reply in self.pending_replies if self.now - reply.since >= patience]:
            self.pending_replies.remove(reply)
            seconds = self.now - reply.since
            self.blame(Side.SERVER, reply.rule, "nothing arrived for {:.1f} s; expected {}", seconds, reply.answer)

    def report_missing_result(self) -> bool:
        """Report that the server owes this player the result, if it does; return whether it does."""
        due, self.result_due = self.result_due, None
        if due is None or self.over or self.may_leave or self.lost:
            return False
        self.blame(
            Side.SERVER,
            _with_section(RESULT_MISSING, self.protocol.sections.lost),
            "another player got the result, but this one did not",
        )
        return True


def _with_section(rule: Rule, section: str) -> Rule:
    return msgspec.structs.replace(rule, section=section)
