"""What many matches in a row leave behind: no nodes and no listeners."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import Page

from .conftest import Open
from .person import Person

_PLAY_ON = """many => new Promise(done => {
    let over = 0, told = false
    const timer = setInterval(() => {
        const buttons = [...document.querySelectorAll('button:enabled')]
        const again = buttons.find(one => one.textContent.trim() === 'Rematch')
        if (again && !told) {
            told = true
            again.click()
            over += 1
            if (over === many) { clearInterval(timer); done(over) }
        } else if (!again) {
            told = false
            const cells = [...document.querySelectorAll('.cell.legal, .column.legal')]
            cells[Math.floor(Math.random() * cells.length)]?.click()
        }
    }, 10)
})"""
"""Play at random, and again, until so many matches are over."""


def counted(page: Page, cdp: Any) -> tuple[int, int]:
    """Nodes and listeners that are in use, when a new match has begun and what is over was collected."""
    page.locator(".cell.legal, .column.legal").first.wait_for()
    for _ in range(3):
        cdp.send("HeapProfiler.collectGarbage")
    counters = cdp.send("Memory.getDOMCounters")
    return counters["nodes"], counters["jsEventListeners"]


@pytest.mark.parametrize("game", ["Tris", "Forza Quattro"])
def test_matches_leave_no_nodes_and_no_listeners_behind(visit: Open, game: str) -> None:
    page = visit(reduced_motion="reduce")
    Person(page, game).quick_play()
    cdp = page.context.new_cdp_session(page)
    page.evaluate(_PLAY_ON, 4)  # the first ones fetch what is needed at the end of a match
    nodes, listeners = counted(page, cdp)
    page.evaluate(_PLAY_ON, 8)
    now = counted(page, cdp)
    # A match that leaked its board would add some hundred nodes and about ten listeners each time.
    assert now[0] < nodes + 200, (nodes, now)
    assert now[1] < listeners + 10, (listeners, now)
