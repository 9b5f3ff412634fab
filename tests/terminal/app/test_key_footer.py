"""The footer of the terminal client: it shows the current keys and is composed again only when they change."""

from __future__ import annotations

from typing import ClassVar

from textual.app import App, ComposeResult
from textual.widgets import Input
from textual.widgets._footer import FooterKey

from boardwire.terminal.app.key_footer import KeyFooter

from . import stage as on


class CountingFooter(KeyFooter):
    """Footer that counts how often it is composed."""

    composed = 0

    def compose(self) -> ComposeResult:
        self.composed += 1
        yield from super().compose()


class TwoInputs(App[None]):
    """Screen with two inputs and a key."""

    BINDINGS: ClassVar = [("f1", "help", "Help")]

    def compose(self) -> ComposeResult:
        yield Input(id="first")
        yield Input(id="second")
        yield CountingFooter()


def test_the_footer_is_composed_again_for_other_keys_and_not_for_another_focus() -> None:
    async def scenario() -> None:
        app = TwoInputs()
        async with app.run_test() as pilot:
            await pilot.pause()
            footer = app.query_one(CountingFooter)
            assert [key.description for key in footer.query(FooterKey)] == ["Help"]
            composed = footer.composed
            await pilot.press("tab")
            await pilot.pause()
            assert app.focused is app.query_one("#second")
            assert footer.composed == composed
            app.bind("f2", "chat", description="Chat")
            app.refresh_bindings()
            while footer.composed == composed:
                await pilot.pause(0.02)
            await pilot.pause()
            assert [key.description for key in footer.query(FooterKey)] == ["Help", "Chat"]

    on.run(scenario)
