"""Choices as words: lists them compactly, and finds the one that was typed.

- A choice is a few words, such as `red 5` or `B3 C3`. Choices that differ in one word are listed together, so that a
  hundred of them take a few lines: `green, red to hall, 0-11`.
- A typed text may abbreviate the words (`g h`) or leave some out, if only one choice fits. Case does not matter.
- This module does not depend on a game.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from textwrap import wrap
from typing import Any, Final

import msgspec

from boardwire.errors import Illegal, Malformed

WIDTH: Final = 80
"""Columns of the narrowest supported terminal."""

_MAX_SUGGESTIONS: Final = 4
"""Choices that the error for an ambiguous text lists."""


class Choice(msgspec.Struct, frozen=True):
    """An action with its words; `between` joins them in the list of choices and is one shorter."""

    action: Any
    words: tuple[str, ...]
    between: tuple[str, ...] = ()

    @property
    def typed(self) -> str:
        """The full text to type."""
        return " ".join(self.words)


def find(text: str, choices: Sequence[Choice]) -> Any:
    """Return the action of a typed text; raise `Malformed` or `Illegal` with an example of a valid one."""
    typed = text.casefold().replace(",", " ").split()
    if not typed:
        raise Malformed(f"Type one of the choices, for example {choices[0].typed}.")
    spelled = [(choice, choice.typed.casefold().split()) for choice in choices]
    matching = (
        [choice for choice, words in spelled if words == typed]
        or [choice for choice, words in spelled if len(words) == len(typed) and _fits(typed, words)]
        or [choice for choice, words in spelled if _fits(typed, words)]
    )
    if len(matching) == 1:
        return matching[0].action
    if not matching:
        raise Illegal(f"{text} is not among your choices; one of them is {choices[0].typed}.")
    more = ", ..." if len(matching) > _MAX_SUGGESTIONS else ""
    suggestions = ", ".join(choice.typed for choice in matching[:_MAX_SUGGESTIONS])
    raise Illegal(f"{text} could be {suggestions}{more}; type more of it.")


def _fits(typed: list[str], words: list[str]) -> bool:
    """Return whether the typed words abbreviate some of the choice's words in this order; numbers must be complete."""
    remaining = iter(words)
    return all(
        any(word == part or (word.startswith(part) and not part.isdigit()) for word in remaining) for part in typed
    )


def lines(choices: Iterable[Choice]) -> list[str]:
    """Return the choices as lines for the screen, with related ones in one line."""
    ends: dict[tuple[tuple[str, ...], tuple[str, ...]], list[str]] = {}
    for choice in choices:
        ends.setdefault((choice.words[:-1], choice.between), []).append(choice.words[-1])
    rows: dict[tuple[tuple[str, ...], tuple[str, ...], tuple[str, ...]], list[str]] = {}
    for (before, between), last in ends.items():
        rows.setdefault((before[:-1], between, tuple(last)), []).append(before[-1] if before else "")
    return [
        line
        for (first, between, last), middle in rows.items()
        for line in _row([*first, *([", ".join(middle)] if middle != [""] else [])], between, last)
    ]


def _row(parts: list[str], between: tuple[str, ...], last: Sequence[str]) -> list[str]:
    title = "".join(f"{part} {joint} ".replace("  ", " ") for part, joint in zip(parts, between, strict=True))
    text = wrap(", ".join(_ranges(last)), WIDTH - 3 - len(title), break_long_words=False, break_on_hyphens=False)
    return [f"  {title if number == 0 else ' ' * len(title)}{row}" for number, row in enumerate(text)]


def _ranges(words: Sequence[str]) -> list[str]:
    """Return the words, with consecutive numbers as 0-11."""
    ranges: list[list[str]] = []
    for word in words:
        if word.isdigit() and ranges and ranges[-1][-1].isdigit() and int(word) == int(ranges[-1][-1]) + 1:
            ranges[-1].append(word)
        else:
            ranges.append([word])
    return [f"{run[0]}-{run[-1]}" if len(run) > 2 else ", ".join(run) for run in ranges]


def columns(texts: Sequence[str]) -> list[str]:
    """Return short texts in columns, as rows."""
    width = max(map(len, texts)) + 2
    many = max(1, (WIDTH - 2) // width)
    rows = [texts[start : start + many] for start in range(0, len(texts), many)]
    return ["  " + "".join(f"{text:<{width}}" for text in row).rstrip() for row in rows]


def paragraph(text: str, indent: int) -> list[str]:
    """Return a text wrapped to the width, with all lines but the first indented."""
    return wrap(text, WIDTH - 1, subsequent_indent=" " * indent, break_long_words=False)
