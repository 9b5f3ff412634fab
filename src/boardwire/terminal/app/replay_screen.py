"""Screen that replays a stored match step by step, with its analysis."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any, ClassVar, Final

import msgspec
from msgspec.structs import replace
from rich.text import Text
from textual import events
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Container, Vertical
from textual.message import Message
from textual.screen import Screen
from textual.widget import Widget
from textual.widgets import Static

from boardwire import games
from boardwire.bots.match_analysis import Mark, Remark, Study
from boardwire.dialects.dialect import Players
from boardwire.dialects.native import messages as wire
from boardwire.dialects.native.client import players_of, view_of
from boardwire.dialects.native.fold import fold
from boardwire.errors import BoardwireError, Malformed
from boardwire.terminal.app import display_check, http_client
from boardwire.terminal.app.board_widget import BoardWidget
from boardwire.terminal.app.key_footer import KeyFooter
from boardwire.terminal.app.layout import layout
from boardwire.terminal.app.match_model import shown_name, shown_players
from boardwire.terminal.app.servers import Server
from boardwire.terminal.screens import screen
from boardwire.wire.text import escaped

if TYPE_CHECKING:
    from boardwire.terminal.app.app import TerminalApp

PART_LENGTH: Final = 500
MAX_REPLAY_STEPS: Final = 20_000
AUTOPLAY_SECONDS: Final = 0.8
ANALYSIS_POLL_SECONDS: Final = 1.0
PAGE_STEPS: Final = 10


class _Steps(msgspec.Struct):
    steps: tuple[wire.Step, ...]
    next: int | None = None


class _Progress(msgspec.Struct, tag_field="state", tag="running"):
    """A running analysis."""

    done: int
    turns: int


class Moment(msgspec.Struct, frozen=True):
    """A step of the replay: the view after it, and descriptions of its events."""

    seq: int
    view: Any
    players: Players
    texts: tuple[str, ...]


class Slider(Widget):
    """The place in the match as a slider; a click moves it."""

    DEFAULT_CSS = "Slider { height: 1; }"

    class Moved(Message):
        """The slider was moved to a share of the match, from 0 to 1."""

        def __init__(self, share: float) -> None:
            super().__init__()
            self.share = share

    def __init__(self) -> None:
        super().__init__(id="slider")
        self.place = 0
        self.count = 1
        self.marks: tuple[int, ...] = ()

    def render(self) -> Text:
        """Draw a line with the current place and the marked steps."""
        width = max(1, self.size.width)
        line = ["─"] * width
        for mark in self.marks:
            line[self._column(mark, width)] = "!"
        line[self._column(self.place, width)] = "●"
        return Text("".join(line), no_wrap=True)

    def _column(self, place: int, width: int) -> int:
        return round(place * (width - 1) / max(1, self.count - 1))

    def on_click(self, event: events.Click) -> None:
        """Go to a place."""
        self.post_message(self.Moved(event.x / max(1, self.size.width - 1)))

    def on_mouse_move(self, event: events.MouseMove) -> None:
        """Drag the place."""
        if event.button == 1:
            self.post_message(self.Moved(event.x / max(1, self.size.width - 1)))


class ReplayScreen(Screen[None]):
    """Replay of one match."""

    CSS = """
    #title { height: 1; background: $primary-background; color: $text; }
    #main { layout: horizontal; height: 1fr; }
    #main.below { layout: vertical; }
    #board-box { width: auto; height: 1fr; }
    .below #board-box { width: 1fr; height: auto; }
    .below BoardWidget { width: 1fr; }
    #texts { width: 1fr; height: 1fr; padding: 0 1; overflow-y: auto; }
    #status { height: 1; }
    Screen:nocolor #title { text-style: reverse; }
    """
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape", "back", "Back"),
        Binding("left", "go(-1)", "Before", priority=True),
        Binding("right", "go(1)", "Next", priority=True),
        Binding("pageup", f"go(-{PAGE_STEPS})", "10 back", show=False, priority=True),
        Binding("pagedown", f"go({PAGE_STEPS})", "10 on", show=False, priority=True),
        Binding("home", "jump(0)", "Start", priority=True),
        Binding("end", "jump(-1)", "End", priority=True),
        Binding("space", "play", "Play", priority=True),
        Binding("a", "analyse", "Analyse"),
        Binding("m", "mistake", "Mistake"),
    ]

    app: TerminalApp

    def __init__(self, server: Server, match: str) -> None:
        super().__init__()
        self._server = server
        self._match = match
        self._game = ""
        self._moments: list[Moment] = []
        self._place = 0
        self._playing = False
        self._remarks: tuple[Remark, ...] = ()
        self._status = "Loading ..."

    def compose(self) -> ComposeResult:
        """Lay out the parts; the board comes with the first step."""
        yield Static("", id="title", markup=False)
        with Container(id="main"):
            yield Vertical(id="board-box")
            yield Static("", id="texts", markup=False)
        yield Slider()
        yield Static("", id="status", markup=False)
        yield KeyFooter()

    def on_mount(self) -> None:
        """Load the match."""
        self.set_interval(AUTOPLAY_SECONDS, self._autoplay)
        self.run_worker(self._load(), exclusive=True)

    async def _load(self) -> None:
        """Load the steps of the match, part by part."""
        after, view = 0, None
        try:
            while len(self._moments) < MAX_REPLAY_STEPS:
                path = f"/api/matches/{self._match}/steps"
                part: _Steps = await http_client.get(
                    self._server.host, self._server.port, path, _Steps, after=after, limit=PART_LENGTH
                )
                for step in part.steps:
                    state = step.state
                    if state.changes is not None:
                        state = replace(state, view=fold(view, state.changes), changes=None)
                    view = state.view
                    self._add(step, state)
                if part.next is None or part.next <= after:
                    break
                after = part.next
        except Exception as error:  # noqa: BLE001 - a server may send anything, and the client must go on
            self._status = escaped(str(error))
        else:
            self._status = ""
        if self._game:
            widget = BoardWidget(self._game)
            await self.query_one("#board-box", Vertical).mount(widget)
            self.action_jump(0)
        self._show()

    def _add(self, step: wire.Step, state: wire.MatchState) -> None:
        """Add a step with its view and the texts about it; raise `Malformed` if the board cannot show the view."""
        game = games.game(state.game).name  # raises `Refused` for a game that this client does not have
        view = view_of(state)
        players = shown_players(players_of(state, None))
        before = self._moments[-1].view if self._moments else None
        fault = "" if view is None else display_check.find_fault(game, view, before, players)
        if fault:
            raise Malformed(f"step {len(self._moments)} cannot be shown: {fault}")
        self._game = game
        texts = []
        if before is not None and view is not None:
            texts += screen(state.game).changes(before, view, None, players)
        for event in step.events:
            if event.event == "chatted":
                texts.append(f"{shown_name(event.name)}: {escaped(event.text)}")
            elif event.event not in ("acted", "dealt", "joined", "readied", "started", "ended"):
                who = players.name(event.seat) if event.seat is not None else ""
                texts.append(f"{who} {event.event}".strip())
        if state.outcome is not None:
            winners = " and ".join(players.name(seat) for seat in state.outcome.winners)
            texts.append(f"The end: {winners or 'no winner'} ({escaped(state.outcome.termination)}).")
        self._moments.append(Moment(state.seq, view, players, tuple(texts)))

    # --- showing ----------------------------------------------------------------------------------------------------

    def _show(self) -> None:
        slider = self.query_one(Slider)
        slider.place, slider.count = self._place, len(self._moments)
        slider.marks = tuple(self._place_of(remark) for remark in self._remarks if remark.mark is not None)
        slider.refresh()
        count = max(0, len(self._moments) - 1)
        names = ", ".join(self._moments[self._place].players.names) if self._moments else ""
        title = f" Replay {shown_name(self._match)} · {self._game.capitalize()} · {names}"
        self.query_one("#title", Static).update(Text(title, no_wrap=True, overflow="ellipsis"))
        playing = " · playing" if self._playing else ""
        place = f"Step {self._place} of {count}{playing}"
        self.query_one("#status", Static).update(Text(f"{place}  {self._status}", no_wrap=True))
        if not self._moments:
            return
        moment = self._moments[self._place]
        before = self._moments[self._place - 1].view if self._place else None
        for widget in self.query(BoardWidget):
            widget.show(moment.view, before, moment.players)
        self._arrange()
        self.query_one("#texts", Static).update(self._texts(moment))

    def _arrange(self) -> None:
        if self._moments and self._moments[self._place].view is not None:
            main = self.query_one("#main")
            place = layout(self._game, self._moments[self._place].view, main.size)
            main.set_class(place.below, "below")
            for widget in self.query(BoardWidget):
                widget.fit(place.width, place.height)

    def on_resize(self) -> None:
        """Arrange the parts for the new size."""
        self.call_after_refresh(self._arrange)

    def _texts(self, moment: Moment) -> Text:
        text = Text()
        for line in moment.texts:
            text.append(f"{line}\n", style="bold")
        remark = next((remark for remark in reversed(self._remarks) if remark.seq <= self._seq_before()), None)
        if remark is not None:
            text.append_text(_remark_text(remark, moment.players))
        return text

    def _seq_before(self) -> int:
        return self._moments[self._place - 1].seq if self._place else 0

    def _place_of(self, remark: Remark) -> int:
        """Return the step at which the turn that a remark is about begins."""
        return next((place + 1 for place, moment in enumerate(self._moments[:-1]) if moment.seq >= remark.seq), 0)

    # --- moving -----------------------------------------------------------------------------------------------------

    def action_go(self, steps: int) -> None:
        """Go some steps forward or back."""
        self._playing = False
        self._set_place(self._place + steps)

    def action_jump(self, place: int) -> None:
        """Go to a step; -1 is the last."""
        self._playing = False
        self._set_place(len(self._moments) - 1 if place < 0 else place)

    def _set_place(self, place: int) -> None:
        self._place = max(0, min(place, len(self._moments) - 1))
        self._show()

    def action_play(self) -> None:
        """Start or stop the automatic replay."""
        self._playing = not self._playing
        self._show()

    def _autoplay(self) -> None:
        if self._playing:
            if self._place >= len(self._moments) - 1:
                self._playing = False
                self._show()
            else:
                self._set_place(self._place + 1)

    def on_slider_moved(self, message: Slider.Moved) -> None:
        """Go to the clicked place."""
        self._playing = False
        self._set_place(round(message.share * (len(self._moments) - 1)))

    def action_mistake(self) -> None:
        """Go to the next turn that the analysis has marked."""
        places = [self._place_of(remark) for remark in self._remarks if remark.mark is not None]
        later = [place for place in places if place > self._place]
        if later or places:
            self._set_place(min(later) if later else min(places))

    def action_back(self) -> None:
        """Go back."""
        self.dismiss()

    # --- analysis ---------------------------------------------------------------------------------------------------

    def action_analyse(self) -> None:
        """Request an analysis from the server, and wait for it."""
        if not self._remarks:
            self._status = "Analysis requested ..."
            self._show()
            self.run_worker(self._analyse(), exclusive=True, group="analysis")

    async def _study(self) -> Study | _Progress:
        path = f"/api/matches/{self._match}/analysis"
        study: Study | _Progress = await http_client.get(self._server.host, self._server.port, path, Study | _Progress)
        return study

    async def _analyse(self) -> None:
        """Request the analysis of the match and poll until it is complete."""
        try:
            study = await self._study()
            while isinstance(study, _Progress):
                self._status = f"Analysis: {study.done} of {study.turns} turns"
                self._show()
                await asyncio.sleep(ANALYSIS_POLL_SECONDS)
                study = await self._study()
            self._remarks = study.remarks
        except BoardwireError as error:
            self._status = escaped(str(error))
        else:
            marked = sum(remark.mark is not None for remark in self._remarks)
            self._status = f"Analysed {len(self._remarks)} turns, {marked} marked. m goes to the next mark."
        self._show()


_MARKS: Final = {Mark.MISTAKE: "a mistake", Mark.BLUNDER: "a blunder", Mark.LOST: "loses the match"}


def _remark_text(remark: Remark, players: Players) -> Text:
    text = Text("\n")
    text.append(f"{players.name(remark.seat)}: {_bar(remark.value)} {remark.value:+.2f}", style="bold")
    text.append(f" → {remark.after:+.2f}\n")
    text.append(f"played {escaped(', '.join(move.text for move in remark.played))}")
    if remark.mark is not None:
        text.append(f": {_MARKS[remark.mark]}", style="bold #ff8787")
    best = escaped(", ".join(move.text for move in remark.best))
    text.append(f"\nbest {best}\n")
    if remark.line:
        text.append(f"then {escaped(', '.join(move.text for move in remark.line))}\n", style="dim")
    return text


def _bar(value: float) -> str:
    """Return a bar of ten characters for a value from -1 to 1."""
    full = round((max(-1.0, min(1.0, value)) + 1) * 5)
    return "█" * full + "░" * (10 - full)
