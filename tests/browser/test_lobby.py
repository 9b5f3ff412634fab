"""The lobby: what it asks for, my running matches, and what may be begun meanwhile."""

from __future__ import annotations

import re
import time

import pytest
from playwright.sync_api import expect

from .conftest import Open
from .person import Person, match_of, until
from .scenes import finished, meddle, named
from .site import Site

TRIS = "Tris"


def test_an_idle_lobby_asks_for_next_to_nothing(visit: Open, site: Site) -> None:
    page = finished(visit, site)
    page.goto(site.address + "/#/")
    expect(page.get_by_role("region", name="My matches").get_by_role("listitem").first).to_be_visible()
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.wait_for_timeout(2500)
    assert asked == []


@pytest.mark.parametrize("path", ["/#/", "/#/tournaments", "/#/leaderboard", "/#/account", "/#/nodes", "/#/puzzles"])
def test_an_idle_minute_on_any_page_makes_fewer_than_five_requests(visit: Open, site: Site, path: str) -> None:
    page = visit("/")
    page.clock.install()
    page.goto(site.address + path)
    page.reload()
    expect(page.locator("main")).not_to_be_empty()
    page.clock.run_for(2000)  # the parts that are fetched ahead
    page.wait_for_load_state("networkidle")
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    for _ in range(60):
        page.clock.run_for(1000)
        page.wait_for_timeout(5)  # the server answers in real time
    assert len(asked) < 5, asked


def test_a_match_against_the_computer_waits_and_is_listed_with_its_turn(visit: Open, site: Site) -> None:
    page = named(visit, site, "Ada")
    Person(page, TRIS).quick_play()
    expect(page.locator(".cell.legal")).to_have_count(9)
    first = match_of(page)
    page.get_by_role("link", name="boardwire").click()
    row = page.get_by_role("region", name="Running matches").get_by_role("listitem").filter(has_text=TRIS)
    expect(row).to_contain_text("against")
    expect(row).to_contain_text("your turn")
    Person(page, "Forza Quattro").quick_play()  # another one may be begun
    expect(page.locator(".column.legal").first).to_be_visible()
    page.get_by_role("link", name="boardwire").click()
    expect(row).to_contain_text("waits for you")
    expect(row).not_to_contain_text("seat kept")
    row.get_by_role("link", name="Back to the table").click()
    expect(page).to_have_url(re.compile(first))
    expect(page.locator(".cell.legal")).to_have_count(9)


def test_in_a_match_with_people_it_is_said_why_no_other_can_be_begun(visit: Open, site: Site) -> None:
    ann = Person(named(visit, site, "Ada"), TRIS).open_table()
    bob = Person(named(visit, site, "Bruno"), TRIS).sit_down(ann)
    expect(ann.page.locator(".cell.legal")).to_have_count(9)
    bob.page.get_by_role("link", name="boardwire").click()
    page = bob.page
    expect(page.get_by_text("finish or leave that match before you begin another")).to_be_visible()
    expect(page.get_by_role("button", name="Play the computer: Tris")).to_be_disabled()
    row = page.get_by_role("region", name="Running matches").get_by_role("listitem")
    expect(row).to_contain_text("against Ada")
    expect(row).to_contain_text("your opponent's turn")
    ann.page.get_by_role("button", name="row 2, column 2: free").click()
    expect(row).to_contain_text("your turn")
    page.get_by_role("link", name="Back to your match").click()
    expect(page.locator(".cell.legal")).to_have_count(8)


def test_a_match_that_ended_meanwhile_is_offered_no_more(visit: Open, site: Site) -> None:
    ann = Person(named(visit, site, "Ada"), TRIS).open_table()
    bob = Person(named(visit, site, "Bruno"), TRIS).sit_down(ann)
    expect(ann.page.locator(".cell.legal")).to_have_count(9)
    bob.page.get_by_role("button", name="Leave").click()
    bob.page.get_by_role("button", name="Yes").click()
    row = bob.page.get_by_role("region", name="Running matches").get_by_role("listitem")
    expect(row).to_contain_text(re.compile(r"seat kept for [12]:\d\d"))
    ann.page.get_by_role("button", name="Resign").click()
    ann.page.get_by_role("button", name="Yes").click()
    expect(row).to_have_count(0)


def test_leaving_the_computer_loses_nothing(visit: Open, site: Site) -> None:
    page = meddle(named(visit, site, "Ada"), "open", grace=1.0)
    Person(page, TRIS).quick_play()
    expect(page.locator(".cell.legal")).to_have_count(9)
    page.get_by_role("button", name="Leave").click()
    expect(page.get_by_role("alertdialog")).to_contain_text("It waits for you")
    page.get_by_role("button", name="Yes").click()
    page.wait_for_timeout(1500)  # longer than the seat would be held
    page.get_by_role("link", name="Back to the table").click()
    expect(page.locator(".cell.legal")).to_have_count(9)


def test_every_level_is_offered_for_every_seat(visit: Open, site: Site) -> None:
    page = named(visit, site, "Ada")
    form = page.get_by_role("region", name="Open a table")
    form.get_by_role("combobox", name="Game").select_option(label="Eriantys")
    for players in (3, 4):
        form.get_by_role("combobox", name="Players").select_option(label=str(players))
        for seat in range(2, players + 1):
            expect(form.get_by_role("combobox", name=f"Seat {seat}").locator("option")).to_have_count(13)


def test_my_matches_are_in_the_order_in_which_they_ended(visit: Open, site: Site) -> None:
    page = named(visit, site, "Ada")
    for game in (TRIS, "Forza Quattro"):
        Person(page, game).quick_play()
        page.locator(".legal").first.click()
        expect(page.get_by_role("button", name="Take back")).to_be_enabled()
        page.get_by_role("link", name="boardwire").click()
    running = page.get_by_role("region", name="Running matches").get_by_role("listitem")
    for game in ("Forza Quattro", TRIS):  # the match that began first ends last
        running.filter(has_text=game).get_by_role("link", name="Back to the table").click()
        page.get_by_role("button", name="Resign").click()
        page.get_by_role("button", name="Yes").click()
        page.get_by_role("button", name="Leave").click()
    mine = page.get_by_role("region", name="My matches").get_by_role("listitem")
    expect(mine).to_have_text([re.compile(TRIS), re.compile("Forza Quattro")])


def test_a_match_against_the_computer_is_not_in_the_public_list(visit: Open, site: Site) -> None:
    ada = Person(named(visit, site, "Ada"), TRIS).quick_play()
    expect(ada.page.locator(".cell.legal")).to_have_count(9)
    bob = Person(named(visit, site, "Bruno"), "Forza Quattro").open_table()
    zoe = Person(named(visit, site, "Zoe"), TRIS)
    expect(zoe.listed(bob)).to_have_count(1)
    expect(zoe.page.locator(f"a[href='#/table/{match_of(ada.page)}']")).to_have_count(0)


@pytest.mark.parametrize("words", ["Take back", "Resign"])
def test_one_question_is_put_at_a_time(visit: Open, site: Site, words: str) -> None:
    page = named(visit, site, "Ada")
    Person(page, TRIS).quick_play()
    back = page.get_by_role("button", name="Take back")
    expect(back).to_be_disabled()  # there is nothing to take back yet
    page.get_by_role("button", name="row 2, column 2: free").click()
    expect(back).to_be_enabled()
    page.get_by_role("button", name=words).click()
    page.get_by_role("button", name="Leave").click()
    expect(page.get_by_role("alertdialog")).to_have_count(1)


def test_the_only_move_is_taken_back_without_an_error(visit: Open, site: Site) -> None:
    ann = Person(named(visit, site, "Ada", moves="brief"), TRIS).open_table()
    bob = Person(named(visit, site, "Bruno", moves="brief"), TRIS).sit_down(ann)
    ann.page.get_by_role("button", name="row 2, column 2: free").click()
    expect(bob.moves).to_have_count(1)
    ann.page.get_by_role("button", name="Take back").click()
    ann.page.get_by_role("button", name="Yes").click()
    bob.page.get_by_role("button", name="Agree").click()
    for one in (ann, bob):
        expect(one.page.get_by_text("Nothing has happened yet.")).to_be_visible()  # `visit` reports script errors


def test_a_match_lasts_from_its_start_for_both_players(visit: Open, site: Site) -> None:
    ann = Person(named(visit, site, "Ada"), TRIS).open_table()
    bruno = Person(named(visit, site, "Bruno"), TRIS)
    ann.page.wait_for_timeout(4000)  # the wait for an opponent does not count
    began = time.monotonic()
    bob = bruno.sit_down(ann)
    expect(ann.page.locator(".cell.legal")).to_have_count(9)
    ann.page.wait_for_timeout(1500)  # a match of less than a second is shown without its duration
    ann.page.get_by_role("button", name="Resign").click()
    ann.page.get_by_role("button", name="Yes").click()
    texts = []
    for one in (ann, bob):
        over = one.page.locator(".ask.over")
        expect(over).to_contain_text(re.compile(r"took \d+:\d\d"))
        texts.append(over.inner_text())
    elapsed = time.monotonic() - began
    durations = [re.findall(r"took (\d+):(\d\d)", text) for text in texts]
    assert durations[0] == durations[1]
    ((minutes, seconds),) = durations[0]
    assert 60 * int(minutes) + int(seconds) <= elapsed + 1


def test_what_was_said_is_still_there_in_the_rematch(visit: Open, site: Site) -> None:
    ann = Person(named(visit, site, "Ada"), TRIS).open_table()
    bob = Person(named(visit, site, "Bruno"), TRIS).sit_down(ann)
    expect(ann.page.locator(".cell.legal")).to_have_count(9)
    ann.page.get_by_role("textbox", name="Say something…").fill("one more?")
    ann.page.get_by_role("button", name="Send").click()
    ann.page.get_by_role("button", name="Resign").click()
    ann.page.get_by_role("button", name="Yes").click()
    first = match_of(ann.page)
    for one in (ann, bob):
        one.page.get_by_role("button", name="Rematch").click()
    until(bob.page, lambda: match_of(bob.page) != first)
    expect(bob.page.get_by_role("list", name="Chat")).to_contain_text("one more?")


def test_the_lobby_shows_who_waits_and_what_is_being_played(visit: Open, site: Site) -> None:
    ann = Person(named(visit, site, "Ada"), TRIS).open_table()
    zoe = named(visit, site, "Zoe")
    waiting = zoe.get_by_role("list", name="Waiting for an opponent").get_by_role("listitem").filter(has_text="Ada")
    expect(waiting.first).to_contain_text("Tris")
    bob = Person(named(visit, site, "Bruno"), TRIS).sit_down(ann)
    expect(ann.page.locator(".cell.legal")).to_have_count(9)
    ann.page.get_by_role("button", name="row 2, column 2: free").click()
    expect(bob.page.locator(".cell.legal")).to_have_count(8)
    board = zoe.get_by_role("list", name="Matches in progress").locator(f"a[href='#/table/{match_of(ann.page)}']")
    expect(board.locator("path")).to_have_count(1)  # the cross
    board.click()
    expect(zoe.get_by_text("You are watching")).to_be_visible()


def test_a_waiting_player_is_joined_with_one_press(visit: Open, site: Site) -> None:
    ann = Person(named(visit, site, "Ada"), "Forza Quattro").open_table()
    expect(ann.sentence).to_contain_text("Waiting for")
    page = named(visit, site, "Bruno")
    row = page.get_by_role("list", name="Waiting for an opponent").get_by_role("listitem").filter(has_text="Forza")
    row.get_by_role("button", name="Play now").first.click()
    expect(page).to_have_url(re.compile(r"#/table/"))


def test_a_waiting_table_shows_how_its_game_is_played(visit: Open, site: Site) -> None:
    page = named(visit, site, "Ada")
    Person(page, "Santorini").open_table(private=True)
    preview = page.get_by_role("region", name="Rules with pictures")
    expect(preview.get_by_role("figure")).to_have_count(3)
    expect(preview.get_by_role("link", name="Rules of Santorini")).to_have_attribute("href", "#/rules/santorini")


def test_a_waiting_table_has_a_code_for_a_phone(visit: Open, site: Site) -> None:
    page = named(visit, site, "Ada")
    Person(page, TRIS).open_table(private=True)
    expect(page.get_by_role("img", name="The link as a QR code")).to_be_visible()
