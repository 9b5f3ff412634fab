"""The pages in docs/dialects and docs/games, and docs/engines.md, by their numbered sections.

A section is a heading with a number, `## 3 Lines` or `### 3.2 Words`, or an item of a numbered list below a heading:
the second item below `## 6 Rulings` is 6.2.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).parents[1]
PAGES: Final = {
    **{path.stem: path for part in ("dialects", "games") for path in (ROOT / "docs" / part).glob("*.md")},
    "engines": ROOT / "docs" / "engines.md",
}
"""By the name that a citation has for it."""

_HEADING: Final = re.compile(r"(#+) (?:([\d.]+) )?(.*)")
_ITEM: Final = re.compile(r"(\d+)\. ")
_FENCED: Final = re.compile(r"^```.*?^```$", re.MULTILINE | re.DOTALL)


def sections(text: str) -> list[str]:
    """The numbers of all sections of a page, in its order."""
    found, above = [], ""
    for line in _FENCED.sub("", text).splitlines():
        if heading := _HEADING.match(line):
            above = heading[2] or ""
            found += [above] if above else []
        elif (item := _ITEM.match(line)) and above:
            found.append(f"{above}.{item[1]}")
    return found


def section(text: str, title: str) -> str:
    """What stands below a heading, up to the next one; the number of the heading is no part of its title."""
    for heading in _HEADING.finditer(text):
        if heading[3] == title:
            return re.split(r"^#", text[heading.end() :], maxsplit=1, flags=re.MULTILINE)[0]
    raise AssertionError(f"there is no section {title!r}")


def anchors(text: str) -> set[str]:
    """What links to the headings of a page end with: small letters and digits, spaces as dashes."""
    titles = (line.lstrip("#").strip() for line in _FENCED.sub("", text).splitlines() if line.startswith("#"))
    return {re.sub(r"[^\w -]", "", title.lower()).replace(" ", "-") for title in titles}
