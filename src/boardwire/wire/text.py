r"""Sanitizing of untrusted text for display.

Names, chat, messages and headers may contain characters that control a terminal, reverse the writing direction, are
invisible or split a line. They are stored and sent unchanged; these functions make them safe:

- `escaped` is for terminals, logs and reports. It shows each of these characters as an escape: `\x1b` below U+0020,
  `\u202e` elsewhere, and a surrogate pair above U+FFFF. For all characters that a JSON encoder may leave unescaped,
  these are JSON escapes, so that an escaped JSON document keeps its meaning.
- `decode_header` is for headers in logs and reports; apply `escaped` afterwards.
- `printable` is for protocols and exports with columns. It replaces each of these characters by one U+FFFD.

Each protocol decides which names it accepts.
"""

from __future__ import annotations

from typing import Final

_REPLACEMENT: Final = "\N{REPLACEMENT CHARACTER}"
_BLANK: Final = frozenset("\u034f\u115f\u1160\u17b4\u17b5\u3164\uffa0")
"""Characters that `str.isprintable` accepts but no font draws."""


def printable(text: str) -> str:
    """Replace every unprintable character by U+FFFD."""
    return text if text.isprintable() else "".join(char if char.isprintable() else _REPLACEMENT for char in text)


def escaped(text: str, keep: str = "") -> str:
    """Escape every control, format and invisible character, except those in `keep`."""
    if text.isprintable() and _BLANK.isdisjoint(text):
        return text
    return "".join(
        char if char in keep or (char.isprintable() and char not in _BLANK) else _escape(ord(char)) for char in text
    )


def decode_header(value: str) -> str:
    r"""Decode an HTTP header value as UTF-8, which most clients send; it was decoded as Latin-1.

    Bytes that are not UTF-8 are shown as escapes such as `\x9b`.
    """
    return value.encode("latin-1", "backslashreplace").decode("utf-8", "backslashreplace")


def _escape(code: int) -> str:
    if code < 0x20:
        return f"\\x{code:02x}"
    if code < 0x10000:
        return f"\\u{code:04x}"
    high, low = divmod(code - 0x10000, 0x400)
    return f"\\u{0xD800 + high:04x}\\u{0xDC00 + low:04x}"
