"""Fast encoder of requests with sets of cells.

Requests are most of a server's output: a few fixed fields and two or four sets of cells. The codec encodes the fixed
part once; the sets are assembled here from prepared bytes. The result equals the codec's output: sets in the order of a
Java HashSet, repeated cells as references.

A cell is represented by an integer key. Sorting keys gives Java's order: by bucket, then by x, then by y.
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

CellKeys: TypeAlias = tuple[int, ...]

MAX_SET_CELLS: Final = 12
"""Largest set encoded here: a larger HashSet has more buckets and another order.

A worker reaches at most nine cells. Only powers outside the protocol reach more; the codec encodes those requests.
"""

_BUCKETS: Final = 16
_KEYS: Final = 4 * 32 * _BUCKETS


def _sort_key(cell: wire.Position) -> int:
    """Return a key by which cells are in the order of a Java set [2]."""
    bucket = (cell.x - cell.y + cell.z - 1) % _BUCKETS  # equals Objects.hash(x, y, z) modulo 16 [2]
    return bucket << 7 | (cell.x * 5 + cell.y) << 2 | cell.z


CELL_KEYS: Final = tuple(tuple(_sort_key(cell) for cell in cells) for cells in CELLS)
"""`CELL_KEYS[square][level]`."""

_CELL_OF: Final = {CELL_KEYS[square][z]: cell for square, cells in enumerate(CELLS) for z, cell in enumerate(cells)}
_PACKED: Final = tuple(
    struct.pack(">iii", cell.x, cell.y, cell.z) if (cell := _CELL_OF.get(key)) is not None else b""
    for key in range(_KEYS)
)
_HEADS: Final = tuple(struct.pack(">BBifi", 0x77, 12, _BUCKETS, 0.75, size) for size in range(MAX_SET_CELLS + 1))
_REFERENCES: Final = tuple(struct.pack(">BI", 0x71, 0x7E0000 + handle) for handle in range(256))
_OBJECT: Final = b"\x73"
_END: Final = b"\x78"
_HASH_SET: Final = b"\x73\x72\x00\x11java.util.HashSet"


_KEY_OF: Final = {cell: key for key, cell in _CELL_OF.items()}


def cell_key(cell: wire.Position | None) -> int:
    """Return the key of a cell, or -1 if it is not on the board."""
    return -1 if cell is None else _KEY_OF.get(cell, -1)


class Template(msgspec.Struct, frozen=True):
    """Encoded request up to its first set, with the openings of sets and cells. `handle` is the first free handle."""

    fixed: bytes
    first_set: bytes
    first_cell: bytes
    handle: int


_templates: Final[dict[tuple[Edition, msgspec.Struct], Template]] = {}


def _template_of(edition: Edition, request: msgspec.Struct) -> Template:
    """Return the template, cut out of the encoded request with empty sets and with one set of one cell."""
    raw = edition.encode(request)
    at = raw.index(_HASH_SET)
    head = raw.index(_HEADS[0], at)
    second_set = head + len(_HEADS[0]) + len(_END)  # the second set refers to the class of the first
    handle = int.from_bytes(raw[second_set + 2 : second_set + 6], "big") - 0x7E0000
    encoded = edition.encode(_with_sets(request, ((CELL_KEYS[0][0],),)))
    cell = encoded.index(_HEADS[1]) + len(_HEADS[1])
    return Template(
        raw[:at], raw[at:head], encoded[cell : encoded.index(_PACKED[CELL_KEYS[0][0]] + _END, cell)], handle
    )


def _with_sets(request: msgspec.Struct, sets: Iterable[CellKeys]) -> msgspec.Struct:
    """Return the request with its sets."""
    names = [name for name in request.__struct_fields__ if isinstance(getattr(request, name), frozenset)]
    cells = [frozenset(_CELL_OF[key] for key in keys) for keys in sets]
    return replace(request, **dict(zip(names, cells, strict=False)))


def write(edition: Edition, request: msgspec.Struct, sets: Sequence[CellKeys]) -> bytes:
    """Encode a request that has empty sets, with these sets instead."""
    if max(map(len, sets)) > MAX_SET_CELLS:
        return edition.encode(_with_sets(request, sets))
    template = _templates.get((edition, request))
    if template is None:
        template = _templates[edition, request] = _template_of(edition, request)
    handle = template.handle
    parts = [template.fixed]
    opening, set_again = template.first_set, _OBJECT + _REFERENCES[handle]
    cell_opening, cell_again = template.first_cell, b""
    references: dict[int, bytes] = {}
    handle += 1
    for keys in sets:
        parts += (opening, _HEADS[len(keys)])
        opening = set_again
        handle += 1
        for key in sorted(keys):
            reference = references.get(key)
            if reference is not None:
                parts.append(reference)
                continue
            if not cell_again:
                cell_again = _OBJECT + _REFERENCES[handle]
                handle += 1
            parts += (cell_opening, _PACKED[key])
            cell_opening = cell_again
            references[key] = _REFERENCES[handle]
            handle += 1
        parts.append(_END)
    return b"".join(parts)
