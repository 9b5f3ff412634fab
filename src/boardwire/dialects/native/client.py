"""Client script of the native dialect, for bots and terminals: take a seat, play one match, leave.

`ClientOptions.settings` choose the table:

- `game` alone: any waiting table of that game, or a new one;
- `match`, with optional `code` and `seat`: that table;
- `bots` (comma-separated names by seat, empty for a free seat) or `private`: a new table;
- `options`: the options of a new table, as JSON (`{"mode":"expert"}`);
- `token`: the token of an earlier connection; a seat held for it (in `match`, if given) is resumed.
"""

from __future__ import annotations

from enum import StrEnum
from typing import Any, Final

import msgspec

from boardwire import games
from boardwire.dialects.dialect import Answer, ClientOptions, Note, Over, Players, Result, Show, question
from boardwire.dialects.native import messages as wire
from boardwire.dialects.native.caller import Caller, ConnectionLost
from boardwire.dialects.native.tell import to_game_type
from boardwire.errors import BoardwireError, Reason, Refused
from boardwire.games.game import Decision, Seat
from boardwire.table.events import (
    Chatted,
    DrawAgreed,
    DrawDeclined,
    DrawOffered,
    Event,
    Resigned,
    UndoAgreed,
    UndoDeclined,
    UndoOffered,
)
from boardwire.table.match import Status
from boardwire.table.termination import is_aborted
from boardwire.talk import Script, Talk
from boardwire.wire.websocket import Masks, encode_text, zero_mask

SETTINGS: Final[dict[str, tuple[str, ...]]] = dict.fromkeys(
    ("game", "match", "code", "seat", "bots", "private", "options", "token"), ()
)
"""Settings of the client (see above); all take any value."""


class OtherKind(StrEnum):
    """Decision kind for a game without a `Kind`; clients only pass it on."""

    CHOICE = "choice"


def play(options: ClientOptions, masks: Masks = zero_mask) -> Script:
    """Return a script that plays one match of `options.settings["game"]`; on a network it needs random `masks`."""

    async def script(talk: Talk[Any]) -> None:
        caller = Caller(talk, masks)
        view: Any = None
        try:
            welcome = await caller.hello(options.name, options.settings.get("token", ""))
            seated = await caller.sit_down(seat_request(options, welcome))
            if seated.code:
                talk.do(Note(f"This table is private: match {seated.state.match}, code {seated.code}."))
            view = view_of(seated.state)
            await _play_match(talk, caller, seated)
        except (ConnectionLost, Refused) as reason:
            talk.do(Over(view, str(reason), Result.BROKEN_OFF))
        except (BoardwireError, msgspec.MsgspecError, LookupError, TypeError, ValueError) as error:
            # a server may send a state that is none of its game
            talk.do(Over(view, f"The server sent a state that cannot be read: {error}.", Result.BROKEN_OFF))

    return script


def aside(event: Event) -> bytes:
    """Encode a request that answers no question, with a constant mask."""
    match event:
        case Chatted(text=text):
            request: wire.Request = wire.Say(text=text)
        case Resigned():
            request = wire.Resign()
        case UndoOffered():
            request = wire.Undo()
        case UndoAgreed() | UndoDeclined():
            request = wire.Agree(agree=isinstance(event, UndoAgreed))
        case DrawOffered() | DrawAgreed() | DrawDeclined():
            request = wire.Draw(agree=not isinstance(event, DrawDeclined))
        case _:
            return b""
    return encode_text(wire.encode(request), zero_mask())


def seat_request(options: ClientOptions, welcome: wire.Welcome) -> wire.Request:
    """Return the request that leads to the table that the settings describe."""
    settings = options.settings
    game, match = settings.get("game", "tris"), settings.get("match", "")
    for kept in welcome.kept:
        if match in ("", kept.match):
            return wire.Resume(match=kept.match, seat=kept.seat)
    if match:
        seat = settings.get("seat", "")
        return wire.Join(match=match, code=settings.get("code", ""), seat=int(seat) if seat.isdecimal() else None)
    game_options = _parse_options(settings.get("options", ""))
    if "bots" in settings or "private" in settings:
        bots = tuple(name.strip() for name in settings.get("bots", "").split(","))
        private = "private" in settings
        return wire.Open(game=game, seats=options.players, options=game_options, bots=bots, private=private)
    return wire.Find(game=game, seats=options.players, options=game_options)


def _parse_options(text: str) -> Any:
    """Decode options as JSON; the server validates them."""
    try:
        return msgspec.json.decode(text) if text else None
    except msgspec.DecodeError as error:
        raise Refused(f"the options {text!r} are not valid JSON: {error}") from None


async def _play_match(talk: Talk[Any], caller: Caller, seated: wire.Seated) -> None:
    """Play the match from its first state to its end."""
    seat = seated.seat
    state: wire.MatchState = seated.state
    decision = _show_state(talk, state, seat, None, None)
    stale_reason = ""
    while state.status is not Status.OVER:
        try:
            received = await caller.next_input()
        except ConnectionLost as lost:
            if seat not in getattr(view_of(state), "out", ()):
                raise
            # An eliminated player needs no outcome.
            talk.do(Over(view_of(state), f"You have lost. {lost}", Result.LOST))
            return
        match received:
            case Answer(action=action):
                caller.act(state.seq, action)
            case wire.Seated(seat=seat, state=new_state):  # moved to another waiting table
                state, decision = new_state, _show_state(talk, new_state, seat, None, None)
            case wire.Step(state=new_state) | wire.State(state=new_state):
                decision = _show_state(talk, new_state, seat, state, decision, stale_reason)
                state, stale_reason = new_state, ""
            case wire.Refused(code=Reason.STALE, reason=stale_reason):
                decision = None  # the state that follows asks again
            case wire.Refused(reason=reason) if decision is not None:
                talk.do(question(view_of(state), decision, reason))
            case wire.Refused(reason=reason):
                talk.do(Note(reason))
            case wire.Announcement(text=text) if text:
                talk.do(Note(f"The server announces: {text}"))
            case wire.Gone(why=why):
                raise ConnectionLost(f"You are no longer at the table: {why}.")


def _show_state(
    talk: Talk[Any],
    state: wire.MatchState,
    seat: Seat,
    before: wire.MatchState | None,
    open_decision: Decision[Any] | None,
    again: str = "",
) -> Decision[Any] | None:
    """Ask the player, or show the state if there is no question; return the open question.

    `again` is the reason why the last answer was refused. A question that is already open is not repeated, because a
    new question or view would replace it.
    """
    players = players_of(state, seat)
    if before is None or players_of(before, seat) != players:
        talk.do(players)
    if state.status is Status.OVER:
        talk.do(Over(view_of(state), *end_of(state, seat)))
        return None
    decision = decision_of(state)
    view = view_of(state)
    if decision is None:
        talk.do(Show(view))
    elif open_decision is None or before is None or before.moved != state.moved:
        talk.do(question(view, decision, again))
    return decision


def players_of(state: wire.MatchState, seat: Seat | None) -> Players:
    """Return the players of a state; None is a spectator's seat."""
    names = tuple(player.name if player is not None else "" for player in state.players)
    return Players(names, seat, to_game_type(state.options, games.game(state.game).Options))


def view_of(state: wire.MatchState) -> Any:
    """Return the view as the game's type, or None before the start."""
    return None if state.view is None else to_game_type(state.view, games.game(state.game).View)


def decision_of(state: wire.MatchState) -> Decision[Any] | None:
    """Return the decision that the player must make, or None."""
    open_question = state.asked
    if open_question is None or open_question.choices is None:
        return None
    game = games.game(state.game)
    kind: type[StrEnum] = getattr(game, "Kind", OtherKind)
    return Decision(
        kind(open_question.kind),
        open_question.seats,
        tuple(to_game_type(choice, game.Action) for choice in open_question.choices),
    )


def end_of(state: wire.MatchState, seat: Seat) -> tuple[str, Result]:
    """Return how a match ended for a seat, in words and as a result."""
    outcome = state.outcome
    if outcome is None or is_aborted(outcome):
        return "The match was broken off.", Result.BROKEN_OFF
    if not outcome.winners:
        return f"A draw ({outcome.termination}).", Result.DRAWN
    has_won = seat in outcome.winners
    return f"You {'win' if has_won else 'lose'} ({outcome.termination}).", Result.WON if has_won else Result.LOST
