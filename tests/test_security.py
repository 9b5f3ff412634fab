"""SECURITY.md says what is so: its limits are those of the code, and no dialect is left out."""

from __future__ import annotations

import ast
import subprocess
import sys
from importlib import import_module
from pathlib import Path

import msgspec
import pytest

from boardwire import dialects
from boardwire.net.connections import ConnectionLimits
from scripts import limits, resources

ROOT = Path(__file__).parents[1]
PAGE = (ROOT / "SECURITY.md").read_text()


def test_the_table_of_limits_is_as_the_code_has_it() -> None:
    assert limits.table().written(PAGE) == PAGE, "run `make limits`"


def test_every_limit_of_a_connection_is_in_the_table() -> None:
    found = {row.name: row.value for row in limits.rows()}
    for field in msgspec.structs.fields(ConnectionLimits):
        shown = found[f"net.connections.ConnectionLimits.{field.name}"]
        assert float(shown.replace(",", "")) == getattr(ConnectionLimits(), field.name)


def test_every_limit_is_described_in_words() -> None:
    assert [row.name for row in limits.rows() if not row.words] == []


def test_a_limit_that_changes_makes_the_page_out_of_date(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(import_module("boardwire.wire.lines"), "MAX_LINE_BYTES", 1)
    assert limits.table().written(PAGE) != PAGE


def test_every_dialect_has_a_line_with_its_threats() -> None:
    """Those that differ from the line of all but native have a second one."""
    section = PAGE.partition("## Who can do what, by dialect")[2].partition("\n## ")[0]
    rows = [line.split("|")[1].strip() for line in section.splitlines() if line.startswith("|")][2:]
    named = {name for row in rows for name in row.split(", ")}
    assert {"all but native", "native"} <= named
    assert {name for name in named if "-" in name} <= dialects.DIALECT_PACKAGES.keys()


def test_the_table_of_resources_is_as_the_code_has_it() -> None:
    assert resources.table().written(PAGE) == PAGE, "run `make resources`"


def test_every_queue_pool_and_thread_of_the_server_has_a_row_and_nothing_else_has() -> None:
    assert {place.name for place in resources.places()} == resources.ROWS.keys()


@pytest.mark.parametrize(
    ("code", "found"),
    [
        ("class A:\n def __init__(self): self._waiting = deque()", ("A._waiting", "queue")),
        ("class A:\n def __init__(self): self._waiting: Q[int] = SimpleQueue()", ("A._waiting", "queue")),
        ("class A:\n def go(self): threading.Thread(target=f).start()", ("A.go", "thread")),
        ("class A:\n def __init__(self): self._q = {k: FairQueue[int](total=1) for k in K}", ("A._q", "queue")),
        ("LINES = RateLimit(1)", ("LINES", "rate")),
        ("class A:\n async def go(self): await asyncio.to_thread(f)", ("A.go", "thread")),
        ("class A:\n def __init__(self): self.kept: C[int] = WeightedCache(1)", ("A.kept", "cache")),
    ],
)
def test_a_new_queue_is_found_wherever_it_is_made(code: str, found: tuple[str, str]) -> None:
    assert list(resources.made(ast.parse(code))) == [found]


PURE = {
    "commands",
    "competition",
    "compiled.py",
    "config.py",
    "errors.py",
    "games",
    "logs.py",
    "output.py",
    "simulation",
}
"""Parts of a server that are pure or used at the start only."""


def test_every_package_that_a_server_imports_is_searched_for_queues() -> None:
    code = "import sys, boardwire.node, boardwire.commands.serve; print(*sys.modules)"
    names = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.split()
    source = ROOT / "src" / "boardwire"
    loaded = {name.split(".")[1] for name in names if name.startswith("boardwire.")}
    parts = {part if (source / part).is_dir() else f"{part}.py" for part in loaded}
    searched = {place.partition("/")[0] for place in resources.SERVER}
    assert parts - searched - PURE == set()
