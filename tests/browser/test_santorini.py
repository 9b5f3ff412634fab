"""Santorini in a real browser, flat and in 3D."""

from __future__ import annotations

import random
import time
from typing import Final

from playwright.sync_api import Page, expect

from .conftest import Open
from .person import Person, join_as, play_out, until
from .scenes import MIDDLE, gods, santorini
from .site import Site

SANTORINI = "Santorini"

SMALL: Final = {"width": 640, "height": 800}
"""A window in which 3D is reckoned quickly, where there is nothing to reckon it with but the processor."""

_LIT_SQUARE = """luck => {
    const all = [...document.querySelectorAll('.squares button.can')]
    const box = all[Math.floor(luck * all.length)]?.getBoundingClientRect()
    return box ? [box.x + box.width / 2, box.y + box.height / 2] : null
}"""

_OTHER_SQUARES = """() => [...document.querySelectorAll('[role=gridcell]:not([aria-selected=true]) button.can')]
    .map(one => one.dataset.square)"""


def flat(visit: Open) -> Page:
    """The page, with the flat board as the one that was looked at last."""
    page = visit(reduced_motion="reduce")
    page.evaluate("localStorage['boardwire.santorini.look'] = 'flat'")
    page.reload()
    return page


def test_two_people_play_to_the_end(visit: Open) -> None:
    page = flat(visit)
    page.get_by_text("More settings").click()
    page.get_by_role("combobox", name="Play", exact=True).select_option(label="My own set-up")
    page.get_by_role("combobox", name="Set-up").select_option(label="A given position")
    # Random play from the empty board takes three times as many turns; `test_newcomer` does that.
    page.get_by_role("textbox", name="Position").fill(MIDDLE)
    page.get_by_role("button", name="Open the table").click()
    ann = Person(page, SANTORINI, seed=1).at_table()
    bob = Person(flat(visit), SANTORINI, seed=2).sit_down(ann)
    play_out(ann, bob)
    assert {"You win!" in person.sentence.inner_text() for person in (ann, bob)} == {True, False}


def test_one_person_plays_the_computer_in_3d(visit: Open) -> None:
    page = visit(reduced_motion="reduce", viewport=SMALL)
    page.evaluate("localStorage['boardwire.santorini.look'] = 'solid'")  # without graphics, flat is the first look
    ann = Person(page, SANTORINI, seed=1).quick_play()
    expect(ann.page.locator("canvas")).to_be_visible()
    end = time.monotonic() + 180
    luck = random.Random(1)
    while not ann.is_over() and ann.moves.filter(has_text="builds").count() < 3:
        assert time.monotonic() < end, ann.sentence.inner_text()
        square = ann.page.evaluate(_LIT_SQUARE, luck.random())
        if square is not None:
            ann.page.mouse.click(*square)  # the pointer belongs to the canvas: this is a ray into the scene
        ann.page.wait_for_timeout(20)


def test_a_browser_plays_programs_of_two_other_protocols_at_one_table(visit: Open, site: Site) -> None:
    ann = Person(flat(visit), SANTORINI, seed=1).open_table(Players="3")
    expect(ann.sentence).to_have_text("Waiting for 2 more players.")
    programs = [
        join_as(site, "santorini-actions", "santorini", players=3, name="cleo", seed=1, bot="random"),
        join_as(site, "santorini-objects", "santorini", players=3, name="dora", seed=2, bot="random"),
    ]
    try:
        for dialect in ("santorini-actions", "santorini-objects"):
            expect(ann.page.get_by_text(dialect)).to_be_visible()
        play_out(ann)
        assert [program.wait(60) for program in programs] == [0, 0]
    finally:
        for program in programs:
            program.kill()
            program.wait(10)


def test_the_keyboard_alone_plays_on_the_flat_board_and_in_3d(visit: Open) -> None:
    ann = Person(visit(reduced_motion="reduce", viewport=SMALL), SANTORINI, seed=1).quick_play()
    page = ann.page
    expect(page.get_by_role("grid")).to_be_visible()
    page.locator(".squares button[tabindex='0']").focus()
    luck = random.Random(1)
    built = ann.moves.filter(has_text="builds")

    def have_built(many: int) -> bool:
        if built.count() >= many:
            return True
        if squares := page.evaluate(_OTHER_SQUARES):
            go_to(page, int(luck.choice(squares)))
            page.keyboard.press("Enter")
            if page.get_by_role("menu").count():
                page.keyboard.press("Enter")
        return False

    until(page, lambda: have_built(1))
    page.keyboard.press("m")
    until(page, lambda: have_built(3))


def test_enter_plays_the_square_that_has_the_focus(visit: Open) -> None:
    ann = Person(visit(), SANTORINI, seed=1).quick_play()
    ann.page.get_by_role("button", name="b4, ground").focus()  # as a screen reader does
    ann.page.keyboard.press("Enter")
    expect(ann.moves.filter(has_text="b4")).to_have_count(1)


def go_to(page: Page, wanted: int) -> None:
    """Walk to a square by arrow keys."""
    for _ in range(9):
        here = page.evaluate("document.activeElement.dataset.square")
        assert here is not None, "the keyboard has left the board"
        down, right = wanted // 5 - int(here) // 5, wanted % 5 - int(here) % 5
        if (down, right) == (0, 0):
            return
        vertical = "ArrowDown" if down > 0 else "ArrowUp"
        page.keyboard.press(vertical if down else "ArrowRight" if right > 0 else "ArrowLeft")


def test_gods_are_chosen_from_cards(visit: Open) -> None:
    page = flat(visit)
    page.get_by_text("More settings").click()
    ann = Person(page, SANTORINI, seed=1).open_table(Play="Choose among all gods")
    bob = Person(flat(visit), SANTORINI, seed=2).sit_down(ann)
    expect(bob.sentence).not_to_be_empty()
    challenger = ann if ann.page.locator("button.god").count() else bob
    expect(challenger.page.locator("button.god").first).to_be_visible()

    def have_built() -> bool:
        for person in (ann, bob):
            person.choose()
        return ann.moves.filter(has_text="builds").count() > 0

    until(ann.page, have_built)


def test_a_double_click_proposes_nothing_and_what_is_chosen_stays_in_its_place(visit: Open, site: Site) -> None:
    page = gods(visit, site)
    ann = Person(page, SANTORINI)
    expect(ann.sentence).to_contain_text("(1 of 2)")
    second = page.locator("button.god").nth(1)
    name = second.get_attribute("data-god")
    second.dblclick()
    expect(second).to_have_attribute("aria-pressed", "true")
    expect(ann.moves).to_have_count(ann.moves.filter(has_not_text="proposes").count())
    page.locator("button.confirm").click()
    expect(ann.sentence).to_contain_text("(2 of 2)")
    expect(second).to_have_attribute("data-god", name or "")
    expect(second).to_have_attribute("aria-disabled", "true")
    expect(ann.moves.filter(has_text="proposes")).to_have_count(1)


def test_a_player_who_has_resigned_among_three_cannot_resign_again(visit: Open) -> None:
    page = flat(visit)
    Person(page, SANTORINI).open_table(Players="3", Seat_2="Computer, good", Seat_3="Computer, good")
    page.get_by_role("button", name="Resign").click()
    page.get_by_role("button", name="Yes").click()
    expect(page.get_by_role("list", name="Moves")).to_contain_text("resigned")
    expect(page.get_by_role("button", name="Resign", exact=True)).to_have_count(0)


def test_one_finger_scrolls_over_the_3d_board_and_two_turn_it(visit: Open, site: Site) -> None:
    page = santorini(visit, site, viewport={"width": 360, "height": 640}, has_touch=True)
    place = "document.querySelector(\".squares [data-square='12']\").closest('.cell').style.cssText"
    before = page.evaluate(place)
    box = page.locator("canvas").bounding_box()
    assert box is not None
    middle, low = box["x"] + box["width"] / 2, min(box["y"] + box["height"], 600) - 20
    hand = page.context.new_cdp_session(page)

    def swipe(*fingers: float, way: int) -> None:
        start = low if way < 0 else low - 160
        for step in range(5):
            points = [{"x": x, "y": start + way * step, "id": number} for number, x in enumerate(fingers)]
            kind = "touchStart" if step == 0 else "touchMove"
            hand.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})
        hand.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})

    swipe(middle - 40, middle + 40, way=40)
    page.wait_for_function(f"before => {place} !== before", arg=before)
    swipe(middle - 40, middle + 40, way=-40)  # as low as one can look
    swipe(middle - 40, middle + 40, way=-40)
    boxes = [one.bounding_box() for one in page.locator(".squares button").all()]
    assert all(box is not None and min(box["width"], box["height"]) >= 24 for box in boxes), boxes
    assert page.evaluate("scrollY") == 0
    turned = page.evaluate(place)
    swipe(middle, way=-40)
    page.wait_for_function("() => scrollY > 40")
    assert page.evaluate(place) == turned
