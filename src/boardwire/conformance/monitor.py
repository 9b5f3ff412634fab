"""Monitor of one connection: splits both directions into messages and has a watcher judge them.

- A monitor gets bytes after they were forwarded. It returns no bytes and never raises: an internal failure is logged,
  and the rest of the connection is not monitored.
- Memory is bounded by one unfinished message per side and the watcher's model, however long the conversation.
- A person may think and leave at any time. For a program (`think` > 0), a reply that takes longer than `think`
  seconds and an abandoned match are breaches too.
- After unreadable data the monitor continues with the next message if the protocol allows it (a line, a new stream).
- It uses no socket and no clock: callers pass times in seconds.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

import msgspec
import structlog

from boardwire import dialects
from boardwire.conformance import java_objects, language
from boardwire.conformance.display import show
from boardwire.conformance.finding import Finding, Phrase, Rule, Side
from boardwire.conformance.framing import HTTP_HEAD
from boardwire.conformance.watchers import watcher
from boardwire.conformance.watchers.watcher import Unreadable, WatcherGroup
from boardwire.errors import Malformed
from boardwire.wire.codec import Decoder
from boardwire.wire.javastream.grammar import HEADER
from boardwire.wire.text import escaped

NO_MESSAGE: Final = "(no message)"
"""Name shown for bytes that are not a message."""

MAX_TEXT_LENGTH: Final = 20_000
"""Longest text of a message in a record."""

_log = structlog.get_logger(__name__)


class MessageRecord(msgspec.Struct, frozen=True, kw_only=True):
    """One message.

    - `name` and `section` are those of the specification; `text` is the message in readable form, `data` its bytes.
    - `took` is the time in seconds since the last message of the other side.
    - `unread` says why the message cannot be decoded.
    """

    connection: int
    number: int
    at: float
    side: Side
    name: str
    text: str
    data: bytes
    section: str = ""
    took: float = 0.0
    unread: str = ""
    expected: str = ""
    """What the watcher expects next."""

    def fields(self) -> dict[str, Any]:
        """Return the object for `--json`."""
        return {
            "event": "message",
            "connection": self.connection,
            "number": self.number,
            "at": round(self.at, 6),
            "from": self.side,
            "name": self.name,
            "section": self.section,
            "text": self.text,
            "bytes": self.data.hex(),
            "took": round(self.took, 6),
            **({"unread": self.unread} if self.unread else {}),
            **({"expected": self.expected} if self.expected else {}),
        }


class Closed(msgspec.Struct, frozen=True, kw_only=True):
    """The end of a connection by one side; `rest` has the bytes of an unfinished message."""

    connection: int
    at: float
    side: Side
    reset: bool = False
    rest: bytes = b""

    def fields(self) -> dict[str, Any]:
        """Return the object for `--json`."""
        by = "reset" if self.reset else "closed"
        return {"event": by, "connection": self.connection, "at": round(self.at, 6), "by": self.side}


class Opened(msgspec.Struct, frozen=True, kw_only=True):
    """A new connection."""

    connection: int
    at: float
    dialect: str
    peer: str = ""
    address_key: str = ""
    """Client address, or IPv6 network, whose quota of the inspector's memory the connection uses."""

    def fields(self) -> dict[str, Any]:
        """Return the object for `--json`."""
        return {"event": "connected", "connection": self.connection, "at": round(self.at, 6), "peer": self.peer}


Record = MessageRecord | Finding | Closed | Opened
Tell = Callable[[Record], None]


class Monitor:
    """Monitor of one connection.

    `tell` is called with each record, in order. Breaches of our rulings are reported only with `rulings`.
    """

    def __init__(
        self,
        dialect: str,
        group: WatcherGroup,
        connection: int,
        tell: Tell,
        think: float = 0.0,
        *,
        rulings: bool = False,
    ) -> None:
        self._dialect = dialects.dialect(dialect)
        kind = watcher(dialect)
        self.watcher = kind(group, dialect)
        self.watcher.report = self._add_finding
        self._tell = tell
        self._connection = connection
        self._framers = {side: kind.framer() for side in Side}
        self._decoders: dict[Side, Decoder] = {side: self._decoder(side) for side in Side}
        self._number = 0
        self._started_at = 0.0
        """Time when the connection was opened."""
        self._last_message_at = dict.fromkeys(Side, 0.0)
        self._last_text = dict.fromkeys(Side, "")
        self._think = think
        self._rulings = rulings
        sections = self.watcher.protocol.sections
        self._reply_rule = Rule("any.client-answers", sections.turns, "a client answers its question")
        self._stay_rule = Rule("any.client-plays-on", sections.left, "a client plays its match to the end")
        self._close_rule = Rule(
            "any.client-follows", sections.left, "when the server closes the connection, the client closes it too"
        )
        self._heartbeat_rule = Rule("any.client-shows", sections.pings, "a waiting client sends heartbeats")
        self._heartbeat_seconds = self.watcher.protocol.heartbeat_seconds
        """Seconds within which a waiting client must send a heartbeat; 0: it need not."""
        self._closed_at: dict[Side, float] = {}
        """Sides that have closed the connection, with the time."""
        self._findings: list[Finding] = []
        """Findings of the current message, which are reported after it."""
        self._name = ""
        """Name of the message being judged; empty between messages."""
        self.failed = False
        """Whether the watcher has raised an exception or bytes are missing, so that it judges no more."""

    def _decoder(self, side: Side) -> Decoder:
        dialect = self._dialect
        return (dialect.replies or dialect.decoder)() if side is Side.SERVER else dialect.decoder()

    def start(self, at: float) -> None:
        """Start at time `at`, when the connection is open."""
        self.watcher.now = at
        self._started_at = at
        if self.watcher.awaited is not None:
            self.watcher.awaited = at
        self._guard(self.watcher.start)

    def receive(self, side: Side, data: bytes, at: float) -> None:
        """Process bytes sent by `side`."""
        self._guard(self._receive, side, data, at)

    def close(self, side: Side, at: float, *, reset: bool = False) -> None:
        """Process the end of the connection by `side`."""
        self._guard(self._close, side, at, reset)

    def discard(self) -> None:
        """Break the reference cycle with the watcher, so that an unused monitor is freed at once.

        Left to the garbage collector, the monitors of an attacker's closed connections cost pauses of 10 ms and more.
        """
        self.watcher.report = lambda side, rule, detail: None

    def unfinished(self, side: Side) -> bool:
        """Return whether `side` has begun a message that is incomplete."""
        framer = self._framers[side]
        return bool(framer.rest().lstrip(framer.separators))

    def pass_time(self, at: float, patience: float) -> None:
        """Set the time and report replies that are overdue for more than `patience` seconds."""
        self._guard(self._check_overdue, at, patience)

    def _guard(self, step: Callable[..., None], *arguments: Any) -> None:
        """Make a step of the watcher, unless it has failed before."""
        if self.failed:
            return
        try:
            step(*arguments)
        except Exception as error:  # noqa: BLE001 - a faulty watcher must not disturb the connection that it observes
            self.failed = True
            _log.exception(
                "a monitor failed", connection=self._connection, dialect=self._dialect.name, error=str(error)
            )

    def _check_overdue(self, at: float, patience: float) -> None:
        """Report overdue replies and, after the server has closed, a client that keeps the connection open."""
        watcher = self.watcher
        watcher.now = at
        if not self._closed_at:
            watcher.report_overdue(patience)
            if self._think:
                self._judge_silence(at)
        elif Side.CLIENT not in self._closed_at and at - self._closed_at[Side.SERVER] >= patience:
            self._closed_at[Side.CLIENT] = at
            open_for = at - self._closed_at[Side.SERVER]
            watcher.blame(Side.CLIENT, self._close_rule, "it is still open after {:.1f} s", open_for)
        self._emit_findings()

    def _judge_silence(self, at: float) -> None:
        """Report a program that does not reply, or send a heartbeat, in time."""
        watcher = self.watcher
        if watcher.awaited is not None and at - watcher.awaited >= self._think:
            seconds, watcher.awaited = at - watcher.awaited, None
            form = "nothing arrived for {:.1f} s; expected {}"
            expected = watcher.expected.phrase if watcher.expected is not None else Phrase("an answer")
            watcher.blame(Side.CLIENT, self._reply_rule, form, seconds, expected)
        silent = at - max(self._started_at, self._last_message_at[Side.CLIENT])
        if self._heartbeat_seconds and silent >= self._heartbeat_seconds and not watcher.over:
            self._heartbeat_seconds = 0.0
            watcher.blame(
                Side.CLIENT, self._heartbeat_rule, "nothing arrived for {:.1f} s; expected a heartbeat", silent
            )

    def _receive(self, side: Side, data: bytes, at: float) -> None:
        self.watcher.now = at
        for piece, shape in self._framers[side].feed(data):
            self._process_piece(side, piece, shape, at)

    def _process_piece(self, side: Side, data: bytes, shape: Any, at: float) -> None:
        """Process one message, or bytes that should be one."""
        watcher = self.watcher
        if isinstance(shape, str):
            self._begin(NO_MESSAGE)
            watcher.may_leave = watcher.may_leave or side is Side.SERVER
            watcher.blame(side, watcher.framing, "{}; got {}", shape, show(data[:60]))
            watcher.lost = True
            self._record(side, data, NO_MESSAGE, _raw(data), at, shape)
            return
        messages, why = self._decode(side, data) if shape is not HTTP_HEAD else ([], None)
        text = java_objects.show(shape) if isinstance(shape, java_objects.Shape) else ""
        if why is None and not messages:
            self._begin(_overhead_name(data))
            watcher.overhead(side)
            self._record(side, data, self._name, text or _raw(data), at)
        for message in messages:
            self._process_message(side, message, data, text, at)
        if why is not None:
            self._unreadable_message(side, Unreadable(data, why), _declared_name(shape, data), text or _raw(data), at)

    def _decode(self, side: Side, data: bytes) -> tuple[list[Any], str | None]:
        """Return the messages in a piece, and the reason if a part of it cannot be decoded.

        A decoder is useless after a fault: a new one takes its place.
        """
        decoder = self._decoders[side]
        try:
            messages = list(decoder.feed(data))
        except Malformed as error:
            messages, fault = [], (decoder.fault or error).without_frames()  # they refer to this frame, which has it
        else:
            fault = decoder.fault  # type: ignore[assignment] # None too: nothing is wrong
        if fault is not None:
            self._decoders[side] = decoder = self._decoder(side)
            if self._dialect.greeting == HEADER:
                decoder.feed(HEADER)
        return messages, None if fault is None else str(fault)

    def _process_message(self, side: Side, message: Any, data: bytes, text: str, at: float) -> None:
        """Let the watcher judge a decoded message, and report it."""
        watcher = self.watcher
        try:
            value = watcher.read(side, message)
        except Malformed as error:
            self._unreadable_message(
                side, Unreadable(data, str(error)), _declared_name(None, data), text or _raw(data), at
            )
            return
        if value is None:
            return  # part of another message
        name = watcher.name(side, value)
        self._begin(name)
        if side is Side.SERVER:
            watcher.server_message(value)
        else:
            watcher.client_message(name, value)
        self._record(side, data, name, text or self._readable(message, data), at)

    def _unreadable_message(self, side: Side, message: Unreadable, name: str, text: str, at: float) -> None:
        watcher = self.watcher
        self._begin(name)
        watcher.may_leave = watcher.may_leave or side is Side.SERVER
        watcher.blame(side, watcher.unknown, "got {}, which cannot be decoded: {}", show(text), message.why)
        (watcher.client if side is Side.CLIENT else watcher.server)(message)
        self._record(side, message.data, name, text, at, message.why)

    def _begin(self, name: str) -> None:
        """Count the next message, and note its name for findings."""
        self._number += 1
        self._name = name

    def _readable(self, message: Any, data: bytes) -> str:
        return escaped(message[:MAX_TEXT_LENGTH]) if isinstance(message, str) else _raw(data)

    def _record(self, side: Side, data: bytes, name: str, text: str, at: float, unread: str = "") -> None:
        """Report a message, and remember its time and text for those of the other side."""
        before = self._last_message_at[side.other]
        self._last_message_at[side] = at
        self._last_text[side] = text[:200]
        self._tell(
            MessageRecord(
                connection=self._connection,
                number=self._number,
                at=at,
                side=side,
                name=name,
                text=text[:MAX_TEXT_LENGTH],
                data=data,
                section="" if unread else self.watcher.cite(self.watcher.section_of(name)),
                took=at - before if before else 0.0,
                unread=unread,
                expected=str(self.watcher.expected or ""),
            )
        )
        self._emit_findings()
        self._name = ""

    def _emit_findings(self) -> None:
        findings, self._findings = self._findings, []
        for finding in findings:
            self._tell(finding)

    def _add_finding(self, side: Side, rule: Rule, detail: Phrase) -> None:
        """Keep a finding of the watcher until its message has been reported."""
        if rule.ruling and not self._rulings:
            return
        finding = Finding(
            side=side,
            section=self.watcher.cite(rule.section),
            rule=language.sentence(rule),
            detail=language.text(detail),
            sent=self._last_text[side.other],
            connection=self._connection,
            number=self._number,
            at=self.watcher.now,
            code=rule.code,
            message=self._name,
            ruling=rule.ruling,
            phrase=detail,
        )
        self._findings.append(self.watcher.group.counter.add(finding))

    def _close(self, side: Side, at: float, reset: bool) -> None:
        """Report the close of a side, an incomplete last message, and a result that is missing."""
        watcher = self.watcher
        watcher.now = at
        rest = self._framers[side].rest()
        self._tell(Closed(connection=self._connection, at=at, side=side, reset=reset, rest=rest))
        if rest.lstrip(self._framers[side].separators) and not reset:
            watcher.blame(side, watcher.framing, "the connection ended in the middle of {}", show(rest[:60]))
        if not self._closed_at:
            if side is Side.CLIENT:
                self._client_left()
            elif not watcher.report_missing_result():
                watcher.server_left()
            watcher.group.leave(watcher)
        self._closed_at.setdefault(side, at)
        self._emit_findings()

    def _client_left(self) -> None:
        """Judge a client that closes the connection first."""
        watcher = self.watcher
        if self._think and not (watcher.over or watcher.may_leave):
            if watcher.expected is None:
                watcher.blame(Side.CLIENT, self._stay_rule, "it closed the connection before the end")
            else:
                form = "it closed the connection before the end; expected {}"
                watcher.blame(Side.CLIENT, self._stay_rule, form, watcher.expected.phrase)
        watcher.client_left()


def _raw(data: bytes) -> str:
    """Return bytes as text if they are valid UTF-8, otherwise as hexadecimal digits."""
    try:
        text = data.decode().rstrip("\r\n")
    except UnicodeDecodeError:
        return data[:MAX_TEXT_LENGTH].hex(" ")
    return escaped(text[:MAX_TEXT_LENGTH])


def _overhead_name(data: bytes) -> str:
    """Return the name shown for a piece that belongs to no message."""
    return "header" if data == HEADER else "head" if b"HTTP/1" in data[:200] else "(line end)"


def _declared_name(shape: Any, data: bytes) -> str:
    """Return the class or type that an unknown message itself names, or `NO_MESSAGE`."""
    if isinstance(shape, java_objects.Shape):
        return shape.name
    try:
        fields = msgspec.json.decode(data)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
        return NO_MESSAGE
    tag = fields.get("type") or fields.get("action") if isinstance(fields, dict) else None
    return tag[:60] if isinstance(tag, str) else NO_MESSAGE
