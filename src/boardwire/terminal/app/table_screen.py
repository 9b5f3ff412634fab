"""Screen of a table: board, seats with clocks, choices, log and chat, and the input line.

At 80x24, the other parts are to the right of a narrow board, and below a wide one. The board never scrolls.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar, Final

from rich.text import Text
from textual import events
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Container, Vertical
from textual.screen import Screen
from textual.widgets import Input, OptionList, Static
from textual.widgets.option_list import Option

from boardwire.errors import BoardwireError
from boardwire.terminal import rulebook
from boardwire.terminal.app.board_widget import BoardWidget
from boardwire.terminal.app.boards import board
from boardwire.terminal.app.key_footer import KeyFooter
from boardwire.terminal.app.layout import layout
from boardwire.terminal.app.log_view import LogView
from boardwire.terminal.app.match_model import Feature, LineKind, MatchModel
from boardwire.terminal.app.native_session import NativeSession
from boardwire.terminal.app.selection import Target
from boardwire.terminal.app.session import LinkState, Session
from boardwire.wire.text import escaped

if TYPE_CHECKING:
    from boardwire.terminal.app.app import TerminalApp

CLOCK_SECONDS: Final = 0.5
MAX_TYPED_LENGTH: Final = 500

COMMANDS: Final = {
    "/say": "say a line to the table",
    "/undo": "offer to undo your last step",
    "/draw": "offer a draw",
    "/yes": "agree to an undo or a draw",
    "/no": "decline an undo or a draw",
    "/hint": "ask an engine, at a table against bots",
    "/resign": "give up",
    "/rematch": "play again with the same players",
    "/calltime": "let players who stay away forfeit",
    "/help": "the rules, or what a card does: /help pan",
    "/leave": "leave the table",
}
_FEATURES: Final = {
    "/undo": Feature.UNDO,
    "/draw": Feature.DRAW,
    "/hint": Feature.HINT,
    "/resign": Feature.RESIGN,
    "/rematch": Feature.REMATCH,
    "/calltime": Feature.CALL_TIME,
}


class TableScreen(Screen[None]):
    """One match."""

    CSS = """
    TableScreen { layout: vertical; }
    #title { height: 1; background: $primary-background; color: $text; }
    #main { layout: horizontal; height: 1fr; }
    #main.below { layout: vertical; }
    #side { width: 1fr; height: 1fr; padding: 0 0 0 1; }
    .below #side { layout: horizontal; padding: 0; }
    #board-box { width: auto; height: 1fr; }
    .below #board-box { width: 1fr; height: auto; }
    #board { width: auto; }
    .below #board { width: 1fr; }
    #side, #choices, #log { scrollbar-size-vertical: 1; scrollbar-background: $background; }
    #seats { height: auto; max-height: 8; }
    .below #seats { display: none; }
    #choices { height: auto; max-height: 60%; border: none; padding: 0; background: $surface; }
    .below #choices { width: 40%; height: 1fr; max-height: 100%; }
    #choices.empty { display: none; }
    #log { height: 1fr; min-height: 1; background: $background; }
    #question { height: auto; max-height: 2; }
    #typed { border: none; height: 1; padding: 0 1; background: $surface; }
    Screen:nocolor #title { text-style: reverse; }
    """

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape", "back", "Back"),
        Binding("f1", "help", "Help"),
        Binding("f2", "chat", "Chat"),
        Binding("f3", "hint", "Hint"),
        Binding("f4", "undo", "Undo"),
        Binding("f5", "info", "Token"),
        Binding("f6", "resign", "Resign"),
        Binding("f7", "rematch", "Rematch"),
        Binding("f9", "focus_board", "Board", show=False),
        Binding("f10", "leave", "Leave"),
    ]

    AUTO_FOCUS = ""

    app: TerminalApp

    def __init__(self, session: Session) -> None:
        super().__init__()
        self._session = session
        self._model: MatchModel | None = None
        self._written_lines = 0
        """Number of lines of the match's log that are shown."""
        self._listed_targets: list[Target] = []
        """Targets in the list of choices, which are not on the board."""
        self._action_to_confirm = ""
        """Action whose key must be pressed again, or ''."""
        self._has_widgets = False
        """Whether the widgets are mounted."""

    def compose(self) -> ComposeResult:
        """Lay out the parts; the board comes when the game is known."""
        yield Static("", id="title", markup=False)
        with Container(id="main"):
            yield Vertical(id="board-box")
            with Vertical(id="side"):
                yield Static("", id="seats", markup=False)
                yield OptionList(id="choices", classes="empty", markup=False, compact=True)
                yield LogView(id="log")
        yield Static("", id="question", markup=False)
        yield Input(
            id="typed",
            placeholder="> type a move, /say to chat, /help for commands",
            max_length=MAX_TYPED_LENGTH,
            select_on_focus=False,
            compact=True,
        )
        yield KeyFooter()

    def on_mount(self) -> None:
        """Show the state of the session, and update the clocks periodically."""
        self._has_widgets = True
        self.set_interval(CLOCK_SECONDS, self._update_status)
        self.session_changed()

    def on_screen_resume(self) -> None:
        """Update after another screen was closed; the table may be gone."""
        self.session_changed()

    # --- showing ----------------------------------------------------------------------------------------------------

    def session_changed(self) -> None:
        """Show the current state of the session."""
        if not self._has_widgets or not self.query("#title"):  # not composed yet, or being removed
            return
        model = self._session.model
        if model is None:
            if self._model is not None and self.is_current:  # no longer at the table
                self.dismiss()
            return
        if model is not self._model:
            self._model = model
            self._written_lines = 0
            box = self.query_one("#board-box", Vertical)
            box.remove_children()
            widget = BoardWidget(model.game)
            widget.add_class("board")
            box.mount(widget)
            self.query_one(LogView).forget()
        self._show_board()
        self._show_choices()
        self._show_log()
        self._update_status()
        self.call_after_refresh(self._update_status)
        self.refresh_bindings()

    @property
    def model(self) -> MatchModel | None:
        """The match that is shown."""
        return self._model

    @property
    def board(self) -> BoardWidget | None:
        """The board, once the match is known."""
        boards = self.query(BoardWidget)
        return boards.last() if boards else None

    def _show_board(self) -> None:
        model, widget = self._model, self.board
        if model is None or widget is None:
            return
        widget.show(model.view, model.before, model.players, model.ask, model.advised)
        self._arrange()

    def _arrange(self) -> None:
        """Place the side panel beside the board or below it, and draw the board as large as possible."""
        model, widget = self._model, self.board
        if model is not None and model.view is not None and widget is not None:
            main = self.query_one("#main")
            place = layout(model.game, model.view, main.size)
            main.set_class(place.below, "below")
            widget.fit(place.width, place.height)

    def _show_choices(self) -> None:
        """List the targets that are not on the board."""
        widget = self.board
        options = self.query_one("#choices", OptionList)
        undrawn = widget.undrawn() if widget is not None else []
        targets = [target for target, _ in undrawn]
        if targets != self._listed_targets:
            self._listed_targets = targets
            options.clear_options()
            options.add_options([Option(Text(f"▸ {words}")) for _, words in undrawn])
            if targets:
                options.highlighted = 0
        options.set_class(not targets, "empty")
        self.call_after_refresh(self._focus_choice)

    def _focus_choice(self) -> None:
        """Focus the widget of the next choice, unless the player is typing."""
        widget = self.board
        if widget is None or (isinstance(self.focused, Input) and self.focused.value):
            return
        options = self.query_one("#choices", OptionList)
        has_only_list = bool(self._listed_targets) and not widget.canvas.centres(widget.selection.targets)
        if has_only_list and self.focused is not options:
            options.focus()
        elif not self._listed_targets and self.focused is not widget and not isinstance(self.focused, Input):
            widget.focus()

    def _show_log(self) -> None:
        model = self._model
        if model is not None and model.logged > self._written_lines:
            self.query_one(LogView).add(list(model.log)[self._written_lines - model.logged :])
            self._written_lines = model.logged

    def _update_status(self) -> None:
        """Update title, question and players, whose clocks run."""
        model = self._model
        if not self.query("#title"):
            return
        self.query_one("#title", Static).update(self._title_text())
        self.query_one("#question", Static).update(self._question_text())
        if model is None:
            return
        seats = self._session.seats() if isinstance(self._session, NativeSession) else model.seat_list()
        text = Text()
        width = self.query_one("#seats").size.width
        for number, seat in enumerate(seats):
            clock = "" if seat.seconds is None else f"{_clock(seat.seconds)} "
            role = " (you)" if number == model.players.seat else f" [{seat.bot}]" if seat.bot else ""
            away = " (away)" if seat.away else ""
            mark = "▶" if seat.to_move and model.over is None else " "
            part = f"{board(model.game).seat_text(model.view, number)} " if model.view is not None else ""
            line = Text(
                f"{mark} {clock}{part}{seat.name}{away}{role}", style="bold" if seat.to_move else "", no_wrap=True
            )
            if width:
                line.truncate(width, overflow="ellipsis")
            text.append_text(line)
            text.append("\n")
        if isinstance(self._session, NativeSession) and self._session.audience.count:
            text.append(f"  {self._session.audience.count} watching\n", style="dim")
        self.query_one("#seats", Static).update(text)

    def _title_text(self) -> Text:
        """Return the title: the game, the connection and, without a side panel, the players' clocks."""
        model = self._model
        game = model.game.capitalize() if model is not None else "boardwire"
        watching = " (watching)" if model is not None and model.watching else ""
        link = {LinkState.CONNECTED: "●", LinkState.CLOSED: "○"}.get(self._session.link, "◌")
        left = f" {game}{watching} · {self._session.title} {link} {self._session.link}"
        if self._session.link is LinkState.LOST and self._session.problem:
            left += f": {self._session.problem}"
        if isinstance(self._session, NativeSession):
            clocks = [
                f"{seat.name[:10]} {_clock(seat.seconds)}" for seat in self._session.seats() if seat.seconds is not None
            ]
            if clocks and self.query_one("#main").has_class("below"):
                left += f" · {' · '.join(clocks)}"
        return Text(left, no_wrap=True, overflow="ellipsis")

    def _question_text(self) -> Text:
        """Return the line below the board: the question, an offer, or the state of the match or the connection."""
        model = self._model
        if self._action_to_confirm:
            return Text(f"{self._action_to_confirm.capitalize()}: press the key again to confirm.", style="bold")
        if model is None:
            return Text(self._session.problem or "Connecting ...")
        if model.over is not None:
            more = " F7 plays again." if Feature.REMATCH in model.features else ""
            return Text(f"{escaped(model.over.text[:200])}{more} Esc leaves.", style="bold")
        if self._session.link is LinkState.LOST:
            token = f" Your token: {escaped(self._session.token)[:80]}" if self._session.token else ""
            return Text(f"The connection is lost; trying again.{token}", style="bold")
        offer = self._offer()
        if offer:
            return Text(offer, style="bold")
        if model.ask is not None:
            question = model.screen.question(model.ask.view, model.ask.decision, model.players)
            return Text(question, style="bold")
        if model.watching:
            return Text("You are watching. /say chats with the table.", style="dim")
        if model.view is None:
            return Text("Waiting for other players.", style="dim")
        return Text("Waiting for the others.", style="dim")

    def _offer(self) -> str:
        """Return the question about an offered undo or draw, or ''."""
        state = self._session.state if isinstance(self._session, NativeSession) else None
        model = self._model
        if state is None or model is None or model.watching:
            return ""
        if state.drawing is not None and state.drawing == model.players.seat:
            return "You offer a draw; waiting for the other."
        if state.drawing is not None:
            return f"{model.players.name(state.drawing)} offers a draw: /yes or /no."
        if not state.agreed:
            return ""
        if model.players.seat in state.agreed:
            return "You offer an undo; waiting for the others."
        return f"{model.players.name(state.agreed[0])} offers an undo: /yes or /no."

    def on_resize(self, event: events.Resize) -> None:
        """Arrange the parts for the new size."""
        self.call_after_refresh(self._arrange)
        self.call_after_refresh(self._update_status)

    # --- choosing ---------------------------------------------------------------------------------------------------

    def on_board_widget_chosen(self, message: BoardWidget.Chosen) -> None:
        """Send a choice that was clicked."""
        self._answer(message.action)

    def on_board_widget_narrowed(self) -> None:
        """Show the targets that can be chosen next."""
        self._show_choices()

    def on_key(self, event: events.Key) -> None:
        """Pass a printable key to the input line, wherever the focus is."""
        if event.is_printable and event.character and not isinstance(self.focused, Input):
            event.stop()
            line = self.query_one("#typed", Input)
            line.focus()
            line.value += event.character
            line.cursor_position = len(line.value)

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        """Choose a target that is not on the board."""
        widget = self.board
        if widget is not None and event.option_index < len(self._listed_targets):
            widget.choose(self._listed_targets[event.option_index])

    def _answer(self, action: Any) -> None:
        self._session.answer(action)
        widget = self.board
        if widget is not None:
            widget.focus()

    def on_input_submitted(self, event: Input.Submitted) -> None:
        """Handle a move in notation, or a command that begins with a slash."""
        text = event.value.strip()
        event.input.clear()
        model = self._model
        if not text or model is None:
            return
        if text.startswith("/"):
            self._command(text)
        elif model.ask is None:
            wait = "The match is over." if model.over is not None else "It is not your turn."
            self._say(f"{wait} To chat, type /say and your words.")
        else:
            try:
                action = model.screen.parse(text, model.ask.view, model.ask.decision, model.players)
            except BoardwireError as reason:
                self._say(str(reason))
            else:
                self._answer(action)

    def _command(self, text: str) -> None:
        """Carry out a command that begins with a slash."""
        word, _, rest = text.partition(" ")
        word, rest = word.lower(), rest.strip()
        if word == "/say" and rest:
            self._session.use(Feature.CHAT, rest)
        elif word in _FEATURES:
            self._use(_FEATURES[word])
        elif word in ("/yes", "/no"):
            self._session.agree(word == "/yes")
        elif word in ("/leave", "/quit"):
            self._leave()
        elif word == "/help" and self._model is not None:
            try:
                for sentence in rulebook.rules(self._model.game, rest):
                    self._say(sentence, LineKind.NOTE)
            except BoardwireError as reason:
                self._say(str(reason))
        else:
            self._say(f"There is no command {word}; the commands are {', '.join(COMMANDS)}.")

    def _say(self, text: str, kind: LineKind = LineKind.ERROR) -> None:
        if self._model is not None:
            self._model.note(text, kind)
            self._show_log()

    def _use(self, feature: Feature) -> None:
        model = self._model
        if model is None:
            return
        if isinstance(self._session, NativeSession) and feature not in model.features:
            self._say(f"There is no {feature} at this table now.")
        else:
            self._session.use(feature)

    # --- keys -------------------------------------------------------------------------------------------------------

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Show only the keys that have an effect now."""
        feature = {"chat": Feature.CHAT, "hint": Feature.HINT, "undo": Feature.UNDO, "resign": Feature.RESIGN}.get(
            action
        )
        if action == "rematch":
            feature = Feature.REMATCH
        if action == "info":
            return bool(self._session.token)
        return feature is None or (self._model is not None and feature in self._model.features)

    def action_back(self) -> None:
        """Deselect a target, return to the board, or ask whether to leave."""
        widget = self.board
        if widget is not None and widget.back():
            return
        if widget is not None and isinstance(self.focused, Input) and (self.focused.value or self._is_playing):
            self.focused.clear()
            widget.focus()
            return
        self.action_leave()

    @property
    def _is_playing(self) -> bool:
        """Whether leaving would give up a match."""
        model = self._model
        return model is not None and not model.watching and model.over is None and model.view is not None

    def action_leave(self) -> None:
        """Leave; during a match only when the key is pressed twice."""
        if self._is_playing and self._action_to_confirm != "leave the match":
            self._confirm("leave the match")
            return
        self._leave()

    def _confirm(self, action: str) -> None:
        self._action_to_confirm = action
        self._update_status()
        self.set_timer(3.0, self._clear_confirmation)

    def _clear_confirmation(self) -> None:
        self._action_to_confirm = ""
        self._update_status()

    def _leave(self) -> None:
        self._session.leave()
        if self.is_current:
            self.dismiss()

    def action_focus_board(self) -> None:
        """Focus the board."""
        if self.board is not None:
            self.board.focus()

    def action_chat(self) -> None:
        """Begin a chat line."""
        line = self.query_one("#typed", Input)
        line.value = "/say "
        line.focus()
        line.cursor_position = len(line.value)

    def action_hint(self) -> None:
        """Request a hint."""
        self._use(Feature.HINT)

    def action_undo(self) -> None:
        """Offer an undo."""
        self._use(Feature.UNDO)

    def action_resign(self) -> None:
        """Resign when the key is pressed twice."""
        if self._action_to_confirm != "resign":
            self._confirm("resign")
        else:
            self._action_to_confirm = ""
            self._use(Feature.RESIGN)

    def action_rematch(self) -> None:
        """Request a rematch."""
        self._use(Feature.REMATCH)

    def action_info(self) -> None:
        """Show how to resume the match."""
        if isinstance(self._session, NativeSession) and self._session.state is not None:
            state = self._session.state
            self._say(
                f"Match {state.match}{f', code {self._session.code}' if self._session.code else ''}.", LineKind.NOTE
            )
            self._say(f"To come back: {self._session.resume_command}", LineKind.NOTE)

    def action_help(self) -> None:
        """Show keys, commands and rules."""
        from boardwire.terminal.app.help_screen import HelpScreen

        model = self._model
        cards = board(model.game).cards(model.view) if model is not None and model.view is not None else ()
        self.app.push_screen(HelpScreen(model.game if model is not None else "", cards))


def _clock(seconds: float) -> str:
    whole = int(seconds)
    return f"{whole // 60}:{whole % 60:02}"
