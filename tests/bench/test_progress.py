"""Progress display on standard error."""

from io import StringIO

from bench.progress import Progress


class Terminal(StringIO):
    def isatty(self) -> bool:
        return True


def test_a_file_gets_one_line_for_each_round() -> None:
    out, times = StringIO(), iter((0.0, 1.0, 2.0, 3.0))
    progress = Progress(out, lambda: next(times))
    for step, detail in (("round 1 of 2", ": a"), ("round 1 of 2", ": b"), ("round 2 of 2", ": a")):
        progress.show(step, detail)
    progress.clear()
    assert out.getvalue() == "    1 s  round 1 of 2\n    3 s  round 2 of 2\n"


def test_a_terminal_gets_one_line_that_is_rewritten() -> None:
    out = Terminal()
    progress = Progress(out, lambda: 0.0)
    progress.show("round 1 of 2", ": a")
    progress.clear()
    assert out.getvalue() == "\r\x1b[K    0 s  round 1 of 2: a\r\x1b[K"
