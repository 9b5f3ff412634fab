"""People who come by a link, and what they meet there when something is in the way."""

from __future__ import annotations

from playwright.sync_api import Page, expect

from .conftest import Open
from .person import Person, match_of, play_out, until
from .scenes import named
from .site import Site

TRIS = "Tris"


def private_table(visit: Open, site: Site) -> tuple[Person, str]:
    """Ada at a private table, and the path of its link."""
    ann = Person(named(visit, site, "Ada"), TRIS, seed=1).open_table(private=True)
    address = ann.page.get_by_role("textbox", name="Copy link").input_value()
    return ann, "/" + address.split("/", 3)[3]


def sit_as(page: Page, name: str) -> None:
    """Tell a name and take the free seat."""
    page.get_by_role("textbox", name="My name").fill(name)
    page.get_by_role("button", name="Sit down at this table").click()


def test_a_taken_name_is_reported_at_the_link_and_can_be_changed_there(visit: Open, site: Site) -> None:
    ann, path = private_table(visit, site)
    bob = Person(visit(path), TRIS, seed=2)
    sit_as(bob.page, "Ada")
    expect(bob.page.get_by_role("alert")).to_contain_text("That name is taken at this table")
    sit_as(bob.page, "Bruno")
    expect(bob.sentence).to_have_text("Waiting for Ada to mark a cell")
    expect(ann.moves.filter(has_text="Bruno sat down")).to_have_count(1)


def test_a_link_without_its_code_asks_for_the_code(visit: Open, site: Site) -> None:
    ann, path = private_table(visit, site)
    page = visit(f"/#/table/{match_of(ann.page)}")
    expect(page.get_by_role("heading", name="This table is private.")).to_be_visible()
    expect(page.get_by_role("link", name="See the replay")).to_have_count(0)
    page.get_by_role("textbox", name="Code, or the whole link").fill(path.rsplit("/", 1)[1])
    page.get_by_role("button", name="Enter").click()
    expect(page.get_by_role("button", name="Sit down at this table")).to_be_visible()


def test_a_spectator_of_a_private_match_follows_into_the_rematch_and_may_reload(visit: Open, site: Site) -> None:
    ann, path = private_table(visit, site)
    zoe = visit(path)
    bob = Person(visit(path), TRIS, seed=2)
    sit_as(bob.page, "Bruno")
    expect(zoe.get_by_role("grid", name="Tris board")).to_be_visible()
    first = match_of(zoe)
    play_out(ann, bob)
    for person in (ann, bob):
        person.page.get_by_role("button", name="Rematch").click()
    expect(zoe).not_to_have_url(f"{site.address}{path}")
    zoe.reload()
    expect(zoe.get_by_text("You are watching")).to_be_visible()
    until(zoe, lambda: match_of(zoe) == match_of(ann.page) != first)


def test_a_rematch_is_declined_when_the_other_has_left_and_another_opponent_is_found(visit: Open, site: Site) -> None:
    ann, path = private_table(visit, site)
    bob = Person(visit(path), TRIS, seed=2)
    sit_as(bob.page, "Bruno")
    play_out(ann, bob)
    bob.page.get_by_role("button", name="Leave").click()
    expect(ann.page.get_by_text("No rematch: Bruno left the table.")).to_be_visible()
    expect(ann.page.get_by_role("button", name="Rematch")).to_have_count(0)
    ann.page.get_by_role("button", name="Another opponent").click()
    expect(ann.sentence).to_contain_text("Waiting for")


def test_a_new_name_in_mid_match_says_from_when_it_holds(visit: Open, site: Site) -> None:
    page = named(visit, site, "Ada")
    Person(page, TRIS).quick_play()
    page.get_by_label("Settings").click()
    page.get_by_role("textbox", name="My name").fill("Eva")
    page.keyboard.press("Tab")
    expect(page.get_by_text("The new one applies from your next table.")).to_be_visible()


def test_a_guest_has_a_name_in_the_language_of_the_page(visit: Open) -> None:
    page = visit(locale="it-IT")
    expect(page.get_by_label("Impostazioni: Ospite")).to_be_visible()
