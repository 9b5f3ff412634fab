"""Generated tables in documents, marked by two comments."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).parent.parent


class Table(NamedTuple):
    """A table in a document, written by scripts/NAME.py or by `script`."""

    name: str
    page: Path
    lines: list[str]
    script: str = ""

    def written(self, page: str) -> str:
        """Return the document with the current table."""
        script = self.script or self.name
        begin, end = f"<!-- {self.name}: written by scripts/{script}.py -->", f"<!-- end of {self.name} -->"
        before, found, rest = page.partition(begin)
        _, closed, after = rest.partition(end)
        if not found or not closed:
            raise ValueError(f"{self.page.name} lacks the comments of the table: {begin} {end}")
        table = "\n".join(self.lines)
        return f"{before}{begin}\n\n{table}\n\n{end}{after}"

    def main(self) -> int:
        """Write the document or, with --check, compare it; return the exit code."""
        page, target = self.page.read_text("utf-8"), self.script or self.name
        now = self.written(page)
        if sys.argv[1:] == ["--check"]:
            if page != now:
                message = f"the table `{self.name}` in {self.page.name} is out of date; run `make {target}`"
                print(message, file=sys.stderr)
            return int(page != now)
        self.page.write_text(now, "utf-8")
        return 0
