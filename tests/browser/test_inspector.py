"""The inspector in a real browser: a live conversation, its findings, its details, and very many messages."""

from __future__ import annotations

import re
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from .conftest import ROOT
from .person import PATIENCE
from .site import Site
from .test_pages import axe


@contextmanager
def proxy(port: int, directory: Path) -> Iterator[dict[str, int]]:
    """A proxy in front of a port, with its page; gives its ports."""
    command = [sys.executable, "-m", "boardwire", "proxy", "tris-lines", "--listen", "0", "--http", "0", "--quiet"]
    with (directory / "proxy").open("w+") as out:
        process = subprocess.Popen([*command, "--connect", f"127.0.0.1:{port}"], stdout=out, cwd=ROOT)
        try:
            while "ready\n" not in (told := (directory / "proxy").read_text()):
                time.sleep(0.05)
            yield {name: int(own) for name, own in re.findall(r"listening (\S+) \S+:(\d+)", told)}
        finally:
            process.terminate()
            process.wait(10)


def lines(connection: socket.socket, count: int) -> None:
    """Wait for so many lines."""
    while count > 0:
        count -= connection.recv(1000).count(b"\n")


@pytest.fixture
def wire(browser: Browser, site: Site, tmp_path: Path) -> Iterator[tuple[Page, int]]:
    with proxy(site.ports["tris-lines"], tmp_path) as ports:
        page = browser.new_page()
        errors: list[str] = []
        page.on("pageerror", lambda error: errors.append(str(error)))
        page.goto(f"http://127.0.0.1:{ports['http']}/")
        yield page, ports["tris-lines"]
        assert errors == []
        page.close()


def test_a_conversation_is_drawn_live_with_its_findings_and_details(wire: tuple[Page, int], tmp_path: Path) -> None:
    page, port = wire
    with socket.create_connection(("127.0.0.1", port)) as ann, socket.create_connection(("127.0.0.1", port)) as bob:
        lines(ann, 2)
        lines(bob, 1)
        ann.sendall(b"9\n")
        lines(ann, 1)
        ann.sendall(b"4\n")
        lines(ann, 1)
        expect(page.locator(".arrow").filter(has_text="OK").last).to_be_visible()
        expect(page.locator(".row .at").filter(has_text="client: one of")).not_to_have_count(0)
        page.get_by_role("button", name="First finding (1)").click()
        expect(page.get_by_label("Details")).to_contain_text("a move is a free cell from 0 to 8")
        expect(page.get_by_label("Details")).to_contain_text("docs/dialects/tris-lines.md, 2")
        page.get_by_role("button", name="READY").first.click()
        expect(page.get_by_label("Bytes")).to_contain_text("52 45 41 44 59 0a")
        expect(page.get_by_label("Decoded")).to_contain_text("READY")
        expect(page.get_by_label("Details")).to_contain_text("Next: ")
        assert axe(page) == []
        page.get_by_role("tab", name="2").click()
        expect(page.locator(".arrow").filter(has_text="WAIT")).to_have_count(0)
        page.get_by_role("tab", name="all").click()
        page.get_by_label("Search").fill("board")
        expect(page.get_by_role("listitem")).to_have_count(1)
        page.get_by_label("Search").fill("")
        for name, start in [("Mermaid", "sequenceDiagram"), ("SVG", "<svg"), ("Transcript", "# boardwire transcript")]:
            with page.expect_download() as download:
                page.get_by_role("button", name=name, exact=True).click()
            download.value.save_as(tmp_path / name)
            assert (tmp_path / name).read_text().startswith(start)
        with page.expect_download() as download:
            page.get_by_role("button", name="PNG").click()
        download.value.save_as(tmp_path / "png")
        assert (tmp_path / "png").read_bytes().startswith(b"\x89PNG")
        page.get_by_role("button", name="Pause").click()
        bob.sendall(b"0\n")
        lines(bob, 1)
        time.sleep(0.5)
        count = page.get_by_role("listitem").count()
        page.get_by_role("button", name="Resume").click()
        expect(page.get_by_role("listitem")).not_to_have_count(count)


def test_ten_thousand_messages_are_rows_only_where_they_can_be_seen(wire: tuple[Page, int]) -> None:
    page, port = wire
    with socket.create_connection(("127.0.0.1", port)) as ann, socket.create_connection(("127.0.0.1", port)) as bob:
        lines(ann, 2)
        lines(bob, 1)
        for _ in range(50):
            bob.sendall(b"x\n" * 200)  # out of turn: the server drops them
        page.wait_for_function("document.querySelector('.whole').offsetHeight > 1000 * 28", timeout=PATIENCE)
        assert page.get_by_role("listitem").count() < 120
        page.evaluate("document.querySelector('.list').scrollTo({top: 14000})")
        expect(page.get_by_role("listitem").first).to_be_visible()
