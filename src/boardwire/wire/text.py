"""Text from anywhere, made fit to be shown.

Rules:

- Names, talk and what a server says may hold signs that steer a terminal, turn the direction of writing round or break
  a line in two.  Whatever prints such text puts it through `printable` first, at the last moment: what is stored and
  what is sent stays as it came.
- Each such sign becomes one replacement character, so that one sees that there was something, and columns stay in line.

Which names a protocol takes is that protocol's business.
"""

from __future__ import annotations

from typing import Final

_REPLACEMENT: Final = "\N{REPLACEMENT CHARACTER}"


def printable(text: str) -> str:
    """The text with every sign that cannot be printed replaced."""
    return text if text.isprintable() else "".join(sign if sign.isprintable() else _REPLACEMENT for sign in text)
