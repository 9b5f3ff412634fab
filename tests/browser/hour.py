"""Play in one browser tab for an hour, and what that leaves in memory: `python -m tests.browser.hour [MINUTES]`.

All games in turn against the computer, two matches and a replay of each, Santorini in 3D and flat.
Every five minutes, back in the lobby and after garbage collection, it prints the JavaScript heap, the nodes of
the document and the event listeners; the growth is from the fifth minute on.
"""

from __future__ import annotations

import sys
import tempfile
import time
from collections.abc import Iterator
from itertools import cycle
from pathlib import Path
from typing import Any, Final

from playwright.sync_api import Page, expect, sync_playwright

from .conftest import FLAGS, chromium
from .person import PATIENCE, Person
from .site import Site

MINUTES: Final = 60.0
INTERVAL: Final = 5 * 60.0
"""Seconds between two measurements."""
MATCHES: Final = 2
"""Matches of a game before the next game."""
ROUND: Final = (("Tris", ""), ("Santorini", "solid"), ("Forza Quattro", ""), ("Eriantys", ""), ("Santorini", "flat"))
"""The games, and how the board of Santorini is drawn."""

_PLAY: Final = """many => new Promise(done => {
    const offers = '.cell.legal, .column.legal, .squares button.can, .menu button:not(.back), .ask .buttons button, '
        + 'button.god:not(.taken), [data-pick][data-lit=true]'
    let over = 0, told = false
    const timer = setInterval(() => {
        const again = [...document.querySelectorAll('.ask.over button:enabled')]
            .find(one => one.textContent.trim() === 'Rematch')
        if (again) {
            if (told) return
            over += 1
            if (over === many) { clearInterval(timer); done(over); return }
            told = true
            again.click()
        } else {
            told = false
            const sure = document.querySelector('button.confirm:enabled')
            const all = sure ? [sure] : [...document.querySelectorAll(offers)].filter(one => !one.disabled)
            const one = all[Math.floor(Math.random() * all.length)]
            one?.dispatchEvent(new MouseEvent('click', {bubbles: true, cancelable: true})) // SVG has no click()
        }
    }, 40)
})"""
"""Choose at random until the given number of matches is over."""


def main(minutes: float = MINUTES) -> None:
    """Play and measure."""
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        site = Site(Path(folder) / "data")
        browser = playwright.chromium.launch(executable_path=chromium(), args=FLAGS)
        try:
            page = browser.new_page(locale="en-GB", viewport={"width": 480, "height": 720})
            page.set_default_timeout(PATIENCE)
            faults: list[str] = []
            page.on("pageerror", lambda error: faults.append(str(error)))
            page.add_init_script("localStorage['boardwire.preference.pace'] = 'instant'")
            page.goto(site.address)
            _measure_all(page, minutes)
            print(f"errors of the page: {faults or 'none'}")
        finally:
            browser.close()
            site.kill()


def _measure_all(page: Page, minutes: float) -> None:
    cdp = page.context.new_cdp_session(page)
    begin = time.monotonic()
    due, first, played = INTERVAL, 0.0, 0
    print("minute  matches  heap MB  growth  nodes  listeners", flush=True)
    _print(0.0, 0, _measure(page, cdp), 0.0)
    for matches in _play(page):
        played += matches
        now = time.monotonic() - begin
        if now < due:
            continue
        figures = _measure(page, cdp)
        first = first or figures[0]
        _print(now / 60, played, figures, first)
        due += INTERVAL
        if now >= minutes * 60:
            return


def _print(minute: float, played: int, figures: tuple[float, int, int], first: float) -> None:
    heap, nodes, listeners = figures
    growth = f"{heap / first - 1:+7.1%}" if first else "       "
    print(f"{minute:6.1f}  {played:7}  {heap:7.2f}  {growth}  {nodes:5}  {listeners:9}", flush=True)


def _play(page: Page) -> Iterator[int]:
    """Play the games in turn; gives how many matches were played, each time the page is back in the lobby."""
    for game, look in cycle(ROUND):
        if look:
            page.evaluate("look => localStorage['boardwire.santorini.look'] = look", look)
        Person(page, game).quick_play()
        played = page.evaluate(_PLAY, MATCHES)
        page.locator(".ask.over").get_by_role("link", name="Replay").click()
        expect(page.get_by_role("slider")).to_be_visible()
        page.keyboard.press("Home")
        page.get_by_role("link", name="boardwire, to the lobby").click()
        expect(page.get_by_role("button", name="Play the computer: Tris")).to_be_visible()
        yield played


def _measure(page: Page, cdp: Any) -> tuple[float, int, int]:
    """Megabytes of the heap, nodes and listeners that are in use."""
    page.wait_for_timeout(3000)
    for _ in range(4):
        cdp.send("HeapProfiler.collectGarbage")
    counters = cdp.send("Memory.getDOMCounters")
    heap = cdp.send("Runtime.getHeapUsage")["usedSize"] / 1e6
    return heap, counters["nodes"], counters["jsEventListeners"]


if __name__ == "__main__":
    main(*(float(word) for word in sys.argv[1:]))
