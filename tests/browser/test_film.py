"""Pictures and films of a match, and the sounds of its moves: made in the browser."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from .conftest import Open
from .person import Person, match_of, play_out
from .site import Site

COUNTED = """() => {
    window.sounds = 0
    const real = window.AudioContext
    window.AudioContext = class extends real { constructor() { super(); window.sounds += 1 } }
}"""


def replay_of_tris(visit: Open, site: Site) -> Page:
    ada = Person(visit(), "Tris").quick_play()
    play_out(ada)
    ada.page.goto(f"{site.address}/#/replay/{match_of(ada.page)}")
    return ada.page


@pytest.mark.parametrize(("button", "start"), [("Picture", b"\x89PNG"), ("GIF", b"GIF89a"), ("WebM", b"\x1aE\xdf\xa3")])
def test_a_match_is_saved_as_a_picture_or_a_film(
    visit: Open, site: Site, tmp_path: Path, button: str, start: bytes
) -> None:
    page = replay_of_tris(visit, site)
    with page.expect_download() as coming:
        page.get_by_role("button", name=button, exact=True).click()
    name = tmp_path / "film"
    coming.value.save_as(name)
    assert name.read_bytes().startswith(start)
    assert coming.value.suggested_filename.startswith("tris-")


def test_moves_are_heard_only_by_those_who_want_it(visit: Open) -> None:
    page = visit()
    page.evaluate(COUNTED)
    ada = Person(page, "Tris").quick_play()
    expect(page.locator(".cell.legal").first).to_be_attached()
    page.locator(".cell.legal").first.click()
    expect(page.locator(".mark:not(.ghost)")).to_have_count(2)
    assert page.evaluate("window.sounds") == 0
    page.get_by_label("Settings").click()
    page.get_by_label("Move sounds").check()
    page.get_by_label("Settings").click()
    ada.choose()
    page.wait_for_function("window.sounds === 1")
