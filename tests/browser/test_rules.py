"""The rules with pictures: found from where one plays, stepped through, in both languages."""

from __future__ import annotations

from playwright.sync_api import expect

from .conftest import Open
from .scenes import speak
from .site import Site


def test_the_rules_of_a_game_are_stepped_through(visit: Open) -> None:
    page = visit(reduced_motion="reduce")
    page.get_by_role("link", name="Rules of Santorini").click()
    expect(page.get_by_role("heading", name="How to play Santorini")).to_be_visible()
    figure = page.get_by_role("figure", name="Climbing")
    expect(figure).to_contain_text("1 / 8")
    figure.get_by_role("button", name="Next").click()
    expect(figure).to_contain_text("Not allowed: Too high")
    figure.get_by_role("button", name="Next").click()
    expect(figure).to_contain_text("Ada moves a3 to b3")
    figure.get_by_role("button", name="Back").click()
    expect(figure).to_contain_text("2 / 8")


def test_an_example_plays_by_itself_once_it_is_seen(visit: Open) -> None:
    page = visit("/#/rules/tris")
    figure = page.get_by_role("figure", name="Three in a line")
    expect(figure).to_contain_text("6 / 6", timeout=20_000)
    expect(figure).to_contain_text("Ada has three in a line")


def test_the_end_of_an_example_is_shown_once(visit: Open) -> None:
    figure = visit("/#/rules/santorini/pan", reduced_motion="reduce").get_by_role("figure", name="Pan")
    figure.get_by_role("button", name="Next").click()
    expect(figure).to_contain_text("2 / 2")
    assert figure.inner_text().count("wins") == 1


def test_a_link_leads_to_a_god_and_the_list_is_searched(visit: Open, site: Site) -> None:
    page = visit("/rules/santorini/zeus", reduced_motion="reduce")
    expect(page).to_have_url(f"{site.address}/#/rules/santorini/zeus")
    expect(page.get_by_role("figure", name="Zeus")).to_be_in_viewport()
    page.get_by_role("searchbox").fill("diagonally")
    expect(page.get_by_role("figure", name="Hippolyta")).to_be_visible()
    expect(page.locator("ul.cards > li")).to_have_count(1)
    speak(page, "Italiano")
    expect(page.get_by_role("heading", name="Come si gioca a Santorini")).to_be_visible()
