"""Replays: steps forth and back, the slider, the analysis."""

from __future__ import annotations

from boardwire.terminal.app.matches_screen import MatchesScreen
from boardwire.terminal.app.replay_screen import ReplayScreen, Slider

from . import stage as on


def replayed(stage: on.Stage) -> ReplayScreen:
    screen = stage.app.screen
    assert isinstance(screen, ReplayScreen)
    return screen


def test_a_stored_match_is_replayed_and_analysed() -> None:
    async def scenario() -> None:
        async with on.place() as place, on.stage(place.server) as stage:
            await stage.connected()
            await stage.open("tris", bots=("", "greedy"))
            for _ in range(9):
                await stage.until(lambda: stage.is_asked() or stage.is_over())
                if stage.is_over():
                    break
                await stage.choose_first()
            moves = stage.session.state.moves
            await stage.pilot.press("f10")
            await stage.until(lambda: stage.app.screen is not None and len(stage.app.screen_stack) == 2)
            await stage.pilot.press("r")
            await stage.until(lambda: isinstance(stage.app.screen, MatchesScreen) and "1 matches" in stage.text())
            await stage.pilot.press("enter")
            await stage.until(lambda: f"Step 0 of {moves}" in stage.text())
            await stage.pilot.press("right")
            await stage.until(lambda: "Ada takes cell 0." in stage.text())
            await stage.pilot.press("end")
            await stage.until(lambda: "The end: greedy bot 2 (line)." in stage.text())
            await stage.pilot.press("left", "home")
            await stage.until(lambda: "Step 0" in stage.text())
            await stage.pilot.click(Slider, offset=(79, 0))
            await stage.until(lambda: f"Step {moves} of" in stage.text())
            await stage.pilot.press("home", "space")
            await stage.until(lambda: "Step 2" in stage.text())
            await stage.pilot.press("space", "a")
            await stage.until(lambda: "Analysed" in stage.text(), 40)
            await stage.pilot.press("m")
            await stage.until(lambda: "best" in stage.text())
            await stage.pilot.press("escape")
            await stage.until(lambda: isinstance(stage.app.screen, MatchesScreen))

    on.run(scenario)


def test_a_match_that_is_not_there_is_said() -> None:
    async def scenario() -> None:
        async with on.place() as place, on.stage(place.server) as stage:
            await stage.connected()
            stage.app.push_screen(ReplayScreen(place.server, "nowhere"))
            await stage.until(lambda: "nowhere" in stage.text() and "no match" in stage.text())
            await stage.pilot.press("right", "end", "space", "m", "a")
            assert replayed(stage) is stage.app.screen

    on.run(scenario)
