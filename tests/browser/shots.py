"""Pictures of every page, in both themes, wide and narrow, and in Italian: `python -m tests.browser.shots [SCENE ...]`.

They are written to `shots/`, to be looked at; and those that documents show to `docs/pictures/`.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any, Final

from playwright.sync_api import Browser, BrowserContext, Page, sync_playwright

from .conftest import FLAGS, ROOT, chromium
from .person import join_as
from .scenes import SCENES, speak
from .site import Site
from .test_inspector import proxy

SHOTS: Final = ROOT / "shots"
PICTURES: Final = ROOT / "docs" / "pictures"
KEPT: Final = {"santorini": "page.png", "wire": "wire.png", "inspected": "inspected.png"}
"""Those that documents show."""
INSPECTOR: Final = "inspector"
TOY: Final = ROOT / "docs" / "examples" / "toy.py"
WIDTHS: Final = (1280, 360)
WORDS: Final = "localStorage['boardwire.preference.moves'] ??= 'words'"
"""Scenes read the moves in words."""
_THROUGH: Final = """async () => {
    const sheet = new CSSStyleSheet()
    sheet.replaceSync('* { content-visibility: visible !important }')
    document.adoptedStyleSheets = [sheet]
    for (let y = 0; y < document.body.scrollHeight; y += innerHeight / 2) {
        scrollTo(0, y)
        await new Promise(requestAnimationFrame)
    }
    scrollTo(0, 0)
}"""
"""Scroll to the end and back: what is drawn only when it comes near is drawn."""
SETTLED: Final = 900
"""Milliseconds after which nothing moves any more."""


def main(wanted: list[str]) -> None:
    """Take the pictures of the scenes that are wanted, or of all."""
    SHOTS.mkdir(exist_ok=True)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium(), args=FLAGS)
        for name in wanted or (*SCENES, INSPECTOR):
            with tempfile.TemporaryDirectory() as folder:
                site = Site(Path(folder) / "data")
                try:
                    if name == INSPECTOR:
                        _take_inspector(browser, site, Path(folder))
                    else:
                        _take(browser, site, name)
                finally:
                    site.kill()
            print(name, flush=True)
        browser.close()


def _take(browser: Browser, site: Site, name: str) -> None:
    contexts: list[BrowserContext] = []

    def visit(path: str = "/", **context: Any) -> Page:
        options: dict[str, Any] = {"locale": "en-GB", "viewport": {"width": 1280, "height": 800}} | context
        contexts.append(browser.new_context(**options))
        contexts[-1].add_init_script(WORDS)
        page = contexts[-1].new_page()
        page.goto(site.address + path)
        return page

    page = SCENES[name](visit, site)
    for width in WIDTHS:
        page.set_viewport_size({"width": width, "height": 800 if width > 640 else 740})
        for theme in ("light", "dark"):
            page.emulate_media(color_scheme=theme)
            page.evaluate(_THROUGH)
            page.wait_for_timeout(SETTLED)
            page.screenshot(path=SHOTS / f"{name}-{theme}-{width}.png", full_page=True)
            if name in KEPT and (theme, width) == ("light", 1280):
                PICTURES.mkdir(exist_ok=True)
                page.screenshot(path=PICTURES / KEPT[name], full_page=name != "santorini")
    speak(page, "Italiano")
    for width in WIDTHS:
        page.set_viewport_size({"width": width, "height": 800 if width > 640 else 740})
        page.evaluate("scrollTo(0, 0)")
        page.wait_for_timeout(SETTLED)
        page.screenshot(path=SHOTS / f"{name}-it-{width}.png", full_page=True)
    for context in contexts:
        context.close()


def _take_inspector(browser: Browser, site: Site, folder: Path) -> None:
    """The page of a proxy, with what docs/protocol-tools.md finds."""
    with proxy(site.ports["tris-lines"], folder) as ports:
        page = browser.new_page(viewport={"width": 1280, "height": 640}, color_scheme="light")
        page.goto(f"http://127.0.0.1:{ports['http']}/")
        other = join_as(site, "tris-lines", "tris")
        try:
            subprocess.run([sys.executable, TOY, "127.0.0.1", str(ports["tris-lines"])], check=True, timeout=60)
        finally:
            other.terminate()
            other.wait(10)
        page.get_by_role("button", name="First finding (3)").click()
        page.wait_for_timeout(SETTLED)
        page.screenshot(path=PICTURES / "inspector.png")
        page.close()


if __name__ == "__main__":
    main(sys.argv[1:])
