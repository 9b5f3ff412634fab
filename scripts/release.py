"""Check and describe a release: `python scripts/release.py check TAG`, `python scripts/release.py notes TAG`.

The version is only in `src/boardwire/__init__.py`. A release is a tag `v` + version on a commit whose CHANGELOG has a
section for that version, with a date. This script imports the standard library only.
"""

from __future__ import annotations

import re
import sys
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).parents[1]


def version() -> str:
    """Return the version of the sources."""
    declared = re.search(
        r'^__version__ = "([^"]+)"$', (ROOT / "src/boardwire/__init__.py").read_text("utf-8"), re.MULTILINE
    )
    assert declared is not None
    return declared[1]


def sections() -> dict[str, tuple[str, str]]:
    """Return the date (or `unreleased`) and the text of every version in the changelog, newest first."""
    text = (ROOT / "CHANGELOG.md").read_text("utf-8")
    parts = re.split(r"^## (\S+)(?: \(([^)]+)\))?\n", text, flags=re.MULTILINE)[1:]
    return {name: (date or "", body.strip()) for name, date, body in zip(*[iter(parts)] * 3, strict=True)}


def check(tag: str) -> str:
    """Return why a tag cannot be released, or ''."""
    if tag != f"v{version()}":
        return f"the tag is {tag}, but src/boardwire/__init__.py has version {version()}; the tag must be v{version()}"
    date, _ = sections().get(version(), ("missing", ""))
    if not re.fullmatch(r"\d{4}-\d\d-\d\d", date):
        return f"CHANGELOG.md has no section `## {version()} (YYYY-MM-DD)` (found: {date or 'no date'})"
    return ""


def notes(tag: str) -> str:
    """Return the changelog of a version."""
    return sections()[tag.removeprefix("v")][1]


def main(arguments: list[str]) -> int:
    """Run the command line; return the exit code."""
    match arguments:
        case ["check", tag]:
            if fault := check(tag):
                print(fault, file=sys.stderr)
            return int(bool(fault))
        case ["notes", tag]:
            print(notes(tag))
            return 0
    print(__doc__, file=sys.stderr)
    return 2


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
