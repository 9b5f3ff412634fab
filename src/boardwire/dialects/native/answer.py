"""ANSWER: convert each native request to a lobby request or a table command.

This module refuses requests at the wrong time, from the wrong client or above a rate limit. The table decides all
others; its answer is a notification (`server.py`).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final, Literal

from msgspec import UNSET, UnsetType
from msgspec.structs import replace

from boardwire import games
from boardwire.dialects.native import messages as wire
from boardwire.dialects.native import tell
from boardwire.dialects.native.session import HINTS, LINES, LISTS, WHYS, ClientSession
from boardwire.errors import Reason, Refused
from boardwire.games.game import AnyGame, Seat
from boardwire.lobby import requests
from boardwire.lobby.terms import needs_consent
from boardwire.table import commands
from boardwire.table.events import Player, bot_name
from boardwire.table.guest import Tie
from boardwire.table.match import Match
from boardwire.table.policy import CORRESPONDENCE_SECONDS, Leaving, Policy

NAME_LIMIT: Final = 32
"""Longest player name, in characters."""


def _handle_hello(peer: ClientSession, request: wire.Hello) -> None:
    """Introduce a client by its token and the printable part of its name, or as `guest`."""
    if peer.match is not None:
        raise Refused("you are at a table; leave it before you say hello", reason=Reason.AT_TABLE)
    name = "".join(filter(str.isprintable, request.name)).strip()[:NAME_LIMIT].rstrip() or "guest"
    peer.player = Player(name, "native", key=peer.player.key)
    peer.ask(requests.Introduce(request.token, name))


def _list_tables(peer: ClientSession, request: wire.List) -> None:
    peer.spend(LISTS)
    peer.talk.do(requests.Survey(request.game, shared=True))


# --- to a table -----------------------------------------------------------------------------------------------------


def _take_seat(peer: ClientSession, request: wire.Open | wire.Find | wire.Pair | wire.Join) -> None:
    """Ask the lobby for a seat."""
    watched_match = peer.match if peer.seat is None else None
    if not isinstance(request, wire.Join) or watched_match is None or watched_match.id != request.match:
        _require_no_table(peer)  # a spectator may take a seat at the table it watches
    if isinstance(request, wire.Join):
        peer.ask(requests.Enter(request.match, peer.player, request.code, seat=request.seat))
    else:
        peer.ask(_seek_request(peer, request))


def _seek_request(peer: ClientSession, request: wire.Open | wire.Find | wire.Pair) -> requests.Seek:
    """Return the lobby request of `open`, `find` or `pair`."""
    game = games.game(request.game)
    options = game.Options() if request.options is None else tell.to_game_type(request.options, game.Options)
    mode = getattr(options, "mode", None)  # only players of one mode are matched; other dialects use these terms too
    terms = () if mode is None else (str(mode),)
    if not isinstance(request, wire.Open):
        return _matchmaking_request(peer, request, game, options, terms)
    practice: Literal[True] | UnsetType = True if request.practice else UNSET
    # With a day or more per decision, absence is normal: it neither forfeits nor lets others call the time.
    correspondence = request.leaving is Leaving.HOLDS and request.per_move >= CORRESPONDENCE_SECONDS
    policy = Policy(
        request.leaving, 0.0 if correspondence else request.grace, request.bank, request.per_move,
        request.undo and not request.rated, practice,
        0.0 if correspondence else request.patience, request.increment or UNSET, True if request.rated else UNSET,
    )  # fmt: skip
    return requests.Seek(
        request.game,
        request.seats,
        peer.player,
        options,
        policy,
        terms,
        private=request.private,
        fresh=True,
        named=needs_consent(game, options, policy),
        tie=Tie.TABLE,
        seat=request.seat,
        bots=_bots_by_seat(request, peer.player.name),
    )


def _matchmaking_request(
    peer: ClientSession, request: wire.Find | wire.Pair, game: AnyGame, options: Any, terms: tuple[str, ...]
) -> requests.Seek:
    """Return the request of a client that may be matched with any player; with `pair`, one with the same settings."""
    policy = Policy(Leaving.HOLDS, wire.GRACE_SECONDS, undo=True, patience=wire.PATIENCE_SECONDS)
    if isinstance(request, wire.Find):
        if needs_consent(game, options, policy):
            raise Refused("`find` leads only to tables with default options; `open` a table with yours instead")
        return requests.Seek(request.game, request.seats, peer.player, options, policy, terms)
    policy = replace(policy, bank=request.bank, per_move=request.per_move, increment=request.increment or UNSET)
    if request.per_move >= CORRESPONDENCE_SECONDS or needs_consent(game, options, policy):
        raise Refused(
            "`pair` leads only to tables with default options, at least 10 seconds for a decision and 60 for a match,"
            " and less than a day for a decision; `open` a table with yours instead"
        )
    return requests.Seek(request.game, request.seats, peer.player, options, policy, terms, tie=Tie.TERMS)


def _bots_by_seat(request: wire.Open, owner: str) -> tuple[tuple[Seat, Player], ...]:
    """Return the bots by seat; raise `Refused` if they leave no seat for the owner of the table."""
    if len(request.bots) > request.seats:
        raise Refused(f"{len(request.bots)} bots for {request.seats} seats: name at most one bot per seat")
    if request.seat is not None and not 0 <= request.seat < request.seats:
        raise Refused(f"there is no seat {request.seat}; the seats of this table are 0 to {request.seats - 1}")
    bots = {seat: bot for seat, bot in enumerate(request.bots) if bot}
    if request.seat in bots:
        raise Refused(f"seat {request.seat} was requested for you and for a bot")
    if len(bots) == request.seats:
        raise Refused("bots take every seat; leave one free for yourself")
    names = {seat: f"{bot_name(bot[:NAME_LIMIT])} {seat + 1}" for seat, bot in bots.items()}
    return tuple(
        (seat, Player(f"{names[seat]}'" if names[seat] == owner else names[seat], "bot", bot))
        for seat, bot in bots.items()
    )


def _watch_match(peer: ClientSession, request: wire.Watch) -> None:
    _require_no_table(peer)
    peer.ask(requests.Watch(request.match, request.code))


def _resume_seat(peer: ClientSession, request: wire.Resume) -> None:
    _require_no_table(peer)
    peer.ask(requests.Resume(request.match, request.seat, peer.player.key))


def _require_no_table(peer: ClientSession) -> None:
    if peer.match is not None:
        raise Refused("you are already at a table; leave it first", reason=Reason.AT_TABLE)


# --- at a table -----------------------------------------------------------------------------------------------------


def _play_action(peer: ClientSession, request: wire.Act) -> None:
    match, seat = peer.match, peer.seat
    if match is None or seat is None:
        raise Refused("you have no seat", reason=Reason.NO_SEAT)
    action = tell.to_game_type(request.action, match.setting.game.Action)
    peer.ask(commands.Act(seat, (action,), request.seq))


def _send_chat(peer: ClientSession, request: wire.Say) -> None:
    _require_match(peer)
    peer.spend(LINES)
    peer.ask(commands.Chat(peer.seat, request.text.strip(), peer.player.name))


def _offer_undo(peer: ClientSession, request: wire.Undo) -> None:
    peer.ask(commands.OfferUndo(_require_seat(peer)))


def _answer_undo(peer: ClientSession, request: wire.Agree) -> None:
    peer.ask(commands.AnswerUndo(_require_seat(peer), request.agree))


def _offer_draw(peer: ClientSession, request: wire.Draw) -> None:
    peer.ask(commands.Draw(_require_seat(peer), request.agree))


def _request_hint(peer: ClientSession, request: wire.Hint) -> None:
    _require_seat(peer)
    peer.spend(HINTS)
    peer.talk.do(requests.Advise())  # it takes seconds, so further requests do not wait for the answer


def _resign_match(peer: ClientSession, request: wire.Resign) -> None:
    peer.ask(commands.Resign(_require_seat(peer)))


def _call_time(peer: ClientSession, request: wire.CallTime) -> None:
    peer.ask(commands.CallTime(_require_seat(peer)))


def _request_rematch(peer: ClientSession, request: wire.Rematch) -> None:
    _require_seat(peer)
    peer.ask(requests.Rematch())


def _leave_table(peer: ClientSession, request: wire.Leave) -> None:
    _require_match(peer)
    peer.match = peer.seat = None
    peer.talk.do(requests.Depart())
    peer.send(wire.Gone(why="you left"))


def _send_state(peer: ClientSession, request: wire.Sync) -> None:
    peer.send(wire.State(state=tell.state(_require_match(peer), peer.seat)))


def _explain_illegal(peer: ClientSession, request: wire.Why) -> None:
    seat, match = _require_seat(peer), _require_match(peer)
    peer.spend(WHYS)
    if match.position is None:
        raise Refused("the match has not begun", reason=Reason.NOT_BEGUN)
    game = match.setting.game
    objection = game.objection(match.position, seat, tell.to_game_type(request.action, game.Action))
    peer.send(wire.Because(action=request.action, objection=objection))


def _answer_ping(peer: ClientSession, request: wire.Ping) -> None:
    peer.send(wire.Pong())


def _require_match(peer: ClientSession) -> Match:
    """Return the match of the client's table; raise `Refused` if it is not at one."""
    if peer.match is None:
        raise Refused("you are not at a table", reason=Reason.NO_TABLE)
    return peer.match


def _require_seat(peer: ClientSession) -> Seat:
    """Return the client's seat; raise `Refused` if it has none."""
    if peer.seat is None:
        raise Refused("you have no seat", reason=Reason.NO_SEAT)
    return peer.seat


ANSWER: Final[dict[type, Callable[[ClientSession, Any], None]]] = {
    wire.Hello: _handle_hello,
    wire.List: _list_tables,
    wire.Open: _take_seat,
    wire.Find: _take_seat,
    wire.Pair: _take_seat,
    wire.Join: _take_seat,
    wire.Watch: _watch_match,
    wire.Resume: _resume_seat,
    wire.Act: _play_action,
    wire.Say: _send_chat,
    wire.Undo: _offer_undo,
    wire.Agree: _answer_undo,
    wire.Draw: _offer_draw,
    wire.Hint: _request_hint,
    wire.Resign: _resign_match,
    wire.CallTime: _call_time,
    wire.Rematch: _request_rematch,
    wire.Leave: _leave_table,
    wire.Sync: _send_state,
    wire.Why: _explain_illegal,
    wire.Ping: _answer_ping,
}
