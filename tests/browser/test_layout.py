"""The board is in sight: on a phone, upright and on its side, and at the end with what can be done next."""

from __future__ import annotations

import functools
import re
from typing import Final

import pytest
from playwright.sync_api import Locator, Page, ViewportSize, expect

from .conftest import Open
from .person import Person, until
from .scenes import analysis, claim, eriantys, finished, named, santorini, tris
from .site import Site

UPRIGHT: Final[ViewportSize] = {"width": 390, "height": 844}
LYING: Final[ViewportSize] = {"width": 844, "height": 390}


def is_in_sight(page: Page, part: Locator) -> bool:
    """Whether all of it is on the screen, without scrolling."""
    page.evaluate("scrollTo(0, 0)")
    box, size = part.bounding_box(), page.viewport_size
    assert box is not None
    assert size is not None
    return box["y"] >= 0 and box["y"] + box["height"] <= size["height"] + 1 and box["x"] + box["width"] <= size["width"]


def test_the_guide_and_the_entrance_are_in_sight_on_a_phone(visit: Open, site: Site) -> None:
    page = eriantys(visit, site, many=2)
    page.set_viewport_size(UPRIGHT)
    guide = page.get_by_role("complementary", name="First game:")
    expect(guide).to_be_visible()
    for part in (guide, page.get_by_role("group", name="Entrance").first):
        until(page, functools.partial(is_in_sight, page, part))


def test_all_assistants_stand_in_one_row_on_a_wide_screen(visit: Open, site: Site) -> None:
    page = eriantys(visit, site, many=0)
    page.set_viewport_size({"width": 1280, "height": 800})
    cards = page.locator("[data-pick^='card:']")
    expect(cards).to_have_count(10)
    assert len({card.bounding_box()["y"] for card in cards.all()}) == 1  # type: ignore[index]  # all are shown


def test_the_board_stays_in_its_place_while_a_hint_stands_for_the_guide(visit: Open, site: Site) -> None:
    page = tris(visit, site)
    page.set_viewport_size(UPRIGHT)
    board = page.get_by_role("grid", name="Tris board")
    expect(page.get_by_role("complementary", name="First game:")).to_be_visible()
    before = board.bounding_box()
    page.get_by_role("button", name="row 2, column 2: X of").click(force=True)
    expect(page.locator(".ask .note")).to_have_text("This cell is already marked.")
    expect(page.get_by_role("complementary", name="First game:")).to_have_count(0)
    assert board.bounding_box() == before
    page.get_by_role("button", name="row", exact=False).and_(page.locator(".legal")).first.click()
    page.get_by_role("button", name="Skip the guide").click()
    expect(page.get_by_role("complementary", name="First game:")).to_have_count(0)


@pytest.mark.parametrize("game", ["tris", "santorini"])
def test_a_phone_on_its_side_shows_the_whole_board(visit: Open, site: Site, game: str) -> None:
    page = tris(visit, site) if game == "tris" else santorini(visit, site, "flat")
    page.set_viewport_size(LYING)
    board = page.get_by_role("grid", name=re.compile("board", re.I))
    until(page, lambda: is_in_sight(page, board))
    box = board.bounding_box()
    assert box is not None
    assert box["height"] > 250


def test_the_button_that_claims_a_win_leaves_room_for_the_sentence(visit: Open, site: Site) -> None:
    page = claim(visit, site)
    box = page.locator(".ask .sentence").bounding_box()
    assert box is not None
    assert box["width"] > 250, "the side column is 320 pixels wide"


def test_the_end_is_on_the_board_with_what_can_be_done_next(visit: Open, site: Site) -> None:
    page = finished(visit, site)
    over = page.locator(".ask.over")
    for name in ("Rematch", "Replay", "Download"):
        expect(over.get_by_role("button", name=name).or_(over.get_by_role("link", name=name))).to_be_visible()
    assert is_in_sight(page, over)


def test_moves_are_numbered_turns_and_each_leads_to_its_position(visit: Open, site: Site) -> None:
    page = named(visit, site, "Ada", moves="brief")
    Person(page, "Tris").quick_play()
    page.get_by_role("button", name="row 2, column 2: free").click()
    moves = page.get_by_role("list", name="Moves").get_by_role("listitem")
    expect(moves).to_have_text([re.compile(r"1\s*b2\s*[abc][123]")])
    page.get_by_role("button", name="In words").click()
    expect(page.get_by_role("list", name="Moves")).to_contain_text("Ada")
    page.get_by_role("button", name="In words").click()
    page.get_by_role("button", name="Resign").click()
    page.get_by_role("button", name="Yes").click()
    moves.first.get_by_role("button").first.click()
    expect(page).to_have_url(re.compile("#/replay/"))
    expect(page.get_by_role("button", name="row 2, column 2: X of")).to_be_visible()


def test_an_analysis_marks_the_board_and_says_at_the_end_how_it_ended(visit: Open, site: Site) -> None:
    page = analysis(visit, site)
    panel = page.locator("section").filter(has=page.get_by_role("heading", name="Analysis"))
    expect(page.get_by_role("img", name=re.compile("^Evaluation:"))).to_be_visible()
    page.keyboard.press("End")
    expect(panel).to_contain_text("Ada resigned")
    expect(panel).not_to_contain_text("with this turn")
    moves = page.get_by_role("list", name="Moves")
    box = moves.bounding_box()
    assert box is not None
    assert box["y"] + 100 < 800, "the moves are on the screen"


def test_a_hint_is_drawn_on_the_board(visit: Open, site: Site) -> None:
    page = named(visit, site, "Ada")
    page.get_by_role("button", name="Play the computer: Forza Quattro").click()
    page.get_by_label("Practice with hints").check()
    page.get_by_role("button", name="Start the game").click()
    page.get_by_role("button", name="Suggest a move").click()
    expect(page.locator(".cell.advised")).to_have_count(1)
    expect(page.get_by_role("img", name=re.compile("^Evaluation:"))).to_be_visible()
    page.get_by_role("button", name="Column 1:").click()
    expect(page.locator(".cell.advised")).to_have_count(0)
