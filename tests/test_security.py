"""SECURITY.md says what is so: its limits are those of the code, and no dialect is left out."""

from __future__ import annotations

import ast
import sys
from pathlib import Path

import msgspec
import pytest

from boardwire import dialects
from boardwire.net.connections import Limits
from scripts import limits, resources

ROOT = Path(__file__).parents[1]
PAGE = (ROOT / "SECURITY.md").read_text()


def test_the_table_of_limits_is_as_the_code_has_it() -> None:
    assert limits.table().written(PAGE) == PAGE, "run `make limits`"


def test_every_limit_of_a_connection_is_in_the_table() -> None:
    found = {row.name: row.value for row in limits.rows()}
    for field in msgspec.structs.fields(Limits):
        shown = found[f"net.connections.Limits.{field.name}"]
        assert float(shown.replace(",", "")) == getattr(Limits(), field.name)


def test_every_limit_is_told_in_words() -> None:
    assert [row.name for row in limits.rows() if not row.words] == []


def test_a_limit_that_changes_makes_the_page_out_of_date(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys.modules["boardwire.wire.lines"], "LIMIT", 1)
    assert limits.table().written(PAGE) != PAGE


def test_every_dialect_has_a_line_of_its_own_threats() -> None:
    named = {line.split("|")[1].strip() for line in PAGE.splitlines() if line.startswith("|")}
    assert {name for name in dialects.DIALECT_PACKAGES if "/" not in name} <= named


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
    ],
)
def test_a_new_queue_is_found_wherever_it_is_made(code: str, found: tuple[str, str]) -> None:
    assert list(resources._made(ast.parse(code), ())) == [found]
