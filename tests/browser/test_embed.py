"""A match on other sites: the preview of its link, and its replay in a frame."""

from __future__ import annotations

import re

from playwright.sync_api import Browser, Page, expect

from .conftest import Open
from .person import Person, match_of, play_out
from .site import Site


def finished_tris(visit: Open) -> Page:
    """Somebody who has played Tris to its end."""
    ada = Person(visit(), "Tris").quick_play()
    play_out(ada)
    return ada.page


def test_a_replay_is_framed_by_another_site_and_the_page_is_not(visit: Open, browser: Browser, site: Site) -> None:
    match = match_of(finished_tris(visit))
    other = browser.new_page()
    said: list[str] = []
    other.on("console", lambda message: said.append(message.text))
    other.route(
        re.compile("^http://other.example/"),
        lambda route: route.fulfill(
            content_type="text/html",
            body=f'<iframe src="{site.address}/{route.request.url.rpartition("?")[2]}" width=500 height=600></iframe>',
        ),
    )
    other.goto(f"http://other.example/?embed/{match}")
    frame = other.frame_locator("iframe")
    expect(frame.get_by_role("heading")).to_contain_text("Tris")
    expect(frame.get_by_role("grid", name="Tris board")).to_be_visible()
    position = frame.get_by_role("slider")
    expect(position).to_have_attribute("aria-label", re.compile("^Step 0"))
    frame.get_by_role("button", name="Forward").click()
    expect(position).to_have_attribute("aria-label", re.compile("^Step 1"))
    expect(frame.locator("header")).to_have_count(0)
    assert not said
    with other.expect_console_message(lambda message: "frame-ancestors" in message.text):
        other.goto("http://other.example/?")
    other.close()


def test_a_link_to_a_position_has_a_preview_and_leads_there(visit: Open, site: Site) -> None:
    page = finished_tris(visit)
    match = match_of(page)
    page.goto(f"{site.address}/#/replay/{match}")
    page.get_by_role("button", name="Forward").click()
    page.evaluate("navigator.clipboard.writeText = async text => { window.copied = text }")
    page.get_by_role("button", name="Copy a link to this position").click()
    link = page.evaluate("window.copied")
    assert link.startswith(f"{site.address}/match/{match}?at=")
    answer = page.request.get(link)
    picture = re.search(r'og:image" content="([^"]+)"', answer.text())
    assert picture is not None
    assert page.request.get(picture[1]).headers["content-type"] == "image/png"
    page.goto(link)
    expect(page).to_have_url(re.compile(rf"/#/replay/{match}/\d+$"))
    expect(page.get_by_role("grid", name="Tris board")).to_be_visible()
    page.get_by_role("button", name="Copy embed code").click()
