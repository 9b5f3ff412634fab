"""Moves that are planned while others think, and signs in the talk."""

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
