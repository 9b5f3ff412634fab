"""Access to the Markdown documents: inside the package in a wheel, in `docs/` in a checkout."""

from __future__ import annotations

import re
from difflib import get_close_matches
from pathlib import Path

from boardwire.errors import Malformed, Unavailable


def folder() -> Path:
    """Return the folder of the documents."""
    package = Path(__file__).parents[1]
    for candidate in (package / "docs", package.parents[1] / "docs"):
        if (candidate / "dialects").is_dir():
            return candidate
    raise Unavailable("this installation of boardwire has no documents; install the wheel or use a checkout")


def names() -> list[str]:
    """Return the names of all documents: their paths below `docs` without `.md`."""
    root = folder()
    return sorted(path.relative_to(root).with_suffix("").as_posix() for path in root.rglob("*.md"))


def titles() -> dict[str, str]:
    """Return the first heading of every document, by name."""
    return {name: _document_text(name).partition("\n")[0].lstrip("# ") for name in names()}


def read(page: str, section: str = "") -> str:
    """Return a document, or one of its sections."""
    text = _document_text(_find_document(page))
    return _section_of(text, page, section) if section else text


def _document_text(name: str) -> str:
    return (folder() / f"{name}.md").read_text("utf-8")


def _find_document(page: str) -> str:
    """Return the name of a document by its full or last name; raise `Malformed` if it is unknown or ambiguous."""
    wanted = page.removeprefix("docs/").removesuffix(".md")
    known = names()
    matching = [name for name in known if wanted in (name, name.rpartition("/")[2])]
    exact = [name for name in matching if name == wanted]
    if len(exact or matching) == 1:
        return (exact or matching)[0]
    if matching:
        raise Malformed(f"several documents are named {page!r}; give one of {', '.join(matching)}")
    close = get_close_matches(wanted, {*known, *(name.rpartition("/")[2] for name in known)}, 3)
    hint = f"the closest are {', '.join(close)}" if close else "`boardwire docs` lists them"
    raise Malformed(f"there is no document {page!r}; {hint}")


def _section_of(text: str, page: str, section: str) -> str:
    """Return the first section whose heading begins with a number or contains the words, with its subsections."""
    lines = text.splitlines(keepends=True)
    headings = {number: line for number, line in enumerate(_without_code(lines)) if re.match("#+ ", line)}
    for number, line in headings.items():
        if _is_meant(section, line.lstrip("# ").strip()):
            deeper = line.partition(" ")[0] + "#"
            ends = (other for other, line in headings.items() if other > number and not line.startswith(deeper))
            return "".join(lines[number : next(ends, len(lines))])
    sections = "; ".join(line.lstrip("# ").strip() for line in headings.values())
    raise Malformed(f"{page} has no section {section!r}; its sections are: {sections}")


def _is_meant(section: str, title: str) -> bool:
    """Return whether a heading is the wanted section: by its number, or by words in it."""
    if section[0].isdigit():
        return re.match(re.escape(section) + r"\b", title) is not None
    return section.lower() in title.lower()


def _without_code(lines: list[str]) -> list[str]:
    """Return the lines with those of code blocks emptied, because a `#` is no heading there."""
    emptied, is_code = [], False
    for line in lines:
        fence = line.startswith("```")
        emptied.append("" if is_code or fence else line)
        is_code ^= fence
    return emptied
