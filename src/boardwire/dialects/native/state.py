"""Matches and steps in the native dialect's words, for a seat or for spectators."""

from __future__ import annotations

from typing import Any

import msgspec

from boardwire.dialects.native import messages as say
from boardwire.games.game import Seat
from boardwire.table import guest as news
from boardwire.table.events import Chatted
from boardwire.table.match import Match, Moment


def players(match: Match) -> tuple[say.PlayerInfo | None, ...]:
    """Who sits where; what a player must show to return is left out."""
    return tuple(
        say.PlayerInfo(chair.player.name, chair.player.dialect, chair.player.bot, chair.away is not None)
        if chair.player is not None
        else None
        for chair in match.chairs
    )


def table(match: Match) -> say.TableInfo:
    """One line of a list of tables."""
    setting = match.setting
    return say.TableInfo(match.id, setting.game.name, match.status, players(match), match.moves, setting.dialect)


def state(match: Match, seat: Seat | None) -> say.MatchState:
    """How the match stands for `seat`; None: for a spectator."""
    setting = match.setting
    return say.MatchState(
        match.id,
        setting.game.name,
        match.seq,
        match.status,
        players(match),
        setting.options,
        match.moves,
        None if match.position is None else setting.game.view(match.position, seat),
        _asked(match, seat),
        match.outcome,
        match.agreed,
        match.banks,
        setting.policy.per_move,
        match.since,
        setting.policy.undo,
    )


def _asked(match: Match, seat: Seat | None) -> say.Asked | None:
    pending = match.pending
    if pending is None:
        return None
    choices = tuple(pending.choices) if seat in pending.seats else None
    return say.Asked(pending.seats, str(pending.kind), choices)


def step(told: news.Step, seat: Seat | None) -> bytes:
    """A step as `seat` may see it, encoded once for all readers of the same view."""
    key = ("native", seat)
    encoded: bytes | None = told.memo.get(key)
    if encoded is None:
        events = tuple(_happening(moment, seat) for moment in told.moments)
        encoded = told.memo[key] = say.encode(say.Step(events=events, state=state(told.match, seat)))
    return encoded


def _happening(moment: Moment, seat: Seat | None) -> say.Happening:
    event: Any = moment.event
    show = moment.match.setting.game.show
    seen = tuple(part for one in moment.happened if (part := show(one, seat)) is not None)
    name = type(event).__name__.lower()
    where = getattr(event, "seat", None)
    if isinstance(event, Chatted):
        return say.Happening(name, event.at, where, text=event.text, name=event.name)
    return say.Happening(name, event.at, where, seen)


def typed(raw: Any, kind: Any) -> Any:
    """A JSON value as the game's own type; `msgspec.ValidationError` says what is wrong with it."""
    return msgspec.convert(raw, kind)
