r"""Entry format of the SQLite log: parts of matches that were committed together, as text.

- A part has the events of one append: a line ``KEY FIRST BEFORE``, then each event as a line of JSON.
- ``KEY`` is the key of the match, and ``FIRST`` the number of the part's first event. ``BEFORE`` is the number of the
  entry with the previous part of the match, or 0: a match is read from its end to its beginning.
- An entry may have several parts of a match.
- A line begins with a line feed, and JSON contains none: the parts of a match are found by ``\nKEY ``.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple


class Part(NamedTuple):
    """A part of a match; `bodies` are its events."""

    key: int
    first: int
    before: int
    bodies: list[bytes]

    @property
    def last(self) -> int:
        """Number of the last event."""
        return self.first + len(self.bodies) - 1


def write_part(key: int, first: int, before: int, bodies: Iterable[bytes]) -> bytes:
    """Encode a part; an entry is a sequence of parts."""
    return b"\n%d %d %d\n%b" % (key, first, before, b"\n".join(bodies))


def one_line(body: bytes | str) -> bytes:
    """Convert a stored body to one line that begins with a brace. A body that is not an event stays unreadable."""
    line = (body.encode() if isinstance(body, str) else body).replace(b"\n", b" ")
    return line if line.startswith(b"{") else b"{" + line


def part_prefix(key: int) -> bytes:
    """Return the bytes that occur in an entry only if it has a part of this match."""
    return b"\n%d " % key


def parts_of(entry: bytes, key: int) -> list[Part]:
    """Return the parts of one match, in order."""
    prefix = part_prefix(key)
    parts = []
    start = entry.find(prefix)
    while start >= 0:
        parts.append(_part_at(entry, start))
        start = entry.find(prefix, start + 1)
    return parts


def parts(entry: bytes) -> Iterator[Part]:
    """Yield all parts, in order."""
    at = 0
    while at < len(entry):
        part = _part_at(entry, at)
        yield part
        at = _end(entry, entry.index(b"\n", at + 1))


def _part_at(entry: bytes, at: int) -> Part:
    head = entry.index(b"\n", at + 1)
    key, first, before = entry[at + 1 : head].split(b" ")
    return Part(int(key), int(first), int(before), entry[head + 1 : _end(entry, head)].split(b"\n"))


def _end(entry: bytes, head: int) -> int:
    """Return the end of the part whose first line ends at `head`: the next line that is not an event."""
    at = head
    while (at := entry.find(b"\n", at + 1)) >= 0:
        if entry[at + 1 : at + 2] != b"{":
            return at
    return len(entry)
