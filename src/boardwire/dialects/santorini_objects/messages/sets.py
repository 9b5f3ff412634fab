"""Requests with sets of cells, written fast.

Every request of a turn is a few fixed fields and two or four sets of cells, and it is most of what a server writes.  So
the fixed part is written once by the codec, and the sets are put together from bytes prepared here.  The result is the
same, byte for byte, as the codec's: sets in the order of a Java HashSet, a cell that comes again as a reference.

A cell is a number here, its `key`, chosen so that sorting keys gives Java's order: by bucket, then by x, then by y.
"""

from __future__ import annotations

import struct
from collections.abc import Iterable, Sequence
from typing import Final, TypeAlias

import msgspec
from msgspec.structs import replace

from boardwire.dialects.santorini_objects.editions import Edition
from boardwire.dialects.santorini_objects.messages import classes as wire
from boardwire.dialects.santorini_objects.messages.cells import CELLS

Keys: TypeAlias = tuple[int, ...]

MOST: Final = 12
"""Cells of one set: a HashSet of more has more buckets, and another order.  A worker reaches nine; only powers outside
the protocol build farther, and those requests the codec writes."""

_BUCKETS: Final = 16
_KEYS: Final = 4 * 32 * _BUCKETS


def _key(cell: wire.Position) -> int:
    bucket = (cell.x - cell.y + cell.z - 1) % _BUCKETS  # what Objects.hash(x, y, z) comes to [2]
    return bucket << 7 | (cell.x * 5 + cell.y) << 2 | cell.z


KEYS: Final = tuple(tuple(_key(cell) for cell in cells) for cells in CELLS)
"""`KEYS[square][level]`."""

_CELL_OF: Final = {KEYS[square][z]: cell for square, cells in enumerate(CELLS) for z, cell in enumerate(cells)}
_PACKED: Final = tuple(
    struct.pack(">iii", cell.x, cell.y, cell.z) if (cell := _CELL_OF.get(key)) is not None else b""
    for key in range(_KEYS)
)
_HEADS: Final = tuple(struct.pack(">BBifi", 0x77, 12, _BUCKETS, 0.75, size) for size in range(MOST + 1))
_REFERENCES: Final = tuple(struct.pack(">BI", 0x71, 0x7E0000 + handle) for handle in range(256))
_OBJECT: Final = b"\x73"
_END: Final = b"\x78"
_HASH_SET: Final = b"\x73\x72\x00\x11java.util.HashSet"


_KEY_OF: Final = {cell: key for key, cell in _CELL_OF.items()}


def key_of(cell: wire.Position | None) -> int:
    """The key of a cell; -1 if there is no such cell."""
    return -1 if cell is None else _KEY_OF.get(cell, -1)


class Template(msgspec.Struct, frozen=True):
    """A request up to its first set, and how sets and cells are introduced in it.  `handle` is the first free one."""

    fixed: bytes
    first_set: bytes
    first_cell: bytes
    handle: int


_templates: Final[dict[tuple[Edition, msgspec.Struct], Template]] = {}


def _template(edition: Edition, request: msgspec.Struct) -> Template:
    """Cut out of what the codec writes: the request itself, whose sets are empty, and a set with one cell."""
    raw = edition.encode(request)
    at = raw.index(_HASH_SET)
    head = raw.index(_HEADS[0], at)
    again = head + len(_HEADS[0]) + len(_END)  # the second set refers to the class of the first
    handle = int.from_bytes(raw[again + 2 : again + 6], "big") - 0x7E0000
    one = edition.encode(_filled(request, ((KEYS[0][0],),)))
    cell = one.index(_HEADS[1]) + len(_HEADS[1])
    return Template(raw[:at], raw[at:head], one[cell : one.index(_PACKED[KEYS[0][0]] + _END, cell)], handle)


def _filled(request: msgspec.Struct, sets: Iterable[Keys]) -> msgspec.Struct:
    """The request itself with its sets."""
    names = [name for name in request.__struct_fields__ if isinstance(getattr(request, name), frozenset)]
    cells = [frozenset(_CELL_OF[key] for key in keys) for keys in sets]
    return replace(request, **dict(zip(names, cells, strict=False)))


def write(edition: Edition, request: msgspec.Struct, sets: Sequence[Keys]) -> bytes:
    """A request, given with empty sets, with these sets in their place."""
    if max(map(len, sets)) > MOST:
        return edition.encode(_filled(request, sets))
    template = _templates.get((edition, request))
    if template is None:
        template = _templates[edition, request] = _template(edition, request)
    handle = template.handle
    out = [template.fixed]
    opening, set_again = template.first_set, _OBJECT + _REFERENCES[handle]
    cell_opening, cell_again = template.first_cell, b""
    seen: dict[int, bytes] = {}
    handle += 1
    for keys in sets:
        out += (opening, _HEADS[len(keys)])
        opening = set_again
        handle += 1
        for key in sorted(keys):
            known = seen.get(key)
            if known is not None:
                out.append(known)
                continue
            if not cell_again:
                cell_again = _OBJECT + _REFERENCES[handle]
                handle += 1
            out += (cell_opening, _PACKED[key])
            cell_opening = cell_again
            seen[key] = _REFERENCES[handle]
            handle += 1
        out.append(_END)
    return b"".join(out)
