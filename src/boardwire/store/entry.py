r"""An entry of the log: the parts of matches that were stored together, as text.

Rules:

- A part is what one append stored of one match: a line ``KEY FIRST BEFORE``, then its events, each a line of JSON.
- ``FIRST`` is the number of the part's first event; ``BEFORE`` is the number of the entry with the part of this match
  that comes before it, 0 if there is none, so that a match is read from its end to its beginning.  An entry may have
  several parts of a match.
- A line begins with a line feed, and JSON has none inside: so the parts of a match are found by ``\nKEY ``.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple


class Part(NamedTuple):
    """See the module.  `bodies` are its events."""

    key: int
    first: int
    before: int
    bodies: list[bytes]

    @property
    def last(self) -> int:
        """The number of its last event."""
        return self.first + len(self.bodies) - 1


def write_part(key: int, first: int, before: int, bodies: Iterable[bytes]) -> bytes:
    """A part as text; an entry is one after the other."""
    return b"\n%d %d %d\n%b" % (key, first, before, b"\n".join(bodies))


def one_line(body: bytes | str) -> bytes:
    """An event as an entry can hold it; what is no event, and cannot be read, becomes none by this."""
    line = (body.encode() if isinstance(body, str) else body).replace(b"\n", b" ")
    return line if line.startswith(b"{") else b"{" + line


def mark(key: int) -> bytes:
    """What is in every entry with a part of this match, and in no other."""
    return b"\n%d " % key


def parts_of(entry: bytes, key: int) -> list[Part]:
    """The parts of one match in an entry, in order."""
    sign = mark(key)
    found = []
    at = entry.find(sign)
    while at >= 0:
        found.append(_part_at(entry, at))
        at = entry.find(sign, at + 1)
    return found


def parts(entry: bytes) -> Iterator[Part]:
    """All parts of an entry, in order."""
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
    """Where the part whose first line ends at `head` is over: where a line is no event."""
    at = head
    while (at := entry.find(b"\n", at + 1)) >= 0:
        if entry[at + 1 : at + 2] != b"{":
            return at
    return len(entry)
