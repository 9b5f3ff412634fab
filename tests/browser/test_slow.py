"""A slow line, and what the browser keeps of the page: little is fetched, and a new server never meets an old page."""

from __future__ import annotations

import re
from typing import Final

from playwright.sync_api import Page, expect

from .conftest import Open
from .person import Person, until
from .site import Site

BYTES_PER_SECOND: Final = 1_600_000 / 8
LATENCY: Final = 0.15
"""A phone on a poor network."""
TRIPS: Final = 6
"""Connection, document, program with its words, WebSocket, greeting and the lists."""
SECONDS: Final = 3.0

_FETCHED: Final = """() => [...performance.getEntriesByType('navigation'), ...performance.getEntriesByType('resource')]
    .map(one => [one.name, one.transferSize])"""


def test_on_a_slow_line_something_can_be_done_within_three_seconds(visit: Open, site: Site) -> None:
    page = visit(service_workers="allow")
    line = page.context.new_cdp_session(page)
    line.send("Network.enable")
    line.send("Network.setCacheDisabled", {"cacheDisabled": True})
    line.send(
        "Network.emulateNetworkConditions",
        {
            "offline": False,
            "latency": 1000 * LATENCY,
            "downloadThroughput": BYTES_PER_SECOND,
            "uploadThroughput": BYTES_PER_SECOND,
        },
    )
    page.evaluate(
        "navigator.serviceWorker.getRegistrations().then(all => Promise.all(all.map(one => one.unregister())))"
    )
    page.goto("about:blank")
    page.goto(site.address, wait_until="commit")
    expect(page.get_by_role("button", name="Play the computer: Tris")).to_be_enabled()
    fetched = page.evaluate(_FETCHED)
    # Reckoned from what was fetched, not by the clock: a busy machine is no fault of the page.
    needed = sum(size for _, size in fetched) / BYTES_PER_SECOND + TRIPS * LATENCY
    assert needed < SECONDS, (needed, fetched)
    assert not any("three" in name or "santorini" in name for name, _ in fetched), fetched


def ready(page: Page) -> None:
    """Wait until the service worker stands between the page and the server."""
    page.evaluate("navigator.serviceWorker.ready.then(() => null)")
    page.reload()
    page.wait_for_function("navigator.serviceWorker.controller !== null")


def test_the_service_worker_keeps_the_page_and_its_files_and_nothing_else(visit: Open) -> None:
    page = visit(service_workers="allow")
    expect(page.get_by_role("heading", name="What shall we play?")).to_be_visible()
    ready(page)
    expect(page.get_by_role("button", name="Play the computer: Tris")).to_be_enabled()
    kept = page.evaluate("""async () => {
        const found = []
        for (const name of await caches.keys())
            for (const one of await (await caches.open(name)).keys()) found.push(new URL(one.url).pathname)
        return found
    }""")
    assert kept
    assert [path for path in kept if not path.startswith(("/assets/", "/icon", "/manifest.")) and path != "/"] == []


def test_a_new_server_never_meets_an_old_page(visit: Open, site: Site) -> None:
    page = visit(service_workers="allow")
    ready(page)
    page.context.route(f"{site.address}/", lambda route: route.fulfill(body="<h1>the page of tomorrow</h1>"))
    page.goto("about:blank")
    page.goto(site.address)
    expect(page.get_by_role("heading", name="the page of tomorrow")).to_be_visible()


def test_the_header_is_painted_before_the_program_is_there(visit: Open, site: Site) -> None:
    page = visit()
    page.context.route(re.compile(r"/assets/"), lambda route: None)  # unanswered, style sheets too
    page.goto("about:blank")
    page.goto(site.address, wait_until="commit")
    until(page, lambda: page.evaluate("performance.getEntriesByName('first-contentful-paint').length") == 1)
    expect(page.get_by_text("boardwire", exact=True)).to_be_visible()


def test_a_reloaded_table_fetches_its_board_before_the_server_has_named_the_game(visit: Open) -> None:
    page = visit()
    Person(page, "Forza Quattro").quick_play()
    expect(page.locator(".column.legal").first).to_be_visible()
    page.route_web_socket("**/ws", lambda _: None)  # silent
    with page.expect_request("**/assets/forza-*.js"):
        page.reload(wait_until="commit")
