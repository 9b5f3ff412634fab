"""Link previews: content, targets, and hidden information."""

from __future__ import annotations

import struct
from typing import Any

import pytest

from boardwire.api import board_picture, previews
from boardwire.api.board_picture import BOARDS, HEIGHT, WIDTH
from boardwire.api.guard import EMBED_POLICY, HEADERS
from boardwire.table.events import Player

from .api_fixture import ApiFixture, api_fixture, problem


def size(png: bytes) -> tuple[Any, ...]:
    """Return the width and height of a PNG."""
    assert png.startswith(b"\x89PNG")
    return struct.unpack_from(">II", png, 16)


def test_a_link_tells_who_played_and_leads_to_the_replay(api: ApiFixture) -> None:
    api.tris()
    answer = api.client.get("/match/match-1?at=4", headers={"Host": "play.example:8080"})
    assert answer.headers["content-type"] == "text/html; charset=utf-8"
    assert '<meta property="og:title" content="Tris: Ann – Bob">' in answer.text
    assert "Ann won after 5 turns." in answer.text
    assert 'content="http://play.example:8080/match/match-1/picture.png?at=4"' in answer.text
    assert '<meta http-equiv="refresh" content="0; url=/#/replay/match-1/4">' in answer.text
    assert {name: answer.headers[name] for name in HEADERS} == HEADERS


def test_behind_a_proxy_with_tls_the_picture_has_its_address(api: ApiFixture) -> None:
    api.tris()
    answer = api.client.get("/match/match-1", headers={"Host": "play.example", "X-Forwarded-Proto": "https"})
    assert 'content="https://play.example/match/match-1/picture.png"' in answer.text


def test_a_running_match_leads_to_its_table(api: ApiFixture) -> None:
    api.tris(4, 0)
    answer = api.client.get("/match/match-1")
    assert "Being played: 2 turns." in answer.text
    assert "url=/#/table/match-1" in answer.text


def test_a_private_match_and_none_get_the_same_answer(api: ApiFixture) -> None:
    api.sit("tris", private=True)
    private, none = api.client.get("/match/match-1"), api.client.get("/match/match-2")
    assert private.status_code == none.status_code == 200
    assert private.text.replace("match-1", "match-2") == none.text
    assert "Ann" not in private.text
    assert "og:image" not in private.text
    assert problem(api.client.get("/match/match-1/picture.png"))["status"] == 404


@pytest.mark.parametrize("host", ['"><script>', "a b", "x" * 300])
def test_a_host_that_is_none_is_not_repeated(api: ApiFixture, host: str) -> None:
    api.tris()
    answer = api.client.get("/match/match-1", headers={"Host": host})
    assert host not in answer.text
    assert "og:image" not in answer.text


def test_names_are_text() -> None:
    assert previews._plain_name("A\u202eda\n<b>") == "Ada<b>"


def test_a_name_cannot_close_its_tag(api: ApiFixture) -> None:
    api.tris()
    summary = api.context.reader.digest("match-1").summary
    summary.chairs[0] = Player('"><b>', "native")
    assert "<b>" not in api.client.get("/match/match-1").text


@pytest.mark.parametrize("game", BOARDS)
def test_every_game_has_a_picture_of_every_position(api: ApiFixture, game: str) -> None:
    sitting = api.sit(game)
    assert size(api.client.get("/match/match-1/picture.png").content) == (WIDTH, HEIGHT)
    sitting.wander(3, 40)
    answer = api.client.get("/match/match-1/picture.png")
    assert size(answer.content) == (WIDTH, HEIGHT)
    assert answer.headers["content-type"] == "image/png"
    first = api.client.get("/match/match-1/picture.png?at=1")
    assert first.content != answer.content


def test_a_picture_is_drawn_once_and_may_be_shown_elsewhere(api: ApiFixture, monkeypatch: pytest.MonkeyPatch) -> None:
    api.tris()
    first = api.client.get("/match/match-1/picture.png")
    assert first.headers["cross-origin-resource-policy"] == "cross-origin"
    assert first.headers["cache-control"] == f"public, max-age={previews.FINISHED_PICTURE_SECONDS}"
    monkeypatch.setattr(previews, "board_picture", None)
    assert api.client.get("/match/match-1/picture.png?at=999").content == first.content


def test_a_game_without_a_drawing_has_a_plain_picture() -> None:
    assert size(board_picture.board_picture("chess", {"cells": []})) == (WIDTH, HEIGHT)


def test_only_the_embedded_replay_may_be_framed(tmp_path: Any) -> None:
    (tmp_path / "embed.html").write_text("<!doctype html>")
    with api_fixture(tmp_path) as api:
        framed = api.client.get("/embed/match-1")
        assert framed.headers["content-security-policy"] == EMBED_POLICY
        assert "frame-ancestors *" in EMBED_POLICY
        for path in ("/", "/embed.html", "/match/match-1", "/rules/tris", "/api/matches", "/embed/a/b"):
            assert "frame-ancestors 'none'" in api.client.get(path).headers["content-security-policy"], path
        assert api.client.post("/embed/match-1").status_code == 405


def test_without_a_page_there_is_nothing_to_embed(api: ApiFixture) -> None:
    assert "make web" in problem(api.client.get("/embed/match-1"))["detail"]


@pytest.mark.parametrize(
    ("path", "place"),
    [
        ("/rules/santorini", "/#/rules/santorini"),
        ("/rules/santorini/pan", "/#/rules/santorini/pan"),
        ("/rules/", "/#/rules/"),
        ("/rules/%3Cb%3E/%22/more", "/#/rules/%3Cb%3E/%22"),
    ],
)
def test_the_rules_have_a_plain_address(api: ApiFixture, path: str, place: str) -> None:
    answer = api.client.get(path)
    assert (answer.status_code, answer.headers["location"]) == (302, place)
    assert api.client.post(path).status_code == 405
