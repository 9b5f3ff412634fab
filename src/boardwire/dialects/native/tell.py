"""Encode matches and steps for a seat or for spectators.

- Fields that seldom change (players, options) are encoded only when they change (`FixedFields`).
- The part of a step that all clients share is encoded once; a seat's choices are appended to it.
- In games with hidden information every seat gets its own encoding.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import islice, repeat
from typing import Any, Final, NamedTuple

import msgspec

from boardwire.dialects.native import messages as wire
from boardwire.dialects.native.fold import changes
from boardwire.games.game import AnyGame, Decision, Outcome, Seat
from boardwire.lobby.terms import needs_consent
from boardwire.table import events as table_events
from boardwire.table import guest as notifications
from boardwire.table.decide import call_due, waiting_since
from boardwire.table.match import Match, MatchSetup, Moment, SeatState, Status
from boardwire.table.policy import Leaving, Policy
from boardwire.wire.codec import convert
from boardwire.wire.websocket import encode_text

_NAMES: Final = {kind: kind.__name__.lower() for kind in table_events.Event.__args__}


MAX_OPTION_ENTRIES: Final = 8
"""Longest option list that a list of tables includes, in entries; longer ones are left out."""

PREVIEW_LIMIT: Final = 8
"""Tables of a list that include the view of spectators: the first ones in play between people, with a small view."""

_FEW_FIELDS: Final = 12
"""A shared view with more fields than this is large: a step holds only its changes."""

_FRAMES: Final = "native"
"""Key of a step's memo for its frames, if nothing is hidden; otherwise each seat has its own."""


class FixedFields:
    """Cached JSON of the fields of a state that few steps change, for one connection's match."""

    __slots__ = ("_alone", "_away", "_chairs", "_json", "_setting", "sent_view")

    def __init__(self) -> None:
        self.sent_view: SharedView | None = None
        self._setting: MatchSetup | None = None
        self._chairs: tuple[SeatState, ...] | None = None
        self._alone: float | None = None
        self._away = False
        """Whether a player is away: its `until` and `call_due` may change with every step."""
        self._json = b""

    def json(self, match: Match) -> bytes:
        """Return the fields as a JSON object without the closing brace."""
        is_same = match.chairs is self._chairs and match.setting is self._setting and match.alone is self._alone
        if self._away or not is_same:
            self._chairs, self._setting, self._alone = match.chairs, match.setting, match.alone
            self._away = any(chair.away is not None for chair in match.chairs)
            self._json = wire.encode(_fixed_part(match))[:-1]
        return self._json


class SharedView(NamedTuple):
    """The large view that all clients at a table were sent last, with its match and `seq`."""

    match: str
    seq: int
    view: Any


class _FixedPart(msgspec.Struct, frozen=True, omit_defaults=True):
    """Fields of a state that few steps change."""

    match: str
    game: str
    players: tuple[wire.PlayerInfo | None, ...]
    options: Any
    per_move: float = wire.NEVER
    undo: bool = False
    leaving: Leaving = Leaving.HOLDS
    grace: float = wire.GRACE_SECONDS
    bank: float = wire.NEVER
    practice: bool = False
    patience: float = wire.PATIENCE_SECONDS
    increment: float = wire.NEVER
    rated: bool = False


def _fixed_part(match: Match) -> _FixedPart:
    """Return the part of a match's state that no step changes."""
    setting = match.setting
    policy = setting.policy
    return _FixedPart(
        setting.id,
        setting.game.name,
        players(match),
        open_options(setting.options),
        policy.per_move or wire.NEVER,
        policy.undo,
        policy.leaving,
        _grace_seconds(policy),
        policy.bank or wire.NEVER,
        bool(policy.practice),
        _patience_seconds(policy),
        policy.bonus or wire.NEVER,
        policy.rated is True,
    )


class _Question(msgspec.Struct, frozen=True, gc=False):
    """The public part of a pending decision."""

    seats: tuple[Seat, ...]
    kind: str


class _Running(msgspec.Struct, frozen=True, omit_defaults=True, gc=False):
    """Fields of a state that every step may change, except the choices."""

    seq: int
    status: Status
    moves: int = 0
    outcome: Outcome | None = None
    agreed: tuple[Seat, ...] = ()
    banks: tuple[float, ...] = ()
    since: float = wire.NEVER
    moved: int = 0
    view: Any = None
    changes: Any = None
    drawing: Seat | None = None
    asked: _Question | None = None  # the last field: choices are appended to it


def open_options(options: Any) -> Any:
    """Return options without a starting position, which may contain hidden information."""
    return msgspec.structs.replace(options, position="") if getattr(options, "position", "") else options


def _without_long_lists(options: Any) -> Any:
    """Return options without long lists, to bound the length of a list of tables."""
    long_lists = {name: () for name, value in msgspec.structs.asdict(options).items() if _is_long(value)}
    return msgspec.structs.replace(options, **long_lists) if long_lists else options


def _is_long(value: Any) -> bool:
    return isinstance(value, tuple) and len(value) > MAX_OPTION_ENTRIES


def players(match: Match) -> tuple[wire.PlayerInfo | None, ...]:
    """Return the players by seat, without their keys."""
    return tuple(_player_info(match, seat, chair) for seat, chair in enumerate(match.chairs))


def _player_info(match: Match, seat: Seat, chair: SeatState) -> wire.PlayerInfo | None:
    """Return a player as clients see it, or None for a free seat."""
    player = chair.player
    if player is None:
        return None
    if chair.away is None:
        return wire.PlayerInfo(player.name, player.dialect, player.bot, account=player.account)
    until, due = _forfeit_time(match, seat), call_due(match, seat)
    return wire.PlayerInfo(player.name, player.dialect, player.bot, True, until, due or wire.NEVER, player.account)


def _forfeit_time(match: Match, seat: Seat) -> float:
    """Return when an absent player forfeits the seat."""
    since, policy = waiting_since(match, seat), match.setting.policy
    return wire.NEVER if since is None else since + (policy.countdown or policy.grace)


def kept_seat(match: Match, seat: Seat) -> wire.Kept:
    """Return a held seat, for `welcome`."""
    must_decide = match.pending is not None and seat in match.pending.seats
    return wire.Kept(match.id, seat, match.setting.game.name, players(match), must_decide)


def table_info(match: Match, audience: int = 0, view: Any = None) -> wire.TableInfo:
    """Return one entry of a list of tables."""
    setting = match.setting
    policy = setting.policy
    return wire.TableInfo(
        match.id,
        setting.game.name,
        match.status,
        players(match),
        match.moves,
        setting.dialect,
        policy.per_move or wire.NEVER,
        policy.bank or wire.NEVER,
        needs_consent(setting.game, setting.initial_options, policy),
        _without_long_lists(open_options(setting.options)),
        audience,
        policy.bonus or wire.NEVER,
        view,
        policy.rated is True,
    )


def tables(surveyed: notifications.Surveyed, limit: int) -> tuple[wire.TableInfo, ...]:
    """Return a list of at most `limit` tables; if there are more, waiting tables come first."""
    matches: Sequence[Match] = surveyed.matches
    if len(matches) > limit:
        matches = sorted(matches, key=lambda match: match.status is not Status.WAITING)[:limit]
    previewed = {match.id for match in islice(filter(_has_preview, matches), PREVIEW_LIMIT)}
    return tuple(
        table_info(match, surveyed.audiences.get(match.id, 0), _view_of(match, None) if match.id in previewed else None)
        for match in matches
    )


def _has_preview(match: Match) -> bool:
    """Return whether the list of tables shows the board: two people play, and the view is small."""
    people = sum(chair.player is not None and not chair.player.bot for chair in match.chairs)
    return (
        match.status is Status.PLAYING
        and people > 1
        and match.position is not None
        and not _has_large_view(match.setting.game)
    )


def state(match: Match, seat: Seat | None) -> wire.MatchState:
    """Return the state of a match for `seat`, or for spectators (None)."""
    fixed = _fixed_part(match)
    position = match.position
    return wire.MatchState(
        fixed.match,
        fixed.game,
        match.seq,
        match.status,
        fixed.players,
        fixed.options,
        match.moves,
        None if position is None else match.setting.game.view(position, seat),
        _decision_info(match, seat),
        match.outcome,
        match.agreed,
        match.banks,
        fixed.per_move,
        match.since or wire.NEVER,
        fixed.undo,
        match.moved,
        fixed.leaving,
        fixed.grace,
        fixed.bank,
        fixed.practice,
        patience=fixed.patience,
        increment=fixed.increment,
        rated=fixed.rated,
        drawing=match.drawing,
    )


def advice(notification: notifications.Advised) -> wire.Advice:
    """Return an engine's advice as a message."""
    game = notification.match.setting.game
    steps, line = (
        tuple(wire.AdvisedStep(game.format_action(action), action) for action in actions)
        for actions in (notification.turn, notification.line)
    )
    return wire.Advice(
        match=notification.match.id, seq=notification.seq, turn=steps, value=round(notification.value, 4), line=line,
        proved=notification.proved, forecast=notification.forecast,
    )  # fmt: skip


def _grace_seconds(policy: Policy) -> float:
    """Return the time for which the seat of an absent player is held; the default if no seat is held."""
    seconds = policy.per_move if policy.correspondence else policy.countdown or policy.grace
    return wire.GRACE_SECONDS if not seconds or seconds == wire.GRACE_SECONDS else seconds


def _patience_seconds(policy: Policy) -> float:
    """Return the time after which an absent player's time may be called; the default if no seat is held."""
    if policy.leaving not in (Leaving.HOLDS, Leaving.SKIPS) or policy.patience == wire.PATIENCE_SECONDS:
        return wire.PATIENCE_SECONDS
    return policy.patience or 0.0


def _decision_info(match: Match, seat: Seat | None) -> wire.Asked | None:
    """Return the open decision, with the choices only for a seat that has to decide."""
    pending = match.pending
    if pending is None:
        return None
    return wire.Asked(pending.seats, pending.kind, tuple(pending.choices) if seat in pending.seats else None)


class _Frames(msgspec.Struct, gc=False):
    """The frames of a step for clients with the same view: one for the seats that must decide, one for the others."""

    shared: bytes
    pending: Decision[Any] | None
    deciding: tuple[Seat, ...]
    view: SharedView | None
    """The large view that the step shows."""
    deciding_frame: bytes = b""
    other_frame: bytes = b""

    def frame(self, seat: Seat | None) -> bytes:
        """Return the frame for `seat`, encoded when the first client needs it."""
        if seat in self.deciding:
            if not self.deciding_frame:
                self.deciding_frame = encode_text(self.shared + _encode_choices(self.pending, seat))
            return self.deciding_frame
        if not self.other_frame:
            self.other_frame = encode_text(self.shared + _encode_choices(self.pending, seat))
        return self.other_frame


def frame(notification: notifications.Step, seat: Seat | None, fixed: FixedFields) -> bytes:
    """Encode a step for `seat` as a frame, which clients with the same view share."""
    memo = notification.memo
    frames: _Frames | None = memo.get(_FRAMES) or memo.get((_FRAMES, seat))
    if frames is None:
        match = notification.moments[-1].match
        shared, view = _encode_shared(notification, seat, fixed, fixed.sent_view)
        pending = match.pending
        frames = _Frames(shared, pending, () if pending is None else pending.seats, view)
        memo[(_FRAMES, seat) if match.setting.game.views_differ else _FRAMES] = frames
    fixed.sent_view = frames.view
    return frames.frame(seat)


def step(notification: notifications.Step, seat: Seat | None, fixed: FixedFields) -> bytes:
    """Encode a step for `seat` as JSON with a whole view."""
    shared, _ = _encode_shared(notification, seat, fixed, None)
    return shared + _encode_choices(notification.moments[-1].match.pending, seat)


def _encode_shared(
    notification: notifications.Step, seat: Seat | None, fixed: FixedFields, before: SharedView | None
) -> tuple[bytes, SharedView | None]:
    """Encode the shared part of a step, and return the large view in it, if any.

    A large view is encoded as changes since `before`, if all clients have that view.
    """
    moments = notification.moments
    match = moments[-1].match
    pending, position, game = match.pending, match.position, match.setting.game
    view: Any = None if position is None else game.view(position, seat)
    view_changes: Any = None
    large_view = None
    if view is not None and _has_large_view(game):
        large_view = SharedView(match.id, match.seq, view)
        if before is not None and before[:2] == (match.id, moments[0].match.seq - 1):
            view_changes, view = changes(before.view, view), None
    running = _Running(
        match.seq, match.status, match.moves, match.outcome, match.agreed, match.banks, match.since or wire.NEVER,
        match.moved, view, view_changes, match.drawing,
        None if pending is None else _Question(pending.seats, pending.kind),
    )  # fmt: skip
    encoded = b'{"type":"step","events":%b,"state":%b,%b' % (
        wire.encode(list(map(_happening_of, moments, repeat(seat)))),
        fixed.json(match),
        # without its opening brace, and open at the end: `_encode_choices` closes it
        wire.encode(running)[1 : -1 if pending is None else -2],
    )
    return encoded, large_view


def _view_of(match: Match, seat: Seat | None) -> Any:
    """Return a seat's view, or None before the match."""
    position = match.position
    return None if position is None else match.setting.game.view(position, seat)


def _has_large_view(game: AnyGame) -> bool:
    """Return whether a game has a view with many fields that is the same for all seats."""
    return len(game.View.__struct_fields__) > _FEW_FIELDS and not game.views_differ


def _encode_choices(pending: Decision[Any] | None, seat: Seat | None) -> bytes:
    """Encode the end of a step: the choices, if `seat` must decide, and the closing braces."""
    if pending is None:
        return b"}}"
    if seat not in pending.seats:
        return b"}}}"
    return b',"choices":%b}}}' % wire.encode(tuple(pending.choices))


def _happening_of(moment: Moment, seat: Seat | None) -> wire.Happening:
    """Return a moment as a seat may see it, without hidden events."""
    event: Any = moment.event
    kind = type(event)
    happened = moment.happened
    if happened and (game := moment.match.setting.game).views_differ:
        happened = tuple([part for raw in happened if (part := game.show(raw, seat)) is not None])
    if kind is table_events.Acted:
        return wire.Happening("acted", event.at, event.seat, happened)
    event_seat = getattr(event, "seat", None)
    if kind is table_events.Chatted:
        return wire.Happening(_NAMES[kind], event.at, event_seat, text=event.text, name=event.name)
    return wire.Happening(_NAMES[kind], event.at, event_seat, happened, called=getattr(event, "called", None))


def to_game_type(raw: Any, kind: Any) -> Any:
    """Convert a JSON value to the game's own type, or raise `msgspec.ValidationError`."""
    return convert(raw, kind)
