"""Moves that are planned while others think, draws by agreement, and signs in the talk."""

from __future__ import annotations

import re

from playwright.sync_api import Page, expect

from .conftest import Open
from .person import Person, until
from .test_forza import pair as forza_pair
from .test_santorini import flat
from .test_tris import mark
from .test_tris import pair as tris_pair


def test_a_planned_move_is_played_when_the_turn_comes_and_dropped_if_it_is_not_legal(visit: Open) -> None:
    ann, bob = tris_pair(visit)
    mark(ann, 2, 2)
    planned = ann.page.get_by_role("button", name="row 1, column 1: free")
    planned.click()
    expect(planned).to_have_accessible_name("row 1, column 1: free, planned")
    expect(ann.page.locator(".ask")).to_contain_text("Planned: it will be played as soon as it is your turn")
    mark(bob, 1, 2)
    expect(bob.page.get_by_role("button", name="row 1, column 1: X of")).to_be_visible()
    ann.page.get_by_role("button", name="row 3, column 3: free").click()
    mark(bob, 3, 3)
    expect(ann.page.locator(".ask")).to_contain_text("Your planned move is no longer possible")
    expect(ann.sentence).to_contain_text("Your turn")


def test_a_plan_is_taken_back_by_pressing_it_again_and_a_sign_is_said(visit: Open) -> None:
    ann, bob = forza_pair(visit)
    ann.page.get_by_role("button", name="Column 4").click()
    column = ann.page.get_by_role("button", name="Column 2")
    column.click()
    expect(column).to_have_accessible_name("Column 2: 6 free, planned")
    column.click()
    expect(column).to_have_accessible_name("Column 2: 6 free")
    bob.page.get_by_role("button", name="Column 1").click()
    expect(ann.sentence).to_contain_text("Your turn")
    bob.page.get_by_role("button", name="Well played").click()
    expect(ann.page.get_by_role("list", name="Chat")).to_contain_text("Well played")


def test_a_draw_is_offered_declined_offered_again_and_agreed(visit: Open) -> None:
    ann, bob = forza_pair(visit)
    offer = ann.page.get_by_role("button", name="Offer a draw")
    expect(offer).to_be_disabled()  # after the first move of each
    expect(offer).to_have_attribute("title", "You can offer a draw in 2 moves.")
    ann.page.get_by_role("button", name="Column 4").click()
    expect(bob.sentence).to_contain_text("Your turn")
    bob.page.get_by_role("button", name="Column 1").click()
    expect(ann.sentence).to_contain_text("Your turn")
    offer.click()
    ann.page.get_by_role("button", name="Yes").click()
    expect(ann.page.get_by_text("You offer a draw")).to_be_visible()
    expect(bob.page.get_by_role("alert")).to_contain_text("offers a draw. Do you agree?")
    bob.page.get_by_role("button", name="Decline").click()
    expect(ann.page.get_by_text("You offer a draw")).to_have_count(0)
    expect(offer).to_be_disabled()  # no pestering
    bob.page.get_by_role("button", name="Offer a draw").click()
    bob.page.get_by_role("button", name="Yes").click()
    ann.page.get_by_role("button", name="Agree").click()
    for one in (ann, bob):
        expect(one.sentence).to_contain_text("A draw: by agreement")


def test_no_draw_is_offered_to_the_computer(visit: Open) -> None:
    page = visit("/")
    page.get_by_role("button", name="Play the computer: Tris").click()
    page.get_by_role("button", name="Start the game").click()
    expect(page.get_by_role("button", name="Resign")).to_be_visible()
    expect(page.get_by_role("button", name="Offer a draw")).to_have_count(0)


def square(page: Page, name: str) -> None:
    """Press a square of Santorini."""
    page.locator(f".squares button[aria-label^='{name}']").click()


def test_a_move_and_a_build_are_planned_in_santorini(visit: Open) -> None:
    ann = Person(flat(visit), "Santorini", seed=1).open_table()
    bob = Person(flat(visit), "Santorini", seed=2).sit_down(ann)
    for person, name in ((ann, "a1"), (ann, "c3"), (bob, "e5"), (bob, "e1")):
        expect(person.sentence).to_contain_text("Your turn")
        square(person.page, name)
        expect(person.moves.filter(has_text=name)).to_have_count(1)
    expect(ann.sentence).to_contain_text("Your turn")
    expect(bob.page.locator(".squares button.can")).to_have_count(0)
    for name in ("e5", "d4", "e4"):  # bob's worker, its way, and what it builds there
        square(bob.page, name)
    expect(bob.page.get_by_role("img", name="Your plan on the board")).to_be_visible()
    expect(bob.page.locator(".ask")).to_contain_text("Planned: it will be played as soon as it is your turn")
    for name in ("a1", "a2", "a3"):
        square(ann.page, name)
    expect(ann.moves.filter(has_text="builds")).to_have_count(2)  # ann's, and bob's as planned
    expect(ann.sentence).to_contain_text("Your turn")
    expect(bob.page.locator(".squares button[aria-label^='d4']")).to_have_accessible_name(re.compile("worker 1"))
    expect(bob.page.locator(".squares button[aria-label^='e4, level 1']")).to_have_count(1)


def test_a_plan_in_santorini_is_dropped_by_its_button(visit: Open) -> None:
    ann = Person(flat(visit), "Santorini", seed=1).open_table()
    bob = Person(flat(visit), "Santorini", seed=2).sit_down(ann)
    for person, name in ((ann, "a1"), (ann, "c3"), (bob, "e5"), (bob, "e1")):
        expect(person.sentence).to_contain_text("Your turn")
        square(person.page, name)
        expect(person.moves.filter(has_text=name)).to_have_count(1)
    square(bob.page, "e5")
    square(bob.page, "d4")
    bob.page.get_by_role("button", name="Drop the plan").click()
    expect(bob.page.get_by_role("img", name="Your plan on the board")).to_have_count(0)


def test_the_next_assistant_is_planned_in_eriantys(visit: Open) -> None:
    ann = Person(visit(reduced_motion="reduce"), "Eriantys", seed=1).open_table()
    bob = Person(visit(reduced_motion="reduce"), "Eriantys", seed=2).sit_down(ann)
    until(ann.page, lambda: ann.is_asked() or bob.is_asked())
    first, second = (ann, bob) if ann.is_asked() else (bob, ann)
    card = second.page.locator("[data-pick='card:7']")
    card.click()
    expect(card).to_have_accessible_name(re.compile("planned"))
    first.page.locator("[data-pick='card:2']").click()
    expect(card).to_have_count(0)  # it was played
    expect(second.moves.filter(has_text="7")).not_to_have_count(0)
