"""A connection to a server over native: the lobby, and the match that is played or watched.

- The session connects automatically, and reconnects after every loss. It sends `hello` with the token of the first
  `welcome`, and resumes its seat or watches the match again, so that a restart of the server is only a pause.
- A `gone` that the session did not cause means that the seat was resumed elsewhere: the session stays in the lobby
  [native 12].
- Times are those of the server's clock, which is known from the newest event.
"""

from __future__ import annotations

import asyncio
import shlex
import time
from typing import Any, Final

from msgspec.structs import replace

from boardwire import dialects, games
from boardwire.dialects.dialect import Ask, ClientOptions, Over, PlayerMessage, Relayed, Result
from boardwire.dialects.native import messages as wire
from boardwire.dialects.native.client import decision_of, end_of, players_of, seat_request, view_of
from boardwire.dialects.native.relay import relay
from boardwire.dialects.native.tell import to_game_type
from boardwire.errors import Reason, Refused, Unavailable
from boardwire.games.game import Seat
from boardwire.net.client import ClientConnection, connect
from boardwire.table.match import Status
from boardwire.terminal.app.match_model import (
    MAX_LINE_LENGTH,
    Feature,
    LineKind,
    MatchModel,
    SeatInfo,
    shown_name,
    shown_players,
)
from boardwire.terminal.app.session import Changed, LinkState, retry_seconds
from boardwire.wire.text import escaped

_NATIVE: Final = "native"
MAX_TABLES: Final = 250
"""Limit of listed tables; servers send no more."""
_EVENT_TEXTS: Final = {
    "left": "has left",
    "returned": "is back",
    "substituted": "is played by a bot from now on",
    "resigned": "resigns",
    "skipped": "is away, and the turn passes",
    "timedout": "has no time left",
    "undooffered": "offers to undo the last step",
    "undoagreed": "agrees to the undo",
    "undodeclined": "declines the undo",
    "undone": "takes the last step back",
    "drawoffered": "offers a draw",
    "drawagreed": "agrees to a draw",
    "drawdeclined": "declines the draw",
}
"""Sentences for events of a table; the player's name precedes them."""


class NativeSession:
    """One native connection with its lobby and its match."""

    def __init__(
        self,
        host: str,
        port: int,
        name: str,
        changed: Changed,
        *,
        seating: ClientOptions | None = None,
        token: str = "",
    ) -> None:
        self.link = LinkState.CONNECTING
        self.problem = ""
        self.model: MatchModel | None = None
        self.token = token or ("" if seating is None else seating.settings.get("token", ""))
        self.tables: tuple[wire.TableInfo, ...] = ()
        self.held_seats: tuple[wire.Kept, ...] = ()
        self.notice = ""
        """The last refusal in the lobby."""
        self.state: wire.MatchState | None = None
        self.code = ""
        self.audience = wire.Audience(count=0)
        self.rematch_requests: wire.Wanted | None = None
        self.host, self.port = host, port
        self._name = name
        self._changed = changed
        self._seating = seating
        """The seat to request after connecting."""
        self._resumes = bool(token)
        """Whether to resume a held seat after connecting."""
        self._seat: Seat | None = None
        self.connection: ClientConnection | None = None
        """The connection to the server, or None while it is lost."""
        self._closed = False
        self._leaving = False
        """Whether the player has asked to leave and the server has not confirmed it."""
        self._attempts = 0
        """Attempts to connect since the last `welcome`."""
        self._clock_offset = 0.0
        """Server's clock minus our own."""
        self._task: asyncio.Task[None] | None = None

    @property
    def title(self) -> str:
        """The server's address."""
        return f"{self.host}:{self.port} native"

    @property
    def resume_command(self) -> str:
        """The shell command that resumes the match in another terminal."""
        host = f"[{self.host}]" if ":" in self.host else self.host
        return f"boardwire play --connect {host}:{self.port} --set token={shlex.quote(self.token)}"

    @property
    def is_playing(self) -> bool:
        """Whether the player has a seat in a match that is not over."""
        return self._seat is not None and self.state is not None and self.state.status is not Status.OVER

    def rename(self, name: str) -> None:
        """Change the player's name."""
        self._name = name
        if self.model is None:
            self.send(wire.Hello(name=name, token=self.token))

    def start(self) -> None:
        """Connect, and reconnect whenever the connection is lost."""
        self._task = asyncio.create_task(self._run())

    async def _run(self) -> None:
        """Keep a connection to the server: connect, say hello, and again after a pause, until the session is closed."""
        while not self._closed:
            try:
                self.connection = await connect(
                    dialects.dialect(_NATIVE), self.host, self.port, ClientOptions(self._name), self, play=relay
                )
            except Unavailable as error:
                self.problem = str(error)
                self._set_link(LinkState.LOST)
                await self._pause()
                continue
            self.send(wire.Hello(name=self._name, token=self.token))
            try:
                await self.connection.finished
            except Exception as error:  # noqa: BLE001 - the script failed on a message from the server
                self.problem = escaped(str(error))
            self.connection = None
            if self._closed:
                break
            self._set_link(LinkState.LOST)
            await self._pause()
        self._set_link(LinkState.CLOSED)

    async def _pause(self) -> None:
        """Wait before the next attempt to connect, longer after each failed one."""
        await asyncio.sleep(retry_seconds(self._attempts))
        self._attempts += 1

    def close(self) -> None:
        """Close the connection, and do not reconnect."""
        self._closed = True
        if self.connection is not None:
            self.connection.hang_up()
        if self._task is not None:
            self._task.cancel()
        self.link = LinkState.CLOSED

    def _set_link(self, link: LinkState) -> None:
        if link is LinkState.LOST and self.link is LinkState.CONNECTED and self.model is not None:
            self.model.ask = None
            self.model.note("The connection is lost. Connecting again.", LineKind.ERROR)
        self.link = link
        self._changed()

    # --- to the server ----------------------------------------------------------------------------------------------

    def send(self, request: wire.Request) -> None:
        """Send a request, if there is a connection."""
        if self.connection is not None and not self.connection.finished.done():
            self.connection.tell(request)

    def answer(self, action: Any) -> None:
        """Send a choice."""
        if self.model is not None and self.model.ask is not None and self.state is not None:
            self.model.clear_question(action)
            self.send(wire.Act(seq=self.state.seq, action=action))
            self._changed()

    def use(self, feature: Feature, text: str = "") -> None:
        """Send a request other than a move."""
        requests: dict[Feature, wire.Request] = {
            Feature.CHAT: wire.Say(text=text),
            Feature.UNDO: wire.Undo(),
            Feature.DRAW: wire.Draw(),
            Feature.HINT: wire.Hint(),
            Feature.RESIGN: wire.Resign(),
            Feature.REMATCH: wire.Rematch(),
            Feature.CALL_TIME: wire.CallTime(),
        }
        self.send(requests[feature])

    def agree(self, agree: bool) -> None:
        """Answer the offer of an undo or a draw."""
        drawing = None if self.state is None else self.state.drawing
        self.send(wire.Agree(agree=agree) if drawing in (None, self._seat) else wire.Draw(agree=agree))

    def leave(self) -> None:
        """Leave the table and return to the lobby."""
        self._leaving = True
        self.send(wire.Leave())
        self._forget_table()

    def _forget_table(self) -> None:
        """Return to the state of a player who is at no table."""
        self.model = self.state = self._seat = self.rematch_requests = None
        self.code = ""
        self.audience = wire.Audience(count=0)

    # --- from the server --------------------------------------------------------------------------------------------

    def receive(self, connection: ClientConnection, message: PlayerMessage) -> None:
        """Handle a message from the script (`boardwire.net.client.MatchPlayer`)."""
        if connection is not self.connection and self.connection is not None:
            return
        match message:
            case Relayed(message=message):
                try:
                    self._handle(message)
                except Exception as error:  # noqa: BLE001 - a server may send anything, and the client must go on
                    self._report(f"The server sent a message that cannot be shown: {error}")
            case Over(text=text):
                self.problem = escaped(text)
        self._changed()

    def _report(self, text: str) -> None:
        if self.model is not None:
            self.model.note(text, LineKind.ERROR)
        else:
            self.notice = escaped(text[:MAX_LINE_LENGTH])

    def _handle(self, message: wire.Reply) -> None:
        """Handle a message from the server."""
        match message:
            case wire.Welcome():
                self._welcome(message)
            case wire.Tables(tables=tables):
                self.tables = tables[:MAX_TABLES]
            case wire.Seated(seat=seat, state=state, code=code):
                self._sit(state, seat, code)
            case wire.Watching(state=state, code=code):
                self._sit(state, None, code)
            case wire.Step(events=events, state=state):
                if events:
                    self._clock_offset = events[-1].at - time.time()
                if self.model is not None:
                    self.model.players = shown_players(players_of(state, self._seat))
                self._log_events(events)
                self._follow(state)
            case wire.State(state=state):
                self._follow(state)
            case wire.Refused():
                self._handle_refusal(message)
            case wire.Wanted():
                self.rematch_requests = message
                self._log_rematch_requests(message)
            case wire.Advice():
                self._advise(message)
            case wire.Audience():
                self.audience = message
            case wire.Announcement(text=text) if text:
                self.notice = f"The server announces: {escaped(text)}"
            case wire.Gone(why=why):
                if not self._leaving:
                    self.notice = f"You are no longer at the table: {escaped(why)}."
                    self._forget_table()
                self._leaving = False
                self.send(wire.Hello(name=self._name, token=self.token))  # `kept` may have another seat now

    def _welcome(self, welcome: wire.Welcome) -> None:
        """Take a token and, after a reconnect, return to the seat or the table."""
        self.token = welcome.token
        self.held_seats = welcome.kept
        self.link, self.problem = LinkState.CONNECTED, ""
        self._attempts = 0
        self._leaving = False
        if self._seating is not None:
            seating, self._seating = self._seating, None
            try:
                self.send(_with_hints(seat_request(seating, welcome)))
            except Refused as error:
                self.notice = str(error)
            return
        state = self.state
        if self._resumes and welcome.kept:
            self._resumes = False
            self.send(wire.Resume(match=welcome.kept[0].match, seat=welcome.kept[0].seat))
        elif state is None:
            self.send(wire.List())
        elif self._seat is None:
            self.send(wire.Watch(match=state.match, code=self.code))
        elif any(kept.match == state.match for kept in welcome.kept):
            self.send(wire.Resume(match=state.match, seat=self._seat))
        elif state.status is not Status.OVER and self.model is not None:
            over = Over(None, "The match is gone: the server no longer holds your seat.", Result.BROKEN_OFF)
            self.model.receive(over)

    def _sit(self, state: wire.MatchState, seat: Seat | None, code: str) -> None:
        """Show the table at which the server has seated the player, or that it watches (`seat` None)."""
        games.game(state.game)  # raises `Refused` for a game that this client does not have
        if self.model is None or self.state is None or self.state.match != state.match:
            self.model = MatchModel(state.game, watching=seat is None)
            self.rematch_requests = None
        elif self.link is LinkState.CONNECTED and self._seat == seat:
            self.model.note("You are back at the table.")
        self.notice = ""
        self._seat = seat
        self.code = code or self.code
        self.state = None
        self._follow(state)
        if state.status is Status.WAITING and self.model is not None:
            self.model.note(f"Waiting for players. Match {state.match}{f', code {code}' if code else ''}.")

    def _follow(self, state: wire.MatchState) -> None:
        """Update the model with a new state of the match."""
        model = self.model
        if model is None:
            return
        before, self.state = self.state, state
        model.players = shown_players(players_of(state, self._seat))
        model.features = self._features(state)
        model.show(view_of(state))
        decision = decision_of(state) if self._seat is not None else None
        if decision is None:
            model.ask = None
        elif model.ask is None or before is None or before.moved != state.moved:
            model.put(Ask(view_of(state), decision))
        if state.status is Status.OVER and model.over is None:
            model.receive(_end_of(state, self._seat))
        elif state.status is not Status.OVER:
            model.over = None

    def _features(self, state: wire.MatchState) -> frozenset[Feature]:
        """Return what the player may request at the table now."""
        features = {Feature.CHAT}
        if self._seat is not None and state.status is Status.PLAYING:
            features |= {Feature.RESIGN}
            features |= {Feature.UNDO} if state.undo else set()
            features |= {Feature.DRAW} if _has_draws(state) else set()
            features |= {Feature.HINT} if state.practice else set()
            if any(player is not None and player.due for player in state.players):
                features |= {Feature.CALL_TIME}
        if self._seat is not None and state.status is Status.OVER:
            features |= {Feature.REMATCH}
        return frozenset(features)

    def _log_events(self, events: tuple[wire.Happening, ...]) -> None:
        """Add the events of a step to the log of the match."""
        model = self.model
        if model is None:
            return
        for event in events:
            if event.event == "chatted":
                model.note(event.text, LineKind.CHAT, event.name or "spectator")
            elif event.event == "returned" and event.seat == self._seat:
                continue
            elif event.event in _EVENT_TEXTS and event.seat is not None:
                model.note(f"{model.players.name(event.seat)} {_EVENT_TEXTS[event.event]}.")
            elif event.event == "joined" and event.seat is not None and event.seat != self._seat:
                model.note(f"{model.players.name(event.seat)} takes seat {event.seat + 1}.")
            elif event.event == "started":
                model.note("The match begins.")

    def _log_rematch_requests(self, wanted: wire.Wanted) -> None:
        if self.model is not None:
            names = self.model.players
            for seat in wanted.gone:
                self.model.note(f"{names.name(seat)} has left; no rematch is possible.")
            for seat in wanted.seats:
                if seat != self._seat:
                    self.model.note(f"{names.name(seat)} wants a rematch.")

    def _handle_refusal(self, refused: wire.Refused) -> None:
        """Show a refusal; ask the question again, or say hello without a token that the server does not know."""
        if refused.code == Reason.BAD_TOKEN and self.token:
            self.token = ""
            self.send(wire.Hello(name=self._name))
            return
        if self.model is None:
            self.notice = escaped(refused.reason)
            return
        self.model.note(refused.reason, LineKind.ERROR)
        state = self.state
        decision = None if state is None or self._seat is None or refused.code == Reason.STALE else decision_of(state)
        if decision is not None and state is not None:
            self.model.put(Ask(view_of(state), decision))

    def _advise(self, advice: wire.Advice) -> None:
        """Show a hint, unless the match has changed or moved on since it was requested."""
        model, state = self.model, self.state
        if model is None or state is None or state.match != advice.match or advice.seq < state.moved or not advice.turn:
            return
        model.advised = to_game_type(advice.turn[0].action, games.game(state.game).Action)
        turn = ", ".join(step.text for step in advice.turn)
        line = f" Then {', '.join(step.text for step in advice.line)}." if advice.line else ""
        proof = f" It wins in {advice.proved}." if advice.proved > 0 else " It is lost." if advice.proved < 0 else ""
        model.note(f"Hint: {turn} (value {advice.value:+.2f}).{proof}{line}", LineKind.ADVICE)

    # --- clocks -----------------------------------------------------------------------------------------------------

    def seats(self) -> tuple[SeatInfo, ...]:
        """Return the seats with the time left on their clocks now."""
        state = self.state
        if state is None:
            return ()
        deciding_seats = state.asked.seats if state.asked is not None else ()
        return tuple(
            SeatInfo("(free)")
            if player is None
            else SeatInfo(
                shown_name(player.name) or f"player {seat + 1}",
                shown_name(player.bot),
                shown_name(player.dialect),
                player.away,
                seat in deciding_seats,
                self._seconds(state, seat, seat in deciding_seats),
            )
            for seat, player in enumerate(state.players)
        )

    def _seconds(self, state: wire.MatchState, seat: Seat, is_running: bool) -> float | None:
        """Return the time left on a seat's clock, or None without a clock; `is_running`: it is the seat's turn."""
        if state.status is not Status.PLAYING:
            return None
        spent = max(0.0, time.time() + self._clock_offset - state.since) if is_running else 0.0
        remaining = [max(0.0, state.banks[seat] - spent)] if seat < len(state.banks) else []
        if state.per_move and is_running:
            remaining.append(max(0.0, state.per_move - spent))
        return min(remaining, default=None)


def _with_hints(request: wire.Request) -> wire.Request:
    """Return the request; a table against bots only is requested with hints."""
    if isinstance(request, wire.Open) and sum(map(bool, request.bots)) == request.seats - 1:
        return replace(request, practice=True)
    return request


def _end_of(state: wire.MatchState, seat: Seat | None) -> Over:
    """Return the end of a match as a sentence, for a player or a spectator."""
    if seat is not None:
        return Over(view_of(state), *end_of(state, seat))
    names = [player.name if player is not None else "" for player in state.players]
    winners = [names[winner] or f"player {winner + 1}" for winner in (state.outcome.winners if state.outcome else ())]
    how = f" ({state.outcome.termination})" if state.outcome is not None else ""
    verb = "wins" if len(winners) == 1 else "win"
    text = f"{' and '.join(winners)} {verb}{how}." if winners else f"The match is over{how}."
    return Over(view_of(state), text, Result.BROKEN_OFF)


def _has_draws(state: wire.MatchState) -> bool:
    """Return whether a draw can be offered: the game has draws, and no seat a bot; the server checks the rest."""
    return games.game(state.game).draws and not any(player is None or player.bot for player in state.players)
