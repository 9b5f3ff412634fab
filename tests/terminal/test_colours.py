"""Colours, or none."""

import pytest

from boardwire.terminal.colours import Paint, for_terminal


def test_paint_puts_styles_around_words() -> None:
    assert Paint(True)("word", "bold", "red") == "\x1b[1;31mword\x1b[0m"
    assert Paint(True)("word") == "word"


def test_no_paint_leaves_words_alone() -> None:
    assert Paint(False)("word", "bold", "red") == "word"


@pytest.mark.parametrize(
    ("terminal", "environment", "coloured"),
    [
        (True, {}, True),
        (False, {}, False),
        (True, {"NO_COLOR": "1"}, False),
        (True, {"NO_COLOR": ""}, True),  # as no-color.org says: set and not empty
        (True, {"TERM": "dumb"}, False),
    ],
)
def test_there_is_colour_on_a_terminal_unless_the_user_wants_none(
    monkeypatch: pytest.MonkeyPatch, terminal: bool, environment: dict[str, str], coloured: bool
) -> None:
    monkeypatch.delenv("NO_COLOR", raising=False)
    monkeypatch.setenv("TERM", "xterm")
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    monkeypatch.setattr("sys.stdout.isatty", lambda: terminal)
    assert ("\x1b" in for_terminal()("word", "red")) == coloured
