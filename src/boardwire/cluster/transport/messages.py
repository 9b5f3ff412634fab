"""Messages between the nodes of a cluster, and their encoding.

- An envelope has a version, its sender and a number, and contains messages that are encoded one by one.
- A message of an unknown type is skipped, and unknown fields are ignored. New fields are appended and have a default,
  so that nodes of two consecutive versions work together.
- Structs are encoded as arrays: the order of fields and the tag, which is the name of the class, are fixed; the names
  of fields are not.
- **Steps travel as events**, in the journal's encoding. Positions and views are never sent.
- A request is encoded as the name of its type and its fields, an error as its type, text and reason.
- A guest is identified by a number of its edge, the node that its connection reached.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final, TypeAlias

import msgspec

from boardwire import errors, games
from boardwire.errors import BoardwireError, Reason
from boardwire.games.game import Decision, Outcome, Seat
from boardwire.lobby import requests
from boardwire.lobby.requests import LobbyRequest
from boardwire.table import commands
from boardwire.table.commands import Act, Command
from boardwire.table.guest import Tie
from boardwire.table.match import Match, MatchSetup, SeatState, Status, to_type
from boardwire.table.policy import Leaving, Policy

VERSION: Final = 1
"""Version of the messages; raised when a program that knows only the previous one could not handle them."""


class Envelope(msgspec.Struct, frozen=True, array_like=True):
    """All messages of one loop iteration from a node to another; empty for a pulse."""

    version: int
    node: str
    generation: int
    """Generation of the sender: how many times a node of this name has started."""
    number: int
    """Envelopes from one node to another are numbered from 1, so that the receiver detects a gap."""
    to: int
    """Generation of the receiver."""
    messages: list[Message | None] = []
    """None stands for a message of an unknown type."""


class _RawEnvelope(msgspec.Struct, frozen=True, array_like=True):
    """An envelope with its messages still encoded."""

    version: int
    node: str
    generation: int
    number: int
    to: int
    messages: list[msgspec.Raw] = []


class EncodedRequest(msgspec.Struct, frozen=True, array_like=True):
    """A lobby request or a command."""

    kind: str
    fields: msgspec.Raw


class EncodedError(msgspec.Struct, frozen=True, array_like=True):
    """The reason for a refusal."""

    kind: str
    text: str
    reason: str


class _TaggedMessage(msgspec.Struct, frozen=True, array_like=True, tag=True):
    pass


# --- from the edge of a guest to its host or to the lobby -------------------------------------------------------------


class Attendee(msgspec.Struct, frozen=True, array_like=True):
    """A guest at a table, as its edge knows it."""

    guest: int
    epoch: int
    """Requests of an earlier epoch are void."""
    seat: Seat | None
    tie: Tie = Tie.NOTHING
    address_key: str = ""
    key: str = ""
    seek: EncodedRequest | None = None
    """The request that brought it there, from which the lobby restores the terms of a waiting table."""
    name: str = ""


class Ask(_TaggedMessage, frozen=True):
    """A request of a guest; its answer carries `number`."""

    guest: int
    epoch: int
    number: int
    request: EncodedRequest
    match: str = ""
    """The match whose table a command is for; empty for a lobby request."""
    address_key: str = ""
    key: str = ""
    again: bool = False
    """Whether it may have been sent before, to a node that is gone."""
    seq: int = 0
    """The last event of the match that the guest has seen."""
    name: str = ""


class Attach(_TaggedMessage, frozen=True):
    """Announce the guests at a table, who have seen its events up to number `seq`."""

    match: str
    round: int
    seq: int
    guests: list[Attendee]


class Enroll(_TaggedMessage, frozen=True):
    """Ask the lobby where a guest is, and void its requests of earlier epochs."""

    guest: int
    epoch: int
    address_key: str = ""
    key: str = ""


class Gone(_TaggedMessage, frozen=True):
    """A guest has disconnected or, if `match` is given, left that table."""

    guest: int
    match: str = ""


# --- back to the edge -------------------------------------------------------------------------------------------------


class Told(_TaggedMessage, frozen=True):
    """A notification for guests: the events of a step, or a notice."""

    guests: list[int]
    match: str = ""
    first: int = 0
    """Number of the first event."""
    events: list[bytes] = []
    seats: dict[int, Seat] = {}
    """Seats that guests have taken by this step."""
    answers: dict[int, int] = {}
    """Number of the request that the step answers, by guest."""
    notice: Notice | None = None


class Attached(_TaggedMessage, frozen=True):
    """Answer to `Attach`: the guests are at the table, whose last event is `seq`.

    Each of their earlier requests has been carried out by then, or never will be.
    """

    match: str
    round: int
    seq: int


class Audit(_TaggedMessage, frozen=True):
    """Ask an edge whether these guests are still at these tables."""

    guests: list[tuple[int, str]]


class Moved(_TaggedMessage, frozen=True):
    """The sender does not host the table; `node` may (empty if unknown)."""

    match: str
    node: str


class Sent(_TaggedMessage, frozen=True):
    """The lobby forwards a guest to the table of a match at another node, with the request to make there."""

    guest: int
    match: str
    node: str
    request: EncodedRequest


class Placed(_TaggedMessage, frozen=True):
    """Answer to `Enroll`: the table that the guest is at; `match` is empty if there is none."""

    guest: int
    epoch: int
    match: str = ""
    seat: Seat | None = None
    node: str = ""
    """The host of the table."""


# --- to the lobby -----------------------------------------------------------------------------------------------------


class MatchSummary(msgspec.Struct, frozen=True, array_like=True):
    """A match without its position, for the table list."""

    id: str
    game: str
    options: Any
    initial_options: Any
    policy: Policy
    dialect: str
    code: str
    seq: int
    status: Status
    chairs: list[SeatState]
    moves: int
    outcome: Outcome | None
    since: float
    alone: float | None
    turn: list[Seat]
    """The seats of the pending decision."""
    missing: list[Seat] = []
    """Seats whose players are not marked as away and have not announced themselves to a new host."""
    audience: int = 0
    """The number of spectators."""


class Noted(_TaggedMessage, frozen=True):
    """Summaries of matches that the sender hosts, and matches that it has removed."""

    summaries: list[MatchSummary]
    gone: list[str] = []


class Presiding(_TaggedMessage, frozen=True):
    """The sender's lobby presides over the cluster from now on."""


class Lost(_TaggedMessage, frozen=True):
    """Messages of the receiver were lost: it has to reconcile everything it shares with the sender."""


class Vacant(_TaggedMessage, frozen=True):
    """The sender has released these matches; an empty name stands for the lobby."""

    matches: list[str]


# --- notifications other than steps -----------------------------------------------------------------------------------


class Notice(msgspec.Struct, frozen=True, array_like=True):
    """A notification other than a step; `kind` is the name of its type, which decides the fields in use."""

    kind: str
    seat: Seat | None = None
    seq: int = 0
    number: int = 0
    """Number of the request that it answers."""
    error: EncodedError | None = None
    request: EncodedRequest | None = None
    """The refused request, if it has no number."""
    text: str = ""
    key: str = ""
    summaries: list[MatchSummary] = []
    seats: list[Seat] = []
    gone: list[Seat] = []
    full: bool = False
    names: list[str] = []


Message: TypeAlias = (
    Ask | Attach | Enroll | Gone | Told | Attached | Audit | Moved | Sent | Placed | Noted | Presiding | Lost | Vacant
)

_encoder: Final = msgspec.msgpack.Encoder()
_envelope_decoder: Final = msgspec.msgpack.Decoder(Envelope)
_raw_decoder: Final = msgspec.msgpack.Decoder(_RawEnvelope)
_message_decoder: Final = msgspec.msgpack.Decoder(Message)


def encode(envelope: Envelope) -> bytes:
    """Encode an envelope."""
    return _encoder.encode(envelope)


def decode(data: bytes) -> Envelope:
    """Decode an envelope; raise `msgspec.DecodeError` if the bytes are not one."""
    try:
        return _envelope_decoder.decode(data)
    except UnicodeDecodeError as error:  # msgspec does not convert it
        raise msgspec.DecodeError(str(error)) from error
    except msgspec.ValidationError:  # from a newer node, for example: decode the messages one by one
        envelope = _raw_decoder.decode(data)
    messages = [decode_message(raw) for raw in envelope.messages]
    return Envelope(envelope.version, envelope.node, envelope.generation, envelope.number, envelope.to, messages)


def decode_message(raw: msgspec.Raw) -> Message | None:
    """Decode a message; return None if its type is unknown."""
    try:
        message: Message = _message_decoder.decode(raw)
        return message
    except msgspec.ValidationError:
        return None


# --- requests ---------------------------------------------------------------------------------------------------------

_REQUESTS: Final = {
    kind.__name__: msgspec.msgpack.Decoder(kind, dec_hook=lambda kind, value: value)
    for kind in (
        *(requests.LOBBY_REQUESTS - {requests.Advise, requests.Decline}),
        commands.Join, commands.Ready, commands.Act, commands.Resign, commands.OfferUndo, commands.AnswerUndo,
        commands.Draw, commands.Chat, commands.CallTime, commands.Close, commands.Return,
    )
}  # fmt: skip


def encode_request(request: LobbyRequest | Command) -> EncodedRequest:
    """Encode a request."""
    return EncodedRequest(type(request).__name__, msgspec.Raw(_encoder.encode(request)))


def decode_request(request: EncodedRequest, match: Match | None) -> LobbyRequest | Command:
    """Decode a request; with a match, its actions get the types of that game."""
    decoded: LobbyRequest | Command = _REQUESTS[request.kind].decode(request.fields)
    if type(decoded) is Act and match is not None:
        kind = match.setting.game.Action
        return Act(decoded.seat, tuple(to_type(action, kind) for action in decoded.actions), decoded.seen)
    return decoded


_ERROR_TYPES: Final = {
    kind.__name__: kind for kind in (errors.Malformed, errors.Illegal, errors.Refused, errors.Unavailable)
}


_REASONS: Final = {str(reason): reason for reason in Reason}


def encode_error(reason: BoardwireError) -> EncodedError:
    """Encode the reason for a refusal."""
    kind = next(name for name, kind in _ERROR_TYPES.items() if isinstance(reason, kind))
    return EncodedError(kind, str(reason), reason.reason)


def decode_error(encoded: EncodedError) -> BoardwireError:
    """Decode the reason for a refusal."""
    reason = _REASONS.get(encoded.reason)  # None if a newer node knows more reasons
    return _ERROR_TYPES.get(encoded.kind, errors.Refused)(encoded.text, reason=reason)


# --- match summaries --------------------------------------------------------------------------------------------------


def summarize(match: Match, missing: Sequence[Seat] = (), audience: int = 0) -> MatchSummary:
    """Return the summary of a match."""
    setting = match.setting
    return MatchSummary(
        setting.id, f"{setting.game.name}@{setting.game.rules}", setting.options, setting.initial_options,
        setting.policy, setting.dialect, setting.code, match.seq, match.status, list(match.chairs), match.moves,
        match.outcome, match.since, match.alone, [] if match.pending is None else list(match.pending.seats),
        list(missing), audience,
    )  # fmt: skip


def expand_summary(summary: MatchSummary) -> Match:
    """Return a match without a position from its summary."""
    game = games.game(summary.game.partition("@")[0])
    options = to_type(summary.options, game.Options)
    initial_options = to_type(summary.initial_options, game.Options)
    skips = summary.policy.leaving is Leaving.SKIPS
    setting = MatchSetup(
        summary.id, game, options, summary.policy, summary.dialect, summary.code, initial_options, skips
    )
    pending: Decision[Any] | None = Decision(Status.PLAYING, tuple(summary.turn), ()) if summary.turn else None
    return Match(
        setting, summary.seq, summary.status, tuple(summary.chairs), None, pending, summary.moves, summary.outcome,
        since=summary.since, alone=summary.alone,
    )  # fmt: skip
