"""Moderation in a browser: a report reaches a moderator, who mutes, closes the table and announces."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from playwright.sync_api import expect

from .conftest import Open
from .person import Person
from .scenes import administer, named
from .site import Site


@pytest.mark.own_server
def test_a_report_leads_to_a_closed_table_and_an_announcement(visit: Open, site: Site) -> None:
    rude = Person(named(visit, site, "Bruno"), "Tris").open_table()
    ada = named(visit, site, "Ada")
    Person(ada, "Tris").sit_down(rude)
    ada.get_by_text("Report", exact=True).click()
    ada.get_by_label("In your words").fill("he says <b>rude</b> words")
    ada.get_by_role("button", name="Send the report").click()
    expect(ada.get_by_text("The moderators have your report")).to_be_visible()

    desk = administer(visit, site, "reports")
    expect(desk.get_by_text("he says <b>rude</b> words")).to_be_visible()
    expect(desk.get_by_text("about Bruno")).to_be_visible()
    desk.get_by_placeholder("Answer").fill("closed the table")
    desk.get_by_role("button", name="Close the report").click()
    expect(desk.get_by_text("Nothing here")).to_be_visible()

    desk.get_by_role("link", name="Tables").click()
    desk.get_by_role("button", name="Mute").nth(1).click()
    desk.get_by_role("button", name="Yes").click()
    expect(desk.get_by_text("Done: mute guest:")).to_be_visible()
    rude.page.get_by_placeholder("Say something").fill("hello")
    rude.page.get_by_role("button", name="Send", exact=True).click()
    expect(rude.page.get_by_text("A moderator has muted you")).to_be_visible()

    desk.get_by_role("button", name="Close the table").click()
    desk.get_by_role("button", name="Yes").click()
    for page in (ada, rude.page):
        expect(page.get_by_text("a moderator closed the table").first).to_be_visible()

    desk.get_by_role("link", name="Announce").click()
    desk.get_by_role("textbox", name="Announcement").fill("Be kind.")
    desk.get_by_role("button", name="Announce", exact=True).click()
    expect(ada.get_by_text("Be kind.")).to_be_visible()
    ada.get_by_role("button", name="Dismiss").click()
    expect(ada.get_by_text("Be kind.")).to_have_count(0)

    desk.get_by_role("link", name="Audit log").click()
    expect(desk.get_by_role("listitem").filter(has_text="announce")).to_have_count(1)
    expect(desk.get_by_role("listitem").filter(has_text="resolve")).to_have_count(1)


def test_the_page_of_administration_is_closed_to_guests(visit: Open, site: Site) -> None:
    page = named(visit, site, "Ada")
    page.get_by_label("Settings").click()
    expect(page.get_by_role("link", name="Privacy")).to_be_visible()
    expect(page.get_by_role("link", name="Administration")).to_have_count(0)
    page.goto(f"{site.address}/#/admin")
    page.get_by_label("Access token").fill("not-a-token-of-this-server")
    page.get_by_role("button", name="Enter").click()
    expect(page.get_by_role("alert")).to_have_text("This page is for moderators and admins.")
    expect(page.get_by_role("navigation", name="Administration")).to_have_count(0)


def test_a_guest_downloads_what_is_stored_about_it(visit: Open, site: Site, tmp_path: Path) -> None:
    page = named(visit, site, "Ada")
    Person(page, "Tris").open_table()
    expect(page).to_have_url(re.compile("#/table/"))  # the page goes there once the server has opened it
    page.goto(f"{site.address}/#/privacy")
    with page.expect_download() as download:
        page.get_by_role("button", name="Download my data").click()
    file = tmp_path / "data.json"
    download.value.save_as(file)
    data = json.loads(file.read_text())
    assert data["account"] is None
    assert [match["players"][match["seat"]] for match in data["matches"]] == ["Ada"]
