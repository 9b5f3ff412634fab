"""Generated tables in documents and configuration files, marked by two comments."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).parent.parent


class Table(NamedTuple):
    """A table in a document, written by scripts/NAME.py or by `script`, which `make NAME` or `make target` runs."""

    name: str
    page: Path
    lines: list[str]
    script: str = ""
    target: str = ""
    comment: str = "<!-- {} -->"
    """Form of the comments; with another than that of Markdown, they are indented like the first line."""

    def written(self, page: str) -> str:
        """Return the document with the current table."""
        script = self.script or self.name
        begin = self.comment.format(f"{self.name}: written by scripts/{script}.py")
        end = self.comment.format(f"end of {self.name}")
        before, marker, rest = page.partition(begin)
        _, closed, after = rest.partition(end)
        if not marker or not closed:
            raise ValueError(f"{self.page.name} lacks the comments of the table: {begin} {end}")
        table = "\n".join(self.lines)
        if self.comment == "<!-- {} -->":
            return f"{before}{begin}\n\n{table}\n\n{end}{after}"
        indent = " " * (len(table) - len(table.lstrip()))
        return f"{before}{begin}\n{table}\n{indent}{end}{after}"

    def main(self) -> int:
        """Write the document or, with --check, compare it; return the exit code."""
        page, target = self.page.read_text("utf-8"), self.target or self.script or self.name
        now = self.written(page)
        if sys.argv[1:] == ["--check"]:
            if page != now:
                message = f"the table `{self.name}` in {self.page.name} is out of date; run `make {target}`"
                print(message, file=sys.stderr)
            return int(page != now)
        self.page.write_text(now, "utf-8")
        return 0
