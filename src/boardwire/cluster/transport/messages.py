"""What nodes write to each other.

Rules:

- An envelope has a version, its sender and a number; inside are letters, each encoded by itself.  A letter of a kind
  that this program does not know is left out, and a field that it does not know is not read: a new field goes to the
  end and has a default, so that nodes of two versions in a row work side by side.
- **Steps travel as events**, in the journal's own bytes; positions and views never do.
- A request is written as the name of its type and its fields, a refusal as its words and its reason.
- A guest is a number of the node that its connection reached (its edge).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final, TypeAlias

import msgspec

from boardwire import errors, games
from boardwire.errors import BoardwireError, Reason
from boardwire.games.game import Decision, Outcome, Seat
from boardwire.lobby import requests
from boardwire.lobby.requests import Errand
from boardwire.table import commands
from boardwire.table.commands import Act, Command
from boardwire.table.guest import Tie
from boardwire.table.match import Chair, Match, Setting, Status, typed
from boardwire.table.policy import Leaving, Policy

VERSION: Final = 1
"""Of the letters.  It is raised when a program that knows only the last one could not work with them."""


class Envelope(msgspec.Struct, frozen=True, array_like=True):
    """What one turn of a node has to say to another; empty: that it is there."""

    version: int
    node: str
    life: int
    """Which life of the node of this name that is."""
    number: int
    """Envelopes from one node to another are numbered from 1: whoever misses one knows it."""
    to: int
    """The life of the node that it is for."""
    letters: list[Letter | None] = []
    """None is one of a kind that this program does not know."""


class _Sealed(msgspec.Struct, frozen=True, array_like=True):
    """The same, its letters unread."""

    version: int
    node: str
    life: int
    number: int
    to: int
    letters: list[msgspec.Raw] = []


class Written(msgspec.Struct, frozen=True, array_like=True):
    """A request."""

    kind: str
    fields: msgspec.Raw


class Excuse(msgspec.Struct, frozen=True, array_like=True):
    """Why something was refused."""

    kind: str
    words: str
    reason: str


class _Letter(msgspec.Struct, frozen=True, array_like=True, tag=True):
    pass


# --- from the edge of a guest to whoever has its table, or to the lobby -------------------------------------------


class Attendee(msgspec.Struct, frozen=True, array_like=True):
    """A guest that is at a table, as its edge knows it."""

    guest: int
    fence: int
    """What was asked with a smaller number is no longer wanted."""
    seat: Seat | None
    tie: Tie = Tie.NOTHING
    household: str = ""
    key: str = ""
    sought: Written | None = None
    """How it came there, so that a table that waits is found again by its terms."""
    name: str = ""


class Ask(_Letter, frozen=True):
    """A guest asks for something; `number` comes back with the answer."""

    guest: int
    fence: int
    number: int
    request: Written
    match: str = ""
    """The table that a command is for; empty: an errand of the lobby's."""
    household: str = ""
    key: str = ""
    again: bool = False
    """It may have been asked of another node that is no more."""
    seq: int = 0
    """How far it has seen the match."""
    name: str = ""


class Attach(_Letter, frozen=True):
    """These guests are at this table, and have seen its events up to number `seq`."""

    match: str
    round: int
    seq: int
    guests: list[Attendee]


class Enroll(_Letter, frozen=True):
    """Where is this guest, as far as the lobby knows?  What it asked with a smaller number is no longer wanted."""

    guest: int
    fence: int
    household: str = ""
    key: str = ""


class Gone(_Letter, frozen=True):
    """This guest has left the house; or, with `match`, that table alone."""

    guest: int
    match: str = ""


# --- back to the edge -------------------------------------------------------------------------------------------------


class Told(_Letter, frozen=True):
    """News for guests: that something of a match happened (`events`), with the seats of those who have sat down by
    that; or `news`."""

    guests: list[int]
    match: str = ""
    first: int = 0
    events: list[bytes] = []
    seats: dict[int, Seat] = {}
    answers: dict[int, int] = {}
    """Whose request, by its number, that was."""
    news: Notice | None = None


class Attached(_Letter, frozen=True):
    """The guests of that round are at the table here; it stands at event `seq`, and nothing else of what they asked
    before will happen."""

    match: str
    round: int
    seq: int


class Audit(_Letter, frozen=True):
    """These guests are at these tables, as far as the sender knows: are they?"""

    guests: list[tuple[int, str]]


class Moved(_Letter, frozen=True):
    """The table is not here; it may be there (empty: nobody has it)."""

    match: str
    node: str


class Sent(_Letter, frozen=True):
    """The lobby sends the guest to the table of this match, at that node, to ask for this there."""

    guest: int
    match: str
    node: str
    request: Written


class Placed(_Letter, frozen=True):
    """Answer to `Enroll`: the guest is at this table (empty: at none)."""

    guest: int
    fence: int
    match: str = ""
    seat: Seat | None = None
    node: str = ""
    """Who hosts the table."""


# --- to the lobby -----------------------------------------------------------------------------------------------------


class Card(msgspec.Struct, frozen=True, array_like=True):
    """A match in the few facts that the lobby has of it."""

    id: str
    game: str
    options: Any
    asked: Any
    policy: Policy
    dialect: str
    code: str
    seq: int
    status: Status
    chairs: list[Chair]
    moves: int
    outcome: Outcome | None
    since: float
    alone: float | None
    turn: list[Seat]
    """The seats that are asked for something."""
    missing: list[Seat] = []
    """The seats of people who are said to be there, and have not come along to a new host."""
    audience: int = 0
    """How many watch."""


class Noted(_Letter, frozen=True):
    """How matches stand that are played at the sender's, and those that are there no more."""

    cards: list[Card]
    gone: list[str] = []


class Presiding(_Letter, frozen=True):
    """The sender has the lobby from now on."""


class Lost(_Letter, frozen=True):
    """Letters of yours did not come: make sure of all that we have in common."""


class Vacant(_Letter, frozen=True):
    """The sender had this (a match; empty: the lobby), and has it no more."""

    matches: list[str]


# --- news that are not steps ------------------------------------------------------------------------------------------


class Notice(msgspec.Struct, frozen=True, array_like=True):
    """News of one kind; what a kind has no use for is empty."""

    kind: str
    seat: Seat | None = None
    seq: int = 0
    number: int = 0
    excuse: Excuse | None = None
    request: Written | None = None
    """What was refused, if the guest's own request has no number."""
    text: str = ""
    key: str = ""
    cards: list[Card] = []
    seats: list[Seat] = []
    gone: list[Seat] = []
    full: bool = False
    names: list[str] = []


Letter: TypeAlias = (
    Ask | Attach | Enroll | Gone | Told | Attached | Audit | Moved | Sent | Placed | Noted | Presiding | Lost | Vacant
)

_encoder: Final = msgspec.msgpack.Encoder()
_envelope: Final = msgspec.msgpack.Decoder(Envelope)
_sealed: Final = msgspec.msgpack.Decoder(_Sealed)
_letter: Final = msgspec.msgpack.Decoder(Letter)


def encode(envelope: Envelope) -> bytes:
    """An envelope as bytes."""
    return _encoder.encode(envelope)


def decode(data: bytes) -> Envelope:
    """The envelope of these bytes; `msgspec.DecodeError` if they are none."""
    try:
        return _envelope.decode(data)
    except UnicodeDecodeError as error:  # msgspec lets it through
        raise msgspec.DecodeError(str(error)) from error
    except msgspec.ValidationError:  # of a newer node, say: each letter by itself
        found = _sealed.decode(data)
    letters = [opened(raw) for raw in found.letters]
    return Envelope(found.version, found.node, found.life, found.number, found.to, letters)


def opened(raw: msgspec.Raw) -> Letter | None:
    """A letter; None: of a kind that this program does not know."""
    try:
        found: Letter = _letter.decode(raw)
        return found
    except msgspec.ValidationError:
        return None


# --- requests ---------------------------------------------------------------------------------------------------------

_REQUESTS: Final = {
    kind.__name__: msgspec.msgpack.Decoder(kind, dec_hook=lambda kind, value: value)
    for kind in (
        *(requests.ERRANDS - {requests.Advise, requests.Decline}),
        commands.Join, commands.Ready, commands.Act, commands.Resign, commands.OfferUndo, commands.AnswerUndo,
        commands.Chat, commands.CallTime, commands.Close, commands.Return,
    )
}  # fmt: skip


def written(request: Errand | Command) -> Written:
    """A request as it travels."""
    return Written(type(request).__name__, msgspec.Raw(_encoder.encode(request)))


def read(request: Written, match: Match | None) -> Errand | Command:
    """A request as it was asked, its actions in the types of the match's game."""
    found: Errand | Command = _REQUESTS[request.kind].decode(request.fields)
    if type(found) is Act and match is not None:
        kind = match.setting.game.Action
        return Act(found.seat, tuple(typed(action, kind) for action in found.actions), found.seen)
    return found


_EXCUSES: Final = {
    kind.__name__: kind for kind in (errors.Malformed, errors.Illegal, errors.Refused, errors.Unavailable)
}


_REASONS: Final = {str(reason): reason for reason in Reason}


def excuse(reason: BoardwireError) -> Excuse:
    """A refusal's reason as it travels."""
    kind = next(name for name, kind in _EXCUSES.items() if isinstance(reason, kind))
    return Excuse(kind, str(reason), reason.reason)


def excused(found: Excuse) -> BoardwireError:
    """The same again."""
    known = _REASONS.get(found.reason)  # a newer node may have more of them
    return _EXCUSES.get(found.kind, errors.Refused)(found.words, reason=known)


# --- cards ------------------------------------------------------------------------------------------------------------


def card(match: Match, missing: Sequence[Seat] = (), audience: int = 0) -> Card:
    """A match in a few facts."""
    setting = match.setting
    return Card(
        setting.id, f"{setting.game.name}@{setting.game.rules}", setting.options, setting.asked, setting.policy,
        setting.dialect, setting.code, match.seq, match.status, list(match.chairs), match.moves, match.outcome,
        match.since, match.alone, [] if match.pending is None else list(match.pending.seats), list(missing),
        audience,
    )  # fmt: skip


def carded(card: Card) -> Match:
    """A match as far as its card tells of it: without a position."""
    game = games.game(card.game.partition("@")[0])
    options, asked = typed(card.options, game.Options), typed(card.asked, game.Options)
    skips = card.policy.leaving is Leaving.SKIPS
    setting = Setting(card.id, game, options, card.policy, card.dialect, card.code, asked, skips)
    pending: Decision[Any] | None = Decision(Status.PLAYING, tuple(card.turn), ()) if card.turn else None
    return Match(
        setting, card.seq, card.status, tuple(card.chairs), None, pending, card.moves, card.outcome,
        since=card.since, alone=card.alone,
    )  # fmt: skip
