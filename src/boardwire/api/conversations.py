"""What passed on the wire: what a client would have seen of a match, and what clients see now.

Rules:

- A match that is over is told to anybody, as one that sat there saw it.  One that is being played is told as far as the
  seat knows no more than anybody who watches.
- A conversation is made once for all who read it at the same time, and kept for a while; an address can ask for so
  many.
- What clients see now is for whoever runs the server: it is off unless that was asked for, and then for those who show
  the inspect token.  Where a request comes from counts for nothing: a reverse proxy is on this machine too.

The conversations themselves are the clinic's, which is above this layer: the node gives it to the desk (`Clinic`).
"""

from __future__ import annotations

import hmac
from collections.abc import Callable, Sequence
from enum import StrEnum
from typing import Annotated, Any, Final, Protocol, TypeAlias

import msgspec
from msgspec import UNSET, UnsetType
from starlette.requests import Request
from starlette.responses import Response

from boardwire.api.compressed_list import Blocks
from boardwire.api.context import Desk
from boardwire.api.endpoint import Answer, accepts_gzip, client_address, finish
from boardwire.api.match_cache import Kept
from boardwire.api.matches import PART_BYTES, Id, MatchQuery, Number
from boardwire.api.problem import Problem
from boardwire.api.rate_limit import Allowances
from boardwire.api.reader_threads import check, checked
from boardwire.errors import BoardwireError
from boardwire.games.game import Seat
from boardwire.table.events import Event
from boardwire.table.match import Status, begun, further

KEPT_BYTES: Final = 32 * 1024 * 1024
"""Bytes of conversations that are kept, compressed."""
AT_ONCE: Final = 30
"""Conversations that an address may ask for at once."""
PER_SECOND: Final = 0.5
"""Conversations that an address may ask for a second, after that."""
LIVE_ENTRIES: Final = 2000
"""Entries of one answer about what passes now."""


class Stop(StrEnum):
    """Why a conversation goes no further than the match does."""

    BARRED = "barred"
    """A client of this protocol cannot come to this table."""
    UNSPOKEN = "unspoken"
    """The protocol has no words for what happened."""
    ENDS = "ends"
    """The protocol ends the conversation there."""
    HIDDEN = "hidden"
    """What the seat knows besides is told when the match is over."""


class Told(msgspec.Struct, frozen=True):
    """A conversation: its entries encoded, and why it goes no further than the match, if it does not: by its code, and
    in words."""

    entries: tuple[bytes, ...]
    stop: Stop | None = None
    stopped: str = ""


class Conversation(msgspec.Struct, frozen=True):
    """A conversation as it is kept; its entries have the numbers of their events."""

    entries: Blocks
    stop: Stop | None = None
    stopped: str = ""


Check: TypeAlias = Callable[[], None]


class Clinic(Protocol):
    """Tells conversations of matches."""

    def dialects(self, game: str, /) -> tuple[str, ...]:
        """The dialects in which a match of a game can be told."""

    def retell(self, events: Sequence[Event], dialect: str, seat: Seat, to: int, check: Check, /) -> Told:
        """The conversation of a seat up to event `to`; `Refused` where there is none.  `check` is called now and then;
        what it raises ends the work."""


class Tap(Protocol):
    """Knows what passes now."""

    token: str
    """What a reader must show."""

    def after(self, match: str, number: int, most: int, /) -> Live:
        """What passed at a table after entry `number`."""


class Conversations:
    """Those that were asked for last, and how many more an address may ask for."""

    def __init__(self, clinic: Clinic) -> None:
        self.clinic = clinic
        self.told: Kept[Conversation] = Kept(KEPT_BYTES)
        self.allowances = Allowances(AT_ONCE, PER_SECOND)


class WireQuery(MatchQuery, frozen=True, forbid_unknown_fields=True):
    """Which conversation: in this dialect, of this seat, up to this event; of it, what comes after entry `after`."""

    dialect: Annotated[str, msgspec.Meta(max_length=64)] = "native"
    seat: Annotated[int, msgspec.Meta(ge=0, le=15)] = 0
    to: Annotated[Number, msgspec.Meta(description="up to this event")] | UnsetType = UNSET
    after: Number = 0


class Wire(msgspec.Struct, frozen=True):
    """A part of a conversation, as `boardwire replay --as DIALECT --json` prints it; `next` goes on, None is the end.
    `stop` says to a program why it goes no further than the match, if it does not, `stopped` to a person; `dialects`
    are all that can be asked for."""

    dialect: str
    seat: int
    dialects: tuple[str, ...]
    entries: tuple[msgspec.Raw, ...]
    next: int | None
    stop: Stop | None = None
    stopped: str = ""


class LiveSeat(msgspec.Struct, frozen=True):
    """A connection at a table: its number, its dialect, and the seat it has (None: it watches)."""

    connection: int
    dialect: str
    seat: int | None


class Live(msgspec.Struct, frozen=True):
    """What passed at a table; `next` is where to go on.  Without `inspected` nobody looks at what passes; where
    somebody does, the inspect token must be shown (`token`).  `dropped` records of these connections, with
    `dropped_bytes`, are no longer remembered; `unseen` bytes of any connection came too fast to be looked at."""

    inspected: bool
    token: bool = False
    next: int = 0
    seats: tuple[LiveSeat, ...] = ()
    entries: tuple[msgspec.Raw, ...] = ()
    dropped: int = 0
    dropped_bytes: int = 0
    unseen: int = 0


class LiveQuery(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Which table; without one it is only said whether what passes can be seen."""

    match: Id | UnsetType = UNSET
    after: Number = 0


async def match_wire(desk: Desk, query: WireQuery, request: Request) -> Response:
    """What a client of a dialect would have seen of a match at one seat."""
    kept = desk.conversations
    if kept is None:
        raise Problem(404, "this server tells no conversations")
    address, packs = client_address(request), accepts_gzip(request)
    summary = await desk.read(lambda: desk.reader.digest(query.id).summary, address, ("digest", query.id))
    key = "wire", query.id, query.dialect, query.seat, summary.seq
    told = kept.told.get(key)
    if told is None:
        if not kept.allowances.take(address):
            often = f"{AT_ONCE} conversations at once, then one every {1 / PER_SECOND:g} seconds"
            raise Problem(429, f"an address may ask for {often}", {"Retry-After": "2"})
        told = await desk.read(lambda: _retell(desk, kept.clinic, query), address, key, constant=True)
        kept.told.put(key, told, told.entries.size + 1)
    dialects = kept.clinic.dialects(summary.game)
    return await desk.read(lambda: finish(_part(told, query, dialects), packs), address)


def _retell(desk: Desk, clinic: Clinic, query: WireQuery) -> Conversation:
    summary, events = desk.reader.events(query.id)
    try:
        last = len(events) if summary.status is Status.OVER else _open_to(events, query.seat)
        told = clinic.retell(events, query.dialect, query.seat, last, check)
    except BoardwireError as error:
        raise Problem(409, str(error)) from None
    entries = Blocks().extended((_Numbered.decode(entry).seq, entry) for entry in told.entries)
    if last < len(events) and told.stop is None:
        return Conversation(entries, Stop.HIDDEN, "what this seat knows besides is told when the match is over")
    return Conversation(entries, told.stop, told.stopped)


def _open_to(events: Sequence[Event], seat: Seat) -> int:
    """The number of the last event up to which a seat knows no more than whoever watches."""
    match, rest = begun(checked(events))
    if seat >= len(match.chairs):
        return len(events)
    for moment in further(match, rest):
        game, position = moment.match.setting.game, moment.match.position
        if position is not None and not _is_open(game.view(position, seat), game.view(position, None)):
            return moment.match.seq - 1
    return len(events)


def _is_open(seen: Any, public: Any) -> bool:
    """Whether a view tells no more than another, but for whom it was made."""
    if hasattr(seen, "seat"):
        seen = msgspec.structs.replace(seen, seat=public.seat)
    return bool(seen == public)


def _part(told: Conversation, query: WireQuery, dialects: tuple[str, ...]) -> Answer:
    entries = told.entries
    count = len(entries) if query.to is UNSET else entries.count_to(query.to)
    part = entries.part(query.after, max(0, count - query.after), PART_BYTES)
    end = query.after + len(part)
    following = end if end < count else None
    stops = (told.stop, told.stopped) if following is None and count == len(entries) else ()
    wire = Wire(query.dialect, query.seat, dialects, tuple(map(msgspec.Raw, part)), following, *stops)
    return Answer(msgspec.json.encode(wire), headers={"Cache-Control": "no-cache"})


class _Entry(msgspec.Struct, frozen=True):
    seq: int


_Numbered: Final = msgspec.json.Decoder(_Entry)


async def live_wire(desk: Desk, query: LiveQuery, request: Request) -> Answer:
    """What passes at a table now, for whoever runs the server."""
    headers = {"Cache-Control": "no-store"}
    if desk.tap is None or query.match is UNSET:
        live = Live(desk.tap is not None, token=desk.tap is not None)
        return Answer(msgspec.json.encode(live), headers=headers)
    _check_reader(desk.tap.token, request)
    return Answer(msgspec.json.encode(desk.tap.after(query.match, query.after, LIVE_ENTRIES)), headers=headers)


def _check_reader(token: str, request: Request) -> None:
    """Refuse a request that does not show the inspect token."""
    scheme, _, shown = request.headers.get("authorization", "").partition(" ")
    if scheme.lower() != "bearer" or not hmac.compare_digest(shown.strip().encode(), token.encode()):
        raise Problem(401, "show the inspect token: that of --inspect-token, or the one in the server's log",
                      {"WWW-Authenticate": "Bearer"})  # fmt: skip
