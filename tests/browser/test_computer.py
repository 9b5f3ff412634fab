"""What the computer has to say: about a match that is over, and in puzzles."""

from __future__ import annotations

import re

from playwright.sync_api import Page, expect

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
    expect(page.get_by_role("img", name="The best turn on the board")).to_be_visible()
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


def easy_puzzle(page: Page, site: Site) -> tuple[str, int, int]:
    """A puzzle that one step solves: its name, and from where to where that goes."""
    for one in page.request.get(f"{site.address}/api/puzzles").json()["puzzles"]:
        moves = page.request.get(f"{site.address}/api/puzzles/{one['id']}").json()["solution"]
        if [move["action"]["type"] for move in moves] == ["move"]:
            return one["id"], moves[0]["action"]["frm"], moves[0]["action"]["to"]
    raise AssertionError("no puzzle is solved by one step")


def test_a_puzzle_is_played_on_the_board_and_judged(visit: Open, site: Site) -> None:
    page = named(visit, site, "Ada", "flat")
    name, frm, to = easy_puzzle(page, site)
    page.goto(f"{site.address}/#/puzzles/{name}")
    status = page.locator(".goal")
    expect(status).to_contain_text("Win with this turn")
    person = Person(page, "Santorini", seed=3)
    square = "[data-square='{}']".format
    page.locator(square(frm)).click()
    wrong = page.locator(f".squares button.can:not({square(to)}):not({square(frm)})").first
    wrong.click()
    until(page, lambda: "Not this one" in status.inner_text() or not (person.choose() or True))
    page.get_by_role("button", name="Try again").click()
    page.locator(square(frm)).click()
    page.locator(square(to)).click()
    expect(status).to_contain_text("Right!")
    expect(page.get_by_text("1 / ")).to_be_visible()
    status.get_by_role("button", name="Next puzzle").click()
    expect(status).to_contain_text("Win")
    page.goto(f"{site.address}/#/puzzles/{name}")
    expect(page.get_by_text("✓")).to_be_visible()  # it is remembered


def test_the_defence_answers_a_right_first_turn(visit: Open, site: Site) -> None:
    page = named(visit, site, "Ada", "flat")
    name = "c17f1059"  # two turns: A2>B1, then a dome on A2
    page.goto(f"{site.address}/#/puzzles/{name}")
    status = page.locator(".goal")
    expect(status).to_contain_text("Win in 2 turns")
    for square in (15, 21, 15):
        page.locator(f"[data-square='{square}']").click()
    menu = page.locator(".menu button")
    until(page, lambda: menu.count() > 0 or "Good so far" in status.inner_text())
    if menu.count() > 0:
        menu.filter(has_text="dome").click()
    expect(status).to_contain_text("Good so far. The answer:")
    expect(status).to_contain_text("Win with this turn")


def test_help_is_for_the_turn_that_is_to_be_played(visit: Open, site: Site) -> None:
    page = visit("/#/puzzles/ea414274")  # two turns: column 2, and again column 2
    status = page.locator(".goal")
    column = page.get_by_role("button", name=re.compile("^Column 2:"))
    expect(status).to_contain_text("Win in 2 turns")
    column.click()
    expect(status).to_contain_text("Win with this turn")
    page.get_by_role("button", name="Hint", exact=True).click()
    expect(page.get_by_text("Hint: column 2")).to_be_visible()
    expect(status).to_contain_text("Win with this turn")  # the first turn is not to be played again
    column.click()
    expect(status).to_contain_text("Right!")


def test_a_shown_solution_goes_on_after_the_defence_answered(visit: Open, site: Site) -> None:
    page = visit("/#/puzzles/ea414274")
    status = page.locator(".goal")
    page.get_by_role("button", name="Show the solution").click()
    for goal in ("Win in 2 turns", "Win with this turn"):
        expect(status).to_contain_text(goal)
        expect(page.locator(".advised")).to_have_count(1)  # shown on the board
        page.get_by_role("button", name=re.compile("^Column 2:")).click()
    expect(status).to_contain_text("Right!")


def test_who_practises_asks_what_is_good_and_how_it_stands(visit: Open, site: Site) -> None:
    page = named(visit, site, "Ada", "flat")
    card = page.locator("li.game").filter(has_text="Tris")
    card.get_by_role("button", name="Play the computer").click()
    practice = card.get_by_role("checkbox", name="Practice")
    practice.check()
    card.get_by_role("button", name="Start the game").click()
    panel = page.get_by_role("region", name="Practice")
    for question, answer in (("Suggest a move", "Good move:"), ("Who is ahead?", "For you: 0.00")):

        def is_answered(question: str = question, answer: str = answer) -> bool:
            """What was asked while the connection was silent, on a busy machine, is asked again."""
            if panel.get_by_role("status").inner_text() == "":
                panel.get_by_role("button", name=question).click()
            return panel.get_by_text(answer).count() > 0

        panel.get_by_role("button", name=question).click()
        until(page, is_answered)
    Person(page, "Tris").offers.first.click()
    expect(panel.get_by_text("For you:")).to_have_count(0)


def test_a_puzzle_of_Forza_is_won_against_the_defence(visit: Open, site: Site) -> None:
    page = named(visit, site, "Ada")
    known = page.request.get(f"{site.address}/api/puzzles").json()["puzzles"]
    one = next(one for one in known if one["game"] == "forza" and one["goal"] == "win" and one["turns"] == 2)
    page.goto(f"{site.address}/#/puzzles/{one['id']}")
    status = page.locator(".goal")
    expect(status).to_contain_text("Win in 2 turns")
    page.get_by_role("button", name="Show the solution").click()
    column = int(page.request.get(f"{site.address}/api/puzzles/{one['id']}").json()["solution"][0]["text"])
    play_column(page, column)
    expect(status).to_contain_text("Good so far. The answer:")
    expect(status).to_contain_text("Win with this turn")
    expect(page.get_by_role("link", name="Analyse it")).to_have_attribute(
        "href", re.compile("#/analysis/forza/position")
    )


def play_column(page: Page, column: int) -> None:
    """Drop a disc into a column, counted from 1."""
    page.locator(".legal").nth(column - 1).click()


def test_puzzles_are_chosen_by_game_theme_and_grade_and_that_is_remembered(visit: Open, site: Site) -> None:
    page = named(visit, site, "Ada")
    page.goto(f"{site.address}/#/puzzles")
    page.get_by_role("combobox", name="Game").select_option(label="Eriantys")
    expect(page.get_by_role("group", name="Eriantys table")).to_be_visible()  # headed otherwise if it is today's puzzle
    expect(page.locator(".goal")).to_contain_text("Find the best turn")
    page.get_by_role("combobox", name="Theme").select_option(label="islands unite")
    page.get_by_role("combobox", name="Difficulty").select_option(label="hard")
    expect(page.get_by_role("list", name="Theme")).to_contain_text("islands unite")
    expect(page.get_by_text("hard", exact=True).first).to_be_visible()
    page.reload()
    expect(page.get_by_role("combobox", name="Theme")).to_have_value("merge")
