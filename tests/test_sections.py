"""What is cited is there: every number in brackets is a section of a page in this repository.

A comment, a docstring or a page cites with one number or several: `[6.2]`, `[4.1, 4.3]`, `[4.1 to 4.5]`.  In the
package of a dialect or a game, in its tests, its checks and on its page, that is the page of that name; anywhere else,
and where another page is meant, the page comes first: `[native 5.1]`.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pytest

from .pages import PAGES, ROOT, anchors, sections

NUMBER: Final = r"[1-9]\d?(?:\.[1-9]\d?)*"
CITATION: Final = re.compile(rf"(?<![\w)\]])\[(?:([a-z]+(?:-[a-z]+)?) )?({NUMBER}(?:(?:, | to ){NUMBER})*)\](?!\()")
COMMENT: Final = re.compile(r"(?:^|\s)# .*")
CODE: Final = sorted(
    path for part in ("src", "tests", "bench", "soak", "scripts") for path in (ROOT / part).rglob("*.py")
)
TEXT: Final = sorted([*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md")])


def home(path: Path) -> str | None:
    """The page that a bare number is about, in the file of this path."""
    for part in path.relative_to(ROOT).with_suffix("").parts:
        name = part.replace("_", "-")
        if found := [page for page in PAGES if name == page or name.startswith(f"{page}-")]:
            return max(found, key=len)
    return None


def remarks(path: Path) -> Iterator[tuple[int, str]]:
    """What is written for people in a file, with its lines: comments and docstrings, or the text that is no code."""
    text = path.read_text("utf-8")
    if not CITATION.search(text):
        return
    if path.suffix == ".md":
        fenced = False
        for number, line in enumerate(text.splitlines(), 1):
            fenced ^= line.startswith("```")
            if not fenced:
                yield number, line
        return
    for number, line in enumerate(text.splitlines(), 1):
        if comment := COMMENT.search(line):
            yield number, comment[0]
    for node in ast.walk(ast.parse(text)):
        match node:
            case ast.Expr(ast.Constant(str(words))):
                yield from enumerate(words.split("\n"), node.lineno)


def unresolved(path: Path, there: dict[str, list[str]]) -> Iterator[str]:
    """What a file cites that is not there, each with its place."""
    own = home(path)
    for line, words in remarks(path):
        row = re.match(r"\| ([\w-]+) \|", words)  # in a table by dialect, as that of the limits, a row has its page
        for named, numbers in CITATION.findall(re.sub(r"`[^`]*`", "", words)):
            page = named or own or (row and row[1] in PAGES and row[1]) or ""
            if page or "." in numbers:  # elsewhere a whole number in brackets is just that
                yield from (
                    f"{path.relative_to(ROOT)}:{line}: there is no [{page or '?'} {number}]"
                    for number in re.findall(NUMBER, numbers)
                    if number not in there.get(page, ())
                )


def test_every_citation_leads_to_a_section_that_there_is() -> None:
    there = {name: sections(page.read_text("utf-8")) for name, page in PAGES.items()}
    assert [lost for path in (*CODE, *TEXT) for lost in unresolved(path, there)] == []


def test_a_citation_of_a_section_that_is_not_there_is_found_with_its_place() -> None:
    package = "dialects/tris_lines"
    found = [lost for path in CODE if package in path.as_posix() for lost in unresolved(path, {})]
    assert found
    place = rf"(src/boardwire|tests)/{package}/\w+\.py:\d+: there is no \[tris-lines [\d.]+\]"
    assert [lost for lost in found if not re.fullmatch(place, lost)] == []


@pytest.mark.parametrize("name", PAGES)
def test_the_sections_of_a_page_are_numbered_without_gaps_and_each_number_is_one_section(name: str) -> None:
    last: dict[str, int] = {}
    for number in sections(PAGES[name].read_text("utf-8")):
        above, _, own = number.rpartition(".")
        assert int(own) == last.get(above, 0) + 1, number
        last[above] = int(own)
    assert last


@pytest.mark.parametrize("page", TEXT, ids=lambda page: str(page.relative_to(ROOT)))
def test_every_link_to_a_heading_leads_to_one(page: Path) -> None:
    for target, anchor in re.findall(r"\]\(([^)#:]*)#([^)]*)\)", page.read_text("utf-8")):
        assert anchor in anchors((page.parent / target if target else page).read_text("utf-8")), f"{target}#{anchor}"
