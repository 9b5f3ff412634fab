"""A real browser and a real server for the tests of the page.

Tests of one worker share a server; one that is marked `own_server` stops it, or counts what is in its lists.
Every page that a test opens is watched: an error in its console, a request that fails, or anything loaded from another
host fails the test.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, ConsoleMessage, Page, expect, sync_playwright

from .person import PATIENCE
from .site import Site

ROOT = Path(__file__).parents[2]
BROWSERS = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
FLAGS = [
    "--no-sandbox", "--disable-background-networking", "--disable-component-update", "--disable-sync",
    "--no-first-run", "--host-resolver-rules=MAP *.example 127.0.0.1",
    "--disable-features=LocalNetworkAccessChecks",  # another site may show what runs on this machine
    "--disable-gpu", "--enable-unsafe-swiftshader",  # pages are drawn without one, which is quicker; 3D is reckoned
]  # fmt: skip

expect.set_options(timeout=PATIENCE)  # a busy machine is no fault of the page

Open = Callable[..., Page]


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Everything in this folder needs a browser."""
    here = f"{Path(__file__).parent}{os.sep}"
    for item in items:
        if str(item.path).startswith(here):
            item.add_marker(pytest.mark.browser)


def chromium() -> str:
    """Return the Chromium of the system: its headless shell, or else the whole browser, which is slower."""
    for name in BROWSERS:
        if (found := os.environ.get("CHROMIUM") or shutil.which(name)) is not None:
            return found
    raise AssertionError("there is no Chromium here; scripts/programs installs it")


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    """One browser for all tests; each player has a context of its own."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium(), args=FLAGS)
        yield browser
        browser.close()


@pytest.fixture(scope="session")
def shared_site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    """One server for all tests that do not mind each other."""
    with running(tmp_path_factory.mktemp("site")) as site:
        yield site


@pytest.fixture
def site(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Site]:
    """The server: the shared one, or a fresh one for a test that is marked `own_server`."""
    if request.node.get_closest_marker("own_server") is None:
        yield request.getfixturevalue("shared_site")
    else:
        with running(tmp_path) as site:
            yield site


@contextmanager
def running(folder: Path) -> Iterator[Site]:
    """A server that must not complain."""
    assert (ROOT / "src" / "boardwire" / "api" / "page" / "index.html").exists(), "the page is not built: make web"
    site = Site(folder / "data")
    yield site
    site.kill()
    assert '"level":"error"' not in site.complaints().replace(" ", ""), site.complaints()


@pytest.fixture
def visit(browser: Browser, site: Site) -> Iterator[Open]:
    """Open the page as a new person with separate storage: `visit(path, **context)`.

    Bots are shown at once, and moves in words; `service_workers="allow"` installs the service worker.
    """
    contexts: list[BrowserContext] = []
    faults: list[str] = []

    def visit(path: str = "/", *, pace: str = "instant", moves: str = "words", **context: Any) -> Page:
        options: dict[str, Any] = {
            "locale": "en-GB",
            "viewport": {"width": 1280, "height": 800},
            "service_workers": "block",  # it fetches the whole page a second time: 0.1 s of CPU of 0.4
        } | context
        person = browser.new_context(**options)
        person.set_default_timeout(PATIENCE)
        contexts.append(person)
        kept = {"pace": pace, "moves": moves}
        for name, value in kept.items():
            person.add_init_script(f"try {{ localStorage['boardwire.preference.{name}'] ??= '{value}' }} catch {{}}")
        page = person.new_page()
        page.on("console", lambda message: faults.append(_said(message)) if message.type == "error" else None)
        page.on("pageerror", lambda error: faults.append(str(error)))
        page.on("request", lambda request: None if _is_ours(request.url, site) else faults.append(request.url))
        page.goto(site.address + path)
        return page

    yield visit
    for person in contexts:
        person.close()
    expected = ("WebSocket connection to", "ERR_CONNECTION_", "ERR_FAILED",  # while a test keeps the server down
                "ERR_EMPTY_RESPONSE", "ERR_CONTENT_LENGTH_MISMATCH",  # or kills it in the middle of an answer
                "422 (Unprocessable Entity)",  # a position that cannot be played
                "409 (Conflict)", "401 (Unauthorized)")  # a name that is taken, a wrong recovery code  # fmt: skip
    assert [fault for fault in faults if not any(words in fault for words in expected)] == []


def _said(message: ConsoleMessage) -> str:
    return f"{message.text} ({message.location['url']})"


def _is_ours(url: str, site: Site) -> bool:
    return url.startswith((site.address, site.address.replace("http", "ws"), "data:", "blob:"))
