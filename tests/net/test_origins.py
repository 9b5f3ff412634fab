"""Origins of pages that may connect."""

from __future__ import annotations

import pytest

from boardwire.net.origins import Site, site


@pytest.mark.parametrize(
    "host",
    ["localhost", "localhost:7070", "LOCALHOST.", "a.localhost:1", "127.0.0.1:7070", "[::1]:7070", "[::1]", "10.0.0.7",
     "games.example", "Games.Example.:80"],
)  # fmt: skip
def test_a_server_knows_its_names(host: str) -> None:
    assert site(["GAMES.example."]).owns(host)


@pytest.mark.parametrize(
    "host",
    ["", "evil.example", "localhost.evil.example", "games.example.evil", "127.0.0.1.evil.example", "[evil]", ":80"],
)
def test_other_host_names_are_refused(host: str) -> None:
    assert not site(["games.example"]).owns(host)


def test_a_page_is_admitted_if_it_came_from_here() -> None:
    ours = site(["games.example"])
    assert ours.admits([], "whatever")
    assert ours.admits(["https://games.example"], "games.example")
    assert ours.admits(["http://127.0.0.1:7070"], "127.0.0.1:7070")
    assert not ours.admits(["https://games.example"], "games.example:7070")
    assert not ours.admits(["http://203.0.113.9:7070"], "127.0.0.1:7070")
    assert not ours.admits(["http://rebound.example:7070"], "rebound.example:7070")
    assert not ours.admits(["https://games.example"] * 2, "games.example")
    assert not ours.admits(["null"], "")
    assert not Site().admits(["https://games.example"], "games.example")
