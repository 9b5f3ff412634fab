"""A connection on which nothing is heard any more, while it is still open."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from .conftest import Open
from .person import Person
from .site import Site

TRIS = "Tris"


@pytest.mark.own_server
def test_a_step_without_an_answer_is_shown_as_such_and_is_done_once(visit: Open, site: Site) -> None:
    ann = Person(visit(), TRIS).quick_play()
    page = ann.page
    cell = page.get_by_role("button", name="row 2, column 2: free")
    expect(page.locator(".cell.legal")).to_have_count(9)
    site.pause()
    try:
        cell.click()
        expect(page.locator(".ask")).to_have_attribute("aria-busy", "true")
        expect(page.locator(".cell.legal")).to_have_count(0)
        cell.click(force=True)
        expect(page.get_by_text("No answer from the server yet.")).to_be_visible()
        expect(page.get_by_text("No answer; trying again…")).to_be_visible()
    finally:
        site.go_on()
    expect(page.get_by_role("button", name="row 2, column 2: X of")).to_be_visible()
    expect(page.get_by_text("Connected", exact=True)).to_be_visible()
    expect(ann.moves.filter(has_text="row 2, column 2")).to_have_count(1)


@pytest.mark.own_server
def test_a_stalled_server_is_noticed_without_a_click(visit: Open, site: Site) -> None:
    ann = Person(visit(), TRIS).quick_play()
    expect(ann.page.locator(".cell.legal")).to_have_count(9)
    site.pause()
    try:
        expect(ann.page.get_by_text("trying again…").first).to_be_visible()
        expect(ann.page.locator(".cell.legal")).to_have_count(0)
    finally:
        site.go_on()
    expect(ann.page.locator(".cell.legal")).to_have_count(9)
