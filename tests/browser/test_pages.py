"""Every page is for everybody: by screen reader, with poor sight, on a small screen, by finger, in both languages.

Each page is reached once and then looked at in several ways: by all rules in every theme and language, and in wide and
narrow windows.
"""

from __future__ import annotations

from typing import Final, Literal

import pytest
from playwright.sync_api import Page, expect

from .conftest import ROOT, Open
from .scenes import FRESH, SCENES, gods, santorini, speak
from .site import Site

AXE: Final = ROOT / "web" / "node_modules" / "axe-core" / "axe.min.js"
RULES: Final = ["wcag2a", "wcag2aa", "wcag21aa", "wcag22aa"]
COLOURS: Final = ["color-contrast", "link-in-text-block"]
"""All that another theme can change: the page is the same otherwise."""

_AXE: Final = """async rules => (await axe.run(document, {runOnly: rules, resultTypes: ['violations']})).violations.map(
    one => `${one.id}: ${one.nodes.slice(0, 4).map(node => node.target + ' ' + node.failureSummary).join(' | ')}`)"""

_CUT: Final = """() => {
    const width = document.documentElement.clientWidth
    const scrolls = one => /auto|scroll|hidden|clip/.test(getComputedStyle(one).overflowX)
    const within = one => { for (let up = one.parentElement; up; up = up.parentElement) if (scrolls(up)) return true }
    const cut = [...document.querySelectorAll('body *')].filter(one => {
        const box = one.getBoundingClientRect()
        return box.width > 1 && (box.right > width + 1 || box.left < -1) && !within(one)
    }).map(one => `${one.tagName}.${one.getAttribute('class')} is outside`)
    const wide = document.documentElement.scrollWidth - width
    return wide > 0 ? [`the page is ${wide} px too wide`, ...cut] : cut
}"""

_SMALL: Final = """([least, dense]) => {
    const board = '.squares, [data-group], ol'
    const all = [...document.querySelectorAll('button, a[href], input, select, summary, [role=button]')]
    return all.filter(one => !one.disabled && one.checkVisibility({visibilityProperty: true})).flatMap(one => {
        const target = one.matches('input[type=checkbox], input[type=radio]') ? one.closest('label') ?? one : one
        const box = target.getBoundingClientRect()
        const size = Math.min(box.width, box.height)
        const wanted = one.closest(board) ? dense : least
        return box.width <= 1 || size >= wanted - 0.5
            ? [] : [`${one.tagName}.${one.getAttribute('class')} "${one.ariaLabel ?? one.innerText}" is ${size} px`]
    })
}"""

_MOVING: Final = """() => [...document.querySelectorAll('body *')].filter(one => {
    const style = getComputedStyle(one)
    return `${style.transitionDuration},${style.animationDuration}`.split(',').some(time => parseFloat(time) > 0.001)
}).map(one => `${one.tagName}.${one.getAttribute('class')} moves`)"""

_SETTLE: Final = """async () => {
    await new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))
    for (const one of document.getAnimations()) if (one.effect.getTiming().iterations !== Infinity) one.finish()
}"""

_ODD: Final = """() => document.body.innerText.match(/undefined|\\[object|NaN|=>|\\$\\{/g) ?? []"""


def axe(page: Page, rules: list[str] = RULES) -> list[str]:
    """What the accessibility rules say against the page as it is."""
    if not page.evaluate("'axe' in window"):
        page.evaluate(AXE.read_text())
    found: list[str] = page.evaluate(_AXE, rules)
    return found


def paint(page: Page, theme: Literal["light", "dark"]) -> None:
    """Have a theme, and wait until nothing changes its colour any more."""
    page.emulate_media(color_scheme=theme, reduced_motion="reduce")
    expect(page.locator("html")).to_have_attribute("data-theme", theme)
    settle(page)


def resize(page: Page, width: int, height: int) -> None:
    """Have another window, and let the page find its place in it."""
    page.set_viewport_size({"width": width, "height": height})
    settle(page)


def settle(page: Page) -> None:
    """Let the page draw what has changed."""
    page.evaluate(_SETTLE)


def _still(visit: Open) -> Open:
    """The same, for somebody who wants nothing to move."""
    return lambda path="/", **context: visit(path, reduced_motion="reduce", **context)


@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=[pytest.mark.own_server] if name in FRESH else []) for name in SCENES]
)
def test_a_page_is_accessible_and_fits_every_window(visit: Open, site: Site, name: str) -> None:
    page = SCENES[name](_still(visit), site)
    page.evaluate("scrollTo(0, 0)")  # the header may lie over something else
    paint(page, "light")
    faults = {"light": axe(page), "motion": page.evaluate(_MOVING)}
    paint(page, "dark")
    faults["dark"] = axe(page, COLOURS)
    faults["wide"] = page.evaluate(_CUT)
    resize(page, 640, 400)  # what 1280 by 800 is at 200 %
    faults["zoomed"] = page.evaluate(_CUT)
    resize(page, 360, 740)
    faults["narrow"] = page.evaluate(_CUT)
    faults["fingers"] = page.evaluate(_SMALL, [40, 24])
    faults["words"] = page.evaluate(_ODD)
    speak(page, "Italiano")
    settle(page)
    faults["Italian, dark, narrow"] = page.evaluate(_CUT) + axe(page) + page.evaluate(_ODD)
    resize(page, 1280, 800)
    paint(page, "light")
    faults["Italian, light, wide"] = page.evaluate(_CUT) + axe(page)
    told = [f"{where}: {what}" for where, found in faults.items() for what in found]
    assert not told, "\n".join(told)


def test_the_wheel_scrolls_over_the_3d_board_and_zooms_with_ctrl(visit: Open, site: Site) -> None:
    page = santorini(visit, site)
    resize(page, 1280, 520)  # higher than a phone on its side, whose board scrolls by itself
    square = page.locator(".squares [data-square='12']")
    page.locator("canvas").hover()
    before = square.bounding_box()
    page.mouse.wheel(0, 60)
    page.wait_for_function("() => scrollY > 0")
    after = square.bounding_box()
    assert before is not None
    assert after is not None
    assert after["width"] == pytest.approx(before["width"], abs=1)
    page.keyboard.down("Control")
    page.mouse.wheel(0, -240)
    page.keyboard.up("Control")
    page.wait_for_function(
        "least => document.querySelector(\".squares [data-square='12']\").getBoundingClientRect().width > least",
        arg=before["width"] * 1.05,
    )


def test_arrow_keys_go_from_god_to_god_and_the_tab_key_stops_once(visit: Open, site: Site) -> None:
    page = gods(visit, site)
    cards = page.locator("button.god")
    assert page.locator("button.god[tabindex='0']").count() == 1
    cards.first.focus()
    page.keyboard.press("ArrowRight")
    expect(cards.nth(1)).to_be_focused()
    page.keyboard.press("ArrowDown")
    expect(cards.nth(4)).to_be_focused()  # three in a row
    page.keyboard.press("End")
    expect(cards.last).to_be_focused()
    page.keyboard.press("Home")
    page.keyboard.press("Enter")
    page.get_by_role("button", name="Apollo", exact=False).and_(page.locator(".confirm")).press("Enter")
    expect(page.get_by_role("list", name="Moves")).to_contain_text("Apollo")


def test_a_page_changes_its_language_in_place(visit: Open, site: Site) -> None:
    page = santorini(visit, site)
    page.get_by_label("Settings").click()
    page.get_by_role("combobox", name="Language").select_option(label="Italiano")
    expect(page.get_by_role("button", name="Arrenditi")).to_be_visible()
    for words in ("Your turn", "greedy bot"):
        expect(page.get_by_text(words)).to_have_count(0)
    assert page.evaluate(_ODD) == []
    assert axe(page) == []
