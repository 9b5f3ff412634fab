"""docs/research.md: its code runs and prints what it says, and its figures are true."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any, Final

import pytest

pytest.importorskip("pyspiel", reason="needs boardwire[research]")
research = pytest.importorskip("boardwire.research", reason="needs boardwire[research]")

PAGE: Final = (Path(__file__).parents[2] / "docs" / "research.md").read_text("utf-8")
BLOCKS: Final = re.findall(r"^```python\n(.*?)^```", PAGE, re.MULTILINE | re.DOTALL)


def test_the_code_of_the_page_prints_what_it_says(capsys: pytest.CaptureFixture[str]) -> None:
    names: dict[str, Any] = {}
    for block in BLOCKS:
        exec(compile(block, "docs/research.md", "exec"), names)
        expected = re.findall(r"^ *print\(.*\)  # (.*)$", block, re.MULTILINE)
        assert capsys.readouterr().out.splitlines() == expected


@pytest.mark.parametrize(
    ("row", "game", "options"),
    [
        ("Tris", "tris", {}),
        ("Forza Quattro", "forza", {}),
        ("Santorini without gods, 2 players", "santorini", {}),
        ("Santorini with gods, 2 players", "santorini", {"draft": "random"}),
        ("Eriantys, 2 players", "eriantys", {}),
        ("Eriantys, expert, 2 players", "eriantys", {"mode": "expert"}),
    ],
)
def test_the_table_has_the_sizes(row: str, game: str, options: dict[str, Any]) -> None:
    space = research.space(game, **options)
    assert f"| {row} | {len(space.actions)} | {space.layout.size} |" in PAGE


def test_the_page_names_the_environments() -> None:
    for game in ("tris", "forza", "santorini", "eriantys"):
        assert f"`{research.env(game).metadata['name']}`" in PAGE
