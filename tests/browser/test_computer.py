"""What the computer has to say: about a match that is over, and in puzzles."""

from __future__ import annotations

import re

from playwright.sync_api import expect

from .conftest import Open
from .person import Person, until
from .scenes import analysis, named, puzzle
from .site import Site


def test_a_match_is_analysed_and_every_remark_leads_to_its_turn_and_to_a_table(visit: Open, site: Site) -> None:
    page = analysis(visit, site)
    panel = page.locator("section").filter(has=page.get_by_role("heading", name="Analysis"))
    expect(panel.get_by_text("Best here")).to_be_visible()
    before = page.url
    graph = panel.get_by_role("img", name="Evaluation by turn")
    box = graph.bounding_box()
    assert box is not None
    graph.click(position={"x": 6, "y": box["height"] / 2})
    expect(page).not_to_have_url(before)
    page.keyboard.press("Home")
    expect(graph).to_be_visible()
    graph.click(position={"x": box["width"] - 6, "y": box["height"] / 2})
    expect(panel.get_by_role("img", name="The best turn on the board")).to_be_visible()
    panel.get_by_role("button", name="Play on from here against the computer").click()
    expect(page).to_have_url(re.compile("#/table/"))
    expect(Person(page, "Santorini").offers.first).to_be_attached()


def test_a_puzzle_gives_a_hint_and_then_its_solution_and_another_one_has_an_address(visit: Open, site: Site) -> None:
    page = puzzle(visit, site)
    told = page.get_by_role("status").filter(has_text="Solution:")
    solution = told.inner_text().removeprefix("Solution:")
    page.get_by_role("button", name="Hint").click()
    hint = page.get_by_role("status").filter(has_text="Hint:")
    expect(hint).to_be_visible()
    assert solution.startswith(hint.inner_text().removeprefix("Hint:"))
    page.get_by_role("button", name="Next puzzle").click()
    expect(page).to_have_url(re.compile("#/puzzles/.+"))
    expect(page.get_by_role("status").filter(has_text="Hint:")).to_have_count(0)
    page.reload()
    expect(page.get_by_role("heading", name="Puzzles")).to_be_visible()


def test_a_puzzle_is_played_at_a_table_from_its_position(visit: Open, site: Site) -> None:
    page = named(visit, site, "Ada", "flat")
    page.get_by_role("link", name="Puzzle of the day").click()
    page.get_by_role("button", name="Solve it at a table").click()
    expect(page).to_have_url(re.compile("#/table/"))
    expect(Person(page, "Santorini").offers.first).to_be_attached()


def test_who_practises_asks_what_is_good_and_how_it_stands(visit: Open, site: Site) -> None:
    page = named(visit, site, "Ada", "flat")
    card = page.locator("li.game").filter(has_text="Tris")
    card.get_by_role("button", name="Play the computer").click()
    practice = card.get_by_role("checkbox", name="Practice")
    practice.check()
    card.get_by_role("button", name="Start the game").click()
    panel = page.get_by_role("region", name="Practice")
    for question, answer in (("What is good here?", "Good move:"), ("How does it stand?", "For you: 0.00")):

        def is_answered(question: str = question, answer: str = answer) -> bool:
            """What was asked while the connection was silent, on a busy machine, is asked again."""
            if panel.get_by_role("status").inner_text() == "":
                panel.get_by_role("button", name=question).click()
            return panel.get_by_text(answer).count() > 0

        panel.get_by_role("button", name=question).click()
        until(page, is_answered)
    Person(page, "Tris").offers.first.click()
    expect(panel.get_by_text("For you:")).to_have_count(0)
