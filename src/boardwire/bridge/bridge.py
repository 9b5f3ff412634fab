"""Bridge from one client to a foreign server of another protocol.

Our server script talks to the client, in a private lobby; our client script talks to the foreign server. Between them,
a local match follows the foreign one. Rules:

- The foreign server is the authority. A client's action is applied to the local table only when the foreign match
  shows it. A refusal from the server becomes a refusal in the client's protocol.
- The client waits at a local table until the foreign match has begun. Then it moves to the table that follows the
  foreign match, where stand-ins hold the seats of the other players.
- A message that one of the protocols cannot express gets its declared default answer, which is reported once.
- If our rules do not allow the position that the foreign match shows, the local position is set to it, provided that
  the view suffices (`Comparison.corrected`) and the server asks our client; the client is shown every change. Otherwise
  the match is aborted and reported.
- If one of the connections is lost, the other is closed.
- The foreign server ends the match. An action that ends it by our rules is shown to the client only with the server's
  result, or after `RESULT_SECONDS`. A client that is out of a match of three may leave; its server connection stays
  open until the match ends, because some servers end a match that a player leaves.
- A question stays open until it is answered or replaced. A display that follows does not withdraw it.
- Every wait is bounded: after `SILENT_SECONDS` without a message the match is left and reported.
"""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Callable, Sequence
from typing import Any, Final, Protocol

import msgspec
from msgspec.structs import replace

from boardwire import games
from boardwire.bridge.comparison import Comparison, Observation, comparison_for
from boardwire.bridge.path_search import QUICK, THOROUGH, WIDE, ActionPath, extend, find_paths
from boardwire.dialects.dialect import (
    Ask,
    ClientOptions,
    Dialect,
    IntermediateView,
    Over,
    Players,
    ProtocolViolation,
    Result,
    Show,
)
from boardwire.errors import BoardwireError, Illegal, Malformed, Refused
from boardwire.games.eriantys import Mode
from boardwire.games.game import CHANCE, Decision, Idle, Outcome, Seat
from boardwire.games.santorini.actions import DONE
from boardwire.lobby.lobby import Lobby
from boardwire.lobby.requests import Depart, Enter, Rematch, Seek
from boardwire.simulation.luck import CountedNames
from boardwire.store.memory import MemoryJournal
from boardwire.table.commands import Act, AnswerUndo, Chat, Close, Draw, OfferUndo, Resign
from boardwire.table.decide import decide
from boardwire.table.events import Event, Player
from boardwire.table.guest import Corrected, Guest, Refusal, Tie
from boardwire.table.match import Status
from boardwire.table.policy import Policy
from boardwire.table.ports import Appended, AppendResult, Clock, Journal, Timer
from boardwire.table.table import Table
from boardwire.table.termination import Termination

PONDER_SECONDS: Final = 0.05
"""Wait for displays that belong to a question, before a longer search."""
OPEN_CHOICE_SECONDS: Final = 2.0
"""Time for other players to make a choice that is open to all, before the bridge makes it for its client."""
SETTLE_SECONDS: Final = 0.5
"""Time without a display after a question, before our position is set to the one that the server shows."""
LOST_SECONDS: Final = 5.0
"""Time for which no legal local match may match the foreign one, before it is aborted."""
QUIET_SECONDS: Final = 10.0
"""Wait for further displays after a step of another player that our rules do not allow."""
RESULT_SECONDS: Final = 10.0
"""Wait for the foreign server's result after our rules have ended the match."""
STALL_SECONDS: Final = 120.0
"""Wait for the foreign server to ask our client on its turn, or to show the effect of its answer."""
SILENT_SECONDS: Final = 1800.0
"""Wait for any message of the foreign server during a match."""
FOLLOW_SECONDS: Final = 3600.0
"""Time for which the server connection stays open after a client that is out has left."""
MAX_REFUSALS: Final = 3
"""Number of times that the client may repeat a refused choice, before the bridge chooses for it."""


class ServerConnection(Protocol):
    """Connection of our client script to the foreign server."""

    def answer(self, action: Any, /) -> None:
        """Answer the open question."""

    def hang_up(self) -> None:
        """Close the connection."""


class _NoJournal(MemoryJournal):
    """Journal that stores nothing: the local match is never read again, and corrections are not events."""

    def append(self, match: str, first: int, events: Sequence[Event], done: Appended) -> None:
        """Confirm without storing."""
        done(AppendResult.STORED)


class Bridge:
    """Bridge for one client.

    - `connect` opens the connection to the foreign server, whose notifications are passed to `receive`.
    - `report` prints a sentence for the operator of the adapter.
    - `journal` stores the events of the local match, without corrections; by default nothing is stored.
    """

    def __init__(
        self,
        guest: Guest,
        client_dialect: Dialect,
        server_dialect: Dialect,
        clock: Clock,
        connect: Callable[[ClientOptions], None],
        report: Callable[[str], None],
        journal: Journal | None = None,
    ) -> None:
        self._guest = guest
        self._client_dialect = client_dialect
        self._server_dialect = server_dialect
        self._game_name = server_dialect.game or client_dialect.game
        self._game = games.game(self._game_name)
        self._comparison: Comparison = comparison_for(self._game_name)
        self._clock = clock
        self._open_connection = connect
        self._report = report
        self._lobby = Lobby(_NoJournal() if journal is None else journal, clock, self, CountedNames())
        self._is_connecting = False
        self._pending_seek: Seek | None = None
        """The client's request for a seat, which is granted when the foreign match begins."""
        self._table: Table | None = None
        """The table that follows the foreign match."""
        self._stand_ins: dict[Seat, Guest] = {}
        self._seat: Seat = 0
        self._wish: Any = None
        """The client's wish for its seat, as its own protocol expresses it."""
        self._server: ServerConnection | None = None
        self._players = Players()
        self._observation: Observation | None = None
        self._ask: Ask | None = None
        """The open question of the foreign server."""
        self._reached_ask: Ask | None = None
        """The question whose position our match has reached."""
        self._pending_act: Act | None = None
        self._early_act: tuple[Act, bool] | None = None
        """An act from the client that came before the server's question, and whether it is its script's default."""
        self._unsent: deque[Any] = deque()
        """Actions of the pending act that have not been sent to the foreign server yet."""
        self._applied_early: list[Any] = []
        """Actions applied to our match before they are sent, because the server's question depends on later ones."""
        self._accepted: list[Any] = []
        """Actions that the foreign server has accepted of an act of which it refused a later action."""
        self._own_actions: list[Any] = []
        """Actions of our client since another player's turn.

        They are sent again if the foreign server refuses a later part of a turn that our client script sends as a
        whole.
        """
        self._dealt: deque[Any] = deque()
        """Chance actions of the foreign match that our match has not applied yet."""
        self._reported: set[str] = set()
        """Texts passed to `report`; each is reported once."""
        self._lost_timer: Timer | None = None
        self._final_path: ActionPath | None = None
        """A path that ends the match by our rules, until the foreign server sends its result."""
        self._refused: Counter[Any] = Counter()
        """Choices of the open decision that the foreign server has refused."""
        self._swapped_seats: tuple[Seat, ...] | None = None
        """Two other players whose seats are swapped at our table."""
        self._acts_for_client = False
        """Whether the bridge acts for its client, whose protocol has no question for the choice."""
        self._corrected = False
        """Whether the position was ever corrected: the server plays by other rules than ours."""
        self._timers: dict[str, Timer] = {}
        self._is_over = False
        self._is_busy = False
        self._calls: deque[Callable[[], None]] = deque()

    # --- calls and timers ---------------------------------------------------------------------------------------------

    def _run_in_order(self, call: Callable[[], None]) -> None:
        """Make a call now or, if another call is running, after it."""
        self._calls.append(call)
        if self._is_busy:
            return
        self._is_busy = True
        try:
            while self._calls:
                self._calls.popleft()()
        finally:
            self._is_busy = False

    def _start_timer(self, name: str, seconds: float, call: Callable[[], None]) -> None:
        """Start a timer and cancel the previous one of the same name."""
        self._cancel_timers(name)

        def on_due() -> None:
            self._timers.pop(name, None)
            if not self._is_over:
                self._run_in_order(call)

        self._timers[name] = self._clock.later(seconds, on_due)

    def _cancel_timers(self, *names: str) -> None:
        for name in names:
            timer = self._timers.pop(name, None)
            if timer is not None:
                timer.cancel()

    def _report_once(self, text: str) -> None:
        if text not in self._reported:
            self._reported.add(text)
            self._report(text)

    # --- client side --------------------------------------------------------------------------------------------------

    def do(self, request: Any) -> None:
        """Handle a request from the client's script to the lobby or its table."""
        if self._table is not None and self._guest.table is self._table:
            is_default = self._is_busy
            self._run_in_order(lambda: self._handle_request(request, is_default=is_default))
        elif isinstance(request, Seek) and request.game != self._game_name:
            reason = Refused(f"this adapter offers only {self._game_name}, the game of the other server")
            self._guest.tell(Refusal(request, reason))
        elif isinstance(request, Seek) and request.tie is Tie.SEAT:
            self._pending_seek = request
            self._connect_server(request.player.name, request.seats, request.options, request.wish)
        else:
            self._lobby.do(self._guest, request)
            self._connect_when_ready()

    def disconnected(self) -> None:
        """Handle the end of the client's connection."""
        is_client_out = not self._is_over and self._is_client_out()
        is_playing = self._table is not None and self._table.match.status is Status.PLAYING
        if is_playing and self._pending_act is not None and not self._is_over:
            self._report(f"the client left before the {self._server_dialect.name} server answered it")
        self._lobby.disconnected(self._guest)
        if is_client_out:  # some servers end a match that a player leaves
            self._start_timer("follow", FOLLOW_SECONDS, self._disconnect_server)
        else:
            self._disconnect_server()

    def leave(self) -> None:
        """Close the server connection because the adapter stops."""
        self._disconnect_server()

    @property
    def is_following(self) -> bool:
        """Whether the server connection is still needed after the client has left."""
        return not self._is_over

    def _is_client_out(self) -> bool:
        """Return whether our client is out of a match that the others continue."""
        table = self._table
        if table is None or table.match.status is not Status.PLAYING:
            return False
        return not self._is_in_play(table, self._seat)

    def _is_in_play(self, table: Table, seat: Seat) -> bool:
        """Return whether a seat is still in play."""
        return any(seat in side for side in self._game.sides(table.match.position))

    def _disconnect_server(self) -> None:
        self._is_over = True
        self._cancel_timers(*tuple(self._timers))
        if self._lost_timer is not None:
            self._lost_timer.cancel()
            self._lost_timer = None
        server, self._server = self._server, None
        if server is not None:
            server.hang_up()

    def _connect_when_ready(self) -> None:
        """Connect to the foreign server once the client has sent its name and its options."""
        table = self._guest.table
        seat = None if table is None else table.seat_of(self._guest)
        if self._is_connecting or table is None or seat is None:
            return
        chair = table.match.chairs[seat]
        if not chair.ready and None in table.match.players:  # some protocols ask for names only when a table is full
            for _ in range(table.match.players.count(None)):
                filler = Guest(lambda notification: None)
                self._lobby.do(filler, Enter(table.match.id, Player(dialect=self._server_dialect.name), ready=False))
        chair = table.match.chairs[seat]
        if chair.ready and chair.player is not None and table.match.status is Status.WAITING:
            self._connect_server(chair.player.name, len(table.match.chairs), table.match.setting.options, chair.wish)

    def _connect_server(self, name: str, seats: int, options: Any, wish: Any) -> None:
        """Connect to the server with the client's settings, as far as the server's protocol has them."""
        if self._is_connecting:
            return
        self._is_connecting = True
        settings = {}
        for key, value in (("mode", getattr(options, "mode", "")), ("tower", getattr(wish, "tower", ""))):
            if value and key in self._server_dialect.settings:
                settings[key] = str(value)
        if self._server_dialect.name == "eriantys-objects" and settings.get("mode") == Mode.EXPERT:
            self._report_once(
                "eriantys-objects shows the characters of an expert match too late; requesting a simplified match"
            )
            settings["mode"] = Mode.SIMPLIFIED.value
        if "game" in self._server_dialect.settings:
            settings["game"] = self._game_name
        if "options" in self._server_dialect.settings and hasattr(options, "mode"):
            settings["options"] = msgspec.json.encode({"mode": options.mode}).decode()
        self._open_connection(ClientOptions(name or "player", seats, settings))

    def _handle_request(self, request: Any, *, is_default: bool) -> None:
        """Handle a request from the client's script; what the server's protocol lacks is refused or replaced."""
        match request:
            case Act() if not self._is_over:
                self._handle_act(request, is_default=is_default)
            case Resign():
                self._report_once(
                    f"{self._server_dialect.name} cannot express a resignation; closing the connection instead"
                )
                self._lobby.do(self._guest, request)
                self._disconnect_server()
            case Chat() | OfferUndo() | Draw(agree=True) | Rematch():
                kind = type(request).__name__.lower()
                self._report_once(f"{self._server_dialect.name} cannot express {kind!r}; refusing the request")
                self._guest.tell(
                    Refusal(
                        request,
                        Refused(f"{self._server_dialect.name}, the protocol of the other server, cannot express it"),
                    )
                )
            case AnswerUndo() | Draw(agree=False):
                pass  # nothing was offered
            case Depart():
                self._lobby.do(self._guest, request)
                self._disconnect_server()
            case _:
                self._lobby.do(self._guest, request)

    def _handle_act(self, act: Act, *, is_default: bool) -> None:
        """Send an act from the client to the server once our match has caught up; the table refuses an illegal one."""
        table = self._table
        assert table is not None, "acts come from a table"
        pending = table.match.pending
        if self._ask is None or self._ask is not self._reached_ask:
            self._early_act = act, is_default  # until our match has caught up with the foreign one
            return
        try:
            decide(table.match, act, self._clock.now())
        except BoardwireError:
            self._lobby.do(self._guest, act)  # the table refuses it
            return
        # native, the dialect without a game, has a question for every decision
        if is_default and pending is not None and self._client_dialect.game:
            kind = str(pending.kind)
            self._report_once(
                f"{self._client_dialect.name} has no question for {kind}; answering with its specified default"
            )
        self._pending_act = act
        self._unsent = deque((*self._applied_early, *act.actions))
        while self._accepted and self._unsent and self._unsent[0] == self._accepted[0]:
            self._unsent.popleft()
            self._accepted.pop(0)
        if self._accepted:
            self._refuse_act("the server has already accepted another choice of yours in this turn")
            return
        self._send_next()

    def _send_answer(self, answer: Any) -> None:
        """Answer the open question; the server has `STALL_SECONDS` to show the effect."""
        self._ask = None
        table = self._table
        if table is not None and not self._comparison.is_proposing(table.match.position):
            self._start_timer("stall", STALL_SECONDS, self._leave_unanswered)
        if self._server is not None:
            self._server.answer(answer)

    def _leave_unanswered(self) -> None:
        """Leave the match because the server has not reacted to an answer."""
        self._leave_match(
            f"the {self._server_dialect.name} server has sent nothing for {STALL_SECONDS:.0f} s after an answer"
        )

    def _send_next(self) -> None:
        """Send the client's next action to the foreign server, if it has an open question."""
        ask, table, server = self._ask, self._table, self._server
        if ask is None or table is None or server is None or not self._unsent:
            return
        action, act = self._unsent[0], self._pending_act
        position = table.match.position
        if act is not None and not self._applied_early and self._comparison.needs_next_action(position, action, ask):
            after = decide(table.match, act, self._clock.now())[-1].match
            if after.pending is not None and self._seat in after.pending.seats:
                self._applied_early = [*self._unsent]
                self._unsent.clear()
                self._pending_act = None
                table.do(self._guest, act)
                return
        answer = self._comparison.translate(position, tuple(self._unsent), ask)
        if answer is None and self._applied_early:
            self._give_up()
            return
        if answer is None:
            self._refuse_act(f"the server does not accept {self._game.format_action(action)} now")
            return
        if type(answer) is type(action):
            self._unsent.popleft()
        else:
            default = self._game.format_action(answer)
            client, server_name = self._client_dialect.name, self._server_dialect.name
            self._report_once(f"{server_name} has a question that {client} lacks; answering {default}")
        self._send_answer(answer)

    def _refuse_act(self, why: str, *, sent: bool = False) -> None:
        """Refuse the pending act from the client; `sent`: the refused action was sent to the foreign server."""
        act, self._pending_act = self._pending_act, None
        if act is None:
            return
        index = max(0, len(act.actions) - len(self._unsent) - sent)
        self._accepted = list(act.actions[:index])
        self._unsent.clear()
        choice = act.actions[min(index, len(act.actions) - 1)]
        self._refused[choice] += 1
        if self._acts_for_client:
            self._acts_for_client = False
        elif len(act.actions) == 1 and (
            not self._comparison.retries_after_refusal(self._client_dialect) or self._refused[choice] >= MAX_REFUSALS
        ):
            self._replace_act(choice)
        else:
            self._guest.tell(Refusal(act, Illegal(why)))

    def _replace_act(self, refused: Any) -> None:
        """Make another choice for a client that cannot choose again, or repeats a refused choice."""
        table, ask = self._table, self._ask
        pending = None if table is None else table.match.pending
        if table is None or ask is None or pending is None:
            return
        position, name = table.match.position, self._game.format_action
        for choice in (*self._comparison.alternatives(refused), *pending.choices):
            is_open = choice in pending.choices and choice not in self._refused
            if is_open and self._comparison.translate(position, (choice,), ask) is not None:
                self._report(f"{self._server_dialect.name} refuses {name(refused)}; playing {name(choice)} instead")
                self._pending_act = Act(self._seat, (choice,))
                self._unsent = deque((choice,))
                self._send_next()
                return
        self._leave_match(
            f"{self._server_dialect.name} refuses {name(refused)} and every other choice that our rules allow"
        )

    def _leave_match(self, why: str) -> None:
        """Report the reason and abort the match."""
        if not self._is_over:
            self._report(f"{why}; leaving the match")
            self._break_off()

    # --- server side --------------------------------------------------------------------------------------------------

    def connected(self, server: ServerConnection) -> None:
        """Note the connection to the foreign server; close it if the match is over."""
        self._server = server
        if self._is_over:
            self._disconnect_server()

    def failed(self, why: BoardwireError) -> None:
        """End the client's conversation because the foreign server cannot be reached."""
        self._report(str(why))
        self._close_client(why)

    def receive(self, notification: Any) -> None:
        """Handle a notification of the foreign match."""
        if not self._is_over:
            self._run_in_order(lambda: self._handle_notification(notification))

    def _handle_notification(self, notification: Any) -> None:
        """Handle what the script of the server connection reports."""
        if self._is_over:
            return
        if self._table is not None:
            self._start_timer("silence", SILENT_SECONDS, self._leave_silent)
        match notification:
            case Players():
                self._players = notification
            case ProtocolViolation(text=text):
                self._report(text)
            case Ask():
                self._handle_ask(notification)
            case Show(view=view) if view is not None:
                self._handle_view(view)
            case IntermediateView(look=look):
                self._handle_view(look())
            case Over():
                self._finish_match(notification)

    def _leave_silent(self) -> None:
        """Leave the match because the server has sent nothing for a long time."""
        self._leave_match(
            f"the {self._server_dialect.name} server has sent nothing for {SILENT_SECONDS / 60:.0f} minutes"
        )

    def _observation_of(self, view: Any) -> Observation:
        if self._swapped_seats is not None:
            view = self._comparison.swap_seats(view, *self._swapped_seats)
        return Observation(self._game, self._server_dialect, view, self._players, self._ask)

    def _swap_opponents(self) -> bool:
        """Swap two other players at our table if it was unknown which of them had proposed the gods.

        The client then knows each of them by the other's name. Return whether the swap explains the foreign match.
        """
        table, ask = self._table, self._ask
        if table is None or ask is None or self._swapped_seats is not None or len(self._stand_ins) != 2:
            return False
        if not self._comparison.is_setup(table.match.position):
            return False
        self._swapped_seats = tuple(self._stand_ins)
        self._observation = self._observation_of(ask.view)
        if self._catch_up(wide=True):
            first, second = (self._players.name(seat) for seat in self._stand_ins)
            self._report_once(
                f"{self._server_dialect.name} does not show which player proposes gods; swapping {first} and {second}"
            )
            return True
        self._swapped_seats = None
        self._observation = self._observation_of(ask.view)
        return False

    def _handle_ask(self, ask: Ask) -> None:
        """Handle a question: a repeated one refuses the last answer, a new one shows the position to catch up with."""
        self._ask = ask
        self._cancel_timers("stall", "quiet", "correct")
        if ask.again and self._applied_early:
            self._give_up()  # actions that were applied here cannot be undone
            return
        if ask.again and self._pending_act is not None:
            self._reached_ask = ask
            self._refuse_act(ask.again, sent=True)
            if self._pending_act is not None or self._is_over:
                return
            if self._table is not None and self._comparison.distance(
                self._table.match.position, self._observation_of(ask.view)
            ):
                self._unsent = deque(self._own_actions)
                self._send_next()
            return
        if self._unsent:
            self._send_next()
            if self._ask is not ask or self._pending_act is not None or self._is_over:
                return
        self._observation = self._observation_of(ask.view)
        if self._catch_up(wide=False):
            self._final_path = None
            self._cancel_timers("result")
            self._continue_act()
        elif (self._final_path is not None or self._is_client_out()) and self._corrected_position() is None:
            self._answer_for_client(ask)
        else:
            self._search_later(ask)

    def _answer_for_client(self, ask: Ask) -> None:
        """Answer a question to a client whose match is over by our rules, until the server ends it too."""
        self._report_once(f"{self._server_dialect.name} asks a player who is out by our rules; answering by default")
        choices = ask.decision.choices
        self._send_answer(DONE if DONE in choices else next(iter(choices)))

    def _continue_act(self) -> None:
        """Handle the client's early act, or a choice that it cannot make, now that our match equals the foreign one."""
        early, self._early_act = self._early_act, None
        if early is not None:
            act, is_default = early
            self._handle_act(act, is_default=is_default)
        elif self._table is not None and self._ask is not None:
            ask = self._ask
            if self._default_actions(self._table):
                self._clock.later(OPEN_CHOICE_SECONDS, lambda: self._run_in_order(lambda: self._choose_for_client(ask)))

    def _default_actions(self, table: Table) -> Sequence[Any]:
        return self._comparison.default_actions(table.match.position, self._seat, self._client_dialect, self._wish)

    def _choose_for_client(self, ask: Ask) -> None:
        """Make a choice that is open to all for a client whose protocol has no question for it."""
        table = self._table
        if table is not None and self._ask is ask and self._pending_act is None and not self._is_over:
            actions = self._default_actions(table)
            if actions:
                self._acts_for_client = True
                self._handle_act(Act(self._seat, tuple(actions)), is_default=True)

    def _search_later(self, ask: Ask) -> None:
        """Wait for displays that may follow the question, then search with higher limits."""

        def search() -> None:
            if self._ask is ask and self._reached_ask is not ask and not self._is_over and not self._unsent:
                self._run_in_order(lambda: self._search_path(ask))

        self._clock.later(self._comparison.extra_wait_seconds(ask) or PONDER_SECONDS, search)

    def _search_path(self, ask: Ask) -> None:
        """Search for actions that lead to the server's question; decline steps that our rules do not have."""
        if self._ask is not ask:
            return
        if DONE in ask.decision.choices and self._is_turn_done():
            self._report_once(
                f"{self._server_dialect.name} asks for an optional step that our rules do not have; declining it"
            )
            self._send_answer(DONE)
            return
        if self._corrected:  # the server plays by other rules, so a longer search is hopeless
            self._start_timer("correct", SETTLE_SECONDS, self._correct_position)
            return
        while not (caught_up := self._catch_up(wide=True)) and (self._drop_proposal() or self._undo_proposal()):
            pass
        if caught_up or self._swap_opponents():
            self._continue_act()
        elif self._corrected_position() is not None:
            self._start_timer("correct", SETTLE_SECONDS, self._correct_position)
        elif self._follow_past_question():
            self._ask = ask
            if self._final_path is not None or self._is_client_out():
                self._answer_for_client(ask)
            else:
                self._start_lost_timer()

    def _corrected_position(self) -> Any:
        """Return the position that the server shows with its question, or None if the view does not suffice."""
        table, observation = self._table, self._observation
        if table is None or observation is None or observation.ask is None or table.match.status is not Status.PLAYING:
            return None
        return self._comparison.corrected(table.match.position, observation)

    def _correct_position(self) -> None:
        """Set our position to the one that the server shows, and continue from there."""
        table, position = self._table, self._corrected_position()
        if table is None or self._ask is None or self._ask is self._reached_ask or self._unsent:
            return
        if position is None:
            self._start_lost_timer()
            return
        self._report_once(
            f"the {self._server_dialect.name} server plays by other rules than ours; "
            "from now on the client is shown the server's positions"
        )
        self._stop_waiting()
        self._cancel_timers("result")
        self._final_path = self._pending_act = self._early_act = None
        self._acts_for_client = False
        self._accepted, self._applied_early, self._own_actions = [], [], []
        self._refused.clear()
        self._corrected = True
        match, seq = table.match, table.match.seq + 1
        table.match = replace(
            match, seq=seq, moved=seq, position=position, pending=self._game.pending(position), past=None,
            agreed=(), declined=(), since=self._clock.now(),
        )  # fmt: skip
        self._reached_ask = self._ask
        self._guest.tell(Corrected(table.match))
        self._continue_act()

    def _drop_proposal(self) -> bool:
        """Drop the client's pending proposal because another player's was faster; return whether there was one."""
        act = self._pending_act
        if act is None or self._table is None or not self._comparison.is_proposing(self._table.match.position):
            return False
        was_default = self._acts_for_client
        self._pending_act, self._accepted, self._acts_for_client = None, [], False
        self._unsent.clear()
        if not was_default:
            self._guest.tell(Refusal(act, Illegal("another player has chosen first")))
        return True

    def _undo_proposal(self) -> bool:
        """Undo a proposal from the client that was applied here but never sent, because another player was faster.

        Only the native protocol can express an undo. Return whether there was one.
        """
        table = self._table
        if table is None or not table.match.setting.policy.undo or self._pending_act is not None:
            return False
        if not self._comparison.is_proposing(table.match.position):
            return False
        before = table.match.moved
        table.do(self._guest, OfferUndo(self._seat))
        for seat, stand_in in self._stand_ins.items():
            table.do(stand_in, AnswerUndo(seat, agree=True))
        return table.match.moved != before

    def _is_turn_done(self) -> bool:
        """Return whether our match with the pending act equals the foreign one, and it is another player's turn."""
        table, observation = self._table, self._observation
        if table is None or observation is None or table.match.status is not Status.PLAYING:
            return False
        declined = self._comparison.after_declining(observation)
        start, act = ActionPath(table.match.position), self._pending_act
        paths = [start] if act is None else extend(declined, self._comparison, start, self._seat, act.actions)
        return any(
            not self._is_clients_turn(path.position) and self._comparison.distance(path.position, declined) == 0
            for path in paths
        )

    def _handle_view(self, view: Any) -> None:
        """Handle a view without a question: catch up with it, or wait whether more views come."""
        if view is None or self._unsent or (self._applied_early and self._pending_act is None):
            return
        self._cancel_timers("quiet", "correct")
        self._observation = self._observation_of(view)
        if self._catch_up(wide=False):
            self._continue_act()
        elif self._ask is not None:
            if self._ask is self._reached_ask and self._follow_past_question():
                return
            self._search_later(self._ask)
        elif self._table is not None and self._comparison.shows_every_step(self._table.match.position):
            self._start_timer("quiet", QUIET_SECONDS, self._search_wider)

    def _follow_past_question(self) -> bool:
        """Follow the foreign match past the open question, which is then closed."""
        ask, observation, table = self._ask, self._observation, self._table
        if table is None or observation is None:
            return False
        self._ask, self._observation = None, replace(observation, ask=None)
        if self._catch_up(wide=False):
            return True
        self._ask, self._observation = ask, observation
        return False

    def _search_wider(self) -> None:
        """Search with higher limits for a step of another player that our rules do not seem to allow."""
        if (
            self._ask is None
            and self._final_path is None
            and self._pending_act is None
            and not self._catch_up(wide=True)
        ):
            self._start_lost_timer()

    def _reach_test(self, observation: Observation) -> Callable[[Any], bool]:
        """Return the test of whether a position is the one that was observed."""
        game, comparison, ask = self._game, self._comparison, observation.ask

        def is_reached(position: Any) -> bool:
            decision: Decision[Any] | None = game.pending(position)
            if ask is None:
                return decision is None or CHANCE not in decision.seats
            if (
                decision is None
                or observation.seat not in decision.seats
                or not comparison.matches_question(position, decision, ask)
            ):
                return False
            return comparison.agrees(position, observation)

        return is_reached

    def _leave_unplayable(self, observation: Observation, wish: Any) -> bool:
        """Leave a match that programs of the client's protocol cannot play; return whether it was left."""
        missing = self._comparison.unplayable(observation, self._client_dialect, wish)
        if missing:
            self._leave_match(f"programs of {self._client_dialect.name} cannot play with {missing}")
        return bool(missing)

    def _catch_up(self, *, wide: bool) -> bool:
        """Bring our match to the position of the foreign one; return whether that succeeded."""
        observation = self._observation
        assert observation is not None, "called after an observation"
        if self._table is None:
            return self._start_local_match(observation, wide=wide)
        if self._leave_unplayable(observation, self._wish):
            return False
        return self._follow(self._table, observation, self._reach_test(observation), wide=wide)

    def _is_clients_turn(self, position: Any) -> bool:
        decision: Decision[Any] | None = self._game.pending(position)
        return decision is not None and self._seat in decision.seats

    def _follow(
        self,
        table: Table,
        observation: Observation,
        is_reached: Callable[[Any], bool],
        *,
        wide: bool,
        over: bool = False,
    ) -> bool:
        """Apply actions that lead from our match to the observed one; return whether it was reached."""
        if table.match.status is not Status.PLAYING:
            return False
        here = ActionPath(table.match.position)
        act = self._pending_act
        starts = [here] if act is None else extend(observation, self._comparison, here, self._seat, act.actions)
        paths: list[ActionPath] = []
        for effort in (QUICK, THOROUGH, WIDE) if wide else (QUICK,):
            paths = paths or find_paths(observation, self._comparison, starts, is_reached, effort)
        if not paths:
            if wide:
                self._start_lost_timer()
            return False
        if len({path.position for path in paths}) > 1 and not wide:
            return False  # ambiguous: the next message decides
        paths.sort(key=lambda path: self._comparison.implausibility(path.position, self._seat))
        if observation.ask is None and not over and self._is_clients_turn(paths[0].position):
            if "asking" not in self._timers:
                self._start_timer("asking", STALL_SECONDS, self._leave_unasked)
            return False  # the foreign server has not asked our client yet, and may never do so
        self._stop_waiting()
        if not over and self._game.outcome(paths[0].position) is not None:
            self._wait_for_result(paths[0])
            return True
        self._apply_path(table, paths[0], act)
        self._reached_ask = self._ask
        return True

    def _leave_unasked(self) -> None:
        """Leave the match because the server does not ask the client on its turn."""
        self._leave_match(
            f"the {self._server_dialect.name} server has not asked the client for {STALL_SECONDS:.0f} s on its turn"
        )

    def _wait_for_result(self, path: ActionPath) -> None:
        """Wait for the foreign server's result before showing an action that ends the match by our rules."""
        has_timer = self._final_path is not None
        self._final_path = path
        if not has_timer:
            self._start_timer("result", RESULT_SECONDS, self._end_by_own_rules)

    def _end_by_own_rules(self) -> None:
        """End the match by our rules because the foreign server sends no result."""
        self._report(
            f"the {self._server_dialect.name} server sent no result within {RESULT_SECONDS:.0f} s of the end; "
            "showing the client the result by our rules"
        )
        self._apply_final_path()
        self._disconnect_server()

    def _apply_final_path(self) -> None:
        path, self._final_path = self._final_path, None
        if path is not None and self._table is not None:
            self._apply_path(self._table, path, self._pending_act)

    def _start_lost_timer(self) -> None:
        """Start to wait for messages that explain the foreign match, unless the wait has started."""
        if self._lost_timer is None:
            self._lost_timer = self._clock.later(LOST_SECONDS, self._give_up)

    def _stop_waiting(self) -> None:
        self._cancel_timers("asking", "stall", "quiet", "correct")
        if self._lost_timer is not None:
            self._lost_timer.cancel()
            self._lost_timer = None

    def _give_up(self) -> None:
        """Leave the match because our rules cannot reach the server's position."""
        self._lost_timer = None
        if not self._is_over:
            self._report(
                f"no legal actions lead to the match on the {self._server_dialect.name} server; leaving the match"
            )
            self._break_off()

    def _apply_path(self, table: Table, path: ActionPath, act: Act | None) -> None:
        """Apply the actions of the foreign match to our table."""
        seat_actions = list(path.seat_actions)
        if seat_actions:
            self._refused.clear()
            self._acts_for_client = False
        self._dealt.extend(action for seat, action in seat_actions if seat == CHANCE)
        moves = [(seat, action) for seat, action in seat_actions if seat != CHANCE]
        if act is not None:
            self._pending_act, self._accepted, self._applied_early = None, [], []
            own = list(act.actions)
            del moves[: len(own)]
            while moves and moves[0][0] == self._seat and moves[0][1] is not Idle.RESIGNS:
                own.append(moves.pop(0)[1])  # in one act, so that the client is not asked for actions that are decided
            self._own_actions += own
            table.do(self._guest, act if len(own) == len(act.actions) else Act(self._seat, tuple(own)))
        for seat, action in moves:
            if seat == self._seat and action is not Idle.RESIGNS:
                text = self._comparison.describe(table.match.position, seat, action) or self._game.format_action(action)
                self._report_once(
                    f"the {self._server_dialect.name} server chose for the client without asking it: {text}; "
                    "showing the client this choice as its own"
                )
                self._own_actions.append(action)
            elif seat != self._seat:
                self._own_actions.clear()
            guest = self._guest if seat == self._seat else self._stand_ins[seat]
            table.do(guest, Resign(seat) if action is Idle.RESIGNS else Act(seat, (action,)))

    def deal(self, decision: Decision[Any]) -> Any:
        """Return the next chance action of the foreign match."""
        if not self._dealt:
            raise Malformed(f"the foreign server has not shown the result of {decision.kind}")
        return self._dealt.popleft()

    # --- start of a match ---------------------------------------------------------------------------------------------

    def _start_local_match(self, observation: Observation, *, wide: bool) -> bool:
        """Open the table that follows the foreign match and move the client there, once enough of it is known."""
        seat, count = observation.seat, self._comparison.seat_count(observation)
        if seat is None or not count:
            return False
        wish, requested = self._requested_seat()
        if count < requested:
            return False  # not all boards have been shown
        if requested and requested != count:
            self._report(
                f"the {self._server_dialect.name} server plays with {count} players, the client requested {requested}"
            )
            self._break_off()
            return False
        missing = self._comparison.undocumented(observation, wish)
        if missing:
            self._report_once(f"the specification of {self._client_dialect.name} lacks {missing}")
        local_wish = self._comparison.local_wish(wish)
        wishes = tuple(local_wish if place == seat else None for place in range(count))
        if self._leave_unplayable(observation, wish):
            return False
        for number, options in enumerate(self._comparison.options(observation, wish)):
            if number and not wide:
                break  # the less likely options are only for a wide search
            start = ActionPath(self._game.new(self._game.settle(options, wishes), count))
            paths = find_paths(
                observation, self._comparison, [start], self._reach_test(observation), WIDE if wide else QUICK
            )
            if paths and (wide or len({path.position for path in paths}) == 1):
                self._stop_waiting()
                paths.sort(key=lambda path: self._comparison.implausibility(path.position, seat))
                self._open_local_table(observation, seat, count, options, paths[0])
                self._reached_ask = self._ask
                return True
        if wide:
            self._start_lost_timer()
        return False

    def _requested_seat(self) -> tuple[Any, int]:
        """Return the client's wish and the number of players that it requested; 0 if it has not requested a seat."""
        if self._pending_seek is not None:
            return self._pending_seek.wish, self._pending_seek.seats
        table = self._guest.table
        seat = None if table is None else table.seat_of(self._guest)
        if table is None or seat is None:
            return None, 0
        return table.match.chairs[seat].wish, len(table.match.chairs)

    def _open_local_table(
        self, observation: Observation, seat: Seat, count: int, options: Any, path: ActionPath
    ) -> None:
        """Open the local table, seat the stand-ins and the client, and apply the path."""
        self._seat = seat
        player, self._wish = self._client_player()
        wish = self._comparison.local_wish(self._wish)
        tie = self._guest.tie
        if self._guest.table is not None:  # the table at which the client has waited
            self._guest.table.leave(self._guest)
        self._dealt.extend(action for seat, action in path.seat_actions if seat == CHANCE)
        rest = ActionPath(path.position, tuple(step for step in path.seat_actions if step[0] != CHANCE))
        policy = Policy(undo=not self._client_dialect.game)  # only the native protocol can express an undo
        seek = Seek(self._game_name, count, player, options, policy, fresh=True, named=True, seat=seat, wish=wish)
        match = ""
        for other in (place for place in range(count) if place != seat):
            guest = self._stand_ins[other] = Guest(lambda notification: None)
            stand_in = Player(self._opponent_name(other, player.name))  # without a dialect: it has no conversation here
            if not match:
                self._lobby.do(guest, replace(seek, player=stand_in, seat=other, wish=None))
                assert isinstance(guest.table, Table), "the options were checked"
                self._table = guest.table
                match = guest.table.match.id
            else:
                self._lobby.do(guest, Enter(match, stand_in, seat=other))
        if tie is Tie.COMPANY and self._table is not None:
            self._table.watch(self._guest)
        if match:
            self._lobby.do(self._guest, Enter(match, player, wish=wish, seat=seat, tie=tie))
        else:
            self._lobby.do(self._guest, seek)
            table = self._guest.table
            self._table = table if isinstance(table, Table) else None
        self._pending_seek = None
        if self._table is not None:
            self._apply_path(self._table, rest, None)

    def _client_player(self) -> tuple[Player, Any]:
        """Return the client's player and its wish, from its pending request or from its seat at a waiting table."""
        if self._pending_seek is not None:
            return self._pending_seek.player, self._pending_seek.wish
        table = self._guest.table
        assert table is not None, "a client without a pending request waits at a table"
        seat = table.seat_of(self._guest)
        assert seat is not None, "a waiting client has a seat"
        chair = table.match.chairs[seat]
        assert chair.player is not None, "the seat has a player"
        return chair.player, chair.wish

    def _opponent_name(self, seat: Seat, own: str) -> str:
        """Return the local name of another player, with a prime if it equals our client's name.

        Our client's name on the foreign server may differ, so two players can have the same.
        """
        name = self._players.names[seat] if seat < len(self._players.names) else ""
        if not name and self._game_name not in ("tris", "forza"):
            name = f"player {seat + 1}"
        return f"{name}'" if name and name == own else name

    # --- end of a match ---------------------------------------------------------------------------------------------

    def _finish_match(self, over: Over) -> None:
        """Handle the result that the server reports, which is compared with that of our rules."""
        self._ask = None
        self._unsent.clear()
        if self._table is None:
            self._report(f"the {self._server_dialect.name} server ended the match before it began: {over.text}")
            self._close_client(Refused(over.text))
            return
        self._cancel_timers("result")
        if over.result is Result.BROKEN_OFF and self._final_path is None:
            self._report(f"the match on the {self._server_dialect.name} server was broken off: {over.text}")
        elif over.result is Result.BROKEN_OFF:
            self._report(f"the {self._server_dialect.name} server broke off a match that had ended by our rules")
            self._apply_final_path()
        elif over.view is not None:
            self._observation = self._observation_of(over.view)
            self._follow(
                self._table,
                self._observation,
                lambda position: self._has_result(position, over.result),
                wide=True,
                over=True,
            )
        if self._table.match.status is Status.PLAYING:
            self._declare_result(over)
        self._disconnect_server()

    def _has_result(self, position: Any, result: Result) -> bool:
        """Return whether a position ended with this result for the client."""
        outcome: Outcome | None = self._game.outcome(position)
        if outcome is None:
            return False
        if result is Result.DRAWN:
            return not outcome.winners or len(outcome.winners) > 1
        return (self._seat in outcome.winners) is (result is Result.WON)

    def _declare_result(self, over: Over) -> None:
        """End the match with the foreign server's result, which does not follow from the board by our rules."""
        table = self._table
        assert table is not None, "the match has begun"
        if over.result is Result.WON:
            winners = {self._seat}
        else:
            view = None if over.view is None else self._observation_of(over.view).view
            winners = set(over.winners or self._comparison.winners(view))
        losers = {seat: stand_in for seat, stand_in in self._stand_ins.items() if winners and seat not in winners}
        if over.result is Result.LOST:
            losers[self._seat] = self._guest
        # twice: a resignation that passes the turn can fail, because the next one begins with a chance action that the
        # foreign server has not shown; it succeeds once the others have resigned
        for seat, guest in (*losers.items(), *losers.items()):
            if table.match.status is Status.PLAYING and self._is_in_play(table, seat):
                table.do(guest, Resign(seat))
        if table.match.status is not Status.PLAYING:
            return
        if over.result is Result.LOST and self._is_client_out():  # the others play on without our client
            self._guest.close(Refused("you have lost; the other server does not show the rest of the match"))
        else:
            self._break_off()

    def _break_off(self) -> None:
        """Abort the client's match and leave the foreign one."""
        table = self._table
        if table is not None and table.match.status is Status.PLAYING:
            table.do(None, Close(Termination.CONNECTION_LOST, next(iter(self._stand_ins), None)))
        else:
            self._close_client(Refused("the match on the other server cannot be translated to your protocol"))
        self._disconnect_server()

    def _close_client(self, why: BoardwireError) -> None:
        """End the client's conversation before its match has begun."""
        seek, self._pending_seek = self._pending_seek, None
        if seek is not None:
            self._guest.tell(Refusal(seek, why))
        table = self._guest.table
        if table is not None and table.match.status is Status.WAITING:
            table.do(None, Close(Termination.CONNECTION_LOST))
        self._guest.close(why)
        self._disconnect_server()
