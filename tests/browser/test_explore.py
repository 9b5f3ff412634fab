"""The analysis board: positions are set up, variations are played, shared, brought in and opened from a match."""

from __future__ import annotations

import base64
import json
import re
import zlib
from pathlib import Path
from typing import Any
from urllib.parse import quote

from playwright.sync_api import Page, expect

from .conftest import Open
from .person import Person, match_of, until
from .scenes import explored, finished, named
from .site import Site

FOUR = "......./......./......./......./oo...../xxx.... x"
"""Forza Quattro, where column 4 wins."""


def explore(visit: Open, site: Site, game: str, position: str = "", **context: object) -> Page:
    """Open the analysis board of a game."""
    page = named(visit, site, "Ada", "flat", **context)
    data = f"/{quote(f'position:{position}', safe='')}" if position else ""
    page.goto(f"{site.address}/#/analysis/{game}{data}")
    return page


def tree(page: Page) -> list[str]:
    """The turns of all lines, in the order in which they are shown."""
    return page.get_by_role("group", name="Variations").get_by_role("button").all_inner_texts()


def in_address(page: Page) -> Any:
    """Return the analysis that the address has: its position, tree and current line (`web/src/explore/link.ts`)."""
    data = page.url.rpartition("/")[2]
    packed = base64.urlsafe_b64decode(data + "=" * (-len(data) % 4))
    return json.loads(zlib.decompress(packed, -zlib.MAX_WBITS))


def test_variations_are_played_promoted_and_deleted_and_the_keys_go_through_them(visit: Open, site: Site) -> None:
    page = explore(visit, site, "tris")
    cell = page.locator(".legal")
    expect(cell).to_have_count(9)
    cell.nth(4).click()
    expect(cell).to_have_count(8)
    cell.nth(0).click()
    expect(page.get_by_role("group", name="Variations").get_by_role("button")).to_have_text(["4", "0"])
    page.keyboard.press("ArrowLeft")
    expect(cell).to_have_count(8)
    cell.nth(1).click()
    expect(page.get_by_role("group", name="Variations").get_by_role("button")).to_have_text(["4", "0", "1"])
    expect(page.locator("[aria-current=step]")).to_have_text("1")
    page.get_by_role("button", name="Make it the main line").click()
    expect(page.get_by_role("group", name="Variations").get_by_role("button")).to_have_text(["4", "1", "0"])
    page.keyboard.press("ArrowDown")
    expect(page.locator("[aria-current=step]")).to_have_text("0")
    page.keyboard.press("Delete")
    expect(page.get_by_role("group", name="Variations").get_by_role("button")).to_have_text(["4", "1"])
    page.get_by_role("button", name="Undo").click()
    expect(page.get_by_role("group", name="Variations").get_by_role("button")).to_have_text(["4", "1", "0"])
    page.keyboard.press("Home")
    expect(cell).to_have_count(9)
    expect(page.locator("[aria-current=step]")).to_have_count(0)
    # The address follows a moment later, because it is compressed; then it has it all.
    until(page, lambda: (in_address(page)["at"], len(in_address(page)["r"][3][0][3])) == ([], 2))
    page.reload()
    expect(page.get_by_role("group", name="Variations").get_by_role("button")).to_have_text(["4", "1", "0"])


def test_the_engine_shows_lines_that_can_be_played_and_the_bar_follows(visit: Open, site: Site) -> None:
    page = explore(visit, site, "forza", FOUR)
    line = page.get_by_role("region", name="Engine").get_by_role("listitem")
    expect(line).to_have_text(re.compile("wins with this turn"))
    expect(page.get_by_role("img", name=re.compile("^Evaluation: 100 %"))).to_be_visible()
    line.get_by_role("button").click()
    expect(page.locator(".ask")).to_contain_text("Player 1")
    expect(page.get_by_text("The match is over.")).to_be_visible()
    page.keyboard.press("ArrowLeft")
    page.get_by_role("combobox", name="Lines").select_option("3")
    expect(line).to_have_count(3)
    page.get_by_role("checkbox", name="Show engine lines").uncheck()
    expect(line).to_have_count(0)
    page.reload()
    expect(page.get_by_role("checkbox", name="Show engine lines")).not_to_be_checked()


def test_a_position_is_set_up_and_the_rules_judge_it(visit: Open, site: Site) -> None:
    page = explore(visit, site, "santorini")
    page.get_by_role("button", name="Set up a position").click()
    board = page.get_by_role("group", name="Board to set up")
    for brush, squares in (
        ("Worker of player 1", ("c3", "a1")),
        ("Worker of player 2", ("e1", "e5")),
        ("Block", ("d3",) * 3 + ("c3",) * 2),
    ):
        page.get_by_role("radio", name=brush).click()
        for square in squares:
            board.get_by_role("button", name=re.compile(f"^{square}, ")).click()
    expect(page.get_by_role("textbox", name="Position in notation").first).to_have_value(
        "0000000000002300000000000/1/mortal:C3,A1/mortal:E1,E5"
    )
    page.get_by_role("button", name="Analyse this position").click()
    expect(page.locator(".squares button.can")).to_have_count(2)
    page.get_by_role("button", name="Set up a position").click()
    page.get_by_role("textbox", name="Position in notation").first.fill("0/1/zorro:A1")
    with page.expect_response("**/api/positions") as answer:
        page.get_by_role("button", name="Analyse this position").click()
    assert answer.value.status == 422
    expect(page.locator(".ask")).to_contain_text("This position cannot be played")
    page.get_by_role("button", name="Cancel").click()
    expect(page.locator(".squares button.can")).to_have_count(2)


def test_a_link_leads_another_person_to_the_same_variations(visit: Open, site: Site) -> None:
    page = explored(visit, site)
    page.get_by_role("checkbox", name="Show engine lines").uncheck()
    turns = tree(page)
    assert len(turns) > 2
    page.context.grant_permissions(["clipboard-read", "clipboard-write"], origin=site.address)
    page.get_by_role("button", name="Copy link").click()
    expect(page.get_by_text("The link has the position and all variations.")).to_be_visible()
    link = page.evaluate("navigator.clipboard.readText()")
    other = named(visit, site, "Bruno", "flat")
    other.evaluate("localStorage['boardwire.engine'] = 'off'")  # a search of a busy machine is refused with 503
    other.goto(link)
    expect(other.get_by_role("group", name="Variations").get_by_role("button")).to_have_text(turns)
    other.goto(f"{site.address}/#/analysis/santorini/rubbish")
    expect(other.get_by_text("This link is damaged or too long.")).to_be_visible()


def test_a_finished_match_is_opened_where_it_is_looked_at_and_brought_in_as_a_file(
    visit: Open, site: Site, tmp_path: Path
) -> None:
    page = finished(visit, site)
    match = match_of(page)
    record = page.request.get(f"{site.address}/api/matches/{match}/export").json()
    count = sum("seat" in step for step in record["steps"])
    page.goto(f"{site.address}/#/replay/{match}")
    page.get_by_role("button", name="Forward (→)", exact=True).click()
    page.get_by_role("link", name="Analysis board").click()
    expect(page.get_by_role("heading", name="Analysis: Tris")).to_be_visible()
    expect(page.get_by_role("group", name="Variations").get_by_role("button")).to_have_count(count)
    expect(page.locator("[aria-current=step]")).to_have_text(record["steps"][0]["do"])
    file = tmp_path / "match.json"
    file.write_text(json.dumps(record))
    page.goto(f"{site.address}/#/analysis/forza")
    page.get_by_text("Import a match or position").click()
    page.get_by_label("Choose a file").set_input_files(file)
    expect(page.get_by_role("heading", name="Analysis: Tris")).to_be_visible()
    expect(page.get_by_role("group", name="Variations").get_by_role("button")).to_have_count(count)
    page.get_by_text("Import a match or position").click()
    text = page.get_by_role("textbox", name="Text")
    text.fill("x.o/.x./..o x")
    page.get_by_role("button", name="Load").click()
    expect(page.get_by_role("textbox", name="Position in notation")).to_have_value("x.o/.x./..o x")
    text.fill("{}")
    page.get_by_role("button", name="Load").click()
    expect(page.get_by_role("alert")).to_contain_text("neither an exported match")


def test_Eriantys_is_played_on_with_draws_and_its_counts_are_edited(visit: Open, site: Site) -> None:
    page = explore(visit, site, "eriantys")
    person = Person(page, "Eriantys")
    expect(page.locator(".ask")).to_contain_text("play an assistant")
    expect(person.offers.first).to_be_visible()
    page.get_by_role("button", name="Set up a position").click()
    entrance = page.get_by_role("group", name="Dining room").first
    entrance.get_by_role("spinbutton", name="red").fill("4")
    entrance.get_by_role("spinbutton", name="red").blur()
    page.get_by_role("combobox", name="Professor: red").select_option(label="Player 1")
    page.get_by_role("button", name="Analyse this position").click()
    expect(page.get_by_role("region", name="Set up a position")).to_have_count(0)
    expect(page.get_by_role("textbox", name="Position in notation")).to_have_value(
        re.compile("professor red = A.*hall A = red 4")
    )
