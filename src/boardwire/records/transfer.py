"""Copy the records of a store to another, empty one: from a directory to a database, or back.

- All components are copied, each in the format that it has in the source. The server that opens the target runs the
  missing migrations; the source is not changed.
- Row numbers are kept, and new ones continue after the last number that the source has assigned, even if that row was
  deleted.
- Empty target tables of another format are created anew.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from itertools import islice
from typing import Any, Final, NamedTuple, Protocol, TypeAlias

from boardwire.errors import ConfigError, Unavailable
from boardwire.records.records import COMPONENTS, Row

Components: TypeAlias = Mapping[str, Sequence[str]]
"""Migrations by component."""

BATCH_ROWS: Final = 5000
"""Rows that are inserted at a time."""
_TABLE: Final = re.compile(r"CREATE TABLE (\w+) \((.*?)\)\s*;", re.DOTALL)
_SERIAL: Final = re.compile(r"(\w+) \{serial\}")


def tables_of(migrations: Iterable[str]) -> dict[str, str]:
    """Return the tables that migrations create, with the name of their numbered column, or ''."""
    tables = {}
    for script in migrations:
        for name, body in _TABLE.findall(script):
            serial = _SERIAL.search(body)
            tables[name] = "" if serial is None else serial[1]
    return tables


class CopiedRecords(NamedTuple):
    """Numbers of copied accounts, tournaments, and rows in all."""

    accounts: int = 0
    tournaments: int = 0
    rows: int = 0


class Endpoint(Protocol):
    """One end of a copy: the records that are read or written."""

    def version(self, component: str, /) -> int:
        """Return the number of a component's migrations, 0 if it has no tables."""

    def columns(self, table: str, /) -> list[str]: ...
    def rows(self, table: str, columns: str, /) -> Iterator[Row]: ...
    def last_number(self, table: str, serial: str, /) -> int:
        """Return the last number that was assigned to a row, or 0."""

    def insert(self, table: str, columns: Sequence[str], rows: Sequence[Row], /) -> None: ...
    def set_last_number(self, table: str, serial: str, number: int, /) -> None: ...
    def run(self, sql: str, /) -> None: ...
    def migrate(self, component: str, migrations: Sequence[str], /) -> None: ...


class RecordsSource(Protocol):
    """A store whose records can be copied."""

    def reading_records(self) -> AbstractContextManager[Endpoint | None]:
        """Open the records for a copy, or yield None if there are none."""


class RecordsTarget(Protocol):
    """A store that can be filled with records."""

    @property
    def label(self) -> str:
        """Description of the store for messages."""

    def writing_records(self, opened: Any, components: Components, /) -> AbstractContextManager[Endpoint]:
        """Open the records for a copy; `opened` is the second value of `DurableStore.writing`.

        Raises `ConfigError` if it has records already.
        """


def copy_records(source: RecordsSource, target: RecordsTarget, opened: Any, components: Components) -> CopiedRecords:
    """Copy all records. Raises `ConfigError` if the target has records already."""
    with source.reading_records() as reader:
        if reader is None:
            return CopiedRecords()
        with target.writing_records(opened, components) as writer:
            return _copy(reader, writer, components, target.label)


def refuse_rows(endpoint: Endpoint, components: Components, place: str) -> None:
    """Raise `ConfigError` if the records contain any row."""
    for component, migrations in components.items():
        for table in tables_of(migrations[: endpoint.version(component)]):
            if next(endpoint.rows(table, "1"), None) is not None:
                raise ConfigError(f"{place} already has records of {component}; copying needs an empty store")


def _copy(reader: Endpoint, writer: Endpoint, components: Components, place: str) -> CopiedRecords:
    """Copy the records of all components; return how many. Refuse a target that has records."""
    refuse_rows(writer, components, place)
    writer.run(COMPONENTS)
    counts: dict[str, int] = {}
    for component, migrations in components.items():
        version = reader.version(component)
        if version > len(migrations):
            versions = f"format {version}; this version supports up to {len(migrations)}"
            raise Unavailable(
                f"the records of {component} were written by a newer boardwire ({versions}); upgrade boardwire"
            )
        if not version:
            continue
        if writer.version(component) != version:
            for table in tables_of(migrations[: writer.version(component)]):
                writer.run(f"DROP TABLE {table}")
            writer.run(f"DELETE FROM record_components WHERE name = '{component}'")
            writer.migrate(component, migrations[:version])
        for table, serial in tables_of(migrations[:version]).items():
            counts[table] = _copy_table(reader, writer, table, serial)
    return CopiedRecords(counts.get("players", 0), counts.get("tournaments", 0), sum(counts.values()))


def _copy_table(reader: Endpoint, writer: Endpoint, table: str, serial: str) -> int:
    columns = reader.columns(table)
    rows = reader.rows(table, ", ".join(columns))
    count = 0
    while batch := list(islice(rows, BATCH_ROWS)):
        writer.insert(table, columns, batch)
        count += len(batch)
    if serial and (last := reader.last_number(table, serial)):
        writer.set_last_number(table, serial, last)
    return count
