"""`boardwire docs`."""

from __future__ import annotations

from pathlib import Path

import pytest

from boardwire import dialects
from boardwire.commands import documents
from boardwire.commands.docs import docs
from boardwire.errors import Malformed

DOCS = Path(__file__).parents[2] / "docs"


def test_without_a_name_every_document_is_listed(capsys: pytest.CaptureFixture[str]) -> None:
    docs()
    lines = capsys.readouterr().out.splitlines()
    assert len(lines) == len(list(DOCS.rglob("*.md")))
    assert any(line.split() == ["dialects/tris-lines", "tris-lines"] for line in lines)


@pytest.mark.parametrize("page", ["tris-lines", "dialects/tris-lines", "docs/dialects/tris-lines.md"])
def test_a_document_is_printed_as_it_is(page: str, capsys: pytest.CaptureFixture[str]) -> None:
    docs(page)
    assert capsys.readouterr().out == (DOCS / "dialects" / "tris-lines.md").read_text()


@pytest.mark.parametrize("name", dialects.DEFAULT_DIALECTS)
def test_what_a_report_cites_can_be_printed(name: str) -> None:
    assert documents.read(f"docs/dialects/{name.partition('/')[0]}.md").startswith("# ")


def test_a_section_ends_where_the_next_of_its_rank_begins() -> None:
    page = (DOCS / "operate.md").read_text()
    settings = documents.read("operate", "settings")
    assert settings.startswith("## Settings\n")
    assert settings in page
    assert "# boardwire.toml" in settings, "a comment in a code block is no heading"
    assert page[page.index(settings) + len(settings) :].startswith("## Ports\n")
    assert documents.read("native", "7").startswith("## 7")


@pytest.mark.parametrize(
    ("page", "section", "words"),
    [
        ("tris-line", "", "the closest are tris-lines"),
        ("santorini", "", "several documents are named 'santorini'; give one of bots/santorini, games/santorini"),
        ("../pyproject", "", "no document"),
        ("native", "99", "native has no section '99'; its sections are: "),
    ],
)
def test_a_name_or_section_that_does_not_exist_is_named(page: str, section: str, words: str) -> None:
    with pytest.raises(Malformed, match=words):
        documents.read(page, section)
