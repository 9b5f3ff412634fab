"""Pictures of every page, in both themes, wide and narrow, and in Italian: `python -m tests.browser.shots [SCENE ...]`.

They are written to `shots/`, to be looked at; and those that documents show to `docs/pictures/`.
"""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path
from typing import Final

from playwright.sync_api import Browser, BrowserContext, Page, sync_playwright

from .conftest import FLAGS, ROOT, chromium
from .scenes import SCENES, speak_italian
from .site import Site

SHOTS: Final = ROOT / "shots"
PICTURES: Final = ROOT / "docs" / "pictures"
KEPT: Final = {"santorini": "page.png", "wire": "wire.png", "inspected": "inspected.png"}
"""Those that documents show."""
WIDTHS: Final = (1280, 360)
SETTLED: Final = 900
"""Milliseconds after which nothing moves any more."""


def main(wanted: list[str]) -> None:
    """Take the pictures of the scenes that are wanted, or of all."""
    SHOTS.mkdir(exist_ok=True)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium(), args=FLAGS)
        for name in wanted or SCENES:
            with tempfile.TemporaryDirectory() as folder:
                site = Site(Path(folder) / "data")
                try:
                    _take(browser, site, name)
                finally:
                    site.kill()
            print(name, flush=True)
        browser.close()


def _take(browser: Browser, site: Site, name: str) -> None:
    contexts: list[BrowserContext] = []

    def visit(path: str = "/", **context: object) -> Page:
        options = {"locale": "en-GB", "viewport": {"width": 1280, "height": 800}} | context
        contexts.append(browser.new_context(**options))  # type: ignore[arg-type]
        page = contexts[-1].new_page()
        page.goto(site.address + path)
        return page

    page = SCENES[name](visit, site)
    for width in WIDTHS:
        page.set_viewport_size({"width": width, "height": 800 if width > 640 else 740})
        for theme in ("light", "dark"):
            page.emulate_media(color_scheme=theme)
            page.evaluate("scrollTo(0, 0)")
            page.wait_for_timeout(SETTLED)
            page.screenshot(path=SHOTS / f"{name}-{theme}-{width}.png", full_page=True)
            if name in KEPT and (theme, width) == ("light", 1280):
                PICTURES.mkdir(exist_ok=True)
                page.screenshot(path=PICTURES / KEPT[name], full_page=name != "santorini")
    speak_italian(page)
    for width in WIDTHS:
        page.set_viewport_size({"width": width, "height": 800 if width > 640 else 740})
        page.evaluate("scrollTo(0, 0)")
        page.wait_for_timeout(SETTLED)
        page.screenshot(path=SHOTS / f"{name}-it-{width}.png", full_page=True)
    for context in contexts:
        context.close()


if __name__ == "__main__":
    main(sys.argv[1:])
