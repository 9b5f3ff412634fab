"""The messages of the native dialect: one JSON object each, told apart by `type`.

Actions, options and views are the game's own types as JSON (`boardwire.games.*`); everything else is below.
"""

from __future__ import annotations

from typing import Annotated, Any, Final, TypeAlias, get_args

import msgspec

from boardwire.errors import Objection
from boardwire.games.game import Outcome, Seat
from boardwire.table.match import Status
from boardwire.table.policy import Leaving

DAY: Final = 86_400.0
NEVER: Final = 0.0
"""The default of times that are left out; it is told from others by identity, as msgspec does."""
GRACE: Final = 120.0
"""How long a seat is held where nothing else is said; told by identity too."""

PATIENCE: Final = 60.0
"""How long a player may be away where nothing else is said, before another may call its time."""

Grace: TypeAlias = Annotated[float, msgspec.Meta(ge=1.0, le=DAY)]
"""Seconds that a seat is held.  Never for ever: a match that nobody comes back to would stay in memory as long."""

Patience: TypeAlias = Annotated[float, msgspec.Meta(ge=0.0, le=DAY)]
"""Seconds that a player may be away before another may call its time; 0: nobody may."""

Thinking: TypeAlias = Annotated[float, msgspec.Meta(ge=0.0, le=30 * DAY)]
"""Seconds to decide; 0: as many as one likes."""


class _Message(
    msgspec.Struct, frozen=True, tag_field="type", tag=str.lower, omit_defaults=True, kw_only=True, gc=False
):
    pass


# --- from the client ----------------------------------------------------------------------------------------------


class Hello(_Message, frozen=True):
    """The first message.  `token` is the one of an earlier welcome: whoever shows it is the same player again."""

    name: str = ""
    token: str = ""


class List(_Message, frozen=True):
    """Which public tables are there?  Answer: `tables`, the oldest first; of very many, those that wait first."""

    game: str = ""


class Open(_Message, frozen=True):
    """Open a table and sit down at `seat`.  `bots` names the bot of each seat (empty: a free seat)."""

    game: str
    seats: int = 2
    options: Any = None
    bots: tuple[str, ...] = ()
    seat: Seat | None = None
    private: bool = False
    undo: bool = True
    leaving: Leaving = Leaving.HOLDS
    grace: Grace = GRACE
    bank: Thinking = 0.0
    per_move: Thinking = 0.0
    practice: bool = False
    patience: Patience = PATIENCE


class Find(_Message, frozen=True):
    """Sit me down at any public table of this game, or open one."""

    game: str
    seats: int = 2
    options: Any = None


class Join(_Message, frozen=True):
    """Sit me down at this table."""

    match: str
    code: str = ""
    seat: Seat | None = None


class Watch(_Message, frozen=True):
    """Let me follow this match."""

    match: str
    code: str = ""


class Resume(_Message, frozen=True):
    """Give me back my seat in this match (it is listed in `welcome`)."""

    match: str
    seat: Seat


class Act(_Message, frozen=True):
    """My choice, made when the match was at `seq`."""

    seq: int
    action: Any


class Say(_Message, frozen=True):
    """A line of talk to the table."""

    text: str


class Undo(_Message, frozen=True):
    """I want to take back my last step."""


class Agree(_Message, frozen=True):
    """My answer to the undo on offer."""

    agree: bool


class Hint(_Message, frozen=True):
    """What would be good here?  Answer: `advice`, when it is found; nothing else waits for it."""


class Resign(_Message, frozen=True):
    """I give up."""


class CallTime(_Message, frozen=True):
    """I do not wait any longer for those who are away: let them forfeit."""


class Rematch(_Message, frozen=True):
    """Once more, with the same players."""


class Leave(_Message, frozen=True):
    """I leave the table."""


class Sync(_Message, frozen=True):
    """Tell me again how the match stands.  Answer: `state`."""


class Why(_Message, frozen=True):
    """By which rule may I not do this now?  Answer: `because`."""

    action: Any


class Ping(_Message, frozen=True):
    """Are you there?  Answer: `pong`."""


Request: TypeAlias = (
    Hello
    | List
    | Open
    | Find
    | Join
    | Watch
    | Resume
    | Act
    | Say
    | Undo
    | Agree
    | Hint
    | Resign
    | CallTime
    | Rematch
    | Leave
    | Sync
    | Why
    | Ping
)


# --- from the server ----------------------------------------------------------------------------------------------


class PlayerInfo(msgspec.Struct, frozen=True, omit_defaults=True):
    """Who sits at a seat; `away` while a seat is held for a player who is not there, and `until` when (seconds since
    the epoch; 0: for ever).  Where absent players are skipped, `until` is told while one alone is left, who wins
    then.  From `due` on another player may call its time."""

    name: str = ""
    dialect: str = ""
    bot: str = ""
    away: bool = False
    until: float = NEVER
    due: float = NEVER


class Kept(msgspec.Struct, frozen=True, omit_defaults=True):
    """A seat that is kept for the player: who else is there, and whether the player is asked for something."""

    match: str
    seat: Seat
    game: str = ""
    players: tuple[PlayerInfo | None, ...] = ()
    asked: bool = False


class Welcome(_Message, frozen=True):
    """Answer to `hello`: who you are, and the seats that are kept for you."""

    token: str
    name: str
    kept: tuple[Kept, ...] = ()


class TableInfo(msgspec.Struct, frozen=True, omit_defaults=True):
    """One table in a list; None is a free seat.  Times are in seconds, for each decision and for the whole match.
    `unusual`: its terms are not those one expects, and `find` does not lead there.  `options` are the game's, without a
    position to start from.  `audience`: how many watch."""

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


class Tables(_Message, frozen=True):
    """The public tables."""

    tables: tuple[TableInfo, ...]


class Asked(msgspec.Struct, frozen=True, omit_defaults=True, gc=False):
    """The pending decision: who is asked, what kind of question, and, for whoever is asked, the choices."""

    seats: tuple[Seat, ...]
    kind: str
    choices: tuple[Any, ...] | None = None


class MatchState(msgspec.Struct, frozen=True, omit_defaults=True, gc=False):
    """How a match stands, for one seat or for spectators.  `agreed` are the seats that want the undo on offer;
    `banks` are seconds left by seat at the time `since`, when the decision was put, in seconds since the epoch by the
    server's clock (that of `at` in events).  `moved` is what `seq` was when the play last changed: an `act` made by
    any state since then is not stale.  `leaving`, `grace`, `bank` and `patience` are what the table was opened
    with.  In a `step`,
    `changes` may stand for a large `view`: what has changed in it since the last one (`fold.py`)."""

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
    grace: float = GRACE
    bank: float = NEVER
    practice: bool = False
    changes: Any = None
    patience: float = PATIENCE


class Seated(_Message, frozen=True):
    """You sit at `seat`; `code` lets others join if the table is private."""

    seat: Seat
    state: MatchState
    code: str = ""


class Watching(_Message, frozen=True):
    """You follow this match; `code` lets others come, and you come back, if the table is private."""

    state: MatchState
    code: str = ""


class State(_Message, frozen=True):
    """How the match stands."""

    state: MatchState


class Happening(msgspec.Struct, frozen=True, omit_defaults=True, gc=False):
    """One event of a match: its name, whose it was, what the game says happened, for talk the words, and where somebody
    had no more patience, who that was."""

    event: str
    at: float
    seat: Seat | None = None
    happened: tuple[Any, ...] = ()
    text: str = ""
    name: str = ""
    called: Seat | None = None


class Step(_Message, frozen=True):
    """What has just happened, and how the match stands now."""

    events: tuple[Happening, ...]
    state: MatchState


class Refused(_Message, frozen=True):
    """What you asked was not done.  `code` says why to a program, `reason` to a person; after `stale` a `state`
    follows.  There may be more codes one day."""

    code: str
    reason: str


class Wanted(_Message, frozen=True):
    """The seats that want a rematch, and those whose players have gone: with them there is none."""

    seats: tuple[Seat, ...]
    gone: tuple[Seat, ...] = ()


class AdvisedStep(msgspec.Struct, frozen=True):
    """A step of a turn: the action, and how it is written."""

    text: str
    action: Any


class Advice(_Message, frozen=True):
    """What an engine thinks of the decision that was open at `seq`: the best rest of your turn, what it expects after
    that, what the match is worth to you, and what it foresees in the game's own numbers."""

    match: str
    seq: int
    turn: tuple[AdvisedStep, ...]
    value: float
    line: tuple[AdvisedStep, ...] = ()
    proved: int = 0
    forecast: Any = None


class Because(_Message, frozen=True):
    """The rule that forbids an action; None: it may be done."""

    action: Any
    objection: Objection | None = None


class Audience(_Message, frozen=True):
    """So many watch the match now; the first of them by name."""

    count: int
    names: tuple[str, ...] = ()


class Pong(_Message, frozen=True):
    """I am here."""


class Gone(_Message, frozen=True):
    """You are no longer at the table (you left, or came back by another connection)."""

    why: str = ""


Reply: TypeAlias = (
    Welcome | Tables | Seated | Watching | State | Step | Refused | Wanted | Advice | Gone | Pong | Because | Audience
)

decode_request = msgspec.json.Decoder(Request).decode
decode_reply = msgspec.json.Decoder(Reply).decode
encode = msgspec.json.Encoder().encode


class _Typed(msgspec.Struct):
    type: str


_typed: Final = msgspec.json.Decoder(_Typed).decode
_REPLIES: Final = frozenset(kind.__struct_config__.tag for kind in get_args(Reply))


def is_news(text: str) -> bool:
    """Whether it is a message of a type that this version has no reply of: a newer server's, to be skipped [1]."""
    try:
        return _typed(text).type not in _REPLIES
    except (msgspec.ValidationError, msgspec.DecodeError):
        return False
