"""Copy a store to another, empty one: a data directory or a PostgreSQL database.

- A copy is atomic: a database is filled in one transaction, and the file of a directory is renamed when it is complete.
  An interrupted copy leaves the target unchanged and can be repeated.
- Matches keep their names, numbers and order; events are copied byte for byte, even if they are unreadable. A match
  with missing events ends the copy with an error that names it.
- Both stores are locked, because the copy would miss the events that a server adds.
- At most about `BATCH_BYTES`, or one match if it is larger, are in memory.
- The source is not changed.
- Analyses are copied last, if possible: they are only a cache (`analyses.py`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import closing
from typing import Any, Final, NamedTuple

from boardwire.store.analyses import DurableAnalysisStore
from boardwire.store.group_commit import StoredMatch
from boardwire.store.store import DurableStore

BATCH_BYTES: Final = 1024 * 1024
_ANALYSES_PER_BATCH: Final = 50


class CopyCounts(NamedTuple):
    """Numbers of copied matches, events and analyses."""

    matches: int = 0
    events: int = 0
    analyses: int = 0


def copy(
    source: DurableStore,
    target: DurableStore,
    report_progress: Callable[[CopyCounts, int], object] = lambda counts, total: None,
    copy_rest: Callable[[Any], object] = lambda opened: None,
) -> CopyCounts:
    """Copy a store; `report_progress` is called after each batch with the progress and the total number of matches.

    `copy_rest` copies data outside the journal. It is called with the second value of `DurableStore.writing` before the
    matches are committed, and its data is committed with them.

    Raises `Unavailable` or `ConfigError`.
    """
    counts = CopyCounts()
    with source.reading() as archive, target.writing() as (insert, opened):
        total = archive.count()
        with closing(archive.read_all()) as matches:
            for batch in _batches(matches):
                insert(batch)
                events = counts.events + sum([len(match.bodies) for match in batch])
                counts = CopyCounts(counts.matches + len(batch), events)
                report_progress(counts, total)
        copy_rest(opened)
    return counts._replace(analyses=_copy_analyses(source.analyses(), target.analyses()))


def _copy_analyses(source: DurableAnalysisStore, target: DurableAnalysisStore) -> int:
    count = 0
    while rows := source.rows(count, _ANALYSES_PER_BATCH):
        target.fill(rows)
        count += len(rows)
    return count


def _batches(matches: Iterable[StoredMatch]) -> Iterator[list[StoredMatch]]:
    """Group matches into batches of about `BATCH_BYTES`."""
    batch: list[StoredMatch] = []
    size = 0
    for match in matches:
        batch.append(match)
        size += sum(map(len, match.bodies)) + len(match.match)
        if size >= BATCH_BYTES:
            yield batch
            batch, size = [], 0
    if batch:
        yield batch
