"""Moves that are planned while others think, draws by agreement, and signs in the talk."""

from __future__ import annotations

from playwright.sync_api import expect

from .conftest import Open
from .test_forza import pair as forza_pair
from .test_tris import mark
from .test_tris import pair as tris_pair


def test_a_planned_move_is_played_when_the_turn_comes_and_dropped_if_it_is_not_legal(visit: Open) -> None:
    ann, bob = tris_pair(visit)
    mark(ann, 2, 2)
    planned = ann.page.get_by_role("button", name="row 1, column 1: free")
    planned.click()
    expect(planned).to_have_accessible_name("row 1, column 1: free, planned")
    expect(ann.page.locator(".ask")).to_contain_text("Planned: it is played as soon as it is your turn")
    mark(bob, 1, 2)
    expect(bob.page.get_by_role("button", name="row 1, column 1: X of")).to_be_visible()
    ann.page.get_by_role("button", name="row 3, column 3: free").click()
    mark(bob, 3, 3)
    expect(ann.page.locator(".ask")).to_contain_text("What you had planned is not possible now")
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
    expect(ann.page.get_by_role("list", name="Talk")).to_contain_text("Well played")


def test_a_draw_is_offered_declined_offered_again_and_agreed(visit: Open) -> None:
    ann, bob = forza_pair(visit)
    offer = ann.page.get_by_role("button", name="Offer a draw")
    expect(offer).to_be_disabled()  # after the first move of each
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
