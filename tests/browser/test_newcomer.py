"""A newcomer on a phone, upright and on its side, plays each game to the end: the board stays on the screen."""

from __future__ import annotations

import pytest
from playwright.sync_api import ViewportSize, expect

from .conftest import Open
from .person import Person
from .test_layout import LYING, UPRIGHT

_PLAY: str = """board => new Promise((done, fail) => {
    const offers = '.cell.legal, .column.legal, .squares button.can, .menu button:not(.back), .buttons button, '
        + '[data-pick][data-lit=true]'
    const lost = new Set()
    let idle = 0
    const timer = setInterval(() => {
        try {
            if (document.querySelector('.ask.over')) { clearInterval(timer); done([...lost]); return }
            const all = [...document.querySelectorAll(offers)].filter(one => !one.disabled)
            if (all.length === 0) {
                const asked = document.querySelector('.ask')
                if ((idle += 1) > 3000) throw new Error('nothing to choose: ' + asked?.innerText)
                return
            }
            idle = 0
            const one = all[Math.floor(Math.random() * all.length)]
            const seen = document.querySelector(board).getBoundingClientRect()
            const shown = Math.min(innerHeight, seen.bottom) - Math.max(0, seen.top)
            if (scrollY > 0) lost.add(`scrolled by ${scrollY}`)
            if (shown < Math.min(innerHeight, seen.height) / 2) lost.add(`board: ${shown} of ${seen.height}`)
            const {top, bottom} = one.getBoundingClientRect(), name = one.dataset.pick ?? one.className
            if (top < 0 || bottom > innerHeight + 1) lost.add(`${name}: ${Math.round(top)} to ${Math.round(bottom)}`)
            one.dispatchEvent(new MouseEvent('click', {bubbles: true, cancelable: true}))
        } catch (error) { clearInterval(timer); fail(error) }
    }, 15)
})"""
"""Choose at random to the end; choices that were not wholly on the screen, and where the board was not seen."""

BOARDS = {"Tris": ".board .board", "Forza Quattro": ".board .board", "Santorini": ".plate", "Eriantys": ".eriantys"}


@pytest.mark.parametrize("size", [UPRIGHT, LYING], ids=["upright", "lying"])
@pytest.mark.parametrize("game", BOARDS)
def test_a_newcomer_plays_to_the_end_without_scrolling_the_board_away(
    visit: Open, game: str, size: ViewportSize
) -> None:
    page = visit(viewport=size, has_touch=True, is_mobile=True, reduced_motion="reduce")
    Person(page, game).quick_play()
    board = page.locator(BOARDS[game])
    expect(board).to_be_visible()
    expect(page.get_by_role("complementary", name="First game:")).to_be_attached()
    assert page.evaluate(_PLAY, BOARDS[game]) == []
    expect(page.locator(".ask.over")).to_be_in_viewport()
