"""The wire in the page: what a client would have seen, along with a replay; and what passes at a table."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

from .conftest import Open
from .person import Person, play_out
from .scenes import named
from .site import Site


def test_the_wire_of_a_replay_steps_along_with_the_board(visit: Open, site: Site) -> None:
    ann = Person(named(visit, site, "Ada"), "Tris", seed=5).quick_play()
    play_out(ann)
    page = ann.page
    page.get_by_role("link", name="Replay").click()
    page.keyboard.press("Home")
    page.get_by_role("button", name="Wire").click()
    panel = page.get_by_role("region", name="What a client would have seen")
    page.get_by_role("combobox", name="As").select_option("tris-lines")
    page.get_by_role("combobox", name="Seat").select_option("0")
    rows = panel.get_by_role("listitem")
    expect(rows.filter(has_text="READY")).to_have_count(1)
    expect(rows.filter(has_text=re.compile("OK"))).not_to_have_count(0)
    later = panel.locator(".row.later")
    expect(panel.locator(".row:not(.later)").filter(has_text="OK")).to_have_count(0)
    count = later.count()
    page.keyboard.press("ArrowRight")
    expect(later).not_to_have_count(count)
    expect(panel.locator(".row:not(.later)").filter(has_text="OK")).to_have_count(1)
    page.keyboard.press("End")
    expect(later).to_have_count(0)
    expect(panel.locator(".at").filter(has_text="started")).to_have_count(1)
    rows.filter(has_text="READY").get_by_role("button").click()
    expect(panel.get_by_label("Decoded")).to_contain_text("READY")


@pytest.mark.own_server
def test_the_wire_of_a_table_is_live_where_the_server_is_inspected(visit: Open, site: Site) -> None:
    ann = Person(named(visit, site, "Ada"), "Tris").quick_play()
    expect(ann.page.get_by_role("button", name="Resign")).to_be_visible()
    expect(ann.page.get_by_role("button", name="Wire")).to_have_count(0)
    site.kill()
    site.flags = ["--inspect", "--inspect-token", "a-token-that-nobody-guesses"]
    site.start()
    bea = Person(named(visit, site, "Bea"), "Tris", seed=1).quick_play()
    page = bea.page
    page.get_by_role("button", name="Resign").wait_for()
    page.get_by_role("button", name="Wire").click()
    page.get_by_label("Inspect token").fill("a-token-that-nobody-guesses")
    page.get_by_role("button", name="Show").click()
    panel = page.get_by_role("region", name="Live messages at this table")
    expect(panel.get_by_role("listitem").filter(has_text="seated")).to_have_count(1)
    count = panel.get_by_role("listitem").filter(has_text="step").count()
    bea.choose()
    expect(panel.get_by_role("listitem").filter(has_text="step")).not_to_have_count(count)
    expect(panel.get_by_role("tab", name="Bea (native)")).to_be_visible()
