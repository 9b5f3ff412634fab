"""Quick pairing in the lobby: one press leads to whoever waits for the same game, mode and clock."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from .conftest import Open
from .scenes import named
from .site import Site


def press(page: Page, game: str, clock: str, mode: str = "") -> None:
    """Choose and play."""
    quick = page.get_by_role("region", name="Quick game")
    quick.get_by_role("radio", name=game).click()
    if mode:
        quick.get_by_role("radio", name=mode).click()
    quick.get_by_role("button", name=clock).click()


@pytest.mark.own_server
def test_two_who_want_the_same_meet_and_others_do_not(visit: Open, site: Site) -> None:
    ada = named(visit, site, "Ada")
    press(ada, "Eriantys", "10+5", "expert")
    expect(ada.get_by_text("Waiting for")).to_be_visible()
    bruno = named(visit, site, "Bruno")
    quick = bruno.get_by_role("region", name="Quick game")
    quick.get_by_role("radio", name="Eriantys").click()
    expect(quick.get_by_text("1 waiting")).to_have_count(0)  # simplified is something else
    press(bruno, "Eriantys", "3+2", "expert")
    expect(bruno.get_by_text("Waiting for")).to_be_visible()
    chiara = named(visit, site, "Chiara")
    press(chiara, "Eriantys", "10+5", "expert")
    expect(chiara).to_have_url(ada.url)
    expect(ada.locator(".players")).to_contain_text("Chiara")
    chiara.reload()  # what was chosen is remembered for the next time
    assert chiara.evaluate("localStorage['boardwire.quick.game']") == "eriantys"


@pytest.mark.own_server
def test_two_who_press_at_the_same_moment_meet(visit: Open, site: Site) -> None:
    ada, bruno = named(visit, site, "Ada"), named(visit, site, "Bruno")
    for page in (ada, bruno):
        page.get_by_role("region", name="Quick game").get_by_role("radio", name="Tris").click()
    for page in (ada, bruno):  # neither has heard of the other's table when it presses
        page.evaluate("document.querySelectorAll('.quick .clocks button')[3].click()")
    expect(ada.locator(".players")).to_contain_text("Bruno")
    expect(bruno.locator(".players")).to_contain_text("Ada")
    expect(bruno).to_have_url(ada.url)


@pytest.mark.parametrize("size", [{"width": 1280, "height": 800}, {"width": 390, "height": 844}])
def test_it_is_above_the_fold(visit: Open, site: Site, size: dict[str, int]) -> None:
    page = named(visit, site, "Ada", viewport=size)
    box = page.get_by_role("button", name="10+5").bounding_box()
    assert box is not None
    assert box["y"] + box["height"] < size["height"]
