"""What a table was opened with, players who are away, and names that the server does not know."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Browser, expect

from .conftest import Open
from .person import Person, match_of
from .scenes import SKIPS, deserted, meddle, named, terms, watched
from .site import Site

TRIS = "Tris"


def test_a_token_of_other_days_is_given_up_for_a_new_one(visit: Open, site: Site) -> None:
    old = [{"name": "boardwire.token", "value": "short"}, {"name": "boardwire.name", "value": "Ada"}]
    page = visit(storage_state={"cookies": [], "origins": [{"origin": site.address, "localStorage": old}]})
    Person(page, TRIS).quick_play()
    expect(page.locator(".cell.legal")).to_have_count(9)
    assert len(page.evaluate("localStorage['boardwire.token']")) >= 24


def test_a_leaving_player_sees_the_consequences(visit: Open, site: Site) -> None:
    ann = Person(named(visit, site, "Ada"), TRIS).open_table()
    page = Person(named(visit, site, "Bruno"), TRIS).sit_down(ann).page
    expect(page.get_by_role("grid", name="Tris board")).to_be_visible()
    page.get_by_role("button", name="Leave").click()
    expect(page.get_by_role("alertdialog")).to_contain_text("Your seat is kept for 2 minutes; then you lose.")


def test_a_seat_that_is_held_says_for_how_long(visit: Open, site: Site) -> None:
    ann = Person(named(visit, site, "Ada"), TRIS).open_table()
    bob = Person(named(visit, site, "Bruno"), TRIS).sit_down(ann)
    expect(bob.page.get_by_role("grid", name="Tris board")).to_be_visible()
    bob.page.close()
    expect(ann.page.get_by_text(re.compile(r"Bruno is away. The seat is kept for another [12]:\d\d\."))).to_be_visible()


def test_the_win_is_claimed_against_an_absent_player(visit: Open, site: Site) -> None:
    ann = deserted(visit, site)
    ann.get_by_role("button", name="Claim the win", exact=True).click()
    expect(ann.locator(".ask")).to_contain_text("Bruno did not come back in time")
    expect(ann.get_by_role("list", name="Moves")).to_contain_text("Ada stopped waiting for Bruno")
    expect(ann.get_by_role("button", name="Claim the win")).to_have_count(0)


def test_no_win_is_claimed_against_a_player_who_returns_in_time(visit: Open, site: Site) -> None:
    ann = Person(meddle(named(visit, site, "Ada"), "open", patience=90.0), TRIS).open_table()
    bob = Person(named(visit, site, "Bruno"), TRIS).sit_down(ann)
    expect(bob.page.get_by_role("grid", name="Tris board")).to_be_visible()
    table, state = bob.page.url, bob.page.context.storage_state()
    bob.page.close()
    expect(ann.page.get_by_role("button", name=re.compile(r"Claim the win in 1:\d\d"))).to_be_disabled()
    visit("/" + table.split("/", 3)[3], storage_state=state)
    expect(ann.page.get_by_role("button", name="Claim the win")).to_have_count(0)


def test_all_players_at_a_table_see_its_spectators(visit: Open, site: Site) -> None:
    page = watched(visit, site)
    lobby = named(visit, site, "Xenia").get_by_role("region", name="Tables")
    expect(lobby.get_by_text("2 people watch")).to_be_visible()
    expect(page.get_by_text("2 people watch")).to_have_attribute("title", re.compile("Zoe, Yann|Yann, Zoe"))
    assert page.context.browser is not None
    page.context.browser.contexts[-2].close()
    expect(page.get_by_text("1 person watches")).to_be_visible()


def test_a_spectator_sees_the_terms_of_a_table(visit: Open, site: Site) -> None:
    page = terms(visit, site)
    shown = page.get_by_role("group").filter(has=page.get_by_role("heading", name="Terms of this table"))
    for words in ("10 seconds", "10 minutes", SKIPS, "wins after 2 minutes"):
        expect(shown).to_contain_text(words)
    god = shown.get_by_role("combobox", name="God of player 1")
    expect(god).to_have_value("athena")
    expect(god).to_be_disabled()
    page.get_by_role("link", name="boardwire, to the lobby").click()
    row = page.get_by_role("region", name="Tables")
    for words in ("10 seconds for each decision", "10 minutes for each player", "special terms"):
        expect(row).to_contain_text(words)


@pytest.mark.own_server
def test_a_player_who_seeks_a_match_is_seated_where_another_waits(visit: Open, site: Site) -> None:
    ann = Person(named(visit, site, "Ada"), TRIS)
    ann.page.get_by_role("button", name="Play someone: Tris").click()
    expect(ann.sentence).to_have_text("Waiting for 1 more player.")
    waited = match_of(ann.page)
    bob = Person(named(visit, site, "Bruno"), TRIS).open_table()
    for person in (ann, bob):
        expect(person.page.get_by_role("grid", name="Tris board")).to_be_visible()
    assert match_of(ann.page) == match_of(bob.page) != waited
    ann.page.go_back()
    expect(ann.page.get_by_text("You are playing Tris with others")).to_be_visible()
    expect(ann.page.get_by_role("region", name="Running matches").get_by_role("listitem")).to_have_count(1)


# --- names ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["localhost", "games.localhost"])
def test_the_page_plays_under_names_of_the_loopback(browser: Browser, site: Site, name: str) -> None:
    with browser.new_context(locale="en-GB") as context:
        page = context.new_page()
        page.goto(site.address.replace("127.0.0.1", name))
        expect(page.get_by_text("Connected", exact=True)).to_be_attached()


@pytest.mark.own_server
def test_an_unknown_host_name_is_reported_until_the_server_accepts_it(browser: Browser, site: Site) -> None:
    with browser.new_context(locale="en-GB") as context:
        page = context.new_page()
        page.goto(site.address.replace("127.0.0.1", "games.example"))
        alert = page.get_by_role("alert")
        expect(alert).to_contain_text("does not accept pages from the host name games.example")
        expect(alert).to_contain_text("--public-host games.example")
        site.kill()
        site.flags = ["--public-host", "games.example"]
        site.start()
        expect(page.get_by_text("Connected", exact=True)).to_be_attached()
        expect(alert).to_have_count(0)
