"""The scoreboard of a course in a real browser: visitors, a team with its token, the teacher, the projector."""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Literal

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect
from tests.course.stored import TOKENS, store_run, write_course

from .conftest import ROOT
from .person import PATIENCE
from .test_pages import axe


@pytest.fixture
def course(tmp_path: Path) -> Iterator[tuple[str, Path]]:
    """The address of a served course, and its directory."""
    directory = tmp_path / "course"
    directory.mkdir()
    write_course(directory, "scores")
    store_run(directory)
    command = [sys.executable, "-m", "boardwire", "course", "serve", str(directory), "--listen", "127.0.0.1:0"]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True, cwd=ROOT)
    try:
        assert process.stdout is not None
        found = re.fullmatch(r"listening http (\S+)\n", process.stdout.readline())
        assert found is not None
        assert process.stdout.readline() == "ready\n"
        yield f"http://{found[1]}/", directory
    finally:
        process.terminate()
        process.communicate(timeout=30)
    assert process.returncode == 0


@pytest.fixture
def person(browser: Browser) -> Iterator[BrowserContext]:
    context = browser.new_context(locale="en-GB", viewport={"width": 1280, "height": 800})
    context.set_default_timeout(PATIENCE)
    errors: list[str] = []
    context.on("weberror", lambda error: errors.append(str(error.error)))
    yield context
    context.close()
    assert errors == []


def test_a_team_finds_its_finding_with_its_token(course: tuple[str, Path], person: BrowserContext) -> None:
    address, _ = course
    page = person.new_page()
    page.goto(address)
    expect(page.get_by_role("row", name="Rossi <b>")).to_contain_text("50%")
    expect(page.get_by_role("link", name=re.compile("finding"))).to_have_count(0)
    page.get_by_label("Token of your team").fill("not-a-token-of-this-course")
    page.get_by_role("button", name="Show").click()
    expect(page.get_by_text("This is not a token of the course.")).to_be_visible()
    page.get_by_role("button", name="Log out").click()
    page.get_by_label("Token of your team").fill(TOKENS["rossi"])
    page.get_by_role("button", name="Show").click()
    expect(page.get_by_text("You are Rossi <b>.")).to_be_visible()
    assert axe(page) == []
    page.get_by_role("link", name=re.compile("1 finding")).click()
    finding = page.get_by_role("article")
    expect(finding).to_contain_text("got OK")
    expect(finding).to_contain_text("docs/dialects/tris-lines.md, 5")
    expect(finding).to_contain_text("boardwire check tris-lines")
    expect(finding.get_by_role("listitem")).to_have_count(2)
    finding.get_by_role("button", name="Transcript").click()
    expect(finding.locator("pre")).to_have_text("transcript of rossi\n")
    assert axe(page) == []
    with person.expect_page() as opened:
        finding.get_by_role("link", name="Replay").click()
    expect(opened.value.get_by_text("Ann").first).to_be_visible()
    page.get_by_label("Language").select_option("it")
    expect(finding).to_contain_text("Suggerimento")


def test_the_teacher_opens_the_findings_of_all_teams(course: tuple[str, Path], person: BrowserContext) -> None:
    address, directory = course
    page = person.new_page()
    page.goto(f"{address}#token={TOKENS['teacher']}")
    expect(page.get_by_text("You are the teacher and see everything.")).to_be_visible()
    assert TOKENS["teacher"] not in page.url
    expect(page.get_by_role("link", name=re.compile("1 finding"))).to_have_count(2)
    visitor: Page = person.browser.new_page()
    visitor.goto(address)
    expect(visitor.get_by_role("row", name="verdi")).to_be_visible()
    expect(visitor.get_by_role("link", name=re.compile("finding"))).to_have_count(0)
    (directory / "course.toml").write_text("name = 3")
    expect(page.get_by_text("game is missing")).to_be_visible()
    write_course(directory, "open")
    expect(visitor.get_by_role("link", name=re.compile("1 finding"))).to_have_count(2)
    visitor.close()


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("size", [(390, 844), (1920, 1080)])
def test_every_screen_is_accessible_and_fits(
    course: tuple[str, Path], browser: Browser, scheme: Literal["light", "dark"], size: tuple[int, int]
) -> None:
    address, _ = course
    width, height = size
    context = browser.new_context(color_scheme=scheme, viewport={"width": width, "height": height})
    page = context.new_page()
    page.goto(f"{address}#token={TOKENS['teacher']}")
    expect(page.get_by_text("You are the teacher and see everything.")).to_be_visible()
    for place, words in (("", "verdi"), ("cell/verdi/server", "got OK"), ("projector", "Standings")):
        page.goto(f"{address}#/{place}")
        expect(page.get_by_text(words).first).to_be_visible()
        assert axe(page) == [], place
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), place
    expect(page.get_by_text("beats")).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.get_by_role("button", name="Run all teams now")).to_be_visible()
    context.close()
