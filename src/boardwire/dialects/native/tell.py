"""Matches and steps in the native dialect's words, for a seat or for spectators.

What seldom changes in a match (who sits there, its options) is encoded when it changes, and what one step says to all
readers of the same view is encoded once; see `Fixed` and `frame`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final, cast

import msgspec

from boardwire.dialects.native import messages as say
from boardwire.games.game import Seat
from boardwire.table import events as told
from boardwire.table import guest as news
from boardwire.table.decide import countdown
from boardwire.table.match import Chair, Match, Moment, Setting, Status
from boardwire.table.policy import Policy
from boardwire.table.terms import ordinary
from boardwire.wire.websocket import encode_text

_NAMES: Final = {kind: kind.__name__.lower() for kind in told.Event.__args__}


BRIEF: Final = 8
"""Entries of an option that a list of tables tells; of a longer one it tells none."""


class Fixed:
    """The parts of a state that few steps change, as JSON, for the match that a connection is at."""

    __slots__ = ("_alone", "_chairs", "_grace", "_options", "_players", "_setting")

    def __init__(self) -> None:
        self._setting: Setting | None = None
        self._chairs: tuple[Chair, ...] | None = None
        self._alone: float | None = None
        self._players = self._options = msgspec.Raw()
        self._grace = say.GRACE

    def players(self, match: Match) -> msgspec.Raw:
        """Who sits where."""
        if match.chairs is not self._chairs or match.alone is not self._alone:
            self._chairs, self._alone = match.chairs, match.alone
            self._players = msgspec.Raw(say.encode(players(match)))
        return self._players

    def options(self, match: Match) -> tuple[msgspec.Raw, float]:
        """The match's options, and how long somebody is waited for."""
        if match.setting is not self._setting:
            self._setting = match.setting
            self._options = msgspec.Raw(say.encode(open_options(match.setting.options)))
            self._grace = _grace(match.setting.policy)
        return self._options, self._grace


def open_options(options: Any) -> Any:
    """Options without the position to start from, if they have one: it tells what seats hide from each other, and the
    view tells as much of it as one may know."""
    return msgspec.structs.replace(options, position="") if getattr(options, "position", "") else options


def _brief(options: Any) -> Any:
    """Options without long lists: a list of tables is for choosing, and is not to be longer than a reader can take."""
    long = {name: () for name, value in msgspec.structs.asdict(options).items() if _is_long(value)}
    return msgspec.structs.replace(options, **long) if long else options


def _is_long(value: Any) -> bool:
    return isinstance(value, tuple) and len(value) > BRIEF


def players(match: Match) -> tuple[say.PlayerInfo | None, ...]:
    """Who sits where; what a player must show to return is left out."""
    return tuple(_player(match, chair) for chair in match.chairs)


def _player(match: Match, chair: Chair) -> say.PlayerInfo | None:
    player = chair.player
    if player is None:
        return None
    if chair.away is None:
        return say.PlayerInfo(player.name, player.dialect, player.bot)
    return say.PlayerInfo(player.name, player.dialect, player.bot, True, _until(match, chair.away))


def _until(match: Match, away: float) -> float:
    """When a player who has been away since then has lost the seat."""
    policy = match.setting.policy
    if match.setting.skips:
        return countdown(match) or say.NEVER
    return away + policy.grace if policy.grace and match.status is Status.PLAYING else say.NEVER


def kept(match: Match, seat: Seat) -> say.Kept:
    """A seat of a player's, for the list of them."""
    asked = match.pending is not None and seat in match.pending.seats
    return say.Kept(match.id, seat, match.setting.game.name, players(match), asked)


def table(match: Match) -> say.TableInfo:
    """One line of a list of tables."""
    setting = match.setting
    policy = setting.policy
    return say.TableInfo(
        match.id,
        setting.game.name,
        match.status,
        players(match),
        match.moves,
        setting.dialect,
        policy.per_move or say.NEVER,
        policy.bank or say.NEVER,
        not ordinary(setting.game, setting.asked, policy),
        _brief(open_options(setting.options)),
    )


def tables(matches: Sequence[Match], most: int) -> tuple[say.TableInfo, ...]:
    """A list of tables; of more than `most`, those that can be joined come first."""
    if len(matches) > most:
        matches = sorted(matches, key=lambda match: match.status is not Status.WAITING)[:most]
    return tuple(map(table, matches))


def state(match: Match, seat: Seat | None, fixed: Fixed | None = None) -> say.MatchState:
    """How the match stands for `seat`; None: for a spectator.  With `fixed`, it is good for being encoded only."""
    setting = match.setting
    policy = setting.policy
    position = match.position
    options, grace = (open_options(setting.options), _grace(policy)) if fixed is None else fixed.options(match)
    return say.MatchState(
        setting.id,
        setting.game.name,
        match.seq,
        match.status,
        players(match) if fixed is None else cast("Any", fixed.players(match)),
        options,
        match.moves,
        None if position is None else setting.game.view(position, seat),
        _asked(match, seat),
        match.outcome,
        match.agreed,
        match.banks,
        policy.per_move or say.NEVER,
        match.since or say.NEVER,
        policy.undo,
        match.moved,
        policy.leaving,
        grace,
        policy.bank or say.NEVER,
    )


def _grace(policy: Policy) -> float:
    """How long somebody is waited for; where nobody ever is, it is left out."""
    seconds = policy.countdown or policy.grace
    return say.GRACE if not seconds or seconds == say.GRACE else seconds


def _asked(match: Match, seat: Seat | None) -> say.Asked | None:
    pending = match.pending
    if pending is None:
        return None
    return say.Asked(pending.seats, pending.kind, tuple(pending.choices) if seat in pending.seats else None)


def step(told: news.Step, seat: Seat | None, fixed: Fixed | None = None) -> bytes:
    """A step as `seat` may see it, as JSON."""
    return say.encode(say.Step(events=_events(told, seat), state=state(told.match, seat, fixed)))


def frame(told: news.Step, seat: Seat | None, fixed: Fixed) -> bytes:
    """The same as a frame, made once for all readers of the same view."""
    memo = told.memo
    key = ("native", seat)
    made: bytes | None = memo.get(key)
    if made is None:
        made = memo[key] = encode_text(step(told, seat, fixed))
    return made


def _events(step: news.Step, seat: Seat | None) -> Any:
    """What happened, for one seat; where nothing is hidden from it, it is encoded once for all such seats."""
    moments = step.moments
    for moment in moments:
        show = moment.match.setting.game.show
        for one in moment.happened:
            if show(one, seat) is not one:
                return [_happening(moment, seat) for moment in moments]
    made = step.memo.get("native")
    if made is None:
        made = step.memo["native"] = msgspec.Raw(say.encode([_happening(moment, seat) for moment in moments]))
    return made


def _happening(moment: Moment, seat: Seat | None) -> say.Happening:
    event: Any = moment.event
    kind = type(event)
    where = getattr(event, "seat", None)
    if kind is told.Chatted:
        return say.Happening(_NAMES[kind], event.at, where, text=event.text, name=event.name)
    if not moment.happened:
        return say.Happening(_NAMES[kind], event.at, where)
    show = moment.match.setting.game.show
    shown = tuple([part for one in moment.happened if (part := show(one, seat)) is not None])
    return say.Happening(_NAMES[kind], event.at, where, shown)


def typed(raw: Any, kind: Any) -> Any:
    """A JSON value as the game's own type; `msgspec.ValidationError` says what is wrong with it."""
    return msgspec.convert(raw, kind)
