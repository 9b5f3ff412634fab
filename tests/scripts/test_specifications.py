"""The tables of messages and the diagrams of the specifications are those of the declarations."""

from __future__ import annotations

import pytest
from scripts.page import Table

from boardwire import dialects
from boardwire.dialects.protocol import MessageType
from scripts import specifications

TABLES = list(specifications.tables())


@pytest.mark.parametrize("table", TABLES, ids=lambda table: f"{table.page.stem}, {table.name}")
def test_every_specification_is_current(table: Table) -> None:
    page = table.page.read_text("utf-8")
    assert page == table.written(page), "run `make specifications`"


def test_every_dialect_has_a_diagram() -> None:
    assert {table.page.stem for table in TABLES if table.name == "diagram"} == set(dialects.PROTOCOLS)


def test_a_table_of_lines_has_their_forms_and_no_fields() -> None:
    lines = specifications.lines([MessageType("SAY", "Chat.", form="`SAY WORDS`"), MessageType("|", "A bar.")])
    assert lines == ["| Line | Meaning |", "|---|---|", "| `SAY WORDS` | Chat. |", "| `\\|` | A bar. |"]
