"""Messages of the native dialect: JSON objects, distinguished by `type`.

Actions, options and views are the game's own types as JSON (`boardwire.games.*`).
"""

from __future__ import annotations

from typing import Annotated, Any, Final, TypeAlias, get_args

import msgspec

from boardwire.errors import Objection
from boardwire.games.game import Outcome, Seat
from boardwire.table.match import Status
from boardwire.table.policy import Leaving

_DAY_SECONDS: Final = 86_400.0

# msgspec leaves out a field whose value *is* its default, so encoders must use these very objects.
NEVER: Final = 0.0
GRACE_SECONDS: Final = 120.0
"""Default time that a seat is held for an absent player."""
PATIENCE_SECONDS: Final = 60.0
"""Default time that a player may be away before another player may call its time."""

Grace: TypeAlias = Annotated[float, msgspec.Meta(ge=1.0, le=_DAY_SECONDS)]
"""Seconds that a seat is held; bounded, because an abandoned match stays in memory that long."""

Patience: TypeAlias = Annotated[float, msgspec.Meta(ge=0.0, le=_DAY_SECONDS)]
"""Seconds that a player may be away before another player may call its time; 0: never."""

Thinking: TypeAlias = Annotated[float, msgspec.Meta(ge=0.0, le=30 * _DAY_SECONDS)]
"""Seconds to decide; 0: no limit."""


class _Message(
    msgspec.Struct, frozen=True, tag_field="type", tag=str.lower, omit_defaults=True, kw_only=True, gc=False
):
    pass


# --- from the client ----------------------------------------------------------------------------------------------


class Hello(_Message, frozen=True):
    """The first message. The `token` of an earlier `welcome` identifies a returning player."""

    name: str = ""
    token: str = ""


class List(_Message, frozen=True):
    """List the public tables. Answer: `tables`, oldest first; if there are too many, waiting tables first."""

    game: str = ""


class Open(_Message, frozen=True):
    """Open a table and take `seat`. `bots` names the bot of each seat (empty: a free seat)."""

    game: str
    seats: int = 2
    options: Any = None
    bots: tuple[str, ...] = ()
    seat: Seat | None = None
    private: bool = False
    undo: bool = True
    leaving: Leaving = Leaving.HOLDS
    grace: Grace = GRACE_SECONDS
    bank: Thinking = 0.0
    per_move: Thinking = 0.0
    practice: bool = False
    patience: Patience = PATIENCE_SECONDS
    increment: Thinking = 0.0
    rated: bool = False


class Find(_Message, frozen=True):
    """Take a seat at any public table of this game, or open one."""

    game: str
    seats: int = 2
    options: Any = None


class Pair(_Message, frozen=True):
    """Take a seat at a public table of this game with these options and this clock, or open one."""

    game: str
    seats: int = 2
    options: Any = None
    bank: Thinking = 0.0
    per_move: Thinking = 0.0
    increment: Thinking = 0.0


class Join(_Message, frozen=True):
    """Take a seat at this table."""

    match: str
    code: str = ""
    seat: Seat | None = None


class Watch(_Message, frozen=True):
    """Watch a match."""

    match: str
    code: str = ""


class Resume(_Message, frozen=True):
    """Return to a seat that is held for the player (listed in `welcome`)."""

    match: str
    seat: Seat


class Act(_Message, frozen=True):
    """Choose an action, based on the state at `seq`."""

    seq: int
    action: Any


class Say(_Message, frozen=True):
    """Send a chat line to the table."""

    text: str


class Undo(_Message, frozen=True):
    """Offer to undo the player's last action."""


class Agree(_Message, frozen=True):
    """Answer an undo offer."""

    agree: bool


class Draw(_Message, frozen=True):
    """Offer a draw, or answer the draw on offer."""

    agree: bool = True


class Hint(_Message, frozen=True):
    """Ask an engine for advice. Answer: `advice`, when it is ready; other requests are answered meanwhile."""


class Resign(_Message, frozen=True):
    """Resign."""


class CallTime(_Message, frozen=True):
    """Call the time of absent players: they forfeit."""


class Rematch(_Message, frozen=True):
    """Request a rematch with the same players."""


class Leave(_Message, frozen=True):
    """Leave the table."""


class Sync(_Message, frozen=True):
    """Request the state of the match. Answer: `state`."""


class Why(_Message, frozen=True):
    """Ask which rule forbids an action now. Answer: `because`."""

    action: Any


class Ping(_Message, frozen=True):
    """Check the connection. Answer: `pong`."""


Request: TypeAlias = (
    Hello | List | Open | Find | Join | Watch | Resume | Act | Say | Undo | Agree | Resign | Rematch | Leave | Sync
    | Ping | Hint | CallTime | Why | Pair | Draw
)  # fmt: skip
"""In the order of the specification [3]."""


# --- from the server ----------------------------------------------------------------------------------------------


class PlayerInfo(msgspec.Struct, frozen=True, omit_defaults=True):
    """The player of a seat.

    `away`: the player is absent. `until`: when its seat is forfeited (seconds since the epoch; 0: never); at tables
    that skip absent players, when the last player present wins. `due`: when another player may call its time.
    `account`: number of the player's account; 0: a guest.
    """

    name: str = ""
    dialect: str = ""
    bot: str = ""
    away: bool = False
    until: float = NEVER
    due: float = NEVER
    account: int = 0


class Kept(msgspec.Struct, frozen=True, omit_defaults=True):
    """A seat that is held for the player, with the other players and whether a decision waits for it."""

    match: str
    seat: Seat
    game: str = ""
    players: tuple[PlayerInfo | None, ...] = ()
    asked: bool = False


class Welcome(_Message, frozen=True):
    """Answer to `hello`: the player's token and name, the seats held for it, and its account (0: a guest)."""

    token: str
    name: str
    kept: tuple[Kept, ...] = ()
    account: int = 0


class TableInfo(msgspec.Struct, frozen=True, omit_defaults=True):
    """A table in a list.

    In `players`, None is a free seat. `per_move`, `bank` and `increment` are in seconds. `unusual`: the terms are not
    the default ones, and `find` does not lead here. `options` are the game's, without a starting position.
    `audience`: number of spectators. `view`: what spectators see, for some tables in play. `rated`: the match counts
    for ratings.
    """

    match: str
    game: str
    status: Status
    players: tuple[PlayerInfo | None, ...]
    moves: int = 0
    dialect: str = ""
    per_move: float = NEVER
    bank: float = NEVER
    unusual: bool = False
    options: Any = None
    audience: int = 0
    increment: float = NEVER
    view: Any = None
    rated: bool = False


class Tables(_Message, frozen=True):
    """The public tables."""

    tables: tuple[TableInfo, ...]


class Asked(msgspec.Struct, frozen=True, omit_defaults=True, gc=False):
    """The pending decision: the seats that may answer, its kind and, for these seats only, the choices."""

    seats: tuple[Seat, ...]
    kind: str
    choices: tuple[Any, ...] | None = None


class MatchState(msgspec.Struct, frozen=True, omit_defaults=True, gc=False):
    """State of a match, for one seat or for spectators.

    - `agreed`: the seats that agree to the undo on offer.
    - `banks`: seconds left by seat at the time `since`, when the decision was put (seconds since the epoch by the
      server's clock, as `at` in events).
    - `moved`: the `seq` of the last change of the position; an `act` based on any later state is not stale.
    - `leaving`, `grace`, `bank`, `patience`, `increment`, `rated`: the settings that the table was opened with.
    - `drawing`: the seat that offers a draw.
    - `changes`: in a `step`, may replace a large `view` by its differences from the last one (`fold.py`).
    """

    match: str
    game: str
    seq: int
    status: Status
    players: tuple[PlayerInfo | None, ...]
    options: Any
    moves: int = 0
    view: Any = None
    asked: Asked | None = None
    outcome: Outcome | None = None
    agreed: tuple[Seat, ...] = ()
    banks: tuple[float, ...] = ()
    per_move: float = NEVER
    since: float = NEVER
    undo: bool = False
    moved: int = 0
    leaving: Leaving = Leaving.HOLDS
    grace: float = GRACE_SECONDS
    bank: float = NEVER
    practice: bool = False
    changes: Any = None
    patience: float = PATIENCE_SECONDS
    increment: float = NEVER
    rated: bool = False
    drawing: Seat | None = None


class Seated(_Message, frozen=True):
    """You have a seat. At a private table, others join with `code`."""

    seat: Seat
    state: MatchState
    code: str = ""


class Watching(_Message, frozen=True):
    """You watch a match. At a private table, `code` admits others, and you when you return."""

    state: MatchState
    code: str = ""


class State(_Message, frozen=True):
    """State of the match."""

    state: MatchState


class Happening(msgspec.Struct, frozen=True, omit_defaults=True, gc=False):
    """An event of a match: its name, time and seat, and the game's own events.

    `text` and `name` belong to chat lines; `called` is the seat that called the time of another.
    """

    event: str
    at: float
    seat: Seat | None = None
    happened: tuple[Any, ...] = ()
    text: str = ""
    name: str = ""
    called: Seat | None = None


class Step(_Message, frozen=True):
    """New events, and the state after them."""

    events: tuple[Happening, ...]
    state: MatchState


class Refused(_Message, frozen=True):
    """The request was refused.

    `code` is for programs, `reason` for people. After `stale` a `state` follows. New codes may be added.
    """

    code: str
    reason: str


class Wanted(_Message, frozen=True):
    """The seats that want a rematch, and the seats whose players are gone, which rules one out."""

    seats: tuple[Seat, ...]
    gone: tuple[Seat, ...] = ()


class AdvisedStep(msgspec.Struct, frozen=True):
    """An action of an advised turn, with its notation."""

    text: str
    action: Any


class Advice(_Message, frozen=True):
    """An engine's advice on the decision at `seq`.

    `turn` is the best rest of your turn, `line` the expected play after it, `value` your prospects from -1 to 1, and
    `forecast` a prediction in the game's own numbers.
    """

    match: str
    seq: int
    turn: tuple[AdvisedStep, ...]
    value: float
    line: tuple[AdvisedStep, ...] = ()
    proved: int = 0
    forecast: Any = None


class Because(_Message, frozen=True):
    """The rule that forbids an action; None if it is legal."""

    action: Any
    objection: Objection | None = None


class Audience(_Message, frozen=True):
    """Number of spectators, and the names of the first of them."""

    count: int
    names: tuple[str, ...] = ()


class Announcement(_Message, frozen=True):
    """An announcement from the server's operators; an empty `text` withdraws it.

    `until` is when it expires, in seconds since the epoch. It may come at any time after `hello`.
    """

    number: int
    text: str = ""
    until: float = NEVER


class Challenged(_Message, frozen=True):
    """Another player challenges you: `join` its table with `code`.

    `number` declines it over HTTP; `until` is when it expires, in seconds since the epoch.
    """

    number: int
    name: str
    account: int
    game: str
    match: str
    code: str = ""
    rated: bool = False
    until: float = NEVER


class Pong(_Message, frozen=True):
    """Answer to `ping`."""


class Gone(_Message, frozen=True):
    """You are no longer at the table: you left it, or resumed the seat from another connection."""

    why: str = ""


Reply: TypeAlias = (
    Welcome
    | Tables
    | Seated
    | Watching
    | State
    | Step
    | Refused
    | Wanted
    | Gone
    | Pong
    | Advice
    | Because
    | Audience
    | Announcement
    | Challenged
)
"""In the order of the specification [4]."""

decode_request = msgspec.json.Decoder(Request).decode
decode_reply = msgspec.json.Decoder(Reply).decode
encode = msgspec.json.Encoder().encode


class _Typed(msgspec.Struct):
    type: str


_typed: Final = msgspec.json.Decoder(_Typed).decode
_REPLIES: Final = frozenset(kind.__struct_config__.tag for kind in get_args(Reply))


def is_unknown_type(text: str) -> bool:
    """Return whether a message has a type that this version does not know and must skip [1]."""
    try:
        return _typed(text).type not in _REPLIES
    except (msgspec.ValidationError, msgspec.DecodeError):
        return False
