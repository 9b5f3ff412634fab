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
from boardwire.dialects.native import messages as say
from boardwire.dialects.native.caller import Caller, ConnectionLost
from boardwire.dialects.native.tell import typed
from boardwire.errors import Reason, Refused
from boardwire.games.game import Decision, Seat
from boardwire.table.events import Chatted, Event, Resigned, UndoAgreed, UndoDeclined, UndoOffered
from boardwire.table.match import Status
from boardwire.table.termination import is_aborted
from boardwire.talk import Script, Talk
from boardwire.wire.websocket import Masks, encode_text, zero_mask

SETTINGS: Final[dict[str, tuple[str, ...]]] = dict.fromkeys(
    ("game", "match", "code", "seat", "bots", "private", "options", "token"), ()
)
"""Settings of the client (see above); all take any value."""


class Asking(StrEnum):
    """Decision kind for a game without a `Kind`; clients only pass it on."""

    CHOICE = "choice"


def play(seating: ClientOptions, masks: Masks = zero_mask) -> Script:
    """Return a script that plays one match of `settings["game"]`; on a network it needs random `masks`."""

    async def script(talk: Talk[Any]) -> None:
        caller = Caller(talk, masks)
        view: Any = None
        try:
            seated = await _sit_down(caller, seating)
            if seated.code:
                talk.do(Note(f"This table is private: match {seated.state.match}, code {seated.code}."))
            view = _view(seated.state)
            await _play(talk, caller, seated)
        except (ConnectionLost, Refused) as reason:
            talk.do(Over(view, str(reason), Result.BROKEN_OFF))

    return script


def aside(event: Event) -> bytes:
    """Encode a request that answers no question, with a constant mask."""
    match event:
        case Chatted(text=text):
            request: say.Request = say.Say(text=text)
        case Resigned():
            request = say.Resign()
        case UndoOffered():
            request = say.Undo()
        case UndoAgreed() | UndoDeclined():
            request = say.Agree(agree=isinstance(event, UndoAgreed))
        case _:
            return b""
    return encode_text(say.encode(request), zero_mask())


async def _sit_down(caller: Caller, seating: ClientOptions) -> say.Seated:
    settings = seating.settings
    game, match = settings.get("game", "tris"), settings.get("match", "")
    welcome = await caller.hello(seating.name, settings.get("token", ""))
    for kept in welcome.kept:
        if match in ("", kept.match):
            return await caller.resume(kept.match, kept.seat)
    if match:
        seat = settings.get("seat", "")
        return await caller.join(match, settings.get("code", ""), int(seat) if seat.isdecimal() else None)
    options = _options(settings.get("options", ""))
    if "bots" in settings or "private" in settings:
        bots = tuple(name.strip() for name in settings.get("bots", "").split(","))
        private = "private" in settings
        return await caller.open(game, seats=seating.players, options=options, bots=bots, private=private)
    return await caller.find(game, seating.players, options)


def _options(text: str) -> Any:
    """Decode options as JSON; the server validates them."""
    try:
        return msgspec.json.decode(text) if text else None
    except msgspec.DecodeError as error:
        raise Refused(f"the options {text!r} are not valid JSON: {error}") from None


async def _play(talk: Talk[Any], caller: Caller, seated: say.Seated) -> None:
    seat = seated.seat
    state: say.MatchState = seated.state
    asked = _tell(talk, state, seat, None, None)
    stale = ""
    while state.status is not Status.OVER:
        try:
            heard = await caller.hear()
        except ConnectionLost as lost:
            if seat not in getattr(_view(state), "out", ()):
                raise
            talk.do(Over(_view(state), f"You have lost. {lost}", Result.LOST))  # an eliminated player needs no outcome
            return
        match heard:
            case Answer(action=action):
                caller.act(state.seq, action)
            case say.Seated(seat=seat, state=now):  # moved to another waiting table
                state, asked = now, _tell(talk, now, seat, None, None)
            case say.Step(state=now) | say.State(state=now):
                asked = _tell(talk, now, seat, state, asked, stale)
                state, stale = now, ""
            case say.Refused(code=Reason.STALE, reason=stale):
                asked = None  # the state that follows asks again
            case say.Refused(reason=reason) if asked is not None:
                talk.do(question(_view(state), asked, reason))
            case say.Refused(reason=reason):
                talk.do(Note(reason))
            case say.Gone(why=why):
                raise ConnectionLost(f"You are no longer at the table: {why}.")


def _tell(
    talk: Talk[Any],
    state: say.MatchState,
    seat: Seat,
    before: say.MatchState | None,
    open_: Decision[Any] | None,
    again: str = "",
) -> Decision[Any] | None:
    """Ask the player, or show the state if there is no question; return the open question.

    `again` is the reason why the last answer was refused.  A question that is already open is not repeated, because a
    new question or view would replace it.
    """
    players = _players(state, seat)
    if before is None or _players(before, seat) != players:
        talk.do(players)
    if state.status is Status.OVER:
        talk.do(Over(_view(state), *_end(state, seat)))
        return None
    asked = _asked(state)
    view = _view(state)
    if asked is None:
        talk.do(Show(view))
    elif open_ is None or before is None or before.moved != state.moved:
        talk.do(question(view, asked, again))
    return asked


def _players(state: say.MatchState, seat: Seat) -> Players:
    names = tuple(player.name if player is not None else "" for player in state.players)
    return Players(names, seat, typed(state.options, games.game(state.game).Options))


def _view(state: say.MatchState) -> Any:
    return None if state.view is None else typed(state.view, games.game(state.game).View)


def _asked(state: say.MatchState) -> Decision[Any] | None:
    asked = state.asked
    if asked is None or asked.choices is None:
        return None
    game = games.game(state.game)
    kind: type[StrEnum] = getattr(game, "Kind", Asking)
    return Decision(kind(asked.kind), asked.seats, tuple(typed(choice, game.Action) for choice in asked.choices))


def _end(state: say.MatchState, seat: Seat) -> tuple[str, Result]:
    outcome = state.outcome
    if outcome is None or is_aborted(outcome):
        return "The match was broken off.", Result.BROKEN_OFF
    if not outcome.winners:
        return f"A draw ({outcome.termination}).", Result.DRAWN
    won = seat in outcome.winners
    return f"You {'win' if won else 'lose'} ({outcome.termination}).", Result.WON if won else Result.LOST
