"""Watcher of native: every request gets its reply, and every state is possible for its game and table."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

import msgspec

from boardwire import games
from boardwire.conformance.display import show
from boardwire.conformance.finding import Side, rules_of
from boardwire.conformance.framing import WebSocketFramer
from boardwire.conformance.watchers import refusals
from boardwire.conformance.watchers.watcher import Unreadable, Watcher
from boardwire.dialects.native import messages as wire
from boardwire.dialects.native.fold import fold
from boardwire.dialects.native.tell import to_game_type
from boardwire.errors import BoardwireError, Malformed, Objection, Reason
from boardwire.table import events
from boardwire.table.match import Status
from boardwire.table.termination import Termination

_rule, _ = rules_of("native")

HELLO: Final = _rule("hello", "3.1", "hello is the first message, and gets welcome")
NAME: Final = _rule("name", "4.1", "a name is cut after 32 characters, and is guest if it is empty")
SEATED: Final = _rule("seated", "4.3", "open, find, join and resume get seated, or refused")
ACTS: Final = _rule("acts", "3.8", "an act is one of the choices that the last state lists")
CHOICES: Final = _rule("choices", "5.5", "choices are actions of the game")
STATUS: Final = _rule("status", "5.4", "a match waits while a seat is free, and is over when it has an outcome")
WINNERS: Final = _rule("winners", "5.6", "the outcome names who won")
HAPPENED: Final = _rule("happened", "6", "an event is one of the specification's")
ENDS: Final = _rule("ends", "6.1", "a match ends in one of the specification's ways")
REFUSALS: Final = _rule("refusals", "7", "a refusal has a code of the specification")
UNREAD: Final = _rule("unread", "7", "what cannot be read is refused as malformed")
LEGAL: Final = _rule("legal", "10", "an act that is one of the choices is not refused as illegal")

MAX_VIEWS: Final = 12
"""Limit of the views kept of one turn."""

_NAME_LIMIT: Final = 32
_SEATING: Final = (wire.Open, wire.Find, wire.Pair, wire.Join, wire.Resume, wire.Watch)
_EVENTS: Final = frozenset(kind.__name__.lower() for kind in events._Event.__subclasses__())
_LINES: Final = frozenset({"line"})
"""Terminations by which the player who moved last has won."""


class DialectWatcher(Watcher):
    """Watcher of native."""

    framer = WebSocketFramer
    framing = _rule("framing", "1", "after the upgrade of HTTP, both sides send WebSocket frames")
    unknown = _rule("unknown", "1", "a message is a JSON object with a type and fields of the specification")

    def __init__(self, *arguments: Any) -> None:
        super().__init__(*arguments)
        self._state: wire.MatchState | None = None
        self._acted: bool | None = None
        """Whether the client's last action was offered; None after the server's reply."""
        self._views: list[Any] = []
        """Views since the turn began, as JSON values."""
        self.expect(Side.CLIENT, "hello")

    def read(self, side: Side, message: Any) -> Any:
        if not isinstance(message, str | bytes):
            return message
        try:
            return wire.decode_request(message) if side is Side.CLIENT else wire.decode_reply(message)
        except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
            raise Malformed(str(error)) from None

    def name(self, side: Side, message: Any) -> str:
        return super().name(side, message).lower()  # also of control frames

    def client(self, message: Any) -> None:
        match message:
            case Unreadable():
                self.expect_reply(UNREAD, "refused with the code malformed", "unread")
            case wire.Hello():
                self.expect_reply(HELLO, "welcome", message)
            case _ if isinstance(message, _SEATING):
                self.expect_reply(SEATED, "seated, watching or refused", "seat")
            case wire.Act(seq=seq, action=action):
                self._act(seq, action)
            case wire.Leave():
                self._state = self.result_due = None

    def _act(self, seq: int, action: Any) -> None:
        state = self._state
        if state is None or state.status is not Status.PLAYING or seq < state.moved:
            return
        if state.asked is None or state.asked.choices is None:
            self.blame(Side.CLIENT, ACTS, "got {}; it is not this player's turn", show(action))
            self._acted = False
            return
        self._acted = action in state.asked.choices
        if not self._acted:
            why = refusals.explain(state.game, self._objection(state, action))
            choices = show(list(state.asked.choices)[:20])
            self.blame(Side.CLIENT, ACTS, "got {}, but {}; expected one of {}", show(action), why, choices)

    def _objection(self, state: wire.MatchState, action: Any) -> Objection | None:
        """Return the rule that forbids an action, judged by the views since the turn began, or None if unknown."""
        if state.game not in games.NAMES or state.asked is None:
            return None
        game = games.game(state.game)
        try:
            views = [to_game_type(view, game.View) for view in self._views]
            return refusals.objection(state.game, views, state.asked.seats[0], to_game_type(action, game.Action))
        except (msgspec.MsgspecError, BoardwireError, TypeError, ValueError):
            return None

    def _see(self, state: wire.MatchState) -> None:
        """Store the view of a state; drop those of earlier turns."""
        view = state.view if state.changes is None else fold(self._views[-1] if self._views else {}, state.changes)
        begun = isinstance(view, dict) and (view.get("acting", -1) >= 0 or view.get("built"))
        self._views = [*self._views[-MAX_VIEWS:], view] if begun else [view]

    def server(self, message: Any) -> None:
        match message:
            case wire.Welcome(name=name):
                self._welcome(name)
            case wire.Refused(code=code):
                self._refused(code)
            case wire.Seated(state=state) | wire.Watching(state=state):
                self.settle_reply("seat")
                self._learn(state)
            case wire.State(state=state):
                self._learn(state)
            case wire.Step(events=happened, state=state):
                for event in happened:
                    if event.event not in _EVENTS:
                        self.blame(Side.SERVER, HAPPENED, "got the event {}", show(event.event))
                self._judge_winners(happened, state)
                self._learn(state)

    def _welcome(self, name: str) -> None:
        reply = self.settle_reply_where(lambda tag: isinstance(tag, wire.Hello))
        if reply is None:
            self.blame(Side.SERVER, HELLO, "got welcome without hello")
            return
        requested_name = reply.tag.name.strip()[:_NAME_LIMIT]
        if not requested_name and name != "guest":
            self.blame(Side.SERVER, NAME, "got the name {}; expected guest", show(name))
        self.expect(Side.CLIENT, "find, open, join, watch or list")

    def _refused(self, code: str) -> None:
        if code not in set(Reason):
            self.blame(Side.SERVER, REFUSALS, "got the code {}", show(code))
        if self.settle_reply("unread") is not None:
            if code not in (Reason.MALFORMED, Reason.LIMIT):
                self.blame(Side.SERVER, UNREAD, "got the code {}; expected malformed", show(code))
            return
        if self._acted and code == Reason.ILLEGAL:
            self.blame(Side.SERVER, LEGAL, "got refused with the code illegal for one of the choices")
        self._acted = None
        self.settle_reply("seat")
        self.expect_again()

    def _learn(self, state: wire.MatchState) -> None:
        """Check a state against the specification, and expect the reply if it asks the client for one."""
        self._state, self._acted = state, None
        self._see(state)
        if state.outcome is None:
            self.result_due = None  # a rematch, or the end was undone
        self.over = state.outcome is not None
        free = any(player is None for player in state.players)
        if free and state.status is Status.PLAYING and state.moves == 0 and state.view is None:
            self.blame(Side.SERVER, STATUS, "got the status playing while a seat is free; expected waiting")
        if (state.outcome is not None) is not (state.status is Status.OVER):
            self.blame(Side.SERVER, STATUS, "got the status {} with the outcome {}", state.status, show(state.outcome))
        if state.outcome is not None and state.game in games.NAMES:
            own = {str(termination) for termination in getattr(games.game(state.game), "Termination", ())}
            if str(state.outcome.termination) not in own | set(map(str, Termination)):
                self.blame(Side.SERVER, ENDS, "got the end {}", show(str(state.outcome.termination)))
        decision = state.asked
        if self.over:
            self.note_result()
            if decision is not None:
                self.ask("state", "act")
                return
        if decision is None or decision.choices is None:
            self.expect_nothing()
            return
        self.expect(Side.CLIENT, "act with one of {}", show(list(decision.choices)[:8]))
        try:
            for choice in list(decision.choices)[:3]:
                to_game_type(choice, games.game(state.game).Action)
        except (msgspec.MsgspecError, Malformed, TypeError, ValueError) as error:
            self.blame(Side.SERVER, CHOICES, "got a choice that is not an action: {}", str(error))

    def table(self) -> Iterator[Watcher]:
        return (
            watcher
            for watcher in self.group.present
            if isinstance(watcher, DialectWatcher) and watcher is not self
            and watcher._state is not None and self._state is not None and watcher._state.match == self._state.match
        )  # fmt: skip

    def _judge_winners(self, happened: tuple[wire.Happening, ...], state: wire.MatchState) -> None:
        """Report winners that do not include the player who completed the line."""
        last = next((event.seat for event in reversed(happened) if event.event == "acted"), None)
        outcome = state.outcome
        if (
            outcome is not None
            and last is not None
            and str(outcome.termination) in _LINES
            and last not in outcome.winners
        ):
            actual = show(list(outcome.winners))
            self.blame(Side.SERVER, WINNERS, "got winners {}; seat {} completed the line", actual, last)


ITALIAN_RULES: Final = {
    "hello": "hello è il primo messaggio, e riceve welcome",
    "name": "un nome si tronca dopo 32 caratteri, ed è guest se è vuoto",
    "seated": "open, find, join e resume ricevono seated o refused",
    "acts": "un act è una delle scelte elencate dall'ultimo state",
    "choices": "le scelte sono azioni del gioco",
    "status": "una partita aspetta finché un posto è libero, ed è finita quando ha un esito",
    "winners": "l'esito nomina chi ha vinto",
    "happened": "un evento è uno di quelli della specifica",
    "ends": "una partita finisce in uno dei modi della specifica",
    "refusals": "ciò che viene rifiutato ha un codice della specifica",
    "unread": "ciò che non si può leggere viene rifiutato come malformed",
    "legal": "un act che è una delle scelte non viene rifiutato come illegal",
    "framing": "dopo l'upgrade di HTTP, le due parti inviano frame WebSocket",
    "unknown": "un messaggio è un oggetto JSON con un tipo e campi della specifica",
}
"""Italian sentences of the rules, by the last part of their codes."""

ITALIAN_FORMS: Final = {
    "got a choice that is not an action: {}": "è arrivata una scelta che non è un'azione: {}",
    "act with one of {}": "act con uno di {}",
    "find, open, join, watch or list": "find, open, join, watch o list",
    "got refused with the code illegal for one of the choices": (
        "è arrivato refused con il codice illegal a una delle scelte"
    ),
    "refused with the code malformed": "refused con il codice malformed",
    "seated, watching or refused": "seated, watching o refused",
    "got the code {}": "è arrivato il codice {}",
    "got the code {}; expected malformed": "è arrivato il codice {}; si aspettava malformed",
    "got the end {}": "è arrivata la fine {}",
    "got the event {}": "è arrivato l'evento {}",
    "got the name {}; expected guest": "è arrivato il nome {}; si aspettava guest",
    "got the status playing while a seat is free; expected waiting": (
        "è arrivato lo stato playing con un posto libero; si aspettava waiting"
    ),
    "got the status {} with the outcome {}": "è arrivato lo stato {}; l'esito è {}",
    "got welcome without hello": "è arrivato welcome, e nessuno aveva detto hello",
    "got winners {}; seat {} completed the line": "sono arrivati i vincitori {}; il posto {} ha completato la fila",
}
"""Italian forms of the details that only this watcher uses."""
