"""The documentation site: links at their new places, no inline code. `make docs` builds all of it."""

from __future__ import annotations

from pathlib import Path

import pytest
from scripts.site import extract_inline, pages, rewrite_links

from scripts import board_pictures, reference

PLACES = pages()


@pytest.mark.parametrize(
    ("path", "link", "there"),
    [
        ("docs/check.md", "[a](dialects/native.md#7-refusals)", "[a](dialects/native.md#7-refusals)"),
        ("ARCHITECTURE.md", "[a](docs/design/cluster.md)", "[a](../design/cluster.md)"),
        ("ARCHITECTURE.md", "[a](CONTRIBUTING.md#add-a-god)", "[a](contributing.md#add-a-god)"),
        ("docs/check.md", "[a](../SECURITY.md)", "[a](project/security.md)"),
        ("docs/check.md", "[the start](../README.md)", "[the start](start.md)"),
        ("docs/library.md", "[examples](../examples)", "examples"),
        ("CHANGELOG.md", "![p](docs/pictures/page.png)", "![p](../pictures/page.png)"),
        ("docs/check.md", "[a](https://example.org) [b](#verdicts)", "[a](https://example.org) [b](#verdicts)"),
        ("docs/check.md", "```\n[a](../SECURITY.md)\n```", "```\n[a](../SECURITY.md)\n```"),
    ],
)
def test_a_link_follows_its_target(path: str, link: str, there: str) -> None:
    assert rewrite_links(link, Path(path), PLACES) == there


def test_every_document_has_one_place() -> None:
    assert len(set(PLACES.values())) == len(PLACES)
    assert PLACES[Path("ARCHITECTURE.md")] == Path("project/architecture.md")


def test_inline_scripts_and_styles_become_files(tmp_path: Path) -> None:
    (tmp_path / "_static").mkdir()
    (tmp_path / "sub").mkdir()
    page = tmp_path / "sub" / "page.html"
    page.write_text('<style>a {}</style><script src="x.js"></script><script>go()</script>')
    extract_inline(tmp_path)
    (style,), (script,) = tmp_path.glob("_static/*.css"), tmp_path.glob("_static/*.js")
    assert (style.read_text(), script.read_text()) == ("a {}", "go()")
    assert page.read_text() == (
        f'<link rel="stylesheet" href="../_static/{style.name}"><script src="x.js"></script>'
        f'<script src="../_static/{script.name}"></script>'
    )


def test_the_references_have_every_route_and_message() -> None:
    http, websocket = reference.http(), reference.websocket()
    assert "## GET `/api/matches/{id}/events`" in http
    assert "| `limit` | query | whole number from 1 to 200 | maximum number of results |" in http
    assert "[ProblemInfo](#probleminfo)" in http
    assert "### ProblemInfo" in http
    assert "### Seated" in websocket
    assert "| `type` | `seated` |" in websocket


@pytest.mark.parametrize(
    ("schema", "words"),
    [
        ({"type": "array", "items": {"$ref": "#/x/Move"}}, "list of [Move](#move)"),
        ({"anyOf": [{"type": "null"}, {"type": "number", "minimum": 0}]}, "null or number from 0"),
        ({"type": "object", "additionalProperties": {"type": "string"}}, "object of text"),
        ({"enum": ["a", "b"]}, "`a` or `b`"),
        ({}, "any value"),
    ],
)
def test_a_schema_in_words(schema: reference.Schema, words: str) -> None:
    assert reference.type_text(schema) == words


def test_the_drawn_boards_are_up_to_date() -> None:
    boards = {"tris": board_pictures.tris_board, "forza": board_pictures.forza_board,
              "santorini": board_pictures.santorini_board, "eriantys": board_pictures.eriantys_board}  # fmt: skip
    for name, draw in boards.items():
        assert (board_pictures.PICTURES / f"{name}-board.svg").read_text("utf-8") == draw()
