"""Accounts in a real browser: claim a name with a passkey or a recovery code, come back in a second browser."""

from __future__ import annotations

import re
import time
from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, CDPSession, Page, expect

from .conftest import Open
from .person import PATIENCE
from .scenes import claimed
from .site import Site

AUTHENTICATOR = {
    "protocol": "ctap2", "transport": "internal", "hasResidentKey": True, "hasUserVerification": True,
    "isUserVerified": True, "automaticPresenceSimulation": True,
}  # fmt: skip
MINUTE = 60.0
PHONE = {"width": 390, "height": 844}


@pytest.fixture
def contexts(browser: Browser) -> Iterator[list[BrowserContext]]:
    opened: list[BrowserContext] = []
    yield opened
    for one in opened:
        one.close()


def with_authenticator(browser: Browser, contexts: list[BrowserContext], site: Site) -> tuple[Page, CDPSession, str]:
    """The page by the name localhost, which may have passkeys, in a browser with an authenticator."""
    context = browser.new_context(locale="en-GB")
    context.set_default_timeout(PATIENCE)
    contexts.append(context)
    page = context.new_page()
    devtools = context.new_cdp_session(page)
    devtools.send("WebAuthn.enable")
    made: Any = devtools.send("WebAuthn.addVirtualAuthenticator", {"options": AUTHENTICATOR})
    page.goto(f"http://localhost:{site.ports['http']}/#/account")
    return page, devtools, made["authenticatorId"]


def test_a_name_is_claimed_with_a_passkey_and_found_again_in_a_second_browser_within_a_minute(
    browser: Browser, contexts: list[BrowserContext], site: Site
) -> None:
    began = time.monotonic()
    first, devtools, authenticator = with_authenticator(browser, contexts, site)
    claim = first.get_by_role("heading", name="Claim a name").locator("..")
    claim.get_by_label("My name").fill("Passkey Ann")
    claim.get_by_role("button", name="Claim with a passkey").click()
    expect(first.get_by_role("heading", name="Passkey Ann")).to_be_visible()
    expect(first.get_by_role("region", name="Devices")).to_contain_text("this one")
    # The passkey is synchronised to the second browser, as a phone or a password manager does it.
    (credential,) = devtools.send("WebAuthn.getCredentials", {"authenticatorId": authenticator})["credentials"]
    second, other, its_authenticator = with_authenticator(browser, contexts, site)
    other.send("WebAuthn.addCredential", {"authenticatorId": its_authenticator, "credential": credential})
    second.get_by_role("button", name="Sign in with a passkey").click()
    expect(second.get_by_role("heading", name="Passkey Ann")).to_be_visible()
    expect(second.get_by_role("region", name="Devices").get_by_role("listitem")).to_have_count(3)  # two and a passkey
    assert time.monotonic() - began < MINUTE


@pytest.mark.own_server
def test_a_name_is_claimed_with_a_recovery_code_where_there_are_no_passkeys(visit: Open) -> None:
    first = visit("/#/account")
    claim = first.get_by_role("heading", name="Claim a name").locator("..")
    claim.get_by_label("My name").fill("Code Ann")
    claim.get_by_role("button", name="Claim this name").click()
    code = first.get_by_role("region", name="Recovery code").locator("code").inner_text()
    assert re.fullmatch(r"([A-Z2-9]{5}-){3}[A-Z2-9]{5}", code)
    first.get_by_role("button", name="I have stored it").click()
    expect(first.get_by_role("heading", name="Code Ann")).to_be_visible()

    second = visit("/#/account")
    sign_in = second.get_by_role("heading", name="Sign in").locator("..")
    sign_in.get_by_label("My name").fill("code ann")
    sign_in.get_by_label("Recovery code").fill(code)
    sign_in.get_by_role("button", name="Sign in with the code").click()
    expect(second.get_by_role("heading", name="Code Ann")).to_be_visible()

    guest = visit("/")
    guest.evaluate("localStorage['boardwire.name'] = 'Code Ann'")
    guest.reload()
    expect(guest.get_by_label("Settings: Code Ann (guest)")).to_be_visible()


@pytest.mark.own_server
def test_a_player_challenges_another_to_a_rated_match_and_both_have_a_rating(visit: Open) -> None:
    ann, bob = claimed(visit, "Ann"), claimed(visit, "Bob")
    ann.goto(ann.url.partition("#")[0] + "#/player/Bob")
    ann.get_by_role("combobox", name="Game").select_option(label="Tris")
    ann.get_by_role("button", name="Challenge").click()
    expect(bob.get_by_text("Ann challenges you to Tris, rated.")).to_be_visible()
    bob.get_by_role("button", name="Accept").click()
    for page in (ann, bob):
        expect(page).to_have_url(re.compile("#/table/"))
    cells = "button.cell"
    for number, cell in enumerate((0, 3, 1, 4, 2)):
        page = (ann, bob)[number % 2]
        place = page.locator(cells).nth(cell)
        expect(place).to_be_enabled()
        place.click()
    expect(ann.get_by_text(re.compile("won", re.I)).first).to_be_visible()
    for page in (ann, bob):
        expect(page.get_by_role("link", name=re.compile(r"Your rating: \d+"))).to_be_visible()
    bob.goto(bob.url.partition("#")[0] + "#/player/Ann")
    ratings = bob.get_by_role("region", name="Ratings")
    expect(ratings).to_contain_text("1 won, 0 drawn, 0 lost")
    expect(ratings.get_by_role("listitem")).to_have_count(1)
    expect(ratings.get_by_role("img", name=re.compile("Rating over 1 match"))).to_be_visible()
    bob.goto(bob.url.partition("#")[0] + "#/leaderboard")
    expect(bob.get_by_text("No player is ranked yet")).to_be_visible()


@pytest.mark.own_server
def test_a_taken_name_and_a_wrong_code_are_refused_in_the_words_of_accounts(visit: Open) -> None:
    claimed(visit, "Ann")
    page = visit("/#/account", viewport=PHONE)
    claim = page.get_by_role("heading", name="Claim a name").locator("..")
    sign_in = page.get_by_role("heading", name="Sign in").locator("..")
    claim.get_by_label("My name").fill("Ann")
    expect(sign_in.get_by_label("My name")).to_have_value("")
    claim.get_by_role("button", name="Claim this name").click()
    expect(page.get_by_role("alert")).to_contain_text("This name is already claimed.")
    sign_in.get_by_label("My name").fill("ann")
    sign_in.get_by_label("Recovery code").fill("AAAAA-BBBBB-CCCCC-DDDDD")
    sign_in.get_by_role("button", name="Sign in with the code").click()
    expect(page.get_by_role("alert")).to_contain_text("The name or the recovery code is wrong.")
    expect(page.get_by_role("alert")).to_be_in_viewport()


@pytest.mark.own_server
def test_a_guest_learns_before_sitting_down_that_a_rated_table_needs_a_claimed_name(visit: Open) -> None:
    ann = claimed(visit, "Ann")
    ann.goto(ann.url.partition("#")[0] + "#/")
    form = ann.get_by_role("region", name="Open a table")
    form.get_by_role("combobox", name="Game").select_option(label="Tris")
    form.get_by_label("Rated").check()
    form.get_by_role("button", name="Open the table").click()
    expect(ann.locator("details").filter(has_text="Terms of this table")).to_contain_text(re.compile("Rated\\s*Yes"))
    guest = visit("/", viewport=PHONE)
    tables = guest.get_by_role("region", name="Tables")
    expect(tables).to_contain_text("Rated")
    expect(guest.get_by_role("link", name="Claim a name to play")).to_have_count(2)  # who waits, and the list
    expect(guest.get_by_role("button", name=re.compile("Play now|Sit down"))).to_have_count(0)
    guest.goto(ann.url)
    expect(guest.get_by_text("This table is rated: claim a name first.")).to_be_visible()
    guest.get_by_role("link", name="Claim a name to play").click()
    expect(guest.get_by_role("heading", name="Claim a name")).to_be_visible()
