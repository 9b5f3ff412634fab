"""The client's end of the native dialect, for bots and terminals: find a table, play the match, leave."""

from __future__ import annotations

from enum import StrEnum
from typing import Any

from boardwire import games
from boardwire.dialects.dialect import Answer, Ask, Note, Over, Result, Seating, Show
from boardwire.dialects.native import messages as say
from boardwire.dialects.native.state import typed
from boardwire.games.game import Decision, Malformed, Seat
from boardwire.table.match import Status
from boardwire.talk import Gone, Script, Talk
from boardwire.wire import websocket

_MASK = b"\x00\x00\x00\x00"
"""A mask protects proxies from hostile pages; a program of our own needs none, but the protocol wants one."""


class Asking(StrEnum):
    """A decision's kind is the game's own word; here it is only passed on."""

    CHOICE = "choice"


def play(seating: Seating) -> Script:
    """A script that plays one match of `settings["game"]`."""

    async def script(talk: Talk) -> None:
        game = seating.settings.get("game", "tris")
        _send(talk, say.Hello(name=seating.name))
        _send(talk, say.Find(game=game, seats=seating.players))
        await _play(talk)

    return script


def _send(talk: Talk, request: say.Request) -> None:
    talk.say(websocket.encode_text(say.encode(request), _MASK))


async def _play(talk: Talk) -> None:
    seat: Seat | None = None
    view: Any = None
    asked: tuple[say.MatchState, Decision[Any]] | None = None
    while True:
        match await talk.hear():
            case str(text):
                reply = say.decode_reply(text)
            case Answer(action=action) if asked is not None:
                _send(talk, say.Act(seq=asked[0].seq, action=action))
                continue
            case websocket.Ping(payload=payload):
                talk.say(websocket.encode_pong(payload, _MASK))
                continue
            case Gone() | websocket.Close() | Malformed():
                talk.do(Over(view, "The connection is gone.", Result.BROKEN_OFF))
                return
            case _:
                continue
        if isinstance(reply, say.Seated):
            seat = reply.seat
        match reply:
            case say.Seated(state=state) | say.Step(state=state) | say.State(state=state):
                view = _view(state) or view
                asked = _asked(state, seat)
                if state.status is Status.OVER:
                    talk.do(Over(view, *_end(state, seat)))
                    return
                talk.do(Show(view) if asked is None else Ask(view, asked[1]))
            case say.Refused(reason=reason):
                if asked is None:
                    talk.do(Note(reason))
                else:
                    talk.do(Ask(view, asked[1], reason))


def _view(state: say.MatchState) -> Any:
    return None if state.view is None else typed(state.view, games.game(state.game).View)


def _asked(state: say.MatchState, seat: Seat | None) -> tuple[say.MatchState, Decision[Any]] | None:
    if state.asked is None or state.asked.choices is None or seat not in state.asked.seats:
        return None
    game = games.game(state.game)
    kind: type[StrEnum] = getattr(game, "Kind", Asking)
    choices = tuple(typed(choice, game.Action) for choice in state.asked.choices)
    return state, Decision(kind(state.asked.kind), state.asked.seats, choices)


def _end(state: say.MatchState, seat: Seat | None) -> tuple[str, Result]:
    outcome = state.outcome
    if outcome is None or outcome.termination in ("abandoned", "interrupted"):
        return "The match was broken off.", Result.BROKEN_OFF
    if not outcome.winners:
        return f"A draw ({outcome.termination}).", Result.DRAWN
    won = seat in outcome.winners
    return f"You {'win' if won else 'lose'} ({outcome.termination}).", Result.WON if won else Result.LOST
