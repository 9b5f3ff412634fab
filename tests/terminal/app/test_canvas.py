"""The canvas: cells, styles and targets."""

from __future__ import annotations

from rich.style import Style

from boardwire.terminal.app.canvas import CellCanvas
from boardwire.terminal.app.selection import Target

HERE = Target("square", 7)


def test_text_is_cut_off_at_the_edge() -> None:
    canvas = CellCanvas(5, 2)
    assert canvas.put(3, 0, "abcdef") == 5
    canvas.put(0, 9, "outside")
    assert canvas.text() == "   ab\n"


def test_wide_and_combining_characters_do_not_shift_what_follows() -> None:
    canvas = CellCanvas(8, 1)
    canvas.put(0, 0, "日e\u0301!")
    canvas.put(7, 0, "|")
    assert canvas.text() == "日e!   |"
    assert sum(segment.cell_length for segment in canvas.line(0)) == 8


def test_segments_have_one_style_each() -> None:
    canvas = CellCanvas(4, 1)
    canvas.put(1, 0, "ab", Style(bold=True))
    assert [(segment.text, bool(segment.style and segment.style.bold)) for segment in canvas.line(0)] == [
        (" ", False),
        ("ab", True),
        (" ", False),
    ]


def test_a_region_stands_for_a_target() -> None:
    canvas = CellCanvas(10, 5)
    canvas.claim(2, 1, 3, 2, HERE)
    assert canvas.target_at(4, 2) == HERE
    assert canvas.target_at(5, 2) is None
    assert canvas.region(HERE) == (2, 1, 3, 2)
    assert canvas.centres([HERE, Target("x", 0)]) == {HERE: (3.0, 1.5)}
    assert canvas.region(Target("x", 0)) is None
