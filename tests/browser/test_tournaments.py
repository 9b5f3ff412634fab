"""Tournaments in a real browser: create, enter, be called to one's match, play it, see the standings."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, expect

from .conftest import Open


def create(page: Page, name: str, form: str = "Swiss", bots: int = 0, part: bool = True, game: str = "tris") -> None:
    page.goto(page.url.split("#")[0] + "#/tournaments")
    page.get_by_label("Name of the tournament").fill(name)
    page.get_by_role("combobox", name="Game").select_option(game)
    page.get_by_role("combobox", name="Format").select_option(form)
    page.get_by_label("Number of bots").fill(str(bots))
    if not part:
        page.get_by_label("I take part").uncheck()
    page.get_by_role("button", name="Create").click()
    expect(page.get_by_role("heading", name=name)).to_be_visible()


def moves_first(page: Page) -> bool:
    """Whether it is this player's turn, once the page says whose it is."""
    expect(page.get_by_text("Your turn").or_(page.get_by_text("Waiting for")).first).to_be_visible()
    return page.get_by_text("Your turn").count() > 0


def test_two_people_enter_are_called_and_play(visit: Open) -> None:
    ann, bob = visit(), visit()
    create(ann, "Friday cup")
    expect(ann.get_by_text("You have entered.")).to_be_visible()
    bob.goto(ann.url)
    bob.get_by_role("button", name="Enter").click()
    expect(ann.get_by_text("2 participants")).to_be_visible()
    bob.goto(bob.url.split("#")[0] + "#/")
    ann.get_by_role("button", name="Start now").click()
    for page in (ann, bob):
        page.get_by_role("link", name="Go to the match").first.click()
    first, second = (ann, bob) if moves_first(ann) else (bob, ann)
    for page, row, column in ((first, 1, 1), (second, 2, 1), (first, 1, 2), (second, 2, 2), (first, 1, 3)):
        page.get_by_role("button", name=f"row {row}, column {column}: free").click()
    expect(first.get_by_text("You win!").first).to_be_visible()
    ann.goto(ann.url.split("#")[0] + "#/tournaments")
    ann.get_by_role("link", name="Friday cup").click()
    expect(ann.get_by_text("Finished")).to_be_visible()
    expect(ann.get_by_role("row").nth(1).get_by_role("cell").nth(1)).to_have_text("1")
    expect(ann.get_by_role("link", name="Replay")).to_be_visible()


def test_bots_play_a_knockout_while_one_looks_on(visit: Open) -> None:
    page = visit()
    create(page, "Bot cup", "Knockout", bots=8, part=False, game="forza")  # drawn matches would be played again
    expect(page.get_by_text("8 participants")).to_be_visible()
    page.get_by_role("button", name="Start now").click()
    expect(page.get_by_text("Finished")).to_be_visible()
    expect(page.get_by_role("row")).to_have_count(9)
    page.get_by_role("combobox", name="Round").select_option("1")
    expect(page.get_by_role("link", name="Replay")).to_have_count(4)


def test_a_withdrawn_player_is_counted_apart(visit: Open) -> None:
    page = visit()
    create(page, "Shrinking cup", bots=2)
    expect(page.get_by_text("3 participants")).to_be_visible()
    page.get_by_role("button", name="Withdraw").click()
    expect(page.get_by_text("2 participants, 1 withdrawn")).to_be_visible()
    expect(page.get_by_role("rowheader", name=re.compile(r"\S \(withdrawn\)"))).to_have_count(1)


@pytest.mark.parametrize("language", ["en", "it"])
def test_no_word_is_missing(visit: Open, language: str) -> None:
    page = visit()
    page.evaluate(f"localStorage.setItem('boardwire.language', '{language}')")
    page.goto(page.url.split("#")[0] + "#/tournaments")
    page.reload()
    expect(page.get_by_role("heading", name="Tornei" if language == "it" else "Tournaments")).to_be_visible()
