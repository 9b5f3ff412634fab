"""Forza Quattro in a real browser."""

from __future__ import annotations

from playwright.sync_api import Page, expect

from .conftest import Open
from .person import Person, play_out
from .scenes import named
from .site import Site

FORZA = "Forza Quattro"


def pair(visit: Open) -> tuple[Person, Person]:
    """Two people at one table."""
    ann = Person(visit(), FORZA, seed=1).open_table()
    expect(ann.sentence).to_have_text("Waiting for 1 more player.")
    bob = Person(visit(), FORZA, seed=2).sit_down(ann)
    expect(ann.sentence).to_contain_text("drop a disc")
    return ann, bob


def discs(page: Page, many: int) -> None:
    """So many discs lie on the board."""
    expect(page.locator(".disc:not(.ghost)")).to_have_count(many)


def drop(person: Person, column: int) -> None:
    """Drop a disc."""
    expect(person.sentence).to_contain_text("Your turn")
    person.page.get_by_role("button", name=f"Column {column}").click()


def test_two_people_play_to_four_in_a_row_and_see_it_again(visit: Open) -> None:
    ann, bob = pair(visit)
    for number, (person, column) in enumerate(((ann, 1), (bob, 2)) * 3, 1):
        drop(person, column)
        for one in (ann, bob):
            discs(one.page, number)
    expect(ann.page.get_by_role("button", name="Column 1: 3 free, from the bottom")).to_be_visible()
    drop(ann, 1)
    expect(ann.sentence).to_contain_text("You win!")
    expect(bob.sentence).to_contain_text("won with four in a row")
    expect(bob.page.locator(".cell.line")).to_have_count(4)
    page = ann.page
    page.get_by_role("link", name="Replay").click()
    expect(page.get_by_role("heading", name="Replay of Forza Quattro")).to_be_visible()
    page.keyboard.press("End")
    discs(page, 7)
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("Home")
    discs(page, 0)


def test_one_person_plays_the_computer_to_the_end(visit: Open) -> None:
    play_out(Person(visit(), FORZA).quick_play())


def test_the_keyboard_alone_chooses_a_column(visit: Open) -> None:
    ann, bob = pair(visit)
    page = ann.page
    page.get_by_role("button", name="Column 4").focus()
    for key in ("ArrowRight", "ArrowRight", "ArrowLeft", "Enter"):
        page.keyboard.press(key)
    expect(page.get_by_role("button", name="Column 5: 5 free")).to_be_visible()
    discs(bob.page, 1)
    page.keyboard.press("Home")
    page.keyboard.press("Enter")  # plans a move, because it is not her turn
    expect(page.get_by_role("button", name="Column 1: 6 free")).to_be_focused()
    discs(page, 1)
    drop(bob, 7)
    expect(page.get_by_role("button", name="Column 1: 5 free")).to_be_visible()
    discs(bob.page, 3)


def test_the_board_stays_in_its_place_while_turns_change_on_a_small_screen(visit: Open, site: Site) -> None:
    ann = Person(visit(viewport={"width": 360, "height": 740}), FORZA).open_table()
    expect(ann.sentence).to_have_text("Waiting for 1 more player.")
    bob = Person(named(visit, site, "Bartholomew the Elder"), FORZA).sit_down(ann)
    board = ann.page.get_by_role("group", name="Forza Quattro board")
    expect(ann.sentence).to_contain_text("Your turn")
    place = "one => one.getBoundingClientRect().y + scrollY"
    before = board.evaluate(place)
    drop(ann, 1)
    expect(ann.sentence).to_contain_text("to drop a disc")
    assert board.evaluate(place) == before
    drop(bob, 2)
    expect(ann.sentence).to_contain_text("Your turn")
    assert board.evaluate(place) == before


def test_fingers_play_it_on_a_small_screen_in_Italian(visit: Open) -> None:
    page = visit(viewport={"width": 360, "height": 740}, has_touch=True, locale="it-IT")
    card = page.locator("li.game").filter(has_text=FORZA)
    card.get_by_role("button", name="Gioca col computer").tap()
    card.get_by_role("button", name="Comincia la partita").tap()
    expect(page.get_by_role("group", name="Tabellone di Forza Quattro")).to_be_visible()
    page.get_by_role("button", name="Colonna 4").tap()
    discs(page, 2)
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
