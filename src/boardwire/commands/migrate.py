"""`boardwire migrate`: copy a store, with a progress line."""

from __future__ import annotations

import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Final, TextIO

from cyclopts import Parameter

from boardwire.output import sequence

if TYPE_CHECKING:
    from boardwire.store.transfer import CopyCounts

TTY_PROGRESS_SECONDS: Final = 0.2
"""Interval between updates of the progress line in a terminal."""
FILE_PROGRESS_SECONDS: Final = 10.0
"""Interval between progress lines in a file."""


def migrate(
    *, source: Annotated[str, Parameter(name="--from")], target: Annotated[str, Parameter(name="--to")]
) -> None:
    """Copy all matches, records and analyses of a data directory to an empty database, or back.

    Records are accounts, ratings, tournaments, moderation and organisers' tables. No server may have source or target
    open meanwhile. The source is not changed, and a failed copy leaves nothing in the target.

    Parameters
    ----------
    source
        A data directory, or the address of a database, like postgresql://USER@HOST/NAME.
    target
        The same; it must not have any matches or records.
    """
    print(copy_store(_parse_store("--from", source), _parse_store("--to", target), sys.stderr))


def _parse_store(flag: str, text: str) -> Path | str:
    """Return the directory or the address of the database that the value of a flag names."""
    from boardwire import config

    if "://" not in text:
        return Path(text).expanduser()
    address: str = config.SETTINGS["store"].read(flag, text)
    return address


def copy_store(source: Path | str, target: Path | str, screen: TextIO) -> str:
    """Copy a store, write progress to `screen` and return a summary."""
    from boardwire.components import COMPONENTS
    from boardwire.records.backends import durable_backend
    from boardwire.records.transfer import CopiedRecords, copy_records
    from boardwire.store.transfer import copy

    progress = _Progress(screen)
    records = CopiedRecords()

    origin, destination = durable_backend(source), durable_backend(target)

    def copy_all_records(opened: Any) -> None:
        nonlocal records
        records = copy_records(origin, destination, opened, COMPONENTS)

    try:
        counts = copy(origin, destination, progress, copy_all_records)
    finally:
        progress.end()
    matches, events = _format_count(counts.matches, "match", "matches"), _format_count(counts.events, "event", "events")
    sentence = f"copied {matches} with {events}, and {_format_count(counts.analyses, 'analysis', 'analyses')}"
    if not records.rows:
        return sentence
    accounts = _format_count(records.accounts, "account", "accounts")
    tournaments = _format_count(records.tournaments, "tournament", "tournaments")
    return f"{sentence}; {accounts} and {tournaments}, {_format_count(records.rows, 'record', 'records')} in all"


def _format_count(number: int, singular: str, plural: str) -> str:
    return f"{number:,} {singular if number == 1 else plural}"


class _Progress:
    """A progress line that is written at most once per interval."""

    def __init__(self, screen: TextIO) -> None:
        self._screen = screen
        self._interval = TTY_PROGRESS_SECONDS if screen.isatty() else FILE_PROGRESS_SECONDS
        self._written_at = time.monotonic()
        self._is_line_open = False

    def __call__(self, copied: CopyCounts, total: int) -> None:
        now = time.monotonic()
        if now - self._written_at < self._interval:
            return
        self._written_at = now
        line = f"{copied.matches:,} of {total:,} matches, {copied.events:,} events"
        self._is_line_open = self._screen.isatty()
        self._screen.write(sequence("\r", self._screen) + line if self._is_line_open else f"{line}\n")
        self._screen.flush()

    def end(self) -> None:
        if self._is_line_open:
            self._screen.write("\n")
