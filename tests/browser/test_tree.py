"""Whole matches by what a screen reader is told: by the accessibility tree, and keys alone.

It is also the way of somebody who has never played: from the first button of the lobby to the end against level 1.
"""

from __future__ import annotations

import random
import time
from typing import Any, Final

import pytest
from playwright.sync_api import CDPSession, Error, Page, expect

from .conftest import Open
from .person import PATIENCE, Person
from .site import Site

BOARDS: Final = {
    "Tris": "Tris board",
    "Forza Quattro": "Forza Quattro board",
    "Santorini": "Santorini board",
    "Eriantys": "Eriantys table",
}
"""What each board is called."""

TOOLS: Final = ("Flat", "3D", "Choose another worker", "Put back", "Reset the view")
"""What is at a board and is no step of the game."""


class Reader:
    """Somebody who hears the page and presses keys."""

    def __init__(self, page: Page, seed: int) -> None:
        self.page = page
        self._cdp: CDPSession = page.context.new_cdp_session(page)
        self._luck = random.Random(seed)

    def buttons(self, within: str = "") -> list[dict[str, Any]]:
        """The buttons that can be pressed, of the part of the page with this name, or of all of it."""
        part = self._cdp.send("DOM.getDocument", {"depth": 0})["root"]["backendNodeId"]
        if within:
            named_so = self._query(part, accessibleName=within)
            if not named_so:
                return []
            part = named_so[0]["backendDOMNodeId"]
        found = [node for kind in ("button", "menuitem") for node in self._query(part, role=kind)]
        return [node for node in found if not is_disabled(node)]

    def _query(self, part: int, **wanted: str) -> list[dict[str, Any]]:
        """What a part of the page holds for a screen reader, by role or name."""
        try:
            answer = self._cdp.send("Accessibility.queryAXTree", {"backendNodeId": part, **wanted})
        except Error:  # the part has just gone
            return []
        return [node for node in answer["nodes"] if not node.get("ignored")]

    def press(self, name: str) -> None:
        """Press the button that is called so."""
        end = time.monotonic() + PATIENCE / 1000
        while not (found := [node for node in self.buttons() if named(node) == name]):
            assert time.monotonic() < end, f"there is no button {name!r}"
            self.page.wait_for_timeout(50)
        self._enter(found[0])

    def choose(self, board: str) -> bool:
        """Press anything that can be pressed on the board; False if nothing can be."""
        found = [node for node in self.buttons(board) if named(node) and not named(node).startswith(TOOLS)]
        if not found:
            return False
        self._enter(self._luck.choice(found))
        return True

    def _enter(self, node: dict[str, Any]) -> None:
        try:
            self._cdp.send("DOM.focus", {"backendNodeId": node["backendDOMNodeId"]})
        except Error:  # it has just gone
            return
        self.page.keyboard.press("Enter")


def named(node: dict[str, Any]) -> str:
    return str(node.get("name", {}).get("value", ""))


def is_disabled(node: dict[str, Any]) -> bool:
    return any(one["name"] == "disabled" and one["value"]["value"] for one in node.get("properties", []))


@pytest.mark.parametrize("game", BOARDS)
def test_a_newcomer_plays_from_the_first_button_to_the_end_by_what_a_screen_reader_tells(
    visit: Open, site: Site, game: str
) -> None:
    page = visit()
    page.evaluate("localStorage['boardwire.santorini.look'] = 'flat'")
    page.reload()
    reader, person = Reader(page, seed=len(game)), Person(page, game)
    reader.press(f"Play the computer: {game}")
    expect(page.get_by_role("combobox", name="Strength").locator("option:checked")).to_contain_text("level 1")
    reader.press("Start the game")
    expect(person.sentence).to_contain_text("Your turn")
    end = time.monotonic() + 300
    while not person.is_over():
        if not reader.choose(BOARDS[game]):
            page.wait_for_timeout(20)
        assert time.monotonic() < end, person.sentence.inner_text()
    result = page.locator("section[aria-labelledby=result]")
    expect(result.get_by_role("button", name="Rematch")).to_be_enabled()
