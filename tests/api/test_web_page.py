"""Files of the page, or a notice that it was not built."""

from __future__ import annotations

import gzip
import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from boardwire.api.reader_threads import Readers
from boardwire.api.web_page import IMMUTABLE, Page

from .api_fixture import ApiFixture, api_fixture, problem

SCRIPT = b"export const answer = 42;\n" * 100


@pytest.fixture
def built(tmp_path: Path) -> Iterator[ApiFixture]:
    """Directory of a built page."""
    page = tmp_path / "page"
    (page / "assets").mkdir(parents=True)
    (page / "index.html").write_text("<!doctype html><title>boardwire</title>")
    (page / "assets" / "index-4f2a.js").write_bytes(SCRIPT)
    (page / "assets" / "board-77.png").write_bytes(b"\x89PNG" + bytes(5000))
    (page / "icon.svg").write_text("<svg/>")
    (page / "odd.xyzzy").write_text("?")
    (tmp_path / "secret.txt").write_text("secret")
    with api_fixture(page) as place:
        yield place


def test_without_a_built_page_a_plain_one_says_how_to_build_it(api: ApiFixture) -> None:
    answer = api.client.get("/")
    assert answer.status_code == 200
    assert answer.headers["content-type"] == "text/html; charset=utf-8"
    assert "make web" in answer.text


def test_the_page_is_revalidated_each_time_and_sent_only_if_it_changed(built: ApiFixture, tmp_path: Path) -> None:
    first = built.client.get("/")
    assert first.text == "<!doctype html><title>boardwire</title>"
    assert first.headers["cache-control"] == "no-cache"
    for tag in (first.headers["etag"], f'"x", W/{first.headers["etag"]}', "*"):
        again = built.client.get("/", headers={"If-None-Match": tag})
        assert (again.status_code, again.content) == (304, b"")
        assert again.headers["etag"] == first.headers["etag"]
    index = tmp_path / "page" / "index.html"
    index.write_text("new")
    os.utime(index, ns=(1, 1))
    assert built.client.get("/index.html", headers={"If-None-Match": first.headers["etag"]}).text == "new"


def test_a_file_with_a_hash_in_its_name_is_immutable(built: ApiFixture) -> None:
    answer = built.client.get("/assets/index-4f2a.js")
    assert answer.headers["cache-control"] == IMMUTABLE
    assert answer.headers["content-type"] == "text/javascript; charset=utf-8"
    assert answer.headers["content-encoding"] == "gzip"
    assert answer.content == SCRIPT
    plain = built.client.get("/assets/index-4f2a.js", headers={"Accept-Encoding": "identity"})
    assert "content-encoding" not in plain.headers
    assert plain.content == SCRIPT
    assert answer.headers["vary"] == plain.headers["vary"] == "Accept-Encoding"


@pytest.mark.parametrize(
    ("path", "media"),
    [
        ("/icon.svg", "image/svg+xml"),
        ("/assets/board-77.png", "image/png"),
        ("/odd.xyzzy", "application/octet-stream"),
    ],
)
def test_every_file_has_its_content_type(built: ApiFixture, path: str, media: str) -> None:
    answer = built.client.get(path)
    assert answer.headers["content-type"] == media
    assert "content-encoding" not in answer.headers


@pytest.mark.parametrize(
    "path",
    [
        "/assets",
        "/assets/",
        "/nothing.js",
        "/../secret.txt",
        "/..%2fsecret.txt",
        "/assets/../../secret.txt",
        "/a%00b",
        "/" + "a" * 300,
    ],
)
def test_other_files_are_not_served(built: ApiFixture, path: str) -> None:
    answer = built.client.get(path)
    assert answer.status_code == 404
    assert problem(answer)["status"] == 404


@pytest.mark.parametrize("path", ["./index.html", "assets//index-4f2a.js", "assets/./index-4f2a.js", ".//index.html"])
def test_a_file_has_one_address_so_that_it_is_cached_once(built: ApiFixture, tmp_path: Path, path: str) -> None:
    page = Page(tmp_path / "page")
    assert page.find("index.html") is not None
    assert page.find(path) is None
    assert list(page._files) == ["index.html"]


def test_the_page_is_served_at_once_even_if_all_readers_are_busy(
    built: ApiFixture, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = built.client.get("/")
    with monkeypatch.context() as full:
        full.setattr(built.context, "readers", Readers(per_address=0))
        assert built.client.get("/api/games").status_code == 503
        assert built.client.get("/").text == first.text
        (tmp_path / "page" / "index.html").unlink()
        assert built.client.get("/").status_code == 503
    assert "make web" in built.client.get("/").text


def test_the_page_refuses_other_methods(built: ApiFixture) -> None:
    assert built.client.post("/").status_code == 405
    assert built.client.ask("PUT", "/nothing.js").status_code == 404


def test_a_path_never_leaves_the_directory(tmp_path: Path) -> None:
    (tmp_path / "page").mkdir()
    (tmp_path / "secret.txt").write_text("secret")
    page = Page(tmp_path / "page")
    for path in ("../secret.txt", "/../secret.txt", "x/../../secret.txt", str(tmp_path / "secret.txt")):
        assert page.find(path) is None


def test_the_documentation_site_is_served_below_docs(tmp_path: Path) -> None:
    docs = tmp_path / "docs"
    (docs / "games").mkdir(parents=True)
    (docs / "index.html").write_text("<h1>boardwire</h1>")
    (docs / "games" / "tris.html").write_text("<h1>Tris</h1>")
    with api_fixture(tmp_path / "page", docs=docs) as api:
        assert api.client.get("/docs").headers["location"] == "/docs/"
        assert api.client.get("/docs/").text == "<h1>boardwire</h1>"
        assert api.client.get("/docs/games/tris.html").text == "<h1>Tris</h1>"
        assert api.client.get("/docs/../page").status_code == 404
        assert api.client.get("/docs/nothing.html").status_code == 404


def test_a_file_that_is_stored_compressed_is_sent_either_way(tmp_path: Path) -> None:
    docs = tmp_path / "docs"
    docs.mkdir()
    (docs / "index.html.gz").write_bytes(gzip.compress(SCRIPT))
    with api_fixture(tmp_path / "page", docs=docs) as api:
        for encoding in ("gzip", "identity"):
            answer = api.client.get("/docs/", headers={"Accept-Encoding": encoding})
            assert answer.headers.get("content-encoding", "identity") == encoding
            assert (answer.content, answer.headers["content-type"]) == (SCRIPT, "text/html; charset=utf-8")
        assert api.client.get("/docs/index.html.gz").status_code == 404
        (docs / "index.html.gz").write_bytes(gzip.compress(b"new"))
        os.utime(docs / "index.html.gz", ns=(1, 1))
        assert api.client.get("/docs/").content == b"new"


def test_without_a_site_the_address_says_how_to_build_it(tmp_path: Path) -> None:
    with api_fixture(tmp_path / "page", docs=tmp_path / "none") as api:
        answer = api.client.get("/docs/")
        assert answer.status_code == 200
        assert "make docs" in answer.text
