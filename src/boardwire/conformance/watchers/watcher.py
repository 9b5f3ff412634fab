"""What every watcher has: rules that it finds broken, and answers that the server still owes.

Rules of a watcher:

- `client` and `server` hear a message after it was passed on; one that cannot be read comes as `Unreadable`.
- Silence about correct conversations comes first: what a page leaves open is no finding.
- What is broken is told once: a watcher that has lost the thread (`lost`) judges frames and fields alone from then on.
- Watchers of one proxy share a `Room`, where the ends of one table find each other by the players' names.
- The server has one question open at a time, and repeats it only after a refusal.  It asks nothing after the end, and
  tells the result to every player of the table.
- Where the document ends the conversation with the match (`farewells`), the client then sends nothing else.  An answer
  to a question that the end has withdrawn may cross it.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator
from typing import Any, ClassVar, Final

import msgspec

from boardwire.conformance.finding import Phrase, Rule, Side, Tally
from boardwire.conformance.framing import Cutter

CROSSING_SECONDS: Final = 1.0
"""How long after a question was withdrawn an answer to it may still come: it was on its way."""

MOST_OWED: Final = 1000
"""Answers that are waited for at one time; a client that asks for more is not followed further."""


ONE_QUESTION: Final = Rule("any.one-question", "", "a client has one question to answer at a time")
REPEATED: Final = Rule("any.question-again", "", "a question is asked again only after a refusal")
AFTER_END: Final = Rule("any.question-after-end", "", "nothing is asked after the end of a match")
UNTOLD: Final = Rule("any.result-untold", "", "every player is told the result")
SPOKE_ON: Final = Rule("any.client-after-end", "", "a client sends nothing after the end of its match")
"""Rules of every dialect; a watcher knows the sections of its own specification."""


class Unreadable(msgspec.Struct, frozen=True):
    """A message that the protocol does not have: its bytes, and why."""

    data: bytes
    why: str


class Debt(msgspec.Struct):
    """An answer that the server owes since a time: the rule that says so, and the answer in words."""

    rule: Rule
    answer: Phrase
    since: float
    tag: Any = None


class Expected(msgspec.Struct, frozen=True):
    """Who has to speak next, and what it can say, in words for a person."""

    side: Side
    words: Phrase

    @property
    def phrase(self) -> Phrase:
        """Both in one."""
        return Phrase("{}: {}", (self.side.value, self.words))

    def __str__(self) -> str:
        return str(self.phrase)


class Room:
    """All conversations that one proxy watches, as far as they can be told to belong together."""

    def __init__(self) -> None:
        self.watchers: dict[str, Watcher] = {}
        """By the name of the player, as long as the connection lasts."""
        self.tally = Tally()
        """Counts the findings of all connections together."""
        self.present: list[Watcher] = []
        """The watchers of all open connections."""

    def enter(self, name: str, watcher: Watcher) -> None:
        """A player has this name now."""
        self.watchers[name] = watcher

    def leave(self, watcher: Watcher) -> None:
        """The connection is gone."""
        for name in [name for name, one in self.watchers.items() if one is watcher]:
            del self.watchers[name]
        if watcher in self.present:
            self.present.remove(watcher)

    def others(self, watcher: Watcher) -> Iterator[Watcher]:
        """Everybody else."""
        return (one for one in self.watchers.values() if one is not watcher)


class Watcher:
    """See the module.  A dialect's own class is called `Watching`."""

    page: ClassVar[str] = ""
    """The name of the dialect's page."""
    framing: ClassVar[Rule] = Rule("any.framing", "1", "a message has the form of the page")
    """What is broken by bytes that are no message at all."""
    unknown: ClassVar[Rule] = Rule("any.unknown", "3", "a message is one of the page's, with its fields")
    """What is broken by a message that the page does not have."""
    sections: ClassVar[dict[str, str]] = {}
    """The section that tells of a message, by its name."""
    usual: ClassVar[str] = "3"
    """The section of all others."""
    beats: ClassVar[frozenset[str]] = frozenset()
    """The names of messages that say nothing but that somebody is there."""
    queries: ClassVar[frozenset[str]] = frozenset()
    """Those by which a client asks something, and answers nothing."""
    farewells: ClassVar[frozenset[str] | None] = None
    """Messages that a client may send after the end, beside beats and queries.  None: the conversation goes on."""

    def __init__(self, room: Room, edition: str = "") -> None:
        self.room = room
        room.present.append(self)
        self.edition = edition
        self.turns = self.ends = self.usual
        """The sections of the specification that describe turns and the end of a match."""
        self.now = 0.0
        self.lost = False
        self.owed: deque[Debt] = deque()
        self.over = False
        """Whether the match is over for this player, or there is none any more."""
        self.may_leave = False
        """Whether the client may leave before that: it is out, or was told something that could have been the end."""
        self.expected: Expected | None = None
        self.awaited: float | None = None
        """Since when the client owes an answer."""
        self._last_asked: Phrase | None = None
        self._withdrawn: float | None = None
        """When a question was withdrawn that the client had not answered."""
        self._open: tuple[str, Any] | None = None
        """The question that the client has not answered yet: the name of its message, and what it is about."""
        self._may_repeat = False
        """Whether an answer was refused since, so that the question may be asked again."""
        self._ended: float | None = None
        """When the match ended."""
        self._asked_at_end = False
        """Whether the client had a question to answer when the match ended."""
        self.result_due: float | None = None
        """Since when another player of the table knows the result, and this one does not."""
        self.found: Callable[[Side, Rule, Phrase], None] = lambda side, rule, detail: None

    # --- what a dialect declares ------------------------------------------------------------------------------------

    @classmethod
    def cutter(cls) -> Cutter:
        """What cuts its bytes into messages."""
        raise NotImplementedError

    def read(self, side: Side, message: Any) -> Any:
        """What a decoded message says; `Malformed` if it says nothing that `side` can say."""
        return message

    def name(self, side: Side, message: Any) -> str:
        """What the page calls a message."""
        tag = type(message).__struct_config__.tag if isinstance(message, msgspec.Struct) else None
        return str(tag) if tag else type(message).__name__

    def start(self) -> None:
        """The connection is there."""

    def overhead(self, side: Side) -> None:
        """A piece came that belongs to the wire and is no message: the header of a stream, the head of an upgrade."""

    def client(self, message: Any) -> None:
        """The client has said something."""

    def server(self, message: Any) -> None:
        """The server has said something."""

    def client_left(self) -> None:
        """The client has closed the connection; the server owes nothing more."""

    def server_left(self) -> None:
        """The server has closed the connection, and the client had not."""

    def table(self) -> Iterator[Watcher]:
        """Yield the watchers of the other players of the match, as far as they are known."""
        return iter(())

    def is_answer(self, name: str) -> bool:
        """Whether a message of the client of this name may be what it was asked for."""
        return name not in self.beats and name not in self.queries

    # --- what watchers use ------------------------------------------------------------------------------------------

    def expect(self, side: Side, words: str, *values: Any, owed: bool = True) -> None:
        """`side` speaks next, and `words` has a `{}` for each value; not `owed`: unless it has nothing to say."""
        self._expect(side, Phrase(words, values), owed)

    def _expect(self, side: Side, words: Phrase, owed: bool) -> None:
        self.expected = Expected(side, words)
        client = side is Side.CLIENT and owed
        if not client:
            self._note_withdrawal()
        self.awaited = self.now if client else None
        self._last_asked = words if client else self._last_asked

    def ask(self, name: str, words: str, *values: Any, about: Any = None) -> None:
        """The server asks the client by the message `name`: judge whether it may, and expect an answer.

        `about` tells questions of one name apart.
        """
        if self.over:
            self.blame(Side.SERVER, _in(AFTER_END, self.ends), "{} came after the end", name)
            return
        if self._open is not None and not self._may_repeat and not self.lost:
            if self._open == (name, about):
                self.blame(Side.SERVER, _in(REPEATED, self.turns), "{} came again before it was answered", name)
            else:
                form = "{} came while {} was not answered"
                self.blame(Side.SERVER, _in(ONE_QUESTION, self.turns), form, name, self._open[0])
        self._open, self._may_repeat = (name, about), False
        self.expect(Side.CLIENT, words, *values)

    def answered(self) -> None:
        """The client has said what may be the answer."""
        self.awaited = self._open = None

    def hear_server(self, message: Any) -> None:
        """Judge a message of the server, and note whether it ends the match."""
        was_over, asked = self.over, self.awaited is not None
        self.server(message)
        if self.over and not was_over:
            self._ended, self._asked_at_end = self.now, asked

    def hear_client(self, name: str, message: Any) -> None:
        """Judge a message of the client."""
        self._judge_after_end(name)
        if self.is_answer(name):
            self.answered()
        self.client(message)

    def _judge_after_end(self, name: str) -> None:
        if not self.over or self.lost or self._ended is None or self.farewells is None:
            return
        crosses = self._asked_at_end and self.now - self._ended < CROSSING_SECONDS
        if not crosses and name not in self.beats | self.queries | self.farewells:
            self.blame(Side.CLIENT, _in(SPOKE_ON, self.ends), "{} came after the end of the match", name)

    def withdraw(self) -> None:
        """The open question is no longer asked."""
        self._open = None

    def tell_result(self) -> None:
        """This player was told the result: the others of the match are to be told too."""
        for other in self.table():
            if other.result_due is None and not (other.over or other.may_leave):
                other.result_due = self.now

    def expect_again(self) -> None:
        """What the client was asked last is still to be answered: what it said since was no answer, or not taken."""
        self._may_repeat = True
        if self._last_asked is not None and not self.over:
            self._expect(Side.CLIENT, self._last_asked, True)

    def expect_nobody(self) -> None:
        """It is not this connection's turn."""
        self._note_withdrawal()
        self.expected = self.awaited = self._last_asked = self._open = None

    def _note_withdrawal(self) -> None:
        """Note the time if the client has not answered: its answer may be under way."""
        if self.awaited is not None:
            self._withdrawn = self.now

    @property
    def crosses(self) -> bool:
        """Whether what the client says now may answer a question that has just been withdrawn: its clock has run out,
        or another player has answered."""
        return self._withdrawn is not None and self.now - self._withdrawn < CROSSING_SECONDS

    def blame(self, side: Side, rule: Rule, detail: str, *values: Any) -> None:
        """`side` has broken a rule; `detail` has a `{}` for each value."""
        self.found(side, rule, Phrase(detail, values))

    def lose(self, side: Side, rule: Rule, detail: str, *values: Any) -> None:
        """`side` has broken a rule so that nothing is known any more of how the match stands."""
        if not self.lost:
            self.blame(side, rule, detail, *values)
        self.lost = True
        self.owed.clear()

    def owe(self, rule: Rule, answer: str, tag: Any = None) -> None:
        """The server owes an answer from now on."""
        if len(self.owed) < MOST_OWED:
            self.owed.append(Debt(rule, Phrase(answer), self.now, tag))

    def pay(self, *tags: Any) -> Debt | None:
        """The oldest debt with one of these tags is paid; it is given, if there is one."""
        for debt in self.owed:
            if debt.tag in tags:
                self.owed.remove(debt)
                return debt
        return None

    def owes(self, tag: Any) -> bool:
        """Return whether the server owes an answer with this tag."""
        return any(debt.tag == tag for debt in self.owed)

    def overdue(self, patience: float) -> None:
        """Tell what the server has owed for longer than `patience` seconds, once."""
        if self.result_due is not None and self.now - self.result_due >= patience:
            self.untold()
        for debt in [debt for debt in self.owed if self.now - debt.since >= patience]:
            self.owed.remove(debt)
            waited = self.now - debt.since
            self.blame(Side.SERVER, debt.rule, "nothing came for {:.1f} s; expected {}", waited, debt.answer)

    def untold(self) -> bool:
        """Blame the server if it owes this player the result; return whether it did."""
        due, self.result_due = self.result_due, None
        if due is None or self.over or self.may_leave or self.lost:
            return False
        self.blame(Side.SERVER, _in(UNTOLD, self.ends), "another player was told the result, and this one was not")
        return True


def _in(rule: Rule, section: str) -> Rule:
    return msgspec.structs.replace(rule, section=section)


def section_of(watcher: type[Watcher], name: str) -> str:
    """Where the page tells of a message."""
    return f"docs/dialects/{watcher.page}.md, {watcher.sections.get(name, watcher.usual)}"
