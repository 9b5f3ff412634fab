"""Somebody who has never played: what the page says before, beside and after the game."""

from __future__ import annotations

import re

from playwright.sync_api import expect

from .conftest import Open
from .person import Person, play_out, until
from .scenes import eriantys, finished, named, santorini, santorini_flat, tris, undo_eriantys
from .site import Site

SANTORINI = "Santorini"


def test_a_first_game_is_guided_until_it_is_over_or_skipped(visit: Open, site: Site) -> None:
    page = named(visit, site, "Ada")
    card = page.locator("li.game").filter(has_text="Tris")
    card.get_by_role("button", name="Play the computer").click()
    strength = card.get_by_role("combobox", name="Strength")
    expect(strength.locator("option:checked")).to_contain_text("level 1")
    card.get_by_role("button", name="Start the game").click()
    guide = page.get_by_role("complementary", name="First game:")
    expect(guide).to_contain_text("Press a free cell")
    page.get_by_text("The rules in short").click()
    expect(page.get_by_text("The first player with three in a row")).to_be_visible()
    expect(page.get_by_role("link", name="Rules with pictures")).to_have_attribute("href", "#/rules/tris")
    ada = Person(page, "Tris")
    play_out(ada)
    result = page.locator("section[aria-labelledby=result]")
    expect(result).to_contain_text("turns")
    result.get_by_role("button", name="Rematch").click()
    expect(page.locator(".cell.legal").first).to_be_attached()
    page.reload()
    expect(page.get_by_role("grid", name="Tris board")).to_be_visible()
    expect(guide).to_have_count(0)
    page.go_back()
    page.goto(site.address)
    expect(page.get_by_role("region", name="My matches").get_by_role("listitem")).to_have_count(1)


def test_the_guide_waits_while_the_opponent_plays(visit: Open, site: Site) -> None:
    ada = Person(named(visit, site, "Ada"), "Tris").open_table()
    Person(named(visit, site, "Bruno"), "Tris").sit_down(ada)
    guide = ada.page.get_by_role("complementary", name="First game:")
    expect(guide).to_contain_text("Press a free cell")
    ada.page.get_by_role("button", name="row 2, column 2: free").click()
    expect(guide).to_contain_text("Now your opponent plays.")
    expect(guide).not_to_contain_text("Press a free cell")


def test_the_button_that_starts_a_game_is_in_sight_on_a_small_screen(visit: Open) -> None:
    page = visit(viewport={"width": 360, "height": 740})
    page.get_by_role("button", name="Play the computer: Eriantys").click()
    expect(page.get_by_role("combobox", name="Mode")).to_be_visible()
    expect(page.get_by_role("button", name="Start the game")).to_be_in_viewport(ratio=1)


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


def test_the_engine_says_by_which_rule_and_whose_power_a_square_is_closed(visit: Open, site: Site) -> None:
    page = santorini_flat(visit, site)  # with Athena's worker on b3 in hand
    note = page.locator(".ask .note")
    for square, words in ((11, "The worker stands there itself"), (24, "Too far"), (6, "Too high"), (12, "A dome")):
        if page.locator(f"[data-square='{square}'].can").count() == 0:
            page.locator(f"[data-square='{square}']").click(force=True)
            expect(note).to_contain_text(words)
            page.locator("[data-square='11']").click()


def test_in_tris_and_eriantys_too_what_cannot_be_chosen_says_why(visit: Open, site: Site) -> None:
    page = tris(visit, site)
    page.get_by_role("button", name="row 2, column 2: X of").click(force=True)
    expect(page.locator(".ask .note")).to_have_text("This cell is already marked.")
    page = eriantys(visit, site, many=0)
    expect(page.locator("[data-pick^='card:'][data-lit=true]").first).to_be_visible()
    page.locator("[data-pick='cloud:0']").click(force=True)
    expect(page.locator(".ask .note")).to_contain_text("That comes at another time")
    until(page, Person(page, "Eriantys").choose)
    expect(page.locator("[data-pick^='student:'][data-lit=true]").first).to_be_visible()
    page.locator("[data-pick^='card:']").first.click(force=True)
    expect(page.locator(".ask .note")).to_contain_text("That comes at another time")


def test_my_matches_are_kept_by_the_server_and_found_by_game_result_and_opponent(visit: Open, site: Site) -> None:
    page = finished(visit, site)
    again = visit("/", storage_state=page.context.storage_state())  # another browser of the same player
    mine = again.get_by_role("region", name="My matches")
    expect(mine.get_by_role("listitem")).to_have_count(1)
    expect(mine.get_by_role("listitem")).to_contain_text("Tris")
    mine.get_by_role("combobox", name="Game").select_option(label="Eriantys")
    expect(mine.get_by_text("No match fits these filters.")).to_be_visible()
    mine.get_by_role("combobox", name="Game").select_option(label="All games")
    mine.get_by_role("searchbox", name="Opponent").fill("LEVEL 1")
    expect(mine.get_by_role("listitem")).to_contain_text("level 1 bot")
    stranger = visit("/").get_by_role("region", name="My matches")
    expect(stranger).to_contain_text("Your finished matches appear here")


def test_a_student_is_dragged_to_the_dining_room_and_mother_nature_to_an_island(visit: Open, site: Site) -> None:
    page = eriantys(visit, site, many=0)
    ada = Person(page, "Eriantys")
    until(page, ada.choose)
    student = page.locator("[data-pick^='student:'][data-lit=true]")
    for seated in (1, 2, 3):
        expect(student.first).to_be_visible()
        student.first.drag_to(page.locator(".school:has(.entrance button) .hall"))
        expect(ada.moves.filter(has_text=re.compile("Ada seats|dining room"))).to_have_count(seated)
    island = page.locator("[data-pick^='island:'][data-lit=true]").first
    expect(island).to_be_visible()
    page.locator(".nature").drag_to(island, force=True)
    expect(ada.moves.filter(has_text="Ada moves mother nature")).to_have_count(1)


def test_a_worker_is_dragged_on_the_3d_board_and_the_board_stays_as_it_was(visit: Open, site: Site) -> None:
    page = santorini(visit, site, viewport={"width": 640, "height": 800})
    ada = Person(page, SANTORINI)
    expect(page.locator("canvas")).to_be_visible()
    boxes = [page.locator(f"[data-square='{square}']").bounding_box() for square in (11, 10)]
    (fx, fy), (tx, ty) = ((box["x"] + box["width"] / 2, box["y"] + box["height"] / 2) for box in boxes if box)
    page.mouse.move(fx, fy)
    page.mouse.down()
    page.mouse.move((fx + tx) / 2, (fy + ty) / 2)
    page.mouse.move(tx, ty)
    page.mouse.up()
    expect(ada.moves.filter(has_text="moves b3 to a3")).to_have_count(1)
    assert page.locator("[data-square='10']").bounding_box() == boxes[1]


def test_what_an_undo_would_take_back_is_marked_in_eriantys_too(visit: Open, site: Site) -> None:
    page = undo_eriantys(visit, site)
    expect(page.locator(".hall .row.doomed")).to_have_count(1)
    page.get_by_role("button", name="No", exact=True).click()
    expect(page.locator(".doomed")).to_have_count(0)


def test_whose_turn_it_is_stands_in_the_title_also_in_the_lobby_and_in_another_window(visit: Open, site: Site) -> None:
    page = named(visit, site, "Ada")
    other = page.context.new_page()
    other.goto(site.address)
    expect(other).to_have_title("boardwire")
    Person(page, "Tris").quick_play()
    expect(page).to_have_title("● Your turn – Tris")
    expect(other).to_have_title("● Your turn – Tris")
    page.get_by_role("link", name="boardwire, to the lobby").click()
    expect(page.get_by_role("region", name="Running matches")).to_contain_text("Tris")
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
    page.get_by_role("button", name="Confirm").click()
    expect(page.get_by_role("button", name="row 2, column 2: X of")).to_be_visible()


def test_a_step_to_be_confirmed_is_marked_and_its_buttons_are_in_sight_on_a_long_table(visit: Open, site: Site) -> None:
    page = named(visit, site, "Ada", viewport={"width": 360, "height": 640})
    page.evaluate("localStorage['boardwire.preference.confirm'] = 'always'")
    page.reload()
    Person(page, "Eriantys").quick_play()
    card = page.locator("[data-pick^='card:'][data-lit=true]").first
    card.click()
    expect(page.locator(".assistant.doomed")).to_have_count(1)
    page.get_by_role("button", name="Confirm").click()
    student = page.locator("[data-pick^='student:'][data-lit=true]").first
    student.click()
    page.locator("[data-pick=hall]").click()
    expect(page.locator(".hall .row.doomed")).to_have_count(1)
    expect(page.get_by_role("button", name="Confirm")).to_be_in_viewport(ratio=1)


def test_a_worker_is_dragged_to_its_square(visit: Open, site: Site) -> None:
    page = santorini_flat(visit, site)
    ada = Person(page, SANTORINI)
    worker, target = (page.locator(f"[data-square='{square}']") for square in (11, 10))
    worker.drag_to(target)
    expect(ada.moves.filter(has_text="moves b3 to a3")).to_have_count(1)
