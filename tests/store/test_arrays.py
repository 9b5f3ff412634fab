"""Arrays in PostgreSQL's binary format, as its documentation of `array_recv` has them."""

from __future__ import annotations

import pytest

from boardwire.store.arrays import Kind, booleans, integers, pack_array, texts


@pytest.mark.parametrize(
    ("array", "expected"),
    [
        (texts(["é", ""]), "00000001 00000000 00000019 00000002 00000001  00000002 c3a9  00000000"),
        (texts(()), "00000000 00000000 00000019"),
        (integers([1, 258]), "00000001 00000000 00000017 00000002 00000001  00000004 00000001  00000004 00000102"),
        (integers([]), "00000000 00000000 00000017"),
        (booleans([True, False]), "00000001 00000000 00000010 00000002 00000001  00000001 01  00000001 00"),
        (pack_array(Kind.BYTES, [b"\0\xff"]), "00000001 00000000 00000011 00000001 00000001  00000002 00ff"),
    ],
)
def test_an_array_is_its_head_and_each_item_behind_its_length(array: bytes, expected: str) -> None:
    assert array == bytes.fromhex(expected)
