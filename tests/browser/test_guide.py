"""Somebody who has never played: what the page says before, beside and after the game."""

from __future__ import annotations

from playwright.sync_api import expect

from .conftest import Open
from .person import Person, play_out
from .scenes import named, santorini_flat
from .site import Site

SANTORINI = "Santorini"


def test_a_first_game_is_guided_until_it_is_over_or_skipped(visit: Open, site: Site) -> None:
    page = named(visit, site, "Ada")
    card = page.locator("li.game").filter(has_text="Tris")
    card.get_by_role("button", name="Play the computer").click()
    strength = card.get_by_role("combobox", name="How strong")
    expect(strength.locator("option:checked")).to_contain_text("level 1")
    card.get_by_role("button", name="Start the game").click()
    guide = page.get_by_role("complementary", name="First game:")
    expect(guide).to_contain_text("Press a free cell")
    page.get_by_text("The rules in short").click()
    expect(page.get_by_text("Whoever has three in a row")).to_be_visible()
    ada = Person(page, "Tris")
    play_out(ada)
    result = page.locator("section[aria-labelledby=result]")
    expect(result).to_contain_text("moves")
    result.get_by_role("button", name="Rematch").click()
    expect(page.locator(".cell.legal").first).to_be_attached()
    page.reload()
    expect(page.get_by_role("grid", name="Tris board")).to_be_visible()
    expect(guide).to_have_count(0)
    page.go_back()
    page.goto(site.address)
    expect(page.get_by_role("region", name="My matches").get_by_role("listitem")).to_have_count(1)


def test_a_square_that_cannot_be_pressed_says_why(visit: Open, site: Site) -> None:
    page = named(visit, site, "Ada")
    page.evaluate("localStorage['boardwire.santorini.look'] = 'flat'")
    page.reload()
    Person(page, SANTORINI).quick_play()
    expect(page.get_by_role("complementary", name="First game:")).to_contain_text("place a worker")
    page.locator("[data-square='12']").click()
    expect(page.get_by_role("list", name="Moves")).to_contain_text("c3")
    expect(page.locator(".squares button.can").first).to_be_attached()
    page.locator("[data-square='12']").click(force=True)
    expect(page.locator(".ask")).to_contain_text("A worker stands there.")
    page.get_by_role("button", name="Skip the guide").click()
    expect(page.get_by_role("complementary", name="First game:")).to_have_count(0)


def test_whose_turn_it_is_stands_in_the_title_also_in_the_lobby_and_in_another_window(visit: Open, site: Site) -> None:
    page = named(visit, site, "Ada")
    other = page.context.new_page()
    other.goto(site.address)
    expect(other).to_have_title("boardwire")
    Person(page, "Tris").quick_play()
    expect(page).to_have_title("● Your turn – Tris")
    expect(other).to_have_title("● Your turn – Tris")
    page.get_by_role("link", name="boardwire, to the lobby").click()
    expect(page.get_by_text("You are playing Tris.")).to_be_visible()
    expect(page).to_have_title("● Your turn – Tris")


def test_a_question_mark_shows_what_the_keyboard_can_do(visit: Open) -> None:
    page = visit()
    expect(page.get_by_role("heading", name="What shall we play?")).to_be_visible()
    page.keyboard.press("?")
    expect(page.get_by_role("dialog", name="Keyboard help")).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.get_by_role("dialog")).to_have_count(0)


def test_a_step_is_confirmed_where_that_is_wanted(visit: Open) -> None:
    page = visit()
    page.get_by_label("Settings").click()
    page.get_by_role("combobox", name="Confirm each move").select_option(label="always")
    page.keyboard.press("Escape")
    Person(page, "Tris").quick_play()
    cell = page.get_by_role("button", name="row 2, column 2: free")
    cell.click()
    expect(page.locator(".cell.doomed")).to_have_count(1)
    page.get_by_role("button", name="Cancel").click()
    expect(page.locator(".cell.legal")).to_have_count(9)
    cell.click()
    page.get_by_role("button", name="Do it").click()
    expect(page.get_by_role("button", name="row 2, column 2: X of")).to_be_visible()


def test_a_worker_is_dragged_to_its_square(visit: Open, site: Site) -> None:
    page = santorini_flat(visit, site)
    ada = Person(page, SANTORINI)
    worker, target = (page.locator(f"[data-square='{square}']") for square in (11, 10))
    worker.drag_to(target)
    expect(ada.moves.filter(has_text="moves b3 to a3")).to_have_count(1)
