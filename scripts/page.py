"""Generated tables in documents, between two comments."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).parent.parent


class Table(NamedTuple):
    """A table that scripts/NAME.py writes into a document."""

    name: str
    page: Path
    lines: list[str]

    def written(self, page: str) -> str:
        """Return the document with the current table."""
        begin, end = f"<!-- {self.name}: written by scripts/{self.name}.py -->", f"<!-- end of {self.name} -->"
        before, found, rest = page.partition(begin)
        _, closed, after = rest.partition(end)
        if not found or not closed:
            raise ValueError(f"{self.page.name} has no place for the table: {begin} {end}")
        table = "\n".join(self.lines)
        return f"{before}{begin}\n\n{table}\n\n{end}{after}"

    def main(self) -> int:
        """Write the document or, with --check, compare it; return the exit code."""
        page = self.page.read_text("utf-8")
        now = self.written(page)
        if sys.argv[1:] == ["--check"]:
            if page != now:
                words = f"the {self.name} in {self.page.name} are not those of the code; run `make {self.name}`"
                print(words, file=sys.stderr)
            return int(page != now)
        self.page.write_text(now, "utf-8")
        return 0
