"""Somebody at a browser: what people do in the lobby and at a table, by the names that the page shows."""

from __future__ import annotations

import random
import re
import subprocess
import sys
import time
from collections.abc import Callable
from typing import Final

from playwright.sync_api import Locator, Page, expect

from .site import Site

OFFERS: Final = {
    "Santorini": ".squares button.can, .menu button:not(.back), .buttons button, button.god:not(.taken)",
    "Eriantys": "[data-pick][data-lit=true]",
}
"""What a person can click to choose something, in games where it is not what has the class `legal`."""

PATIENCE: Final = 30_000.0
"""Timeout in milliseconds, for a machine that is slow and busy."""

_AIM: Final = """([offers, luck]) => {
    const sure = document.querySelector('button.confirm:enabled')
    const all = sure ? [sure] : [...document.querySelectorAll(offers)].filter(one => !one.disabled)
    if (all.length === 0) return null
    const one = all[Math.floor(luck * all.length)]
    one.scrollIntoView({block: 'nearest', behavior: 'instant'})
    const box = one.getBoundingClientRect()
    const at = [box.x + box.width / 2, box.y + box.height / 2]
    return one.contains(document.elementFromPoint(...at)) ? at : null
}"""


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
        card.get_by_role("button", name="Start the game").click()
        return self.at_table()

    def open_table(self, *, private: bool = False, **fields: str) -> Person:
        """Open a table by the form; `fields` are labels and what to choose there."""
        form = self.page.get_by_role("region", name="Open a table")
        form.get_by_role("combobox", name="Game").select_option(label=self.game)
        for label, option in fields.items():
            form.get_by_role("combobox", name=label.replace("_", " "), exact=True).select_option(label=option)
        if private:
            form.get_by_label("Private: only with a link").check()
        form.get_by_role("button", name="Open the table").click()
        return self.at_table()

    def sit_down(self, host: Person) -> Person:
        """Take a free seat at somebody's table, whatever others are in the list."""
        self.listed(host).get_by_role("button", name=f"Sit down: {self.game}").click()
        return self.at_table()

    def watch(self, host: Person) -> Person:
        """Watch somebody's table."""
        self.listed(host).get_by_role("link", name=f"Watch: {self.game}").click()
        return self.at_table()

    def at_table(self) -> Person:
        """Wait until the page has gone to the table: a test that goes elsewhere before would be brought back."""
        expect(self.page).to_have_url(re.compile("#/table/"))
        return self

    def listed(self, host: Person) -> Locator:
        """Somebody's table in the list of the lobby."""
        expect(host.page).to_have_url(re.compile("#/table/"))
        link = self.page.locator(f"a[href='#/table/{match_of(host.page)}']")
        return self.page.get_by_role("region", name="Tables").get_by_role("listitem").filter(has=link)

    @property
    def offers(self) -> Locator:
        """What can be chosen now."""
        return self.page.locator(OFFERS.get(self.game, ".legal"))

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
        return self.page.locator(".ask.over").count() > 0

    def choose(self) -> bool:
        """Click in the middle of anything that is offered; False if nothing is, or something lies over it just now."""
        at = self.page.evaluate(_AIM, [OFFERS.get(self.game, ".legal"), self._random.random()])
        if at is not None:
            self.page.mouse.click(*at)
        return at is not None

    def expect_over(self) -> None:
        """Wait for the end."""
        expect(self.page.get_by_role("link", name="Replay")).to_be_visible()


def until(page: Page, holds: Callable[[], bool]) -> None:
    """Wait until something holds, for as long as it may take."""
    end = time.monotonic() + PATIENCE / 1000
    while not holds():
        assert time.monotonic() < end, page.locator("body").inner_text()
        page.wait_for_timeout(20)


def play_out(*people: Person, seconds: float = 180.0) -> None:
    """Let people choose at random until the match is over."""
    end = time.monotonic() + seconds
    while True:
        chosen = [person.choose() for person in people]
        if not any(chosen):
            if all(person.is_over() for person in people):
                return
            people[0].page.wait_for_timeout(10)
        assert time.monotonic() < end, [person.sentence.inner_text() for person in people]


def join_as(site: Site, dialect: str, game: str, **more: object) -> subprocess.Popen[bytes]:
    """Let a program that speaks `dialect` come to a table: our own bot, in a process of its own."""
    flags = [word for name, value in more.items() for word in (f"--{name}", str(value))]
    address = f"127.0.0.1:{site.ports[dialect]}"
    command = [sys.executable, "-m", "boardwire", "bot", game, "--dialect", dialect, "--connect", address]
    return subprocess.Popen([*command, *flags], stdout=subprocess.DEVNULL)


def match_of(page: Page) -> str:
    """The match that an address names."""
    found = re.search(r"#/(?:table|replay)/([^/]+)", page.url)
    assert found is not None, page.url
    return found[1]
