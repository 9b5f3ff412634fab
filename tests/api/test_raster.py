"""The rasteriser: shapes, smooth edges, and valid PNG files."""

from __future__ import annotations

import struct
import zlib

import pytest

from boardwire.api.raster import RasterCanvas

WHITE, BLACK = (255, 255, 255), (0, 0, 0)


def pixels(png: bytes) -> list[list[tuple[int, int, int]]]:
    """Read a PNG of ours, checksums too."""
    assert png.startswith(b"\x89PNG\r\n\x1a\n")
    at, chunks = 8, {}
    while at < len(png):
        (size,) = struct.unpack_from(">I", png, at)
        kind, body = png[at + 4 : at + 8], png[at + 8 : at + 8 + size]
        assert struct.unpack_from(">I", png, at + 8 + size) == (zlib.crc32(kind + body),)
        chunks[kind], at = body, at + 12 + size
    width, height, depth, colours = struct.unpack(">IIBBxxx", chunks[b"IHDR"])
    assert (depth, colours, chunks[b"IEND"]) == (8, 2, b"")
    data = zlib.decompress(chunks[b"IDAT"])
    rows = [data[n * (3 * width + 1) + 1 : (n + 1) * (3 * width + 1)] for n in range(height)]
    return [[(row[x], row[x + 1], row[x + 2]) for x in range(0, 3 * width, 3)] for row in rows]


def test_a_box_fills_whole_pixels_and_shares_of_others() -> None:
    canvas = RasterCanvas(4, 3, "#ffffff")
    canvas.box(1, 1, 1.5, 1, "#000000")
    assert pixels(canvas.png()) == [[WHITE] * 4, [WHITE, BLACK, (128, 128, 128), WHITE], [WHITE] * 4]


def test_a_disc_is_round_and_its_edge_is_smooth() -> None:
    canvas = RasterCanvas(21, 21, "#ffffff")
    canvas.circle(10.5, 10.5, 8, "#000000")
    found = pixels(canvas.png())
    assert found[10][10] == BLACK
    assert found[10][1] == found[1][10] == found[3][3] == WHITE
    assert found == [row[::-1] for row in found] == found[::-1]
    assert any(0 < pixel[0] < 255 for row in found for pixel in row)


def test_a_polygon_may_stand_on_a_corner() -> None:
    canvas = RasterCanvas(9, 9, "#ffffff")
    canvas.polygon([(4.5, 0), (9, 4.5), (4.5, 9), (0, 4.5)], "#000000")
    found = pixels(canvas.png())
    assert found[4][4] == BLACK
    assert found[0][0] == found[8][8] == WHITE


@pytest.mark.parametrize("place", [(-50, -50), (-3, 2), (8, 8), (100, 0)])
def test_shapes_beyond_the_edge_are_cut_off(place: tuple[int, int]) -> None:
    canvas = RasterCanvas(10, 10, "#ffffff")
    canvas.box(*place, 5, 5, "#000000", 2)
    canvas.circle(*place, 4, "#000000")
    canvas.line((0, 0), place, 3, "#000000")
    assert len(pixels(canvas.png())) == 10
