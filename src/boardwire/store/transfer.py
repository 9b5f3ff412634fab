"""Copy a store to another, empty one: a data directory or a PostgreSQL database.

- All or nothing: a database is filled in one transaction, a directory gets a complete file by renaming. An interrupted
  copy leaves the target unchanged and can be repeated.
- Matches keep their names, numbers and order, events their bytes. Unreadable events are copied too; only a match with
  missing events is refused, by name.
- Both stores are locked: a server would add events that the copy misses.
- Memory holds a batch of about `BATCH_BYTES`, or one match if that is larger.
- The source is not changed.
- Analyses are copied last, if possible: they are only a cache (`analyses.py`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import closing
from typing import Any, Final, NamedTuple

from boardwire.store.analyses import DurableAnalysisStore
from boardwire.store.group_commit import Stored
from boardwire.store.store import DurableStore

BATCH_BYTES: Final = 1024 * 1024
_ANALYSES_PER_BATCH: Final = 50
"""Analyses per batch."""


class Copied(NamedTuple):
    """Numbers of copied matches, events and analyses."""

    matches: int = 0
    events: int = 0
    analyses: int = 0


def copy(
    source: DurableStore,
    target: DurableStore,
    tell: Callable[[Copied, int], object] = lambda done, of: None,
    also: Callable[[Any], object] = lambda opened: None,
) -> Copied:
    """Copy everything; `tell` is called after each batch with the progress and the total number of matches.

    `also` copies what is not part of the journal. It is called before the matches are committed, with what
    `DurableStore.writing` says of the open target, and is committed with them.

    Raises `Unavailable` or `ConfigError`.
    """
    done = Copied()
    with source.reading() as archive, target.writing() as (take, opened):
        of = archive.count()
        with closing(archive.stored()) as matches:
            for batch in _batches(matches):
                take(batch)
                done = Copied(done.matches + len(batch), done.events + sum([len(one.bodies) for one in batch]))
                tell(done, of)
        also(opened)
    return done._replace(analyses=_copy_analyses(source.analyses(), target.analyses()))


def _copy_analyses(source: DurableAnalysisStore, target: DurableAnalysisStore) -> int:
    count = 0
    while rows := source.rows(count, _ANALYSES_PER_BATCH):
        target.fill(rows)
        count += len(rows)
    return count


def _batches(matches: Iterable[Stored]) -> Iterator[list[Stored]]:
    batch: list[Stored] = []
    size = 0
    for one in matches:
        batch.append(one)
        size += sum(map(len, one.bodies)) + len(one.match)
        if size >= BATCH_BYTES:
            yield batch
            batch, size = [], 0
    if batch:
        yield batch
