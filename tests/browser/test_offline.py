"""The page without its server: it opens again, says what is wrong, and is whole as soon as the server is back."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from .conftest import Open
from .site import Site

KEPT = """async () => {
    const names = await Promise.all((await caches.keys()).map(async name => (await (await caches.open(name)).keys())))
    return names.flat().map(one => new URL(one.url).pathname)
}"""


@pytest.mark.own_server
def test_the_page_opens_without_its_server_and_says_so(visit: Open, site: Site) -> None:
    page = visit(service_workers="allow")
    page.evaluate("navigator.serviceWorker.ready.then(() => null)")
    page.wait_for_function("navigator.serviceWorker.controller !== null")
    expect(page.locator(".connection.open")).to_be_attached()
    page.wait_for_function("caches.open('shell').then(shell => shell.keys()).then(keys => keys.length > 0)")
    page.wait_for_function("caches.open('assets').then(files => files.keys()).then(keys => keys.length > 4)")
    site.kill()
    page.reload()
    expect(page.get_by_role("heading", name="boardwire")).to_be_attached()
    expect(page.get_by_role("alert")).to_contain_text("The server cannot be reached")
    expect(page.get_by_text("0 people play")).to_be_hidden()
    kept = page.evaluate(KEPT)
    assert [path for path in kept if path.startswith(("/api", "/ws", "/match", "/embed"))] == []
    site.start()
    expect(page.locator(".connection.open")).to_be_attached()
    expect(page.get_by_role("alert")).to_have_count(0)
    expect(page.get_by_text("0 people play")).to_be_visible()


def test_the_page_can_be_installed(visit: Open, site: Site) -> None:
    page = visit()
    manifest = page.request.get(f"{site.address}/manifest.webmanifest").json()
    for icon in manifest["icons"]:
        assert page.request.get(f"{site.address}/{icon['src']}").headers["content-type"] == icon["type"]
    touch = page.locator("link[rel=apple-touch-icon]").get_attribute("href")
    assert page.request.get(f"{site.address}/{touch}").ok
