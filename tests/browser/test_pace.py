"""The steps of others are shown one after the other, and whoever wants sees the newest at once."""

from __future__ import annotations

import itertools
import re

from playwright.sync_api import expect

from .conftest import Open
from .person import Person, until
from .scenes import eriantys, named
from .site import Site


def test_the_steps_of_the_computer_come_one_after_the_other(visit: Open, site: Site) -> None:
    page = eriantys(lambda path="/", **more: visit(path, pace="normal", **more), site, many=0)
    ann = Person(page, "Eriantys", seed=1)
    counts: list[int] = []

    def plays_on() -> bool:
        counts.append(ann.moves.count())
        if page.get_by_role("button", name="Skip", exact=True).count() == 0:
            ann.choose()
        return max(counts) > 20

    until(page, plays_on)
    grown = [after - before for before, after in itertools.pairwise(counts)]
    assert max(grown[1:]) <= 4, grown  # a step may have several lines, but no turn comes as a whole


def test_pressing_skip_or_the_board_shows_the_newest_position(visit: Open, site: Site) -> None:
    page = named(visit, site, "Ada", pace="slow")
    Person(page, "Tris").quick_play()
    for row, words in ((2, "Skip"), (3, "")):
        page.locator(".cell.legal").first.wait_for()
        page.get_by_role("button", name=re.compile(f"row {row}, column .: free")).first.click()
        expect(page.get_by_role("button", name="Skip", exact=True)).to_be_visible()
        if words:
            page.get_by_role("button", name=words, exact=True).click()
        else:
            page.locator(".cell:not(.legal)").first.click(force=True)
        expect(page.get_by_role("button", name="Skip", exact=True)).to_have_count(0)
        expect(page.get_by_role("button", name=": O of")).to_have_count(row - 1)


def test_the_speed_is_a_setting(visit: Open, site: Site) -> None:
    page = named(visit, site, "Ada", pace="slow")
    page.get_by_label("Settings").click()
    page.get_by_role("combobox", name="Speed of the others").select_option(label="all at once")
    page.keyboard.press("Escape")
    Person(page, "Tris").quick_play()
    page.get_by_role("button", name="row 2, column 2: free").click()
    expect(page.get_by_role("button", name=": O of")).to_have_count(1)
    expect(page.get_by_role("button", name="Skip", exact=True)).to_have_count(0)
