"""A small rasteriser: convex shapes with antialiased edges, written as PNG.

Link previews need PNG, and a drawing library would be the largest dependency of the server for four simple boards.
Each pixel row is sampled at `SAMPLES` heights. Pixels that all samples cover are filled at once; those at the ends are
blended by their coverage.
"""

from __future__ import annotations

import struct
import zlib
from collections.abc import Callable, Sequence
from math import ceil, floor, sqrt
from typing import Final, TypeAlias

from boardwire.api.reader_threads import check

SAMPLES: Final = 4
"""Heights at which a row of pixels is sampled."""
Point: TypeAlias = tuple[float, float]
Span: TypeAlias = Callable[[float], tuple[float, float] | None]
"""Returns the left and right end of a shape at a height, or None if the shape does not reach it."""

_SIGNATURE: Final = b"\x89PNG\r\n\x1a\n"


def rgb(colour: str) -> bytes:
    """Return `#rrggbb` as three bytes."""
    return bytes.fromhex(colour.removeprefix("#"))


class RasterCanvas:
    """A picture on which shapes are painted."""

    def __init__(self, width: int, height: int, colour: str) -> None:
        self.width, self.height = width, height
        self._rows = [bytearray(rgb(colour) * width) for _ in range(height)]

    def circle(self, x: float, y: float, radius: float, colour: str) -> None:
        """Paint a disc."""

        def span(height: float) -> tuple[float, float] | None:
            half_width_squared = radius * radius - (height - y) ** 2
            return None if half_width_squared <= 0 else (x - sqrt(half_width_squared), x + sqrt(half_width_squared))

        self._fill_convex(y - radius, y + radius, span, colour)

    def box(self, x: float, y: float, width: float, height: float, colour: str, radius: float = 0.0) -> None:
        """Paint a rectangle from its upper left corner, with round corners of a radius."""

        def span(at: float) -> tuple[float, float] | None:
            if not y <= at <= y + height:
                return None
            depth = max(y + radius - at, at - (y + height - radius), 0.0)
            inset = radius - sqrt(max(0.0, radius * radius - depth * depth))
            return x + inset, x + width - inset

        self._fill_convex(y, y + height, span, colour)

    def polygon(self, points: Sequence[Point], colour: str) -> None:
        """Paint a convex polygon."""
        edges = [
            (*start, *end) if start[1] < end[1] else (*end, *start)
            for start, end in zip(points, (*points[1:], points[0]), strict=True)
            if start[1] != end[1]
        ]

        def span(at: float) -> tuple[float, float] | None:
            crossings = [x + (at - y) * (to - x) / (end - y) for x, y, to, end in edges if y <= at < end]
            return (min(crossings), max(crossings)) if crossings else None

        heights = [y for _, y in points]
        self._fill_convex(min(heights), max(heights), span, colour)

    def line(self, start: Point, end: Point, width: float, colour: str) -> None:
        """Paint a line with flat ends."""
        (x, y), (to, bottom) = start, end
        length = sqrt((to - x) ** 2 + (bottom - y) ** 2) or 1.0
        dx, dy = (bottom - y) / length * width / 2, (x - to) / length * width / 2
        self.polygon([(x + dx, y + dy), (to + dx, bottom + dy), (to - dx, bottom - dy), (x - dx, y - dy)], colour)

    def _fill_convex(self, top: float, bottom: float, span: Span, colour: str) -> None:
        """Paint a convex shape between two heights."""
        check()
        ink = rgb(colour)
        for number in range(max(0, floor(top)), min(self.height, ceil(bottom))):
            spans = [ends for part in range(SAMPLES) if (ends := span(number + (part + 0.5) / SAMPLES)) is not None]
            if not spans:
                continue
            row = self._rows[number]
            # pixels from `first` to `last` are touched; those from `begin` to `end` are covered by every sample
            first, last = max(0, floor(min(left for left, _ in spans))), ceil(max(right for _, right in spans))
            last = min(self.width, last)
            begin, end = ceil(max(left for left, _ in spans)), floor(min(right for _, right in spans))
            if len(spans) < SAMPLES or begin > end:
                begin = end = last
            begin, end = max(first, min(begin, last)), max(first, min(end, last))
            row[3 * begin : 3 * end] = ink * (end - begin)
            for x in (*range(first, begin), *range(end, last)):
                coverage = sum(max(0.0, min(x + 1, right) - max(x, left)) for left, right in spans) / SAMPLES
                for channel in range(3):
                    below = row[3 * x + channel]
                    row[3 * x + channel] = round(below + (ink[channel] - below) * min(1.0, coverage))

    def png(self) -> bytes:
        """Return the picture as a PNG file."""
        check()
        header = struct.pack(">IIBBBBB", self.width, self.height, 8, 2, 0, 0, 0)
        body = zlib.compress(b"".join(b"\0" + row for row in self._rows), 6)
        return _SIGNATURE + _png_chunk(b"IHDR", header) + _png_chunk(b"IDAT", body) + _png_chunk(b"IEND", b"")


def _png_chunk(kind: bytes, body: bytes) -> bytes:
    return struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))
