"""Generator of the table of settings in docs/operate.md; with --check, compare it."""

from __future__ import annotations

import sys

from scripts.page import ROOT, Table

from boardwire.config import SETTINGS


def table() -> Table:
    """Return the current table."""
    lines = ["| flag | environment | key | default | description |", "|---|---|---|---|---|"]
    for setting in SETTINGS.values():
        default = f"`{setting.default_text}`" if setting.default_text else ""
        names = f"`{setting.flag}` | `{setting.variable}` | `{setting.name}`"
        lines.append(f"| {names} | {default} | {setting.description} |")
    return Table("settings", ROOT / "docs" / "operate.md", lines)


if __name__ == "__main__":
    sys.exit(table().main())
