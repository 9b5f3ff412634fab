"""Somebody at a browser: what people do in the lobby and at a table, by the names that the page shows."""

from __future__ import annotations

import random
import re
from contextlib import suppress
from typing import Final

from playwright.sync_api import Error, Locator, Page, expect

OFFERS: Final = {
    "Tris": ".cell.legal",
}
"""What a person can click to choose something, by game."""

SLOW: Final = 15_000.0


class Person:
    """One person, in a browser window of its own."""

    def __init__(self, page: Page, game: str, seed: int = 0) -> None:
        self.page = page
        self.game = game
        self._random = random.Random(seed)

    def quick_play(self) -> Person:
        """Play the computer."""
        card = self.page.locator("li.game").filter(has_text=self.game)
        card.get_by_role("button", name="Play the computer").click()
        return self

    def open_table(self, *, private: bool = False, **fields: str) -> Person:
        """Open a table by the form; `fields` are labels and what to choose there."""
        form = self.page.get_by_role("region", name="Open a table")
        form.get_by_role("combobox", name="Game").select_option(label=self.game)
        for label, option in fields.items():
            form.get_by_role("combobox", name=label.replace("_", " ")).select_option(label=option)
        if private:
            form.get_by_label("Private: only with a link").check()
        form.get_by_role("button", name="Open the table").click()
        return self

    def sit_down(self) -> Person:
        """Take the free seat at the first table that has one."""
        self.page.get_by_role("button", name="Sit down").first.click()
        return self

    def watch(self) -> Person:
        """Watch the first table."""
        self.page.get_by_role("link", name="Watch").first.click()
        return self

    @property
    def offers(self) -> Locator:
        """What can be chosen now."""
        return self.page.locator(OFFERS[self.game])

    @property
    def sentence(self) -> Locator:
        """What is asked, or how it ended."""
        return self.page.locator(".ask .sentence")

    @property
    def moves(self) -> Locator:
        """The lines of the move list."""
        return self.page.get_by_role("list", name="Moves").get_by_role("listitem")

    def is_asked(self) -> bool:
        """Whether this person has something to choose."""
        return self.offers.count() > 0

    def is_over(self) -> bool:
        """Whether the match has ended."""
        return self.page.get_by_role("link", name="Replay").count() > 0

    def choose(self) -> None:
        """Click anything that is offered."""
        offers = self.offers
        number = offers.count()
        if number:
            with suppress(Error):  # it was offered a moment ago, before the last answer came
                offers.nth(self._random.randrange(number)).click(timeout=500)

    def expect_over(self) -> None:
        """Wait for the end."""
        expect(self.page.get_by_role("link", name="Replay")).to_be_visible(timeout=SLOW)


def play_out(*people: Person, most: int = 2000) -> None:
    """Let people choose at random until the match is over."""
    for _ in range(most):
        if all(person.is_over() for person in people):
            return
        busy = False
        for person in people:
            if person.is_asked():
                person.choose()
                busy = True
        if not busy:
            people[0].page.wait_for_timeout(15)
    raise AssertionError(f"not over after {most} choices: {[person.sentence.inner_text() for person in people]}")


def match_of(page: Page) -> str:
    """The match that an address names."""
    found = re.search(r"#/(?:table|replay)/([^/]+)", page.url)
    assert found is not None, page.url
    return found[1]
