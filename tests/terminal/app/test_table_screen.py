"""The table screen: choosing by mouse, keyboard and notation, chat, clocks, spectators, and what peers write."""

from __future__ import annotations

from collections.abc import Callable, Coroutine
from typing import Any

import pytest
from textual.widgets import Input

from boardwire.dialects.native import messages as wire
from boardwire.games.santorini import actions as do
from boardwire.terminal.app.board_widget import BoardWidget
from boardwire.terminal.app.boards.santorini import SQUARE
from boardwire.terminal.app.match_model import Feature, LineKind
from boardwire.terminal.app.native_session import NativeSession
from boardwire.terminal.app.selection import Target

from . import stage as on

HOSTILE = "\x1b[31mEve\x1b]0;owned\x07\u202e[red]x[/red]"


def at_table(
    play: Callable[[on.Stage, on.Place], Coroutine[Any, Any, None]],
    game: str = "tris",
    size: tuple[int, int] = (80, 24),
    **settings: Any,
) -> None:
    """Open a table against a bot and let the test go on."""

    async def scenario() -> None:
        async with on.place() as place, on.stage(place.server, size) as stage:
            await stage.connected()
            await stage.open(game, **{"bots": ("", "greedy"), **settings})
            await play(stage, place)

    on.run(scenario)


async def click(stage: on.Stage, target: Target) -> None:
    board = stage.table.board
    assert board is not None
    region = board.canvas.region(target)
    assert region is not None, target
    x, y, width, height = region
    await stage.pilot.click(BoardWidget, offset=(x + width // 2, y + height // 2))


def test_a_worker_moves_and_builds_by_clicks() -> None:
    async def play(stage: on.Stage, place: on.Place) -> None:
        for square in (12, 13):
            await stage.until(stage.is_asked)
            await click(stage, Target(SQUARE, square))
            await stage.until(lambda: not stage.is_asked() or square in stage.model.view.workers[0])  # noqa: B023 - called in this round
        await stage.until(lambda: stage.is_asked() and stage.model.view.workers[0] == (12, 13))
        ask = stage.model.ask
        assert ask is not None
        move = next(action for action in ask.decision.choices if isinstance(action, do.Move) and action.frm == 12)
        await click(stage, Target(SQUARE, 12))
        assert stage.model.view.workers[0] == (12, 13), "one click only chooses the worker"
        await click(stage, Target(SQUARE, move.to))
        await stage.until(lambda: stage.is_asked() and stage.model.view.workers[0][0] == move.to)
        ask = stage.model.ask
        assert ask is not None
        build = next(action for action in ask.decision.choices if isinstance(action, do.Build) and not action.dome)
        await click(stage, Target(SQUARE, build.at))
        await stage.until(lambda: stage.model.view.levels[build.at] == 1)

    at_table(play, "santorini")


def test_another_worker_can_be_chosen_instead() -> None:
    async def play(stage: on.Stage, place: on.Place) -> None:
        for text, placed in (("c3", (12,)), ("d3", (12, 13))):
            await stage.until(stage.is_asked)
            await stage.pilot.press(*text, "enter")
            await stage.until(lambda: stage.is_asked() and stage.model.view.workers[0] == placed)  # noqa: B023 - called in this round
        board = stage.table.board
        assert board is not None
        await click(stage, Target(SQUARE, 12))
        assert board.selection.chosen == (Target(SQUARE, 12),)
        await click(stage, Target(SQUARE, 13))
        assert board.selection.chosen == (Target(SQUARE, 13),)
        await stage.pilot.press("escape")
        assert not board.selection.prefix
        assert stage.table is stage.app.screen, "escape takes the worker back and does not leave"

    at_table(play, "santorini")


def test_a_click_on_something_that_is_not_offered_does_nothing() -> None:
    async def play(stage: on.Stage, place: on.Place) -> None:
        await click(stage, Target("cell", 4))
        await stage.until(lambda: stage.is_asked() and stage.model.view.cells[4] == 0)
        view = stage.model.view
        await click(stage, Target("cell", 4))
        await stage.pilot.pause(0.1)
        assert stage.model.view == view

    at_table(play)


def test_notation_is_typed_from_anywhere_and_wrong_one_is_explained() -> None:
    async def play(stage: on.Stage, place: on.Place) -> None:
        assert isinstance(stage.app.focused, BoardWidget)
        await stage.pilot.press("9", "enter")
        assert stage.model.log[-1].text == "Cells are numbered 0 to 8."
        await stage.pilot.press("4", "enter")
        await stage.until(lambda: stage.model.view.cells[4] == 0)

    at_table(play)


def test_arrows_go_over_what_can_be_chosen() -> None:
    async def play(stage: on.Stage, place: on.Place) -> None:
        await stage.pilot.press("right", "down", "enter")
        await stage.until(lambda: stage.model.view.cells[4] == 0)

    at_table(play)


def test_a_line_of_chat_comes_to_all_and_hostile_text_is_escaped() -> None:
    async def play(stage: on.Stage, place: on.Place) -> None:
        state = stage.session.state
        assert state is not None
        eve = NativeSession("127.0.0.1", place.ports["http"], HOSTILE, lambda: None)
        eve.start()
        await stage.until(lambda: eve.token)
        eve.send(wire.Watch(match=state.match))
        await stage.until(lambda: eve.model is not None)
        eve.use(Feature.CHAT, HOSTILE)
        await stage.until(lambda: any(line.kind is LineKind.CHAT for line in stage.model.log))
        await stage.pilot.press("f2", *"hi", "enter")
        await stage.until(lambda: eve.model is not None and any(line.text == "hi" for line in eve.model.log))
        await stage.until(lambda: "1 watching" in stage.text())
        eve.close()
        shown = stage.text()
        assert not {"\x1b", "\x07", "\u202e"} & set(shown)
        assert "\\x1b" in shown
        assert "[red]" in shown, "no markup"
        assert "Ada: hi" in shown

    at_table(play)


def test_a_spectator_sees_the_board_and_is_asked_nothing() -> None:
    async def scenario() -> None:
        async with on.place() as place, on.stage(place.server) as stage:
            await stage.connected()
            ann = NativeSession("127.0.0.1", place.ports["http"], "ann", lambda: None)
            ann.start()
            await stage.until(lambda: ann.token)
            ann.send(wire.Open(game="tris", bots=("", "greedy")))
            await stage.until(lambda: ann.model is not None and ann.model.ask is not None)
            await stage.until(lambda: len(stage.session.tables) == 1)
            await stage.until(lambda: "ann, greedy" in stage.text())
            await stage.pilot.press("tab", "w")
            await stage.until(lambda: "(watching)" in stage.text())
            ann.answer(4)
            await stage.until(lambda: stage.model.view.cells[4] == 0)
            assert stage.model.ask is None
            await stage.until(lambda: "ann takes cell 4." in stage.text())
            ann.close()

    on.run(scenario)


def test_a_clock_counts_down() -> None:
    async def play(stage: on.Stage, place: on.Place) -> None:
        assert any(seat.seconds is not None and 50 < seat.seconds <= 60 for seat in stage.session.seats())
        await stage.until(lambda: "0:5" in stage.text())

    at_table(play, bank=60)


def test_undo_hint_resign_and_rematch_are_keys() -> None:
    async def play(stage: on.Stage, place: on.Place) -> None:
        await stage.pilot.press("4", "enter")
        await stage.until(lambda: stage.is_asked() and stage.model.view.cells[4] == 0)
        await stage.pilot.press("f4")
        await stage.until(lambda: stage.is_asked() and stage.model.view.cells[4] is None)
        await stage.pilot.press("f3")
        await stage.until(lambda: stage.model.advised is not None)
        assert stage.model.log[-1].text.startswith("Hint: ")
        await stage.pilot.press("f6")
        assert not stage.is_over(), "once asks"
        assert "press the key again" in stage.text()
        await stage.pilot.press("f6")
        await stage.until(stage.is_over)
        first = stage.session.state
        await stage.pilot.press("f7")
        await stage.until(lambda: stage.session.state is not None and stage.session.state.match != first.match)
        await stage.until(stage.is_asked)

    at_table(play, practice=True)


def test_an_undo_of_another_player_is_answered() -> None:
    async def scenario() -> None:
        async with on.place() as place, on.stage(place.server) as stage:
            await stage.connected()
            ann = NativeSession("127.0.0.1", place.ports["http"], "ann", lambda: None)
            ann.start()
            await stage.until(lambda: ann.token)
            ann.send(wire.Open(game="tris"))
            await stage.until(lambda: ann.state)
            stage.session.send(wire.Find(game="tris"))
            await stage.until(lambda: ann.model is not None and ann.model.ask is not None)
            ann.answer(4)
            await stage.until(lambda: stage.is_asked() and stage.model.view.cells[4] == 0)
            ann.use(Feature.UNDO)
            await stage.until(lambda: "ann offers an undo: /yes or /no." in stage.text())
            await stage.pilot.press(*"/yes", "enter")
            await stage.until(lambda: stage.model.view.cells[4] is None)
            await stage.pilot.press("f1")
            await stage.until(lambda: "Commands" in stage.text())
            ann.close()
            await stage.pilot.press("escape")
            await stage.until(lambda: "ann (away)" in stage.text())

    on.run(scenario)


def test_a_draw_is_offered_and_agreed() -> None:
    async def scenario() -> None:
        async with on.place() as place, on.stage(place.server) as stage:
            await stage.connected()
            ann = NativeSession("127.0.0.1", place.ports["http"], "ann", lambda: None)
            ann.start()
            await stage.until(lambda: ann.token)
            ann.send(wire.Open(game="tris"))
            await stage.until(lambda: ann.state)
            stage.session.send(wire.Find(game="tris"))
            await stage.until(lambda: ann.model is not None and ann.model.ask is not None)
            ann.answer(4)
            await stage.until(lambda: stage.is_asked() and stage.model.view.cells[4] == 0)
            stage.session.answer(0)
            await stage.until(lambda: ann.model is not None and ann.model.ask is not None)
            ann.use(Feature.DRAW)
            await stage.until(lambda: "ann offers a draw: /yes or /no." in stage.text())
            await stage.pilot.press(*"/yes", "enter")
            await stage.until(lambda: "A draw (agreed)" in stage.text())
            ann.close()

    on.run(scenario)


def test_commands_are_listed_when_one_is_wrong() -> None:
    async def play(stage: on.Stage, place: on.Place) -> None:
        line = stage.table.query_one("#typed", Input)
        line.focus()
        line.value = "/frobnicate"
        await stage.pilot.press("enter")
        assert "/resign" in stage.model.log[-1].text
        line.value = "/help"
        await stage.pilot.press("enter")
        assert any("Tris" in entry.text for entry in stage.model.log)

    at_table(play)


@pytest.mark.parametrize("game", ["tris", "forza", "santorini", "eriantys"])
def test_everything_fits_80_columns_and_24_rows_and_larger_screens(game: str) -> None:
    async def play(stage: on.Stage, place: on.Place) -> None:
        for width, height in ((80, 24), (160, 50), (90, 28)):
            await stage.pilot.resize_terminal(width, height)
            await stage.until(lambda: any("Leave" in line for line in stage.text().splitlines()[height - 1 :]))  # noqa: B023 - called in this round
            board = stage.table.board
            assert board is not None
            assert board.region.width >= board.canvas.width
            assert board.region.height >= board.canvas.height
            assert "Ada" in stage.text()

    seats = 4 if game == "eriantys" else 2
    options = {"mode": "expert"} if game == "eriantys" else None
    at_table(play, game, seats=seats, bots=("", *["greedy"] * (seats - 1)), options=options)


def test_no_color_leaves_no_colour(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NO_COLOR", "1")

    async def play(stage: on.Stage, place: on.Place) -> None:
        for strip in stage.app.screen._compositor.render_strips():
            for segment in strip:
                style = segment.style
                assert style is None or style.color is None or style.color.is_default
                assert style is None or style.bgcolor is None or style.bgcolor.is_default

    at_table(play)
