"""Requests assembled from prepared bytes equal the codec's byte for byte."""

from __future__ import annotations

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from boardwire.dialects.santorini_objects.editions import Edition, EditionDecoder
from boardwire.dialects.santorini_objects.messages import classes as wire
from boardwire.dialects.santorini_objects.messages.cells import CELLS
from boardwire.dialects.santorini_objects.messages.sets import CELL_KEYS, MAX_SET_CELLS, cell_key, write

from ..spoken import cell

NONE: frozenset[wire.Position] = frozenset()
REQUESTS: list[tuple[Edition, msgspec.Struct, int]] = [
    (Edition.D1, wire.RequestMove(1, NONE, NONE), 2),
    (Edition.D2, wire.RequestMove(2, NONE, NONE), 2),
    (Edition.D2, wire.RequestBuild(True, 3, NONE, NONE), 2),
    (Edition.D2, wire.RequestOptional(True, False, True, 1, NONE, NONE, NONE, NONE), 4),
    (Edition.F, wire.RequestAction(True, False, True, False, 2, NONE, NONE, NONE, NONE), 4),
]
squares = st.lists(st.integers(0, 24), max_size=MAX_SET_CELLS + 2, unique=True)


@settings(max_examples=80, deadline=None, derandomize=True)
@given(
    st.sampled_from(REQUESTS),
    st.lists(st.integers(0, 3), min_size=25, max_size=25),
    st.lists(squares, min_size=4, max_size=4),
)
def test_the_bytes_equal_the_codecs(
    request_: tuple[Edition, msgspec.Struct, int], levels: list[int], chosen: list[list[int]]
) -> None:
    edition, request, count = request_
    sets = [tuple(CELL_KEYS[square][levels[square]] for square in one) for one in chosen[:count]]
    names = [name for name in request.__struct_fields__ if name.startswith("worker")]
    full = {
        name: frozenset(CELLS[square][levels[square]] for square in one)
        for name, one in zip(names, chosen, strict=False)
    }
    whole = msgspec.structs.replace(request, **full)
    assert write(edition, request, sets) == edition.encode(whole)
    assert EditionDecoder(edition).feed(write(edition, request, sets))[-1] == whole


@pytest.mark.parametrize("strange", [None, cell(-1, 0), cell(0, 5), cell(0, 0, 4), cell(0, 0, -1)])
def test_a_cell_that_does_not_exist_has_no_key(strange: wire.Position | None) -> None:
    assert cell_key(strange) == -1


def test_every_cell_has_its_own_key() -> None:
    keys = {cell_key(one) for cells in CELLS for one in cells}
    assert len(keys) == 100
    assert -1 not in keys
